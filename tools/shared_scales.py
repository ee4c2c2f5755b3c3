#!/usr/bin/env python3
"""How many heads of detectors and multi-task networks that share a scale `check` tells before and after they are quantised.

usage: tools/shared_scales.py [--tool build/dev/bin/model_validator] FOLDER

Heads on one small backbone, most with a twin whose outputs are apart or alike, as TorchScript, `.pt2`, ONNX and int8 copies by ONNX
Runtime. Truth is the int8 copy's error of the output that suffers most: below 6 dB a head is bad, above 8 dB it is not; what lies
between, and a head whose twin is lost by other causes, is left out.
"""

import argparse
import json
import math
import subprocess
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import half_overflows
import numpy as np
import onnxruntime
import torch
import torch.nn.functional as F
from onnxruntime.quantization import CalibrationDataReader, QuantType, quantize_static
from torch import Tensor, nn

SIZE = (1, 3, 64, 64)
FORMS = (".pt", ".pt2", ".onnx", ".int8.onnx")
Head = Callable[["Net", Tensor], Any]


class Net(nn.Module):
    """A backbone, a layer of so many channels, and what is made of it."""

    grid: Tensor
    anchor: Tensor
    ids: Tensor

    def __init__(self, channels: int, head: Head):
        super().__init__()
        self.trunk = nn.Sequential(*self.block(3), *self.block(16), nn.Conv2d(16, channels, 1))
        self.head = head
        ys, xs = torch.meshgrid(torch.arange(16.0), torch.arange(16.0), indexing="ij")
        self.register_buffer("grid", torch.stack([xs, ys], 0)[None])
        self.register_buffer("anchor", torch.tensor([30.0, 60.0])[None, :, None, None])
        self.register_buffer("ids", torch.arange(10.0))

    @staticmethod
    def block(channels: int) -> tuple[nn.Module, ...]:
        return nn.Conv2d(channels, 16, 3, 2, 1), nn.BatchNorm2d(16), nn.SiLU() if channels == 3 else nn.ReLU()

    def forward(self, x: Tensor) -> Any:
        return self.head(self, self.trunk(x))


def joined(*parts: Tensor) -> Tensor:
    return torch.cat(parts, 1)


def pooled(*parts: Callable[[Tensor], Tensor], join: Callable[..., Any] = joined) -> Head:
    """Of the mean over all places."""
    return lambda _, y: join(*[part(y.mean((2, 3))) for part in parts])


def map_of(*parts: Callable[[Net, Tensor], Tensor], join: Callable[..., Any] = joined) -> Head:
    return lambda net, y: join(*[part(net, y) for part in parts])


def apart(*parts: Tensor) -> tuple[Tensor, ...]:
    return parts


def written(net: Net, y: Tensor) -> Tensor:
    result = y.clone()
    result[:, :2] = (y[:, :2].sigmoid() + net.grid) * 32
    result[:, 4:] = y[:, 4:].sigmoid()
    return result


def peaks(_: Net, y: Tensor, join: Callable[..., Any]) -> Any:
    values, places = y[:, :1].sigmoid().flatten(1).topk(10)
    return join((places % 16).float() * 4, values)


def heat(_: Net, y: Tensor) -> Tensor:
    return y.flatten(2).softmax(-1)


def keypoint(net: Net, y: Tensor) -> Tensor:
    return torch.einsum("bkn,cn->bkc", heat(net, y), net.grid.flatten(2)[0]) * 32


def last(channels: int) -> Callable[[Net, Tensor], Tensor]:
    return lambda _, y: y[:, channels:].sigmoid()


# How many channels, the head that shares a scale, and one that does no harm.
HEADS: dict[str, tuple[int, Head, Head]] = {
    "boxes": (8, map_of(lambda s, y: (s.grid + y[:, :2]) * 40, last(4)), map_of(lambda s, y: (s.grid + y[:, :2]) * 40, last(4), join=apart)),
    "anchors": (
        8,
        map_of(lambda s, y: (y[:, 2:4].sigmoid() * 2) ** 2 * s.anchor, last(4)),
        map_of(lambda s, y: (y[:, 2:4].sigmoid() * 2) ** 2 * (s.anchor / 512), last(4)),
    ),
    "peaks": (3, lambda s, y: peaks(s, y, joined), lambda s, y: peaks(s, y, apart)),
    "keypoints": (
        6,
        lambda s, y: torch.cat([keypoint(s, y), heat(s, y).amax(-1, keepdim=True)], -1),
        lambda s, y: (keypoint(s, y), heat(s, y).amax(-1)),
    ),
    "depth": (
        4,
        map_of(lambda _, y: y[:, :1].sigmoid() * 80, lambda _, y: y[:, 1:].softmax(1)),
        map_of(lambda _, y: y[:, :1].sigmoid() * 8, lambda _, y: y[:, 1:].softmax(1)),
    ),
    "kelvin": (3, pooled(lambda y: y * 2 + 300), pooled(lambda y: y * 2 + 0.5)),
    "offset": (3, lambda _, y: y * 0.7 + 1000.0, lambda _, y: y * 700 + 1000.0),
    "ids": (
        10,
        lambda s, y: joined(y.mean((2, 3)).softmax(-1), s.ids[None] * 100),
        lambda s, y: joined(y.mean((2, 3)).softmax(-1), s.ids[None] / 10),
    ),
    "flow": (
        6,
        map_of(lambda s, y: y[:, :2] * 2 + s.grid, lambda _, y: y[:, 2:].tanh() * 0.02),
        map_of(lambda s, y: y[:, :2], lambda _, y: y[:, 2:].tanh()),
    ),
    "grid": (4, lambda s, y: y.sigmoid() + s.grid[:, :1] * 50, lambda s, y: y.sigmoid() + s.grid[:, :1] * 0.05),
    "pose": (
        7,
        pooled(lambda y: F.normalize(y[:, :4], dim=1), lambda y: y[:, 4:] * 1000),
        pooled(lambda y: F.normalize(y[:, :4], dim=1), lambda y: y[:, 4:]),
    ),
    "track": (
        9,
        lambda _, y: joined((y[:, :6].mean(3) * 10).cumsum(2), y[:, 6:].mean(3).softmax(1)),
        lambda _, y: ((y[:, :6].mean(3) * 10).cumsum(2), y[:, 6:].mean(3).softmax(1)),
    ),
    "padded": (3, lambda _, y: F.pad(y.sigmoid(), (1, 1), value=-999.0), lambda _, y: F.pad(y.sigmoid(), (1, 1))),
    "written": (6, written, lambda _, y: y.sigmoid()),
    "disparity": (
        4,
        map_of(lambda _, y: 100 / (0.01 + 9.99 * y[:, :1].sigmoid()), lambda _, y: y[:, 1:].softmax(1)),
        map_of(lambda _, y: 1 / (1 + y[:, :1].sigmoid()), lambda _, y: y[:, 1:].softmax(1)),
    ),
}


class Samples(CalibrationDataReader):
    def __init__(self, generator: np.random.Generator, name: str):
        self.samples: Iterator[dict[str, Any]] = iter([{name: generator.standard_normal(SIZE).astype("f4")} for _ in range(4)])

    def get_next(self) -> dict[str, Any]:
        return next(self.samples, {})


def worst_ratio(float_file: Path, int8_file: Path, generator: np.random.Generator, name: str) -> float:
    """The least ratio of signal to noise, in dB, of a channel of an output that is not constant."""
    sessions = [onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"]) for file in (float_file, int8_file)]
    inputs = [{name: generator.standard_normal(SIZE).astype("f4")} for _ in range(8)]
    worst = math.inf
    for pair in zip(*[zip(*[session.run(None, x) for x in inputs], strict=True) for session in sessions], strict=True):
        exact, rounded = (np.stack(each).reshape(8, *each[0].shape[1:]) for each in pair)
        for channel in range(exact.shape[1]):
            signal = exact[:, channel] - exact[:, channel].mean(0)
            error = (rounded - exact)[:, channel]
            error = error - error.mean(0)
            if signal.std() > 1e-6:
                worst = min(worst, 20 * math.log10(signal.std() / max(error.std(), 1e-12)))
    return worst


def is_told(tool: str, file: Path) -> bool:
    command = [tool, "check", str(file), "--select", "unlike-ranges,scale-proportion", "--output-format", "json"]
    report = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    return bool(report["models"][0]["findings"])


def make(name: str, channels: int, head: Head, base: Path, generator: np.random.Generator) -> float:
    """Writes the files that begin with `base`; the int8 copy's `worst_ratio`."""
    torch.manual_seed(len(name))
    net = Net(channels, head)
    for _ in range(30):
        net.trunk(torch.randn(4, *SIZE[1:]))
    for form in FORMS[:3]:
        half_overflows.write(net.eval(), (torch.randn(SIZE),), base.with_suffix(form))
    exact, rounded = base.with_suffix(".onnx"), base.with_suffix(".int8.onnx")
    given = onnxruntime.InferenceSession(str(exact), providers=["CPUExecutionProvider"]).get_inputs()[0].name
    quantize_static(exact, rounded, Samples(generator, given), activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8)
    return worst_ratio(exact, rounded, generator, given)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default="build/dev/bin/model_validator")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    wrong: dict[str, list[str]] = {form: [] for form in FORMS}
    counts = {"bad": 0, "harmless": 0, "left out": 0}
    generator = np.random.default_rng(0)
    for name, (channels, *heads) in HEADS.items():
        for kind, head in zip(("bad", "harmless"), heads, strict=True):
            base = options.folder / f"{name}_{kind}"
            ratio = make(name, channels, head, base, generator)
            usable = ratio < 6 if kind == "bad" else ratio > 8
            counts[kind if usable else "left out"] += 1
            for form in FORMS:
                if usable and is_told(options.tool, base.with_suffix(form)) != (kind == "bad"):
                    wrong[form].append(f"{base.name}, {ratio:.0f} dB")
    print(f"heads: {counts}")
    for form, names in wrong.items():
        print(f"{form}: {len(names)} wrong {names}")


if __name__ == "__main__":
    main()
