#!/usr/bin/env python3
"""What the first commands of a checkout cost, on a machine that has none of it: no caches of the compiler or of pip are used.

    tools/first_minutes.py FOLDER [GOAL…]      of a clone in FOLDER, `make demo` and then `make test`, or these goals
    tools/first_minutes.py --log build/dev/.ninja_log      where the time of a build went, by room
"""
import collections
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

PROJECT = Path(__file__).parents[1]


def measured(folder: Path, goal: str) -> str:
    """In a process of its own, whose children alone are counted."""
    environment = {**os.environ, "CCACHE_DISABLE": "1", "PIP_NO_CACHE_DIR": "1"}
    begun, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(["make", goal], cwd=folder, env=environment, check=False)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
    wall = time.monotonic() - begun
    return f"make {goal}: {wall / 60:.1f} minutes, {processor / 60:.1f} of processor time, status {done.returncode}"


def rooms(log: Path) -> list[tuple[str, int, float]]:
    """Each with how many objects, or links, and for how many seconds they were made: the last time that each was."""
    times = {output: int(end) - int(start) for start, end, _, output, _ in (line.split("\t") for line in log.read_text().splitlines()[1:])}
    seconds: dict[str, list[float]] = collections.defaultdict(list)
    for output, milliseconds in times.items():
        room = output.partition("/CMakeFiles")[0] if output.endswith(".o") else "links and others"
        seconds[room].append(milliseconds / 1000)
    return sorted(((room, len(each), sum(each)) for room, each in seconds.items()), key=lambda row: -row[2])


def main() -> None:
    if sys.argv[1] == "--log":
        for room, count, seconds in rooms(Path(sys.argv[2])):
            print(f"{seconds:8.1f} s  {count:4}  {room}")
        return
    folder = Path(sys.argv[1])
    subprocess.run(["git", "clone", "--quiet", PROJECT, folder], check=True)
    for line in [measured(folder, goal) for goal in sys.argv[2:] or ("demo", "test")]:
        print(line)


if __name__ == "__main__":
    main()
