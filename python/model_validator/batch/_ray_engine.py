"""Workers of a Ray cluster, by Ray Data: one stage lists files, the next lints them, and the rows stay in the results."""

from __future__ import annotations

import dataclasses
import json
import logging
import os
import socket
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from ..errors import ModelValidatorError
from ._batches import DEATHS, Tally, Worker, give_up
from ._files import ModelFile
from ._found import Found
from ._packages import package
from ._results import Results
from ._settings import Settings
from ._systems import described_by

BLOCK = 32 << 10
"""So many bytes of names are handed on at once: linting begins before all files are listed."""
PATIENCE = 10.0
"""Seconds in which a cluster answers."""
CORE = 0.9
"""Of a core for each worker: what is left over is for the task that lists."""
COUNTS = tuple(field.name for field in dataclasses.fields(Tally))
NAMES = tuple(field.name for field in dataclasses.fields(ModelFile))


def run_ray(found: Found, settings: Settings, results: Results, workers: int | None, largest: int, address: str | None) -> Iterator[Tally]:
    """Lints what is found, and tells how each batch went. What was done already and what is missing is noted in `found`.

    @raises ModelValidatorError
    """
    ray, data = package("ray"), package("ray.data")
    try:
        _connect(ray, data, address, workers)
        yield from _tallies(ray, data, found, settings, results, workers, largest)
    except ModelValidatorError:
        raise
    except Exception as error:  # of Ray, or of a worker
        raise _explained(error) from error


def _tallies(ray: Any, data: Any, found: Found, settings: Settings, results: Results, workers: int | None, largest: int) -> Iterator[Tally]:
    count = workers or int(ray.cluster_resources().get("CPU", 1))
    begun = ray.remote(num_cpus=0, max_restarts=-1)(_Begun).remote()
    listed = data.read_datasource(_datasource(found, settings, results), num_cpus=0.01, override_num_blocks=1)
    tallies = listed.map_batches(
        _RayWorker,
        fn_constructor_args=(settings.for_worker(count), results, begun),
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
        _require_answer(address or "")
        where = {"address": address} if address else {"num_cpus": workers or os.cpu_count(), "include_dashboard": False}
        if not (address or "").startswith("ray://"):  # there nothing is taken from here
            where["job_config"] = _job_without_folders()
        ray.init(**where, log_to_driver=False, logging_level=logging.WARNING)
    logging.getLogger("ray.data").setLevel(logging.ERROR)  # it warns of what is meant here: no progress bars, one task that lists
    context = data.DataContext.get_current()
    context.enable_progress_bars = False
    context.target_max_block_size = BLOCK


class _NoFolders(list[str]):
    def extend(self, _folders: object) -> None:
        pass


def _job_without_folders() -> Any:
    """Ray would have workers take modules from the current folder, which may be anybody's."""
    job = package("ray.job_config").JobConfig()
    job._py_driver_sys_path = _NoFolders()
    return job


def _require_answer(address: str) -> None:
    """Ray itself waits for minutes. @raises ModelValidatorError if nothing is there"""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        return
    try:
        socket.create_connection((host, int(port)), PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise ModelValidatorError("cluster-failed", address, f"no cluster answers: {described_by(error)}", "start one: `ray start --head`") from error


def _explained(error: BaseException) -> ModelValidatorError:
    """What a worker said, or Ray."""
    seen: BaseException | None = error
    while seen is not None:
        cause = getattr(seen, "cause", None)  # of an error that Ray brought from a worker
        for candidate in (seen, cause):
            if isinstance(candidate, ModelValidatorError):
                return ModelValidatorError(*candidate.args)
        seen = seen.__cause__ or seen.__context__
    return ModelValidatorError("cluster-failed", "", f"Ray failed: {described_by(error).strip().splitlines()[-1]}", "run again: it goes on from here")


def _take(note: Mapping[str, Any], found: Found) -> None:
    """What the listing says besides files."""
    if "error" in note:
        found.missing.append(ModelValidatorError(*note["error"]))
    else:
        found.done += note["done"]


def _listing(found: Found, settings: Settings, results: Results) -> Iterator[Any]:
    """Blocks with the files of all sources."""
    found = dataclasses.replace(found, **left_out(settings, results))
    rows: list[dict[str, Any]] = []
    for file in found:
        rows.append({**dataclasses.asdict(file), "uri": os.fsencode(file.uri), "note": None})
        if len(rows) == 128:
            yield _block(rows)
            rows = []
    notes: list[dict[str, Any]] = [{"error": error.args} for error in found.missing]
    notes.append({"done": found.done})
    yield _block([*rows, *({"note": json.dumps(note)} for note in notes)])


def left_out(settings: Settings, results: Results) -> dict[str, Any]:
    """What the results have already, of this run's settings and of the earlier run that it goes on from."""
    earlier = results.known(settings.rerun.key) if settings.rerun else {}
    return {"known": results.known(settings.key), "earlier": earlier}


def _block(rows: list[dict[str, Any]]) -> Any:
    pa = package("pyarrow")
    kinds = {"uri": pa.binary(), "size": pa.int64(), "revision": pa.int64()}
    schema = pa.schema([(name, kinds.get(name, pa.string())) for name in (*NAMES, "note")])
    return pa.Table.from_pylist([{name: row.get(name) for name in schema.names} for row in rows], schema=schema)


def _datasource(found: Found, settings: Settings, results: Results) -> Any:
    """A source of Ray Data, in one task: so no file is there twice, and what is done already is read once."""
    data, block = package("ray.data"), package("ray.data.block")

    def tasks(_self: Any, _parallelism: int, *_more: Any, **_named: Any) -> list[Any]:
        unknown = block.BlockMetadata(num_rows=None, size_bytes=None, input_files=None, exec_stats=None)
        return [data.ReadTask(partial(_listing, found, settings, results), unknown)]

    def no_estimate(_self: Any) -> None:
        return None

    kind = type("ModelFiles", (data.Datasource,), {"get_read_tasks": tasks, "estimate_inmemory_data_size": no_estimate})
    return kind()


class _Begun:
    """How often workers have begun something that is not done. It lives beside them, because a dead worker tells nothing."""

    def __init__(self) -> None:
        self._times = Counter[str]()

    def begin(self, part: str) -> int:
        """Whether it is the first time, the second …"""
        self._times[part] += 1
        return self._times[part]

    def end(self, part: str) -> None:
        """It is done. What ended a worker is remembered, and done file by file whenever it is asked for."""
        self._times.pop(part, None)


class _RayWorker:
    """Keeps its reader from one batch to the next. Ray gives a batch to another one if it dies."""

    def __init__(self, settings: Settings, results: Results, begun: Any) -> None:
        self._settings, self._results, self._begun = settings, results, begun
        self._worker = Worker(settings, results)

    def __call__(self, table: Any) -> Any:
        rows = table.to_pylist()
        files = [ModelFile(**{**{name: row[name] for name in NAMES}, "uri": os.fsdecode(row["uri"])}) for row in rows if row["note"] is None]
        tally = self._lint(files) if files else Tally()
        notes = [row["note"] for row in rows if row["note"] is not None]
        pa = package("pyarrow")
        schema = pa.schema([*((name, pa.int64()) for name in COUNTS), ("notes", pa.list_(pa.string()))])
        return pa.Table.from_pylist([{**dataclasses.asdict(tally), "notes": notes}], schema=schema)

    def _lint(self, files: Sequence[ModelFile]) -> Tally:
        """All at once; if that has ended a worker, file by file, to tell which one did. Ray may ask again for what is done."""
        part = self._part(files)
        if self._times(part) > 1 and not self._results.has(part):
            return sum(map(self._alone, files), Tally())
        tally = self._worker.lint(files)
        self._begun.end.remote(part)
        return tally

    def _alone(self, file: ModelFile) -> Tally:
        if self._times(self._part([file])) > DEATHS:
            return give_up(file, self._settings, self._results)
        return self._worker.lint([file])

    def _part(self, files: Sequence[ModelFile]) -> str:
        return self._results.part_of(files, self._settings)

    def _times(self, part: str) -> int:
        return int(package("ray").get(self._begun.begin.remote(part)))
