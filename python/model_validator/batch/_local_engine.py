"""Workers that are processes of this machine, by the standard library."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from ..errors import ModelValidatorError
from ._batches import Tally, Worker, end_with
from ._files import ModelFile
from ._linting import row_of_error
from ._results import Results
from ._settings import Settings

AHEAD = 3
"""So many batches for each worker are found in advance."""
DEATHS = 2
"""A file whose linting has ended so many workers gets an error."""

_worker: Worker | None = None


def run_local(batches: Iterable[list[ModelFile]], settings: Settings, results: Results, workers: int) -> Iterator[Tally]:
    """Lints the batches, and tells how each went. A worker that dies is replaced."""
    engine = _Engine(settings.for_worker(workers), results, workers)
    try:
        for batch in batches:
            yield from engine.drained(AHEAD * workers - 1)
            engine.submit(batch, 0)
        yield from engine.drained(0)
    finally:
        engine.close()


class _Engine:
    def __init__(self, settings: Settings, results: Results, workers: int) -> None:
        self._settings, self._results, self._workers = settings, results, workers
        self._under_way: dict[Future[Tally], tuple[list[ModelFile], int]] = {}
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self._workers, multiprocessing.get_context("spawn"), _begin, (self._settings, self._results, os.getpid())
        )

    def submit(self, batch: list[ModelFile], deaths: int) -> None:
        """deaths: how many workers it has ended."""
        try:
            future = self._pool.submit(_lint, batch)
        except BrokenProcessPool:  # noticed before the batches that it had were asked for
            future = Future()
            future.set_exception(BrokenProcessPool())
        self._under_way[future] = (batch, deaths)

    def drained(self, to: int) -> Iterator[Tally]:
        """Waits until no more than so many batches are under way."""
        while len(self._under_way) > to:
            done, _ = wait(self._under_way, return_when=FIRST_COMPLETED)
            broken = [future for future in done if isinstance(future.exception(), BrokenProcessPool)]
            for future in done.difference(broken):
                del self._under_way[future]
                yield future.result()
            if broken:
                yield from self._begin_again()

    def _begin_again(self) -> Iterator[Tally]:
        """All that was under way is done again, file by file, to tell which file ends a worker."""
        self._pool.shutdown(wait=True, cancel_futures=True)
        left, self._under_way = list(self._under_way.items()), {}
        self._pool = self._new_pool()
        for future, (batch, deaths) in left:
            if not isinstance(future.exception(), BrokenProcessPool):
                yield future.result()
                continue
            part = self._results.part_of(batch, self._settings)
            if self._results.has(part):
                yield Tally(models=len(batch))
            elif len(batch) > 1:
                for file in batch:
                    self.submit([file], deaths)
            elif deaths + 1 >= DEATHS:
                yield self._give_up(part, batch[0])
            else:
                self.submit(batch, deaths + 1)

    def _give_up(self, part: str, file: ModelFile) -> Tally:
        error = ModelValidatorError("crashed", file.uri, "the worker that linted it was ended, twice")
        row = {"uri": file.uri, "version": file.version or "", "size": file.size or 0, **row_of_error(error)}
        measured = {"seconds": 0.0, "requests": 0, "bytes_read": 0, "settings": self._settings.key}
        self._results.write(part, [{**row, **measured}])
        return Tally(models=1, failures=1)

    def close(self) -> None:
        """Batches that have not begun do not begin."""
        self._pool.shutdown(wait=True, cancel_futures=True)


def _begin(settings: Settings, results: Results, parent: int) -> None:
    global _worker  # noqa: PLW0603 - a process of the pool keeps its reader from one batch to the next
    end_with(parent)
    _worker = Worker(settings, results)


def _lint(files: Sequence[ModelFile]) -> Tally:
    if _worker is None:
        raise RuntimeError("the worker has not begun")
    return _worker.lint(files)
