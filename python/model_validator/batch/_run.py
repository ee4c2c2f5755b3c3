"""`run`: lints all that sources name, and leaves out what the results have already."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ..errors import ModelValidatorError
from ._batches import LARGEST, Tally, in_batches
from ._files import ModelFile
from ._found import Found
from ._local_engine import run_local
from ._ray_engine import run_ray
from ._results import Results
from ._settings import Settings
from ._store import Patience

Engine = Literal["local", "ray"]


@dataclass(frozen=True)
class Summary:
    """How a run went."""

    tally: Tally
    seconds: float
    key: str
    """Of the settings, as in the rows."""
    missing: tuple[ModelValidatorError, ...] = ()
    """Sources that name no models."""

    def __str__(self) -> str:
        tally = self.tally
        rate = tally.models / self.seconds if self.seconds else 0
        parts = [f"{tally.models} models in {self.seconds:.1f} s ({rate:.1f} a second)", f"{tally.with_findings} with findings"]
        parts.append(f"{tally.failures} could not be read")
        if tally.skipped:
            parts.append(f"{tally.skipped} were in the results already")
        if tally.requests:
            parts.append(f"{tally.bytes_read / 1e6:.1f} MB read in {tally.requests} requests")
        return ", ".join(parts)


@dataclass(frozen=True)
class Plan:
    """What a run would do."""

    to_lint: tuple[ModelFile, ...]
    """Without those that the results have."""
    done: int
    missing: tuple[ModelValidatorError, ...] = ()


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
    progress: Callable[[Tally, Found], None] | None = None,
    **options: Any,
) -> Summary:
    """Lints all models that sources name, and writes a row for each into the folder or URL `out`.

    sources: folders, patterns, lists (`.txt`, `.csv`, `.parquet`) and any URL of fsspec. A model that has a row for the same
    version and settings is left out. Whatever is wrong with a model or its store is in its row, and ends nothing.

    engine: `local`, processes of this machine, or `ray`, with the address of a cluster or a local one. workers: one a core.
    batch: the largest number of models that are lost, and done again, when a worker dies. column: of lists.
    storage: options for file systems by protocol, `{"s3": {"anon": True}}`. max_fetch: how many bytes of one remote model are read.
    rate_limit: requests a second to one host, of all workers. attempts: of a request that fails for the moment.

    options: those of `model_validator.check`: `target`, `select`, `preset`, `timeout`, … No configuration file applies but that of `config`.

    @raises ModelValidatorError if an option is wrong, or a package is missing
    """
    settings = Settings(options, dict(storage or {}), Patience(attempts, first_pause, rate_limit), max_fetch)
    results = Results(out, dict(storage or {}))
    results.prepare(settings)
    found = _found(sources, settings, results, column)
    begun, tally = time.monotonic(), Tally()
    for part in _tallies(found, settings, results, engine, address, workers, batch):
        tally += part
        if progress:
            progress(tally, found)
    tally += Tally(skipped=found.done)
    return Summary(tally, time.monotonic() - begun, settings.key, tuple(found.missing))


def plan(
    sources: str | Sequence[str],
    out: str,
    *,
    column: str | None = None,
    storage: Mapping[str, Any] | None = None,
    **options: Any,
) -> Plan:
    """What `run` would lint. Lists, but reads no model. @raises ModelValidatorError"""
    settings = Settings(options, dict(storage or {}))
    found = _found(sources, settings, Results(out, dict(storage or {})), column)
    return Plan(tuple(found), found.done, tuple(found.missing))


def _found(sources: str | Sequence[str], settings: Settings, results: Results, column: str | None) -> Found:
    named = [sources] if isinstance(sources, str) else list(sources)
    return Found(named, dict(settings.storage), column, results.versions(settings.key))


def _tallies(
    found: Found, settings: Settings, results: Results, engine: Engine, address: str | None, workers: int | None, largest: int
) -> Iterator[Tally]:
    if engine == "ray":
        return run_ray(found, settings, results, workers, largest, address)
    if engine != "local":
        raise ModelValidatorError("bad-options", "", f"there is no engine `{engine}`", "take local or ray")
    count = workers or os.cpu_count() or 1
    return run_local(in_batches(found, count, largest), settings, results, count)
