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


PLAIN_SCAN = [node("Add", ["a", "r"], ["b"]), node("Neg", ["b"], ["z"])]
SCAN_RESULTS = [value("last", F, [3]), value("y")]
GOOD_SCAN = model([scan_over(PLAIN_SCAN)], SCANNED, SCAN_RESULTS)


def scanned(
    kind: str, name: str, made: NodeProto, before: Sequence[NodeProto] = (), entries: Any = None, tensors: Any = (), given: Any = None
) -> Form:
    return Form(kind, name, model([*before, made], entries or SCANNED, SCAN_RESULTS, tensors), GOOD_SCAN, given or STATE)


def of_scans() -> Iterator[Form]:
    reads = [node("Add", ["a", "r"], ["b"]), node("Mul", ["b", "k"], ["z"])]
    row = stored("k", [1, 2, 3])
    yield scanned(
        "scan-reads-outer",
        "a Scan's body reads an input of the model",
        scan_over(reads),
        entries=[*SCANNED, value("k", F, [3])],
        given={**STATE, "k": X[0]},
    )
    yield scanned("scan-reads-stored", "a Scan's body reads a stored tensor of the model", scan_over(reads), tensors=[row])
    yield scanned("scan-reads-outer", "a Scan's body reads what the model computes", scan_over(reads), [node("Exp", ["s"], ["k"])])
    yield scanned("scan-reads-stored", "a Scan's body reads a constant of the model", scan_over(reads), [node("Constant", [], ["k"], value=row)])
    yield scanned("", "a Scan's body has a stored tensor", scan_over(reads, [row]))
    squeezed = [node("Unsqueeze", ["a", "k"], ["u"]), node("Squeeze", ["u", "k"], ["q"]), node("Add", ["q", "r"], ["b"]), node("Neg", ["b"], ["z"])]
    yield scanned("scan-reads-stored", "a Scan's body reads axes of the model", scan_over(squeezed), [node("Constant", [], ["k"], value_ints=[0])])
    arm = node(
        "If",
        ["g"],
        ["b"],
        then_branch=graph("t", [node("Neg", ["a"], ["t"])], [], [value("t", F, [3])]),
        else_branch=graph("e", [node("Add", ["a", "r"], ["e"])], [], [value("e", F, [3])]),
    )
    inside = [node("ReduceSum", ["r"], ["m"], keepdims=0), node("Greater", ["m", "zero"], ["g"]), arm, node("Neg", ["b"], ["z"])]
    yield scanned("", "an If in a Scan", scan_over(inside, [stored("zero", 0)]))
    product = [node("MatMul", ["a", "w"], ["m"]), node("Add", ["m", "r"], ["b"]), node("Tanh", ["b"], ["z"])]
    yield scanned("", "a recurrent step in a Scan", scan_over(product, [stored("w", numpy.eye(3))]))
    yield scanned("scan-reads-stored", "a recurrent step in a Scan, its weight outside", scan_over(product), tensors=[stored("w", numpy.eye(3))])
    alone = node("Scan", ["x"], ["y"], body=graph("body", [node("Neg", ["r"], ["z"])], [ROW[1]], [ROWS[1]]), num_scan_inputs=1)
    yield Form("scan-stateless", "a Scan without state", model([alone]), model([node("Neg", ["x"], ["y"])]))
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


GOOD_LOOP = model([loop_of([ON, node("Neg", ["v"], ["w"])])], LOOPED)


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
    product = [ON, node("MatMul", ["v", "m"], ["w"])]
    yield looped("", "a product in a Loop, its weight outside", loop_of(product), tensors=[weight])
    yield looped("", "a product in a Loop, its weight inside", loop_of(product, tensors=[weight]))
    yield looped("", "a Loop reads what the model computes", loop_of([ON, node("Add", ["v", "k"], ["w"])]), before=[node("Exp", ["x"], ["k"])])
    yield looped(
        "",
        "a Loop that ends by its values",
        loop_of(
            [node("ReduceMax", ["v"], ["m"], keepdims=0), node("Less", ["m", "limit"], ["on"]), node("Add", ["v", "one"], ["w"])],
            tensors=[stored("limit", 4), stored("one", 1)],
        ),
    )
    inner = loop_of(
        [node("Identity", ["go"], ["on2"]), node("Neg", ["v2"], ["w2"])],
        [value("on2", B, []), value("w2")],
        inputs=["n", "c", "v"],
        outputs=["w"],
        carried=[value("v2")],
    )
    yield looped("", "a Loop in a Loop", loop_of([ON, inner]))
    arm = node(
        "If",
        ["g"],
        ["w"],
        then_branch=graph("t", [node("Neg", ["v"], ["t"])], [], [value("t")]),
        else_branch=graph("e", [node("Abs", ["v"], ["e"])], [], [value("e")]),
    )
    yield looped("", "an If in a Loop", loop_of([ON, node("Equal", ["i", "one"], ["g"]), arm], tensors=[stored("one", 1, numpy.int64)]))
    scan = node("Scan", ["v"], ["w"], body=graph("body2", [node("Neg", ["r"], ["z"])], [ROW[1]], [ROWS[1]]), num_scan_inputs=1)
    yield looped("scan-stateless", "a Scan in a Loop", loop_of([ON, scan]))
    swapped = loop_of(
        [ON, node("Identity", ["v"], ["p"]), node("Identity", ["u"], ["q"])],
        [KEPT, value("q"), value("p")],
        inputs=["n", "c", "x", "k"],
        outputs=["y", "y2"],
        carried=[value("v"), value("u")],
    )
    yield looped("", "a Loop that swaps two values", swapped, [value("y"), value("y2")], [*LOOPED, value("k")], given={**TURNS, "k": X + 1})
    counted = loop_of(
        [ON, node("Add", ["t", "i"], ["t2"])], [KEPT, value("t2", I64, [])], inputs=["n", "c", "t0"], outputs=["y"], carried=[value("t", I64, [])]
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
    gathered = loop_of([ON, node("Gather", ["x", "i"], ["g"], axis=0)], [KEPT, value("g", F, [3])], inputs=["n", "c"], carried=[])
    yield looped("", "a Loop that gathers rows", gathered, [value("y", F, ["n", 3])], given={**TURNS, "n": numpy.array(2)})
    yield looped("", "a Loop of zero turns that gathers rows", gathered, [value("y", F, ["n", 3])], given={**TURNS, "n": numpy.array(0)})
    yield looped(
        "",
        "a Loop of stored turns and condition",
        loop_of([ON, node("Neg", ["v"], ["w"])], inputs=["k", "d", "x"]),
        tensors=[stored("k", 3, numpy.int64), stored("d", True, numpy.bool_)],
        entries=[value("x")],
        given={"x": X},
    )
    yield looped(
        "",
        "a Loop whose stored condition is false",
        loop_of([ON, node("Neg", ["v"], ["w"])], inputs=["k", "d", "x"]),
        tensors=[stored("k", 3, numpy.int64), stored("d", False, numpy.bool_)],
        entries=[value("x")],
        given={"x": X},
    )
    yield looped(
        "",
        "a Loop of one stored turn",
        loop_of([ON, node("Neg", ["v"], ["w"])], inputs=["k", "d", "x"]),
        tensors=[stored("k", 1, numpy.int64), stored("d", True, numpy.bool_)],
        entries=[value("x")],
        given={"x": X},
    )
    yield looped(
        "",
        "a Loop of no stored turn",
        loop_of([ON, node("Neg", ["v"], ["w"])], inputs=["k", "d", "x"]),
        tensors=[stored("k", 0, numpy.int64), stored("d", True, numpy.bool_)],
        entries=[value("x")],
        given={"x": X},
    )
    yield looped(
        "loop-condition-rank",
        "trip count and condition of one element",
        loop_of([ON, node("Neg", ["v"], ["w"])]),
        entries=[value("n", I64, [1]), value("c", B, [1]), value("x")],
        given={"n": numpy.array([3]), "c": numpy.array([True]), "x": X},
    )
    yield looped(
        "",
        "a Loop whose trips are a size",
        loop_of([ON, node("Neg", ["v"], ["w"])], inputs=["k", "c", "x"]),
        before=[node("Shape", ["x"], ["d"]), node("Gather", ["d", "zero"], ["k"])],
        tensors=[stored("zero", 0, numpy.int64)],
        entries=LOOPED[1:],
        given={"c": TURNS["c"], "x": X},
    )
    kept = loop_of([ON, node("Identity", ["v"], ["w"])])
    yield looped("", "a Loop that changes nothing", kept)
    yield looped(
        "",
        "a Loop that carries a sequence",
        node(
            "Loop",
            ["n", "c", "q"],
            ["p"],
            body=graph(
                "body",
                [ON, node("SequenceInsert", ["v", "x"], ["w"])],
                [value("i", I64, []), value("go", B, []), sequence("v")],
                [KEPT, sequence("w")],
            ),
        ),
        [value("y", F, None)],
        before=[node("SequenceEmpty", [], ["q"], dtype=F)],
        after=[node("ConcatFromSequence", ["p"], ["y"], axis=0)],
    )
    conv = [ON, node("Conv", ["v", "k"], ["w"], pads=[1, 1])]
    yield looped(
        "",
        "a Conv in a Loop",
        loop_of(conv, [KEPT, value("w", F, [1, 2, 3])], carried=[value("v", F, [1, 2, 3])]),
        [value("y", F, [1, 2, 3])],
        [*LOOPED[:2], value("x", F, [1, 2, 3])],
        [stored("k", numpy.ones((2, 2, 3)))],
    )
    drop = [ON, node("Dropout", ["v"], ["w"])]
    yield looped("", "a Dropout in a Loop", loop_of(drop))
    for name, number, condition in (("iteration number", None, []), ("iteration number and condition", None, None)):
        open_body = graph(
            "body",
            [ON, node("Neg", ["v"], ["w"])],
            [value("i", I64, number), value("go", B, condition), value("v")],
            [value("on", B, condition), CARRIED],
        )
        yield looped(
            "loop-number-open", f"a body that does not declare the shape of its {name}", node("Loop", ["n", "c", "x"], ["y"], body=open_body)
        )
    for given, declared in (([1], []), ([], [1])):
        ranked = graph(
            "body", [ON, node("Neg", ["v"], ["w"])], [value("i", I64, []), value("go", B, declared), value("v")], [value("on", B, declared), CARRIED]
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
        [ON, node("Neg", ["v"], ["w"])],
        [value("i", I64, []), value("go", B, []), helper.make_empty_tensor_value_info("v")],
        [KEPT, helper.make_empty_tensor_value_info("w")],
    )
    yield looped("", "a Loop's body declares no types of what it carries", node("Loop", ["n", "c", "x"], ["y"], body=untyped))
    random = [ON, node("RandomNormalLike", ["v"], ["r"]), node("Mul", ["r", "zero"], ["q"]), node("Add", ["v", "q"], ["w"])]
    yield looped("", "random numbers in a Loop", loop_of(random, tensors=[stored("zero", 0)]))


def sequence(name: str, shape: Any = None, dtype: int = F) -> ValueInfoProto:
    return helper.make_tensor_sequence_value_info(name, dtype, shape)


def optional(name: str) -> ValueInfoProto:
    return helper.make_value_info(name, helper.make_optional_type_proto(helper.make_tensor_type_proto(F, [2, 3])))


def of_arms() -> Iterator[Form]:
    neg, absolute = [node("Neg", ["x"], ["t"])], [node("Abs", ["x"], ["e"])]
    good = model([branches(neg, absolute)], CONDITIONED)

    def asked(
        kind: str, name: str, nodes: Sequence[NodeProto], outputs: Any = None, entries: Any = CONDITIONED, tensors: Any = (), given: Any = None
    ) -> Form:
        return Form(kind, name, model(nodes, entries, outputs or [value("y")], tensors), good, given or GIVEN)

    inner = node(
        "If",
        ["c"],
        ["t"],
        then_branch=graph("t2", [node("Exp", ["x"], ["p"])], [], [value("p")]),
        else_branch=graph("e2", [node("Relu", ["x"], ["q"])], [], [value("q")]),
    )
    yield asked("", "an If in an arm", [branches([inner], absolute)])
    yield asked(
        "",
        "an If by a value that is computed",
        [node("ReduceSum", ["x"], ["s"], keepdims=0), node("Greater", ["s", "z"], ["c"]), branches(neg, absolute)],
        entries=[value("x")],
        tensors=[stored("z", 0)],
        given={"x": X},
    )
    yield asked(
        "", "an If by a stored value", [branches(neg, absolute)], entries=[value("x")], tensors=[stored("c", True, numpy.bool_)], given={"x": X}
    )
    wide = [node("Concat", ["x", "x"], ["e"], axis=0)]
    yield asked(
        "",
        "an If by a stored value, arms of two sizes",
        [branches(neg, wide, e=[value("e", F, [4, 3])])],
        entries=[value("x")],
        tensors=[stored("c", True, numpy.bool_)],
        given={"x": X},
    )
    yield asked(
        "",
        "an If by a size",
        [node("Size", ["x"], ["s"]), node("Greater", ["s", "z"], ["c"]), branches(neg, absolute)],
        entries=[value("x", F, ["n", 3])],
        tensors=[stored("z", 4, numpy.int64)],
        given={"x": X},
    )
    yield asked(
        "",
        "a Loop in an arm",
        [branches([node("Loop", ["k", "c", "x"], ["t"], body=body([ON, node("Neg", ["v"], ["w"])], [KEPT, CARRIED]))], absolute)],
        tensors=[stored("k", 2, numpy.int64)],
    )
    constants = branches([node("Constant", [], ["t"], value=stored("", X))], [node("Constant", [], ["e"], value=stored("", X + 1))])
    yield asked("", "arms of constants", [constants])
    yield asked(
        "",
        "an arm of a random value",
        [branches([node("RandomNormal", [], ["r"], shape=[2, 3]), node("Mul", ["r", "z"], ["t"])], absolute)],
        tensors=[stored("z", 0)],
    )
    two = branches(
        [*neg, node("Exp", ["x"], ["t2"])],
        [*absolute, node("Relu", ["x"], ["e2"])],
        ["y", "z"],
        t=[value("t"), value("t2")],
        e=[value("e"), value("e2")],
    )
    yield asked("", "an If of two results", [two], [value("y"), value("z")])
    yield asked(
        "if-result-left-out",
        "an If of two results, one left out",
        [
            branches(
                [*neg, node("Exp", ["x"], ["t2"])],
                [*absolute, node("Relu", ["x"], ["e2"])],
                ["", "y"],
                t=[value("t"), value("t2")],
                e=[value("e"), value("e2")],
            )
        ],
    )
    shapes = branches(
        [node("Constant", [], ["t"], value_ints=[3, 2])],
        [node("Constant", [], ["e"], value_ints=[6, 1])],
        ["s"],
        t=[value("t", I64, [2])],
        e=[value("e", I64, [2])],
    )
    yield asked("", "an If that chooses a shape", [shapes, node("Reshape", ["x", "s"], ["y"])], [value("y", F, ["a", "b"])])
    sliced = [node("Slice", ["x", "zero", "n"], ["e"])]
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
            branches(
                [node("SequenceConstruct", ["x"], ["t"])], [node("SequenceConstruct", ["x", "x"], ["e"])], ["q"], t=[sequence("t")], e=[sequence("e")]
            ),
            node("ConcatFromSequence", ["q"], ["y"], axis=0),
        ],
        [value("y", F, None)],
    )
    yield asked(
        "",
        "arms of integers",
        [
            branches(
                [node("Shape", ["x"], ["t"])], [node("Constant", [], ["e"], value_ints=[1, 2])], t=[value("t", I64, [2])], e=[value("e", I64, [2])]
            )
        ],
        [value("y", I64, [2])],
    )
    yield asked(
        "",
        "arms of booleans",
        [branches([node("Greater", ["x", "z"], ["t"])], [node("Less", ["x", "z"], ["e"])], t=[value("t", B)], e=[value("e", B)])],
        [value("y", B)],
        tensors=[stored("z", 0)],
    )
    yield asked(
        "",
        "a Conv in both arms",
        [branches([node("Conv", ["x", "k"], ["t"])], [node("Conv", ["x", "k"], ["e"])], t=[value("t", F, [1, 2, 1])], e=[value("e", F, [1, 2, 1])])],
        [value("y", F, [1, 2, 1])],
        [CONDITIONED[0], value("x", F, [1, 2, 3])],
        [stored("k", numpy.ones((2, 2, 3)))],
    )
    yield asked(
        "",
        "arms that read one another's names",
        [branches([node("Neg", ["x"], ["q"]), node("Abs", ["q"], ["t"])], [node("Abs", ["x"], ["r"]), node("Neg", ["r"], ["e"])])],
    )


def of_functions() -> Iterator[Form]:
    plain = model([node("Neg", ["x"], ["y"])])

    def asked(kind: str, name: str, call: NodeProto, made: Any, outputs: Any = None, **given: Any) -> Form:
        functions = made if isinstance(made, list) else [made]
        return Form(kind, name, model([call], outputs=outputs or [value("y")], functions=functions, **given), plain)

    call = node("f", ["x"], ["y"], domain="local")
    loop = [
        node("Constant", [], ["n"], value_int=2),
        node("Constant", [], ["c"], value=stored("", True, numpy.bool_)),
        node("Loop", ["n", "c", "a"], ["b"], body=body([ON, node("Neg", ["v"], ["w"])], [KEPT, CARRIED])),
    ]
    yield asked("function", "function: a Loop in it", call, function("f", ["a"], ["b"], loop))
    constant = AttributeProto(name="value", ref_attr_name="k", type=AttributeProto.TENSOR)
    held = node("Constant", [], ["t"])
    held.attribute.append(constant)
    yield asked(
        "function",
        "function: a tensor as attribute",
        node("f", ["x"], ["y"], domain="local", k=stored("", [1, 2, 3])),
        function("f", ["a"], ["b"], [held, node("Add", ["a", "t"], ["b"])], attributes=["k"]),
    )
    transposed = referring(node("Transpose", ["a"], ["b"]), "perm", "p", AttributeProto.INTS)
    yield asked(
        "function",
        "function: numbers as attribute",
        node("f", ["x"], ["y"], domain="local", p=[1, 0]),
        function("f", ["a"], ["b"], [transposed], attributes=["p"]),
        [value("y", F, [3, 2])],
    )
    yield asked(
        "function", "function: an attribute left out", call, function("f", ["a"], ["b"], [transposed], attributes=["p"]), [value("y", F, [3, 2])]
    )
    inner = function("g", ["a"], ["b"], [referring(node("LeakyRelu", ["a"], ["b"]), "alpha", "slope", AttributeProto.FLOAT)], attributes=["slope"])
    outer = function(
        "f",
        ["a"],
        ["b"],
        [referring(node("g", ["a"], ["b"], domain="local"), "slope", "alpha", AttributeProto.FLOAT)],
        (("", 17), ("local", 1)),
        attributes=["alpha"],
    )
    yield asked("function", "function: an attribute through two", node("f", ["x"], ["y"], domain="local", alpha=0.2), [outer, inner])
    yield asked(
        "function",
        "function: named as an operator",
        node("Relu", ["x"], ["y"], domain="local"),
        function("Relu", ["a"], ["b"], [node("Neg", ["a"], ["b"])]),
    )
    recursive = function("f", ["a"], ["b"], [node("f", ["a"], ["b"], domain="local")], (("", 17), ("local", 1)))
    yield asked("", "function that calls itself", call, recursive)
    softmax = function("Relu", ["a"], ["b"], [node("Neg", ["a"], ["b"])], domain="")
    yield Form(
        "function-standard",
        "function of the name and domain of an operator",
        model([node("Relu", ["x"], ["y"])], functions=[softmax], imports=[("", 17)]),
        model([node("Relu", ["x"], ["y"])]),
    )
    yield asked(
        "function",
        "function: without inputs",
        node("f", [], ["y"], domain="local"),
        function("f", [], ["b"], [node("Constant", [], ["b"], value=stored("", X))]),
    )
    yield asked(
        "function",
        "function: an unused input",
        node("f", ["x", "x"], ["y"], domain="local"),
        function("f", ["a", "u"], ["b"], [node("Neg", ["a"], ["b"])]),
    )
    yield asked(
        "function",
        "function: a node whose result is not used",
        call,
        function("f", ["a"], ["b"], [node("Neg", ["a"], ["b"]), node("Exp", ["a"], ["e"])]),
    )
    yield asked(
        "function",
        "function: a Scan in it",
        call,
        function(
            "f", ["a"], ["b"], [node("Scan", ["a"], ["b"], body=graph("body", [node("Neg", ["r"], ["z"])], [ROW[1]], [ROWS[1]]), num_scan_inputs=1)]
        ),
    )
    yield asked(
        "function",
        "function: of the domain of another runtime",
        node("f", ["x"], ["y"], domain="com.acme"),
        function("f", ["a"], ["b"], [node("Neg", ["a"], ["b"])], domain="com.acme"),
        imports=[("", 17), ("com.acme", 1)],
    )
    overloaded = [function("f", ["a"], ["b"], [node("Neg", ["a"], ["b"])]), function("f", ["a"], ["b"], [node("Abs", ["a"], ["b"])])]
    overloaded[0].overload, overloaded[1].overload = "one", "two"
    chosen = node("f", ["x"], ["y"], domain="local")
    chosen.overload = "two"
    yield asked("function", "function: chosen by its overload", chosen, overloaded, ir=10)
    yield asked(
        "",
        "two functions of one name",
        call,
        [function("f", ["a"], ["b"], [node("Neg", ["a"], ["b"])]), function("f", ["a"], ["b"], [node("Abs", ["a"], ["b"])])],
    )


def of_sequences() -> Iterator[Form]:
    plain = model([node("Neg", ["x"], ["y"])])

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

    pair = node("SequenceConstruct", ["x", "x"], ["q"])
    at = stored("i", 1, numpy.int64)
    yield asked("", "a sequence that is joined", [pair, node("ConcatFromSequence", ["q"], ["y"], axis=0)], [value("y", F, [4, 3])])
    yield asked("", "a sequence that is stacked", [pair, node("ConcatFromSequence", ["q"], ["y"], axis=0, new_axis=1)], [value("y", F, [2, 2, 3])])
    yield asked("", "an element of a sequence", [pair, node("SequenceAt", ["q", "i"], ["y"])], [value("y")], tensors=[at])
    yield asked("", "the length of a sequence", [pair, node("SequenceLength", ["q"], ["y"])], [value("y", I64, [])])
    yield asked("sequence-output", "a sequence as result", [pair], [sequence("q")])
    yield asked(
        "sequence-output",
        "an empty sequence as result",
        [node("SequenceEmpty", [], ["q"], dtype=F), node("Neg", ["x"], ["y"])],
        [value("y"), sequence("q")],
    )
    yield asked(
        "",
        "a split that is joined",
        [node("SplitToSequence", ["x", "i"], ["q"], axis=1), node("ConcatFromSequence", ["q"], ["y"], axis=1)],
        [value("y")],
        tensors=[at],
    )
    yield asked(
        "",
        "a part of a split",
        [node("SplitToSequence", ["x", "i"], ["q"], axis=1), node("SequenceAt", ["q", "i"], ["y"])],
        [value("y", F, [2, 1])],
        tensors=[at],
    )
    yield asked(
        "",
        "a part of a split without dimensions",
        [node("SplitToSequence", ["x"], ["q"], axis=1, keepdims=0), node("SequenceAt", ["q", "i"], ["y"])],
        [value("y", F, [2])],
        tensors=[at],
    )
    yield asked("sequence-output", "a split as result", [node("SplitToSequence", ["x"], ["q"], axis=0)], [sequence("q")])
    yield asked(
        "",
        "an inserted element",
        [pair, node("SequenceInsert", ["q", "x", "i"], ["p"]), node("ConcatFromSequence", ["p"], ["y"], axis=0)],
        [value("y", F, [6, 3])],
        tensors=[at],
    )
    yield asked(
        "",
        "an erased element",
        [pair, node("SequenceErase", ["q", "i"], ["p"]), node("ConcatFromSequence", ["p"], ["y"], axis=0)],
        [value("y")],
        tensors=[at],
    )
    yield asked(
        "sequence-input", "a sequence as input", [node("ConcatFromSequence", ["q"], ["y"], axis=0)], entries=[sequence("q")], given={"q": [X, X]}
    )
    yield asked(
        "", "an optional tensor as input", [node("OptionalGetElement", ["o"], ["y"])], [value("y")], [optional("o")], given={"o": X}, opset=18
    )
    yield asked("", "an optional tensor as result", [node("Optional", ["x"], ["o"])], [optional("o")])
    yield asked(
        "sequence-output", "a sequence as input and result", [node("Identity", ["q"], ["p"])], [sequence("p")], [sequence("q")], given={"q": [X, X]}
    )
    yield asked(
        "sequence-output",
        "arms of sequences as result",
        [
            branches(
                [node("SequenceConstruct", ["x"], ["t"])], [node("SequenceConstruct", ["x", "x"], ["e"])], ["q"], t=[sequence("t")], e=[sequence("e")]
            )
        ],
        [sequence("q")],
        CONDITIONED,
        given=GIVEN,
    )
    yield asked(
        "sequence-input",
        "the length of a sequence that is an input",
        [node("SequenceLength", ["q"], ["y"])],
        [value("y", I64, [])],
        [sequence("q")],
        given={"q": [X, X]},
    )
    yield asked("", "an optional tensor inside", [node("Optional", ["x"], ["o"]), node("OptionalGetElement", ["o"], ["y"])], [value("y")], opset=18)
    yield asked(
        "",
        "has an optional tensor an element",
        [node("Optional", ["x"], ["o"]), node("OptionalHasElement", ["o"], ["y"])],
        [value("y", B, [])],
        opset=18,
    )
    mapped = node("SequenceMap", ["q"], ["p"], body=graph("body", [node("Neg", ["e"], ["f"])], [value("e")], [value("f")]))
    yield asked("", "a sequence that is mapped", [pair, mapped, node("ConcatFromSequence", ["p"], ["y"], axis=0)], [value("y", F, [4, 3])])
    yield asked(
        "",
        "an Identity of a sequence",
        [pair, node("Identity", ["q"], ["p"]), node("ConcatFromSequence", ["p"], ["y"], axis=0)],
        [value("y", F, [4, 3])],
    )


def of_declarations() -> Iterator[Form]:
    plain = model([node("Neg", ["x"], ["y"])])
    yield Form("", "a stored tensor that nothing reads", model([node("Neg", ["x"], ["y"])], tensors=[stored("u", [1, 2])]), plain)
    yield Form("", "a node that nothing reads", model([node("Neg", ["x"], ["y"]), node("Exp", ["x"], ["u"])]), plain)
    yield Form("", "an opset that nothing uses", model([node("Neg", ["x"], ["y"])], imports=[("", 17), ("ai.onnx.ml", 3), ("com.acme", 1)]), plain)
    yield Form("", "an input as result", model([node("Neg", ["x"], ["y"])], outputs=[value("y"), value("x")]), plain)
    yield Form("", "a stored tensor as result", model([node("Neg", ["x"], ["y"])], outputs=[value("y"), value("k")], tensors=[stored("k", X)]), plain)
    yield Form("", "nothing but an input as result", model([], outputs=[value("x")]), plain)
    contradicted = model([node("Neg", ["x"], ["t"]), node("Abs", ["t"], ["y"])])
    for name, info in (("dtype", value("t", D)), ("rank", value("t", F, [6])), ("size", value("t", F, [2, 4]))):
        made = ModelProto.FromString(contradicted.SerializeToString())
        made.graph.value_info.append(info)
        yield Form("", f"a value is declared with another {name}", made, contradicted)
    reversed_nodes = model([node("Abs", ["t"], ["y"]), node("Neg", ["x"], ["t"])])
    yield Form("", "nodes in another order", reversed_nodes, contradicted)
    spelled = model([helper.make_node("Neg", ["x"], ["y"], domain="ai.onnx")], imports=[("ai.onnx", 17)])
    yield Form("domain-spelled", "the domain of ONNX by its name", spelled, plain)
    for at in ("", "scalar"):
        shape: list[int] = [] if at else [2, 3]
        yield Form(
            "",
            f"a bool that is stored as 2{', a scalar' if at else ''}",
            model(
                [node("Where", ["m", "x", "z"], ["y"])],
                tensors=[TensorProto(name="m", data_type=B, dims=shape, raw_data=bytes([2] * (6 if not at else 1))), stored("z", 0)],
            ),
            model([node("Where", ["m", "x", "z"], ["y"])], tensors=[stored("m", numpy.ones(shape), numpy.bool_), stored("z", 0)]),
        )
    trailing = model([node("Clip", ["x", "", ""], ["y"])])
    yield Form("", "operands that are left out at the end", trailing, model([node("Clip", ["x"], ["y"])]))
    yield Form(
        "",
        "a result that is left out",
        model([node("TopK", ["x", "k"], ["y", ""], axis=1)], outputs=[value("y", F, [2, 2])], tensors=[stored("k", [2], numpy.int64)]),
        plain,
    )
    yield Form(
        "",
        "a scalar as input and result",
        model([node("Neg", ["x"], ["y"])], [value("x", F, [])], [value("y", F, [])]),
        plain,
        {"x": numpy.array(2, numpy.float32)},
    )
    yield Form(
        "",
        "an empty input",
        model([node("Neg", ["x"], ["y"])], [value("x", F, [0, 3])], [value("y", F, [0, 3])]),
        plain,
        {"x": numpy.zeros((0, 3), numpy.float32)},
    )
    yield Form(
        "",
        "an empty input that is reduced to its greatest",
        model([node("ReduceMax", ["x"], ["y"], axes=[0])], [value("x", F, [0, 3])], [value("y", F, [1, 3])]),
        plain,
        {"x": numpy.zeros((0, 3), numpy.float32)},
    )
    yield Form(
        "",
        "an empty input that is multiplied",
        model([node("MatMul", ["x", "w"], ["y"])], [value("x", F, [0, 3])], [value("y", F, [0, 3])], [stored("w", numpy.eye(3))]),
        plain,
        {"x": numpy.zeros((0, 3), numpy.float32)},
    )


def of_fusions() -> Iterator[Form]:
    """Patterns that ONNX Runtime and OpenVINO rewrite, each around a condition of its rewriting."""
    rows = numpy.linspace(-2, 2, 2 * 4 * 8, dtype=numpy.float32).reshape(2, 4, 8)
    entry, result = [value("x", F, [2, 4, 8])], [value("y", F, [2, 4, 8])]
    plain = model([node("Neg", ["x"], ["y"])], entry, result)

    def asked(kind: str, name: str, nodes: Sequence[NodeProto], tensors: Any = (), outputs: Any = None, opset: int = 17) -> Form:
        return Form(kind, name, model(nodes, entry, outputs or result, tensors, opset=opset), plain, {"x": rows})

    half, root, one, two = stored("half", 0.5), stored("root", 2**0.5), stored("one", 1), stored("two", 2)
    erf = [node("Div", ["x", "root"], ["a"]), node("Erf", ["a"], ["e"]), node("Add", ["e", "one"], ["p"])]
    yield asked("", "gelu by erf", [*erf, node("Mul", ["x", "p"], ["m"]), node("Mul", ["m", "half"], ["y"])], [half, root, one])
    yield asked("", "gelu by erf, the other way round", [*erf, node("Mul", ["x", "half"], ["m"]), node("Mul", ["m", "p"], ["y"])], [half, root, one])
    yield asked(
        "",
        "gelu by erf, its erf is a result",
        [*erf, node("Mul", ["x", "p"], ["m"]), node("Mul", ["m", "half"], ["y"])],
        [half, root, one],
        [*result, value("e", F, [2, 4, 8])],
    )
    normal = [
        node("ReduceMean", ["x"], ["u"], axes=[-1]),
        node("Sub", ["x", "u"], ["d"]),
        node("Pow", ["d", "two"], ["q"]),
        node("ReduceMean", ["q"], ["v"], axes=[-1]),
        node("Add", ["v", "eps"], ["w"]),
        node("Sqrt", ["w"], ["r"]),
        node("Div", ["d", "r"], ["n"]),
        node("Mul", ["n", "g"], ["m"]),
        node("Add", ["m", "b"], ["y"]),
    ]
    parts = [two, stored("eps", 1e-5), stored("g", numpy.arange(8)), stored("b", numpy.ones(8))]
    yield asked("", "a normalisation of layers, taken apart", normal, parts)
    cast = [*normal[:6], node("Cast", ["r"], ["rc"], to=F), node("Div", ["d", "rc"], ["n"]), *normal[7:]]
    yield asked("", "a normalisation of layers with a Cast", cast, parts)
    yield asked(
        "",
        "a normalisation of layers whose deviation is read twice",
        [*normal[:-1], node("Add", ["m", "b"], ["k"]), node("Add", ["k", "d"], ["y"])],
        parts,
    )
    skip = [node("Add", ["x", "k"], ["s"]), node("LayerNormalization", ["s", "g", "b"], ["l"]), node("Add", ["l", "s"], ["y"])]
    yield asked("", "a skip before a normalisation", skip, [stored("k", rows[0]), *parts[2:]])
    weight = stored("w", numpy.linspace(-1, 1, 64).reshape(8, 8))
    yield asked("", "a product and its bias", [node("MatMul", ["x", "w"], ["m"]), node("Add", ["m", "b"], ["y"])], [weight, parts[3]])
    yield asked(
        "",
        "a product, its bias, gelu",
        [node("MatMul", ["x", "w"], ["m"]), node("Add", ["m", "b"], ["h"]), node("Gelu", ["h"], ["y"])],
        [weight, parts[3]],
        opset=20,
    )
    yield asked(
        "",
        "a product of a transposed operand",
        [node("Transpose", ["x"], ["t"], perm=[0, 2, 1]), node("MatMul", ["x", "t"], ["y"])],
        outputs=[value("y", F, [2, 4, 4])],
    )
    yield asked(
        "",
        "a product of a transposed operand, its batch too",
        [node("Transpose", ["x"], ["t"], perm=[2, 1, 0]), node("MatMul", ["t", "u"], ["y"])],
        [stored("u", numpy.ones((8, 2, 3)))],
        [value("y", F, [8, 4, 3])],
    )
    yield asked(
        "",
        "two transpositions",
        [node("Transpose", ["x"], ["t"], perm=[1, 0, 2]), node("Relu", ["t"], ["r"]), node("Transpose", ["r"], ["y"], perm=[1, 0, 2])],
    )
    yield asked(
        "", "two transpositions that cancel", [node("Transpose", ["x"], ["t"], perm=[1, 2, 0]), node("Transpose", ["t"], ["y"], perm=[2, 0, 1])]
    )
    yield asked(
        "",
        "a shape that is put together",
        [
            node("Shape", ["x"], ["s"]),
            node("Gather", ["s", "zero"], ["d"]),
            node("Unsqueeze", ["d", "axes"], ["du"]),
            node("Concat", ["du", "rest"], ["k"], axis=0),
            node("Reshape", ["x", "k"], ["y"]),
        ],
        [stored("zero", 0, numpy.int64), stored("axes", [0], numpy.int64), stored("rest", [-1, 8], numpy.int64)],
    )
    yield asked("", "casts there and back", [node("Cast", ["x"], ["h"], to=F16), node("Cast", ["h"], ["y"], to=F)])
    yield asked("", "casts to a wider dtype and back", [node("Cast", ["x"], ["h"], to=D), node("Cast", ["h"], ["y"], to=F)])
    yield asked("", "casts to integers and back", [node("Cast", ["x"], ["h"], to=I64), node("Cast", ["h"], ["y"], to=F)])
    yield asked("", "Relu and Clip", [node("Relu", ["x"], ["r"]), node("Clip", ["r", "low", "one"], ["y"])], [stored("low", -1), one])
    yield asked("", "two Clips", [node("Clip", ["x", "low", "one"], ["r"]), node("Clip", ["r", "half", ""], ["y"])], [stored("low", -1), one, half])
    yield asked("", "Clip whose minimum is above its maximum", [node("Clip", ["x", "one", "half"], ["y"])], [one, half])
    yield asked(
        "",
        "a fully masked softmax that is guarded",
        [
            node("Where", ["k", "x", "inf"], ["m"]),
            node("Softmax", ["m"], ["s"]),
            node("IsNaN", ["s"], ["n"]),
            node("Where", ["n", "zero", "s"], ["y"]),
        ],
        [stored("k", numpy.arange(4).reshape(4, 1) > 0, numpy.bool_), stored("inf", -numpy.inf), stored("zero", 0)],
    )
    yield asked(
        "greatest-infinite",
        "a softmax of negative infinities, guarded by its greatest",
        [
            node("Where", ["k", "x", "inf"], ["m"]),
            node("Softmax", ["m"], ["s"]),
            node("ReduceMax", ["m"], ["g"], axes=[-1]),
            node("Equal", ["g", "inf"], ["n"]),
            node("Where", ["n", "zero", "s"], ["y"]),
        ],
        [stored("k", numpy.arange(4).reshape(4, 1) > 0, numpy.bool_), stored("inf", -numpy.inf), stored("zero", 0)],
    )
    yield asked("", "a division by itself", [node("Div", ["x", "x"], ["q"]), node("Mul", ["q", "x"], ["y"])])
    yield asked("", "Pow by 2", [node("Pow", ["x", "two"], ["y"])], [two])
    yield asked("", "Pow by 0.5 of negative numbers", [node("Pow", ["x", "half"], ["y"])], [half])
    yield asked("", "swish by hand", [node("Sigmoid", ["x"], ["s"]), node("Mul", ["x", "s"], ["y"])])
    yield asked("", "mish by hand", [node("Softplus", ["x"], ["s"]), node("Tanh", ["s"], ["t"]), node("Mul", ["x", "t"], ["y"])])
    yield asked(
        "",
        "a slice of nothing",
        [node("Slice", ["x", "a", "z"], ["y"])],
        [stored("a", [0], numpy.int64), stored("z", [numpy.iinfo(numpy.int64).max], numpy.int64)],
    )
    yield asked(
        "",
        "a slice backwards",
        [node("Slice", ["x", "a", "z", "i", "k"], ["y"])],
        [
            stored("a", [-1], numpy.int64),
            stored("z", [numpy.iinfo(numpy.int64).min], numpy.int64),
            stored("i", [1], numpy.int64),
            stored("k", [-1], numpy.int64),
        ],
    )
    yield asked("", "an Expand to the same shape", [node("Expand", ["x", "s"], ["y"])], [stored("s", [1, 4, 1], numpy.int64)])
    yield asked("", "parts that are joined again", [node("Split", ["x"], ["p", "q"], axis=2), node("Concat", ["p", "q"], ["y"], axis=2)])
    yield asked(
        "", "parts that are joined the other way round", [node("Split", ["x"], ["p", "q"], axis=2), node("Concat", ["q", "p"], ["y"], axis=2)]
    )
    yield asked(
        "",
        "topk after a slice of all but the last axis",
        [node("Slice", ["x", "a", "z", "i"], ["p"]), node("TopK", ["p", "k"], ["y", "j"], axis=1)],
        [stored("a", [0], numpy.int64), stored("z", [4], numpy.int64), stored("i", [2], numpy.int64), stored("k", [2], numpy.int64)],
        [value("y", F, [2, 2, 4])],
    )


def of_image_fusions() -> Iterator[Form]:
    """The same of convolutions and pools."""
    images = numpy.linspace(-1, 1, 2 * 3 * 6 * 6, dtype=numpy.float32).reshape(2, 3, 6, 6)
    image, open_image = [value("x", F, [2, 3, 6, 6])], [value("y", F, None)]
    plain = model([node("Neg", ["x"], ["y"])], image, [value("y", F, [2, 3, 6, 6])])

    def seen(name: str, nodes: Sequence[NodeProto], tensors: Any = (), outputs: Any = None) -> Form:
        return Form("", name, model(nodes, image, outputs or open_image, tensors), plain, {"x": images})

    kernel, bias = stored("w", numpy.linspace(-1, 1, 81).reshape(3, 3, 3, 3)), stored("b", [1, 2, 3])
    norm = [stored(n, v) for n, v in (("g", [1, 2, 3]), ("h", [0, 1, 0]), ("u", [0.1, 0.2, 0.3]), ("v", [1, 2, 1]))]
    conv = node("Conv", ["x", "w", "b"], ["c"], pads=[1] * 4)
    yield seen(
        "Conv, BatchNormalization, Relu",
        [conv, node("BatchNormalization", ["c", "g", "h", "u", "v"], ["n"]), node("Relu", ["n"], ["y"])],
        [kernel, bias, *norm],
    )
    yield seen(
        "Conv, BatchNormalization, its Conv is a result",
        [conv, node("BatchNormalization", ["c", "g", "h", "u", "v"], ["y"])],
        [kernel, bias, *norm],
        [*open_image, value("c", F, None)],
    )
    yield seen(
        "BatchNormalization, Conv with padding",
        [node("BatchNormalization", ["x", "g", "h", "u", "v"], ["n"]), node("Conv", ["n", "w", "b"], ["y"], pads=[1] * 4)],
        [kernel, bias, *norm],
    )
    yield seen(
        "Pad, Conv",
        [node("Pad", ["x", "p", "z"], ["q"]), node("Conv", ["q", "w"], ["y"])],
        [kernel, stored("p", [0, 0, 1, 1, 0, 0, 1, 1], numpy.int64), stored("z", 0)],
    )
    yield seen(
        "Pad by ones, Conv",
        [node("Pad", ["x", "p", "z"], ["q"]), node("Conv", ["q", "w"], ["y"])],
        [kernel, stored("p", [0, 0, 1, 1, 0, 0, 1, 1], numpy.int64), stored("z", 1)],
    )
    yield seen(
        "Pad, MaxPool",
        [node("Pad", ["x", "p", "z"], ["q"]), node("MaxPool", ["q"], ["y"], kernel_shape=[2, 2])],
        [stored("p", [0, 0, 1, 1, 0, 0, 1, 1], numpy.int64), stored("z", 0)],
    )
    yield seen(
        "Pad, AveragePool",
        [node("Pad", ["x", "p", "z"], ["q"]), node("AveragePool", ["q"], ["y"], kernel_shape=[2, 2])],
        [stored("p", [0, 0, 1, 1, 0, 0, 1, 1], numpy.int64), stored("z", 0)],
    )
    yield seen(
        "Pad by reflection, Conv",
        [node("Pad", ["x", "p"], ["q"], mode="reflect"), node("Conv", ["q", "w"], ["y"])],
        [kernel, stored("p", [0, 0, 1, 1, 0, 0, 1, 1], numpy.int64)],
    )
    yield seen(
        "negative Pad, Conv",
        [node("Pad", ["x", "p"], ["q"]), node("Conv", ["q", "w"], ["y"])],
        [kernel, stored("p", [0, 0, -1, -1, 0, 0, 1, 1], numpy.int64)],
    )
    yield seen("Conv, Mul by a channel", [conv, node("Mul", ["c", "k"], ["y"])], [kernel, bias, stored("k", numpy.array([1, 2, 3]).reshape(3, 1, 1))])
    yield seen("Conv, Mul by an image", [conv, node("Mul", ["c", "k"], ["y"])], [kernel, bias, stored("k", numpy.ones((1, 3, 6, 6)))])
    yield seen("Conv, Add of a column", [conv, node("Add", ["c", "k"], ["y"])], [kernel, bias, stored("k", numpy.arange(6))])
    yield seen(
        "Conv, Add of what is computed, Relu",
        [conv, node("Neg", ["x"], ["t"]), node("Add", ["c", "t"], ["s"]), node("Relu", ["s"], ["y"])],
        [kernel, bias],
    )
    yield seen(
        "Resize by sizes that are computed",
        [
            node("Shape", ["x"], ["s"]),
            node("Slice", ["s", "a", "z"], ["h"]),
            node("Concat", ["h", "k"], ["n"], axis=0),
            node("Resize", ["x", "", "", "n"], ["y"], mode="nearest"),
        ],
        [stored("a", [0], numpy.int64), stored("z", [2], numpy.int64), stored("k", [12, 12], numpy.int64)],
    )
    yield seen(
        "AveragePool that rounds up and counts its padding",
        [node("AveragePool", ["x"], ["y"], kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4, ceil_mode=1, count_include_pad=1)],
    )
    yield seen("MaxPool that rounds up beyond its input", [node("MaxPool", ["x"], ["y"], kernel_shape=[1, 1], strides=[4, 4], ceil_mode=1)])


def of_pairs() -> Iterator[Form]:
    """What stands between dequantising and quantising."""
    images = numpy.linspace(-1, 1, 2 * 3 * 4 * 4, dtype=numpy.float32).reshape(2, 3, 4, 4)
    entry, result = [value("x", F, [2, 3, 4, 4])], [value("y", F, None)]
    plain = model([node("Neg", ["x"], ["y"])], entry, result)
    scales = [stored("s", 0.01), stored("z", 0, numpy.int8), stored("t", 0.02), stored("k", 128, numpy.uint8)]

    def pair(given: str, made: str, scale: str = "s", zero: str = "z") -> list[NodeProto]:
        return [node("QuantizeLinear", [given, scale, zero], [f"{made}_q"]), node("DequantizeLinear", [f"{made}_q", scale, zero], [made])]

    def asked(kind: str, name: str, nodes: Sequence[NodeProto], tensors: Any = (), opset: int = 17) -> Form:
        return Form(kind, name, model(nodes, entry, result, [*scales, *tensors], opset=opset), plain, {"x": images})

    for name, between in (
        ("Relu", [node("Relu", ["a"], ["b"])]),
        ("MaxPool", [node("MaxPool", ["a"], ["b"], kernel_shape=[2, 2])]),
        ("AveragePool", [node("AveragePool", ["a"], ["b"], kernel_shape=[2, 2])]),
        ("GlobalAveragePool", [node("GlobalAveragePool", ["a"], ["b"])]),
        ("Sigmoid", [node("Sigmoid", ["a"], ["b"])]),
        ("LeakyRelu", [node("LeakyRelu", ["a"], ["b"])]),
        ("Softmax", [node("Softmax", ["a"], ["b"])]),
        ("Transpose", [node("Transpose", ["a"], ["b"], perm=[0, 2, 3, 1])]),
        ("Clip", [node("Clip", ["a", "low", "high"], ["b"])]),
        ("Add of itself", [node("Add", ["a", "a"], ["b"])]),
        ("Concat", [node("Concat", ["a", "a"], ["b"], axis=1)]),
        ("Split", [node("Split", ["a"], ["b", "c"], axis=2)]),
        ("Resize", [node("Resize", ["a", "", "f"], ["b"], mode="nearest")]),
        ("ReduceMean", [node("ReduceMean", ["a"], ["b"], axes=[2, 3])]),
    ):
        tensors = [stored("low", -0.5), stored("high", 0.5), stored("f", [1, 1, 2, 2])]
        yield asked("", f"{name} between quantised values", [*pair("x", "a"), *between, *pair("b", "y", "t")], tensors)
        yield asked("", f"{name} between values of unsigned numbers", [*pair("x", "a", "s", "k"), *between, *pair("b", "y", "t", "k")], tensors)
    kernel, at = stored("w", numpy.arange(-40, 41).reshape(3, 3, 3, 3), numpy.int8), stored("v", 0.005)
    weights = node("DequantizeLinear", ["w", "v", "z"], ["wf"])
    yield asked(
        "", "a quantised Conv", [*pair("x", "a"), weights, node("Conv", ["a", "wf"], ["b"], pads=[1] * 4), *pair("b", "y", "t")], [kernel, at]
    )
    yield asked("", "a quantised Conv, its result is float", [*pair("x", "a"), weights, node("Conv", ["a", "wf"], ["y"], pads=[1] * 4)], [kernel, at])
    per = [kernel, stored("v", [0.005, 0.01, 0.02]), stored("zz", [0, 0, 0], numpy.int8)]
    by_channel = node("DequantizeLinear", ["w", "v", "zz"], ["wf"], axis=0)
    yield asked(
        "", "a quantised Conv, by channel", [*pair("x", "a"), by_channel, node("Conv", ["a", "wf"], ["b"], pads=[1] * 4), *pair("b", "y", "t")], per
    )
    yield asked(
        "",
        "a quantised Conv, Relu",
        [*pair("x", "a"), weights, node("Conv", ["a", "wf"], ["c"], pads=[1] * 4), node("Relu", ["c"], ["b"]), *pair("b", "y", "t")],
        [kernel, at],
    )
    product = [stored("w", numpy.arange(-8, 8).reshape(4, 4), numpy.int8), at]
    yield asked("", "a quantised product", [*pair("x", "a"), weights, node("MatMul", ["a", "wf"], ["b"]), *pair("b", "y", "t")], product)
    yield asked("", "weights alone are quantised", [weights, node("MatMul", ["x", "wf"], ["y"])], product)
    yield asked("", "a pair twice", [*pair("x", "a"), *pair("a", "y")])
    yield asked("", "a pair twice, of two scales", [*pair("x", "a"), *pair("a", "y", "t")])
    yield asked(
        "",
        "a pair that is read twice",
        [*pair("x", "a"), node("Relu", ["a"], ["r"]), node("Sigmoid", ["a"], ["g"]), node("Mul", ["r", "g"], ["b"]), *pair("b", "y", "t")],
    )
    yield asked(
        "",
        "a pair of 16 bits",
        [node("QuantizeLinear", ["x", "s", "z16"], ["q"]), node("DequantizeLinear", ["q", "s", "z16"], ["y"])],
        [stored("z16", 0, numpy.int16)],
        opset=21,
    )
    yield asked(
        "",
        "a quantised value is transposed as such",
        [
            node("QuantizeLinear", ["x", "s", "z"], ["q"]),
            node("Transpose", ["q"], ["p"], perm=[0, 2, 3, 1]),
            node("DequantizeLinear", ["p", "s", "z"], ["y"]),
        ],
    )


def of_types() -> Iterator[Form]:
    """Inputs and results that are declared with less than a dtype and a rank."""
    relu = [node("Relu", ["x"], ["y"])]
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
    shape = [node("Shape", ["x"], ["y"])]
    yield Form("input-unranked", "the sizes of an input without a rank", model(shape, unranked, sizes), model(shape, outputs=sizes))
    flat, ten = [node("Reshape", ["x", "k"], ["y"])], [stored("k", [3, 2], numpy.int64)]
    yield Form("input-unranked", "a Reshape of an input without a rank", model(flat, unranked, [value("y", F, [3, 2])], ten), plain)
    for name, dtype in (("complex", TensorProto.COMPLEX64), ("uint16", TensorProto.UINT16), ("float64", D)):
        beside = model(relu, [value("x"), value("u", dtype, [1])])
        given = {"x": X, "u": numpy.ones(1, helper.tensor_dtype_to_np_dtype(dtype))}
        yield Form("", f"an input of {name} that nothing reads", beside, plain, given)


def of_conditions() -> Iterator[Form]:
    """Loops that read the condition that they hand on, and those of fewer than no turns."""
    where = [ON, node("Where", ["go", "v", "x"], ["t"]), node("Add", ["t", "x"], ["w"])]
    cast = [ON, node("Cast", ["go"], ["t"], to=F), node("Add", ["v", "t"], ["w"])]
    arms = branches([node("Neg", ["v"], ["t"])], [node("Abs", ["v"], ["e"])], ["w"])
    arms.input[0] = "go"
    yield looped("loop-condition-read", "a Loop chooses by its condition", loop_of(where))
    yield looped("loop-condition-read", "a Loop counts its condition", loop_of(cast))
    yield looped("loop-condition-read", "an If by the condition of its Loop", loop_of([ON, arms]))
    both = [node("Less", ["i", "n"], ["l"]), node("And", ["go", "l"], ["on"]), node("Neg", ["v"], ["w"])]
    yield looped("", "a Loop goes on while its condition and another hold", loop_of(both))
    less = [stored("n", -2, numpy.int64)]
    entries = [each for each in LOOPED if each.name != "n"]
    steps = [ON, node("Neg", ["v"], ["w"])]
    scanned_too = loop_of([*steps, node("Exp", ["v"], ["o"])], [KEPT, CARRIED, value("o")], outputs=["z", "y"])
    yield looped("loop-trips-negative", "a Loop of fewer than no turns", loop_of(steps), entries=entries, tensors=less)
    yield looped("loop-trips-negative", "a Loop of minus one turns", loop_of(steps), entries=entries, tensors=[stored("n", -1, numpy.int64)])
    ends = [node("ReduceMax", ["v"], ["m"], keepdims=0), node("Less", ["m", "k"], ["on"]), node("Add", ["v", "x"], ["w"])]
    until = loop_of(ends, inputs=["", "c", "x"])
    limits = [stored("k", 9), stored("c", True, numpy.bool_)]
    yield looped("loop-no-trips", "a Loop that ends by a comparison", until, entries=[value("x")], tensors=limits)
    yield looped("loop-no-trips", "a Loop that a comparison ends", until, entries=[value("c", B, []), value("x")], tensors=limits[:1])
    stacked = [value("z"), value("y", F, None)]
    yield looped("loop-trips-negative", "a Loop of fewer than no turns stacks", scanned_too, stacked, entries, less)


def of_scales() -> Iterator[Form]:
    """Numbers of 16 bits, and weights whose scales lie along one axis or the other."""
    far = X * 100
    plain = model([node("Neg", ["x"], ["y"])])
    for name, dtype in (("int16", numpy.int16), ("uint16", numpy.uint16)):
        scale = [stored("s", 0.001), stored("z", 0, dtype)]

        def pair(given: str, made: str) -> list[NodeProto]:
            return [node("QuantizeLinear", [given, "s", "z"], ["q"]), node("DequantizeLinear", ["q", "s", "z"], [made])]

        after = model([*pair("x", "d"), node("Neg", ["d"], ["y"])], tensors=scale, opset=21)
        yield Form("sixteen-bits", f"a pair of {name}", after, plain, {"x": far})
        amid = model([node("Relu", ["x"], ["r"]), *pair("r", "y")], tensors=scale, opset=21)
        yield Form("sixteen-bits", f"a pair of {name} at the end", amid, plain, {"x": far})
        yield Form("sixteen-bits-alone", f"nothing but a pair of {name}", model(pair("x", "y"), tensors=scale, opset=21), plain)
        two = model([*pair("x", "d"), node("Neg", ["d"], ["y"])], outputs=[value("y"), value("d")], tensors=scale, opset=21)
        yield Form("sixteen-bits-alone", f"a pair of {name} that is a result as well", two, plain)
    numbers = numpy.arange(20).reshape(5, 4) - 4
    products = (("MatMul", "MatMul", 0, 1, {}), ("Gemm", "Gemm", 0, 1, {}), ("transposed Gemm", "Gemm", 1, 0, {"transB": 1}))
    for name, kind, along, across, flags in products:
        stores = numbers.T if flags else numbers

        def scaled(axis: int, kind: str = kind, flags: Any = flags, stores: Any = stores) -> ModelProto:
            scales = numpy.linspace(0.1, 0.9, stores.shape[axis])
            made = [node("DequantizeLinear", ["w", "s"], ["d"], axis=axis), node(kind, ["x", "d"], ["y"], **flags)]
            tensors = [stored("w", stores, numpy.int8), stored("s", scales)]
            return model(made, [value("x", F, [2, 5])], [value("y", F, [2, 4])], tensors, opset=21)

        rows = numpy.linspace(-1, 1, 10, dtype=numpy.float32).reshape(2, 5)
        yield Form("scales-summed", f"a {name} sums over the axis of its scales", scaled(along), scaled(across), {"x": rows})
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
