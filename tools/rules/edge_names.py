"""Names of ExecuTorch's edge dialect, and what the operators are called in the program that it was made from."""
from __future__ import annotations

RENAMED = {"_clone_dim_order": "clone", "_to_dim_order_copy": "_to_copy"}


def program_name(edge: str) -> str:
    """`view_copy.default` -> `view.default`"""
    base, dot, overload = edge.partition(".")
    return RENAMED.get(base, base.removesuffix("_copy")) + dot + overload
