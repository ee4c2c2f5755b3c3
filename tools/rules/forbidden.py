"""Finds out which nodes that ONNX forbids a runtime refuses too: by the dtype of an operand, or by the opset.

ONNX's own models of one node are asked about again with an operand of a dtype that no version of the operator takes, once as an input of
the model and once as a constant, and in the opset before the one that the operator, or one of its operands, came with. What is told is what
the runtime refuses each time: it takes many a node that ONNX forbids. What it takes in the older opset and then computes as something else is
computed wrongly: it passed over the operand.
"""
from __future__ import annotations

import collections
import copy
import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy
import profile_file as out
from one_node import IR_VERSION
from onnx import ModelProto, NodeProto, TensorProto, defs, helper, numpy_helper
from probe import questions
from probe.children import NO_ANSWER, asked, said_against
from probe.facts import dtype_name
from probe.runtime import Runtime
from probe.table import reason_of

DTYPES = (TensorProto.BOOL, TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.INT32, TensorProto.INT64)
Condition = tuple[tuple[str, Any], ...]  # under which an operator is asked about
Variants = Iterator[tuple[Condition, ModelProto]]


@functools.cache
def versions(operator: str) -> list[Any]:
    """Of one of ONNX's own operators, newest first."""
    return sorted((each for each in defs.get_all_schemas_with_history() if (each.domain, each.name) == ("", operator)),
                  key=lambda each: -each.since_version)


def formal(schema: Any, number: int) -> Any:
    """The parameter that an operand stands for; none where the schema has none for it."""
    if number < len(schema.inputs):
        return schema.inputs[number]
    endless = schema.inputs and schema.inputs[-1].option == defs.OpSchema.FormalParameterOption.Variadic
    return schema.inputs[-1] if endless else None


def allowed(node: NodeProto, number: int) -> set[str]:
    """The dtypes that any version of the operator takes there."""
    found = [formal(schema, number) for schema in versions(node.op_type) if not schema.deprecated]
    return {dtype for each in found if each is not None for dtype in each.types}


def of_dtype(model: ModelProto, number: int, dtype: int, constant: bool) -> ModelProto:
    """With an operand, and those that have one dtype with it, of another dtype."""
    changed = copy.deepcopy(model)
    changed.ir_version = IR_VERSION
    node = changed.graph.node[0]
    schema = defs.get_schema(node.op_type, changed.opset_import[0].version, "")
    own = formal(schema, number)
    bound = {name for i, name in enumerate(node.input) if formal(schema, i).type_str == own.type_str and formal(schema, i).is_homogeneous}
    for each in changed.graph.input:
        if each.name in bound:
            each.type.tensor_type.elem_type = dtype
    if constant:
        stored = next(each for each in changed.graph.input if each.name == node.input[number])
        shape = [size.dim_value for size in stored.type.tensor_type.shape.dim]
        ones = numpy.ones(shape, helper.tensor_dtype_to_np_dtype(dtype))
        changed.graph.initializer.append(numpy_helper.from_array(ones, stored.name))
        changed.graph.input.remove(stored)
    return changed


def with_other_dtypes(model: ModelProto) -> Variants:
    node = model.graph.node[0]
    tensors = {each.name for each in model.graph.input if each.type.tensor_type.HasField("shape")}
    for number, name in enumerate(node.input):
        for dtype in DTYPES:
            words = helper.tensor_dtype_to_string(dtype).removeprefix("TensorProto.").lower()
            if name in tensors and f"tensor({words})" not in allowed(node, number):
                for constant in (False, True):
                    yield (("input", number), ("dtype", dtype)), of_dtype(model, number, dtype, constant)


def in_opset(model: ModelProto, opset: int) -> ModelProto:
    changed = copy.deepcopy(model)
    changed.ir_version = IR_VERSION
    changed.opset_import[0].version = opset
    return changed


def in_older_opsets(model: ModelProto) -> Variants:
    node, opset = model.graph.node[0], model.opset_import[0].version
    known = [each for each in versions(node.op_type) if each.since_version <= opset]
    oldest = known[-1].since_version
    if oldest > 1:
        yield (("below_opset", oldest),), in_opset(model, oldest - 1)
    asked = {oldest}
    for number, name in enumerate(node.input):
        first = min((each.since_version for each in known if formal(each, number) is not None), default=oldest)
        if name and first not in asked:  # the first of those that came together tells of the others
            asked.add(first)
            yield (("input", number), ("given", True), ("below_opset", first)), in_opset(model, first - 1)


def answers(runtime: Runtime, variants: Callable[[ModelProto], Variants]) -> dict[tuple[str, Condition], list[str]]:
    """(operator, condition) -> what the runtime says against the variants of models that it takes."""
    known = [(operator, each.model) for operator, found in sorted(questions.examples(list(questions.of_node_tests())).items())
             for each in found if not each.model.graph.node[0].domain]
    said = said_against(runtime, [in_opset(model, model.opset_import[0].version).SerializeToString() for _, model in known])
    asked = [((operator, condition), variant) for (operator, model), against in zip(known, said, strict=True) if not against
             for condition, variant in variants(model)]
    found = collections.defaultdict(list)
    for (key, _), answer in zip(asked, said_against(runtime, [variant.SerializeToString() for _, variant in asked]), strict=True):
        found[key].append(answer)
    return found


def refused(found: dict[tuple[str, Condition], list[str]]) -> Iterator[tuple[str, dict[str, Any], str]]:
    for (operator, condition), said in found.items():
        if all(each and each not in NO_ANSWER for each in said):
            yield operator, dict(condition), said[0]


def of_dtypes(runtime: Runtime) -> list[dict[str, Any]]:
    """The entries of [[refused]] about operands of dtypes that ONNX forbids."""
    dtypes: dict[tuple[str, int], list[tuple[int, str]]] = collections.defaultdict(list)
    for operator, condition, said in refused(answers(runtime, with_other_dtypes)):
        dtypes[operator, condition["input"]].append((condition["dtype"], said))
    alike: dict[str, tuple[list[str], str]] = {}
    for (operator, number), each in dtypes.items():
        names = sorted(dtype_name(dtype) for dtype, _ in each)
        alike.setdefault(out.inline({"input": number, "dtypes": names}), ([], each[0][1]))[0].append(operator)
    return entries(alike)


def entries(alike: dict[str, tuple[list[str], str]]) -> list[dict[str, Any]]:
    """Condition -> the operators that it is of, and what was said."""
    return [{"operators": sorted(operators), "when": out.Raw(f"[{condition}]"), "reason": reason_of(said)}
            for condition, (operators, said) in alike.items()]


def learn(runtime: Runtime) -> list[dict[str, Any]]:
    """The entries of [[refused]] about nodes that ONNX forbids."""
    alike: dict[str, tuple[list[str], str]] = {}
    for operator, condition, said in refused(answers(runtime, in_older_opsets)):
        alike.setdefault(out.inline(condition), ([], said))[0].append(operator)
    return of_dtypes(runtime) + entries(alike)


def runs(runtime: Runtime, models: list[tuple[bytes, dict[str, Any]]]) -> list[list[Any] | None]:
    """What the runtime makes of each; nothing where it does not run it."""
    return [made for _, _, made in asked(runtime, [questions.Question("", [], model, inputs, None, "file") for model, inputs in models])]


def are_equal(a: list[Any], b: list[Any]) -> bool:
    return len(a) == len(b) and all(x.shape == y.shape and numpy.allclose(x, y, equal_nan=True) for x, y in zip(a, b, strict=True))


def passed_over(runtime: Runtime) -> list[dict[str, Any]]:
    """The entries of [[wrong]] about operands that came with a later opset than the file's."""
    known = [(operator, each, condition, variant) for operator, found in sorted(questions.examples(list(questions.of_node_tests())).items())
             for each in found if not each.model.graph.node[0].domain
             for condition, variant in in_older_opsets(each.model) if dict(condition).get("given")]
    right = runs(runtime, [(in_opset(each.model, each.model.opset_import[0].version).SerializeToString(), each.inputs or {})
                           for _, each, _, _ in known])
    made = runs(runtime, [(variant.SerializeToString(), each.inputs or {}) for _, each, _, variant in known])
    differ: dict[Condition, dict[str, str]] = collections.defaultdict(dict)  # operator -> the model that told
    for (operator, example, condition, _), expected, found in zip(known, right, made, strict=True):
        if expected is not None and found is not None and not are_equal(expected, found):
            differ[condition].setdefault(operator, example.name)
    return [passed_over_by(dict(condition), examples) for condition, examples in differ.items()]


def passed_over_by(condition: dict[str, Any], examples: dict[str, str]) -> dict[str, Any]:
    number, opset = condition["input"], condition["below_opset"]
    operators = sorted(examples)
    return {"operators": operators, "when": out.Raw(f"[{out.inline(condition)}]"),
            "reason": f"in opset {opset - 1} and older it passes over input {number}, which is new in {opset}",
            "asked": f"{examples[operators[0]]}.opset {opset - 1}"}
