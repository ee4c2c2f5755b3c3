"""File systems of fsspec: which one a name belongs to, and what they say about a file."""

from __future__ import annotations

import json
import os
import stat
from functools import lru_cache
from typing import Any

from ..errors import ModelValidatorError
from ._packages import package
from ._web import client

CONTENT_HASHES = ("ETag", "etag", "md5Hash", "Content-MD5", "checksum", "blob_id", "CRC")
"""What stores call the identity of a file's content."""
TIMES = ("mtime", "LastModified", "last_modified", "Last-Modified", "updated", "date_time")
ARCHIVES = 4
"""So many archives that models lie in stay open."""


def is_local(uri: str) -> bool:
    """Whether it is a path of this machine, which may have any name."""
    return "://" not in uri


def is_web(uri: str) -> bool:
    """Whether it is a file of a web server."""
    return uri.startswith(("http://", "https://"))


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
    for name in TIMES:
        if details.get(name):
            return f"{details.get('size')}@{details[name]}"
    return f"{details.get('size')}@unknown"


def is_content_hash(version: str | None) -> bool:
    """Whether files of that version have the same content, wherever they are. An ETag is one only within its own store."""
    return version is not None and version.startswith("sha256:")


def file_system(uri: str, options: dict[str, Any]) -> tuple[Any, str]:
    """The file system of fsspec, and the path in it. @raises ModelValidatorError if it needs a package that is missing"""
    fsspec = package("fsspec")
    if is_local(uri):
        return fsspec.filesystem("file"), fsspec.filesystem("file")._strip_protocol(uri)
    first, chained, rest = uri.partition("::")
    try:
        if not chained or "://" not in first:
            return fsspec.core.url_to_fs(uri, **_options_for(uri, options))  # type: ignore[no-any-return]
        protocol, path = first.split("://", maxsplit=1)
        return _archive(f"{protocol}://::{rest}", json.dumps(options, sort_keys=True)), path.lstrip("/")
    except ModelValidatorError:
        raise
    except Exception as error:  # of any package that reaches stores, or of an archive
        raise ModelValidatorError("unreadable-file", uri, f"cannot be reached: {described_by(error)}") from error


@lru_cache(ARCHIVES)
def _archive(uri: str, options: str) -> Any:
    """An archive in a store, whose directory is read once."""
    return package("fsspec").core.url_to_fs(uri, **_options_for(uri, json.loads(options)))[0]


def _options_for(uri: str, options: dict[str, Any]) -> dict[str, Any]:
    """Those of the protocols in the URL, where options are given by protocol: `{"s3": {"anon": true}}`."""
    protocols = {part.split("://", maxsplit=1)[0] for part in uri.split("::")}
    given = {name: dict(value) for name, value in options.items() if name in protocols}
    for name in protocols.intersection(("http", "https")):
        given[name] = {"get_client": client, **given.get(name, {})}
    return given


def opened(system: Any, path: str) -> Any:
    """A file, for reading. On this machine only a regular one, so that no pipe or device is read without end.

    @raises OSError, or whatever the package raises that reaches the store
    """
    if not isinstance(system, package("fsspec.implementations.local").LocalFileSystem):
        return system.open(path, "rb")
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError("not a regular file")
        return open(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def described_by(error: BaseException) -> str:
    """What an error of another package says."""
    strerror = getattr(error, "strerror", None)
    return str(strerror or error) or type(error).__name__
