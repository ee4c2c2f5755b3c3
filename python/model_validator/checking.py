"""`check`: the command line's `model_validator check`, for files and for live models."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ._exporting import Export
from ._library import Answer, Source, ask
from ._live import is_live, source_of
from ._options import WEIGHT_RULES, Texts, asks_for_weights, described_inputs, texts
from .errors import ModelValidatorError
from .graph import ConnectedGraph
from .report import Report, report_from
from .validators import Validator, all_validators, recorded

FORMATS = ["json", "full", "sarif"]


def check(
    model: object,
    inputs: object = None,
    *,
    target: Texts = None,
    select: Texts = None,
    extend_select: Texts = None,
    ignore: Texts = None,
    severity: Mapping[str, str] | None = None,
    fail_on: str | None = None,
    fail_on_installed: bool | None = None,
    config: str | os.PathLike[str] | None = None,
    isolated: bool = False,
    baseline: str | os.PathLike[str] | None = None,
    validators: Iterable[Validator | type[Validator]] = (),
    export: Export | None = None,
    trusted: bool = False,
    name: str | None = None,
    **options: Any,
) -> Report:
    """Runs the checks over a model.

    model: a path; bytes; or a live `nn.Module`, `ScriptModule`, `ExportedProgram` or `onnx.ModelProto`. Files and
    bytes are read in a process that can only compute, unless they are `trusted`; live objects in this one.

    inputs: for a module, what it is called with (a tensor, a tuple, or a mapping of names): it is traced with them, by
    torch.export where a trace fails, or scripted without. For a TorchScript file, descriptions (`"x=1x3x224x224"`), arrays
    or a file: it is traced with them.

    target, select, extend_select, ignore, severity, fail_on, fail_on_installed, config, isolated, baseline: as the options of
    the command.
    Without config the configuration file nearest to the file or to the current folder applies, as on the command line.
    Rules that read weights run on a live model only where select or extend_select name them: else it is exported without.

    validators: checks of your own, besides those that are registered. export: `trace`, `script` or `export`.
    name: the name of bytes or of a live model in reports. options: `preset`, `profile`, `opset`, `op_library`, `max_memory`,
    `max_cpu`, `timeout`, `sandbox`, `show_suppressed`, `verbose`, `seed`, `samples`, `sizes`, `range`, `run_values`, `max_steps`.

    @raises ModelValidatorError if the model cannot be read; problems with the model are in the report
    """
    weights = not is_live(model) or asks_for_weights(select, extend_select)
    source = source_of(model, inputs, export=export, trusted=trusted, name=name, weights=weights)
    given = {
        "target": texts(target),
        "select": texts(select),
        "extend_select": texts(extend_select),
        "ignore": texts(ignore) if weights else [*(texts(ignore) or ()), *WEIGHT_RULES],
        "severity": dict(severity) if severity is not None else None,
        "fail_on": fail_on,
        "fail_on_installed": fail_on_installed,
        "config": os.fspath(config) if config is not None else None,
        "isolated": isolated,
        "baseline": os.fspath(baseline) if baseline is not None else None,
        "formats": FORMATS,
        "decisions": _decisions(source),
        **options,
    }
    with described_inputs(model, inputs) as described:
        rules = _own_rules(source, validators, {**described, **_reading(options)})
        answer = ask("check", [source], {**given, **described, "rules": rules})
    _raise_unreadable(answer)
    return report_from(answer, source.trace_log.others if source.trace_log else ())


def _decisions(source: Source) -> list[dict[str, Any]] | None:
    """Where Python decided by values while the model was traced, which the trace itself cannot hold."""
    if source.trace_log is None:
        return None
    return [{"file": file, "line": line, "made": made} for file, line, made in source.trace_log.decisions]


# Options of `check` that say how a model is read; the graph is read the same way.
READING = (
    "op_library",
    "max_memory",
    "max_cpu",
    "timeout",
    "sandbox",
    "seed",
    "samples",
    "sizes",
    "range",
    "run_values",
    "max_steps",
)


def _reading(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in READING if name in options}


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
