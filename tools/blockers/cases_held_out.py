"""Modules of the same kinds, which nobody looked at while the check was made."""
import math

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


@case(torch.randn(4, 6))
class EarlyExit(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Linear(6, 6) for _ in range(3)])
        self.heads = nn.ModuleList([nn.Linear(6, 3) for _ in range(3)])

    def forward(self, x: Tensor) -> Tensor:
        out = x[:, :3]
        for block, head in zip(self.blocks, self.heads):  # noqa: B905  which TorchScript does not have
            x = torch.relu(block(x))
            out = head(x)
            if bool(out.softmax(-1).max() > 0.99):
                return out
        return out


@case(torch.randint(0, 10, (2, 5)))
class GreedyDecoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(10, 8)
        self.cell = nn.GRUCell(8, 8)
        self.out = nn.Linear(8, 10)

    def forward(self, ids: Tensor) -> Tensor:
        h = torch.zeros(ids.size(0), 8)
        for t in range(ids.size(1)):
            h = self.cell(self.table(ids[:, t]), h)
        word = self.out(h).argmax(-1)
        steps = 0
        while not bool((word == 0).all()) and steps < 4:
            h = self.cell(self.table(word), h)
            word = self.out(h).argmax(-1)
            steps += 1
        return word


@case(torch.randn(1, 10, 4), torch.tensor([7]))
class LengthMask(nn.Module):
    def forward(self, x: Tensor, lengths: Tensor) -> Tensor:
        longest = int(lengths.max())
        mask = torch.arange(longest)[None, :] < lengths[:, None]
        return x[:, :longest] * mask[:, :, None]


@case(torch.randn(2, 3, 9, 9))
class PadsToMultiple(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        h, w = x.size(-2), x.size(-1)
        down, right = (4 - h % 4) % 4, (4 - w % 4) % 4
        if down > 0 or right > 0:
            x = F.pad(x, [0, right, 0, down])
        return x


@case(X)
class RunningMean(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(8))
        self.register_buffer("count", torch.zeros((), dtype=torch.int64))

    def forward(self, x: Tensor) -> Tensor:
        self.count += 1
        self.mean.mul_(0.9).add_(x.mean(0), alpha=0.1)
        return x - self.mean


@case(X)
class Warmup(nn.Module):
    def __init__(self):
        super().__init__()
        self.step = 0
        self.rate = 1.0

    def forward(self, x: Tensor) -> Tensor:
        self.step += 1
        if self.step > 2:
            self.rate = 0.5
        return x * self.rate


@case(X)
class LastInput(nn.Module):
    last: Tensor | None

    def __init__(self):
        super().__init__()
        self.last = None

    def forward(self, x: Tensor) -> Tensor:
        before = self.last
        y = x if before is None else x - before
        self.last = x
        return y


@case(X)
class History(nn.Module):
    def __init__(self):
        super().__init__()
        self.history: list[int] = torch.jit.annotate(list[int], [0])

    def forward(self, x: Tensor) -> Tensor:
        return x * len(self.history)


@case(torch.rand(5, 4), torch.rand(5))
class SoftNms(nn.Module):
    def forward(self, boxes: Tensor, scores: Tensor) -> Tensor:
        kept: list[Tensor] = []
        while scores.numel() > 0:
            best = scores.argmax()
            kept.append(boxes[best])
            left = scores < scores[best]
            boxes, scores = boxes[left], scores[left]
        return torch.stack(kept)


@case(torch.randn(3, 4))
class CountsPositive(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        n = int((x > 0).sum())
        return x.flatten().topk(n)[0].sum() + x


@case(torch.randn(3, 4))
class MeanOfPicked(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        picked = x[x.sum(1) > -100]
        return picked.mean(0) / max(1, picked.size(0))


@case(torch.randn(3, 4))
class EmptyIsZero(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        picked = torch.masked_select(x, x > 1)
        if picked.numel() == 0:
            return torch.zeros(())
        return picked.sum()


@case(X, N)
class Rolled(nn.Module):
    def forward(self, x: Tensor, n: Tensor) -> Tensor:
        return x.roll(int(n), 1) + torch.zeros(int(n), 1).sum()


@case(X)
class DecibelsOfItem(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        peak = float(x.abs().max())
        return x - 20.0 * math.log10(peak + 1e-5)


@case(X, 2)
class TakesNumber(nn.Module):
    def forward(self, x: Tensor, times: int) -> Tensor:
        for _ in range(times):
            x = x * 2
        return x


@case((X, (X, X)))
class TakesTuple(nn.Module):
    def forward(self, state: tuple[Tensor, tuple[Tensor, Tensor]]) -> tuple[Tensor, list[Tensor]]:
        h, (a, b) = state
        return h + a, [b, a]


@case(X)
class DictInside(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        parts: dict[str, Tensor] = {}
        parts["a"] = x[:, :4]
        parts["b"] = x[:, 4:]
        y = torch.zeros(2, 4)
        for name, part in parts.items():
            if name == "a":
                y = y + part
            else:
                y = y - part
        return y


@case(torch.randn(2, 6))
class SkipsOnZero(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        norm = x.norm()
        if norm.item() == 0.0:
            return x
        return x / norm


@case(torch.randn(2, 6))
class AllClose(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x if torch.allclose(x, torch.zeros_like(x)) else x / 2


@case(torch.randn(2, 6))
class AssertsRange(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        assert bool((x.abs() < 1e4).all()), "range"
        assert x.size(-1) == 6, "size"
        return x.sqrt()


@case(torch.randn(2, 6))
class NoisyInTraining(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        if self.training:
            x = x + torch.randn_like(x)
        return x.bernoulli(0.5) + x


@case(torch.randn(2, 6))
class RandomSkip(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        if torch.rand(1).item() < 0.5:
            x = x * 2
        return x


@case(torch.randn(1, 2, 8))
class UntilShort(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        while x.size(-1) > 2:
            x = F.avg_pool1d(x, 2)
        return x


@case(torch.randint(0, 4, (7,)))
class Histogram(nn.Module):
    def forward(self, ids: Tensor) -> Tensor:
        counts = torch.bincount(ids, minlength=4)
        values = torch.unique(ids)
        return counts[:4] + values.size(0)


@case(torch.randint(0, 4, (7,)))
class PerClass(nn.Module):
    def forward(self, ids: Tensor) -> Tensor:
        total = torch.zeros(())
        for c in torch.unique(ids):
            total = total + (ids == c).float().mean()
        return total


class Box:
    def __init__(self, low: Tensor, high: Tensor) -> None:
        self.low = low
        self.high = high

    def empty(self) -> bool:
        return bool((self.high <= self.low).any())

    def size(self) -> Tensor:
        return self.high - self.low


@case(torch.rand(2), torch.rand(2) + 1)
class Boxes(nn.Module):
    def forward(self, low: Tensor, high: Tensor) -> Tensor:
        box = Box(low, high)
        if box.empty():
            return low
        return box.size()


@case(torch.randn(4, 4))
class Solves(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        y = torch.linalg.solve(x @ x.T + torch.eye(4), x)
        return torch.linalg.svd(y)[1] + torch.linalg.lstsq(x, y).solution.sum()


@case(torch.randn(2, 3, 6, 6), traced=True)
class TracedUpsample(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        y = F.interpolate(x, scale_factor=2.0)
        return y.reshape(y.shape[0], -1) * y.shape[1]


@case(torch.randn(2, 5, 8), traced=True)
class TracedLstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(8, 4, batch_first=True)

    def forward(self, x: Tensor) -> Tensor:
        return self.lstm(x)[0][:, -1]


@case(torch.randn(2, 5, 8), traced=True)
class TracedAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)

    def forward(self, x: Tensor) -> Tensor:
        return self.layer(x)


@case(torch.randn(6, 6), traced=True)
class TracedEqual(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return torch.corrcoef(x) + x.unique().sum()


@case(torch.randint(0, 4, (7,)), traced=True)
class TracedOneHot(nn.Module):
    def forward(self, ids: Tensor) -> Tensor:
        return F.one_hot(ids).sum(0)


@case(torch.randn(2, 16), traced=True)
class TracedStft(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return torch.stft(x, 8, window=torch.hann_window(8), return_complex=True).abs()
