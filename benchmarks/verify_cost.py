"""Prints the processor time and the memory of `verify` as ratios to two plain sessions of ONNX Runtime in Python.

Where strace is installed, also how many processes `verify` starts, and how often these open the reference and the candidate.
FOLDER holds pairs to measure in place of a ResNet-18 and an encoder: NAME_reference.onnx and any of NAME_same.onnx,
NAME_half.onnx and NAME_other.onnx, all with sizes that are fixed.

    benchmarks/verify_cost.py PROGRAM [ROUNDS [FOLDER]]
"""

import contextlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

from run import Run

PLAIN = """
import sys, numpy, onnxruntime
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1
for path, level in zip(sys.argv[1:], ("ORT_DISABLE_ALL", "ORT_ENABLE_ALL")):
    options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, level)
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    types = {"tensor(float)": "float32", "tensor(float16)": "float16", "tensor(int64)": "int64"}
    inputs = {each.name: numpy.ones(each.shape, types[each.type]) for each in session.get_inputs()}
    for _ in range(2):
        session.run(None, inputs)
"""


def save_pairs(folder):
    """For each network a copy, one in float16, one with other weights in a middle layer."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples" / "models"))
    import torch
    from resnet import ResNet18

    class Encoder(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.words, self.places = torch.nn.Embedding(30522, 256), torch.nn.Embedding(128, 256)
            layer = torch.nn.TransformerEncoderLayer(256, 4, 1024, activation="gelu", batch_first=True)
            self.layers = torch.nn.TransformerEncoder(layer, 4, enable_nested_tensor=False)

        def forward(self, ids):
            return self.layers(self.words(ids) + self.places(torch.arange(128)))

    warnings.simplefilter("ignore")
    torch.backends.mha.set_fastpath_enabled(False)  # its operator has no form in ONNX
    for name, make, example in (
        ("resnet18", ResNet18, torch.randn(1, 3, 224, 224)),
        ("encoder", Encoder, torch.randint(0, 30522, (1, 128))),
    ):
        torch.manual_seed(0)
        model = make().eval()

        def save(kind, example, model=model, name=name):
            torch.onnx.export(model, (example,), str(folder / f"{name}_{kind}.onnx"), dynamo=False, opset_version=17, input_names=["x"])

        save("reference", example)
        shutil.copy(folder / f"{name}_reference.onnx", folder / f"{name}_same.onnx")
        weights = [each for each in model.parameters() if each.dim() > 1]
        with torch.no_grad():
            weights[len(weights) // 2].mul_(1.05)
            save("other", example)
            weights[len(weights) // 2].div_(1.05)
        model.half()
        save("half", example.half() if example.is_floating_point() else example)
    return ("resnet18", "encoder")


def tree(process):
    """A process and all that it started."""
    found = [process]
    for each in found:
        with contextlib.suppress(OSError):
            found += map(int, Path(f"/proc/{each}/task/{each}/children").read_text().split())
    return found


def memory(process):
    """The memory of a process in kB; what it shares with others counts in parts."""
    with contextlib.suppress(OSError):
        return int(re.search(r"^Pss: +(\d+)", Path(f"/proc/{process}/smaps_rollup").read_text(), re.MULTILINE)[1])
    return 0


def peak(command):
    """The most memory that a command and all that it starts have at a time, in MB, looked at 50 times a second."""
    most = 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None:
            most = max(most, sum(map(memory, tree(process.pid))))
            time.sleep(0.02)
    return most / 1024


def counts(command, files):
    """The processes that a command starts, and how often those open each of the files."""
    if not shutil.which("strace"):
        return ""
    with tempfile.NamedTemporaryFile("r") as log:
        calls = "trace=clone,clone3,fork,vfork,openat,open"
        subprocess.run(["strace", "-f", "-o", log.name, "-e", calls, *command], stdout=subprocess.DEVNULL, check=False)
        lines = log.read().splitlines()
    starts = re.compile(r"\b(clone3?|v?fork)\((?!.*CLONE_THREAD)")
    opened = " and ".join(str(sum(f'"{file}"' in line for line in lines)) for file in files)
    return f"; {sum(bool(starts.search(line)) for line in lines)} processes, {opened} openings"


KINDS = (("same", "same", []), ("float16", "half", []), ("differs", "other", []), ("localised", "other", ["--localize"]))


def measure(program, folder, name, rounds):
    reference = folder / f"{name}_reference.onnx"
    for what, kind, options in KINDS:
        candidate = folder / f"{name}_{kind}.onnx"
        if not candidate.exists():
            continue
        command = [program, "verify", str(reference), str(candidate), "--threads", "1", *options]
        plain = [sys.executable, "-c", PLAIN, str(reference), str(candidate)]
        runs = [(Run(command), Run(plain)) for _ in range(rounds + 1)][1:]
        ratio = statistics.median(ours.processor / theirs.processor for ours, theirs in runs)
        seconds = statistics.median(ours.processor for ours, _ in runs)
        counted = counts(command, (reference, candidate))
        print(f"{name}, {what}: {seconds:.2f} s of processor time, {ratio:.2f} times two plain runs;"
              f" {peak(command):.0f} MB, theirs {peak(plain):.0f} MB{counted}", flush=True)


def main(program, rounds="5", pairs=None):
    with contextlib.nullcontext(pairs) if pairs else tempfile.TemporaryDirectory() as folder:
        names = save_pairs(Path(folder)) if not pairs else sorted(each.name[:-15] for each in Path(pairs).glob("*_reference.onnx"))
        for name in names:
            measure(program, Path(folder), name, int(rounds))


if __name__ == "__main__":
    main(*sys.argv[1:])
