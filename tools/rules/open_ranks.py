"""Finds out which operands must have a rank that is known before a model runs, and which operators of control flow bound a rank.

ONNX's own models of one node declare all shapes. Each is asked about once more for each operand, with the operand's shape left
out: where the runtime then refuses every model that it took, the rank has to be known.
"""
from __future__ import annotations

import collections
import copy
from collections.abc import Iterator

import numpy
import profile_file as out
from one_node import IR_VERSION
from onnx import ModelProto, TensorProto, helper, numpy_helper
from probe import questions
from probe.children import NO_ANSWER, said_against
from probe.runtime import Runtime
from probe.table import reason_of

RANKS = range(5)
FOLLOWS = "declared as a graph output"  # an operator that refused its operand yields nothing, which is reported instead of the cause


def without_shape(model: ModelProto, name: str) -> ModelProto:
    changed = copy.deepcopy(model)
    for each in changed.graph.input:
        if each.name == name:
            each.type.tensor_type.ClearField("shape")
    return changed


def answers_by_operand(runtime: Runtime) -> dict[tuple[str, int], list[str]]:
    """(operator, operand) -> what the runtime says against models that it takes with all shapes."""
    known = [(operator, each) for operator, found in sorted(questions.examples(list(questions.of_node_tests())).items()) for each in found]
    for _, each in known:
        each.model.ir_version = min(each.model.ir_version, IR_VERSION)
    said = said_against(runtime, [each.model.SerializeToString() for _, each in known])
    asked = [((operator, number), without_shape(each.model, name).SerializeToString())
             for (operator, each), against in zip(known, said, strict=True) if not against
             for number, name in enumerate(each.node.input) if name]
    answers = collections.defaultdict(list)
    for (operand, _), answer in zip(asked, said_against(runtime, [model for _, model in asked]), strict=True):
        answers[operand].append(answer)
    return answers


def body(operator: str) -> tuple[list[str], dict]:
    """The inputs and subgraphs of an operator whose condition, or trip count, is an input of the model."""
    def value(name: str, dtype: int):
        return helper.make_tensor_value_info(name, dtype, None)

    yields = [helper.make_node("Relu", ["x"], ["r"])]
    if operator == "If":
        arms = {name: helper.make_graph(yields, name, [], [value("r", TensorProto.FLOAT)]) for name in ("then_branch", "else_branch")}
        return ["condition"], arms
    known = helper.make_graph([helper.make_node("Identity", ["go"], ["on"]), *yields], "body",
                              [helper.make_tensor_value_info("i", TensorProto.INT64, []), helper.make_tensor_value_info("go", TensorProto.BOOL, [])],
                              [value("on", TensorProto.BOOL), value("r", TensorProto.FLOAT)])
    return ["trips", "condition"], {"body": known}


def model_of(operator: str, asked: str, rank: int) -> ModelProto:
    inputs, graphs = body(operator)
    dtypes = {"condition": TensorProto.BOOL, "trips": TensorProto.INT64}
    constants = {"condition": numpy.array(True), "trips": numpy.array(3)}
    graph = helper.make_graph(
        [helper.make_node(operator, inputs, ["y"], **graphs)], "model",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2]), helper.make_tensor_value_info(asked, dtypes[asked], [1] * rank)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(constants[name], name) for name in inputs if name != asked])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 16)], ir_version=IR_VERSION)


def of_control_flow(runtime: Runtime) -> Iterator[dict]:
    for operator, operands in (("If", ["condition"]), ("Loop", ["trips", "condition"])):
        for number, asked in enumerate(operands):
            found = dict(zip(RANKS, said_against(runtime, [model_of(operator, asked, rank).SerializeToString() for rank in RANKS]), strict=True))
            if refused := [rank for rank, answer in found.items() if answer]:
                yield entry([f"onnx::{operator}"], {"input": number, "ranks": refused}, found[refused[0]])


def entry(operators: list[str], condition: dict, answer: str) -> dict:
    return {"operators": operators, "when": out.Raw(f"[{out.inline(condition)}]"), "reason": reason_of(answer) or "its rank has to be known"}


def learn(runtime: Runtime) -> list[dict]:
    """The entries of [[refused]] about ranks."""
    found = [entry([operator], {"input": number, "unranked": True}, answers[0])
             for (operator, number), answers in answers_by_operand(runtime).items()
             if all(a and a not in NO_ANSWER and FOLLOWS not in a for a in answers)]
    return found + list(of_control_flow(runtime))
