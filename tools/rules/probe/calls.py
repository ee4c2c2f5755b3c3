"""What a linter sees of a call in an exported program: the facts that conditions are made of, as those of nodes in probe/facts.py."""
from __future__ import annotations

import pathlib
from collections.abc import Iterator
from typing import Any

import torch
from onnx import TensorProto
from samples import operator_name

from probe.facts import ABSENT, COMPUTED, CONSTANT, ENTRY, GIVEN, Facts

# Lists of numbers of which only one value is ordinary.
ORDINARY = {"dilation": 1, "stride": 1, "padding": 0, "output_padding": 0, "output_size": 1}
AXES = {"dim", "axis", "dims"}
ONNX_NAMES = {"float32": "FLOAT", "float64": "DOUBLE"}
Call = tuple[str, Facts]


def dtype_number(dtype: torch.dtype) -> int:
    name = str(dtype).removeprefix("torch.")
    return int(TensorProto.DataType.Value(ONNX_NAMES.get(name, name.upper())))


def operator_of(node: torch.fx.Node) -> str | None:
    """None where it is no operator, but takes results apart, or asserts what they are."""
    if node.op != "call_function" or not isinstance(node.target, torch._ops.OpOverload):
        return None
    name = operator_name(node.target)
    return None if name.startswith("aten::_assert") else name


def spelled(operator: str) -> str:
    """`aten.relu.default`, as torch writes the name of an overload."""
    space, _, name = operator.partition("::")
    return f"{space}.{name}" if "." in name else f"{space}.{name}.default"


def overload_of(operator: str) -> Any:
    """None where this torch does not have it."""
    space, _, name = operator.partition("::")
    packet, _, overload = name.partition(".")
    return getattr(getattr(getattr(torch.ops, space), packet, None), overload or "default", None)


def schema_of(operator: str) -> torch._C.FunctionSchema:
    return overload_of(operator)._schema


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
    if isinstance(value, list | tuple) and any(isinstance(each, int) and each < 0 for each in value) and name not in AXES:
        facts["below", name] = 0
    return facts


def axes_in(value: Any) -> list[int]:
    """Of an argument: an axis, or several."""
    items = value if isinstance(value, list | tuple) else [value]
    return [each for each in items if isinstance(each, int) and not isinstance(each, bool)]


def of_axes(name: str, value: Any, results: list[Any]) -> Facts:
    """Whether one of the axes that an argument names is not the last one of the result."""
    axes = axes_in(value) if name in AXES else []
    if not axes or not results or not isinstance(results[0], torch.Tensor):
        return {}
    return {("before last", name): any((axis if axis < 0 else axis - results[0].dim()) != -1 for axis in axes)}


def sizes_of(value: Any) -> list[int] | None:
    """None where one of them is open."""
    sizes = list(value.shape) if isinstance(value, torch.Tensor) else []
    return sizes if isinstance(value, torch.Tensor) and all(isinstance(size, int) for size in sizes) else None


def of_pair(one: tuple[str, int], sizes: list[int] | None, at: int, others: list[int] | None) -> Facts:
    """What relates the sizes of an operand or a result to those of an operand with as many axes."""
    if not sizes or not others or len(sizes) != len(others):
        return {}
    kind, number = one
    found: Facts = {(f"{kind}unlike", number, at): sizes != others}
    if kind:
        found["smaller", number, at] = any(a < b for a, b in zip(sizes, others, strict=True))
        found["uneven", number, at] = any(a and b and b % a and a % b for a, b in zip(sizes, others, strict=True))
    return found


def of_sizes(tensors: list[Any], results: list[Any]) -> Facts:
    given = [sizes_of(each) for each in tensors[:2]]
    facts: Facts = of_pair(("", 0), given[0], 1, given[1]) if len(given) > 1 else {}
    if given and results:
        facts |= of_pair(("result ", 0), sizes_of(results[0]), 0, given[0])
    ranks = {each.dim() for each in tensors if isinstance(each, torch.Tensor)}
    return facts | ({("mixed", "ranks"): len(ranks) > 1} if len(tensors) > 1 else {})


def of_tensor(kind: str, at: int, value: Any) -> Facts:
    return {(f"{kind}dtype", at): dtype_number(value.dtype), (f"{kind}rank", at): value.dim()} if isinstance(value, torch.Tensor) else {}


def of_lengths(at: int, value: Any) -> Facts:
    """The sizes of an operand, whether one of them is 0, and along which axes there is more than one."""
    sizes = sizes_of(value)
    if sizes is None:
        return {}
    facts: Facts = {("shape", at): tuple(sizes), ("empty", at): 0 in sizes}
    return facts | {("longer", at, axis, len(sizes), "", 1): size > 1 for axis, size in enumerate(sizes)}


def of_operands(tensors: list[torch.fx.Node], entries: set[str]) -> Facts:
    facts: Facts = {}
    for at, each in enumerate(tensors):
        facts["operand", at] = CONSTANT if each.op == "placeholder" and each.name not in entries else COMPUTED
        facts["origin", at] = ENTRY if each.name in entries else facts["operand", at]
        facts |= of_tensor("", at, each.meta.get("val")) | of_lengths(at, each.meta.get("val"))
    return facts


def facts_of(node: torch.fx.Node, entries: set[str]) -> Facts:
    """`entries`: the inputs of the model; what else no node yields is stored."""
    facts: Facts = {}
    given = dict(zip((a.name for a in node.target._schema.arguments), node.args, strict=False)) | dict(node.kwargs)  # type: ignore[union-attr]
    tensors: list[torch.fx.Node] = []
    for formal in node.target._schema.arguments:  # type: ignore[union-attr]
        value = given.get(formal.name, formal.default_value)
        tensors += nodes_in(value)
        facts |= {("attribute", formal.name): GIVEN} if nodes_in(value) else of_argument(formal.name, value)
    facts |= of_operands(tensors, entries)
    found = node.meta.get("val")
    results = list(found) if isinstance(found, list | tuple) else [found]
    for at, value in enumerate(results):
        facts |= of_tensor("result ", at, value)
    for formal in node.target._schema.arguments:  # type: ignore[union-attr]
        facts |= of_axes(formal.name, given.get(formal.name, formal.default_value), results)
    return facts | of_sizes([each.meta.get("val") for each in tensors], results)


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
