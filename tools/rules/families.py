#!/usr/bin/env python3
"""One small model for each ATen operator family, from torch's own samples of its operators (`op_db`).

usage: python tools/rules/families.py FOLDER      writes NAME.traced.pt, NAME.pt2 and NAME.inputs.pt

Needs torch and expecttest (which torch's samples import).
"""
from __future__ import annotations

import argparse
import itertools
import pathlib

import exporting
import torch

SLOTS_AT_MOST = 8          # tensors that a model may take
SAMPLES = 2                # models for each operator and variant
SECONDS = 20


class Slot:
    """Where a tensor stands among the arguments of an operator."""

    def __init__(self, index: int):
        self.index = index


def template(value, tensors: list):
    """The arguments with every tensor replaced by a slot."""
    if isinstance(value, torch.Tensor):
        tensors.append(value.detach().clone())
        return Slot(len(tensors) - 1)
    if isinstance(value, (list, tuple)):
        return type(value)(template(v, tensors) for v in value)
    if isinstance(value, dict):
        return {k: template(v, tensors) for k, v in value.items()}
    return value


def filled(value, tensors):
    if isinstance(value, Slot):
        return tensors[value.index]
    if isinstance(value, (list, tuple)):
        return type(value)(filled(v, tensors) for v in value)
    if isinstance(value, dict):
        return {k: filled(v, tensors) for k, v in value.items()}
    return value


class Family(torch.nn.Module):
    """A call of one operator: its tensors are inputs, everything else is constant."""

    def __init__(self, op, args, kwargs):
        super().__init__()
        self.op, self.args, self.kwargs = op, args, kwargs

    def forward(self, *tensors):
        return self.op(*filled(self.args, tensors), **filled(self.kwargs, tensors))


def tensors_only(result) -> bool:
    if isinstance(result, (list, tuple)):
        return bool(result) and all(isinstance(r, torch.Tensor) for r in result)
    return isinstance(result, torch.Tensor)


def samples_of(op, count: int) -> list:
    """The first samples, in floats where the operator takes them."""
    dtypes = sorted(op.dtypes, key=lambda d: (d != torch.float32, str(d)))
    if not dtypes:
        return []
    generator = op.sample_inputs("cpu", dtypes[0])
    try:
        return list(itertools.islice(generator, count))
    except Exception:  # samples for accelerators only
        return []
    finally:
        if hasattr(generator, "close"):
            generator.close()   # it holds a mode of torch that must not end while a model is traced


def models(samples: int = SAMPLES):
    """(name, module, inputs) for each operator of `op_db` that makes tensors from tensors."""
    from torch.testing._internal.common_methods_invocations import op_db
    for op in op_db:
        name = op.name.replace(".", "_") + (f"_{op.variant_test_name}" if op.variant_test_name else "")
        for number, sample in enumerate(samples_of(op, samples)):
            tensors: list = []
            args = template((sample.input, *sample.args), tensors)
            kwargs = template(sample.kwargs, tensors)
            if 0 < len(tensors) <= SLOTS_AT_MOST:
                yield f"{name}_{number}", Family(op.op, args, kwargs).eval(), tuple(tensors)


def write(folder: pathlib.Path, name: str, module, inputs) -> tuple[bool, bool]:
    if not exporting.succeeds(lambda: tensors_only(module(*inputs)) or 1 / 0, SECONDS):
        return False, False
    torch.save(inputs, folder / f"{name}.inputs.pt")

    def trace() -> None:
        torch.jit.trace(module, inputs, check_trace=False).save(folder / f"{name}.traced.pt")

    def export() -> None:
        torch.export.save(torch.export.export(module, inputs, strict=False), folder / f"{name}.pt2")

    return exporting.succeeds(trace, SECONDS), exporting.succeeds(export, SECONDS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    exporting.quiet()
    counts = [write(folder, *model) for model in models()]
    print(f"{len(counts)} models, {sum(t for t, _ in counts)} traced, {sum(e for _, e in counts)} exported")


if __name__ == "__main__":
    main()
