"""ONNX's node tests with sizes that are free until the model runs: most exports leave at least the batch free, and no node test does.

What a network stores (weights, axes, lists of sizes) is stored here, too; the other inputs lose the size of their first axis, or of all.
`entries`: nothing is stored, and all inputs lose all sizes, also the lengths of lists.
"""
from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any

import numpy
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, defs, numpy_helper

from probe.question import Question

WAYS = ("batch", "all", "entries")
# Operands by the names that their operators give them.
STORED = {
    *"w r p b scale bias axes shape repeats sizes scales roi pads starts ends steps split k depth values axis size m weights slope min max".split(),
    *"mean var input_mean input_var x_scale x_zero_point y_scale y_zero_point w_scale w_zero_point a_scale a_zero_point b_scale".split(),
    *"b_zero_point cos_cache sin_cache constant_value block_shape image_shape output_shape dft_length frame_length frame_step window".split(),
    *"num_mel_bins sample_rate lower_edge_hertz upper_edge_hertz target_type diagonal max_output_boxes_per_class iou_threshold".split(),
    *"score_threshold".split(),
}
TWO_SIDED = {"MatMul", "Add", "Mul", "Sub", "Div", "And", "Or", "Xor", "Equal", "Greater", "Less", "GreaterOrEqual", "LessOrEqual", "Mod"}


def stored_inputs(node: NodeProto, opset: int) -> Iterator[str]:
    operands = defs.get_schema(node.op_type, max_inclusive_version=opset, domain=node.domain).inputs
    for name, operand in zip(node.input, operands, strict=False):
        if operand.name.lower() in STORED and node.op_type not in TWO_SIDED:
            yield name


def as_stored(entry: ValueInfoProto, data: Any) -> TensorProto | None:
    """None where it is a sequence, or of a dtype that NumPy lacks."""
    if not entry.type.HasField("tensor_type") or isinstance(data, list | TensorProto):
        return None
    made = numpy_helper.from_array(numpy.asarray(data), entry.name)
    return made if made.data_type == entry.type.tensor_type.elem_type else None


def leave_free(value: ValueInfoProto, way: str) -> bool:
    """Whether it had a size that it lacks now."""
    sizes = list(value.type.tensor_type.shape.dim) if value.type.HasField("tensor_type") else []
    sizes = [size for size in (sizes[:1] if way == "batch" else sizes) if size.HasField("dim_value")]
    for axis, size in enumerate(sizes):
        size.dim_param = f"{value.name}_{axis}"
    return bool(sizes)


def freed(question: Question, way: str) -> Question | None:
    model, inputs = ModelProto.FromString(question.model), dict(question.inputs)
    opsets = {each.domain: each.version for each in model.opset_import}
    names = {name for node in model.graph.node for name in stored_inputs(node, opsets[node.domain])} if way != "entries" else set()
    for entry in [each for each in model.graph.input if each.name in names and each.name in inputs]:
        if (tensor := as_stored(entry, inputs[entry.name])) is not None:
            model.graph.initializer.append(tensor)
            model.graph.input.remove(entry)
            del inputs[entry.name]
    changed = [leave_free(each, way) for each in model.graph.input]
    if not any(changed):
        return None
    del model.graph.value_info[:]
    for result in model.graph.output:
        leave_free(result, "all")
    return dataclasses.replace(question, name=f"{question.name}.free {way}", model=model.SerializeToString(), inputs=inputs)


def of_free_sizes(known: Iterable[tuple[Question, ModelProto]], way: str) -> Iterator[Question]:
    """Functions that are written out work sizes out from sizes, and are no question about their operator."""
    for question, _ in known:
        if not question.name.endswith("_expanded") and (made := freed(question, way)) is not None:
            yield made
