"""Lints exported and live neural networks before they are compiled; verifies the compiled result.

    import model_validator as mv
    print(mv.check("model.pt"))                          # a file, read in a process that can only compute
    mv.check(Net(), torch.randn(1, 3, 32, 32)).raise_for_findings()
    mv.verify([x], Net(), onnxruntime.InferenceSession("net.onnx"))     # raises if they differ

torch, numpy and others are imported only where needed, never by `import model_validator`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    __version__: str
    from ._library import version
    from .checking import check
    from .compiling import compile, verified  # torch's word
    from .errors import ModelValidatorError
    from .failing import NodeAnswer, NodePlace, Probe, Reduction, probe, reduce
    from .fixing import FixReport, fix
    from .graph import ConnectedGraph, Module, Op, Product, SourceLocation
    from .migration import Migration, migrate
    from .models import Difference, Model, Partition, Plan, Port, diff, partition
    from .report import Edit, Finding, FindingsError, Fix, Location, Position, Report
    from .validators import Diagnostics, RuleInfo, Validator, unregister, validator
    from .verification import (
        AllCloseValueChecker,
        AutomaticValueChecker,
        DefaultValueChecker,
        FullValueChecker,
        QuantisedValueChecker,
        SameResult,
        VerificationError,
        VerifyConfig,
        VerifyReport,
        assert_verified,
        compare,
        same,
        verify,
    )

__all__ = [
    "AllCloseValueChecker",
    "AutomaticValueChecker",
    "ConnectedGraph",
    "DefaultValueChecker",
    "Diagnostics",
    "Difference",
    "Edit",
    "Finding",
    "FindingsError",
    "Fix",
    "FixReport",
    "FullValueChecker",
    "Location",
    "Migration",
    "Model",
    "ModelValidatorError",
    "Module",
    "NodeAnswer",
    "NodePlace",
    "Op",
    "Partition",
    "Plan",
    "Port",
    "Position",
    "Probe",
    "Product",
    "QuantisedValueChecker",
    "Reduction",
    "Report",
    "RuleInfo",
    "SameResult",
    "SourceLocation",
    "Validator",
    "VerificationError",
    "VerifyConfig",
    "VerifyReport",
    "assert_verified",
    "check",
    "compare",
    "compile",
    "diff",
    "fix",
    "migrate",
    "partition",
    "probe",
    "reduce",
    "same",
    "unregister",
    "validator",
    "verified",
    "verify",
    "version",
]

# Submodules are imported on first use: a caller that needs one does not wait for all.
_HOMES = {
    "_library": ("version",),
    "checking": ("check",),
    "compiling": ("compile", "verified"),
    "errors": ("ModelValidatorError",),
    "failing": ("NodeAnswer", "NodePlace", "Probe", "Reduction", "probe", "reduce"),
    "fixing": ("FixReport", "fix"),
    "graph": ("ConnectedGraph", "Module", "Op", "Product", "SourceLocation"),
    "migration": ("Migration", "migrate"),
    "models": ("Difference", "Model", "Partition", "Plan", "Port", "diff", "partition"),
    "report": ("Edit", "Finding", "FindingsError", "Fix", "Location", "Position", "Report"),
    "validators": ("Diagnostics", "RuleInfo", "Validator", "unregister", "validator"),
    "verification": (
        "AllCloseValueChecker",
        "AutomaticValueChecker",
        "DefaultValueChecker",
        "FullValueChecker",
        "QuantisedValueChecker",
        "SameResult",
        "VerificationError",
        "VerifyConfig",
        "VerifyReport",
        "assert_verified",
        "compare",
        "same",
        "verify",
    ),
}
# What newcomers look for, by the name that it has here.
_ELSEWHERE = {"lint": "check", "validate": "check", "inspect": "Model", "load": "Model", "assert_close": "compare"}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("._library", __name__).version()
    if name not in _HOME_OF:
        meant = _ELSEWHERE.get(name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}" + (f": did you mean {meant!r}?" if meant else ""))
    value = getattr(import_module(f".{_HOME_OF[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
