#!/usr/bin/env python3
"""Quantises small models with torch's own quantisers, and looks what is read of their TorchScript.

Environment: PROGRAM (the built program).
"""
import itertools
import json
import os
import pathlib
import sys
import tempfile
import unittest
import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.ao import quantization
from torch.ao.quantization import quantize_fx

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))

import preloaded

PROGRAM = os.environ["PROGRAM"]
IMAGE = (torch.randn(1, 3, 8, 8),)
SEQUENCE = (torch.randn(5, 2, 6),)


class Eager(nn.Module):
    def __init__(self, padding_mode: str = "zeros") -> None:
        super().__init__()
        self.quant = quantization.QuantStub()
        self.conv = nn.Conv2d(3, 8, 3, padding=1, padding_mode=padding_mode)
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(2)
        self.down = nn.Conv2d(8, 8, 1)
        self.add = torch.ao.nn.quantized.FloatFunctional()
        self.drop = nn.Dropout()
        self.fc = nn.Linear(8, 5)
        self.dequant = quantization.DeQuantStub()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.pool(self.relu(self.conv(self.quant(x))))
        x = self.add.add(self.down(x), x)
        return self.dequant(self.fc(self.drop(torch.flatten(x, 2).permute(0, 2, 1))))


class Functional(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
        self.weight = nn.Parameter(torch.randn(5, 8))
        self.bias = nn.Parameter(torch.randn(5))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return nn.functional.linear(torch.relu(self.conv(x)).flatten(2).permute(0, 2, 1), self.weight, self.bias)


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lstm = nn.LSTM(6, 7, 2, bidirectional=True)
        self.fc = nn.Linear(14, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.fc(self.lstm(x)[0])
        return result


def eager(fuse: bool = True, engine: str = "fbgemm", padding_mode: str = "zeros") -> nn.Module:
    torch.backends.quantized.engine = engine
    model = Eager(padding_mode).eval()
    if fuse:
        model = quantization.fuse_modules(model, [["conv", "relu"]])
    model.qconfig = quantization.get_default_qconfig(engine)
    prepared = quantization.prepare(model)
    prepared(*IMAGE)
    return quantization.convert(prepared)


def graph_mode(reference: bool = False) -> nn.Module:
    torch.backends.quantized.engine = "fbgemm"
    prepared = quantize_fx.prepare_fx(Functional().eval(), quantization.get_default_qconfig_mapping("fbgemm"), IMAGE)
    prepared(*IMAGE)
    return quantize_fx.convert_to_reference_fx(prepared) if reference else quantize_fx.convert_fx(prepared)


def dynamic() -> nn.Module:
    return quantization.quantize_dynamic(Recurrent().eval(), {nn.LSTM, nn.Linear}, dtype=torch.qint8)


class OneLayer(nn.Module):
    """A quantised convolution with the scales of a fault."""

    def __init__(self, weight_scale: float, scale: float) -> None:
        super().__init__()
        scales = torch.full((8,), 0.02, dtype=torch.double)
        scales[3] = weight_scale
        numbers = torch.randint(-127, 127, (8, 3, 3, 3), dtype=torch.int8)
        self.conv = torch.ao.nn.quantized.Conv2d(3, 8, 3)
        self.conv.set_weight_bias(torch._make_per_channel_quantized_tensor(numbers, scales, torch.zeros(8, dtype=torch.long), 0),
                                  torch.zeros(8))
        self.conv.scale = scale

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.conv(torch.quantize_per_tensor(x, 0.1, 0, torch.quint8)).dequantize()
        return result


MODELS: dict[str, tuple[Callable[[], nn.Module], tuple[torch.Tensor, ...], int]] = {
    # with the number of quantised weights
    "eager": (eager, IMAGE, 3),
    "not fused": (lambda: eager(fuse=False), IMAGE, 3),
    "for mobiles": (lambda: eager(engine="qnnpack"), IMAGE, 3),
    "reflecting": (lambda: eager(padding_mode="reflect"), IMAGE, 3),
    "graph mode": (graph_mode, IMAGE, 2),
    "reference": (lambda: graph_mode(reference=True), IMAGE, 0),
    "dynamic": (dynamic, SEQUENCE, 9),
}


class QuantisedScripts(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        warnings.simplefilter("ignore")
        torch.manual_seed(0)
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.models = {name: cls.files(name, make(), inputs) for name, (make, inputs, _) in MODELS.items()}

    models: dict[str, list[pathlib.Path]]

    @classmethod
    def files(cls, name: str, model: nn.Module, inputs: tuple[torch.Tensor, ...]) -> list[pathlib.Path]:
        files = [cls.folder / f"{name}.{kind}.pt" for kind in ("traced", "scripted")]
        torch.jit.trace(model, inputs).save(files[0])
        torch.jit.script(model).save(files[1])
        return files

    def run_on(self, *words: str | pathlib.Path) -> Any:
        ran = preloaded.run([PROGRAM, *map(str, words)])
        self.assertTrue(ran.stdout.startswith("{"), ran.stderr)
        return json.loads(ran.stdout)

    def findings(self, files: list[pathlib.Path]) -> dict[str, list[str]]:
        """By the name of the file."""
        report = self.run_on("check", "--isolated", "--select", "QNT,MET,GRA005", "--output-format", "json", *files)
        self.assertEqual({model["error"] for model in report["models"]}, {None})
        found = {pathlib.Path(model["path"]).name: [each["message"] for each in model["findings"]] for model in report["models"]}
        self.assertEqual(set(found), {file.name for file in files})
        return found

    def test_nothing_is_said_of_models_as_quantisers_make_them(self) -> None:
        for file, found in self.findings([*itertools.chain(*self.models.values())]).items():
            with self.subTest(file=file):
                self.assertEqual(found, [])

    def test_packed_weights_are_weights_with_their_scales(self) -> None:
        for name, (_, _, count) in MODELS.items():
            for file in self.models[name]:
                with self.subTest(file=file.name):
                    graph = self.run_on("graph", "--format", "json", file)
                    weights = graph.get("quantised_weights", [])
                    self.assertEqual(len(weights), count)
                    self.assertTrue(all(each["quantisation"]["scale"]["values"] for each in weights))
                    inspected = self.run_on("inspect", "--output-format", "json", file)
                    self.assertEqual(inspected.get("quantised_weights", {}).get("qint8", 0), count)

    def test_every_product_between_quantise_and_dequantise_knows_how_it_is_stored(self) -> None:
        for file in self.models["eager"]:
            with self.subTest(file=file.name):
                products = self.run_on("graph", "--format", "json", file)["products"]
                plain = [(each["from"], each["to"]) for each in products if "quantisation" not in each]
                self.assertEqual(plain, [("x", "quantize_0"), ("de_quantize_0", "output_0")])
                self.assertEqual({each["quantisation"]["dtype"] for each in products if "quantisation" in each}, {"quint8"})

    def test_a_weight_has_the_axis_of_its_channels(self) -> None:
        for file in self.models["eager"]:
            weights = self.run_on("graph", "--format", "json", file)["quantised_weights"]
            self.assertEqual([(each["name"], each["quantisation"]["axis"], len(each["quantisation"]["scale"]["values"]))
                              for each in weights], [("conv.weight", 0, 8), ("down.weight", 0, 8), ("fc.weight", 0, 5)])

    def test_scales_that_cannot_be_right_are_told(self) -> None:
        nan, inf = float("nan"), float("inf")
        faults = {(nan, 0.1): "is NaN in 1 of 8 places", (-0.1, 0.1): "is negative in 1 of 8 places",
                  (0.0, 0.1): "is zero in 1 of 8 places", (0.02, 0.0): "is zero", (0.02, nan): "is NaN", (0.02, inf): "is infinite"}
        files = {told: self.files(told, OneLayer(*scales), IMAGE) for scales, told in faults.items()}
        found = self.findings([*itertools.chain(*files.values())])
        for told, both in files.items():
            for file in both:
                with self.subTest(file=file.name):
                    self.assertEqual(found[file.name], [f"the scale of `conv2d_0` {told}"])


if __name__ == "__main__":
    unittest.main()
