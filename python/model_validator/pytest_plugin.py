"""A plugin of pytest: models are checked and verified in tests.

def test_model(check_model, verify_models):
    check_model(Net(), torch.randn(1, 3, 32, 32), target="openvino")
    verify_models([torch.randn(1, 3, 32, 32)], Net(), session)
"""

from __future__ import annotations

from typing import Any, cast

import pytest

from .checking import check
from .report import Report
from .verification import VerifyReport, verify


class CheckModel:
    """The type of the fixture `check_model`: it is called as `check` is."""

    __call__ = staticmethod(check)


class VerifyModels:
    """The type of the fixture `verify_models`: it is called as `verify` is."""

    __call__ = staticmethod(verify)


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

    def run(*arguments: Any, **options: Any) -> Report:
        __tracebackhide__ = True
        given: dict[str, Any] = {
            "config": request.config.getoption("--mv-config"),
            "baseline": request.config.getoption("--mv-baseline"),
        }
        report = check(*arguments, **{**given, **options})
        if not report.ok:
            pytest.fail(str(report), pytrace=False)
        return report

    return cast("CheckModel", run)


@pytest.fixture
def verify_models() -> VerifyModels:
    """`model_validator.verify`: models that differ fail the test."""

    def run(*arguments: Any, **options: Any) -> VerifyReport:
        __tracebackhide__ = True
        return verify(*arguments, **options)

    return cast("VerifyModels", run)
