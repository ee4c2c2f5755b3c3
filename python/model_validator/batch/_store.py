"""A file in a store, read in ranges: what goes wrong is told in a sentence, and what was asked for is counted."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol, TypeVar
from urllib.parse import urlsplit

from ..errors import ModelValidatorError
from ._packages import package
from ._patience import GaveUpError, Pace, Patience, retried, status_of
from ._systems import described_by, file_system, version_of
from ._web import ChangedError, NoRangesError, WebFile
from ._window import Span

T = TypeVar("T")

LARGEST_SIZE = (1 << 63) - 1
MOST_REQUESTS = 10_000
"""For one model: no exporter writes one that takes a tenth of it."""


class _Reading(Protocol):
    """What a store offers for one file."""

    def info(self) -> dict[str, Any]: ...
    def cat_file(self, start: int, end: int) -> bytes: ...
    def cat_ranges(self, spans: Sequence[Span]) -> list[bytes | BaseException]: ...


class _StoredFile:
    """A file of any file system of fsspec."""

    def __init__(self, system: Any, path: str) -> None:
        self._system = system
        self._path = path

    def info(self) -> dict[str, Any]:
        return dict(self._system.info(self._path))

    def cat_file(self, start: int, end: int) -> bytes:
        return _of_length(bytes(self._system.cat_file(self._path, start=start, end=end)), end - start)

    def cat_ranges(self, spans: Sequence[Span]) -> list[bytes | BaseException]:
        starts, ends = [start for start, _ in spans], [end for _, end in spans]
        answers = self._system.cat_ranges([self._path] * len(spans), starts, ends, on_error="return")
        return [
            _LengthError() if isinstance(answer, bytes) and len(answer) != end - start else answer
            for (start, end), answer in zip(spans, answers, strict=True)
        ]


class _LengthError(ConnectionError):
    """The connection broke, or the file is not as long as the store said."""


def _of_length(content: bytes, expected: int) -> bytes:
    if len(content) != expected:
        raise _LengthError
    return content


class RemoteFile:
    """A file in a store."""

    def __init__(self, uri: str, storage: dict[str, Any], patience: Patience, pace: Pace) -> None:
        self.uri = uri
        self.requests = 0
        self.bytes_read = 0
        self.packed = False
        """Whether it lies compressed in an archive, so that its end is not to be had without all before it."""
        self.size = 0
        self._patience = patience
        self._pace = pace
        self._until = time.monotonic() + patience.longest
        self._host = urlsplit(uri.rsplit("::", maxsplit=1)[-1]).netloc
        system, path = file_system(uri, storage)
        self._file: _Reading = WebFile(system, path) if _is_web(system) else _StoredFile(system, path)

    def describe(self) -> str:
        """Asks for the size, and for the version that it returns. @raises ModelValidatorError"""
        details = self._retried(self._file.info)
        if details.get("type") == "directory":
            raise ModelValidatorError("is-a-folder", self.uri, "this is a folder, not a model file")
        size = details.get("size")
        if not isinstance(size, int) or not 0 <= size <= LARGEST_SIZE:
            raise ModelValidatorError("unreadable-file", self.uri, "the store does not say how large the file is")
        self.size = size
        self.packed = bool(details.get("compress_type"))
        return version_of(details)

    def require_unchanged(self, version: str) -> None:
        """@raises ModelValidatorError if the file is no longer the one that was read"""
        if not isinstance(self._file, WebFile) and self.describe() != version:  # a web server says it with each range
            raise self._explained(ChangedError("the file changed while it was read"), "")

    def read_all(self, ranges: Sequence[Span]) -> list[bytes]:
        """The bytes of several ranges, requested at the same time where the store allows. @raises ModelValidatorError"""
        if len(ranges) == 1:
            read = [self._retried(partial(self._file.cat_file, *ranges[0]))]
        else:
            answers = self._at_once(ranges) if ranges else []
            read = [self._bytes_of(span, answer) for span, answer in zip(ranges, answers, strict=True)]
        self.bytes_read += sum(len(content) for content in read)
        return read

    def _bytes_of(self, span: Span, answer: bytes | BaseException) -> bytes:
        if isinstance(answer, Exception):
            return self._retried(partial(self._file.cat_file, *span), answer)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def _at_once(self, ranges: Sequence[Span]) -> list[bytes | BaseException]:
        self._count(len(ranges))
        return self._file.cat_ranges(ranges)

    def _count(self, requests: int) -> None:
        self.requests += requests
        if self.requests > MOST_REQUESTS:
            raise ModelValidatorError("fetch-limit", self.uri, f"it would take more than {MOST_REQUESTS} requests")
        for _ in range(requests):
            self._pace.wait(self._host)

    def _retried(self, request: Callable[[], T], failed: Exception | None = None) -> T:
        """failed: how the same request went already, if it was made. @raises ModelValidatorError"""

        def counted() -> T:
            self._count(1)
            return request()

        try:
            return retried(counted, self._patience, failed, self._until)
        except GaveUpError as error:
            raise self._explained(error.cause, error.times) from error

    def _explained(self, error: BaseException, times: str) -> ModelValidatorError:
        if isinstance(error, ModelValidatorError):
            return error
        kind, message, hint = _explanation(error, times)
        return ModelValidatorError(kind, self.uri, message, hint)


def _is_web(system: Any) -> bool:
    protocols = (system.protocol,) if isinstance(system.protocol, str) else tuple(system.protocol)
    return isinstance(system, package("fsspec.implementations.http").HTTPFileSystem) if "http" in protocols else False


def _explanation(error: BaseException, times: str) -> tuple[str, str, str]:
    """Kind, message and hint."""
    if isinstance(error, NoRangesError):
        return "no-ranges", str(error), "download the file, and lint the copy"
    if isinstance(error, ChangedError):
        return "changed-meanwhile", str(error), "run again when nobody writes it"
    if isinstance(error, _LengthError):
        return "changed-meanwhile", f"the store sends another number of bytes than it was asked for{times}", "run again later"
    status = status_of(error)
    if status == 404:
        return "not-found", "the store has no such file", ""
    if status in (401, 403):
        return "no-permission", f"the store refuses it ({status})", "give it credentials"
    if status == 429:
        return "throttled", f"the store is throttling{times}", "run again later, or slower with `--rate-limit`"
    if status is not None:
        return "unreadable-file", f"the store answers {status}{times}", "run again later"
    return "unreadable-file", f"cannot be fetched{times}: {described_by(error)}", "run again later"
