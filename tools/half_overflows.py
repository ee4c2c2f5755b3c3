#!/usr/bin/env python3
"""How many of the ops that overflow in float16 `half-range` names, and how many of those that it names do not.

usage: tools/half_overflows.py [--tool build/dev/bin/model_validator] [--format pt2|pt|onnx]

Small networks of many kinds, each as it is and twice with a third of its weights enlarged 30 to 1,000 times, are run in float16 on
the CPU op by op, three times: an op overflows if its result is not finite and all that it was given is. The findings are held
against that by the type of op.
"""

import argparse
import copy
import json
import math
import subprocess
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

Inputs = tuple[Tensor, ...]
ONE_TYPE = {"conv1d": "conv", "conv2d": "conv", "conv_transpose2d": "conv", "bmm": "matmul", "mm": "matmul"}


class Net(nn.Module):
    """A function with its layers."""

    def __init__(self, forward: Callable[..., Any], *layers: nn.Module):
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.function = forward

    def forward(self, *inputs: Tensor) -> Any:
        return self.function(self.layers, *inputs)


class RMSNorm(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)


class Attention(nn.Module):
    def __init__(self, size: int = 64, scaled: bool = True):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(size, size) for _ in range(4))
        self.scale = math.sqrt(size) if scaled else 1.0

    def forward(self, x: Tensor) -> Tensor:
        scores = self.q(x) @ self.k(x).transpose(-1, -2) / self.scale
        return self.o(scores.softmax(-1) @ self.v(x))


class Block(nn.Module):
    def __init__(self, norm: Callable[[], nn.Module]):
        super().__init__()
        self.attention, self.before, self.after = Attention(), norm(), norm()
        self.gate, self.up, self.down = nn.Linear(64, 128), nn.Linear(64, 128), nn.Linear(128, 64)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attention(self.before(x))
        y = self.after(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


def convolved(channels: int) -> nn.Module:
    return nn.Sequential(nn.Conv2d(3, channels, 3, padding=1), nn.BatchNorm2d(channels), nn.ReLU())


def perceptron(activation: nn.Module, layers: int = 2) -> nn.Module:
    return nn.Sequential(*[nn.Sequential(nn.Linear(32, 32), activation) for _ in range(layers)], nn.Linear(32, 8))


def random(*shape: int) -> Callable[[torch.Generator], Inputs]:
    return lambda generator: (torch.randn(*shape, generator=generator),)


def pair(*shape: int) -> Callable[[torch.Generator], Inputs]:
    return lambda generator: (torch.randn(*shape, generator=generator), torch.randn(*shape, generator=generator))


def ids(*shape: int) -> Callable[[torch.Generator], Inputs]:
    return lambda generator: (torch.randint(0, 100, shape, generator=generator),)


def distances(a: Tensor) -> Tensor:
    return a.pow(2).sum(-1, keepdim=True) - 2 * a @ a.t() + a.pow(2).sum(-1)


def bilinear_pool(a: Tensor) -> Tensor:
    pooled = torch.einsum("bcn,bdn->bcd", a, a).flatten(1)
    return torch.sign(pooled) * torch.sqrt(pooled.abs() + 1e-4)


def standardised(a: Tensor) -> Tensor:
    return (a - a.mean(-1, keepdim=True)) / torch.sqrt(a.var(-1, keepdim=True) + 1e-3)


def kl_divergence(mean: Tensor, log_variance: Tensor) -> Tensor:
    return (-0.5 * (1 + log_variance - mean.pow(2) - log_variance.exp())).sum(-1)


def linear_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return (F.elu(q) + 1) @ ((F.elu(k) + 1).transpose(1, 2) @ v)


def gaussian_loss(y: Tensor, mean: Tensor, scale: Tensor) -> Tensor:
    return (((y - mean) / (F.softplus(scale) + 0.1)) ** 2).sum(-1)


def one(function: Callable[[Tensor], Any], layer: Callable[[], nn.Module]) -> Callable[[], nn.Module]:
    """A function of what one layer yields."""
    return lambda: Net(lambda m, x: function(m[0](x)), layer())


def each(function: Callable[..., Any], *sizes: tuple[int, int]) -> Callable[[], nn.Module]:
    """A function of what several linear layers make of one input."""
    return lambda: Net(lambda m, x: function(*[layer(x) for layer in m]), *[nn.Linear(*size) for size in sizes])


L = nn.Linear
WIDE = (32, 64)
NETWORKS: dict[str, tuple[Callable[[], nn.Module], Callable[[torch.Generator], Inputs]]] = {
    "perceptron with ReLU": (lambda: perceptron(nn.ReLU()), random(8, 32)),
    "perceptron with GELU": (lambda: perceptron(nn.GELU()), random(8, 32)),
    "perceptron with tanh": (lambda: perceptron(nn.Tanh()), random(8, 32)),
    "deep perceptron": (lambda: perceptron(nn.ReLU(), 12), random(8, 32)),
    "convolutions": (lambda: nn.Sequential(convolved(16), nn.Conv2d(16, 8, 3), nn.ReLU(), nn.Flatten(), L(8 * 196, 10)), random(2, 3, 16, 16)),
    "transposed convolution": (lambda: nn.Sequential(convolved(8), nn.ConvTranspose2d(8, 4, 4, 2, 1), nn.Sigmoid()), random(2, 3, 16, 16)),
    "transformer": (lambda: nn.Sequential(Block(lambda: nn.LayerNorm(64)), Block(lambda: nn.LayerNorm(64))), random(2, 10, 64)),
    "transformer with RMS norms": (lambda: nn.Sequential(nn.Embedding(100, 64), Block(RMSNorm), Block(RMSNorm), RMSNorm(), L(64, 100)), ids(2, 10)),
    "attention without a scale": (lambda: Attention(scaled=False), random(2, 10, 64)),
    "linear attention": (each(linear_attention, (64, 64), (64, 64), (64, 64)), random(2, 50, 64)),
    "softmax by hand": (one(lambda a: torch.exp(a) / torch.exp(a).sum(-1, keepdim=True), lambda: L(32, 64)), random(8, 32)),
    "variational": (each(lambda mean, log: mean * torch.exp(0.5 * log), WIDE, WIDE), random(8, 32)),
    "divergence": (each(kl_divergence, WIDE, WIDE), random(8, 32)),
    "gram matrix": (one(lambda a: torch.bmm(a.flatten(2), a.flatten(2).transpose(1, 2)) / 256, lambda: nn.Conv2d(3, 16, 3)), random(2, 3, 18, 18)),
    "bilinear pooling": (one(lambda a: bilinear_pool(torch.relu(a).flatten(2)), lambda: nn.Conv2d(3, 12, 3)), random(2, 3, 24, 24)),
    "cosine": (
        lambda: Net(lambda m, x, y: (m[0](x) * m[0](y)).sum(-1) / (m[0](x).norm(dim=-1) * m[0](y).norm(dim=-1)), L(*WIDE)),
        pair(8, 32),
    ),
    "distance": (lambda: Net(lambda m, x, y: ((m[0](x) - m[0](y)) ** 2).sum(-1), L(32, 128)), pair(8, 32)),
    "distances of all": (one(distances, lambda: L(*WIDE)), random(8, 32)),
    "kernel": (one(lambda a: (a @ a.t() / 8 + 1) ** 3, lambda: L(*WIDE)), random(8, 32)),
    "radial functions": (one(lambda a: torch.exp(-0.01 * ((a[:, None] - a) ** 2).sum(-1)), lambda: L(*WIDE)), random(8, 32)),
    "standardised": (one(standardised, lambda: L(32, 128)), random(8, 32)),
    "running sum": (one(lambda a: F.softplus(a).cumsum(-1), lambda: L(32, 256)), random(8, 32)),
    "power": (one(lambda a: torch.log1p((a**2).sum(1)), lambda: nn.Conv1d(1, 64, 64, 16)), random(2, 1, 800)),
    "energy": (one(lambda a: torch.relu(a).pow(2).mean(-1).sqrt(), lambda: nn.Conv1d(1, 32, 9)), random(2, 1, 500)),
    "statistics": (one(lambda a: torch.cat([a.mean(-1), a.std(-1)], -1), lambda: nn.Conv1d(4, 32, 3)), random(2, 4, 100)),
    "sum of a map": (lambda: Net(lambda m, x: m[1](torch.relu(m[0](x)).sum((2, 3))), nn.Conv2d(3, 32, 3), L(32, 10)), random(2, 3, 64, 64)),
    "factorisation": (one(lambda v: (v.sum(1) ** 2 - (v**2).sum(1)).sum(-1) / 2, lambda: nn.Embedding(100, 32)), ids(4, 20)),
    "polynomial": (one(lambda a: a + 0.1 * a**3, lambda: L(*WIDE)), random(8, 32)),
    "gated": (each(lambda a, b, c: a * torch.sigmoid(b) * c, WIDE, WIDE, WIDE), random(8, 32)),
    "likelihood": (lambda: Net(lambda m, x, y: gaussian_loss(y, m[0](x), m[1](x)), L(32, 32), L(32, 32)), pair(8, 32)),
    "absolute distance": (lambda: Net(lambda m, x, y: (m[0](x) - m[0](y)).abs().sum(-1), L(32, 256)), pair(8, 32)),
    "mixture of experts": (
        each(lambda w, a, b: torch.softmax(w, -1)[:, :1] * a + torch.softmax(w, -1)[:, 1:] * b, (32, 2), WIDE, WIDE),
        random(8, 32),
    ),
    "recurrent": (lambda: Net(lambda m, x: m[1](m[0](x)[0]), nn.LSTM(32, 32, batch_first=True), L(32, 10)), random(2, 8, 32)),
}


def make(name: str, seed: int) -> tuple[nn.Module, Inputs]:
    """The network as it is (seed 0), or with some of its weights enlarged."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = NETWORKS[name][0]().eval()
    weights = [parameter for parameter in model.parameters() if parameter.dim() > 1]
    if seed and weights:
        chosen = torch.randperm(len(weights), generator=generator)[: max(1, len(weights) // 3)]
        factor = (30.0, 100.0, 300.0, 1000.0)[int(torch.randint(0, 4, (1,), generator=generator))]
        for i in chosen:
            weights[i].data.mul_(factor)
    return model, NETWORKS[name][1](generator)


def is_finite(values: Any) -> bool:
    tensors = [v for v in torch.utils._pytree.tree_leaves(values) if isinstance(v, Tensor) and v.is_floating_point()]
    return all(bool(torch.isfinite(v).all()) for v in tensors)


class Watching(torch.fx.Interpreter):
    """Notes each op that overflows."""

    def __init__(self, module: torch.fx.GraphModule):
        super().__init__(module)
        self.overflowing: list[str] = []

    def run_node(self, n: torch.fx.Node) -> Any:
        result = super().run_node(n)
        if n.op == "call_function" and is_finite([self.env[a] for a in n.all_input_nodes]) and not is_finite(result):
            self.overflowing.append(str(n.target).split(".")[1].rstrip("_"))
        return result


def overflowing(name: str, model: nn.Module) -> list[str]:
    runs = []
    for seed in range(3):
        inputs = NETWORKS[name][1](torch.Generator().manual_seed(100 + seed))
        halved = tuple(x.half() if x.is_floating_point() else x for x in inputs)
        watching = Watching(torch.export.export(copy.deepcopy(model).half(), halved).module())
        watching.run(*halved)
        runs.append(watching.overflowing)
    return max(runs, key=len)


def told(tool: str, file: Path, inputs: Inputs) -> list[str]:
    command = [tool, "check", str(file), "--target", "fp16", "--select", "half-range", "--output-format", "json"]
    if file.suffix == ".pt":
        for x in inputs:
            command += ["--input", "x".join(map(str, x.shape)) + ("" if x.is_floating_point() else ":int64:0..99")]
    report = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    messages = [d["message"] for d in report["models"][0]["findings"]]
    return [m.split("`")[1].rsplit("_", 1)[0] for m in messages if "is likely to yield" in m]


def write(model: nn.Module, inputs: Inputs, file: Path) -> None:
    if file.suffix == ".pt":
        torch.jit.save(torch.jit.trace(model, inputs), file)
    elif file.suffix == ".onnx":
        torch.onnx.export(model, inputs, file, dynamo=False, opset_version=17)
    else:
        torch.export.save(torch.export.export(model, inputs), file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default="build/dev/bin/model_validator")
    parser.add_argument("--format", choices=("pt2", "pt", "onnx"), default="pt2")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(3):
            for name in NETWORKS:
                model, inputs = make(name, seed)
                file = Path(folder) / f"net.{options.format}"
                write(model, inputs, file)
                one_type = ONE_TYPE | ({"linear": "matmul"} if options.format == "onnx" else {})
                truth = Counter(one_type.get(op, op) for op in overflowing(name, model))
                said = Counter(one_type.get(op, op) for op in told(options.tool, file, inputs))
                counts.update(networks=1, overflowing=truth.total(), told=said.total(), rightly=(truth & said).total())
                if truth != said:
                    print(f"{name}, {seed}: overflows {sorted(truth.elements())}, told {sorted(said.elements())}")
    print(f"{counts['networks']} networks: {counts['overflowing']} ops overflow, {counts['told']} told, {counts['rightly']} of them rightly")


if __name__ == "__main__":
    main()
