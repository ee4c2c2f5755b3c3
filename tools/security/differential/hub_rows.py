"""Holds the rows of a hub to what `check` says of the whole file: real files are mutated and spliced, and fetched in ranges from a local server.

Readers of ranges stop reading early where files are small, so their bounds on that are lowered; those on what linting reads stay.
"""

import collections
import itertools
import json
import random
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import exported_program_page
import onnx_page
import torchscript_page
from bytes_and_zips import mutated_bytes
from engine import digest

from model_validator import batch
from model_validator.batch import _onnx_parts, _twin, _zip_parts
from model_validator.batch._files import ModelFile
from model_validator.batch._linting import Linter

PAGES = (onnx_page, exported_program_page, torchscript_page)
MEASURED = ("uri", "version", "seconds", "requests", "bytes_read", "content", "exporter")


class Ranges(SimpleHTTPRequestHandler):
    """Serves a folder in ranges."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        content = Path(self.translate_path(self.path)).read_bytes()
        first, _, last = self.headers.get("Range", f"bytes=0-{len(content) - 1}").removeprefix("bytes=").partition("-")
        part = content[int(first) : int(last) + 1]
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {first}-{int(first) + len(part) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)


def read_in_small_ranges() -> None:
    for module, name, value in (
        (_twin, "WHOLE", 512), (_twin, "HEAD", 64), (_twin, "TAIL", 256), (_zip_parts, "TAIL", 256), (_zip_parts, "GAP", 0), (_zip_parts, "SLACK", 0),
        (_onnx_parts, "SMALL_MESSAGE", 16),
    ):  # fmt: skip
        setattr(module, name, value)


def _said(row: dict[str, Any] | None, place: str) -> dict[str, Any]:
    """What a row says of the model, without where it lies."""
    text = json.dumps({name: value for name, value in (row or {}).items() if name not in MEASURED})
    said: dict[str, Any] = json.loads(text.replace(place, ""))
    return said


def _mutated(chance: random.Random, page: Any, files: Sequence[bytes]) -> bytes:
    kind = chance.randrange(8)
    if kind == 0:
        return mutated_bytes(chance, chance.choice(files), files)
    if kind == 1:  # the head of one, the tail of another
        one, other = chance.choice(files), chance.choice(files)
        return one[: chance.randrange(len(one))] + other[chance.randrange(len(other)) :]
    made: bytes = page.mutate(chance, files)
    return made


def compare(files: Sequence[Path], cases: int, seconds: float, kept: Path, seed: int) -> int:
    """Says which rows are another's, and keeps their files. Returns the exit status."""
    chance, told = random.Random(seed), collections.Counter[str]()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        seeds = [(page, _seeds_of(page, files, folder)) for page in PAGES]
        read_in_small_ranges()
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Ranges, directory=scratch))
        Thread(target=server.serve_forever, daemon=True).start()
        settings = batch.Settings({"select": ["ALL"]} if seed % 2 else {})
        remote, local = Linter(settings), Linter(settings)
        end = time.monotonic() + seconds
        for number in itertools.count():
            if number == cases or time.monotonic() > end:
                break
            page, contents = chance.choice(seeds)
            path = folder / f"case{number}{page.SUFFIX}"
            path.write_bytes(chance.choice(contents) if number % 20 == 0 else _mutated(chance, page, contents))
            url = f"http://127.0.0.1:{server.server_port}"
            whole = _said(Linter(settings).row_of(ModelFile(str(path))), scratch)
            for kind, linter, place in (("remote", remote, url), ("local", local, scratch)):
                said = _said(linter.row_of(ModelFile(f"{place}/{path.name}")), place)
                told[f"{kind}: {whole['status']}"] += 1
                if said == whole:
                    continue
                if said["status"] == whole["status"] == "error":
                    told[f"{kind}: {whole['error']}, as {said['error']}"] += 1
                    continue
                names = [name for name in whole if said.get(name) != whole[name]]
                what = f"{kind}: {', '.join(names)}: {whole['status']} {whole['error']}, but {said['status']} {said['error']}"
                told[f"found: {what}"] += 1
                if told[f"found: {what}"] <= 5:
                    name = digest(what, number)
                    (kept / f"{name}{page.SUFFIX}").write_bytes(path.read_bytes())
                    with (kept / "found.txt").open("a") as log:
                        print(name, what, file=log)
            path.unlink()
        server.shutdown()
    for what, times in told.most_common():
        print(f"{times:6} {what}")
    return 1 if any(what.startswith("found") for what in told) else 0


def _seeds_of(page: Any, files: Sequence[Path], folder: Path) -> list[bytes]:
    mine = [file for file in files if file.suffix == page.SUFFIX]
    return [file.read_bytes() for file in (*page.seeds(folder), *mine)]
