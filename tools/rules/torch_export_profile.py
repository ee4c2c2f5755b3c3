#!/usr/bin/env python3
(
    """Makes rules/torch-export.toml: what torch.export.export does not take of the operators and of TorchScript's language.

usage: python tools/rules/torch_export_profile.py      with a Python that has torch and what torch's own tests need (expecttest, hypothesis)

Every operator of torch is taken, but those that have no fake implementation, or fail with fake tensors in all of torch's own samples. What numbers of
data can be given to is asked of programs of one line.
"""
    ""
)
from __future__ import annotations

import contextlib
import math
import re
import sys
import warnings
from collections.abc import Iterable
from typing import Any

import operators
import profile_file as out
import torch
from torch._subclasses import fake_impls
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import ShapeEnv
from torch.testing._internal.common_methods_invocations import op_db

SAMPLES = 8
KERNELS = ("Meta", "CompositeImplicitAutograd", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional")

# Of TorchScript's language, what Python computes of a number, and the number.
OF_INTEGERS = {
    **{f"aten::{name}.int": getattr(math, name) for name in "sqrt exp log log10 log2 log1p sin cos tan atan asin acos".split() if name != "log2"},
    "aten::floor.int": math.floor, "aten::ceil.int": math.ceil, "aten::Float.int": float, "aten::Bool.int": bool,
    "aten::format": "{}".format, "aten::str": str, "aten::neg.int": lambda n: -n, "aten::add.int": lambda n: n + 1, "aten::mul.int": lambda n: n * 2,
    "aten::floordiv.int": lambda n: n // 2, "aten::remainder.int": lambda n: n % 2, "aten::pow.int": lambda n: float(n ** 2),
    "aten::div.int": lambda n: n / 2, "prim::max.int": lambda n: max(n, 1), "prim::min.int": lambda n: min(n, 1), "prim::abs.int": abs,
    "aten::__range_length": lambda n: len(range(0, n, 1)), "aten::__getitem__.Dict_int": lambda n: {3: 1}[n],
    "aten::__and__.int": lambda n: n & 1, "aten::__or__.int": lambda n: n | 1, "aten::__lshift__.int": lambda n: n << 1,
    "aten::__rshift__.int": lambda n: n >> 1, "aten::log.int_int": lambda n: math.log(n, 2),
}  # fmt: skip
OF_REALS = {
    **{f"aten::{name}.float": getattr(math, name) for name in "sqrt exp log log10 log1p sin cos tan atan asin acos tanh isnan isinf".split()},
    "aten::floor.float": math.floor, "aten::ceil.float": math.ceil, "aten::round.float": round, "aten::Int.float": int, "aten::Bool.float": bool,
    "aten::neg.float": lambda n: -n, "aten::add.float": lambda n: n + 1.0, "aten::mul.float": lambda n: n * 2.0, "aten::div.float": lambda n: n / 2.0,
    "aten::sub.float": lambda n: n - 1.0, "aten::pow.float": lambda n: n ** 2.0, "prim::max.float": lambda n: max(n, 1.0),
    "prim::min.float": lambda n: min(n, 1.0),
    "prim::abs.float": abs,
}  # fmt: skip
NUMBER = "Python needs the number itself, which only a run gives"
WORDS = {
    "prim::If": ("a branch on what only a run gives: torch.export follows one arm", "compute both sides and choose with `torch.where`, or "
                 "`torch.cond` where one side must not run; for a check that only raises, `torch._check` or `torch._assert_async`"),
    "prim::Loop": ("how often it runs only a run tells: torch.export unrolls loops",
                   "compute with all rows at once and a mask; a number of runs that is known before the export; or `torch.while_loop`"),
    "prim::SetAttr": ("a call sets what is no tensor, and the program keeps the value that the export left",
                      "register a buffer and write into it, or take the state as an input and return the new one"),
}
CONDITIONS = [
    {"operators": ["aten::one_hot"], "attribute": "num_classes", "none_of": [-1],
     "reason": "the number of classes is read of the values: Could not extract specialized integer from data-dependent expression"},
]


def is_faked(schema: Any) -> bool:
    """Whether torch knows what an operator gives without running it."""
    name = schema.name + (f".{schema.overload_name}" if schema.overload_name else "")
    packet = getattr(getattr(torch.ops, schema.name.partition("::")[0]), schema.name.partition("::")[2], None)
    op = getattr(packet, schema.overload_name or "default", None)
    if op in fake_impls.op_implementations_dict or torch.Tag.dynamic_output_shape in getattr(op, "tags", ()):
        return True
    with contextlib.suppress(Exception):
        return any(torch._C._dispatch_has_kernel_for_dispatch_key(name, key) for key in KERNELS)
    return True


def fails(info: Any) -> str:
    """Why an operator fails in all samples that run; empty where one does not."""
    dtypes = info.supported_dtypes("cpu")
    if not dtypes:
        return ""
    words = ""
    for sample in list(info.sample_inputs("cpu", torch.float32 if torch.float32 in dtypes else next(iter(dtypes)), requires_grad=False))[:SAMPLES]:
        with contextlib.suppress(Exception):
            info.op(sample.input, *sample.args, **sample.kwargs)
            mode = FakeTensorMode(shape_env=ShapeEnv(), allow_non_fake_inputs=True)

            def faked(value: Any, mode: Any = mode) -> Any:
                return mode.from_tensor(value, static_shapes=True) if isinstance(value, torch.Tensor) else value

            given = torch.utils._pytree.tree_map(faked, (sample.input, sample.args, sample.kwargs))
            try:
                with mode:
                    info.op(given[0], *given[1], **given[2])
            except Exception as error:
                words = f"{type(error).__name__}: {' '.join(str(error).split())}".partition(" (")[0]
            else:
                return ""
    return words


class OfNumber(torch.nn.Module):
    """A program that computes with a number of data."""

    def __init__(self, compute: Any) -> None:
        super().__init__()
        self.compute = compute

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """What it computes, in a tensor."""
        number = self.compute(x.item())
        return x * number if not isinstance(number, str) else x


def refuses(compute: Any, number: float) -> bool:
    try:
        torch.export.export(OfNumber(compute), (torch.tensor(number),))
    except Exception:
        return True
    return False


def failing_operators(known: Iterable[str]) -> dict[str, set[str]]:
    """Of the operators that torch tests itself with, those whose samples cannot be exported, by what is said."""
    failing: dict[str, set[str]] = {}
    for info in op_db:
        if words := fails(info):
            base = (info.aten_name or info.name).rpartition(".")[2]
            names = {name for name in known if re.fullmatch(rf"aten::{base}(\..*)?", name)}
            print(info.name, names, words, file=sys.stderr)
            failing.setdefault(words, set()).update(names)
    return failing


def main() -> None:
    warnings.simplefilter("ignore")
    kept = operators.define_torchvision()
    schemas = [schema for schema in torch._C._jit_get_all_schemas() if schema.name.startswith(("aten::", "torchvision::"))]
    found = {schema.name + (f".{schema.overload_name}" if schema.overload_name else ""): 0 for schema in schemas
             if schema.name.startswith("torchvision::") or is_faked(schema)}  # fmt: skip
    del kept
    failing = failing_operators(found)
    numbers = [name for name, compute in OF_INTEGERS.items() if refuses(compute, 3)]
    numbers += [name for name, compute in OF_REALS.items() if refuses(compute, 0.5)]
    language = [*numbers, *WORDS]
    text = out.profile(
        target={
            "name": "torch-export",
            "description": "an exported program, torch.export.export, of the model or of what `migrate` makes of a TorchScript file",
            "package": out.installed("torch"),
            "made_by": "tools/rules/torch_export_profile.py",
            "url": "https://docs.pytorch.org/docs/stable/export.html",
            "refusal": "{operator} has no fake implementation",
            "notes": ["operators were asked with fake tensors, and numbers of data in programs of one line"],
        },
        judged={"overloads": True, "functionalised": True},
        operators=found | dict.fromkeys(language, 0),
        constraints=[
            *({"operators": sorted(names), "reason": words} for words, names in failing.items() if names),
            *CONDITIONS,
            {"operators": numbers, "reason": NUMBER},
            *({"operators": [name], "reason": reason} for name, (reason, _) in WORDS.items()),
        ],
        replacements={name: {"text": text} for name, (_, text) in WORDS.items()},
    )
    out.write("torch-export", text)


if __name__ == "__main__":
    main()
