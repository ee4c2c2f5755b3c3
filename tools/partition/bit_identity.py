"""Divides models, runs the subgraphs in order, and compares with the whole model to the last bit.

    python tools/partition/bit_identity.py --tool build/release/bin/model_validator FOLDER

FOLDER holds NAME.traced.pt, NAME.scripted.pt or NAME.onnx, and next to them NAME.inputs.pt: the list of inputs, as
torch.save wrote it. Each model is divided between eager and the targets named with --target, and between eager and a
target that refuses every other kind of operator, so that it is cut in many places. Prints a table in Markdown. Where
operators of a library are missing, --prepare names a Python file that registers them.
"""

import argparse
import contextlib
import importlib
import json
import re
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path

import torch

ALTERNATING = "every other operator"
MOST_OPS = 10**6


def operators_of(tool, model):
    """The kinds of operators that a division of the model is about, as listed for a profile that knows none of them."""
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder) / "none.toml"
        write_profile(profile, "none", [prefix_of(model) + "::nothing"])
        plan = divide(tool, model, ["--profile", profile, "--gains", "0"])
        return sorted({obstacle["operator"] for obstacle in plan["obstacles"]})


def prefix_of(model):
    return "onnx" if model.suffix == ".onnx" else "aten"


def write_profile(file, name, operators):
    lines = "".join(f'"{operator}" = 0\n' for operator in operators)
    file.write_text(f'[target]\nname = "{name}"\n[judged]\ninplace_distinct = true\n[operators]\n{lines}')


def ran(command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def divide(tool, model, options, folder=None):
    command = [tool, "partition", model, "--output-format", "json", *options]
    if folder:
        command += ["--emit", folder]
    result = ran([str(part) for part in command])
    if result.returncode != 0:
        raise RuntimeError(result.stderr.strip().splitlines()[0] if result.stderr else f"status {result.returncode}")
    return json.loads(result.stdout)


class TorchScript:
    """Runs files with LibTorch."""

    def load(self, file):
        module = torch.jit.load(str(file))
        return lambda inputs: module(*inputs)

    def split(self, result, count):
        return [result] if count == 1 else list(result)


class Onnx:
    """Runs files with ONNX Runtime, without rewriting them: a rewrite across a cut would not be made in the subgraphs."""

    def load(self, file):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        session = onnxruntime.InferenceSession(str(file), options)
        names = [value.name for value in session.get_inputs()]
        return lambda inputs: session.run(None, dict(zip(names, inputs, strict=True)))

    def split(self, result, count):
        return list(result)


def defaults_of(model):
    """The default values that a TorchScript model takes for inputs that are not given."""
    if model.suffix == ".onnx":
        return {}
    arguments = torch.jit.load(str(model)).forward.schema.arguments
    return {argument.name: argument.default_value for argument in arguments if argument.has_default_value()}


class Subgraphs:
    """A division as one function of the model's inputs."""

    def __init__(self, runner, folder, defaults):
        self.runner, self.defaults = runner, defaults
        self.manifest = json.loads((folder / "manifest.json").read_text())
        self.functions = [runner.load(folder / subgraph["file"]) for subgraph in self.manifest["subgraphs"]]

    def __call__(self, inputs):
        values = dict(zip((value["name"] for value in self.manifest["inputs"]), inputs, strict=False))
        values = {**self.defaults, **values}
        for subgraph, function in zip(self.manifest["subgraphs"], self.functions, strict=True):
            result = function([values[value["name"]] for value in subgraph["inputs"]])
            outputs = self.runner.split(result, len(subgraph["outputs"]))
            values.update((value["name"], given) for value, given in zip(subgraph["outputs"], outputs, strict=True))
        return assemble(self.manifest["result"], values)


def assemble(tree, values):
    if tree is None:
        return None
    if "value" in tree:
        return values[tree["value"]]
    items = next(tree[kind] for kind in ("tuple", "list", "dict") if kind in tree)
    return [assemble(item, values) for item in items]


def leaves(result):
    if isinstance(result, dict):
        return [leaf for value in result.values() for leaf in leaves(value)]
    if isinstance(result, (list, tuple)):
        return [leaf for value in result for leaf in leaves(value)]
    return [result]


def bits(value):
    if value is None or isinstance(value, (bool, int, float, str)):
        return repr(value)
    tensor = value if isinstance(value, torch.Tensor) else torch.from_numpy(value)
    if tensor.is_sparse or tensor.is_quantized:
        tensor = tensor.to_dense() if tensor.is_sparse else tensor.int_repr()
    return str(tensor.dtype), tuple(tensor.shape), tensor.detach().contiguous().flatten().view(torch.uint8).numpy().tobytes()


def inputs_of(model, name):
    inputs = torch.load(model.parent / f"{name}.inputs.pt", weights_only=False)
    inputs = list(inputs.values()) if isinstance(inputs, dict) else list(inputs)
    if model.suffix != ".onnx":
        return inputs
    return [tensor.numpy() for tensor in leaves(inputs) if isinstance(tensor, torch.Tensor)]


def copies(values):
    return [value.clone() if isinstance(value, torch.Tensor) else value for value in values]


def compare(tool, model, name, options, calls=1):
    """(partitions, whether all outputs are the same to the last bit, call after call)"""
    runner = Onnx() if model.suffix == ".onnx" else TorchScript()
    with tempfile.TemporaryDirectory() as scratch, torch.no_grad():
        folder = Path(scratch) / "subgraphs"
        plan = divide(tool, model, options, folder)
        results = []
        for function in (runner.load(model), Subgraphs(runner, folder, defaults_of(model))):
            torch.manual_seed(0)
            given = [function(copies(inputs_of(model, name))) for _ in range(calls)]
            results.append([bits(leaf) for leaf in leaves(given)])
        return plan, results[0] == results[1]


def shapes_of(model, name):
    """The options that state the inputs, which decide branches and how often loops run."""
    for value in inputs_of(model, name):
        if isinstance(value, torch.Tensor):
            yield f"--input={'x'.join(map(str, value.shape))}:{str(value.dtype).removeprefix('torch.')}"


def divisions(tool, model, targets, scratch, shapes):
    for target in targets:
        yield target, ["--target", target, *shapes]
    operators = operators_of(tool, model)
    profile = Path(scratch) / f"{model.name}.toml"
    write_profile(profile, "half", operators[::2])
    yield ALTERNATING, ["--profile", profile, *shapes]


def prepare(file):
    if file:
        runpy.run_path(str(file))
        return
    with contextlib.suppress(ImportError, RuntimeError):  # not there, or built without its operators
        importlib.import_module("torchvision")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--target", action="append", default=[], help="of TorchScript files; may come more than once")
    parser.add_argument("--shapes", action="store_true", help="divide TorchScript files for the shapes of their inputs")
    parser.add_argument("--only", default="", help="models whose file name matches this pattern")
    parser.add_argument("--prepare", type=Path, help="a Python file that is run first")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    prepare(arguments.prepare)
    print("| model | divided between eager and | partitions | ops on eager | the same to the last bit |\n|---|---|---|---|---|")
    failed = 0
    files = sorted(path for path in arguments.folder.iterdir() if re.search(r"\.(traced|scripted)\.pt$|\.onnx$", path.name))
    with tempfile.TemporaryDirectory() as scratch:
        for model in files:
            name = model.name.split(".")[0]
            if not re.search(arguments.only, model.name) or not (model.parent / f"{name}.inputs.pt").exists():
                continue
            targets = arguments.target if model.suffix != ".onnx" else []
            shapes = list(shapes_of(model, name)) if arguments.shapes and model.suffix != ".onnx" else []
            try:
                for division, options in divisions(arguments.tool, model, targets, scratch, shapes):
                    plan, same = compare(arguments.tool, model, name, options)
                    eager = sum(part["op_count"] for part in plan["partitions"] if part["target"] == "eager")
                    print(
                        f"| {model.name} | {division} | {len(plan['partitions'])} | {eager} of {plan['ops']} | {'yes' if same else 'NO'} |",
                        flush=True,
                    )
                    failed += not same
            except Exception as failure:
                print(f"| {model.name} | | | | {type(failure).__name__}: {str(failure)[:300]} |", flush=True)
                failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
