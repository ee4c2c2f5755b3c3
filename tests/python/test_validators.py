"""Checks in Python."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
import torch
from conftest import Net

import model_validator as mv
from model_validator import validators
from model_validator.graph import chain


class NoSigmoid(mv.Validator):
    """Our accelerator rounds a sigmoid to 8 bits."""

    info = mv.RuleInfo("no-sigmoid", "TEAM001", "a sigmoid, which our accelerator rounds to 8 bits")

    def run(self, graph: mv.ConnectedGraph, diagnostics: mv.Diagnostics) -> None:
        for op in graph.ops:
            if op.type == "sigmoid":
                diagnostics.add("sigmoid in the model", op=op, help="use `nn.Hardsigmoid`", notes=["8 bits"])


class Broken(mv.Validator):
    info = mv.RuleInfo("broken", "TEAM002", severity="info")

    def run(self, graph: mv.ConnectedGraph, diagnostics: mv.Diagnostics) -> None:
        raise LookupError("not in the table")


@pytest.fixture
def registered() -> Iterator[None]:
    mv.validator(NoSigmoid)
    yield
    mv.unregister("no-sigmoid")


def test_a_check_is_tried_on_a_small_graph() -> None:
    diagnostics = mv.Diagnostics()
    NoSigmoid().run(chain("relu", "sigmoid"), diagnostics)
    assert [finding["op"]["name"] for finding in diagnostics.findings] == ["sigmoid_0"]
    silent = mv.Diagnostics()
    NoSigmoid().run(chain("relu", "relu"), silent)
    assert not silent.findings


@pytest.mark.parametrize("way", ["live", "file", "trusted file"])
def test_it_runs_among_the_others(way: str, net: Net, image: torch.Tensor, scripted_file: Path) -> None:
    if way == "live":
        report = mv.check(net, image, validators=[NoSigmoid])
    else:
        report = mv.check(scripted_file, validators=[NoSigmoid()], trusted=way == "trusted file")
    assert {finding.code for finding in report.findings} == {"GRA001", "GRA002", "TEAM001"}
    own = next(finding for finding in report.findings if finding.code == "TEAM001")
    assert (own.rule, own.severity, own.help, own.notes) == (
        "no-sigmoid",
        "warning",
        "use `nn.Hardsigmoid`",
        ("8 bits",),
    )
    assert own.location is not None
    assert Path(own.location.file).name == "conftest.py"
    assert own.fingerprint
    assert "TEAM001" in report.to_sarif()
    assert "sigmoid in the model" in str(report)
    assert "no-sigmoid" in {check.name for check in report.checks}


def test_settings_hold_for_it(net: Net, image: torch.Tensor, tmp_path: Path) -> None:
    def codes(**options: object) -> set[str]:
        return {
            finding.code for finding in mv.check(net, image, validators=[NoSigmoid], **options).findings if not finding.suppressed
        }

    assert codes(select="TEAM") == {"TEAM001"}
    assert "TEAM001" not in codes(ignore="no-sigmoid")
    assert mv.check(net, image, validators=[NoSigmoid], select="TEAM001", severity={"no-sigmoid": "info"}).ok
    config = tmp_path / "mv.toml"
    config.write_text('[[suppress]]\nrule = "no-sigmoid"\nreason = "known"\n')
    assert "TEAM001" not in codes(config=config)


def test_it_is_registered(registered: None, net: Net, image: torch.Tensor) -> None:
    assert "TEAM001" in {finding.code for finding in mv.check(net, image).findings}
    mv.validator(NoSigmoid)  # again, as a module that is loaded anew does


def test_a_package_brings_it(net: Net, image: torch.Tensor, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = metadata.EntryPoint("no-sigmoid", "test_validators:NoSigmoid", "model_validator.validators")
    monkeypatch.setattr(metadata, "entry_points", lambda group: [entry] if group == "model_validator.validators" else [])
    validators.installed.cache_clear()
    try:
        assert "TEAM001" in {finding.code for finding in mv.check(net, image).findings}
    finally:
        validators.installed.cache_clear()


def test_one_that_raises_is_a_finding(net: Net, image: torch.Tensor) -> None:
    report = mv.check(net, image, validators=[Broken, NoSigmoid])
    broken = next(finding for finding in report.findings if finding.code == "TEAM002")
    assert broken.severity == "error"
    assert "LookupError: not in the table" in broken.message
    assert "TEAM001" in {finding.code for finding in report.findings}


@pytest.mark.parametrize(
    "arguments", [("No Sigmoid", "TEAM001"), ("no-sigmoid", "team1"), ("no-sigmoid", "TEAM001", "", "fatal")]
)
def test_names_are_checked(arguments: tuple[str, ...]) -> None:
    with pytest.raises(ValueError):
        mv.RuleInfo(*arguments)


def test_a_name_that_is_taken_is_refused(net: Net, image: torch.Tensor) -> None:
    class Reused(NoSigmoid):
        info = mv.RuleInfo("reused-modules", "TEAM009")

    with pytest.raises(mv.ModelValidatorError, match="reused-modules"):
        mv.check(net, image, validators=[Reused])
