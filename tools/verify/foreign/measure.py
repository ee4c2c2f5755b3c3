"""What `verify` says of files that other exporters wrote, at its defaults: how many it runs, and how many faults it finds and names.

    python measure.py PROGRAM FOLDER [--only MAKER ...] [--list]

makes in FOLDER whatever the installed exporters can (optimum-onnx, onnxruntime-genai, onnxslim, onnxsim, onnxruntime, torch,
transformers, diffusers), all of small models with random weights, unless it is there already, and prints a table. A third of the pairs,
by their names, is held back: it is counted apart, and --list, which prints what is not as it should be, leaves it out.
BUILDER_PATH may name a folder of packages that onnxruntime-genai's builder alone needs, such as another transformers.
"""
from __future__ import annotations

import argparse
import json
import re
import subprocess
import zlib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import faults

import files
from files import Pair

RAN = {0, 1, 3}  # a verdict; 3: the candidate crashed


@dataclass
class Result:
    """What the program says of a pair."""

    pair: Pair
    status: int
    report: dict[str, Any]
    words: str

    @property
    def held(self) -> bool:
        return zlib.crc32(self.pair.name.encode()) % 3 == 0

    @property
    def right(self) -> bool:
        return self.status in {1, 3} if self.pair.fault else self.status == 0

    @property
    def named(self) -> bool:
        """Whether the op that is blamed, or the one that the candidate fails at, is where the fault is."""
        ops = [op["op"] for op in self.report.get("ops", []) if op["first_divergent"]]
        ops += re.findall(r"Name:'([^']+)'", self.report.get("first_failure") or "")
        lost = any(incident["kind"] == "state-lost" for incident in self.report.get("incidents", []))
        return lost or any(re.search(self.pair.where, op) for op in ops)


def made(folder: Path, only: list[str]) -> list[Pair]:
    """The pairs of every maker, each with a list of its own beside its files."""
    pairs = []
    for name in only or [*files.MAKERS, "faulty"]:
        listing = folder / f"{name}.json"
        if not listing.exists():
            found = list(faults.faulty(folder / name)) if name == "faulty" else files.make(folder, [name])
            listing.write_text(json.dumps([asdict(pair) for pair in found], default=str))
        pairs += [Pair(**pair) for pair in json.loads(listing.read_text())]
    return pairs


def verify(program: str, pair: Pair) -> Result:
    command = [program, "verify", str(pair.reference), *([str(pair.candidate)] if pair.candidate else []), *pair.options,
               "--output-format", "json", *(["--localize"] if pair.fault else [])]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    try:
        report = json.loads(done.stdout)
    except json.JSONDecodeError:
        report = {}
    return Result(pair, done.returncode, report, report.get("first_failure") or done.stderr)


def share(part: int, whole: int) -> str:
    return f"{part} of {whole}" + (f" ({part / whole:.2f})" if whole else "")


def table(results: list[Result]) -> None:
    honest = [each for each in results if not each.pair.fault]
    faulty = [each for each in results if each.pair.fault]
    of_exporter = Counter(each.pair.exporter for each in honest)
    for exporter, count in of_exporter.items():
        of_it = [each for each in honest if each.pair.exporter == exporter]
        print(f"  {exporter}: {share(sum(each.status in RAN for each in of_it), count)} run, {sum(each.right for each in of_it)} same")
    print(f"run without an option: {share(sum(each.status in RAN for each in honest), len(honest))}")
    print(f"honest pairs that are the same: {share(sum(each.right for each in honest), len(honest))}")
    print(f"faults, {len({each.pair.fault for each in faulty})} kinds, that are different: "
          f"{share(sum(each.right for each in faulty), len(faulty))}")
    print(f"whose op is named: {share(sum(each.named for each in faulty), len(faulty))}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    pairs = made(options.folder.resolve(), options.only)
    with ThreadPoolExecutor(options.jobs) as workers:
        results = list(workers.map(lambda pair: verify(options.program, pair), pairs))
    for title, part in (("looked at", False), ("held back", True)):
        chosen = [each for each in results if each.held == part]
        print(f"{title}: {len(chosen)} pairs")
        table(chosen)
    for each in results:
        if options.list and not each.held and not (each.right and (not each.pair.fault or each.named)):
            pair = each.pair
            print(f"{each.status} {pair.exporter}: {pair.name} {' '.join(pair.options)}\n    {' '.join(each.words.split())[:300]}")


if __name__ == "__main__":
    main()
