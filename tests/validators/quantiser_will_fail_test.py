#!/usr/bin/env python3
"""Quantises small models with ONNX Runtime, and compares what happens with what quantiser-will-fail foresees.

usage: quantiser_will_fail_test.py PROGRAM
"""
import json
import logging
import pathlib
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Callable, Iterator

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, quantize_dynamic, quantize_static

rng = np.random.default_rng(0)
IMAGE = [1, 4, 6, 6]


def numbers(*shape: int) -> np.ndarray:
    return rng.standard_normal(shape).astype(np.float32)


def declared(name: str, shape: list[int]) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def model(nodes: list[onnx.NodeProto], stored: dict[str, np.ndarray], takes: list[int], yields: list[int], opset: int = 17,
          values: list[onnx.ValueInfoProto] | None = None) -> onnx.ModelProto:
    graph = helper.make_graph(nodes, "net", [declared("x", takes)], [declared("y", yields)],
                              [numpy_helper.from_array(array, name) for name, array in stored.items()], value_info=values or [])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def conv(value: str, weight: str, bias: str, result: str) -> onnx.NodeProto:
    return helper.make_node("Conv", [value, weight, bias], [result], f"conv_{result}", pads=[1] * 4)


def two_convs(between: str) -> onnx.ModelProto:
    return model([conv("x", "w1", "val_44", between), conv(between, "w2", "val_44", "y")],
                 {"w1": numbers(4, 4, 3, 3), "w2": numbers(4, 4, 3, 3), "val_44": numbers(4)}, IMAGE, IMAGE)


def one_conv(opset: int) -> onnx.ModelProto:
    return model([conv("x", "w", "b", "y")], {"w": numbers(4, 4, 3, 3), "b": numbers(4)}, IMAGE, IMAGE, opset)


def product(*shape: int) -> onnx.ModelProto:
    return model([helper.make_node("MatMul", ["x", "w"], ["h"], "product"), helper.make_node("Relu", ["h"], ["y"], "relu")],
                 {"w": numbers(*shape)}, [2, 3, 4], [2, 3, 5])


def gemm(bias: tuple[int, ...], turned: bool = False, listed: bool = False) -> onnx.ModelProto:
    node = helper.make_node("Gemm", ["x", "w", "b"], ["y"], "gemm", transB=int(turned))
    shape = [5, 4] if turned else [4, 5]
    return model([node], {"w": numbers(*shape), "b": numbers(*bias)}, [3, 4], [3, 5],
                 values=[declared("w", shape)] if listed else None)


def conv_in_if() -> onnx.ModelProto:
    then = helper.make_graph([conv("x", "w", "b", "t")], "then", [], [declared("t", IMAGE)],
                             [numpy_helper.from_array(numbers(4, 4, 3, 3), "w"), numpy_helper.from_array(numbers(4), "b")])
    other = helper.make_graph([helper.make_node("Relu", ["x"], ["e"], "relu")], "else", [], [declared("e", IMAGE)])
    return model([helper.make_node("ReduceMax", ["x"], ["s"], "max", keepdims=0),
                  helper.make_node("Cast", ["s"], ["c"], "cast", to=TensorProto.BOOL),
                  helper.make_node("If", ["c"], ["y"], "if", then_branch=then, else_branch=other)], {}, IMAGE, IMAGE)


class Samples(CalibrationDataReader):  # type: ignore[misc]
    def __init__(self, shape: list[int]) -> None:
        self.samples: Iterator[dict[str, np.ndarray]] = iter([{"x": numbers(*shape)} for _ in range(2)])

    def get_next(self) -> dict[str, np.ndarray] | None:
        return next(self.samples, None)


def what_happens(file: pathlib.Path, quantise: Callable[[str], None], shape: list[int]) -> str:
    """`fails`, `nothing` or `works`."""
    result = str(file.with_suffix(".quantised.onnx"))
    try:
        quantise(result)
        session = onnxruntime.InferenceSession(result, providers=["CPUExecutionProvider"])
        session.run(None, {"x": numbers(*shape)})
    except Exception:  # whatever it is that the quantiser or the runtime raises
        return "fails"
    roles = {node.op_type for node in onnx.load(result).graph.node}
    return "works" if roles & {"QuantizeLinear", "DynamicQuantizeLinear", "MatMulInteger", "ConvInteger"} else "nothing"


class QuantiserWillFail(unittest.TestCase):
    program = ""

    def foreseen(self, file: pathlib.Path) -> list[str]:
        ran = subprocess.run([self.program, "check", "--select", "quantiser-will-fail", "--target", "onnxruntime-quantize",
                              "--output-format", "json", str(file)], capture_output=True, text=True, check=False)
        return [each["message"] for each in json.loads(ran.stdout)["models"][0]["findings"]]

    def compare(self, proto: onnx.ModelProto) -> dict[str, str]:
        """What happens by the quantiser's options, after comparing it with what was foreseen."""
        shape = [size.dim_value for size in proto.graph.input[0].type.tensor_type.shape.dim]
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "model.onnx"
            onnx.save(proto, file)
            happens = {
                "static": what_happens(file, lambda to: quantize_static(str(file), to, Samples(shape)), shape),
                "channel": what_happens(file, lambda to: quantize_static(str(file), to, Samples(shape), per_channel=True), shape),
                "dynamic": what_happens(file, lambda to: quantize_dynamic(str(file), to), shape)}
            said = self.foreseen(file)
        def told(words: str, option: str) -> bool:
            return any(words in text and option in text for text in said)

        self.assertEqual(happens["static"] == "fails", told("will fail", "(quantize_static)"), (happens, said))
        self.assertEqual(happens["channel"] == "fails",
                         told("will fail", "per_channel") or told("will fail", "(quantize_static)"), (happens, said))
        self.assertEqual(happens["static"] == "nothing", told("will quantise nothing", "quantize_static"), (happens, said))
        if happens["dynamic"] != "nothing":
            self.assertEqual(happens["dynamic"] == "fails", told("will fail", "quantize_dynamic"), (happens, said))
        return happens

    def test_shared_bias(self) -> None:
        self.assertEqual(self.compare(two_convs("val_440"))["static"], "fails")
        self.assertEqual(self.compare(two_convs("val_449"))["static"], "works")
        self.assertEqual(self.compare(two_convs("other"))["static"], "works")

    def test_opset(self) -> None:
        self.assertEqual(self.compare(one_conv(11))["channel"], "fails")
        self.assertEqual(self.compare(one_conv(17))["channel"], "works")

    def test_constant_of_rank_3(self) -> None:
        self.assertEqual(self.compare(product(2, 4, 5))["channel"], "fails")
        self.assertEqual(self.compare(product(4, 5))["channel"], "works")

    def test_bias_of_gemm(self) -> None:
        self.assertEqual(self.compare(gemm((1, 5)))["channel"], "fails")
        self.assertEqual(self.compare(gemm((5,)))["channel"], "works")

    def test_declared_weight(self) -> None:
        self.assertEqual(self.compare(gemm((5,), turned=True, listed=True))["dynamic"], "fails")
        self.compare(gemm((5,), turned=True))
        self.compare(gemm((5,), listed=True))

    def test_layers_in_a_branch(self) -> None:
        self.assertEqual(self.compare(conv_in_if())["static"], "nothing")

    def test_quantised_already(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "model.onnx"
            onnx.save(one_conv(17), file)
            quantised = pathlib.Path(folder) / "quantised.onnx"
            quantize_static(str(file), str(quantised), Samples(IMAGE))
            self.assertEqual(self.foreseen(file), [])
            self.assertEqual(len(self.foreseen(quantised)), 1)


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    onnxruntime.set_default_logger_severity(4)
    QuantiserWillFail.program = sys.argv[1]
    unittest.main(argv=sys.argv[:1])
