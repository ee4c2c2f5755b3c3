"""Arrays of torch, numpy and anything that supports DLPack, as the library sees them: in place, without a copy."""

from __future__ import annotations

import ctypes
import dataclasses
import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from ctypes import c_int64
from typing import Any

from ._library import CArray, CValue
from .errors import ModelValidatorError

LARGEST = 2**63 - 1
DEEPEST = 100
"""Nothing nests its results deeper; what holds itself does."""


def is_torch(value: object) -> bool:
    """Whether it is a torch tensor, which implies that torch has been imported."""
    torch: Any = sys.modules.get("torch")
    return torch is not None and hasattr(torch, "Tensor") and isinstance(value, torch.Tensor)


def is_array(value: object) -> bool:
    """Whether it is an array of any kind."""
    return is_torch(value) or hasattr(value, "__dlpack__") or hasattr(value, "__array_interface__") or hasattr(value, "__array__")


def to_numpy(value: Any) -> Any:
    """As a numpy array on the CPU; shares memory where possible."""
    import numpy as np  # only when numpy is needed

    if is_torch(value):
        tensor = _dense(value)
        if str(tensor.dtype) == "torch.bfloat16":
            return tensor.float().numpy()
        return tensor.numpy()
    if hasattr(value, "__array__") or not hasattr(value, "__dlpack__"):
        return np.asarray(value)
    return np.from_dlpack(value)


def _dense(tensor: Any) -> Any:
    """A plain strided tensor on the CPU."""
    tensor = tensor.detach()
    if tensor.is_quantized:
        tensor = tensor.dequantize()
    if str(tensor.layout) != "torch.strided" or getattr(tensor, "is_nested", False):
        tensor = tensor.to_padded_tensor(math.nan) if getattr(tensor, "is_nested", False) else tensor.to_dense()
    if tensor.device.type == "meta":
        raise TypeError("a tensor on the meta device has no values")
    return tensor.cpu().resolve_conj().resolve_neg()


def _number(value: int | float) -> Any:
    """As JSON has it: a float where an integer is too large, and in words what is not finite."""
    if isinstance(value, int) and abs(value) <= LARGEST:
        return value
    return float(value) if math.isfinite(value) else {"number": repr(value)}


def _entries(value: object) -> Iterator[tuple[str, Any]]:
    """Those of a mapping or a data class. @raises TypeError for anything else"""
    if isinstance(value, Mapping):
        yield from ((key if isinstance(key, str) else repr(key), item) for key, item in value.items())
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield from ((field.name, getattr(value, field.name)) for field in dataclasses.fields(value))
    else:
        raise TypeError(f"a result of type {type(value).__module__}.{type(value).__qualname__} cannot be compared")


class Values:
    """Nested results, described for the library. Valid while this object lives: it keeps alive what it describes."""

    def __init__(self, value: object) -> None:
        self._kept: list[Any] = []
        self._arrays: list[CArray] = []
        structure = json.dumps(self._describe(value)).encode()
        self._list = (CArray * max(1, len(self._arrays)))(*self._arrays)
        self.as_c = CValue(structure, self._list, len(self._arrays))

    def _describe(self, value: object, depth: int = 0) -> Any:
        if depth > DEEPEST:
            raise ModelValidatorError("bad-value", "", "a result is nested too deeply")
        if value is None or isinstance(value, bool | str):
            return value
        if isinstance(value, int | float):
            return _number(value)
        if is_array(value):
            return self._array(value)
        if isinstance(value, Sequence | set):
            return self._sequence(value, depth + 1)
        return {"entries": [[name, self._describe(item, depth + 1)] for name, item in _entries(value)]}

    def _sequence(self, value: Any, depth: int) -> dict[str, Any]:
        described: dict[str, Any] = {"items": [self._describe(item, depth) for item in value]}
        if names := getattr(value, "_fields", None):
            described["names"] = list(names)
        return described

    def _array(self, value: Any) -> Any:
        if is_torch(value):
            return self._torch(_dense(value))
        array = _native(to_numpy(value))
        strides = [stride // max(1, array.itemsize) for stride in array.strides]
        return self._add(array, array.ctypes.data, _dtype_name(array.dtype), array.shape, strides)

    def _torch(self, tensor: Any) -> Any:
        name = str(tensor.dtype).removeprefix("torch.")
        return self._add(tensor, tensor.data_ptr(), name, tensor.shape, tensor.stride())

    def _add(self, owner: Any, data: int, dtype: str, shape: Sequence[int], strides: Sequence[int]) -> dict[str, int]:
        rank = len(shape)
        shape_in_c, strides_in_c = (c_int64 * rank)(*shape), (c_int64 * rank)(*strides)
        self._kept += [owner, shape_in_c, strides_in_c]
        pointer = ctypes.POINTER(c_int64)
        self._arrays.append(
            CArray(data, dtype.encode(), rank, ctypes.cast(shape_in_c, pointer), ctypes.cast(strides_in_c, pointer))
        )
        return {"array": len(self._arrays) - 1}


def _native(array: Any) -> Any:
    """In this machine's byte order, with strides of whole elements."""
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if array.dtype.kind in "OUSVMm" and array.dtype.name not in KNOWN_TO_US:
        raise TypeError(f"an array of dtype {array.dtype} cannot be compared")
    if any(stride % max(1, array.itemsize) for stride in array.strides):
        array = array.copy()
    return array


# From the package ml_dtypes: numpy has no kind for them.
KNOWN_TO_US = ("bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz")


def _dtype_name(dtype: Any) -> str:
    return str(dtype.name)
