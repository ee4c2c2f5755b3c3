"""A language model of two layers that takes its caches as inputs, and copies of it with a fault."""

import torch
from torch import nn

ROWS, WIDTH, LAYERS, HEADS, PLACES = 40, 16, 2, 2, 64
SIZE = WIDTH // HEADS


class Layer(nn.Module):
    def __init__(self, fault: str) -> None:
        super().__init__()
        self.fault = fault
        self.query, self.key, self.value, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(4))

    def heads(self, x: torch.Tensor) -> torch.Tensor:
        return x.view(x.shape[0], x.shape[1], HEADS, SIZE).transpose(1, 2)

    def forward(self, x: torch.Tensor, hidden: torch.Tensor, past_key: torch.Tensor, past_value: torch.Tensor):
        key, value = self.heads(self.key(x)), self.heads(self.value(x))
        if self.fault == "heads swapped":
            key = key.flip(1)
        if self.fault == "past ignored":
            past_key = past_key * 0
        key, value = torch.cat([past_key, key], 2), torch.cat([past_value, value], 2)
        scores = self.heads(self.query(x)) @ key.transpose(2, 3) / SIZE**0.5
        weights = (scores + hidden).softmax(-1)
        mixed = (weights @ value).transpose(1, 2).reshape(x.shape[0], x.shape[1], WIDTH)
        if self.fault == "cache not updated":
            key = torch.cat([past_key, key[:, :, past_key.shape[2]:] * 0], 2)
        return x + self.out(mixed), key, value


class Decoder(nn.Module):
    def __init__(self, fault: str = "") -> None:
        super().__init__()
        torch.manual_seed(0)
        self.fault = fault
        self.words, self.places = nn.Embedding(ROWS, WIDTH), nn.Embedding(PLACES, WIDTH)
        self.layers = nn.ModuleList([Layer(fault if i == 0 else "") for i in range(LAYERS)])
        self.scores = nn.Linear(WIDTH, ROWS)
        if fault == "wrong row":
            with torch.no_grad():
                self.words.weight[27] += 1

    def forward(self, input_ids, attention_mask, position_ids, *caches):
        if self.fault == "positions from zero":
            position_ids = position_ids - position_ids[:, :1]
        x = self.words(input_ids) + self.places(position_ids)
        total, new = attention_mask.shape[1], input_ids.shape[1]
        seen = torch.arange(total) <= torch.arange(new)[:, None] + (total - new)
        allowed = seen[None, None] & (attention_mask[:, None, None, :] > 0)
        if self.fault == "mask ignored":
            allowed = seen[None, None] & (attention_mask[:, None, None, :] > -1)
        if self.fault == "sees what comes":
            allowed = attention_mask[:, None, None, :].expand(-1, 1, new, -1) > 0
        hidden = torch.where(allowed, 0.0, -1e9)
        kept = []
        for i, layer in enumerate(self.layers):
            x, key, value = layer(x, hidden, caches[2 * i], caches[2 * i + 1])
            kept += [key, value]
        return (self.scores(x), *kept)


FAULTS = ["wrong row", "heads swapped", "past ignored", "positions from zero", "mask ignored", "sees what comes"]


def example():
    cache = torch.randn(2, HEADS, 5, SIZE)
    return (torch.randint(0, ROWS, (2, 3)), torch.ones(2, 8, dtype=torch.long), torch.arange(5, 8).expand(2, 3).clone(),
            *(cache.clone() for _ in range(2 * LAYERS)))


def names():
    return [f"{i}.{part}" for i in range(LAYERS) for part in ("key", "value")]


def save_onnx(file, fault: str = "", leave_out: tuple[str, ...] = ()) -> None:
    inputs = ["input_ids", "attention_mask", "position_ids", *(f"past_key_values.{name}" for name in names())]
    outputs = ["logits", *(f"present.{name}" for name in names())]
    axes = {"input_ids": {0: "batch_size", 1: "sequence_length"}, "position_ids": {0: "batch_size", 1: "sequence_length"},
            "attention_mask": {0: "batch_size", 1: "past_sequence_length + sequence_length"},
            "logits": {0: "batch_size", 1: "sequence_length"}}
    for name in names():
        axes[f"past_key_values.{name}"] = {0: "batch_size", 2: "past_sequence_length"}
        axes[f"present.{name}"] = {0: "batch_size", 2: "past_sequence_length + sequence_length"}
    torch.onnx.export(Decoder(fault).eval(), example(), str(file), input_names=inputs, output_names=outputs,
                      dynamic_axes=axes, dynamo=False, opset_version=17)
