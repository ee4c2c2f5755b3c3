"""The operators that torch knows: what a target's table can be asked about."""
from __future__ import annotations

import contextlib

import torch

# Nodes of TorchScript that have no schema to be listed by.
LANGUAGE = (
    "CallFunction", "CallMethod", "Constant", "ConstantChunk", "CreateObject", "DictConstruct", "GetAttr", "If",
    "ListConstruct", "ListUnpack", "Loop", "Print", "RaiseException", "SetAttr", "TupleConstruct", "TupleIndex",
    "TupleUnpack", "Uninitialized", "dtype", "fork", "isinstance", "layout", "max", "min", "shape", "tolist",
    "unchecked_cast", "unchecked_unwrap_optional")

TORCHVISION = (
    "nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "roi_align(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width,"
    " int sampling_ratio, bool aligned) -> Tensor",
    "deform_conv2d(Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor bias, SymInt stride_h,"
    " SymInt stride_w, SymInt pad_h, SymInt pad_w, SymInt dilation_h, SymInt dilation_w, SymInt groups,"
    " SymInt offset_groups, bool use_mask) -> Tensor")

SPACES = ("aten", "prim", "quantized", "quantized_decomposed", "torchvision")


def define_torchvision() -> torch.library.Library:
    """Torchvision's operators, unless it is loaded; to be kept alive by the caller."""
    library = torch.library.Library("torchvision", "FRAGMENT")
    for schema in TORCHVISION:
        with contextlib.suppress(RuntimeError):  # defined by torchvision itself
            library.define(schema)
    return library


def names() -> list[str]:
    """Every operator without its overload."""
    kept = define_torchvision()
    found = {s.name for s in torch._C._jit_get_all_schemas()} | {f"prim::{n}" for n in LANGUAGE}
    del kept
    return sorted(n for n in found if n.split("::")[0] in SPACES)


def schemas() -> list[tuple[str, str]]:
    """(name, overload) of every operator with a schema."""
    found = {(s.name, s.overload_name) for s in torch._C._jit_get_all_schemas()}
    return sorted(p for p in found if p[0].split("::")[0] in SPACES)
