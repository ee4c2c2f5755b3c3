"""Runs what was written, in a process that reads files, computes, and writes beneath one folder alone: started by `migrate`.

Arguments: the folder of the module, the TorchScript file, and what to do, in JSON. Prints one line of JSON.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import sys
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .._library import LIBRARY


def main() -> None:
    """Confines this process before torch or anything of the file is loaded."""
    folder, file, task = Path(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
    LIBRARY.call("mv_confine", os.fsencode(folder), int(task["require"]))
    os.environ["TMPDIR"] = str(folder)
    answers = os.dup(1)
    os.dup2(2, 1)  # what the model prints is no answer
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True
    warnings.simplefilter("ignore")
    found = _done(folder, file, task)
    os.write(answers, json.dumps(found).encode() + b"\n")


def _done(folder: Path, file: str, task: dict[str, Any]) -> dict[str, Any]:
    import torch

    torch.set_num_threads(1)
    found: dict[str, Any] = {}
    found["state"] = found["outputs"] = ""
    try:
        new = importlib.import_module("model").load()  # the module that was written
        jit: Any = torch.jit
        old = jit.load(file)
    except Exception as error:
        return {"failed": _sentence(error)}
    found["state"] = _state(old, new)
    for size in range(2):
        for seed in range(5):
            found["outputs"] = found["outputs"] or _outputs(old, new, task["inputs"], seed, size)
    found |= {"exported": False, "dynamic": False, "blocker": ""}
    if not found["outputs"]:
        found |= _exported(folder, task)
    return found


def _sentence(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:400]}"


def _state(old: Any, new: Any) -> str:
    """How the weights differ; empty where they do not."""
    import torch

    before, after = old.state_dict(), new.state_dict()
    for name, tensor in before.items():
        if name not in after or after[name].dtype != tensor.dtype or not torch.equal(after[name].nan_to_num(), tensor.nan_to_num()):
            return f"the tensor {name!a} differs"
    return ""


def _made(inputs: list[dict[str, Any]], seed: int, size: int) -> list[Any]:
    """Inputs; of the second size, the first dimension of all is one longer."""
    import torch

    torch.manual_seed(seed)
    made = []
    for one in inputs:
        if one["number"] is not None:
            made.append(one["number"])
            continue
        shape = [length + size if not at else length for at, length in enumerate(one["shape"])]
        dtype = getattr(torch, one["dtype"])
        if dtype.is_floating_point or dtype.is_complex:
            values = torch.randn(shape, dtype=dtype) if one["span"] is None else torch.empty(shape, dtype=dtype).uniform_(*one["span"])
        else:
            low, high = one["span"] or (0, 1)
            values = torch.randint(int(low), int(high) + 1, shape).to(dtype)
        made.append(values)
    return made


def _run(model: Any, inputs: list[Any], seed: int) -> Any:
    import torch

    torch.manual_seed(seed)
    with torch.no_grad():
        return model(*[value.clone() if isinstance(value, torch.Tensor) else value for value in inputs])


def _outputs(old: Any, new: Any, inputs: list[dict[str, Any]], seed: int, size: int) -> str:
    """How the outputs differ, bit by bit; empty where they do not."""
    given = _made(inputs, seed, size)
    try:
        expected = _run(old, given, seed)
    except Exception as error:
        # A size that the file itself cannot take shows nothing.
        return "" if size else f"the file does not run with these inputs: {_sentence(error)}"
    try:
        got = _run(new, given, seed)
    except Exception as error:
        return f"the module does not run: {_sentence(error)}"
    return _difference(expected, got)


def _tensor_difference(expected: Any, got: Any) -> str:
    return "" if _same_bits(expected, got) or _same_with_nan(expected, got) else "an output differs"


def _same_bits(one: Any, other: Any) -> bool:
    import torch

    flat = [tensor.contiguous().view(-1).view(torch.uint8) for tensor in (one, other)] if one.numel() else [one, other]
    return torch.equal(*flat)


def _same_with_nan(one: Any, other: Any) -> bool:
    """Not a number is as good as any other."""
    import torch

    return torch.equal(one.isnan(), other.isnan()) and torch.equal(one.nan_to_num(), other.nan_to_num())


def _difference(expected: Any, got: Any) -> str:
    import torch

    if isinstance(expected, torch.Tensor):
        alike = isinstance(got, torch.Tensor) and (got.dtype, got.shape) == (expected.dtype, expected.shape)
        return _tensor_difference(expected, got) if alike else "an output has another dtype or shape"
    if isinstance(expected, list | tuple):
        alike = isinstance(got, list | tuple) and len(got) == len(expected)
        return _first_difference(expected, got) if alike else "an output has another structure"
    if isinstance(expected, dict):
        alike = isinstance(got, dict) and list(got) == list(expected)
        return _first_difference(expected.values(), got.values()) if alike else "an output has other keys"
    same = expected == got or (isinstance(expected, float) and math.isnan(expected))
    return "" if same else "an output that is no tensor differs"


def _first_difference(expected: Iterable[Any], got: Iterable[Any]) -> str:
    return next((text for one, other in zip(expected, got, strict=True) if (text := _difference(one, other))), "")


def _exported(folder: Path, task: dict[str, Any]) -> dict[str, Any]:
    """Exports with sizes that are free, and else with those of the inputs."""
    import torch

    blocker = ""
    for dynamic in (True, False):
        try:
            inputs = tuple(_made(task["inputs"], 0, 0))
            free = tuple(dict.fromkeys(range(value.dim()), torch.export.Dim.AUTO) if isinstance(value, torch.Tensor) else None for value in inputs)
            with torch.no_grad():
                program = torch.export.export(importlib.import_module("model").load(), inputs, dynamic_shapes=free if dynamic else None)
            torch.export.save(program, folder / "model.pt2")
            if task["onnx"]:
                torch.onnx.export(program, f=folder / "model.onnx")
            return {"exported": True, "dynamic": dynamic, "blocker": ""}
        except Exception as error:
            blocker = _sentence(error)
    return {"exported": False, "dynamic": False, "blocker": blocker}


if __name__ == "__main__":
    main()
