#!/usr/bin/env python3
"""Makes rules/executorch-xnnpack.toml from the partitioner's configurations of ExecuTorch's XNNPACK backend.

usage: python tools/rules/executorch_xnnpack_profile.py PARTS.json      with a Python that has torch and executorch

PARTS.json is what tools/rules/decompose.py writes; without it no operator is judged by what it is decomposed into.
"""""
from __future__ import annotations

from executorch.backends.xnnpack.partition import config

import decompose
import edge_names
import profile_file as out
import rewrites

DTYPES = ["float32", "float16", "int8", "uint8"]


def schema_name(target: str) -> str:
    """The name that a program has before it becomes an edge program: `view_copy.default` -> `aten::view`."""
    return decompose.schema_of(f"aten::{edge_names.program_name(target)}")


def operators() -> dict[str, int]:
    return {schema_name(c().target_name): 0 for c in config.ALL_PARTITIONER_CONFIGS if "affine" not in c().target_name}


def main() -> None:
    found = operators()
    kept = {decompose.schema_of(str(o)) for c in config.ALL_PARTITIONER_CONFIGS
            if (o := c().get_original_aten()) is not None}
    found |= {f"aten::{n.removeprefix('aten.')}": 0 for n in kept}
    decomposed = decompose.beyond(decompose.given_parts(), set(found))
    removed = decompose.decomposed() - set(found) - set(decomposed) | decompose.SIZE_ARITHMETIC
    text = out.profile(
        target={
            "name": "executorch-xnnpack",
            "description": "ExecuTorch's XNNPACK backend: operators that its partitioner delegates",
            "package": out.installed("executorch", "torch"),
            "made_by": "tools/rules/executorch_xnnpack_profile.py",
            "url": "https://docs.pytorch.org/executorch/stable/backends-xnnpack.html",
            "refusal": "no partitioner configuration for {operator}, which runs on the portable kernels instead",
            "notes": ["an operator that is not delegated still runs, more slowly, where ExecuTorch has a portable kernel",
                      "the edge dialect's view_copy, permute_copy and the like stand here as view, permute",
                      "the partitioner also refuses empty tensors, symbolic shapes and tensors of several dtypes in one node",
                      "[decomposed] holds operators whose parts, on torch's own samples, are not all in the table"],
        },
        judged={"overloads": True, "functionalised": True}, operators=found,
        constraints=[{"operators": sorted(found), "dtypes": DTYPES,
                      "reason": "XNNPACK takes tensors of float32, float16, int8 and uint8 only"}],
        removed=removed, decomposed=decomposed, replacements=rewrites.of_table(set(found) | removed, exported=True))
    out.write("executorch-xnnpack", text)


if __name__ == "__main__":
    main()
