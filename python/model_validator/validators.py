"""Custom checks, written in Python: they run among the built-in ones.

@mv.validator
class NoSigmoid(mv.Validator):
    info = mv.RuleInfo("no-sigmoid", "TEAM001", "a sigmoid, which our accelerator rounds to 8 bits")

    def run(self, graph: mv.ConnectedGraph, diagnostics: mv.Diagnostics) -> None:
        for op in graph.ops:
            if op.type == "sigmoid":
                diagnostics.add("sigmoid in the model", op=op, help="use hardsigmoid")
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from . import _places
from ._installed import entry_points
from ._keywords import require_word, takes_fields
from ._words import Severity
from .graph import ConnectedGraph, Op


@takes_fields
@dataclass(frozen=True)
class RuleInfo:
    """What a check declares about itself."""

    name: str
    """In kebab-case; the primary name: `no-sigmoid`."""
    code: str
    """A stable alias, letters and three digits: `TEAM001`."""
    summary: str = ""
    severity: Severity = "warning"
    on_by_default: bool = True

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", self.name):
            raise ValueError(f"the name of a rule is written like this: no-sigmoid; not {self.name!r}")
        if not re.fullmatch(r"[A-Z]{2,8}[0-9]{3}", self.code):
            raise ValueError(f"the code of a rule is written like this: TEAM001; not {self.code!r}")
        require_word("severity", self.severity, Severity)


class Diagnostics:
    """Collects what one check finds."""

    def __init__(self) -> None:
        self._findings: list[dict[str, Any]] = []

    def add(
        self,
        message: str,
        *,
        op: Op | None = None,
        module: str | None = None,
        help: str = "",  # the reports' word
        notes: Sequence[str] = (),
        severity: Severity | None = None,
    ) -> None:
        """Reports one thing.

        message: what is wrong: lower case, no full stop. op: the operation it is about; supplies the module and
        the line of Python. module: the path of the module it is about. help: what to do instead. severity: overrides
        the rule's own.
        """
        finding: dict[str, Any] = {"message": message, "help": help, "notes": list(notes)}
        if severity is not None:
            require_word("severity", severity, Severity)
            finding["severity"] = severity
        if op is not None:
            finding["op"] = {"name": op.name, "type": op.type}
            finding["parent"] = op.parent or ""
            finding["locations"] = _places_of(op)
        finding["module"] = module if module is not None else _module_of(op)
        self._findings.append(finding)

    @property
    def findings(self) -> Sequence[dict[str, Any]]:
        """The findings added."""
        return self._findings


def _module_of(op: Op | None) -> str:
    if op is None:
        return ""
    return op.module if op.module is not None else op.parent or ""


def _places_of(op: Op) -> list[dict[str, Any]]:
    if op.source is None:
        return []
    source = op.source
    return [{"file": source.file, "line": source.line, "column": source.column, "module": op.parent or "", "role": "call"}]


class Validator(ABC):
    """A check. Keeps no state between runs: it may run in several threads at once."""

    info: RuleInfo

    @abstractmethod
    def run(self, graph: ConnectedGraph, diagnostics: Diagnostics) -> None:
        """Looks at the graph and reports. What it raises becomes one finding, and the other checks still run."""


V = TypeVar("V", bound=Validator)
_registered: dict[str, Validator] = {}


def validator(check: type[V]) -> type[V]:
    """A class decorator: registers a check for every later `check` in this process."""
    made = check()
    if made.info.name in _registered and type(_registered[made.info.name]) is not check:
        others = type(_registered[made.info.name])
        if (others.__module__, others.__qualname__) != (check.__module__, check.__qualname__):
            raise ValueError(f"there is already a check named {made.info.name!r}")
    _registered[made.info.name] = made
    return check


def unregister(name: str) -> None:
    """Removes a registered check. @raises KeyError"""
    del _registered[name]


@cache
def installed() -> tuple[Validator, ...]:
    """The checks that installed packages provide; looked up once. @raises ImportError"""
    return tuple(_loaded(entry) for entry in entry_points())


def _loaded(entry: Any) -> Validator:
    try:
        with _places.without_current_folder():
            made: Validator = entry.load()()
    except Exception as error:
        raise ImportError(f"the installed check `{entry.value}` cannot be loaded: {type(error).__name__}: {error}") from error
    return made


def all_validators(more: Iterable[Validator | type[Validator]] = ()) -> list[Validator]:
    """Those installed, those registered, and these: one per name, the last one winning."""
    given = [check() if isinstance(check, type) else check for check in more]
    return list({check.info.name: check for check in [*installed(), *_registered.values(), *given]}.values())


def recorded(checks: Iterable[Validator], graph: ConnectedGraph | None) -> list[dict[str, Any]]:
    """The checks and what they find, as the library takes them. graph: None where it cannot be read"""
    return [_recorded(check, graph) for check in checks]


def _recorded(check: Validator, graph: ConnectedGraph | None) -> dict[str, Any]:
    diagnostics = Diagnostics()
    try:
        if graph is not None:
            check.run(graph, diagnostics)
    except Exception as error:  # a third-party check may raise anything
        diagnostics.add(f"the check raised {type(error).__name__}: {error}", severity="error")
    info = check.info
    return {
        "name": info.name,
        "code": info.code,
        "summary": info.summary,
        "severity": info.severity,
        "on_by_default": info.on_by_default,
        "findings": list(diagnostics.findings),
    }
