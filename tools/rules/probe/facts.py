"""What a linter sees of a node: the facts that conditions are made of, as the program judges them."""
from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import onnx
from onnx import ModelProto, NodeProto, TensorProto, helper

# A fact's subject (`("attribute", "mode")`, `("dtype", 0)`) -> its value.
Facts = dict[tuple[Hashable, ...], Any]
ABSENT, COMPUTED, CONSTANT, GIVEN = "absent", "computed", "constant", "given"
# Lists of numbers of which only one value is ordinary.
ORDINARY = {"dilations": 1, "strides": 1, "pads": 0, "output_padding": 0, "output_shape": None}
# Attributes that repeat the size of an axis where an operand has this rank: (operand, axis, rank). Only whether they do counts.
REPEATED = {"onnx::Attention": {"q_num_heads": (0, 1, 4), "kv_num_heads": (1, 1, 4)}}
RESIZING = {"onnx::Resize", "onnx::Upsample"}  # whether the result is smaller decides what is computed
Type = tuple[int, list[int | None] | None]  # dtype, and sizes
NAMES = {"FLOAT": "float32", "DOUBLE": "float64", "FLOAT4E2M1": "float4_e2m1fn", "FLOAT8E4M3FN": "float8_e4m3fn",
         "FLOAT8E4M3FNUZ": "float8_e4m3fnuz", "FLOAT8E5M2": "float8_e5m2", "FLOAT8E5M2FNUZ": "float8_e5m2fnuz",
         "FLOAT8E8M0": "float8_e8m0fnu"}


def dtype_name(number: int) -> str:
    name = TensorProto.DataType.Name(number)
    return NAMES.get(name, str(name).lower())


def plain(attribute: onnx.AttributeProto) -> Any:
    value = helper.get_attribute_value(attribute)
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, list) and value and isinstance(value[0], bytes):
        return [v.decode(errors="replace") for v in value]
    return value


def schema_of(model: ModelProto, node: NodeProto) -> onnx.defs.OpSchema | None:
    opsets = {o.domain: o.version for o in model.opset_import}
    try:
        return onnx.defs.get_schema(node.op_type, opsets.get(node.domain, 1), node.domain)
    except onnx.defs.SchemaError:
        return None


def of_attributes(node: NodeProto, schema: onnx.defs.OpSchema) -> Facts:
    facts: Facts = {}
    given = {a.name: plain(a) for a in node.attribute}
    for name, formal in schema.attributes.items():
        default = plain(formal.default_value) if formal.default_value.name else ABSENT
        value = given.get(name, default)
        if isinstance(value, (int, float, str)):
            facts["attribute", name] = round(value, 6) if isinstance(value, float) else value
        else:
            facts["attribute", name] = GIVEN
            if isinstance(value, list) and name in ORDINARY and any(v != ORDINARY[name] for v in value):
                facts["others", name] = ORDINARY[name]
            if isinstance(value, list) and all(isinstance(v, str) for v in value):
                facts.update({("item", name, v): True for v in value})
    return facts


def types_of(model: ModelProto) -> dict[str, Type]:
    """Value -> dtype and sizes, as far as the file says."""
    found: dict[str, Type] = {}
    for value in [*model.graph.input, *model.graph.value_info, *model.graph.output]:
        tensor = value.type.tensor_type
        if value.type.HasField("tensor_type") and (value.name not in found or found[value.name][1] is None):
            sizes = [dim.dim_value if dim.HasField("dim_value") else None for dim in tensor.shape.dim]
            found[value.name] = tensor.elem_type, sizes if tensor.HasField("shape") else None
    found.update({t.name: (t.data_type, list(t.dims)) for t in model.graph.initializer})
    return found


def constants_of(model: ModelProto) -> set[str]:
    """What is in the file, or is computed from sizes and constants."""
    found = {t.name for t in model.graph.initializer} | {""}
    for node in model.graph.node:
        if node.op_type in ("Shape", "Size") or all(name in found for name in node.input):
            found.update(node.output)
    return found - {""}


def facts_of(model: ModelProto) -> Facts | None:
    """Of a model's only node; None where it has several, or no schema."""
    if len(model.graph.node) != 1:
        return None
    inferred = onnx.shape_inference.infer_shapes(model) if any(not v.type.tensor_type.HasField("shape") for v in model.graph.output) else model
    return facts_of_node(model, model.graph.node[0], constants_of(model), types_of(inferred))


def facts_of_nodes(model: ModelProto) -> Iterator[tuple[str, Facts]]:
    """Of each node, with the operator's name, where ONNX infers the types of all its operands."""
    constants, types = constants_of(model), types_of(onnx.shape_inference.infer_shapes(model))
    for node in model.graph.node:
        facts = facts_of_node(model, node, constants, types)
        if facts is not None and all(name in types for name in [*node.input, *node.output] if name):
            yield f"{node.domain or 'onnx'}::{node.op_type}", facts


def of_operands(kind: str, names: list[str], types: dict[str, Type]) -> Facts:
    facts: Facts = {}
    for i, name in enumerate(names):
        if name in types:
            facts[f"{kind}dtype", i] = types[name][0]
            if (sizes := types[name][1]) is not None:
                facts[f"{kind}rank", i] = len(sizes)
    return facts


def of_sizes(operator: str, facts: Facts, inputs: list[list[int | None]], outputs: list[list[int | None]]) -> Facts:
    """What relates an attribute to a size, or a result's sizes to an operand's."""
    found: Facts = {}
    for name, (operand, axis, rank) in REPEATED.get(operator, {}).items():
        value = facts.pop(("attribute", name), ABSENT)
        if operand < len(inputs) and len(inputs[operand]) == rank:
            found["repeats", name, operand, axis, rank] = value in (ABSENT, inputs[operand][axis])
        else:
            found["attribute", name] = value
    if operator in RESIZING and inputs and outputs and len(inputs[0]) == len(outputs[0]):
        found["smaller", 0, 0] = any(a is not None and b is not None and a < b for a, b in zip(outputs[0], inputs[0], strict=True))
    return found


def facts_of_node(model: ModelProto, node: NodeProto, constants: set[str], types: dict[str, Type]) -> Facts | None:
    schema = schema_of(model, node)
    if schema is None:
        return None
    facts: Facts = {("version",): schema.since_version} | of_attributes(node, schema)
    variadic = bool(schema.inputs) and "Variadic" in str(schema.inputs[-1].option)
    for i in range(len(node.input) if variadic else max(len(node.input), len(schema.inputs))):
        name = node.input[i] if i < len(node.input) else ""
        facts["operand", i] = ABSENT if not name else CONSTANT if name in constants else COMPUTED
        if i < len(schema.inputs) and "Optional" in str(schema.inputs[i].option):
            facts["given", i] = bool(name)
    for i in range(len(schema.outputs) if schema.outputs and "Variadic" not in str(schema.outputs[-1].option) else len(node.output)):
        facts["result", i] = GIVEN if i < len(node.output) and node.output[i] else ABSENT
    facts |= of_operands("", node.input, types) | of_operands("result ", node.output, types)
    sizes = [[types.get(name, (0, None))[1] or [] for name in names] for names in (node.input, node.output)]
    return facts | of_sizes(f"{node.domain or 'onnx'}::{node.op_type}", facts, *sizes)
