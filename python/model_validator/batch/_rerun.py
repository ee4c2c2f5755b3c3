"""What a run takes from an earlier one: all that the rules say which did not change."""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from .._options import texts
from ..errors import ModelValidatorError
from ._files import ModelFile
from ._results import IDENTITY, PASSING, Results, Row, name_in_rows
from ._settings import Rerun, Settings

TARGET_RULES = ("aimet-readiness", "half-range", "invalid-graph", "invalid-node", "quantiser-will-fail", "saturating-products",
                "shape-mismatch", "unknown-operator", "unsupported-ops")
"""Rules that ask what the model is compiled for."""
OF_TARGETS = ("target", "opset")
"""Options that only these depend on."""
SELECTING = ("select", "extend_select", "config", "preset")
KEPT = 8
"""The rows of so many parts are kept at once."""


def rerun_of(settings: Settings, results: Results, asked: Sequence[str]) -> Rerun | None:
    """Which rules are run, if not all. asked: those that the user says have changed. @raises ModelValidatorError"""
    earlier = {key: described for key, described in results.settings().items() if key != settings.key}
    if asked:
        if not earlier:
            hint = "leave out `--rerun-rule`: all rules are run"
            raise ModelValidatorError("not-found", results.place, "there is no earlier run to take other rules from", hint)
        return Rerun(list(earlier)[-1], tuple(asked))
    for key, described in reversed(earlier.items()):
        if _differs_in_targets_alone(described, settings.described):
            return Rerun(key, TARGET_RULES)
    return None


def _differs_in_targets_alone(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    def rest(described: Mapping[str, Any]) -> dict[str, Any]:
        options = {name: value for name, value in described.get("options", {}).items() if name not in OF_TARGETS}
        files = {name: value for name, value in described.get("files", {}).items() if name not in OF_TARGETS}
        return {**described, "options": options, "files": files}

    selects = any(one["options"].get(name) for name in SELECTING)
    return rest(one) == rest(other) and not selects and _quantises(one) == _quantises(other)


def _quantises(described: Mapping[str, Any]) -> bool:
    """Whether what only quantisers ask for is checked where no preset is named: without targets, or with one that quantises.
    A profile of the user's own may quantise, but then it does in both runs."""
    targets = texts(described["options"].get("target")) or []
    if not targets and not described["options"].get("profile"):
        return True
    return any(name.split("@")[0] == "aimet" or "-quantize" in name for name in targets)


class Earlier:
    """The rows of an earlier run. Several threads may ask."""

    def __init__(self, results: Results, key: str) -> None:
        self._results = results
        self._key = key
        self._parts: OrderedDict[str, dict[str, Row]] = OrderedDict()
        self._lock = threading.Lock()

    def row(self, file: ModelFile, version: str | None) -> Row | None:
        """That of this version of a model, with its findings."""
        if file.earlier is None:
            return None
        with self._lock:
            row = self._part(file.earlier).get(name_in_rows(file.uri))
        return row if row and row["version"] == version and row["error"] not in PASSING else None

    def _part(self, name: str) -> dict[str, Row]:
        if name not in self._parts:
            self._parts[name] = self._read(name)
            while len(self._parts) > KEPT:
                self._parts.popitem(last=False)
        return self._parts[name]

    def _read(self, name: str) -> dict[str, Row]:
        findings = defaultdict(list)
        for finding in self._results.findings(parts=[name]):
            findings[finding["uri"]].append({name: value for name, value in finding.items() if name not in IDENTITY})
        rows = self._results.models(parts=[name])
        return {row["uri"]: {**row, "findings": findings[row["uri"]]} for row in rows if row["settings"] == self._key}


def merged(before: Row, row: Row) -> Row:
    """The row of a run of a few rules, with all else that the earlier row says."""
    if row["status"] == "error":
        return row
    rules = {check["name"] for check in row["checks"]} | set(row["not_checked"])
    checks = [*row["checks"], *(check for check in before["checks"] if check["name"] not in rules)]
    kept = [finding for finding in before["findings"] if finding["rule"] not in rules]
    left_out = [name for name in before["not_checked"] if name not in rules]
    return {
        **row,
        **judged([*kept, *(finding for finding in row["findings"] if finding["rule"] in rules)]),
        "checks": sorted(checks, key=lambda check: str(check["name"])),
        "not_checked": sorted([*row["not_checked"], *left_out]),
    }


def judged(findings: Sequence[Row]) -> Row:
    """Findings in an order of their own, how many count, and what that makes of the model."""
    counted = [finding["severity"] for finding in findings if not finding["suppressed"]]
    return {
        "findings": sorted(findings, key=_order),
        "status": "failed" if {"error", "warning"}.intersection(counted) else "passed",
        "errors": counted.count("error"),
        "warnings": counted.count("warning"),
        "infos": counted.count("info"),
    }


def _order(finding: Row) -> tuple[str, ...]:
    return tuple(str(finding[name]) for name in ("rule", "module", "op", "file", "line", "message", "fingerprint"))
