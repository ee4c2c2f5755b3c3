"""Prints what linting a hub of models takes.

    benchmarks/hub/measure.py transfer FOLDER [RESULTS]  bytes and requests by format, of models that a web server offers
    benchmarks/hub/measure.py speedup FOLDER             models a second with one worker and with two, by engine
    benchmarks/hub/measure.py memory FOLDER [SVG]        memory of driver and workers over many models, and a picture of it

FOLDER holds models. The package `model_validator` must be installed with its extra `hub`. Figures of a machine that does other
work as well are no figures: the load is printed first.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from model_validator import batch
from model_validator.batch._files import ModelFile
from model_validator.batch._linting import Linter

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "python"))
from model_server import serving

ENDINGS = (".pt", ".pt2", ".onnx")


def kind_of(name: str) -> str:
    return next((kind for kind in ("traced", "scripted") if f".{kind}." in name), Path(name).suffix.removeprefix("."))


def rows_of(out: Path) -> list[dict[str, object]]:
    results = batch.Results(str(out), {})
    return list(results.latest(list(results.settings())[-1]))


def transfer(folder: Path, out: Path) -> None:
    """What is read of each model, by format."""
    with serving(folder) as server:
        urls = [f"{server.url}/{file.name}" for file in sorted(folder.iterdir()) if file.suffix in ENDINGS]
        batch.run(urls, str(out), workers=1)
    cores = core_seconds([file for file in sorted(folder.iterdir()) if file.suffix in ENDINGS])
    Path(f"{out}.cores.json").write_text(json.dumps(cores))
    by_kind = defaultdict(list)
    for row in rows_of(out):
        row["cores"] = cores[str(row["uri"]).rsplit("/", maxsplit=1)[-1]]
        by_kind[kind_of(str(row["uri"]))].append(row)
    print(f"{'format':<10} {'models':>6} {'size MB':>16} {'requests':>16} {'read MB':>19} {'core seconds':>16}   (median, mean, most)")
    for kind, rows in sorted(by_kind.items()):
        columns = [three([row[name] for row in rows], by) for name, by in (("size", 1e6), ("requests", 1), ("bytes_read", 1e6), ("cores", 1))]
        print(f"{kind:<10} {len(rows):>6} {columns[0]:>16} {columns[1]:>16} {columns[2]:>19} {columns[3]:>16}")


def core_seconds(files: Sequence[Path]) -> dict[str, float]:
    """The time of a core that each model takes, whoever else has the machine: of this process, its reader and what that forks."""
    linter, found = Linter(batch.Settings()), {}
    linter.row_of(ModelFile(str(files[0])))  # loads what stays loaded
    for file in files:
        before = used()
        Linter(batch.Settings()).row_of(ModelFile(str(file)))
        found[file.name] = used() - before
    return found


def used() -> float:
    """Seconds of a core, of this process and its children."""
    found = time.process_time()
    for task in Path("/proc/self/task").iterdir():
        for child in (task / "children").read_text().split():
            fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
            found += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return found


def three(values: Sequence[object], by: float) -> str:
    numbers = [float(str(value)) / by for value in values]
    digits = 0 if by == 1 and all(number == int(number) for number in numbers) else 2
    return " ".join(f"{number:.{digits}f}" for number in (statistics.median(numbers), statistics.mean(numbers), max(numbers)))


def many(folder: Path, place: Path, count: int) -> None:
    """So many models, each of its own content: copies of those of a folder, with a note in each; one of a hundred is damaged."""
    place.mkdir()
    models = [file for file in sorted(folder.iterdir()) if file.suffix in ENDINGS and file.stat().st_size < 1 << 20 and can_be_changed(file)]
    numbers = random.Random(0)
    for index in range(count):
        file = models[index % len(models)]
        copy = place / f"{index:06}{file.suffix}"
        if index % 100 == 99:
            content = bytearray(file.read_bytes())
            for _ in range(8):
                content[numbers.randrange(len(content))] ^= 255
            copy.write_bytes(content)
        elif file.suffix == ".onnx":
            copy.write_bytes(file.read_bytes() + f"\x32\x06{index:06}".encode())  # a doc_string
        else:
            shutil.copy(file, copy)
            with zipfile.ZipFile(copy, "a") as archive:
                top = archive.namelist()[0].split("/")[0]
                archive.writestr(f"{top}/extra/note", str(index))


def can_be_changed(file: Path) -> bool:
    """Whether a note can be added to it."""
    if file.suffix == ".onnx" or not zipfile.is_zipfile(file):
        return file.suffix == ".onnx"
    with zipfile.ZipFile(file) as archive:
        return bool(archive.namelist())


def command(place: Path, out: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "model_validator", "hub", str(place), "--out", str(out), "--quiet", *options]


def speedup(folder: Path, work: Path, models: int, rounds: int, engines: Sequence[str]) -> None:
    """The best rate of several runs, begun and ended with the command."""
    many(folder, work / "models", models)
    for engine in engines:
        rates: dict[int, list[float]] = {1: [], 2: []}
        for turn in range(rounds):
            for workers, found in rates.items():
                out = work / f"{engine}{turn}{workers}"
                done = subprocess.run(
                    command(work / "models", out, "--engine", engine, "--workers", str(workers)), capture_output=True, text=True, check=True
                )
                found.append(models / linting_seconds(out))
                print(f"  {engine}, {workers} workers: {found[-1]:.1f} a second while linting; whole command: {done.stdout.strip()}")
        one, two = max(rates[1]), max(rates[2])
        print(f"{engine}: {one:.1f} and {two:.1f} models a second with one worker and two, best of {rounds}: {two / one / 2:.2f} of linear")


def linting_seconds(out: Path) -> float:
    """From the first row to the last part, without the start of an engine."""
    times = sorted(file.stat().st_mtime for file in (out / "models").iterdir())
    first = min((out / "jsonl").iterdir(), key=lambda file: file.stat().st_mtime)
    first_batch = sum(float(str(row["seconds"])) for row in batch.Results(str(out), {}).models(parts=[first.stem]))
    return times[-1] - times[0] + first_batch


def processes_of(pid: int) -> Iterator[tuple[str, int]]:
    """What each process of a run is for, and its memory that no other shares, in kB."""
    waiting = [(pid, "driver")]
    while waiting:
        process, role = waiting.pop()
        try:
            line = Path(f"/proc/{process}/cmdline").read_bytes()
            if b"spawn_main" in line:
                role = "worker"
            elif b"--answer-calls" in line:
                role = "reader"
            children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
            rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
        except OSError:
            continue
        yield role, sum(int(text.split()[1]) for text in rollup.splitlines() if text.startswith("Private_"))
        waiting += [(int(child), role) for child in children]


def memory(folder: Path, work: Path, models: int, picture: str | None) -> None:
    """Memory over a whole run."""
    print(f"making {models} models", flush=True)
    many(folder, work / "models", models)
    begun = time.monotonic()
    run = subprocess.Popen(command(work / "models", work / "out", "--workers", "2"), stdout=subprocess.PIPE, text=True)
    samples: list[tuple[int, dict[str, float]]] = []
    ended = threading.Event()

    def sample() -> None:
        while not ended.wait(2):
            found: dict[str, float] = defaultdict(float)
            for role, kilobytes in processes_of(run.pid):
                found[role] = max(found[role], kilobytes / 1024)
            done = 0
            parts = list((work / "out" / "jsonl").glob("*.jsonl")) if (work / "out").exists() else []
            done = sum(file.read_bytes().count(b"\n") for file in parts) if len(parts) < 8 else len(parts)
            samples.append((done, found))

    thread = threading.Thread(target=sample)
    thread.start()
    told, _ = run.communicate()
    ended.set()
    thread.join()
    print(told.strip())
    seconds = time.monotonic() - begun
    for role in ("driver", "worker", "reader"):
        values = [(share, found[role]) for share, (_, found) in enumerate(samples) if role in found]
        quarter = len(values) // 4
        early, late = (statistics.median(value for _, value in part) for part in (values[quarter : 2 * quarter], values[-quarter:]))
        print(f"{role}: {early:.0f} MB in the second quarter of the run, {late:.0f} MB in the last")
    if picture:
        Path(picture).write_text(drawn([found for _, found in samples], seconds, models))


COLOURS = {"driver": "#3b6fb6", "worker": "#c0602b", "reader": "#4c9a5b"}


def drawn(samples: Sequence[dict[str, float]], seconds: float, models: int) -> str:
    """A picture of the memory of each role over time."""
    width, height, most = 640, 260, max(max(found.values(), default=0) for found in samples) * 1.15
    lines = []
    for role, colour in COLOURS.items():
        points = " ".join(
            f"{50 + index * (width - 70) / max(1, len(samples) - 1):.1f},{height - 40 - found[role] / most * (height - 60):.1f}"
            for index, found in enumerate(samples)
            if role in found
        )
        lines.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="{points}"/>')
    names = "".join(
        f'<text x="{60 + 190 * index}" y="{height - 6}" fill="{colour}">{name}</text>'
        for index, (name, colour) in enumerate(zip(("driver", "largest worker", "its reader"), COLOURS.values(), strict=True))
    )
    scale = "".join(
        f'<text x="44" y="{height - 36 - step / 4 * (height - 60):.0f}" text-anchor="end">{most * step / 4:.0f}</text>' for step in range(5)
    )
    title = f'<text x="50" y="14">private memory in MB over {seconds:.0f} s and {models} models</text>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">'
        f'<rect width="{width}" height="{height}" fill="white"/><path d="M50 20V{height - 40}H{width - 20}" fill="none" stroke="#888"/>'
        f"{title}{scale}{''.join(lines)}{names}</svg>\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("transfer", "speedup", "memory"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("kept", nargs="?", help="where the results or the picture are kept")
    parser.add_argument("--models", type=int)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--engines", nargs="+", default=["local", "ray"])
    given = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory(prefix="hub-") as work:
        if given.what == "transfer":
            transfer(given.folder, Path(given.kept) if given.kept else Path(work) / "out")
        elif given.what == "speedup":
            speedup(given.folder, Path(work), given.models or 2000, given.rounds, given.engines)
        else:
            memory(given.folder, Path(work), given.models or 20_000, given.kept)


if __name__ == "__main__":
    main()
