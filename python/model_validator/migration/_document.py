"""A TorchScript file as the confined reader tells it: objects, classes, and functions as trees of nodes. Nothing of it is trusted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from ..errors import ModelValidatorError


class RefusedError(ModelValidatorError):
    """Something that cannot be written as a module, in one sentence."""

    def __init__(self, message: str) -> None:
        super().__init__("not-migrated", "", message, "keep the TorchScript file; `check` and `verify` read it as before")


class _Unknown:
    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Any = _Unknown()
"""What a value is that no constant gives."""


class Value:
    """A value of a function."""

    __slots__ = ("const", "hint", "maker", "type", "users")

    def __init__(self, hint: str, type_: str, const: Any = UNKNOWN) -> None:
        self.hint = hint
        self.type = type_
        self.const = const
        self.maker: Node | None = None
        self.users: list[Node] = []

    @property
    def is_tensor(self) -> bool:
        """Whether its type says that it is a tensor."""
        return self.type == "Tensor"

    @property
    def known(self) -> bool:
        """Whether it is a constant of plain Python."""
        return self.const is not UNKNOWN


@dataclass(eq=False)
class Node:
    """An operator, a call, a branch, a loop or a constant."""

    kind: str
    inputs: list[Value]
    outputs: list[Value]
    schema: str = ""
    name: str = ""
    """The attribute or method concerned, or the function that is called."""
    types: tuple[str, ...] = ()
    span: tuple[int, int] = (0, 0)
    blocks: list[Block] = field(default_factory=list)
    place: str = ""
    """The line of Python that it was made from: `net.py:12`."""

    @property
    def out(self) -> Value:
        """Its only output."""
        return self.outputs[0]


@dataclass(eq=False)
class Block:
    """The body of a function, a branch or a loop."""

    inputs: list[Value]
    nodes: list[Node]
    outputs: list[Value]

    def walk(self) -> Iterator[Node]:
        """Its nodes, and those within them."""
        for node in self.nodes:
            yield node
            for block in node.blocks:
                yield from block.walk()


@dataclass(frozen=True)
class Tensor:
    """A tensor of the file, by its number."""

    number: int


@dataclass(frozen=True)
class Instance:
    """An object of the file, by its number."""

    number: int


@dataclass(frozen=True)
class Other:
    """A value that Python's literals do not say."""

    kind: str
    text: str = ""


def plain(value: Any) -> Any:
    """A stored value as Python has it; tensors and objects by number."""
    if not isinstance(value, dict):
        return value
    ((kind, inner),) = value.items()
    if kind == "list":
        return [plain(item) for item in inner]
    if kind == "tuple":
        return tuple(plain(item) for item in inner)
    if kind == "dict":
        return {_key(plain(key)): plain(item) for key, item in inner}
    if kind == "enum":
        return str(inner)  # TorchScript only compares them
    if kind == "float":
        return float(inner)
    if kind == "tensor":
        return Tensor(inner)
    return Instance(inner) if kind == "object" else Other(kind, str(inner))


def _key(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool) else Other("key")


@dataclass(frozen=True)
class Attribute:
    """What a class declares."""

    name: str
    type: str
    kind: str
    """`parameter`, `buffer` or `attribute`"""


class Document:
    """The whole file."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.types: Sequence[str] = data["types"]
        self._files: Sequence[str] = data.get("files", ())
        self.objects: Sequence[Any] = data["objects"]
        self.tensors: Sequence[Mapping[str, Any]] = data["tensors"]
        self.classes: Mapping[str, Any] = data["classes"]
        self.tuples: Mapping[str, Any] = data["tuples"]
        self.functions: Mapping[str, Any] = data["functions"]
        self.operators: Mapping[str, Any] = data["operators"]
        self.scalar: Callable[[Tensor], Any] = lambda _: None
        """The value of a small tensor."""
        self._places: dict[str, int] = {}
        self._attributes: dict[str, tuple[Attribute, ...]] = {}
        self._values: dict[int, dict[str, Any]] = {}
        if data["unset"]:
            raise RefusedError("it holds quantised modules or packed weights, which have no equal in an exported program's source")
        if data["sparse"]:
            raise RefusedError("it holds sparse tensors")
        self.set_attributes = {(self._type(body, node["in"][0]), node["name"]) for body, node in self._all("prim::SetAttr")}
        """The attributes that any code of the file writes, by class and name."""
        self.made_classes = {self._type(body, node["out"][0]) for body, node in self._all("prim::CreateObject")}
        self.made_classes |= {str(one["class"]) for one in self.objects}
        """Those of which the file holds or makes objects."""

    def _all(self, kind: str) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
        """The nodes of a kind, each after the function that it is in."""
        bodies = [body for cls in self.classes.values() for body in cls["methods"].values()]
        for body in [*bodies, *self.functions.values()]:
            left = [body["block"]]
            while left:
                for node in left.pop()["nodes"]:
                    left.extend(node.get("blocks", ()))
                    if node["kind"] == kind:
                        yield body, node

    def _type(self, body: Mapping[str, Any], value: int) -> str:
        return self.types[int(body["values"][value][1])]

    def class_of(self, instance: Instance) -> str:
        """Its qualified name."""
        return str(self.objects[instance.number]["class"])

    def attributes(self, cls: str) -> tuple[Attribute, ...]:
        """Those that a class declares, in order."""
        if cls not in self._attributes:
            declared = self.classes[cls]["attributes"]
            self._attributes[cls] = tuple(Attribute(one["name"], self.types[int(one["type"])], one["kind"]) for one in declared)
        return self._attributes[cls]

    def values(self, instance: Instance) -> dict[str, Any]:
        """The attributes of an object."""
        if instance.number not in self._values:
            stored = self.objects[instance.number]["values"]
            names = [attribute.name for attribute in self.attributes(self.class_of(instance))]
            self._values[instance.number] = {name: plain(value) for name, value in zip(names, stored, strict=True)}
        return self._values[instance.number]

    def values_hold_state(self, instance: Instance) -> bool:
        """Whether a module holds tensors or other modules."""
        return any(isinstance(value, Tensor | Instance) for value in self.values(instance).values())

    def holds_module(self, value: Any) -> TypeGuard[Instance]:
        """Whether an attribute is a module."""
        return isinstance(value, Instance) and self.is_module(self.class_of(value))

    def is_module(self, cls: str) -> bool:
        """Whether a class is one of modules."""
        return cls in self.classes and bool(self.classes[cls]["module"])

    def methods(self, cls: str) -> Mapping[str, Any]:
        """The methods of a class."""
        found: Mapping[str, Any] = self.classes[cls]["methods"] if cls in self.classes else {}
        return found

    def arguments(self, node: Node) -> Sequence[Mapping[str, Any]]:
        """What an operator takes; nothing for one without a schema."""
        found: Sequence[Mapping[str, Any]] = self.operators[node.schema]["arguments"] if node.schema in self.operators else ()
        return found

    def place_number(self, place: str) -> int:
        """The number of a line of Python."""
        return self._places.setdefault(place, len(self._places))

    def places(self) -> list[str]:
        """Lines of Python, by number."""
        return list(self._places)

    def function(self, body: Mapping[str, Any]) -> Function:
        """A function, made anew at each call."""
        return _FunctionReader(self.types, self._files, body).function()


@dataclass(eq=False)
class Function:
    """A function or a method: `self` is its first input."""

    arguments: Sequence[Mapping[str, Any]]
    block: Block


class _FunctionReader:
    def __init__(self, types: Sequence[str], files: Sequence[str], body: Mapping[str, Any]) -> None:
        self._types = types
        self._files = files
        self._body = body
        self._values = [Value(hint, types[int(type_)]) for hint, type_ in body["values"]]

    def function(self) -> Function:
        return Function(self._body["arguments"], self._block(self._body["block"]))

    def _block(self, data: Mapping[str, Any]) -> Block:
        values = self._values
        nodes = [self._node(node) for node in data["nodes"]]
        return Block([values[id_] for id_ in data["inputs"]], nodes, [values[id_] for id_ in data["outputs"]])

    def _node(self, data: Mapping[str, Any]) -> Node:
        node = Node(
            kind=data["kind"],
            inputs=[self._values[id_] for id_ in data["in"]],
            outputs=[self._values[id_] for id_ in data["out"]],
            schema=data.get("schema", ""),
            name=data.get("function", data.get("name", "")),
            types=tuple(self._types[int(type_)] for type_ in data.get("types", ())),
            span=tuple(data.get("range", (0, 0))),
            blocks=[self._block(block) for block in data.get("blocks", ())],
        )
        if "at" in data:
            node.place = f"{self._files[data['at'][0]]}:{data['at'][1]}"
        if "value" in data:
            node.out.const = plain(data["value"])
        return node
