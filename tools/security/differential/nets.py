"""Small networks that between them write what exporters write: each takes two tensors of 2 by 4 numbers."""

from collections import namedtuple
from typing import Any

import torch
from torch import Tensor, nn

Pair = namedtuple("Pair", ["first", "second"])


class Plain(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.bn = nn.BatchNorm1d(4)
        self.register_buffer("off", torch.tensor([1, 2, 3, 4]))

    def forward(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        z = self.bn(self.lin(x)).clamp(min=-0.5, max=0.7)
        z = torch.softmax(z + self.off.float() * 0.25, dim=-1)
        return torch.cat([z, y], 0).sum(dim=0, keepdim=True) * 2.5, z.argmax(1)


class Shared(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.act = nn.ReLU()
        self.conv = nn.Conv1d(1, 2, 3, padding=1, bias=False)
        self.again = nn.Sequential(nn.Linear(4, 4), nn.GELU(), nn.Linear(4, 4))
        self.again[2].weight = self.again[0].weight

    def forward(self, x: Tensor, y: Tensor) -> dict[str, Tensor]:
        z = self.act(self.conv(x.unsqueeze(1))).mean(1)
        return {"left": self.act(self.again(z)), "right": y.reshape(4, 2).transpose(0, 1)[:, 1:]}


class Chosen(nn.Module):
    """Control flow for TorchScript."""

    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.scale = 0.5
        self.names = ["a", "b"]
        self.sizes = (2, 4)

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        z = x
        for i in range(2):
            z = self.lin(z) * self.scale + i
        if bool(y.sum() > 0):
            z = z - y
        else:
            z = torch.zeros_like(z) + len(self.names)
        return z.view(self.sizes[0], self.sizes[1])


class Conditional(nn.Module):
    """Control flow for torch.export."""

    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(4, 4)

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        return torch.cond(x.sum() > 0, lambda a, b: self.lin(a) + b, lambda a, b: a * b - 1.0, (x, y))


class Kept(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("count", torch.zeros(1))
        self.register_buffer("table", torch.arange(8.0).reshape(2, 4), persistent=False)
        self.shift = torch.tensor([0.25, float("inf"), -1.0, 3.0])

    def forward(self, x: Tensor, y: Tensor) -> tuple[Tensor, int]:
        self.count.add_(1)
        z = torch.where(x > y, self.table, torch.minimum(x, self.shift))
        return z * self.count + torch.full_like(y, 1e-3), 3


class Odd(nn.Module):
    """Dtypes, lists of optional tensors, text and lists among arguments."""

    def __init__(self) -> None:
        super().__init__()
        self.narrow = nn.Parameter(torch.ones(4, dtype=torch.float16) * 0.5)
        self.register_buffer("mask", torch.tensor([True, False, True, True]))

    def forward(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        z = torch.div(x * self.narrow, 0.3, rounding_mode="floor")
        first, second = torch.split(y, [1, 3], dim=1)
        w = torch.nn.functional.pad(second, [0, 1], value=-2.0).masked_fill(self.mask, 7.0)
        return z.to(torch.float64), w.permute(1, 0), torch.nn.functional.layer_norm(first + y, [4], eps=1e-3)


class Drawing(nn.Module):
    def forward(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        return torch.rand_like(x) - y, torch.nn.functional.dropout(x, 0.25, training=True)


def examples() -> tuple[Tensor, Tensor]:
    """New ones for each model, which may write to them."""
    return torch.linspace(-1, 2, 8).reshape(2, 4), torch.linspace(3, -2, 8).reshape(2, 4)


def made(*kinds: type[nn.Module]) -> list[tuple[str, nn.Module]]:
    torch.manual_seed(1)
    return [(kind.__name__.lower(), kind().eval()) for kind in kinds]


def outputs_digest(value: Any) -> str:
    """Without the last bits, which depend on where kernels find their tensors in memory."""
    rounded = torch.utils._pytree.tree_map(lambda each: each.round(decimals=3) + 0.0 if _is_floating(each) else each, value)
    return tensor_digest(rounded)


def _is_floating(value: Any) -> bool:
    return isinstance(value, Tensor) and value.layout is torch.strided and value.is_floating_point()


def tensor_digest(value: Any) -> str:
    """Every bit of a tensor or of values that hold tensors."""
    import hashlib

    if isinstance(value, Tensor):
        if value.layout is not torch.strided or value.device.type == "meta":
            return f"{value.layout} {tuple(value.shape)} {value.dtype}"
        whole = value.detach().resolve_conj().resolve_neg().contiguous().cpu()
        content = whole.reshape(-1).view(torch.uint8).numpy().tobytes() if whole.numel() else b""
        return f"{value.dtype}{tuple(value.shape)}{hashlib.sha256(content).hexdigest()[:16]}"
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}:{tensor_digest(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return type(value).__name__ + "(" + ",".join(tensor_digest(each) for each in value) + ")"
    return repr(value)
