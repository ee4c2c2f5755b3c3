"""Whole hubs on Ray, with real workers on this machine."""

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
from pathlib import Path
from typing import Any

import pytest
from conftest import MODELS
from test_hub import hub, many_models, rows_of, wait_for, without_measures
from test_hub_kills import require_that_deadly_files_are_rows

LOOPBACK = "127.0.0.2"
"""Ray takes the first address of the loopback for another way to name the machine's own."""
NEEDED = "the engine `ray` needs `pip install 'model_validator[hub]'`"
pytestmark = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason=NEEDED)


def on_ray(place: Path, out: Path, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "model_validator", "hub", str(place), "--out", str(out), "--engine", "ray", "--workers", "2", *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def finished(run: subprocess.Popen[str]) -> str:
    out, err = run.communicate(timeout=300)
    assert run.returncode == 0, err
    return out


def workers_of(run: subprocess.Popen[str]) -> list[int]:
    """The processes of the session of a run in which Ray lints."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if os.getsid(int(process.name)) == run.pid and b"_RayWorker" in (process / "cmdline").read_bytes():
                found.append(int(process.name))
        except OSError:
            continue
    return found


def parts(out: Path) -> int:
    return len(list((out / "models").glob("*.parquet"))) if out.exists() else 0


def test_the_rows_are_those_of_the_local_engine(tmp_path: Path) -> None:
    place = tmp_path / "models"
    place.mkdir()
    for name in ("reused_nodes.onnx", "reused_nodes.pt2", "reused_nodes.traced.pt", "bad/garbage_pickle.pt"):
        shutil.copy(MODELS / name, place)
    assert finished(on_ray(place, tmp_path / "ray")).startswith("4 models")
    assert hub(place, "--out", tmp_path / "local", "--workers", "1").returncode == 0
    expected: dict[str, Any] = rows_of(tmp_path / "local")
    assert {uri: without_measures(row) for uri, row in rows_of(tmp_path / "ray").items()} == {
        uri: without_measures(row) for uri, row in expected.items()
    }


def test_workers_take_no_modules_from_the_current_folder(tmp_path: Path) -> None:
    shutil.copy(MODELS / "functional_linear.onnx", tmp_path / "model.onnx")
    for module in ("pandas", "pyarrow", "fsspec"):
        (tmp_path / f"{module}.py").write_text(f"open({str(tmp_path / 'taken')!r}, 'a').write({module!r})\nraise ImportError\n")
    command = [sys.executable, "-P", "-m", "model_validator", "hub", "model.onnx", "--out", "out", "--engine", "ray", "--workers", "1"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert not (tmp_path / "taken").exists()
    assert done.returncode == 0 and len(rows_of(tmp_path / "out")) == 1, done.stderr


def test_killed_workers_and_a_killed_driver_lose_no_model(tmp_path: Path) -> None:
    many_models(tmp_path / "models", 400)
    out = tmp_path / "out"
    run = on_ray(tmp_path / "models", out, "--batch", "4")
    wait_for(lambda: parts(out) >= 3, 120)
    run.kill()  # Ray's processes end with it
    run.wait()
    wait_for(lambda: not workers_of(run), 60)
    before = len(rows_of(out))
    assert 0 < before < 400
    again = on_ray(tmp_path / "models", out, "--batch", "4")
    made = parts(out)
    wait_for(lambda: parts(out) >= made + 2, 120)
    os.kill(workers_of(again)[0], signal.SIGKILL)
    finished(again)
    rows = rows_of(out)
    assert len(rows) == 400 and all(row["error"] is None for row in rows.values())


def test_files_that_end_their_workers_are_rows(tmp_path: Path) -> None:
    require_that_deadly_files_are_rows(tmp_path, (4,), "--engine", "ray")


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a cluster of this machine that is no run's own, and takes only who has its token."""
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    monkeypatch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
    with socket.socket() as free:
        free.bind((LOOPBACK, 0))
        port = free.getsockname()[1]
    options = ["--head", "--block", f"--node-ip-address={LOOPBACK}", f"--port={port}", "--num-cpus=2", "--include-dashboard=false"]
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", *options, "--disable-usage-stats"]
    with tempfile.TemporaryDirectory(prefix="ray", dir="/tmp", ignore_cleanup_errors=True) as place:  # names of sockets are short
        head = subprocess.Popen([*command, f"--temp-dir={place}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            yield f"{LOOPBACK}:{port}"
        finally:
            os.killpg(head.pid, signal.SIGKILL)
            head.wait()


def test_a_cluster_that_is_there_already(cluster: str, tmp_path: Path) -> None:
    many_models(tmp_path / "models", 60)
    host, port = cluster.split(":")
    wait_for(lambda: socket.socket().connect_ex((host, int(port))) == 0, 120)
    arguments = (tmp_path / "models", "--out", tmp_path / "out", "--engine", "ray", "--address", cluster, "--workers", "2", "--batch", "8")
    done = hub(*arguments)
    assert done.returncode == 0 and done.stdout.startswith("60 models in "), done.stderr
    assert len(rows_of(tmp_path / "out")) == 60
    assert "60 were in the results already" in hub(*arguments).stdout


def test_a_cluster_that_is_not_there_is_named(tmp_path: Path) -> None:
    many_models(tmp_path / "models", 1)
    told = hub(tmp_path / "models", "--out", tmp_path / "out", "--engine", "ray", "--address", "127.0.0.1:1")
    assert told.returncode == 2 and "error: " in told.stderr and "Traceback" not in told.stderr
