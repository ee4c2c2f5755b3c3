#!/usr/bin/env python3
"""Exports models of torchvision, timm and transformers with random weights, on which no rule on quantising was tried while it was written.

usage: tools/quantisation/held_back.py FOLDER [NAME...]

FOLDER gets NAME.pt2 and NAME.onnx, for quantise.py and figures.py. A model that cannot be exported is named and left out. Needs torch, torchvision,
timm and transformers, as far as their models are named; a torchvision that is built for another torch is told once, and made to do.
"""
from __future__ import annotations

import functools
import pathlib
import sys
import warnings
from collections.abc import Callable

import torch
from torch import nn

Made = tuple[nn.Module, tuple[torch.Tensor, ...]]
SIZE = 64
OPERATORS = torch.library.Library("torchvision", "FRAGMENT")
TORCHVISION = ("mobilenet_v2", "densenet121", "efficientnet_b0", "regnet_y_400mf", "squeezenet1_1", "mnasnet0_5", "vgg11_bn", "resnext50_32x4d")
TIMM = ("ghostnet_100", "hrnet_w18_small", "pvt_v2_b0", "edgenext_xx_small", "poolformer_s12", "efficientvit_b0", "repvgg_a0", "mixer_s32_224")


def image(size: int = SIZE) -> tuple[torch.Tensor, ...]:
    return (torch.randn(1, 3, size, size),)


@functools.cache
def load_torchvision() -> None:
    """Imports it. Built for CUDA beside a torch without, it lacks its operators: their schemas are enough to import it."""
    try:
        import torchvision
    except RuntimeError as error:
        if "torchvision::" not in str(error):
            raise
        print(f"torchvision's own operators are missing ({error}): install the torchvision that was built for torch {torch.__version__}. "
              "Models that need none of them are made.", file=sys.stderr)
        for name in [each for each in sys.modules if each.partition(".")[0] == "torchvision"]:
            del sys.modules[name]
        for arguments in ("nms(Tensor dets, Tensor scores, float iou_threshold)", "qnms(Tensor dets, Tensor scores, float iou_threshold)"):
            OPERATORS.define(f"{arguments} -> Tensor")
        import torchvision  # noqa: F401


def of_torchvision(name: str) -> Made:
    load_torchvision()
    import torchvision

    return torchvision.models.get_model(name, weights=None), image()


def of_timm(name: str) -> Made:
    load_torchvision()
    import timm

    return timm.create_model(name, pretrained=False), image(224 if name.endswith("224") else SIZE)


class Logits(nn.Module):
    """Gives one tensor of what a model of transformers returns."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.model(tokens, return_dict=False)[0]
        return result


def of_transformers(name: str) -> Made:
    import transformers

    small = {"vocab_size": 99, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
    kinds: dict[str, Callable[[], nn.Module]] = {
        "distilbert": lambda: transformers.DistilBertModel(
            transformers.DistilBertConfig(vocab_size=99, dim=32, n_layers=2, n_heads=4, hidden_dim=64)),
        "electra": lambda: transformers.ElectraModel(transformers.ElectraConfig(**small, embedding_size=32)),
        "roberta": lambda: transformers.RobertaModel(transformers.RobertaConfig(**small)),
        "mpnet": lambda: transformers.MPNetModel(transformers.MPNetConfig(**small)),
    }
    return Logits(kinds[name]()), (torch.randint(0, 99, (1, 12)),)


SOURCES: dict[str, Callable[[], Made]] = {
    **{f"tv_{name}": functools.partial(of_torchvision, name) for name in TORCHVISION},
    **{f"timm_{name}": functools.partial(of_timm, name) for name in TIMM},
    **{f"hf_{name}": functools.partial(of_transformers, name) for name in ("distilbert", "electra", "roberta", "mpnet")},
}


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore")
    for name in sys.argv[2:] or SOURCES:
        if (folder / f"{name}.onnx").exists():
            continue
        torch.manual_seed(0)
        try:
            model, example = SOURCES[name]()
            model.eval()
            torch.export.save(torch.export.export(model, example), folder / f"{name}.pt2")
            torch.onnx.export(model, example, folder / f"{name}.onnx", dynamo=False, opset_version=17)
            print(name, flush=True)
        except Exception as error:  # whatever an exporter raises
            print(f"{name}: {type(error).__name__}: {str(error)[:200]}", flush=True)


if __name__ == "__main__":
    main()
