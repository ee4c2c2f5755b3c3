"""`mv.migrate`: a TorchScript file becomes a module that computes the same, and nothing that a file says is more than a name or a literal."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import itertools
import json
import py_compile
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

import model_validator as mv
from model_validator import migration


class Block(nn.Module):
    def __init__(self, planes: int, stride: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(planes // stride, planes, 3, stride, 1, bias=False)
        self.bn = nn.BatchNorm2d(planes)
        self.relu = nn.ReLU(inplace=True)
        self.short = nn.Sequential(nn.Conv2d(planes // stride, planes, 1, stride), nn.BatchNorm2d(planes))

    def forward(self, x: Tensor) -> Tensor:
        return self.relu(self.bn(self.conv(x)) + self.short(x))


class Residual(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.Sequential(Block(8, 2), Block(16, 2), Block(16, 1))
        self.fc = nn.Linear(16, 4)

    def forward(self, x: Tensor) -> Tensor:
        x = self.blocks(F.pad(x, [0, 1, 1, 0]).repeat(1, 4, 1, 1))
        return self.fc(F.adaptive_avg_pool2d(x, 1).flatten(1))


class Tagger(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(20, 8)
        self.lstm = nn.LSTM(8, 6, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(12, 5)

    def forward(self, words: Tensor) -> Tensor:
        h, _ = self.lstm(self.table(words))
        steps = []
        for i in range(h.size(1)):
            if i % 2 == 0:
                steps.append(self.fc(h[:, i]))
            else:
                steps.append(self.fc(h[:, i - 1]) * 0.5)
        return torch.stack(steps, 1).log_softmax(-1)


class Loops(nn.Module):
    """Values that change their names: swapped in a loop, chosen by a branch, carried out of two."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = 0.5
        self.register_buffer("table", torch.arange(4.0))

    def forward(self, x: Tensor, n: int = 5) -> tuple[Tensor, int]:
        a, b = x, x + 1
        for i in range(n):
            a, b = b, a * self.scale + i
            if i == 3:
                break
        count = 0
        while n > 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            count += 1
            if count > 50:
                a = -a
        if bool(x.sum() > 0):
            a, b = b, a
        return a[:, 1:] - b[:, :-1] ** 2 + self.table[:1], count


class State(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.cell = nn.GRUCell(4, 4)
        self.register_buffer("hidden", torch.zeros(1, 4))
        self.calls = 0

    def forward(self, x: Tensor) -> Tensor:
        self.calls += 1
        self.hidden = self.cell(x, self.hidden.expand(x.size(0), 4))
        return self.hidden * self.calls


class Tied(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.one = nn.Linear(4, 4)
        self.two = nn.Linear(4, 4)
        self.two.weight = self.one.weight
        self.wide = nn.Linear(4, 4, dtype=torch.float64)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> dict[str, Tensor]:
        x = self.two(self.one(x))
        if mask is not None:
            x = x.masked_fill(mask, float("-inf"))
        return {"x": x, "y": self.wide(x.double()).to(x.dtype)}


class Kinds(nn.Module):
    """Asks for types, and leaves the reduction of a loss at what torch's function has for another default."""

    def joined(self, x: Tensor | list[Tensor]) -> Tensor:
        return torch.cat(x) if isinstance(x, list) else x

    def forward(self, x: Tensor) -> Tensor:
        return torch.kl_div(self.joined([x, x]), self.joined(torch.cat([x, x + 1])).sigmoid(), 1)


class Scaled:
    def __init__(self, x: Tensor, scale: float) -> None:
        self.x = x
        self.scale = scale

    def value(self) -> Tensor:
        return self.x * self.scale


class Objects(nn.Module):
    """Objects of a class that is no module, stored and made, numbers of tensors, and a check of values."""

    def __init__(self) -> None:
        super().__init__()
        self.scaled = Scaled(torch.ones(4), 0.5)

    def forward(self, x: Tensor) -> Tensor:
        if bool(x.isnan().any()):
            raise RuntimeError("nan")
        assert not bool(x.isinf().any()), "inf"
        count = int((x > -9).sum())
        made = Scaled(x, float(x.max()))
        return made.value() * self.scaled.value() + torch.zeros(count).sum()


IMAGE, WORDS, ROWS = (torch.randn(2, 1, 16, 16),), (torch.randint(0, 20, (2, 5)),), (torch.randn(2, 4),)
CASES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "residual": (Residual, IMAGE),
    "tagger": (Tagger, WORDS),
    "loops": (Loops, ROWS),
    "state": (State, ROWS),
    "tied": (Tied, ROWS),
    "kinds": (Kinds, ROWS),
    "objects": (Objects, ROWS),
    "attention": (lambda: nn.TransformerEncoderLayer(4, 2, 8), ROWS),
}


class EquallyLong(nn.Module):
    """Which of two operands stands in a line of its own is not told by their lengths."""

    def forward(self, x: Tensor) -> Tensor:
        for dim in (0, 1):
            x = torch.clamp(torch.cumsum(x, dim) * 2, -1.5, 1.5) - torch.clamp(torch.cumsum(x, dim) * 3, -2.5, 2.5)
            x = torch.clamp(torch.cumsum(x, dim) * 4, -1.5, 1.5) - torch.clamp(torch.cumsum(x, dim) * 5, -2.5, 2.5)
        return x


def saved(make: Any, file: Path, inputs: tuple[Any, ...] | None = None) -> Path:
    torch.manual_seed(1)
    model = make().eval()
    made: Any = torch.jit.script(model) if inputs is None else torch.jit.trace(model, inputs)
    made.save(str(file))
    return file


def written(folder: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"written_{next(NUMBERS)}", folder / "model.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


NUMBERS = itertools.count()


def flat(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        value = list(value.items())
    if isinstance(value, list | tuple):
        for item in value:
            yield from flat(item)
    else:
        yield value


def assert_same(file: Path, model: Any, inputs: tuple[Any, ...]) -> None:
    jit: Any = torch.jit
    old = jit.load(str(file))
    for name, tensor in old.state_dict().items():
        assert torch.equal(model.state_dict()[name], tensor), name
    for scale in (1, 2, -1):
        given = tuple(value * scale if value.is_floating_point() else value for value in inputs)
        with torch.no_grad():
            for expected, got in zip(flat(old(*given)), flat(model(*given)), strict=True):
                assert type(expected) is type(got)
                assert torch.equal(expected, got) if isinstance(expected, Tensor) else expected == got


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("way", ["scripted", "traced"])
def test_computes_the_same(name: str, way: str, tmp_path: Path) -> None:
    make, inputs = CASES[name]
    if way == "traced" and name in ("loops", "state", "tied", "objects"):
        pytest.skip("a trace keeps no more than one way through it")
    file = saved(make, tmp_path / "old.pt", inputs if way == "traced" else None)
    mv.migrate(str(file), tmp_path / "new", run=False)
    assert_same(file, written(tmp_path / "new").load(), inputs)
    checked = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "E4,E7,E9,F,PLE", str(tmp_path / "new")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout


def test_repeated_modules_are_one_class_of_modules_of_torch(tmp_path: Path) -> None:
    found = mv.migrate(str(saved(Residual, tmp_path / "old.pt", IMAGE)))
    assert found.model.count("class ") == 2
    assert "self.blocks = nn.Sequential(Block(4, 8, 2), Block(8, 16, 2), Block(16, 16, 1))" in found.model, found.model
    assert "self.fc = nn.Linear(16, 4)" in found.model


def test_a_larger_class_of_torch_is_told_by_its_code(tmp_path: Path) -> None:
    found = mv.migrate(str(saved(Tagger, tmp_path / "old.pt")))
    assert "self.lstm = nn.LSTM(8, 6, batch_first=True, bidirectional=True)" in found.model
    changed(tmp_path / "old.pt", tmp_path / "bad.pt", b"torch.squeeze(", b"torch.flatten(")
    assert "nn.LSTM" not in mv.migrate(str(tmp_path / "bad.pt")).model


def test_a_class_that_only_says_that_it_is_of_torch_is_written_as_it_is(tmp_path: Path) -> None:
    file = saved(lambda: nn.Sequential(nn.Linear(4, 4), nn.ReLU()), tmp_path / "old.pt", ROWS)
    changed(file, tmp_path / "bad.pt", b"torch.relu(", b"torch.tanh(")
    found = mv.migrate(str(tmp_path / "bad.pt"), tmp_path / "new")
    assert "nn.ReLU" not in found.model and "tanh" in found.model
    assert_same(tmp_path / "bad.pt", written(tmp_path / "new").load(), ROWS)


def test_what_is_written_is_the_same_each_time(tmp_path: Path) -> None:
    file = saved(EquallyLong, tmp_path / "old.pt")
    assert len({mv.migrate(str(file)).model for _ in range(8)}) == 1


def test_shared_tensors_stay_one(tmp_path: Path) -> None:
    mv.migrate(str(saved(Tied, tmp_path / "old.pt")), tmp_path / "new")
    model = written(tmp_path / "new").load()
    assert model.one.weight is model.two.weight
    header = (tmp_path / "new/model.safetensors").read_bytes()
    assert "two.weight" not in json.loads(header[8 : 8 + int.from_bytes(header[:8], "little")])


def test_runs_exports_and_verifies(tmp_path: Path) -> None:
    found = mv.migrate(str(saved(Residual, tmp_path / "old.pt", IMAGE)), tmp_path / "new", inputs=["2x1x16x16"])
    assert (found.identical, found.exported, found.dynamic, found.verified) == (True, True, True, True), found.report
    names = {place.name for place in (tmp_path / "new").iterdir()}
    assert names == {"model.py", "model.safetensors", "export.py", "model.pt2", "report.txt"}
    assert [place.name for place in tmp_path.glob(".migrate-*")] == []


def test_says_what_torch_does_not_export(tmp_path: Path) -> None:
    found = mv.migrate(str(saved(Loops, tmp_path / "old.pt")), inputs=["2x4", "n=5"])
    assert found.identical and found.exported is False and found.blocker


def test_numbers_and_checks_of_values_are_exported(tmp_path: Path) -> None:
    mv.migrate(str(saved(Objects, tmp_path / "old.pt")), tmp_path / "new", run=False)
    model = written(tmp_path / "new").load()
    with torch.no_grad():
        program = torch.export.export(model, ROWS).module()
        assert torch.equal(program(*ROWS), model(*ROWS))
    for bad, word in ((float("nan"), "nan"), (float("inf"), "inf")):
        with pytest.raises(RuntimeError, match=word):
            model(torch.full((2, 4), bad))


def lines_of(cls: Any) -> dict[str, int]:
    """The lines of a class by their text."""
    text, start = inspect.getsourcelines(cls)
    return {line.strip(): number for number, line in enumerate(text, start)}


def test_what_keeps_a_file_from_being_exported_is_told_at_once(tmp_path: Path) -> None:
    """The branch on values and the state, but not what sizes decide."""
    file, lines = saved(Loops, tmp_path / "old.pt"), lines_of(Loops)
    found = mv.check(str(file), target=["torch-export"], select=["unsupported-ops"], isolated=True).findings
    assert [finding.location.line for finding in found if finding.location] == [lines["if bool(x.sum() > 0):"]]
    state = mv.check(str(saved(State, tmp_path / "state.pt")), target=["torch-export"], select=["unsupported-ops"], isolated=True).findings
    assert [(finding.location.line, "`calls`" in finding.message) for finding in state if finding.location] == [
        (lines_of(State)["self.calls += 1"], True)
    ]
    report = mv.migrate(str(file)).report
    assert f"test_migrate.py:{lines['if bool(x.sum() > 0):']}, model.py:" in report


def test_writes_over_nothing(tmp_path: Path) -> None:
    file = saved(Residual, tmp_path / "old.pt", IMAGE)
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name in ("old.pt", "link", "."):
        with pytest.raises(mv.ModelValidatorError, match="something of that name"):
            mv.migrate(str(file), tmp_path / name)
    assert sorted(place.name for place in tmp_path.iterdir()) == ["link", "old.pt"]


def changed(file: Path, to: Path, old: bytes, new: bytes) -> None:
    """The file with one word changed, in its code and its pickles."""
    with zipfile.ZipFile(file) as before, zipfile.ZipFile(to, "w", zipfile.ZIP_STORED) as after:
        for entry in before.infolist():
            data = before.read(entry)
            plain = not entry.filename.rpartition("/")[0].endswith(("data", "constants"))
            after.writestr(entry.filename, replaced(data, old, new) if plain else data)


def replaced(data: bytes, old: bytes, new: bytes) -> bytes:
    """Of strings in pickles the length, too."""
    data = data.replace(b"X" + len(old).to_bytes(4, "little") + old, b"X" + len(new).to_bytes(4, "little") + new)
    return data.replace(old, new)


class Marked(nn.Module):
    """Every kind of name that a file has, each a word of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.marked_module = nn.Linear(4, 4)
        self.marked_list = nn.ModuleList([nn.Linear(4, 4)])
        self.register_buffer("marked_buffer", torch.ones(4))
        self.marked_number = 2
        self.marked_text = "marked string"

    def marked_method(self, marked_argument: Tensor) -> Tensor:
        marked_variable = marked_argument + self.marked_number
        if self.marked_text == "marked other":
            raise ValueError(self.marked_text)
        return marked_variable * marked_variable.size(0)

    def forward(self, x: Tensor) -> tuple[Tensor, str]:
        for module in self.marked_list:
            x = module(x)
        return self.marked_method(self.marked_module(x) * self.marked_buffer), self.marked_text


PLACES = "marked_module marked_list marked_buffer marked_number marked_text marked_method marked_argument marked_variable Marked".split()
WORDS_OF_ATTACK = (
    "class __class__ __init__ __dict__ __reduce__ __getattr__ __call__ _modules _parameters forward load_state_dict training state_dict eval "
    "torch nn F self super print open exec eval_ import_ None True lambda_ __import__ json Path DTYPES SHARED load math \uff4fpen \u0435val"
).split()
STRINGS = (
    '"', "'", "\\", "\\\\\\'", "\n", "\r\n", '\\n"""', "'''", '"); CANARY; ("', "'); CANARY; ('",
    '"""\nCANARY\n"""', "{CANARY}", "{0.__class__}",
    "%s%n", "\u2028CANARY",
    "\u202e", "\\N{BULLET}", "\\x22", "#", "\x1b[31m", "$(CANARY)", "`CANARY`", "\u0661", "\ufeff",
)  # fmt: skip


def attack(word: str, canary: Path) -> str:
    return word.replace("CANARY", f"__import__('pathlib').Path({str(canary)!r}).touch()")


def attacks(canary: Path) -> Iterator[tuple[str, str]]:
    yield from itertools.product(PLACES, WORDS_OF_ATTACK)
    for text in STRINGS:
        yield "marked string", attack(text, canary)


def test_hostile_files_run_nothing_and_write_nothing_else(tmp_path: Path) -> None:
    file = saved(Marked, tmp_path / "old.pt")
    canary, home = tmp_path / "canary", tmp_path / "home"
    home.mkdir()
    count = outcomes = 0
    refusals: set[str] = set()
    for place, word in attacks(canary):
        count += 1
        bad = tmp_path / "bad.pt"
        changed(file, bad, place.encode(), escaped(word) if place == "marked string" else word.encode())
        try:
            mv.migrate(str(bad), home / "new", run=False)
        except mv.ModelValidatorError as error:
            refusals.add(error.message)
        else:
            outcomes += 1
            assert {one.name for one in (home / "new").iterdir()} == {"model.py", "model.safetensors", "export.py", "report.txt"}
            assert_harmless(home / "new")
            for one in (home / "new").rglob("*"):
                one.unlink() if one.is_file() else None
            subprocess.run(["rm", "-r", str(home / "new")], check=True)
        assert not canary.exists() and list(home.iterdir()) == [], (place, word)
    assert all(message and message.isprintable() for message in refusals)
    assert count >= 200 and outcomes >= 100, (count, outcomes)


def escaped(text: str) -> bytes:
    """As a literal of TorchScript's code has it."""
    return text.encode().replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n").replace(b"\r", b"\\r")


CALLED = {"stored", "super", "open", "bytearray", "range", "len", "getattr", "setattr", "RuntimeError"}


def assert_harmless(folder: Path) -> None:
    """It is Python, it calls no function but those of torch and a few more, and making the model does nothing else."""
    py_compile.compile(str(folder / "model.py"), cfile=str(folder / "compiled"), doraise=True)
    tree = ast.parse((folder / "model.py").read_text())
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id in CALLED | own | {"Path"}, ast.unparse(node)
        if isinstance(node, ast.Attribute):
            assert not node.attr.startswith("__") or node.attr == "__init__", ast.unparse(node)
    written(folder).load()


def test_what_was_written_runs_in_confinement(tmp_path: Path) -> None:
    """Even if it were not what it should be: it writes nothing beside its own folder."""
    folder, canary = tmp_path / "new", tmp_path / "canary"
    folder.mkdir()
    (folder / "model.py").write_text(f"from pathlib import Path\n\nPath({str(folder / 'own')!r}).touch()\nPath({str(canary)!r}).touch()\n")
    answer = migration._in_confinement(tmp_path / "old.pt", folder, {"inputs": [], "onnx": False, "require": False}, 120)
    assert "PermissionError" in answer["failed"] and (folder / "own").exists() and not canary.exists()
