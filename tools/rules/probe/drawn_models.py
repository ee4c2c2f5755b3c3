"""Small models drawn at random: an operator with several of its settings at once, in the opsets and the places that it is found in.

What is asked elsewhere changes one thing of an example. Here attributes, dtypes, ranks, sizes, values and where operands come from are
drawn together, as they are met by somebody who writes a model. A seed and a number yield the same model each time.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, defs, helper, numpy_helper, shape_inference

from probe.contradictions import placed
from probe.question import Question

Array = numpy.ndarray[Any, Any]
F32 = numpy.dtype(numpy.float32)
REAL = ("float32", "float32", "float32", "float16", "float64")
WHOLE = ("int64", "int32", "int8", "uint8", "int16", "uint16", "uint32", "uint64")
EDGES = (numpy.inf, -numpy.inf, numpy.nan, 0.0, -0.0, 0.5, 1.5, -2.5, 1e30, -1e5, 70000.0, 1e-30)
PLACES = ("arm", "loop", "function", "unchosen")
OPSETS = (9, 11, 12, 13, 15, 17, 18, 19, 20, 21, 22)
IR_VERSION = 10
OF_OPSETS = {23: 11, 24: 12, 25: 12, 26: 13}  # the IR versions that newer opsets need


class Draw:
    """What is drawn from a seed."""

    def __init__(self, *seed: int) -> None:
        self.random = numpy.random.default_rng(seed)

    def of(self, choices: Sequence[Any]) -> Any:
        return choices[int(self.random.integers(len(choices)))]

    def chance(self, share: float) -> bool:
        return bool(self.random.random() < share)

    def whole(self, least: int, most: int) -> int:
        return int(self.random.integers(least, most + 1))

    def wholes(self, count: int, least: int, most: int) -> list[int]:
        return [self.whole(least, most) for _ in range(count)]

    def shape(self, least: int = 1, most: int = 4, sizes: Sequence[int] = (1, 2, 3, 4, 5)) -> tuple[int, ...]:
        found = tuple(self.of(sizes) for _ in range(self.whole(least, most)))
        return (*found[:-1], 0) if found and self.chance(0.03) else found

    def array(self, shape: Sequence[int], dtype: Any = "float32", edges: float = 0.1) -> Array:
        """Numbers of a dtype, some of them at its edges."""
        kind, shape = numpy.dtype(dtype), tuple(shape)
        if kind.kind == "b":
            return self.random.random(shape) < 0.5
        if kind.kind == "O":
            return self.random.choice(numpy.array(["a", "bc", "", "Ä b", "1.5"], object), shape)
        if kind.kind in "iu":
            limits = numpy.iinfo(kind)
            found = self.random.integers(max(limits.min, -6), min(limits.max, 9), shape).astype(kind)
            if found.size and self.chance(edges):
                found.flat[0] = self.of((limits.min, limits.max, 0))
            return found
        found = numpy.round(self.random.normal(0, 2, shape), 2).astype(kind)
        if found.size and self.chance(edges):
            with numpy.errstate(over="ignore"):
                found.flat[self.whole(0, found.size - 1)] = kind.type(self.of(EDGES))
        return found

    def some(self, **choices: Any) -> dict[str, Any]:
        """Each attribute, or none of it: a callable is asked for its value."""
        return {name: value for name, value in choices.items() if self.chance(0.5) and value is not None}

    def broadcast(self, shape: Sequence[int]) -> tuple[int, ...]:
        """What broadcasts to a shape, mostly."""
        kept = list(shape[self.whole(0, len(shape)) if self.chance(0.4) else 0 :])
        return tuple(1 if self.chance(0.25) else size for size in kept)

    def axis(self, rank: int) -> int:
        return self.whole(-rank, rank - 1) if rank else 0


@dataclasses.dataclass
class Drawn:
    """Nodes, whose last results are the model's, and what they read."""

    nodes: list[NodeProto]
    given: dict[str, Array]
    stored: dict[str, Array]
    opset: int = 0  # 0: any that has the operator as it stands
    since: int = 0


Maker = Callable[[Draw], Drawn]


def node(operator: str, operands: Sequence[str], results: Any = ("y",), **attributes: Any) -> NodeProto:
    return helper.make_node(operator, list(operands), list(results), **attributes)


def of_one(made: NodeProto, given: dict[str, Any], stored: dict[str, Any] | None = None, opset: int = 0, since: int = 0) -> Drawn:
    arrays = [{name: numpy.asarray(value) for name, value in each.items()} for each in (given, stored or {})]
    return Drawn([made], arrays[0], arrays[1], opset, since)


def window(d: Draw, rank: int, transposed: bool = False) -> dict[str, Any]:
    """How a window moves: paddings of its own, or by a word."""
    found = d.some(strides=d.wholes(rank, 1, 3), dilations=d.wholes(rank, 1, 2))
    if d.chance(0.35):
        found["auto_pad"] = d.of(("SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET"))
    elif d.chance(0.6):
        found["pads"] = d.wholes(2 * rank, 0, 2)
    return found


def convolution(d: Draw) -> Drawn:
    rank, group = d.of((1, 2, 2, 3)), d.of((1, 1, 2, 3))
    per, outs = d.whole(1, 2), group * d.whole(1, 2) + (d.chance(0.05) and group > 1)
    kernel = d.wholes(rank, 1, 3)
    attributes = window(d, rank) | ({"group": group} if group > 1 else {}) | d.some(kernel_shape=kernel)
    transposed = d.chance(0.4)
    weight = (per * group, outs, *kernel) if transposed else (outs, per, *kernel)
    if transposed and d.chance(0.3):
        attributes["output_padding"] = d.wholes(rank, 0, 1)
    if transposed and d.chance(0.2):
        attributes["output_shape"] = d.wholes(rank, 5, 9)
    kind, dtype = ("ConvTranspose" if transposed else "Conv"), d.of(REAL)
    stored = {"w": d.array(weight, dtype, 0)} | ({"b": d.array((outs * (group if transposed else 1),), dtype, 0)} if d.chance(0.5) else {})
    return of_one(node(kind, ["x", *stored], **attributes), {"x": d.array((d.whole(1, 2), per * group, *d.wholes(rank, 3, 7)), dtype, 0)}, stored)


def pool(d: Draw) -> Drawn:
    rank, kind = d.of((1, 2, 2, 3)), d.of(("MaxPool", "MaxPool", "AveragePool", "AveragePool", "LpPool"))
    attributes = {"kernel_shape": d.wholes(rank, 1, 3)} | window(d, rank) | d.some(ceil_mode=1)
    if kind == "AveragePool":
        attributes |= d.some(count_include_pad=d.whole(0, 1))
    if kind == "MaxPool":
        attributes |= d.some(storage_order=d.of((0, 0, 1)))
    if kind == "LpPool":
        attributes |= d.some(p=d.whole(1, 3))
    results = ["y", "places"] if kind == "MaxPool" and d.chance(0.3) else ["y"]
    dtype = d.of((*REAL, "int8", "uint8")) if kind == "MaxPool" else d.of(REAL)
    return of_one(node(kind, ["x"], results, **attributes), {"x": d.array((d.whole(1, 2), d.whole(1, 3), *d.wholes(rank, 3, 8)), dtype)})


def global_pool(d: Draw) -> Drawn:
    kind = d.of(("GlobalMaxPool", "GlobalAveragePool", "GlobalLpPool"))
    return of_one(node(kind, ["x"], **(d.some(p=d.whole(1, 3)) if kind == "GlobalLpPool" else {})), {"x": d.array(d.shape(3, 5), d.of(REAL))})


REDUCED = ("L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod", "Sum", "SumSquare")


def reduction(d: Draw) -> Drawn:
    name, shape = f"Reduce{d.of(REDUCED)}", d.shape(0, 4)
    axes = sorted(set(d.wholes(d.whole(1, 2), -len(shape), len(shape) - 1))) if shape else []
    attributes, dtype = d.some(keepdims=d.whole(0, 1)), d.of((*REAL, "int32", "int64", "uint8", "int8"))
    since = 13 if name == "ReduceSum" else 18
    if d.chance(0.35):
        opset = d.of([each for each in OPSETS if each < since])
        return of_one(
            node(name, ["x"], **attributes, **({"axes": axes} if d.chance(0.8) and axes else {})), {"x": d.array(shape, dtype)}, opset=opset
        )
    stored = {"axes": numpy.array(axes, numpy.int64)} if d.chance(0.8) else {}
    return of_one(
        node(name, ["x", *stored], **attributes, **d.some(noop_with_empty_axes=d.whole(0, 1))), {"x": d.array(shape, dtype)}, stored, since=since
    )


def place_of_greatest(d: Draw) -> Drawn:
    shape, dtype = d.shape(1, 4), d.of((*REAL, "int32", "int64", "uint8"))
    values = numpy.round(d.array(shape, dtype)).astype(dtype) if d.chance(0.3) else d.array(shape, dtype)
    if d.chance(0.5):
        attributes = d.some(axis=d.axis(len(shape)), keepdims=d.whole(0, 1), select_last_index=d.whole(0, 1))
        return of_one(node(d.of(("ArgMax", "ArgMin")), ["x"], **attributes), {"x": values})
    axis = d.axis(len(shape))
    results = ["y", "places"] if d.chance(0.7) else d.of((["y"], ["", "places"]))
    count = numpy.array([d.whole(0 if d.chance(0.1) else 1, max(shape[axis], 1))], numpy.int64)
    made = node("TopK", ["x", "k"], results, axis=axis, **d.some(largest=d.whole(0, 1), sorted=1))
    return of_one(made, {"x": values}, {"k": count}, since=11)


BINARY = ("Add", "Sub", "Mul", "Div", "Pow", "Mod", "PRelu", "Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual")
LOGICAL, BITWISE = ("And", "Or", "Xor"), ("BitwiseAnd", "BitwiseOr", "BitwiseXor")


def dtype_and_settings(d: Draw, kind: str) -> tuple[str, dict[str, Any]]:
    dtype = "bool" if kind in LOGICAL else d.of(WHOLE if kind in BITWISE else (*REAL, *WHOLE[:4]))
    if kind == "BitShift":
        return d.of(("uint8", "uint16", "uint32", "uint64")), {"direction": d.of(("LEFT", "RIGHT"))}
    if kind == "Mod":
        return dtype, {"fmod": 1} if numpy.dtype(dtype).kind == "f" or d.chance(0.3) else {}
    return dtype, {}


def pairwise(d: Draw) -> Drawn:
    kind = d.of((*BINARY, *BINARY, *LOGICAL, *BITWISE, "BitShift"))
    dtype, attributes = dtype_and_settings(d, kind)
    shape = d.shape(0, 4)
    other = "bool" if kind == "Equal" and d.chance(0.1) else dtype
    first, second = d.array(shape, other), d.array(d.broadcast(shape), d.of((*REAL, "int32")) if kind == "Pow" and d.chance(0.3) else other)
    if kind in ("Div", "Mod") and numpy.dtype(dtype).kind in "iu":
        second[second == 0] = 1
    if kind != "PRelu" and d.chance(0.3):
        first, second = second, first
    is_stored = d.chance(0.5)
    return of_one(node(kind, ["x", "z"], **attributes), {"x": first} | ({} if is_stored else {"z": second}), {"z": second} if is_stored else {})


UNARY: dict[str, dict[str, Any]] = {
    **{
        name: {}
        for name in "Abs Neg Ceil Floor Round Sign Sqrt Exp Log Erf Reciprocal Relu Sigmoid Tanh Sin Cos Tan Asin Acos Atan Sinh Cosh".split()
    },
    **{name: {} for name in "Asinh Acosh Atanh Softplus Softsign Mish HardSwish IsNaN Identity".split()},
    "IsInf": {"detect_negative": (0, 1), "detect_positive": (0, 1)},
    **{name: {"alpha": (0.5, 0.0, -1.0, 2.0)} for name in ("Elu", "LeakyRelu", "ThresholdedRelu", "Celu")},
    "Selu": {"alpha": (1.0, 2.0), "gamma": (0.5, 1.5)},
    "HardSigmoid": {"alpha": (0.5, 0.1), "beta": (0.0, 0.6)},
    "Gelu": {"approximate": ("none", "tanh")},
    "Shrink": {"bias": (0.0, 1.0), "lambd": (0.0, 0.5, 1.5)},
    "Swish": {"alpha": (1.0, 0.5)},
}
OF_WHOLE = ("Abs", "Neg", "Sign", "Relu", "Identity", "Shrink", "Ceil")


def single(d: Draw) -> Drawn:
    kind = d.of(list(UNARY))
    attributes = {name: d.of(values) for name, values in UNARY[kind].items() if d.chance(0.6)}
    dtype = d.of((*REAL, "int32", "int8", "int64")) if kind in OF_WHOLE else d.of(REAL)
    return of_one(node(kind, ["x"], **attributes), {"x": d.array(d.shape(0, 5), dtype, 0.6)})


def several(d: Draw) -> Drawn:
    shape, dtype = d.shape(0, 3), d.of((*REAL, "int32", "int64", "uint8"))
    given = {f"x{i}": d.array(d.broadcast(shape) if i else shape, dtype, 0.3) for i in range(d.whole(1, 4))}
    kind = d.of(("Sum", "Mean", "Max", "Min"))
    return of_one(node(kind, list(given)), given, since=8)


def clipped(d: Draw) -> Drawn:
    dtype, bounds = d.of((*REAL, "int32", "int8", "uint8", "int64")), {}
    for name in ("low", "high"):
        if d.chance(0.7):
            bounds[name] = numpy.array(d.of((0, 1, 3, 6)), dtype)
    names = ["x", "low" if "low" in bounds else "", "high" if "high" in bounds else ""]
    if d.chance(0.25):
        held = {word: float(bounds[name]) for word, name in (("min", "low"), ("max", "high")) if name in bounds}
        return of_one(node("Clip", ["x"], **held), {"x": d.array(d.shape(0, 4), "float32", 0.3)}, opset=d.of((7, 9, 10)))
    return of_one(node("Clip", names), {"x": d.array(d.shape(0, 4), dtype, 0.3)}, bounds, since=12)


def cast(d: Draw) -> Drawn:
    kinds = ("float32", "float16", "float64", "int8", "uint8", "int16", "int32", "int64", "uint16", "uint32", "uint64", "bool")
    source, target = d.of(kinds), d.of(kinds)
    values = d.array(d.shape(0, 3), source, 0.4)
    if values.dtype.kind == "f" and numpy.dtype(target).kind in "iu":
        values = numpy.nan_to_num(values, posinf=3, neginf=-3).clip(0 if target.startswith("u") else -100, 100).astype(source)
    to = helper.np_dtype_to_tensor_dtype(numpy.dtype(target))
    if d.chance(0.25):
        return of_one(node("CastLike", ["x", "like"]), {"x": values}, {"like": numpy.zeros(1, target)}, since=15)
    return of_one(node("Cast", ["x"], to=to), {"x": values})


def softmax(d: Draw) -> Drawn:
    shape = d.shape(1, 4)
    values = d.array(shape, d.of(REAL), 0.2)
    if d.chance(0.1) and values.size:
        values[0] = -numpy.inf
    return of_one(node(d.of(("Softmax", "LogSoftmax", "Hardmax")), ["x"], **d.some(axis=d.axis(len(shape)))), {"x": values})


def indices(d: Draw, shape: Sequence[int], size: int) -> Array:
    return d.random.integers(-size if d.chance(0.4) else 0, max(size, 1), shape).astype(d.of(("int64", "int64", "int32")))


def gathered(d: Draw) -> Drawn:
    shape = d.shape(1, 4, (1, 2, 3, 4))
    dtype, axis = d.of((*REAL, "int64", "bool", "uint8", "object")), d.axis(len(shape))
    data = d.array(shape, dtype)
    kind = d.of(("Gather", "Gather", "GatherElements", "GatherND"))
    if kind == "Gather":
        places, attributes = indices(d, d.shape(0, 2), shape[axis]), d.some(axis=axis)
        if not attributes:
            places = indices(d, places.shape, shape[0])
    elif kind == "GatherElements":
        places, attributes = indices(d, [d.whole(1, each) if each else 0 for each in shape], shape[axis]), {"axis": axis}
    else:
        batch = d.whole(0, len(shape) - 1) if d.chance(0.4) else 0
        last = d.whole(1, len(shape) - batch)
        places = indices(d, (*shape[:batch], d.whole(1, 3), last), min(shape))
        places, attributes = places.astype(numpy.int64), ({"batch_dims": batch} if batch else {})
    is_stored = d.chance(0.6)
    return of_one(node(kind, ["x", "i"], **attributes), {"x": data} | ({} if is_stored else {"i": places}), {"i": places} if is_stored else {})


def scattered(d: Draw) -> Drawn:
    shape, dtype = d.shape(1, 3, (1, 2, 3, 4)), d.of((*REAL, "int64", "int32", "bool"))
    attributes = {"reduction": d.of(("add", "mul", "max", "min", "none"))} if d.chance(0.5) else {}
    axis, data = d.axis(len(shape)), d.array(shape, dtype)
    if d.chance(0.5):
        size = [d.whole(1, each) if each else 0 for each in shape]
        places = indices(d, size, shape[axis])
        made, updates = node("ScatterElements", ["x", "i", "u"], axis=axis, **attributes), d.array(size, dtype)
    else:
        last = d.whole(1, len(shape))
        places = indices(d, (d.whole(1, 3), last), min(shape)).astype(numpy.int64)
        made, updates = node("ScatterND", ["x", "i", "u"], **attributes), d.array((places.shape[0], *shape[last:]), dtype)
    is_stored = d.chance(0.5)
    return of_one(made, {"x": data, "u": updates} | ({} if is_stored else {"i": places}), {"i": places} if is_stored else {}, since=11)


def sliced(d: Draw) -> Drawn:
    shape, dtype = d.shape(1, 4), d.of((*REAL, "int64", "bool", "object", "int8"))
    count = d.whole(1, len(shape))
    axes = [int(each) for each in d.random.permutation(len(shape))[:count]]
    starts, ends = d.wholes(count, -6, 4), [d.of((1, 3, -1, 100, 2**31 - 1, 2**63 - 1, -100)) for _ in axes]
    steps = [d.of((1, 1, 2, -1, -2)) for _ in axes]
    if d.chance(0.2):
        return of_one(node("Slice", ["x"], starts=starts, ends=ends, **d.some(axes=axes)), {"x": d.array(shape, dtype)}, opset=9)
    kind = d.of((numpy.int64, numpy.int64, numpy.int32))
    ends = [min(each, 2**31 - 1) for each in ends] if kind == numpy.int32 else ends
    stored = {"s": numpy.array(starts, kind), "e": numpy.array(ends, kind)}
    extra = {} if d.chance(0.2) else {"a": numpy.array([a - len(shape) if d.chance(0.3) else a for a in axes], kind)}
    if d.chance(0.5) and extra:
        extra["t"] = numpy.array(steps, kind)
    return of_one(node("Slice", ["x", *stored, *extra]), {"x": d.array(shape, dtype)}, stored | extra, since=10)


def in_places(names: str, stored: dict[str, Any]) -> list[str]:
    """The operands of a node, of which the first is given: what is left out at the end is not named."""
    found = [name if name in stored or name == names[0] else "" for name in names]
    while not found[-1]:
        found.pop()
    return found


def padded(d: Draw) -> Drawn:
    shape, dtype = d.shape(1, 4, (2, 3, 4, 5)), d.of((*REAL, "int64", "int32", "bool", "uint8", "object"))
    mode = d.of(("constant", "constant", "reflect", "edge", "wrap"))
    axes = [int(each) for each in d.random.permutation(len(shape))[: d.whole(1, len(shape))]] if d.chance(0.25) else []
    pads = d.wholes(2 * (len(axes) or len(shape)), -1 if d.chance(0.2) else 0, 2)
    attributes = {"mode": mode} if mode != "constant" or d.chance(0.3) else {}
    if d.chance(0.15) and mode != "wrap":
        return of_one(
            node("Pad", ["x"], pads=pads if not axes else [1] * 2 * len(shape), **attributes),
            {"x": d.array(shape, "float32")},
            opset=d.of((7, 9, 10)),
        )
    stored: dict[str, Any] = {"p": numpy.array(pads, numpy.int64)}
    if mode == "constant" and d.chance(0.5):
        stored["v"] = d.array((), dtype)
    if axes:
        stored["a"] = numpy.array(axes, d.of((numpy.int64, numpy.int32)))
    since = 19 if mode == "wrap" else 18 if axes else 11
    return of_one(node("Pad", in_places("xpva", stored), **attributes), {"x": d.array(shape, dtype)}, stored, since=since)


def joined(d: Draw) -> Drawn:
    shape, dtype = d.shape(1, 4), d.of((*REAL, "int64", "bool", "object", "uint8"))
    axis = d.axis(len(shape))
    if d.chance(0.5):
        sizes = [list(shape) for _ in range(d.whole(1, 3))]
        for each in sizes:
            each[axis] = d.whole(0 if d.chance(0.1) else 1, 3)
        given = {f"x{i}": d.array(each, dtype) for i, each in enumerate(sizes)}
        return of_one(node("Concat", list(given), axis=axis), given)
    count = d.whole(1, 3)
    results = [f"y{i}" for i in range(count)]
    parts = d.wholes(count, 0 if d.chance(0.15) else 1, 3)
    whole = (*shape[: axis % len(shape)], sum(parts), *shape[axis % len(shape) :][1:])
    if d.chance(0.25):
        return of_one(node("Split", ["x"], results, axis=axis, split=parts), {"x": d.array(whole, dtype)}, opset=d.of((9, 11, 12)))
    if d.chance(0.4):
        return of_one(node("Split", ["x"], results, axis=axis, num_outputs=count), {"x": d.array(whole, dtype)}, since=18)
    return of_one(node("Split", ["x", "s"], results, axis=axis), {"x": d.array(whole, dtype)}, {"s": numpy.array(parts, numpy.int64)}, since=13)


def squeezed(d: Draw, kind: str, data: Array) -> Drawn:
    rank = data.ndim
    if kind == "Squeeze":
        axes = [i - rank if d.chance(0.3) else i for i, size in enumerate(data.shape) if size == 1 and d.chance(0.7)]
    else:
        axes = sorted({d.whole(0, rank), rank + 1})[: d.whole(1, 2)]
    if d.chance(0.3):
        return of_one(node(kind, ["x"], **({"axes": axes} if axes else {})), {"x": data}, opset=d.of((9, 11, 12)))
    stored = {"a": numpy.array(axes, numpy.int64)} if axes or kind == "Unsqueeze" else {}
    return of_one(node(kind, ["x", *stored]), {"x": data}, stored, since=13)


def expanded(d: Draw, data: Array) -> Drawn:
    wanted = [1 if d.chance(0.3) else size if size != 1 else d.whole(0 if d.chance(0.1) else 1, 3) for size in data.shape]
    wanted = d.of((wanted, [2, *wanted], wanted[1:]))
    return of_one(node("Expand", ["x", "s"]), {"x": data}, {"s": numpy.array(wanted, numpy.int64)})


def reshaped(d: Draw) -> Drawn:
    kind = d.of(("Reshape", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Transpose", "Expand", "Tile"))
    shape, dtype = d.shape(0 if kind in ("Reshape", "Expand", "Unsqueeze") else 1, 4, (1, 1, 2, 3, 4)), d.of((*REAL, "int64", "bool", "object"))
    data, rank = d.array(shape, dtype), len(shape)
    if kind in ("Squeeze", "Unsqueeze"):
        return squeezed(d, kind, data)
    if kind == "Reshape":
        wanted = d.of(([-1], [0, -1], list(shape), [1, -1, 1], [*shape, 1], [0] * rank, [-1, shape[-1] if shape else 1]))
        return of_one(node(kind, ["x", "s"], **d.some(allowzero=d.of((0, 0, 1)))), {"x": data}, {"s": numpy.array(wanted, numpy.int64)}, since=14)
    if kind == "Flatten":
        return of_one(node(kind, ["x"], **d.some(axis=d.whole(-rank, rank))), {"x": data})
    if kind == "Transpose":
        return of_one(node(kind, ["x"], **d.some(perm=[int(each) for each in d.random.permutation(rank)])), {"x": data})
    if kind == "Expand":
        return expanded(d, data)
    return of_one(node(kind, ["x", "r"]), {"x": data}, {"r": numpy.array(d.wholes(rank, 0 if d.chance(0.15) else 1, 3), numpy.int64)})


def of_shapes(d: Draw) -> Drawn:
    kind = d.of(("Shape", "Shape", "Size", "EyeLike", "ConstantOfShape", "NonZero", "Trilu", "CenterCropPad", "DepthToSpace", "SpaceToDepth"))
    shape, dtype = d.shape(0 if kind in ("Shape", "Size") else 1, 4), d.of((*REAL, "int64", "bool"))
    data = d.array(shape, dtype)
    if kind == "Shape":
        return of_one(node(kind, ["x"], **d.some(start=d.whole(-4, 3), end=d.whole(-4, 5))), {"x": data}, since=15)
    if kind == "EyeLike":
        return of_one(node(kind, ["x"], **d.some(k=d.whole(-2, 2), dtype=d.of((1, 7, 6, 10, 11)))), {"x": d.array(d.shape(2, 2), dtype)})
    if kind == "ConstantOfShape":
        value = numpy_helper.from_array(d.array((1,), d.of((*REAL, "int64", "bool", "uint8"))))
        return of_one(
            node(kind, ["x"], **d.some(value=value)), {"x": numpy.array(d.wholes(d.whole(0, 3), 0 if d.chance(0.1) else 1, 3), numpy.int64)}
        )
    if kind == "Trilu":
        data = d.array(d.shape(2, 4), dtype)
        stored = {"k": numpy.array(d.whole(-4, 4), numpy.int64)} if d.chance(0.6) else {}
        return of_one(node(kind, ["x", *stored], **d.some(upper=d.whole(0, 1))), {"x": data}, stored, since=14)
    if kind == "CenterCropPad":
        axes = d.some(axes=[d.axis(len(shape))])
        wanted = d.wholes(1 if axes else len(shape), 1, 6)
        return of_one(node(kind, ["x", "s"], **axes), {"x": data}, {"s": numpy.array(wanted, numpy.int64)}, since=18)
    if kind in ("DepthToSpace", "SpaceToDepth"):
        block = d.whole(1, 3)
        channels, height, width = (d.whole(1, 2) * each for each in ((block**2, 1, 1) if kind == "DepthToSpace" else (1, block, block)))
        attributes = {"blocksize": block} | (d.some(mode=d.of(("DCR", "CRD"))) if kind == "DepthToSpace" else {})
        return of_one(node(kind, ["x"], **attributes), {"x": d.array((d.whole(1, 2), channels, height, width), d.of((*REAL, "int64")))}, since=11)
    return of_one(node(kind, ["x"]), {"x": data})


def of_places(d: Draw) -> Drawn:
    kind = d.of(("OneHot", "Where", "Compress", "Unique", "ReverseSequence", "CumSum", "CumSum", "Range"))
    shape, dtype = d.shape(1, 3, (1, 2, 3, 4)), d.of((*REAL, "int64", "int32"))
    rank, data = len(shape), d.array(shape, dtype)
    if kind == "OneHot":
        depth = d.of((numpy.array(4), numpy.array([3]), numpy.array(5.0, numpy.float32)))
        stored = {"d": depth, "v": d.array((2,), d.of((*REAL, "int64")), 0)}
        return of_one(
            node(kind, ["x", "d", "v"], **d.some(axis=d.whole(-rank - 1, rank))),
            {"x": d.array(shape, d.of(("int64", "int32", "float32")), 0)},
            stored,
        )
    if kind == "Where":
        return of_one(node(kind, ["c", "x", "z"]), {"c": d.array(d.broadcast(shape), "bool"), "x": data, "z": d.array(d.broadcast(shape), dtype)})
    if kind == "Compress":
        attributes = d.some(axis=d.axis(rank))
        size = shape[attributes["axis"]] if attributes else data.size
        return of_one(node(kind, ["x", "c"], **attributes), {"x": data, "c": d.array((max(size - d.whole(0, 1), 1),), "bool")})
    if kind == "Unique":
        results = d.of((["y"], ["y", "i"], ["y", "i", "v", "n"], ["y", "", "v"]))
        return of_one(node(kind, ["x"], results, **d.some(axis=d.axis(rank), sorted=d.whole(0, 1))), {"x": numpy.round(data).astype(dtype)})
    if kind == "ReverseSequence":
        time, batch = d.of(((0, 1), (1, 0)))
        data = d.array(d.shape(2, 4, (2, 3, 4)), d.of(REAL))
        lengths = d.random.integers(1, data.shape[time] + 1, data.shape[batch])
        return of_one(node(kind, ["x", "n"], time_axis=time, batch_axis=batch), {"x": data, "n": lengths})
    if kind == "CumSum":
        axis = numpy.array(d.axis(rank), d.of(("int64", "int32")))
        return of_one(node(d.of((kind, kind, "CumProd")), ["x", "a"], **d.some(exclusive=1, reverse=1)), {"x": data}, {"a": axis})
    dtype = d.of(("int64", "int32", "float32", "float64", "int16"))
    numbers = d.of(((0, 5, 1), (5, 0, -2), (1, 1, 1), (3, 0, 1), (-2, 7, 3)))
    given = {name: numpy.array(number, dtype) for name, number in zip("abc", numbers, strict=True)}
    return of_one(node(kind, list(given)), given)


EQUATIONS = {
    "ij,jk->ik": ((2, 3), (3, 4)),
    "bij,bjk->bik": ((2, 3, 4), (2, 4, 2)),
    "ii->i": ((3, 3),),
    "ij->ji": ((2, 3),),
    "ij->": ((2, 3),),
    "i,i": ((3,), (3,)),
    "...ij,...jk->...ik": ((2, 1, 3, 2), (4, 2, 3)),
    "bhid,bhjd->bhij": ((1, 2, 3, 4), (1, 2, 5, 4)),
    "ij,kj": ((2, 3), (4, 3)),
    "IJ,JK->IK": ((2, 3), (3, 4)),
    " i j , j k -> i k": ((2, 3), (3, 4)),
    "i,j->ij": ((2,), (3,)),
    "ij,ij->i": ((2, 3), (2, 3)),
    "ij,jk,kl->il": ((2, 3), (3, 2), (2, 4)),
    "...i->...": ((2, 3),),
    "bi,ij,bj->b": ((2, 3), (3, 4), (2, 4)),
    "ijj->i": ((2, 3, 3),),
    "...,...->...": ((2, 3), (3,)),
    "ab,cd->abcd": ((2, 3), (1, 2)),
    "bij,jk->bik": ((2, 3, 4), (4, 5)),
}


def product(d: Draw) -> Drawn:
    kind = d.of(("MatMul", "MatMul", "Gemm", "Gemm", "Einsum", "Einsum"))
    dtype = d.of((*REAL, "int32", "int64")) if kind != "Einsum" else d.of(REAL)
    if kind == "Einsum":
        equation = d.of(list(EQUATIONS))
        given = {f"x{i}": d.array(shape, dtype, 0) for i, shape in enumerate(EQUATIONS[equation])}
        return of_one(node(kind, list(given), equation=equation), given, since=12)
    m, k, n = d.wholes(3, 1, 4)
    k = 0 if d.chance(0.04) else k
    if kind == "Gemm":
        turned = d.some(transA=1, transB=1)
        first, second = ((k, m) if "transA" in turned else (m, k)), ((n, k) if "transB" in turned else (k, n))
        stored = {"b": d.array(second, dtype, 0)} | (
            {"c": d.array(d.of(((n,), (m, n), (1, n), (m, 1), (), (1,))), dtype, 0)} if d.chance(0.7) else {}
        )
        return of_one(
            node(kind, ["a", *stored], **turned, **d.some(alpha=d.of((0.5, 0.0, 2.0)), beta=d.of((0.5, 0.0, 2.0)))),
            {"a": d.array(first, dtype, 0)},
            stored,
            since=11,
        )
    first = d.of(((k,), (m, k), (2, m, k), (2, 1, m, k), (1, m, k)))
    second = d.of(((k,), (k, n), (2, k, n), (3, k, n) if len(first) == 4 else (k, n)))
    stored = {"b": d.array(second, dtype, 0)}
    return of_one(node(kind, ["a", "b"]), {"a": d.array(first, dtype, 0)}, stored)


def of_whole_numbers(d: Draw, kind: str) -> Drawn:
    first, second = d.of((("uint8", "int8"), ("uint8", "uint8"), ("int8", "int8")))
    matrices: list[tuple[int, ...]] = [(2, 3), (3, 4)] if kind == "MatMulInteger" else [(1, 2, 4, 4), (2, 2, 2, 2)]
    zeros: dict[str, Any] = {}
    if d.chance(0.6):
        zeros["az"] = d.array(d.of(((), (), (2,))) if kind == "MatMulInteger" else (), first, 0)
    if zeros and d.chance(0.6):
        zeros["bz"] = d.array(d.of(((), (4,))) if kind == "MatMulInteger" else (), second, 0)
    stored = {"b": d.array(matrices[1], second, 0)} | zeros
    return of_one(node(kind, ["a", *stored]), {"a": d.array(matrices[0], first, 0)}, stored)


def quantised(d: Draw) -> Drawn:
    shape, kind = (
        d.shape(1, 4, (1, 2, 3, 4)),
        d.of(("QuantizeLinear", "DequantizeLinear", "DynamicQuantizeLinear", "pair", "pair", "MatMulInteger", "ConvInteger")),
    )
    dtype = d.of(("uint8", "int8", "uint8", "int8", "uint16", "int16"))
    axis = d.axis(len(shape))
    if kind == "DynamicQuantizeLinear":
        return of_one(node(kind, ["x"], ["y", "s", "z"]), {"x": d.array(shape, "float32", 0)})
    if kind in ("MatMulInteger", "ConvInteger"):
        return of_whole_numbers(d, kind)
    per_axis = d.chance(0.4)
    sizes = (shape[axis],) if per_axis else d.of(((), (), (1,)))
    scale = (numpy.abs(d.array(sizes, "float32", 0)) * 0.1 + 0.02).astype(d.of(("float32", "float32", "float32", "float16")))
    stored = {"s": scale} | ({"z": d.array(sizes, dtype, 0)} if d.chance(0.7) else {})
    attributes = {"axis": axis} if per_axis else d.some(axis=axis)
    since = 21 if dtype.endswith("16") else 19 if scale.dtype == numpy.float16 else 13
    if kind == "QuantizeLinear":
        return of_one(node(kind, ["x", *stored], **attributes), {"x": d.array(shape, scale.dtype, 0.2)}, stored, since=since)
    if kind == "DequantizeLinear":
        return of_one(node(kind, ["x", *stored], **attributes), {"x": d.array(shape, dtype)}, stored, since=since)
    both = [node("QuantizeLinear", ["x", *stored], ["q"], **attributes), node("DequantizeLinear", ["q", *stored], **attributes)]
    return Drawn(both, {"x": d.array(shape, scale.dtype, 0.2)}, stored, since=since)


def of_last_axes(d: Draw, kind: str, data: Array) -> Drawn:
    shape, rank, dtype = data.shape, data.ndim, data.dtype
    axis = d.axis(rank)
    stored = {"s": d.array(shape[axis % rank :], dtype, 0)}
    results = ["y"]
    if kind[0] == "L":
        stored |= {"b": d.array(d.of((shape[axis % rank :], shape[axis % rank :], shape[-1:])), dtype, 0)} if d.chance(0.6) else {}
        results = d.of((["y"], ["y"], ["y", "m"], ["y", "m", "v"], ["y", "", "v"]))
    attributes = d.some(epsilon=d.of((1e-3, 0.1)), stash_type=1)
    return of_one(node(kind, ["x", *stored], results, **({"axis": axis} if axis != -1 or d.chance(0.5) else {}), **attributes), {"x": data}, stored)


def of_channels(d: Draw, kind: str, data: Array) -> Drawn:
    dtype, channels = data.dtype, (data.shape[1],)
    lists = {name: d.array(channels, dtype, 0) for name in "sbm"} | {"v": numpy.abs(d.array(channels, dtype, 0)) + 1}
    if kind == "BatchNormalization":
        results, attributes = ["y"], d.some(epsilon=d.of((1e-3, 0.1)))
        if d.chance(0.2):
            results, attributes = ["y", "rm", "rv"], attributes | {"training_mode": 1} | d.some(momentum=0.5)
        return of_one(
            node(kind, ["x", *lists], results, **attributes), {"x": data}, {name: each.astype(dtype) for name, each in lists.items()}, since=14
        )
    stored = {name: lists[name] for name in "sb"}
    if kind == "GroupNormalization":
        groups = d.of((1, 2, 4))
        if d.chance(0.4):
            stored = {name: each[:groups] for name, each in stored.items()}
            return of_one(node(kind, ["x", *stored], num_groups=groups), {"x": data}, stored, opset=d.of((18, 20)))
        return of_one(node(kind, ["x", *stored], num_groups=groups, **d.some(epsilon=0.1)), {"x": data}, stored, since=21)
    return of_one(node(kind, ["x", *stored], **d.some(epsilon=0.1)), {"x": data}, stored)


def norm(d: Draw) -> Drawn:
    kind = d.of(
        (
            "LayerNormalization",
            "LayerNormalization",
            "InstanceNormalization",
            "GroupNormalization",
            "BatchNormalization",
            "LpNormalization",
            "MeanVarianceNormalization",
            "RMSNormalization",
            "LRN",
        )
    )
    dtype = d.of(REAL)
    shape = (d.whole(1, 2), 4, *d.wholes(d.of((0, 1, 2, 2, 3)), 2, 4))
    data, rank = d.array(shape, dtype, 0), len(shape)
    if kind in ("LayerNormalization", "RMSNormalization"):
        return of_last_axes(d, kind, data)
    if kind == "LpNormalization":
        return of_one(node(kind, ["x"], **d.some(axis=d.axis(rank), p=d.whole(1, 2))), {"x": data})
    if kind == "MeanVarianceNormalization":
        return of_one(node(kind, ["x"], **d.some(axes=sorted({d.axis(rank), 0}))), {"x": data})
    if kind == "LRN":
        return of_one(node(kind, ["x"], size=d.whole(1, 5), **d.some(alpha=0.5, beta=0.5, bias=2.0)), {"x": data})
    return of_channels(d, kind, data)


def recurrent(d: Draw) -> Drawn:
    kind, hidden, width = d.of(("LSTM", "GRU", "RNN")), d.whole(1, 3), d.whole(1, 3)
    direction = d.of(("forward", "forward", "reverse", "bidirectional"))
    ways, gates = 1 + (direction == "bidirectional"), {"LSTM": 4, "GRU": 3, "RNN": 1}[kind]
    length, batch, layout = d.whole(1, 4), d.whole(1, 3), int(d.chance(0.1))
    stored = {"w": d.array((ways, gates * hidden, width), edges=0), "r": d.array((ways, gates * hidden, hidden), edges=0)}
    state = (batch, ways, hidden) if layout else (ways, batch, hidden)
    further: dict[str, Any] = {
        "b": d.array((ways, 2 * gates * hidden), edges=0),
        "n": d.random.integers(1, length + 1, batch).astype(numpy.int32),
        "h": d.array(state, edges=0),
    }
    if kind == "LSTM":
        further |= {"c": d.array(state, edges=0), "p": d.array((ways, 3 * hidden), edges=0)}
    shares = {"b": 0.6, "n": 0.2, "h": 0.3, "c": 0.3, "p": 0.1}
    stored |= {name: each for name, each in further.items() if d.chance(shares[name])}
    attributes: dict[str, Any] = (
        {"hidden_size": hidden, "direction": direction} | ({"layout": 1} if layout else {}) | d.some(clip=d.of((0.5, None, None)))
    )
    if kind == "GRU":
        attributes |= d.some(linear_before_reset=d.whole(0, 1))
    if d.chance(0.2):
        attributes["activations"] = [
            d.of(("Tanh", "Sigmoid", "Relu", "HardSigmoid", "Softsign", "LeakyRelu")) for _ in range(ways * {"LSTM": 3, "GRU": 2, "RNN": 1}[kind])
        ]
    results = d.of((["y"], ["y", "yh"], ["", "yh"], ["y", "yh", "yc"] if kind == "LSTM" else ["y", "yh"]))
    data = d.array((batch, length, width) if layout else (length, batch, width), edges=0)
    return of_one(node(kind, in_places("xwrbnhcp", stored), results, **attributes), {"x": data}, stored, since=14)


def settings_of_mode(d: Draw, mode: str) -> dict[str, Any]:
    if mode == "nearest":
        return d.some(nearest_mode=d.of(("floor", "ceil", "round_prefer_floor", "round_prefer_ceil")))
    found = d.some(cubic_coeff_a=-0.5, exclude_outside=d.whole(0, 1)) if mode == "cubic" else {}
    return found | ({"antialias": 1} if d.chance(0.15) else {})


def scales_or_sizes(d: Draw, shape: tuple[int, ...], axes: list[int]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Of the axes that are named, or of all, of which the first stay mostly as they are; and how their ratio is kept."""
    sizes, kept = [shape[i] for i in axes or range(len(shape))], 0 if axes else len(shape) - 2
    if d.chance(0.5):
        scales = [1.0 if i < kept and d.chance(0.9) else d.of((0.5, 1.0, 1.5, 2.0, 0.7)) for i in range(len(sizes))]
        return {"scales": numpy.array(scales, numpy.float32)}, {}
    wanted = [size if i < kept else d.whole(1, 8) for i, size in enumerate(sizes)]
    policy = d.some(keep_aspect_ratio_policy=d.of(("not_larger", "not_smaller", "stretch"))) if d.chance(0.3) and axes else {}
    return {"sizes": numpy.array(wanted, numpy.int64)}, policy


def resized(d: Draw) -> Drawn:
    rank = d.of((2, 3, 4, 4, 4, 5))
    shape = (1, *d.wholes(rank - 1, 2, 5)) if rank > 2 else tuple(d.wholes(2, 2, 5))
    mode = d.of(("nearest", "linear", "cubic"))
    ways = ("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel", "half_pixel_symmetric", "tf_crop_and_resize")
    attributes = {"mode": mode} | d.some(coordinate_transformation_mode=d.of(ways)) | settings_of_mode(d, mode)
    axes = list(range(max(rank - 2, 1), rank)) if d.chance(0.3) else []
    count = len(axes) or rank
    stored: dict[str, Any] = {}
    names = ["x", ""]
    if attributes.get("coordinate_transformation_mode") == "tf_crop_and_resize":
        stored["roi"] = numpy.array([0.1] * count + [0.8] * count, numpy.float32)
        names[1] = "roi"
        attributes |= d.some(extrapolation_value=2.0)
    if axes:
        attributes["axes"] = axes
    wanted, policy = scales_or_sizes(d, shape, axes)
    attributes |= policy
    stored |= wanted
    names += ["scales"] if "scales" in wanted else ["", "sizes"]
    since = 19 if "half_pixel_symmetric" in attributes.values() else 18 if axes or "antialias" in attributes else 13
    return of_one(node("Resize", names, **attributes), {"x": d.array(shape, d.of((*REAL, "uint8", "int8")), 0)}, stored, since=since)


def of_images(d: Draw) -> Drawn:
    kind = d.of(("GridSample", "RoiAlign", "NonMaxSuppression", "AffineGrid", "Col2Im", "Upsample", "MaxUnpool"))
    if kind == "GridSample":
        attributes = d.some(
            mode=d.of(("linear", "nearest", "cubic")), padding_mode=d.of(("zeros", "border", "reflection")), align_corners=d.whole(0, 1)
        )
        return of_one(node(kind, ["x", "g"], **attributes), {"x": d.array((1, 2, 3, 4), edges=0), "g": d.array((1, 2, 3, 2), edges=0) / 2}, since=20)
    if kind == "RoiAlign":
        attributes = d.some(
            mode=d.of(("avg", "max")),
            sampling_ratio=d.whole(0, 2),
            output_height=2,
            output_width=d.whole(1, 3),
            spatial_scale=0.5,
            coordinate_transformation_mode=d.of(("half_pixel", "output_half_pixel")),
        )
        boxes = numpy.array([[0, 0, 3, 3], [1.0, 1, 4, 5]], numpy.float32)
        return of_one(
            node(kind, ["x", "r", "b"], **attributes), {"x": d.array((1, 2, 6, 6), edges=0), "r": boxes, "b": numpy.zeros(2, numpy.int64)}, since=16
        )
    if kind == "NonMaxSuppression":
        stored = {"m": numpy.array([d.whole(0, 3)]), "i": numpy.array([0.5], numpy.float32), "s": numpy.array([0.1], numpy.float32)}
        kept = dict(list(stored.items())[: d.whole(0, 3)])
        corners = d.random.random((1, 5, 2)).astype(numpy.float32)
        boxes = numpy.concatenate([corners, corners + 0.3], 2)
        return of_one(
            node(kind, ["b", "c", *kept], **d.some(center_point_box=d.whole(0, 1))),
            {"b": boxes, "c": d.random.random((1, d.whole(1, 2), 5)).astype(numpy.float32)},
            kept,
        )
    if kind == "AffineGrid":
        spatial = d.whole(2, 3)
        return of_one(
            node(kind, ["t", "s"], **d.some(align_corners=d.whole(0, 1))),
            {"t": d.array((2, spatial, spatial + 1), edges=0)},
            {"s": numpy.array([2, 1, *d.wholes(spatial, 2, 4)])},
        )
    if kind == "Col2Im":
        return of_one(
            node(kind, ["x", "i", "b"], **d.some(pads=[0, 0, 0, 0], strides=[1, 1])),
            {"x": d.array((1, 8, 4), edges=0)},
            {"i": numpy.array([3, 3]), "b": numpy.array([2, 2])},
        )
    if kind == "Upsample":
        return of_one(
            node(kind, ["x", "s"], mode=d.of(("nearest", "linear"))),
            {"x": d.array((1, 2, 3, 3), edges=0)},
            {"s": numpy.array([1, 1, 2, d.of((1.5, 2, 3))], numpy.float32)},
            opset=9,
        )
    places = numpy.array([[[[5, 7], [13, 15]]]])
    return of_one(node(kind, ["x", "i"], kernel_shape=[2, 2], strides=[2, 2]), {"x": d.array((1, 1, 2, 2), edges=0), "i": places})


def of_signals(d: Draw) -> Drawn:
    kind = d.of(("DFT", "DFT", "STFT", "HannWindow", "HammingWindow", "BlackmanWindow", "MelWeightMatrix"))
    if kind == "DFT":
        last, attributes = d.of((1, 2)), d.some(inverse=1, onesided=1)
        data = d.array((2, d.whole(2, 5), last), edges=0)
        if d.chance(0.4):
            return of_one(node(kind, ["x"], axis=1, **attributes), {"x": data}, opset=d.of((17, 18, 19)))
        stored = {"n": numpy.array(d.whole(2, 6))} if d.chance(0.4) else {}
        names = ["x", "n" if stored else "", *(["a"] if d.chance(0.6) else [])]
        stored |= {"a": numpy.array(d.of((1, -2)))} if "a" in names else {}
        while not names[-1]:
            names.pop()
        return of_one(node(kind, names, **attributes), {"x": data}, stored, since=20)
    if kind == "STFT":
        stored = {"k": numpy.array(d.whole(1, 4)), "w": d.array((8,), edges=0), "n": numpy.array(8)}
        return of_one(node(kind, ["x", *stored], **d.some(onesided=d.whole(0, 1))), {"x": d.array((1, 20, 1), edges=0)}, stored)
    if kind == "MelWeightMatrix":
        stored = {
            "a": numpy.array(4),
            "b": numpy.array(16),
            "c": numpy.array(8000),
            "e": numpy.array(0.0, numpy.float32),
            "f": numpy.array(4000.0, numpy.float32),
        }
        return Drawn(
            [node(kind, list(stored), ["m"]), node("MatMul", ["x", "m"])],
            {"x": d.array((2, 9), edges=0)},
            {k: numpy.asarray(v) for k, v in stored.items()},
            since=17,
        )
    return of_one(node(kind, ["n"], **d.some(periodic=d.whole(0, 1), output_datatype=d.of((1, 11)))), {"n": numpy.array(d.whole(1, 9))})


def of_sequences(d: Draw) -> Drawn:
    shape = d.shape(1, 3, (2, 3))
    axis = d.axis(len(shape))
    given = {"x": d.array(shape), "z": d.array(shape)}
    made = [node("SequenceConstruct", ["x", "z"], ["s"])]
    stored = {"at": numpy.array(d.of((0, 1, -1)), d.of(("int64", "int32")))}
    way = d.of(("at", "length", "joined", "inserted", "erased", "split", "empty"))
    if way == "at":
        made += [node("SequenceAt", ["s", "at"])]
    elif way == "length":
        made += [node("SequenceLength", ["s"])]
    elif way == "joined":
        made += [node("ConcatFromSequence", ["s"], axis=axis, **d.some(new_axis=d.whole(0, 1)))]
    elif way == "inserted":
        made += [node("SequenceInsert", ["s", "x", *(["at"] if d.chance(0.6) else [])], ["t"]), node("ConcatFromSequence", ["t"], axis=axis)]
    elif way == "erased":
        made += [node("SequenceErase", ["s", *(["at"] if d.chance(0.6) else [])], ["t"]), node("ConcatFromSequence", ["t"], axis=axis)]
    elif way == "split":
        parts = d.of(([], ["p"]))
        stored["p"] = d.of((numpy.array(1), numpy.array(2), numpy.array([1, shape[axis] - 1])))
        made = [node("SplitToSequence", ["x", *parts], ["s"], axis=axis, **d.some(keepdims=d.whole(0, 1))), node("SequenceAt", ["s", "at"])]
        del given["z"]
    else:
        made = [
            node("SequenceEmpty", [], ["s"]),
            node("SequenceInsert", ["s", "x"], ["t"]),
            node("SequenceInsert", ["t", "z"], ["u"]),
            node("SequenceAt", ["u", "at"]),
        ]
    read = {name for each in made for name in each.input}
    return Drawn(made, given, {name: each for name, each in stored.items() if name in read}, since=13)


def of_losses(d: Draw) -> Drawn:
    shape = (2, 3, *d.wholes(d.whole(0, 2), 2, 3))
    labels = d.random.integers(0, 3, (shape[0], *shape[2:]))
    attributes = d.some(reduction=d.of(("none", "sum", "mean")), ignore_index=d.of((1, -1)))
    stored = {"w": numpy.abs(d.array((3,), edges=0))} if d.chance(0.4) else {}
    if d.chance(0.5):
        return of_one(
            node("NegativeLogLikelihoodLoss", ["x", "t", *stored], **attributes), {"x": d.array(shape, edges=0), "t": labels}, stored, since=13
        )
    results = d.of((["y"], ["y", "l"]))
    return of_one(
        node("SoftmaxCrossEntropyLoss", ["x", "t", *stored], results, **attributes), {"x": d.array(shape, edges=0), "t": labels}, stored, since=13
    )


def of_strings(d: Draw) -> Drawn:
    kind = d.of(("StringConcat", "StringSplit", "RegexFullMatch", "StringNormalizer", "Equal", "Where", "Identity", "Cast"))
    shape = d.shape(1, 2)
    words = d.array(shape, "object")
    if kind == "StringNormalizer":
        attributes = d.some(case_change_action=d.of(("LOWER", "UPPER", "NONE")), is_case_sensitive=d.whole(0, 1), stopwords=["a"])
        return of_one(node(kind, ["x"], **attributes), {"x": d.array((4,), "object")})
    if kind == "StringSplit":
        return of_one(node(kind, ["x"], ["y", "n"], **d.some(delimiter=d.of((" ", "b")), maxsplit=1)), {"x": words})
    if kind == "RegexFullMatch":
        return of_one(node(kind, ["x"], pattern="[a-z]+"), {"x": words})
    if kind == "Where":
        return of_one(node(kind, ["c", "x", "z"]), {"c": d.array(shape, "bool"), "x": words, "z": d.array(d.broadcast(shape), "object")})
    if kind == "Cast":
        source = d.of(("float32", "int64", "object"))
        to = TensorProto.STRING if source != "object" else d.of((TensorProto.FLOAT, TensorProto.INT64))
        return of_one(node(kind, ["x"], to=to), {"x": numpy.array(["1", "-2", "30"], object) if source == "object" else d.array(shape, source, 0)})
    if kind == "Identity":
        return of_one(node(kind, ["x"]), {"x": words})
    return of_one(node(kind, ["x", "z"]), {"x": words, "z": d.array(d.broadcast(shape), "object")})


def of_attention(d: Draw) -> Drawn:
    heads, groups, width = d.of(((2, 2, 4), (4, 2, 2), (2, 1, 4)))
    batch, queries, keys = d.whole(1, 2), d.of((1, 3)), d.whole(2, 4)
    kind = d.of(("Attention", "Attention", "RotaryEmbedding"))
    if kind == "RotaryEmbedding":
        data = d.array((batch, heads, queries, width), edges=0)
        stored = {"c": d.array((8, width // 2), edges=0), "s": d.array((8, width // 2), edges=0)}
        places = numpy.tile(numpy.arange(queries), (batch, 1))
        return of_one(node(kind, ["x", "c", "s", "p"], **d.some(interleaved=1)), {"x": data, "p": places}, stored, since=23)
    attributes = d.some(is_causal=1, scale=0.5, softcap=d.of((None, 2.0)), qk_matmul_output_mode=None)
    if d.chance(0.4):
        sizes: list[tuple[int, ...]] = [(batch, queries, heads * width), (batch, keys, groups * width), (batch, keys, groups * width)]
        attributes |= {"q_num_heads": heads, "kv_num_heads": groups}
    else:
        sizes = [(batch, heads, queries, width), (batch, groups, keys, width), (batch, groups, keys, width)]
    given = {name: d.array(size, d.of(("float32", "float32")), 0) for name, size in zip("qkv", sizes, strict=True)}
    if d.chance(0.4):
        given["m"] = d.of((d.array((queries, keys), "bool"), d.array((queries, keys), edges=0), d.array((batch, heads, queries, keys), edges=0)))
    return of_one(node(kind, list(given), **attributes), given, since=23)


def of_loops(d: Draw) -> Drawn:
    kind = d.of(("Loop", "Scan", "If"))
    shape = d.shape(1, 2, (2, 3))

    def value(name: str, dtype: int = TensorProto.FLOAT, sizes: Sequence[Any] | None = None) -> ValueInfoProto:
        return helper.make_tensor_value_info(name, dtype, sizes)

    if kind == "If":
        other = d.of((node("Neg", ["x"], ["e"]), node("Concat", ["x", "x"], ["e"], axis=0), node("Transpose", ["x"], ["e"])))
        arms = [helper.make_graph([each], "arm", [], [value(each.output[0])]) for each in (node("Abs", ["x"], ["t"]), other)]
        made = node("If", ["c"], then_branch=arms[0], else_branch=arms[1])
        condition = {"c": numpy.array(d.chance(0.5))}
        is_stored = d.chance(0.4)
        return of_one(made, {"x": d.array(shape)} | ({} if is_stored else condition), condition if is_stored else {})
    if kind == "Scan":
        rows = d.array((d.whole(0 if d.chance(0.1) else 1, 4), 3), edges=0)
        body = helper.make_graph(
            [node("Add", ["s", "e"], ["t"]), node("Mul", ["e", "e"], ["o"])],
            "body",
            [value("s", sizes=[3]), value("e", sizes=[3])],
            [value("t", sizes=[3]), value("o", sizes=[3])],
        )
        attributes = d.some(scan_input_directions=[d.whole(0, 1)], scan_output_directions=[d.whole(0, 1)], scan_output_axes=[d.of((0, 1, -1))])
        return of_one(node(kind, ["i", "x"], ["y", "z"], body=body, num_scan_inputs=1, **attributes), {"i": d.array((3,), edges=0), "x": rows})
    turns, goes_on = numpy.array(d.whole(0 if d.chance(0.2) else 1, 4)), numpy.array(True)
    nodes = [node("Add", ["v", "x"], ["w"]), node("Identity" if d.chance(0.7) else "Not", ["on"], ["still"])]
    outs = [value("still", TensorProto.BOOL, []), value("w", sizes=shape)]
    results = ["y"]
    if d.chance(0.6):
        nodes.append(node("Neg", ["w"], ["o"]))
        outs.append(value("o", sizes=shape))
        results.append("all")
    body = helper.make_graph(nodes, "body", [value("i", TensorProto.INT64, []), value("on", TensorProto.BOOL, []), value("v", sizes=shape)], outs)
    stored = {"n": turns} | ({"c": goes_on} if d.chance(0.7) else {})
    names = ["n", "c" if "c" in stored else "", "x"]
    return of_one(node(kind, names, results, body=body), {"x": d.array(shape, edges=0)}, stored)


MAKERS: tuple[Maker, ...] = (
    *(convolution, pool, global_pool, reduction, place_of_greatest, pairwise, single, several, clipped, cast, softmax, gathered, scattered, sliced),
    *(padded, joined, reshaped, of_shapes, of_places, product, quantised, norm, recurrent, resized, of_images, of_signals, of_sequences, of_losses),
    *(of_strings, of_attention, of_loops),
)


def opsets_of(made: Drawn) -> list[int]:
    """Those that have its operators with these attributes and as many operands."""
    if made.opset:
        return [made.opset]

    def has(each: NodeProto, opset: int) -> bool:
        if not defs.has(each.op_type, max_inclusive_version=opset):
            return False
        schema = defs.get_schema(each.op_type, opset)
        return len(each.input) <= schema.max_input and all(a.name in schema.attributes for a in each.attribute)

    return [o for o in (*OPSETS, *OF_OPSETS) if o >= made.since and all(has(each, o) for each in made.nodes)]


def beside(d: Draw, made: Drawn) -> Drawn:
    """With a neighbour before its first input or after its first result."""
    nodes, name = list(made.nodes), next(iter(made.given), None)
    plain = ("Identity", "Neg", "Relu", "Abs")
    if name is not None and made.given[name].dtype == F32 and d.chance(0.5):
        nodes.insert(0, node(d.of(plain), [name], ["before"]))
        for each in nodes[1:]:
            each.input[:] = ["before" if held == name else held for held in each.input]
    elif nodes[-1].output[0]:
        result = nodes[-1].output[0]
        nodes[-1].output[0] = "last"
        nodes.append(node(d.of(("Identity", "Neg", "Abs", "Shape", "Flatten")), ["last"], [result]))
    return dataclasses.replace(made, nodes=nodes)


def moved(d: Draw, made: Drawn) -> Drawn:
    """With some of what is stored given, and the other way round."""
    given, stored = dict(made.given), dict(made.stored)
    for name in list(stored):
        if d.chance(0.12):
            given[name] = stored.pop(name)
    for name in list(given)[1:]:
        if d.chance(0.15):
            stored[name] = given.pop(name)
    return dataclasses.replace(made, given=given, stored=stored)


def entries(d: Draw, given: dict[str, Array]) -> list[ValueInfoProto]:
    """Declared with all sizes, with a free batch, or with none. Sizes of one name are equal."""
    way = d.of(("known", "known", "known", "batch", "all"))
    batch = {each.shape[0] for each in given.values() if each.ndim > 1}

    def sizes(each: Array, name: str) -> list[Any]:
        if way == "known" or each.ndim < 2:
            return list(each.shape)
        if way == "all":
            return [f"{name}{axis}" for axis in range(each.ndim)]
        return ["n" if len(batch) == 1 else f"n_of_{name}", *each.shape[1:]]

    return [helper.make_tensor_value_info(name, dtype_of(each), sizes(each, name)) for name, each in given.items()]


def dtype_of(value: Array) -> int:
    return TensorProto.STRING if value.dtype == object else helper.np_dtype_to_tensor_dtype(value.dtype)


def model_of(d: Draw, made: Drawn, opset: int) -> ModelProto:
    results = [ValueInfoProto(name=name) for each in made.nodes[-1:] for name in each.output if name]
    tensors = [numpy_helper.from_array(each, name) for name, each in made.stored.items()]
    graph = helper.make_graph(made.nodes, "drawn", entries(d, made.given), results, tensors)
    return declared(helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=OF_OPSETS.get(opset, IR_VERSION)))


def declared(built: ModelProto) -> ModelProto:
    """With results as ONNX infers them; of what it infers nothing of, as GroupNormalization was before opset 21, of the dtype of the first input."""
    for result, known in zip(built.graph.output, shape_inference.infer_shapes(built).graph.output, strict=True):
        result.CopyFrom(known)
        if not result.type.WhichOneof("value") and len(built.graph.input):
            result.type.tensor_type.elem_type = built.graph.input[0].type.tensor_type.elem_type
    return built


def drawn(seed: int, number: int) -> Question | None:
    """None where the draw makes no model."""
    d = Draw(seed, number)
    maker = MAKERS[number % len(MAKERS)]
    try:
        made = moved(d, maker(d))
        if d.chance(0.3):
            made = beside(d, made)
        built = model_of(d, made, d.of(opsets_of(made)))
        place = d.of(PLACES) if d.chance(0.25) else "main"
        put = placed(built, place) or built
        put = declared(put) if put is not built else built
    except Exception:  # of whatever kind: settings that do not go together may not even be written
        return None
    inputs = made.given | ({"chosen": numpy.array(d.chance(0.5))} if any(each.name == "chosen" for each in put.graph.input) else {})
    operators = [each.op_type for each in made.nodes]
    name = f"{seed}.{number} {'+'.join(operators)} of {built.opset_import[0].version} ({place if put is not built else 'main'})"
    return Question(name, [f"onnx::{each}" for each in operators], put.SerializeToString(), inputs, None, "drawn")


def questions(seed: int, count: int) -> Iterator[Question]:
    return (made for number in range(count) if (made := drawn(seed, number)) is not None)
