"""`--plugin`: checks in Python on the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Net

PLUGIN = '''
import model_validator as mv

print("imported")


@mv.validator
class NoSigmoid(mv.Validator):
    """Our accelerator rounds a sigmoid to 8 bits."""

    info = mv.RuleInfo("no-sigmoid", "TEAM001", "a sigmoid")

    def run(self, graph, diagnostics):
        print("looked at", graph.path)
        for op in graph.ops:
            if op.type == "sigmoid":
                diagnostics.add("sigmoid in the model", op=op, help="use `nn.Hardsigmoid`")
'''


@pytest.fixture
def folder(tmp_path: Path, scripted_file: Path) -> Path:
    package = tmp_path / "team"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "checks.py").write_text(PLUGIN, encoding="utf-8")
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "net.pt").write_bytes(scripted_file.read_bytes())
    (tmp_path / "models" / "text.pt").write_text("no model", encoding="utf-8")
    return tmp_path


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "model_validator", *arguments, "--isolated"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=dict(os.environ))


def codes(report: str) -> dict[str, set[str]]:
    return {model["path"]: {finding["code"] for finding in model["findings"]} for model in json.loads(report)["models"]}


@pytest.mark.parametrize("given", [["--plugin", "team.checks"], ["--plugin=team.checks"]])
def test_its_checks_run_among_the_others(folder: Path, net: Net, given: list[str]) -> None:
    done = run(folder, "check", "models", *given, "--output-format", "json")
    assert done.returncode == 2, done.stderr  # one file is no model
    assert codes(done.stdout) == {"models/net.pt": {"GRA001", "GRA002", "TEAM001"}, "models/text.pt": set()}
    assert done.stderr.startswith("imported\nlooked at models/net.pt\n")


def test_they_are_selected_and_judged_like_the_others(folder: Path) -> None:
    only = run(folder, "models/net.pt", "--plugin", "team.checks", "--select", "TEAM", "--severity", "no-sigmoid=info")
    assert only.returncode == 0, only.stderr
    assert "info[TEAM001] no-sigmoid: sigmoid in the model" in only.stdout
    assert "GRA001" not in only.stdout
    none = run(folder, "models/net.pt", "--plugin", "team.checks", "--select", "TEAM002")
    assert none.returncode == 2
    assert "TEAM002" in none.stderr


def test_a_module_that_cannot_be_imported_is_one_sentence(folder: Path) -> None:
    (folder / "broken.py").write_text("1 / 0\n", encoding="utf-8")
    for module in ("broken", "absent"):
        done = run(folder, "models/net.pt", "--plugin", module)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"error: the plugin `{module}` cannot be imported: ")
        assert len(done.stderr.splitlines()) == 1


def test_without_python_the_program_says_so(folder: Path) -> None:
    program = Path(os.environ["MODEL_VALIDATOR_PREFIX"]) / "bin" / "model_validator"
    command = [str(program), "models/net.pt", "--plugin", "team.checks"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "needs Python" in done.stderr
