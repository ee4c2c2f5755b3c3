"""The ways from PyTorch to a runtime that tools/rules/computed.py asks: how a model is written down, converted and run."""
from __future__ import annotations

import dataclasses
import os
import pathlib
import re
import tempfile
from collections.abc import Callable
from typing import Any

import torch
from samples import operator_name

Inputs = tuple[torch.Tensor, ...]


@dataclasses.dataclass(frozen=True)
class Way:
    target: str  # ours
    suffix: str  # of the file that is judged
    write: Callable[[pathlib.Path, torch.nn.Module, Inputs], None]
    convert: Callable[[pathlib.Path, torch.nn.Module, Inputs], Any]
    run: Callable[[Any, Inputs], list[Any]]
    modules: tuple[str, ...]  # imported once, and not in each child
    profile: dict[str, Any] = dataclasses.field(default_factory=dict)  # of the table that is learnt: what no answer says
    left: Callable[[Any], str] = lambda _: ""  # says which operators stay with the CPU
    packages: tuple[str, ...] = ()  # whose versions it names
    is_learnt: bool = False  # from the answers: whole, or where there is no profile what fails and what is wrong
    operators: Callable[[], set[str]] = set  # those that the target has, whether or not they are asked about
    take_apart: Callable[[Any], Any] | None = None  # makes of a program one of the operators that are lowered
    lowered: Callable[[], set[str]] = set  # those that may be left then


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


def of_litert() -> set[str]:
    """What it decomposes, or has a lowering for."""
    from litert_torch import fx_infra
    from litert_torch.backend.lowerings import registry
    tables = [fx_infra.decomp.pre_convert_decomp(), fx_infra.decomp.pre_lower_decomp(), registry.global_registry.registered_ops]
    return {operator_name(each) for table in tables for each in table if may_be_called(each)} | taken_apart()


def parts_for_litert(program: Any) -> Any:
    from litert_torch import fx_infra
    return program.run_decompositions(fx_infra.decomp.pre_convert_decomp() | fx_infra.decomp.pre_lower_decomp())


def lowered_by_litert() -> set[str]:
    from litert_torch.backend.lowerings import registry
    return {operator_name(each) for each in registry.global_registry.registered_ops if isinstance(each, torch._ops.OpOverload)}


def may_be_called(target: Any) -> bool:
    """Whether it is an operator of torch's that a program may call as it is."""
    if not isinstance(target, torch._ops.OpOverload) or target.namespace not in ("aten", "torchvision"):
        return False
    return not target._schema.is_mutable


def taken_apart() -> set[str]:
    """Operators that torch itself makes of others, whoever asks for it."""
    names = torch._C._dispatch_get_registrations_for_dispatch_key("CompositeImplicitAutograd")
    found = (torch._C._get_schema(*(name.partition(".")[::2])) for name in names if name.startswith("aten::"))
    overloads = (getattr(getattr(torch.ops.aten, schema.name.partition("::")[2]), schema.overload_name or "default") for schema in found)
    return {operator_name(each) for each in overloads if may_be_called(each)}


def number_in(name: str) -> int:
    found = re.search(r"\d+", name)
    return int(found[0]) if found else 0


def in_litert(interpreter: Any, inputs: Inputs) -> list[Any]:
    """Inputs and outputs are bound by the number in their names: those of the interpreter are in no order. It has whole numbers of 32 bits."""
    for detail in interpreter.get_input_details():
        interpreter.set_tensor(detail["index"], inputs[number_in(detail["name"])].numpy().astype(detail["dtype"]))
    interpreter.invoke()
    return [interpreter.get_tensor(each["index"]) for each in sorted(interpreter.get_output_details(), key=lambda each: number_in(each["name"]))]


def said_to(descriptor: int, action: Callable[[], Any]) -> tuple[Any, str]:
    """What an action returns, or none where it fails, and what it writes to a descriptor meanwhile."""
    with tempfile.TemporaryFile() as log:
        kept = os.dup(descriptor)
        os.dup2(log.fileno(), descriptor)
        try:
            result = action()
        except RuntimeError as error:
            result = None
            log.write(str(error).encode())
        finally:
            os.dup2(kept, descriptor)
            os.close(kept)
        log.seek(0)
        return result, log.read().decode(errors="replace")


def to_executorch(path: pathlib.Path, _: torch.nn.Module, inputs: Inputs) -> Any:
    import edge_lowering
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
    from executorch.exir import to_edge_transform_and_lower
    from executorch.runtime import Runtime
    file = path.with_suffix(".pte")
    edge = to_edge_transform_and_lower(torch.export.load(path), partitioner=[XnnpackPartitioner()])
    left = [edge_lowering.edge_name(node.target) for node in edge.exported_program().graph.nodes if node.op == "call_function"]
    file.write_bytes(edge.to_executorch().buffer)
    method, words = said_to(2, lambda: Runtime.get().load_program(file).load_method("forward"))
    if method is None:
        missing = re.findall(r"Missing operator: \[\d+\] (\S+)", words)
        raise RuntimeError(f"Missing operator: {', '.join(missing)}" if missing else words)
    return method, sorted({name for name in left if name is not None})


def in_executorch(loaded: Any, inputs: Inputs) -> list[Any]:
    return list(loaded[0].execute(list(inputs)))


def left_by_executorch(loaded: Any) -> str:
    return f"no partitioner configuration for {', '.join(loaded[1])}, which runs on the portable kernels instead" if loaded[1] else ""


LITERT = {
    "description": "LiteRT: programs that litert-torch converts, run by ai-edge-litert on the CPU",
    "url": "https://github.com/google-ai-edge/litert-torch",
    "refusal": "Lowering not found: {operator}",
    "notes": ["litert_torch.convert(program.module(), inputs).export(path), run by ai-edge-litert's interpreter on an x86-64 machine",
              "torch's own samples of its operators and modules were converted, run and held against PyTorch in float64",
              "what it decomposes or lowers and has no sample is taken in part"]}
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
                      ("executorch.exir", "executorch.backends.xnnpack.partition.xnnpack_partitioner"), left=left_by_executorch, is_learnt=True),
    "litert": Way("litert", ".pt2", write_program, to_litert, in_litert, ("litert_torch", "ai_edge_litert.interpreter"),
                  LITERT, is_learnt=True, packages=("litert-torch", "ai-edge-litert", "torch"), operators=of_litert, take_apart=parts_for_litert,
                  lowered=lowered_by_litert),
}
