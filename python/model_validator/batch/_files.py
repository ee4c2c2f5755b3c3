"""Which model files a source names: folders, patterns, lists and URLs, found one after the other and never all held at once."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from ..errors import ModelValidatorError
from ._packages import package
from ._systems import described_by, file_system, is_local, is_web, opened, version_of

T = TypeVar("T")

ENDINGS = (".pt", ".pth", ".pt2", ".ptl", ".torchscript", ".onnx")
"""How the names of models in a folder end; those that a list or a pattern names may end otherwise."""

LISTS = (".txt", ".csv", ".parquet")
LONGEST = 1 << 20
"""Characters that an entry of a list may have."""
COLUMNS = ("uri", "url", "path", "file")
"""Where a list with columns keeps the models, unless told."""


@dataclass(frozen=True)
class ModelFile:
    """A file to lint, as far as its store has told already."""

    uri: str
    size: int | None = None
    version: str | None = None
    """Changes whenever the content does; None until the store is asked about the file."""
    known: str | None = None
    """The version that the results already hold a row for."""
    revision: int = 0
    """How many rows the results hold for it."""
    earlier: str | None = None
    """The part with its row of an earlier run, most of which still holds."""


OnError = Callable[[ModelValidatorError], None]


def _fail(error: ModelValidatorError) -> None:
    raise error


def discover(source: str, storage: dict[str, Any], column: str | None = None, on_error: OnError = _fail) -> Iterator[ModelFile]:
    """The model files that a source names, in the order of their names where the store lists them.

    on_error: told of folders that cannot be listed, and then the search goes on; unless given, the error is raised.

    @raises ModelValidatorError if there is none
    """
    if source.lower().endswith(LISTS):
        yield from _of_list(source, storage, column)
    elif is_local(source) and os.path.lexists(source):
        yield from _of_local_path(source, on_error)
    elif is_web(source):  # a web server lists no folders, and `?` begins a query there
        yield ModelFile(source)
    else:
        yield from _of_store(source, storage, on_error)


def _of_store(source: str, storage: dict[str, Any], on_error: OnError) -> Iterator[ModelFile]:
    system, path = file_system(source, storage)
    try:
        if any(sign in path for sign in "*?["):
            yield from _of_pattern(source, system, path)
        elif is_local(source):
            raise ModelValidatorError("not-found", source, "no such file or folder", "check the path for a typo")
        elif system.isdir(path):
            yield from _of_folder(source, system, path, on_error)
        else:
            yield ModelFile(source)
    except ModelValidatorError:
        raise
    except Exception as error:  # of whichever package reaches the store
        raise _unlisted(source, error) from error


def _unlisted(place: str, error: Exception) -> ModelValidatorError:
    return ModelValidatorError("unreadable-folder", place, f"cannot be listed: {described_by(error)}")


def _of_local_path(source: str, on_error: OnError) -> Iterator[ModelFile]:
    if not os.path.isdir(source):
        yield ModelFile(source)
        return
    empty = True
    for path in _walk(source, on_error):
        empty = False
        yield ModelFile(path)
    if empty:
        raise _no_models(source)


def _no_models(source: str) -> ModelValidatorError:
    hint = f"only files ending in {', '.join(ENDINGS)} are found; name others directly, or in a list"
    return ModelValidatorError("no-models", source, "the folder holds no models", hint)


def _walk(folder: str, on_error: OnError) -> Iterator[str]:
    """Links to folders are not followed."""
    left = [folder]
    while left:
        place = left.pop()
        if place.endswith(ENDINGS) and not os.path.isdir(place):
            yield place
            continue
        try:
            with os.scandir(place) as entries:
                found = sorted(entry.path for entry in entries if _is_sought(entry))
        except OSError as error:
            on_error(_unlisted(place, error))
            continue
        left += reversed(found)


def _is_sought(entry: os.DirEntry[str]) -> bool:
    with suppress(OSError):  # a link in a circle
        if entry.is_dir(follow_symlinks=False):
            return True
        return entry.name.endswith(ENDINGS) and not entry.is_dir()
    return entry.name.endswith(ENDINGS)


def _of_folder(source: str, system: Any, path: str, on_error: OnError) -> Iterator[ModelFile]:
    """Folder by folder, because the listing of a whole store may not fit into memory."""

    def tell(error: Exception) -> None:
        on_error(_unlisted(source, error))

    empty = True
    for folder, _, files in system.walk(path, detail=True, on_error=tell):
        for name in sorted(files):
            if name.endswith(ENDINGS):
                empty = False
                yield _described(source, system, files[name])
        system.invalidate_cache(folder)
    if empty:
        raise _no_models(source)


def _of_pattern(source: str, system: Any, path: str) -> Iterator[ModelFile]:
    found = system.glob(path, detail=True)
    files = [details for _, details in sorted(found.items()) if details["type"] != "directory"]
    if not files:
        raise ModelValidatorError("not-found", source, "nothing has such a name", "check the pattern for a typo")
    for details in files:
        yield ModelFile(details["name"]) if is_local(source) else _described(source, system, details)


def _described(source: str, system: Any, details: dict[str, Any]) -> ModelFile:
    name = str(details["name"])
    if "::" in source:
        uri = f"{source.split('://', maxsplit=1)[0]}://{name}::{source.split('::', maxsplit=1)[1]}"
    else:
        uri = str(system.unstrip_protocol(name))
    return ModelFile(uri, details.get("size"), version_of(details))


def _of_list(source: str, storage: dict[str, Any], column: str | None) -> Iterator[ModelFile]:
    system, path = file_system(source, storage)
    try:
        if source.lower().endswith(".parquet"):
            names = _of_parquet(source, system, path, column)
        else:
            names = _of_text(source, system, path, column)
        for name in names:
            yield ModelFile(_beside(source, name))
    except ModelValidatorError:
        raise
    except FileNotFoundError as error:
        raise ModelValidatorError("not-found", source, "no such list", "check the path for a typo") from error
    except Exception as error:  # of the store, or of a file that is no such list
        raise ModelValidatorError("unreadable-file", source, f"the list cannot be read: {described_by(error)}") from error


def _beside(source: str, name: str) -> str:
    """A relative path in a local list is meant from the list's folder."""
    if is_local(source) and is_local(name) and not os.path.isabs(name):
        return os.path.join(os.path.dirname(source), name)
    return name


def _of_text(source: str, system: Any, path: str, column: str | None) -> Iterator[str]:
    # A name of a file need not be UTF-8.
    with opened(system, path) as raw, io.TextIOWrapper(raw, "utf-8-sig", "surrogateescape", newline="") as text:
        lines = _Lines(source, text)
        if source.lower().endswith(".txt"):
            stripped = (line.strip() for line in lines.entries(lines))
            yield from (line for line in stripped if line and not line.startswith("#"))
            return
        table = csv.DictReader(lines)
        name = _column(source, list(table.fieldnames or ()), column)
        yield from (row[name] for row in lines.entries(table) if row[name])


class _Lines:
    """The lines of a list, as long as no entry takes more than is allowed."""

    def __init__(self, source: str, text: io.TextIOBase) -> None:
        self._source = source
        self._text = text
        self._number = 0
        self._left = LONGEST

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._text.readline(self._left + 1)
        self._number += 1
        self._left -= len(line)
        if self._left < 0:
            message = f"line {self._number} of the list ends an entry of more than {LONGEST} characters"
            raise ModelValidatorError("unreadable-file", self._source, message)
        if not line:
            raise StopIteration
        return line

    def entries(self, of: Iterable[T]) -> Iterator[T]:
        """Each may take that much again."""
        for entry in of:
            self._left = LONGEST
            yield entry


def _of_parquet(source: str, system: Any, path: str, column: str | None) -> Iterator[str]:
    with opened(system, path) as raw:
        file = package("pyarrow.parquet").ParquetFile(raw)
        name = _column(source, file.schema_arrow.names, column)
        for batch in file.iter_batches(columns=[name], batch_size=10_000):
            yield from (str(value) for value in batch.column(0).to_pylist() if value)


def _column(source: str, columns: list[str], asked: str | None) -> str:
    wanted = [asked] if asked else list(COLUMNS)
    for name in wanted:
        if name in columns:
            return name
    message = f"the list has no column {' or '.join(f'`{name}`' for name in wanted)}, but {', '.join(columns)}"
    raise ModelValidatorError("bad-options", source, message, "name the column with `--column`")
