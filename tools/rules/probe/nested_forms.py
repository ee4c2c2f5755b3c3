"""Further questions about forms: other operators in bodies, other nestings, functions with other features, sequences, chains that optimisers fuse."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy
from onnx import AttributeProto, ModelProto, NodeProto, TensorProto, ValueInfoProto, helper

from probe.forms import (
    CARRIED,
    CONDITIONED,
    F16,
    GIVEN,
    I64,
    KEPT,
    LOOPED,
    ON,
    TURNS,
    B,
    D,
    F,
    Form,
    X,
    body,
    branches,
    function,
    graph,
    model,
    node,
    op,
    parsed,
    referring,
    stored,
    value,
)

ONE = (value("x"),)
STATE = {"x": X, "s": numpy.zeros(3, numpy.float32)}
ROW = value("a", F, [3]), value("r", F, [3])
ROWS = value("b", F, [3]), value("z", F, [3])
SCANNED = (value("x"), value("s", F, [3]))


def scan_over(nodes: Sequence[NodeProto], tensors: Sequence[TensorProto] = (), inputs: Sequence[ValueInfoProto] = ROW) -> NodeProto:
    made = graph("body", nodes, inputs, ROWS, tensors)
    return node("Scan", ["s", "x"], ["last", "y"], body=made, num_scan_inputs=1)


PLAIN_SCAN = parsed("b = Add (a, r); z = Neg (b)")
SCAN_RESULTS = [value("last", F, [3]), value("y")]
GOOD_SCAN = model([scan_over(PLAIN_SCAN)], SCANNED, SCAN_RESULTS)


def scanned(
    kind: str, name: str, made: NodeProto, before: Sequence[NodeProto] = (), entries: Any = None, tensors: Any = (), given: Any = None
) -> Form:
    return Form(kind, name, model([*before, made], entries or SCANNED, SCAN_RESULTS, tensors), GOOD_SCAN, given or STATE)


def of_scans() -> Iterator[Form]:
    reads = parsed("b = Add (a, r); z = Mul (b, k)")
    row = stored("k", [1, 2, 3])
    yield scanned(
        "scan-reads-outer",
        "a Scan's body reads an input of the model",
        scan_over(reads),
        entries=[*SCANNED, value("k", F, [3])],
        given={**STATE, "k": X[0]},
    )
    yield scanned("scan-reads-stored", "a Scan's body reads a stored tensor of the model", scan_over(reads), tensors=[row])
    yield scanned("scan-reads-outer", "a Scan's body reads what the model computes", scan_over(reads), parsed("k = Exp (s)"))
    yield scanned("scan-reads-stored", "a Scan's body reads a constant of the model", scan_over(reads), [node("Constant", [], ["k"], value=row)])
    yield scanned("", "a Scan's body has a stored tensor", scan_over(reads, [row]))
    squeezed = parsed("u = Unsqueeze (a, k); q = Squeeze (u, k); b = Add (q, r); z = Neg (b)")
    yield scanned("scan-reads-stored", "a Scan's body reads axes of the model", scan_over(squeezed), parsed("k = Constant <value_ints = [0]> ()"))
    arm = node(
        "If",
        ["g"],
        ["b"],
        then_branch=graph("t", "t = Neg (a)", [], [value("t", F, [3])]),
        else_branch=graph("e", "e = Add (a, r)", [], [value("e", F, [3])]),
    )
    inside = [op("m = ReduceSum <keepdims = 0> (r)"), op("g = Greater (m, zero)"), arm, op("z = Neg (b)")]
    yield scanned("", "an If in a Scan", scan_over(inside, [stored("zero", 0)]))
    product = parsed("m = MatMul (a, w); b = Add (m, r); z = Tanh (b)")
    yield scanned("", "a recurrent step in a Scan", scan_over(product, [stored("w", numpy.eye(3))]))
    yield scanned("scan-reads-stored", "a recurrent step in a Scan, its weight outside", scan_over(product), tensors=[stored("w", numpy.eye(3))])
    alone = node("Scan", ["x"], ["y"], body=graph("body", "z = Neg (r)", [ROW[1]], [ROWS[1]]), num_scan_inputs=1)
    yield Form("scan-stateless", "a Scan without state", model([alone]), model("y = Neg (x)"))
    open_rows = scan_over(PLAIN_SCAN, inputs=[value("a", F, None), value("r", F, None)])
    yield scanned("", "a Scan's body declares no shapes", open_rows)
    untyped = graph("body", PLAIN_SCAN, [helper.make_empty_tensor_value_info("a"), helper.make_empty_tensor_value_info("r")], ROWS)
    yield scanned("scan-untyped", "a Scan's body declares no types", node("Scan", ["s", "x"], ["last", "y"], body=untyped, num_scan_inputs=1))
    unwanted = node("Scan", ["s", "x"], ["", "y"], body=graph("body", PLAIN_SCAN, ROW, ROWS), num_scan_inputs=1)
    yield Form("scan-result-left-out", "a Scan whose state is not wanted", model([unwanted], SCANNED, SCAN_RESULTS[1:]), GOOD_SCAN, STATE)
    old = model(
        [node("Scan", ["", "s", "x"], ["last", "y"], body=graph("body", PLAIN_SCAN, ROW, ROWS), num_scan_inputs=1)],
        [value("x", F, [1, 2, 3]), value("s", F, [1, 3])],
        [value("last", F, [1, 3]), value("y", F, [1, 2, 3])],
        opset=8,
    )
    yield Form("", "a Scan of opset 8", old, GOOD_SCAN, {"x": X.reshape(1, 2, 3), "s": numpy.zeros((1, 3), numpy.float32)})
    for length in (0, 1):
        rows = numpy.zeros((length, 3), numpy.float32)
        yield Form(
            "",
            f"a Scan of length {length}",
            model([scan_over(PLAIN_SCAN)], [value("x", F, [length, 3]), SCANNED[1]], [SCAN_RESULTS[0], value("y", F, [length, 3])]),
            GOOD_SCAN,
            {**STATE, "x": rows},
        )
    yield Form(
        "",
        "a Scan of a length that is not known",
        model([scan_over(PLAIN_SCAN)], [value("x", F, ["n", 3]), SCANNED[1]], [SCAN_RESULTS[0], value("y", F, ["n", 3])]),
        GOOD_SCAN,
        STATE,
    )


CARRIES = (value("v"),)


def loop_of(
    nodes: Sequence[NodeProto],
    results: Sequence[ValueInfoProto] = (KEPT, CARRIED),
    tensors: Sequence[TensorProto] = (),
    inputs: Sequence[str] = ("n", "c", "x"),
    outputs: Sequence[str] = ("y",),
    carried: Sequence[ValueInfoProto] = CARRIES,
) -> NodeProto:
    made = body(list(nodes), list(results), [value("i", I64, []), value("go", B, []), *carried], list(tensors))
    return node("Loop", inputs, outputs, body=made)


GOOD_LOOP = model([loop_of([ON, op("w = Neg (v)")])], LOOPED)


def looped(
    kind: str,
    name: str,
    made: NodeProto,
    outputs: Any = None,
    entries: Any = LOOPED,
    tensors: Any = (),
    given: Any = None,
    before: Sequence[NodeProto] = (),
    after: Sequence[NodeProto] = (),
) -> Form:
    return Form(kind, name, model([*before, made, *after], entries, outputs or [value("y")], tensors), GOOD_LOOP, given or TURNS)


def of_loops() -> Iterator[Form]:
    weight = stored("m", numpy.eye(3))
    product = [ON, op("w = MatMul (v, m)")]
    yield looped("", "a product in a Loop, its weight outside", loop_of(product), tensors=[weight])
    yield looped("", "a product in a Loop, its weight inside", loop_of(product, tensors=[weight]))
    yield looped("", "a Loop reads what the model computes", loop_of([ON, op("w = Add (v, k)")]), before=parsed("k = Exp (x)"))
    yield looped(
        "",
        "a Loop that ends by its values",
        loop_of(parsed("m = ReduceMax <keepdims = 0> (v); on = Less (m, limit); w = Add (v, one)"), tensors=[stored("limit", 4), stored("one", 1)]),
    )
    inner = loop_of(
        parsed("on2 = Identity (go); w2 = Neg (v2)"), [value("on2", B, []), value("w2")], inputs=["n", "c", "v"], outputs=["w"], carried=[value("v2")]
    )
    yield looped("", "a Loop in a Loop", loop_of([ON, inner]))
    arm = node("If", ["g"], ["w"], then_branch=graph("t", "t = Neg (v)", [], [value("t")]), else_branch=graph("e", "e = Abs (v)", [], [value("e")]))
    yield looped("", "an If in a Loop", loop_of([ON, op("g = Equal (i, one)"), arm], tensors=[stored("one", 1, numpy.int64)]))
    scan = node("Scan", ["v"], ["w"], body=graph("body2", "z = Neg (r)", [ROW[1]], [ROWS[1]]), num_scan_inputs=1)
    yield looped("scan-stateless", "a Scan in a Loop", loop_of([ON, scan]))
    swapped = loop_of(
        [ON, op("p = Identity (v)"), op("q = Identity (u)")],
        [KEPT, value("q"), value("p")],
        inputs=["n", "c", "x", "k"],
        outputs=["y", "y2"],
        carried=[value("v"), value("u")],
    )
    yield looped("", "a Loop that swaps two values", swapped, [value("y"), value("y2")], [*LOOPED, value("k")], given={**TURNS, "k": X + 1})
    counted = loop_of(
        [ON, op("t2 = Add (t, i)")], [KEPT, value("t2", I64, [])], inputs=["n", "c", "t0"], outputs=["y"], carried=[value("t", I64, [])]
    )
    yield looped(
        "",
        "a Loop that adds up its numbers",
        counted,
        [value("y", I64, [])],
        [*LOOPED[:2]],
        [stored("t0", 0, numpy.int64)],
        {k: TURNS[k] for k in ("n", "c")},
    )
    gathered = loop_of([ON, op("g = Gather <axis = 0> (x, i)")], [KEPT, value("g", F, [3])], inputs=["n", "c"], carried=[])
    yield looped("", "a Loop that gathers rows", gathered, [value("y", F, ["n", 3])], given={**TURNS, "n": numpy.array(2)})
    yield looped("", "a Loop of zero turns that gathers rows", gathered, [value("y", F, ["n", 3])], given={**TURNS, "n": numpy.array(0)})
    for name, turns, goes_on in (
        ("of stored turns and condition", 3, True),
        ("whose stored condition is false", 3, False),
        ("of one stored turn", 1, True),
        ("of no stored turn", 0, True),
    ):
        settled = [stored("k", turns, numpy.int64), stored("d", goes_on, numpy.bool_)]
        once = loop_of([ON, op("w = Neg (v)")], inputs=["k", "d", "x"])
        yield looped("", f"a Loop {name}", once, tensors=settled, entries=[value("x")], given={"x": X})
    yield looped(
        "loop-condition-rank",
        "trip count and condition of one element",
        loop_of([ON, op("w = Neg (v)")]),
        entries=[value("n", I64, [1]), value("c", B, [1]), value("x")],
        given={"n": numpy.array([3]), "c": numpy.array([True]), "x": X},
    )
    yield looped(
        "",
        "a Loop whose trips are a size",
        loop_of([ON, op("w = Neg (v)")], inputs=["k", "c", "x"]),
        before=parsed("d = Shape (x); k = Gather (d, zero)"),
        tensors=[stored("zero", 0, numpy.int64)],
        entries=LOOPED[1:],
        given={"c": TURNS["c"], "x": X},
    )
    kept = loop_of([ON, op("w = Identity (v)")])
    yield looped("", "a Loop that changes nothing", kept)
    yield looped(
        "",
        "a Loop that carries a sequence",
        node(
            "Loop",
            ["n", "c", "q"],
            ["p"],
            body=graph(
                "body", [ON, op("w = SequenceInsert (v, x)")], [value("i", I64, []), value("go", B, []), sequence("v")], [KEPT, sequence("w")]
            ),
        ),
        [value("y", F, None)],
        before=parsed(f"q = SequenceEmpty <dtype = {F}> ()"),
        after=parsed("y = ConcatFromSequence <axis = 0> (p)"),
    )
    conv = [ON, op("w = Conv <pads = [1, 1]> (v, k)")]
    yield looped(
        "",
        "a Conv in a Loop",
        loop_of(conv, [KEPT, value("w", F, [1, 2, 3])], carried=[value("v", F, [1, 2, 3])]),
        [value("y", F, [1, 2, 3])],
        [*LOOPED[:2], value("x", F, [1, 2, 3])],
        [stored("k", numpy.ones((2, 2, 3)))],
    )
    drop = [ON, op("w = Dropout (v)")]
    yield looped("", "a Dropout in a Loop", loop_of(drop))
    for name, number, condition in (("iteration number", None, []), ("iteration number and condition", None, None)):
        open_body = graph(
            "body", [ON, op("w = Neg (v)")], [value("i", I64, number), value("go", B, condition), value("v")], [value("on", B, condition), CARRIED]
        )
        yield looped(
            "loop-number-open", f"a body that does not declare the shape of its {name}", node("Loop", ["n", "c", "x"], ["y"], body=open_body)
        )
    for given, declared in (([1], []), ([], [1])):
        ranked = graph(
            "body", [ON, op("w = Neg (v)")], [value("i", I64, []), value("go", B, declared), value("v")], [value("on", B, declared), CARRIED]
        )
        yield looped(
            "loop-condition-rank",
            f"a condition of the shape {given}, and of {declared} in the body",
            node("Loop", ["n", "c", "x"], ["y"], body=ranked),
            entries=[LOOPED[0], value("c", B, given), LOOPED[2]],
            given={**TURNS, "c": numpy.full(given, True)},
        )
    untyped = graph(
        "body",
        [ON, op("w = Neg (v)")],
        [value("i", I64, []), value("go", B, []), helper.make_empty_tensor_value_info("v")],
        [KEPT, helper.make_empty_tensor_value_info("w")],
    )
    yield looped("", "a Loop's body declares no types of what it carries", node("Loop", ["n", "c", "x"], ["y"], body=untyped))
    random = [ON, op("r = RandomNormalLike (v)"), op("q = Mul (r, zero)"), op("w = Add (v, q)")]
    yield looped("", "random numbers in a Loop", loop_of(random, tensors=[stored("zero", 0)]))


def sequence(name: str, shape: Any = None, dtype: int = F) -> ValueInfoProto:
    return helper.make_tensor_sequence_value_info(name, dtype, shape)


def optional(name: str) -> ValueInfoProto:
    return helper.make_value_info(name, helper.make_optional_type_proto(helper.make_tensor_type_proto(F, [2, 3])))


def of_arms() -> Iterator[Form]:
    neg, absolute = parsed("t = Neg (x)"), parsed("e = Abs (x)")
    good = model([branches(neg, absolute)], CONDITIONED)

    def asked(
        kind: str, name: str, nodes: Sequence[NodeProto], outputs: Any = None, entries: Any = CONDITIONED, tensors: Any = (), given: Any = None
    ) -> Form:
        return Form(kind, name, model(nodes, entries, outputs or [value("y")], tensors), good, given or GIVEN)

    inner = node(
        "If", ["c"], ["t"], then_branch=graph("t2", "p = Exp (x)", [], [value("p")]), else_branch=graph("e2", "q = Relu (x)", [], [value("q")])
    )
    yield asked("", "an If in an arm", [branches([inner], absolute)])
    yield asked(
        "",
        "an If by a value that is computed",
        [op("s = ReduceSum <keepdims = 0> (x)"), op("c = Greater (s, z)"), branches(neg, absolute)],
        entries=[value("x")],
        tensors=[stored("z", 0)],
        given={"x": X},
    )
    wide = branches(neg, "e = Concat <axis = 0> (x, x)", e=[value("e", F, [4, 3])])
    for name, chosen in (("", branches(neg, absolute)), (", arms of two sizes", wide)):
        yield asked("", f"an If by a stored value{name}", [chosen], entries=[value("x")], tensors=[stored("c", True, numpy.bool_)], given={"x": X})
    yield asked(
        "",
        "an If by a size",
        [op("s = Size (x)"), op("c = Greater (s, z)"), branches(neg, absolute)],
        entries=[value("x", F, ["n", 3])],
        tensors=[stored("z", 4, numpy.int64)],
        given={"x": X},
    )
    yield asked(
        "",
        "a Loop in an arm",
        [branches([node("Loop", ["k", "c", "x"], ["t"], body=body([ON, op("w = Neg (v)")], [KEPT, CARRIED]))], absolute)],
        tensors=[stored("k", 2, numpy.int64)],
    )
    constants = branches([node("Constant", [], ["t"], value=stored("", X))], [node("Constant", [], ["e"], value=stored("", X + 1))])
    yield asked("", "arms of constants", [constants])
    yield asked(
        "", "an arm of a random value", [branches("r = RandomNormal <shape = [2, 3]> (); t = Mul (r, z)", absolute)], tensors=[stored("z", 0)]
    )
    two = branches([*neg, op("t2 = Exp (x)")], [*absolute, op("e2 = Relu (x)")], ["y", "z"], t=[value("t"), value("t2")], e=[value("e"), value("e2")])
    yield asked("", "an If of two results", [two], [value("y"), value("z")])
    yield asked(
        "if-result-left-out",
        "an If of two results, one left out",
        [branches([*neg, op("t2 = Exp (x)")], [*absolute, op("e2 = Relu (x)")], ["", "y"], t=[value("t"), value("t2")], e=[value("e"), value("e2")])],
    )
    shapes = branches(
        "t = Constant <value_ints = [3, 2]> ()", "e = Constant <value_ints = [6, 1]> ()", ["s"], t=[value("t", I64, [2])], e=[value("e", I64, [2])]
    )
    yield asked("", "an If that chooses a shape", [shapes, op("y = Reshape (x, s)")], [value("y", F, ["a", "b"])])
    sliced = parsed("e = Slice (x, zero, n)")
    yield asked(
        "",
        "an arm that slices by an input",
        [branches(neg, sliced, e=[value("e", F, ["k", 3])])],
        [value("y", F, ["k", 3])],
        [*CONDITIONED, value("n", I64, [1])],
        [stored("zero", [0], numpy.int64)],
        {**GIVEN, "n": numpy.array([1])},
    )
    yield asked(
        "",
        "arms of sequences",
        [
            branches("t = SequenceConstruct (x)", "e = SequenceConstruct (x, x)", ["q"], t=[sequence("t")], e=[sequence("e")]),
            op("y = ConcatFromSequence <axis = 0> (q)"),
        ],
        [value("y", F, None)],
    )
    yield asked(
        "",
        "arms of integers",
        [branches("t = Shape (x)", "e = Constant <value_ints = [1, 2]> ()", t=[value("t", I64, [2])], e=[value("e", I64, [2])])],
        [value("y", I64, [2])],
    )
    yield asked(
        "",
        "arms of booleans",
        [branches("t = Greater (x, z)", "e = Less (x, z)", t=[value("t", B)], e=[value("e", B)])],
        [value("y", B)],
        tensors=[stored("z", 0)],
    )
    yield asked(
        "",
        "a Conv in both arms",
        [branches("t = Conv (x, k)", "e = Conv (x, k)", t=[value("t", F, [1, 2, 1])], e=[value("e", F, [1, 2, 1])])],
        [value("y", F, [1, 2, 1])],
        [CONDITIONED[0], value("x", F, [1, 2, 3])],
        [stored("k", numpy.ones((2, 2, 3)))],
    )
    yield asked("", "arms that read one another's names", [branches("q = Neg (x); t = Abs (q)", "r = Abs (x); e = Neg (r)")])


def of_functions() -> Iterator[Form]:
    plain = model("y = Neg (x)")

    def asked(kind: str, name: str, call: NodeProto, made: Any, outputs: Any = None, **given: Any) -> Form:
        functions = made if isinstance(made, list) else [made]
        return Form(kind, name, model([call], outputs=outputs or [value("y")], functions=functions, **given), plain)

    call = op("y = local.f (x)")
    loop = [
        op("n = Constant <value_int = 2> ()"),
        node("Constant", [], ["c"], value=stored("", True, numpy.bool_)),
        node("Loop", ["n", "c", "a"], ["b"], body=body([ON, op("w = Neg (v)")], [KEPT, CARRIED])),
    ]
    yield asked("function", "function: a Loop in it", call, function("f", "a", "b", loop))
    constant = AttributeProto(name="value", ref_attr_name="k", type=AttributeProto.TENSOR)
    held = op("t = Constant ()")
    held.attribute.append(constant)
    yield asked(
        "function",
        "function: a tensor as attribute",
        node("f", ["x"], ["y"], domain="local", k=stored("", [1, 2, 3])),
        function("f", "a", "b", [held, op("b = Add (a, t)")], attributes=["k"]),
    )
    transposed = referring(op("b = Transpose (a)"), "perm", "p", AttributeProto.INTS)
    yield asked(
        "function",
        "function: numbers as attribute",
        op("y = local.f <p = [1, 0]> (x)"),
        function("f", "a", "b", [transposed], attributes=["p"]),
        [value("y", F, [3, 2])],
    )
    yield asked("function", "function: an attribute left out", call, function("f", "a", "b", [transposed], attributes=["p"]), [value("y", F, [3, 2])])
    inner = function("g", "a", "b", [referring(op("b = LeakyRelu (a)"), "alpha", "slope", AttributeProto.FLOAT)], attributes=["slope"])
    outer = function(
        "f", "a", "b", [referring(op("b = local.g (a)"), "slope", "alpha", AttributeProto.FLOAT)], (("", 17), ("local", 1)), attributes=["alpha"]
    )
    yield asked("function", "function: an attribute through two", op("y = local.f <alpha = 0.2> (x)"), [outer, inner])
    yield asked("function", "function: named as an operator", op("y = local.Relu (x)"), function("Relu", "a", "b", "b = Neg (a)"))
    recursive = function("f", "a", "b", "b = local.f (a)", (("", 17), ("local", 1)))
    yield asked("", "function that calls itself", call, recursive)
    softmax = function("Relu", "a", "b", "b = Neg (a)", domain="")
    yield Form(
        "function-standard",
        "function of the name and domain of an operator",
        model("y = Relu (x)", functions=[softmax], imports=[("", 17)]),
        model("y = Relu (x)"),
    )
    yield asked(
        "function", "function: without inputs", op("y = local.f ()"), function("f", "", "b", [node("Constant", [], ["b"], value=stored("", X))])
    )
    yield asked("function", "function: an unused input", op("y = local.f (x, x)"), function("f", "a u", "b", "b = Neg (a)"))
    yield asked("function", "function: a node whose result is not used", call, function("f", "a", "b", "b = Neg (a); e = Exp (a)"))
    yield asked(
        "function",
        "function: a Scan in it",
        call,
        function("f", "a", "b", [node("Scan", ["a"], ["b"], body=graph("body", "z = Neg (r)", [ROW[1]], [ROWS[1]]), num_scan_inputs=1)]),
    )
    yield asked(
        "function",
        "function: of the domain of another runtime",
        op("y = com.acme.f (x)"),
        function("f", "a", "b", "b = Neg (a)", domain="com.acme"),
        imports=[("", 17), ("com.acme", 1)],
    )
    overloaded = [function("f", "a", "b", "b = Neg (a)"), function("f", "a", "b", "b = Abs (a)")]
    overloaded[0].overload, overloaded[1].overload = "one", "two"
    chosen = op("y = local.f (x)")
    chosen.overload = "two"
    yield asked("function", "function: chosen by its overload", chosen, overloaded, ir=10)
    yield asked("", "two functions of one name", call, [function("f", "a", "b", "b = Neg (a)"), function("f", "a", "b", "b = Abs (a)")])


def of_sequences() -> Iterator[Form]:
    plain = model("y = Neg (x)")

    def asked(
        kind: str,
        name: str,
        nodes: Sequence[NodeProto],
        outputs: Any = None,
        entries: Any = ONE,
        tensors: Any = (),
        given: Any = None,
        opset: int = 17,
    ) -> Form:
        return Form(kind, name, model(nodes, entries, outputs or [value("y", F, None)], tensors, opset=opset), plain, given or {"x": X})

    pair = op("q = SequenceConstruct (x, x)")
    at = stored("i", 1, numpy.int64)
    yield asked("", "a sequence that is joined", [pair, op("y = ConcatFromSequence <axis = 0> (q)")], [value("y", F, [4, 3])])
    yield asked("", "a sequence that is stacked", [pair, op("y = ConcatFromSequence <axis = 0, new_axis = 1> (q)")], [value("y", F, [2, 2, 3])])
    yield asked("", "an element of a sequence", [pair, op("y = SequenceAt (q, i)")], [value("y")], tensors=[at])
    yield asked("", "the length of a sequence", [pair, op("y = SequenceLength (q)")], [value("y", I64, [])])
    yield asked("sequence-output", "a sequence as result", [pair], [sequence("q")])
    yield asked(
        "sequence-output", "an empty sequence as result", parsed(f"q = SequenceEmpty <dtype = {F}> (); y = Neg (x)"), [value("y"), sequence("q")]
    )
    yield asked(
        "",
        "a split that is joined",
        parsed("q = SplitToSequence <axis = 1> (x, i); y = ConcatFromSequence <axis = 1> (q)"),
        [value("y")],
        tensors=[at],
    )
    yield asked(
        "", "a part of a split", parsed("q = SplitToSequence <axis = 1> (x, i); y = SequenceAt (q, i)"), [value("y", F, [2, 1])], tensors=[at]
    )
    yield asked(
        "",
        "a part of a split without dimensions",
        parsed("q = SplitToSequence <axis = 1, keepdims = 0> (x); y = SequenceAt (q, i)"),
        [value("y", F, [2])],
        tensors=[at],
    )
    yield asked("sequence-output", "a split as result", parsed("q = SplitToSequence <axis = 0> (x)"), [sequence("q")])
    yield asked(
        "",
        "an inserted element",
        [pair, op("p = SequenceInsert (q, x, i)"), op("y = ConcatFromSequence <axis = 0> (p)")],
        [value("y", F, [6, 3])],
        tensors=[at],
    )
    yield asked(
        "", "an erased element", [pair, op("p = SequenceErase (q, i)"), op("y = ConcatFromSequence <axis = 0> (p)")], [value("y")], tensors=[at]
    )
    yield asked(
        "sequence-input", "a sequence as input", parsed("y = ConcatFromSequence <axis = 0> (q)"), entries=[sequence("q")], given={"q": [X, X]}
    )
    yield asked("", "an optional tensor as input", parsed("y = OptionalGetElement (o)"), [value("y")], [optional("o")], given={"o": X}, opset=18)
    yield asked("", "an optional tensor as result", parsed("o = Optional (x)"), [optional("o")])
    yield asked(
        "sequence-output", "a sequence as input and result", parsed("p = Identity (q)"), [sequence("p")], [sequence("q")], given={"q": [X, X]}
    )
    yield asked(
        "sequence-output",
        "arms of sequences as result",
        [branches("t = SequenceConstruct (x)", "e = SequenceConstruct (x, x)", ["q"], t=[sequence("t")], e=[sequence("e")])],
        [sequence("q")],
        CONDITIONED,
        given=GIVEN,
    )
    yield asked(
        "sequence-input",
        "the length of a sequence that is an input",
        parsed("y = SequenceLength (q)"),
        [value("y", I64, [])],
        [sequence("q")],
        given={"q": [X, X]},
    )
    yield asked("", "an optional tensor inside", parsed("o = Optional (x); y = OptionalGetElement (o)"), [value("y")], opset=18)
    yield asked("", "has an optional tensor an element", parsed("o = Optional (x); y = OptionalHasElement (o)"), [value("y", B, [])], opset=18)
    mapped = node("SequenceMap", ["q"], ["p"], body=graph("body", "f = Neg (e)", [value("e")], [value("f")]))
    yield asked("", "a sequence that is mapped", [pair, mapped, op("y = ConcatFromSequence <axis = 0> (p)")], [value("y", F, [4, 3])])
    yield asked("", "an Identity of a sequence", [pair, op("p = Identity (q)"), op("y = ConcatFromSequence <axis = 0> (p)")], [value("y", F, [4, 3])])


def of_declarations() -> Iterator[Form]:
    plain = model("y = Neg (x)")
    yield Form("", "a stored tensor that nothing reads", model("y = Neg (x)", tensors=[stored("u", [1, 2])]), plain)
    yield Form("", "a node that nothing reads", model("y = Neg (x); u = Exp (x)"), plain)
    yield Form("", "an opset that nothing uses", model("y = Neg (x)", imports=[("", 17), ("ai.onnx.ml", 3), ("com.acme", 1)]), plain)
    yield Form("", "an input as result", model("y = Neg (x)", outputs=[value("y"), value("x")]), plain)
    yield Form("", "a stored tensor as result", model("y = Neg (x)", outputs=[value("y"), value("k")], tensors=[stored("k", X)]), plain)
    yield Form("", "nothing but an input as result", model([], outputs=[value("x")]), plain)
    contradicted = model("t = Neg (x); y = Abs (t)")
    for name, info in (("dtype", value("t", D)), ("rank", value("t", F, [6])), ("size", value("t", F, [2, 4]))):
        made = ModelProto.FromString(contradicted.SerializeToString())
        made.graph.value_info.append(info)
        yield Form("", f"a value is declared with another {name}", made, contradicted)
    reversed_nodes = model("y = Abs (t); t = Neg (x)")
    yield Form("", "nodes in another order", reversed_nodes, contradicted)
    spelled = model([helper.make_node("Neg", ["x"], ["y"], domain="ai.onnx")], imports=[("ai.onnx", 17)])
    yield Form("domain-spelled", "the domain of ONNX by its name", spelled, plain)
    for at in ("", "scalar"):
        shape: list[int] = [] if at else [2, 3]
        yield Form(
            "",
            f"a bool that is stored as 2{', a scalar' if at else ''}",
            model(
                "y = Where (m, x, z)",
                tensors=[TensorProto(name="m", data_type=B, dims=shape, raw_data=bytes([2] * (6 if not at else 1))), stored("z", 0)],
            ),
            model("y = Where (m, x, z)", tensors=[stored("m", numpy.ones(shape), numpy.bool_), stored("z", 0)]),
        )
    trailing = model('y = Clip (x, "", "")')
    yield Form("", "operands that are left out at the end", trailing, model("y = Clip (x)"))
    yield Form(
        "",
        "a result that is left out",
        model('y, "" = TopK <axis = 1> (x, k)', outputs=[value("y", F, [2, 2])], tensors=[stored("k", [2], numpy.int64)]),
        plain,
    )
    yield Form(
        "",
        "a scalar as input and result",
        model("y = Neg (x)", [value("x", F, [])], [value("y", F, [])]),
        plain,
        {"x": numpy.array(2, numpy.float32)},
    )
    nothing, entry = {"x": numpy.zeros((0, 3), numpy.float32)}, [value("x", F, [0, 3])]
    for name, text, rows in (
        ("", "y = Neg (x)", 0),
        (" that is reduced to its greatest", "y = ReduceMax <axes = [0]> (x)", 1),
        (" that is multiplied", "y = MatMul (x, w)", 0),
    ):
        weights = [stored("w", numpy.eye(3))] if "w)" in text else []
        yield Form("", f"an empty input{name}", model(text, entry, [value("y", F, [rows, 3])], weights), plain, nothing)


def of_fusions() -> Iterator[Form]:
    """Patterns that ONNX Runtime and OpenVINO rewrite, each around a condition of its rewriting."""
    rows = numpy.linspace(-2, 2, 2 * 4 * 8, dtype=numpy.float32).reshape(2, 4, 8)
    entry, result = [value("x", F, [2, 4, 8])], [value("y", F, [2, 4, 8])]
    plain = model("y = Neg (x)", entry, result)

    def asked(kind: str, name: str, nodes: Sequence[NodeProto], tensors: Any = (), outputs: Any = None, opset: int = 17) -> Form:
        return Form(kind, name, model(nodes, entry, outputs or result, tensors, opset=opset), plain, {"x": rows})

    half, root, one, two = stored("half", 0.5), stored("root", 2**0.5), stored("one", 1), stored("two", 2)
    erf = parsed("a = Div (x, root); e = Erf (a); p = Add (e, one)")
    yield asked("", "gelu by erf", [*erf, op("m = Mul (x, p)"), op("y = Mul (m, half)")], [half, root, one])
    yield asked("", "gelu by erf, the other way round", [*erf, op("m = Mul (x, half)"), op("y = Mul (m, p)")], [half, root, one])
    yield asked(
        "",
        "gelu by erf, its erf is a result",
        [*erf, op("m = Mul (x, p)"), op("y = Mul (m, half)")],
        [half, root, one],
        [*result, value("e", F, [2, 4, 8])],
    )
    normal = parsed(
        "u = ReduceMean <axes = [-1]> (x); d = Sub (x, u); q = Pow (d, two); v = ReduceMean <axes = [-1]> (q);"
        " w = Add (v, eps); r = Sqrt (w); n = Div (d, r); m = Mul (n, g); y = Add (m, b)"
    )
    parts = [two, stored("eps", 1e-5), stored("g", numpy.arange(8)), stored("b", numpy.ones(8))]
    yield asked("", "a normalisation of layers, taken apart", normal, parts)
    cast = [*normal[:6], op(f"rc = Cast <to = {F}> (r)"), op("n = Div (d, rc)"), *normal[7:]]
    yield asked("", "a normalisation of layers with a Cast", cast, parts)
    yield asked("", "a normalisation of layers whose deviation is read twice", [*normal[:-1], op("k = Add (m, b)"), op("y = Add (k, d)")], parts)
    skip = parsed("s = Add (x, k); l = LayerNormalization (s, g, b); y = Add (l, s)")
    yield asked("", "a skip before a normalisation", skip, [stored("k", rows[0]), *parts[2:]])
    weight = stored("w", numpy.linspace(-1, 1, 64).reshape(8, 8))
    yield asked("", "a product and its bias", parsed("m = MatMul (x, w); y = Add (m, b)"), [weight, parts[3]])
    yield asked("", "a product, its bias, gelu", parsed("m = MatMul (x, w); h = Add (m, b); y = Gelu (h)"), [weight, parts[3]], opset=20)
    yield asked(
        "", "a product of a transposed operand", parsed("t = Transpose <perm = [0, 2, 1]> (x); y = MatMul (x, t)"), outputs=[value("y", F, [2, 4, 4])]
    )
    yield asked(
        "",
        "a product of a transposed operand, its batch too",
        parsed("t = Transpose <perm = [2, 1, 0]> (x); y = MatMul (t, u)"),
        [stored("u", numpy.ones((8, 2, 3)))],
        [value("y", F, [8, 4, 3])],
    )
    yield asked("", "two transpositions", parsed("t = Transpose <perm = [1, 0, 2]> (x); r = Relu (t); y = Transpose <perm = [1, 0, 2]> (r)"))
    yield asked("", "two transpositions that cancel", parsed("t = Transpose <perm = [1, 2, 0]> (x); y = Transpose <perm = [2, 0, 1]> (t)"))
    yield asked(
        "",
        "a shape that is put together",
        parsed("s = Shape (x); d = Gather (s, zero); du = Unsqueeze (d, axes); k = Concat <axis = 0> (du, rest); y = Reshape (x, k)"),
        [stored("zero", 0, numpy.int64), stored("axes", [0], numpy.int64), stored("rest", [-1, 8], numpy.int64)],
    )
    yield asked("", "casts there and back", parsed(f"h = Cast <to = {F16}> (x); y = Cast <to = {F}> (h)"))
    yield asked("", "casts to a wider dtype and back", parsed(f"h = Cast <to = {D}> (x); y = Cast <to = {F}> (h)"))
    yield asked("", "casts to integers and back", parsed(f"h = Cast <to = {I64}> (x); y = Cast <to = {F}> (h)"))
    yield asked("", "Relu and Clip", parsed("r = Relu (x); y = Clip (r, low, one)"), [stored("low", -1), one])
    yield asked("", "two Clips", parsed('r = Clip (x, low, one); y = Clip (r, half, "")'), [stored("low", -1), one, half])
    yield asked("", "Clip whose minimum is above its maximum", parsed("y = Clip (x, one, half)"), [one, half])
    yield asked(
        "",
        "a fully masked softmax that is guarded",
        parsed("m = Where (k, x, inf); s = Softmax (m); n = IsNaN (s); y = Where (n, zero, s)"),
        [stored("k", numpy.arange(4).reshape(4, 1) > 0, numpy.bool_), stored("inf", -numpy.inf), stored("zero", 0)],
    )
    yield asked(
        "greatest-infinite",
        "a softmax of negative infinities, guarded by its greatest",
        parsed("m = Where (k, x, inf); s = Softmax (m); g = ReduceMax <axes = [-1]> (m); n = Equal (g, inf); y = Where (n, zero, s)"),
        [stored("k", numpy.arange(4).reshape(4, 1) > 0, numpy.bool_), stored("inf", -numpy.inf), stored("zero", 0)],
    )
    yield asked("", "a division by itself", parsed("q = Div (x, x); y = Mul (q, x)"))
    yield asked("", "Pow by 2", parsed("y = Pow (x, two)"), [two])
    yield asked("", "Pow by 0.5 of negative numbers", parsed("y = Pow (x, half)"), [half])
    yield asked("", "swish by hand", parsed("s = Sigmoid (x); y = Mul (x, s)"))
    yield asked("", "mish by hand", parsed("s = Softplus (x); t = Tanh (s); y = Mul (x, t)"))
    yield asked(
        "",
        "a slice of nothing",
        parsed("y = Slice (x, a, z)"),
        [stored("a", [0], numpy.int64), stored("z", [numpy.iinfo(numpy.int64).max], numpy.int64)],
    )
    yield asked(
        "",
        "a slice backwards",
        parsed("y = Slice (x, a, z, i, k)"),
        [
            stored("a", [-1], numpy.int64),
            stored("z", [numpy.iinfo(numpy.int64).min], numpy.int64),
            stored("i", [1], numpy.int64),
            stored("k", [-1], numpy.int64),
        ],
    )
    yield asked("", "an Expand to the same shape", parsed("y = Expand (x, s)"), [stored("s", [1, 4, 1], numpy.int64)])
    yield asked("", "parts that are joined again", parsed("p, q = Split <axis = 2> (x); y = Concat <axis = 2> (p, q)"))
    yield asked("", "parts that are joined the other way round", parsed("p, q = Split <axis = 2> (x); y = Concat <axis = 2> (q, p)"))
    yield asked(
        "",
        "topk after a slice of all but the last axis",
        parsed("p = Slice (x, a, z, i); y, j = TopK <axis = 1> (p, k)"),
        [stored("a", [0], numpy.int64), stored("z", [4], numpy.int64), stored("i", [2], numpy.int64), stored("k", [2], numpy.int64)],
        [value("y", F, [2, 2, 4])],
    )


def of_image_fusions() -> Iterator[Form]:
    """The same of convolutions and pools."""
    images = numpy.linspace(-1, 1, 2 * 3 * 6 * 6, dtype=numpy.float32).reshape(2, 3, 6, 6)
    image, open_image = [value("x", F, [2, 3, 6, 6])], [value("y", F, None)]
    plain = model("y = Neg (x)", image, [value("y", F, [2, 3, 6, 6])])

    def seen(name: str, nodes: Sequence[NodeProto], tensors: Any = (), outputs: Any = None) -> Form:
        return Form("", name, model(nodes, image, outputs or open_image, tensors), plain, {"x": images})

    kernel, bias = stored("w", numpy.linspace(-1, 1, 81).reshape(3, 3, 3, 3)), stored("b", [1, 2, 3])
    norm = [stored(n, v) for n, v in (("g", [1, 2, 3]), ("h", [0, 1, 0]), ("u", [0.1, 0.2, 0.3]), ("v", [1, 2, 1]))]
    conv = node("Conv", ["x", "w", "b"], ["c"], pads=[1] * 4)
    yield seen("Conv, BatchNormalization, Relu", [conv, op("n = BatchNormalization (c, g, h, u, v)"), op("y = Relu (n)")], [kernel, bias, *norm])
    yield seen(
        "Conv, BatchNormalization, its Conv is a result",
        [conv, op("y = BatchNormalization (c, g, h, u, v)")],
        [kernel, bias, *norm],
        [*open_image, value("c", F, None)],
    )
    yield seen(
        "BatchNormalization, Conv with padding",
        [op("n = BatchNormalization (x, g, h, u, v)"), node("Conv", ["n", "w", "b"], ["y"], pads=[1] * 4)],
        [kernel, bias, *norm],
    )
    pads, zero, one = stored("p", [0, 0, 1, 1, 0, 0, 1, 1], numpy.int64), stored("z", 0), stored("z", 1)
    padded = "q = Pad (x, p, z); "
    yield seen("Pad, Conv", parsed(padded + "y = Conv (q, w)"), [kernel, pads, zero])
    yield seen("Pad by ones, Conv", parsed(padded + "y = Conv (q, w)"), [kernel, pads, one])
    for kind in ("MaxPool", "AveragePool"):
        yield seen(f"Pad, {kind}", parsed(f"{padded}y = {kind} <kernel_shape = [2, 2]> (q)"), [pads, zero])
    yield seen("Pad by reflection, Conv", parsed('q = Pad <mode = "reflect"> (x, p); y = Conv (q, w)'), [kernel, pads])
    yield seen("negative Pad, Conv", parsed("q = Pad (x, p); y = Conv (q, w)"), [kernel, stored("p", [0, 0, -1, -1, 0, 0, 1, 1], numpy.int64)])
    yield seen("Conv, Mul by a channel", [conv, op("y = Mul (c, k)")], [kernel, bias, stored("k", numpy.array([1, 2, 3]).reshape(3, 1, 1))])
    yield seen("Conv, Mul by an image", [conv, op("y = Mul (c, k)")], [kernel, bias, stored("k", numpy.ones((1, 3, 6, 6)))])
    yield seen("Conv, Add of a column", [conv, op("y = Add (c, k)")], [kernel, bias, stored("k", numpy.arange(6))])
    yield seen("Conv, Add of what is computed, Relu", [conv, op("t = Neg (x)"), op("s = Add (c, t)"), op("y = Relu (s)")], [kernel, bias])
    yield seen(
        "Resize by sizes that are computed",
        parsed('s = Shape (x); h = Slice (s, a, z); n = Concat <axis = 0> (h, k); y = Resize <mode = "nearest"> (x, "", "", n)'),
        [stored("a", [0], numpy.int64), stored("z", [2], numpy.int64), stored("k", [12, 12], numpy.int64)],
    )
    yield seen(
        "AveragePool that rounds up and counts its padding",
        [node("AveragePool", ["x"], ["y"], kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4, ceil_mode=1, count_include_pad=1)],
    )
    yield seen("MaxPool that rounds up beyond its input", parsed("y = MaxPool <ceil_mode = 1, kernel_shape = [1, 1], strides = [4, 4]> (x)"))


def of_pairs() -> Iterator[Form]:
    """What stands between dequantising and quantising."""
    images = numpy.linspace(-1, 1, 2 * 3 * 4 * 4, dtype=numpy.float32).reshape(2, 3, 4, 4)
    entry, result = [value("x", F, [2, 3, 4, 4])], [value("y", F, None)]
    plain = model("y = Neg (x)", entry, result)
    scales = [stored("s", 0.01), stored("z", 0, numpy.int8), stored("t", 0.02), stored("k", 128, numpy.uint8)]

    def pair(given: str, made: str, scale: str = "s", zero: str = "z") -> list[NodeProto]:
        return [node("QuantizeLinear", [given, scale, zero], [f"{made}_q"]), node("DequantizeLinear", [f"{made}_q", scale, zero], [made])]

    def asked(kind: str, name: str, nodes: Sequence[NodeProto], tensors: Any = (), opset: int = 17) -> Form:
        return Form(kind, name, model(nodes, entry, result, [*scales, *tensors], opset=opset), plain, {"x": images})

    for name, between in (
        ("Relu", parsed("b = Relu (a)")),
        ("MaxPool", parsed("b = MaxPool <kernel_shape = [2, 2]> (a)")),
        ("AveragePool", parsed("b = AveragePool <kernel_shape = [2, 2]> (a)")),
        ("GlobalAveragePool", parsed("b = GlobalAveragePool (a)")),
        ("Sigmoid", parsed("b = Sigmoid (a)")),
        ("LeakyRelu", parsed("b = LeakyRelu (a)")),
        ("Softmax", parsed("b = Softmax (a)")),
        ("Transpose", parsed("b = Transpose <perm = [0, 2, 3, 1]> (a)")),
        ("Clip", parsed("b = Clip (a, low, high)")),
        ("Add of itself", parsed("b = Add (a, a)")),
        ("Concat", parsed("b = Concat <axis = 1> (a, a)")),
        ("Split", parsed("b, c = Split <axis = 2> (a)")),
        ("Resize", parsed('b = Resize <mode = "nearest"> (a, "", f)')),
        ("ReduceMean", parsed("b = ReduceMean <axes = [2, 3]> (a)")),
    ):
        tensors = [stored("low", -0.5), stored("high", 0.5), stored("f", [1, 1, 2, 2])]
        yield asked("", f"{name} between quantised values", [*pair("x", "a"), *between, *pair("b", "y", "t")], tensors)
        yield asked("", f"{name} between values of unsigned numbers", [*pair("x", "a", "s", "k"), *between, *pair("b", "y", "t", "k")], tensors)
    kernel, at = stored("w", numpy.arange(-40, 41).reshape(3, 3, 3, 3), numpy.int8), stored("v", 0.005)
    weights = op("wf = DequantizeLinear (w, v, z)")
    yield asked(
        "", "a quantised Conv", [*pair("x", "a"), weights, node("Conv", ["a", "wf"], ["b"], pads=[1] * 4), *pair("b", "y", "t")], [kernel, at]
    )
    yield asked("", "a quantised Conv, its result is float", [*pair("x", "a"), weights, node("Conv", ["a", "wf"], ["y"], pads=[1] * 4)], [kernel, at])
    per = [kernel, stored("v", [0.005, 0.01, 0.02]), stored("zz", [0, 0, 0], numpy.int8)]
    by_channel = op("wf = DequantizeLinear <axis = 0> (w, v, zz)")
    yield asked(
        "", "a quantised Conv, by channel", [*pair("x", "a"), by_channel, node("Conv", ["a", "wf"], ["b"], pads=[1] * 4), *pair("b", "y", "t")], per
    )
    yield asked(
        "",
        "a quantised Conv, Relu",
        [*pair("x", "a"), weights, node("Conv", ["a", "wf"], ["c"], pads=[1] * 4), op("b = Relu (c)"), *pair("b", "y", "t")],
        [kernel, at],
    )
    product = [stored("w", numpy.arange(-8, 8).reshape(4, 4), numpy.int8), at]
    yield asked("", "a quantised product", [*pair("x", "a"), weights, op("b = MatMul (a, wf)"), *pair("b", "y", "t")], product)
    yield asked("", "weights alone are quantised", [weights, op("y = MatMul (x, wf)")], product)
    yield asked("", "a pair twice", [*pair("x", "a"), *pair("a", "y")])
    yield asked("", "a pair twice, of two scales", [*pair("x", "a"), *pair("a", "y", "t")])
    yield asked(
        "", "a pair that is read twice", [*pair("x", "a"), op("r = Relu (a)"), op("g = Sigmoid (a)"), op("b = Mul (r, g)"), *pair("b", "y", "t")]
    )
    yield asked(
        "", "a pair of 16 bits", parsed("q = QuantizeLinear (x, s, z16); y = DequantizeLinear (q, s, z16)"), [stored("z16", 0, numpy.int16)], opset=21
    )
    yield asked(
        "",
        "a quantised value is transposed as such",
        parsed("q = QuantizeLinear (x, s, z); p = Transpose <perm = [0, 2, 3, 1]> (q); y = DequantizeLinear (p, s, z)"),
    )


def of_types() -> Iterator[Form]:
    """Inputs and results that are declared with less than a dtype and a rank."""
    relu = parsed("y = Relu (x)")
    plain = model(relu)
    undefined = value("x", 0)
    yield Form("input-typeless", "an input of no dtype", model(relu, [undefined]), plain)
    yield Form("output-undefined", "an output of no dtype", model(relu, outputs=[value("y", 0)]), plain)
    yield Form("output-undefined", "an output of no dtype and rank", model(relu, outputs=[value("y", 0, None)]), plain)
    yield Form("output-none", "a graph without outputs", model(relu, outputs=()), plain)
    yield Form("output-none", "a graph without outputs and nodes", model([], outputs=()), plain)
    unranked = [value("x", F, None)]
    yield Form("input-unranked", "an input without a rank", model(relu, unranked, [value("y", F, None)]), plain)
    sizes = [value("y", I64, None)]
    shape = parsed("y = Shape (x)")
    yield Form("input-unranked", "the sizes of an input without a rank", model(shape, unranked, sizes), model(shape, outputs=sizes))
    flat, ten = parsed("y = Reshape (x, k)"), [stored("k", [3, 2], numpy.int64)]
    yield Form("input-unranked", "a Reshape of an input without a rank", model(flat, unranked, [value("y", F, [3, 2])], ten), plain)
    for name, dtype in (("complex", TensorProto.COMPLEX64), ("uint16", TensorProto.UINT16), ("float64", D)):
        beside = model(relu, [value("x"), value("u", dtype, [1])])
        given = {"x": X, "u": numpy.ones(1, helper.tensor_dtype_to_np_dtype(dtype))}
        yield Form("", f"an input of {name} that nothing reads", beside, plain, given)


def of_conditions() -> Iterator[Form]:
    """Loops that read the condition that they hand on, and those of fewer than no turns."""
    where = [ON, op("t = Where (go, v, x)"), op("w = Add (t, x)")]
    cast = [ON, op(f"t = Cast <to = {F}> (go)"), op("w = Add (v, t)")]
    arms = branches("t = Neg (v)", "e = Abs (v)", ["w"])
    arms.input[0] = "go"
    yield looped("loop-condition-read", "a Loop chooses by its condition", loop_of(where))
    yield looped("loop-condition-read", "a Loop counts its condition", loop_of(cast))
    yield looped("loop-condition-read", "an If by the condition of its Loop", loop_of([ON, arms]))
    both = parsed("l = Less (i, n); on = And (go, l); w = Neg (v)")
    yield looped("", "a Loop goes on while its condition and another hold", loop_of(both))
    less = [stored("n", -2, numpy.int64)]
    entries = [each for each in LOOPED if each.name != "n"]
    steps = [ON, op("w = Neg (v)")]
    scanned_too = loop_of([*steps, op("o = Exp (v)")], [KEPT, CARRIED, value("o")], outputs=["z", "y"])
    yield looped("loop-trips-negative", "a Loop of fewer than no turns", loop_of(steps), entries=entries, tensors=less)
    yield looped("loop-trips-negative", "a Loop of minus one turns", loop_of(steps), entries=entries, tensors=[stored("n", -1, numpy.int64)])
    ends = parsed("m = ReduceMax <keepdims = 0> (v); on = Less (m, k); w = Add (v, x)")
    until = loop_of(ends, inputs=["", "c", "x"])
    limits = [stored("k", 9), stored("c", True, numpy.bool_)]
    yield looped("loop-no-trips", "a Loop that ends by a comparison", until, entries=[value("x")], tensors=limits)
    yield looped("loop-no-trips", "a Loop that a comparison ends", until, entries=[value("c", B, []), value("x")], tensors=limits[:1])
    stacked = [value("z"), value("y", F, None)]
    yield looped("loop-trips-negative", "a Loop of fewer than no turns stacks", scanned_too, stacked, entries, less)


def of_scales() -> Iterator[Form]:
    """Numbers of 16 bits, and weights whose scales lie along one axis or the other."""
    far = X * 100
    plain = model("y = Neg (x)")
    for name, dtype in (("int16", numpy.int16), ("uint16", numpy.uint16)):
        scale = [stored("s", 0.001), stored("z", 0, dtype)]

        def pair(given: str, made: str) -> list[NodeProto]:
            return [node("QuantizeLinear", [given, "s", "z"], ["q"]), node("DequantizeLinear", ["q", "s", "z"], [made])]

        after = model([*pair("x", "d"), op("y = Neg (d)")], tensors=scale, opset=21)
        yield Form("sixteen-bits", f"a pair of {name}", after, plain, {"x": far})
        amid = model([op("r = Relu (x)"), *pair("r", "y")], tensors=scale, opset=21)
        yield Form("sixteen-bits", f"a pair of {name} at the end", amid, plain, {"x": far})
        yield Form("sixteen-bits-alone", f"nothing but a pair of {name}", model(pair("x", "y"), tensors=scale, opset=21), plain)
        theirs = pair("x", "y")
        for each in theirs:
            each.domain = "com.microsoft"
        yield Form(
            "sixteen-bits-alone",
            f"nothing but a pair of {name} of ONNX Runtime's own",
            model(theirs, tensors=scale, imports=[("", 17), ("com.microsoft", 1)]),
            plain,
        )
        two = model([*pair("x", "d"), op("y = Neg (d)")], outputs=[value("y"), value("d")], tensors=scale, opset=21)
        yield Form("sixteen-bits-alone", f"a pair of {name} that is a result as well", two, plain)
    for kernel, stride, pad, size in ((1, 2, 0, 4), (2, 2, 1, 5), (2, 3, 1, 5), (1, 3, 0, 5)):

        def pool(rounds: int, kernel: int = kernel, stride: int = stride, pad: int = pad, size: int = size) -> ModelProto:
            made = node("MaxPool", ["x"], ["y"], kernel_shape=[kernel], strides=[stride], pads=[pad, pad], ceil_mode=rounds)
            return model([made], [value("x", F, [1, 1, size])], [value("y", F, None)])

        entry = numpy.linspace(-1, 1, size, dtype=numpy.float32).reshape(1, 1, size)
        yield Form("pool-beyond", f"a MaxPool of {kernel} by {stride}, padded by {pad}, rounds up", pool(1), pool(0), {"x": entry})


MAKERS: list[Callable[[], Iterator[Form]]] = [
    of_scans,
    of_loops,
    of_arms,
    of_functions,
    of_sequences,
    of_declarations,
    of_fusions,
    of_image_fusions,
    of_pairs,
    of_types,
    of_conditions,
    of_scales,
]


def nested_forms() -> list[Form]:
    return [each for make in MAKERS for each in make()]
