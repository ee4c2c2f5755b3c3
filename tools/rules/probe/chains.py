"""Questions of operators that no node alone asks about: of sequences and optionals, which a model makes and reads, and of what is drawn at random."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

Made = tuple[str, ModelProto, dict[str, Any]]
OPSET = 18
PREFIX = "chain."
NUMBERS = (numpy.float32, numpy.float16)
SHAPES = ((2, 3), (1, 4, 3), (1, 2, 4, 4))
CONSTANTS: dict[str, Any] = {
    "first": numpy.array(0, numpy.int64),
    "second": numpy.array(1, numpy.int64),
    "boxes": numpy.array([[0, 0, 0, 2, 2]], numpy.float32),
}


def node(operator: str, *operands: str, result: str = "y", **attributes: Any) -> NodeProto:
    return helper.make_node(operator, operands, [result], **attributes)


def pair() -> NodeProto:
    return node("SequenceConstruct", "x", "z", result="s")


def joined(sequence: str, **attributes: Any) -> NodeProto:
    return node("ConcatFromSequence", sequence, axis=0, **attributes)


def drawn(operator: str, shape: tuple[int, ...]) -> list[NodeProto]:
    return [node(operator, result="r", shape=shape), node("Add", "x", "r")]


def chains(shape: tuple[int, ...]) -> Iterator[tuple[str, list[NodeProto], int | None]]:
    """What it is about, its nodes, and the dtype of the result where that is not the input's."""
    yield "at", [pair(), node("SequenceAt", "s", "second")], None
    yield "length", [pair(), node("SequenceLength", "s")], TensorProto.INT64
    yield "joined", [pair(), joined("s")], None
    yield "stacked", [pair(), joined("s", new_axis=1)], None
    yield "inserted", [pair(), node("SequenceInsert", "s", "x", "first", result="t"), joined("t")], None
    yield "erased", [pair(), node("SequenceErase", "s", "first", result="t"), joined("t")], None
    yield "filled", [node("SequenceEmpty", result="s"), node("SequenceInsert", "s", "x", result="t"), node("SequenceAt", "t", "first")], None
    yield "split", [node("SplitToSequence", "x", axis=0, result="s"), node("SequenceAt", "s", "first")], None
    yield "optional", [node("Optional", "x", result="o"), node("OptionalGetElement", "o")], None
    yield "held", [node("Optional", "x", result="o"), node("OptionalHasElement", "o")], TensorProto.BOOL
    yield "normal", drawn("RandomNormal", shape), None
    yield "uniform", drawn("RandomUniform", shape), None
    if len(shape) == 2:
        for count in (1, 4):
            yield f"multinomial of {count}", [node("Multinomial", "x", sample_size=count)], TensorProto.INT32
    if len(shape) == 4:
        yield "regions", [node("MaxRoiPool", "x", "boxes", pooled_shape=[2, 2])], None


def model(nodes: list[NodeProto], kind: Any, shape: tuple[int, ...], dtype: int) -> tuple[ModelProto, dict[str, Any]]:
    read = {name for each in nodes for name in each.input}
    number = helper.np_dtype_to_tensor_dtype(numpy.dtype(kind))
    inputs = {name: numpy.random.default_rng(len(name)).normal(0, 1, shape).astype(kind) for name in ("x", "z") if name in read}
    stored = [numpy_helper.from_array(value.astype(kind) if name == "boxes" else value, name) for name, value in CONSTANTS.items() if name in read]
    graph = helper.make_graph(
        nodes,
        "chain",
        [helper.make_tensor_value_info(name, number, shape) for name in inputs],
        [helper.make_tensor_value_info("y", dtype or number, None)],
        stored,
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10), inputs


def models() -> Iterator[Made]:
    for kind, shape in itertools.product(NUMBERS, SHAPES):
        for what, nodes, dtype in chains(shape):
            yield f"{PREFIX}{what} {numpy.dtype(kind).name} {'x'.join(map(str, shape))}", *model(nodes, kind, shape, dtype or 0)
