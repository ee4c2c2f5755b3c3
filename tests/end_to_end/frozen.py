"""Files whose modules were frozen away, with and without weights among the constants."""

import torch


class Squashing(torch.nn.Module):
    """Nothing of it stays but operators: its modules have no weights."""

    def __init__(self):
        super().__init__()
        self.first = torch.nn.Tanh()
        self.second = torch.nn.ReLU()

    def forward(self, x):
        return self.second(self.first(self.second(x)))


class Attending(torch.nn.Module):
    """Some of its modules stay in the file for their weights, but nothing calls them."""

    def __init__(self):
        super().__init__()
        self.attention = torch.nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x):
        return self.attention(x, x, x, need_weights=False)[0]


def export_all(folder):
    for name, model in (("squashing", Squashing()), ("attending", Attending())):
        torch.jit.freeze(torch.jit.script(model.eval())).save(folder / f"{name}.frozen.pt")
