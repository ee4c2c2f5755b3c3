#!/usr/bin/env python3
"""Copies of which a lower precision leaves nothing where the reference has something: told in every format, whatever runtimes make of it."""

import json
import os
import pathlib
import sys
import tempfile
import unittest
import warnings

import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.transformers.float16 import convert_float_to_float16
from torch.ao.quantization.fx import _decomposed  # noqa: F401  (its operators)
from torch.nn import functional

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))

import preloaded

BOX_STEP = 640 / 255
LEAST = -3.4028234e38


class Detector(torch.nn.Module):
    """Boxes in pixels beside scores, in one output."""

    def __init__(self, step=0.0, decomposed=False):
        super().__init__()
        torch.manual_seed(0)
        self.features, self.boxes, self.scores = torch.nn.Linear(16, 32), torch.nn.Linear(32, 4), torch.nn.Linear(32, 3)
        self.step, self.decomposed = step, decomposed

    def forward(self, x):
        features = torch.relu(self.features(x))
        both = torch.cat([self.boxes(features).sigmoid() * 640, self.scores(features).sigmoid() * 0.9], -1)
        if self.decomposed:
            steps = torch.ops.quantized_decomposed.quantize_per_tensor(both, self.step, 0, 0, 255, torch.uint8)
            return torch.ops.quantized_decomposed.dequantize_per_tensor(steps, self.step, 0, 0, 255, torch.uint8)
        return torch.dequantize(torch.quantize_per_tensor(both, self.step, 0, torch.quint8)) if self.step else both


class Function(torch.nn.Module):
    """A function of a layer's results."""

    def __init__(self, function):
        super().__init__()
        torch.manual_seed(0)
        self.layer, self.function = torch.nn.Linear(64, 64), function

    def forward(self, x):
        return self.function(self.layer(x.to(self.layer.weight.dtype))).float()


BEYOND_HALF = {
    "long sum": lambda x: (x.abs() * 3000).sum(-1),
    "square": lambda x: (x * 300) ** 2 / 1e4,
    "root mean square": lambda x: x * 400 / ((x * 400) ** 2).mean(-1, keepdim=True).sqrt(),
    "variance": lambda x: (x * 500 - (x * 500).mean(-1, keepdim=True)).pow(2).mean(-1).sqrt(),
    "exponential": lambda x: torch.exp(x * 3 + 8) / 1e3,
}
WITHIN_HALF = {
    "softmax": lambda x: functional.softmax(x * 4, -1),
    "mean": lambda x: x.mean(-1),
    "gelu": lambda x: functional.gelu(x * 3),
    "layer norm": lambda x: functional.layer_norm(x, (64,)),
    "tanh": lambda x: torch.tanh(x) * 50,
    "product": lambda x: x * x * 10,
}


def to_onnx(module, x, path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(module.eval(), (x,), path, dynamo=False, opset_version=17, input_names=["x"], output_names=["y"])
    return path


def save(module, x, path):
    """In the format that the path's ending names."""
    if path.suffix == ".onnx":
        return to_onnx(module, x, path)
    if path.suffix == ".pt2":
        torch.export.save(torch.export.export(module.eval(), (x,)), path)
    else:
        torch.jit.trace(module.eval(), x, check_trace=False).save(path)
    return path


def through_steps(model, value, step, zero):
    """What makes a value gives it another name, and it is that in eight bits."""
    for node in model.graph.node:
        for i, name in enumerate(node.output):
            if name == value:
                node.output[i] = f"{value}/exact"
                made = node
    stored = [
        numpy_helper.from_array(torch.tensor(step).numpy(), f"{value}_scale"),
        numpy_helper.from_array(torch.tensor(zero, dtype=torch.uint8).numpy(), f"{value}_zero"),
    ]
    model.graph.initializer.extend(stored)
    scale = [tensor.name for tensor in stored]
    place = list(model.graph.node).index(made) + 1
    model.graph.node.insert(place, helper.make_node("QuantizeLinear", [f"{value}/exact", *scale], [f"{value}/steps"], name=f"{value}_Q"))
    model.graph.node.insert(place + 1, helper.make_node("DequantizeLinear", [f"{value}/steps", *scale], [value], name=f"{value}_DQ"))
    return model


def attention(least):
    nodes = [
        helper.make_node("MatMul", ["x", "wq"], ["q"], name="/q"),
        helper.make_node("MatMul", ["x", "wk"], ["k"], name="/k"),
        helper.make_node("Transpose", ["k"], ["kt"], perm=[1, 0], name="/t"),
        helper.make_node("MatMul", ["q", "kt"], ["scores"], name="/scores"),
        helper.make_node("Add", ["scores", "mask"], ["masked"], name="/mask"),
        helper.make_node("Softmax", ["masked"], ["shares"], name="/softmax"),
        helper.make_node("MatMul", ["shares", "x"], ["y"], name="/y"),
    ]
    torch.manual_seed(0)
    stored = {"wq": torch.randn(16, 16) / 4, "wk": torch.randn(16, 16) / 4, "mask": torch.full((12, 12), least).triu(1)}
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [12, 16]) for name in "xy"]
    graph = helper.make_graph(
        nodes, "attention", ends[:1], ends[1:], [numpy_helper.from_array(tensor.numpy(), name) for name, tensor in stored.items()]
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


class LostPrecision(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def verified(self, reference, copy, x):
        torch.save([x], self.folder / "x.pt")
        command = [os.environ["PROGRAM"], "verify", reference, copy, "--no-lint", "--inputs", self.folder / "x.pt", "--output-format", "json"]
        done = preloaded.run(command)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return json.loads(done.stdout)

    def told(self, report):
        return [incident["message"] for incident in report["incidents"] if incident["failure"]] + [
            verdict["check"] for output in report["outputs"] for verdict in output["verdicts"] if not verdict["passed"]
        ]

    def test_scores_under_the_scale_of_boxes(self):
        x = torch.randn(40, 16, generator=torch.Generator().manual_seed(1))
        copies = {".pt": Detector(BOX_STEP), ".pt2": Detector(BOX_STEP, decomposed=True)}
        for ending in (".pt", ".pt2", ".onnx"):
            reference, copy = save(Detector(), x, self.folder / f"reference{ending}"), self.folder / f"copy{ending}"
            if ending == ".onnx":
                onnx.save(through_steps(onnx.load(reference), "y", BOX_STEP, 0), copy)
            else:
                save(copies[ending], x, copy)
            self.assertIn("lost", self.told(self.verified(reference, copy, x)), ending)

    def test_scores_under_the_scale_of_a_mask(self):
        x = torch.randn(12, 16, generator=torch.Generator().manual_seed(1))
        for least, step, lost in ((LEAST, -LEAST / 255, True), (-30.0, 0.16, False)):
            onnx.save(attention(least), self.folder / "reference.onnx")
            onnx.save(through_steps(attention(least), "masked", step, 255 if lost else 192), self.folder / "copy.onnx")
            told = " ".join(self.told(self.verified(self.folder / "reference.onnx", self.folder / "copy.onnx", x)))
            self.assertEqual("have become one value" in told, lost, told)

    def test_what_leaves_the_range_of_float16(self):
        x = torch.randn(4, 64, generator=torch.Generator().manual_seed(1))
        for functions, lost in ((BEYOND_HALF, True), (WITHIN_HALF, False)):
            for name, function in functions.items():
                reference, copy = to_onnx(Function(function), x, self.folder / "reference.onnx"), self.folder / "copy.onnx"
                onnx.save(convert_float_to_float16(onnx.load(reference), keep_io_types=True), copy)
                report = self.verified(reference, copy, x)
                self.assertEqual(bool(self.told(report)), lost, (name, self.told(report)))
                self.assertEqual(" hardware that computes in float16 " in " ".join(self.told(report)), lost, name)
                for ending in (".pt", ".pt2") if name in ("square", "softmax") else ():
                    reference = save(Function(function), x, self.folder / f"reference{ending}")
                    copy = save(Function(function).half(), x, self.folder / f"copy{ending}")
                    self.assertEqual(bool(self.told(self.verified(reference, copy, x))), lost, (name, ending))

    def test_a_fault_that_the_rounding_of_float16_hides(self):
        x = torch.randn(4, 64, generator=torch.Generator().manual_seed(1))
        for epsilon, told in ((1e-5, False), (1e-3, True)):
            reference = to_onnx(Function(lambda x: functional.layer_norm(x, (64,))), x, self.folder / "reference.onnx")
            other = to_onnx(Function(lambda x, e=epsilon: functional.layer_norm(x, (64,), eps=e)), x, self.folder / "other.onnx")
            for keeps_types in (True, False):
                copy = self.folder / "copy.onnx"
                onnx.save(convert_float_to_float16(onnx.load(other), keep_io_types=keeps_types), copy)
                found = " ".join(self.told(self.verified(reference, copy, x)))
                self.assertEqual("with nothing rounded" in found, told, found)


if __name__ == "__main__":
    unittest.main()
