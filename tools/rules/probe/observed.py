"""What a runtime was seen not to take as ONNX means it, as tables of its profile: from the answers that tools/rules/prober.py keeps."""
from __future__ import annotations

import json
import pathlib
import re
from typing import Any

import profile_file as out
import tomllib

from probe import answers, questions, table
from probe.runtimes import RUNTIMES

# Of sizes or values that one file has, or of what is missing on this machine.
NEVER = re.compile("locale|zero points should be 0|inconsistent total_sequence_length")


def learnt(target: str, folder: pathlib.Path) -> tuple[list[questions.Question], dict[str, answers.Answer]]:
    """The questions that a table may be learnt from, and the runtime's answers."""
    runtime = RUNTIMES[target]
    known = answers.kept(runtime, folder)
    every = list(questions.put_to(runtime, (q for q in questions.written(folder) if q.name in known)))
    odd = answers.doubtful(every, known, answers.of_others(runtime, folder))
    asked = [q for q in every if q.name in known and not q.held_out and q.is_sound and answers.has_a_sense(q, known[q.name])]
    # What nobody knows the numbers of has run.
    ran = {q.name: answers.Answer("not compared", answers.RAN) for q in asked if q.name in odd and q.source != "node test"}
    return asked, known | ran


def tables(target: str, folder: pathlib.Path, foreseen: re.Pattern[str]) -> dict[str, list[dict[str, Any]]]:
    """`refused`, `fails`, `wrong`. `foreseen`: what other tables of the profile say is not learnt."""
    asked, known = learnt(target, folder)

    def is_conclusive(answer: answers.Answer) -> bool:
        return not (answer.kind == "refused" and foreseen.search(answer.said)) and not NEVER.search(answer.said)

    conclusive = {operator: [a for a in each if is_conclusive(a.answer)] for operator, each in table.asked_of(asked, known).items()}
    return table.entries(conclusive)


def of_release(target: str, folder: pathlib.Path, foreseen: re.Pattern[str], operators: set[str]) -> None:
    """Adds to the table of an older release, which is installed, what its answers say of these operators and the newest table does not."""
    newest = tomllib.loads((out.RULES / f"{target}.toml").read_text())
    text = ""
    for name, found in tables(target, folder, foreseen).items():
        known = {(operator, json.dumps(entry["when"])) for entry in newest.get(name, []) for operator in entry["operators"]}
        for entry in found:
            when = json.dumps(tomllib.loads(f"when = {entry['when']}")["when"])
            new = [operator for operator in entry["operators"] if operator in operators and (operator, when) not in known]
            text += out.tables(name, [entry | {"operators": new}]) if new else ""
    file = f"releases/{target}-{RUNTIMES[target].version}"
    blocks = re.split(r"^(?=\[)", (out.RULES / f"{file}.toml").read_text(), flags=re.MULTILINE)
    kept = [block for block in blocks if not re.match(r"\[\[(refused|fails|wrong)\]\]", block) or "\nasked = " not in block]
    out.write(file, "".join(kept).rstrip("\n") + "\n\n" + text)


def of_others(target: str, folder: pathlib.Path) -> dict[str, list[dict[str, Any]]]:
    """What the table says of operators that nothing in the folder is about."""
    asked = {operator for question in learnt(target, folder)[0] for operator in question.operators}
    profile = tomllib.loads(out.without_forms((out.RULES / f"{target}.toml").read_text()))
    found: dict[str, list[dict[str, Any]]] = {}
    for name in ("refused", "fails", "wrong"):
        entries = [entry | {"operators": [o for o in entry["operators"] if o not in asked]} for entry in profile.get(name, [])]
        found[name] = [entry | {"when": out.raw(entry["when"])} for entry in entries if entry["operators"]]
    return found


def renew(target: str, folder: pathlib.Path, foreseen: re.Pattern[str], operators: set[str]) -> None:
    """Replaces what a profile says of these operators, or of all where there are none, by what is learnt now. The rest of it stays, and what
    has no question: it was learnt otherwise."""
    file = out.RULES / f"{target}.toml"
    whole = file.read_text()
    kept = out.without_forms(whole)
    profile = tomllib.loads(kept)
    blocks = re.split(r"^(?=\[)", kept, flags=re.MULTILINE)
    learnt_now, text = tables(target, folder, foreseen), ""
    for name in ("refused", "fails", "wrong"):
        for entry in profile.get(name, []):
            stays = [o for o in entry["operators"] if "asked" not in entry or (operators and o not in operators)]
            if stays:
                text += out.tables(name, [entry | {"operators": stays, "when": out.raw(entry["when"])}])
        for entry in learnt_now.get(name, []):
            found = [o for o in entry["operators"] if not operators or o in operators]
            if found:
                text += out.tables(name, [entry | {"operators": found}])
    places = [at for at, block in enumerate(blocks) if re.match(r"\[\[(refused|fails|wrong)\]\]", block)]
    file.write_text("".join([*blocks[:places[0]], text, *blocks[places[-1] + 1:]]) + out.forms_of(whole))
