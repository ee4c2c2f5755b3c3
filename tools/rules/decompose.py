#!/usr/bin/env python3
"""The operators that torch.export decomposes by default, before an importer of exported programs sees them, and into what.

usage: python tools/rules/decompose.py FAMILIES PARTS.json [--table onnx]

Reads the programs of one operator that tools/rules/families.py wrote, and writes what each operator becomes. The scripts that
make profiles of such importers take PARTS.json as their argument.
"""
from __future__ import annotations

import argparse
import dataclasses
import itertools
import json
import pathlib
import sys
import warnings

import torch

TOGETHER = 24       # programs that are decomposed in one go

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


def onnx_table() -> dict:
    """What torch's exporter of exported programs decomposes with: all that torch can, but what its registry has."""
    from torch.onnx._internal.exporter import _decomp, _registration
    registered = _decomp.get_onnx_implemented_overloads(_registration.ONNXRegistry.from_torchlib())
    return _decomp.create_onnx_friendly_decomposition_table(set(registered))


TABLES = {"default": torch.export.default_decompositions, "onnx": onnx_table}


def decomposed(table: str = "default") -> set[str]:
    """What no importer sees that decomposes with a table."""
    names = {op.name() for op in TABLES[table]() if isinstance(op, torch._ops.OpOverload)}
    return {schema_of(name) for name in names | composite() | CHECKS}


def operators_of(nodes) -> set[str]:
    targets = {n.target for n in nodes if n.op == "call_function"}
    return {schema_of(t.name()) for t in targets if isinstance(t, torch._ops.OpOverload)}


@dataclasses.dataclass
class Program:
    """A program of one operator, to be decomposed together with others: each decomposition costs seconds of its own."""
    operator: str
    module: torch.nn.Module
    inputs: tuple
    outputs: int


class Together(torch.nn.Module):
    def __init__(self, programs: list[Program]):
        super().__init__()
        self.parts = torch.nn.ModuleList(p.module for p in programs)

    def forward(self, inputs):
        return [part(*given) for part, given in zip(self.parts, inputs)]


def read(path: pathlib.Path) -> Program | None:
    """Nothing where the file holds no program of one operator."""
    try:
        exported = torch.export.load(path)
        inputs = torch.load(path.parent / f"{path.stem}.inputs.pt", weights_only=True)
    except Exception:  # noqa: BLE001: what torch does not read itself no importer sees
        return None
    found = operators_of(exported.graph.nodes)
    return Program(found.pop(), exported.module(check_guards=False), tuple(inputs),
                   len(exported.graph_signature.user_outputs)) if len(found) == 1 else None


def ancestors(nodes) -> set:
    found, pending = set(), list(nodes)
    while pending:
        node = pending.pop()
        if node not in found:
            found.add(node)
            pending += node.all_input_nodes
    return found


def decompose(programs: list[Program], table) -> list[tuple[str, set[str]]]:
    """(operator, what became of it) for each program; those that torch fails to decompose are left out."""
    try:
        inputs = ([p.inputs for p in programs],)
        whole = torch.export.export(Together(programs), inputs, strict=False).run_decompositions(dict(table))
    except Exception:  # noqa: BLE001: one of them fails
        half = len(programs) // 2
        return decompose(programs[:half], table) + decompose(programs[half:], table) if half else []
    nodes = {n.name: n for n in whole.graph.nodes}
    outputs = iter(whole.graph_signature.user_outputs)
    return [(p.operator, operators_of(ancestors(nodes[o] for o in itertools.islice(outputs, p.outputs) if o in nodes)))
            for p in programs]


def parts_of(paths: list[pathlib.Path], table: str) -> dict[str, list[str]]:
    """Operator -> the operators that stand for it in every program of it."""
    parts: dict[str, set[str]] = {}
    decompositions = TABLES[table]()
    for start in range(0, len(paths), TOGETHER):
        programs = [p for path in paths[start:start + TOGETHER] if (p := read(path))]
        for operator, after in decompose(programs, decompositions) if programs else []:
            parts[operator] = parts.get(operator, after) & after
        print(f"{min(start + TOGETHER, len(paths))} of {len(paths)} programs", flush=True)
    return {operator: sorted(found) for operator, found in sorted(parts.items()) if found and found != {operator}}


def beyond(parts: dict[str, list[str]], table: set[str]) -> dict[str, list[str]]:
    """Of the decomposed operators those that are decomposed into something that a target lacks."""
    table = table | CHECKS
    return {operator: found for operator, found in parts.items() if operator not in table and not set(found) <= table}


def given_parts() -> dict[str, list[str]]:
    """What the file holds that a script was given as its argument."""
    return json.loads(pathlib.Path(sys.argv[1]).read_text()) if len(sys.argv) > 1 else {}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("families", type=pathlib.Path)
    parser.add_argument("parts", type=pathlib.Path)
    parser.add_argument("--table", choices=sorted(TABLES), default="default")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    torch.set_grad_enabled(False)
    parts = parts_of(sorted(options.families.glob("*.pt2")), options.table)
    options.parts.write_text(json.dumps(parts, indent=1) + "\n")
    print(f"{len(parts)} operators are decomposed")


if __name__ == "__main__":
    main()
