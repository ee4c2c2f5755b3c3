#!/usr/bin/env python3
"""Makes rules/onnx-export.toml from the registry of torch's exporter of exported programs.

usage: python tools/rules/onnx_export_profile.py PARTS.json      with a Python that has torch, onnx and onnxscript

PARTS.json is what tools/rules/decompose.py writes with `--table onnx`; without it no operator is judged by what it is decomposed into.
"""""
from __future__ import annotations

import torch
from torch.onnx._internal.exporter import _registration

import decompose
import operators
import profile_file as out
import rewrites

SMALLEST = 18   # the exporter writes this opset and converts downwards afterwards


def name_of(key) -> str:
    """Keys are names, operators of torch, and functions of Python that compute with sizes."""
    if isinstance(key, str):
        return key
    return key.name() if isinstance(key, torch._ops.OpOverload) else f"_operator::{key.__name__}"


def main() -> None:
    kept = operators.define_torchvision()
    registry = _registration.ONNXRegistry.from_torchlib()
    found: dict[str, int] = {}
    for key, entries in registry.functions.items():
        since = min((e.opset_introduced or SMALLEST for e in entries), default=SMALLEST)
        found[decompose.schema_of(name_of(key))] = 0 if since <= SMALLEST else since
    del kept
    decomposed = decompose.beyond(decompose.given_parts(), set(found))
    removed = decompose.decomposed("onnx") - set(found) - set(decomposed)
    text = out.profile(
        target={
            "name": "onnx-export",
            "description": "ONNX through torch's exporter of exported programs, torch.onnx.export(dynamo=True)",
            "package": out.installed("torch", "onnxscript"),
            "made_by": "tools/rules/onnx_export_profile.py",
            "url": "https://docs.pytorch.org/docs/stable/onnx_export.html",
            "refusal": "No ONNX function found for {operator}",
            "notes": ["the program is decomposed before the registry is asked, except for operators that are in it",
                  "[decomposed] holds operators whose parts, on torch's own samples, are not all in the table"],
        },
        judged={"opset": 18, "smallest_opset": SMALLEST, "largest_opset": 23, "overloads": True, "functionalised": True},
        operators=found, removed=removed, decomposed=decomposed,
        replacements=rewrites.of_table({n for n, o in found.items() if not o} | removed, exported=True))
    out.write("onnx-export", text)


if __name__ == "__main__":
    main()
