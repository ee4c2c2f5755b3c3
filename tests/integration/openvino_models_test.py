#!/usr/bin/env python3
"""OpenVINO models as candidates: what `save_model` and quantisers write of ONNX files, honest and wrong, whole and damaged."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import venv

import numpy
import onnx
import openvino
import openvino.opset13 as ops
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))

import preloaded

RANDOM = numpy.random.default_rng(0)


def weight(*shape):
    return RANDOM.normal(0, 1 / numpy.sqrt(numpy.prod(shape[1:])), shape).astype(numpy.float32)


WEIGHTS = {"c1.w": weight(8, 3, 3, 3), "c1.b": weight(8), "c2.w": weight(16, 8, 3, 3), "fc.w": weight(16, 10)}


def network(path, change=None):
    """Two convolutions, a pool and a layer. `change` receives a copy of the weights, by name."""
    weights = {name: array.copy() for name, array in WEIGHTS.items()}
    if change:
        change(weights)
    nodes = [
        helper.make_node("Conv", ["x", "c1.w", "c1.b"], ["a"], name="/c1", pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["a"], ["b"], name="/r1"),
        helper.make_node("Conv", ["b", "c2.w"], ["c"], name="/c2", pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c"], ["d"], name="/r2"),
        helper.make_node("GlobalAveragePool", ["d"], ["e"], name="/pool"),
        helper.make_node("Flatten", ["e"], ["f"], name="/flat"),
        helper.make_node("MatMul", ["f", "fc.w"], ["y"], name="/fc"),
    ]
    ends = [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in (("x", ["batch", 3, 16, 16]), ("y", ["batch", 10]))]
    stored = [numpy_helper.from_array(array, name) for name, array in weights.items()]
    graph = helper.make_graph(nodes, "network", ends[:1], ends[1:], stored)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return path


def larger(weights):
    weights["c2.w"][3] *= 1.5


def turned(weights):
    weights["c2.w"][3] *= -1


def nan(weights):
    weights["c1.w"][0, 0, 0, 0] = numpy.nan


def rounded_to_eight_bits(model, scale_of_second=1.0):
    """As NNCF writes it: weights in i8 with a scale for each row, and each input of a layer through a FakeQuantize."""
    ranges = {"x": (-4.0, 4.0), "b": (0.0, 5.0)}
    convolutions = [node for node in model.get_ordered_ops() if node.get_type_name() == "Convolution"]
    for number, node in enumerate(convolutions):
        array = node.input_value(1).get_node().data if node.input_value(1).get_node().get_type_name() == "Constant" else None
        scale = (numpy.abs(array).reshape(len(array), -1).max(1) / 127).reshape(-1, 1, 1, 1).astype(numpy.float32)
        whole = ops.constant(numpy.round(array / scale).astype(numpy.int8))
        factor = numpy.float32(scale_of_second if number == 1 else 1)
        wide = ops.multiply(ops.convert(whole, "f32"), ops.constant(scale * factor))
        node.input(1).replace_source_output(wide.output(0))
        source = node.input_value(0)
        low, high = (ops.constant(numpy.float32(end)) for end in ranges[min(source.get_names())])
        node.input(0).replace_source_output(ops.fake_quantize(source, low, high, low, high, 256).output(0))
    return model


class OpenVinoModels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.reference = network(cls.folder / "reference.onnx")

    def converted(self, name, change=None, quantise=None, halves=False):
        """The path of an OpenVINO model of the network."""
        model = openvino.convert_model(str(network(self.folder / f"{name}.onnx", change)))
        if quantise is not None:
            rounded_to_eight_bits(model, quantise)
        openvino.save_model(model, self.folder / f"{name}.xml", compress_to_fp16=halves)
        return self.folder / f"{name}.xml"

    def run_program(self, *arguments, **environment):
        command = [os.environ["PROGRAM"], *map(str, arguments)]
        if environment:
            return subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | environment)
        return preloaded.run(command)

    def verified(self, candidate, *options, reference=None):
        done = self.run_program("verify", reference or self.reference, candidate, "--output-format", "json", *options)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return json.loads(done.stdout)

    def error(self, *arguments):
        done = self.run_program("verify", self.reference, *arguments)
        self.assertEqual(done.returncode, 2, done.stdout)
        first = done.stderr.splitlines()[0]
        self.assertTrue(first.startswith("error: "), done.stderr)
        return first

    def test_a_model_of_the_same_weights_is_the_same(self):
        report = self.verified(self.converted("plain"))
        self.assertEqual((report["passed"], report["backend"], report["precision"]), (True, "openvino", None))

    def test_float16_weights_are_a_precision_and_no_difference(self):
        report = self.verified(self.converted("halves", halves=True))
        self.assertEqual((report["passed"], report["precision"]), (True, "float16 weights"))

    def test_a_wrong_weight_is_a_difference_in_either_precision(self):
        for halves in (False, True):
            report = self.verified(self.converted(f"wrong{halves}", larger, halves=halves), "--localize")
            self.assertFalse(report["passed"])
            first = next(op for op in report["ops"] if op["first_divergent"])
            self.assertEqual((first["op"], first["candidate"].split()[0]), ("/c2", "Convolution"))

    def test_a_copy_in_eight_bits_is_judged_by_what_those_cost(self):
        report = self.verified(self.converted("int8", quantise=1.0))
        self.assertEqual((report["passed"], report["precision"]), (True, "int8"))

    def test_a_wrong_scale_of_a_copy_in_eight_bits_is_a_difference(self):
        report = self.verified(self.converted("scale", quantise=1.5), "--localize")
        self.assertFalse(report["passed"])
        worst = min((op for op in report["ops"] if op["introduced_sqnr_db"] is not None), key=lambda op: float(op["introduced_sqnr_db"]))
        self.assertEqual(worst["op"], "/c2")

    def test_weights_of_a_copy_in_eight_bits_are_compared_one_by_one(self):
        def told(name, change, scale=1.0):
            incidents = self.verified(self.converted(name, change, quantise=scale))["incidents"]
            return [incident["message"] for incident in incidents if "is not the reference's" in incident["message"]]

        self.assertEqual(told("own", None), [])
        for name, change, scale in (("turned", turned, 1.0), ("finer", None, 0.9)):
            (message,) = told(name, change, scale)
            self.assertIn("`c2.w`", message)

    def test_nan_among_its_weights_is_told(self):
        report = self.verified(self.converted("nan", nan))
        self.assertIn("nan-weights", [incident["kind"] for incident in report["incidents"]])

    def test_it_is_the_candidate_for_stored_results_too(self):
        golden = self.folder / "golden"
        self.assertEqual(self.run_program("verify", self.reference, "--save-golden", golden).returncode, 0)
        self.assertEqual(self.run_program("verify", self.converted("stored"), "--golden", golden).returncode, 0)

    def test_each_call_starts_from_the_state_in_the_file(self):
        taken = ops.parameter([1, 4], numpy.float32)
        taken.get_output_tensor(0).set_names({"x"})
        kept = openvino.op.util.VariableInfo()
        kept.data_shape, kept.data_type, kept.variable_id = openvino.PartialShape([1, 4]), openvino.Type.f32, "total"
        variable = openvino.op.util.Variable(kept)
        total = ops.add(ops.read_value(ops.constant(numpy.zeros((1, 4), numpy.float32)), variable), taken)
        total.get_output_tensor(0).set_names({"y"})
        model = openvino.Model([ops.result(total)], [ops.assign(total, variable)], [taken])
        openvino.save_model(model, self.folder / "sum.xml", compress_to_fp16=False)
        ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 4]) for name in ("x", "y")]
        graph = helper.make_graph([helper.make_node("Identity", ["x"], ["y"])], "same", ends[:1], ends[1:])
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), self.folder / "same.onnx")
        report = self.verified(self.folder / "sum.xml", "--samples", "2", reference=self.folder / "same.onnx")
        self.assertTrue(report["passed"])

    def test_a_python_without_openvino_and_a_device_that_is_not_there_are_told(self):
        model = self.converted("there")
        empty = self.folder / "empty"
        venv.create(empty, with_pip=False)
        done = self.run_program("verify", self.reference, model, MODEL_VALIDATOR_PYTHON=str(empty / "bin" / "python"))
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("Python cannot load OpenVINO: No module named", done.stderr)
        self.assertIn("install `openvino`", done.stderr)
        done = self.run_program("verify", self.reference, model, "--backend", "openvino:NONE")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("OpenVINO cannot load the model", done.stderr)

    def test_it_is_not_linted(self):
        model = self.converted("lint")
        for command in (("check", model), ("verify", model, self.reference)):
            done = self.run_program(*command)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"verify MODEL {model}", done.stderr + done.stdout)

    def test_sizes_that_the_reference_cannot_take_are_not_advised(self):
        taken = ops.parameter([1, 1, 8, 8], numpy.float32)
        taken.get_output_tensor(0).set_names({"x"})
        openvino.save_model(openvino.Model([ops.relu(taken)], [taken]), self.folder / "other.xml")
        done = self.run_program("verify", self.reference, self.folder / "other.xml")
        self.assertEqual(done.returncode, 2)
        self.assertIn("= help: name two files of one model\n", done.stderr)

    def test_what_is_missing_or_damaged_is_one_sentence(self):
        model = self.converted("whole")
        text, weights = model.read_text(), model.with_suffix(".bin").read_bytes()
        self.assertIn("the weights of the OpenVINO model are missing", self.error(shutil.copy(model, self.folder / "alone.xml")))
        damaged = self.folder / "damaged.xml"
        damaged.with_suffix(".bin").write_bytes(weights)
        for cut in (200, len(text) // 2, len(text) - 8):
            damaged.write_text(text[:cut])
            self.assertIn("the OpenVINO model is cut off", self.error(damaged))
        damaged.write_text(text.replace('<?xml version="1.0"?>', '<?xml version="1.0"?><!DOCTYPE net [<!ENTITY a "b">]>'))
        self.assertIn("an XML file, not a model", self.error(damaged))
        damaged.write_text(text.replace("<layers>", '<!DOCTYPE net [<!ENTITY a SYSTEM "/etc/passwd">]><layers>', 1))
        self.assertIn("declares a document type", self.error(damaged))
        damaged.write_text(text)
        damaged.with_suffix(".bin").write_bytes(weights[:-1])
        self.assertIn("are cut off", self.error(damaged))
        damaged.write_text("<svg/>")
        self.assertIn("this is not a model file of a known format", self.error(damaged))


if __name__ == "__main__":
    unittest.main()
