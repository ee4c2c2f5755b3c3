#!/usr/bin/env python3
"""Copies whose weights alone are in four bits, of references of three formats: weights may lose what rounding costs, all else nothing."""

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
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))

import preloaded

BLOCK = 16


class Network(torch.nn.Module):
    """Three layers and a norm; the first two layers are of one size."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.a, self.b, self.c = torch.nn.Linear(64, 64), torch.nn.Linear(64, 64), torch.nn.Linear(64, 48)
        self.norm = torch.nn.LayerNorm(64)
        with torch.no_grad():
            self.norm.weight.uniform_(0.5, 1.5)

    def forward(self, x):
        return self.c(self.norm(torch.relu(self.b(torch.relu(self.a(x))))))


def in_four_bits(weight):
    """Numbers from 0 to 15, two in a byte, with a scale for each block; 8 stands for zero."""
    blocks = weight.reshape(weight.shape[0], -1, BLOCK)
    largest = numpy.take_along_axis(blocks, numpy.abs(blocks).argmax(-1, keepdims=True), -1)
    scales = (largest / -8).astype(numpy.float32)
    steps = (numpy.clip(numpy.rint(blocks / scales), -8, 7) + 8).astype(numpy.uint8)
    return steps[..., 0::2] | (steps[..., 1::2] << 4), scales.reshape(weight.shape[0], -1)


def copy_of(network, path, change=None):
    """The network as ONNX Runtime's quantiser writes it. `change` receives the packed numbers and scales of each layer, by name."""
    packed = {name: in_four_bits(getattr(network, name).weight.detach().numpy()) for name in "abc"}
    if change:
        change(packed)
    stored, nodes = [], []

    def put(name, array):
        stored.append(numpy_helper.from_array(numpy.ascontiguousarray(array), name))
        return name

    def layer(name, source, result):
        linear = getattr(network, name)
        inputs = [source, put(f"{name}_q", packed[name][0]), put(f"{name}_s", packed[name][1])]
        shape = {"N": linear.out_features, "K": linear.in_features, "bits": 4, "block_size": BLOCK}
        nodes.append(helper.make_node("MatMulNBits", inputs, [f"{name}_p"], name=f"/{name}/MatMul_Q4", domain="com.microsoft", **shape))
        nodes.append(helper.make_node("Add", [f"{name}_p", put(f"{name}_b", linear.bias.detach().numpy())], [result], name=f"/{name}/Add"))

    layer("a", "x", "a1")
    nodes.append(helper.make_node("Relu", ["a1"], ["a2"], name="/Relu"))
    layer("b", "a2", "b1")
    nodes.append(helper.make_node("Relu", ["b1"], ["b2"], name="/Relu_1"))
    norm = [put("n_w", network.norm.weight.detach().numpy()), put("n_b", network.norm.bias.detach().numpy())]
    nodes.append(helper.make_node("LayerNormalization", ["b2", *norm], ["n"], name="/norm/LayerNormalization", epsilon=network.norm.eps))
    layer("c", "n", "y")
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [8, size]) for name, size in (("x", 64), ("y", 48))]
    graph = helper.make_graph(nodes, "copy", ends[:1], ends[1:], stored)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)], ir_version=8), path)
    return path


def nibbles_swapped(packed):
    numbers, scales = packed["b"]
    packed["b"] = (numbers >> 4) | (numbers << 4), scales


def scales_larger(packed):
    packed["a"] = packed["a"][0], packed["a"][1] * numpy.float32(1.5)


def resembling(weight, cosine):
    """A matrix of the same size that has this cosine with a weight."""
    other = numpy.random.default_rng(3).standard_normal(weight.shape)
    along = weight / numpy.linalg.norm(weight)
    other -= (other * along).sum() * along
    mixed = cosine * along + numpy.sqrt(1 - cosine**2) * other / numpy.linalg.norm(other)
    return (mixed * numpy.linalg.norm(weight)).astype(numpy.float32)


class FewBits(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        network, x = Network().eval(), torch.randn(8, 64, generator=torch.Generator().manual_seed(1))
        torch.save([x], cls.folder / "x.pt")
        cls.references = [cls.folder / name for name in ("traced.pt", "exported.pt2", "plain.onnx")]
        torch.jit.trace(network, x).save(cls.references[0])
        torch.export.save(torch.export.export(network, (x,)), cls.references[1])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.onnx.export(network, (x,), cls.references[2], dynamo=False, opset_version=17)

    def setUp(self):
        self.network = Network().eval()  # the same, of which a test makes its copy

    def verified(self, reference, copy):
        command = [os.environ["PROGRAM"], "verify", str(reference), str(copy), "--inputs", str(self.folder / "x.pt"), "--output-format", "json"]
        return json.loads(preloaded.run(command).stdout)

    def messages(self, change=None):
        """What is wrong with a copy, against each reference."""
        copy = copy_of(self.network, self.folder / "copy.onnx", change)
        reports = [self.verified(reference, copy) for reference in self.references]
        return [(report["passed"], " ".join(incident["message"] for incident in report["incidents"])) for report in reports]

    def test_an_honest_copy_passes(self):
        for passed, messages in self.messages():
            self.assertEqual((passed, messages), (True, ""))

    def test_a_weight_of_another_scale_is_named(self):
        for passed, messages in self.messages(scales_larger):
            self.assertFalse(passed)
            self.assertIn("the weight of the layer `/a/MatMul_Q4` is not", messages)
            self.assertNotIn("`/b/MatMul_Q4`", messages)

    def test_a_weight_may_be_off_by_eight_tenths_of_its_steps(self):
        weight = self.network.a.weight.detach().numpy()
        numbers, scales = in_four_bits(weight)
        steps = numpy.stack([numbers & 15, numbers >> 4], -1).reshape(64, -1, BLOCK).astype(numpy.float32) - 8
        rounded = (steps * scales[..., None]).reshape(weight.shape)
        noise = numpy.sqrt(numpy.mean((rounded - weight) ** 2) / numpy.mean(rounded**2))
        for decibels, lost in ((7.5, False), (11, True)):
            factor = numpy.float32(1 + noise * numpy.sqrt(10 ** (decibels / 10) - 1))

            def larger(packed, factor=factor):
                packed["a"] = numbers, scales * factor

            for _, messages in self.messages(larger):
                self.assertEqual("the weight of the layer `/a/MatMul_Q4` is not" in messages, lost, messages)

    def test_one_block_with_another_scale_is_told(self):
        numbers, scales = in_four_bits(self.network.a.weight.detach().numpy())
        for factor, lost in ((1.2, False), (1.7, True)):
            changed = scales.copy()
            changed[5, 2] *= numpy.float32(factor)

            def other(packed, changed=changed):
                packed["a"] = numbers, changed

            for _, messages in self.messages(other):
                self.assertEqual("the weight of the layer `/a/MatMul_Q4` is not" in messages, lost, messages)

    def test_a_weight_that_resembles_none_is_held_to_the_one_that_is_left(self):
        for passed, messages in self.messages(nibbles_swapped):
            self.assertFalse(passed)
            self.assertIn("the weight of the layer `/b/MatMul_Q4` is not", messages)

    def test_a_weight_is_taken_for_one_that_it_has_half_of_its_direction_of(self):
        """Two are of one size, so that none is the only one left."""
        for cosine, found in ((0.45, False), (0.55, True)):

            def other(packed, cosine=cosine):
                for name in "ab":
                    packed[name] = in_four_bits(resembling(getattr(self.network, name).weight.detach().numpy(), cosine))

            for passed, messages in self.messages(other):
                self.assertFalse(passed)
                self.assertEqual("the weight of the layer `/a/MatMul_Q4` is not" in messages, found, messages)

    def test_what_is_wrong_beside_the_weights_is_no_rounding(self):
        self.network.norm.eps = 0.01
        for passed, messages in self.messages():
            self.assertFalse(passed)
            self.assertIn("in place of those in few bits, the candidate still differs", messages)

    def test_weights_that_a_norm_makes_up_for_are_no_fault(self):
        """As quantisers do that look at activations: a weight's columns are larger, and the norm before them smaller."""
        factors = torch.linspace(0.2, 5, 64)
        with torch.no_grad():
            self.network.c.weight *= factors
            self.network.norm.weight /= factors
            self.network.norm.bias /= factors
        for passed, messages in self.messages():
            self.assertEqual((passed, messages), (True, ""))


def gemm(path, before, stored):
    """A layer of 16 by 16, of weights and a bias that nodes make of what is stored."""
    nodes = [*before, helper.make_node("Gemm", ["x", "w", "b"], ["y"], name="/layer", transB=1)]
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [4, 16]) for name in "xy"]
    tensors = [numpy_helper.from_array(numpy.asarray(array), name) for name, array in stored.items()]
    graph = helper.make_graph(nodes, "layer", ends[:1], ends[1:], tensors)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return path


class CutBias(unittest.TestCase):
    """The scale of a bias is that of its layer's input and weights, and may be too small for it: int32 ends before it does."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.weight = numpy.random.default_rng(4).normal(0, 0.3, (16, 16)).astype(numpy.float32)
        self.bias = numpy.zeros(16, numpy.float32)
        self.bias[3] = 1.5

    def report(self, scale):
        reference = gemm(self.folder / "float.onnx", [], {"w": self.weight, "b": self.bias})
        steps = numpy.float32(numpy.abs(self.weight).max() / 127)
        whole = numpy.clip(numpy.rint(self.bias.astype(numpy.float64) / scale), -(2**31), 2**31 - 1).astype(numpy.int32)
        stored = {"w_q": numpy.rint(self.weight / steps).astype(numpy.int8), "w_s": steps, "b_q": whole, "b_s": numpy.float32(scale)}
        read = [helper.make_node("DequantizeLinear", [f"{name}_q", f"{name}_s"], [name], name=f"/{name}") for name in "wb"]
        copy = gemm(self.folder / "copy.onnx", read, stored)
        command = [os.environ["PROGRAM"], "verify", str(reference), str(copy), "--output-format", "json"]
        return json.loads(preloaded.run(command).stdout)

    def test_one_that_is_cut_off_is_no_rounding(self):
        for scale, passed in ((1e-3, True), (1.5 / 2**31 * 1.01, True), (1e-12, False)):
            report = self.report(scale)
            self.assertEqual(report["passed"], passed, report["incidents"])
        self.assertIn("`b_q`, which is `b` of the reference, is cut off in 1 of 16", " ".join(each["message"] for each in report["incidents"]))


if __name__ == "__main__":
    unittest.main()
