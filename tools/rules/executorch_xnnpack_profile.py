#!/usr/bin/env python3
"""Makes rules/executorch-xnnpack.toml from the partitioner's configurations of ExecuTorch's XNNPACK backend.

usage: python tools/rules/executorch_xnnpack_profile.py PARTS.json      with a Python that has torch and executorch

PARTS.json is what tools/rules/decompose.py writes with `--table executorch`; without it no operator is judged by what is left of it.
"""
from __future__ import annotations

import decompose
import edge_names
import profile_file as out
import rewrites
from executorch.backends.xnnpack.partition import config

DTYPES = ["float16", "float32"]
ARITHMETIC = ["aten::add.Tensor", "aten::sub.Tensor", "aten::mul.Tensor", "aten::div.Tensor"]
CONVERSIONS = ["aten::to.dtype", "aten::to.dtype_layout", "aten::to.device", "aten::_to_copy", "aten::type_as"]
CONVOLUTIONS = ["aten::conv1d", "aten::conv2d", "aten::conv_transpose1d", "aten::conv_transpose2d.input"]

VOLUMES = ["aten::conv3d", "aten::conv3d.padding", "aten::conv_transpose3d.input"]  # only 1D and 2D are taken
VIEWS = {   # what views of other dtypes leave
    "aten::view": ["aten::reshape", "aten::flatten.using_ints", "aten::unflatten.int", "aten::view_as"],
    "aten::permute": ["aten::transpose.int", "aten::t", "aten::mT", "aten::movedim.int", "aten::swapaxes"],
    "aten::slice.Tensor": ["aten::narrow"],
}
WHOLE_NUMBER = "an integer next to a tensor of floats becomes a tensor that is converted"

# What the configurations require of arguments and tensors that a program shows.
CONSTRAINTS = [
    {"operators": ["aten::pow.Tensor_Scalar"], "attribute": "exponent", "one_of": [2], "not_types": ["real"],
     "reason": "only support power == 2"},
    {"operators": ["aten::mean.dim"], "min_rank": 4, "max_rank": 4, "reason": "mean.dim only supports averaging 4D tensors"},
    {"operators": ["aten::mean.dim"], "attribute": "dim", "one_of": [2, 3, -1, -2],
     "reason": "mean.dim only supports averaging 4D tensors across the innermost dimensions"},
    {"operators": ["aten::mean.dim"], "attribute": "keepdim", "one_of": [True], "must_be_constant": True,
     "reason": "mean.dim only supports keepdim=True"},
    {"operators": ["aten::slice.Tensor"], "attribute": "step", "one_of": [1], "reason": "slicing with a stride of 1 only"},
    {"operators": ["aten::_softmax"], "attribute": "dim", "one_of": [-1], "from_end": True,
     "reason": "dim must be the last dim"},
    {"operators": ["aten::softmax.int"], "attribute": "dim", "one_of": [-1], "from_end": True, "parts": ["aten::_softmax"],
     "reason": "dim must be the last dim"},
    {"operators": ["aten::log_softmax.int", "aten::softmax.int"], "same_dtype": True, "parts": ["aten::_to_copy"],
     "reason": "dtype conversion is not supported"},
    {"operators": ["aten::rsub.Scalar"], "attribute": "other", "not_types": ["integer", "boolean"], "parts": ["aten::_to_copy"],
     "reason": WHOLE_NUMBER},
    {"operators": ["aten::batch_norm"], "attribute": "training", "one_of": [False],
     "parts": ["aten::_native_batch_norm_legit_functional"], "reason": "Training batch norm is not supported."},
    {"operators": ["aten::adaptive_avg_pool1d", "aten::adaptive_avg_pool2d"], "attribute": "output_size",
     "one_of": [1], "parts": ["aten::_adaptive_avg_pool2d"],
     "reason": "only an average over all positions becomes mean.dim"},
    {"operators": ["aten::scaled_dot_product_attention"], "attribute": "is_causal", "one_of": [False],
     "parts": ["aten::arange.start_step", "aten::full", "aten::le.Scalar", "aten::logical_and", "aten::scalar_tensor",
               "aten::sub.Tensor", "aten::unsqueeze"],
     "reason": "a causal mask is computed"},
    {"operators": ["aten::unsqueeze"], "attribute": "dim", "one_of": [-1], "from_end": True,
     "reason": "unsqueeze_copy only supported on the trailing dimension"},
    {"operators": ["aten::constant_pad_nd"], "attribute": "pad", "minimum": 0,
     "reason": "XNNPACK does not support negative padding values"},
    {"operators": ["aten::add.Tensor", "aten::sub.Tensor"], "attribute": "alpha", "one_of": [1],
     "reason": "no support for alpha != 1"},
    {"operators": ["aten::avg_pool2d"], "attribute": "ceil_mode", "one_of": [False], "reason": "ceil mode is not supported"},
    {"operators": ["aten::max.dim"], "min_rank": 4, "max_rank": 4, "reason": "Unsupported input rank"},
    {"operators": ["aten::max.dim"], "results": 1, "reason": "Unsupported user of max.dim"},
    {"operators": ["aten::convolution"], "max_rank": 4, "reason": "Only support 1D + 2D Conv"},
    {"operators": ["aten::convolution", "aten::linear"], "constant_operands": [1, 2],
     "reason": "Expected weight and bias to be a static param"},
    {"operators": ["aten::mm"], "constant_operands": [1], "reason": "Expected weight to be a static param"},
    {"operators": ["aten::addmm"], "constant_operands": [0, 2], "reason": "Expected weight and bias to be a static param"},
    {"operators": ["aten::prelu"], "constant_operands": [1], "reason": "Prelu weight must be a parameter",
     "parts": ["aten::gt.Scalar", "aten::where.self"]},
]


def schema_name(target: str) -> str:
    """The name that a program has before it becomes an edge program: `view_copy.default` -> `aten::view`."""
    return decompose.schema_of(f"aten::{edge_names.program_name(target)}")


def operators() -> set[str]:
    found = {schema_name(c().target_name) for c in config.ALL_PARTITIONER_CONFIGS if "affine" not in c().target_name}
    kept = {decompose.schema_of(str(o)) for c in config.ALL_PARTITIONER_CONFIGS if (o := c().get_original_aten()) is not None}
    return found | {f"aten::{n.removeprefix('aten.')}" for n in kept}


def on_programs(found: set[str]) -> list[dict]:
    """Conditions on operators that are decomposed first; their parts are named."""
    return [
        {
            "operators": [n for n in ARITHMETIC if n in found],
            "attribute": "other",
            "not_types": ["integer", "boolean"],
            "parts": ["aten::_to_copy"],
            "reason": WHOLE_NUMBER,
        },
        {
            "operators": CONVERSIONS,
            "same_dtype": True,
            "parts": ["aten::_to_copy"],
            "reason": "dtype conversion is not supported",
        },
        {
            "operators": CONVOLUTIONS,
            "constant_operands": [1, 2],
            "parts": ["aten::convolution"],
            "reason": "Expected weight and bias to be a static param",
        },
        *({"operators": names, "dtypes": DTYPES, "parts": [part], "reason": "invalid dtype"} for part, names in VIEWS.items()),
    ]


def always_left(decomposed: dict[str, list[str]], constraints: list[dict]) -> dict[str, list[str]]:
    """Without the parts whose condition a constraint states."""
    conditional = {(name, part) for each in constraints for name in each["operators"] for part in each.get("parts", ())}
    left = {name: [p for p in parts if (name, p) not in conditional] for name, parts in decomposed.items()}
    return {name: parts for name, parts in left.items() if parts}


def main() -> None:
    delegated = operators()
    parts = decompose.given_parts()
    constraints = on_programs(delegated) + CONSTRAINTS
    found = delegated | {name for each in constraints for name in each["operators"]}
    decomposed = always_left(decompose.missing_parts(parts, delegated), constraints) | {name: ["aten::convolution"] for name in VOLUMES}
    removed = decompose.decomposed() - found - set(decomposed) - decompose.staying(parts) | decompose.SIZE_ARITHMETIC
    text = out.profile(
        target={
            "name": "executorch-xnnpack",
            "description": "ExecuTorch's XNNPACK backend: operators that its partitioner delegates",
            "package": out.installed("executorch", "torch"),
            "made_by": "tools/rules/executorch_xnnpack_profile.py",
            "url": "https://docs.pytorch.org/executorch/stable/backends-xnnpack.html",
            "refusal": "no partitioner configuration for {operator}, which runs on the portable kernels instead",
            "notes": ["an operator that is not delegated still runs, more slowly, where ExecuTorch has a portable kernel",
                      "the edge dialect's view_copy, permute_copy and the like stand here as view, permute",
                      "the partitioner also refuses empty tensors and symbolic shapes",
                      "[decomposed] holds what the partitioner leaves of an operator in all of torch's own samples"],
        },
        judged={"overloads": True, "functionalised": True, "falls_back": True}, operators=dict.fromkeys(found, 0),
        constraints=[
            *constraints,
            {"operators": sorted(delegated), "dtypes": DTYPES, "reason": "XNNPACK takes tensors of float32 and float16 only"},
            {"operators": sorted(delegated - {"aten::max.dim"}), "same_dtype": True,
             "reason": "no support for mixed input dtypes"}],
        removed=removed, decomposed=decomposed, replacements=rewrites.of_table(found | removed, exported=True))
    out.write("executorch-xnnpack", text)


if __name__ == "__main__":
    main()
