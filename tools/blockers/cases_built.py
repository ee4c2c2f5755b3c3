"""Modules with places that keep them from being exported, and with places that only look so: those that the check was made with."""
import math
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

X, N, IDS = torch.randn(2, 8), torch.tensor(3), torch.tensor([1, 2, 3])
CASES = {}


def case(*inputs, traced=False):
    def add(cls):
        CASES[cls.__name__] = (cls, inputs, traced)
        return cls
    return add


@case(X)
class BranchOnSum(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        if bool(x.sum() > 0):
            x = x + 1
        return x * 2


@case(X)
class BranchOnSize(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        if x.size(0) > 1 and x.dim() == 2:
            x = x + 1
        return x


@case(X, N)
class LoopOnData(nn.Module):
    def forward(self, x: Tensor, n: Tensor) -> Tensor:
        for i in range(int(n)):
            x = x + i
        return x


@case(X)
class LoopOnSize(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        out: list[Tensor] = []
        for i in range(x.size(1)):
            out.append(x[:, i] * i)
        return torch.stack(out, 1)


@case(X)
class WhileOnData(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        while bool(x.abs().sum() < 100):
            x = x * 2
        return x


@case(X)
class MaskThenBranch(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        y = x[x > 0]
        if y.numel() > 3:
            y = y + 1
        return y.sum() + x


@case(X)
class MaskOnly(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x[x > 0] * 2


@case(X, N)
class SliceByItem(nn.Module):
    def forward(self, x: Tensor, n: Tensor) -> Tensor:
        k = int(n)
        return x[:, :k] + 1


@case(X)
class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x: Tensor) -> Tensor:
        self.calls += 1
        return x * self.calls


@case(X)
class Hidden(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("hidden", torch.zeros(2, 8))

    def forward(self, x: Tensor) -> Tensor:
        self.hidden = torch.tanh(self.hidden + x)
        return self.hidden * 2


@case(X)
class Cached(nn.Module):
    cache: Tensor | None

    def __init__(self):
        super().__init__()
        self.cache = None

    def forward(self, x: Tensor) -> Tensor:
        cache = self.cache
        if cache is None:
            cache = torch.zeros_like(x)
        cache = cache + x
        self.cache = cache
        return cache


@case(X)
class WritesInput(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        x.add_(1)
        x[:, 0] = 0.0
        return x * 2


@case(X)
class RaisesOnData(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        if bool(torch.isnan(x).any()):
            raise RuntimeError("nan")
        return x + 1


@case(X)
class RaisesOnSize(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        if x.size(1) != 8:
            raise RuntimeError("size")
        return x + 1


@case(X)
class Equal(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        if torch.equal(x, x.abs()):
            return x
        return x + 1


@case(IDS)
class OneHot(nn.Module):
    def forward(self, i: Tensor) -> Tensor:
        return F.one_hot(i).float() + F.one_hot(i, 5).sum()


@case(X)
class Random(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x + torch.rand_like(x) * F.dropout(x, 0.5, True)


@case([X, X + 1])
class TakesList(nn.Module):
    def forward(self, xs: list[Tensor]) -> Tensor:
        y = xs[0]
        for x in xs:
            y = y + x
        return y


@case({"a": X})
class TakesDict(nn.Module):
    def forward(self, d: dict[str, Tensor]) -> dict[str, Tensor]:
        return {"y": d["a"] * 2, "z": d["a"]}


@case(X, None)
class TakesOptional(nn.Module):
    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        if mask is not None:
            x = x * mask
        return x + 1


@case(X, "relu")
class TakesString(nn.Module):
    def forward(self, x: Tensor, how: str) -> Tensor:
        return x.relu() if how == "relu" else x


@case(X, N)
class SqrtOfItem(nn.Module):
    def forward(self, x: Tensor, n: Tensor) -> Tensor:
        k = int(n)
        return x / math.sqrt(k)


@case(X)
class MaxOfItem(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        top = float(x.max())
        return x / max(top, 1.0)


@case(X)
class ScaleByItem(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x / (float(x.max()) + 1.0)


@case(X)
class TwoBranches(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(8, 8)
        self.b = nn.Linear(8, 8)

    def forward(self, x: Tensor) -> Tensor:
        if bool(x.mean() > 0):
            if bool(x.max() > 1):
                x = self.a(x)
        else:
            x = self.b(x)
            if x.size(0) > 5:
                x = x * 2
        return x


class Coder:
    def __init__(self, scale: float) -> None:
        self.scale = scale

    def code(self, x: Tensor) -> Tensor:
        if bool(x.sum() > 10):
            x = x / 2
        return x * self.scale


@case(X)
class UsesObject(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        coder = Coder(2.0)
        return coder.code(x)


class Pair(NamedTuple):
    one: Tensor
    two: Tensor


@case(X)
class NamedPair(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        pair = Pair(x, x + 1)
        return pair.one * pair.two


@case(X, torch.tensor([5, 3]))
class PackedRows(nn.Module):
    def forward(self, x: Tensor, lengths: Tensor) -> Tensor:
        out = torch.zeros_like(x)
        for b in range(x.size(0)):
            k = int(lengths[b])
            out[b, :k] = x[b, :k]
        return out


@case(torch.randn(2, 3, 8, 8))
class Resized(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        h, w = x.shape[2:]
        y = F.interpolate(x, size=(h // 2, w // 2), mode="bilinear", align_corners=False)
        if h % 2 == 1:
            y = F.pad(y, [0, 1])
        return y


@case(torch.randn(2, 3, 8, 8), traced=True)
class TracedNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2))

    def forward(self, x: Tensor) -> Tensor:
        return self.net(x).flatten(1).softmax(1)


@case(X, traced=True)
class TracedMask(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return torch.cat([x[x > 0], x.nonzero().float().reshape(-1)])


@case(torch.randn(3, 9), traced=True)
class TracedCov(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return torch.cov(x)


@case(torch.rand(6, 4), torch.rand(6))
class KeepsBest(nn.Module):
    def forward(self, boxes: Tensor, scores: Tensor) -> Tensor:
        keep = torch.where(scores > 0.3)[0]
        boxes = boxes[keep]
        if boxes.shape[-1] != 4:
            raise ValueError("boxes")
        if boxes.shape[0] == 0:
            return boxes
        return boxes * 2


@case(X)
class FlagKept(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        found = bool((x > 2).any())
        y = x + 1
        if found:
            y = y * 2
        return y


@case(X)
class Shadowed(nn.Module):
    """The size is decided by no value, though the tensor comes out of a branch."""

    def forward(self, x: Tensor) -> Tensor:
        if bool(x.sum() > 0):
            x = x * 2
        if x.size(1) > 4:
            x = x + 1
        return x
