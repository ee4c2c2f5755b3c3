"""Questions at the boundaries of what an operator's schema allows, each of them asked: every attribute at its least and greatest values and in the
words of other libraries, every operand in every dtype and rank, empty and of one, stored and given, in the opsets that exporters write.

What a change makes of the results is left to inference: nothing is declared of them but what follows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy
from onnx import AttributeProto, TensorProto, defs, helper, numpy_helper

from probe.answers import COUNTS
from probe.variations import (
    Example,
    arrays_of,
    as_constants,
    attribute_value,
    cast,
    groups_of,
    helper_tensor,
    names_of,
    set_dtypes,
    take_out,
    variables_of,
)

# Those that exporters compute in: weights alone have 4 bits or are float8.
DTYPES = (
    *(TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.BFLOAT16, TensorProto.DOUBLE, TensorProto.BOOL),
    *(TensorProto.INT8, TensorProto.INT16, TensorProto.INT32, TensorProto.INT64),
    *(TensorProto.UINT8, TensorProto.UINT16, TensorProto.UINT32, TensorProto.UINT64),
)
OPSETS = (13, 17, 21, defs.onnx_opset_version())
OLDEST = 7
MOST_RANKS = 5
GREATEST = 2**31
# What PyTorch, TensorFlow, and older operators call what an attribute names.
WORDS_ELSEWHERE = (
    *("amax", "amin", "sum", "mean", "prod", "bilinear", "bicubic", "area", "zeros", "replicate"),
    *("same", "SAME", "valid", "left", "tanh", "none", ""),
)
ACTIVATIONS = (
    *("Relu", "Tanh", "Sigmoid", "Affine", "LeakyRelu", "ThresholdedRelu", "ScaledTanh"),
    *("HardSigmoid", "Elu", "Softsign", "Softplus", "tanh"),
)


def stored(example: Example) -> dict[str, numpy.ndarray]:
    return {tensor.name: numpy_helper.to_array(tensor) for tensor in example.model.graph.initializer}


def given(example: Example, name: str, value: numpy.ndarray) -> None:
    """An operand, stored or not, of another value."""
    dtype = TensorProto.STRING if value.dtype == object else helper.np_dtype_to_tensor_dtype(value.dtype)
    for tensor in example.model.graph.initializer:
        if tensor.name == name:
            tensor.CopyFrom(helper_tensor(value, dtype, name))
    for entry in example.model.graph.input:
        if entry.name == name:
            entry.CopyFrom(helper.make_tensor_value_info(name, dtype, value.shape))
            assert example.inputs is not None
            example.inputs[name] = value


def operands_of(base: Example) -> dict[str, numpy.ndarray]:
    known = arrays_of(base) | stored(base)
    return {name: known[name] for name in dict.fromkeys(base.node.input) if name in known}


def kind_of(formal: defs.OpSchema.Attribute) -> str:
    return str(formal.type).rpartition(".")[2]


def typed(formal: defs.OpSchema.Attribute, value: Any) -> AttributeProto:
    made: AttributeProto = helper.make_attribute(formal.name, value, attr_type=getattr(AttributeProto, kind_of(formal)))
    return made


def of_numbers(value: int, rank: int) -> list[int]:
    """Around the number of axes, around nothing, and beyond any size."""
    return [each for each in dict.fromkeys((-GREATEST, -rank - 1, -rank, -1, 0, 1, 2, rank - 1, rank, 100, GREATEST)) if each != value]


def of_lists(value: list[int]) -> list[list[int]]:
    alike = [[number] * len(value) for number in (-1, 0, 1, 2, 3, 100)]
    ends = [[*value[:at], number, *value[at + 1 :]] for at in {0, len(value) - 1} for number in (-1, 0, 2, 100)]
    return [each for each in [*alike, *ends, value[:-1], [*value, value[-1]], value[::-1]] if each and each != value]


def of_words(description: str) -> list[str]:
    known = re.findall(r"[\"'`]([A-Za-z_]{3,})[\"'`]", description)
    return [*known, *(each.swapcase() for each in known[:1]), *WORDS_ELSEWHERE]


def is_flag(name: str, formal: defs.OpSchema.Attribute) -> bool:
    """Whether it is only ever 0 or 1: others mean nothing, and runtimes read them in several ways."""
    return bool(formal.default_value.name) and formal.default_value.i in (0, 1) and name not in COUNTS


def of_activations(value: Any) -> list[list[str]]:
    count = len(value) if isinstance(value, list) and value else 3
    return [*([each] * count for each in ACTIVATIONS), ["Sigmoid"] * (count - 1), ["Sigmoid"] * (count + 1)]


def of_integer(name: str, formal: defs.OpSchema.Attribute, value: Any, rank: int) -> list[int]:
    if name in ("dtype", "to"):
        return list(range(25))
    return [0, 1] if is_flag(name, formal) else of_numbers(value if isinstance(value, int) else 0, rank)


def values_of(name: str, formal: defs.OpSchema.Attribute, value: Any, rank: int) -> list[Any]:
    of_kind: dict[str, Callable[[], list[Any]]] = {
        "INT": lambda: of_integer(name, formal, value, rank),
        "FLOAT": lambda: [0.0, 1.0, -1.0, 0.5, 1e-12, 1e30, float("inf")],
        "STRING": lambda: of_words(formal.description),
        "INTS": lambda: of_lists(value) if value else [[-1], [0], [1], [2], [0, 0], [1, 1], [2, 2], [1, 1, 1], [1] * 4, [0, 1]],
        "STRINGS": lambda: of_activations(value) if name == "activations" else [],
    }
    found = of_kind.get(kind_of(formal), list)()
    return [each for each in found if each != value]


def with_values(base: Example) -> Iterator[Example]:
    rank = max((value.ndim for value in operands_of(base).values()), default=0)
    held = {a.name: attribute_value(a) for a in base.node.attribute}
    for name, formal in base.schema.attributes.items():
        for value in [None, *values_of(name, formal, held.get(name), rank)]:
            if value is None and name not in held:
                continue
            changed = base.varied(f"{name} at {value}")
            take_out(changed.node.attribute, [name])
            if value is not None:
                changed.node.attribute.append(typed(formal, value))
            yield changed


def with_dtypes(base: Example) -> Iterator[Example]:
    """Of each operand alone, and of those that have one dtype together."""
    known = operands_of(base)
    for at, name in enumerate(dict.fromkeys(base.node.input)):
        for dtype in DTYPES if name in known else ():
            changed = base.varied(f"{at} in {TensorProto.DataType.Name(dtype)}")
            given(changed, name, cast(known[name], dtype))
            yield changed
    for variables in groups_of(base):
        operands, results = (names_of(variables, *each) for each in ((base.node.input, base.schema.inputs), (base.node.output, base.schema.outputs)))
        for dtype in DTYPES if operands else ():
            changed = base.varied(f"{'+'.join(sorted(variables))} in {TensorProto.DataType.Name(dtype)}")
            set_dtypes(changed, operands, results, dtype)
            yield changed


def of_shapes(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for rank in range(MOST_RANKS + 1):
        if rank != len(shape):
            yield (*shape[:rank], *[1] * (rank - len(shape))) if rank < len(shape) else (*[1] * (rank - len(shape)), *shape)
    for axis in range(len(shape)):
        for size in {0, 1, shape[axis] - 1, shape[axis] + 1, 2 * shape[axis]} - {shape[axis], -1}:
            yield (*shape[:axis], size, *shape[axis + 1 :])


def with_shapes(base: Example) -> Iterator[Example]:
    """Of each operand alone, and of those that have one shape together."""
    known = operands_of(base)
    for at, name in enumerate(known):
        alike = [each for each in known if known[each].shape == known[name].shape]
        for names in [[name], *([alike] if len(alike) > 1 and alike[0] == name else [])]:
            for shape in of_shapes(known[name].shape):
                changed = base.varied(f"{at}{' and alike' if len(names) > 1 else ''} of {'x'.join(map(str, shape)) or 'one'}")
                for each in names:
                    given(changed, each, numpy.resize(known[each], shape))
                yield changed


def with_elements(base: Example) -> Iterator[Example]:
    """Of a stored list of numbers, such as axes and sizes."""
    rank = max((value.ndim for value in operands_of(base).values()), default=0)
    for name, value in stored(base).items():
        if value.dtype.kind != "i" or not 0 < value.size <= 8:
            continue
        lists = [[each] for each in of_numbers(int(value.ravel()[0]), rank)] if value.size == 1 else of_lists(value.ravel().tolist())
        for numbers in lists:
            changed = base.varied(f"{name} holds {numbers}")
            given(changed, name, numpy.array(numbers, numpy.int64).astype(value.dtype).reshape(value.shape if value.size == len(numbers) else (-1,)))
            yield changed


def without_operands(base: Example) -> Iterator[Example]:
    for at, name in enumerate(base.node.input):
        if name:
            changed = base.varied(f"operand {at} left out")
            changed.node.input[at] = ""
            while changed.node.input and not changed.node.input[-1]:
                del changed.node.input[-1]
            if name not in changed.node.input:
                take_out(changed.model.graph.input, [name])
                take_out(changed.model.graph.initializer, [name])
                (changed.inputs or {}).pop(name, None)
            yield changed


def with_storage(base: Example) -> Iterator[Example]:
    for name in arrays_of(base):
        if len(arrays_of(base)) > 1:
            yield as_constants(base, [name], f"{name} stored")


def with_opsets(base: Example) -> Iterator[Example]:
    for opset in OPSETS:
        if not base.node.domain and defs.has(base.node.op_type, opset):
            changed = base.varied(f"in {opset}")
            for each in changed.model.opset_import:
                each.version = opset if not each.domain else each.version
            yield changed


def as_attribute(formal: defs.OpSchema.Attribute, value: numpy.ndarray) -> AttributeProto | None:
    kind, numbers = kind_of(formal), value.ravel().tolist()
    if kind in ("INTS", "FLOATS"):
        return typed(formal, numbers)
    return typed(formal, numbers[0]) if kind in ("INT", "FLOAT") and len(numbers) == 1 else None


def in_older_form(base: Example, opset: int) -> Example | None:
    """In an opset that has as attributes what are operands now, and are stored; none where it says nothing else."""
    older, changed, known = defs.get_schema(base.node.op_type, opset), base.varied(f"as in {opset}"), stored(base)
    node, moved = changed.node, []
    for at, name in enumerate(base.node.input):
        formal = older.attributes.get(base.schema.inputs[min(at, len(base.schema.inputs) - 1)].name)
        if formal is not None and name in known and (attribute := as_attribute(formal, known[name])) is not None:
            node.attribute.append(attribute)
            node.input[at] = ""
            moved.append(name)
    while node.input and not node.input[-1]:
        del node.input[-1]
    take_out(changed.model.graph.initializer, moved)
    for each in changed.model.opset_import:
        each.version = opset if not each.domain else each.version
    return changed if moved else None


def older_opsets(base: Example) -> list[int]:
    """Those in which something about it changed, and the ones before these."""
    every = [s.since_version for s in defs.get_all_schemas_with_history() if s.name == base.node.op_type and not s.domain]
    found = {max(each, OLDEST) for each in every} | {each - 1 for each in every} | set(OPSETS)
    return [each for each in sorted(found) if OLDEST <= each < base.schema.since_version and defs.has(base.node.op_type, each)]


def with_older_forms(base: Example) -> Iterator[Example]:
    """What exporters wrote before, in every opset that says it otherwise, and at the boundaries of what is an attribute there."""
    if base.node.domain or not base.node.input:
        return
    rest = list(arrays_of(base))[1:]
    whole = as_constants(base, rest, "stored") if rest and len(set(base.node.input)) == len(base.node.input) else base
    for opset in older_opsets(base):
        if (older := in_older_form(whole, opset)) is not None:
            yield older
            if opset in (11, *OPSETS):
                yield from with_values(older)


CHANGES = (with_older_forms, with_values, with_dtypes, with_shapes, with_elements, without_operands, with_storage, with_opsets)


def declared(example: Example) -> Example:
    """With the results that follow from the operands by their type variables, and of open sizes."""
    node, schema = example.node, example.schema
    graph = example.model.graph
    dtypes = {v.name: v.type.tensor_type.elem_type for v in graph.input} | {t.name: t.data_type for t in graph.initializer}
    bound = {variable: dtypes[name] for name, variable in zip(node.input, variables_of(node.input, schema.inputs), strict=True) if name in dtypes}
    bound |= {"T2" if a.name == "to" else "": a.i for a in node.attribute if a.name in ("to", "dtype")}
    of_results = dict(zip(node.output, variables_of(node.output, schema.outputs), strict=True))
    for result in example.model.graph.output:
        if result.type.HasField("tensor_type"):
            result.type.tensor_type.ClearField("shape")
            result.type.tensor_type.elem_type = bound.get(of_results.get(result.name, ""), result.type.tensor_type.elem_type)
    return example


def boundaries(base: Example) -> Iterator[Example]:
    """Each change of an example."""
    for changes in CHANGES:
        for changed in changes(base):
            yield declared(changed)
