"""Reading ranges of files in a store: retried where it is throttled or fails for a moment, counted, and never faster than allowed."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Any, TypeVar
from urllib.parse import urlsplit

from ..errors import ModelValidatorError
from ._files import file_system, version_of
from ._packages import package

T = TypeVar("T")

TRANSIENT = {408, 425, 429, 500, 502, 503, 504}
"""Statuses after which the same request may succeed."""
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 60.0


@dataclass(frozen=True)
class Patience:
    """How often a request is repeated, and how many may be made."""

    attempts: int = 6
    first_pause: float = FIRST_PAUSE
    rate: float | None = None
    """Requests a second to one host, of this process."""


class Pace:
    """Lets through so many requests a second to each host."""

    def __init__(self, rate: float | None) -> None:
        self._rate = rate
        self._next: dict[str, float] = {}
        self._lock = threading.Lock()

    def wait(self, host: str) -> None:
        """Returns when the next request may be made."""
        if not self._rate:
            return
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._next.get(host, now))
            self._next[host] = turn + 1 / self._rate
        time.sleep(turn - now)


class RemoteFile:
    """A file in a store."""

    def __init__(self, uri: str, storage: dict[str, Any], patience: Patience, pace: Pace) -> None:
        self.uri = uri
        self.requests = 0
        self.bytes_read = 0
        self._patience = patience
        self._pace = pace
        self._host = urlsplit(uri.rsplit("::", maxsplit=1)[-1]).netloc
        self._system, self._path = file_system(uri, storage)
        self._proven = not _is_web(self._system)
        self.size = 0

    def describe(self) -> str:
        """Asks for the size, and for the version that it returns. @raises ModelValidatorError"""
        details = self._retried(lambda: self._system.info(self._path))
        if details.get("type") == "directory":
            raise ModelValidatorError("is-a-folder", self.uri, "this is a folder, not a model file")
        if details.get("size") is None:
            raise ModelValidatorError("unreadable-file", self.uri, "the store does not say how large the file is")
        self.size = int(details["size"])
        return version_of(details)

    def read(self, start: int, end: int) -> bytes:
        """The bytes of one range; fewer only where the file ends. @raises ModelValidatorError"""
        return self.read_all([(start, end)])[0]

    def read_all(self, ranges: Sequence[tuple[int, int]]) -> list[bytes]:
        """The bytes of several ranges, requested at the same time where the store allows. @raises ModelValidatorError"""
        if not ranges:
            return []
        read: dict[tuple[int, int], bytes] = {}
        if not self._proven:
            proof = max(ranges)  # from the start on, fsspec does not tell a range from the whole file
            read[proof] = self._retried(lambda: self._first(*proof))
            self._proven = True
        for span, content in zip(ranges, self._rest(ranges, read), strict=True):
            read[span] = content
        self.bytes_read += sum(len(content) for content in read.values())
        return [read[span] for span in ranges]

    def _rest(self, ranges: Sequence[tuple[int, int]], read: dict[tuple[int, int], bytes]) -> Iterator[bytes]:
        missing = [span for span in ranges if span not in read]
        answers = self._at_once(missing) if missing else {}
        for start, end in ranges:
            if (start, end) in read:
                yield read[start, end]
                continue
            answer = answers[start, end]
            if isinstance(answer, BaseException) or len(answer) != end - start:
                yield self._retried(partial(self._one, start, end), answer)
            else:
                yield answer

    def _at_once(self, ranges: Sequence[tuple[int, int]]) -> dict[tuple[int, int], Any]:
        """The bytes of each range, or the error that stands for them."""
        self.requests += len(ranges)
        for _ in ranges:
            self._pace.wait(self._host)
        starts, ends = [start for start, _ in ranges], [end for _, end in ranges]
        answers = self._system.cat_ranges([self._path] * len(ranges), starts, ends, on_error="return")
        return dict(zip(ranges, answers, strict=True))

    def _one(self, start: int, end: int) -> bytes:
        content = bytes(self._system.cat_file(self._path, start=start, end=end))
        if len(content) != end - start:
            raise ConnectionError(f"{len(content)} bytes came instead of {end - start}")
        return content

    def _first(self, start: int, end: int) -> bytes:
        """As `_one`, but a server that answers with the whole file instead of a range is not listened to."""
        with self._system.open(self._path, "rb", size=self.size, cache_type="none") as file:
            try:
                content = bytes(file._fetch_range(start, end))
            except ValueError as error:
                raise _NoRangesError from error
        if len(content) > end - start:
            raise _NoRangesError
        if len(content) != end - start:
            raise ConnectionError(f"{len(content)} bytes came instead of {end - start}")
        return content

    def _retried(self, request: Callable[[], T], before: object = None) -> T:
        """before: how the same request went already, if it was made. @raises ModelValidatorError"""
        failed = before if isinstance(before, Exception) else None
        attempts = 0 if before is None else 1
        while True:
            if failed is not None:
                if attempts >= self._patience.attempts or not _may_pass(failed):
                    raise _explained(failed, self.uri, attempts) from failed
                time.sleep(_pause(failed, attempts, self._patience.first_pause))
            self._pace.wait(self._host)
            self.requests += 1
            attempts += 1
            try:
                return request()
            except Exception as error:
                failed = error


class _NoRangesError(Exception):
    """The server ignores the ranges of requests."""


def _is_web(system: Any) -> bool:
    return isinstance(system, package("fsspec.implementations.http").HTTPFileSystem) if "http" in _protocols(system) else False


def _protocols(system: Any) -> Sequence[str]:
    return (system.protocol,) if isinstance(system.protocol, str) else tuple(system.protocol)


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__ or seen.__context__


def status_of(error: BaseException) -> int | None:
    """The status of HTTP that an error of aiohttp, botocore, requests or httpx stands for."""
    for cause in _causes(error):
        response = getattr(cause, "response", None)
        if isinstance(response, dict):
            found = response.get("ResponseMetadata", {}).get("HTTPStatusCode")
        else:
            found = getattr(response, "status_code", None) or getattr(cause, "status", None)
        if isinstance(found, int):
            return found
    if any(isinstance(cause, PermissionError) for cause in _causes(error)):
        return 403
    return 404 if any(isinstance(cause, FileNotFoundError) for cause in _causes(error)) else None


def _retry_after(error: BaseException) -> float | None:
    """The seconds that the store asks to wait."""
    for cause in _causes(error):
        response = getattr(cause, "response", None)
        if isinstance(response, dict):
            headers = response.get("ResponseMetadata", {}).get("HTTPHeaders", {})
        else:
            headers = getattr(response, "headers", None) or getattr(cause, "headers", None) or {}
        text = headers.get("Retry-After") or headers.get("retry-after")
        if text is None:
            continue
        try:
            return max(0.0, float(text))
        except ValueError:
            pass
        try:
            return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
        except ValueError:
            return None
    return None


def _may_pass(error: BaseException) -> bool:
    if isinstance(error, _NoRangesError | ModelValidatorError):
        return False
    status = status_of(error)
    return status is None or status in TRANSIENT


def _pause(error: BaseException, attempts: int, first: float) -> float:
    """As long as the store asks; otherwise twice as long each time, and not the same for all who wait."""
    longest = min(LONGEST_PAUSE, first * 2 ** (attempts - 1))
    asked = _retry_after(error)
    if asked is not None:
        return min(asked, 10 * LONGEST_PAUSE) + random.uniform(0, first)
    return random.uniform(longest / 2, longest)


def _explained(error: BaseException, uri: str, attempts: int) -> ModelValidatorError:
    if isinstance(error, ModelValidatorError):
        return error
    if isinstance(error, _NoRangesError):
        hint = "download the file, and lint the copy"
        return ModelValidatorError("no-ranges", uri, "the server does not send ranges of a file", hint)
    status, times = status_of(error), "" if attempts == 1 else f", {attempts} times"
    if status == 404:
        return ModelValidatorError("not-found", uri, "the store has no such file")
    if status in (401, 403):
        return ModelValidatorError("no-permission", uri, f"the store refuses it ({status})", "give it credentials")
    if status == 429:
        return ModelValidatorError("throttled", uri, f"the store is throttling{times}", "run again later, or slower with `--rate-limit`")
    if status is not None:
        return ModelValidatorError("unreadable-file", uri, f"the store answers {status}{times}", "run again later")
    words = str(error) or type(error).__name__
    return ModelValidatorError("unreadable-file", uri, f"cannot be fetched{times}: {words}", "run again later")
