"""Sizes that a file gives a name are set together, by that name or by any of their places.

Environment: PROGRAM (the built program).
"""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import torch
from onnx import TensorProto, helper, save

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import preloaded

PROGRAM = os.environ["PROGRAM"]


class Joined(torch.nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.cat([x, y], 1).sin()


def save_program(file: Path) -> str:
    """Returns the name of the shared size."""
    batch = torch.export.Dim("batch", min=2, max=64)
    inputs = (torch.ones(4, 3), torch.ones(4, 2))
    program = torch.export.export(Joined(), inputs, dynamic_shapes={"x": {0: batch}, "y": {0: batch}})
    torch.export.save(program, file)
    return str(next(iter(program.range_constraints)))


def save_onnx(file: Path) -> str:
    given = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", size]) for name, size in (("x", 3), ("y", 2))]
    result = helper.make_tensor_value_info("z", TensorProto.FLOAT, ["batch", 5])
    nodes = [helper.make_node("Concat", ["x", "y"], ["joined"], axis=1), helper.make_node("Sin", ["joined"], ["z"])]
    graph = helper.make_graph(nodes, "joined", given, [result])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), file)
    return "batch"


class SizeNames(unittest.TestCase):
    def verify(self, file: Path, *options: str) -> subprocess.CompletedProcess[str]:
        command = [PROGRAM, "verify", str(file), "--no-lint", *options]
        return preloaded.run(command)

    def check(self, file: Path, name: str, *options: str) -> None:
        for dimension in (name, "x.0", "y.0"):
            done = self.verify(file, *options, "--sizes", f"{dimension}=2,3,7")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = self.verify(file, *options, "--sizes", "height=2")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("no input has a dimension `height`", done.stderr)

    def test_of_a_program(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "joined.pt2"
            self.check(file, save_program(file), "--backend", "ts")

    def inspect(self, file: Path, *options: str) -> subprocess.CompletedProcess[str]:
        command = [PROGRAM, "inspect", str(file), "--no-fingerprint", *options]
        return preloaded.run(command)

    def test_inspect_names_the_sizes_of_a_program_and_takes_numbers_for_them(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "joined.pt2"
            name = save_program(file)
            self.assertIn(f"sin: float32[{name}, 5]", self.inspect(file).stdout)
            for given, shown in ((name + "=2", "2"), ("y.0=7", "7"), ("x.0,y.0=3", "3"), ("x.0=2,3", "?"), ("x.1=3", "4")):
                done = self.inspect(file, "--sizes", given)
                self.assertIn(f"sin: float32[{shown}, 5]", done.stdout, given + done.stderr)
            done = self.inspect(file, "--sizes", "x.0=65")
            self.assertEqual(done.returncode, 2)
            self.assertIn("was exported for 2 to 64", done.stderr)

    def test_of_an_onnx_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "joined.onnx"
            self.check(file, save_onnx(file), "--backend", "onnxruntime", "--input", "x=2x3", "--input", "y=2x2")


if __name__ == "__main__":
    unittest.main()
