#!/usr/bin/env python3
"""Makes rules/onnxruntime.toml, for ONNX files, from ONNX Runtime's registry of CPU kernels and its operator schemas.

usage: python tools/rules/onnxruntime_profile.py      with a Python that has onnx and onnxruntime
"""
from __future__ import annotations

import collections
import re

import onnx
import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as runtime

import one_node
import profile_file as out

PROVIDER = "CPUExecutionProvider"
# Made by the runtime's own optimizations, never read from a file.
INTERNAL = {"com.microsoft.nchwc", "com.ms.internal.nhwc"}
# Handled by the runtime before it looks for a kernel.
WITHOUT_KERNEL = {("", "Constant")}
# `tensor(float)` in the spelling of profiles.
DTYPES = {"float": "float32", "double": "float64", "float4e2m1": "float4_e2m1fn", "float8e4m3fn": "float8_e4m3fn",
          "float8e4m3fnuz": "float8_e4m3fnuz", "float8e5m2": "float8_e5m2", "float8e5m2fnuz": "float8_e5m2fnuz",
          "float8e8m0": "float8_e8m0fnu"}
# Nodes without a kernel for these are run in float32, between casts that the runtime puts in.
CAST = {"tensor(float16)"}


def kernels():
    """(domain, name) -> the kernels of the CPU."""
    found = collections.defaultdict(list)
    for kernel in runtime.get_all_opkernel_def():
        if kernel.provider == PROVIDER and kernel.domain not in INTERNAL:
            found[kernel.domain, kernel.op_name].append(kernel)
    return found


def functions() -> set[tuple[str, str]]:
    """Operators that are taken apart into others where there is no kernel."""
    return {(schema.domain, schema.name) for schema in onnx.defs.get_all_schemas_with_history()
            if schema.has_function or schema.has_context_dependent_function}


def schemas():
    """(domain, name) -> its schemas, one a version."""
    found = collections.defaultdict(list)
    for schema in runtime.get_all_operator_schema():
        if schema.domain not in INTERNAL:
            found[schema.domain, schema.name].append(schema)
    return found


def name_in_profile(key: tuple[str, str]) -> str:
    return f"{key[0] or 'onnx'}::{key[1]}"


def tensor_types(of_operator, of_kernels) -> set[str]:
    """All types that an input may have in a kernel, whichever version and input it is."""
    types = set()
    for schema in of_operator:
        allowed = {c.type_param_str: set(c.allowed_type_strs) for c in schema.type_constraints}
        for parameter in schema.inputs:
            restricted = [set(k.type_constraints[parameter.typeStr]) for k in of_kernels
                          if parameter.typeStr in k.type_constraints]
            free = any(parameter.typeStr not in k.type_constraints for k in of_kernels)
            types.update(*restricted)
            if free:
                types |= allowed.get(parameter.typeStr, {parameter.typeStr})
    return types


def allowed_types(of_operator) -> set[str]:
    types = set()
    for schema in of_operator:
        allowed = {c.type_param_str: set(c.allowed_type_strs) for c in schema.type_constraints}
        for parameter in schema.inputs:
            types |= allowed.get(parameter.typeStr, {parameter.typeStr})
    return types


def runs(schema, dtype: str) -> bool:
    """Whether the runtime takes the operator with all its tensors of one dtype."""
    number = getattr(onnx.TensorProto, dtype.removeprefix("tensor(").removesuffix(")").upper(), None)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        onnxruntime.InferenceSession(one_node.model_of_one_node(schema, number), options, providers=[PROVIDER])
    except Exception:  # noqa: BLE001: of whatever kind, it is no sign that it does
        return False
    return True


def dtypes(types: set[str]) -> list[str]:
    names = {m.group(1) for t in types if (m := re.search(r"tensor\((\w+)\)", t))}
    return sorted(DTYPES.get(name, name) for name in names)


def constraints(all_kernels, all_schemas):
    """An operator whose kernels lack dtypes that its schema has; operators with the same dtypes share one."""
    by_dtypes = collections.defaultdict(list)
    for key, of_kernels in all_kernels.items():
        taken = tensor_types(all_schemas[key], of_kernels)
        if "tensor(float)" in taken:
            taken |= CAST
        missing = allowed_types(all_schemas[key]) - taken
        if key in functions():  # there are dtypes for which one is taken apart although it has kernels
            newest = max(all_schemas[key], key=lambda schema: schema.since_version)
            taken |= {dtype for dtype in missing if runs(newest, dtype)}
        if not dtypes(missing - taken):
            continue
        by_dtypes[tuple(dtypes(taken))].append(name_in_profile(key))
    return [{"operators": sorted(names), "dtypes": list(taken), "reason": "NOT_IMPLEMENTED: its kernels take "
             + ", ".join(taken)}
            for taken, names in sorted(by_dtypes.items(), key=lambda item: sorted(item[1]))]


def main() -> None:
    onnxruntime.set_default_logger_severity(4)
    all_kernels, all_schemas = kernels(), schemas()
    taken = set(all_kernels) | WITHOUT_KERNEL | (functions() & set(all_schemas))
    newest = max(s.since_version for (domain, _), each in all_schemas.items() if not domain for s in each)
    text = out.profile(
        target={
            "name": "onnxruntime",
            "description": "ONNX Runtime on the CPU: what it has kernels for, of ONNX files",
            "package": out.installed("onnxruntime", "onnx"),
            "made_by": "tools/rules/onnxruntime_profile.py",
            "url": "https://onnxruntime.ai/docs/reference/compatibility.html",
            "refusal": "NOT_IMPLEMENTED: Could not find an implementation for {operator}",
            "notes": [f"schemas up to opset {newest} of ONNX are known to this version",
                      "an operator of ONNX that has no kernel and is defined by others is taken apart into them",
                      "float16 without a kernel runs in float32, between casts that the runtime puts in",
                      "dtypes are judged for an operator as a whole, not input by input"],
        },
        judged={}, operators=dict.fromkeys(map(name_in_profile, taken), 0),
        constraints=constraints(all_kernels, all_schemas))
    out.write("onnxruntime", text)


if __name__ == "__main__":
    main()
