"""Lints one model, wherever it is, and says what was found as a row."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from .._library import Source, ask
from .._options import WEIGHT_RULES
from ..errors import ModelValidatorError
from ._files import ModelFile
from ._patience import Pace
from ._rerun import Earlier, judged, merged
from ._settings import Settings
from ._store import LARGEST_SIZE, RemoteFile
from ._systems import described_by, is_content_hash, is_local
from ._twin import WHOLE, Parts, read_parts, sibling_of, twin_of
from ._window import Span

REMEMBERED = 256
"""The findings of so many contents are kept by a worker."""
STEP = 1 << 20
TURNS = 3
"""So often a file is read that changes meanwhile."""

Row = dict[str, Any]


@dataclass(frozen=True)
class _Found:
    """What linting says about a content."""

    content: str
    exporter: str
    model: Mapping[str, Any]
    not_checked: tuple[str, ...] = ()


@dataclass
class _Told:
    """What is known about a file, and what it took."""

    version: str
    size: int
    requests: int = 0
    bytes_read: int = 0


class _Unchanged(Exception):  # noqa: N818 - no error
    """The results have the row already."""


class Linter:
    """Lints models one after the other, in a reader that stays. Several threads may fetch while one lints."""

    def __init__(self, settings: Settings, earlier: Earlier | None = None) -> None:
        self._settings = settings
        self._earlier = earlier
        self._pace = Pace(settings.patience.rate)
        self._known: OrderedDict[str, _Found] = OrderedDict()
        self._lint_lock = threading.Lock()
        self._known_lock = threading.Lock()

    def row_of(self, file: ModelFile) -> Row | None:
        """The row of a model; None if the results have it already. Whatever is wrong with the model is in the row."""
        begun = time.perf_counter()
        told = _Told(file.version or "", file.size or 0)
        try:
            row = self._row(file, told)
        except _Unchanged:
            return None
        except ModelValidatorError as error:
            row = row_of_error(error)
        except OSError as error:
            kind = "no-permission" if isinstance(error, PermissionError) else "unreadable-file"
            row = row_of_error(ModelValidatorError(kind, file.uri, described_by(error)))
        except Exception as error:
            row = row_of_error(ModelValidatorError("internal-error", file.uri, f"{type(error).__name__}: {error}"))
        return {
            **row,
            "uri": file.uri,
            "version": told.version,
            "revision": file.revision,
            "size": told.size,
            "seconds": round(time.perf_counter() - begun, 4),
            "requests": told.requests,
            "bytes_read": told.bytes_read,
            "settings": self._settings.key,
        }

    def _row(self, file: ModelFile, told: _Told) -> Row:
        if is_local(file.uri):
            return self._row_of_local(file, told)
        for turn in range(TURNS - 1):
            try:
                return self._row_of_remote(file, told, turn > 0)
            except ModelValidatorError as error:
                if error.kind != "changed-meanwhile":
                    raise
        return self._row_of_remote(file, told, True)

    def _row_of_local(self, file: ModelFile, told: _Told) -> Row:
        told.version, told.size = _local_version(file.uri)
        before = self._before(file, told.version)
        if before and before["status"] == "error":
            return before
        return self._row_from(self._of_local(file.uri, told.size, before is not None), before)

    def _row_of_remote(self, file: ModelFile, told: _Told, changed: bool) -> Row:
        remote = RemoteFile(file.uri, dict(self._settings.storage), self._settings.patience, self._pace)
        try:
            listed = file.version is not None and file.size is not None and 0 <= file.size <= LARGEST_SIZE
            if changed or not listed or "::" in file.uri:
                told.version = remote.describe()
            else:
                remote.size = told.size
            before = self._before(file, told.version)
            if before and before["status"] == "error":
                return before
            return self._row_from(self._of_remote(remote, told.version, before is not None), before)
        finally:
            told.size = remote.size
            told.requests += remote.requests
            told.bytes_read += remote.bytes_read

    def _before(self, file: ModelFile, version: str) -> Row | None:
        """The row of an earlier run, if most of it still holds."""
        if version == file.known:
            raise _Unchanged
        return self._earlier.row(file, version) if self._earlier else None

    @staticmethod
    def _row_from(found: _Found, before: Row | None) -> Row:
        row = row_from(found.model, found.content, found.exporter, found.not_checked)
        return merged(before, row) if before else row

    def _options(self, few: bool) -> Mapping[str, Any]:
        return self._settings.only_rerun if few else self._settings.options

    def _of_local(self, path: str, size: int, few: bool) -> _Found:
        """The reader reads the file itself; only what identifies its content is read here. few: only rules that are run again"""
        with open(path, "rb") as opened:

            def read_all(spans: Sequence[Span]) -> list[bytes]:
                return [os.pread(opened.fileno(), end - start, start) for start, end in spans]

            try:
                parts = read_parts(path, size, read_all, self._settings.max_fetch)
            except ModelValidatorError:  # more than is kept of a remote one
                return _Found(_digest(opened), "", self._linted(path, path, self._options(few)))
        found = self._remembered(parts.content, few)
        if not found:
            found = _Found(parts.content, parts.exporter, self._linted(path, path, self._options(few)))
            self._remember_if_all(found, parts, few)
        return found

    def _of_remote(self, remote: RemoteFile, version: str, few: bool) -> _Found:
        by_hash = version if is_content_hash(version) else None
        if by_hash and (found := self._remembered(by_hash, few)):
            return found
        sibling = partial(sibling_of, remote, dict(self._settings.storage), self._settings.patience, self._pace)
        with tempfile.TemporaryDirectory(prefix="model_validator-") as folder:
            with twin_of(remote, Path(folder), self._settings.max_fetch, sibling, whole=remote.packed) as twin:
                parts = twin.parts
                if remote.size > WHOLE:
                    remote.require_unchanged(version)
                found = self._remembered(parts.content, few)
                if not found:
                    model = self._linted(remote.uri, str(twin.path), self._options(few))
                    found = _Found(parts.content, parts.exporter, model)
            if _weight_rules(found.model):
                found = self._with_weights(remote, Path(folder), found, few)
            else:
                self._remember_if_all(found, parts, few)
        if by_hash and not parts.external_names():
            self._remember(found, by_hash, few)
        return found

    def _with_weights(self, remote: RemoteFile, folder: Path, found: _Found, few: bool) -> _Found:
        """A rule asks for weights: the model is fetched whole, or the row says that the rule was left out."""
        rules = _weight_rules(found.model)
        options, most = self._options(few), self._settings.max_fetch
        sibling = partial(sibling_of, remote, dict(self._settings.storage), self._settings.patience, self._pace)
        if remote.size <= most:
            try:
                with twin_of(remote, folder, most, sibling, whole=True) as twin:
                    return _Found(found.content, found.exporter, self._linted(remote.uri, str(twin.path), options))
            except ModelValidatorError as error:
                if error.kind != "fetch-limit":
                    raise
        with twin_of(remote, folder, most, sibling) as twin:
            model = self._linted(remote.uri, str(twin.path), self._settings.without(options, rules))
        return _Found(found.content, found.exporter, model, rules)

    def _linted(self, name: str, path: str, options: Mapping[str, Any]) -> Mapping[str, Any]:
        given = {"isolated": not options.get("config"), "formats": ["json"], "fail_on_installed": True, **options}
        source = Source(name, path=path)
        with self._lint_lock:
            text = ask("check", [source], given).texts["json"]
        if path != name:  # messages name files as the store does
            text = text.replace(json.dumps(os.path.dirname(path))[1:-1], json.dumps(os.path.dirname(name))[1:-1])
        model: Mapping[str, Any] = json.loads(text)["models"][0]
        return model

    def _remembered(self, content: str, few: bool) -> _Found | None:
        with self._known_lock:
            found = self._known.get(f"{content} {few}")
            if found:
                self._known.move_to_end(f"{content} {few}")
            return found

    def _remember_if_all(self, found: _Found, parts: Parts, few: bool) -> None:
        """Unless the findings depend on more than was read: on weights, or on files next to the model."""
        if not _weight_rules(found.model) and not parts.external_names():
            self._remember(found, found.content, few)

    def _remember(self, found: _Found, name: str, few: bool) -> None:
        with self._known_lock:
            self._known[f"{name} {few}"] = found
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)


def _digest(file: BinaryIO) -> str:
    found = hashlib.blake2b(digest_size=16)
    while piece := file.read(STEP):
        found.update(piece)
    return found.hexdigest()


def _local_version(path: str) -> tuple[str, int]:
    try:
        status = os.stat(path)
    except (OSError, ValueError) as error:
        kind = "not-found" if isinstance(error, FileNotFoundError) else "unreadable-file"
        raise ModelValidatorError(kind, path, getattr(error, "strerror", None) or str(error)) from error
    if not os.path.isfile(path):
        raise ModelValidatorError("not-a-regular-file", path, "not a regular file")
    return f"{status.st_size}@{status.st_mtime_ns}", status.st_size


def _weight_rules(model: Mapping[str, Any]) -> tuple[str, ...]:
    """Those that ran, and ask for weights."""
    return tuple(check["name"] for check in model["checks"] if check["name"] in WEIGHT_RULES)


def row_from(model: Mapping[str, Any], content: str, exporter: str, not_checked: tuple[str, ...]) -> Row:
    """The columns that come from the report of a model."""
    error = model["error"] or {}
    checks = [{name: check[name] for name in ("name", "status", "findings")} for check in model["checks"]]
    return {
        "content": content,
        "format": model["format"],
        "exporter": exporter or None,
        **judged([_finding(finding) for finding in model["findings"]]),
        "status": model["status"],
        "ops": model["ops"],
        "error": error.get("kind"),
        "error_message": error.get("message"),
        "checks": sorted(checks, key=lambda check: str(check["name"])),
        "targets": [_verdict(verdict) for verdict in model.get("verdicts") or ()],
        "not_checked": list(not_checked),
    }


def row_of_error(error: ModelValidatorError) -> Row:
    """The columns of a model that nothing could be read of."""
    model = {"error": {"kind": error.kind, "message": error.message}, "format": None, "status": "error", "ops": 0}
    return row_from({**model, "checks": [], "findings": []}, "", "", ())


def _verdict(verdict: Mapping[str, Any]) -> Row:
    refused = [refusal["operator"] for refusal in verdict.get("refusals") or ()]
    return {"target": verdict["target"], "verdict": verdict["verdict"], "release": verdict.get("release"), "refused": refused}


def _finding(finding: Mapping[str, Any]) -> Row:
    place = (finding["locations"] or [{}])[0]
    op = finding["op"] or {}
    return {
        "rule": finding["rule"],
        "code": finding["code"],
        "severity": finding["severity"],
        "message": finding["message"],
        "module": finding["module"] or "",
        "op": op.get("name"),
        "op_type": op.get("type"),
        "file": place.get("file"),
        "line": place.get("line"),
        "help": finding["help"],
        "fingerprint": finding["fingerprint"],
        "suppressed": bool(finding["suppressed"]),
    }
