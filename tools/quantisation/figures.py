#!/usr/bin/env python3
"""Prints how far what is said before quantising agrees with what quantisers did.

usage: tools/quantisation/figures.py PROGRAM MODELS TRUTH QUANTISED [--list]

MODELS is a folder of NAME.onnx, NAME.pt2 and NAME.traced.pt, TRUTH a folder with onnxruntime.json, pt2e.json and aimet.json, which say what ONNX
Runtime, torchao's PT2E and AIMET made of them, and QUANTISED the folder that quantise.py made of MODELS. Prints
  - failures of quantize_static, quantize_dynamic and prepare_pt2e that quantiser-will-fail foresees;
  - nodes for which quantise-plan says what becomes of them;
  - batch norms, sets of equalisation and leaf classes for which aimet-readiness says what AIMET does;
  - with --mutations, faults put into the files of QUANTISED that the rules on quantisation tell at their node, and what these rules say of the
    files as they are.
"""
from __future__ import annotations

import argparse
import collections
import json
import pathlib
import re
import subprocess
from typing import Any

QUOTED = re.compile(r"`([^`]+)`")
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
            file = self.options.models / f"{name}.pt2"
            if file.exists():
                told = any("will fail" in text for text in self.messages(file, "quantiser-will-fail", "xnnpack-quantize"))
                self.judge_failure("prepare_pt2e", truth["fails"], told, name, truth["error"])

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
                said = {tuple(QUOTED.findall(each["message"])) for each in findings if "equalisation" in each["message"]}
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

    def report(self) -> None:
        for what, count in self.all.items():
            print(f"{self.agreed[what]:6} of {count:6}  {self.agreed[what] / count:.3f}  {what}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("models", type=pathlib.Path)
    parser.add_argument("truth", type=pathlib.Path)
    parser.add_argument("quantised", type=pathlib.Path)
    parser.add_argument("--list", action="store_true", help="print every disagreement")
    parser.add_argument("--mutations", action="store_true", help="put faults into the quantised files too; needs onnx")
    figures = Figures(parser.parse_args())
    figures.failures()
    figures.plans()
    figures.aimet()
    figures.report()
    if figures.options.mutations:
        import measure

        files = [file for kind in ("tensor", "channel", "dynamic", "nncf", "pt2e") for file in figures.options.quantised.glob(f"*.{kind}.onnx")]
        measure.measure(figures.options.program, sorted(files), 2, figures.options.list)


if __name__ == "__main__":
    main()
