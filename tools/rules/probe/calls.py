"""What a linter sees of a call in an exported program: the facts that conditions are made of, as those of nodes in probe/facts.py."""
from __future__ import annotations

import pathlib
from collections.abc import Iterator
from typing import Any

import torch
from onnx import TensorProto
from samples import operator_name

from probe.facts import ABSENT, COMPUTED, CONSTANT, GIVEN, Facts

# Lists of numbers of which only one value is ordinary.
ORDINARY = {"dilation": 1, "stride": 1, "padding": 0, "output_padding": 0}
ONNX_NAMES = {"float32": "FLOAT", "float64": "DOUBLE"}
Call = tuple[str, Facts]


def dtype_number(dtype: torch.dtype) -> int:
    name = str(dtype).removeprefix("torch.")
    return int(TensorProto.DataType.Value(ONNX_NAMES.get(name, name.upper())))


def operator_of(node: torch.fx.Node) -> str | None:
    """None where it is no operator, but takes results apart."""
    return operator_name(node.target) if node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload) else None


def spelled(operator: str) -> str:
    """`aten.relu.default`, as torch writes the name of an overload."""
    space, _, name = operator.partition("::")
    return f"{space}.{name}" if "." in name else f"{space}.{name}.default"


def schema_of(operator: str) -> torch._C.FunctionSchema:
    space, _, name = operator.partition("::")
    packet, _, overload = name.partition(".")
    return getattr(getattr(getattr(torch.ops, space), packet), overload or "default")._schema


def default_of(operator: str, name: str) -> Any:
    found = next((a for a in schema_of(operator).arguments if a.name == name), None)
    return ABSENT if found is None or not found.has_default_value() else plain(found.default_value)


def plain(value: Any) -> Any:
    if value is None:
        return "None"
    if isinstance(value, float):
        return round(value, 6)
    return value if isinstance(value, bool | int | str) else GIVEN


def nodes_in(value: Any) -> list[torch.fx.Node]:
    items = value if isinstance(value, list | tuple) else [value]
    return [item for item in items if isinstance(item, torch.fx.Node)]


def of_argument(name: str, value: Any) -> Facts:
    facts: Facts = {("attribute", name): plain(value)}
    if isinstance(value, list | tuple) and name in ORDINARY and any(each != ORDINARY[name] for each in value):
        facts["others", name] = ORDINARY[name]
    return facts


def of_tensor(kind: str, at: int, value: Any) -> Facts:
    return {(f"{kind}dtype", at): dtype_number(value.dtype), (f"{kind}rank", at): value.dim()} if isinstance(value, torch.Tensor) else {}


def facts_of(node: torch.fx.Node, entries: set[str]) -> Facts:
    """`entries`: the inputs of the model; what else no node yields is stored."""
    facts: Facts = {}
    given = dict(zip((a.name for a in node.target._schema.arguments), node.args, strict=False)) | dict(node.kwargs)  # type: ignore[union-attr]
    tensors: list[torch.fx.Node] = []
    for formal in node.target._schema.arguments:  # type: ignore[union-attr]
        value = given.get(formal.name, formal.default_value)
        tensors += nodes_in(value)
        facts |= {("attribute", formal.name): GIVEN} if nodes_in(value) else of_argument(formal.name, value)
    for at, each in enumerate(tensors):
        facts["operand", at] = CONSTANT if each.op == "placeholder" and each.name not in entries else COMPUTED
        facts |= of_tensor("", at, each.meta.get("val"))
    results = node.meta.get("val")
    for at, value in enumerate(results if isinstance(results, list | tuple) else [results]):
        facts |= of_tensor("result ", at, value)
    return facts


def calls_in(program: Any) -> list[Call]:
    entries = set(program.graph_signature.user_inputs)
    return [(operator, facts_of(node, entries)) for node in program.graph.nodes if (operator := operator_of(node)) is not None]


def of_files(files: list[pathlib.Path]) -> Iterator[tuple[str, list[Call]]]:
    """The calls of each program that torch reads, and that has no dtype which nobody knows."""
    for file in files:
        try:
            yield file.name.removesuffix(".pt2"), calls_in(torch.export.load(file))
        except Exception:  # of many kinds
            continue
