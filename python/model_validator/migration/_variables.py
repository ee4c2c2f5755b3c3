"""Which values of a function are variables, when they are needed, and what they are called."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ._document import Block, Function, Node, Value
from ._names import RESERVED, base_name


@dataclass(eq=False)
class _Variable:
    """Values that share a name."""

    values: list[Value]
    ranges: list[tuple[float, float]] = field(default_factory=list)
    fixed: str = ""

    def overlaps(self, other: _Variable) -> bool:
        return any(start < end2 and start2 < end for start, end in self.ranges for start2, end2 in other.ranges)


class _Places:
    """Walks the statements in order, and notes where values come to be and are read."""

    def __init__(
        self, leaves: Callable[[Node], Iterable[Value]], leaf_of: Callable[[Value], Iterable[Value]], is_statement: Callable[[Node], bool]
    ) -> None:
        self._leaves = leaves
        self._leaf_of = leaf_of
        self._is_statement = is_statement
        self._at = 0
        self._loops: list[dict[Value, None]] = []
        self.born: dict[Value, float] = {}
        self.read: dict[Value, list[float]] = {}
        self.wishes: list[tuple[Value, Value]] = []
        """Values that had best be one variable, the most wanted first."""
        self.bound: list[tuple[Value, Value]] = []
        """Values that are one variable."""
        self.extra: dict[Value, list[tuple[float, float]]] = {}
        self.chains: list[tuple[Value, Value]] = []

    def run(self, function: Function) -> None:
        for value in function.block.inputs:
            self.born[value] = 0
        self._block(function.block)
        self._at += 1
        self._use(function.block.outputs)

    def _use(self, values: Iterable[Value]) -> None:
        for value in values:
            for leaf in self._leaf_of(value):
                self._read(leaf)

    def _read(self, leaf: Value) -> None:
        self.read.setdefault(leaf, []).append(self._at)
        for loop in self._loops:
            loop[leaf] = None

    def _block(self, block: Block) -> None:
        for node in block.nodes:
            if not self._is_statement(node):
                continue
            self._at += 1
            for leaf in self._leaves(node):
                self._read(leaf)
            if node.kind == "prim::If":
                self._branch(node)
            elif node.kind == "prim::Loop":
                self._loop(node)
            else:
                self._plain(node)

    def _plain(self, node: Node) -> None:
        for output in node.outputs:
            self.born[output] = self._at
        if len(node.outputs) == 1 and node.out.is_tensor:
            operands = [leaf for leaf in self._leaves(node) if leaf.is_tensor]
            if operands:
                self.chains.append((operands[0], node.out))

    def _branch(self, node: Node) -> None:
        ends = []
        for block in node.blocks:
            self._block(block)
            self._at += 1
            self._use(block.outputs)
            ends.append(self._at)
            self.wishes += zip(node.outputs, block.outputs, strict=True)
        for output in node.outputs:
            self.born[output] = ends[1]
            self.extra[output] = [(ends[0], ends[0] + 0.5)]

    def _loop(self, node: Node) -> None:
        start, (body,) = self._at, node.blocks
        carried = body.inputs[1:]
        for value in body.inputs:
            self.born[value] = start
        self._loops.append({})
        self._block(body)
        self._at += 1
        self._use(body.outputs)
        for value in self._loops.pop():
            if self.born.get(value, 0) < start:
                self.read[value].append(self._at)
        for value, first, following, after in zip(carried, node.inputs[2:], body.outputs[1:], node.outputs, strict=True):
            self.born[after] = self._at
            self.extra[after] = [(self._at, self._at + 0.5)]
            self.bound.append((value, after))
            self.wishes += [(value, following), (value, first)]


class Variables:
    """The names of the variables of a function."""

    def __init__(self, places: _Places, taken: Iterable[str]) -> None:
        self._of: dict[Value, _Variable] = {}
        self._taken = set(taken)
        for value, born in places.born.items():
            last = max(places.read.get(value, [born]))
            self._of[value] = _Variable([value], [(born, max(last, born + 0.5)), *places.extra.get(value, ())])
        for one, other in places.bound:
            self._join(one, other)
        for one, other in [*places.wishes, *places.chains]:
            self._join_if_free(one, other)
        self._names: dict[_Variable, str] = {}

    def _join(self, one: Value, other: Value) -> None:
        kept, gone = self._of[one], self._of[other]
        if kept is gone:
            return
        kept.values += gone.values
        kept.ranges += gone.ranges
        kept.fixed = kept.fixed or gone.fixed
        for value in gone.values:
            self._of[value] = kept

    def _join_if_free(self, one: Value, other: Value) -> None:
        first, second = self._of.get(one), self._of.get(other)
        if first is None or second is None or first is second or first.overlaps(second) or (first.fixed and second.fixed):
            return
        if _may_share_a_name(one, _named(first), other, _named(second)) and _may_share_a_type(one.type, other.type):
            self._join(one, other)

    def name_all(self, parameters: Sequence[tuple[Value, str]], hint: Callable[[Value], str], *, plain: bool = False) -> None:
        """Names them: parameters as given, others after what the file calls them, or by the hint; `plain`: all by the hint."""
        for value, name in parameters:
            self._of[value].fixed = name
        done: list[tuple[_Variable, str]] = []
        variables = list(dict.fromkeys(self._of.values()))
        for variable in sorted(variables, key=lambda one: (not one.fixed, min(start for start, _ in one.ranges))):
            wanted = variable.fixed or ("" if plain else _named(variable)) or hint(variable.values[0])
            name, count = wanted, 1
            while not variable.fixed and (name in self._taken or any(name == used and variable.overlaps(other) for other, used in done)):
                count += 1
                name = "xyzuvw"[count - 1] if wanted == "x" and count < 7 else f"{wanted}{count}"
            done.append((variable, name))
            self._names[variable] = name

    def name(self, value: Value) -> str:
        """The name of a variable."""
        return self._names[self._of[value]]

    def __contains__(self, value: object) -> bool:
        return value in self._of


def _may_share_a_name(one: Value, mine: str, other: Value, yours: str) -> bool:
    """Whether one of them has no name of its own, is passed in, or is made by a branch."""
    return not mine or not yours or mine == yours or one.maker is None or other.maker is None or other.maker.kind == "prim::If"


def _may_share_a_type(one: str, other: str) -> bool:
    return one == other or "NoneType" in (one, other) or "Optional" in one + other


def _named(variable: _Variable) -> str:
    if variable.fixed:
        return variable.fixed
    return next((name for name in (base_name(value.hint) for value in variable.values) if name), "")


def variables_of(
    function: Function,
    leaves: Callable[[Node], Iterable[Value]],
    leaf_of: Callable[[Value], Iterable[Value]],
    is_statement: Callable[[Node], bool],
    taken: Iterable[str],
) -> Variables:
    """The variables of a function whose statements are known."""
    places = _Places(leaves, leaf_of, is_statement)
    places.run(function)
    return Variables(places, {*RESERVED, *taken})


def index(function: Function) -> None:
    """Notes of each value who makes it, and who reads it."""
    for value in function.block.inputs:
        value.maker, value.users = None, []
    for node in function.block.walk():
        for value in node.outputs:
            value.maker, value.users = node, []
        for value in (inner for block in node.blocks for inner in block.inputs):
            value.maker, value.users = None, []
    for reader, values in _readings(function):
        for value in values:
            value.users.append(reader)


END = Node("return", [], [])
"""Stands for the reader of what a function returns."""


def _readings(function: Function) -> Iterator[tuple[Node, Sequence[Value]]]:
    yield END, function.block.outputs
    for node in function.block.walk():
        yield node, node.inputs
        for block in node.blocks:
            yield node, block.outputs
