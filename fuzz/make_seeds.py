"""Writes the fuzzers' first inputs: make_seeds.py FOLDER. A folder for each: small models, and files that are no model."""

import io
import pathlib
import sys
import zipfile

import torch
from torch import nn

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests" / "connected_graph" / "onnx"))
import onnx_models  # noqa: E402

MARKER = b"\xff#record "


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(2)])
        self.act = nn.ReLU()
        self.scale: float = 0.5

    def forward(self, x, flag: bool = False):
        for layer in self.layers:
            x = self.act(layer(x))
        if flag:
            return x * self.scale
        while bool(x.sum() > 1):
            x = x - 1
        return torch.cat([x, x], dim=0)


class Conditional(nn.Module):
    """With control flow of torch.export."""

    def forward(self, x):
        x = torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos(), (x,))
        return torch.nn.functional.relu(x) + torch.arange(x.shape[0]).unsqueeze(1)


class Containers(nn.Module):
    def forward(self, x, names: list[str], table: dict[str, int]):
        total = 0
        for name in names:
            total += table[name]
        return x + total, [len(names), 1], {"a": x}


def records(data):
    """The records of a zip, one after the other, so that the fuzzer need not compute checksums."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    parts = []
    for entry in archive.namelist():
        content = archive.read(entry)
        name = entry.split("/", 1)[1] if "/" in entry else entry
        parts.append(MARKER + name.encode() + b"\n" + content)
    return b"".join(parts)


def saved(write):
    buffer = io.BytesIO()
    write(buffer)
    return buffer.getvalue()


def exported(model, *inputs, **options):
    return saved(lambda f: torch.export.save(torch.export.export(model.eval(), inputs, **options), f))


def program_seeds():
    rows = torch.export.Dim("rows", min=2, max=64)
    yield "conv", exported(nn.Sequential(nn.Conv2d(1, 1, 1), nn.BatchNorm2d(1), nn.ReLU()), torch.ones(1, 1, 2, 2))
    yield "dynamic", exported(nn.Linear(2, 2), torch.ones(4, 2), dynamic_shapes=({0: rows},))
    yield "cond", exported(Conditional(), torch.ones(2, 2))
    shared = nn.ReLU()
    yield "reused", exported(nn.Sequential(nn.Linear(2, 2), shared, nn.Linear(2, 2), shared), torch.ones(1, 2))
    yield "other_schema", b"".join([MARKER, b"models/model.json\n", b'{"schema_version": {"major": 7, "minor": 3}}'])


def onnx_seeds():
    for name, model in onnx_models.all_models():
        yield name, model.SerializeToString()


def graph_seeds():
    conv = nn.Sequential(nn.Conv2d(1, 1, 1), nn.BatchNorm2d(1), nn.Flatten()).eval()
    scripted = torch.jit.script(Branches())
    yield "scripted", saved(lambda f: torch.jit.save(scripted, f))
    yield "traced", saved(lambda f: torch.jit.save(torch.jit.trace(conv, torch.ones(1, 1, 2, 2)), f))
    yield "frozen", saved(lambda f: torch.jit.save(torch.jit.freeze(torch.jit.script(conv)), f))
    yield "containers", saved(lambda f: torch.jit.save(torch.jit.script(Containers()), f))
    yield "state_dict", saved(lambda f: torch.save(conv.state_dict(), f))
    yield "module", saved(lambda f: torch.save(conv, f))
    yield "legacy", saved(lambda f: torch.save(conv.state_dict(), f, _use_new_zipfile_serialization=False))
    yield "exported", saved(lambda f: torch.export.save(torch.export.export(conv, (torch.ones(1, 1, 2, 2),)), f))
    yield "onnx", b"\x08\x0a\x12\x07pytorch\x3a\x0c\x0a\x08\x0a\x01x\x12\x01y\x22\x00\x42\x02\x10\x12"
    yield "lfs", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    yield "safetensors", b"\x02\0\0\0\0\0\0\0{}"


def main(folder):
    for reader, seeds in (("graph", graph_seeds), ("onnx", onnx_seeds), ("exported_program", program_seeds)):
        folder_of_reader = pathlib.Path(folder) / reader
        folder_of_reader.mkdir(parents=True, exist_ok=True)
        for name, data in seeds():
            (folder_of_reader / name).write_bytes(data)
            if data[:4] == b"PK\x03\x04":
                (folder_of_reader / f"{name}.records").write_bytes(records(data))


if __name__ == "__main__":
    main(sys.argv[1])
