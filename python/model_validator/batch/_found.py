"""The files that are left to lint."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import ModelValidatorError
from ._files import ModelFile, discover, is_local


@dataclass
class Found:
    """The files of sources, one after the other, without those that the results have."""

    sources: Sequence[str]
    storage: dict[str, Any]
    column: str | None
    known: Mapping[str, str]
    done: int = 0
    to_lint: int = 0
    total: int | None = None
    """Of files to lint, once all were found."""
    missing: list[ModelValidatorError] = field(default_factory=list)

    def __iter__(self) -> Iterator[ModelFile]:
        for source in self.sources:
            try:
                yield from self._of(source)
            except ModelValidatorError as error:
                self.missing.append(error)
        self.total = self.to_lint

    def _of(self, source: str) -> Iterator[ModelFile]:
        for file in discover(source, self.storage, self.column):
            known = self.known.get(file.uri)
            if known is not None and known == _cheap_version(file):
                self.done += 1
            else:
                self.to_lint += 1
                yield dataclasses.replace(file, known=known)


def _cheap_version(file: ModelFile) -> str | None:
    """The version, where no request is needed to know it."""
    if not is_local(file.uri):
        return file.version
    try:
        status = os.stat(file.uri)
    except OSError:
        return None
    return f"{status.st_size}@{status.st_mtime_ns}"
