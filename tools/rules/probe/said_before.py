"""What a table said of the same release before it was asked about again: it stays, unless an answer now speaks against it."""
from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

import profile_file as out
import tomllib

from probe.causes import Asked, is_against
from probe.conditions import Entry, holds


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

    def without_answers(self, names: set[str]) -> SaidBefore:
        """Without the entries that these answers gave."""
        kept = {key: [each for each in value if each.get("asked") not in names] for key, value in self.profile.items() if isinstance(value, list)}
        return SaidBefore(self.profile | kept)

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
