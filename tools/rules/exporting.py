"""Exporting many models: what every script that does sets first, and how long one may take."""
from __future__ import annotations

import functools
import signal
import warnings
from collections.abc import Callable

import torch
from torch._export import utils
from torch.export import exported_program

MOST_SAID = 1500  # characters of what is said


def quiet() -> None:
    warnings.filterwarnings("ignore")
    torch.manual_seed(0)
    torch.set_grad_enabled(False)


def list_operators_once() -> None:
    """torch makes a list of all operators before each decomposition, which takes longer than that: for when no more are registered."""
    utils._materialize_cpp_cia_ops = functools.cache(utils._materialize_cpp_cia_ops)


def override_quickly() -> None:
    """torch overrides thousands of operators before each decomposition, and evaluates the annotations of a decorator for each: half of the time."""
    slowly = torch._ops.OperatorBase.py_impl

    def py_impl(self, key):
        if not isinstance(key, torch._C.DispatchKey) or key == torch._C.DispatchKey.Python or key in self.py_kernels:
            return slowly(self, key)

        def put(kernel):
            self.py_kernels[key] = kernel
            self._dispatch_cache.clear()
            return kernel
        return put

    torch._ops.OperatorBase.py_impl = py_impl
    exported_program.autograd_not_implemented = functools.cache(exported_program.autograd_not_implemented)


def late(*_):
    raise TimeoutError("too slow")


def failure(action: Callable[[], object], seconds: int) -> str:
    """Why an action failed, or took too long; empty where it did not."""
    signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        action()
        return ""
    except Exception as error:
        return f"{type(error).__name__}: {' '.join(str(error).split())[:MOST_SAID]}"
    finally:
        signal.alarm(0)


def succeeds(action: Callable[[], object], seconds: int) -> bool:
    """Whether an action comes to its end in time: a model that cannot be exported is not one for a converter."""
    return not failure(action, seconds)
