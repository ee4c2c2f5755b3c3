"""`torch.compile`, with the first result of each compilation compared with that of the original."""

from __future__ import annotations

import copy
import sys
import threading
from collections.abc import Callable
from typing import Any

from ._running import cloned
from .verification import same

Backend = Callable[..., Callable[..., Any]]


def verified(backend: str | Backend, *, tol: float = 1e-4, cos_similarity: bool = False) -> Backend:
    """A backend for `torch.compile` that compiles with another backend and compares its first result with that of the
    uncompiled graph, on clones of the inputs.

    The compiled function raises RuntimeError, `incorrect results of backend …`, if they differ.
    """
    compile_with = _backend(backend)
    name = backend if isinstance(backend, str) else getattr(backend, "__name__", type(backend).__name__)

    def compile_graph(graph: Any, example_inputs: Any, **options: Any) -> Callable[..., Any]:
        original = copy.deepcopy(graph)  # a backend may change its graph
        compiled = compile_with(graph, example_inputs, **options)
        return _FirstCall(original, compiled, name, tol=tol, cos_similarity=cos_similarity)

    compile_graph.__name__ = f"verified_{name}"
    return compile_graph


class _FirstCall:
    """A compiled graph whose result is compared once."""

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
        torch: Any = sys.modules["torch"]
        with torch.no_grad(), torch.random.fork_rng(devices=[]):
            reference = self._original(*cloned(arguments))
        result = self._compiled(*arguments)
        found = same(reference, result, **self._tolerances)
        if not found:
            raise RuntimeError(f"incorrect results of backend {self._name}: {'; '.join(found.differences)}")
        self._verified = True
        self._original = None
        return result


def _backend(backend: str | Backend) -> Backend:
    if not isinstance(backend, str):
        return backend
    from torch._dynamo.backends.registry import lookup_backend  # imports torch

    found: Backend = lookup_backend(backend)
    return found


def compile(  # torch's word
    model: Any,
    backend: str | Backend = "inductor",
    *,
    verify_correctness: bool = False,
    tol: float = 1e-4,
    cos_similarity: bool = False,
    **options: Any,
) -> Any:
    """`torch.compile`; with `verify_correctness` a wrong result raises RuntimeError, otherwise it goes unnoticed.

    options: those of `torch.compile`.
    """
    import torch  # only when something is compiled

    chosen = verified(backend, tol=tol, cos_similarity=cos_similarity) if verify_correctness else backend
    return torch.compile(model, backend=chosen, **options)
