"""The ways from PyTorch to a runtime that tools/rules/computed.py asks: how a model is written down, converted and run."""
from __future__ import annotations

import dataclasses
import functools
import os
import pathlib
import re
import tempfile
from collections.abc import Callable
from typing import Any

import torch
from samples import operator_name

Inputs = tuple[torch.Tensor, ...]


class NotAskedError(Exception):
    """What comes of a sample is a matter of its numbers."""


@dataclasses.dataclass(frozen=True)
class Way:
    target: str  # ours
    suffix: str  # of the file that is judged
    write: Callable[[pathlib.Path, torch.nn.Module, Inputs], None]
    convert: Callable[[pathlib.Path, torch.nn.Module, Inputs], Any]
    run: Callable[[Any, Inputs], list[Any]] | None  # none where what comes out does not run here
    modules: tuple[str, ...]  # imported once, and not in each child
    profile: dict[str, Any] = dataclasses.field(default_factory=dict)  # of the table that is learnt: what no answer says
    left: Callable[[Any], str] = lambda _: ""  # says which operators stay with the CPU
    packages: tuple[str, ...] = ()  # whose versions it names
    is_learnt: bool = False  # from the answers: whole, or where there is no profile what fails and what is wrong
    operators: Callable[[], set[str]] = set  # those that the target has, whether or not they are asked about
    take_apart: Callable[[Any], Any] | None = None  # makes of a program one of the operators that are lowered
    lowered: Callable[[], set[str]] = set  # those that may be left then
    stated: tuple[dict[str, Any], ...] = ()  # entries of what it refuses, or of another `kind`: of operators that they name, `of` all, or as it said
    dtypes: tuple[torch.dtype, ...] = (torch.float32, torch.int64, torch.bool)  # of samples: the first two that an operator has
    draw: str = ""  # of the samples that are held out


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


def tflite_of(path: pathlib.Path, inputs: Inputs) -> pathlib.Path:
    import litert_torch
    file = path.with_suffix(".tflite")
    litert_torch.convert(torch.export.load(path).module(), inputs).export(str(file))
    return file


def to_litert(path: pathlib.Path, _: torch.nn.Module, inputs: Inputs) -> Any:
    from ai_edge_litert.interpreter import Interpreter
    interpreter = Interpreter(str(tflite_of(path, inputs)))
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
    return callable_of(torch._C._dispatch_get_registrations_for_dispatch_key("CompositeImplicitAutograd"))


def of_torch() -> set[str]:
    """Operators that a program may call, but for those that torch keeps to itself."""
    return {name for name in callable_of(torch._C._dispatch_get_all_op_names()) if not name.startswith("aten::_") and "backward" not in name}


def callable_of(names: list[str]) -> set[str]:
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


NOT_DELEGATED = ["bfloat16", "bool", "complex64", "complex128", "float64", "int16", "int32", "int64", "int8", "uint8"]
OF_REALS = ({"when": [{"input": 0, "dtypes": NOT_DELEGATED}], "reason": "XNNPACK takes tensors of float32 and float16 only", "of": "all",
             "asked": "ravel.int64.0"},)


def quantised(path: pathlib.Path, inputs: Inputs) -> pathlib.Path:
    """In int8, as its own inputs calibrate it."""
    from ai_edge_litert.interpreter import Interpreter
    from ai_edge_quantizer import quantizer, recipe
    file, real = path.with_suffix(".int8.tflite"), tflite_of(path, inputs)
    interpreter = Interpreter(str(real))
    (name, signature), = interpreter.get_signature_list().items()
    details = interpreter.get_signature_runner(name).get_input_details()
    given = {each: inputs[number_in(each)].numpy().astype(details[each]["dtype"]) for each in signature["inputs"]}
    asked = quantizer.Quantizer(str(real), recipe.static_wi8_ai8())
    asked.quantize(asked.calibrate({name: [given]})).export_model(str(file), overwrite=True)
    return file


WARNING = re.compile(r"Warning \([^)]*\) operator: (\w+), ofm: .*\nReason: (.*(?:\n.+)*)")
# Names of tensors, and sizes.
OF_ONE_MODEL = re.compile(r" ?\((?!Padding)[^()]*[^\d(), {}][^()]*\)|\s+IFM: [\d, ]+(?=\n|$)|:(?: -?\d+,?)+(?=\n|$)|(?<=factor)=[\d.]+")
BETWEEN = {"QUANTIZE", "DEQUANTIZE"}  # of what stays in float32
FAILED = re.compile(r"Compilation failed: Error:(?:\s+'[^']*')?([^\n]*(?:\n [^\n]*)*)")
OF_VALUES = "scales must be finite"  # which infinities and numbers that are none have when they calibrate


def in_velas_words(text: str) -> list[str]:
    """Which operators it leaves, each with its reason: those that only follow from others where there are none."""
    found = [(name, "; ".join(" ".join(line.split()) for line in OF_ONE_MODEL.sub("", said).splitlines())) for name, said in WARNING.findall(text)]
    told = [each for each in found if each[0] not in BETWEEN] or found
    return list(dict.fromkeys(f"{name}: {said}".removeprefix("None: ") for name, said in told))


def failure_of_vela(words: str) -> Exception:
    found = FAILED.search(words)
    said = " ".join(found[1].split()) if found else words[-200:]
    return NotAskedError(said) if OF_VALUES in said else RuntimeError(said)


def by_vela(accelerator: str, path: pathlib.Path, _: torch.nn.Module, inputs: Inputs) -> list[str]:
    from ethosu.vela import vela
    file = quantised(path, inputs)
    with tempfile.TemporaryDirectory() as folder:
        arguments = [str(file), "--accelerator-config", accelerator, "--show-cpu-operations", "--output-dir", folder]
        status, words = said_to(1, lambda: vela.main(arguments))
    if status or "Compilation failed" in words:
        raise failure_of_vela(words)
    left = in_velas_words(words)
    return left or re.findall(r"CPU: (\w+) = ", words)


SHAPELESS = "Operation has shapeless tensor; Tensors must have constant shape."
WITH_AXES = {"input": 0, "ranks": list(range(1, 9))}
STATED = ({"when": [{"input": 0, "ranks": [0]}], "reason": SHAPELESS},
          *({"when": [*beside, {**place, "ranks": [0]}], "reason": SHAPELESS, "of": "all"}
            for beside, place in (([], {"input": 1}), ([WITH_AXES], {"output": 0}))),
          {"when": [{"input": 0, "empty": True}], "kind": "fails", "of": "all",
           "reason": "KeyError: 'serving_default_args_0': there are no values to calibrate with", "asked": "new_zeros.float32.1"},
          {"operators": ["aten::hardtanh", "aten::relu6"], "when": [{"input": 0, "entry": True}], "asked": "nn_ReLU6.float32.2",
           "reason": "RELU6: Operation has tensor with unsupported DataType Float32: nothing before it takes it in"},
          {"operators": ["aten::chunk", "aten::split.Tensor", "aten::split_with_sizes", "aten::unsafe_split.Tensor"], "kind": "fails",
           "when": [{"output": 1, "absent": True}], "reason": "AttributeError: 'list' object has no attribute 'dtype'", "asked": "split.float32.1"},
          {"operators": ["aten::div.Tensor"], "when": [{"input": 1, "computed": True}], "reason": "DIV: Unsupported opType"},
          {"operators": ["aten::_to_copy", "aten::to.dtype", "aten::to.dtype_layout", "aten::type_as"], "reason": "CAST: Unsupported opType",
           "when": [{"input": 0, "dtypes": ["float32"]},
                    {"output": 0, "dtypes": ["bool", "float16", "int16", "int32", "int64", "int8", "uint8"]}]})
ETHOS_U = {
    "description": "Arm's Ethos-U55: operators that Vela compiles for it, of programs that litert-torch converts and ai-edge-quantizer makes int8",
    "url": "https://pypi.org/project/ethos-u-vela/",
    "refusal": "Lowering not found: {operator}",
    "notes": ["vela model.tflite --accelerator-config ethos-u55-128, of the static int8 (static_wi8_ai8) of what litert_torch.convert gives",
              "torch's own samples of its operators and modules, of float32, were converted, quantised and compiled; nothing was run",
              "an operator falls back where it is left to the CPU in part: one of torch's becomes several of LiteRT's",
              "how far int8 is off, speed and memory are not judged"],
    "judged": {"falls_back": True}}


def parts_for_coreai(program: Any) -> Any:
    import coreai_torch
    return program.run_decompositions(coreai_torch.get_decomp_table())


def lowered_by_coreai() -> set[str]:
    """A lowering may be told under a name without an overload."""
    from coreai_torch._aten_to_core import _aten_to_core_resolver
    return {f"aten::{each}".removesuffix(".default") for each in _aten_to_core_resolver}


def to_coreai(path: pathlib.Path, _: torch.nn.Module, __: Inputs) -> None:
    import coreai_torch
    program = parts_for_coreai(torch.export.load(path))
    with tempfile.TemporaryDirectory() as folder:
        coreai_torch.TorchConverter().add_exported_program(program).to_coreai().save_asset(pathlib.Path(folder) / "model.aimodel")


def of_coreai() -> set[str]:
    """What is decomposed before it is converted, or has a lowering."""
    import coreai_torch
    decomposed = {operator_name(each) for each in coreai_torch.get_decomp_table() if may_be_called(each)}
    return decomposed | lowered_by_coreai() | taken_apart()


COREAI = {
    "description": "Apple's Core AI: exported programs that coreai-torch converts",
    "url": "https://pypi.org/project/coreai-torch/",
    "refusal": "The exported program contains unsupported ATen ops: {operator}",
    "notes": ["TorchConverter().add_exported_program(program.run_decompositions(get_decomp_table())).to_coreai().save_asset(path), on Linux",
              "torch's own samples of its operators and modules were converted; nothing was run, since Core AI runs on Apple's systems alone",
              "what it decomposes or lowers and has no sample is taken in part"]}
OF_LITERT = (
    {"operators": [f"aten::{name}" for name in ("addbmm", "addmm", "baddbmm", "bmm", "linear", "mm")],
     "when": [{"input": 0, "dtypes": ["int16", "int32", "int64", "int8", "uint8"]}],
     "reason": "ValueError: Failed to run converter passes: error: failed to legalize operation: matrices of whole numbers", "asked": "bmm.int64.0"},
    {"operators": [f"aten::max_pool{n}d_with_indices" for n in (1, 2, 3)], "when": [{"attribute": "used", "is": [2]}], "kind": "wrong",
     "reason": "it counts places otherwise: it is off by 85 of 85", "asked": "nn_functional_max_pool3d.float32.0"})
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
                      ("executorch.exir", "executorch.backends.xnnpack.partition.xnnpack_partitioner"), left=left_by_executorch, is_learnt=True,
                      stated=OF_REALS, draw="2"),
    "litert": Way("litert", ".pt2", write_program, to_litert, in_litert, ("litert_torch", "ai_edge_litert.interpreter"),
                  LITERT, stated=OF_LITERT, is_learnt=True, packages=("litert-torch", "ai-edge-litert", "torch"), operators=of_litert,
                  take_apart=parts_for_litert, lowered=lowered_by_litert, draw="2"),
    "coreai": Way("coreai", ".pt2", write_program, to_coreai, None, ("coreai_torch",),
                  COREAI, is_learnt=True, packages=("coreai-torch", "coreai-core", "torch"), operators=of_coreai, take_apart=parts_for_coreai,
                  lowered=lowered_by_coreai),
    "ethos-u": Way("ethos-u", ".pt2", write_program, functools.partial(by_vela, "ethos-u55-128"), None,
                   ("litert_torch", "ai_edge_quantizer.quantizer", "ethosu.vela.vela"), ETHOS_U, left="; ".join,
                   packages=("ethos-u-vela", "litert-torch", "ai-edge-quantizer", "torch"), is_learnt=True, operators=of_litert,
                   take_apart=parts_for_litert, lowered=lowered_by_litert, stated=STATED, dtypes=(torch.float32,), draw="2"),
}
