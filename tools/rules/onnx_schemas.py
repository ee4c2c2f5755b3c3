#!/usr/bin/env python3
"""Writes the versions of ONNX's own operators, as the package `onnx` defines them.

    python tools/rules/onnx_schemas.py > src/rules/onnx_schemas_table.cpp

First the newest opset; then named sets of dtypes, `a=float16 float32`; then each operator, followed by its versions in the form of
`[versions]` of a profile (docs/target-tables.md). The last part is `*`, or nothing for a version that only says that the operator is gone.
"""
from __future__ import annotations

import itertools
from types import SimpleNamespace

import onnx
from onnx import defs
from onnxruntime_profile import ATTRIBUTES, parameters, variables


def formal(given: list[defs.OpSchema.FormalParameter]) -> list[SimpleNamespace]:
    """As ONNX Runtime's Python interface names the same."""
    return [SimpleNamespace(typeStr=each.type_str, option=each.option, isHomogeneous=each.is_homogeneous) for each in given]


def record(schema: defs.OpSchema, sets: dict[frozenset[str], str]) -> str:
    own = variables(schema)
    attributes = " ".join(f"{name}:{ATTRIBUTES[each.type.name]}{'!' if each.required else ''}"
                          for name, each in sorted(schema.attributes.items()))
    dtypes = " ".join(f"{name}={sets.setdefault(types, f't{len(sets)}') if len(types) > 1 else next(iter(types))}"
                      for name, types in sorted(own.items()))
    parts = (str(schema.since_version), parameters(formal(schema.inputs), own, schema.min_input),
             parameters(formal(schema.outputs), own, schema.min_output), attributes, dtypes, "" if schema.deprecated else "*")
    return "|".join(parts)


def main() -> None:
    schemas = sorted((each for each in defs.get_all_schemas_with_history() if not each.domain), key=lambda each: (each.name, each.since_version))
    sets: dict[frozenset[str], str] = {}
    records = {name: [record(each, sets) for each in versions] for name, versions in itertools.groupby(schemas, lambda each: each.name)}
    print(f'// Written by tools/rules/onnx_schemas.py from onnx {onnx.__version__}.\n#include "rules/onnx_schemas_table.h"\n\n'
          f'namespace model_validator::rules {{\n\nconst std::string_view onnx_schemas_table = R"({defs.onnx_opset_version()}')
    for types, name in sets.items():
        print(f"{name}={' '.join(sorted(types))}")
    for name, versions in records.items():
        print("\n".join([name, *versions]))
    print(')";\n\n} // namespace model_validator::rules')


if __name__ == "__main__":
    main()
