"""Whole hubs against what is hostile: names, lists, archives, folders of results, and stores that lie."""

from __future__ import annotations

import html.parser
import io
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import zipfile
import zlib
from collections.abc import Callable
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import aiohttp
import numpy as np
import onnx
import pyarrow as pa
import pyarrow.parquet
import pytest
import torch
from conftest import MODELS
from hub_command import hub, light_workers  # noqa: F401 - a fixture
from model_server import answering, serving
from test_hub import QUICK, rows_of, without_measures

from model_validator import batch
from model_validator.batch import _files, _store, _systems, _web
from model_validator.batch._checksum import checksum_of_zeros
from model_validator.batch._files import ModelFile
from model_validator.batch._linting import Linter
from model_validator.errors import ModelValidatorError

SMALL = MODELS / "functional_linear.onnx"


def controls(text: str) -> bool:
    """Whether anything in it but ends of lines controls a terminal."""
    return any(not sign.isprintable() and sign != "\n" for sign in text)


def the_row(out: Path) -> dict[str, Any]:
    (row,) = rows_of(out).values()
    return row


# Pickles within programs


class Asks:
    """What unpickling it calls shows that it was looked at."""

    def __reduce__(self) -> Any:
        return os.getcwd, ()


def saved(value: object) -> bytes:
    into = io.BytesIO()
    torch.save(value, into)
    return into.getvalue()


def pickled_weight(listed: bytes) -> bytes:
    config = json.loads(listed)
    config["config"]["weight"]["use_pickle"] = True
    return json.dumps(config).encode()


LARGE = torch.ones(1 << 19)
PROGRAMS: dict[str, tuple[str, dict[str, Callable[[bytes], bytes]]]] = {
    "tensors": ("", {"sample_inputs/model.pt": lambda _: saved(((LARGE,), {}))}),
    "inputs": ("posix.getcwd", {"sample_inputs/model.pt": lambda _: saved(((LARGE, Asks()), {}))}),
    "weight": ("posix.getcwd", {"weights_config.json": pickled_weight, "weights/weight_0": lambda _: saved((LARGE, Asks()))}),
    "old weights": ("posix.getcwd", {"weights_config.json": lambda _: b"", "weights/model.pt": lambda _: saved((LARGE, Asks()))}),
    "two zips": ("cannot be told", {"sample_inputs/model.pt": lambda _: saved(((LARGE,), {})) + saved(Asks())}),
    "no zip": ("cannot be told", {"sample_inputs/model.pt": lambda _: b"x" * (1 << 20)}),
}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("program") / "plain.pt2"
    torch.export.save(torch.export.export(torch.nn.Linear(512, 512).eval(), (torch.ones(2, 512),)), str(file))
    return file


@pytest.mark.parametrize("case", PROGRAMS)
def test_what_pickles_in_a_remote_program_call_is_told_as_of_its_copy(program: Path, tmp_path: Path, case: str) -> None:
    told, changes = PROGRAMS[case]
    file = tmp_path / "changed.pt2"
    with zipfile.ZipFile(program) as source, zipfile.ZipFile(file, "w") as to:
        contents = {name: source.read(name) for name in source.namelist()} | {"plain/data/weights/model.pt": b""}
        for name, content in contents.items():
            change = next((change for end, change in changes.items() if name.endswith(end)), None)
            if content := change(content) if change else content:
                to.writestr(name, content)
    with serving(tmp_path) as server:
        row = Linter(batch.Settings({})).row_of(ModelFile(f"{server.url}/{file.name}"))
    assert row is not None and row["size"] > 2e6 and row["bytes_read"] < 1.2e6
    messages = [finding["message"] for finding in row["findings"] if finding["rule"] == "unsafe-op"]
    assert (told in messages[0]) if told else not messages
    assert without_measures(row) == without_measures(Linter(batch.Settings({})).row_of(ModelFile(str(file))))


# Names

NAMES = [
    b"plain.onnx",
    b"line\nerror: broken.onnx",
    b"\x1b[2J\x1b]0;title\x07.onnx",
    b"latin-\xe9.onnx",
    b"latin-\xe8.onnx",
    b"--out.onnx",
    b"zip::file.onnx",
    b"a?b#c*[d].onnx",
    b"<script>alert(1)<.onnx",
    "\u202eexe.onnx".encode(),
    b"x" * 240 + b".onnx",
]


@pytest.fixture
def named(tmp_path: Path) -> Path:
    place = tmp_path / "models"
    place.mkdir()
    for name in NAMES:
        shutil.copy(SMALL, os.fsencode(place) + b"/" + name)
    return place


def require_that_names_do_no_harm(named: Path, tmp_path: Path, engine: Callable[..., subprocess.CompletedProcess[str]]) -> str:
    """engine: runs the command with one of the engines. Returns what it prints as errors."""
    out = tmp_path / "out"
    (named / "bad\x1b[31m.onnx").write_bytes(b"PK")
    done = engine(named, "--out", out, "--workers", "1")
    assert done.returncode == 0, done.stderr
    rows = rows_of(out)
    assert len(rows) == len(NAMES) + 1 and sum(row["error"] is None for row in rows.values()) == len(NAMES)
    again = engine(named, "--out", out, "--workers", "1")
    assert f"{len(NAMES) + 1} were in the results already" in again.stdout
    listed = hub(named, "--out", tmp_path / "none", "--dry-run")
    hub(named, "--out", tmp_path / "later", "--ignore", "all", "--workers", "1")
    changed = hub("report", out, tmp_path / "later")
    assert len(listed.stdout.splitlines()) == len(NAMES) + 1 and changed.returncode == 0
    assert not any(controls(text) for text in (done.stdout, again.stdout, listed.stdout, listed.stderr, changed.stdout))
    assert "\x1b[2J" not in done.stderr
    return done.stderr


def test_names_of_files_do_no_harm(named: Path, tmp_path: Path) -> None:
    assert not controls(require_that_names_do_no_harm(named, tmp_path, hub))


class _Page(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]


def test_a_page_is_escaped_and_loads_nothing(named: Path, tmp_path: Path) -> None:
    batch.run(str(named), str(tmp_path / "one"), target=["openvino"], workers=1)
    batch.run(str(named), str(tmp_path / "two"), ignore=["all"], workers=1)
    file = tmp_path / "page.html"
    assert hub("report", tmp_path / "one", "--output-format", "html", "--output-file", file).returncode == 0
    for told in (file.read_text(), batch.compare(str(tmp_path / "one"), str(tmp_path / "two")).to_html()):
        page = _Page()
        page.feed(told)
        assert set(page.tags) <= set("html meta title style h1 h2 p table tr td i pre footer".split())
        assert not {"src", "href", "onclick", "onload"}.intersection(page.attributes)
        assert not controls(told) and "default-src 'none'" in told
    assert "<td>onnx</td><td>11</td>" in file.read_text() and "openvino: taken" in file.read_text()
    assert "&lt;script&gt;alert(1)&lt;.onnx" in told


def test_what_a_store_says_is_printed_on_one_line(tmp_path: Path) -> None:
    error = ModelValidatorError("unreadable-file", "s3://\x1b[2J", "it says:\n::error::\r\x1b[31m\u2028", "none\x07")
    from model_validator.batch import _command

    told = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stderr", told)
        _command._say(error)
    assert not controls(told.getvalue()) and len(told.getvalue().splitlines()) == 2


# Lists and folders


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00\x01" * 50, b'a\0b\n"\0', b"PAR1" + b"\xff" * 40 + b"PAR1"])
def test_files_that_are_no_lists_end_nothing(tmp_path: Path, content: bytes) -> None:
    lists = [tmp_path / name for name in ("list.txt", "list.csv", "list.parquet")]
    for file in lists:
        file.write_bytes(content)
    summary = batch.run([*map(str, lists), str(SMALL)], str(tmp_path / "out"), **QUICK)
    rows = rows_of(tmp_path / "out")
    assert rows.pop(str(SMALL))["error"] is None and summary.tally.models == 1 + len(rows)
    assert all(row["error"] in ("not-found", "unreadable-file") for row in rows.values())  # lines that name no file
    assert all(error.kind in ("unreadable-file", "bad-options") for error in summary.missing)


@pytest.mark.parametrize("ending", [".txt", ".csv", ".parquet"])
def test_a_list_is_a_regular_file(tmp_path: Path, ending: str) -> None:
    pipe, endless = tmp_path / f"pipe{ending}", tmp_path / f"endless{ending}"
    os.mkfifo(pipe)
    endless.symlink_to("/dev/zero")
    for place in (str(pipe), str(endless), f"file://{pipe}"):
        with pytest.raises(ModelValidatorError, match="the list cannot be read: not a regular file"):
            list(batch.discover(place, {}))


ENTRIES = {"line.txt": "x", "comment.txt": "#", "line.csv": "x", "header.csv": "uri,x", "quoted.csv": '"\n",'}


@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_of_a_list_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(_files, "LONGEST", 1000)
    (tmp_path / name).write_text(ENTRIES[name] * 2000)
    with serving(tmp_path) as server:
        for place in (f"{tmp_path}/{name}", f"{server.url}/{name}"):
            with pytest.raises(ModelValidatorError, match=r"line \d+ of the list ends an entry of more than 1000 characters"):
                list(batch.discover(place, {}))
    (tmp_path / name).write_text("uri\n" + "m.onnx\n" * 1000)
    assert len(list(batch.discover(f"{tmp_path}/{name}", {}))) == (1001 if name.endswith(".txt") else 1000)


def test_a_store_that_answers_no_more_does_not_outlive_an_end(tmp_path: Path) -> None:
    asked, silent = threading.Event(), threading.Event()

    def answer(_: BaseHTTPRequestHandler) -> None:
        asked.set()
        silent.wait()

    with answering(answer) as url:
        running = subprocess.Popen([sys.executable, "-m", "model_validator", "hub", f"{url}/list.txt", "--out", tmp_path / "out"])
        assert asked.wait(60)
        running.terminate()
        assert running.wait(20) == 128 + signal.SIGTERM
        silent.set()


def test_a_file_that_is_named_twice_is_linted_once(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text(f"{SMALL}\n{SMALL}\n")
    assert batch.run([str(SMALL), str(tmp_path / "list.txt"), str(SMALL)], str(tmp_path / "out"), **QUICK).tally.models == 1


def test_a_folder_that_cannot_be_listed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / "models" / name).mkdir(parents=True)
        shutil.copy(SMALL, tmp_path / "models" / name)
    (tmp_path / "models" / "circle.onnx").symlink_to("circle.onnx")
    whole = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: _refused(path) if str(path).endswith("/b") else whole(path))
    summary = batch.run(str(tmp_path / "models"), str(tmp_path / "out"), **QUICK)
    assert [(error.kind, error.path) for error in summary.missing] == [("unreadable-folder", str(tmp_path / "models" / "b"))]
    assert sorted(row["error"] or "" for row in rows_of(tmp_path / "out").values()) == ["", "", "unreadable-file"]


def _refused(path: object) -> Any:
    raise PermissionError(13, "Permission denied", str(path))


def test_folders_may_be_nested_deeply(tmp_path: Path) -> None:
    deep = tmp_path
    for _ in range(1500):
        deep /= "d"
        os.mkdir(deep)
        if len(str(deep)) > 3000:
            break
    shutil.copy(SMALL, deep)
    assert len(list(batch.discover(str(tmp_path), {}))) == 1
    subprocess.run(["rm", "-r", tmp_path / "d"], check=True)  # too deep for Python


# Folders of results


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results of one model."""
    out = tmp_path_factory.mktemp("made") / "out"
    batch.run(str(SMALL), str(out), **QUICK)
    return out


@pytest.fixture
def results(made: Path, tmp_path: Path) -> Path:
    """The same again, for a test to change."""
    return Path(shutil.copytree(made, tmp_path / "out"))


def test_what_is_not_results_is_left_alone(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    (mine / "models").mkdir(parents=True)
    for name in (".gitignore", "models/.hidden.parquet.1", "models/mine.parquet", "notes.txt"):
        (mine / name).write_text("mine")
    before = sorted(mine.rglob("*"))
    told = hub(SMALL, "--out", mine)
    assert told.returncode == 2 and "something else than results is there" in told.stderr and sorted(mine.rglob("*")) == before
    (tmp_path / "file").write_text("mine")
    assert hub(SMALL, "--out", tmp_path / "file").returncode == 2 and (tmp_path / "file").read_text() == "mine"


def test_what_a_killed_run_left_is_removed_and_nothing_else(results: Path) -> None:
    out = results
    (out / "jsonl" / f"{'0' * 24}.jsonl").write_text("{}\n")  # a part whose table of models was never written
    (out / "models" / f".{'0' * 24}.parquet.{'1' * 16}").write_text("PAR1")
    (out / "models" / ".keep").write_text("mine")
    batch.run(str(SMALL), str(out), **QUICK)
    assert len(list((out / "jsonl").iterdir())) == 1 and {file.name for file in (out / "models").glob(".*")} == {".keep"}


def damage_text(out: Path) -> None:
    next((out / "models").iterdir()).write_bytes(b"PAR1nonsense")


def damage_columns(out: Path) -> None:
    pyarrow.parquet.write_table(pa.table({"uri": ["x"], "settings": ["y"]}), next((out / "models").iterdir()))


def damage_values(out: Path) -> None:
    file = next((out / "models").iterdir())
    table = pyarrow.parquet.read_table(file)
    empty = [pa.nulls(len(table), field.type) if field.name in ("uri", "checks", "size") else table.column(field.name) for field in table.schema]
    pyarrow.parquet.write_table(pa.table(empty, schema=table.schema), file)


def damage_lists(out: Path) -> None:
    file = next((out / "models").iterdir())
    table = pyarrow.parquet.read_table(file)
    nothing = pa.array([[None]] * len(table), table.schema.field("checks").type)
    pyarrow.parquet.write_table(table.set_column(table.schema.get_field_index("checks"), table.schema.field("checks"), nothing), file)


def damage_settings(out: Path) -> None:
    next((out / "settings").iterdir()).write_text("[1")


def nest_settings(out: Path) -> None:
    next((out / "settings").iterdir()).write_text("[" * 100_000)


def block_settings(out: Path) -> None:
    file = next((out / "settings").iterdir())
    file.unlink()
    os.mkfifo(file)


def block_rows(out: Path) -> None:
    file = next((out / "models").iterdir())
    file.unlink()
    os.mkfifo(file)


DAMAGES = [damage_text, damage_columns, damage_values, damage_lists, damage_settings, nest_settings, block_settings, block_rows]


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_results_are_named(results: Path, damage: Callable[[Path], None]) -> None:
    damage(results)
    told = hub("report", results)
    assert told.returncode == 2 and told.stderr.startswith(f"error: {results}") and "Traceback" not in told.stderr


def test_settings_that_are_nested_deeply_end_a_run_in_a_sentence(results: Path) -> None:
    (results / "settings" / "other.json").write_text("[" * 100_000)
    told = hub(SMALL, "--out", results, "--rerun-rule", "GRA001")
    assert told.returncode == 2 and "other.json: cannot be read: " in told.stderr and "Traceback" not in told.stderr


def test_two_runs_at_once_are_refused(tmp_path: Path) -> None:
    out = tmp_path / "out"
    results = batch.Results(str(out), {})
    results.prepare()
    with results.only_run():
        told = hub(SMALL, "--out", out)
        assert told.returncode == 2
        first, _ = told.stderr.splitlines()
        assert first.startswith(f"error: {out}: another run writes its results there (process {os.getpid()} on ")
    assert hub(SMALL, "--out", out).returncode == 0


def test_the_lock_of_a_store_holds_while_its_run_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    from model_validator.batch import _lock

    monkeypatch.setattr(_lock, "BEAT", 0.05)
    results = batch.Results("memory://locked", {})
    system, path = _systems.file_system(f"memory://locked/{_lock.NAME}", {})
    results.prepare()
    with results.only_run():
        first = system.cat_file(path)
        with pytest.raises(ModelValidatorError, match="another run writes its results there") as raised, results.only_run():
            pass
        assert raised.value.kind == "results-in-use"
        time.sleep(0.2)
        assert system.cat_file(path) != first  # it is renewed
    assert not system.exists(path)
    for owner in ({"process": 1 << 30, "host": socket.gethostname(), "time": time.time()}, {"host": "another", "time": time.time() - 100}):
        system.pipe_file(path, json.dumps({**owner, "run": "dead"}).encode())
        with results.only_run() as mine:
            mine.write("0", [])
    system.pipe_file(path, json.dumps({"host": "another", "time": time.time(), "run": "alive"}).encode())
    with pytest.raises(ModelValidatorError, match="on another"), results.only_run():
        pass


def test_a_worker_of_an_earlier_run_writes_no_more(tmp_path: Path) -> None:
    results = batch.Results(str(tmp_path / "out"), {})
    results.prepare()
    with results.only_run() as before:
        pass
    with results.only_run() as now:
        with pytest.raises(ModelValidatorError, match="another run"):
            before.write("0", [])
        now.write("1", [])
    assert results.parts() == ["1"]


def test_wrong_options_are_said_once(tmp_path: Path) -> None:
    wrong = ("--target", "nonsense"), ("--select", "nonsense"), ("--config", "nowhere.toml"), ("--target", "onnx@999"), ("--sandbox", "x")
    for option, value in wrong:
        told = hub(SMALL, "--out", tmp_path / "out", option, value)
        assert told.returncode == 2 and told.stderr.startswith("error: ") and not (tmp_path / "out").exists(), option


# Stores that lie


def serve(content: bytes, **lies: Any) -> Callable[[BaseHTTPRequestHandler], None]:
    """A server of one file that is not to be relied on. Each lie is a value, or a function of the count of requests."""
    count = 0

    def answer(request: BaseHTTPRequestHandler) -> None:
        nonlocal count
        count += 1

        def lie(name: str, truth: Any) -> Any:
            told = lies.get(name, truth)
            return told(count) if callable(told) else told

        head, first, last = request.command == "HEAD", 0, len(content) - 1
        if asked := request.headers.get("Range"):
            first, last = (int(number) for number in asked.removeprefix("bytes=").split("-"))
        body = b"" if head else lie("body", content[first : last + 1])
        request.send_response(lie("status", 206 if asked else 200))
        length = lie("head_length", len(content)) if head else lie("length", len(body))
        request.send_header(*("Connection", "close") if length is None else ("Content-Length", str(length)))
        if asked and (told := lie("range", f"bytes {first}-{last}/{len(content)}")):
            request.send_header("Content-Range", told)
        request.send_header("ETag", lie("etag", '"1"'))
        request.end_headers()
        request.wfile.write(body)
        for _ in range(0 if head else lies.get("more", 0)):
            request.wfile.write(bytes(1 << 20))

    return answer


BIG = MODELS / "resnet18.traced.pt"
LIES: list[tuple[dict[str, Any], str]] = [
    ({"head_length": 0}, "empty-file"),
    ({"head_length": 1000}, "changed-meanwhile"),
    ({"head_length": 10**9}, "changed-meanwhile"),
    ({"head_length": 1 << 62}, "changed-meanwhile"),
    ({"head_length": 10**30}, "unreadable-file"),
    ({"head_length": -5}, "unreadable-file"),
    ({"head_length": "\u0665"}, "unreadable-file"),
    ({"head_length": None}, "unreadable-file"),
    ({"range": "bytes 0-99/47000000"}, "changed-meanwhile"),
    ({"range": "bytes 7-70/*"}, "no-ranges"),
    ({"range": None}, "no-ranges"),
    ({"range": "nonsense"}, "no-ranges"),
    ({"body": b"short"}, "unreadable-file"),
    ({"body": b"x" * (1 << 20)}, "no-ranges"),
    ({"length": 10**9}, "unreadable-file"),
    ({"etag": lambda count: f'"{count}"'}, "changed-meanwhile"),
    ({"status": 200}, "no-ranges"),
    ({"status": 999}, "unreadable-file"),
    ({"more": 1 << 12, "length": None}, "no-ranges"),
]


@pytest.mark.parametrize(("lies", "error"), LIES)
def test_a_store_that_lies_is_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lies: dict[str, Any], error: str) -> None:
    monkeypatch.setattr(_web, "PATIENCE", 2.0)
    monkeypatch.setattr(_web, "SLOWEST", 1 << 20)
    settings = batch.Settings(patience=batch.Patience(attempts=2, first_pause=0.01))
    with answering(serve(BIG.read_bytes(), **lies)) as url:
        row = Linter(settings).row_of(ModelFile(f"{url}/model.pt"))
    assert row is not None and row["error"] == error, row["error_message"]
    assert row["bytes_read"] < 2e6
    results = batch.Results(str(tmp_path / "out"), {})
    results.prepare()
    with results.only_run() as writing:
        writing.write("0", [row])  # whatever it says fits into the table


def test_a_file_that_changes_once_while_it_is_read_is_read_again() -> None:
    with answering(serve(BIG.read_bytes(), etag=lambda count: f'"{count > 3}"')) as url:
        row = Linter(batch.Settings()).row_of(ModelFile(f"{url}/model.pt"))
    expected = Linter(batch.Settings()).row_of(ModelFile(str(BIG)))
    assert row is not None and without_measures(row) == without_measures(expected) and row["version"] == "etag:True"


@pytest.mark.parametrize("wrong", [-1000, 1000, -(10**9), 1 << 70])
def test_a_store_whose_listing_is_wrong_is_asked_again(wrong: int) -> None:
    row = Linter(batch.Settings()).row_of(ModelFile(f"file://{BIG}", BIG.stat().st_size + wrong, "etag:1"))
    expected = Linter(batch.Settings()).row_of(ModelFile(f"file://{BIG}"))
    assert row is not None and expected is not None
    assert without_measures(row) == without_measures(expected) and row["version"] == expected["version"]


def test_a_slow_store_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def drip(request: BaseHTTPRequestHandler) -> None:
        request.send_response(206 if request.headers.get("Range") else 200)
        request.send_header("Content-Length", "1000")
        request.send_header("Content-Range", "bytes 0-999/1000")
        request.end_headers()
        for _ in range(1000 if request.command == "GET" else 0):
            request.wfile.write(b"x")
            time.sleep(0.1)

    monkeypatch.setattr(_web, "PATIENCE", 0.5)
    begun = time.monotonic()
    with answering(drip) as url:
        row = Linter(batch.Settings(patience=batch.Patience(2, 0.01))).row_of(ModelFile(f"{url}/model.pt"))
    assert row is not None and row["error_message"] == "cannot be fetched, 2 times: the answer takes too long"
    assert time.monotonic() - begun < 60  # each answer would take 100 s


def test_a_store_cannot_be_asked_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_store, "MOST_REQUESTS", 3)
    with serving(MODELS) as server:
        row = Linter(batch.Settings()).row_of(ModelFile(f"{server.url}/resnet18.onnx"))
    assert row is not None and row["error"] == "fetch-limit"
    with serving(MODELS, throttle=1000, retry_after="30") as server:
        begun = time.monotonic()
        patience = batch.Patience(first_pause=0.01, longest=0.5)
        row = Linter(batch.Settings(patience=patience)).row_of(ModelFile(f"{server.url}/resnet18.onnx"))
        assert row is not None and row["error"] == "throttled" and time.monotonic() - begun < 25


class Redirected:
    """A server that sends every request on to another, as hubs do, with what the other is sent."""

    def __init__(self, storage: dict[str, Any], names: tuple[str, ...] = ("model.onnx",)) -> None:
        self.kept: list[dict[str, str]] = []
        self.sent_on: list[dict[str, str]] = []
        with answering(self._serve) as self.content, answering(self._send_on) as self.hub:
            self.rows = [Linter(batch.Settings(storage={"http": storage})).row_of(ModelFile(f"{self.hub}/{name}")) for name in names]

    def _serve(self, request: BaseHTTPRequestHandler) -> None:
        self.sent_on.append({name.lower(): value for name, value in request.headers.items()})
        serve(SMALL.read_bytes())(request)

    def _send_on(self, request: BaseHTTPRequestHandler) -> None:
        self.kept.append({name.lower(): value for name, value in request.headers.items()})
        request.send_response(302)
        request.send_header("Location", request.path[len("/here") :] if request.path.startswith("/here") else f"{self.content}/model.onnx")
        request.send_header("Content-Length", "0")
        request.end_headers()


SECRETS: list[dict[str, Any]] = [
    {"headers": {"X-Api-Key": "secret", "Cookie": "a=secret"}},
    {"client_kwargs": {"headers": {"X-Api-Key": "secret"}}},
    {"client_kwargs": {"cookies": {"session": "secret"}}},
    {"client_kwargs": {"auth": aiohttp.BasicAuth("secret", "")}},
]


@pytest.mark.parametrize("storage", SECRETS)
def test_secrets_stay_with_the_server_that_they_are_for(storage: dict[str, Any]) -> None:
    done = Redirected(storage, ("model.onnx", "here/there/model.onnx"))
    assert [row and row["error"] for row in done.rows] == [None, None]
    secret = {"secret", "a=secret", "session=secret", aiohttp.BasicAuth("secret", "").encode()}
    assert all(secret.intersection(headers.values()) for headers in done.kept)
    assert not any(secret.intersection(headers.values()) for headers in done.sent_on)
    assert any("range" in headers for headers in done.sent_on)


def test_a_list_that_is_elsewhere_gets_no_secrets(tmp_path: Path) -> None:
    seen: list[str | None] = []

    def content(request: BaseHTTPRequestHandler) -> None:
        seen.append(request.headers.get("X-Api-Key"))
        serve(b"model.onnx\n")(request)

    def send_on(request: BaseHTTPRequestHandler) -> None:
        request.send_response(302)
        request.send_header("Location", f"{there}/list.txt")
        request.send_header("Content-Length", "0")
        request.end_headers()

    with answering(content) as there, answering(send_on) as here:
        found = list(batch.discover(f"{here}/list.txt", {"http": {"headers": {"X-Api-Key": "secret"}}}))
    assert [file.uri for file in found] == ["model.onnx"] and seen and not any(seen)


# Hostile models


def test_files_with_weights_that_are_nowhere_are_not_asked_for(tmp_path: Path) -> None:
    names = ["../secret", "/etc/passwd", "a::file:///etc/passwd", "http://127.0.0.1/x", "a\\b", "w\0", "%2e%2e/secret", "a/b", "a", "x" * 300]
    model = onnx.load(str(SMALL))
    for index, name in enumerate(names):
        tensor = model.graph.initializer.add(name=f"w{index}", data_type=1, dims=[4], data_location=onnx.TensorProto.EXTERNAL)
        tensor.external_data.add(key="location", value=name)
    (tmp_path / "models").mkdir()
    onnx.save(model, str(tmp_path / "models" / "m.onnx"))
    (tmp_path / "secret").write_bytes(bytes(16))
    asked: list[str] = []

    def answer(request: BaseHTTPRequestHandler) -> None:
        asked.append(request.path)
        serve((tmp_path / "models" / "m.onnx").read_bytes())(request) if request.path == "/models/m.onnx" else request.send_error(404)

    with answering(answer) as url:
        row = Linter(batch.Settings()).row_of(ModelFile(f"{url}/models/m.onnx"))
    assert row is not None and row["error"] != "internal-error"
    assert {"/models/m.onnx"} < set(asked) <= {"/models/m.onnx", "/models/%252e%252e/secret", "/models/a/b", "/models/a"}


def test_the_name_of_weights_may_lie_in_two_ranges(tmp_path: Path) -> None:
    """However the file is cut into ranges, its weights are looked for."""
    for size in (1000, 4000, 65_400, 65_480, 65_500, 65_520, 65_530):
        model = onnx.load(str(SMALL))
        model.doc_string = ""
        place = tmp_path / str(size)
        place.mkdir()
        tensor = model.graph.initializer.add(name="filling", data_type=3, dims=[size], raw_data=bytes(0))
        tensor.doc_string = "x" * size
        outside = model.graph.initializer.add(name="outside", data_type=1, dims=[70_000], data_location=onnx.TensorProto.EXTERNAL)
        outside.external_data.add(key="location", value="weights-of-the-model.bin")
        inside = model.graph.initializer.add(name="inside", data_type=1, dims=[100_000])
        inside.raw_data = bytes(400_000)
        onnx.save(model, str(place / "m.onnx"))
        (place / "weights-of-the-model.bin").write_bytes(bytes(280_000))
        with serving(place) as server:
            remote = Linter(batch.Settings()).row_of(ModelFile(f"{server.url}/m.onnx"))
        assert without_measures(remote) == without_measures(Linter(batch.Settings()).row_of(ModelFile(str(place / "m.onnx"))))


def test_the_checksum_of_zeros() -> None:
    assert all(checksum_of_zeros(count) == zlib.crc32(bytes(count)) for count in (0, 1, 7, 64, 4097, 1_000_003))


def zipped(name: str, content: bytes, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        archive.writestr(name, content)
    return out.getvalue()


def test_archives_that_are_bombs_are_rows(tmp_path: Path) -> None:
    (tmp_path / "bomb.zip").write_bytes(zipped("m.onnx", bytes(400 << 20)))
    lying = bytearray(zipped("m.onnx", SMALL.read_bytes()))
    at = lying.rfind(b"PK\x01\x02")
    lying[at + 24 : at + 28] = struct.pack("<I", 0xFFFFFFF0)  # its unpacked size
    (tmp_path / "lying.zip").write_bytes(lying)
    (tmp_path / "torn.zip").write_bytes(zipped("m.onnx", SMALL.read_bytes())[:-30])
    (tmp_path / "good.zip").write_bytes(zipped("m.onnx", SMALL.read_bytes()))
    sources = [f"zip://m.onnx::{tmp_path}/{name}.zip" for name in ("bomb", "lying", "torn", "good")]
    begun = time.monotonic()
    (tmp_path / "list.txt").write_text("\n".join(sources))
    batch.run(str(tmp_path / "list.txt"), str(tmp_path / "out"), **QUICK)
    rows = rows_of(tmp_path / "out")
    assert [rows[source]["error"] for source in sources] == ["fetch-limit", "fetch-limit", "unreadable-file", None]
    assert time.monotonic() - begun < 30


def directory(count: int, offset: Callable[[int], int], size: int, name: bytes = b"m/data/%d") -> bytes:
    """A zip that is nothing but a directory of files."""
    pieces = []
    for index in range(count):
        named = name % index
        large = struct.pack("<HHQQQ", 1, 24, size, size, offset(index))
        sizes = [0xFFFFFFFF] * 2
        pieces.append(struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 45, 45, 0, 0, 0, 0, 0, *sizes, len(named), 28, 0, 0, 0, 0, 0xFFFFFFFF))
        pieces.append(named + large)
    entries = b"".join(pieces)
    start = 1 << 20
    end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, min(count, 0xFFFF), min(count, 0xFFFF), len(entries), start, 0)
    return b"PK\x03\x04" + bytes(start - 4) + entries + end


HOSTILE = {
    "beyond": partial(directory, 40, lambda index: (1 << 50) + 1000 * index, 100),
    "huge": partial(directory, 40, lambda _: 0, 1 << 62),
    "shared": partial(directory, 3000, lambda _: 0, 500_000),
    "scattered": partial(directory, 500, lambda index: 2000 * index, 8),
    "long": partial(directory, 120_000, lambda index: index, 1, b"m/data/" + b"x" * 30 + b"%d"),
}


@pytest.mark.parametrize("kind", sorted(HOSTILE))
def test_hostile_directories_are_rows(tmp_path: Path, kind: str) -> None:
    (tmp_path / "m.pt").write_bytes(HOSTILE[kind]())
    begun = time.monotonic()
    with serving(tmp_path) as server:
        row = Linter(batch.Settings()).row_of(ModelFile(f"{server.url}/m.pt"))
    local = Linter(batch.Settings()).row_of(ModelFile(str(tmp_path / "m.pt")))
    assert row is not None and row["status"] == "error" and row["error"] != "internal-error", row["error_message"]
    assert local is not None and local["status"] == "error" and local["error"] != "internal-error", local["error_message"]
    assert time.monotonic() - begun < 20


@pytest.fixture
def fields(monkeypatch: pytest.MonkeyPatch) -> int:
    from model_validator.batch import _onnx_parts

    monkeypatch.setattr(_onnx_parts, "MOST_FIELDS", 10_000)
    return 100_000


def test_a_model_of_very_many_fields_is_not_stepped_through(tmp_path: Path, fields: int) -> None:
    (tmp_path / "m.onnx").write_bytes(SMALL.read_bytes() + b"\x72\x00" * (4 * fields))
    with serving(tmp_path) as server:
        row = Linter(batch.Settings()).row_of(ModelFile(f"{server.url}/m.onnx"))
    assert row is not None and row["error"] == "fetch-limit"
    local = Linter(batch.Settings()).row_of(ModelFile(str(tmp_path / "m.onnx")))
    assert local is not None and local["error"] is None  # the reader steps through it by itself


# Two files of one size that differ only where a second parser does not look


def quantised(path: Path, scale: float) -> Path:
    """A model of 60,000 channels, one of whose scales is as given, between weights that nobody reads."""
    channels = 60_000
    scales = np.ones(channels, np.float32)
    scales[channels // 2] = scale
    arrays = {
        "before": np.zeros(500_000, np.float32),
        "q": np.zeros((channels, 1), np.int8),
        "scales": scales,
        "zeros": np.zeros(channels, np.int8),
        "after": np.zeros(500_000, np.float32),
    }
    nodes = [
        onnx.helper.make_node("DequantizeLinear", ["q", "scales", "zeros"], ["w"], axis=0),
        onnx.helper.make_node("Mul", ["x", "w"], ["y"]),
    ]
    values = [[onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [channels, 1])] for name in ("x", "y")]
    initializers = [onnx.numpy_helper.from_array(array, name) for name, array in arrays.items()]
    graph = onnx.helper.make_graph(nodes, "g", *values, initializer=initializers)
    onnx.save(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)]), path)
    return path


def test_scales_are_looked_at_wherever_the_file_lies(tmp_path: Path) -> None:
    quantised(tmp_path / "good.onnx", 1.0)
    quantised(tmp_path / "bad.onnx", -1.0)
    with serving(tmp_path) as server:
        linter = Linter(batch.Settings())
        for name in ("good.onnx", "bad.onnx"):
            for place in (str(tmp_path / name), f"{server.url}/{name}"):
                row = linter.row_of(ModelFile(place))
                assert row is not None and row["error"] is None
                told = {finding["rule"] for finding in row["findings"]}
                assert ("quantisation-parameter" in told) == (name == "bad.onnx"), place


class Weighty(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(200_000))


class Still(Weighty):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x) + self.weight


class Drawing(Weighty):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.rand_like(x) + self.weight


def test_a_directory_that_only_the_reader_finds(tmp_path: Path) -> None:
    for name, net in (("good", Still()), ("bad", Drawing())):
        torch.jit.save(torch.jit.script(net), str(tmp_path / f"{name}.pt"))
    contents = {name: (tmp_path / f"{name}.pt").read_bytes() for name in ("good", "bad")}
    longest = max(map(len, contents.values()))
    linter = Linter(batch.Settings())
    for name, content in contents.items():
        comment = b"x" * (longest - len(content)) + b"PK\x05\x06 "
        commented = content[:-2] + struct.pack("<H", len(comment)) + comment
        (tmp_path / f"{name}.pt").write_bytes(commented)
        row = linter.row_of(ModelFile(str(tmp_path / f"{name}.pt")))
        assert row is not None
        told = {finding["rule"] for finding in row["findings"]}
        assert row["error"] or ("nondeterministic-op" in told) == (name == "bad"), (name, row)
