"""Questions about forms: sequences and optionals, also where bodies meet what is around them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy
from onnx import ModelProto, ValueInfoProto, helper

from probe.forms import (
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


def typed_forms() -> list[Form]:
    return [*of_kinds(), *of_lists()]
