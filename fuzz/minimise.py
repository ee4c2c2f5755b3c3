#!/usr/bin/env python3
"""minimise.py FUZZER INPUT [OUTPUT]: the shortest and plainest input that still ends in the same finding.

Decisions that are left out or are 0 are plain ones, so bytes are taken from the end, then set to 0."""

import pathlib
import re
import subprocess
import sys
import tempfile


def finding(fuzzer: str, data: bytes) -> str:
    """What the fuzzer reports of an input that ends it; empty where the input does not."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        try:
            done = subprocess.run([fuzzer, file.name], capture_output=True, timeout=60, check=False)
        except subprocess.TimeoutExpired:
            return "hang"
    if done.returncode == 0:
        return ""
    said = re.findall(rb"^fuzz: .*|(?:ERROR|SUMMARY): .*", done.stderr, re.M)
    return f"{done.returncode} {said[-1].decode(errors='replace') if said else ''}"


def minimise(fuzzer: str, data: bytes) -> bytes:
    wanted = finding(fuzzer, data)
    if not wanted:
        sys.exit("this input is no finding")
    print(wanted, file=sys.stderr)
    step = len(data)
    while step >= 1:
        while len(data) >= step and finding(fuzzer, data[:-step]) == wanted:
            data = data[:-step]
        step //= 2
    step = max(len(data) // 4, 1)
    while True:
        for at in range(0, len(data), step):
            plainer = data[:at] + bytes(len(data[at : at + step])) + data[at + step :]
            if plainer != data and finding(fuzzer, plainer) == wanted:
                data = plainer
        if step == 1:
            return data
        step = max(step // 4, 1)


def main() -> None:
    fuzzer, source, *output = sys.argv[1:]
    target = pathlib.Path(output[0] if output else source)
    target.write_bytes(minimise(fuzzer, pathlib.Path(source).read_bytes()))


if __name__ == "__main__":
    main()
