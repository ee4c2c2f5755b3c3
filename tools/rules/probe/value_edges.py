"""Edges that depend on values, or on what stands beside a node: quantised results beyond their range, kernels that a neighbour makes up for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy
from onnx import NodeProto, helper

from probe.edges import Asked, Edge, asked, floats
from probe.forms import model, node, stored, value

ONNXRUNTIME, OPENVINO = "onnxruntime", "openvino-onnx"
EIGHT: tuple[Any, ...] = (numpy.int8, numpy.uint8)
STEP, FINE = 0.5, 0.125
NEAR, FAR = 4.0, 60.0  # of which results are within their range, and beyond it
BEYOND = ((numpy.int8, FAR), (numpy.uint8, -FAR))
Arrays = dict[str, Any]


def quantised(numbers: Any, scale: float, zero: int, dtype: Any) -> Any:
    limits = numpy.iinfo(dtype)
    return numpy.clip(numpy.rint(numpy.asarray(numbers) / scale) + zero, limits.min, limits.max).astype(dtype)


def in_contrib(made: NodeProto, given: Arrays, stores: Arrays, expected: Any) -> Asked:
    made.domain = "com.microsoft"
    entries = [value(name, helper.np_dtype_to_tensor_dtype(each.dtype), each.shape) for name, each in given.items()]
    result = value("y", helper.np_dtype_to_tensor_dtype(expected.dtype), expected.shape)
    tensors = [stored(name, each, numpy.asarray(each).dtype) for name, each in stores.items()]
    imports = [("", 17), ("com.microsoft", 1)]
    return Asked(made.op_type, model([made], entries, [result], tensors, imports=imports), given, [expected])


def of_eight_bits(operator: str, dtype: Any, real: float) -> Asked:
    """Of one number everywhere; what it yields is within the range of the dtype, or cut off at its end."""
    middle = 0 if dtype == numpy.int8 else 128
    two, one = ["x", "s", "z", "b", "s", "z"], ["x", "s", "z", "t", "z"]
    kinds: dict[str, Any] = {
        "QLinearAdd": ([*two, "t", "z"], STEP, 2 * real, (2, 4), {}),
        "QLinearMul": ([*two, "t", "z"], 1.0, real * real, (2, 4), {}),
        "QLinearAveragePool": (one, FINE, real, (1, 2, 4, 4), {"kernel_shape": [1, 1], "strides": [1, 1]}),
        "QLinearLeakyRelu": (one, FINE, max(real, real / 2), (2, 4), {"alpha": 0.5}),
        "QLinearConcat": (["t", "z", *two], FINE, real, (2, 4), {"axis": 1}),
        "QLinearWhere": (["c", *two, "t", "z"], FINE, real, (2, 4), {}),
    }
    operands, scale, result, shape, own = kinds[operator]
    held = quantised(numpy.full(shape, real), STEP, middle, dtype)
    stores: Arrays = {"s": numpy.float32(STEP), "z": numpy.array(middle, dtype), "t": numpy.float32(scale), "b": held, "c": held != 0}
    sizes = (2, 8) if operator == "QLinearConcat" else shape
    kept = {name: each for name, each in stores.items() if name in operands}
    return in_contrib(node(operator, operands, ["y"], **own), {"x": held}, kept, quantised(numpy.full(sizes, result), scale, middle, dtype))


def of_overflow() -> Iterator[Edge]:
    why = "a result beyond what the dtype holds, which quantisers cut off, begins again at the other end"
    for number, operators in ((0, ["Add", "AveragePool", "LeakyRelu", "Mul"]), (1, ["Where"]), (2, ["Concat"])):
        names = [f"QLinear{each}" for each in operators]
        far = [of_eight_bits(each, dtype, real) for each in names for dtype, real in BEYOND]
        near = [of_eight_bits(each, dtype, NEAR) for each in names for dtype in EIGHT if (each, dtype) != ("QLinearLeakyRelu", numpy.uint8)]
        when = [{"input": number, "dtypes": ["int8", "uint8"]}]
        yield Edge(OPENVINO, "depends", [f"com.microsoft::{each}" for each in names], when, why, far, near)


def of_negative_numbers() -> Iterator[Edge]:
    """Which are what it is for, and are cut off before the zero point is added."""
    why = "of uint8 every negative number comes out as the greatest, as it is turned into that dtype before its zero point is added"
    seen = [of_eight_bits("QLinearLeakyRelu", numpy.uint8, real) for real in (-1.0, -NEAR, -FAR)]
    taken = [of_eight_bits("QLinearLeakyRelu", numpy.int8, real) for real in (NEAR, -NEAR)]
    yield Edge(OPENVINO, "wrong", ["com.microsoft::QLinearLeakyRelu"], [{"input": 0, "dtypes": ["uint8"]}], why, seen, taken)


def of_whole_shares() -> Iterator[Edge]:
    def share(operator: str, dtype: Any, numbers: Sequence[float], shares: Sequence[float]) -> Asked:
        lowest = int(numpy.iinfo(dtype).min)
        middle = 0 if dtype == numpy.int8 else 128
        stores: Arrays = {"s": numpy.float32(STEP), "z": numpy.array(middle, dtype), "t": numpy.float32(1 / 256), "l": numpy.array(lowest, dtype)}
        own: Arrays = {"axis": -1, "opset": 13} if operator == "QLinearSoftmax" else {}
        held, expected = quantised([numbers], STEP, middle, dtype), quantised([shares], 1 / 256, lowest, dtype)
        return in_contrib(node(operator, ["x", "s", "z", "t", "l"], ["y"], **own), {"x": held}, stores, expected)

    seen = [share("QLinearSigmoid", dtype, [FAR, 0], [1, 0.5]) for dtype in EIGHT]
    seen += [share("QLinearSoftmax", dtype, [FAR, 0, 0, 0], [1, 0, 0, 0]) for dtype in EIGHT]
    within = [share("QLinearSigmoid", dtype, [-FAR, -FAR], [0, 0]) for dtype in EIGHT]
    within += [share("QLinearSoftmax", dtype, [0, 0, 0, 0], [0.25] * 4) for dtype in EIGHT]
    when = [{"input": 0, "dtypes": ["int8", "uint8"]}]
    why = "a result that rounds to more than the dtype holds, as of 1 at a scale of 1/256, begins again at the least number"
    yield Edge(OPENVINO, "depends", ["com.microsoft::QLinearSigmoid", "com.microsoft::QLinearSoftmax"], when, why, seen, within)


def of_kernels_beside_others() -> Iterator[Edge]:
    """A node for which there is no kernel of float16 is run in float32, and with it what stands between two of those."""

    def scattered(operator: str, reduction: str, between: bool) -> Asked:
        indices = numpy.array([[0], [1]]) if operator == "ScatterND" else numpy.zeros((1, 3), numpy.int64)
        rows = floats(2 if operator == "ScatterND" else 1, 3).astype(numpy.float16)
        made = [node(operator, ["a" if between else "x", "i", "u"], ["s" if between else "y"], reduction=reduction)]
        made = [node("Erf", ["x"], ["a"]), *made, node("Erf", ["s"], ["y"])] if between else made
        stores = {"i": indices, "u": rows}
        return asked(made, {"x": floats(3, 3).astype(numpy.float16)}, stores, 18)

    for operator, reductions in (("ScatterElements", ["add", "mul"]), ("ScatterND", ["add", "max", "min", "mul"])):
        when: list[dict[str, Any]] = [{"attribute": "reduction", "is": reductions}, {"input": 0, "dtypes": ["float16"]}]
        reason = f"MLFloat16 data type is not supported with {operator} opset 16, unless what stands beside it is run in float32"
        alone, between = ([scattered(operator, each, how) for each in reductions] for how in (False, True))
        yield Edge(ONNXRUNTIME, "depends", [operator], when, reason, alone, between)


def of_offsets() -> Iterator[Edge]:
    """One place for a whole sequence, from which it counts on."""

    def turned(length: int, places: Any) -> Asked:
        rows, angles = floats(1, length, 8), numpy.linspace(0, 3, 16 * 2, dtype=numpy.float32).reshape(16, 2)
        at = (places[0] + numpy.arange(length) if places.ndim == 1 else places[0]).astype(int)
        heads = rows.reshape(length, 2, 2, 2)
        cosines, sines = (made(angles)[at][:, None, :] for made in (numpy.cos, numpy.sin))
        first, second = heads[:, :, 0], heads[:, :, 1]
        expected = numpy.stack([first * cosines - second * sines, second * cosines + first * sines], axis=2).reshape(1, length, 8)
        stores = {"c": numpy.cos(angles), "s": numpy.sin(angles)}
        made = node("RotaryEmbedding", ["x", "p", "c", "s"], ["y"], num_heads=2, interleaved=0)
        return in_contrib(made, {"x": rows, "p": places}, stores, expected.astype(numpy.float32))

    when: list[dict[str, Any]] = [{"input": 1, "ranks": [1]}, {"input": 0, "ranks": [3], "length": {"axis": 1, "at_least": 2}}]
    seen = [turned(length, numpy.array([place])) for length, place in ((5, 3), (3, 1), (2, 4))]
    taken = [turned(5, numpy.arange(5)[None]), turned(3, numpy.array([[2, 0, 1]])), turned(1, numpy.array([3]))]
    why = "one place is taken for all of a sequence, which counts on from it"
    yield Edge(OPENVINO, "wrong", ["com.microsoft::RotaryEmbedding"], when, why, seen, taken)


MAKERS = (of_overflow, of_negative_numbers, of_whole_shares, of_kernels_beside_others, of_offsets)
