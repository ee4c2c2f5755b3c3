"""`mv.fix`: a live model's source is edited, and what is written is proved by an export of its own."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

import model_validator as mv

SOURCE = '''import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width, act=nn.ReLU):
        super().__init__()
        self.width = width
        self.first = nn.Linear(4, width)
        self.relu = nn.ReLU()

    def forward(self, x):
        return self.relu(self.relu(self.first(x)) - 0.5)


class Lost(Net):
    def __init__(self, secret):
        super().__init__(secret * 2)


def make():
    torch.manual_seed(3)
    return Lost(2)
'''


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    (tmp_path / "own_net.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("own_net")
    sys.modules.pop("own_net")


X = torch.randn(2, 4, generator=torch.Generator().manual_seed(1))
RULES = ["reused-modules", "missing-modules"]


def text() -> str:
    return Path("own_net.py").read_text()


def test_edits_are_proposed(project: Any) -> None:
    report = mv.fix(project.Net(6), X, select=RULES)
    assert "+        self.relu_2 = nn.ReLU()" in report.diff
    assert text() == SOURCE


def test_what_is_written_is_proved(project: Any) -> None:
    report = mv.fix(project.Net(6), X, write=True, select=RULES)
    assert (report.fixed, report.left, list(report.taken_back)) == (2, 0, []), report.text
    assert "self.relu_2(self.sub(self.relu(self.first(x)), 0.5))" in text()
    assert not Path("state").exists(), "the command of a call is of no use to another run"


def test_a_function_may_make_the_model(project: Any) -> None:
    assert mv.fix(project.make, X, write=True, select=RULES).fixed == 2


def test_what_is_named_elsewhere_waits(project: Any) -> None:
    Path("train.py").write_text("def freeze(net):\n    net.relu.inplace = True\n")
    (waiting,) = mv.fix(project.Net(6), X, write=True, select=["reused-modules"]).waiting
    assert waiting["mentions"][0]["line"] == 2
    assert text() == SOURCE
    assert mv.fix(project.Net(6), X, write=True, write_mentioned=True, select=["reused-modules"]).fixed == 1


def test_tests_are_part_of_the_proof(project: Any) -> None:
    Path("test_own.py").write_text("assert 'relu_2' not in open('own_net.py').read()\n")
    report = mv.fix(project.Net(6), X, write=True, prove_with=f"{sys.executable} test_own.py", select=["reused-modules"])
    assert (report.fixed, len(report.taken_back)) == (0, 1)
    assert text() == SOURCE


def test_a_model_that_cannot_be_made_again_is_refused(project: Any) -> None:
    with pytest.raises(mv.ModelValidatorError, match=r"what `Lost` was given for `secret` is not known"):
        mv.fix(project.Lost(3), X, write=True)
    with pytest.raises(TypeError, match=r"nn\.Module"):
        mv.fix(3, X)
    with pytest.raises(mv.ModelValidatorError, match="cannot import"):
        mv.fix(lambda: project.Net(4), X)
