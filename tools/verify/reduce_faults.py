"""Embeds faults in real networks, reduces each with `model_validator reduce`, and prints how small it became.

    python tools/verify/reduce_faults.py --tool build/release/bin/model_validator MODELS FOLDER [--only WORD] [--python PYTHON]

MODELS is a folder of ONNX files (weights that are zeros throughout are filled). With --python each `repro.py` is run by that Python,
which needs nothing but numpy and the runtimes: it must fail by itself.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

Nodes = list[onnx.NodeProto]

#: Runs a model by ONNX Runtime without optimisations; first does what a bad runtime does where it finds an operator.
PROGRAM = """
import os, sys, time
import numpy as np, onnx, onnxruntime as ort
model, inputs, outputs, operator, deed = sys.argv[1:]
loaded = onnx.load(model)
found = [node for node in loaded.graph.node if node.op_type == operator]
if found and deed == "abort": os.abort()
if found and deed == "sleep": time.sleep(1000)
if found and deed == "refuse": sys.exit(f"no rule for {operator}")
for node in found:
    if deed.startswith("as:"): node.op_type = deed[3:]; del node.attribute[:]
options = ort.SessionOptions(); options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
session = ort.InferenceSession(loaded.SerializeToString(), options, providers=["CPUExecutionProvider"])
with np.load(inputs) as arrays: results = session.run(None, {i.name: arrays[i.name] for i in session.get_inputs()})
with open(outputs, "wb") as stream: np.savez(stream, **{f"{i:04}": r for i, r in enumerate(results)})
"""


@dataclass
class Case:
    name: str
    model: onnx.ModelProto
    options: list[str]
    candidate: onnx.ModelProto | None = None
    runtimes: str = field(default="onnxruntime")


def filled(file: Path) -> onnx.ModelProto:
    """With random weights where they were replaced by zeros."""
    model = onnx.load(file)
    rng = np.random.default_rng(0)
    for tensor in model.graph.initializer:
        array = numpy_helper.to_array(tensor)
        if array.dtype == np.float32 and array.size >= 64 and not array.any():
            scale = 1 / np.sqrt(max(1, np.prod(array.shape[1:])))
            tensor.CopyFrom(numpy_helper.from_array(rng.normal(0, scale, array.shape).astype(np.float32), tensor.name))
    return model


def float_values(model: onnx.ModelProto, rank: int | None = None) -> Iterator[str]:
    """What nodes compute in float32 of known rank."""
    shaped = onnx.shape_inference.infer_shapes(model)
    known = {v.name: v.type.tensor_type for v in shaped.graph.value_info}
    for node in model.graph.node:
        for name in node.output:
            kind = known.get(name)
            if kind and kind.elem_type == TensorProto.FLOAT and kind.HasField("shape"):
                ranks = len(kind.shape.dim)
                if ranks >= 2 and rank in (None, ranks):
                    yield name


def spliced(model: onnx.ModelProto, make: Callable[[str, str], Nodes], rank: int | None = None, where: float = 0.6) -> onnx.ModelProto | None:
    """A copy in which what follows a value in the middle of the network reads what the nodes make of it."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    values = list(float_values(copy, rank))
    if not values:
        return None
    value = values[int(where * (len(values) - 1))]
    nodes = list(copy.graph.node)
    at = next(i for i, node in enumerate(nodes) if value in node.output) + 1
    for node in nodes[at:]:
        for i, name in enumerate(node.input):
            if name == value:
                node.input[i] = "spliced"
    added = make(value, "spliced")
    del copy.graph.node[:]
    copy.graph.node.extend([*nodes[:at], *added, *nodes[at:]])
    for node in added:
        if node.domain and node.domain not in [o.domain for o in copy.opset_import]:
            copy.opset_import.append(helper.make_opsetid(node.domain, 1))
    return copy


def constant(name: str, array: np.ndarray) -> onnx.NodeProto:
    return helper.make_node("Constant", [], [name], value=numpy_helper.from_array(array))


def plugin(value: str, result: str) -> Nodes:
    return [helper.make_node("Magic", [value], [result], name="plugin", domain="acme.ai", strength=3)]


def double_erf(value: str, result: str) -> Nodes:
    return [
        helper.make_node("Cast", [value], ["wide"], to=TensorProto.DOUBLE),
        helper.make_node("Erf", ["wide"], ["erf"], name="wide_erf"),
        helper.make_node("Cast", ["erf"], [result], to=TensorProto.FLOAT),
    ]


def index_beyond(value: str, result: str) -> Nodes:
    return [
        constant("one_row", np.array([-1], np.int64)),
        helper.make_node("Reshape", [value, "one_row"], ["flat"]),
        helper.make_node("Size", [value], ["size"]),
        helper.make_node("Gather", ["flat", "size"], ["beyond"], name="beyond_the_end"),
        helper.make_node("Add", [value, "beyond"], [result]),
    ]


def selu_of_zero(value: str, result: str) -> Nodes:
    return [helper.make_node("Selu", [value], [result], name="selu", alpha=0.0)]


def roi_align_max(value: str, result: str) -> Nodes:
    return [
        constant("rois", np.array([[0, 0, 5, 5]], np.float32)),
        constant("batch", np.array([0], np.int64)),
        helper.make_node("RoiAlign", [value, "rois", "batch"], ["pooled"], mode="max", output_height=2, output_width=2),
        helper.make_node("ReduceMax", ["pooled"], ["top"], keepdims=0),
        helper.make_node("Add", [value, "top"], [result]),
    ]


def idle_scale(value: str, result: str) -> Nodes:
    return [
        constant("one", np.float32(1)),
        constant("scale", np.float32(2.8284271)),
        helper.make_node("Identity", [value], ["idle"]),
        helper.make_node("Div", ["one", "scale"], ["inverse"]),
        helper.make_node("Mul", ["idle", "inverse"], [result]),
    ]


def one_of(kind: str, **attributes: object) -> Callable[[str, str], Nodes]:
    return lambda value, result: [helper.make_node(kind, [value], [result], name=f"the_{kind}", **attributes)]


def inside_if(value: str, result: str) -> Nodes:
    """An operator that nobody has, in an arm that reads a value from outside."""
    kind = helper.make_tensor_value_info("arm", TensorProto.FLOAT, None)
    arm = helper.make_graph(
        [
            helper.make_node("Relu", [value], ["r"]),
            helper.make_node("Magic", ["r"], ["arm"], domain="acme.ai"),
        ],
        "then",
        [],
        [kind],
    )
    other_kind = helper.make_tensor_value_info("other", TensorProto.FLOAT, None)
    other = helper.make_graph([helper.make_node("Neg", [value], ["other"])], "else", [], [other_kind])
    return [
        helper.make_node("ReduceMax", [value], ["most"], keepdims=0),
        constant("bound", np.float32(-1e9)),
        helper.make_node("Greater", ["most", "bound"], ["is_more"]),
        helper.make_node("If", ["is_more"], [result], then_branch=arm, else_branch=other),
    ]


def changed(model: onnx.ModelProto, change: Callable[[onnx.NodeProto, dict[str, onnx.TensorProto]], bool]) -> onnx.ModelProto | None:
    """A copy in which the node in the middle that takes the change has it."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    weights = {t.name: t for t in copy.graph.initializer}
    nodes = list(copy.graph.node)
    for node in nodes[len(nodes) // 2 :] + nodes[: len(nodes) // 2]:
        if change(node, weights):
            return copy
    return None


def other_weight(node: onnx.NodeProto, weights: dict[str, onnx.TensorProto]) -> bool:
    if node.op_type not in ("Conv", "MatMul", "Gemm") or len(node.input) < 2 or node.input[1] not in weights:
        return False
    array = numpy_helper.to_array(weights[node.input[1]]).copy()
    array[..., 0] += 0.2
    weights[node.input[1]].CopyFrom(numpy_helper.from_array(array, node.input[1]))
    return True


def other_epsilon(node: onnx.NodeProto, _: object) -> bool:
    found = [a for a in node.attribute if a.name == "epsilon"]
    for attribute in found:
        attribute.f = 0.05
    return bool(found)


def other_operator(before: str, after: str) -> Callable[[onnx.NodeProto, object], bool]:
    def change(node: onnx.NodeProto, _: object) -> bool:
        if node.op_type != before:
            return False
        node.op_type = after
        del node.attribute[:]
        return True

    return change


def other_axis(node: onnx.NodeProto, _: object) -> bool:
    if node.op_type != "Softmax":
        return False
    del node.attribute[:]
    node.attribute.append(helper.make_attribute("axis", 1))
    return True


def cases(file: Path, program: Path) -> Iterator[Case]:
    model = filled(file)
    name = file.stem
    command = f"{sys.executable} {program} {{model}} {{inputs}} {{outputs}}"
    splices: list[tuple[str, Callable[[str, str], Nodes], int | None, list[str]]] = [
        ("ort-plugin", plugin, None, ["--backend", "onnxruntime"]),
        ("ov-plugin", plugin, None, ["--backend", "openvino"]),
        ("ort-double-erf", double_erf, None, ["--backend", "onnxruntime"]),
        ("ort-index", index_beyond, None, ["--backend", "onnxruntime"]),
        ("ort-idle-scale", idle_scale, None, ["--backend", "onnxruntime"]),
        ("ort-if-plugin", inside_if, None, ["--backend", "onnxruntime"]),
        ("ov-selu", selu_of_zero, None, ["--backend", "openvino"]),
        ("ov-roialign", roi_align_max, 4, ["--backend", "openvino"]),
        ("program-aborts", one_of("Celu"), None, ["--command", f"{command} Celu abort"]),
        ("program-hangs", one_of("Celu"), None, ["--command", f"{command} Celu sleep", "--timeout", "10"]),
        ("program-refuses", one_of("Softsign"), None, ["--command", f"{command} Softsign refuse"]),
        ("program-differs", one_of("Softplus"), None, ["--command", f"{command} Softplus as:Relu"]),
    ]
    for word, make, rank, options in splices:
        if made := spliced(model, make, rank):
            yield Case(f"{name}.{word}", made, options)
    for word, change in {
        "weight": other_weight,
        "epsilon": other_epsilon,
        "sigmoid": other_operator("Relu", "Sigmoid"),
        "tanh": other_operator("Sigmoid", "Tanh"),
        "axis": other_axis,
    }.items():
        if made := changed(model, change):
            yield Case(f"{name}.pair-{word}", model, [], made)


def reproduces(python: str, folder: Path) -> str:
    done = subprocess.run([python, folder / "repro.py"], check=False, capture_output=True, text=True, cwd="/", timeout=300)
    return {1: "yes", 0: "NO"}.get(done.returncode, f"status {done.returncode}: {(done.stdout + done.stderr)[-200:]}")


def attempt(tool: str, case: Case, folder: Path, python: str | None) -> dict[str, object]:
    folder.mkdir(parents=True)
    onnx.save(case.model, folder / "model.onnx")
    files = [folder / "model.onnx"]
    if case.candidate:
        onnx.save(case.candidate, folder / "candidate.onnx")
        files.append(folder / "candidate.onnx")
    began = time.monotonic()
    bug = folder / "bug"
    done = subprocess.run([tool, "reduce", *files, *case.options, "-o", bug], check=False, capture_output=True, text=True)
    row: dict[str, object] = {"case": case.name, "seconds": round(time.monotonic() - began), "nodes": len(case.model.graph.node)}
    if not (bug / "reduced.onnx").exists():
        return row | {"said": (done.stdout + done.stderr).strip().splitlines()[:2]}
    reduced = onnx.load(bug / "reduced.onnx")
    kinds = [node.op_type for node in reduced.graph.node]
    row |= {"reduced": len([k for k in kinds if k != "Constant"]), "operators": " ".join(kinds), "bytes": (bug / "reduced.onnx").stat().st_size}
    return row | ({"repro": reproduces(python, bug)} if python else {})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--python")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True)
    program = arguments.folder.resolve() / "program.py"
    program.write_text(PROGRAM)
    for file in sorted(arguments.models.glob("*.onnx")):
        for case in cases(file, program):
            if arguments.only in case.name:
                print(json.dumps(attempt(arguments.tool, case, arguments.folder / case.name, arguments.python)), flush=True)


if __name__ == "__main__":
    main()
