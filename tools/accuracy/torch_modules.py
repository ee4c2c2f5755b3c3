#!/usr/bin/env python3
"""Run every command over torch's own modules, and print the outcomes by kind.

    torch_modules.py --tool build/dev/bin/model_validator [--samples 3] [--only NAME] [--commands check,verify-ts] [--verbose]

`torch.testing._internal.common_modules.module_db` holds every class of torch.nn with the arguments and inputs of torch's
own tests, for one loss 857 of them: `--samples` are taken of each class, spread evenly. Each is saved scripted and traced,
and read by check, graph, inspect, partition and verify. A model that is one torch module should have no findings:
what a check reports is listed rule by rule, to be looked at.

  crash            the program ended by a signal
  internal error   its exit status was 3
  refused          its exit status was 2: the file cannot be read or run, or the request cannot be met
  finding          a check reported something
  disagreement     a backend's results differ
"""

from __future__ import annotations

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import torch

COMMANDS = {
    "graph": ["graph", "--format", "json", "{model}"],
    "inspect": ["inspect", "--output-format", "json", "{model}"],
    "partition": ["partition", "--target", "openvino", "--output-format", "json", "{model}"],
    "verify-ts": ["verify", "{model}", "--backend", "ts", "--inputs", "{inputs}", "--output-format", "json"],
    "verify-openvino": ["verify", "{model}", "--backend", "openvino", "--inputs", "{inputs}", "--output-format", "json"],
}
SECONDS = 120


@dataclass
class Case:
    """One module with inputs, saved one way."""

    name: str
    model: pathlib.Path
    inputs: pathlib.Path | None  # none where `verify` cannot take these values from a file


@dataclass
class Outcome:
    kind: str  # `same` where there is nothing to report
    what: str = ""


def can_be_given(argument: Any) -> bool:
    """Whether `verify` takes it from a file: a tensor, or a list of numbers in place of one."""
    numbers = isinstance(argument, (list, tuple)) and all(isinstance(number, int) for number in argument)
    return numbers or isinstance(argument, torch.Tensor)


def plain(argument: Any) -> Any:
    return argument.detach() if isinstance(argument, torch.Tensor) else argument


def export(module: torch.nn.Module, arguments: tuple, kind: str, file: pathlib.Path) -> bool:
    """Whether the module can be exported this way at all."""
    try:
        with torch.no_grad():
            if kind == "scripted":
                torch.jit.script(module).save(str(file))
            else:
                torch.jit.trace(module, arguments, check_trace=False, strict=False).save(str(file))
        return True
    except Exception:  # whatever torch raises: a module that cannot be exported is not judged
        return False


def spread(samples: list, most: int) -> list[tuple[int, Any]]:
    """At most `most` of them with their numbers, evenly spaced from the first."""
    taken = min(most, len(samples))
    return [(place, samples[place]) for place in (index * len(samples) // taken for index in range(taken))]


def cases(only: str, most: int, folder: pathlib.Path, not_exported: collections.Counter) -> Iterator[Case]:
    # Imported here, since only this needs it.
    from torch.testing._internal.common_modules import module_db

    for info in module_db:
        if not re.search(only, info.name):
            continue
        torch.manual_seed(0)
        samples = info.module_inputs_func(info, device="cpu", dtype=torch.float32, requires_grad=False, training=False)
        callable_ones = [sample for sample in samples if sample.forward_input and not sample.forward_input.kwargs]
        for number, sample in spread(callable_ones, most):
            made, given = sample.constructor_input, sample.forward_input
            module = info.module_cls(*made.args, **made.kwargs).eval()
            inputs = None
            if all(can_be_given(argument) for argument in given.args):
                inputs = folder / f"{info.name}.{number}.inputs.pt"
                torch.save(tuple(plain(argument) for argument in given.args), inputs)
            for kind in ("scripted", "traced"):
                model = folder / f"{info.name}.{number}.{kind}.pt"
                if export(module, given.args, kind, model):
                    yield Case(f"{info.name} {number} {kind}", model, inputs)
                else:
                    not_exported[kind] += 1


def first_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[0] if lines else ""


def checked(model: dict) -> Outcome:
    """The outcome of `check` for one model of its report."""
    if model["error"]:
        return Outcome("refused", "error: " + model["error"]["message"])
    found = model["findings"]
    return Outcome("finding", f"{found[0]['rule']}: {found[0]['message']}") if found else Outcome("same")


def outcome_of(command: str, status: int, output: str, errors: str) -> Outcome:
    if status < 0 or status > 128:
        return Outcome("crash", f"signal {-status if status < 0 else status - 128}")
    if status == 3:
        return Outcome("internal error", first_line(errors) or first_line(output))
    if status == 2:
        return Outcome("refused", first_line(errors) or first_line(output))
    return Outcome("disagreement") if status == 1 else Outcome("same")


def check_all(tool: str, cases: list[Case]) -> list[Outcome]:
    """The outcomes of one run of `check` over all models."""
    words = [tool, "check", "--output-format", "json", "--isolated", *(str(case.model) for case in cases)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 2):
        return [outcome_of("check", done.returncode, done.stdout, done.stderr)] * len(cases)
    reports = {model["path"]: model for model in json.loads(done.stdout)["models"]}
    return [checked(reports[str(case.model)]) for case in cases]


def run(tool: str, command: str, case: Case) -> Outcome | None:
    if case.inputs is None and "{inputs}" in COMMANDS[command]:
        return None
    words = [word.format(model=case.model, inputs=case.inputs) for word in COMMANDS[command]]
    try:
        done = subprocess.run([tool, *words], capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return Outcome("crash", f"no end in {SECONDS} seconds")
    return outcome_of(command, done.returncode, done.stdout, done.stderr)


def print_table(counts: dict[str, collections.Counter], runs: collections.Counter) -> None:
    kinds = ["crash", "internal error", "refused", "finding", "disagreement"]
    print("| command | runs | " + " | ".join(kinds) + " |")
    print("|---|---|" + "---|" * len(kinds))
    for command, total in runs.items():
        print(f"| {command} | {total} | " + " | ".join(str(counts[command][kind]) for kind in kinds) + " |")


def print_reasons(reasons: dict[tuple[str, str, str], list[str]], verbose: bool) -> None:
    """Prints the messages, the most frequent first, with the models that they are about."""
    for (command, kind, what), names in sorted(reasons.items(), key=lambda entry: -len(entry[1])):
        shown = names if verbose else names[:3]
        more = f" and {len(names) - len(shown)} more" if len(names) > len(shown) else ""
        print(f"{len(names):5}  {command}, {kind}: {what}\n         {', '.join(shown)}{more}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default="model_validator", help="the program that is measured")
    parser.add_argument("--only", default="", help="only modules whose name matches this regular expression")
    parser.add_argument("--commands", default=",".join(["check", *COMMANDS]), help="only these")
    parser.add_argument("--samples", type=int, default=3, help="at most so many of each class")
    parser.add_argument("--jobs", type=int, default=2, help="how many commands run at a time")
    parser.add_argument("--verbose", action="store_true", help="name every model")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    counts: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
    runs: collections.Counter = collections.Counter()
    not_exported: collections.Counter = collections.Counter()
    reasons: dict[tuple[str, str, str], list[str]] = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        exported = list(cases(options.only, options.samples, pathlib.Path(folder), not_exported))
        commands = options.commands.split(",")
        asked = [(command, case) for case in exported for command in commands if command != "check"]
        outcomes = list(pool.map(lambda question: run(options.tool, *question), asked))
        if "check" in commands:
            asked = [("check", case) for case in exported] + asked
            outcomes = check_all(options.tool, exported) + outcomes
        for (command, case), outcome in zip(asked, outcomes, strict=True):
            if outcome is not None:
                runs[command] += 1
                counts[command][outcome.kind] += 1
                if outcome.kind != "same":
                    reasons[command, outcome.kind, outcome.what.replace(str(case.model), "MODEL")].append(case.name)
    print_table(counts, runs)
    print(f"not exported: {not_exported['scripted']} scripted, {not_exported['traced']} traced\n")
    print_reasons(reasons, options.verbose)
    bad = sum(counts[command][kind] for command in runs for kind in ("crash", "internal error"))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
