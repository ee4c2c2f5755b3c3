"""Compares how much of a scripted model goes to a target with how much of its trace does.

    python tools/partition/scripted_against_traced.py --tool build/release/bin/model_validator FOLDER

FOLDER holds NAME.scripted.pt, NAME.traced.pt and NAME.inputs.pt: the list of inputs, as torch.save wrote it. Prints, for each
model and target, the share of the multiply-accumulates that runs on the target, and the number of partitions, of both
files. Ends with status 1 where a scripted model reaches less than 0.95 of its trace's share.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

import torch

AIM = 0.95


def specifications(folder, name):
    inputs = torch.load(folder / f"{name}.inputs.pt", weights_only=False)
    inputs = list(inputs.values()) if isinstance(inputs, dict) else list(inputs)
    for tensor in inputs:
        shape = "x".join(str(size) for size in tensor.shape)
        yield f"--input={shape}:{str(tensor.dtype).removeprefix('torch.')}"


def division(tool, model, target, inputs):
    """(share of the multiply-accumulates on the target, number of partitions)"""
    command = [tool, "partition", model, "--target", target, "--gains", "0", "--output-format", "json", *inputs]
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise RuntimeError(result.stderr.strip().splitlines()[0] if result.stderr else f"status {result.returncode}")
    parts = json.loads(result.stdout)["partitions"]
    everything = sum(part["multiply_accumulates"] or 0 for part in parts)
    there = sum(part["multiply_accumulates"] or 0 for part in parts if part["target"] == target)
    return (there / everything if everything else 0.0), len(parts)


def compare(tool, folder, name, target):
    """A row of the table, and whether the aim is reached."""
    inputs = list(specifications(folder, name))
    try:
        scripted, scripted_parts = division(tool, folder / f"{name}.scripted.pt", target, inputs)
        traced, traced_parts = division(tool, folder / f"{name}.traced.pt", target, inputs)
    except RuntimeError as error:
        return f"| {name} | {target} | | | {error} |", False
    ratio = scripted / traced if traced else 1.0
    row = f"| {name} | {target} | {scripted:.1%} in {scripted_parts} | {traced:.1%} in {traced_parts} | {ratio:.3f} |"
    return row, ratio >= AIM


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True, type=Path)
    parser.add_argument("--target", action="append", help="tensorrt, openvino and executorch-xnnpack if left out")
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    print("| model | target | scripted | traced | ratio |\n|---|---|---|---|---|")
    missed = 0
    for file in sorted(arguments.folder.glob("*.scripted.pt")):
        name = file.name.removesuffix(".scripted.pt")
        if not (arguments.folder / f"{name}.traced.pt").exists():
            continue
        for target in arguments.target or ["tensorrt", "openvino", "executorch-xnnpack"]:
            row, reached = compare(arguments.tool, arguments.folder, name, target)
            print(row, flush=True)
            missed += not reached
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
