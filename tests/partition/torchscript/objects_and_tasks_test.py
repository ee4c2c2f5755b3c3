"""A model that changes an object which it keeps is refused; one that only reads it is divided.

Environment: PROGRAM (built).
"""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import torch

PROGRAM = os.environ["PROGRAM"]


@torch.jit.script
class Counter:
    def __init__(self, start: int):
        self.count = start

    def add(self, more: int):
        self.count += more


@torch.jit.script
class Scale:
    def __init__(self, factor: int):
        self.factor = factor

    def of(self, number: int) -> int:
        return number * self.factor


class Counting(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.counter = Counter(1)

    def forward(self, x):
        y = torch.sin(x)
        self.counter.add(2)
        return torch.exp(y) * self.counter.count


class Scaling(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = Scale(3)

    def forward(self, x):
        return torch.exp(torch.sin(x)) * self.scale.of(2)


class HeldObject(unittest.TestCase):
    def divide(self, model):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "model.pt"
            torch.jit.script(model.eval()).save(str(file))
            command = [PROGRAM, "partition", str(file), "--target", "tensorrt"]
            return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_one_that_is_changed_is_refused(self):
        done = self.divide(Counting())
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("keeps and changes an object of `Counter`", done.stderr)

    def test_one_that_is_read_is_divided(self):
        done = self.divide(Scaling())
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
