"""Ranges of a file on a web server: what was asked for and not a byte more, all of one version of the file.

The session, its credentials and its options are those of fsspec's file system for HTTP.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from http.cookies import SimpleCookie
from typing import Any

from ._packages import package
from ._patience import LastingError
from ._window import Span

STEP = 256 << 10
SLOWEST = 64 << 10
"""Bytes a second: an answer that comes more slowly is given up."""
PATIENCE = 60.0
"""Seconds that an answer may take besides."""
NO_HEAD = (403, 405, 501)
"""How servers answer that take no HEAD: a signed URL, for example, is for one method."""

AT_ONCE = 8
"""So many ranges of a file are asked for at the same time."""


OWN_HEADERS = frozenset(("range", "accept-encoding"))


async def client(**options: Any) -> Any:
    """A session of aiohttp for fsspec. What the user gave to be sent with requests stays with the server that the user named: an
    answer that redirects to another scheme, host or port is followed without it.
    """
    aiohttp = package("aiohttp")
    headers = dict(options.pop("headers", None) or {})
    if auth := options.pop("auth", None):
        headers["Authorization"] = auth.encode()
    if cookies := options.pop("cookies", None):
        headers["Cookie"] = SimpleCookie(cookies).output(attrs=[], header="", sep=";").strip()
    tracing = aiohttp.TraceConfig()
    tracing.on_request_redirect.append(_keep_headers)
    return aiohttp.ClientSession(headers=headers, trace_configs=[*(options.pop("trace_configs", None) or ()), tracing], **options)


async def _keep_headers(_session: Any, _context: Any, redirect: Any) -> None:
    answer = redirect.response
    place = answer.headers.get("Location") or answer.headers.get("URI") or ""
    if answer.url.join(type(answer.url)(place)).origin() != answer.url.origin():
        for name in {name.lower() for name in redirect.headers} - OWN_HEADERS:
            redirect.headers.popall(name)


class NoRangesError(LastingError):
    """The server ignores the ranges of requests, or sends others."""


class ChangedError(LastingError):
    """What the server says about a file is not what it said before."""


class WebFile:
    """A file on a web server."""

    def __init__(self, system: Any, url: str) -> None:
        self._system = system
        self._url = url
        self._told: dict[str, Any] = {}

    def info(self) -> dict[str, Any]:
        """Size, ETag and such. @raises Exception of aiohttp"""
        self._told = self._run(self._info())
        return self._told

    def cat_file(self, start: int, end: int) -> bytes:
        """One range. @raises NoRangesError, ChangedError, or an exception of aiohttp"""
        return self._run(self._range(start, end))  # type: ignore[no-any-return]

    def cat_ranges(self, spans: Sequence[Span]) -> list[bytes | BaseException]:
        """Several at once: the bytes of each, or the error that stands for them."""
        return self._run(self._ranges(spans))  # type: ignore[no-any-return]

    def _run(self, work: Any) -> Any:
        return package("fsspec.asyn").sync(self._system.loop, lambda: work)

    async def _ranges(self, spans: Sequence[Span]) -> list[bytes | BaseException]:
        free = asyncio.Semaphore(AT_ONCE)

        async def one(span: Span) -> bytes:
            async with free:
                return await self._range(*span)

        return await asyncio.gather(*map(one, spans), return_exceptions=True)

    async def _info(self) -> dict[str, Any]:
        async with await self._request("head", {}) as answer:
            if answer.status not in NO_HEAD:
                answer.raise_for_status()
                return _details(answer.headers, answer.headers.get("Content-Length"))
        async with await self._request("get", {"Range": "bytes=0-0"}) as answer:
            answer.raise_for_status()
            partial = answer.headers.get("Content-Range", "").rpartition("/")[2]
            return _details(answer.headers, partial or answer.headers.get("Content-Length"))

    async def _range(self, start: int, end: int) -> bytes:
        try:
            return await asyncio.wait_for(self._range_in_time(start, end), PATIENCE + (end - start) / SLOWEST)
        except asyncio.TimeoutError as error:
            raise ConnectionError("the answer takes too long") from error

    async def _range_in_time(self, start: int, end: int) -> bytes:
        async with await self._request("get", {"Range": f"bytes={start}-{end - 1}"}) as answer:
            if answer.status == 416:
                raise ChangedError("the file is shorter than the server said")
            answer.raise_for_status()
            self._require_same(answer.headers)
            self._require_range(answer, start, end)
            return await _content(answer, end - start)

    async def _request(self, method: str, headers: Mapping[str, str]) -> Any:
        options = dict(self._system.kwargs)
        options["headers"] = {**options.get("headers", {}), "Accept-Encoding": "identity", **headers}
        options.setdefault("allow_redirects", True)
        session = await self._system.set_session()
        return await session.request(method, self._system.encode_url(self._url), **options)

    def _require_same(self, headers: Mapping[str, str]) -> None:
        for name in ("ETag", "Last-Modified"):
            if name in headers and name in self._told and headers[name] != self._told[name]:
                raise ChangedError("the file changed while it was read")

    def _require_range(self, answer: Any, start: int, end: int) -> None:
        if answer.headers.get("Content-Encoding", "identity") not in ("identity", ""):
            raise NoRangesError("the server sends the file compressed")
        size = self._told.get("size")
        if answer.status != 206:
            if start == 0 and end == size:
                return  # it is the whole file that was asked for
            raise NoRangesError("the server does not send ranges of a file")
        sent, _, total = answer.headers.get("Content-Range", "").removeprefix("bytes ").partition("/")
        if size is not None and total not in ("*", "", str(size)):
            raise ChangedError("the size of the file is not what the server said before")
        if sent.strip() != f"{start}-{end - 1}":
            raise NoRangesError("the server sends another range than it was asked for")


def _details(headers: Mapping[str, str], size: str | None) -> dict[str, Any]:
    if headers.get("Content-Encoding", "identity") not in ("identity", ""):
        size = None  # of the compressed file
    known = {name: headers[name] for name in ("ETag", "Content-MD5", "Last-Modified") if name in headers}
    return {**known, "type": "file", "size": int(size) if size and size.isascii() and size.isdigit() else None}


async def _content(answer: Any, count: int) -> bytes:
    """So many bytes, and a failure where there are fewer or more."""
    pieces, length = [], 0
    while piece := await answer.content.read(STEP):
        length += len(piece)
        if length > count:
            raise NoRangesError("the server sends more of the file than it was asked for")
        pieces.append(piece)
    if length < count:
        raise ConnectionError(f"{length} bytes came instead of {count}")
    return b"".join(pieces)
