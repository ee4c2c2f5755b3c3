#!/usr/bin/env python3
"""Makes rules/coreml.toml from the registry of coremltools' PyTorch front end.

usage: python tools/rules/coreml_profile.py      with a Python that has torch and coremltools (numpy below 2.4)
"""
from __future__ import annotations

import warnings

import coremltools
import numpy
import operators
import profile_file as out
import rewrites
import samples
import scripted_code
import torch
from coremltools.converters.mil.frontend.torch.torch_op_registry import _TORCH_OPS_REGISTRY
from coremltools.converters.mil.frontend.torch.utils import NUM_TO_TORCH_DTYPE, sanitize_op_kind
from probing import Prober
from removed import removed_by
from torch.nn import functional

KINDS = {torch.float32: numpy.float32, torch.int32: numpy.int32}


def listed(kind: str, _=None) -> bool:
    """Whether the front end finds the kind of a node, which it asks for without namespace."""
    return _TORCH_OPS_REGISTRY.get_func(sanitize_op_kind(kind)) is not None


def functional_name(name: str) -> bool:
    return not name.endswith("_") or name.endswith("__")


def convert(module, inputs) -> None:
    types = [coremltools.TensorType(shape=i.shape) for i in inputs]
    coremltools.convert(module, inputs=types, convert_to="milinternal")


# Operators whose registered function builds an op of Core ML that takes floats only, and casts nothing.
FLOATS_ONLY = ("acos", "asin", "atan", "atanh", "ceil", "cos", "cosh", "erf", "exp", "expm1", "floor", "log10", "log2",
               "reciprocal", "relu", "round", "rsqrt", "sigmoid", "sin", "sinh", "sqrt", "tan", "tanh")
FLOATS = ["float16", "float32", "float64"]
NUMBERS_OF_DTYPES = 45      # torch counts its dtypes from 0


# What the registered functions require of arguments that a file shows.
CONSTRAINTS = [
    {"operators": ["aten::diagonal", "aten::diagonal_copy"], "attribute": attribute, "one_of": [only],
     "reason": "Only offset == 0 and dim1 == 0 and dim2 == 1 handled"}
    for attribute, only in (("offset", 0), ("dim1", 0), ("dim2", 1))] + [
    {"operators": ["aten::one_hot"], "attribute": "num_classes", "minimum": 0,
     "reason": "Parameter one_hot_vector_size must be non-negative"},
    {"operators": ["aten::round"], "not_overloads": ["decimals"], "reason": "node (round) got 2 input(s), expected [1]"},
    {"operators": ["aten::conv1d", "aten::conv2d", "aten::conv3d"], "not_overloads": ["padding"],
     "reason": "AssertionError: the padding is a word"},
    {"operators": ["aten::_unique2"], "attribute": "sorted", "one_of": [True],
     "reason": "sorted=False not supported for unique op"},
    {"operators": ["aten::constant_pad_nd", "aten::pad"], "attribute": "pad", "minimum": 0,
     "reason": "pad must be non-negative integer"},
    {"operators": ["aten::pad"], "attribute": "mode", "one_of": ["constant", "reflect", "replicate"],
     "reason": "Pad mode should be one of {'constant', 'reflect', 'replicate'}"},
    {"operators": ["aten::avg_pool2d", "aten::avg_pool3d"], "attribute": "divisor_override", "one_of": ["None"],
     "reason": "divisor_override is not supported"},
    {"operators": ["aten::to"], "attribute": "dtype", "none_of": sorted(set(range(NUMBERS_OF_DTYPES)) - set(NUM_TO_TORCH_DTYPE)),
     "reason": "the dtype is not among those that Core ML has"},
]

COMPLEX_OUTPUT = ("MIL doesn't support complex data as model's output, please extract real and imaginary parts "
                  "explicitly")

# Of the code of a scripted file, the front end builds all, and reads no attribute that is no tensor: it hands on its name.
NAME_OF_ATTRIBUTE = "an attribute of a module that is no tensor is read as its name: expects a number or tensor but got str"
REASONS = {
    "attribute returned of prim::If": "an attribute that a block returns as it is should not be in the graph outputs",
    "attribute returned of prim::Return": "an attribute that is returned as it is should not be in the graph outputs",
    "empty list of aten::append": "can only append to Python list or MIL ListVar: not to a list that is made empty",
    "from outside of aten::append": "can only append to Python list or MIL ListVar: not within an `if` or a loop",
    "other rank of prim::If": "true branch output mismatch false branch output: they have other numbers of axes",
    "other rank of prim::Loop": "loop_vars changes in the body of while_loop: it gets another number of axes",
    "counted while of prim::Loop": "Block output is not equal to block input after value changes: a `while` that counts",
    "int of aten::__getitem__": "Item selection is supported only on python list/tuple objects: not on a list of numbers",
    "int[] of aten::slice": "'NoneType' object has no attribute 'val': a list of numbers is not cut",
    "int[] of aten::add": "a list of numbers is a tensor, and two of them are added instead of joined",
    "int[] of aten::append": "can only append to Python list or MIL ListVar: not to a list of numbers",
}

# A registered function that fails on the simplest of calls is not support.
PROBED = ("acosh", "asinh", "diagonal", "diagonal_copy")
POOLS = {   # a table may hold the plain form, and a call may also ask for the places of the largest
    "aten::max_pool1d_with_indices": lambda x: functional.max_pool1d(x, 2, return_indices=True),
    "aten::max_pool2d_with_indices": lambda x: functional.max_pool2d(x, 2, return_indices=True),
    "aten::max_pool3d_with_indices": lambda x: functional.max_pool3d(x, 2, return_indices=True),
    "aten::adaptive_max_pool1d": lambda x: functional.adaptive_max_pool1d(x, 2, return_indices=True),
    "aten::adaptive_max_pool2d": lambda x: functional.adaptive_max_pool2d(x, 2, return_indices=True),
}

# Calls with weights: probing shows which of them the model may compute.
IMAGE, SIGNAL, FOUR, EIGHT = torch.rand(2, 4, 8, 8), torch.rand(2, 4, 8), torch.rand(4), torch.rand(8)
WEIGHTED = [
    (("aten::_convolution", "aten::conv2d"), functional.conv2d, (IMAGE, torch.rand(6, 4, 3, 3), torch.rand(6))),
    (("aten::_convolution_mode",), lambda x, w, b: functional.conv2d(x, w, b, padding="same"),
     (IMAGE, torch.rand(6, 4, 3, 3), torch.rand(6))),
    (("aten::conv1d",), functional.conv1d, (SIGNAL, torch.rand(6, 4, 3), torch.rand(6))),
    (("aten::conv3d",), functional.conv3d, (torch.rand(1, 4, 6, 6, 6), torch.rand(6, 4, 3, 3, 3), torch.rand(6))),
    (("aten::conv_transpose1d",), functional.conv_transpose1d, (SIGNAL, torch.rand(4, 6, 3), torch.rand(6))),
    (("aten::conv_transpose2d",), functional.conv_transpose2d, (IMAGE, torch.rand(4, 6, 3, 3), torch.rand(6))),
    (("aten::linear",), functional.linear, (SIGNAL, torch.rand(6, 8), torch.rand(6))),
    (("aten::layer_norm",), lambda x, w, b: functional.layer_norm(x, (8,), w, b), (SIGNAL, EIGHT, EIGHT)),
    (("aten::group_norm",), lambda x, w, b: functional.group_norm(x, 2, w, b), (IMAGE, FOUR, FOUR)),
    (("aten::instance_norm",), lambda x, w, b: functional.instance_norm(x, None, None, w, b), (IMAGE, FOUR, FOUR)),
    (("aten::batch_norm",), lambda x, w, b, m, v: functional.batch_norm(x, m, v, w, b), (IMAGE, FOUR, FOUR, FOUR, FOUR)),
    (("aten::prelu", "aten::_prelu_kernel"), functional.prelu, (IMAGE, FOUR)),
]

def constant_weights(prober: Prober, found: set[str]) -> list[dict]:
    constraints = []
    for names, function, arguments in WEIGHTED:
        listed_names = [n for n in names if n in found]
        constant = [at for at in range(1, len(arguments)) if not prober.takes(function, *arguments, given={0, at})]
        if listed_names and constant and prober.takes(function, *arguments):
            constraints.append({"operators": listed_names, "constant_operands": constant,
                                "reason": f"weights must be const at compile time (operands {', '.join(map(str, constant))})"})
    return constraints


def without_places(prober: Prober, found: set[str]) -> tuple[set[str], list[dict]]:
    """Pools that are not converted at all, and a constraint on those without a second result."""
    gone, first_only = set(), []
    for name in sorted(POOLS.keys() & found):
        pool = POOLS[name]
        x = torch.rand(1, 2, 8, 8, 8) if "3d" in name else SIGNAL if "1d" in name else IMAGE
        if prober.takes(pool, x):
            continue
        (first_only.append if prober.takes(lambda t, pool=pool: pool(t)[0], x) else gone.add)(name)
    return gone, [{"operators": first_only, "results": 1, "reason": "only the first result is converted"}] if first_only else []


class Unary(torch.nn.Module):
    def __init__(self, name: str):
        super().__init__()
        self.function = getattr(torch, name)

    def forward(self, x):
        return self.function(x)


def converts(name: str, dtype: torch.dtype) -> bool:
    """Whether an operator of one tensor is converted for a dtype."""
    model = torch.jit.trace(Unary(name), torch.ones(3, 4, dtype=dtype))
    try:
        coremltools.convert(model, inputs=[coremltools.TensorType(shape=(3, 4), dtype=KINDS[dtype])], convert_to="milinternal")
    except Exception:
        return False
    return True


def float_only(found: set[str]) -> list[str]:
    return [f"aten::{n}" for n in FLOATS_ONLY if f"aten::{n}" in found
            and converts(n, torch.float32) and not converts(n, torch.int32)]


def of_scripted_code(table: set[str]) -> list[dict]:
    asked = scripted_code.Asked(convert)
    calls = samples.calls([], lambda name: name.split(".")[0] in table)
    return [*asked.attributes(table, calls, NAME_OF_ATTRIBUTE), *asked.forms(table, REASONS),
            *asked.handed(table, "dtype of a tensor", scripted_code.OF_DTYPES, "KeyError: 'fp32': the dtype of a tensor is no number"),
            *asked.handed(table, "quotient", scripted_code.OF_QUOTIENTS,
                          "expects tensor or scalar of dtype from type domain ['int32'] but got fp32: `//` of sizes")]


def main() -> None:
    warnings.filterwarnings("ignore")
    found = {n for n in operators.names() if functional_name(n) and listed(n)}
    found -= {f"aten::{n}" for n in PROBED if not converts(n, torch.float32)}
    prober = Prober(convert)
    gone, first_only = without_places(prober, found)
    found -= gone
    removed = removed_by(convert, found, listed)
    found.add("prim::Return")   # what a model returns; only a constraint is about it
    text = out.profile(
        target={
            "name": "coreml",
            "description": "Core ML through coremltools' PyTorch front end, coremltools.convert on TorchScript",
            "package": out.installed("coremltools", "torch"),
            "made_by": "tools/rules/coreml_profile.py",
            "url": "https://apple.github.io/coremltools/docs-guides/source/convert-pytorch.html",
            "refusal": "PyTorch convert function for op '{operator}' not implemented",
            "notes": ["in-place operators are looked up without their underscore"],
        },
        judged={"whole_code": True}, operators=dict.fromkeys(found, 0), removed=removed,
        constraints=[{"operators": float_only(found), "dtypes": FLOATS,
                      "reason": "Input x expects tensor or scalar of dtype from type domain ['fp16', 'fp32']"},
                     *(c for c in CONSTRAINTS if set(c["operators"]) <= found),
                     *constant_weights(prober, found), *first_only, *of_scripted_code(found),
                     *prober.of_complex(found, "expects complex64, which no input of a model is", COMPLEX_OUTPUT),
                     *prober.empty_lists(found, "an empty list becomes a constant of type fp32, which no op takes for sizes")],
        replacements=rewrites.of_table(found | removed))
    out.write("coreml", text)


if __name__ == "__main__":
    main()
