#!/usr/bin/env python3
"""Prints every figure of what is said before and after quantising, with what it must be at least.

usage: tools/quantisation/figures.py PROGRAM MODELS TRUTH QUANTISED [--list]

MODELS is a folder of NAME.onnx, NAME.pt2 and NAME.traced.pt, TRUTH a folder with onnxruntime.json, pt2e.json and aimet.json, which say what ONNX
Runtime, torchao's PT2E and AIMET made of them, and QUANTISED the folder that quantise.py made of MODELS. Prints
  - failures of quantize_static, quantize_dynamic and prepare_pt2e that quantiser-will-fail foresees;
  - nodes for which quantise-plan says what becomes of them;
  - batch norms, sets of equalisation and leaf classes for which aimet-readiness says what AIMET does;
  - faults put into the files of QUANTISED, and into odd but valid files, that the rules on quantisation tell at their node, and of how many of
    these files as they are nothing is said, but of scales that really are infinite;
  - how much longer a quantised file takes to check than the float one;
  - the speed of weight-range, against numpy's minimum and maximum over the same file.
Ends with 1 if a figure is less than it must be. Needs onnx and numpy.
"""
from __future__ import annotations

import argparse
import collections
import json
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import measure
import numpy as np

QUOTED = measure.QUOTED
KINDS = ("tensor", "channel", "dynamic", "nncf", "pt2e")
RUNS = 5
NEEDED = {
    "failures foreseen": 0.9, "successes without an alarm": 1.0, "nodes of quantize_static": 0.97, "nodes of xnnpack-quantize": 0.97,
    "nodes of x86-quantize": 0.97, "batch norms": 0.98, "sets of equalisation": 0.97, "QuantizationSimModel fails or not": 0.95,
    "faults told at their node": 0.95, "quantised files as they are, of which nothing is said that is not so": 1.0,
    "faults in odd files told at their node": 0.95, "odd files of which nothing is said": 1.0,
}
SPEED_NEEDED = 0.5
LINT_AT_MOST = 2.5
STATES = {"quantised": "full", "partly": "partial", "removed": "removed", "float": "float"}


class Figures:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.agreed: collections.Counter[str] = collections.Counter()
        self.all: collections.Counter[str] = collections.Counter()

    def read(self, folder: pathlib.Path, name: str) -> Any:
        file = folder / name
        return json.loads(file.read_text()) if file.exists() else {}

    def run(self, *words: str | pathlib.Path) -> Any:
        ran = subprocess.run([self.options.program, *map(str, words)], capture_output=True, text=True, check=False)
        return json.loads(ran.stdout) if ran.stdout.startswith("{") else None

    def count(self, what: str, agrees: bool, words: str = "") -> None:
        self.all[what] += 1
        self.agreed[what] += agrees
        if not agrees and self.options.list:
            print(f"{what}: {words}")

    def messages(self, file: pathlib.Path, rule: str, target: str) -> list[str]:
        report = self.run("check", "--isolated", "--select", rule, "--target", target, "--output-format", "json", file)
        return [each["message"] for each in report["models"][0]["findings"]] if report else []

    # What fails

    def failures(self) -> None:
        outcomes = self.read(self.options.quantised, "quantised.json")
        foreseen = {"tensor": ("(quantize_static) will fail",),
                    "channel": ("(quantize_static) will fail", "(per_channel=True) will fail"),
                    "dynamic": ("(quantize_dynamic) will fail",)}
        for name, outcome in outcomes.items():
            for form, label in (("raw", "raw-"), ("float", "")):
                file = self.options.quantised / f"{name}.{form}.onnx"
                if not file.exists() or f"{label}tensor" not in outcome:
                    continue
                said = self.messages(file, "quantiser-will-fail", "onnxruntime-quantize")
                for kind, words in foreseen.items():
                    told = any(word in text for word in words for text in said)
                    self.judge_failure(f"{kind} ({form})", outcome[label + kind] is not None, told, name, outcome[label + kind])
        for name, truth in self.read(self.options.truth, "pt2e.json").items():
            self.judge_preparation(name, "xnnpack-quantize", truth["error"] if truth["fails"] else None)
        for name, outcome in outcomes.items():
            if "x86-annotate" in outcome:
                self.judge_preparation(name, "x86-quantize", outcome["x86-annotate"])

    def judge_preparation(self, name: str, target: str, error: str | None) -> None:
        file = self.options.models / f"{name}.pt2"
        if file.exists():
            told = any("will fail" in text for text in self.messages(file, "quantiser-will-fail", target))
            self.judge_failure(f"prepare_pt2e ({target})", error is not None, told, name, error)

    def judge_failure(self, what: str, failed: bool, told: bool, name: str, error: str | None) -> None:
        if failed:
            self.count("failures foreseen", told, f"{name}, {what}: {error}")
        else:
            self.count("successes without an alarm", not told, f"{name}, {what}")

    # What becomes of nodes

    def plans(self) -> None:
        truth = self.read(self.options.truth, "onnxruntime.json").get("models", {})
        for name, model in truth.items():
            for run, scheme in (("static_pt", "int8"), ("static_pc", "int8-per-channel")):
                nodes = model.get(run, {}).get("truth", {}).get("nodes", {}) if isinstance(model.get(run), dict) else {}
                file = self.options.quantised / f"{name}.float.onnx"
                if not nodes or not file.exists():
                    continue
                plan = self.plan(file, "onnxruntime-quantize", scheme)
                for node, (kind, state, reason) in nodes.items():
                    said = plan.get(node)
                    self.count("nodes of quantize_static", said is not None and STATES[said["becomes"]] == state,
                               f"{name} {run} {kind} {node}: {state} {reason}, said {said}")
        for name, outcome in self.read(self.options.quantised, "quantised.json").items():
            for quantiser, target in (("xnnpack", "xnnpack-quantize"), ("x86", "x86-quantize")):
                nodes = outcome.get(f"{quantiser}-nodes", {})
                if nodes:
                    self.compare_annotations(name, target, nodes)

    def compare_annotations(self, name: str, target: str, nodes: dict[str, list[Any]]) -> None:
        for node, said in self.plan(self.options.models / f"{name}.pt2", target, "int8").items():
            if node not in nodes or not (said["known"] or nodes[node][1]):
                continue
            kind, taken = nodes[node]
            self.count(f"nodes of {target}", (said["becomes"] == "quantised") == taken, f"{name} {kind} {node}: {taken}, said {said}")

    # What AIMET does

    def aimet(self) -> None:
        for name, truth in self.read(self.options.truth, "aimet.json").get("models", {}).items():
            file = self.options.models / f"{name}.traced.pt"
            report = self.run("check", "--isolated", "--select", "aimet-readiness", "--target", "aimet", "--output-format", "json",
                              file) if file.exists() else None
            if report is None or report["models"][0]["error"]:
                continue
            findings = report["models"][0]["findings"]
            if truth["bn"]["ok"]:
                self.compare_norms(name, truth["bn"], findings)
            if truth["cle"]["ok"]:
                happened = {tuple(each) for each in truth["cle"]["sets"]}
                said = {tuple(QUOTED.findall(each["message"])) for each in findings if "equalisation will scale" in each["message"]}
                for each in happened | said:
                    self.count("sets of equalisation", each in happened and each in said, f"{name} {each}: {each in happened}, {each in said}")
            told = any("QuantizationSimModel will fail" in each["message"] for each in findings)
            self.count("QuantizationSimModel fails or not", told != truth["sim"]["ok"], f"{name}: {truth['sim'].get('error')}, told {told}")

    def compare_norms(self, name: str, truth: dict[str, Any], findings: list[dict[str, Any]]) -> None:
        happened = {norm: layer for layer, norm, *_ in [*truth["folded_back"], *truth["folded_forward"]]}
        happened |= {each["module"]: "stays" for each in truth["standalone"]}
        happened |= dict.fromkeys(truth["invisible"], "invisible")
        said: dict[str, str] = {}
        for each in findings:
            if "folding" in each["message"]:
                said |= dict(QUOTED.findall(note)[:2] for note in each["notes"])
            elif "will stay a batch norm" in each["message"] or "is invisible to" in each["message"]:
                said[QUOTED.findall(each["message"])[0]] = "stays" if "stay" in each["message"] else "invisible"
        for norm in happened.keys() | said.keys():
            self.count("batch norms", happened.get(norm) == said.get(norm), f"{name} {norm}: {happened.get(norm)}, said {said.get(norm)}")

    def plan(self, file: pathlib.Path, target: str, scheme: str) -> dict[str, Any]:
        plan = self.run("quantise-plan", "--target", target, "--scheme", scheme, "--output-format", "json", file)
        return {node["name"]: node for node in plan["nodes"]} if plan else {}

    # What is said of quantised files

    def mutations(self) -> None:
        files = [file for kind in KINDS for file in self.options.quantised.glob(f"*.{kind}.onnx")]
        self.mutate(sorted(files), "faults told at their node", "quantised files as they are, of which nothing is said that is not so")
        sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tests/validators"))
        import odd_quantised_files

        with tempfile.TemporaryDirectory() as folder:
            odd_quantised_files.write(pathlib.Path(folder))
            odd = sorted(pathlib.Path(folder).glob("*.onnx"))
            self.mutate(odd, "faults in odd files told at their node", "odd files of which nothing is said")

    def mutate(self, files: list[pathlib.Path], faults: str, silence: str) -> None:
        self.agreed[faults], self.all[faults], blamed = measure.measure(self.options.program, files, 2, self.options.list)
        self.agreed[silence], self.all[silence] = len(files) - blamed, len(files)

    # How long it takes

    def speed(self) -> float:
        """How many times as fast as numpy weight-range is on the file of the largest model; one thread each."""
        file = max(self.options.models.glob("*.onnx"), key=lambda each: each.stat().st_size)

        def extremes() -> None:
            numbers = np.memmap(file, dtype=np.float32, mode="r", shape=file.stat().st_size // 4)  # anew, as the program does
            np.minimum.reduce(numbers)
            np.maximum.reduce(numbers)

        alone = seconds_of(extremes)
        rule = statistics.median(self.seconds_of_check(file, "--select", "weight-range") - self.seconds_of_check(file, "--select", "old-format")
                                 for _ in range(RUNS))
        megabytes = file.stat().st_size / 1e6
        print(f"{alone / max(rule, 1e-9):16.2f}  of numpy's speed: weight-range takes {rule:.3f} s for {megabytes:.0f} MB of {file.name}, "
              f"a minimum and a maximum {alone:.3f} s (at least {SPEED_NEEDED})")
        return alone / max(rule, 1e-9)

    def seconds_of_check(self, file: pathlib.Path, *options: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([self.options.program, "check", "--isolated", *options, str(file)], capture_output=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def lint_speed(self) -> bool:
        """Whether quantised files, which have about three times the nodes, take at most so many times as long as the float ones."""
        met = True
        for kind, float_file in (("tensor.onnx", self.options.quantised / "{}.float.onnx"), ("pt2e.pt2", self.options.models / "{}.pt2")):
            times = [0.0, 0.0]
            for file in sorted(self.options.quantised.glob(f"*.{kind}")):
                both = (pathlib.Path(str(float_file).format(file.name.split(".")[0])), file)
                for index, each in enumerate(both):
                    times[index] += min(self.seconds_of_check(each) for _ in range(2))
            ratio = times[1] / max(times[0], 1e-9)
            met &= ratio <= LINT_AT_MOST
            print(f"{ratio:16.2f}  times as long to check as the float files: *.{kind} takes {times[1]:.2f} s, they {times[0]:.2f} s "
                  f"(at most {LINT_AT_MOST})")
        return met

    def report(self) -> bool:
        """Whether every figure is what it must be."""
        enough = self.speed() >= SPEED_NEEDED
        enough &= self.lint_speed()
        for what, count in self.all.items():
            share = self.agreed[what] / max(count, 1)
            met = share >= NEEDED[what]
            enough &= met
            print(f"{self.agreed[what]:6} of {count:6}  {share:.3f}  {what} (at least {NEEDED[what]}{'' if met else ': MISSED'})")
        return enough


def seconds_of(work: Callable[[], None]) -> float:
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("models", type=pathlib.Path)
    parser.add_argument("truth", type=pathlib.Path)
    parser.add_argument("quantised", type=pathlib.Path)
    parser.add_argument("--list", action="store_true", help="print every disagreement")
    options = parser.parse_args()
    if not (options.quantised / "quantised.json").exists():
        parser.error(f"{options.quantised} holds no quantised.json: run quantise.py {options.models} {options.quantised} first")
    figures = Figures(options)
    figures.failures()
    figures.plans()
    figures.aimet()
    figures.mutations()
    return 0 if figures.report() else 1


if __name__ == "__main__":
    sys.exit(main())
