"""Whole hubs: local folders and lists, remote files in ranges, stores that fail, and runs that are killed."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import onnx
import pyarrow as pa
import pyarrow.parquet
import pytest
import torch
from conftest import MODELS
from hub_command import hub, hub_in, light_workers  # noqa: F401 - a fixture
from model_server import serving
from torch import nn

from model_validator import batch
from model_validator.batch._files import ModelFile
from model_validator.batch._linting import Linter
from model_validator.errors import ModelValidatorError

MEASURED = ("seconds", "requests", "bytes_read")
QUICK: dict[str, Any] = {"first_pause": 0.01, "workers": 1}


def rows_of(out: Path) -> dict[str, dict[str, Any]]:
    rows = list(batch.Results(str(out), {}).models())
    found = {row["uri"]: row for row in rows}
    assert len(found) == len(rows)  # none twice
    return found


def findings_of(out: Path) -> list[dict[str, Any]]:
    return list(batch.Results(str(out), {}).findings())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Four models that can be read, in two folders, and one that cannot."""
    place = tmp_path / "models"
    (place / "more").mkdir(parents=True)
    for name in ("reused_nodes.onnx", "reused_nodes.pt2", "reused_nodes.traced.pt"):
        shutil.copy(MODELS / name, place / name)
    shutil.copy(MODELS / "functional_linear.scripted.pt", place / "more")
    shutil.copy(MODELS / "bad" / "garbage_pickle.pt", place / "more")
    (place / "notes.md").write_text("no model")
    return place


def test_a_folder_becomes_rows(folder: Path, tmp_path: Path) -> None:
    summary = batch.run(str(folder), str(tmp_path / "out"), target=["openvino"], preset="quantise", workers=2)
    rows = rows_of(tmp_path / "out")
    assert (summary.tally.models, summary.tally.failures, len(rows)) == (5, 1, 5)
    bad = rows[str(folder / "more" / "garbage_pickle.pt")]
    assert (bad["status"], bad["error"], bad["error_message"]) == ("error", "damaged-file", "the pickle is cut off")
    good = rows[str(folder / "more" / "functional_linear.scripted.pt")]
    assert (good["format"], good["exporter"], good["status"]) == ("torchscript", "pytorch", "failed")
    assert [target["target"] for target in good["targets"]] == ["openvino"]
    assert {"name": "missing-modules", "status": "failed", "findings": 1} in good["checks"]
    assert rows[str(folder / "reused_nodes.onnx")]["exporter"].startswith("pytorch 2.")
    mine = [finding for finding in findings_of(tmp_path / "out") if finding["uri"] == good["uri"]]
    assert sorted(finding["rule"] for finding in mine) == ["missing-modules", "nondeterministic-op"]
    assert all(finding["fingerprint"] for finding in mine)
    lines = [json.loads(line) for file in (tmp_path / "out" / "jsonl").iterdir() for line in file.read_text().splitlines()]
    assert {line["uri"]: len(line["findings"]) for line in lines}[good["uri"]] == 2


def test_rows_do_not_depend_on_order_or_workers(folder: Path, tmp_path: Path) -> None:
    def content(out: str) -> list[dict[str, Any]]:
        rows = rows_of(tmp_path / out)
        return [{name: value for name, value in rows[uri].items() if name not in MEASURED} for uri in sorted(rows)]

    files = sorted(str(file) for file in folder.rglob("*.*") if file.suffix != ".md")
    batch.run(files, str(tmp_path / "one"), workers=1)
    batch.run(files[::-1], str(tmp_path / "two"), workers=2, batch=1)
    assert content("one") == content("two")


def test_a_run_goes_on_where_the_last_one_ended(folder: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    batch.run(str(folder / "more"), out, workers=1)
    again = batch.run(str(folder), out, workers=1)
    assert (again.tally.models, again.tally.skipped) == (3, 2)
    assert batch.run(str(folder), out, workers=1).tally.models == 0
    shutil.copy(MODELS / "without_reused_nodes.onnx", folder / "reused_nodes.onnx")
    assert batch.run(str(folder), out, workers=1).tally.models == 1  # its content has changed
    assert batch.run(str(folder), out, workers=1, ignore=["GRA001"]).tally.models == 5  # the settings have
    assert batch.report(out).models == 5


def test_parts_are_complete_or_absent(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    batch.run(str(folder), str(out), workers=1)
    part = sorted((out / "models").iterdir())[0]  # as if the run had been killed before this was written
    part.unlink()
    unfinished = out / "models" / f".{part.name}.1"
    unfinished.write_bytes(b"PAR1")
    assert 1 <= batch.run(str(folder), str(out), workers=1).tally.models <= 4
    assert len(rows_of(out)) == 5 and not unfinished.exists()
    found = findings_of(out)
    assert len({(finding["uri"], finding["fingerprint"], finding["op"]) for finding in found}) == len(found)


@pytest.mark.parametrize("kind", ["txt", "csv", "parquet"])
def test_lists(folder: Path, tmp_path: Path, kind: str) -> None:
    names = [str(folder / "reused_nodes.onnx"), "models/reused_nodes.pt2"]  # from the list's folder
    file = tmp_path / f"list.{kind}"
    if kind == "txt":
        file.write_text("# models\n\n" + "\n".join(names))
    elif kind == "csv":
        file.write_text("stars,path\n" + "\n".join(f"1,{name}" for name in names))
    else:
        pyarrow.parquet.write_table(pa.table({"uri": names, "stars": [1, 2]}), file)
    found = [file.uri for file in batch.discover(str(file), {})]
    assert [os.path.realpath(uri) for uri in found] == [str(folder / "reused_nodes.onnx"), str(folder / "reused_nodes.pt2")]


def test_patterns_and_urls(folder: Path) -> None:
    assert [Path(file.uri).name for file in batch.discover(f"{folder}/*.pt*", {})] == ["reused_nodes.pt2", "reused_nodes.traced.pt"]
    assert len(list(batch.discover(f"file://{folder}", {}))) == 5
    archive = shutil.make_archive(str(folder.parent / "all"), "zip", folder)
    found = list(batch.discover(f"zip://::{archive}", {}))
    assert sorted(file.uri.split("::")[0] for file in found)[0] == "zip://more/functional_linear.scripted.pt"


def test_what_is_wrong_with_sources(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "list.csv").write_text("name,stars\nx,1\n")
    sources = [tmp_path / "empty", tmp_path / "nowhere", tmp_path / "list.csv", folder / "reused_nodes.onnx"]
    summary = batch.run([str(source) for source in sources], str(tmp_path / "out"), workers=1)
    assert [error.kind for error in summary.missing] == ["no-models", "not-found", "bad-options"]
    assert summary.tally.models == 1


def test_the_command(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    planned = hub(folder, "--out", out, "--dry-run")
    assert (planned.returncode, len(planned.stdout.splitlines())) == (0, 5) and not out.exists()
    assert "5 models would be linted; 0 are in the results already" in planned.stderr
    done = hub(folder, "--out", out, "--target", "openvino", "--preset", "quantise", "--workers", "1")
    assert done.returncode == 0 and done.stdout.startswith("5 models in ")
    told = hub("report", out)
    assert told.stdout.startswith("5 models: 1 passed, 3 with findings, 1 could not be read")
    assert "openvino: taken" in told.stdout and "damaged-file" in told.stdout
    hub(folder, "--out", tmp_path / "later", "--target", "openvino", "--preset", "quantise", "--ignore", "missing-modules", "--workers", "1")
    changed = hub("report", out, tmp_path / "later").stdout
    assert changed.startswith("5 models in both: 4 are judged the same, 1 differently")
    assert "  missing-modules  +0 -1\n" in changed
    assert hub("report", tmp_path / "nothing").returncode == 2
    assert "no such file or folder" in hub(tmp_path / "nothing", "--out", out).stderr


def test_it_is_said_how_many_are_left(tmp_path: Path) -> None:
    many_models(tmp_path / "models", 60)
    batch.run(str(tmp_path / "models"), str(tmp_path / "out"), workers=1, batch=4)
    many_models(tmp_path / "more", 40)
    told: list[tuple[int, int | None]] = []

    def progress(tally: Any, found: Any) -> None:
        told.append((tally.models, found.total))

    sources = [str(tmp_path / "models"), str(tmp_path / "more")]
    batch.run(sources, str(tmp_path / "out"), workers=1, batch=4, progress=progress)
    assert told[-1] == (40, 40) and [models for models, total in told if total == 40 and models < 40]


def test_the_example_does_what_its_page_says(folder: Path, tmp_path: Path) -> None:
    page = (Path(__file__).resolve().parents[2] / "examples" / "hub" / "README.md").read_text()
    first, second = re.findall(r"^    model_validator hub (.*?)(?: +#.*)?$", page, re.MULTILINE)
    words = [str(folder) if word == "MODELS" else word for word in first.split()]
    done = hub_in(tmp_path, *words)
    assert done.returncode == 0 and done.stdout.startswith("5 models in "), done.stderr
    assert hub_in(tmp_path, *second.split()).stdout.startswith("5 models: 3 passed, 1 with findings, 1 could not be read")


# Remote files


def without_measures(row: dict[str, Any] | None) -> dict[str, Any]:
    assert row is not None
    return {name: value for name, value in row.items() if name not in (*MEASURED, "uri", "version")}


ALL = sorted(
    str(file.relative_to(MODELS))
    for file in MODELS.rglob("*")
    if file.suffix in (".pt", ".pt2", ".onnx") and file.name != "without_its_weights.onnx"
)


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, Linter, Linter]]:
    settings = batch.Settings({"target": ["openvino"]})
    with serving(MODELS) as server:
        yield server.url, Linter(settings), Linter(settings)


@pytest.mark.parametrize("name", ALL)
def test_a_remote_model_has_the_findings_of_its_copy(served: tuple[str, Linter, Linter], name: str) -> None:
    url, remote, local = served
    assert without_measures(remote.row_of(ModelFile(f"{url}/{name}"))) == without_measures(local.row_of(ModelFile(str(MODELS / name))))


class Large(nn.Module):
    """Large matrices, with numbers and small tensors between them."""

    def __init__(self, layers: int, width: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Sequential(nn.Linear(width, width), nn.LayerNorm(width)) for _ in range(layers))
        self.register_buffer("scale", torch.tensor(0.5))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = torch.relu(layer(x)) * self.scale
        return x


LARGE = {"traced.pt", "scripted.pt", "pt2", "onnx"}


def export_large(folder: Path, kind: str, layers: int, width: int) -> Path:
    model, file = Large(layers, width).eval(), folder / f"large.{kind}"
    x = torch.ones(1, width)
    if kind == "traced.pt":
        torch.jit.trace(model, x).save(str(file))
    elif kind == "scripted.pt":
        torch.jit.script(model).save(str(file))
    elif kind == "pt2":
        torch.export.save(torch.export.export(model, (x,)), str(file))
    else:
        weights = [(f"w{i}", torch.ones(width, width).numpy()) for i in range(layers)]
        nodes = [onnx.helper.make_node("MatMul", [f"x{i}", f"w{i}"], [f"x{i + 1}"]) for i in range(layers)]
        value = lambda name: onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1, width])  # noqa: E731
        stored = [onnx.numpy_helper.from_array(array, name) for name, array in weights]
        graph = onnx.helper.make_graph(nodes, "large", [value("x0")], [value(f"x{layers}")], stored)
        onnx.save(onnx.helper.make_model(graph), str(file))
    return file


@pytest.mark.parametrize("kind", sorted(LARGE))
def test_weights_are_not_transferred(tmp_path: Path, kind: str) -> None:
    file = export_large(tmp_path, kind, layers=30, width=1024)
    linter = Linter(batch.Settings({}))
    with serving(tmp_path) as server:
        row = linter.row_of(ModelFile(f"{server.url}/{file.name}"))
    assert row is not None and row["size"] > 120e6 and row["status"] != "error"
    assert row["bytes_read"] <= 1.2e6 and server.counts.bytes_sent == row["bytes_read"]
    assert server.counts.requests == row["requests"]
    assert without_measures(row) == without_measures(Linter(batch.Settings({})).row_of(ModelFile(str(file))))


def test_a_rule_that_asks_for_weights_gets_them_or_says_so(tmp_path: Path) -> None:
    with serving(MODELS / "weights") as server:
        names = ["spoilt.pt", "spoilt.pt2", "spoilt.onnx", "finite.pt", "finite.onnx"]
        urls = [f"{server.url}/{name}" for name in names]
        batch.run(urls, str(tmp_path / "out"), select=["non-finite-weights"], workers=1)
        rows = rows_of(tmp_path / "out")
        assert [rows[url]["status"] for url in urls] == ["failed", "failed", "failed", "passed", "passed"]
    big = export_large(tmp_path, "traced.pt", layers=2, width=512)
    with serving(tmp_path) as server:
        batch.run(f"{server.url}/{big.name}", str(tmp_path / "more"), select=["NUM002", "GRA"], workers=1, max_fetch=1 << 20)
    (row,) = rows_of(tmp_path / "more").values()
    assert row["not_checked"] == ["non-finite-weights"] and row["error"] is None
    assert "non-finite-weights" not in [check["name"] for check in row["checks"]]


def test_one_content_is_fetched_once_where_the_store_has_its_hash(tmp_path: Path) -> None:
    linter = Linter(batch.Settings({}))
    digest = "sha256:0123"
    with serving(MODELS) as server:
        size = (MODELS / "resnet18.onnx").stat().st_size
        first = linter.row_of(ModelFile(f"{server.url}/resnet18.onnx", size, digest))
        asked = server.counts.requests
        second = linter.row_of(ModelFile(f"{server.url}/copies/resnet18.onnx", size, digest))
    assert asked and server.counts.requests == asked
    assert without_measures(first) == without_measures(second)


# Stores that fail


def run_served(tmp_path: Path, names: list[str], **faults: Any) -> tuple[dict[str, dict[str, Any]], Any]:
    """The rows of models by their names, and what the server counted."""
    shutil.rmtree(tmp_path / "out", ignore_errors=True)
    with serving(MODELS, **faults) as server:
        batch.run([f"{server.url}/{name}" for name in names], str(tmp_path / "out"), **QUICK)
        rows = {uri.removeprefix(server.url + "/"): row for uri, row in rows_of(tmp_path / "out").items()}
    return rows, server.counts


def test_what_a_store_refuses_is_a_row(tmp_path: Path) -> None:
    refused = {"a.onnx": 404, "reused_nodes.onnx": 403, "reused_nodes.pt2": 401, "functional_linear.pt2": 500}
    rows, _ = run_served(tmp_path, [*refused, "functional_linear.onnx"], statuses=refused)
    errors = {name: row["error"] for name, row in rows.items()}
    assert errors == {
        "a.onnx": "not-found",
        "reused_nodes.onnx": "no-permission",
        "reused_nodes.pt2": "no-permission",
        "functional_linear.pt2": "unreadable-file",
        "functional_linear.onnx": None,
    }
    assert rows["functional_linear.pt2"]["error_message"] == "the store answers 500, 6 times"


def test_what_passes_is_tried_again(tmp_path: Path) -> None:
    names = ["resnet18.traced.pt", "resnet18.onnx", "reused_nodes.pt2"]
    rows, _ = run_served(tmp_path, names)
    assert sorted(rows) == sorted(names) and not any(row["error"] for row in rows.values())
    for faults in ({"throttle": 3}, {"fail": 2}, {"cut": 2}, {"throttle": 1, "fail": 1, "cut": 1}):
        again, counts = run_served(tmp_path, names, **faults)
        assert {name: without_measures(again[name]) for name in names} == {name: without_measures(rows[name]) for name in names}, faults
        expected = {name: Counter({429: faults.get("throttle", 0), 503: faults.get("fail", 0)}) for name in names}
        assert counts.refusals == {name: +count for name, count in expected.items() if +count}


def test_throttling_without_end_is_a_row(tmp_path: Path) -> None:
    rows, counts = run_served(tmp_path, ["reused_nodes.onnx"], throttle=1000)
    assert rows["reused_nodes.onnx"]["error"] == "throttled" and counts.statuses[429] == 6


def test_retry_after_is_honoured(tmp_path: Path) -> None:
    _, counts = run_served(tmp_path, ["reused_nodes.onnx"], throttle=1, retry_after="1")
    before, after = counts.times[-2:]
    assert after - before >= 1


def test_the_rate_of_requests_is_limited(tmp_path: Path) -> None:
    names = [f"{kind}.{ending}" for kind in ("reused_nodes", "functional_linear") for ending in ("onnx", "pt2", "traced.pt")]
    with serving(MODELS) as server:
        batch.run([f"{server.url}/{name}" for name in names], str(tmp_path / "out"), workers=2, batch=1, rate_limit=8)
    times = server.counts.times
    assert len(times) == 12 and times[-1] - times[0] >= 0.8 * (12 - 2) / 8


def test_a_server_without_ranges_is_not_listened_to(tmp_path: Path) -> None:
    rows, counts = run_served(tmp_path, ["resnet18.traced.pt", "reused_nodes.onnx"], ranges=False)
    assert rows["reused_nodes.onnx"]["error"] is None  # is read at once
    assert rows["resnet18.traced.pt"]["error"] == "no-ranges"
    assert counts.bytes_sent < 60e6


# Hostile files and killed runs


def test_hostile_files_end_nothing(tmp_path: Path) -> None:
    rng = __import__("random").Random(0)
    whole = (MODELS / "reused_nodes.traced.pt").read_bytes()
    place = tmp_path / "models"
    place.mkdir()
    for index in range(40):
        content = bytearray(whole)
        for _ in range(8):
            content[rng.randrange(len(content) - 20_000, len(content))] = rng.randrange(256)
        (place / f"{index}.pt").write_bytes(content[: rng.randrange(100, len(content))] if index % 4 == 0 else content)
    with serving(place) as server:
        urls = [f"{server.url}/{file.name}" for file in sorted(place.iterdir())]
        summary = batch.run(urls, str(tmp_path / "out"), workers=2, **{"first_pause": 0.01})
    assert summary.tally.models == 40 and len(rows_of(tmp_path / "out")) == 40
    assert not any(row["error"] == "internal-error" for row in rows_of(tmp_path / "out").values())


def many_models(place: Path, count: int) -> None:
    """Links to a model of a few bytes, each of its own version."""
    place.mkdir()
    content = (MODELS / "functional_linear.onnx").read_bytes()
    for index in range(count):
        (place / f"{index:04}.onnx").write_bytes(content + f"\x32\x04{index:04}".encode())  # a doc_string


def children_of(pid: int) -> list[int]:
    return [int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()]


def wait_for(condition: Any, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def begun_run(place: Path, out: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "model_validator", "hub", str(place), "--out", str(out), "--workers", "2", "--batch", "4"]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: out.exists() and len(list((out / "models").glob("*.parquet"))) >= 3)
    return run


def workers_of(run: subprocess.Popen[str]) -> list[int]:
    lines = {pid: Path(f"/proc/{pid}/cmdline").read_bytes() for pid in children_of(run.pid)}
    return [pid for pid, line in lines.items() if b"spawn_main" in line]


def test_a_killed_worker_is_replaced(tmp_path: Path) -> None:
    many_models(tmp_path / "models", 200)
    run = begun_run(tmp_path / "models", tmp_path / "out")
    os.kill(workers_of(run)[0], signal.SIGKILL)
    out, err = run.communicate(timeout=120)
    assert run.returncode == 0, err
    rows = rows_of(tmp_path / "out")
    assert len(rows) == 200 and all(row["error"] is None for row in rows.values()), out


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    many_models(tmp_path / "models", 200)
    for _ in range(2):
        run = begun_run(tmp_path / "models", tmp_path / "out")
        workers = workers_of(run)
        run.kill()
        run.wait()
        wait_for(lambda workers=workers: not any(Path(f"/proc/{pid}").exists() for pid in workers))
    before = len(rows_of(tmp_path / "out"))
    assert 0 < before < 200
    done = hub(tmp_path / "models", "--out", tmp_path / "out", "--workers", "2")
    assert done.returncode == 0 and f"{before} were in the results already" in done.stdout
    assert len(rows_of(tmp_path / "out")) == 200


def test_the_program_alone_says_what_it_needs(tmp_path: Path) -> None:
    program = Path(os.environ["MODEL_VALIDATOR_PREFIX"]) / "bin" / "model_validator"
    told = subprocess.run([program, "hub", "models", "--out", "out"], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert told.returncode == 2 and "the wheel, with its extra `hub`" in told.stderr


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(ModelValidatorError, match="fsspec") as raised:
        list(batch.discover("memory://models", {}))
    # Of the file, not of an index, on which the name may be another's.
    assert "model_validator[hub] @ file://" in raised.value.hint
