"""Exporting many models: what every script that does sets first, and how long one may take."""
from __future__ import annotations

import functools
import signal
import warnings
from collections.abc import Callable

import torch
from torch._export import utils

MOST_SAID = 1500  # characters of what is said


def quiet() -> None:
    warnings.filterwarnings("ignore")
    torch.manual_seed(0)
    torch.set_grad_enabled(False)


def list_operators_once() -> None:
    """torch makes a list of all operators before each decomposition, which takes longer than that: for when no more are registered."""
    utils._materialize_cpp_cia_ops = functools.cache(utils._materialize_cpp_cia_ops)


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
