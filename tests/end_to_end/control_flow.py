"""Models whose way depends on their inputs, for the tests that trace them."""

import torch
import torch.nn.functional


class Repeating(torch.nn.Module):
    """Its loop and its `if` depend on sizes and numbers."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 4)

    def forward(self, x, steps: int):
        y = self.linear(x)
        for _ in range(steps):
            y = torch.cat([y, y[:1]])
        if y.size(0) > 4:
            y = torch.nn.functional.relu(y)
        else:
            y = torch.tanh(y)
        return y


class Deciding(torch.nn.Module):
    """Its `if` depends on values."""

    def forward(self, x):
        y = torch.relu(x)
        if bool(y.sum() > 0):
            y = y * 2
        return y


def export_all(folder):
    for name, model in (("repeating", Repeating()), ("deciding", Deciding())):
        torch.jit.script(model.eval()).save(folder / f"{name}.scripted.pt")
