"""Writes every example model into a folder: as a torch.export program, as ONNX and, in the format that torch deprecates, scripted and traced.

    python examples/models/export.py FOLDER

or one of them, traced, into a file:

    python examples/models/export.py FILE NAME
"""

import sys
import warnings
from pathlib import Path

import aimet_models
import resnet
import torch

IMAGE = (1, 3, 32, 32)
MODELS = {
    "reused_nodes": (aimet_models.ModelWithReusedNodes, IMAGE),
    "without_reused_nodes": (aimet_models.ModelWithoutReusedNodes, IMAGE),
    "functional_linear": (aimet_models.ModelWithFunctionalLinear, IMAGE),
    "without_functional_linear": (aimet_models.ModelWithoutFunctionalLinear, IMAGE),
    "resnet18": (resnet.ResNet18, (1, 3, 64, 64)),
}


def build(name):
    model_class, input_shape = MODELS[name]
    torch.manual_seed(0)
    return model_class().eval(), (torch.zeros(input_shape),)


def trace(name, file):
    model, inputs = build(name)
    # One model draws random numbers, so that two runs of it cannot agree.
    torch.jit.trace(model, inputs, check_trace=False).save(str(file))


def export(name, folder):
    model, inputs = build(name)
    torch.export.save(torch.export.export(model, inputs), folder / f"{name}.pt2")
    torch.jit.script(model).save(str(folder / f"{name}.scripted.pt"))
    trace(name, folder / f"{name}.traced.pt")
    # The exporter that needs no further package; it keeps the paths of modules, not their classes.
    torch.onnx.export(model, inputs, str(folder / f"{name}.onnx"), dynamo=False)


def export_all(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name in MODELS:
        export(name, folder)


if __name__ == "__main__":
    warnings.simplefilter("ignore", DeprecationWarning)
    if len(sys.argv) > 2:
        trace(sys.argv[2], Path(sys.argv[1]))
    else:
        export_all(Path(sys.argv[1]))
