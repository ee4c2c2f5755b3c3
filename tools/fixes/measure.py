#!/usr/bin/env python3
"""Fixes the source of real models, exports them again and reports the outcome.

usage: measure.py --tool PROGRAM --models FILE --work FOLDER [--only a,b] [--formats traced,scripted] [--jobs N]
                  [--how unproven|rebuild] [--own]

FILE builds the models: a Python file with a table REG, of functions `fn` that return a module and its inputs, and of
their packages `pkg`. A model's package is copied from this Python's own into FOLDER, where it may be written. All edits
are made; with `--how rebuild` those that are proved. With `--own`, only
the files that have findings are the user's, and the rest of the package is installed.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import contextlib
import hashlib
import importlib.util
import json
import os
import pathlib
import random
import shlex
import shutil
import subprocess
import sys
import typing

SEED = 20261121
SAMPLES = 3
ROUNDS = 4
RULES = "missing-modules,reused-modules"
#: What the brief of a fix leaves out: no method of a class, or called as often as the data says.
OUTSIDE = ("free function", "lambda", "nested function", "no instance of its class", "in no function",
           "it has weights", "torch's own code")
LOOPS = ("in a loop", "in a comprehension", "runs more than once")

Json = dict[str, typing.Any]


def load_models(file: pathlib.Path) -> typing.Any:
    spec = importlib.util.spec_from_file_location("models_to_fix", file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# ---------------------------------------------------------------------------------------------------------------------
# One export, in a process of its own: its Python must not have imported the source before.


def digest(value: typing.Any) -> str:
    import torch

    if isinstance(value, torch.Tensor):
        plain = value.detach().cpu().contiguous()
        return f"{plain.dtype}{list(plain.shape)}" + hashlib.sha256(
            plain.reshape(-1).view(torch.uint8).numpy().tobytes() if plain.numel() else b"").hexdigest()[:16]
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}:{digest(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(digest(item) for item in value) + "]"
    return repr(value)


def samples(inputs: tuple[typing.Any, ...]) -> list[tuple[typing.Any, ...]]:
    """The inputs, and further ones of the same shapes and kinds."""
    import torch

    def vary(value: typing.Any, seed: int) -> typing.Any:
        if isinstance(value, (list, tuple)):
            return type(value)(vary(item, seed) for item in value)
        if not isinstance(value, torch.Tensor) or seed == 0 or not value.is_floating_point():
            return value
        return torch.randn(value.shape, generator=torch.Generator().manual_seed(seed)).abs().clamp(max=1)

    return [typing.cast("tuple[typing.Any, ...]", vary(tuple(inputs), seed)) for seed in range(SAMPLES)]


def sharing(model: typing.Any) -> list[list[str]]:
    groups: dict[int, list[str]] = {}
    for name, tensor in model.named_parameters(remove_duplicate=False):
        groups.setdefault(id(tensor), []).append(name)
    return sorted(names for names in groups.values() if len(names) > 1)


def train_outputs(model: typing.Any, inputs: tuple[typing.Any, ...]) -> str:
    """What the model computes in training mode with a fixed seed; why it cannot, where it cannot."""
    import torch

    try:
        torch.manual_seed(SEED)
        with torch.no_grad():
            return digest(model.train()(*inputs))
    except Exception as error:
        return f"fails: {type(error).__name__}"


def export(models: typing.Any, name: str, form: str, target: pathlib.Path) -> None:
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    random.seed(SEED)
    import numpy

    numpy.random.seed(SEED)
    model, inputs = models.REG[name]["fn"]()
    model = model.eval()
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    models.perturb(model)
    with torch.no_grad():
        model(*inputs)
        if form == "scripted":
            exported = torch.jit.script(model)
        else:
            try:
                exported = torch.jit.trace(model, inputs, strict=False, check_trace=False)
            except Exception as error:
                if "can be output from traced" not in str(error) and "cannot infer type" not in str(error):
                    raise
                flat = models.adapter(model, lambda m, *x: tuple(models.flat(m(*x))))
                exported = torch.jit.trace(flat, inputs, strict=False, check_trace=False)
        exported.save(str(target))
        torch.save(list(inputs), target.with_suffix(".inputs"))
        loaded = torch.jit.load(str(target))
        outputs = []
        for sample in samples(inputs):
            torch.manual_seed(SEED)
            outputs.append(digest(loaded(*sample)))
            outputs.append(digest(models.flat(model(*sample))))
    state = [[key, digest(value)] for key, value in model.state_dict().items()]
    facts = {"outputs": outputs, "state": state, "sharing": sharing(model), "training": train_outputs(model, inputs)}
    target.with_suffix(".json").write_text(json.dumps(facts))


# ---------------------------------------------------------------------------------------------------------------------
# One model: export, fix, export again, compare.


class Bench:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.models = load_models(pathlib.Path(options.models))
        self.work = pathlib.Path(options.work).resolve()
        self.tool = str(pathlib.Path(options.tool).resolve())

    def environment(self, tree: pathlib.Path) -> dict[str, str]:
        return {**os.environ, "PYTHONPATH": str(tree), "PYTHONHASHSEED": "0"}

    def copy_package(self, name: str, tree: pathlib.Path) -> None:
        """A model's own package, as one who works on it has it; those that it uses stay installed. Files are linked: the
        program replaces what it writes."""
        shutil.rmtree(tree, ignore_errors=True)
        package = str(self.models.REG[name]["pkg"]).replace("-", "_")
        spec = importlib.util.find_spec(package)
        assert spec and spec.origin
        link = os.symlink if self.options.own else os.link
        shutil.copytree(pathlib.Path(spec.origin).parent, tree / package, copy_function=link,
                        ignore=shutil.ignore_patterns("__pycache__"))

    def take_for_own(self, findings: list[Json]) -> None:
        """Has files with findings be the user's, not the installed package's."""
        for name in {finding["file"] for finding in findings if "file" in finding}:
            file = pathlib.Path(name)
            if file.is_symlink():
                installed = file.resolve()
                file.unlink()
                os.link(installed, file)

    def export(self, name: str, form: str, tree: pathlib.Path, target: pathlib.Path) -> str:
        command = [sys.executable, "-B", "-W", "ignore", __file__, "--models", self.options.models, "--work",
                   str(self.work), "--export", name, "--formats", form, "--target", str(target)]
        with contextlib.suppress(OSError):
            target.with_suffix(".json").unlink()
        done = subprocess.run(command, env=self.environment(tree), cwd=tree, capture_output=True, text=True,
                              timeout=900, check=False)
        return "" if done.returncode == 0 else " | ".join(done.stderr.strip().splitlines()[-12:])[-900:]

    def fix(self, file: pathlib.Path, tree: pathlib.Path, *further: str) -> list[Json]:
        command = [self.tool, "fix", str(file), "--isolated", "--select", RULES, "--output-format",
                   "json", *further]
        done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
        if done.returncode > 1:
            raise RuntimeError(done.stderr.strip()[:300])
        return typing.cast("list[Json]", json.loads(done.stdout))

    def measure(self, name: str, form: str) -> Json:
        tree = self.work / "trees" / f"{name}.{form}"
        before = self.work / f"{name}.{form}.before.pt"
        after = self.work / f"{name}.{form}.after.pt"
        row: Json = {"model": name, "format": form}
        self.copy_package(name, tree)
        if error := self.export(name, form, tree, before):
            return {**row, "error": f"cannot be exported: {error}"}
        findings = self.fix(before, tree)
        if self.options.own:
            self.take_for_own(findings)
            findings = self.fix(before, tree)
        row |= count(findings)
        if self.options.how == "rebuild":
            return {**row, **self.rebuild(name, form, tree, before, after)}
        current = before
        for _ in range(ROUNDS):
            made = self.fix(current, tree, "--write", "--unproven")
            if all(finding["refusal"] for finding in made):
                break
            if error := self.export(name, form, tree, after):
                return {**row, "error": f"the fixed source cannot be exported: {error}"}
            current = after
        if current == before:
            return {**row, "identical": True, "left": 0}
        row["left"] = sum(1 for finding in self.fix(after, tree) if not finding["refusal"])
        return {**row, **compare(before, after)}

    def rebuild(self, name: str, form: str, tree: pathlib.Path, before: pathlib.Path, after: pathlib.Path) -> Json:
        line = shlex.join([sys.executable, "-B", "-W", "ignore", str(pathlib.Path(__file__).resolve()), "--models",
                           self.options.models, "--work", str(self.work), "--export", name, "--formats", form,
                           "--target"]) + " {output}"
        command = [self.tool, "fix", str(before), "--isolated", "--select", RULES, "--output-format", "json", "--write",
                   "--rebuild", line, "--inputs", str(before.with_suffix(".inputs")), "--timeout", "600"]
        done = subprocess.run(command, cwd=tree, env=self.environment(tree), capture_output=True, text=True, check=False)
        if done.returncode > 1:
            return {"error": done.stderr.strip()[-600:]}
        report = json.loads(done.stdout)
        if error := self.export(name, form, tree, after):
            return {"error": f"the fixed source cannot be exported: {error}"}
        return {"fixed": sum(rule["fixed"] for rule in report["rules"]), "taken_back": report["taken_back"],
                "exports": report["proof"]["exports"], "left": len(report["taken_back"]), **compare(before, after)}


def count(findings: list[Json]) -> Json:
    counts = {"findings": len(findings), "fixed": 0, "waits": 0, "unsafe": 0, "loops": 0, "refused": 0, "outside": 0}
    hazards = collections.Counter[str]()
    for finding in findings:
        if finding["hazard"]:
            counts["unsafe"] += 1
            hazards[finding["hazard"]] += 1
        why = finding["refusal"]
        kind = "fixed" if not why else "refused"
        if why and why == finding["hazard"]:
            kind = "waits"
        elif any(text in why for text in OUTSIDE):
            kind = "outside"
        elif any(text in why for text in LOOPS):
            kind = "loops"
        counts[kind] += 1
    return {**counts, "hazards": dict(hazards.most_common())}


def compare(before: pathlib.Path, after: pathlib.Path) -> Json:
    old = json.loads(before.with_suffix(".json").read_text())
    new = json.loads(after.with_suffix(".json").read_text())
    different = [key for key in ("outputs", "state", "sharing", "training") if old[key] != new[key]]
    return {"identical": not different, "different": different}


def print_table(rows: list[Json]) -> None:
    columns = ("fixed", "waits", "unsafe", "refused", "loops", "outside", "left")
    print(f"{'model':<28}{'format':<10}" + "".join(f"{column:>9}" for column in columns) + "  proof")
    for row in rows:
        proof = row.get("error") or ("identical" if row["identical"] else "differs: " + ", ".join(row["different"]))
        print(f"{row['model']:<28}{row['format']:<10}" + "".join(f"{row.get(column, '-'):>9}" for column in columns)
              + "  " + proof)
    for form in ("traced", "scripted"):
        chosen = [row for row in rows if row["format"] == form and "fixed" in row]
        fixed, waits, refused = (sum(row[key] for row in chosen) for key in ("fixed", "waits", "refused"))
        proved = sum(1 for row in chosen if row.get("identical"))
        if chosen:
            print(f"{form}: {fixed} fixed of {fixed + waits + refused} findings in methods and in no loop but over modules; "
                  f"{waits} could only be tried; {proved} of {len(chosen)} models are the same to the bit")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool")
    parser.add_argument("--models", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--formats", default="traced,scripted")
    parser.add_argument("--how", choices=["unproven", "rebuild"], default="unproven")
    parser.add_argument("--own", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--export", help=argparse.SUPPRESS)
    parser.add_argument("--target", type=pathlib.Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.models = str(pathlib.Path(options.models).resolve())
    models = load_models(pathlib.Path(options.models))
    if options.export:
        export(models, options.export, options.formats, options.target)
        return 0
    names = [name for name in models.REG if not options.only or name in options.only.split(",")]
    bench = Bench(options)
    bench.work.mkdir(parents=True, exist_ok=True)
    tasks = [(name, form) for name in names for form in options.formats.split(",")]

    def run(task: tuple[str, str]) -> Json:
        try:
            row = bench.measure(*task)
        except Exception as error:
            row = {"model": task[0], "format": task[1], "error": f"{type(error).__name__}: {error}"}
        print(json.dumps(row), file=sys.stderr, flush=True)
        return row

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = list(pool.map(run, tasks))
    (bench.work / "rows.json").write_text(json.dumps(rows, indent=1))
    print_table(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
