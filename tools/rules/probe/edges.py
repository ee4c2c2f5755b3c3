"""What becomes of values and sizes at the edges: nothing at all, infinities, ties, shifts as wide as a number, computed axes and lengths.

No variation of a node test holds these, and a condition that was learnt from few models may be any of a dozen. Each edge is therefore
stated here, with models that show it and others that a runtime takes as they are; tools/rules/forms_profile.py asks for all of them before
it writes one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import numpy
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, shape_inference
from onnx.reference import ReferenceEvaluator

from probe import contrib
from probe.forms import F16, D, F, X, model, node, stored, value
from probe.variations import take_out

REDUCTIONS = ["L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod", "Sum", "SumSquare"]


@dataclasses.dataclass
class Asked:
    name: str
    model: ModelProto
    inputs: dict[str, Any]
    expected: list[Any] | None = None  # what ONNX defines, where its reference evaluator has other numbers or none


@dataclasses.dataclass
class Edge:
    target: str
    outcome: str  # refused, fails, wrong, or depends: on values that no file shows
    operators: list[str]
    when: list[dict[str, Any]]
    reason: str
    seen: list[Asked]  # where it happens
    taken: list[Asked]  # and where not

    def entry(self) -> dict[str, Any]:
        return {"operators": [each if "::" in each else f"onnx::{each}" for each in self.operators], "when": self.when, "reason": self.reason}


@dataclasses.dataclass(frozen=True)
class AnswersOf:
    """A target, which makes edges of what is told beside it: operators, conditions, the reason, and where it happens and where not."""

    target: str

    def refuses(self, *told: Any) -> Edge:
        return Edge(self.target, "refused", *told)

    def fails(self, *told: Any) -> Edge:
        return Edge(self.target, "fails", *told)

    def errs(self, *told: Any) -> Edge:
        return Edge(self.target, "wrong", *told)

    def may_err(self, *told: Any) -> Edge:
        return Edge(self.target, "depends", *told)


OPENVINO, TENSORRT, ONNXRUNTIME = (AnswersOf(each) for each in ("openvino-onnx", "tensorrt-rtx", "onnxruntime"))


def asked(
    nodes: NodeProto | Sequence[NodeProto], given: dict[str, Any], stores: dict[str, Any] | None = None, opset: int = 21, name: str = ""
) -> Asked:
    """A model of inputs and stored tensors of these values, whose last result is the model's."""
    nodes = [nodes] if isinstance(nodes, NodeProto) else list(nodes)
    inputs = {key: numpy.asarray(each) for key, each in given.items()}
    entries = [value(key, helper.np_dtype_to_tensor_dtype(each.dtype), each.shape) for key, each in inputs.items()]
    tensors = [stored(key, each, numpy.asarray(each).dtype) for key, each in (stores or {}).items()]
    results = [ValueInfoProto(name=each) for each in nodes[-1].output if each]
    made = model(nodes, entries, results, tensors, opset=opset, ir=10 if opset < 24 else 13)
    for result, known in zip(made.graph.output, shape_inference.infer_shapes(made).graph.output, strict=True):
        result.CopyFrom(known)  # TensorRT wants their dtypes
    return Asked(name or nodes[-1].op_type, made, inputs)


def floats(*shape: int) -> numpy.ndarray[Any, Any]:
    return numpy.linspace(1, 2, int(numpy.prod(shape)), dtype=numpy.float32).reshape(shape)


def of_computed_axes() -> Iterator[Edge]:
    two, one = numpy.array([0, 1]), numpy.array([1])
    reduced = [node(f"Reduce{each}", ["x", "k"], ["y"], keepdims=0) for each in REDUCTIONS]
    for opset, names in ((18, [each for each in REDUCTIONS if each != "Sum"]), (13, ["Sum"])):
        several = [each for each, name in zip(reduced, REDUCTIONS, strict=True) if name in names]
        yield OPENVINO.refuses(
            [f"Reduce{each}" for each in names],
            [{"from_opset": opset}, {"attribute": "keepdims", "is": [0]}, {"input": 1, "computed": True, "length": {"axis": 0, "at_least": 2}}],
            "CPU plug-in doesn't support a reduction with dynamic rank",
            [asked(each, {"x": floats(2, 3), "k": two}) for each in several],
            [asked(each, {"x": floats(2, 3), "k": one}) for each in several] + [asked(each, {"x": floats(2, 3)}, {"k": two}) for each in several],
        )


def of_nothing_reduced() -> Iterator[Edge]:
    one = numpy.array([1])
    nothing = [node(f"Reduce{each}", ["x", "k"], ["y"]) for each in ("Max", "Min")]
    kinds = [numpy.float32, numpy.float64, numpy.int64]
    why = "of nothing it yields the least or greatest number that is finite, or that int32 has"
    some = {"output": 0, "length": {"axis": 0, "at_least": 1}}
    empty = [{"input": 0, "empty": True, "dtypes": ["float32", "float64", "int64"]}, some]
    greatest, least = nothing
    old = node("ReduceMin", ["x"], ["y"], axes=[1])
    none = [numpy.zeros((2, 0), kind) for kind in kinds]
    whole, nothing_left = numpy.zeros((2, 0), numpy.int32), numpy.zeros((0, 2), numpy.float32)
    yield OPENVINO.errs(
        ["ReduceMax"],
        empty,
        why,
        [asked(greatest, {"x": each}, {"k": one}) for each in none],
        [asked(greatest, {"x": each}, {"k": one}) for each in (whole, nothing_left)],
    )
    for axes, seen in (
        ({"constant": True}, [asked(least, {"x": each}, {"k": one}) for each in none]),
        ({"absent": True}, [asked(old, {"x": none[0]}, opset=13)]),
    ):
        taken = [asked(least, {"x": none[0], "k": one}), *(asked(least, {"x": each}, {"k": one}) for each in (whole, nothing_left))]
        yield Edge("openvino-onnx", "wrong", ["ReduceMin"], [*empty, {"input": 1, **axes}], why, seen, taken)
    yield ONNXRUNTIME.fails(
        ["ReduceMax", "ReduceMin"],
        [{"input": 0, "empty": True, "dtypes": ["bool"]}],
        "ReduceMax is not defined for empty set with bool type",
        [asked(each, {"x": numpy.zeros((2, 0), numpy.bool_)}, {"k": one}) for each in nothing],
        [asked(each, {"x": numpy.zeros((2, 0), kind)}, {"k": one}) for each in nothing for kind in (*kinds, numpy.int32)],
    )


def of_lengths() -> Iterator[Edge]:
    tile = node("Tile", ["x", "k"], ["y"])
    yield OPENVINO.may_err(
        ["Tile"],
        [{"input": 1, "computed": True, "length": {"axis": 0, "at_least": 4}}],
        "where the repeats of four axes and more are computed, it leaves memory as it is",
        [asked(tile, {"x": floats(2, 3, 4, 5), "k": numpy.array(each)}) for each in ((2, 2, 2, 2), (7, 6, 4, 2))],
        [asked(tile, {"x": floats(2, 3, 4), "k": numpy.array([7, 6, 4])}), asked(tile, {"x": floats(2, 3, 4, 5)}, {"k": numpy.array([7, 6, 4, 2])})],
    )
    columns = node("Col2Im", ["x", "i", "b"], ["y"])
    made = {n: asked(columns, {"x": floats(1, 2 * 2**n, 2**n)}, {"i": numpy.full(n, 3), "b": numpy.full(n, 2)}) for n in (1, 2, 3)}
    for bound, seen in (({"at_least": 3}, made[3]), ({"at_most": 1}, made[1])):
        yield OPENVINO.refuses(
            ["Col2Im"],
            [{"input": 1, "length": {"axis": 0, **bound}}],
            "output_size must be a 1D input of shape [2]",
            [seen],
            [made[2]],
        )


def of_frames() -> Iterator[Edge]:
    frames = node("STFT", ["x", "k", "w"], ["y"])
    signal, window = floats(1, 128, 1), numpy.ones(16, numpy.float32)
    yield OPENVINO.refuses(
        ["STFT"],
        [{"input": 1, "computed": True}],
        "frame_step input must be a scalar or Shape{1} constant",
        [asked(frames, {"x": signal, "k": numpy.array(8)}, {"w": window}, 17)],
        [asked(frames, {"x": signal}, {"k": numpy.array(8), "w": window}, 17)],
    )


def of_blocks() -> Iterator[Edge]:
    blocks = node("QuantizeLinear", ["x", "s"], ["y"], axis=1, block_size=2, output_dtype=TensorProto.INT16)
    zero = node("QuantizeLinear", ["x", "s", "z"], ["y"], axis=1, block_size=2)
    scales = numpy.ones((3, 2), numpy.float32)
    yield OPENVINO.refuses(
        ["QuantizeLinear"],
        [{"attribute": "block_size", "is_not": [0]}, {"input": 2, "absent": True}],
        "output shape is incompatible with input shape",
        [asked(blocks, {"x": floats(3, 4)}, {"s": scales}), asked(blocks, {"x": floats(3, 4), "s": scales})],
        [asked(zero, {"x": floats(3, 4)}, {"s": scales, "z": numpy.full((3, 2), 3, numpy.uint8)})],
    )


def of_random() -> Iterator[Edge]:
    random = {
        dtype: asked([node("RandomUniformLike", ["x"], ["r"], dtype=dtype), node("Shape", ["r"], ["y"])], {"x": X}, opset=17) for dtype in (F, D, F16)
    }
    yield OPENVINO.refuses(
        ["RandomUniform", "RandomUniformLike"],
        [{"output": 0, "dtypes": ["float16", "float64"]}],
        "'min_val' should have the same type as 'out_type' attribute",
        [random[D], random[F16]],
        [random[F]],
    )


def of_transforms() -> Iterator[Edge]:
    plain, axis = node("DFT", ["x"], ["y"]), node("DFT", ["x", "", "k"], ["y"])
    image, sound = floats(1, 5, 6, 1), floats(1, 5, 1)
    yield OPENVINO.errs(
        ["DFT"],
        [{"from_opset": 20}, {"input": 0, "ranks": [4, 5, 6]}, {"input": 2, "absent": True}],
        "it transforms axis 1 where ONNX transforms the last but one",
        [asked(plain, {"x": image})],
        [asked(plain, {"x": sound})],
    )
    yield OPENVINO.errs(
        ["DFT"],
        [{"from_opset": 20}, {"input": 0, "ranks": [4, 5, 6]}, {"input": 2, "constant": True, "is_not": [1, -3, -4, -5]}],
        "it transforms axis 1, whatever axis is given",
        [asked(axis, {"x": image}, {"k": numpy.array(each)}) for each in (2, -2)],
        [asked(axis, {"x": image}, {"k": numpy.array(each)}) for each in (1, -3)],
    )
    yield OPENVINO.may_err(
        ["DFT"],
        [{"from_opset": 20}, {"input": 2, "computed": True}],
        "it transforms axis 1, whatever axis is given",
        [asked(axis, {"x": image, "k": numpy.array(2)})],
        [asked(axis, {"x": image, "k": numpy.array(1)})],
    )
    masked = node("Attention", ["q", "k", "k", "m", "", "", "n"], ["y"])
    heads, keys, number = floats(2, 3, 4, 8), floats(2, 3, 6, 8), numpy.array([3, 4])
    yield ONNXRUNTIME.may_err(
        ["Attention"],
        [{"input": 3, "given": True}, {"input": 6, "given": True}],
        "a mask that is shorter than the padded keys fails when it runs",
        [asked(masked, {"q": heads, "k": keys, "m": floats(2, 3, 4, 4), "n": number}, opset=24)],
        [asked(masked, {"q": heads, "k": keys, "m": floats(2, 3, 4, 6), "n": number}, opset=24)],
    )
    swish = node("Swish", ["x"], ["y"])
    yield ONNXRUNTIME.refuses(
        ["Swish"],
        [{"from_opset": 25}],
        "NOT_IMPLEMENTED: Could not find an implementation for Swish(24)",
        [asked(swish, {"x": X}, opset=each) for each in (25, 26)],
        [asked(swish, {"x": X}, opset=24)],
    )


def of_values() -> Iterator[Edge]:
    found = node("TopK", ["x", "k"], ["v", "y"])
    ties, apart, three = numpy.array([[1, 1, 1, 1], [0, 0, 1, 1]], numpy.float32), floats(2, 4), numpy.array([3])
    yield OPENVINO.may_err(
        ["TopK"],
        [{"input": 1, "computed": True}],
        "where the number to find is computed, equal values come in another order",
        [asked(found, {"x": ties.astype(kind), "k": three}) for kind in (numpy.float32, numpy.int32, numpy.int64)],
        [asked(found, {"x": ties}, {"k": three}), asked(found, {"x": apart, "k": three})],
    )
    shift = {way: node("BitShift", ["x", "k"], ["y"], direction=way) for way in ("LEFT", "RIGHT")}
    wide = [
        asked(shift["LEFT"], {"x": numpy.array([1, 3], kind), "k": numpy.array([bits, bits + 1], kind)}, opset=28)
        for kind, bits in ((numpy.int8, 8), (numpy.int32, 32), (numpy.uint8, 8))
    ]
    narrow = [
        asked(each, {"x": numpy.array([1, 2], kind), "k": numpy.array([1, 1], kind)}, opset=28)
        for each in shift.values()
        for kind in (numpy.int8, numpy.int32, numpy.uint8)
    ]
    yield OPENVINO.may_err(
        ["BitShift"],
        [{"input": 0, "dtypes": ["int8", "int16", "int32", "int64", "uint8"]}],
        "results beyond the dtype, and shifts that are negative or as wide as it, come out otherwise",
        wide,
        narrow,
    )
    infinite = numpy.array([numpy.inf, -numpy.inf, 1, 0])

    def cast(kind: Any, to: int, numbers: Any = infinite) -> Asked:
        return asked(node("Cast", ["x"], ["y"], to=to), {"x": numbers.astype(kind)})

    for given, made, seen in (
        (["float16", "float32"], ["float64"], [cast(numpy.float16, D), cast(numpy.float32, D)]),
        (["float64"], ["float32"], [cast(numpy.float64, F)]),
    ):
        yield OPENVINO.may_err(
            ["Cast", "CastLike"],
            [{"input": 0, "dtypes": given}, {"output": 0, "dtypes": made}],
            "infinities become the greatest number that is finite",
            seen,
            [cast(numpy.float32, F16), cast(numpy.float32, D, floats(4))],
        )
    pools = {
        counted: node("AveragePool", ["x"], ["y"], kernel_shape=[3], strides=[2], pads=[1, 1], ceil_mode=1, count_include_pad=counted)
        for counted in (0, 1)
    }
    yield OPENVINO.may_err(
        ["AveragePool"],
        [{"attribute": "ceil_mode", "is": [1]}, {"attribute": "count_include_pad", "is": [1]}],
        "a last window that reaches beyond the padding is divided by another number",
        [asked(pools[1], {"x": floats(1, 1, 6)})],
        [asked(pools[0], {"x": floats(1, 1, 6)})],
    )
    corners = [node("Resize", ["x", "", "s"], ["y"], mode=each, coordinate_transformation_mode="align_corners") for each in ("linear", "cubic")]
    for target in ("onnxruntime", "openvino-onnx"):
        yield AnswersOf(target).may_err(
            ["Resize"],
            [
                {"attribute": "coordinate_transformation_mode", "is": ["align_corners"]},
                {"attribute": "mode", "is": ["linear", "cubic"]},
                {"input": 2, "given": True},
                {"output": 0, "smaller_than_input": 0},
            ],
            "where scales make no whole number of elements, it computes them anew from the sizes",
            [asked(each, {"x": floats(1, 1, 4, 4) ** 3}, {"s": numpy.array([1, 1, 0.8, 0.8], numpy.float32)}) for each in corners],
            [asked(each, {"x": floats(1, 1, 4, 4) ** 3}, {"s": numpy.array([1, 1, 0.75, 0.75], numpy.float32)}) for each in corners],
        )


def of_nothing() -> Iterator[Edge]:
    """What is left out, empty, or of an opset that knew it otherwise."""
    rows, some = floats(3, 4), numpy.array([1])
    gather, no_index = node("Gather", ["x", "i"], ["y"]), numpy.zeros(0, numpy.int64)
    yield OPENVINO.errs(
        ["Gather"],
        [{"input": 1, "empty": True}],
        "of no indices it yields rows, or ends the process",
        [asked(gather, {"x": rows}, {"i": no_index}), asked(gather, {"x": rows}, {"i": no_index.reshape(0, 2)})],
        [asked(gather, {"x": rows}, {"i": some})],
    )
    yield OPENVINO.refuses(
        ["Gather"],
        [{"input": 0, "empty": True, "length": {"axis": 0, "at_least": 0}}],
        "of nothing it ends the process",
        [asked(gather, {"x": numpy.zeros((3, 0), numpy.float32), "i": some})],
        [asked(gather, {"x": rows, "i": some})],
    )
    train = node("Dropout", ["x", "r", "t"], ["y"])
    on, off, share = numpy.array(True), numpy.array(False), numpy.float32(0)
    cut = node("Slice", ["x"], ["y"], axes=[1], starts=[0], ends=[2])
    yield OPENVINO.refuses(
        ["Slice"],
        [{"from_opset": 10}, {"input": 1, "absent": True}],
        "Slice of an opset that has bounds among its inputs: vector::_M_range_check",
        [asked(cut, {"x": rows}, opset=each) for each in (10, 13)],
        [asked(cut, {"x": rows}, opset=9)],
    )
    for target in ("openvino-onnx", "tensorrt-rtx"):
        yield AnswersOf(target).refuses(
            ["Dropout"],
            [{"input": 2, "constant": True, "is_not": [0]}],
            "the Dropout operator is not supported in training mode",
            [asked(train, {"x": rows}, {"r": share, "t": on}, 13)],
            [asked(train, {"x": rows}, {"r": share, "t": off}, 13)],
        )
        yield AnswersOf(target).refuses(
            ["Cast"],
            [{"below_opset": 6}, {"attribute": "to", "types": ["string"]}],
            "the dtype of a Cast before opset 6 is a word, which is not read",
            [asked(node("Cast", ["x"], ["y"], to="FLOAT"), {"x": numpy.array([1, 2])}, opset=5)],
            [asked(node("Cast", ["x"], ["y"], to=F), {"x": numpy.array([1, 2])}, opset=6)],
        )
    same, wide = [node("Conv", ["x", "w"], ["y"], auto_pad=each) for each in ("SAME_UPPER", "SAME_LOWER")], {"w": floats(2, 3, 3)}
    apart = [node("Conv", ["x", "w"], ["y"], auto_pad=each, dilations=[2]) for each in ("SAME_UPPER", "SAME_LOWER")]
    images, square = floats(1, 3, 6, 6), {"w": floats(2, 3, 3, 3)}
    flat = node("Conv", ["x", "w"], ["y"], auto_pad="SAME_UPPER", dilations=[2, 2])
    yield ONNXRUNTIME.fails(
        ["Conv"],
        [{"attribute": "auto_pad", "is": ["SAME_UPPER", "SAME_LOWER"]}, {"attribute": "dilations", "is_not": [1]}],
        "Dilation not supported for AutoPadType::SAME_UPPER or AutoPadType::SAME_LOWER",
        [asked(each, {"x": floats(1, 3, 8)}, wide) for each in apart] + [asked(flat, {"x": images}, square)],
        [asked(each, {"x": floats(1, 3, 8)}, wide) for each in same],
    )


def of_policies() -> Iterator[Edge]:
    """Sizes that keep the proportions, of all axes: the channels then grow as the rest does, or nothing does."""
    kept = node("Resize", ["x", "", "", "k"], ["y"], mode="linear", keep_aspect_ratio_policy="not_larger")
    images = floats(1, 4, 6, 6)
    yield ONNXRUNTIME.may_err(
        ["Resize"],
        [
            {"attribute": "keep_aspect_ratio_policy", "is": ["not_larger"]},
            {"attribute": "mode", "is": ["linear"]},
            {"attribute": "axes", "or_absent": True},
        ],
        "where the sizes make other channels, it fails when it runs",
        [asked(kept, {"x": images}, {"k": numpy.array([9, 9, 8, 12])})],
        [asked(kept, {"x": images}, {"k": numpy.array([1, 4, 8, 12])})],
    )


def of_small_integers() -> Iterator[Edge]:
    for kind in (numpy.int8, numpy.uint8):
        least, most = numpy.iinfo(kind).min, numpy.iinfo(kind).max
        for name, numbers in (("Add", [1, most]), ("Mul", [1, most]), ("Sub", [1, least])):
            made = node(name, ["x", "z"], ["y"])
            yield OPENVINO.may_err(
                [name],
                [{"input": 0, "dtypes": [numpy.dtype(kind).name]}],
                "a result beyond the dtype becomes its least or greatest number",
                [asked(made, {"x": numpy.array(numbers, kind), "z": numpy.array([1, 3], kind)})],
                [asked(made, {"x": numpy.array([5, 6], kind), "z": numpy.array([1, 3], kind)})],
            )


def of_old_broadcasts() -> Iterator[Edge]:
    numbers, truths = floats(3), numpy.array([True, False])
    whole = numpy.array([1, 2])
    of_numbers = ["Add", "Sub", "Mul", "Div", "Pow", "Less", "Greater", "Max", "Min", "Sum", "Mean"]
    for names, given in ((of_numbers, numbers), (["And", "Or", "Xor"], truths), (["Equal"], whole)):
        pairs = [node(each, ["x", "z"], ["y"]) for each in names]
        yield TENSORRT.refuses(
            names,
            [{"below_opset": 7}],
            "Pre-opset 7 broadcasting is unsupported in this version of the ONNX parser",
            [asked(each, {"x": given, "z": given}, opset=6) for each in pairs],
            [asked(each, {"x": given, "z": given}, opset=8) for each in pairs],
        )


def of_scales_of_channels() -> Iterator[Edge]:
    """Of a convolution's weights, as quantisers write them. As many as it reads are used, along that axis: the numbers are wrong."""

    def convolved(given: int, made: int, scales: int | None) -> Asked:
        each = numpy.full(() if scales is None else scales, 0.1, numpy.float32)
        one, zero = numpy.float32(0.1), numpy.uint8(1)
        stores = {"s": one, "z": zero, "ws": each, "wz": numpy.zeros(each.shape, numpy.int8), "t": one, "u": zero}
        image = {"x": numpy.ones((1, given, 5, 5), numpy.uint8)}
        nodes = node("QLinearConv", ["x", "s", "z", "w", "ws", "wz", "t", "u"], ["y"])
        return asked(nodes, image, {**stores, "w": numpy.ones((made, given, 3, 3), numpy.int8)}, opset=17)

    many, single = {"axis": 0, "at_least": 2}, {"axis": 0, "at_most": 1}
    for when, seen in (
        ([{"input": 4, "ranks": [1], "length": many}], [convolved(3, 4, 4), convolved(1, 8, 8), convolved(4, 3, 3)]),
        (
            [{"input": 4, "ranks": [1], "length": single}, {"input": 3, "length": {"axis": 1, "at_least": 2}}],
            [convolved(4, 1, 1), convolved(2, 1, 1)],
        ),
    ):
        yield OPENVINO.refuses(
            ["QLinearConv"],
            when,
            "it takes the scales of output channels for those of input channels: their number must match the dimension that axis 1 points to",
            seen,
            [convolved(4, 4, None), convolved(1, 1, 1)],
        )


def of_slices() -> Iterator[Edge]:
    """Of fewer axes than there are: of a Slice that names none, or whose bounds are of int32."""
    stored = [{"input": bound, "constant": True} for bound in (1, 2, 3)]
    for rank in range(2, 7):
        box = floats(*[3] * rank)
        fewer = {"input": 1, "length": {"axis": 0, "at_most": rank - 1}}
        bounds = {"a": numpy.array([0]), "b": numpy.array([2])}
        narrow = {key: each.astype(numpy.int32) for key, each in {**bounds, "c": numpy.array([1])}.items()}
        cut, along = node("Slice", ["x", "a", "b"], ["y"]), node("Slice", ["x", "a", "b", "c"], ["y"])
        whole = {"a": numpy.zeros(rank, numpy.int64), "b": numpy.full(rank, 2)}
        yield TENSORRT.refuses(
            ["Slice"],
            [{"input": 0, "ranks": [rank]}, fewer, {"input": 3, "absent": True}],
            "The shape of input starts misaligns with the shape of input axes",
            [asked(cut, {"x": box}, bounds)],
            [asked(cut, {"x": box}, whole), asked(along, {"x": box}, {**bounds, "c": numpy.array([1])})],
        )
        yield TENSORRT.refuses(
            ["Slice"],
            [{"input": 0, "ranks": [rank]}, fewer, {"input": 1, "dtypes": ["int32"]}, *stored, {"input": 4, "absent": True}],
            "Slice steps length does not equal starts length",
            [asked(along, {"x": box}, narrow)],
            [asked(along, {"x": box}, {key: each.astype(numpy.int64) for key, each in narrow.items()})],
        )


def of_sequences() -> Iterator[Edge]:
    """Asked as forms, of which tools/rules/probe/nested_forms.py holds the chains."""
    why = "No conversion rule found for an operator of a sequence whose elements the file does not show"
    yield Edge("openvino-onnx", "refused", ["SequenceAt", "SequenceErase"], [{"input": 0, "elements": ["open", "appended"]}], why, [], [])
    yield Edge(
        "openvino-onnx", "refused", ["ConcatFromSequence", "SequenceInsert", "SequenceLength"], [{"input": 0, "elements": ["open"]}], why, [], []
    )


def of_mixed_norms() -> Iterator[Edge]:
    """ONNX allows data of one dtype and a scale of another; the product that is made of them does not."""
    norm = node("RMSNormalization", ["x", "s"], ["y"])
    kinds = {"float16": numpy.float16, "float32": numpy.float32, "float64": numpy.float64}
    reasons = {
        "onnxruntime": "Type Error: Type parameter (T) of Optype (Mul) bound to different types",
        "openvino-onnx": "Arguments do not have the same element type",
    }
    for target, why in reasons.items():
        for name, dtype in kinds.items():
            others = [each for each in kinds if each != name]
            data = {"x": floats(2, 4).astype(dtype)}
            yield AnswersOf(target).refuses(
                ["RMSNormalization"],
                [{"input": 0, "dtypes": [name]}, {"input": 1, "dtypes": others}],
                why,
                [asked(norm, data, {"s": numpy.ones(4, kinds[each])}, 23) for each in others],
                [asked(norm, data, {"s": numpy.ones(4, dtype)}, 23)],
            )


def of_mixed_statistics() -> Iterator[Edge]:
    """Of a batch norm; tools for mixed precision leave them as they were."""
    norm = node("BatchNormalization", ["x", "s", "s", "m", "m"], ["y"])

    def of(data: Any, scale: Any, statistics: Any) -> Asked:
        stores = {"s": numpy.ones(3, scale), "m": numpy.ones(3, statistics)}
        return asked(norm, {"x": floats(2, 3, 4).astype(data)}, stores, 17)

    half, real = numpy.float16, numpy.float32
    for number, seen in ((1, [of(half, real, half), of(half, real, real)]), (3, [of(half, half, real), of(half, real, real)])):
        yield OPENVINO.refuses(
            ["BatchNormalization"],
            [{"input": 0, "dtypes": ["float16"]}, {"input": number, "dtypes": ["float32"]}],
            "Input element types do not match",
            seen,
            [of(half, half, half), of(real, real, real)],
        )


def of_uneven_picks() -> Iterator[Edge]:
    """Fewer rows are picked from than there are, which ONNX allows."""

    def of(sizes: tuple[int, ...], axis: int) -> Asked:
        return asked(node("GatherElements", ["x", "i"], ["y"], axis=axis), {"x": floats(2, 3, 4)}, {"i": numpy.zeros(sizes, numpy.int64)})

    yield OPENVINO.refuses(
        ["GatherElements"],
        [{"input": 1, "unlike_input": 0, "beside_axis": "axis"}],
        "`data` and `indices` must have equal or intersecting dimensions, except for the dimension at axis index.",
        [of((1, 3, 4), 1), of((2, 3, 1), 0), of((2, 2, 2), -1)],
        [of((1, 3, 4), 0), of((2, 3, 1), -1), of((2, 5, 4), 1)],
    )


def of_contrib_left_out() -> Iterator[Edge]:
    """What ONNX Runtime's operators may leave out, and OpenVINO reads."""
    known = list(contrib.examples())

    def of(operator: str, name: str, *gone: str) -> Asked:
        found = next(each for each in known if each.node.op_type == operator and each.name.startswith(f"{operator} {name}"))
        made = found.varied(" ".join(gone))
        take_out(made.node.attribute, gone)
        for at, given in enumerate(made.node.input):
            made.node.input[at] = "" if given in gone else given
        inputs = {each: array for each, array in (made.inputs or {}).items() if each not in gone}
        kept = [each for each in made.model.graph.input if each.name not in gone]
        del made.model.graph.input[:]
        made.model.graph.input.extend(kept)
        return Asked(made.name, made.model, inputs)

    ids, heads = ("EmbedLayerNormalization", "float32 16"), ("GroupQueryAttention", "2 heads 5 prompt")
    for (operator, name), gone, condition, reason in (
        (ids, ("epsilon",), {"attribute": "epsilon", "or_absent": True}, "Any was not initialized."),
        (heads, ("pk", "pv"), {"input": 3, "absent": True}, "past_key (input 3) and past_value (input 4) must be provided as tensors"),
    ):
        yield OPENVINO.refuses(
            [f"{contrib.DOMAIN}::{operator}"],
            [condition],
            reason,
            [of(operator, name, *gone)],
            [of(operator, name)],
        )


def of_two_sizes() -> Iterator[Edge]:
    both, image = node("Resize", ["x", "", "s", "k"], ["y"]), {"x": floats(1, 1, 2, 2)}
    scales, sizes = numpy.array([1, 1, 2, 2], numpy.float32), numpy.array([1, 1, 4, 4])
    yield ONNXRUNTIME.refuses(
        ["Resize"],
        [{"from_opset": 13}, {"input": 2, "given": True, "length": {"axis": 0, "at_least": 1}}, {"input": 3, "given": True}],
        "Either `sizes` or `scales` must be provided, but not both of them",
        [asked(both, image, {"s": scales, "k": sizes}, opset) for opset in (13, 19)],
        [asked(both, image, {"s": scales[:0], "k": sizes}, 13), asked(node("Resize", ["x", "", "s"], ["y"]), image, {"s": scales}, 13)],
    )


def of_axes_before_they_were_operands() -> Iterator[Edge]:
    """Most reductions read the attribute of opset 13 to 17; these three pass over it."""
    kinds, data = ("ReduceL1", "ReduceLogSum", "ReduceLogSumExp"), {"x": numpy.abs(floats(2, 3, 4)) + 1}
    yield OPENVINO.errs(
        list(kinds),
        [{"from_opset": 13}, {"below_opset": 18}, {"attribute": "axes"}, {"input": 0, "ranks": [2, 3, 4, 5]}],
        "in opset 13 to 17 it passes over `axes`, and reduces all of them",
        [asked(node(kind, ["x"], ["y"], axes=[1]), data, opset=opset) for kind in kinds for opset in (13, 17)],
        [asked(node(kind, ["x"], ["y"], **axes), data, opset=opset) for kind in kinds for axes, opset in (({"axes": [1]}, 11), ({}, 17))],
    )


def of_words_elsewhere() -> Iterator[Edge]:
    """ONNX Runtime takes any word, such as PyTorch's `amax`."""
    known = {"ScatterElements": ("none", "add", "mul", "min", "max"), "NegativeLogLikelihoodLoss": ("none", "sum", "mean")}
    stores = {
        "ScatterElements": {"i": numpy.array([[0, 1, 1]]), "u": numpy.ones((1, 3), numpy.float32)},
        "NegativeLogLikelihoodLoss": {"i": numpy.array([0, 2])},
    }

    def of(operator: str, word: str) -> Asked:
        made = node(operator, ["x", *stores[operator]], ["y"], reduction=word)
        return asked(made, {"x": floats(2, 3)}, stores[operator], 18)

    for operator, words in known.items():
        yield OPENVINO.refuses(
            [operator],
            [{"attribute": "reduction", "is_not": list(words)}],
            f"Unsupported value of attribute: `reduction`. Supported modes: {', '.join(words)}",
            [of(operator, word) for word in ("amax", "batchmean", "")],
            [of(operator, word) for word in words],
        )


GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
FUNCTIONS = {"LSTM": ["Sigmoid", "Tanh", "Tanh"], "GRU": ["Sigmoid", "Tanh"], "RNN": ["Tanh"]}
BOTH = {"attribute": "direction", "is": ["bidirectional"]}


def recurrent(operator: str, ways: int = 1, opset: int = 14, **attributes: Any) -> Asked:
    gates = GATES[operator] * 4
    weights = {"w": floats(ways, gates, 3) - 1, "r": floats(ways, gates, 4) - 1}
    return asked(node(operator, ["x", "w", "r"], ["y"], **attributes), {"x": floats(5, 2, 3) - 1}, weights, opset)


def unlike_directions(operator: str) -> str:
    return f"The parser does not currently support cases where activations for the reverse pass of the {operator} do not match the forward pass."


def of_hidden_sizes() -> Iterator[Edge]:
    """Optional for ONNX, whose shape inference makes nothing of a node without."""
    for target, reason in (
        ("onnxruntime", 'info.GetAttr("hidden_size", &int64_value).IsOK() && int64_value > 0 was false.'),
        ("openvino-onnx", "Any was not initialized."),
        ("tensorrt-rtx", "Invalid Node"),
    ):
        yield AnswersOf(target).refuses(
            list(GATES),
            [{"attribute": "hidden_size", "or_absent": True}],
            reason,
            [recurrent(each, opset=opset) for each in GATES for opset in (7, 14, 22)],
            [recurrent(each, opset=opset, hidden_size=4) for each in GATES for opset in (7, 14, 22)],
        )


def of_activations() -> Iterator[Edge]:
    def both(operator: str, words: list[str]) -> Asked:
        return recurrent(operator, 2, hidden_size=4, direction="bidirectional", activations=words)

    for operator, words in FUNCTIONS.items():
        for target, reason in (
            ("onnxruntime", f"activation_func_names.size() == static_cast<size_t>(num_directions_) * {len(words)} was false."),
            ("tensorrt-rtx", unlike_directions(operator)),
        ):
            yield AnswersOf(target).refuses(
                [operator],
                [BOTH, {"attribute": "activations", "shorter_than": 2 * len(words)}],
                reason,
                [both(operator, words), both(operator, (words * 2)[:-1])][: len(words)],
                [both(operator, words * 2), recurrent(operator, hidden_size=4, activations=words)],
            )
    yield TENSORRT.refuses(
        list(FUNCTIONS),
        [{"attribute": "activations", "is": ["Affine"]}],
        "Unknown activation type: Affine",
        [recurrent(each, hidden_size=4, activations=[*words[:-1], "Affine"]) for each, words in FUNCTIONS.items()],
        [recurrent(each, hidden_size=4, activations=[*words[:-1], "Softsign"]) for each, words in FUNCTIONS.items()],
    )


def of_two_activations() -> Iterator[Edge]:
    """Of one step from nothing, which is the function of a product."""
    known: dict[str, Any] = {"Tanh": numpy.tanh, "Relu": lambda each: numpy.maximum(each, 0), "Sigmoid": lambda each: 1 / (1 + numpy.exp(-each))}
    data, weights = floats(1, 2, 3) - 1.5, {"w": floats(2, 4, 3) - 1.5, "r": floats(2, 4, 4)}

    def of(*words: str) -> Asked:
        made = node("RNN", ["x", "w", "r"], ["y"], hidden_size=4, direction="bidirectional", activations=words)
        results = [known[word](data[0] @ weights["w"][at].T) for at, word in enumerate(words)]
        return dataclasses.replace(asked(made, {"x": data}, weights, 14), expected=[numpy.stack(results)[None]])

    for target, outcome, reason in (
        ("openvino-onnx", "wrong", "it computes both directions with the first activation"),
        ("tensorrt-rtx", "refused", unlike_directions("RNN")),
    ):
        for word in known:
            others = [each for each in known if each != word]
            yield Edge(
                target,
                outcome,
                ["RNN"],
                [BOTH, {"attribute": "activations", "is": [word]}, {"attribute": "activations", "is_not": [word, word.lower()]}],
                reason,
                [of(*pair) for each in others for pair in ((word, each), (each, word))],
                [of(word, word)],
            )


def of_coupled_gates() -> Iterator[Edge]:
    """The gate that forgets is what the other leaves; the reference evaluator passes over it too."""
    data, cell, weights = floats(1, 2, 3) - 1.5, floats(1, 2, 4), floats(1, 16, 3) - 1.5

    def of(coupled: int) -> Asked:
        gates = data[0] @ weights[0].T
        let_in, let_out, forget = (1 / (1 + numpy.exp(-gates[:, at : at + 4])) for at in (0, 4, 8))
        state = (1 - let_in if coupled else forget) * cell[0] + let_in * numpy.tanh(gates[:, 12:])
        made = node("LSTM", ["x", "w", "r", "", "", "h", "c"], ["y"], hidden_size=4, input_forget=coupled)
        stores = {"w": weights, "r": floats(1, 16, 4), "h": numpy.zeros((1, 2, 4), numpy.float32), "c": cell}
        return dataclasses.replace(asked(made, {"x": data}, stores, 14), expected=[(let_out * numpy.tanh(state))[None, None]])

    for target, outcome, reason in (
        ("openvino-onnx", "depends", "it passes over `input_forget`, as ONNX Runtime and the evaluator of ONNX do"),
        ("tensorrt-rtx", "refused", "Coupled input/forget is unsupported in the LSTM converter"),
    ):
        yield Edge(target, outcome, ["LSTM"], [{"attribute": "input_forget", "is": [1]}], reason, [of(1)], [of(0)])


def of_axes_from_the_end() -> Iterator[Edge]:
    def of(opset: int, *perm: int) -> Asked:
        return asked(node("Transpose", ["x"], ["y"], perm=perm), {"x": floats(*(2, 3, 4)[: len(perm)])}, opset=opset)

    for target, reason in (
        ("onnxruntime", "[TypeInferenceError] Invalid attribute perm"),
        ("openvino-onnx", "Permutation is not valid for input shape"),
    ):
        seen = [of(opset, *perm) for opset in (9, 13, 21) for perm in ((0, -1), (-1, 0, 1), (0, 2, -2))]
        yield Edge(target, "refused", ["Transpose"], [{"attribute": "perm", "below": 0}], reason, seen, [of(9, 1, 0), of(21, 2, 0, 1)])


def of_nothing_multiplied() -> Iterator[Edge]:
    """OpenVINO reads a stored tensor without elements as a scalar."""

    def of(operator: str, rows: int, inner: int, columns: int, *stored_ones: str) -> Asked:
        both = {"x": numpy.ones((rows, inner), numpy.float32), "w": numpy.ones((inner, columns), numpy.float32)}
        given = {name: each for name, each in both.items() if name not in stored_ones}
        return asked(node(operator, ["x", "w"], ["y"]), given, {name: both[name] for name in stored_ones}, 17)

    kinds = ("MatMul", "Gemm")
    for at, name in enumerate("xw"):
        yield OPENVINO.refuses(
            list(kinds),
            [{"input": at, "empty": True, "constant": True}],
            "Scalars are not supported as MatMul inputs.",
            [of(kind, 2, 0, 4, name) for kind in kinds],
            [of(kind, *sizes) for kind in kinds for sizes in ((2, 0, 4), (2, 3, 4, name))],
        )


def of_windows_and_their_places() -> Iterator[Edge]:
    def normalised(size: int) -> Asked:
        data = floats(1, 6, 2, 2)
        whole = numpy.square(data)
        sums = numpy.stack([whole[:, max(0, at - (size - 1) // 2) : at + size // 2 + 1].sum(1) for at in range(6)], 1)
        made = node("LRN", ["x"], ["y"], size=size, alpha=0.5, beta=0.75)
        return dataclasses.replace(asked(made, {"x": data}, opset=13), expected=[data / (1 + 0.5 / size * sums) ** 0.75])

    yield OPENVINO.errs(
        ["LRN"],
        [{"attribute": "size", "is": [2, 4, 6, 8]}, {"attribute": "alpha", "is_not": [0.0001, 9.999999747378752e-05]}],
        "it makes the window odd",
        [normalised(size) for size in (2, 4, 6)],
        [normalised(size) for size in (1, 3, 5, 7)],
    )

    def places(order: int, height: int = 4, width: int = 6) -> Asked:
        made = node("MaxPool", ["x"], ["y", "i"], kernel_shape=[2, 2], strides=[2, 2], storage_order=order)
        data = floats(1, 1, height, width)[:, :, ::-1]
        rows, columns = numpy.meshgrid(range(0, height, 2), range(1, width, 2), indexing="ij")
        found = columns * height + rows if order else rows * width + columns
        return dataclasses.replace(asked(made, {"x": data}, opset=12), expected=[data[:, :, ::2, 1::2], found[None, None]])

    when: list[dict[str, Any]] = [{"attribute": "storage_order", "is": [1]}, {"output": 1}, {"input": 0, "ranks": [4, 5]}]
    seen = [places(1, height, width) for height in (2, 4, 6) for width in (2, 4, 6)]
    why = "it turns the image of places and counts them by rows, which is right only where that comes to the same"
    yield Edge("openvino-onnx", "depends", ["MaxPool"], when, why, seen, [places(0), places(0, 2, 2)])


def of_ranks_of_norms() -> Iterator[Edge]:
    def batch(*sizes: int) -> Asked:
        stores = {"s": numpy.ones(1, numpy.float32)}
        return asked(node("BatchNormalization", ["x", "s", "s", "s", "s"], ["y"]), {"x": floats(*sizes)}, stores, 15)

    yield OPENVINO.refuses(
        ["BatchNormalization"],
        [{"input": 0, "ranks": [1]}],
        "Input rank must be greater or equal to 2",
        [batch(1), batch(4)],
        [batch(4, 1)],
    )

    def for_each_place(*sizes: int, opset: int = 7) -> Asked:
        stores = {name: floats(*sizes[1:]) for name in "sbmv"}
        return asked(node("BatchNormalization", ["x", *stores], ["y"], spatial=0), {"x": floats(*sizes)}, stores, opset)

    for target, reason in (
        ("openvino-onnx", "Shape for gamma/beta/mean/variance does not have rank 1"),
        ("tensorrt-rtx", "(inputs.at(1).shape().nbDims == 1): The shape of the scale input must be (C, )"),
    ):
        seen = [for_each_place(*sizes, opset=opset) for sizes in ((2, 3, 4), (2, 3, 4, 5)) for opset in (7, 8)]
        yield Edge(target, "refused", ["BatchNormalization"], [{"input": 1, "rank_above": 1}], reason, seen, [for_each_place(2, 3)])

    def instance(*sizes: int) -> Asked:
        stores = {"s": floats(3), "b": floats(3)}
        data = numpy.sin(floats(*sizes) * 5)
        return asked(node("InstanceNormalization", ["x", "s", "b"], ["y"]), {"x": data}, stores, 17)

    for target, outcome, reason in (
        ("onnxruntime", "fails", "Invalid input data: number of dimensions is less than 3"),
        ("openvino-onnx", "wrong", "without an axis beyond the channels it leaves memory as it is"),
        ("tensorrt-rtx", "refused", "nbDims >= 3: Input to normalization should be at least 3D"),
    ):
        yield Edge(target, outcome, ["InstanceNormalization"], [{"input": 0, "ranks": [2]}], reason, [instance(2, 3)], [instance(2, 3, 4)])

    def layer(sizes: tuple[int, ...], scale: tuple[int, ...], axis: int, *bias: tuple[int, ...]) -> Asked:
        stores = {"s": floats(*scale), **({"b": floats(*bias[0])} if bias else {})}
        return asked(node("LayerNormalization", ["x", *stores], ["y"], axis=axis), {"x": floats(*sizes)}, stores, 17)

    reason = "the shape of the scale or the bias is incompatible with input shape"
    one = [layer((2, 5, 8), (1,), -1, (1,))]
    for at, seen in ((1, [layer((2, 5, 8), (), axis) for axis in (-1, 1)]), (2, [layer((2, 5, 8), (8,), -1, ())])):
        yield Edge("openvino-onnx", "refused", ["LayerNormalization"], [{"input": at, "ranks": [0]}], reason, seen, one)
    known: list[tuple[tuple[int, ...], int, list[dict[str, Any]]]] = [
        ((2, 3, 4), -2, []),
        ((2, 3, 4, 5), -3, []),
        ((2, 3), 0, [{"input": 0, "ranks": [2]}]),
        ((2, 3, 4), 0, [{"input": 0, "ranks": [3]}]),
        ((2, 3, 4), 1, [{"input": 0, "ranks": [3]}]),
        ((2, 3, 4, 5), 1, [{"input": 0, "ranks": [4]}]),
        ((2, 3, 4, 5), 2, [{"input": 0, "ranks": [4]}]),
    ]
    for sizes, axis, when in known:
        whole = sizes[axis:]
        yield OPENVINO.refuses(
            ["LayerNormalization"],
            [{"attribute": "axis", "is": [axis]}, *when, {"input": 1, "rank_below": len(whole)}],
            reason,
            [layer(sizes, whole[at:], axis, *more) for at in range(1, len(whole)) for more in ([], [whole[at:]])],
            [layer(sizes, whole, axis), layer(sizes, (1,) * len(whole), axis, whole)],
        )


def of_early_broadcasts() -> Iterator[Edge]:
    image = {"x": floats(1, 4, 3, 3)}

    def product(opset: int, *sizes: int) -> Asked:
        return asked(node("Gemm", ["x", "w", "b"], ["y"]), {"x": floats(2, 3)}, {"w": floats(3, 4), "b": floats(*sizes)}, opset)

    def slope(opset: int, *sizes: int) -> Asked:
        return asked(node("PRelu", ["x", "s"], ["y"]), image, {"s": floats(*sizes)}, opset)

    early, broadcast = {"below_opset": 7}, "Pre-opset 7 broadcasting is unsupported in this version of the ONNX parser"
    yield TENSORRT.refuses(
        ["Gemm"],
        [early, {"input": 2, "ranks": [0, 1]}],
        broadcast,
        [product(opset, 4) for opset in (5, 6)],
        [product(6, 2, 4), product(7, 4)],
    )
    yield TENSORRT.refuses(
        ["PRelu"],
        [early, {"input": 1, "ranks": [1]}, {"input": 0, "rank_above": 1}],
        broadcast,
        [slope(opset, size) for opset in (5, 6) for size in (1, 4)],
        [slope(6, 1, 4, 3, 3), slope(7, 1)],
    )


def of_ranks_for_tensorrt() -> Iterator[Edge]:
    heads = ("Softmax", "LogSoftmax", "Hardmax")

    def head(kind: str, opset: int, *sizes: int) -> Asked:
        return asked(node(kind, ["x"], ["y"], axis=len(sizes) - 1), {"x": floats(*sizes)}, opset=opset)

    def reduced(kind: str, opset: int, **attributes: int) -> Asked:
        return asked(node(f"Reduce{kind}", ["x"], ["y"], **attributes), {"x": floats()}, opset=opset)

    yield TENSORRT.refuses(
        list(heads),
        [{"from_opset": 13}, {"input": 0, "ranks": [1]}],
        "at least 2 dimensions are required for input.",
        [head(each, opset, 5) for each in heads for opset in (13, 21)],
        [made for kind in heads for made in (head(kind, 11, 5), head(kind, 13, 2, 5))],
    )
    alone = {"attribute": "noop_with_empty_axes", "is": [0], "or_absent": True}
    yield TENSORRT.refuses(
        [f"Reduce{each}" for each in REDUCTIONS],
        [{"input": 0, "ranks": [0]}, alone],
        "at least 1 dimensions are required for input.",
        [reduced(each, opset, keepdims=opset - 17) for each in REDUCTIONS for opset in (17, 18)],
        [reduced("Sum", 13, noop_with_empty_axes=1)],
    )


def of_what_plugins_compute() -> Iterator[Edge]:
    """What OpenVINO's operators take less of than ONNX's: found at the boundaries of their schemas."""
    pool = {kind: node(kind, ["x"], ["y"], kernel_shape=[2]) for kind in ("AveragePool", "LpPool", "MaxPool")}
    yield OPENVINO.refuses(
        list(pool),
        [{"input": 0, "empty": True}],
        "Batch size is zero, or the channel count",
        [asked(each, {"x": numpy.zeros(sizes, numpy.float32)}) for each in pool.values() for sizes in ((0, 3, 8), (2, 0, 8))],
        [asked(each, {"x": floats(2, 3, 8)}) for each in pool.values()],
    )
    powers = {p: asked(node("LpPool", ["x"], ["y"], kernel_shape=[2], p=p), {"x": floats(1, 2, 8)}) for p in (-3, 0, 1, 3)}
    yield OPENVINO.refuses(
        ["LpPool"],
        [{"attribute": "p", "below": 1}],
        "Only positive values are supported for 'p' attribute.",
        [powers[-3], powers[0]],
        [powers[1], powers[3]],
    )
    expand = node("Expand", ["x", "k"], ["y"])
    yield OPENVINO.refuses(
        ["Expand"],
        [{"input": 1, "rank_above": 1}],
        "Broadcast shape rank must be 1",
        [asked(expand, {"x": floats(3, 1)}, {"k": numpy.array([[3, 4]])}), asked(expand, {"x": floats(3, 1)}, {"k": numpy.array([[[3, 4]]])})],
        [asked(expand, {"x": floats(3, 1)}, {"k": numpy.array([3, 4])})],
    )
    windows = [node(f"{each}Window", ["n"], ["y"]) for each in ("Blackman", "Hamming", "Hann")]
    yield OPENVINO.refuses(
        ["BlackmanWindow", "HammingWindow", "HannWindow"],
        [{"input": 0, "rank_above": 0}],
        "'stop' input is not a scalar",
        [asked(each, {"n": numpy.array([10])}) for each in windows],
        [asked(each, {"n": numpy.array(10)}) for each in windows],
    )
    rows, places = floats(4, 3), numpy.array([[1], [2]])
    words = {each: node("ScatterND", ["x", "i", "u"], ["y"], reduction=each) for each in ("amax", "sum", "max", "none")}
    scattered = {each: asked(made, {"x": rows, "u": floats(2, 3)}, {"i": places}) for each, made in words.items()}
    yield OPENVINO.refuses(
        ["ScatterND"],
        [{"attribute": "reduction", "is_not": ["none", "add", "mul", "min", "max"]}],
        "Unsupported value of attribute: `reduction`",
        [scattered["amax"], scattered["sum"]],
        [scattered["max"], scattered["none"]],
    )


def of_lists_for_numbers() -> Iterator[Edge]:
    boxes, scores = floats(1, 6, 4), floats(1, 1, 6)
    kinds = (numpy.int64, numpy.float32, numpy.float32)
    for at in (2, 3, 4):

        def found(*numbers: int, at: int = at) -> Asked:
            names = ["m", "i", "s"][: at - 1]
            given = {name: numpy.ones(len(numbers) if name == names[-1] else 1, kind) for name, kind in zip(names, kinds, strict=False)}
            return asked(node("NonMaxSuppression", ["b", "p", *names], ["y"]), {"b": boxes, "p": scores}, given)

        yield OPENVINO.refuses(
            ["NonMaxSuppression"],
            [{"input": at, "ranks": [1], "length": {"axis": 0, "at_least": 2}}],
            "Scalar value can't be derived from a node with [2]",
            [found(1, 1)],
            [found(1)],
        )
    found_none = node("TopK", ["x", "k"], ["v", "y"])
    yield OPENVINO.refuses(
        ["TopK"],
        [{"output": 0, "empty": True}],
        "K (0) must be greater or equal to 1",
        [asked(found_none, {"x": floats(*sizes)}, {"k": numpy.array([0])}) for sizes in ((2, 5), (5,))],
        [asked(found_none, {"x": floats(2, 5)}, {"k": numpy.array([1])})],
    )
    old = node("Upsample", ["x", "s"], ["y"])
    scales = numpy.array([1, 1, 2, 2], numpy.float32)
    yield OPENVINO.refuses(
        ["Upsample"],
        [{"input": 1, "rank_above": 1}],
        "Input [1] is not rank 1",
        [asked(old, {"x": floats(1, 1, 2, 2)}, {"s": scales[None]}, 9)],
        [asked(old, {"x": floats(1, 1, 2, 2)}, {"s": scales}, 9)],
    )
    pads = node("Pad", ["x", "p", "v"], ["y"])
    rows, wide, seven = floats(2, 3), numpy.array([0, 1, 0, 1]), numpy.array(7, numpy.float32)
    yield OPENVINO.may_err(
        ["Pad"],
        [{"input": 1, "constant": True}, {"input": 2, "computed": True}, {"attribute": "mode", "is": ["constant"], "or_absent": True}],
        "it pads with 0 where the number of what is padded is stored and the value is computed, whatever that is",
        [asked(pads, {"x": rows, "v": seven}, {"p": wide})],
        [asked(pads, {"x": rows, "p": wide, "v": seven}), asked(pads, {"x": rows}, {"p": wide, "v": seven})],
    )
    scalar = numpy.array([0, numpy.inf, -numpy.inf])
    yield OPENVINO.may_err(
        ["IsInf"],
        [{"input": 0, "dtypes": ["float64"]}],
        "an infinity becomes the greatest number that is finite",
        [asked(node("IsInf", ["x"], ["y"]), {"x": scalar})],
        [asked(node("IsInf", ["x"], ["y"]), {"x": scalar.astype(numpy.float32)})],
    )


def of_dtypes_that_plugins_lack() -> Iterator[Edge]:
    wave = floats(1, 8, 1).astype(numpy.float64)
    signal = node("DFT", ["x"], ["y"])
    yield OPENVINO.refuses(
        ["DFT"],
        [{"input": 0, "dtypes": ["float64"]}],
        "FFT op input element type must be f32, f16, or bf16",
        [asked(signal, {"x": wave}), asked(signal, {"x": wave}, opset=17)],
        [asked(signal, {"x": wave.astype(numpy.float32)})],
    )
    text = node("Cast", ["x"], ["y"], to=TensorProto.STRING)
    yield OPENVINO.refuses(
        ["Cast"],
        [{"output": 0, "dtypes": ["string"]}],
        "Unsupported operation of type: Convert",
        [asked(text, {"x": floats(2)}), asked(text, {"x": numpy.array([1, 2])})],
        [asked(node("Cast", ["x"], ["y"], to=TensorProto.INT64), {"x": floats(2)})],
    )


def of_ranges() -> Iterator[Edge]:
    def cast(to: int, values: Sequence[float], **attributes: int) -> Asked:
        nodes = [node("Cast", ["x"], ["c"], to=to, **attributes), node("Cast", ["c"], ["y"], to=F)]
        return asked(nodes, {"x": numpy.array(values, numpy.float32)}, opset=19)

    small, large = [0.5, 1, -2, 4], [1000, -5, 1e6, 0.3]
    kinds = (TensorProto.FLOAT8E4M3FN, TensorProto.FLOAT8E5M2)
    yield OPENVINO.may_err(
        ["Cast"],
        [{"attribute": "to", "is": [int(each) for each in kinds]}, {"attribute": "saturate", "is": [1], "or_absent": True}],
        "what is beyond the range becomes infinite or NaN, not the greatest number",
        [cast(each, large, **more) for each in kinds for more in ({}, {"saturate": 1})],
        [cast(each, small) for each in kinds] + [cast(each, large, saturate=0) for each in kinds],
    )


def of_parts() -> Iterator[Edge]:
    def parts(opset: int, axis: int, **attributes: int) -> Asked:
        return asked(node("Split", ["x"], ["a", "y"], axis=axis, **attributes), {"x": floats(4, 4, 4)}, opset=opset)

    def uncounted(axis: int) -> Asked:
        made = parts(18, axis, num_outputs=2)
        del made.model.graph.node[0].attribute[1]
        return made

    for axis in range(3):
        named = {"attribute": "axis", "is": [axis], **({"or_absent": True} if axis == 0 else {})}
        known = {"input": 0, "length": {"axis": axis, "at_least": 0}}
        yield ONNXRUNTIME.refuses(
            ["Split"],
            [{"from_opset": 18}, {"input": 1, "absent": True}, {"attribute": "num_outputs", "or_absent": True}, named, known],
            "[ShapeInferenceError] Neither 'split' input nor 'num_outputs' attribute has been given",
            [uncounted(axis)],
            [parts(13, axis), parts(18, axis, num_outputs=2), with_free_size(uncounted(axis), axis)],
        )
    short = {
        rank: asked(node("LpPool", ["x"], ["y"], kernel_shape=[2] * (rank - 2)), {"x": floats(*(1, 2, 4, 5)[:rank])}, opset=18) for rank in (3, 4)
    }
    yield TENSORRT.refuses(
        ["LpPool"],
        [{"input": 0, "ranks": [3]}],
        "the runtime gives no reason",
        [short[3]],
        [short[4]],
    )


FREE = {"input": 0, "free": True}


def with_free_size(given: Asked, axis: int) -> Asked:
    """The same model, which leaves a size of its first input to the run."""
    made = ModelProto.FromString(given.model.SerializeToString())
    made.graph.input[0].type.tensor_type.shape.dim[axis].dim_param = "n"
    for result in made.graph.output:
        result.type.tensor_type.ClearField("shape")
    return dataclasses.replace(given, model=made)


def of_sizes_to_yield() -> Iterator[Edge]:
    def turned_to(size: int, axes: int) -> Asked:
        """What ONNX defines: what is left over of the whole is cut off at both ends, the odd one at the end."""
        made = node("ConvTranspose", ["x", "w"], ["y"], strides=[2] * axes, output_shape=[size] * axes)
        given, weights = {"x": floats(1, 2, *[5] * axes)}, {"w": floats(2, 3, *[3] * axes) - 1}
        whole = asked(node("ConvTranspose", ["x", "w"], ["y"], strides=[2] * axes), given, weights, 11)
        (sums,) = ReferenceEvaluator(whole.model).run(None, whole.inputs)
        first = (11 - size + 1) // 2
        part = (..., *[slice(first, first + size)] * axes)
        return dataclasses.replace(asked(made, given, weights, 11), expected=[sums[part]])

    yield TENSORRT.refuses(
        ["ConvTranspose"],
        [{"attribute": "output_shape"}, {"input": 0, "ranks": [3]}],
        "begPadding.d[i] >= 0: TensorRT does not support negative pre-padding in the ConvTranspose operator!",
        [turned_to(size, 1) for size in (9, 10)],
        [turned_to(size, 2) for size in (9, 10)],
    )
    summed = {rank: asked(node("GlobalLpPool", ["x"], ["y"]), {"x": floats(*(2, 3, 4, 5)[:rank])}, opset=17) for rank in (3, 4)}
    yield OPENVINO.refuses(
        ["GlobalLpPool"],
        [FREE, {"output": 0, "free": True}],
        "First dimension of input data must be static",
        [with_free_size(each, axis) for each in summed.values() for axis in (0, 1)],
        [*summed.values(), with_free_size(summed[3], 2), with_free_size(summed[4], 3)],
    )


def of_lengths_of_free_sequences() -> Iterator[Edge]:
    def lengths(operator: str, given: int) -> Asked:
        """The reference evaluator passes over lengths: results behind the end of a sequence are 0."""
        made = recurrent(operator, hidden_size=4)
        (whole,) = ReferenceEvaluator(made.model).run(None, made.inputs)
        whole[given:, :, 1] = 0
        made.model.graph.node[0].input.extend(["", "n"])
        made.model.graph.input.append(value("n", TensorProto.INT32, [2]))
        return dataclasses.replace(made, inputs={**made.inputs, "n": numpy.array([5, given], numpy.int32)}, expected=[whole])

    yield OPENVINO.may_err(
        list(GATES),
        [{"input": 4, "given": True}, FREE],
        "where a size of the sequence is free, lengths that are shorter than it are passed over",
        [with_free_size(lengths(each, 3), axis) for each in GATES for axis in (0, 1)],
        [lengths(each, 3) for each in GATES] + [with_free_size(lengths(each, 5), 0) for each in GATES],
    )


def of_free_blocks() -> Iterator[Edge]:
    rows, scales = numpy.arange(12, dtype=numpy.uint8).reshape(3, 4), numpy.ones((3, 2), numpy.float32)
    blocks = asked(node("DequantizeLinear", ["x", "s"], ["y"], axis=1, block_size=2), {"x": rows}, {"s": scales})
    whole = asked(node("DequantizeLinear", ["x", "s"], ["y"]), {"x": rows}, {"s": scales[0, 0]})
    yield OPENVINO.refuses(
        ["DequantizeLinear"],
        [{"attribute": "block_size", "is_not": [0]}, FREE],
        "DequantizeLinear cannot operate with dynamic shapes of input X",
        [with_free_size(blocks, axis) for axis in (0, 1)],
        [blocks, with_free_size(whole, 0)],
    )
    rounded = asked(node("QuantizeLinear", ["x", "s"], ["y"], axis=1, block_size=2), {"x": floats(3, 4)}, {"s": scales})
    flat = asked(node("QuantizeLinear", ["x", "s"], ["y"]), {"x": floats(3, 4)}, {"s": scales[0, 0]})
    yield OPENVINO.refuses(
        ["QuantizeLinear"],
        [{"attribute": "block_size", "is_not": [0]}, FREE],
        "Cannot get length of dynamic dimension",
        [with_free_size(rounded, 0)],
        [with_free_size(flat, axis) for axis in (0, 1)],
    )


def of_parts_of_free_sizes() -> Iterator[Edge]:
    parts = {size: asked(node("Split", ["x"], ["y", "z"], axis=1, num_outputs=2), {"x": floats(3, size)}) for size in (4, 5)}
    yield OPENVINO.may_err(
        ["Split"],
        [{"attribute": "num_outputs"}, FREE],
        "where the axis that is split is free, a size that cannot be divided evenly fails",
        [with_free_size(parts[5], 1)],
        [parts[5], with_free_size(parts[4], 1), with_free_size(parts[5], 0)],
    )
    picked = {axis: node("Compress", ["x", "c"], ["y"], **({} if axis is None else {"axis": axis})) for axis in (None, 0)}
    some = {axis: asked(each, {"x": floats(3, 4)}, {"c": numpy.array([True, False, True])}) for axis, each in picked.items()}
    yield OPENVINO.refuses(
        ["Compress"],
        [{"attribute": "axis", "or_absent": True}, FREE],
        "CPU plug-in doesn't support Squeeze operation with dynamic rank",
        [with_free_size(some[None], axis) for axis in (0, 1)],
        [some[None], with_free_size(some[0], 0)],
    )


def of_free_sizes_for_tensorrt() -> Iterator[Edge]:
    eye = asked(node("EyeLike", ["x"], ["y"]), {"x": floats(3, 3)})
    yield TENSORRT.refuses(
        ["EyeLike"],
        [FREE],
        "Eyelike does not work for dynamically shaped tensors.",
        [with_free_size(eye, axis) for axis in (0, 1)],
        [eye],
    )
    image, sizes = {"x": floats(1, 1, 4, 4)}, {"s": numpy.array([8, 8])}
    larger = asked(node("Resize", ["x", "", "", "s"], ["y"], axes=[2, 3]), image, sizes, 18)
    whole_sizes = {"s": numpy.array([1, 1, 8, 8])}
    to_another = [node("Shape", ["z"], ["s"], start=2), node("Resize", ["x", "", "", "s"], ["y"], axes=[2, 3])]
    alike = asked(to_another, {**image, "z": floats(1, 1, 8, 8)}, opset=18)
    yield TENSORRT.refuses(
        ["Resize"],
        [{"attribute": "axes"}, {"input": 3, "constant": True}, FREE],
        "axis 0 with inherently negative length",
        [with_free_size(larger, axis) for axis in (0, 1)],
        [larger, with_free_size(asked(node("Resize", ["x", "", "", "s"], ["y"]), image, whole_sizes, 18), 0), with_free_size(alike, 0)],
    )


MAKERS = (
    of_what_plugins_compute,
    of_lists_for_numbers,
    of_dtypes_that_plugins_lack,
    of_hidden_sizes,
    of_lengths_of_free_sequences,
    of_free_blocks,
    of_parts_of_free_sizes,
    of_free_sizes_for_tensorrt,
    of_sizes_to_yield,
    of_ranges,
    of_parts,
    of_activations,
    of_two_activations,
    of_coupled_gates,
    of_axes_from_the_end,
    of_nothing_multiplied,
    of_windows_and_their_places,
    of_ranks_of_norms,
    of_early_broadcasts,
    of_ranks_for_tensorrt,
    of_axes_before_they_were_operands,
    of_words_elsewhere,
    of_mixed_norms,
    of_mixed_statistics,
    of_uneven_picks,
    of_contrib_left_out,
    of_two_sizes,
    of_computed_axes,
    of_nothing_reduced,
    of_lengths,
    of_frames,
    of_blocks,
    of_random,
    of_transforms,
    of_values,
    of_nothing,
    of_policies,
    of_small_integers,
    of_old_broadcasts,
    of_scales_of_channels,
    of_slices,
    of_sequences,
)


def edges(target: str) -> list[Edge]:
    return [each for make in MAKERS for each in make() if each.target == target]
