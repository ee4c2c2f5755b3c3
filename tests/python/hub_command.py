"""The command `model_validator hub` in forks of a process that has imported what it imports, and torch: for tests that are not about its start."""

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
    """Started when a test file is imported, before tests start threads, which a fork would break."""
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
    """A worker imports the main module of the process that starts it: here pytest, which takes as long as everything else together."""
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))
