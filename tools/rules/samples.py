"""Calls of single operators, taken out of the programs that tools/rules/families.py wrote and out of ordinary.py."""
from __future__ import annotations

import dataclasses
import pathlib

import ordinary
import torch
from families import Family, template

AT_MOST = 12        # calls of one operator


@dataclasses.dataclass
class Call:
    """A program of one operator, and what is known of its arguments."""
    operator: str
    module: torch.nn.Module
    inputs: tuple
    attributes: dict
    outputs: int

    def signature(self) -> str:
        return f"{[(t.dtype, t.dim(), t.numel() == 0) for t in self.inputs]} {self.attributes}"


def operator_name(target) -> str:
    """`aten::relu`, `aten::add.Tensor`: as the program spells it."""
    return target.name().removesuffix(".default")


def nodes_in(value) -> bool:
    return any(isinstance(item, torch.fx.Node) for item in (value if isinstance(value, (list, tuple)) else (value,)))


def made_up(value):
    """A tensor for every node: decomposition looks at no values."""
    if isinstance(value, torch.fx.Node):
        meta = value.meta["val"]
        return torch.ones(tuple(meta.shape), dtype=meta.dtype)
    if isinstance(value, (list, tuple)):
        return type(value)(made_up(v) for v in value)
    return value


def call_of(node) -> Call:
    tensors: list = []
    args = template(made_up(list(node.args)), tensors)
    kwargs = template({name: made_up(value) for name, value in node.kwargs.items()}, tensors)
    given = {**dict(zip((a.name for a in node.target._schema.arguments), node.args, strict=False)), **node.kwargs}
    return Call(operator_name(node.target), Family(node.target, args, kwargs), tuple(tensors),
                {name: value for name, value in given.items() if not nodes_in(value)},
                len(node.meta["val"]) if isinstance(node.meta["val"], (list, tuple)) else 1)


def calls_in(graph, wanted):
    for node in graph.nodes:
        if node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload) and wanted(operator_name(node.target)):
            try:
                yield call_of(node)
            except Exception:  # sizes that depend on values
                continue


def graphs(paths: list[pathlib.Path]):
    yield ordinary.program().graph
    for path in paths:
        try:
            yield torch.export.load(path).graph
        except Exception:  # no importer sees what torch cannot read itself
            continue


def calls(paths: list[pathlib.Path], wanted) -> list[Call]:
    """Different calls of every operator that `wanted(name)` asks for."""
    found: dict[str, dict[str, Call]] = {}
    for graph in graphs(paths):
        for call in calls_in(graph, wanted):
            known = found.setdefault(call.operator, {})
            if len(known) < AT_MOST:
                known.setdefault(call.signature(), call)
    return [call for known in found.values() for call in known.values()]
