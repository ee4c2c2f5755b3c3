#!/usr/bin/env python3
"""Writes odd but valid quantised ONNX files.

usage: odd_quantised_files.py FOLDER

Each is accepted by onnx.checker, and what ONNX Runtime has kernels for runs. None has a fault, so no rule should have anything to say.
"""
from __future__ import annotations

import pathlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

Array = np.ndarray
rng = np.random.default_rng(0)
IMAGE = [1, 4, 6, 6]
MIDDLE = np.uint8(128)


class Net:
    """A model, written node by node; values are named by what makes them."""

    def __init__(self, opset: int = 17, dtype: int = TensorProto.FLOAT, shape: list[int] | None = None) -> None:
        self.opset, self.dtype, self.shape = opset, dtype, shape or IMAGE
        self.nodes: list[onnx.NodeProto] = []
        self.stored: list[onnx.TensorProto] = []
        self.functions: list[onnx.FunctionProto] = []
        self.domains: set[str] = set()
        self.more_inputs: list[onnx.ValueInfoProto] = []
        self.output: tuple[str, int | None] = ("y", None)

    def tensor(self, name: str, numbers: Array | onnx.TensorProto) -> str:
        tensor = numbers if isinstance(numbers, onnx.TensorProto) else numpy_helper.from_array(np.asarray(numbers), name)
        tensor.name = name
        self.stored.append(tensor)
        return name

    def node(self, kind: str, inputs: list[str], output: str, domain: str = "", name: str | None = None, **given: Any) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output + "_node" if name is None else name, domain=domain, **given))
        if domain:
            self.domains.add(domain)
        return output

    def pair(self, value: str, scale: float = 0.05, zero: Any = MIDDLE, label: str = "", dtype: Any = np.float32,
             vector: bool = False, **given: Any) -> str:
        """Q and DQ of a value."""
        label = label or value
        s = self.tensor(label + "_s", np.array([scale] if vector else scale, dtype))
        operands = [s] if zero is None else [s, self.tensor(label + "_z", np.array([zero]) if vector else np.array(zero))]
        self.node("QuantizeLinear", [value, *operands], label + "_q", **given)
        given.pop("output_dtype", None)
        return self.node("DequantizeLinear", [label + "_q", *operands], label + "_dq", **given)

    def weight(self, name: str, shape: tuple[int, ...], axis: int | None = None, dtype: Any = np.int8, zero: bool = True,
               scale_dtype: Any = np.float32, low: int = -100) -> str:
        """DQ of stored numbers."""
        numbers = rng.integers(low, 100, shape).astype(dtype)
        count = () if axis is None else (shape[axis],)
        operands = [self.tensor(name + "_s", (0.01 + 0.01 * rng.random(count)).astype(scale_dtype))]
        if zero:
            operands.append(self.tensor(name + "_z", np.zeros(count, dtype)))
        return self.node("DequantizeLinear", [self.tensor(name, numbers), *operands], name + "_dq",
                         **({} if axis is None else {"axis": axis}))

    def model(self) -> onnx.ModelProto:
        value = helper.make_tensor_value_info
        dims = [f"d{i}" for i in range(len(self.shape))]
        graph = helper.make_graph(self.nodes, "odd", [value("x", self.dtype, self.shape), *self.more_inputs],
                                  [helper.make_empty_tensor_value_info(self.output[0]) if self.output[1] is None
                                   else value(self.output[0], self.output[1], dims)], self.stored)
        opsets = [helper.make_opsetid("", self.opset), *(helper.make_opsetid(each, 1) for each in sorted(self.domains))]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=10 if self.opset > 20 else 8)
        model.functions.extend(self.functions)
        if self.output[1] is None and not self.functions and not self.domains:
            return onnx.shape_inference.infer_shapes(model)
        if self.output[1] is None:
            model.graph.output[0].CopyFrom(value(self.output[0], self.dtype, dims))
        return model


CASES: dict[str, Callable[[], Net]] = {}


def case(build: Callable[[], Net]) -> Callable[[], Net]:
    CASES[build.__name__] = build
    return build


def conv(net: Net, value: str = "x", result: str = "y", per_channel: bool = True, **given: Any) -> Net:
    """A convolution between two pairs."""
    read = net.pair(value)
    made = net.node("Conv", [read, net.weight("w_" + result, (4, 4, 3, 3), 0 if per_channel else None)], "c_" + result, pads=[1] * 4, **given)
    net.pair(made, 0.2)
    net.nodes[-1].output[0] = result
    return net


for opset in (10, 11, 12, 13, 14, 16, 18, 19, 20, 21, 22, 23):
    CASES[f"opset_{opset}"] = lambda opset=opset: conv(Net(opset), per_channel=opset > 12)
    CASES[f"opset_{opset}_relu"] = lambda opset=opset: conv(_relu(Net(opset)), "r", per_channel=False)


def _relu(net: Net) -> Net:
    net.node("Relu", ["x"], "r")
    return net


for dtype, opset in ((np.int8, 17), (np.uint8, 17), (np.int16, 21), (np.uint16, 21)):
    def _typed(dtype: Any = dtype, opset: int = opset) -> Net:
        net = Net(opset, shape=[2, 8])
        read = net.pair("x", 0.05, dtype(3))
        made = net.node("MatMul", [read, net.weight("w", (8, 6), 1)], "m")
        net.pair(made, 0.1, dtype(5))
        net.nodes[-1].output[0] = "y"
        return net
    CASES[f"activations_{np.dtype(dtype).name}"] = _typed


@case
def no_zero_points() -> Net:
    net = Net()
    read = net.pair("x", zero=None)
    net.node("Conv", [read, net.weight("w", (4, 4, 1, 1), 0, zero=False)], "y")
    return net


@case
def zero_point_left_empty() -> Net:
    net = conv(Net())
    for node in net.nodes:
        if node.op_type == "DequantizeLinear" and node.input[0] == "w_y":
            node.input[2] = ""
    return net


@case
def output_dtype_without_zero_point() -> Net:
    net = Net(21, shape=[2, 8])
    read = net.pair("x", zero=None, output_dtype=TensorProto.INT8)
    net.node("MatMul", [read, net.weight("w", (8, 6), 1)], "y")
    return net


def _low_bits(kind: int, values: Array, scale: Array, axis: int, **given: Any) -> Net:
    net = Net(21, shape=[2, 8])
    net.tensor("w", helper.make_tensor("w", kind, values.shape, values.reshape(-1).tolist()))
    net.tensor("w_s", scale.astype(np.float32))
    net.node("DequantizeLinear", ["w", "w_s"], "w_dq", axis=axis, **given)
    net.node("MatMul", ["x", "w_dq"], "y")
    return net


CASES["int4_per_channel"] = lambda: _low_bits(TensorProto.INT4, rng.integers(-8, 8, (8, 6)), np.full(6, 0.1), 1)
CASES["uint4_per_channel"] = lambda: _low_bits(TensorProto.UINT4, rng.integers(0, 16, (8, 6)), np.full(6, 0.1), 1)
CASES["int4_per_tensor"] = lambda: _low_bits(TensorProto.INT4, rng.integers(-8, 8, (8, 6)), np.array(0.1), 1)
CASES["int4_blocked"] = lambda: _low_bits(TensorProto.INT4, rng.integers(-8, 8, (8, 6)), np.full((2, 6), 0.1), 0, block_size=4)
CASES["int8_blocked"] = lambda: _low_bits(TensorProto.INT8, rng.integers(-8, 8, (8, 6)), np.full((4, 6), 0.1), 0, block_size=2)
CASES["blocked_that_does_not_divide"] = lambda: _low_bits(TensorProto.INT8, rng.integers(-8, 8, (8, 6)), np.full((3, 6), 0.1), 0, block_size=3)
CASES["blocked_on_last_axis"] = lambda: _low_bits(TensorProto.INT8, rng.integers(-8, 8, (8, 6)), np.full((8, 2), 0.1), -1, block_size=3)


@case
def float8_weights() -> Net:
    net = Net(19, shape=[2, 8])
    net.tensor("w", helper.make_tensor("w", TensorProto.FLOAT8E4M3FN, [8, 6], np.ones(48).tolist()))
    net.tensor("w_s", np.array(0.5, np.float32))
    net.node("DequantizeLinear", ["w", "w_s"], "w_dq")
    net.node("MatMul", ["x", "w_dq"], "y")
    return net


@case
def float8_activations() -> Net:
    net = Net(19, shape=[2, 8])
    s, z = net.tensor("s", np.array(0.5, np.float32)), net.tensor("z", helper.make_tensor("z", TensorProto.FLOAT8E5M2, [], [0.0]))
    net.node("QuantizeLinear", ["x", s, z], "q")
    net.node("DequantizeLinear", ["q", s, z], "y")
    return net


@case
def half_precision() -> Net:
    net = Net(19, TensorProto.FLOAT16, [2, 8])
    read = net.pair("x", 0.05, dtype=np.float16)
    net.node("MatMul", [read, net.weight("w", (8, 6), 1, scale_dtype=np.float16)], "y")
    return net


@case
def vectors_of_one() -> Net:
    net = Net(shape=[2, 8])
    net.node("MatMul", [net.pair("x", vector=True), net.weight("w", (8, 6), 1)], "y")
    return net


@case
def weight_scale_is_a_vector_of_one() -> Net:
    net = Net(shape=[1, 4, 6, 6])
    net.node("Conv", [net.pair("x"), net.weight("w", (1, 4, 1, 1), 0)], "y")
    return net


for label, shape, axis, given in (("gemm_turned", (6, 8), 0, {"transB": 1}), ("gemm", (8, 6), 1, {}), ("gemm_counted_from_the_end", (8, 6), -1, {}),
                                  ("gemm_turned_counted_from_the_end", (6, 8), -2, {"transB": 1})):
    def _gemm(shape: tuple[int, int] = shape, axis: int = axis, given: dict[str, int] = given) -> Net:
        net = Net(shape=[2, 8])
        net.node("Gemm", [net.pair("x"), net.weight("w", shape, axis)], "y", **given)
        return net
    CASES[label] = _gemm


@case
def default_axis() -> Net:
    net = Net(shape=[2, 8])
    read = net.pair("x")
    net.node("MatMul", [read, net.weight("w", (8, 6), 1)], "y")
    del net.nodes[2].attribute[:]
    return net


@case
def transposed_convolution() -> Net:
    net = Net()
    net.node("ConvTranspose", [net.pair("x"), net.weight("w", (4, 6, 2, 2), 1)], "y", strides=[2, 2])
    return net


@case
def transposed_convolution_in_groups() -> Net:
    net = Net()
    net.node("ConvTranspose", [net.pair("x"), net.weight("w", (4, 3, 2, 2))], "y", strides=[2, 2], group=2)
    return net


@case
def depthwise() -> Net:
    net = Net()
    net.node("Conv", [net.pair("x"), net.weight("w", (4, 1, 3, 3), 0)], "y", group=4)
    return net


CASES["convolution_1d"] = lambda: _conv_of([1, 4, 9], (5, 4, 3))
CASES["convolution_3d"] = lambda: _conv_of([1, 4, 5, 5, 5], (5, 4, 2, 2, 2))


def _conv_of(shape: list[int], weight: tuple[int, ...]) -> Net:
    net = Net(shape=shape)
    net.node("Conv", [net.pair("x"), net.weight("w", weight, 0)], "y")
    return net


def _biased(per_channel: bool, zero: bool = False, stored: str = "b") -> Net:
    net = Net()
    read = net.pair("x", 0.05)
    axis = 0 if per_channel else None
    made = net.weight("w", (4, 4, 1, 1), axis)
    scales = numpy_helper.to_array(next(each for each in net.stored if each.name == "w_s"))
    operands = [net.tensor(stored, rng.integers(-1000, 1000, 4).astype(np.int32)),
                net.tensor(stored + "_s", (np.float32(0.05) * scales).astype(np.float32))]
    if zero:
        operands.append(net.tensor(stored + "_z", np.zeros(scales.shape, np.int32)))
    net.node("DequantizeLinear", operands, stored + "_dq", **({"axis": 0} if per_channel else {}))
    net.node("Conv", [read, made, stored + "_dq"], "y")
    return net


CASES["bias"] = lambda: _biased(False)
CASES["bias_per_channel"] = lambda: _biased(True)
CASES["bias_with_zero_points_of_zero"] = lambda: _biased(True, True)
CASES["bias_with_an_odd_name"] = lambda: _biased(False, stored="b/ä b")


@case
def float_bias() -> Net:
    net = Net()
    net.node("Conv", [net.pair("x"), net.weight("w", (4, 4, 1, 1), 0), net.tensor("b", np.ones(4, np.float32))], "y")
    return net


@case
def shared_scales() -> Net:
    net = conv(Net(), result="a")
    conv(net, "a")
    for node in net.nodes:
        if node.op_type in ("QuantizeLinear", "DequantizeLinear") and not node.input[0].startswith("w_"):
            node.input[1] = "x_s"
    return net


@case
def scale_from_constant() -> Net:
    net = Net(shape=[2, 8])
    net.node("Constant", [], "s", value=numpy_helper.from_array(np.array(0.05, np.float32)))
    z = net.tensor("z", np.array(128, np.uint8))
    net.node("QuantizeLinear", ["x", "s", z], "q")
    net.node("DequantizeLinear", ["q", "s", z], "d")
    net.node("MatMul", ["d", net.weight("w", (8, 6), 1)], "y")
    return net


@case
def scale_through_identity() -> Net:
    net = conv(Net())
    net.nodes.insert(0, helper.make_node("Identity", ["x_s"], ["same"], "same_node"))
    net.nodes[1].input[1] = "same"
    return net


@case
def scale_that_may_be_given() -> Net:
    net = conv(Net())
    net.more_inputs.append(helper.make_tensor_value_info("x_s", TensorProto.FLOAT, []))
    return net


@case
def initialisers_as_inputs() -> Net:
    net = conv(Net())
    net.more_inputs += [helper.make_tensor_value_info(each.name, each.data_type, list(each.dims)) for each in net.stored]
    return net


def _between(kind: str, opset: int = 17, shape: list[int] | None = None, extra: dict[str, Array] | None = None, **given: Any) -> Net:
    """An operator that moves stored numbers stands between Q and DQ."""
    net = Net(opset, shape=shape)
    s, z = net.tensor("s", np.array(0.05, np.float32)), net.tensor("z", np.array(128, np.uint8))
    net.node("QuantizeLinear", ["x", s, z], "q")
    net.node(kind, ["q", *(net.tensor(name, numbers) for name, numbers in (extra or {}).items())], "moved", **given)
    net.node("DequantizeLinear", ["moved", s, z], "d")
    net.node("Tanh", ["d"], "y")
    return net


CASES["reshape_between"] = lambda: _between("Reshape", extra={"to": np.array([4, 36])})
CASES["transpose_between"] = lambda: _between("Transpose", perm=[0, 2, 3, 1])
CASES["slice_between"] = lambda: _between("Slice", extra={"a": np.array([0]), "b": np.array([2]), "c": np.array([1])})
CASES["gather_between"] = lambda: _between("Gather", extra={"k": np.array([0, 2])}, axis=1)
CASES["max_pool_between"] = lambda: _between("MaxPool", kernel_shape=[2, 2])
CASES["identity_between"] = lambda: _between("Identity")
CASES["flatten_between"] = lambda: _between("Flatten")
CASES["squeeze_between"] = lambda: _between("Squeeze", extra={"axes": np.array([0])})
CASES["expand_between"] = lambda: _between("Expand", extra={"to": np.array([2, 4, 6, 6])})


@case
def concat_between() -> Net:
    net = Net()
    s, z = net.tensor("s", np.array(0.05, np.float32)), net.tensor("z", np.array(128, np.uint8))
    net.node("QuantizeLinear", ["x", s, z], "q")
    net.node("Relu", ["x"], "r")
    net.node("QuantizeLinear", ["r", s, z], "p")
    net.node("Concat", ["q", "p"], "both", axis=1)
    net.node("DequantizeLinear", ["both", s, z], "y")
    return net


@case
def weights_quantised_in_the_graph() -> Net:
    net = Net()
    net.tensor("w", (rng.standard_normal((4, 4, 1, 1)) * 0.2).astype(np.float32))
    read = net.pair("x")
    net.node("Conv", [read, net.pair("w", 0.01, np.int8(0))], "y")
    return net


@case
def weights_turned_behind_the_dequantiser() -> Net:
    net = Net(shape=[2, 8])
    read = net.pair("x")
    net.node("Transpose", [net.weight("w", (6, 8), 0)], "wt", perm=[1, 0])
    net.node("MatMul", [read, "wt"], "y")
    return net


@case
def weights_reshaped_before_the_dequantiser() -> Net:
    net = Net()
    net.tensor("w", rng.integers(-9, 9, (4, 4)).astype(np.int8))
    net.node("Reshape", ["w", net.tensor("to", np.array([4, 4, 1, 1]))], "w4")
    s = net.tensor("w_s", np.array(0.02, np.float32))
    net.node("DequantizeLinear", ["w4", s], "w_dq")
    net.node("Conv", [net.pair("x"), "w_dq"], "y")
    return net


@case
def asymmetric_int8_weights() -> Net:
    net = conv(Net(), per_channel=False)
    next(each for each in net.stored if each.name == "w_y_z").CopyFrom(numpy_helper.from_array(np.array(7, np.int8), "w_y_z"))
    return net


@case
def uint8_weights() -> Net:
    net = Net()
    net.tensor("w", rng.integers(0, 255, (4, 4, 1, 1)).astype(np.uint8))
    net.node("DequantizeLinear", ["w", net.tensor("w_s", np.array(0.02, np.float32)), net.tensor("w_z", np.array(127, np.uint8))], "w_dq")
    net.node("Conv", [net.pair("x"), "w_dq"], "y")
    return net


@case
def weights_alone() -> Net:
    net = Net(shape=[2, 8])
    net.node("MatMul", ["x", net.weight("w", (8, 6), 1)], "y")
    return net


@case
def table_of_bytes() -> Net:
    net = Net(dtype=TensorProto.INT64, shape=[3])
    net.node("Gather", [net.tensor("t", rng.integers(-9, 9, (10, 4)).astype(np.int8)), "x"], "rows")
    net.node("DequantizeLinear", ["rows", net.tensor("s", np.array(0.1, np.float32))], "y")
    return net


@case
def table_dequantised_first() -> Net:
    net = Net(dtype=TensorProto.INT64, shape=[3])
    net.node("Gather", [net.weight("t", (10, 4)), "x"], "y")
    return net


@case
def one_quantiser_with_several_readers() -> Net:
    net = conv(Net())
    net.nodes[-1].output[0] = "left"
    net.node("DequantizeLinear", list(net.nodes[-1].input), "right")
    net.node("Add", ["left", "right"], "y")
    return net


@case
def two_quantisers_of_one_value() -> Net:
    net = Net()
    first, second = net.pair("x", 0.05, label="a"), net.pair("x", 0.02, label="b")
    net.node("Conv", [first, net.weight("w", (4, 4, 1, 1), 0)], "c")
    net.node("Conv", [second, net.weight("v", (4, 4, 1, 1), 0)], "d")
    net.node("Add", [net.pair("c", 0.3), net.pair("d", 0.2)], "y")
    return net


@case
def rounded_twice_alike() -> Net:
    net = conv(Net())
    net.nodes[-1].output[0] = "once"
    net.node("QuantizeLinear", ["once", *net.nodes[-1].input[1:]], "again_q")
    net.node("DequantizeLinear", ["again_q", *net.nodes[-2].input[1:]], "y")
    return net


@case
def input_of_bytes() -> Net:
    net = Net(dtype=TensorProto.UINT8)
    net.node("DequantizeLinear", ["x", net.tensor("s", np.array(0.02, np.float32)), net.tensor("z", np.array(128, np.uint8))], "d")
    net.node("Conv", ["d", net.weight("w", (4, 4, 1, 1), 0)], "y")
    return net


@case
def output_of_bytes() -> Net:
    net = conv(Net())
    net.nodes.pop()
    net.output = (net.nodes[-1].output[0], TensorProto.UINT8)
    return net


@case
def residual() -> Net:
    net = Net()
    read = net.pair("x")
    net.node("Conv", [read, net.weight("w", (4, 4, 1, 1), 0)], "c")
    net.node("Add", [net.pair("c", 0.2), read], "s")
    net.pair("s", 0.25)
    net.nodes[-1].output[0] = "y"
    return net


@case
def softmax_with_a_fixed_scale() -> Net:
    net = Net(shape=[2, 8])
    net.node("Softmax", [net.pair("x")], "s")
    net.pair("s", 1 / 256, np.uint8(0))
    net.nodes[-1].output[0] = "y"
    return net


@case
def product_of_activations() -> Net:
    net = Net(shape=[2, 3, 8])
    read = net.pair("x")
    net.node("Transpose", [read], "t", perm=[0, 2, 1])
    net.node("MatMul", [read, "t"], "m")
    net.pair("m", 0.3)
    net.nodes[-1].output[0] = "y"
    return net


@case
def nodes_without_names() -> Net:
    net = conv(Net())
    for node in net.nodes:
        node.name = ""
    return net


@case
def clip_and_pool() -> Net:
    net = conv(Net(), result="c")
    net.node("Clip", ["c", net.tensor("low", np.array(0, np.float32)), net.tensor("high", np.array(6, np.float32))], "k")
    net.node("AveragePool", [net.pair("k", 6 / 255, np.uint8(0))], "p", kernel_shape=[2, 2])
    net.pair("p", 6 / 255, np.uint8(0))
    net.nodes[-1].output[0] = "y"
    return net


@case
def small_scale() -> Net:
    net = Net()
    net.node("Conv", [net.pair("x", 1e-30), net.weight("w", (4, 4, 1, 1), 0)], "y")
    return net


# Operators that compute with stored numbers


def _scales(net: Net, *names: str, zero: Any = MIDDLE) -> list[str]:
    made = []
    for name in names:
        made += [net.tensor(name + "_s", np.array(0.05, np.float32)), net.tensor(name + "_z", np.array(zero))]
    return made


@case
def qlinear_conv() -> Net:
    net = Net()
    a = _scales(net, "a")
    net.node("QuantizeLinear", ["x", *a], "q")
    w = [net.tensor("w", rng.integers(-9, 9, (4, 4, 1, 1)).astype(np.int8)), net.tensor("w_s", np.full(4, 0.01, np.float32)),
         net.tensor("w_z", np.zeros(4, np.int8))]
    b = _scales(net, "b")
    net.node("QLinearConv", ["q", *a, *w, *b, net.tensor("bias", np.arange(4, dtype=np.int32))], "c")
    net.node("DequantizeLinear", ["c", *b], "y")
    return net


@case
def qlinear_matmul() -> Net:
    net = Net(shape=[2, 8])
    a, b = _scales(net, "a"), _scales(net, "b")
    net.node("QuantizeLinear", ["x", *a], "q")
    w = [net.tensor("w", rng.integers(0, 9, (8, 6)).astype(np.uint8)), *_scales(net, "w")]
    net.node("QLinearMatMul", ["q", *a, *w, *b], "m")
    net.node("DequantizeLinear", ["m", *b], "y")
    return net


def _dynamic(kind: str, weight: Array, shape: list[int]) -> Net:
    net = Net(shape=shape)
    net.nodes.append(helper.make_node("DynamicQuantizeLinear", ["x"], ["q", "s", "z"], "dynamic"))
    net.node(kind, ["q", net.tensor("w", weight), "z", net.tensor("wz", np.zeros((), weight.dtype))], "i")
    net.node("Cast", ["i"], "f", to=TensorProto.FLOAT)
    net.node("Mul", ["s", net.tensor("ws", np.array(0.01, np.float32))], "both")
    net.node("Mul", ["f", "both"], "y")
    return net


CASES["matmul_integer"] = lambda: _dynamic("MatMulInteger", rng.integers(0, 9, (8, 6)).astype(np.uint8), [2, 8])
CASES["conv_integer"] = lambda: _dynamic("ConvInteger", rng.integers(0, 9, (4, 4, 1, 1)).astype(np.uint8), IMAGE)

MICROSOFT = "com.microsoft"


@case
def microsoft_add() -> Net:
    net = Net()
    a, b = _scales(net, "a"), _scales(net, "b")
    net.node("QuantizeLinear", ["x", *a], "q")
    net.node("QLinearAdd", ["q", *a, "q", *a, *b], "s", MICROSOFT)
    net.node("DequantizeLinear", ["s", *b], "y")
    return net


@case
def microsoft_sigmoid() -> Net:
    net = Net()
    a, b = _scales(net, "a"), _scales(net, "b")
    net.node("QuantizeLinear", ["x", *a], "q")
    net.node("QLinearSigmoid", ["q", *a, *b], "s", MICROSOFT)
    net.node("DequantizeLinear", ["s", *b], "y")
    return net


@case
def microsoft_concat() -> Net:
    net = Net()
    a, b = _scales(net, "a"), _scales(net, "b")
    net.node("QuantizeLinear", ["x", *a], "q")
    net.node("QLinearConcat", [*b, "q", *a, "q", *a], "s", MICROSOFT, axis=1)
    net.node("DequantizeLinear", ["s", *b], "y")
    return net


@case
def microsoft_gemm() -> Net:
    net = Net(shape=[2, 8])
    a, b = _scales(net, "a"), _scales(net, "b")
    net.node("QuantizeLinear", ["x", *a], "q")
    w = [net.tensor("w", rng.integers(-9, 9, (8, 6)).astype(np.int8)), net.tensor("w_s", np.full(6, 0.01, np.float32)),
         net.tensor("w_z", np.zeros(6, np.int8))]
    net.node("QGemm", ["q", *a, *w, net.tensor("bias", np.arange(6, dtype=np.int32)), *b], "m", MICROSOFT)
    net.node("DequantizeLinear", ["m", *b], "y")
    return net


@case
def microsoft_dynamic_matmul() -> Net:
    net = Net(shape=[2, 8])
    net.node("DynamicQuantizeMatMul", ["x", net.tensor("w", rng.integers(-9, 9, (8, 6)).astype(np.int8)),
                                       net.tensor("w_s", np.array(0.01, np.float32)), net.tensor("w_z", np.array(0, np.int8))], "y", MICROSOFT)
    return net


@case
def microsoft_matmul_in_few_bits() -> Net:
    net = Net(shape=[2, 32])
    net.node("MatMulNBits", ["x", net.tensor("w", rng.integers(0, 255, (6, 1, 16)).astype(np.uint8)),
                             net.tensor("s", np.full(6, 0.01, np.float32))], "y", MICROSOFT, K=32, N=6, bits=4, block_size=32)
    return net


@case
def microsoft_pairs() -> Net:
    net = conv(Net(13))
    for node in net.nodes:
        if node.op_type in ("QuantizeLinear", "DequantizeLinear"):
            node.domain = MICROSOFT
    net.domains.add(MICROSOFT)
    return net


# Subgraphs, functions, and where tensors are


def _branch(label: str) -> onnx.GraphProto:
    net = conv(Net(), result="out_" + label)
    for node in net.nodes:
        for names in (node.input, node.output):
            for i, name in enumerate(names):
                if name and name != "x" and not name.startswith("out_"):
                    names[i] = f"{label}_{name}"
        node.name = f"{label}_{node.name}"
    for tensor in net.stored:
        tensor.name = f"{label}_{tensor.name}"
    return helper.make_graph(net.nodes, label, [], [helper.make_tensor_value_info("out_" + label, TensorProto.FLOAT, IMAGE)], net.stored)


@case
def pairs_in_both_branches() -> Net:
    net = conv(Net(), result="m")
    net.more_inputs.append(helper.make_tensor_value_info("flag", TensorProto.BOOL, []))
    net.node("If", ["flag"], "i", then_branch=_branch("then"), else_branch=_branch("else"))
    net.node("Add", [net.pair("m", 0.2, label="m2"), net.pair("i", 0.2)], "y")
    return net


@case
def scale_of_the_outer_graph() -> Net:
    net = Net()
    net.more_inputs.append(helper.make_tensor_value_info("flag", TensorProto.BOOL, []))
    s, z = net.tensor("s", np.array(0.05, np.float32)), net.tensor("z", np.array(128, np.uint8))

    def body(label: str) -> onnx.GraphProto:
        nodes = [helper.make_node("QuantizeLinear", ["x", s, z], [label + "_q"], label + "_quantise"),
                 helper.make_node("DequantizeLinear", [label + "_q", s, z], [label + "_d"], label + "_dequantise")]
        return helper.make_graph(nodes, label, [], [helper.make_tensor_value_info(label + "_d", TensorProto.FLOAT, IMAGE)])

    net.node("If", ["flag"], "y", then_branch=body("then"), else_branch=body("else"))
    return net


@case
def function_of_pairs() -> Net:
    net = Net(shape=[2, 8])
    nodes = [helper.make_node("QuantizeLinear", ["v", "s", "z"], ["q"]), helper.make_node("DequantizeLinear", ["q", "s", "z"], ["d"])]
    net.functions.append(helper.make_function("own", "Fake", ["v", "s", "z"], ["d"], nodes, [helper.make_opsetid("", 17)]))
    s, z = net.tensor("s", np.array(0.05, np.float32)), net.tensor("z", np.array(128, np.uint8))
    net.node("Fake", ["x", s, z], "f", "own")
    net.node("MatMul", ["f", net.weight("w", (8, 6), 1)], "m")
    net.node("Fake", ["m", s, z], "y", "own")
    return net


def models() -> Iterator[tuple[str, onnx.ModelProto]]:
    for name, build in CASES.items():
        yield name, build().model()


def write(folder: pathlib.Path) -> None:
    for name, model in models():
        onnx.save(model, folder / f"{name}.onnx")
    big = conv(Net()).model()
    onnx.save(big, folder / "external_data.onnx", save_as_external_data=True, all_tensors_to_one_file=True, location="external_data.bin",
              size_threshold=0, convert_attribute=False)


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]))
