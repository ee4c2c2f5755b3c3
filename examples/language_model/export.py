"""Exports a small Llama with caches to FOLDER: `llama.onnx`, and `llama_int4.onnx` with weights of four bits.

    python export.py FOLDER
"""

import sys
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper
from torch import nn

ROWS, WIDTH, LAYERS, HEADS, KEY_HEADS = 128, 64, 4, 4, 2
SIZE = WIDTH // HEADS
BLOCK, BITS = 32, 4


class Norm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(WIDTH))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.weight * x * (x.pow(2).mean(-1, keepdim=True) + 1e-6).rsqrt()


def rotated(x: torch.Tensor, position_ids: torch.Tensor) -> torch.Tensor:
    """Rotary embedding of [batch, heads, elements, size]."""
    speed = 10000 ** (-torch.arange(0, SIZE, 2) / SIZE)
    angle = (position_ids[..., None] * speed)[:, None]
    one, other = x[..., : SIZE // 2], x[..., SIZE // 2 :]
    return torch.cat([one * angle.cos() - other * angle.sin(), other * angle.cos() + one * angle.sin()], -1)


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.before, self.after = Norm(), Norm()
        self.query, self.out = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(2))
        self.key, self.value = (nn.Linear(WIDTH, KEY_HEADS * SIZE, bias=False) for _ in range(2))
        self.gate, self.up = (nn.Linear(WIDTH, 2 * WIDTH, bias=False) for _ in range(2))
        self.down = nn.Linear(2 * WIDTH, WIDTH, bias=False)

    def forward(self, x, hidden, position_ids, past_key, past_value):
        def heads(y: torch.Tensor, count: int) -> torch.Tensor:
            return y.view(y.shape[0], y.shape[1], count, SIZE).transpose(1, 2)

        y = self.before(x)
        key = torch.cat([past_key, rotated(heads(self.key(y), KEY_HEADS), position_ids)], 2)
        value = torch.cat([past_value, heads(self.value(y), KEY_HEADS)], 2)
        query = rotated(heads(self.query(y), HEADS), position_ids)
        keys, values = (each.repeat_interleave(HEADS // KEY_HEADS, 1) for each in (key, value))
        weights = (query @ keys.transpose(2, 3) / SIZE**0.5 + hidden).softmax(-1)
        x = x + self.out((weights @ values).transpose(1, 2).reshape(x.shape))
        y = self.after(x)
        return x + self.down(nn.functional.silu(self.gate(y)) * self.up(y)), key, value


class Llama(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.words = nn.Embedding(ROWS, WIDTH)
        self.layers = nn.ModuleList([Layer() for _ in range(LAYERS)])
        self.norm, self.scores = Norm(), nn.Linear(WIDTH, ROWS, bias=False)

    def forward(self, input_ids, attention_mask, position_ids, *caches):
        total, new = attention_mask.shape[1], input_ids.shape[1]
        seen = torch.arange(total) <= torch.arange(new)[:, None] + (total - new)
        hidden = torch.where(seen & (attention_mask[:, None, None, :] > 0), 0.0, -1e9)
        x, kept = self.words(input_ids), []
        for i, layer in enumerate(self.layers):
            x, key, value = layer(x, hidden, position_ids, caches[2 * i], caches[2 * i + 1])
            kept += [key, value]
        return (self.scores(self.norm(x)), *kept)


def save(file: Path) -> None:
    caches = [f"{i}.{part}" for i in range(LAYERS) for part in ("key", "value")]
    past = [torch.randn(2, KEY_HEADS, 5, SIZE) for _ in caches]
    example = (torch.randint(0, ROWS, (2, 3)), torch.ones(2, 8, dtype=torch.long), torch.arange(5, 8).repeat(2, 1), *past)
    new, total = {0: "batch", 1: "sequence"}, {0: "batch", 1: "past + sequence"}
    axes = {"input_ids": new, "attention_mask": total, "position_ids": new, "logits": new}
    axes |= {f"past.{name}": {0: "batch", 2: "past"} for name in caches}
    axes |= {f"present.{name}": {0: "batch", 2: "past + sequence"} for name in caches}
    torch.onnx.export(
        Llama().eval(), example, str(file), dynamo=False, opset_version=17, dynamic_axes=axes,
        input_names=["input_ids", "attention_mask", "position_ids", *(f"past.{name}" for name in caches)],
        output_names=["logits", *(f"present.{name}" for name in caches)])


def packed(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """[inputs, outputs] as `MatMulNBits` stores it: blocks of four-bit numbers, two to a byte, and their scales."""
    blocks = weight.T.reshape(weight.shape[1], -1, BLOCK)
    scale = np.abs(blocks).max(-1, keepdims=True) / 7
    numbers = np.clip(np.round(blocks / scale) + 8, 0, 15).astype(np.uint8)
    return numbers[..., ::2] | numbers[..., 1::2] << 4, scale[..., 0].astype(np.float32)


def quantise(source: Path, target: Path) -> None:
    model = onnx.load(source)
    graph = model.graph
    weights = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    for node in graph.node:
        if node.op_type != "MatMul" or node.input[1] not in weights:
            continue
        name, weight = node.input[1], weights[node.input[1]]
        numbers, scale = packed(weight)
        graph.initializer.extend([numpy_helper.from_array(numbers, f"{name}_4bit"),
                                  numpy_helper.from_array(scale.reshape(-1), f"{name}_scale")])
        graph.initializer.remove(next(each for each in graph.initializer if each.name == name))
        node.CopyFrom(helper.make_node(
            "MatMulNBits", [node.input[0], f"{name}_4bit", f"{name}_scale"], node.output, name=node.name,
            domain="com.microsoft", K=weight.shape[0], N=weight.shape[1], bits=BITS, block_size=BLOCK))
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    onnx.save(model, target)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    save(folder / "llama.onnx")
    quantise(folder / "llama.onnx", folder / "llama_int4.onnx")
