"""Which operators a converter's own passes take out of a graph before it asks its table: observed, not read."""
from __future__ import annotations

import json
import os
import signal
import warnings

import language_programs
import live
import torch

SECONDS = 30


def answers(question, items: list, seconds: int = SECONDS) -> list:
    """`question(item)` for each item, as JSON can hold it; None where it crashed the process or took too long.

    A separate process answers one after the other, and another continues after the item that killed it.
    """
    torch.set_num_threads(1)   # a child has no use of its parent's threads, and would wait for them
    found: list = []
    while len(found) < len(items):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            answer_all(question, items[len(found):], writing, seconds)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            found += [json.loads(line) for line in pipe.read().splitlines()]
        os.waitpid(child, 0)
        if len(found) < len(items):
            found.append(None)
    return found


def answer_all(question, items: list, pipe: int, seconds: int) -> None:
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    for item in items:
        signal.alarm(seconds)
        os.write(pipe, json.dumps(question(item)).encode() + b"\n")
    os._exit(0)


def graphs(frozen: bool):
    """Each program scripted, and traced where it does not depend on its values."""
    example = language_programs.example()
    for module in language_programs.programs():
        scripted = torch.jit.script(module)
        yield torch.jit.freeze(scripted) if frozen else scripted
        try:
            yield torch.jit.trace(module, example, check_trace=False)
        except Exception:
            continue


def listed_exactly(kind: str, table: set[str]) -> bool:
    return kind in table


def removed_by(convert, table: set[str], listed=listed_exactly, frozen: bool = False) -> set[str]:
    """Operators that are not in the table, in graphs that convert all the same.

    `convert(module, inputs)` raises for a graph that the target does not take.
    """
    def converts(module) -> bool:
        try:
            convert(module, language_programs.example())
        except Exception:
            return False
        return True

    warnings.filterwarnings("ignore")
    asked = [(module, missing) for module in graphs(frozen)
             if (missing := {k for k in live.kinds(module.inlined_graph) if not listed(k, table)})]
    converted = answers(converts, [module for module, _ in asked])
    return set().union(*(missing for (_, missing), good in zip(asked, converted, strict=False) if good))
