#!/usr/bin/env python3
"""A float model against the copy that ONNX Runtime's quantiser makes of it: the report lists the layers by the error that each adds."""

import json
import os
import pathlib
import re
import sys
import tempfile
import unittest
import warnings

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))

import preloaded

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_dynamic, quantize_static

DICE = numpy.random.default_rng(0)
START = DICE.bit_generator.state


def weight(name, *shape):
    values = DICE.standard_normal(shape) / numpy.sqrt(numpy.prod(shape[1:]))
    return numpy_helper.from_array(values.astype(numpy.float32), name)


def bias(name, size):
    return numpy_helper.from_array((DICE.standard_normal(size) * 0.5).astype(numpy.float32), name)


def loud(tensor):
    """One channel is so large that one scale for all leaves no steps for the others."""
    values = numpy_helper.to_array(tensor).copy()
    values[0] *= 200
    return numpy_helper.from_array(values, tensor.name)


def classifier():
    """Three convolutions and a linear layer; the last convolution cannot be quantised by one scale."""
    weights = [weight("w1", 16, 3, 3, 3), weight("w2", 32, 16, 3, 3), loud(weight("w3", 32, 32, 3, 3)), weight("w4", 10, 32)]
    nodes = [
        helper.make_node("Conv", ["x", "w1"], ["c1"], name="/stem/Conv", pads=[1] * 4),
        helper.make_node("Relu", ["c1"], ["r1"], name="/stem/Relu"),
        helper.make_node("Conv", ["r1", "w2"], ["c2"], name="/a/Conv", pads=[1] * 4, strides=[2, 2]),
        helper.make_node("Relu", ["c2"], ["r2"], name="/a/Relu"),
        helper.make_node("Conv", ["r2", "w3"], ["c3"], name="/b/Conv", pads=[1] * 4),
        helper.make_node("Relu", ["c3"], ["r3"], name="/b/Relu"),
        helper.make_node("GlobalAveragePool", ["r3"], ["p"], name="/pool"),
        helper.make_node("Flatten", ["p"], ["f"], name="/flat"),
        helper.make_node("Gemm", ["f", "w4"], ["y"], name="/fc/Gemm", transB=1),
    ]
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 32, 32])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 10])
    graph = helper.make_graph(nodes, "classifier", [x], [y], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def spread(name, *shape):
    values = DICE.uniform(-1, 1, shape) / numpy.sqrt(numpy.prod(shape[1:]))
    return numpy_helper.from_array(values.astype(numpy.float32), name)


def saturating():
    """Weights that lie anywhere in their range: products of eight bits, added in pairs in sixteen, do not fit."""
    weights = [spread("w1", 8, 3, 3, 3), bias("b1", 8), spread("w2", 64, 8, 3, 3), bias("b2", 64), spread("w3", 10, 64)]
    nodes = [
        helper.make_node("Conv", ["x", "w1", "b1"], ["c1"], name="/a/Conv", pads=[1] * 4, strides=[2, 2]),
        helper.make_node("Relu", ["c1"], ["r1"], name="/a/Relu"),
        helper.make_node("Conv", ["r1", "w2", "b2"], ["c2"], name="/b/Conv", pads=[1] * 4, strides=[2, 2]),
        helper.make_node("Relu", ["c2"], ["r2"], name="/b/Relu"),
        helper.make_node("GlobalAveragePool", ["r2"], ["p"], name="/pool"),
        helper.make_node("Flatten", ["p"], ["f"], name="/flat"),
        helper.make_node("Gemm", ["f", "w3"], ["y"], name="/fc/Gemm", transB=1),
    ]
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 32, 32])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 10])
    graph = helper.make_graph(nodes, "saturating", [x], [y], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


class Samples(CalibrationDataReader):
    def __init__(self):
        self.left = [{"x": DICE.standard_normal((1, 3, 32, 32)).astype(numpy.float32)} for _ in range(8)]

    def get_next(self):
        return self.left.pop() if self.left else None


def quantised(folder, model, per_channel, **options):
    path = folder / f"int8_{per_channel}.onnx"
    quantize_static(model, path, Samples(), quant_format=QuantFormat.QDQ, per_channel=per_channel, weight_type=QuantType.QInt8, **options)
    return path


def localised(reference, candidate, *options):
    command = [os.environ["PROGRAM"], "verify", str(reference), str(candidate), "--localize", *options]
    return preloaded.run(command).stdout


def biased():
    """Two convolutions with biases; the channels of the second are of different sizes."""
    sizes = numpy.linspace(0.1, 3, 16, dtype=numpy.float32).reshape(-1, 1, 1, 1)
    second = numpy_helper.from_array(numpy_helper.to_array(weight("w2", 16, 16, 3, 3)) * sizes, "w2")
    weights = [weight("w1", 16, 3, 3, 3), bias("b1", 16), second, bias("b2", 16)]
    nodes = [
        helper.make_node("Conv", ["x", "w1", "b1"], ["c1"], name="/a/Conv", pads=[1] * 4),
        helper.make_node("Relu", ["c1"], ["r1"], name="/a/Relu"),
        helper.make_node("Conv", ["r1", "w2", "b2"], ["y"], name="/b/Conv", pads=[1] * 4),
    ]
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 32, 32])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 16, 32, 32])
    graph = helper.make_graph(nodes, "biased", [x], [y], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def with_axes_of_inputs(path):
    """The file, with the scales of the second convolution along its input channels: kernels that compute in integers do not look."""
    model = onnx.load(path)
    for node in model.graph.node:
        if node.op_type == "DequantizeLinear" and node.input[0].startswith("w2"):
            node.attribute[0].i = 1
    onnx.save(model, path.with_name("other_axis.onnx"))
    return path.with_name("other_axis.onnx")


def verified(reference, candidate, *options):
    command = [os.environ["PROGRAM"], "verify", str(reference), str(candidate), "--output-format", "json", *options]
    return json.loads(preloaded.run(command).stdout)


def sqnr(reference, candidate):
    """Of the first output, in dB."""
    verdicts = verified(reference, candidate, "--sqnr", "1")["outputs"][0]["verdicts"]
    return float(next(verdict["message"].split()[1] for verdict in verdicts if verdict["check"] == "sqnr"))


class Judgement(unittest.TestCase):
    """A quantised copy is judged by what eight bits can give, in more than one run."""

    def setUp(self):
        DICE.bit_generator.state = START
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.model = self.folder / "float.onnx"

    def files(self, model, per_channel):
        onnx.save(model, self.model)
        return quantised(self.folder, self.model, per_channel)

    def test_a_good_copy_passes(self):
        report = verified(self.model, self.files(biased(), per_channel=True))
        self.assertEqual((report["passed"], report["checker"]), (True, "quantised"), report)
        self.assertIsNone(report["machine"])
        self.assertFalse(any("calibrated" in note for note in report["notes"]), report["notes"])

    def test_a_layer_whose_activation_the_quantiser_left_out_is_compared_with_both(self):
        """The rounded reference has the result of /b/Conv, the copy only what /b/Relu makes of it, at less than 30 dB."""
        report = verified(self.model, self.files(classifier(), per_channel=True))
        self.assertEqual((report["passed"], report["incidents"]), (True, []), report)

    def test_layers_in_integer_operators_are_judged_as_the_file_says(self):
        """Processors without VNNI instructions lose 20 dB in them."""
        onnx.save(saturating(), self.model)
        copy, inputs = self.folder / "operators.onnx", self.folder / "in.npz"
        types = {"weight_type": QuantType.QInt8, "activation_type": QuantType.QUInt8}
        quantize_static(self.model, copy, Samples(), quant_format=QuantFormat.QOperator, per_channel=True, **types)
        numpy.savez(inputs, x=DICE.standard_normal((1, 3, 32, 32)).astype(numpy.float32))
        report = verified(self.model, copy, "--inputs", str(inputs))
        self.assertEqual((report["passed"], report["incidents"]), (True, []), report)

    def test_what_is_asked_for_decides(self):
        copy = self.files(biased(), per_channel=True)
        self.assertFalse(verified(self.model, copy, "--sqnr", "70")["passed"])
        self.assertFalse(verified(self.model, copy, "--rtol", "1e-4")["passed"])
        self.assertEqual(verified(self.model, copy, "--rtol", "1e-4")["checker"], "default")

    def test_a_poor_copy_is_the_same_model_and_a_ratio_asks_for_more(self):
        copy = self.files(classifier(), per_channel=False)
        report = verified(self.model, copy)
        self.assertEqual((report["passed"], report["precision"]), (True, "int8"), report)
        self.assertFalse(verified(self.model, copy, "--sqnr", "20")["passed"])

    def test_a_weight_that_is_not_the_reference_s_is_named(self):
        copy = self.files(classifier(), per_channel=True)
        for share, named in ((0.1, True), (0.04, True), (0.005, False)):
            model = onnx.load(copy)
            scale = next(each for each in model.graph.initializer if each.name == "w2_scale")
            scale.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(scale) * numpy.float32(1 + share), scale.name))
            onnx.save(model, self.folder / "scaled.onnx")
            messages = [incident["message"] for incident in verified(self.model, self.folder / "scaled.onnx")["incidents"]]
            self.assertEqual(any("the weight of the layer `/a/Conv` is not the reference's" in message for message in messages), named, messages)

    def test_one_number_of_a_weight_is_found(self):
        model = onnx.load(self.files(classifier(), per_channel=True))
        weight = next(each for each in model.graph.initializer if each.name == "w2_quantized")
        numbers = numpy_helper.to_array(weight).copy()
        numbers.flat[numpy.abs(numbers.astype(int)).argmin()] = 127
        weight.CopyFrom(numpy_helper.from_array(numbers, weight.name))
        onnx.save(model, self.folder / "spoilt.onnx")
        report = verified(self.model, self.folder / "spoilt.onnx")
        self.assertFalse(report["passed"], report)
        self.assertIn("the weight of the layer `/a/Conv` is not the reference's", report["incidents"][0]["message"])

    def test_a_fault_that_fused_kernels_hide_is_found(self):
        report = verified(self.model, with_axes_of_inputs(self.files(biased(), per_channel=True)))
        self.assertFalse(report["passed"], report)

    def test_a_copy_that_is_not_quantised_is_judged_as_ever(self):
        onnx.save(biased(), self.model)
        onnx.save(biased(), self.folder / "other.onnx")
        self.assertEqual(verified(self.model, self.folder / "other.onnx")["checker"], "default")


class SmoothedCopy(unittest.TestCase):
    """What SmoothQuant makes: rows of a weight are multiplied before it is put into int8, and what the layer reads is divided by as much."""

    def setUp(self):
        DICE.bit_generator.state = START
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.weights = [numpy_helper.to_array(weight(name, 64, 64)) for name in ("w1", "w2")]
        self.biases = [bias("b1", 64), bias("b2", 64)]
        factors = numpy.exp(0.3 * DICE.standard_normal(64)).astype(numpy.float32)
        self.divisors = numpy_helper.from_array(1 / factors, "divisors")
        self.moved = [self.weights[0] * factors[:, None], self.weights[1]]
        stored = [numpy_helper.from_array(each, name) for each, name in zip(self.weights, ("w1", "w2"), strict=True)]
        self.reference = self.save("float.onnx", "x", [], [*stored, *self.biases])

    def save(self, name, source, nodes, weights):
        layers = [
            helper.make_node("MatMul", [source, "w1"], ["m1"], name="/a/MatMul"),
            helper.make_node("Add", ["m1", "b1"], ["a1"], name="/a/Add"),
            helper.make_node("Relu", ["a1"], ["r1"], name="/a/Relu"),
            helper.make_node("MatMul", ["r1", "w2"], ["m2"], name="/b/MatMul"),
            helper.make_node("Add", ["m2", "b2"], ["y"], name="/b/Add"),
        ]
        ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [4, 64]) for name in "xy"]
        graph = helper.make_graph([*nodes, *layers], "smoothed", ends[:1], ends[1:], weights)
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), self.folder / name)
        return self.folder / name

    def copy(self, biases):
        nodes, stored = [helper.make_node("Mul", ["x", "divisors"], ["divided"])], [self.divisors, *biases]
        for name, values in zip(("w1", "w2"), self.moved, strict=True):
            steps = numpy.abs(values).max(0) / 127
            numbers = numpy.round(values / steps).astype(numpy.int8)
            stored += [numpy_helper.from_array(numbers, f"{name}_q"), numpy_helper.from_array(steps, f"{name}_s")]
            nodes.append(helper.make_node("DequantizeLinear", [f"{name}_q", f"{name}_s"], [name], axis=1))
        return verified(self.reference, self.save("copy.onnx", "divided", nodes, stored))

    def test_an_honest_copy_passes_though_its_weights_are_not_the_reference_s(self):
        report = self.copy(self.biases)
        self.assertEqual((report["passed"], report["incidents"]), (True, []))
        self.assertIn("do not stand for single weights of the reference", str(report["notes"]))

    def test_a_wrong_bias_is_told(self):
        wrong = numpy_helper.from_array(numpy_helper.to_array(self.biases[1]) * 1.5, "b2")
        self.assertFalse(self.copy([self.biases[0], wrong])["passed"])


class DynamicCopy(unittest.TestCase):
    """A norm and a product, of which the product is in int8, in steps of the values at hand."""

    def setUp(self):
        DICE.bit_generator.state = START
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        weights = [
            numpy_helper.from_array(DICE.standard_normal((32, 32)).astype(numpy.float32), "w"),
            numpy_helper.from_array(numpy.ones(32, numpy.float32), "ones"),
        ]
        nodes = [
            helper.make_node("LayerNormalization", ["x", "ones"], ["n"], name="/norm", epsilon=1e-5),
            helper.make_node("MatMul", ["n", "w"], ["y"], name="/product"),
        ]
        ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [4, 32]) for name in "xy"]
        graph = helper.make_graph(nodes, "dynamic", ends[:1], ends[1:], weights)
        self.model = self.folder / "float.onnx"
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), self.model)
        self.copy = self.folder / "copy.onnx"
        quantize_dynamic(self.model, self.copy)

    def test_an_honest_copy_passes(self):
        report = verified(self.model, self.copy)
        self.assertEqual((report["passed"], report["precision"], report["incidents"]), (True, "int8", []))

    def test_what_is_not_in_few_bits_must_agree(self):
        model = onnx.load(self.copy)
        next(node for node in model.graph.node if node.op_type == "LayerNormalization").attribute[0].f = 1e-2
        onnx.save(model, self.folder / "broken.onnx")
        report = verified(self.model, self.folder / "broken.onnx")
        self.assertFalse(report["passed"])
        self.assertIn("something that is not in few bits is wrong", str(report["incidents"]))

    def test_one_number_of_a_weight_is_found(self):
        model = onnx.load(self.copy)
        weight = next(each for each in model.graph.initializer if each.name == "w_quantized")
        numbers = numpy_helper.to_array(weight).copy()
        numbers.flat[numpy.abs(numbers.astype(int)).argmin()] = 127
        weight.CopyFrom(numpy_helper.from_array(numbers, weight.name))
        onnx.save(model, self.folder / "broken.onnx")
        report = verified(self.model, self.folder / "broken.onnx")
        self.assertFalse(report["passed"])
        self.assertIn("is not the reference's, rounded to int8", str(report["incidents"]))


class QuantisedLayers(unittest.TestCase):
    def setUp(self):
        DICE.bit_generator.state = START
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.model = self.folder / "float.onnx"
        onnx.save(classifier(), self.model)

    def layers(self, candidate):
        ops = json.loads(localised(self.model, candidate, "--output-format", "json"))["ops"]
        return {op["op"]: op for op in ops}

    def test_the_layer_that_one_scale_does_not_suit_adds_most(self):
        layers = self.layers(quantised(self.folder, self.model, per_channel=False))
        self.assertLess(layers["/b/Conv"]["introduced_sqnr_db"], 20)
        for name in ("/stem/Conv", "/a/Conv", "/fc/Gemm"):
            self.assertGreater(layers[name]["introduced_sqnr_db"], 30, name)
        # What comes after it passes the error on.
        self.assertLess(layers["/fc/Gemm"]["sqnr_db"], 20)

    def test_with_a_scale_for_each_channel_it_adds_little(self):
        layers = self.layers(quantised(self.folder, self.model, per_channel=True))
        self.assertGreater(layers["/b/Conv"]["introduced_sqnr_db"], 25)  # what is left is one scale for its result

    def test_the_table_begins_with_the_worst(self):
        text = localised(self.model, quantised(self.folder, self.model, per_channel=False))
        table = text.partition("layers by the error that each adds")[2].splitlines()
        self.assertTrue(table[2].split()[0] == "/b/Conv", text)

    def test_layers_to_keep_in_float_are_named(self):
        text = localised(self.model, quantised(self.folder, self.model, per_channel=False))
        self.assertIn("to keep in float: `/b/Conv`; the outputs then have", text)
        text = localised(self.model, quantised(self.folder, self.model, per_channel=True))
        self.assertIn("layers by the error that each adds", text)
        self.assertNotIn("/b/Conv`; the outputs", text)

    def test_the_quantiser_gains_what_is_foretold(self):
        text = localised(self.model, quantised(self.folder, self.model, per_channel=False))
        foretold, before = map(float, re.search(r"the outputs then have (\S+) dB \(now (\S+) dB\)", text).groups())
        copy = quantised(self.folder, self.model, per_channel=False, nodes_to_exclude=["/b/Conv"])
        gained = sqnr(self.model, copy)
        self.assertGreater(gained, before + 10)
        self.assertGreater(gained, foretold - 1)  # the quantiser leaves what the layer reads in float as well

    def test_a_copy_that_is_not_quantised_has_no_such_table(self):
        broken = onnx.load(self.model)
        weights = next(each for each in broken.graph.initializer if each.name == "w2")
        weights.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(weights) * numpy.float32(1.05), "w2"))
        onnx.save(broken, self.folder / "broken.onnx")
        text = localised(self.model, self.folder / "broken.onnx")
        self.assertNotIn("layers by the error", text)
        self.assertIn("first difference: /a/Conv", text)


class OtherNamesAndData(unittest.TestCase):
    """A copy that was made of another export of the same model, whose values have other names; and one that was calibrated on wider data."""

    def setUp(self):
        DICE.bit_generator.state = START
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        model = classifier()
        shares = helper.make_node("Softmax", ["y"], ["s"], name="/s", axis=1)
        model.graph.node.append(shares)
        model.graph.output[0].name = "s"
        self.path = self.folder / "model.onnx"
        onnx.save(model, self.path)

    def renamed(self):
        model = onnx.load(self.path)
        for node in model.graph.node:
            for names in (node.input, node.output):
                for i, name in enumerate(names):
                    names[i] = f"val_{name}" if name in ("c1", "r1", "c2", "r2", "c3", "r3", "p", "f", "y") else "softmax" if name == "s" else name
        model.graph.output[0].name = "softmax"
        onnx.save(model, self.folder / "renamed.onnx")
        return self.folder / "renamed.onnx"

    def test_values_of_other_names_are_rounded(self):
        copy = quantised(self.folder, self.path, True)
        report = verified(self.renamed(), copy)
        self.assertTrue(report["passed"], report)

    def test_a_weight_that_is_off_is_told_under_other_names(self):
        copy = onnx.load(quantised(self.folder, self.path, True))
        for tensor in copy.graph.initializer:
            if tensor.name == "w2_scale":
                tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor) * numpy.float32(1.3), tensor.name))
        onnx.save(copy, self.folder / "wrong.onnx")
        report = verified(self.renamed(), self.folder / "wrong.onnx")
        self.assertFalse(report["passed"], report)

    def test_shares_near_one_are_cut_off_as_the_copy_does(self):
        """The quantiser stored them in steps of 1/256 from 0 until it took 1/255: the greatest was 255/256."""
        model = onnx.load(self.path)
        for tensor in model.graph.initializer:
            if tensor.name == "w4":
                tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor) * numpy.float32(2000), tensor.name))
        onnx.save(model, self.path)
        copy = onnx.load(quantised(self.folder, self.path, True))
        for tensor in copy.graph.initializer:
            if tensor.name == "s_scale":
                tensor.CopyFrom(numpy_helper.from_array(numpy.float32(1 / 256), tensor.name))
        onnx.save(copy, self.folder / "older.onnx")
        report = verified(self.path, self.folder / "older.onnx")
        self.assertTrue(report["passed"], report)
        self.assertIn("int8 explains", " ".join(report["outputs"][0]["notes"]))

    def test_where_nothing_is_rounded_the_rule_for_all_models_decides(self):
        """A table is no layer: the reference has nothing that the copy of it would round."""
        table = weight("table", 50, 16)
        ids = helper.make_tensor_value_info("ids", TensorProto.INT64, [4])
        y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [4, 16])
        step = numpy.abs(numpy_helper.to_array(table)).max() / 127
        files = {}
        for name, factor in (("net", 0), ("good", 1), ("wrong", 1.5)):
            nodes = [helper.make_node("Gather", ["table", "ids"], ["y"], name="/t/Gather")]
            stored = [table]
            if factor:
                whole = numpy.round(numpy_helper.to_array(table) / step).astype(numpy.int8)
                stored = [numpy_helper.from_array(whole, "whole"), numpy_helper.from_array(numpy.float32(step * factor), "scale")]
                nodes.insert(0, helper.make_node("DequantizeLinear", ["whole", "scale"], ["table"]))
            graph = helper.make_graph(nodes, name, [ids], [y], stored)
            files[name] = self.folder / f"{name}.onnx"
            onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), files[name])
        good = verified(files["net"], files["good"])
        self.assertTrue(good["passed"], good)
        self.assertIn("a rule for all models decides", " ".join(good["outputs"][0]["notes"]))
        self.assertFalse(verified(files["net"], files["wrong"])["passed"])

    def test_steps_of_wider_data_are_no_fault(self):
        data = Samples()
        for sample in data.left:
            sample["x"] *= 3
        copy = self.folder / "wide.onnx"
        quantize_static(self.path, copy, data, quant_format=QuantFormat.QDQ, weight_type=QuantType.QInt8, per_channel=True)
        numpy.save(self.folder / "x.npy", DICE.standard_normal((1, 3, 32, 32)).astype(numpy.float32))
        report = verified(self.path, copy, "--inputs", str(self.folder / "x.npy"))
        self.assertTrue(report["passed"], report)


if __name__ == "__main__":
    unittest.main()
