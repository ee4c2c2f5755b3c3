"""Writes the element types of the outputs of operators, as the packages `onnx` and `onnxruntime` define them.

    python tools/rules/onnx_output_types.py > src/connected_graph/onnx/output_types_table.cpp

For every output: the number of an input that has the same type, a type, the attribute that names it (`to`), with what
holds without it (`dtype=float`; `dtype=0` for the type of input 0; `dtype=2/uint8` for input 2, or where that is absent
a type), or `?` where the definition does not say; after `[` what a sequence of which it is holds, after `*` what it is held by, after `?` what
an optional holds. The last one stands for all further outputs. Each line has one such rule and its operators: those of ONNX's domain by
their names, others as `com.microsoft::Gelu`.
"""

import re

import onnx
import onnxruntime
from onnx import defs
from onnxruntime.capi.onnxruntime_pybind11_state import get_all_operator_schema

# Their definitions have a separate type variable for what an attribute determines; the mask of `Dropout` has the type of the
# input below opset 10.
TOLD = {
    "ConcatFromSequence": "*0", "Optional": "?type=0", "OptionalGetElement": "*0", "SequenceAt": "*0", "SequenceConstruct": "[0",
    "SequenceEmpty": "[dtype=float", "SplitToSequence": "[0",
    "Bernoulli": "dtype=0", "BitCast": "to", "BlackmanWindow": "output_datatype=float", "Cast": "to",
    "ConstantOfShape": "value=float", "DequantizeLinear": "output_dtype=1", "Dropout": "0 ?", "EyeLike": "dtype=0",
    "HammingWindow": "output_datatype=float", "HannWindow": "output_datatype=float",
    "LayerNormalization": "0 stash_type=float stash_type=float", "MelWeightMatrix": "output_datatype=float",
    "Multinomial": "dtype=int32", "QuantizeLinear": "output_dtype=2/uint8", "RandomNormal": "dtype=float",
    "RandomNormalLike": "dtype=0", "RandomUniform": "dtype=float", "RandomUniformLike": "dtype=0",
    "com.microsoft::QuantizeLinear": "2/uint8",
}
# Made by ONNX Runtime's own optimisations, never read from a file.
INTERNAL = {"com.microsoft.nchwc", "com.ms.internal.nhwc"}


def type_of(parameter):
    """ONNX and ONNX Runtime name it in two ways."""
    return parameter.type_str if hasattr(parameter, "type_str") else parameter.typeStr


def rule_of(output, schema):
    for number, given in enumerate(schema.inputs):
        if type_of(given) == type_of(output):
            return str(number)
    allowed = {c.type_param_str: c.allowed_type_strs for c in schema.type_constraints}.get(type_of(output), [type_of(output)])
    plain = re.fullmatch(r"tensor\((\w+)\)", next(iter(allowed)))
    return plain.group(1) if len(allowed) == 1 and plain else "?"


def has_subgraphs(schema):
    """Such an operator yields what its subgraphs yield."""
    return any(str(each.type).rpartition(".")[2] == "GRAPH" for each in schema.attributes.values())


def known_schemas():
    """The newest of each operator; of one that both define, ONNX's."""
    found = {}
    for schema in sorted(get_all_operator_schema(), key=lambda each: each.since_version) + list(defs.get_all_schemas()):
        if schema.domain not in INTERNAL:
            found[f"{schema.domain}::{schema.name}".removeprefix("::")] = schema
    return found


def main():
    newest = {name: schema for name, schema in known_schemas().items() if not has_subgraphs(schema)}
    rules = {name: TOLD.get(name) or " ".join(rule_of(output, schema) for output in schema.outputs)
             for name, schema in sorted(newest.items())}
    operators: dict[str, list[str]] = {}
    for name, rule in rules.items():
        if rule.strip("? "):
            operators.setdefault(rule, []).append(name)
    print(f"// Written by tools/rules/onnx_output_types.py from onnx {onnx.__version__}, onnxruntime {onnxruntime.__version__}.\n"
          '#include "connected_graph/onnx/output_types_table.h"\n\n'
          "namespace model_validator::onnx_format {\n\n"
          'const std::string_view output_types_table = R"(')
    for rule, names in sorted(operators.items()):
        print(f"{rule}: {' '.join(names)}")
    print(')";\n\n} // namespace model_validator::onnx_format')


if __name__ == "__main__":
    main()
