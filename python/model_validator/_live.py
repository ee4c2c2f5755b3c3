"""Models of every kind as something that the library can read."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ._library import MemoryFile, Source
from ._lightening import lighten
from .errors import ModelValidatorError

Export = Literal["trace", "script", "export"]


def source_of(
    model: object,
    inputs: object = None,
    *,
    export: Export | None = None,
    trusted: bool = False,
    name: str | None = None,
    weights: bool = True,
) -> Source:
    """A file by its path, bytes, or a live object, which is exported in memory.

    weights: whether they are needed; without them a module is exported much faster
    @raises ModelValidatorError, TypeError for something that is not a model
    """
    if isinstance(model, str | os.PathLike):
        return Source(os.fsdecode(model), trusted=trusted)
    if isinstance(model, bytes | bytearray | memoryview):
        return Source(name or "model", _flat(model), trusted)
    for kind, read in LIVE_KINDS:
        if _is_a(model, kind):
            return read(model, Wanted(inputs, export, name or type(model).__name__, weights))
    raise TypeError(
        "a model is a path, bytes, an nn.Module, a ScriptModule, an ExportedProgram or an onnx.ModelProto, "
        f"not {type(model).__module__}.{type(model).__qualname__}"
    )


@dataclass(frozen=True)
class Wanted:
    """What a live object is to be read as."""

    inputs: object
    export: Export | None
    name: str
    weights: bool


def is_live(model: object) -> bool:
    """Whether it is an object of this process, and neither a file nor bytes."""
    return any(_is_a(model, kind) for kind, _ in LIVE_KINDS)


def _flat(content: bytes | bytearray | memoryview) -> memoryview:
    view = memoryview(content)
    flat = view.cast("B") if view.contiguous else memoryview(view.tobytes())
    return flat if not flat.readonly or isinstance(flat.obj, bytes) else memoryview(flat.tobytes())


def _is_a(model: object, kind: str) -> bool:
    """Whether a class of that name is among its bases, checked without importing the package that defines it."""
    return any(f"{base.__module__}.{base.__qualname__}" == kind for base in type(model).__mro__)


def _read_script(model: Any, wanted: Wanted) -> Source:
    file = MemoryFile()
    with _quietly():
        sys.modules["torch"].jit.save(model, file.path)  # four times as fast as into a Python buffer
    return Source(wanted.name, file, trusted=True, needs_torch=True)


def _read_program(model: Any, wanted: Wanted) -> Source:
    buffer = io.BytesIO()
    with _quietly():
        sys.modules["torch"].export.save(model, buffer)
    return Source(wanted.name, buffer.getbuffer(), trusted=True)


def _read_onnx(model: Any, wanted: Wanted) -> Source:
    return Source(wanted.name, memoryview(model.SerializeToString()), trusted=True)


def _read_module(model: Any, wanted: Wanted) -> Source:
    model = getattr(model, "_orig_mod", model)  # set by `torch.compile`
    export = wanted.export or ("script" if wanted.inputs is None else "trace")
    if export not in EXPORTERS:
        raise ValueError(f"a module is exported by trace, script or export, not by {export!r}")
    if wanted.inputs is None and export != "script":
        raise ValueError(f"a module is exported by {export} with inputs")
    try:
        with EXPORTING.lock:
            return EXPORTERS[export](model, wanted)
    except (KeyboardInterrupt, SystemExit, ModelValidatorError):
        raise
    except Exception as error:
        cause = f"the module cannot be exported by {export}: {_first_line(error)}"
        raise ModelValidatorError("not-exportable", wanted.name, cause, HINTS[export]) from error


class _Exporting:
    """One export at a time: torch's exporters, and silencing their warnings, are not thread-safe."""

    def __init__(self) -> None:
        self.renew()
        os.register_at_fork(after_in_child=self.renew)

    def renew(self) -> None:
        """Another thread may have held the lock when the process was forked."""
        self.lock = threading.RLock()


EXPORTING = _Exporting()


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__


def _script(model: Any, wanted: Wanted) -> Source:
    with _quietly():
        scripted = sys.modules["torch"].jit.script(model)
    return _read_made(scripted, model, wanted)


def _trace(model: Any, wanted: Wanted) -> Source:
    torch: Any = sys.modules["torch"]
    arguments, by_name = call_arguments(wanted.inputs)
    if by_name and arguments:
        raise ValueError("a trace takes its inputs by position or by name, not both")
    given = {"example_kwarg_inputs": by_name} if by_name else {"example_inputs": arguments}
    with _quietly(), torch.no_grad(), torch.random.fork_rng(devices=[]), state_kept(model):
        traced = torch.jit.trace(model, **given, check_trace=False, strict=False)
    return _read_made(traced, model, wanted)


def _read_made(script: Any, model: Any, wanted: Wanted) -> Source:
    if not wanted.weights:
        lighten(script, model)
    return _read_script(script, wanted)


def _export(model: Any, wanted: Wanted) -> Source:
    torch: Any = sys.modules["torch"]
    arguments, by_name = call_arguments(wanted.inputs)
    with _quietly(), state_kept(model):
        program = torch.export.export(model, arguments, by_name or None)
    return _read_program(program, wanted)


def call_arguments(inputs: object) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What a model is called with: tuple or list items are inputs, a mapping names them, anything else is the only input."""
    if isinstance(inputs, Mapping):
        return (), dict(inputs)
    if isinstance(inputs, tuple | list):
        return tuple(inputs), {}
    return (inputs,), {}


@contextlib.contextmanager
def state_kept(model: Any) -> Iterator[None]:
    """Restores a module's buffers after a run, such as batch norm statistics in training mode."""
    if not hasattr(model, "named_buffers"):
        yield
        return
    kept = [(buffer, buffer.detach().clone()) for _, buffer in model.named_buffers() if buffer.device.type != "meta"]
    try:
        yield
    finally:
        torch: Any = sys.modules["torch"]
        with torch.no_grad():
            for buffer, value in kept:
                if buffer.shape == value.shape:
                    buffer.copy_(value)


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    """Without warnings, such as a deprecated exporter or a trace recording one branch. What matters becomes a finding."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


Read = Callable[[Any, Wanted], Source]
# Specific before general: a ScriptModule is also an nn.Module.
LIVE_KINDS: tuple[tuple[str, Read], ...] = (
    ("torch.jit._script.ScriptModule", _read_script),
    ("torch.jit.ScriptModule", _read_script),
    ("torch.export.exported_program.ExportedProgram", _read_program),
    ("torch.nn.modules.module.Module", _read_module),
    ("onnx.onnx_ml_pb2.ModelProto", _read_onnx),
    ("onnx.ModelProto", _read_onnx),
)
EXPORTERS: dict[str, Read] = {"trace": _trace, "script": _script, "export": _export}
HINTS = {
    "trace": 'try export="script" or export="export"',
    "script": "give inputs to trace it with, or export it yourself and give the result",
    "export": 'try export="trace" or export="script"',
}
