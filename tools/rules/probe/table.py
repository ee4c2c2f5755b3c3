"""Writes what was learnt from a runtime's answers as the tables of its profile: [[refused]], [[fails]], [[wrong]]."""
from __future__ import annotations

import collections
import re
from typing import Any

import onnx
import profile_file as out

from probe.answers import Answer
from probe.causes import Asked, Cause, causes_of
from probe.facts import ABSENT, COMPUTED, CONSTANT, EMPTY, GIVEN, WORKED_OUT, Atoms, dtype_name, facts_of, facts_of_nodes, plain
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
    r"Non-zero status code returned while running ")]

MANY = 3  # numbers that are not right, where one alone is
SHORTEST = 8  # characters of a sentence: less is what was left of one


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
    defaults = {repr(plain(f.default_value)): plain(f.default_value) for f in formals if f.default_value.name}
    return next(iter(defaults.values())) if len(defaults) == 1 else ABSENT


def of_attribute(operator: str, name: str, values: list[Any], right: set[Any] | None) -> dict[str, Any]:
    given = [v for v in values if v != ABSENT]
    absent = ABSENT in values or default_of(operator, name) in values
    entry: dict[str, Any] = {"attribute": name}
    # Where one number alone is right, or none, the others were not asked one by one. One number that is not right says nothing of them.
    only_one = right is not None and ((right == {ABSENT} and len(set(given)) > 1)
                                      or (len(right - {ABSENT}) == 1 and len(set(given)) > (1 if isinstance(given[0], float) else MANY)))
    if given and right is not None and not absent and only_one:
        return entry | ({"is_not": sorted(right - {ABSENT})} if right - {ABSENT} else {})
    return entry | ({"is": sorted(given, key=str)} if given else {}) | ({"or_absent": True} if absent else {})


def condition(operator: str, key: tuple[Any, ...], values: list[Any], versions: list[int], right: set[Any] | None = None,
              computed: bool = False) -> dict[str, Any]:
    kind = key[0]
    if kind == "attribute":
        return of_attribute(operator, key[1], values, right)
    if kind == "others":
        return {"attribute": key[1], "is_not": [key[2]] if len(key) > 2 else values}
    if kind == "given":
        return {"input": key[1], "given": True}
    if kind == "repeats":
        return {"attribute": key[1], "is_not_size": {"input": key[2], "axis": key[3]}}
    if kind in ("unequal", "entry", "unlike", "longer"):
        return of_one_value(key, values[0])
    if kind == "smaller":
        return {"output": key[1], "smaller_than_input": key[2]} if values == [True] else {}
    if kind == "item":
        return {"attribute": key[1], "is": sorted(values)}
    if kind == "version":
        later = [v for v in versions if v > max(values)]
        return ({"from_opset": min(values)} if min(values) > 1 else {}) | ({"below_opset": min(later)} if later else {})
    place = "output" if kind.startswith("result") else "input"
    if kind.endswith("dtype"):
        return {place: key[1], "dtypes": sorted(map(dtype_name, values))} | ({"computed": True} if computed and place == "input" else {})
    if kind.endswith("rank"):
        return {place: key[1], "ranks": sorted(values)}
    presence = {ABSENT: "absent", COMPUTED: "computed", WORKED_OUT: "worked_out", CONSTANT: "constant", GIVEN: "given"}
    return {place: key[1], presence[values[0]]: True}


def of_one_value(key: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """Of facts whose values cannot be listed."""
    if key[0] == "unequal":
        return {"attribute": key[1], "is_not_attribute": key[2]}
    if key[0] == "entry":
        return {"input": key[1], "entry": True}
    if key[0] == "unlike":
        return {"input": key[1], "unlike_input": key[2]}
    _, operand, axis, rank, parts, step = key
    length = {"axis": axis} | ({"parts": parts} if parts else {}) | ({"at_least": step + 1} if value else {"at_most": step})
    return {"input": operand, "ranks": [rank], "length": length}


MERGED = ("attribute", "item", "dtype", "rank", "result dtype", "result rank")  # whose values may be listed in one condition


def merged(causes: list[Cause]) -> list[tuple[tuple[Any, ...], list[Any], Atoms, list[Cause]]]:
    """Causes that differ only in one fact's value become one condition."""
    groups: dict[tuple[Any, ...], tuple[list[Any], list[Cause]]] = {}
    for cause in causes:
        atoms = [(("item", key[1]), key[2]) if key[0] == "item" else (key, value) for key, value in cause.atoms]
        places = [(cause.kind, key, tuple(each for i, each in enumerate(atoms) if i != at), None if key[0] in MERGED else value)
                  for at, (key, value) in enumerate(atoms)]
        at = next((at for at, place in enumerate(places) if place in groups), 0)
        values, found = groups.setdefault(places[at], ([], []))
        if atoms[at][1] not in values:
            values.append(atoms[at][1])
        found.append(cause)
    return [(key, values, rest, found) for (_, key, rest, _), (values, found) in groups.items()]


def said_of(conditions: list[dict[str, Any]]) -> str:
    """`with antialias=1`: for people."""
    parts = []
    for each in conditions:
        if "smaller_than_input" in each:
            parts.append(f"output {each['output']} smaller than input {each['smaller_than_input']}")
        elif "is_not_size" in each:
            parts.append(f"{each['attribute']} other than axis {each['is_not_size']['axis']} of input {each['is_not_size']['input']}")
        elif "attribute" in each:
            values = each.get("is", each.get("is_not"))
            text = each["attribute"]
            if values is not None:
                text += f"{'=' if 'is' in each else ' other than '}{' or '.join(map(str, values))}"
            parts.append(text if values is not None or not each.get("or_absent") else f"no {each['attribute']}")
        elif "input" in each or "output" in each:
            place = f"input {each['input']}" if "input" in each else f"output {each['output']}"
            kinds = each.get("dtypes") or [f"rank {r}" for r in each.get("ranks", [])]
            parts.append(f"{' or '.join(kinds)} as {place}" if kinds and "length" not in each else presence_of(each) + place)
        else:
            parts.append(f"opset {each.get('from_opset', 1)}{' and newer' if 'below_opset' not in each else ''}")
    return "with " + " and ".join(parts)


def presence_of(condition: dict[str, Any]) -> str:
    words = {"computed": "a computed ", "entry": "the model's own ",
             "worked_out": "a worked out ", "constant": "a constant ", "absent": "no ", "length": "a long or short "}
    return next((text for key, text in words.items() if key in condition), "")


def right_values(causes: list[Cause], key: tuple[Any, ...]) -> set[Any] | None:
    found = [cause.right[key] for cause in causes if key in cause.right]
    return set().union(*found) if found else None


def reason(cause: Cause, conditions: list[dict[str, Any]]) -> str:
    if cause.kind != "wrong":
        return reason_of(cause.covered[0].answer.said) or "it is refused without a word"
    said = cause.worst.answer.said
    return f"{said_of(conditions)} it {said} when it was asked"


def asked_of(questions: list[Question], answers: dict[str, Answer]) -> dict[str, list[Asked]]:
    """Operator -> the questions about it alone, and what is known of it from models of several operators that are right."""
    found: dict[str, list[Asked]] = collections.defaultdict(list)
    seen: set[tuple[str, str]] = set()
    for question in questions:
        if len(question.operators) != 1:
            if answers[question.name].kind in ("right", "not compared"):
                for operator, each in facts_of_nodes(onnx.ModelProto.FromString(question.model)):
                    if (same := (operator, repr(sorted(each.items(), key=repr)))) not in seen:
                        seen.add(same)
                        found[operator].append(Asked(question.name, each, answers[question.name]))
            continue
        facts = facts_of(onnx.ModelProto.FromString(question.model))
        if facts is not None:
            found[question.operators[0]].append(Asked(question.name, facts, answers[question.name]))
    return found


def dtypes_of_right(asked: dict[str, list[Asked]]) -> set[str]:
    """Those that an operand or result had in a model that the runtime took."""
    return {dtype_name(value) for each in asked.values() for a in each if a.answer.kind in ("right", "not compared", "wrong")
            for key, value in a.facts.items() if str(key[0]).endswith("dtype")}


def only_computed(causes: list[Cause], key: tuple[Any, ...]) -> bool:
    """Whether the operand was a constant in none of the models: then nothing is known of constants."""
    return key[0] == "dtype" and all(a.facts.get(("operand", key[1])) == COMPUTED for cause in causes for a in cause.covered)


def except_empty(condition: dict[str, Any], asked: list[Asked]) -> dict[str, Any]:
    """A list of axes that is computed and has none is another matter, where it was asked about."""
    if "computed" in condition and any(a.facts.get(("operand", condition.get("input"))) == EMPTY for a in asked):
        return condition | {"ranks": [1], "length": {"axis": 0, "at_least": 1}}
    return condition


# What is refused of a dtype is refused of those beside it that nobody asked about.
ALIKE = [{"int8", "uint8", "int16", "uint16"}, {"uint32", "uint64"}]


def with_unasked(key: tuple[Any, ...], values: list[Any], asked: list[Asked], dtypes: set[str]) -> list[Any]:
    """Refused dtypes of an operand, and those like them among the target's that it was not asked about."""
    if key[0] != "dtype":
        return values
    refused, known = set(map(dtype_name, values)), {dtype_name(a.facts[key]) for a in asked if key in a.facts}
    beside = set().union(*(alike for alike in ALIKE if refused & alike and known & alike <= refused))
    if len(refused) >= MANY and known - refused == {"float32"}:
        beside = dtypes - {"float16"}  # which is mostly taken where float32 is
    return values + [n for n in onnx.TensorProto.DataType.values() if n and dtype_name(n) in (beside & dtypes) - known]


def entries(asked: dict[str, list[Asked]], weights_differ: bool = False, dtypes: set[str] | None = None) -> dict[str, list[dict[str, Any]]]:
    """Table -> its entries. `weights_differ`: a dtype that an activation must not have may still be one of weights. `dtypes`: all that the target
    takes, where only some were asked about."""
    found: dict[tuple[str, out.Raw, str], tuple[list[str], str]] = {}
    for operator, each in sorted(asked.items()):
        versions = sorted({s.since_version for s in onnx.defs.get_all_schemas_with_history() if f"{s.domain or 'onnx'}::{s.name}" == operator})
        for key, values, rest, causes in merged(causes_of(each)):
            beside = dtypes if dtypes and causes[0].kind == "refused" and not rest else set()
            facts = [(key, with_unasked(key, values, each, beside)), *((k, [v]) for k, v in rest)]
            conditions = [condition(operator, k, found_values, versions, right_values(causes, k), weights_differ and only_computed(causes, k))
                          for k, found_values in facts]
            if any(not c for c in conditions):
                continue
            conditions += [{"input": k[2], "ranks": [k[4]]} for k, _ in facts if k[0] == "repeats"]
            conditions = [except_empty(c, each) for c in conditions]
            worst = max(causes, key=lambda c: c.worst.answer.off / max(c.worst.answer.scale, 1e-30))
            entry = worst.kind, out.raw(conditions), reason(worst, conditions)
            found.setdefault(entry, ([], worst.worst.name))[0].append(operator)
    tables: dict[str, list[dict[str, Any]]] = collections.defaultdict(list)
    for (kind, when, why), (operators, name) in found.items():
        tables[kind].append({"operators": operators, "when": when, "reason": why, "asked": name})
    return tables
