#!/usr/bin/env python3
"""Makes rules/openvino.toml by asking OpenVINO's PyTorch front end, which has no table that can be read.

For each operator a graph of one node is converted; the front end names what it has no conversion rule for.

usage: python tools/rules/openvino_profile.py      with a Python that has torch and openvino
"""
from __future__ import annotations

import re
import sys

import torch

sys.modules["openvino_telemetry"] = None  # it would wait for the network
import computed_otherwise  # noqa: E402
import operators  # noqa: E402
import profile_file as out  # noqa: E402
import rewrites  # noqa: E402
from openvino.frontend import FrontEndManager  # noqa: E402
from openvino.frontend.pytorch.ts_decoder import TorchScriptPythonDecoder  # noqa: E402
from probing import Prober  # noqa: E402
from removed import answers, removed_by  # noqa: E402

FRONT_END = FrontEndManager().load_by_framework("pytorch")


class NoAliases:
    """What the decoder asks of an alias analysis, for a graph in which nothing aliases."""

    def may_contain_alias(self, *_):
        return False

    def has_writers(self, *_):
        return False


def without_rule(decoder) -> set[str]:
    """The operators that the front end names when it cannot convert."""
    try:
        FRONT_END.convert(FRONT_END.load(decoder))
    except Exception as error:  # whatever else it says is about the one node's operands
        found = re.search(r"No conversion rule found for operations: (.*)", str(error))
        return set(found.group(1).strip().split(", ")) if found else set()
    return set()


def has_rule(name: str) -> bool:
    graph = torch._C.Graph()   # nodes made by hand are not checked against a schema: one tensor will do
    graph.registerOutput(graph.insertNode(graph.create(name, [graph.addInput()], 1)).output())
    return name not in without_rule(TorchScriptPythonDecoder(None, graph_element=graph, alias_db=NoAliases()))


NOT_STATIC = "SequenceMark: This is OpenVINO internal type: the list does not become static"
NOT_CONVERTED = "constant cannot be converted to OpenVINO opset and should be removed by consuming operation"
STRING = f"String {NOT_CONVERTED}"

# What the front end refuses although it has a rule for the operator, observed on scripted programs of a few lines each.
# Lists become static, or do not; strings and None cannot become tensors.
CONSTRAINTS = [
    {"operators": ["prim::GetAttr"], "attribute": "result", "none_of": ["str", "str?"], "reason": STRING},
    {"operators": ["prim::Return"], "attribute": "result", "none_of": ["NoneType"], "reason": f"None {NOT_CONVERTED}"},
    {"operators": ["aten::append"], "attribute": "result", "none_of": ["int[]"],
     "reason": "SequenceInsert: This is OpenVINO internal type: integers cannot be appended to a list"},
    {"operators": ["aten::cat", "aten::stack", "aten::concat"], "attribute": "use",
     "none_of": ["of an if", "slice", "from outside"], "reason": NOT_STATIC},
    {"operators": ["aten::add"], "attribute": "use", "none_of": ["of an if"], "reason": NOT_STATIC},
    {"operators": ["aten::split", "aten::chunk", "aten::split_with_sizes", "aten::tensor_split", "aten::unbind"],
     "attribute": "use", "none_of": ["iterated"], "reason": "No conversion rule found: its result is neither unpacked nor "
                                                             "read at constant places, in the same block"},
    {"operators": ["aten::unbind"], "attribute": "use", "none_of": ["picked"],
     "reason": "No conversion rule found: its result is not unpacked"},
    {"operators": ["prim::dtype", "prim::layout"], "attribute": "use", "none_of": ["compared"],
     "reason": "No conversion rule found: it is compared"},
    {"operators": ["aten::index"], "attribute": "use", "none_of": ["mask after None"],
     "reason": f"None {NOT_CONVERTED}"},
    # The inputs of a trace have no rank, unless convert_model is given `example_input`.
    {"operators": ["aten::index"], "min_rank": 0,
     "reason": "dynamic rank for aten::index input is not supported"},
    {"operators": ["aten::pad"], "where": {"mode": ["circular"]}, "attribute": "pad", "dimensions_before_pairs": 2,
     "reason": "Axis out of the tensor rank range: circular padding wants a batch and a channel before the dimensions that it "
               "pads"},
]


def convert(module, _) -> None:
    import openvino
    openvino.convert_model(module)


def convert_with(module, inputs) -> None:
    import openvino
    openvino.convert_model(module, example_input=inputs)


def of_tensors(ruled: set[str]) -> list[dict]:
    prober = Prober(convert_with)
    return [*prober.of_complex(ruled, "a complex input", "Conversion is failed for: ComplexTypeMark"),
            *prober.empty_lists(ruled, "normalize step failed: an empty list of sizes")]


def main() -> None:
    asked = [n for n in operators.names() if n not in ("prim::If", "prim::Loop", "prim::Constant")]
    # A malformed node can crash the front end, in one of its rules.
    ruled = {n for n, ruled in zip(asked, answers(has_rule, asked), strict=False) if ruled is not False}
    ruled |= {"prim::If", "prim::Loop", "prim::Constant"}
    ruled.add("prim::Return")   # what a model returns; only the constraints are about it
    removed = removed_by(convert, ruled)
    conditional = {name for constraint in CONSTRAINTS for name in constraint["operators"]}
    ruled |= removed & conditional   # converted by passes, on conditions
    removed -= conditional
    constraints = [{**c, "operators": kept} for c in [*CONSTRAINTS, *of_tensors(ruled)]
                   if (kept := [n for n in c["operators"] if n in ruled])]
    text = out.profile(
        target={
            "name": "openvino",
            "counterparts": ["openvino-onnx", "openvino-export"],
            "description": "OpenVINO through its PyTorch front end, openvino.convert_model on TorchScript",
            "package": out.installed("openvino", "torch"),
            "made_by": "tools/rules/openvino_profile.py",
            "url": "https://docs.openvino.ai/2026/documentation/compatibility-and-support/supported-operations.html",
            "refusal": "No conversion rule found for operations: {operator}",
            "notes": ["the front end was asked about one operator at a time: it has no table that can be read",
                      "a scripted file is judged as it is: convert_model freezes only what it scripts itself"],
        },
        judged={"inplace_distinct": True}, operators=dict.fromkeys(ruled, 0), constraints=constraints, removed=removed,
        replacements=rewrites.of_table(ruled | removed))
    out.write("openvino", text + computed_otherwise.tables("openvino", text))


if __name__ == "__main__":
    main()
