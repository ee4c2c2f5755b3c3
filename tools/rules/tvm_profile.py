#!/usr/bin/env python3
"""Makes rules/tvm.toml from the conversion table of TVM's importer of exported programs.

usage: python tools/rules/tvm_profile.py PARTS.json      with a Python that has torch and apache-tvm

PARTS.json is what tools/rules/decompose.py writes; without it no operator is judged by what it is decomposed into.
"""
from __future__ import annotations

import operator

import decompose
import profile_file as out
import rewrites
import torch
from tvm.relax.frontend.torch import exported_program_translator

# Decomposed into `_to_copy`, which is given the same dtype.
CONVERSIONS = {"aten::to.device", "aten::to.dtype", "aten::to.dtype_layout"}

Importer = exported_program_translator.ExportedProgramImporter


# What the importer requires of arguments and tensors that a program shows.
CONSTRAINTS = [
    {"operators": ["aten::cat"], "same_rank": True, "reason": "Concat expects all input tensors to have same ndim"},
]


def takes(dtype: torch.dtype) -> bool:
    try:
        return bool(Importer._convert_data_type(dtype))
    except NotImplementedError:
        return False


def of_dtypes(operators: set[str]) -> list[dict]:
    """The importer must have a name for the dtype of every tensor, and for one that an operator's arguments ask for."""
    known = {d for d in vars(torch).values() if isinstance(d, torch.dtype)}
    taken = {d for d in known if takes(d)}
    reason = "the importer has no such dtype"
    return [{"operators": sorted(operators), "dtypes": names_of(taken), "reason": reason},
            {"operators": sorted(CONVERSIONS), "attribute": "dtype", "none_of": names_of(known - taken), "reason": reason}]


def names_of(dtypes: set[torch.dtype]) -> list[str]:
    return sorted(str(d).removeprefix("torch.") for d in dtypes)


def main() -> None:
    table = Importer().create_convert_map()
    found = {decompose.schema_of(f"aten::{key}") for key in table if isinstance(key, str) and "." in key}
    found |= {f"_operator::{key}" for key in table if isinstance(key, str) and hasattr(operator, key)}
    parts = decompose.given_parts()
    decomposed = decompose.beyond(parts, found)
    removed = decompose.decomposed() - found - set(decomposed) - decompose.staying(parts)
    found |= CONVERSIONS
    removed -= found
    text = out.profile(
        target={
            "name": "tvm",
            "description": "TVM through relax's importer of exported programs, from_exported_program",
            "package": out.installed("apache-tvm", "torch"),
            "made_by": "tools/rules/tvm_profile.py",
            "url": "https://tvm.apache.org/docs/reference/api/python/relax/frontend.html",
            "refusal": "Unsupported function types ['{operator}']",
            "notes": [
                "the importer decomposes a program into core ATen operators before it looks in its table",
                "[decomposed] holds operators whose parts, on torch's own samples, are not all in the table",
            ],
        },
        judged={"overloads": True, "functionalised": True},
        operators=dict.fromkeys(found, 0),
        constraints=CONSTRAINTS + of_dtypes(found),
        removed=removed,
        decomposed=decomposed,
        replacements=rewrites.of_table(found | removed, exported=True),
    )
    out.write("tvm", text)


if __name__ == "__main__":
    main()
