"""A sparse twin of a model: a local file of its full size that holds the parts that linting reads, and holes for the weights.

The confined reader reads it as any file, so the findings are those of the model itself.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from ..errors import ModelValidatorError
from ._onnx_parts import LARGEST, NotOnnxError, read_structure
from ._store import Pace, Patience, RemoteFile
from ._window import ReadAll, Window
from ._zip_parts import TAIL, directory_of, parts_of

WHOLE = 256 << 10
"""Smaller files are read at once: a second request costs more."""
HEAD = 64 << 10
OTHER = 1 << 20
"""So much is read of the start of a file that is no model, to say what it is."""
NAME = b"\x0a\x08location\x12"
"""How protobuf writes the start of the name of a file with the weights of an ONNX model."""
LARGEST_FILE = 1 << 44


@dataclass(frozen=True)
class Parts:
    """What was read of a model, and what to write between."""

    window: Window
    notes: dict[int, bytes]
    exporter: str = ""
    """As the file says; empty if it does not."""

    @property
    def content(self) -> str:
        """Identifies what linting sees of the model."""
        return self.window.digest()

    def external_names(self) -> set[str]:
        """The files with weights that an ONNX model names."""
        if self.window.pieces.get(0, b"").startswith(b"PK"):
            return set()
        return {name for piece in self.window.pieces.values() for name in _names_in(piece)}


def read_parts(uri: str, size: int, read_all: ReadAll, most: int, whole: bool = False) -> Parts:
    """Reads what linting reads of a model. whole: reads all of it. @raises ModelValidatorError"""
    window = Window(uri, size, read_all, most)
    all_of_it = whole or size <= WHOLE
    head, tail = window.fetch_one(0, size) if all_of_it else b"", b""
    if not all_of_it:
        head, tail = window.fetch([(0, HEAD), (size - TAIL, size)])
    if head.startswith(b"PK"):
        directory = None if all_of_it else directory_of(window, tail)
        return Parts(window, parts_of(directory, window) if directory else {}, "pytorch")
    exporter = ""
    if size <= LARGEST:
        window.start_with(head, HEAD)
        try:
            exporter = read_structure(window)
        except NotOnnxError:
            window.fetch_one(len(head), OTHER)
    return Parts(window, {}, exporter)


def write_twin(parts: Parts, path: Path) -> None:
    """Writes the sparse file. @raises ModelValidatorError if no file can be so large"""
    with open(path, "xb") as file:
        try:
            if parts.window.size > LARGEST_FILE:
                raise OSError(f"{parts.window.size} bytes")
            file.truncate(parts.window.size)
        except OSError as error:
            raise ModelValidatorError("too-large", parts.window.uri, f"no file here can be as large: {error}") from error
        for start, content in (*sorted(parts.window.pieces.items()), *parts.notes.items()):
            file.seek(start)
            file.write(content)


def _names_in(piece: bytes) -> Iterator[str]:
    at = piece.find(NAME)
    while at >= 0:
        at += len(NAME)
        length, skipped = piece[at] if at < len(piece) else 0, 1
        if length >= 128 and at + 1 < len(piece):
            length, skipped = (length & 127) | piece[at + 1] << 7, 2
        yield piece[at + skipped : at + skipped + length].decode("utf-8", "replace")
        at = piece.find(NAME, at)


@dataclass
class Twin:
    """A sparse file that stands for a model in a store."""

    path: Path
    parts: Parts


@contextmanager
def twin_of(remote: RemoteFile, folder: Path, most: int, sibling: Any, whole: bool = False) -> Iterator[Twin]:
    """Meanwhile the twin is in the folder. sibling: gives a file next to the model. @raises ModelValidatorError"""
    place = folder / "model"
    place.mkdir()
    try:
        parts = read_parts(remote.uri, remote.size, remote.read_all, most, whole)
        twin = place / (PurePosixPath(remote.uri.split("::", maxsplit=1)[0].split("?", maxsplit=1)[0]).name or "model")
        write_twin(parts, twin)
        for name in parts.external_names():
            _write_weights(name, twin, sibling, most if whole else None)
        yield Twin(twin, parts)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _write_weights(name: str, twin: Path, sibling: Any, most: int | None) -> None:
    """The file with weights that a model names: a hole of its size, or all of it where that may be fetched."""
    path = PurePosixPath(name)
    if not name or path.is_absolute() or ".." in path.parts or "\0" in name:
        return  # the reader refuses it
    target = twin.parent / path
    if target.exists():
        return
    weights: RemoteFile = sibling(name)
    try:
        weights.describe()
    except ModelValidatorError as error:
        if error.kind == "not-found":
            return  # the reader reports it
        raise
    target.parent.mkdir(parents=True, exist_ok=True)
    if most is not None:
        write_twin(read_parts(weights.uri, weights.size, weights.read_all, most, whole=True), target)
        return
    with open(target, "xb") as file:
        os.truncate(file.fileno(), weights.size)


def sibling_of(remote: RemoteFile, storage: dict[str, Any], patience: Patience, pace: Pace, name: str) -> RemoteFile:
    """A file named from the model's folder."""
    first, *rest = remote.uri.split("::")
    plain, question, query = first.partition("?")
    folder = plain.rsplit("/", maxsplit=1)[0]
    return RemoteFile("::".join([f"{folder}/{name}{question}{query}", *rest]), storage, patience, pace)
