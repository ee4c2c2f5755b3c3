"""Runs the introspection example over the example models in every format, and holds what it prints against Python.

    example_test.py EXAMPLE MODELS
"""

import re
import subprocess
import sys
import warnings
from pathlib import Path

import torch

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "examples" / "models"))
import export  # noqa: E402

ENDINGS = [".scripted.pt", ".traced.pt", ".pt2", ".onnx"]
PROPERTIES = ["the first of the model as text:", "the first with shapes:", "operators:", "as the file calls them:", "inputs: 1",
              "outputs: 1", "parameters:", "buffers:", "multiply-accumulates:", "structural hash:", "fingerprint:", "run on ones:"]
RANDOM = {"functional_linear"}  # its weights are drawn anew in every run


def printed(example, file, shape):
    run = subprocess.run([example, "--shape", "x".join(map(str, shape)), file], capture_output=True, text=True, timeout=300,
                         check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


def check(example, folder, name, model, shape):
    """The properties of one model, in every format; operators that all formats share must be counted alike."""
    expected = float(model(torch.ones(shape)).flatten()[0])
    convolutions = set()
    for ending in ENDINGS:
        text = printed(example, folder / f"{name}{ending}", shape)
        missing = [title for title in PROPERTIES if title not in text]
        assert not missing, f"{name}{ending}: no {missing}\n{text}"
        convolutions.add(re.search(r"operators:.* conv2d=(\d+)", text)[1])
        result = text.split("run on ones:")[1].strip()
        number = re.search(r"that begins with (\S+)", result)
        assert number, f"{name}{ending}: {result}"
        if name not in RANDOM:
            assert abs(float(number[1]) - expected) <= 1e-4 * max(1, abs(expected)), f"{name}{ending}: {number[1]} against {expected}"
    assert len(convolutions) == 1, f"{name}: {convolutions} convolutions"


def main():
    example, folder = Path(sys.argv[1]), Path(sys.argv[2])
    warnings.simplefilter("ignore", DeprecationWarning)
    for name, (model_class, shape) in export.MODELS.items():
        torch.manual_seed(0)
        with torch.no_grad():
            check(example, folder, name, model_class().eval(), shape)
        print(f"{name}: all properties in {len(ENDINGS)} files")


if __name__ == "__main__":
    main()
