"""Modules that call another one, for it to be scripted as it is called. TorchScript reads the annotations, so they are no texts."""

import torch
from torch import nn


class One(nn.Module):
    """Calls it with one tensor."""

    def __init__(self, module: nn.Module) -> None:
        super().__init__()
        self.module = module

    def forward(self, x: torch.Tensor):  # type: ignore[no-untyped-def]
        """What it gives."""
        return self.module(x)


class Three(One):
    """Calls it as attention is called."""

    def forward(self, x: torch.Tensor):  # type: ignore[no-untyped-def]
        """What it gives."""
        return self.module(x, x, x)


CALLED = (One, Three)
