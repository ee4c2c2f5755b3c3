#!/usr/bin/env python3
"""Traces small models, and looks what aimet-readiness and half-range say of them.

Environment: PROGRAM (the built program).
"""
import json
import os
import pathlib
import sys
import tempfile
import unittest
import warnings

import torch
from torch import nn

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))

import preloaded

INPUT = torch.zeros(1, 8, 8, 8)


class Derived(nn.BatchNorm2d):
    """A batch norm of another class."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.act = nn.ReLU()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = nn.functional.batch_norm(x, self.running_mean, self.running_var, self.weight, self.bias, False, 0.1, self.eps)
        return self.act(x)


class Wrapper(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.BatchNorm2d(8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.norm(x)


class Scale(nn.Module):
    """A leaf of a class that nobody else knows."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


class Residual(nn.Module):
    """Two operations read the result of the convolution."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm = nn.Conv2d(8, 8, 1), nn.BatchNorm2d(8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x)
        return self.norm(x) + x


class FunctionBetween(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.a, self.b = conv(), conv()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.b(torch.relu(self.a(x)))


class Masked(nn.Module):
    def __init__(self, number: float) -> None:
        super().__init__()
        self.number = number

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.sigmoid() + self.number


class Written(nn.Module):
    """Makes a tensor of float32, whatever the model is."""

    def __init__(self, how: str) -> None:
        super().__init__()
        self.how, self.linear = how, nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        steps = torch.arange(8, dtype=torch.float32)
        if self.how == "layer":
            return self.linear(x + steps)
        if self.how == "written":
            x = x.clone()
            x += steps
            return self.linear(x)
        if self.how == "compared":
            return self.linear(x * (steps > 3))
        return self.linear(x) + steps


def conv(groups: int = 1, padding: int = 0) -> nn.Conv2d:
    return nn.Conv2d(8, 8, 1, groups=groups, padding=padding)


class Readiness(unittest.TestCase):
    program = os.environ["PROGRAM"]

    def said(self, module: nn.Module, *options: str) -> list[str]:
        """Messages, with the notes that list the folded batch norms."""
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            file = pathlib.Path(folder) / "net.pt"
            torch.jit.trace(module.eval(), INPUT, check_trace=False).save(file)
            ran = preloaded.run([self.program, "check", "--isolated", "--output-format", "json", *options, file])
        findings = json.loads(ran.stdout)["models"][0]["findings"]
        return [text for each in findings for text in [each["message"], *(each["notes"] if "folding" in each["message"] else [])]]

    def aimet(self, module: nn.Module) -> list[str]:
        return self.said(module, "--select", "aimet-readiness", "--target", "aimet")

    def half(self, module: nn.Module) -> list[str]:
        return self.said(module, "--select", "half-range", "--target", "fp16")

    def test_norms_that_are_folded(self) -> None:
        for layers, note in (([conv(padding=1), nn.BatchNorm2d(8), nn.ReLU()], "`1` into `0`, before it"),
                             ([nn.BatchNorm2d(8), conv()], "`0` into `1`, after it"),
                             ([nn.ConvTranspose2d(8, 8, 1), nn.BatchNorm2d(8)], "`1` into `0`, before it")):
            self.assertEqual(self.aimet(nn.Sequential(*layers)), ["batch-norm folding: 1 batch norm will be folded", note])

    def test_norms_that_stay(self) -> None:
        for layers in ([nn.BatchNorm2d(8), conv(padding=1)], [nn.BatchNorm2d(8), conv(groups=2)], [nn.ReLU(), nn.BatchNorm2d(8), nn.ReLU()],
                       [conv(), nn.Dropout(), nn.BatchNorm2d(8)], [Residual()]):
            found = self.aimet(nn.Sequential(*layers))
            self.assertEqual(len(found), 1, found)
            self.assertIn("will stay a batch norm", found[0])

    def test_norms_that_aimet_does_not_see(self) -> None:
        named = type("BatchNormAct", (Derived,), {})
        self.assertEqual(self.aimet(nn.Sequential(conv(), named(8))), ["batch norm `1` (BatchNormAct) is invisible to AIMET"])
        wrapper = type("BatchNormOfOurs", (Wrapper,), {})
        self.assertEqual(self.aimet(nn.Sequential(conv(), wrapper()))[0], "batch-norm folding: 1 batch norm will be folded")

    def test_sets_of_equalisation(self) -> None:
        three = nn.Sequential(conv(), nn.BatchNorm2d(8), nn.ReLU(), conv(), nn.PReLU(), conv())
        self.assertEqual(self.aimet(three)[2:], ["cross-layer equalisation will scale `0`, `3` against each other",
                                                 "cross-layer equalisation will scale `3`, `5` against each other"])
        self.assertEqual(self.aimet(nn.Sequential(conv(), nn.ReLU(), conv(groups=8), nn.ReLU(), conv())),
                         ["cross-layer equalisation will scale `0`, `2`, `4` against each other"])

    def test_what_ends_a_row(self) -> None:
        for module in (nn.Sequential(conv(), nn.SiLU(), conv()), nn.Sequential(conv(), conv(groups=2)),
                       nn.Sequential(conv(), nn.ReLU6(), conv())):
            self.assertEqual(self.aimet(module), [])

    def test_a_function_that_ends_a_row(self) -> None:
        self.assertEqual(self.aimet(FunctionBetween()), ["cross-layer equalisation ends at the function `relu`: as a module it would go on"])

    def test_unknown_leaf_classes(self) -> None:
        found = self.aimet(nn.Sequential(Scale(), Scale(), nn.Linear(8, 8)))
        self.assertEqual(len(found), 1)
        self.assertIn("does not know the leaf class", found[0])
        self.assertIn("2 modules", found[0])

    def test_nothing_without_a_target(self) -> None:
        self.assertEqual(self.said(nn.Sequential(conv(), nn.BatchNorm2d(8), Scale()), "--select", "aimet-readiness,half-range"), [])
        self.assertEqual(self.said(Masked(-1e9), "--select", "half-range", "--target", "aimet"), [])

    def test_numbers_beyond_float16(self) -> None:
        for number in (-1e9, 65505.0):
            self.assertEqual(len(self.half(Masked(number))), 1)
        for number in (65504.0, 1e-12, float("-inf")):
            self.assertEqual(self.half(Masked(number)), [])

    def test_dtypes_that_half_does_not_change(self) -> None:
        for how in ("layer", "written", "compared", "added"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                traced = torch.jit.trace(Written(how).eval(), INPUT, check_trace=False).half()
            try:
                traced(INPUT.half())
                fails = False
            except RuntimeError:
                fails = True
            self.assertEqual(fails, how == "layer")
            self.assertEqual(bool(self.half(Written(how))), fails, how)


if __name__ == "__main__":
    unittest.main()
