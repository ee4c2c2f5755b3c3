"""What a linter sees of a node: the facts that conditions are made of, as the program judges them."""
from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import onnx
from onnx import ModelProto, NodeProto, TensorProto, helper

Key = tuple[Hashable, ...]  # a fact's subject: `("attribute", "mode")`, `("dtype", 0)`
Facts = dict[Key, Any]
Atom = tuple[Key, Any]  # one fact
Atoms = tuple[Atom, ...]
ABSENT, COMPUTED, CONSTANT, EMPTY, ENTRY, GIVEN, WORKED_OUT = "absent", "computed", "constant", "empty", "entry", "given", "worked out"
# Lists of numbers of which only one value is ordinary.
ORDINARY = {"dilations": 1, "strides": 1, "pads": 0, "output_padding": 0, "output_shape": None}
# Attributes that repeat the size of an axis where an operand has this rank: (operand, axis, rank). Only whether they do counts.
REPEATED = {"onnx::Attention": {"q_num_heads": (0, 1, 4), "kv_num_heads": (1, 1, 4)}}
RESIZING = {"onnx::Resize", "onnx::Upsample"}  # whether the result is smaller decides what is computed
# Axes by whose length a kernel is chosen: operand, its rank, the axis, and the attribute that says into how many parts it is divided.
LENGTHS = {"onnx::Attention": [(0, 4, 2, ""), (0, 4, 3, ""), (0, 3, 1, ""), (0, 3, 2, "q_num_heads")]}
STEPS = (1, 8, 16, 32, 64, 128, 256, 512)
ALIKE = {"onnx::Attention": [(1, 2)]}  # operands that may have to have one shape
EQUAL = {"onnx::Attention": [("q_num_heads", "kv_num_heads")]}  # numbers that may have to be one
ALIKE_DTYPES = [{"int8", "uint8", "int16", "uint16"}, {"uint32", "uint64"}]  # what becomes of one becomes of those beside it
PASSED_ON = {"Identity", "Cast", "CastLike"}  # what a constant stays one through, to a runtime that folds none
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


def rounded(value: Any) -> Any:
    """As facts have it, where it is a real number."""
    return round(value, 6) if isinstance(value, float) else value


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
        value = given.get(name, plain(formal.default_value) if formal.default_value.name else ABSENT)
        facts["attribute", name] = rounded(value) if isinstance(value, int | float | str) else GIVEN
        if not formal.required:
            facts["written", name] = name in given
        if isinstance(value, list):
            facts |= of_list(name, value)
    return facts


def of_list(name: str, values: list[Any]) -> Facts:
    """Of the items of an attribute."""
    is_odd = name in ORDINARY and any(v != ORDINARY[name] for v in values)
    facts: Facts = {("others", name): ORDINARY[name]} if is_odd else {}
    return facts | ({("item", name, v): True for v in values} if all(isinstance(v, str) for v in values) else {})


def held_of(kind: onnx.TypeProto) -> onnx.TypeProto:
    """Of a sequence or an optional, what it holds."""
    for name in ("sequence_type", "optional_type"):
        if kind.HasField(name):
            return held_of(getattr(kind, name).elem_type)
    return kind


def types_of(model: ModelProto) -> dict[str, Type]:
    """Value -> dtype and sizes, as far as the file says."""
    found: dict[str, Type] = {}
    for value in [*model.graph.input, *model.graph.value_info, *model.graph.output]:
        tensor = held_of(value.type).tensor_type
        if held_of(value.type).HasField("tensor_type") and (value.name not in found or found[value.name][1] is None):
            sizes = [dim.dim_value if dim.HasField("dim_value") else None for dim in tensor.shape.dim]
            found[value.name] = tensor.elem_type, sizes if tensor.HasField("shape") else None
    found.update({t.name: (t.data_type, list(t.dims)) for t in model.graph.initializer})
    return found


def constants_of(model: ModelProto) -> dict[str, str]:
    """What is in the file, or is worked out from sizes and constants."""
    found = {"": CONSTANT} | {t.name: CONSTANT for t in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type in ("Shape", "Size") or all(name in found for name in node.input):
            stays = node.op_type == "Constant" or (node.op_type in PASSED_ON and all(found[name] == CONSTANT for name in node.input))
            found |= dict.fromkeys(node.output, CONSTANT if stays else WORKED_OUT)
    del found[""]
    return found


def facts_of(model: ModelProto) -> Facts | None:
    """Of a model's last node, where all others work out constants for it; None where others do more, or it has no schema."""
    constants = constants_of(model)
    if any(name not in constants for node in model.graph.node[:-1] for name in node.output):
        return None
    is_open = len(model.graph.node) > 1 or any(not v.type.tensor_type.HasField("shape") for v in model.graph.output)
    return facts_of_node(model, model.graph.node[-1], constants, types_of(onnx.shape_inference.infer_shapes(model) if is_open else model))


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
                facts[f"{kind}empty", i] = 0 in sizes
                facts[f"{kind}shape", i] = tuple(sizes)
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
    return found | of_lengths(operator, facts, inputs) | of_pairs(operator, facts, inputs) | of_shapes(facts, inputs, outputs)


def of_shapes(facts: Facts, inputs: list[list[int | None]], outputs: list[list[int | None]]) -> Facts:
    """Whether operands have one rank, and one shape; whether there is a batch; and an axis, counted from the end of the first result."""
    found = of_two_shapes(*inputs[:2]) if len(inputs) > 1 else {}
    ranks = {value for key, value in facts.items() if key[0] == "rank"}
    if len(inputs) > 1 and ranks:
        found["mixed", "ranks"] = len(ranks) > 1
    if inputs and inputs[0] and inputs[0][0]:
        found["longer", 0, 0, len(inputs[0]), "", 1] = inputs[0][0] > 1
    axis = facts.get(("attribute", "axis"))
    if isinstance(axis, int) and outputs:
        found["from end", "axis"] = axis - len(outputs[0]) if axis >= 0 else axis
    return found


def of_two_shapes(one: list[int | None], other: list[int | None]) -> Facts:
    is_known = one and len(one) == len(other) and None not in [*one, *other]
    return {("unlike", 0, 1): one != other} if is_known else {}


def of_lengths(operator: str, facts: Facts, inputs: list[list[int | None]]) -> Facts:
    found: Facts = {}
    for operand, rank, axis, parts in LENGTHS.get(operator, []):
        count = facts.get(("attribute", parts), 0) if parts else 1
        if operand < len(inputs) and len(inputs[operand]) == rank and isinstance(count, int) and count > 0:
            length = (inputs[operand][axis] or 0) // count
            found.update({("longer", operand, axis, rank, parts, step): length > step for step in STEPS})
    return found


def of_pairs(operator: str, facts: Facts, inputs: list[list[int | None]]) -> Facts:
    found: Facts = {}
    for one, other in ALIKE.get(operator, []):
        if max(one, other) < len(inputs) and inputs[one] and inputs[other]:
            found["unlike", one, other] = inputs[one] != inputs[other]
    for name, beside in EQUAL.get(operator, []):
        numbers = [facts.get(("attribute", each)) for each in (name, beside)]
        if all(isinstance(each, int) for each in numbers):
            found["unequal", name, beside] = numbers[0] != numbers[1]
    return found


def sizes_of(name: str, types: dict[str, Type]) -> list[int | None]:
    """None at all where they are not known."""
    return types.get(name, (0, None))[1] or []


def is_variadic(formals: Sequence[onnx.defs.OpSchema.FormalParameter]) -> bool:
    return bool(formals) and "Variadic" in str(formals[-1].option)


def origin_of(at: int, name: str, constants: dict[str, str], types: dict[str, Type]) -> str:
    """Where an operand comes from."""
    if not name:
        return ABSENT
    return constants.get(name, EMPTY if at > 0 and 0 in sizes_of(name, types) else COMPUTED)


def of_origins(model: ModelProto, node: NodeProto, schema: onnx.defs.OpSchema, constants: dict[str, str], types: dict[str, Type]) -> Facts:
    """Of each operand that the operator has, be it given or not."""
    facts: Facts = {}
    entries = {value.name for value in model.graph.input}
    formals = dict(enumerate(schema.inputs))
    for i in range(max(len(node.input), 2 if is_variadic(schema.inputs) else len(formals))):
        name = node.input[i] if i < len(node.input) else ""
        facts["operand", i] = origin_of(i, name, constants, types)
        if name and name not in constants:
            facts["entry", i] = name in entries
        if i in formals and "Optional" in str(formals[i].option):
            facts["given", i] = bool(name)
            facts["formal", i] = formals[i].name
    return facts


def of_results(node: NodeProto, schema: onnx.defs.OpSchema) -> Facts:
    is_open = is_variadic(schema.outputs) or not schema.outputs
    given = {i for i, name in enumerate(node.output) if name}
    return {("result", i): GIVEN if i in given else ABSENT for i in range(len(node.output if is_open else schema.outputs))}


def facts_of_node(model: ModelProto, node: NodeProto, constants: dict[str, str], types: dict[str, Type]) -> Facts | None:
    schema = schema_of(model, node)
    if schema is None:
        return None
    facts: Facts = {("version",): schema.since_version} | of_attributes(node, schema)
    facts |= of_origins(model, node, schema, constants, types) | of_results(node, schema)
    facts |= of_operands("", node.input, types) | of_operands("result ", node.output, types)
    inputs, outputs = ([sizes_of(name, types) for name in names] for names in (node.input, node.output))
    return facts | of_sizes(f"{node.domain or 'onnx'}::{node.op_type}", facts, inputs, outputs)
