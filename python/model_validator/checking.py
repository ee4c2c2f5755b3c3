"""`check`: the command line's `model_validator check`, for files and for live models."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ._keywords import takes
from ._kinds import Readable
from ._library import Answer, Source, ask
from ._live import is_live, source_of
from ._options import WEIGHT_RULES, Checking, Tracing, Unpack, asks_for_weights, described_inputs, given_lists
from ._words import Export
from .errors import ModelValidatorError
from .graph import ConnectedGraph
from .report import Report, report_from
from .validators import Validator, all_validators, recorded

FORMATS = ["json", "full", "sarif"]


@takes(Checking)
def check(
    model: Readable,
    inputs: object = None,
    *,
    validators: Iterable[Validator | type[Validator]] = (),
    export: Export | None = None,
    trusted: bool = False,
    name: str | None = None,
    **options: Unpack[Checking],
) -> Report:
    """Runs the checks over a model.

    model: a path; bytes; or a live `nn.Module`, `ScriptModule`, `ExportedProgram` or `onnx.ModelProto`. Files and
    bytes are read in a process that can only compute, unless they are `trusted`; live objects in this one.

    inputs: for a module, what it is called with (a tensor, a tuple, or a mapping of names): it is traced with them, by
    torch.export where a trace fails, or scripted without. For a TorchScript file, descriptions (`"x=1x3x224x224"`), arrays
    or a file: it is traced with them.

    validators: checks of your own, besides those that are registered. export: `trace`, `script` or `export`.
    name: the name of bytes or of a live model in reports.

    options: as those of the command, of which `model_validator check --help` says more. Without `config`, the configuration
    file nearest to the file or to the current folder applies, unless `isolated`, as on the command line. Rules that read
    weights run on a live model only where `select` or `extend_select` name them: else it is exported without.

    @raises ModelValidatorError if the model cannot be read; problems with the model are in the report
    """
    weights = not is_live(model) or asks_for_weights(options.get("select"), options.get("extend_select"))
    source = source_of(model, inputs, export=export, trusted=trusted, name=name, weights=weights)
    given = given_lists({**options, "severity": _severities(options.get("severity"))})
    if not weights:
        given["ignore"] = [*(given.get("ignore") or ()), *WEIGHT_RULES]
    with described_inputs(model, inputs) as described:
        rules = _own_rules(source, validators, {**described, **_reading(given)})
        answer = ask("check", [source], {**given, **described, "formats": FORMATS, "decisions": _decisions(source), "rules": rules})
    _raise_unreadable(answer)
    return report_from(answer, source.trace_log.others if source.trace_log else ())


def _decisions(source: Source) -> list[dict[str, Any]] | None:
    """Where Python decided by values while the model was traced, which the trace itself cannot hold."""
    if source.trace_log is None:
        return None
    return [{"file": file, "line": line, "made": made} for file, line, made in source.trace_log.decisions]


def _severities(given: object) -> dict[str, str] | None:
    """@raises TypeError for something else than a mapping"""
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise TypeError(f'severity is a mapping of rules to severities, such as {{"missing-modules": "error"}}, not {given!r}')
    return {str(rule): str(word) for rule, word in given.items()}


def _reading(options: Mapping[str, Any]) -> dict[str, Any]:
    """Those that say how the model is read: the graph is read the same way."""
    return {name: options[name] for name in Tracing.__annotations__ if name in options}


def _own_rules(source: Source, more: Iterable[Validator | type[Validator]], reading: Mapping[str, Any]) -> Sequence[Any] | None:
    checks = all_validators(more)
    if not checks:
        return None
    try:
        graph = ConnectedGraph.from_source(source, reading)
    except ModelValidatorError:
        return recorded(checks, None)  # the check itself says why
    return recorded(checks, graph)


def _raise_unreadable(answer: Answer) -> None:
    model = json.loads(answer.texts["json"])["models"][0]
    if error := model["error"]:
        raise ModelValidatorError(error["kind"], model["path"], error["message"], error["hint"] or "")
