#!/usr/bin/env python3
"""Renews the transcripts of the end-to-end tests from what the program prints now; look at `git diff` afterwards.

    tools/approve.py [--build build/dev] [NAME…]
"""

import argparse
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT / "tests" / "end_to_end"))
import transcript  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=PROJECT / "build" / "dev")
    parser.add_argument("names", nargs="*", metavar="NAME")
    arguments = parser.parse_args()
    models = arguments.build / "tests" / "end_to_end" / "models"
    if not models.is_dir():
        sys.exit(f"{models} is not there: run the tests once, which generates the models")
    names = arguments.names or sorted(file.stem for file in transcript.APPROVED.glob("*.txt"))
    for name in names:
        file = transcript.APPROVED / f"{name}.txt"
        now = transcript.replay(file, arguments.build.resolve() / "bin", models)
        if transcript.differences(file, now):
            file.write_text(now, encoding="utf-8")
            print(f"renewed {file.relative_to(PROJECT)}")


if __name__ == "__main__":
    main()
