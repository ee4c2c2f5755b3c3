"""Random scripted models, recorded with their inputs and divided between eager and a target that refuses a random half of their
operators, give what the whole gives, to the last bit, call after call: with lists and dicts that are changed, a cache, branches,
loops and writes in place.

Environment: PROGRAM (built), SEEDS ("0-10").
"""

import importlib.util
import json
import os
import random
import sys
import tempfile
import unittest
from pathlib import Path

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

sys.path.insert(0, str(Path(__file__).parents[2] / "support"))

import preloaded

PROGRAM = os.environ["PROGRAM"]
SHAPE = (3, 4)
FUNCTIONS = ["sin", "cos", "tanh", "relu", "sigmoid", "exp"]
WRITTEN = {f"aten::{name}" for name in [*FUNCTIONS, "stack"]}
CALLS = 2  # of one model, whose cache is full in the second
HEAD = """
import torch
from typing import Dict, List
class Net(torch.nn.Module):
    kept: Dict[str, torch.Tensor]
    def __init__(self):
        super().__init__()
        self.kept = {}
        self.register_buffer("base", torch.ones(3, 4) / 4)
    def cached(self, key: str):
        if key not in self.kept:
            self.kept[key] = self.base[:, [1, 0, 3, 2]] + len(key)
        return self.kept[key]
    def forward(self, x):
        x = x.clone()
        marks = {"a": 1}
"""


def module_from(name, file):
    spec = importlib.util.spec_from_file_location(name, file)
    sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


def answer(*command):
    ran = preloaded.run([PROGRAM, *map(str, command)])
    ran.check_returncode()
    return json.loads(ran.stdout)


def divide(model, *options):
    return answer("partition", model, "--output-format", "json", *options)


def write_profile(file, operators):
    lines = "".join(f'"{operator}" = 0\n' for operator in operators)
    file.write_text(f'[target]\nname = "half"\n[judged]\ninplace_distinct = true\n[operators]\n{lines}')


def operators_of(model, profile):
    """Those that a division is about, as a profile that knows none of them lists them."""
    write_profile(profile, ["aten::nothing"])
    return sorted({obstacle["operator"] for obstacle in divide(model, "--profile", profile, "--gains", "0")["obstacles"]})


class Parts:
    """The files of a division as one function of the model's inputs."""

    def __init__(self, folder):
        self.manifest = json.loads((folder / "manifest.json").read_text())
        self.functions = [torch.jit.load(str(folder / part["file"])) for part in self.manifest["subgraphs"]]

    def __call__(self, *inputs):
        values = dict(zip((each["name"] for each in self.manifest["inputs"]), inputs, strict=True))
        for part, function in zip(self.manifest["subgraphs"], self.functions, strict=True):
            result = function(*(values[each["name"]] for each in part["inputs"]))
            outputs = [result] if len(part["outputs"]) == 1 else result
            values |= {each["name"]: output for each, output in zip(part["outputs"], outputs, strict=True)}
        return assembled(self.manifest["result"], values)


def assembled(tree, values):
    if tree is None or "value" in tree:
        return tree and values[tree["value"]]
    return [assembled(item, values) for item in next(tree[kind] for kind in ("tuple", "list", "dict") if kind in tree)]


def bits(results):
    leaves = [leaf for leaf in tree_leaves(results) if isinstance(leaf, torch.Tensor)]
    return [(leaf.dtype, leaf.shape, leaf.detach().contiguous().numpy().tobytes()) for leaf in leaves]


class Writer:
    """Writes the body of a `forward` of tensors, lists of tensors and of integers, dicts and lists of lists."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.names = [], 0
        self.tensors, self.lists, self.numbers = ["x"], [], []
        self.marks, self.rows = ["marks"], []
        self.caches = ['(self.cached("a") * 1)', '(self.cached("bc") * 1)']  # written into, it were state

    def write(self):
        for _ in range(self.random.randint(6, 16)):
            self.statement(2)
        results = self.random.sample(self.tensors, min(len(self.tensors), 3))
        self.line(2, "return " + ", ".join(f"{name} * 1" for name in results))
        return HEAD + "\n".join(self.lines) + "\n"

    def line(self, depth, text):
        self.lines.append("    " * depth + text)

    def named(self, kind, depth, value):
        self.names += 1
        name = f"v{self.names}"
        self.line(depth, f"{name} = {value}")
        kind.append(name)

    def statement(self, depth):
        tensor, other = self.random.choice(self.tensors), self.random.choice(self.tensors)
        some = self.random.choice(self.lists) if self.lists else None
        count = self.random.choice(self.numbers) if self.numbers else None
        function = self.random.choice(FUNCTIONS)
        bound = self.random.randint(0, 4)
        marks, key = self.random.choice(self.marks), self.random.choice(["a", "b"])
        plain = [
            lambda: self.named(self.tensors, depth, f"torch.{function}({tensor})"),
            lambda: self.named(self.tensors, depth, f"{tensor} * 0.5 + {other} * 0.25"),
            lambda: self.line(depth, self.random.choice([f"{tensor}.mul_(0.5)", f"{tensor}[0].add_(0.1)"])),
            lambda: self.named(self.lists, depth, f"[{tensor}, {other}]"),
            lambda: self.named(self.numbers, depth, f"[{bound}, 1]"),
            lambda: self.named(self.marks, depth, f'{{"a": {bound}}}'),
            lambda: self.line(depth, f'{marks}["{key}"] = {bound}'),
            lambda: self.named(self.tensors, depth, f'{tensor} * {marks}.get("{key}", 2)'),
            lambda: self.named(self.tensors, depth, f"{tensor} + {self.random.choice(self.caches)}"),
            lambda: self.named(self.tensors, depth, self.random.choice(self.caches)),
        ]
        if some:
            plain += [
                lambda: self.line(depth, f"{some}.append({tensor})"),
                lambda: self.line(depth, f"{some}[{self.random.choice([0, 1, -1])}] = {tensor}"),
                lambda: self.named(self.tensors, depth, self.random.choice([f"torch.stack({some}).sum(0)", f"{some}[-1] * 2"])),
            ]
        if count:
            change = self.random.choice([f"append({bound})", "reverse()", f"extend([{bound}, 2])", f"insert(0, {bound})"])
            plain += [
                lambda: self.line(depth, f"{count}[{self.random.choice([0, 1, -1])}] = {bound}"),
                lambda: self.line(depth, f"{count}.{change}"),
                lambda: self.named(self.tensors, depth, f"{tensor} * {self.random.choice(['len', 'sum'])}({count})"),
                lambda: self.named(self.tensors, depth, f"{tensor} + {count}[-1]"),
                lambda: self.named(self.rows, depth, f"[{count}, {self.random.choice(self.numbers)}]"),
            ]
        if self.rows:
            row = f"{self.random.choice(self.rows)}[{self.random.choice([0, 1, -1])}]"
            plain += [
                lambda: self.line(depth, f"{row}.append({bound})"),
                lambda: self.named(self.numbers, depth, row),
            ]
        nested = [
            lambda: self.nested(depth, f"if {tensor}.size(0) > {self.random.randint(1, 4)}:"),
            lambda: self.nested(depth, f"for i{depth} in range({self.random.choice([2, 3])}):"),
        ]
        nested += [lambda: self.nested(depth, f'if {marks}.get("{key}", 2) > {bound}:')]
        nested += [lambda: self.nested(depth, f"if {self.random.choice(self.caches)}.size({self.random.choice([0, 1])}) == 3:")]
        if some:
            nested += [lambda: self.nested(depth, f"for t{depth} in {some}:", f"t{depth}")]
        if count:
            nested += [lambda: self.nested(depth, f"if {self.random.choice(['sum', 'min', 'max'])}({count}) > {bound}:")]
        deep = depth < 5 and self.random.random() < 0.3
        self.random.choice(nested if deep else plain)()

    def nested(self, depth, opening, tensor=None):
        """A block, whose names are gone behind it, and which changes one from before it."""
        names = self.tensors, self.lists, self.numbers, self.marks, self.rows
        outside = [list(each) for each in names]
        changed = self.random.choice(outside[0])
        self.line(depth, opening)
        if tensor:
            self.tensors.append(tensor)
        for _ in range(self.random.randint(1, 4)):
            self.statement(depth + 1)
        self.line(depth + 1, f"{changed} = {self.random.choice(self.tensors)} * 0.75")
        for each, before in zip(names, outside, strict=True):
            each[:] = before


class Executed(TorchDispatchMode):
    """The operators that run."""

    def __init__(self):
        super().__init__()
        self.names = set()

    def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
        self.names.add(operator._schema.name)
        return operator(*args, **(kwargs or {}))


class RandomScripts(unittest.TestCase):
    def check(self, seed, folder):
        (folder / "net.py").write_text(Writer(seed).write())
        model = folder / f"net{seed}.scripted.pt"
        torch.jit.script(module_from(f"net{seed}", folder / "net.py").Net().eval()).save(str(model))
        torch.manual_seed(seed)
        inputs = [torch.randn(SHAPE)]
        try:
            whole, executed = torch.jit.load(str(model)), Executed()
            with executed:
                for _ in range(CALLS):
                    whole(inputs[0].clone())
        except RuntimeError:  # torch's own passes unroll some nested loops wrongly
            return
        graph = answer("graph", model)
        known = {(op["schema"] or "").split(".")[0] for op in graph["ops"]}
        self.assertEqual(executed.names & WRITTEN - known, set(), "what runs is in the graph")
        half = folder / "half.toml"
        operators = operators_of(model, half)
        refused = random.Random(seed).sample(operators, len(operators) // 2)
        write_profile(half, [name for name in operators if name not in refused])
        divide(model, "--profile", half, "--input=3x4:float32", "--emit", folder / "parts")
        given = []
        for function in (torch.jit.load(str(model)), Parts(folder / "parts")):
            torch.manual_seed(0)
            given.append(bits([function(inputs[0].clone()) for _ in range(CALLS)]))
        self.assertTrue(given[0], "there are results")
        self.assertEqual(given[0], given[1], (folder / "net.py").read_text())

    def test_divided_they_give_what_the_whole_gives(self):
        torch.set_num_threads(1)
        first, last = map(int, os.environ["SEEDS"].split("-"))
        for seed in range(first, last):
            with self.subTest(seed=seed), tempfile.TemporaryDirectory() as folder:
                self.check(seed, Path(folder))


if __name__ == "__main__":
    unittest.main()
