#!/usr/bin/env python3
"""Makes tools/rules/core_aten.json: into which operators torch.export decomposes each operator, by default.

Observed on torch's own samples of its operators. Profiles of targets that judge decomposed programs are made from it.

usage: python tools/rules/decompose.py      with a Python that has torch and expecttest
"""
from __future__ import annotations

import json
import pathlib
import warnings
from collections import defaultdict

import torch

import families

FILE = pathlib.Path(__file__).with_name("core_aten.json")

def schema_of(name: str) -> str:
    """`aten::relu.default` -> `aten::relu`: as the program spells the default overload."""
    return name.removesuffix(".default")


def operators_of(program) -> set[str]:
    return {schema_of(str(node.target.name())) for node in program.graph.nodes
            if node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload)}


def before_and_after(module, inputs) -> tuple[set[str], set[str]]:
    program = torch.export.export(module, inputs, strict=False)
    return operators_of(program), operators_of(program.run_decompositions())


def observed() -> dict[str, list[str]]:
    """Operator -> the operators that take its place, for samples that exercise one operator alone."""
    parts: dict[str, set[str]] = defaultdict(set)
    kept: set[str] = set()
    for _, module, inputs in families.models(samples=1):
        pairs: list = []
        families.attempt(lambda: pairs.append(before_and_after(module, inputs)))
        for before, after in pairs:
            kept |= before & after
            if len(gone := before - after) == 1:
                parts[gone.pop()] |= after
    return {name: sorted(into) for name, into in sorted(parts.items()) if name not in kept}


def table() -> dict[str, list[str]]:
    return json.loads(FILE.read_text())["decomposed"]


def main() -> None:
    warnings.filterwarnings("ignore")
    torch.set_grad_enabled(False)
    found = observed()
    FILE.write_text(json.dumps({"torch": torch.__version__.split("+")[0], "decomposed": found}, indent=1) + "\n")
    print(f"{len(found)} operators")


if __name__ == "__main__":
    main()
