"""Live models whose inputs and results are not tensors alone, as those of transformers, and models without weights."""

from __future__ import annotations

import dataclasses
from collections import OrderedDict
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from conftest import MODELS, Net
from torch import nn

import model_validator as mv

X = torch.ones(2, 8)


class Cache:
    """Keys and values, which no exporter knows."""

    def __init__(self, owner: nn.Module) -> None:
        self.layers: list[Any] = []
        self.owner = owner


@dataclasses.dataclass
class Result:
    logits: torch.Tensor
    cache: Cache | None
    loss: float | None = None


class Output(OrderedDict[str, Any]):
    """A mapping whose values are of several types."""


class Decoder(nn.Module):
    """Reports a relu, and a sigmoid where a cache is filled."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(8, 8)
        self.config = SimpleNamespace(use_cache=True)

    def forward(self, x: torch.Tensor, flag: bool = False, use_cache: bool | None = None) -> Any:
        y = torch.relu(self.layer(x))
        if flag:
            y = torch.tanh(y)
        if not (self.config.use_cache if use_cache is None else use_cache):
            return Result(y, None)
        cache = Cache(self)
        cache.layers.append(torch.sigmoid(y))
        return Result(y, cache)


def operators(report: mv.Report) -> list[str]:
    return sorted(finding.message.split("`")[1] for finding in report.findings)


@pytest.mark.parametrize("export", [None, "trace", "export"])
@pytest.mark.parametrize(
    ("inputs", "found"),
    [
        (X, ["relu"]),
        ({"x": X, "flag": True}, ["relu", "tanh"]),
        ((X, True), ["relu", "tanh"]),
        ({"x": X, "use_cache": True}, ["relu", "sigmoid"]),
    ],
    ids=["defaults", "a flag by name", "a flag by position", "with a cache"],
)
def test_results_and_inputs_of_any_class(export: Any, inputs: Any, found: list[str]) -> None:
    model = Decoder().eval()
    assert operators(mv.check(model, inputs, export=export, isolated=True)) == found
    assert model.config.use_cache is True
    assert isinstance(model(X), Result)  # nothing is left of the hooks


class Nested(nn.Module):
    def __init__(self, kind: type) -> None:
        super().__init__()
        self.kind = kind
        self.layer = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> Any:
        y = self.layer(x)
        return self.kind({"logits": y, "more": {"hidden": [y, torch.relu(y)], "none": None}, "count": 3})


@pytest.mark.parametrize("kind", [dict, Output])
@pytest.mark.parametrize("export", [None, "trace", "export"])
def test_results_that_nest(kind: type, export: Any) -> None:
    assert operators(mv.check(Nested(kind).eval(), X, export=export, isolated=True)) == ["relu"]


@pytest.mark.parametrize("export", [None, "trace", "export"])
def test_an_error_of_the_model_itself_is_shown(export: Any) -> None:
    with pytest.raises(mv.ModelValidatorError) as raised:
        mv.check(Nested(dict), torch.ones(2, 9), export=export)
    assert raised.value.kind == "run-failed"
    assert "the module cannot be called with these inputs: RuntimeError: mat1 and mat2" in raised.value.message
    assert f"{__file__}:{Nested.forward.__code__.co_firstlineno + 1}, in forward" in raised.value.message


class Refused(nn.Module):
    """Runs, but neither exporter takes it."""

    def forward(self, x: torch.Tensor) -> Any:
        if torch.jit.is_tracing() or torch.compiler.is_exporting():
            raise NotImplementedError("no export")
        return x


def test_when_no_exporter_works_the_hint_names_none() -> None:
    with pytest.raises(mv.ModelValidatorError) as raised:
        mv.check(Refused(), X)
    assert raised.value.kind == "not-exportable"
    assert raised.value.message.count("no export") == 2
    assert "try" not in raised.value.hint and "forward takes and returns tensors" in raised.value.hint


class Untraceable(nn.Module):
    def forward(self, x: torch.Tensor) -> Any:
        if torch.jit.is_tracing():
            raise NotImplementedError
        return torch.relu(x)


def test_the_exporter_that_works_is_chosen() -> None:
    report = mv.check(Untraceable(), X)
    assert report.to_dict()["format"] == "exported-program" and operators(report) == ["relu"]
    with pytest.raises(mv.ModelValidatorError, match="cannot be exported by trace"):
        mv.check(Untraceable(), X, export="trace")


@pytest.mark.parametrize("export", [None, "trace", "export"])
@pytest.mark.parametrize("inputs_on", ["cpu", "meta"])
@pytest.mark.parametrize("buffers_on", ["cpu", "meta"])
def test_a_model_on_the_meta_device(export: Any, inputs_on: str, buffers_on: str) -> None:
    with torch.device("meta"):
        model = nn.Sequential(nn.Linear(8, 512), nn.BatchNorm1d(512), Decoder()).eval()
        model[2].layer = nn.Linear(512, 8)
    model[1].register_buffer("scale", torch.ones(512, device=buffers_on))
    model[1].running_mean = torch.zeros(512, device=buffers_on)
    assert operators(mv.check(model, torch.ones(2, 8, device=inputs_on), export=export, isolated=True)) == ["relu"]
    assert model[1].running_mean.device.type == buffers_on


def test_a_scripted_model_on_the_meta_device() -> None:
    with torch.device("meta"):
        net = Net()
    assert {finding.rule for finding in mv.check(net, isolated=True).findings} == {"reused-modules", "missing-modules"}


class Tied(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(512, 512), nn.Linear(512, 512)
        self.second.weight = self.first.weight
        self.register_buffer("table", torch.randn(512, 512))
        self.plain = torch.randn(512, 512)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.second(self.first(x)) @ self.table @ self.plain)


def test_a_program_is_linted_without_its_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    model, x = Tied().eval(), torch.ones(1, 512)
    program = torch.export.export(model, (x,))
    before = {name: value.clone() for name, value in program.state_dict.items()}
    written: list[int] = []
    save = torch.export.save

    def measured(program: Any, file: Any) -> None:
        save(program, file)
        written.append(file.tell())

    monkeypatch.setattr(torch.export, "save", measured)
    expected = ["matmul", "matmul", "relu"]
    assert operators(mv.check(program, isolated=True)) == expected
    assert operators(mv.check(model, x, export="export", isolated=True)) == expected
    assert max(written) < 200_000  # of 3 MB
    assert all(torch.equal(value, program.state_dict[name]) for name, value in before.items())
    assert torch.equal(program.module()(x), model(x))
    assert mv.Model(program).fingerprint != mv.Model(torch.export.export(Tied().eval(), (x,))).fingerprint


def test_a_program_of_a_file_has_the_same_findings() -> None:
    file = MODELS / "resnet18.pt2"
    live, by_file = mv.check(torch.export.load(str(file)), isolated=True), mv.check(file, isolated=True)
    assert live.findings and [f.message for f in live.findings] == [f.message for f in by_file.findings]


def test_inputs_are_afterwards_what_they_were() -> None:
    class Growing(nn.Module):
        def forward(self, x: torch.Tensor, cache: Any) -> torch.Tensor:
            cache.layers.append(x)
            return torch.relu(x.mul_(2)) + len(cache.layers)

    cache, x = Cache(nn.Identity()), torch.ones(2, 8)
    mv.check(Growing(), (x, cache))
    assert cache.layers == [] and torch.equal(x, torch.ones(2, 8))


class Deciding(nn.Module):
    """Decides by values of its input, by its size and by a buffer."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(8, 8)
        self.register_buffer("on", torch.ones(1))

    def forward(self, x: torch.Tensor) -> Any:
        if x.sum() > 0:  # by values
            x = x + 1
        if x.shape[0] > 1:
            x = x * 2
        if self.on.item() > 0:
            x = x * 3
        for _ in range(int(x.max())):  # by values
            x = x - 1
        return self.layer(x)


def test_decisions_by_values_are_findings_with_their_lines() -> None:
    report = mv.check(Deciding(), X, select="data-dependent-control-flow")
    with open(__file__) as file:
        expected = [number for number, line in enumerate(file, 1) if line.rstrip().endswith("# by values")]
    assert [finding.location and (finding.location.file, finding.location.line) for finding in report.findings] == [
        (__file__, number) for number in expected
    ]
    assert not report.ok
    assert "the trace holds only the side that these inputs take" in report.findings[0].notes
    said = [entry.text for entry in report.log if entry.text.startswith("torch said while it traced")]
    assert len(said) == 2, said  # of the size and of the buffer


def test_a_trace_that_was_watched_is_judged() -> None:
    report = mv.check(Net(), torch.ones(1, 3, 8, 8), select="data-dependent-control-flow")
    assert [check.status for check in report.checks] == ["passed"]
    assert report.ok


def test_a_trace_that_nobody_watched_is_not_judged() -> None:
    traced = torch.jit.trace(nn.Linear(8, 8), X)
    report = mv.check(traced, select="data-dependent-control-flow")
    assert [(check.status, bool(check.reason)) for check in report.checks] == [("not-judged", True)]
    assert report.ok


def test_a_decision_is_not_lost_where_the_module_runs_only_while_traced() -> None:
    class Odd(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            if not torch.jit.is_tracing():
                raise RuntimeError("only traced")
            return x + 1 if x.sum() > 0 else x

    report = mv.check(Odd(), X, select="data-dependent-control-flow")
    assert len(report.findings) == 1
