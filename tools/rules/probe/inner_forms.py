"""Questions about forms: what does not fit inside bodies and functions, parts that are left out, scales of no size, norms that do not square."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, helper

from probe.forms import (
    CARRIED,
    CONDITIONED,
    F16,
    GIVEN,
    I64,
    KEPT,
    ON,
    B,
    D,
    F,
    Form,
    X,
    body,
    branches,
    function,
    graph,
    looped,
    model,
    node,
    op,
    parsed,
    stored,
    value,
)
from probe.nested_forms import GOOD_SCAN, PLAIN_SCAN, ROW, SCAN_RESULTS, SCANNED, STATE, scan_over

ENTRIES = [value("i", I64, []), value("go", B, []), value("v")]


def of_orders() -> Iterator[Form]:
    """A body or a function whose nodes are not in order."""
    good, other = parsed("h = Neg (x); t = Abs (h)"), parsed("e = Exp (x)")
    twin = model([branches(good, other)], CONDITIONED)
    yield Form("body-order", "an arm whose nodes are not in order", model([branches(good[::-1], other)], CONDITIONED), twin, GIVEN)
    late = parsed("e = Exp (k); k = Neg (x)")
    yield Form("body-order", "a second arm whose nodes are not in order", model([branches(good, late)], CONDITIONED), twin, GIVEN)
    steps = parsed("w = Abs (u); u = Neg (v)")
    yield looped("body-order", "a Loop's body whose nodes are not in order", body([ON, *steps], [KEPT, CARRIED]))
    summed = parsed("z = Neg (b); b = Add (a, r)")
    yield Form("body-order", "a Scan's body whose nodes are not in order", model([scan_over(summed)], SCANNED, SCAN_RESULTS), GOOD_SCAN, STATE)


def of_function_orders() -> Iterator[Form]:
    """A function whose nodes are not in order."""
    call = parsed("y = local.f (x)")
    for name, nodes in (("two", parsed("h = Neg (a); b = Abs (h)")), ("three", parsed("h = Neg (a); k = Exp (h); b = Add (k, h)"))):
        made, twin = (model(call, functions=[function("f", "a", "b", each)]) for each in (nodes[::-1], nodes))
        yield Form("function-order", f"a function whose {name} nodes are not in order", made, twin)


def of_body_types() -> Iterator[Form]:
    """What an operator gives its body is declared as another dtype."""
    step = op("w = Neg (v)")
    for name, entries, inside in (
        ("an iteration number of int32", [value("i", TensorProto.INT32, []), *ENTRIES[1:]], ON),
        ("an iteration number of float32", [value("i", F, []), *ENTRIES[1:]], ON),
        ("a condition of a body of float32", [ENTRIES[0], value("go", F, []), ENTRIES[2]], op(f"on = Cast <to = {B}> (go)")),
        ("a condition of a body of int64", [ENTRIES[0], value("go", I64, []), ENTRIES[2]], op(f"on = Cast <to = {B}> (go)")),
    ):
        yield looped("loop-body-dtype", name, body([inside, step], [KEPT, CARRIED], entries))
    for dtype, kind, name in (
        (I64, "loop-dtype-apart", "int64"),
        (TensorProto.INT32, "loop-dtype-apart", "int32"),
        (F16, "loop-dtype-apart", "float16"),
    ):
        made = node("Cast", ["v"], ["w"], to=dtype)
        yield looped(kind, f"what is carried becomes {name}", body([ON, made], [KEPT, value("w", dtype)]))
    for dtype, kind, name in ((TensorProto.INT32, "if-dtype-apart", "int32"), (I64, "if-dtype-apart", "int64"), (F16, "if-dtype-apart", "float16")):
        cast = [node("Cast", ["x"], ["e"], to=dtype)]
        yield Form(
            kind,
            f"arms of float32 and {name}",
            model([branches("t = Neg (x)", cast, e=[value("e", dtype)])], CONDITIONED),
            model([branches("t = Neg (x)", "e = Abs (x)")], CONDITIONED),
            GIVEN,
        )
    for axis, shape in ((0, [4, 3]), (1, [2, 6])):
        grows = node("Concat", ["v", "v"], ["w"], axis=axis)
        yield looped(
            "loop-size",
            f"what is carried grows along axis {axis}, declared",
            body([ON, grows], [KEPT, value("w", F, shape)]),
            declared=[value("y", F, None)],
        )


def of_unfit_bodies() -> Iterator[Form]:
    """Operands that cannot fit, as their body declares them: said of the operator inside, and of no form."""
    weight = [stored("m", numpy.ones((4, 3)))]
    yield looped("", "a Loop whose product cannot fit", body([ON, op("w = MatMul (v, m)")], [KEPT, CARRIED]), tensors=weight)
    added = [stored("m", numpy.ones((2, 4)))]
    yield looped("", "a Loop whose sum cannot fit", body([ON, op("w = Add (v, m)")], [KEPT, CARRIED]), tensors=added)
    entries = (value("a", F, [4]), ROW[1])
    made = graph("body", "b = Add (a, r); z = Neg (b)", entries, [value("b", F, [4]), value("z", F, [4])])
    scan = node("Scan", ["s", "x"], ["last", "y"], body=made, num_scan_inputs=1)
    wide = [value("last", F, [4]), value("y", F, [2, 4])]
    yield Form(
        "",
        "a Scan whose sum cannot fit",
        model([scan], [SCANNED[0], value("s", F, [4])], wide),
        GOOD_SCAN,
        {"x": X, "s": numpy.zeros(4, numpy.float32)},
    )


def of_scan_borders() -> Iterator[Form]:
    """What a Scan hands to its body, and is given back, against what the body declares."""
    inner = parsed("b = Add (a, r); z = Neg (r)")

    def scan(entries: tuple[ValueInfoProto, ValueInfoProto], nodes: list[NodeProto], ends: list[ValueInfoProto], **more: list[int]) -> NodeProto:
        return node("Scan", ["s", "x"], ["last", "y"], body=graph("body", nodes, entries, ends), num_scan_inputs=1, **more)

    odd = scan((ROW[0], value("r", F, [5])), [op("b = Neg (a)"), inner[1]], [value("b", F, [3]), value("z", F, [5])])
    unlike = [*SCAN_RESULTS[:1], value("y", F, None)]
    yield Form("scan-element-size", "a Scan whose body declares longer slices", model([odd], SCANNED, unlike), GOOD_SCAN, STATE)
    odd = scan((value("a", F, [4]), ROW[1]), [op("b = Neg (a)"), inner[1]], [value("b", F, [4]), value("z", F, [3])])
    unlike = [value("last", F, None), *SCAN_RESULTS[1:]]
    yield Form("scan-element-size", "a Scan whose body declares a longer state", model([odd], SCANNED, unlike), GOOD_SCAN, STATE)
    grows = scan(ROW, [op("b = Concat <axis = 0> (a, r)"), inner[1]], [value("b", F, [6]), value("z", F, [3])])
    yield Form("scan-size", "a Scan whose state grows", model([grows], SCANNED, unlike), GOOD_SCAN, STATE)
    for axis, length in ((-2, 3), (-1, 2)):
        given = {"x": X, "s": numpy.zeros(length, numpy.float32)}
        entries = (value("a", F, [length]), value("r", F, [length]))
        made = scan(entries, inner, [value("b", F, [length]), value("z", F, [length])], scan_input_axes=[axis])
        results = [value("last", F, [length]), value("y", F, [6 // length, length])]
        yield Form("scan-axis-negative", f"a Scan along axis {axis}", model([made], [SCANNED[0], value("s", F, [length])], results), GOOD_SCAN, given)


def of_scan_states() -> Iterator[Form]:
    """A state that is given as another dtype than the body declares."""
    for name, dtype, apart in (("int64", numpy.int64, "-apart"), ("int32", numpy.int32, "-apart"), ("float64", numpy.float64, "")):
        entries = [SCANNED[0], value("s", helper.np_dtype_to_tensor_dtype(numpy.dtype(dtype)), [3])]
        nodes = parsed("b = Add (a, r); z = Neg (b)")
        given = {"x": X, "s": numpy.zeros(3, dtype)}
        yield Form(
            f"scan-given-dtype{apart}", f"a Scan whose state is given as {name}", model([scan_over(nodes)], entries, SCAN_RESULTS), GOOD_SCAN, given
        )


def of_given_values() -> Iterator[Form]:
    """What a body declares of what it is given, where it reads it by another dtype or rank, or not at all."""
    for name, dtype, apart in (("float16", F16, "-apart"), ("int64", I64, "-apart"), ("int32", TensorProto.INT32, "-apart"), ("float64", D, "")):
        entries = [*ENTRIES[:2], value("v", dtype)]
        for how, nodes in (("cast", [node("Cast", ["v"], ["u"], to=F), op("w = Neg (u)")]), ("not read", [op("w = Neg (x)")])):
            yield looped(f"loop-given-dtype{apart}", f"what a body declares {name}, {how}", body([ON, *nodes], [KEPT, CARRIED], entries))
        row = (ROW[0], value("r", dtype, [3]))
        for how, nodes in (
            ("cast", [node("Cast", ["r"], ["k"], to=F), *parsed("b = Add (a, k); z = Neg (b)")]),
            ("not read", parsed("b = Neg (a); z = Neg (b)")),
        ):
            made = model([scan_over(nodes, inputs=row)], SCANNED, SCAN_RESULTS)
            yield Form(f"scan-slice-dtype{apart}", f"slices that a Scan's body declares {name}, {how}", made, GOOD_SCAN, STATE)
    for name, dims in (("more axes", [1, 3]), ("none", [])):
        row = (ROW[0], value("r", F, dims))
        for how, nodes in (("read", PLAIN_SCAN), ("not read", parsed("b = Neg (a); z = Neg (b)"))):
            made = model([scan_over(nodes, inputs=row)], SCANNED, SCAN_RESULTS)
            yield Form("scan-element-rank", f"slices that a Scan's body declares with {name}, {how}", made, GOOD_SCAN, STATE)


def of_worked_out_arms() -> Iterator[Form]:
    """Arms of two ranks, by a size that is open or not."""
    held = [stored("zero", 0, numpy.int64), stored("two", 2, numpy.int64)]
    known = parsed("s = Shape (x); d = Gather (s, zero); c = Equal (d, two)")
    for name, arm in (("first", ("t = Neg (x)", "e = Gather (x, zero)")), ("second", ("t = Gather (x, zero)", "e = Neg (x)"))):
        free = [value(each, F, None) for each in "te"]
        for kind, how, rows in (("if-worked-out-rank", "an open size", "n"), ("", "a declared size", 2)):
            made, twin = (
                model([*known, branches(*arms, t=free[:1], e=free[1:])], [value("x", F, [rows, 3])], [value("y", F, None)], held)
                for arms in (arm, ("t = Neg (x)", "e = Abs (x)"))
            )
            yield Form(kind, f"arms of two ranks, by {how}, the {name} of all", made, twin)


def of_maps() -> Iterator[Form]:
    """A SequenceMap and its body."""

    def mapped(inputs: list[ValueInfoProto], outputs: list[ValueInfoProto]) -> ModelProto:
        inside = node("SequenceMap", ["q"], ["r"], body=graph("inside", "o = Neg (e); p = Abs (e)", inputs, outputs))
        return model([op("q = SequenceConstruct (x, x)"), inside, op("y = SequenceAt (r, zero)")], tensors=[stored("zero", 0, numpy.int64)])

    good = mapped([value("e")], [value("o")])
    yield Form("map-body-inputs-more", "a SequenceMap's body with an input too many", mapped([value("e"), value("f")], [value("o")]), good)
    yield Form("map-body-outputs-more", "a SequenceMap's body with a result too many", mapped([value("e")], [value("o"), value("p")]), good)


def of_counted_conditions() -> Iterator[Form]:
    """Arms in a Loop that its iteration number chooses."""
    for name, dtype in (("float16", F16), ("int64", I64)):
        arms = [graph("then", "t = Neg (v)", [], [value("t")]), graph("else", [node("Cast", ["v"], ["e"], to=dtype)], [], [value("e", dtype)])]
        chosen = node("If", ["q"], ["w"], then_branch=arms[0], else_branch=arms[1])
        inside = body([ON, op("q = Equal (i, one)"), chosen], [KEPT, CARRIED], tensors=[stored("one", 1, numpy.int64)])
        yield looped("if-dtype-apart", f"arms of float32 and {name}, chosen by the iteration number", inside)


def of_known_conditions() -> Iterator[Form]:
    """Arms of which a runtime may know that one never runs."""
    for name, dtype in (("int64", I64), ("float16", F16), ("float64", D)):
        arms = branches("t = Neg (x)", [node("Cast", ["x"], ["e"], to=dtype)], e=[value("e", dtype)])
        good = branches("t = Neg (x)", "e = Abs (x)")
        held = [stored("c", True, numpy.bool_)]
        made, twin = (model([each], [value("x")], tensors=held) for each in (arms, good))
        yield Form("if-known-dtype", f"arms of float32 and {name}, of a stored condition", made, twin)


def of_stored() -> Iterator[Form]:
    """Stored numbers of no dtype, and sparse ones with more places than numbers."""
    good = stored("w", X)
    odd = TensorProto()
    odd.CopyFrom(good)
    odd.data_type = 77
    add = parsed("y = Add (x, w)")
    yield Form("bytes-dtype", "a stored tensor of a dtype that there is not", model(add, tensors=[odd]), model(add, tensors=[good]))
    for name, places in (("fewer", [1]), ("more", [1, 2, 4])):
        yield Form(
            "sparse-index",
            f"a sparse initializer of {name} places than numbers",
            model(add, sparse=[helper.make_sparse_tensor(stored("w", [1, 2]), stored("i", places, numpy.int64), [2, 3])]),
            model(add, tensors=[good]),
        )


def of_parts() -> Iterator[Form]:
    """Splits of which a part is left out."""
    given, entries = numpy.ones((2, 6), numpy.float32), [value("x", F, [2, 6])]
    for opset, more in ((11, {}), (13, {}), (18, {"num_outputs": 3})):
        for name, left in (("first", ["", "a", "y"]), ("middle", ["a", "", "y"]), ("last", ["y", "a", ""])):
            results = [value(each, F, [2, 2]) for each in left if each]
            whole = model(
                [node("Split", ["x"], ["a", "b", "y"], axis=1, **more)], entries, [value("a", F, [2, 2]), value("y", F, [2, 2])], opset=opset
            )
            made = model([node("Split", ["x"], left, axis=1, **more)], entries, results, opset=opset)
            yield Form("split-result-left-out", f"a Split of opset {opset} whose {name} part is left out", made, whole, {"x": given})


def of_steps() -> Iterator[Form]:
    """Scales that are 0 or less."""

    def pair(scale: object, **more: int) -> ModelProto:
        steps = [stored("k", scale), stored("o", numpy.zeros(numpy.shape(scale)), numpy.int8)]
        nodes = [node("QuantizeLinear", ["x", "k", "o"], ["q"], **more), node("DequantizeLinear", ["q", "k", "o"], ["y"], **more)]
        return model(nodes, tensors=steps)

    def weights(scale: object, columns: int = 3) -> ModelProto:
        held = [stored("q", numpy.ones((3, columns)), numpy.int8), stored("k", scale)]
        return model("w = DequantizeLinear <axis = 1> (q, k); y = MatMul (x, w)", outputs=[value("y", F, None)], tensors=held)

    for name, scale, good in (("0", 0.0, 0.1), ("below 0", -0.1, 0.1)):
        yield Form("scale-not-positive", f"a pair whose scale is {name}", pair(scale), pair(good))
        yield Form("scale-not-positive", f"weights whose scale is {name}", weights(scale), weights(good))
        yield Form("scale-not-positive", f"weights one of whose scales is {name}", weights([0.1, scale, 0.2]), weights([0.1, 0.3, 0.2]))
    signs = weights([0.1, -0.3], 2)
    four = ModelProto.FromString(signs.SerializeToString())
    four.opset_import[0].version = 21
    four.graph.initializer[0].CopyFrom(helper.make_tensor("q", TensorProto.INT4, [3, 2], [1] * 6))
    yield Form("scale-not-positive", "weights of 8 bits where those of 4 may have scales below 0", signs, four)


def of_last_windows() -> Iterator[Form]:
    """Means of windows, of which the last reaches beyond what pads the image."""
    entry = numpy.linspace(1, 2, 6, dtype=numpy.float32).reshape(1, 1, 6)
    for pads, opset in (([1, 1], 11), ([1, 1], 19), ([1, 1], 22)):

        def pool(counts: int, pads: list[int] = pads, opset: int = opset) -> ModelProto:
            made = node("AveragePool", ["x"], ["y"], kernel_shape=[3], strides=[2], pads=pads, ceil_mode=1, count_include_pad=counts)
            return model([made], [value("x", F, [1, 1, 6])], [value("y", F, None)], opset=opset)

        yield Form("pool-beyond-pads", f"an AveragePool of opset {opset} that counts its padding, and rounds up", pool(1), pool(0), {"x": entry})


def of_widened_sequences() -> Iterator[Form]:
    """Sequences that are widened right before they are read."""
    rows = numpy.linspace(-1, 1, 18, dtype=numpy.float16).reshape(3, 2, 3)
    for name, gates in (("LSTM", 4), ("GRU", 3)):
        held = [
            stored("w", numpy.linspace(-1, 1, 12 * gates).reshape(1, 4 * gates, 3)),
            stored("r", numpy.linspace(-1, 1, 16 * gates).reshape(1, 4 * gates, 4)),
        ]
        made = node(name, ["f", "w", "r"], ["y"], hidden_size=4)
        widened = node("Cast", ["x"], ["c"], to=F)
        entries, results = [value("x", F16, [3, 2, 3])], [value("y", F, [3, 1, 2, 4])]
        direct = node("Cast", ["x"], ["f"], to=F)
        yield Form(
            "recurrence-widened",
            f"a sequence that a {name} reads is widened",
            model([direct, made], entries, results, held),
            model([widened, op("f = Neg (c)"), made], entries, results, held),
            {"x": rows},
        )


def of_texts() -> Iterator[Form]:
    """Strings that come in and go out, and are nowhere computed with."""
    words = {"x": numpy.array([["a", "b"]], dtype=object)}
    entries, results = [value("x", TensorProto.STRING, [1, 2])], [value("y", TensorProto.STRING, [1, 2])]
    turned = model("t = Transpose (x); u = Transpose <perm = [1, 0]> (t); y = Identity (u)", entries, results)
    for name, text in (("one Identity", "y = Identity (x)"), ("two", "t = Identity (x); y = Identity (t)")):
        yield Form("strings-yielded", f"strings that go through {name} alone", model(text, entries, results), turned, words)


def of_growth() -> Iterator[Form]:
    """What a Loop carries, and appends to."""
    entries = [value("x", F, [2, 3])]
    held = [stored("n", 2, numpy.int64), stored("c", True, numpy.bool_)]
    declared = [value("i", I64, []), value("go", B, []), value("v", F, ["m", 3])]
    for name, text in (("before", "w = Concat <axis = 0> (v, x)"), ("behind", "w = Concat <axis = 0> (x, v)")):
        made, good = (
            model(
                [
                    node(
                        "Loop",
                        ["n", "c", "x"],
                        ["y"],
                        body=graph("b", [op("on = Identity (go)"), *parsed(each)], declared, [value("on", B, []), value("w", F, ["k", 3])]),
                    )
                ],
                entries,
                [value("y", F, None)],
                held,
            )
            for each in (text, "w = Neg (v)")
        )
        yield Form("loop-state-grows", f"a Loop appends to what it carries, {name}", made, good, {"x": numpy.ones((2, 3), numpy.float32)})


def of_norms() -> Iterator[Form]:
    """Layer norms that are written out, with another power than 2."""

    def norm(power: float, swapped: bool = False, shifted: bool = True) -> ModelProto:
        held = [stored("p", power), stored("k", 1e-5), stored("g", [1, 2, 3]), stored("b", [1, 1, 2])]
        nodes = [
            op("m = ReduceMean <axes = [-1]> (x)"),
            op("d = Sub (x, m)"),
            op("q = Pow (d, p)"),
            op("v = ReduceMean <axes = [-1]> (q)"),
            op("u = Add (v, k)"),
            op("r = Sqrt (u)"),
            op("n = Div (d, r)"),
            node("Mul", ["g", "n"] if swapped else ["n", "g"], ["s" if shifted else "y"]),
        ]
        return model([*nodes, *([node("Add", ["b", "s"] if swapped else ["s", "b"], ["y"])] if shifted else [])], tensors=held)

    given = {"x": 2 * X}
    for power in (4, 6):
        yield Form("norm-power", f"a layer norm that is written out, to the power of {power}", norm(power), norm(2), given)
        yield Form(
            "norm-power", f"a layer norm to the power of {power}, the other way round", norm(power, swapped=True), norm(2, swapped=True), given
        )
    yield Form("", "a layer norm to the power of 4, not shifted", norm(4, shifted=False), norm(2, shifted=False), given)


MAKERS: list[Callable[[], Iterator[Form]]] = [
    of_orders,
    of_function_orders,
    of_scan_states,
    of_given_values,
    of_worked_out_arms,
    of_maps,
    of_counted_conditions,
    of_body_types,
    of_unfit_bodies,
    of_scan_borders,
    of_known_conditions,
    of_stored,
    of_parts,
    of_steps,
    of_norms,
    of_last_windows,
    of_widened_sequences,
    of_texts,
    of_growth,
]


def inner_forms() -> list[Form]:
    return [each for make in MAKERS for each in make()]
