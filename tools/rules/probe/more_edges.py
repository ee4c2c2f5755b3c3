"""Further edges, with models in ONNX's own words: what is absent, lists where one number is wanted, dtypes, and opsets."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import ml_dtypes
import numpy
from onnx import TensorProto, helper

from probe import chain_edges, drawn_edges, edges, value_edges
from probe.edges import FREE, Asked, Edge, asked, floats, with_free_size
from probe.forms import F, model, node, stored, value

OPENVINO, TENSORRT, ONNXRUNTIME = "openvino-onnx", "tensorrt-rtx", "onnxruntime"
ABSENT_AXES = {"attribute": "axes", "or_absent": True}
Arrays = dict[str, Any]


def is_long(number: int) -> dict[str, Any]:
    """An operand that is a list of several."""
    return {"input": number, "ranks": [1], "length": {"axis": 0, "at_least": 2}}


def of_default_axes() -> Iterator[Edge]:
    norm = node("MeanVarianceNormalization", ["x"], ["y"])
    chosen = node("MeanVarianceNormalization", ["x"], ["y"], axes=[0, 1])
    made = {rank: asked(norm, {"x": floats(*(2, 3, 4, 5)[:rank])}, opset=13) for rank in (1, 2, 3, 4)}
    taken = [made.pop(4), asked(chosen, {"x": floats(2, 3, 4)}, opset=13)]
    when = [ABSENT_AXES, {"input": 0, "ranks": [1, 2, 3]}]
    for target, reason in ((OPENVINO, "Parameter axis 3 out of tensor range"), (TENSORRT, "Axis must be in the range [0, nbDims]")):
        yield Edge(target, "refused", ["MeanVarianceNormalization"], when, reason, list(made.values()), taken)


def of_signals() -> Iterator[Edge]:
    frames = node("STFT", ["x", "k", "w", "n"], ["y"])
    stores = {"k": numpy.array(4), "w": numpy.ones(8, numpy.float32), "n": numpy.array(8)}
    signal = asked(frames, {"x": floats(2, 16, 1)}, stores, 17)
    reason = "Shape of signal input must be static with the rank equal to 3"
    yield Edge(OPENVINO, "refused", ["STFT"], [FREE], reason, [with_free_size(signal, axis) for axis in (0, 1)], [signal])


def multiplied(lists: dict[str, int]) -> Asked:
    """A quantised product, some of whose scales and zero points are lists of so many."""
    names = ["a", "as", "az", "w", "bs", "bz", "ys", "yz"]
    dtypes = {"as": numpy.float32, "az": numpy.uint8, "bs": numpy.float32, "bz": numpy.int8, "ys": numpy.float32, "yz": numpy.uint8}
    usual = {"as": 0.1, "az": 7, "bs": 0.1, "bz": 0, "ys": 0.1, "yz": 7}

    def held(name: str) -> numpy.ndarray[Any, Any]:
        count = lists.get(name[0], 0)
        return numpy.array([usual[name]] * count if count else usual[name], dtypes[name])

    stores = {name: held(name) for name in dtypes} | {"w": numpy.arange(12, dtype=numpy.int8).reshape(4, 3)}
    rows = numpy.arange(8, dtype=numpy.uint8).reshape(2, 4)
    return asked(node("QLinearMatMul", names, ["y"]), {"a": rows}, stores, 10)


def of_scales_by_row_and_column() -> Iterator[Edge]:
    one = [multiplied({}), multiplied({"a": 1, "b": 1, "y": 1})]
    for operand, name, count in ((1, "a", 2), (4, "b", 3), (6, "y", 2)):
        reason = "Scalar value can't be derived from a node" if operand < 6 else "Argument shapes are inconsistent"
        seen = multiplied({name: count})
        yield Edge(OPENVINO, "refused", ["QLinearMatMul"], [is_long(operand)], reason, [seen, with_free_size(seen, 0)], one)


def of_zero_points_of_products() -> Iterator[Edge]:
    def product(left: Sequence[int] | int | None, right: Sequence[int] | int) -> Asked:
        zeros = {"r": numpy.array(right, numpy.int8)} | ({} if left is None else {"l": numpy.array(left, numpy.uint8)})
        stores = {"w": numpy.arange(12, dtype=numpy.int8).reshape(4, 3), **zeros}
        rows = numpy.arange(8, dtype=numpy.uint8).reshape(2, 4)
        return asked(node("MatMulInteger", ["a", "w", "" if left is None else "l", "r"], ["y"]), {"a": rows}, stores, 10)

    one = [product(1, 1), product([1], [1])]
    columns, rows = product(1, [1, 2, 3]), product([1, 2], 1)
    alone = [product(None, 1), product(None, [1, 2, 3]), with_free_size(product(None, 1), 0)]
    when = [{"input": 2, "absent": True}, {"input": 3, "given": True}]
    reason = "CPU plug-in doesn't support NullNode operation with dynamic rank"
    yield Edge(OPENVINO, "refused", ["MatMulInteger"], when, reason, alone, [*one, columns])
    reason = "MatmulInteger : input1 zero point must be a scalar or 1D tensor of size 1"
    yield Edge(ONNXRUNTIME, "fails", ["MatMulInteger"], [is_long(2)], reason, [rows], [*one, columns])


def of_constants_before_they_were() -> Iterator[Edge]:
    def constant(opset: int, **value: Any) -> Asked:
        nodes = [node("Constant", [], ["c"], **value), node("Cast", ["c"], ["f"], to=1), node("Add", ["x", "f"], ["y"])]
        return asked(nodes, {"x": floats(2)}, opset=opset)

    values: Arrays = {"value_int": 1, "value_ints": [1, 2], "value_float": 1.5, "value_floats": [1.0, 2.0]}
    for target, first, reason in ((OPENVINO, 13, "Any was not initialized"), (TENSORRT, 12, "Invalid Node")):
        for name, held in values.items():
            early, late = [constant(opset, **{name: held}) for opset in (9, 11, first - 1)], constant(first, **{name: held})
            yield Edge(target, "refused", ["Constant"], [{"attribute": name}, {"below_opset": first}], reason, early, [late])


def of_half_scales() -> Iterator[Edge]:
    def scaled(opset: int, dtype: Any) -> Asked:
        stores = {"s": numpy.array(0.1, dtype), "z": numpy.array(0, numpy.int8)}
        return asked(node("DequantizeLinear", ["x", "s", "z"], ["y"]), {"x": numpy.arange(4, dtype=numpy.int8)}, stores, opset)

    when: list[dict[str, Any]] = [{"input": 1, "dtypes": ["float16"]}, {"below_opset": 13}]
    seen, taken = [scaled(opset, numpy.float16) for opset in (10, 11, 12)], [scaled(19, numpy.float16), scaled(10, numpy.float32)]
    yield Edge(OPENVINO, "refused", ["DequantizeLinear"], when, "Incorrect data type of the Dequantization scale input: f16", seen, taken)


def of_noise() -> Iterator[Edge]:
    def noise(operator: str, scale: float) -> Asked:
        own: Arrays = {"shape": [2, 3]} if operator == "RandomNormal" else {}
        nodes = [node(operator, [] if own else ["x"], ["r"], scale=scale, **own), node("Sub", ["r", "r"], ["z"]), node("Add", ["x", "z"], ["y"])]
        return asked(nodes, {"x": floats(2, 3)}, opset=13)

    names = ["RandomNormal", "RandomNormalLike"]
    none, some = [noise(each, scale) for each in names for scale in (0.0, -1.0)], [noise(each, 0.5) for each in names]
    when = [{"attribute": "scale", "is": [0.0], "below": 0}]
    yield Edge(TENSORRT, "refused", names, when, "Assertion beta > 0 failed", none, some)
    yield Edge(ONNXRUNTIME, "refused", names, when, "the runtime ends its process", none, some)


def of_importers() -> Iterator[Edge]:
    def turned(rank: int, **attributes: Any) -> Asked:
        caches = {"c": numpy.ones((8, 4), numpy.float32), "s": numpy.zeros((8, 4), numpy.float32)}
        shape = (2, 3, 16) if rank == 3 else (2, 2, 3, 8)
        made = node("RotaryEmbedding", ["x", "p", "c", "s"], ["y"], domain="com.microsoft", **attributes)
        given = {"x": floats(*shape), "p": numpy.zeros((2, 3), numpy.int64)}
        entries = [value("x", F, shape), value("p", TensorProto.INT64, (2, 3))]
        tensors = [stored(name, held) for name, held in caches.items()]
        imports = [("", 17), ("com.microsoft", 1)]
        return Asked("RotaryEmbedding", model([made], entries, [value("y", F, shape)], tensors, imports=imports), given)

    when = [{"attribute": "num_heads", "is": [0], "or_absent": True}, {"input": 0, "ranks": [3]}]
    reason = "num_heads attribute is required for 3D input tensors."
    yield Edge(TENSORRT, "refused", ["com.microsoft::RotaryEmbedding"], when, reason, [turned(3)], [turned(3, num_heads=2), turned(4)])
    windows = ["BlackmanWindow", "HannWindow", "HammingWindow"]

    def window(operator: str, dtype: int | None) -> Asked:
        own = {} if dtype is None else {"output_datatype": dtype}
        nodes = [node(operator, ["k"], ["w"], **own), node("Cast", ["w"], ["c"], to=1), node("Mul", ["x", "c"], ["y"])]
        return asked(nodes, {"x": floats(9)}, {"k": numpy.array(9)}, 17)

    others = [TensorProto.FLOAT16, TensorProto.DOUBLE, TensorProto.BFLOAT16]
    seen = [window(each, dtype) for each in windows for dtype in others]
    usual = [window(each, dtype) for each in windows for dtype in (None, 1)]
    when = [{"attribute": "output_datatype", "is": sorted(map(int, others))}]
    yield Edge(TENSORRT, "refused", windows, when, "Output must be float32-type!", seen, usual)


def of_logarithms_of_whole_numbers() -> Iterator[Edge]:
    def summed(operator: str, dtype: Any, axes: bool) -> Asked:
        made = node(operator, ["x"], ["y"], **({"axes": [1]} if axes else {}))
        return asked(made, {"x": numpy.ones((2, 3), dtype)}, opset=13)

    names = ["ReduceLogSum", "ReduceLogSumExp"]
    seen = [summed(each, dtype, axes) for each in names for dtype in (numpy.int32, numpy.int64) for axes in (True, False)]
    when = [{"input": 0, "dtypes": ["int32", "int64"]}]
    reason = "This version of TensorRT does not support the given operator LOG with the given input data type"
    yield Edge(TENSORRT, "refused", names, when, reason, seen, [summed(each, numpy.float32, True) for each in names])


def of_operands_before_they_were() -> Iterator[Edge]:
    def widened(opset: int) -> Asked:
        return asked(node("Unsqueeze", ["x", "k"], ["y"]), {"x": floats(2, 3)}, {"k": numpy.array([1])}, opset)

    def greatest(opset: int) -> Asked:
        return asked(node("TopK", ["x", "k"], ["v", "y"]), {"x": floats(2, 3)}, {"k": numpy.array([1])}, opset)

    for name, made, first, reason in (("Unsqueeze", widened, 13, "Invalid Node"), ("TopK", greatest, 10, "Attribute k is missing.")):
        when = [{"input": 1, "given": True, "below_opset": first}]
        yield Edge(TENSORRT, "refused", [name], when, reason, [made(9), made(first - 1)], [made(first)])


def of_narrow_dtypes() -> Iterator[Edge]:
    swish = node("HardSwish", ["x"], ["y"])
    narrow, usual = (asked(swish, {"x": floats(2, 3).astype(dtype)}, opset=22) for dtype in (ml_dtypes.bfloat16, numpy.float16))
    reason = "Only FLOAT, HALF or INT8 input is supported for the HardSwish operator"
    yield Edge(TENSORRT, "refused", ["HardSwish"], [{"input": 0, "dtypes": ["bfloat16"]}], reason, [narrow], [usual])


def of_boxes() -> Iterator[Edge]:
    """A threshold that is left out is 0: boxes that do not overlap are all kept. The reference evaluator keeps one."""
    boxes = numpy.array([[[0, 0, 1, 1], [0, 2, 1, 3], [2, 2, 3, 3], [5, 5, 6, 6]]], numpy.float32)
    scores = numpy.array([[[0.9, 0.8, 0.7, 0.6]]], numpy.float32)

    def kept(most: int, *threshold: float) -> Asked:
        names = ["b", "s", "m", "t"][: 3 + len(threshold)]
        stores: Arrays = {"m": numpy.array([most])} | ({"t": numpy.array(threshold, numpy.float32)} if threshold else {})
        chosen = numpy.array([[0, 0, each] for each in range(most)])
        return dataclasses.replace(asked(node("NonMaxSuppression", names, ["y"]), {"b": boxes, "s": scores}, stores, 11), expected=[chosen])

    when = [{"input": 3, "absent": True}, {"input": 2, "is_not": [0, 1]}, {"input": 0, "length": {"axis": 1, "at_least": 2}}]
    reason = "without a threshold it keeps one box alone, whether others overlap it or not"
    yield Edge(OPENVINO, "wrong", ["NonMaxSuppression"], when, reason, [kept(4), kept(2)], [kept(4, 0.5), kept(1), kept(1, 0.5)])


def of_mixed_products() -> Iterator[Edge]:
    """It takes products of small whole numbers, which ONNX lacks, but none of two dtypes."""

    def of(operator: str, *dtypes: Any) -> Asked:
        given = {name: numpy.ones((2, 2), dtype) for name, dtype in zip("xw", dtypes, strict=True)}
        made = model([node(operator, ["x", "w"], ["y"])], [value(n, helper.np_dtype_to_tensor_dtype(v.dtype), (2, 2)) for n, v in given.items()], [])
        made.graph.output.append(value("y", made.graph.input[0].type.tensor_type.elem_type, (2, 2)))
        return Asked(operator, made, given)

    kinds = ["Gemm", "MatMul", "Mean"]
    mixed = [(numpy.uint8, numpy.int8), (numpy.uint8, numpy.float32), (numpy.float32, numpy.int8), (numpy.float32, numpy.float16)]
    seen = [of(each, *pair) for each in kinds for pair in mixed]
    alike = [of(each, dtype, dtype) for each in kinds for dtype in (numpy.uint8, numpy.int16, numpy.float32)]
    yield Edge(OPENVINO, "refused", kinds, [{"mixed": "dtypes"}], "Arguments do not have the same element type", seen, alike)


MAKERS = (
    *value_edges.MAKERS,
    *chain_edges.MAKERS,
    of_mixed_products,
    of_boxes,
    of_default_axes,
    of_signals,
    of_scales_by_row_and_column,
    of_zero_points_of_products,
    of_constants_before_they_were,
    of_half_scales,
    of_noise,
    of_importers,
    of_logarithms_of_whole_numbers,
    of_operands_before_they_were,
    of_narrow_dtypes,
)


def every_edge(target: str) -> list[Edge]:
    """These, and those of `edges`, `value_edges`, `chain_edges` and `drawn_edges`."""
    return edges.edges(target) + [each for make in (*MAKERS, *drawn_edges.MAKERS) for each in make() if each.target == target]
