"""Lints exported neural networks, and live ones, before they are compiled; verifies what they were compiled to.

    import model_validator as mv
    print(mv.check("model.pt"))                          # a file, read in a process that can only compute
    mv.check(Net(), torch.randn(1, 3, 32, 32)).raise_for_findings()
    mv.assert_verified([x], Net(), onnxruntime.InferenceSession("net.onnx"))

torch, numpy and others are imported where they are asked for, and never by `import model_validator`.
"""

from ._library import version
from .checking import check
from .compiling import compile, verified  # noqa: A004: torch's word
from .errors import FindingsError, ModelValidatorError
from .graph import ConnectedGraph, Module, Op, Product, SourceLocation
from .models import Difference, Model, Partition, Plan, Port, diff, partition
from .report import Edit, Finding, Fix, Location, Report
from .validators import Diagnostics, RuleInfo, Validator, unregister, validator
from .verification import (
    AllCloseValueChecker,
    AutomaticValueChecker,
    DefaultValueChecker,
    FullValueChecker,
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
    "FullValueChecker",
    "Location",
    "Model",
    "ModelValidatorError",
    "Module",
    "Op",
    "Partition",
    "Plan",
    "Port",
    "Product",
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
    "partition",
    "same",
    "unregister",
    "validator",
    "verified",
    "verify",
    "version",
]
