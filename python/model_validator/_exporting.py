"""A live module as torch's exporters give it: traced, scripted, or an exported program.

Exporters accept tensors, and what nests tensors, as inputs and results. What a module takes or returns besides (flags, a
cache of keys and values, a class of results) is replaced by hooks for the time of the export.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ._calling import call_arguments, state_kept
from ._keywords import require_word
from ._nesting import as_torch, cloned
from ._trace_log import TraceLog, trace_log, trace_warnings
from ._words import Export
from .errors import ModelValidatorError


def exported(model: Any, inputs: object, export: Export | None, name: str) -> tuple[Any, TraceLog | None]:
    """A ScriptModule or an ExportedProgram: scripted without inputs; traced with them, or else by torch.export. What torch
    said of a trace comes with it.

    @raises ModelValidatorError
    """
    if export is not None:
        require_word("export", export, Export)
    if inputs is None and export not in (None, "script"):
        raise ValueError(f"a module is exported by {export} with inputs")
    chosen: tuple[Export, ...] = (export,) if export else ("script",) if inputs is None else ("trace", "export")
    failures: dict[str, Exception] = {}
    for way in chosen:
        try:
            with EXPORTING.lock, quietly(), trace_warnings() as warned:
                made = EXPORTERS[way](model, inputs)
                return made, _log_of(model, inputs, warned) if way == "trace" else None
        except ModelValidatorError:
            raise
        except Exception as error:
            failures[way] = error
            if inputs is not None:
                run_once(model, inputs, name)
    causes = "; ".join(f"by {way}: {_first_line(error)}" for way, error in failures.items())
    details = "\n".join(line for error in failures.values() for line in _further_lines(error))
    # torch's own traceback, of some hundred lines, would come before the sentence.
    raise ModelValidatorError("not-exportable", name, f"the module cannot be exported {causes}", _hint(failures), details) from None


def _hint(failures: Mapping[str, Exception]) -> str:
    if "script" in failures:
        return "give inputs to export it with, or export it yourself, `torch.export.export(model, inputs)`, and give the result"
    if len(failures) == 1:
        return "leave `export` out: what works is chosen"
    return "give a module whose forward takes and returns tensors: one that calls this one with the rest"


def run_once(model: Any, inputs: object, name: str) -> None:
    """@raises ModelValidatorError if the module itself, and no exporter or compiler, refuses the inputs"""
    torch: Any = sys.modules["torch"]
    try:
        with EXPORTING.lock, quietly(), torch.no_grad(), torch.random.fork_rng(devices=[]), _ready(model):
            arguments, by_name = _placed(model, inputs)
            model(*arguments, **by_name)
    except Exception as error:
        cause = f"the module cannot be called with these inputs: {_first_line(error)}{_place(error)}"
        hint = "give inputs of the shapes and dtypes that its `forward` takes"
        if isinstance(inputs, tuple | list) and inputs and all(type(size) is int for size in inputs):
            sizes = ", ".join(map(str, inputs))
            hint = f"a tuple holds the inputs themselves: for one of this shape, give `torch.randn({sizes})`"
        raise ModelValidatorError("run-failed", name, cause, hint) from None


def _place(error: Exception) -> str:
    """The last line of the traceback that is not torch's."""
    own = str(os.path.dirname(sys.modules["torch"].__file__ or "")), str(os.path.dirname(__file__))
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith(own)]
    return f" ({frames[-1].filename}:{frames[-1].lineno}, in {frames[-1].name})" if frames else ""


class _Exporting:
    """One export at a time: torch's exporters, and silencing their warnings, are not thread-safe."""

    def __init__(self) -> None:
        self.renew()
        os.register_at_fork(after_in_child=self.renew)

    def renew(self) -> None:
        """Another thread may have held the lock when the process was forked."""
        self.lock = threading.RLock()


EXPORTING = _Exporting()
LONGEST = 200
"""Characters of a line of another program's message. torch prints whole tensors."""
MOST_LINES, MOST_BEFORE_PLACE = 14, 5
"""Of its other lines: an operator may have a hundred variants, which torch lists before it says where the call is."""
ABOUT_TORCH = re.compile(r"TORCH\w*_|https?://|draft_export|Caused by: \(_")
"""In lines for those who look for a fault in torch."""


def _lines(error: Exception) -> list[str]:
    lines = [line.rstrip() for line in str(error).splitlines() if line.strip()]
    return [line if len(line) <= LONGEST else line[:LONGEST] + "…" for line in lines]


def _first_line(error: Exception) -> str:
    return ": ".join([type(error).__name__, *(line.strip() for line in _lines(error)[:1])])


def _further_lines(error: Exception) -> list[str]:
    """What it says besides, above all where."""
    lines = [line for line in _lines(error)[1:] if not ABOUT_TORCH.search(line)]
    places = [number for number, line in enumerate(lines) if line.lstrip().startswith('File "')]
    if len(lines) <= MOST_LINES or not places or places[0] <= MOST_BEFORE_PLACE:
        return lines[:MOST_LINES]
    start = places[0] - 1  # after the line that introduces it
    return [*lines[:MOST_BEFORE_PLACE], "…", *lines[start : start + MOST_LINES - MOST_BEFORE_PLACE]]


def _script(model: Any, _inputs: object) -> Any:
    return sys.modules["torch"].jit.script(model)


def _trace(model: Any, inputs: object) -> Any:
    torch: Any = sys.modules["torch"]
    with torch.no_grad(), torch.random.fork_rng(devices=[]), _ready(model):
        arguments, by_name = _placed(model, inputs)
        tensors = tuple(value for value in arguments if _is_traceable(value))
        named = {name: value for name, value in by_name.items() if _is_traceable(value)}
        given = {"example_kwarg_inputs": named} if named else {"example_inputs": tensors}
        with _constants_given(model, arguments, by_name), _results_changed(model, _is_traceable):
            return torch.jit.trace(model, **given, check_trace=False, strict=False)


def _log_of(model: Any, inputs: object, warned: list[warnings.WarningMessage]) -> TraceLog:
    """What torch warned of, and which of it was about values."""

    def run(note: Callable[[Any], None]) -> None:
        torch: Any = sys.modules["torch"]
        with torch.no_grad(), torch.random.fork_rng(devices=[]), _ready(model):
            arguments, by_name = _placed(model, inputs)
            note((arguments, by_name))
            model(*arguments, **by_name)

    return trace_log(warned, run)


def _export(model: Any, inputs: object) -> Any:
    torch: Any = sys.modules["torch"]
    with _ready(model):
        arguments, by_name = _placed(model, inputs)
        with _results_changed(model, _is_tree):
            return torch.export.export(model, arguments, by_name or None)


EXPORTERS: dict[str, Callable[[Any, object], Any]] = {"trace": _trace, "script": _script, "export": _export}


def _is_traceable(value: Any) -> bool:
    """Whether a trace accepts it as an input or as the result."""
    if isinstance(value, sys.modules["torch"].Tensor):
        return True
    if isinstance(value, Mapping):
        tensors = all(isinstance(item, sys.modules["torch"].Tensor) for item in value.values())
        return isinstance(value, dict) and bool(value) and tensors
    return type(value) in (tuple, list) and bool(value) and all(map(_is_traceable, value))


def _is_tree(value: Any) -> bool:
    """Whether torch.export accepts it as a result."""
    from torch.utils._pytree import tree_leaves

    plain = (sys.modules["torch"].Tensor, int, float, bool, str, type(None))
    return all(isinstance(leaf, plain) for leaf in tree_leaves(value))


@contextlib.contextmanager
def _results_changed(model: Any, accepted: Callable[[Any], bool]) -> Iterator[None]:
    """Where an exporter does not accept a result, it gets the tensors in it."""

    def tensors(_model: Any, _arguments: Any, result: Any) -> Any:
        return result if accepted(result) else tuple(_tensors_in(result, set()))

    hook = model.register_forward_hook(tensors)
    try:
        yield
    finally:
        hook.remove()


def _tensors_in(value: Any, seen: set[int]) -> Iterator[Any]:
    """All tensors in a result of any kind: in sequences, mappings and attributes of objects."""
    torch: Any = sys.modules["torch"]
    if isinstance(value, torch.Tensor):
        yield value
    elif id(value) not in seen and not isinstance(value, str | bytes | type | torch.nn.Module):
        seen.add(id(value))
        parts: Any = value.values() if isinstance(value, Mapping) else value
        if not isinstance(value, Mapping | list | tuple | set):
            parts = getattr(value, "__dict__", {}).values()
        for part in parts:
            yield from _tensors_in(part, seen)


@contextlib.contextmanager
def _constants_given(model: Any, arguments: tuple[Any, ...], by_name: Mapping[str, Any]) -> Iterator[None]:
    """A trace takes tensors only: flags and numbers among the inputs are given to the module by a hook."""
    constants = {name: value for name, value in by_name.items() if not _is_traceable(value)}
    if not constants and all(map(_is_traceable, arguments)):
        yield
        return

    def complete(_model: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        tensors = iter(given)
        return tuple(next(tensors) if _is_traceable(value) else value for value in arguments), {**named, **constants}

    hook = model.register_forward_pre_hook(complete, with_kwargs=True)
    try:
        yield
    finally:
        hook.remove()


@contextlib.contextmanager
def _ready(model: Any) -> Iterator[None]:
    """The module's state is kept; a module without weights has all of them on the meta device; no cache is returned."""
    with state_kept(model), _without_cache(model), _wholly_on_meta(model):
        yield


@contextlib.contextmanager
def _without_cache(model: Any) -> Iterator[None]:
    """Modules of transformers return their keys and values only where the inputs ask for it (`use_cache`)."""
    configurations = {id(config): config for part in model.modules() if (config := getattr(part, "config", None)) is not None}
    caching = [config for config in configurations.values() if getattr(config, "use_cache", None) is True]
    for config in caching:
        config.use_cache = False
    try:
        yield
    finally:
        for config in caching:
            config.use_cache = True


def _on_meta(model: Any) -> bool:
    parameters = list(model.parameters())
    return bool(parameters) and all(parameter.is_meta for parameter in parameters)


@contextlib.contextmanager
def _wholly_on_meta(model: Any) -> Iterator[None]:
    """Buffers that have values, beside parameters that have none, are without them meanwhile."""
    kept = [(part, name, buffer) for part in model.modules() for name, buffer in part._buffers.items() if buffer is not None]
    kept = kept if _on_meta(model) else []
    for part, name, buffer in kept:
        part._buffers[name] = buffer.to("meta")
    try:
        yield
    finally:
        for part, name, buffer in kept:
            part._buffers[name] = buffer


def _placed(model: Any, inputs: object) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of the call, copied, since the model may write into them; on the meta device if the module is there."""
    arguments, by_name = as_torch(cloned(call_arguments(inputs)))
    if not _on_meta(model):
        return arguments, by_name
    from torch.utils._pytree import tree_map_only

    tensor = sys.modules["torch"].Tensor
    move: Callable[[Any], Any] = lambda value: value.to("meta")  # noqa: E731
    placed: tuple[tuple[Any, ...], dict[str, Any]] = tree_map_only(tensor, move, (arguments, by_name))
    return placed


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """Without warnings, such as a deprecated exporter."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
