#!/usr/bin/env python3
"""Verifies every model of a folder against the backends, and broken copies of it, and prints the results.

    measure_models.py PROGRAM FOLDER [--broken BACKEND...] [--reference FORMAT] [--only NAME...]

The folder holds NAME.traced.pt or NAME.scripted.pt, NAME.inputs.pt and, where there are such, NAME.onnx and NAME.pt2.
Each line of the output is a row of a Markdown table.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

REFERENCES = {"traced": ".traced.pt", "program": ".pt2", "onnx": ".onnx"}


def verify(program, reference, *arguments, timeout=300):
    """Runs one verification; returns its exit status and its report."""
    # With one thread nothing waits for another, however busy the machine is.
    line = [program, "verify", str(reference), *map(str, arguments), "--no-lint", "--threads", "1", "--output-format", "json"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=timeout, check=False)
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


def flat_arrays(value):
    import torch

    if isinstance(value, torch.Tensor):
        return [value.numpy()]
    if isinstance(value, (list, tuple)):
        return [array for item in value for array in flat_arrays(item)]
    return [] if value is None else [value]


def faults(folder, name, backend, scratch):
    """Broken copies for a backend: ONNX files for `onnxruntime` and `openvino-onnx`, else TorchScript."""
    import torch
    from broken_copies import OnnxCopies, TorchScriptCopies

    inputs = torch.load(folder / f"{name}.inputs.pt", weights_only=False)
    if backend in ("onnxruntime", "openvino-onnx"):
        file = folder / f"{name}.onnx"
        return OnnxCopies(file, flat_arrays(list(inputs)), scratch).copies() if file.exists() else ()
    file = folder / f"{name}.traced.pt"
    return TorchScriptCopies(file, inputs, scratch).copies() if file.exists() else ()


def broken(program, folder, name, backend, suffix):
    reference = folder / f"{name}{suffix}"
    if not reference.exists():
        return
    compiler = backend.removesuffix("-onnx")
    with tempfile.TemporaryDirectory() as scratch:
        for label, culprits, copy in faults(folder, name, backend, pathlib.Path(scratch)):
            arguments = [copy, "--backend", compiler, "--inputs", folder / f"{name}.inputs.pt", "--localize"]
            try:
                status, report = verify(program, reference, *arguments)
            except subprocess.TimeoutExpired:
                status, report = "timeout", {}
            found = first_op(report)
            right = found == "none" if culprits is None else not culprits.isdisjoint(found.split(" "))
            place = "no op" if culprits is None else " or ".join(sorted(culprits))
            print(f"| {name} | {backend} | {label} | {status} | {place} | {found} | {'yes' if right else 'NO'} |",
                  flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--broken", nargs="+", metavar="BACKEND",
                        help="verify broken copies instead: eager, ts, openvino, onnxruntime, openvino-onnx")
    parser.add_argument("--reference", choices=REFERENCES, default="traced", help="what broken copies are verified against")
    parser.add_argument("--only", nargs="*", default=[])
    arguments = parser.parse_args()
    names = sorted({path.name.split(".")[0] for path in arguments.folder.glob("*.inputs.pt")})
    for name in arguments.only or names:
        if not arguments.broken:
            honest(arguments.program, arguments.folder, name)
        for backend in arguments.broken or []:
            try:
                broken(arguments.program, arguments.folder, name, backend, REFERENCES[arguments.reference])
            except Exception as failure:  # a model that cannot be run here must not end the rest
                print(f"| {name} | {backend} | cannot be broken: {str(failure).splitlines()[0][:120]} |", flush=True)


if __name__ == "__main__":
    main()
