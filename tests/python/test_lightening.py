"""A live model is linted without its weights, and comes to no harm."""

from __future__ import annotations

import importlib.util
import io
from pathlib import Path
from typing import Any

import pytest
import torch
from conftest import MODELS, Net
from torch import nn

import model_validator as mv
from model_validator._live import source_of

X = torch.ones(1, 256)


class Heavy(nn.Module):
    """Tied weights, a buffer, a view of a part, a transposed weight, a part that is a script: each of 256 kB."""

    def __init__(self, part: Any) -> None:
        super().__init__()
        self.first = nn.Linear(256, 256)
        self.second = nn.Linear(256, 256)
        self.second.weight = self.first.weight
        self.register_buffer("table", torch.randn(256, 256))
        self.register_buffer("slice", torch.randn(512, 256)[:256])
        self.weight = nn.Parameter(torch.randn(256, 256).t())
        self.part = part

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.part(self.second(self.first(x))) @ self.table @ self.slice @ self.weight)


@pytest.fixture(params=["a script", "a module"])
def heavy(request: pytest.FixtureRequest) -> Heavy:
    part = nn.Linear(256, 256)
    return Heavy(torch.jit.script(part) if request.param == "a script" else part).eval()


def saved(model: Any) -> bytes:
    buffer = io.BytesIO()
    torch.jit.save(model, buffer)
    return buffer.getvalue()


@pytest.mark.parametrize("inputs", [X, None], ids=["traced", "scripted"])
def test_the_findings_are_those_of_the_file(heavy: Heavy, inputs: Any) -> None:
    script = torch.jit.script(heavy) if inputs is None else torch.jit.trace(heavy, inputs)
    by_file = mv.check(saved(script), extend_select="ALL", isolated=True, trusted=True)
    live = mv.check(heavy, inputs, extend_select="ALL", isolated=True)
    assert by_file.findings and live.findings == by_file.findings
    assert mv.ConnectedGraph.read(heavy, inputs).ops == mv.ConnectedGraph.read(saved(script)).ops


@pytest.mark.parametrize("inputs", [X, None], ids=["traced", "scripted"])
def test_the_model_keeps_its_weights(heavy: Heavy, inputs: Any) -> None:
    expected = heavy(X)
    before = {name: (value.data_ptr(), value.clone()) for name, value in heavy.state_dict().items()}
    mv.check(heavy, inputs)
    for name, value in heavy.state_dict().items():
        assert value.data_ptr() == before[name][0] and torch.equal(value, before[name][1]), name
    assert torch.equal(heavy(X), expected)
    assert heavy.first.weight is heavy.second.weight


def test_weights_are_left_out_where_they_are_large() -> None:
    model = Heavy(nn.Linear(256, 256)).eval()
    light = source_of(model, X, weights=False).bytes()
    assert source_of(model, X).bytes().nbytes > light.nbytes + 2.9 * 256 * 256 * 4
    script = torch.jit.load(io.BytesIO(light))
    kept, given = script.state_dict(), model.state_dict()
    assert kept["first.weight"].data_ptr() == kept["second.weight"].data_ptr() != kept["table"].data_ptr()
    for name, value in kept.items():
        assert (value.shape, value.dtype) == (given[name].shape, given[name].dtype)
    for name in ("first.bias", "slice", "weight"):
        assert torch.equal(kept[name], given[name]) and kept[name].stride() == given[name].stride(), name


@pytest.mark.parametrize("inputs", ["1x3x224x224", None], ids=["traced", "scripted"])
def test_a_real_model(inputs: str | None) -> None:
    given = None if inputs is None else torch.zeros(1, 3, 224, 224)
    path = Path(__file__).parents[2] / "examples" / "models" / "resnet.py"
    spec = importlib.util.spec_from_file_location("resnet", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    file = MODELS / f"resnet18.{'scripted' if inputs is None else 'traced'}.pt"
    live, by_file = mv.check(module.ResNet18().eval(), given), mv.check(file)
    assert [(finding.rule, finding.message) for finding in live.findings] == [
        (finding.rule, finding.message) for finding in by_file.findings
    ]


def test_a_quantized_and_a_sparse_weight_stay_as_they_are(net: Net) -> None:
    net.register_buffer("quantized", torch.quantize_per_tensor(torch.randn(256, 256), 0.1, 0, torch.qint8))
    net.register_buffer("sparse", torch.eye(256).to_sparse())
    net.register_buffer("compressed", torch.eye(256).to_sparse_csr())
    assert mv.check(net, torch.randn(1, 3, 8, 8)).findings


def test_rules_on_weights_see_them_where_they_are_named_and_else_say_nothing(heavy: Heavy, tmp_path: Path) -> None:
    with torch.no_grad():
        heavy.first.weight[0, 0] = float("nan")
    named = mv.check(heavy, X, select="non-finite-weights,weight-range", isolated=True)
    assert {finding.rule for finding in named.findings} == {"non-finite-weights", "weight-range"}
    (tmp_path / "own.toml").write_text('extend-select = ["weight-range"]')
    asked = mv.check(heavy, X, config=tmp_path / "own.toml")
    assert "weight-range" not in {finding.rule for finding in asked.findings}
