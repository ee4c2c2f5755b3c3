"""Small models that use the language around the operators: lists, strings, None, loops, checks."""
from __future__ import annotations

import torch
from scripted_code import module_of
from torch import Tensor

# Bodies of `forward(self, x)`, one behind the other.
BODIES = """
if x.dim() != 2:
    raise ValueError(f"expected 2 dimensions, got {x.dim()}")
return torch.relu(x)

assert x.size(0) > 0, "empty"
return torch.relu(x)

if x.size(0) > 100:
    warnings.warn("large")
return torch.relu(x)

print("size", x.size(0))
return torch.relu(x)

parts: list[Tensor] = []
for i in range(3):
    parts.append(x * i)
return torch.cat(parts)

parts = [x]
parts.append(torch.relu(x))
return torch.cat(parts, 1)

a, b = torch.chunk(x, 2, 1)
return a * b

a, b = torch.split(x, 2)
return a * b

a, b = torch.split(x, [1, 3])
return a + b

a, b, c, d = x.unbind(0)
return a + b * c - d

d: dict[str, Tensor] = {"a": x}
d["b"] = torch.relu(x)
return d["a"] + d["b"]

if self.training:
    x = torch.rand_like(x)
return torch.relu(x)

n, c = x.shape
return x.view(n * c // 2, 2).sum(1, keepdim=True)

s = list(x.shape)
return x.reshape([s[0], 1] + s[1:])

return x.reshape([1] * (4 - len(x.shape)) + x.shape)

return x.to(torch.float64).to(x.dtype)

return x + torch.arange(x.size(1), device=x.device, dtype=x.dtype)

return x / math.sqrt(float(x.size(1)))

return x[:, : max(x.size(1) // 2, 1)] * int(math.ceil(x.size(0) / 2))

i = 0
while i < x.size(0):
    x = torch.relu(x)
    i += 1
return x

y = x[0]
for i in range(x.size(0)):
    y = y + x[i]
return y

if bool(x.sum() > 0):
    return torch.relu(x)
return torch.tanh(x)

if x.size(0) == 1:
    return x
return torch.relu(x)

return x * x.sum().item()

return x[torch.tensor([0, 1])]

return x[x > 0]

y = torch.zeros_like(x)
y[:, 0] = x[:, 1]
return y

y = torch.zeros_like(x)
y[torch.tensor([0]), torch.tensor([1])] = 1.0
return x + y

a, b = torch.meshgrid([x[0], x[1]], indexing="ij")
return a + b

return torch.einsum("ij,kj->ik", [x, x])

return torch.stack([torch.relu(x), x], dim=1)

return torch.cat([row * 2 for row in x.unbind(0)])

y = x
for a, b in zip([1, 2], [3.0, 4.0]):
    y = y * a + b
return y

if x.dim() in [2, 3]:
    return torch.relu(x)
return x

if torch.is_floating_point(x):
    return torch.relu(x)
return x

y = torch.jit.annotate(Optional[Tensor], x)
if isinstance(y, Tensor):
    return torch.relu(y)
return x

if torch.is_grad_enabled():
    return torch.relu(x)
return torch.relu(x) + 0

future = torch.jit.fork(torch.relu, x)
return torch.jit.wait(future) + x

return torch.nn.functional.interpolate(x[None, None], scale_factor=2.0, mode="nearest")

return torch.nn.functional.pad(x, [1, 1], mode="constant", value=0.0)

return x.type_as(x) + torch.zeros(x.shape, dtype=x.dtype, layout=x.layout, device=x.device)

parts = [x, torch.relu(x)]
last = parts.pop()
return last + parts[0]

a, b = torch.broadcast_tensors([x, x[0]])
return a + b

a, b = torch.tensor_split(x, 2)
return a + b

a, b = torch.hsplit(x, 2)
return a + b

a, b = torch.unsafe_chunk(x, 2)
return a + b

a, b = torch.unsafe_split(x, 2)
return a + b

return torch.where(x > 0)[0]

return torch.block_diag([x, x])

return torch.cartesian_prod([x[0], x[1]])

return torch.view_as_real(torch.fft.rfftn(x))

return torch.fft.irfftn(torch.complex(x, x))

return torch.fake_quantize_per_tensor_affine(x, 0.1, 0, -128, 127)
"""


class Tupled(torch.nn.Module):
    def pair(self, x: Tensor) -> tuple[Tensor, Tensor]:
        return torch.relu(x), torch.sigmoid(x)

    def forward(self, x: Tensor) -> Tensor:
        p = self.pair(x)
        return p[0] + p[1]


class Pair(torch.nn.Module):
    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        return torch.relu(x), torch.sigmoid(x)


class PairWithin(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.pair = Pair()

    def forward(self, x: Tensor) -> Tensor:
        a, b = self.pair(x)
        return a + b + self.pair(x)[0]


class OptionalArgument(torch.nn.Module):
    def add(self, x: Tensor, y: Tensor | None) -> Tensor:
        if y is not None:
            x = x + y
        return x

    def forward(self, x: Tensor) -> Tensor:
        return self.add(x, None) + self.add(x, x)


class OptionalNumber(torch.nn.Module):
    def scaled(self, x: Tensor, s: float | None) -> Tensor:
        if s is None:
            s = 2.0
        return x * s

    def forward(self, x: Tensor) -> Tensor:
        return self.scaled(x, None) + self.scaled(x, 3.0)


class StringSwitch(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mode = "relu"

    def forward(self, x: Tensor) -> Tensor:
        if self.mode == "relu":
            return torch.relu(x)
        if self.mode in ("tanh", "sigmoid"):
            return torch.tanh(x)
        raise ValueError("mode " + self.mode)


class State(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 0

    def forward(self, x: Tensor) -> Tensor:
        self.count += 1
        return torch.relu(x)


class NoneReturned(torch.nn.Module):
    def maybe(self, x: Tensor) -> tuple[Tensor, Tensor | None]:
        return x, None

    def forward(self, x: Tensor) -> Tensor:
        y, z = self.maybe(x)
        if z is not None:
            y = y + z
        return torch.relu(y)


class LongCells(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = torch.nn.LSTM(4, 4, batch_first=True)

    def forward(self, x: Tensor) -> Tensor:
        return self.lstm(x[None])[0]


class Layers(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4), torch.nn.Dropout()])

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x)
        return x


def programs() -> list[torch.nn.Module]:
    """Every model of this file in evaluation mode; all take one 4x4 tensor."""
    classes = [kind for _, kind in sorted(globals().items()) if isinstance(kind, type) and issubclass(kind, torch.nn.Module)]
    return [*(module_of(body) for body in BODIES.strip().split("\n\n")), *(kind().eval() for kind in classes)]


def example() -> tuple[Tensor]:
    return (torch.rand(4, 4),)
