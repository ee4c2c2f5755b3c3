"""Mutates files, asks this program and the runtimes what they see, and compares the answers.

Nobody can compare two readers' graphs node by node without writing a third reader. So three things are held that need none:
- what `inspect` calls the same (one fingerprint) is the same to each runtime: its program, its weights, its outputs on fixed inputs;
- what is one program with the same outputs to all of them has one structural hash;
- the operators that both name are the same, as often.
"""

import collections
import contextlib
import hashlib
import itertools
import json
import multiprocessing
import os
import random
import re
import resource
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

# What tells one refusal from another of its kind.
KINDLESS = re.compile(r"0x[0-9a-f]+|[0-9]+|(?<=: )b?'.*'|(?<=version ).*?(?= does)|\\+x[0-9a-f]{2}|[^ -~]+")
SECONDS, GIGABYTES, CASES_OF_A_WORKER = 30, 6, 400


@dataclass(frozen=True)
class View:
    """What one runtime sees of a file."""

    program: str  # operators in order with their constants, and weights: a digest
    outputs: str  # on fixed inputs: a digest; empty where it does not run
    operators: Mapping[str, int] = field(default_factory=dict)
    passed_over: str = field(default="", compare=False)  # types that it infers, members that it does not know: `diff` tells them


class Page(Protocol):
    """A format."""

    SUFFIX: str

    def seeds(self, folder: Path) -> list[Path]: ...

    def mutate(self, chance: random.Random, files: Sequence[bytes]) -> bytes: ...

    def one_field_changes(self, data: bytes) -> Iterator[tuple[str, bytes]]:
        """Where, and the file with that field changed."""

    def look(self, path: str) -> dict[str, View | str]:
        """By each runtime: what it sees, or the reason why it refuses the file."""

    def operators(self, summary: Mapping[str, Any]) -> Mapping[str, int]:
        """Those that `inspect` counted, by the names that the runtime has."""


def digest(*parts: object) -> str:
    return hashlib.sha256("\0".join(map(str, parts)).encode("utf-8", "backslashreplace")).hexdigest()[:24]


def reason(error: BaseException) -> str:
    first = (str(error).strip().splitlines() or [""])[0]
    return f"{type(error).__name__}: {KINDLESS.sub('…', first)[:90]}"


def _difference(before: View | str | None, after: View | str) -> str:
    if before == after:
        return ""
    if isinstance(before, str) or before is None or isinstance(after, str):
        return f"refused: {after}" if isinstance(after, str) else "no longer refused"
    return "another program" if before.program != after.program else "other outputs"


def _work(page: Page, pipe: Any) -> None:
    with contextlib.suppress(AttributeError, OSError):
        os.unshare(os.CLONE_NEWNET)  # type: ignore[attr-defined]  # Python 3.12
    resource.setrlimit(resource.RLIMIT_AS, (GIGABYTES * 2**30 * 4, GIGABYTES * 2**30 * 4))
    resource.setrlimit(resource.RLIMIT_FSIZE, (2**26, 2**26))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    while True:
        path = pipe.recv()
        try:
            pipe.send(page.look(path))
        except BaseException as error:
            pipe.send({"runtime": reason(error)})


class Worker:
    """A process in which runtimes load files; another one follows when it dies, hangs or has seen enough."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._process: Any = None
        self._pipe: Any = None
        self._seen = 0

    def _start(self) -> None:
        forks = multiprocessing.get_context("fork")
        self._pipe, other = forks.Pipe()
        self._process = forks.Process(target=_work, args=(self._page, other), daemon=True)
        self._process.start()
        other.close()
        self._seen = 0

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._pipe.close()
            self._process = None

    def look(self, path: str) -> dict[str, View | str]:
        if self._process is None or self._seen >= CASES_OF_A_WORKER:
            self.end()
            self._start()
        self._seen += 1
        try:
            self._pipe.send(path)
            if self._pipe.poll(SECONDS):
                return dict(self._pipe.recv())
            self.end()
            return {"runtime": "hangs"}
        except (EOFError, OSError):
            self.end()
            return {"runtime": "crashes"}


def inspected(path: str) -> Mapping[str, Any]:
    """What this program sees. @raises ModelValidatorError if it refuses the file"""
    from model_validator._library import ask
    from model_validator._live import source_of

    source = source_of(path, None, export=None, trusted=False, name=None)
    summary: Mapping[str, Any] = json.loads(ask("inspect", [source], {"format": "json"}).texts["json"])
    return summary


class Run:
    def __init__(self, page: Page, files: Sequence[bytes], scratch: Path, kept: Path, seed: int) -> None:
        self._page, self._files, self._kept = page, list(files), kept
        self._path = str(scratch / f"case{page.SUFFIX}")
        self._worker = Worker(page)
        self._chance = random.Random(seed)
        self._by_fingerprint: dict[tuple[str, str], tuple[View, bytes]] = {}
        self._by_view: dict[str, tuple[str, bytes]] = {}
        self._counts: collections.Counter[str] = collections.Counter()
        self._alone: collections.Counter[str] = collections.Counter()
        self._told: collections.Counter[str] = collections.Counter()

    def go(self, seconds: float, cases: int) -> int:
        for file in self._files:
            self._case(file)
        print(f"{len(self._files)} files to begin with: {dict(self._counts)} {dict(self._alone)}", flush=True)
        end, begun, count = time.monotonic() + seconds, time.monotonic(), 0
        while time.monotonic() < end and count < cases:
            count += 1
            self._case(self._page.mutate(self._chance, self._files))
            if count % 2000 == 0:
                print(f"{count} cases in {time.monotonic() - begun:.0f} s: {dict(self._counts)}", flush=True)
        self._worker.end()
        print(f"{count} cases in {time.monotonic() - begun:.0f} s: {dict(self._counts)}")
        for what, times in (*self._alone.most_common(), *self._told.most_common()):
            print(f"{times:6} {what}")
        return 1 if self._told else 0

    def change_fields(self, wanted: int) -> int:
        """Changes of one field that `diff` must tell, where a runtime sees them; as evenly as possible over the kinds of fields."""
        changes: dict[str, list[tuple[bytes, bytes]]] = {}
        for file in self._files:
            for where, changed in self._page.one_field_changes(file):
                changes.setdefault(where, []).append((file, changed))
        most = max(map(len, changes.values()))
        rounds = ((where, some[at]) for at in range(most) for where, some in changes.items() if at < len(some))
        for where, (file, changed) in itertools.islice(rounds, wanted):
            self._counts[self._change(where, file, changed)] += 1
        self._worker.end()
        print(f"{sum(self._counts.values())} changes of {len(changes)} kinds of fields: {dict(self._counts)}")
        for what, times in (*self._alone.most_common(), *self._told.most_common()):
            print(f"{times:6} {what}")
        return 1 if self._told else 0

    def _change(self, where: str, file: bytes, changed: bytes) -> str:
        before, after = self._seen(file), self._seen(changed)
        if isinstance(after, str):
            return "refused"
        if before != after:
            return "told"
        views = []
        for content in (file, changed):
            Path(self._path).write_bytes(content)
            views.append(self._worker.look(self._path))
        if views[0] == views[1]:
            self._alone[f"no runtime sees {where}"] += 1
            return "seen by no runtime"
        if all(isinstance(view, str) for view in views[1].values()):
            return "refused by the runtimes alone"
        seen = [_difference(views[0].get(runtime), view) for runtime, view in views[1].items()]
        self._tell(f"not told: {where} ({', '.join(filter(None, seen))})", changed, file)
        return "not told"

    def _seen(self, content: bytes) -> tuple[str, str] | str:
        from model_validator import ModelValidatorError

        Path(self._path).write_bytes(content)
        try:
            ours = inspected(self._path)
        except ModelValidatorError as error:
            return str(error.kind)
        return str(ours["fingerprint"]), str(ours["structural_hash"])

    def _case(self, content: bytes) -> None:
        Path(self._path).write_bytes(content)
        from model_validator import ModelValidatorError

        try:
            ours = inspected(self._path)
        except ModelValidatorError as error:
            self._counts[f"refused: {error.kind}"] += 1
            if error.kind == "internal-error":
                self._tell(f"the reader ends: {error.message[:100]}", content)
            return
        theirs = self._worker.look(self._path)
        self._counts["read"] += 1
        taken_by_all = all(isinstance(view, View) for view in theirs.values())
        if taken_by_all:
            # Not the fingerprint: it covers stored bytes that no tensor uses, too.
            structure = str(ours["structural_hash"])
            known = self._by_view.setdefault(repr(theirs), (structure, content))
            if known[0] != structure:
                self._tell("same to the runtimes, another structure here", content, known[1])
        for runtime, view in theirs.items():
            if isinstance(view, str):
                self._counts[f"{runtime} refuses"] += 1
                self._note(f"{runtime} alone refuses: {view}", content)
            else:
                runs_everywhere = taken_by_all and all(each.outputs for each in theirs.values() if isinstance(each, View))
                self._compare(runtime, ours, view, content, (taken_by_all, runs_everywhere))

    def _compare(self, runtime: str, ours: Mapping[str, Any], view: View, content: bytes, everywhere: tuple[bool, bool]) -> None:
        taken_by_all, runs_everywhere = everywhere  # what a runtime refuses, others may read however they like
        fingerprint = str(ours["fingerprint"])
        before = self._by_fingerprint.setdefault((runtime, fingerprint), (view, content))
        if taken_by_all and before[0].program != view.program:
            self._tell(f"same here, another program to {runtime}", content, before[1])
        elif runs_everywhere and before[0].outputs != view.outputs:
            self._tell(f"same here, other outputs by {runtime}", content, before[1])
        here = self._page.operators(ours)
        if view.operators and here != view.operators:
            only = sorted({name for name in {*here, *view.operators} if here.get(name) != view.operators.get(name)})
            self._tell(f"operators of {runtime}: {', '.join(only)[:80]}", content)

    def _tell(self, what: str, content: bytes, other: bytes | None = None) -> None:
        self._told[what] += 1
        if self._told[what] <= 5:
            self._keep(what, content, other)
            print(f"found: {what}", flush=True)

    def _note(self, what: str, content: bytes) -> None:
        self._alone[what] += 1
        if self._alone[what] == 1:
            self._keep(what, content, None)

    def _keep(self, what: str, content: bytes, other: bytes | None) -> None:
        name = digest(what, hashlib.sha256(content).hexdigest())
        for end, part in (("", content), (".before", other)):
            if part is not None:
                (self._kept / f"{name}{end}{self._page.SUFFIX}").write_bytes(part)
        with (self._kept / "found.txt").open("a") as file:
            print(name, what, file=file)


if __name__ == "__main__":
    sys.exit("run the folder: python tools/security/differential")
