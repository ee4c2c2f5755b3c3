"""A web server on the loopback that serves a folder in ranges, and fails in the ways that stores do."""

from __future__ import annotations

import hashlib
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

STEP = 256 << 10


@dataclass
class Faults:
    """What goes wrong."""

    statuses: dict[str, int] = field(default_factory=dict)
    """Files that are always answered with this status."""
    throttle: int = 0
    """So many requests for a range of each file are answered with 429 first …"""
    retry_after: str | None = None
    """… and this header."""
    fail: int = 0
    """The same with 503."""
    cut: int = 0
    """So many answers with a range of each file break off in the middle."""
    ranges: bool = True
    """Without, every request is answered with the whole file."""
    latency: float = 0.0
    """Seconds before each answer."""


@dataclass
class Counts:
    """What was asked for, and sent."""

    requests: int = 0
    bytes_sent: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    refusals: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    """The statuses of failures, by file."""
    times: list[float] = field(default_factory=list)


class ModelServer:
    """Its address is `url`."""

    def __init__(self, folder: Path, faults: Faults, port: int = 0) -> None:
        self.folder, self.faults, self.counts = folder, faults, Counts()
        self._troubles: Counter[str] = Counter()
        self._lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"server_state": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", port), handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def trouble(self, name: str) -> str | None:
        """What goes wrong with this request for a range of a file, if anything does."""
        with self._lock:
            self._troubles[name] += 1
            turn = self._troubles[name]
        faults = self.faults
        for word, count in (("throttle", faults.throttle), ("fail", faults.fail), ("cut", faults.cut)):
            if turn <= count:
                return word
            turn -= count
        return None

    def count(self, name: str, status: int, sent: int) -> None:
        """Notes an answer."""
        with self._lock:
            self.counts.requests += 1
            self.counts.statuses[status] += 1
            if status >= 400:
                self.counts.refusals[name][status] += 1
            self.counts.bytes_sent += sent
            self.counts.times.append(time.monotonic())

    def close(self) -> None:
        """Answers no more."""
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_state: ModelServer

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self._answer(with_content=False)

    def do_GET(self) -> None:
        self._answer(with_content=True)

    def _answer(self, with_content: bool) -> None:
        state = self.server_state
        time.sleep(state.faults.latency)
        name = unquote(urlsplit(self.path).path).lstrip("/")
        path = state.folder / name
        status = state.faults.statuses.get(name, 200 if path.is_file() else 404)
        trouble = state.trouble(name) if with_content and status == 200 else None
        if trouble in ("throttle", "fail"):
            status = 429 if trouble == "throttle" else 503
        if status != 200:
            self.send_response(status)
            if state.faults.retry_after and status == 429:
                self.send_header("Retry-After", state.faults.retry_after)
            self.send_header("Content-Length", "0")
            self.end_headers()
            state.count(name, status, 0)
            return
        size = path.stat().st_size
        start, end, partial = self._range(size)
        self.send_response(206 if partial else 200)
        self.send_header("Content-Length", str(end - start))
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("ETag", '"' + hashlib.md5(f"{name} {size} {path.stat().st_mtime_ns}".encode()).hexdigest() + '"')
        self.send_header("Accept-Ranges", "bytes") if state.faults.ranges else None
        if partial:
            self.send_header("Content-Range", f"bytes {start}-{end - 1}/{size}")
        self.end_headers()
        sent = self._send(path, start, end, cut=trouble == "cut") if with_content else 0
        state.count(name, 206 if partial else 200, sent)

    def _range(self, size: int) -> tuple[int, int, bool]:
        asked = self.headers.get("Range", "")
        if not self.server_state.faults.ranges or not asked.startswith("bytes="):
            return 0, size, False
        first, last = asked.removeprefix("bytes=").split("-")
        start = int(first) if first else size - int(last)
        return start, min(size, int(last) + 1) if first and last else size, True

    def _send(self, path: Path, start: int, end: int, cut: bool) -> int:
        left = (end - start) // 2 if cut else end - start
        sent = 0
        with open(path, "rb") as file:
            file.seek(start)
            while left > 0:
                piece = file.read(min(left, STEP))
                try:
                    self.wfile.write(piece)
                except OSError:  # nobody listens any more
                    self.close_connection = True
                    break
                left -= len(piece)
                sent += len(piece)
        self.close_connection = self.close_connection or cut
        return sent


@contextmanager
def serving(folder: Path, **faults: object) -> Iterator[ModelServer]:
    """Meanwhile the folder is served."""
    server = ModelServer(folder, Faults(**faults))  # type: ignore[arg-type]
    try:
        yield server
    finally:
        server.close()


@contextmanager
def answering(answer: Callable[[BaseHTTPRequestHandler], None]) -> Iterator[str]:
    """Meanwhile a server answers HEAD and GET as it is told, whatever that is. Gives its address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            pass

        def _answer(self) -> None:
            with suppress(OSError):  # nobody listens any more
                answer(self)

        do_HEAD = do_GET = _answer  # noqa: N815 - names of http.server

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def main(folder: str, port: str, *faults: str) -> None:
    """Serves a folder until the process ends."""
    words = dict(fault.split("=") for fault in faults)
    numbers = {name: text if name == "retry_after" else float(text) for name, text in words.items()}
    ModelServer(Path(folder), Faults(**numbers), int(port))  # type: ignore[arg-type]
    threading.Event().wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
