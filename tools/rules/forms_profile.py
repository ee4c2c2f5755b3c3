#!/usr/bin/env python3
"""Learns which forms of files a runtime refuses or computes wrongly, and writes them as `[[forms]]` of its profile.

usage: python tools/rules/forms_profile.py TARGET FOLDER [--write] [--tool PATH/model_validator]
       python tools/rules/forms_profile.py standings FOLDER

TARGET: onnxruntime, openvino-onnx, tensorrt-rtx. FOLDER keeps the files and the answers, so that each is asked for once. A runtime is
asked from a file, with its default settings: it loads, compiles and runs it. A kind of form is learnt where every file that has it, and is not
held out, is answered alike, and its twins are taken. --write: into the profile. `standings` writes, from the answers of all three and from
ONNX's checker, which kinds no runtime takes and which ONNX forbids. --tool prints how often our verdict, by the default rules, agrees.
Needs a Python with onnx, numpy and the runtime's package.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import json
import pathlib
import re
import subprocess
import tempfile
import textwrap
from typing import Any

import numpy
import onnx
import profile_file as out
from onnx.reference import ReferenceEvaluator
from probe import edges, forms, inner_forms, more_edges, nested_forms, size_forms, table, typed_forms, weight_forms
from probe.children import CRASH, asked
from probe.forms import Form
from probe.questions import Question
from probe.runtime import Runtime
from probe.runtimes import RUNTIMES

PROFILES = {"onnxruntime": "onnxruntime", "openvino-onnx": "openvino-onnx", "tensorrt-rtx": "tensorrt-onnx"}
TARGETS = {"onnxruntime": "onnxruntime", "openvino-onnx": "openvino", "tensorrt-rtx": "tensorrt-rtx"}
# Another runtime that computes what the reference does; of two that differ, one is wrong.
WITNESS = {"onnxruntime": "openvino-onnx", "openvino-onnx": "onnxruntime"}
MAX_REASON = 160  # characters
# Where the reference itself is wrong: with whom it was compared is in docs/target-tables.md.
SEEN = {
    "onnxruntime": [
        {
            "kinds": ["function-opset"],
            "outcome": "wrong",
            "asked": "function of opset 11",
            "reason": "it computes a function by the opset of the model: Softmax of opset 11 in a model of opset 17 is off by 0.73 of 1",
        },
        {
            "kinds": ["weights-alone"],
            "outcome": "depends",
            "asked": "a MatMul by int8 weights alone",
            "reason": "it quantises what they are multiplied by as well, unless a session asks for more: off by some percent",
        },
    ],
    "openvino-onnx": [
        {
            "kinds": ["scales-summed-open"],
            "outcome": "depends",
            "asked": "a MatMul sums over the axis of its scales, of any rows",
            "reason": "of 4 rows or fewer it multiplies all weights by their first scale",
        },
        {
            "kinds": ["cast-there-and-back"],
            "outcome": "depends",
            "asked": "a cast to float16 and back",
            "reason": "it takes such a pair away: numbers are not rounded, and what lies beyond the range of the dtype comes out as it is",
        },
        {
            "kinds": ["greatest-infinite"],
            "outcome": "depends",
            "asked": "a softmax of negative infinities, guarded by its greatest",
            "reason": "of nothing but infinities, the greatest or least comes out finite, and the comparison fails",
        },
        {
            "kinds": ["sixteen-bits"],
            "outcome": "depends",
            "asked": "a pair of int16",
            "reason": "it takes such a pair away: numbers are not rounded, and what lies beyond its range comes out as it is",
        },
        {
            "kinds": ["deconvolution-cut"],
            "outcome": "wrong",
            "asked": "a transposed convolution to 16 of 17, for any batch",
            "reason": "where a size is free, what it leaves out is all at one end, or nothing is left out",
        },
        {
            "kinds": ["deconvolution-cut-open"],
            "outcome": "depends",
            "asked": "a transposed convolution to 16, of any image",
            "reason": "where a size is free, what it leaves out is all at one end, which is right only where nothing is left out",
        },
    ],
}


# What the checker passes and ONNX Runtime refuses for what it says, not for what it could not do.
FORBIDDEN = {"function-passes", "if-condition-size", "node-twice", "scan-dtype"}
ALLOWED = "resized-"  # by ONNX: it is a matter of what there are kernels for
STANDINGS = pathlib.Path(__file__).resolve().parents[2] / "src/rules/judging/form_standings.h"
HEADER = """\
#pragma once

#include <model_validator/data/words.h>

// Made by tools/rules/forms_profile.py from the answers of the runtimes.

namespace model_validator::rules {{

/// Kinds of forms that neither ONNX Runtime nor OpenVINO nor TensorRT takes.
inline constexpr auto taken_nowhere = word_array<
{nowhere}>;

/// Further ones that ONNX forbids, and ONNX Runtime does not take.
inline constexpr auto forbidden = word_array<
{forbidden}>;

}} // namespace model_validator::rules
"""


@dataclasses.dataclass
class Answer:
    outcome: str  # taken, refused, fails, wrong, or differs: from the reference, which may itself be wrong
    said: str = ""


def questions(known: list[Form]) -> list[Question]:
    """Each form, and after it its twin."""
    made = []
    for form in known:
        for name, model, beside in ((form.name, form.model, form.data), (f"{form.name} (twin)", form.twin, form.twin_data)):
            made.append(Question(name, [], model.SerializeToString(), form.given(model), None, "file", beside))
    return made


def reference(question: Question) -> list[Any] | None:
    try:
        return list(ReferenceEvaluator(onnx.ModelProto.FromString(question.model)).run(None, question.inputs))
    except Exception:  # of whatever kind: it has no answer then
        return None


def agree(found: list[Any], expected: list[Any]) -> bool:
    def close(a: Any, b: Any) -> bool:
        if isinstance(a, list) and isinstance(b, list):
            return agree(a, b)
        a, b = numpy.asarray(a), numpy.asarray(b)
        if a.dtype.kind in "OSU" or b.dtype.kind in "OSU":
            return a.astype(str).tolist() == b.astype(str).tolist()
        return a.shape == b.shape and numpy.allclose(a.astype(float), b.astype(float), rtol=1e-3, atol=1e-3, equal_nan=True)

    return len(found) == len(expected) and all(close(a, b) for a, b in zip(found, expected, strict=True))


def judged(question: Question, said: dict[str, str | None], outputs: list[Any] | None) -> Answer:
    if "crash" in said:
        return Answer("refused", said["crash"] or "")
    if said["load"] is not None:
        return Answer("refused", said["load"])
    if said.get("run"):
        return Answer("fails", said["run"] or "")
    expected = reference(question) if question.expected is None else question.expected
    differs = outputs is not None and expected is not None and not any(v is None for v in expected) and not agree(outputs, expected)
    return Answer("differs" if differs else "taken")


def answers(runtime: Runtime, made: list[Question], folder: pathlib.Path) -> dict[str, Answer]:
    file = folder / f"forms-{runtime.target}-{runtime.version}.jsonl"
    known = {name: Answer(**answer) for name, answer in map(json.loads, file.read_text().splitlines())} if file.exists() else {}
    with file.open("a") as kept:
        for question, said, outputs in asked(runtime, [q for q in made if q.name not in known]):
            known[question.name] = judged(question, said, outputs)
            print(json.dumps([question.name, dataclasses.asdict(known[question.name])]), file=kept, flush=True)
    return known


def settled(known: dict[str, Answer], witness: dict[str, Answer] | None) -> dict[str, Answer]:
    """Numbers that differ from the reference are wrong where another runtime has those of the reference."""

    def settle(name: str, answer: Answer) -> Answer:
        if answer.outcome != "differs":
            return answer
        return Answer("wrong" if witness and witness[name].outcome == "taken" else "taken", "it computes other numbers than ONNX defines")

    return {name: settle(name, answer) for name, answer in known.items()}


def of_kinds(known: list[Form]) -> dict[str, list[Form]]:
    """The forms of each kind."""
    found: dict[str, list[Form]] = {}
    for form in known:
        if form.kind:
            found.setdefault(form.kind, []).append(form)
    return found


def the_outcome(kind: str, each: list[tuple[str, Answer]]) -> str:
    """The same of all forms of a kind; `taken` where there is none, which is printed if they were answered in several ways."""
    outcomes = {answer.outcome for _, answer in each}
    if {"refused", "fails"} <= outcomes:
        outcomes.remove("refused")
    if len(outcomes) > 1:
        print(f"    {kind}: answered in several ways: {', '.join(f'{name}: {answer.outcome}' for name, answer in each)}")
    return outcomes.pop() if len(outcomes) == 1 else "taken"


def learnt(known: list[Form], told: dict[str, Answer], seen: set[str]) -> list[dict[str, Any]]:
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for kind, all_of_kind in sorted(of_kinds(known).items()):
        learnt_from = [form for form in all_of_kind if not form.held_out] or all_of_kind
        each = [(form.name, told[form.name]) for form in learnt_from if told[f"{form.name} (twin)"].outcome == "taken"]
        outcome = the_outcome(kind, each) if kind not in seen else "taken"
        if outcome != "taken":
            name, answer = each[0]
            found.setdefault((reason_of(answer.said), outcome), []).append((kind, name))
    return [
        {"kinds": [kind for kind, _ in kinds], "reason": reason, "outcome": outcome, "asked": kinds[0][1]}
        for (reason, outcome), kinds in sorted(found.items(), key=lambda item: item[1])
    ]


def confirmed(runtime: Runtime) -> list[edges.Edge]:
    """The edges that the runtime's answers to their own models speak for."""
    found = []
    for edge in more_edges.every_edge(runtime.target):
        fails = ["fails", "refused"] if edge.reason == CRASH else ["fails"]  # whose process ends does not say when
        wanted = {"wrong": ["differs"], "depends": ["differs", "fails", "refused"], "fails": fails}.get(edge.outcome, [edge.outcome])
        models = [(each, wanted) for each in edge.seen] + [(each, ["taken"]) for each in edge.taken]
        made = [Question(str(i), [], each.model.SerializeToString(), each.inputs, each.expected, "file") for i, (each, _) in enumerate(models)]
        odd = [
            f"{each.name}: {answer.outcome} instead of {' or '.join(expected)} {answer.said[-120:]}"
            for (each, expected), (question, said, outputs) in zip(models, asked(runtime, made), strict=True)
            if (answer := judged(question, said, outputs)).outcome not in expected
        ]
        print("".join(f"    {edge.outcome} {edge.operators}: {each}\n" for each in odd), end="")
        found += [] if odd else [edge]
    return found


def edge_tables(found: list[edges.Edge]) -> str:
    return "".join(out.tables(edge.outcome, [{**edge.entry(), "when": out.raw(edge.when)}]) for edge in found)


def reason_of(said: str) -> str:
    text = re.sub(r"/\S*model\.onnx", "the model", said)
    text = table.reason_of(re.sub(r"/(\w+/)*\w+\.(cpp|cc|hpp|h):\d+:?", "", text))
    text = re.sub(
        r"^(\[ONNXRuntimeError\]|Load model from the model failed:|This is an invalid model\. |Exception from src |Check '.*?' failed at src ?:?)+",
        "",
        text,
    ).strip()
    return (text if len(text) <= MAX_REASON else text[: text.rindex(" ", 0, MAX_REASON)] + " …") or said[:MAX_REASON]


def is_refused_by_onnx(form: Form) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        (place / "model.onnx").write_bytes(form.model.SerializeToString())
        for name, held in form.data.items():
            (place / name).write_bytes(held)
        try:
            onnx.checker.check_model(str(place / "model.onnx"), full_check=True)
        except Exception:  # of whatever kind: what it throws is its answer
            return True
    return False


def write_standings(known: list[Form], folder: pathlib.Path) -> None:
    made = questions(known)
    told = {target: answers(RUNTIMES[target], made, folder) for target in PROFILES}
    wrong = {kind for each in SEEN["onnxruntime"] for kind in each["kinds"]}
    nowhere, forbidden = [], []
    for kind, each in sorted(of_kinds([form for form in known if not form.kind.startswith(ALLOWED)]).items()):
        taken = {target for target in PROFILES if any(told[target][form.name].outcome == "taken" for form in each)}
        if not taken:
            nowhere.append(kind)
        elif ("onnxruntime" not in taken or kind in wrong) and (kind in FORBIDDEN or any(map(is_refused_by_onnx, each))):
            forbidden.append(kind)
    STANDINGS.write_text(HEADER.format(nowhere=cpp_words(nowhere), forbidden=cpp_words(forbidden)))


def cpp_words(kinds: list[str]) -> str:
    """As a string of C++, in lines."""
    lines = textwrap.wrap(" ".join(kinds), 90, break_on_hyphens=False)
    return "\n".join(f'    "{line}{"" if line is lines[-1] else " "}"' for line in lines)


def written(known: list[Form], folder: pathlib.Path) -> dict[str, pathlib.Path]:
    paths = {}
    for number, question in enumerate(questions(known)):
        place = folder / "files" / f"{number:04}"
        place.mkdir(parents=True, exist_ok=True)
        paths[question.name] = place / "model.onnx"
        paths[question.name].write_bytes(question.model)
        for name, held in question.beside.items():
            (place / name).write_bytes(held)
    return paths


def verdicts(tool: pathlib.Path, target: str, paths: dict[str, pathlib.Path]) -> dict[str, tuple[str, str]]:
    """By the default rules: what the target makes of each file, and why."""
    run = subprocess.run(
        [tool, "check", "--isolated", "--target", target, "--output-format", "json", "-q", *paths.values()],
        capture_output=True,
        text=True,
        check=False,
    )
    found = {}
    for model in json.loads(run.stdout)["models"]:
        if model["status"] == "error":
            found[model["path"]] = ("refused", model["error"]["message"])
        else:
            because = [f["message"] for f in model["findings"] if f["severity"] == "error"] or [""]
            found[model["path"]] = (model["verdicts"][0]["verdict"], because[0])
    return {name: found[str(path)] for name, path in paths.items()}


def report(tool: pathlib.Path, target: str, known: list[Form], told: dict[str, Answer], folder: pathlib.Path) -> None:
    ours = verdicts(tool, target, written(known, folder))
    print("| target | files | agree | false alarms | told, of what is not right |\n|---|---|---|---|---|")
    lines = []
    for what, held_out in (("learnt from", False), ("held out", True)):
        names = [name for form in known if form.held_out == held_out for name in (form.name, f"{form.name} (twin)")]
        bad = [name for name in names if told[name].outcome != "taken"]
        misses = [name for name in bad if ours[name][0] not in ("refused", "wrong")]
        alarms = [name for name in names if name not in bad and ours[name][0] in ("refused", "wrong", "unknown")]
        agree = 1 - (len(misses) + len(alarms)) / len(names)
        print(f"| {target}, {what} | {len(names)} | {agree:.3f} | {len(alarms)} | {len(bad) - len(misses)} of {len(bad)} |")
        lines += [f"    missed: {name}: {told[name].outcome}: {told[name].said[:120]}" for name in misses]
        lines += [f"    false alarm: {name}: {ours[name][1][:120]}" for name in alarms]
    print("\n".join(lines))


def all_forms() -> list[Form]:
    known = forms.forms() + nested_forms.nested_forms() + inner_forms.inner_forms() + typed_forms.typed_forms() + size_forms.size_forms()
    known += weight_forms.weight_forms()
    if twice := [name for name, count in collections.Counter(form.name for form in known).items() if count > 1]:
        raise SystemExit(f"two forms are called {', '.join(twice)}")
    return known


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("target", choices=[*PROFILES, "standings"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--tool", type=pathlib.Path)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    known = all_forms()
    if options.target == "standings":
        write_standings(known, options.folder)
        return
    made = questions(known)
    witness = WITNESS.get(options.target)
    told = settled(answers(RUNTIMES[options.target], made, options.folder), answers(RUNTIMES[witness], made, options.folder) if witness else None)
    seen = SEEN.get(options.target, [])
    entries = learnt(known, told, {kind for each in seen for kind in each["kinds"]})
    wrong = {kind for each in seen if each["outcome"] == "wrong" for kind in each["kinds"]}
    told.update({form.name: Answer("wrong") for form in known if form.kind in wrong})
    if options.write:
        text = out.tables("forms", entries + seen)
        out.replace_forms(PROFILES[options.target], text + edge_tables(confirmed(RUNTIMES[options.target])))
    if options.tool:
        report(options.tool.resolve(), TARGETS[options.target], known, told, options.folder)


if __name__ == "__main__":
    main()
