"""What needs a GPU: see gpu.sh.

    gpu.py [--rehearse] [--only WORD…]

--rehearse does the same on the CPU, which shows whether this script works.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

SKIPPED = 77
DEVICE = "cpu" if "--rehearse" in sys.argv else "cuda"
PROVIDERS = ("CPUExecutionProvider",) if DEVICE == "cpu" else ("CUDAExecutionProvider", "TensorrtExecutionProvider")


class Net(nn.Module):
    """Convolutions, normalisation, attention: what differs by precision on a GPU."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 32, 3, padding=1)
        self.norm = nn.BatchNorm2d(32)
        self.deep = nn.Conv2d(32, 64, 3, stride=2, padding=1)
        self.mix = nn.Linear(64, 3 * 64)
        self.head = nn.Linear(64, 10)

    def forward(self, x: Tensor) -> Tensor:
        x = torch.relu(self.norm(self.stem(x)))
        x = torch.relu(self.deep(x)).flatten(2).transpose(1, 2)
        x = x + nn.functional.scaled_dot_product_attention(*self.mix(x).chunk(3, -1))
        logits: Tensor = self.head(x.mean(1))
        return logits


class Placed(Net):
    """Its code names the device."""

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x) + torch.arange(10, device=x.device) * 0.01


class Counting(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("calls", torch.zeros(1))
        self.lin = nn.Linear(8, 8)

    def forward(self, x: Tensor) -> Tensor:
        self.calls += 1
        return self.lin(x) * self.calls


class Half(nn.Module):
    """As float16 copies are shipped: inputs and outputs are float32."""

    def __init__(self) -> None:
        super().__init__()
        self.net = Net().half()

    def forward(self, x: Tensor) -> Tensor:
        return self.net(x.half()).float()


class Wrong(Net):
    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x) * 1.01


IMAGE = torch.linspace(-1, 1, 3 * 32 * 32).reshape(1, 3, 32, 32)
ROW = torch.linspace(-1, 1, 8).reshape(1, 8)


def made(kind: type[nn.Module]) -> nn.Module:
    torch.manual_seed(0)
    return kind().eval()


def models(folder: Path) -> None:
    for name, net, image in (
        ("net", made(Net), IMAGE),
        ("wrong", made(Wrong), IMAGE),
        ("placed", made(Placed), IMAGE),
        ("placed_on_gpu", made(Placed).to(DEVICE), IMAGE.to(DEVICE)),
        ("half_on_gpu", made(Half).to(DEVICE), IMAGE.to(DEVICE)),
    ):
        torch.jit.trace(net, image).save(str(folder / f"{name}.pt"))
        torch.export.save(torch.export.export(net, (image,)), str(folder / f"{name}.pt2"))
    torch.jit.script(made(Counting)).save(str(folder / "counting.pt"))
    on_gpu = torch.export.export(made(Net).to(DEVICE), (IMAGE.to(DEVICE),))
    torch._inductor.aoti_compile_and_package(on_gpu, package_path=str(folder / "package.pt2"))
    try:
        torch.onnx.export(made(Net), (IMAGE,), str(folder / "net.onnx"), input_names=["x"], dynamo=False)
    except Exception as error:
        print(f"no ONNX file: {error}", file=sys.stderr)


Case = tuple[str, str, Callable[[Path], str]]
"""A name, what is expected, and what gives it."""


def program(*arguments: str, option: tuple[str, ...] = ()) -> Callable[[Path], str]:
    """`same`, `different` or what is wrong, with what differs most, by the command."""

    def run(folder: Path) -> str:
        if not (folder / arguments[0]).exists():
            return "skipped: the package onnx is not installed"
        image = () if "--input" in arguments else ("--input", "x=1x3x32x32")
        command = [sys.executable, "-m", "model_validator", "verify", *arguments, *image, *option, "--output-format", "json"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
        try:
            report = json.loads(done.stdout)
        except json.JSONDecodeError:
            words = (done.stderr.strip().splitlines() or ["says nothing"])[0]
            return f"skipped: {words}" if "has no provider" in words else f"status {done.returncode}: {words}"
        return verdict(report, done.returncode)

    return run


def verdict(report: Any, status: int) -> str:
    worst = max((float(each["metrics"]["max_abs"]) for each in report["outputs"] if "max_abs" in (each.get("metrics") or {})), default=None)
    words = {0: "same", 1: "different"}.get(status, f"status {status}")
    incidents = ", ".join(each["kind"] for each in report.get("incidents", []))
    return words + (f", off by {worst:.1e}" if worst is not None else "") + (f" ({incidents})" if incidents else "")


def live(candidate: Callable[[], Any], inputs: Tensor = IMAGE) -> Callable[[Path], str]:
    def run(_: Path) -> str:
        import model_validator as mv

        try:
            report = mv.verify([inputs], made(Net), candidate())
        except mv.VerificationError as error:
            report = error.report
        return verdict(json.loads(report.to_json()), 0 if report else 1)

    return run


def compiled(_: Path) -> str:
    import model_validator as mv

    net = mv.compile(made(Net).to(DEVICE), backend="inductor")
    net(IMAGE.to(DEVICE))
    return "same"


def cases() -> Iterator[Case]:
    gpu = ("--device", DEVICE)
    for sandbox in ("auto", "off", "require"):
        yield f"ts, sandbox {sandbox}", "same", program("net.pt", "--backend", "ts", option=(*gpu, "--sandbox", sandbox))
    yield "eager", "same", program("net.pt", "--backend", "eager", option=gpu)
    for backend in ("eager", "ts"):
        yield f"{backend}, .pt2 whose code names the CPU", "same", program("placed.pt2", "--backend", backend, option=gpu)
    yield "a wrong copy", "different", program("net.pt", "wrong.pt", option=gpu)
    yield "a wrong copy, --localize", "different", program("net.pt", "wrong.pt", option=(*gpu, "--localize"))
    yield "a float16 copy", "same", program("net.pt", "half_on_gpu.pt", option=gpu)
    yield "steps", "same", program("counting.pt", "--backend", "ts", "--input", "x=1x8", "--steps", "3", option=gpu)
    for ending in ("pt", "pt2"):
        yield f".{ending} made on a GPU, run on the CPU", "same", program("placed.pt", f"placed_on_gpu.{ending}")
        yield f".{ending} made on a GPU, run there", "same", program("placed.pt", f"placed_on_gpu.{ending}", option=gpu)
    yield "AOTInductor", "same", program("net.pt", "package.pt2", option=gpu)
    if DEVICE != "cpu":
        yield "AOTInductor, without --device", "status 2", program("net.pt", "package.pt2")
    for provider in PROVIDERS:
        yield f"ONNX Runtime, {provider}", "same", program("net.onnx", "--backend", f"onnxruntime:{provider}")
    yield "mv.verify, CPU and GPU", "same", live(lambda: made(Net).to(DEVICE))
    yield "mv.verify, a wrong one", "different", live(lambda: made(Wrong).to(DEVICE))
    yield "mv.compile, inductor", "same", compiled


def environment() -> str:
    import importlib.metadata

    versions = []
    for package in ("model_validator", "torch", "onnxruntime-gpu"):
        try:
            versions.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            versions.append(f"no {package}")
    return f"{torch.cuda.get_device_name(0) if DEVICE == 'cuda' else 'the CPU'}; {', '.join(versions)}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rehearse", action="store_true", help="on the CPU")
    parser.add_argument("--only", nargs="*", default=[], help="cases whose names hold one of these")
    given = parser.parse_args()
    if DEVICE == "cuda" and not torch.cuda.is_available():
        print(f"skipped: torch {torch.__version__} finds no GPU; {sum(1 for _ in cases())} cases need one")
        return SKIPPED
    os.environ.setdefault("CUDA_MODULE_LOADING", "LAZY")
    print(environment(), "\n")
    print("| case | expected | came | s |\n|---|---|---|---|")
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        models(folder)
        for name, expected, run in cases():
            if given.only and not any(word in name for word in given.only):
                continue
            begun = time.monotonic()
            try:
                came = run(folder)
            except Exception as error:
                came = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
            as_expected = came.startswith((expected, "skipped"))
            wrong += not as_expected
            print(f"| {name} | {expected} | {came}{'' if as_expected else ' **!**'} | {time.monotonic() - begun:.1f} |", flush=True)
    print(f"\n{wrong} of the cases are not as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
