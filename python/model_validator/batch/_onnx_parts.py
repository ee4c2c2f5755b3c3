"""The parts of an ONNX file that linting reads: everything but large initializers, whose bytes are stepped over."""

from __future__ import annotations

from ..errors import ModelValidatorError
from ._window import Window

LARGE_RAW = 1 << 10
"""Raw values of a tensor above so many bytes are weights."""
SCALES = 512 << 10
"""The same in a quantised model: 65,536 scales are looked at, of up to eight bytes."""
LARGE_NUMBERS = 4096
"""The same of values that are listed as numbers."""
SMALL_MESSAGE = 4 << 10
"""Messages up to so many bytes are read whole: stepping through them would save nothing."""
DEEPEST = 90
MOST_FIELDS = 4_000_000
END_OF_ZIP = (1 << 16) + 21
"""Where the record that ends a zip may begin, before the end."""
LARGEST = (1 << 31) - 1

MODEL, GRAPH, FUNCTION, NODE, ATTRIBUTE, SPARSE, TENSOR = range(7)

# Which field of which message is a message that may hold a tensor, by the numbers of onnx.proto.
MESSAGES = {
    (MODEL, 7): GRAPH,
    (MODEL, 25): FUNCTION,
    (GRAPH, 1): NODE,
    (GRAPH, 5): TENSOR,
    (GRAPH, 15): SPARSE,
    (FUNCTION, 7): NODE,
    (FUNCTION, 11): ATTRIBUTE,
    (NODE, 5): ATTRIBUTE,
    (ATTRIBUTE, 5): TENSOR,
    (ATTRIBUTE, 6): GRAPH,
    (ATTRIBUTE, 10): TENSOR,
    (ATTRIBUTE, 11): GRAPH,
    (ATTRIBUTE, 22): SPARSE,
    (ATTRIBUTE, 23): SPARSE,
    (SPARSE, 1): TENSOR,
    (SPARSE, 2): TENSOR,
}
RAW_DATA, NUMBERS, TRAINING, PRODUCER = 9, (4, 5, 7, 10, 11), 20, (2, 3)

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5


class NotOnnxError(Exception):
    """The file is not a protobuf message, or is cut off."""


def read_structure(window: Window, with_scales: bool = False) -> str:
    """Reads all of the file but large values. Returns what it says about its exporter.

    @raises NotOnnxError
    @raises ModelValidatorError if there are more parts to step over than in any model
    """
    walk = _Walk(window, SCALES if with_scales else LARGE_RAW)
    walk.message(MODEL, 0, window.size, 0)
    return " ".join(part for part in walk.producer if part)


class _Walk:
    def __init__(self, window: Window, large_raw: int) -> None:
        self._window = window
        self._large_raw = large_raw
        self.producer = ["", ""]
        """Its name and version."""
        self._fields = 0

    def message(self, kind: int, at: int, end: int, depth: int) -> None:
        """Steps over the fields of a message."""
        if depth > DEEPEST:
            raise NotOnnxError
        while at < end:
            self._count()
            key, at = self._number(at)
            field, wire = key >> 3, key & 7
            if wire == VARINT:
                _, at = self._number(at)
            elif wire in (FIXED64, FIXED32):
                at += self._need(at, 8 if wire == FIXED64 else 4)
            elif wire == BYTES:
                size, at = self._number(at)
                if size > end - at:
                    raise NotOnnxError
                self._value(kind, field, at, size, depth)
                at += size
            else:
                raise NotOnnxError
        if at != end:
            raise NotOnnxError

    def _count(self) -> None:
        self._fields += 1
        if self._fields > MOST_FIELDS:
            raise ModelValidatorError("fetch-limit", self._window.uri, "it has more parts than a model has")

    def _value(self, kind: int, field: int, at: int, size: int, depth: int) -> None:
        if kind == MODEL and field == TRAINING:
            tail = min(size, END_OF_ZIP)
            if b"PK\x05\x06" in self._window.at(at + size - tail, tail):
                self._need(at, size)  # the reader refuses a zip within
            return
        if kind == TENSOR and field == RAW_DATA and size > self._large_raw:
            return
        if kind == TENSOR and field in NUMBERS and size > max(LARGE_NUMBERS, self._large_raw):
            return
        inner = MESSAGES.get((kind, field))
        if inner is None or size <= SMALL_MESSAGE:
            self._need(at, size)
            if kind == MODEL and field in PRODUCER:
                self.producer[PRODUCER.index(field)] = self._window.at(at, size).decode("utf-8", "replace")
        else:
            self.message(inner, at, at + size, depth + 1)

    def _need(self, at: int, count: int) -> int:
        if len(self._window.at(at, count)) != count:
            raise NotOnnxError
        return count

    def _number(self, at: int) -> tuple[int, int]:
        """A number, and the place behind it."""
        content = self._window.at(at, 10)
        value = 0
        for index, byte in enumerate(content):
            value |= (byte & 0x7F) << (7 * index)
            if byte < 0x80:
                return value, at + index + 1
        raise NotOnnxError
