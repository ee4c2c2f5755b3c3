"""Exports of one model that seem to differ and do not, and a difference in a file that is named without a folder.

Environment: PROGRAM (the built program).
"""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import preloaded

PROGRAM = os.environ["PROGRAM"]


class Steps(nn.Module):
    """A trace holds its numbers as tensors of float64."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(8, 4)

    def forward(self, t: torch.Tensor) -> torch.Tensor:
        return self.linear(t[:, None] * torch.exp(torch.arange(8) * -0.5)[None, :])


class Default(nn.Module):
    def forward(self, x: torch.Tensor, eps: float = 1e-6) -> torch.Tensor:
        return x / (x.norm() + eps)


class Attention(nn.Module):
    """Scripted, its fast path gives an undefined tensor for the weights that nobody wants."""

    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(16, 2, batch_first=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.attention(x, x, x, need_weights=False)[0]


class Detector(nn.Module):
    """The best of 64 boxes, four of which have each score. A slope of some roundings puts those in another order."""

    def __init__(self, slope: float = 0, fault: str = "", precision: torch.dtype = torch.float32) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.linspace(-0.4, 0.5, 8))
        self.slope, self.fault, self.precision = slope, fault, precision

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        places = torch.arange(64)
        features = x.to(self.precision)
        scores = torch.sigmoid((features * self.weight.to(self.precision)).sum(-1)).float() - self.slope * places
        boxes = torch.cat([places[None, :, None].expand(2, 64, 1).float(), features[..., :3].float()], -1)
        best, index = scores.topk(24, 1)
        if self.fault == "order":
            best, index = best.flip(1), index.flip(1)
        rows = (index + 1) % 64 if self.fault == "boxes" else index
        labels = places[None].expand(2, 64).gather(1, index) % 3
        if self.fault == "labels":
            labels = labels.flip(1)
        return boxes.gather(1, rows[..., None].expand(-1, -1, 4)), best, labels


class HonestPairs(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def run_program(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(Path(PROGRAM).resolve()), *arguments]
        return preloaded.run(command, cwd=self.folder)

    def assert_same(self, *arguments: str) -> None:
        done = self.run_program("verify", "--no-lint", "--inputs", "inputs.pt", *arguments)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def save(self, model: nn.Module, *inputs: torch.Tensor) -> None:
        torch.save(list(inputs), self.folder / "inputs.pt")
        torch.jit.trace(model, inputs, check_trace=False).save(str(self.folder / "traced.pt"))
        torch.jit.script(model).save(str(self.folder / "scripted.pt"))
        torch.export.save(torch.export.export(model, inputs), self.folder / "program.pt2")

    def test_integers_times_a_number(self) -> None:
        self.save(Steps().eval(), torch.tensor([3, 5]))
        self.assert_same("program.pt2", "traced.pt")
        self.assert_same("traced.pt", "scripted.pt")
        done = self.run_program("inspect", "traced.pt", "--inputs", "inputs.pt")
        self.assertIn("float32", done.stdout)
        self.assertNotIn("float64", done.stdout)

    def test_an_argument_that_nobody_gives(self) -> None:
        self.save(Default(), torch.rand(2, 3))
        for candidate in ("traced.pt", "program.pt2"):
            self.assert_same("scripted.pt", candidate)
            self.assert_same(candidate, "scripted.pt")

    def test_shapes_of_attention_without_weights(self) -> None:
        model = Attention().eval().requires_grad_(False)
        torch.jit.script(model).save(str(self.folder / "scripted.pt"))
        done = self.run_program("graph", "scripted.pt", "--input", "1x4x16")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_rows_that_tie_may_change_places_and_no_others(self) -> None:
        x = torch.randn(2, 16, 8, generator=torch.Generator().manual_seed(0)).repeat(1, 4, 1)
        self.save(Detector(slope=1e-8), x)
        for precision in (torch.float32, torch.float16):
            candidate = str(self.folder / "candidate.pt")
            torch.jit.trace(Detector(-1e-8, "", precision), (x,), check_trace=False).save(candidate)
            for reference in ("traced.pt", "program.pt2"):
                self.assert_same(reference, candidate)
            for fault in ("order", "boxes", "labels"):
                torch.jit.trace(Detector(-1e-8, fault, precision), (x,), check_trace=False).save(candidate)
                done = self.run_program("verify", "--no-lint", "--inputs", "inputs.pt", "traced.pt", candidate)
                self.assertEqual(done.returncode, 1, f"{precision}, {fault}: {done.stdout}")

    def test_weights_beside_a_file_that_is_named_without_a_folder(self) -> None:
        weight = numpy.arange(4096, dtype=numpy.float32).reshape(64, 64) / 4096
        for name, factor in (("reference", 1.0), ("candidate", 1.5)):
            nodes = [helper.make_node("MatMul", ["x", "w"], ["h"]), helper.make_node("Tanh", ["h"], ["y"])]
            values = [helper.make_tensor_value_info(value, TensorProto.FLOAT, [2, 64]) for value in ("x", "y")]
            graph = helper.make_graph(nodes, "net", values[:1], values[1:], [numpy_helper.from_array(weight * factor, "w")])
            model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
            onnx.save(model, self.folder / f"{name}.onnx", save_as_external_data=True, location=f"{name}.data", size_threshold=0)
        done = self.run_program("verify", "--no-lint", "reference.onnx", "candidate.onnx", "--localize")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("first difference", done.stdout)


if __name__ == "__main__":
    unittest.main()
