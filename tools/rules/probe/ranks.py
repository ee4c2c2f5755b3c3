"""Questions of other ranks than ONNX's own examples have, for operators whose attributes or operands go by the number of spatial dimensions, of
the other layout of recurrent layers, and of their activations: there one change alone makes no valid model."""
from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import ml_dtypes
import numpy
from onnx import ModelProto, helper, numpy_helper

Made = tuple[str, str, ModelProto, dict[str, Any]]
OPSET = 22
PREFIX = "ranks."
SPATIAL = (1, 2, 3, 4)
FLOATS = (numpy.float32, numpy.float16, numpy.float64)
ACTIVATIONS = ("Affine", "Relu", "LeakyRelu", "ThresholdedRelu", "Tanh", "ScaledTanh", "Sigmoid", "HardSigmoid", "Elu", "Softsign", "Softplus")
MODES = ("nearest", "linear", "cubic")
WAYS = ("half_pixel", "align_corners", "asymmetric")
GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}


def numbers(*shape: int) -> Any:
    return numpy.random.default_rng(sum(shape)).normal(0, 0.5, shape).astype(numpy.float32)


def model(what: str, operator: str, operands: dict[str, Any], constants: dict[str, Any], attributes: dict[str, Any], results: int = 1,
          names: list[str] | None = None, shape: list[int] | None = None, dtype: Any = None) -> Made:
    """With the operands in this order; without `shape` results have none yet, without `dtype` that of `x`."""
    given = {**operands, **constants}
    number = helper.np_dtype_to_tensor_dtype(numpy.dtype(dtype or operands["x"].dtype))
    node = helper.make_node(operator, names or list(given), [f"y{i}" for i in range(results)], **attributes)
    graph = helper.make_graph(
        [node], "ranks", [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(v.dtype), v.shape) for n, v in operands.items()],
        [helper.make_tensor_value_info(name, number, shape) for name in node.output],
        [numpy_helper.from_array(v, n) for n, v in constants.items()])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10)
    return f"{PREFIX}{operator}.{what}", f"onnx::{operator}", made, operands


def operands_and_constants(x: dict[str, Any], rest: dict[str, Any], computed: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """Operands and constants, among which the rest is: computed or not."""
    return (x | rest, {}) if computed else (x, rest)


def resized(n: int, factor: float, by: str) -> tuple[dict[str, Any], list[str], list[int]]:
    """What says how much larger an image of 4 by 4 becomes, in which place among the operands, and the shape that it gets."""
    shape = [1, 4, *[int(4 * factor)] * n]
    if by == "scales":
        return {"s": numpy.array([1, 1, *[factor] * n], numpy.float32)}, ["x", "", "s"], shape
    return {"s": numpy.array(shape)}, ["x", "", "", "s"], shape


def of_pools(n: int, x: dict[str, Any]) -> Iterator[Made]:
    changes: list[dict[str, Any]] = [{}, {"strides": [2] * n}, {"pads": [1] * 2 * n}, {"auto_pad": "SAME_UPPER"}, {"ceil_mode": 1}]
    for operator, others in itertools.product(("MaxPool", "AveragePool", "LpPool"), changes):
        yield model(f"{n}d {''.join(others)}", operator, x, {}, {"kernel_shape": [2] * n, **others})
    for operator in ("GlobalMaxPool", "GlobalAveragePool", "GlobalLpPool"):
        yield model(f"{n}d", operator, x, {}, {})


def of_convolutions(n: int, x: dict[str, Any]) -> Iterator[Made]:
    changes: list[dict[str, Any]] = [{}, {"strides": [2] * n}, {"group": 2}, {"dilations": [2] * n}]
    for operator, others in itertools.product(("Conv", "ConvTranspose"), changes):
        weights = numbers(4, 4 // others.get("group", 1), *[2] * n)
        yield model(f"{n}d {''.join(others)}", operator, x, {"w": weights}, others)
        yield model(f"{n}d {''.join(others)} computed", operator, {**x, "w": weights}, {}, others)


def as_exported(n: int, x: dict[str, Any]) -> Iterator[Made]:
    """With all that exporters write: windows that overlap and reach beyond the edges, convolutions with a bias."""
    window = {"kernel_shape": [3] * n, "strides": [2] * n}
    changes: list[dict[str, Any]] = [{"pads": [0] * 2 * n}, {"pads": [1] * 2 * n}, {"pads": [0] * 2 * n, "ceil_mode": 1}]
    for operator, others in itertools.product(("MaxPool", "AveragePool"), changes):
        yield model(f"exported {n}d pads {others['pads'][0]}{' ceil_mode' if 'ceil_mode' in others else ''}", operator, x, {}, window | others)
    yield model(f"exported {n}d count_include_pad", "AveragePool", x, {}, window | {"pads": [1] * 2 * n, "count_include_pad": 1})
    for operator, group in itertools.product(("Conv", "ConvTranspose"), (1, 2, 4)):
        weights = {"w": numbers(4, 4 // group, *[2] * n)}
        written = {"kernel_shape": [2] * n, "strides": [2] * n, "pads": [0] * 2 * n, "dilations": [1] * n, "group": group}
        yield model(f"exported {n}d group {group}", operator, x, weights, written)
        yield model(f"exported {n}d group {group} bias", operator, x, weights | {"b": numbers(4)}, written)


def of_resizing(n: int, x: dict[str, Any]) -> Iterator[Made]:
    factors = {"half": 0.5, "twice": 2, "thrice": 3}
    for mode, way, by, antialias in itertools.product(MODES, WAYS, ("scales", "sizes"), (0, 1)):
        for (times, factor), computed in itertools.product(factors.items(), (False, True)):
            if antialias and (mode == "nearest" or factor > 1):
                continue
            size, names, shape = resized(n, factor, by)
            yield model(f"{n}d {mode} {way} {times} {by} antialias {antialias}{' computed' if computed else ''}", "Resize",
                        *operands_and_constants(x, size, computed), {"mode": mode, "coordinate_transformation_mode": way, "antialias": antialias},
                        names=names, shape=shape)


def of_norms(n: int, x: dict[str, Any]) -> Iterator[Made]:
    for size in range(1, 10) if n == 2 else (1, 3):
        yield model(f"{n}d size {size}", "LRN", x, {}, {"size": size})
    yield model(f"{n}d", "InstanceNormalization", x, {"s": numbers(4), "b": numbers(4)}, {})


def of_open_resizing(n: int, x: dict[str, Any]) -> Iterator[Made]:
    """Whose results have no shape yet; also of other dtypes."""
    for mode, way in itertools.product(MODES, WAYS):
        scales, names, _ = resized(n, 2, "scales")
        yield model(f"{n}d {mode} {way}", "Resize", x, scales, {"mode": mode, "coordinate_transformation_mode": way}, names=names)
    for mode, dtype in itertools.product(MODES, (numpy.float16, numpy.int8, numpy.uint8, numpy.int32)):
        typed = {"x": (60 * numpy.abs(x["x"])).astype(dtype)}
        for antialias, factor in itertools.product((0, 1) if mode != "nearest" else (0,), (0.25, 0.5, 2, 3)):
            scales, names, _ = resized(n, factor, "scales")
            yield model(f"{n}d {mode} {numpy.dtype(dtype)} antialias {antialias} by {factor}", "Resize", typed, scales,
                        {"mode": mode, "antialias": antialias}, names=names)


def of_grids(n: int, x: dict[str, Any]) -> Iterator[Made]:
    for mode, padding in itertools.product(MODES, ("zeros", "border", "reflection")):
        grid = numpy.tanh(numbers(1, *[2] * n, n))
        yield model(f"{n}d {mode} {padding}", "GridSample", {**x, "g": grid}, {}, {"mode": mode, "padding_mode": padding})


def of_spatial(n: int) -> Iterator[Made]:
    x = {"x": numbers(1, 4, *[4] * n)}
    for made in (of_pools, of_convolutions, as_exported, of_resizing, of_norms, of_open_resizing, of_grids):
        yield from made(n, x)


def of_regions() -> Iterator[Made]:
    """Whose dtype need not be that of what is resized."""
    ways = ("tf_crop_and_resize", "half_pixel")
    for n, dtype, of_region, mode, way, computed in itertools.product((1, 2, 3), FLOATS, FLOATS, MODES, ways, (False, True)):
        x, region = {"x": numbers(1, 1, *[4] * n).astype(dtype)}, {"r": numpy.array([0, 0, *[0.25] * n, 1, 1, *[0.75] * n], of_region)}
        scales = {"s": numpy.array([1, 1, *[2] * n], numpy.float32)}
        operands, constants = operands_and_constants(x, region, computed)
        yield model(f"{n}d {mode} {numpy.dtype(dtype)} {way} {numpy.dtype(of_region)}{' computed' if computed else ''}", "Resize",
                    operands, constants | scales, {"mode": mode, "coordinate_transformation_mode": way},
                    names=["x", "r", "s"], shape=[1, 1, *[8] * n])


def of_exported_resizing() -> Iterator[Made]:
    """As exporters of PyTorch write `interpolate`: nearest, linear and cubic, with corners aligned or not."""
    ways = {"nearest": ("asymmetric",), "linear": ("pytorch_half_pixel", "align_corners"), "cubic": ("pytorch_half_pixel", "align_corners")}
    for n, (mode, each), factor, by, dtype in itertools.product((1, 2, 3), ways.items(), (0.5, 2, 3), ("scales", "sizes"), FLOATS[:2]):
        for way in each:
            size, names, shape = resized(n, factor, by)
            what, x = f"exported {n}d {mode} {way} {numpy.dtype(dtype)} {by} {factor}", numbers(1, 4, *[4] * n).astype(dtype)
            yield model(what, "Resize", {"x": x}, size,
                        {"mode": mode, "coordinate_transformation_mode": way, "nearest_mode": "floor", "cubic_coeff_a": -0.75},
                        names=names, shape=shape)


def of_flat() -> Iterator[Made]:
    """Without a spatial dimension."""
    shapes = ((1, 4), (2, 3), (3, 2), (4, 1), (4,), (5,), (6,))
    for operator, shape in itertools.product(("GlobalMaxPool", "GlobalAveragePool", "GlobalLpPool"), shapes):
        yield model(f"0d {'x'.join(map(str, shape))}", operator, {"x": numbers(*shape)}, {}, {})


def of_reduced_scatter() -> Iterator[Made]:
    ways, dtypes = ("none", "add", "mul", "max", "min"), (numpy.float16, ml_dtypes.bfloat16, numpy.float64, numpy.int8, numpy.int32, numpy.uint8)
    for way, dtype, rows, computed in itertools.product(ways, dtypes, (4, 5), (False, True)):
        data, updates = (numpy.abs(4 * numbers(count, 3)).astype(dtype) for count in (rows, 2))
        what = f"{way} {numpy.dtype(dtype)} {rows} {'computed' if computed else 'constant'}"
        for operator, where in (("ScatterND", [[0], [2]]), ("ScatterElements", [[0, 1, 2], [2, 0, 1]])):
            rest: dict[str, Any] = {"i": numpy.array(where), "u": updates}
            yield model(what, operator, *operands_and_constants({"x": data}, rest, computed), {"reduction": way})


def of_layouts() -> Iterator[Made]:
    for (operator, gates), layout, direction in itertools.product(GATES.items(), (0, 1), ("forward", "reverse", "bidirectional")):
        count = 2 if direction == "bidirectional" else 1
        x = numbers(2, 4, 3) if layout else numbers(4, 2, 3)
        weights = {"w": numbers(count, gates * 5, 3), "r": numbers(count, gates * 5, 5)}
        for results in (1, 2):
            yield model(f"layout {layout} {direction} {results}", operator, {"x": x}, weights,
                        {"hidden_size": 5, "layout": layout, "direction": direction}, results)


def of_activations() -> Iterator[Made]:
    usual = {"RNN": ["Tanh"], "GRU": ["Sigmoid", "Tanh"], "LSTM": ["Sigmoid", "Tanh", "Tanh"]}
    written = [f(each) for each in ACTIVATIONS for f in (str, str.lower, str.upper)]
    for (operator, gates), activation in itertools.product(GATES.items(), written):
        weights = {"w": numbers(1, gates * 5, 3), "r": numbers(1, gates * 5, 5)}
        for at in range(len(usual[operator])):
            given = [*usual[operator][:at], activation, *usual[operator][at + 1:]]
            yield model(f"activation {at} {activation}", operator, {"x": numbers(4, 2, 3)}, weights, {"hidden_size": 5, "activations": given})


def with_dequantised(quantised: Made, dtype: int, attributes: dict[str, Any]) -> Made:
    name, operator, made, inputs = quantised
    both = ModelProto.FromString(made.SerializeToString())
    both.graph.node[0].output[0] = "q"
    both.graph.node.append(helper.make_node("DequantizeLinear", ["q", *both.graph.node[0].input[1:]], ["y0"], **attributes))
    both.graph.output[0].type.tensor_type.elem_type = dtype
    return f"{name} and back", operator, both, inputs


def of_quantised() -> Iterator[Made]:
    """As quantisers write them: symmetric, by one scale, by one of each channel, or of each block."""
    stored = (numpy.int8, numpy.uint8, ml_dtypes.int4, ml_dtypes.uint4, ml_dtypes.float8_e4m3fn, numpy.int32)
    ways: tuple[tuple[str, tuple[int, ...], dict[str, Any]], ...] = (
        ("tensor", (), {}), ("channel", (4,), {"axis": 0}), ("block", (4, 2), {"axis": 1, "block_size": 4}))
    for dtype, of_scale, (way, shape, attributes), zero in itertools.product(
            stored, (numpy.float32, numpy.float16, ml_dtypes.bfloat16), ways, (False, True)):
        what = f"{numpy.dtype(dtype)} {numpy.dtype(of_scale)} by {way}{' zero' if zero else ''}"
        x = numpy.abs(4 * numbers(4, 8))
        rest: dict[str, Any] = {"s": numpy.full(shape, 0.5, of_scale)} | ({"z": numpy.zeros(shape, dtype)} if zero else {})
        held = {"x": x.astype(dtype)}
        for constant in (False, True):
            yield model(f"{what}{' weights' if constant else ''}", "DequantizeLinear", {} if constant else held, (held if constant else {}) | rest,
                        attributes, shape=[4, 8], dtype=of_scale)
        if dtype is numpy.int32:
            continue  # only biases are stored so
        more = {} if zero else {"output_dtype": helper.np_dtype_to_tensor_dtype(numpy.dtype(dtype))}
        quantised = model(what, "QuantizeLinear", {"x": x.astype(of_scale)}, rest, attributes | more, shape=[4, 8], dtype=dtype)
        yield quantised
        yield with_dequantised(quantised, helper.np_dtype_to_tensor_dtype(numpy.dtype(of_scale)), attributes)


def of_random() -> Iterator[Made]:
    """ONNX has no examples of these."""
    floats = (*FLOATS, ml_dtypes.bfloat16)
    for operator, dtype in itertools.product(("RandomNormal", "RandomUniform"), floats):
        number = helper.np_dtype_to_tensor_dtype(numpy.dtype(dtype))
        yield model(f"{numpy.dtype(dtype)}", operator, {}, {}, {"shape": [2, 3], "dtype": number}, shape=[2, 3], dtype=dtype)
        for given in (*floats, numpy.int32):
            like = {"x": numbers(2, 3).astype(given)}
            yield model(f"{numpy.dtype(dtype)} like {numpy.dtype(given)}", f"{operator}Like", like, {}, {"dtype": number}, shape=[2, 3], dtype=dtype)
        yield model(f"like {numpy.dtype(dtype)}", f"{operator}Like", {"x": numbers(2, 3).astype(dtype)}, {}, {}, shape=[2, 3])


def models() -> Iterator[Made]:
    for n in SPATIAL:
        yield from of_spatial(n)
    yield from of_layouts()
    yield from of_activations()
    yield from of_regions()
    yield from of_exported_resizing()
    yield from of_flat()
    yield from of_reduced_scatter()
    yield from of_quantised()
    yield from of_random()
