#!/usr/bin/env python3
(
    """Makes rules/onnx-export.toml from the registry of torch's exporter of exported programs.

usage: python tools/rules/onnx_export_profile.py PARTS.json      with a Python that has torch, onnx and onnxscript

PARTS.json is what tools/rules/decompose.py writes with `--table onnx`; without it no operator is judged by what it is decomposed into.
"""
    ""
)
from __future__ import annotations

import decompose
import operators
import profile_file as out
import rewrites
import torch
from torch.onnx._internal.exporter import _registration

SMALLEST = 18   # the exporter writes this opset and converts downwards afterwards


def name_of(key) -> str:
    """Keys are names, operators of torch, and Python functions that compute with sizes."""
    if isinstance(key, str):
        return key
    return key.name() if isinstance(key, torch._ops.OpOverload) else f"_operator::{key.__name__}"


REAL = [
    "bfloat16",
    "bool",
    "float16",
    "float32",
    "float64",
    "int16",
    "int32",
    "int64",
    "int8",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
]
COMPLEX = ["complex128", "complex32", "complex64"]

# What the registered functions require of tensors that a program shows.
CONSTRAINTS = [
    {"operators": ["aten::scaled_dot_product_attention"], "min_rank": 4, "max_rank": 4,
     "reason": "only 4D query, key, and value are supported"},
    {"operators": ["aten::istft"], "min_rank": 3, "parts": ["aten::unsqueeze"],
     "reason": "without a batch it is decomposed into an unsqueeze of complex numbers: No ONNX function found for aten::unsqueeze"},
    {"operators": ["aten::istft"], "attribute": "return_complex", "none_of": [True], "given": True, "parts": ["aten::new_zeros"],
     "reason": "it is decomposed, and No ONNX function found for aten::new_zeros of complex numbers"},
]

# What the registered functions do not hand on, asked call by call: exported, run by ONNX Runtime and compared with torch.
WRONG = [
    {"operators": ["aten::avg_pool2d", "aten::avg_pool3d"], "when": out.raw([{"argument": "divisor_override", "is_not": ["None"], "given": True}]),
     "reason": "divisor_override is left out: AveragePool divides by the size of the kernel"},
    {"operators": ["aten::scatter_reduce.two"], "when": out.raw([{"argument": "reduce", "is": ["mean"]}]),
     "reason": "reduce='mean' is left out: ScatterElements has no mean"},
    {"operators": ["aten::cross_entropy_loss"], "when": out.raw([{"argument": "label_smoothing", "is_not": [0.0], "given": True}]),
     "reason": "label_smoothing is left out"},
    {"operators": [f"aten::_upsample_{kind}2d_aa{overload}" for kind in ("bicubic", "bilinear") for overload in ("", ".vec")],
     "when": out.raw([{"argument": "align_corners", "is": [True]}]),
     "reason": "with antialias, align_corners=True is left out"},
]
DEPENDS = [
    {"operators": ["aten::scaled_dot_product_attention"], "when": out.raw([{"input": 3, "given": True}]),
     "reason": "rows that the mask covers whole are 0 in torch, and NaN in the file"},
    {"operators": ["aten::complex", *(f"aten::fft_{kind}{axes}" for kind in ("fft", "ifft") for axes in ("", "2", "n")), "aten::fft_ihfft",
                   "aten::fft_rfft", "aten::fft_rfft2", "aten::fft_rfftn", "aten::polar", "aten::stft", "aten::view_as_complex",
                   "aten::view_as_complex_copy"],
     "when": out.raw([{"attribute": "returned", "is": [True]}]), "reason": "a complex result becomes pairs of real numbers in a last axis of 2",
     "asked": "fft.rfft2(x), fft.ihfft(x), view_as_complex(x)"},
]


def of_dtypes(registry, found: set[str]) -> list[dict]:
    """Functions are registered for real tensors, for complex ones, or for both."""
    kinds: dict[str, set[bool]] = {}
    for key, entries in registry.functions.items():
        kinds.setdefault(decompose.schema_of(name_of(key)), set()).update(e.is_complex for e in entries)
    def only(kind):
        return sorted(n for n in found if n.startswith("aten::") and kinds.get(n) == {kind})
    return [{"operators": only(False), "dtypes": REAL, "reason": "No decompositions registered for the complex-valued input"},
            {"operators": only(True), "dtypes": COMPLEX, "reason": "No decompositions registered for the real-valued input"}]


def of_arguments(registry, found: set[str]) -> list[dict]:
    """A program leaves out the arguments that have their default values; some of the functions need them."""
    schemas = {decompose.schema_of(f"{s.name}.{s.overload_name or 'default'}"): s for s in torch._C._jit_get_all_schemas()}
    constraints = []
    for key, entries in sorted(registry.functions.items(), key=lambda item: name_of(item[0])):
        name = decompose.schema_of(name_of(key))
        optional = {a.name for a in schemas[name].arguments if a.has_default_value()} if name in schemas else set()
        needed = {p.name for e in entries if e.signature for p in e.signature.params
                  if p.name in optional and p.required and not p.has_default()}
        constraints += [
            {
                "operators": [name],
                "attribute": argument,
                "must_be_constant": True,
                "reason": f"Required parameter '{argument}' is not provided",
            }
            for argument in sorted(needed)
            if name in found
        ]
    return constraints


def main() -> None:
    kept = operators.define_torchvision()
    registry = _registration.ONNXRegistry.from_torchlib()
    found: dict[str, int] = {}
    for key, entries in registry.functions.items():
        since = min((e.opset_introduced or SMALLEST for e in entries), default=SMALLEST)
        found[decompose.schema_of(name_of(key))] = 0 if since <= SMALLEST else since
    del kept
    parts = decompose.given_parts()
    found |= {name: 0 for each in CONSTRAINTS + WRONG if each in WRONG or "parts" in each for name in each["operators"] if name not in found}
    decomposed = decompose.missing_parts(parts, set(found))
    removed = decompose.decomposed("onnx") - set(found) - set(decomposed) - decompose.staying(parts)
    text = out.profile(
        target={
            "name": "onnx-export",
            "description": "ONNX through torch's exporter of exported programs, torch.onnx.export(dynamo=True)",
            "package": out.installed("torch", "onnxscript"),
            "made_by": "tools/rules/onnx_export_profile.py",
            "url": "https://docs.pytorch.org/docs/stable/onnx_export.html",
            "refusal": "No ONNX function found for {operator}",
            "notes": ["the program is decomposed before the registry is consulted, except for operators that are in it",
                  "[decomposed] holds operators whose parts, on torch's own samples, are not all in the table"],
        },
        judged={"opset": 18, "smallest_opset": SMALLEST, "largest_opset": 23, "overloads": True, "functionalised": True},
        operators=found, removed=removed,
        constraints=CONSTRAINTS + of_dtypes(registry, set(found)) + of_arguments(registry, set(found)), decomposed=decomposed,
        replacements=rewrites.of_table({n for n, o in found.items() if not o} | removed, exported=True))
    out.write("onnx-export", text + out.tables("wrong", WRONG) + out.tables("depends", DEPENDS))


if __name__ == "__main__":
    main()
