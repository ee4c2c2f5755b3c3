"""The plugin of pytest, run in a pytest of its own."""

from __future__ import annotations

import pytest

TESTS = """
import torch
from conftest_of_models import Net

def test_flawed(check_model):
    check_model(Net(), torch.randn(1, 3, 8, 8))

def test_selected(check_model):
    assert check_model(Net(), torch.randn(1, 3, 8, 8), select="training-mode", ignore="training-mode").ok

def test_verified(verify_models):
    verify_models([torch.ones(3)], torch.relu, torch.nn.ReLU())

def test_different(verify_models):
    verify_models([torch.ones(3)], torch.relu, torch.neg)
"""


@pytest.fixture
def folder(pytester: pytest.Pytester) -> pytest.Pytester:
    models = "import torch\nfrom torch import nn\n\n" + (
        "class Net(nn.Module):\n"
        "    def __init__(self):\n        super().__init__()\n        self.relu = nn.ReLU()\n"
        "    def forward(self, x):\n        return self.relu(self.relu(x))\n"
    )
    pytester.makepyfile(conftest_of_models=models, test_models=TESTS)
    return pytester


def test_findings_and_differences_fail_tests(folder: pytest.Pytester) -> None:
    result = folder.runpytest_subprocess("-p", "model_validator.pytest_plugin", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(["*reused-modules: module `relu` (ReLU) is called 2 times", "*VerificationError: max|d| *"])


def test_a_configuration_holds(folder: pytest.Pytester) -> None:
    folder.makefile(".toml", own='ignore = ["GRA"]')
    result = folder.runpytest_inprocess("-p", "model_validator.pytest_plugin", "-k", "flawed", "--mv-config=own.toml")
    result.assert_outcomes(passed=1, deselected=3)


def test_a_baseline_holds(folder: pytest.Pytester) -> None:
    result = folder.runpytest_inprocess("-p", "model_validator.pytest_plugin", "-k", "flawed", "--mv-baseline=none.json")
    result.assert_outcomes(failed=1, deselected=3)
