"""Exporting a model to the formats that converters are tested with."""
from __future__ import annotations

import pathlib
import signal
import warnings

import torch


def quiet() -> None:
    """What every script that exports many models sets first."""
    warnings.filterwarnings("ignore")
    torch.manual_seed(0)
    torch.set_grad_enabled(False)


def late(*_):
    raise TimeoutError("too slow")


def failure(action, seconds: int) -> str:
    """Why an action failed or took too long; empty where it did not."""
    signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        action()
        return ""
    except Exception as error:  # a model that cannot be exported is not one for a converter
        return f"{type(error).__name__}: {str(error).splitlines()[0][:100] if str(error) else ''}"
    finally:
        signal.alarm(0)


def write(folder: pathlib.Path, name: str, model, inputs, formats, seconds: int, strict: bool = True) -> dict[str, str]:
    """Writes NAME.inputs.pt and a file for each format; format -> why there is none, or nothing."""
    ways = {
        "traced": lambda: torch.jit.trace(model, inputs, strict=strict, check_trace=False).save(folder / f"{name}.traced.pt"),
        "scripted": lambda: torch.jit.script(model).save(folder / f"{name}.scripted.pt"),
        "pt2": lambda: torch.export.save(torch.export.export(model, inputs, strict=False), folder / f"{name}.pt2"),
    }
    torch.save(inputs, folder / f"{name}.inputs.pt")
    return {each: failure(ways[each], seconds) for each in formats}
