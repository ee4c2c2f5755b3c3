"""The four models of AIMET's validator guide: two with a flaw, and the same two without it.

All take an image of shape 1x3x32x32.
"""

import torch
from torch import nn
from torch.nn import functional as F


class _Layers(nn.Module):
    """The layers that the four have in common."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 8, kernel_size=2, stride=2, padding=2, bias=False)
        self.bn1 = nn.BatchNorm2d(8)
        self.relu1 = nn.ReLU(inplace=True)
        self.relu2 = nn.ReLU(inplace=True)


class ModelWithReusedNodes(_Layers):
    """Calls `relu1` twice."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2592, 10)

    def forward(self, x):
        x = self.conv1(x)
        x = self.relu1(x)
        x = self.bn1(x)
        x = self.relu1(x)
        x = self.relu2(x)
        x = x.view(x.size(0), -1)
        return self.linear(x)


class ModelWithoutReusedNodes(_Layers):
    """Has a module of its own for each activation."""

    def __init__(self):
        super().__init__()
        self.relu3 = nn.ReLU(inplace=True)
        self.linear = nn.Linear(2592, 10)

    def forward(self, x):
        x = self.conv1(x)
        x = self.relu1(x)
        x = self.bn1(x)
        x = self.relu2(x)
        x = self.relu3(x)
        x = x.view(x.size(0), -1)
        return self.linear(x)


class ModelWithFunctionalLinear(_Layers):
    """Multiplies by a weight that belongs to no module."""

    def forward(self, x):
        x = self.conv1(x)
        x = self.relu1(x)
        x = self.bn1(x)
        x = self.relu2(x)
        x = x.view(x.size(0), -1)
        return F.linear(x, torch.randn(10, 2592))


class ModelWithoutFunctionalLinear(_Layers):
    """Has an `nn.Linear` in its place."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2592, 10)

    def forward(self, x):
        x = self.conv1(x)
        x = self.relu1(x)
        x = self.bn1(x)
        x = self.relu2(x)
        x = x.view(x.size(0), -1)
        return self.linear(x)
