"""Changed copies of ONNX models, whose verdicts by a runtime were not known when the tables were made."""
from __future__ import annotations

import pathlib
import random
from collections.abc import Callable, Iterator

import onnx
from onnx import AttributeProto, ModelProto, NodeProto, TensorProto, helper, version_converter

DTYPES = [TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.BFLOAT16, TensorProto.DOUBLE, TensorProto.INT8,
          TensorProto.INT16, TensorProto.INT32, TensorProto.INT64, TensorProto.UINT8, TensorProto.UINT16,
          TensorProto.UINT32, TensorProto.UINT64, TensorProto.BOOL, TensorProto.STRING]


def nodes_of(model: ModelProto) -> Iterator[NodeProto]:
    yield from model.graph.node


def other_dtype(model: ModelProto, rng: random.Random) -> None:
    """Every value of one dtype gets another."""
    declared = [v.type.tensor_type for v in [*model.graph.input, *model.graph.output, *model.graph.value_info]
                if v.type.HasField("tensor_type")]
    if not declared or model.graph.initializer:
        return
    old, new = rng.choice(declared).elem_type, rng.choice(DTYPES)
    for each in declared:
        if each.elem_type == old:
            each.elem_type = new


def one_dtype(model: ModelProto, rng: random.Random) -> None:
    """Only one input gets another dtype."""
    tensors = [v.type.tensor_type for v in model.graph.input if v.type.HasField("tensor_type")]
    if tensors:
        rng.choice(tensors).elem_type = rng.choice(DTYPES)


def other_opset(model: ModelProto, rng: random.Random) -> None:
    for each in model.opset_import:
        if each.domain in ("", "ai.onnx"):
            each.version = max(1, each.version + rng.choice([-8, -4, -2, -1, 1, 2, 4]))


def converted_opset(model: ModelProto, rng: random.Random) -> None:
    """As ONNX's own converter writes the model for another opset."""
    model.CopyFrom(version_converter.convert_version(model, rng.randint(7, 26)))


def other_ir_version(model: ModelProto, rng: random.Random) -> None:
    model.ir_version = rng.randint(3, 15)


def unknown_attribute(model: ModelProto, rng: random.Random) -> None:
    rng.choice(list(nodes_of(model))).attribute.append(helper.make_attribute("no_such_attribute", 1))


def other_attribute(model: ModelProto, rng: random.Random) -> None:
    """One attribute has another value."""
    attributes = [a for node in nodes_of(model) for a in node.attribute]
    if not attributes:
        return
    attribute = rng.choice(attributes)
    if attribute.type == AttributeProto.INT:
        attribute.i = rng.choice([0, 1, 2, -1, attribute.i + 1])
    elif attribute.type == AttributeProto.STRING:
        attribute.s = rng.choice([b"linear", b"nearest", b"constant", b"reflect", b"wrap", b"cubic", b"SAME_UPPER", b"none"])
    elif attribute.type == AttributeProto.FLOAT:
        attribute.f = rng.choice([0.0, 1.0, -1.0, 0.5])


def without_attribute(model: ModelProto, rng: random.Random) -> None:
    nodes = [node for node in nodes_of(model) if node.attribute]
    if nodes:
        node = rng.choice(nodes)
        del node.attribute[rng.randrange(len(node.attribute))]


def schema_attribute(model: ModelProto, rng: random.Random) -> None:
    """One more of the attributes that ONNX knows for the operator in its newest opset."""
    node = rng.choice(list(nodes_of(model)))
    if not onnx.defs.has(node.op_type, node.domain):
        return
    schema = onnx.defs.get_schema(node.op_type, domain=node.domain)
    missing = [a for name, a in schema.attributes.items() if name not in {g.name for g in node.attribute}]
    simple = {onnx.defs.OpSchema.AttrType.INT: 1, onnx.defs.OpSchema.AttrType.FLOAT: 1.0}
    if choices := [a for a in missing if a.type in simple]:
        chosen = rng.choice(choices)
        node.attribute.append(helper.make_attribute(chosen.name, simple[chosen.type]))


def without_input(model: ModelProto, rng: random.Random) -> None:
    """The last input of a node is left out, or one in between."""
    node = rng.choice(list(nodes_of(model)))
    if node.input:
        at = rng.randrange(len(node.input))
        if at == len(node.input) - 1:
            del node.input[at]
        else:
            node.input[at] = ""


def constant_input(model: ModelProto, rng: random.Random) -> None:
    """One input of the model becomes a constant in the file, filled with ones."""
    inputs = [v for v in model.graph.input if v.type.HasField("tensor_type")
              and v.type.tensor_type.elem_type in (TensorProto.FLOAT, TensorProto.INT64, TensorProto.INT32)]
    if not inputs:
        return
    value = rng.choice(inputs)
    shape = [d.dim_value for d in value.type.tensor_type.shape.dim]
    count = 1
    for size in shape:
        count *= size
    model.graph.initializer.append(helper.make_tensor(value.name, value.type.tensor_type.elem_type, shape, [1] * count))
    model.graph.input.remove(value)


def without_types(model: ModelProto, _: random.Random) -> None:
    del model.graph.value_info[:]


MUTATIONS: list[Callable[[ModelProto, random.Random], None]] = [
    other_dtype, one_dtype, other_opset, converted_opset, other_ir_version, unknown_attribute, other_attribute,
    without_attribute, schema_attribute, without_input, constant_input, without_types]


def write_mutants(originals: list[pathlib.Path], folder: pathlib.Path, count: int, seed: int) -> pathlib.Path:
    """Writes `count` files, and nothing where that was done before; the same for the same seed."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.glob("*.onnx")):
        return folder
    rng = random.Random(seed)
    written = 0
    while written < count:
        original, mutation = rng.choice(originals), rng.choice(MUTATIONS)
        model = onnx.load(original)
        before = model.SerializeToString(deterministic=True)
        # Most models have the newest versions; without this, no others would be tested.
        if rng.random() < 0.9:
            model.ir_version = min(model.ir_version, 10)
            for each in model.opset_import:
                if each.domain in ("", "ai.onnx"):
                    each.version = min(each.version, 26)
        try:
            mutation(model, rng)
        except Exception:  # the converter of versions does not know every operator
            continue
        if (after := model.SerializeToString(deterministic=True)) == before:
            continue
        (folder / f"{written:05}.{mutation.__name__}.{original.stem}.onnx").write_bytes(after)
        written += 1
    return folder
