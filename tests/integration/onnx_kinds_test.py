"""Every kind of ONNX model is read; and verified by each runtime that takes it, with the runtime's own words where it does not.

Environment: PROGRAM (the built program).
"""

import json
import os
import re
import sys
import tempfile
import unittest
from pathlib import Path

import numpy
import onnx
import onnxruntime
from onnx import helper
from onnx_kinds import FLOAT, INT64, STRING, info, kinds
from onnx_kinds import model as model_of

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import preloaded

try:
    import openvino
except ImportError:
    openvino = None

PROGRAM = os.environ["PROGRAM"]
OUR_OWN_FAULTS = re.compile(r"internal error|std::|variant|max_size|basic_string|vector")


def run(*arguments):
    return preloaded.run([PROGRAM, *map(str, arguments)])


def runs_in_onnxruntime(file, inputs):
    """Whether the runtime itself takes the model, and returns what can be compared."""
    try:
        outputs = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"]).run(None, inputs)
    except Exception:
        return False
    return all(isinstance(output, numpy.ndarray) for output in outputs)


def runs_in_openvino(file, inputs):
    try:
        compiled = openvino.Core().compile_model(file, "CPU")
        compiled({port: inputs[port.any_name] for port in compiled.inputs if port.any_name in inputs})
    except Exception:
        return False
    return True


class OnnxKinds(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.made = []
        for name, made, inputs in kinds():
            file, values = Path(folder.name) / f"{name}.onnx", Path(folder.name) / f"{name}.npz"
            onnx.save(made, file)
            numpy.savez(values, **inputs)
            cls.made.append((name, file, values, inputs))

    def expect_no_fault_of_ours(self, done):
        self.assertNotRegex(done.stdout + done.stderr, OUR_OWN_FAULTS)

    def test_every_kind_is_read(self):
        for name, file, _, _ in self.made:
            for command in (("check",), ("inspect",), ("graph", "--format", "json")):
                with self.subTest(name, command=command[0]):
                    done = run(*command, file)
                    self.assertIn(done.returncode, (0, 1), done.stderr)
                    self.expect_no_fault_of_ours(done)

    def verify_all(self, backend, runtime_takes):
        agreed = 0
        for name, file, values, inputs in self.made:
            if not runs_in_onnxruntime(str(file), inputs):
                continue
            with self.subTest(name, backend=backend):
                done = run("verify", file, "--backend", backend, "--inputs", values, "--output-format", "json", "--threads", 1, "--allow-empty")
                self.expect_no_fault_of_ours(done)
                if runtime_takes(str(file), inputs):
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                    self.assertTrue(json.loads(done.stdout)["passed"])
                    agreed += 1
        self.assertGreater(agreed, 30)

    def test_outputs_and_inputs_that_are_no_tensors_of_numbers_are_refused_with_a_way_out(self):
        number, text = info("x", FLOAT, [None, 3]), info("x", STRING, [None, 3])
        maps = helper.make_sequence_type_proto(helper.make_map_type_proto(INT64, helper.make_tensor_type_proto(FLOAT, None)))
        labels = {"classlabels_int64s": [0, 1, 2]}
        words = {"keys_strings": ["a"], "values_int64s": [1]}
        names = {"keys_floats": [1.0], "values_strings": ["a"]}
        cases = {
            "zipmap": ([helper.make_node("ZipMap", ["x"], ["y"], domain="ai.onnx.ml", **labels)], number, helper.make_value_info("y", maps)),
            "a list": ([helper.make_node("SequenceConstruct", ["x"], ["y"])], number, helper.make_tensor_sequence_value_info("y", FLOAT, None)),
            "labels that are numbers": ([helper.make_node("LabelEncoder", ["x"], ["y"], domain="ai.onnx.ml", **names)], number,
                                        info("y", STRING, None)),
            "from where its text": ([helper.make_node("LabelEncoder", ["x"], ["y"], domain="ai.onnx.ml", **words)], text,
                                    info("y", INT64, None)),
        }
        for said, (nodes, given, result) in cases.items():
            with self.subTest(said), tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / "model.onnx"
                onnx.save(model_of(nodes, [given], [result], domains=[("ai.onnx.ml", 2)]), file)
                done = run("verify", file, "--backend", "onnxruntime", "--input", "x=2x3", "--no-lint")
                self.assertEqual(done.returncode, 2, done.stdout)
                self.assertIn(said, done.stderr)

    def test_onnx_runtime_agrees_with_itself(self):
        self.verify_all("onnxruntime", lambda *_: True)

    @unittest.skipUnless(openvino is not None, "without OpenVINO")
    def test_openvino_agrees_with_onnx_runtime_on_what_it_takes(self):
        self.verify_all("openvino", runs_in_openvino)


if __name__ == "__main__":
    unittest.main()
