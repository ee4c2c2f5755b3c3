"""The command `model_validator hub` in forks of a process that has imported what it imports, for tests that are not about its start."""

from __future__ import annotations

import atexit
import importlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))

import forked

IMPORTED = "model_validator.batch._command pyarrow.parquet pyarrow.json fsspec.implementations.http fsspec.implementations.local aiohttp"


def serving_commands(*modules: str) -> forked.Server:
    """It is begun where a test file is imported: what the tests do in threads is not forked then."""
    server = forked.Server(lambda: [importlib.import_module(name) for name in (*IMPORTED.split(), *modules)])
    atexit.register(server.close)
    return server


COMMANDS = serving_commands()


def hub(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return hub_in(Path.cwd(), *arguments)


def hub_in(folder: Path, *arguments: str | Path, commands: forked.Server = COMMANDS) -> subprocess.CompletedProcess[str]:
    """The command, as begun in a folder."""
    return commands.run(folder, "-m", "model_validator", "hub", *map(str, arguments))


@pytest.fixture(autouse=True)
def light_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker imports what the process that begins it was started with: here that would be pytest, for as long as all the rest."""
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))
