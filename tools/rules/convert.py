#!/usr/bin/env python3
"""Asks a real converter about model files: converted or not, why, and the operators that it names.

usage: python tools/rules/convert.py TARGET --out TRUTH.json FILE…      with a Python that has the target's package

Next to a file NAME.traced.pt, NAME.scripted.pt or NAME.pt2 are its inputs, NAME.inputs.pt or NAME.json. Each file is
converted in a process of its own. The result has the shape {"TARGET": {"files": {NAME: {"result", "kind", …}}}}.
"""
from __future__ import annotations

import argparse
import importlib
import json
import multiprocessing
import pathlib
import re
import resource
import sys
import time
import warnings

import torch

SECONDS = 120              # of the processor, so that an answer does not depend on other load on the machine
PATIENCE = 10              # times as long may pass in wall time
OPSET = 17
sys.modules["openvino_telemetry"] = None   # it would wait for the network


def inputs_of(path: pathlib.Path) -> tuple:
    stem = path.parent / path.name.split(".")[0]
    if stem.with_suffix(".inputs.pt").exists():
        saved = torch.load(stem.with_suffix(".inputs.pt"), weights_only=True)
        return tuple(saved) if isinstance(saved, (list, tuple)) else (saved,)
    described = json.loads(stem.with_suffix(".json").read_text())["inputs"]
    return tuple(tensor_of(d) for d in described)


def tensor_of(description: str) -> torch.Tensor:
    """`float32[1, 3, 96, 96]`"""
    name, shape = re.fullmatch(r"(\w+)\[(.*)\]", description).groups()
    sizes = [int(s) for s in shape.split(",") if s.strip()]
    dtype = getattr(torch, name)
    return torch.rand(sizes, dtype=dtype) if dtype.is_floating_point else torch.zeros(sizes, dtype=dtype)


def onnx(path, inputs):
    model = torch.jit.load(path, map_location="cpu").eval()
    torch.onnx.export(model, inputs, "/dev/null", opset_version=OPSET, dynamo=False)


def onnx_export(path, inputs):
    torch.onnx.export(torch.export.load(path), (), dynamo=True, verbose=False)


def openvino(path, inputs):
    import openvino as ov
    if path.endswith(".pt2"):
        ov.convert_model(torch.export.load(path))
        return
    ov.convert_model(torch.jit.load(path, map_location="cpu").eval(), example_input=inputs)


def coreml(path, inputs):
    import coremltools as ct
    model = torch.jit.load(path, map_location="cpu").eval()
    kinds = {torch.int64: "int32", torch.int32: "int32", torch.bool: "bool"}
    types = [ct.TensorType(shape=tuple(i.shape) or (1,), dtype=__import__("numpy").dtype(kinds.get(i.dtype, "float32")).type)
             for i in inputs]
    ct.convert(model, inputs=types, convert_to="mlprogram", skip_model_load=True)


def tvm(path, inputs):
    from tvm.relax.frontend.torch import from_exported_program
    from_exported_program(torch.export.load(path))


def executorch_xnnpack(path, inputs):
    """Fails where the partitioner leaves an operator to the portable kernels."""
    from edge_lowering import edge_name
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
    from executorch.exir import EdgeCompileConfig, to_edge_transform_and_lower
    edge = to_edge_transform_and_lower(torch.export.load(path), partitioner=[XnnpackPartitioner()],
                                       compile_config=EdgeCompileConfig(_check_ir_validity=False))
    calls = (n.target for n in edge.exported_program().graph.nodes if n.op == "call_function")
    left = {name.removeprefix("aten::") for target in calls if (name := edge_name(target))}
    if left:
        raise RuntimeError(f"not delegated: {', '.join(sorted(left))}")


CONVERTERS = {"onnx": onnx, "onnx-export": onnx_export, "openvino": openvino, "coreml": coreml, "tvm": tvm,
              "executorch-xnnpack": executorch_xnnpack}

NAMED = (r"No conversion rule found for operations: ([^\n]*)", r"Exporting the operator '([^']*)'",
         r"PyTorch convert function for op '([^']*)' not implemented", r"Unsupported function types \[([^\]]*)\]",
         r"No ONNX function found for <OpOverload\(op='([^']*)'", r"not delegated: ([^\n]*)")


def named_operators(text: str) -> list[str]:
    found = {name.strip(" '") for pattern in NAMED for match in re.findall(pattern, text) for name in match.split(",")}
    return sorted(found - {""})


def summary_of(text: str) -> str:
    """OpenVINO gives the reason last, after pages of traceback."""
    return re.sub(r"\s+", " ", text[max(text.find("Summary:"), 0):])[:600]


def readable(path: pathlib.Path) -> bool:
    """A file that torch itself cannot load again says nothing about a converter."""
    try:
        torch.export.load(path)
    except Exception:
        return False
    return True


def verdict(converter, path: pathlib.Path, pipe) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    warnings.filterwarnings("ignore")
    sys.stdout = sys.stderr = open("/dev/null", "w")  # noqa: SIM115 - for the life of the process
    if path.suffix == ".pt2" and not readable(path):
        pipe.send({"result": "unread"})
        return
    try:
        converter(str(path), inputs_of(path))
        pipe.send({"result": "ok"})
    except Exception as error:
        text = f"{error}\n{error.__cause__ or ''}"
        named = named_operators(text)
        pipe.send({"result": "failed", "kind": "unsupported_op" if named else "other", "unsupported": named,
                   "error_type": type(error).__name__, "error": summary_of(text)})


def ask(converter, path: pathlib.Path) -> dict:
    started = time.monotonic()
    receiver, sender = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.Process(target=verdict, args=(converter, path, sender))
    child.start()
    sender.close()
    try:
        answer = receiver.recv() if receiver.poll(SECONDS * PATIENCE) else {"result": "failed", "kind": "timeout"}
    except EOFError:
        answer = {"result": "failed", "kind": "crashed"}
    child.kill()
    child.join()
    return {**answer, "seconds": round(time.monotonic() - started, 1)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("target", choices=sorted(CONVERTERS))
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("files", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    torch.set_grad_enabled(False)
    torch.set_num_threads(1)   # a child has no use of its parent's threads, and would wait for them
    warm_up(options.target)
    files = {path.name: ask(CONVERTERS[options.target], path) for path in options.files}
    options.out.write_text(json.dumps({options.target: {"files": files}}, indent=1) + "\n")
    print(f"{options.target}: {sum(f['result'] == 'ok' for f in files.values())} of {len(files)} converted")


def warm_up(target: str) -> None:
    """Imports the package once, for all children."""
    __import__({"onnx": "onnx", "onnx-export": "onnxscript", "openvino": "openvino.frontend.pytorch.ts_decoder",
                "coreml": "coremltools", "tvm": "tvm.relax.frontend.torch",
                "executorch-xnnpack": "executorch.backends.xnnpack.partition.xnnpack_partitioner"}[target])
    if target == "onnx":
        import onnx_profile
        onnx_profile.registry()
    if target == "onnx-export":
        importlib.import_module("torch.onnx._internal.exporter._registration")


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
