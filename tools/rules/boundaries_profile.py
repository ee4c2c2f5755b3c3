#!/usr/bin/env python3
"""Asks a runtime about every operator at the boundaries of its schema, and adds to its profile what no entry told.

usage: python tools/rules/boundaries_profile.py TARGET FOLDER --tool PATH/model_validator [--minutes N] [--write] [--details]

TARGET: onnxruntime, openvino-onnx. FOLDER keeps the questions, of which there is one for each operator and change (`probe/boundaries.py`), what ONNX
Runtime computes of them without optimisations, or ONNX's evaluator of what that refuses, and the answers. Prints how often our verdict agrees, for
two thirds that are learnt from and for the rest, which is held out. --write: names of contradictions that a runtime takes, or minds, otherwise than
what is written of their kind.
What is written stays. Needs a Python with onnx, onnxruntime and the runtime's package.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import math
import pathlib
import pickle
import re
from collections.abc import Iterable, Iterator
from typing import Any

import profile_file as out
from contradictions_profile import AT_ONCE, MINDED, by_names, files_of, kinds_of, names_of, refusals, taken_names
from forms_profile import PROFILES, TARGETS, verdicts
from forms_profile import Answer as Told
from onnx import ModelProto
from probe import answers, boundaries
from probe.answers import RAN
from probe.children import asked
from probe.contradictions import bases_of
from probe.question import Question
from probe.questions import contrib_examples, examples, of_node_tests
from probe.reference import reference
from probe.runtimes import RUNTIMES
from probe.variations import Example

IR_VERSION = 10  # every runtime takes it
MOST_BASES = 2  # examples of an operator
USUAL_OPSET = 21
RIGHT = ("right", "not compared")
OF_NOTHING = re.compile(r"\.\d+( and alike)? of (\d+x)*0(x\d+)* \(main\)$")  # a runtime may leave out what has no elements
SEVERAL, MOST = 3, 2 / 3  # answers, and the share of them, that refute what is written of a name
Kinds = dict[str, set[str]]  # of each file, the finest names of what it contradicts; none of one that has other errors as well


@dataclasses.dataclass
class Verdict:
    verdict: str
    because: str

    @property
    def minds(self) -> bool:
        return self.verdict in MINDED


def stamped(base: Example) -> Example:
    """In an opset that exporters write, where it has the operator."""
    base.model.ir_version = min(base.model.ir_version, IR_VERSION)
    for entry in base.model.opset_import:
        entry.version = min(entry.version, max(base.schema.since_version, USUAL_OPSET)) if not entry.domain else entry.version
    return base


def changed(operator: str, known: list[Example]) -> Iterator[Question]:
    """Each example as it is, and every change once, whichever example has it."""
    seen: set[str] = set()
    for base in (stamped(each) for each in bases_of(known, MOST_BASES) if each.inputs is not None):
        for each in (base.varied("as it is"), *boundaries.boundaries(base)):
            change = each.name.removeprefix(base.name)
            if change not in seen or change == ".as it is":
                seen.add(change)
                yield Question(f"{operator}: {each.name} (main)", [operator], each.model.SerializeToString(), each.inputs or {}, None, "boundary")


def questions(folder: pathlib.Path) -> list[Question]:
    """With what ONNX Runtime computes, in an order of their own; made once for a folder."""
    kept = folder / "questions.pickle"
    if not kept.exists():
        every = examples(list(of_node_tests())) | contrib_examples(lambda _: True)
        made = [question for operator, known in sorted(every.items()) for question in changed(operator, known)]
        made.sort(key=lambda q: (".as it is" not in q.name, hashlib.sha256(q.name.encode()).digest()))
        kept.write_bytes(pickle.dumps([with_results(*each) for each in asked(RUNTIMES["onnxruntime"].plainly(), made)]))
    found: list[Question] = pickle.loads(kept.read_bytes())  # our own file
    return found


def with_results(question: Question, said: dict[str, str | None], outputs: list[object] | None) -> Question:
    """What ONNX Runtime computes; of what it refuses, what ONNX's own evaluator does."""
    expected = outputs if said.get("run", "") is None else reference(ModelProto.FromString(question.model), question.inputs)
    return dataclasses.replace(question, expected=expected)


def is_held_out(name: str) -> bool:
    return ".as it is" not in name and hashlib.sha256(name.encode()).digest()[0] % 3 == 0


def judged(tool: pathlib.Path, target: str, paths: dict[str, pathlib.Path]) -> dict[str, Verdict]:
    every = list(paths)
    found: dict[str, Verdict] = {}
    for first in range(0, len(every), AT_ONCE):
        names = every[first : first + AT_ONCE]
        told = verdicts(tool, target, {name: paths[name] for name in names})
        found |= {name: Verdict(*each) for name, each in told.items()}
    return found


def contradictions(profile: str, known: dict[str, answers.Answer], kinds: Kinds) -> list[dict[str, object]]:
    """All entries: those that are written, but for names that most answers contradict, with names that make more verdicts right."""
    told = {name: Told("taken" if each.kind in RIGHT else each.kind, each.said) for name, each in known.items()}
    found = by_names({name: each for name, each in kinds.items() if not is_held_out(name) and not OF_NOTHING.search(name)}, told)
    entries = those_not_refuted(out.contradictions_of(profile), found)
    written = {kind: entry["outcome"] == "taken" for entry in entries for kind in entry["kinds"]}
    new = {name: is_taken for name, is_taken in taken_names(found, written, True).items() if is_supported(is_taken, found[name])}
    refused = refusals([name for name, is_taken in new.items() if not is_taken], found)
    taken: list[dict[str, object]] = [{"kinds": [name for name, is_taken in new.items() if is_taken], "outcome": "taken"}]
    return joined(sorted([*entries, *refused, *taken], key=lambda each: each["outcome"] == "taken"))


def those_not_refuted(before: list[dict[str, Any]], found: dict[str, list[tuple[str, Told]]]) -> list[dict[str, Any]]:
    names = {kind for entry in before for kind in entry["kinds"]}
    decided = {kind: [each for each in found[kind] if decides(kind, each[0], names)] for kind in names & found.keys()}
    entries = [{**entry, "kinds": [kind for kind in entry["kinds"] if not is_refuted(entry, decided.get(kind, []))]} for entry in before]
    return [entry for entry in entries if entry["kinds"]]


def decides(kind: str, finest: str, names: set[str]) -> bool:
    """Whether no finer one of the names does."""
    return next(name for name in names_of(finest) if name in names) == kind


def is_refuted(entry: dict[str, object], answers_to: list[tuple[str, Told]]) -> bool:
    """Whether most of several answers to what a name decides are otherwise."""
    taken = sum(answer.outcome == "taken" for _, answer in answers_to)
    contrary = len(answers_to) - taken if entry["outcome"] == "taken" else taken
    return len(answers_to) >= SEVERAL and contrary > MOST * len(answers_to)


def is_supported(is_taken: bool, answers_to: list[tuple[str, Told]]) -> bool:
    """Whether most answers to what a name says are alike. That a runtime takes what others refuse is no chance if it did so twice, and computed
    what is meant."""
    alike = [answer for _, answer in answers_to if (answer.outcome == "taken") is is_taken]
    known = sum(answer.said != RAN for answer in alike)
    return len(alike) > is_taken and len(alike) >= MOST * len(answers_to) and (not is_taken or 2 * known >= len(alike))


def joined(entries: list[dict[str, object]]) -> list[dict[str, object]]:
    """One entry for each reason."""
    found: dict[tuple[object, object], dict[str, object]] = {}
    for each in entries:
        key = (each["outcome"], each.get("reason"))
        found[key] = {**each, "kinds": [*found.get(key, {}).get("kinds", []), *each["kinds"]]}  # type: ignore[misc]
    return list(found.values())


def errors_of(names: Iterable[str], known: dict[str, answers.Answer], ours: dict[str, Verdict]) -> dict[str, list[str]]:
    """The files of which our verdict is wrong, by how."""
    return {
        "missed": [n for n in names if known[n].kind not in RIGHT and not ours[n].minds],
        "false alarm": [n for n in names if known[n].kind in RIGHT and (ours[n].minds or ours[n].verdict == "unknown")],
    }


def is_compared(name: str, known: dict[str, answers.Answer], ours: dict[str, Verdict]) -> bool:
    """Numbers that nobody compared say nothing of a verdict on them."""
    return known[name].kind != "not compared" or ours[name].verdict != "wrong"


def report(names: Iterable[str], known: dict[str, answers.Answer], ours: dict[str, Verdict], details: bool) -> None:
    print("| questions | asked | agree | false alarms | told, of what is not right |\n|---|---|---|---|---|")
    compared = [name for name in names if is_compared(name, known, ours)]
    for words, held_out in (("learnt from", False), ("held out", True)):
        group = [name for name in compared if is_held_out(name) == held_out]
        errors = errors_of(group, known, ours)
        missed, alarms = map(len, errors.values())
        bad = sum(known[name].kind not in RIGHT for name in group)
        print(f"| {words} | {len(group)} | {1 - (missed + alarms) / max(len(group), 1):.4f} | {alarms} | {bad - missed} of {bad} |")
        for error, found in errors.items() if details else ():
            print("".join(f"    {error}: {name}: {known[name].said[-160:] or ours[name].because[:160]}\n" for name in found), end="")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("target", choices=["onnxruntime", "openvino-onnx"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tool", type=pathlib.Path, required=True)
    parser.add_argument("--minutes", type=float, default=math.inf)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--details", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    made = questions(options.folder)
    known = answers.ask(RUNTIMES[options.target], made, options.folder, options.minutes)
    paths = {name: path for name, path in files_of(made, options.folder).items() if name in known}
    tool = options.tool.resolve()
    if options.write:
        found = contradictions(PROFILES[options.target], known, kinds_of(tool, paths))
        out.replace_contradictions(PROFILES[options.target], out.tables("forms", found))
    else:
        ours = judged(tool, TARGETS[options.target], paths)
        report(list(paths), known, ours, options.details)


if __name__ == "__main__":
    main()
