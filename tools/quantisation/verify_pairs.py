#!/usr/bin/env python3
"""Attacks the verification of quantised models: pairs in which one layer is wrong, and honest ones.

usage: tools/quantisation/verify_pairs.py PROGRAM QUANTISED NAME... [--kinds tensor channel]

QUANTISED is the folder that quantise.py made. Every NAME.float.onnx is verified against NAME.KIND.onnx as it is, and with one fault in it. What
ONNX Runtime itself computes, without its optimisations, for inputs of this script's own says how much of the signal is left; prints that and the
verdict for each pair. They agree if 20 dB are left and the pair passes, or fewer and it does not. Whether a fault leaves 20 dB depends on the
model: one that does changes it no more than int8 may. Needs onnx and onnxruntime.
"""
from __future__ import annotations

import argparse
import collections
import pathlib
import subprocess
import sys
import tempfile

import measure
import numpy as np
import onnx
import onnxruntime
import quantise

NEEDED = 20.0
CLEAR = 2.0  # dB: nearer to what is needed, other inputs decide otherwise


def swapped_layers(editor: measure.Editor, place: int) -> measure.Concerned | None:
    """Two layers of one shape have each other's weights."""
    by_shape = collections.defaultdict(list)
    for _, node in editor.weights():
        by_shape[tuple(editor.stored[node.input[0]].dims)].append(node)
    pairs = [nodes for nodes in by_shape.values() if len(nodes) > 1 and nodes[0].input[0] != nodes[-1].input[0]]
    if not pairs:
        return None
    first, second = pairs[place % len(pairs)][0], pairs[place % len(pairs)][-1]
    first.input[0], second.input[0] = second.input[0], first.input[0]
    return [first, second]


def weight_scale_times(factor: float) -> measure.Fault:
    return measure.of_weight_scale(lambda numbers: (numbers * np.float32(factor)).astype(numbers.dtype))


FAULTS: dict[str, measure.Fault] = {
    "as it is": lambda editor, place: [],
    "weight scale × 4": weight_scale_times(4),
    "activation scale ÷ 8": measure.of_activation_scale(lambda numbers: (numbers / np.float32(8)).astype(numbers.dtype)),
    "wrong axis": measure.wrong_axis,
    "zero point missing": measure.zero_point_missing,
    "bias saturated": measure.bias_saturated,
    "bias scale doubled": measure.bias_scale_doubled,
    "swapped layers": swapped_layers,
}


def results(file: pathlib.Path, sample: dict[str, np.ndarray]) -> list[np.ndarray] | None:
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    try:
        return list(onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"]).run(None, sample))
    except Exception:  # whatever the runtime raises
        return None


def least_ratio(reference: list[np.ndarray], candidate: list[np.ndarray]) -> float:
    """In dB, of the output that keeps least; integers are left out."""
    least = float("inf")
    for a, b in zip(reference, candidate, strict=True):
        if np.issubdtype(a.dtype, np.floating):
            signal, noise = np.square(a.astype(np.float64)).sum(), np.square(a.astype(np.float64) - b).sum()
            least = min(least, float("-inf") if not np.isfinite(noise) else float("inf") if noise == 0 else 10 * np.log10(signal / noise))
    return least


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("quantised", type=pathlib.Path)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--kinds", nargs="+", default=["tensor", "channel", "nncf", "dynamic"])
    options = parser.parse_args()
    counts: collections.Counter[tuple[str, str]] = collections.Counter()
    for name in options.names:
        reference = options.quantised / f"{name}.float.onnx"
        sample = quantise.samples_of(onnx.load(reference))[0]
        expected = results(reference, sample)
        for kind in options.kinds:
            file = options.quantised / f"{name}.{kind}.onnx"
            if expected is None or not file.exists():
                continue
            for fault, make in FAULTS.items():
                editor = measure.Editor(onnx.load(file))
                try:
                    concerned = make(editor, 0)
                except KeyError:
                    continue
                if concerned is None:
                    continue
                with tempfile.TemporaryDirectory() as folder:
                    changed = pathlib.Path(folder) / "candidate.onnx"
                    onnx.save(editor.model, changed)
                    found = results(changed, sample)
                    ran = subprocess.run([options.program, "verify", str(reference), str(changed)], capture_output=True, text=True, check=False)
                ratio = float("-inf") if found is None else least_ratio(expected, found)
                near = abs(ratio - NEEDED) < CLEAR
                right = (ran.returncode == 0) == (ratio >= NEEDED)
                counts[fault, "near" if near else "right" if right else "wrong"] += 1
                verdict = {0: "same", 1: "different"}.get(ran.returncode, f"error {ran.returncode}")
                print(f"{ratio:8.1f} dB  {verdict:10} {'near' if near else '' if right else 'DISAGREES'}  {name} {kind}: {fault}", flush=True)
    for fault in FAULTS:
        right, wrong, near = (counts[fault, each] for each in ("right", "wrong", "near"))
        print(f"{right:4} of {right + wrong:4}  {fault} (and {near} within {CLEAR:.0f} dB of the bound)")
    return 1 if any(verdict == "wrong" for _, verdict in counts) else 0


if __name__ == "__main__":
    sys.exit(main())
