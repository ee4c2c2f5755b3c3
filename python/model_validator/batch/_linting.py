"""Lints one model, wherever it is, and says what was found as a row."""

from __future__ import annotations

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
from typing import Any

from .._library import Source, ask
from ..errors import ModelValidatorError
from ._files import ModelFile, is_content_hash, is_local
from ._settings import WEIGHT_RULES, Settings
from ._store import Pace, RemoteFile
from ._twin import Parts, read_parts, sibling_of, twin_of
from ._window import Span

REMEMBERED = 256
"""The findings of so many contents are kept by a worker."""

Row = dict[str, Any]


@dataclass(frozen=True)
class _Found:
    """What linting says about a content."""

    content: str
    exporter: str
    model: Mapping[str, Any]
    not_checked: tuple[str, ...] = ()


class Linter:
    """Lints models one after the other, in a reader that stays. Several threads may fetch while one lints."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._pace = Pace(settings.patience.rate)
        self._known: OrderedDict[str, _Found] = OrderedDict()
        self._lint_lock = threading.Lock()
        self._known_lock = threading.Lock()

    def row_of(self, file: ModelFile) -> Row | None:
        """The row of a model; None if the results have it already. Whatever is wrong with the model is in the row."""
        begun = time.perf_counter()
        remote = None
        version = file.version
        try:
            if is_local(file.uri):
                version, size = _local_version(file.uri)
                if version == file.known:
                    return None
                found = self._of_local(file.uri, size)
            else:
                remote = RemoteFile(file.uri, dict(self._settings.storage), self._settings.patience, self._pace)
                remote.size = file.size or 0
                if version is None or file.size is None:
                    version = remote.describe()
                if version == file.known:
                    return None
                size = remote.size
                found = self._of_remote(remote, version)
            row = row_from(found.model, found.content, found.exporter, found.not_checked)
        except ModelValidatorError as error:
            size = remote.size if remote else (file.size or 0)
            row = row_of_error(error)
        except Exception as error:
            size = file.size or 0
            row = row_of_error(ModelValidatorError("internal-error", file.uri, f"{type(error).__name__}: {error}"))
        return {
            "uri": file.uri,
            "version": version or "",
            "size": size,
            **row,
            "seconds": round(time.perf_counter() - begun, 4),
            "requests": remote.requests if remote else 0,
            "bytes_read": remote.bytes_read if remote else 0,
            "settings": self._settings.key,
        }

    def _of_local(self, path: str, size: int) -> _Found:
        """The reader reads the file itself; only what identifies its content is read here."""
        with open(path, "rb") as opened:

            def read_all(spans: Sequence[Span]) -> list[bytes]:
                return [os.pread(opened.fileno(), end - start, start) for start, end in spans]

            parts = read_parts(path, size, read_all, self._settings.max_fetch)
        found = self._remembered(parts.content)
        if not found:
            found = _Found(parts.content, parts.exporter, self._linted(path, path, self._settings.options))
            self._remember_if_all(found, parts)
        return found

    def _of_remote(self, remote: RemoteFile, version: str) -> _Found:
        by_hash = version if is_content_hash(version) else None
        if by_hash and (found := self._remembered(by_hash)):
            return found
        most, storage = self._settings.max_fetch, dict(self._settings.storage)
        sibling = partial(sibling_of, remote, storage, self._settings.patience, self._pace)
        with tempfile.TemporaryDirectory(prefix="model_validator-") as folder:
            with twin_of(remote, Path(folder), most, sibling) as twin:
                parts = twin.parts
                found = self._remembered(parts.content)
                if not found:
                    model = self._linted(remote.uri, str(twin.path), self._settings.options)
                    found = _Found(parts.content, parts.exporter, model)
            if _asks_for_weights(found.model):
                found = self._with_weights(remote, Path(folder), found)
            else:
                self._remember_if_all(found, parts)
        if by_hash:
            self._remember(found, by_hash)
        return found

    def _with_weights(self, remote: RemoteFile, folder: Path, found: _Found) -> _Found:
        """A rule asks for weights: the model is fetched whole, or the row says that the rule was left out."""
        most = self._settings.max_fetch
        sibling = partial(sibling_of, remote, dict(self._settings.storage), self._settings.patience, self._pace)
        whole = remote.size <= most
        with twin_of(remote, folder, most, sibling, whole=whole) as twin:
            options = self._settings.options if whole else self._settings.without(WEIGHT_RULES)
            model = self._linted(remote.uri, str(twin.path), options)
        return _Found(found.content, found.exporter, model, () if whole else WEIGHT_RULES)

    def _linted(self, name: str, path: str, options: Mapping[str, Any]) -> Mapping[str, Any]:
        given = {"isolated": not options.get("config"), "formats": ["json"], **options}
        source = Source(name, path=path)
        with self._lint_lock:
            text = ask("check", [source], given).texts["json"]
        if path != name:  # messages name files as the store does
            text = text.replace(json.dumps(os.path.dirname(path))[1:-1], json.dumps(os.path.dirname(name))[1:-1])
        model: Mapping[str, Any] = json.loads(text)["models"][0]
        return model

    def _remembered(self, content: str) -> _Found | None:
        with self._known_lock:
            found = self._known.get(content)
            if found:
                self._known.move_to_end(content)
            return found

    def _remember_if_all(self, found: _Found, parts: Parts) -> None:
        """Unless the findings depend on more than was read: on weights, or on files next to the model."""
        if not _asks_for_weights(found.model) and not parts.external_names():
            self._remember(found, found.content)

    def _remember(self, found: _Found, name: str) -> None:
        with self._known_lock:
            self._known[name] = found
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)


def _local_version(path: str) -> tuple[str, int]:
    try:
        status = os.stat(path)
    except OSError as error:
        kind = "not-found" if isinstance(error, FileNotFoundError) else "unreadable-file"
        raise ModelValidatorError(kind, path, error.strerror or str(error)) from error
    if not os.path.isfile(path):
        raise ModelValidatorError("not-a-regular-file", path, "not a regular file")
    return f"{status.st_size}@{status.st_mtime_ns}", status.st_size


def _asks_for_weights(model: Mapping[str, Any]) -> bool:
    return any(check["name"] in WEIGHT_RULES for check in model["checks"])


def row_from(model: Mapping[str, Any], content: str, exporter: str, not_checked: tuple[str, ...]) -> Row:
    """The columns that come from the report of a model."""
    error = model["error"] or {}
    findings = [_finding(finding) for finding in model["findings"]]
    counted = [finding["severity"] for finding in findings if not finding["suppressed"]]
    return {
        "content": content,
        "format": model["format"],
        "exporter": exporter or None,
        "status": model["status"],
        "ops": model["ops"],
        "errors": counted.count("error"),
        "warnings": counted.count("warning"),
        "infos": counted.count("info"),
        "error": error.get("kind"),
        "error_message": error.get("message"),
        "checks": [{name: check[name] for name in ("name", "status", "findings")} for check in model["checks"]],
        "targets": [_verdict(verdict) for verdict in model.get("verdicts") or ()],
        "not_checked": list(not_checked),
        "findings": findings,
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
