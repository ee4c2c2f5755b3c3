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
from openvino.frontend import FrontEndManager  # noqa: E402
from openvino.frontend.pytorch.ts_decoder import TorchScriptPythonDecoder  # noqa: E402

import operators  # noqa: E402
import profile_file as out  # noqa: E402
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
    except Exception as error:  # noqa: BLE001: whatever else it says is about the one node's operands
        found = re.search(r"No conversion rule found for operations: (.*)", str(error))
        return set(found.group(1).strip().split(", ")) if found else set()
    return set()


def has_rule(name: str) -> bool:
    graph = torch._C.Graph()   # made by hand no schema is checked, so one tensor will do for every operator
    graph.registerOutput(graph.insertNode(graph.create(name, [graph.addInput()], 1)).output())
    return name not in without_rule(TorchScriptPythonDecoder(None, graph_element=graph, alias_db=NoAliases()))


def convert(module, _) -> None:
    import openvino
    openvino.convert_model(module)


def main() -> None:
    asked = [n for n in operators.names() if n not in ("prim::If", "prim::Loop", "prim::Constant")]
    # A malformed node can take the front end down: in a rule of its own.
    ruled = {n for n, ruled in zip(asked, answers(has_rule, asked)) if ruled is not False} | {"prim::If", "prim::Loop", "prim::Constant"}
    text = out.profile(
        target={
            "name": "openvino",
            "description": "OpenVINO through its PyTorch front end, openvino.convert_model on TorchScript",
            "package": out.installed("openvino", "torch"),
            "made_by": "tools/rules/openvino_profile.py",
            "url": "https://docs.openvino.ai/2026/documentation/compatibility-and-support/supported-operations.html",
            "refusal": "No conversion rule found for operations: {operator}",
            "notes": ["asked of the front end one operator at a time: it has no table that can be read",
                      "a scripted file is judged as it is: convert_model freezes only what it scripts itself"],
        },
        judged={"inplace_distinct": True}, operators={n: 0 for n in ruled}, removed=removed_by(convert, ruled))
    out.write("openvino", text)


if __name__ == "__main__":
    main()
