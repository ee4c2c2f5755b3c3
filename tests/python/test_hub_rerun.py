"""Runs into results of other settings: what changed is linted, and the rest is taken from earlier rows."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from conftest import MODELS
from hub_command import hub, light_workers  # noqa: F401 - a fixture
from model_server import serving
from test_hub import MEASURED

from model_validator import batch
from model_validator.batch import _linting, _rerun
from model_validator.errors import ModelValidatorError

PROJECT = Path(__file__).resolve().parents[2]
NAMES = ("reused_nodes.onnx", "reused_nodes.traced.pt", "functional_linear.scripted.pt", "resnet18.onnx", "bad/garbage_pickle.pt")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "models"
    place.mkdir()
    for name in NAMES:
        shutil.copy(MODELS / name, place)
    return place


def latest(out: Path, key: str) -> dict[str, Any]:
    """All that the rows of a run say, by model."""
    both = batch.Results(str(out), {}).latest_with_findings(key)
    identity = {"uri", "version", "revision", "settings"}
    return {
        row["uri"]: (
            {name: value for name, value in row.items() if name not in MEASURED},
            [{name: value for name, value in finding.items() if name not in identity} for finding in findings],
        )
        for row, findings in both
    }


def run(folder: Path, out: Path, **options: Any) -> batch.Summary:
    return batch.run(str(folder), str(out), workers=1, **options)


@pytest.fixture
def selections(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Which rules each lint of this process was asked for."""
    asked: list[Any] = []
    whole = _linting.ask

    def noted(question: str, sources: Any, options: Any) -> Any:
        asked.append(options.get("select"))
        return whole(question, sources, options)

    monkeypatch.setattr(_linting, "ask", noted)
    return asked


def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches are linted here, where a test can see what is asked for, and nothing has to begin."""
    from model_validator.batch import _run
    from model_validator.batch._batches import Worker

    def here(batches: Any, settings: Any, results: Any, _workers: int) -> Any:
        worker = Worker(settings, results)
        return (worker.lint(files) for files in batches)

    monkeypatch.setattr(_run, "run_local", here)


@pytest.mark.parametrize("target", [["tensorrt"], ["openvino", "tvm"]])
def test_another_target_runs_what_asks_for_targets_alone(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, selections: list[Any], target: list[str]
) -> None:
    in_this_process(monkeypatch)
    run(folder, tmp_path / "out", target=["openvino"])
    selections.clear()
    summary = run(folder, tmp_path / "out", target=target)
    assert selections == [list(_rerun.TARGET_RULES)] * (len(NAMES) - 1)  # what cannot be read is not read again
    assert summary.tally.models == len(NAMES)
    assert "saturating-products and shape-mismatch and unknown-operator and unsupported-ops alone" in str(summary)
    fresh = run(folder, tmp_path / "fresh", target=target)
    assert latest(tmp_path / "out", summary.key) == latest(tmp_path / "fresh", fresh.key)


def test_a_rule_that_changed_is_run_alone(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, selections: list[Any]) -> None:
    in_this_process(monkeypatch)
    run(folder, tmp_path / "out", target=["aimet"], ignore=["reused-modules"])
    shutil.copy(MODELS / "without_reused_nodes.onnx", folder / "reused_nodes.onnx")  # this one is another now
    shutil.copy(MODELS / "functional_linear.onnx", folder / "new.onnx")
    selections.clear()
    summary = run(folder, tmp_path / "out", target=["aimet"], rerun_rule="reused-modules")
    assert (selections.count(None), selections.count(["reused-modules"])) == (2, 3)
    fresh = run(folder, tmp_path / "fresh", target=["aimet"])
    assert latest(tmp_path / "out", summary.key) == latest(tmp_path / "fresh", fresh.key)
    assert run(folder, tmp_path / "out", target=["aimet"], rerun_rule="reused-modules").tally.models == 0  # all is done


def test_a_rule_that_was_left_out_is_run_with_weights(tmp_path: Path) -> None:
    with serving(MODELS / "weights") as server:
        urls = [f"{server.url}/spoilt.onnx", f"{server.url}/finite.onnx"]
        first = batch.run(urls, str(tmp_path / "out"), workers=1)
        second = batch.run(urls, str(tmp_path / "out"), workers=1, extend_select=["non-finite-weights"], rerun_rule=["non-finite-weights"])
        fresh = batch.run(urls, str(tmp_path / "fresh"), workers=1, extend_select=["non-finite-weights"])
    assert latest(tmp_path / "out", second.key) == latest(tmp_path / "fresh", fresh.key) != latest(tmp_path / "out", first.key)


def test_other_differences_run_everything(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_this_process(monkeypatch)
    out = tmp_path / "out"
    assert run(folder, out, target=["openvino"]).rerun is None
    assert run(folder, out, target=["tensorrt"], ignore=["inplace-op"]).rerun is None
    assert run(folder, out, target=["tensorrt"], select=["TGT"]).rerun is None
    assert run(folder, out, target=["openvino", "onnxruntime-quantize"]).rerun is None  # asks for what quantisers want as well
    with pytest.raises(ModelValidatorError, match="no earlier run"):
        run(folder, tmp_path / "other", rerun_rule=["inplace-op"])


def test_the_command_runs_a_rule_again(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    hub(folder, "--out", out, "--ignore", "reused-modules", "--workers", "1")
    done = hub(folder, "--out", out, "--rerun-rule", "reused-modules", "--workers", "1")
    assert done.returncode == 0 and "reused-modules alone where rows of" in done.stdout
    keys = list(batch.Results(str(out), {}).settings())
    changed = hub("report", out, out, "--settings", ",".join(keys))
    assert re.search(r"^  reused-modules +\+\d+ -0$", changed.stdout, re.MULTILINE)


def test_the_rules_of_targets_are_those_that_ask_for_them() -> None:
    asking = [file for file in (PROJECT / "src" / "validators").glob("*.cpp") if "context.targets" in file.read_text()]
    assert sorted(file.stem.replace("_", "-") for file in asking) == sorted(_rerun.TARGET_RULES)
