#!/usr/bin/env python3
"""Operators written with others: what a target without one of them can be given instead.

Every line is checked before it goes into a profile: it computes what the operator computes, and the target takes every
operator that it is made of. The scripts that make the profiles use it; run directly, it renews only [replacements],
without the target's package.

usage: python tools/rules/rewrites.py PROFILE…      (onnx, tvm, …) with a Python that has torch
"""
from __future__ import annotations

import functools
import re
import sys
import warnings

import decompose
import live
import profile_file as out
import tomllib
import torch

# Operator, arguments, expression. `p` is a positive tensor, `u` one between 0 and 1, `x`, `y`, `z` any, `n` integers in a
# vector, `m` a matrix, `k` and `l` masks of booleans; `v` and `w` are vectors, `b` is a batch of matrices. An expression may hold no size of
# these values, and no list among the arguments: it is offered to calls on tensors of any size. All other arguments must be those given here.
REWRITES = [
    ("log_sigmoid", "x", "-torch.nn.functional.softplus(-x)"),
    ("celu", "x", "torch.clamp(x, min=0) + torch.clamp(torch.exp(x) - 1, max=0)"),
    ("elu", "x", "torch.relu(x) - torch.relu(1 - torch.exp(x))"),
    ("elu", "x", "torch.clamp(x, min=0) + torch.clamp(torch.exp(x) - 1, max=0)"),
    ("selu", "x", "1.0507009873554805 * (torch.relu(x) + torch.clamp(1.6732632423543772 * (torch.exp(x) - 1), max=0))"),
    ("mish", "x", "x * torch.tanh(torch.nn.functional.softplus(x))"),
    ("silu", "x", "x * torch.sigmoid(x)"),
    ("hardsigmoid", "x", "torch.clamp(x + 3, 0, 6) / 6"),
    ("hardswish", "x", "x * torch.clamp(x + 3, 0, 6) / 6"),
    ("logaddexp", "x, y", "torch.maximum(x, y) + torch.log1p(torch.exp(-torch.abs(x - y)))"),
    ("logaddexp", "x, y", "torch.maximum(x, y) + torch.log(1 + torch.exp(-torch.abs(x - y)))"),
    ("logaddexp2", "x, y", "torch.log2(torch.pow(2.0, x) + torch.pow(2.0, y))"),
    ("logcumsumexp", "x, 0", "torch.log(torch.cumsum(torch.exp(x), 0))"),
    ("log1p", "p", "torch.log(p + 1)"),
    ("expm1", "x", "torch.exp(x) - 1"),
    ("exp2", "x", "torch.pow(2.0, x)"),
    ("exp2", "x", "torch.exp(x * 0.6931471805599453)"),
    ("log2", "p", "torch.log(p) * 1.4426950408889634"),
    ("log10", "p", "torch.log(p) * 0.4342944819032518"),
    ("sinh", "x", "(torch.exp(x) - torch.exp(-x)) / 2"),
    ("cosh", "x", "(torch.exp(x) + torch.exp(-x)) / 2"),
    ("tan", "x", "torch.sin(x) / torch.cos(x)"),
    ("asinh", "x", "torch.sign(x) * torch.log(torch.abs(x) + torch.sqrt(x * x + 1))"),
    ("acosh", "p + 1", "torch.log((p + 1) + torch.sqrt((p + 1) * (p + 1) - 1))"),
    ("atanh", "u", "torch.log((1 + u) / (1 - u)) / 2"),
    ("sinc", "p", "torch.sin(p * 3.141592653589793) / (p * 3.141592653589793)"),
    ("erfc", "x", "1 - torch.erf(x)"),
    ("special_ndtr", "x", "(1 + torch.erf(x * 0.7071067811865476)) / 2"),
    ("special_entr", "p", "-p * torch.log(p)"),
    ("special_expit", "x", "torch.sigmoid(x)"),
    ("special_logit", "u", "torch.log(u / (1 - u))"),
    ("logit", "u", "torch.log(u / (1 - u))"),
    ("xlogy", "x, p", "x * torch.log(p)"),
    ("special_xlog1py", "x, p", "x * torch.log1p(p)"),
    ("special_xlog1py", "x, p", "x * torch.log(p + 1)"),
    ("reciprocal", "p", "1 / p"),
    ("rsqrt", "p", "1 / torch.sqrt(p)"),
    ("square", "x", "x * x"),
    ("trunc", "x", "torch.sign(x) * torch.floor(torch.abs(x))"),
    ("frac", "x", "x - torch.sign(x) * torch.floor(torch.abs(x))"),
    ("fmod", "x, p", "x - torch.trunc(x / p) * p"),
    ("remainder", "x, p", "x - torch.floor(x / p) * p"),
    ("hypot", "x, y", "torch.sqrt(x * x + y * y)"),
    ("copysign", "x, y", "torch.where(y < 0, -torch.abs(x), torch.abs(x))"),
    ("sgn", "x", "torch.sign(x)"),
    ("signbit", "x", "x < 0"),
    ("heaviside", "x, y", "torch.where(x > 0, 1.0, torch.where(x < 0, 0.0, y))"),
    ("lerp", "x, y, z", "x + z * (y - x)"),
    ("addcmul", "x, y, z", "x + y * z"),
    ("addcdiv", "x, y, p", "x + y / p"),
    ("addmv", "v, m, w", "v + torch.matmul(m, w)"),
    ("addr", "m, v, w", "m + v.unsqueeze(1) * w.unsqueeze(0)"),
    ("addbmm", "m, b, b", "m + torch.bmm(b, b).sum(0)"),
    ("baddbmm", "b, b, b", "b + torch.bmm(b, b)"),
    ("dot", "v, w", "(v * w).sum()"),
    ("vdot", "v, w", "(v * w).sum()"),
    ("mv", "m, v", "torch.matmul(m, v)"),
    ("ger", "v, w", "v.unsqueeze(1) * w.unsqueeze(0)"),
    ("outer", "v, w", "v.unsqueeze(1) * w.unsqueeze(0)"),
    (
        "cosine_similarity",
        "m, b[0], 1",
        "(torch.nn.functional.normalize(m, dim=1) * torch.nn.functional.normalize(b[0], dim=1)).sum(1)",
    ),
    ("cosine_similarity", "m, b[0], 1", "(m * b[0]).sum(1) / torch.sqrt((m * m).sum(1) * (b[0] * b[0]).sum(1))"),
    ("pairwise_distance", "m, b[0]", "torch.sqrt(((m - b[0] + 1e-6) * (m - b[0] + 1e-6)).sum(1))"),
    ("cdist", "m, b[0]", "torch.sqrt(((m.unsqueeze(1) - b[0].unsqueeze(0)) * (m.unsqueeze(1) - b[0].unsqueeze(0))).sum(2))"),
    ("bilinear", "m, b[0], b", "torch.stack([(torch.matmul(m, each) * b[0]).sum(1) for each in b], 1)"),
    ("median", "v", "torch.topk(v, (v.numel() + 1) // 2, largest=False)[0].max()"),
    ("nansum", "x", "torch.where(torch.isnan(x), 0.0, x).sum()"),
    ("nansum", "x", "torch.where(x != x, 0.0, x).sum()"),
    ("isnan", "x", "x != x"),
    ("isinf", "x", "torch.abs(x) == float('inf')"),
    ("isposinf", "x", "x == float('inf')"),
    ("isneginf", "x", "x == -float('inf')"),
    ("isfinite", "x", "torch.abs(x) < float('inf')"),
    ("isclose", "x, y", "torch.abs(x - y) <= 1e-8 + 1e-5 * torch.abs(y)"),
    ("nan_to_num", "x", "torch.where(torch.isnan(x), 0.0, torch.clamp(x, -3.4028234663852886e38, 3.4028234663852886e38))"),
    ("nan_to_num", "x", "torch.where(x != x, 0.0, torch.clamp(x, -3.4028234663852886e38, 3.4028234663852886e38))"),
    ("aminmax", "x", "(x.min(), x.max())"),
    ("aminmax", "x", "(torch.amin(x), torch.amax(x))"),
    ("fmax", "x, y", "torch.maximum(x, y)"),
    ("fmin", "x, y", "torch.minimum(x, y)"),
    ("cumprod", "p, 0", "torch.exp(torch.cumsum(torch.log(p), 0))"),
    ("prod", "p", "torch.exp(torch.sum(torch.log(p)))"),
    ("diff", "v", "v[1:] - v[:-1]"),
    ("fliplr", "m", "torch.flip(m, [1])"),
    ("flipud", "m", "torch.flip(m, [0])"),
    ("swapaxes", "b, 0, 1", "b.transpose(0, 1)"),
    ("swapdims", "b, 0, 1", "b.transpose(0, 1)"),
    ("ravel", "b", "b.reshape(-1)"),
    ("take", "m, n", "torch.index_select(m.reshape(-1), 0, n)"),
    ("take", "m, n", "torch.gather(m.reshape(-1), 0, n)"),
    ("take_along_dim", "v, n, 0", "torch.gather(v, 0, n)"),
    ("argwhere", "v > 0", "torch.nonzero(v > 0)"),
    ("msort", "m", "torch.sort(m, 0)[0]"),
    ("kthvalue", "v, 2", "(torch.topk(v, 2, largest=False)[0][1], torch.topk(v, 2, largest=False)[1][1])"),
    ("matrix_power", "m, 3", "torch.matmul(torch.matmul(m, m), m)"),
    ("linalg_matrix_power", "m, 3", "torch.matmul(torch.matmul(m, m), m)"),
    ("__iand__", "k, l", "torch.logical_and(k, l)"),
    ("__ior__", "k, l", "torch.logical_or(k, l)"),
    ("__ixor__", "k, l", "torch.logical_xor(k, l)"),
    ("__or__", "k, l", "torch.logical_or(k, l)"),
    ("__xor__", "k, l", "torch.logical_xor(k, l)"),
    ("subtract", "x, y", "x - y"),
    ("multiply", "x, y", "x * y"),
    ("divide", "x, p", "x / p"),
    ("true_divide", "x, p", "x / p"),
    ("negative", "x", "-x"),
    ("absolute", "x", "torch.abs(x)"),
    ("positive", "x", "x"),
    ("float_power", "p, 2.0", "torch.pow(p.to(torch.float64), 2.0)"),
    ("deg2rad", "x", "x * 0.017453292519943295"),
    ("rad2deg", "x", "x * 57.29577951308232"),
    ("count_nonzero", "x", "(x != 0).to(torch.int64).sum()"),
    ("mse_loss", "x, y", "((x - y) * (x - y)).mean()"),
    ("l1_loss", "x, y", "torch.abs(x - y).mean()"),
    ("smooth_l1_loss", "x, y", "torch.where(torch.abs(x - y) < 1, (x - y) * (x - y) / 2, torch.abs(x - y) - 0.5).mean()"),
    ("huber_loss", "x, y", "torch.where(torch.abs(x - y) < 1, (x - y) * (x - y) / 2, torch.abs(x - y) - 0.5).mean()"),
    ("kl_div", "x, p", "(p * (torch.log(p) - x)).mean()"),
    ("binary_cross_entropy", "u, u", "-(u * torch.log(u) + (1 - u) * torch.log(1 - u)).mean()"),
    ("binary_cross_entropy_with_logits", "x, u", "(torch.relu(x) - x * u + torch.log1p(torch.exp(-torch.abs(x)))).mean()"),
    ("binary_cross_entropy_with_logits", "x, u", "(torch.relu(x) - x * u + torch.log(1 + torch.exp(-torch.abs(x)))).mean()"),
    ("cross_entropy_loss", "m, n", "-torch.gather(torch.log_softmax(m, 1), 1, n.unsqueeze(1)).mean()"),
]

TOLERANCE = {"rtol": 1e-4, "atol": 1e-5}


def values() -> dict:
    torch.manual_seed(1)
    return {"x": torch.randn(3, 4), "y": torch.randn(3, 4), "z": torch.randn(3, 4), "p": torch.rand(3, 4) + 0.5,
            "u": torch.rand(3, 4) * 0.8 + 0.1, "n": torch.tensor([0, 2, 3, 1]), "m": torch.randn(4, 4),
            "b": torch.randn(4, 4, 4), "v": torch.randn(4), "w": torch.randn(4),
            "k": torch.randn(3, 4) > 0, "l": torch.randn(3, 4) > 0}


class Expression(torch.nn.Module):
    """An expression as a model of the values that it names."""

    def __init__(self, text: str):
        super().__init__()
        self.code = compile(text, text, "eval")
        self.arguments = tuple(n for n in values() if re.search(rf"\b{n}\b", text))

    def forward(self, *tensors):
        known = {"torch": torch, "float": float, **dict(zip(self.arguments, tensors, strict=False))}
        return eval(self.code, known)  # our own text

    def inputs(self) -> tuple:
        known = values()
        return tuple(known[n] for n in self.arguments)


def computes_the_same(operator: str, arguments: str, expression: str) -> bool:
    known = {"torch": torch, "float": float, **values()}
    found = eval(expression, known)
    expected = eval(f"torch.ops.aten.{operator}({arguments})", known)  # last: it may change its operand
    torch.testing.assert_close(found, type(found)(expected) if isinstance(found, tuple) else expected,
                               check_dtype=False, **TOLERANCE)
    return True


def traced_operators(expression: str) -> set[str]:
    model = Expression(expression)
    return live.kinds(torch.jit.trace(model, model.inputs(), check_trace=False).inlined_graph)


def exported_operators(expression: str) -> set[str]:
    model = Expression(expression)
    program = torch.export.export(model, model.inputs(), strict=False)
    found = {n.target for n in program.graph.nodes if n.op == "call_function"}
    return {decompose.schema_of(t.name()) if isinstance(t, torch._ops.OpOverload) else f"_operator::{t.__name__}" for t in found}


DOMAINS = {"p": "positive p", "u": "u between 0 and 1", "k": "booleans"}
# As Python writes them.
SIGNS = {"__iand__": "&=", "__ior__": "|=", "__ixor__": "^=", "__or__": "|", "__xor__": "^"}
RANKS = {"v": 1, "w": 1, "n": 1, "m": 2, "b": 3}


def words_of(operator: str, arguments: str, expression: str) -> str:
    where = [words for name, words in DOMAINS.items() if name in compile(arguments, "", "eval").co_names]
    call = f"{operator}({arguments})"
    if sign := SIGNS.get(operator):
        call = arguments.replace(",", f" {sign}")
        expression = f"{arguments[0]} = {expression}" if sign.endswith("=") else expression
    return f"write `{call}` as `{expression}`" + (f", for {', '.join(where)}" if where else "")


def checked_arguments(operator: str, arguments: str) -> tuple[dict, list[int]]:
    """The arguments that are no tensors, as they were in the call that was checked, by name; and the ranks of the tensors, where
    the rewriting holds for these alone."""
    given = eval(f"({arguments},)", {"torch": torch, **values()})
    packet = getattr(torch.ops.aten, operator)
    overload = torch._C._jit_resolve_packet(f"aten::{operator}", *given)
    formals = getattr(packet, overload)._schema.arguments
    others, ranks = {}, []
    for number, formal in enumerate(formals):
        value = given[number] if number < len(given) else formal.default_value
        if isinstance(value, torch.Tensor):
            ranks.append(value.dim())
        elif not formal.kwarg_only or formal.default_value is not None:
            others[formal.name] = ["None" if value is None else value]
    of_any_rank = not set(RANKS) & set(compile(arguments, "", "eval").co_names)
    return others, [] if of_any_rank else ranks


def entry_of(operator: str, arguments: str, expression: str) -> out.Raw:
    others, ranks = checked_arguments(operator, arguments)
    entry = {"text": words_of(operator, arguments, expression)}
    if others:
        entry["arguments"] = out.Raw(out.inline(others))
    if ranks:
        entry["ranks"] = ranks
    return out.Raw(out.inline(entry))


def of_table(table: set[str], exported: bool = False) -> dict[str, out.Raw]:
    """Operator -> what to write instead, for a target that takes the operators of `table`: those with an entry, and those
    that need none. A name without overload stands for all overloads unless the target reads exported programs."""
    warnings.filterwarnings("ignore")
    bases = {name.split(".")[0] for name in table}
    operators_of = functools.cache(exported_operators if exported else traced_operators)
    found: dict[str, out.Raw] = {}
    for operator, arguments, expression in REWRITES:
        name = f"aten::{operator}"
        if name in found or name in bases or not computes_the_same(operator, arguments, expression):
            continue
        if operators_of(expression) <= table:
            found[name] = entry_of(operator, arguments, expression)
    return found


def renew(name: str) -> None:
    path = out.RULES / f"{name}.toml"
    text = path.read_text()
    profile = tomllib.loads(text)
    default = profile["judged"].get("opset", 0)
    table = {n for n, opset in profile["operators"].items() if opset <= default or not default}
    table |= set(profile.get("removed_by_passes", {}).get("operators", []))
    found = of_table(table, exported=profile["judged"].get("functionalised", False))
    kept = text.split("[replacements]\n")[0].rstrip("\n")
    out.write(name, kept + "\n\n" + out.sorted_table("replacements", found))


if __name__ == "__main__":
    for profile_name in sys.argv[1:]:
        renew(profile_name)
