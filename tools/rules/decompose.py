"""The operators that torch.export decomposes by default, before an importer of exported programs sees them."""
from __future__ import annotations

import torch


# Functions of Python that a program with symbolic sizes computes them with, and takes tuples apart with.
SIZE_ARITHMETIC = {f"_operator::{name}" for name in (
    "add", "and_", "eq", "floordiv", "ge", "getitem", "gt", "le", "lt", "mod", "mul", "ne", "neg", "not_", "or_", "pow",
    "sub", "truediv")}


# Checks without a result, which decomposition leaves out or which compute nothing.
CHECKS = {"aten::_assert_tensor_metadata", "aten::_assert_scalar"}


def schema_of(name: str) -> str:
    """`aten::relu.default` -> `aten::relu`: as the program spells the default overload."""
    return name.removesuffix(".default")


def composite() -> set[str]:
    """Operators that torch itself defines by others: run_decompositions takes them apart without a table."""
    return {n for n in torch._C._dispatch_get_all_op_names() if n.startswith("aten::")
            and torch._C._dispatch_has_kernel_for_dispatch_key(n, "CompositeImplicitAutograd")}


def decomposed() -> set[str]:
    table = {op.name() for op in torch.export.default_decompositions() if isinstance(op, torch._ops.OpOverload)}
    return {schema_of(name) for name in table | composite() | CHECKS}
