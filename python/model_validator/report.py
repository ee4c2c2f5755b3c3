"""What a check found, as data."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ._library import Answer
from ._words import Applicability, CheckStatus, Format, Severity, SuppressedBy

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Location:
    """A place in the user's Python that a finding points at."""

    file: str
    line: int
    """Counted from 1; 0 if unknown."""
    column: int = 0
    """Counted from 0; traces record none."""
    module: str = ""
    """Path of the module whose code is there."""
    role: str = "call"
    """`call`, `second call`, `definition`, …"""


@dataclass(frozen=True)
class Position:
    """A position between two characters of a file."""

    line: int
    """Counted from 1."""
    column: int
    """Characters before it on the line."""


@dataclass(frozen=True)
class Edit:
    """One replacement in a file; an insertion if `start` and `end` are the same."""

    file: str
    start: Position
    end: Position
    text: str


@dataclass(frozen=True)
class Fix:
    """A change that removes the cause."""

    applicability: Applicability
    description: str
    edits: tuple[Edit, ...] = ()
    """Empty if the source is not available."""
    refusal: str = ""
    """Why there are no edits, as a clause."""
    hazard: str = ""
    """Why the edits are unsafe, as a clause; empty where they are safe, or none is known."""


@dataclass(frozen=True)
class OpReference:
    """The operation that a finding is about."""

    name: str
    type: str


@dataclass(frozen=True)
class Suppression:
    """Why a finding does not count."""

    by: SuppressedBy
    reason: str


@dataclass(frozen=True)
class Finding:
    """One thing that a check reports about one module or operation."""

    rule: str
    code: str
    severity: Severity
    message: str
    module: str = ""
    """Path of the module concerned; empty for the model itself."""
    aliases: tuple[str, ...] = ()
    """Its other paths."""
    parent: str = ""
    """Path of the module whose code it is."""
    op: OpReference | None = None
    locations: tuple[Location, ...] = ()
    """The first is the one to look at."""
    package: str = ""
    """The installed package whose code it is about; empty for code of your own."""
    help: str = ""
    notes: tuple[str, ...] = ()
    fix: Fix | None = None
    fingerprint: str = ""
    """Stays the same after the next export: contains no line numbers."""
    suppressed: Suppression | None = None
    excused: str = ""
    """Why it does not count though it is open: `installed-code`, where it stands in a package; empty where it counts."""

    @property
    def location(self) -> Location | None:
        """The place to look at."""
        return self.locations[0] if self.locations else None

    def __str__(self) -> str:
        place = f"{self.location.file}:{self.location.line}: " if self.location else ""
        return f"{place}{self.severity}[{self.code}] {self.rule}: {self.message}"


@dataclass(frozen=True)
class CheckResult:
    """How one check went."""

    name: str
    status: CheckStatus
    findings: int
    reason: str = ""
    """Why it was not judged."""


@dataclass(frozen=True)
class LogEntry:
    """One line of the log, in the sentences of AIMET's model validator."""

    level: str
    text: str


@dataclass(frozen=True)
class Report:
    """Everything that a check reports for one model."""

    path: str
    """What was checked: the file, or the name of the class of a live model."""
    format: Format
    ok: bool
    """Nothing at or above `fail_on`, which defaults to `warning`."""
    ops: int
    findings: tuple[Finding, ...]
    checks: tuple[CheckResult, ...]
    targets: tuple[Mapping[str, Any], ...]
    """The verdict on the model for each target, as in the JSON."""
    log: tuple[LogEntry, ...] = ()
    _texts: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    def __bool__(self) -> bool:
        return self.ok

    def raise_for_findings(self) -> Report:
        """Returns the report. @raises FindingsError if it has findings that count"""
        if not self.ok:
            raise FindingsError(self)
        return self

    def to_json(self) -> str:
        """As `model_validator check --output-format json` prints it."""
        return self._texts["json"]

    def to_dict(self) -> dict[str, Any]:
        """The model's part of the JSON."""
        return dict(json.loads(self._texts["json"])["models"][0])

    def to_sarif(self) -> str:
        """SARIF 2.1.0, for code scanning."""
        return self._texts["sarif"]

    def to_dataframe(self) -> pandas.DataFrame:
        """One row per finding. Needs pandas."""
        import pandas as pd  # only when asked for

        return pd.DataFrame([_row(finding) for finding in self.findings], columns=COLUMNS)

    def __str__(self) -> str:
        return self._texts["full"]

    def _repr_html_(self) -> str:
        verdict = "passed" if self.ok else f"{len(self.findings)} findings"
        head = f"<p><b>{html.escape(self.path)}</b>: {verdict} ({self.ops} operations)</p>"
        if not self.findings:
            return head
        cells = "".join(f"<th>{name}</th>" for name in COLUMNS)
        rows = "".join(_html_row(finding) for finding in self.findings)
        return f"{head}<table><thead><tr>{cells}</tr></thead><tbody>{rows}</tbody></table>"


class FindingsError(AssertionError):
    """Raised by `Report.raise_for_findings`; its message is the report for people."""

    def __init__(self, report: Report) -> None:
        super().__init__(str(report))
        self.report = report

    def __reduce__(self) -> tuple[type[FindingsError], tuple[Report]]:
        return FindingsError, (self.report,)


COLUMNS = ("severity", "rule", "code", "module", "message", "file", "line", "help", "suppressed")


def _row(finding: Finding) -> tuple[Any, ...]:
    place = finding.location
    return (
        finding.severity,
        finding.rule,
        finding.code,
        finding.module,
        finding.message,
        place.file if place else None,
        place.line if place else None,
        finding.help,
        finding.suppressed.by if finding.suppressed else None,
    )


def _html_row(finding: Finding) -> str:
    cells = ("" if cell is None else html.escape(str(cell)) for cell in _row(finding))
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _fix(data: Mapping[str, Any] | None) -> Fix | None:
    if not data:
        return None
    edits = tuple(_edit(edit) for edit in data["edits"])
    return Fix(data["applicability"], data["description"], edits, data["refusal"] or "",
               data.get("hazard", ""))


def _edit(data: Mapping[str, Any]) -> Edit:
    return Edit(data["file"], Position(**data["start"]), Position(**data["end"]), data["text"])


def finding_from(data: Mapping[str, Any]) -> Finding:
    """A finding from the JSON."""
    op, hidden = data["op"], data["suppressed"]
    return Finding(
        rule=data["rule"],
        code=data["code"],
        severity=data["severity"],
        message=data["message"],
        module=data["module"] or "",
        aliases=tuple(data["aliases"]),
        parent=data["parent"] or "",
        op=OpReference(op["name"], op["type"]) if op else None,
        locations=tuple(_location(place) for place in data["locations"]),
        package=data["package"] or "",
        help=data["help"] or "",
        notes=tuple(data["notes"]),
        fix=_fix(data["fix"]),
        fingerprint=data["fingerprint"],
        suppressed=Suppression(hidden["by"], hidden["reason"]) if hidden else None,
        excused=data["excused"] or "",
    )


def _location(data: Mapping[str, Any]) -> Location:
    return Location(
        data["file"] or "", data["line"] or 0, data["column"] or 0, data.get("module") or "", data.get("role") or "call"
    )


def _check_result(data: Mapping[str, Any]) -> CheckResult:
    return CheckResult(data["name"], data["status"], data["findings"], data.get("reason", ""))


def report_from(answer: Answer, said: Sequence[str] = ()) -> Report:
    """The report in the library's answer. said: what torch said of the trace besides"""
    model = json.loads(answer.texts["json"])["models"][0]
    return Report(
        path=model["path"],
        format=model["format"],
        ok=answer.status == 0,
        ops=model["ops"],
        findings=tuple(finding_from(finding) for finding in model["findings"]),
        checks=tuple(_check_result(check) for check in model["checks"]),
        targets=tuple(model.get("verdicts") or ()),
        log=tuple(LogEntry(entry["level"], entry["text"]) for entry in json.loads(answer.texts["log"]))
        + tuple(LogEntry("info", f"torch said while it traced: {text}") for text in said),
        _texts={name: answer.texts[name] for name in ("json", "sarif", "full")},
    )
