"""Names and literals of a file as Python. Every word that a file brings into a written module passes here."""

from __future__ import annotations

import builtins
import keyword
import math
import re
from typing import Any

from ._document import Other, RefusedError

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
MANGLED = re.compile(r"___torch_mangle_\d+\.")
USED = (
    "int float bool len str list ord chr sorted dict hex oct bin any all sum divmod abs "
    "round min max print range super isinstance getattr setattr tuple slice RuntimeError warnings"
).split()
"""Builtins that a module uses."""
RESERVED = {*keyword.kwlist, *USED, "torch", "nn", "F", "math", "self", "NamedTuple", "load", "load_file", "stored", "Path", "l", "O", "I"}
"""What no variable and no class is called."""
LONGEST = 80


def is_identifier(name: str) -> bool:
    """Whether Python takes it as a name that means itself: ASCII, no keyword, nothing that a class changes or that Python gives a meaning."""
    return bool(IDENTIFIER.fullmatch(name)) and not keyword.iskeyword(name) and not name.startswith("__") and len(name) <= LONGEST


def base_name(hint: str) -> str:
    """What a variable is called after its name in the file; empty where that says nothing."""
    name = re.sub(r"\.\d+$", "", hint)
    name = re.sub(r"^_+|\d+$", "", name)
    if not IDENTIFIER.fullmatch(name) or len(name) > 40:
        return ""
    return name + "_" if name in RESERVED else name


def qualified(name: str) -> str:
    """The name of a class in Python: `torch.nn.modules.conv.Conv2d`."""
    return MANGLED.sub("", name).removeprefix("__torch__.")


def class_name(name: str) -> str:
    """The last part of the qualified name of a class or function, if it may stand in Python."""
    last = qualified(name).rpartition(".")[2]
    return last if is_identifier(last) and last not in RESERVED else "Unnamed"


def literal(value: Any) -> str:
    """A constant in Python's own words. @raises RefusedError for what has none"""
    if value is None or isinstance(value, bool | int):
        return repr(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else f'float("{value}")'
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(literal, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{literal(key)}: {literal(item)}' for key, item in value.items())}}}"
    if isinstance(value, Other) and value.kind == "device":
        return f"torch.device({quoted(value.text)})"
    raise RefusedError(f"it stores {_what(value)} where Python would need a literal")


def _what(value: Any) -> str:
    return f"a value of the kind {value.text!a}" if isinstance(value, Other) else "tensors or objects in a list"


def quoted(text: str) -> str:
    """A string literal in ASCII, in double quotes where that needs no more escapes."""
    written = ascii(text)
    return f'"{written[1:-1]}"' if written[0] == "'" and '"' not in written and "\\'" not in written else written


class Names:
    """Names that are taken once each."""

    def __init__(self, *taken: str) -> None:
        self._taken = {*RESERVED, *dir(builtins), "json", "DTYPES", "SHARED", *taken}

    def take(self, wanted: str) -> str:
        """The name, or with a number behind it if it is taken."""
        name, count = wanted, 1
        while name in self._taken:
            count += 1
            name = f"{wanted}{count}" if not wanted[-1].isdigit() else f"{wanted}_{count}"
        self._taken.add(name)
        return name
