#!/usr/bin/env python3
"""The rule weight-range over one model in every format, against the same figures computed here.

Environment: PROGRAM (the built program).
"""
import json
import math
import os
import pathlib
import sys
import tempfile
import unittest
import warnings

import onnx
import torch
from torch import nn

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))

import preloaded

PROGRAM = os.environ["PROGRAM"]
CHANNELS = {"conv.weight": 0, "up.weight": 1, "linear.weight": 0, "head.weight": 0}


class Net(nn.Module):
    """Three layers with one loud number each; the head has one in every channel, and two dead channels."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(32, 64, 3, padding=1)
        self.depthwise = nn.Conv2d(64, 64, 3, padding=1, groups=64)
        self.up = nn.ConvTranspose2d(64, 48, 2, stride=2)
        self.linear = nn.Linear(48, 256)
        self.good = nn.Linear(256, 2048)
        self.head = nn.Linear(2048, 10)
        with torch.no_grad():
            for times, weight in ((40, self.conv.weight), (60, self.up.weight), (40, self.linear.weight)):
                weight.view(-1)[77] = times * weight.std()
            self.head.weight[:, 3] = 36 * self.head.weight.std()
            self.head.weight[4:6] = 0

    def forward(self, x):
        x = self.up(self.depthwise(self.conv(x))).mean((2, 3))
        return self.head(self.good(self.linear(x)))


def ratio(weight, scale):
    rounded = torch.where(scale > 0, (weight / scale).round() * scale, torch.zeros_like(weight))
    return 10 * math.log10((weight.double() ** 2).sum() / ((weight.double() - rounded.double()) ** 2).sum())


def expected(weight, axis):
    rows = weight.detach().float().transpose(0, axis).flatten(1)
    return round(ratio(rows, rows.abs().max() / 127)), round(ratio(rows, rows.abs().amax(1, True) / 127))


def findings(model):
    ran = preloaded.run([PROGRAM, "check", "--isolated", "--select", "weight-range", "--output-format", "json", model])
    return json.loads(ran.stdout)["models"][0]["findings"]


def layer_of(finding):
    return finding["message"].split("`")[1]


class WeightRange(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.enterContext(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        self.net, self.example = Net().eval(), (torch.randn(1, 32, 8, 8),)

    def exported(self):
        net, example = self.net, self.example
        torch.jit.script(net).save(self.folder / "scripted.pt")
        torch.jit.trace(net, example).save(self.folder / "traced.pt")
        torch.export.save(torch.export.export(net, example), self.folder / "program.pt2")
        torch.export.save(torch.export.export(net, example).run_decompositions(), self.folder / "core.pt2")
        torch.onnx.export(net, example, self.folder / "net.onnx", dynamo=False)
        model = onnx.load(self.folder / "net.onnx")
        onnx.save(model, self.folder / "external.onnx", save_as_external_data=True, size_threshold=0)
        return sorted(path for path in self.folder.iterdir() if path.suffix in (".pt", ".pt2", ".onnx"))

    def test_every_format_gives_the_same_figures(self):
        files = self.exported()
        self.assertEqual(len(files), 6)
        for file in files:
            found = {layer_of(each): each for each in findings(file) if "keep" in each["message"]}
            with self.subTest(file=file.name):
                self.assertEqual(found.keys(), CHANNELS.keys())
                for name, axis in CHANNELS.items():
                    one, several = expected(self.net.get_parameter(name), axis)
                    self.assertIn(f"of {one} dB", found[name]["message"])
                    self.assertEqual(found[name]["severity"], "warning" if one < 20 else "info")
                    self.assertTrue(any(f"channels it is {several} dB" in note for note in found[name]["notes"]), found[name])

    def test_groups_and_dead_channels_of_the_head(self):
        torch.jit.script(self.net).save(self.folder / "net.pt")
        (head,) = (each for each in findings(self.folder / "net.pt") if layer_of(each) == "head.weight")
        self.assertIn("2 of 10 output channels hold zeros alone", head["notes"])
        self.assertTrue(any("one for every 128 numbers" in note for note in head["notes"]), head)

    def test_half_precision_is_measured_too(self):
        torch.jit.script(self.net.half()).save(self.folder / "half.pt")
        found = {layer_of(each) for each in findings(self.folder / "half.pt") if "keep" in each["message"]}
        self.assertEqual(found, set(CHANNELS))

    def test_a_model_without_its_weights_is_said_once(self):
        with torch.no_grad():
            for parameter in self.net.parameters():
                parameter.zero_()
        torch.jit.script(self.net).save(self.folder / "zeros.pt")
        (finding,) = findings(self.folder / "zeros.pt")
        self.assertEqual(finding["message"], "the weights of all 6 layers are zero")

    def test_ordinary_weights_are_not_reported(self):
        torch.jit.script(nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Conv2d(8, 8, 3))).save(self.folder / "plain.pt")
        self.assertEqual(findings(self.folder / "plain.pt"), [])


if __name__ == "__main__":
    unittest.main()
