#!/usr/bin/env python3
"""Compares the shapes and dtypes that `graph --inputs` finds without values with those of a real run.

    measure_shapes.py PROGRAM FOLDER [--only NAME...]

The folder holds NAME.traced.pt or NAME.scripted.pt and NAME.inputs.pt. A file is correct when every product, every `if`
and every loop is as in a run with real values (`--run-values`). Where there is a NAME.leaf_shapes.json (leaf_shapes.py),
what every call of a leaf module yields is compared with what Python's hooks saw. Prints rows of a Markdown table; the time is the processor's.
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import tempfile


def graph(program, model, inputs, *more):
    """The graph, the processor's seconds, and the peak memory in MB; or the program's message instead."""
    line = [program, "graph", str(model), "--inputs", str(inputs), *more]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(line, stdout=out, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = usage.ru_utime + usage.ru_stime
        said.seek(0)
        if process.returncode != 0:
            return None, seconds, (said.read().splitlines() or ["no output"])[0]
        out.seek(0)
        return json.load(out), seconds, usage.ru_maxrss / 1024


def type_of(product):
    return product["shape"], product["dtype"]


def compare(found, real):
    """Counts of products that are right, wrong and unknown, and the first that is not right."""
    counts, first = collections.Counter(), ""
    for ours, theirs in zip(found["products"], real["products"], strict=False):
        if type_of(theirs) == (None, None):
            continue
        kind = "right" if type_of(ours) == type_of(theirs) else "unknown" if ours["dtype"] is None else "wrong"
        counts[kind] += 1
        if kind != "right" and not first:
            first = f"{ours['from']} to {ours['to']}: {type_of(ours)} for {type_of(theirs)}"
    if found["regions"] != real["regions"]:
        counts["wrong"] += 1
        first = first or "outcomes of regions differ"
    return counts, first


def leaf_calls(found):
    """By module, what its calls yield in execution order; a call in a loop or an arm not taken is left out."""
    yields = collections.defaultdict(dict)
    for product in found["products"]:
        yields[product["from"]][product["output"]] = [product["shape"], product["dtype"]]
    often = {row["op"] for row in found["runs"]}
    calls = collections.defaultdict(list)
    for op in found["ops"]:
        if op["kind"] == "module" and op["name"] not in often:
            calls[op["module"]].append(yields[op["name"]].get(0))
    return calls


def compare_leaves(found, recorded):
    """How many calls of leaf modules yield what the hooks saw, and how many calls both know."""
    seen = collections.defaultdict(list)
    for path, results in recorded:
        seen[path].append(results[0] if results else None)
    right = total = 0
    for path, ours in leaf_calls(found).items():
        if len(ours) != len(seen[path]):
            continue
        for mine, theirs in zip(ours, seen[path], strict=False):
            if mine is not None and theirs is not None:
                total += 1
                right += mine == theirs
    return f"{right} of {total}"


def measure(program, folder, name, kind):
    model, inputs = folder / f"{name}.{kind}.pt", folder / f"{name}.inputs.pt"
    found, seconds, memory = graph(program, model, inputs)
    if found is None:
        return False, f"| {name} | {kind} | no | | | | | {memory} |"
    real, _, why = graph(program, model, inputs, "--run-values")
    if real is None:
        return False, f"| {name} | {kind} | no | | | {seconds:.2f} s | {memory:.0f} MB | no real run: {why} |"
    counts, first = compare(found, real)
    recorded = folder / f"{name}.leaf_shapes.json"
    leaves = compare_leaves(found, json.loads(recorded.read_text())) if recorded.exists() else ""
    right = counts["wrong"] == 0 and counts["unknown"] == 0
    remark = found["trace"]["ended_by"] or first
    shown = f"{counts['right']} of {sum(counts.values())}"
    return right, (f"| {name} | {kind} | {'yes' if right else 'no'} | {shown} | {leaves} | {seconds:.2f} s "
                   f"| {memory:.0f} MB | {remark} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", nargs="*", default=[])
    arguments = parser.parse_args()
    names = arguments.only or sorted({path.name.split(".")[0] for path in arguments.folder.glob("*.inputs.pt")})
    print("| model | file | right | products | leaf calls as hooked | time | memory | remark |\n|" + "---|" * 8)
    totals = collections.defaultdict(lambda: [0, 0])
    for name in names:
        for kind in ("traced", "scripted"):
            if (arguments.folder / f"{name}.{kind}.pt").exists():
                right, row = measure(arguments.program, arguments.folder, name, kind)
                totals[kind][0] += right
                totals[kind][1] += 1
                print(row, flush=True)
    for kind, (right, total) in totals.items():
        print(f"\n{kind}: {right} of {total} files right")


if __name__ == "__main__":
    main()
