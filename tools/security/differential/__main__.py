#!/usr/bin/env python3
"""Look for files that model_validator and a runtime read as different programs.

    python tools/security/differential FORMAT [--minutes N] [--cases N] [--seed N] [--kept FOLDER] [FILE…]

FORMAT is `onnx`, `exported_program` or `torchscript`: the page of that name makes small real files, mutates and splices them (and FILEs), and
says what the runtimes see. `engine.py` compares that with what `inspect` sees. With `hub`, files of all formats are linted in ranges, and whole.
The Python that runs this needs the packages that load such files, and model_validator (from a build tree: MODEL_VALIDATOR_PREFIX and PYTHONPATH).
The exit status is 1 if anything was found; what was found is in FOLDER.
"""

import argparse
import importlib
import sys
import tempfile
from pathlib import Path

import engine


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("format", choices=["onnx", "exported_program", "torchscript", "hub"])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--cases", type=int, default=10**9)
    parser.add_argument("--one-field", type=int, metavar="N", help="instead: change one field N times; what a runtime sees must be told")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kept", type=Path, default=Path("differences"))
    given = parser.parse_intermixed_args()
    given.kept.mkdir(parents=True, exist_ok=True)
    if given.format == "hub":
        return int(importlib.import_module("hub_rows").compare(given.files, given.cases, given.minutes * 60, given.kept, given.seed))
    page = importlib.import_module(given.format + "_page")
    with tempfile.TemporaryDirectory() as scratch:
        seeds = [*page.seeds(Path(scratch)), *given.files]
        run = engine.Run(page, [file.read_bytes() for file in seeds], Path(scratch), given.kept, given.seed)
        if given.one_field:
            return run.change_fields(given.one_field)
        return run.go(given.minutes * 60, given.cases)


if __name__ == "__main__":
    sys.exit(main())
