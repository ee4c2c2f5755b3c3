"""Variations of ONNX's own examples of an operator, as its schema allows them, with inputs to run them on."""
from __future__ import annotations

import copy
import dataclasses
import itertools
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import ml_dtypes
import numpy
import onnx
from onnx import AttributeProto, ModelProto, NodeProto, TensorProto, helper, numpy_helper

MOST_BASES = 4  # examples of an operator that are varied
MOST_VALUES = 9  # of one attribute
SMALLEST_OPSET = 9
USUAL_OPSETS = (23, 25)
DTYPES = [TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.BFLOAT16, TensorProto.DOUBLE, TensorProto.INT8, TensorProto.INT16, TensorProto.INT32,
          TensorProto.INT64, TensorProto.UINT8, TensorProto.UINT16, TensorProto.UINT32, TensorProto.UINT64, TensorProto.BOOL, TensorProto.STRING,
          TensorProto.FLOAT8E4M3FN, TensorProto.FLOAT8E5M2, TensorProto.INT4, TensorProto.UINT4]
OFTEN = [TensorProto.FLOAT16, TensorProto.BFLOAT16, TensorProto.DOUBLE, TensorProto.INT8, TensorProto.INT32, TensorProto.INT64, TensorProto.UINT8]
OF_DTYPES = {"dtype", "to"}  # attributes whose numbers are dtypes
SMALL: dict[str, list[Any]] = {"INT": [0, 1, 2, -1], "FLOAT": [0.0, 1.0, 0.5]}
SHAPES = [(), (3,), (1, 5), (2, 3, 1), (1, 2, 3, 5), (1, 2, 1, 3, 2)]


@dataclasses.dataclass
class Example:
    name: str
    model: ModelProto
    inputs: dict[str, Any] | None  # None: there is nothing to run it on

    @property
    def node(self) -> NodeProto:
        """The one that it is about: those before it make its operands."""
        node: NodeProto = self.model.graph.node[-1]
        return node

    @property
    def schema(self) -> onnx.defs.OpSchema:
        opsets = {o.domain: o.version for o in self.model.opset_import}
        return onnx.defs.get_schema(self.node.op_type, opsets.get(self.node.domain, 1), self.node.domain)

    def varied(self, change: str) -> Example:
        return Example(f"{self.name}.{change}", copy.deepcopy(self.model), dict(self.inputs) if self.inputs is not None else None)


def valid(model: ModelProto) -> bool:
    try:
        onnx.checker.check_model(model, full_check=True)
    except Exception:  # of whatever kind
        return False
    return True


def attribute_value(attribute: AttributeProto) -> Any:
    value = helper.get_attribute_value(attribute)
    return value.decode(errors="replace") if isinstance(value, bytes) else value


def forget_results(example: Example) -> None:
    """Other shapes may follow from what was changed."""
    for result in example.model.graph.output:
        if result.type.HasField("tensor_type"):
            result.type.tensor_type.ClearField("shape")


def take_out(values: Any, names: Collection[str]) -> None:
    """Of the attributes of a node, or the inputs or outputs of a graph."""
    kept = [v for v in values if v.name not in names]
    del values[:]
    values.extend(kept)


def set_attribute(example: Example, name: str, value: object) -> None:
    take_out(example.node.attribute, [name])
    if value is not None:
        example.node.attribute.append(helper.make_attribute(name, value))
    forget_results(example)


def further_values(name: str, attribute: onnx.defs.OpSchema.Attribute, seen: list[Any]) -> list[Any]:
    """Those that the documentation of an attribute names, and small numbers."""
    kind = str(attribute.type).rpartition(".")[2]
    if kind == "STRING":
        return re.findall(r"[\"'`]([A-Za-z_]{3,})[\"'`]", attribute.description)
    if kind == "INTS":
        return [[number] * len(v) for number in (2, 1) for v in seen[:1]]
    if kind == "INT" and name in OF_DTYPES:
        return list(range(1, 24))
    return SMALL.get(kind, [])


def each_once(values: list[Any]) -> list[Any]:
    kept: list[Any] = []
    for value in values:
        if value not in kept and isinstance(value, (int, float, str, list)):
            kept.append(value)
    return kept


def choices_of(examples: list[Example]) -> dict[str, list[Any]]:
    """Attribute -> the values to try: those of the examples, and further ones."""
    choices: dict[str, list[Any]] = {}
    for name, attribute in examples[-1].schema.attributes.items():
        seen = [attribute_value(a) for each in examples for a in each.node.attribute if a.name == name]
        kept = each_once([*seen, *further_values(name, attribute, seen)])
        choices[name] = kept[:None if name in OF_DTYPES else MOST_VALUES]
    return choices


def with_attributes(base: Example, choices: dict[str, list[Any]]) -> Iterator[Example]:
    allowed = base.schema.attributes
    for name, values in choices.items():
        if name not in allowed:
            continue
        for number, value in enumerate([None, *values]):
            changed = base.varied(f"{name}={'none' if value is None else number if isinstance(value, list) else value}")
            set_attribute(changed, name, value)
            yield changed


def as_constants(base: Example, names: list[str], change: str) -> Example:
    changed = base.varied(change)
    assert changed.inputs is not None
    for name in names:
        changed.model.graph.initializer.append(numpy_helper.from_array(changed.inputs.pop(name), name))
    take_out(changed.model.graph.input, names)
    forget_results(changed)
    return changed


def arrays_of(base: Example) -> dict[str, numpy.ndarray]:
    """Its inputs that are tensors."""
    return {n: v for n, v in (base.inputs or {}).items() if isinstance(v, numpy.ndarray)}


def taken_once(base: Example) -> dict[str, numpy.ndarray]:
    """Those of them that are one operand each."""
    return {n: v for n, v in arrays_of(base).items() if list(base.node.input).count(n) == 1}


def with_constant_rest(base: Example) -> Example | None:
    """All inputs but the first as constants; none where one of them stands in several places, or is no tensor."""
    known = list(arrays_of(base))
    if len(known) < 2 or len(known) < len(base.inputs or {}) or len(set(base.node.input)) < len(base.node.input):
        return None
    return as_constants(base, known[1:], "constant rest")


def with_constants(base: Example) -> Iterator[Example]:
    """One input, or all but the first, as constants of the file."""
    known = list(taken_once(base))
    for name in known:
        yield as_constants(base, [name], f"constant {name}")
    if len(known) > 2:
        yield as_constants(base, known[1:], "constant rest")


def with_all_constant(base: Example) -> Iterator[Example]:
    """All inputs as constants, also in other dtypes; and each other than the first as zeros."""
    if (usual := with_constant_rest(base)) is None:
        return
    known = list(base.inputs or {})
    yield usual
    whole = as_constants(base, known, "constant all")
    yield whole
    yield from with_dtypes(whole, OFTEN)
    for name in known[1:]:
        changed = usual.varied(f"zero {name}")
        for constant in changed.model.graph.initializer:
            if constant.name == name and constant.data_type != TensorProto.STRING:
                value = numpy_helper.to_array(constant)
                constant.CopyFrom(helper_tensor(numpy.zeros(value.shape, value.dtype), constant.data_type, name))
        yield changed


def with_fewer_results(base: Example) -> Iterator[Example]:
    for count in range(1, len(base.node.output)):
        changed = base.varied(f"results {count}")
        take_out(changed.model.graph.output, changed.node.output[count:])
        del changed.node.output[count:]
        yield changed


def leave_out(node: NodeProto, at: int) -> None:
    """An operand, and then those at the end that are left out as well."""
    node.input[at] = ""
    while node.input and not node.input[-1]:
        del node.input[-1]


def with_all_results(base: Example) -> Iterator[Example]:
    formals, given = base.schema.outputs, len(base.node.output)
    if given >= len(formals) or any("Variadic" in str(o.option) for o in formals):
        return
    changed = base.varied("all results")
    dtypes = {o.type_str: v.type.tensor_type.elem_type for o, v in zip(formals, base.model.graph.output, strict=False)}
    for formal in formals[given:]:
        changed.node.output.append(f"more_{formal.name}")
        dtype = dtypes.get(formal.type_str) or (TensorProto.INT64 if "int64" in formal.type_str else TensorProto.FLOAT)
        changed.model.graph.output.append(helper.make_tensor_value_info(f"more_{formal.name}", dtype, None))
    yield changed


def without_operands(base: Example) -> Iterator[Example]:
    """Without one of its operands; and with fewer results, or all that there may be."""
    for at, name in enumerate(base.node.input):
        if not name or list(base.node.input).count(name) > 1:
            continue
        changed = base.varied(f"without {at}")
        leave_out(changed.node, at)
        take_out(changed.model.graph.input, [name])
        (changed.inputs or {}).pop(name, None)
        forget_results(changed)
        yield changed
    yield from with_fewer_results(base)
    yield from with_all_results(base)


def numpy_dtype(dtype: int) -> Any:
    return numpy.dtype(object) if dtype == TensorProto.STRING else helper.tensor_dtype_to_np_dtype(dtype)


def cast(value: numpy.ndarray, dtype: int) -> numpy.ndarray:
    target = numpy_dtype(dtype)
    if target == numpy.dtype(object):
        return numpy.array([str(v) for v in value.ravel()], object).reshape(value.shape)
    if value.dtype == numpy.dtype(object):
        return numpy.ones(value.shape, numpy.float32).astype(target)
    plain = value.astype(numpy.float64) if value.dtype != numpy.int64 else value
    if numpy.issubdtype(target, numpy.unsignedinteger) or target == numpy.dtype(ml_dtypes.uint4):
        plain = numpy.abs(plain)
    return plain.astype(target)


def zero_of(dtype: int, name: str, of: str) -> list[NodeProto]:
    """A scalar zero that depends on the size of another value."""
    nodes = [helper.make_node("Size", [of], [f"{name}_size"]), helper.make_node("Sub", [f"{name}_size", f"{name}_size"], [f"{name}_none"])]
    return [*nodes, helper.make_node("Cast", [f"{name}_none"], [f"{name}_zero"], to=dtype)]


def with_worked_out(base: Example) -> Iterator[Example]:
    """One input made by operators from constants of the file, or from the size of another input."""
    known = taken_once(base)
    for name, value in known.items():
        others = [n for n in known if n != name]
        made = {"reshaped": [helper.make_node("Reshape", [f"{name}_flat", f"{name}_shape"], [name])]}
        if value.dtype.kind not in "OSUb" and others:
            dtype = helper.np_dtype_to_tensor_dtype(value.dtype)
            made["of a size"] = [*zero_of(dtype, name, others[0]), helper.make_node("Add", [f"{name}_flat", f"{name}_zero"], [name])]
        for how, nodes in made.items():
            changed = as_constants(base, [name], f"{name} {how}")
            stored = changed.model.graph.initializer[-1]
            stored.CopyFrom(numpy_helper.from_array(value.reshape(-1) if how == "reshaped" else value, f"{name}_flat"))
            if how == "reshaped":
                changed.model.graph.initializer.append(numpy_helper.from_array(numpy.array(value.shape, numpy.int64), f"{name}_shape"))
            rest = [copy.deepcopy(node) for node in changed.model.graph.node]
            del changed.model.graph.node[:]
            changed.model.graph.node.extend([*nodes, *rest])
            yield changed


def helper_tensor(value: numpy.ndarray, dtype: int, name: str) -> TensorProto:
    tensor = numpy_helper.from_array(value, name)
    assert tensor.data_type == dtype
    return tensor


def variables_of(names: Sequence[str], formals: Sequence[onnx.defs.OpSchema.FormalParameter]) -> list[str]:
    """The type variable of each operand or result; those that follow the last formal one have its."""
    return [formals[min(i, len(formals) - 1)].type_str for i in range(len(names))]


def names_of(variables: Collection[str], names: Sequence[str], formals: Sequence[onnx.defs.OpSchema.FormalParameter]) -> set[str]:
    return {n for n, variable in zip(names, variables_of(names, formals), strict=True) if variable in variables}


def groups_of(base: Example) -> list[frozenset[str]]:
    """Each type variable, and those together whose operands have one dtype."""
    found = variables_of(base.node.input, base.schema.inputs)
    given = {v.name: v.type.tensor_type.elem_type for v in base.model.graph.input if v.type.HasField("tensor_type")}
    alone = [frozenset({variable}) for variable in found]
    alike = [frozenset(f for n, f in zip(base.node.input, found, strict=True) if given.get(n) == dtype) for dtype in given.values()]
    return list(dict.fromkeys(alone + alike))


def set_dtypes(example: Example, operands: set[str], results: set[str], dtype: int) -> None:
    """Of inputs and constants with their values, and of results."""
    graph, inputs = example.model.graph, example.inputs if example.inputs is not None else {}
    entries = {v.name: v for v in graph.input if v.type.HasField("tensor_type")}
    declared = [entries[name] for name in operands & entries.keys()] + [v for v in graph.output if v.name in results]
    for value in declared:
        value.type.tensor_type.elem_type = dtype
    for name in operands & arrays_of(example).keys() & entries.keys():
        inputs[name] = cast(inputs[name], dtype)
    for constant in graph.initializer:
        if constant.name in operands - entries.keys():
            constant.CopyFrom(helper_tensor(cast(numpy_helper.to_array(constant), dtype), dtype, constant.name))


def with_dtypes(base: Example, dtypes: Sequence[int] = DTYPES) -> Iterator[Example]:
    """Every input of one type variable gets another dtype, and those of several that have one dtype together."""
    schema = base.schema
    for variables in groups_of(base):
        operands = names_of(variables, base.node.input, schema.inputs)
        results = names_of(variables, base.node.output, schema.outputs)
        for dtype in dtypes if operands else []:
            changed = base.varied(f"{'+'.join(sorted(variables))}={TensorProto.DataType.Name(dtype)}")
            set_dtypes(changed, operands, results, dtype)
            yield changed


def with_shapes(base: Example) -> Iterator[Example]:
    """Other ranks and sizes, where all inputs have one shape: then any other will do, if the checker takes it."""
    arrays = arrays_of(base)
    if not arrays or len(arrays) != len(base.inputs or {}):
        return
    largest = max(arrays.values(), key=lambda v: v.size)
    alike = [n for n, v in arrays.items() if v.shape == largest.shape]
    for shape in SHAPES:
        changed = base.varied(f"shape {'x'.join(map(str, shape)) or 'scalar'}")
        for value in changed.model.graph.input:
            if value.name in alike and changed.inputs is not None:
                changed.inputs[value.name] = numpy.resize(arrays[value.name], shape)
                value.type.tensor_type.shape.CopyFrom(helper.make_tensor_value_info("x", TensorProto.FLOAT, shape).type.tensor_type.shape)
        forget_results(changed)
        yield changed


def at_opset(base: Example, version: int) -> Example:
    changed = base.varied(f"opset {version}")
    for each in changed.model.opset_import:
        if each.domain == base.node.domain:
            each.version = version
    return changed


def with_opsets(base: Example) -> Iterator[Example]:
    if base.node.domain:
        return
    known = {s.since_version for s in onnx.defs.get_all_schemas_with_history() if s.name == base.node.op_type and s.domain == base.node.domain}
    for version in sorted({max(v, SMALLEST_OPSET) for v in known}):
        yield at_opset(base, version)


def bases_of(examples: list[Example]) -> list[Example]:
    return examples[::max(1, len(examples) // MOST_BASES)][:MOST_BASES]


def words_of(example: Example) -> dict[str, str]:
    """Its attributes that are words: they choose a way to compute."""
    return {a.name: a.s.decode(errors="replace") for a in example.node.attribute if a.type == AttributeProto.STRING}


def kind_of(example: Example) -> tuple[list[int], list[tuple[str, int]]]:
    """The dtypes of its operands, and its flags."""
    return ([v.type.tensor_type.elem_type for v in example.model.graph.input],
            sorted((a.name, a.i) for a in example.node.attribute if a.type == AttributeProto.INT))


def first_of_each(examples: list[Example], known: list[Example], kind: Callable[[Example], Any]) -> list[Example]:
    """Of each kind that is not known."""
    seen, found = [kind(each) for each in known], []
    for each in examples:
        if kind(each) not in seen:
            seen.append(kind(each))
            found.append(each)
    return found


def of_ways(examples: list[Example], bases: list[Example]) -> Iterator[Example]:
    """Fewer results of each, and other dtypes of each way to compute."""
    ways = first_of_each(examples, bases[:3], words_of)
    for each in examples:
        if each not in bases:
            yield from with_fewer_results(each)
        if len(each.node.output) > 1 and (usual := with_constant_rest(each)):
            yield from with_fewer_results(usual)
        if each in ways:
            yield from with_dtypes(each, OFTEN)


def of_kinds(examples: list[Example], bases: list[Example]) -> Iterator[Example]:
    """Other opsets of each dtype and flag."""
    for each in first_of_each(examples, bases[:3], kind_of):
        yield from with_opsets(each)
        if usual := with_constant_rest(each):
            yield from with_opsets(usual)
        yield from with_all_constant(each)


def of_reals(base: Example, choices: dict[str, list[Any]]) -> Iterator[Example]:
    """Other real numbers with another dtype and shape."""
    reals = {name: values for name, values in choices.items() if any(isinstance(v, float) for v in values)}
    for other in itertools.chain(with_shapes(base), with_dtypes(base, OFTEN[:3])) if reals else ():
        if not other.name.endswith(" scalar"):  # one number may be right by chance
            yield from with_attributes(other, reals)


def with_typed_constants(base: Example) -> Iterator[Example]:
    """One of several operands as a constant, in other dtypes."""
    for name in taken_once(base) if len(base.node.input) > 1 else ():
        yield from with_dtypes(as_constants(base, [name], f"constant {name}"), OFTEN)


def of_bases(bases: list[Example], choices: dict[str, list[Any]]) -> Iterator[Example]:
    for number, base in enumerate(bases):
        yield from with_attributes(base, choices)
        yield from with_constants(base)
        yield from without_operands(base)
        if number < 3:
            yield from with_shapes(base)
            yield from with_dtypes(base)
            yield from with_opsets(base)
        if number == 0:
            yield from with_typed_constants(base)


def of_usual_opsets(bases: list[Example]) -> Iterator[Example]:
    """Runtimes lag behind: dtypes are a matter of an opset that they load."""
    for base, opset in itertools.product(bases, USUAL_OPSETS):
        if not base.node.domain and base.schema.since_version > opset and onnx.defs.has(base.node.op_type, max_inclusive_version=opset):
            yield from with_dtypes(at_opset(base, opset))


def of_constants(base: Example, choices: dict[str, list[Any]], shapes: bool) -> Iterator[Example]:
    """Where a file usually has constants, they stay constants in a variation of something else."""
    known = list(arrays_of(base))
    if len(known) > 1 and len(set(base.node.input)) == len(base.node.input):
        usual = as_constants(base, known[1:], "constant rest")
        yield from with_attributes(usual, choices)
        if shapes:
            yield from with_shapes(usual)
        yield from with_dtypes(usual)
    if not base.node.domain:
        yield from with_worked_out(base)
        yield from with_all_constant(base)
    for fewer in with_fewer_results(base):
        yield from with_dtypes(fewer)


def variations_of(examples: list[Example]) -> Iterator[Example]:
    """Of a few examples of an operator; and of those that are varied no further, what the others do not have."""
    choices, bases = choices_of(examples), bases_of(examples)
    yield from of_bases(bases, choices)
    yield from of_usual_opsets(bases)
    for number, base in enumerate(bases[:2]):
        yield from of_constants(base, choices, shapes=number == 0)
    yield from of_ways(examples, bases)
    yield from of_kinds(examples, bases)
    yield from of_reals(bases[0], choices)
