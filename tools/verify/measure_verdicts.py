#!/usr/bin/env python3
"""Counts false passes and false alarms of `verify` over random models and over pairs made to slip through.

    measure_verdicts.py PROGRAM [--models 150] [--seed 0] [--jobs 2] [--only TEXT]

Honest pairs compute the same function by other arithmetic: the backends `ts`, `openvino` and `onnxruntime`, the same
model in float64 with its results rounded, and the same model with its hidden units in another order. A mutant is counted
only if a float64 run of both shows that it is wrong by ten times the tolerance and by ten times the reference's own
noise. The pairs made by hand are wrong, or honest, by construction.
"""
import argparse
import concurrent.futures
import copy
import dataclasses
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator

import numpy
import torch
from torch import nn

Module = nn.Module
Tensor = torch.Tensor


@dataclasses.dataclass
class Pair:
    """A reference, what it is compared with, and whether that should be called different."""

    name: str
    kind: str
    reference: str
    arguments: list[str]
    inputs: str
    wrong: bool


# --- random models ------------------------------------------------------------------------------------------------


class Affine(Module):
    """Scales and shifts."""

    def __init__(self, scale: float, shift: float) -> None:
        super().__init__()
        self.scale, self.shift = scale, shift

    def forward(self, x: Tensor) -> Tensor:
        """Far from zero where the shift is large."""
        return x * self.scale + self.shift


class Residual(Module):
    """Adds what two layers compute."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.Linear(width, width))

    def forward(self, x: Tensor) -> Tensor:
        """The input and a part computed from it."""
        return x + self.inner(x)


class Attention(Module):
    """One head over the rows."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(width, width) for _ in range(3))

    def forward(self, x: Tensor) -> Tensor:
        """Rows weighted by a softmax."""
        return torch.softmax(self.q(x) @ self.k(x).transpose(-1, -2) / 4, -1) @ self.v(x)


class Variance(Module):
    """E[x²] − μ² beside the values: large terms that cancel."""

    def __init__(self, offset: float) -> None:
        super().__init__()
        self.offset = offset

    def forward(self, x: Tensor) -> Tensor:
        """Divided by the deviation that the cancelling terms give."""
        y = x + self.offset
        mean = y.mean(-1, keepdim=True)
        return (y - mean) / torch.sqrt((y * y).mean(-1, keepdim=True) - mean * mean + 0.5)


class Convolution(Module):
    """A convolution over the rows as channels."""

    def __init__(self, rows: int) -> None:
        super().__init__()
        self.conv = nn.Conv1d(rows, rows, 3, padding=1)

    def forward(self, x: Tensor) -> Tensor:
        """Treats the last axis as length."""
        return torch.relu(self.conv(x.unsqueeze(0)).squeeze(0))


ROWS = 12


def layer(width: int, dice: random.Random) -> Module:
    """A random layer that keeps the shape."""
    return dice.choice([
        lambda: nn.Linear(width, width), lambda: Residual(width), lambda: Attention(width),
        lambda: nn.LayerNorm(width), lambda: nn.Sequential(nn.Linear(width, width), nn.Tanh()),
        lambda: nn.Sequential(nn.Linear(width, 4 * width), nn.ReLU(), nn.Linear(4 * width, width)),
        lambda: Affine(dice.choice([1e-3, 30.0, 1e3]), dice.choice([0.0, 1.0, 50.0])),
        lambda: Variance(dice.choice([0.0, 3.0, 30.0])), lambda: Convolution(ROWS),
        lambda: nn.Sequential(nn.Linear(width, width), nn.Sigmoid()), lambda: nn.Softmax(-1),
    ])()


class Heads(Module):
    """The end of a model: one tensor, often of mixed scales."""

    def __init__(self, width: int, kind: str) -> None:
        super().__init__()
        self.kind = kind
        self.a, self.b = nn.Linear(width, 16), nn.Linear(width, 5)
        self.register_buffer("mask", torch.rand(ROWS, 16) < 0.2)

    def forward(self, x: Tensor) -> Tensor:
        """What the kind says."""
        if self.kind == "masked":
            return self.a(x).masked_fill(self.mask, -1e9)
        if self.kind == "boxes":
            return torch.cat([torch.sigmoid(self.a(x)) * 640, torch.sigmoid(self.b(x))], -1)
        if self.kind == "softmax":
            return torch.softmax(self.a(x) * 6, -1)
        if self.kind == "rows":
            return self.a(x) * torch.cat([torch.full((1, 1), 1e5), torch.ones(ROWS - 1, 1)])
        if self.kind == "logits":
            return torch.log_softmax(self.a(x), -1)
        return self.a(x)


class Exact(Module):
    """The same model in float64, its results rounded to the dtype of the original."""

    def __init__(self, model: Module) -> None:
        super().__init__()
        self.model = copy.deepcopy(model).double()

    def forward(self, x: Tensor) -> Tensor:
        """Honest to the last bit or so."""
        return self.model(x.double()).float()


def random_model(number: int, seed: int) -> tuple[Module, Tensor]:
    """A model and its input, the same for the same numbers."""
    dice = random.Random(seed * 10007 + number)
    torch.manual_seed(seed * 10007 + number)
    width = dice.choice([8, 16, 48])
    layers = [layer(width, dice) for _ in range(dice.randint(1, 5))]
    kind = dice.choice(["plain", "masked", "boxes", "softmax", "rows", "logits"])
    return nn.Sequential(*layers, Heads(width, kind)).eval(), torch.randn(ROWS, width)


def reordered(model: Module) -> Module:
    """The same function with the hidden units of every pair of layers in another order."""
    other = copy.deepcopy(model)
    for part in other.modules():
        if isinstance(part, nn.Sequential) and [type(p) for p in part][::2] == [nn.Linear, nn.Linear]:
            order = torch.randperm(part[0].out_features)
            with torch.no_grad():
                part[0].weight.copy_(part[0].weight[order])
                part[0].bias.copy_(part[0].bias[order])
                part[2].weight.copy_(part[2].weight[:, order])
    return other


def mutants(model: Module, dice: random.Random) -> Iterator[tuple[str, Module]]:
    """Copies with one fault each."""
    for share in (0.003, 0.05):
        other = copy.deepcopy(model)
        name, weight = dice.choice(list(other.named_parameters()))
        with torch.no_grad():
            weight.mul_(1 + share)
        yield f"{name} × {1 + share}", other
    other = copy.deepcopy(model)
    name, weight = dice.choice(list(other.named_parameters()))
    with torch.no_grad():
        weight.view(-1)[dice.randrange(weight.numel())] += 0.3
    yield f"one number of {name}", other
    other = copy.deepcopy(model)
    places = [(p, i) for p in other.modules() if isinstance(p, nn.Sequential) for i, q in enumerate(p)
              if isinstance(q, (nn.GELU, nn.Tanh, nn.ReLU, nn.Sigmoid))]
    if places:
        part, place = dice.choice(places)
        part[place] = nn.SiLU() if isinstance(part[place], nn.GELU) else nn.GELU()
        yield "another activation", other


def is_wrong(model: Module, other: Module, x: Tensor) -> bool:
    """Whether the mutant is wrong beyond the tolerance and beyond the noise, by runs in float64."""
    with torch.no_grad():
        exact, changed = (copy.deepcopy(m).double()(x.double()) for m in (model, other))
        noise = (model(x).double() - exact).abs().max()
    usual = exact.abs() < 1e6
    scale = exact[usual].abs().max()
    return bool((changed - exact)[usual].abs().max() > 10 * max(1e-4 * scale, noise))


# --- pairs made by hand -------------------------------------------------------------------------------------------

Function = Callable[..., Tensor]  # of the input and of a fixed linear layer


class Calls(Module):
    """A function of the input and of a fixed linear layer, as a model."""

    def __init__(self, function: Function, width: int = 16, out: int = 32) -> None:
        super().__init__()
        torch.manual_seed(5)
        self.layer = nn.Linear(width, out)
        self.function = function

    def forward(self, x: Tensor) -> Tensor:
        """The function."""
        return self.function(x, self.layer)


MASK = torch.zeros(100, 32, dtype=torch.bool)
MASK[3, 4] = True
MANY = torch.rand(100, 32, generator=torch.Generator().manual_seed(1)) < 0.25
MOST = torch.rand(100, 32, generator=torch.Generator().manual_seed(2)) < 0.9
LOWEST = torch.finfo(torch.float32).min
BIG_ROW = torch.cat([torch.full((1, 1), 1e5), torch.ones(99, 1)])


def again(x: Tensor, f: Module) -> Tensor:
    """What the layer computes, by other operators."""
    return x @ f.weight.t() + f.bias


def detections(y: Tensor, scores: Tensor, ids: Tensor, size: float = 640.0) -> Tensor:
    """Boxes, scores and ids side by side."""
    return torch.cat([torch.sigmoid(y[:, :4]) * size, scores, ids], -1)


def ids_of(y: Tensor, shift: int = 0) -> Tensor:
    """A class from 0 to 79 for each row."""
    ids = torch.floor(torch.sigmoid(y[:, 6:7] * 3) * 79)
    return torch.cat([ids[:50] + shift, ids[50:]])


def score(y: Tensor) -> Tensor:
    """Two probabilities for each row."""
    return torch.sigmoid(y[:, 4:6])


def boxes(x: Tensor, f: Module, size: float = 640.0) -> Tensor:
    """Detections of the layer."""
    return detections(f(x), score(f(x)), ids_of(f(x)), size)


def channels(x: Tensor, f: Module, factor: float = 1.0) -> Tensor:
    """Three channels, one of them large."""
    return torch.stack([f(x) * 500, torch.tanh(f(x)) * factor, f(x)], 0).unsqueeze(0)


def variance(x: Tensor, f: Module, offset: float = 100.0) -> Tensor:
    """E[y²] − μ²."""
    y = f(x) + offset
    return (y**2).mean(-1) - y.mean(-1) ** 2


def steps(y: Tensor) -> Tensor:
    """Rounded to steps of eight bits."""
    return torch.fake_quantize_per_tensor_affine(y, 0.01, 0, -128, 127)


def double(x: Tensor, f: Module) -> Tensor:
    """The layer in float64."""
    return nn.functional.linear(x.double(), f.weight.double(), f.bias.double())


NAN = torch.tensor([float("nan"), 0.0])
Case = tuple[str, Function, Function, bool, list[str]]


def masked() -> Iterator[Case]:
    """Sentinels among logits."""
    masks = {
        "one masked": (MASK, -1e9), "one at the minimum": (MASK, LOWEST), "a quarter masked": (MANY, -1e9),
        "a quarter at the minimum": (MANY, LOWEST), "most masked": (MOST, -1e9), "masked with 1e4": (MANY, -1e4), "masked above": (MASK, 1e9),
    }
    changes: dict[str, tuple[Function, bool]] = {
        "rest zero": (lambda x, f: f(x) * 0, True), "rest rolled": (lambda x, f: f(x).roll(1, 0), True),
        "rest × 1.01": (lambda x, f: f(x) * 1.01, True), "honest": (again, False),
    }
    for name, (mask, value) in masks.items():
        for what, (change, wrong) in changes.items():
            yield (f"{name}: {what}", lambda x, f, m=mask, v=value: f(x).masked_fill(m, v),
                   lambda x, f, m=mask, v=value, c=change: c(x, f).masked_fill(m, v), wrong, [])


def mixed() -> Iterator[Case]:
    """Values of several scales in one tensor."""
    rest = BIG_ROW == 1

    def large_row(x: Tensor, f: Module) -> Tensor:
        return f(x) * BIG_ROW

    yield "a large row: rest rolled", large_row, lambda x, f: torch.where(rest, f(x).roll(1, 1), f(x) * BIG_ROW), True, []
    yield "a large row: rest zero", large_row, lambda x, f: torch.where(rest, f(x) * 0, f(x) * BIG_ROW), True, []
    yield "a large row: honest", large_row, lambda x, f: again(x, f) * BIG_ROW, False, []

    def large_column(x: Tensor, f: Module, factor: float = 1.0) -> Tensor:
        return torch.cat([f(x)[:, :1] * 1e6, f(x)[:, 1:] * factor], 1)

    yield "a large column: rest × 1.02", large_column, lambda x, f: large_column(x, f, 1.02), True, []

    def twelve(x: Tensor, f: Module, places: int = 0) -> Tensor:
        return torch.cat([f(x).flatten()[:12] * 1e7, torch.cat([f(x).flatten()[12 + places:], f(x).flatten()[12:12 + places]])])

    yield "twelve outliers: rest rolled", twelve, lambda x, f: twelve(x, f, 1), True, []

    def beside_ones(x: Tensor, f: Module, one: float = 1.0) -> Tensor:
        return torch.cat([f(x)[:1, :1] * 1e7, torch.full((1, 499), one) + 0 * x[:1, :1]], 1)

    yield "an outlier beside a constant rest", beside_ones, lambda x, f: beside_ones(x, f, 2.0), True, []
    yield "boxes: scores × 1.05", boxes, lambda x, f: detections(f(x), score(f(x)) * 1.05, ids_of(f(x))), True, []
    yield "boxes: scores × 1.005", boxes, lambda x, f: detections(f(x), score(f(x)) * 1.005, ids_of(f(x))), True, []
    yield "boxes: ids off by one", boxes, lambda x, f: detections(f(x), score(f(x)), ids_of(f(x), 1)), True, []
    yield "boxes: scores by exp", boxes, lambda x, f: detections(f(x), torch.exp(f(x)[:, 4:6]) / 3, ids_of(f(x))), True, []
    yield "boxes: one score wrong", boxes, lambda x, f: detections(f(x), torch.cat([score(f(x))[:1] * 1.2, score(f(x))[1:]]), ids_of(f(x))), True, []
    yield "boxes: honest", boxes, lambda x, f: detections(again(x, f), score(again(x, f)), ids_of(f(x))), False, []

    def half(x: Tensor, f: Module, factor: float = 1.0, shift: int = 0) -> Tensor:
        return detections(f(x), score(f(x)) * factor, ids_of(f(x), shift), 4000.0).half()

    yield "half boxes: scores × 1.1", half, lambda x, f: half(x, f, 1.1), True, []
    yield "half boxes: ids off by one", half, lambda x, f: half(x, f, 1.0, 1), True, []
    yield ("large boxes: ids off by one", lambda x, f: boxes(x, f, 2e4),
           lambda x, f: detections(f(x), score(f(x)), ids_of(f(x), 1), 2e4), True, [])
    yield "channels: one × 1.03", channels, lambda x, f: channels(x, f, 1.03), True, []
    yield ("channels last: one × 1.03", lambda x, f: channels(x, f).transpose(1, -1),
           lambda x, f: channels(x, f, 1.03).transpose(1, -1), True, [])

    def peaked(x: Tensor, f: Module, places: int = 0) -> Tensor:
        rolled = torch.cat([f(x)[:, places:], f(x)[:, :places]], 1)
        return torch.softmax(torch.cat([f(x)[:, :1] * 0 + 14, rolled], 1), -1)

    yield "tails of a softmax rolled", peaked, lambda x, f: peaked(x, f, 1), True, []
    yield "a softmax: honest", lambda x, f: torch.softmax(f(x) * 12, -1), lambda x, f: torch.exp(torch.log_softmax(f(x) * 12, -1)), False, []
    yield ("large values beside small ones rolled", lambda x, f: torch.cat([f(x) * 1e4, f(x)], 1),
           lambda x, f: torch.cat([f(x) * 1e4, f(x).roll(1, 1)], 1), True, [])


def noisy() -> Iterator[Case]:
    """What rounding explains, and what it does not."""

    def cancelled(x: Tensor, f: Module) -> Tensor:
        return (f(x) + 1000) - 1000 - f(x)

    yield "cancelling terms: by another sum", cancelled, lambda x, f: (f(x) + 1000.0) - 1000.0 - again(x, f), False, []
    yield "cancelling terms: exact", cancelled, lambda x, f: f(x) * 0, False, []
    yield "cancelling terms: large", cancelled, lambda x, f: f(x) * 0.01, True, []
    yield "variance: honest", variance, lambda x, f: (f(x) + 100).var(-1, unbiased=False), False, []
    yield "variance: × 1.1", variance, lambda x, f: variance(x, f) * 1.1, True, []
    yield ("variance of 1000: honest", lambda x, f: variance(x, f, 1000.0),
           lambda x, f: (f(x).double() + 1000).var(-1, unbiased=False).float(), False, [])
    yield "a NaN constant: honest", lambda x, f: f(x)[:, :2] + NAN, lambda x, f: again(x, f)[:, :2] + NAN, False, []
    yield "zero everywhere: 2e-6", lambda x, f: torch.relu(f(x) - 100), lambda x, f: torch.relu(f(x) - 100) + 2e-6, True, []
    yield "zero everywhere: honest", lambda x, f: f(x) - again(x, f), lambda x, f: f(x) - f(x), False, []
    yield "float64 in float32", double, lambda x, f: f(x).double(), True, []
    yield ("float64: honest", lambda x, f: torch.tanh(double(x, f)),
           lambda x, f: torch.tanh(x.double() @ f.weight.double().t() + f.bias.double()), False, [])
    yield "float32 returned as float64: honest", lambda x, f: f(x).double(), double, False, []
    yield "float32 returned as float64: × 1.001", lambda x, f: f(x).double(), lambda x, f: f(x).double() * 1.001, True, []
    yield "whole numbers: honest", lambda x, f: torch.round(f(x) * 50), lambda x, f: torch.round(again(x, f) * 50), False, []
    yield "eight-bit steps: honest", lambda x, f: steps(f(x)), lambda x, f: steps(again(x, f)), False, []
    yield "eight-bit steps: two off", lambda x, f: steps(f(x)), lambda x, f: steps(f(x)) + 0.03, True, []


def named() -> Iterator[Case]:
    """Options that bind."""
    whole = 1000

    def near(x: Tensor, f: Module) -> Tensor:
        return (f(x) + 1000) - 1000

    yield ("full: integers off by one", lambda x, f: torch.round(f(x) * whole).long(), lambda x, f: torch.round(f(x) * whole).long() + 1, True,
           ["--checker", "full"])
    yield ("rtol 1e-9 binds", lambda x, f: torch.sigmoid(f(x)), lambda x, f: torch.sigmoid(again(x, f) + 3e-7), True, ["--rtol", "1e-9"])
    yield "rtol 1e-7 binds", near, lambda x, f: f(x), True, ["--rtol", "1e-7"]
    yield "atol 1e-7 binds", near, lambda x, f: f(x), True, ["--atol", "1e-7", "--rtol", "0"]


def by_hand() -> Iterator[Case]:
    """Name, reference, candidate, whether it is wrong, further arguments."""
    yield from masked()
    yield from mixed()
    yield from noisy()
    yield from named()


# --- files and runs -----------------------------------------------------------------------------------------------


def save(model: Module, x: Tensor, path: pathlib.Path) -> str:
    """Traces the model into a file."""
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.jit.trace(model, x, check_trace=False).save(str(path))
    return str(path)


def save_onnx(model: Module, x: Tensor, path: pathlib.Path) -> str | None:
    """Exports the model; nothing where that fails."""
    try:
        with warnings.catch_warnings(), torch.no_grad():
            warnings.simplefilter("ignore")
            torch.onnx.export(model, (x,), str(path), dynamo=False)
        return str(path)
    except Exception as failure:
        print(f"not exported: {path.name}: {failure}", file=sys.stderr)
        return None


def save_inputs(x: Tensor, path: pathlib.Path) -> str:
    """One positional input."""
    numpy.savez(path, arr_0=x.numpy())
    return str(path)


def random_pairs(number: int, seed: int, folder: pathlib.Path) -> Iterator[Pair]:
    """All pairs of one random model."""
    model, x = random_model(number, seed)
    dice = random.Random(seed * 7 + number)
    if not torch.isfinite(model(x)).all():
        return
    reference = save(model, x, folder / f"{number}.pt")
    inputs = save_inputs(x, folder / f"{number}.npz")
    honest = [["--backend", "ts"], ["--backend", "openvino"],
              [save(Exact(model), x, folder / f"{number}.exact.pt")],
              [save(reordered(model), x, folder / f"{number}.reordered.pt")]]
    exported = save_onnx(model, x, folder / f"{number}.onnx")
    if exported:
        honest.append([exported])
    for arguments in honest:
        yield Pair(f"model {number}, {pathlib.Path(arguments[-1]).name}", "honest", reference, arguments, inputs, False)
    if exported:
        yield Pair(f"model {number}, {number}.onnx by openvino", "honest onnx", exported, ["--backend", "openvino"], inputs, False)
    for place, (what, other) in enumerate(mutants(model, dice)):
        if is_wrong(model, other, x):
            file = save(other, x, folder / f"{number}.mutant{place}.pt")
            yield Pair(f"model {number}, {what}", "mutant", reference, [file], inputs, True)


def hand_made_pairs(folder: pathlib.Path) -> Iterator[Pair]:
    """Those that are meant to slip through, and their honest sisters; as TorchScript and as ONNX."""
    torch.manual_seed(3)
    x = torch.randn(100, 16)
    inputs = save_inputs(x, folder / "by_hand.npz")
    for number, (name, reference, candidate, wrong, further) in enumerate(by_hand()):
        kind = "slips through" if wrong else "honest by hand"
        files = [save(Calls(f), x, folder / f"hand{number}{side}.pt") for side, f in (("a", reference), ("b", candidate))]
        yield Pair(name, kind, files[0], [files[1], *further], inputs, wrong)
        exported = [save_onnx(Calls(f), x, folder / f"hand{number}{side}.onnx") for side, f in (("a", reference), ("b", candidate))]
        if exported[0] and exported[1]:
            yield Pair(name + " (ONNX)", kind + ", onnx", exported[0], [exported[1], *further], inputs, wrong)


def run(program: str, pair: Pair) -> tuple[int, str]:
    """The exit status, and what the report says of values."""
    line = [program, "verify", pair.reference, *pair.arguments, "--inputs", pair.inputs, "--no-lint", "--threads", "1", "--output-format", "json"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=300, check=False)
    try:
        report = json.loads(done.stdout)
    except json.JSONDecodeError:
        return done.returncode, done.stderr.strip()[:200]
    failures = [v["message"] for o in report["outputs"] for v in o["verdicts"] if not v["passed"]]
    failures += [i["message"] for i in report["incidents"] if i["failure"]]
    notes = [n for o in report["outputs"] for n in o["notes"]]
    return done.returncode, "; ".join(failures or notes)


def main() -> None:
    """Prints a row for each kind of pair, and every verdict that is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--models", type=int, default=150)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="pairs whose name holds this text")
    options = parser.parse_args()
    torch.set_num_threads(1)
    counts: dict[str, list[int]] = {}
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        folder = pathlib.Path(name)
        pairs = list(hand_made_pairs(folder))
        for number in range(options.models):
            pairs += random_pairs(number, options.seed, folder)
        pairs = [pair for pair in pairs if options.only in pair.name]
        for pair, (status, words) in zip(pairs, pool.map(lambda p: run(options.program, p), pairs), strict=True):
            count = counts.setdefault(pair.kind, [0, 0, 0])
            count[0] += 1
            if status not in (0, 1):
                count[2] += 1
                print(f"not run: {pair.name}: {words}")
            elif (status == 1) != pair.wrong:
                count[1] += 1
                print(f"{'false pass' if pair.wrong else 'false alarm'}: {pair.kind}: {pair.name}: {words}")
    print("\n| pairs | number | wrong verdicts | not run |\n|---|---|---|---|")
    for kind, (number, wrong, not_run) in sorted(counts.items()):
        print(f"| {kind} | {number} | {wrong} | {not_run} |")


if __name__ == "__main__":
    main()
