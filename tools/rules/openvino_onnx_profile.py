#!/usr/bin/env python3
"""Makes rules/openvino-onnx.toml, for ONNX files, by asking OpenVINO's ONNX front end, which has no readable table.

For each operator with a schema in ONNX or ONNX Runtime, a model of one node is converted; the front end names what it
does not support. Which attributes, dtypes and ranks it refuses is learnt from valid models of one node, from the same models
with shapes left out, and from some that ONNX forbids.

usage: python tools/rules/openvino_onnx_profile.py FOLDER [WHEEL…]      with a Python that has onnx, onnxruntime and openvino
       python tools/rules/openvino_onnx_profile.py --answers FOLDER [OPERATOR…]      what is learnt from new answers alone

FOLDER: where tools/rules/prober.py keeps its questions and answers. What the table says of operators without any there stays.
"""
from __future__ import annotations

import pathlib
import re
import sys

import ceilings
import forbidden
import onnx
import open_ranks
import open_sizes
import profile_file as out
from one_node import IR_VERSION, model_of_one_node
from onnx import TensorProto, helper
from onnxruntime_profile import name_in_profile, schemas
from probe import observed
from probe.children import said_against
from probe.facts import dtype_name
from probe.runtimes import RUNTIMES

UNKNOWN = "No conversion rule found for operations"
NOT_LOADED = re.compile("Unsupported (data )?type")
FORESEEN = re.compile(f"{NOT_LOADED.pattern}|{UNKNOWN}")
RUNTIME = RUNTIMES["openvino-onnx"]


def taken(of: list) -> list[bool]:
    """Any other message of the front end is about the node's operands: a rule may crash on a node without some of them, but then
    there is a rule."""
    unknown = [re.search(f"{UNKNOWN}: (.*)", said) for said in said_against(RUNTIME, [model_of_one_node(schema) for schema in of])]
    return [found is None or schema.name not in found.group(1) for schema, found in zip(of, unknown, strict=True)]


def of_dtype(dtype: int) -> bytes:
    graph = helper.make_graph([helper.make_node("Identity", ["x"], ["y"])], "identity",
                              [helper.make_tensor_value_info("x", dtype, [1])], [helper.make_tensor_value_info("y", dtype, [1])])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", onnx.defs.onnx_opset_version())], ir_version=IR_VERSION)
    return model.SerializeToString()


def loaded_dtypes() -> list[int]:
    dtypes = [dtype for dtype in TensorProto.DataType.values() if dtype]
    said = said_against(RUNTIME, list(map(of_dtype, dtypes)))
    return [dtype for dtype, each in zip(dtypes, said, strict=True) if not NOT_LOADED.search(each)]


def flattened_softmax() -> list[dict]:
    """Of opset 11 and 12, Softmax is over all axes from its own on, and OpenVINO takes its own alone. ONNX Runtime without optimisations and the
    definition, written out in numpy, agree; onnx.reference has OpenVINO's mistake. LogSoftmax and Hardmax, and Softmax before, are right."""
    def entry(rank: int) -> dict:
        axis = {"attribute": "axis", "is": [0, -2]} if rank == 2 else {"attribute": "axis", "is_not": [-1, rank - 1], "or_absent": True}
        several = {"input": 0, "length": {"axis": rank - 1, "at_least": 2}}
        when = [{"from_opset": 11}, {"below_opset": 13}, axis, {"input": 0, "ranks": [rank]}, several]
        return {"operators": ["onnx::Softmax"], "when": out.raw(when),
                "reason": "before opset 13 it is over all axes from `axis` on, and OpenVINO takes that one alone: off by 0.475 to 0.952 of 1",
                "asked": f"Softmax of opset 11 and 12, rank {rank}, every axis"}
    return [entry(rank) for rank in range(2, 7)]


def main() -> None:
    if sys.argv[1:2] == ["--answers"]:
        observed.renew("openvino-onnx", pathlib.Path(sys.argv[2]), FORESEEN, set(sys.argv[3:]))
        return
    # A wording that has changed must not turn into a table of everything.
    no_such = type("Schema", (), {"name": "NoSuchOperator", "domain": "", "min_input": 1, "min_output": 1,
                                  "since_version": onnx.defs.onnx_opset_version()})
    if taken([no_such]) == [True]:
        raise SystemExit(f"the front end does not say any more that it `{UNKNOWN}`")
    all_schemas = schemas()
    newest = {key: max(each, key=lambda schema: schema.since_version) for key, each in all_schemas.items()}
    listed = {key for key, is_taken in zip(newest, taken(list(newest.values())), strict=True) if is_taken} | {("", "Constant")}
    folder = pathlib.Path(sys.argv[1])
    found = observed.tables("openvino-onnx", folder, FORESEEN)
    found["refused"] += open_ranks.learn(RUNTIME)
    stays = observed.of_others("openvino-onnx", folder)
    found = {name: stays[name] + [entry for entry in found[name] if entry not in stays[name]] for name in stays}
    text = out.profile(
        target={
            "name": "openvino-onnx",
            "counterparts": ["openvino", "openvino-export"],
            "description": "OpenVINO through its ONNX front end, openvino.convert_model on an ONNX file",
            "package": out.installed("openvino", "onnx", "onnxruntime"),
            "made_by": "tools/rules/openvino_onnx_profile.py",
            "url": "https://docs.openvino.ai/2026/documentation/compatibility-and-support/supported-operations.html",
            "refusal": f"{UNKNOWN}: {{operator}}",
            "notes": ["the front end was asked about one operator at a time, with models of one node, most of them valid",
                      "no version of the IR or of an opset is too new for it: an operator is read by the newest rule there is"],
        },
        judged={"dtypes": sorted(map(dtype_name, loaded_dtypes()))}, operators=dict.fromkeys(map(name_in_profile, listed), 0))
    text += out.section("sentences", {"dtype": "Unsupported data type {dtype} expected: {dtypes}"})
    text += out.tables("refused", found["refused"] + open_ranks.learn(RUNTIME) + open_sizes.learn(RUNTIME) + forbidden.learn(RUNTIME))
    text += out.tables("fails", found["fails"]) + out.tables("wrong", found["wrong"] + flattened_softmax() + forbidden.passed_over(RUNTIME))
    text += out.releases(ceilings.of_packages("openvino", sys.argv[2:], "openvino-onnx"))
    out.write("openvino-onnx", text)


if __name__ == "__main__":
    main()
