#!/usr/bin/env python3
"""Learns which contradictions of a file a runtime minds, and writes them as `[[forms]]` of its profile.

usage: python tools/rules/contradictions_profile.py TARGET FOLDER --tool PATH/model_validator [--write | --lacking] [--draw N]
                                                       [--operators onnx::Conv com.microsoft:: …]

TARGET: onnxruntime, openvino-onnx, tensorrt-rtx. FOLDER keeps the files and the answers. The files are examples of operators, ONNX's own and for
those of com.microsoft ours, with one thing changed each, in each place that a node has (`probe/contradictions.py`). What they contradict is what
the program says of them without a target; what comes of it is what the runtime says. A kind is written as most of its files are answered, and an
operator of its own where it differs. Prints how often our verdict, by the default rules, agrees, by place; and with --lacking what is refused for
a reason that we do not state.
--draw N: of other changes, in a folder of their own; those of draw 3 hold out. --operators: about these alone, or those of a domain; what is
written of others stays.
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
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any

import profile_file as out
from forms_profile import PROFILES, TARGETS, WITNESS, Answer, answers, reason_of, settled, verdicts
from probe import contradictions
from probe.question import Question
from probe.runtimes import RUNTIMES

AT_ONCE = 1000  # files of one run of the program
ENOUGH = 5  # answers about a kind, for those operators that nothing was asked of
MINDED = ("refused", "wrong")
# What the reference says nothing of: it was held against what the runtime makes of the same node in the older opset.
REDUCED = ("L2", "LogSum", "Max", "Mean", "Min", "Prod", "Sum", "SumSquare")
SEEN: dict[str, list[dict[str, Any]]] = {
    "openvino-onnx": [
        {
            "kinds": [
                *(f"onnx::Clip attribute-unknown: {each}" for each in ("max", "min")),
                "onnx::Pad attribute-unknown: pads",
                *(f"onnx::Reduce{each} attribute-unknown: axes" for each in REDUCED),
                "onnx::Split attribute-unknown: split",
                "onnx::Squeeze attribute-unknown: axes",
            ],
            "reason": "it passes over an attribute that a newer opset made an input, and computes as if it were not there",
            "outcome": "wrong",
        },
        {
            "kinds": [
                *("not-run", "onnx::Where not-run-refused", "dtype-later", "onnx::TopK output-missing: 0", "onnx::Einsum sizes-0-1: ellipsis"),
                *(f"onnx::AveragePool sizes-0: padding: {each}" for each in ("counted", "dilated")),
                *(f"onnx::Reduce{each} dtype: 0: int8" for each in ("Mean", "Prod")),
            ],
            "outcome": "taken",
        },
    ],
    # Of arms that a stored condition does not take, and of what known sizes alone are read, it does not look for kernels.
    "onnxruntime": [{"kinds": ["not-run", "not-run-refused", "sizes-0: padding not-run"], "outcome": "taken"}],
    "tensorrt-rtx": [
        {
            "kinds": [
                *("dtype-later", "onnx::Pow dtype: 0: uint8", "onnx::ReduceSumSquare dtype: 0: int8"),
                *("onnx::AveragePool sizes-0: padding: counted", "onnx::LpPool sizes-0: padding"),
            ],
            "outcome": "taken",
        }
    ],
}
AS_IT_IS = ".as it is (main)"
Told = tuple[str, Answer]  # of a file: the finest name of what it contradicts, and what came of it


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


def kinds_of(tool: pathlib.Path, paths: dict[str, pathlib.Path]) -> dict[str, set[str]]:
    """What each file contradicts, by the finest names; of one that has other errors as well, nothing."""
    found: dict[str, set[str]] = {}
    by_path = {str(path): name for name, path in paths.items()}
    for names in parts(list(paths)):
        command = [str(tool), "check", "--isolated", "--output-format", "json", "-q", *(str(paths[name]) for name in names)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        for model in json.loads(run.stdout)["models"]:
            name = by_path[model["path"]]
            kinds = [f["contradiction"] for f in model["findings"] if f["severity"] == "error"]
            if model["status"] != "error" and None not in kinds:
                found[name] = {kind for kind in kinds if kind}
    return found


def base_of(name: str, known: Iterable[str]) -> str | None:
    """The example that was changed, as it is."""
    found = [each for each in known if each.endswith(AS_IT_IS) and name.startswith(each.removesuffix(AS_IT_IS) + ".")]
    return max(found, key=len, default=None)


def unasked(tool: pathlib.Path, made: list[Question], folder: pathlib.Path, wanted: list[str]) -> list[Question]:
    """Further changes, one for each name that none of these has: what is not asked by name is judged as others of its kind are."""
    known = {name for found in kinds_of(tool, files_of(made, folder)).values() for name in found}
    taken, more = {question.name for question in made}, []
    others = {question.name: question for question in contradictions.questions(None, wanted) if question.name not in taken}
    with tempfile.TemporaryDirectory() as place:
        for name, found in kinds_of(tool, files_of(list(others.values()), pathlib.Path(place))).items():
            if len(found) == 1 and not found <= known:
                known |= found
                more.append(others[name])
    bases = {base for question in more if (base := base_of(question.name, others))}
    return [*more, *(others[base] for base in sorted(bases))]


def names_of(finest: str) -> list[str]:
    """As the program looks for them (`Contradiction::names`): what names more comes first."""
    operator, _, rest = finest.partition(" ")
    kind, *found = rest.split(": ")
    which = [f"{kind}: {found[0]}"] if found else []
    bare = finest.removesuffix(" stored").removesuffix(" alike")
    own = [finest, *([bare] if bare != finest else [])] if found[1:] else []
    return [*own, *(f"{operator} {each}" for each in which), *which, f"{operator} {kind}", kind]


def by_names(kinds: dict[str, set[str]], told: dict[str, Answer]) -> dict[str, list[Told]]:
    """Name -> what is told of the files that have it: of one thing changed, in the main graph of an example that the runtime takes as it is."""
    bases = [name for name in told if name.endswith(AS_IT_IS)]
    found: dict[str, list[Told]] = collections.defaultdict(list)
    for question, names in kinds.items():
        base = base_of(question, bases) if len(names) == 1 and question.endswith("(main)") else None
        if base and told[base].outcome == "taken":
            finest = next(iter(names))
            for name in names_of(finest):
                found[name].append((finest, told[question]))
    return found


def is_wide_enough(name: str, answers: list[Told]) -> bool:
    """Whether so much was asked that it stands for what was not: of an operator and a kind, more than one thing of that kind."""
    if "::" not in name:
        return len(answers) >= ENOUGH
    things = {finest.partition(": ")[2] for finest, _ in answers}
    return ": " in name or "" in things or len({each.partition(": ")[0] for each in things}) > 1


def taken_names(by_name: dict[str, list[Told]], written: dict[str, bool], of_some: bool) -> dict[str, bool]:
    """The names that make more verdicts right than there are without them, and whether the runtime takes what they name: the widest come first.
    What is written already stays as it is, and so does all that is said of every operator, where some alone were asked about."""
    takes = dict(written)
    new = {name for name in by_name if name not in written and (not of_some or "::" in name)}

    def is_right(finest: str, answer: Answer) -> bool:
        known = next((takes[name] for name in names_of(finest) if name in takes), None)
        return known is (answer.outcome == "taken")

    for name in sorted(new, key=lambda each: (each.count(": "), "::" in each, each)):
        answers = by_name[name]
        taken = sum(answer.outcome == "taken" for _, answer in answers)
        right = sum(is_right(*each) for each in answers)
        if max(taken, len(answers) - taken) > right and is_wide_enough(name, answers):
            takes[name] = taken * 2 > len(answers)
    return {name: is_taken for name, is_taken in takes.items() if name in new}


def refusals(names: Iterable[str], by_name: dict[str, list[Told]]) -> list[dict[str, Any]]:
    """An entry of each kind of contradiction, with what was first said of one."""
    found = collections.defaultdict(list)
    for name in names:
        said = next((answer.said for _, answer in by_name[name] if answer.outcome != "taken" and answer.said), "")
        found[re.sub(r"^\S+::\S+ ", "", name).partition(":")[0]].append((name, said))
    return [
        {"kinds": [name for name, _ in each], "reason": reason_of(each[0][1]) or "it computes other numbers than ONNX defines", "outcome": "refused"}
        for _, each in sorted(found.items())
    ]


def learnt(kinds: dict[str, set[str]], told: dict[str, Answer], kept: list[dict[str, Any]], seen: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Entries of `[[forms]]`, behind those that are kept, and those that were seen."""
    by_name = by_names(kinds, told)
    takes = taken_names(by_name, {kind: entry["outcome"] == "taken" for entry in kept + seen for kind in entry["kinds"]}, bool(kept))
    refused = refusals([name for name, is_taken in takes.items() if not is_taken], by_name)
    places = [] if kept else [place for place in ("dead", "unchosen") if passes_over(kinds, told, place)]
    before = [kind for entry in kept for kind in entry["kinds"] if entry["outcome"] == "taken"]
    taken = [*places, *before, *(name for name, is_taken in takes.items() if is_taken)]
    return [*(entry for entry in kept if entry["outcome"] != "taken"), *refused, *seen, {"kinds": taken, "outcome": "taken"}]


def of_others(target: str, wanted: list[str]) -> list[dict[str, Any]]:
    """What is written of other operators than those that are asked about; nothing where all are."""
    entries = out.contradictions_of(PROFILES[target]) if wanted else []
    seen = [kind for entry in SEEN[target] for kind in entry["kinds"]]

    def is_of_others(kind: str) -> bool:
        return kind not in seen and ("::" not in kind or not contradictions.is_asked(kind.partition(" ")[0], wanted))

    for entry in entries:
        entry["kinds"] = [kind for kind in entry["kinds"] if is_of_others(kind)]
    return [entry for entry in entries if entry["kinds"]]


def passes_over(kinds: dict[str, set[str]], told: dict[str, Answer], place: str) -> bool:
    """Whether it does not look at nodes that nothing needs, or of an arm that a stored condition does not take."""
    answers = [told[question].outcome for question, found in kinds.items() if found and question.endswith(f"({place})")]
    return answers.count("taken") * 2 > len(answers)


def of_place(names: Iterable[str], place: str) -> list[str]:
    """Those of the files that are changed there; all, where no place is named."""
    return [name for name in names if place in ("", name[name.rindex("(") + 1 : -1])]


def errors_of(told: dict[str, Answer], ours: dict[str, tuple[str, str]]) -> dict[str, list[str]]:
    """The files of which our verdict is wrong, by how."""
    return {
        "missed": [n for n, (verdict, _) in ours.items() if told[n].outcome != "taken" and verdict not in MINDED],
        "false alarm": [n for n, (verdict, _) in ours.items() if told[n].outcome == "taken" and verdict in (*MINDED, "unknown")],
    }


def report(target: str, told: dict[str, Answer], ours: dict[str, tuple[str, str]], lacking: bool) -> None:
    errors = errors_of(told, ours)
    for place in (*contradictions.PLACES, ""):
        missed, alarms, every = (len(of_place(names, place)) for names in (*errors.values(), ours))
        print(f"| {target}, {place or 'all'} | {every} | {1 - (missed + alarms) / every:.4f} | {alarms} |")
    for error, names in errors.items() if lacking else ():
        for name in names:
            print(f"    {error}: {name}: {told[name].said[-200:] or ours[name][1]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("target", choices=list(PROFILES))
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tool", type=pathlib.Path, required=True)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--lacking", action="store_true")
    parser.add_argument("--draw", type=int, default=0)
    parser.add_argument("--operators", nargs="+", default=[])
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    kept = options.folder / "q.pickle"
    if not kept.exists():
        kept.write_bytes(pickle.dumps(list(contradictions.questions(options.draw, options.operators))))
    made: list[Question] = pickle.loads(kept.read_bytes())  # our own file
    tool = options.tool.resolve()
    if options.write:
        made += unasked(tool, made, options.folder, options.operators)
        kept.write_bytes(pickle.dumps(made))
    witness = WITNESS.get(options.target)
    told = settled(answers(RUNTIMES[options.target], made, options.folder), answers(RUNTIMES[witness], made, options.folder) if witness else None)
    paths = {name: path for name, path in files_of(made, options.folder).items() if name in told}
    if options.write:
        found = learnt(kinds_of(tool, paths), told, of_others(options.target, options.operators), SEEN[options.target])
        out.replace_contradictions(PROFILES[options.target], out.tables("forms", found))
        return
    ours: dict[str, tuple[str, str]] = {}
    for names in parts(list(paths)):
        ours |= verdicts(tool, TARGETS[options.target], {name: paths[name] for name in names})
    report(options.target, told, ours, options.lacking)


if __name__ == "__main__":
    main()
