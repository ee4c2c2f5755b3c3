"""Structural hash and fingerprint on files of generated models: what changes them and what does not, in every format.

    identity_test.py PROGRAM FOLDER

Each model is a Python file made from a seed, and so is each of its changed versions. They are exported by processes of their own,
once as TorchScript, once by torch.export and once as ONNX; then files are repacked, renamed in or damaged by a bit.
"""

import json
import random
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import preloaded

SEEDS = range(4)
FORMATS = ["pt", "pt2", "onnx"]
SAME = ["again", "other_process", "moved_lines", "renamed"]
DIFFERENT = ["op", "attribute", "connection", "shape"]

EXPORT = '''
import importlib, sys, warnings
import torch
sys.path.insert(0, sys.argv[1])
warnings.simplefilter("ignore")
for source, name in (pair.split("=") for pair in sys.argv[2:]):
    torch.manual_seed(0)
    model = importlib.import_module(source).Net().eval()
    inputs = (torch.zeros(1, 3, 8, 8),)
    torch.jit.script(model).save(f"{sys.argv[1]}/{name}.pt")
    torch.export.save(torch.export.export(model, inputs), f"{sys.argv[1]}/{name}.pt2")
    torch.onnx.export(model, inputs, f"{sys.argv[1]}/{name}.onnx", dynamo=False)
'''


def source_of(seed, change=None):
    """The Python of a model: a chain of convolutions, activations and sums; `change` alters one thing in it."""
    pick = random.Random(seed)
    layers = pick.randint(2, 4)
    changed = pick.randrange(1, layers)
    width = pick.choice([4, 6, 8]) + (1 if change == "shape" else 0)
    value = "other_name" if change == "renamed" else "y"
    init, forward, channels = [], [], 3
    for i in range(layers):
        reach = pick.choice([1, 2])
        if change == "attribute" and i == changed:
            reach = 3 - reach
        init.append(f"self.conv{i} = nn.Conv2d({channels}, {width}, 3, padding={reach}, dilation={reach})")
        activation = pick.choice(["torch.relu", "torch.tanh"])
        if change == "op" and i == changed:
            activation = "torch.sigmoid"
        forward.append(f"{value}{i} = {activation}(self.conv{i}({'x' if i == 0 else f'{value}{i - 1}'}))")
        channels = width
    first = layers - 1 if change == "connection" else 0
    forward.append(f"return {value}{layers - 1} + 2 * {value}{first}")
    blank = "\n" * (37 if change == "moved_lines" else 0)
    def body(lines):
        return "".join(f"        {line}\n" for line in lines)
    return (f"import torch\nfrom torch import nn\n{blank}\nclass Net(nn.Module):\n    def __init__(self):\n"
            f"        super().__init__()\n{body(init)}\n    def forward(self, x):\n{body(forward)}")


def export(folder, pairs):
    command = [sys.executable, "-c", EXPORT, str(folder), *(f"{source}={name}" for source, name in pairs)]
    subprocess.run(command, check=True, timeout=600, stdout=subprocess.DEVNULL)


def export_all(folder):
    first, second = [], []
    for seed in SEEDS:
        for change in [None, "moved_lines", "renamed", *DIFFERENT]:
            name = f"net{seed}_{change}" if change else f"net{seed}"
            (folder / f"{name}.py").write_text(source_of(seed, change))
            first.append((name, name))
        first.append((f"net{seed}", f"net{seed}_again"))
        second.append((f"net{seed}", f"net{seed}_other_process"))
    export(folder, first)
    export(folder, second)


def repacked(file, to, order, compression, edit=lambda name, data: data):
    """The same zip with its entries in another order or compression."""
    with zipfile.ZipFile(file) as source, zipfile.ZipFile(to, "w", compression) as target:
        for entry in order(source.namelist()):
            target.writestr(entry, edit(entry, source.read(entry)))


def is_weight(entry):
    """A tensor's bytes, in a TorchScript file or an exported program."""
    return entry.rsplit("/", 2)[-2] in ("data", "weights") and entry.rsplit("/", 1)[-1].strip("weight_").isdigit()


def flip_bit_in_zip(file, to):
    chosen = []

    def edit(entry, data):
        if chosen or not is_weight(entry):
            return data
        chosen.append(entry)
        return data[:5] + bytes([data[5] ^ 1]) + data[6:]

    repacked(file, to, list, zipfile.ZIP_STORED, edit)
    assert chosen, f"{file}: no weights"


def flip_bit_in_onnx(file, to):
    import onnx

    model = onnx.load(file)
    tensor = model.graph.initializer[0]
    data = tensor.raw_data
    tensor.raw_data = data[:5] + bytes([data[5] ^ 1]) + data[6:]
    onnx.save(model, to)


def rename_in_onnx(file, to):
    """Every value has another name; the interface of the model keeps its own."""
    import onnx

    model = onnx.load(file)
    kept = {port.name for port in [*model.graph.input, *model.graph.output]}
    def new(name):
        return name if name in kept or not name else f"renamed::{name[::-1]}"
    for node in model.graph.node:
        node.input[:] = map(new, node.input)
        node.output[:] = map(new, node.output)
    for holder in [*model.graph.initializer, *model.graph.value_info]:
        holder.name = new(holder.name)
    onnx.save(model, to)


def rename_in_program(file, to):
    """Every value that a node makes has another name."""

    def edit(entry, data):
        if not entry.endswith("models/model.json"):
            return data
        program = json.loads(data)
        made = {output["as_tensor"]["name"] for node in program["graph_module"]["graph"]["nodes"]
                for output in node["outputs"] if "as_tensor" in output}
        def new(text):
            return f"renamed_{text[::-1]}" if text in made else text

        def walk(value):
            if isinstance(value, dict):
                return {new(key): walk(item) if key != "target" else item for key, item in value.items()}
            if isinstance(value, list):
                return [walk(item) for item in value]
            return new(value) if isinstance(value, str) else value

        program["graph_module"]["graph"] = walk(program["graph_module"]["graph"])
        program["graph_module"]["signature"] = walk(program["graph_module"]["signature"])
        return json.dumps(program).encode()

    repacked(file, to, list, zipfile.ZIP_STORED, edit)


def started(command, timeout):
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)


class Identities:
    def __init__(self, program):
        self.program = program
        self.failures = []
        self.checked = 0

    def of(self, file, run_program=preloaded.run):
        run = run_program([self.program, "inspect", "--output-format", "json", str(file)], timeout=120)
        assert run.returncode == 0, f"{file}: {run.stderr}"
        summary = json.loads(run.stdout)
        return summary["structural_hash"], summary["fingerprint"]

    def expect(self, base, file, structure_same, weights_same):
        structure, fingerprint = self.of(file)
        self.checked += 1
        if (structure == base[0]) != structure_same:
            self.failures.append(f"{file.name}: the structural hash is {'another' if structure_same else 'the same'}")
        if (fingerprint == base[1]) != weights_same:
            self.failures.append(f"{file.name}: the fingerprint is {'another' if weights_same else 'the same'}")


def check_zip(identities, base, file, folder):
    variants = {"reversed": (lambda names: names[::-1], zipfile.ZIP_STORED), "packed": (list, zipfile.ZIP_DEFLATED)}
    for name, (order, compression) in variants.items():
        to = folder / f"{file.stem}_{name}{file.suffix}"
        repacked(file, to, order, compression)
        identities.expect(base, to, True, True)


def check_model(identities, folder, seed, ending):
    file = folder / f"net{seed}.{ending}"
    base = identities.of(file, started)  # with other addresses than the forks have
    for what in SAME:
        identities.expect(base, folder / f"net{seed}_{what}.{ending}", True, True)
    for what in DIFFERENT:
        identities.expect(base, folder / f"net{seed}_{what}.{ending}", False, False)
    flipped = folder / f"net{seed}_bit.{ending}"
    (flip_bit_in_onnx if ending == "onnx" else flip_bit_in_zip)(file, flipped)
    identities.expect(base, flipped, True, False)
    if ending != "onnx":
        check_zip(identities, base, file, folder)
    if ending != "pt":  # there the Python names are the names of the values
        inside = folder / f"net{seed}_renamed_inside.{ending}"
        (rename_in_onnx if ending == "onnx" else rename_in_program)(file, inside)
        identities.expect(base, inside, True, True)


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    export_all(folder)
    identities = Identities(program)
    for seed in SEEDS:
        for ending in FORMATS:
            check_model(identities, folder, seed, ending)
    print("\n".join(identities.failures))
    print(f"{identities.checked} files compared with their originals, {len(identities.failures)} wrong")
    return 1 if identities.failures else 0


if __name__ == "__main__":
    sys.exit(main())
