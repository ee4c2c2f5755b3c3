"""Files that contradict themselves, made from ones that do not: each operator's examples with one thing changed, in each place that a node has.

Nothing here says what comes of a change: the runtimes are asked.
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import numpy
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, defs, helper, numpy_helper

from probe.question import Question
from probe.questions import of_node_tests
from probe.variations import DTYPES, Example, arrays_of, attribute_value, cast, leave_out, take_out, with_constant_rest

# What no attribute of a kind should be.
BEYOND: dict[str, list[Any]] = {"INT": [9, -9], "INTS": [[1], [0, 0], [9, 9, 9, 9]], "STRING": ["NOPE", "SAME_UPPER"]}
USUAL_OPSET = 21
MOST_BASES = 2  # examples of an operator
MOST_BASES_BY_NAME = 5
OLDER_OPSETS = (17, 12)
OTHER_DTYPES = {
    TensorProto.FLOAT: (TensorProto.INT64, TensorProto.FLOAT16, TensorProto.DOUBLE),
    TensorProto.INT64: (TensorProto.FLOAT, TensorProto.INT32),
    TensorProto.UINT8: (TensorProto.FLOAT, TensorProto.INT8),
    TensorProto.INT8: (TensorProto.FLOAT, TensorProto.UINT8),
    TensorProto.INT32: (TensorProto.FLOAT, TensorProto.INT64),
}
LACKED_DTYPES = [each for each in DTYPES if each not in (TensorProto.STRING, TensorProto.INT4, TensorProto.UINT4)]
HELD_OUT = 3  # the draw that nothing is learnt from


def declare(example: Example, name: str, value: numpy.ndarray) -> None:
    """Gives an input, or a constant, another value."""
    dtype = helper.np_dtype_to_tensor_dtype(value.dtype) if value.dtype != object else TensorProto.STRING
    for tensor in example.model.graph.initializer:
        if tensor.name == name:
            tensor.CopyFrom(numpy_helper.from_array(value, name))
    for entry in example.model.graph.input:
        if entry.name == name:
            entry.CopyFrom(helper.make_tensor_value_info(name, dtype, value.shape))
            if example.inputs is not None:
                example.inputs[name] = value


def values_of(example: Example) -> dict[str, numpy.ndarray]:
    return arrays_of(example) | {tensor.name: numpy_helper.to_array(tensor) for tensor in example.model.graph.initializer}


def other_values(value: numpy.ndarray) -> Iterator[tuple[str, numpy.ndarray]]:
    for axis in range(min(value.ndim, 4)):
        yield f"longer {axis}", numpy.concatenate([value, value.take([0], axis)], axis) if value.shape[axis] else value
    yield "more axes", value[None]
    if value.ndim and value.shape[0]:
        yield "fewer axes", value[0]
    kind = helper.np_dtype_to_tensor_dtype(value.dtype) if value.dtype != object else TensorProto.STRING
    for dtype in OTHER_DTYPES.get(kind, (TensorProto.FLOAT,)):
        yield f"as {TensorProto.DataType.Name(dtype)}", cast(value, dtype)


def with_values(base: Example) -> Iterator[Example]:
    for at, name in enumerate(dict.fromkeys(base.node.input)):
        if (value := values_of(base).get(name)) is None:
            continue
        stored = any(tensor.name == name for tensor in base.model.graph.initializer)
        found = list(other_values(value))
        if stored and value.dtype == numpy.int64:
            found += [("far", value + 7), ("negative", -value - 9), ("zero", value * 0)]
        for change, other in found:
            changed = base.varied(f"{at} {change}")
            declare(changed, name, numpy.asarray(other, None if other is None else getattr(other, "dtype", object)))
            yield changed


def sharing(base: Example) -> dict[str, list[str]]:
    """Each dtype that a schema leaves open -> the operands that share it, where there are several."""
    formal = base.schema.inputs
    found: dict[str, list[str]] = {}
    for at, name in enumerate(base.node.input if formal else ()):
        shared = formal[min(at, len(formal) - 1)]
        if name and shared.is_homogeneous:
            found.setdefault(shared.type_str, []).append(name)
    return {kind: names for kind, names in found.items() if len(names) > 1}


def lacked_by(allowed: Sequence[str]) -> Iterator[tuple[str, int]]:
    for dtype in LACKED_DTYPES:
        word = TensorProto.DataType.Name(dtype).lower()
        if f"tensor({word})" not in allowed:
            yield word, dtype


def declare_results(example: Example, kind: str, dtype: int) -> None:
    """Those that share the dtype of operands."""
    for result, formal in zip(example.model.graph.output, example.schema.outputs, strict=False):
        if formal.type_str == kind:
            result.type.tensor_type.elem_type = dtype


def with_one_dtype(base: Example) -> Iterator[Example]:
    """All operands that share a dtype have another that the operator lacks."""
    known = {name: value for name, value in values_of(base).items() if value.dtype != object}
    allowed = {each.type_param_str: each.allowed_type_strs for each in base.schema.type_constraints}
    shared = {kind: names for kind, names in sharing(base).items() if kind in allowed and known.keys() >= set(names)}
    for kind, names in shared.items():
        for word, dtype in lacked_by(allowed[kind]):
            changed = base.varied(f"{kind} all {word}")
            for name in dict.fromkeys(names):
                declare(changed, name, cast(known[name], dtype))
            declare_results(changed, kind, dtype)
            yield changed


def with_operands(base: Example) -> Iterator[Example]:
    for at in range(len(base.node.input)):
        changed = base.varied(f"without operand {at}")
        leave_out(changed.node, at)
        yield changed
    for at in range(len(base.node.input), min(len(base.schema.inputs), len(base.node.input) + 3)):
        for words, value in (("list", numpy.ones(7)), ("number", numpy.array(1.0)), ("table", numpy.ones((2, 7)))):
            changed = base.varied(f"operand {at} a {words}")
            dtype = next((v.dtype for v in values_of(base).values()), numpy.dtype(numpy.float32))
            changed.model.graph.initializer.append(numpy_helper.from_array(value.astype(dtype), "given"))
            changed.node.input.extend([""] * (at - len(base.node.input)) + ["given"])
            yield changed
    changed = base.varied("operand more")
    changed.node.input.append(base.node.input[0] if base.node.input else "")
    yield changed
    changed = base.varied("result more")
    changed.node.output.append("one_more")
    yield changed


def wrong_values(value: Any) -> list[Any]:
    if isinstance(value, bool | int):
        return [9, -9, float(value), "none"]
    if isinstance(value, float):
        return [int(value), "none", -1.0]
    if isinstance(value, str):
        return ["NOPE", 1]
    if isinstance(value, list) and value and isinstance(value[0], int):
        return [value[:-1], value[: len(value) // 2], [*value, 1], [0] * len(value), [-3] * len(value), [v + 9 for v in value], value[0]]
    return [1]


def with_attributes(base: Example) -> Iterator[Example]:
    def changed(name: str, value: Any, words: str) -> Example:
        made = base.varied(words)
        take_out(made.node.attribute, [name])
        if value is not None and value != []:
            made.node.attribute.append(helper.make_attribute(name, value))
        return made

    for attribute in base.node.attribute:
        if attribute.type in (AttributeProto.GRAPH, AttributeProto.TENSOR, AttributeProto.TYPE_PROTO):
            continue
        yield changed(attribute.name, None, f"without {attribute.name}")
        for number, value in enumerate(wrong_values(attribute_value(attribute))):
            yield changed(attribute.name, value, f"{attribute.name} {number} {value}")
    given = {a.name for a in base.node.attribute}
    for name, formal in base.schema.attributes.items():
        if name in given:
            continue
        kind = str(formal.type).rpartition(".")[2]
        for value in BEYOND.get(kind, []):
            yield changed(name, value, f"{name} {value}")
    yield changed("made_up", 1, "made up attribute")


def with_declarations(base: Example) -> Iterator[Example]:
    result = base.model.graph.output[0].type.tensor_type
    if not base.model.graph.output[0].type.HasField("tensor_type"):
        return
    for dtype in (TensorProto.INT64, TensorProto.FLOAT16):
        if dtype != result.elem_type:
            changed = base.varied(f"declared {TensorProto.DataType.Name(dtype)}")
            changed.model.graph.output[0].type.tensor_type.elem_type = dtype
            yield changed
    for words, dims in (("longer", [d.dim_value + 1 for d in result.shape.dim]), ("more axes", [1, *(d.dim_value for d in result.shape.dim)])):
        changed = base.varied(f"declared {words}")
        changed.model.graph.output[0].CopyFrom(helper.make_tensor_value_info(base.model.graph.output[0].name, result.elem_type, dims))
        yield changed


def with_opset(base: Example) -> Iterator[Example]:
    for version in {base.schema.since_version - 1, base.schema.since_version} if not base.node.domain else ():
        if version >= 7:
            changed = base.varied(f"opset {version}")
            changed.model.opset_import[0].version = version
            yield changed


def resized(value: numpy.ndarray, axis: int, size: int) -> numpy.ndarray:
    """Of another size along one axis, with the same elements over and over."""
    found: numpy.ndarray = numpy.take(value, numpy.arange(size) % value.shape[axis], axis)
    return found


def further_values(value: numpy.ndarray, rank: int) -> Iterator[tuple[str, numpy.ndarray]]:
    """Other sizes and axes; of a few whole numbers, others one by one."""
    for axis in range(min(value.ndim, 4)):
        for size in sorted({0, 1, 2, value.shape[axis] - 1, value.shape[axis] + 2} - {value.shape[axis]}) if value.shape[axis] else ():
            yield f"axis {axis} of {size}", resized(value, axis, size)
    if value.ndim > 1:
        yield "swapped", value.T
    if value.size:
        yield "a number", value.ravel()[0]
    yield "flat", value.ravel()
    if value.dtype.kind != "i" or not 0 < value.size <= 8:
        return
    for at in range(min(value.size, 3)):
        for step in (1, -1, rank, -rank - 1, 100):
            changed = value.copy()
            changed.reshape(-1)[at] += step
            yield f"element {at} {step:+}", changed
    if value.ndim == 1:
        yield from (("one less", value[:-1]), ("one more", numpy.append(value, value[-1])), ("all alike", value * 0 + value[0]))


def with_further_values(base: Example) -> Iterator[Example]:
    known = values_of(base)
    rank = max((value.ndim for value in known.values()), default=0)
    for at, name in enumerate(dict.fromkeys(base.node.input)):
        for change, other in further_values(known[name], rank) if name in known else ():
            changed = base.varied(f"{at} {change}")
            declare(changed, name, numpy.asarray(other))
            yield changed


def further_numbers(value: Any) -> list[Any]:
    """Others near those that an attribute has."""
    if isinstance(value, bool | int):
        return [value + step for step in (1, -1, 2, 5, -5)]
    if isinstance(value, list) and value and isinstance(value[0], int):
        single = [[*value[:at], value[at] + step, *value[at + 1 :]] for at in range(min(len(value), 4)) for step in (1, -1, 3)]
        return [*single, [*value, *value], [value[0]] * len(value)]
    return [value.swapcase(), ""] if isinstance(value, str) else []


def with_further_attributes(base: Example) -> Iterator[Example]:
    for attribute in base.node.attribute:
        if attribute.type in (AttributeProto.GRAPH, AttributeProto.TENSOR, AttributeProto.TYPE_PROTO):
            continue
        for value in further_numbers(attribute_value(attribute)):
            changed = base.varied(f"{attribute.name} as {value}")
            take_out(changed.node.attribute, [attribute.name])
            changed.node.attribute.append(helper.make_attribute(attribute.name, value))
            yield changed


# How many of each are drawn, of one example.
CHANGES: dict[Callable[[Example], Iterator[Example]], int] = {
    with_values: 5,
    with_one_dtype: 2,
    with_operands: 2,
    with_attributes: 5,
    with_declarations: 1,
    with_opset: 1,
}


def drawn(changes: list[Example], most: int, draw: int) -> list[Example]:
    """The same ones each time, whatever else there is; of another draw those that come next."""
    return sorted(changes, key=lambda each: hashlib.sha256(each.name.encode()).digest())[draw * most : (draw + 1) * most]


def bases_of(examples: list[Example], most: int) -> list[Example]:
    chosen = examples[:: max(1, len(examples) // most)][:most]
    return [(at % 2 and with_constant_rest(each)) or each for at, each in enumerate(reversed(chosen), 1)]


def in_older_opsets(base: Example) -> Iterator[Example]:
    yield base
    for opset in (each for each in OLDER_OPSETS if not base.node.domain and defs.has(base.node.op_type, each)):
        older = base.varied(f"of {opset}")
        older.model.opset_import[0].version = opset
        yield older


def bases_by_name(examples: list[Example]) -> list[Example]:
    return [older for base in bases_of(examples, MOST_BASES_BY_NAME) for older in in_older_opsets(base)]


def contradictions(examples: list[Example], draw: int | None) -> Iterator[Example]:
    """Of one operator; each example itself first, which stands in one place alone. Without a draw, all but those that are held out."""
    for base in bases_by_name(examples) if draw is None else bases_of(examples, MOST_BASES):
        base.model.ir_version = min(base.model.ir_version, 10)
        since = base.schema.since_version
        for entry in base.model.opset_import:
            entry.version = min(entry.version, max(since, USUAL_OPSET)) if not entry.domain else entry.version
        yield base.varied("as it is")
        for changes, most in CHANGES.items():
            every = list(changes(base))
            if draw is not None:
                yield from drawn(every, most, draw)
                continue
            held = {each.name for each in drawn(every, most, HELD_OUT)}
            yield from (each for each in every if each.name not in held)
        if draw is None:
            yield from with_further_values(base)
            yield from with_further_attributes(base)


def renamed(nodes: Any, names: dict[str, str]) -> list[NodeProto]:
    made = [copy.deepcopy(node) for node in nodes]
    for node in made:
        for held in (node.input, node.output):
            for at, name in enumerate(held):
                held[at] = names.get(name, name)
    return made


def untyped(graph: GraphProto) -> list[Any]:
    """Its results, declared by their dtypes alone."""
    return [helper.make_tensor_value_info(v.name, v.type.tensor_type.elem_type, None) for v in graph.output]


def without_nodes(model: ModelProto) -> ModelProto:
    made = copy.deepcopy(model)
    del made.graph.node[:]
    return made


def body(graph: GraphProto, suffix: str, before: Sequence[Any] = (), after: Sequence[Any] = (), first: Sequence[NodeProto] = ()) -> GraphProto:
    """The nodes of a graph, as those of one inside it, where their results have names of their own."""
    names = {name: f"{name}_{suffix}" for node in graph.node for name in node.output if name}
    outs = untyped(graph)
    for value in outs:
        value.name = names.get(value.name, value.name)
    return helper.make_graph([*first, *renamed(graph.node, names)], "inside", before, [*after, *outs])


def results_of(graph: GraphProto) -> list[str]:
    return [value.name for value in graph.output]


def in_function(model: ModelProto) -> ModelProto:
    made, results = without_nodes(model), results_of(model.graph)
    given = list(dict.fromkeys([*(v.name for v in model.graph.input), *(t.name for t in model.graph.initializer)]))
    imports = [helper.make_opsetid(o.domain, o.version) for o in model.opset_import]
    made.functions.append(helper.make_function("local", "f", given, results, list(model.graph.node), imports))
    made.opset_import.append(helper.make_opsetid("local", 1))
    made.graph.node.append(helper.make_node("f", given, results, domain="local"))
    return made


def in_arm(model: ModelProto) -> ModelProto:
    made = without_nodes(model)
    made.graph.input.append(helper.make_tensor_value_info("chosen", TensorProto.BOOL, []))
    arms = {"then_branch": body(model.graph, "in"), "else_branch": body(model.graph, "else")}
    made.graph.node.append(helper.make_node("If", ["chosen"], results_of(model.graph), **arms))
    return made


def in_unchosen_arm(model: ModelProto) -> ModelProto | None:
    """Beside one that yields an input as it is; none where no input has the type of its one result."""
    result = model.graph.output[0]
    first = next((v.name for v in model.graph.input if v.type == result.type), None)
    if first is None or len(model.graph.output) > 1:
        return None
    made = without_nodes(model)
    made.graph.initializer.append(numpy_helper.from_array(numpy.array(False), "chosen"))
    taken = helper.make_graph([helper.make_node("Identity", [first], ["as_it_is"])], "taken", [], untyped(model.graph))
    taken.output[0].name = "as_it_is"
    made.graph.node.append(helper.make_node("If", ["chosen"], results_of(model.graph), then_branch=body(model.graph, "in"), else_branch=taken))
    return made


def in_loop(model: ModelProto) -> ModelProto:
    made = without_nodes(model)
    counter = [helper.make_tensor_value_info("turn", TensorProto.INT64, []), helper.make_tensor_value_info("on", TensorProto.BOOL, [])]
    still = [helper.make_tensor_value_info("still", TensorProto.BOOL, [])]
    loop = body(model.graph, "in", counter, still, [helper.make_node("Identity", ["on"], ["still"])])
    turns, truth = numpy.array(1, numpy.int64), numpy.array(True)
    made.graph.initializer.extend([numpy_helper.from_array(turns, "turns"), numpy_helper.from_array(truth, "go_on")])
    made.graph.node.append(helper.make_node("Loop", ["turns", "go_on"], results_of(model.graph), body=loop))
    del made.graph.output[:]
    made.graph.output.extend(untyped(model.graph))
    return made


def beside_what_is_needed(model: ModelProto) -> ModelProto | None:
    """None where it has no input of float32, that something else could be computed from."""
    first = next((v for v in model.graph.input if v.type.tensor_type.elem_type == TensorProto.FLOAT), None)
    if first is None:
        return None
    made = copy.deepcopy(model)
    del made.graph.output[:]
    made.graph.node.append(helper.make_node("Neg", [first.name], ["alive"]))
    made.graph.output.append(helper.make_tensor_value_info("alive", TensorProto.FLOAT, [d.dim_value for d in first.type.tensor_type.shape.dim]))
    return made


ELSEWHERE: dict[str, Callable[[ModelProto], ModelProto | None]] = {
    "function": in_function,
    "arm": in_arm,
    "loop": in_loop,
    "unchosen": in_unchosen_arm,
    "dead": beside_what_is_needed,
}
PLACES = ("main", *ELSEWHERE)


def placed(model: ModelProto, place: str) -> ModelProto | None:
    """The same nodes elsewhere. None where its values are no tensors."""
    if place == "main":
        return model
    if any(not v.type.HasField("tensor_type") for v in [*model.graph.input, *model.graph.output]):
        return None
    return ELSEWHERE[place](model)


def is_asked(operator: str, wanted: Collection[str]) -> bool:
    """Where none is wanted, all are; a domain is wanted as `com.microsoft::`."""
    return not wanted or any(operator == each or (each.endswith("::") and operator.startswith(each)) for each in wanted)


def questions(draw: int | None = 0, wanted: Collection[str] = ()) -> Iterator[Question]:
    """Each contradiction in the main graph, and of a draw some in another place, by turns."""
    from probe.questions import contrib_examples, examples

    def is_wanted(operator: str) -> bool:
        return is_asked(operator, wanted)

    every = examples(list(of_node_tests())) | contrib_examples(is_wanted)
    for operator, known in sorted((operator, known) for operator, known in every.items() if is_wanted(operator)):
        for number, each in enumerate(contradictions(known, draw)):
            elsewhere = [PLACES[1 + number // 3 % (len(PLACES) - 1)]] if number % 3 == 1 and draw is not None else []
            for place in ("main", *elsewhere):
                if (model := placed(each.model, place)) is None or each.inputs is None:
                    continue
                inputs = dict(each.inputs) | ({"chosen": numpy.array(True)} if place == "arm" else {})
                yield Question(f"{operator}: {each.name} ({place})", [operator], model.SerializeToString(), inputs, None, "file")
