#!/usr/bin/env python3
"""exported_programs.py --tool PROGRAM [FOLDER]: run programs of torch.export here and in Python, and compare every bit.

Without a folder: the examples that torch keeps of what it exports (`torch._export.db.examples`), programs with control flow, with state,
and with dynamic sizes, the last ones at sizes that they were not exported with. With a folder: its `.pt2` files, with random inputs of the
sizes that they were exported with. With `--divided` each program is also divided between two targets, as `partition --emit` writes it, and
run in parts; its shapes are worked out as `check --input` does, and seen as `graph --run-values` does. Prints a line for each run that is
not the same, and a summary; exits with 1 if a run differs by more than rounding."""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy
import torch
from torch.export import Dim, ExportedProgram, export
from torch.export.graph_signature import InputKind, TensorArgument
from torch.utils._pytree import tree_leaves

Arguments = tuple[tuple[Any, ...], dict[str, Any]]


@dataclass
class Run:
    name: str
    program: ExportedProgram
    arguments: Arguments


def code_of(program: ExportedProgram) -> list[str]:
    """Of its graph and the graphs in it."""
    return [module.code for module in program.graph_module.modules() if isinstance(module, torch.fx.GraphModule)]


def runs_of(name: str, module: torch.nn.Module, arguments: Arguments, shapes: Any, others: list[Arguments]) -> Iterator[Run]:
    try:
        program = export(module, *arguments, dynamic_shapes=shapes)
    except Exception as failure:  # torch keeps examples of what it refuses, too
        print(f"{name}: not exported: {type(failure).__name__}", file=sys.stderr)
        return
    for number, given in enumerate([arguments, *others]):
        yield Run(f"{name} {number}", program, given)
    decomposed = program.run_decompositions()
    if code_of(decomposed) != code_of(program):
        yield Run(f"{name} decomposed", decomposed, arguments)


def database() -> Iterator[Run]:
    from torch._export.db.examples import all_examples

    for name, case in all_examples().items():
        arguments = (case.example_args, case.example_kwargs or {})
        yield from runs_of(f"exportdb {name}", case.model, arguments, case.dynamic_shapes, [])


class Condition(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cond(x.sum() > 0, self.linear, lambda a: a - 1, (x,))


class While(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        from torch._higher_order_ops.while_loop import while_loop

        return while_loop(lambda i, a: i < 5, lambda i, a: (i + 1, a * 1.5 + i), (torch.zeros((), dtype=torch.int64), x))


class Conditions(torch.nn.Module):
    """Graphs in graphs use names again; nobody reads the first result of the loop."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        from torch._higher_order_ops.while_loop import while_loop

        def inner(a: torch.Tensor) -> torch.Tensor:
            return torch.cond(a.mean() > 0, lambda b: (b.sin() + 1).sum(0, keepdim=True), lambda b: (b.cos() + 2).sum(0, keepdim=True), (a,))

        total = torch.cond(x.sum() > 0, inner, lambda a: (a.exp() + 3).sum(0, keepdim=True), (x,)) + 1
        return while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * 2), (torch.tensor(0), total))[1].relu()


class Cells(torch.nn.Module):
    """Modules of torch of which several nodes give the results, once they are decomposed."""

    def __init__(self) -> None:
        super().__init__()
        self.lstm = torch.nn.LSTM(4, 6, batch_first=True)
        self.cell = torch.nn.LSTMCell(6, 3)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        y, (h, c) = self.lstm(x)
        return y.relu(), h.tanh(), c.abs(), *self.cell(h[0])


class Map(torch.nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        from functorch.experimental.control_flow import map as mapped

        return mapped(lambda row, other: (row * other).softmax(-1), x, y)


class Scan(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        from torch._higher_order_ops.scan import scan

        return scan(lambda carry, row: (carry * 0.5 + row, (carry + row).tanh()), torch.zeros(4), x)


class Counter(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("calls", torch.zeros(()))
        self.register_buffer("mean", torch.zeros(4), persistent=False)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        self.calls.add_(1)
        self.mean = 0.9 * self.mean + 0.1 * x.mean(0)
        return x - self.mean, self.calls.clone()


class Sizes(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> dict[str, Any]:
        rows, columns = x.shape
        return {"more": x + 1, "ones": x.new_ones(rows * 2, columns), "flat": x.reshape(-1), "scaled": x / (rows**0.5), "rows": rows}


class Scalars(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return 1.0 / (2 - x), x * float("inf"), x.masked_fill(x > 0, -1e9), x.to(torch.bfloat16), x.chunk(2, 1)[1], x[:, [2, 0]], x.int() // 2


class Nested(torch.nn.Module):
    def forward(self, x: dict[str, torch.Tensor], *, pair: list[torch.Tensor]) -> tuple[list[torch.Tensor], tuple[torch.Tensor, None]]:
        return [x["a"] + pair[0], x["b"] * 2], (pair[1] - 1, None)


class Writes(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x.mul_(2)
        return x + 1


class NoGrad(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            y = x.exp()
        with torch.autocast("cpu", enabled=False):
            return y @ y.transpose(0, 1)


class Quantised(torch.nn.Module):
    """The operators that `convert_pt2e` writes."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("weight", torch.randint(-128, 128, (6, 4), dtype=torch.int8))
        self.register_buffer("scales", torch.rand(6) / 100 + 0.001)
        self.register_buffer("points", torch.randint(-3, 4, (6,)))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        ops = torch.ops.quantized_decomposed
        steps = ops.quantize_per_tensor(x, 0.02, 3, -128, 127, torch.int8)
        rounded = ops.dequantize_per_tensor(steps, 0.02, 3, -128, 127, torch.int8)
        weight = ops.dequantize_per_channel(self.weight, self.scales, self.points, 0, -128, 127, torch.int8)
        y = torch.nn.functional.linear(rounded, weight)
        by_channel = ops.quantize_per_channel(y, self.scales, self.points, 1, -128, 127, torch.int8)
        scale, point = ops.choose_qparams.tensor(y, -128, 127, 1e-5, torch.int8)
        dynamic = ops.quantize_per_tensor.tensor(y, scale, point, -128, 127, torch.int8)
        back = ops.dequantize_per_tensor.tensor(dynamic, scale, point, -128, 127, torch.int8)
        return steps, y, by_channel, scale, point, dynamic, back


def own() -> Iterator[Run]:
    import torch.ao.quantization.fx._decomposed  # registers them

    yield from runs_of("quantised", Quantised(), ((torch.randn(5, 4),), {}), ({0: Dim("n")},), [((torch.randn(3, 4),), {})])
    torch.manual_seed(0)
    x = torch.randn(6, 4)
    batch = {"x": {0: Dim("rows", min=2, max=64)}}
    cases: list[tuple[torch.nn.Module, Arguments, Any, list[Arguments]]] = [
        (Condition(), ((x,), {}), None, [((-x.abs(),), {})]),
        (While(), ((x,), {}), None, []),
        (Conditions(), ((x,), {}), None, [((-x.abs(),), {}), ((x.abs(),), {})]),
        (Cells().eval(), ((torch.randn(2, 3, 4),), {}), None, []),
        (Map(), ((x, torch.randn(4)), {}), None, []),
        (Scan(), ((x,), {}), None, []),
        (Counter(), ((x,), {}), batch, [((torch.randn(7, 4),), {})]),
        (Sizes(), ((x,), {}), batch, [((torch.randn(7, 4),), {}), ((torch.randn(12, 4),), {})]),
        (Scalars(), ((x,), {}), None, []),
        (Nested(), (({"a": x, "b": x + 1},), {"pair": [x, x]}), None, []),
        (Writes(), ((x,), {}), None, []),
        (NoGrad(), ((x,), {}), None, []),
        (torch.nn.LSTM(4, 6, batch_first=True).eval(), ((torch.randn(2, 3, 4),), {}), None, []),
        (torch.nn.TransformerEncoderLayer(8, 2, batch_first=True).eval(), ((torch.randn(2, 5, 8),), {}), {"src": {0: Dim("batch")}},
         [((torch.randn(6, 5, 8),), {})]),
        (torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.BatchNorm2d(4), torch.nn.ReLU()).eval(), ((torch.randn(2, 3, 8, 8),), {}), None, []),
    ]
    for module, arguments, shapes, others in cases:
        yield from runs_of(type(module).__name__, module, arguments, shapes, others)


def files(folder: pathlib.Path) -> Iterator[Run]:
    for path in sorted(folder.glob("*.pt2")):
        program = torch.export.load(path)
        given = program.example_inputs
        if given is None:
            print(f"{path.name}: holds no example of its inputs", file=sys.stderr)
            continue
        yield Run(path.name, program, given)


def named_inputs(run: Run) -> dict[str, numpy.ndarray]:
    specs = [spec.arg for spec in run.program.graph_signature.input_specs if spec.kind == InputKind.USER_INPUT]
    args, kwargs = run.arguments
    ordered = {key: kwargs[key] for key in kwargs}
    leaves = tree_leaves((args, ordered))
    return {
        spec.name: leaf.detach().numpy().copy()
        for spec, leaf in zip(specs, leaves, strict=True)
        if isinstance(spec, TensorArgument) and isinstance(leaf, torch.Tensor)
    }


def as_array(leaf: Any) -> numpy.ndarray:
    if not isinstance(leaf, torch.Tensor):
        return numpy.asarray(leaf)
    tensor = leaf.detach().contiguous()
    return tensor.view(torch.uint16).numpy() if tensor.dtype == torch.bfloat16 else tensor.numpy()


def same(left: numpy.ndarray, right: numpy.ndarray) -> bool:
    return left.shape == right.shape and left.tobytes() == right.tobytes()


def is_rounding(left: numpy.ndarray, right: numpy.ndarray) -> bool:
    """Libraries of matrix products choose another order of adding from run to run."""
    return left.shape == right.shape and numpy.allclose(left, right, rtol=0, atol=1e-6 * float(numpy.abs(right).max()))


def ran(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)


def outcome(tool: str, run: Run, folder: pathlib.Path) -> str:
    file = folder / "program.pt2"
    torch.export.save(run.program, file)
    inputs = named_inputs(run)
    numpy.savez(folder / "inputs.npz", **inputs)
    args, kwargs = run.arguments
    with torch.no_grad():
        expected = [as_array(leaf) for leaf in tree_leaves(run.program.module()(*args, **kwargs)) if leaf is not None]
    command = [tool, "verify", str(file), "--save-golden", str(folder / "golden"), "--threads", "1"]
    if inputs:
        command += ["--inputs", str(folder / "inputs.npz")]
    done = ran(command)
    if done.returncode != 0:
        return "refused: " + (done.stderr.strip() or done.stdout.strip()).replace("\n", " ")[:300]
    stored = numpy.load(folder / "golden" / "outputs_0.npz")
    results = [stored[name] for name in stored.files]
    if len(results) != len(expected):
        return f"differs: {len(results)} results for {len(expected)}"
    unequal = [(name, result, right) for name, result, right in zip(stored.files, results, expected, strict=True) if not same(result, right)]
    wrong = [name for name, result, right in unequal if not is_rounding(result, right)]
    if wrong:
        return "differs: " + ", ".join(wrong)
    return "rounding: " + ", ".join(name for name, _, _ in unequal) if unequal else "same"


def halved_profile(run: Run, file: pathlib.Path) -> None:
    """A target that takes every other kind of operator, so that the program is cut in many places."""
    targets = sorted({str(node.target).replace(".", "::", 1) for node in run.program.graph.nodes if str(node.target).startswith("aten.")})
    names = sorted({target.split(".")[0] for target in targets})
    lines = "".join(f'"{name}" = 0\n' for name in names[::2] or ["aten::relu"])
    file.write_text(f'[target]\nname = "half"\n[judged]\ninplace_distinct = true\n[operators]\n{lines}')


def message(done: subprocess.CompletedProcess[str]) -> str:
    return (done.stderr.strip() or done.stdout.strip()).replace("\n", " ")[:300]


def wrong_shapes(graph: dict[str, Any], results: Any) -> list[str]:
    """Outputs of a graph traced with inputs that have other shapes than the run gave, or none although the run for shapes came to its end."""
    if not graph["trace"]["complete"]:
        return []  # a shape depends on values
    traced = [output["shape"] for output in graph["outputs"] if output["dtype"] is not None]  # the others are None
    given = [list(results[name].shape) for name in results.files]
    if len(traced) != len(given):
        return [f"{len(traced)} outputs for {len(given)}"]
    return [f"{shape} for {expected}" for shape, expected in zip(traced, given, strict=True) if shape is not None and shape != expected]


class Shapes(torch.fx.Interpreter):
    """Runs a program in Python, and keeps the shape of every tensor of its own graph, by name."""

    def __init__(self, run: Run) -> None:
        super().__init__(run.program.graph_module)
        self.seen: dict[str, list[int]] = {}
        with torch.no_grad():
            super().run(*run.program._graph_module_flat_inputs(*run.arguments))

    def run_node(self, n: torch.fx.Node) -> Any:
        result = super().run_node(n)
        if isinstance(result, torch.Tensor):
            self.seen[n.name] = list(result.shape)
        return result


def wrong_products(graph: dict[str, Any], seen: dict[str, list[int]]) -> list[str]:
    """Values of the program's own graph that were traced with another shape than in Python, and ops of it that did not run once."""
    outside = {op["name"] for op in graph["ops"] if not op["region"]}
    traced = [(product["name"], product["shape"]) for product in graph["products"] if product["from"] in outside]
    shapes = [f"`{name}` {shape} for {seen[name]}" for name, shape in traced if name in seen and shape != seen[name]]
    return shapes + [f"`{run['op']}` {run['runs']} times" for run in graph["runs"] if run["op"] in outside]


def outcome_divided(tool: str, run: Run, folder: pathlib.Path) -> str:
    """After `outcome`, which leaves the program and its inputs in the folder."""
    program, parts = str(folder / "program.pt2"), str(folder / "parts")
    halved_profile(run, folder / "half.toml")
    given = ["--inputs", str(folder / "inputs.npz")] if named_inputs(run) else []
    if given:
        checked = ran([tool, "check", program, "--isolated", "--fail-on", "never", *given])
        if checked.returncode != 0:
            return "not checked: " + message(checked)
        graph = ran([tool, "graph", program, *given])
        if graph.returncode != 0:
            return "no graph: " + message(graph)
        if wrong := wrong_shapes(json.loads(graph.stdout), numpy.load(folder / "golden" / "outputs_0.npz")):
            return "differs in shape: " + ", ".join(wrong)
        values = json.loads(ran([tool, "graph", program, *given, "--run-values"]).stdout)
        if wrong := wrong_products(values, Shapes(run).seen):
            return "differs inside: " + ", ".join(wrong)
    options = ["--profile", str(folder / "half.toml"), "--emit", parts, "--output-format", "json"]
    divided = ran([tool, "partition", program, *options])
    if "computes nothing" in divided.stderr:
        return "same"  # sizes alone
    if divided.returncode != 0:
        return "not divided: " + message(divided)
    exactly = ["--rtol", "0", "--atol", "0", "--allow-empty"]  # some of these programs compute zeros alone
    compare = [tool, "verify", program, parts, "--no-lint", "--threads", "1", *exactly, *given]
    compared = ran(compare)
    return "same" if compared.returncode == 0 else "differs in parts: " + message(compared)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--divided", action="store_true", help="also run each program in parts")
    options = parser.parse_args()
    torch.set_num_threads(1)  # how a sum is divided among threads decides its last bit
    count: collections.Counter[str] = collections.Counter()
    runs = files(options.folder) if options.folder else (run for source in (database(), own()) for run in source)
    for run in runs:
        if options.only not in run.name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                result = outcome(options.tool, run, pathlib.Path(folder))
                if options.divided and result.split(":")[0] in ("same", "rounding"):
                    result = outcome_divided(options.tool, run, pathlib.Path(folder))
            except Exception as failure:
                result = f"not tried: {type(failure).__name__}: {failure}"[:300].replace("\n", " ")
        count[result.split(":")[0]] += 1
        if result != "same":
            print(f"{run.name}: {result}", flush=True)
    print(", ".join(f"{number} {kind}" for kind, number in count.most_common()))
    return 1 if any(kind.startswith("differs") for kind in count) else 0


if __name__ == "__main__":
    sys.exit(main())
