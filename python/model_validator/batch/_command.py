"""The command `model_validator hub`."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
import warnings
from collections.abc import Sequence
from typing import Any

from ..errors import ModelValidatorError, as_sentence, printable
from ._batches import LARGEST, Tally
from ._found import Found
from ._report import Comparison, HubReport, compare, report
from ._results import write_whole
from ._run import plan, run

OPTIONS = ("target", "profile", "opset", "preset", "select", "extend_select", "ignore", "config", "timeout", "max_memory", "max_cpu", "sandbox")
"""Those of `model_validator check` that apply to every model."""
SOURCES = "folders, patterns, lists (.txt, .csv, .parquet), URLs (s3://, hf://, https://, …)"
NUMBERS = {"opset": int, "timeout": float, "max_memory": int, "max_cpu": int}


def main(arguments: Sequence[str]) -> int:
    """Runs the command. Returns the exit status: 0, or 2 if it could not do what was asked for."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # so that what is temporary is removed
    try:
        if list(arguments[:1]) == ["report"]:
            return _report(_report_parser().parse_args(arguments[1:]))
        return _run(_parser().parse_args(arguments))
    except ModelValidatorError as error:
        _say(error)
        return 2
    except KeyboardInterrupt:
        print("interrupted: the same command goes on from here", file=sys.stderr)
        return 130


def _say(error: ModelValidatorError) -> None:
    """On one line, and what can be done about it on another: what a store says or a file is called controls no terminal."""
    print(f"error: {as_sentence(ModelValidatorError(error.kind, error.path, error.message))}", file=sys.stderr)
    if error.hint:
        print(f"  = help: {printable(error.hint)}", file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "model_validator hub",
        description="Lints everything that sources name, and keeps a row for each model. Run again, it does what is missing or has changed.",
        epilog="`model_validator hub report RESULTS` says what was found.",
    )
    parser.add_argument("sources", nargs="+", metavar="SOURCE", help=SOURCES)
    parser.add_argument("--out", required=True, metavar="RESULTS", help="the folder or URL of the results")
    parser.add_argument("--dry-run", action="store_true", help="print what would be linted")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")
    where = parser.add_argument_group("Where")
    where.add_argument("--engine", choices=("local", "ray"), default="local", help="processes of this machine (default), or Ray")
    where.add_argument("--address", metavar="ADDRESS", help="of a Ray cluster; without it, one on this machine")
    where.add_argument("-j", "--workers", type=_positive(int), metavar="N", help="how many models are linted at once (default: one a core)")
    where.add_argument("--batch", type=_positive(int), default=LARGEST, metavar="N", help=f"models in a part of the results, at most ({LARGEST})")
    reading = parser.add_argument_group("Reading")
    reading.add_argument("--column", metavar="NAME", help="of lists")
    reading.add_argument("--storage", type=_storage, default={}, metavar="JSON", help='options for file systems: \'{"s3": {"anon": true}}\'')
    reading.add_argument("--max-fetch", type=_positive(int), default=256, metavar="MB", help="of one remote model (default 256)")
    reading.add_argument("--rate-limit", type=_positive(float), metavar="N", help="requests a second to one host, of all workers")
    reading.add_argument("--attempts", type=_positive(int), default=6, metavar="N", help="of a request that is throttled or fails for the moment")
    checks = parser.add_argument_group("What is checked", "As for `model_validator check`, whose help explains them.")
    checks.add_argument("--rerun-rule", metavar="R,…", help="run these alone where the latest other run has a row of the model, which says the rest")
    for name in OPTIONS:
        checks.add_argument(f"--{name.replace('_', '-')}", type=NUMBERS.get(name, str), metavar=name.upper())
    return parser


def _report_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("model_validator hub report", description="Says what results hold, or what changed between two.")
    parser.add_argument("results", metavar="RESULTS")
    parser.add_argument("later", nargs="?", metavar="LATER", help="say what these say otherwise")
    parser.add_argument("--settings", metavar="KEY", help="of the run, where the folder has several (default: the latest); KEY,KEY to compare")
    parser.add_argument("--storage", type=_storage, default={}, metavar="JSON")
    parser.add_argument("--output-format", choices=("text", "html"), default="text", help="text (default), or a page that needs nothing else")
    parser.add_argument("--output-file", metavar="FILE", help="write it there, complete or not at all")
    return parser


def _positive(kind: type[int] | type[float]) -> Any:
    def convert(text: str) -> float:
        number = kind(text)
        if not number > 0:
            raise argparse.ArgumentTypeError(f"{text} is not above 0")
        return number

    convert.__name__ = "number"
    return convert


def _storage(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"not JSON: {error}") from error
    if not isinstance(found, dict):
        raise argparse.ArgumentTypeError('expected options by protocol: {"s3": {…}}')
    return found


def _options(given: argparse.Namespace) -> dict[str, Any]:
    found = {name: getattr(given, name) for name in OPTIONS if getattr(given, name) is not None}
    several = {"target", "profile", "select", "extend_select", "ignore"}
    return {name: value.split(",") if name in several else value for name, value in found.items()}


def _run(given: argparse.Namespace) -> int:
    options = _options(given)
    if given.dry_run:
        planned = plan(given.sources, given.out, column=given.column, storage=given.storage, rerun_rule=given.rerun_rule or (), **options)
        for file in planned.to_lint:
            print(printable(file.uri))
        size = sum(file.size or 0 for file in planned.to_lint)
        known = f", {size / 1e6:.1f} MB" if size else ""
        print(f"{len(planned.to_lint)} models would be linted{known}; {planned.done} are in the results already", file=sys.stderr)
        return _missing(planned.missing)
    warnings.filterwarnings("ignore", module=r"ray\.")  # about itself, in the middle of the progress
    shown = None if given.quiet else Progress()
    summary = run(
        given.sources,
        given.out,
        engine=given.engine,
        address=given.address,
        workers=given.workers,
        batch=given.batch,
        column=given.column,
        storage=given.storage,
        max_fetch=given.max_fetch << 20,
        rate_limit=given.rate_limit,
        attempts=given.attempts,
        rerun_rule=given.rerun_rule or (),
        progress=shown,
        **options,
    )
    if shown:
        shown.end()
    print(printable(str(summary)))
    return _missing(summary.missing)


def _missing(errors: Sequence[ModelValidatorError]) -> int:
    for error in errors:
        _say(error)
    return 2 if errors else 0


class Progress:
    """A line on standard error."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._shown = 0.0
        self._line = ""

    def __call__(self, tally: Tally, found: Found) -> None:
        """Shows how far the run is; on a terminal often, in a log now and then."""
        now = time.monotonic()
        if now - self._shown < (0.2 if sys.stderr.isatty() else 30):
            return
        self._shown = now
        rate = tally.models / (now - self._begun)
        line = f"{tally.models} models, {rate:.1f} a second, {tally.failures} could not be read"
        if found.total is not None:
            left = max(0, found.total - tally.models - tally.skipped)
            line += f", {left} left: {left / rate / 60:.1f} minutes" if rate else f", {left} left"
        print(f"\r{line:<{len(self._line)}}" if sys.stderr.isatty() else line, end="" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)
        self._line = line

    def end(self) -> None:
        """Removes the line."""
        if self._line and sys.stderr.isatty():
            print("\r" + " " * len(self._line) + "\r", end="", file=sys.stderr, flush=True)


def _report(given: argparse.Namespace) -> int:
    keys = given.settings.split(",") if given.settings else [None]
    if given.later is None:
        found: HubReport | Comparison = report(given.results, key=keys[0], storage=given.storage)
    else:
        found = compare(given.results, given.later, keys=(keys[0], keys[-1]), storage=given.storage)
    told = found.to_html() if given.output_format == "html" else f"{found}\n"
    if given.output_file:
        try:
            write_whole(given.output_file, told.encode())
        except OSError as error:
            raise ModelValidatorError("cannot-write", given.output_file, f"the report cannot be written: {error.strerror}") from error
    else:
        print(told, end="")
    return 0
