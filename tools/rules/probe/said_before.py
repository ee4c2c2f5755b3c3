"""What a table said of the same release before it was asked about again: it stays, unless an answer now speaks against it."""
from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

import profile_file as out
import tomllib

from probe.causes import Asked, is_against
from probe.facts import ABSENT, COMPUTED, CONSTANT, EMPTY, WORKED_OUT, Facts, dtype_name

Entry = dict[str, Any]
ORIGINS = {"absent": {ABSENT}, "computed": {COMPUTED, EMPTY}, "worked_out": {WORKED_OUT}, "constant": {CONSTANT}, "empty": {EMPTY}}
UNDERSTOOD = {"input", "output", "attribute", "argument", "is", "is_not", "or_absent", "given", "dtypes", "ranks", "from_opset", "below_opset",
              "entry", *ORIGINS}


def has_type(condition: Entry, dtype: int | None, rank: int | None) -> bool:
    if "dtypes" in condition and (dtype is None or dtype_name(dtype) not in condition["dtypes"]):
        return False
    return "ranks" not in condition or rank in condition["ranks"]


def holds_of_tensor(condition: Entry, facts: Facts) -> bool:
    kind, number = ("", condition["input"]) if "input" in condition else ("result ", condition["output"])
    dtype = facts.get((f"{kind}dtype", number))
    origin = facts.get(("result" if kind else "operand", number), ABSENT if dtype is None else COMPUTED)
    if ("given" in condition and origin == ABSENT) or ("entry" in condition and facts.get(("entry", number)) is not True):
        return False
    comes_from_there = all(origin in wanted for name, wanted in ORIGINS.items() if name in condition)
    return comes_from_there and has_type(condition, dtype, facts.get((f"{kind}rank", number)))


def holds_of_attribute(condition: Entry, facts: Facts) -> bool:
    value = facts.get(("attribute", condition.get("attribute", condition.get("argument"))), ABSENT)
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
    return holds_of_tensor(condition, facts) if "input" in condition or "output" in condition else True


def is_refuted(name: str, entry: Entry, asked: Iterable[Asked]) -> bool:
    """What depends on values is refuted only where it is said of each call."""
    kind = "refused" if name == "depends" else name
    if name == "depends" and entry["when"] != [{"output": 0, "given": True}]:
        return False
    return any(is_against(each, kind) and all(holds(condition, each.facts) for condition in entry["when"]) for each in asked)


def ways_to_keep(entry: Entry) -> list[Entry]:
    """As it was said; and where that is of all nodes, of those whose first operand is computed: others are folded away."""
    return [entry] + ([entry | {"when": [{"input": 0, "computed": True}]}] if entry["when"] == [{"from_opset": 1}] else [])


@dataclasses.dataclass
class SaidBefore:
    """Nothing, where the table is of another release."""
    profile: dict[str, Any]

    @staticmethod
    def of(target: str, package: str) -> SaidBefore:
        file = out.RULES / f"{target}.toml"
        profile = tomllib.loads(file.read_text()) if file.exists() else {}
        return SaidBefore(profile if profile.get("target", {}).get("package") == package else {})

    @property
    def operators(self) -> set[str]:
        return set(self.profile.get("operators", {}))

    def of_reason(self, name: str, reason: str, when: list[Entry] | None = None) -> set[str]:
        """The operators of the entries that have it."""
        return {operator for entry in self.profile.get(name, []) if entry["reason"] == reason and when in (None, entry["when"])
                for operator in entry["operators"]}

    def without_wider(self, name: str, now: list[Entry]) -> list[Entry]:
        """Without what was said before under further conditions: fewer answers now do not show that these do not matter."""
        special = [(operator, entry["when"]) for entry in self.profile.get(name, []) for operator in entry["operators"]]
        found = []
        for entry in now:
            when = tomllib.loads(f"when = {entry['when']}")["when"]
            stays = [each for each in entry["operators"]
                     if not any(each == operator and len(when) < len(other) and all(part in other for part in when) for operator, other in special)]
            if stays:
                found.append(entry | {"operators": stays})
        return found

    def entries(self, name: str, now: list[Entry], asked: dict[str, list[Asked]], without: str = "") -> list[Entry]:
        """Those of an array of tables that are not among what is said now. `without`: a reason that is found anew."""
        new = {(operator, str(entry["when"])) for entry in now for operator in entry["operators"]}
        found = []
        for entry in (each for each in self.profile.get(name, []) if each["reason"] != without):
            operators: dict[str, list[str]] = {}
            for operator in entry["operators"]:
                ways = [each for each in ways_to_keep(entry) if not is_refuted(name, each, asked.get(operator, []))]
                if ways and (operator, str(out.raw(entry["when"]))) not in new:
                    operators.setdefault(out.raw(ways[0]["when"]), []).append(operator)
            found += [entry | {"operators": each, "when": out.Raw(when)} for when, each in operators.items() if (each[0], when) not in new]
        return found
