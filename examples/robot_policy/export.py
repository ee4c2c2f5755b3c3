"""Exports a policy that keeps what it has seen to FOLDER: `policy.pt2`, and `policy.onnx` with its state as input and output.

    python export.py FOLDER
"""

import sys
from pathlib import Path

import torch
from torch import nn

JOINTS, WIDTH = 7, 32


class Policy(nn.Module):
    """From a camera and the joints to the next positions of the joints."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.eye = nn.Sequential(nn.Conv2d(3, 8, 5, 2), nn.ReLU(), nn.Conv2d(8, 16, 3, 2), nn.ReLU(), nn.AdaptiveAvgPool2d(1))
        self.memory = nn.Linear(16 + JOINTS + WIDTH, WIDTH)
        self.act = nn.Linear(WIDTH, JOINTS)

    def forward(self, camera: torch.Tensor, joints: torch.Tensor, past_state: torch.Tensor):
        seen = torch.cat([self.eye(camera).flatten(1), joints, past_state], 1)
        state = torch.tanh(self.memory(seen))
        return self.act(state), state


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    policy = Policy().eval()
    example = (torch.rand(3, 3, 32, 32), torch.rand(3, JOINTS), torch.zeros(3, WIDTH))
    batch = torch.export.Dim("batch", min=1, max=16)
    torch.export.save(torch.export.export(policy, example, dynamic_shapes=[{0: batch}] * 3), folder / "policy.pt2")
    names = ["camera", "joints", "past_state"]
    torch.onnx.export(policy, example, str(folder / "policy.onnx"), dynamo=False, opset_version=17, input_names=names,
                      output_names=["action", "state"], dynamic_axes={name: {0: "batch"} for name in [*names, "action", "state"]})
