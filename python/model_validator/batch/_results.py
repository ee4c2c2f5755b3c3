"""Results: a table of models and one of findings, in parts that are each complete or absent.

    RESULTS/models/PART.parquet      one row a model; a part counts only once this file is there
    RESULTS/findings/PART.parquet    one row a finding
    RESULTS/jsonl/PART.jsonl         the same again, a line a model with its findings
    RESULTS/settings/KEY.json        what the rows with this key were linted with
    RESULTS/lock.json                which run writes there

What a run does after a worker has died or the whole run was killed follows from what is here: nothing else is kept.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

from ..errors import ModelValidatorError
from . import _lock
from ._files import ModelFile
from ._packages import package
from ._patience import GaveUpError, Patience, retried
from ._settings import Settings
from ._systems import described_by, file_system, is_local, opened

T = TypeVar("T")
Row = dict[str, Any]

IDENTITY = ("uri", "version", "revision", "settings")
FOLDERS = ("settings", "models", "findings", "jsonl")
ENDINGS = {"models": ".parquet", "findings": ".parquet", "jsonl": ".jsonl"}
UNFINISHED = re.compile(r"\.[0-9a-f]+\.(parquet|jsonl|json)\.[0-9a-f]+")
"""Files that are being written."""

PASSING = frozenset(
    "throttled unreadable-file no-permission not-found no-ranges changed-meanwhile fetch-limit "
    "internal-error no-service no-libtorch no-sandbox no-rules backend-missing".split()
)
"""Errors that say nothing about the content of a model: the next run tries it again."""
LARGEST_NUMBER = 1 << 63
LARGEST_BLOCK = (1 << 31) - 1
"""Bytes of JSON that pyarrow takes at once."""
MAY_BE_NULL = frozenset("format exporter error error_message op op_type file line help".split())


def _schemas() -> tuple[Any, Any]:
    """Of the tables of models and findings."""
    pa = package("pyarrow")
    text, number, real = pa.string(), pa.int64(), pa.float64()
    check = pa.struct({"name": text, "status": text, "findings": number})
    target = pa.struct({"target": text, "verdict": text, "release": text, "refused": pa.list_(text)})
    models = {
        "uri": text,
        "version": text,
        "revision": number,
        "content": text,
        "size": number,
        "format": text,
        "exporter": text,
        "status": text,
        "ops": number,
        "errors": number,
        "warnings": number,
        "infos": number,
        "error": text,
        "error_message": text,
        "checks": pa.list_(check),
        "targets": pa.list_(target),
        "not_checked": pa.list_(text),
        "seconds": real,
        "requests": number,
        "bytes_read": number,
        "settings": text,
    }
    findings = {
        "uri": text,
        "version": text,
        "revision": number,
        "settings": text,
        "rule": text,
        "code": text,
        "severity": text,
        "message": text,
        "module": text,
        "op": text,
        "op_type": text,
        "file": text,
        "line": number,
        "help": text,
        "fingerprint": text,
        "suppressed": pa.bool_(),
    }
    return pa.schema(models), pa.schema(findings)


@dataclass(frozen=True)
class Doing:
    """What fails with a folder of results."""

    kind: str
    word: str

    def error(self, place: str, error: BaseException) -> ModelValidatorError:
        """As the caller sees it."""
        if isinstance(error, ModelValidatorError):
            return error
        return ModelValidatorError(self.kind, place, f"the results cannot be {self.word}: {described_by(error)}")


READ, WRITTEN = Doing("unreadable-folder", "read"), Doing("cannot-write", "written")


@dataclass(frozen=True)
class Known:
    """What the results say about a model."""

    version: str
    revision: int
    """The latest row of a model is that of the highest."""
    settled: bool
    """Whether the row holds as long as the version is the same."""
    part: str
    """Where the row is."""


@dataclass(frozen=True)
class Results:
    """A folder of results, here or in a store."""

    place: str
    storage: Mapping[str, Any]
    patience: Patience = field(default_factory=Patience)
    run: str | None = None
    """Which run writes; None for one that only reads."""

    def prepare(self) -> None:
        """Makes the folders. @raises ModelValidatorError if something else is there"""
        self._tried(self._require_ours)
        for name in FOLDERS:
            system, path = self._at(name)
            self._tried(partial(system.makedirs, path, exist_ok=True), WRITTEN)

    @contextmanager
    def only_run(self) -> Iterator[Results]:
        """The results for a run, while no other writes here. @raises ModelValidatorError if one does already"""
        with _lock.only_run(self.place, dict(self.storage)) as run:
            yield replace(self, run=run)

    def begin(self, settings: Settings) -> None:
        """Removes what a run that was killed left behind, and notes what the rows will have been linted with."""
        complete = set(self.parts())
        for name, ending in ENDINGS.items():
            for file in self._files_in(name):
                base = file.rsplit("/", maxsplit=1)[-1]
                if UNFINISHED.fullmatch(base) or (base.endswith(ending) and base.removesuffix(ending) not in complete):
                    self._remove(f"{name}/{base}")
        self._write(f"settings/{settings.key}.json", json.dumps(settings.described, indent=2, default=str).encode())

    def part_of(self, files: Sequence[ModelFile], settings: Settings) -> str:
        """The name of the part with the rows of these files: always the same, so that it is never written twice."""
        found = hashlib.blake2b(settings.key.encode(), digest_size=12)
        for file in files:
            found.update(f"\n{file.uri}\n{file.version}\n{file.known}\n{file.revision}".encode("utf-8", "backslashreplace"))
        return found.hexdigest()

    def has(self, part: str) -> bool:
        """Whether the part is complete."""
        system, path = self._at(f"models/{part}.parquet")
        system.invalidate_cache(path)
        return bool(self._tried(lambda: system.exists(path)))

    def write(self, part: str, rows: Sequence[Row]) -> None:
        """Writes a part: last the table that makes it count.

        @raises ModelValidatorError if that cannot be, or if another run has begun: workers may live on after the run that had them
        """
        models, findings = _schemas()
        rows = [_clean(row) for row in sorted(rows, key=lambda row: str(row["uri"]))]
        of_findings = [{**{name: row[name] for name in IDENTITY}, **finding} for row in rows for finding in row["findings"]]
        self._write(f"jsonl/{part}.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode())
        self._write(f"findings/{part}.parquet", _parquet(of_findings, findings))
        _lock.require_own(self.place, dict(self.storage), self.run)
        self._write(f"models/{part}.parquet", _parquet(rows, models))

    def models(self, columns: Sequence[str] | None = None, parts: Sequence[str] | None = None) -> Iterator[Row]:
        """All rows of models, part by part. @raises ModelValidatorError if a part is damaged"""
        for part in self.parts() if parts is None else parts:
            yield from self._rows("models", part, columns)

    def findings(self, columns: Sequence[str] | None = None, parts: Sequence[str] | None = None) -> Iterator[Row]:
        """All rows of findings, part by part. @raises ModelValidatorError if a part is damaged"""
        for part in self.parts() if parts is None else parts:
            yield from self._rows("findings", part, columns)

    def latest(self, key: str) -> Iterator[Row]:
        """The latest row of each model with these settings."""
        for row, _ in self._latest(key, with_findings=False):
            yield row

    def latest_with_findings(self, key: str) -> Iterator[tuple[Row, list[Row]]]:
        """The same, each with the findings."""
        yield from self._latest(key, with_findings=True)

    def _latest(self, key: str, with_findings: bool) -> Iterator[tuple[Row, list[Row]]]:
        newest: dict[str, int] = {}  # of the few that have several rows
        for row in self.models(["uri", "revision", "settings"]):
            if row["settings"] == key and row["revision"] > newest.get(row["uri"], 0):
                newest[row["uri"]] = row["revision"]
        for part in self.parts():
            findings = defaultdict(list)
            for finding in self.findings(parts=[part]) if with_findings else ():
                findings[finding["uri"]].append(finding)
            for row in self.models(parts=[part]):
                if row["settings"] == key and row["revision"] == newest.get(row["uri"], 0):
                    yield row, findings[row["uri"]]

    def parts(self) -> list[str]:
        """The names of the complete parts."""
        names = (name.rsplit("/", maxsplit=1)[-1] for name in self._files_in("models"))
        return sorted(name.removesuffix(".parquet") for name in names if name.endswith(".parquet") and not name.startswith("."))

    def known(self, key: str) -> dict[str, Known]:
        """What is the latest about each model that has a row with these settings."""
        found: dict[str, Known] = {}
        for part in self.parts():
            for row in self._rows("models", part, ["uri", "version", "revision", "error", "settings"]):
                before = found.get(row["uri"])
                if row["settings"] == key and (before is None or before.revision < row["revision"]):
                    settled = row["error"] not in PASSING and not row["version"].endswith("@unknown")
                    found[row["uri"]] = Known(row["version"], row["revision"], settled, part)
        return found

    def settings(self) -> dict[str, dict[str, Any]]:
        """All settings that rows were linted with, by their keys; the latest last. @raises ModelValidatorError"""
        system, path = self._at("settings")
        if not self._tried(lambda: system.exists(path)):
            return {}
        system.invalidate_cache(path)
        found = sorted(self._tried(lambda: system.ls(path, detail=True)), key=lambda details: str(_written(details)))
        named = [str(details["name"]) for details in found if str(details["name"]).endswith(".json")]
        return {name.rsplit("/", maxsplit=1)[-1].removesuffix(".json"): self._settings_in(name) for name in named}

    def _settings_in(self, path: str) -> dict[str, Any]:
        system, _ = self._at("settings")

        def read() -> bytes:
            with opened(system, path) as raw:
                return bytes(raw.read())

        try:
            found = json.loads(self._tried(read))
        except (ValueError, RecursionError) as error:
            raise _damaged(path, error) from error
        if not isinstance(found, dict):
            raise _damaged(path, "it holds no settings")
        return found

    def _files_in(self, name: str) -> list[str]:
        system, path = self._at(name)
        system.invalidate_cache(path)
        return [str(file) for file in self._tried(lambda: system.ls(path, detail=False))] if self._tried(lambda: system.exists(path)) else []

    def _rows(self, table: str, part: str, columns: Sequence[str] | None) -> Iterator[Row]:
        name = f"{table}/{part}.parquet"
        system, path = self._at(name)
        schema = _schemas()[0 if table == "models" else 1]
        try:
            with opened(system, path) as raw:
                file = package("pyarrow.parquet").ParquetFile(raw)
                if not file.schema_arrow.equals(schema):
                    raise ValueError("its columns are not those of this version")
                for batch in file.iter_batches(columns=columns, batch_size=4096):
                    for column in set(batch.schema.names).difference(MAY_BE_NULL):
                        if batch.column(column).null_count:
                            raise ValueError(f"`{column}` is missing in a row")
                    yield from batch.to_pylist()
        except ModelValidatorError:
            raise
        except Exception as error:  # of pyarrow, or of whichever package reaches the store
            raise _damaged(f"{self.place}/{name}", error) from error

    def _at(self, name: str) -> tuple[Any, str]:
        return file_system(f"{self.place.rstrip('/')}/{name}", dict(self.storage))

    def _require_ours(self) -> None:
        system, path = self._at("")
        names = {str(name).rstrip("/").rsplit("/", maxsplit=1)[-1] for name in system.ls(path, detail=False)} if system.exists(path) else set()
        begun = "settings" in names and (names.issuperset(FOLDERS) or names.issubset({*FOLDERS, _lock.NAME}))
        if not begun and not names.issubset({_lock.NAME}):
            raise ModelValidatorError("already-there", self.place, "something else than results is there", "name another folder")

    def _write(self, name: str, content: bytes) -> None:
        """Complete or not at all: a store takes an object as a whole, and a local file gets its name when it is on the disk."""
        if not is_local(self.place):
            system, path = self._at(name)
            self._tried(partial(system.pipe_file, path, content), WRITTEN)
            return
        try:
            write_whole(os.path.join(self.place, name), content)
        except OSError as error:
            raise WRITTEN.error(self.place, error) from error

    def _remove(self, name: str) -> None:
        system, path = self._at(name)
        self._tried(partial(system.rm_file, path), WRITTEN)

    def _tried(self, request: Callable[[], T], doing: Doing = READ) -> T:
        """@raises ModelValidatorError if the folder or store fails for longer than is waited for"""
        try:
            return request() if is_local(self.place) else retried(request, self.patience)
        except ModelValidatorError:
            raise
        except OSError as error:
            raise doing.error(self.place, error) from error
        except GaveUpError as error:
            raise doing.error(self.place, error.cause) from error


def write_whole(path: str, content: bytes) -> None:
    """The file is there when it is complete and on the disk. @raises OSError"""
    folder, base = os.path.split(path)
    unfinished = os.path.join(folder, f".{base}.{secrets.token_hex(8)}")
    try:
        with open(unfinished, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(unfinished)
        raise


def name_in_rows(uri: str) -> str:
    """A name of a file need not be UTF-8, but columns must."""
    return uri.encode("utf-8", "backslashreplace").decode()


@contextmanager
def no_surprises(place: str) -> Iterator[None]:
    """Rows that nobody of ours wrote may hold anything. @raises ModelValidatorError where they do"""
    try:
        yield
    except (TypeError, KeyError, AttributeError, OverflowError) as error:
        raise _damaged(place, f"a row is not as it was written: {error}") from error


def _damaged(name: str, error: object) -> ModelValidatorError:
    what = described_by(error) if isinstance(error, BaseException) else str(error)
    return ModelValidatorError("damaged-results", name, f"cannot be read: {what}", "remove it: the next run does what is missing")


def _written(details: Mapping[str, Any]) -> Any:
    return details.get("mtime") or details.get("LastModified") or details.get("last_modified") or ""


def _parquet(rows: Iterable[Row], schema: Any) -> bytes:
    pa = package("pyarrow")
    out = pa.BufferOutputStream()
    package("pyarrow.parquet").write_table(_table(rows, schema), out, compression="zstd")
    return bytes(out.getvalue())


def _table(rows: Iterable[Row], schema: Any) -> Any:
    """By way of JSON: to take values of Python, pyarrow first imports pandas, which is half of a worker's start."""
    pa, pj = package("pyarrow"), package("pyarrow.json")
    lines = "".join(json.dumps({name: row.get(name) for name in schema.names}) + "\n" for row in rows).encode()
    if not lines:
        return pa.Table.from_batches([], schema)
    blocks = pj.ReadOptions(use_threads=False, block_size=min(len(lines), LARGEST_BLOCK))
    return pj.read_json(pa.BufferReader(lines), blocks, pj.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore"))


def _clean(value: Any) -> Any:
    """What columns can hold, whatever a file or a store says."""
    if isinstance(value, str):
        return name_in_rows(value)
    if isinstance(value, dict):
        return {name: _clean(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_clean(item) for item in value]
    if isinstance(value, int) and not -LARGEST_NUMBER <= value < LARGEST_NUMBER:
        return None
    return value
