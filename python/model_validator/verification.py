"""Numeric verification: whether two callables compute the same, with the names of TT-Forge's `verify`."""

from __future__ import annotations

import ctypes
import html
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from . import _keywords
from ._arrays import Values
from ._kinds import Runnable
from ._library import Answer, as_json, call
from ._live import is_live
from ._nesting import cloned
from ._running import callable_of, name_of, reference_of, stored_in, without_tf32


class VerificationError(AssertionError, ValueError):
    """Two models do not compute the same. The message is what failed first; the report for people follows."""

    def __init__(self, message: str, report: VerifyReport | None = None) -> None:
        super().__init__(f"{message}\n\n{report}" if report is not None else message)
        self.first_failure = message
        self.report = report

    def __reduce__(self) -> tuple[type[VerificationError], tuple[str, VerifyReport | None]]:
        return VerificationError, (self.first_failure, self.report)


@_keywords.takes_fields
@dataclass(frozen=True)
class AutomaticValueChecker:
    """Booleans: Rogers-Tanimoto dissimilarity; one element, or a side without variance: allclose; else PCC.

    A result that is scaled, shifted or has outliers fails even if its PCC passes, unless `pcc_alone`, which follows TT-Forge
    to the letter.
    """

    pcc: float = 0.99
    rtol: float = 1e-5
    atol: float = 1e-8
    dissimilarity_threshold: float = 1e-3
    pcc_alone: bool = False

    def _described(self) -> dict[str, Any]:
        return {"name": "auto", **asdict(self)}


@_keywords.takes_fields
@dataclass(frozen=True)
class AllCloseValueChecker:
    """`|framework − compiled| ≤ atol + rtol · |compiled|` for every element."""

    rtol: float = 1e-5
    atol: float = 1e-8
    equal_nan: bool = False

    def _described(self) -> dict[str, Any]:
        return {"name": "allclose", **asdict(self)}


@_keywords.takes_fields
@dataclass(frozen=True)
class FullValueChecker(AutomaticValueChecker):
    """The automatic checker, and allclose for floating-point outputs."""

    def _described(self) -> dict[str, Any]:
        return {"name": "full", **asdict(self)}


@_keywords.takes_fields
@dataclass(frozen=True)
class DefaultValueChecker:
    """The command line's default: `|difference| ≤ atol + rtol · max|reference|` of each output, PCC where it applies, equal
    NaN and infinities, integers exact. A tolerance left out has the default of the output's dtype."""

    rtol: float | Mapping[str, float] | None = None
    """One for all outputs, or one per output by name."""
    atol: float | Mapping[str, float] | None = None
    pcc: float | Mapping[str, float] | None = None

    def _described(self) -> dict[str, Any]:
        return {
            "name": "default",
            "rtol": _by_output(self.rtol),
            "atol": _by_output(self.atol),
            "pcc": _by_output(self.pcc),
        }


@_keywords.takes_fields
@dataclass(frozen=True)
class QuantisedValueChecker:
    """For a copy in few bits: the signal-to-noise ratio of each output, and of integers and booleans the share that agrees."""

    sqnr: float | Mapping[str, float] | None = None
    """In dB; 20 where it is left out. One for all outputs, or one per output by name."""
    agreement: float = 0.9

    def _described(self) -> dict[str, Any]:
        return {"name": "quantised", "sqnr": _by_output(self.sqnr), "agreement": self.agreement}


Tolerance = float | Mapping[str, float] | None
"""One for all outputs, or, of checkers that have it, one per output by name."""


def _by_output(tolerance: float | Mapping[str, float] | None) -> str | None:
    if tolerance is None or tolerance == {}:
        return None
    if isinstance(tolerance, Mapping):
        return ",".join(f"{name}={value!r}" for name, value in tolerance.items())
    return repr(float(tolerance))


ValueChecker = AutomaticValueChecker | AllCloseValueChecker | FullValueChecker | DefaultValueChecker | QuantisedValueChecker


@_keywords.takes_fields
@dataclass(frozen=True)
class VerifyConfig:
    """What is verified."""

    enabled: bool = True
    """False: both models still run, and nothing is compared."""
    verify_size: bool = True
    """The number of outputs."""
    verify_dtype: bool = True
    verify_shape: bool = True
    verify_values: bool = True
    value_checker: ValueChecker = field(default_factory=DefaultValueChecker)
    """The command's rule. `AutomaticValueChecker()` is TT-Forge's: correlation alone, for hardware that rounds a lot."""
    worst: int = 8
    """How many of the worst elements the report has."""
    threads: int = 0
    """0: one per core."""
    raise_on_difference: bool = True
    """False: `verify` returns the report of a difference, which is false."""

    def _options(self) -> dict[str, Any]:
        return {
            "verify_size": self.verify_size,
            "verify_dtype": self.verify_dtype,
            "verify_shape": self.verify_shape,
            "verify_values": self.verify_values,
            "checker": {k: v for k, v in self.value_checker._described().items() if v is not None},
            "worst": self.worst,
            "threads": self.threads,
        }


@dataclass(frozen=True)
class VerifyReport:
    """What a verification found."""

    ok: bool
    first_failure: str
    """TT-Forge's message where it has one for what failed; empty if all passed."""
    framework_output: Any = field(repr=False, compare=False)
    compiled_output: Any = field(repr=False, compare=False)
    outputs: tuple[Mapping[str, Any], ...] = ()
    """Each output with its metrics and verdicts, as in the JSON."""
    _texts: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    def __bool__(self) -> bool:
        return self.ok

    def raise_for_difference(self) -> VerifyReport:
        """Returns the report. @raises VerificationError if something differs"""
        if not self.ok:
            raise VerificationError(self.first_failure, self)
        return self

    def to_json(self) -> str:
        """`model_validator-verify/1`."""
        return self._texts.get("json", "{}")

    def __str__(self) -> str:
        return self._texts.get("text", "nothing was compared")

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


@_keywords.takes()
def verify(
    inputs: Any,
    framework_model: Runnable,
    compiled_model: Runnable,
    config: VerifyConfig | None = None,
    *,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    pcc: Tolerance = None,
) -> VerifyReport:
    """Raises VerificationError if the two models do not compute the same, as TT-Forge's `verify` does.

    Both run on clones of the inputs; number, dtype, shape and values of their outputs are compared.

    inputs: a list or tuple of arrays, a mapping of names, or one array. A model: any callable; an
    `onnxruntime.InferenceSession`, an `openvino.CompiledModel`, or the path of a model file. Arrays: torch, numpy, DLPack.
    As the framework's model an ONNX file is run by ONNX Runtime without optimisations.

    rtol, atol, pcc: those of the configuration's checker, of `DefaultValueChecker` where it names none.

    Returns the report; the error has it too, as `error.report`. With `VerifyConfig(raise_on_difference=False)` the report of
    a difference is returned as well, and is false.

    @raises VerificationError, an AssertionError that begins with what failed first; what the models themselves raise
    """
    config = _configured(config, rtol=rtol, atol=atol, pcc=pcc)
    report = _verified(inputs, framework_model, compiled_model, config)
    return report.raise_for_difference() if config.raise_on_difference else report


@_keywords.takes()
def assert_verified(
    inputs: Any,
    framework_model: Runnable,
    compiled_model: Runnable,
    config: VerifyConfig | None = None,
    *,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    pcc: Tolerance = None,
) -> VerifyReport:
    """`verify`, which raises on a difference whatever the configuration says. @raises VerificationError"""
    config = _configured(config, rtol=rtol, atol=atol, pcc=pcc)
    return _verified(inputs, framework_model, compiled_model, config).raise_for_difference()


def _configured(config: VerifyConfig | None, **given: Tolerance) -> VerifyConfig:
    """The configuration, with tolerances that are given beside it. @raises TypeError if its checker has no such one"""
    if isinstance(config, ValueChecker):
        raise TypeError(f"a checker is part of a configuration: VerifyConfig(value_checker={type(config).__name__}(…))")
    config = config or VerifyConfig()
    tolerances: Any = {name: value for name, value in given.items() if value is not None}
    checker = config.value_checker
    _keywords.refuse(type(checker).__name__, [n for n in tolerances if not hasattr(checker, n)], [f.name for f in fields(checker)])
    return replace(config, value_checker=replace(checker, **tolerances))


def _verified(inputs: Any, framework_model: Any, compiled_model: Any, config: VerifyConfig) -> VerifyReport:
    if is_live(inputs) or callable(inputs):
        raise TypeError("the inputs come first, then the models: verify(inputs, framework_model, compiled_model)")
    framework, compiled = reference_of(framework_model), callable_of(compiled_model)
    with without_tf32() as notes:
        framework_output = framework(cloned(inputs))
        compiled_output = compiled(cloned(inputs))
    if not config.enabled:
        return VerifyReport(True, "", framework_output, compiled_output)
    names = {"reference": name_of(framework_model), "candidate": name_of(compiled_model)}
    if stored := stored_in(compiled_model):
        config, note = _held_to_weights(config, stored)
        notes = [*notes, f"the candidate's weights are stored in {stored}: {note}"]
    return _compared(framework_output, compiled_output, config, {**names, "notes": notes})


# The default checker's own tolerance and correlation for results of these dtypes.
OF_HALVES = {"f16": DefaultValueChecker(rtol=1e-2, pcc=0.9999), "bf16": DefaultValueChecker(rtol=8e-2, pcc=0.999)}


def _held_to_weights(config: VerifyConfig, stored: str) -> tuple[VerifyConfig, str]:
    """Weights in halves allow what results in halves are allowed, unless the caller says what is; fewer bits, nothing."""
    if config.value_checker != DefaultValueChecker():
        return config, "the configuration decides"
    if stored in OF_HALVES:
        return replace(config, value_checker=OF_HALVES[stored]), "results are held to the tolerance of that precision"
    return config, "`model_validator verify` judges it by what that costs on this model"


@_keywords.takes()
def compare(
    framework_output: Any,
    compiled_output: Any,
    config: VerifyConfig | None = None,
    *,
    reference: str = "framework",
    candidate: str = "compiled",
) -> VerifyReport:
    """Compares two existing results: arrays, nested in lists, tuples and dicts. Raises nothing if they differ.

    reference, candidate: what the report calls them.
    """
    names = {"reference": reference, "candidate": candidate}
    return _compared(framework_output, compiled_output, config or VerifyConfig(), names)


def _compared(framework_output: Any, compiled_output: Any, config: VerifyConfig, words: Mapping[str, Any]) -> VerifyReport:
    left, right = Values(framework_output), Values(compiled_output)
    options = {**config._options(), "formats": ["json", "text"], **words}
    answer = _answer_of("mv_compare", left, right, options=options)
    return VerifyReport(
        ok=answer.status == 0,
        first_failure=answer.texts["first_failure"],
        framework_output=framework_output,
        compiled_output=compiled_output,
        outputs=tuple(json.loads(answer.texts["json"])["outputs"]),
        _texts={name: answer.texts[name] for name in ("json", "text")},
    )


@dataclass(frozen=True)
class SameResult:
    """What `same` found; true if the two are the same."""

    equal: bool
    differences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """Which rule let a value pass that allclose did not."""

    def __bool__(self) -> bool:
        return self.equal


@_keywords.takes()
def same(
    ref: Any,
    res: Any,
    fp64_ref: Any = None,
    *,
    tol: float = 1e-4,
    cos_similarity: bool = False,
    equal_nan: bool = False,
    exact_dtype: bool = True,
) -> SameResult:
    """PyTorch dynamo's `same` over nested lists, tuples and dicts: allclose; failing that, if there is a float64
    reference, RMSE(fp64, res) ≤ m · RMSE(fp64, ref) + tol/10. Nothing is broadcast, skipped or cut short."""
    options = {"tol": tol, "cos_similarity": cos_similarity, "equal_nan": equal_nan, "exact_dtype": exact_dtype}
    exact = None if fp64_ref is None else Values(fp64_ref)
    answer = _answer_of("mv_same", Values(ref), Values(res), exact, options=options)
    found = json.loads(answer.texts["json"])
    return SameResult(found["equal"], tuple(found["differences"]), tuple(found["notes"]))


def _answer_of(function: str, *values: Values | None, options: Mapping[str, Any]) -> Answer:
    pointers = (None if value is None else ctypes.byref(value.as_c) for value in values)
    return call(function, *pointers, as_json(options))
