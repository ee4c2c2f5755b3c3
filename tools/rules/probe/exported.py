"""Chains of a few nodes as exporters write them: sizes that are read, worked out and handed on to what reshapes, resizes, pads and repeats.

Each is asked about with all sizes known, with the first one free, with all free, and without a rank.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy
import onnx
from onnx import GraphProto, ModelProto, TensorProto, ValueInfoProto, helper, numpy_helper, shape_inference

from probe.forms import model, parsed, value
from probe.question import Question
from probe.reference import reference

Arrays = dict[str, numpy.ndarray[Any, Any]]
WAYS = ("known", "batch", "all", "ranks")
DTYPES = {"v": numpy.int64, "s": numpy.int64, "f": numpy.float32, "g": numpy.float32, "b": numpy.bool_}
NUMBERS = re.compile(r"\b([vsfgb])_(n?\d+(?:_n?\d+)*|)\b")
OPSET = 17


def numbers(*shape: int, seed: int = 0) -> numpy.ndarray[Any, Any]:
    return numpy.random.default_rng([seed, *shape]).standard_normal(shape).astype(numpy.float32)


def stored(text: str) -> dict[str, TensorProto]:
    """`v_2_n1` is a list of 2 and -1, `s_1` a number, `g_` and `f_` those of real numbers, `b_1` is true."""
    found = {}
    for kind, written in NUMBERS.findall(text):
        held = [int(each.replace("n", "-")) for each in written.split("_") if each]
        data: numpy.ndarray[Any, Any] = numpy.array(held if kind in "vg" else held[0], DTYPES[kind])
        found[f"{kind}_{written}"] = numpy_helper.from_array(data, f"{kind}_{written}")
    return found


ROWS: Arrays = {"x": numbers(2, 3, 4)}
IMAGE: Arrays = {"x": numbers(1, 3, 8, 6)}
SQUARE: Arrays = {"x": numbers(2, 5, 4)}
WEIGHTS: Arrays = {"w": numbers(4, 6), "t": numbers(7, 4), "k": numbers(4, 3, 3, 3), "kt": numbers(3, 4, 2, 2), "ki": numbers(3, 3, 3, 3)}
WEIGHTS |= {
    "W": numbers(1, 32, 4),
    "R": numbers(1, 32, 8),
    "B": numbers(1, 64),
    "W3": numbers(1, 24, 4),
    "R3": numbers(1, 24, 8),
    "B3": numbers(1, 48),
}
WEIGHTS |= {"W2": numbers(2, 32, 4), "R2": numbers(2, 32, 8), "scale": numbers(4), "scale3": numbers(3), "scale1": numpy.ones(1, numpy.float32)}
WEIGHTS |= {"pos": numbers(1, 7, 4), "one_row": numbers(1, 1, 4)}
LONG = "d = Shape (x); b = Gather <axis = 0> (d, s_0); t0 = Gather <axis = 0> (d, s_1); e = Gather <axis = 0> (d, s_n1); "
LISTS = "ub = Unsqueeze (b, v_0); ut = Unsqueeze (t0, v_0); ue = Unsqueeze (e, v_0); "
DIMS = LONG + LISTS
HALVES = "d = Shape (x); nc = Slice (d, v_0, v_2); hw = Slice (d, v_2, v_4); "


def of_reshapes() -> Iterator[tuple[str, str, Arrays]]:
    yield "flattened", DIMS + "c = Concat <axis = 0> (ub, v_n1); y = Reshape (x, c)", ROWS
    yield "heads", DIMS + "c = Concat <axis = 0> (ub, ut, v_2, v_n1); r = Reshape (x, c); y = Transpose <perm = [0, 2, 1, 3]> (r)", ROWS
    yield "heads in order", DIMS + "c = Concat <axis = 0> (ub, ut, v_2, v_2); r = Reshape (x, c); y = Transpose <perm = [0, 2, 1, 3]> (r)", ROWS
    yield "joined axes", DIMS + "p = Mul (ub, ut); c = Concat <axis = 0> (p, ue); y = Reshape (x, c)", ROWS
    yield "all but the last", "d = Shape (x); h = Slice (d, v_0, v_n1); c = Concat <axis = 0> (h, v_2, v_n1); y = Reshape (x, c)", ROWS
    yield "the product of sizes", "d = Shape (x); p = ReduceProd <keepdims = 1> (d); y = Reshape (x, p)", ROWS
    yield "sizes from, to", "d = Shape <start = 0, end = 2> (x); c = Concat <axis = 0> (d, v_2, v_n1); y = Reshape (x, c)", ROWS
    yield "how many", "n = Size (x); c = Unsqueeze (n, v_0); y = Reshape (x, c)", ROWS
    yield "divided", DIMS + "h = Div (ue, v_2); c = Concat <axis = 0> (ub, ut, v_2, h); y = Reshape (x, c)", ROWS
    yield "back", "d = Shape (x); r = Reshape (x, v_n1); e = Exp (r); y = Reshape (e, d)", ROWS
    yield "group norm", "r = Reshape (x, v_0_1_n1); i = InstanceNormalization (r, scale1, scale1); d = Shape (x); y = Reshape (i, d)", IMAGE
    yield (
        "shuffled",
        HALVES + ("c = Concat <axis = 0> (v_n1, v_3, v_1, hw); r = Reshape (x, c); t1 = Transpose <perm = [0, 2, 1, 3, 4]> (r); y = Reshape (t1, d)"),
        IMAGE,
    )
    yield "kept and the rest", "y = Reshape (x, v_0_0_2_n1)", ROWS
    yield "flat and multiplied", "r = Flatten <axis = 2> (x); y = MatMul (r, w)", ROWS
    yield (
        "windows",
        (
            "d = Shape (x); b = Gather <axis = 0> (d, s_0); h = Gather <axis = 0> (d, s_2); "
            "w0 = Gather <axis = 0> (d, s_3); hh = Div (h, s_2); ww = Div (w0, s_2); a0 = Unsqueeze (b, v_0); "
            "a1 = Unsqueeze (hh, v_0); a2 = Unsqueeze (ww, v_0); c = Concat <axis = 0> (a0, v_3, a1, v_2, a2, v_2); "
            "r = Reshape (x, c); y = Transpose <perm = [0, 2, 4, 3, 5, 1]> (r)"
        ),
        IMAGE,
    )
    yield "by real numbers", "d = Shape (x); f = Cast <to = 1> (d); q = Mul (f, f_1); l = Floor (q); c = Cast <to = 7> (l); y = Reshape (x, c)", ROWS
    yield "of another", "d = Shape (z); y = Reshape (x, d)", {"x": numbers(2, 12), "z": numbers(2, 3, 4)}
    yield "of a given shape", "y = Reshape (x, z)", {"x": numbers(2, 12), "z": numpy.array([2, 3, 4])}


def of_axes() -> Iterator[tuple[str, str, Arrays]]:
    one: Arrays = {"x": numbers(2, 1, 4)}
    yield "squeezed", "s = Squeeze (x); y = Neg (s)", one
    yield "squeezed and widened", "s = Squeeze (x); y = Unsqueeze (s, v_0)", one
    yield "squeezed along one", "s = Squeeze (x, v_1); y = Unsqueeze (s, v_0_3)", one
    yield "squeezed and multiplied", "s = Squeeze (x); y = MatMul (s, w)", one
    yield "squeezed and reshaped", "s = Squeeze (x); y = Reshape (s, v_n1_4)", one
    yield "squeezed and turned", "s = Squeeze (x, v_1); y = Transpose (s)", one
    yield "turned", "t0 = Transpose (x); y = Neg (t0)", ROWS
    yield "softmax", "m = Mul (x, f_2); y = Softmax <axis = -1> (m)", ROWS
    yield "softmax along one", "m = Mul (x, f_2); y = Softmax <axis = 1> (m)", ROWS
    yield "reduced", "m = ReduceMean <axes = [-1], keepdims = 1> (x); y = Sub (x, m)", ROWS
    yield "reduced and dropped", "m = ReduceMax <axes = [1], keepdims = 0> (x); y = Neg (m)", ROWS
    yield "all reduced", "m = ReduceMean <keepdims = 0> (x); y = Sub (x, m)", ROWS
    yield (
        "layer norm",
        (
            "m = ReduceMean <axes = [-1]> (x); a = Sub (x, m); p = Pow (a, f_2); v = ReduceMean <axes = [-1]> (p); "
            "e = Add (v, f_1); q = Sqrt (e); n = Div (a, q); y = Mul (n, scale)"
        ),
        ROWS,
    )
    yield "one layer norm", "n = LayerNormalization <axis = -1> (x, scale); y = Neg (n)", ROWS
    yield "flattened from the end", "y = Flatten <axis = -1> (x)", ROWS
    yield "concatenated", "n = Neg (x); y = Concat <axis = -1> (x, n)", ROWS
    yield "concatenated along one", "n = Neg (x); y = Concat <axis = 1> (x, n)", ROWS
    yield "gathered", "y = Gather <axis = 1> (x, v_2_0)", ROWS
    yield "gathered and dropped", "g = Gather <axis = 1> (x, s_n1); y = MatMul (g, w)", ROWS
    yield "multiplied", "y = MatMul (x, w)", ROWS
    yield "multiplied by itself", "t0 = Transpose <perm = [0, 2, 1]> (x); y = MatMul (x, t0)", ROWS
    yield "gemm of the first", "g = Gather <axis = 1> (x, s_0); y = Gemm (g, w)", ROWS
    yield "split", "a, c = Split <axis = 2> (x); y = Mul (a, c)", ROWS
    yield "split in parts", "a, c = Split <axis = 2> (x, v_1_3); y = Mul (a, c)", ROWS
    yield "summed along", "y = CumSum (x, s_1)", ROWS
    yield "equation", 'y = Einsum <equation = "bij,bkj->bik"> (x, x)', ROWS
    yield "equation of dots", 'y = Einsum <equation = "...ij,...kj->...ik"> (x, x)', ROWS
    yield "axes of a given list", "y = Unsqueeze (x, z)", {"x": numbers(2, 4), "z": numpy.array([1])}
    yield "squeezed along a given one", "y = Squeeze (x, z)", {"x": numbers(2, 1, 4), "z": numpy.array([1])}
    yield "summed along given ones", "y = ReduceSum (x, z)", {"x": numbers(2, 3, 4), "z": numpy.array([1])}
    yield "summed along given ones, dropped", "y = ReduceSum <keepdims = 0> (x, z)", {"x": numbers(2, 3, 4), "z": numpy.array([1])}


def of_resizes() -> Iterator[tuple[str, str, Arrays]]:
    ways = {"nearest": 'mode = "nearest", coordinate_transformation_mode = "asymmetric", nearest_mode = "floor"', "linear": 'mode = "linear"'}
    ways |= {"corners": 'mode = "linear", coordinate_transformation_mode = "align_corners"', "cubic": 'mode = "cubic"'}
    ways |= {"torch": 'mode = "linear", coordinate_transformation_mode = "pytorch_half_pixel"'}
    for way, words in ways.items():
        yield f"{way} to twice the size", HALVES + f"p = Mul (hw, v_2); c = Concat <axis = 0> (nc, p); y = Resize <{words}> (x, , , c)", IMAGE
        yield f"{way} to half the size", HALVES + f"p = Div (hw, v_2); c = Concat <axis = 0> (nc, p); y = Resize <{words}> (x, , , c)", IMAGE
        yield f"{way} to a stored size", HALVES + f"c = Concat <axis = 0> (nc, v_5_9); y = Resize <{words}> (x, , , c)", IMAGE
        sizes = "d = Shape (x); nc = Slice (d, v_0, v_2); q = Shape (z); hw = Slice (q, v_2, v_4); c = Concat <axis = 0> (nc, hw); "
        other = f"{sizes}r = Resize <{words}> (x, , , c); y = Add (r, z)"
        yield f"{way} to the size of another", other, {"x": numbers(1, 3, 4, 3), "z": numbers(1, 3, 8, 6)}
        yield f"{way} by stored factors", f"y = Resize <{words}> (x, , g_1_1_2_2)", IMAGE
        yield (
            f"{way} by factors of sizes",
            HALVES + (f"f = Cast <to = 1> (hw); q = Div (g_16_12, f); c = Concat <axis = 0> (g_1_1, q); y = Resize <{words}> (x, , c)"),
            IMAGE,
        )
        yield f"{way} to a given size", f"y = Resize <{words}> (x, , , z)", IMAGE | {"z": numpy.array([1, 3, 16, 12])}
        yield f"{way} by given factors", f"y = Resize <{words}> (x, , z)", IMAGE | {"z": numpy.array([1, 1, 2, 2], numpy.float32)}


def of_wholes() -> Iterator[tuple[str, str, Arrays]]:
    yield "expanded as it is", "d = Shape (x); y = Expand (one_row, d)", ROWS
    yield (
        "expanded by -1",
        DIMS
        + (
            "c = Concat <axis = 0> (ub, v_n1, v_n1); s = Shape (c); o = ConstantOfShape <value = int64[1] {1}> (s); "
            "m = Mul (o, v_n1); q = Equal (c, m); w0 = Where (q, o, c); y = Expand (pos, w0)"
        ),
        ROWS,
    )
    yield (
        "token of a class",
        DIMS
        + (
            "c = Concat <axis = 0> (ub, v_n1, v_n1); s = Shape (c); o = ConstantOfShape <value = int64[1] {1}> (s); "
            "m = Mul (o, v_n1); q = Equal (c, m); w0 = Where (q, o, c); p = Expand (one_row, w0); "
            "y = Concat <axis = 1> (p, x)"
        ),
        ROWS,
    )
    yield "zeros", "d = Shape (x); z0 = ConstantOfShape (d); y = Add (x, z0)", ROWS
    yield "ones and x", "d = Shape (x); o = ConstantOfShape <value = float[1] {1}> (d); y = Sub (o, x)", ROWS
    yield "places", LONG + "r = Range (s_0, t0, s_1); y = Gather <axis = 1> (pos, r)", ROWS
    yield "places that are added", LONG + "r = Range (s_0, t0, s_1); p = Gather <axis = 0> (t, r); y = Add (x, p)", ROWS
    yield "places that are cut", DIMS + "p = Slice (pos, v_0, ut, v_1); y = Add (x, p)", ROWS
    yield (
        "places of a batch",
        DIMS
        + (
            "r = Range (s_0, t0, s_1); u = Unsqueeze (r, v_0); c = Concat <axis = 0> (ub, ut); i = Expand (u, c); "
            "p = Gather <axis = 0> (t, i); y = Add (x, p)"
        ),
        ROWS,
    )
    yield (
        "a causal mask",
        DIMS
        + (
            "c = Concat <axis = 0> (ut, ut); o = ConstantOfShape <value = float[1] {1}> (c); "
            "m = Trilu <upper = 0> (o); q = Cast <to = 9> (m); k0 = Transpose <perm = [0, 2, 1]> (x); "
            "p = MatMul (x, k0); w0 = Where (q, p, f_n100); y = Softmax <axis = -1> (w0)"
        ),
        ROWS,
    )
    yield (
        "a mask of two ranges",
        LONG
        + (
            "r = Range (s_0, t0, s_1); a = Unsqueeze (r, v_0); c = Unsqueeze (r, v_1); q = LessOrEqual (a, c); "
            "k0 = Transpose <perm = [0, 2, 1]> (x); p = MatMul (x, k0); w0 = Where (q, p, f_n100); "
            "y = Softmax <axis = -1> (w0)"
        ),
        ROWS,
    )
    yield "repeated", DIMS + "c = Concat <axis = 0> (ub, v_1, v_2); y = Tile (one_row, c)", ROWS
    yield "repeated by stored numbers", "y = Tile (x, v_1_2_3)", ROWS
    yield "repeated by given numbers", "y = Tile (x, z)", {"x": numbers(2, 3, 4), "z": numpy.array([1, 2, 1])}
    yield "expanded to a given size", "y = Expand (x, z)", {"x": numbers(1, 1, 4), "z": numpy.array([2, 3, 4])}
    yield "a whole of a given size", "y = ConstantOfShape <value = float[1] {2}> (z)", {"z": numpy.array([2, 3])}
    yield "a given range", "r = Range (s_0, z, s_1); y = Cast <to = 1> (r)", {"z": numpy.array(5)}
    yield (
        "heads of keys repeated",
        (
            "u = Unsqueeze (x, v_2); d = Shape (x); a = Slice (d, v_0, v_2); e = Slice (d, v_2, v_3); "
            "c = Concat <axis = 0> (a, v_2, e); p = Expand (u, c); q = Concat <axis = 0> (a, v_8); y = Reshape (p, q)"
        ),
        ROWS,
    )
    yield (
        "a grid",
        (
            "d = Shape (x); h = Gather <axis = 0> (d, s_2); w0 = Gather <axis = 0> (d, s_3); a = Range (s_0, h, s_1); "
            "c = Range (s_0, w0, s_1); u = Unsqueeze (a, v_1); v = Unsqueeze (c, v_0); g = Add (u, v); "
            "f = Cast <to = 1> (g); y = Add (x, f)"
        ),
        IMAGE,
    )
    yield "a class of many", DIMS + "i = ArgMax <axis = -1, keepdims = 0> (x); y = OneHot (i, e, g_0_1)", ROWS
    yield "an identity", DIMS + "c = Concat <axis = 0> (ue, ue); o = ConstantOfShape (c); m = EyeLike (o); y = MatMul (x, m)", ROWS
    yield "noise", "d = Shape (x); o = ConstantOfShape (d); r = RandomNormalLike (o); z0 = Mul (r, f_0); y = Add (x, z0)", ROWS


def of_choices() -> Iterator[tuple[str, str, Arrays]]:
    yield "where it is positive", "m = Greater (x, f_0); i = NonZero (m); t0 = Transpose (i); y = GatherND (x, t0)", ROWS
    yield (
        "which rows",
        ("r = ReduceSum <keepdims = 0> (x, v_1_2); m = Greater (r, f_n100); i = NonZero (m); s = Squeeze (i, v_0); y = Gather <axis = 0> (x, s)"),
        ROWS,
    )
    yield (
        "which rows, of all axes",
        ("r = ReduceSum <keepdims = 0> (x, v_1_2); m = Greater (r, f_n100); i = NonZero (m); s = Squeeze (i); y = Gather <axis = 0> (x, s)"),
        ROWS,
    )
    yield (
        "which rows, turned",
        (
            "r = ReduceSum <keepdims = 0> (x, v_1_2); m = Greater (r, f_n100); i = NonZero (m); "
            "t0 = Transpose <perm = [1, 0]> (i); s = Squeeze (t0, v_1); y = Gather <axis = 0> (x, s)"
        ),
        ROWS,
    )
    yield "compressed", "r = ReduceSum <keepdims = 0> (x, v_1_2); m = Greater (r, f_n100); y = Compress <axis = 0> (x, m)", ROWS
    yield "scattered", "m = Greater (x, f_0); i = NonZero (m); t0 = Transpose (i); g = GatherND (x, t0); n = Neg (g); y = ScatterND (x, t0, n)", ROWS
    yield (
        "how many are positive",
        ("m = Greater (x, f_0); i = NonZero (m); d = Shape (i); n = Gather <axis = 0> (d, s_1); f = Cast <to = 1> (n); y = Mul (x, f)"),
        ROWS,
    )
    yield "the greatest, of all", LONG + "k0 = Unsqueeze (e, v_0); y, i = TopK (x, k0)", ROWS
    yield "the greatest, at most two", LONG + "m = Min (e, s_2); k0 = Unsqueeze (m, v_0); y, i = TopK <axis = -1> (x, k0)", ROWS
    yield (
        "the greatest, at most two of a list",
        LONG + ("u = Unsqueeze (e, v_0); c = Concat <axis = 0> (v_2, u); m = ReduceMin <keepdims = 1> (c); y, i = TopK <axis = -1> (x, m)"),
        ROWS,
    )
    yield "the greatest, half of them", LONG + "h = Div (t0, s_2); k0 = Unsqueeze (h, v_0); y, i = TopK <axis = 1> (x, k0)", ROWS
    yield "the greatest, as many as given", "y, i = TopK <axis = -1> (x, z)", ROWS | {"z": numpy.array([2])}
    yield (
        "the greatest, gathered",
        LONG
        + (
            "m = Min (t0, s_2); k0 = Unsqueeze (m, v_0); c = ReduceMax <axes = [-1], keepdims = 0> (x); "
            "v, i = TopK <axis = 1> (c, k0); u = Unsqueeze (i, v_n1); g = Expand (u, v_1_1_4); "
            "y = GatherElements <axis = 1> (x, g)"
        ),
        ROWS,
    )
    yield "the first half", DIMS + "h = Div (ut, v_2); y = Slice (x, v_0, h, v_1)", ROWS
    yield "the second half", DIMS + "h = Div (ut, v_2); y = Slice (x, h, ut, v_1)", ROWS
    yield "all but the last", DIMS + "h = Sub (ut, v_1); y = Slice (x, v_0, h, v_1)", ROWS
    yield "as far as given", "y = Slice (x, v_0, z, v_1)", ROWS | {"z": numpy.array([2])}
    yield "along given axes", "y = Slice (x, v_0, v_1, z)", ROWS | {"z": numpy.array([1])}
    yield "backwards", "y = Slice (x, v_n1, v_n100, v_1, v_n1)", ROWS
    yield "backwards from a size", DIMS + "y = Slice (x, ut, v_n100, v_1, v_n1)", ROWS
    yield "every other", DIMS + "y = Slice (x, v_0, ut, v_1, v_2)", ROWS
    yield (
        "rotated halves",
        DIMS + ("h = Div (ue, v_2); a = Slice (x, v_0, h, v_2); c = Slice (x, h, v_100, v_2); n = Neg (c); y = Concat <axis = -1> (n, a)"),
        ROWS,
    )
    yield "the last of each", LONG + "l = Sub (t0, s_1); y = Gather <axis = 1> (x, l)", ROWS
    yield (
        "the last by its place",
        "i = Cast <to = 7> (z); g = Gather <axis = 0> (x, i); y = Neg (g)",
        {"x": numbers(5, 4), "z": numpy.array([1, 2], numpy.int32)},
    )
    yield (
        "the end of text",
        LONG
        + (
            "i = ArgMax <axis = -1, keepdims = 0> (x); r = ReduceMax <axes = [1], keepdims = 0> (i); "
            "u = Unsqueeze (r, v_1); y = GatherND <batch_dims = 1> (x, u)"
        ),
        {"x": numbers(2, 4, 4)},
    )
    yield (
        "boxes that are kept",
        ("i = NonMaxSuppression (x, z, v_3, g_1, g_0); g = Gather <axis = 1> (i, s_2); q = Squeeze (x, v_0); y = Gather <axis = 0> (q, g)"),
        BOXES,
    )
    yield (
        "boxes that are kept, of a column",
        (
            "i = NonMaxSuppression (x, z, v_3, g_1, g_0); g = Slice (i, v_2, v_3, v_1); s = Squeeze (g, v_1); "
            "q = Squeeze (x, v_0); y = Gather <axis = 0> (q, s)"
        ),
        BOXES,
    )
    yield (
        "boxes, the first two",
        (
            "i = NonMaxSuppression (x, z, v_3, g_1, g_0); g = Gather <axis = 1> (i, s_2); c = Slice (g, v_0, v_2); "
            "q = Squeeze (x, v_0); y = Gather <axis = 0> (q, c)"
        ),
        BOXES,
    )
    yield "values that differ", "f = Reshape (x, v_n1); y = Unique <sorted = 1> (f)", ROWS
    yield "values that differ, of x", "y = Unique <sorted = 1, axis = 1> (x)", ROWS
    yield "split as given", "a, c = Split <axis = 1> (x, z); y = Neg (a)", ROWS | {"z": numpy.array([1, 2])}
    yield "split by a size", DIMS + "h = Sub (ut, v_1); c = Concat <axis = 0> (v_1, h); a, q = Split <axis = 1> (x, c); y = Neg (q)", ROWS


BOXES: Arrays = {
    "x": numpy.array([[[0, 0, 1, 1], [0, 2, 1, 3], [2, 2, 3, 3], [5, 5, 6, 6]]], numpy.float32),
    "z": numpy.array([[[0.9, 0.8, 0.7, 0.6]]], numpy.float32),
}


def of_paddings() -> Iterator[tuple[str, str, Arrays]]:
    sides = "h = Gather <axis = 0> (d, s_2); w0 = Gather <axis = 0> (d, s_3); p = Sub (s_10, h); q = Sub (s_9, w0); "
    sides += "up = Unsqueeze (p, v_0); uq = Unsqueeze (q, v_0); "
    for mode in ("constant", "reflect", "edge"):
        yield (
            f"to a size, {mode}",
            "d = Shape (x); " + sides + f'c = Concat <axis = 0> (v_0_0_0_0_0_0, up, uq); y = Pad <mode = "{mode}"> (x, c)',
            IMAGE,
        )
        yield f"by stored numbers, {mode}", f'y = Pad <mode = "{mode}"> (x, v_0_0_1_2_0_0_2_1)', IMAGE
        yield f"by given numbers, {mode}", f'y = Pad <mode = "{mode}"> (x, z)', IMAGE | {"z": numpy.array([0, 0, 1, 2, 0, 0, 2, 1])}
    yield (
        "to a multiple",
        HALVES + ("m = Mod (hw, v_4_4); n = Sub (v_4_4, m); o = Mod (n, v_4_4); c = Concat <axis = 0> (v_0_0_0_0_0_0, o); y = Pad (x, c)"),
        IMAGE,
    )
    yield (
        "by torch's lists",
        (
            "o = ConstantOfShape <value = int64[1] {0}> (v_4); c = Concat <axis = 0> (v_1_1_1_1, o); "
            "r = Reshape (c, v_n1_2); s = Slice (r, v_n1, v_n100, v_0, v_n1); t0 = Transpose <perm = [1, 0]> (s); "
            "f = Reshape (t0, v_n1); q = Cast <to = 7> (f); y = Pad (x, q, f_0)"
        ),
        IMAGE,
    )
    yield "and convolved", "p = Pad (x, v_0_0_1_1_0_0_1_1); y = Conv (p, k)", IMAGE
    yield (
        "by computed ones and convolved",
        HALVES + "m = Mod (hw, v_2_2); c = Concat <axis = 0> (v_0_0_1_1_0_0, m); p = Pad (x, c); y = Conv (p, k)",
        IMAGE,
    )
    yield "and cut again", HALVES + "p = Pad (x, v_0_0_1_1_0_0_1_1); e = Add (hw, v_1_1); y = Slice (p, v_1_1, e, v_2_3)", IMAGE
    yield "one axis to a size", DIMS + "p = Sub (v_7, ut); c = Concat <axis = 0> (v_0_0_0_0, p, v_0); y = Pad (x, c)", ROWS


def of_networks() -> Iterator[tuple[str, str, Arrays]]:
    state = DIMS + "c = Concat <axis = 0> (v_1, ut, v_8); h = ConstantOfShape (c); "
    yield "a recurrent layer from nothing", state + "o, y, l = LSTM <hidden_size = 8> (x, W, R, B, , h, h)", ROWS
    yield "a recurrent layer, squeezed", state + "o, a, l = LSTM <hidden_size = 8> (x, W, R, B, , h, h); y = Squeeze (o, v_1)", ROWS
    yield (
        "a recurrent layer, expanded",
        DIMS
        + (
            "c = Concat <axis = 0> (v_1, ut, v_8); z0 = ConstantOfShape (v_1_1_1); h = Expand (z0, c); "
            "o, y = GRU <hidden_size = 8, linear_before_reset = 1> (x, W3, R3, B3, , h)"
        ),
        ROWS,
    )
    yield (
        "two directions",
        (
            'o, a, l = LSTM <hidden_size = 8, direction = "bidirectional"> (x, W2, R2); '
            "t0 = Transpose <perm = [0, 2, 1, 3]> (o); y = Reshape (t0, v_0_0_n1)"
        ),
        ROWS,
    )
    yield (
        "lengths of a size",
        DIMS
        + (
            "i = Cast <to = 6> (b); n = Expand (i, ut); "
            "o, a = GRU <hidden_size = 8, linear_before_reset = 1> (x, W3, R3, B3, n); y = Squeeze (o, v_1)"
        ),
        ROWS,
    )
    yield "convolved", "c = Conv <pads = [1, 1, 1, 1]> (x, ki); y = Add (c, x)", IMAGE
    yield "convolved by halves", "c = Conv <strides = [2, 2]> (x, k); y = Relu (c)", IMAGE
    yield "padded alike", 'y = Conv <auto_pad = "SAME_UPPER", strides = [2, 2]> (x, k)', IMAGE
    yield "convolved the other way", "y = ConvTranspose <strides = [2, 2]> (x, kt)", IMAGE
    yield "convolved the other way, further", "y = ConvTranspose <strides = [2, 2], output_padding = [1, 1]> (x, kt)", IMAGE
    yield "convolved by computed weights", "d = Shape (ki); c = Reshape (z, d); y = Conv (x, c)", IMAGE | {"z": numbers(81)}
    yield "pooled", "p = MaxPool <kernel_shape = [2, 2], strides = [2, 2], ceil_mode = 1> (x); y = Neg (p)", IMAGE
    yield "averaged", "y = AveragePool <kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1], count_include_pad = 1> (x)", IMAGE
    yield "averaged whole", "g = GlobalAveragePool (x); y = Flatten (g)", IMAGE
    yield "averaged over a computed window", HALVES + "m = ReduceMean <axes = [2, 3], keepdims = 1> (x); y = Mul (x, m)", IMAGE
    yield "normed by batch", "y = BatchNormalization (x, scale3, scale3, scale3, z)", IMAGE | {"z": numpy.ones(3, numpy.float32)}
    yield "depth to space", "c = Conv <pads = [1, 1, 1, 1]> (x, k); y = DepthToSpace <blocksize = 2> (c)", IMAGE
    yield "space to depth", "y = SpaceToDepth <blocksize = 2> (x)", IMAGE
    yield (
        "attention",
        ("t0 = Transpose <perm = [0, 2, 1]> (x); s = MatMul (x, t0); e = Div (s, f_2); p = Softmax <axis = -1> (e); y = MatMul (p, x)"),
        ROWS,
    )
    yield (
        "attention of heads",
        DIMS
        + (
            "c = Concat <axis = 0> (ub, ut, v_2, v_2); r = Reshape (x, c); q = Transpose <perm = [0, 2, 1, 3]> (r); "
            "n = Transpose <perm = [0, 2, 3, 1]> (r); s = MatMul (q, n); p = Softmax <axis = -1> (s); "
            "a = MatMul (p, q); o = Transpose <perm = [0, 2, 1, 3]> (a); l = Concat <axis = 0> (ub, ut, v_4); "
            "y = Reshape (o, l)"
        ),
        ROWS,
    )
    yield "a scale of a size", LONG + "f = Cast <to = 1> (e); q = Sqrt (f); y = Div (x, q)", ROWS
    yield "quantised as it runs", "q, s, z0 = DynamicQuantizeLinear (x); f = Cast <to = 1> (q); y = Mul (f, s)", ROWS
    yield "reversed", DIMS + "n = Expand (t0, ub); y = ReverseSequence <batch_axis = 0, time_axis = 1> (x, n)", ROWS
    yield "sampled", "y = GridSample <align_corners = 0> (x, z)", IMAGE | {"z": numpy.clip(numbers(1, 4, 5, 2), -1, 1)}
    yield (
        "regions",
        ("i = ConstantOfShape <value = int64[1] {0}> (v_1); y = RoiAlign <output_height = 2, output_width = 2> (x, z, i)"),
        IMAGE | {"z": numpy.array([[0, 0, 4, 4]], numpy.float32)},
    )
    yield (
        "regions of a computed batch",
        (
            "d = Shape (z); n = Slice (d, v_0, v_1); i = ConstantOfShape <value = int64[1] {0}> (n); "
            "y = RoiAlign <output_height = 2, output_width = 2> (x, z, i)"
        ),
        IMAGE | {"z": numpy.array([[0, 0, 4, 4]], numpy.float32)},
    )
    yield (
        "placed in another",
        "d = Shape (x); o = ConstantOfShape (d); y = ScatterElements <axis = 1> (o, z, x)",
        ROWS | {"z": numpy.zeros((2, 3, 4), numpy.int64) + numpy.arange(3).reshape(1, 3, 1)},
    )
    yield "embedded", "e = Gather (t, z); d = Shape (z); q = Unsqueeze (d, v_0); y = Add (e, f_1)", {"z": numpy.array([[0, 1, 6], [2, 3, -1]])}
    yield (
        "embedded, masked",
        "e = Gather (t, z); m = Equal (z, s_0); n = Unsqueeze (m, v_n1); y = Where (n, f_0, e)",
        {"z": numpy.array([[0, 1, 6], [2, 3, 5]])},
    )
    yield (
        "a mask of attention",
        (
            "f = Cast <to = 1> (z); u = Unsqueeze (f, v_1_2); n = Sub (f_1, u); m = Mul (n, f_n100); "
            "t0 = Transpose <perm = [0, 2, 1]> (x); s = MatMul (x, t0); h = Unsqueeze (s, v_1); a = Add (h, m); "
            "y = Softmax <axis = -1> (a)"
        ),
        ROWS | {"z": numpy.array([[1, 1, 0], [1, 1, 1]])},
    )
    yield "a spectrum", "u = Unsqueeze (x, v_n1); y = DFT <axis = 1> (u)", {"x": numbers(2, 16)}
    yield "a cache", "c = Concat <axis = 1> (z, x); t0 = Transpose <perm = [0, 2, 1]> (c); y = MatMul (x, t0)", ROWS | {"z": numbers(2, 5, 4)}


def arm(nodes: str, result: str, dtype: int = TensorProto.FLOAT) -> GraphProto:
    return helper.make_graph(parsed(nodes), "arm", [], [value(result, dtype, None)])


def chosen(condition: str, then: str, other: str) -> list[onnx.NodeProto]:
    made = helper.make_node("If", ["c"], ["y"], then_branch=arm(then, "a"), else_branch=arm(other, "o"))
    return [*parsed(condition), made]


def looped(before: str, nodes: str, carried: str, scans: bool = False) -> list[onnx.NodeProto]:
    """A loop of `n` turns over `s`; its result is what is carried, or each of its turns."""
    entries = [value("i", TensorProto.INT64, []), value("go", TensorProto.BOOL, []), value("v", TensorProto.FLOAT, None)]
    results = [value("on", TensorProto.BOOL, []), value(carried, TensorProto.FLOAT, None)] + (
        [value("each", TensorProto.FLOAT, None)] if scans else []
    )
    body = helper.make_graph(parsed("on = Identity (go); " + nodes), "body", entries, results)
    return [*parsed(before), helper.make_node("Loop", ["n", "b_1", "s"], ["last", "y"] if scans else ["y"], body=body)]


def of_control() -> Iterator[tuple[str, list[onnx.NodeProto], Arrays]]:
    one: Arrays = {"x": numbers(2, 1, 4)}
    yield (
        "if one of a size, squeezed",
        chosen("d = Shape (x); g = Gather <axis = 0> (d, s_1); c = Equal (g, s_1)", "a = Squeeze (x, v_1)", "o = Identity (x)"),
        one,
    )
    yield "if a size is great", chosen(LONG + "c = Greater (t0, s_2)", "a = Neg (x)", "o = Abs (x)"), ROWS
    yield "if a size is great, cut", chosen(LONG + "c = Greater (t0, s_2)", "a = Slice (x, v_0, v_2, v_1)", "o = Identity (x)"), ROWS
    yield "if the sum is great", chosen("r = ReduceSum <keepdims = 0> (x); c = Greater (r, f_0)", "a = Neg (x)", "o = Abs (x)"), ROWS
    yield (
        "if the sum is great, of other sizes",
        chosen("r = ReduceSum <keepdims = 0> (x); c = Greater (r, f_0)", "a = Concat <axis = 1> (x, x)", "o = Abs (x)"),
        ROWS,
    )
    yield (
        "if the sum is great, of other ranks",
        chosen("r = ReduceSum <keepdims = 0> (x); c = Greater (r, f_0)", "a = Reshape (x, v_n1)", "o = Abs (x)"),
        ROWS,
    )
    yield "turns of a size", looped(LONG + "n = Identity (t0); s = Neg (x)", "w0 = Add (v, x)", "w0"), ROWS
    yield (
        "turns of a size, kept",
        looped(LONG + "n = Identity (t0); s = Neg (x)", "w0 = Add (v, x); each = ReduceSum <keepdims = 0> (w0)", "w0", True),
        ROWS,
    )
    yield (
        "turns of a size that pick",
        looped(
            LONG + "n = Identity (t0); s = ReduceSum <keepdims = 0> (x, v_1)",
            "g = Gather <axis = 1> (x, i); w0 = Add (v, g); each = Neg (w0)",
            "w0",
            True,
        ),
        ROWS,
    )
    yield "turns of a stored number", looped("n = Identity (s_3); s = Neg (x)", "w0 = Add (v, x)", "w0"), ROWS
    yield "turns that grow", looped("n = Identity (s_3); s = Neg (x)", "w0 = Concat <axis = 1> (v, x)", "w0"), ROWS
    yield "turns of a size that grow", looped(LONG + "n = Identity (t0); s = Neg (x)", "w0 = Concat <axis = 1> (v, x)", "w0"), ROWS
    yield (
        "turns of a size that grow from nothing",
        looped(
            DIMS + "n = Identity (t0); c = Concat <axis = 0> (ub, v_0, ue); s = ConstantOfShape (c)",
            "g = Gather <axis = 1> (x, i); u = Unsqueeze (g, v_1); w0 = Concat <axis = 1> (v, u)",
            "w0",
        ),
        ROWS,
    )
    yield (
        "turns of a size that cut",
        looped(
            LONG + "n = Identity (t0); s = Neg (x)", "e1 = Unsqueeze (i, v_0); f1 = Add (e1, v_1); g = Slice (x, e1, f1, v_1); w0 = Add (v, g)", "w0"
        ),
        ROWS,
    )
    yield "turns of a given number", looped("n = Identity (z); s = Neg (x)", "w0 = Add (v, x)", "w0"), ROWS | {"z": numpy.array(3)}
    for name, text in (
        ("a list of two", "q = SequenceConstruct (x, x); y = SequenceAt (q, s_1)"),
        ("a list, joined", "n = Neg (x); q = SequenceConstruct (x, n); y = ConcatFromSequence <axis = 1> (q)"),
        ("a list, stacked", "n = Neg (x); q = SequenceConstruct (x, n); y = ConcatFromSequence <axis = 0, new_axis = 1> (q)"),
        ("a list of slices", "q = SplitToSequence <axis = 1, keepdims = 0> (x); y = SequenceAt (q, s_1)"),
        ("a list of pieces", "q = SplitToSequence <axis = 2> (x, s_2); y = SequenceAt (q, s_1)"),
        ("a list of slices, stacked", "q = SplitToSequence <axis = 1, keepdims = 0> (x); y = ConcatFromSequence <axis = 1, new_axis = 1> (q)"),
    ):
        yield name, parsed(text), ROWS


KINDS = (of_reshapes, of_axes, of_resizes, of_wholes, of_choices, of_paddings, of_networks, of_control)


def left_free(entry: ValueInfoProto, way: str) -> None:
    shape = entry.type.tensor_type.shape
    if way == "ranks" and entry.type.tensor_type.elem_type == TensorProto.FLOAT:
        entry.type.tensor_type.ClearField("shape")
    for axis, size in enumerate(shape.dim if way == "all" else shape.dim[:1] if way == "batch" else []):
        size.dim_param = f"{entry.name}_{axis}"


def names_in(graph: GraphProto) -> set[str]:
    found = {name for node in graph.node for name in node.input}
    for attribute in (each for node in graph.node for each in node.attribute if each.HasField("g")):
        found |= names_in(attribute.g)
    return found


def asked_of(nodes: str | list[onnx.NodeProto], given: Arrays, way: str, opset: int) -> ModelProto:
    entries = [value(name, helper.np_dtype_to_tensor_dtype(each.dtype), each.shape) for name, each in given.items()]
    made = model(nodes, entries, [ValueInfoProto(name="y")], opset=opset)
    read = sorted(names_in(made.graph))
    written, held = stored(" ".join(read)), [name for name in read if name in WEIGHTS]
    made.graph.initializer.extend([*written.values(), *(numpy_helper.from_array(WEIGHTS[name], name) for name in held)])
    made.graph.output[0].CopyFrom(shape_inference.infer_shapes(made).graph.output[0])
    for entry in made.graph.input:
        left_free(entry, way)
    return made


def declared(made: ModelProto, expected: list[Any] | None) -> ModelProto:
    """With a result of so many free axes, as exporters write it."""
    dtype = made.graph.output[0].type.tensor_type.elem_type
    sizes = None if expected is None else [f"y_{axis}" for axis in range(numpy.ndim(expected[0]))]
    made.graph.output[0].CopyFrom(value("y", dtype, sizes))
    return made


def yields_turns(made: ModelProto) -> bool:
    """Whether a loop yields what each of its turns did, which the reference evaluator joins instead of stacking it."""
    return any(node.op_type == "Loop" and len(node.output) > 1 for node in made.graph.node)


def chains(opset: int = OPSET) -> Iterator[Question]:
    for kind in KINDS:
        for name, nodes, given in kind():
            known = asked_of(nodes, given, "known", opset)
            expected = reference(known, given) if not yields_turns(known) else None
            for way in WAYS:
                made = declared(asked_of(nodes, given, way, opset), expected)
                operators = sorted({f"onnx::{node.op_type}" for node in made.graph.node})
                yield Question(f"{kind.__name__[3:]}: {name}.{way}", operators, made.SerializeToString(), given, expected, "chain")
