"""The body of a function, as lines of Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ._document import UNKNOWN, Block, Document, Function, Instance, Node, RefusedError, Tensor, Value
from ._document import plain as as_python
from ._names import base_name, is_identifier, literal
from ._operators import ATOM, LARGEST, Operators, Text, constant
from ._simplify import SAME, behind_same, is_pure
from ._variables import END, Variables, index, variables_of

PLACE = "\0"
"""Stands before the numbers of the places that a line comes from; no text of a file has it, whose strings are written in ASCII."""
UNNAMED = ("x", "y", "z", "u", "v", "w")
"""What tensors are called that the file has no word for."""
WIDTH = 88
SHORT = 60
NEVER_INLINE = {"prim::If", "prim::Loop", "prim::SetAttr", "prim::RaiseException", "prim::TupleUnpack", "prim::ListUnpack", "aten::append"}


class Scope(Protocol):
    """What a function needs to know of the modules around it."""

    def attribute(self, owner: Instance | None, cls: str, text: str, name: str) -> tuple[str, Instance | None]:
        """An attribute of an object, and what object it is."""
        ...

    def call(self, owner: Instance | None, cls: str, text: str, method: str) -> str:
        """How a method is named where it is called."""
        ...

    def is_torch(self, owner: Instance | None) -> bool:
        """Whether a module is one of torch.nn, whose arguments are None where they are left out."""
        ...

    def function(self, name: str) -> str:
        """How a function of the file is called."""
        ...

    def record(self, name: str) -> str:
        """How a named tuple of the file is called."""
        ...

    def plain_class(self, name: str, method: str = "") -> str:
        """How a class of the file is called that is no module, of which a method is called."""
        ...

    def constant(self, value: Any) -> str:
        """A constant that is a tensor."""
        ...

    def literal(self, value: Any) -> str:
        """A value where no module is at hand."""
        ...


@dataclass(frozen=True)
class Written:
    """A function in Python."""

    parameters: str
    lines: list[str]
    key: Any = None
    """The same for functions that differ in the names of variables alone."""


class FunctionWriter:
    """Writes one function."""

    def __init__(
        self,
        document: Document,
        operators: Operators,
        scope: Scope,
        function: Function,
        owner: Instance | None,
        given: Mapping[int, Instance] | None = None,
        taken: Sequence[str] = (),
        *,
        method: bool = True,
    ) -> None:
        """given: the modules that it is called with, by position; method: whether its first argument is `self`"""
        self._document = document
        self._operators = operators
        self._scope = scope
        self._function = function
        self._owner = owner
        self._method = method
        index(function)
        self._inlined: set[Node] = set()
        self._lengths: dict[Node, int] = {}
        self._fold(function.block)
        called = [maker.name for node in function.block.walk() if node.kind == "prim::CallFunction" and (maker := node.inputs[0].maker)]
        taken = [*taken, *(scope.function(name) for name in called if name)]
        self._taken = taken
        self._variables: Variables = variables_of(function, self._leaves, self._leaf_of, self._is_statement, taken)
        self._places: dict[Value, Instance | None] = {}
        if owner is not None:
            self._places[function.block.inputs[0]] = owner
        for position, instance in (given or {}).items():
            self._places[function.block.inputs[position]] = instance

    def write(self) -> Written:
        """The whole function."""
        plain = ["self" if self._method and not at else f"p{at}" for at in range(len(self._function.arguments))]
        parameters, lines = self._written(plain, lambda _: "v", plain=True)
        return Written(*self._written(self._parameter_names(), self._hint), key=(parameters, tuple(without_places(lines))))

    def _written(self, names: Sequence[str], hint: Callable[[Value], str], *, plain: bool = False) -> tuple[str, list[str]]:
        self._variables.name_all(list(zip(self._function.block.inputs, names, strict=True)), hint, plain=plain)
        parameters = []
        for name, argument in zip(names, self._function.arguments, strict=True):
            default = as_python(argument["default"]) if "default" in argument else UNKNOWN
            text = self._scope.literal(default) if default is not UNKNOWN else ""
            parameters.append(f"{name}={text}" if text else name)
        lines = self._lines(self._function.block)
        result = self._returned()
        if result and not (lines and lines[-1].startswith("raise ")):
            lines += self._placed([result], self._function.block.outputs)
        return ", ".join(parameters), lines or ["pass"]

    def _parameter_names(self) -> list[str]:
        names: list[str] = []
        for position, argument in enumerate(self._function.arguments):
            given = argument["name"]
            if re.fullmatch(r"argument_\d+", given):
                given = UNNAMED[min(position, len(UNNAMED)) - 1]
            name = given if is_identifier(given) and given not in ("torch", "nn", "F", "l", "O", "I", "math") else base_name(given) or f"x{position}"
            if position == 0 and self._method:
                name = "self"
            names.append(name if name not in names and name not in self._taken else f"{name}_{position}")
        return names

    def _returned(self) -> str:
        (value,) = self._function.block.outputs
        if value.type == "NoneType" or (value.known and value.const is None):
            return ""
        return f"return {self._expression(value, whole=True)}"

    # What is a statement, and what stands within one.

    def _is_statement(self, node: Node) -> bool:
        return not _is_atom(self._document, node) and node not in self._inlined

    def _fold(self, block: Block) -> None:
        pending: list[Node] = []
        for node in block.nodes:
            for inner in node.blocks:
                self._fold(inner)
            if _is_atom(self._document, node):
                continue
            consumed = self._consumed(node)
            self._bound_length(node, consumed)
            pending = self._flushed(pending, consumed, node)
            if self._may_stand_within(node, block):
                self._inlined.add(node)
                pending.append(node)
        self._flushed(pending, self._consumed_by(block.outputs), END)

    def _flushed(self, pending: list[Node], consumed: list[Node], node: Node) -> list[Node]:
        """Those that still wait, after those that may not be passed by a node have become statements."""
        left = []
        calm = node is not END and is_pure(self._document, node)
        for one in pending:
            if one in consumed and one in self._inlined:
                continue
            quiet = is_pure(self._document, one)
            if one not in self._inlined:
                continue
            if node is END or not quiet or not calm:
                self._inlined.discard(one)
            else:
                left.append(one)
        return left

    def _consumed(self, node: Node) -> list[Node]:
        return self._consumed_by(node.inputs[:3] if node.kind == "prim::Loop" else node.inputs)

    def _consumed_by(self, values: Sequence[Value]) -> list[Node]:
        """Each once, in the order of the values."""
        makers = dict.fromkeys(behind_same(value).maker for value in values)
        return [maker for maker in makers if maker is not None and maker in self._inlined]

    def _bound_length(self, node: Node, consumed: list[Node]) -> None:
        """Lets operands be statements where a line would grow too long."""
        parts = {one: self._lengths[one] for one in consumed}
        own = len(node.kind) - 4 + 8 * len(node.inputs)
        total = own + sum(parts.values())
        for one, length in sorted(parts.items(), key=lambda part: -part[1]):
            if total <= SHORT + 20 or not one.out.is_tensor:
                break
            self._inlined.discard(one)
            total -= length
        self._lengths[node] = total

    def _may_stand_within(self, node: Node, block: Block) -> bool:
        user = None if len(node.outputs) != 1 or node.kind in NEVER_INLINE else _only_user(node)
        if user is None:
            return False
        if user.kind == "prim::Loop" and block is user.blocks[0] and node.out is block.outputs[0]:
            return node.kind.startswith("aten::")
        there = user in block.nodes or (user is END and block is self._function.block)
        if not there or (user.kind in ("prim::If", "prim::Loop") and not self._is_head(node, user)):
            return False
        if node.kind in ("prim::CallMethod", "prim::CallFunction"):
            return user is END or user.kind in ("prim::TupleUnpack", "prim::ListUnpack")
        return self._lengths[node] <= (SHORT if node.out.is_tensor else WIDTH)

    def _is_head(self, node: Node, user: Node) -> bool:
        """Whether it is read where a branch or a loop begins, and nowhere else in it."""
        heads = [behind_same(value).maker for value in user.inputs[: 1 if user.kind == "prim::If" else 2]]
        return node in heads

    def _leaf_of(self, value: Value) -> Iterator[Value]:
        """The variables that an expression reads."""
        maker = value.maker
        if maker is None:
            yield value
        elif maker.kind in ("prim::Constant", "prim::Uninitialized"):
            return
        elif _is_atom(self._document, maker) or maker in self._inlined:
            for operand in maker.inputs:
                yield from self._leaf_of(operand)
        else:
            yield value

    def _leaves(self, node: Node) -> Iterator[Value]:
        for value in node.inputs:
            yield from self._leaf_of(value)

    def _hint(self, value: Value) -> str:
        """What a variable is called that the file has no word for."""
        maker = value.maker
        if value.is_tensor or "Tensor" in value.type:
            return "x" if value.is_tensor else "xs"
        name = maker.kind.partition("::")[2] if maker is not None and maker.kind.startswith("aten::") else ""
        if name.isalpha() and name.islower() and name not in ("eq", "ne", "lt", "le", "gt", "ge"):
            return base_name(name) or "value"
        kinds = {"int": "number" if maker else "i", "bool": "holds", "float": "number", "str": "text"}
        return kinds.get(value.type, "items" if value.type.startswith("List[") else "value")

    # Statements.

    def _lines(self, block: Block) -> list[str]:
        return self._of_nodes(block.nodes)

    def _of_nodes(self, nodes: Sequence[Node]) -> list[str]:
        lines: list[str] = []
        at = 0
        while at < len(nodes):
            node, at = nodes[at], at + 1
            if node.kind == "prim::Enter":
                ends = (end for end in range(at, len(nodes)) if nodes[end].kind == "prim::Exit" and nodes[end].inputs[0] is node.inputs[0])
                end = next(ends, len(nodes))
                lines += [self._with(node), *_indented(self._of_nodes(nodes[at:end]) or ["pass"])]
                at = end + 1
            elif self._is_statement(node):
                lines += self._placed(self._statement(node), node.inputs, node)
                if node.kind == "prim::RaiseException":
                    break
        return lines

    def _with(self, node: Node) -> str:
        for method in ("__enter__", "__exit__"):
            self._scope.plain_class(node.inputs[0].type, method)
        given = f" as {self._variables.name(node.out)}" if node.out.users else ""
        return f"with {self._expression(node.inputs[0])}{given}:"

    def _placed(self, lines: list[str], values: Sequence[Value], node: Node | None = None) -> list[str]:
        """A statement whose first line says where it comes from, with all that stands within it."""
        found = [*([node.place] if node else []), *(place for value in values for place in self._places_of(value))]
        places = list(dict.fromkeys(place for place in found if place))
        if not lines or not places or PLACE in lines[0]:
            return lines
        return [f"{lines[0]}{PLACE}{','.join(str(self._document.place_number(place)) for place in places)}", *lines[1:]]

    def _places_of(self, value: Value) -> Iterator[str]:
        maker = behind_same(value).maker
        if maker is not None and (maker in self._inlined or _is_atom(self._document, maker)) and maker.kind != "prim::Constant":
            yield maker.place
            for operand in maker.inputs:
                yield from self._places_of(operand)

    def _statement(self, node: Node) -> list[str]:
        if node.kind == "prim::If":
            return self._branch(node)
        if node.kind == "prim::Loop":
            return self._loop(node)
        if node.kind == "prim::RaiseException":
            return [f"raise RuntimeError({self._expression(node.inputs[0])})"]
        if node.kind == "prim::SetAttr":
            return [f"{self._attribute(node, node.inputs[0])} = {self._expression(node.inputs[1])}"]
        text = self._node(node, whole=node.kind in ("prim::TupleUnpack", "prim::ListUnpack")).text
        targets = [self._variables.name(value) if value.users else "_" for value in node.outputs]
        if not any(value.users for value in node.outputs):
            return [text]
        if targets == [text]:
            return []
        return [f"{', '.join(targets)}{',' if self._unpacks_one(node) else ''} = {text}"]

    def _unpacks_one(self, node: Node) -> bool:
        return len(node.outputs) == 1 and node.kind in ("prim::TupleUnpack", "prim::ListUnpack")

    def _branch(self, node: Node) -> list[str]:
        condition = self._expression(node.inputs[0])
        bodies = [self._lines(block) + self._copies(node.outputs, block) for block in node.blocks]
        choice = self._assertion(node, bodies) or self._choice(node, condition, bodies)
        if choice:
            return choice
        first, second = bodies
        if not first and second:
            first, second = second, first
            condition = (
                condition.removeprefix("not ")
                if re.fullmatch(r"not [\w.]+", condition)
                else f"not {condition if _is_word(condition) else f'({condition})'}"
            )
        lines = [f"if {condition}:", *_indented(first or ["pass"])]
        if second and _is_one_branch(second):
            return [*lines, f"el{second[0]}", *second[1:]]
        return [*lines, "else:", *_indented(second)] if second else lines

    def _assertion(self, node: Node, bodies: list[list[str]]) -> list[str]:
        """A check of values that raises, as the operator that does the same in an exported program, and what follows where it does not."""
        value, holds, maker = node.inputs[0], True, node.inputs[0].maker
        while maker is not None and maker.kind == "aten::__not__" and maker in self._inlined:
            value, holds = maker.inputs[0], not holds
            maker = value.maker
        if maker is None or maker.kind != "aten::Bool" or not maker.inputs[0].is_tensor or maker not in self._inlined:
            return []
        for taken, block in enumerate(node.blocks):
            message = _raised(block)
            if message is not None and _raised(node.blocks[1 - taken]) is None:
                tensor = self._text(maker.inputs[0]).at(ATOM)
                # The first arm raises where the condition holds, which must not be.
                asserted = tensor if bool(taken) == holds else f"{tensor}.logical_not()"
                return [f"torch._assert_async({asserted}, {literal(message)})", *bodies[1 - taken]]
        return []

    def _choice(self, node: Node, condition: str, bodies: list[list[str]]) -> list[str]:
        """A conditional expression, where each branch only picks a value."""
        if len(node.outputs) != 1 or any(len(body) > 1 for body in bodies):
            return []
        if any(self._is_statement(inner) for block in node.blocks for inner in block.nodes):
            return []
        picks = [self._expression(block.outputs[0]) for block in node.blocks]
        name = self._variables.name(node.out)
        line = f"{name} = {picks[0]} if {condition} else {picks[1]}"
        uninitialised = any(_maker_kind(block.outputs[0]) == "prim::Uninitialized" for block in node.blocks)
        return [line] if len(line) <= WIDTH and not uninitialised and name not in picks and " if " not in picks[0] + picks[1] + condition else []

    def _copies(self, targets: Sequence[Value], block: Block) -> list[str]:
        """What the end of a branch or of a loop's body hands on."""
        if block.nodes and block.nodes[-1].kind == "prim::RaiseException":
            return []
        return self._assigned(targets, block.outputs)

    def _assigned(self, targets: Sequence[Value], values: Sequence[Value]) -> list[str]:
        pairs = []
        for target, value in zip(targets, values, strict=True):
            if target not in self._variables or not self._is_read(target) or _maker_kind(value) == "prim::Uninitialized":
                continue
            name, text = self._variables.name(target), self._expression(value)
            if name != text:
                pairs.append((name, text))
        later = [any(re.search(rf"\b{re.escape(name)}\b", text) for _, text in pairs[at + 1 :]) for at, (name, _) in enumerate(pairs)]
        if any(later):
            return [f"{', '.join(name for name, _ in pairs)} = {', '.join(text for _, text in pairs)}"]
        return [f"{name} = {text}" for name, text in pairs]

    def _is_read(self, value: Value) -> bool:
        return bool(value.users) or value.maker is None or value.maker.kind == "prim::Loop"

    def _loop(self, node: Node) -> list[str]:
        (body,) = node.blocks
        counter, carried = body.inputs[0], body.inputs[1:]
        before = self._assigned(carried, node.inputs[2:])
        lines = self._lines(body)
        ends = node.inputs[1], body.outputs[0]
        following = self._assigned(carried, body.outputs[1:])
        if all(value.known and value.const is True for value in ends):
            return [*before, self._for(node, counter), *_indented([*lines, *following] or ["pass"])]
        first, again = (self._expression(value) for value in ends)
        counted = not node.inputs[0].known or node.inputs[0].const != LARGEST or bool(counter.users)
        if first == again and not before and not following and not counted:
            return [f"while {first}:", *_indented(lines or ["pass"])]
        going = self._going(node)
        before.insert(0, f"{going} = {first}")
        last = [f"{going} = {again}"]
        following = _in_one(last + following) if following else last
        if not counted:
            return [*before, f"while {going}:", *_indented([*lines, *following])]
        leave = [f"if not {going}:", "    break"]
        return [*before, self._for(node, counter), *_indented([*leave, *lines, *following])]

    def _going(self, node: Node) -> str:
        """The name of what says whether a loop goes on."""
        depth = sum(1 for other in self._function.block.walk() if other.kind == "prim::Loop" and node in other.blocks[0].walk())
        return f"going{depth or ''}"

    def _for(self, node: Node, counter: Value) -> str:
        name = self._variables.name(counter) if counter.users else "_"
        trips = behind_same(node.inputs[0])
        maker = trips.maker
        if maker is not None and maker.kind == "aten::__range_length" and maker in self._inlined and not counter.users:
            return f"for _ in range({', '.join(self._expression(value) for value in maker.inputs)}):"
        return f"for {name} in range({self._expression(node.inputs[0])}):"

    # Expressions.

    def _expression(self, value: Value, *, whole: bool = False) -> str:
        return self._text(value, whole=whole).text

    def _text(self, value: Value, *, whole: bool = False) -> Text:
        """whole: what it is part of takes any sequence for a list"""
        maker = value.maker
        if value in self._variables and (maker is None or maker not in self._inlined) and not (maker and _is_atom(self._document, maker)):
            return Text(self._variables.name(value))
        if maker is None:
            raise RefusedError("a value of its code comes from nowhere")
        if maker.kind == "prim::Uninitialized":
            return Text("None")
        if maker.kind in SAME:
            return self._text(maker.inputs[0], whole=whole)
        if maker.kind == "prim::GetAttr":
            return Text(self._attribute(maker, maker.inputs[0]))
        if value.known and maker.kind == "prim::Constant":
            return self._constant(value)
        return self._node(maker, whole=whole)

    def _constant(self, value: Value) -> Text:
        if isinstance(value.const, Tensor):
            return Text(self._scope.constant(value.const))
        return constant(value.const)

    def _attribute(self, node: Node, owner: Value) -> str:
        text, found = self._scope.attribute(self._object(owner), owner.type, self._text(owner).at(ATOM), node.name)
        if node.outputs:
            self._places[node.out] = found
        return text

    def _object(self, value: Value) -> Instance | None:
        if value not in self._places and value.maker is not None and value.maker.kind == "prim::GetAttr":
            self._attribute(value.maker, value.maker.inputs[0])
        return self._places.get(value)

    def _node(self, node: Node, *, whole: bool = False) -> Text:
        writer = getattr(self, f"_write_{node.kind.partition('::')[2]}", None) if node.kind.startswith("prim::") else None
        if writer is not None:
            text: Text = writer(node)
            return text
        takes_any = node.kind in ("aten::__getitem__", "aten::len") or (bool(node.outputs) and node.out.is_tensor)
        written = self._operators.write(node, [self._text(value, whole=takes_any) for value in node.inputs])
        return written if whole or not self._gives_a_tuple(node) else Text(f"list({written})")

    def _gives_a_tuple(self, node: Node) -> bool:
        """Whether Python gives a tuple, or a view of a dict, where TorchScript has a list."""
        if len(node.outputs) != 1 or not node.out.type.startswith("List["):
            return False
        if node.kind in ("aten::keys", "aten::values", "aten::items"):
            return True
        arguments = self._document.arguments(node)
        return bool(arguments) and arguments[0]["type"].startswith("Tensor") and node.out.type in ("List[Tensor]", "List[int]")

    def _several(self, node: Node) -> list[str]:
        return [self._expression(value) for value in node.inputs]

    def _write_ListConstruct(self, node: Node) -> Text:  # noqa: N802  TorchScript's own name, as below
        return Text(f"[{', '.join(self._several(node))}]")

    def _write_TupleConstruct(self, node: Node) -> Text:  # noqa: N802
        inside = ", ".join(self._several(node))
        if node.out.type in self._document.tuples:
            return Text(f"{self._scope.record(node.out.type)}({inside})")
        return Text(f"({inside}{',' if len(node.inputs) == 1 else ''})")

    def _write_DictConstruct(self, node: Node) -> Text:  # noqa: N802
        parts = self._several(node)
        return Text("{" + ", ".join(f"{key}: {value}" for key, value in zip(parts[::2], parts[1::2], strict=True)) + "}")

    def _write_TupleIndex(self, node: Node) -> Text:  # noqa: N802
        return Text(f"{self._text(node.inputs[0]).at(ATOM)}[{self._expression(node.inputs[1])}]")

    def _write_TupleSlice(self, node: Node) -> Text:  # noqa: N802
        return Text(f"{self._text(node.inputs[0]).at(ATOM)}[{node.span[0]}:{node.span[1]}]")

    def _write_TupleUnpack(self, node: Node) -> Text:  # noqa: N802
        return self._text(node.inputs[0], whole=True)

    def _write_ListUnpack(self, node: Node) -> Text:  # noqa: N802
        return self._write_TupleUnpack(node)

    def _write_GetAttr(self, node: Node) -> Text:  # noqa: N802
        return Text(self._attribute(node, node.inputs[0]))

    def _write_CallMethod(self, node: Node) -> Text:  # noqa: N802
        owner = node.inputs[0]
        called = self._scope.call(self._object(owner), owner.type, self._text(owner).at(ATOM), node.name)
        given = [self._expression(value) for value in node.inputs[1:]]
        while given and given[-1] == "None" and self._scope.is_torch(self._object(owner)):
            given.pop()
        return Text(f"{called}({', '.join(given)})")

    def _write_MakeObject(self, node: Node) -> Text:  # noqa: N802
        return Text(f"{self._scope.plain_class(node.out.type, '__init__')}({', '.join(self._several(node))})")

    def _write_CallFunction(self, node: Node) -> Text:  # noqa: N802
        maker = node.inputs[0].maker
        if maker is None or not maker.name:
            raise RefusedError("it calls a function that is not named")
        return Text(f"{self._scope.function(maker.name)}({', '.join(self._expression(value) for value in node.inputs[1:])})")

    def _write_isinstance(self, node: Node) -> Text:
        if node.out.known:
            return Text(repr(bool(node.out.const)))
        known = {
            "Tensor": "torch.Tensor",
            "int": "int",
            "float": "float",
            "bool": "bool",
            "str": "str",
            "NoneType": "type(None)",
            "list": "list",
            "tuple": "tuple",
        }
        names = [
            known.get(type_)
            or next((word for start, word in (("List[", "list"), ("Tuple[", "tuple"), ("Dict[", "dict")) if type_.startswith(start)), "")
            or (self._scope.plain_class(type_) if type_ in self._document.made_classes and not self._document.is_module(type_) else "")
            for type_ in node.types
        ]
        if not all(names):
            raise RefusedError("it asks for the type of a value in a way that Python does not")
        return Text(f"isinstance({self._expression(node.inputs[0])}, {names[0] if len(names) == 1 else '(' + ', '.join(names) + ')'})")

    def _write_tolist(self, node: Node) -> Text:
        return Text(f"{self._text(node.inputs[0]).at(ATOM)}.tolist()")


def _only_user(node: Node) -> Node | None:
    """What alone reads the output of a node, behind what only passes it on."""
    users = list(node.out.users)
    while len(users) == 1 and users[0].kind in SAME:
        users = list(users[0].out.users)
    return users[0] if len(users) == 1 else None


def _is_atom(document: Document, node: Node) -> bool:
    """Whether it means the same wherever it is written."""
    if node.kind in ("prim::Constant", "prim::Uninitialized") or node.kind in SAME:
        return True
    return node.kind == "prim::GetAttr" and (node.inputs[0].type, node.name) not in document.set_attributes


def _raised(block: Block) -> str | None:
    """What a block raises that does nothing else; None where it is no such block."""
    last = block.nodes[-1] if block.nodes else None
    if last is None or last.kind != "prim::RaiseException" or not isinstance(last.inputs[0].const, str):
        return None
    return last.inputs[0].const if all(node.kind in ("prim::Constant", "prim::Uninitialized") for node in block.nodes[:-1]) else None


def _maker_kind(value: Value) -> str:
    return value.maker.kind if value.maker is not None else ""


def _is_word(text: str) -> bool:
    return bool(re.fullmatch(r"[\w.]+(\([^()]*\))?", text))


def without_places(lines: Sequence[str]) -> list[str]:
    """The lines as they are written."""
    return [line.partition(PLACE)[0] for line in lines]


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _is_one_branch(lines: Sequence[str]) -> bool:
    return lines[0].startswith("if ") and all(line.startswith((" ", "else:", "elif ")) for line in lines[1:])


def _in_one(lines: Sequence[str]) -> list[str]:
    """Assignments as one, so that none sees what another has assigned."""
    pairs = [line.partition(" = ") for line in lines]
    if any(", " in name for name, _, _ in pairs):
        names = ", ".join(name for name, _, _ in pairs)
        return [f"{names} = {', '.join(text for _, _, text in pairs)}"]
    return [f"{', '.join(name for name, _, _ in pairs)} = {', '.join(text for _, _, text in pairs)}"]
