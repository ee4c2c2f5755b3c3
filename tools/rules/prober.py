#!/usr/bin/env python3
"""Asks a runtime about models of one operator, and prints how often our verdict agrees with its answers.

usage: python tools/rules/prober.py TARGET FOLDER [--tool PATH/model_validator] [--share 0.3 | --node-tests | --free-sizes batch] [--details]

TARGET: onnxruntime, openvino-onnx, tensorrt-rtx. FOLDER keeps the questions, which are made once, and the answers, so that each is
asked for once. --tool prints the figures: for ONNX's node tests, for the variations that tables are learnt from, and for those that are
held out; *unknown* counts as wrong. --share: of the variations, in an order of their own. --free-sizes: ONNX's node tests with sizes that
only the run knows. --exported: chains of a few nodes as exporters write them (probe/exported.py). --node-tests: those alone, which takes minutes.
Needs a Python with onnx and the runtime's package.
"""
from __future__ import annotations

import argparse
import collections
import dataclasses
import hashlib
import math
import pathlib
import sys

from probe import answers, chains, exported, free_sizes, judged, learnt_profile, questions
from probe.question import Question
from probe.runtimes import RUNTIMES


def in_order(asked: list[Question], share: float) -> list[Question]:
    """The node tests, and a share of the variations, which have an order of their own."""
    named = {q.name: q for q in asked if q.is_sound}
    tests = [q for q in named.values() if q.source == "node test"]
    rest = sorted((q for q in named.values() if q.source != "node test"), key=lambda q: hashlib.sha256(f"order{q.name}".encode()).hexdigest())
    return tests + rest[:int(share * len(rest))]


def in_turn(asked: list[Question]) -> list[Question]:
    """Those of one operator, and chains, one of each at a time: node tests first, then variations in an order of their own."""
    number: dict[str, int] = collections.Counter()
    numbered = []
    for question in in_order([q for q in asked if len(q.operators) == 1 or q.name.startswith(chains.PREFIX)], 1):
        numbered.append((number[question.operators[-1]], question))
        number[question.operators[-1]] += 1
    return [question for _, question in sorted(numbered, key=lambda each: each[0])]


def of_files(folder: pathlib.Path) -> list[Question]:
    return [Question(file.name, [], file.read_bytes(), {}, None, "file") for file in sorted(folder.glob("**/*.onnx"))]


def chosen(options: argparse.Namespace) -> list[Question]:
    if options.files:
        return of_files(options.files)
    if options.networks:
        return questions.of_networks(options.networks, options.folder)
    if options.exported:
        return list(exported.chains())
    if options.free_sizes:
        return list(free_sizes.of_free_sizes(questions.of_node_tests(), options.free_sizes))
    if options.node_tests:
        return [question for question, _ in questions.of_node_tests()]
    every = [q for q in questions.written(options.folder) if not options.operators or q.operators[0].rpartition("::")[2] in options.operators]
    return in_turn(every) if options.minutes < math.inf else in_order(every, options.share)


def decided(target: str, asked: list[Question], known: dict[str, answers.Answer], folder: pathlib.Path) -> list[Question]:
    """Those whose answer is certain."""
    asked = list(questions.put_to(RUNTIMES[target], (q for q in asked if q.name in known)))
    odd = answers.doubtful(asked, known, answers.of_others(RUNTIMES[target], folder))
    return [q for q in asked if answers.has_a_sense(q, known[q.name]) and (q.source != "variation" or q.name not in odd)]


def report(tool: pathlib.Path, target: str, asked: list[Question], known: dict[str, answers.Answer], details: bool) -> None:
    ours = judged.verdicts(tool, target, {q.name: q.model for q in asked})
    print(judged.HEADER)
    groups: dict[str, list[Question]] = {name: [] for name in GROUPS.values()}
    for question in asked:
        groups[group_of(question, known[question.name])].append(question)
    for name, group in groups.items():
        if group:
            found = judged.figures(group, known, ours)
            print(found.row(name))
            told = [f"false alarm: {text}" for text in found.false_alarms] + [f"missed: {text}" for text in found.misses]
            print("".join(f"    {text}\n" for text in told if details), end="")


GROUPS = {"file": "files", "network": "networks", "chain": "chains", "node test": "node tests", "variation": "variations, learnt from",
          "held out": "variations, held out", "crashed": "that end the process"}


def group_of(question: Question, answer: answers.Answer) -> str:
    return GROUPS["crashed" if answer.crashed else "held out" if question.held_out else question.source]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("target", choices=RUNTIMES)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tool", type=pathlib.Path)
    parser.add_argument("--judge-for", help="another target of ours that is held against the answers")
    parser.add_argument("--share", type=float, default=1)
    parser.add_argument("--node-tests", action="store_true", help="ask about ONNX's node tests alone")
    parser.add_argument("--free-sizes", choices=free_sizes.WAYS, help="ask about those with the first, or all, sizes of their inputs left free")
    parser.add_argument("--exported", action="store_true", help="ask about chains of a few nodes, with sizes known, free, and without ranks")
    parser.add_argument("--files", type=pathlib.Path, help="ask about the ONNX files in this folder instead; nothing is run")
    parser.add_argument("--networks", nargs="+", type=pathlib.Path, help="ask about these ONNX files, of which every node is right that are")
    parser.add_argument("--details", action="store_true", help="print every false alarm and every miss")
    parser.add_argument("--minutes", type=float, default=math.inf, help="ask for so long, about all operators in turn")
    parser.add_argument("--operators", nargs="+", default=[], help="ask about these alone: Resize Conv")
    parser.add_argument("--python", default=sys.executable, help="a Python with onnx, ml_dtypes and the runtime's package, where this one lacks it")
    parser.add_argument("--write", action="store_true", help="write rules/TARGET.toml from the answers")
    parser.add_argument("--anew", action="store_true", help="with --write: whatever the table said before")
    parser.add_argument("--kept", action="store_true", help="ask nothing more than what is kept in FOLDER")
    options = parser.parse_args()
    runtime = RUNTIMES[options.target] = dataclasses.replace(RUNTIMES[options.target], python=options.python)
    options.folder.mkdir(parents=True, exist_ok=True)
    asked = chosen(options)
    missing = [] if options.kept else questions.put_to(runtime, asked)
    known = answers.ask(runtime, missing, options.folder, options.minutes)
    if options.write:
        learnt_profile.write(runtime, options.folder, options.anew)
    if options.tool:
        certain = decided(options.target, asked, known, options.folder)
        report(options.tool.resolve(), options.judge_for or options.target, certain, known, options.details)
    else:
        print(answers.counts(known, [q for q in asked if q.name in known]))


if __name__ == "__main__":
    main()
