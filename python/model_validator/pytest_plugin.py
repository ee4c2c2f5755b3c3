"""A plugin of pytest: models are checked and verified in tests.

def test_model(check_model, verify_models):
    check_model(Net(), torch.randn(1, 3, 32, 32), target="openvino")
    verify_models([torch.randn(1, 3, 32, 32)], Net(), session)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .checking import check
from .report import Report
from .verification import VerifyConfig, VerifyReport, verify


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of pytest."""
    group = parser.getgroup("model_validator", "models that are checked in tests")
    group.addoption("--mv-config", metavar="FILE", help="configuration of model_validator for every check_model")
    group.addoption(
        "--mv-baseline", metavar="FILE", help="baseline of model_validator: what it holds is known and does not count"
    )


@pytest.fixture
def check_model(request: pytest.FixtureRequest) -> Callable[..., Report]:
    """`model_validator.check`, whose findings fail the test with the report as the message."""

    def run(model: object, inputs: object = None, **options: Any) -> Report:
        __tracebackhide__ = True
        given = {
            "config": request.config.getoption("--mv-config"),
            "baseline": request.config.getoption("--mv-baseline"),
        }
        report = check(model, inputs, **{**given, **options})
        if not report.ok:
            pytest.fail(str(report), pytrace=False)
        return report

    return run


@pytest.fixture
def verify_models() -> Callable[..., VerifyReport]:
    """`model_validator.verify`: models that differ fail the test."""

    def run(inputs: Any, framework_model: Any, compiled_model: Any, config: VerifyConfig | None = None) -> VerifyReport:
        __tracebackhide__ = True
        return verify(inputs, framework_model, compiled_model, config)

    return run
