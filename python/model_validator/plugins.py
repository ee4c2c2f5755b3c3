"""`check --plugin package.module` or `--plugin ./module.py`: the checks of Python modules, and of installed packages, run among
the program's own.

The program reads the graphs, in processes that can only compute; the checks look at them here; then the program lints and
adds their findings to its own. So selection, severities, baselines, every output format and the exit status apply to them.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from . import _places
from .errors import as_sentence
from .graph import ConnectedGraph, graph_from_json
from .validators import all_validators, recorded

OPTION = "--plugin"


def split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """The modules that `--plugin` names, and all other arguments.

    @raises ValueError for a file that is called like this option, as a pattern of the shell may name one
    """
    modules: list[str] = []
    others: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if argument == "--":
            others += [argument, *rest]
        elif argument.startswith(OPTION) and os.path.lexists(argument):
            raise ValueError(f"`{argument}` is both an option and the name of a file: write `--` before the names of files")
        elif argument == OPTION:
            modules += next(rest, "").split(",")
        elif argument.startswith(OPTION + "="):
            modules += argument[len(OPTION) + 1 :].split(",")
        else:
            others.append(argument)
    return modules, others


def run(modules: Sequence[str], arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    """Runs the checks that the modules register. Returns the exit status."""
    try:
        with contextlib.redirect_stdout(sys.stderr):  # standard output is for the report
            _import(modules)
        return _run(arguments, environment)
    except ImportError as error:
        print(f"error: {as_sentence(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


def _run(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    def program(*options: str) -> int:
        command = [str(_places.program()), *arguments, *options]
        with open(folder / "input", "rb") if piped else contextlib.nullcontext() as given:
            ended = subprocess.run(command, env=environment, stdin=given, check=False).returncode
        return ended if ended >= 0 else 128 - ended

    with TemporaryDirectory(prefix="model_validator") as name:
        folder = Path(name)
        if piped := "-" in arguments:  # the program reads the model twice
            with open(folder / "input", "wb") as copy:
                shutil.copyfileobj(sys.stdin.buffer, copy)
        if status := program("--graphs-to", name):
            return status
        if not (folder / "index.json").exists():  # help was asked for
            return 0
        with contextlib.redirect_stdout(sys.stderr):
            findings = [_findings(model, folder) for model in _read(folder / "index.json")]
        (folder / "findings").write_text(json.dumps(findings), encoding="utf-8")
        return program("--findings-of", str(folder / "findings"))


def _import(modules: Sequence[str]) -> None:
    for module in modules:
        try:
            if "/" in module:
                _import_file(Path(module).resolve(strict=True))
            else:
                _import_installed(module)
        except Exception as error:
            raise ImportError(f"the plugin `{module}` cannot be imported: {type(error).__name__}: {error}") from error


def _import_file(file: Path) -> None:
    """A file or a package of the user's, which may import what lies next to it."""
    names, folder = [file.stem], file.parent
    while (folder / "__init__.py").is_file():
        names, folder = [folder.name, *names], folder.parent
    sys.path.insert(0, str(folder))
    importlib.import_module(".".join(names))


def _import_installed(module: str) -> None:
    """Never one of the current folder, which may be a cloned repository."""
    with _places.without_current_folder():
        try:
            importlib.import_module(module)
        except ModuleNotFoundError as error:
            here = Path(*module.split("."))
            if error.name == here.parts[0] and (here.is_dir() or here.with_suffix(".py").is_file()):
                named = f"./{here}" if here.is_dir() else f"./{here}.py"
                raise ModuleNotFoundError(f"{error}; to take it from the current folder, write `--plugin {named}`") from error
            raise


def _findings(model: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    graph: ConnectedGraph | None = graph_from_json(_read(folder / model["graph"])) if model["graph"] else None
    return {"model": model["model"], "rules": recorded(all_validators(), graph)}


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
