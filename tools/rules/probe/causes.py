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
from collections.abc import Hashable, Iterator
from typing import Any

from probe.answers import RAN, Answer
from probe.facts import ABSENT, COMPUTED, CONSTANT, EMPTY, GIVEN, ORDINARY, WORKED_OUT, Facts, dtype_name

Atom = tuple[tuple[Hashable, ...], Any]
Key = tuple[Hashable, ...]
FOLLOWERS = {"result dtype", "result rank", "smaller", "longer", "formal"}  # they follow from the inputs, or from the operator
# That depends on sizes or values, which no condition here is about.
OF_SIZES = re.compile("[Ss]hape|size|divisible|[Dd]imension|out of range|out of bounds|negative|greater than|less than|volume|element count")
OF_DTYPES = re.compile(r"\btype|[tT]ype\b|dtype|FLOAT|INT\d|UINT|HALF|BF16|DataType|tensor\(|element_type|precision|kINT|kFLOAT|bool", re.IGNORECASE)
OF_RESULTS = re.compile("output")
OF_CONSTANTS = re.compile("initializer|constant|[wW]eights|build-time|[dD]ynamic|Cannot get shape")
OF_MISSING = re.compile(r"being null|is null")
SIGNATURE = re.compile(r"\[with [^\]]*\]")  # of a function in sources: its dtype is no complaint
OF_NO_NAME = re.compile(r"name ''")  # of a result that is left out
NOT_CONSTANT = re.compile("not constant|[Nn]on-constant|not an initializer|as an initializer|to a build-time constant|support dynamic|"
                          "must be (an |constant )initializer|compile-time constant|need to be constant|input\\[\\d\\] must be a constant")
NAMED_CONSTANT = re.compile(r"[Tt]he input (\d+) of \w+ need to be constant")  # by its number
OF_A_CONSTANT = re.compile(r"bound to different types \(tensor\(int32\) and tensor\(int64\)|onstant \(.*\) is only allowed|"
                           "[iI]mport initializer")  # it must not be one
OF_ENTRIES = re.compile("unsupported input type")
SHORTEST_NAME = 4  # of an operand: a shorter one may stand for anything in a sentence
# Operands of different dtypes: then the dtype of one alone is not the cause.
OF_SEVERAL = re.compile("same (input )?types?|of same type|[mM]ixed|have the same (element )?type|do not match|different types")
DTYPE_WORDS = {"float32": r"float\b|float32|FP32", "float64": "double|float64", "float16": "half|float16|FP16", "bfloat16": "bfloat16|BF16",
               "float8_e4m3fn": "FP8|float8"}
OF_RANKS = re.compile(r"dedicated kernel|pooling size|PoolMax3d|"
                      r"Scalar|per-tensor|kernel dimension|NumDimensions|[Rr]ank|nbDims|\b[1-6]-?D\b|[Dd]imension|"
                      r"[Dd]ims\b|spatial")
# Says no more than that a node will not do: of dtypes and of ranks alike.
OPAQUE = re.compile("backendValidateOpConfig|Failed to finalize QNN graph|on the NPU does not support|the runtime ends its process|"
                    r"Name:'\w+_rs'")  # of a node that the compiler made
STATES_RANKS = re.compile(r"less than \d|only supports? (input )?ranks?|rank > \d|rank-\d")
WRONG = re.compile("is off by|gives |\\d+ of \\d+ values")
OF_OTHERS = re.compile("same rank|rank = |Shape Error|equal to|[Bb]roadcast|must match|do not match")  # shapes that do not fit each other
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
    atoms: tuple[Atom, ...]
    covered: list[Asked]
    right: dict[Key, set[Any]]  # of each attribute: its values in models that are computed right, where the other facts hold

    @property
    def worst(self) -> Asked:
        """The one that tells most: the largest difference, in parts of the largest value."""
        return max(self.covered, key=lambda a: a.answer.off / max(a.answer.scale, 1e-30) if a.answer.off else 0)


def words(said: str) -> str:
    """The same for all models that are refused for one reason."""
    return re.sub(r"\d+|'[^']*'|\"[^\"]*\"|\{[^}]*\}|\[[^\]]*\]", "N", said)[:500]


def may_be_cause(atom: Atom) -> bool:
    """A fact that a user could not make sense of is not a condition."""
    (kind, *rest), value = atom
    if kind == "attribute":
        if value == ABSENT and rest[0] in ORDINARY:
            return False  # the same as its ordinary value
        return atom[0] not in SIZES and value != GIVEN and not str(rest[0]).endswith(("axis", "axes")) and rest[0] != "value"
    if kind == "given":
        return bool(value)
    if kind == "repeats":
        return not value
    if kind in ("unlike", "unequal"):
        return bool(value)
    if kind in ("formal", "entry"):
        return False
    if kind in ("operand", "result"):
        return value not in (CONSTANT, EMPTY) and not (rest[0] == 0 or (kind == "result" and value == ABSENT))
    return True


def of_missing(atom: Atom, said: str) -> bool:
    """Whether a result is not asked for, or an operand is given, where the runtime speaks of one that is missing."""
    (kind, *rest), value = atom
    return OF_MISSING.search(said) is not None and ((kind == "result" and value == ABSENT and rest[0] != 0) or (kind == "given" and bool(value)))


def of_left_out(atom: Atom, said: str) -> bool:
    """Whether a result is left out, also the first, where the runtime looks for a value without a name."""
    return atom[0][0] == "result" and atom[1] == ABSENT and OF_NO_NAME.search(said) is not None


def of_named_constant(atom: Atom, said: str) -> bool:
    """Whether it is the operand whose number the runtime gives that is computed."""
    found = NAMED_CONSTANT.search(said)
    return found is not None and atom == (("operand", int(found[1])), COMPUTED)


def of_constant(atom: Atom, said: str) -> bool:
    """Whether an operand is a constant, where the runtime says that it must not be."""
    return atom[0][0] == "operand" and atom[1] == CONSTANT and OF_A_CONSTANT.search(said) is not None


def of_entry(atom: Atom, said: str) -> bool:
    """Whether an operand is an input of the model, or a constant, where the runtime speaks of the dtype of one: a result may have it."""
    (kind, *_), value = atom
    return OF_ENTRIES.search(said) is not None and ((kind == "entry" and bool(value)) or (kind == "operand" and value == CONSTANT))


def of_one_constant(atoms: tuple[Atom, ...]) -> bool:
    """Whether one operand is a constant, and no dtype that of another."""
    constants = [key[1] for key, value in atoms if key[0] == "operand" and value == CONSTANT]
    return len(constants) == 1 and all(key[1] == constants[0] for key, _ in atoms if key[0] == "dtype")


def of_given(atom: Atom, said: str, facts: Facts) -> bool:
    """Whether an optional operand is given that the runtime names."""
    (kind, *rest), value = atom
    name = str(facts.get(("formal", rest[0]), "")) if kind == "given" and value else ""
    return len(name) >= SHORTEST_NAME and re.search(rf"\b{re.escape(name)}\b", said) is not None


def is_number(atom: Atom) -> bool:
    return atom[0][0] == "attribute" and not isinstance(atom[1], str)


def names_others(atoms: tuple[Atom, ...], said: list[str], facts: Facts) -> bool:
    """Whether the runtime speaks of the number of another attribute, which it does not go with."""
    others = {key[1] for key in facts if key[0] == "attribute"} - {key[1] for key, _ in atoms if key[0] == "attribute"}
    return all(any(re.search(rf"\b{name}_\b", s) for name in others) for s in said)


MANY_WRONG = 6  # of one rank, and none of them right


def is_general(atoms: tuple[Atom, ...], said: list[str], flags: set[Key], facts: Facts) -> bool:
    """Whether it holds beyond the models that were asked: another number, or rank, may be wrong only for their sizes."""
    says_nothing = all(WRONG.match(s) for s in said)
    if any(str(key[0]).endswith("rank") for key, _ in atoms) and not (says_nothing and len(said) >= MANY_WRONG) and not all(
            OPAQUE.search(s) or (OF_RANKS.search(s) and not OF_OTHERS.search(s)) for s in said):
        return False
    if all(key[0] == "version" for key, _ in atoms) and len(said) < 2:
        return False
    if any(map(is_number, atoms)) and names_others(atoms, said, facts):
        return False
    # A kernel that checks its member of that name means the number itself.
    numbers = [atom for atom in atoms if is_number(atom) and not all(re.search(rf"\b{atom[0][1]}_\b", s) for s in said)]
    return all(key in flags for key, _ in numbers) or not any(OF_SIZES.search(s) for s in said)


def named(atom: Atom, said: str, facts: Facts) -> int:
    """How much the runtime's words speak of a fact."""
    (kind, *rest), value = atom
    if kind == "item" and re.search(rf"\b{re.escape(str(rest[1]))}\b", said):
        return 3
    if kind in ("attribute", "others", "item"):
        return 3 * (re.search(rf"\b{re.escape(str(rest[0])).replace('_', '[_ ]')}", said, re.IGNORECASE) is not None)
    words_of = {"dtype": OF_DTYPES, "result dtype": OF_DTYPES, "rank": OF_RANKS, "result rank": OF_RANKS, "result": OF_RESULTS}.get(str(kind))
    if kind == "operand" and value in (COMPUTED, WORKED_OUT, CONSTANT):
        words_of = OF_CONSTANTS
    if kind == "given":
        return 3 * of_given(atom, said, facts)
    return int(words_of is not None and words_of.search(said) is not None)


def passes_over(atoms: tuple[Atom, ...], said: str, facts: Facts) -> bool:
    """Whether an opset is blamed where the runtime's words name an attribute."""
    if all(key[0] != "version" for key, _ in atoms):
        return False
    named_ones = {key for key in facts if key[0] == "attribute" and re.search(rf"\b{re.escape(str(key[1]))} attribute\b", said)}
    return bool(named_ones) and named_ones.isdisjoint(key for key, _ in atoms)


def follows(key: Key, one: Facts, other: Facts) -> bool:
    """Whether an operand has the dtype of the first in both."""
    first = ("dtype", 0)
    return key[0] == "dtype" and key != first and one.get(key) == one.get(first) and other.get(key) == other.get(first)


def is_of_values(cause: Cause, flags: set[Key]) -> bool:
    """Whether the values of a few models may be the cause, such as an overflow, and not what the condition says."""
    models = len({a.name.partition(".")[0] if not a.name.startswith("ranks.") else a.name for a in cause.covered})
    overflows = any("elsewhere" in a.answer.said or a.answer.off == float("inf") for a in cause.covered)
    says_little = all(key[0] in ("dtype", "version", "rank") for key, _ in cause.atoms)
    names_a_way = any(key in flags or key[0] in ("others", "item", "result") or (key[0] == "attribute" and isinstance(value, str))
                      for key, value in cause.atoms)
    only_reference = all("." in a.name for a in cause.covered)  # no outputs of ONNX's own
    variations = len({a.name.rpartition(".")[0] for a in cause.covered})
    too_few = models < (3 if says_little else 2 if overflows else 1) or (only_reference and variations < 2)
    return too_few or (overflows and not names_a_way)


# What an answer of some kind is held against: whether numbers are right says nothing where none were compared.
AGAINST = {"refused": {"right", "wrong", "fails", "not compared"}, "fails": {"right", "wrong"}, "wrong": {"right"}}


def is_against(asked: Asked, kind: str) -> bool:
    return asked.answer.kind in AGAINST[kind] or (kind == "fails" and asked.answer.said == RAN)


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

    def given_together(self) -> set[Key]:
        """Optional operands that come with an earlier one in every model: the keys and the values of the past."""
        given = sorted({key for key, _ in self.masks if key[0] == "given"})
        return {b for a, b in itertools.combinations(given, 2)
                if all(each.facts.get(a, False) == each.facts.get(b, False) for each in self.asked)}

    def mask(self, atoms: tuple[Atom, ...]) -> int:
        found = -1
        for atom in atoms:
            found &= self.masks[atom]
        return found

    def differing(self, each: Asked) -> list[set[Key]]:
        """For each model that is right: in what it differs from this one, if that is little."""
        found = []
        for other in self.right:
            keys: set[Key] = set()
            absent = {key[1] for facts in (each.facts, other.facts) for key, value in facts.items() if key[0] == "operand" and value == ABSENT}
            for key in each.facts.keys() | other.facts.keys():
                if key[0] == "operand" and each.facts.get(("given", key[1])) != other.facts.get(("given", key[1])):
                    continue  # not whether it is computed
                if key[0] == "entry" and each.facts.get(("operand", key[1])) != other.facts.get(("operand", key[1])):
                    continue  # a constant is none
                if key[0] in FOLLOWERS or key in SIZES or key in self.together:
                    continue  # it follows from the rest
                if (key[0] in ("dtype", "rank") and key[1] in absent) or follows(key, each.facts, other.facts):
                    continue  # likewise
                if each.facts.get(key) != other.facts.get(key):
                    keys.add(key)
                    if len(keys) > MOST_ATOMS:
                        break
            else:
                found.append(keys)
        return found

    def causes(self, kind: str, left: list[int]) -> Iterator[Cause]:
        """Until each of these answers that can be explained is."""
        twins = {at: self.differing(self.asked[at]) for at in left}
        for size in range(1, MOST_ATOMS + 1):
            while left and (best := self.best(size, left, twins)) is not None:
                covered = [at for at in left if self.mask(best) >> at & 1]
                left = [at for at in left if at not in covered]
                yield Cause(kind, best, [self.asked[at] for at in covered], self.values_of_right(best))

    def best(self, size: int, left: list[int], twins: dict[int, list[set[Key]]]) -> tuple[Atom, ...] | None:
        votes: collections.Counter[tuple[Atom, ...]] = collections.Counter()
        decided: set[tuple[Atom, ...]] = set()
        said: dict[tuple[Atom, ...], int] = {}
        for at in left:
            # A runtime that refuses an operand speaks of its values, or of whether it is constant.
            said_of_it = SIGNATURE.sub("", self.asked[at].answer.said)
            facts = self.asked[at].facts
            atoms = [a for a in facts.items()
                     if (may_be_cause(a) and (a[0][0] != "given" or self.kind == "wrong")) or of_missing(a, said_of_it)
                     or of_constant(a, said_of_it) or of_given(a, said_of_it, facts) or of_entry(a, said_of_it)
                     or of_left_out(a, said_of_it) or of_named_constant(a, said_of_it)]
            for chosen in itertools.combinations(atoms, size):
                keys = {k for k, _ in chosen}
                speaks_of_missing = OF_MISSING.search(said_of_it) is not None
                is_decided = (any(d <= keys for d in twins[at])
                              or (speaks_of_missing and {"given", "result"} <= {k[0] for k in keys})
                              or (size == 1 and (of_left_out(chosen[0], said_of_it) or of_named_constant(chosen[0], said_of_it))))
                if (size > 2 and not is_decided) or self.mask(chosen) & self.right_mask:
                    continue
                if passes_over(chosen, said_of_it, facts):
                    continue
                if OF_SEVERAL.search(said_of_it) and not OF_A_CONSTANT.search(said_of_it) and sum(k[0] == "dtype" for k in keys) == 1:
                    continue
                if OF_A_CONSTANT.search(said_of_it) and not of_one_constant(chosen):
                    continue
                if NOT_CONSTANT.search(said_of_it) and not any(k[0] == "operand" and v in (COMPUTED, WORKED_OUT) for k, v in chosen):
                    continue
                if speaks_of_missing and not any(k[0] == "given" for k in keys):
                    continue
                votes[chosen] += 1
                said[chosen] = max(said.get(chosen, 0), sum(named(a, said_of_it, facts) for a in chosen))
                if is_decided:
                    decided.add(chosen)
        least = 1 if all(NOT_CONSTANT.search(self.asked[at].answer.said) for at in left) else 2  # right ones: the words leave no doubt
        fit = [c for c in votes if c in decided or self.stands_alone(c, votes[c], said[c], least)]

        def worth(atoms: tuple[Atom, ...]) -> tuple[bool, int, bool, int]:
            return atoms in decided, said[atoms], all(key[0] not in CIRCUMSTANCES for key, _ in atoms), votes[atoms]

        return max(fit, key=worth, default=None)

    def stands_alone(self, atoms: tuple[Atom, ...], votes: int, said: int, least: int) -> bool:
        """Without a twin: all of several models agree, in words that name it, and others are right."""
        if len(atoms) == said == 2 and all(key[0] == "dtype" for key, _ in atoms) and self.of_mismatch(atoms):
            return True
        return len(atoms) == 1 and (votes >= 2 or said > 1) and said > 0 and len(self.right) >= least and atoms[0][0][0] != "version"

    def of_mismatch(self, atoms: tuple[Atom, ...]) -> bool:
        """Whether the runtime says of each model that two dtypes do not go together, and where it refuses them which."""
        mask = self.mask(atoms)
        if self.kind == "refused" and not all(re.search(DTYPE_WORDS.get(dtype_name(value), dtype_name(value)), each.answer.said, re.IGNORECASE)
                                              for at, each in enumerate(self.asked) if mask >> at & 1 for _, value in atoms):
            return False
        return all("type mismatch" in each.answer.said for at, each in enumerate(self.asked)
                   if mask >> at & 1 and each.answer.kind not in ("refused", "not compared"))

    def values_of_right(self, atoms: tuple[Atom, ...]) -> dict[Key, set[Any]]:
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
    return needed([cause for kind in AGAINST for cause in found_causes(Learner(asked, kind), asked, kind)])


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


def worth_of(learner: Learner, ended: int, atoms: tuple[Atom, ...]) -> tuple[int, int, int]:
    """More where fewer that ran have these facts, and more that ended the process."""
    mask = learner.mask(atoms)
    return -(mask & learner.right_mask).bit_count(), (mask & ended).bit_count(), -len(atoms)


def ends_of_process(learner: Learner, left: list[int]) -> Iterator[Cause]:
    """What may end the process: it did, where operands were like this, and nobody knows for which of them."""
    places = {"operand", "dtype", "rank", "attribute"}
    while left:
        facts = [a for a in learner.asked[left[0]].facts.items() if a[0][0] in places and may_be_cause(a)]
        sets = [c for size in (1, 2) for c in itertools.combinations(facts, size)]
        if not sets:
            return

        ended = sum(1 << at for at in left)
        best = max(sets, key=functools.partial(worth_of, learner, ended))
        covered = [at for at in left if learner.mask(best) >> at & 1]
        left = [at for at in left if at not in covered]
        yield Cause("depends", best, [learner.asked[at] for at in covered], learner.values_of_right(best))


def found_causes(learner: Learner, asked: list[Asked], kind: str) -> Iterator[Cause]:
    if not learner.right:
        yield from always_wrong(asked) if kind == "wrong" else ()
        return
    groups: dict[str, list[int]] = collections.defaultdict(list)
    for at, each in enumerate(asked):
        if each.answer.kind == kind:
            groups[words(each.answer.said) if kind != "wrong" else ""].append(at)
    explained: set[int] = set()
    for group in sorted(groups.values(), key=len, reverse=True):
        for cause in learner.causes(kind, group):
            if kind == "wrong" and is_of_values(cause, learner.flags):
                continue
            # A shape that only a variation has may be wrong for its sizes.
            if any(str(key[0]).endswith("rank") for key, _ in cause.atoms) and all(
                    ".shape " in each.name and not OPAQUE.search(each.answer.said) and not STATES_RANKS.search(each.answer.said)
                    for each in cause.covered):
                continue
            if is_general(cause.atoms, [each.answer.said for each in cause.covered], learner.flags, cause.covered[0].facts):
                explained.update(id(each) for each in cause.covered)
                yield cause
    if kind == "refused":
        yield from ends_of_process(learner, [at for at, each in enumerate(asked) if each.answer.crashed and id(each) not in explained])
