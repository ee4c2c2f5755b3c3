#!/usr/bin/env python3
"""Makes rules/coreml.toml from the registry of coremltools' PyTorch front end.

usage: python tools/rules/coreml_profile.py      with a Python that has torch and coremltools (numpy below 2.4)
"""
from __future__ import annotations

import coremltools
from coremltools.converters.mil.frontend.torch.torch_op_registry import _TORCH_OPS_REGISTRY

import operators
import profile_file as out
from removed import removed_by

def listed(kind: str, _) -> bool:
    return _TORCH_OPS_REGISTRY.get_func(kind) is not None


def functional(name: str) -> bool:
    return not name.endswith("_") or name.endswith("__")


def convert(module, inputs) -> None:
    types = [coremltools.TensorType(shape=i.shape) for i in inputs]
    coremltools.convert(module, inputs=types, convert_to="milinternal")


def main() -> None:
    found = {n for n in operators.names() if functional(n) and _TORCH_OPS_REGISTRY.get_func(n) is not None}
    text = out.profile(
        target={
            "name": "coreml",
            "description": "Core ML through coremltools' PyTorch front end, coremltools.convert on TorchScript",
            "package": out.installed("coremltools", "torch"),
            "made_by": "tools/rules/coreml_profile.py",
            "url": "https://apple.github.io/coremltools/docs-guides/source/convert-pytorch.html",
            "refusal": "PyTorch convert function for op '{operator}' not implemented",
            "notes": ["in-place operators are looked up without their underscore"],
        },
        judged={}, operators=dict.fromkeys(found, 0), removed=removed_by(convert, found, listed))
    out.write("coreml", text)


if __name__ == "__main__":
    main()
