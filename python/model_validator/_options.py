"""Arguments that several calls take."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from ._live import is_live
from ._words import FailOn, Preset, Sandbox, SeverityOrOff

if sys.version_info >= (3, 11):
    from typing import Unpack as Unpack  # noqa: PLC0414 (given on)
elif TYPE_CHECKING:
    from typing_extensions import Unpack as Unpack  # noqa: PLC0414 (given on)
else:
    Unpack = None  # named in annotations alone, which nothing reads there

Texts = str | Sequence[str] | None
Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None
OnePath = str | os.PathLike[str] | None

# Options of the C interface, which describes them; each is left out where it is None.


class Reading(TypedDict, total=False):
    """How a model is read."""

    sandbox: Sandbox | None
    max_memory: int | None
    max_cpu: int | None
    timeout: float | None
    op_library: Paths


class Tracing(Reading, total=False):
    """With what a file is traced, where inputs are described."""

    seed: int | None
    samples: int | None
    sizes: Texts
    range: str | None
    run_values: bool | None
    max_steps: int | None


class Settings(TypedDict, total=False):
    """What is checked, and what counts: as in a configuration file."""

    target: Texts
    preset: Preset | None
    profile: Paths
    plugins: Texts
    opset: int | None
    select: Texts
    extend_select: Texts
    ignore: Texts
    severity: Mapping[str, SeverityOrOff] | None
    fail_on: FailOn | None
    fail_on_installed: bool | None
    baseline: OnePath
    config: OnePath


class OfMany(Settings, Reading, total=False):
    """Of `batch.run`."""


class Checking(Settings, Tracing, total=False):
    """Of `check`."""

    isolated: bool | None
    show_suppressed: bool | None
    verbose: bool | None


WEIGHT_RULES = {"non-finite-weights": "NUM002", "weight-range": "QNT010"}
"""Rules that read weights, with their codes."""


def asks_for_weights(*selected: Texts) -> bool:
    """Whether selectors of rules, such as `NUM`, name one that reads weights."""
    names = [name for each in selected for name in texts(each) or ()]
    codes = WEIGHT_RULES.values()
    return any(name == "ALL" or name in WEIGHT_RULES or any(code.startswith(name) for code in codes) for name in names)


@contextlib.contextmanager
def described_inputs(model: object, inputs: object) -> Iterator[dict[str, Any]]:
    """The options for inputs of a file. A live module was given its inputs when it was exported."""
    if inputs is None or is_live(model):
        yield {}
    elif isinstance(inputs, str):
        yield {"inputs": [inputs]}
    elif isinstance(inputs, os.PathLike):
        yield {"input_files": [os.fspath(inputs)]}
    elif isinstance(inputs, list | tuple) and all(isinstance(item, str) for item in inputs):
        yield {"inputs": list(inputs)}
    else:
        with tempfile.TemporaryDirectory(prefix="model_validator-") as folder:
            yield {"input_files": [_saved(inputs, Path(folder) / "inputs.npz")]}


def _saved(inputs: object, file: Path) -> str:
    """Arrays saved to a file: those of a mapping by name, others by position."""
    import numpy as np  # only when arrays are given

    from ._arrays import to_numpy

    if isinstance(inputs, Mapping):
        arrays = {str(name): to_numpy(value) for name, value in inputs.items()}
        np.savez(file, allow_pickle=False, **arrays)
    else:
        several = inputs if isinstance(inputs, list | tuple) else [inputs]
        np.savez(file, *(to_numpy(value) for value in several), allow_pickle=False)
    return str(file)


SEVERAL = ("target", "profile", "select", "extend_select", "ignore", "op_library")


def given_lists(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that are given, those that may be several as lists."""
    given = {name: value for name, value in options.items() if value is not None}
    return {name: texts(value) if name in SEVERAL else value for name, value in given.items()}


def texts(value: object) -> list[str] | None:
    """One text, a path, or several of them, as a list. A text may name several, with commas, as on the command line."""
    if value is None:
        return None
    if isinstance(value, str):
        return [part for part in value.split(",") if part]
    if isinstance(value, os.PathLike):
        return [os.fspath(value)]
    if isinstance(value, Sequence):
        return [part for item in value for part in texts(item) or []]
    raise TypeError(f"expected a string or a list of strings, not {type(value).__name__}")
