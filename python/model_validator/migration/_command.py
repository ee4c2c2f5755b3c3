"""The command `model_validator migrate`."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence

from ..errors import ModelValidatorError, as_sentence, printable
from . import migrate


def main(arguments: Sequence[str]) -> int:
    """Runs the command. Returns the exit status: 0; 1 if the module is not the same or is not exported; 2 if there is none."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # so that what is temporary is removed
    given = _parser().parse_args(arguments)
    try:
        found = migrate(
            given.model, given.out, inputs=given.input, onnx=given.onnx, run=not given.no_run, sandbox=given.sandbox, timeout=given.timeout
        )
    except ModelValidatorError as error:
        print(f"error: {as_sentence(ModelValidatorError(error.kind, error.path, error.message))}", file=sys.stderr)
        if error.hint:
            print(f"  = help: {printable(error.hint)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    for line in found.report.splitlines():
        print(printable(line))
    return 0 if found.identical is None or (found.identical and found.exported and found.verified is not False) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "model_validator migrate",
        description="Writes the module of a TorchScript file as Python, exports it, and verifies the exported program.",
    )
    parser.add_argument("model", metavar="MODEL", help="a TorchScript file")
    parser.add_argument("--out", required=True, metavar="FOLDER", help="a folder that does not exist yet")
    parser.add_argument(
        "--input", action="append", default=[], metavar="SPEC", help="an input: x=2x3x224x224, ids=1x16:int64:0..99, n=3; once for each"
    )
    parser.add_argument("--onnx", action="store_true", help="write model.onnx as well")
    parser.add_argument("--no-run", action="store_true", help="write the module, and run nothing")
    parser.add_argument("--sandbox", choices=("auto", "require", "off"), default="auto", help="`require`: refuse to read or to run unconfined")
    parser.add_argument("--timeout", type=float, default=600, metavar="S", help="seconds that running the module may take (600)")
    return parser
