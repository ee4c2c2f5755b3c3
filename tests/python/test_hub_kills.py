"""Whole hubs while a store, workers or the run itself are killed: afterwards every model is there once."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from conftest import MODELS
from hub_command import hub, light_workers  # noqa: F401 - a fixture
from model_server import answering
from test_hub import begun_run, many_models, rows_of, wait_for

from model_validator import batch

SERVER = Path(__file__).with_name("model_server.py")


class StoreProcess:
    """A web server in a process of its own, which can be killed and begun again at the same address."""

    def __init__(self, folder: Path, **faults: Any) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._command = [sys.executable, str(SERVER), str(folder), str(self.port), *(f"{name}={value}" for name, value in faults.items())]
        self.url = f"http://127.0.0.1:{self.port}"
        self.begin()

    def begin(self) -> None:
        self._process = subprocess.Popen(self._command)
        wait_for(self._answers)

    def _answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


@pytest.fixture
def stores() -> Iterator[list[StoreProcess]]:
    begun: list[StoreProcess] = []
    yield begun
    for store in begun:
        store.kill()


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """Models that take several ranges, and small ones of which each has its own content."""
    place = tmp_path / "models"
    many_models(place, 40)
    for index, name in enumerate(("resnet18.traced.pt", "resnet18.onnx") * 3):
        (place / f"large{index}{Path(name).suffix}").symlink_to(MODELS / name)
    return place


def list_of(urls: list[str], folder: Path) -> Path:
    file = folder / "list.txt"
    file.write_text("\n".join(urls))
    return file


def run_of(urls: list[str], out: Path, attempts: int) -> batch.Summary:
    return batch.run(str(list_of(urls, out.parent)), str(out), workers=2, batch=4, attempts=attempts, first_pause=0.05)


def parts(out: Path) -> int:
    return len(list((out / "models").glob("*.parquet")))


def latest(out: Path) -> dict[str, Any]:
    results = batch.Results(str(out), {})
    rows = list(results.latest(list(results.settings())[-1]))
    found = {row["uri"]: row for row in rows}
    assert len(found) == len(rows)  # none twice
    return found


def test_a_store_that_is_killed_and_comes_back_loses_no_model(tmp_path: Path, models: Path, stores: list[StoreProcess]) -> None:
    """It also throttles, fails and cuts answers off, each time that it comes back anew. What it did not give after all those
    attempts, the next run reads."""
    stores.append(StoreProcess(models, throttle=1, retry_after=0.1, fail=1, cut=1, latency=0.02))
    urls = [f"{stores[0].url}/{file.name}" for file in sorted(models.iterdir())]
    with ThreadPoolExecutor(1) as threads:
        run = threads.submit(run_of, urls, tmp_path / "out", attempts=9)
        for count in (2, 5):
            wait_for(lambda count=count: parts(tmp_path / "out") >= count)
            stores[0].kill()
            time.sleep(1)
            stores[0].begin()
    assert not run.result().missing
    assert sorted(rows_of(tmp_path / "out")) == sorted(urls), run.result()
    again = run_of(urls, tmp_path / "out", attempts=9)
    rows = latest(tmp_path / "out")
    assert sorted(rows) == sorted(urls) and all(row["error"] is None for row in rows.values()), again


def test_what_a_dead_store_did_not_give_is_done_by_the_next_run(tmp_path: Path, models: Path, stores: list[StoreProcess]) -> None:
    stores.append(StoreProcess(models, latency=0.05))
    urls = [f"{stores[0].url}/{file.name}" for file in sorted(models.iterdir())]
    with ThreadPoolExecutor(1) as threads:
        run = threads.submit(run_of, urls, tmp_path / "out", attempts=2)
        wait_for(lambda: parts(tmp_path / "out") >= 2)
        stores[0].kill()
    assert not run.result().missing
    before = rows_of(tmp_path / "out")
    assert sorted(before) == sorted(urls)  # what failed is a row, too
    failed = [url for url, row in before.items() if row["error"]]
    assert failed and {before[url]["error"] for url in failed} == {"unreadable-file"} and len(failed) < len(urls)
    stores[0].begin()
    told = str(run_of(urls, tmp_path / "out", attempts=6))
    assert told.startswith(f"{len(failed)} models in ") and f"{len(urls) - len(failed)} were in the results already" in told
    rows = latest(tmp_path / "out")
    assert sorted(rows) == sorted(urls) and all(row["error"] is None for row in rows.values())
    assert f"{len(urls)} models: " in hub("report", tmp_path / "out").stdout


def process_of(port: int) -> int:
    """The process whose connection comes from a port of this machine."""
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        local, inode = line.split()[1], line.split()[9]
        if int(local.split(":")[1], 16) == port and inode != "0":
            for descriptor in Path("/proc").glob("[0-9]*/fd/*"):
                try:
                    if os.readlink(descriptor) == f"socket:[{inode}]":
                        return int(descriptor.parts[2])
                except OSError:
                    continue
    raise LookupError(port)


class Deadly:
    """Answers with a model; whoever asks for one called `deadly` is killed."""

    def __init__(self) -> None:
        self.content = (MODELS / "functional_linear.onnx").read_bytes()
        self.deaths = 0
        self._lock = threading.Lock()

    def __call__(self, request: BaseHTTPRequestHandler) -> None:
        if "deadly" in request.path:
            with self._lock:
                os.kill(process_of(request.client_address[1]), signal.SIGKILL)
                self.deaths += 1
            return
        request.send_response(206 if request.headers.get("Range") else 200)
        request.send_header("Content-Length", str(len(self.content)))
        request.send_header("Content-Range", f"bytes 0-{len(self.content) - 1}/{len(self.content)}")
        request.send_header("ETag", f'"{request.path}"')
        request.end_headers()
        request.wfile.write(self.content if request.command == "GET" else b"")


def require_that_deadly_files_are_rows(tmp_path: Path, places: tuple[int, ...], engine: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    """engine: runs the command with one of the engines."""
    deadly = Deadly()
    with answering(deadly) as url:
        names = [f"{url}/{index}.onnx" for index in range(30)]
        for place in places:
            names.insert(place, f"{url}/deadly{place}.onnx")
        done = engine(list_of(names, tmp_path), "--out", tmp_path / "out", "--workers", "2", "--batch", "4")
    assert done.returncode == 0, done.stderr
    rows = rows_of(tmp_path / "out")
    assert sorted(rows) == sorted(names)
    assert {url: row["error"] for url, row in rows.items()} == {name: "crashed" if "deadly" in name else None for name in names}
    assert 2 * len(places) <= deadly.deaths <= 3 * len(places), done.stdout  # each twice, and once in a batch


def test_files_that_end_their_workers_are_rows(tmp_path: Path) -> None:
    require_that_deadly_files_are_rows(tmp_path, (3, 4, 20), hub)


def test_two_runs_at_once_are_refused_until_the_first_is_killed(tmp_path: Path) -> None:
    many_models(tmp_path / "models", 100)
    run = begun_run(tmp_path / "models", tmp_path / "out")
    try:
        told = hub(tmp_path / "models", "--out", tmp_path / "out")
        assert told.returncode == 2 and f"another run writes its results there (process {run.pid} on " in told.stderr
    finally:
        run.kill()
        run.communicate()
    assert hub(tmp_path / "models", "--out", tmp_path / "out").returncode == 0
    assert len(rows_of(tmp_path / "out")) == 100


def test_workers_that_cannot_begin_are_explained(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    model, out = str(MODELS / "functional_linear.onnx"), str(tmp_path / "out")
    script.write_text(f"from model_validator import batch\nbatch.run({model!r}, {out!r}, workers=1)\n")
    told = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False, timeout=120)
    assert told.returncode == 1 and "workers end before they begin" in told.stderr and 'if __name__ == "__main__"' in told.stderr


@pytest.mark.parametrize(("number", "status", "last"), [(signal.SIGINT, 130, "the same command goes on from here\n"), (signal.SIGTERM, 143, "")])
def test_an_interrupted_run_leaves_nothing_behind(tmp_path: Path, number: int, status: int, last: str) -> None:
    many_models(tmp_path / "models", 400)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    environment = {**os.environ, "TMPDIR": str(scratch)}
    command = [sys.executable, "-m", "model_validator", "hub", str(tmp_path / "models"), "--out", str(tmp_path / "out"), "--batch", "4"]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True)
    wait_for(lambda: parts(tmp_path / "out") >= 2)
    os.killpg(run.pid, number) if number == signal.SIGINT else run.terminate()  # a terminal sends it to all
    _, err = run.communicate(timeout=60)
    assert run.returncode == status and err.endswith(last) and "Traceback" not in err
    assert not [file for file in scratch.iterdir() if file.name.startswith("model_validator")]
    shutil.rmtree(scratch)
