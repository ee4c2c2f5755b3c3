"""What alone tells the calls of an operator that are not taken from those that are, where neither a twin nor the converter's words do."""
from __future__ import annotations

import collections
import itertools
from collections.abc import Iterator

from probe.causes import Asked, Cause, Learner, causes_of, is_number, may_be_cause, words
from probe.facts import Atom, Atoms, dtype_name

# Kinds of facts, those first that are rather a cause than others that hold for the same calls.
WAYS = ("dtype", "attribute", "others", "below", "before last", "uneven", "result unlike")  # in which something is computed
CIRCUMSTANCES = ("rank", "result rank", "mixed", "unlike", "smaller", "result dtype", "operand")
PREFERRED = ("no axes", *WAYS, *CIRCUMSTANCES)
LEAST = 2  # calls that differ from those that are taken in a circumstance
MOST_TOGETHER = 2
NOT_TAKEN = ("refused", "fails")


def preference(atom: Atom) -> int:
    """Less for what is rather a cause, that a tensor has no axes above all."""
    kind = str(atom[0][0])
    return PREFERRED.index("no axes" if kind.endswith("rank") and atom[1] == 0 else kind)


def may_separate(atom: Atom) -> bool:
    """What is taken of whole numbers is not refused for being real."""
    (kind, *_), value = atom
    if is_number(atom) and isinstance(value, float):
        return False
    return kind in PREFERRED and may_be_cause(atom) and not (str(kind).endswith("dtype") and dtype_name(value) == "float32")


def worth(atoms: Atoms, covered: int) -> tuple[int, int, list[int]]:
    return covered, -len(atoms), [-preference(atom) for atom in atoms]


def least_of(atoms: Atoms) -> int:
    return LEAST if all(PREFERRED[preference(atom)] in CIRCUMSTANCES for atom in atoms) else 1


class Separator:
    def __init__(self, asked: list[Asked]) -> None:
        self.asked = asked
        self.learner = Learner(asked, "refused")
        self.taken = sum(1 << at for at, each in enumerate(asked) if each.answer.kind not in NOT_TAKEN)

    def best(self, left: list[int], size: int) -> Atoms | None:
        """Facts, so many, that most of these calls have, and none that is taken."""
        found = {atoms for at in left for atoms in itertools.combinations(sorted(filter(may_separate, self.asked[at].facts.items()), key=repr), size)
                 if not self.learner.mask(atoms) & self.taken}
        count = {atoms: sum(self.learner.mask(atoms) >> at & 1 for at in left) for atoms in sorted(found, key=repr)}
        enough = [atoms for atoms in count if count[atoms] >= least_of(atoms)]
        return max(enough, key=lambda atoms: worth(atoms, count[atoms]), default=None)

    def causes(self, left: list[int]) -> Iterator[Cause]:
        for size in range(1, MOST_TOGETHER + 1):
            while left and (best := self.best(left, size)) is not None:
                covered = [at for at in left if self.learner.mask(best) >> at & 1]
                left = [at for at in left if at not in covered]
                kinds = [self.asked[at].answer.kind for at in covered]
                yield Cause(max(NOT_TAKEN, key=kinds.count), best, [self.asked[at] for at in covered], self.learner.values_of_right(best))


def causes_in_calls(asked: list[Asked]) -> list[Cause]:
    """Those that a twin or words show, and beyond what these explain what separates the rest, that of which the same is said alike."""
    found = causes_of(asked)
    explained = {id(each) for cause in found for each in cause.covered}
    left: dict[str, list[int]] = collections.defaultdict(list)
    for at, each in enumerate(asked):
        if each.answer.kind in NOT_TAKEN and id(each) not in explained:
            left[words(each.answer.said)].append(at)
    separator = Separator(asked)
    return [*found, *(cause for each in left.values() for cause in separator.causes(each))] if separator.taken else found
