"""How many TorchScript files become a module that computes the same, bit by bit, and how many of those torch.export takes.

    MODEL_VALIDATOR_PREFIX=build/dev PYTHONPATH=python python tools/migrate_models.py [FOLDER] [--modules] [--vision [--only REGEX]]

FOLDER: files NAME.traced.pt and NAME.scripted.pt, beside each NAME.json with `inputs`, such as "float32[1, 3, 8, 8]", or
{"__list__": […]} for a list of them; large weights that are zero are filled. --modules: those that torch tests its own
classes with (needs expecttest). --vision: torchvision's networks of each kind, with random weights. Beside them on the
same files: `torch._export.converter.TS2EPConverter`. What is measured is one's own, so it runs in this process.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import re
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

import model_validator as mv
from model_validator.migration._confined import _difference, _state
from rules import operators

warnings.simplefilter("ignore")
jit: Any = torch.jit
CASES = 3
"""Of each class, so that none counts for hundreds."""


def described(text: Any, generator: torch.Generator) -> Any:
    if isinstance(text, dict):
        return [described(one, generator) for one in text["__list__"]]
    dtype, sizes = re.fullmatch(r"(\w+)\[(.*)\]", text).groups()
    shape = [int(size) for size in sizes.split(",") if size.strip()]
    kind = getattr(torch, dtype)
    values = torch.randn(shape, generator=generator) if kind.is_floating_point else torch.randint(1, 2, shape, generator=generator)
    return values.to(kind)


def of_folder(folder: Path) -> Iterator[tuple[str, str, Path, list[tuple[Any, ...]]]]:
    for file in sorted(folder.glob("*.pt")):
        name, _, way = file.stem.rpartition(".")
        inputs = json.loads((folder / f"{name}.json").read_text())["inputs"]
        yield name, way, file, [tuple(described(one, torch.Generator().manual_seed(seed)) for one in inputs) for seed in range(5)]


def saved(name: str, model: Any, inputs: tuple[Any, ...], folder: Path) -> Iterator[tuple[str, str, Path, list[tuple[Any, ...]]]]:
    samples = [tuple(grown(value, seed) for value in inputs) for seed in range(5)]
    for way in ("traced", "scripted"):
        file = folder / f"{way}.pt"
        with contextlib.suppress(Exception):  # what torch does not save is nobody's file
            (jit.trace(model, inputs, check_trace=False) if way == "traced" else jit.script(model)).save(str(file))
            yield name, way, file, samples


def grown(value: Any, seed: int) -> Any:
    """Other values, from the fourth sample on of another first size."""
    if isinstance(value, list):
        return [grown(one, seed % 3) for one in value]
    if not isinstance(value, torch.Tensor) or not value.is_floating_point():
        return value
    more = value[:1].expand(1, *value.shape[1:]) if value.dim() else value
    value = torch.cat([value, more]) if seed > 2 and value.dim() > 1 else value
    return torch.randn(value.shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64).to(value.dtype)


def of_modules(folder: Path) -> Iterator[tuple[str, str, Path, list[tuple[Any, ...]]]]:
    from torch.testing._internal.common_modules import module_db

    for info in module_db:
        for at, case in enumerate(info.module_inputs_func(info, "cpu", torch.float32, False, False)):
            made, given = case.constructor_input, case.forward_input
            if given is None or given.kwargs or at >= CASES:
                continue
            with contextlib.suppress(Exception):
                yield from saved(f"{info.name}.{at}", info.module_cls(*made.args, **made.kwargs).eval(), tuple(given.args), folder)


def of_vision(folder: Path, only: str) -> Iterator[tuple[str, str, Path, list[tuple[Any, ...]]]]:
    kept = define_torchvision()
    from torchvision import extension, models

    extension._has_ops = _has_ops
    for name in models.list_models():
        if not re.search(only, name) or LARGE.search(name) or "quantized" in name:
            continue
        size = 299 if "inception" in name else 224 if name.startswith(("vit", "maxvit")) else 96
        more: dict[str, Any] = {"weights": None} | ({"weights_backbone": None} if name in DETECTORS or "lab" in name or "fcn" in name else {})
        model = models.get_model(name, **more, **({"aux_logits": False} if name in ("googlenet", "inception_v3") else {})).eval()
        inputs: tuple[Any, ...] = (torch.randn(2, 3, size, size),)
        if name in DETECTORS:
            model.transform.min_size, model.transform.max_size = (160,), 200
            inputs = ([torch.rand(3, 120, 160), torch.rand(3, 96, 128)],)
        elif name.startswith("raft"):
            inputs = (torch.randn(1, 3, 128, 128), torch.randn(1, 3, 128, 128))
        elif name in VIDEO:
            inputs = (torch.randn(1, 3, 8, *VIDEO[name]),)
        yield from saved(name, model, inputs, folder)
    del kept


LARGE = re.compile(
    "_l_|_h_|b[4-7]|_7b|152|101|201|161|_l$|_[1-9]+gf|16gf|32gf|128gf|vgg1[369]|large$|swin.*_[bs]$|convnext_(base|small)|_v2_[ml]$|raft_large|s3d|vit_b_32|v2$"
    "|densenet169|wide|resnext|mnasnet[01]_[37]|mnasnet0_5|x1_|x2_|mvit|efficientnet_b[123]|mobilenet_v3_large$"
)
"""What is as another one, and larger."""


def _has_ops():  # type: ignore[no-untyped-def]  which TorchScript reads
    return True


DETECTORS = ("fasterrcnn_mobilenet_v3_large_320_fpn ssdlite320_mobilenet_v3_large retinanet_resnet50_fpn fcos_resnet50_fpn maskrcnn_resnet50_fpn"
             " keypointrcnn_resnet50_fpn fasterrcnn_resnet50_fpn fasterrcnn_mobilenet_v3_large_fpn ssd300_vgg16").split()  # fmt: skip
VIDEO = {"r3d_18": (48, 48), "mc3_18": (48, 48), "r2plus1d_18": (48, 48), "swin3d_t": (64, 64)}


def define_torchvision() -> Any:
    """Torchvision's operators in Python, where its own library does not load beside this torch."""
    library = operators.define_torchvision()
    if hasattr(torch.ops.torchvision, "qnms"):
        return library
    for name in ("box_iou_rotated(Tensor boxes1, Tensor boxes2)", "qnms(Tensor dets, Tensor scores, float iou_threshold)"):
        library.define(f"{name} -> Tensor")

    def nms(boxes: torch.Tensor, scores: torch.Tensor, threshold: float) -> torch.Tensor:
        left = torch.sort(scores, descending=True, stable=True)[1]
        kept = []
        while len(left):
            kept.append(left[0])
            low, high = torch.maximum(boxes[left[0], :2], boxes[left, :2]), torch.minimum(boxes[left[0], 2:], boxes[left, 2:])
            shared = (high - low).clamp(min=0).prod(1)
            areas = (boxes[left, 2:] - boxes[left, :2]).prod(1)
            left = left[(shared / (areas + areas[0] - shared) <= threshold) & (left != left[0])]
        return torch.stack(kept) if kept else torch.zeros(0, dtype=torch.int64)

    def roi_align(*given: Any) -> torch.Tensor:
        own: Any = importlib.import_module("torchvision.ops.roi_align")
        return own._roi_align(*given)

    library.impl("nms", nms, "CPU")
    library.impl("roi_align", roi_align, "CPU")
    return library


def filled(old: Any) -> None:
    generator = torch.Generator().manual_seed(1)
    for tensor in old.state_dict().values():
        if tensor.is_floating_point() and tensor.numel() > 64 and not tensor.any():
            tensor.copy_(torch.randn(tensor.shape, generator=generator) * 0.05)


def ran(model: Any, inputs: tuple[Any, ...]) -> Any:
    torch.manual_seed(0)
    with torch.no_grad():
        return model(*[torch.utils._pytree.tree_map(lambda one: one.clone() if isinstance(one, torch.Tensor) else one, value) for value in inputs])


def converted(file: Path, inputs: tuple[Any, ...]) -> bool:
    """Whether torch's own converter takes the file. Asked last: where it fails, torch exports nothing more of that kind in this process."""
    converter: Any = importlib.import_module("torch._export.converter").TS2EPConverter
    with contextlib.suppress(BaseException):
        return not _difference(ran(jit.load(str(file)), inputs), ran(converter(jit.load(str(file)), inputs).convert().module(), inputs))
    return False


def judged(file: Path, samples: list[tuple[Any, ...]]) -> tuple[str, bool, bool]:
    """What is wrong with the module, whether it is exported, and whether torch's own converter takes the file. @raises whatever the file raises"""
    old = jit.load(str(file))
    ran(old, samples[0])
    old = jit.load(str(file))  # whose state no call has changed
    try:
        with tempfile.TemporaryDirectory() as folder:
            mv.migrate(str(file), Path(folder) / "new", run=False)
            spec: Any = importlib.util.spec_from_file_location("written", Path(folder) / "new" / "model.py")
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            new = module.load()
        wrong = _state(old, new)
        filled(old)
        known = old.state_dict()
        new.load_state_dict({name: known.get(name, tensor) for name, tensor in new.state_dict().items()})
        for inputs in samples:
            try:
                expected = ran(old, inputs)
            except Exception:  # a size that the file itself does not take
                continue
            wrong = wrong or _difference(expected, ran(new, inputs))
    except Exception as error:
        return f"{type(error).__name__}: {' '.join(str(error).split())[:150]}", False, converted(file, samples[0])
    exported = False
    if not wrong:
        with contextlib.suppress(BaseException), torch.no_grad():
            torch.export.export(new, samples[0])
            exported = True
    return wrong, exported, converted(file, samples[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--modules", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="prints the good ones too")
    parser.add_argument("--vision", action="store_true")
    parser.add_argument("--only", default="", metavar="REGEX", help="of torchvision's networks, those whose names match")
    given = parser.parse_args()
    torch.set_num_threads(1)
    counts: dict[str, list[int]] = {}
    with tempfile.TemporaryDirectory() as place:
        sources = [of_folder(given.folder)] if given.folder else []
        sources += [of_modules(Path(place))] if given.modules else []
        sources += [of_vision(Path(place), given.only)] if given.vision else []
        for source in sources:
            for name, way, file, samples in source:
                try:
                    wrong, exported, theirs = judged(file, samples)
                except Exception as error:
                    print(f"{name}.{way}: not judged: {' '.join(str(error).split())[-100:]}", file=sys.stderr)
                    continue
                row = counts.setdefault(way, [0, 0, 0, 0])
                for at, holds in enumerate((True, not wrong, exported, theirs)):
                    row[at] += holds
                if wrong or not exported or given.verbose:
                    print(f"{name}.{way}: {wrong or ('exported' if exported else 'not exported')}; TS2EPConverter: {theirs}", flush=True)
    for way, (files, same, exported, theirs) in counts.items():
        print(f"{way}: {same} of {files} the same ({same / files:.1%}), {exported} of these exported; TS2EPConverter: {theirs} of {files}")


if __name__ == "__main__":
    main()
