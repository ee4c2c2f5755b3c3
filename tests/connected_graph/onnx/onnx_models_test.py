"""Reads models that the `onnx` package made and checked, and holds the graphs against what was put in.

    onnx_models_test.py PROGRAM FOLDER
"""

import collections
import json
import subprocess
import sys
from pathlib import Path

import onnx
import onnx_models

PLAIN = ["conv2d", "batch_norm", "relu", "clamp", "pad", "max_pool2d", "interpolate", "sum", "squeeze", "dropout"]


def graph_of(program, file):
    run = subprocess.run([program, "graph", "--format", "json", file], capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, f"{file}: {run.stderr}"
    return json.loads(run.stdout)


def types(graph):
    return [op["type"] for op in graph["ops"] if op["kind"] not in ("input", "output")]


def regions(graph):
    """How many ops stand where."""
    return collections.Counter("/".join(op["region"]) for op in graph["ops"] if op["region"])


def check_plain(graph, opset):
    assert types(graph) == PLAIN, f"opset {opset}: {types(graph)}"
    assert len(graph["inputs"]) == 1, "weights are no inputs"


def check_if(graph):
    assert types(graph).count("if") == 2 and set(types(graph)) >= {"exp", "neg", "abs", "sqrt"}, types(graph)
    inside = regions(graph)
    # The outer `if` is counted first, so the inner one has the second number.
    assert sum(inside.values()) == 5, inside
    assert {len(label.split("/")) for label in inside} == {1, 2}, inside


def check_loop(graph):
    assert types(graph).count("loop") == 1 and {"mul", "relu"} <= set(types(graph)), types(graph)
    assert set(regions(graph)) == {"loop@0"}, regions(graph)


def check_scan(graph):
    assert types(graph).count("scan") == 1 and {"add", "tanh"} <= set(types(graph)), types(graph)
    assert set(regions(graph)) == {"loop@0"}, regions(graph)


def check_functions(graph):
    calls = [op for op in graph["ops"] if op["kind"] == "functional"]
    assert len(calls) == 1 and calls[0]["schema"] == "test.functions::Twice", calls


def check_scopes(graph):
    assert [op["parent"] for op in graph["ops"] if op["kind"] == "functional"] == ["layer1.0.conv1", "layer1.0.relu", "layer1.0"]


def check_external(graph):
    assert types(graph) == ["matmul"], types(graph)


def check_unusual(graph):
    assert {"cat", "quantize_per_tensor", "dequantize"} <= set(types(graph)), types(graph)
    shapes = {product["name"]: product["dtype"] for product in graph["products"]}
    assert shapes["names"] == "string", shapes


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    names = []
    for name, model in onnx_models.all_models():
        file = folder / f"{name}.onnx"
        onnx.save(model, file)
        onnx.checker.check_model(str(file))
        graph = graph_of(program, file)
        if name.startswith("opset"):
            check_plain(graph, int(name.removeprefix("opset")))
        else:
            globals()[f"check_{name}"](graph)
        names.append(name)
    (folder / "weights.bin").unlink()
    check_external(graph_of(program, folder / "external.onnx"))  # weights beside the file are not looked for
    print(f"{len(names)} models read as they were made: {', '.join(names)}")


if __name__ == "__main__":
    main()
