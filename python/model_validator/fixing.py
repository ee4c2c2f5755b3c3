"""`fix`: edits of a live model's source, proposed as a diff, or proved by exporting the model again and written."""

from __future__ import annotations

import inspect
import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import _places, _rebuilding
from .__main__ import environment
from ._exporting import exported
from ._options import Texts, described_inputs, texts
from ._rebuilding import EXTENSIONS, save
from ._words import Export
from .errors import ModelValidatorError

WITHOUT_ERROR = (0, 1)


@dataclass(frozen=True)
class FixReport:
    """What `fix` proposes, or what it wrote."""

    diff: str
    """The edits as a unified diff; empty where they were written."""
    text: str
    """What the command says about them."""
    fixed: int = 0
    """Findings whose edits were proved and written."""
    left: int = 0
    """Those that are not fixed."""
    waiting: Sequence[Mapping[str, Any]] = ()
    """Edits of what other code names, with that code: `write_mentioned` has them tried."""
    taken_back: Sequence[Mapping[str, Any]] = ()
    """Edits that did not hold, and why."""
    looks: Sequence[Mapping[str, Any]] = ()
    """Code that looks at all modules, and may see new ones."""

    def __str__(self) -> str:
        return self.diff + self.text


def fix(
    model: Any,
    inputs: object,
    *,
    write: bool = False,
    write_mentioned: bool = False,
    unproven: bool = False,
    prove_with: str | None = None,
    select: Texts = None,
    ignore: Texts = None,
    modules: str | None = None,
    export: Export | None = None,
) -> FixReport:
    """Fixes the source of a model's findings.

    model: an `nn.Module`, or a class or function of a module that makes one without arguments. What is written is proved
    by making and exporting the model anew in another process: where the arguments that made a module are neither its
    constructor's defaults nor kept under their names, give what makes it.

    inputs: what the model is called with.

    write: write the edits that are proved, and that touch nothing that other code names; without it, they are proposed as
    a diff. write_mentioned: also those of what other code names. unproven: all of them, without a proof.
    prove_with: a command that has to succeed with the edits, such as `pytest -q`.
    select, ignore: rules, as for `check`. modules: a package whose classes stand for operations.
    export: `trace`, `script` or `export`.

    @raises ModelValidatorError if the model cannot be exported, made again or proved
    """
    with tempfile.TemporaryDirectory(prefix="model_validator-") as name:
        folder = Path(name)
        network, maker = _made(model)
        way, file = _exported(network, inputs, export, folder)
        options = [*_listed("--select", select), *_listed("--ignore", ignore), *(["--modules", modules] if modules else [])]
        if not write:
            return _proposed([str(file), *options], folder)
        if unproven:
            return _proposed([str(file), *options, "--write", "--unproven"], folder)
        save(folder, maker, network, inputs, way)
        line = f"{shlex.join([sys.executable, _rebuilding.__file__, str(folder)])} {{output}}"
        with described_inputs(str(file), _arguments(inputs)) as described:
            given = [text for path in described.get("input_files", ()) for text in ("--inputs", path)]
            proof = ["--write", "--rebuild", line, *(["--prove-with", prove_with] if prove_with else [])]
            return _written([str(file), *options, *proof, *given, *(["--write-mentioned"] if write_mentioned else [])], folder)


def _arguments(inputs: object) -> object:
    return inputs if isinstance(inputs, Mapping | list | tuple) else [inputs]


def _made(model: Any) -> tuple[Any, dict[str, Any]]:
    """The network, and how another process makes it."""
    torch: Any = sys.modules.get("torch")
    if torch is None or not callable(model):
        raise TypeError(f"a model is an nn.Module, or a class or function that makes one, not {type(model).__name__}")
    if not isinstance(model, torch.nn.Module):
        return model(), _place_of(model, {})
    return model, _place_of(type(model), _constructor_arguments(model))


def _place_of(maker: Callable[..., Any], arguments: dict[str, Any]) -> dict[str, Any]:
    """@raises ModelValidatorError for what another process cannot import"""
    if "<" in maker.__qualname__:
        raise ModelValidatorError(
            "bad-options", "", f"another process cannot import `{maker.__qualname__}`", "define it at the top level of a module"
        )
    main = getattr(sys.modules["__main__"], "__file__", None) if maker.__module__ == "__main__" else None
    if maker.__module__ == "__main__" and main is None:
        raise ModelValidatorError("no-source", "", f"`{maker.__qualname__}` has no file: a session defined it", "put it into a module, and import it")
    return {
        "module": maker.__module__,
        "name": maker.__qualname__,
        "script": os.path.abspath(main) if main else None,
        "arguments": arguments,
    }


PLAIN = (bool, int, float, str, tuple, list, dict, type(None))


def _constructor_arguments(model: Any) -> dict[str, Any]:
    """What made a module, as far as it keeps that under the names of parameters. The proof begins with a comparison of what
    they make, so that a wrong guess is told.

    @raises ModelValidatorError for a parameter that has no default, and that it does not keep"""
    found: dict[str, Any] = {}
    for parameter in inspect.signature(type(model)).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        kept = vars(model).get(parameter.name, parameter.empty)
        settings = parameter.name.endswith(("config", "cfg", "args"))
        if kept is not parameter.empty and (isinstance(kept, PLAIN) or settings):
            found[parameter.name] = kept
        elif parameter.default is parameter.empty:
            raise ModelValidatorError(
                "bad-options",
                "",
                f"what `{type(model).__qualname__}` was given for `{parameter.name}` is not known",
                "give a function of a module that makes the model",
            )
    return found


def _exported(model: Any, inputs: object, export: Export | None, folder: Path) -> tuple[Export, Path]:
    torch: Any = sys.modules["torch"]
    made, _ = exported(model.eval(), inputs, export, type(model).__name__)
    way: Export = export or ("trace" if isinstance(made, torch.jit.ScriptModule) else "export")
    file = folder / f"model{EXTENSIONS[way]}"
    (torch.export.save if way == "export" else torch.jit.save)(made, file)
    return way, file


def _listed(option: str, given: Texts) -> list[str]:
    named = texts(given)
    return [option, ",".join(named)] if named else []


def _run(arguments: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """@raises ModelValidatorError with what the command says"""
    given = environment() | {"XDG_STATE_HOME": str(folder)}  # the command of this export is of no use to another run
    done = subprocess.run([str(_places.program()), "fix", *arguments], capture_output=True, text=True, env=given, check=False)
    if done.returncode not in WITHOUT_ERROR:
        message, _, hint = done.stderr.strip().partition("\n  = help: ")
        raise ModelValidatorError("fix-failed", "", message.rpartition("error: ")[2], hint)
    return done


def _proposed(arguments: Sequence[str], folder: Path) -> FixReport:
    done = _run(arguments, folder)
    return FixReport(done.stdout, done.stderr)


def _written(arguments: Sequence[str], folder: Path) -> FixReport:
    done = _run([*arguments, "--output-format", "json"], folder)
    report = json.loads(done.stdout)
    rules = report["rules"]
    return FixReport(
        diff="",
        text=done.stderr,
        fixed=sum(rule["fixed"] for rule in rules),
        left=sum(rule["left"] for rule in rules),
        waiting=report["waiting"],
        taken_back=report["taken_back"],
        looks=report["looks"],
    )
