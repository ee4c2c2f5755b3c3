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

TAKEN = {"right", "left", "wrong"}
MANY = 3  # refused programs with a dtype that no other program has
Kind = tuple[str, tuple[tuple[Hashable, int], ...]]  # an operator, and the dtypes of what it takes and gives
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


def dtypes_in(call: Call) -> list[tuple[Hashable, int]]:
    return sorted(((key, value) for key, value in call[1].items() if str(key[0]).endswith("dtype")), key=repr)


def kind_of(call: Call) -> Kind:
    return call[0], tuple(dtypes_in(call))


def kinds_in(program: Program) -> set[Kind]:
    return {kind_of(part) for part in program.parts}


def dtypes_of(kinds: Iterable[Kind]) -> set[int]:
    return {dtype for _, dtypes in kinds for _, dtype in dtypes}


class Foreteller:
    """`lowered`: the operators that the converter has a lowering for. `refusal`: what it says of others."""

    def __init__(self, lowered: set[str], refusal: str, known: list[tuple[Program, Answer]]) -> None:
        self.refusal = refusal
        self.taken = {kind for program, answer in known if answer.kind in TAKEN for kind in kinds_in(program)}
        self.lowered = lowered | {operator for operator, _ in self.taken}
        refused = [(kinds_in(program) - self.taken, answer) for program, answer in known if answer.kind == "refused"]
        self.refused = {kind: answer for kinds, answer in refused if len(kinds) == 1 for kind in kinds}
        self.dtypes = self.of_dtypes(refused)

    def of_dtypes(self, refused: list[tuple[set[Kind], Answer]]) -> dict[int, Answer]:
        """What is said of dtypes that nothing has that is taken."""
        said: dict[int, list[Answer]] = collections.defaultdict(list)
        for kinds, answer in refused:
            for dtype in dtypes_of(kinds) - dtypes_of(self.taken):
                said[dtype].append(answer)
        return {dtype: max(each, key=each.count) for dtype, each in said.items() if len(each) >= MANY}

    def reasons(self, kinds: list[Kind]) -> Iterator[str]:
        """Why one of these is refused."""
        yield from (self.refusal.replace("{operator}", calls.spelled(operator)) for operator, _ in kinds if operator not in self.lowered)
        yield from (self.refused[kind].said for kind in kinds if kind in self.refused)
        yield from (self.dtypes[dtype].said for dtype in sorted(dtypes_of(kinds)) if dtype in self.dtypes)

    def answer(self, program: Program) -> Answer | None:
        kinds = sorted(kinds_in(program), key=repr)
        for said in self.reasons(kinds):
            return Answer("refused", said)
        return Answer("not compared") if kinds and self.taken.issuperset(kinds) else None


def foretold(teller: Foreteller, programs: Iterable[Program], asked: set[str]) -> Iterator[tuple[Program, Answer]]:
    """That an operator is refused somewhere, and that one is taken of which nothing else is known."""
    for program in programs:
        answer = teller.answer(program)
        if answer is not None and (answer.kind == "refused" or asked.isdisjoint(operator for operator, _ in program.calls)):
            yield program, answer
