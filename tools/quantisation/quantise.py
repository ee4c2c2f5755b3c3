#!/usr/bin/env python3
"""Quantises models with four quantisers, and writes down which nodes each took and where it failed.

usage: tools/quantisation/quantise.py MODELS FOLDER [--only NAME...]

MODELS is a folder of NAME.onnx and NAME.pt2. FOLDER gets, for each NAME and as far as the quantiser succeeds,

    NAME.float.onnx          after onnxruntime.quantization's quant_pre_process: what its quantisers are given
    NAME.tensor.onnx, NAME.channel.onnx, NAME.dynamic.onnx      ONNX Runtime's quantize_static and quantize_dynamic
    NAME.nncf.onnx           NNCF's quantize
    NAME.pt2e.pt2, NAME.pt2e.onnx        torchao's convert_pt2e with the XNNPACK quantiser, and its export

and `quantised.json`: the error of each failure, and by node whether the XNNPACK and X86 quantisers take it. Weights that are
all zero are replaced by random numbers first. Needs onnx, onnxruntime, torch, torchao, executorch and nncf.
"""
from __future__ import annotations

import argparse
import functools
import json
import logging
import pathlib
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper

SAMPLES = 2


def random_weights(model: onnx.ModelProto) -> None:
    """Gives large weights that are all zero random numbers of the usual size."""
    random = np.random.default_rng(0)
    for tensor in model.graph.initializer:
        if tensor.data_type != onnx.TensorProto.FLOAT or len(tensor.dims) < 2:
            continue
        numbers = numpy_helper.to_array(tensor)
        if numbers.size >= 64 and not numbers.any():
            spread = 1 / np.sqrt(np.prod(numbers.shape[1:]))
            tensor.CopyFrom(numpy_helper.from_array((random.standard_normal(numbers.shape) * spread).astype(np.float32), tensor.name))


def samples_of(model: onnx.ModelProto) -> list[dict[str, np.ndarray]]:
    stored = {tensor.name for tensor in model.graph.initializer}
    random = np.random.default_rng(1)

    def sample(value: onnx.ValueInfoProto) -> np.ndarray:
        kind = onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
        shape = [size.dim_value or 2 for size in value.type.tensor_type.shape.dim]
        if np.issubdtype(kind, np.floating):
            return random.standard_normal(shape).astype(kind)
        return random.integers(0, 2, shape).astype(kind)

    return [{each.name: sample(each) for each in model.graph.input if each.name not in stored} for _ in range(SAMPLES)]


def attempt(outcome: dict[str, Any], name: str, work: Callable[[], None]) -> bool:
    """Whether it succeeds; the error is noted otherwise."""
    try:
        work()
        outcome[name] = None
    except Exception as error:  # whatever a quantiser raises
        last = traceback.extract_tb(error.__traceback__)[-1]
        outcome[name] = f"{type(error).__name__}: {str(error)[:300]} ({pathlib.Path(last.filename).name}:{last.lineno})"
    return outcome[name] is None


def run_once(file: pathlib.Path, sample: dict[str, np.ndarray]) -> None:
    import onnxruntime

    onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"]).run(None, sample)


def with_onnxruntime(source: pathlib.Path, stem: pathlib.Path, samples: list[dict[str, np.ndarray]], outcome: dict[str, Any],
                     label: str) -> None:
    from onnxruntime.quantization import CalibrationDataReader, QuantType, quantize_dynamic, quantize_static

    class Reader(CalibrationDataReader):  # type: ignore[misc]
        def __init__(self) -> None:
            self.left: Iterator[dict[str, np.ndarray]] = iter(samples)

        def get_next(self) -> dict[str, np.ndarray] | None:
            return next(self.left, None)

    def static(per_channel: bool, to: pathlib.Path) -> None:
        quantize_static(str(source), str(to), Reader(), per_channel=per_channel, activation_type=QuantType.QUInt8,
                        weight_type=QuantType.QInt8)
        run_once(to, samples[0])

    for kind, per_channel in (("tensor", False), ("channel", True)):
        to = stem.with_name(f"{stem.name}.{label}{kind}.onnx")
        if not attempt(outcome, f"{label}{kind}", functools.partial(static, per_channel, to)):
            to.unlink(missing_ok=True)
    to = stem.with_name(f"{stem.name}.{label}dynamic.onnx")

    def dynamic() -> None:
        quantize_dynamic(str(source), str(to), weight_type=QuantType.QInt8)
        run_once(to, samples[0])

    if not attempt(outcome, f"{label}dynamic", dynamic):
        to.unlink(missing_ok=True)


def with_nncf(source: pathlib.Path, stem: pathlib.Path, samples: list[dict[str, np.ndarray]], outcome: dict[str, Any]) -> None:
    import nncf

    def work() -> None:
        data = nncf.Dataset(samples)
        quantised = nncf.quantize(onnx.load(source), data, subset_size=SAMPLES)
        onnx.save(quantised, stem.with_name(stem.name + ".nncf.onnx"))

    attempt(outcome, "nncf", work)


def quantise_onnx(file: pathlib.Path, folder: pathlib.Path, outcome: dict[str, Any]) -> None:
    from onnxruntime.quantization.shape_inference import quant_pre_process

    model = onnx.load(file)
    random_weights(model)
    samples = samples_of(model)
    stem = folder / file.stem
    raw = stem.with_name(stem.name + ".raw.onnx")
    onnx.save(model, raw)
    if not attempt(outcome, "float", lambda: run_once(raw, samples[0])):
        return
    with_onnxruntime(raw, stem, samples, outcome, "raw-")
    for kind in ("tensor", "channel", "dynamic"):
        stem.with_name(f"{stem.name}.raw-{kind}.onnx").unlink(missing_ok=True)
    prepared = stem.with_name(stem.name + ".float.onnx")
    if not attempt(outcome, "preprocess", lambda: quant_pre_process(str(raw), str(prepared))):
        prepared.write_bytes(raw.read_bytes())
    with_onnxruntime(prepared, stem, samples, outcome, "")
    with_nncf(prepared, stem, samples, outcome)


def annotated(module: torch.fx.GraphModule, quantizer: Any) -> dict[str, list[Any]]:
    """By the name of a node: its operator, and whether the quantiser takes it."""
    from torchao.quantization.pt2e.utils import _fuse_conv_bn_

    _fuse_conv_bn_(module)
    module = quantizer.transform_for_annotation(module)
    quantizer.annotate(module)
    taken = {}
    for node in module.graph.nodes:
        if node.op == "call_function":
            note = node.meta.get("quantization_annotation")
            taken[node.name] = [str(node.target), bool(note is not None and note._annotated)]
    return taken


def quantise_pt2(file: pathlib.Path, folder: pathlib.Path, outcome: dict[str, Any]) -> None:
    from executorch.backends.xnnpack.quantizer.xnnpack_quantizer import XNNPACKQuantizer, get_symmetric_quantization_config
    from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e
    from torchao.quantization.pt2e.quantizer import x86_inductor_quantizer as inductor

    program = torch.export.load(file)
    torch.manual_seed(0)
    for values in program.state_dict.values():
        if values.is_floating_point() and values.dim() > 1 and not values.any():
            values.data.copy_(torch.randn(values.shape) / values[0].numel() ** 0.5)

    def xnnpack() -> Any:
        return XNNPACKQuantizer().set_global(get_symmetric_quantization_config(is_per_channel=True))

    def x86() -> Any:
        return inductor.X86InductorQuantizer().set_global(inductor.get_default_x86_inductor_quantization_config())

    def annotate(name: str, make: Callable[[], Any]) -> None:
        outcome[f"{name}-nodes"] = annotated(program.module(), make())

    for name, make in (("xnnpack", xnnpack), ("x86", x86)):
        attempt(outcome, f"{name}-annotate", functools.partial(annotate, name, make))
    arguments, keywords = program.example_inputs or ((), {})
    result: list[Any] = []

    def convert() -> None:
        prepared = prepare_pt2e(program.module(), xnnpack())
        prepared(*arguments, **keywords)
        converted = convert_pt2e(prepared)
        converted(*arguments, **keywords)
        result.append(torch.export.export(converted, arguments, keywords))

    if not attempt(outcome, "pt2e", convert):
        return
    torch.export.save(result[0], folder / f"{file.stem}.pt2e.pt2")
    attempt(outcome, "pt2e-onnx", lambda: torch.onnx.export(result[0], (), folder / f"{file.stem}.pt2e.onnx", dynamo=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", nargs="*", default=[])
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    options.folder.mkdir(parents=True, exist_ok=True)
    notes = options.folder / "quantised.json"
    outcomes: dict[str, dict[str, Any]] = json.loads(notes.read_text()) if notes.exists() else {}
    for name in sorted({file.stem for kind in ("*.onnx", "*.pt2") for file in options.models.glob(kind)}):
        if name in outcomes or (options.only and name not in options.only):
            continue
        outcome: dict[str, Any] = {}
        for suffix, quantise in ((".onnx", quantise_onnx), (".pt2", quantise_pt2)):
            file = options.models / f"{name}{suffix}"
            if file.exists():
                attempt(outcome, f"read{suffix}", functools.partial(quantise, file, options.folder, outcome))
        outcomes[name] = outcome
        notes.write_text(json.dumps(outcomes, indent=1) + "\n")
        print(name, {key: value for key, value in outcome.items() if not key.endswith("-nodes")}, flush=True)


if __name__ == "__main__":
    main()
