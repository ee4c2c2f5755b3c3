#!/usr/bin/env python3
"""Hunts for false alarms: varies the models on which a row of a profile fires, keeps those where it still fires, and asks the runtime.

usage: python tools/rules/alarms.py TARGET FOLDER --tool PATH/model_validator [--questions FILE] [--each 6] [--operators onnx::PRelu …]

TARGET: onnxruntime, openvino-onnx, tensorrt-rtx. Prints, for each of our sentences, which files the runtime takes and computes as ONNX Runtime
does without optimisations (ONNX Runtime itself: as ONNX's evaluator does), or takes where ONNX Runtime does not. FOLDER keeps the questions and
the answers. --questions: questions.pickle of prober.py, of which those that a row names, and one in twelve, are varied as well as ONNX's node
tests and the edges. --each: files for each sentence.
A condition that holds of what no question of its own held shows here: sizes that are free, numbers of other examples, other opsets, neighbours.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import hashlib
import itertools
import pathlib
import pickle
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy
import onnx
import profile_file as out
import tomllib
from boundaries_profile import Verdict, judged, with_results
from contradictions_profile import files_of
from forms_profile import PROFILES, TARGETS
from onnx import ModelProto, helper
from probe import answers, free_sizes, more_edges
from probe.children import asked
from probe.question import Question
from probe.questions import of_node_tests
from probe.reference import reference
from probe.runtimes import RUNTIMES

OPSETS = (11, 13, 17, 21)
ONE_IN = 12  # of the variations, by the hash of their names
ALARMING = ("refused", "wrong")


def number_of(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4])


def of_rows(target: str) -> set[str]:
    """The questions that rows name as theirs."""
    profile = tomllib.loads((out.RULES / f"{PROFILES[target]}.toml").read_text())
    return {row["asked"] for kind in ("refused", "fails", "wrong") for row in profile.get(kind, []) if "asked" in row}


def of_variations(target: str, file: pathlib.Path) -> Iterator[Question]:
    named = of_rows(target)
    variations: list[Question] = pickle.loads(file.read_bytes())  # our own file
    yield from (q for q in variations if q.source == "variation" and (q.name in named or number_of(q.name) % ONE_IN == 0))


def of_edges(target: str) -> Iterator[Question]:
    seen = [(edge.entry()["operators"], each) for edge in more_edges.every_edge(target) for each in edge.seen]
    for number, (names, each) in enumerate(seen):
        yield Question(f"edge {number} {each.name}", names, each.model.SerializeToString(), each.inputs, None, "edge")


def bases(target: str, file: pathlib.Path | None, operators: set[str]) -> list[Question]:
    """Models of one operator that show, or may show, what a row says."""
    tests = [question for question, _ in of_node_tests() if len(question.operators) == 1]
    known = [*tests, *(of_variations(target, file) if file is not None else ()), *of_edges(target)]
    return [q for q in known if not operators or operators.intersection(q.operators)]


def changed(question: Question, change: str, model: ModelProto, inputs: dict[str, Any] | None = None) -> Question:
    for result in model.graph.output:
        if result.type.HasField("tensor_type"):
            result.type.tensor_type.ClearField("shape")
    del model.graph.value_info[:]
    given = question.inputs if inputs is None else inputs
    return dataclasses.replace(question, name=f"{question.name}.{change}", model=model.SerializeToString(), inputs=given, expected=None)


def with_free_sizes(question: Question, _: list[Question]) -> Iterator[Question]:
    for way in free_sizes.WAYS:
        try:
            made = free_sizes.freed(question, way)
        except (KeyError, onnx.defs.SchemaError):
            made = None
        if made is not None:
            yield made


def in_opsets(question: Question, _: list[Question]) -> Iterator[Question]:
    for opset in OPSETS:
        model = ModelProto.FromString(question.model)
        stamps = [each for each in model.opset_import if each.domain == ""]
        for each in stamps:
            each.version, was = opset, each.version
            if was != opset:
                yield changed(question, f"in {opset}", model)


def with_attributes_of_others(question: Question, alike: list[Question]) -> Iterator[Question]:
    for other in alike:
        model, node = ModelProto.FromString(question.model), ModelProto.FromString(other.model).graph.node[-1]
        if node.op_type == model.graph.node[-1].op_type and list(node.attribute) != list(model.graph.node[-1].attribute):
            del model.graph.node[-1].attribute[:]
            model.graph.node[-1].attribute.extend(node.attribute)
            yield changed(question, f"with attributes of {other.name}", model)


def with_other_numbers(question: Question, _: list[Question]) -> Iterator[Question]:
    random = numpy.random.default_rng(number_of(question.name))

    def drawn(given: Any) -> Any:
        is_real = isinstance(given, numpy.ndarray) and given.dtype.kind == "f"
        return random.standard_normal(given.shape).astype(given.dtype) if is_real else given

    yield changed(question, "drawn", ModelProto.FromString(question.model), {name: drawn(each) for name, each in question.inputs.items()})


def renamed(names: Iterable[str], old: str, new: str) -> list[str]:
    return [new if name == old else name for name in names]


def between_others(question: Question, _: list[Question]) -> Iterator[Question]:
    """After a Neg of each real input, and before one of its results."""
    model = ModelProto.FromString(question.model)
    graph, nodes, others = model.graph, list(model.graph.node), ([], [])  # type: ignore[var-annotated]
    for entry in filter(is_real, graph.input):
        others[0].append(helper.make_node("Neg", [entry.name], [f"{entry.name}_before"]))
        for node in nodes:
            node.input[:] = renamed(node.input, entry.name, f"{entry.name}_before")
    for result in filter(is_real, graph.output):
        others[1].append(helper.make_node("Neg", [f"{result.name}_after"], [result.name]))
        for node in nodes:
            node.output[:] = renamed(node.output, result.name, f"{result.name}_after")
    if any(others):
        del graph.node[:]
        graph.node.extend([*others[0], *nodes, *others[1]])
        yield changed(question, "between others", model)


def is_real(value: onnx.ValueInfoProto) -> bool:
    return value.type.tensor_type.elem_type in (onnx.TensorProto.FLOAT, onnx.TensorProto.FLOAT16)


CHANGES: tuple[Callable[[Question, list[Question]], Iterator[Question]], ...] = (
    with_free_sizes,
    with_attributes_of_others,
    in_opsets,
    between_others,
    with_other_numbers,
)


def sentence_of(verdict: Verdict) -> str:
    """Without numbers, which differ from file to file, and without names."""
    return re.sub(r"`[^`]*`|\d+", "#", verdict.because)[:120] + "|" + " ".join(re.findall(r"`(\w+::\w+|\w+)`", verdict.because)[:2])


def in_turn(each: list[list[Question]]) -> Iterator[Question]:
    return (question for turn in itertools.zip_longest(*each) for question in turn if question is not None)


def varied(firing: list[Question], by_operator: dict[str, list[Question]], most: int) -> Iterator[Question]:
    """Each change of each in turn."""
    for question in firing:
        alike = sorted(by_operator[question.operators[0]], key=lambda q: number_of(q.name + question.name))[: 2 * most]
        yield from itertools.islice(in_turn([list(change(question, alike)) for change in CHANGES]), 2 * most)


def chosen(questions: list[Question], ours: dict[str, Verdict], most: int) -> list[Question]:
    """As many as wanted of each sentence."""
    found: dict[str, list[Question]] = collections.defaultdict(list)
    for question in questions:
        if ours[question.name].verdict in ALARMING:
            found[sentence_of(ours[question.name])].append(question)
    return [question for each in found.values() for question in sorted(each, key=lambda q: number_of(q.name))[:most]]


def told(tool: pathlib.Path, target: str, questions: list[Question], folder: pathlib.Path) -> dict[str, Verdict]:
    folder.mkdir(parents=True, exist_ok=True)
    return judged(tool, TARGETS[target], files_of(questions, folder))


def expected(target: str, wanted: list[Question]) -> list[Question]:
    """With what ONNX Runtime computes, or, where it is asked itself, ONNX's evaluator."""
    if target == "onnxruntime":
        return [dataclasses.replace(q, expected=reference(ModelProto.FromString(q.model), q.inputs)) for q in wanted]
    return [with_results(*each) for each in asked(RUNTIMES["onnxruntime"].plainly(), wanted)]


def hunted(options: argparse.Namespace) -> list[Question]:
    """Made once for a folder."""
    kept = options.folder / "hunted.pickle"
    if kept.exists():
        found: list[Question] = pickle.loads(kept.read_bytes())  # our own file
        return found
    known = bases(options.target, options.questions, set(options.operators))
    by_operator: dict[str, list[Question]] = collections.defaultdict(list)
    for question in known:
        by_operator[question.operators[0]].append(question)
    firing = chosen(known, told(options.tool, options.target, known, options.folder / "bases"), options.each)
    made = list({q.name: q for q in varied(firing, by_operator, options.each)}.values())
    wanted = chosen(made, told(options.tool, options.target, made, options.folder / "made"), options.each)
    found = expected(options.target, wanted)
    kept.write_bytes(pickle.dumps(found))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("target", choices=list(PROFILES))
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tool", type=lambda text: pathlib.Path(text).resolve(), required=True)
    parser.add_argument("--questions", type=pathlib.Path)
    parser.add_argument("--each", type=int, default=6)
    parser.add_argument("--operators", nargs="+", default=[])
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    questions = hunted(options)
    known = answers.ask(RUNTIMES[options.target], questions, options.folder)
    ours = told(options.tool, options.target, questions, options.folder / "asked")
    alarms: dict[str, list[str]] = collections.defaultdict(list)
    for question in questions:
        kind, verdict = known[question.name].kind, ours[question.name]
        taken = kind == "right" or (kind == "not compared" and verdict.verdict == "refused")
        if taken and verdict.verdict in ALARMING:
            alarms[verdict.because].append(f"{question.name} ({kind}{'' if question.expected else ', not by ONNX Runtime'})")
    print(f"{len(questions)} asked, {sum(map(len, alarms.values()))} alarms of {len(alarms)} sentences")
    for because, names in sorted(alarms.items(), key=lambda item: -len(item[1])):
        print(f"{len(names)} {because}\n" + "".join(f"    {name}\n" for name in names), end="")


if __name__ == "__main__":
    main()
