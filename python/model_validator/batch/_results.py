"""Results: a table of models and one of findings, in parts that are each complete or absent.

    RESULTS/models/PART.parquet      one row a model; a part counts only once this file is there
    RESULTS/findings/PART.parquet    one row a finding
    RESULTS/jsonl/PART.jsonl         the same again, a line a model with its findings
    RESULTS/settings/KEY.json        what the rows with this key were linted with

What a run does after a worker has died or the whole run was killed follows from what is here: nothing else is kept.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._files import ModelFile, file_system, is_local
from ._packages import package
from ._settings import Settings

Row = dict[str, Any]

IDENTITY = ("uri", "version", "settings")


def _schemas() -> tuple[Any, Any]:
    """Of the tables of models and findings."""
    pa = package("pyarrow")
    text, number, real = pa.string(), pa.int64(), pa.float64()
    check = pa.struct({"name": text, "status": text, "findings": number})
    target = pa.struct({"target": text, "verdict": text, "release": text, "refused": pa.list_(text)})
    models = {
        "uri": text,
        "version": text,
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
class Results:
    """A folder of results, here or in a store."""

    place: str
    storage: Mapping[str, Any]

    def prepare(self, settings: Settings) -> None:
        """Makes the folders, and notes what the rows will have been linted with."""
        for name in ("models", "findings", "jsonl", "settings"):
            system, path = self._at(name)
            system.makedirs(path, exist_ok=True)
            if is_local(self.place):
                _remove_unfinished(path)
        self._write(f"settings/{settings.key}.json", json.dumps(settings.described, indent=2, default=str).encode())

    def part_of(self, files: Sequence[ModelFile], settings: Settings) -> str:
        """The name of the part with the rows of these files: always the same, so that it is never written twice."""
        found = hashlib.blake2b(settings.key.encode(), digest_size=12)
        for file in files:
            found.update(f"\n{file.uri}\n{file.version}\n{file.known}".encode("utf-8", "surrogateescape"))
        return found.hexdigest()

    def has(self, part: str) -> bool:
        """Whether the part is complete."""
        system, path = self._at(f"models/{part}.parquet")
        return bool(system.exists(path))

    def write(self, part: str, rows: Sequence[Row]) -> None:
        """Writes a part: last the table that makes it count."""
        models, findings = _schemas()
        rows = [_clean(row) for row in sorted(rows, key=lambda row: str(row["uri"]))]
        of_findings = [{**{name: row[name] for name in IDENTITY}, **finding} for row in rows for finding in row["findings"]]
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        self._write(f"jsonl/{part}.jsonl", lines.encode())
        self._write(f"findings/{part}.parquet", _parquet(of_findings, findings))
        self._write(f"models/{part}.parquet", _parquet(rows, models))

    def models(self, columns: Sequence[str] | None = None) -> Iterator[Row]:
        """All rows of models, part by part."""
        for part in self.parts():
            yield from self._rows("models", part, columns)

    def findings(self, columns: Sequence[str] | None = None) -> Iterator[Row]:
        """All rows of findings, part by part."""
        for part in self.parts():
            yield from self._rows("findings", part, columns)

    def parts(self) -> list[str]:
        """The names of the complete parts."""
        system, path = self._at("models")
        if not system.exists(path):
            return []
        system.invalidate_cache(path)
        names = (str(name).rsplit("/", maxsplit=1)[-1] for name in system.ls(path, detail=False))
        return sorted(name.removesuffix(".parquet") for name in names if name.endswith(".parquet") and not name.startswith("."))

    def versions(self, key: str) -> dict[str, str]:
        """The version of each model that has a row with these settings."""
        rows = self.models(["uri", "version", "settings"])
        return {row["uri"]: row["version"] for row in rows if row["settings"] == key}

    def settings(self) -> dict[str, dict[str, Any]]:
        """All settings that rows were linted with, by their keys; the latest last."""
        system, path = self._at("settings")
        if not system.exists(path):
            return {}
        system.invalidate_cache(path)
        found = sorted(system.ls(path, detail=True), key=lambda details: str(_written(details)))
        named = [details for details in found if str(details["name"]).endswith(".json")]
        keys = [str(details["name"]).rsplit("/", maxsplit=1)[-1].removesuffix(".json") for details in named]
        return {key: json.loads(system.cat_file(details["name"])) for key, details in zip(keys, named, strict=True)}

    def _rows(self, table: str, part: str, columns: Sequence[str] | None) -> Iterator[Row]:
        system, path = self._at(f"{table}/{part}.parquet")
        with system.open(path, "rb") as raw:
            for batch in package("pyarrow.parquet").ParquetFile(raw).iter_batches(columns=columns, batch_size=4096):
                yield from batch.to_pylist()

    def _at(self, name: str) -> tuple[Any, str]:
        return file_system(f"{self.place.rstrip('/')}/{name}", dict(self.storage))

    def _write(self, name: str, content: bytes) -> None:
        """Complete or not at all: a store takes an object as a whole, and a local file gets its name when it is on the disk."""
        if not is_local(self.place):
            system, path = self._at(name)
            system.pipe_file(path, content)
            return
        folder, base = os.path.split(os.path.join(self.place, name))
        unfinished = os.path.join(folder, f".{base}.{os.getpid()}")
        with open(unfinished, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, os.path.join(folder, base))


def _remove_unfinished(folder: str) -> None:
    """What a run that was killed left behind."""
    for entry in os.scandir(folder):
        if entry.name.startswith("."):
            os.unlink(entry.path)


def _written(details: Mapping[str, Any]) -> Any:
    return details.get("mtime") or details.get("LastModified") or details.get("last_modified") or ""


def _parquet(rows: Iterable[Row], schema: Any) -> bytes:
    pa = package("pyarrow")
    table = pa.Table.from_pylist([{name: row.get(name) for name in schema.names} for row in rows], schema=schema)
    out = pa.BufferOutputStream()
    package("pyarrow.parquet").write_table(table, out, compression="zstd")
    return bytes(out.getvalue())


def _clean(value: Any) -> Any:
    """Names in files need not be UTF-8, but columns must."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if isinstance(value, dict):
        return {name: _clean(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_clean(item) for item in value]
    return value
