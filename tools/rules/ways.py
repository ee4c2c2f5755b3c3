"""The ways from PyTorch to a runtime that tools/rules/computed.py asks: how a model is written down, converted and run."""
from __future__ import annotations

import dataclasses
import pathlib
import re
from collections.abc import Callable
from typing import Any

import torch

Inputs = tuple[torch.Tensor, ...]


@dataclasses.dataclass(frozen=True)
class Way:
    target: str  # ours
    suffix: str  # of the file that is judged
    write: Callable[[pathlib.Path, torch.nn.Module, Inputs], None]
    convert: Callable[[pathlib.Path, torch.nn.Module, Inputs], Any]
    run: Callable[[Any, Inputs], list[Any]]
    modules: tuple[str, ...]  # imported once, and not in each child


def write_program(path: pathlib.Path, module: torch.nn.Module, inputs: Inputs) -> None:
    torch.export.save(torch.export.export(module, inputs, strict=False), path)


def write_trace(path: pathlib.Path, module: torch.nn.Module, inputs: Inputs) -> None:
    torch.jit.trace(module, inputs, check_trace=False).save(path)


def session(path: pathlib.Path) -> Any:
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options)


def to_onnx(path: pathlib.Path, _: torch.nn.Module, inputs: Inputs) -> Any:
    file = path.with_suffix(".onnx")
    program = torch.onnx.export(torch.export.load(path), inputs, dynamo=True, verbose=False)
    program.save(file)
    return session(file)


def to_onnx_by_trace(path: pathlib.Path, _: torch.nn.Module, inputs: Inputs) -> Any:
    file = path.with_suffix(".onnx")
    torch.onnx.export(torch.jit.load(path), inputs, file, dynamo=False, opset_version=17)
    return session(file)


def in_onnxruntime(loaded: Any, inputs: Inputs) -> list[Any]:
    """An exporter leaves out what it does not need, and keeps the order."""
    names = [each.name for each in loaded.get_inputs()]
    given = inputs if len(names) == len(inputs) else [t for t in inputs if t.numel()][: len(names)]
    return list(loaded.run(None, {name: tensor.numpy() for name, tensor in zip(names, given, strict=True)}))


def to_openvino(source: Any, inputs: Inputs, **options: Any) -> Any:
    import openvino
    model = openvino.convert_model(source, **options)
    return openvino.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1})


def in_openvino(loaded: Any, inputs: Inputs) -> list[Any]:
    results = loaded([each.numpy() for each in inputs])
    halves = [output.get_element_type().get_type_name() == "bf16" for output in loaded.outputs]  # numpy has no such dtype
    return [torch.from_numpy(results[i].copy()).view(torch.bfloat16) if is_half else results[i] for i, is_half in enumerate(halves)]


def to_litert(path: pathlib.Path, _: torch.nn.Module, inputs: Inputs) -> Any:
    import litert_torch
    from ai_edge_litert.interpreter import Interpreter
    file = path.with_suffix(".tflite")
    litert_torch.convert(torch.export.load(path).module(), inputs).export(str(file))
    interpreter = Interpreter(str(file))
    interpreter.allocate_tensors()
    return interpreter


def number_in(name: str) -> int:
    found = re.search(r"\d+", name)
    return int(found[0]) if found else 0


def in_litert(interpreter: Any, inputs: Inputs) -> list[Any]:
    """Inputs and outputs are bound by the number in their names: those of the interpreter are in no order. It has whole numbers of 32 bits."""
    for detail in interpreter.get_input_details():
        interpreter.set_tensor(detail["index"], inputs[number_in(detail["name"])].numpy().astype(detail["dtype"]))
    interpreter.invoke()
    return [interpreter.get_tensor(each["index"]) for each in sorted(interpreter.get_output_details(), key=lambda each: number_in(each["name"]))]


def to_executorch(path: pathlib.Path, _: torch.nn.Module, inputs: Inputs) -> Any:
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
    from executorch.exir import to_edge_transform_and_lower
    from executorch.runtime import Runtime
    file = path.with_suffix(".pte")
    edge = to_edge_transform_and_lower(torch.export.load(path), partitioner=[XnnpackPartitioner()])
    file.write_bytes(edge.to_executorch().buffer)
    return Runtime.get().load_program(file).load_method("forward")


def in_executorch(method: Any, inputs: Inputs) -> list[Any]:
    return list(method.execute(list(inputs)))


OPENVINO = ("openvino", "openvino.frontend.pytorch.ts_decoder", "openvino.frontend.pytorch.fx_decoder")
WAYS = {
    "onnx-export": Way("onnx-export", ".pt2", write_program, to_onnx, in_onnxruntime,
                       ("onnxruntime", "onnxscript", "torch.onnx._internal.exporter._core")),
    "onnx": Way("onnx", ".pt", write_trace, to_onnx_by_trace, in_onnxruntime, ("onnxruntime",)),
    "openvino-trace": Way("openvino", ".pt", write_trace,
                          lambda path, _, inputs: to_openvino(torch.jit.load(path), inputs, example_input=inputs), in_openvino, OPENVINO),
    "openvino-program": Way("openvino", ".pt2", write_program, lambda path, _, inputs: to_openvino(torch.export.load(path), inputs), in_openvino,
                            OPENVINO),
    "executorch": Way("executorch-xnnpack", ".pt2", write_program, to_executorch, in_executorch,
                      ("executorch.exir", "executorch.backends.xnnpack.partition.xnnpack_partitioner")),
    "litert": Way("litert", ".pt2", write_program, to_litert, in_litert, ("litert_torch", "ai_edge_litert.interpreter")),
}
