#!/usr/bin/env python3
"""Makes rules/tensorrt-onnx.toml and rules/tensorrt-rtx.toml by asking TensorRT-RTX's ONNX parser and builder, which need no GPU.

RTX 1.7 holds the parser of TensorRT 11: strongly typed, opsets 9 to 25. An operator of ONNX without an importer is refused. What has one that
answers with "plugin not found", or is in NVIDIA's list of operators all the same, is a matter of plugins that the full TensorRT may have: unknown
for `tensorrt`, refused for `tensorrt-rtx`.

usage: python tools/rules/tensorrt_rtx_profile.py FOLDER LIST

FOLDER: where tools/rules/prober.py keeps its questions and answers. LIST: docs/operators.md of a checkout of github.com/onnx/onnx-tensorrt.

Needs a Python with onnx, onnxruntime, tensorrt-rtx-cu13-bindings and tensorrt-rtx-cu13-libs (pip install --no-deps).
"""
from __future__ import annotations

import collections
import pathlib
import re
import sys
from typing import Any

import forbidden
import onnx
import open_ranks
import open_sizes
import profile_file as out
from probe import answers, questions, table
from probe.causes import Asked
from probe.facts import dtype_name
from probe.runtime import Runtime
from probe.runtimes import RUNTIMES
from tensorrt_onnx_profile import ROW

PLUGIN = re.compile("[Pp]lugin not found|not found in (the )?plugin registry|failed to load \\w+ plugin|Internal Error .*no runners")
# A dtype that no tensor of a network may have: one list says it for all operators.
# Not learnt: nothing is said, or it is a matter of values or sizes: the program reads zero points itself.
UNCLEAR = re.compile("^[A-Z_]+: false$|_M_construct null|shiftIsAllZeros|even number of elements|odd tensor volume|scaleAllPositive")
DTYPE = re.compile("convertDtype|Failed to convert ONNX date type")
SENTENCE = "no plugin of the name is loaded: Plugin not found, are the plugin name, version, and namespace correct? ({operator})"
ANY = "{from_opset = 1}"
# Operators that ONNX does not define; the parser has importers for them, which were asked one by one.
OTHERS = ["com.microsoft::DequantizeLinear", "com.microsoft::Gelu", "com.microsoft::GroupQueryAttention", "com.microsoft::MatMulNBits",
          "com.microsoft::MultiHeadAttention", "com.microsoft::QuantizeLinear", "com.microsoft::RotaryEmbedding",
          "com.microsoft::SimplifiedLayerNormalization", "com.microsoft::SkipSimplifiedLayerNormalization", "onnx::ImageScaler",
          "onnx::ParametricSoftplus", "onnx::ScaledTanh", "onnx::SimplifiedLayerNormalization", "onnx::SkipSimplifiedLayerNormalization"]
# Those of com.microsoft that ONNX has by the same name: the parser looks for the name, whatever the domain.
BY_NAME = ["GatherND", "GridSample", "Pad", "Range", "Trilu"]
OTHERS += [f"com.microsoft::{name}" for name in BY_NAME]
OTHERS_REFUSED = [
    {"operators": ["com.microsoft::MatMulNBits"], "when": out.Raw('[{input = 0, dtypes = ["bfloat16", "float32"]}]'),
     "reason": "input tensor A must be FP16"},
    {"operators": ["com.microsoft::GroupQueryAttention"], "when": out.Raw('[{attribute = "scale", is = [0.0], or_absent = true}]'),
     "reason": "scale != 0: scale is invalid"}]
BY_PLUGIN = ["com.microsoft::GroupQueryAttention", "com.microsoft::MatMulNBits"]


def importers() -> set[str]:
    """The operators of ONNX that the parser has an importer for."""
    import tensorrt_rtx_bindings as trt
    import tensorrt_rtx_libs  # noqa: F401  # loads the libraries
    logger = trt.Logger(trt.Logger.INTERNAL_ERROR)
    builder = trt.Builder(logger)
    network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
    parser = trt.OnnxParser(network, logger)
    return {s.name for s in onnx.defs.get_all_schemas_with_history() if s.domain == "" and parser.supports_operator(s.name)}


def in_list_alone(text: str, listed: set[str]) -> list[str]:
    """Operators that NVIDIA's list has, and the parser of TensorRT-RTX has no importer for."""
    known = {schema.name for schema in onnx.defs.get_all_schemas_with_history() if schema.domain == ""}
    taken = {f"onnx::{match[1]}" for match in ROW.finditer(text) if match[2] == "Y" and match[1] in known}
    return sorted(taken - listed - set(OTHERS))


def never_taken(asked: dict[str, list[Asked]], listed: set[str]) -> list[dict[str, Any]]:
    """Operators with an importer, of which no model was taken: with what is said most."""
    found = []
    for operator, each in sorted(asked.items()):
        if operator in listed and each and not any(a.is_right for a in each):
            said = [table.reason_of(a.answer.said) for a in each if not DTYPE.search(a.answer.said)]
            if said:
                found.append({"operators": [operator], "when": out.Raw(f"[{ANY}]"), "reason": max(set(said), key=said.count), "asked": each[0].name})
    return found


def also_by_name(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry, for operators of com.microsoft too where it does not ask for an opset of ONNX."""
    others = [f"com.microsoft::{name}" for name in BY_NAME if f"onnx::{name}" in entry["operators"]]
    return entry if "opset" in str(entry["when"]) else {**entry, "operators": others + list(entry["operators"])}


def without_shapes(runtime: Runtime) -> list[dict[str, Any]]:
    """What is refused where nothing is declared of a tensor's shape: one entry for all operators, whatever each misses of a number."""
    found: dict[str, set[str]] = collections.defaultdict(set)
    for each in open_ranks.learn(runtime):
        if "unranked" in each["when"]:
            found[each["when"]].update(each["operators"])
    reason = "a tensor of which no shape is declared is read as a number, which has no axes"
    return [{"operators": sorted(operators), "when": out.Raw(when), "reason": reason} for when, operators in sorted(found.items())]


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    runtime = RUNTIMES["tensorrt-rtx"]
    known = answers.kept(runtime, folder)
    learnt = [q for q in questions.written(folder) if q.name in known and not q.held_out and q.is_sound and answers.has_a_sense(q, known[q.name])]
    asked = table.asked_of(learnt, known)
    dtypes = table.dtypes_of_right(asked)
    listed = {f"onnx::{name}" for name in importers()}
    conclusive = {op: [a for a in each if is_conclusive(a, dtypes)] for op, each in asked.items()}
    found = table.entries(conclusive, weights_differ=True)
    by_plugin = sorted(op for op, each in asked.items() if op in listed and asks_for_a_plugin(each))
    refused = never_taken(conclusive, listed - set(by_plugin)) + found["refused"] + OTHERS_REFUSED + forbidden.of_dtypes(runtime)
    refused += without_shapes(runtime) + open_sizes.learn(runtime)
    refused = [also_by_name(each) for each in refused]
    unknown = [{"operators": sorted(by_plugin + BY_PLUGIN), "when": out.Raw(f"[{ANY}]"),
                "reason": "the parser imports it by a plugin, which was not found"}]
    elsewhere = [{"operators": in_list_alone(pathlib.Path(sys.argv[2]).read_text(), listed), "when": out.Raw(f"[{ANY}]"),
                  "reason": "NVIDIA's list of operators has it, by a plugin that TensorRT-RTX lacks"}]
    version = f"tensorrt 11, tensorrt-rtx {runtime.version}"
    text = out.profile(
        target={
            "name": "tensorrt-onnx",
            "counterparts": ["tensorrt"],
            "description": "TensorRT through its ONNX parser, trtexec --onnx",
            "package": version,
            "made_by": "tools/rules/tensorrt_rtx_profile.py",
            "url": "https://docs.nvidia.com/deeplearning/tensorrt/latest/",
            "refusal": SENTENCE,
            "notes": ["the parser and the ahead-of-time builder of TensorRT-RTX were asked, for GPUs of compute capability 8.9; nothing was run",
                      "TensorRT 11 is strongly typed: an engine has the precision of the file, and needs Q and DQ for INT8",
                      "an operator of ONNX without an importer is refused, unless a plugin of yours provides it; one that NVIDIA imports by a plugin "
                      "that TensorRT-RTX lacks is unknown",
                      "TensorRT 10, which JetPack and DLA stay on, is `tensorrt@10`"],
        },
        judged={"takes_plugins": True, "dtypes": sorted(dtypes), "symmetric": ["weights", "activations"],
                "symmetric_reason": "TensorRT only supports symmetric quantization. The zero point for the QuantizeLinear/DequantizeLinear operator "
                                    "must be all zeros."},
        operators=dict.fromkeys(listed | set(OTHERS), 0))
    text += out.section("sentences", {"dtype": "Failed to convert ONNX data type {dtype} to TensorRT data type, which is one of {dtypes}"})
    text += out.tables("refused", refused) + out.tables("unknown", unknown + elsewhere)
    text += out.tables("releases", [{"version": "10.0", "ir_version": 0}, {"version": "11", "ir_version": 0}])
    out.write("tensorrt-onnx", text)
    rtx = out.header({"name": "tensorrt-rtx", "extends": "tensorrt-onnx", "counterparts": [], "description": "TensorRT-RTX through its ONNX parser",
                      "package": f"tensorrt-rtx {runtime.version}", "made_by": "tools/rules/tensorrt_rtx_profile.py",
                      "notes": ["the parser and the ahead-of-time builder were asked, for GPUs of compute capability 8.9; nothing was run"]})
    rtx += out.section("without", {"unknown": True, "releases": True})
    out.write("tensorrt-rtx", rtx + out.tables("refused", unknown))


def asks_for_a_plugin(asked: list[Asked]) -> bool:
    """Whether the runtime takes no model of an operator, and says of one that a plugin is missing."""
    return not any(a.is_right for a in asked) and any(PLUGIN.search(a.answer.said) for a in asked)


def is_conclusive(asked: Asked, dtypes: set[str]) -> bool:
    """Whether the answer is about the operator: not about a plugin, nor about a dtype that no tensor may have."""
    said = asked.answer.said
    has_other = any(dtype_name(value) not in dtypes for key, value in asked.facts.items() if str(key[0]).endswith("dtype"))
    return not (PLUGIN.search(said) or UNCLEAR.search(said) or (DTYPE.search(said) and has_other))


if __name__ == "__main__":
    main()
