#!/usr/bin/env python3
"""Compares the operators that a target refuses in a model's TorchScript files with those that it refuses in its `.pt2`.

usage: python tools/rules/format_parity.py CORPUS… --tool PATH/model_validator [--target NAME]… [--with-inputs]

A folder CORPUS holds NAME.traced.pt, NAME.scripted.pt and NAME.pt2 of the same models, as holdout.py writes them, and for
`--with-inputs` NAME.inputs.pt or NAME.json next to them. Scripted files are compared for targets of exported programs alone: any
other target takes the scripted file itself. Prints a row for each target and kind of file, then every operator that is refused in one
format only, why, and in which models. The exit status is 1 if an operator of sizes is refused.
"""
from __future__ import annotations

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

OF_PROGRAMS = ("executorch-xnnpack", "onnx-export", "tensorrt", "tvm")
OF_TORCHSCRIPT = ("coreml", "onnx", "openvino")
ROWS = [(target, kind) for target in OF_PROGRAMS for kind in ("traced", "scripted")] + [(t, "traced") for t in OF_TORCHSCRIPT]

# What yields numbers and sizes, or a tensor of them.
OF_SIZES = re.compile(r"aten::(Int|Float|Bool|IntImplicit|FloatImplicit|ScalarImplicit|size|numel|dim|sym_\w+|_assert\w*)(\..*)?"
                      r"|aten::(add|sub|mul|div|floordiv|remainder|neg|eq|ne|lt|le|gt|ge)\.(int|float|bool)"
                      r"|prim::NumToTensor.*|_operator::\w+")

Verdicts = dict[str, list[dict]]  # target -> verdicts on operators


def input_options(file: pathlib.Path) -> list[str]:
    stem = file.parent / file.name.split(".")[0]
    if (saved := stem.with_suffix(".inputs.pt")).exists():
        return ["--inputs", str(saved)]
    if not (described := stem.with_suffix(".json")).exists():
        return []
    inputs = [re.fullmatch(r"(\w+)\[(.*)\]", str(each)) for each in json.loads(described.read_text())["inputs"]]
    if not all(inputs):
        return []   # a nested one
    return [part for dtype, shape in map(re.Match.groups, inputs) for part in ("--input", f"{shape.replace(', ', 'x') or 'scalar'}:{dtype}")]


def check(tool: pathlib.Path, targets: list[str], files: list[pathlib.Path], options: list[str]) -> dict[str, Verdicts]:
    """File -> verdicts; files that cannot be read are left out."""
    named = [part for target in targets for part in ("--target", target)]
    run = subprocess.run([tool, "check", *named, *options, "--select", "unsupported-ops", "--output-format", "json", "-q", *files],
                         capture_output=True, text=True, check=False)
    if not run.stdout:
        print(f"{files[0].name}: {run.stderr.strip()}", file=sys.stderr)
        return {}
    return {pathlib.Path(model["path"]).name: {each["target"]: each["operators"] for each in model["verdicts"]}
            for model in json.loads(run.stdout)["models"] if model["status"] != "error"}


def verdicts(tool: pathlib.Path, targets: list[str], files: list[pathlib.Path], with_inputs: bool) -> dict[str, Verdicts]:
    if not with_inputs:
        return check(tool, targets, files, [])
    found = check(tool, targets, [f for f in files if f.suffix == ".pt2"], [])
    for file in files:
        if file.suffix == ".pt":
            found |= check(tool, targets, [file], input_options(file))
    return found


def refused(operators: list[dict]) -> set[str]:
    return {each["operator"] for each in operators if each["verdict"] == "refused"}


def why(operator: str, other: list[dict]) -> str:
    """What the other file says of an operator that it does not refuse."""
    same = [each for each in other if each["operator"] == operator]
    if not same:
        return "not in the other file"
    conditions = sorted({c for each in same for c in each["conditions"]})
    return f"the other file does not decide: {'; '.join(conditions)}" if conditions else "taken in the other file"


class Row:
    """One kind of TorchScript file and the programs of the same models, for one target."""

    def __init__(self) -> None:
        self.models = self.same = 0
        self.of_sizes: set[str] = set()
        self.exceptions: dict[tuple[str, str, str], list[str]] = collections.defaultdict(list)

    def add(self, model: str, kind: str, script: list[dict], program: list[dict]) -> None:
        self.models += 1
        self.same += refused(script) == refused(program)
        self.of_sizes |= {each for each in refused(script) | refused(program) if OF_SIZES.fullmatch(each)}
        for where, here, other in ((kind, script, program), ("`.pt2`", program, script)):
            for operator in refused(here) - refused(other):
                self.exceptions[where, operator, why(operator, other)].append(model)


def compare(found: dict[str, Verdicts], target: str, kind: str) -> Row:
    row = Row()
    for file, of_file in sorted(found.items()):
        model, _, rest = file.partition(f".{kind}.")
        if rest and (program := found.get(f"{model}.pt2")):
            row.add(model, kind, of_file[target], program[target])
    return row


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=pathlib.Path, nargs="+")
    parser.add_argument("--tool", type=pathlib.Path, required=True)
    parser.add_argument("--target", action="append", choices=sorted(OF_PROGRAMS + OF_TORCHSCRIPT))
    parser.add_argument("--with-inputs", action="store_true", help="judge TorchScript files with the inputs next to them")
    options = parser.parse_args()
    targets = options.target or [*OF_PROGRAMS, *OF_TORCHSCRIPT]
    files = sorted(f for folder in options.corpus for f in folder.iterdir()
                   if f.name.endswith((".traced.pt", ".scripted.pt", ".pt2")))
    found = verdicts(options.tool, targets, files, options.with_inputs)
    rows = {(target, kind): compare(found, target, kind) for target, kind in ROWS if target in targets}
    print("| target | file | models | same operators refused | operators of sizes refused |\n|---|---|---|---|---|")
    for (target, kind), row in rows.items():
        print(f"| `{target}` | {kind} | {row.models} | {row.same} | {', '.join(sorted(row.of_sizes)) or 'none'} |")
    print("\n| target | refused in | operator | why | models |\n|---|---|---|---|---|")
    for (target, kind), row in rows.items():
        for (where, operator, reason), models in sorted(row.exceptions.items()):
            print(f"| `{target}`, {kind} | {where} | `{operator}` | {reason} | {', '.join(models)} |")
    return int(any(row.of_sizes for row in rows.values()))


if __name__ == "__main__":
    sys.exit(main())
