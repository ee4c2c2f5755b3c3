"""Whole hubs on Ray, with real workers on this machine.

A cluster takes long to start: only runs whose start or end is tested have their own; the others share one.
"""

from __future__ import annotations

import importlib.util
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from conftest import MODELS
from hub_command import hub, hub_in, light_workers, serving_commands  # noqa: F401 - a fixture
from test_hub import many_models, rows_of, wait_for, without_measures
from test_hub_attacks import named, require_that_names_do_no_harm  # noqa: F401 - a fixture
from test_hub_kills import require_that_deadly_files_are_rows

LOOPBACK = "127.0.0.2"
"""Ray takes the first address of the loopback for another way to name the machine's own."""
MANY = 400
WITHOUT = ("--include-dashboard=false", "--include-log-monitor=false", "--disable-usage-stats")
NEEDED = "the engine `ray` needs `pip install 'model_validator[hub]'`"
if importlib.util.find_spec("ray") is None:
    pytest.skip(NEEDED, allow_module_level=True)
TOKEN = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
with pytest.MonkeyPatch.context() as patch:
    for name, value in TOKEN.items():  # Ray reads them when it is imported
        patch.setenv(name, value)
    COMMANDS = serving_commands("ray.data")


def hub_on(cluster: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return hub_in(Path.cwd(), *arguments, "--engine", "ray", "--address", cluster, commands=COMMANDS)


def own_cluster(place: Path, *arguments: str | Path) -> subprocess.Popen[str]:
    """A run on a cluster of its own, as begun in a folder."""
    command = [sys.executable, "-P", "-m", "model_validator", "hub", *map(str, arguments), "--engine", "ray"]
    return subprocess.Popen(command, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def workers_in(session: int) -> set[int]:
    """The processes of a session in which Ray lints."""
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if os.getsid(int(process.name)) == session and b"_RayWorker" in (process / "cmdline").read_bytes():
                found.add(int(process.name))
        except OSError:
            continue
    return found


def parts(out: Path) -> int:
    return len(list((out / "models").glob("*.parquet"))) if out.exists() else 0


def test_the_rows_are_those_of_the_local_engine_and_no_module_is_of_the_current_folder(tmp_path: Path) -> None:
    place = tmp_path / "models"
    place.mkdir()
    names = ("reused_nodes.onnx", "reused_nodes.pt2", "reused_nodes.traced.pt", "garbage_pickle.pt")
    for name in names:
        shutil.copy(MODELS / ("bad" if "garbage" in name else ".") / name, place)
    for module in ("pandas", "pyarrow", "fsspec"):
        (place / f"{module}.py").write_text(f"open({str(tmp_path / 'taken')!r}, 'a').write({module!r})\nraise ImportError\n")
    run = own_cluster(place, *names, "--out", "ray", "--workers", "1")
    out, err = run.communicate(timeout=300)
    assert not (tmp_path / "taken").exists()
    assert run.returncode == 0 and out.startswith("4 models"), err
    assert hub(place, "--out", tmp_path / "local", "--workers", "1").returncode == 0
    expected: dict[str, Any] = rows_of(tmp_path / "local")
    assert {uri: without_measures(row) for uri, row in rows_of(place / "ray").items()} == {
        Path(uri).name: without_measures(row) for uri, row in expected.items()
    }


@dataclass(frozen=True)
class Head:
    """A cluster of this machine that is no run's own, and takes only who has its token."""

    address: str
    session: int
    """The session of its processes."""


@pytest.fixture(scope="module")
def head() -> Iterator[Head]:
    with socket.socket() as free:
        free.bind((LOOPBACK, 0))
        port = free.getsockname()[1]
    options = ["--head", "--block", f"--node-ip-address={LOOPBACK}", f"--port={port}", "--num-cpus=2"]
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", *options, *WITHOUT]
    with tempfile.TemporaryDirectory(prefix="ray", dir="/tmp", ignore_cleanup_errors=True) as place:  # names of sockets are short
        process = subprocess.Popen(
            [*command, f"--temp-dir={place}"],
            env={**os.environ, **TOKEN},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            wait_for(lambda: socket.socket().connect_ex((LOOPBACK, port)) == 0, 120)
            yield Head(f"{LOOPBACK}:{port}", process.pid)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture
def cluster(head: Head, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of the cluster, whose token commands have during the test."""
    for name, value in TOKEN.items():
        monkeypatch.setenv(name, value)
    return head.address


def test_killed_workers_and_a_killed_driver_lose_no_model(cluster: str, head: Head, tmp_path: Path) -> None:
    """The second run is on a cluster that is there already."""
    many_models(tmp_path / "models", MANY)
    out = tmp_path / "out"
    run = own_cluster(tmp_path, tmp_path / "models", "--out", out, "--workers", "2", "--batch", "4")
    wait_for(lambda: parts(out) >= 3, 120)
    run.kill()  # Ray's processes end with it
    run.wait()
    wait_for(lambda: not workers_in(run.pid), 60)
    before = len(rows_of(out))
    assert 0 < before < MANY
    made, others = parts(out), workers_in(head.session)
    with ThreadPoolExecutor(1) as threads:
        again = threads.submit(hub_on, cluster, tmp_path / "models", "--out", out, "--workers", "2", "--batch", "4")
        wait_for(lambda: parts(out) >= made + 2, 120)
        os.kill((workers_in(head.session) - others).pop(), signal.SIGKILL)
    done = again.result()
    assert done.returncode == 0, done.stderr
    told = done.stdout.splitlines()[-1]  # before it, Ray says that a worker died
    assert told.startswith(f"{MANY - before} models in ") and f"{before} were in the results already" in told
    rows = rows_of(out)
    assert len(rows) == MANY and all(row["error"] is None for row in rows.values())


def test_files_that_end_their_workers_are_rows(cluster: str, tmp_path: Path) -> None:
    require_that_deadly_files_are_rows(tmp_path, (4,), partial(hub_on, cluster))


def test_names_of_files_do_no_harm(cluster: str, named: Path, tmp_path: Path) -> None:  # noqa: F811 - the fixture
    require_that_names_do_no_harm(named, tmp_path, partial(hub_on, cluster))


def test_a_cluster_that_is_not_there_is_named(tmp_path: Path) -> None:
    many_models(tmp_path / "models", 1)
    told = hub_on("127.0.0.1:1", tmp_path / "models", "--out", tmp_path / "out")
    assert told.returncode == 2 and "error: " in told.stderr and "Traceback" not in told.stderr
