"""What a runtime was seen not to take as ONNX means it, as tables of its profile: from the answers that tools/rules/prober.py keeps."""
from __future__ import annotations

import json
import pathlib
import re
from typing import Any

import profile_file as out
import tomllib

from probe import answers, conditions, questions, table
from probe.causes import Asked
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
    by_values = depending_on_values(target)

    def is_conclusive(operator: str, each: Asked) -> bool:
        answer = each.answer
        is_foreseen = (answer.kind == "refused" and foreseen.search(answer.said)) or NEVER.search(answer.said)
        return not is_foreseen and not is_told(by_values, operator, each)

    conclusive = {operator: [a for a in each if is_conclusive(operator, a)] for operator, each in table.asked_of(asked, known).items()}
    return table.entries(conclusive)


def depending_on_values(target: str) -> list[dict[str, Any]]:
    """What a table says is right or wrong by values that no file shows: no *wrong* or *fails* is learnt from one that a question happened to hold."""
    return list(tomllib.loads((out.RULES / f"{target}.toml").read_text()).get("depends", []))


def is_told(entries: list[dict[str, Any]], operator: str, asked: Asked) -> bool:
    if asked.answer.kind not in ("wrong", "fails"):
        return False
    return any(operator in each["operators"] and all(conditions.holds(c, asked.facts) for c in each["when"]) for each in entries)


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
    file.write_text(with_learnt(blocks, text) + out.forms_of(whole))


def with_learnt(blocks: list[str], text: str) -> str:
    """With another text for what is refused, fails or is wrong; other tables among these stay."""
    is_learnt = [bool(re.match(r"\[\[(refused|fails|wrong)\]\]", block)) for block in blocks]
    first = is_learnt.index(True)
    behind = [block for block, learnt in zip(blocks[first:], is_learnt[first:], strict=True) if not learnt]
    return "".join([*blocks[:first], text, *behind])
