"""Models with weights that are NaN or infinite, in every format, for the check that reads weights."""

import torch
from onnx import TensorProto, external_data_helper, helper, numpy_helper, save
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(8, 16)
        self.low = nn.Linear(16, 16, dtype=torch.float16)
        self.brain = nn.Linear(16, 16, dtype=torch.bfloat16)
        self.head = nn.Linear(16, 8, bias=False)
        self.head.weight = self.embed.weight
        self.register_buffer("mask", torch.full((4, 4), float("-inf")).triu(1))

    def forward(self, x):
        x = self.low(self.embed(x).to(torch.float16))
        return self.head(self.brain(x.to(torch.bfloat16)).to(torch.float32)) + self.mask[0, 0]


def spoilt(net):
    """The net with a NaN in a weight that two modules share, and infinities in one of bfloat16."""
    with torch.no_grad():
        net.embed.weight[3, 5] = float("nan")
        net.brain.weight[0, :2] = torch.tensor([float("inf"), float("-inf")])
    return net


def onnx_model(weight, bias):
    nodes = [helper.make_node("Gemm", ["x", "fc.weight", "fc.bias"], ["h"]), helper.make_node("Add", ["h", "mask"], ["y"])]
    mask = torch.tensor([0.0, float("-inf")])
    graph = helper.make_graph(nodes, "net", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 2])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 2])],
                              [numpy_helper.from_array(weight.numpy(), "fc.weight"),
                               helper.make_tensor("fc.bias", TensorProto.FLOAT, [2], bias.tolist()),  # in protobuf's own field
                               numpy_helper.from_array(mask.numpy(), "mask")])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])


def make_all(folder):
    folder.mkdir()
    for name, net in (("finite", Net()), ("spoilt", spoilt(Net()))):
        torch.jit.script(net.eval()).save(folder / f"{name}.pt")
        torch.export.save(torch.export.export(net.eval(), (torch.zeros(1, dtype=torch.int64),)), folder / f"{name}.pt2")
    nan = float("nan")
    save(onnx_model(torch.eye(2), torch.zeros(2)), folder / "finite.onnx")
    save(onnx_model(torch.tensor([[1.0, nan], [nan, 1.0]]), torch.tensor([nan, 0.0])), folder / "spoilt.onnx")
    model = onnx_model(torch.eye(2), torch.zeros(2))
    external_data_helper.convert_model_to_external_data(model, location="weights.bin", size_threshold=0)
    save(model, folder / "without_its_weights.onnx")
    (folder / "weights.bin").unlink()
