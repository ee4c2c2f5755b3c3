"""What torch says while it traces a module: where Python read a tensor, which a trace cannot hold.

Its warnings do not tell values of inputs from sizes and from buffers, by which a model may well decide. Where the module runs
without being traced, a line that does the first reads a number that was computed from an input.
"""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Line = tuple[str, int]


@dataclass(frozen=True)
class TraceLog:
    """Of one trace."""

    decisions: tuple[tuple[str, int, str], ...]
    """File, line, and what Python made of a tensor's values there: `boolean` or `number`."""
    others: tuple[str, ...]
    """What else torch warned of outside its own code, with the place."""


@contextlib.contextmanager
def trace_warnings() -> Iterator[list[warnings.WarningMessage]]:
    """Collects the warnings of torch's tracer. They are given once the block has ended as well."""
    torch: Any = sys.modules["torch"]
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", torch.jit.TracerWarning)
        yield seen


Run = Callable[[Callable[[Any], None]], None]
"""Runs a module without tracing it, after it has told what the inputs are."""


def trace_log(warned: list[warnings.WarningMessage], run: Run) -> TraceLog:
    """run: not called where there was no warning"""
    if not warned:
        return TraceLog((), ())
    lines = {(warning.filename, warning.lineno) for warning in warned}
    read = _lines_that_read_values(lines, run)
    decisions = {(w.filename, w.lineno, _made_of(w)): None for w in warned if (w.filename, w.lineno) in read}
    others = {_text(w): None for w in warned if (w.filename, w.lineno) not in read and not _is_of_torch(w.filename)}
    return TraceLog(tuple(decisions), tuple(others))


def _made_of(warning: warnings.WarningMessage) -> str:
    return "boolean" if "Python boolean" in str(warning.message) else "number"


def _text(warning: warnings.WarningMessage) -> str:
    return f"{warning.filename}:{warning.lineno}: {str(warning.message).splitlines()[0]}"


def _is_of_torch(file: str) -> bool:
    return file.startswith(os.path.dirname(sys.modules["torch"].__file__ or "") + os.sep)


def _lines_that_read_values(lines: set[Line], run: Run) -> set[Line]:
    """Of the lines, those that read values computed from an input. All of them where the module does not run by itself."""
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_leaves
    from torch.utils.weak import WeakTensorKeyDictionary

    computed: Any = WeakTensorKeyDictionary()  # from an input
    read: set[Line] = set()

    def note(values: Any) -> None:
        for leaf in tree_leaves(values):
            if isinstance(leaf, sys.modules["torch"].Tensor):
                computed[leaf] = True

    class Watch(TorchDispatchMode):  # type: ignore[no-untyped-call]
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            named = kwargs or {}
            result = func(*args, **named)
            if any(isinstance(leaf, sys.modules["torch"].Tensor) and leaf in computed for leaf in tree_leaves((args, named))):
                note(result)
                if func.name().partition(".")[0] in READS_VALUES:
                    _add_innermost(lines, read)
            return result

    try:
        with Watch():  # type: ignore[no-untyped-call]
            run(note)
    except Exception:  # of the module's own code, of which nothing is known
        return lines
    return read


READS_VALUES = ("aten::_local_scalar_dense", "aten::is_nonzero", "aten::equal", "aten::item")


def _add_innermost(lines: set[Line], read: set[Line]) -> None:
    frame = sys._getframe(1)
    while frame is not None:
        place = frame.f_code.co_filename, frame.f_lineno
        if place in lines:
            read.add(place)
            return
        frame = frame.f_back  # type: ignore[assignment]
