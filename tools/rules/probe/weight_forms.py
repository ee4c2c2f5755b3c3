"""Questions about forms: who reads quantised weights, what is quantised twice, and what is narrowed and widened at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy
from onnx import ModelProto, NodeProto, TensorProto

from probe.forms import F, Form, model, node, stored, value

Arrays = dict[str, Any]
ROWS = numpy.linspace(-1, 1, 10, dtype=numpy.float32).reshape(2, 5)
MATMUL = [node("MatMul", ["x", "d"], ["y"])]


def weighted(
    after: Sequence[NodeProto],
    entry: Any,
    sizes: tuple[int, ...] = (5, 4),
    axis: int | None = 1,
    dtype: Any = numpy.int8,
    equal: bool = False,
    opset: int = 21,
    free: int | None = None,
) -> ModelProto:
    """Weights with one scale, or a list of them along an axis, and what reads them."""
    count = 1 if axis is None else sizes[axis]
    scales = numpy.full(count, 0.5) if equal else numpy.linspace(0.1, 0.9, count)
    numbers = numpy.arange(numpy.prod(sizes)).reshape(sizes) % 40 - 4
    tensors = [stored("w", numbers, dtype), stored("s", scales if axis is not None else scales[0])]
    read = node("DequantizeLinear", ["w", "s"], ["d"], **({} if axis is None else {"axis": axis}))
    shape = ["n" if i == free else size for i, size in enumerate(numpy.shape(entry))]
    given = value("x", TensorProto.INT64 if entry.dtype == numpy.int64 else F, shape)
    return model([read, *after], [given], [value("y", F, None)], tensors, opset=opset)


def of_sums() -> Iterator[Form]:
    turned = [node("Transpose", ["d"], ["t"]), node("MatMul", ["x", "t"], ["y"])]
    narrow = [
        node("Cast", ["x"], ["n"], to=10),
        node("Cast", ["d"], ["m"], to=10),
        node("MatMul", ["n", "m"], ["p"]),
        node("Cast", ["p"], ["y"], to=1),
    ]
    products = (
        ("MatMul", MATMUL, (5, 4), 0),
        ("Gemm", [node("Gemm", ["x", "d"], ["y"])], (5, 4), 0),
        ("transposed Gemm", [node("Gemm", ["x", "d"], ["y"], transB=1)], (4, 5), 1),
        ("MatMul by a Transpose", turned, (4, 5), 1),
        ("MatMul of float16", narrow, (5, 4), 0),
    )
    for name, after, sizes, along in products:
        for opset in (13, 21):
            ways = [weighted(after, ROWS, sizes, axis, opset=opset) for axis in (along, 1 - along)]
            yield Form("scales-summed", f"a {name} of opset {opset} sums over the axis of its scales", ways[0], ways[1], {"x": ROWS})
    more = numpy.linspace(-1, 1, 25, dtype=numpy.float32).reshape(5, 5)
    for name, odd in (
        ("rows", weighted(MATMUL, more, axis=0)),
        ("elements", weighted(MATMUL, more[:2, :3], (3, 4), 0)),
        ("columns", weighted(MATMUL, ROWS, (5, 1), 0)),
        ("scales", weighted(MATMUL, ROWS, axis=0, equal=True)),
        ("bits", weighted(MATMUL, ROWS, axis=0, dtype=numpy.int16)),
        ("factors", weighted([node("Gemm", ["x", "d"], ["y"], alpha=0.5)], ROWS, axis=0)),
    ):
        entry = more if name == "rows" else more[:2, :3] if name == "elements" else ROWS
        yield Form("", f"a MatMul sums over the axis of its scales, of other {name}", odd, odd, {"x": entry})
    some = [weighted(MATMUL, ROWS, axis=axis, free=0) for axis in (0, 1)]
    yield Form("scales-summed-open", "a MatMul sums over the axis of its scales, of any rows", some[0], some[1], {"x": ROWS})


def of_rows() -> Iterator[Form]:
    places = numpy.array([1, 0, 2])
    picks: dict[str, list[NodeProto]] = {f"along axis {axis}": [node("Gather", ["d", "x"], ["y"], axis=axis)] for axis in (0, 1)}
    picks["of a cast"] = [node("Cast", ["d"], ["n"], to=10), node("Gather", ["n", "x"], ["g"]), node("Cast", ["g"], ["y"], to=1)]
    for name, after in picks.items():
        for opset in (13, 21):
            ways = [weighted(after, places, axis=axis, opset=opset) for axis in (1, 0)]
            yield Form("scales-gathered", f"a Gather {name}, of scales by column at opset {opset}", ways[0], ways[1], {"x": places})
    counted = [weighted(picks["along axis 0"], places, axis=axis) for axis in (-1, 0)]
    yield Form("scales-gathered", "a Gather of scales by column, counted from the end", counted[0], counted[1], {"x": places})
    kinds: Arrays = {"equal scales": {"equal": True}, "16 bits": {"dtype": numpy.int16}}
    for name, own in kinds.items():
        odd = weighted(picks["along axis 0"], places, **own)
        yield Form("", f"a Gather of scales by column, of {name}", odd, odd, {"x": places})


def of_weights_alone() -> Iterator[Form]:
    handed = [node("Identity", ["d"], ["e"]), node("MatMul", ["x", "e"], ["y"])]
    shared = [node("MatMul", ["x", "d"], ["p"]), node("ReduceSum", ["d"], ["q"]), node("Add", ["p", "q"], ["y"])]
    left = [node("Transpose", ["x"], ["t"]), node("MatMul", ["d", "t"], ["y"])]
    for name, after, twin in (
        ("a MatMul", MATMUL, shared),
        ("a Gemm", [node("Gemm", ["x", "d"], ["y"])], [node("Gemm", ["x", "d"], ["y"], alpha=0.5)]),
        ("a MatMul of what is handed on", handed, shared),
    ):
        for kind, axis in (("int8", None), ("int8", 1), ("uint8", None)):
            ways = [weighted(each, ROWS, axis=axis, dtype=numpy.dtype(kind), opset=13) for each in (after, twin)]
            many = "" if axis is None else " and a scale for each column"
            yield Form("weights-alone", f"{name} by {kind} weights alone{many}", ways[0], ways[1], {"x": ROWS})
    square = weighted(left, ROWS, (4, 5), None)
    yield Form("", "a MatMul whose first operand is quantised alone", square, square, {"x": ROWS})


def of_pairs_of_pairs() -> Iterator[Form]:
    far = {"x": numpy.linspace(-14.2, 15.3, 6, dtype=numpy.float32).reshape(2, 3)}

    def twice(second: tuple[float, int], kind: str = "int8", between: Sequence[NodeProto] = ()) -> ModelProto:
        def pair(given: str, made: str, by: str) -> list[NodeProto]:
            whole = f"q{by}"
            return [node("QuantizeLinear", [given, f"s{by}", f"z{by}"], [whole]), node("DequantizeLinear", [whole, f"s{by}", f"z{by}"], [made])]

        scales = [stored(f"s{by}", numpy.array(held[0])) for by, held in (("1", (0.1, 0)), ("2", second))]
        zeros = [stored(f"z{by}", numpy.array(held), numpy.dtype(kind)) for by, held in (("1", 0), ("2", second[1]))]
        middle = between[-1].output[0] if between else "d"
        return model([*pair("x", "d", "1"), *between, *pair(middle, "y", "2")], tensors=[*scales, *zeros], opset=21)

    handed = [node("Identity", ["d"], ["e"])]
    for kind in ("int8", "uint8"):
        yield Form("pairs-unequal", f"two pairs of {kind}, of two scales", twice((0.3, 0), kind), twice((0.1, 0), kind), far)
        yield Form("pairs-unequal", f"two pairs of {kind}, of two zero points", twice((0.1, 5), kind), twice((0.1, 0), kind), far)
    yield Form("pairs-unequal", "two pairs, of two scales, and an Identity", twice((0.3, 0), between=handed), twice((0.1, 0), between=handed), far)
    apart = twice((0.3, 0), between=[node("Relu", ["d"], ["e"])])
    yield Form("", "two pairs, of two scales, and a Relu", apart, apart, far)


def of_casts() -> Iterator[Form]:
    far = {"x": numpy.array([[1.5, 3.3333, 70000], [1, 2, 3]], numpy.float32)}
    for name, dtype in (("float16", 10), ("bfloat16", 16)):

        def narrowed(after: Sequence[NodeProto], dtype: int = dtype) -> ModelProto:
            return model([node("Cast", ["x"], ["h"], to=dtype), *after], tensors=[], opset=21)

        back = node("Cast", ["h"], ["c"], to=1)
        amid = [node("Abs", ["h"], ["n"]), node("Cast", ["n"], ["y"], to=1)]
        twin = narrowed(amid) if name == "float16" else model([node("Neg", ["x"], ["y"])])
        yield Form("cast-there-and-back", f"a cast to {name} and back", narrowed([back, node("Neg", ["c"], ["y"])]), twin, far)


MAKERS: list[Callable[[], Iterator[Form]]] = [of_sums, of_rows, of_weights_alone, of_pairs_of_pairs, of_casts]


def weight_forms() -> list[Form]:
    return [each for make in MAKERS for each in make()]
