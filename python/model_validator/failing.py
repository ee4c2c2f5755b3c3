"""`probe` and `reduce`: what a runtime here makes of an ONNX file, and the smallest model that still fails."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import _places
from .__main__ import environment
from ._arrays import to_numpy
from .errors import ModelValidatorError

PathLike = str | os.PathLike[str]
Inputs = PathLike | Sequence[PathLike] | Mapping[str, Any] | None
"""Files of inputs, or arrays by name; None: they are made up."""


@dataclass(frozen=True)
class NodeAnswer:
    """What a runtime makes of nodes of one kind, as a model of their own."""

    operator: str
    attributes: str
    nodes: int
    """How many there are."""
    example: str
    """The first of them."""
    answer: str | None
    """`right`, `refused`, `failed`, `crashed`, `hung` or `differs`; None: what it is given cannot be computed."""
    message: str


@dataclass(frozen=True)
class NodePlace:
    """Where a node runs, as the runtime has put them together."""

    provider: str
    operator: str
    node: str


@dataclass(frozen=True)
class Probe:
    """What a runtime makes of a model. True where the model is right as a whole."""

    answer: str
    message: str
    runtime: str
    version: str
    nodes: Sequence[NodeAnswer]
    places: Sequence[NodePlace] = ()
    """Of an execution provider other than the CPU's, where that is known."""

    def __bool__(self) -> bool:
        return self.answer == "right"

    def __str__(self) -> str:
        wrong = [f"  {n.answer or 'not asked'}: {n.nodes} × {n.operator}, as {n.example}: {n.message}" for n in self.nodes if n.answer != "right"]
        return "\n".join([f"{self.answer}, asked here: {self.runtime} {self.version}", *wrong])


@dataclass(frozen=True)
class Reduction:
    """The smallest model that fails as the whole does, and what reproduces it."""

    folder: Path
    text: str

    @property
    def model(self) -> Path:
        """The reduced model."""
        return self.folder / "reduced.onnx"

    @property
    def program(self) -> Path:
        """Shows the failure; needs numpy and the runtime."""
        return self.folder / "repro.py"

    @property
    def report(self) -> Path:
        """Text for a bug report."""
        return self.folder / "report.md"

    def __str__(self) -> str:
        return self.text


def probe(
    model: PathLike,
    *,
    backend: str = "",
    command: str = "",
    inputs: Inputs = None,
    every_node: bool = False,
    optimise: bool = True,
    jobs: int = 0,
    answers: PathLike | None = None,
    profile: PathLike | None = None,
    timeout: float = 60,
) -> Probe:
    """Asks a runtime whether it loads and runs an ONNX file and gives what the reference gives; where not, the same of each kind of node.

    backend: `onnxruntime[:PROVIDER]`, `openvino[:DEVICE]`, or `tensorrt-rtx`, which parses and builds alone. command: a program instead,
    with `{model}`, `{inputs}` and `{outputs}`. every_node: of a model that is right as a whole, too. optimise: False runs every node as the file has
    it, where the runtime can. jobs: processes at once; 0: one for every core. answers: the folder in which answers are kept. profile: a file to
    which the answers are added, by which `check(…, profile=…)` judges on any machine. timeout: seconds of each run.

    @raises ModelValidatorError for a file that cannot be read, or a runtime that is not there
    """
    options = ["--output-format", "json", *(["--all"] if every_node else []), *([] if optimise else ["--no-optimise"])]
    if jobs:
        options += ["--jobs", str(jobs)]
    if answers is not None:
        options += ["--answers", os.fspath(answers)]
    if profile is not None:
        options += ["--write-profile", os.fspath(profile)]
    with _arguments(backend, command, inputs, timeout) as arguments:
        found = json.loads(_run("probe", [os.fspath(model), *arguments, *options]).stdout)
    nodes, places = [NodeAnswer(**node) for node in found["nodes"]], [NodePlace(**place) for place in found["places"]]
    return Probe(found["answer"], found["message"], found["runtime"], found["version"], nodes, places)


def reduce(
    model: PathLike,
    candidate: PathLike | None = None,
    *,
    folder: PathLike,
    backend: str = "",
    command: str = "",
    inputs: Inputs = None,
    time: float = 600,
    timeout: float = 60,
) -> Reduction | None:
    """Seeks the smallest part of an ONNX file that is refused, crashes, hangs or differs as the whole does, and writes it into a new folder.

    candidate: another file of it, which differs. backend, command: as for `probe`. time: seconds after which the smallest so far is taken.

    Returns None where the model does not fail. @raises ModelValidatorError for a file that cannot be read, or a folder that is there
    """
    files = [os.fspath(model), *([os.fspath(candidate)] if candidate is not None else [])]
    with _arguments(backend, command, inputs, timeout) as arguments:
        done = _run("reduce", [*files, *arguments, "--time", str(time), "--output-folder", os.fspath(folder)])
    return Reduction(Path(folder), done.stdout.rstrip()) if done.returncode == 0 else None


@contextmanager
def _arguments(backend: str, command: str, inputs: Inputs, timeout: float) -> Iterator[list[str]]:
    arguments = ["--timeout", str(timeout)]
    if backend:
        arguments += ["--backend", backend]
    if command:
        arguments += ["--command", command]
    if not isinstance(inputs, Mapping):
        files = [] if inputs is None else [inputs] if isinstance(inputs, str | os.PathLike) else inputs
        yield [*arguments, *(word for file in files for word in ("--inputs", os.fspath(file)))]
        return
    import numpy as np

    with tempfile.TemporaryDirectory() as made:
        file = os.path.join(made, "inputs.npz")
        with open(file, "wb") as stream:
            arrays: dict[str, Any] = {name: to_numpy(array) for name, array in inputs.items()}
            np.savez(stream, **arrays)
        yield [*arguments, "--inputs", file]


def _run(name: str, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """@raises ModelValidatorError with what the command says"""
    command = [str(_places.program()), name, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=False)
    if done.returncode not in (0, 1):
        message, _, hint = done.stderr.strip().partition("\n  = help: ")
        raise ModelValidatorError(f"{name}-failed", "", message.rpartition("error: ")[2], hint)
    return done
