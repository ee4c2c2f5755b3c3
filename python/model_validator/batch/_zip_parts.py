"""The parts of a TorchScript or `.pt2` file that linting reads: its directory, code, pickles and small tensors.

The weights, and what the zip notes in front of each of them, stay where they are. What is noted there follows from the
directory, so it is written anew.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..errors import ModelValidatorError
from ._checksum import checksum_of_zeros
from ._unpickled import is_always_unpickled, pickled_tensors
from ._window import Part, Span, Window

TAIL = 64 << 10
"""The end of a zip that is read at once: its directory, if that is not longer."""
SMALL = 64
"""Tensors up to so many bytes may be numbers that the code is linted with."""
CONSTANT = 16 << 10
"""The same of tensors that are constants of the code."""
SCALES = 1 << 20
"""The same of tensors of a quantised model."""
END = b"PK\x05\x06"
MAPPED = 16 << 10
"""Smaller tensors are read, with their checksum, even if nothing looks at their values."""
GAP = 128 << 10
"""Two ranges with fewer bytes between them are requested as one …"""
SLACK = 512 << 10
"""… as long as that does not add up to more than so much, beginning with the narrowest gap."""
ALIGNMENT = 64
LONGEST_DIRECTORY = 8 << 20
"""That of a hundred thousand tensors."""

SMALL_PICKLE = 256 << 10
"""So large a zip within the zip, which Python unpickles, is read whole; of a larger one what describes its tensors."""
MOST_LISTS = 8
"""Of the tensors of a program; it has two."""

WEIGHTS = ("data/", "constants/", "tensors/")
LOCAL = struct.Struct("<IHHHHHIIIHH")
CENTRAL = struct.Struct("<IHHHHHHIIIHHHHHII")


@dataclass(frozen=True)
class Entry:
    """A file in the zip, as its directory describes it."""

    name: bytes
    flags: int
    method: int
    needs: int
    time: int
    date: int
    crc: int
    stored: int
    size: int
    offset: int
    """Of what is noted in front of it."""
    crc_at: int
    """Where the directory keeps the checksum."""

    @property
    def earliest_data(self) -> int:
        """Where its content begins at the earliest."""
        return self.offset + LOCAL.size + len(self.name)


@dataclass(frozen=True)
class Directory:
    """All files in a zip."""

    entries: tuple[Entry, ...]
    start: int


def directory_of(window: Window | Part, tail: bytes) -> Directory | None:
    """The directory, most of which the tail of the file holds. None if there is none, or it is not where it should be: then the
    reader says what is wrong with the file.

    @raises ModelValidatorError if it is longer than that of any model
    """
    tail_at = window.size - len(tail)
    end = tail.rfind(END)
    if end < 0 or len(tail) < end + 22:
        return None
    count, size, start = struct.unpack_from("<HII", tail, end + 10)
    locator = end - 20
    if locator >= 0 and tail[locator : locator + 4] == b"PK\x06\x07":
        (record,) = struct.unpack_from("<Q", tail, locator + 8)
        at = record - tail_at
        if at < 0 or tail[at : at + 4] != b"PK\x06\x06" or len(tail) < at + 56:
            return None
        count, size, start = struct.unpack_from("<QQQ", tail, at + 32)
    if start + size > window.size:
        return None
    if size > LONGEST_DIRECTORY:
        raise ModelValidatorError("fetch-limit", window.uri, "its zip lists more files than a model has")
    content = tail[start - tail_at : start - tail_at + size] if start >= tail_at else window.fetch_one(start, start + size)
    entries = tuple(_entries(content, start))
    return Directory(entries, start) if len(entries) == count else None


def _entries(content: bytes, start: int) -> Iterator[Entry]:
    at = 0
    while at + CENTRAL.size <= len(content) and content[at : at + 4] == b"PK\x01\x02":
        (_, _, needs, flags, method, time, date, crc, stored, size, named, extra, comment, _, _, _, offset) = CENTRAL.unpack_from(content, at)
        names_at = at + CENTRAL.size
        more = content[names_at + named : names_at + named + extra]
        size, stored, offset = _large(more, size, stored, offset)
        yield Entry(content[names_at : names_at + named], flags, method, needs, time, date, crc, stored, size, offset, start + at + 16)
        at = names_at + named + extra + comment


def _large(extra: bytes, *numbers: int) -> tuple[int, ...]:
    """The numbers, with those that do not fit into 32 bits taken from the field of zip64."""
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        if kind == 1:
            large = iter(struct.unpack_from(f"<{length // 8}Q", extra, at + 4)) if at + 4 + length <= len(extra) else iter(())
            return tuple(next(large, number) if number == 0xFFFFFFFF else number for number in numbers)
        at += 4 + length
    return numbers


def parts_of(directory: Directory, window: Window, with_scales: bool = False) -> dict[int, bytes]:
    """Reads what linting reads, and says what is to be written besides: at which place, which bytes."""
    top = _top_folder(directory.entries)
    offsets = sorted({entry.offset for entry in directory.entries} | {directory.start})
    after = dict(pairwise(offsets))
    wanted = [entry for entry in directory.entries if _is_read(entry, top, with_scales)]
    spans = [(entry.offset, after.get(entry.offset, directory.start)) for entry in wanted]
    window.fetch(joined(spans))
    unpickled = _unpickled(directory, top, window)
    _read_pickles(unpickled, window)
    kept = {entry.offset for entry in unpickled}
    notes: dict[int, bytes] = {}
    for entry in directory.entries:
        if not _is_read(entry, top, with_scales) and entry.offset not in kept and entry.offset < directory.start:
            notes.update(_notes_on(entry, after.get(entry.offset, directory.start)))
    return notes


def _top_folder(entries: Sequence[Entry]) -> bytes:
    """Of all names, if they share one."""
    if not entries:
        return b""
    top = entries[0].name[: entries[0].name.find(b"/") + 1]
    return top if all(entry.name.startswith(top) for entry in entries) else b""


def _is_read(entry: Entry, top: bytes, with_scales: bool) -> bool:
    name = entry.name[len(top) :].decode("utf-8", "replace")
    if not name.startswith(WEIGHTS) or name.endswith(".json") or entry.method != 0:
        return True
    if with_scales and entry.size <= SCALES:
        return True
    return entry.size <= (CONSTANT if name.startswith("constants/") else SMALL)


def _unpickled(directory: Directory, top: bytes, window: Window) -> list[Entry]:
    """What Python unpickles when it loads a program, in the order of the file."""
    entries = [entry for entry in directory.entries if entry.earliest_data + entry.stored <= directory.start]
    names = {entry: entry.name[len(top) :].decode("utf-8", "replace") for entry in entries}
    listed: set[str] = set()
    lists = [entry for entry, name in names.items() if name.endswith("_config.json")]
    for entry in lists[:MOST_LISTS]:
        listed |= pickled_tensors(names[entry], _content(entry, window))
    found = [entry for entry, name in names.items() if is_always_unpickled(name) or name.lower() in listed]
    return sorted(found, key=lambda entry: entry.offset)


def _content(entry: Entry, window: Window) -> bytes:
    """That of an entry that was read."""
    head = window.known(entry.offset, LOCAL.size)
    content = window.known(entry.offset + LOCAL.size + _noted(head), entry.stored)
    try:
        return zlib.decompressobj(-15).decompress(content, LONGEST_DIRECTORY) if entry.method else content
    except zlib.error:
        return b""


def _read_pickles(entries: Sequence[Entry], window: Window) -> None:
    """Reads small ones; of others what is noted in front of them, their ends, and then the pickle."""
    small = {entry for entry in entries if entry.stored <= SMALL_PICKLE or entry.method != 0}
    window.fetch(joined([(entry.offset, entry.earliest_data + ALIGNMENT + entry.stored) for entry in small]))
    large = [entry for entry in entries if entry not in small]
    heads = window.fetch([(entry.offset, entry.earliest_data + ALIGNMENT) for entry in large])
    starts = [entry.offset + LOCAL.size + _noted(head) for entry, head in zip(large, heads, strict=True)]
    inside = [Part(window, start, entry.size) for start, entry in zip(starts, large, strict=True) if start + entry.size <= window.size]
    tails = window.fetch([(part.start + part.size - TAIL, part.start + part.size) for part in inside])
    window.fetch(joined([span for part, tail in zip(inside, tails, strict=True) for span in _pickles_of(part, tail)]))


def _pickles_of(archive: Part, tail: bytes) -> Iterator[Span]:
    """Where those of an archive lie that is an entry itself."""
    directory = directory_of(archive, tail)
    for entry in directory.entries if directory else ():
        if entry.name.endswith(b".pkl"):
            start = archive.start + entry.offset
            yield start, start + LOCAL.size + len(entry.name) + ALIGNMENT + entry.stored


def _noted(head: bytes) -> int:
    """The length of the name and of all else between the numbers in front of an entry and its content."""
    return sum(struct.unpack_from("<HH", head, 26)) if len(head) >= LOCAL.size else 0


def joined(spans: Sequence[Span]) -> list[Span]:
    """The spans in order, with narrow gaps between them closed: a request costs more than the bytes of one."""
    ordered = sorted(spans)
    gaps = [(later[0] - before[1], index) for index, (before, later) in enumerate(pairwise(ordered))]
    closed: set[int] = set()
    slack = SLACK
    for gap, index in sorted(gaps):
        slack -= max(0, gap)
        if gap > GAP or slack < 0:
            break
        closed.add(index)
    result: list[Span] = []
    for index, span in enumerate(ordered):
        if index - 1 in closed:
            result[-1] = (result[-1][0], max(result[-1][1], span[1]))
        else:
            result.append(span)
    return result


def _notes_on(entry: Entry, end: int) -> dict[int, bytes]:
    """What stands in front of weights that are not read, and the checksum of the zeros in their place."""
    notes: dict[int, bytes] = {}
    if entry.earliest_data + entry.size > end:
        return notes  # the reader refuses what the file cannot hold, as it does what lies behind the directory
    data = -(-(entry.earliest_data + 4) // ALIGNMENT) * ALIGNMENT  # as PyTorch pads them
    if data + entry.size > end:
        data = entry.earliest_data
    crc = entry.crc
    if entry.size < MAPPED or data % ALIGNMENT != 0:
        crc = checksum_of_zeros(entry.size)
        notes[entry.crc_at] = struct.pack("<I", crc)
    sizes = (min(entry.stored, 0xFFFFFFFF), min(entry.size, 0xFFFFFFFF))
    padding = data - entry.earliest_data
    head = LOCAL.pack(0x04034B50, entry.needs, entry.flags, entry.method, entry.time, entry.date, crc, *sizes, len(entry.name), padding)
    filler = struct.pack("<HH", 0x4246, padding - 4) if padding >= 4 else b""
    notes[entry.offset] = head + entry.name + filler
    return notes
