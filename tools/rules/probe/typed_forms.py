"""Questions about forms: what a file says twice, or without a type; sequences and optionals where bodies meet what is around them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy
from onnx import AttributeProto, ModelProto, ValueInfoProto, helper

from probe.forms import (
    CARRIED,
    CONDITIONED,
    GIVEN,
    I64,
    KEPT,
    NEG,
    ON,
    B,
    F,
    Form,
    body,
    branches,
    function,
    looped,
    model,
    op,
    parsed,
    stored,
    value,
)

PLAIN = model([NEG])


def sequence(name: str, dtype: int = F) -> ValueInfoProto:
    return helper.make_value_info(name, helper.make_sequence_type_proto(helper.make_tensor_type_proto(dtype, [2, 3])))


def of_values_twice() -> Iterator[Form]:
    """Two values of one name."""
    for name, nodes in (
        ("by two nodes", "t = Neg (x); t = Exp (x); y = Abs (t)"),
        ("by two nodes, the second after its reader", "t = Neg (x); y = Abs (t); t = Exp (x)"),
        ("by two nodes of two sizes", "t = Transpose (x); t = Exp (x); y = Abs (t)"),
    ):
        yield Form("value-twice", f"a value {name}", model(nodes), model("t = Neg (x); y = Abs (t)"))
    yield Form("value-twice", "a result by two nodes", model("y = Exp (x); y = Neg (x)"), PLAIN)
    arms = branches("t = Neg (x); t = Exp (x)", "e = Abs (x)")
    yield Form(
        "value-twice",
        "a value of an arm by two nodes",
        model([arms], CONDITIONED),
        model([branches("t = Exp (x)", "e = Abs (x)")], CONDITIONED),
        GIVEN,
    )
    yield looped("value-twice", "a value of a body by two nodes", body([ON, *parsed("w = Exp (v); w = Neg (v)")], [KEPT, CARRIED]))
    called = function("f", "a", "b", "b = Exp (a); b = Neg (a)")
    yield Form("value-twice-called", "a value of a function by two nodes", model("y = local.f (x)", functions=[called]), PLAIN)
    yield Form("value-twice-input", "an input by a node as well", model("x = Exp (x); y = Neg (x)"), PLAIN)
    yield Form("value-twice-input", "an input by the last node as well", model("y = Neg (x); x = Exp (y)"), PLAIN)
    ones = stored("w", numpy.ones((2, 3)))
    for name, nodes in (("before", "w = Exp (x); y = Add (x, w)"), ("after", "y = Add (x, w); w = Exp (x)")):
        made = model(nodes, tensors=[ones])
        yield Form("value-twice-stored", f"a stored tensor by a node {name} its reader", made, model("y = Add (x, w)", tensors=[ones]))
    for name, other in (("alike", ones), ("of other numbers", stored("w", numpy.zeros((2, 3)))), ("of another size", stored("w", numpy.ones(3)))):
        made = model("y = Add (x, w)", tensors=[ones, other])
        kind = "initializer-twice-apart" if "size" in name else "initializer-twice"
        yield Form(kind, f"two stored tensors of one name, {name}", made, model("y = Add (x, w)", tensors=[ones]))


def changed(made: ModelProto, change: Callable[[ModelProto], object]) -> ModelProto:
    copied = ModelProto()
    copied.CopyFrom(made)
    change(copied)
    return copied


def of_attributes() -> Iterator[Form]:
    """Attributes that are given twice, or without a type; constants of two values."""
    for name, text, number in (
        ("axis", "y = Softmax <axis = 1> (x)", 0),
        ("alpha", "y = LeakyRelu <alpha = 0.5> (x)", 0.1),
        ("perm", "y = Transpose <perm = [0, 1]> (x)", [1, 0]),
    ):
        good = model(text)

        def twice(m: ModelProto, name: str = name, number: object = number) -> None:
            m.graph.node[0].attribute.append(helper.make_attribute(name, number))

        def again(m: ModelProto) -> None:
            m.graph.node[0].attribute.append(m.graph.node[0].attribute[0])

        def untyped(m: ModelProto) -> None:
            m.graph.node[0].attribute[0].type = AttributeProto.UNDEFINED

        if name != "perm":
            yield Form("attribute-twice", f"two values of {name}", changed(good, twice), good)
        yield Form("attribute-twice", f"one value of {name} twice", changed(good, again), good)
        yield Form("attribute-untyped", f"{name} without a type", changed(good, untyped), good)
    for name, attributes in (
        ("a float and an integer", "value_float = 1.0, value_int = 2"),
        ("a list and a number", "value_floats = [1.0, 2.0, 3.0], value_float = 2.0"),
        ("two integers", "value_int = 2, value_ints = [1, 2]"),
    ):
        made = model(f"k = Constant <{attributes}> (); f = Cast <to = 1> (k); y = Add (x, f)")
        yield Form(
            "constant-values", f"a constant of {name}", made, model("k = Constant <value_float = 1.0> (); f = Cast <to = 1> (k); y = Add (x, f)")
        )


def of_headers() -> Iterator[Form]:
    """The version of the format, imports and functions."""
    for name, nodes in (("of one node", [NEG]), ("of two nodes", parsed("t = Exp (x); y = Neg (t)"))):
        good = model(nodes)
        yield Form("ir-version-none", f"no version of the format, {name}", changed(good, lambda m: m.ClearField("ir_version")), good)
    for first, second in ((17, 13), (13, 17), (17, 21)):
        made = model(
            "y = ReduceSum <keepdims = 1> (x, a)",
            tensors=[stored("a", [1], numpy.int64)],
            outputs=[value("y", F, [2, 1])],
            imports=[("", first), ("", second)],
        )
        good = model("y = ReduceSum <keepdims = 1> (x, a)", tensors=[stored("a", [1], numpy.int64)], outputs=[value("y", F, [2, 1])])
        yield Form("import-twice", f"opset {first} and {second}", made, good)
    good = function("f", "a", "b", "b = Neg (a)")
    for name, other in (("alike", good), ("otherwise", function("f", "a", "b", "b = Exp (a)"))):
        yield Form("function-twice", f"a function twice, {name}", model("y = local.f (x)", functions=[good, other]), PLAIN)


def of_kinds() -> Iterator[Form]:
    """A sequence and a tensor where there should be one type."""
    made, plain = parsed("t = SequenceConstruct (x, x)"), parsed("e = Neg (x)")
    for name, t, e, results in (
        ("then and else", [sequence("t")], [value("e")], [value("y")]),
        ("then and else, declared a sequence", [sequence("t")], [value("e")], [sequence("y")]),
    ):
        twin = model([branches("t = Neg (x)", "e = Abs (x)")], CONDITIONED)
        yield Form("if-kind", f"arms of a sequence and a tensor, {name}", model([branches(made, plain, t=t, e=e)], CONDITIONED, results), twin, GIVEN)
    known = model([branches(made, plain, t=[sequence("t")], e=[value("e")])], [value("x")], tensors=[stored("c", False, bool)])
    yield Form(
        "if-known-kind",
        "arms of a sequence and a tensor, known",
        known,
        model([branches("t = Neg (x)", "e = Abs (x)")], [value("x")], tensors=[stored("c", False, bool)]),
    )
    grown = [ON, *parsed("w = SequenceConstruct (v)")]
    yield looped("loop-kind", "what is carried becomes a sequence", body(grown, [KEPT, sequence("w")]))
    entries = [value("i", I64, []), value("go", B, []), sequence("v")]
    yield looped(
        "loop-given-kind",
        "a body that takes a sequence for a tensor",
        body([ON, op("w = Identity (v)")], [KEPT, sequence("w")], entries),
        declared=[sequence("y")],
    )


def listed(kind: str, name: str, nodes: str, twin: str, outputs: list[ValueInfoProto] | None = None, opset: int = 17) -> Form:
    numbers = [stored("zero", 0, numpy.int64), stored("one", 1, numpy.int64), stored("two", 2, numpy.int64), stored("minus", -3, numpy.int64)]
    numbers += [stored("parts", [1, 1], numpy.int64), stored("more", [1, 2], numpy.int64)]

    def made(text: str) -> ModelProto:
        return model(text, tensors=[t for t in numbers if t.name in text], outputs=outputs or [value("y", F, None)], opset=opset)

    return Form(kind, name, made(nodes), made(twin))


def of_lists() -> Iterator[Form]:
    """What sequences and optionals say themselves, of which nothing is said as a form."""
    at = "s = SequenceConstruct (x, x); y = SequenceAt (s, {})"
    for number in ("two", "minus"):
        yield listed("", f"a sequence of two, at {number}", at.format(number), at.format("one"))
    yield listed("", "a sequence, erased too often", "s = SequenceConstruct (x); t = SequenceErase (s); y = SequenceAt (t, zero)", at.format("zero"))
    yield listed(
        "", "a sequence, inserted too far", "s = SequenceConstruct (x); t = SequenceInsert (s, x, two); y = SequenceAt (t, zero)", at.format("zero")
    )
    good = "s = SplitToSequence <axis = 0> (x, parts); y = ConcatFromSequence <axis = 0> (s)"
    yield listed("", "a sequence of parts that do not add up", good.replace("parts", "more"), good)
    yield listed("", "a sequence, joined along no axis", good.replace("ConcatFromSequence <axis = 0>", "ConcatFromSequence <axis = 2>"), good)
    yield listed("", "a sequence for a tensor", "s = SequenceConstruct (x, x); y = Neg (s)", at.format("zero"))
    yield listed("", "a tensor for a sequence", "y = SequenceAt (x, zero)", at.format("zero"))
    cast = "k = Cast <to = 7> (x); s = SequenceConstruct (x, k); y = SequenceAt (s, zero)"
    yield listed("", "a sequence of two dtypes", cast, at.format("zero"))
    insert = "k = Cast <to = 7> (x); s = SequenceConstruct (x); t = SequenceInsert (s, k); y = SequenceAt (t, zero)"
    yield listed("", "another dtype, inserted into a sequence", insert, at.format("zero"))
    yield listed("", "what a sequence holds, declared int64", at.format("zero"), at.format("zero"), [value("y", I64, None)])
    yield listed(
        "",
        "the elements of a sequence, read by a sum with int64",
        at.format("zero").replace("y =", "k =") + "; i = Cast <to = 7> (x); y = Add (k, i)",
        at.format("zero"),
    )


MAKERS: list[Callable[[], Iterator[Form]]] = [of_values_twice, of_attributes, of_headers, of_kinds, of_lists]


def typed_forms() -> list[Form]:
    return [each for make in MAKERS for each in make()]
