"""Under which conditions a runtime does not take an operator: facts that hold for no model that it computes right.

A condition is one fact about a node, or up to three. Each was seen to be the cause, by a model that differs in nothing else and is
computed right, or it holds for all of several models, and the runtime's own words name it. What is refused in the same words has one cause,
as far as possible.
"""
from __future__ import annotations

import collections
import dataclasses
import functools
import itertools
import re
from collections.abc import Iterable, Iterator
from typing import Any

from probe.answers import RAN, Answer
from probe.complaint import DTYPE_WORDS, NOT_CONSTANT, OF_OTHERS, OF_RANKS, OF_SIZES, OPAQUE, STATES_RANKS, Complaint, kinds_of
from probe.facts import ABSENT, ALIKE_DTYPES, COMPUTED, CONSTANT, EMPTY, GIVEN, ORDINARY, Atom, Atoms, Facts, Key, dtype_name

# They follow from the inputs, or from the operator.
FOLLOWERS = {"result dtype", "result rank", "result empty", "shape", "result shape", "smaller", "longer", "mixed", "unlike", "from end", "formal",
             "origin"}
WRONG = re.compile("is off by|gives |\\d+ of \\d+ values")
CIRCUMSTANCES = {"version", "operand"}  # rather what a model asks for than how it was asked
FLAGS = {-1, 0, 1, 2, ABSENT}  # a flag, and two numbers that no flag has
SIZES = {("attribute", "hidden_size")}  # they follow from the operands
MOST_ATOMS = 3


@dataclasses.dataclass
class Asked:
    name: str
    facts: Facts
    answer: Answer

    @property
    def is_right(self) -> bool:
        return self.answer.kind in ("right", "not compared")


@dataclasses.dataclass
class Cause:
    kind: str
    atoms: Atoms
    covered: list[Asked]
    right: dict[Key, set[Any]]  # of each attribute: its values in models that are computed right, where the other facts hold

    @property
    def said(self) -> list[str]:
        return [each.answer.said for each in self.covered]

    @property
    def is_of_ranks(self) -> bool:
        return any(str(kind).endswith("rank") for kind in kinds_of(self.atoms))

    @property
    def worst(self) -> Asked:
        """The one that tells most: the largest difference, in parts of the largest value."""
        return max(self.covered, key=lambda a: a.answer.off / max(a.answer.scale, 1e-30) if a.answer.off else 0)


def words(said: str) -> str:
    """The same for all models that are refused for one reason."""
    return re.sub(r"\d+|'[^']*'|\"[^\"]*\"|\{[^}]*\}|\[[^\]]*\]", "N", said)[:500]


# Of a fact that is true or not: which of these a user could make sense of.
TELLING = {"given": (True,), "repeats": (False,), "unlike": (True,), "unequal": (True,), "mixed": (True,), "empty": (True,), "result empty": (True,),
           "result unlike": (True,), "smaller": (True,), "uneven": (True,),
           "before last": (True,), "formal": (), "entry": (), "origin": (), "shape": (), "result shape": ()}


def may_be_cause(atom: Atom) -> bool:
    """A fact that a user could not make sense of is not a condition."""
    (kind, *rest), value = atom
    if kind in TELLING:
        return value in TELLING[str(kind)]
    if kind == "written":
        return rest[0] != "value"
    if kind == "attribute":
        if value == ABSENT and rest[0] in ORDINARY:
            return False  # the same as its ordinary value
        return atom[0] not in SIZES and value != GIVEN and not str(rest[0]).endswith(("axis", "axes")) and rest[0] != "value"
    if kind in ("operand", "result"):
        return value not in (CONSTANT, EMPTY) and not (kind == "result" and (rest[0] == 0 or value == ABSENT))
    return True


def is_computed(atom: Atom) -> bool:
    return atom[0][0] == "operand" and atom[0] != ("operand", 0) and atom[1] == COMPUTED


def is_stored(atom: Atom) -> bool:
    """Whether an operand but the first is a constant."""
    return atom[0][0] == "operand" and atom[0] != ("operand", 0) and atom[1] == CONSTANT


def is_number(atom: Atom) -> bool:
    return atom[0][0] == "attribute" and not isinstance(atom[1], str)


def names_others(cause: Cause) -> bool:
    """Whether the runtime speaks of the number of another attribute, which it does not go with."""
    others = {key[1] for key in cause.covered[0].facts if key[0] == "attribute"} - {key[1] for key, _ in cause.atoms if key[0] == "attribute"}
    return all(any(re.search(rf"\b{name}_\b", s) for name in others) for s in cause.said)


PLACES_OF_ENDS = {"operand", "dtype", "rank", "attribute", "written"}
MANY_ENDED = 2  # processes, and nothing that ran was like that; one is enough for a dtype
MANY_WRONG = 6  # of one rank, and none of them right
MANY_RIGHT = 6  # models: what none of them has and several others do is why those are refused
MANY_MODELS = 3
MANY_ALIKE = 8  # models, of which none is right
BY_CHANCE = 15  # wrong ones for one that is right all the same: some values show nothing, such as zeros
OTHER_SHAPE = re.compile(r"gives the shape \[([\d, ]*)\] instead of \[([\d, ]*)\]")


def gives_other_rank(said: str) -> bool:
    found = OTHER_SHAPE.match(said)
    return found is not None and len(found[1].split(",")) != len(found[2].split(","))


def tells_rank(said: list[str]) -> bool:
    """Whether the words are about the rank itself, or so many are wrong that it is."""
    if len(said) >= MANY_WRONG and all(WRONG.match(s) for s in said):
        return True
    return all(gives_other_rank(s) or OPAQUE.search(s) or (OF_RANKS.search(s) and not OF_OTHERS.search(s)) for s in said)


def tells_numbers(cause: Cause, flags: set[Key]) -> bool:
    """Whether each number is that of a flag, or the kernel checks its member of that name, and so means the number itself."""
    numbers = [key for key, _ in filter(is_number, cause.atoms)]
    return all(key in flags or all(re.search(rf"\b{key[1]}_\b", s) for s in cause.said) for key in numbers)


def is_general(cause: Cause, flags: set[Key]) -> bool:
    """Whether it holds beyond the models that were asked: another number, or rank, may be wrong only for their sizes."""
    if cause.is_of_ranks and not tells_rank(cause.said):
        return False
    if set(kinds_of(cause.atoms)) == {"version"} and len(cause.covered) < 2:
        return False
    if any(map(is_number, cause.atoms)) and names_others(cause):
        return False
    return tells_numbers(cause, flags) or not any(OF_SIZES.search(s) for s in cause.said)


def is_of_varied_shapes(cause: Cause) -> bool:
    """Whether only variations have the shape, which may be wrong for its sizes, and no words are about its rank."""
    return cause.is_of_ranks and all(".shape " in each.name for each in cause.covered) and not any(
        OPAQUE.search(s) or STATES_RANKS.search(s) for s in cause.said)


def overflows(answer: Answer) -> bool:
    return "elsewhere" in answer.said or answer.off == float("inf")


def names_a_way(atom: Atom, flags: set[Key]) -> bool:
    """Whether a fact chooses what is computed."""
    key, value = atom
    return key in flags or key[0] in ("others", "item", "result", "written") or (key[0] == "attribute" and isinstance(value, str))


def is_of_few(names: set[str], least: int) -> bool:
    """Whether there are fewer models, without their variations, or one variation of a model whose outputs are not ONNX's own."""
    models = {name if name.startswith("ranks.") else name.partition(".")[0] for name in names}
    variations = {name.rpartition(".")[0] for name in names}
    return len(models) < least or (len(variations) < 2 and all("." in name for name in names))


def is_of_values(cause: Cause, flags: set[Key]) -> bool:
    """Whether the values of a few models may be the cause, such as an overflow, and not what the condition says."""
    may_overflow = any(overflows(each.answer) for each in cause.covered)
    if may_overflow and not any(names_a_way(atom, flags) for atom in cause.atoms):
        return True
    if all(map(OTHER_SHAPE.match, cause.said)):
        return False
    says_little = {"dtype", "version", "rank"}.issuperset(kinds_of(cause.atoms))
    return is_of_few({each.name for each in cause.covered}, 3 if says_little else 2 if may_overflow else 1)


def is_as_first(key: Key, one: Facts, other: Facts) -> bool:
    """Whether an operand has the dtype of the first in both."""
    first = ("dtype", 0)
    return key[0] == "dtype" and key != first and one.get(key) == one.get(first) and other.get(key) == other.get(first)


# What an answer of some kind is held against: whether numbers are right says nothing where none were compared.
# `left`: right, though a delegate leaves it to the CPU.
AGAINST = {"refused": {"right", "wrong", "fails", "not compared", "left"}, "fails": {"right", "wrong", "left"}, "wrong": {"right", "left"}}


def is_against(asked: Asked, kind: str) -> bool:
    return asked.answer.kind in AGAINST[kind] or (kind == "fails" and asked.answer.said == RAN)


# What a fact follows from: of an operand whether it is given, or a constant; whether an attribute is written from another value of it.
LEADS = {"operand": "given", "entry": "operand", "written": "attribute", "empty": "operand"}


def is_said_otherwise(key: Key, one: Facts, other: Facts) -> bool:
    """Whether two models differ in whether a list is written at all, or in whether a computed operand has elements: other facts say that."""
    values = {one.get(key), other.get(key)}
    if key[0] == "written":
        return one.get(("others", key[1])) != other.get(("others", key[1]))
    is_of_axes = str(key[-1]).endswith(("axis", "axes")) and ABSENT in values
    return (key[0] == "attribute" and (is_of_axes or values == {GIVEN, ABSENT})) or (key[0] == "operand" and values == {EMPTY, COMPUTED})


@dataclasses.dataclass
class Votes:
    """For facts that may together be a cause."""
    models: int = 0
    named: int = 0  # how much the words of one speak of them
    is_decided: bool = False  # by a twin of one

    def add(self, named: int, is_decided: bool) -> None:
        self.models += 1
        self.named = max(self.named, named)
        self.is_decided |= is_decided

    def worth(self, atoms: Atoms) -> tuple[bool, bool, int, bool, int]:
        return self.is_decided, "written" not in kinds_of(atoms), self.named, CIRCUMSTANCES.isdisjoint(kinds_of(atoms)), self.models


@dataclasses.dataclass
class Twin:
    """In what a model differs from one that is right."""
    keys: set[Key]
    computed: set[Key]  # operands that are constants in the other one: each may be why

    @staticmethod
    def of(keys: set[Key], one: Facts, other: Facts) -> Twin:
        computed = {key for key in keys if key[0] == "operand" and (one.get(key), other.get(key)) == (COMPUTED, CONSTANT)}
        return Twin(keys - computed, computed)

    def is_within(self, keys: set[Key]) -> bool:
        return self.keys <= keys and (not self.computed or not self.computed.isdisjoint(keys))


class Learner:
    def __init__(self, asked: list[Asked], kind: str) -> None:
        self.asked = asked
        self.kind = kind
        self.right = [each for each in asked if is_against(each, kind)]
        self.masks: dict[Atom, int] = collections.defaultdict(int)
        for at, each in enumerate(asked):
            for atom in each.facts.items():
                self.masks[atom] |= 1 << at
        values: dict[Key, set[Any]] = collections.defaultdict(set)
        for key, value in self.masks:
            values[key].add(value)
        self.flags = {key for key, found in values.items() if key[0] == "attribute" and found <= FLAGS}
        self.together = self.given_together()
        self.right_mask = sum(1 << at for at, each in enumerate(asked) if is_against(each, kind))
        self.bad_mask = sum(1 << at for at, each in enumerate(asked) if each.answer.kind == kind)
        self.wrong_mask = self.bad_mask if kind == "wrong" else 0

    def given_together(self) -> set[Key]:
        """Optional operands that come with an earlier one in every model: the keys and the values of the past."""
        given = sorted({key for key, _ in self.masks if key[0] == "given"})
        return {b for a, b in itertools.combinations(given, 2)
                if all(each.facts.get(a, False) == each.facts.get(b, False) for each in self.asked)}

    def mask(self, atoms: Atoms) -> int:
        found = -1
        for atom in atoms:
            found &= self.masks[atom]
        return found

    def differing(self, each: Asked) -> list[Twin]:
        """For each model that is right: in what it differs from this one, if that is little."""
        found = (Twin.of(set(self.differences(each.facts, other.facts)), each.facts, other.facts) for other in self.right)
        return [twin for twin in found if len(twin.keys) + bool(twin.computed) <= MOST_ATOMS]

    def differences(self, one: Facts, other: Facts) -> Iterator[Key]:
        return (key for key in one.keys() | other.keys() if one.get(key) != other.get(key) and not self.follows(key, one, other))

    def follows(self, key: Key, one: Facts, other: Facts) -> bool:
        """Whether other facts say already that two models differ in this one."""
        kind = str(key[0])
        if kind in FOLLOWERS or key in SIZES or key in self.together or is_said_otherwise(key, one, other):
            return True
        if kind in LEADS:
            lead = LEADS[kind], key[1]
            return bool(one.get(lead) != other.get(lead)) and not is_said_otherwise(lead, one, other)
        return kind in ("dtype", "rank") and (
            ABSENT in (one.get(("operand", key[1])), other.get(("operand", key[1]))) or is_as_first(key, one, other))

    def causes(self, left: list[int]) -> Iterator[Cause]:
        """Until each of these answers that can be explained is."""
        twins = {at: self.differing(self.asked[at]) for at in left}
        for size in range(1, MOST_ATOMS + 1):
            while left and (found := self.best(size, left, twins)) is not None:
                best = self.simplest(found)
                covered = [at for at in left if self.mask(best) >> at & 1]
                left = [at for at in left if at not in covered]
                yield Cause(self.kind, best, [self.asked[at] for at in covered], self.values_of_right(best))

    def simplest(self, atoms: Atoms) -> Atoms:
        """Without the facts that need not hold: many models without them came out alike, and none came out right."""
        for atom in atoms:
            rest = tuple(each for each in atoms if each != atom)
            mask = self.mask(rest)
            if rest and not mask & self.right_mask and (mask & self.bad_mask).bit_count() >= MANY_ALIKE:
                return self.simplest(rest)
        return atoms

    def each_that_is_computed(self, cause: Cause) -> list[Atoms]:
        """Of several operands that were computed together, and may all have to be constants: each alone, where no model with it is right."""
        blamed = set(filter(is_computed, cause.atoms))
        if not blamed or self.kind == "wrong":
            return [cause.atoms]
        rest = tuple(atom for atom in cause.atoms if atom not in blamed)
        together = set.intersection(*(set(filter(is_computed, each.facts.items())) for each in cause.covered))
        beside = {atom for atom in together - blamed if self.is_right(self.mask((*rest, (atom[0], CONSTANT))))}
        found = [(*rest, atom) for atom in sorted(blamed | beside, key=repr)]
        return [atoms for atoms in found if not self.is_right(self.mask(atoms))] or [cause.atoms]

    def best(self, size: int, left: list[int], twins: dict[int, list[Twin]]) -> Atoms | None:
        """The facts, so many, that explain these answers best."""
        votes: dict[Atoms, Votes] = collections.defaultdict(Votes)
        for at in left:
            complaint = Complaint(self.asked[at].answer.said, self.asked[at].facts)
            for chosen, is_decided in self.possible(size, complaint, twins[at]):
                votes[chosen].add(sum(map(complaint.names, chosen)), is_decided)
        least = 1 if all(NOT_CONSTANT.search(self.asked[at].answer.said) for at in left) else 2  # right ones: the words leave no doubt
        fit = {atoms: each for atoms, each in votes.items()
               if each.is_decided or self.stands_alone(atoms, each, least) or self.is_shared(atoms, left)}
        return max(fit, key=lambda atoms: fit[atoms].worth(atoms), default=None)

    def possible(self, size: int, complaint: Complaint, twins: list[Twin]) -> Iterator[tuple[Atoms, bool]]:
        """Facts, so many, that may be why one model is not taken, and whether a twin, or the runtime's words, decide that they are."""
        facts = [atom for atom in complaint.facts.items() if self.may_be_blamed(atom) or complaint.is_about(atom)]
        for chosen in itertools.combinations(facts, size):
            if self.is_right(self.mask(chosen)):
                continue
            keys = {key for key, _ in chosen}
            is_decided = any(twin.is_within(keys) for twin in twins) or complaint.decides(chosen)
            if (size <= 2 or is_decided) and complaint.fits(chosen):
                yield chosen, is_decided

    def is_right(self, mask: int) -> bool:
        """Whether models of these are right, more of them than by chance."""
        return (mask & self.right_mask).bit_count() * BY_CHANCE > (mask & self.wrong_mask).bit_count()

    def may_be_blamed(self, atom: Atom) -> bool:
        """A runtime that refuses an operand speaks of its values, or of whether it is constant."""
        if atom == (("result", 0), ABSENT) or (self.kind == "wrong" and is_stored(atom)):
            return True
        return may_be_cause(atom) and (atom[0][0] != "given" or self.kind == "wrong")

    def stands_alone(self, atoms: Atoms, votes: Votes, least: int) -> bool:
        """Without a twin: all of several models agree, in words that name it, and others are right."""
        if len(atoms) == votes.named == 2 and set(kinds_of(atoms)) == {"dtype"} and self.of_mismatch(atoms):
            return True
        return (len(atoms) == 1 and (votes.models >= 2 or votes.named > 1) and votes.named > 0 and len(self.right) >= least
                and atoms[0][0][0] != "version")

    def is_shared(self, atoms: Atoms, left: list[int]) -> bool:
        """Whether a way to compute, or that an operand is computed, the first or one that is stored in a model that is right, is that of several
        models, and of none that is right; or of what is wrong that an operand is stored."""
        mask = self.mask(atoms)
        if self.kind == "fails" or len(atoms) > 1 or mask & self.right_mask:
            return False
        names = {self.asked[at].name for at in left if mask >> at & 1}
        if self.kind == "wrong":
            return is_stored(atoms[0]) and not is_of_few(names, 2)
        may_be_stored = is_computed(atoms[0]) and bool(self.mask(((atoms[0][0], CONSTANT),)) & self.right_mask)
        is_of_first = atoms[0] == (("operand", 0), COMPUTED)  # which hardly any other operator cannot take
        if not may_be_stored and not is_of_first and not (names_a_way(atoms[0], self.flags) and len(self.right) >= MANY_RIGHT):
            return False
        return not is_of_few(names, 2 if may_be_stored else MANY_MODELS)

    def of_mismatch(self, atoms: Atoms) -> bool:
        """Whether the runtime says of each model that two dtypes do not go together, and where it refuses them which."""
        mask = self.mask(atoms)
        if self.kind == "refused" and not all(re.search(DTYPE_WORDS.get(dtype_name(value), dtype_name(value)), each.answer.said, re.IGNORECASE)
                                              for at, each in enumerate(self.asked) if mask >> at & 1 for _, value in atoms):
            return False
        return all("type mismatch" in each.answer.said for at, each in enumerate(self.asked)
                   if mask >> at & 1 and each.answer.kind not in ("refused", "not compared"))

    def values_of_right(self, atoms: Atoms) -> dict[Key, set[Any]]:
        found: dict[Key, set[Any]] = {}
        for atom in atoms:
            if is_number(atom):
                mask = self.mask(tuple(a for a in atoms if a != atom)) & self.right_mask
                found[atom[0]] = {each.facts.get(atom[0]) for at, each in enumerate(self.asked) if mask >> at & 1}
        return found


def needed(causes: list[Cause]) -> list[Cause]:
    """Without those all of whose models others explain that are about the same words, the most special ones first."""
    kept = list(causes)
    said = {id(cause): {words(each.answer.said) for each in cause.covered} for cause in causes}
    for cause in sorted(causes, key=lambda c: (-len(c.atoms), len(c.covered))):
        others = [c for c in kept if c is not cause and (cause.kind == "wrong" or not said[id(cause)].isdisjoint(said[id(c)]))]
        if all(any(all(each.facts.get(k) == v for k, v in other.atoms) for other in others) for each in cause.covered):
            kept = [c for c in kept if c is not cause]
    return kept


def causes_of(asked: list[Asked]) -> list[Cause]:
    learners = {kind: Learner(asked, kind) for kind in AGAINST}
    found = needed([cause for learner in learners.values() for cause in found_causes(learner)])
    return [dataclasses.replace(cause, atoms=atoms) for cause in found
            for atoms in (learners[cause.kind].each_that_is_computed(cause) if cause.kind in learners else [cause.atoms])]


def always_wrong(asked: list[Asked]) -> Iterator[Cause]:
    """Where no model is computed right, those of each dtype that were asked: of the first operand, or of the first that has several."""
    wrong = [each for each in asked if each.answer.kind == "wrong"]
    keys = sorted({key for each in wrong for key in each.facts if key[0] == "dtype"}, key=repr)
    found: dict[Key, dict[Any, list[Asked]]] = {key: collections.defaultdict(list) for key in keys}
    for each, key in itertools.product(wrong, keys):
        if key in each.facts:
            found[key][each.facts[key]].append(each)
    if not keys:
        return
    chosen = next((key for key in keys if len(found[key]) > 1), keys[0])
    for dtype, covered in found[chosen].items():
        cause = Cause("wrong", ((chosen, dtype),), covered, {})
        if not is_of_values(cause, set()):
            yield cause


def worth_of(learner: Learner, ended: int, atoms: Atoms) -> tuple[int, int, int, int]:
    """More where fewer that ran have these facts, and more that ended the process."""
    mask = learner.mask(atoms)
    return -(mask & learner.right_mask).bit_count(), (mask & ended).bit_count(), -len(atoms), -kinds_of(atoms).count("written")


def sets_of(facts: Facts) -> list[Atoms]:
    """Facts of a model, and pairs of them, that may be why it ends the process."""
    atoms = [a for a in facts.items() if a[0][0] in PLACES_OF_ENDS and may_be_cause(a)]
    return [c for size in (1, 2) for c in itertools.combinations(atoms, size)]


def is_always(learner: Learner, atoms: Atoms, ended: int) -> bool:
    """Whether so many ended the process, and nothing that ran is like them. In a network, a node of another rank may run."""
    is_enough = ended >= MANY_ENDED or kinds_of(atoms) == ["dtype"]
    return is_enough and not learner.mask(atoms) & learner.right_mask and "rank" not in kinds_of(atoms)


def ends_of_process(learner: Learner, left: list[int]) -> Iterator[Cause]:
    """What ends the process: so often that it always does, or it did where operands were like this, and nobody knows for which of them."""
    while left and (sets := sets_of(learner.asked[left[0]].facts)):
        best = max(sets, key=functools.partial(worth_of, learner, sum(1 << at for at in left)))
        covered = [at for at in left if learner.mask(best) >> at & 1]
        left = [at for at in left if at not in covered]
        kind = "refused" if is_always(learner, best, len(covered)) else "depends"
        yield Cause(kind, best, [learner.asked[at] for at in covered], learner.values_of_right(best))


def groups_of(learner: Learner) -> list[list[int]]:
    """The answers that have one reason as far as words tell, the most frequent first."""
    groups: dict[str, list[int]] = collections.defaultdict(list)
    for at, each in enumerate(learner.asked):
        if each.answer.kind == learner.kind:
            groups[words(each.answer.said) if learner.kind != "wrong" else ""].append(at)
    return sorted(groups.values(), key=len, reverse=True)


def but_for_dtypes(atoms: Atoms) -> Atoms:
    """The same for dtypes that are alike."""
    return tuple((key, next((min(alike) for alike in ALIKE_DTYPES if dtype_name(value) in alike), value))
                 if key[0] == "dtype" else (key, value) for key, value in atoms)


def with_alike(cause: Cause, others: list[Cause]) -> Cause:
    """With the models of those that differ from it only in a dtype that is like its own: what is wrong of all of these is so by no chance."""
    alike = [each for each in others if each.kind == cause.kind and but_for_dtypes(each.atoms) == but_for_dtypes(cause.atoms)]
    return dataclasses.replace(cause, covered=[asked for each in alike for asked in each.covered])


def is_certain(cause: Cause, flags: set[Key]) -> bool:
    if cause.kind == "wrong" and is_of_values(cause, flags):
        return False
    return not is_of_varied_shapes(cause) and is_general(cause, flags)


def found_causes(learner: Learner) -> Iterable[Cause]:
    if not learner.is_right(-1):
        return always_wrong(learner.asked) if learner.kind == "wrong" else []
    possible = [cause for group in groups_of(learner) for cause in learner.causes(group)]
    found = [cause for cause in possible if is_certain(with_alike(cause, possible), learner.flags)]
    if learner.kind != "refused":
        return found
    explained = {id(each) for cause in found for each in cause.covered}
    left = [at for at, each in enumerate(learner.asked) if each.answer.crashed and id(each) not in explained]
    return [*found, *ends_of_process(learner, left)]
