"""Which model files a source names: folders, patterns, lists and URLs, found one after the other and never all held at once."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..errors import ModelValidatorError
from ._packages import package

ENDINGS = (".pt", ".pth", ".pt2", ".ptl", ".torchscript", ".onnx")
"""How the names of models in a folder end; those that a list or a pattern names may end otherwise."""

LISTS = (".txt", ".csv", ".parquet")
COLUMNS = ("uri", "url", "path", "file")
"""Where a list with columns keeps the models, unless told."""

CONTENT_HASHES = ("ETag", "etag", "md5Hash", "Content-MD5", "checksum", "blob_id")
"""What stores call the identity of a file's content."""


@dataclass(frozen=True)
class ModelFile:
    """A file to lint, as far as its store has told already."""

    uri: str
    size: int | None = None
    version: str | None = None
    """Changes whenever the content does; None until the store is asked about the file."""
    known: str | None = None
    """The version that the results already hold a row for."""


def version_of(details: dict[str, Any]) -> str:
    """The version of a file, from what its store says about it."""
    lfs = details.get("lfs")
    if lfs:
        digest = lfs.get("sha256") if isinstance(lfs, dict) else getattr(lfs, "sha256", None)
        if digest:
            return f"sha256:{digest}"
    for name in CONTENT_HASHES:
        if details.get(name):
            return f"etag:{str(details[name]).strip(chr(34))}"
    for name in ("mtime", "LastModified", "last_modified", "Last-Modified", "updated", "date_time"):
        if details.get(name):
            return f"{details.get('size')}@{details[name]}"
    return f"{details.get('size')}@unknown"


def is_content_hash(version: str | None) -> bool:
    """Whether files of that version have the same content, wherever they are. An ETag is one only within its own store."""
    return version is not None and version.startswith("sha256:")


def is_local(uri: str) -> bool:
    """Whether it is a path of this machine."""
    return "://" not in uri and "::" not in uri


def file_system(uri: str, options: dict[str, Any]) -> tuple[Any, str]:
    """The file system of fsspec, and the path in it. @raises ModelValidatorError if it needs a package that is missing"""
    fsspec = package("fsspec")
    try:
        system, path = fsspec.core.url_to_fs(uri, **_options_for(uri, options))
    except (ImportError, ValueError) as error:
        raise ModelValidatorError("unreadable-file", uri, str(error)) from error
    return system, path


def _options_for(uri: str, options: dict[str, Any]) -> dict[str, Any]:
    """Those of the URL's own protocol, where options are given by protocol: `{"s3": {"anon": true}}`."""
    if is_local(uri):
        return {}
    protocol = uri.split("://", maxsplit=1)[0].split("::", maxsplit=1)[0]
    found = options.get(protocol, {})
    return dict(found)


def discover(source: str, storage: dict[str, Any], column: str | None = None) -> Iterator[ModelFile]:
    """The model files that a source names, in the order of their names where the store lists them.

    @raises ModelValidatorError if there is none
    """
    if source.lower().endswith(LISTS):
        yield from _of_list(source, storage, column)
        return
    system, path = file_system(source, storage)
    if any(sign in path for sign in "*?[") and not is_url_of_one_file(source):
        yield from _of_pattern(source, system, path)
    elif is_url_of_one_file(source):
        yield ModelFile(source)
    elif is_local(source):
        yield from _of_local_path(source)
    elif system.isdir(path):
        yield from _of_folder(source, system, path)
    else:
        yield ModelFile(source)


def is_url_of_one_file(source: str) -> bool:
    """A web server lists no folders, and `?` begins a query there."""
    return source.startswith(("http://", "https://"))


def _of_local_path(source: str) -> Iterator[ModelFile]:
    if not os.path.lexists(source):
        raise ModelValidatorError("not-found", source, "no such file or folder", "check the path for a typo")
    if not os.path.isdir(source):
        yield ModelFile(source)
        return
    empty = True
    for path in _walk(source):
        empty = False
        yield ModelFile(path)
    if empty:
        hint = f"only files ending in {', '.join(ENDINGS)} are found; name others directly, or in a list"
        raise ModelValidatorError("no-models", source, "the folder holds no models", hint)


def _walk(folder: str) -> Iterator[str]:
    """Links to folders are not followed."""
    with os.scandir(folder) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(entry.path)
        elif entry.name.endswith(ENDINGS) and not entry.is_dir():
            yield entry.path


def _of_folder(source: str, system: Any, path: str) -> Iterator[ModelFile]:
    """Folder by folder, because the listing of a whole store may not fit into memory."""
    for _, _, files in system.walk(path, detail=True):
        for name in sorted(files):
            if name.endswith(ENDINGS):
                yield _described(source, system, files[name])


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
    except FileNotFoundError as error:
        raise ModelValidatorError("not-found", source, "no such list", "check the path for a typo") from error


def _beside(source: str, name: str) -> str:
    """A relative path in a local list is meant from the list's folder."""
    if is_local(source) and is_local(name) and not os.path.isabs(name):
        return os.path.join(os.path.dirname(source), name)
    return name


def _of_text(source: str, system: Any, path: str, column: str | None) -> Iterator[str]:
    with system.open(path, "rb") as raw, io.TextIOWrapper(raw, encoding="utf-8") as text:
        if source.lower().endswith(".txt"):
            lines = (line.strip() for line in text)
            yield from (line for line in lines if line and not line.startswith("#"))
            return
        table = csv.DictReader(text)
        name = _column(source, list(table.fieldnames or ()), column)
        yield from (row[name] for row in table if row[name])


def _of_parquet(source: str, system: Any, path: str, column: str | None) -> Iterator[str]:
    with system.open(path, "rb") as raw:
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
