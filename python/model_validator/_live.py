"""Models of every kind as something that the library can read."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ._exporting import exported, quietly
from ._library import MemoryFile, Source
from ._lightening import light_program, lighten
from ._words import Export


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
    raise TypeError(f"{MODELS}, not {described(model)}")


MODELS = "a model is a path, bytes, an nn.Module, a ScriptModule, an ExportedProgram or an onnx.ModelProto"


def described(model: object) -> str:
    """What was given in the place of a model, and what was probably meant."""
    if isinstance(model, type):
        return f"the class {model.__qualname__}: make an instance of it"
    if isinstance(model, Mapping) and all(hasattr(value, "dtype") for value in model.values()):
        return f"weights ({type(model).__name__}): load them into the module that they are of, and give that"
    if isinstance(model, list | tuple):
        return f"a {type(model).__name__}: give one at a time"
    return f"{type(model).__module__}.{type(model).__qualname__}"


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
    with quietly():
        sys.modules["torch"].jit.save(model, file.path)  # four times as fast as into a Python buffer
    return Source(wanted.name, file, trusted=True, needs_torch=True)


def _read_program(model: Any, wanted: Wanted) -> Source:
    buffer = io.BytesIO()
    with quietly():
        sys.modules["torch"].export.save(model if wanted.weights else light_program(model), buffer)
    return Source(wanted.name, buffer.getbuffer(), trusted=True)


def _read_onnx(model: Any, wanted: Wanted) -> Source:
    return Source(wanted.name, memoryview(model.SerializeToString()), trusted=True)


def _read_module(model: Any, wanted: Wanted) -> Source:
    model = getattr(model, "_orig_mod", model)  # set by `torch.compile`
    made, log = exported(model, wanted.inputs, wanted.export, wanted.name)
    if not isinstance(made, sys.modules["torch"].jit.ScriptModule):
        return _read_program(made, wanted)
    if not wanted.weights:
        lighten(made, model)
    return replace(_read_script(made, wanted), trace_log=log)


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
