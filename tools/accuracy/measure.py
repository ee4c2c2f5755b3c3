#!/usr/bin/env python3
"""Print how well the graph of an exported model agrees with the run of its eager module.

    measure.py --tool build/dev/bin/model_validator [--only NAME] [--list] [--verbose]

Each model is built with random weights, watched in one eager run, exported by torch.jit.trace and torch.jit.script, and read by
`model_validator graph`. Recall is the share of the truth that was found, precision the share of what was found that is true, for

  reuse       the leaf modules that ran more than once
  functional  how often each computing function ran outside torch's own leaf modules, for each module around it

A traced file holds exactly the run that the truth was taken from. A scripted file also holds the branches not taken: what is in a
region may be extra, and what is in a loop stands for as many runs as there were.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

import torch
from models import builders
from truth import function_name, truth_of

MANY = 1 << 30
FORMATS = {"traced": lambda model, inputs: torch.jit.trace(model, inputs, check_trace=False, strict=False),
           "scripted": lambda model, inputs: torch.jit.script(model)}  # fmt: skip


def export(model, inputs, kind, file):
    """Whether the model can be exported this way at all; many cannot be scripted."""
    try:
        with torch.no_grad():
            FORMATS[kind](model, inputs).save(str(file))
        return True
    except Exception:
        return False


def graph_of(tool, file, first_path):
    """Leaf modules called more than once, functions that certainly run, and functions that may."""
    run = subprocess.run([tool, "graph", "--format", "json", str(file)], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise RuntimeError(run.stderr.strip() or f"exit status {run.returncode}")
    graph = json.loads(run.stdout)
    def path(module):
        return first_path.get(module or "", module or "")
    reused = {path(module["path"]) for module in graph["modules"] if module["leaf"] and (module["calls"] or 0) > 1}
    certain, possible = collections.Counter(), collections.Counter()
    for op in graph["ops"]:
        if op["kind"] == "functional" and (name := function_name(op["type"])):
            looped = any(region.startswith("loop") for region in op["region"])
            (possible if op["region"] else certain)[path(op["parent"]), name] += MANY if looped else 1
    return reused, certain, possible


def compare(truth, reused, certain, possible):
    def compared(counts):
        return collections.Counter({key: n for key, n in counts.items() if key[0] not in truth.not_compared})
    wanted, certain = compared(truth.functions), compared(certain)
    missed, extra = wanted - (certain + possible), certain - wanted
    counts = collections.Counter(
        reuse=len(truth.reused), reuse_found=len(truth.reused & reused), reuse_extra=len(reused - truth.reused),
        functional=wanted.total(), functional_found=(wanted - missed).total(), functional_extra=extra.total(),
    )  # fmt: skip
    wrong = [f"missed {n} x {name} in {path or 'the model'}" for (path, name), n in missed.items()]
    wrong += [f"made up {n} x {name} in {path or 'the model'}" for (path, name), n in extra.items()]
    wrong += [f"missed reuse of {path}" for path in truth.reused - reused]
    return counts, wrong + [f"made up reuse of {path}" for path in reused - truth.reused]


def ratio(found, extra_or_missed):
    return found / (found + extra_or_missed) if found + extra_or_missed else 1.0


def scores(counts, what):
    recall = ratio(counts[f"{what}_found"], counts[what] - counts[f"{what}_found"])
    return f"{what} recall {recall:.4f} precision {ratio(counts[f'{what}_found'], counts[f'{what}_extra']):.4f}"


def measure(name, build, tool, folder, totals, verbose):
    torch.manual_seed(0)
    try:
        model, inputs = build()
        model.eval()
        truth = truth_of(model, inputs)
    except Exception as error:
        print(f"{name}: cannot be built or run here: {str(error).splitlines()[0]}")
        return
    for kind in FORMATS:
        file = pathlib.Path(folder) / f"model.{kind}.pt"
        if not export(model, inputs, kind, file):
            totals[kind]["not exported"] += 1
            continue
        try:
            counts, wrong = compare(truth, *graph_of(tool, file, truth.first_path))
        except RuntimeError as error:
            totals[kind]["not read"] += 1
            print(f"{name}, {kind}: not read: {error}")
            continue
        totals[kind].update(counts, files=1, exact=not wrong)
        print(f"{name}, {kind}: {scores(counts, 'reuse')}; {scores(counts, 'functional')}", flush=True)
        if verbose:
            print("".join(f"    {line}\n" for line in wrong), end="")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default="model_validator", help="the program that is measured")
    parser.add_argument("--only", default="", help="only models whose name matches this regular expression")
    parser.add_argument("--list", action="store_true", help="print the names of the models and stop")
    parser.add_argument("--verbose", action="store_true", help="name every difference")
    options = parser.parse_args()
    chosen = {name: build for name, build in builders().items() if re.search(options.only, name)}
    if options.list:
        print("\n".join(chosen))
        return
    warnings.simplefilter("ignore")
    totals = {kind: collections.Counter() for kind in FORMATS}
    with tempfile.TemporaryDirectory() as folder:
        for name, build in chosen.items():
            measure(name, build, options.tool, folder, totals, options.verbose)
    for kind, counts in totals.items():
        print(f"{kind}: {counts['files']} files read, {counts['not read']} not ({counts['not exported']} models cannot be exported so), "
              f"{counts['exact']} exact; "
              f"{scores(counts, 'reuse')}; {scores(counts, 'functional')}")  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
