#!/usr/bin/env python3
"""Writes which operators ONNX has had, as the package `onnx` and ONNX Runtime know them, and the versions of its own domain's.

    python tools/rules/onnx_schemas.py > src/rules/onnx_schemas_table.cpp

First the newest opset; then named sets of dtypes, `a=float16 float32`; then each operator of ONNX's own domain, and of com.microsoft, with its
versions, `Abs;1|…;6|…` or `com.microsoft.Gelu;1|…`, in the form of `[versions]` of a profile (docs/target-tables.md); then by domain the
operators of which no version is there.
The last part of a version is `*`, or nothing for one that only says that the operator is gone.

ONNX Runtime has some operators of ONNX's domain in older opsets than ONNX, and its own tools write them (`LayerNormalization`). Which
versions take attributes that they do not have is read from rules/onnxruntime.toml, for which the runtime was asked; those that it does not
have are taken to.
"""
from __future__ import annotations

import itertools
import pathlib
import re
from collections.abc import Collection
from types import SimpleNamespace
from typing import Any

import onnx
import onnxruntime
import tomllib
from onnx import defs
from onnxruntime.capi.onnxruntime_pybind11_state import get_all_operator_schema
from onnxruntime_profile import ATTRIBUTES, dtypes, parameters, schemas, variables

# Of ONNX's first versions: experimental, and gone from its registry.
FORMER = ["ATen", "Affine", "ConstantFill", "Crop", "DynamicSlice", "GRUUnit", "GivenTensorFill", "ImageScaler",
          "ParametricSoftplus", "Scale", "ScaledTanh"]


def formal(given: list[Any]) -> list[Any]:
    """As ONNX Runtime's Python interface names the same."""
    return [each if hasattr(each, "typeStr")
            else SimpleNamespace(typeStr=each.type_str, option=each.option, isHomogeneous=each.is_homogeneous) for each in given]


# What a type of ONNX is, beside a tensor.
KINDS = {"seq(tensor(": "s", "optional(tensor(": "o", "optional(seq(": "q", "sparse_tensor(": "z", "map(": "m", "seq(map(": "m"}
HELD = re.compile(r"\w+\((?:seq\()?(tensor\(\w+\))\)+")


def kinds_of(types: Collection[str]) -> str:
    """The letters of what its types are, with `t` first where it may be a tensor."""
    return "".join(sorted({next((k for start, k in KINDS.items() if each.startswith(start)), "t") for each in types}, key="tsoqzm".index))


def held(types: Collection[str]) -> frozenset[str]:
    return dtypes([found[1] for each in types if (found := HELD.fullmatch(each))])


def named(schema: Any) -> dict[str, tuple[str, frozenset[str]]]:
    """Of each variable that may be something else than a tensor: by which one its elements go, and their dtypes."""
    own, found = variables(schema), {}
    for each in schema.type_constraints:
        types, name = list(each.allowed_type_strs), each.type_param_str
        if kinds_of(types) == "t":
            continue
        elements = held(types) or dtypes(types)
        twin = next((other for other in own if name not in own and own[other] == elements), name)
        found[name] = (twin, elements)
    return found


def with_kinds(given: list[Any], least: int, schema: Any, own: dict[str, frozenset[str]]) -> str:
    """Its parameters, with what they are behind a bar where that is not a tensor."""
    other = named(schema)
    allowed = {each.type_param_str: each.allowed_type_strs for each in schema.type_constraints}
    words = []
    for each, word in zip(formal(given), parameters(formal(given), own, least).split(), strict=True):
        types = allowed.get(each.typeStr, [each.typeStr])
        kinds = kinds_of(types)
        if kinds == "t":
            words.append(word)
            continue
        name, elements = other.get(each.typeStr, (next(iter(own), "any"), held(types)))
        mark = word[len(word.rstrip("?*+")) :]
        words.append(f"{name if elements else 'any'}/{kinds}{mark}")
    return " ".join(words)


def name_of(schema: Any) -> str:
    return f"{schema.domain}.{schema.name}" if schema.domain else schema.name


def all_schemas() -> list[Any]:
    """Of ONNX's own domain and of ONNX Runtime's, by name and version."""
    known: dict[tuple[str, int], Any] = {(each.name, each.since_version): each for each in defs.get_all_schemas_with_history() if not each.domain}
    names = {name for name, _ in known}
    for (domain, name), versions in schemas().items():
        for each in versions:
            defined = known.get((name, each.since_version))
            if not domain and name in names and (defined is None or (defined.deprecated and not each.deprecated)):
                known[name, each.since_version] = each
    own = [each for (domain, _), versions in schemas().items() if domain == "com.microsoft" for each in versions]
    return [known[key] for key in sorted(known)] + sorted(own, key=lambda each: (each.name, each.since_version))


def takes_no_others() -> set[tuple[str, int]]:
    """The versions of operators that have no attributes but their own."""
    profile = pathlib.Path(__file__).parents[2] / "rules" / "onnxruntime.toml"
    parts = [(name.removeprefix("onnx::").replace("::", "."), each.split("|"))
             for name, records in tomllib.loads(profile.read_text())["versions"].items() for each in records]
    return {(name, int(each[0])) for name, each in parts if "*" not in each[3].split()}


def record(schema: Any, strict: set[tuple[str, int]], sets: dict[frozenset[str], str]) -> str:
    own = variables(schema)
    own = {name: elements for name, elements in named(schema).values() if elements} | own
    attributes = " ".join(f"{name}:{ATTRIBUTES[str(each.type).rpartition('.')[2]]}{'!' if each.required else ''}"
                          for name, each in sorted(schema.attributes.items()))
    if (name_of(schema), schema.since_version) not in strict:
        attributes = f"{attributes} *".strip()
    dtypes = " ".join(f"{name}={sets.setdefault(types, f't{len(sets)}') if len(types) > 1 else next(iter(types))}"
                      for name, types in sorted(own.items()))
    parts = (str(schema.since_version), with_kinds(schema.inputs, schema.min_input, schema, own),
             with_kinds(schema.outputs, schema.min_output, schema, own), attributes, dtypes, "" if schema.deprecated else "*")
    return "|".join(parts)


def without_versions(known: set[str]) -> dict[str, list[str]]:
    """The other operators of ONNX's domains, by domain."""
    names = {(schema.domain, schema.name) for schema in (*defs.get_all_schemas_with_history(), *get_all_operator_schema())}
    names |= {("", name) for name in FORMER}
    names -= {("", name) for name in known}
    domains = {domain for domain, _ in names if not domain or domain.startswith("ai.onnx")}
    return {domain or "onnx": sorted(name for of, name in names if of == domain) for domain in sorted(domains)}


def main() -> None:
    strict, sets = takes_no_others(), dict[frozenset[str], str]()
    records = {name: [record(each, strict, sets) for each in versions] for name, versions in itertools.groupby(all_schemas(), name_of)}
    print(f"// Written by tools/rules/onnx_schemas.py from onnx {onnx.__version__}, onnxruntime {onnxruntime.__version__}.\n"
          '#include "rules/onnx_schemas_table.h"\n\n'
          "namespace model_validator::rules {\n\n"
          f'const std::string_view onnx_schemas_table = R"({defs.onnx_opset_version()}')
    for types, name in sets.items():
        print(f"{name}={' '.join(sorted(types))}")
    for name, versions in records.items():
        print(";".join([name, *versions]))
    for domain, names in without_versions(set(records)).items():
        print(f"{domain}: {' '.join(names)}")
    print(')";\n\n} // namespace model_validator::rules')


if __name__ == "__main__":
    main()
