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

F, I64, B, D, F16, BF16 = (TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL, TensorProto.DOUBLE, TensorProto.FLOAT16, TensorProto.BFLOAT16)
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


def node(kind: str, inputs: Sequence[str], outputs: Sequence[str], **attributes: Any) -> NodeProto:
    return helper.make_node(kind, list(inputs), list(outputs), **attributes)


def model(
    nodes: Sequence[NodeProto],
    inputs: Sequence[ValueInfoProto] = (value("x"),),
    outputs: Sequence[ValueInfoProto] = (value("y"),),
    tensors: Sequence[TensorProto] = (),
    functions: Sequence[FunctionProto] = (),
    opset: int = 17,
    imports: Sequence[tuple[str, int]] | None = None,
    ir: int = 9,
    sparse: Sequence[SparseTensorProto] = (),
) -> ModelProto:
    graph = helper.make_graph(list(nodes), "g", list(inputs), list(outputs), list(tensors), sparse_initializer=list(sparse))
    chosen = imports if imports is not None else [("", opset)] + ([("local", 1)] if functions else [])
    return helper.make_model(graph, functions=list(functions), ir_version=ir, opset_imports=[helper.make_opsetid(*each) for each in chosen])


def graph(
    name: str, nodes: Sequence[NodeProto], inputs: Sequence[ValueInfoProto], outputs: Sequence[ValueInfoProto], tensors: Sequence[TensorProto] = ()
) -> GraphProto:
    return helper.make_graph(list(nodes), name, list(inputs), list(outputs), list(tensors))


def function(
    name: str,
    inputs: Sequence[str],
    outputs: Sequence[str],
    nodes: Sequence[NodeProto],
    opsets: Sequence[tuple[str, int]] = (("", 17),),
    attributes: Sequence[str] = (),
    defaults: Sequence[AttributeProto] = (),
    domain: str = "local",
) -> FunctionProto:
    return helper.make_function(
        domain, name, list(inputs), list(outputs), list(nodes), [helper.make_opsetid(*each) for each in opsets], list(attributes), list(defaults)
    )


def referring(made: NodeProto, attribute: str, outer: str, kind: Any) -> NodeProto:
    made.attribute.append(AttributeProto(name=attribute, ref_attr_name=outer, type=kind))
    return made


RELU, NEG = node("Relu", ["x"], ["y"]), node("Neg", ["x"], ["y"])


# Functions


def of_functions() -> Iterator[Form]:
    call = node("f", ["x"], ["y"], domain="local")
    body = [node("Neg", ["a"], ["b"])]
    plain = model([NEG])
    yield Form("function", "function: one", model([call], functions=[function("f", ["a"], ["b"], body)]), plain)
    yield Form(
        "function",
        "function: called twice",
        model([node("f", ["x"], ["t"], domain="local"), node("f", ["t"], ["y"], domain="local")], functions=[function("f", ["a"], ["b"], body)]),
        model([node("Neg", ["x"], ["t"]), node("Neg", ["t"], ["y"])]),
    )
    nested = function("g", ["a"], ["b"], [node("f", ["a"], ["b"], domain="local")], (("", 17), ("local", 1)))
    yield Form(
        "function", "function: nested", model([node("g", ["x"], ["y"], domain="local")], functions=[nested, function("f", ["a"], ["b"], body)]), plain
    )
    leaky = referring(node("LeakyRelu", ["a"], ["b"]), "alpha", "slope", AttributeProto.FLOAT)
    slope = function("f", ["a"], ["b"], [leaky], attributes=["slope"])
    yield Form(
        "function",
        "function: attribute",
        model([node("f", ["x"], ["y"], domain="local", slope=0.5)], functions=[slope]),
        model([node("LeakyRelu", ["x"], ["y"], alpha=0.5)]),
    )
    default = function("f", ["a"], ["b"], [leaky], defaults=[helper.make_attribute("slope", 0.3)])
    yield Form("function", "function: default", model([call], functions=[default]), model([node("LeakyRelu", ["x"], ["y"], alpha=0.3)]))
    clip = function("f", ["a", "low", "high"], ["b"], [node("Clip", ["a", "low", "high"], ["b"])])
    high = stored("h", 1.0)
    yield Form(
        "function-left-out",
        "function: input left out",
        model([node("f", ["x", "", "h"], ["y"], domain="local")], functions=[clip], tensors=[high]),
        model([node("Clip", ["x", "", "h"], ["y"])], tensors=[high]),
    )
    two = function("f", ["a"], ["b", "c"], [node("Neg", ["a"], ["b"]), node("Abs", ["a"], ["c"])])
    yield Form(
        "function-left-out",
        "function: output left out",
        model([node("f", ["x"], ["", "y"], domain="local")], functions=[two]),
        model([node("Abs", ["x"], ["y"])]),
    )
    yield Form(
        "function-left-out",
        "a call with fewer inputs than it has",
        model([node("f", ["x", "l"], ["y"], domain="local")], functions=[clip], tensors=[stored("l", -1.0)]),
        model([node("f", ["x", "l", "h"], ["y"], domain="local")], functions=[clip], tensors=[stored("l", -1.0), high]),
    )
    yield Form(
        "function-results-left",
        "a call with fewer results than it has",
        model([node("f", ["x"], ["y"], domain="local")], functions=[two]),
        model([node("f", ["x"], ["y", "z"], domain="local")], functions=[two]),
    )
    yield Form(
        "function",
        "function: in two domains",
        model(
            [node("f", ["x"], ["t"], domain="local"), node("f", ["t"], ["y"], domain="other")],
            imports=[("", 17), ("local", 1), ("other", 1)],
            functions=[function("f", ["a"], ["b"], body), function("f", ["a"], ["b"], [node("Abs", ["a"], ["b"])], domain="other")],
        ),
        model([node("Neg", ["x"], ["t"]), node("Abs", ["t"], ["y"])]),
    )
    arm = branches([node("f", ["x"], ["t"], domain="local")], [node("Abs", ["x"], ["e"])])
    yield Form(
        "function",
        "function: called in an arm",
        model([arm], CONDITIONED, functions=[function("f", ["a"], ["b"], body)]),
        model([branches([node("Neg", ["x"], ["t"])], [node("Abs", ["x"], ["e"])])], CONDITIONED),
        GIVEN,
    )
    inside = function("f", ["c", "x"], ["y"], [branches([node("Neg", ["x"], ["t"])], [node("Abs", ["x"], ["e"])])])
    yield Form(
        "function",
        "function: an If in it",
        model([node("f", ["c", "x"], ["y"], domain="local")], CONDITIONED, functions=[inside]),
        model([branches([node("Neg", ["x"], ["t"])], [node("Abs", ["x"], ["e"])])], CONDITIONED),
        GIVEN,
    )
    yield Form("", "function that nothing calls", model([NEG], functions=[function("f", ["a"], ["b"], body)]), plain)
    old = [node("Softmax", ["a"], ["b"], axis=0)]
    for opset in (11, 12):
        yield Form(
            "function-opset",
            f"function of opset {opset}",
            model([call], functions=[function("f", ["a"], ["b"], old, (("", opset),))]),
            model([call], functions=[function("f", ["a"], ["b"], [node("Softmax", ["a"], ["b"], axis=0)])]),
        )
    squeezed = [node("ReduceSum", ["a"], ["b"], axes=[0], keepdims=1), node("Expand", ["b", "s"], ["c"])]
    shape = stored("s", [2, 3], numpy.int64)
    yield Form(
        "function-opset",
        "function of opset 11: axes",
        model([node("f", ["x", "s"], ["y"], domain="local")], tensors=[shape], functions=[function("f", ["a", "s"], ["c"], squeezed, (("", 11),))]),
        model(
            [node("f", ["x", "s"], ["y"], domain="local")],
            tensors=[shape, stored("d", [0], numpy.int64)],
            functions=[
                function(
                    "f",
                    ["a", "s"],
                    ["c"],
                    [
                        node("Constant", [], ["d"], value_ints=[0]),
                        node("ReduceSum", ["a", "d"], ["b"], keepdims=1),
                        node("Expand", ["b", "s"], ["c"]),
                    ],
                )
            ],
        ),
    )
    yield Form(
        "function-import",
        "function without an opset",
        model([call], functions=[function("f", ["a"], ["b"], body, ())]),
        model([call], functions=[function("f", ["a"], ["b"], body)]),
    )
    yield Form(
        "function-import",
        "function without the domain that it calls",
        model(
            [node("g", ["x"], ["y"], domain="local")],
            functions=[function("g", ["a"], ["b"], [node("f", ["a"], ["b"], domain="local")]), function("f", ["a"], ["b"], body)],
        ),
        model([node("g", ["x"], ["y"], domain="local")], functions=[nested, function("f", ["a"], ["b"], body)]),
    )
    yield Form(
        "function-outputs",
        "call with two results of one",
        model([node("f", ["x"], ["y", "z"], domain="local")], functions=[function("f", ["a"], ["b"], body)]),
        model([call], functions=[function("f", ["a"], ["b"], body)]),
    )
    yield Form(
        "function-outputs",
        "call with a third result",
        model([node("f", ["x"], ["y", "z", "w"], domain="local")], functions=[two]),
        model([node("f", ["x"], ["y", "z"], domain="local")], functions=[two]),
    )
    add = function("f", ["a", "b"], ["c"], [node("Add", ["a", "b"], ["c"])])
    yield Form(
        "",
        "call without an input that is needed",
        model([call], functions=[add]),
        model([node("f", ["x", "x"], ["y"], domain="local")], functions=[add]),
    )
    yield Form(
        "",
        "call with an empty input that is needed",
        model([node("f", ["", "x"], ["y"], domain="local")], functions=[add]),
        model([node("f", ["x", "x"], ["y"], domain="local")], functions=[add]),
    )
    yield Form(
        "function-result",
        "result that nothing makes",
        model([call], functions=[function("f", ["a"], ["gone"], body)]),
        model([call], functions=[function("f", ["a"], ["b"], body)]),
    )
    yield Form(
        "function-passes",
        "result that is an input",
        model([call], functions=[function("f", ["a"], ["a"], body)]),
        model([call], functions=[function("f", ["a"], ["b"], [node("Identity", ["a"], ["b"])])]),
    )
    yield Form(
        "",
        "function that yields another dtype than declared",
        model([call], functions=[function("f", ["a"], ["b"], [node("Cast", ["a"], ["b"], to=I64)])]),
        model([call], outputs=[value("y", I64)], functions=[function("f", ["a"], ["b"], [node("Cast", ["a"], ["b"], to=I64)])]),
    )


# Names and declarations


def of_names() -> Iterator[Form]:
    plain = model([RELU])
    add = [node("Add", ["x", "z"], ["y"])]
    pair = model(add, [value("x"), value("z")])
    yield Form("input-twice", "input twice", model([RELU], [value("x"), value("x")]), plain)
    yield Form("input-twice", "input twice, of two ranks", model([RELU], [value("x"), value("x", F, [6])]), plain)
    yield Form("input-twice", "three inputs, two of a name", model(add, [value("x"), value("z"), value("x")]), pair, {"x": X, "z": X})
    yield Form("", "output twice", model([RELU], outputs=[value("y"), value("y")]), plain)
    yield Form(
        "",
        "two of three outputs the same",
        model([RELU, node("Neg", ["x"], ["z"])], outputs=[value("y"), value("z"), value("y")]),
        model([RELU, node("Neg", ["x"], ["z"])], outputs=[value("y"), value("z")]),
    )
    chain = [node("Neg", ["x"], ["t"], name="a"), node("Relu", ["t"], ["y"], name="b")]
    same = [node("Neg", ["x"], ["t"], name="a"), node("Relu", ["t"], ["y"], name="a")]
    yield Form("node-twice", "two nodes of a name", model(same), model(chain))
    yield Form(
        "node-twice",
        "two nodes of a kind and a name",
        model([node("Neg", ["x"], ["t"], name="n"), node("Neg", ["t"], ["y"], name="n")]),
        model([node("Neg", ["x"], ["t"], name="n"), node("Neg", ["t"], ["y"], name="m")]),
    )
    yield Form(
        "node-twice",
        "three nodes, the first and last of a name",
        model([*chain[:1], node("Abs", ["t"], ["u"], name="b"), node("Relu", ["u"], ["y"], name="a")]),
        model([*chain[:1], node("Abs", ["t"], ["u"], name="b"), node("Relu", ["u"], ["y"], name="c")]),
    )
    numbers = [node("Constant", [], [name], name="a", value=stored("", 2)) for name in ("p", "q")]
    sums = [node("Add", ["x", "p"], ["t"], name="a"), node("Mul", ["t", "q"], ["y"], name="b")]
    yield Form("", "two constants and a node of a name", model([*numbers, *sums]), model(chain))
    arms = branches([node("Neg", ["x"], ["t"], name="n")], [node("Abs", ["x"], ["e"], name="n")])
    apart = branches([node("Neg", ["x"], ["t"], name="n")], [node("Abs", ["x"], ["e"], name="m")])
    yield Form("", "nodes of a name in two arms", model([arms], CONDITIONED), model([apart], CONDITIONED), GIVEN)
    pair_of = [node("Neg", ["x"], ["u"], name="n"), node("Abs", ["u"], ["t"], name="n")]
    yield Form(
        "node-twice",
        "two nodes of a name in an arm",
        model([branches(pair_of, [node("Abs", ["x"], ["e"], name="m")])], CONDITIONED),
        model([branches([pair_of[0], node("Abs", ["u"], ["t"], name="k")], [node("Abs", ["x"], ["e"], name="m")])], CONDITIONED),
        GIVEN,
    )
    called = [node("Neg", ["a"], ["u"], name="n"), node("Abs", ["u"], ["b"], name="n")]
    yield Form(
        "node-twice",
        "two nodes of a name in a function",
        model([node("f", ["x"], ["y"], domain="local")], functions=[function("f", ["a"], ["b"], called)]),
        model([node("f", ["x"], ["y"], domain="local")], functions=[function("f", ["a"], ["b"], [called[0], node("Abs", ["u"], ["b"], name="m")])]),
    )
    outer = [node("Abs", ["x"], ["q"], name="n")]
    inner = branches([node("Neg", ["q"], ["t"], name="n")], [node("Abs", ["q"], ["e"], name="m")])
    yield Form(
        "",
        "a node of a name in an arm and outside",
        model([*outer, inner], CONDITIONED),
        model([node("Abs", ["x"], ["q"], name="k"), inner], CONDITIONED),
        GIVEN,
    )


def of_declarations() -> Iterator[Form]:
    plain = model([RELU])
    add = [node("Add", ["x", "z"], ["y"])]
    pair = model(add, [value("x"), value("z")])
    chain = [node("Neg", ["x"], ["t"], name="a"), node("Relu", ["t"], ["y"], name="b")]
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
    yield Form("", "only another domain is imported", model([RELU], imports=[("com.microsoft", 1)]), plain)
    gelu = [node("Gelu", ["x"], ["y"], domain="com.microsoft")]
    yield Form("", "a domain of the runtimes is not imported", model(gelu), model(gelu, imports=[("", 17), ("com.microsoft", 1)]))
    call = [node("f", ["x"], ["y"], domain="local")]
    made = [function("f", ["a"], ["b"], [node("Neg", ["a"], ["b"])])]
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
    then: Sequence[NodeProto],
    other: Sequence[NodeProto],
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
    neg, absolute = [node("Neg", ["x"], ["t"])], [node("Abs", ["x"], ["e"])]
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

    more = [*absolute, node("Neg", ["x"], ["f"])]
    yield asked("if-count", "an arm of two results, the other of one", branches(neg, more, e=[value("e"), value("f")]))
    yield asked("if-count", "If of two results, arms of one", branches(neg, absolute, ["y", "z"]))
    both = [*neg, node("Exp", ["x"], ["u"])]
    yield asked("if-count", "If of one result, arms of two", branches(both, more, t=[value("t"), value("u")], e=[value("e"), value("f")]))
    yield asked("if-empty", "an arm without results", branches(neg, absolute, e=[]))
    cast = [node("Cast", ["x"], ["e"], to=D)]
    yield asked("if-dtype", "arms of two dtypes", branches(neg, cast, e=[value("e", D)]))
    yield asked("if-dtype", "arms of two dtypes, one declared wrongly", branches(neg, cast))
    yield asked(
        "if-dtype-apart",
        "arms of two dtypes, integers",
        branches([node("Cast", ["x"], ["t"], to=I64)], absolute, t=[value("t", I64)]),
        [value("y", I64)],
    )
    flat = [node("Flatten", ["x"], ["e"], axis=0)]
    row = [node("Reshape", ["x", "s"], ["e"])]
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
    yield asked("if-inputs", "an arm with an input", branches([node("Neg", ["i"], ["t"])], absolute, then_inputs=[value("i")]))
    yield asked("", "an arm without nodes, of an initializer", branches([], absolute, t=[value("w")], then_tensors=[stored("w", X)]))
    yield asked("arm-yields-outer", "an arm without nodes, of an outer value", branches([], absolute, t=[value("x")]))
    yield asked(
        "arm-yields-outer",
        "both arms without nodes",
        branches([], [], t=[value("x")], e=[value("z")]),
        inputs=[*CONDITIONED, value("z")],
        twin=model([branches(neg, [node("Abs", ["z"], ["e"])])], [*CONDITIONED, value("z")]),
    )
    yield asked("if-condition-size", "a condition of two elements", branches(neg, absolute), inputs=[value("c", B, [2]), value("x")])
    yield asked("if-condition", "a condition of float32", branches(neg, absolute), inputs=[value("c", F, []), value("x")])
    yield asked("", "a condition of one element", branches(neg, absolute), inputs=[value("c", B, [1]), value("x")])
    one = node("If", ["c"], ["y"], then_branch=graph("then", neg, [], [value("t")]))
    yield asked("if-arm", "If without its second arm", one)
    hidden = [node("Neg", ["x"], ["q"]), node("Abs", ["q"], ["t"])]
    for name, own in (("a result", hidden), ("the last result", [node("Neg", ["x"], ["q"])])):
        made = branches(own, absolute, t=[value("t" if len(own) == 2 else "q")])
        yield Form(
            "name-hidden",
            f"a name of the graph is {name} of an arm",
            model([node("Exp", ["x"], ["q"]), made, node("Add", ["y", "q"], ["z"])], CONDITIONED, [value("z")]),
            model([node("Exp", ["x"], ["p"]), made, node("Add", ["y", "p"], ["z"])], CONDITIONED, [value("z")]),
            GIVEN,
        )
    held = branches([node("Add", ["x", "w"], ["t"])], absolute, then_tensors=[stored("w", X)])
    yield Form(
        "name-hidden-initializer",
        "an arm's initializer has the name of one of the graph",
        model([node("Add", ["x", "w"], ["r"]), held, node("Add", ["y", "r"], ["z"])], CONDITIONED, [value("z")], [stored("w", X + 1)]),
        model([node("Add", ["x", "v"], ["r"]), held, node("Add", ["y", "r"], ["z"])], CONDITIONED, [value("z")], [stored("v", X + 1)]),
        GIVEN,
    )
    yield Form(
        "",
        "an arm's result has the name of the If's",
        model([branches([node("Neg", ["x"], ["y"])], absolute, t=[value("y")])], CONDITIONED),
        good,
        GIVEN,
    )
    yield Form(
        "name-hidden",
        "an arm's value has the name of an input",
        model([branches([node("Neg", ["x"], ["c"]), node("Abs", ["c"], ["t"])], absolute)], CONDITIONED),
        good,
        GIVEN,
    )
    ahead = branches([node("Neg", ["x"], ["q"]), node("Abs", ["q"], ["t"])], absolute)
    yield Form(
        "",
        "a name of an arm is made later by the graph",
        model([ahead, node("Exp", ["x"], ["q"]), node("Add", ["y", "q"], ["z"])], CONDITIONED, [value("z")]),
        model([ahead, node("Exp", ["x"], ["p"]), node("Add", ["y", "p"], ["z"])], CONDITIONED, [value("z")]),
        GIVEN,
    )
    yield Form(
        "name-hidden-initializer",
        "an arm's initializer has the name of a result of the graph",
        model([node("Exp", ["x"], ["w"]), held, node("Add", ["y", "w"], ["z"])], CONDITIONED, [value("z")]),
        model([node("Exp", ["x"], ["v"]), held, node("Add", ["y", "v"], ["z"])], CONDITIONED, [value("z")]),
        GIVEN,
    )
    yield Form(
        "name-hidden-initializer",
        "an arm's initializer has the name of an input",
        model(
            [branches([node("Add", ["x", "w"], ["t"])], absolute, then_tensors=[stored("w", X)]), node("Add", ["y", "w"], ["z"])],
            [*CONDITIONED, value("w")],
            [value("z")],
        ),
        model(
            [branches([node("Add", ["x", "w"], ["t"])], absolute, then_tensors=[stored("w", X)]), node("Add", ["y", "v"], ["z"])],
            [*CONDITIONED, value("v")],
            [value("z")],
        ),
        {**GIVEN, "w": X + 1, "v": X + 1},
    )
    yield Form(
        "",
        "a value has one name in two arms",
        model(
            [branches([node("Neg", ["x"], ["q"]), node("Abs", ["q"], ["t"])], [node("Exp", ["x"], ["q"]), node("Abs", ["q"], ["e"])])], CONDITIONED
        ),
        model(
            [branches([node("Neg", ["x"], ["q"]), node("Abs", ["q"], ["t"])], [node("Exp", ["x"], ["p"]), node("Abs", ["p"], ["e"])])], CONDITIONED
        ),
        GIVEN,
    )
    yield asked("", "two arms whose results have one name", branches([node("Neg", ["x"], ["t"])], [node("Abs", ["x"], ["t"])], e=[value("t")]))
    late = branches([node("Neg", ["q"], ["t"])], absolute)
    yield Form(
        "",
        "an arm reads what comes after",
        model([late, node("Exp", ["x"], ["q"]), node("Add", ["y", "q"], ["z"])], CONDITIONED, [value("z")]),
        model([node("Exp", ["x"], ["q"]), late, node("Add", ["y", "q"], ["z"])], CONDITIONED, [value("z")]),
        GIVEN,
    )
    yield Form("", "an arm reads what nothing makes", model([branches([node("Neg", ["gone"], ["t"])], absolute)], CONDITIONED), good, GIVEN)
    yield Form(
        "",
        "a graph reads what only an arm makes",
        model(
            [branches([node("Neg", ["x"], ["q"]), node("Abs", ["q"], ["t"])], absolute), node("Add", ["y", "q"], ["z"])], CONDITIONED, [value("z")]
        ),
        good,
        GIVEN,
    )
    for outputs, name in (([value("t", F, [3, 3])], "another size"), ([value("t", F, [6])], "another rank")):
        yield asked("", f"an arm's result is declared with {name}", branches(neg, absolute, t=outputs))
    yield asked("", "a node that its operator forbids, in an arm", branches([node("Concat", ["x", "x"], ["t"])], absolute))
    yield asked("", "an attribute that there is not, in an arm", branches([node("Neg", ["x"], ["t"], nothing=1)], absolute))
    yield asked("", "sizes that do not fit, in an arm", branches([node("MatMul", ["x", "x"], ["t"])], absolute, t=[value("t", F, None)]))


LOOPED = (value("n", I64, []), value("c", B, []), value("x"))
TURNS = {"n": numpy.array(3), "c": numpy.array(True), "x": X}


def body(
    nodes: Sequence[NodeProto], outputs: Sequence[ValueInfoProto], inputs: Sequence[ValueInfoProto] | None = None, tensors: Sequence[TensorProto] = ()
) -> GraphProto:
    return graph("body", nodes, inputs if inputs is not None else [value("i", I64, []), value("go", B, []), value("v")], outputs, tensors)


ON, STEP = node("Identity", ["go"], ["on"]), node("Neg", ["v"], ["w"])
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
        body([on, node("Neg", ["x"], ["w"])], [kept, carried], [value("i", I64, []), value("go", B, [])]),
    )
    yield asked(
        "loop-body-inputs-more",
        "a body with an input too many",
        body([on, step], [kept, carried], [value("i", I64, []), value("go", B, []), value("v"), value("u")]),
    )
    yield asked("loop-body-inputs", "a body without a condition", body([node("Neg", ["v"], ["w"])], [carried], [value("i", I64, []), value("v")]))
    yield asked("loop-body-outputs", "a body that does not yield its condition", body([step], [carried]))
    yield asked("loop-body-outputs", "a body that does not yield what is carried", body([on], [kept]))
    yield asked("loop-body-outputs", "a body without results", body([on, step], []))
    yield asked("loop-outputs", "a Loop of two results, its body of one", plain, outputs=["y", "z"])
    scanned = body([on, step, node("Abs", ["v"], ["s"])], [kept, carried, value("s")])
    yield asked("loop-outputs", "a Loop that takes one of two results", scanned, outputs=["y"])
    yield asked("", "a Loop with a scan output", scanned, outputs=["y", "z"], declared=[value("y"), value("z", F, ["n", 2, 3])])
    yield asked("loop-result-left-out", "a Loop whose first result is left out", scanned, outputs=["", "z"], declared=[value("z", F, ["n", 2, 3])])
    yield asked("loop-result-left-out", "a Loop whose second result is left out", scanned, outputs=["y", ""])
    yield asked("loop-dtype", "what is carried becomes float64", body([on, node("Cast", ["v"], ["w"], to=D)], [kept, value("w", D)]))
    yield asked("loop-dtype", "what is carried becomes float64, declared float32", body([on, node("Cast", ["v"], ["w"], to=D)], [kept, carried]))
    yield asked(
        "loop-dtype",
        "a body's input has another dtype than is given",
        body([on, node("Cast", ["v"], ["w"], to=F)], [kept, carried], [value("i", I64, []), value("go", B, []), value("v", D)]),
    )
    yield asked(
        "loop-rank",
        "what is carried grows a dimension",
        body([on, node("Unsqueeze", ["v", "a"], ["w"])], [kept, value("w", F, [1, 2, 3])], tensors=[stored("a", [0], numpy.int64)]),
        declared=[value("y", F, None)],
    )
    yield asked(
        "",
        "what is carried grows a dimension, undeclared",
        body(
            [on, node("Unsqueeze", ["v", "a"], ["w"])],
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
            [on, node("Concat", ["v", "v"], ["w"], axis=0)],
            [kept, value("w", F, ["m", 3])],
            [value("i", I64, []), value("go", B, []), value("v", F, ["k", 3])],
        ),
        declared=[value("y", F, ["m", 3])],
    )
    yield asked(
        "",
        "what is carried grows, undeclared",
        body(
            [on, node("Concat", ["v", "v"], ["w"], axis=0)],
            [kept, value("w", F, None)],
            [value("i", I64, []), value("go", B, []), value("v", F, None)],
        ),
        declared=[value("y", F, None)],
    )
    yield asked("loop-size", "what is carried grows, declared of one size", body([on, node("Concat", ["v", "v"], ["w"], axis=0)], [kept, carried]))
    yield asked("loop-no-condition", "a Loop without a condition", plain, ["n", "", "x"])
    always = body([node("Identity", ["v"], ["u"]), node("Neg", ["u"], ["w"]), node("Identity", ["go"], ["on"])], [kept, carried])
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
    less = body([node("Less", ["i", "two"], ["on"]), step], [kept, carried], tensors=[stored("two", 2, numpy.int64)])
    yield asked("loop-no-trips", "a Loop without a trip count", less, ["", "c", "x"])
    yield asked("loop-no-trips", "a Loop without both", less, ["", "", "x"])
    yield asked("", "a Loop of zero turns", plain, given={**TURNS, "n": numpy.array(0)})
    yield asked(
        "loop-condition", "a body whose condition is int64", body([node("Cast", ["go"], ["on"], to=I64), step], [value("on", I64, []), carried])
    )
    yield asked("loop-condition", "a Loop's condition of float32", plain, entries=[LOOPED[0], value("c", F, []), LOOPED[2]])
    yield asked(
        "loop-condition-size",
        "a body whose condition has two elements",
        body([node("Concat", ["one", "one"], ["on"], axis=0), step], [value("on", B, [2]), carried], tensors=[stored("one", [True], numpy.bool_)]),
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
    yield Form("body-missing", "a Loop without a body", model([node("Loop", ["n", "c", "x"], ["y"])], LOOPED), good, TURNS)


def of_loop_values() -> Iterator[Form]:
    on, step, kept, carried, asked = ON, STEP, KEPT, CARRIED, looped
    yield asked("loop-yields-input", "a body that yields its own condition", body([step], [value("go", B, []), carried]))
    yield asked("loop-yields-input", "a body that yields its own input", body([on], [kept, value("v")]))
    yield asked("body-yields-outer", "a body that yields an outer value", body([on], [kept, value("x")]))
    yield asked("", "a body that yields its own initializer", body([on], [kept, value("k")], tensors=[stored("k", X)]))
    yield asked("", "a body that reads an outer value", body([on, node("Add", ["v", "x"], ["w"])], [kept, carried]))
    yield asked(
        "name-hidden-input",
        "a body's input has the name of an outer value",
        body([on, node("Neg", ["x"], ["w"])], [kept, carried], [value("i", I64, []), value("go", B, []), value("x")]),
    )
    yield asked(
        "name-hidden", "a body's result has the name of an outer value", body([node("Identity", ["go"], ["n"]), step], [value("n", B, []), carried])
    )
    yield asked("", "a body reads what nothing makes", body([on, node("Neg", ["gone"], ["w"])], [kept, carried]))
    yield asked("", "a node that its operator forbids, in a body", body([on, node("Concat", ["v", "v"], ["w"])], [kept, carried]))
    yield asked(
        "",
        "sizes that do not fit, in a body",
        body([on, node("MatMul", ["v", "v"], ["w"])], [kept, value("w", F, None)]),
        declared=[value("y", F, None)],
    )
    yield asked(
        "body-input-twice",
        "a body's inputs have one name",
        body([on, node("Neg", ["go"], ["w"])], [kept, carried], [value("i", I64, []), value("go", B, []), value("go", B, [])]),
    )


def of_scans() -> Iterator[Form]:
    entries = [value("x"), value("s", F, [3])]
    given = {"x": X, "s": numpy.zeros(3, numpy.float32)}
    nodes = [node("Add", ["a", "r"], ["b"]), node("Neg", ["b"], ["z"])]
    inside = graph("body", nodes, [value("a", F, [3]), value("r", F, [3])], [value("b", F, [3]), value("z", F, [3])])
    results = [value("last", F, [3]), value("y")]

    def scan(made: GraphProto, inputs: Sequence[str] = ("s", "x"), outputs: Sequence[str] = ("last", "y"), **attributes: Any) -> NodeProto:
        return node("Scan", inputs, outputs, body=made, **{"num_scan_inputs": 1, **attributes})

    good = model([scan(inside)], entries, results)

    def asked(kind: str, name: str, made: NodeProto, declared: Any = None, inputs: Any = None, values: Any = None) -> Form:
        return Form(kind, name, model([made], inputs or entries, declared or results), good, values or given)

    yield asked("", "a Scan backwards", scan(inside, scan_input_directions=[1]))
    yield asked("", "a Scan that writes backwards", scan(inside, scan_output_directions=[1]))
    turned = graph(
        "body",
        [node("Add", ["a", "r"], ["b"]), node("Neg", ["b"], ["z"])],
        [value("a", F, [2]), value("r", F, [2])],
        [value("b", F, [2]), value("z", F, [2])],
    )
    yield asked(
        "",
        "a Scan along another axis",
        scan(turned, scan_input_axes=[1]),
        [value("last", F, [2]), value("y", F, [3, 2])],
        [value("x"), value("s", F, [2])],
        {"x": X, "s": numpy.zeros(2, numpy.float32)},
    )
    yield asked(
        "scan-body-inputs",
        "a body with an input too few",
        scan(graph("body", [node("Neg", ["a"], ["b"]), node("Abs", ["a"], ["z"])], [value("a", F, [3])], [value("b", F, [3]), value("z", F, [3])])),
    )
    yield asked(
        "scan-body-inputs-more",
        "a Scan's body with an input too many",
        scan(graph("body", nodes, [value("a", F, [3]), value("r", F, [3]), value("q", F, [3])], [value("b", F, [3]), value("z", F, [3])])),
    )
    yield asked(
        "scan-body-outputs",
        "a body with a result too few",
        scan(graph("body", nodes, [value("a", F, [3]), value("r", F, [3])], [value("b", F, [3])])),
    )
    yield asked(
        "scan-body-outputs-more",
        "a body with a result too many",
        scan(graph("body", nodes, [value("a", F, [3]), value("r", F, [3])], [value("b", F, [3]), value("z", F, [3]), value("a2", F, [3])])),
    )
    yield asked("scan-inputs", "more inputs to scan than there are", scan(inside, num_scan_inputs=3))
    yield asked("scan-nothing", "nothing to scan", scan(inside, num_scan_inputs=0))
    yield asked(
        "scan-dtype",
        "a state that becomes float64",
        scan(
            graph(
                "body",
                [node("Add", ["a", "r"], ["c"]), node("Cast", ["c"], ["b"], to=D), node("Neg", ["c"], ["z"])],
                [value("a", F, [3]), value("r", F, [3])],
                [value("b", D, [3]), value("z", F, [3])],
            )
        ),
    )
    yield asked(
        "scan-rank",
        "a state that grows a dimension",
        scan(
            graph(
                "body",
                [node("Add", ["a", "r"], ["z"]), node("Unsqueeze", ["z", "axis"], ["b"])],
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
    pairs = graph(
        "body",
        [node("Add", ["a", "r"], ["b"]), node("Add", ["b", "q"], ["z"])],
        [value("a", F, [3]), value("r", F, [3]), value("q", F, [3])],
        [value("b", F, [3]), value("z", F, [3])],
    )
    pair = scan(pairs, ("s", "x", "w"), num_scan_inputs=2)
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
            model([node("Reshape", ["x", "s"], ["y"])], outputs=[value("y", F, None)], tensors=[stored("s", [0, -1], numpy.int64)]),
        )
    empty = [value("x", F, [0, 3])]
    yield Form(
        "",
        "Reshape of an empty tensor with zeros",
        model([node("Reshape", ["x", "s"], ["y"], allowzero=1)], empty, [value("y", F, [0, 1])], [stored("s", [0, 1], numpy.int64)]),
        model([node("Reshape", ["x", "s"], ["y"])], outputs=[value("y", F, None)], tensors=[stored("s", [0, -1], numpy.int64)]),
        {"x": numpy.zeros((0, 3), numpy.float32)},
    )


def sparse(name: str, numbers: Sequence[float], at: Sequence[int], shape: Sequence[int]) -> SparseTensorProto:
    return helper.make_sparse_tensor(stored(name, numbers), stored("", at, numpy.int64), list(shape))


def of_sparse() -> Iterator[Form]:
    dense = numpy.zeros((2, 3), numpy.float32)
    dense[0, 1], dense[1, 2] = 2, 3
    add = [node("Add", ["x", "w"], ["y"])]
    twin = model(add, tensors=[stored("w", dense)])
    yield Form("sparse-initializer", "a sparse initializer", model(add, sparse=[sparse("w", [2, 3], [1, 5], [2, 3])]), twin)
    weight = numpy.zeros((3, 3), numpy.float32)
    weight[0, 0] = 1
    mul = [node("MatMul", ["x", "w"], ["y"])]
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
        return model([node("Cast", ["w"], ["v"], to=F), node("Add", ["x", "v"], ["y"])], tensors=[tensor], opset=19 if kind != BF16 else 17)

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
    yield Form(
        "", "an empty tensor", model([node("Concat", ["x", "w"], ["y"], axis=0)], tensors=[TensorProto(name="w", data_type=F, dims=[0, 3])]), plain
    )
    constant = [node("Constant", [], ["w"], value=TensorProto(data_type=F, dims=[2, 3], raw_data=X.tobytes()[:16])), node("Add", ["x", "w"], ["y"])]
    yield Form("bytes-short", "raw bytes too few, of a constant", model(constant), plain)
    undefined = TensorProto(name="w", data_type=0, dims=[2, 3], raw_data=X.tobytes())
    yield Form("bytes-dtype", "a tensor without a dtype", add_stored(undefined), plain)


def add_stored(tensor: TensorProto) -> ModelProto:
    return model([node("Add", ["x", "w"], ["y"])], tensors=[tensor])


def placed(name: str, shape: Sequence[int], **where: int | str) -> TensorProto:
    made = TensorProto(name=name, data_type=F, dims=shape, data_location=TensorProto.EXTERNAL)
    for key, each in {"location": "data.bin", **where}.items():
        made.external_data.add(key=key, value=str(each))
    return made


def of_external() -> Iterator[Form]:
    x, w = X.tobytes(), (X + 1).tobytes()
    adds = [node("Add", ["x", "w"], ["t"]), node("Add", ["t", "v"], ["y"])]

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
    gemm, div = node("Gemm", ["x", "w", "b"], ["q"]), node("Div", ["one", "s"], ["r"])
    none = {"Cast": {"to": F}, "Identity": {}, "Dropout": {}}
    twin = model([gemm, node("Relu", ["q"], ["m"]), div, node("Mul", ["m", "r"], ["t"]), node("Add", ["t", "b"], ["y"])], tensors=weights)
    for kind, attributes in none.items():
        for swapped in (False, True):
            operands = ["r", "m"] if swapped else ["m", "r"]
            nodes = [gemm, node(kind, ["q"], ["m"], **attributes), div, node("Mul", operands, ["t"]), node("Add", ["t", "b"], ["y"])]
            yield Form(
                "nothing-then-scale",
                f"{kind}, then Mul by 1 / constant{', the other way round' if swapped else ''}",
                model(nodes, tensors=weights),
                twin,
            )
        before = [gemm, div, node(kind, ["q"], ["m"], **attributes), node("Mul", ["m", "r"], ["t"]), node("Add", ["t", "b"], ["y"])]
        yield Form("", f"{kind} after 1 / constant, then Mul", model(before, tensors=weights), twin)
        worked = [gemm, node(kind, ["q"], ["m"], **attributes), node("ReduceMax", ["x"], ["k"]), node("Div", ["one", "k"], ["r"]), *nodes[3:]]
        yield Form("nothing-then-scale", f"{kind}, then Mul by 1 / what is computed", model(worked, tensors=weights), twin)
        shared = [gemm, node(kind, ["q"], ["m"], **attributes), div, node("Mul", ["m", "r"], ["t"]), node("Add", ["t", "r"], ["y"])]
        yield Form("", f"{kind}, then Mul by 1 / constant that is read twice", model(shared, tensors=weights), twin)
        last = [gemm, node(kind, ["q"], ["m"], **attributes), div, node("Mul", ["m", "r"], ["y"])]
        yield Form(
            "nothing-then-scale",
            f"{kind}, then Mul by 1 / constant, which is the result",
            model(last, tensors=weights),
            model([gemm, node("Relu", ["q"], ["m"]), div, node("Mul", ["m", "r"], ["y"])], tensors=weights),
        )
        direct = [node(kind, ["x"], ["m"], **attributes), div, node("Mul", ["m", "r"], ["t"]), node("Add", ["t", "b"], ["y"])]
        yield Form("nothing-then-scale", f"{kind} of an input, then Mul by 1 / constant", model(direct, tensors=weights), twin)
        known = [gemm, node(kind, ["q"], ["m"], **attributes), node("Mul", ["m", "s"], ["t"]), node("Add", ["t", "b"], ["y"])]
        yield Form("", f"{kind}, then Mul by a constant", model(known, tensors=weights), twin)
        divided = [gemm, node(kind, ["q"], ["m"], **attributes), node("Div", ["m", "s"], ["t"]), node("Add", ["t", "b"], ["y"])]
        yield Form("", f"{kind}, then Div by a constant", model(divided, tensors=weights), twin)
        multiplied = [node("MatMul", ["x", "w"], ["q"]), *nodes[1:]]
        yield Form("nothing-then-scale", f"MatMul and {kind}, then Mul by 1 / constant", model(multiplied, tensors=weights), twin)
        two = [gemm, node(kind, ["q"], ["m"], **attributes), div, node("Mul", ["m", "r"], ["t"]), node("Add", ["t", "m"], ["y"])]
        yield Form("nothing-then-scale", f"{kind}, then Mul by 1 / constant, read twice", model(two, tensors=weights), twin)
        norm = [
            gemm,
            node(kind, ["q"], ["m"], **attributes),
            node("Abs", ["m"], ["k"]),
            node("Div", ["one", "k"], ["r"]),
            node("Mul", ["m", "r"], ["y"]),
        ]
        yield Form("", f"{kind}, then Mul by 1 / what is made of it", model(norm, tensors=weights), twin)
        made = [gemm, node(kind, ["q"], ["m"], **attributes), node("Div", ["one", "m"], ["r"]), node("Mul", ["b", "r"], ["y"])]
        yield Form("", f"{kind}, then 1 / it", model(made, tensors=weights), model([gemm, node("Abs", ["q"], ["m"]), *made[2:]], tensors=weights))


def of_nothings() -> Iterator[Form]:
    """Other operators that do nothing, before Mul by 1 / constant."""
    weights = [stored("w", numpy.eye(3)), stored("b", [1, 2, 3]), stored("one", 1), stored("s", 2), stored("zero", 0)]
    rest = [node("Div", ["one", "s"], ["r"]), node("Mul", ["m", "r"], ["t"]), node("Add", ["t", "b"], ["y"])]
    gemm = node("Gemm", ["x", "w", "b"], ["q"])
    twin = model([gemm, node("Relu", ["q"], ["m"]), *rest], tensors=weights)
    for kind, by in (("Add", "zero"), ("Sub", "zero"), ("Mul", "one"), ("Div", "one")):
        yield Form(
            "nothing-then-scale",
            f"{kind} of {by}, then Mul by 1 / constant",
            model([gemm, node(kind, ["q", by], ["m"]), *rest], tensors=weights),
            twin,
        )
    yield Form("", "Add of 2, then Mul by 1 / constant", model([gemm, node("Add", ["q", "s"], ["m"]), *rest], tensors=weights), twin)
    yield Form(
        "",
        "Transpose of no axis, then Mul by 1 / constant",
        model([gemm, node("Transpose", ["q"], ["m"], perm=[0, 1]), *rest], tensors=weights),
        twin,
    )
    once = [node("Constant", [], ["u"], value_float=1.0), node("Div", ["u", "s"], ["r"]), *rest[1:]]
    yield Form(
        "nothing-then-scale",
        "Identity, then Mul by 1 / constant, the 1 of a node",
        model([gemm, node("Identity", ["q"], ["m"]), *once], tensors=weights),
        twin,
    )
    yield Form(
        "nothing-then-scale",
        "Identity and Cast, then Mul by 1 / constant",
        model([gemm, node("Identity", ["q"], ["k"]), node("Cast", ["k"], ["m"], to=F), *rest], tensors=weights),
        twin,
    )
    yield Form(
        "",
        "Cast of another dtype, then Mul by 1 / constant",
        model([gemm, node("Cast", ["q"], ["h"], to=F16), node("Cast", ["h"], ["m"], to=F), *rest], tensors=weights),
        twin,
    )
    two = [node("Div", ["s", "s"], ["r"]), *rest[1:]]
    yield Form("", "Identity, then Mul by constant / constant", model([gemm, node("Identity", ["q"], ["m"]), *two], tensors=weights), twin)
    yield Form(
        "",
        "Identity that is a result, then Mul by 1 / constant",
        model([gemm, node("Identity", ["q"], ["m"]), *rest], outputs=[value("y"), value("m")], tensors=weights),
        twin,
    )
    arm = [node("Identity", ["x"], ["m"]), node("Div", ["one", "s"], ["r"]), node("Mul", ["m", "r"], ["t"])]
    yield Form(
        "",
        "Identity, then Mul by 1 / constant, in an arm",
        model([branches(arm, [node("Abs", ["x"], ["e"])])], CONDITIONED, tensors=weights),
        model([branches([node("Neg", ["x"], ["m"]), *arm[1:]], [node("Abs", ["x"], ["e"])])], CONDITIONED, tensors=weights),
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
    of_sparse,
    of_stored,
    of_external,
    of_chains,
    of_nothings,
]


def forms() -> list[Form]:
    return [each for make in MAKERS for each in make()]
