"""Scripts of a live model, without its weights: only the graph is linted."""

from __future__ import annotations

import sys
from typing import Any

SMALLEST = 1 << 16
"""Bytes. A smaller tensor may be a value that the graph depends on, and costs nothing."""


def lighten(script: Any, model: Any) -> None:
    """Replaces each large weight of a script made from the model with one repeated element.

    The tensors keep sizes, dtype, device and sharing. The model keeps its weights. So do submodules that are already
    ScriptModules, because the script holds those themselves, not copies.
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
    """Whether it is large, plain, and fills its storage: no other tensor uses part of it."""
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
