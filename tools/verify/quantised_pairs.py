"""Honest quantised copies of small networks by the tools that people quantise with, and twins of them with one fault.

python tools/verify/quantised_pairs.py FOLDER [PROGRAM] [--only WORD]
    writes pairs into FOLDER (those that are there already are kept) and, with a PROGRAM, asks its `verify` about each.
    Needs torch, onnx, onnxruntime with onnx_ir; what torchao makes is left out where it is not installed.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import io
import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy
import onnx
import torch
from onnx import helper, numpy_helper
from torch import nn
from torch.nn import functional

LONGEST = 300  # seconds, of one verification
FP8 = onnx.TensorProto.FLOAT8E4M3FN


class Classifier(nn.Module):
    """A residual network with BatchNorm, whose deviations, bias or epsilon may be wrong."""

    def __init__(self, fault: str = "") -> None:
        super().__init__()
        self.first = nn.Conv2d(3, 16, 3, 2, 1, bias=False)
        self.norm = nn.BatchNorm2d(16, eps=1e-2 if fault == "epsilon" else 1e-5)
        self.second, self.third = nn.Conv2d(16, 16, 3, padding=1), nn.Conv2d(16, 32, 3, 2, 1)
        self.head = nn.Linear(32, 10)
        self.norm.running_var.uniform_(0.005, 0.035)
        self.norm.running_mean.normal_(0, 0.1)
        deviations = [0.225, 0.224, 0.229] if fault == "deviations" else [0.229, 0.224, 0.225]
        self.register_buffer("deviation", torch.tensor(deviations))
        if fault == "bias":
            self.third.bias.zero_()
        if fault == "rows":
            self.second.weight[[2, 5]] = self.second.weight[[5, 2]]

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        x = (image - 0.45) / self.deviation[None, :, None, None]
        x = functional.relu(self.norm(self.first(x)))
        x = functional.relu(x + self.second(x))
        return self.head(functional.relu(self.third(x)).mean((2, 3)))


class Block(nn.Module):
    """Attention and a feed-forward layer, each behind a LayerNorm."""

    def __init__(self, size: int, causal: bool, fault: str) -> None:
        super().__init__()
        self.before, self.between = nn.LayerNorm(size), nn.LayerNorm(size, eps=1e-2 if fault == "epsilon" else 1e-5)
        self.qkv, self.out = nn.Linear(size, 3 * size), nn.Linear(size, size)
        self.up, self.down = nn.Linear(size, 2 * size), nn.Linear(2 * size, size)
        self.causal, self.gelu = causal, "tanh" if fault == "gelu" else "none"
        if fault == "bias":
            self.up.bias.zero_()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = self.qkv(self.before(x)).chunk(3, -1)
        scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
        if self.causal:
            hidden = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
            scores = scores.masked_fill(hidden, -1e9)
        x = x + self.out(scores.softmax(-1) @ v)
        return x + self.down(functional.gelu(self.up(self.between(x)), approximate=self.gelu))


class Transformer(nn.Module):
    """A vision transformer, or a language model with a cap on its logits."""

    def __init__(self, fault: str = "", words: int = 0, size: int = 64) -> None:
        super().__init__()
        self.embed = nn.Embedding(words, size) if words else nn.Conv2d(3, size, 8, 8)
        self.blocks = nn.Sequential(Block(size, bool(words), fault), Block(size, bool(words), ""))
        self.norm, self.head = nn.LayerNorm(size), nn.Linear(size, words or 10)
        self.words, self.capped = words, fault != "cap"
        for module in self.modules():
            if isinstance(module, nn.Linear):
                module.weight.normal_(0, 0.12)
        self.head.weight.normal_(0, 0.5)
        if fault == "rows":
            up = self.blocks[0].up
            up.weight[[2, 5]] = up.weight[[5, 2]]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.embed(x) if self.words else self.embed(x).flatten(2).transpose(1, 2)
        y = self.head(self.norm(self.blocks(x)))
        if not self.words:
            return y.mean(1)
        return 10 * torch.tanh(y / 10) if self.capped else y


class Recurrent(nn.Module):
    def __init__(self, fault: str = "") -> None:
        super().__init__()
        self.lstm, self.head = nn.LSTM(8, 32, batch_first=True), nn.Linear(32, 5)
        if fault == "bias":
            self.head.bias.zero_()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.lstm(x)[0])


class Perceptron(nn.Module):
    def __init__(self, fault: str = "") -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(128, 256), nn.ReLU(), nn.Linear(256, 128), nn.GELU(), nn.Linear(128, 10))
        if fault == "bias":
            self.layers[2].bias.zero_()
        if fault == "rows":
            self.layers[2].weight[[2, 5]] = self.layers[2].weight[[5, 2]]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layers(x)


def images(seed: int) -> torch.Tensor:
    coarse = torch.rand(4, 3, 4, 4, generator=torch.Generator().manual_seed(seed))
    return functional.interpolate(coarse, size=(32, 32), mode="bicubic").clamp(0, 1)


def numbers(*shape: int) -> Callable[[int], torch.Tensor]:
    return lambda seed: torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def words(seed: int) -> torch.Tensor:
    return torch.randint(0, 300, (2, 16), generator=torch.Generator().manual_seed(seed))


NETWORKS: dict[str, tuple[Callable[[str], nn.Module], Callable[[int], torch.Tensor], list[str]]] = {
    "cnn": (Classifier, images, ["epsilon", "deviations", "bias", "rows"]),
    "vit": (Transformer, images, ["epsilon", "bias", "rows", "gelu"]),
    "lm": (lambda fault: Transformer(fault, words=300), words, ["epsilon", "cap", "bias", "rows"]),
    "lstm": (Recurrent, numbers(1, 20, 8), ["bias"]),
    "mlp": (Perceptron, numbers(8, 128), ["bias", "rows"]),
}


def network(name: str, fault: str = "") -> nn.Module:
    torch.manual_seed(0)
    with torch.no_grad():
        return NETWORKS[name][0](fault).eval()


def export(model: nn.Module, x: torch.Tensor, file: Path) -> Path:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()), torch.no_grad():
        torch.onnx.export(copy.deepcopy(model), (x,), str(file), dynamo=False, opset_version=19, input_names=["x"])
    return file


def static(**options: object) -> Callable[[Path, Path, str], None]:
    from onnxruntime import quantization

    def quantise(reference: Path, copy_: Path, name: str) -> None:
        class Reader(quantization.CalibrationDataReader):
            def __init__(self) -> None:
                self.left = iter([{"x": NETWORKS[name][1](seed).numpy()} for seed in (8, 2, 3, 4)])

            def get_next(self) -> dict[str, numpy.ndarray] | None:
                return next(self.left, None)

        quantization.quantize_static(str(reference), str(copy_), Reader(), **{"per_channel": True, **options})

    return quantise


def dynamic(**options: object) -> Callable[[Path, Path, str], None]:
    def quantise(reference: Path, copy_: Path, name: str) -> None:
        from onnxruntime.quantization import quantize_dynamic

        quantize_dynamic(str(reference), str(copy_), **options)

    return quantise


def in_blocks(**options: object) -> Callable[[Path, Path, str], None]:
    def quantise(reference: Path, copy_: Path, name: str) -> None:
        from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer

        quantizer = MatMulNBitsQuantizer(onnx.load(reference), **options)
        quantizer.process()
        onnx.save(quantizer.model.model, copy_)

    return quantise


def halves(**options: object) -> Callable[[Path, Path, str], None]:
    def quantise(reference: Path, copy_: Path, name: str) -> None:
        from onnxruntime.transformers.float16 import convert_float_to_float16

        onnx.save(convert_float_to_float16(onnx.load(reference), **options), copy_)

    return quantise


def stored_weights(reference: Path, copy_: Path, change: Callable[[onnx.GraphProto, onnx.TensorProto], None]) -> None:
    model = onnx.load(reference)
    for tensor in list(model.graph.initializer):
        if tensor.data_type == onnx.TensorProto.FLOAT and len(tensor.dims) > 1:
            model.graph.initializer.remove(tensor)
            change(model.graph, tensor)
    onnx.save(model, copy_)


def half_weights(reference: Path, copy_: Path, name: str) -> None:
    def change(graph: onnx.GraphProto, tensor: onnx.TensorProto) -> None:
        half = numpy_helper.to_array(tensor).astype(numpy.float16)
        graph.initializer.append(numpy_helper.from_array(half, tensor.name + "_half"))
        graph.node.insert(0, helper.make_node("Cast", [tensor.name + "_half"], [tensor.name], to=1))

    stored_weights(reference, copy_, change)


def fp8_weights(reference: Path, copy_: Path, name: str) -> None:
    def change(graph: onnx.GraphProto, tensor: onnx.TensorProto) -> None:
        values = torch.from_numpy(numpy_helper.to_array(tensor).copy())
        scale = float(values.abs().max()) / 448
        raw = (values / scale).to(torch.float8_e4m3fn).view(torch.uint8).numpy().tobytes()
        graph.initializer.append(helper.make_tensor(tensor.name + "_q", FP8, tensor.dims, raw, raw=True))
        graph.initializer.append(numpy_helper.from_array(numpy.float32(scale), tensor.name + "_s"))
        inputs = [tensor.name + "_q", tensor.name + "_s"]
        graph.node.insert(0, helper.make_node("DequantizeLinear", inputs, [tensor.name]))

    stored_weights(reference, copy_, change)


def quantisers() -> dict[str, tuple[Callable[[Path, Path, str], None], str]]:
    """Each with the networks that it takes."""
    from onnxruntime.quantization import QuantFormat, QuantType

    int8 = {"activation_type": QuantType.QInt8, "weight_type": QuantType.QInt8}
    return {
        "static": (static(weight_type=QuantType.QInt8), "cnn mlp vit"),
        "static_s8": (static(**int8), "cnn"),
        "static_tensor": (static(per_channel=False, **int8), "cnn mlp"),
        "static_qop": (static(quant_format=QuantFormat.QOperator, weight_type=QuantType.QInt8), "cnn mlp"),
        "dynamic": (dynamic(), "vit lm lstm mlp"),
        "dynamic_channel": (dynamic(per_channel=True, weight_type=QuantType.QInt8), "vit lm mlp"),
        "nbits4_32": (in_blocks(block_size=32, is_symmetric=True), "lm vit mlp"),
        "nbits4_32_asym": (in_blocks(block_size=32, is_symmetric=False), "lm"),
        "nbits4_128": (in_blocks(block_size=128, is_symmetric=True), "lm vit mlp"),
        "nbits4_int8": (in_blocks(block_size=32, is_symmetric=True, accuracy_level=4), "lm vit"),
        "nbits8": (in_blocks(block_size=32, is_symmetric=True, bits=8), "lm"),
        "float16": (halves(keep_io_types=True), "cnn vit lm mlp"),
        "float16_io": (halves(keep_io_types=False), "cnn"),
        "float16_weights": (half_weights, "cnn lm lstm"),
        "fp8_weights": (fp8_weights, "cnn lm mlp"),
    }


class Fp8Linear(nn.Module):
    """A linear layer whose weight is stored in float8 with a scale for each row."""

    def __init__(self, layer: nn.Linear) -> None:
        super().__init__()
        scale = layer.weight.detach().abs().amax(1, keepdim=True) / 448
        self.register_buffer("weight", (layer.weight.detach() / scale).to(torch.float8_e4m3fn))
        self.register_buffer("scale", scale)
        self.bias = nn.Parameter(layer.bias.detach())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional.linear(x, self.weight.to(torch.float32) * self.scale, self.bias)


def with_fp8(model: nn.Module) -> nn.Module:
    for name, child in model.named_children():
        setattr(model, name, Fp8Linear(child) if isinstance(child, nn.Linear) else with_fp8(child))
    return model


def torchao_int8(model: nn.Module) -> nn.Module:
    from torchao.quantization import Int8WeightOnlyConfig, quantize_
    from torchao.utils import unwrap_tensor_subclass

    quantize_(model, Int8WeightOnlyConfig())
    return unwrap_tensor_subclass(model)


class Halved(nn.Module):
    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model.half()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.model(x.half()).float()


PROGRAMS: dict[str, tuple[Callable[[nn.Module], nn.Module], str]] = {
    "pt2_fp8": (with_fp8, "mlp vit"),
    "pt2_int8": (torchao_int8, "mlp vit"),
    "pt2_float16": (Halved, "mlp cnn"),
}


def spoil_weight(file: Path) -> bool:
    """One number of a quantised weight becomes 127 (15 in four bits) where it was far from it."""
    model = onnx.load(file)
    for tensor in model.graph.initializer:
        if tensor.data_type == onnx.TensorProto.INT8 and len(tensor.dims) > 1:
            values = numpy_helper.to_array(tensor).copy()
            values.flat[int(numpy.argmin(numpy.abs(values.astype(int))))] = 127
            tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))
            onnx.save(model, file)
            return True
    return False


def spoil_scale(file: Path) -> bool:
    """One scale of a weight (of one channel, or of all) is 1.5 times what it was."""
    model = onnx.load(file)
    for tensor in model.graph.initializer:
        name = tensor.name.lower()
        is_scale = ("weight" in name or "matmul" in name) and name.endswith(("_scale", "_scales", "_s"))
        if is_scale and tensor.data_type == onnx.TensorProto.FLOAT and "bias" not in name:
            values = numpy_helper.to_array(tensor).copy().astype(numpy.float32)
            values.reshape(-1)[: max(1, values.size // 16)] *= 1.5
            tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))
            onnx.save(model, file)
            return True
    return False


def make(folder: Path, name: str, quantise: Callable[[Path, Path, str], None], fault: str) -> dict[str, str] | None:
    folder.mkdir(parents=True)
    x = NETWORKS[name][1](8)
    reference = export(network(name), x, folder / "reference.onnx")
    wrong = fault if fault in NETWORKS[name][2] else ""
    source = export(network(name, wrong), x, folder / "source.onnx") if wrong else reference
    copy_ = folder / "copy.onnx"
    quantise(source, copy_, name)
    spoilers = {"weight": spoil_weight, "scale": spoil_scale}
    if fault in spoilers and not spoilers[fault](copy_):
        return None
    torch.save([x], folder / "inputs.pt")
    return {"reference": "reference.onnx", "copy": "copy.onnx"}


def make_program(folder: Path, name: str, change: Callable[[nn.Module], nn.Module], fault: str) -> dict[str, str]:
    folder.mkdir(parents=True)
    x = NETWORKS[name][1](8)
    with torch.no_grad():
        torch.export.save(torch.export.export(network(name), (x,)), folder / "reference.pt2")
        changed = change(network(name, fault))
        torch.export.save(torch.export.export(changed, (x,)), folder / "copy.pt2")
    torch.save([x], folder / "inputs.pt")
    return {"reference": "reference.pt2", "copy": "copy.pt2"}


def jobs() -> list[tuple[str, Callable[[Path], dict[str, str] | None]]]:
    found: list[tuple[str, Callable[[Path], dict[str, str] | None]]] = []
    for kind, (quantise, names) in quantisers().items():
        for name in names.split():
            for fault in ["", *NETWORKS[name][2], "weight", "scale"]:
                if fault == "weight" and not ("static" in kind or "dynamic" in kind):
                    continue
                if fault == "scale" and ("float16" in kind or kind == "dynamic"):
                    continue
                found.append((f"{name}-{kind}-{fault or 'honest'}", lambda folder, n=name, q=quantise, f=fault: make(folder, n, q, f)))
    for kind, (change, names) in PROGRAMS.items():
        for name in names.split():
            for fault in ["", *NETWORKS[name][2]]:
                found.append((f"{name}-{kind}-{fault or 'honest'}", lambda folder, n=name, c=change, f=fault: make_program(folder, n, c, f)))
    return found


def ratio(folder: Path, pair: dict[str, str]) -> str:
    """Of the pair, by the runtime in Python, in dB."""
    import onnxruntime

    if pair["copy"].endswith(".pt2"):
        return ""
    x = torch.load(folder / "inputs.pt")[0].numpy()
    got = []
    for file in (pair["reference"], pair["copy"]):
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        session = onnxruntime.InferenceSession(str(folder / file), options)
        kind = session.get_inputs()[0].type
        got.append(session.run(None, {"x": x.astype(numpy.float16) if "float16" in kind else x})[0].astype(float))
    return f"{10 * numpy.log10((got[0] ** 2).sum() / max(((got[0] - got[1]) ** 2).sum(), 1e-300)):.0f} dB"


def ask(program: str, folder: Path, pair: dict[str, str]) -> tuple[int, str]:
    command = [
        program,
        "verify",
        str(folder / pair["reference"]),
        str(folder / pair["copy"]),
        "--inputs",
        str(folder / "inputs.pt"),
        "--no-lint",
        "--threads",
        "1",
        "--output-format",
        "json",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, check=False)
    if done.returncode not in (0, 1):
        return done.returncode, done.stderr.strip()[-200:]
    report = json.loads(done.stdout)
    why = [incident["message"] for incident in report["incidents"]]
    for output in report["outputs"]:
        why += [verdict["message"] for verdict in output["verdicts"] if not verdict["passed"]]
        if done.returncode == 0:
            why += [note for note in output["notes"] if note.startswith("same")]
    return done.returncode, " | ".join(why)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("program", nargs="?")
    parser.add_argument("--only", default="")
    chosen = parser.parse_args()
    counts: Counter[str] = Counter()
    for name, job in jobs():
        if chosen.only not in name:
            continue
        folder = chosen.folder / name
        described = folder / "pair.json"
        if not described.exists():
            shutil.rmtree(folder, ignore_errors=True)  # what an interrupted run left of it
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    pair = job(folder)
            except (ImportError, RuntimeError, ValueError, TypeError, AttributeError) as error:
                print("not made", name, type(error).__name__, str(error)[:200], flush=True)
                continue
            if pair is None:
                continue
            described.write_text(json.dumps(pair))
        pair = json.loads(described.read_text())
        if not chosen.program:
            continue
        status, why = ask(chosen.program, folder, pair)
        honest = name.endswith("-honest")
        counts["honest" if honest else "wrong"] += 1
        right = status == (0 if honest else 1)
        if not right:
            counts["false alarms" if honest else "passed"] += 1
        print("ok   " if right else "FALSE", name, ratio(folder, pair), "status", status, why[:400], flush=True)
    print(
        f"{counts['honest']} honest pairs, {counts['false alarms']} of them not the same; "
        f"{counts['wrong']} with a fault, {counts['passed']} of them not told"
    )


if __name__ == "__main__":
    main()
