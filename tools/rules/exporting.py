"""Exporting many models: what every script that does sets first, and how long one may take."""
from __future__ import annotations

import signal
import warnings
from collections.abc import Callable

import torch


def quiet() -> None:
    warnings.filterwarnings("ignore")
    torch.manual_seed(0)
    torch.set_grad_enabled(False)


def late(*_):
    raise TimeoutError("too slow")


def succeeds(action: Callable[[], object], seconds: int) -> bool:
    """Whether an action comes to its end in time: a model that cannot be exported is not one for a converter."""
    signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        action()
        return True
    except Exception:
        return False
    finally:
        signal.alarm(0)
