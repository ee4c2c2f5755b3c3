"""What every model of a run is linted with."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from .. import _places
from .._library import Source, ask, version
from ..errors import ModelValidatorError
from ._patience import Patience

FILE_OPTIONS = ("config", "profile", "op_library")
"""Options that name files, whose content matters as well."""

@dataclass(frozen=True)
class Rerun:
    """Only some rules are run, where the row of an earlier run holds the rest."""

    key: str
    """Of the earlier run's settings."""
    rules: tuple[str, ...]


@dataclass(frozen=True)
class Settings:
    """What a model is linted with, and how it is read."""

    options: Mapping[str, Any] = field(default_factory=dict)
    """As of `model_validator.check`: `target`, `select`, `preset`, …"""
    storage: Mapping[str, Any] = field(default_factory=dict)
    """Options for file systems, by protocol."""
    patience: Patience = field(default_factory=Patience)
    max_fetch: int = 256 << 20
    """How many bytes of a remote model may be read."""
    connections: int = 8
    """How many remote models a worker fetches at the same time."""
    rerun: Rerun | None = None

    @cached_property
    def described(self) -> dict[str, Any]:
        """All that findings depend on besides the models: version, rules and options."""
        files = {name: _digest(_paths(self.options[name])) for name in FILE_OPTIONS if self.options.get(name)}
        return {**installed(), "options": dict(self.options), "files": files}

    @cached_property
    def key(self) -> str:
        """Names them in results."""
        text = json.dumps(self.described, sort_keys=True, default=str)
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    def require_good(self) -> None:
        """@raises ModelValidatorError if an option is wrong, which would otherwise be said of each model"""
        for name in FILE_OPTIONS:
            for path in _paths(self.options.get(name) or []):
                if not path.is_file():
                    raise ModelValidatorError("not-found", str(path), "no such file", f"check the path of `{name}` for a typo")
        nothing = Source("", path=os.devnull)
        ask("check", [nothing], {"isolated": not self.options.get("config"), "formats": ["json"], **self.options})

    @property
    def only_rerun(self) -> dict[str, Any]:
        """The options, with the rules alone that are run again."""
        return {**self.options, "select": list(self.rerun.rules if self.rerun else ()), "extend_select": None}

    @staticmethod
    def without(options: Mapping[str, Any], rules: Iterable[str]) -> dict[str, Any]:
        """The options, with these rules left out."""
        return {**options, "ignore": [*(options.get("ignore") or []), *rules]}

    def for_worker(self, workers: int) -> Settings:
        """The rate of requests is divided among the workers."""
        rate = self.patience.rate
        return self if rate is None else dataclasses.replace(self, patience=dataclasses.replace(self.patience, rate=rate / workers))


def installed() -> dict[str, str]:
    """Identifies what this machine has installed."""
    return {"version": version(), "rules": rules_digest()}


def _paths(value: Any) -> list[Path]:
    values = [value] if isinstance(value, str | Path) else list(value)
    return [Path(str(item).split("::", maxsplit=1)[0]) for item in values]


def _digest(files: Iterable[Path]) -> str:
    found = hashlib.blake2b(digest_size=8)
    for file in files:
        found.update(file.read_bytes() if file.is_file() else b"")
    return found.hexdigest()


def rules_digest() -> str:
    """Identifies the target profiles and tables of this installation."""
    return _digest(sorted((_places.prefix() / "share" / "model_validator" / "rules").rglob("*.toml")))
