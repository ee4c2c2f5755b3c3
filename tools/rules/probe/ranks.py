"""Questions of other ranks than ONNX's own examples have, for operators whose attributes or operands go by the number of spatial dimensions, and
of the other layout of recurrent layers: there one change alone makes no valid model."""
from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy
from onnx import ModelProto, TensorProto, helper, numpy_helper

Made = tuple[str, str, ModelProto, dict[str, Any]]
OPSET = 22
PREFIX = "ranks."
SPATIAL = (1, 2, 3, 4)
GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}


def numbers(*shape: int) -> Any:
    return numpy.random.default_rng(sum(shape)).normal(0, 0.5, shape).astype(numpy.float32)


def model(what: str, operator: str, operands: dict[str, Any], constants: dict[str, Any], attributes: dict[str, Any], results: int = 1,
          names: list[str] | None = None) -> Made:
    """With the operands in this order; results have no shape yet."""
    given = {**operands, **constants}
    node = helper.make_node(operator, names or list(given), [f"y{i}" for i in range(results)], **attributes)
    graph = helper.make_graph(
        [node], "ranks", [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(v.dtype), v.shape) for n, v in operands.items()],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in node.output],
        [numpy_helper.from_array(v, n) for n, v in constants.items()])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10)
    return f"{PREFIX}{operator}.{what}", f"onnx::{operator}", made, operands


def of_spatial(n: int) -> Iterator[Made]:
    x, sizes = {"x": numbers(1, 4, *[4] * n)}, [1, 1, *[2] * n]
    changes: list[dict[str, Any]] = [{}, {"strides": [2] * n}, {"pads": [1] * 2 * n}, {"auto_pad": "SAME_UPPER"}, {"ceil_mode": 1}]
    for operator, others in itertools.product(("MaxPool", "AveragePool", "LpPool"), changes):
        yield model(f"{n}d {''.join(others)}", operator, x, {}, {"kernel_shape": [2] * n, **others})
    for operator in ("GlobalMaxPool", "GlobalAveragePool", "GlobalLpPool"):
        yield model(f"{n}d", operator, x, {}, {})
    changes = [{}, {"strides": [2] * n}, {"group": 2}, {"dilations": [2] * n}]
    for operator, others in itertools.product(("Conv", "ConvTranspose"), changes):
        weights = numbers(4, 4 // others.get("group", 1), *[2] * n)
        yield model(f"{n}d {''.join(others)}", operator, x, {"w": weights}, others)
        yield model(f"{n}d {''.join(others)} computed", operator, {**x, "w": weights}, {}, others)
    for size in range(1, 10) if n == 2 else (1, 3):
        yield model(f"{n}d size {size}", "LRN", x, {}, {"size": size})
    yield model(f"{n}d", "InstanceNormalization", x, {"s": numbers(4), "b": numbers(4)}, {})
    for mode, way in itertools.product(("nearest", "linear", "cubic"), ("half_pixel", "align_corners", "asymmetric")):
        yield model(f"{n}d {mode} {way}", "Resize", x, {"s": numpy.array(sizes, numpy.float32)},
                    {"mode": mode, "coordinate_transformation_mode": way}, names=["x", "", "s"])
    for mode, padding in itertools.product(("nearest", "linear", "cubic"), ("zeros", "border", "reflection")):
        grid = numpy.tanh(numbers(1, *[2] * n, n))
        yield model(f"{n}d {mode} {padding}", "GridSample", {**x, "g": grid}, {}, {"mode": mode, "padding_mode": padding})


def of_layouts() -> Iterator[Made]:
    for (operator, gates), layout, direction in itertools.product(GATES.items(), (0, 1), ("forward", "reverse", "bidirectional")):
        count = 2 if direction == "bidirectional" else 1
        x = numbers(2, 4, 3) if layout else numbers(4, 2, 3)
        weights = {"w": numbers(count, gates * 5, 3), "r": numbers(count, gates * 5, 5)}
        for results in (1, 2):
            yield model(f"layout {layout} {direction} {results}", operator, {"x": x}, weights,
                        {"hidden_size": 5, "layout": layout, "direction": direction}, results)


def models() -> Iterator[Made]:
    for n in SPATIAL:
        yield from of_spatial(n)
    yield from of_layouts()
