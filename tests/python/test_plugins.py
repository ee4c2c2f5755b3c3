"""`--plugin`: checks in Python on the command line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import Net

from model_validator.__main__ import OTHER_COMMANDS

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


def run(folder: Path, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "model_validator", *arguments, "--isolated"]
    given = {"capture_output": True, "env": dict(os.environ), "text": "input" not in options, **options}
    return subprocess.run(command, cwd=folder, check=False, **given)


def codes(report: str) -> dict[str, set[str]]:
    return {model["path"]: {finding["code"] for finding in model["findings"]} for model in json.loads(report)["models"]}


@pytest.mark.parametrize("given", [["--plugin", "./team/checks.py"], ["--plugin=team/checks.py"]])
def test_its_checks_run_among_the_others(folder: Path, net: Net, given: list[str]) -> None:
    done = run(folder, "check", "models", *given, "--output-format", "json")
    assert done.returncode == 1, done.stderr  # a file of the folder that is no model is passed over
    assert codes(done.stdout) == {"models/net.pt": {"GRA001", "GRA002", "TEAM001"}, "models/text.pt": set()}
    assert done.stderr.startswith("imported\nlooked at models/net.pt\n")


def test_they_are_selected_and_judged_like_the_others(folder: Path) -> None:
    only = run(folder, "models/net.pt", "--plugin", "./team/checks.py", "--select", "TEAM", "--severity", "no-sigmoid=info")
    assert only.returncode == 0, only.stderr
    assert "info[TEAM001] no-sigmoid: sigmoid in the model" in only.stdout
    assert "GRA001" not in only.stdout
    none = run(folder, "models/net.pt", "--plugin", "./team/checks.py", "--select", "TEAM002")
    assert none.returncode == 2
    assert "TEAM002" in none.stderr


def test_a_module_that_cannot_be_imported_is_one_sentence(folder: Path) -> None:
    (folder / "broken.py").write_text("1 / 0\n", encoding="utf-8")
    for module in ("./broken.py", "absent", "./absent.py"):
        done = run(folder, "models/net.pt", "--plugin", module)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"error: the plugin `{module}` cannot be imported: ")
        assert len(done.stderr.splitlines()) == 1


def test_a_module_does_not_control_the_terminal(folder: Path) -> None:
    (folder / "loud.py").write_text(r'raise RuntimeError("\x1b[2J\n::error::passed")' + "\n", encoding="utf-8")
    done = run(folder, "models/net.pt", "--plugin", "./loud.py")
    assert done.returncode == 2
    assert done.stderr == "error: the plugin `./loud.py` cannot be imported: RuntimeError: \\x1b[2J\\n::error::passed\n"


def test_the_current_folder_is_searched_only_where_it_is_named(folder: Path) -> None:
    done = run(folder, "models/net.pt", "--plugin", "team.checks")
    assert (done.returncode, done.stdout) == (2, "")
    assert "write `--plugin ./team/checks.py`" in done.stderr
    # A name that is installed is that module, whatever lies in the current folder.
    (folder / "numpy.py").write_text("open('canary', 'w')\n", encoding="utf-8")
    run(folder, "models/net.pt", "--plugin", "numpy")
    assert not (folder / "canary").exists()


def test_installed_checks_are_not_those_of_the_current_folder(folder: Path) -> None:
    (folder / "evil.py").write_text("open('canary', 'w')\n", encoding="utf-8")
    information = folder / "evil-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n", encoding="utf-8")
    (information / "entry_points.txt").write_text("[model_validator.validators]\nevil = evil:Check\n", encoding="utf-8")
    run(folder, "models/net.pt", "--plugin", "./team/checks.py")
    code = "import model_validator as mv; mv.check('models/net.pt')"
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not (folder / "canary").exists()


def test_torch_is_not_taken_from_the_current_folder(folder: Path) -> None:
    (folder / "torch" / "lib").mkdir(parents=True)
    (folder / "torch" / "__init__.py").touch()
    (folder / "torch" / "version.py").write_text("__version__ = '2.13.0'\n", encoding="utf-8")
    code = "from model_validator import _torch; print(_torch.folder())"
    for command in (["-c", code], ["-m", "model_validator", "models/net.pt", "-q"]):
        done = subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, text=True, check=False)
        assert str(folder) not in done.stdout
        assert done.returncode == (0 if "-c" in command else 1), done.stderr


def test_a_file_that_is_called_like_the_option_is_no_plugin(folder: Path) -> None:
    (folder / "--plugin=team").mkdir()
    (folder / "--plugin=team" / "checks.py").touch()
    done = run(folder, "--plugin=team/checks.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert "both an option and the name of a file" in done.stderr
    assert "imported" not in done.stderr


def test_without_python_the_program_says_so(folder: Path) -> None:
    program = Path(os.environ["MODEL_VALIDATOR_PREFIX"]) / "bin" / "model_validator"
    command = [str(program), "models/net.pt", "--plugin", "./team/checks.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "needs Python" in done.stderr


@pytest.fixture
def installed(folder: Path) -> dict[str, str]:
    """The environment where a package is installed that provides the check, elsewhere than in the current folder."""
    site = folder / "site"
    information = site / "team-1.0.dist-info"
    information.mkdir(parents=True)
    shutil.copytree(folder / "team", site / "team")
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: team\nVersion: 1.0\n", encoding="utf-8")
    (information / "entry_points.txt").write_text("[model_validator.validators]\nno-sigmoid = team.checks:NoSigmoid\n", encoding="utf-8")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([os.environ["PYTHONPATH"], str(site)])}


def test_the_checks_of_installed_packages_run_as_well(folder: Path, installed: dict[str, str]) -> None:
    for command in (["check"], []):
        done = run(folder, *command, "models/net.pt", "--output-format", "json", env=installed)
        assert codes(done.stdout) == {"models/net.pt": {"GRA001", "GRA002", "TEAM001"}}, done.stderr
    command = [sys.executable, "-m", "model_validator", "inspect", "models/net.pt"]
    assert subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, env=installed).stderr == ""
    assert "Usage" in run(folder, "check", "--help", env=installed).stdout


def test_an_installed_check_that_cannot_be_loaded_is_one_sentence(folder: Path, installed: dict[str, str]) -> None:
    (folder / "site" / "team" / "checks.py").write_text("1 / 0\n", encoding="utf-8")
    done = run(folder, "models/net.pt", env=installed)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: the installed check `team.checks:NoSigmoid` cannot be loaded: ZeroDivisionError: division by zero\n"


def test_a_model_on_standard_input(folder: Path) -> None:
    done = run(folder, "-", "--plugin", "./team/checks.py", "--output-format", "json", input=(folder / "models" / "net.pt").read_bytes())
    assert codes(done.stdout.decode()) == {"-": {"GRA001", "GRA002", "TEAM001"}}, done.stderr


def test_every_command_is_known() -> None:
    program = Path(os.environ["MODEL_VALIDATOR_PREFIX"]) / "bin" / "model_validator"
    helped = subprocess.run([str(program), "--help"], capture_output=True, text=True, check=True).stdout
    commands = helped.partition("Subcommands:\n")[2].partition("\n\n")[0].splitlines()
    assert {line.split()[0] for line in commands if line.startswith("  ") and not line.startswith("   ")} == {"check", *OTHER_COMMANDS}
