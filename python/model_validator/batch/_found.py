"""The files that are left to lint."""

from __future__ import annotations

import dataclasses
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from ..errors import ModelValidatorError
from ._files import LISTS, ModelFile, discover
from ._results import Known, name_in_rows
from ._systems import is_local

PATIENCE = 1.0
"""Seconds that a store which does not answer may delay the end of a run."""


@dataclass
class Found:
    """The files of sources, one after the other and none twice, without those that the results have."""

    sources: Sequence[str]
    storage: dict[str, Any]
    column: str | None
    known: Mapping[str, Known] = field(default_factory=dict)
    earlier: Mapping[str, Known] = field(default_factory=dict)
    """Rows of an earlier run, most of which still hold."""
    done: int = 0
    to_lint: int = 0
    total: int | None = None
    """Of files to lint, once all were found."""
    missing: list[ModelValidatorError] = field(default_factory=list)

    def __iter__(self) -> Iterator[ModelFile]:
        for file in self._each_once():
            row = self.known.get(name_in_rows(file.uri))
            if row and row.settled and row.version == _cheap_version(file):
                self.done += 1
                continue
            self.to_lint += 1
            before = self.earlier.get(name_in_rows(file.uri))
            known = row.version if row and row.settled else None
            yield dataclasses.replace(file, known=known, revision=row.revision + 1 if row else 0, earlier=before.part if before else None)
        self.total = self.to_lint

    def _each_once(self) -> Iterator[ModelFile]:
        """A folder has no name twice, but a list may, and two sources may name the same."""
        several = len(self.sources) > 1 or any(source.lower().endswith(LISTS) for source in self.sources)
        seen: set[int] = set()
        for file in self._all():
            if several:
                name = hash(file.uri)
                if name in seen:
                    continue
                seen.add(name)
            yield file

    def _all(self) -> Iterator[ModelFile]:
        for source in self.sources:
            try:
                yield from discover(source, self.storage, self.column, self.missing.append)
            except ModelValidatorError as error:
                self.missing.append(error)


@contextmanager
def counted_ahead(found: Found, known: Mapping[str, Any]) -> Iterator[None]:
    """Meanwhile the files are counted, without being held, so that it can be said how many are left. known: as of `found`"""
    ended = threading.Event()
    ahead = dataclasses.replace(found, missing=[], **known)

    def count() -> None:
        with suppress(Exception):  # of a store: the run itself says so
            for _ in ahead:
                if ended.is_set():
                    return
            found.total = ahead.total

    thread = threading.Thread(target=count, name="model_validator counts", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(PATIENCE)


def _cheap_version(file: ModelFile) -> str | None:
    """The version, where no request is needed to know it."""
    if not is_local(file.uri):
        return file.version
    try:
        status = os.stat(file.uri)
    except (OSError, ValueError):
        return None
    return f"{status.st_size}@{status.st_mtime_ns}"
