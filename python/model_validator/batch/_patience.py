"""Requests to stores: repeated where one is throttled or fails for the moment, and never faster than allowed."""

from __future__ import annotations

import math
import random
import threading
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TypeVar

from ..errors import ModelValidatorError

T = TypeVar("T")

TRANSIENT = {408, 425, 429, 500, 502, 503, 504}
"""Statuses after which the same request may succeed."""
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 60.0
LONGEST_ASKED = 600.0
"""A store may ask for so long a pause."""


@dataclass(frozen=True)
class Patience:
    """How often a request is repeated, and how many may be made."""

    attempts: int = 6
    first_pause: float = FIRST_PAUSE
    rate: float | None = None
    """Requests a second to one host, of this process."""
    longest: float = 1800.0
    """Seconds after which no request for a model is repeated."""


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


class GaveUpError(Exception):
    """A request failed for good; its cause is the last failure."""

    def __init__(self, attempts: int) -> None:
        super().__init__(attempts)
        self.attempts = attempts

    @property
    def cause(self) -> BaseException:
        """The last failure."""
        return self.__cause__ or self

    @property
    def times(self) -> str:
        """How often it was tried, as the end of a sentence."""
        return "" if self.attempts == 1 else f", {self.attempts} times"


class LastingError(Exception):
    """A failure that the same request would have again."""


LASTING = (LastingError, ModelValidatorError, zipfile.BadZipFile, zlib.error, NotImplementedError, ValueError, LookupError, TypeError)


def retried(request: Callable[[], T], patience: Patience, failed: Exception | None = None, until: float = math.inf) -> T:
    """failed: how the same request went already, if it was made. @raises GaveUpError"""
    attempts = 0 if failed is None else 1
    while True:
        if failed is not None:
            pause = _pause(failed, attempts, patience.first_pause)
            if attempts >= patience.attempts or not _may_pass(failed) or time.monotonic() + pause > until:
                raise GaveUpError(attempts) from failed
            time.sleep(pause)
        attempts += 1
        try:
            return request()
        except Exception as error:
            failed = error


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
        if text is not None:
            return _seconds(text)
    return None


def _seconds(text: str) -> float | None:
    """Of a number or a date."""
    try:
        seconds = float(text)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(text).timestamp() - time.time()
        except (ValueError, OverflowError):
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _may_pass(error: BaseException) -> bool:
    if isinstance(error, LASTING):
        return False
    status = status_of(error)
    return status is None or status in TRANSIENT


def _pause(error: BaseException, attempts: int, first: float) -> float:
    """As long as the store asks; otherwise twice as long each time, and not the same for all who wait."""
    longest = min(LONGEST_PAUSE, first * 2 ** (attempts - 1))
    asked = _retry_after(error)
    if asked is not None:
        return min(asked, LONGEST_ASKED) + random.uniform(0, first)
    return random.uniform(longest / 2, longest)
