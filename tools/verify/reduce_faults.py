"""Embeds faults in real networks, reduces each with `model_validator reduce`, and prints how small it became.

    python tools/verify/reduce_faults.py --tool build/release/bin/model_validator MODELS FOLDER [--only WORD] [--python RUNTIME=PYTHON …]
    python tools/verify/reduce_faults.py FOLDER --summary

MODELS is a folder of ONNX files (weights that are zeros throughout are filled), which take the faults in turn; `--each` puts every fault into
every file. Faults are ONNX's own node tests that a runtime refuses or computes wrongly, optimisers that break a model, operators that nobody
has, programs that end or hang, changed copies, and with --bugs the files of a folder of public bugs, a folder each. With --python each
`repro.py` is run by that Python, which has numpy and that runtime and nothing else: it must fail by itself. One that was reduced before is not
reduced again.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import onnx
import onnx.version_converter
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

Nodes = list[onnx.NodeProto]

#: Runs a model by ONNX Runtime without optimisations; first does what a bad runtime does where it finds an operator.
PROGRAM = """
import os, sys, time
import numpy as np, onnx, onnxruntime as ort
model, inputs, outputs, operator, deed = sys.argv[1:]
loaded = onnx.load(model)
def inner(nodes):
    for node in nodes:
        yield node
        for attribute in node.attribute: yield from inner(attribute.g.node)
every = [*inner(loaded.graph.node), *(node for function in loaded.functions for node in inner(function.node))]
found = [node for node in every if node.op_type == operator]
if found and deed == "abort": os.abort()
if found and deed == "sleep": time.sleep(1000)
if found and deed == "refuse": sys.exit(f"no rule for {operator}")
for node in found:
    if deed.startswith("as:"): node.op_type = deed[3:]; del node.attribute[:]
    if deed.startswith("without:"):
        kept = [a for a in node.attribute if a.name != deed[8:]]
        del node.attribute[:]
        node.attribute.extend(kept)
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
    inputs: dict[str, np.ndarray] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    external: bool = False  # weights lie in files of their own

    @property
    def runtime(self) -> str:
        """What `repro.py` needs besides numpy."""
        if self.candidate or self.options[:1] == ["--command"]:
            return "onnxruntime"
        return self.options[1] + ("@1.24" if self.environment else "")


def filled(file: Path) -> onnx.ModelProto:
    """With random weights where they were replaced by zeros."""
    model = onnx.load(file)
    rng = np.random.default_rng(0)
    for tensor in model.graph.initializer:
        array = numpy_helper.to_array(tensor)
        if array.dtype == np.float32 and array.size >= 64 and not array.any():
            made = rng.normal(0, 1 / np.sqrt(max(1, np.prod(array.shape[1:]))), array.shape)
            made = 0.5 + np.abs(made) if array.ndim == 1 else made  # as scales and variances are
            tensor.CopyFrom(numpy_helper.from_array(made.astype(np.float32), tensor.name))
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
    graphs = [a.g.node for node in added for a in node.attribute if a.HasField("g")]
    for node in itertools.chain(added, *graphs):
        if node.domain and node.domain not in [o.domain for o in copy.opset_import]:
            copy.opset_import.append(helper.make_opsetid(node.domain, 1))
        if node.domain == "own.functions":
            copy.functions.append(FUNCTIONS[node.op_type])
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


def split_without_part(value: str, result: str) -> Nodes:
    """What nothing reads is left out."""
    return [
        helper.make_node("ReduceMax", [value], ["highest"], keepdims=0),
        constant("places", np.array([1], np.int64)),
        helper.make_node("Reshape", ["highest", "places"], ["one"]),
        helper.make_node("Concat", ["one", "one", "one"], ["three"], axis=0),
        constant("parts", np.array([1, 1, 1], np.int64)),
        helper.make_node("Split", ["three", "parts"], ["front", "", "back"], axis=0),
        helper.make_node("Add", ["front", "back"], ["sum"]),
        helper.make_node("Add", [value, "sum"], [result]),
    ]


def loop_without_result(value: str, result: str) -> Nodes:
    """What the loop carries is not asked for."""
    kind = helper.make_tensor_value_info
    body = helper.make_graph(
        [
            helper.make_node("Identity", ["goes_on"], ["still"]),
            helper.make_node("Neg", ["carried"], ["next"]),
            helper.make_node("Abs", ["carried"], ["row"]),
        ],
        "body",
        [kind("turn", TensorProto.INT64, []), kind("goes_on", TensorProto.BOOL, []), kind("carried", TensorProto.FLOAT, None)],
        [kind("still", TensorProto.BOOL, []), kind("next", TensorProto.FLOAT, None), kind("row", TensorProto.FLOAT, None)],
    )
    return [
        constant("turns", np.array(2, np.int64)),
        constant("begins", np.array(True)),
        helper.make_node("Loop", ["turns", "begins", value], ["", "rows"], name="loop", body=body),
        helper.make_node("ReduceMax", ["rows"], ["greatest"], keepdims=0),
        helper.make_node("Add", [value, "greatest"], [result]),
    ]


def unpooled(value: str, result: str) -> Nodes:
    """At places that are beyond the result."""
    return [
        helper.make_node("ReduceMax", [value], ["most"], keepdims=0),
        constant("one_picture", np.array([1, 1, 1, 1], np.int64)),
        helper.make_node("Reshape", ["most", "one_picture"], ["picture"]),
        constant("beyond", np.full((1, 1, 1, 1), 1 << 40)),
        helper.make_node("MaxUnpool", ["picture", "beyond"], ["larger"], name="unpool", kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("ReduceMax", ["larger"], ["greatest"], keepdims=0),
        helper.make_node("Add", [value, "greatest"], [result]),
    ]


def endless(value: str, result: str) -> Nodes:
    """A loop of a negative number of turns, which are none."""
    kind = helper.make_tensor_value_info
    body = helper.make_graph(
        [helper.make_node("Identity", ["goes_on"], ["still"]), helper.make_node("Neg", ["carried"], ["next"])],
        "body",
        [kind("turn", TensorProto.INT64, []), kind("goes_on", TensorProto.BOOL, []), kind("carried", TensorProto.FLOAT, None)],
        [kind("still", TensorProto.BOOL, []), kind("next", TensorProto.FLOAT, None)],
    )
    return [
        constant("turns", np.array(-1, np.int64)),
        constant("begins", np.array(True)),
        helper.make_node("Loop", ["turns", "begins", value], [result], name="loop", body=body),
    ]


def in_an_arm(value: str, result: str) -> Nodes:
    """A Softplus in an arm, between others."""
    kind = helper.make_tensor_value_info
    arm = helper.make_graph(
        [helper.make_node("Abs", [value], ["a"]), helper.make_node("Softplus", ["a"], ["s"]), helper.make_node("Neg", ["s"], ["arm"])],
        "then",
        [],
        [kind("arm", TensorProto.FLOAT, None)],
    )
    other = helper.make_graph([helper.make_node("Neg", [value], ["other"])], "else", [], [kind("other", TensorProto.FLOAT, None)])
    return [
        helper.make_node("ReduceMax", [value], ["most"], keepdims=0),
        constant("bound", np.float32(-1e9)),
        helper.make_node("Greater", ["most", "bound"], ["is_more"]),
        helper.make_node("If", ["is_more"], [result], then_branch=arm, else_branch=other),
    ]


def in_a_scan(value: str, result: str) -> Nodes:
    """A Softplus in the body of a Scan over the rows of a value."""
    kind = helper.make_tensor_value_info
    body = helper.make_graph(
        [
            helper.make_node("Add", ["sum", "row"], ["next"]),
            helper.make_node("Softplus", ["next"], ["s"]),
            helper.make_node("Identity", ["s"], ["out"]),
        ],
        "body",
        [kind("sum", TensorProto.FLOAT, []), kind("row", TensorProto.FLOAT, [])],
        [kind("next", TensorProto.FLOAT, []), kind("out", TensorProto.FLOAT, [])],
    )
    return [
        constant("row", np.array([-1], np.int64)),
        helper.make_node("Reshape", [value, "row"], ["all"]),
        constant("from", np.array([0], np.int64)),
        constant("to", np.array([6], np.int64)),
        helper.make_node("Slice", ["all", "from", "to"], ["some"]),
        constant("zero", np.float32(0)),
        helper.make_node("Scan", ["zero", "some"], ["last", "each"], name="scan", body=body, num_scan_inputs=1),
        helper.make_node("ReduceMax", ["each"], ["greatest"], keepdims=0),
        helper.make_node("Add", [value, "greatest"], [result]),
    ]


def from_a_sequence(value: str, result: str) -> Nodes:
    """A Softplus of what is taken out of a sequence."""
    return [
        helper.make_node("Neg", [value], ["minus"]),
        helper.make_node("SequenceConstruct", [value, "minus"], ["both"]),
        constant("second", np.array(1, np.int64)),
        helper.make_node("SequenceAt", ["both", "second"], ["taken"]),
        helper.make_node("Softplus", ["taken"], [result], name="softplus"),
    ]


def backwards(value: str, result: str) -> Nodes:
    """A layer that runs backwards, without lengths, with a first state: inputs are left out between others."""
    rng = np.random.default_rng(3)
    return [
        constant("row", np.array([-1], np.int64)),
        helper.make_node("Reshape", [value, "row"], ["all"]),
        constant("from", np.array([0], np.int64)),
        constant("to", np.array([12], np.int64)),
        helper.make_node("Slice", ["all", "from", "to"], ["some"]),
        constant("steps", np.array([3, 2, 2], np.int64)),
        helper.make_node("Reshape", ["some", "steps"], ["sequence"]),
        constant("w", rng.normal(0, 1, (1, 12, 2)).astype(np.float32)),
        constant("r", rng.normal(0, 1, (1, 12, 3)).astype(np.float32)),
        constant("h", rng.normal(0, 1, (1, 2, 3)).astype(np.float32)),
        helper.make_node("LSTM", ["sequence", "w", "r", "", "", "h"], ["", "last"], name="layer", hidden_size=3, direction="reverse"),
        helper.make_node("ReduceMax", ["last"], ["greatest"], keepdims=0),
        helper.make_node("Add", [value, "greatest"], [result]),
    ]


def in_int8(value: str, result: str) -> Nodes:
    """Numbers that are rounded to 8 bits and back, around a Softplus."""

    def rounded(given: str, made: str) -> Nodes:
        return [
            helper.make_node("QuantizeLinear", [given, "scale", "zero"], [made + "_q"]),
            helper.make_node("DequantizeLinear", [made + "_q", "scale", "zero"], [made]),
        ]

    return [
        constant("scale", np.float32(0.05)),
        constant("zero", np.int8(3)),
        *rounded(value, "before"),
        helper.make_node("Softplus", ["before"], ["soft"], name="softplus"),
        *rounded("soft", result),
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


def inside_loop(value: str, result: str) -> Nodes:
    """An operator that nobody has, in the body of a loop that carries the value."""
    kind = helper.make_tensor_value_info
    body = helper.make_graph(
        [
            helper.make_node("Abs", ["carried"], ["a"]),
            helper.make_node("Magic", ["a"], ["next"], domain="acme.ai"),
            helper.make_node("Identity", ["goes_on"], ["still"]),
        ],
        "body",
        [kind("turn", TensorProto.INT64, []), kind("goes_on", TensorProto.BOOL, []), kind("carried", TensorProto.FLOAT, None)],
        [kind("still", TensorProto.BOOL, []), kind("next", TensorProto.FLOAT, None)],
    )
    return [
        constant("turns", np.array(2, np.int64)),
        constant("begins", np.array(True)),
        helper.make_node("Loop", ["turns", "begins", value], [result], body=body),
    ]


def inside_function(value: str, result: str) -> Nodes:
    """A function of the file that calls an operator that nobody has."""
    return [helper.make_node("Wrapped", [value], [result], name="wrapped", domain="own.functions")]


def function_of_softplus(value: str, result: str) -> Nodes:
    return [helper.make_node("Softer", [value], [result], name="softer", domain="own.functions")]


def function(name: str, nodes: Nodes) -> onnx.FunctionProto:
    return helper.make_function("own.functions", name, ["x"], ["y"], nodes, [helper.make_opsetid("", 17), helper.make_opsetid("acme.ai", 1)])


FUNCTIONS = {
    "Wrapped": function("Wrapped", [helper.make_node("Abs", ["x"], ["a"]), helper.make_node("Magic", ["a"], ["y"], domain="acme.ai")]),
    "Softer": function("Softer", [helper.make_node("Abs", ["x"], ["a"]), helper.make_node("Softplus", ["a"], ["y"])]),
}


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


def splices(command: str) -> dict[str, tuple[Callable[[str, str], Nodes], int | None, list[str]]]:
    """By name: the nodes, the rank of the value that they follow, and what runs the model."""
    return {
        "ort-plugin": (plugin, None, ["--backend", "onnxruntime"]),
        "ov-plugin": (plugin, None, ["--backend", "openvino"]),
        "ort-double-erf": (double_erf, None, ["--backend", "onnxruntime"]),
        "ort-index": (index_beyond, None, ["--backend", "onnxruntime"]),
        "ort-idle-scale": (idle_scale, None, ["--backend", "onnxruntime"]),
        "ort-if-plugin": (inside_if, None, ["--backend", "onnxruntime"]),
        "ort-loop-plugin": (inside_loop, None, ["--backend", "onnxruntime"]),
        "ort-function": (inside_function, None, ["--backend", "onnxruntime"]),
        "ov-selu": (selu_of_zero, None, ["--backend", "openvino"]),
        "ov-roialign": (roi_align_max, 4, ["--backend", "openvino"]),
        "ov-function": (inside_function, None, ["--backend", "openvino"]),
        "program-aborts": (one_of("Celu"), None, ["--command", f"{command} Celu abort"]),
        "program-hangs": (one_of("Celu"), None, ["--command", f"{command} Celu sleep", "--timeout", "10"]),
        "program-refuses": (one_of("Softsign"), None, ["--command", f"{command} Softsign refuse"]),
        "program-differs": (one_of("Softplus"), None, ["--command", f"{command} Softplus as:Relu"]),
        "arm-differs": (in_an_arm, None, ["--command", f"{command} Softplus as:Relu"]),
        "scan-differs": (in_a_scan, None, ["--command", f"{command} Softplus as:Relu"]),
        "sequence-differs": (from_a_sequence, None, ["--command", f"{command} Softplus as:Relu"]),
        "function-differs": (function_of_softplus, None, ["--command", f"{command} Softplus as:Relu"]),
        "backwards-differs": (backwards, None, ["--command", f"{command} LSTM without:direction"]),
        "int8-differs": (in_int8, None, ["--command", f"{command} Softplus as:Relu"]),
        "ort-loop-crashes": (loop_without_result, None, ["--backend", "onnxruntime"]),
        "ort-split-crashes": (split_without_part, None, ["--backend", "onnxruntime"]),
        "ov-endless": (endless, None, ["--backend", "openvino", "--timeout", "20"]),
    }


CHANGES: dict[str, Callable[[onnx.NodeProto, dict[str, onnx.TensorProto]], bool]] = {
    "weight": other_weight,
    "epsilon": other_epsilon,
    "sigmoid": other_operator("Relu", "Sigmoid"),
    "tanh": other_operator("Sigmoid", "Tanh"),
    "axis": other_axis,
}

#: ONNX's own tests, by runtime: what it refuses, fails to run, or computes wrongly.
NODE_TESTS = {
    "openvino": [
        "bitshift_left_int8_overflow",
        "dft_rfft",
        "gru_batchwise",
        "lstm_batchwise",
        "lstm_with_peepholes",
        "maxpool_2d_ceil_output_size_reduce_by_one",
        "reduce_max_empty_set",
        "resize_downsample_scales_linear_antialias",
        "resize_upsample_sizes_nearest_not_larger",
        "resize_upsample_scales_cubic_A_n0p5_exclude_outside",
        "simple_rnn_batchwise",
        "attention_local_window",
        "attention_bidirectional_window",
        "col2im",
        "det_2d",
        "deform_conv_with_mask_bias",
        "gridsample_volumetric_bilinear_align_corners_1",
        "resize_tf_crop_and_resize_axes_3_2",
        "center_crop_pad_crop",
        "image_decoder_decode_png_rgb",
        "maxunpool_export_without_output_shape",
        "bernoulli_seed",
    ],
    "onnxruntime": [
        "maxunpool_export_with_output_shape",
        "attention_4d_with_past_and_present_qk_matmul_bias_3d_mask_causal",
        "resize_downsample_scales_cubic_align_corners",
        "convinteger_with_padding",
        "attention_4d_diff_heads_mask4d_padded_kv",
        "reduce_max_empty_set_bool",
        "gru_batchwise",
        "lstm_batchwise",
        "pow_types_float32_uint64",
        "max_int16",
        "image_decoder_decode_png_rgb",
        "simple_rnn_batchwise",
    ],
    "tensorrt-rtx": ["col2im", "det_2d", "affine_grid_2d", "lppool_2d_dilations", "roialign_mode_max", "reduce_sum_empty_set"],
}


def node_tests() -> dict[str, object]:
    from onnx.backend.test.case.node import collect_testcases

    return {case.name.removeprefix("test_"): case for case in collect_testcases(None)}


def prefixed(nodes: Iterable[onnx.NodeProto], prefix: str) -> Nodes:
    """Copies of nodes without bodies, whose values have names of their own."""
    copies = []
    for node in nodes:
        copy = onnx.NodeProto()
        copy.CopyFrom(node)
        for names in (copy.input, copy.output):
            names[:] = [prefix + name if name else "" for name in names]
        copies.append(copy)
    return copies


def embedded(network: onnx.ModelProto, test: object, name: str) -> tuple[onnx.ModelProto, dict[str, np.ndarray]] | None:
    """The test's nodes in the middle of a network: what they take depends on it where it is of floats, else it is an input of the whole; what
    they give is an output of the whole, and what follows depends on the first of it."""
    oldest_opset = 17
    tested, (given, _) = test.model, test.data_sets[0]
    arrays = dict(zip((i.name for i in tested.graph.input), given, strict=False))
    if any(not isinstance(a, np.ndarray) or a.dtype.kind not in "fiub" for a in arrays.values()):
        return None
    newest = max(o.version for o in tested.opset_import if o.domain in ("", "ai.onnx"))
    own = [node for node in tested.graph.node if node.domain in ("", "ai.onnx")]
    opset = max(oldest_opset, *(onnx.defs.get_schema(node.op_type, newest).since_version for node in own))
    network.ir_version = max(network.ir_version, 10)
    network = onnx.version_converter.convert_version(network, opset)
    given_to_network = inputs_of(network)
    inputs: dict[str, np.ndarray] = {}
    kinds = {i.name: i for i in tested.graph.input}
    results = {o.name: o for o in tested.graph.output}

    def make(value: str, result: str) -> Nodes:
        nodes = [
            helper.make_node("ReduceMax", [value], ["t_most"], keepdims=0),
            constant("t_bound", np.float32(1e30)),
            helper.make_node("Greater", ["t_most", "t_bound"], ["t_is_huge"]),
        ]
        for i, (key, array) in enumerate(arrays.items()):
            if array.dtype.kind == "f" and array.size:
                kind = helper.np_dtype_to_tensor_dtype(array.dtype)
                nodes += [
                    constant(f"t_given{i}", array),
                    helper.make_node("Cast", ["t_is_huge"], [f"t_zero{i}"], to=kind),
                    helper.make_node("Add", [f"t_given{i}", f"t_zero{i}"], ["t_" + key]),
                ]
            else:
                inputs["t_" + key] = array
        nodes += prefixed(tested.graph.node, "t_")
        first = next(iter(results))
        nodes += [
            helper.make_node("Cast", ["t_" + first], ["t_float"], to=TensorProto.FLOAT),
            constant("t_row", np.array([-1], np.int64)),
            helper.make_node("Reshape", ["t_float", "t_row"], ["t_flat"]),
            helper.make_node("Size", ["t_flat"], ["t_size"]),
            helper.make_node("Cast", ["t_size"], ["t_number"], to=TensorProto.FLOAT),
            helper.make_node("Add", [value, "t_number"], [result]),
        ]
        return nodes

    whole = spliced(network, make)
    if whole is None:
        return None
    for opset_of in tested.opset_import:
        if opset_of.domain not in [o.domain for o in whole.opset_import]:
            whole.opset_import.append(opset_of)
    for key in inputs:
        declared = whole.graph.input.add()
        declared.CopyFrom(kinds[key.removeprefix("t_")])
        declared.name = key
    for key, info in results.items():
        declared = whole.graph.output.add()
        declared.CopyFrom(info)
        declared.name = "t_" + key
    return whole, given_to_network | inputs


def inputs_of(model: onnx.ModelProto) -> dict[str, np.ndarray]:
    """Random ones that it runs with. @raises ValueError where none are found, as where the converter broke it"""
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    stored, rng = {t.name for t in model.graph.initializer}, np.random.default_rng(1)
    for free in (16, 1, 8, 32):
        arrays = {}
        for given in model.graph.input:
            kind = given.type.tensor_type
            shape = [d.dim_value or (free if axis else 1) for axis, d in enumerate(kind.shape.dim)]
            dtype = helper.tensor_dtype_to_np_dtype(kind.elem_type)
            if given.name not in stored:
                arrays[given.name] = (rng.normal(0, 1, shape) if dtype.kind == "f" else rng.integers(0, 2, shape)).astype(dtype)
        try:
            session.run(None, arrays)
        except Exception:
            continue
        return arrays
    raise ValueError("no inputs were found that it runs with")


def divided_by_zero(value: str, result: str) -> Nodes:
    """Releases of ONNX Runtime divide unsigned numbers by a constant without a look at it."""
    return [
        helper.make_node("Shape", [value], ["sizes"]),
        helper.make_node("Cast", ["sizes"], ["unsigned"], to=TensorProto.UINT32),
        constant("nothing", np.array(0, np.uint32)),
        helper.make_node("Div", ["unsigned", "nothing"], ["parts"], name="parts"),
        helper.make_node("Cast", ["parts"], ["shares"], to=TensorProto.FLOAT),
        helper.make_node("ReduceMax", ["shares"], ["greatest"], keepdims=0),
        helper.make_node("Add", [value, "greatest"], [result]),
    ]


def public_bugs(folder: Path) -> Iterator[Case]:
    """Files of the folder of each bug, and how they fail."""
    for place, runtime in {
        "02_qdq_scale_dtype/quantize": "onnxruntime",
        "04_double_kernels/gelu64": "onnxruntime",
        "04_double_kernels/resize64": "onnxruntime",
        "04_double_kernels/cast_inside": "onnxruntime",
        "01_optimiser_breaks_scale/both": "onnxruntime",
        "01_optimiser_breaks_scale/relu": "onnxruntime",
        "10_softmax_before_13/softmax_1": "openvino",
        "10_softmax_before_13/logsoftmax_1": "openvino",
        "22_layout_and_ranks/lstm": "openvino",
        "22_layout_and_ranks/rnn": "onnxruntime",
        "22_layout_and_ranks/resize5d_cubic": "openvino",
        "08_functions/nested": "openvino",
    }.items():
        file = folder / f"{place}.onnx"
        if file.exists():
            yield Case(f"bug.{file.parent.name}.{file.stem}", onnx.load(file), ["--backend", runtime])
    before, after = (folder / "07_slices_merged" / name for name in ("before.onnx", "after.onnx"))
    if before.exists():
        yield Case("bug.07_slices_merged", onnx.load(before), ["--input", "x=4x8"], onnx.load(after))


def cases(files: list[Path], program: Path, each: bool, old: str | None, only: str) -> Iterator[Case]:
    command = f"{sys.executable} {program} {{model}} {{inputs}} {{outputs}}"
    ring = itertools.cycle(files)

    def networks() -> Iterator[Path]:
        """In turn, each at most once."""
        return iter(files) if each else (next(ring) for _ in files)

    def found(name: str, make: Callable[[onnx.ModelProto], Case | None]) -> Iterator[Case]:
        for file in networks():
            if only not in f"{file.stem}.{name}":
                if each:
                    continue
                return
            try:
                case = make(filled(file))
            except Exception as error:  # the network has no place for it
                print(json.dumps({"case": f"{file.stem}.{name}", "skipped": str(error)[:100]}), file=sys.stderr)
                continue
            if case:
                case.name = f"{file.stem}.{name}"
                yield case
                if not each:
                    return

    for word, (make, rank, options) in splices(command).items():

        def at_once(
            model: onnx.ModelProto, make: Callable[[str, str], Nodes] = make, rank: int | None = rank, options: list[str] = options
        ) -> Case | None:
            whole = spliced(model, make, rank)
            return Case("", whole, options) if whole else None

        yield from found(word, at_once)
    for word, change in CHANGES.items():

        def pair(model: onnx.ModelProto, change: Callable[..., bool] = change) -> Case | None:
            other = changed(model, change)
            return Case("", model, [], other) if other else None

        yield from found(f"pair-{word}", pair)

    def beside(model: onnx.ModelProto) -> Case | None:
        other = changed(model, other_weight)
        return Case("", model, [], other, external=True) if other else None

    yield from found("pair-external", beside)
    tests = node_tests()
    for runtime, names in NODE_TESTS.items():
        for name in names:

            def tested(model: onnx.ModelProto, name: str = name, runtime: str = runtime) -> Case | None:
                made = embedded(model, tests[name], name)
                return Case("", made[0], ["--backend", runtime], inputs=made[1]) if made else None

            yield from found(f"{runtime}-{name}", tested)
    for word, make in {"division": divided_by_zero, "unpool": unpooled}.items() if old else ():

        def by_old(model: onnx.ModelProto, make: Callable[[str, str], Nodes] = make) -> Case | None:
            whole = spliced(model, make)
            return Case("", whole, ["--backend", "onnxruntime"], environment={"MODEL_VALIDATOR_ONNXRUNTIME": str(old)}) if whole else None

        yield from found(f"old-ort-{word}", by_old)


def reproduces(python: str, folder: Path) -> str:
    done = subprocess.run([python, folder / "repro.py"], check=False, capture_output=True, text=True, cwd="/", timeout=300)
    return {1: "yes", 0: "NO"}.get(done.returncode, f"status {done.returncode}: {(done.stdout + done.stderr)[-200:]}")


def saved(case: Case, folder: Path) -> list[str]:
    """@returns the arguments that name the files"""
    folder.mkdir(parents=True, exist_ok=True)
    beside = {"save_as_external_data": True, "size_threshold": 1024}
    onnx.save(case.model, folder / "model.onnx", **beside | {"location": "model.bin"} if case.external else {})
    arguments = [str(folder / "model.onnx")]
    if case.candidate:
        onnx.save(case.candidate, folder / "candidate.onnx", **beside | {"location": "candidate.bin"} if case.external else {})
        arguments.append(str(folder / "candidate.onnx"))
    if case.inputs:
        np.savez(folder / "given.npz", **case.inputs)
        arguments += ["--inputs", str(folder / "given.npz")]
    return arguments


def attempt(tool: str, case: Case, folder: Path, pythons: dict[str, str]) -> dict[str, object]:
    arguments = saved(case, folder)
    began = time.monotonic()
    bug = folder / "bug"
    done = subprocess.run(
        [tool, "reduce", *arguments, *case.options, "-o", bug], check=False, capture_output=True, text=True, env=os.environ | case.environment
    )
    row: dict[str, object] = {"case": case.name, "seconds": round(time.monotonic() - began), "nodes": len(case.model.graph.node)}
    if not (bug / "reduced.onnx").exists():
        return row | {"said": (done.stdout + done.stderr).strip().splitlines()[:2]}
    kinds = [node.op_type for node in onnx.load(bug / "reduced.onnx").graph.node]
    row |= {"reduced": len([k for k in kinds if k != "Constant"]), "operators": " ".join(kinds), "said": done.stdout.splitlines()[0]}
    python = pythons.get(case.runtime)
    return row | ({"repro": reproduces(python, bug)} if python else {})


def summary(folder: Path) -> None:
    rows = [json.loads(file.read_text()) for file in sorted(folder.glob("*/row.json"))]
    failing = [row for row in rows if row["said"] and "nothing to reduce" not in str(row["said"])]
    words = {"refused by": "refused", "fails to run": "fails", "crashes": "ends", "does not end": "hangs", "wrong results": "differs",
             "other results": "differs"}

    def kind_of(row: dict[str, object]) -> str:
        ended = "program-aborts" in str(row["case"])  # which a shell says as a failure
        return "ends" if ended else next((kind for word, kind in words.items() if word in str(row["said"])), "not reduced")

    for kind in [*dict.fromkeys(words.values()), "not reduced"]:
        some = [row for row in failing if kind_of(row) == kind]
        print(f"{kind}: {len(some)} faults, {sum(row.get('reduced', 99) <= 5 for row in some)} of them to 5 nodes or fewer")
    small = [row for row in failing if row.get("reduced", 99) <= 5]
    print(f"all: {len(failing)} faults, {len(small)} to 5 nodes or fewer, {sum(row.get('repro') == 'yes' for row in failing)} reproduced")
    for row in failing:
        if row not in small or row.get("repro") != "yes":
            print("  ", json.dumps(row))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", type=Path)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--tool")
    parser.add_argument("--python", nargs="+", default=[])
    parser.add_argument("--bugs", type=Path)
    parser.add_argument("--old", help="libonnxruntime.so of release 1.24, which ends the process where it divides by zero")
    parser.add_argument("--each", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--summary", action="store_true")
    arguments = parser.parse_args()
    if arguments.summary:
        summary(arguments.models)
        return
    folder = arguments.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "program.py"
    program.write_text(PROGRAM)
    pythons = dict(text.split("=", 1) for text in arguments.python)
    some = cases(sorted(arguments.models.glob("*.onnx")), program, arguments.each, arguments.old, arguments.only)
    for case in itertools.chain(some, public_bugs(arguments.bugs) if arguments.bugs else ()):
        row = folder / case.name / "row.json"
        if arguments.only in case.name and not row.exists():
            found = attempt(arguments.tool, case, folder / case.name, pythons)
            row.write_text(json.dumps(found))
            print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
