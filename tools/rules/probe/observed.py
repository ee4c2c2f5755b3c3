"""What a runtime was seen not to take as ONNX means it, as tables of its profile: from the answers that tools/rules/prober.py keeps."""
from __future__ import annotations

import pathlib
import re
from typing import Any

import profile_file as out
import tomllib

from probe import answers, questions, table
from probe.runtimes import RUNTIMES

# Only one of them has numbers to be wrong in.
RUN = ("onnxruntime", "openvino-onnx")
# Of sizes or values that one file has, or of what is missing on this machine.
NEVER = re.compile("locale|zero points should be 0")


def learnt(target: str, folder: pathlib.Path) -> tuple[list[questions.Question], dict[str, answers.Answer]]:
    """The questions that a table may be learnt from, and the runtime's answers."""
    known = answers.kept(RUNTIMES[target], folder)
    others = [answers.kept(RUNTIMES[name], folder) for name in RUN if name != target]
    every = questions.written(folder)
    odd = answers.doubtful(every, known, others) if target in RUN else set()
    asked = [q for q in every if q.name in known and not q.held_out and q.is_sound
             and answers.has_a_sense(q, known[q.name]) and (q.source == "node test" or q.name not in odd)]
    return asked, known


def tables(target: str, folder: pathlib.Path, foreseen: re.Pattern[str]) -> dict[str, list[dict[str, Any]]]:
    """`refused`, `fails`, `wrong`. `foreseen`: what other tables of the profile say is not learnt."""
    asked, known = learnt(target, folder)
    conclusive = {operator: [a for a in each if not foreseen.search(a.answer.said) and not NEVER.search(a.answer.said)]
                  for operator, each in table.asked_of(asked, known).items()}
    return table.entries(conclusive)


def of_others(target: str, folder: pathlib.Path) -> dict[str, list[dict[str, Any]]]:
    """What the table says of operators that nothing in the folder is about."""
    asked = {operator for question in learnt(target, folder)[0] for operator in question.operators}
    profile = tomllib.loads((out.RULES / f"{target}.toml").read_text())
    found: dict[str, list[dict[str, Any]]] = {}
    for name in ("refused", "fails", "wrong"):
        entries = [entry | {"operators": [o for o in entry["operators"] if o not in asked]} for entry in profile.get(name, [])]
        found[name] = [entry | {"when": out.raw(entry["when"])} for entry in entries if entry["operators"]]
    return found
