"""Conditions of a profile's entries, held against what was noted of a model."""
from __future__ import annotations

from typing import Any

from probe.facts import ABSENT, COMPUTED, CONSTANT, EMPTY, ENTRY, GIVEN, WORKED_OUT, Facts, dtype_name

Entry = dict[str, Any]
ORIGINS = {"absent": {ABSENT}, "computed": {COMPUTED, EMPTY}, "worked_out": {WORKED_OUT}, "constant": {CONSTANT}}
UNDERSTOOD = {"input", "output", "attribute", "argument", "is", "is_not", "or_absent", "given", "dtypes", "ranks", "from_opset", "below_opset",
              "entry", "empty", "length", "unlike_input", "uneven_to_input", "smaller_than_input", "mixed", "below", "from_end", *ORIGINS}
RELATIONS = {"unlike_input": "unlike", "uneven_to_input": "uneven", "smaller_than_input": "smaller"}


def has_type(condition: Entry, dtype: int | None, rank: int | None) -> bool:
    if "dtypes" in condition and (dtype is None or dtype_name(dtype) not in condition["dtypes"]):
        return False
    return "ranks" not in condition or rank in condition["ranks"]


def has_length(condition: Entry, sizes: tuple[int | None, ...]) -> bool:
    """Whether an axis is surely as long as the condition says."""
    length = condition["length"]
    size = sizes[length["axis"]] if length["axis"] < len(sizes) and "parts" not in length else None
    return size is not None and length.get("at_least", 0) <= size <= length.get("at_most", size)


def is_related(name: str, condition: Entry, facts: Facts) -> bool:
    """Whether sizes are as the condition says beside those of an operand."""
    kind = f"result {RELATIONS[name]}" if name == "unlike_input" and "output" in condition else RELATIONS[name]
    return facts.get((kind, condition.get("output", condition.get("input")), condition[name])) is True


def holds_of_tensor(condition: Entry, facts: Facts) -> bool:
    kind, number = ("", condition["input"]) if "input" in condition else ("result ", condition["output"])
    dtype = facts.get((f"{kind}dtype", number))
    origin = facts.get(("result" if kind else "operand", number), ABSENT if dtype is None else COMPUTED)
    asked = {
        "given": origin != ABSENT,
        "entry": facts.get(("entry", number), facts.get(("origin", number)) == ENTRY) is True,
        "empty": facts.get((f"{kind}empty", number), origin == EMPTY) is True,
        "length": "length" in condition and has_length(condition, facts.get((f"{kind}shape", number), ())),
        **{name: origin in wanted for name, wanted in ORIGINS.items()},
        **{name: is_related(name, condition, facts) for name in RELATIONS if name in condition},
    }
    is_so = all(holds for name, holds in asked.items() if name in condition)
    return is_so and has_type(condition, dtype, facts.get((f"{kind}rank", number)))


def holds_of_attribute(condition: Entry, facts: Facts) -> bool:
    name = condition.get("attribute", condition.get("argument"))
    if "from_end" in condition:
        return facts.get(("before last", name)) is True
    if "below" in condition:
        return ("below", name) in facts
    value = facts.get(("attribute", name), ABSENT)
    if value == GIVEN and "is_not" in condition:
        return ("others", name) in facts
    if value == ABSENT:
        return bool(condition.get("or_absent"))
    return value in condition["is"] if "is" in condition else value not in condition.get("is_not", [])


def holds(condition: Entry, facts: Facts) -> bool:
    """Whether it surely holds: what it asks may be no fact."""
    if not condition.keys() <= UNDERSTOOD:
        return False
    version = facts.get(("version",), 1)
    if version < condition.get("from_opset", 0) or version >= condition.get("below_opset", 1 << 31):
        return False
    if "attribute" in condition or "argument" in condition:
        return holds_of_attribute(condition, facts)
    if "mixed" in condition:
        return facts.get(("mixed", condition["mixed"])) is True
    return holds_of_tensor(condition, facts) if "input" in condition or "output" in condition else True
