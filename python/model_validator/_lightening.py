"""Scripts and programs of a live model, without its weights: only the graph is linted."""

from __future__ import annotations

import copy
import sys
from typing import Any

SMALLEST = 1 << 16
"""Bytes. A smaller tensor may be a value that the graph depends on, and costs nothing."""


def lighten(script: Any, model: Any) -> None:
    """Replaces each large weight of a script made from the model with one repeated element.

    The tensors keep sizes, dtype, device (unless that is meta) and sharing. The model keeps its weights. So do submodules that are already
    ScriptModules, because the script holds those themselves, not copies.
    """
    _lighten(script._c, model, {})


def _lighten(script: Any, model: Any, lightened: dict[tuple[int, tuple[int, ...]], Any]) -> None:
    for name, tensor in [*model._parameters.items(), *model._buffers.items()]:
        if tensor is None or not script.hasattr(name):
            continue
        if _is_heavy(tensor) or script.getattr(name).is_meta:
            key = (id(tensor) if tensor.is_meta else tensor.data_ptr(), tuple(tensor.shape))
            if key not in lightened:
                lightened[key] = _light(tensor)
            script.setattr(name, lightened[key])
    kept: type = sys.modules["torch"].jit.ScriptModule
    for name, part in model._modules.items():
        if part is not None and not isinstance(part, kept) and script.hasattr(name):
            _lighten(script.getattr(name), part, lightened)


def light_program(program: Any) -> Any:
    """An ExportedProgram with the same graph, whose large weights are one repeated element each. The given one keeps its own."""
    light = copy.copy(program)
    made: dict[int, Any] = {}
    for name in ("_state_dict", "_constants"):
        tensors = getattr(program, name)
        setattr(light, name, {key: _light_once(value, made) for key, value in tensors.items()})
    return light


def _light_once(value: Any, made: dict[int, Any]) -> Any:
    torch: Any = sys.modules["torch"]
    if not isinstance(value, torch.Tensor) or not _is_heavy(value):
        return value
    if id(value) not in made:
        light = _light(value)
        made[id(value)] = torch.nn.Parameter(light, value.requires_grad) if isinstance(value, torch.nn.Parameter) else light
    return made[id(value)]


def _is_heavy(tensor: Any) -> bool:
    """Whether it has no values, or is large, plain, and fills its storage: no other tensor uses part of it."""
    torch: Any = sys.modules["torch"]
    return bool(tensor.is_meta) or (
        type(tensor) in (torch.Tensor, torch.nn.Parameter)
        and tensor.layout == torch.strided
        and not (tensor.is_quantized or tensor.is_conj() or tensor.is_neg())
        and tensor.is_contiguous()
        and SMALLEST <= tensor.nbytes == tensor.untyped_storage().nbytes()
    )


def _light(tensor: Any) -> Any:
    device = "cpu" if tensor.is_meta else tensor.device  # a file has no meta device
    return tensor.detach().new_zeros((), device=device).expand(tensor.shape).requires_grad_(tensor.requires_grad)
