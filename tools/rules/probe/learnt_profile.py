"""A whole profile from the answers of one runtime: rules/TARGET.toml."""
from __future__ import annotations

import collections
import pathlib
import re
from typing import Any

import onnx
import profile_file as out

from probe import observed, table
from probe.causes import Asked
from probe.facts import COMPUTED, dtype_name
from probe.runtime import NEWEST, Runtime

NOT_ASKED = "it was not asked about"
ANY = out.Raw("[{from_opset = 1}]")


def sentence_of(runtime: Runtime) -> re.Pattern[str]:
    """What the runtime says of an operator that it does not have."""
    return re.compile(re.escape(runtime.profile["refusal"]).replace(re.escape("{operator}"), r"(\w+)"))


def listed(asked: dict[str, list[Asked]]) -> set[str]:
    """The operators of which some model was taken."""
    return {operator for operator, each in asked.items() if any(a.answer.kind not in ("refused", "fails") for a in each)}


def never_taken(runtime: Runtime, asked: dict[str, list[Asked]]) -> list[dict[str, Any]]:
    """Those that are refused in other words than what the table says of all that it does not list."""
    found: dict[str, list[str]] = {}
    for operator in sorted(asked.keys() - listed(asked)):
        said = [table.reason_of(a.answer.said) for a in asked[operator]]
        if said and not any(map(sentence_of(runtime).match, said)):
            found.setdefault(max(sorted(set(said)), key=said.count), []).append(operator)
    return [{"operators": operators, "when": ANY, "reason": reason} for reason, operators in found.items()]


def not_asked(asked: dict[str, list[Asked]]) -> list[str]:
    newest = {f"onnx::{s.name}" for s in onnx.defs.get_all_schemas() if s.domain == "" and not s.deprecated}
    return sorted(newest - asked.keys() - {"onnx::Constant"})


def dtypes_of_right(asked: dict[str, list[Asked]]) -> set[str]:
    """Those that several operators take as what depends on inputs, or give: one alone may pass over an operand."""
    takers: dict[str, set[str]] = collections.defaultdict(set)
    for operator, each in asked.items():
        for facts in (a.facts for a in each if a.answer.kind in ("right", "not compared", "wrong") and operator != "onnx::Shape"):
            for (kind, *place), value in facts.items():
                if kind == "result dtype" or (kind == "dtype" and facts.get(("operand", *place)) == COMPUTED):
                    takers[dtype_name(value)].add(operator)
    return {dtype for dtype, operators in takers.items() if len(operators) > 1}


def is_of_dtype(asked: Asked, dtypes: set[str]) -> bool:
    """Whether it has a dtype that no tensor of the target may have: one list says it for all operators."""
    return any(dtype_name(value) not in dtypes for key, value in asked.facts.items() if str(key[0]).endswith("dtype"))


def depends_on_inputs(asked: Asked) -> bool:
    return COMPUTED in (value for key, value in asked.facts.items() if key[0] == "operand")


def is_about(operator: str, asked: Asked, runtime: Runtime, dtypes: set[str]) -> bool:
    """Whether an answer is about the operator: not about a dtype, nor another operator of the model, nor of what is computed before."""
    if runtime.folds_constants and not depends_on_inputs(asked):
        return False
    if asked.answer.kind != "refused":
        return True
    named = sentence_of(runtime).match(asked.answer.said)
    return not is_of_dtype(asked, dtypes) and (named is None or named[1] == operator.rpartition("::")[2])


def write(runtime: Runtime, folder: pathlib.Path) -> None:
    questions, known = observed.learnt(runtime.target, folder)
    every = table.asked_of(questions, known)
    dtypes = dtypes_of_right(every)
    asked = {op: [a for a in each if is_about(op, a, runtime, dtypes)] for op, each in every.items()}
    asked |= {q.operators[0]: [] for q in questions if len(q.operators) == 1 and q.operators[0] not in asked}  # of which a file shows no facts
    found = table.entries(asked, weights_differ=not runtime.folds_constants, dtypes=dtypes)
    described = dict(runtime.profile)
    refused = never_taken(runtime, asked) + found["refused"]
    judged, sentences, everywhere = (described.pop(key, {}) for key in ("judged", "sentences", "everywhere"))
    by_hand = {name: [each | {"when": out.raw(each["when"])} for each in described.pop(name, [])] for name in ("refused", "depends")}
    target = {"name": runtime.target, "package": f"{runtime.package} {runtime.version}", "made_by": "tools/rules/prober.py --write", **described}
    text = out.profile(target, judged | {"dtypes": sorted(dtypes)}, dict.fromkeys(listed(asked) | {"onnx::Constant"}, 0))
    text += out.section("sentences", sentences) if sentences else ""
    text += out.tables("refused", refused + by_hand["refused"]) + out.tables("fails", found["fails"]) + out.tables("wrong", found["wrong"])
    for name, entry in everywhere:
        text += out.tables(name, [{"operators": sorted(listed(asked)), **entry, "when": out.raw(entry["when"])}])
    text += out.tables("depends", by_hand["depends"])
    if unknown := not_asked(asked):
        text += out.tables("unknown", [{"operators": unknown, "when": ANY, "reason": NOT_ASKED}])
    if runtime.opsets[1] < NEWEST:
        text += out.releases([{"version": runtime.version, "ir_version": 0, "ai.onnx": runtime.opsets[1]}])
    out.write(runtime.target, text)
