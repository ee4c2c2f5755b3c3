"""torch.export's `.pt2`, as `torch.export.load` sees it."""

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from bytes_and_zips import changes_of_json, changes_of_zip, entries_of, mutated_bytes, mutated_json, mutated_zip
from engine import View, digest, reason
from nets import Conditional, Drawing, Kept, Odd, Plain, Shared, examples, made, outputs_digest, tensor_digest

SUFFIX = ".pt2"


def seeds(folder: Path) -> list[Path]:
    files = []
    for name, net in made(Plain, Shared, Conditional, Kept, Odd, Drawing):
        files.append(folder / f"{name}.pt2")
        torch.export.save(torch.export.export(net, examples()), str(files[-1]))
    sizes = torch.export.Dim("n", min=2, max=64)
    files.append(folder / "dynamic.pt2")
    torch.export.save(torch.export.export(made(Plain)[0][1], examples(), dynamic_shapes=({0: sizes}, {0: torch.export.Dim("m")})), str(files[-1]))
    return files


def mutate(chance: random.Random, files: Sequence[bytes]) -> bytes:
    return mutated_zip(chance, files, _entry)


def _entry(chance: random.Random, name: str, content: bytes, others: list[bytes]) -> bytes:
    for _ in range(chance.choice((1, 1, 2))):
        content = mutated_json(chance, content, others) if name.endswith(".json") else mutated_bytes(chance, content, others)
    return content


def one_field_changes(data: bytes) -> Iterator[tuple[str, bytes]]:
    def inside(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
        if name.endswith(".json"):
            yield from changes_of_json(content)
        elif content:
            yield "a bit", bytes([content[0] ^ 1]) + content[1:]
            yield "a byte less", content[:-1]

    return changes_of_zip(data, inside)


def look(path: str) -> dict[str, View | str]:
    try:
        program = torch.export.load(path)
        module = program.module()
    except Exception as error:
        return {"torch": reason(error)}
    counts: Counter[str] = Counter()
    lines = _lines(program.graph_module, counts)
    weights = [f"{name}={tensor_digest(value)}" for name, value in {**program.state_dict, **program.constants}.items()]
    signature = [f"{each.kind} {each.target}" for each in (*program.graph_signature.input_specs, *program.graph_signature.output_specs)]
    calls = f"{program.call_spec.in_spec} {program.call_spec.out_spec} {program.range_constraints}"
    torch.manual_seed(0)
    try:
        outputs = outputs_digest(module(*examples()))
    except Exception:
        outputs = ""
    return {"torch": View(digest(*lines, *sorted(weights), *signature, calls), outputs, counts, _members(path))}


def _members(path: str) -> str:
    """What types of tensors say, the names of members, and how arguments are passed, in whatever numbers."""
    said: list[str] = []

    def note(members: dict[str, Any]) -> dict[str, Any]:
        said.append(json.dumps(members, sort_keys=True) if "sizes" in members else f"{sorted(members)} {members.get('kind')}")
        # JSON as text, however it is spaced; 0 for false.
        said.extend(str(members[key]) for key in ("in_spec", "out_spec", "is_param", "use_pickle") if key in members)
        return members

    for name, content in entries_of(Path(path).read_bytes()):
        if name.endswith(".json"):
            json.loads(content, object_hook=note)
    return digest(*said)


def _lines(module: Any, counts: Counter[str]) -> list[str]:
    numbers: dict[Any, str] = {}
    lines = []
    for node in module.graph.nodes:
        numbers[node] = f"%{len(numbers)}"
        target = str(node.target)
        if node.op == "call_function":
            counts.update(_names(node.target))
            arguments = torch.fx.node.map_arg((node.args, tuple(sorted(node.kwargs.items()))), lambda each: numbers.get(each, "?"))
            lines.append(f"{target} {arguments!r}")
        elif node.op == "get_attr":
            held = getattr(module, target, None)
            lines += ["{", *_lines(held, counts), "}"] if isinstance(held, torch.fx.GraphModule) else [f"get {target}"]
        else:
            lines.append(f"{node.op} {torch.fx.node.map_arg(node.args, lambda each: numbers.get(each, '?'))!r}")
    return lines


def _names(target: Any) -> list[str]:
    """As the schema of an operator has it: `aten::add.Tensor`; none for what only picks one of several results."""
    if isinstance(target, torch._ops.HigherOrderOperator):
        return [f"higher_order::{target}"]
    return [str(target).replace(".", "::", 1).removesuffix(".default")] if isinstance(target, torch._ops.OpOverload) else []


def operators(summary: Mapping[str, Any]) -> Mapping[str, int]:
    return dict(summary["schemas"])
