"""How `model_validator verify --command` hands arrays to a program: one .npz with the inputs, one for the outputs.

The inputs have the names and the order of the reference's. NumPy has no bfloat16: its bits come as unsigned integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def read_inputs(file: str, names: Sequence[str]) -> list[Array]:
    """The inputs in the order of a model that calls them so: by name where it knows all names, else as they come."""
    with np.load(file) as arrays:
        given = {name: arrays[name] for name in arrays.files}
    if all(name in given for name in names):
        return [given[name] for name in names]
    if len(given) != len(names):
        raise SystemExit(f"the model takes {', '.join(names)}, and {', '.join(given)} are given")
    return list(given.values())


def write_outputs(file: str, names: Sequence[str], outputs: Sequence[Array]) -> None:
    """Outputs are compared in this order. Names that come twice are numbered."""
    unique = [name if list(names).count(name) == 1 else f"{name}_{i}" for i, name in enumerate(names)]
    with open(file, "wb") as stream:
        np.savez(stream, **dict(zip(unique, outputs, strict=True)))
