#!/usr/bin/env python3
"""Writes the names of all operators that any version of ONNX has had, as the package `onnx` and ONNX Runtime know them.

    python tools/rules/onnx_operator_names.py > src/rules/onnx_operators_table.cpp
"""

import onnx
import onnxruntime
from onnx import defs
from onnxruntime.capi.onnxruntime_pybind11_state import get_all_operator_schema

# Of ONNX's first versions: experimental, and gone from its registry.
FORMER = ["ATen", "Affine", "ConstantFill", "Crop", "DynamicSlice", "GRUUnit", "GivenTensorFill", "ImageScaler",
          "ParametricSoftplus", "Scale", "ScaledTanh"]


def main():
    names = {(schema.domain, schema.name) for schema in (*defs.get_all_schemas_with_history(), *get_all_operator_schema())}
    names |= {("", name) for name in FORMER}
    schemas = sorted(f"{domain or 'onnx'}::{name}" for domain, name in names if not domain or domain.startswith("ai.onnx"))
    print(f"// Written by tools/rules/onnx_operator_names.py from onnx {onnx.__version__}, onnxruntime {onnxruntime.__version__}.\n"
          '#include "rules/onnx_operators.h"\n\n'
          "namespace model_validator::rules {\n\n"
          f"const std::array<std::string_view, {len(schemas)}> onnx_operators{{{{")
    print("\n".join(f'    "{schema}",' for schema in schemas))
    print("}};\n\n} // namespace model_validator::rules")


if __name__ == "__main__":
    main()
