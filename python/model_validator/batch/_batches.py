"""The unit of work: a few files, whose rows are one part of the results."""

from __future__ import annotations

import ctypes
import os
import signal
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from ..errors import ModelValidatorError
from ._files import ModelFile
from ._linting import Linter, Row, row_of_error
from ._rerun import Earlier
from ._results import Results
from ._settings import Settings, installed
from ._systems import is_local

FIRST, LARGEST = 4, 128
DEATHS = 2
"""A file whose linting has ended so many workers gets an error."""
PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Tally:
    """How a batch went."""

    models: int = 0
    failures: int = 0
    """Models that could not be read."""
    with_findings: int = 0
    skipped: int = 0
    """Models that the results had already."""
    bytes_read: int = 0
    requests: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.models + other.models,
            self.failures + other.failures,
            self.with_findings + other.with_findings,
            self.skipped + other.skipped,
            self.bytes_read + other.bytes_read,
            self.requests + other.requests,
        )


def in_batches(files: Iterable[ModelFile], workers: int, largest: int) -> Iterator[list[ModelFile]]:
    """Small ones first, so that a few files are shared among the workers, and many do not make too many parts."""
    size, made, batch = FIRST, 0, list[ModelFile]()
    for file in files:
        batch.append(file)
        if len(batch) < min(size, largest):
            continue
        yield batch
        batch, made = [], made + 1
        if made % (2 * workers) == 0:
            size *= 2
    if batch:
        yield batch


class Worker:
    """Lints batches and writes their parts. It lives as long as its process."""

    def __init__(self, settings: Settings, results: Results) -> None:
        """@raises ModelValidatorError if this machine has something else installed than the one that began the run"""
        if any(settings.described[name] != value for name, value in installed().items()):
            raise ModelValidatorError("version-mismatch", os.uname().nodename, "another version is installed here than where the run began")
        self._settings = settings
        self._results = results
        self._linter = Linter(settings, Earlier(results, settings.rerun.key) if settings.rerun else None)
        self._threads = ThreadPoolExecutor(settings.connections)

    def lint(self, files: Sequence[ModelFile]) -> Tally:
        """Lints the files, unless a worker that died did it before."""
        part = self._results.part_of(files, self._settings)
        if self._results.has(part):
            return Tally(models=len(files))
        rows = [row for row in self._rows(files) if row is not None]
        if rows:
            self._results.write(part, rows)
        return Tally(
            len(rows),
            sum(row["status"] == "error" for row in rows),
            sum(row["status"] == "failed" for row in rows),
            len(files) - len(rows),
            sum(row["bytes_read"] for row in rows),
            sum(row["requests"] for row in rows),
        )

    def _rows(self, files: Sequence[ModelFile]) -> list[Row | None]:
        if all(is_local(file.uri) for file in files):
            return [self._linter.row_of(file) for file in files]
        return list(self._threads.map(self._linter.row_of, files))


def give_up(file: ModelFile, settings: Settings, results: Results) -> Tally:
    """The row of a file that ends its workers, unless one of them wrote it."""
    part = results.part_of([file], settings)
    if not results.has(part):
        error = ModelValidatorError("crashed", file.uri, f"the worker that linted it was killed, {DEATHS} times")
        identity = {"uri": file.uri, "version": file.version or "", "revision": file.revision, "size": file.size or 0}
        measured = {"seconds": 0.0, "requests": 0, "bytes_read": 0, "settings": settings.key}
        results.write(part, [{**row_of_error(error), **identity, **measured}])
    return Tally(models=1, failures=1)


def end_with(parent: int) -> None:
    """Has the kernel end this process as soon as its parent ends, however that happens."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
