"""Objects of script classes, and tasks that run beside the model.

Recorded with its inputs, a model that makes objects is divided op by op; of one that keeps an object from call to call and
changes it there is a plan alone.

Environment: PROGRAM (built).
"""

import json
import os
import sys
import tempfile
import unittest
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parents[2] / "support"))

import preloaded

PROGRAM = os.environ["PROGRAM"]


@torch.jit.script
class Counter:
    def __init__(self, start: int):
        self.count = start

    def add(self, more: int):
        self.count += more


@torch.jit.script
class Scale:
    def __init__(self, factor: int):
        self.factor = factor

    def of(self, number: int) -> int:
        return number * self.factor


class Counting(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.counter = Counter(1)

    def forward(self, x):
        y = torch.sin(x)
        self.counter.add(2)
        return torch.exp(y) * self.counter.count


class Scaling(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = Scale(3)

    def forward(self, x):
        return torch.exp(torch.sin(x)) * self.scale.of(2)


@torch.jit.script
class Boxes:
    def __init__(self, tensor: torch.Tensor):
        self.tensor = tensor.relu()
        self.changes = 0

    def change(self):
        self.changes += 1
        self.tensor = self.tensor.tanh()

    def scaled(self, factor: float) -> torch.Tensor:
        return (self.tensor * factor).sigmoid()


@torch.jit.script
class Pair:
    def __init__(self, first: Boxes, second: Boxes):
        self.first = first
        self.second = second


class Making(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(3, 3)

    def forward(self, x):
        pair = Pair(Boxes(self.fc(x)), Boxes(x))
        pair.first.change()
        y = pair.first.scaled(2.0)
        pair.first.change()
        return y + pair.first.tensor * pair.first.changes + pair.second.scaled(0.5)


def doubled(x):
    x.mul_(2)
    return x + 1


class Branch(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 3, 1)

    def forward(self, x):
        return self.conv(x).relu()


class Forking(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.branches = torch.nn.ModuleList([Branch(), Branch()])
        self.register_buffer("scale", torch.ones(1))

    def forward(self, x):
        scale = self.scale * 2
        tasks = [torch.jit.fork(branch, x) for branch in self.branches]
        y = torch.cat([torch.jit.wait(task) for task in tasks], 1)
        more = torch.jit.wait(torch.jit.fork(doubled, scale))
        return y * scale + more


class Part(torch.nn.Module):
    def __init__(self, shared):
        super().__init__()
        self.shared = shared

    def forward(self, x):
        return torch.sin(self.shared(x))


class Sharing(torch.nn.Module):
    """A trace hands the shared module on, as an argument."""

    def __init__(self):
        super().__init__()
        self.shared = torch.nn.Linear(3, 3)
        self.part = Part(self.shared)

    def forward(self, x):
        return self.part(torch.exp(x))


def output_of(*arguments):
    done = preloaded.run([PROGRAM, *arguments])
    done.check_returncode()
    return done.stdout


class Kept(unittest.TestCase):
    def divide(self, model, *options):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "model.pt"
            torch.jit.script(model.eval()).save(str(file))
            command = [PROGRAM, "partition", file, "--target", "tensorrt", *options]
            if "--emit" in options:
                command.append(Path(folder) / "parts")
            return preloaded.run(command)

    def test_one_that_is_changed_has_a_plan_alone(self):
        done = self.divide(Counting(), "--input", "2x3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("sin_0", done.stdout)
        done = self.divide(Counting(), "--input", "2x3", "--emit")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("from call to call, which subgraphs cannot share", done.stderr)

    def test_one_that_is_read_is_divided(self):
        done = self.divide(Scaling(), "--input", "2x3", "--emit")
        self.assertEqual(done.returncode, 0, done.stderr)


class Made(unittest.TestCase):
    """Every op of the graph is divided, and calls of the whole and of the parts agree."""

    PROFILE = """[target]
name = "half"
[operators]
"aten::add" = 0
"aten::conv2d" = 0
"aten::linear" = 0
"aten::mul" = 0
"aten::sum" = 0
"aten::tanh" = 0
"""

    def check(self, model, *shape):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            file = folder / "model.pt"
            torch.jit.script(model.eval()).save(str(file))
            (folder / "half.toml").write_text(self.PROFILE)
            ops = json.loads(output_of("graph", file))["ops"]
            computing = {op["name"] for op in ops if op["kind"] in ("functional", "module")}
            for each in (["--profile", folder / "half.toml"], ["--target", "openvino"]):
                parts = folder / each[0].strip("-")
                inputs = ["--input", "x".join(map(str, shape))]
                plan = json.loads(output_of("partition", file, *each, *inputs, "--emit", parts, "--output-format", "json"))
                divided = [op for part in plan["partitions"] for op in part["ops"]]
                self.assertLessEqual(computing, set(divided))
                self.assertLessEqual(set(divided), {op["name"] for op in ops})
                self.assertEqual(len(divided), len(set(divided)))
                self.compare(file, parts, shape)

    def compare(self, file, parts, shape):
        manifest = json.loads((parts / "manifest.json").read_text())
        whole = torch.jit.load(str(file))
        subgraphs = [(each, torch.jit.load(parts / each["file"])) for each in manifest["subgraphs"]]
        for _ in range(2):
            x = torch.randn(shape)
            values = {manifest["inputs"][0]["name"]: x.clone()}
            for each, subgraph in subgraphs:
                made = subgraph(*(values[given["name"]] for given in each["inputs"]))
                outputs = each["outputs"]
                made = made if len(outputs) > 1 else [made]
                values.update(zip((output["name"] for output in outputs), made, strict=False))
            expected = whole(x.clone())
            result = values[manifest["result"]["value"]]
            self.assertTrue(torch.equal(result, expected))

    def test_objects_are_divided_op_by_op(self):
        self.check(Making(), 2, 3)

    def test_a_trace_that_hands_on_a_module_is_divided_without_inputs(self):
        with tempfile.TemporaryDirectory() as name:
            file, parts = Path(name) / "model.pt", Path(name) / "parts"
            torch.jit.trace(Sharing().eval(), torch.zeros(2, 3)).save(str(file))
            plan = json.loads(output_of("partition", file, "--target", "openvino", "--emit", parts, "--output-format", "json"))
            self.assertEqual([op for part in plan["partitions"] for op in part["ops"]], ["exp_0", "linear_0", "sin_0"])
            self.compare(file, parts, (2, 3))

    def test_tasks_are_divided_op_by_op(self):
        self.check(Forking(), 1, 3, 4, 4)


if __name__ == "__main__":
    passed = unittest.main(exit=False).result.wasSuccessful()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0 if passed else 1)  # threads of torch that ran tasks may abort a process that exits normally
