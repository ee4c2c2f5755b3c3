"""One question that a runtime is asked."""
from __future__ import annotations

import dataclasses
from typing import Any

from onnx import ModelProto

from probe import chains, ranks
from probe.draw import is_drawn

# What they yield is random, or uninitialised, or a matter of the machine.
NO_NUMBERS = {"Bernoulli", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "Multinomial"}


def compares(model: ModelProto) -> bool:
    return not any(node.op_type in NO_NUMBERS or (node.op_type == "Dropout" and len(node.input) > 2) for node in model.graph.node)


@dataclasses.dataclass
class Question:
    name: str
    operators: list[str]  # `onnx::Resize`
    model: bytes
    inputs: dict[str, Any]
    expected: list[Any] | None  # None: nothing to compare with
    source: str  # `node test`, `variation` or `file`
    beside: dict[str, bytes] = dataclasses.field(default_factory=dict)  # files that lie beside the model
    draw: str = ""  # of what is held out

    @property
    def is_sound(self) -> bool:
        """Whether ONNX's own implementation computes it, where there is anything to compute: if not, a change made no sense."""
        is_made_valid = self.source == "node test" or self.name.startswith((chains.PREFIX, ranks.PREFIX))
        return is_made_valid or self.expected is not None or ".opset " in self.name or not compares(ModelProto.FromString(self.model))

    @property
    def held_out(self) -> bool:
        return self.source == "variation" and is_drawn(self.name, self.draw)
