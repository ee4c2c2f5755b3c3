#!/usr/bin/env python3
"""Writes docs/computed-wrongly.md, what runtimes take and compute wrongly, from the tables of rules/.

usage: python tools/rules/wrong_page.py
"""
from __future__ import annotations

import pathlib
from typing import Any

import profile_file as out
import tomllib

PAGE = out.RULES.parent / "docs" / "computed-wrongly.md"
TARGETS = ("openvino-onnx", "onnxruntime", "qnn-htp", "rknn", "mnn", "ncnn")
HEAD = """# What runtimes take and compute wrongly

A runtime may load a file, run it without a word, and compute something else than ONNX defines; or it loads the file and fails in every run.
`check --target NAME` tells both before anything is deployed: the first as an error of its own kind, verdict `wrong`, the second as
`refused`. This page lists what our tables know. Each line is an answer of the runtime itself to a model of one node, held against the outputs
that ONNX expects, or against onnx.reference where another runtime, or ONNX's shape inference, agrees with it. Operators of `com.microsoft` are
held against ONNX Runtime without optimisations, with values whose results lie beyond both ends of a quantised range.
How they are asked: [target-tables.md](target-tables.md).

*Off by 0.5 of 15* is the largest difference that was seen, of the largest value expected. Where a file does not have the condition, the operator is
computed right as far as it was asked. Of a target that computes in float16 (`qnn-htp`, `rknn`), what rounding to that explains is not listed.
"""
FOOT = """
Made by `tools/rules/wrong_page.py` from `rules/*.toml`; a test holds the page against them.
"""


def names(entry: dict[str, Any]) -> str:
    return ", ".join(f"`{operator.removeprefix('onnx::')}`" for operator in entry["operators"])


def row(entry: dict[str, Any]) -> str:
    return f"| {names(entry)} | {cell(entry['reason'])} | {asked(entry)} |\n"


def asked(entry: dict[str, Any]) -> str:
    return f"`{entry['asked'].strip()}`" if "asked" in entry else "values at the edges"


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def wrong(profile: dict[str, Any]) -> str:
    entries = sorted(profile.get("wrong", []), key=lambda e: (e["operators"], e["reason"]))
    return "| operator | what is wrong | asked with |\n|---|---|---|\n" + "".join(map(row, entries))


def condition(each: dict[str, Any]) -> str:
    if "attribute" in each:
        return attribute(each)
    if "input" in each:
        return f"input {each['input']}: {tensor(each)}"
    if "output" in each:
        return f"output {each['output']}: {tensor(each)}"
    if "mixed" in each:
        return f"{each['mixed']} of operands that differ"
    return f"opset {each.get('from_opset', 1)}" + (f" to {each['below_opset'] - 1}" if "below_opset" in each else " and newer")


def attribute(each: dict[str, Any]) -> str:
    name = f"`{each['attribute']}`"
    if size := each.get("is_not_size"):
        return f"{name} other than axis {size['axis']} of input {size['input']}"
    values = each.get("is", each.get("is_not"))
    if values is None:
        return f"{'no ' if each.get('or_absent') else ''}{name}"
    ends = (" from the end" if each.get("from_end") else "") + (" or left out" if each.get("or_absent") else "")
    return f"{name} {'' if 'is' in each else 'other than '}{' or '.join(map(str, values))}{ends}"


def tensor(each: dict[str, Any]) -> str:
    if "smaller_than_input" in each:
        return f"smaller than input {each['smaller_than_input']}"
    if "unlike_input" in each:
        return f"of another shape than input {each['unlike_input']}"
    kinds = each.get("dtypes") or [f"rank {rank}" for rank in each.get("ranks", [])]
    words = "computed" if each.get("computed") else "absent" if each.get("absent") else "given"
    return (" or ".join(kinds) or words) + (" without elements" if each.get("empty") else "")


def fails(profile: dict[str, Any]) -> str:
    entries = sorted(profile.get("fails", []), key=lambda e: (e["operators"], e["reason"]))
    rows = "".join(f"| {names(e)} | {', '.join(map(condition, e['when']))} | {cell(e['reason'])} | {asked(e)} |\n" for e in entries)
    return "| operator | where | its own words | asked with |\n|---|---|---|---|\n" + rows


def page() -> str:
    text = HEAD
    for target in TARGETS:
        profile = tomllib.loads((out.RULES / f"{target}.toml").read_text())
        package = profile["target"]["package"].partition(",")[0]
        text += f"\n## {package}\n\n"
        text += wrong(profile) if profile.get("wrong") else "Nothing that is known.\n"
        if profile.get("fails"):
            text += f"\nLoaded, and failing when run:\n\n{fails(profile)}"
    return text + FOOT


def main() -> None:
    pathlib.Path(PAGE).write_text(page())


if __name__ == "__main__":
    main()
