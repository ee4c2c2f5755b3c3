"""Whether the code of a module is that of a class of torch.nn: the class itself is scripted, and read as the file was."""

from __future__ import annotations

import contextlib
import inspect
import io
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ._document import Block, Document, Instance, Tensor, Value
from ._names import qualified
from ._simplify import simplified

Arguments = tuple[tuple[str, Any], ...]


class AsTorch:
    """Compares modules of a file with classes of the torch that is installed."""

    def __init__(self, document: Document, read: Callable[[bytes], Any]) -> None:
        """read: what the confined reader tells of a file's bytes"""
        self._document = document
        self._read = read
        self._known: dict[tuple[str, Arguments], tuple[Document, Instance] | None] = {}

    def arguments(self, instance: Instance, methods: Sequence[str]) -> Arguments | None:
        """What the class of torch.nn by the module's name was made with; None if the module is not just that."""
        import torch

        cls = self._document.class_of(instance)
        made = getattr(torch.nn, qualified(cls).rpartition(".")[2], None)
        if not inspect.isclass(made) or f"{made.__module__}.{made.__name__}" != qualified(cls) or not methods:
            return None
        given = self._stored_arguments(instance, made)
        if given is None:
            return None
        if (cls, given) not in self._known:
            self._known[cls, given] = self._scripted(made, given)
        theirs = self._known[cls, given]
        if theirs is None or any(not self._is_same(instance, method, *theirs) for method in methods):
            return None
        return given if _state(self._document, instance) == _state(*theirs) else None

    def _stored_arguments(self, instance: Instance, made: Any) -> Arguments | None:
        constants = self._document.classes[self._document.class_of(instance)]["constants"]
        stored = {**constants, **self._document.values(instance)}
        found = []
        for name, parameter in parameters_of(made).items():
            value = stored.get(name)
            if name in stored and (value is None or isinstance(value, bool | int | float | str)):
                found.append((name, value))
            elif parameter.default is parameter.empty:
                return None
        return tuple(found)

    def _scripted(self, made: Any, given: Arguments) -> tuple[Document, Instance] | None:
        """The class as a file: called with one tensor, or as attention is."""
        import torch

        from ._called import CALLED

        jit: Any = torch.jit
        for caller in CALLED:
            with contextlib.suppress(Exception), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                state = torch.random.get_rng_state()
                to = io.BytesIO()
                try:
                    jit.save(jit.script(caller(made(**dict(given))).eval()), to)
                finally:
                    torch.random.set_rng_state(state)
                document = Document(self._read(to.getvalue()))
                return document, document.values(Instance(0))["module"]
        return None

    def _is_same(self, instance: Instance, method: str, document: Document, theirs: Instance) -> bool:
        one, other = (each.methods(each.class_of(it)).get(method) for each, it in ((self._document, instance), (document, theirs)))
        return one is not None and other is not None and _code(self._document, instance, one) == _code(document, theirs, other)


def parameters_of(made: Any) -> dict[str, inspect.Parameter]:
    """What a class is made with; where it only hands arguments on, that of the class which takes them."""
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    found = dict(inspect.signature(made).parameters)
    if any(parameter.kind in kinds for parameter in found.values()):
        found = dict(inspect.signature(made.__mro__[1]).parameters)
        found.pop("mode", None)  # which of the recurrent networks it is
    return {name: parameter for name, parameter in found.items() if parameter.kind not in kinds}


def _state(document: Document, instance: Instance) -> Any:
    """The names and sizes of all tensors of a module."""
    found: dict[str, Any] = {}
    for name, value in document.values(instance).items():
        if isinstance(value, Tensor):
            found[name] = document.tensors[value.number].get("shape")
        elif isinstance(value, Instance):
            found[name] = _state(document, value)
    return found


def _code(document: Document, instance: Instance, body: Mapping[str, Any]) -> Any:
    """What a method does, without the names of its values."""
    return _Reader(document, instance).block(simplified(document, body, instance, leaf=True).block)


class _Reader:
    def __init__(self, document: Document, instance: Instance) -> None:
        self._document = document
        self._numbers: dict[Value, int] = {}
        self._owners: dict[Value, Instance] = {}
        self._instance = instance

    def block(self, block: Block) -> Any:
        """Its nodes as tuples, with values by number."""
        if not self._numbers:
            self._owners[block.inputs[0]] = self._instance
        for value in block.inputs:
            self._number(value)
        nodes = []
        for node in block.nodes:
            if node.kind == "prim::Constant" and node.out.known:
                continue
            for value in node.outputs:
                self._number(value)
            inner = tuple(self.block(each) for each in node.blocks)
            stored = self._attribute(node.inputs[0], node.name, node.out) if node.kind == "prim::GetAttr" else None
            nodes.append((node.kind, node.schema, node.name, stored, tuple(map(self._operand, node.inputs)), len(node.outputs), inner))
        return tuple(nodes), tuple(map(self._operand, block.outputs))

    def _number(self, value: Value) -> int:
        return self._numbers.setdefault(value, len(self._numbers))

    def _operand(self, value: Value) -> Any:
        return ("constant", repr(value.const)) if value.known else self._number(value)

    def _attribute(self, owner: Value, name: str, out: Value) -> Any:
        """What an attribute is: of tensors in a list, which of the module's own."""
        instance = self._owners.get(owner)
        value = self._document.values(instance).get(name) if instance is not None else None
        if isinstance(value, Instance):
            self._owners[out] = value
        if instance is None or not isinstance(value, list):
            return None
        own = {self._memory(tensor): other for other, tensor in self._document.values(instance).items() if isinstance(tensor, Tensor)}
        return tuple(own.get(self._memory(one)) if isinstance(one, Tensor) else repr(one) for one in value)

    def _memory(self, tensor: Tensor) -> Any:
        stored = self._document.tensors[tensor.number]
        return (stored.get("storage"), stored.get("start"), tuple(stored.get("shape", ())))
