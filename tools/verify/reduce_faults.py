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
from collections.abc import Callable, Iterable, Iterator, MutableSequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.version_converter
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnx.parser import parse_function, parse_graph

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


def float_values(model: onnx.ModelProto, rank: int | None) -> Iterator[str]:
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


def spliced(model: onnx.ModelProto, make: Callable[[str, str], Nodes], rank: int | None = None) -> onnx.ModelProto | None:
    """A copy in which what follows a value in the middle of the network reads what the nodes make of it."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    values = list(float_values(copy, rank))
    if not values:
        return None
    value = values[int(0.6 * (len(values) - 1))]
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


#: What follows a value `x` in the middle of a network, and yields `y` for what read it.
ADDED_GREATEST = "greatest = ReduceMax <keepdims = 0> ({0}) y = Add (x, greatest)"
IS_MORE = "most = ReduceMax <keepdims = 0> (x) bound = Constant <value = float {-1e9}> () is_more = Greater (most, bound)"
OTHER_ARM = "else_branch = other () => (float[] other) { other = Neg (x) }"
TURNS = "turns = Constant <value = int64 {%d}> () begins = Constant <value = bool {1}> ()"
BODY = "body = body (int64 turn, bool goes_on, float[] carried) => (bool still, float[] next%s)"
FIRST = """
    row = Constant <value = int64[1] {-1}> () all = Reshape (x, row)
    from = Constant <value = int64[1] {0}> () to = Constant <value = int64[1] {%d}> () some = Slice (all, from, to)"""
PLUGIN = "[plugin] y = acme.ai.Magic <strength = 3> (x)"
WRAPPED = "[wrapped] y = own.functions.Wrapped (x)"
SOFTPLUS = "[softplus] y = Softplus (x)"
CELU = "[celu] y = Celu (x)"
DOUBLE_ERF = "wide = Cast <to = 11> (x) [wide_erf] erf = Erf (wide) y = Cast <to = 1> (erf)"
INDEX_BEYOND = """
    one_row = Constant <value = int64[1] {-1}> () flat = Reshape (x, one_row) size = Size (x)
    [beyond_the_end] beyond = Gather (flat, size) y = Add (x, beyond)"""
IDLE_SCALE = """
    one = Constant <value = float {1}> () scale = Constant <value = float {2.8284271}> ()
    idle = Identity (x) inverse = Div (one, scale) y = Mul (idle, inverse)"""
PLUGIN_IN_AN_ARM = f"""
    {IS_MORE}
    y = If (is_more) <then_branch = then () => (float[] arm) {{ r = Relu (x) arm = acme.ai.Magic (r) }}, {OTHER_ARM}>"""
PLUGIN_IN_A_LOOP = f"""
    {TURNS % 2}
    y = Loop (turns, begins, x) <{BODY % ""} {{ a = Abs (carried) next = acme.ai.Magic (a) still = Identity (goes_on) }}>"""
ROI_ALIGN = f"""
    rois = Constant <value = float[1,4] {{0,0,5,5}}> () batch = Constant <value = int64[1] {{0}}> ()
    pooled = RoiAlign <mode = "max", output_height = 2, output_width = 2> (x, rois, batch) {ADDED_GREATEST.format("pooled")}"""
SOFTPLUS_IN_AN_ARM = f"""
    {IS_MORE}
    y = If (is_more) <then_branch = then () => (float[] arm) {{ a = Abs (x) s = Softplus (a) arm = Neg (s) }}, {OTHER_ARM}>"""
SOFTPLUS_IN_A_SCAN = f"""
    {FIRST % 6} zero = Constant <value = float {{0}}> ()
    [scan] last, each = Scan (zero, some) <num_scan_inputs = 1, body = body (float sum, float row) => (float next, float out) {{
        next = Add (sum, row) s = Softplus (next) out = Identity (s) }}>
    {ADDED_GREATEST.format("each")}"""
OUT_OF_A_SEQUENCE = """
    minus = Neg (x) both = SequenceConstruct (x, minus) second = Constant <value = int64 {1}> ()
    taken = SequenceAt (both, second) [softplus] y = Softplus (taken)"""
#: A layer that runs backwards, without lengths, with a first state: inputs are left out between others.
BACKWARDS = f"""
    {FIRST % 12} steps = Constant <value = int64[3] {{3, 2, 2}}> () sequence = Reshape (some, steps)
    w = Constant <value = float[1,4,2] {{2.0, -2.5, 0.4, -0.5, -0.4, -0.2, -2.0, -0.2}}> ()
    r = Constant <value = float[1,4,1] {{-0.2, 0.5, 1.9, -0.3}}> () h = Constant <value = float[1,2,1] {{-1.6, 0.7}}> ()
    [layer] "", last = LSTM <hidden_size = 1, direction = "reverse"> (sequence, w, r, "", "", h) {ADDED_GREATEST.format("last")}"""
AROUND_INT8 = """
    scale = Constant <value = float {0.05}> () zero = Constant <value = int8 {3}> ()
    x_q = QuantizeLinear (x, scale, zero) before = DequantizeLinear (x_q, scale, zero) [softplus] soft = Softplus (before)
    y_q = QuantizeLinear (soft, scale, zero) y = DequantizeLinear (y_q, scale, zero)"""
#: What the loop carries is not asked for.
LOOP_WITHOUT_RESULT = f"""
    {TURNS % 2}
    [loop] "", rows = Loop (turns, begins, x) <{BODY % ", float[] row"} {{
        still = Identity (goes_on) next = Neg (carried) row = Abs (carried) }}>
    {ADDED_GREATEST.format("rows")}"""
SPLIT_WITHOUT_PART = """
    highest = ReduceMax <keepdims = 0> (x) places = Constant <value = int64[1] {1}> () one = Reshape (highest, places)
    three = Concat <axis = 0> (one, one, one) parts = Constant <value = int64[3] {1, 1, 1}> ()
    front, "", back = Split <axis = 0> (three, parts) sum = Add (front, back) y = Add (x, sum)"""
#: A loop of a negative number of turns, which are none.
ENDLESS = f"""
    {TURNS % -1}
    [loop] y = Loop (turns, begins, x) <{BODY % ""} {{ still = Identity (goes_on) next = Neg (carried) }}>"""
#: Releases of ONNX Runtime divide unsigned numbers by a constant without a look at it.
DIVIDED_BY_ZERO = f"""
    sizes = Shape (x) unsigned = Cast <to = 12> (sizes) nothing = Constant <value = uint32 {{0}}> ()
    [parts] parts = Div (unsigned, nothing) shares = Cast <to = 1> (parts) {ADDED_GREATEST.format("shares")}"""
#: At places that are beyond the result.
UNPOOLED = f"""
    most = ReduceMax <keepdims = 0> (x) one_picture = Constant <value = int64[4] {{1, 1, 1, 1}}> () picture = Reshape (most, one_picture)
    beyond = Constant <value = int64[1,1,1,1] {{{1 << 40}}}> ()
    [unpool] larger = MaxUnpool <kernel_shape = [2, 2], strides = [2, 2]> (picture, beyond) {ADDED_GREATEST.format("larger")}"""

FUNCTIONS = {
    name: parse_function(f'<domain: "own.functions", opset_import: ["": 17, "acme.ai": 1]> {name} (x) => (y) {{ a = Abs (x) y = {last} (a) }}')
    for name, last in (("Wrapped", "acme.ai.Magic"), ("Softer", "Softplus"))
}


def nodes_of(text: str) -> Callable[[str, str], Nodes]:
    def renamed(nodes: Iterable[onnx.NodeProto], names: dict[str, str]) -> Nodes:
        for node in nodes:
            for each in (node.input, node.output):
                each[:] = [names.get(name, name) for name in each]
            for attribute in node.attribute:
                renamed(attribute.g.node, names)
        return list(nodes)

    return lambda value, result: renamed(parse_graph(f"splice (float[] x) => (float[] y) {{ {text} }}").node, {"x": value, "y": result})


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


def splices(command: str) -> dict[str, tuple[str, int | None, list[str]]]:
    """By name: the nodes, the rank of the value that they follow, and what runs the model."""
    ort, ov = ["--backend", "onnxruntime"], ["--backend", "openvino"]
    as_relu = ["--command", f"{command} Softplus as:Relu"]
    return {
        "ort-plugin": (PLUGIN, None, ort),
        "ov-plugin": (PLUGIN, None, ov),
        "ort-double-erf": (DOUBLE_ERF, None, ort),
        "ort-index": (INDEX_BEYOND, None, ort),
        "ort-idle-scale": (IDLE_SCALE, None, ort),
        "ort-if-plugin": (PLUGIN_IN_AN_ARM, None, ort),
        "ort-loop-plugin": (PLUGIN_IN_A_LOOP, None, ort),
        "ort-function": (WRAPPED, None, ort),
        "ov-selu": ("[selu] y = Selu <alpha = 0.0> (x)", None, ov),
        "ov-roialign": (ROI_ALIGN, 4, ov),
        "ov-function": (WRAPPED, None, ov),
        "program-aborts": (CELU, None, ["--command", f"{command} Celu abort"]),
        "program-hangs": (CELU, None, ["--command", f"{command} Celu sleep", "--timeout", "10"]),
        "program-refuses": ("[softsign] y = Softsign (x)", None, ["--command", f"{command} Softsign refuse"]),
        "program-differs": (SOFTPLUS, None, as_relu),
        "arm-differs": (SOFTPLUS_IN_AN_ARM, None, as_relu),
        "scan-differs": (SOFTPLUS_IN_A_SCAN, None, as_relu),
        "sequence-differs": (OUT_OF_A_SEQUENCE, None, as_relu),
        "function-differs": ("[softer] y = own.functions.Softer (x)", None, as_relu),
        "backwards-differs": (BACKWARDS, None, ["--command", f"{command} LSTM without:direction"]),
        "int8-differs": (AROUND_INT8, None, as_relu),
        "ort-loop-crashes": (LOOP_WITHOUT_RESULT, None, ort),
        "ort-split-crashes": (SPLIT_WITHOUT_PART, None, ort),
        "ov-endless": (ENDLESS, None, [*ov, "--timeout", "20"]),
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


def node_tests() -> dict[str, Any]:
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


def embedded(network: onnx.ModelProto, test: Any) -> tuple[onnx.ModelProto, dict[str, np.ndarray]] | None:
    """The test's nodes in the middle of a network: what they take depends on it where it is of floats, else it is an input of the whole; what
    they give is an output of the whole, and what follows depends on the first of it."""
    tested, (given, _) = test.model, test.data_sets[0]
    arrays = dict(zip((i.name for i in tested.graph.input), given, strict=False))
    if not all(map(is_of_numbers, arrays.values())):
        return None
    network.ir_version = max(network.ir_version, 10)
    network = onnx.version_converter.convert_version(network, oldest_opset(tested))
    given_to_network = inputs_of(network)
    depending = {key: array for key, array in arrays.items() if array.dtype.kind == "f" and array.size}
    whole = spliced(network, partial(nodes_of_test, tested, depending))
    if whole is None:
        return None
    known = {each.domain for each in whole.opset_import}
    whole.opset_import.extend(each for each in tested.opset_import if each.domain not in known)
    own = {key: array for key, array in arrays.items() if key not in depending}
    declare(whole.graph.input, [i for i in tested.graph.input if i.name in own])
    declare(whole.graph.output, tested.graph.output)
    return whole, given_to_network | {"t_" + key: array for key, array in own.items()}


def oldest_opset(tested: onnx.ModelProto) -> int:
    """From 17, the oldest in which its nodes mean what they do in the test."""
    newest = max(o.version for o in tested.opset_import if o.domain in ("", "ai.onnx"))
    own = [node for node in tested.graph.node if node.domain in ("", "ai.onnx")]
    return max(17, *(onnx.defs.get_schema(node.op_type, newest).since_version for node in own))


def nodes_of_test(tested: onnx.ModelProto, depending: dict[str, np.ndarray], value: str, result: str) -> Nodes:
    """Those of the test, given arrays that depend on a value; the result depends on what they give."""
    nodes = nodes_of("t_most = ReduceMax <keepdims = 0> (x) t_bound = Constant <value = float {1e30}> () t_is_huge = Greater (t_most, t_bound)")(
        value, result
    )
    for i, (key, array) in enumerate(depending.items()):
        kind = helper.np_dtype_to_tensor_dtype(array.dtype)
        nodes += [
            helper.make_node("Constant", [], [f"t_given{i}"], value=numpy_helper.from_array(array)),
            helper.make_node("Cast", ["t_is_huge"], [f"t_zero{i}"], to=kind),
            helper.make_node("Add", [f"t_given{i}", f"t_zero{i}"], ["t_" + key]),
        ]
    nodes += prefixed(tested.graph.node, "t_")
    size_of_first = f"""t_float = Cast <to = 1> (t_{tested.graph.output[0].name}) t_row = Constant <value = int64[1] {{-1}}> ()
        t_flat = Reshape (t_float, t_row) t_size = Size (t_flat) t_number = Cast <to = 1> (t_size) y = Add (x, t_number)"""
    return nodes + nodes_of(size_of_first)(value, result)


def is_of_numbers(given: object) -> bool:
    return isinstance(given, np.ndarray) and given.dtype.kind in "fiub"


def declare(values: MutableSequence[onnx.ValueInfoProto], more: Iterable[onnx.ValueInfoProto]) -> None:
    """Adds values of a test that is embedded."""
    for each in more:
        declared = onnx.ValueInfoProto()
        declared.CopyFrom(each)
        declared.name = "t_" + each.name
        values.append(declared)


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


def with_nodes(
    model: onnx.ModelProto, text: str, rank: int | None, options: list[str], environment: dict[str, str] | None = None
) -> Case | None:
    whole = spliced(model, nodes_of(text), rank)
    return Case("", whole, options, environment=environment or {}) if whole else None


def with_candidate(model: onnx.ModelProto, change: Callable[..., bool], external: bool = False) -> Case | None:
    other = changed(model, change)
    return Case("", model, [], other, external=external) if other else None


def with_test(model: onnx.ModelProto, test: Any, runtime: str) -> Case | None:
    made = embedded(model, test)
    return Case("", made[0], ["--backend", runtime], inputs=made[1]) if made else None


def faults(program: Path, old: str | None) -> Iterator[tuple[str, Callable[[onnx.ModelProto], Case | None]]]:
    """Each by name, and what makes a case of it and a network."""
    for word, (text, rank, options) in splices(f"{sys.executable} {program} {{model}} {{inputs}} {{outputs}}").items():
        yield word, partial(with_nodes, text=text, rank=rank, options=options)
    for word, change in CHANGES.items():
        yield f"pair-{word}", partial(with_candidate, change=change)
    yield "pair-external", partial(with_candidate, change=other_weight, external=True)
    tests = node_tests()
    for runtime, names in NODE_TESTS.items():
        for name in names:
            yield f"{runtime}-{name}", partial(with_test, test=tests[name], runtime=runtime)
    for word, text in {"division": DIVIDED_BY_ZERO, "unpool": UNPOOLED}.items() if old else ():
        environment = {"MODEL_VALIDATOR_ONNXRUNTIME": str(old)}
        yield f"old-ort-{word}", partial(with_nodes, text=text, rank=None, options=["--backend", "onnxruntime"], environment=environment)


def cases(files: list[Path], program: Path, each: bool, old: str | None, only: str) -> Iterator[Case]:
    """Of every fault: in the network whose turn it is, or in each."""
    ring = itertools.cycle(files)
    for fault, make in faults(program, old):
        for file in files if each else (next(ring) for _ in files):
            name = f"{file.stem}.{fault}"
            case = case_of(name, make, file) if only in name else None
            if case:
                yield case
            if not each and (case or only not in name):
                break


def case_of(name: str, make: Callable[[onnx.ModelProto], Case | None], file: Path) -> Case | None:
    try:
        case = make(filled(file))
    except Exception as error:  # the network has no place for it
        print(json.dumps({"case": name, "skipped": str(error)[:100]}), file=sys.stderr)
        return None
    if case:
        case.name = name
    return case


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
