"""The questions that a runtime is asked: models of one operator, with inputs and the outputs that ONNX expects.

They come from ONNX's own node tests, with their data, from probe/contrib.py for ONNX Runtime's own operators, and from what each operator's
schema allows: other values of an attribute, operands left out, constant or computed, other dtypes, ranks, sizes and opsets. The outputs of
these are computed by onnx.reference, in float64 where the operator allows it. A third of the variations is held out by the hash of their
names: nothing is learnt from those.
"""
from __future__ import annotations

import dataclasses
import functools
import itertools
import os
import pathlib
import pickle
import resource
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy
import onnx
from onnx import ModelProto, NodeProto, TensorProto, numpy_helper

from probe import chains, contrib, ordinary, ranks, without_examples
from probe.children import asked
from probe.facts import constants_of
from probe.question import Question, compares
from probe.reference import reference
from probe.runtime import NEWEST, Runtime
from probe.runtimes import RUNTIMES
from probe.variations import Example, valid, variations_of

NETWORKS = "networks.pickle"
IR_VERSION = 10  # every runtime takes it
MEMORY = 4 << 30  # bytes of data for it


def operators_of(model: ModelProto) -> list[str]:
    return [f"{node.domain or 'onnx'}::{node.op_type}" for node in model.graph.node]


def of_node_tests() -> Iterator[tuple[Question, ModelProto]]:
    from onnx.backend.test.case.node import collect_testcases
    for case in collect_testcases(None):
        if case.model is None:
            continue
        inputs, expected = case.data_sets[0] if case.data_sets else ([], [])
        names = [value.name for value in case.model.graph.input]
        yield Question(case.name, operators_of(case.model), case.model.SerializeToString(), dict(zip(names, inputs, strict=False)),
                       list(expected) if case.data_sets and compares(case.model) else None, "node test"), case.model


def completed(model: ModelProto, expected: list[Any] | None) -> bool:
    """Declares the shapes of results that a change left open: as ONNX infers them, or as they were computed."""
    if all(not v.type.HasField("tensor_type") or v.type.tensor_type.HasField("shape") for v in model.graph.output):
        return True
    try:
        inferred = onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True)
    except Exception:  # of whatever kind: the model is not valid
        return False
    for at, (result, found) in enumerate(zip(model.graph.output, inferred.graph.output, strict=True)):
        tensor = result.type.tensor_type
        if not result.type.HasField("tensor_type") or tensor.HasField("shape"):
            continue
        if found.type.tensor_type.HasField("shape"):
            tensor.shape.CopyFrom(found.type.tensor_type.shape)
        elif expected is not None and at < len(expected) and isinstance(expected[at], numpy.ndarray | numpy.generic):
            tensor.shape.SetInParent()
            for size in numpy.shape(expected[at]):
                tensor.shape.dim.add().dim_value = size
        else:
            return False
    return True


def plain(value: Any) -> Any:
    """An array, where it is a tensor."""
    if isinstance(value, TensorProto):
        return numpy_helper.to_array(value)
    return numpy.asarray(value) if isinstance(value, numpy.generic | int | float) else value


def is_the_same(node: NodeProto, stamp: int, other: int) -> bool:
    """Whether an operator means the same in another opset: it has every attribute of the node, and no default is another."""
    if node.domain:
        return True
    if not onnx.defs.has(node.op_type, max_inclusive_version=min(stamp, other)):
        return False
    at_stamp, there = (onnx.defs.get_schema(node.op_type, version) for version in (stamp, other))
    shared = there.attributes.keys() & at_stamp.attributes.keys()
    return (len(node.input) <= len(there.inputs) or "Variadic" in str(there.inputs[-1].option)) and all(
        a.name in shared for a in node.attribute) and all(
        there.attributes[name].default_value == at_stamp.attributes[name].default_value for name in shared)


def restamped(question: Question, runtime: Runtime) -> Question:
    """The same model in an opset and of an IR version that the runtime knows, where its operators are the same in it."""
    model = ModelProto.FromString(question.model)
    stamp = next((each for each in model.opset_import if each.domain == ""), None)
    if stamp is None:
        return question
    other = min(max(stamp.version, runtime.opsets[0]), runtime.opsets[1])
    if other == stamp.version and model.ir_version <= runtime.profile.get("ir_version", NEWEST):
        return question
    if not all(is_the_same(n, stamp.version, other) for n in model.graph.node):
        return question
    stamp.version, model.ir_version = other, min(model.ir_version, IR_VERSION)
    return dataclasses.replace(question, model=model.SerializeToString(deterministic=True)) if valid(model) else question


def is_too_old(question: Question, opsets: tuple[int, int]) -> bool:
    return any(each.domain == "" and each.version < opsets[0] for each in ModelProto.FromString(question.model).opset_import)


def is_folded(question: Question) -> bool:
    """Whether the results follow from constants and sizes alone."""
    model = ModelProto.FromString(question.model)
    return not question.inputs or constants_of(model).keys() >= {value.name for value in model.graph.output}


def put_to(runtime: Runtime, asked: Iterable[Question]) -> Iterator[Question]:
    """The questions as a runtime is asked them. Of one that computes constants first, a model whose results depend on no input asks nothing."""
    made = (dataclasses.replace(restamped(q, runtime), draw=runtime.draw) for q in asked
            if not (runtime.folds_constants and is_folded(q)) and not runtime.not_asked.intersection(q.operators))
    return (q for q in made if not is_too_old(q, runtime.opsets))


def examples(known: list[tuple[Question, ModelProto]]) -> dict[str, list[Example]]:
    """Operator -> ONNX's own models of that one node."""
    by_operator: dict[str, list[Example]] = {}
    for question, model in known:
        if len(model.graph.node) == 1 and not model.graph.initializer and onnx.defs.has(model.graph.node[0].op_type, model.graph.node[0].domain):
            by_operator.setdefault(question.operators[0], []).append(
                Example(question.name, model, {name: plain(value) for name, value in question.inputs.items()}))
    return by_operator


def of_schemas(known: list[tuple[Question, ModelProto]]) -> Iterator[Question]:
    for operator, each in sorted(examples(known).items()):
        yield from in_children(functools.partial(of_operator, operator, each))


def of_operator(operator: str, examples: list[Example]) -> Iterator[Question | None]:
    """Variations; None for one that is of no use."""
    seen: set[bytes] = set()
    for each in variations_of(examples):
        yield None  # before ONNX is asked, which may end the process
        each.model.ir_version = min(each.model.ir_version, IR_VERSION)
        encoded = each.model.SerializeToString(deterministic=True)
        if encoded in seen:
            continue
        seen.add(encoded)
        expected = reference(each.model, each.inputs) if each.inputs is not None else None
        if ".opset " in each.name:
            expected = None  # the reference knows the newest meaning of an operator alone
        if each.model.graph.output and completed(each.model, expected) and valid(each.model):
            yield Question(each.name, [operator], each.model.SerializeToString(deterministic=True), each.inputs or {},
                           expected if compares(each.model) else None, "variation")


def in_children(made: Callable[[], Iterator[Question | None]]) -> Iterator[Question]:
    """What a generator yields in a process of its own; where it ends that, in another one, from there on."""
    done = 0
    while True:
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
            try:
                with os.fdopen(write, "wb") as out:
                    for number, question in enumerate(made()):
                        if number >= done:
                            pickle.dump(question, out)
                            out.flush()
                os._exit(0)
            finally:
                os._exit(1)
        os.close(write)
        with os.fdopen(read, "rb") as results:
            while True:
                try:
                    question = pickle.load(results)
                except EOFError:
                    break
                done += 1
                if question is not None:
                    yield question
        status = os.waitpid(child, 0)[1]
        if status == 0:
            return
        if not os.WIFSIGNALED(status):
            raise SystemExit("a question could not be made")


def of_chains() -> Iterator[Question]:
    for name, model, inputs in chains.models():
        expected = reference(model, inputs) if compares(model) else None
        if completed(model, expected) and valid(model):
            yield Question(name, operators_of(model), model.SerializeToString(), inputs, expected, "variation")


def of_ordinary_sizes() -> Iterator[Question]:
    for name, operator, model, inputs in itertools.chain(ordinary.models(), ranks.models(), without_examples.models()):
        expected = reference(model, inputs)
        if completed(model, expected) and valid(model):
            operators = [operator] if len(model.graph.node) == 1 else operators_of(model)
            yield Question(name, operators, model.SerializeToString(), inputs, expected, "variation")


def of_contrib(made: Iterable[Example]) -> Iterator[Question]:
    """Those that ONNX Runtime takes, with what it computes without optimisations."""
    unknown = [Question(each.name, [f"{contrib.DOMAIN}::{each.node.op_type}"], each.model.SerializeToString(deterministic=True), each.inputs or {},
                        None, "variation") for each in made]
    for question, said, outputs in asked(RUNTIMES["onnxruntime"].plainly(), unknown):
        if outputs is not None and said.get("run", "") is None:
            yield dataclasses.replace(question, model=contrib.typed(question.model, outputs), expected=outputs)


def contrib_examples(wanted: Callable[[str], bool]) -> dict[str, list[Example]]:
    """Operator of ONNX Runtime's own domain -> models of that one node, which it takes."""
    contrib.know_schemas()
    by_operator: dict[str, list[Example]] = {}
    for question in of_contrib(each for each in contrib.examples() if wanted(f"{contrib.DOMAIN}::{each.node.op_type}")):
        by_operator.setdefault(question.operators[0], []).append(Example(question.name, ModelProto.FromString(question.model), question.inputs))
    return by_operator


def made_up(model: ModelProto) -> dict[str, Any]:
    """Numbers for each input, which is of a size where its own is open."""
    stored, random = {t.name for t in model.graph.initializer}, numpy.random.default_rng(0)
    found = {}
    for value in (v for v in model.graph.input if v.name not in stored):
        dtype = onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
        sizes = [dim.dim_value or 1 for dim in value.type.tensor_type.shape.dim]
        found[value.name] = (random.standard_normal(sizes) if dtype.kind == "f" else random.integers(0, 2, sizes)).astype(dtype)
    return found


def of_networks(files: Iterable[pathlib.Path], folder: pathlib.Path) -> list[Question]:
    """Networks, with what ONNX Runtime computes, kept in a folder: of one that is right, every node is."""
    models = {file.stem: onnx.load(file) for file in files}
    unknown = [Question(f"network {name}", operators_of(model), model.SerializeToString(), made_up(model), None, "network")
               for name, model in models.items()]
    found = [dataclasses.replace(question, expected=outputs)
             for question, _, outputs in asked(RUNTIMES["onnxruntime"].plainly(), unknown) if outputs is not None]
    (folder / NETWORKS).write_bytes(pickle.dumps(found))
    return found


def written(folder: pathlib.Path) -> list[Question]:
    """All questions of a folder."""
    networks = folder / NETWORKS
    return of_operators(folder) + (pickle.loads(networks.read_bytes()) if networks.exists() else [])  # our own file


def of_operators(folder: pathlib.Path) -> list[Question]:
    """Made once for a folder."""
    contrib.know_schemas()
    kept = folder / "questions.pickle"
    if kept.exists():
        known: list[Question] = pickle.loads(kept.read_bytes())  # our own file
        return known
    folder.mkdir(parents=True, exist_ok=True)
    tests = list(of_node_tests())
    found = [question for question, _ in tests]
    for each in (of_schemas(tests), of_ordinary_sizes(), of_chains(), of_contrib(contrib.with_variations())):
        found += each
    kept.write_bytes(pickle.dumps(found))
    print(f"{len(found)} questions, {sum(q.held_out for q in found)} held out", file=sys.stderr)
    return found
