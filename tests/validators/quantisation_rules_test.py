#!/usr/bin/env python3
"""Puts faults into small quantised models and looks whether the rules on quantisation tell them.

Environment: PROGRAM (the built program).
"""
import json
import os
import pathlib
import sys
import tempfile
import unittest
from typing import Any

import numpy as np
import onnx
import torch
import torch.ao.quantization.fx._decomposed  # registers quantized_decomposed
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))

import preloaded
from quantisation_faults import FAULTS, Editor, names_of

RULES = "quantisation-parameter,quantised-bias,quantisation-pair,partly-quantised,scale-proportion,saturating-products"
rng = np.random.default_rng(0)


class Net:
    """Writes a chain of quantised layers with a residual Add, as quantisers do."""

    def __init__(self, opset: int = 13) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.tensors: list[onnx.TensorProto] = []
        self.opset = opset

    def tensor(self, name: str, numbers: np.ndarray) -> str:
        self.tensors.append(numpy_helper.from_array(numbers, name))
        return name

    def quantise(self, value: str, scale: float, zero: int = 128) -> str:
        parameters = [self.tensor(f"{value}_scale", np.float32(scale)), self.tensor(f"{value}_zero", np.uint8(zero))]
        self.nodes.append(helper.make_node("QuantizeLinear", [value, *parameters], [f"{value}_q"], f"{value}_quantise"))
        self.nodes.append(helper.make_node("DequantizeLinear", [f"{value}_q", *parameters], [f"{value}_dq"], f"{value}_dequantise"))
        return f"{value}_dq"

    def weight(self, name: str, channels: int = 8, per_channel: bool = True, zero: int = 0) -> tuple[str, np.ndarray]:
        scales = rng.uniform(0.01, 0.02, channels if per_channel else ()).astype(np.float32)
        self.tensor(f"{name}_w", rng.integers(-127, 127, (channels, channels, 3, 3)).astype(np.int8))
        parameters = [self.tensor(f"{name}_w_scale", scales),
                      self.tensor(f"{name}_w_zero", np.full(scales.shape, zero, np.int8))]
        self.nodes.append(helper.make_node("DequantizeLinear", [f"{name}_w", *parameters], [f"{name}_w_dq"],
                                           f"{name}_w_dequantise", **({"axis": 0} if per_channel else {})))
        return f"{name}_w_dq", scales

    def conv(self, name: str, value: str, scale: float, per_channel: bool = True, zero: int = 0) -> str:
        weight, scales = self.weight(name, per_channel=per_channel, zero=zero)
        self.tensor(f"{name}_b", rng.integers(-1000, 1000, 8).astype(np.int32))
        of_bias = self.tensor(f"{name}_b_scale", np.full(8, 1, np.float32) * scales * np.float32(scale))
        zero_of_bias = self.tensor(f"{name}_b_zero", np.zeros(8, np.int32))
        self.nodes.append(helper.make_node("DequantizeLinear", [f"{name}_b", of_bias, zero_of_bias], [f"{name}_b_dq"],
                                           f"{name}_b_dequantise", axis=0))
        self.nodes.append(helper.make_node("Conv", [value, weight, f"{name}_b_dq"], [name], name, pads=[1] * 4))
        return name

    def model(self, result: str) -> onnx.ModelProto:
        shape = [1, 8, 6, 6]
        graph = helper.make_graph(self.nodes, "net", [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
                                  [helper.make_tensor_value_info(result, TensorProto.FLOAT, shape)], self.tensors)
        return onnx.shape_inference.infer_shapes(
            helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8))


def residual_net(per_channel: bool = True, zero: int = 0) -> onnx.ModelProto:
    net = Net()
    value, scale = net.quantise("x", 0.05), 0.05
    for k in range(5):
        net.conv(f"conv{k}", value, scale, per_channel, zero)
        scale = 0.1 + k / 100
        after = net.quantise(f"conv{k}", scale)
        net.nodes.append(helper.make_node("Add", [after, value], [f"add{k}"], f"add{k}"))
        value = net.quantise(f"add{k}", scale)
    return net.model(value)


class QuantisationRules(unittest.TestCase):
    program = os.environ["PROGRAM"]

    def findings(self, model: Any, suffix: str = ".onnx", *options: str) -> list[dict[str, Any]]:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / f"model{suffix}"
            if suffix == ".onnx":
                onnx.save(model, file)
            else:
                model(file)
            ran = preloaded.run([self.program, "check", "--select", RULES, *options, "--output-format", "json", file])
            models = json.loads(ran.stdout)["models"]
            self.assertIsNone(models[0]["error"], models[0]["error"])
            return list(models[0]["findings"])

    def rules(self, model: Any, suffix: str = ".onnx") -> list[str]:
        return sorted({each["rule"] for each in self.findings(model, suffix)})

    def test_every_fault_is_told_at_its_node(self) -> None:
        tried = 0
        for kind, fault in FAULTS.items():
            for per_channel in (True, False):
                editor = Editor(residual_net(per_channel))
                concerned = fault(editor)
                if concerned is None:
                    continue
                tried += 1
                with self.subTest(kind=kind, per_channel=per_channel):
                    said = [f"{each['message']} {each['notes']}" for each in self.findings(editor.model)]
                    names = names_of(concerned)
                    self.assertTrue(any(name in text for text in said for name in names), said)
        self.assertGreater(tried, 2 * len(FAULTS) - 6)

    def test_models_without_a_fault(self) -> None:
        for per_channel in (True, False):
            self.assertEqual(self.findings(residual_net(per_channel)), [])

    def test_all_weights_asymmetric(self) -> None:
        self.assertEqual(self.findings(residual_net(False, zero=3)), [])

    def test_a_target_that_takes_no_zero_points(self) -> None:
        found = self.findings(residual_net(False, zero=3), ".onnx", "--target", "tensorrt")
        messages = [each["message"] for each in found]
        self.assertEqual(sum("gives weights a zero point, which the target `tensorrt` does not take" in each for each in messages), 5)
        self.assertEqual(sum("gives an activation a zero point" in each for each in messages), 1)
        self.assertTrue(all(any("only supports symmetric quantization" in note for note in each["notes"]) for each in found))
        of_weights = self.findings(residual_net(False), ".onnx", "--target", "tensorrt")
        self.assertEqual([each["message"].startswith("`x_quantise` gives an activation a zero point") for each in of_weights], [True])

    def test_products_that_saturate_are_told_once(self) -> None:
        told = self.findings(residual_net(False, zero=3), ".onnx", "--target", "onnxruntime")
        self.assertEqual([(each["rule"], each["severity"], each["message"][:8]) for each in told], [("saturating-products", "info", "5 layers")])
        alike = residual_net()
        del alike.graph.value_info[:]
        for tensor in alike.graph.initializer:
            if tensor.data_type == TensorProto.UINT8:
                tensor.CopyFrom(numpy_helper.from_array(np.int8(0), tensor.name))
        self.assertEqual(self.findings(alike, ".onnx", "--target", "onnxruntime"), [])

    def test_weights_alone_quantised(self) -> None:
        net = Net()
        value = "x"
        for k in range(3):
            weight, _ = net.weight(f"conv{k}")
            net.nodes.append(helper.make_node("Conv", [value, weight], [f"conv{k}"], f"conv{k}", pads=[1] * 4))
            value = f"conv{k}"
        self.assertEqual(self.findings(net.model(value)), [])

    def test_blocks_may_have_negative_and_no_scales(self) -> None:
        net = Net(21)
        net.tensor("w", rng.integers(-8, 7, (8, 8)).astype(np.int8))
        net.tensor("scales", np.array([[0.1, -0.2], [0, 0.3]] * 4, np.float32))
        net.nodes.append(helper.make_node("DequantizeLinear", ["w", "scales"], ["w_dq"], "blocks", axis=1, block_size=4))
        net.nodes.append(helper.make_node("MatMul", ["x", "w_dq"], ["y"], "product"))
        shape = [2, 8]
        graph = helper.make_graph(net.nodes, "net", [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
                                  [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)], net.tensors)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
        self.assertEqual(self.findings(model), [])
        net.tensors[1].CopyFrom(numpy_helper.from_array(np.ones((8, 3), np.float32), "scales"))
        del model.graph.initializer[:]
        model.graph.initializer.extend(net.tensors)
        self.assertEqual(self.rules(model), ["quantisation-parameter"])

    def test_scales_by_channel_below_opset_13(self) -> None:
        model = residual_net(True)
        model.opset_import[0].version = 12
        self.assertEqual([each["rule"] for each in self.findings(model)], ["quantisation-parameter"])

    def test_bypass_of_what_passes_on(self) -> None:
        for kind in ("Relu", "Conv"):
            net = Net()
            value = net.quantise("x", 0.05)
            net.nodes.append(helper.make_node("MaxPool", [value], ["pool"], "pool", kernel_shape=[1, 1]))
            net.quantise("pool", 0.05)
            if kind == "Conv":
                net.conv("last", "pool", 0.05)
            else:
                net.nodes.append(helper.make_node("Relu", ["pool"], ["last"], "last"))
            self.assertEqual(self.rules(net.model("last")), ["partly-quantised"] if kind == "Conv" else [])

    def test_an_added_constant_is_no_weight(self) -> None:
        for kind, expected in (("Add", []), ("Conv", ["quantisation-pair"])):
            net = Net()
            value = net.quantise("x", 0.05)
            for k in range(6):
                net.conv(f"conv{k}", value, 0.05)
                value = net.quantise(f"conv{k}", 0.05)
            constant, _ = net.weight("other", per_channel=False, zero=7)
            if kind == "Add":
                net.tensors[-3].CopyFrom(numpy_helper.from_array(np.ones((1, 8, 6, 6), np.int8), "other_w"))
            given = {"pads": [1] * 4} if kind == "Conv" else {}
            net.nodes.append(helper.make_node(kind, [value, constant], ["last"], "last", **given))
            self.assertEqual(self.rules(net.model("last")), expected)

    def test_quantised_again_for_a_join(self) -> None:
        for kind, expected in (("Concat", []), ("Mul", ["quantisation-pair"])):
            net = Net()
            first = net.quantise("x", 0.05)
            second = net.quantise(first, 0.07)
            given = {"axis": 1} if kind == "Concat" else {}
            net.nodes.append(helper.make_node(kind, [second, second], ["joined"], "joined", **given))
            if kind == "Concat":
                net.nodes.append(helper.make_node("MaxPool", ["joined"], ["last"], "last", kernel_shape=[1, 1]))
            model = net.model("last" if kind == "Concat" else "joined")
            del model.graph.output[0].type.tensor_type.shape.dim[:]
            self.assertEqual(self.rules(model), expected)

    def test_scores_with_the_scale_of_boxes(self) -> None:
        for scale, found in ((2.5, "error"), (0.51, "error"), (0.49, "warning"), (0.07, "warning"), (1 / 16, None), (1 / 255, None)):
            for before_join in (True, False):
                with self.subTest(scale=scale, before_join=before_join):
                    net = Net()
                    boxes = net.quantise("x", scale)
                    net.nodes.append(helper.make_node("Sigmoid", ["x"], ["scores"], "scores"))
                    scores = net.quantise("scores", scale if before_join else 1 / 255)
                    net.nodes.append(helper.make_node("Concat", [boxes, scores], ["both"], "join", axis=2))
                    net.quantise("both", scale)
                    told = [(each["rule"], each["severity"]) for each in self.findings(net.model("both_dq"))]
                    self.assertEqual(told, [("scale-proportion", found)] if found else [])

    def test_what_is_moved_by_a_constant(self) -> None:
        for scale, numbers, found in ((4.0, 1, "error"), (0.1, 1, "warning"), (0.08, 1, None), (4.0, 17, None)):
            with self.subTest(scale=scale, numbers=numbers):
                net = Net()
                moved = net.tensor("mean", np.full((1, 1, 1, numbers) if numbers > 1 else (), 300, np.float32))
                net.nodes.append(helper.make_node("Add", [net.quantise("x", 0.005), moved], ["moved"], "move"))
                net.quantise("moved", scale)
                told = [each["severity"] for each in self.findings(net.model("moved_dq")) if each["rule"] == "scale-proportion"]
                self.assertEqual(told, [found] if found else [])

    def test_a_step_that_is_larger_than_what_networks_compute(self) -> None:
        for scale, expected in ((65504.0, []), (1.3e36, ["quantisation-parameter"])):
            net = Net()
            self.assertEqual(self.rules(net.model(net.quantise("x", scale))), expected)

    def test_weights_quantised_along_another_axis(self) -> None:
        for axis, expected in ((0, []), (1, ["quantisation-pair"])):
            net = Net()
            net.tensor("w", rng.standard_normal((8, 8, 3, 3)).astype(np.float32))
            parameters = [net.tensor("scale", rng.uniform(0.01, 0.02, 8).astype(np.float32)), net.tensor("zero", np.zeros(8, np.int8))]
            net.nodes.append(helper.make_node("QuantizeLinear", ["w", *parameters], ["w_q"], "quantise", axis=0))
            net.nodes.append(helper.make_node("DequantizeLinear", ["w_q", *parameters], ["w_dq"], "dequantise", axis=axis))
            net.nodes.append(helper.make_node("Conv", [net.quantise("x", 0.05), "w_dq"], ["y"], "conv", pads=[1] * 4))
            self.assertEqual(self.rules(net.model("y")), expected)

    def test_exported_weights_by_channel(self) -> None:
        self.assertEqual(self.rules(lambda file: torch.export.save(torch.export.export(ByChannel(), (torch.ones(2, 4),)), file), ".pt2"), [])

    def test_exported_program(self) -> None:
        for read, expected in ((0.1, []), (0.11, ["quantisation-pair"])):
            self.assertEqual(self.rules(lambda file, read=read: torch.export.save(torch.export.export(
                Rounding(0.1, read), (torch.ones(1, 4),)), file), ".pt2"), expected)
        self.assertEqual(self.rules(lambda file: torch.export.save(torch.export.export(
            Rounding(0.0, 0.0), (torch.ones(1, 4),)), file), ".pt2"), ["quantisation-parameter"])

    def test_torchscript(self) -> None:
        for scale, expected in ((0.1, []), (-0.1, ["quantisation-parameter"]), (float("nan"), ["quantisation-parameter"])):
            for save in (lambda file, scale=scale: torch.jit.trace(Fake(scale), torch.ones(1, 4), check_trace=False).save(file),
                         lambda file, scale=scale: torch.jit.script(Fake(scale)).save(file)):
                self.assertEqual(self.rules(save, ".pt"), expected)


class Rounding(torch.nn.Module):
    def __init__(self, scale: float, read: float) -> None:
        super().__init__()
        self.scale, self.read = scale, read

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        stored = torch.ops.quantized_decomposed.quantize_per_tensor(x, self.scale, 3, -128, 127, torch.int8)
        return torch.ops.quantized_decomposed.dequantize_per_tensor(stored, self.read, 3, -128, 127, torch.int8)


class ByChannel(torch.nn.Module):
    """As convert_pt2e leaves a linear layer, with zero points of int64."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("weight", torch.ones(3, 4, dtype=torch.int8))
        self.register_buffer("scale", torch.rand(3))
        self.register_buffer("zero", torch.zeros(3, dtype=torch.int64))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.ops.quantized_decomposed.quantize_per_tensor(x, 0.1, 3, -128, 127, torch.int8)
        x = torch.ops.quantized_decomposed.dequantize_per_tensor(x, 0.1, 3, -128, 127, torch.int8)
        weight = torch.ops.quantized_decomposed.dequantize_per_channel(self.weight, self.scale, self.zero, 0, -127, 127, torch.int8)
        return torch.nn.functional.linear(x, weight)


class Fake(torch.nn.Module):
    def __init__(self, scale: float) -> None:
        super().__init__()
        self.scale = scale

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.fake_quantize_per_tensor_affine(x, self.scale, 0, -128, 127)


if __name__ == "__main__":
    unittest.main()
