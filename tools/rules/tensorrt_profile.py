#!/usr/bin/env python3
"""Makes rules/tensorrt.toml from the converters of torch-tensorrt, whose sources are read and never imported.

usage: pip install --no-deps torch-tensorrt==2.13.0, then python tools/rules/tensorrt_profile.py with that Python
"""
from __future__ import annotations

import ast
import importlib.metadata

import decompose
import profile_file as out
import rewrites
import torch

FOLDER = "torch_tensorrt/dynamo/conversion/"


def converter_keys(tree: ast.Module):
    """(`torch.ops.aten.relu.default`, whether it has a validator of arguments)"""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("dynamo_tensorrt_converter") and node.args:
            yield ast.unparse(node.args[0]), any(k.arg == "capability_validator" for k in node.keywords)


def schema_names(key: str) -> list[str]:
    """A key without overload stands for the default one, and for all overloads of a packet."""
    parts = key.split(".")
    if parts[0] == "operator":
        return [f"_operator::{parts[1]}"]
    if parts[:2] != ["torch", "ops"]:
        return []
    if len(parts) == 5:
        return [decompose.schema_of(f"{parts[2]}::{parts[3]}.{parts[4]}")]
    packet = getattr(getattr(torch.ops, parts[2]), parts[3], None)
    overloads = packet.overloads() if packet is not None else ["default"]
    return [decompose.schema_of(f"{parts[2]}::{parts[3]}.{o}") for o in overloads if o != "out"]


def main() -> None:
    files = [f for f in importlib.metadata.files("torch-tensorrt")
             if str(f).startswith(FOLDER) and f.name.endswith(".py") and str(f.parent) == FOLDER.rstrip("/")]
    keys = [key for file in files for key in converter_keys(ast.parse(file.read_text()))]
    found = {name for key, _ in keys for name in schema_names(key)}
    validated = sum(v for _, v in keys)
    removed = decompose.decomposed() - found
    text = out.profile(
        target={
            "name": "tensorrt",
            "counterparts": ["tensorrt-onnx"],
            "description": "TensorRT through torch-tensorrt's converters of exported programs",
            "package": out.installed("torch-tensorrt"),
            "made_by": "tools/rules/tensorrt_profile.py",
            "url": "https://docs.pytorch.org/TensorRT/",
            "refusal": "no converter for {operator}, which falls back to PyTorch",
            "notes": ["read from the sources of the package; never run here, because the converters need a GPU",
                      f"{validated} of {len(keys)} converters also look at an operator's arguments, which is not stated here",
                      "[removed_by_passes]: what torch decomposes by default; the compiler's own lowering differs in places"],
        },
        judged={"overloads": True, "functionalised": True, "falls_back": True}, operators=dict.fromkeys(found, 0),
        removed=removed, replacements=rewrites.of_table(found | removed, exported=True))
    out.write("tensorrt", text)


if __name__ == "__main__":
    main()
