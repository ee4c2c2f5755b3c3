"""Edges that drawn models showed: text where numbers are usual, sizes of 0, operands of another rank, settings that exclude one another."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import ml_dtypes
import numpy
from onnx import TensorProto

from probe.children import CRASH
from probe.contradictions import in_loop
from probe.edges import Asked, Edge, asked, floats
from probe.forms import graph, node, value
from probe.value_edges import in_contrib

OPENVINO, TENSORRT, ONNXRUNTIME = "openvino-onnx", "tensorrt-rtx", "onnxruntime"
TEXT = [{"input": 0, "dtypes": ["string"]}]
PLAIN = "CPU plugin does not support string for use with oneDNN."
SAME = ("SAME_UPPER", "SAME_LOWER")
GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
Arrays = dict[str, Any]


def words(*shape: int) -> Any:
    return numpy.resize(numpy.array(["a", "bc", "", "d"], object), shape)


def nothing(*shape: int, dtype: Any = numpy.float32) -> Any:
    return numpy.zeros(shape, dtype)


def freed(each: Asked, axes: dict[str, Sequence[int]]) -> Asked:
    """With these axes of its inputs left free."""
    for entry in each.model.graph.input:
        for axis in axes.get(entry.name, ()):
            entry.type.tensor_type.shape.dim[axis].dim_param = f"{entry.name}{axis}"
    for result in each.model.graph.output:
        result.type.tensor_type.ClearField("shape")
    return each


def of_text() -> Iterator[Edge]:
    given: Arrays = {"x": words(2, 3)}
    one, cut = numpy.array([1]), node("Slice", ["x", "s", "e"], ["y"])
    filled, part, none = {"output": 0, "filled": True}, {"s": numpy.array([0]), "e": one}, {"s": one, "e": one}
    seen, taken = [asked(cut, given, part)], [asked(cut, given, none), asked(cut, {"x": floats(2, 3)}, part)]
    yield Edge(OPENVINO, "fails", ["Slice"], [*TEXT, filled], CRASH, seen, taken)
    chosen, truth = node("Where", ["c", "x", "x"], ["y"]), {"c": numpy.ones((2, 3), numpy.bool_)}
    seen, taken = [asked(chosen, given | truth)], [asked(chosen, {"x": floats(2, 3)} | truth)]
    when: list[dict[str, Any]] = [{"input": 1, "dtypes": ["string"]}, {"input": 0, "filled": True}, filled]
    yield Edge(OPENVINO, "refused", ["Where"], when, "unsupported src_prc: string", seen, taken)
    for made, stores, reason in (
        (node("Expand", ["x", "s"], ["y"]), {"s": numpy.array([2, 2, 3])}, PLAIN),
        (node("Unique", ["x"], ["y"]), {}, PLAIN),
        (node("ScatterElements", ["x", "i", "x"], ["y"], axis=0), {"i": numpy.array([[1, 0, 0], [0, 1, 1]])}, PLAIN),
        (node("GatherElements", ["x", "i"], ["y"], axis=0), {"i": numpy.array([[1, 0, 0]])}, "unsupported 'inputData' input precision: string"),
        (node("GatherND", ["x", "i"], ["y"]), {"i": numpy.array([[1, 0]])}, "unsupported 'data' input precision: string"),
    ):
        yield Edge(OPENVINO, "refused", [made.op_type], TEXT, reason, [asked(made, given, stores)], [asked(made, {"x": floats(2, 3)}, stores)])
    yield from of_text_by_settings()


def of_text_by_settings() -> Iterator[Edge]:
    def parted(axis: int) -> Asked:
        return asked(node("Split", ["x", "s"], ["z", "y"], axis=axis), {"x": words(4, 4)}, {"s": numpy.array([1, 3])}, 17)

    yield Edge(OPENVINO, "refused", ["Split"], [*TEXT, {"attribute": "axis", "is_not": [0]}], CRASH, [parted(1), parted(-1)], [parted(0)])

    def padded(*value: str) -> Asked:
        return asked(node("Pad", ["x", "p", *value], ["y"]), {"x": words(2, 3)}, {"p": numpy.array([0, 1, 0, 1]), "v": numpy.array("z", object)})

    yield Edge(OPENVINO, "refused", ["Pad"], [*TEXT, {"input": 2, "absent": True}], "Unknown type", [padded()], [padded("v")])
    moved = node("DepthToSpace", ["x"], ["y"], blocksize=2)
    yield Edge(
        OPENVINO, "refused", ["DepthToSpace"], TEXT, CRASH, [asked(moved, {"x": words(1, 4, 1, 1)})], [asked(moved, {"x": floats(1, 4, 1, 1)})]
    )

    def hot(values: Any) -> Asked:
        return asked(node("OneHot", ["x", "d", "v"], ["y"]), {"x": numpy.array([1, 0])}, {"d": numpy.array(3), "v": values})

    yield Edge(OPENVINO, "refused", ["OneHot"], [{"input": 2, "dtypes": ["string"]}], CRASH, [hot(words(2))], [hot(floats(2))])
    joined = node("Concat", ["x", "x"], ["y"], axis=0)

    def looped(data: Any) -> Asked:
        made = asked(joined, {"x": data}, opset=17)
        return Asked("Loop", in_loop(made.model), made.inputs, [numpy.concatenate([data, data])[None]])

    reason = "Unexpected call of StringMemory::getPrimitive()"
    yield Edge(OPENVINO, "refused", ["Loop"], [{"output": 0, "dtypes": ["string"]}], reason, [looped(words(2, 3))], [looped(floats(2, 3))])


def of_windows() -> Iterator[Edge]:
    def pooled(kind: str, rows: int, **attributes: Any) -> Asked:
        return asked(node(kind, ["x"], ["y"], kernel_shape=[2, 3], **attributes), {"x": floats(1, 1, 7, rows)}, opset=19 if kind != "LpPool" else 18)

    for kind in ("MaxPool", "AveragePool", "LpPool"):
        seen = [pooled(kind, 7, auto_pad=word, dilations=steps) for word in SAME for steps in ([2, 2], [3, 1])]
        taken = [pooled(kind, 7, auto_pad=word) for word in SAME] + [pooled(kind, 7, dilations=[2, 2])] * (kind == "MaxPool")
        when: list[dict[str, Any]] = [{"attribute": "auto_pad", "is": list(SAME)}, {"attribute": "dilations", "is_not": [1]}]
        yield Edge(ONNXRUNTIME, "wrong", [kind], when, "it pads as if there were no dilations, and yields fewer elements", seen, taken)


def of_nothing_pooled() -> Iterator[Edge]:
    kinds = ("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool")

    def whole(kind: str, *shape: int) -> Asked:
        return asked(node(kind, ["x"], ["y"]), {"x": floats(*shape)})

    fine = {kind: [whole(kind, 0, 2, 3, 3), whole(kind, 1, 2, 3, 3)] for kind in kinds}
    for axis, outcome, some in ((1, "refused", kinds[:2]), (1, "fails", kinds[2:]), (2, "fails", kinds), (3, "fails", kinds)):
        seen = [whole(kind, *(0 if axis == at else size for at, size in enumerate((1, 2, 3, 3)))) for kind in some]
        when = [{"input": 0, "length": {"axis": axis, "at_most": 0}}]
        reason = "Invalid input shape. Only N can be zero." if outcome == "fails" else "invalid channel count"
        yield Edge(ONNXRUNTIME, outcome, list(some), when, reason, seen, [each for kind in some for each in fine[kind]])


def of_nothing_normed() -> Iterator[Edge]:
    def grouped(*shape: int) -> Asked:
        return asked(node("GroupNormalization", ["x", "s", "b"], ["y"], num_groups=2), {"x": floats(*shape)}, {"s": floats(4), "b": floats(4)})

    reason = "The input tensor cannot be reshaped to the requested shape."
    when: list[dict[str, Any]] = [{"input": 0, "empty": True}]
    yield Edge(ONNXRUNTIME, "fails", ["GroupNormalization"], when, reason, [grouped(0, 4, 3), grouped(1, 4, 0)], [grouped(1, 4, 3)])

    def layered(*shape: int) -> Asked:
        return asked(node("LayerNormalization", ["x", "s"], ["y"]), {"x": floats(*shape)}, {"s": floats(shape[-1])})

    reason = "Size of X.shape[axis:] must be at least 1, got 0"
    when = [{"input": 1, "empty": True}]
    yield Edge(ONNXRUNTIME, "fails", ["LayerNormalization"], when, reason, [layered(3, 0)], [layered(0, 3), layered(2, 3)])

    def found(kind: str, *shape: int) -> Asked:
        return asked(node(kind, ["x"], ["y"], axis=1), {"x": floats(*shape)})

    when = [{"input": 0, "empty": True}, {"output": 0, "length": {"axis": 0, "at_least": 1}}]
    kinds = ["ArgMax", "ArgMin"]
    fine = [found(kind, *shape) for kind in kinds for shape in ((0, 2), (2, 3))]
    yield Edge(ONNXRUNTIME, "fails", kinds, when, "Non-zero status code returned", [found(kind, 2, 0) for kind in kinds], fine)


def recurrent(kind: str, batch: int, **further: Any) -> Asked:
    """Two turns of three features, with a hidden state where it is given or stored."""
    stores = {"w": floats(1, 2 * GATES[kind], 3) - 1, "r": floats(1, 2 * GATES[kind], 2) - 1} | further.get("stored", {})
    given = {"x": floats(2, batch, 3) - 1} | further.get("given", {})
    names = ["x", "w", "r", *(["", "", "h"] if "h" in stores or "h" in given else [])]
    made = node(kind, names, ["z", "y"], hidden_size=2)
    return asked(made, given, stores)


def of_nothing_averaged() -> Iterator[Edge]:
    def whole(*shape: int) -> Asked:
        found = numpy.full((*shape[:2], *(1 for _ in shape[2:])), numpy.nan if 0 in shape[2:] else 1, numpy.float32)
        return dataclasses.replace(asked(node("GlobalAveragePool", ["x"], ["y"]), {"x": numpy.ones(shape, numpy.float32)}), expected=[found])

    when: list[dict[str, Any]] = [{"input": 0, "empty": True}, {"output": 0, "filled": True}]
    seen, taken = [whole(1, 3, 0), whole(1, 3, 4, 0)], [whole(0, 3, 4), whole(1, 3, 4)]
    yield Edge(OPENVINO, "wrong", ["GlobalAveragePool"], when, "the mean of nothing is 0, where ONNX defines none", seen, taken)


def of_free_axes() -> Iterator[Edge]:
    """Of an operand with an axis whose size matters before anything runs."""

    def picked(axis: int) -> Asked:
        return freed(asked(node("GatherND", ["x", "i"], ["y"]), {"x": floats(3, 3, 2), "i": numpy.array([[0], [1]])}), {"i": [axis]})

    last = [{"input": 1, "length": {"axis": -1, "free": True}}]
    for target, reason in (
        (OPENVINO, "CPU plug-in doesn't support GatherND operation with dynamic rank."),
        (TENSORRT, "Error while computing output extent of node"),
    ):
        yield Edge(target, "refused", ["GatherND"], last, reason, [picked(1)], [picked(0)])

    def aligned(axis: int) -> Asked:
        given: Arrays = {"x": floats(1, 2, 6, 6), "r": numpy.array([[0, 0, 3, 3]], numpy.float32), "b": numpy.zeros(1, numpy.int64)}
        made = node("RoiAlign", ["x", "r", "b"], ["y"], sampling_ratio=2, output_height=2, output_width=2)
        return freed(asked(made, given, opset=16), {"r": [axis]})

    reason = "ROIAlign node has invalid shape on 1st input"
    yield Edge(OPENVINO, "refused", ["RoiAlign"], [{"input": 1, "length": {"axis": 1, "free": True}}], reason, [aligned(1)], [aligned(0)])

    def deconvolved(axis: int) -> Asked:
        return freed(asked(node("ConvTranspose", ["x", "w"], ["y"]), {"x": floats(1, 4, 5, 5)}, {"w": floats(4, 2, 2, 2)}), {"x": [axis]})

    reason = "IDeconvolutionLayer number of channels in `input` tensor must not be dynamic."
    channels = [{"input": 0, "length": {"axis": 1, "free": True}}]
    yield Edge(TENSORRT, "refused", ["ConvTranspose"], channels, reason, [deconvolved(1)], [deconvolved(0), deconvolved(2)])

    def framed(axis: int) -> Asked:
        stores: Arrays = {"k": numpy.array(4), "w": floats(8), "n": numpy.array(8)}
        return freed(asked(node("STFT", ["x", *stores], ["y"]), {"x": floats(1, 20, 1)}, stores, 17), {"x": [axis]})

    reason = "TensorRT only supports STFT on real-valued signals!"
    yield Edge(TENSORRT, "refused", ["STFT"], [{"input": 0, "length": {"axis": 2, "free": True}}], reason, [framed(2)], [framed(0)])


def of_free_widths() -> Iterator[Edge]:
    def kept(axis: int) -> Asked:
        boxes = numpy.array([[[0, 0, 1, 1], [0, 2, 1, 3], [2, 2, 3, 3]]], numpy.float32)
        given = {"b": boxes, "s": numpy.array([[[0.9, 0.8, 0.7]]], numpy.float32)}
        stores: Arrays = {"m": numpy.array([3]), "t": numpy.array([0.5], numpy.float32)}
        return freed(asked(node("NonMaxSuppression", ["b", "s", "m", "t"], ["y"]), given, stores), {"b": [axis]})

    when: list[dict[str, Any]] = [{"input": 0, "length": {"axis": 2, "free": True}}]
    reason = "NonMaxSuppression node has unsupported 'boxes' input 3rd dimension size"
    yield Edge(OPENVINO, "refused", ["NonMaxSuppression"], when, reason, [kept(2)], [kept(1)])

    def turned(axis: int) -> Asked:
        given: Arrays = {"x": floats(1, 2, 3, 4), "p": numpy.arange(3)[None]}
        stores = {"c": floats(8, 2), "s": floats(8, 2)}
        return freed(asked(node("RotaryEmbedding", ["x", "c", "s", "p"], ["y"]), given, stores, 23), {"x": [axis]})

    when = [{"input": 0, "ranks": [4], "length": {"axis": 3, "free": True}}]
    reason = "condition: rotaryEmbeddingDim <= headSize"
    yield Edge(TENSORRT, "refused", ["RotaryEmbedding"], when, reason, [turned(3)], [turned(1)])


def of_factors_and_parts() -> Iterator[Edge]:
    def product(dtype: Any, **factors: float) -> Asked:
        given = {"a": numpy.array([[1, 2], [3, 5]], dtype), "b": numpy.array([[1, 3], [5, 7]], dtype)}
        made = asked(node("Gemm", ["a", "b", "c"], ["y"], **factors), given, {"c": numpy.array([[1, 3]], dtype)})
        found = factors.get("alpha", 1) * (given["a"] @ given["b"]) + factors.get("beta", 1) * numpy.array([[1, 3]])
        return dataclasses.replace(made, expected=[found.astype(dtype)])

    kinds = (numpy.int32, numpy.int64, numpy.uint32)
    for name in ("alpha", "beta"):
        when: list[dict[str, Any]] = [
            {"input": 0, "dtypes": [numpy.dtype(each).name for each in kinds]},
            {"attribute": name, "is_not": [-2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0]},
        ]
        seen, taken = [product(each, **{name: 0.5}) for each in kinds], [product(each, **{name: 2.0}) for each in kinds]
        yield Edge(OPENVINO, "wrong", ["Gemm"], when, "it makes a whole number of a factor before it multiplies whole numbers by it", seen, taken)

    def parted(axis: int, size: int) -> Asked:
        return asked(node("Split", ["x"], ["z", "y"], axis=axis, num_outputs=2), {"x": floats(size, size)}, opset=18)

    when = [{"attribute": "num_outputs"}, {"attribute": "axis", "below": 0}, {"output": 0, "uneven_to_input": 0}]
    reason = "the axis cannot be divided by the 'num_splits' attribute value"
    seen, taken = [parted(-1, 5), parted(-2, 3)], [parted(1, 5), parted(-1, 4), parted(0, 3)]
    yield Edge(OPENVINO, "refused", ["Split"], when, reason, seen, taken)


def of_axes_given() -> Iterator[Edge]:
    def cut(computed: str, opset: int, has_steps: bool = False, given: str = "") -> Asked:
        every: Arrays = {"s": numpy.array([1]), "e": numpy.array([3]), "a": numpy.array([1])} | ({"t": numpy.array([1])} if has_steps else {})
        given += computed
        entries = {"x": floats(4, 5, 4)} | {name: value for name, value in every.items() if name in given}
        stores = {name: value for name, value in every.items() if name not in given}
        return asked(node("Slice", ["x", *every], ["y"]), entries, stores, opset)

    reason = "unless it yields nothing, it ends the process where the axes are computed and the bounds are stored"
    starts, ends, axes = ({"input": 1, "constant": True}, {"input": 2, "constant": True}, {"input": 3, "computed": True})
    for steps, seen in (("absent", [cut("a", 13), cut("a", 21)]), ("constant", [cut("a", 13, True), cut("a", 21, True)])):
        when: list[dict[str, Any]] = [starts, ends, axes, {"input": 4, steps: True}]
        taken = [cut("", 13), cut("a", 21, True, given="t"), *(cut(each, 21) for each in ("se", "as", "ae"))]
        yield Edge(OPENVINO, "depends", ["Slice"], when, reason, seen, taken)


def of_boxes_sampled() -> Iterator[Edge]:
    def aligned(opset: int, **ratio: int) -> Asked:
        data = numpy.sin(floats(1, 2, 6, 6) * 40)
        stores: Arrays = {"r": numpy.array([[0, 0, 4, 4], [1, 1, 5, 5]], numpy.float32), "b": numpy.zeros(2, numpy.int64)}
        made = node("RoiAlign", ["x", "r", "b"], ["y"], output_height=2, output_width=1, **ratio)
        return asked(made, {"x": data}, stores, opset)

    when: list[dict[str, Any]] = [{"attribute": "sampling_ratio", "or_absent": True}]
    why = "without a ratio it takes one sample of each cell, where as many are meant as it is wide"
    yield Edge(OPENVINO, "wrong", ["RoiAlign"], when, why, [aligned(16), aligned(22)], [aligned(16, sampling_ratio=each) for each in (0, 2)])


def of_numbers_beyond_32_bits() -> Iterator[Edge]:
    """OpenVINO keeps whole numbers in 32 bits: where it is only compared, a number that is stored is cut off at the bounds, and comes to the same."""
    wide, small = numpy.array([2**40 + 3, 5, -(2**40)]), numpy.array([1, 2, 3])
    two = numpy.array([0, 2])

    def shown(values: Any, bound: Any) -> list[Asked]:
        stores: Arrays = {"z": values}
        made = [(node(each, ["x", "z"], ["y"]), {"x": small}, stores) for each in ("Add", "Sub", "Mul", "Sum")]
        made += [(node("Gather", ["z", "i"], ["y"]), {"i": two}, stores)]
        made += [(node("GatherElements", ["z", "i"], ["y"]), {"i": two}, stores)]
        made += [(node("GatherND", ["z", "i"], ["y"]), {"i": two[:, None]}, stores)]
        made += [(node("Expand", ["z", "s"], ["y"]), {"s": numpy.array([2, 3])}, stores)]
        made += [(node("ScatterElements", ["x", "i", "z"], ["y"]), {"x": small}, stores | {"i": numpy.arange(3)})]
        made += [(node("ScatterND", ["x", "i", "z"], ["y"]), {"x": small}, stores | {"i": numpy.arange(3)[:, None]})]
        made += [(node("Pad", ["x", "p", "v"], ["y"]), {"x": small}, {"p": numpy.array([1, 1]), "v": bound})]
        made += [(node("OneHot", ["x", "d", "v"], ["y"]), {"x": small}, {"d": numpy.array(4), "v": numpy.stack([bound * 0, bound])})]
        return [asked(*each, opset=18) for each in made]

    seen, taken = shown(wide, wide[0]), shown(small, small[0])
    compared = [asked(node(each, ["x", "z"], ["y"]), {"x": small}, {"z": wide}) for each in ("Less", "Equal")]
    names = list(dict.fromkeys(each.name for each in seen))
    when: list[dict[str, Any]] = [{"beyond_int32": True}, {"output": 0, "computed": True, "dtypes": ["int64", "uint64"]}]
    yield Edge(
        OPENVINO, "wrong", names, when, "it keeps whole numbers in 32 bits, and the file stores some that need more", seen, [*taken, *compared]
    )
    chosen = [
        asked(node("Where", ["c", "x", "z"], ["y"]), {"c": numpy.array([True, False, False]), "x": small}, {"z": wide}),
        asked(node("Concat", ["x", "z"], ["y"], axis=0), {"x": small}, {"z": wide}),
    ]
    why = "it keeps whole numbers in 32 bits: the larger ones that the file stores are cut off, which matters to all but comparisons and bounds"
    yield Edge(OPENVINO, "depends", ["Where", "Concat"], when, why, chosen, [])


def of_texts_stored() -> Iterator[Edge]:
    def joined(**held: Any) -> Asked:
        return asked([node("Constant", [], ["z"], **held), node("Equal", ["x", "z"], ["y"])], {"x": words(2)}, opset=19)

    reason = 'Constant does not have a required attribute "value"'
    for name, held in (("value_string", "a"), ("value_strings", ["a", "b"])):
        yield Edge(OPENVINO, "refused", ["Constant"], [{"attribute": name}], reason, [joined(**{name: held})], [])


def of_locales() -> Iterator[Edge]:
    """Of a machine without them: ONNX Runtime asks for one where it compares or changes letters."""

    def cleaned(**settings: Any) -> Asked:
        made = asked(node("StringNormalizer", ["x"], ["y"], **settings), {"x": words(4)}, opset=17)
        return dataclasses.replace(made, expected=[words(4)[len(settings.get("stopwords", [])) :]])

    reason = "it needs the locale en_US.UTF-8, or the one that `locale` names, on the machine"
    stops: dict[str, Any] = {"stopwords": ["a"]}
    seen, fine = [cleaned(case_change_action=each) for each in ("LOWER", "UPPER")], [cleaned(), cleaned(**stops, is_case_sensitive=1)]
    yield Edge(ONNXRUNTIME, "depends", ["StringNormalizer"], [{"attribute": "case_change_action", "is": ["LOWER", "UPPER"]}], reason, seen, fine)
    when: list[dict[str, Any]] = [{"attribute": "stopwords"}, {"attribute": "is_case_sensitive", "is": [0], "or_absent": True}]
    yield Edge(ONNXRUNTIME, "depends", ["StringNormalizer"], when, reason, [cleaned(**stops)], fine)


def of_slopes_decomposed() -> Iterator[Edge]:
    """From opset 19 on ONNX Runtime has no other definition to decompose it by."""

    def bent(opset: int, dtype: Any) -> Asked:
        return asked(node("PRelu", ["x", "z"], ["y"]), {"x": numpy.arange(5).astype(dtype)}, {"z": numpy.array([1], dtype)}, opset)

    kinds = (numpy.float64, numpy.int32, numpy.int64, numpy.uint32)
    when: list[dict[str, Any]] = [{"from_opset": 19}, {"input": 0, "dtypes": [numpy.dtype(each).name for each in kinds]}]
    reason = "Could not find an implementation for PRelu(16) node"
    seen, taken = [bent(opset, each) for each in kinds for opset in (19, 22)], [bent(18, each) for each in kinds]
    yield Edge(ONNXRUNTIME, "refused", ["PRelu"], when, reason, seen, [*taken, bent(22, numpy.float32)])


def of_small_numbers_reduced() -> Iterator[Edge]:
    def reduced(kind: str, opset: int, dtype: Any) -> Asked:
        made = node(kind, ["x", "k"] if opset > 17 else ["x"], ["y"], **({} if opset > 17 else {"axes": [1]}))
        return asked(made, {"x": numpy.ones((2, 3), dtype)}, {"k": numpy.array([1])} if opset > 17 else {}, opset)

    for kinds, first, earlier in ((["ReduceMax", "ReduceMin"], 12, (11,)), (["ReduceMean", "ReduceProd"], 18, (11, 13))):
        dtypes = (numpy.int8, numpy.uint8)
        when: list[dict[str, Any]] = [{"input": 0, "dtypes": ["int8", "uint8"]}, {"below_opset": first}]
        seen = [reduced(kind, opset, dtype) for kind in kinds for opset in earlier for dtype in dtypes]
        taken = [reduced(kind, 18, dtype) for kind in kinds for dtype in dtypes]
        yield Edge(OPENVINO, "refused", kinds, when, "unsupported input type", seen, taken)


def of_batches_first() -> Iterator[Edge]:
    def begun(kind: str, turns: int, *, layout: int = 1) -> Asked:
        stores = {"w": floats(1, 2 * GATES[kind], 3), "r": floats(1, 2 * GATES[kind], 2)}
        shape, state = ((2, turns, 3), (2, 1, 2)) if layout else ((turns, 2, 3), (1, 2, 2))
        made = node(kind, ["x", "w", "r", "", "", "h"], ["y"], hidden_size=2, layout=layout)
        return asked(made, {"x": floats(*shape), "h": floats(*state)}, stores, 17)

    when: list[dict[str, Any]] = [{"attribute": "layout", "is": [1]}, {"input": 5, "given": True}, {"input": 0, "length": {"axis": 1, "at_least": 2}}]
    seen, taken = [begun(kind, 2) for kind in GATES], [begun(kind, 2, layout=0) for kind in GATES]
    yield Edge(TENSORRT, "refused", list(GATES), when, "API Usage Error in validateRecurrence", seen, taken)


def of_sides() -> Iterator[Edge]:
    def turned(opset: int, last: int, **attributes: int) -> Asked:
        made = node("DFT", ["x", "", "a"] if opset > 19 else ["x"], ["y"], onesided=1, **attributes, **({} if opset > 19 else {"axis": 1}))
        return asked(made, {"x": floats(2, 5, last)}, {"a": numpy.array(1)} if opset > 19 else {}, opset)

    onesided, length = {"attribute": "onesided", "is": [1]}, {"axis": -1, "at_least": 2}
    when: list[dict[str, Any]] = [onesided, {"attribute": "inverse", "is": [0], "or_absent": True}, {"input": 0, "length": length}]
    reason = "one-sided DFT requires real input (last dimension must be 1)"
    seen, taken = [turned(opset, 2) for opset in (17, 20)], [turned(opset, 1) for opset in (17, 20)]
    yield Edge(ONNXRUNTIME, "refused", ["DFT"], when, reason, seen, taken)
    when = [onesided, {"attribute": "inverse", "is": [1]}, {"input": 0, "length": {"axis": -1, "at_most": 1}}]
    reason = "inverse one-sided DFT requires complex input (last dimension must be 2)"
    seen, taken = [turned(opset, 1, inverse=1) for opset in (17, 20)], [turned(opset, 2, inverse=1) for opset in (17, 20)]
    yield Edge(ONNXRUNTIME, "refused", ["DFT"], when, reason, seen, taken)


def of_groups_without_images() -> Iterator[Edge]:
    def grouped(opset: int, *shape: int) -> Asked:
        stores = {name: floats(2 if opset < 21 else 4) for name in "sb"}
        made = asked(node("GroupNormalization", ["x", *stores], ["y"], num_groups=2), {"x": floats(*shape)}, stores, opset)
        made.model.graph.output[0].CopyFrom(value("y", TensorProto.FLOAT, shape))
        return made

    when: list[dict[str, Any]] = [{"input": 0, "ranks": [2]}]
    reason = "Input to normalization should be at least 3D, the actual number of dimensions is 2."
    seen, taken = [grouped(opset, 2, 4) for opset in (18, 21)], [grouped(opset, 2, 4, 3) for opset in (18, 21)]
    yield Edge(TENSORRT, "refused", ["GroupNormalization"], when, reason, seen, taken)

    def centred(dtype: Any) -> Asked:
        return asked(node("MeanVarianceNormalization", ["x"], ["y"]), {"x": floats(2, 4, 2, 2).astype(dtype)}, opset=13)

    when = [{"input": 0, "dtypes": ["float16"]}]
    reason = "ElementWiseOperation SUM must have same input types. But they are of types Half and Float."
    yield Edge(TENSORRT, "refused", ["MeanVarianceNormalization"], when, reason, [centred(numpy.float16)], [centred(numpy.float32)])


def of_bounds_left_out() -> Iterator[Edge]:
    def clipped(*names: str) -> Asked:
        return asked(node("Clip", ["x", *names], ["y"]), {"x": numpy.arange(5, dtype=numpy.int8)}, {"a": numpy.array(1, numpy.int8)}, 13)

    reason = "This version of TensorRT only supports floating-point, INT32, or INT64 inputs for Clip! The current input type is INT8."
    for number, names in ((1, ("", "a")), (2, ("a", ""))):
        when: list[dict[str, Any]] = [{"input": 0, "dtypes": ["int8"]}, {"input": number, "left_out": True}]
        yield Edge(TENSORRT, "refused", ["Clip"], when, reason, [clipped(*names)], [clipped("a"), clipped("a", "a"), clipped()])


def of_states() -> Iterator[Edge]:
    for target, kinds in ((OPENVINO, list(GATES)), (ONNXRUNTIME, ["LSTM", "GRU"])):
        when = [{"input": 0, "length": {"axis": 1, "at_most": 0}}]
        yield Edge(target, "refused", kinds, when, CRASH, [recurrent(kind, 0) for kind in kinds], [recurrent(kind, 1) for kind in kinds])
    state = floats(1, 1, 2) - 1
    reason = "Can not create StaticMemory object. The memory desc is undefined"
    for kinds, apart in ((["LSTM", "GRU"], ["activations", "clip"]), (["RNN"], ["clip"])):  # by which a layer is computed step by step
        seen = [freed(recurrent(kind, 1, stored={"h": state}), {"x": [1]}) for kind in kinds]
        taken = [freed(recurrent(kind, 1, stored={"h": state}), {"x": [0]}) for kind in kinds]
        taken += [freed(recurrent(kind, 1, given={"h": state}), {"x": [1], "h": [1]}) for kind in kinds]
        plain = [{"attribute": name, "or_absent": True} for name in apart]
        when = [{"input": 5, "constant": True}, {"output": 1, "free": True}, *plain]
        yield Edge(OPENVINO, "refused", kinds, when, reason, seen, taken)


def skipped(name: str, *shape: int) -> Asked:
    """A norm of a sum of two."""
    given, scale = {"x": floats(2, 3, 8), "s": floats(*shape)}, floats(8)
    total = given["x"] + given["s"]
    middle = total - total.mean(-1, keepdims=True) if name == "SkipLayerNormalization" else total
    expected = middle / numpy.sqrt((middle**2).mean(-1, keepdims=True)) * scale
    return in_contrib(node(name, ["x", "s", "g"], ["y"], domain="com.microsoft"), given, {"g": scale}, expected)


def of_ranks() -> Iterator[Edge]:
    def layered(axis: int, scale: Sequence[int], bias: Sequence[int] | None = None) -> Asked:
        stores = {"s": floats(*scale)} | ({"b": floats(*bias)} if bias is not None else {})
        return asked(node("LayerNormalization", ["x", *stores], ["y"], axis=axis), {"x": floats(2, 4, 3, 3)}, stores)

    reason = "output shape is incompatible with input shape"
    fine = [layered(-1, (3,)), layered(-1, (3,), (3,)), layered(2, (3, 3), (3, 3)), layered(-2, (3, 3))]
    seen = [layered(2, (3, 3), (3,)), layered(1, (4, 3, 3), (3,)), layered(-2, (3, 3), (3,))]
    for ranks, others in (([2, 3, 4], [1]), ([3, 4], [2])):
        when: list[dict[str, Any]] = [{"input": 1, "ranks": ranks}, {"input": 2, "ranks": others}]
        yield Edge(OPENVINO, "refused", ["LayerNormalization"], when, reason, seen if others == [1] else [layered(1, (4, 3, 3), (3, 3))], fine)
    vector = {"input": 1, "ranks": [1]}
    for axes, ranks in (([-2, -3, -4], []), ([0], [2, 3, 4, 5]), ([1], [3, 4, 5]), ([2], [4, 5])):
        when = [{"attribute": "axis", "is": axes}, vector, *([{"input": 0, "ranks": ranks}] if ranks else [])]
        yield Edge(OPENVINO, "refused", ["LayerNormalization"], when, reason, [layered(axis, (3,)) for axis in axes if axis + 4 >= 0], fine)
    name = "SkipSimplifiedLayerNormalization"
    seen, fine = [skipped(name, 3, 8)], [skipped(name, 2, 3, 8)]
    when = [{"input": 0, "ranks": [3]}, {"input": 1, "ranks": [1, 2]}]
    yield Edge(TENSORRT, "refused", [f"com.microsoft::{name}"], when, "nbDims must be between 0 and 8", seen, fine)

    def normed(*shape: int, free: bool = True) -> Asked:
        made = asked(node("GroupNormalization", ["x", "s", "b"], ["y"], num_groups=2), {"x": floats(*shape)}, {"s": floats(4), "b": floats(4)})
        return freed(made, {"x": [0]}) if free else made

    when = [{"input": 0, "ranks": [2], "free": True}]
    seen, taken = [normed(2, 4)], [normed(2, 4, 3), normed(2, 4, free=False)]
    yield Edge(OPENVINO, "refused", ["GroupNormalization"], when, "Unsupported operation of type: GroupNormalization", seen, taken)
    many = [asked(node(kind, ["x"], ["y"], axis=0), {"x": floats(3, 3)}, opset=13) for kind in ("ArgMax", "ArgMin")]
    few = [asked(node(kind, ["x"], ["y"], axis=0), {"x": floats(3)}, opset=13) for kind in ("ArgMax", "ArgMin")]
    reason = "at least 2 dimensions are required for input"
    yield Edge(TENSORRT, "refused", ["ArgMax", "ArgMin"], [{"input": 0, "ranks": [1]}], reason, few, many)


def of_axes_left_out() -> Iterator[Edge]:
    kinds = ["Softmax", "LogSoftmax", "Hardmax"]

    def of(kind: str, opset: int, **attributes: Any) -> Asked:
        return asked(node(kind, ["x"], ["y"], **attributes), {"x": floats(3)}, opset=opset)

    when: list[dict[str, Any]] = [{"from_opset": 11}, {"below_opset": 13}, {"attribute": "axis", "or_absent": True}, {"input": 0, "ranks": [1]}]
    seen = [of(kind, opset) for kind in kinds for opset in (11, 12)]
    for target in (OPENVINO, ONNXRUNTIME, TENSORRT):
        fine = [] if target == TENSORRT else [of(kind, 11, axis=0) for kind in kinds]
        yield Edge(target, "refused", kinds, when, "'axis' must be in [-1, 0]. Its actual value is: 1", seen, fine)


def of_scalars() -> Iterator[Edge]:
    none = nothing(0, dtype=numpy.int64)
    widened = node("Expand", ["x", "s"], ["y"])
    when: list[dict[str, Any]] = [{"input": 0, "ranks": [0]}, {"input": 1, "empty": True, "constant": True}]
    fine = [asked(widened, {"x": numpy.float32(2)}, {"s": numpy.array([2])})]
    seen = [asked(widened, {"x": numpy.float32(2)}, {"s": none})]
    yield Edge(OPENVINO, "wrong", ["Expand"], when, "of no sizes it yields an axis of one", seen, fine)
    tiled = node("Tile", ["x", "s"], ["y"])
    seen, fine = [asked(tiled, {"x": numpy.float32(2)}, {"s": none})], [asked(tiled, {"x": floats(2)}, {"s": numpy.array([2])})]
    yield Edge(OPENVINO, "refused", ["Tile"], [{"input": 1, "empty": True, "constant": True}], "Tile repeats must be of rank 1", seen, fine)

    def picked(*shape: int) -> Asked:
        truth = numpy.ones(int(numpy.prod(shape)), numpy.bool_)
        return asked(node("Compress", ["x", "c"], ["y"]), {"x": floats(*shape), "c": truth}, opset=15)

    when = [{"attribute": "axis", "or_absent": True}, {"input": 0, "ranks": [1], "length": {"axis": 0, "at_most": 1}}]
    yield Edge(OPENVINO, "refused", ["Compress"], when, "Accessing out-of-range dimension", [picked(1)], [picked(2), picked(2, 2)])


def of_signals() -> Iterator[Edge]:
    def undone(last: int) -> Asked:
        return asked(node("DFT", ["x"], ["y"], axis=1, inverse=1, onesided=1), {"x": floats(2, 4, last)}, opset=17)

    when: list[dict[str, Any]] = [{"attribute": name, "is": [1]} for name in ("onesided", "inverse")]
    when.append({"input": 0, "length": {"axis": -1, "at_least": 2}})
    reason = "it leaves out the last axis of what it makes of complex numbers"
    yield Edge(OPENVINO, "wrong", ["DFT"], when, reason, [undone(2)], [undone(1)])

    def frames(window: str, onesided: int) -> Asked:
        stores: Arrays = {"k": numpy.array(4), "n": numpy.array(8)} | ({"w": floats(8)} if window else {})
        return asked(node("STFT", ["x", "k", window, "n"], ["y"], onesided=onesided), {"x": floats(1, 20, 1)}, stores, 17)

    when = [{"attribute": "onesided", "is": [0]}, {"input": 2, "given": True}]
    reason = "The last dimension of input data must be 2."
    yield Edge(OPENVINO, "refused", ["STFT"], when, reason, [frames("w", 0)], [frames("w", 1)])


def of_no_turns() -> Iterator[Edge]:
    def scanned(turns: int) -> Asked:
        body = graph(
            "b",
            [node("Add", ["s", "e"], ["t"]), node("Neg", ["e"], ["o"])],
            [value("s", shape=[2]), value("e", shape=[2])],
            [value("t", shape=[2]), value("o", shape=[2])],
        )
        made = node("Scan", ["i", "x"], ["y", "z"], body=body, num_scan_inputs=1)
        return asked(made, {"i": floats(2), "x": floats(turns, 2)})

    when = [{"input": 1, "length": {"axis": 0, "at_most": 0}}]
    for target, outcome, reason in (
        (ONNXRUNTIME, "fails", "dim0_offset < dim0_size was false."),
        (OPENVINO, "refused", 'Invalid "start","stride","end" values in an iteration component'),
    ):
        yield Edge(target, outcome, ["Scan"], when, reason, [scanned(0)], [scanned(3)])


def of_loops_without_values() -> Iterator[Edge]:
    def looped(opset: int) -> Asked:
        made = asked(node("Neg", ["x"], ["y"]), {"x": floats(2)}, opset=opset)
        return Asked("Loop", in_loop(made.model), made.inputs, [-floats(2)[None]])

    when: list[dict[str, Any]] = [{"below_opset": 11}, {"input": 2, "absent": True}]
    yield Edge(ONNXRUNTIME, "refused", ["Loop"], when, "has input size 2 not in range [min=3, max=2147483647].", [looped(9)], [looped(13)])


def of_operands() -> Iterator[Edge]:
    def padded(dtype: Any) -> Asked:
        return asked(node("Pad", ["x", "p", "", "a"], ["y"]), {"x": floats(2, 3)}, {"p": numpy.array([1, 1]), "a": numpy.array([0], dtype)})

    when: list[dict[str, Any]] = [{"input": 3, "constant": True, "dtypes": ["int32"]}]
    yield Edge(ONNXRUNTIME, "refused", ["Pad"], when, "ParseData type mismatch", [padded(numpy.int32)], [padded(numpy.int64)])

    def parted(size: int, keeps: int) -> Asked:
        stores: Arrays = {"p": numpy.array(size), "i": numpy.array(0)}
        made = [node("SplitToSequence", ["x", "p"], ["s"], axis=0, keepdims=keeps), node("SequenceAt", ["s", "i"], ["y"])]
        return asked(made, {"x": floats(4, 3)}, stores, 17)

    when = [{"attribute": "keepdims", "is": [0]}, {"input": 1, "given": True, "ranks": [0], "is_not": [1]}]
    reason = "shape_.Size() == new_shape.Size() was false."
    yield Edge(ONNXRUNTIME, "fails", ["SplitToSequence"], when, reason, [parted(2, 0)], [parted(2, 1)])

    for name in ("SkipLayerNormalization", "SkipSimplifiedLayerNormalization"):
        seen, fine = [skipped(name, 8)], [skipped(name, 2, 3, 8), skipped(name, 3, 8)]
        reason = "skip is expected to have 3 or 2 dimensions, got 1"
        yield Edge(ONNXRUNTIME, "fails", [f"com.microsoft::{name}"], [{"input": 1, "ranks": [1]}], reason, seen, fine)


def of_transposed_batches() -> Iterator[Edge]:
    def product(**attributes: int) -> Asked:
        first, second = floats(3, 3, 3), floats(3, 3, 3)[::-1].copy()
        expected = numpy.matmul(first.transpose(1, 0, 2) if "transBatchA" in attributes else first, second)
        made = node("FusedMatMul", ["a", "b"], ["y"], domain="com.microsoft", **attributes)
        return in_contrib(made, {"a": first, "b": second}, {}, expected)

    when = [{"attribute": "transBatchA", "is": [1]}]
    why = "it passes over transBatchA"
    yield Edge(OPENVINO, "wrong", ["com.microsoft::FusedMatMul"], when, why, [product(transBatchA=1)], [product()])

    def pooled(last: int) -> Asked:
        data = numpy.arange(32, dtype=numpy.uint8).reshape((1, 4, 4, 2) if last else (1, 2, 4, 4))
        rows = data if last else data.transpose(0, 2, 3, 1)
        mean = sum(rows[:, i : i + 3, j : j + 3].astype(float) for i in (0, 1) for j in (0, 1)) / 4
        expected = numpy.rint(mean).astype(numpy.uint8)
        made = node("QLinearAveragePool", ["x", "s", "z", "s", "z"], ["y"], domain="com.microsoft", kernel_shape=[2, 2], channels_last=last)
        return in_contrib(made, {"x": data}, {"s": numpy.float32(1), "z": numpy.uint8(0)}, expected if last else expected.transpose(0, 3, 1, 2))

    when = [{"attribute": "channels_last", "is": [1]}]
    yield Edge(OPENVINO, "wrong", ["com.microsoft::QLinearAveragePool"], when, "it passes over channels_last", [pooled(1)], [])


def of_letters() -> Iterator[Edge]:
    def product(equation: str) -> Asked:
        return asked(node("Einsum", ["x", "z"], ["y"], equation=equation), {"x": floats(2, 3), "z": floats(3, 4)}, opset=13)

    when = [{"attribute": "equation", "types": ["capitals"]}]
    reason = "Invalid character(s) in Einsum equation"
    yield Edge(TENSORRT, "refused", ["Einsum"], when, reason, [product("IJ,JK->IK"), product("aB,Bc->ac")], [product("ij,jk->ik")])


def of_ranges() -> Iterator[Edge]:
    def counted(dtype: Any) -> Asked:
        numbers = [numpy.array(each, dtype) for each in (0, 5, 1)]
        return asked(node("Range", ["a", "b", "c"], ["y"]), {"b": numbers[1]}, {"a": numbers[0], "c": numbers[2]})

    when: list[dict[str, Any]] = [{"input": 0, "dtypes": ["float32", "float64"]}, {"input": 1, "entry": True}]
    seen = [counted(dtype) for dtype in (numpy.float32, numpy.float64)]
    yield Edge(TENSORRT, "refused", ["Range"], when, "the length of real numbers that are computed is no shape", seen, [counted(numpy.int64)])


def of_one_query() -> Iterator[Edge]:
    def attended(queries: int, count: int, flat: bool) -> Asked:
        shapes = [(1, length, 64 * count) if flat else (1, count, length, 64) for length in (queries, 4, 4)]
        heads = {"q_num_heads": count, "kv_num_heads": count} if flat else {}
        given = {name: floats(*shape).astype(numpy.float16) for name, shape in zip("qkv", shapes, strict=True)}
        return asked(node("Attention", list(given), ["y"], **heads), given, opset=23)

    one = {"input": 0, "length": {"axis": 0, "at_most": 1}}
    few: tuple[dict[str, Any], ...] = ({"input": 0, "length": {"axis": 1, "at_most": 2}}, {"attribute": "q_num_heads", "is": [1, 2]})
    for flat, rank in ((False, 4), (True, 3)):
        when: list[dict[str, Any]] = [{"input": 0, "ranks": [rank], "length": {"axis": rank - 2, "at_most": 1}}, one, few[flat]]
        reason = "padded attention operation may be marked as decomposable"
        seen, taken = [attended(1, count, flat) for count in (1, 2)], [attended(2, 2, flat), attended(1, 4, flat)]
        yield Edge(TENSORRT, "refused", ["Attention"], when, reason, seen, taken)

    def narrow(width: int, count: int, queries: int = 1, batch: int = 1) -> Asked:
        given = {name: floats(batch, count, each, width) for name, each in zip("qkv", (queries, 4, 4), strict=True)}
        return asked(node("Attention", list(given), ["y"]), given, opset=23)

    four: dict[str, Any] = {"input": 0, "ranks": [4], "dtypes": ["float32"]}
    rows = {"input": 0, "length": {"axis": 2, "at_most": 1}}
    seen, taken = [narrow(2, 4), narrow(4, 4)], [narrow(8, 4), narrow(16, 4)]
    yield Edge(TENSORRT, "refused", ["Attention"], [four, rows, {"input": 0, "length": {"axis": 3, "at_most": 4}}], reason, seen, taken)
    few_of_two = [{"input": 0, "length": {"axis": 0, "at_most": 2}}, {"input": 0, "length": {"axis": 1, "at_most": 1}}]
    yield Edge(TENSORRT, "refused", ["Attention"], [four, rows, *few_of_two], reason, [narrow(16, 1, 1, 2)], [narrow(16, 2, 1, 2)])


def of_padded_keys() -> Iterator[Edge]:
    def attended(dtype: Any, queries: int, is_causal: int) -> Asked:
        given = {name: floats(2, 3, length, 8).astype(dtype) for name, length in zip("qkv", (queries, 6, 6), strict=True)}
        return asked(node("Attention", [*given, "", "", "", "n"], ["y"], is_causal=is_causal), given | {"n": numpy.array([3, 6])}, opset=24)

    rows = {"input": 0, "dtypes": ["bfloat16"], "ranks": [4], "length": {"axis": 2, "at_least": 2}}
    when: list[dict[str, Any]] = [{"attribute": "is_causal", "is": [1]}, {"input": 6, "given": True}, rows]
    seen = [attended(ml_dtypes.bfloat16, queries, 1) for queries in (4, 6)]
    taken = [attended(dtype, 4, is_causal) for dtype in (numpy.float16, numpy.float32) for is_causal in (0, 1)]
    reason = "in bfloat16, rows of queries whose keys are padded are off by 1.08 when it was asked"
    yield Edge(OPENVINO, "wrong", ["Attention"], when, reason, seen, taken)


def of_sums_in_half() -> Iterator[Edge]:
    def scattered(operator: str, reduction: str, dtype: Any) -> Asked:
        indices = numpy.array([[0], [1]]) if operator == "ScatterND" else numpy.zeros((1, 3), numpy.int64)
        rows = floats(2 if operator == "ScatterND" else 1, 3).astype(dtype)
        made = node(operator, ["x", "i", "u"], ["y"], reduction=reduction)
        return asked(made, {"x": floats(3, 3).astype(dtype)}, {"i": indices, "u": rows}, 18)

    for operator, reductions in (("ScatterElements", ["add", "mul"]), ("ScatterND", ["add", "max", "min", "mul"])):
        seen, taken = ([scattered(operator, each, dtype) for each in reductions] for dtype in (numpy.float16, numpy.float32))
        when: list[dict[str, Any]] = [{"attribute": "reduction", "is": reductions}, {"input": 0, "dtypes": ["float16"], "entry": True}]
        yield Edge(ONNXRUNTIME, "fails", [operator], when, f"MLFloat16 data type is not supported with {operator} opset 16", seen, taken)


MAKERS = (
    *(of_text, of_windows, of_nothing_pooled, of_nothing_normed, of_states, of_ranks, of_axes_left_out, of_scalars, of_signals),
    *(of_no_turns, of_loops_without_values, of_operands, of_transposed_batches, of_letters, of_ranges, of_one_query, of_padded_keys, of_sums_in_half),
    *(of_nothing_averaged, of_free_axes, of_axes_given, of_boxes_sampled, of_numbers_beyond_32_bits, of_texts_stored, of_sides),
    *(of_free_widths, of_factors_and_parts, of_groups_without_images, of_bounds_left_out, of_locales),
    *(of_slopes_decomposed, of_small_numbers_reduced, of_batches_first),
)
