#!/usr/bin/env python3
"""A framework's file against the int8 copy of what was exported from it: norms are folded into layers, what depends on no input is worked
out, and a ReLU is left to steps that begin at zero."""

import copy
import json
import os
import pathlib
import sys
import tempfile
import unittest
import warnings

import numpy
import torch

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))

import preloaded

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static


class Network(torch.nn.Module):
    """A convolution with a norm, a branch that hardly falls below zero and has no ReLU, and tokens to which their places are added."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.conv, self.norm = torch.nn.Conv2d(3, 16, 3, padding=1, bias=False), torch.nn.BatchNorm2d(16)
        self.side = torch.nn.BatchNorm2d(16)
        self.place = torch.nn.Linear(16, 16)
        self.layer_norm, self.head = torch.nn.LayerNorm(16), torch.nn.Linear(16, 10)
        self.register_buffer("places", torch.randn(64, 16))
        with torch.no_grad():
            self.norm.weight.uniform_(0.5, 1.5)
            self.norm.running_var.uniform_(0.2, 1.0)
            self.side.bias.uniform_(0.002, 0.01)
            self.side.running_mean.uniform_(0, 0.01)
            self.layer_norm.weight.uniform_(0.5, 1.5)
            for bias in (self.norm.bias, self.place.bias, self.layer_norm.bias):
                bias.uniform_(-0.2, 0.2)
            self.side.running_var.uniform_(0.9, 1.1)

    def forward(self, x):
        h = torch.relu(self.norm(self.conv(x)))
        tokens = torch.flatten(h + self.side(h), 2).transpose(1, 2)
        return self.head(self.layer_norm(tokens + self.place(self.places))).mean(1)


class Samples(CalibrationDataReader):
    def __init__(self, example):
        self.left = [{"x": example.numpy()}]

    def get_next(self):
        return self.left.pop() if self.left else None


class QuantisedExports(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.network, self.example = Network().eval(), torch.randn(4, 3, 8, 8)
        torch.jit.trace(self.network, self.example).save(str(self.folder / "reference.pt"))
        torch.export.save(torch.export.export(self.network, (self.example,)), self.folder / "reference.pt2")
        numpy.savez(self.folder / "inputs.npz", x=self.example.numpy())

    def verified(self, network, reference="reference.pt", *options, per_channel=False):
        """The report on the network's int8 copy, and the first op that differs."""
        exported, candidate = self.folder / "exported.onnx", self.folder / "candidate.onnx"
        torch.onnx.export(network, (self.example,), exported, input_names=["x"], dynamo=False)
        quantize_static(
            exported, candidate, Samples(self.example), quant_format=QuantFormat.QDQ, per_channel=per_channel, weight_type=QuantType.QInt8
        )
        command = [os.environ["PROGRAM"], "verify", str(self.folder / reference), str(candidate), "--no-lint", "--output-format", "json", *options]
        done = preloaded.run([*command, "--inputs", str(self.folder / "inputs.npz")])
        return json.loads(done.stdout)

    def test_an_honest_copy_is_the_same(self):
        for reference in ("reference.pt", "reference.pt2"):
            for per_channel in (False, True):
                with self.subTest(f"{reference}, {per_channel}"):
                    report = self.verified(self.network, reference, per_channel=per_channel)
                    self.assertTrue(report["passed"], json.dumps(report["incidents"]))

    def test_bounds_of_an_output_are_left_to_its_steps(self):
        class Bounded(Network):
            def forward(self, x):
                return super().forward(x).clamp(0, 0.2)

        self.verified(Bounded().eval())
        files = [str(self.folder / name) for name in ("exported.onnx", "candidate.onnx")]
        beyond_the_calibrated = ["--input", "x=4x3x8x8:float32:-4..4"]
        done = preloaded.run([os.environ["PROGRAM"], "verify", *files, "--no-lint", "--output-format", "json", *beyond_the_calibrated])
        report = json.loads(done.stdout)
        self.assertTrue(report["passed"], json.dumps(report["outputs"]))

    def test_a_fault_is_told_and_found(self):
        def turn(weight):
            weight[3] = -weight[3]

        faults = (
            ("conv", lambda network: turn(network.conv.weight)),
            ("conv", lambda network: network.norm.running_var.mul_(1.5)),
            ("layer_norm", lambda network: turn(network.layer_norm.weight)),
            ("head", lambda network: turn(network.head.weight)),
        )
        for module, fault in faults:
            with self.subTest(module), torch.no_grad():
                network = copy.deepcopy(self.network)
                fault(network)
                report = self.verified(network, "reference.pt", "--localize")
                self.assertFalse(report["passed"])
                places = [f"{op['module']} {op['cause']}" for op in report["ops"] if op["first_divergent"]]
                self.assertIn(module, " ".join(places + [incident["message"] for incident in report["incidents"]]))


if __name__ == "__main__":
    unittest.main()
