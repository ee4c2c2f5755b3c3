"""A whole profile from the answers of one runtime: rules/TARGET.toml."""
from __future__ import annotations

import collections
import pathlib
import re
from typing import Any

import onnx
import profile_file as out
import tomllib

from probe import answers, conditions, observed, separating, table
from probe.causes import Asked
from probe.complaint import NAMED_CONSTANT
from probe.facts import ABSENT, COMPUTED, dtype_name
from probe.runtime import NEWEST, Runtime
from probe.said_before import SaidBefore

COMPUTED_BEFORE = {"onnx::Constant", "onnx::Shape"}
NOT_ASKED = "it was not asked about"
OF_A_SIZE = " of a size"  # how questions are called of which a Size is an operand
NO_KERNEL = "Could not find an implementation"
ANY = out.Raw("[{from_opset = 1}]")
# Of a runtime's profile: they have tables.
NO_DESCRIPTION = {"judged", "ir_version", "sentences", "everywhere", "kernels", "refused", "wrong", "depends"}


def sentence_of(runtime: Runtime) -> re.Pattern[str]:
    """What the runtime says of an operator that it does not have."""
    return re.compile(re.escape(runtime.profile["refusal"]).replace(re.escape("{operator}"), r"(\w+)"))


def listed(asked: dict[str, list[Asked]]) -> set[str]:
    """The operators of which some model was taken."""
    return {operator for operator, each in asked.items() if any(a.answer.kind not in ("refused", "fails") for a in each)}


def of_strange_domains(asked: dict[str, list[Asked]]) -> set[str]:
    """Those of domains of which nothing is taken: the table says only of what it lists that it is refused."""
    known = {operator.rpartition("::")[0] for operator in listed(asked)} | {"onnx"}
    return {operator for operator in asked if operator.rpartition("::")[0] not in known}


def is_axes(operator: str, number: int) -> bool:
    """Whether an operand is of int64 alone, as axes and sizes are, which most models store."""
    domain, _, name = operator.rpartition("::")
    try:
        formals = onnx.defs.get_schema(name, domain="" if domain == "onnx" else domain).inputs
    except onnx.defs.SchemaError:
        return False
    return number < len(formals) and formals[number].type_str == "tensor(int64)"


def is_asked_as_used(operator: str, asked: list[Asked]) -> bool:
    """Whether some question is as most models have the operator."""
    return any(all(a.facts[key] != COMPUTED or not is_axes(operator, int(str(key[1]))) for key in a.facts if key[0] == "operand") for a in asked)


def never_taken(runtime: Runtime, asked: dict[str, list[Asked]]) -> list[dict[str, Any]]:
    """Those that are refused in other words than what the table says of all that it does not list."""
    found: dict[str, list[str]] = {}
    strange = of_strange_domains(asked)
    for operator in sorted(asked.keys() - listed(asked) - of_constants(asked).keys()):
        said = [table.reason_of(a.answer.said) for a in asked[operator]]
        is_worded = not any(map(sentence_of(runtime).match, said))  # otherwise than what is said of all that is not listed
        if said and (operator in strange or (is_worded and is_asked_as_used(operator, asked[operator]))):
            found.setdefault(max(sorted(set(said)), key=said.count), []).append(operator)
    return [{"operators": operators, "when": ANY, "reason": reason} for reason, operators in found.items()]


def of_constants(asked: dict[str, list[Asked]]) -> dict[str, set[int]]:
    """Operators of which little is known but that some operands must be constants, by number: hardly anybody asked about them as such."""
    found = {}
    for operator in asked.keys() - listed(asked):
        named = {int(m[1]) for a in asked[operator] if (m := NAMED_CONSTANT.search(a.answer.said))}
        computed = [a for a in asked[operator] if any(a.facts.get(("operand", at)) == COMPUTED for at in named)]
        if named and len(asked[operator]) < 2 * len(computed):
            found[operator] = named
    return found


def takes_sizes(asked: dict[str, list[Asked]]) -> bool:
    """Whether it reads the number of elements: it is asked about as an operand of others, since it depends on no value."""
    return any(a.answer.kind == "right" and a.name.endswith(OF_A_SIZE) for each in asked.values() for a in each)


def not_asked(asked: dict[str, list[Asked]]) -> list[str]:
    newest = {f"onnx::{s.name}" for s in onnx.defs.get_all_schemas() if s.domain == "" and not s.deprecated}
    known = {operator for operator, each in asked.items() if is_asked_as_used(operator, each)} | listed(asked) | of_strange_domains(asked)
    return sorted((newest - known - COMPUTED_BEFORE - {"onnx::Size"}) | of_constants(asked).keys())


def dtypes_of_right(asked: dict[str, list[Asked]]) -> set[str]:
    """Those that several operators take as what depends on inputs, or give: one alone may pass over an operand."""
    takers: dict[str, set[str]] = collections.defaultdict(set)
    for operator, each in asked.items():
        for facts in (a.facts for a in each if a.is_right and operator != "onnx::Shape"):
            for (kind, *place), value in facts.items():
                if kind == "result dtype" or (kind == "dtype" and facts.get(("operand", *place)) == COMPUTED):
                    takers[dtype_name(value)].add(operator)
    return {dtype for dtype, operators in takers.items() if len(operators) > 1}


def is_of_dtype(asked: Asked, dtypes: set[str]) -> bool:
    """Whether it has a dtype that no tensor of the target may have: one list says it for all operators."""
    return any(dtype_name(value) not in dtypes for key, value in asked.facts.items() if str(key[0]).endswith("dtype"))


def depends_on_inputs(asked: Asked) -> bool:
    """Or has no operands at all, and is computed all the same: random numbers, sequences without elements."""
    origins = [value for key, value in asked.facts.items() if key[0] == "operand"]
    return COMPUTED in origins or not origins


def is_older(operator: str, opset: int) -> bool:
    """Whether ONNX had the operator in that opset already."""
    domain, _, name = operator.rpartition("::")
    return domain == "onnx" and (opset == NEWEST or onnx.defs.has(name, max_inclusive_version=opset))


class Foreseen:
    """Answers that other tables of the profile say already: of nothing that an input decides, of a dtype that no tensor may have, of an opset, of a
    kernel that is missing, of what is said of every operator, or stated of one."""

    def __init__(self, runtime: Runtime, dtypes: set[str], without_kernel: set[str]) -> None:
        self.runtime = runtime
        self.dtypes = dtypes
        self.without_kernel = without_kernel
        self.opset = re.compile(re.sub(r"\\{\w+\\}", ".*", re.escape(runtime.profile.get("sentences", {}).get("opset", ""))))
        self.everywhere = runtime.profile.get("everywhere", [])
        self.stated = [(kind, entry) for kind in ("refused", "wrong") for entry in runtime.profile.get(kind, [])]

    def is_stated(self, operator: str, asked: Asked) -> bool:
        kind = asked.answer.kind
        if any(name == kind and holds(entry["when"], asked) for name, entry in self.everywhere):
            return True
        of_operator = (entry["when"] for name, entry in self.stated if name == kind and operator in entry["operators"])
        return any(all(conditions.holds(each, asked.facts) for each in when) for when in of_operator)

    def is_about(self, operator: str, asked: Asked) -> bool:
        if self.runtime.folds_constants and not depends_on_inputs(asked):
            return False
        if is_of_dtype(asked, self.dtypes) or self.is_stated(operator, asked):
            return False
        if asked.answer.kind != "refused":
            return True
        if asked.name in self.without_kernel or (self.opset.fullmatch(asked.answer.said) and is_older(operator, self.runtime.opsets[1])):
            return False
        named = sentence_of(self.runtime).match(asked.answer.said)
        return named is None or named[1] == operator.rpartition("::")[2]


def without_kernel(runtime: Runtime, folder: pathlib.Path) -> set[str]:
    """Questions that the target whose kernels the profile repeats refuses too, for want of one."""
    if "kernels" not in runtime.profile:
        return set()
    ours = answers.kept(runtime, folder)
    others = [answers.kept_in(file) for file in sorted(folder.glob(f"answers-{runtime.profile['kernels']}-*.jsonl"))[-1:]]
    lacking = [name for name, answer in ours.items() if NO_KERNEL in answer.said]
    return {name for name in lacking if all(each[name].kind == "refused" for each in others if name in each)}


def must_be_constants(asked: dict[str, list[Asked]]) -> list[dict[str, Any]]:
    entries = []
    for operator, numbers in sorted(of_constants(asked).items()):
        for number in sorted(numbers):
            said = next(a for a in asked[operator] if (m := NAMED_CONSTANT.search(a.answer.said)) and int(m[1]) == number)
            entries.append({"operators": [operator], "when": out.raw([{"input": number, "computed": True}]),
                            "reason": table.reason_of(said.answer.said), "asked": said.name})
    return entries


def holds(when: list[dict[str, Any]], asked: Asked) -> bool:
    """Whether conditions of an entry about every operator hold, which are about inputs of the model, or results."""
    return all(conditions.holds({"entry": True, **each} if "input" in each else each, asked.facts) for each in when)


def may_hold(name: str, when: list[dict[str, Any]], asked: list[Asked]) -> bool:
    """Whether an operator has the operands that an entry on all operators is about, and none ran in spite of it; of what is wrong whether one
    was, and none right."""
    if name == "wrong":
        kinds = {a.answer.kind for a in asked if holds(when, a)}
        return "wrong" in kinds and "right" not in kinds
    has_operands = any(a.facts.get(("operand", c["input"]), ABSENT) != ABSENT for a in asked for c in when if "input" in c)
    has_operands |= bool(asked) and all("input" not in c for c in when)
    return has_operands and not any(holds(when, a) for a in asked if ran(a))


def ran(asked: Asked) -> bool:
    return asked.answer.kind in ("right", "wrong") or asked.answer.said == answers.RAN


def kernels_of(target: str, operators: set[str], newest: int) -> str:
    """The schemas and kernels of another target, of these operators, up to an opset."""
    profile = tomllib.loads((out.RULES / f"{target}.toml").read_text())
    lines = {name: out.Lines(line for line in each if int(line.split(" ")[0]) <= newest)
             for name, each in profile["versions"].items() if name in operators}
    lines = {name: each for name, each in lines.items() if each}
    used = set(re.findall(r"[=\s]([^\s=|?+*]+)", " ".join(line for each in lines.values() for line in each)))
    return out.sorted_table("types", {n: each for n, each in profile["types"].items() if n in used}) + out.sorted_table("versions", lines)


def not_foreseen(runtime: Runtime, folder: pathlib.Path, every: dict[str, list[Asked]], dtypes: set[str]) -> dict[str, list[Asked]]:
    """Without what other tables say, and without the operators of which nothing else is known."""
    foreseen = Foreseen(runtime, dtypes, without_kernel(runtime, folder))
    found = {op: [a for a in each if foreseen.is_about(op, a)] for op, each in every.items()}
    return {op: each for op, each in found.items() if each or any(is_of_dtype(a, dtypes) for a in every[op])}


def with_raw(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Entries by hand, as tables are written."""
    return [each | {"when": out.raw(each["when"])} for each in entries]


def package_of(runtime: Runtime) -> str:
    return f"{runtime.package} {runtime.version}"


def head(runtime: Runtime, operators: set[str], dtypes: set[str]) -> str:
    """What is said before the entries: of the target, of the operators that it has, of their kernels."""
    described = {key: value for key, value in runtime.profile.items() if key not in NO_DESCRIPTION}
    target = {"name": runtime.target, "package": package_of(runtime), "made_by": "tools/rules/prober.py --write", **described}
    text = out.profile(target, runtime.profile.get("judged", {}) | {"dtypes": sorted(dtypes)}, dict.fromkeys(operators | COMPUTED_BEFORE, 0))
    if "kernels" in runtime.profile:
        text += kernels_of(runtime.profile["kernels"], operators, runtime.opsets[1])
    return text + (out.section("sentences", runtime.profile["sentences"]) if "sentences" in runtime.profile else "")


def of_all_operators(runtime: Runtime, every: dict[str, list[Asked]], before: SaidBefore) -> dict[str, list[dict[str, Any]]]:
    """Entries on all operators but those that ran in spite of them, now or before."""
    found = collections.defaultdict(list)
    for name, entry in runtime.profile.get("everywhere", []):
        ran_before = before.operators - before.of_reason(name, entry["reason"], entry["when"])
        operators = [op for op in (listed(every) | of_constants(every).keys()) - ran_before if may_hold(name, entry["when"], every[op])]
        found[name].append({"operators": sorted(operators), **entry, "when": out.raw(entry["when"])})
    return found


def tail(runtime: Runtime, unknown: list[str]) -> str:
    text = out.tables("unknown", [{"operators": unknown, "when": ANY, "reason": NOT_ASKED}] if unknown else [])
    if runtime.opsets[1] < NEWEST:
        text += out.releases([{"version": runtime.version, "ir_version": runtime.profile.get("ir_version", 0), "ai.onnx": runtime.opsets[1]}])
    return text


def entries_of(runtime: Runtime, every: dict[str, list[Asked]], asked: dict[str, list[Asked]], dtypes: set[str], before: SaidBefore) -> str:
    """What is learnt, stated by hand, and was said before, table by table."""
    found = table.entries(asked, weights_differ=not runtime.folds_constants, dtypes=dtypes, causes=separating.all_causes)
    never = [each for each in never_taken(runtime, every) if before.operators.isdisjoint(each["operators"])]
    by_hand = {name: with_raw(runtime.profile.get(name, [])) for name in ("refused", "wrong", "depends")}
    everywhere = of_all_operators(runtime, every, before)
    learnt = {"refused": never + found["refused"] + must_be_constants(asked), "fails": found["fails"] + everywhere.get("fails", []),
              "wrong": found["wrong"] + everywhere.get("wrong", []), "depends": found["depends"]}
    now = {name: before.without_wider(name, each) + by_hand.get(name, []) for name, each in learnt.items()}
    return "".join(out.tables(name, each + before.entries(name, each, every)) for name, each in now.items())


def write(runtime: Runtime, folder: pathlib.Path, anew: bool = False) -> None:
    """`anew`: whatever the table said before."""
    before = SaidBefore({}) if anew else SaidBefore.of(runtime.target, package_of(runtime))
    questions, known = observed.learnt(runtime.target, folder)
    every = table.asked_of(questions, known)
    dtypes = dtypes_of_right(every).union(*(profile.get("judged", {}).get("dtypes", []) for profile in (runtime.profile, before.profile)))
    asked = not_foreseen(runtime, folder, every, dtypes)
    asked |= {q.operators[0]: [] for q in questions if len(q.operators) == 1 and q.operators[0] not in every}  # of which a file shows no facts
    operators = listed(asked) | of_strange_domains(every) | ({"onnx::Size"} if takes_sizes(every) else set()) | (before.operators - COMPUTED_BEFORE)
    unknown = [each for each in not_asked(asked | every) if not before.operators or each in before.of_reason("unknown", NOT_ASKED)]
    out.write(runtime.target, head(runtime, operators, dtypes) + entries_of(runtime, every, asked, dtypes, before) + tail(runtime, unknown))
