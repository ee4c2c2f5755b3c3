"""What results say: of a whole hub, and of what changed from one run to another."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import ModelValidatorError
from ._results import Results, Row, no_surprises
from ._tables import Line, Table, page, text

SHOWN = 20
"""So many models and operators are named."""


@dataclass
class HubReport:
    """Counts over all models of a run."""

    settings: Mapping[str, Any] = field(default_factory=dict)
    """Version, rules and options of the run."""
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
    not_checked: Counter[str] = field(default_factory=Counter)
    """Models that a rule was left out for."""
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
        self.not_checked.update(row["not_checked"])
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

    @property
    def headline(self) -> str:
        """How many models there are, and what became of them."""
        status = self.statuses
        return f"{self.models} models: {status['passed']} passed, {status['failed']} with findings, {status['error']} could not be read"

    @property
    def tables(self) -> list[Table]:
        """All that is counted."""
        rules = [Line(name, count, f"models, {self.findings[name]} findings") for name, count in _most(self.rules)]
        targets = [Line(f"{target}: {verdict}", count) for (target, verdict), count in sorted(self.targets.items())]
        refused = [Line(f"{target}: {name}", count) for (target, name), count in _most(self.refused)[:SHOWN]]
        return [
            Table("formats", _lines(self.formats)),
            Table("exporters", _lines(self.exporters)),
            Table("rules", rules),
            Table("targets", targets),
            Table("refused operators", refused),
            Table("could not be read", _lines(self.errors)),
            Table("rules that were left out, because they ask for weights", _lines(self.not_checked)),
        ]

    def __str__(self) -> str:
        return text(self.headline, self.tables, [])

    def to_html(self) -> str:
        """The same as a page that needs nothing else."""
        return page("A hub of models", self.headline, self.tables, [], _described(self.settings))


def _most(counts: Counter[Any]) -> list[tuple[Any, int]]:
    """The most frequent first, in an order that does not depend on that of the rows."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _lines(counts: Counter[str]) -> list[Line]:
    return [Line(name, count) for name, count in _most(counts)]


def _described(settings: Mapping[str, Any]) -> str:
    options = settings.get("options")
    given = [f"{name}: {value}" for name, value in sorted(options.items())] if isinstance(options, dict) else []
    return "; ".join([f"model_validator {settings.get('version')}", *given])


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

    @property
    def headline(self) -> str:
        """How many models are judged the same."""
        count = len(self.changes)
        line = f"{self.same + count} models in both: {self.same} are judged the same, {count} differently"
        if self.only_before or self.only_after:
            line += f"; {len(self.only_before)} models are in the first alone, {len(self.only_after)} in the second alone"
        return line

    @property
    def tables(self) -> list[Table]:
        """What the changes are about."""
        added = Counter(_subject(word) for change in self.changes for word in change.added)
        removed = Counter(_subject(word) for change in self.changes for word in change.removed)
        lines = [Line(word, added[word] + removed[word], f"+{added[word]} -{removed[word]}") for word in {*added, *removed}]
        return [Table("what changed", sorted(lines, key=lambda line: line.name), counted=False)]

    @property
    def examples(self) -> list[tuple[str, list[str]]]:
        """Some models, and what was said of them before and is now."""
        shown = [
            (change.uri, [f"- {word}" for word in change.removed] + [f"+ {word}" for word in change.added])
            for change in self.changes[:SHOWN]
        ]
        left = len(self.changes) - SHOWN
        return [*shown, (f"and {left} models more", [])] if left > 0 else shown

    def __str__(self) -> str:
        return text(self.headline, self.tables, self.examples)

    def to_html(self) -> str:
        """The same as a page that needs nothing else."""
        return page("What changed over a hub", self.headline, self.tables, self.examples, "")


def _subject(word: str) -> str:
    return word.split(":", maxsplit=1)[0]


def report(results: str, *, key: str | None = None, storage: Mapping[str, Any] | None = None) -> HubReport:
    """What the latest run says, or that with these settings. @raises ModelValidatorError if there are no results"""
    opened, chosen = _opened(results, key, storage)
    found = HubReport(opened.settings()[chosen])
    with no_surprises(results):
        for row in opened.latest(chosen):
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
    runs = [_opened(before, keys[0], storage), _opened(after, keys[1], storage)]
    with no_surprises(before if before == after else f"{before}, {after}"):
        first, second = (_digests(*run) for run in runs)  # all that is said of all models may not fit into memory
        different = {uri for uri in first.keys() & second.keys() if first[uri] != second[uri]}
        says = [_judgements(*run, different) for run in runs]
    changes = []
    for uri in sorted(different):
        added, removed = says[1][uri] - says[0][uri], says[0][uri] - says[1][uri]
        changes.append(Change(uri, tuple(sorted(added.elements())), tuple(sorted(removed.elements()))))
    only_before, only_after = sorted(first.keys() - second.keys()), sorted(second.keys() - first.keys())
    return Comparison(len(first.keys() & second.keys()) - len(changes), tuple(changes), tuple(only_before), tuple(only_after))


def _opened(place: str, key: str | None, storage: Mapping[str, Any] | None) -> tuple[Results, str]:
    results = Results(place, dict(storage or {}))
    keys = list(results.settings())
    if not keys:
        raise ModelValidatorError("not-found", place, "there are no results", "make some: `model_validator hub SOURCE… --out RESULTS`")
    if key is not None and key not in keys:
        raise ModelValidatorError("bad-options", place, f"no results have the settings `{key}`", f"there are {', '.join(keys)}")
    return results, key or keys[-1]


def _words(results: Results, key: str, uris: Container[str] | None = None) -> Iterator[tuple[str, str]]:
    """What is said about each model, in words that stay the same from one export to the next; of a model at least one."""
    for row, findings in results.latest_with_findings(key):
        if uris is not None and row["uri"] not in uris:
            continue
        yield from ((row["uri"], word) for word in ("", *_verdicts(row)))
        for finding in findings:
            module = finding["module"] or "the model"
            yield row["uri"], f"{finding['rule']}: {module} ({finding['op_type'] or finding['fingerprint'][:8]})"


def _digests(results: Results, key: str) -> dict[str, int]:
    """A number for each model that is another if anything else is said about it, in whatever order."""
    found: dict[str, int] = defaultdict(int)
    for uri, word in _words(results, key):
        found[uri] = (found[uri] + int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "big")) % (1 << 64)
    return found


def _judgements(results: Results, key: str, uris: Container[str]) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for uri, word in _words(results, key, uris):
        found[uri][word] += 1
    return found


def _verdicts(row: Row) -> Sequence[str]:
    words = [f"target {target['target']}: {target['verdict']}" for target in row["targets"]]
    return [*words, f"error {row['error']}: {row['error_message']}"] if row["error"] else words
