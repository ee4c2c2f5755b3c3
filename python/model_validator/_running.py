"""Models as functions of arrays, whatever runs them."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

from ._arrays import is_torch, to_numpy
from ._calling import call_arguments, state_kept
from ._library import Source, ask
from ._live import described
from ._nesting import as_torch, mapped
from .errors import ModelValidatorError

Run = Callable[[Any], Any]
"""Takes inputs as the user gave them."""


def reference_of(model: Any) -> Run:
    """As `callable_of`, but ONNX Runtime runs a file without optimisations: else it would be the reference of itself."""
    return _file(os.fspath(model), optimised=False) if isinstance(model, str | os.PathLike) else callable_of(model)


def callable_of(model: Any) -> Run:
    """A function that calls a model of any kind. @raises TypeError if it cannot be called"""
    if isinstance(model, str | os.PathLike):
        return _file(os.fspath(model))
    if hasattr(model, "get_inputs") and hasattr(model, "run"):
        return lambda inputs: _run_session(model, inputs)
    if _is_openvino(model):
        return lambda inputs: _run_openvino(model, inputs)
    if hasattr(model, "module") and type(model).__qualname__ == "ExportedProgram":
        return callable_of(model.module())
    if callable(model):
        return lambda inputs: _run_callable(model, inputs)
    raise TypeError(
        "the model cannot be called: give a path, an nn.Module, a function, an InferenceSession or a CompiledModel, "
        f"not {described(model)}"
    )


def name_of(model: Any) -> str:
    """The model's name in a report, with the precision that OpenVINO chose for it if lower than float32."""
    if isinstance(model, str):
        return model
    name = str(getattr(model, "__name__", None) or type(model).__name__)
    precision = model.get_property("INFERENCE_PRECISION_HINT").to_string() if _is_openvino(model) else "f32"
    return name if precision in ("f32", "f64") else f"{name} in {precision}"


def stored_in(model: Any) -> str | None:
    """The dtype of a model's weights, by OpenVINO's word, where they are stored in less than float32."""
    path = os.fspath(model) if isinstance(model, str | os.PathLike) else ""
    if not path.endswith(".xml"):
        return None
    with contextlib.suppress(OSError), open(path, encoding="utf-8", errors="replace") as file:
        few_bits = None
        for stored in re.finditer(r'type="Const"[^<]*<data element_type="(b?f16|[iu][48]|nf4|f8\w+|f4\w+)"', file.read()):
            if not stored[1].endswith("f16"):
                return stored[1]
            few_bits = stored[1]
        return few_bits
    return None


def _is_openvino(model: Any) -> bool:
    return type(model).__module__.startswith("openvino.") and hasattr(model, "create_infer_request")


def _file(path: str, *, optimised: bool = True) -> Run:
    # OpenVINO's own files are run, not linted; it knows them by their name, and finds their weights by it.
    model_format = "openvino-ir" if path.endswith(".xml") else _format_of(path)
    run = inference_function(path, model_format, optimised=optimised)

    def call(inputs: Any) -> Any:
        arguments, by_name = call_arguments(inputs)
        try:
            return run(*arguments, **by_name)
        except (ModelValidatorError, MemoryError):
            raise
        except Exception as error:  # of a runtime, with frames that are not the user's
            hint = "look at the inputs that the model takes: `model_validator inspect`"
            raise ModelValidatorError("run-failed", path, f"the model cannot be run: {reason_of(error)}", hint) from None

    return call


def _format_of(path: str) -> str:
    """@raises ModelValidatorError for a file that is no model"""
    answer = ask("inspect", [Source(path)], {"format": "json", "fingerprint": False})
    return str(json.loads(answer.texts["json"])["format"])


def reason_of(error: Exception) -> str:
    """What a runtime says is wrong, on one line: TorchScript's traceback comes before it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    named = [line.split("RuntimeError: ", 1)[1] for line in lines if "RuntimeError: " in line]
    return (named or lines or [type(error).__name__])[-1 if named else 0]


def _run_callable(model: Any, inputs: Any) -> Any:
    arguments, by_name = call_arguments(inputs)
    if _is_module(model):
        arguments, by_name = _where(model, as_torch((arguments, by_name)))
    with same_start(model):
        return model(*arguments, **by_name)


def _where(model: Any, value: Any) -> Any:
    """Inputs of one model go where the other one is: to the only device that holds its weights."""
    devices = {tensor.device for tensor in model.parameters() if tensor.device.type not in ("cpu", "meta")}
    return mapped(value, lambda tensor: tensor.to(*devices)) if len(devices) == 1 else value


def _is_module(model: Any) -> bool:
    torch: Any = sys.modules.get("torch")
    return torch is not None and hasattr(torch, "nn") and isinstance(model, torch.nn.Module)


@contextlib.contextmanager
def same_start(model: Any) -> Iterator[None]:
    """Gives both models the same random numbers, and restores the generators and the models' own state."""
    torch: Any = sys.modules.get("torch")
    if torch is None or not hasattr(torch, "random"):
        yield
        return
    with torch.random.fork_rng(devices=[]), state_kept(model):
        yield


@contextlib.contextmanager
def without_tf32() -> Iterator[list[str]]:
    """NVIDIA's GPUs compute convolutions of float32 in TF32 by default, with the 10 bits that float16 has: off by far more
    than rounding. Yields what a report should say of it."""
    torch: Any = sys.modules.get("torch")
    if torch is None or not hasattr(torch, "cuda") or not torch.cuda.is_initialized():
        yield []
        return
    switches = [torch.backends.cudnn, torch.backends.cuda.matmul]
    try:
        were_on = [switch for switch in switches if switch.allow_tf32]
    except RuntimeError:  # the precision was set in torch's newer way, by the user
        yield []
        return
    for switch in were_on:
        switch.allow_tf32 = False
    try:
        yield ["TF32 was off while the models ran: with it, results on a GPU differ by more than rounding"] if were_on else []
    finally:
        for switch in were_on:
            switch.allow_tf32 = True


def _named(inputs: Any, names: list[str]) -> dict[str, Any]:
    """The inputs by name, for a runtime that wants them so."""
    arguments, by_name = call_arguments(inputs)
    if by_name:
        return {name: to_numpy(value) for name, value in by_name.items()}
    if len(arguments) != len(names):
        raise ValueError(f"the model has {len(names)} inputs ({', '.join(names)}), and {len(arguments)} are given")
    return {name: to_numpy(value) for name, value in zip(names, arguments, strict=True)}


def _alone(outputs: list[Any]) -> Any:
    """A single output unwrapped, as frameworks return it."""
    return outputs[0] if len(outputs) == 1 else outputs


def _run_session(session: Any, inputs: Any) -> Any:
    return _alone(list(session.run(None, _named(inputs, [port.name for port in session.get_inputs()]))))


def _run_openvino(model: Any, inputs: Any) -> Any:
    arguments, by_name = call_arguments(inputs)
    given: Any = {name: to_numpy(value) for name, value in by_name.items()} or [to_numpy(value) for value in arguments]
    request = model.create_infer_request()
    results = request.infer(given)
    return _alone([results[port].copy() for port in model.outputs])


def inference_function(model: Any, model_format: str, *, optimised: bool = True) -> Callable[..., Any]:
    """A model as a function of arrays. model: a path, bytes, or an object that was read. optimised: whether ONNX Runtime
    may rewrite an ONNX model. @raises ModelValidatorError"""
    run = RUNNERS[model_format](model) if optimised or model_format != "onnx" else _onnx(model, optimised=False)

    def infer(*arrays: Any, **by_name: Any) -> Any:
        result = run(dict(by_name) if by_name else arrays)
        first = next(iter([*arrays, *by_name.values()]), None)
        return mapped(result, lambda array: _as(first, array))

    return infer


def _as(like: Any, array: Any) -> Any:
    if is_torch(like):
        torch: Any = sys.modules["torch"]
        return array if is_torch(array) else torch.from_numpy(array)
    return to_numpy(array)


def _import(name: str, path: str) -> Any:
    try:
        return __import__(name)
    except ImportError as error:
        raise ModelValidatorError(
            "backend-missing", path, f"running it needs the package {name}: {error}", f"pip install {name}"
        ) from None


def _path(model: Any) -> str:
    return model if isinstance(model, str) else ""


def _stream(model: Any) -> Any:
    import io

    return io.BytesIO(model) if isinstance(model, bytes) else model


def _torchscript(model: Any) -> Run:
    torch = _import("torch", _path(model))
    if isinstance(model, torch.nn.Module):
        return callable_of(model)
    return callable_of(torch.jit.load(_stream(model), map_location="cpu"))


def _exported_program(model: Any) -> Run:
    torch = _import("torch", _path(model))
    if hasattr(model, "module"):
        return callable_of(model.module())
    __import__("torch.export")
    return callable_of(torch.export.load(_stream(model)).module())


def _onnx(model: Any, *, optimised: bool = True) -> Run:
    content = model if isinstance(model, str | bytes) else model.SerializeToString()
    try:
        runtime = _import("onnxruntime", _path(model))
    except ModelValidatorError as error:
        with contextlib.suppress(ModelValidatorError):
            return _by_openvino(content)
        raise error from None
    settings = runtime.SessionOptions()
    settings.log_severity_level = 3
    if not optimised:
        settings.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return callable_of(runtime.InferenceSession(content, settings, providers=["CPUExecutionProvider"]))


def _openvino_ir(path: str) -> Run:
    try:
        return _by_openvino(path)
    except RuntimeError as error:
        hint = "its weights lie beside it, in a .bin of the same name; `model_validator verify` says more"
        reason = str(error).strip().rsplit("\n", 1)[-1]  # behind the places in OpenVINO's own code
        raise ModelValidatorError("backend-refused", path, f"OpenVINO cannot read the model: {reason}", hint) from None


def _by_openvino(content: str | bytes) -> Run:
    runtime = _import("openvino", _path(content))
    # By default OpenVINO computes in bfloat16 on a processor that supports it.
    return callable_of(runtime.Core().compile_model(_stream(content), "CPU", {"INFERENCE_PRECISION_HINT": "f32"}))


RUNNERS: dict[str, Callable[[Any], Run]] = {
    "torchscript": _torchscript,
    "exported-program": _exported_program,
    "onnx": _onnx,
    "openvino-ir": _openvino_ir,
}
