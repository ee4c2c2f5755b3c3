"""Workers that are processes of this machine, by the standard library."""

from __future__ import annotations

import multiprocessing
import os
import signal
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from tempfile import TemporaryDirectory
from typing import Any

from ..errors import ModelValidatorError
from ._batches import DEATHS, Tally, Worker, end_with, give_up
from ._files import ModelFile
from ._results import Results
from ._settings import Settings

READY = "ready"
STILLBORN = 3
"""If so many workers in a row end before they begin, something is wrong with all."""


@dataclass(frozen=True)
class _Job:
    files: list[ModelFile]
    deaths: int = 0
    """How many workers it has ended."""


def run_local(batches: Iterable[list[ModelFile]], settings: Settings, results: Results, workers: int) -> Iterator[Tally]:
    """Lints the batches, and tells how each went. A worker that dies is replaced. @raises ModelValidatorError"""
    with TemporaryDirectory(prefix="model_validator-") as scratch:  # a worker that is killed does not tidy up
        engine = _Engine(workers, settings.for_worker(workers), results, scratch)
        try:
            yield from engine.tallies(_Job(batch) for batch in batches)
        finally:
            engine.close()


class _Process:
    """A worker, and what it is doing."""

    def __init__(self, *setting: Any) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, os.getpid(), *setting))
        self._process.start()
        theirs.close()
        self.ready = False
        self.job: _Job | None = None

    def answer(self) -> Any:
        """What it says; None if it has died."""
        with suppress(EOFError, OSError):
            return self.pipe.recv()
        return None

    def begin(self, job: _Job) -> None:
        """Gives it something to do. If it has died, its answer says so."""
        self.job = job
        with suppress(OSError):
            self.pipe.send(job.files)

    def end(self) -> None:
        """Ends it, in the middle if need be: parts are complete or absent."""
        self._process.kill()
        self._process.join()
        self.pipe.close()


class _Engine:
    def __init__(self, workers: int, settings: Settings, results: Results, scratch: str) -> None:
        self._workers, self._settings, self._results, self._scratch = workers, settings, results, scratch
        self._processes: list[_Process] = []
        self._again = deque[_Job]()
        self._stillborn = 0

    def tallies(self, jobs: Iterator[_Job]) -> Iterator[Tally]:
        """How each batch went. @raises ModelValidatorError"""
        while True:
            busy = [process for process in self._processes if process.job]
            while len(busy) < self._workers and (job := self._next(jobs)):
                process = self._free()
                process.begin(job)
                busy.append(process)
            if not busy:
                return
            for pipe in wait([process.pipe for process in busy]):
                yield from self._hear(next(process for process in busy if process.pipe is pipe))

    def _free(self) -> _Process:
        """One that has nothing to do, begun if need be."""
        for process in self._processes:
            if process.job is None:
                return process
        self._processes.append(_Process(self._settings, self._results, self._scratch))
        return self._processes[-1]

    def _next(self, jobs: Iterator[_Job]) -> _Job | None:
        return self._again.popleft() if self._again else next(jobs, None)

    def _hear(self, process: _Process) -> Iterator[Tally]:
        answer, job = process.answer(), process.job
        if isinstance(answer, Exception):
            raise answer
        if answer == READY:
            process.ready, self._stillborn = True, 0
            return
        process.job = None
        if isinstance(answer, Tally):
            yield answer
        elif job:
            yield from self._bury(process, job)

    def _bury(self, process: _Process, job: _Job) -> Iterator[Tally]:
        """What a dead worker had is done again, file by file, to tell which one ends it."""
        process.end()
        self._processes.remove(process)
        if not process.ready:
            self._stillborn += 1
            if self._stillborn == STILLBORN:
                hint = 'a script that calls `batch.run` does so beneath `if __name__ == "__main__":`'
                raise ModelValidatorError("no-service", "", "workers end before they begin", hint)
            self._again.append(job)
        elif self._results.has(self._results.part_of(job.files, self._settings)):
            yield Tally(models=len(job.files))
        elif len(job.files) > 1:
            self._again.extend(_Job([file]) for file in job.files)
        elif job.deaths + 1 < DEATHS:
            self._again.append(_Job(job.files, job.deaths + 1))
        else:
            yield give_up(job.files[0], self._settings, self._results)

    def close(self) -> None:
        """Ends all workers."""
        for process in self._processes:
            process.end()


def _work(pipe: Connection, parent: int, settings: Settings, results: Results, scratch: str) -> None:
    """A worker keeps its reader from one batch to the next."""
    tempfile.tempdir = scratch
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that began the run ends this one
    end_with(parent)
    try:
        worker = Worker(settings, results)
        pipe.send(READY)
        while True:
            pipe.send(worker.lint(pipe.recv()))
    except Exception as error:
        pipe.send(error if isinstance(error, ModelValidatorError) else _fault(error))


def _fault(error: Exception) -> ModelValidatorError:
    return ModelValidatorError("internal-error", "", f"a worker failed: {type(error).__name__}: {error}")
