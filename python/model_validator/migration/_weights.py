"""The tensors of a file as safetensors, and their names."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from ._document import Document, Instance, RefusedError, Tensor
from ._model_file import SAFETENSORS
from ._modules import TORCH_DTYPES, Modules

SIZES = {
    name: int(value)
    for name, _, value in (
        word.partition("=")
        for word in ("F64=8 F32=4 F16=2 BF16=2 I64=8 I32=4 I16=2 I8=1 U8=1 BOOL=1 C64=8 U16=2 U32=4 U64=8 F8_E5M2=1 F8_E4M3=1").split()
    )
}
READ = {"F64": "d", "F32": "f", "I64": "q", "I32": "i", "I16": "h", "I8": "b", "U8": "B", "BOOL": "?"}


@dataclass(frozen=True)
class Stored:
    """A tensor of the file under its name in the module."""

    name: str
    tensor: Tensor


def state_of(modules: Modules) -> list[Stored]:
    """All tensors of the module by the names of its `state_dict`, in order."""
    document, found = modules.document, []
    left: list[tuple[str, Instance]] = [("", Instance(0))]
    while left:
        prefix, instance = left.pop()
        inner = []
        for name, value in document.values(instance).items():
            if isinstance(value, Tensor):
                found.append(Stored(prefix + name, value))
            elif document.holds_module(value):
                inner.append((f"{prefix}{name}.", value))
        found += [Stored(prefix + name, tensor) for tensor, name in modules.constants.get(instance, {}).items()]
        left += reversed(inner)
        if len(found) + len(left) > 1_000_000:
            raise RefusedError("it names more than a million tensors")
    return found


def training_of(document: Document) -> list[str] | None:
    """The modules that are in training mode; None: all of them."""
    training: list[str] = []
    modes: set[bool] = set()
    left: list[tuple[str, Instance]] = [("", Instance(0))]
    while left:
        name, instance = left.pop()
        values = document.values(instance)
        if isinstance(values.get("training"), bool):
            modes.add(values["training"])
            training += [name] if values["training"] else []
        left += [(f"{name}.{inner}".removeprefix("."), value) for inner, value in values.items() if document.holds_module(value)]
    return None if modes == {True} else sorted(training)


class Weights:
    """Reads tensors where the confined reader says that they lie."""

    def __init__(self, document: Document, file: Path) -> None:
        self._document = document
        self._file = file

    def value(self, tensor: Tensor) -> Any:
        """A small tensor as nested lists or a number; None for any other."""
        stored = self._document.tensors[tensor.number]
        code = SAFETENSORS.get(TORCH_DTYPES.get(stored["dtype"], ""), "")
        if code not in READ or "storage" not in stored or math.prod(stored["shape"]) > 64:
            return None
        with self._file.open("rb") as file:
            numbers = [struct.unpack("<" + READ[code], one)[0] for one in self._elements(file, stored, SIZES[code])]
        return _nested(numbers, stored["shape"])

    def key(self, tensor: Tensor) -> Any:
        """What two tensors have alike that are the same memory."""
        stored = self._document.tensors[tensor.number]
        if "storage" not in stored or not math.prod(stored["shape"]):
            return tensor
        return (stored["storage"], stored["start"], stored["dtype"], tuple(stored["shape"]), tuple(stored["strides"]))

    def write(self, to: BinaryIO, tensors: Mapping[str, Tensor]) -> None:
        """The tensors by name. @raises RefusedError for one whose bytes do not lie in the file as they are"""
        header: dict[str, Any] = {}
        at = 0
        for name, tensor in tensors.items():
            stored = self._document.tensors[tensor.number]
            dtype = SAFETENSORS[TORCH_DTYPES[stored["dtype"]]]
            size = math.prod(stored["shape"]) * SIZES[dtype]
            header[name] = {"dtype": dtype, "shape": stored["shape"], "data_offsets": [at, at + size]}
            at += size
        text = json.dumps(header).encode()
        text += b" " * (-len(text) % 8)
        to.write(struct.pack("<Q", len(text)) + text)
        with self._file.open("rb") as file:
            for name, tensor in tensors.items():
                self._copy(file, to, self._document.tensors[tensor.number], SIZES[header[name]["dtype"]])

    def _copy(self, file: BinaryIO, to: BinaryIO, stored: Mapping[str, Any], size: int) -> None:
        if not math.prod(stored["shape"]):
            return
        if "storage" not in stored:
            raise RefusedError("it keeps tensors compressed, where they cannot be copied from")
        if _is_contiguous(stored["shape"], stored["strides"]):
            file.seek(stored["storage"] + stored["start"])
            left = math.prod(stored["shape"]) * size
            _require_within(stored, stored["start"] + left)
            while left:
                piece = file.read(min(left, 1 << 24))
                if not piece:
                    raise RefusedError("it ends before its tensors do")
                to.write(piece)
                left -= len(piece)
        else:
            for element in self._elements(file, stored, size):
                to.write(element)

    def _elements(self, file: BinaryIO, stored: Mapping[str, Any], size: int) -> Iterator[bytes]:
        shape, strides = stored["shape"], stored["strides"]
        span = sum((length - 1) * stride for length, stride in zip(shape, strides, strict=True)) + 1 if math.prod(shape) else 0
        _require_within(stored, stored["start"] + span * size)
        file.seek(stored["storage"] + stored["start"])
        data = file.read(span * size)
        if len(data) < span * size:
            raise RefusedError("it ends before its tensors do")
        for offset in _offsets(shape, strides):
            yield data[offset * size : (offset + 1) * size]


def _require_within(stored: Mapping[str, Any], end: int) -> None:
    if stored["start"] < 0 or end > stored["bytes"] or any(stride < 0 for stride in stored["strides"]):
        raise RefusedError("one of its tensors reaches beyond its storage")


def _is_contiguous(shape: list[int], strides: list[int]) -> bool:
    expected = 1
    for length, stride in zip(reversed(shape), reversed(strides), strict=True):
        if length != 1 and stride != expected:
            return False
        expected *= length
    return True


def _offsets(shape: list[int], strides: list[int]) -> Iterator[int]:
    if not shape:
        yield 0
        return
    for at in range(shape[0]):
        for inner in _offsets(shape[1:], strides[1:]):
            yield at * strides[0] + inner


def _nested(numbers: list[Any], shape: list[int]) -> Any:
    if not shape:
        return numbers[0]
    step = math.prod(shape[1:])
    return [_nested(numbers[at * step : (at + 1) * step], shape[1:]) for at in range(shape[0])]
