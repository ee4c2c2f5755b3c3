#!/usr/bin/env python3
"""Quantises small models with ONNX Runtime, and compares what becomes of each node with what quantise-plan says.

usage: quantise_plan_test.py PROGRAM
"""
import json
import logging
import pathlib
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Iterator
from typing import Any

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, quantize_static

rng = np.random.default_rng(0)
IMAGE = [1, 8, 6, 6]


class Samples(CalibrationDataReader):  # type: ignore[misc]
    def __init__(self) -> None:
        self.samples: Iterator[dict[str, np.ndarray]] = iter([{"x": rng.standard_normal(IMAGE).astype(np.float32)}] * 2)

    def get_next(self) -> dict[str, np.ndarray] | None:
        return next(self.samples, None)


def net(nodes: list[tuple[str, list[str], list[str], dict[str, Any]]], stored: dict[str, np.ndarray], opset: int = 17) -> onnx.ModelProto:
    """Nodes are named by their first result; the last one is `y`."""
    made = [helper.make_node(kind, inputs, outputs, outputs[0] + "_node", **given) for kind, inputs, outputs, given in nodes]
    graph = helper.make_graph(made, "net", [helper.make_tensor_value_info("x", TensorProto.FLOAT, IMAGE)],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
                              [numpy_helper.from_array(array, name) for name, array in stored.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    return onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True)


def weights(*shape: int) -> np.ndarray:
    return rng.standard_normal(shape).astype(np.float32)


CONV = {"w": weights(8, 8, 3, 3), "b": weights(8)}
PADDED = {"pads": [1, 1, 1, 1]}


class QuantisePlan(unittest.TestCase):
    program = ""

    def test_a_file_of_another_format_is_told_a_quantiser_of_its_own(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "net.pt2"
            torch.export.save(torch.export.export(Reused(True), (torch.zeros(IMAGE),)), file)
            ran = subprocess.run([self.program, "quantise-plan", str(file)], capture_output=True, text=True, check=False)
            self.assertEqual(ran.returncode, 2)
            self.assertIn("try `--target xnnpack-quantize`", ran.stderr)
            self.assertTrue(self.plan(file, "--target", "xnnpack-quantize")["nodes"])

    def plan(self, file: pathlib.Path, *options: str) -> dict[str, Any]:
        ran = subprocess.run([self.program, "quantise-plan", "--output-format", "json", *options, str(file)], capture_output=True,
                             text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        plan: dict[str, Any] = json.loads(ran.stdout)
        return plan

    def said(self, file: pathlib.Path, *options: str) -> dict[str, str]:
        return {node["name"]: node["becomes"] for node in self.plan(file, *options)["nodes"] if node["known"]}

    def states(self, before: onnx.ModelProto, after: onnx.ModelProto) -> dict[str, str]:
        """By node of the float model, what became of it: read from the quantised one."""
        made = {output: node for node in after.graph.node for output in node.output}
        read = [node for node in after.graph.node if node.op_type == "QuantizeLinear"]
        quantised_results = {node.input[0] for node in read}
        dtypes = {value.name: value.type.tensor_type.elem_type for value in [*before.graph.value_info, *before.graph.output,
                                                                           *before.graph.input]}
        dtypes |= {tensor.name: tensor.data_type for tensor in before.graph.initializer}
        states = {}
        for old in before.graph.node:
            new = next((node for node in after.graph.node if node.name == old.name), None)
            if new is None:
                states[old.name] = "removed"
                continue
            marks = [made.get(name) is not None and made[name].op_type == "DequantizeLinear"
                     for name, was in zip(new.input, old.input, strict=True) if dtypes.get(was) == TensorProto.FLOAT]
            marks += [name in quantised_results or any(node.op_type == "QuantizeLinear" and name in node.input for node in read)
                      for name, was in zip(new.output, old.output, strict=True) if dtypes.get(was) == TensorProto.FLOAT]
            states[old.name] = "quantised" if marks and all(marks) else "partly" if any(marks) else "float"
        return states

    def compare(self, model: onnx.ModelProto, **expected: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file, to = pathlib.Path(folder) / "model.onnx", pathlib.Path(folder) / "quantised.onnx"
            onnx.save(model, file)
            for per_channel, scheme in ((False, "int8"), (True, "int8-per-channel")):
                said = self.said(file, "--scheme", scheme)
                if per_channel and model.opset_import[0].version < 13:
                    continue
                quantize_static(str(file), str(to), Samples(), per_channel=per_channel)
                happened = self.states(model, onnx.load(to))
                self.assertEqual(said, {name: happened[name] for name in said})
                for name, state in expected.items():
                    self.assertEqual(said.get(name + "_node"), state, said)

    def test_layers(self) -> None:
        self.compare(net([("Conv", ["x", "w", "b"], ["c"], PADDED), ("Relu", ["c"], ["r"], {}), ("MaxPool", ["r"], ["m"], {"kernel_shape": [2, 2]}),
                          ("Flatten", ["m"], ["f"], {}), ("Gemm", ["f", "g", "h"], ["y"], {})],
                         {**CONV, "g": weights(200, 5), "h": weights(5)}), r="removed", c="quantised", m="quantised", y="quantised")

    def test_a_relu_stays_where_something_else_reads_its_operand(self) -> None:
        self.compare(net([("Conv", ["x", "w", "b"], ["c"], PADDED), ("Relu", ["c"], ["r"], {}), ("Add", ["c", "r"], ["y"], {})], CONV),
                     r="quantised")

    def test_a_relu_without_a_quantised_operand(self) -> None:
        self.compare(net([("Abs", ["x"], ["a"], {}), ("Relu", ["a"], ["r"], {}), ("Tanh", ["r"], ["y"], {})], {}), r="float")

    def test_what_passes_on_follows_its_operand(self) -> None:
        shape = {"s": np.array([1, 8, 36])}
        self.compare(net([("Erf", ["x"], ["e"], {}), ("Reshape", ["e", "s"], ["r"], {}), ("Tanh", ["r"], ["y"], {})], shape), r="float")
        self.compare(net([("Erf", ["x"], ["e"], {}), ("Reshape", ["e", "s"], ["r"], {}), ("Sigmoid", ["r"], ["y"], {})], shape), r="partly")
        self.compare(net([("Sigmoid", ["x"], ["e"], {}), ("Reshape", ["e", "s"], ["y"], {})], shape), y="quantised")

    def test_gather_of_a_table(self) -> None:
        table = {"t": weights(10, 4), "k": np.array([1, 2])}
        self.compare(net([("Gather", ["t", "k"], ["g"], {}), ("Abs", ["g"], ["a"], {}), ("ReduceMax", ["a"], ["m"], {"keepdims": 0}),
                          ("Mul", ["x", "m"], ["y"], {})], table), g="quantised")

    def test_integers(self) -> None:
        self.compare(net([("Cast", ["x"], ["i"], {"to": TensorProto.INT64}), ("Add", ["i", "one"], ["j"], {}),
                          ("Cast", ["j"], ["f"], {"to": TensorProto.FLOAT}), ("Add", ["f", "x"], ["y"], {})],
                         {"one": np.array(1)}), j="float", y="quantised")

    def test_where_asks_for_both_values(self) -> None:
        self.compare(net([("Sigmoid", ["x"], ["a"], {}), ("Greater", ["x", "zero"], ["c"], {}), ("Where", ["c", "a", "zero"], ["w"], {}),
                          ("Sigmoid", ["w"], ["y"], {})], {"zero": np.float32(0).reshape(1)}), w="partly")

    def test_size(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "model.onnx"
            onnx.save(net([("Conv", ["x", "w", "b"], ["y"], PADDED)], CONV), file)
            self.assertEqual(self.plan(file)["float_bytes"], 8 * 8 * 9 * 4 + 8 * 4)
            self.assertEqual(self.plan(file)["planned_bytes"], 8 * 8 * 9 + 5 + 8 * 4)
            self.assertEqual(self.plan(file, "--scheme", "int8-per-channel")["planned_bytes"], 8 * 8 * 9 + 8 * 5 + 8 * 4)
            self.assertEqual(self.plan(file, "--scheme", "fp16")["planned_bytes"], (8 * 8 * 9 + 8) * 2)

    def test_a_file_that_is_quantised_already(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "model.onnx"
            scale = {**CONV, "s": np.float32(0.1), "z": np.int8(0)}
            onnx.save(net([("QuantizeLinear", ["x", "s", "z"], ["q"], {}), ("DequantizeLinear", ["q", "s", "z"], ["d"], {}),
                           ("Conv", ["d", "w", "b"], ["y"], PADDED)], scale), file)
            self.assertTrue(self.plan(file)["quantised"])
            ran = subprocess.run([self.program, "quantise-plan", str(file)], capture_output=True, text=True, check=False)
            self.assertIn("The file is quantised already", ran.stdout)
            onnx.save(net([("Conv", ["x", "w", "b"], ["y"], PADDED)], CONV), file)
            self.assertFalse(self.plan(file)["quantised"])

    def test_what_there_is_not(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "model.onnx"
            onnx.save(net([("Conv", ["x", "w", "b"], ["y"], PADDED)], CONV), file)
            for options in (["--scheme", "int5"], ["--scheme", "int4"], ["--scheme", "int4:g"], ["--scheme", "int8:g32"],
                            ["--target", "openvino"], ["--target", "xnnpack-quantize"]):
                ran = subprocess.run([self.program, "quantise-plan", *options, str(file)], capture_output=True, text=True, check=False)
                self.assertEqual(ran.returncode, 2, options)
                self.assertIn("help", ran.stderr)

    def test_exported_program(self) -> None:
        said = self.of_program(Torch(), "--target", "xnnpack-quantize")
        for name, state in (("conv2d", "quantised"), ("batch_norm", "removed"), ("relu", "quantised"), ("conv2d_1", "quantised"),
                            ("conv2d_2", "float"), ("conv_transpose2d", "float"), ("add", "quantised"), ("add_1", "float"), ("mul", "quantised"),
                            ("linear", "quantised")):
            self.assertEqual(said[name][0], state, (name, said))
        self.assertNotIn("gelu", {name for name, (state, _) in said.items() if state != "float"})

    def test_groups_that_do_not_divide(self) -> None:
        said = self.of_program(Torch(), "--target", "xnnpack-quantize", "--scheme", "int4:g4")
        self.assertEqual(said["linear"], ("float", "groups of 4 do not divide its width, 6"))
        self.assertEqual(self.of_program(Torch(), "--target", "xnnpack-quantize", "--scheme", "int4:g3")["linear"][0], "quantised")

    def test_patterns_of_the_x86_quantiser(self) -> None:
        said = self.of_program(Patterns(), "--target", "x86-quantize")
        # As X86InductorQuantizer.annotate of torchao 0.18.0 takes them.
        self.assertEqual({name for name, (state, _) in said.items() if state == "quantised"},
                         {"conv2d", "relu", "conv2d_1", "add", "silu", "conv2d_2", "max_pool2d", "mul", "linear", "gelu", "linear_2", "add_2"})
        self.assertEqual(said["batch_norm"][0], "removed")
        for name in ("conv1d", "linear_1", "relu_1", "add_1", "mul_1", "tanh", "max_pool2d_1", "cat"):
            self.assertEqual(said[name][0], "float", (name, said[name]))

    def test_a_module_behind_a_convolution_that_is_called_again(self) -> None:
        """X86InductorQuantizer fails with "Input partition has more than one output node"."""
        self.assertEqual(self.failures(Reused(behind=True)), ["`x86-quantize` (prepare_pt2e) will fail: `relu` is called 2 times"])
        self.assertEqual(self.failures(Reused(behind=False)), [])
        self.assertEqual(len(self.failures(ReusedBehindSum())), 1)
        self.assertEqual(self.failures(Patterns()), [])

    def failures(self, module: torch.nn.Module) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "model.pt2"
            torch.export.save(torch.export.export(module.eval(), (torch.ones(IMAGE),)), file)
            ran = subprocess.run([self.program, "check", "--isolated", "--select", "quantiser-will-fail", "--target", "x86-quantize",
                                  "--output-format", "json", str(file)], capture_output=True, text=True, check=False)
            return [each["message"] for each in json.loads(ran.stdout)["models"][0]["findings"]]

    def of_program(self, module: torch.nn.Module, *options: str) -> dict[str, tuple[str, str]]:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "model.pt2"
            torch.export.save(torch.export.export(module.eval(), (torch.ones(IMAGE),)), file)
            return {node["name"]: (node["becomes"], node["reason"]) for node in self.plan(file, *options)["nodes"]}


class Torch(torch.nn.Module):
    """One of each that the XNNPACK quantiser tells apart."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm = torch.nn.Conv2d(8, 8, 3, padding=1), torch.nn.BatchNorm2d(8)
        self.shared = torch.nn.Conv2d(8, 8, 1)
        self.transposed = torch.nn.ConvTranspose2d(8, 8, 1, groups=2)
        self.linear = torch.nn.Linear(6, 6)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.relu(self.norm(self.conv(x)))
        x = self.shared(self.shared(x))
        x = self.transposed(torch.nn.functional.gelu(x))
        x = (x + x) + -3.4e38
        return self.linear(x * 2.0)


class Patterns(torch.nn.Module):
    """One of each that the X86 quantiser tells apart."""

    def __init__(self) -> None:
        super().__init__()
        nn = torch.nn
        self.first, self.norm, self.relu = nn.Conv2d(8, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU()
        self.second, self.third, self.silu = nn.Conv2d(8, 8, 1), nn.Conv2d(8, 8, 1), nn.SiLU()
        self.pool, self.row, self.tanh = nn.MaxPool2d(2), nn.Conv1d(8, 8, 1), nn.Tanh()
        self.hidden, self.gelu, self.head = nn.Linear(3, 3), nn.GELU(), nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        functional = torch.nn.functional
        x = self.relu(self.norm(self.first(x)))
        y = self.second(x) + x
        z = self.silu(self.third(y))
        p = self.pool(z)
        p = p * p
        p = self.gelu(self.hidden(p))
        q = functional.linear(p, self.head.weight)  # no module's work
        q = functional.relu(q) + 1.0
        q = q * 2.0
        r = self.tanh(self.row(q.flatten(2)))
        r = functional.max_pool2d(r.unsqueeze(1), 1).squeeze(1).view(1, 8, 3, 3)
        return self.head(torch.cat([r, q])[:1]) + q


class ReusedBehindSum(torch.nn.Module):
    """A ReLU that is called twice, once behind the sum of a convolution and something else, as in HRNet."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm, self.relu = torch.nn.Conv2d(8, 8, 1), torch.nn.BatchNorm2d(8), torch.nn.ReLU()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.relu(self.relu(x + self.norm(self.conv(x))).tanh())


class Reused(torch.nn.Module):
    """A ReLU that is called twice, once right behind a convolution or not."""

    def __init__(self, behind: bool) -> None:
        super().__init__()
        self.conv, self.relu, self.behind = torch.nn.Conv2d(8, 8, 1), torch.nn.ReLU(), behind

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.relu(self.conv(x) if self.behind else self.conv(x).tanh())
        return self.relu(x + 1.0)


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    onnxruntime.set_default_logger_severity(4)
    QuantisePlan.program = sys.argv[1]
    unittest.main(argv=sys.argv[:1])
