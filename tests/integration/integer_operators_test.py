#!/usr/bin/env python3
"""Copies that compute with operators on integers: with nothing rounded they are the reference, and what is wrong beside the rounding shows."""

import json
import os
import pathlib
import sys
import tempfile
import unittest
import warnings

import numpy
import onnx
import torch
from onnx import numpy_helper
from torch import nn

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))

import preloaded

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_dynamic, quantize_static


class Convolutions(nn.Module):
    """Ends in a square matrix, which does not show along which axis its scales lie."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Conv2d(3, 16, 3, padding=1), nn.Conv2d(16, 16, 3, padding=1)
        self.between, self.head = nn.Linear(16, 16), nn.Linear(16, 10)

    def forward(self, x):
        y = torch.relu(self.first(x))
        y = torch.relu(y + self.second(y))
        return self.head(torch.relu(self.between(torch.relu(y.mean((2, 3))))))


class Words(nn.Module):
    """A table whose rows are picked before they are dequantised, and a norm."""

    def __init__(self):
        super().__init__()
        self.table, self.norm, self.head = nn.Embedding(40, 32), nn.LayerNorm(32), nn.Linear(32, 20)
        self.table.weight.data *= 0.2

    def forward(self, ids):
        return self.head(self.norm(self.table(ids)))


class Samples(CalibrationDataReader):
    def __init__(self, x):
        self.rest = iter([{"x": x.numpy()}])

    def get_next(self):
        return next(self.rest, None)


def bias_of_another(network):
    network.second.bias.data[3] += 0.05


def epsilon_of_another(network):
    network.norm.eps = 1e-2


class IntegerOperators(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def exported(self, kind, x, name, change=None):
        torch.manual_seed(0)
        network = kind().eval()
        if change:
            change(network)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.onnx.export(network, (x,), self.folder / name, dynamo=False, opset_version=17, input_names=["x"])
        return self.folder / name

    def messages(self, kind, x, quantise, change=None, spoil=None):
        reference, copy = self.exported(kind, x, "reference.onnx"), self.folder / "copy.onnx"
        quantise(self.exported(kind, x, "source.onnx", change), copy)
        if spoil:
            spoil(copy)
        torch.save([x], self.folder / "x.pt")
        command = [os.environ["PROGRAM"], "verify", str(reference), str(copy), "--inputs", str(self.folder / "x.pt"), "--output-format", "json"]
        report = json.loads(preloaded.run(command).stdout)
        self.assertFalse([note for note in report["notes"] if "one by one" in note])
        return [each["message"] for each in report["incidents"]]

    def of_convolutions(self, **faults):
        x = torch.randn(4, 3, 16, 16, generator=torch.Generator().manual_seed(1))

        def quantise(source, copy):
            quantize_static(str(source), str(copy), Samples(x), quant_format=QuantFormat.QOperator, per_channel=True,
                            activation_type=QuantType.QInt8, weight_type=QuantType.QInt8)

        return self.messages(Convolutions, x, quantise, **faults)

    def test_convolutions(self):
        self.assertEqual(self.of_convolutions(), [])

    def test_a_bias(self):
        self.assertEqual(len(self.of_convolutions(change=bias_of_another)), 1)

    def test_a_scale_of_a_square_matrix(self):
        def spoil(file):
            model = onnx.load(file)
            scales = next(each for each in model.graph.initializer if each.name == "between.weight_scale")
            numbers = numpy_helper.to_array(scales).copy()
            numbers[5] *= numpy.float32(1.5)
            scales.CopyFrom(numpy_helper.from_array(numbers, scales.name))
            onnx.save(model, file)

        [message] = self.of_convolutions(spoil=spoil)
        self.assertIn("between/Gemm", message)

    def test_a_table(self):
        x = torch.arange(40).reshape(2, 20)

        def quantise(source, copy):
            quantize_dynamic(str(source), str(copy))

        self.assertEqual(self.messages(Words, x, quantise), [])
        self.assertTrue(self.messages(Words, x, quantise, change=epsilon_of_another))


if __name__ == "__main__":
    unittest.main()
