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
from conditions import CRASH, Runtime, reason_of
from one_node import IR_VERSION
from onnx import ModelProto, TensorProto, helper, numpy_helper
from probes import examples

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
    answers = collections.defaultdict(list)
    for (domain, operator), known in sorted(examples().items()):
        for probe in known:
            if runtime.answer(probe.model.SerializeToString()):
                continue
            for number, name in enumerate(probe.node.input):
                if name:
                    answers[f"{domain or 'onnx'}::{operator}", number].append(
                        runtime.answer(without_shape(probe.model, name).SerializeToString()))
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
            found = {rank: runtime.answer(model_of(operator, asked, rank).SerializeToString()) for rank in RANKS}
            if refused := [rank for rank, answer in found.items() if answer]:
                yield entry([f"onnx::{operator}"], {"input": number, "ranks": refused}, found[refused[0]])


def entry(operators: list[str], condition: dict, answer: str) -> dict:
    return {"operators": operators, "when": out.Raw(f"[{out.inline(condition)}]"), "reason": reason_of(answer) or "its rank has to be known"}


def learn(runtime: Runtime) -> list[dict]:
    """The entries of [[refused]] about ranks."""
    found = [entry([operator], {"input": number, "unranked": True}, answers[0])
             for (operator, number), answers in answers_by_operand(runtime).items() if all(a and a != CRASH and FOLLOWS not in a for a in answers)]
    return found + list(of_control_flow(runtime))
