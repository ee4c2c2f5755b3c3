"""What is inferred of an operator from others that a converter lowers alike: what is taken of none of several siblings, is not taken of this one."""
from __future__ import annotations

import collections
import itertools
import re
from collections.abc import Iterable, Iterator
from typing import Any

import profile_file as out
import torch

from probe import table
from probe.calls import overload_of
from probe.causes import Asked, Cause, may_be_cause
from probe.facts import Atom, Atoms

NOT_TAKEN = {"refused", "fails"}
SIBLINGS = {"family": 2, "pointwise": 3, "reduction": 3}  # which have to agree
TAGS = {"pointwise": torch.Tag.pointwise, "reduction": torch.Tag.reduction}
OF_ALL = {"dtype", "result dtype"}  # facts that mean the same for operators of one tag
SCALAR = {"rank", "result rank"}  # as does that a tensor has no axes
OF_FAMILY = {"attribute", "others", "below", "before last", "uneven", "mixed"}
DIMENSIONS = re.compile(r"\d+d(?=_|$)")
MOST_TOGETHER = 2
Class = tuple[str, str]


def classes_of(operator: str) -> Iterator[Class]:
    """Its tags with its number of arguments, and its name without its overload and its number of dimensions."""
    yield "family", DIMENSIONS.sub("", operator.partition(".")[0])
    overload = overload_of(operator)
    for name, tag in TAGS.items():
        if overload is not None and tag in overload.tags:
            yield name, str(len(overload._schema.arguments))


def is_elementwise(operator: str) -> bool:
    return any(kind == "pointwise" for kind, _ in classes_of(operator))


def is_shared(atom: Atom, kind: str) -> bool:
    (fact, *_), value = atom
    if fact in OF_ALL or (fact in SCALAR and value == 0):
        return True
    return kind == "family" and fact in OF_FAMILY and may_be_cause(atom)


class Siblings:
    """The operators of a class, and what became of their calls."""

    def __init__(self, kind: Class, asked: dict[str, list[Asked]]) -> None:
        self.least = SIBLINGS[kind[0]]
        self.calls: dict[Atoms, dict[str, list[Asked]]] = collections.defaultdict(lambda: collections.defaultdict(list))
        for operator, each in asked.items():
            for call in each:
                shared = sorted((atom for atom in call.facts.items() if is_shared(atom, kind[0])), key=repr)
                for atoms in itertools.chain.from_iterable(itertools.combinations(shared, size + 1) for size in range(MOST_TOGETHER)):
                    self.calls[atoms][operator].append(call)
        self.taken = {operator for operator, each in asked.items() if any(call.answer.kind not in NOT_TAKEN for call in each)}

    def agree(self, atoms: Atoms) -> bool:
        """Whether no call with these facts is taken, though others are of several of the operators."""
        calls = self.calls[atoms]
        return len(calls.keys() & self.taken) >= self.least and all(call.answer.kind in NOT_TAKEN for each in calls.values() for call in each)

    def called_with(self, atoms: Atoms) -> set[str]:
        """The operators of which it is known what comes of such operands, be it other results."""
        operands = tuple(atom for atom in atoms if not str(atom[0][0]).startswith("result"))
        return self.calls[atoms].keys() | (self.calls[operands].keys() if operands else set())

    def causes(self) -> Iterator[Cause]:
        """The fewest facts of each."""
        found: list[set[Atom]] = []
        for atoms in sorted(self.calls, key=lambda atoms: (len(atoms), repr(atoms))):
            if not any(each <= set(atoms) for each in found) and self.agree(atoms):
                found.append(set(atoms))
                covered = [call for operator in sorted(self.calls[atoms].keys() & self.taken) for call in self.calls[atoms][operator]]
                kinds = [call.answer.kind for call in covered]
                yield Cause(max(sorted(set(kinds)), key=kinds.count), atoms, covered, {})


def entry_of(cause: Cause, operators: list[str], first: str) -> dict[str, Any]:
    (key, value), *rest = cause.atoms
    cases = table.cases_of(operators[0], table.Merged(key, [value], tuple(rest), [cause]), cause.covered, False, set())
    said = [table.reason_of(each.answer.said) for each in cause.covered]
    reason = f"like {first}: {max(sorted(set(said)), key=said.count)}"
    return {"operators": operators, "when": out.raw(table.conditions_of(cases, cause.covered)), "reason": reason}


def inferred(asked: dict[str, list[Asked]], operators: Iterable[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """(refused or fails, its entry) of operators that were not asked about with facts of which their siblings are never taken."""
    members: dict[Class, list[str]] = collections.defaultdict(list)
    for operator in sorted({*operators, *asked}):
        for each in classes_of(operator):
            members[each].append(operator)
    for kind, names in sorted(members.items()):
        siblings = Siblings(kind, {operator: asked[operator] for operator in names if operator in asked})
        for cause in siblings.causes():
            known = siblings.called_with(cause.atoms)
            others = [name for name in names if name not in known and (name in siblings.taken or name not in asked)]
            if others:
                yield cause.kind, entry_of(cause, others, min(siblings.calls[cause.atoms].keys() & siblings.taken))
