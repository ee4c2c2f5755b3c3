"""How often the tables of `check --target` agree with what the runtimes answer here: one `check --probe` over a folder of ONNX files.

    python tools/verify/probe_agreement.py --tool build/release/bin/model_validator FOLDER [--targets onnxruntime,openvino,tensorrt-rtx]

A table and a runtime agree on a file where it is taken, with or without conditions, and right, or neither. Weights that are zeros throughout are
filled in copies first, since zeros hide wrong results.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import onnx
from reduce_faults import filled


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--targets", default="onnxruntime,openvino,tensorrt-rtx")
    parser.add_argument("--answers", help="where the runtimes' answers are kept")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        files = sorted(arguments.folder.glob("**/*.onnx"))
        for number, file in enumerate(files):
            onnx.save(filled(file), f"{made}/{number:03}.{file.stem}.onnx")
        command = [arguments.tool, "check", made, "--isolated", "--probe", "--target", arguments.targets, "--output-format", "json"]
        command += ["--answers", arguments.answers] if arguments.answers else []
        found = json.loads(subprocess.run(command, check=False, capture_output=True, text=True).stdout)["models"]
    for target in arguments.targets.split(","):
        counts = Counter(compared(model, target) for model in found)
        print(f"{target}: {len(found)} files: " + ", ".join(f"{kind} {count}" for kind, count in counts.items()))


def compared(model: dict[str, Any], target: str) -> str:
    """How the table's verdict and the runtime's answer stand to each other; prints them where they do not agree."""
    table = next((v["verdict"] for v in model.get("verdicts", []) if v["target"] == target), "unknown")
    nothing = {"answer": "not asked", "message": "", "nodes": []}
    asked = next((a for a in model.get("asked", []) if a["target"] == target), nothing)
    kind = kind_of(table, asked["answer"])
    if kind != "agree":
        said = (asked["nodes"] or [asked["message"]])[0][:160]
        print(f"  {target}: {Path(model['path']).name}: the table says {table}, here {asked['answer']}: {said}")
    return kind


def kind_of(verdict: str, answer: str) -> str:
    takes, right = verdict in ("taken", "taken in part"), answer == "right"
    if answer == "not asked":
        return "not asked"
    if verdict == "unknown":
        return "table does not know"
    return "agree" if takes == right else "table alone takes" if takes else "runtime alone takes"


if __name__ == "__main__":
    main()
