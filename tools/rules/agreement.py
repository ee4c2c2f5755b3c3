#!/usr/bin/env python3
"""Prints how often our verdict on a file agrees with the converter's, as a Markdown table with every disagreement.

usage: python tools/rules/agreement.py --tool PATH/model_validator TRUTH.json FOLDER

TRUTH.json is what tools/rules/convert.py writes: target -> files -> {"result": "ok" or "failed", "unsupported": […]}.
With a partitioner no file fails: "undelegated" may name the operators that it leaves aside, and a file counts as good
only if there are none.
"""
from __future__ import annotations

import argparse
import json
import pathlib
import re
import subprocess

from edge_names import program_name


def verdicts(tool: pathlib.Path, target: str, files: list[pathlib.Path]) -> dict[str, set[str] | None]:
    """File -> the operators refused, as our program names them; None where it could not read the file."""
    run = subprocess.run([tool, "check", "--target", target, "--select", "unsupported-ops", "--output-format",
                          "json", "-q", *files], capture_output=True, text=True, check=False)
    if not run.stdout:
        print(f"{target}: {run.stderr.strip()}")
        return {}
    found = {}
    for model in json.loads(run.stdout)["models"]:
        found[pathlib.Path(model["path"]).name] = None if model["status"] == "error" else {
            name for finding in model["findings"] for name in named_operators(finding["message"])}
    return found


def named_operators(message: str) -> set[str]:
    """The refused ones, and the parts because of which decomposed ones are refused."""
    refused, _, reason = message.partition(" cannot be compiled for ")
    parts = re.findall(r"\w+::[\w.]+", reason.partition("it is decomposed, and ")[2])
    return {*re.findall(r"`([^`]+)`", refused), *parts}


def plain(name: str) -> str:
    """`aten::scatter_add.default`, `aten.scatter_add`, `scatter_add_` -> `scatter_add`; Core ML writes all in small letters."""
    base = re.sub(r"^(aten|prims|torchvision)\.", "", name.rsplit("::", maxsplit=1)[-1]).split(".")[0].lower()
    return base[:-1] if base.endswith("_") and not base.endswith("__") else base.strip("_") or base


def undelegated(truth: dict) -> list[str]:
    """What a partitioner left aside; `python::getitem` and the like are not operators of the model."""
    return [program_name(name.partition(".")[2]) for name in truth.get("undelegated", {}) if "::" not in name]


def kind_of(name: str) -> str:
    return next((kind for kind in ("traced", "scripted") if f".{kind}." in name), "pt2")


class Score:
    def __init__(self) -> None:
        self.files = self.agree = self.alarms = self.misses = self.operators = self.found = 0
        self.disagreements: list[str] = []

    def add(self, name: str, truth: dict, ours: set[str]) -> None:
        self.files += 1
        left = undelegated(truth)
        good = truth["result"] == "ok" and not left
        if good == (not ours):
            self.agree += 1
        elif good:
            self.alarms += 1
            self.disagreements.append(f"{name}: converts, we refuse {', '.join(sorted(ours))}")
        else:
            self.misses += 1
            self.disagreements.append(f"{name}: {truth.get('error_type', truth.get('kind'))}: "
                                      f"{truth.get('error', '')[:160]}")
        named = {plain(n) for n in [*truth.get("unsupported", []), *left]}
        self.operators += len(named)
        self.found += len(named & {plain(n) for n in ours})


def share(part: int, whole: int) -> str:
    return f"{part}/{whole} ({part / whole:.3f})" if whole else "none"


def compare(tool: pathlib.Path, truth: dict, folder: pathlib.Path) -> dict[tuple[str, str], Score]:
    scores: dict[tuple[str, str], Score] = {}
    for target, entry in truth.items():
        known = {n: t for n, t in entry["files"].items() if t["result"] != "unread" and (folder / n).exists()}
        ours = verdicts(tool, target, [folder / n for n in known]) if known else {}
        for name, refused in ours.items():
            if refused is None:
                print(f"not read: {name}")
                continue
            scores.setdefault((target, kind_of(name)), Score()).add(name, known[name], refused)
    return scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", type=pathlib.Path, required=True)
    parser.add_argument("truth", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    scores = compare(options.tool, json.loads(options.truth.read_text()), options.folder)
    print("| target | files | agree | false alarms | missed | operators named by the converter that we name |")
    print("|---|---|---|---|---|---|")
    for (target, kind), s in sorted(scores.items()):
        print(f"| {target} | {kind} | {share(s.agree, s.files)} | {s.alarms} | {s.misses} | {share(s.found, s.operators)} |")
    for (target, kind), s in sorted(scores.items()):
        if s.disagreements:
            print(f"\n### {target}, {kind}\n")
            print("\n".join(f"- {d}" for d in sorted(s.disagreements)))


if __name__ == "__main__":
    main()
