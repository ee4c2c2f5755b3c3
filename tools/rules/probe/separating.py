"""What alone tells the calls of an operator, or its nodes, that are not taken from those that are, where neither a twin nor words do."""
from __future__ import annotations

import collections
import dataclasses
import itertools
from collections.abc import Iterator

from probe.causes import AGAINST, OTHER_SHAPE, Asked, Cause, Learner, causes_of, is_number, is_stored, may_be_cause, words
from probe.facts import ABSENT, Atom, Atoms, Facts, dtype_name

# Kinds of facts, those first that are rather a cause than others that hold for the same calls.
WAYS = ("dtype", "result dtype", "attribute", "others", "below", "before last", "uneven", "result unlike")  # in which something is computed
CIRCUMSTANCES = ("rank", "result rank", "mixed", "unlike", "smaller", "longer", "operand", "result")
PREFERRED = ("no axes", "empty", *WAYS, *CIRCUMSTANCES)
LEAST = 2  # calls that differ from those that are taken in a circumstance
MOST_TOGETHER = 2
NOT_TAKEN = ("refused", "fails")
WRONG = ("wrong",)
DTYPE = ("dtype", 0)
FIRST_LEFT_OUT = (("result", 0), ABSENT)
WHOLE = {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}


def preference(atom: Atom) -> int:
    """Less for what is rather a cause, that a tensor has no axes above all."""
    kind = str(atom[0][0])
    return PREFERRED.index("no axes" if kind.endswith("rank") and atom[1] == 0 else kind)


def may_separate(atom: Atom) -> bool:
    """What is taken of whole numbers is not refused for being real."""
    (kind, *_), value = atom
    if is_number(atom) and isinstance(value, float):
        return False
    is_ordinary = str(kind).endswith("dtype") and dtype_name(value) == "float32"
    return kind in PREFERRED and (may_be_cause(atom) or atom == FIRST_LEFT_OUT) and not is_ordinary


def may_tell(atom: Atom, kinds: tuple[str, ...]) -> bool:
    """Whether a fact may separate answers of some kinds: a dtype is not why a shape is another one, but that an operand is stored may be."""
    if kinds != WRONG:
        return may_separate(atom)
    return is_stored(atom) or (may_separate(atom) and not str(atom[0][0]).endswith("dtype"))


def worth(atoms: Atoms, covered: int) -> tuple[int, int, list[int]]:
    return covered, -len(atoms), [-preference(atom) for atom in atoms]


def are_circumstances(atoms: Atoms) -> bool:
    return all(PREFERRED[preference(atom)] in CIRCUMSTANCES for atom in atoms)


def least_of(atoms: Atoms) -> int:
    return LEAST if are_circumstances(atoms) else 1


def may_be_separated(asked: Asked, kinds: tuple[str, ...]) -> bool:
    """Of what is wrong only another shape: numbers may be a matter of values."""
    return asked.answer.kind in kinds and (kinds != WRONG or OTHER_SHAPE.match(asked.answer.said) is not None)


class Separator:
    """`kinds`: of the answers that are told from others."""

    def __init__(self, asked: list[Asked], kinds: tuple[str, ...]) -> None:
        self.asked = asked
        self.kinds = kinds
        self.learner = Learner(asked, kinds[0])
        self.taken = sum(1 << at for at, each in enumerate(asked) if each.answer.kind not in kinds and each.answer.kind in AGAINST[kinds[0]])

    def telling(self, at: int) -> list[Atom]:
        """The facts of a call that may separate it from others."""
        return sorted((atom for atom in self.asked[at].facts.items() if may_tell(atom, self.kinds)), key=repr)

    def best(self, left: list[int], size: int) -> Atoms | None:
        """Facts, so many, that most of these calls have, and none that is taken."""
        found = {atoms for at in left for atoms in itertools.combinations(self.telling(at), size) if not self.learner.mask(atoms) & self.taken}
        count = {atoms: sum(self.learner.mask(atoms) >> at & 1 for at in left) for atoms in sorted(found, key=repr)}
        enough = [atoms for atoms in count if count[atoms] >= least_of(atoms)]
        return max(enough, key=lambda atoms: worth(atoms, count[atoms]), default=None)

    def causes(self, left: list[int]) -> Iterator[Cause]:
        for size in range(1, MOST_TOGETHER + 1):
            while left and (best := self.best(left, size)) is not None:
                covered = [at for at in left if self.learner.mask(best) >> at & 1]
                left = [at for at in left if at not in covered]
                calls = [self.asked[at] for at in covered]
                yield Cause(kind_of(best, calls), best, calls, self.learner.values_of_right(best))

    def rest(self, explained: set[int]) -> Iterator[Cause]:
        """Of what is not explained, that of which the same is said alike."""
        left: dict[str, list[int]] = collections.defaultdict(list)
        for at, each in enumerate(self.asked):
            if may_be_separated(each, self.kinds) and id(each) not in explained:
                left["" if self.kinds == WRONG else words(each.answer.said)].append(at)
        for alike in left.values() if self.taken else ():
            yield from self.causes(alike)


def sample_of(asked: Asked) -> tuple[str, str]:
    """The same for all dtypes of one call."""
    return asked.name.partition(".")[0], asked.name.rpartition(".")[2]


def is_of_dtypes(atoms: Atoms) -> bool:
    return any(str(key[0]).endswith("dtype") for key, _ in atoms)


def kind_of(atoms: Atoms, covered: list[Asked]) -> str:
    """One sample does not tell which of its arguments is why: another one like it may be taken. Nor do circumstances tell what is wrong."""
    kinds = [each.answer.kind for each in covered]
    kind = max((*NOT_TAKEN, *WRONG), key=kinds.count)
    is_of_one = not is_of_dtypes(atoms) and len(set(map(sample_of, covered))) == 1
    return "depends" if is_of_one or (kind in WRONG and are_circumstances(atoms)) else kind


def dtype_of(asked: Asked) -> str:
    return dtype_name(asked.facts[DTYPE]) if DTYPE in asked.facts else ""


def said_alike(cause: Cause, asked: list[Asked]) -> list[Asked]:
    """The calls with its facts of which the same is said."""
    said = {words(each.answer.said) for each in cause.covered}
    return [each for each in asked if words(each.answer.said) in said and each.facts.items() >= dict(cause.atoms).items()]


def of_its_dtypes(cause: Cause, asked: list[Asked]) -> Iterator[Cause]:
    """With their dtypes, where only whole numbers are known not to be taken: of real ones it says nothing."""
    if is_of_dtypes(cause.atoms) or not WHOLE.issuperset(map(dtype_of, said_alike(cause, asked))):
        yield cause
        return
    for dtype in dict.fromkeys(each.facts[DTYPE] for each in cause.covered):
        yield dataclasses.replace(cause, atoms=(*cause.atoms, (DTYPE, dtype)), covered=[a for a in cause.covered if a.facts[DTYPE] == dtype])


def others_in(alike: list[Facts]) -> set[Atom]:
    """The arguments that are not ordinary in any of these calls."""
    return set.intersection(*({each for each in facts.items() if each[0][0] == "others"} for facts in alike))


def with_inseparable(cause: Cause, asked: list[Asked]) -> Cause:
    """With the arguments that are not ordinary in just the same calls, where another is to blame: any of them may be why, or all."""
    if [key[0] for key, _ in cause.atoms] != ["others"]:
        return cause
    (atom,) = cause.atoms
    alike = [each.facts for each in asked if atom in each.facts.items()]
    elsewhere = {each for one in asked if one.facts not in alike for each in one.facts.items()}
    return dataclasses.replace(cause, atoms=(atom, *sorted(others_in(alike) - elsewhere - {atom}, key=repr)))


def all_causes(asked: list[Asked]) -> list[Cause]:
    """Of calls or of nodes: those that a twin or words show, and what separates the rest from those that are taken, or right."""
    found = causes_of(asked)
    explained = {id(each) for cause in found for each in cause.covered}
    separating = [cause for kinds in (NOT_TAKEN, WRONG) for cause in Separator(asked, kinds).rest(explained)]
    return [each for cause in [*found, *separating] for each in of_its_dtypes(with_inseparable(cause, asked), asked)]
