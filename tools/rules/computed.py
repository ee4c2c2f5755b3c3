#!/usr/bin/env python3
"""Converts torch's own samples of its operators, runs what came out, and prints how often our verdict foretells what is computed wrongly.

usage: python tools/rules/computed.py WAY FOLDER [--minutes 10] [--samples 3] [--write] [--tool PATH/model_validator] [--details]

WAY is a converter with its runtime (--help lists them). Each sample is one model, in the format that the converter reads; its results are
held against PyTorch's in float64. FOLDER keeps models and answers, so that each is asked for once; --tool judges them, and prints the
figures for samples that were looked at and for a third, by the names of operators, that is held out. Needs torch, expecttest, and the
converter's and the runtime's packages. What ends the process is an answer: each operator is asked about in a child.
"""
from __future__ import annotations

import argparse
import collections
import contextlib
import copy
import dataclasses
import functools
import hashlib
import importlib
import itertools
import json
import math
import os
import pathlib
import select
import signal
import sys
import time
import types
from collections.abc import Callable, Iterator
from typing import Any

import exporting
import ordinary
import torch
from families import SLOTS_AT_MOST, Family, template, tensors_only
from probe.draw import is_drawn
from sample_verdicts import Verdict, declared, verdicts
from torch.utils._python_dispatch import TorchDispatchMode
from ways import WAYS, Inputs, NotAskedError, Way, of_torch

KEPT = "answers.jsonl"
NETWORK = "network."
SECONDS = 40  # for one sample
OF_NETWORK = 300
LOOKED_AT = 40  # samples of an operator, of which some are taken at even distances
IN_PLACE = "in_place"
CHANGES: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {  # of the tensors of a first sample, all at once
    "stacked": lambda each: torch.stack([each, each]),
    "unsqueezed": lambda each: each[None, None],
    "enlarged": lambda each: each.repeat([2] * each.dim()),
}
ENDINGS = (IN_PLACE, *CHANGES)
TOLERANCE = 1e-3  # of the largest value
ENDED = "it ends the process"
NOT_ASKED = "it was not asked about"
UNFILLED = ("empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided")  # results are what the memory held
NO_ANSWER = (TimeoutError.__name__, NotAskedError.__name__)


class InPlace(torch.nn.Module):
    """The in-place spelling of an operator, on a copy."""

    def __init__(self, called: Family) -> None:
        super().__init__()
        self.called = called

    def forward(self, *tensors: torch.Tensor) -> Any:
        return self.called(tensors[0] + 0 if tensors[0].dtype != torch.bool else tensors[0] & tensors[0], *tensors[1:])


def spread(found: list[Any], count: int) -> list[Any]:
    return found[:: max(1, math.ceil(len(found) / count))]


def some_of(generator: Iterator[Any], count: int) -> list[Any]:
    try:
        return spread([sample for _, sample in zip(range(LOOKED_AT), generator, strict=False)], count)
    except Exception:  # samples for accelerators only
        return []
    finally:
        if hasattr(generator, "close"):
            generator.close()


def dtypes_of(info: Any, asked: tuple[torch.dtype, ...]) -> list[torch.dtype]:
    return [each for each in asked if each in info.dtypes][:2]


def name_of(info: Any) -> str:
    return str(info.name).replace(".", "_") + (f"_{info.variant_test_name}" if getattr(info, "variant_test_name", "") else "")


Model = tuple[str, torch.nn.Module, tuple[torch.Tensor, ...]]


def of_calls(op: Any, dtype: torch.dtype, count: int) -> Iterator[Model]:
    """What is called with samples of an operator: the function, and last its in-place spelling."""
    for number, sample in enumerate(some_of(op.sample_inputs("cpu", dtype), count)):
        tensors: list[torch.Tensor] = []
        args, kwargs = template((sample.input, *sample.args), tensors), template(sample.kwargs, tensors)
        if not 0 < len(tensors) <= SLOTS_AT_MOST:
            continue
        yield str(number), Family(op.op, args, kwargs).eval(), tuple(tensors)
        if number == 0 and op.inplace_variant is not None:
            yield f"0.{IN_PLACE}", InPlace(Family(op.inplace_variant, args, kwargs)).eval(), tuple(tensors)


def of_modules(info: Any, dtype: torch.dtype, count: int) -> Iterator[Model]:
    """Modules with their weights, called with the samples that torch has of them."""
    made = info.module_inputs_func(info, device="cpu", dtype=dtype, requires_grad=False, training=False)
    for number, sample in enumerate(spread(made, count)):
        tensors: list[torch.Tensor] = []
        args, kwargs = template(sample.forward_input.args, tensors), template(sample.forward_input.kwargs, tensors)
        if 0 < len(tensors) <= SLOTS_AT_MOST:
            module = info.module_cls(*sample.constructor_input.args, **sample.constructor_input.kwargs).to(dtype)
            yield str(number), Family(module.eval(), args, kwargs).eval(), tuple(tensors)


def with_changes(made: Iterator[Model]) -> Iterator[Model]:
    """And the first sample with tensors of other sizes: what PyTorch refuses then is not asked about."""
    for number, module, inputs in made:
        yield number, module, inputs
        for word, change in CHANGES.items() if number == "0" else ():
            yield f"{number}.{word}", module, tuple(map(change, inputs))


def models(info: Any, count: int, dtypes: tuple[torch.dtype, ...]) -> Iterator[Model]:
    made = of_calls if hasattr(info, "sample_inputs") else of_modules
    for dtype in dtypes_of(info, dtypes):
        for number, module, inputs in with_changes(made(info, dtype, count)):
            yield f"{name_of(info)}.{str(dtype)[6:]}.{number}", module, inputs


def number_of(name: str) -> int:
    """Of a sample among those of its operator: in-place spellings and changed sizes are the last."""
    last = name.rpartition(".")[2]
    return LOOKED_AT + ENDINGS.index(last) if last in ENDINGS else int(last)


def doubled(value: Any) -> Any:
    return value.double() if isinstance(value, torch.Tensor) and value.is_floating_point() else value


def flat(result: Any) -> list[torch.Tensor]:
    return [result] if isinstance(result, torch.Tensor) else list(result)


def clones(inputs: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...]:
    return tuple(each.clone() for each in inputs)


def differs(found: torch.Tensor, expected: torch.Tensor, plain: torch.Tensor) -> str:
    """What is wrong with a result. `plain`: as PyTorch computes it in the dtype of the model, which is as far off as it may be."""
    if tuple(found.shape) != tuple(expected.shape):
        return f"gives the shape {list(found.shape)} instead of {list(expected.shape)}"
    if expected.is_complex():
        found, expected, plain = (torch.view_as_real(each.resolve_conj()) if each.is_complex() else each for each in (found, expected, plain))
    a, b, c = (each.to(torch.float64) for each in (found, expected, plain))
    if not torch.equal(torch.isnan(a), torch.isnan(c)):
        return "gives NaN elsewhere"
    known = torch.isfinite(b) & torch.isfinite(c)
    if not known.any():
        return ""
    if not torch.isfinite(a[known]).all():
        return "gives infinities elsewhere"
    off, scale = float((a - b)[known].abs().max()), float(b[known].abs().max())
    slack = 10 * float((c - b)[known].abs().max())
    return f"is off by {off:.3g} of {scale:.3g}" if off > TOLERANCE * max(scale, 1e-3) + slack else ""


def drops_nothing(func: Any, args: Any, kwargs: dict[str, Any]) -> bool:
    """Whether it is random by what it drops, such as attention, and drops nothing."""
    formals = {a.name: a.default_value for a in func._schema.arguments}
    given = formals | dict(zip(formals, args, strict=False)) | kwargs
    return bool(given.get("dropout_p", 1) == 0)


class Tags(TorchDispatchMode):
    """Whether a call is random."""

    def __init__(self) -> None:
        super().__init__()
        self.is_random = False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.is_random |= torch.Tag.nondeterministic_seeded in func.tags and not drops_nothing(func, args, kwargs or {})
        return func(*args, **(kwargs or {}))


def has_equals(inputs: tuple[torch.Tensor, ...]) -> bool:
    """Whether there are equal numbers: which of them comes first is no matter."""
    return any(torch.unique(each).numel() < each.numel() for each in inputs)


def expected_of(module: torch.nn.Module, inputs: tuple[torch.Tensor, ...]) -> tuple[list[torch.Tensor], list[torch.Tensor]] | None:
    """In the dtype of the model and in float64; none where it is random, or yields no tensors."""
    try:
        with Tags() as tags:
            plain = module(*clones(inputs))
    except Exception:  # the sample's own error
        return None
    if tags.is_random or not tensors_only(plain) or any(t.layout != torch.strided or t.numel() == 0 for t in flat(plain)):
        return None
    with_places = isinstance(plain, tuple) and len(plain) == 2 and plain[1].dtype == torch.int64
    return None if with_places and has_equals(inputs) else (flat(plain), exactly(module, inputs) or flat(plain))


def exactly(module: torch.nn.Module, inputs: tuple[torch.Tensor, ...]) -> list[torch.Tensor] | None:
    """In float64, where the model can be computed in it."""
    try:
        return flat(copy.deepcopy(module).double()(*map(doubled, clones(inputs))))
    except Exception:  # of a model that says itself in which dtype it computes
        return None


def answer(way: Way, path: pathlib.Path, module: torch.nn.Module, inputs: Inputs, seconds: int = SECONDS) -> tuple[str, str] | None:
    """right, left, wrong, refused or fails, and what is said; nothing where the sample cannot be asked about, or not in time."""
    expected = expected_of(module, inputs)
    if expected is None or exporting.failure(lambda: way.write(path, module, clones(inputs)), seconds):
        return None
    kept: list[Any] = []
    steps = {"refused": lambda: kept.append(way.convert(path, module, clones(inputs)))}
    if (run := way.run) is not None:
        steps["fails"] = lambda: kept.append(run(kept[0], clones(inputs)))
    for kind, step in steps.items():
        if said := exporting.failure(step, seconds):
            return None if said.startswith(NO_ANSWER) else (kind, said)
    return compared(way, kept, expected)


def compared(way: Way, kept: list[Any], expected: tuple[list[torch.Tensor], list[torch.Tensor]]) -> tuple[str, str]:
    """`kept`: what was converted, and its results where it was run."""
    return (kept[1:] and otherwise(kept[1], expected)) or left_or_right(way, kept[0])


def left_or_right(way: Way, converted: Any) -> tuple[str, str]:
    left = way.left(converted)
    return ("left", left) if left else ("right", "")


def otherwise(results: list[Any], expected: tuple[list[torch.Tensor], list[torch.Tensor]]) -> tuple[str, str] | None:
    if len(results) != len(expected[0]):
        return "wrong", f"gives {len(results)} results instead of {len(expected[0])}"
    said = (differs(torch.as_tensor(found), exact, plain) for found, plain, exact in zip(results, *expected, strict=True))
    return next((("wrong", each) for each in said if each), None)


Note = Callable[[list[str]], None]


def in_child(ask: Callable[[Note], None], patience: int = 3 * SECONDS) -> Iterator[list[str]]:
    """What is noted in a process of its own, up to its end, or until it has been silent for long."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        with os.fdopen(write, "w") as out, open(os.devnull, "w") as nothing:
            os.dup2(nothing.fileno(), 1)
            os.dup2(nothing.fileno(), 2)
            ask(lambda row: print(json.dumps(row), file=out, flush=True))
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as rows:
        while select.select([rows], [], [], patience)[0] and (line := rows.readline()):
            yield json.loads(line)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


@dataclasses.dataclass
class Task:
    """The samples of an operator that have a number."""
    info: Any
    number: int

    @property
    def key(self) -> str:
        return f"{name_of(self.info)}/{self.number}"


def ask(way: Way, tasks: list[Task], count: int, folder: pathlib.Path, note: Note) -> None:
    """Notes [model, kind, said] of each sample, that it is begun before, and after those of a task that it is asked."""
    for task in tasks:
        for name, module, inputs in models(task.info, count, way.dtypes):
            if number_of(name) == task.number:
                note([name, "begun", ""])
                found = answer(way, folder / f"{name}{way.suffix}", module, inputs)
                note([name, *(found or ("not asked", ""))])
        note([task.key, "asked", ""])


def answers_to(way: Way, tasks: list[Task], count: int, folder: pathlib.Path) -> Iterator[list[str]]:
    """A child asks; where a sample ends it, another one goes on with the next task."""
    while tasks:
        begun = ""
        for row in in_child(functools.partial(ask, way, tasks, count, folder)):
            if row[1] == "begun":
                begun = row[0]
                continue
            yield row
            if row[1] == "asked":
                tasks = tasks[1:]
        if tasks:
            yield [begun, "refused", ENDED]
            yield [tasks[0].key, "asked", ""]
            tasks = tasks[1:]


@dataclasses.dataclass
class Habit:
    """A call as models make it, in the place of torch's description of an operator."""
    number: int
    name: str = "ordinary"
    dtypes: tuple[torch.dtype, ...] = (torch.float32,)
    inplace_variant: None = None

    @property
    def variant_test_name(self) -> str:
        return str(self.number)

    @property
    def op(self) -> Callable[[torch.Tensor], Any]:
        return ordinary.CALLS[self.number]

    def sample_inputs(self, device: str, dtype: torch.dtype) -> Iterator[Any]:
        for sizes in ordinary.SIZES:
            yield types.SimpleNamespace(input=torch.rand(sizes, dtype=dtype, device=device), args=(), kwargs={})


def in_order() -> list[Any]:
    from torch.testing._internal.common_methods_invocations import op_db
    from torch.testing._internal.common_modules import module_db
    infos = [*op_db, *module_db, *map(Habit, range(len(ordinary.CALLS)))]
    return sorted((each for each in infos if name_of(each) not in UNFILLED), key=lambda info: hashlib.sha256(name_of(info).encode()).hexdigest())


def is_answer(row: list[str]) -> bool:
    return row[1] not in ("asked", "not asked") and row[0].partition(".")[0] not in UNFILLED


def ask_all(way: Way, folder: pathlib.Path, minutes: float, count: int, names: list[str]) -> list[list[str]]:
    """The first sample of every operator, then the second, and so on."""
    for module in way.modules if minutes else ():
        importlib.import_module(module)
    kept = folder / KEPT
    known = [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []
    asked = {row[0] for row in known}
    tasks = [Task(info, number) for number, info in itertools.product((*range(count), *map(number_of, ENDINGS)), in_order() if minutes else [])
             if not names or name_of(info) in names]
    end = time.monotonic() + 60 * minutes
    answered = answers_to(way, [task for task in tasks if task.key not in asked], count, folder)
    with kept.open("a") as out:
        for row in itertools.takewhile(lambda _: time.monotonic() < end, answered):
            print(json.dumps(row), file=out, flush=True)
            known.append(row)
    return list(filter(is_answer, known))


def of_network(way: Way, file: pathlib.Path, folder: pathlib.Path, note: Note) -> None:
    """Notes what becomes of an exported network, with the inputs that its file has: of one that is right, every call is."""
    kept = folder / f"{NETWORK}{file.stem}{way.suffix}"
    kept.write_bytes(file.read_bytes())
    program = torch.export.load(file)
    found = answer(dataclasses.replace(way, write=lambda *_: None), kept, program.module(), tuple(program.example_inputs[0]), OF_NETWORK)
    note([kept.name.removesuffix(way.suffix), *(found or ("not asked", ""))])


def networks_asked(way: Way, files: list[pathlib.Path], folder: pathlib.Path) -> None:
    for module in way.modules:
        importlib.import_module(module)
    with (folder / KEPT).open("a") as out:
        for file in files:
            rows = list(in_child(functools.partial(of_network, way, file, folder), 2 * OF_NETWORK)) or [[f"{NETWORK}{file.stem}", "refused", ENDED]]
            print("\n".join(map(json.dumps, rows)), file=out, flush=True)


def inputs_of(way: Way, rows: list[list[str]], count: int) -> dict[str, tuple[str, ...]]:
    """What is declared of the files of these samples; nothing of a format that states it."""
    if way.suffix != ".pt":
        return {}
    found = {}
    names = {row[0].partition(".")[0] for row in rows}
    for info in [each for each in in_order() if name_of(each) in names]:
        with contextlib.suppress(RuntimeError, NotImplementedError):  # sparse tensors have no other sizes
            for name, _, inputs in models(info, count, way.dtypes):
                found[f"{name}{way.suffix}"] = declared(inputs)
    return found


def is_held_out(way: Way, name: str) -> bool:
    """A sample where the table is learnt from others of its operator, an operator where it is not."""
    return not name.startswith(NETWORK) and is_drawn(name if way.is_learnt else name.partition(".")[0], way.draw)


def is_of_sizes(name: str) -> bool:
    """Whether it is no sample of torch's own."""
    return name.startswith(f"{Habit.name}_") or name.rpartition(".")[2] in CHANGES


@dataclasses.dataclass
class Figures:
    """How often our verdicts foretell what samples give."""
    counts: collections.Counter[tuple[str, bool]] = dataclasses.field(default_factory=collections.Counter)
    odd: list[str] = dataclasses.field(default_factory=list)  # misses and false alarms

    def add(self, row: list[str], verdict: str, evidence: str) -> None:
        name, kind, said = row
        alarm = verdict in ("refused", "wrong")
        told = alarm if kind == "right" else alarm or verdict == "taken in part"
        if NOT_ASKED in evidence:  # that a verdict is not known agrees with no answer
            told = kind == "right"
        self.counts[kind if kind in ("wrong", "right") else "refused", told] += 1  # what is left to the CPU is refused
        if told == (kind == "right"):
            self.odd.append(f"    {name}: {kind} {said[:110]} | {verdict} {evidence[:110]}")

    def told_of(self, kind: str) -> str:
        return f"{self.counts[kind, True]} of {self.counts[kind, True] + self.counts[kind, False]}"

    def row(self, what: str) -> str:
        agree = self.counts["wrong", True] + self.counts["refused", True] + self.counts["right", False]
        told = " | ".join(map(self.told_of, ("wrong", "refused", "right")))
        return f"| {what} | {self.counts.total()} | {agree / max(self.counts.total(), 1):.4f} | {told} |"


def figures(way: Way, rows: list[list[str]], ours: dict[str, Verdict]) -> Figures:
    """Of those samples that our program could read."""
    found = Figures()
    for row in rows:
        verdict, evidence = ours.get(f"{row[0]}{way.suffix}", ("error", ""))
        if verdict != "error":
            found.add(row, verdict, evidence)
    return found


def report(way: Way, rows: list[list[str]], ours: dict[str, Verdict], details: bool) -> None:
    print("| samples | asked about | agree | wrong, told | refused or fails, told | right, false alarms |\n|---|---|---|---|---|---|")
    held_out = [row for row in rows if is_held_out(way, row[0])]
    for what, group in (("looked at", [row for row in rows if not is_held_out(way, row[0])]), ("held out", held_out),
                        ("of these, in other sizes or as models call it", [row for row in held_out if is_of_sizes(row[0])])):
        found = figures(way, group, ours)
        print("\n".join([found.row(what), *(found.odd if details else [])]))


def first_files(way: Way, folder: pathlib.Path, minutes: float) -> list[pathlib.Path]:
    """The first sample of every operator and dtype of these, asked about or not: those in the folder, and what can be written down in the time."""
    end = time.monotonic() + 60 * minutes
    for info in itertools.takewhile(lambda _: time.monotonic() < end, in_order()):
        for name, module, inputs in models(info, 1, way.dtypes):
            file = folder / f"{name}{way.suffix}"
            if not file.exists():
                exporting.failure(functools.partial(way.write, file, module, clones(inputs)), SECONDS)
    return sorted(file for dtype in way.dtypes for file in folder.glob(f"*.{str(dtype)[6:]}.0{way.suffix}") if not file.name.startswith(NETWORK))


def learn(way: Way, folder: pathlib.Path, rows: list[list[str]], minutes: float, anew: bool = False) -> None:
    from probe import learnt_calls
    seen = [row for row in rows if not is_held_out(way, row[0])]
    if way.profile.get("judged", {}).get("falls_back") or not way.profile:
        seen = learnt_calls.falls_back(seen)
    asked = learnt_calls.answered([folder / f"{row[0]}{way.suffix}" for row in seen], seen)
    if way.take_apart is not None:
        learnt_calls.add_foretold(asked, seen, first_files(way, folder, minutes), way)
    if way.profile:
        learnt_calls.write(way.target, way.profile, way.packages, asked, way.operators(), way.stated, of_torch(), anew)
    else:
        learnt_calls.add(way.target, asked, way.stated)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("way", choices=WAYS)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--minutes", type=float, default=math.inf)
    parser.add_argument("--samples", type=int, default=3, help="of each operator and dtype")
    parser.add_argument("--anew", action="store_true", help="with --write: whatever the table said before")
    parser.add_argument("--tool", type=pathlib.Path)
    parser.add_argument("--operators", nargs="+", default=[], help="ask about these alone: cat nn_functional_batch_norm")
    parser.add_argument("--networks", nargs="+", type=pathlib.Path, default=[], help="ask about these exported programs first")
    parser.add_argument("--details", action="store_true", help="print every miss and every false alarm")
    parser.add_argument("--write", action="store_true", help="write rules/TARGET.toml from the answers to samples that are not held out")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    exporting.quiet()
    exporting.list_operators_once()
    exporting.override_quickly()
    torch.set_num_threads(1)
    networks_asked(WAYS[options.way], options.networks, options.folder)
    rows = ask_all(WAYS[options.way], options.folder, options.minutes, options.samples, options.operators)
    print(collections.Counter(row[1] for row in rows), file=sys.stderr)
    way = WAYS[options.way]
    if options.write and way.is_learnt:
        learn(way, options.folder, rows, options.minutes, options.anew)
    if options.tool:
        files = [options.folder / f"{row[0]}{way.suffix}" for row in rows]
        ours = verdicts(options.tool.resolve(), way.target, [file for file in files if file.exists()], inputs_of(way, rows, options.samples))
        report(way, rows, ours, options.details)


if __name__ == "__main__":
    main()
