"""Edges of what is spelled otherwise, of results that are left out, and of operators that once did not broadcast."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy
from onnx import numpy_helper

from probe.edges import Edge, asked, floats
from probe.forms import node

OPENVINO, TENSORRT, ONNXRUNTIME = "openvino-onnx", "tensorrt-rtx", "onnxruntime"


def of_spellings() -> Iterator[Edge]:
    seen, taken = (
        [asked(node("Gelu", ["x"], ["y"], approximate=word), {"x": floats(3)}, opset=20) for word in words]
        for words in (["Tanh", "erf"], ["tanh", "none"])
    )
    yield Edge(
        TENSORRT,
        "refused",
        ["Gelu"],
        [{"attribute": "approximate", "is_not": ["none", "tanh"]}],
        "Invalid value provided for the Gelu 'approximate' attribute",
        seen,
        taken,
    )


def of_constants_of_bytes() -> Iterator[Edge]:
    def filled(dtype: Any) -> Any:
        made = node("ConstantOfShape", ["s"], ["c"], value=numpy_helper.from_array(numpy.ones(1, dtype)))
        return asked([made, node("Cast", ["c"], ["k"], to=1), node("Add", ["x", "k"], ["y"])], {"x": floats(2)}, {"s": numpy.array([2])}, 13)

    taken = [filled(dtype) for dtype in (numpy.int32, numpy.int64, numpy.float32, numpy.float16, numpy.bool_)]
    for name, reason in (("int8", "Quantized constant is only allowed before DQ"), ("uint8", "Invalid input type for ConstantOfShape")):
        yield Edge(TENSORRT, "refused", ["ConstantOfShape"], [{"output": 0, "dtypes": [name]}], reason, [filled(numpy.dtype(name))], taken)


def of_trained_norms() -> Iterator[Edge]:
    def norm(count: int) -> Any:
        lists = {name: floats(3) for name in "sbmv"}
        return asked(node("BatchNormalization", ["x", *lists], ["y", "n", "w", "p", "q"][:count]), {"x": floats(2, 3, 4)}, lists, 9)

    many = norm(5)
    del many.model.graph.output[:-1]
    many.model.graph.output[0].name = "y"
    when = [{"output": 1, "given": True}, {"below_opset": 14}]
    yield Edge(
        TENSORRT,
        "refused",
        ["BatchNormalization"],
        when,
        "This version of TensorRT doesn't support more than 1 output for BatchNormalization nodes",
        [many],
        [norm(1)],
    )


def of_local_norms() -> Iterator[Edge]:
    made = {rank: asked(node("LRN", ["x"], ["y"], size=3), {"x": floats(*(2, 5, 3, 3, 2)[:rank])}, opset=13) for rank in (2, 3, 4, 5)}
    usual = [made.pop(4)]
    yield Edge(
        ONNXRUNTIME, "fails", ["LRN"], [{"input": 0, "ranks": [2, 3, 5]}], "X_shape.NumDimensions() == 4 was false.", list(made.values()), usual
    )


def of_sums_before_they_broadcast() -> Iterator[Edge]:
    def of(operator: str, other: tuple[int, ...], opset: int) -> Any:
        return asked(node(operator, ["x", "b"], ["y"]), {"x": floats(2, 3)}, {"b": floats(*other)}, opset)

    names = ["Sum", "Max", "Min", "Mean"]
    for target, outcome, reason, kinds in (
        (ONNXRUNTIME, "fails", "All inputs must have the same shape", names),
        (OPENVINO, "refused", "Argument shapes are inconsistent", names[:3]),
    ):
        seen = [of(each, (3,), opset) for each in kinds for opset in (6, 7)]
        taken = [of(each, (2, 3), 7) for each in kinds] + [of(each, (3,), 8) for each in kinds]
        yield Edge(target, outcome, kinds, [{"below_opset": 8}, {"mixed": "ranks"}], reason, seen, taken)


def of_windows_of_another_length() -> Iterator[Edge]:
    def frames(*length: int) -> Any:
        names = ["x", "k", "w", "n"][: 3 + len(length)]
        stores: dict[str, Any] = {"k": numpy.array(4), "w": numpy.ones(8, numpy.float32)} | ({"n": numpy.array(8)} if length else {})
        return asked(node("STFT", names, ["y"]), {"x": floats(1, 16, 1)}, stores, 17)

    when = [{"input": 2, "given": True}, {"input": 3, "absent": True}]
    yield Edge(OPENVINO, "refused", ["STFT"], when, "The length of window input must be equal to frame_length.", [frames()], [frames(8)])


def of_zero_points_in_the_middle() -> Iterator[Edge]:
    def counted(*zeros: str) -> Any:
        stores: dict[str, Any] = {"w": numpy.ones((1, 1, 2, 2), numpy.int8)}
        stores |= {name: numpy.array(1, {"a": numpy.uint8, "b": numpy.int8}[name]) for name in zeros if name}
        return asked(node("ConvInteger", ["x", "w", *zeros], ["y"]), {"x": numpy.ones((1, 1, 4, 4), numpy.uint8)}, stores, 10)

    when = [{"input": 2, "absent": True}, {"input": 3, "given": True}]
    reason = "CPU plug-in doesn't support NullNode operation with dynamic rank"
    yield Edge(OPENVINO, "refused", ["ConvInteger"], when, reason, [counted("", "b")], [counted("a", "b"), counted("a"), counted()])


def of_nothing_stored() -> Iterator[Edge]:
    """A stored tensor of no elements is taken for a scalar."""

    def of(operator: str, count: int, width: int = 2, **attributes: Any) -> Any:
        stores: dict[str, Any] = {"i": numpy.zeros((count, width), numpy.int64)}
        if operator.startswith("Scatter"):
            stores["u"] = numpy.zeros((count, 2), numpy.float32)
        return asked(node(operator, ["x", *stores], ["y"], **attributes), {"x": floats(3, 2)}, stores, 13)

    def product(operator: str, count: int, **attributes: Any) -> Any:
        return asked(node(operator, ["x", "w"], ["y"], **attributes), {"x": floats(2, 4)}, {"w": floats(4, count)}, 13)

    def picked(count: int) -> Any:
        return asked(node("Compress", ["x", "c"], ["y"], axis=0), {"x": floats(3, 2)}, {"c": numpy.ones(count, numpy.bool_)}, 13)

    for name, reason, made in (
        ("GatherElements", "indices rank must be >= 1", lambda count: of("GatherElements", count, axis=0)),
        ("ScatterElements", "Indices rank and data rank are required to be equal", lambda count: of("ScatterElements", count, axis=0)),
        ("ScatterND", "Indices rank and inputs_rank are expected to be at least 1", lambda count: of("ScatterND", count, 1)),
        ("MatMul", "Scalars are not supported as MatMul inputs", lambda count: product("MatMul", count)),
        ("Einsum", "Input rank must be greater or equal to a number of labels", lambda count: product("Einsum", count, equation="ij,jk->ik")),
        ("Compress", "the runtime ends its process", picked),
    ):
        yield Edge(OPENVINO, "refused", [name], [{"input": 1, "empty": True, "constant": True}], reason, [made(0)], [made(1)])


MAKERS = (
    of_zero_points_in_the_middle,
    of_nothing_stored,
    of_spellings,
    of_constants_of_bytes,
    of_trained_norms,
    of_local_norms,
    of_sums_before_they_broadcast,
    of_windows_of_another_length,
)
