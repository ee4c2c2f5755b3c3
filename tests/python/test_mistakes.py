"""What newcomers write by mistake, and what the library makes of it: one sentence that names what was meant."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from conftest import Net
from torch import nn

import model_validator as mv

SQUARE = torch.randn(4, 4, generator=torch.Generator().manual_seed(0))


def shifted(x: torch.Tensor) -> torch.Tensor:
    return torch.sin(x) + 1e-2


def test_tolerances_may_be_given_beside_the_configuration() -> None:
    with pytest.raises(mv.VerificationError):
        mv.verify([SQUARE], torch.sin, shifted)
    assert mv.verify([SQUARE], torch.sin, shifted, rtol=0.1, pcc=0.9)
    assert mv.assert_verified([SQUARE], torch.sin, shifted, atol=0.1)
    closely = mv.VerifyConfig(value_checker=mv.AllCloseValueChecker(), raise_on_difference=False)
    assert not mv.verify([SQUARE], torch.sin, shifted, closely)
    assert mv.verify([SQUARE], torch.sin, shifted, closely, atol=0.1)


def test_sample_inputs_compile_and_verify_at_once() -> None:
    seen: list[torch.Tensor] = []

    def wrong(graph: Any, _examples: Any) -> Callable[..., Any]:
        def run(*arguments: Any) -> Any:
            seen.append(arguments[-1])
            return tuple(result + 1 for result in graph(*arguments))

        return run

    net = nn.Linear(4, 4).eval()
    assert torch.equal(mv.compile(net, "eager", sample_inputs=[SQUARE])(SQUARE), net(SQUARE))
    with pytest.raises(RuntimeError, match="incorrect results"):
        mv.compile(net, wrong, sample_inputs=[SQUARE])
    assert seen


@pytest.mark.parametrize(
    ("call", "meant"),
    [
        (lambda: mv.verify([SQUARE], torch.sin, torch.sin, rtoll=1e-3), "`rtol`"),
        (lambda: mv.verify([SQUARE], torch.sin, torch.sin, verify_cfg=None), "`config`"),
        (lambda: mv.verify([SQUARE], torch.sin, torch.sin, mv.VerifyConfig(value_checker=mv.AllCloseValueChecker()), pcc=0.9), "`atol`"),
        (lambda: mv.check(Net(), targt="openvino"), "`target`"),  # type: ignore[call-arg]
        (lambda: mv.check("net.pt", max_memmory=3), "`max_memory`"),  # type: ignore[call-arg]
        (lambda: mv.check("net.pt", zzz=3), "it has `model`"),  # type: ignore[call-arg]
        (lambda: mv.Model("net.pt", timout=3), "Model() has no keyword `timout`: did you mean `timeout`"),  # type: ignore[call-arg]
        (lambda: mv.ConnectedGraph.read("net.pt", max_step=3), "`max_steps`"),  # type: ignore[call-arg]
        (lambda: mv.partition("net.pt", "openvino", smalest=3), "`smallest`"),  # type: ignore[call-arg]
        (lambda: mv.diff("net.pt", "net.pt", sandbx="off"), "`sandbox`"),  # type: ignore[call-arg]
        (lambda: mv.same(SQUARE, SQUARE, toll=3), "`tol`"),  # type: ignore[call-arg]
        (lambda: mv.VerifyConfig(verify_dtypes=False), "VerifyConfig() has no keyword `verify_dtypes`: did you mean `verify_dtype`"),  # type: ignore[call-arg]
        (lambda: mv.DefaultValueChecker(sqnr=3), "`rtol`"),  # type: ignore[call-arg]
        (lambda: mv.RuleInfo("no-erf", "TEAM001", sumary="erf"), "`summary`"),  # type: ignore[call-arg]
        (lambda: mv.check(nn.ReLU(), SQUARE, opset=SQUARE), "`opset` cannot be Tensor"),  # type: ignore[arg-type]
        (lambda: mv.compile(nn.ReLU(), sample_input=[SQUARE]), "`sample_inputs`"),
        (lambda: mv.check(nn.Linear), "instance"),
        (lambda: mv.check(nn.Linear(4, 4).state_dict()), "weights"),
        (lambda: mv.verify([SQUARE], nn.ReLU(), nn.Linear(4, 4).state_dict()), "weights"),
        (lambda: mv.check([nn.ReLU()], SQUARE), "one at a time"),
        (lambda: mv.check(nn.ReLU(), SQUARE, severity="error"), "mapping"),  # type: ignore[arg-type]
        (lambda: mv.partition(nn.ReLU(), SQUARE, "openvino"), "before the inputs"),  # type: ignore[arg-type]
        (lambda: mv.verify(nn.ReLU(), nn.ReLU(), [SQUARE]), "inputs come first"),
        (lambda: mv.verify([SQUARE], nn.ReLU(), nn.ReLU(), mv.AllCloseValueChecker()), "value_checker"),  # type: ignore[arg-type]
    ],
)
def test_a_mistake_is_a_type_error_that_names_what_was_meant(call: Callable[[], Any], meant: str) -> None:
    with pytest.raises(TypeError) as raised:
        call()
    assert meant in str(raised.value)


@pytest.mark.parametrize(
    ("call", "meant"),
    [
        (lambda net: mv.check(net, export="trce"), "`trace`"),  # type: ignore[arg-type]
        (lambda net: mv.check(net, fail_on="eror"), "`error`"),  # type: ignore[arg-type]
        (lambda net: mv.check(net, preset="quantize"), "`quantise`"),  # type: ignore[arg-type]
        (lambda net: mv.check(net, severity={"reused-modules": "eror"}), "`error`"),  # type: ignore[dict-item]
        (lambda net: mv.partition(net, "openvino", fallback="eagr"), "`eager`"),  # type: ignore[arg-type]
        (lambda _: mv.RuleInfo("no-erf", "TEAM001", severity="warn"), "`warning`"),  # type: ignore[arg-type]
        (lambda _: mv.Diagnostics().add("it", severity="Eror"), "`error`"),  # type: ignore[arg-type]
    ],
)
def test_a_word_that_there_is_not_names_the_closest(call: Callable[[nn.Module], Any], meant: str) -> None:
    with pytest.raises((ValueError, mv.ModelValidatorError), match="cannot be") as raised:
        call(nn.ReLU())
    assert meant in str(raised.value)


def test_help_names_every_option() -> None:
    shown = inspect.signature(mv.check).parameters
    assert {"target", "fail_on", "max_memory", "run_values"} < set(shown)
    assert not any(each.kind is each.VAR_KEYWORD for each in shown.values())
    assert "max_steps" in inspect.signature(mv.ConnectedGraph.read).parameters


def test_paths_are_paths(scripted_file: Path, tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text('[severity]\n"reused-modules" = "info"\n')
    assert mv.check(scripted_file, config=tmp_path / "c.toml", select=["reused-modules"]).ok
    for options in ({"baseline": tmp_path / "none"}, {"profile": [tmp_path / "none"]}, {"op_library": tmp_path / "none"}):
        with pytest.raises(mv.ModelValidatorError, match=r"none|no such operator library"):
            mv.check(scripted_file, **options)


class Variadic(nn.Module):
    def forward(self, x: torch.Tensor, *more: torch.Tensor) -> torch.Tensor:
        return x


class Adds(nn.Module):
    def helper(self, x: torch.Tensor) -> torch.Tensor:
        return torch.add(x, "x" * 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.helper(x)


@pytest.mark.parametrize("module", [Variadic(), Adds()])
def test_why_a_module_cannot_be_exported_is_said_with_its_place(module: nn.Module) -> None:
    with pytest.raises(mv.ModelValidatorError) as raised:
        mv.check(module)
    error = raised.value
    assert len(error.message.splitlines()) == 1
    assert 2 < len(error.details.splitlines()) <= 15
    assert __file__ in error.details
    assert "<--- HERE" in error.details
    said = str(error)
    assert said.index(error.message) < said.index(error.details.splitlines()[0].strip()) < said.index(error.hint)
    assert str(pickle.loads(pickle.dumps(error))) == said


def test_what_torch_says_of_itself_is_left_out() -> None:
    with pytest.raises(mv.ModelValidatorError) as raised:
        mv.check(Lists(), SQUARE, export="export")
    assert __file__ in raised.value.details
    assert "TORCH" not in raised.value.details


class Lists(nn.Module):
    """No exporter takes it."""

    def forward(self, x: torch.Tensor) -> Any:
        return x.tolist() if x.sum() > 0 else int(x.sum())


@pytest.mark.parametrize(
    "call",
    [
        lambda: mv.check(Net(), SQUARE),
        lambda: mv.check(Lists()),
        lambda: mv.check(Net(), SQUARE, export="export"),
        lambda: mv.compile(Net(), sample_inputs=[SQUARE]),
        lambda: mv.check("nothing.pt"),
        lambda: mv.verify([SQUARE], "nothing.pt", nn.ReLU()),
    ],
)
def test_a_sentence_is_not_preceded_by_the_tracebacks_of_others(call: Callable[[], Any]) -> None:
    with pytest.raises(mv.ModelValidatorError) as raised:
        call()
    lines = "".join(traceback.format_exception(raised.value)).splitlines()
    assert len(lines) < 40, len(lines)
    assert not any("torch/nn/modules" in line or "torch/jit" in line for line in lines)


def test_a_shape_is_no_input() -> None:
    with pytest.raises(mv.ModelValidatorError) as raised:
        mv.check(nn.Linear(4, 4), (2, 4))
    assert "torch.randn(2, 4)" in raised.value.hint


def test_arrays_of_numpy_are_inputs_of_a_module() -> None:
    assert mv.check(nn.Linear(4, 4), SQUARE.numpy()).ok


def test_a_file_that_refuses_its_inputs_says_why_in_one_line(scripted_file: Path, net: Net) -> None:
    with pytest.raises(mv.ModelValidatorError) as raised:
        mv.verify([torch.randn(1, 4, 16, 16)], scripted_file, net)
    assert raised.value.kind == "run-failed"
    assert "expected input[1, 4, 16, 16] to have 3 channels" in raised.value.message
    assert "Traceback" not in str(raised.value)


def test_a_function_of_another_name_is_told_by_its_own() -> None:
    with pytest.raises(AttributeError, match="did you mean 'check'"):
        mv.lint  # noqa: B018


def test_a_url_is_told_as_such() -> None:
    with pytest.raises(mv.ModelValidatorError, match="URL") as raised:
        mv.check("https://models.test/net.onnx?raw=true")
    assert raised.value.kind == "not-found"


def test_the_version() -> None:
    assert mv.__version__ == mv.version()


def test_the_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, onnx_file: Path) -> None:
    for runtime in ("onnxruntime", "openvino"):
        monkeypatch.setitem(sys.modules, runtime, None)
    with pytest.raises(mv.ModelValidatorError) as raised:
        mv.verify([SQUARE], onnx_file, onnx_file)
    assert raised.value.kind == "backend-missing"
    assert "onnxruntime" in raised.value.message


def test_no_hint_names_this_package_to_an_index(monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib import metadata

    from model_validator import _installed

    requirements = ["fsspec>=2025.3; extra == 'hub'", 'ray[data]>=2.40 ; extra == "hub"', "numpy; extra == 'verify'"]
    monkeypatch.setattr(metadata, "requires", lambda _: requirements)
    assert _installed.with_extra("hub") == "pip install 'fsspec>=2025.3' 'ray[data]>=2.40'"
    monkeypatch.setattr(metadata, "requires", lambda _: None)
    assert "file:///" in _installed.with_extra("hub")


AIMET = """
import sys, torch
from torch import nn
from model_validator.aimet import ModelValidator
SETUP
relu = nn.ReLU()
ModelValidator.validate_model(nn.Sequential(relu, relu), torch.randn(4))
"""


@pytest.mark.parametrize(
    ("setup", "prints"),
    [("", True), ("import logging; logging.basicConfig(level=logging.ERROR, stream=sys.stderr)", False)],
)
def test_the_drop_in_for_aimet_prints_its_findings_unless_logging_is_set_up(setup: str, prints: bool) -> None:
    ran = subprocess.run([sys.executable, "-c", AIMET.replace("SETUP", setup)], capture_output=True, text=True, check=True)
    assert ("validate_for_reused_modules" in ran.stdout) is prints
