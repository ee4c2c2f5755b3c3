#!/usr/bin/env python3
"""The operators that torch.export decomposes by default, before an importer of exported programs sees them, and into what.

usage: python tools/rules/decompose.py FAMILIES PARTS.json [--table onnx | --table executorch]

Reads the programs that tools/rules/families.py wrote, decomposes every call in them and in ordinary.py separately, and writes
what each operator becomes; with `--table onnx` and `--table executorch` only what the exporter or the XNNPACK
partitioner leaves of it. The scripts that make profiles of such importers take PARTS.json as their argument.
"""
from __future__ import annotations

import argparse
import itertools
import json
import pathlib
import sys
import warnings

import samples
import torch

TOGETHER = 24       # programs that are decomposed in one go

# Python functions with which a program computes symbolic sizes and unpacks tuples.
SIZE_ARITHMETIC = {f"_operator::{name}" for name in (
    "add", "and_", "eq", "floordiv", "ge", "getitem", "gt", "le", "lt", "mod", "mul", "ne", "neg", "not_", "or_", "pow",
    "sub", "truediv")}


# Taken where their weights are constant, which they never are in a single call.
WITH_WEIGHTS = {"aten::mm", "aten::addmm", "aten::convolution", "aten::_native_batch_norm_legit_no_training"}

# Checks without a result, which decomposition leaves out or which compute nothing.
CHECKS = {"aten::_assert_tensor_metadata", "aten::_assert_scalar"}


def schema_of(name: str) -> str:
    """`aten::relu.default` -> `aten::relu`: as the program spells the default overload."""
    return name.removesuffix(".default")


def composite() -> set[str]:
    """Operators that torch itself defines by others: run_decompositions decomposes them without a table."""
    return {n for n in torch._C._dispatch_get_all_op_names() if n.startswith("aten::")
            and torch._C._dispatch_has_kernel_for_dispatch_key(n, "CompositeImplicitAutograd")}


def onnx_table() -> dict:
    """What torch's exporter of exported programs decomposes with: all that torch can, except what its registry has."""
    from torch.onnx._internal.exporter import _decomp, _registration
    registered = _decomp.get_onnx_implemented_overloads(_registration.ONNXRegistry.from_torchlib())
    return _decomp.create_onnx_friendly_decomposition_table(set(registered))


TABLES = {"default": torch.export.default_decompositions, "onnx": onnx_table,
          "executorch": torch.export.default_decompositions}


def decomposed(table: str = "default") -> set[str]:
    """The operators that no importer sees that decomposes with a table."""
    names = {op.name() for op in TABLES[table]() if isinstance(op, torch._ops.OpOverload)}
    return {schema_of(name) for name in names | composite() | CHECKS}


class Together(torch.nn.Module):
    """Programs of one operator, to be decomposed together: each decomposition costs seconds."""

    def __init__(self, calls: list):
        super().__init__()
        self.parts = torch.nn.ModuleList(c.module for c in calls)

    def forward(self, inputs):
        return [part(*given) for part, given in zip(self.parts, inputs, strict=False)]


def ancestors(nodes) -> set:
    found, pending = set(), list(nodes)
    while pending:
        node = pending.pop()
        if node not in found:
            found.add(node)
            pending += node.all_input_nodes
    return found


def run_decompositions(exported):
    return exported.run_decompositions(dict(TABLES["default"]())), target_name


def target_name(node) -> str | None:
    return samples.operator_name(node.target) if isinstance(node.target, torch._ops.OpOverload) else None


def run_onnx_decompositions(exported):
    """What is left of a program is what the exporter has no function for."""
    from torch.onnx._internal.exporter import _dispatching, _registration
    registry = _registration.ONNXRegistry.from_torchlib()
    return exported.run_decompositions(onnx_table()), lambda node: (
        target_name(node) if _dispatching.dispatch(node, registry)[0] is None else None)


def lowering(table: str):
    """How to lower a program: what an importer sees of it, and a function node -> the operator of interest there, or nothing."""
    if table == "executorch":
        import edge_lowering
        return edge_lowering.lower
    return run_onnx_decompositions if table == "onnx" else run_decompositions


def decompose(calls: list, lower) -> list[tuple]:
    """(call, what became of it) for each call; those that torch fails to decompose are left out."""
    try:
        whole, part_of = lower(torch.export.export(Together(calls), ([c.inputs for c in calls],), strict=False))
    except Exception:  # one of them fails
        half = len(calls) // 2
        return decompose(calls[:half], lower) + decompose(calls[half:], lower) if half else []
    nodes = {n.name: n for n in whole.graph.nodes}
    outputs = iter(whole.graph_signature.user_outputs)
    found = []
    for call in calls:
        above = ancestors(nodes[o] for o in itertools.islice(outputs, call.outputs) if o in nodes)
        found.append((call, {part for n in above if n.op == "call_function" and (part := part_of(n))}))
    return found


def taken_apart(paths: list[pathlib.Path], table: str) -> list[tuple]:
    """(call, parts) for the calls of all operators that a table decomposes."""
    names, lower, found = decomposed(table), lowering(table), []
    calls = samples.calls(paths, names.__contains__)
    for start in range(0, len(calls), TOGETHER):
        found += decompose(calls[start:start + TOGETHER], lower)
        print(f"{min(start + TOGETHER, len(calls))} of {len(calls)} calls", flush=True)
    return found


def parts_of(found: list[tuple], table: str) -> dict[str, list[str]]:
    """Operator -> the operators that stand for it in every call of it. Where only what is left is known, and always something
    is, but not always the same, the operator itself."""
    after: dict[str, list[set[str]]] = {}
    for call, parts in found:
        after.setdefault(call.operator, []).append(parts if table == "default" else parts - WITH_WEIGHTS)
    common = {operator: set.intersection(*parts) or ({operator} if table != "default" and all(parts) else set())
              for operator, parts in sorted(after.items())}
    return {operator: sorted(parts) for operator, parts in common.items() if parts}


def staying(parts: dict[str, list[str]]) -> set[str]:
    """Operators that are not decomposed after all."""
    return {operator for operator, found in parts.items() if operator in found}


def missing_parts(parts: dict[str, list[str]], table: set[str]) -> dict[str, list[str]]:
    """What is left of the operators that are not in a target's table themselves."""
    return {operator: found for operator, found in parts.items() if operator not in table | staying(parts)}


def beyond(parts: dict[str, list[str]], table: set[str]) -> dict[str, list[str]]:
    """The parts of the decomposed operators that a target's table does not have."""
    lacking = {operator: sorted(set(found) - table - CHECKS) for operator, found in missing_parts(parts, table).items()}
    return {operator: found for operator, found in lacking.items() if found}


def given_parts() -> dict[str, list[str]]:
    """The contents of the file that a script was given as its argument."""
    return json.loads(pathlib.Path(sys.argv[1]).read_text()) if len(sys.argv) > 1 else {}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("families", type=pathlib.Path)
    parser.add_argument("parts", type=pathlib.Path)
    parser.add_argument("--table", choices=sorted(TABLES), default="default")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    torch.set_grad_enabled(False)
    parts = parts_of(taken_apart(sorted(options.families.glob("*.pt2")), options.table), options.table)
    options.parts.write_text(json.dumps(parts, indent=1) + "\n")
    print(f"{len(parts)} operators are decomposed")


if __name__ == "__main__":
    main()
