"""Files of exporters that are not this project's, and pairs of them that must agree.

Each maker writes what it makes into a folder; one whose exporter is not installed is left out, and named.
"""
from __future__ import annotations

import contextlib
import io
import logging
import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import models
import numpy as np
import onnx
import torch


@dataclass
class Pair:
    """What is verified: two files, or one by another runtime or against itself."""

    name: str
    exporter: str
    reference: Path
    candidate: Path | None = None
    options: tuple[str, ...] = ()
    fault: str = ""  # what is wrong with the candidate
    where: str = ""  # a regular expression: an op or module that names the fault


TASKS = {
    "bert": "feature-extraction", "roberta": "text-classification", "distilbert": "token-classification", "albert": "question-answering",
    "vit": "image-classification", "clip": "zero-shot-image-classification", "wav2vec2": "automatic-speech-recognition",
    "t5": "text2text-generation-with-past", "bart": "text2text-generation-with-past", "whisper": "automatic-speech-recognition-with-past"}
AGAINST_ITSELF = ("--steps", "8")


@contextlib.contextmanager
def leaving_out(what: str) -> Iterator[None]:
    """Another release of an exporter may refuse one model."""
    try:
        yield
    except Exception as error:
        print(f"left out: {what}: {type(error).__name__}: {str(error)[:300]}", file=sys.stderr)


def by_optimum(model: Any, name: str, folder: Path) -> Path:
    from optimum.exporters.onnx import onnx_export_from_model

    onnx_export_from_model(model, folder, task=TASKS.get(name, "text-generation-with-past"), do_validation=False)
    return folder / "model.onnx"


def optimum(folder: Path) -> Iterator[Pair]:
    for name in models.decoders() | models.others():
        with leaving_out(name):
            by_optimum(models.of_transformers(name), name, folder / name)
            for file in sorted((folder / name).glob("*.onnx")):
                label = f"{name}-{file.stem}"
                yield Pair(label, "optimum-onnx", file, options=("--backend", "onnxruntime"))
                if name in models.decoders() or file.stem in {"decoder_with_past_model", "decoder_model_merged"}:
                    yield Pair(label, "optimum-onnx", file, options=AGAINST_ITSELF)


def _optimised(source: Path, target: Path, kind: str, level: int) -> None:
    from onnxruntime.transformers.optimizer import optimize_model

    made = optimize_model(str(source), model_type=kind, num_heads=models.HEADS, hidden_size=models.WIDTH, opt_level=level)
    made.save_model_to_file(str(target))


def runtimes_optimiser(folder: Path) -> Iterator[Pair]:
    kinds = {"bert/model": "bert", "roberta/model": "bert", "distilbert/model": "bert", "vit/model": "vit", "clip/model": "clip",
             "gpt2/model": "gpt2", "llama/model": "gpt2", "t5/encoder_model": "t5"}
    for name, kind in kinds.items():
        with leaving_out(name):
            source, target = folder.parent / "optimum" / f"{name}.onnx", folder / f"{name.replace('/', '-')}.onnx"
            _optimised(source, target, kind, 1 if kind == "t5" else 0)
            yield Pair(name, "onnxruntime.transformers", source, target)


def slim(folder: Path) -> Iterator[Pair]:
    import onnxslim

    for name in ("llama/model", "gemma2/model", "vit/model", "t5/decoder_with_past_model", "whisper/decoder_model_merged", "clip/model"):
        with leaving_out(name):
            source, target = folder.parent / "optimum" / f"{name}.onnx", folder / f"{name.replace('/', '-')}.onnx"
            onnxslim.slim(str(source), str(target))
            yield Pair(name, "onnxslim", source, target)


def simplifier(folder: Path) -> Iterator[Pair]:
    import onnxsim

    for name in ("gpt2/model", "bert/model", "qwen3/model", "bart/encoder_model", "whisper/encoder_model"):
        with leaving_out(name):
            source, target = folder.parent / "optimum" / f"{name}.onnx", folder / f"{name.replace('/', '-')}.onnx"
            onnx.save(onnxsim.simplify(onnx.load(source))[0], target)
            yield Pair(name, "onnxsim", source, target)


def halves(folder: Path) -> Iterator[Pair]:
    from onnxruntime.transformers import float16

    for name, keeps in (("bert", True), ("vit", True), ("vit", False), ("llama", True), ("gpt2", True)):
        with leaving_out(name):
            source, target = folder.parent / "optimum" / name / "model.onnx", folder / f"{name}-{'kept' if keeps else 'all'}.onnx"
            onnx.save(float16.convert_float_to_float16(onnx.load(source), keep_io_types=keeps), target)
            yield Pair(target.stem, "float16 converter", source, target)


def few_bits(folder: Path) -> Iterator[Pair]:
    from onnxruntime.quantization import QuantFormat
    from onnxruntime.quantization.matmul_nbits_quantizer import DefaultWeightOnlyQuantConfig, MatMulNBitsQuantizer

    forms = {"llama": QuantFormat.QOperator, "qwen2": QuantFormat.QOperator, "gpt_neox": QuantFormat.QDQ, "phi": QuantFormat.QOperator}
    for name, form in forms.items():
        with leaving_out(name):
            source, target = folder.parent / "optimum" / name / "model.onnx", folder / f"{name}-{form.name}.onnx"
            way = DefaultWeightOnlyQuantConfig(block_size=16, is_symmetric=True, quant_format=form)
            quantiser = MatMulNBitsQuantizer(onnx.load(source), algo_config=way)
            quantiser.process()
            quantiser.model.save_model_to_file(str(target))
            yield Pair(target.stem, "MatMulNBits", source, target)


def eight_bits(folder: Path) -> Iterator[Pair]:
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, quantize_dynamic, quantize_static

    class Pictures(CalibrationDataReader):
        def __init__(self) -> None:
            generator = np.random.default_rng(0)
            self.left = [generator.normal(size=(2, 3, 32, 32)).astype(np.float32) for _ in range(8)]

        def get_next(self) -> Any:
            return {"pixel_values": self.left.pop()} if self.left else None

    source = folder.parent / "optimum" / "vit" / "model.onnx"
    quantize_static(str(source), str(folder / "vit.onnx"), Pictures(), quant_format=QuantFormat.QDQ)
    yield Pair("vit", "QDQ", source, folder / "vit.onnx")
    for name in ("bert", "distilbert"):
        with leaving_out(name):
            source = folder.parent / "optimum" / name / "model.onnx"
            quantize_dynamic(str(source), str(folder / f"{name}.onnx"))
            yield Pair(name, "dynamic int8", source, folder / f"{name}.onnx")


def builder(folder: Path) -> Iterator[Pair]:
    """onnxruntime-genai's builder, which needs a tokenizer beside the weights and may need another transformers: BUILDER_PATH."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from transformers import PreTrainedTokenizerFast

    for name in ("llama", "qwen2", "mistral", "phi3", "gemma2"):
        with leaving_out(name):
            weights = folder / f"{name}-weights"
            models.of_transformers(name).save_pretrained(weights)
            words = Tokenizer(WordLevel({f"w{i}": i for i in range(models.ROWS)}, unk_token="w0"))
            PreTrainedTokenizerFast(tokenizer_object=words, unk_token="w0", eos_token="w2", bos_token="w1").save_pretrained(weights)
            made = {}
            for precision in ("fp32", "int4") if name != "llama" else ("fp32", "int4", "fp16"):
                target = folder / f"{name}-{precision}"
                done = subprocess.run(
                    [sys.executable, __file__, "build", str(weights), str(target), precision], capture_output=True, text=True, check=False,
                    env=os.environ | {"PYTHONPATH": os.environ.get("BUILDER_PATH", "") + ":" + os.environ.get("PYTHONPATH", "")})
                if done.returncode != 0:
                    raise RuntimeError(done.stderr[-600:])
                made[precision] = target / "model.onnx"
            yield Pair(f"{name}-fp32", "onnxruntime-genai", made["fp32"], options=("--backend", "onnxruntime"))
            yield Pair(f"{name}-fp32", "onnxruntime-genai", made["fp32"], options=AGAINST_ITSELF)
            yield Pair(f"{name}-int4", "onnxruntime-genai", made["fp32"], made["int4"])
            yield Pair(f"{name}-optimum", "onnxruntime-genai", folder.parent / "optimum" / name / "model.onnx", made["fp32"])
            if "fp16" in made:
                yield Pair(f"{name}-fp16", "onnxruntime-genai", made["fp32"], made["fp16"])


def build(weights: str, target: str, precision: str) -> None:
    from onnxruntime_genai.models import builder as genai

    options = genai.parse_extra_options(None, weights, target, precision, "cpu", target + "-cache", ["int4_block_size=16"])
    with contextlib.suppress(Exception):  # of tokenizers, which these models have not
        genai.create_model(None, weights, target, precision, "cpu", target + "-cache", **options)
    onnx.load(Path(target) / "model.onnx")


class Keys(torch.nn.Module):
    """A decoder whose caches are plain tensors."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor, position_ids: torch.Tensor, past: list[torch.Tensor]) -> Any:
        from transformers import DynamicCache

        cache = DynamicCache()
        for layer in range(models.LAYERS):
            cache.update(past[2 * layer], past[2 * layer + 1], layer)
        out = self.model(input_ids=input_ids, attention_mask=attention_mask, position_ids=position_ids, past_key_values=cache)
        kept = [each for layer in cache.layers for each in (layer.keys, layer.values)]
        return (out.logits, *kept)


def with_caches(name: str) -> tuple[torch.nn.Module, tuple[Any, ...], tuple[Any, ...]]:
    """A decoder with caches, an example, and which sizes are free."""
    from transformers import masking_utils as masks
    from transformers.integrations.executorch import sdpa_mask_without_vmap
    from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

    model = models.of_transformers(name)
    heads = 2 if name in {"llama", "qwen2", "mistral", "qwen3"} else models.HEADS
    size = 16
    past = [torch.randn(2, heads, 5, size) for _ in range(2 * models.LAYERS)]
    example = (torch.randint(0, models.ROWS, (2, 3)), torch.ones(2, 8, dtype=torch.long), torch.arange(5, 8).repeat(2, 1), past)
    auto = torch.export.Dim.AUTO
    free = ({0: auto, 1: auto}, {0: auto, 1: auto}, {0: auto, 1: auto}, [{0: auto, 2: auto} for _ in past])
    masks.ALL_MASK_ATTENTION_FUNCTIONS.register("sdpa_without_vmap", sdpa_mask_without_vmap)
    ALL_ATTENTION_FUNCTIONS.register("sdpa_without_vmap", ALL_ATTENTION_FUNCTIONS["sdpa"])
    model.config._attn_implementation = "sdpa_without_vmap"
    return Keys(model), example, free


EXAMPLES: dict[str, Callable[[], tuple[torch.nn.Module, tuple[Any, ...], list[str], list[dict[int, str]]]]] = {
    "policy": lambda: (models.policy(), (torch.randn(2, 3, 96, 96), torch.randn(2, 6)), ["observation_image", "observation_state"],
                       [{0: "batch"}, {0: "batch"}]),
    "controller": lambda: (models.controller(), (torch.randn(2, 12), torch.randn(2, models.WIDTH)), ["observation", "past_hidden"],
                           [{0: "batch"}, {0: "batch"}]),
    "unet": lambda: (Plain(models.unet()), (torch.randn(2, 4, 16, 16), torch.tensor([10, 20]), torch.randn(2, 7, models.WIDTH)),
                     ["sample", "timestep", "encoder_hidden_states"], [{0: "batch"}, {0: "batch"}, {0: "batch", 1: "sequence"}]),
    "bert": lambda: (Plain(models.of_transformers("bert")), (torch.randint(0, 160, (2, 7)), torch.ones(2, 7, dtype=torch.long)),
                     ["input_ids", "attention_mask"], [{0: "batch", 1: "sequence"}] * 2),
    "vit": lambda: (Plain(models.of_transformers("vit")), (torch.randn(2, 3, 32, 32),), ["pixel_values"], [{0: "batch"}]),
    "wav2vec2": lambda: (Plain(models.of_transformers("wav2vec2")), (torch.randn(2, 4000),), ["input_values"], [{0: "batch", 1: "samples"}]),
}


class Plain(torch.nn.Module):
    """A model whose first result alone counts."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model
        self.eval()  # the legacy exporter puts back what this says

    def forward(self, *args: torch.Tensor) -> Any:
        result = self.model(*args)
        return result[0] if isinstance(result, tuple) else next(iter(result.values()))


def programs(folder: Path) -> Iterator[Pair]:
    """torch.export against TorchScript, and both of PyTorch's exporters of ONNX."""
    for name, make in EXAMPLES.items():
        with leaving_out(name):
            model, example, names, axes = make()
            model.eval()
            named: Any = dict(zip(names, axes, strict=True))
            files = {each: folder / f"{name}.{each}" for each in ("pt2", "pt", "old.onnx", "new.onnx")}
            torch.jit.save(torch.jit.trace(model, example, check_trace=False), str(files["pt"]))
            torch.onnx.export(model, example, str(files["old.onnx"]), dynamo=False, input_names=names, dynamic_axes=named, opset_version=17)
            free = tuple(dict.fromkeys(axis, torch.export.Dim.DYNAMIC) for axis in axes)
            shapes: Any = (free,) if isinstance(model, Plain) else free
            program = torch.export.export(model, example, dynamic_shapes=shapes)
            torch.export.save(program, str(files["pt2"]))
            torch.onnx.export(program, f=str(files["new.onnx"]), dynamo=True, input_names=names, external_data=False, verbose=False)
            yield Pair(name, "legacy exporter", files["old.onnx"], options=("--backend", "onnxruntime"))
            yield Pair(name, "dynamo exporter", files["new.onnx"], options=("--backend", "onnxruntime"))
            yield Pair(name, "dynamo exporter", files["pt2"], files["new.onnx"])
            yield Pair(name, "torch.export", files["pt2"], options=("--backend", "ts"))
            yield Pair(f"{name}-pt2-old", "torch.export", files["pt2"], files["old.onnx"])
            yield Pair(f"{name}-onnx", "dynamo exporter", files["old.onnx"], files["new.onnx"])


def caches(folder: Path) -> Iterator[Pair]:
    """Decoders of torch.export, with caches as lists of tensors and as buffers."""
    for name in ("llama", "qwen3", "gpt_neox"):
        with leaving_out(name):
            model, example, free = with_caches(name)
            program = torch.export.export(model, example, dynamic_shapes=free, strict=False)
            torch.export.save(program, str(folder / f"{name}.pt2"))
            torch.onnx.export(program, f=str(folder / f"{name}.onnx"), dynamo=True, external_data=False, verbose=False)
            yield Pair(name, "torch.export with caches", folder / f"{name}.pt2", folder / f"{name}.onnx")
            yield Pair(name, "torch.export with caches", folder / f"{name}.pt2", options=AGAINST_ITSELF)
            yield Pair(name, "dynamo exporter with caches", folder / f"{name}.onnx", options=AGAINST_ITSELF)


class Positional(torch.nn.Module):
    """The legacy exporter passes inputs by place."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: torch.Tensor, cache_position: torch.Tensor) -> Any:
        return self.model(input_ids=input_ids, cache_position=cache_position)


def static_caches(folder: Path) -> Iterator[Pair]:
    """Caches as buffers, as transformers' recipe for ExecuTorch makes them, and the ONNX file that loses them."""
    from transformers.integrations.executorch import TorchExportableModuleWithStaticCache, convert_and_export_with_cache

    for name in ("llama", "qwen2"):
        with leaving_out(name):
            model = models.of_transformers(name)
            model.generation_config.use_cache = True
            model.generation_config.cache_implementation = "static"
            model.generation_config.cache_config = {"batch_size": 1, "max_cache_len": 32}
            example = (torch.tensor([[5]]), torch.tensor([0]))
            program = convert_and_export_with_cache(model, *example)
            torch.export.save(program, str(folder / f"{name}.pt2"))
            yield Pair(name, "static cache", folder / f"{name}.pt2", options=("--backend", "ts"))
            kept = TorchExportableModuleWithStaticCache(model, batch_size=1, max_cache_len=32, device=torch.device("cpu"))
            torch.onnx.export(Positional(kept), example, str(folder / f"{name}.onnx"), dynamo=False,
                              input_names=["input_ids", "cache_position"], opset_version=17)
            yield Pair(name, "static cache", folder / f"{name}.pt2", folder / f"{name}.onnx", fault="state lost", where=".*")


MAKERS = {each.__name__: each for each in (
    optimum, runtimes_optimiser, slim, simplifier, halves, few_bits, eight_bits, builder, programs, caches, static_caches)}


def make(folder: Path, only: list[str]) -> list[Pair]:
    """Every pair, made anew by the makers that are asked for."""
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    pairs = []
    for name, maker in MAKERS.items():
        with leaving_out(name):
            if only and name not in only:
                continue
            target = folder / name
            shutil.rmtree(target, ignore_errors=True)
            target.mkdir(parents=True)
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    for pair in maker(target):
                        pairs.append(pair)
            except Exception as error:  # another release of an exporter
                print(f"{name}: {type(error).__name__}: {str(error)[:600]}", file=sys.stderr)
    return pairs


if __name__ == "__main__":
    if sys.argv[1] == "build":
        build(*sys.argv[2:])
