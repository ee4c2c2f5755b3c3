#!/usr/bin/env python3
"""Makes rules/aimet.toml from an installed aimet-torch, whose tables are read as source and never imported.

usage: python -m venv V && V/bin/pip install --no-deps aimet-torch torch && V/bin/python tools/rules/aimet_profile.py
"""
from __future__ import annotations

import ast
import importlib.metadata
from collections.abc import Iterator

import profile_file as out


def source(path: str) -> ast.Module:
    files = importlib.metadata.files("aimet-torch")
    return ast.parse(next(f for f in files if str(f) == path).read_text())


def assigned(tree: ast.Module, name: str) -> ast.expr:
    """The literal that is assigned to a name anywhere in a module."""
    return next(n.value for n in ast.walk(tree) if isinstance(n, ast.Assign)
                and isinstance(n.targets[0], ast.Name) and n.targets[0].id == name)


def full_name(key: str) -> str:
    """`nn.Conv2d` -> `torch.nn.modules.conv.Conv2d`, the name that an exported file holds."""
    module, _, name = key.rpartition(".")
    if module == "nn":
        import torch
        return f"{getattr(torch.nn, name).__module__}.{name}"
    if module == "aimet_modules":
        return f"aimet_torch._base.nn.modules.custom.{name}"   # where the class is defined
    return {"torchvision.transforms.Resize": "torchvision.transforms.transforms.Resize",
            "torchvision.ops.RoIPool": "torchvision.ops.roi_pool.RoIPool"}[key]


def module_map() -> dict[str, str]:
    tree = source("aimet_torch/onnx_utils.py")
    pairs = list(zip(*[(d := assigned(tree, "map_torch_types_to_onnx")).keys, d.values], strict=False))
    for node in ast.walk(tree):   # entries that newer versions of torch add below the literal
        if (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript)
                and ast.unparse(node.targets[0].value) == "map_torch_types_to_onnx"):
            pairs.append((node.targets[0].slice, node.value))
    return {full_name(ast.unparse(k)): ast.literal_eval(v)[0] for k, v in pairs}


def quantised_classes() -> set[str]:
    """Classes with a quantised definition, which QuantizationSimModel needs of every leaf, and those that it leaves as they are."""
    found = {"torch.nn.modules.linear.Identity", *(f"torch.nn.modules.container.{name}" for name in (
        "Container", "Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict"))}   # quantsim.py, unquantizable_modules
    for path in importlib.metadata.files("aimet-torch") or []:
        if str(path).startswith("aimet_torch/nn/") and path.suffix == ".py":
            found |= implemented_in(ast.parse(path.read_text()))
    return found


def implemented_in(tree: ast.Module) -> set[str]:
    """Of `implements(CLASS)`, `ignore(CLASS)` and the lists of classes in a file, the classes."""
    imported = {alias.asname or alias.name: f"{node.module}.{alias.name}" for node in ast.walk(tree)
                if isinstance(node, ast.ImportFrom) and node.module for alias in node.names}
    aliases = {ast.unparse(node.targets[0]): ast.unparse(node.value) for node in ast.walk(tree) if isinstance(node, ast.Assign)}
    names = (aliases.get(name, name) for name in map(ast.unparse, arguments_and_lists(tree)))
    return {found for name in names if (found := class_named(name, imported))}


def arguments_and_lists(tree: ast.Module) -> Iterator[ast.expr]:
    """What `implements` and `ignore` are called with first, and what lists hold of `custom`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("implements", "ignore"):
            yield from node.args[:1]
        elif isinstance(node, (ast.List, ast.Tuple)):
            yield from (item for item in node.elts if isinstance(item, ast.Attribute) and ast.unparse(item).startswith("custom."))


def class_named(name: str, imported: dict[str, str]) -> str:
    """The full name of a class; empty where the name is none of torch, transformers or AIMET."""
    first, _, rest = name.partition(".")
    if first == "torch":
        return name
    if first == "nn":
        return full_name(name)
    if imported.get(first, "").startswith("transformers."):
        return f"{imported[first]}.{rest}" if rest else imported[first]
    is_own = first == "custom" or (name.isidentifier() and name != "module_cls" and not name.startswith("_"))
    return f"aimet_torch._base.nn.modules.custom.{rest or name}" if is_own else ""


def main() -> None:
    types = module_map()
    graph = source("aimet_torch/meta/connectedgraph.py")
    functional = ast.literal_eval(assigned(graph, "math_invariant_types"))
    passed = ast.literal_eval(assigned(graph, "passthrough_graph_nodes"))
    nn = sum(k.startswith("torch.nn.") for k in types)
    own = sum(k.startswith("aimet_torch.") for k in types)
    text = out.header({
        "name": "aimet",
        "description": "AIMET: module classes that it maps to an op type, and functional ops that it can do without",
        "package": out.installed("aimet-torch"),
        "made_by": "tools/rules/aimet_profile.py",
        "url": "https://github.com/quic/aimet",
        "notes": [f"{nn} classes of torch.nn, {own} of aimet_torch and {len(types) - nn - own} of torchvision are mapped",
                  "`mean` is among the functional ops as AIMET has it, although it changes values: questionable"],
    })
    text += out.section("functional", {"ops": set(functional), "passed_through": set(passed)})
    text += out.section("quantised", {"classes": quantised_classes()})
    text += out.sorted_table("op_type_map", types)
    out.write("aimet", text)


if __name__ == "__main__":
    main()
