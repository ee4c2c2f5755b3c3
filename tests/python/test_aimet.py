"""The drop-in for AIMET's model validator: the four models of its documentation, and its unit tests' behaviour."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from model_validator.aimet import ModelValidator

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "models"))
import aimet_models

INPUT = torch.randn(1, 3, 32, 32)


def validated(model: nn.Module, caplog: pytest.LogCaptureFixture, inputs: Any = INPUT) -> tuple[bool, list[str]]:
    caplog.clear()
    with caplog.at_level(logging.INFO, logger="Utils"):
        verdict = ModelValidator.validate_model(model, inputs)
    return verdict, [line for record in caplog.records for line in record.getMessage().splitlines()]


def test_a_reused_module(caplog: pytest.LogCaptureFixture) -> None:
    assert validated(aimet_models.ModelWithReusedNodes(), caplog) == (
        False,
        [
            "Running validator check validate_for_reused_modules",
            "The following modules are used more than once in the model: ['relu1']",
            "AIMET features are not designed to work with reused modules. Please redefine your model to use distinct modules for "
            "each instance.",
            "Running validator check validate_for_missing_modules",
            "The following validator checks failed:",
            "    validate_for_reused_modules",
        ],
    )


def test_a_functional(caplog: pytest.LogCaptureFixture) -> None:
    verdict, log = validated(aimet_models.ModelWithFunctionalLinear(), caplog)
    assert not verdict
    assert any(line.startswith("Ops with missing modules: ['linear") for line in log)
    assert log[-2:] == ["The following validator checks failed:", "    validate_for_missing_modules"]


@pytest.mark.parametrize("name", ["ModelWithoutReusedNodes", "ModelWithoutFunctionalLinear"])
def test_models_that_pass(name: str, caplog: pytest.LogCaptureFixture) -> None:
    verdict, log = validated(getattr(aimet_models, name)(), caplog)
    assert verdict
    assert log[-1] == "All validation checks passed."


@pytest.fixture
def own_check() -> Iterator[list[Any]]:
    seen: list[Any] = []

    def validate_for_small_inputs(model: nn.Module, model_input: torch.Tensor) -> bool:
        seen.append(model)
        return model_input.numel() < 10

    ModelValidator.add_check(validate_for_small_inputs)
    ModelValidator.add_check(validate_for_small_inputs)
    yield seen
    ModelValidator.remove_check(validate_for_small_inputs)


def test_a_check_of_your_own(own_check: list[Any], caplog: pytest.LogCaptureFixture) -> None:
    model = aimet_models.ModelWithoutReusedNodes()
    verdict, log = validated(model, caplog)
    assert not verdict
    assert own_check == [model]
    assert log[-2:] == ["The following validator checks failed:", "    validate_for_small_inputs"]
    assert validated(nn.ReLU(), caplog, torch.ones(1))[0]


def test_what_aimet_refuses(caplog: pytest.LogCaptureFixture) -> None:
    scripted = torch.jit.script(aimet_models.ModelWithReusedNodes())
    assert not validated(scripted, caplog)[0]
    assert not validated(torch.jit.trace(aimet_models.ModelWithReusedNodes().eval(), INPUT), caplog)[0]

    class DictOutput(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.relu = nn.ReLU()

        def forward(self, x: torch.Tensor) -> dict[str, torch.Tensor]:
            return {"y": self.relu(x)}

    assert validated(DictOutput(), caplog)[0]
