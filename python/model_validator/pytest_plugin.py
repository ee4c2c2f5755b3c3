"""A plugin of pytest: models are checked and verified in tests.

def test_model(check_model, verify_models):
    check_model(Net(), torch.randn(1, 3, 32, 32), target="openvino")
    verify_models([torch.randn(1, 3, 32, 32)], Net(), session)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

import pytest

from ._kinds import Readable, Runnable
from ._options import Checking, Unpack
from ._words import Export
from .checking import check
from .report import Report
from .validators import Validator
from .verification import Tolerance, VerifyConfig, VerifyReport, verify


class CheckModel(Protocol):
    """The fixture `check_model`: as `model_validator.check`."""

    def __call__(
        self,
        model: Readable,
        inputs: object = None,
        *,
        validators: Iterable[Validator | type[Validator]] = (),
        export: Export | None = None,
        trusted: bool = False,
        name: str | None = None,
        **options: Unpack[Checking],
    ) -> Report: ...


class VerifyModels(Protocol):
    """The fixture `verify_models`: as `model_validator.verify`."""

    def __call__(
        self,
        inputs: Any,
        framework_model: Runnable,
        compiled_model: Runnable,
        config: VerifyConfig | None = None,
        *,
        rtol: Tolerance = None,
        atol: Tolerance = None,
        pcc: Tolerance = None,
    ) -> VerifyReport: ...


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of pytest."""
    group = parser.getgroup("model_validator", "models that are checked in tests")
    group.addoption("--mv-config", metavar="FILE", help="configuration of model_validator for every check_model")
    group.addoption(
        "--mv-baseline", metavar="FILE", help="baseline of model_validator: what it holds is known and does not count"
    )


@pytest.fixture
def check_model(request: pytest.FixtureRequest) -> CheckModel:
    """`model_validator.check`, whose findings fail the test with the report as the message."""

    def run(model: Readable, inputs: object = None, **options: Any) -> Report:
        __tracebackhide__ = True
        given: dict[str, Any] = {
            "config": request.config.getoption("--mv-config"),
            "baseline": request.config.getoption("--mv-baseline"),
        }
        report = check(model, inputs, **{**given, **options})
        if not report.ok:
            pytest.fail(str(report), pytrace=False)
        return report

    return run


@pytest.fixture
def verify_models() -> VerifyModels:
    """`model_validator.verify`: models that differ fail the test."""

    def run(
        inputs: Any, framework_model: Runnable, compiled_model: Runnable, config: VerifyConfig | None = None, **tolerances: Tolerance
    ) -> VerifyReport:
        __tracebackhide__ = True
        return verify(inputs, framework_model, compiled_model, config, **tolerances)

    return run
