"""Operators as Python expressions. Where no short form is the same operator, `torch.ops.aten` names it in full."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._document import UNKNOWN, Node, Other, RefusedError
from ._names import literal

DTYPES = "uint8 int8 int16 int32 int64 float16 float32 float64 complex32 complex64 complex128 bool qint8 quint8 qint32 bfloat16".split()
LAYOUTS = ("strided",)
MEMORY_FORMATS = ("contiguous_format", "preserve_format", "channels_last", "channels_last_3d")
LARGEST = 2**63 - 1

ATOM, POWER, UNARY, PRODUCT, SUM, SHIFT, BIT_AND, BIT_XOR, BIT_OR, COMPARED, NOT, AND, OR, CHOICE = range(14, 0, -1)


@dataclass(frozen=True)
class Text:
    """An expression, and how tightly it binds."""

    text: str
    binds: int = ATOM
    items: tuple[str, tuple[str, ...]] | None = None
    """Of an indexed tensor, what is indexed and by what."""

    negated: str = ""
    """Its opposite, where that has a form of its own."""

    def at(self, level: int) -> str:
        """In parentheses where it binds less tightly."""
        return self.text if self.binds >= level else f"({self.text})"

    def __str__(self) -> str:
        return self.text


BINARY: Mapping[str, tuple[str, int]] = {
    "add": ("+", SUM),
    "sub": ("-", SUM),
    "mul": ("*", PRODUCT),
    "div": ("/", PRODUCT),
    "matmul": ("@", PRODUCT),
    "floor_divide": ("//", PRODUCT),
    "floordiv": ("//", PRODUCT),
    "remainder": ("%", PRODUCT),
    "pow": ("**", POWER),
    "eq": ("==", COMPARED),
    "ne": ("!=", COMPARED),
    "lt": ("<", COMPARED),
    "le": ("<=", COMPARED),
    "gt": (">", COMPARED),
    "ge": (">=", COMPARED),
    "__is__": ("is", COMPARED),
    "__isnot__": ("is not", COMPARED),
    "__and__": ("&", BIT_AND),
    "__or__": ("|", BIT_OR),
    "__xor__": ("^", BIT_XOR),
    "bitwise_and": ("&", BIT_AND),
    "bitwise_or": ("|", BIT_OR),
    "bitwise_xor": ("^", BIT_XOR),
    "__lshift__": ("<<", SHIFT),
    "__rshift__": (">>", SHIFT),
}
"""Python's signs for two operands, of tensors as of numbers, strings and lists."""
FUNCTIONS: Mapping[str, str] = {name: name for name in ("len str list ord chr sorted dict hex oct bin any all sum divmod").split()} | {
    "Int": "int",
    "Float": "float",
    "Bool": "bool",
    "IntImplicit": "int",
    "FloatImplicit": "float",
}
NUMBER_OF: Mapping[str, str] = {
    "Int": "long().",
    "IntImplicit": "long().",
    "Float": "double().",
    "FloatImplicit": "double().",
    "ScalarImplicit": "",
}
"""How a tensor's number is read in a way that torch.export takes, which `int(x)` is not."""
OF_NUMBERS: Mapping[str, str] = {
    name: f"math.{name}"
    for name in "floor ceil sqrt exp log log10 log2 log1p sin cos tan asin acos atan atan2 sinh cosh tanh isnan isinf isfinite fabs factorial"
    " gcd copysign degrees radians erf erfc gamma lgamma fmod expm1 asinh acosh atanh modf frexp ldexp".split()
} | {"abs": "abs", "round": "round", "min": "min", "max": "max"}
ATTRIBUTES: Mapping[str, str] = {
    name: name
    for name in (
        "dtype type index device layout is_cuda is_mkldnn is_quantized requires_grad is_sparse T mT H mH itemsize "
        "grad is_meta is_nested is_cpu is_xpu is_mps is_vulkan is_ipu"
    ).split()
}
COLLECTIONS = ("append extend insert pop remove reverse sort clear copy count index keys values items get setdefault update popitem").split()
OF_STRINGS = (
    "upper lower strip lstrip rstrip split rsplit splitlines join replace startswith endswith find rfind count capitalize "
    "title swapcase zfill center ljust rjust isdigit isalpha isalnum islower isupper isspace isidentifier isnumeric isdecimal "
    "istitle isprintable partition rpartition expandtabs casefold index rindex"
).split()
PASSED_ON = {"pad", "adaptive_avg_pool2d", "adaptive_avg_pool3d"}
"""Functions in Python that hand their operands to the operator in this order."""
PREFERRED = {"relu", "sigmoid", "tanh"}
"""Written as a function, though there is a method."""


class Operators:
    """Writes operators. Needs torch, to know what it calls them."""

    def __init__(self, arguments: Callable[[Node], Sequence[Mapping[str, Any]]]) -> None:
        import torch

        self._torch: Any = torch
        self._arguments = arguments
        self.used: set[str] = set()
        """Modules that the expressions need: `F`, `math`."""

    def write(self, node: Node, given: Sequence[Text]) -> Text:
        """An operator of ATen or of TorchScript itself, given its operands."""
        space, _, name = node.kind.partition("::")
        if space == "prim" and name in ATTRIBUTES:
            return Text(f"{given[0].at(ATOM)}.{ATTRIBUTES[name]}")
        if space not in ("aten", "prim"):
            return self._by_full_name(node, given)
        tensors = any(argument["type"].startswith("Tensor") for argument in self._arguments(node))
        written = self._special(node, name, given)
        if written is None and not tensors:
            written = self._without_tensors(node, name, given)
        if written is not None:
            return written
        if space == "prim":
            raise RefusedError(f"it uses `{node.kind}`, which has no form in Python here")
        return self._of_tensors(node, name, given)

    def _special(self, node: Node, name: str, given: Sequence[Text]) -> Text | None:
        if name in BINARY and self._is_plain(node, name):
            return self._binary(node, name, given)
        if name in NUMBER_OF and node.inputs[0].is_tensor:
            return Text(f"{given[0].at(ATOM)}.{NUMBER_OF[name]}item()")
        if name in FUNCTIONS and len(given) <= 2 and name not in ("any", "all", "sum"):
            return Text(f"{FUNCTIONS[name]}({', '.join(map(str, given))})")
        special: Callable[[Node, Sequence[Text]], Text | None] | None = getattr(
            self, f"_write_{name.strip('_') if name.startswith('__') else name}", None
        )
        return special(node, given) if special else None

    def _is_plain(self, node: Node, name: str) -> bool:
        """Two operands, whatever else there is left at what it does nothing with."""
        if name == "div" and "_mode" in node.schema:
            return False
        if name == "pow" and node.schema == "aten::pow.int":
            return False
        return all(value.known and value.const == 1 and not isinstance(value.const, bool) for value in node.inputs[2:])

    def _binary(self, node: Node, name: str, given: Sequence[Text]) -> Text:
        sign, level = BINARY[name]
        if node.schema.endswith(".bool") and name in ("__and__", "__or__"):
            sign, level = ("and", AND) if name == "__and__" else ("or", OR)
        left, right = self._as_dtypes(node, given)
        if level == COMPARED:
            return Text(f"{left.at(COMPARED + 1)} {sign} {right.at(COMPARED + 1)}", level)
        if name == "pow":
            return Text(f"{left.at(ATOM)} ** {right.at(POWER)}", level)
        return Text(f"{left.at(level)} {sign} {right.at(level + 1)}", level)

    def _as_dtypes(self, node: Node, given: Sequence[Text]) -> tuple[Text, Text]:
        """Numbers that a dtype is compared with are dtypes."""
        sides = [given[0], given[1]]
        for at, other in ((0, 1), (1, 0)):
            maker, value = node.inputs[at].maker, node.inputs[other]
            if maker is not None and maker.kind == "prim::dtype" and value.known and isinstance(value.const, int):
                sides[other] = Text(self.number_as(value.const, "ScalarType"))
        return sides[0], sides[1]

    def _write_neg(self, node: Node, given: Sequence[Text]) -> Text:
        return Text(f"-{given[0].at(UNARY)}", UNARY)

    def _write_bitwise_not(self, node: Node, given: Sequence[Text]) -> Text:
        return Text(f"~{given[0].at(UNARY)}", UNARY)

    def _write_not(self, node: Node, given: Sequence[Text]) -> Text:
        return Text(given[0].negated, COMPARED) if given[0].negated else Text(f"not {given[0].at(NOT)}", NOT)

    def _write_rsub(self, node: Node, given: Sequence[Text]) -> Text | None:
        if not self._is_plain(node, "rsub") or node.schema.endswith("Tensor"):
            return None
        return Text(f"{given[1].at(SUM)} - {given[0].at(PRODUCT)}", SUM)

    def _write_contains(self, node: Node, given: Sequence[Text]) -> Text:
        item, items = given[1].at(COMPARED + 1), given[0].at(COMPARED + 1)
        return Text(f"{item} in {items}", COMPARED, negated=f"{item} not in {items}")

    def _write_getitem(self, node: Node, given: Sequence[Text]) -> Text:
        return Text(f"{given[0].at(ATOM)}[{given[1]}]")

    def _write_ScalarImplicit(self, node: Node, given: Sequence[Text]) -> Text:  # noqa: N802  the operator's own name
        return Text(f"{given[0].at(ATOM)}.item()")

    def _write_NumToTensor(self, node: Node, given: Sequence[Text]) -> Text:  # noqa: N802
        return Text(f"torch.tensor({given[0]})")

    def _write_format(self, node: Node, given: Sequence[Text]) -> Text:
        return Text(f"{given[0].at(ATOM)}.format({', '.join(map(str, given[1:]))})")

    def _write_Print(self, node: Node, given: Sequence[Text]) -> Text:  # noqa: N802
        return Text(f"print({', '.join(map(str, given))})")

    def _write_data(self, node: Node, given: Sequence[Text]) -> Text:
        return Text(f"{given[0].at(ATOM)}.detach()")  # the same memory, in a way that torch.export takes

    def _write_size(self, node: Node, given: Sequence[Text]) -> Text:
        return Text(f"{given[0].at(ATOM)}.size({', '.join(map(str, given[1:]))})")

    def _write_pow(self, node: Node, given: Sequence[Text]) -> Text | None:
        return Text(f"float({given[0].at(ATOM)} ** {given[1].at(POWER)})") if node.schema == "aten::pow.int" else None

    def _write_slice(self, node: Node, given: Sequence[Text]) -> Text | None:
        if node.schema != "aten::slice.Tensor":
            start, end, step = (given[1], given[2], given[3])
            return Text(f"{given[0].at(ATOM)}[{self._span(node.inputs[1:], (start, end, step))}]")
        dim = node.inputs[1].const
        if not isinstance(dim, int) or dim < 0:
            return None
        span = self._span(node.inputs[2:], given[2:])
        return given[0] if span == ":" else indexed(given[0], dim, span)

    def _span(self, values: Sequence[Any], given: Sequence[Text]) -> str:
        start = "" if values[0].known and values[0].const in (None, 0) else given[0].text
        end = "" if values[1].known and values[1].const in (None, LARGEST) else given[1].text
        step = "" if values[2].known and values[2].const == 1 else f":{given[2].text}"
        return f"{start}:{end}{step}"

    def _write_select(self, node: Node, given: Sequence[Text]) -> Text | None:
        dim = node.inputs[1].const if node.schema == "aten::select.int" else None
        if not isinstance(dim, int) or dim < 0 or node.inputs[2].is_tensor:
            return None
        return indexed(given[0], dim, given[2].text)

    def _write_index(self, node: Node, given: Sequence[Text]) -> Text | None:
        made = node.inputs[1].maker if len(node.inputs) > 1 else None
        if node.schema != "aten::index.Tensor" or made is None or made.kind != "prim::ListConstruct":
            return None
        inside = given[1].text[1:-1]
        if "(" in inside or "[" in inside:
            return None
        return Text(f"{given[0].at(ATOM)}[{', '.join(':' if part == 'None' else part for part in inside.split(', '))}]")

    def _write__set_item(self, node: Node, given: Sequence[Text]) -> Text:
        return Text(f"{given[0].at(ATOM)}[{given[1]}] = {given[2]}")

    def _write_warn(self, node: Node, given: Sequence[Text]) -> Text:
        self.used.add("warnings")
        return Text(f"warnings.warn({given[0]}, stacklevel=2)")

    def _without_tensors(self, node: Node, name: str, given: Sequence[Text]) -> Text | None:
        inside = ", ".join(map(str, given))
        if name in ("range_length", "__range_length"):
            return Text(f"len(range({inside}))")
        if name == "__derive_index":
            return Text(f"{given[1].at(SUM)} + {given[0].at(PRODUCT)} * {given[2].at(PRODUCT + 1)}", SUM)
        if name == "Delete":
            return Text(f"del {given[0].at(ATOM)}[{given[1]}]")
        if name in COLLECTIONS or name in OF_STRINGS:
            return _method_call(given[0], name, given[1:])
        if name in OF_NUMBERS:
            self.used.add("math")
            return Text(f"{OF_NUMBERS[name]}({inside})")
        if name in FUNCTIONS:
            return Text(f"{FUNCTIONS[name]}({inside})")
        return None

    def _of_tensors(self, node: Node, name: str, given: Sequence[Text]) -> Text:
        first: Mapping[str, Any] = next(iter(self._arguments(node)), {"name": "", "type": "", "written": False})
        if first["type"].endswith("[]") and first["written"] and name in COLLECTIONS:
            return _method_call(given[0], name, given[1:])
        if first["name"] == "self" and first["type"].startswith("Tensor") and name not in PREFERRED and self._is_method(name):
            positional, named = self._passed(node, given)
            return _method_call(given[0], name, [*positional[1:], *named])
        if prefix := self._module_with(name):
            self.used.add(prefix)
            positional, named = self._passed(node, given)
            return Text(f"{prefix}.{name}({', '.join([*positional, *named])})")
        return self._by_full_name(node, given)

    def _is_method(self, name: str) -> bool:
        """Whether tensors have a public method of that name."""
        return not name.startswith("_") and isinstance(getattr(self._torch.Tensor, name, None), types.MethodDescriptorType)

    def _module_with(self, name: str) -> str:
        """The module that has a function of that name: `F` or `torch`; empty where neither has."""
        for module, prefix in ((self._torch.nn.functional, "F"), (self._torch, "torch")):
            found = getattr(module, name, None)
            if isinstance(found, types.BuiltinFunctionType) and found.__name__ == name:
                return prefix
            if prefix == "F" and name in PASSED_ON:
                return prefix
        return ""

    def _by_full_name(self, node: Node, given: Sequence[Text]) -> Text:
        space, _, rest = node.schema.partition("::")
        name, _, overload = rest.partition(".")
        packet = getattr(getattr(self._torch.ops, space, None), name, None) if name.isidentifier() and space.isidentifier() else None
        if packet is None or not hasattr(packet, overload or "default"):
            raise RefusedError(f"it uses the operator `{node.kind}`, which this torch does not have")
        positional, named = self._passed(node, given)
        return Text(f"torch.ops.{space}.{name}.{overload or 'default'}({', '.join([*positional, *named])})")

    def _passed(self, node: Node, given: Sequence[Text]) -> tuple[list[str], list[str]]:
        """Arguments by position and by name, without those at their defaults."""
        positional: list[tuple[str, bool]] = []
        named: list[str] = []
        for argument, value, text in zip(self._arguments(node), node.inputs, given, strict=True):
            written = self._argument(argument, value.const, text)
            usual = self._is_usual(argument, value)
            if not argument["keyword"]:
                positional.append((written, usual))
            elif not usual:
                named.append(f"{argument['name']}={written}")
        while positional and positional[-1][1]:
            positional.pop()
        return [written for written, _ in positional], named

    def _is_usual(self, argument: Mapping[str, Any], value: Any) -> bool:
        if not value.known:
            return False
        if argument["name"] == "reduction":
            return False  # of which torch's functions have another default than its operators
        if "default" in argument and value.const == argument["default"] and type(value.const) is type(argument["default"]):
            return True
        return argument["name"] in ("layout", "pin_memory") and not value.const

    def _argument(self, argument: Mapping[str, Any], const: Any, text: Text) -> str:
        kind = argument["type"].removesuffix("?")
        if isinstance(const, int) and not isinstance(const, bool) and kind in ("ScalarType", "Layout", "MemoryFormat"):
            return self.number_as(const, kind)
        if isinstance(const, Other) and const.kind == "device":
            return text.text.removeprefix("torch.device(").removesuffix(")")
        return text.text

    def number_as(self, number: int, kind: str) -> str:
        """A dtype, a layout or a memory format that TorchScript keeps as a number."""
        words: Sequence[str] = {"ScalarType": DTYPES, "Layout": LAYOUTS, "MemoryFormat": MEMORY_FORMATS}[kind]
        if not 0 <= number < len(words):
            raise RefusedError(f"it has the number {number} for a {kind}")
        return f"torch.{words[number]}"


def _method_call(owner: Text, name: str, arguments: Iterable[object]) -> Text:
    return Text(f"{owner.at(ATOM)}.{name}({', '.join(map(str, arguments))})")


def indexed(base: Text, dim: int, item: str) -> Text:
    """A tensor indexed in one dimension more, joined with an index before it where that says the same."""
    before: tuple[str, ...] = ()
    start = base.at(ATOM)
    if base.items is not None:
        kept = sum(1 for one in base.items[1] if ":" in one)
        if dim >= kept:
            start, before = base.items
            dim -= kept
    items = (*before, *[":"] * dim, item)
    return Text(f"{start}[{', '.join(items)}]", ATOM, (start, items))


def constant(value: Any) -> Text:
    """A constant as an expression."""
    if value is UNKNOWN:
        raise RefusedError("it holds a constant that cannot be read")
    text = literal(value)
    return Text(text, UNARY if text.startswith("-") else ATOM)
