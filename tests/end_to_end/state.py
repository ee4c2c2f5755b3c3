"""Models that keep state from one call to the next, and the same without."""

import torch


class Smoother(torch.nn.Module):
    """Follows its input slowly, and counts what nobody asks for."""

    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(8))
        self.calls = 0

    def follow(self, x):
        self.mean.lerp_(x.mean(0), 0.25)
        return self.mean

    def forward(self, x):
        self.calls += 1
        return x - self.follow(x)


class Recurrent(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = torch.nn.GRUCell(8, 8)
        self.smoother = Smoother()
        self.hidden = torch.zeros(2, 8)

    def forward(self, x):
        self.hidden = self.cell(self.smoother(x), self.hidden)
        return self.hidden


class Explicit(torch.nn.Module):
    """Takes its state and returns it."""

    def __init__(self):
        super().__init__()
        self.cell = torch.nn.GRUCell(8, 8)

    def forward(self, x, hidden):
        hidden = self.cell(x, hidden)
        return hidden, hidden


def export_all(folder):
    torch.manual_seed(0)
    torch.jit.script(Recurrent().eval()).save(folder / "recurrent.scripted.pt")
    torch.jit.script(Explicit().eval()).save(folder / "explicit.scripted.pt")
    program = torch.export.export(Smoother().eval(), (torch.ones(2, 8),))
    torch.export.save(program, folder / "smoother.pt2")
