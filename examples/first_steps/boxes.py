"""A head that refines boxes, as detectors have one."""

import torch
from torch import nn


class BoxHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(64, 64)
        self.second = nn.Linear(64, 64)
        self.act = nn.GELU()
        self.box = nn.Linear(64, 4)

    def forward(self, x, anchor):
        x = self.act(self.first(x))
        x = self.act(self.second(x))
        return torch.sigmoid(self.box(x) + torch.logit(anchor))
