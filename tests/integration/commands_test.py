#!/usr/bin/env python3
"""Programs of `--command`: those of examples/commands/, and what `--candidate-precision` makes of one that computes in few bits."""

import json
import os
import pathlib
import shlex
import sys
import tempfile
import unittest

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))

import preloaded

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "commands"

# Computes the network below, with what it stores and what it computes rounded as the first argument says.
PROGRAM = """
import sys
import numpy

def halves(array):
    return array.astype(numpy.float16).astype(numpy.float32)

def eighths(array):
    scale = numpy.abs(array).max() / 127
    return numpy.round(array / scale) * scale

how, weights, inputs, outputs = sys.argv[1:]
results = {"float32": lambda a: a, "float16": halves, "float16-weights": lambda a: a, "int8": eighths}[how]
stored = {"float32": lambda a: a, "float16": halves, "float16-weights": halves, "int8": eighths}[how]
w = {name: stored(array) if array.ndim == 2 else array for name, array in numpy.load(weights).items()}
x = numpy.load(inputs)["x"]
for layer in "abc":
    x = results(x) @ w[layer] + w[layer + "_b"]
    x = numpy.maximum(x, 0) if layer != "c" else x
numpy.savez(open(outputs, "wb"), y=results(x).astype(numpy.float32) if how == "float16" else x)
"""


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        random = numpy.random.default_rng(0)
        cls.weights = {name: random.normal(0, 1 / 8, (64, 64)).astype(numpy.float32) for name in "abc"}
        cls.weights |= {f"{name}_b": random.normal(0, 0.1, 64).astype(numpy.float32) for name in "abc"}
        nodes, value = [], "x"
        for name in "abc":
            nodes.append(helper.make_node("MatMul", [value, name], [f"{name}1"], name=f"/{name}/MatMul"))
            nodes.append(helper.make_node("Add", [f"{name}1", f"{name}_b"], [f"{name}2" if name != "c" else "y"], name=f"/{name}/Add"))
            if name != "c":
                nodes.append(helper.make_node("Relu", [f"{name}2"], [f"{name}3"], name=f"/{name}/Relu"))
            value = f"{name}3"
        ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [8, 64]) for name in "xy"]
        stored = [numpy_helper.from_array(array, name) for name, array in cls.weights.items()]
        graph = helper.make_graph(nodes, "network", ends[:1], ends[1:], stored)
        cls.reference = cls.folder / "network.onnx"
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), cls.reference)
        (cls.folder / "program.py").write_text(PROGRAM)

    def run_program(self, *options):
        return preloaded.run([os.environ["PROGRAM"], "verify", str(self.reference), *map(str, options)])

    def verified(self, how, precision=None, **changes):
        """Whether a program that computes so is the same, and in what precision."""
        weights = self.folder / "weights.npz"
        numpy.savez(weights, **{**self.weights, **changes})
        command = shlex.join([sys.executable, str(self.folder / "program.py"), how, str(weights)]) + " {inputs} {outputs}"
        options = [] if precision is None else ["--candidate-precision", precision]
        done = self.run_program("--command", command, "--output-format", "json", *options)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        report = json.loads(done.stdout)
        return report["passed"], report["precision"]

    def test_a_program_is_held_to_float32_unless_it_is_said_to_compute_in_less(self):
        self.assertEqual(self.verified("float32"), (True, None))
        for how in ("float16", "float16-weights", "int8"):
            self.assertEqual(self.verified(how), (False, None), how)

    def test_a_program_is_judged_by_what_its_precision_costs(self):
        for how, words in (("float16", "float16"), ("float16-weights", "float16 weights"), ("int8", "int8")):
            self.assertEqual(self.verified(how, how), (True, words), how)

    def test_what_is_wrong_is_not_explained_by_a_precision(self):
        wrong = self.weights["b"].copy()
        wrong[:, 5] *= 2
        for how in ("float16", "float16-weights", "int8"):
            self.assertFalse(self.verified(how, how, b=wrong)[0], how)

    def test_a_precision_that_there_is_not_is_an_error(self):
        done = self.run_program("--command", "true {inputs} {outputs}", "--candidate-precision", "float8")
        self.assertEqual(done.returncode, 2)
        self.assertIn("did you mean `float16`?", done.stderr)

    def test_the_example_for_openvino_runs_a_model_by_name(self):
        import openvino

        model = self.folder / "network.xml"
        openvino.save_model(openvino.convert_model(str(self.reference)), model, compress_to_fp16=False)
        command = shlex.join([sys.executable, str(EXAMPLES / "run_openvino.py"), str(model)]) + " {inputs} {outputs}"
        # A processor with bfloat16 computes in it, unless it is told otherwise.
        done = self.run_program("--command", command, "--candidate-precision", "bfloat16")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_examples_tell_a_model_that_takes_other_inputs(self):
        inputs = self.folder / "inputs.npz"
        numpy.savez(inputs, a=numpy.zeros(1), b=numpy.ones(2))
        sys.path.insert(0, str(EXAMPLES))
        self.addCleanup(sys.path.remove, str(EXAMPLES))
        import exchange

        self.assertEqual([array.size for array in exchange.read_inputs(str(inputs), ["b", "a"])], [2, 1])
        self.assertEqual([array.size for array in exchange.read_inputs(str(inputs), ["x", "y"])], [1, 2])
        with self.assertRaises(SystemExit):
            exchange.read_inputs(str(inputs), ["x"])
        exchange.write_outputs(str(inputs), ["y", "y", "z"], [numpy.zeros(3)] * 3)
        self.assertEqual(numpy.load(inputs).files, ["y_0", "y_1", "z"])


if __name__ == "__main__":
    unittest.main()
