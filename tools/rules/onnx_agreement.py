#!/usr/bin/env python3
"""Prints how often our verdict on an ONNX file agrees with the runtime's own answer, with every miss by its kind.

usage: python tools/rules/onnx_agreement.py --tool PATH/model_validator FOLDER [--node-tests] [--mutants N [--seed S]]

Asks every *.onnx file in FOLDER. --node-tests first writes the models of ONNX's own node tests there; --mutants N writes N
copies of the files that are there, into FOLDER/mutants-S, each with one change, and asks about those instead. The runtimes'
answers are kept in FOLDER (`answers-PACKAGE-VERSION.jsonl`), so that each is asked for once.

Needs a Python with onnx, onnxruntime and openvino.
"""
from __future__ import annotations

import argparse
import collections
import importlib.metadata
import json
import pathlib
import re
import subprocess
import sys

from onnx_mutants import write_mutants

PACKAGES = {"onnxruntime": "onnxruntime", "openvino-onnx": "openvino"}
AT_ONCE = 400  # files in one call of our program
CRASHED = "the runtime crashed"

ASK = {
    "onnxruntime": """
import onnxruntime
onnxruntime.set_default_logger_severity(4)
options = onnxruntime.SessionOptions()
options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
def ask(path):
    onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
""",
    "openvino-onnx": """
import sys
sys.modules["openvino_telemetry"] = None  # it would wait for the network
import openvino
ask = openvino.Core().read_model
""",
}
# A crash ends the process: its first line then shows what was asked last, and the next process continues after that.
LOOP = """
import json, sys
for path in sys.stdin.read().splitlines():
    print(json.dumps([path, "CRASHED"]), flush=True)
    try:
        ask(path)
        answer = None
    except Exception as error:
        answer = str(error)
    print(json.dumps([path, answer]), flush=True)
""".replace("CRASHED", CRASHED)


def write_node_tests(folder: pathlib.Path) -> None:
    from onnx.backend.test.case.node import collect_testcases
    for case in collect_testcases(None):
        (folder / f"{case.name}.onnx").write_bytes(case.model.SerializeToString())


def answers(target: str, folder: pathlib.Path, files: list[pathlib.Path]) -> dict[str, str | None]:
    """File name -> what the runtime says against it; None where it takes the file."""
    package = PACKAGES[target]
    kept = folder / f"answers-{package}-{importlib.metadata.version(package)}.jsonl"
    known: dict[str, str | None] = dict(map(json.loads, kept.read_text().splitlines())) if kept.exists() else {}
    while missing := [str(f) for f in files if f.name not in known]:
        run = subprocess.run([sys.executable, "-W", "ignore", "-c", ASK[target] + LOOP], input="\n".join(missing),
                             capture_output=True, text=True, check=False)
        before = len(known)
        for line in run.stdout.splitlines():
            path, answer = json.loads(line)
            known[pathlib.Path(path).name] = answer
        if len(known) == before:
            raise SystemExit(f"{package} answers nothing: {run.stderr.strip()[-500:]}")
    kept.write_text("".join(json.dumps([n, a]) + "\n" for n, a in sorted(known.items())))
    return known


def refusals(tool: pathlib.Path, target: str, files: list[pathlib.Path]) -> dict[str, str | None]:
    """File name -> our first finding against it, except those of severity `info`; None where there is none."""
    found: dict[str, str | None] = {}
    for start in range(0, len(files), AT_ONCE):
        run = subprocess.run([tool, "check", "--target", target, "--select", "unsupported-ops", "--output-format", "json",
                              "-q", *files[start:start + AT_ONCE]], capture_output=True, text=True, check=False)
        if not run.stdout:
            raise SystemExit(f"{tool}: {run.stderr.strip()}")
        for model in json.loads(run.stdout)["models"]:
            name = pathlib.Path(model["path"]).name
            if model["status"] == "error":
                found[name] = f"not read: {model['error']['message']}"
                continue
            found[name] = next((f["message"] for f in model["findings"] if f["severity"] != "info"), None)
    return found


def kind_of(answer: str) -> str:
    """The runtime's message without details of the file."""
    text = re.sub(r"\s+", " ", answer)
    text = re.sub(r"^.*?(Failed operations detailed log:|\(onnxruntime::\S+ \S+\)|bool\) |Exception during initialization:)", "", text)
    text = re.sub(r"/\S+:\d+:?|'?<Node\([^>]*>'?|with friendly_name '[^']*'|\(node:.*?\)|with node name '[^']*'", "", text)
    text = re.sub(r"[A-Za-z0-9]+::\w+ \w+_\d+ \(.*?\) ->|\(\"?[^()]*(\([^()]*\)[^()]*)*\)", "", text)
    return re.sub(r"\d+", "N", text).strip()[:170]


def compare(target: str, truth: dict, ours: dict, names: list[str]) -> None:
    taken = {n for n in names if truth[n] is None}
    alarms = sorted(n for n in taken if ours[n] is not None)
    misses = sorted(n for n in names if n not in taken and ours[n] is None)
    refused = len(names) - len(taken)
    agree = len(names) - len(alarms) - len(misses)
    print(f"| {target} | {importlib.metadata.version(PACKAGES[target]).split('-')[0]} | {len(names)} | "
          f"{agree / max(len(names), 1):.4f} | {len(alarms)} | {refused - len(misses)} of {refused} |")
    for name in alarms:
        print(f"    false alarm: {name}: {ours[name]}")
    kinds = collections.defaultdict(list)
    for name in misses:
        kinds[kind_of(truth[name])].append(name)
    for kind, found in sorted(kinds.items(), key=lambda item: (-len(item[1]), item[0])):
        print(f"    missed: {len(found)}: {kind} ({', '.join(found[:3])}{', …' if len(found) > 3 else ''})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", type=pathlib.Path, required=True)
    parser.add_argument("--node-tests", action="store_true", help="write the models of ONNX's node tests into FOLDER first")
    parser.add_argument("--mutants", type=int, metavar="N", help="ask N changed copies of the files instead")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--target", choices=PACKAGES, action="append")
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    folder = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    if options.node_tests:
        write_node_tests(folder)
    if options.mutants:
        folder = write_mutants(sorted(folder.glob("*.onnx")), folder / f"mutants-{options.seed}", options.mutants, options.seed)
    files = sorted(folder.glob("*.onnx"))
    print("| target | version | files | agree | false alarms | refusals foreseen |\n|---|---|---|---|---|---|")
    for target in options.target or PACKAGES:
        release = f"@{importlib.metadata.version(target)}" if target == "onnxruntime" else ""
        truth, ours = answers(target, folder, files), refusals(options.tool, target + release, files)
        compare(target, truth, ours, [f.name for f in files])


if __name__ == "__main__":
    main()
