"""A sparse twin of a model: a local file of its full size that holds the parts that linting reads, and holes for the weights.

The confined reader reads it as any file, so the findings are those of the model itself.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from ..errors import ModelValidatorError
from ._onnx_parts import LARGEST, NotOnnxError, read_structure
from ._patience import Pace, Patience
from ._store import RemoteFile
from ._systems import is_web
from ._window import ReadAll, Window
from ._zip_parts import END, TAIL, directory_of, parts_of

WHOLE = 256 << 10
"""Smaller files are read at once: a second request costs more."""
HEAD = 64 << 10
OTHER = 1 << 20
"""So much is read of the start of a file that is no model, to say what it is."""
NAME = b"\x0a\x08location\x12"
"""How protobuf writes the start of the name of a file with the weights of an ONNX model."""
LONGEST_NAME = 4096
MOST_NAMES = 10_000
LARGEST_FILE = 1 << 44
QUANTISED = (b"uantiz", b"QLinear", b"Integer", b"NBits", b"QGemm", b"QAttention", b"Bnb4")
"""A model of which any of these is read has scales, which the reader looks at, however many channels they have."""


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
        names, before, before_end = set[str](), b"", -1
        for start, piece in sorted(self.window.pieces.items()):
            text = before[-LONGEST_NAME:] + piece if start == before_end else piece  # one may lie in two pieces
            names.update(_names_in(text))
            before, before_end = piece, start + len(piece)
        return names


def read_parts(uri: str, size: int, read_all: ReadAll, most: int, whole: bool = False) -> Parts:
    """Reads what linting reads of a model. whole: reads all of it. @raises ModelValidatorError"""
    window = Window(uri, size, read_all, most)
    all_of_it = whole or size <= WHOLE
    head, tail = window.fetch_one(0, size) if all_of_it else b"", b""
    if not all_of_it:
        head, tail = window.fetch([(0, HEAD), (size - TAIL, size)])
    if head.startswith(b"PK"):
        return Parts(window, {} if all_of_it else _parts_of_zip(window, tail), "pytorch")
    exporter = ""
    if size <= LARGEST:
        window.start_with(head, HEAD)
        try:
            exporter = read_structure(window)
            if not all_of_it and window.holds(QUANTISED):
                window.start_with(head, HEAD)
                read_structure(window, with_scales=True)
        except NotOnnxError:
            window.fetch_one(len(head), OTHER)
    return Parts(window, {}, exporter)


def _parts_of_zip(window: Window, tail: bytes) -> dict[int, bytes]:
    """Reads the parts, or all of a file in which another reader may find what this one does not. Returns what to write between."""
    directory = directory_of(window, tail)
    if directory is None:
        if END in tail:
            window.fetch_one(HEAD, window.size - len(tail))
        return {}
    notes = parts_of(directory, window)
    if window.holds(QUANTISED) or any(entry.method != 0 and entry.name.endswith(b".json") for entry in directory.entries):
        return parts_of(directory, window, with_scales=True)
    return notes


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


Sibling = Callable[[str], RemoteFile]
"""A file next to a model, by its name."""


@contextmanager
def twin_of(remote: RemoteFile, folder: Path, most: int, sibling: Sibling, whole: bool = False) -> Iterator[Twin]:
    """Meanwhile the twin is in the folder. whole: with all weights. @raises ModelValidatorError"""
    place = folder / "model"
    place.mkdir()
    try:
        parts = read_parts(remote.uri, remote.size, remote.read_all, most, whole)
        twin = place / _file_name(remote.uri)
        write_twin(parts, twin)
        names = parts.external_names()
        if len(names) > MOST_NAMES:
            raise ModelValidatorError("fetch-limit", remote.uri, f"its weights lie in more than {MOST_NAMES} files")
        left = most - remote.size
        for name in sorted(names):
            left -= _write_weights(name, twin, remote, sibling, left if whole else None)
        yield Twin(twin, parts)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _file_name(uri: str) -> str:
    """That of the model, if a file here can have it."""
    name = PurePosixPath(uri.split("::", maxsplit=1)[0].split("?", maxsplit=1)[0]).name
    return name if name.isprintable() and 0 < len(os.fsencode(name)) <= 200 else "model"


def _write_weights(name: str, twin: Path, remote: RemoteFile, sibling: Sibling, most: int | None) -> int:
    """Writes the file with weights that a model names: a hole of its size, or all of it where so much may be fetched.

    Returns how much was fetched. What the reader refuses or reports as missing is left out.
    """
    if not _is_below(name):
        return 0
    target = twin.parent / name
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch(exist_ok=False)
    except OSError:  # the name of another file, or of none that can be here
        return 0
    target.unlink()
    weights = sibling(name)
    try:
        weights.describe()
        if most is not None and weights.size > most:
            raise ModelValidatorError("fetch-limit", remote.uri, "its weights are larger", "allow more with `--max-fetch`")
        parts = read_parts(weights.uri, weights.size, weights.read_all, most, whole=True) if most is not None else None
    except ModelValidatorError as error:
        if error.kind == "not-found":
            return 0
        raise
    finally:
        remote.requests += weights.requests
        remote.bytes_read += weights.bytes_read
    write_twin(parts or Parts(Window(weights.uri, weights.size, weights.read_all, 0), {}), target)
    return weights.size if parts else 0


def _is_below(name: str) -> bool:
    """Whether it names a file beneath the model's folder, and nothing else to any store."""
    path = PurePosixPath(name)
    return bool(name) and name.isprintable() and not path.is_absolute() and ".." not in path.parts and ":" not in name and "\\" not in name


def sibling_of(remote: RemoteFile, storage: dict[str, Any], patience: Patience, pace: Pace, name: str) -> RemoteFile:
    """A file named from the model's folder."""
    first, *rest = remote.uri.split("::")
    plain, question, query = first.partition("?") if is_web(first) else (first, "", "")
    folder = plain.rsplit("/", maxsplit=1)[0]
    named = quote(name) if is_web(first) else name
    return RemoteFile("::".join([f"{folder}/{named}{question}{query}", *rest]), storage, patience, pace)
