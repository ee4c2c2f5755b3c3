"""Verifies a package that AOTInductor makes of a small model: right, and with a fault.

    aot_package.py PROGRAM FOLDER
"""
import os
import shutil
import subprocess
import sys
from pathlib import Path

SKIPPED = 77


def model(factor):
    import torch

    torch.manual_seed(0)
    layers = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU()).eval()
    with torch.no_grad():
        layers[0].weight.mul_(factor)
    return layers


def write(folder):
    import torch

    torch.set_num_threads(1)
    sample = torch.randn(4, 8)
    torch.save([sample], folder / "inputs.pt")
    for name, factor in (("right", 1.0), ("wrong", 1.01)):
        torch.jit.trace(model(factor), sample).save(str(folder / f"{name}.pt"))
    exported = torch.export.export(model(1.0), (sample,))
    torch._inductor.aoti_compile_and_package(exported, package_path=str(folder / "model.pt2"))


def verify(program, folder, reference):
    line = [program, "verify", folder / reference, folder / "model.pt2", "--inputs", folder / "inputs.pt"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    print(done.stdout, done.stderr)
    return done.returncode


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    if shutil.which("g++") is None:
        print("there is no compiler for AOTInductor")
        return SKIPPED
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(folder / "cache")
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "model.pt2").exists():  # takes a minute
        write(folder)
    assert verify(program, folder, "right.pt") == 0
    assert verify(program, folder, "wrong.pt") == 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
