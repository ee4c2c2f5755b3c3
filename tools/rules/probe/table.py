"""Writes what was learnt from a runtime's answers as the tables of its profile: [[refused]], [[fails]], [[wrong]]."""
from __future__ import annotations

import collections
import dataclasses
import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any

import onnx
import profile_file as out

from probe import chains
from probe.answers import Answer
from probe.causes import FOLLOWERS, Asked, Cause, causes_of
from probe.facts import (
    ABSENT,
    ALIKE_DTYPES,
    COMPUTED,
    CONSTANT,
    EMPTY,
    GIVEN,
    WORKED_OUT,
    Atoms,
    Facts,
    Key,
    dtype_name,
    facts_of,
    facts_of_nodes,
    plain,
    rounded,
)
from probe.question import Question

# What a sentence says of places in sources, of nodes and of the wrapping of errors.
PLACES = [re.compile(each) for each in (
    r"^.*?(detailed log:|Exception during initialization:|Status Message: )",
    r"^.*?\[with [^\]]*\] (?=\S)",
    r"(?:virtual |static |const )*[\w:<>*& ]*onnxruntime::[\w:~]+\([^()]*(?:\([^()]*\)[^()]*)*\)(?: const)?(?: \[with [^\]]*\])?\s*",
    r"^\[ONNXRuntimeError\] : \d+ : \w+ : |\b\w+\.(cc|h):\d+ \w+ |/onnxruntime_src/\S+\.",
    r"Summary: -- .*$|To facilitate the conversion.*$",
    r"Exception from \S+:|Check '.*?' failed at \S+:|FrontEnd API failed with \w+:|-- \S+ with a message:",
    r"^(UNSUPPORTED_NODE\w*|INVALID_NODE|INVALID_GRAPH|BUILDER|INTERNAL_ERROR): |Invalid Node - \S+ |Assertion failed: ",
    r"(UNSUPPORTED_NODE\w*|INVALID_NODE|INTERNAL_ERROR): .*$",
    r"\[\w+\.cpp::\w+::\d+\] Error Code.*$|In \w+(\(\))? at .*$|\[\w+\.cpp::.*$",
    r"Myelin \(\[.*?\]|MyelinCheckException: \S+ CHECK\(.*?\) failed\.|\(See https.*$",
    r"I\w+::\w+: Error Code \d+: |node_of_\w+|\(: | \[\w+\.cpp:\w+:\d+\]|, name=\(Unnamed.*$",
    r"(with )?friendly_name '\S+'",
    r"^\W*(cc|h):\d+ \S*\{anonymous\}\S*\(.*?\) ",
    r"^(cc|h):\d+ .*$",
    r"While validating (ONNX )?node '.*?':?( \(.*?\)'?)?|/\S+:\d+:?|\(node:'' ep:'\w+'\)",
    r"^Load model from \S+ failed: ?|Node \(\) Op \(\w+\) ",
    r"Non-zero status code returned while running ",
    r" While executing %.*$|(?<=explicitly marked illegal): .*$|\.? See instructions: \S+| \(https?://\S+\)\S+ There are a few things to try.*$")]

MANY = 3  # numbers that are not right, where one alone is
NOTHING = "None"  # where an argument is left out that has no default
SHORTEST = 8  # characters of a sentence: less is what was left of one
Condition = dict[str, Any]


@dataclasses.dataclass
class Cases:
    """One fact of causes: the values with which it is one, and what else is known of it."""
    operator: str
    key: tuple[Any, ...]
    values: list[Any]
    right: set[Any] | None  # values of an attribute in models that are computed right
    only_computed: bool  # nothing is known of constants


def reason_of(said: str) -> str:
    """The runtime's sentence, without places in its sources and without details of the model."""
    text = said
    for place in PLACES:
        text = place.sub("", text)
    text = " ".join(text.split()).strip(":; ")[:200]
    return text if len(text) > SHORTEST else "the runtime gives no reason"


def default_of(operator: str, name: str) -> Any:
    """The default of an attribute; none where it differs between opsets."""
    domain, _, bare = operator.rpartition("::")
    formals = [s.attributes[name] for s in onnx.defs.get_all_schemas_with_history()
               if s.name == bare and s.domain == ("" if domain == "onnx" else domain) and name in s.attributes]
    defaults = {repr(plain(f.default_value)): rounded(plain(f.default_value)) for f in formals if f.default_value.name}
    return next(iter(defaults.values())) if len(defaults) == 1 else ABSENT


def is_only_one_right(given: set[Any], right: set[Any]) -> bool:
    """Whether one number alone is right, or none: then the others were not asked one by one. One number that is not right says nothing of them."""
    if right == {ABSENT}:
        return len(given) > 1
    are_reals = any(isinstance(each, float) for each in given)
    return len(right - {ABSENT}) == 1 and len(given) > (1 if are_reals else MANY)


def of_all_but_right(given: list[Any], right: set[Any] | None) -> Condition | None:
    if right == {NOTHING} and all(isinstance(each, int) for each in given):
        return {"types": ["integer"]}
    if right is not None and is_only_one_right(set(given), right):
        return {"is_not": sorted(right - {ABSENT})} if right - {ABSENT} else {}
    return None


def of_attribute(cases: Cases) -> Condition:
    name = cases.key[1]
    given = [v for v in cases.values if v != ABSENT]
    absent = ABSENT in cases.values or default_of(cases.operator, name) in cases.values
    entry: Condition = {"attribute": name}
    if given and not absent and (others := of_all_but_right(given, cases.right)) is not None:
        return entry | others
    return entry | ({"is": sorted(given, key=str)} if given else {}) | ({"or_absent": True} if absent else {})


def of_others(cases: Cases) -> Condition:
    _, name, *ordinary = cases.key
    return {"attribute": name, "is_not": ordinary[:1] or cases.values}


def of_repeated(cases: Cases) -> Condition:
    _, name, operand, axis, _ = cases.key
    return {"attribute": name, "is_not_size": {"input": operand, "axis": axis}}


def of_length(cases: Cases) -> Condition:
    _, operand, axis, rank, parts, step = cases.key
    length = {"axis": axis} | ({"parts": parts} if parts else {}) | ({"at_least": step + 1} if cases.values[0] else {"at_most": step})
    return {"input": operand, "ranks": [rank], "length": length}


def of_smaller(cases: Cases) -> Condition:
    _, result, operand = cases.key
    return {"output": result, "smaller_than_input": operand} if cases.values == [True] else {}


def opsets_of(operator: str) -> list[int]:
    """Those in which ONNX changed it."""
    return sorted({s.since_version for s in onnx.defs.get_all_schemas_with_history() if f"{s.domain or 'onnx'}::{s.name}" == operator})


def of_opsets(cases: Cases) -> Condition:
    first, last = min(cases.values), max(cases.values)
    later = [v for v in opsets_of(cases.operator) if v > last]
    return ({"from_opset": first} if first > 1 else {}) | ({"below_opset": min(later)} if later else {})


def of_dtypes(cases: Cases) -> Condition:
    return {"input": cases.key[1], "dtypes": sorted(map(dtype_name, cases.values))} | ({"computed": True} if cases.only_computed else {})


PRESENCE = {ABSENT: "absent", COMPUTED: "computed", WORKED_OUT: "worked_out", CONSTANT: "constant", GIVEN: "given"}
CONDITIONS: dict[str, Callable[[Cases], Condition]] = {
    "attribute": of_attribute,
    "written": lambda cases: {"attribute": cases.key[1]} | ({} if cases.values[0] else {"or_absent": True}),
    "mixed": lambda cases: {"mixed": cases.key[1]},
    "empty": lambda cases: {"input": cases.key[1], "empty": True},
    "result empty": lambda cases: {"output": cases.key[1], "empty": True},
    "from end": lambda cases: {"attribute": cases.key[1], "is": sorted(cases.values), "from_end": True},
    "others": of_others,
    "item": lambda cases: {"attribute": cases.key[1], "is": sorted(cases.values)},
    "repeats": of_repeated,
    "unequal": lambda cases: {"attribute": cases.key[1], "is_not_attribute": cases.key[2]},
    "version": of_opsets,
    "given": lambda cases: {"input": cases.key[1], "given": True},
    "entry": lambda cases: {"input": cases.key[1], "entry": True},
    "unlike": lambda cases: {"input": cases.key[1], "unlike_input": cases.key[2]},
    "longer": of_length,
    "smaller": of_smaller,
    "uneven": lambda cases: {"output": cases.key[1], "uneven_to_input": cases.key[2]},
    "result unlike": lambda cases: {"output": cases.key[1], "unlike_input": cases.key[2]},
    "below": lambda cases: {"attribute": cases.key[1], "below": cases.values[0]},
    "before last": lambda cases: {"attribute": cases.key[1], "is_not": [-1], "from_end": True},
    "dtype": of_dtypes,
    "result dtype": lambda cases: {"output": cases.key[1], "dtypes": sorted(map(dtype_name, cases.values))},
    "rank": lambda cases: {"input": cases.key[1], "ranks": sorted(cases.values)},
    "result rank": lambda cases: {"output": cases.key[1], "ranks": sorted(cases.values)},
    "operand": lambda cases: {"input": cases.key[1], PRESENCE[cases.values[0]]: True},
    "result": lambda cases: {"output": cases.key[1], PRESENCE[cases.values[0]]: True},
}
MERGED = ("attribute", "from end", "item", "dtype", "rank", "result dtype", "result rank")  # whose values may be listed in one condition


@dataclasses.dataclass
class Merged:
    """Causes that differ only in one fact's value."""
    key: tuple[Any, ...]
    values: list[Any]
    rest: Atoms
    causes: list[Cause]


def merged(causes: list[Cause]) -> list[Merged]:
    """They become one condition."""
    groups: dict[tuple[Any, ...], Merged] = {}
    for cause in causes:
        atoms = [(("item", key[1]), key[2]) if key[0] == "item" else (key, value) for key, value in cause.atoms]
        places = [(cause.kind, key, tuple(each for i, each in enumerate(atoms) if i != at), None if key[0] in MERGED else value)
                  for at, (key, value) in enumerate(atoms)]
        at = next((at for at, place in enumerate(places) if place in groups), 0)
        _, key, rest, _ = places[at]
        group = groups.setdefault(places[at], Merged(key, [], rest, []))
        if atoms[at][1] not in group.values:
            group.values.append(atoms[at][1])
        group.causes.append(cause)
    return list(groups.values())


def said_of(conditions: list[Condition]) -> str:
    """`with antialias=1`: for people."""
    return "with " + " and ".join(map(said_of_one, conditions))


def said_of_one(condition: Condition) -> str:
    if "smaller_than_input" in condition:
        return f"output {condition['output']} smaller than input {condition['smaller_than_input']}"
    if "is_not_size" in condition:
        return f"{condition['attribute']} other than axis {condition['is_not_size']['axis']} of input {condition['is_not_size']['input']}"
    if "attribute" in condition:
        return said_of_attribute(condition)
    if "input" in condition or "output" in condition:
        return said_of_tensor(condition)
    if "mixed" in condition:
        return f"operands of different {condition['mixed']}"
    return f"opset {condition.get('from_opset', 1)}{' and newer' if 'below_opset' not in condition else ''}"


def said_of_attribute(condition: Condition) -> str:
    name = condition["attribute"]
    end = " from the end" if condition.get("from_end") else ""
    for key, relation in (("is", "="), ("is_not", " other than ")):
        if key in condition:
            return f"{name}{relation}{' or '.join(map(str, condition[key]))}{end}"
    return f"no {name}" if condition.get("or_absent") else str(name)


def said_of_tensor(condition: Condition) -> str:
    place = f"input {condition['input']}" if "input" in condition else f"output {condition['output']}"
    kinds = condition.get("dtypes") or [f"rank {r}" for r in condition.get("ranks", [])]
    return f"{' or '.join(kinds)} as {place}" if kinds and "length" not in condition else presence_of(condition) + place


def presence_of(condition: Condition) -> str:
    words = {"computed": "a computed ", "entry": "the model's own ",
             "worked_out": "a worked out ", "constant": "a constant ", "absent": "no ", "empty": "an empty ", "unlike_input": "an unlike shape as ",
             "length": "a long or short "}
    return next((text for key, text in words.items() if key in condition), "")


def right_values(causes: list[Cause], key: tuple[Any, ...]) -> set[Any] | None:
    found = [cause.right[key] for cause in causes if key in cause.right]
    return set().union(*found) if found else None


def reason(cause: Cause, conditions: list[Condition]) -> str:
    if cause.kind != "wrong":
        return reason_of(cause.covered[0].answer.said) or "it is refused without a word"
    said = cause.worst.answer.said
    return f"{said_of(conditions)} it {said} when it was asked"


def asked_of(questions: list[Question], answers: dict[str, Answer]) -> dict[str, list[Asked]]:
    """Operator -> the questions about it alone, and what is known of it from models of several operators."""
    found: dict[str, list[Asked]] = collections.defaultdict(list)
    for question in questions:
        if len(question.operators) == 1 and (facts := facts_of(onnx.ModelProto.FromString(question.model))) is not None:
            found[question.operators[0]].append(Asked(question.name, facts, answers[question.name]))
    seen: set[tuple[str, str]] = set()
    for operator, each in of_several([q for q in questions if len(q.operators) > 1], answers, set(found)):
        if (same := (operator, repr((each.answer.kind, sorted(each.facts.items(), key=repr))))) not in seen:
            seen.add(same)
            found[operator].append(each)
    return found


Node = tuple[str, Facts]


def told_apart_by(node: Node) -> tuple[str, frozenset[Any]]:
    """What tells nodes apart but for their sizes."""
    operator, facts = node
    return operator, frozenset(each for each in facts.items() if each[0][0] not in FOLLOWERS)


def of_several(questions: list[Question], answers: dict[str, Answer], alone: set[str]) -> Iterator[tuple[str, Asked]]:
    """The nodes of models of several operators that their answers tell of: all of one that is right, of others those that are to blame."""
    nodes = {question.name: list(facts_of_nodes(onnx.ModelProto.FromString(question.model))) for question in questions}
    right = {name for name in nodes if answers[name].kind in ("right", "not compared")}
    taken = set(map(told_apart_by, itertools.chain.from_iterable(nodes[name] for name in right)))
    for name, each in nodes.items():
        for operator, facts in each if name in right else nodes_blamed(name, each, answers[name], alone, taken):
            yield operator, Asked(name, facts, answers[name])


def nodes_blamed(name: str, nodes: list[Node], answer: Answer, alone: set[str], taken: set[Any]) -> list[Node]:
    """Of a chain that is refused those of operators that no question is about alone, of another model the one that is like none that is right."""
    if name.startswith(chains.PREFIX):
        return [node for node in nodes if answer.kind == "refused" and node[0] not in alone]
    strange = {told_apart_by(node): node for node in nodes}
    suspects = [node for key, node in strange.items() if key not in taken]
    return suspects if len(suspects) == 1 and not answer.crashed else []


def dtypes_of_right(asked: dict[str, list[Asked]]) -> set[str]:
    """Those that an operand or result had in a model that the runtime took."""
    return {dtype_name(value) for each in asked.values() for a in each if a.answer.kind in ("right", "not compared", "wrong")
            for key, value in a.facts.items() if str(key[0]).endswith("dtype")}


def only_computed(causes: list[Cause], key: tuple[Any, ...]) -> bool:
    """Whether the operand was a constant in none of the models: then nothing is known of constants."""
    return key[0] == "dtype" and all(a.facts.get(("operand", key[1])) == COMPUTED for cause in causes for a in cause.covered)


def except_empty(condition: Condition, asked: list[Asked]) -> Condition:
    """A list of axes that is computed and has none is another matter, where it was asked about."""
    if "computed" in condition and any(a.is_right and a.facts.get(("operand", condition.get("input"))) == EMPTY for a in asked):
        return condition | {"ranks": [1], "length": {"axis": 0, "at_least": 1}}
    return condition


def with_widths_of(refused: set[str], alike: set[str]) -> set[str]:
    """Those of as many bits."""
    widths = {re.sub(r"\D", "", each) for each in refused}
    return {each for each in alike if re.sub(r"\D", "", each) in widths}


def with_unasked(key: tuple[Any, ...], values: list[Any], asked: list[Asked], dtypes: set[str]) -> list[Any]:
    """Refused dtypes of an operand, and those like them among the target's that it was not asked about."""
    if key[0] != "dtype":
        return values
    refused, known = set(map(dtype_name, values)), {dtype_name(a.facts[key]) for a in asked if key in a.facts}
    beside = set().union(*(with_widths_of(refused, alike) for alike in ALIKE_DTYPES if refused & alike and known & alike <= refused))
    if len(refused) >= MANY and known - refused == {"float32"}:
        beside = dtypes - {"float16"}  # which is mostly taken where float32 is
    return values + [n for n in onnx.TensorProto.DataType.values() if n and dtype_name(n) in (beside & dtypes) - known]


def cases_of(operator: str, group: Merged, asked: list[Asked], weights_differ: bool, dtypes: set[str]) -> list[Cases]:
    """The facts of merged causes, the one with several values first."""
    beside = dtypes if group.causes[0].kind == "refused" and not group.rest else set()
    facts: list[tuple[Key, list[Any]]] = [(group.key, with_unasked(group.key, group.values, asked, beside)), *((k, [v]) for k, v in group.rest)]
    return [Cases(operator, key, values, right_values(group.causes, key), weights_differ and only_computed(group.causes, key))
            for key, values in facts]


def conditions_of(cases: list[Cases], asked: list[Asked]) -> list[Condition]:
    """None where one of the facts cannot be said."""
    found = [CONDITIONS[each.key[0]](each) for each in cases]
    if not all(found):
        return []
    ranks = [{"input": each.key[2], "ranks": [each.key[4]]} for each in cases if each.key[0] == "repeats"]
    return [except_empty(each, asked) for each in found + ranks]


def entries(asked: dict[str, list[Asked]], weights_differ: bool = False, dtypes: set[str] | None = None,
            causes: Callable[[list[Asked]], list[Cause]] = causes_of) -> dict[str, list[dict[str, Any]]]:
    """Table -> its entries. `weights_differ`: a dtype that an activation must not have may still be one of weights. `dtypes`: all that the target
    takes, where only some were asked about."""
    found: dict[tuple[str, out.Raw, str], tuple[list[str], str]] = {}
    for operator, each in sorted(asked.items()):
        for group in merged(causes(each)):
            if conditions := conditions_of(cases_of(operator, group, each, weights_differ, dtypes or set()), each):
                worst = max(group.causes, key=lambda c: c.worst.answer.off / max(c.worst.answer.scale, 1e-30))
                entry = worst.kind, out.raw(conditions), reason(worst, conditions)
                found.setdefault(entry, ([], worst.worst.name))[0].append(operator)
    tables: dict[str, list[dict[str, Any]]] = collections.defaultdict(list)
    for (kind, when, why), (operators, name) in found.items():
        tables[kind].append({"operators": operators, "when": when, "reason": why, "asked": name})
    return tables
