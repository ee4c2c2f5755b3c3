"""Child processes that ask a runtime. A question that ends its process, or takes too long, is answered by that."""
from __future__ import annotations

import json
import os
import pathlib
import pickle
import select
import subprocess
import tempfile
from collections.abc import Iterable, Iterator

from probe.question import Question
from probe.runtime import Runtime

PATIENCE = 60  # seconds for one question
CRASH = "the runtime ends its process, or does not answer"
SLOW = "the runtime does not answer in time"
NO_ANSWER = (CRASH, SLOW)
MEMORY = 6 << 30  # bytes of data that a child may allocate

LOOP = """
import json, os, pickle, resource, sys, tempfile
import ml_dtypes, numpy, onnx, onnx.numpy_helper
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 26, 1 << 26))
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # what a runtime prints is no answer
class NotAsked(Exception): pass
class Ran(Exception): pass  # and yields what numpy has no dtype for
class Refused(Exception): pass
class Words:  # what is written to descriptors 1 and 2, as `text` when it is over
    def __enter__(self):
        self.file = tempfile.TemporaryFile()
        self.kept = [(number, os.dup(number)) for number in (1, 2)]
        for number, _ in self.kept:
            os.dup2(self.file.fileno(), number)
        return self
    def __exit__(self, *_):
        sys.stdout.flush()
        for number, copy in self.kept:
            os.dup2(copy, number)
            os.close(copy)
        self.file.seek(0)
        self.text = self.file.read().decode(errors="replace")
        self.file.close()
def said(error):
    return " ".join(str(error).split())[:1500] or type(error).__name__
def plain(value):
    if isinstance(value, onnx.TensorProto):
        return onnx.numpy_helper.to_array(value)
    return numpy.asarray(value) if isinstance(value, numpy.generic | int | float) else value
PROGRAM
def ask(path, inputs):
    try:
        load_plain(path)
        without = None
    except Exception as error:
        without = said(error)
    try:
        loaded = load(path, inputs) if run is None else load(path)
    except Exception as error:
        return {"plain": without, "load": said(error)}, None
    if run is None:
        return {"plain": without, "load": None}, None
    try:
        return {"plain": without, "load": None, "run": None}, [v if isinstance(v, list) else numpy.asarray(v) for v in run(loaded, inputs)]
    except Ran:
        return {"plain": without, "load": None, "run": None}, None
    except NotAsked:
        return {"plain": without, "load": None}, None
    except Refused as error:  # which the runtime finds out only now
        return {"plain": without, "load": said(error)}, None
    except Exception as error:
        return {"plain": without, "load": None, "run": said(error)}, None
print("ready", file=answers, flush=True)
for line in sys.stdin:
    path = line.strip()
    with open(path + ".inputs", "rb") as file:
        inputs = {name: plain(value) for name, value in pickle.load(file).items()}
    found, outputs = ask(path, inputs)
    with open(path + ".outputs", "wb") as file:
        pickle.dump(outputs, file)
    print(json.dumps(found), file=answers, flush=True)
"""


class Child:
    def __init__(self, runtime: Runtime, folder: str) -> None:
        program = LOOP.replace("PROGRAM", runtime.program).replace("MEMORY", str(MEMORY))
        self.process = subprocess.Popen([runtime.python, "-W", "ignore", "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True, cwd=folder, env={**os.environ, "OMP_NUM_THREADS": "1"})
        assert self.process.stdout is not None
        if not self.process.stdout.readline():
            raise SystemExit(f"{runtime.package} is not there, or ends at once")

    def answer(self, path: pathlib.Path) -> dict[str, str | None]:
        """What the runtime says; and `crash`, where the process ended, or had to be ended."""
        assert self.process.stdin is not None and self.process.stdout is not None
        said = CRASH
        try:
            print(path, file=self.process.stdin, flush=True)
            if not select.select([self.process.stdout], [], [], PATIENCE)[0]:
                said = SLOW
            elif line := self.process.stdout.readline():
                return dict(json.loads(line))
        except BrokenPipeError:
            pass
        self.process.kill()
        self.process.wait()
        return {"crash": said}


def asked(runtime: Runtime, questions: Iterable[Question]) -> Iterator[tuple[Question, dict[str, str | None], list[object] | None]]:
    """Each question with what the runtime says, and its outputs where it ran."""
    with tempfile.TemporaryDirectory() as folder:
        child = Child(runtime, folder)
        path = pathlib.Path(folder) / "model.onnx"
        for question in questions:
            path.write_bytes(question.model)
            for name, held in question.beside.items():
                (path.parent / name).write_bytes(held)
            pathlib.Path(f"{path}.inputs").write_bytes(pickle.dumps(question.inputs))
            found = child.answer(path)
            if "crash" in found:  # once more: an earlier question may have worn the process out
                child = Child(runtime, folder)
                found = child.answer(path)
            if "crash" in found:
                yield question, found, None
                child = Child(runtime, folder)
                continue
            yield question, found, pickle.loads(pathlib.Path(f"{path}.outputs").read_bytes())
        child.process.kill()
        child.process.wait()


class Reader:
    """Asks what a runtime says against reading one model after the other: empty where it takes it."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime.reading()
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name) / "model.onnx"
        pathlib.Path(f"{self.path}.inputs").write_bytes(pickle.dumps({}))
        self.child = Child(self.runtime, self.folder.name)

    def said_against(self, model: bytes) -> str:
        self.path.write_bytes(model)
        found = self.child.answer(self.path)
        if "crash" in found:
            self.child = Child(self.runtime, self.folder.name)
        return found.get("crash") or found.get("load") or ""


def said_against(runtime: Runtime, models: list[bytes]) -> list[str]:
    """What a runtime says against reading each; empty where it takes it."""
    questions = [Question("", [], model, {}, None, "file") for model in models]
    return [said.get("crash") or said.get("load") or "" for _, said, _ in asked(runtime.reading(), questions)]
