"""`check`, of files and of live models."""

from __future__ import annotations

import inspect
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import onnx
import pytest
import torch
from conftest import MODELS, REUSED_LINE, Clean, Net

import model_validator as mv

PROGRAM = Path(os.environ["MODEL_VALIDATOR_PREFIX"]) / "bin" / "model_validator"


def rules(report: mv.Report) -> set[str]:
    return {finding.rule for finding in report.findings}


@pytest.mark.parametrize("trusted", [False, True], ids=["confined", "in place"])
@pytest.mark.parametrize(
    "name",
    ["reused_nodes.scripted.pt", "reused_nodes.traced.pt", "reused_nodes.onnx", "reused_nodes.pt2", "resnet18.onnx"],
)
@pytest.mark.parametrize("options", [{}, {"target": ["openvino-onnx", "tensorrt"]}], ids=["plain", "targets"])
def test_files_give_what_the_command_prints(name: str, trusted: bool, options: dict[str, list[str]]) -> None:
    if name.endswith((".pt", ".pt2")) and options:
        options = {"target": ["tensorrt"]}
    if name.endswith(".onnx") and options:
        options = {"target": ["openvino-onnx"]}
    file = str(MODELS / name)
    arguments = [f"--target={target}" for targets in options.values() for target in targets]
    printed = subprocess.run(
        [PROGRAM, "check", "-q", "--output-format=json", *arguments, file], capture_output=True, text=True, check=False
    )
    report = mv.check(file, trusted=trusted, **options)
    assert report.to_json() == printed.stdout
    assert report.ok == (printed.returncode == 0)


def test_bytes_are_a_model(scripted_file: Path) -> None:
    content = scripted_file.read_bytes()
    by_file = mv.check(scripted_file)
    for given in (content, bytearray(content), memoryview(content)):
        for trusted in (False, True):
            report = mv.check(given, name=str(scripted_file), trusted=trusted)
            assert report.findings == by_file.findings
    assert mv.check(content).path == "model"


def test_findings_point_at_the_users_own_line(net: Net, image: torch.Tensor) -> None:
    for report in (
        mv.check(net, image),
        mv.check(net),
        mv.check(net, image, export="export"),
        mv.check(torch.jit.script(net)),
    ):
        assert not report.ok
        reused = [finding for finding in report.findings if finding.rule == "reused-modules"]
        assert [finding.module for finding in reused] == ["relu"]
        assert reused[0].location is not None
        assert Path(reused[0].location.file).name == "conftest.py"
        assert {place.line for place in reused[0].locations} == {REUSED_LINE, REUSED_LINE - 1}


def test_a_clean_model_has_no_findings(clean: Clean, image: torch.Tensor) -> None:
    for report in (mv.check(clean, image), mv.check(clean), mv.check(torch.jit.trace(clean, image))):
        assert report.ok
        assert report.findings == ()
        assert report.raise_for_findings() is report
        # A trace does not show every branch, so that one check is not judged there.
        assert report.log[-1].text in {"All validation checks passed.", "No validation check failed."}


def test_an_exported_program_and_an_onnx_model(net: Net, image: torch.Tensor, onnx_file: Path) -> None:
    assert rules(mv.check(torch.export.export(net, (image,)))) == {"reused-modules", "missing-modules"}
    live = mv.check(onnx.load(onnx_file), name=str(onnx_file))
    assert live.to_json() == mv.check(onnx_file).to_json()


def test_a_report_says_everything(net: Net, image: torch.Tensor) -> None:
    report = mv.check(net, image)
    data = json.loads(report.to_json())
    assert len(report.findings) == len(data["models"][0]["findings"]) == 2
    assert report.to_dict()["path"] == report.path == "Net"
    assert json.loads(report.to_sarif())["version"] == "2.1.0"
    assert "reused-modules" in str(report)
    assert "<table>" in report._repr_html_()
    frame = report.to_dataframe()
    assert sorted(frame["rule"]) == ["missing-modules", "reused-modules"]
    assert pickle.loads(pickle.dumps(report)) == report
    with pytest.raises(mv.FindingsError, match="reused-modules") as raised:
        report.raise_for_findings()
    assert raised.value.report is report
    assert isinstance(pickle.loads(pickle.dumps(raised.value)), mv.FindingsError)


def test_options_are_those_of_the_command(net: Net, image: torch.Tensor, tmp_path: Path) -> None:
    assert rules(mv.check(net, image, select="reused-modules")) == {"reused-modules"}
    assert rules(mv.check(net, image, ignore=["GRA001"])) == {"missing-modules"}
    assert mv.check(net, image, severity={"GRA": "info"}).ok
    assert mv.check(net, image, fail_on="error").ok
    assert not mv.check(net, image, target="tensorrt").targets[0]["refusals"]
    config = tmp_path / "mv.toml"
    config.write_text('[[suppress]]\nrule = "GRA"\nreason = "known"\n')
    report = mv.check(net, image, config=config)
    assert report.ok
    assert {finding.suppressed.by for finding in report.findings if finding.suppressed} == {"config"}


def test_the_folder_of_the_caller_holds(net: Net, image: torch.Tensor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch.jit.script(net).save(str(tmp_path / "net.pt"))
    (tmp_path / "model_validator.toml").write_text('ignore = ["GRA"]\n')
    monkeypatch.chdir(tmp_path)
    assert mv.check("net.pt").ok
    assert mv.check(net, image).ok
    assert not mv.check("net.pt", isolated=True).ok


def test_a_folder_that_was_removed_is_said_in_a_sentence(tmp_path: Path) -> None:
    program = """
import os, sys, model_validator as mv
os.mkdir("gone"), os.chdir("gone"), os.rmdir("../gone")
for model in (sys.argv[1], "model.onnx"):
    try:
        mv.check(model)
    except mv.ModelValidatorError as error:
        print(error.kind, error.message)
"""
    models = MODELS / "functional_linear.onnx"
    done = subprocess.run([sys.executable, "-c", program, models], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["cannot-read the current folder is not there any more"] * 2, done.stderr


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"target": "tensort"}, "did you mean `tensorrt`"),
        ({"select": "no-such-rule"}, "no rule"),
        ({"timeout": float("nan")}, "`timeout` is not finite: nan"),
        ({"severity": {"GRA001": "fatal"}}, "fatal"),
        ({"max_memory": "much"}, "whole number"),
        ({"max_memory": 0}, "from 1 to"),
        ({"timeout": -1}, "from 0.001 to"),
        ({"sandbox": "maybe"}, "sandbox"),
        ({"fail_on": "sometimes"}, "sometimes"),
        ({"config": "not there.toml"}, "not there.toml"),
    ],
)
def test_options_that_make_no_sense_are_reported(options: dict[str, object], words: str, onnx_file: Path) -> None:
    with pytest.raises(mv.ModelValidatorError, match=words):
        mv.check(onnx_file, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("trusted", [False, True])
def test_what_cannot_be_read_is_an_error(tmp_path: Path, trusted: bool) -> None:
    (tmp_path / "empty.pt").write_bytes(b"")
    (tmp_path / "text.onnx").write_text("hello")
    kinds = {}
    for name in ("empty.pt", "text.onnx", "missing.pt"):
        with pytest.raises(mv.ModelValidatorError) as raised:
            mv.check(tmp_path / name, trusted=trusted)
        assert str(tmp_path / name) in str(raised.value)
        kinds[name] = raised.value.kind
    assert kinds["missing.pt"] == "not-found"
    for content in (b"", b"PK\x03\x04", b"\0" * 1000):
        with pytest.raises(mv.ModelValidatorError) as raised:
            mv.check(content, trusted=trusted, name="upload")
        assert "/proc" not in str(raised.value)
        assert "/tmp" not in str(raised.value)
        assert raised.value.path == "upload"


@pytest.mark.parametrize("model", [None, 3, [1], object(), torch.zeros(1), Net])
def test_what_is_no_model_is_a_type_error(model: object) -> None:
    with pytest.raises(TypeError, match="a model is a path"):
        mv.check(model)


def test_a_module_that_cannot_be_exported_says_why(net: Net, image: torch.Tensor) -> None:
    class Unscriptable(torch.nn.Module):
        def forward(self, *args: object, **kwargs: object) -> object:
            return args[0]

    with pytest.raises(mv.ModelValidatorError, match="give inputs") as raised:
        mv.check(Unscriptable())
    assert raised.value.kind == "not-exportable"
    with pytest.raises(mv.ModelValidatorError, match="expected input"):
        mv.check(net, torch.zeros(1, 4, 8, 8))
    with pytest.raises(ValueError, match="cannot be 'freeze'"):
        mv.check(net, image, export="freeze")  # type: ignore[arg-type]


def test_several_names_may_stand_in_one_text(scripted_file: Path) -> None:
    assert rules(mv.check(scripted_file, select="GRA001,GRA002")) == {"reused-modules", "missing-modules"}
    assert not rules(mv.check(scripted_file, ignore=["GRA001,missing-modules"]))
    report = mv.check(scripted_file, target="tensorrt,openvino")
    assert {verdict["target"] for verdict in report.targets} == {"tensorrt", "openvino"}


def test_a_compiled_module_is_the_module_beneath(net: Net, image: torch.Tensor) -> None:
    report = mv.check(torch.compile(net), image)
    assert report.findings == mv.check(net, image).findings
    assert report.path == "OptimizedModule"


def test_a_trace_leaves_the_model_as_it_was(image: torch.Tensor) -> None:
    model = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.BatchNorm2d(4), torch.nn.Dropout())
    before = {name: value.clone() for name, value in model.state_dict().items()}
    torch.manual_seed(1)
    expected = torch.rand(1)
    torch.manual_seed(1)
    report = mv.check(model, image)
    assert torch.rand(1) == expected
    assert "training-mode" in rules(report)
    for name, value in model.state_dict().items():
        assert torch.equal(value, before[name]), name


def test_inputs_by_name(image: torch.Tensor) -> None:
    class Two(torch.nn.Module):
        def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
            return a - b

    report = mv.check(Two(), {"b": image, "a": image})
    assert rules(report) == {"missing-modules"}
    assert rules(mv.check(Two(), (image, image))) == {"missing-modules"}


def test_files_are_traced_with_inputs(scripted_file: Path, image: torch.Tensor) -> None:
    for inputs in ("x=1x3x16x16", ["x=1x3x16x16"], image, {"x": image}, (image.numpy(),)):
        graph = mv.ConnectedGraph.read(scripted_file, inputs)
        assert graph.products[0].shape == (1, 3, 16, 16)
    with pytest.raises(mv.ModelValidatorError):
        mv.check(scripted_file, "x=1x4x16x16")


def test_nothing_is_imported_or_printed() -> None:
    code = (
        "import sys, model_validator as mv\n"
        "assert not {'torch', 'numpy', 'onnx', 'networkx', 'pandas'} & set(sys.modules), sys.modules.keys()\n"
        f"mv.check({str(MODELS / 'reused_nodes.onnx')!r})\n"
        f"mv.check({str(MODELS / 'reused_nodes.scripted.pt')!r})\n"
        f"mv.check({str(MODELS / 'reused_nodes.scripted.pt')!r}, trusted=True)\n"
        "assert 'torch' not in sys.modules\n"
        "import torch\n"
        "assert mv.check(torch.nn.Linear(2, 2), torch.ones(1, 2)).ok\n"
    )
    ran = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


class NumbersOnTheLeft(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.relu(x)
        z = 1.0 / (1.0 + y)
        z = 3.0 - torch.tanh(z)

        w = 2.0 / z
        if bool(x.sum() > 0):
            w = 4.0 / w
        return torch.relu(1.0 - w)


class ReturnedNumbersOnTheLeft(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.relu(x)
        if bool(x.sum() > 0):
            # Nothing on this line.
            return 1.0 / y

        return 3.0 - y


def lines_with_numbers_on_the_left(module: type[torch.nn.Module], file: Path) -> list[tuple[str, str]]:
    torch.jit.script(module()).save(str(file))
    lines, first = inspect.getsourcelines(module)
    ops = mv.ConnectedGraph.read(str(file)).ops
    return [(op.type, lines[op.source.line - first].strip()) for op in ops if op.type in ("div", "sub") and op.source]


def test_a_number_on_the_left_is_found_on_its_own_line(tmp_path: Path) -> None:
    assert lines_with_numbers_on_the_left(NumbersOnTheLeft, tmp_path / "left.pt") == [
        ("div", "z = 1.0 / (1.0 + y)"),
        ("sub", "z = 3.0 - torch.tanh(z)"),
        ("div", "w = 2.0 / z"),
        ("div", "w = 4.0 / w"),
        ("sub", "return torch.relu(1.0 - w)"),
    ]
    assert lines_with_numbers_on_the_left(ReturnedNumbersOnTheLeft, tmp_path / "returned.pt") == [
        ("div", "return 1.0 / y"),
        ("sub", "return 3.0 - y"),
    ]
