"""Workers of a Ray cluster, by Ray Data: one stage lists files, the next lints them, and the rows stay in the results."""

from __future__ import annotations

import dataclasses
import json
import logging
import os
from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import ModelValidatorError
from ._batches import Tally, Worker
from ._files import ModelFile
from ._found import Found
from ._packages import package
from ._results import Results
from ._settings import Settings

BLOCK = 32 << 10
"""So many bytes of names are handed on at once: linting begins before all files are listed."""
CORE = 0.9
"""Of a core for each worker: what is left over is for the tasks that list."""
COUNTS = tuple(field.name for field in dataclasses.fields(Tally))
NAMES = ("uri", "size", "version", "known", "note")
"""Columns of listed files; a note says something about a source instead."""


def run_ray(found: Found, settings: Settings, results: Results, workers: int | None, largest: int, address: str | None) -> Iterator[Tally]:
    """Lints what is found, and tells how each batch went. What was done already and what is missing is noted in `found`."""
    ray = package("ray")
    data = package("ray.data")
    _connect(ray, data, address, workers)
    count = workers or int(ray.cluster_resources().get("CPU", 1))
    listed = data.read_datasource(_datasource(found, settings, results), num_cpus=0.01, override_num_blocks=len(found.sources))
    tallies = listed.map_batches(
        _RayWorker,
        fn_constructor_args=(settings.for_worker(count), results),
        batch_size=largest,
        batch_format="pyarrow",
        compute=data.ActorPoolStrategy(size=count),
        num_cpus=CORE,
    )
    for table in tallies.iter_batches(batch_size=None, batch_format="pyarrow"):
        for row in table.to_pylist():
            for note in row["notes"]:
                _take(json.loads(note), found)
            yield Tally(**{name: row[name] for name in COUNTS})


def _connect(ray: Any, data: Any, address: str | None, workers: int | None) -> None:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if not ray.is_initialized():
        where = {"address": address} if address else {"num_cpus": workers or os.cpu_count(), "include_dashboard": False}
        ray.init(**where, log_to_driver=False, logging_level=logging.WARNING)
    context = data.DataContext.get_current()
    context.enable_progress_bars = False
    context.target_max_block_size = BLOCK
    logging.getLogger("ray.data").setLevel(logging.WARNING)


def _take(note: Mapping[str, Any], found: Found) -> None:
    """What a listing says besides files."""
    if "error" in note:
        found.missing.append(ModelValidatorError(**note["error"]))
    else:
        found.done += note["done"]


def _listing(source: str, settings: Settings, results: Results, column: str | None) -> Iterator[Any]:
    """Blocks with the files of a source."""
    found = Found([source], dict(settings.storage), column, results.versions(settings.key))
    rows: list[dict[str, Any]] = []
    for file in found:
        rows.append({**dataclasses.asdict(file), "note": None})
        if len(rows) == 128:
            yield _block(rows)
            rows = []
    notes: list[dict[str, Any]] = [{"error": dict(zip(("kind", "path", "message", "hint"), error.args, strict=True))} for error in found.missing]
    notes.append({"done": found.done})
    yield _block([*rows, *({"note": json.dumps(note)} for note in notes)])


def _block(rows: list[dict[str, Any]]) -> Any:
    pa = package("pyarrow")
    schema = pa.schema([(name, pa.int64() if name == "size" else pa.string()) for name in NAMES])
    return pa.Table.from_pylist([{name: row.get(name) for name in NAMES} for row in rows], schema=schema)


def _datasource(found: Found, settings: Settings, results: Results) -> Any:
    """A source of Ray Data: a task for each of ours."""
    from functools import partial

    data, block = package("ray.data"), package("ray.data.block")

    def tasks(_self: Any, _parallelism: int, *_more: Any, **_named: Any) -> list[Any]:
        unknown = block.BlockMetadata(num_rows=None, size_bytes=None, input_files=None, exec_stats=None)
        listings = [partial(_listing, source, settings, results, found.column) for source in found.sources]
        return [data.ReadTask(listing, unknown) for listing in listings]

    def no_estimate(_self: Any) -> None:
        return None

    kind = type("ModelFiles", (data.Datasource,), {"get_read_tasks": tasks, "estimate_inmemory_data_size": no_estimate})
    return kind()


class _RayWorker:
    """Keeps its reader from one batch to the next. Ray gives a batch to another one if it dies."""

    def __init__(self, settings: Settings, results: Results) -> None:
        self._worker = Worker(settings, results)

    def __call__(self, table: Any) -> Any:
        rows = table.to_pylist()
        files = [ModelFile(row["uri"], row["size"], row["version"], row["known"]) for row in rows if row["note"] is None]
        tally = self._worker.lint(files) if files else Tally()
        notes = [row["note"] for row in rows if row["note"] is not None]
        pa = package("pyarrow")
        schema = pa.schema([*((name, pa.int64()) for name in COUNTS), ("notes", pa.list_(pa.string()))])
        return pa.Table.from_pylist([{**dataclasses.asdict(tally), "notes": notes}], schema=schema)
