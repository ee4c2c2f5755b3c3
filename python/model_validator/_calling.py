"""Calls of a live model: its arguments, and its state afterwards."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Mapping
from typing import Any


def call_arguments(inputs: object) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What a model is called with: tuple or list items are inputs, a mapping names them, anything else is the only input."""
    if isinstance(inputs, Mapping):
        return (), dict(inputs)
    if isinstance(inputs, tuple | list):
        return tuple(inputs), {}
    return (inputs,), {}


@contextlib.contextmanager
def state_kept(model: Any) -> Iterator[None]:
    """Restores a module's buffers after a run, such as batch norm statistics in training mode."""
    if not hasattr(model, "named_buffers"):
        yield
        return
    kept = [(buffer, buffer.detach().clone()) for _, buffer in model.named_buffers() if buffer.device.type != "meta"]
    try:
        yield
    finally:
        torch: Any = sys.modules["torch"]
        with torch.no_grad():
            for buffer, value in kept:
                if buffer.shape == value.shape:
                    buffer.copy_(value)
