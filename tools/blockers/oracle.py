"""What keeps files from being exported, found by taking one thing after another away, and what `check --target torch-export` says of them.

    MODEL_VALIDATOR_PREFIX=build/dev PYTHONPATH=python python tools/blockers/oracle.py [CASES.py …] [NAME …] [--verbose]

Each file becomes the module that `migrate` writes. It is exported; the statement that fails is replaced by what it gave in a run, and it is exported
again until nothing fails, with each branch on data taken either way. What three calls then give is compared: state that is lost is a blocker too.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import importlib.util
import logging
import os
import sys
import tempfile
import traceback
import types
import warnings
from pathlib import Path
from typing import Any

import torch

import model_validator as mv
from model_validator.migration import _confined, written_module

logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")
MOST = 40
jit: Any = torch.jit


class Taken:
    """Values of statements that are taken away: noted in a run, given back in an export."""

    def __init__(self) -> None:
        self.noted: dict[int, list[Any]] = {}
        self.flipped: set[int] = set()
        self.exporting = False
        self._at: dict[int, int] = {}

    def start(self, exporting: bool) -> None:
        self.exporting, self._at = exporting, {}
        if not exporting:
            self.noted = {}

    def value(self, line: int, compute: Any) -> Any:
        """What a statement gives."""
        if not self.exporting:
            value = compute()
            if line in self.flipped:
                value = not value
            self.noted.setdefault(line, []).append(copy.copy(value))
            return value
        at = self._at[line] = self._at.get(line, -1) + 1
        return plain(self.noted[line][at]) if at < len(self.noted.get(line, ())) else False

    def loop(self, line: int, compute: Any) -> Any:
        """What a loop goes over."""
        return self.value(line, lambda: list(compute()))


def plain(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return torch.zeros(value.shape, dtype=value.dtype)
    if type(value) in (list, tuple):
        return type(value)(plain(one) for one in value)
    return {key: plain(one) for key, one in value.items()} if isinstance(value, dict) else value


class Remover(ast.NodeTransformer):
    """Puts what was noted in the place of statements."""

    def __init__(self, lines: set[int]) -> None:
        self.lines = lines

    def _taken(self, line: int, value: ast.expr, how: str = "value") -> ast.expr:
        call = ast.parse(f"_taken.{how}({line}, lambda: 0)", mode="eval").body
        call.args[1].body = value  # type: ignore[attr-defined]
        return ast.fix_missing_locations(ast.copy_location(call, value))

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, ast.stmt) and node.lineno in self.lines:
            if isinstance(node, ast.If | ast.While):
                node.test = self._taken(node.lineno, node.test)
            elif isinstance(node, ast.For):
                node.iter = self._taken(node.lineno, node.iter, "loop")
            elif isinstance(node, ast.Assign | ast.AugAssign | ast.Return | ast.Expr) and node.value is not None:
                node.value = self._taken(node.lineno, node.value)
        return node


def statement_at(tree: ast.AST, line: int) -> int:
    """The first line of the statement that a line is part of."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or line)]
    headed = [node for node in found if not isinstance(node, ast.ClassDef | ast.FunctionDef)]
    return max(headed, key=lambda node: node.lineno).lineno if headed else line


class Subject:
    """A written module, exported over and over."""

    def __init__(self, folder: Path, inputs: tuple[Any, ...]) -> None:
        self.text = (folder / "model.py").read_text()
        self.folder, self.inputs, self.tree = folder, inputs, ast.parse(self.text)
        self.taken = Taken()
        self.lines: set[int] = set()
        self.words: dict[int, str] = {}
        self.other: list[str] = []
        self.lost: set[str] = set()
        """Attributes that are no tensors of the module, and that calls change."""

    def load(self) -> Any:
        tree = Remover(self.lines).visit(ast.parse(self.text))
        module = types.ModuleType("written")
        module.__dict__.update(_taken=self.taken, __file__=str(self.folder / "model.py"))
        sys.modules["written"] = module
        exec(compile(tree, "<written>", "exec"), module.__dict__)
        return module.__dict__["load"]()

    def given(self) -> tuple[Any, ...]:
        return torch.utils._pytree.tree_map(lambda one: one.clone() if isinstance(one, torch.Tensor) else one, self.inputs)

    def failing(self) -> tuple[int, str] | None:
        """The statement that fails first, or 0 and what is lost; None where nothing is."""
        self.taken.start(exporting=False)
        model = self.load()
        with torch.no_grad():
            torch.manual_seed(0)
            model(*self.given())
        self.taken.start(exporting=True)
        try:
            with torch.no_grad():
                program = torch.export.export(self.load(), self.given())
        except Exception as error:
            frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "<written>"]
            words = f"{type(error).__name__}: {' '.join(str(error).split())[:120]}"
            return (statement_at(self.tree, frames[-1].lineno or 0) if frames else 0), words
        return None if self.lines or self._keeps_state(program) else (0, "state is lost")

    def _keeps_state(self, program: Any) -> bool:
        old, new = self.load(), program.module()
        self.taken.start(exporting=False)
        before = attributes(old)
        for _ in range(3):
            with torch.no_grad():
                torch.manual_seed(0)
                expected = old(*self.given())
                torch.manual_seed(0)
                try:
                    got = new(*self.given())
                except RuntimeError:  # the state has another size in the next call
                    return self._loses(before, old)
            if _confined._difference(expected, got) and not random(self.text):
                return self._loses(before, old)
        return True

    def _loses(self, before: dict[str, Any], model: Any) -> bool:
        for name, value in attributes(model).items():
            if isinstance(value, torch.Tensor) or type(value) is not type(before[name]) or value != before[name]:
                self.lost.add(name)
        return False

    def blockers(self) -> None:
        self._run()
        branches = [line for line in self.lines if isinstance(self._statement(line), ast.If)]
        for line in branches[:6]:
            self.taken.flipped = {line}
            with contextlib.suppress(Exception):
                self._run()
        self.taken.flipped = set()

    def _statement(self, line: int) -> ast.stmt | None:
        return next((node for node in ast.walk(self.tree) if isinstance(node, ast.stmt) and node.lineno == line), None)

    def _run(self) -> None:
        for _ in range(MOST):
            found = self.failing()
            if found is None:
                return
            line, words = found
            if not line or line in self.lines:
                if words not in self.other:
                    self.other.append(words)
                return
            self.lines.add(line)
            self.words[line] = words


def attributes(model: Any) -> dict[str, Any]:
    """What modules hold beside parameters, buffers and modules, by path."""
    found = {}
    for path, module in model.named_modules():
        own = {name: value for name, value in vars(module).items() if not name.startswith("_") and name != "training"}
        found |= {f"{path}.{name}".removeprefix("."): copy.copy(value) for name, value in own.items()}
    return found


def random(text: str) -> bool:
    return any(word in text for word in ("rand", "dropout", "bernoulli", "normal", "multinomial"))


def reported(file: Path) -> list[dict[str, Any]]:
    """Each finding of the check: what it says, and its lines."""
    found = mv.check(str(file), target=["torch-export"], select=["unsupported-ops"], isolated=True).findings
    return [{"says": one.message, "places": {f"{place.file}:{place.line}" for place in one.locations}} for one in found]


def judge(name: str, file: Path, inputs: tuple[Any, ...], verbose: bool) -> tuple[int, int, int, str]:
    """Blockers that were foreseen, missed, and needless; and what is to be said."""
    said = reported(file)
    with tempfile.TemporaryDirectory() as place:
        try:
            places = written_module(str(file), Path(place))
        except mv.ModelValidatorError as error:
            return (1, 0, 0, "") if said else (0, 1, 0, f"refused: {error.message}")
        subject = Subject(Path(place), inputs)
        try:
            subject.blockers()
        except Exception as error:
            return 0, 0, 0, f"not asked: {type(error).__name__} {error}"[:200]
    true = {line: set(places.get(line, ())) for line in sorted(subject.lines)}
    told, missed, left = 0, [], list(said)
    for line, at in true.items():
        fitting = [each for each in left if at & each["places"]]
        told += bool(fitting)
        left = [each for each in left if each not in fitting]
        if not fitting and not any(at & each["places"] for each in said):
            missed.append(f"missed: {at} `{subject.text.splitlines()[line - 1].strip()}`: {subject.words[line]}")
    for words in [f"state is lost: `{name}`" for name in subject.lost] or subject.other:
        fitting = [each for each in left if "SetAttr" in each["says"] and each["says"].endswith(words.rpartition(": ")[2])]
        told += bool(fitting)
        left = [each for each in left if each not in fitting]
        missed += [] if fitting else [f"missed: {words}"]
    needless = [f"needless: {sorted(each['places'])} {each['says'][:140]}" for each in left]
    notes = [f"told: {at} {subject.words[line][:100]}" for line, at in true.items()] if verbose else []
    return told, len(missed), len(needless), "\n    ".join([*missed, *needless, *notes])


def cases_of(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module.CASES


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="+")
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    names = {one for one in given.cases if not one.endswith(".py")}
    told = missed = needless = files = exact = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in (Path(one) for one in given.cases if one.endswith(".py")):
            for name, (cls, inputs, traced) in cases_of(path).items():
                if names and name not in names:
                    continue
                file = Path(folder) / f"{name}.pt"
                try:
                    torch.manual_seed(0)
                    (jit.trace(cls().eval(), inputs, check_trace=False) if traced else jit.script(cls().eval())).save(str(file))
                except Exception as error:
                    print(f"{name}: torch does not save it: {' '.join(str(error).split())[:100]}")
                    continue
                found = judge(name, file, inputs, given.verbose)
                files += 1
                exact += not found[1] and not found[2]
                told, missed, needless = told + found[0], missed + found[1], needless + found[2]
                if found[3]:
                    print(f"{name}: {found[:3]}\n    {found[3]}", flush=True)
    recall, precision = told / max(1, told + missed), told / max(1, told + needless)
    print(f"{files} files, {exact} exactly right; {told + missed} blockers, recall {recall:.3f}, precision {precision:.3f}")


if __name__ == "__main__":
    main()
