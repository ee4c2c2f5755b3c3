#!/usr/bin/env python3
"""Finds out which operands must have sizes that are known before a model runs, and adds what a runtime refuses to its profile.

usage: python tools/rules/open_sizes.py TARGET [--write]

ONNX's own models of one node declare all sizes of their inputs. Each is asked about once more for every axis of every operand, with that size
left free, and with all sizes of all inputs: where every model that was taken is then refused, whichever axis it is, the sizes have to be known.
Where such a model is taken if nothing is known of the ranks of the other operands, the row asks for that of the first.
Needs a Python with onnx and the runtime's package.
"""

from __future__ import annotations

import argparse
import collections
import copy
import dataclasses
import re
from collections.abc import Iterator
from typing import Any

import profile_file as out
import tomllib
from forms_profile import PROFILES, reason_of
from one_node import IR_VERSION
from onnx import ModelProto, ValueInfoProto
from probe import questions
from probe.children import asked
from probe.question import Question
from probe.runtime import Runtime
from probe.runtimes import RUNTIMES
from probe.variations import Example

RANKS = list(range(1, 7))
Operand = tuple[str, int]


@dataclasses.dataclass
class Asking:
    """An operand, what is still to be asked of it, and what was said; nothing any more when one model was taken."""

    left: list[tuple[Example, ModelProto]]
    said: list[str] = dataclasses.field(default_factory=list)


def is_tensor(value: ValueInfoProto) -> bool:
    return bool(value.type.HasField("tensor_type"))


def with_free_size(example: Example, name: str, axis: int) -> ModelProto:
    changed = copy.deepcopy(example.model)
    entry = next(each for each in changed.graph.input if each.name == name)
    entry.type.tensor_type.shape.dim[axis].dim_param = "free"
    for result in filter(is_tensor, changed.graph.output):
        result.type.tensor_type.ClearField("shape")
    return changed


def without_other_ranks(model: ModelProto, name: str) -> ModelProto:
    changed = copy.deepcopy(model)
    for entry in (each for each in filter(is_tensor, changed.graph.input) if each.name != name):
        entry.type.tensor_type.ClearField("shape")
    return changed


def with_all_free(example: Example) -> ModelProto:
    """Sizes that are the same have one name: operands that fit each other still do."""
    changed = copy.deepcopy(example.model)
    for entry in filter(is_tensor, [*changed.graph.input, *changed.graph.output]):
        for size in entry.type.tensor_type.shape.dim:
            size.dim_param = f"size_{size.dim_value}"
    return changed


def of_operand(example: Example, name: str) -> Iterator[tuple[Example, ModelProto]]:
    entry = next((each for each in example.model.graph.input if each.name == name), None)
    axes = len(entry.type.tensor_type.shape.dim) if entry is not None and is_tensor(entry) else 0
    yield from ((example, with_free_size(example, name, axis)) for axis in range(axes))
    if axes:
        yield example, with_all_free(example)


def operands(known: dict[str, list[Example]]) -> dict[Operand, Asking]:
    found: dict[Operand, Asking] = collections.defaultdict(lambda: Asking([]))
    for operator, examples in sorted(known.items()):
        for example in examples:
            example.model.ir_version = min(example.model.ir_version, IR_VERSION)
            for number, name in enumerate(example.node.input):
                found[operator, number].left += of_operand(example, name)
    return {operand: each for operand, each in found.items() if each.left}


def answers_of(runtime: Runtime, models: list[tuple[Example, ModelProto]]) -> list[str]:
    """What is said against loading each; empty where it is loaded."""
    made = [Question("", [], model.SerializeToString(), example.inputs or {}, None, "file") for example, model in models]
    return [said.get("crash") or said.get("load") or "" for _, said, _ in asked(runtime, made)]


def of_first_left(runtime: Runtime, found: dict[Operand, Asking]) -> dict[Operand, Asking]:
    """One more model of each, beside the example itself, which says nothing if it is refused; without those of which a model was taken."""
    models = {operand: each.left.pop(0) for operand, each in found.items() if each.left}
    said = dict(zip(models, answers_of(runtime, list(models.values())), strict=True))
    refused = [operand for operand, text in said.items() if text]
    usual = answers_of(runtime, [(models[operand][0], models[operand][0].model) for operand in refused])
    for operand, against in zip(refused, usual, strict=True):
        found[operand].said += [] if against else [said[operand]]
    return {operand: each for operand, each in found.items() if said.get(operand, "refused")}


def needed(runtime: Runtime, known: dict[str, list[Example]]) -> dict[Operand, str]:
    """Operands of which every free size is refused, and what is said."""
    found = operands(known)
    while any(each.left for each in found.values()):
        found = of_first_left(runtime, found)
    return {operand: each.said[0] for operand, each in found.items() if each.said}


def condition(runtime: Runtime, operand: Operand, examples: list[Example]) -> str:
    """With the rank of the first operand where the model is taken if that is not known."""
    number = operand[1]
    example = next(each for each in examples if number < len(each.node.input) and any(of_operand(each, each.node.input[number])))
    name = example.node.input[number]
    (against,) = answers_of(runtime, [(example, without_other_ranks(with_free_size(example, name, 0), name))])
    return out.raw([{"input": number, "free": True}] + ([] if against or number == 0 else [{"input": 0, "ranks": RANKS}]))


def learn(runtime: Runtime, known: dict[str, list[Example]] | None = None) -> list[dict[str, Any]]:
    """The entries of [[refused]] about sizes that are free, one for each reason."""
    known = questions.examples(list(questions.of_node_tests())) if known is None else known
    found: dict[tuple[str, str], list[str]] = collections.defaultdict(list)
    for operand, said in sorted(needed(runtime, known).items()):
        reason = re.sub(r" ?(Operation name|Node|name): \w+", "", reason_of(said))
        found[condition(runtime, operand, known[operand[0]]), reason].append(operand[0])
    return [{"operators": operators, "when": out.Raw(when), "reason": reason} for (when, reason), operators in found.items()]


def add(name: str, entries: list[dict[str, Any]]) -> None:
    """Behind the other entries that are no edges; what is there already is not written twice."""
    text = (out.RULES / f"{name}.toml").read_text()
    before = [(each["operators"], each["when"]) for each in tomllib.loads(text).get("refused", [])]
    new = [each for each in entries if (each["operators"], tomllib.loads(f"when = {each['when']}")["when"]) not in before]
    out.write(name, out.without_forms(text).rstrip("\n") + "\n\n" + out.tables("refused", new) + out.forms_of(text))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("target", choices=list(PROFILES))
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    entries = learn(RUNTIMES[options.target])
    print(out.tables("refused", entries))
    if options.write:
        add(PROFILES[options.target], entries)


if __name__ == "__main__":
    main()
