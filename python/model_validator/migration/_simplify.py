"""Code of a file, made simpler without changing what it computes: functions of torch are put in place of their calls,
conditions that are known are decided, and what nobody reads is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from ._document import UNKNOWN, Block, Document, Function, Instance, Node, Tensor, Value

RANDOM = ("rand", "dropout", "bernoulli", "normal", "multinomial", "poisson", "exponential", "uniform", "geometric", "cauchy")
PURE = set(
    "prim::Constant prim::GetAttr prim::ListConstruct prim::TupleConstruct prim::DictConstruct prim::TupleIndex prim::TupleUnpack"
    " prim::ListUnpack prim::unchecked_cast prim::NumToTensor prim::Uninitialized prim::isinstance prim::TupleSlice prim::device"
    " prim::dtype prim::data prim::layout prim::is_cuda prim::min prim::max prim::abs prim::unchecked_unwrap_optional".split()
)
SAME = {"prim::unchecked_cast", "aten::_unwrap_optional", "prim::unchecked_unwrap_optional"}
"""They hand on what they are given."""
FUNCTIONAL = "__torch__.torch.nn.functional."


def is_pure(document: Document, node: Node) -> bool:
    """Whether leaving it out, if nobody reads its outputs, changes nothing else."""
    if node.kind in PURE:
        return True
    if not node.schema and node.kind.startswith("aten::"):
        return True  # made here, of numbers
    if not node.kind.startswith("aten::") or node.schema not in document.operators or any(word in node.kind for word in RANDOM):
        return False
    return not any(argument["written"] for argument in document.arguments(node)) and node.kind not in ("aten::warn", "aten::Delete")


def known_attribute(document: Document, instance: Instance | None, node: Node) -> Any:
    """The value of an attribute that no code writes, as the file stores it; a tensor or an object has none."""
    if instance is None or (node.inputs[0].type, node.name) in document.set_attributes:
        return UNKNOWN
    value = document.values(instance).get(node.name, UNKNOWN)
    return value if value is None or (isinstance(value, bool | int | float | str | tuple | list) and not _holds_more(value)) else UNKNOWN


def _holds_more(value: Any) -> bool:
    if isinstance(value, tuple | list):
        return any(_holds_more(item) for item in value)
    return not (value is None or isinstance(value, bool | int | float | str))


def behind_same(value: Value) -> Value:
    """The value that is handed on."""
    while value.maker is not None and value.maker.kind in SAME:
        value = value.maker.inputs[0]
    return value


class Simplifier:
    """Simplifies one function."""

    def __init__(self, document: Document, instance: Instance | None = None, *, leaf: bool = False) -> None:
        """leaf: every call is put in place, attributes are what `instance` holds, and checks that only raise are dropped"""
        self._document = document
        self._instance = instance
        self._leaf = leaf
        self._places: dict[Value, Value] = {}
        self._objects: dict[Value, Instance] = {}
        self._names: dict[Value, str] = {}
        self._items: dict[Value, Value] = {}
        """Numbers that are read of tensors."""
        self._depth = 0

    def run(self, function: Function) -> Function:
        """The function itself, simplified."""
        if self._leaf and self._instance is not None:
            self._objects[function.block.inputs[0]] = self._instance
        _note_functions(function.block, self._names)
        self._block(function.block)
        _Numbers(self._document).run(function.block)
        while _sweep(self._document, function.block):
            pass
        return function

    def _value(self, value: Value) -> Value:
        while value in self._places:
            value = self._places[value]
        return value

    def _block(self, block: Block) -> None:
        done: list[Node] = []
        left = list(reversed(block.nodes))
        while left:
            node = left.pop()
            node.inputs = [self._value(value) for value in node.inputs]
            replaced = self._replaced(node)
            if replaced is None:
                for inner in node.blocks:
                    self._block(inner)
                done.append(node)
            else:
                left.extend(reversed(replaced))
        block.nodes = done
        block.outputs = [self._value(value) for value in block.outputs]

    def _replaced(self, node: Node) -> list[Node] | None:
        """What stands in the place of a node; None if it stays."""
        if node.kind in SAME and (node.inputs[0].known or node.inputs[0].type == node.out.type):
            self._places[node.out] = node.inputs[0]
            return []
        match node.kind:
            case "prim::If":
                return self._decided(node)
            case "prim::CallFunction":
                return self._call(node)
            case "prim::CallMethod" if self._leaf:
                return self._method(node)
            case "prim::CallMethod" if node.name == "__init__":
                return [Node("prim::MakeObject", node.inputs[1:], [node.inputs[0]])]
            case "prim::CreateObject":
                return []
        self._note(node)
        return None

    def _note(self, node: Node) -> None:
        """Notes what is known of the outputs of a node that stays."""
        if node.kind == "prim::GetAttr":
            self._note_attribute(node)
        elif node.kind == "prim::isinstance":
            node.out.const = self._is_instance(node)
        elif node.kind == "aten::item":
            self._items[node.out] = node.inputs[0]
        elif node.kind in ("aten::Int", "aten::Float") and node.inputs[0] in self._items:
            node.inputs, node.schema = [self._items[node.inputs[0]]], ""
        elif len(node.outputs) == 1 and node.kind != "prim::Constant":
            node.out.const = _evaluated(node)

    def _is_instance(self, node: Node) -> Any:
        """Of a class of which the file makes no object, nothing is one."""
        if all(type_ in self._document.classes and type_ not in self._document.made_classes for type_ in node.types):
            return False
        return True if node.inputs[0].type in node.types else UNKNOWN

    def _note_attribute(self, node: Node) -> None:
        owner = self._objects.get(node.inputs[0])
        if owner is None:
            return
        value = self._document.values(owner).get(node.name)
        if isinstance(value, Instance):
            self._objects[node.out] = value
        node.out.const = known_attribute(self._document, owner, node)
        if isinstance(value, Tensor):
            node.out.type = "Tensor"

    def _decided(self, node: Node) -> list[Node] | None:
        taken: Block | None = None
        if node.inputs[0].known:
            taken = node.blocks[0] if node.inputs[0].const else node.blocks[1]
        elif self._leaf:
            taken = _the_other_raises(node)
        if taken is None:
            return None
        for output, result in zip(node.outputs, taken.outputs, strict=True):
            self._places[output] = result
        return taken.nodes

    def _call(self, node: Node) -> list[Node] | None:
        name = self._names.get(node.inputs[0], "")
        body = self._document.functions.get(name)
        if body is None or not (self._leaf or name.startswith(FUNCTIONAL)):
            return None
        return self._in_place(node, body, node.inputs[1:], straight=not self._leaf)

    def _method(self, node: Node) -> list[Node] | None:
        owner = self._objects.get(node.inputs[0])
        if owner is None:
            return None
        body = self._document.methods(self._document.class_of(owner)).get(node.name)
        return None if body is None else self._in_place(node, body, node.inputs, straight=False)

    def _in_place(self, node: Node, body: Mapping[str, Any], inputs: list[Value], *, straight: bool) -> list[Node] | None:
        if self._depth > 20:
            return None
        function = self._document.function(body)
        inner = Simplifier(self._document, leaf=self._leaf)
        inner._depth = self._depth + 1
        for parameter, given in zip(function.block.inputs, inputs, strict=True):
            inner._places[parameter] = given
            if given in self._objects:
                inner._objects[given] = self._objects[given]
        _note_functions(function.block, inner._names)
        inner._block(function.block)
        if straight and any(each.blocks or each.kind == "prim::RaiseException" for each in function.block.nodes):
            while _sweep(self._document, function.block):
                pass
            if any(each.blocks for each in function.block.nodes):
                return None
        self._objects.update(inner._objects)
        results = function.block.outputs
        if len(node.outputs) != len(results):
            return None
        for output, result in zip(node.outputs, results, strict=True):
            self._places[output] = result
        return function.block.nodes


def _note_functions(block: Block, names: dict[Value, str]) -> None:
    """Which values are functions, and their names."""
    for node in block.walk():
        if node.kind == "prim::Constant" and node.name:
            names[node.out] = node.name


def simplified(document: Document, body: Mapping[str, Any], instance: Instance | None = None, *, leaf: bool = False) -> Function:
    """A function of the file, simplified."""
    function = document.function(body)
    return Simplifier(document, instance, leaf=leaf).run(function)


class _Numbers:
    """Computes with sizes as numbers, where a trace has made tensors of them."""

    SIGNS: Mapping[str, str] = {
        "aten::add": "add",
        "aten::sub": "sub",
        "aten::mul": "mul",
        "aten::floor_divide": "floordiv",
        "aten::remainder": "remainder",
        "aten::mul_": "mul",
        "aten::add_": "add",
        "aten::div": "floordiv",
    }

    def __init__(self, document: Document) -> None:
        self._document = document
        self._numbers: dict[Value, Value] = {}
        self._places: dict[Value, Value] = {}
        self._natural: set[Value] = set()
        """Numbers that are never negative."""
        self._readings: Counter[Value] = Counter()

    def run(self, block: Block) -> None:
        """All of a block, and what is in it."""
        if not self._readings:
            self._readings.update(value for node in block.walk() for value in node.inputs)
        done: list[Node] = []
        for node in block.nodes:
            node.inputs = [self._places.get(value, value) for value in node.inputs]
            for inner in node.blocks:
                self.run(inner)
            done += self._numbered(node)
        block.nodes = done
        block.outputs = [self._places.get(value, value) for value in block.outputs]

    def _numbered(self, node: Node) -> list[Node]:
        if node.kind == "prim::NumToTensor" and node.inputs[0].type == "int":
            self._numbers[node.out] = node.inputs[0]
        elif node.kind == "aten::size" and node.out.type == "int":
            self._natural.add(node.out)
        elif node.kind in ("aten::Int", "aten::IntImplicit", "aten::ScalarImplicit", "aten::item") and node.inputs[0] in self._numbers:
            self._places[node.out] = self._numbers[node.inputs[0]]
            return []
        elif node.kind in self.SIGNS and any(value in self._numbers for value in node.inputs[:2]):
            return self._computed(node)
        return [node]

    def _computed(self, node: Node) -> list[Node]:
        operands = [self._number(value) for value in node.inputs[:2]]
        first, second = operands
        if first is None or second is None or not self._is_of_integers(node, first, second):
            return [node]
        if second.const == 0 and node.kind in ("aten::add", "aten::sub"):
            self._numbers[node.out] = first
            return [node]
        made = Value(node.out.hint, "int")
        self._numbers[node.out] = made
        if node.kind != "aten::sub" and self._is_natural(first) and self._is_natural(second):
            self._natural.add(made)
        number = Node(f"aten::{self.SIGNS[node.kind]}", [first, second], [made])
        # What is written in place is the number from here on: nobody else has the tensor.
        return [number, Node("prim::NumToTensor", [made], [node.out]) if node.kind.endswith("_") else node]

    def _is_of_integers(self, node: Node, first: Value, second: Value) -> bool:
        if node.kind == "aten::div":
            rounded = node.inputs[2].const if len(node.inputs) == 3 else None
            return rounded == "floor" or (rounded == "trunc" and self._is_natural(first) and self._is_natural(second))
        if node.kind.endswith("_") and self._readings[node.inputs[0]] != 1:
            return False
        return all(value.const == 1 for value in node.inputs[2:])

    def _is_natural(self, value: Value) -> bool:
        return value in self._natural or (isinstance(value.const, int) and value.const >= 0)

    def _number(self, value: Value) -> Value | None:
        if value in self._numbers:
            return self._numbers[value]
        if isinstance(value.const, Tensor):
            stored = self._document.tensors[value.const.number]
            number = self._document.scalar(value.const) if stored["dtype"] == "Long" and stored.get("shape") == [] else None
            return None if number is None else _constant(number)
        return value if isinstance(value.const, int) and not isinstance(value.const, bool) else None


def _constant(number: int) -> Value:
    made = Value("", "int", number)
    made.maker = Node("prim::Constant", [], [made])
    return made


def _raises(block: Block) -> bool:
    """Whether all that a branch does is to raise."""
    return any(node.kind == "prim::RaiseException" for node in block.nodes)


def _the_other_raises(node: Node) -> Block | None:
    first, second = node.blocks
    if _raises(first) != _raises(second):
        return second if _raises(first) else first
    return None


def _sweep(document: Document, block: Block) -> bool:
    """Leaves out what nobody reads. Returns whether anything was."""
    read: set[Value] = set(block.outputs)
    for node in block.walk():
        read.update(node.inputs)
        for inner in node.blocks:
            read.update(inner.outputs)
    return _sweep_unread(document, block, read)


def _sweep_unread(document: Document, block: Block, read: set[Value]) -> bool:
    kept: list[Node] = []
    changed = False
    for node in block.nodes:
        for inner in node.blocks:
            changed |= _sweep_unread(document, inner, read)
        unread = not read.intersection(node.outputs)
        idle = node.kind in ("prim::If", "prim::Loop") and not any(inner.nodes for inner in node.blocks)
        endless = node.kind == "prim::Loop" and not node.inputs[1].known
        if unread and (is_pure(document, node) or (idle and not endless)):
            changed = True
        else:
            kept.append(node)
    if len(kept) != len(block.nodes):
        block.nodes = kept
    return changed


def _same_none(node: Node) -> Any:
    first, second = node.inputs
    for one, other in ((first, second), (second, first)):
        if other.type == "NoneType" or (other.known and other.const is None):
            if one.type == "NoneType" or (one.known and one.const is None):
                return True
            if one.known or not (one.type.startswith(("Optional[", "Union[")) or one.type in ("Any", "NoneType")):
                return False
    return UNKNOWN


def _is(node: Node) -> Any:
    return _same_none(node)


def _is_not(node: Node) -> Any:
    same = _same_none(node)
    return UNKNOWN if same is UNKNOWN else not same


def _constants(node: Node) -> list[Any] | None:
    if all(value.known for value in node.inputs):
        return [value.const for value in node.inputs]
    return None


SCALARS = (bool, int, float, str)


def _compared(by: Callable[[Any, Any], Any]) -> Callable[[Node], Any]:
    def evaluate(node: Node) -> Any:
        given = _constants(node)
        if given is None or len(given) != 2 or not all(isinstance(one, SCALARS) for one in given):
            return UNKNOWN
        return by(*given)

    return evaluate


def _not(node: Node) -> Any:
    given = _constants(node)
    return not given[0] if given and isinstance(given[0], bool) else UNKNOWN


def _tuple(node: Node) -> Any:
    given = _constants(node)
    return tuple(given) if given is not None else UNKNOWN


def _contains(node: Node) -> Any:
    given = _constants(node)
    return given[1] in given[0] if given and isinstance(given[0], list | tuple | str) else UNKNOWN


def _length(node: Node) -> Any:
    given = _constants(node)
    return len(given[0]) if given and isinstance(given[0], list | str) else UNKNOWN


EVALUATED: Mapping[str, Callable[[Node], Any]] = {
    "aten::__is__": _is,
    "aten::__isnot__": _is_not,
    "aten::__not__": _not,
    "aten::eq": _compared(lambda a, b: a == b),
    "aten::ne": _compared(lambda a, b: a != b),
    "aten::gt": _compared(lambda a, b: a > b),
    "aten::lt": _compared(lambda a, b: a < b),
    "aten::__contains__": _contains,
    "aten::len": _length,
    "prim::TupleConstruct": _tuple,
}


def _evaluated(node: Node) -> Any:
    known = EVALUATED.get(node.kind)
    if known is None:
        return UNKNOWN
    try:
        return known(node)
    except (TypeError, ValueError):
        return UNKNOWN
