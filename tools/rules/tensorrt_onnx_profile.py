#!/usr/bin/env python3
"""Makes rules/tensorrt-onnx.toml from the list of operators that TensorRT's ONNX parser publishes.

usage: python tools/rules/tensorrt_onnx_profile.py docs/operators.md, of a checkout of github.com/onnx/onnx-tensorrt

Needs a Python with onnx. Of the list's remarks, those are taken that a file decides: an input that must be constant, an attribute
that must have one value, an output that may not be used.
"""
from __future__ import annotations

import pathlib
import re
import sys

import onnx
import profile_file as out

ROW = re.compile(r"^\|[ \t]*(\w+)[ \t]*\|[ \t]*([YN])[ \t]*\|([^|\n]*)\|?([^|\n]*)", re.MULTILINE)
CONSTANT = re.compile(r"`(\w+)`(?: input)? must be (?:an initializer|a build-time constant|a constant tensor)")
ONE_VALUE = re.compile(r"`(\w+)` (?:attribute )?must be (\d+)\b")
UNUSED = re.compile(r"`(\w+)` output tensor unsupported")


def names(parameters) -> list[str]:
    return [each.name.lower() for each in parameters]


def refused(operator: str, remark: str) -> list[dict]:
    schema = onnx.defs.get_schema(operator)
    found = []

    def add(condition: dict, reason: str) -> None:
        when = out.Raw(f"{{{', '.join(f'{k} = {out.value(v)}' for k, v in condition.items())}}}")
        found.append({"operators": [f"onnx::{operator}"], "when": [when],
                      "reason": reason})

    for match in CONSTANT.finditer(remark):
        if match[1].lower() in names(schema.inputs):
            add({"input": names(schema.inputs).index(match[1].lower()), "computed": True}, match[0])
    for match in ONE_VALUE.finditer(remark):
        if match[1] in schema.attributes:
            add({"attribute": match[1], "is_not": [int(match[2])]}, match[0])
    for match in UNUSED.finditer(remark):
        if match[1].lower() in names(schema.outputs):
            add({"output": names(schema.outputs).index(match[1].lower()), "given": True}, match[0])
    return found


def main() -> None:
    text = pathlib.Path(sys.argv[1]).read_text()
    version = re.search(r"TensorRT ([\d.]+) supports operators", text)[1]
    rows = [(match[1], match[2] == "Y", match[4]) for match in ROW.finditer(text)]
    known = {schema.name for schema in onnx.defs.get_all_schemas() if schema.domain == ""}
    taken = {name for name, supported, _ in rows if supported and name in known}
    profile = out.profile(
        target={
            "name": "tensorrt-onnx",
            "counterparts": ["tensorrt"],
            "description": "TensorRT through its ONNX parser, trtexec --onnx",
            "package": f"tensorrt {version}",
            "made_by": "tools/rules/tensorrt_onnx_profile.py",
            "url": "https://github.com/onnx/onnx-tensorrt/blob/main/docs/operators.md",
            "refusal": "No importer registered for op: {operator}",
            "notes": ["read from the published list of operators; never run here, because TensorRT needs a GPU",
                      "plugins are not in the list: an operator of a domain of its own is reported as unknown",
                      "limits on dtypes, shapes and sizes of the list are not judged"],
        },
        # The parser's importer of QuantizeLinear and DequantizeLinear, onnxOpImporters.cpp.
        judged={"symmetric": ["weights", "activations"],
                "symmetric_reason": "TensorRT only supports symmetric quantization. The zero point for the QuantizeLinear/DequantizeLinear operator "
                                    "must be all zeros."},
        operators={f"onnx::{name}": 0 for name in taken})
    profile += out.tables("refused", [each for name, supported, remark in rows if supported and name in known for each in refused(name, remark)])
    out.write("tensorrt-onnx", profile)


if __name__ == "__main__":
    main()
