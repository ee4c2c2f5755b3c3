"""What results say: of a whole hub, and of what changed from one run to another."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import ModelValidatorError
from ._results import Results, Row

SHOWN = 20
"""So many models are named of those that changed."""


@dataclass
class HubReport:
    """Counts over all models of a run."""

    models: int = 0
    formats: Counter[str] = field(default_factory=Counter)
    exporters: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    """Models with a finding of the rule."""
    findings: Counter[str] = field(default_factory=Counter)
    targets: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Models by target and verdict."""
    refused: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Models by target and refused operator."""
    errors: Counter[str] = field(default_factory=Counter)
    bytes_read: int = 0
    size: int = 0

    def add(self, row: Row) -> None:
        """Counts a model."""
        self.models += 1
        self.formats[row["format"] or "unread"] += 1
        self.exporters[row["exporter"] or "unknown"] += 1
        self.statuses[row["status"]] += 1
        self.bytes_read += row["bytes_read"]
        self.size += row["size"]
        if row["error"]:
            self.errors[row["error"]] += 1
        for check in row["checks"]:
            if check["findings"]:
                self.rules[check["name"]] += 1
                self.findings[check["name"]] += check["findings"]
        for target in row["targets"]:
            self.targets[target["target"], target["verdict"]] += 1
            for operator in set(target["refused"]):
                self.refused[target["target"], operator] += 1

    def __str__(self) -> str:
        status = self.statuses
        head = f"{self.models} models: {status['passed']} passed, {status['failed']} with findings, {status['error']} could not be read"
        rules = {name: f"{count} models, {self.findings[name]} findings" for name, count in self.rules.most_common()}
        parts = [
            _table("formats", self.formats),
            _table("exporters", self.exporters),
            _table("rules", rules),
            _table("targets", {f"{target}: {verdict}": count for (target, verdict), count in sorted(self.targets.items())}),
            _table("refused operators", {f"{target}: {name}": count for (target, name), count in self.refused.most_common(SHOWN)}),
            _table("could not be read", self.errors),
        ]
        return "\n\n".join([head, *filter(None, parts)])


def _table(title: str, counts: Mapping[str, Any]) -> str:
    if not counts:
        return ""
    items = counts.most_common() if isinstance(counts, Counter) else counts.items()
    width = max(map(len, counts))
    return "\n".join([title, *(f"  {name:<{width}}  {count}" for name, count in items)])


@dataclass(frozen=True)
class Change:
    """A model that two runs judge differently."""

    uri: str
    added: tuple[str, ...]
    """Findings, errors and verdicts of the second run alone."""
    removed: tuple[str, ...]
    """Those of the first alone."""


@dataclass(frozen=True)
class Comparison:
    """What changes over a hub from one run to another."""

    same: int
    changes: tuple[Change, ...]
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]

    def __str__(self) -> str:
        count = len(self.changes)
        lines = [f"{self.same + count} models in both: {self.same} are judged the same, {count} differently"]
        if self.only_before or self.only_after:
            lines.append(f"{len(self.only_before)} models are in the first alone, {len(self.only_after)} in the second alone")
        added = Counter(_subject(word) for change in self.changes for word in change.added)
        removed = Counter(_subject(word) for change in self.changes for word in change.removed)
        for word in sorted({*added, *removed}):
            lines.append(f"  {word}: +{added[word]} -{removed[word]}")
        for change in self.changes[:SHOWN]:
            lines.append(change.uri)
            lines += [f"  - {word}" for word in change.removed] + [f"  + {word}" for word in change.added]
        if count > SHOWN:
            lines.append(f"and {count - SHOWN} models more")
        return "\n".join(lines)


def _subject(word: str) -> str:
    return word.split(":", maxsplit=1)[0]


def report(results: str, *, key: str | None = None, storage: Mapping[str, Any] | None = None) -> HubReport:
    """What the latest run says, or that with these settings. @raises ModelValidatorError if there are no results"""
    opened, chosen = _opened(results, key, storage)
    found = HubReport()
    for row in _latest(opened, chosen).values():
        found.add(row)
    return found


def compare(
    before: str,
    after: str,
    *,
    keys: tuple[str | None, str | None] = (None, None),
    storage: Mapping[str, Any] | None = None,
) -> Comparison:
    """What the second run says otherwise than the first; both may be in one folder, with different settings.

    @raises ModelValidatorError if there are no results
    """
    first = _judgements(*_opened(before, keys[0], storage))
    second = _judgements(*_opened(after, keys[1], storage))
    changes = []
    both = sorted(first.keys() & second.keys())
    for uri in both:
        added, removed = second[uri] - first[uri], first[uri] - second[uri]
        if added or removed:
            changes.append(Change(uri, tuple(sorted(added.elements())), tuple(sorted(removed.elements()))))
    only_before, only_after = sorted(first.keys() - second.keys()), sorted(second.keys() - first.keys())
    return Comparison(len(both) - len(changes), tuple(changes), tuple(only_before), tuple(only_after))


def _opened(place: str, key: str | None, storage: Mapping[str, Any] | None) -> tuple[Results, str]:
    results = Results(place, dict(storage or {}))
    keys = list(results.settings())
    if not keys:
        raise ModelValidatorError("not-found", place, "there are no results", "make some: `model_validator hub SOURCE… --out RESULTS`")
    if key is not None and key not in keys:
        raise ModelValidatorError("bad-options", place, f"no results have the settings `{key}`", f"there are {', '.join(keys)}")
    return results, key or keys[-1]


def _latest(results: Results, key: str) -> dict[str, Row]:
    """One row a model."""
    return {row["uri"]: row for row in results.models() if row["settings"] == key}


def _judgements(results: Results, key: str) -> dict[str, Counter[str]]:
    """What is said about each model, in words that stay the same from one export to the next."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    rows = _latest(results, key)
    for uri, row in rows.items():
        found[uri].update(_verdicts(row))
    for finding in results.findings():
        row = rows.get(finding["uri"], {})
        if finding["settings"] == key and finding["version"] == row.get("version"):
            module = finding["module"] or "the model"
            found[finding["uri"]][f"{finding['rule']}: {module} ({finding['op_type'] or finding['fingerprint'][:8]})"] += 1
    return found


def _verdicts(row: Row) -> Sequence[str]:
    words = [f"target {target['target']}: {target['verdict']}" for target in row["targets"]]
    return [*words, f"error {row['error']}: {row['error_message']}"] if row["error"] else words
