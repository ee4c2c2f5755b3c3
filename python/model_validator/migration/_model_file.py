"""The text of `model.py`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ._document import Instance, Tensor
from ._functions import PLACE, Written
from ._modules import Code, Dtype, Group, Made, Modules, PlainClass, constants, same_constant
from ._names import is_identifier, literal, quoted

WIDTH = 100
LOADING = '''
def load(path=None):
    """The model with its weights."""
    with open(path or Path(__file__).with_name("model.safetensors"), "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = bytearray(file.read())
    header.pop("__metadata__", None)
    state = {name: torch.empty(entry["shape"], dtype=DTYPES[entry["dtype"]]) for name, entry in header.items()}
    for name, entry in header.items():
        start, end = entry["data_offsets"]
        if end > start:
            state[name] = torch.frombuffer(data[start:end], dtype=DTYPES[entry["dtype"]]).reshape(entry["shape"])
'''
STORED = '''\
def stored(cls, /, **attributes):
    """An object as the file holds it."""
    made = cls.__new__(cls)
    for name, value in attributes.items():
        setattr(made, name, value)
    return made
'''
SAFETENSORS = {
    name: value
    for name, _, value in (
        word.partition("=")
        for word in (
            "float64=F64 float32=F32 float16=F16 bfloat16=BF16 int64=I64 int32=I32 int16=I16 int8=I8 uint8=U8 bool=BOOL "
            "complex64=C64 uint16=U16 uint32=U32 uint64=U64 float8_e5m2=F8_E5M2 float8_e4m3fn=F8_E4M3"
        ).split()
    )
}
"""What safetensors calls torch's dtypes."""


class ModelFile:
    """Writes the module of a planned file."""

    def __init__(self, modules: Modules, root: Made, source: str) -> None:
        self._modules = modules
        self._root = root
        self._source = source

    def text(self, dtypes: Sequence[str], shared: dict[str, str], training: Sequence[str] | None) -> str:
        """The whole file.

        dtypes: of the tensors; shared: names of tensors that are another one; training: modules in training mode, None: all
        """
        parts = [self._record(name, own) for name, own in self._modules.records.items()]
        parts += [self._plain_class(one) for one in self._modules.classes.values()]
        parts += [_function(name, written) for name, written in self._modules.functions.values()]
        parts += [self._class(group) for group in self._modules.groups]
        parts.append(self._loading(dtypes, shared, training))
        parts = ([STORED.splitlines()] if any("stored(" in line for part in parts for line in part) else []) + parts
        body = "\n\n".join("\n".join(part) + "\n" for part in parts)
        return "\n".join(line for line in self._head(body) if line is not None) + "\n\n\n" + body

    def _head(self, body: str) -> Iterator[str | None]:
        yield f'"""Written by `model_validator migrate` from {_in_docstring(self._source)}."""'
        yield ""
        yield "import json"
        if "math." in body:
            yield "import math"
        if "warnings." in body:
            yield "import warnings"
        yield "from pathlib import Path"
        if self._modules.records:
            yield "from typing import NamedTuple"
        yield ""
        yield "import torch"
        yield "import torch.nn.functional as F" if " F." in body or "(F." in body or "[F." in body or "-F." in body or "~F." in body else None
        yield "from torch import nn"

    def _record(self, name: str, own: str) -> list[str]:
        fields = [f"    {field['name']}: object" for field in self._modules.document.tuples[name]]
        return [f"class {own}(NamedTuple):", *(fields or ["    pass"])]

    def _plain_class(self, cls: PlainClass) -> list[str]:
        lines = [f"class {cls.name}:"]
        for name, written in cls.methods.items():
            lines += [""] if len(lines) > 1 else []
            lines += [f"    {line}" if line else "" for line in _function(name, written, 4)]
        return lines if len(lines) > 1 else [*lines, "    pass"]

    def _class(self, group: Group) -> list[str]:
        lines = [f"class {group.name}({group.base}):"]
        body = list(self._constructor(group))
        if body != ["super().__init__()"] or group.parameters:
            lines += [f"    def __init__({', '.join(['self', *group.parameters])}):", *(f"        {line}" for line in wrapped(body, 8))]
        for name, written in group.methods:
            inner = _function(name, written, 4)
            lines += [""] if len(lines) > 1 else []
            lines += [f"    {line}" if line else "" for line in inner]
        return lines if len(lines) > 1 else [*lines, "    pass"]

    def _constructor(self, group: Group) -> Iterator[str]:
        writer = _Constants(group)
        members = group.members[0]
        if group.base == "nn.ModuleList":
            modules = [writer.made(value) for _, kind, value in members if kind == "module"]
            yield f"super().__init__([{', '.join(modules)}])"
        else:
            yield "super().__init__()"
        for name, kind, value in members:
            if kind == "module" and group.base == "nn.ModuleList":
                continue
            yield _member(name, kind, writer.made(value) if isinstance(value, Made) else writer.constant(value), value)

    def _loading(self, dtypes: Sequence[str], shared: dict[str, str], training: Sequence[str] | None) -> list[str]:
        root = self._root.cls
        assert isinstance(root, Group)
        table = ", ".join(f'"{SAFETENSORS[dtype]}": torch.{dtype}' for dtype in dtypes)
        lines = [f"DTYPES = {{{table}}}"]
        if shared:
            lines += ["SHARED = {", *(f"    {quoted(name)}: {quoted(first)}," for name, first in shared.items()), "}"]
        lines += ["", *LOADING.splitlines(), f"    model = {root.name}()"]
        if shared:
            lines += [
                "    tensors = {**dict(model.named_parameters()), **dict(model.named_buffers())}",
                "    for name, first in SHARED.items():",
                '        owner, _, attribute = name.rpartition(".")',
                "        setattr(model.get_submodule(owner), attribute, tensors[first])",
                "        state[name] = state[first]",
            ]
        lines.append("    model.load_state_dict(state)")
        if training is None:
            return [*lines, "    return model.train()"]
        if not training:
            return [*lines, "    return model.eval()"]
        return [*lines, "    model.eval()", *(f"    model.get_submodule({quoted(name)}).training = True" for name in training), "    return model"]


class _Constants:
    """Hands out the constants of a class in order: as literals, or as parameters of its constructor."""

    def __init__(self, group: Group) -> None:
        self._left = iter(group.columns)
        self._parameters = group.parameters

    def constant(self, value: Any) -> str:
        column = next(self._left)
        if column is not None:
            return self._parameters[column]
        if isinstance(value, Code):
            return value.text
        return f"torch.{value.name}" if isinstance(value, Dtype) else literal(value)

    def made(self, made: Made) -> str:
        if isinstance(made.cls, Group):
            return f"{made.cls.name}({', '.join(self.constant(value) for _, value in constants(made))})"
        parts = []
        for at, (name, value) in enumerate(made.arguments):
            text = self.made(value) if isinstance(value, Made) else self.constant(value)
            if (
                not isinstance(value, Made)
                and name in made.defaults
                and text == literal(value)
                and same_constant(value) == same_constant(made.defaults[name])
            ):
                continue
            parts.append(f"{name}: {text}" if made.brackets == "{}" else text if at < made.named_from else f"{name}={text}")
        inside = ", ".join(parts)
        if made.brackets:
            inside = f"{made.brackets[0]}{inside}{made.brackets[1]}"
        return f"{made.cls}({inside}){made.after}"


def _member(name: str, kind: str, text: str, value: Any) -> str:
    note = f"  # {value.note}" if isinstance(value, Made) and value.note else ""
    if kind == "buffer":
        return f"self.register_buffer({quoted(name)}, {text}){note}"
    if is_identifier(name):
        return f"self.{name} = {text}{note}"
    if kind == "module":
        return f"self.add_module({quoted(name)}, {text}){note}"
    return f"self.register_parameter({quoted(name)}, {text})" if kind == "parameter" else f"setattr(self, {quoted(name)}, {text})"


def _function(name: str, written: Written, indent: int = 0) -> list[str]:
    return [*wrapped([f"def {name}({written.parameters}):"], indent), *(f"    {line}" for line in wrapped(written.lines, indent + 4))]


def _in_docstring(source: str) -> str:
    return quoted(source).replace('"', "'").replace("\\", "/") if source.isascii() else "a TorchScript file"


def wrapped(lines: Sequence[str], indent: int) -> list[str]:
    """The lines, long ones broken at the commas of their first bracket that is long."""
    done: list[str] = []
    for line in lines:
        text, mark, place = line.partition(PLACE)
        broken = _broken(text, indent) if len(text) + indent > WIDTH else [text]
        done += [broken[0] + mark + place, *broken[1:]]
    return done


def _broken(line: str, indent: int) -> list[str]:
    span = _widest_bracket(line)
    if span is None or "#" in line:
        return [line]
    start, end, commas = span
    margin = " " * (len(line) - len(line.lstrip()))
    parts, at = [], start + 1
    for comma in [*commas, end]:
        parts.append(line[at:comma].strip())
        at = comma + 1
    inner = [f"{margin}    {part}," for part in parts if part]
    if (line[end] == "]" and not commas) or (line[end] == ")" and len(parts) == 1):
        inner = [one.removesuffix(",") for one in inner]
    return [line[: start + 1], *wrapped(inner, indent), f"{margin}{line[end:]}"]


def _widest_bracket(line: str) -> tuple[int, int, list[int]] | None:
    """The widest outermost bracket that holds something, with the commas in it; strings are passed over."""
    found: list[tuple[int, int, list[int]]] = []
    stack: list[int] = []
    commas: list[int] = []
    quote, escaped = "", False
    for at, sign in enumerate(line):
        if quote:
            quote = "" if sign == quote and not escaped else quote
            escaped = sign == "\\" and not escaped
        elif sign in "\"'":
            quote = sign
        elif sign in "([{":
            commas = [] if not stack else commas
            stack.append(at)
        elif sign in ")]}" and stack:
            start = stack.pop()
            if not stack and at > start + 1:
                found.append((start, at, commas))
        elif sign == "," and len(stack) == 1:
            commas.append(at)
    return max(found, key=lambda one: one[1] - one[0], default=None)


__all__ = ["Instance", "ModelFile", "Tensor"]
