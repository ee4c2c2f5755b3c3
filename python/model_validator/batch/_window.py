"""The part of a file that was read so far, and the rest of it on demand."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..errors import ModelValidatorError

Span = tuple[int, int]
"""From the first byte to the one after the last."""

ReadAll = Callable[[Sequence[Span]], list[bytes]]

FIRST_STEP = 4 << 10
LONGEST_STEP = 512 << 10


@dataclass(frozen=True)
class Part:
    """A file that lies in another as it is."""

    around: Window
    start: int
    size: int

    @property
    def uri(self) -> str:
        return self.around.uri

    def fetch_one(self, start: int, end: int) -> bytes:
        """The bytes of one range; empty beyond the end."""
        return self.around.fetch_one(self.start + start, self.start + min(end, self.size))


class Window:
    """Reads a file in ranges. What follows the last range is read ahead, in steps that grow while the reading goes straight on."""

    def __init__(self, uri: str, size: int, read_all: ReadAll, most: int) -> None:
        self.uri = uri
        self.size = size
        self._read_all = read_all
        self._most = most
        self._read = 0
        self.pieces: dict[int, bytes] = {}
        """What was read, by its first byte."""
        self._at = 0
        self._piece = b""
        self._step = FIRST_STEP

    def fetch(self, spans: Sequence[Span]) -> list[bytes]:
        """@raises ModelValidatorError if that is more of the file than may be read"""
        wanted = [(start, min(end, self.size)) for start, end in spans if start < min(end, self.size)]
        self._read += sum(end - start for start, end in wanted)
        if self._read > self._most:
            message = f"more than {self._most >> 20} MB of it would have to be read"
            raise ModelValidatorError("fetch-limit", self.uri, message, "allow more with `--max-fetch`")
        contents = self._read_all(wanted) if wanted else []
        for (start, _), content in zip(wanted, contents, strict=True):
            self.pieces[start] = content
        return contents

    def fetch_one(self, start: int, end: int) -> bytes:
        """The bytes of one range; empty beyond the end."""
        found = self.fetch([(start, end)])
        return found[0] if found else b""

    def at(self, position: int, count: int) -> bytes:
        """So many bytes at a position; fewer only where the file ends."""
        end = min(position + count, self.size)
        if not (self._at <= position and end <= self._at + len(self._piece)):
            self._read_on(position, end)
        return self._piece[position - self._at : end - self._at]

    def start_with(self, content: bytes, step: int) -> None:
        """The start of the file is known."""
        self._at, self._piece, self._step = 0, content, step

    def _read_on(self, position: int, end: int) -> None:
        known_to = self._at + len(self._piece)
        if self._at <= position <= known_to:  # goes straight on
            self._step = min(2 * self._step, LONGEST_STEP)
            kept = self._piece[position - self._at :]
        else:
            self._step, kept, known_to = FIRST_STEP, b"", position
        content = self.fetch_one(known_to, max(end, known_to + self._step))
        self._at, self._piece = position, kept + content

    def known(self, position: int, count: int) -> bytes:
        """So many bytes of what was read at once; fewer at its end."""
        for start, piece in self.pieces.items():
            if start <= position < start + len(piece):
                return piece[position - start : position - start + count]
        return b""

    def holds(self, words: Sequence[bytes]) -> bool:
        """Whether one of the words is in what was read; it may lie in two pieces."""
        longest = max(map(len, words))
        before, before_end = b"", -1
        for start, piece in sorted(self.pieces.items()):
            text = before + piece if start == before_end else piece
            if any(word in text for word in words):
                return True
            before, before_end = text[-longest:], start + len(piece)
        return False

    def digest(self) -> str:
        """Of all that was read, and where it lies."""
        found = hashlib.blake2b(str(self.size).encode(), digest_size=16)
        for start in sorted(self.pieces):
            found.update(f"\n{start} {len(self.pieces[start])}\n".encode())
            found.update(self.pieces[start])
        return found.hexdigest()
