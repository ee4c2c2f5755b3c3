#!/usr/bin/env python3
"""Makes rules/onnx.toml from the registry of torch's TorchScript-based ONNX exporter.

usage: python tools/rules/onnx_profile.py      with a Python that has torch and torchvision
"""
from __future__ import annotations

import importlib
import pkgutil

import computed_otherwise
import profile_file as out
import rewrites
import torch
import torchvision  # noqa: F401  # registers its own operators with the exporter
from removed import removed_by
from torch.onnx._internal import torchscript_exporter
from torch.onnx._internal.torchscript_exporter import registration

SMALLEST, DEFAULT, LARGEST = 9, 17, 20

# Of `_propagate_and_assign_input_shapes`, when an argument of forward is left to its default.
DEFAULT_ARGUMENTS = ("input_values.size() == param_count_list.size(): a scripted forward may leave no argument to its "
                     "default")


# What the symbolic functions require of arguments that a file shows. Complex dtypes are 8, 9 and 10.
CONSTRAINTS = [
    {"operators": ["aten::index_add"], "attribute": "alpha", "one_of": [1],
     "reason": "Unsupported: ONNX export of operator index_add, alpha != 1"},
    {"operators": ["aten::alpha_dropout", "aten::feature_dropout", "aten::feature_alpha_dropout"], "attribute": "train",
     "one_of": [False], "reason": "Unsupported: ONNX export of dropout in training mode"},
    {"operators": ["aten::threshold"], "attribute": "threshold", "one_of": [0],
     "reason": "Unsupported: ONNX export of operator threshold, non-zero threshold"},
    {"operators": ["aten::threshold"], "attribute": "value", "one_of": [0],
     "reason": "Unsupported: ONNX export of operator threshold, non-zero value"},
    {"operators": ["aten::scatter_reduce"], "attribute": "include_self", "one_of": [True],
     "reason": "ONNX does not support include_self=False for scatter_reduce"},
    {"operators": ["aten::scatter_reduce"], "attribute": "reduce", "none_of": ["mean"],
     "reason": "ONNX does not support mean reduction for scatter_reduce"},
    {"operators": ["aten::linalg_matrix_norm"], "attribute": "ord", "none_of": ["nuc", 2, -2],
     "reason": "Unsupported: ONNX export of operator linalg.matrix_norm, ord==nuc or 2"},
    {"operators": ["aten::stft"], "attribute": "return_complex", "one_of": [False],
     "reason": "STFT does not currently support complex types"},
    {"operators": ["aten::add"], "attribute": "use", "none_of": ["of an if", "dynamic"],
     "reason": "Unsupported: ONNX export of operator add, does not support adding dynamic tensor list to another"},
    {"operators": ["aten::__getitem__"], "attribute": "use",
     "none_of": ["constant bool[]", "constant str[]", "constant Dict(str, Tensor)"],
     "reason": "Unsupported prim::Constant kind: 'ival'"},
    {"operators": ["prim::max"], "not_overloads": ["self_int", "self_float"],
     "reason": "prim_max() missing 1 required positional argument: 'other'"},
    {"operators": ["aten::to"], "attribute": "dtype", "none_of": [8, 9, 10],
     "reason": "ScalarType ComplexFloat is an unexpected tensor scalar type"},
]


def registry():
    """All of it: each symbolic_opset module registers its operators when it is imported."""
    for module in pkgutil.iter_modules(torchscript_exporter.__path__):
        if module.name.startswith("symbolic_opset"):
            importlib.import_module(f"{torchscript_exporter.__name__}.{module.name}")
    return registration.registry


def first_opset(registered, name: str) -> int | None:
    """The first opset from which the exporter finds the operator."""
    return next((o for o in range(SMALLEST, LARGEST + 1) if registered.is_registered_op(name, o)), None)


def schema_name(name: str) -> str:
    """In-place operators are looked up without their underscore, `__and__` therefore as `__and_`."""
    base = name.split("::")[1]
    return name + "_" if base.startswith("__") and base.endswith("_") and not base.endswith("__") else name


def operators() -> dict[str, int]:
    registered = registry()
    first = {schema_name(n): first_opset(registered, n) for n in registered.all_functions()}
    # `onnx::Placeholder` stands for a node internal to the exporter and is in no file.
    return {n: (0 if o == SMALLEST else o) for n, o in first.items() if o is not None and not n.startswith("onnx::")}


def convert(module, inputs) -> None:
    torch.onnx.export(module, inputs, "/dev/null", opset_version=DEFAULT, dynamo=False)


def listed(kind: str, table: set[str]) -> bool:
    return kind in table or kind.removesuffix("_") in table


def main() -> None:
    found = operators()
    usable = {name for name, opset in found.items() if opset <= DEFAULT}
    removed = removed_by(convert, usable, listed, frozen=True)
    text = out.profile(
        target={
            "name": "onnx",
            "description": "ONNX through torch's TorchScript-based exporter, torch.onnx.export(dynamo=False)",
            "package": out.installed("torch", "torchvision"),
            "made_by": "tools/rules/onnx_profile.py",
            "url": "https://docs.pytorch.org/docs/stable/onnx_torchscript.html",
            "refusal": "Exporting the operator '{operator}' to ONNX opset version {opset} is not supported",
            "notes": ["the number next to an operator is the first opset that has it, 0 where all do",
                      f"opsets below {SMALLEST} are left out: the exporter blocks operators there that it registers"],
        },
        judged={"opset": DEFAULT, "smallest_opset": SMALLEST, "largest_opset": LARGEST, "frozen": True,
                "default_arguments": DEFAULT_ARGUMENTS},
        operators=found, constraints=CONSTRAINTS, removed=removed,
        replacements=rewrites.of_table(usable | removed))
    out.write("onnx", text + computed_otherwise.tables("onnx", text))


if __name__ == "__main__":
    main()
