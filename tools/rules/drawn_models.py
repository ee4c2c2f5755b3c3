#!/usr/bin/env python3
"""Asks a runtime about models that are drawn at random, and prints how often our verdict agrees, and of what kinds the rest is.

usage: python tools/rules/drawn_models.py TARGET FOLDER --tool PATH/model_validator [--seed 1] [--count 2000] [--details]

TARGET: onnxruntime, openvino-onnx, tensorrt-rtx. A seed yields the same models each time (`probe/drawn_models.py`); FOLDER keeps the answers. What is
expected is what ONNX Runtime computes without optimisations where ONNX's evaluator has the same or nothing, and the evaluator's where ONNX Runtime
refuses the model; where both differ, nothing is compared. Nothing is learnt from these models by itself: a kind of disagreement is looked at, asked
about with others of its kind (`probe/edges.py`), and a seed that nobody looked at says what that was worth.
Needs a Python with onnx, onnxruntime and the runtime's package.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import pathlib
import pickle
import re
import tempfile

import numpy
import onnx
from boundaries_profile import RIGHT, Verdict, errors_of, judged
from contradictions_profile import files_of
from forms_profile import PROFILES, TARGETS
from onnx import ModelProto
from probe import answers, drawn_models
from probe.answers import compared, may_be_compared
from probe.children import asked
from probe.question import Question
from probe.reference import reference
from probe.runtimes import RUNTIMES

NO_LOCALE = "configure locales"  # that this machine has none says nothing of a model
OTHERWISE = {"Loop", "LRN"}  # which the evaluator does not compute as ONNX defines them
MAX_WORDS = 70  # letters of an answer, by which disagreements are put together
MAX_SAID, MAX_SHOWN = 300, 3  # letters and models of a kind that are printed


def expected(question: Question, outputs: list[object] | None) -> list[object] | None:
    """What two witnesses agree on, or the one that there is."""
    model = ModelProto.FromString(question.model)
    is_trusted = not OTHERWISE & {model.graph.node[-1].op_type, *(each.removeprefix("onnx::") for each in question.operators)}
    evaluated = reference(model, question.inputs) if is_trusted else None
    if evaluated is not None and not has_declared_ranks(model, evaluated):
        evaluated = None
    if outputs is None or evaluated is None:
        return outputs if evaluated is None else evaluated
    if not may_be_compared(outputs, evaluated):
        return outputs
    return outputs if compared(outputs, evaluated, "float32").kind == "right" else None


def has_declared_ranks(model: ModelProto, results: list[object]) -> bool:
    """Whether what the evaluator computes has as many axes as ONNX itself infers: else it is the evaluator that is wrong."""
    declared = [each.type.tensor_type for each in model.graph.output]
    return all(not t.HasField("shape") or numpy.ndim(r) == len(t.shape.dim) for t, r in zip(declared, results, strict=True))  # type: ignore[arg-type]


def questions(folder: pathlib.Path, seed: int, count: int) -> list[Question]:
    """Made once for a folder and a seed."""
    kept = folder / f"drawn-{seed}-{count}.pickle"
    if not kept.exists():
        made = asked(RUNTIMES["onnxruntime"].plainly(), drawn_models.questions(seed, count))
        known = [dataclasses.replace(question, expected=expected(question, outputs)) for question, _, outputs in made]
        kept.write_bytes(pickle.dumps(known))
    found: list[Question] = pickle.loads(kept.read_bytes())  # our own file
    return found


def is_valid(question: Question) -> bool:
    try:
        onnx.checker.check_model(ModelProto.FromString(question.model), full_check=True)
    except Exception:  # of whatever kind: what it throws is its answer
        return False
    return True


def kind_of(question: Question, words: str) -> str:
    text = re.sub(r"/\S*model\.onnx|`[^`]*`|'[^']*'|-?\d+(\.\d+)?", "#", words)
    return f"{'+'.join(each.removeprefix('onnx::') for each in question.operators)}: {text[-MAX_WORDS:]}"


def is_certain(question: Question, answer: answers.Answer, verdict: Verdict) -> bool:
    """What ran says little where its numbers could not be compared: of those that both witnesses compute otherwise, nothing."""
    return NO_LOCALE not in answer.said and (answer.kind != "not compared" or verdict.verdict != "wrong")


def print_kinds(error: str, names: list[str], by_name: dict[str, Question], words: dict[str, str]) -> None:
    """The most common first, each with a few of its models."""
    found: dict[str, list[str]] = collections.defaultdict(list)
    for name in names:
        found[kind_of(by_name[name], words[name])].append(name)
    for kind, each in sorted(found.items(), key=lambda item: -len(item[1])):
        print(f"  {len(each)} {error}: {kind}")
        print("".join(f"      {name}: {words[name][:MAX_SAID]}\n" for name in each[:MAX_SHOWN]), end="")


def report(made: list[Question], known: dict[str, answers.Answer], ours: dict[str, Verdict], details: bool) -> None:
    by_name = {each.name: each for each in made if is_certain(each, known[each.name], ours[each.name])}
    valid = [name for name, each in by_name.items() if is_valid(each)]
    print("| models | asked | agree | false alarms | told, of what is not right |\n|---|---|---|---|---|")
    for words, group in (("all", list(by_name)), ("that ONNX's checker passes", valid)):
        missed, alarms = (len(names) for names in errors_of(group, known, ours).values())
        bad = sum(known[name].kind not in RIGHT for name in group)
        print(f"| {words} | {len(group)} | {1 - (missed + alarms) / max(len(group), 1):.4f} | {alarms} | {bad - missed} of {bad} |")
    for error, names in errors_of(by_name, known, ours).items() if details else ():
        print_kinds(error, names, by_name, {name: f"{known[name].kind} {known[name].said or ours[name].because}" for name in names})


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("target", choices=list(PROFILES))
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tool", type=lambda text: pathlib.Path(text).resolve(), required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--details", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    made = questions(options.folder, options.seed, options.count)
    known = answers.ask(RUNTIMES[options.target], made, options.folder)
    made = [each for each in made if each.name in known]
    with tempfile.TemporaryDirectory() as place:
        ours = judged(options.tool, TARGETS[options.target], files_of(made, pathlib.Path(place)))
    report(made, known, ours, options.details)


if __name__ == "__main__":
    main()
