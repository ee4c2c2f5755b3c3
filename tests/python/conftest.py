"""What the tests of the Python library share. The library is that of the tree that MODEL_VALIDATOR_PREFIX names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import torch
from torch import nn

MODELS = Path(os.environ["MODELS"])
pytest_plugins = ["pytester"]


class Net(nn.Module):
    """Two findings: a module that is called twice, and a functional."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
        self.relu = nn.ReLU()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.relu(self.conv(x))
        return torch.sigmoid(self.relu(x))


class Clean(nn.Module):
    """No findings."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
        self.relu = nn.ReLU()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.relu(self.conv(x))


REUSED_LINE = Net.forward.__code__.co_firstlineno + 2


@pytest.fixture
def net() -> Net:
    torch.manual_seed(0)
    return Net().eval()


@pytest.fixture
def clean() -> Clean:
    torch.manual_seed(0)
    return Clean().eval()


@pytest.fixture
def image() -> torch.Tensor:
    return torch.randn(1, 3, 16, 16, generator=torch.Generator().manual_seed(0))


@pytest.fixture
def scripted_file(net: Net, tmp_path: Path) -> Path:
    file = tmp_path / "net.pt"
    torch.jit.script(net).save(str(file))
    return file


@pytest.fixture
def onnx_file() -> Path:
    return MODELS / "reused_nodes.onnx"
