#!/usr/bin/env python3
"""Models of LiteRT and ExecuTorch as candidates: their files, and the confined Python that runs them, with stand-ins for both runtimes."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import flatbuffers
import onnx
from onnx import TensorProto, helper

LITERT = """
import ctypes, enum, os, sys
import numpy as np
OpResolverType = enum.Enum("OpResolverType", "AUTO BUILTIN_WITHOUT_DEFAULT_DELEGATES")
DETAILS = {"dtype": np.float32, "quantization_parameters": {"scales": [], "zero_points": []}}
class Interpreter:
    def __init__(self, model_path, **options):
        self.name = os.path.basename(model_path)
        if self.name.startswith("refused"):
            raise ValueError("an op has no kernel")
    def _get_tensor_details(self, value, graph):
        return DETAILS
    def reset_all_variables(self):
        pass
    def get_signature_runner(self, name):
        return self.called
    def called(self, args_0):
        if self.name.startswith("crash"):
            ctypes.string_at(0)
        if self.name.startswith("aborts"):
            print("F0000 a check failed", file=sys.stderr, flush=True)
            os.abort()
        if self.name.startswith("writes"):
            open(CANARY, "w")
        self.result = args_0 * (3 if self.name.startswith("wrong") else 2)
    def get_tensor(self, value, graph):
        return self.result
"""
EXECUTORCH = """
class Runtime:
    @staticmethod
    def get():
        return Runtime()
    def load_program(self, file):
        return self
    def load_method(self, name):
        return self
    def execute(self, inputs):
        return [inputs[0] * 2]
"""


def table(builder, fields):
    """fields: by number, a function that adds it, or the offset of what was written before"""
    builder.StartObject(max(fields, default=-1) + 1)
    for number, value in fields.items():
        if callable(value):
            value(number)
        else:
            builder.PrependUOffsetTRelativeSlot(number, value, 0)
    return builder.EndObject()


def listed(builder, tables):
    builder.StartVector(4, len(tables), 4)
    for offset in reversed(tables):
        builder.PrependUOffsetTRelative(offset)
    return builder.EndVector()


def whole(builder, values):
    builder.StartVector(4, len(values), 4)
    for value in reversed(values):
        builder.PrependInt32(value)
    return builder.EndVector()


def litert(shape):
    """`output_0` of `args_0`, both of one shape."""
    builder = flatbuffers.Builder()
    tensors = [table(builder, {0: whole(builder, shape), 3: builder.CreateString(name)}) for name in ("x", "y")]
    graph = table(builder, {0: listed(builder, tensors), 1: whole(builder, [0]), 2: whole(builder, [1])})
    ports = []
    for number, name in enumerate(("args_0", "output_0")):
        text = builder.CreateString(name)
        ports.append(listed(builder, [table(builder, {0: text, 1: lambda slot, number=number: builder.PrependUint32Slot(slot, number, 0)})]))
    signature = table(builder, {0: ports[0], 1: ports[1], 2: builder.CreateString("serving_default")})
    buffers = listed(builder, [table(builder, {})])
    builder.Finish(table(builder, {2: listed(builder, [graph]), 4: buffers, 7: listed(builder, [signature])}), b"TFL3")
    return bytes(builder.Output())


def executorch(shape):
    builder = flatbuffers.Builder()
    values = []
    for _ in range(2):
        tensor = table(builder, {0: lambda slot: builder.PrependInt8Slot(slot, 6, 0), 2: whole(builder, shape)})
        values.append(table(builder, {0: lambda slot: builder.PrependUint8Slot(slot, 5, 0), 1: tensor}))
    fields = {0: builder.CreateString("forward"), 2: listed(builder, values), 3: whole(builder, [0]), 4: whole(builder, [1])}
    builder.Finish(table(builder, {1: listed(builder, [table(builder, fields)])}), b"ET12")
    return bytes(builder.Output())


class EdgeModels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        for package, module, text in (("ai_edge_litert", "interpreter", LITERT), ("executorch", "runtime", EXECUTORCH)):
            (cls.folder / package).mkdir()
            (cls.folder / package / "__init__.py").touch()
            (cls.folder / package / f"{module}.py").write_text(f"CANARY = {str(cls.folder / 'canary')!r}\n" + text)
        ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 2, 3, 4]) for name in ("x", "y")]
        nodes = [helper.make_node("Add", ["x", "x"], ["y"], name="/add")]
        cls.reference = cls.folder / "reference.onnx"
        model = helper.make_model(helper.make_graph(nodes, "twice", ends[:1], ends[1:]), opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        onnx.save(model, cls.reference)

    def verified(self, name, content, *options, packages=True, python=sys.executable):
        (self.folder / name).write_bytes(content)
        given = {"MODEL_VALIDATOR_PYTHON": python, "MODEL_VALIDATOR_PACKAGES": str(self.folder) if packages else ""}
        words = ["env", *(f"{key}={value}" for key, value in given.items()), os.environ["PROGRAM"]]
        return subprocess.run([*words, "verify", self.reference, self.folder / name, *options], capture_output=True, text=True, check=False)

    def test_an_honest_model_is_the_same_and_a_wrong_one_is_not(self):
        for name, content, status in (
            ("honest.tflite", litert([1, 2, 3, 4]), 0),
            ("wrong.tflite", litert([1, 2, 3, 4]), 1),
            ("honest.pte", executorch([1, 2, 3, 4]), 0),
        ):
            done = self.verified(name, content)
            self.assertEqual(done.returncode, status, done.stdout + done.stderr)

    def test_channels_may_be_last(self):
        done = self.verified("last.tflite", litert([1, 3, 4, 2]))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("the input `x` is given with its channels last", done.stdout)
        self.assertIn("the output `output_0` has its channels last", done.stdout)

    def test_sizes_of_another_model_are_refused(self):
        done = self.verified("other.tflite", litert([1, 5, 3, 4]))
        self.assertEqual(done.returncode, 2)
        self.assertIn("`args_0` of `" + str(self.folder / "other.tflite") + "` is float32 [1, 5, 3, 4]", done.stderr)

    def test_what_the_runtime_refuses_is_its_own_sentence(self):
        done = self.verified("refused.tflite", litert([1, 2, 3, 4]))
        self.assertEqual(done.returncode, 2)
        self.assertIn("LiteRT cannot load the model: an op has no kernel", done.stderr)

    def test_a_runtime_that_ends_its_process_is_a_finding(self):
        done = self.verified("crash.tflite", litert([1, 2, 3, 4]))
        self.assertEqual(done.returncode, 3)
        self.assertIn("the Python process of LiteRT was ended by signal 11", done.stdout)

    def test_a_runtime_that_aborts_says_what_it_said_last(self):
        done = self.verified("aborts.tflite", litert([1, 2, 3, 4]))
        self.assertEqual(done.returncode, 3)
        self.assertIn("the Python process of LiteRT ended itself (`abort`)", done.stdout)
        self.assertIn("F0000 a check failed", done.stdout)

    def test_the_runtime_is_confined(self):
        done = self.verified("writes.tflite", litert([1, 2, 3, 4]))
        self.assertEqual(done.returncode, 3)
        self.assertIn("Permission denied", done.stdout)
        self.assertFalse((self.folder / "canary").exists())

    def test_a_missing_package_is_named(self):
        done = self.verified("absent.tflite", litert([1, 2, 3, 4]), packages=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("Python cannot load LiteRT", done.stderr)
        self.assertIn("install `ai-edge-litert`", done.stderr)

    def test_a_python_without_numpy_is_told(self):
        bare = self.folder / "bare"
        bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
        bare.chmod(0o755)
        done = self.verified("bare.tflite", litert([1, 2, 3, 4]), packages=False, python=bare)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("Python cannot load LiteRT: No module named 'numpy'", done.stderr)


if __name__ == "__main__":
    unittest.main()
