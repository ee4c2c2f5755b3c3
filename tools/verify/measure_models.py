#!/usr/bin/env python3
"""Verifies every model of a folder against the backends, and broken copies of it, and prints what came out.

    measure_models.py PROGRAM FOLDER [--broken] [--only NAME...]

The folder holds NAME.traced.pt or NAME.scripted.pt, NAME.inputs.pt and, where there is one, NAME.onnx. Each line of
the output is a row of a Markdown table.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile


def verify(program, reference, *arguments, timeout=300):
    """Runs one verification; returns its exit status and its report."""
    line = [program, "verify", str(reference), *map(str, arguments), "--no-lint", "--output-format", "json"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=timeout)
    try:
        return done.returncode, json.loads(done.stdout)
    except json.JSONDecodeError:
        return done.returncode, {"error": done.stderr.strip().splitlines()[0] if done.stderr else "no output"}


def worst_error(report):
    """Largest difference as part of the reference's largest value, over all outputs."""
    worst = 0.0
    for output in report.get("outputs", []):
        metrics = output.get("metrics")
        if metrics and metrics["max_abs"] is not None and metrics["reference_max"]:
            worst = max(worst, metrics["max_abs"] / metrics["reference_max"])
    return worst


def reason(report):
    if "error" in report:
        return report["error"]
    failures = [i["message"] for i in report.get("incidents", []) if i.get("failure")]
    for output in report.get("outputs", []):
        failures += [v["message"] for v in output.get("verdicts", []) if not v["passed"]]
    return failures[0] if failures else ""


def first_op(report):
    for op in report.get("ops", []):
        if op.get("first_divergent"):
            return f"{op['module']} {op['op']}"
    return "none"


def pairs(folder, name):
    """What is compared: a label, the reference, and the arguments that name the candidate."""
    for kind in ("traced", "scripted"):
        reference = folder / f"{name}.{kind}.pt"
        if reference.exists():
            yield f"{kind}, ts", reference, ["--backend", "ts"]
            yield f"{kind}, openvino", reference, ["--backend", "openvino"]
    reference = folder / f"{name}.traced.pt"
    onnx = folder / f"{name}.onnx"
    if reference.exists() and onnx.exists():
        yield "onnx, onnxruntime", reference, [onnx]
        yield "onnx, openvino", reference, [onnx, "--backend", "openvino"]


def honest(program, folder, name):
    for label, reference, candidate in pairs(folder, name):
        try:
            status, report = verify(program, reference, *candidate, "--inputs", folder / f"{name}.inputs.pt")
        except subprocess.TimeoutExpired:
            status, report = "timeout", {"error": "took more than 300 s"}
        print(f"| {name} | {label} | {status} | {worst_error(report):.1e} | {reason(report)[:160]} |", flush=True)


def broken(program, folder, name):
    from broken_copies import broken_copies

    reference = folder / f"{name}.traced.pt"
    with tempfile.TemporaryDirectory() as scratch:
        for label, culprit, copy in broken_copies(reference, pathlib.Path(scratch)):
            status, report = verify(program, reference, copy, "--inputs", folder / f"{name}.inputs.pt", "--localize")
            found = first_op(report)
            right = found == "none" if culprit is None else found.split(" ")[0] == culprit
            print(f"| {name} | {label} | {status} | {culprit or 'no op'} | {found} | {'yes' if right else 'NO'} |",
                  flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--broken", action="store_true", help="verify broken copies instead")
    parser.add_argument("--only", nargs="*", default=[])
    arguments = parser.parse_args()
    names = sorted({path.name.split(".")[0] for path in arguments.folder.glob("*.inputs.pt")})
    for name in arguments.only or names:
        (broken if arguments.broken else honest)(arguments.program, arguments.folder, name)


if __name__ == "__main__":
    main()
