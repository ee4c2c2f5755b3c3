"""Arrays nested in sequences and mappings, as models take and return them."""

from __future__ import annotations

import contextlib
import copy
import sys
from collections.abc import Callable, Mapping
from typing import Any

from ._arrays import is_array, is_torch, to_numpy


def cloned(value: Any) -> Any:
    """A copy of all arrays and objects in it, so that a model that writes into them, or adds to a cache, does no harm."""
    return mapped(value, _copy, _copied_object)


def _copied_object(value: Any) -> Any:
    """What cannot be copied is given as it is."""
    if value is None or isinstance(value, str | bytes | bool | int | float) or callable(value):
        return value
    with contextlib.suppress(Exception):
        return copy.deepcopy(value)
    return value


def _copy(array: Any) -> Any:
    if is_torch(array):
        return array.detach().clone().requires_grad_(array.requires_grad)
    if hasattr(array, "copy"):
        return array.copy()
    return to_numpy(array).copy()


def mapped(value: Any, change: Callable[[Any], Any], other: Callable[[Any], Any] = lambda value: value) -> Any:
    """The same nesting, with the arrays changed, and what is neither array nor nesting as `other` has it."""
    if is_array(value):
        return change(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(mapped(item, change, other) for item in value))
    if isinstance(value, list | tuple):
        return type(value)(mapped(item, change, other) for item in value)
    if isinstance(value, Mapping):
        return {key: mapped(item, change, other) for key, item in value.items()}
    return other(value)


def as_torch(value: Any) -> Any:
    """The same nesting, with all arrays as tensors."""
    torch: Any = sys.modules["torch"]
    return mapped(value, lambda array: array if is_torch(array) else torch.as_tensor(to_numpy(array)))
