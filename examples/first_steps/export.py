"""Writes boxes.pt, boxes.onnx with a cheaper GELU in its place, and damaged.onnx, whose last bias lacks a number; or the first alone, into a file.

    python export.py [FILE]
"""

import sys
from unittest import mock

import torch
from boxes import BoxHead
from torch import nn


class QuickGELU(nn.Module):
    def forward(self, x):
        return x * torch.sigmoid(1.702 * x)


torch.manual_seed(0)
head = BoxHead().eval()
inputs = (torch.randn(5, 64), torch.rand(5, 4))
torch.jit.trace(head, inputs).save(sys.argv[1] if len(sys.argv) > 1 else "boxes.pt")
if len(sys.argv) == 1:
    import onnx
    from onnx import numpy_helper

    with mock.patch.object(nn, "GELU", QuickGELU):
        cheaper = BoxHead().eval()
    cheaper.load_state_dict(head.state_dict())
    torch.onnx.export(cheaper, inputs, "boxes.onnx", dynamo=False, input_names=["x", "anchor"], output_names=["boxes"])
    damaged = onnx.load("boxes.onnx")
    bias = next(tensor for tensor in damaged.graph.initializer if tensor.name == "box.bias")
    bias.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(bias)[:-1], bias.name))
    onnx.save(damaged, "damaged.onnx")
