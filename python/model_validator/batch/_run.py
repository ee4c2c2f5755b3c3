"""`run`: lints all that sources name, and leaves out what the results have already."""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from .._keywords import require_word, takes
from .._options import OfMany, Unpack, given_lists, texts
from .._words import Engine
from ..errors import ModelValidatorError
from ._batches import LARGEST, Tally, in_batches
from ._files import ModelFile
from ._found import Found, counted_ahead
from ._local_engine import run_local
from ._patience import Patience
from ._ray_engine import left_out, run_ray
from ._rerun import rerun_of
from ._results import Results
from ._settings import Rerun, Settings


@dataclass(frozen=True)
class Summary:
    """How a run went."""

    tally: Tally
    seconds: float
    key: str
    """Of the settings, as in the rows."""
    missing: tuple[ModelValidatorError, ...] = ()
    """Sources that name no models, and folders that cannot be listed."""
    rerun: Rerun | None = None
    """Which rules alone were run where a row of earlier settings held the rest."""

    def __str__(self) -> str:
        tally = self.tally
        rate = tally.models / self.seconds if self.seconds else 0
        parts = [f"{tally.models} models in {self.seconds:.1f} s ({rate:.1f} a second)", f"{tally.with_findings} with findings"]
        parts.append(f"{tally.failures} could not be read")
        if tally.skipped:
            parts.append(f"{tally.skipped} were in the results already")
        if tally.requests:
            parts.append(f"{tally.bytes_read / 1e6:.1f} MB read in {tally.requests} requests")
        if self.rerun:
            parts.append(f"{' and '.join(self.rerun.rules)} alone where rows of {self.rerun.key} say the rest")
        return ", ".join(parts)


@dataclass(frozen=True)
class Plan:
    """What a run would do."""

    to_lint: tuple[ModelFile, ...]
    """Without those that the results have."""
    done: int
    missing: tuple[ModelValidatorError, ...] = ()


@takes(OfMany)
def run(
    sources: str | Sequence[str],
    out: str,
    *,
    engine: Engine = "local",
    address: str | None = None,
    workers: int | None = None,
    batch: int = LARGEST,
    column: str | None = None,
    storage: Mapping[str, Any] | None = None,
    max_fetch: int = 256 << 20,
    rate_limit: float | None = None,
    attempts: int = 6,
    first_pause: float = 0.5,
    rerun_rule: str | Sequence[str] = (),
    progress: Callable[[Tally, Found], None] | None = None,
    **options: Unpack[OfMany],
) -> Summary:
    """Lints all models that sources name, and writes a row for each into the folder or URL `out`.

    sources: folders, patterns, lists (`.txt`, `.csv`, `.parquet`) and any URL of fsspec. A model that has a row for the same
    version and settings is left out. Whatever is wrong with a model or its store is in its row, and ends nothing.

    engine: `local`, processes of this machine, or `ray`, with the address of a cluster or a local one. workers: one a core.
    batch: the largest number of models that are lost, and done again, when a worker dies. column: of lists.
    storage: options for file systems by protocol, `{"s3": {"anon": True}}`. max_fetch: how many bytes of one remote model are read.
    rate_limit: requests a second to one host, of all workers. attempts: of a request that fails for the moment.

    rerun_rule: rules that have changed since the latest other run into these results. They alone are run where a row of that run
    is of the same version of a model, and the row says the rest. The same holds by itself where nothing but the target has changed.

    options: those of `model_validator.check`: `target`, `select`, `preset`, `timeout`, … No configuration file applies but that of `config`.

    @raises ModelValidatorError if an option is wrong, a package is missing, or another run writes into the results
    """
    require_word("engine", engine, Engine)
    patience = Patience(attempts, first_pause, rate_limit)
    settings = Settings(given_lists(options), dict(storage or {}), patience, max_fetch)
    settings.require_good()
    results = Results(out, dict(storage or {}), patience)
    results.prepare()
    with results.only_run() as results:
        settings = _with_rerun(settings, results, rerun_rule)
        results.begin(settings)
        found = Found(_named(sources), dict(settings.storage), column)
        begun, tally = time.monotonic(), Tally()
        with counted_ahead(found, left_out(settings, results)) if progress else nullcontext():
            for part in _tallies(found, settings, results, engine, address, workers, batch):
                tally += part
                if progress:
                    progress(tally, found)
    tally += Tally(skipped=found.done)
    return Summary(tally, time.monotonic() - begun, settings.key, tuple(found.missing), settings.rerun)


@takes(OfMany)
def plan(
    sources: str | Sequence[str],
    out: str,
    *,
    column: str | None = None,
    storage: Mapping[str, Any] | None = None,
    rerun_rule: str | Sequence[str] = (),
    **options: Unpack[OfMany],
) -> Plan:
    """What `run` would lint. Lists, but reads no model. @raises ModelValidatorError"""
    results = Results(out, dict(storage or {}))
    settings = _with_rerun(Settings(given_lists(options), dict(storage or {})), results, rerun_rule)
    found = Found(_named(sources), dict(settings.storage), column, **left_out(settings, results))
    return Plan(tuple(found), found.done, tuple(found.missing))


def _with_rerun(settings: Settings, results: Results, rules: str | Sequence[str]) -> Settings:
    return dataclasses.replace(settings, rerun=rerun_of(settings, results, texts(rules) or []))


def _named(sources: str | Sequence[str]) -> list[str]:
    return [sources] if isinstance(sources, str) else list(sources)


def _tallies(
    found: Found, settings: Settings, results: Results, engine: Engine, address: str | None, workers: int | None, largest: int
) -> Iterator[Tally]:
    if engine == "ray":
        yield from run_ray(found, settings, results, workers, largest, address)
        return
    for name, rows in left_out(settings, results).items():
        setattr(found, name, rows)
    count = workers or os.cpu_count() or 1
    yield from run_local(in_batches(found, count, largest), settings, results, count)
