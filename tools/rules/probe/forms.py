"""Questions about forms: what no single node shows, such as functions, bodies, names, imports and how tensors are stored.

A form is asked as one small model that has it and one that does not, its twin, which is the same but for that. Both are written to files.
Forms of one kind are written in several ways; a third of these, by the hash of their names, is held out.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy
from onnx import (
    AttributeProto,
    FunctionProto,
    GraphProto,
    ModelProto,
    NodeProto,
    SparseTensorProto,
    TensorProto,
    ValueInfoProto,
    helper,
    numpy_helper,
)
from onnx.parser import parse_graph

F, I64, B, D, F16, BF16 = (TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL, TensorProto.DOUBLE, TensorProto.FLOAT16, TensorProto.BFLOAT16)
Nodes = Sequence[NodeProto] | str
X = numpy.arange(-3, 3, dtype=numpy.float32).reshape(2, 3)


@dataclasses.dataclass
class Form:
    kind: str  # as the program calls it; empty for one that nothing is to be said of
    name: str
    model: ModelProto
    twin: ModelProto
    inputs: dict[str, Any] = dataclasses.field(default_factory=lambda: {"x": X})
    data: dict[str, bytes] = dataclasses.field(default_factory=dict)  # files beside the model
    twin_data: dict[str, bytes] = dataclasses.field(default_factory=dict)

    def given(self, model: ModelProto) -> dict[str, Any]:
        """The inputs of the form, or of its twin: of those that it has not, arrays of the sizes that the model declares."""

        def made(entry: ValueInfoProto) -> Any:
            tensor = entry.type.tensor_type
            sizes = [each.dim_value if each.HasField("dim_value") else 1 for each in tensor.shape.dim]
            known = self.inputs.get(entry.name)
            dtype = helper.tensor_dtype_to_np_dtype(tensor.elem_type or F)
            if known is None or numpy.asarray(known).dtype != dtype or (tensor.HasField("shape") and list(numpy.shape(known)) != sizes):
                return (
                    numpy.ones(sizes, dtype)
                    if known is None or numpy.size(known) != numpy.prod(sizes)
                    else numpy.asarray(known, dtype).reshape(sizes)
                )
            return known

        stored = {tensor.name for tensor in model.graph.initializer}
        return {entry.name: made(entry) for entry in model.graph.input if entry.name not in stored and entry.HasField("type")}

    @property
    def held_out(self) -> bool:
        return hashlib.sha256(self.name.encode()).digest()[0] % 3 == 0


def value(name: str, dtype: int = F, shape: Sequence[int | str] | None = (2, 3)) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, dtype, None if shape is None else list(shape))


def stored(name: str, data: Any, dtype: Any = numpy.float32) -> TensorProto:
    return numpy_helper.from_array(numpy.asarray(data, dtype), name)


def parsed(text: str) -> list[NodeProto]:
    """Nodes in ONNX's own words, a semicolon between two."""
    made = list(parse_graph(f"g () => () {{ {text.replace(';', ' ')} }}").node)
    for each in made:
        if not each.domain:
            each.ClearField("domain")
    return made


def op(text: str) -> NodeProto:
    return parsed(text)[0]


def nodes_of(nodes: Nodes) -> list[NodeProto]:
    return parsed(nodes) if isinstance(nodes, str) else list(nodes)


def node(kind: str, inputs: Sequence[str], outputs: Sequence[str], **attributes: Any) -> NodeProto:
    return helper.make_node(kind, list(inputs), list(outputs), **attributes)


def model(
    nodes: Nodes,
    inputs: Sequence[ValueInfoProto] = (value("x"),),
    outputs: Sequence[ValueInfoProto] = (value("y"),),
    tensors: Sequence[TensorProto] = (),
    functions: Sequence[FunctionProto] = (),
    opset: int = 17,
    imports: Sequence[tuple[str, int]] | None = None,
    ir: int = 9,
    sparse: Sequence[SparseTensorProto] = (),
) -> ModelProto:
    graph = helper.make_graph(nodes_of(nodes), "g", list(inputs), list(outputs), list(tensors), sparse_initializer=list(sparse))
    chosen = imports if imports is not None else [("", opset)] + ([("local", 1)] if functions else [])
    return helper.make_model(graph, functions=list(functions), ir_version=ir, opset_imports=[helper.make_opsetid(*each) for each in chosen])


def graph(
    name: str, nodes: Nodes, inputs: Sequence[ValueInfoProto], outputs: Sequence[ValueInfoProto], tensors: Sequence[TensorProto] = ()
) -> GraphProto:
    return helper.make_graph(nodes_of(nodes), name, list(inputs), list(outputs), list(tensors))


def function(
    name: str,
    inputs: str,
    outputs: str,
    nodes: Nodes,
    opsets: Sequence[tuple[str, int]] = (("", 17),),
    attributes: Sequence[str] = (),
    defaults: Sequence[AttributeProto] = (),
    domain: str = "local",
) -> FunctionProto:
    return helper.make_function(
        domain,
        name,
        inputs.split(),
        outputs.split(),
        nodes_of(nodes),
        [helper.make_opsetid(*each) for each in opsets],
        list(attributes),
        list(defaults),
    )


def referring(made: NodeProto, attribute: str, outer: str, kind: Any) -> NodeProto:
    made.attribute.append(AttributeProto(name=attribute, ref_attr_name=outer, type=kind))
    return made


RELU, NEG = op("y = Relu (x)"), op("y = Neg (x)")


# Functions


def of_functions() -> Iterator[Form]:
    call = op("y = local.f (x)")
    body = parsed("b = Neg (a)")
    plain = model([NEG])
    yield Form("function", "function: one", model([call], functions=[function("f", "a", "b", body)]), plain)
    yield Form(
        "function",
        "function: called twice",
        model("t = local.f (x); y = local.f (t)", functions=[function("f", "a", "b", body)]),
        model("t = Neg (x); y = Neg (t)"),
    )
    nested = function("g", "a", "b", "b = local.f (a)", (("", 17), ("local", 1)))
    yield Form("function", "function: nested", model("y = local.g (x)", functions=[nested, function("f", "a", "b", body)]), plain)
    leaky = referring(op("b = LeakyRelu (a)"), "alpha", "slope", AttributeProto.FLOAT)
    slope = function("f", "a", "b", [leaky], attributes=["slope"])
    yield Form("function", "function: attribute", model("y = local.f <slope = 0.5> (x)", functions=[slope]), model("y = LeakyRelu <alpha = 0.5> (x)"))
    default = function("f", "a", "b", [leaky], defaults=[helper.make_attribute("slope", 0.3)])
    yield Form("function", "function: default", model([call], functions=[default]), model("y = LeakyRelu <alpha = 0.3> (x)"))
    clip = function("f", "a low high", "b", "b = Clip (a, low, high)")
    high = stored("h", 1.0)
    yield Form(
        "function-left-out",
        "function: input left out",
        model('y = local.f (x, "", h)', functions=[clip], tensors=[high]),
        model('y = Clip (x, "", h)', tensors=[high]),
    )
    two = function("f", "a", "b c", "b = Neg (a); c = Abs (a)")
    yield Form("function-left-out", "function: output left out", model('"", y = local.f (x)', functions=[two]), model("y = Abs (x)"))
    yield Form(
        "function-left-out",
        "a call with fewer inputs than it has",
        model("y = local.f (x, l)", functions=[clip], tensors=[stored("l", -1.0)]),
        model("y = local.f (x, l, h)", functions=[clip], tensors=[stored("l", -1.0), high]),
    )
    yield Form(
        "function-results-left",
        "a call with fewer results than it has",
        model("y = local.f (x)", functions=[two]),
        model("y, z = local.f (x)", functions=[two]),
    )
    yield Form(
        "function",
        "function: in two domains",
        model(
            "t = local.f (x); y = other.f (t)",
            imports=[("", 17), ("local", 1), ("other", 1)],
            functions=[function("f", "a", "b", body), function("f", "a", "b", "b = Abs (a)", domain="other")],
        ),
        model("t = Neg (x); y = Abs (t)"),
    )
    arm = branches("t = local.f (x)", "e = Abs (x)")
    yield Form(
        "function",
        "function: called in an arm",
        model([arm], CONDITIONED, functions=[function("f", "a", "b", body)]),
        model([branches("t = Neg (x)", "e = Abs (x)")], CONDITIONED),
        GIVEN,
    )
    inside = function("f", "c x", "y", [branches("t = Neg (x)", "e = Abs (x)")])
    yield Form(
        "function",
        "function: an If in it",
        model("y = local.f (c, x)", CONDITIONED, functions=[inside]),
        model([branches("t = Neg (x)", "e = Abs (x)")], CONDITIONED),
        GIVEN,
    )
    kept = [function("f", "a", "b", body)]
    yield Form("function-missing", "a call of a function that is gone", model("y = local.g (x)", functions=kept), plain)
    yield Form("function-missing", "one of two functions is gone", model("t = local.f (x); y = local.g (t)", functions=kept), plain)
    yield Form("", "function that nothing calls", model([NEG], functions=[function("f", "a", "b", body)]), plain)
    old = parsed("b = Softmax <axis = 0> (a)")
    for opset in (11, 12):
        yield Form(
            "function-opset",
            f"function of opset {opset}",
            model([call], functions=[function("f", "a", "b", old, (("", opset),))]),
            model([call], functions=[function("f", "a", "b", "b = Softmax <axis = 0> (a)")]),
        )
    squeezed = parsed("b = ReduceSum <axes = [0], keepdims = 1> (a); c = Expand (b, s)")
    shape = stored("s", [2, 3], numpy.int64)
    yield Form(
        "function-opset",
        "function of opset 11: axes",
        model("y = local.f (x, s)", tensors=[shape], functions=[function("f", "a s", "c", squeezed, (("", 11),))]),
        model(
            "y = local.f (x, s)",
            tensors=[shape, stored("d", [0], numpy.int64)],
            functions=[function("f", "a s", "c", "d = Constant <value_ints = [0]> (); b = ReduceSum <keepdims = 1> (a, d); c = Expand (b, s)")],
        ),
    )
    yield Form(
        "function-import",
        "function without an opset",
        model([call], functions=[function("f", "a", "b", body, ())]),
        model([call], functions=[function("f", "a", "b", body)]),
    )
    yield Form(
        "function-import",
        "function without the domain that it calls",
        model("y = local.g (x)", functions=[function("g", "a", "b", "b = local.f (a)"), function("f", "a", "b", body)]),
        model("y = local.g (x)", functions=[nested, function("f", "a", "b", body)]),
    )
    yield Form(
        "function-outputs",
        "call with two results of one",
        model("y, z = local.f (x)", functions=[function("f", "a", "b", body)]),
        model([call], functions=[function("f", "a", "b", body)]),
    )
    yield Form(
        "function-outputs", "call with a third result", model("y, z, w = local.f (x)", functions=[two]), model("y, z = local.f (x)", functions=[two])
    )
    add = function("f", "a b", "c", "c = Add (a, b)")
    yield Form("", "call without an input that is needed", model([call], functions=[add]), model("y = local.f (x, x)", functions=[add]))
    yield Form(
        "", "call with an empty input that is needed", model('y = local.f ("", x)', functions=[add]), model("y = local.f (x, x)", functions=[add])
    )
    yield Form(
        "function-result",
        "result that nothing makes",
        model([call], functions=[function("f", "a", "gone", body)]),
        model([call], functions=[function("f", "a", "b", body)]),
    )
    yield Form(
        "function-passes",
        "result that is an input",
        model([call], functions=[function("f", "a", "a", body)]),
        model([call], functions=[function("f", "a", "b", "b = Identity (a)")]),
    )
    yield Form(
        "",
        "function that yields another dtype than declared",
        model([call], functions=[function("f", "a", "b", f"b = Cast <to = {I64}> (a)")]),
        model([call], outputs=[value("y", I64)], functions=[function("f", "a", "b", f"b = Cast <to = {I64}> (a)")]),
    )


# Names and declarations


def of_names() -> Iterator[Form]:
    plain = model([RELU])
    add = parsed("y = Add (x, z)")
    pair = model(add, [value("x"), value("z")])
    yield Form("input-twice", "input twice", model([RELU], [value("x"), value("x")]), plain)
    yield Form("input-twice", "input twice, of two ranks", model([RELU], [value("x"), value("x", F, [6])]), plain)
    yield Form("input-twice", "three inputs, two of a name", model(add, [value("x"), value("z"), value("x")]), pair, {"x": X, "z": X})
    yield Form("", "output twice", model([RELU], outputs=[value("y"), value("y")]), plain)
    yield Form(
        "",
        "two of three outputs the same",
        model([RELU, op("z = Neg (x)")], outputs=[value("y"), value("z"), value("y")]),
        model([RELU, op("z = Neg (x)")], outputs=[value("y"), value("z")]),
    )
    chain = parsed("[a] t = Neg (x); [b] y = Relu (t)")
    same = parsed("[a] t = Neg (x); [a] y = Relu (t)")
    yield Form("node-twice", "two nodes of a name", model(same), model(chain))
    yield Form("node-twice", "two nodes of a kind and a name", model("[n] t = Neg (x); [n] y = Neg (t)"), model("[n] t = Neg (x); [m] y = Neg (t)"))
    yield Form(
        "node-twice",
        "three nodes, the first and last of a name",
        model([*chain[:1], op("[b] u = Abs (t)"), op("[a] y = Relu (u)")]),
        model([*chain[:1], op("[b] u = Abs (t)"), op("[c] y = Relu (u)")]),
    )
    numbers = [node("Constant", [], [name], name="a", value=stored("", 2)) for name in ("p", "q")]
    sums = parsed("[a] t = Add (x, p); [b] y = Mul (t, q)")
    yield Form("", "two constants and a node of a name", model([*numbers, *sums]), model(chain))
    arms = branches("[n] t = Neg (x)", "[n] e = Abs (x)")
    apart = branches("[n] t = Neg (x)", "[m] e = Abs (x)")
    yield Form("", "nodes of a name in two arms", model([arms], CONDITIONED), model([apart], CONDITIONED), GIVEN)
    pair_of = parsed("[n] u = Neg (x); [n] t = Abs (u)")
    yield Form(
        "node-twice",
        "two nodes of a name in an arm",
        model([branches(pair_of, "[m] e = Abs (x)")], CONDITIONED),
        model([branches([pair_of[0], op("[k] t = Abs (u)")], "[m] e = Abs (x)")], CONDITIONED),
        GIVEN,
    )
    called = parsed("[n] u = Neg (a); [n] b = Abs (u)")
    yield Form(
        "node-twice",
        "two nodes of a name in a function",
        model("y = local.f (x)", functions=[function("f", "a", "b", called)]),
        model("y = local.f (x)", functions=[function("f", "a", "b", [called[0], op("[m] b = Abs (u)")])]),
    )
    outer = parsed("[n] q = Abs (x)")
    inner = branches("[n] t = Neg (q)", "[m] e = Abs (q)")
    yield Form(
        "", "a node of a name in an arm and outside", model([*outer, inner], CONDITIONED), model([op("[k] q = Abs (x)"), inner], CONDITIONED), GIVEN
    )


def of_declarations() -> Iterator[Form]:
    plain = model([RELU])
    add = parsed("y = Add (x, z)")
    pair = model(add, [value("x"), value("z")])
    chain = parsed("[a] t = Neg (x); [b] y = Relu (t)")
    nameless = model([RELU])
    nameless.graph.name = ""
    yield Form("", "a graph without a name", nameless, plain)
    yield Form("", "an input that nothing reads", model([RELU], [value("x"), value("z")]), plain, {"x": X, "z": X})
    yield Form("", "an input that is an output", model([RELU], outputs=[value("y"), value("x")]), plain)
    yield Form("", "an initializer that is an output", model([RELU], outputs=[value("y"), value("w")], tensors=[stored("w", X)]), plain)
    yield Form("", "an initializer that nothing reads", model([RELU], tensors=[stored("w", X)]), plain)
    for ir in (3, 4, 9):
        yield Form(
            "",
            f"an initializer that is an input, IR {ir}",
            model(add, [value("x"), value("z")], tensors=[stored("z", X)], ir=ir, opset=8 if ir == 3 else 17),
            pair,
            {"x": X},
        )
    loose = model(add, tensors=[stored("z", X)], ir=3, opset=8)
    yield Form("", "an initializer that is no input, IR 3", loose, model(add, [value("x"), value("z")], tensors=[stored("z", X)], ir=3, opset=8))
    yield Form("", "two initializers of a name", model(add, tensors=[stored("z", X), stored("z", X)]), model(add, tensors=[stored("z", X)]))
    yield Form(
        "initializer-input-type",
        "an initializer of another dtype than its input",
        model(add, [value("x"), value("z", D)], tensors=[stored("z", X)]),
        model(add, [value("x"), value("z")], tensors=[stored("z", X)]),
    )
    yield Form(
        "initializer-input-type",
        "an initializer of another size than its input",
        model(add, [value("x"), value("z", F, [3, 3])], tensors=[stored("z", X)]),
        model(add, [value("x"), value("z")], tensors=[stored("z", X)]),
    )
    yield Form("input-typeless", "an input without a type", model([RELU], [ValueInfoProto(name="x")]), plain)
    yield Form("output-typeless", "an output without a type", model([RELU], outputs=[ValueInfoProto(name="y")]), plain)
    noted = model(chain)
    noted.graph.value_info.append(value("t", F, [3, 3]))
    yield Form("", "value_info of another size", noted, model(chain))
    loose_rank = model(chain)
    loose_rank.graph.value_info.append(value("t", F, [6]))
    yield Form("", "value_info of another rank", loose_rank, model(chain))
    unused = model(chain)
    unused.graph.value_info.append(value("nowhere", F, [3, 3]))
    yield Form("", "value_info of no value", unused, model(chain))
    twice = model(chain)
    twice.graph.value_info.extend([value("t"), value("t")])
    yield Form("", "value_info twice, the same", twice, model(chain))
    wrong = model([RELU], outputs=[value("y", F, [3, 3])])
    yield Form("", "an output of another size", wrong, plain)
    yield Form("", "an output of another rank", model([RELU], outputs=[value("y", F, [6])]), plain)
    yield Form("", "an output of another dtype", model([RELU], outputs=[value("y", D)]), plain)


def of_imports() -> Iterator[Form]:
    plain = model([RELU])
    yield Form("import-none", "no import at all", model([RELU], imports=[]), plain)
    named = model([RELU], imports=[])
    named.producer_name = "exporter"
    yield Form("import-none-named", "no import of an exporter that names itself", named, plain)
    yield Form("", "only another domain is imported", model([RELU], imports=[("com.microsoft", 1)]), plain)
    gelu = parsed("y = com.microsoft.Gelu (x)")
    yield Form("", "a domain of the runtimes is not imported", model(gelu), model(gelu, imports=[("", 17), ("com.microsoft", 1)]))
    call = parsed("y = local.f (x)")
    made = [function("f", "a", "b", "b = Neg (a)")]
    yield Form(
        "function-domain", "the domain of a function is not imported", model(call, functions=made, imports=[("", 17)]), model(call, functions=made)
    )
    yield Form("", "a domain that nothing uses", model([RELU], imports=[("", 17), ("ai.onnx.ml", 3)]), plain)
    yield Form("", "a domain that nobody has", model([RELU], imports=[("", 17), ("nobody.knows", 1)]), plain)
    yield Form("", "an import twice, the same", model([RELU], imports=[("", 17), ("", 17)]), plain)
    yield Form("", "an import twice, of two versions", model([RELU], imports=[("", 17), ("", 13)]), plain)
    yield Form("", "ai.onnx twice, under two names", model([RELU], imports=[("", 17), ("ai.onnx", 13)]), plain)
    yield Form("", "ai.onnx by its long name", model([RELU], imports=[("ai.onnx", 17)]), plain)
    yield Form("opset-zero", "opset 0", model([RELU], imports=[("", 0)]), plain)


# Bodies

CONDITIONED = (value("c", B, []), value("x"))
GIVEN = {"c": numpy.array(True), "x": X}


def branches(
    then: Nodes,
    other: Nodes,
    outputs: Sequence[str] = ("y",),
    t: Any = None,
    e: Any = None,
    then_inputs: Sequence[ValueInfoProto] = (),
    then_tensors: Sequence[TensorProto] = (),
) -> NodeProto:
    return node(
        "If",
        ["c"],
        outputs,
        then_branch=graph("then", then, then_inputs, t if t is not None else [value("t")], then_tensors),
        else_branch=graph("else", other, [], e if e is not None else [value("e")]),
    )


def of_arms() -> Iterator[Form]:
    neg, absolute = parsed("t = Neg (x)"), parsed("e = Abs (x)")
    good = model([branches(neg, absolute)], CONDITIONED)

    def asked(
        kind: str,
        name: str,
        made: NodeProto,
        outputs: Sequence[ValueInfoProto] = (value("y"),),
        twin: ModelProto = good,
        inputs: Sequence[ValueInfoProto] = CONDITIONED,
        tensors: Sequence[TensorProto] = (),
    ) -> Form:
        return Form(kind, name, model([made], inputs, outputs, tensors), twin, GIVEN)

    more = [*absolute, op("f = Neg (x)")]
    yield asked("if-count", "an arm of two results, the other of one", branches(neg, more, e=[value("e"), value("f")]))
    results = [value("y"), value("z")]
    yield asked("if-results-more", "If of two results, arms of one, both wanted", branches(neg, absolute, ["y", "z"]), results)
    both = [*neg, op("u = Exp (x)")]
    yield asked("if-count", "If of one result, arms of two", branches(both, more, t=[value("t"), value("u")], e=[value("e"), value("f")]))
    yield asked("if-empty", "an arm without results", branches(neg, absolute, e=[]))
    cast = parsed(f"e = Cast <to = {D}> (x)")
    yield asked("if-dtype", "arms of two dtypes", branches(neg, cast, e=[value("e", D)]))
    yield asked("if-dtype", "arms of two dtypes, one declared wrongly", branches(neg, cast))
    yield asked(
        "if-dtype-apart", "arms of two dtypes, integers", branches(f"t = Cast <to = {I64}> (x)", absolute, t=[value("t", I64)]), [value("y", I64)]
    )
    flat = parsed("e = Flatten <axis = 0> (x)")
    row = parsed("e = Reshape (x, s)")
    shape = [stored("s", [6], numpy.int64)]
    yield asked("if-rank", "arms of two ranks", branches(neg, row, e=[value("e", F, [6])]), [value("y", F, None)], tensors=shape)
    yield asked(
        "if-rank",
        "arms of two ranks, undeclared",
        branches(neg, row, t=[value("t", F, None)], e=[value("e", F, None)]),
        [value("y", F, None)],
        tensors=shape,
    )
    yield asked("if-size", "arms of two sizes", branches(neg, flat, e=[value("e", F, [1, 6])]), [value("y", F, ["a", "b"])])
    yield asked(
        "if-size", "arms of two sizes, undeclared", branches(neg, flat, t=[value("t", F, None)], e=[value("e", F, None)]), [value("y", F, None)]
    )
    yield asked("if-inputs", "an arm with an input", branches("t = Neg (i)", absolute, then_inputs=[value("i")]))
    yield asked("", "an arm without nodes, of an initializer", branches([], absolute, t=[value("w")], then_tensors=[stored("w", X)]))
    yield asked("arm-yields-outer", "an arm without nodes, of an outer value", branches([], absolute, t=[value("x")]))
    yield asked(
        "arm-yields-outer",
        "both arms without nodes",
        branches([], [], t=[value("x")], e=[value("z")]),
        inputs=[*CONDITIONED, value("z")],
        twin=model([branches(neg, "e = Abs (z)")], [*CONDITIONED, value("z")]),
    )
    yield asked("if-condition-size", "a condition of two elements", branches(neg, absolute), inputs=[value("c", B, [2]), value("x")])
    for name, dtype in (("float32", F), ("int64", I64)):
        yield asked("if-condition", f"a condition of {name}", branches(neg, absolute), inputs=[value("c", dtype, []), value("x")])
    yield asked("", "a condition of one element", branches(neg, absolute), inputs=[value("c", B, [1]), value("x")])
    yield asked("if-arm", "If without its second arm", node("If", ["c"], ["y"], then_branch=graph("then", neg, [], [value("t")])))
    hidden = parsed("q = Neg (x); t = Abs (q)")
    for name, own in (("a result", hidden), ("the last result", parsed("q = Neg (x)"))):
        made = branches(own, absolute, t=[value("t" if len(own) == 2 else "q")])
        yield Form(
            "name-hidden",
            f"a name of the graph is {name} of an arm",
            model([op("q = Exp (x)"), made, op("z = Add (y, q)")], CONDITIONED, [value("z")]),
            model([op("p = Exp (x)"), made, op("z = Add (y, p)")], CONDITIONED, [value("z")]),
            GIVEN,
        )
    held = branches("t = Add (x, w)", absolute, then_tensors=[stored("w", X)])
    yield Form(
        "name-hidden-initializer",
        "an arm's initializer has the name of one of the graph",
        model([op("r = Add (x, w)"), held, op("z = Add (y, r)")], CONDITIONED, [value("z")], [stored("w", X + 1)]),
        model([op("r = Add (x, v)"), held, op("z = Add (y, r)")], CONDITIONED, [value("z")], [stored("v", X + 1)]),
        GIVEN,
    )
    yield Form("", "an arm's result has the name of the If's", model([branches("y = Neg (x)", absolute, t=[value("y")])], CONDITIONED), good, GIVEN)
    yield Form(
        "name-hidden", "an arm's value has the name of an input", model([branches("c = Neg (x); t = Abs (c)", absolute)], CONDITIONED), good, GIVEN
    )
    ahead = branches("q = Neg (x); t = Abs (q)", absolute)
    yield Form(
        "",
        "a name of an arm is made later by the graph",
        model([ahead, op("q = Exp (x)"), op("z = Add (y, q)")], CONDITIONED, [value("z")]),
        model([ahead, op("p = Exp (x)"), op("z = Add (y, p)")], CONDITIONED, [value("z")]),
        GIVEN,
    )
    yield Form(
        "name-hidden-initializer",
        "an arm's initializer has the name of a result of the graph",
        model([op("w = Exp (x)"), held, op("z = Add (y, w)")], CONDITIONED, [value("z")]),
        model([op("v = Exp (x)"), held, op("z = Add (y, v)")], CONDITIONED, [value("z")]),
        GIVEN,
    )
    yield Form(
        "name-hidden-initializer",
        "an arm's initializer has the name of an input",
        model([branches("t = Add (x, w)", absolute, then_tensors=[stored("w", X)]), op("z = Add (y, w)")], [*CONDITIONED, value("w")], [value("z")]),
        model([branches("t = Add (x, w)", absolute, then_tensors=[stored("w", X)]), op("z = Add (y, v)")], [*CONDITIONED, value("v")], [value("z")]),
        {**GIVEN, "w": X + 1, "v": X + 1},
    )
    yield Form(
        "",
        "a value has one name in two arms",
        model([branches("q = Neg (x); t = Abs (q)", "q = Exp (x); e = Abs (q)")], CONDITIONED),
        model([branches("q = Neg (x); t = Abs (q)", "p = Exp (x); e = Abs (p)")], CONDITIONED),
        GIVEN,
    )
    yield asked("", "two arms whose results have one name", branches("t = Neg (x)", "t = Abs (x)", e=[value("t")]))
    late = branches("t = Neg (q)", absolute)
    yield Form(
        "",
        "an arm reads what comes after",
        model([late, op("q = Exp (x)"), op("z = Add (y, q)")], CONDITIONED, [value("z")]),
        model([op("q = Exp (x)"), late, op("z = Add (y, q)")], CONDITIONED, [value("z")]),
        GIVEN,
    )
    yield Form("", "an arm reads what nothing makes", model([branches("t = Neg (gone)", absolute)], CONDITIONED), good, GIVEN)
    yield Form(
        "",
        "a graph reads what only an arm makes",
        model([branches("q = Neg (x); t = Abs (q)", absolute), op("z = Add (y, q)")], CONDITIONED, [value("z")]),
        good,
        GIVEN,
    )
    for outputs, name in (([value("t", F, [3, 3])], "another size"), ([value("t", F, [6])], "another rank")):
        yield asked("", f"an arm's result is declared with {name}", branches(neg, absolute, t=outputs))
    yield asked("", "a node that its operator forbids, in an arm", branches("t = Concat (x, x)", absolute))
    yield asked("", "an attribute that there is not, in an arm", branches("t = Neg <nothing = 1> (x)", absolute))
    yield asked("", "sizes that do not fit, in an arm", branches("t = MatMul (x, x)", absolute, t=[value("t", F, None)]))


LOOPED = (value("n", I64, []), value("c", B, []), value("x"))
TURNS = {"n": numpy.array(3), "c": numpy.array(True), "x": X}


def body(
    nodes: Nodes, outputs: Sequence[ValueInfoProto], inputs: Sequence[ValueInfoProto] | None = None, tensors: Sequence[TensorProto] = ()
) -> GraphProto:
    return graph("body", nodes, inputs if inputs is not None else [value("i", I64, []), value("go", B, []), value("v")], outputs, tensors)


ON, STEP = op("on = Identity (go)"), op("w = Neg (v)")
KEPT, CARRIED = value("on", B, []), value("w")


def looped(
    kind: str,
    name: str,
    inside: GraphProto,
    inputs: Sequence[str] = ("n", "c", "x"),
    outputs: Sequence[str] = ("y",),
    declared: Any = None,
    given: dict[str, Any] | None = None,
    entries: Sequence[ValueInfoProto] = LOOPED,
    tensors: Sequence[TensorProto] = (),
) -> Form:
    good = model([node("Loop", ["n", "c", "x"], ["y"], body=body([ON, STEP], [KEPT, CARRIED]))], LOOPED)
    made = model([node("Loop", inputs, outputs, body=inside)], entries, declared or [value("y")], tensors)
    return Form(kind, name, made, good, given or TURNS)


def of_loops() -> Iterator[Form]:
    on, step, kept, carried, asked = ON, STEP, KEPT, CARRIED, looped
    plain = body([on, step], [kept, carried])
    good = model([node("Loop", ["n", "c", "x"], ["y"], body=plain)], LOOPED)

    yield asked(
        "loop-body-inputs",
        "a body without its carried input",
        body([on, op("w = Neg (x)")], [kept, carried], [value("i", I64, []), value("go", B, [])]),
    )
    yield asked(
        "loop-body-inputs-more",
        "a body with an input too many",
        body([on, step], [kept, carried], [value("i", I64, []), value("go", B, []), value("v"), value("u")]),
    )
    yield asked("loop-body-inputs", "a body without a condition", body("w = Neg (v)", [carried], [value("i", I64, []), value("v")]))
    yield asked("loop-body-outputs", "a body that does not yield its condition", body([step], [carried]))
    yield asked("loop-body-outputs", "a body that does not yield what is carried", body([on], [kept]))
    yield asked("loop-body-outputs", "a body without results", body([on, step], []))
    both = [value("y"), value("z", F, ["n", 2, 3])]
    yield asked("loop-outputs-more", "a Loop of two results, its body of one, both wanted", plain, outputs=["y", "z"], declared=both)
    scanned = body([on, step, op("s = Abs (v)")], [kept, carried, value("s")])
    yield asked("loop-outputs", "a Loop that takes one of two results", scanned, outputs=["y"])
    yield asked("", "a Loop with a scan output", scanned, outputs=["y", "z"], declared=[value("y"), value("z", F, ["n", 2, 3])])
    yield asked("loop-result-left-out", "a Loop whose first result is left out", scanned, outputs=["", "z"], declared=[value("z", F, ["n", 2, 3])])
    yield asked("loop-result-left-out", "a Loop whose second result is left out", scanned, outputs=["y", ""])
    yield asked("loop-dtype", "what is carried becomes float64", body([on, op(f"w = Cast <to = {D}> (v)")], [kept, value("w", D)]))
    yield asked("loop-dtype", "what is carried becomes float64, declared float32", body([on, op(f"w = Cast <to = {D}> (v)")], [kept, carried]))
    yield asked(
        "loop-given-dtype",
        "a body's input has another dtype than is given",
        body([on, op(f"w = Cast <to = {F}> (v)")], [kept, carried], [value("i", I64, []), value("go", B, []), value("v", D)]),
    )
    yield asked(
        "loop-rank",
        "what is carried grows a dimension",
        body([on, op("w = Unsqueeze (v, a)")], [kept, value("w", F, [1, 2, 3])], tensors=[stored("a", [0], numpy.int64)]),
        declared=[value("y", F, None)],
    )
    yield asked(
        "",
        "what is carried grows a dimension, undeclared",
        body(
            [on, op("w = Unsqueeze (v, a)")],
            [kept, value("w", F, None)],
            [value("i", I64, []), value("go", B, []), value("v", F, None)],
            tensors=[stored("a", [0], numpy.int64)],
        ),
        declared=[value("y", F, None)],
    )
    yield asked(
        "",
        "a body's input has another rank than is given",
        body([on, step], [kept, carried], [value("i", I64, []), value("go", B, []), value("v", F, [6])]),
    )
    yield asked(
        "",
        "what is carried grows",
        body(
            [on, op("w = Concat <axis = 0> (v, v)")],
            [kept, value("w", F, ["m", 3])],
            [value("i", I64, []), value("go", B, []), value("v", F, ["k", 3])],
        ),
        declared=[value("y", F, ["m", 3])],
    )
    yield asked(
        "",
        "what is carried grows, undeclared",
        body([on, op("w = Concat <axis = 0> (v, v)")], [kept, value("w", F, None)], [value("i", I64, []), value("go", B, []), value("v", F, None)]),
        declared=[value("y", F, None)],
    )
    yield asked("loop-size", "what is carried grows, declared of one size", body([on, op("w = Concat <axis = 0> (v, v)")], [kept, carried]))
    yield asked("loop-no-condition", "a Loop without a condition", plain, ["n", "", "x"])
    always = body("u = Identity (v); w = Neg (u); on = Identity (go)", [kept, carried])
    yield asked("loop-no-condition", "a Loop without a condition, of two steps", always, ["n", "", "x"])
    yield asked(
        "loop-no-condition",
        "a Loop without a condition, with a scan output",
        scanned,
        ["n", "", "x"],
        ["y", "z"],
        [value("y"), value("z", F, ["n", 2, 3])],
    )
    yield asked("loop-no-condition", "a Loop without a condition, of stored turns", plain, ["m", "", "x"], tensors=[stored("m", 3, numpy.int64)])
    less = body([op("on = Less (i, two)"), step], [kept, carried], tensors=[stored("two", 2, numpy.int64)])
    yield asked("loop-no-trips", "a Loop without a trip count", less, ["", "c", "x"])
    yield asked("loop-no-trips", "a Loop without both", less, ["", "", "x"])
    yield asked("", "a Loop of zero turns", plain, given={**TURNS, "n": numpy.array(0)})
    yield asked(
        "loop-condition", "a body whose condition is int64", body([op(f"on = Cast <to = {I64}> (go)"), step], [value("on", I64, []), carried])
    )
    yield asked("loop-condition", "a Loop's condition of float32", plain, entries=[LOOPED[0], value("c", F, []), LOOPED[2]])
    yield asked(
        "loop-condition-size",
        "a body whose condition has two elements",
        body([op("on = Concat <axis = 0> (one, one)"), step], [value("on", B, [2]), carried], tensors=[stored("one", [True], numpy.bool_)]),
    )
    yield asked(
        "loop-trips",
        "a trip count of int32",
        plain,
        entries=[value("n", TensorProto.INT32, []), *LOOPED[1:]],
        given={**TURNS, "n": numpy.array(3, numpy.int32)},
    )
    yield asked(
        "loop-trips-size",
        "a trip count of two elements",
        plain,
        entries=[value("n", I64, [2]), *LOOPED[1:]],
        given={**TURNS, "n": numpy.array([3, 3])},
    )
    yield Form("body-missing", "a Loop without a body", model("y = Loop (n, c, x)", LOOPED), good, TURNS)


def of_loop_values() -> Iterator[Form]:
    on, step, kept, carried, asked = ON, STEP, KEPT, CARRIED, looped
    yield asked("loop-yields-input", "a body that yields its own condition", body([step], [value("go", B, []), carried]))
    yield asked("loop-yields-input", "a body that yields its own input", body([on], [kept, value("v")]))
    yield asked("body-yields-outer", "a body that yields an outer value", body([on], [kept, value("x")]))
    yield asked("", "a body that yields its own initializer", body([on], [kept, value("k")], tensors=[stored("k", X)]))
    yield asked("", "a body that reads an outer value", body([on, op("w = Add (v, x)")], [kept, carried]))
    yield asked(
        "name-hidden-input",
        "a body's input has the name of an outer value",
        body([on, op("w = Neg (x)")], [kept, carried], [value("i", I64, []), value("go", B, []), value("x")]),
    )
    yield asked("name-hidden", "a body's result has the name of an outer value", body([op("n = Identity (go)"), step], [value("n", B, []), carried]))
    yield asked("", "a body reads what nothing makes", body([on, op("w = Neg (gone)")], [kept, carried]))
    yield asked("", "a node that its operator forbids, in a body", body([on, op("w = Concat (v, v)")], [kept, carried]))
    yield asked(
        "", "sizes that do not fit, in a body", body([on, op("w = MatMul (v, v)")], [kept, value("w", F, None)]), declared=[value("y", F, None)]
    )
    yield asked(
        "body-input-twice",
        "a body's inputs have one name",
        body([on, op("w = Neg (go)")], [kept, carried], [value("i", I64, []), value("go", B, []), value("go", B, [])]),
    )


def of_scans() -> Iterator[Form]:
    entries = [value("x"), value("s", F, [3])]
    given = {"x": X, "s": numpy.zeros(3, numpy.float32)}
    nodes = "b = Add (a, r); z = Neg (b)"
    results = [value("last", F, [3]), value("y")]

    def body(text: str, names: str = "a r", made: str = "b z", size: int = 3, yielded: Sequence[ValueInfoProto] = ()) -> GraphProto:
        given, own = ([value(each, F, [size]) for each in words.split()] for words in (names, made))
        return graph("body", text, given, [*yielded, *own])

    inside = body(nodes)

    def scan(made: GraphProto, inputs: Sequence[str] = ("s", "x"), outputs: Sequence[str] = ("last", "y"), **attributes: Any) -> NodeProto:
        return node("Scan", inputs, outputs, body=made, **{"num_scan_inputs": 1, **attributes})

    good = model([scan(inside)], entries, results)

    def asked(kind: str, name: str, made: NodeProto, declared: Any = None, inputs: Any = None, values: Any = None) -> Form:
        return Form(kind, name, model([made], inputs or entries, declared or results), good, values or given)

    yield asked("", "a Scan backwards", scan(inside, scan_input_directions=[1]))
    yield asked("", "a Scan that writes backwards", scan(inside, scan_output_directions=[1]))
    yield asked(
        "",
        "a Scan along another axis",
        scan(body(nodes, size=2), scan_input_axes=[1]),
        [value("last", F, [2]), value("y", F, [3, 2])],
        [value("x"), value("s", F, [2])],
        {"x": X, "s": numpy.zeros(2, numpy.float32)},
    )
    yield asked("scan-body-inputs", "a body with an input too few", scan(body("b = Neg (a); z = Abs (a)", "a")))
    yield asked("scan-body-inputs-more", "a Scan's body with an input too many", scan(body(nodes, "a r q")))
    yield asked("scan-body-outputs", "a body with a result too few", scan(body(nodes, made="b")))
    yield asked("scan-body-outputs-more", "a body with a result too many", scan(body(nodes, made="b z a2")))
    yield asked("scan-inputs", "more inputs to scan than there are", scan(inside, num_scan_inputs=3))
    yield asked("scan-nothing", "nothing to scan", scan(inside, num_scan_inputs=0))
    cast = f"c = Add (a, r); b = Cast <to = {D}> (c); z = Neg (c)"
    yield asked("scan-dtype", "a state that becomes float64", scan(body(cast, made="z", yielded=[value("b", D, [3])])))
    yield asked(
        "scan-rank",
        "a state that grows a dimension",
        scan(
            graph(
                "body",
                "z = Add (a, r); b = Unsqueeze (z, axis)",
                [value("a", F, [3]), value("r", F, [3])],
                [value("b", F, [1, 3]), value("z", F, [3])],
                [stored("axis", [0], numpy.int64)],
            )
        ),
        [value("last", F, None), value("y")],
    )
    yield asked("scan-axis", "an axis that the input does not have", scan(inside, scan_input_axes=[2]))
    yield asked("scan-list", "two axes for one input", scan(inside, scan_input_axes=[0, 0]))
    yield asked("scan-list", "two directions for one input", scan(inside, scan_input_directions=[0, 0]))
    yield asked("scan-list", "a direction that is neither", scan(inside, scan_input_directions=[2]))
    pair = scan(body("b = Add (a, r); z = Add (b, q)", "a r q"), ("s", "x", "w"), num_scan_inputs=2)
    longer = {**given, "w": numpy.zeros((3, 3), numpy.float32)}
    yield Form(
        "scan-lengths",
        "two inputs of two lengths",
        model([pair], [*entries, value("w", F, [3, 3])], results),
        model([pair], [*entries, value("w")], results),
        longer,
    )


# Operands and storage


def of_reshapes() -> Iterator[Form]:
    for shape, allowzero in (([0, -1], 1), ([-1, 0], 1), ([-1, -1], 0), ([-2, 3], 0), ([4, -1], 0), ([0, 0, 0], 0), ([5], 0)):
        made = node("Reshape", ["x", "s"], ["y"], **({"allowzero": 1} if allowzero else {}))
        yield Form(
            "",
            f"Reshape to {shape}{' with zeros' if allowzero else ''}",
            model([made], outputs=[value("y", F, None)], tensors=[stored("s", shape, numpy.int64)]),
            model("y = Reshape (x, s)", outputs=[value("y", F, None)], tensors=[stored("s", [0, -1], numpy.int64)]),
        )
    empty = [value("x", F, [0, 3])]
    yield Form(
        "",
        "Reshape of an empty tensor with zeros",
        model("y = Reshape <allowzero = 1> (x, s)", empty, [value("y", F, [0, 1])], [stored("s", [0, 1], numpy.int64)]),
        model("y = Reshape (x, s)", outputs=[value("y", F, None)], tensors=[stored("s", [0, -1], numpy.int64)]),
        {"x": numpy.zeros((0, 3), numpy.float32)},
    )


def of_open_ranks() -> Iterator[Form]:
    free = [value("x", F, ["n", 1, 3])]
    column = {"x": X[:1].reshape(1, 1, 3)}
    for name, nodes in (("a Squeeze of all axes", "y = Squeeze (x)"), ("a Squeeze of all axes, then Relu", "t = Squeeze (x); y = Relu (t)")):
        yield Form(
            "squeeze-open-rank",
            f"{name}, one of which is free",
            model(nodes, free, [value("y", F, None)]),
            model(nodes.replace("(x)", "(x, one)"), free, [value("y", F, None)], [stored("one", [1], numpy.int64)]),
            column,
        )
    joined = "t = Concat <axis = 0> (x, two); y = {} (t)"
    yield Form(
        "",
        "a Squeeze of all axes, one of which is two or more",
        model(joined.format("Squeeze"), free, [value("y", F, None)], [stored("two", X.reshape(2, 1, 3))]),
        model(joined.format("Relu"), free, [value("y", F, None)], [stored("two", X.reshape(2, 1, 3))]),
        column,
    )
    for made, given in (("Reshape (x, s)", [value("x")]), ("Expand (x, s)", [value("x", F, [1])]), ("ConstantOfShape (s)", [])):
        yield Form(
            "list-open-rank",
            f"{made.split()[0]} by a list of any length",
            model(f"y = {made}", [*given, value("s", I64, ["k"])], [value("y", F, None)]),
            model(f"y = {made}", [*given, value("s", I64, [1])], [value("y", F, None)]),
            {"x": X if made[0] == "R" else X.ravel()[:1], "s": numpy.array([6])},
        )


def sparse(name: str, numbers: Sequence[float], at: Sequence[int], shape: Sequence[int]) -> SparseTensorProto:
    return helper.make_sparse_tensor(stored(name, numbers), stored("", at, numpy.int64), list(shape))


def of_sparse() -> Iterator[Form]:
    dense = numpy.zeros((2, 3), numpy.float32)
    dense[0, 1], dense[1, 2] = 2, 3
    add = parsed("y = Add (x, w)")
    twin = model(add, tensors=[stored("w", dense)])
    yield Form("sparse-initializer", "a sparse initializer", model(add, sparse=[sparse("w", [2, 3], [1, 5], [2, 3])]), twin)
    weight = numpy.zeros((3, 3), numpy.float32)
    weight[0, 0] = 1
    mul = parsed("y = MatMul (x, w)")
    yield Form("sparse-initializer", "a sparse weight", model(mul, sparse=[sparse("w", [1], [0], [3, 3])]), model(mul, tensors=[stored("w", weight)]))
    coordinates = helper.make_sparse_tensor(stored("w", [2, 3]), numpy_helper.from_array(numpy.array([[0, 1], [1, 2]]), ""), [2, 3])
    yield Form("sparse-initializer", "a sparse initializer by coordinates", model(add, sparse=[coordinates]), twin)
    constant = node("Constant", [], ["w"], sparse_value=sparse("", [2, 3], [1, 5], [2, 3]))
    yield Form("sparse-constant", "a sparse constant", model([constant, *add]), twin)
    inner = node("Constant", [], ["w"], sparse_value=sparse("", [1], [0], [3, 3]))
    yield Form("sparse-constant", "a sparse constant of a product", model([inner, *mul]), model(mul, tensors=[stored("w", weight)]))
    yield Form("sparse-index", "an index beyond the end", model(add, sparse=[sparse("w", [2, 3], [1, 6], [2, 3])]), twin)


def listed(name: str, dtype: int, shape: Sequence[int], bits: Sequence[int]) -> TensorProto:
    made = TensorProto(name=name, data_type=dtype, dims=shape)
    made.int32_data.extend(bits)
    return made


def of_stored() -> Iterator[Form]:
    def add(tensor: TensorProto, kind: int) -> ModelProto:
        return model(f"v = Cast <to = {F}> (w); y = Add (x, v)", tensors=[tensor], opset=19 if kind != BF16 else 17)

    for kind, bits in (
        (BF16, [0x3F80, 0x4000, 0xC040, 0x3F00, 0, 0x4080]),
        (TensorProto.FLOAT8E4M3FN, [0x38, 0x40, 0xC4, 0x30, 0, 0x48]),
        (TensorProto.FLOAT8E5M2, [0x3C, 0x40, 0xC2, 0x38, 0, 0x44]),
        (F16, [0x3C00, 0x4000, 0xC200, 0x3800, 0, 0x4400]),
    ):
        raw = TensorProto(name="w", data_type=kind, dims=[2, 3])
        raw.raw_data = numpy.array(bits, numpy.uint16 if kind in (BF16, F16) else numpy.uint8).tobytes()
        name = str(TensorProto.DataType.Name(kind)).lower()
        of = "listed-" + {BF16: "bfloat16", F16: "float16"}.get(kind, "float8")
        yield Form("" if kind == F16 else of, f"{name} as a list of numbers", add(listed("w", kind, [2, 3], bits), kind), add(raw, kind))
    plain = add_stored(stored("w", X))
    short = TensorProto(name="w", data_type=F, dims=[2, 3], raw_data=X.tobytes()[:16])
    long = TensorProto(name="w", data_type=F, dims=[2, 3], raw_data=X.tobytes() + bytes(8))
    none = TensorProto(name="w", data_type=F, dims=[2, 3])
    few = TensorProto(name="w", data_type=F, dims=[2, 3], float_data=[1, 2, 3])
    many = TensorProto(name="w", data_type=F, dims=[2, 3], float_data=range(8))
    field = TensorProto(name="w", data_type=F, dims=[2, 3], int32_data=range(6))
    for kind, name, tensor in (
        ("bytes-short", "raw bytes too few", short),
        ("bytes-long", "raw bytes too many", long),
        ("bytes-none", "no bytes", none),
        ("bytes-short", "numbers too few", few),
        ("bytes-long", "numbers too many", many),
        ("bytes-field", "numbers in another field", field),
    ):
        yield Form(kind, name, add_stored(tensor), plain)
    negative = TensorProto(name="w", data_type=F, dims=[-2, 3], raw_data=X.tobytes())
    yield Form("", "a negative dimension", add_stored(negative), plain)
    scalar = TensorProto(name="w", data_type=F, raw_data=X.tobytes()[:4])
    yield Form("", "a scalar", add_stored(scalar), plain)
    yield Form("", "an empty tensor", model("y = Concat <axis = 0> (x, w)", tensors=[TensorProto(name="w", data_type=F, dims=[0, 3])]), plain)
    constant = [node("Constant", [], ["w"], value=TensorProto(data_type=F, dims=[2, 3], raw_data=X.tobytes()[:16])), op("y = Add (x, w)")]
    yield Form("bytes-short", "raw bytes too few, of a constant", model(constant), plain)
    undefined = TensorProto(name="w", data_type=0, dims=[2, 3], raw_data=X.tobytes())
    yield Form("bytes-dtype", "a tensor without a dtype", add_stored(undefined), plain)


def add_stored(tensor: TensorProto) -> ModelProto:
    return model("y = Add (x, w)", tensors=[tensor])


def placed(name: str, shape: Sequence[int], **where: int | str) -> TensorProto:
    made = TensorProto(name=name, data_type=F, dims=shape, data_location=TensorProto.EXTERNAL)
    for key, each in {"location": "data.bin", **where}.items():
        made.external_data.add(key=key, value=str(each))
    return made


def of_external() -> Iterator[Form]:
    x, w = X.tobytes(), (X + 1).tobytes()
    adds = parsed("t = Add (x, w); y = Add (t, v)")

    def two(first: TensorProto, second: TensorProto) -> ModelProto:
        return model(adds, tensors=[first, second])

    good, data = two(placed("w", [2, 3], offset=0, length=24), placed("v", [2, 3], offset=24, length=24)), {"data.bin": x + w}

    def asked(kind: str, name: str, made: ModelProto, held: bytes = x + w) -> Form:
        return Form(kind, name, made, good, {"x": X}, {"data.bin": held}, data)

    v = placed("v", [2, 3], offset=24, length=24)
    yield asked("", "length short of the dimensions", two(placed("w", [2, 3], offset=0, length=20), v))
    yield asked("", "length of one number", two(placed("w", [2, 3], offset=0, length=4), v))
    yield asked("", "length beyond the dimensions", two(placed("w", [2, 3], offset=0, length=32), v))
    yield asked("", "length of the whole file", two(placed("w", [2, 3], offset=0, length=48), v))
    yield asked("", "a file that ends too early", good, (x + w)[:40])
    yield asked("", "an empty file", good, b"")
    yield asked("", "an offset beyond the end", two(placed("w", [2, 3], offset=480, length=24), v))
    yield asked("", "tensors that overlap", two(placed("w", [2, 3], offset=0, length=24), placed("v", [2, 3], offset=12, length=24)))
    yield asked("", "two tensors of one place", two(placed("w", [2, 3], offset=0, length=24), placed("v", [2, 3], offset=0, length=24)))
    yield asked("", "a file that goes on", good, x + w + bytes(64))
    yield asked(
        "",
        "an offset that is no multiple of its element",
        two(placed("w", [2, 3], offset=1, length=24), placed("v", [2, 3], offset=25, length=24)),
        b"\0" + x + w,
    )
    yield asked("", "neither offset nor length", two(placed("w", [2, 3]), placed("v", [2, 3], offset=24, length=24)), x + w)
    yield asked("", "length alone", two(placed("w", [2, 3], length=24), v))
    yield asked("", "a file that is not there", two(placed("w", [2, 3], location="gone.bin", offset=0, length=24), v))
    yield asked("", "a file above the folder", two(placed("w", [2, 3], location="../data.bin", offset=0, length=24), v))
    yield asked("", "an offset that is no number", two(placed("w", [2, 3], offset="here", length=24), v))
    yield asked("", "a negative offset", two(placed("w", [2, 3], offset=-4, length=24), v))


# Short chains that optimisers fuse or remove


def of_chains() -> Iterator[Form]:
    weights = [stored("w", numpy.eye(3)), stored("b", [1, 2, 3]), stored("one", 1), stored("s", 2)]
    gemm, div = op("q = Gemm (x, w, b)"), op("r = Div (one, s)")
    none = {"Cast": {"to": F}, "Identity": {}, "Dropout": {}}
    twin = model([gemm, op("m = Relu (q)"), div, op("t = Mul (m, r)"), op("y = Add (t, b)")], tensors=weights)

    def asked(name: str, nodes: Sequence[NodeProto], kind: str = "nothing-then-scale", other: ModelProto = twin) -> Form:
        return Form(kind, name, model(nodes, tensors=weights), other)

    for kind, attributes in none.items():
        idle = node(kind, ["q"], ["m"], **attributes)
        for swapped in (False, True):
            operands = ["r", "m"] if swapped else ["m", "r"]
            nodes = [gemm, idle, div, node("Mul", operands, ["t"]), op("y = Add (t, b)")]
            yield asked(f"{kind}, then Mul by 1 / constant{', the other way round' if swapped else ''}", nodes)
        before = [gemm, div, idle, op("t = Mul (m, r)"), op("y = Add (t, b)")]
        yield asked(f"{kind} after 1 / constant, then Mul", before, "")
        worked = [gemm, idle, op("k = ReduceMax (x)"), op("r = Div (one, k)"), *nodes[3:]]
        yield asked(f"{kind}, then Mul by 1 / what is computed", worked)
        shared = [gemm, idle, div, op("t = Mul (m, r)"), op("y = Add (t, r)")]
        yield asked(f"{kind}, then Mul by 1 / constant that is read twice", shared, "")
        last = [gemm, idle, div, op("y = Mul (m, r)")]
        result = model([gemm, op("m = Relu (q)"), div, op("y = Mul (m, r)")], tensors=weights)
        yield asked(f"{kind}, then Mul by 1 / constant, which is the result", last, other=result)
        direct = [node(kind, ["x"], ["m"], **attributes), div, op("t = Mul (m, r)"), op("y = Add (t, b)")]
        yield asked(f"{kind} of an input, then Mul by 1 / constant", direct)
        known = [gemm, idle, op("t = Mul (m, s)"), op("y = Add (t, b)")]
        yield asked(f"{kind}, then Mul by a constant", known, "")
        divided = [gemm, idle, op("t = Div (m, s)"), op("y = Add (t, b)")]
        yield asked(f"{kind}, then Div by a constant", divided, "")
        multiplied = [op("q = MatMul (x, w)"), *nodes[1:]]
        yield asked(f"MatMul and {kind}, then Mul by 1 / constant", multiplied)
        two = [gemm, idle, div, op("t = Mul (m, r)"), op("y = Add (t, m)")]
        yield asked(f"{kind}, then Mul by 1 / constant, read twice", two)
        norm = [gemm, idle, op("k = Abs (m)"), op("r = Div (one, k)"), op("y = Mul (m, r)")]
        yield asked(f"{kind}, then Mul by 1 / what is made of it", norm, "")
        made = [gemm, idle, op("r = Div (one, m)"), op("y = Mul (b, r)")]
        yield Form("", f"{kind}, then 1 / it", model(made, tensors=weights), model([gemm, op("m = Abs (q)"), *made[2:]], tensors=weights))


def of_nothings() -> Iterator[Form]:
    """Other operators that do nothing, before Mul by 1 / constant."""
    weights = [stored("w", numpy.eye(3)), stored("b", [1, 2, 3]), stored("one", 1), stored("s", 2), stored("zero", 0)]
    rest = parsed("r = Div (one, s); t = Mul (m, r); y = Add (t, b)")
    gemm = op("q = Gemm (x, w, b)")
    twin = model([gemm, op("m = Relu (q)"), *rest], tensors=weights)

    def asked(kind: str, name: str, *nodes: NodeProto) -> Form:
        return Form(kind, name, model([gemm, *nodes], tensors=weights), twin)

    for kind, by in (("Add", "zero"), ("Sub", "zero"), ("Mul", "one"), ("Div", "one")):
        yield asked("nothing-then-scale", f"{kind} of {by}, then Mul by 1 / constant", node(kind, ["q", by], ["m"]), *rest)
    yield asked("", "Add of 2, then Mul by 1 / constant", op("m = Add (q, s)"), *rest)
    yield asked("", "Transpose of no axis, then Mul by 1 / constant", op("m = Transpose <perm = [0, 1]> (q)"), *rest)
    same = op("m = Identity (q)")
    once = [op("u = Constant <value_float = 1.0> ()"), op("r = Div (u, s)"), *rest[1:]]
    yield asked("nothing-then-scale", "Identity, then Mul by 1 / constant, the 1 of a node", same, *once)
    both = parsed(f"k = Identity (q); m = Cast <to = {F}> (k)")
    yield asked("nothing-then-scale", "Identity and Cast, then Mul by 1 / constant", *both, *rest)
    there = parsed(f"h = Cast <to = {F16}> (q); m = Cast <to = {F}> (h)")
    yield asked("", "Cast of another dtype, then Mul by 1 / constant", *there, *rest)
    yield asked("", "Identity, then Mul by constant / constant", same, op("r = Div (s, s)"), *rest[1:])
    yield Form(
        "",
        "Identity that is a result, then Mul by 1 / constant",
        model([gemm, same, *rest], outputs=[value("y"), value("m")], tensors=weights),
        twin,
    )
    arm = parsed("m = Identity (x); r = Div (one, s); t = Mul (m, r)")
    yield Form(
        "",
        "Identity, then Mul by 1 / constant, in an arm",
        model([branches(arm, "e = Abs (x)")], CONDITIONED, tensors=weights),
        model([branches([op("m = Neg (x)"), *arm[1:]], "e = Abs (x)")], CONDITIONED, tensors=weights),
        GIVEN,
    )


MAKERS: list[Callable[[], Iterator[Form]]] = [
    of_functions,
    of_names,
    of_declarations,
    of_imports,
    of_arms,
    of_loops,
    of_loop_values,
    of_scans,
    of_reshapes,
    of_open_ranks,
    of_sparse,
    of_stored,
    of_external,
    of_chains,
    of_nothings,
]


def forms() -> list[Form]:
    return [each for make in MAKERS for each in make()]
