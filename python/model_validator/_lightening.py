"""Scripts made of a live model, without its weights: what is linted is the graph."""

from __future__ import annotations

import sys
from typing import Any

SMALLEST = 1 << 16
"""Bytes. What is smaller may be a value that the graph depends on, and costs nothing."""


def lighten(script: Any, model: Any) -> None:
    """Puts one repeated element in place of each large weight of a script that was made of the model.

    The tensors keep sizes, dtype, device and sharing. The model keeps its weights; so do its parts that are
    ScriptModules themselves, for the script holds these, and no copies.
    """
    _lighten(script._c, model, {})


def _lighten(script: Any, model: Any, lightened: dict[tuple[int, tuple[int, ...]], Any]) -> None:
    for name, tensor in [*model._parameters.items(), *model._buffers.items()]:
        if tensor is not None and _is_heavy(tensor) and script.hasattr(name):
            key = (tensor.data_ptr(), tuple(tensor.shape))
            if key not in lightened:
                lightened[key] = _light(tensor)
            script.setattr(name, lightened[key])
    kept: type = sys.modules["torch"].jit.ScriptModule
    for name, part in model._modules.items():
        if part is not None and not isinstance(part, kept) and script.hasattr(name):
            _lighten(script.getattr(name), part, lightened)


def _is_heavy(tensor: Any) -> bool:
    """Whether it is large, plain, and all that its storage holds: no other tensor lies in part of it."""
    torch: Any = sys.modules["torch"]
    return (
        type(tensor) in (torch.Tensor, torch.nn.Parameter)
        and tensor.layout == torch.strided
        and not (tensor.is_quantized or tensor.is_meta or tensor.is_conj() or tensor.is_neg())
        and tensor.is_contiguous()
        and SMALLEST <= tensor.nbytes == tensor.untyped_storage().nbytes()
    )


def _light(tensor: Any) -> Any:
    return tensor.detach().new_zeros(()).expand(tensor.shape).requires_grad_(tensor.requires_grad)
