"""What becomes of calls that nobody asked about. A converter takes them apart, and it is known what became of such parts in other programs."""
from __future__ import annotations

import collections
import dataclasses
import pathlib
import pickle
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

import torch

from probe import calls
from probe.answers import Answer
from probe.calls import Call
from probe.table import reason_of

TAKEN = {"right", "left", "wrong"}
NOT_TAKEN = {"refused", "fails"}
MANY = 3  # refused programs with a dtype, or a part, that no other program has
Kind = tuple[str, tuple[tuple[Hashable, int], ...]]  # an operator, the dtypes of what it takes and gives, and which of these has no axes
TakeApart = Callable[[Any], Any]


@dataclasses.dataclass
class Program:
    """`parts`: the calls that a converter makes of those in the file."""
    name: str
    calls: list[Call]
    parts: list[Call]


def program_of(file: pathlib.Path, take_apart: TakeApart) -> Program | None:
    """Kept beside the file; none where torch does not read it, or cannot take it apart."""
    kept = file.with_suffix(".parts")
    if not kept.exists():
        try:
            program = torch.export.load(file)
            found = calls.calls_in(program), calls.calls_in(take_apart(program))
        except Exception:  # of many kinds
            found = None
        kept.write_bytes(pickle.dumps(found))
    found = pickle.loads(kept.read_bytes())  # our own file
    return None if found is None else Program(file.stem, *found)


def is_of_kind(key: tuple[Hashable, ...], value: Any) -> bool:
    fact = str(key[0])
    return fact.endswith("dtype") or (fact.endswith("rank") and value == 0)


def kind_of(call: Call) -> Kind:
    return call[0], tuple(sorted((fact for fact in call[1].items() if is_of_kind(*fact)), key=repr))


def kinds_in(program: Program) -> set[Kind]:
    return {kind_of(part) for part in program.parts}


def dtypes_of(kinds: Iterable[Kind]) -> set[int]:
    return {value for _, facts in kinds for key, value in facts if str(key[0]).endswith("dtype")}


class Foreteller:
    """`lowered`: the operators that the converter has a lowering for. `refusal`: what it says of others, and `lacking`, what becomes of these."""

    def __init__(self, lowered: set[str], refusal: str, known: list[tuple[Program, Answer]], lacking: str = "refused") -> None:
        self.refusal = refusal
        self.lacking = lacking
        self.taken = {kind for program, answer in known if answer.kind in TAKEN for kind in kinds_in(program)}
        self.lowered = lowered | {operator for operator, _ in self.taken}
        not_taken = ((kinds_in(program) - self.taken, answer) for program, answer in known if answer.kind in NOT_TAKEN)
        refused = [each for each in not_taken if self.lowered.issuperset(operator for operator, _ in each[0])]
        self.refused = {kind: answer for kinds, answer in refused if len(kinds) == 1 for kind in kinds}
        self.add_shared(refused)
        self.dtypes = self.of_dtypes(refused)

    def add_shared(self, refused: list[tuple[set[Kind], Answer]]) -> None:
        """Of several parts that may be why: those that many programs have of which the same is said, and which no other part explains."""
        while left := [(kinds, answer) for kinds, answer in refused if self.refused.keys().isdisjoint(kinds)]:
            count = collections.Counter((kind, reason_of(answer.said)) for kinds, answer in left for kind in sorted(kinds, key=repr))
            (kind, reason), many = max(count.items(), key=lambda each: each[1], default=((None, ""), 0))
            if kind is None or many < MANY:
                return
            self.refused[kind] = next(answer for kinds, answer in left if kind in kinds and reason_of(answer.said) == reason)

    def of_dtypes(self, refused: list[tuple[set[Kind], Answer]]) -> dict[int, Answer]:
        """What is said of dtypes that nothing has that is taken."""
        said: dict[int, list[Answer]] = collections.defaultdict(list)
        for kinds, answer in refused:
            for dtype in dtypes_of(kinds) - dtypes_of(self.taken):
                said[dtype].append(answer)
        return {dtype: max(each, key=each.count) for dtype, each in said.items() if len(each) >= MANY}

    def refusals(self, kinds: list[Kind]) -> Iterator[Answer]:
        """What is said of one of these."""
        yield from (Answer(self.lacking, self.refusal.replace("{operator}", calls.spelled(operator))) for operator, _ in kinds
                    if operator not in self.lowered)
        yield from sorted((self.refused[kind] for kind in kinds if kind in self.refused), key=lambda answer: answer.kind != self.lacking)
        yield from (self.dtypes[dtype] for dtype in sorted(dtypes_of(kinds)) if dtype in self.dtypes)

    def answer(self, program: Program) -> Answer | None:
        kinds = sorted(kinds_in(program), key=repr)
        for answer in self.refusals(kinds):
            return answer
        return Answer("not compared") if kinds and self.taken.issuperset(kinds) else None


def foretold(teller: Foreteller, programs: Iterable[Program], asked: set[str]) -> Iterator[tuple[Program, Answer]]:
    """That an operator is refused somewhere, and that one is taken of which nothing else is known."""
    for program in programs:
        answer = teller.answer(program)
        if answer is not None and (answer.kind in NOT_TAKEN or asked.isdisjoint(operator for operator, _ in program.calls)):
            yield program, answer
