"""The modules of a file as classes: what each is made of, which are one class, and what their constructors are given."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ._document import Document, Function, Instance, RefusedError, Tensor, Value
from ._functions import FunctionWriter, Written
from ._leaves import Leaves
from ._names import Names, class_name, is_identifier, literal, qualified, quoted
from ._operators import Operators
from ._simplify import SAME, simplified

MOST_OBJECTS = 20_000
CONTAINERS = {"ModuleList", "Sequential", "ModuleDict"}
TORCH_DTYPES = {
    name: value
    for name, _, value in (
        word.partition("=")
        for word in (
            "Byte=uint8 Char=int8 Short=int16 Int=int32 Long=int64 Half=float16 Float=float32 Double=float64 "
            "ComplexHalf=complex32 ComplexFloat=complex64 ComplexDouble=complex128 Bool=bool BFloat16=bfloat16 "
            "Float8_e5m2=float8_e5m2 Float8_e4m3fn=float8_e4m3fn UInt16=uint16 UInt32=uint32 UInt64=uint64"
        ).split()
    )
}


@dataclass(frozen=True)
class Dtype:
    """A dtype where a constructor is given one."""

    name: str


@dataclass(frozen=True)
class Code:
    """An expression of checked names that stands for a stored value."""

    text: str


@dataclass(eq=False)
class Made:
    """A constructor's call. Its arguments are constants or calls themselves."""

    cls: str | Group
    arguments: list[tuple[str, Any]] = field(default_factory=list)
    named_from: int = 0
    """How many arguments go by position."""
    brackets: str = ""
    """`[]` or `{}` where the arguments are one list or one dict."""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """What arguments are where they are left out."""
    note: str = ""
    after: str = ""

    def skeleton(self) -> Any:
        """What two calls have alike whose constants alone differ."""
        if isinstance(self.cls, Group):
            return self.cls
        return (self.cls, self.after, tuple((name, value.skeleton() if isinstance(value, Made) else None) for name, value in self.arguments))


@dataclass(eq=False)
class Group:
    """Modules that are one class."""

    name: str
    base: str
    methods: list[tuple[str, Written]]
    members: list[list[tuple[str, str, Made | Any]]] = field(default_factory=list)
    """For each module: name, kind (module, parameter, buffer, attribute) and what it is."""
    parameters: list[str] = field(default_factory=list)
    columns: list[int | None] = field(default_factory=list)
    """Of each constant of the class, which parameter it is."""
    firsts: list[int] = field(default_factory=list)
    """Of each parameter, which constant it is."""


@dataclass(eq=False)
class PlainClass:
    """A class that is no module."""

    name: str
    methods: dict[str, Written] = field(default_factory=dict)


def same_constant(value: Any) -> Any:
    """What is equal where two constants are written alike."""
    return (type(value).__name__, tuple(map(same_constant, value))) if isinstance(value, tuple | list) else (type(value).__name__, repr(value))


class Modules:
    """All modules of a file."""

    def __init__(self, document: Document, tensor_value: Callable[[Tensor], Any], key: Callable[[Tensor], Any], read: Callable[[bytes], Any]) -> None:
        """tensor_value: a small tensor as a constant; key: what two tensors have alike that are one; read: what is told of another file's bytes"""
        self.document = document
        self.operators = Operators(document.arguments)
        self._tensor_value = tensor_value
        self._key = key
        self._leaves = Leaves(document, tensor_value, read)
        self._functions: dict[tuple[str, str], Function] = {}
        self.called: dict[Instance, list[str]] = {}
        self.asked: dict[Instance, list[str]] = {}
        """The methods of each that others call."""
        self.given: dict[tuple[Instance, str], dict[int, Instance]] = {}
        """The modules that methods are given, by position."""
        self.used: dict[Instance, set[str]] = {}
        self._made: dict[Instance, Made] = {}
        self._texts: dict[Instance, dict[str, Written]] = {}
        self._groups: dict[Any, Group] = {}
        self.groups: list[Group] = []
        self.names = Names()
        self.functions: dict[str, tuple[str, Written]] = {}
        self.records: dict[str, str] = {}
        self.classes: dict[str, PlainClass] = {}
        """Those that are no modules."""
        self._function_names: dict[str, str] = {}
        self.constants: dict[Instance, dict[Tensor, str]] = {}
        if len(document.objects) > MOST_OBJECTS:
            raise RefusedError(f"it has more than {MOST_OBJECTS} modules")

    def plan(self) -> Made:
        """The root module."""
        root = Instance(0)
        for name in self.document.methods(self.document.class_of(root)):
            self._visit(root, name)
        made = self._module(root)
        if not isinstance(made.cls, Group):
            made = self._of_class(root)
        for group in self.groups:
            _find_parameters(group)
        return made

    # What is called and read.

    def _function(self, cls: str, method: str) -> Function:
        key = (cls, method)
        if key not in self._functions:
            self._functions[key] = simplified(self.document, self.document.methods(cls)[method])
        return self._functions[key]

    def _visit(self, instance: Instance, method: str) -> None:
        left: list[tuple[Instance, str, dict[int, Instance]]] = [(instance, method, {})]
        while left:
            one, name, given = left.pop()
            if self.given.setdefault((one, name), given) != given:
                raise RefusedError("it passes different modules to one method")
            methods = self.called.setdefault(one, [])
            cls = self.document.class_of(one)
            if name in methods:
                continue
            if name not in self.document.methods(cls):
                raise RefusedError(f"it calls a method that {quoted(class_name(cls))} does not have")
            methods.append(name)
            left += self._calls(one, self._function(cls, name), given)

    def _calls(self, instance: Instance, function: Function, given: Mapping[int, Instance]) -> Iterator[tuple[Instance, str, dict[int, Instance]]]:
        places: dict[Value, Instance] = {function.block.inputs[0]: instance}
        places |= {function.block.inputs[position]: module for position, module in given.items()}
        for node in function.block.walk():
            owner = places.get(node.inputs[0]) if node.inputs else None
            if owner is None:
                continue
            if node.kind in SAME:
                places[node.out] = owner
            elif node.kind == "prim::CallMethod":
                if owner != instance:
                    self._note_asked(owner, node.name)
                yield owner, node.name, {at: places[value] for at, value in enumerate(node.inputs) if at and value in places}
            elif node.kind in ("prim::GetAttr", "prim::SetAttr"):
                self.used.setdefault(owner, set()).add(node.name)
                found = self.document.values(owner).get(node.name)
                if node.kind == "prim::GetAttr" and self.document.holds_module(found):
                    places[node.out] = found

    def _note_asked(self, owner: Instance, method: str) -> None:
        asked = self.asked.setdefault(owner, [])
        if method not in asked:
            asked.append(method)

    # What a module is made of.

    def _module(self, instance: Instance) -> Made:
        if instance not in self._made:
            self._made[instance] = self._found(instance)
        return self._made[instance]

    def _found(self, instance: Instance) -> Made:
        cls = self.document.class_of(instance)
        if self.document.classes[cls]["hooks"]:
            raise RefusedError(f"its class {quoted(class_name(cls))} has hooks")
        leaf = self._leaves.leaf(instance, self.asked.get(instance, ()))
        if leaf is not None:
            written = Made(f"nn.{leaf.cls}", list(leaf.arguments), POSITIONAL.get(leaf.cls, len(leaf.arguments) if len(leaf.arguments) == 1 else 0))
            written.after = self._cast(instance)
            written.defaults = self._leaves.defaults(leaf.cls)
            return written
        short = qualified(cls)
        if short.startswith("torch.nn.modules.container."):
            container = self._container(instance, short.rpartition(".")[2])
            if container is not None:
                return container
        if not self.called.get(instance) and not self.document.values_hold_state(instance):
            return Made("nn.Identity", note=f"{class_name(cls)} in the file, where nothing calls it")
        return self._of_class(instance)

    def container_kind(self, instance: Instance) -> str:
        """The class of torch that a module is or derives from."""
        cls = self._module(instance).cls
        return cls.base if isinstance(cls, Group) else cls

    def _cast(self, instance: Instance) -> str:
        dtypes = {self.document.tensors[value.number]["dtype"] for value in self.document.values(instance).values() if isinstance(value, Tensor)}
        floating = {dtype for dtype in dtypes if TORCH_DTYPES.get(dtype, "").startswith(("float", "bfloat"))} - {"Float"}
        return f".to(torch.{TORCH_DTYPES[floating.pop()]})" if len(floating) == 1 else ""

    def children(self, instance: Instance) -> dict[str, Instance]:
        """The modules within it, by name."""
        return {name: value for name, value in self.document.values(instance).items() if self.document.holds_module(value)}

    def _has_tensors(self, instance: Instance) -> bool:
        return any(isinstance(value, Tensor) for value in self.document.values(instance).values())

    def _container(self, instance: Instance, kind: str) -> Made | None:
        children = self.children(instance)
        if kind not in CONTAINERS or self._has_tensors(instance):
            return None
        made = [(name, self._module(child)) for name, child in children.items()]
        if kind == "ModuleDict":
            fits = not self.called.get(instance) and all(is_identifier(name) for name in children)
            return Made("nn.ModuleDict", [(quoted(name), child) for name, child in made], brackets="{}") if fits else None
        if list(children) != [str(number) for number in range(len(children))]:
            return None
        if kind == "ModuleList":
            return Made("nn.ModuleList", made, len(made), brackets="[]") if not self.called.get(instance) else None
        return Made("nn.Sequential", made, len(made)) if all(self._is_chain(instance, name) for name in self.called.get(instance, ())) else None

    def _is_chain(self, instance: Instance, method: str) -> bool:
        """Whether a method calls each module with what the one before it gave."""
        function = self._function(self.document.class_of(instance), method)
        if len(function.block.inputs) != 2:
            return False
        value, left = function.block.inputs[1], list(self.children(instance).items())
        places: dict[Value, str] = {}
        for node in function.block.nodes:
            if node.kind == "prim::GetAttr":
                places[node.out] = node.name if node.inputs[0] is function.block.inputs[0] else ""
            elif node.kind == "prim::CallMethod" and left and len(node.inputs) == 2:
                name, child = left.pop(0)
                if places.get(node.inputs[0]) != name or node.inputs[1] is not value or self.method(child, node.name) != "forward":
                    return False
                value = node.out
            elif node.kind != "prim::Constant":
                return False
        return not left and function.block.outputs == [value]

    def method(self, instance: Instance, name: str) -> str:
        """What a method is called in Python: those that say the same are one."""
        made = self._module(instance)
        if not isinstance(made.cls, Group):
            return "forward"
        texts = self._texts[instance]
        return _method_name(_first_alike(texts, name))

    def _of_class(self, instance: Instance) -> Made:
        cls = self.document.class_of(instance)
        children = self.children(instance)
        for child in children.values():
            self._module(child)
        base = "nn.Module"
        if children and list(children) == [str(number) for number in range(len(children))] and not self._has_tensors(instance):
            base = "nn.ModuleList"
        scope = InstanceScope(self, instance, base)
        texts = {}
        for name in self.called.get(instance, ()):
            function = simplified(self.document, self.document.methods(cls)[name])
            texts[name] = FunctionWriter(self.document, self.operators, scope, function, instance, self.given[instance, name]).write()
        self._texts[instance] = texts
        kept: dict[str, Written] = {}
        for name, text in texts.items():
            kept.setdefault(_first_alike(texts, name), text)
        members = list(self._members(instance))
        methods = sorted(((_method_name(name), text) for name, text in kept.items()), key=lambda one: one[0] != "forward")
        key = (
            cls_key(cls),
            base,
            tuple((name, text.key) for name, text in methods),
            tuple(_member_key(*member) for member in members),
        )
        group = self._groups.get(key)
        if group is None:
            group = self._groups[key] = Group(self.names.take(class_name(cls)), base, methods)
            self.groups.append(group)
        group.members.append(members)
        return Made(group, [(str(len(group.members) - 1), len(group.members) - 1)])

    def _members(self, instance: Instance) -> Iterator[tuple[str, str, Any]]:
        values, used = self.document.values(instance), self.used.get(instance, set())
        later: list[tuple[str, str, Any]] = []
        for attribute in self.document.attributes(self.document.class_of(instance)):
            value = values[attribute.name]
            if self.document.holds_module(value):
                _require_name(attribute.name)
                yield attribute.name, "module", self._module(value)
            elif isinstance(value, Tensor):
                _require_name(attribute.name)
                yield attribute.name, "parameter" if attribute.kind == "parameter" else "buffer", self._tensor(value, attribute.kind == "parameter")
            elif attribute.name in used and attribute.name != "training":
                name = _attribute_name(attribute.name)
                if name != attribute.name and name in values:
                    raise RefusedError(f"it has attributes called {quoted(name)} and {quoted(attribute.name)}")
                later.append((name, "attribute", self._stored(instance, attribute.name, value)))
        for constant, name in self.constants.get(instance, {}).items():
            yield name, "buffer", self._tensor(constant, False)
        yield from later

    def _stored(self, instance: Instance, name: str, value: Any) -> Any:
        """A stored value as a constant; where it holds tensors, as an expression of buffers. @raises RefusedError"""
        if not _holds(Tensor | Instance, value):
            literal(value)
            return value
        return Code(self._expression(instance, name, value))

    def _expression(self, instance: Instance, name: str, value: Any) -> str:
        if isinstance(value, Tensor):
            return f"self.{self._buffer(instance, name, value)}"
        if isinstance(value, Instance):
            return self._object(instance, name, value)
        if not _holds(Tensor | Instance, value):
            return literal(value)
        if isinstance(value, dict):
            return f"{{{', '.join(f'{literal(key)}: {self._expression(instance, name, item)}' for key, item in value.items())}}}"
        if isinstance(value, list | tuple):
            inside = ", ".join(self._expression(instance, name, item) for item in value)
            return f"[{inside}]" if isinstance(value, list) else f"({inside},)"
        return literal(value)

    def _object(self, instance: Instance, name: str, value: Instance) -> str:
        """An object of a class that is no module, as it is stored."""
        cls = self.document.class_of(value)
        if self.document.is_module(cls):
            raise RefusedError("it holds modules in a list or an object that is no module")
        stored = self.document.values(value)
        for attribute in stored:
            if not is_identifier(attribute):
                raise RefusedError(f"it has an attribute called {quoted(attribute)}, which Python cannot name")
        parts = [f"{attribute}={self._expression(instance, f'{name}_{attribute}', one)}" for attribute, one in stored.items()]
        return f"stored({', '.join([self.plain_class(cls), *parts])})"

    def _buffer(self, instance: Instance, wanted: str, tensor: Tensor) -> str:
        """The name of a tensor of a module: its own, or that of a buffer for it."""
        values, known = self.document.values(instance), self.constants.setdefault(instance, {})
        for name, value in values.items():
            if isinstance(value, Tensor) and is_identifier(name) and self._key(value) == self._key(tensor):
                return name
        if tensor not in known:
            number, taken = 1, {*values, *known.values()}
            while (name := f"{wanted if is_identifier(wanted) else 'tensor'}_{number}") in taken:
                number += 1
            known[tensor] = name
        return known[tensor]

    def _tensor(self, tensor: Tensor, parameter: bool) -> Made:
        stored = self.document.tensors[tensor.number]
        if "shape" not in stored or stored["dtype"] not in TORCH_DTYPES:
            raise RefusedError(f"it holds a tensor of the dtype {quoted(str(stored['dtype']))}, or one that is not stored plainly")
        dtype = TORCH_DTYPES[stored["dtype"]]
        empty = Made("torch.empty", [("shape", tuple(stored["shape"])), *([("dtype", Dtype(dtype))] if dtype != "float32" else [])], 1)
        if not parameter:
            return empty
        frozen = not dtype.startswith(("float", "bfloat", "complex"))
        return Made("nn.Parameter", [("data", empty), *([("requires_grad", False)] if frozen else [])], 1)

    # What functions need of it.

    def function(self, name: str) -> str:
        """The name of a function of the file, which is written when first asked for."""
        if name not in self._function_names:
            body = self.document.functions.get(name)
            if body is None:
                raise RefusedError("it calls a function that it does not hold")
            self._function_names[name] = self.names.take(class_name(name))
            function = simplified(self.document, body)
            written = FunctionWriter(self.document, self.operators, FreeScope(self), function, None, method=False).write()
            self.functions[name] = (self._function_names[name], written)
        return self._function_names[name]

    def record(self, name: str) -> str:
        """The name of a named tuple of the file."""
        if name not in self.records:
            if not all(is_identifier(field_["name"]) and not field_["name"].startswith("_") for field_ in self.document.tuples[name]):
                raise RefusedError("it has a named tuple with fields that Python cannot name")
            self.records[name] = self.names.take(class_name(name))
        return self.records[name]

    def plain_class(self, cls: str, method: str = "") -> str:
        """The name of a class that is no module; of its methods, those that are called are written."""
        if cls not in self.classes:
            self.classes[cls] = PlainClass(self.names.take(class_name(cls)))
        methods, called = self.classes[cls].methods, plain_method(method)
        if method and called not in methods:
            body = self.document.methods(cls).get(method)
            if body is None:
                raise RefusedError(f"it calls a method that {quoted(class_name(cls))} does not have")
            methods[called] = Written("self", ["pass"])  # while it is being written, it may call itself
            function = simplified(self.document, body)
            methods[called] = FunctionWriter(self.document, self.operators, FreeScope(self), function, None).write()
        return self.classes[cls].name

    def small_constant(self, tensor: Tensor) -> str:
        """A tensor as a literal."""
        stored = self.document.tensors[tensor.number]
        if 0 in stored.get("shape", ()):
            return f"torch.zeros({tuple(stored['shape'])!r}, dtype=torch.{TORCH_DTYPES[stored['dtype']]})"
        value = self._tensor_value(tensor)
        if value is None:
            raise RefusedError("a function of it holds a large constant tensor")
        return f"torch.tensor({literal(value)}, dtype=torch.{TORCH_DTYPES[stored['dtype']]})"


def _first_alike(texts: Mapping[str, Written], name: str) -> str:
    """The first of the calls of a traced module that says the same: `forward` for `forward1`."""
    if not re.fullmatch(r"forward(__)?\d*", name):
        return name
    alike = [
        other for other in ("forward", *texts) if re.fullmatch(r"forward(__)?\d*", other) and other in texts and texts[other].key == texts[name].key
    ]
    return alike[0]


def cls_key(cls: str) -> str:
    """What two classes have alike that were one in Python."""
    return qualified(cls)


def _member_key(name: str, kind: str, value: Any) -> Any:
    return (name, kind, value.skeleton() if isinstance(value, Made) else None)


POSITIONAL = {
    name: int(value)
    for name, _, value in (
        word.partition("=")
        for word in (
            "Conv1d=3 Conv2d=3 Conv3d=3 ConvTranspose1d=3 ConvTranspose2d=3 ConvTranspose3d=3 Linear=2 Embedding=2 BatchNorm1d=1 "
            "BatchNorm2d=1 BatchNorm3d=1 LayerNorm=1 GroupNorm=2 MaxPool1d=1 MaxPool2d=1 MaxPool3d=1 AvgPool1d=1 AvgPool2d=1 "
            "AvgPool3d=1 Softmax=0 LogSoftmax=0 ReLU=0 SiLU=0 LSTM=2 GRU=2 RNN=2 Upsample=0 GELU=0 LeakyReLU=1 Flatten=2"
        ).split()
    )
}
"""How many arguments people give by position."""


def _require_name(name: str) -> None:
    """That a module or tensor may be called so. @raises RefusedError"""
    import torch

    if not name or "." in name or name.startswith("__") or hasattr(torch.nn.Module(), name):
        raise RefusedError(f"it has an attribute called {quoted(name)}, which torch does not let a module have")


def _attribute_name(name: str) -> str:
    """What an attribute is called that is no tensor and no module: never what Python or torch gives a meaning."""
    import torch

    if name == "training" or not (name.startswith("__") or hasattr(torch.nn.Module(), name)):
        return name
    return f"{name.strip('_') or 'own'}_value"


def plain_method(name: str) -> str:
    """What a method of a class that is no module is called. @raises RefusedError"""
    if not name or is_identifier(name) or name in ("__init__", "__enter__", "__exit__"):
        return name
    if not is_identifier(name.strip("_")):
        raise RefusedError(f"it has a method called {quoted(name)}, which Python cannot name")
    return f"{name.strip('_')}_method"


def _method_name(name: str) -> str:
    import torch

    if name == "forward" or (is_identifier(name) and not hasattr(torch.nn.Module, name)):
        return name
    if not is_identifier(name.strip("_")):
        raise RefusedError(f"it has a method called {quoted(name)}, which Python cannot name")
    return f"{name.strip('_')}_method"


def _attribute(text: str, name: str) -> str:
    return f"{text}.{name}" if is_identifier(name) else f"getattr({text}, {quoted(name)})"


class InstanceScope:
    """What the methods of one module see."""

    def __init__(self, modules: Modules, instance: Instance, base: str) -> None:
        self._modules = modules
        self._instance = instance
        self._base = base

    def attribute(self, owner: Instance | None, cls: str, text: str, name: str) -> tuple[str, Instance | None]:
        """An attribute of a module, and what module it is."""
        if owner is None:
            if (cls in self._modules.document.tuples or self._is_plain(cls)) and is_identifier(name):
                return f"{text}.{name}", None
            raise RefusedError("it reads an attribute of an object that depends on data")
        found = self._modules.document.values(owner).get(name)
        if self._modules.document.holds_module(found):
            return self._child(owner, text, name), found
        return _attribute(text, name if isinstance(found, Tensor) else _attribute_name(name)), None

    def _child(self, owner: Instance, text: str, name: str) -> str:
        kind = self._base if owner == self._instance else self._modules.container_kind(owner)
        if kind in ("nn.ModuleList", "nn.Sequential"):
            return f"{text}[{int(name)}]"
        return f"{text}[{quoted(name)}]" if kind == "nn.ModuleDict" else _attribute(text, name)

    def call(self, owner: Instance | None, cls: str, text: str, method: str) -> str:
        """A call of a module's method."""
        if owner is None and self._is_plain(cls):
            self._modules.plain_class(cls, method)
            return f"{text}.{plain_method(method)}"
        if owner is None:
            raise RefusedError("it calls a method of an object that depends on data")
        name = self._modules.method(owner, method) if owner != self._instance else _method_name(method)
        return text if name == "forward" else f"{text}.{name}"

    def _is_plain(self, cls: str) -> bool:
        return cls in self._modules.document.classes and not self._modules.document.is_module(cls)

    def plain_class(self, name: str, method: str = "") -> str:
        """A class of the file that is no module."""
        return self._modules.plain_class(name, method)

    def is_torch(self, owner: Instance | None) -> bool:
        """Whether a module is one of torch.nn."""
        return owner is not None and owner != self._instance and not isinstance(self._modules._module(owner).cls, Group)

    def function(self, name: str) -> str:
        """A function of the file."""
        return self._modules.function(name)

    def record(self, name: str) -> str:
        """A named tuple of the file."""
        return self._modules.record(name)

    def literal(self, value: Any) -> str:
        """A value where no module is at hand: a tensor is made anew."""
        return self._modules.small_constant(value) if isinstance(value, Tensor) else literal(value)

    def constant(self, value: Tensor) -> str:
        """A buffer for a constant tensor."""
        return f"self.{self._modules._buffer(self._instance, 'constant', value)}"


class FreeScope(InstanceScope):
    """What functions outside of modules see."""

    def __init__(self, modules: Modules) -> None:
        super().__init__(modules, Instance(-1), "nn.Module")

    def constant(self, value: Tensor) -> str:
        """A tensor in the function itself."""
        return self._modules.small_constant(value)


def _holds(kind: Any, value: Any) -> bool:
    if isinstance(value, dict):
        return any(_holds(kind, item) for item in value.values())
    return isinstance(value, kind) or (isinstance(value, list | tuple) and any(_holds(kind, item) for item in value))


def _find_parameters(group: Group) -> None:
    """Which constants of a class differ between its modules, and what they are called."""
    rows = [list(_constants_of(members)) for members in group.members]
    names = [name for name, _ in rows[0]]
    taken = Names("self", "super")
    known: dict[Any, int] = {}
    for at, name in enumerate(names):
        column = tuple(same_constant(row[at][1]) for row in rows)
        if len(set(column)) == 1:
            group.columns.append(None)
            continue
        if column not in known:
            known[column] = len(group.parameters)
            short = name.rpartition(".")[2]
            wanted = short if short not in group.parameters else name.replace(".", "_")
            group.parameters.append(taken.take(wanted if is_identifier(wanted) else f"value_{at}"))
            group.firsts.append(at)
        group.columns.append(known[column])


def _constants_of(members: Sequence[tuple[str, str, Any]]) -> Iterator[tuple[str, Any]]:
    for name, _, value in members:
        if isinstance(value, Made):
            for argument, constant in constants(value):
                yield f"{name}.{argument}", constant
        else:
            yield name, value


def constants(made: Made) -> Iterator[tuple[str, Any]]:
    """The constants that a constructor's call is given, those of inner calls too."""
    if isinstance(made.cls, Group):
        group = made.cls
        row = list(_constants_of(group.members[made.arguments[0][1]]))
        for name, at in zip(group.parameters, group.firsts, strict=True):
            yield name, row[at][1]
        return
    for name, value in made.arguments:
        if isinstance(value, Made):
            for inner, constant in constants(value):
                yield f"{name}.{inner}" if isinstance(value.cls, Group) or value.cls != "torch.empty" else inner, constant
        else:
            yield name, value
