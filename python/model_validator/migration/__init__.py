"""A way out of TorchScript: a file as a module that people can read, as an exported program, and the proof that they are the same.

    mv.migrate("old.pt", "new", inputs=["x=2x3x224x224"])    # writes new/model.py, model.safetensors, export.py, model.pt2

What is written is text made of checked names and literals; it runs only in a process that the kernel confines.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .. import _places
from .._keywords import takes
from .._library import Source, ask
from ..errors import ModelValidatorError, printable
from ._export_file import Input, export_file, read_input

__all__ = ["Migration", "migrate"]


@dataclass(frozen=True)
class Migration:
    """A TorchScript file as a module, and what is known of it."""

    model: str
    """`model.py`"""
    weights: bytes = field(repr=False)
    """`model.safetensors`"""
    export: str = field(repr=False)
    """`export.py`"""
    identical: bool | None = None
    """Whether weights and outputs are those of the file, bit by bit, over five inputs at two sizes; None: it was not run."""
    difference: str = ""
    """What differs."""
    exported: bool | None = None
    """Whether torch.export takes the module."""
    blocker: str = ""
    """Why it does not, in torch's words."""
    blockers: tuple[str, ...] = ()
    """What `check --target torch-export` says of the file, each with its line of Python, and that of `model.py`."""
    dynamic: bool = False
    """Whether sizes that the code leaves free are free in the exported program."""
    verified: bool | None = None
    """Whether `model_validator verify` finds the exported program the same as the file; None: it was not asked."""
    report: str = ""
    """What was found, in lines."""


@takes()
def migrate(
    model: str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    *,
    inputs: Sequence[str] = (),
    onnx: bool = False,
    run: bool = True,
    sandbox: str = "auto",
    timeout: float = 600,
) -> Migration:
    """Writes the module of a TorchScript file, runs both, exports the module, and verifies the program.

    out: a folder that does not exist, written whole or not at all; None: nothing is written
    inputs: as `--input` of `verify` has them, `x=2x3x224x224`; without any, the module is written and not run
    run: False: nothing that was written is run
    sandbox: `require`: refuse to read or to run unconfined

    @raises ModelValidatorError (`not-migrated`, `already-there`, and those of reading a file)
    """
    file = Path(os.fspath(model))
    given = [read_input(text) for text in inputs]
    with _new_folder(None if out is None else Path(out)) as folder:
        found, places = _written(file, folder, given, sandbox)
        if run:
            found = _with(found, blockers=tuple(_blockers(file, found.model, places, sandbox)))
        if given and run:
            found = _proved(file, folder, given, found, onnx=onnx, sandbox=sandbox, timeout=timeout)
        report = _report(file, found, given)
        if found.blockers:
            report += "\n".join(["", "what keeps it from being exported, by the lines of the file's Python:", *found.blockers, ""])
        (folder / "report.txt").write_text(report)
        (folder / "export.py").write_text(found.export)
    return _with(found, report=report)


def _with(found: Migration, **more: Any) -> Migration:
    return Migration(**{**vars(found), **more})


@contextmanager
def _new_folder(out: Path | None) -> Iterator[Path]:
    """A folder that becomes `out` once all is in it; without one it is removed. @raises ModelValidatorError (`already-there`)"""
    if out is not None and os.path.lexists(out):
        raise ModelValidatorError("already-there", str(out), "there is something of that name", "choose a name that is free: nothing is written over")
    try:
        folder = Path(tempfile.mkdtemp(prefix=".migrate-", dir=None if out is None else out.absolute().parent))
    except OSError as error:
        raise ModelValidatorError("cannot-write", str(out), str(error.strerror)) from None
    try:
        yield folder
        if out is not None:
            _tidy(folder)
            _move(folder, out)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _tidy(folder: Path) -> None:
    """Only what is named stays, with the rights of a new file: what ran may have left more."""
    mask = os.umask(0)
    os.umask(mask)
    for place in folder.iterdir():
        if (
            place.name not in ("model.py", "model.safetensors", "export.py", "model.pt2", "model.onnx", "model.onnx.data", "report.txt")
            or place.is_symlink()
        ):
            shutil.rmtree(place) if place.is_dir() and not place.is_symlink() else place.unlink()
        else:
            place.chmod(0o666 & ~mask)
    folder.chmod(0o777 & ~mask)


NO_REPLACE = 1


def _move(folder: Path, out: Path) -> None:
    """Never over anything, even what has appeared meanwhile. @raises ModelValidatorError"""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.renameat2(-100, os.fsencode(folder), -100, os.fsencode(out.absolute()), NO_REPLACE) == 0:
        return
    if ctypes.get_errno() in (errno.EINVAL, errno.ENOSYS) and not os.path.lexists(out):  # file systems that cannot do both at once
        os.rename(folder, out)
        return
    raise ModelValidatorError("cannot-write", str(out), os.strerror(ctypes.get_errno()))


def _written(file: Path, folder: Path, given: Sequence[Input], sandbox: str) -> tuple[Migration, dict[int, list[str]]]:
    """The module, in the folder, and where its lines come from. @raises ModelValidatorError"""
    from ._document import RefusedError
    from ._writing import write_module  # needs torch

    def told(source: Source) -> Any:
        return json.loads(ask("graph", [source], {"format": "code", "sandbox": sandbox}).texts["code"])

    data = told(Source(str(file)))
    try:
        module = write_module(data, file, file.name, lambda content: told(Source("a class of torch.nn", memoryview(content))))
    except RefusedError as refused:
        raise ModelValidatorError(refused.kind, str(file), refused.message, refused.hint) from None
    (folder / "model.py").write_text(module.model)
    (folder / "model.safetensors").write_bytes(module.weights)
    return Migration(module.model, module.weights, export_file(given, dynamic=True)), module.places


KEPT = ("PATH", "HOME", "LANG", "LD_LIBRARY_PATH", "MODEL_VALIDATOR_PREFIX")


def _proved(file: Path, folder: Path, given: Sequence[Input], found: Migration, *, onnx: bool, sandbox: str, timeout: float) -> Migration:
    task = {"inputs": [vars(one) for one in given], "onnx": onnx, "require": sandbox == "require"}
    answer = _in_confinement(file, folder, task, timeout)
    if "failed" in answer:
        return _with(found, identical=False, difference=answer["failed"])
    difference = answer["state"] or answer["outputs"]
    found = _with(
        found, identical=not difference, difference=difference, exported=answer["exported"], blocker=answer["blocker"], dynamic=answer["dynamic"]
    )
    # What was written before it ran is written again: the text that is kept is ours.
    (folder / "model.py").unlink(missing_ok=True)
    (folder / "model.py").write_text(found.model)
    (folder / "model.safetensors").unlink(missing_ok=True)
    (folder / "model.safetensors").write_bytes(found.weights)
    if not found.exported:
        return found
    verified, text = _verified(file, folder, given, sandbox)
    return _with(found, export=export_file(given, found.dynamic), verified=verified, report=text)


def _in_confinement(file: Path, folder: Path, task: dict[str, Any], timeout: float) -> dict[str, Any]:
    """What `_confined` found. @raises ModelValidatorError (`run-failed`)"""
    environment = {name: value for name, value in os.environ.items() if name in KEPT}
    environment |= {
        "PYTHONPATH": os.pathsep.join(place for place in sys.path if place),
        "OMP_NUM_THREADS": "1",
        "TORCHINDUCTOR_CACHE_DIR": str(folder),
    }
    arguments = [sys.executable, "-P", "-m", f"{__name__}._confined", str(folder), str(file.absolute()), json.dumps(task)]
    try:
        done = subprocess.run(arguments, capture_output=True, text=True, errors="replace", env=environment, check=False, timeout=timeout)
    except subprocess.TimeoutExpired:
        raise ModelValidatorError("timed-out", str(file), f"the module did not run within {timeout:g} s", "raise `timeout`") from None
    try:
        answer = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        raise ModelValidatorError("run-failed", str(file), "the module ended the process that ran it", details=done.stderr[-2000:]) from None
    return answer if isinstance(answer, dict) else {"failed": "it gave no answer"}


def _verified(file: Path, folder: Path, given: Sequence[Input], sandbox: str) -> tuple[bool | None, str]:
    """Whether `verify` finds the exported program the same, and what it says."""
    from ..__main__ import environment

    program = folder / "model.pt2"
    if program.is_symlink() or not program.is_file():
        return None, ""
    options = [option for one in given for option in ("--input", one.text)]
    arguments = [str(_places.program()), "verify", str(file), str(program), *options, "--sandbox", sandbox]
    done = subprocess.run(arguments, capture_output=True, text=True, errors="replace", env=environment(), check=False)
    return {0: True, 1: False}.get(done.returncode), (done.stdout + done.stderr).replace(f"{folder}{os.sep}", "")


def _blockers(file: Path, model: str, places: Mapping[int, list[str]], sandbox: str) -> Iterator[str]:
    """What keeps the file from being exported, each with its line of Python and the one that was written.

    places: which lines of Python each line of `model.py` was made from
    """
    from ..checking import check

    lines = {place: line for line, each in reversed(list(places.items())) for place in each}
    text = model.splitlines()
    for finding in check(str(file), target=["torch-export"], select=["unsupported-ops"], isolated=True, sandbox=sandbox).findings:  # type: ignore[arg-type]
        at = [f"{place.file}:{place.line}" for place in finding.locations]
        written = [f"model.py:{lines[place]}" for place in at if place in lines]
        stead = [text[lines[place] - 1].strip() for place in at if place in lines and "torch._assert_async(" in text[lines[place] - 1]]
        advice = f"written as `{stead[0]}`" if stead else finding.help
        yield printable(": ".join([", ".join([*at[:1], *written[:1]]), finding.message, *([advice] if advice else [])]).removeprefix(": "))


def _report(file: Path, found: Migration, given: Sequence[Input]) -> str:
    """What was found, in lines."""
    name = ascii(file.name)
    lines = [f"model.py: {len(found.model.splitlines())} lines, from {name}"]
    if found.identical is None:
        lines.append("not run: give inputs, such as --input x=2x3x224x224, to compare it with the file and to export it")
        return "\n".join(lines) + "\n"
    inputs = ", ".join(one.text for one in given)
    if found.identical:
        lines.append(f"the same weights, and outputs that are the same bit by bit over five inputs at two sizes ({inputs})")
    else:
        lines.append(f"NOT THE SAME: {found.difference}")
    if found.exported:
        lines.append(f"model.pt2: exported with {'every size free that the code leaves free' if found.dynamic else 'the sizes of these inputs'}")
        lines.append({True: "verify: the same", False: "verify: DIFFERENT", None: "verify: could not compare the two"}[found.verified])
        lines += ["", *found.report.splitlines()]
    elif found.identical:
        lines.append(f"torch.export does not take it: {found.blocker}")
    return "\n".join(lines) + "\n"
