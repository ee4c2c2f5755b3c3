"""`torch.compile`, with the first result of each compilation compared with that of the original."""

from __future__ import annotations

import copy
import functools
import inspect
import sys
import threading
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from . import _keywords
from ._arrays import is_torch
from ._exporting import run_once
from ._nesting import cloned
from ._options import Unpack
from ._running import callable_of, same_start
from .verification import same

Backend = Callable[..., Callable[..., Any]]


class Compiling(TypedDict, total=False):
    """Of `torch.compile`, of whatever version."""

    fullgraph: bool
    dynamic: bool | None
    mode: str | None
    options: Mapping[str, Any] | None
    name: str | None
    disable: bool
    recompile_limit: int | None
    isolate_recompiles: bool
    shapes_spec: Any


def verified(backend: str | Backend, *, tol: float = 1e-4, cos_similarity: bool = False) -> Backend:
    """A backend for `torch.compile` that compiles with another backend and compares the first call of the compiled graph
    with that of the original, on clones of the inputs: the result, and the inputs that it changes in place.

    The compiled function raises RuntimeError, `incorrect results of backend …`, if they differ. What depends on random numbers
    that the backend draws otherwise is not compared; a warning says so.
    """
    compile_with = _backend(backend)
    name = _name_of(backend)

    def compile_graph(graph: Any, example_inputs: Any, **options: Any) -> Callable[..., Any]:
        original = copy.deepcopy(graph)  # a backend may change its graph
        compiled = compile_with(graph, example_inputs, **options)
        return _FirstCall(original, compiled, name, tol=tol, cos_similarity=cos_similarity)

    compile_graph.__name__ = f"verified_{name}"
    return compile_graph


class _FirstCall:
    """A compiled graph whose first call is compared with that of the original."""

    def __init__(self, original: Any, compiled: Callable[..., Any], name: str, **tolerances: Any) -> None:
        self._original: Any = original
        self._compiled = compiled
        self._name = name
        self._tolerances = tolerances
        self._lock = threading.Lock()
        self._verified = False

    def __call__(self, *arguments: Any) -> Any:
        if self._verified:
            return self._compiled(*arguments)
        with self._lock:
            return self._compiled(*arguments) if self._verified else self._compare(arguments)

    def _compare(self, arguments: tuple[Any, ...]) -> Any:
        before = cloned(arguments)
        reference = _Reference(self._original, before)
        expected = reference.run()
        result = self._compiled(*arguments)
        self._judge(reference, expected, _Outcome(result, _tensors(arguments)))
        self._verified = True
        self._original = None
        return result

    def _judge(self, reference: _Reference, expected: _Outcome, found: _Outcome) -> None:
        """@raises RuntimeError if they differ by more than rounding"""
        if not expected.differences(found, **self._tolerances):
            return
        if reference.is_random():
            warnings.warn(f"the result of backend {self._name} is not verified: the model draws random numbers", stacklevel=2)
        elif differences := expected.differences(found, reference.run_in_float64(), **self._tolerances):
            raise RuntimeError(f"incorrect results of backend {self._name}: {'; '.join(differences)}")


@dataclass(frozen=True)
class _Outcome:
    """What a call returns, and its tensors afterwards."""

    result: Any
    inputs: Sequence[Any]

    def differences(self, other: _Outcome, exact: _Outcome | None = None, **tolerances: Any) -> list[str]:
        results = same(self.result, other.result, exact and exact.result, equal_nan=True, **tolerances)
        inputs = same(self.inputs, other.inputs, exact and exact.inputs, equal_nan=True, **tolerances)
        return [*results.differences, *(f"change of an input in place: {line}" for line in inputs.differences)]


class _Reference:
    """A graph that has not been compiled, and what it is called with."""

    def __init__(self, graph: Any, arguments: tuple[Any, ...]) -> None:
        self._graph = graph
        self._arguments = arguments

    def run(self) -> _Outcome:
        return _run(self._graph, cloned(self._arguments))

    def run_in_float64(self) -> _Outcome | None:
        """None where the graph cannot be run so."""
        try:
            return _run(copy.deepcopy(self._graph).double(), tuple(_as_float64(argument) for argument in self._arguments))
        except Exception:  # a graph may insist on its dtypes in any way
            return None

    def is_random(self) -> bool:
        """Whether it gives something else when it draws other random numbers."""
        torch: Any = sys.modules["torch"]
        first = self.run()
        with torch.random.fork_rng():
            torch.manual_seed(torch.initial_seed() + 1)
            return bool(first.differences(self.run()))


def _run(graph: Any, arguments: tuple[Any, ...]) -> _Outcome:
    torch: Any = sys.modules["torch"]
    with torch.no_grad(), same_start(graph):
        return _Outcome(graph(*arguments), _tensors(arguments))


def _tensors(arguments: tuple[Any, ...]) -> list[Any]:
    return [argument for argument in arguments if is_torch(argument)]


def _as_float64(argument: Any) -> Any:
    (copied,) = cloned((argument,))
    return copied.detach().double() if is_torch(copied) and copied.is_floating_point() else copied


def _name_of(backend: str | Backend) -> str:
    if isinstance(backend, str):
        return backend
    return str(getattr(backend, "__name__", None) or getattr(backend, "compiler_name", None) or type(backend).__name__)


def _backend(backend: str | Backend) -> Backend:
    if not isinstance(backend, str):
        return backend
    from torch._dynamo.backends.registry import lookup_backend  # imports torch

    found: Backend = lookup_backend(backend)
    return found


def compile(  # torch's word
    model: Callable[..., Any] | None = None,
    backend: str | Backend = "inductor",
    *,
    verify_correctness: bool = True,
    tol: float = 1e-4,
    cos_similarity: bool = False,
    sample_inputs: Any = None,
    **options: Unpack[Compiling],
) -> Any:
    """`torch.compile`, verified: the first call of each compilation raises RuntimeError if its result, or an input that it
    changes in place, is not what the original gives.

    Without a model it is a decorator: `@mv.compile(backend="aot_eager")`. verify_correctness: False is `torch.compile`
    itself. tol, cos_similarity: of `same`. options: those of `torch.compile`.

    sample_inputs: a list or tuple of arrays, a mapping of names, or one array. With them the model is called on copies of them
    at once, so that it comes back compiled and verified.
    """
    import torch  # only when something is compiled

    own = {"verify_correctness": verify_correctness, "tol": tol, "cos_similarity": cos_similarity, "sample_inputs": sample_inputs}
    known = [name for name in inspect.signature(torch.compile).parameters if name != "model"]
    _keywords.refuse("compile", [name for name in options if name not in known], [*known, *own])
    rest: dict[str, Any] = {**options}
    if sample_inputs is not None and isinstance(model, torch.nn.Module):
        run_once(model, sample_inputs, type(model).__name__)
    if model is None:
        return functools.partial(compile, backend=backend, **own, **rest)
    if verify_correctness:
        compiled = _compiled(model, backend, rest, tol=tol, cos_similarity=cos_similarity)
    else:
        compiled = torch.compile(model, backend=backend, **rest)
    if sample_inputs is not None:
        callable_of(compiled)(cloned(sample_inputs))
    return compiled


def _compiled(model: Any, backend: str | Backend, options: dict[str, Any], **tolerances: Any) -> Any:
    """The model, compiled by a backend that verifies."""
    import torch

    if backend == "inductor":
        # Its modes and options are those of a wrapper that torch makes only for the name.
        wrapper: Any = torch._TorchCompileInductorWrapper
        backend = wrapper(options.pop("mode", None), options.pop("options", None), options.get("dynamic"))
    return torch.compile(model, backend=verified(backend, **tolerances), **options)
