#!/usr/bin/env python3
"""The operators that torch.export decomposes by default, before an importer of exported programs sees them, and into what.

usage: python tools/rules/decompose.py FAMILIES PARTS.json

Reads the programs of one operator that tools/rules/families.py wrote, and writes what each operator becomes. The scripts that
make profiles of such importers take PARTS.json as their argument.
"""
from __future__ import annotations

import json
import pathlib
import sys
import warnings

import torch


# Functions of Python that a program with symbolic sizes computes them with, and takes tuples apart with.
SIZE_ARITHMETIC = {f"_operator::{name}" for name in (
    "add", "and_", "eq", "floordiv", "ge", "getitem", "gt", "le", "lt", "mod", "mul", "ne", "neg", "not_", "or_", "pow",
    "sub", "truediv")}


# Checks without a result, which decomposition leaves out or which compute nothing.
CHECKS = {"aten::_assert_tensor_metadata", "aten::_assert_scalar"}


def schema_of(name: str) -> str:
    """`aten::relu.default` -> `aten::relu`: as the program spells the default overload."""
    return name.removesuffix(".default")


def composite() -> set[str]:
    """Operators that torch itself defines by others: run_decompositions takes them apart without a table."""
    return {n for n in torch._C._dispatch_get_all_op_names() if n.startswith("aten::")
            and torch._C._dispatch_has_kernel_for_dispatch_key(n, "CompositeImplicitAutograd")}


def decomposed() -> set[str]:
    table = {op.name() for op in torch.export.default_decompositions() if isinstance(op, torch._ops.OpOverload)}
    return {schema_of(name) for name in table | composite() | CHECKS}


def operators_of(program) -> set[str]:
    targets = {n.target for n in program.graph.nodes if n.op == "call_function"}
    return {schema_of(t.name()) for t in targets if isinstance(t, torch._ops.OpOverload)}


def parts_of(programs: list[pathlib.Path]) -> dict[str, list[str]]:
    """Operator -> the operators that stand for it in every program of it."""
    parts: dict[str, set[str]] = {}
    for path in programs:
        try:
            program = torch.export.load(path)
            before = operators_of(program)
            after = operators_of(program.run_decompositions())
        except Exception:  # noqa: BLE001: what torch does not decompose no importer sees
            continue
        if len(before) == 1 and before != after:
            operator = before.pop()
            parts[operator] = parts.get(operator, after) & after
    return {operator: sorted(found) for operator, found in sorted(parts.items()) if found}


def beyond(parts: dict[str, list[str]], table: set[str]) -> dict[str, list[str]]:
    """Of the decomposed operators those that are decomposed into something that a target lacks."""
    return {operator: found for operator, found in parts.items() if operator not in table and not set(found) <= table}


def given_parts() -> dict[str, list[str]]:
    """What the file holds that a script was given as its argument."""
    return json.loads(pathlib.Path(sys.argv[1]).read_text()) if len(sys.argv) > 1 else {}


def main() -> None:
    warnings.filterwarnings("ignore")
    torch.set_grad_enabled(False)
    parts = parts_of(sorted(pathlib.Path(sys.argv[1]).glob("*.pt2")))
    pathlib.Path(sys.argv[2]).write_text(json.dumps(parts, indent=1) + "\n")
    print(f"{len(parts)} operators are decomposed")


if __name__ == "__main__":
    main()
