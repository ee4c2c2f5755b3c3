"""A TorchScript file as the files of a module."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ._document import Document, RefusedError, Tensor
from ._functions import PLACE, without_places
from ._model_file import SAFETENSORS, ModelFile
from ._modules import TORCH_DTYPES, Modules
from ._weights import Weights, state_of, training_of


@dataclass(frozen=True)
class Module:
    """A module, written."""

    model: str
    weights: bytes
    names: tuple[str, ...]
    """Of the tensors, in the `state_dict`."""
    places: dict[int, list[str]]
    """Which lines of Python each line of the model was made from."""


def write_module(data: Any, file: Path, source: str, read: Callable[[bytes], Any]) -> Module:
    """The module of a file. @raises RefusedError

    data: what the confined reader tells of the file; source: what the user calls it; read: what that reader tells of other files' bytes
    """
    try:
        return _written(Document(data), file, source, read)
    except RecursionError:
        raise RefusedError("it is nested too deeply") from None


def _written(document: Document, file: Path, source: str, read: Callable[[bytes], Any]) -> Module:
    weights = Weights(document, file)
    document.scalar = weights.value
    modules = Modules(document, weights.value, weights.key, read)
    root = modules.plan()
    state = state_of(modules)
    firsts: dict[Any, str] = {}
    shared: dict[str, str] = {}
    kept: dict[str, Tensor] = {}
    for stored in state:
        first = firsts.setdefault(weights.key(stored.tensor), stored.name)
        if first != stored.name:
            shared[stored.name] = first
        else:
            kept[stored.name] = stored.tensor
    dtypes = sorted({TORCH_DTYPES[document.tensors[tensor.number]["dtype"]] for tensor in kept.values()})
    if missing := [dtype for dtype in dtypes if dtype not in SAFETENSORS]:
        raise RefusedError(f"it holds tensors of the dtype {missing[0]}, which safetensors does not have")
    text = ModelFile(modules, root, source).text(dtypes, shared, training_of(document))
    places = {}
    for number, line in enumerate(text.split("\n"), 1):
        if PLACE in line:
            places[number] = [document.places()[int(place)] for place in line.partition(PLACE)[2].split(",")]
    text = "\n".join(without_places(text.split("\n")))
    to = io.BytesIO()
    weights.write(to, kept)
    return Module(text, to.getvalue(), tuple(stored.name for stored in state), places)
