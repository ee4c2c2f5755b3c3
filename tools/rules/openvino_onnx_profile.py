#!/usr/bin/env python3
"""Makes rules/openvino-onnx.toml, for ONNX files, by asking OpenVINO's ONNX front end, which has no table to be read.

For each operator that ONNX and ONNX Runtime have schemas of, a model of one node is converted; the front end names
what it does not support.

usage: python tools/rules/openvino_onnx_profile.py      with a Python that has onnx, onnxruntime and openvino
"""
from __future__ import annotations

import os
import re
import sys

import onnx

sys.modules["openvino_telemetry"] = None  # it would wait for the network
import openvino  # noqa: E402

import profile_file as out  # noqa: E402
from one_node import model_of_one_node  # noqa: E402
from onnxruntime_profile import name_in_profile, schemas  # noqa: E402

REFUSED = 10  # exit status of a process
UNKNOWN = "No conversion rule found for operations"


def converts(core, schema) -> bool:
    """Whatever else the front end says is about the one node's operands."""
    try:
        core.read_model(model_of_one_node(schema), b"")
    except Exception as error:  # noqa: BLE001
        unknown = re.search(f"{UNKNOWN}: (.*)", str(error))
        return unknown is None or schema.name not in unknown.group(1)
    return True


def takes(core, schema) -> bool:
    """Asked in a process of its own: a rule may crash on a node that lacks operands, but there is one then."""
    child = os.fork()
    if child == 0:
        os._exit(0 if converts(core, schema) else REFUSED)
    _, status = os.waitpid(child, 0)
    return not (os.WIFEXITED(status) and os.WEXITSTATUS(status) == REFUSED)


def main() -> None:
    core = openvino.Core()
    # A wording that has changed must not turn into a table of everything.
    no_such = type("Schema", (), {"name": "NoSuchOperator", "domain": "", "min_input": 1, "min_output": 1,
                                  "since_version": onnx.defs.onnx_opset_version()})
    if takes(core, no_such):
        raise SystemExit(f"the front end does not say any more that it `{UNKNOWN}`")
    found = {key: max(each, key=lambda schema: schema.since_version) for key, each in schemas().items()}
    taken = {name_in_profile(key) for key, schema in found.items() if takes(core, schema)} | {"onnx::Constant"}
    text = out.profile(
        target={
            "name": "openvino-onnx",
            "description": "OpenVINO through its ONNX front end, openvino.convert_model on an ONNX file",
            "package": out.installed("openvino", "onnx", "onnxruntime"),
            "made_by": "tools/rules/openvino_onnx_profile.py",
            "url": "https://docs.openvino.ai/2026/documentation/compatibility-and-support/supported-operations.html",
            "refusal": f"{UNKNOWN}: {{operator}}",
            "notes": ["asked of the front end one operator at a time, in the newest version of its schema",
                      "what a conversion rule refuses of operands is not stated here"],
        },
        judged={}, operators=dict.fromkeys(taken, 0))
    out.write("openvino-onnx", text)


if __name__ == "__main__":
    main()
