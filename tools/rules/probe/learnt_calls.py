"""A whole profile from what a converter of exported programs, and its runtime, answered to samples of operators: rules/TARGET.toml."""
from __future__ import annotations

import collections
import dataclasses
import itertools
import pathlib
import re
from collections.abc import Container, Iterable, Iterator, Set
from typing import Any

import computed_otherwise
import profile_file as out
import rewrites
import tomllib
import torch
from ways import Way

from probe import calls, separating, siblings, table
from probe.answers import Answer
from probe.calls import Call
from probe.causes import Asked
from probe.conditions import holds
from probe.facts import ABSENT, Atom, Facts, dtype_name
from probe.parts import Foreteller, Program, foretold, program_of
from probe.said_before import SaidBefore

ALWAYS = [{"output": 0, "given": True}]
DTYPE = ("dtype", 0)
REALS = {"float16", "float32", "float64"}
RAN = {"right", "left"}
MANNERS = {"dtype", "result dtype", "others", "below", "result unlike", "empty"}  # kinds of facts
Taken = dict[str, set[frozenset[Atom]]]  # operator -> the manners in which it was called and taken
UNSURE = "unsure"  # of several calls, of which one is to blame
NOT_ASKED = "it was not asked about"
OF_NO_DTYPE = re.compile(r"is not in Core ATen opset|Missing operator")  # said of an operator, whatever it is called with
SIZES = re.compile(r"(is off by) ([\d.e+-]+) of ([\d.e+-]+)")


def answer_of(kind: str, said: str) -> Answer:
    found = SIZES.search(said)
    off, scale = (float(found[2]), float(found[3])) if found else (0.0, 0.0)
    return Answer(kind, said, off, scale)


def manner_of(facts: Facts) -> frozenset[Atom]:
    """How an operator is called, whatever the sizes."""
    return frozenset(atom for atom in facts.items() if atom[0][0] in MANNERS)


def unlike_taken(found: list[Call], taken: Taken) -> list[str]:
    """The operator that is called once as it is never taken, where all others are called as they are."""
    unlike = [operator for operator, facts in found if manner_of(facts) not in taken.get(operator, set())]
    return unlike if len(unlike) == 1 else []


def suspects_of(found: list[Call], said: str, taken: Taken) -> list[str]:
    """The operators that an answer about several may be about: those that the words name, of which none was taken, or none like it."""
    operators = dict.fromkeys(operator for operator, _ in found)
    named = [each for each in operators if re.search(rf"\b{re.escape(each.replace('::', '.'))}\b", said)]
    return named or [each for each in operators if each not in taken] or unlike_taken(found, taken)


def calls_meant(found: list[Call], answer: Answer, taken: Taken) -> Iterator[tuple[Call, Answer]]:
    """The calls that an answer is about, with what it is for each: unsure, where it may be another one's."""
    suspects = suspects_of(found, answer.said, taken)
    meant = [call for call in found if answer.kind in RAN or len(found) == 1 or call[0] in suspects]
    is_sure = answer.kind in RAN or (len(meant) == 1 and len(suspects) < 2) or len(found) == 1
    yield from ((call, answer if is_sure else dataclasses.replace(answer, kind=UNSURE)) for call in meant)


def asked_of(programs: Iterable[tuple[str, list[Call]]], answers: dict[str, Answer]) -> dict[str, list[Asked]]:
    """Operator -> its calls, as far as an answer is about one, or where none is, those that one may be about."""
    found: dict[str, list[Asked]] = collections.defaultdict(list)
    known = [(name, each, answers[name]) for name, each in programs if each]
    taken: Taken = collections.defaultdict(set)
    for operator, facts in itertools.chain.from_iterable(each for _, each, answer in known if answer.kind in RAN):
        taken[operator].add(manner_of(facts))
    for name, each, answer in known:
        for (operator, facts), meant in calls_meant(each, answer, taken):
            found[operator].append(Asked(name, facts, meant))
    return found | sure(found)


def sure(asked: dict[str, list[Asked]]) -> dict[str, list[Asked]]:
    """Of operators that an answer is about, what it is."""
    found = {operator: [each for each in answers if each.answer.kind != UNSURE] for operator, answers in asked.items()}
    return with_answers(found)


def with_default(operator: str, condition: dict[str, Any]) -> dict[str, Any]:
    """A condition on an attribute, as one on an argument, which has a default where the program leaves it out."""
    if "attribute" not in condition:
        return condition
    name = condition["attribute"]
    default = calls.default_of(operator, name)
    found = {"argument": name, "given": True} | {key: value for key, value in condition.items() if key != "attribute"}
    if "types" in condition:
        return found
    values = [] if default == ABSENT else [default]
    if "is" not in condition and not condition.get("or_absent"):
        found["is_not"] = list(dict.fromkeys([*condition.get("is_not", []), *values])) if "is_not" not in condition else condition["is_not"]
    elif default in condition.get("is", []):
        found["or_absent"] = True
    return found


def spelled(entry: dict[str, Any]) -> dict[str, Any]:
    when = tomllib.loads(f"when = {entry['when']}")["when"]
    return entry | {"when": out.raw([with_default(entry["operators"][0], each) for each in when])}


def whenever(asked: list[Asked], lacks_an_operator: bool = False) -> out.Raw:
    """The condition of an operator that is never taken: where it was asked for whole numbers alone, nothing is known of real ones, unless the
    target lacks what it is made of."""
    if lacks_an_operator:
        return out.raw(ALWAYS)
    seen = {dtype_name(a.facts[DTYPE]) for a in asked if DTYPE in a.facts}
    return out.raw(ALWAYS if not seen or seen & REALS else [{"input": 0, "dtypes": sorted(seen)}])


def falls_back(rows: list[list[str]]) -> list[list[str]]:
    """The answers of a target that leaves operators to the processor: those are refused, and with what no converter takes the model fails."""
    kinds = {"left": "refused", "refused": "fails"}
    return [[name, kinds.get(kind, kind), said] for name, kind, said in rows]


def falls_back_in(profile: dict[str, Any]) -> bool:
    return bool(profile.get("judged", {}).get("falls_back", False))


def undecided(asked: dict[str, list[Asked]]) -> list[dict[str, Any]]:
    """Entries of operators of which calls that a file shows alike are taken and are not, where what stands beside them decides, and of those that
    were only asked about with others that are not taken either."""
    entries: dict[str, list[str]] = {}
    for operator, each in sorted(asked.items()):
        right = [a.facts for a in each if a.answer.kind == "right"]
        said = [table.reason_of(a.answer.said) for a in each if a.answer.kind == UNSURE or (a.answer.kind == "refused" and a.facts in right)]
        if said:
            entries.setdefault(max(sorted(set(said)), key=said.count), []).append(operator)
    return [{"operators": operators, "when": out.raw(ALWAYS), "reason": reason} for reason, operators in entries.items()]


def entries_where(is_unsure: bool, entries: dict[tuple[bool, out.Raw, str], list[str]]) -> list[dict[str, Any]]:
    return [{"operators": operators, "when": when, "reason": reason} for (unsure, when, reason), operators in entries.items() if unsure == is_unsure]


def operator_named(said: str, refusal: re.Pattern[str]) -> str | None:
    """The operator of which it is said that the target has none."""
    named = refusal.search(said)
    return named[1].replace(".", "::", 1).rstrip(".").removesuffix(".default") if named else None


def never_taken(asked: dict[str, list[Asked]], refusal: re.Pattern[str], worst: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]], set[str]]:
    """Entries of operators that never ran, for other reasons than that the target has none: those that are sure, and those that one sample says
    whose words name no operator that the target lacks; and the operators that it does not have. `worst`: refused, where one answer is, or
    fails, where all do."""
    entries: dict[tuple[bool, out.Raw, str], list[str]] = {}
    lacking = set()
    for operator, each in sorted(asked.items()):
        kinds = {a.answer.kind for a in each}
        if not kinds <= {"refused", "fails"} or max(kinds) != worst:
            continue
        said = [table.reason_of(a.answer.said) for a in each if a.answer.kind == worst]
        if all(operator_named(text, refusal) == operator for text in said):
            lacking.add(operator)
        else:
            when, why = whenever(each, all(map(refusal.search, said))), max(sorted(set(said)), key=said.count)
            entries.setdefault((not refusal.search(why) and is_of_one_sample(each), when, why), []).append(operator)
    return entries_where(False, entries), entries_where(True, entries), lacking


def is_of_one_sample(asked: list[Asked]) -> bool:
    """Whether one call alone was asked about, be it of several dtypes: another may be taken."""
    return len({a.name.rpartition(".")[2] for a in asked}) == 1


def without_lowering(operators: set[str], profile: dict[str, Any]) -> list[dict[str, Any]]:
    reason = profile["refusal"].replace("{operator}", "").strip(": ")
    return [{"operators": sorted(operators), "when": out.raw(ALWAYS), "reason": reason}] if operators else []


def sentence_of(profile: dict[str, Any]) -> re.Pattern[str]:
    return re.compile(re.escape(profile["refusal"]).replace(re.escape("{operator}"), r"([\w.]+)"))


def answered(files: list[pathlib.Path], rows: list[list[str]]) -> dict[str, list[Asked]]:
    answers = {name: answer_of(kind, said) for name, kind, said in rows}
    return asked_of(calls.of_files([file for file in files if file.name.removesuffix(".pt2") in answers]), answers)


def programs_of(files: Iterable[pathlib.Path], way: Way) -> list[Program]:
    assert way.take_apart is not None
    found = (program_of(file, way.take_apart) for file in files)
    return [program for program in found if program is not None]


def add_foretold(asked: dict[str, list[Asked]], rows: list[list[str]], files: list[pathlib.Path], way: Way) -> None:
    """Adds what follows for calls that were not asked about from what became of the parts of others."""
    answers = {name: answer_of(kind, said) for name, kind, said in rows}
    programs = programs_of(files, way)
    known = [(program, answers[program.name]) for program in programs_of((files[0].with_name(f"{name}{way.suffix}") for name in answers), way)]
    teller = Foreteller(way.lowered(), way.profile["refusal"], known, lacking="fails" if falls_back_in(way.profile) else "refused")
    told = list(foretold(teller, (program for program in programs if program.name not in answers), set(sure(asked))))
    for operator, each in asked_of(((p.name, p.calls) for p, _ in told), {p.name: answer for p, answer in told}).items():
        asked.setdefault(operator, []).extend(each)
    asked.update(sure(asked))


def holds_of(entry: dict[str, Any], asked: Asked) -> bool:
    return all(holds(condition, asked.facts) for condition in entry["when"])


def ran_in_spite(entry: dict[str, Any], asked: dict[str, list[Asked]]) -> set[str]:
    return {operator for operator, answers in asked.items() if any(a.answer.kind == "right" and holds_of(entry, a) for a in answers)}


def as_stated(stated: tuple[dict[str, Any], ...], asked: dict[str, list[Asked]], known: Set[str] = frozenset()) -> list[dict[str, Any]]:
    """Entries of what the target states: of all operators, or of those that it said so of and of elementwise ones, but for those of which a call
    like that ran."""
    found = []
    for each in stated:
        told = {operator for operator, answers in asked.items() if any(each["reason"] in a.answer.said for a in answers)}
        told |= {operator for operator in known if each.get("of") == "all" or siblings.is_elementwise(operator)}
        found.append({"operators": each.get("operators", sorted(told - ran_in_spite(each, asked))), "when": out.raw(each["when"]),
                      "reason": each["reason"]} | ({"asked": each["asked"]} if "asked" in each else {}))
    return found


def beside_stated(stated: tuple[dict[str, Any], ...], asked: dict[str, list[Asked]]) -> dict[str, list[Asked]]:
    """Without the answers that the target states of operators by name."""
    def is_stated(operator: str, each: Asked) -> bool:
        return not is_ever_right([each]) and any(operator in entry.get("operators", ()) and holds_of(entry, each) for entry in stated)
    return with_answers({operator: [each for each in answers if not is_stated(operator, each)] for operator, answers in asked.items()})


def names_in(asked: dict[str, list[Asked]]) -> set[str]:
    return {each.name for answers in asked.values() for each in answers}


def with_answers(asked: dict[str, list[Asked]]) -> dict[str, list[Asked]]:
    return {operator: answers for operator, answers in asked.items() if answers}


def only_looks(operator: str) -> bool:
    """Whether it takes tensors and yields none."""
    overload = calls.overload_of(operator)
    return overload is not None and is_of_tensors(overload._schema.arguments) and not is_of_tensors(overload._schema.returns)


def hands_on(operator: str) -> bool:
    """Whether it yields the very tensor that it takes, so that no target is left with it."""
    overload, given = calls.overload_of(operator), torch.zeros(1, 2, dtype=torch.int64)
    if overload is None or overload._schema.is_mutable or any(not each.has_default_value() for each in overload._schema.arguments[1:]):
        return False
    try:
        return bool(given.is_set_to(overload(given)))
    except Exception:  # it takes something else, or yields it
        return False


def is_of_tensors(values: Iterable[Any]) -> bool:
    return any("Tensor" in str(each.type) for each in values)


def on_removed(stated: tuple[dict[str, Any], ...], asked: dict[str, list[Asked]], removed: Set[str]) -> list[dict[str, Any]]:
    """What it states, of all operators that its passes remove, but for those of which a call like that ran, and what yields none or hands it on."""
    others = {each for each in removed if only_looks(each) or hands_on(each)}
    return [{"removed_by_passes_but": sorted(others | ran_in_spite(each, asked) & removed), "when": out.raw(each["when"]),
             "reason": each["reason"], "asked": each["asked"]} for each in stated]


KINDS = ("refused", "fails", "wrong", "depends")
Table = dict[str, list[dict[str, Any]]]


def learnt(profile: dict[str, Any], asked: dict[str, list[Asked]], beyond: Set[str]) -> tuple[Table, set[str], set[str]]:
    """Table -> its entries; the operators that the target does not have; and those of which no model is converted, `beyond` among them."""
    sentence = sentence_of(profile)
    refused, may_be_refused, lacking = never_taken(asked, sentence, "refused")
    fails, may_fail, not_converted = never_taken(asked, sentence, "fails")
    not_converted |= beyond
    found = {kind: [spelled(each) for each in entries] for kind, entries in table.entries(asked, causes=separating.all_causes).items()}
    for kind, always in (("refused", refused), ("fails", fails + without_lowering(not_converted, profile))):
        found[kind] = always + found.get(kind, [])
    found["depends"] = found.get("depends", []) + undecided(asked) + may_be_refused + may_fail
    return found, lacking, not_converted


def of_other_overloads(unknown: Set[str], asked: dict[str, list[Asked]]) -> tuple[list[tuple[str, dict[str, Any]]], set[str]]:
    """Entries of operators of which other overloads alone were asked about, where none of these was ever taken; and those of which all of several
    calls of others were."""
    entries, taken = [], set()
    for operator in sorted(unknown):
        others = {name: each for name, each in asked.items() if name.partition(".")[0] == operator.partition(".")[0]}
        answers = list(itertools.chain.from_iterable(others.values()))
        kinds = {a.answer.kind for a in answers}
        if len(answers) > 1 and kinds == {"right"}:
            taken.add(operator)
        elif answers and kinds <= {"refused", "fails"}:
            said = [table.reason_of(a.answer.said) for a in answers]
            reason = f"like {min(others)}: {max(sorted(set(said)), key=said.count)}"
            entries.append((max(kinds), {"operators": [operator], "when": whenever(answers), "reason": reason}))
    return entries, taken


def told_by_overloads(found: Table, unknown: Set[str], asked: dict[str, list[Asked]]) -> set[str]:
    """Adds what is not taken of operators that nobody asked about, and yields those and the ones that are."""
    entries, taken = of_other_overloads(unknown, asked)
    for kind, entry in entries:
        found[kind].append(entry)
    return taken.union(*(entry["operators"] for _, entry in entries))


def add_stated(now: Table, stated: tuple[dict[str, Any], ...], asked: dict[str, list[Asked]], known: Set[str]) -> None:
    for kind in KINDS:
        of_kind = tuple(each for each in stated if each.get("kind", "refused") == kind)
        now[kind] = now.get(kind, []) + as_stated(of_kind, asked, known)


def with_said_before(now: Table, before: SaidBefore, asked: dict[str, list[Asked]]) -> Table:
    special = {kind: before.without_wider(kind, now.get(kind, [])) for kind in KINDS}
    return {kind: each + before.entries(kind, each, asked, without=NOT_ASKED) for kind, each in special.items()}


def never_in(found: Table) -> set[str]:
    """The operators that a table never takes."""
    return operators_of(each for each in (*found["refused"], *found["fails"]) if each["when"] == out.raw(ALWAYS))


def write(target: str, profile: dict[str, Any], packages: tuple[str, ...], asked: dict[str, list[Asked]], known: set[str],
          stated: tuple[dict[str, Any], ...] = (), everything: Set[str] = frozenset(), anew: bool = False) -> None:
    """`known`: operators that the target has, whether or not one was asked about. Of `everything` else no model is converted: that is no fallback.
    `anew`: whatever the table said before."""
    package = out.installed(*packages)
    left = beside_stated(stated, asked)
    before = SaidBefore({}) if anew else SaidBefore.of(target, package).without_answers(names_in(asked) - names_in(left))
    now, lacking, not_converted = learnt(profile, left, everything - known - asked.keys() if falls_back_in(profile) else frozenset())
    if before.profile:
        lacking |= known - before.operators - asked.keys()
    add_stated(now, stated, asked, (known | asked.keys()) - lacking - not_converted)
    for kind, entry in siblings.inferred(sure(asked), known - lacking - not_converted):
        now[kind].append(spelled(entry))
    found = with_said_before(now, before, asked)
    unknown = known - asked.keys() - lacking - (before.operators - before.of_reason("depends", NOT_ASKED))
    if unknown := unknown - told_by_overloads(found, unknown, sure(asked)):
        found["depends"].append({"operators": sorted(unknown), "when": out.raw(ALWAYS), "reason": NOT_ASKED})
    operators = (asked.keys() | known | not_converted | before.operators) - lacking
    found = {kind: of_operators(each, operators) for kind, each in found.items()}
    text = out.profile(
        {"name": target, "package": package, "made_by": "tools/rules/computed.py --write", **profile},
        {"overloads": True, "functionalised": True, **profile.get("judged", {})}, dict.fromkeys(operators, 0),
        replacements=rewrites.of_table(operators - never_in(found), exported=True))
    out.write(target, text + "".join(out.tables(kind, each) for kind, each in found.items()))


def of_one_answer(asked: dict[str, list[Asked]], kind: str) -> list[dict[str, Any]]:
    """Entries of operators of which every call was answered in this way: of the dtypes that were asked, where these are whole numbers alone."""
    found: dict[tuple[out.Raw, str], list[str]] = {}
    for operator, each in sorted(asked.items()):
        if all(a.answer.kind == kind for a in each):
            said = [table.reason_of(a.answer.said) for a in each]
            when = whenever(each, all(map(OF_NO_DTYPE.search, said)))
            found.setdefault((when, max(sorted(set(said)), key=said.count)), []).append(operator)
    return [{"operators": operators, "when": when, "reason": reason, "asked": asked[operators[0]][0].name}
            for (when, reason), operators in found.items()]


def is_ever_right(asked: list[Asked]) -> bool:
    return any(each.answer.kind == "right" for each in asked)


def failing(asked: dict[str, list[Asked]], taken: Set[str]) -> list[dict[str, Any]]:
    """Entries of operators that always fail. Of others than those that are taken only what is so for all dtypes: to list them is to say that they are
    taken otherwise."""
    found = (of_operators([each], each["operators"] if each["when"] == out.raw(ALWAYS) else taken) for each in of_one_answer(asked, "fails"))
    return list(itertools.chain.from_iterable(found))


def learnt_before(whole: str, reasons: Set[str]) -> SaidBefore:
    """What answers gave before, without what is stated anew."""
    return SaidBefore({kind: [each for each in entries if "asked" in each and each["reason"] not in reasons]
                       for kind, entries in tomllib.loads(whole).items() if kind in KINDS})


def add(target: str, asked: dict[str, list[Asked]], stated: tuple[dict[str, Any], ...] = ()) -> None:
    """Adds to a table of what is delegated what else is left to the CPU, of operators that it has no condition on, and what is not converted, or
    fails, or is wrong, when it runs. `stated`: of all that its passes remove, too."""
    whole = (out.RULES / f"{target}.toml").read_text()
    before = learnt_before(whole, {each["reason"] for each in stated})
    text = computed_otherwise.without(whole)
    profile = tomllib.loads(text)
    removed = set(profile["removed_by_passes"]["operators"])
    ran = {operator for operator in asked if is_ever_right(asked[operator])}
    taken = (profile["operators"].keys() | removed | ran) - profile["decomposed"].keys()  # of others the table says that they are left
    known = {operator: each for operator, each in asked.items() if operator in taken}
    rows = on_removed(stated, known, removed)
    found = learnt_beside(unforeseen(known, stated, rows, removed), operators_of(profile.get("refused", [])), stated, removed)
    found["fails"] = failing(asked, taken) + found["fails"]
    found = {kind: each + before.entries(kind, each, asked) for kind, each in found.items()}
    told = (operators_of(itertools.chain.from_iterable(found.values())) | (ran & taken)) - removed
    found["refused"] += rows
    text = with_operators(text, profile["operators"] | dict.fromkeys(told, 0))
    out.write(target, text + "".join(out.tables(kind, found[kind]) for kind in KINDS))


def unforeseen(asked: dict[str, list[Asked]], stated: tuple[dict[str, Any], ...], rows: list[dict[str, Any]],
               removed: Set[str]) -> dict[str, list[Asked]]:
    """Without what rows on all removed operators say."""
    def is_foreseen(operator: str, each: Asked) -> bool:
        return operator in removed and each.answer.kind == "refused" and any(
            operator not in row["removed_by_passes_but"] and holds_of(entry, each) for entry, row in zip(stated, rows, strict=True))
    return with_answers({operator: [each for each in answers if not is_foreseen(operator, each)] for operator, answers in asked.items()})


def operators_of(entries: Iterable[dict[str, Any]]) -> set[str]:
    return {operator for each in entries for operator in each["operators"]}


def of_operators(entries: Iterable[dict[str, Any]], meant: Container[str]) -> list[dict[str, Any]]:
    """What entries say of these operators alone."""
    found = (each | {"operators": [operator for operator in each["operators"] if operator in meant]} for each in entries)
    return [each for each in found if each["operators"]]


def learnt_beside(asked: dict[str, list[Asked]], constrained: set[str], stated: tuple[dict[str, Any], ...], removed: Set[str]) -> Table:
    """`constrained`: operators of which the table says already what is left."""
    free = {operator: each for operator, each in asked.items() if operator not in constrained}
    entries = table.entries(asked, causes=separating.all_causes)
    found = {kind: [spelled(each) for each in entries.get(kind, [])] for kind in KINDS}
    found |= {kind: of_operators(found[kind], free.keys()) for kind in ("refused", "depends")}
    listed = as_stated(stated, free, free.keys() - removed)
    found["refused"] = of_one_answer(free, "refused") + found["refused"] + [each for each in listed if each["operators"]]
    return found


def with_operators(text: str, listed: dict[str, int]) -> str:
    """A profile with other operators."""
    before, _, rest = text.partition("[operators]\n")
    return before + out.sorted_table("operators", listed) + rest.partition("\n\n")[2]
