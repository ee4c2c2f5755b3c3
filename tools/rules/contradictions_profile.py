#!/usr/bin/env python3
"""Learns which contradictions of a file a runtime minds, and writes them as `[[forms]]` of its profile.

usage: python tools/rules/contradictions_profile.py TARGET FOLDER --tool PATH/model_validator [--write | --lacking] [--draw N]

TARGET: onnxruntime, openvino-onnx, tensorrt-rtx. FOLDER keeps the files and the answers. The files are ONNX's own examples of its operators with
one thing changed each, in each place that a node has (`probe/contradictions.py`). What they contradict is what the program says of them without a
target; what comes of it is what the runtime says. A kind is written as most of its files are answered, and an operator of its own where it
differs. Prints how often our verdict, by the default rules, agrees, by place; and with --lacking what is refused for a reason that we do not state.
--draw N: of other changes, in a folder of their own, which hold out.
Needs a Python with onnx, numpy and the runtime's package.
"""

from __future__ import annotations

import argparse
import collections
import json
import pathlib
import pickle
import re
import subprocess
from collections.abc import Iterator
from typing import Any

import onnx
import profile_file as out
from forms_profile import PROFILES, TARGETS, WITNESS, Answer, answers, reason_of, settled, verdicts
from probe import contradictions
from probe.question import Question
from probe.runtimes import RUNTIMES

AT_ONCE = 1000  # files of one run of the program
ENOUGH = 5  # answers about a kind, for those operators that nothing was asked of
MINDED = ("refused", "wrong")
AS_IT_IS = ".as it is (main)"


def files_of(made: list[Question], folder: pathlib.Path) -> dict[str, pathlib.Path]:
    paths = {}
    for number, question in enumerate(made):
        place = folder / "files" / f"{number:05}"
        place.mkdir(parents=True, exist_ok=True)
        paths[question.name] = place / "model.onnx"
        if not paths[question.name].exists():
            paths[question.name].write_bytes(question.model)
    return paths


def parts(names: list[str]) -> Iterator[list[str]]:
    for first in range(0, len(names), AT_ONCE):
        yield names[first : first + AT_ONCE]


# What `invalid-node` says, and how profiles call it.
SENTENCES = (
    (r"the attribute `\w+` is missing", "attribute-missing"),
    (r"it has no attribute", "attribute-unknown"),
    (r"the attribute `\w+` is -?\d+, which is the number of no dtype", "attribute-dtype"),
    (r"the attribute `\w+` is an? [\w ]+, and must be an?", "attribute-kind"),
    (r"the attribute `\w+` is `.*`, and must be one of", "attribute-word"),
    (r"it has \d+ (input|output)s?, and takes (at most |at least )?\d+", ""),
    (r"(input|output) \d+ is left out", ""),
    (r"output \d+ is declared", "output-dtype"),
    (r"input \d+ is float(32|64) and input \d+ is float(32|64), where both", "dtypes-wide"),
    (r"input \d+ is \w+ and input \d+ is \w+, where both", "dtypes"),
    (r"input \d+ is \w+, and must be", "dtype"),
    (r"the operator (is new|was removed) in opset", "opset"),
)


def kind_of_breach(said: str) -> str | None:
    for pattern, kind in SENTENCES:
        if re.match(pattern, said):
            counts = [int(each) for each in re.findall(r"\d+", said)]
            operand = "output" if "output" in said[:20] else "input"
            return kind or f"{operand}-{'more' if len(counts) > 1 and counts[0] > counts[1] else 'missing'}"
    return None


def kind_of_sizes(notes: list[str], inputs: list[str]) -> str:
    """By the operands whose shapes the finding states."""
    found = []
    for note in notes:
        if said := re.match(r"(?:`(.*?)`|input (\d+)) has the shape", note):
            names = [re.sub("_(in|else)$", "", each) for each in inputs]
            found.append(said[2] or str(names.index(name) if (name := re.sub("_(in|else)$", "", said[1])) in names else "?"))
    return f"sizes-{'-'.join(found)}" if found else "settings"


def kind_of(finding: dict[str, Any], question: Question) -> str | None:
    if finding["rule"] == "shape-mismatch":
        node = next(node for node in nodes_of(onnx.ModelProto.FromString(question.model)) if node.op_type == question.operators[0].rpartition(":")[2])
        return f"{question.operators[0]} {kind_of_sizes(finding['notes'], list(node.input))}"
    if finding["rule"] == "invalid-node" and (kind := kind_of_breach(finding["message"].partition(": ")[2])):
        return f"{question.operators[0]} {kind}"
    return None


def nodes_of(model: onnx.ModelProto) -> Iterator[onnx.NodeProto]:
    """Wherever they are."""
    pending: list[Any] = [model.graph, *model.functions]
    while pending:
        for node in pending.pop().node:
            yield node
            pending += [attribute.g for attribute in node.attribute if attribute.HasField("g")]


def kinds_of(tool: pathlib.Path, paths: dict[str, pathlib.Path], asked: dict[str, Question]) -> dict[str, set[str]]:
    """What each file contradicts; of one that has other errors as well, nothing."""
    found: dict[str, set[str]] = {}
    by_path = {str(path): name for name, path in paths.items()}
    for names in parts(list(paths)):
        command = [str(tool), "check", "--isolated", "--output-format", "json", "-q", *(str(paths[name]) for name in names)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        for model in json.loads(run.stdout)["models"]:
            name = by_path[model["path"]]
            kinds = [kind_of(f, asked[name]) for f in model["findings"] if f["severity"] == "error"]
            if model["status"] != "error" and None not in kinds:
                found[name] = {kind for kind in kinds if kind}
    return found


def most_take(answers: list[Answer], otherwise: bool) -> bool:
    taken = sum(answer.outcome == "taken" for answer in answers)
    return otherwise if taken * 2 == len(answers) else taken * 2 > len(answers)


def learnt(kinds: dict[str, set[str]], told: dict[str, Answer]) -> list[dict[str, Any]]:
    """Entries of `[[forms]]`, from what was changed in examples that the runtime takes as they are."""
    usable = tuple(name.removesuffix(AS_IT_IS) + "." for name in told if name.endswith(AS_IT_IS) and told[name].outcome == "taken")
    by_name: dict[str, list[Answer]] = collections.defaultdict(list)
    by_kind: dict[str, list[Answer]] = collections.defaultdict(list)
    for question, found in kinds.items():
        if len(found) == 1 and question.endswith("(main)") and question.startswith(usable):
            name = next(iter(found))
            by_name[name].append(told[question])
            by_kind[name.split()[1]].append(told[question])
    general = {kind: most_take(each, False) for kind, each in by_kind.items() if len(each) >= ENOUGH}
    found_taken, found_refused = ["dead"] if takes_dead(kinds, told) else [], collections.defaultdict(list)
    for name, each in [*sorted((kind, by_kind[kind]) for kind in general), *sorted(by_name.items())]:
        kind = name.split()[-1]
        takes = most_take(each, general.get(kind, False))
        if name != kind and takes is general.get(kind):
            continue
        if takes:
            found_taken.append(name)
        else:
            found_refused[kind].append(name)
    entries = []
    for kind, names in sorted(found_refused.items()):
        said = next((a.said for a in [a for name in names for a in by_name.get(name, [])] + by_kind[kind] if a.outcome != "taken" and a.said), "")
        entries.append({"kinds": names, "reason": reason_of(said) or "it computes other numbers than ONNX defines", "outcome": "refused"})
    return [*entries, {"kinds": found_taken, "outcome": "taken"}]


def takes_dead(kinds: dict[str, set[str]], told: dict[str, Answer]) -> bool:
    """Whether it passes over nodes that nothing needs."""
    return most_take([told[question] for question, found in kinds.items() if found and question.endswith("(dead)")], False)


def report(target: str, told: dict[str, Answer], ours: dict[str, tuple[str, str]], lacking: bool) -> None:
    def place_of(name: str) -> str:
        return name[name.rindex("(") + 1 : -1]

    missed = [n for n in ours if told[n].outcome != "taken" and ours[n][0] not in MINDED]
    alarms = [n for n in ours if told[n].outcome == "taken" and ours[n][0] in (*MINDED, "unknown")]
    for place in (*contradictions.PLACES, ""):
        names = [n for n in ours if place in ("", place_of(n))]
        bad = [n for n in [*missed, *alarms] if place in ("", place_of(n))]
        print(f"| {target}, {place or 'all'} | {len(names)} | {1 - len(bad) / len(names):.4f} | {sum(n in alarms for n in bad)} |")
    for name in [*missed, *alarms] if lacking else []:
        print(f"    {'missed' if name in missed else 'false alarm'}: {name}: {told[name].said[-200:] or ours[name][1]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("target", choices=list(PROFILES))
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tool", type=pathlib.Path, required=True)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--lacking", action="store_true")
    parser.add_argument("--draw", type=int, default=0)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    kept = options.folder / "q.pickle"
    if not kept.exists():
        kept.write_bytes(pickle.dumps(list(contradictions.questions(options.draw))))
    made: list[Question] = pickle.loads(kept.read_bytes())  # our own file
    witness = WITNESS.get(options.target)
    told = settled(answers(RUNTIMES[options.target], made, options.folder), answers(RUNTIMES[witness], made, options.folder) if witness else None)
    paths = {name: path for name, path in files_of(made, options.folder).items() if name in told}
    tool = options.tool.resolve()
    if options.write:
        found = learnt(kinds_of(tool, paths, {question.name: question for question in made}), told)
        out.replace_contradictions(PROFILES[options.target], out.tables("forms", found))
        return
    ours: dict[str, tuple[str, str]] = {}
    for names in parts(list(paths)):
        ours |= verdicts(tool, TARGETS[options.target], {name: paths[name] for name in names})
    report(options.target, told, ours, options.lacking)


if __name__ == "__main__":
    main()
