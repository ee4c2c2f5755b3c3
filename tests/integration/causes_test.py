#!/usr/bin/env python3
"""The cause that `verify --localize` names, wherever exporters and optimisers have put what differs."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper


class Network(torch.nn.Module):
    """Two convolutions; a norm follows the first."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.conv, self.norm, self.head = torch.nn.Conv2d(3, 8, 3, padding=1, bias=False), torch.nn.BatchNorm2d(8), torch.nn.Conv2d(8, 4, 1)
        with torch.no_grad():
            self.norm.weight.uniform_(0.5, 1.5)
            self.norm.running_mean.uniform_(-0.5, 0.5)
            self.norm.running_var.uniform_(0.2, 1.0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(torch.relu(self.norm(self.conv(x))))


def folded(network: Network, path: pathlib.Path, *, head_bias: bool = True) -> None:
    """As exporters write it for inference: the norm's numbers are in the convolution's."""
    norm = network.norm
    factor = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    stored = {
        "conv.weight": network.conv.weight * factor[:, None, None, None],
        "conv.bias": norm.bias - norm.running_mean * factor,
        "head.weight": network.head.weight,
        "head.bias": network.head.bias,
    }
    nodes = [
        helper.make_node("Conv", ["x", "conv.weight", "conv.bias"], ["h"], pads=[1, 1, 1, 1], kernel_shape=[3, 3]),
        helper.make_node("Relu", ["h"], ["r"]),
        helper.make_node("Conv", ["r", "head.weight", *(["head.bias"] if head_bias else [])], ["y"], kernel_shape=[1, 1]),
    ]
    if not head_bias:
        del stored["head.bias"]
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, channels, 8, 8]) for name, channels in (("x", 3), ("y", 4))]
    initializers = [numpy_helper.from_array(tensor.detach().numpy().astype(numpy.float32), name) for name, tensor in stored.items()]
    graph = helper.make_graph(nodes, "net", values[:1], values[1:], initializers)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)


class Causes(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.reference, self.candidate = self.folder / "reference.pt", self.folder / "candidate.onnx"
        self.network = Network().eval()
        torch.jit.trace(self.network, torch.randn(1, 3, 8, 8)).save(str(self.reference))

    def cause(self) -> str | None:
        """Of the first op that differs; none where nothing does."""
        command = [os.environ["PROGRAM"], "verify", str(self.reference), str(self.candidate), "--no-lint", "--localize", "--output-format", "json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertLess(done.returncode, 2, done.stderr)
        first = [op for op in json.loads(done.stdout)["ops"] if op["first_divergent"]]
        self.assertEqual(bool(first), done.returncode == 1)
        return str(first[0]["cause"]) if first else None

    def test_an_honest_copy_has_none(self) -> None:
        folded(self.network, self.candidate)
        self.assertIsNone(self.cause())

    def test_an_epsilon_that_was_folded_in(self) -> None:
        self.network.norm.eps = 1e-2
        folded(self.network, self.candidate)
        cause = str(self.cause())
        self.assertIn("`norm`", cause)
        self.assertIn("`epsilon` of 0.01", cause)

    def test_statistics_that_were_folded_in(self) -> None:
        for buffer, sign in ((self.network.norm.running_var, "running_var"), (self.network.norm.running_mean, "running_mean")):
            with self.subTest(sign), torch.no_grad():
                honest = buffer.clone()
                buffer[3] = buffer[3] * 2 + 0.5
                folded(self.network, self.candidate)
                buffer.copy_(honest)
                cause = str(self.cause())
                self.assertIn("1 of 8 channels", cause)
                self.assertIn(sign, cause)

    def test_a_weight_of_a_folded_layer_is_no_fault_of_the_norm(self) -> None:
        with torch.no_grad():
            self.network.conv.weight[2, 1, 1, 1] += 0.5
        folded(self.network, self.candidate)
        self.assertIn("conv.weight", str(self.cause()))

    def test_a_bias_that_is_left_out(self) -> None:
        folded(self.network, self.candidate, head_bias=False)
        self.assertIn("nothing in place of `head.bias`", str(self.cause()))


Tensors = dict[str, numpy.ndarray]


def write(path: pathlib.Path, nodes: list[onnx.NodeProto], tensors: Tensors) -> None:
    """A model from `x` to `y`, both of 2 rows of 8 numbers."""
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 8]) for name in ("x", "y")]
    stored = {name: tensor if tensor.dtype == numpy.uint8 else tensor.astype(numpy.float32) for name, tensor in tensors.items()}
    initializers = [numpy_helper.from_array(tensor, name) for name, tensor in stored.items()]
    graph = helper.make_graph(nodes, "net", values[:1], values[1:], initializers)
    domains = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    onnx.save(helper.make_model(graph, opset_imports=domains, ir_version=9), path)


class CausesAmongSeveral(unittest.TestCase):
    """What ONNX Runtime's optimisers write: one op for several, and one tensor."""

    def setUp(self) -> None:
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        numbers = numpy.random.default_rng(0)
        self.tensors = {name: numbers.normal(size=8) for name in ("gamma", "beta")}
        self.tensors |= {name: numbers.normal(size=(8, 8)) for name in "wqk"}

    def first(self, reference: list[onnx.NodeProto], candidate: list[onnx.NodeProto], own: Tensors, others: Tensors) -> dict[str, str]:
        paths = [self.folder / name for name in ("reference.onnx", "candidate.onnx")]
        write(paths[0], reference, own)
        write(paths[1], candidate, others)
        command = [os.environ["PROGRAM"], "verify", *map(str, paths), "--no-lint", "--localize", "--output-format", "json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        return next(op for op in json.loads(done.stdout)["ops"] if op["first_divergent"])

    def test_an_epsilon_of_a_fused_norm(self) -> None:
        names = {name: self.tensors[name] for name in ("gamma", "beta", "w")}
        product = helper.make_node("MatMul", ["x", "w"], ["h"], name="product")
        reference = [
            product,
            helper.make_node("Add", ["x", "h"], ["s"], name="sum"),
            helper.make_node("LayerNormalization", ["s", "gamma", "beta"], ["y"], name="norm", epsilon=1e-5),
        ]
        candidate = [product, helper.make_node("SkipLayerNormalization", ["x", "h", "gamma", "beta"], ["y"], domain="com.microsoft", epsilon=0.5)]
        first = self.first(reference, candidate, names, names)
        self.assertEqual(first["op"], "norm")
        self.assertIn("0.5", first["cause"])

    def test_a_weight_of_joined_projections(self) -> None:
        own = {name: self.tensors[name] for name in "qk"}
        reference = [
            helper.make_node("MatMul", ["x", "q"], ["a"], name="query"),
            helper.make_node("MatMul", ["x", "k"], ["b"], name="key"),
            helper.make_node("Sigmoid", ["b"], ["c"]),
            helper.make_node("Mul", ["a", "c"], ["y"]),
        ]
        wrong = own["k"].copy()
        wrong[3, 4] += 2
        candidate = [
            helper.make_node("MatMul", ["x", "both"], ["h"]),
            helper.make_node("Split", ["h"], ["a", "b"], axis=1),
            *reference[2:],
        ]
        first = self.first(reference, candidate, own, {"both": numpy.concatenate([own["q"], wrong], 1)})
        self.assertEqual(first["op"], "key")
        self.assertIn("1 of 64 numbers", first["cause"])
        self.assertIn("both[:, 8:16]", first["cause"])

    def test_a_factor_that_is_left_out(self) -> None:
        own = {"w": self.tensors["w"], "half": numpy.array(0.5)}
        product = helper.make_node("MatMul", ["x", "w"], ["h"])
        reference = [product, helper.make_node("Mul", ["h", "half"], ["m"], name="scaled"), helper.make_node("Add", ["x", "m"], ["y"])]
        candidate = [product, helper.make_node("Add", ["x", "h"], ["y"])]
        first = self.first(reference, candidate, own, {"w": own["w"]})
        self.assertEqual(first["op"], "scaled")
        self.assertIn("0.5", first["cause"])

    def test_an_epsilon_that_changes_nothing_of_the_reference(self) -> None:
        own = {"w": self.tensors["w"]}
        nodes = [
            helper.make_node("MatMul", ["x", "w"], ["h"]),
            helper.make_node("Mul", ["h", "h"], ["s"]),
            helper.make_node("ReduceMean", ["s"], ["m"], axes=[-1], keepdims=1),
            helper.make_node("Add", ["m", "epsilon"], ["e"], name="shifted"),
            helper.make_node("Sqrt", ["e"], ["r"]),
            helper.make_node("Div", ["h", "r"], ["y"]),
        ]
        first = self.first(nodes, nodes, own | {"epsilon": numpy.array(1e-6)}, own | {"epsilon": numpy.array(0.5)})
        self.assertEqual(first["op"], "shifted")
        self.assertIn("0.5", first["cause"])

    def test_a_factor_of_a_fused_product(self) -> None:
        own = {"w": self.tensors["w"], "scale": numpy.array(0.25)}
        reference = [
            helper.make_node("MatMul", ["x", "w"], ["h"]),
            helper.make_node("Mul", ["h", "scale"], ["s"]),
            helper.make_node("Softmax", ["s"], ["y"]),
        ]
        candidate = [helper.make_node("FusedMatMul", ["x", "w"], ["s"], domain="com.microsoft", alpha=0.5), reference[-1]]
        first = self.first(reference, candidate, own, {"w": own["w"]})
        self.assertIn("0.25", first["cause"])
        self.assertIn("`alpha`", first["cause"])

    def test_a_slope_of_a_fused_convolution(self) -> None:
        own = {"w": self.tensors["w"].reshape(8, 8, 1)}
        reference = [
            helper.make_node("Unsqueeze", ["x", "last"], ["u"]),
            helper.make_node("Conv", ["u", "w"], ["c"]),
            helper.make_node("LeakyRelu", ["c"], ["l"], name="leaky", alpha=0.25),
            helper.make_node("Squeeze", ["l", "last"], ["y"]),
        ]
        last = helper.make_node("Constant", [], ["last"], value_ints=[2])
        fused = helper.make_node("FusedConv", ["u", "w"], ["l"], domain="com.microsoft", activation="LeakyRelu", activation_params=[0.5])
        first = self.first([last, *reference], [last, reference[0], fused, reference[3]], own, own)
        self.assertEqual(first["op"], "leaky")
        self.assertIn("0.5", first["cause"])

    def test_a_constant_that_an_optimiser_worked_out(self) -> None:
        base, angles = numpy.array(10.0), numpy.arange(64).reshape(8, 8) / 64
        own = {"w": self.tensors["w"]}
        product, rotated = helper.make_node("MatMul", ["x", "w"], ["h"]), helper.make_node("MatMul", ["h", "table"], ["y"], name="rotated")
        reference = [product, helper.make_node("Pow", ["base", "angles"], ["p"]), helper.make_node("Cos", ["p"], ["table"], name="cosine"), rotated]
        first = self.first(reference, [product, rotated], own | {"base": base, "angles": angles}, own | {"table": numpy.cos(10.5**angles)})
        self.assertEqual(first["op"], "rotated")
        self.assertIn("`cosine` of the reference", first["cause"])

    def test_a_norm_of_many_ops_that_an_optimiser_computes_as_one(self) -> None:
        own = {name: self.tensors[name] for name in ("w", "gamma")}
        reference = [
            helper.make_node("MatMul", ["x", "w"], ["h"]),
            helper.make_node("Pow", ["h", "two"], ["s"]),
            helper.make_node("ReduceMean", ["s"], ["m"], axes=[-1], keepdims=1),
            helper.make_node("Add", ["m", "epsilon"], ["e"], name="shifted"),
            helper.make_node("Sqrt", ["e"], ["r"]),
            helper.make_node("Div", ["one", "r"], ["d"]),
            helper.make_node("Mul", ["h", "d"], ["n"]),
            helper.make_node("Mul", ["gamma", "n"], ["g"], name="weighted"),
            helper.make_node("Sigmoid", ["g"], ["y"]),
        ]
        numbers = {"two": numpy.array(2.0), "one": numpy.array(1.0), "epsilon": numpy.array(1e-6)}
        for epsilon, factor, op, sign in ((0.5, 1.0, "shifted", "`epsilon`"), (1e-6, 3.0, "weighted", "1 of 8 numbers")):
            with self.subTest(op):
                others = {"w": own["w"], "gamma": own["gamma"].copy()}
                others["gamma"][3] *= factor
                norm = helper.make_node("SimplifiedLayerNormalization", ["h", "gamma"], ["g"], epsilon=epsilon)
                first = self.first(reference, [reference[0], norm, reference[-1]], own | numbers, others)
                self.assertEqual(first["op"], op)
                self.assertIn(sign, first["cause"])


class Limits(unittest.TestCase):
    """A table that differs, and beside it a large tensor: its greatest number is a factor of the table."""

    def first(self, numbers: int) -> dict[str, str]:
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        paths = [folder / name for name in ("reference.onnx", "candidate.onnx")]
        nodes = [
            helper.make_node("MatMul", ["x", "w"], ["h"]),
            helper.make_node("ReduceMax", ["large"], ["greatest"], keepdims=0),
            helper.make_node("Cast", ["greatest"], ["factor"], to=TensorProto.FLOAT),
            helper.make_node("Mul", ["table", "factor"], ["factors"]),
            helper.make_node("Mul", ["h", "factors"], ["y"], name="scaled"),
        ]
        for path, last in zip(paths, (8, 9), strict=True):
            table = numpy.array([1, 2, 3, 4, 5, 6, 7, last])
            write(path, nodes, {"w": numpy.eye(8), "table": table, "large": numpy.ones(numbers, numpy.uint8)})
        command = [os.environ["PROGRAM"], "verify", *map(str, paths), "--no-lint", "--localize", "--output-format", "json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        return next(op for op in json.loads(done.stdout)["ops"] if op["first_divergent"])

    def test_as_many_numbers_as_are_compared(self) -> None:
        in_each = 2**25
        self.assertIn("`table`", self.first(in_each - 100)["cause"])
        self.assertFalse(self.first(in_each)["cause"])


class Recurrent(torch.nn.Module):
    """A layer in two directions."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.gru = torch.nn.GRU(4, 6, bidirectional=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.gru(x)[0]
        return result


class CausesOfGates(unittest.TestCase):
    """PyTorch and ONNX order the gates of a layer that recurs each in its own way."""

    def test_a_weight_of_one_direction(self) -> None:
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        network, x = Recurrent().eval(), torch.randn(5, 1, 4)
        reference, candidate = folder / "reference.pt", folder / "candidate.onnx"
        torch.jit.trace(network, x).save(str(reference))
        with torch.no_grad():
            network.gru.weight_hh_l0_reverse[13, 4] += 1
        torch.onnx.export(network, (x,), candidate, dynamo=False, opset_version=17)
        command = [os.environ["PROGRAM"], "verify", str(reference), str(candidate), "--no-lint", "--localize", "--output-format", "json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        cause = next(op["cause"] for op in json.loads(done.stdout)["ops"] if op["first_divergent"])
        for part in ("weight_hh_l0_reverse", "1 of 108 numbers", "index 13 of axis 0"):
            self.assertIn(part, cause)


if __name__ == "__main__":
    unittest.main()
