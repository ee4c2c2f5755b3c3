#!/usr/bin/env python3
"""Hold what we say of shapes against what ONNX Runtime does with the same files.

    tools/shapes/measure.py --tool build/dev/bin/model_validator [--node-tests] [--mutants 100] [--baked 100] [--seed 1] [--list] [FILE.onnx …]

Every file, and with --node-tests every model of ONNX's own node tests, is run at two sizes of its free axes. The table says how many
of those that run have a finding of the rules on shapes (none should), of how many values the shape is known, and how many of the known
shapes are what ran. With --mutants, copies of the files with one wrong weight or setting are loaded and run, and compared with what
we and `onnx.checker` say of them. With --baked, copies of files with free axes have one value reshaped to, added to or joined with what
the first size gave; of those that fail at the second size, the table says how many we tell. The exit status is 1 where a file that runs
has a finding, or a shape is another.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy
import onnx
import onnxruntime  # type: ignore[import-untyped]
from onnx import numpy_helper

ERRORS = ("shape-mismatch", "baked-dimension")
RULES = (*ERRORS, "wrong-declaration")
DTYPES = {"tensor(float)": "float32", "tensor(float16)": "float16", "tensor(double)": "float64", "tensor(int64)": "int64",
          "tensor(int32)": "int32", "tensor(uint8)": "uint8", "tensor(int8)": "int8", "tensor(bool)": "bool"}
SIZES = ((3, 5), (32, 64), (48, 96), (224, 320), (16, 1), (512, 576))
NAMES = {"floor": math.floor, "trunc": math.trunc, "min": min, "max": max, "broadcast": lambda a, b: b if a == 1 else a}
Arrays = dict[str, Any]


def session_of(model: bytes | str, optimised: bool = True) -> Any:
    options = onnxruntime.SessionOptions()
    if not optimised:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def findings_of(tool: str, files: list[pathlib.Path]) -> dict[str, list[str]]:
    """By file: the findings of the rules on shapes, as text."""
    found: dict[str, list[str]] = {}
    for begin in range(0, len(files), 500):
        command = [tool, "check", "--select", ",".join(RULES), "--output-format", "json", *map(str, files[begin:begin + 500])]
        report = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
        for model in report["models"]:
            texts = [f"{f['rule']}: {f['op'] and f['op']['name']}: {f['message']}" for f in model["findings"]]
            found[model["path"]] = texts + ([f"error: {model['error']['message']}"] if model["error"] else [])
    return found


def is_error(text: str) -> bool:
    return text.startswith(ERRORS)


def array_for(declared: Any, size: int, generator: Any) -> Any:
    dtype = DTYPES.get(declared.type)
    if dtype is None:
        raise ValueError(declared.type)
    shape = [each if isinstance(each, int) else size for each in declared.shape]
    if dtype.startswith("float"):
        return generator.standard_normal(shape).astype(dtype)
    return generator.integers(0, 2, shape).astype(dtype)


def arrays_for(session: Any, size: int) -> Arrays:
    generator = numpy.random.default_rng(0)
    return {each.name: array_for(each, size, generator) for each in session.get_inputs()}


def fitting_arrays(file: pathlib.Path) -> list[Arrays]:
    """Inputs of two sizes that the file runs with; of one, or none, where there are no two."""
    best: list[Arrays] = []
    try:
        session = session_of(str(file))
        for pair in SIZES:
            fitting = runs_of(file, [arrays_for(session, size) for size in pair])
            if len(fitting) > len(best):
                best = fitting
            if len(best) == len(pair):
                break
    except Exception:
        return best
    return best


def symbols_of(model: Any, arrays: Arrays) -> dict[str, int]:
    """The sizes of free axes, by the names that we print."""
    symbols = {}
    for each in model.graph.input:
        if each.name not in arrays:
            continue
        for axis, size in enumerate(each.type.tensor_type.shape.dim):
            for name in filter(None, (size.dim_param, f"{each.name}.shape[{axis}]")):
                symbols[name] = numpy.shape(arrays[each.name])[axis]
    return symbols


def known_shapes(tool: str, file: pathlib.Path) -> dict[str, list[str] | None]:
    text = subprocess.run([tool, "graph", "--format", "json", str(file)], capture_output=True, text=True, check=False).stdout
    products = json.loads(text)["products"] if text else []
    return {each["name"]: each.get("sizes") for each in products}


def number_of(expression: str, symbols: dict[str, int]) -> int | None:
    """What an expression amounts to; None where it is unknown."""
    if "?" in expression:
        return None
    names = sorted(symbols, key=len, reverse=True)
    if names:
        of_names = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)")
        expression = of_names.sub(lambda match: str(symbols[match[0]]), expression)
    return int(eval(expression, {"__builtins__": {}}, dict(NAMES)))


def intermediates(model: Any, arrays: Arrays, names: list[str]) -> dict[str, tuple[int, ...]]:
    """Shapes of values as ONNX Runtime yields them, of those that it can be asked for."""
    copied = copy.deepcopy(model)
    there = {each.name for each in copied.graph.output}
    own = {name for node in copied.graph.node for name in node.output}
    copied.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names if name in own - there)
    session = session_of(copied.SerializeToString())
    wanted = [each.name for each in session.get_outputs()]
    return {name: value.shape for name, value in zip(wanted, session.run(wanted, arrays), strict=True) if hasattr(value, "shape")}


class Totals:
    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []

    def compare(self, tool: str, file: pathlib.Path, model: Any, runs: list[Arrays]) -> None:
        shapes = known_shapes(tool, file)
        self.counts["values"] += len(shapes)
        self.counts["ranks known"] += sum(each is not None for each in shapes.values())
        self.counts["shapes known"] += sum(each is not None and "?" not in each for each in shapes.values())
        for arrays in runs:
            symbols = symbols_of(model, arrays)
            try:
                ran = intermediates(model, arrays, list(shapes))
            except Exception:
                self.counts["not compared"] += 1
                continue
            for name, shape in ran.items():
                self.compare_value(file, name, shapes.get(name), shape, symbols)

    def compare_value(self, file: pathlib.Path, name: str, ours: list[str] | None, ran: tuple[int, ...],
                      symbols: dict[str, int]) -> None:
        if ours is None:
            return
        numbers = [number_of(each, symbols) for each in ours]
        self.counts["compared"] += 1
        if len(numbers) != len(ran) or any(a not in (None, b) for a, b in zip(numbers, ran, strict=True)):
            self.wrong.append(f"{file}: `{name}` is {list(ran)}, and we say [{', '.join(ours)}]")


def node_tests(folder: pathlib.Path) -> Iterator[tuple[pathlib.Path, Any, list[Arrays]]]:
    from onnx.backend.test.case.node import collect_testcases

    for case in collect_testcases(None):
        if case.model is None:
            continue
        file = folder / f"{case.name}.onnx"
        onnx.save(case.model, file)
        names = [each.name for each in case.model.graph.input]
        yield file, case.model, [dict(zip(names, inputs, strict=False)) for inputs, _ in case.data_sets or []]


def given_files(files: list[pathlib.Path]) -> Iterator[tuple[pathlib.Path, Any, list[Arrays]]]:
    for file in files:
        yield file, onnx.load(file, load_external_data=False), fitting_arrays(file)


def runs_of(file: pathlib.Path, all_arrays: list[Arrays]) -> list[Arrays]:
    """Those inputs with which ONNX Runtime runs the file."""
    fitting = []
    for arrays in all_arrays:
        try:
            session_of(str(file)).run(None, arrays)
            fitting.append(arrays)
        except Exception:
            continue
    return fitting


def is_free(model: Any) -> bool:
    """Whether the file leaves a size of an input free."""
    return any(not size.HasField("dim_value") for each in model.graph.input for size in each.type.tensor_type.shape.dim)


def measure_files(tool: str, title: str, cases: list[tuple[pathlib.Path, Any, list[Arrays]]], listed: bool) -> bool:
    found = findings_of(tool, [file for file, _, _ in cases])
    totals = Totals()
    alarms: list[str] = []
    for file, model, all_arrays in cases:
        runs = all_arrays if title == "files" else runs_of(file, all_arrays)
        totals.counts["run"] += bool(runs)
        errors = [text for text in found[str(file)] if is_error(text)]
        totals.counts["declarations"] += len(found[str(file)]) - len(errors)
        if listed:
            alarms += [f"(said) {file}: {text}" for text in found[str(file)] if not is_error(text)]
        if len(runs) > 1 or (runs and title != "files") or (runs and not is_free(model)):
            alarms += [f"{file}: {text}" for text in errors]
        elif listed:
            alarms += [f"(does not run at all sizes) {file}: {text}" for text in errors]
        totals.compare(tool, file, model, runs)
    counts = totals.counts
    false = [each for each in alarms if not each.startswith("(")]
    print(f"{title}: {len(cases)} files, {counts['run']} run, {len(false)} false alarms, {counts['declarations']} wrong declarations")
    print(f"  {counts['values']} values: {counts['shapes known']} shapes and {counts['ranks known']} ranks known;"
          f" {counts['compared']} compared with runs, {len(totals.wrong)} other than those; {counts['not compared']} runs not compared")
    for each in alarms + totals.wrong:
        print("   ", each)
    return not false and not totals.wrong


def changed_tensor(array: Any, random_: random.Random) -> tuple[str, Any] | None:
    kinds = []
    if array.ndim >= 2:
        kinds.append("transposed")
    if array.ndim >= 1 and max(array.shape) > 1:
        kinds += ["shortened", "longer"]
    if array.ndim >= 1:
        kinds.append("an axis more")
    if not kinds:
        return None
    kind = random_.choice(kinds)
    axes = [axis for axis in range(array.ndim) if array.shape[axis] > 1]
    if kind == "transposed":
        return kind, numpy.ascontiguousarray(array.T)
    if kind == "an axis more":
        return kind, array[None] if random_.random() < 0.5 else array[..., None]
    axis = random_.choice(axes)
    if kind == "shortened":
        return kind, numpy.take(array, range(array.shape[axis] - 1), axis)
    return kind, numpy.concatenate([array, numpy.take(array, [0], axis)], axis)


def change_setting(node: Any, random_: random.Random) -> str | None:
    chosen = [each for each in node.attribute if each.type in (onnx.AttributeProto.INTS, onnx.AttributeProto.INT)
              and each.name not in ("to", "dtype", "saturate", "training_mode", "storage_order", "select_last_index")]
    if not chosen:
        return None
    attribute = random_.choice(chosen)
    if attribute.type == onnx.AttributeProto.INT:
        attribute.i += random_.choice((1, -1, 2))
    elif attribute.ints and random_.random() < 0.5:
        place = random_.randrange(len(attribute.ints))
        attribute.ints[place] += random_.choice((1, 2))
    elif attribute.ints:
        del attribute.ints[random_.randrange(len(attribute.ints))]
    return f"`{attribute.name}` of {node.op_type}"


def mutant(model: Any, random_: random.Random) -> tuple[str, Any] | None:
    """A copy with one wrong weight or setting, and what was changed."""
    changed = copy.deepcopy(model)
    if random_.random() < 0.25:
        what = change_setting(random_.choice(changed.graph.node), random_)
        return (what, changed) if what else None
    tensors = list(changed.graph.initializer)
    tensors += [each.t for node in changed.graph.node if node.op_type == "Constant" for each in node.attribute if each.HasField("t")]
    if not tensors:
        return None
    tensor = random_.choice(tensors)
    result = changed_tensor(numpy_helper.to_array(tensor), random_)
    if result is None:
        return None
    tensor.CopyFrom(numpy_helper.from_array(result[1], tensor.name))
    return f"`{tensor.name}` {result[0]}", changed


def outcome_of(file: pathlib.Path, arrays: Arrays) -> str:
    try:
        session = session_of(str(file))
    except Exception as error:
        of_shapes = any(word in str(error).lower() for word in ("shape", "dim", "rank"))
        return "refused" if of_shapes else "refused otherwise"
    try:
        session.run(None, arrays)
    except Exception:
        return "fails"
    try:
        session_of(str(file), optimised=False).run(None, arrays)
    except Exception:
        return "runs optimised alone"
    return "runs"


def checker_tells(file: pathlib.Path) -> bool:
    try:
        onnx.checker.check_model(str(file), full_check=True)
    except Exception:
        return True
    return False


def is_real(dtype: Any) -> bool:
    return bool(numpy.issubdtype(dtype, numpy.floating))


def value_of(model: Any, name: str, arrays: Arrays) -> Any:
    copied = copy.deepcopy(model)
    if all(each.name != name for each in copied.graph.output):
        copied.graph.output.append(onnx.ValueInfoProto(name=name))
    return session_of(copied.SerializeToString()).run([name], arrays)[0]


def baked(model: Any, runs: list[Arrays], random_: random.Random) -> tuple[str, Any] | None:
    """A copy in which what one value is at the first size is written down, and what was changed."""
    place = random_.randrange(len(model.graph.node))
    name = next(iter(model.graph.node[place].output), "")
    try:
        first, second = (value_of(model, name, arrays) for arrays in runs)
    except Exception:
        return None
    is_read = any(name in node.input for node in model.graph.node[place + 1:])
    if not is_read or not hasattr(first, "dtype") or not is_real(first.dtype) or first.shape == second.shape:
        return None
    kind = random_.choice(("Reshape", "Add", "Concat"))
    fixed = numpy.array(first.shape, numpy.int64) if kind == "Reshape" else numpy.zeros(first.shape, first.dtype)
    changed = copy.deepcopy(model)
    changed.graph.initializer.append(numpy_helper.from_array(fixed, "written_down"))
    settings: dict[str, Any] = {"axis": 0} if kind == "Concat" else {}
    copied = onnx.helper.make_node(kind, [name, "written_down"], ["fixed_value"], **settings)
    for node in changed.graph.node[place + 1:]:
        for number, each in enumerate(node.input):
            if each == name:
                node.input[number] = "fixed_value"
    changed.graph.node.insert(place + 1, copied)
    return f"{kind} of `{name}` {list(first.shape)}", changed


def measure_baked(tool: str, files: list[pathlib.Path], count: int, seed: int, folder: pathlib.Path, listed: bool) -> bool:
    random_ = random.Random(seed)
    made: list[tuple[pathlib.Path, str, bool]] = []
    originals = [(file, onnx.load(file), runs) for file in files if len(runs := fitting_arrays(file)) > 1]
    originals = [each for each in originals if is_free(each[1])]
    for number in range(8 * count):
        if not originals or len(made) == count:
            break
        file, model, runs = originals[number % len(originals)]
        path = folder / f"baked_{len(made):04}.onnx"
        result = baked(model, runs, random_)
        if result is None:
            continue
        onnx.save(result[1], path)
        outcomes = [outcome_of(path, arrays) == "runs" for arrays in runs]
        if outcomes[0]:
            made.append((path, f"{file.name}: {result[0]}", outcomes[1]))
    found = findings_of(tool, [path for path, _, _ in made])
    told = {path: any(map(is_error, found[str(path)])) for path, _, _ in made}
    for path, what, runs_on in made:
        if listed and told[path] == runs_on:
            outcome = f"{'runs' if runs_on else 'fails'} at another size, {'told' if told[path] else 'not told'}"
            print(f"    {outcome}: {path.name}: {what} {found[str(path)]}")
    failing = [path for path, _, runs_on in made if not runs_on]
    false = sum(told[path] for path, _, runs_on in made if runs_on)
    print(f"{len(made)} files with a size written down, seed {seed}: {len(failing)} fail at another size, told {sum(told[path] for path in failing)};"
          f" of the {len(made) - len(failing)} others {false}")
    return not false


def measure_mutants(tool: str, files: list[pathlib.Path], count: int, seed: int, folder: pathlib.Path, listed: bool) -> bool:
    random_ = random.Random(seed)
    made: list[tuple[pathlib.Path, str, str]] = []
    originals = [(file, onnx.load(file), fitting[0]) for file in files if (fitting := fitting_arrays(file))]
    while len(made) < count:
        file, model, arrays = originals[len(made) % len(originals)]
        result = mutant(model, random_)
        if result is None:
            originals = originals[1:] + originals[:1]
            continue
        path = folder / f"mutant_{len(made):04}.onnx"
        onnx.save(result[1], path)
        made.append((path, f"{file.name}: {result[0]}", outcome_of(path, arrays)))
    found = findings_of(tool, [path for path, _, _ in made])
    table: Counter[tuple[str, str]] = Counter()
    false = False
    for path, what, outcome in made:
        # A wrong declaration may run: runtimes read declarations only where they trust them.
        texts = [text for text in found[str(path)] if outcome != "runs" or text.startswith((*ERRORS, "error"))]
        ours = bool(texts)
        checker = checker_tells(path)
        table[outcome, "all"] += 1
        table[outcome, "ours"] += ours
        table[outcome, "checker"] += checker
        if outcome == "runs" and ours:
            false = True
        if listed and (ours if outcome == "runs" else not ours and outcome != "runs optimised alone"):
            print(f"    {outcome}, {'told' if ours else 'not told'}, checker {checker}: {path.name}: {what} {found[str(path)]}")
    print(f"{len(made)} mutants of {len(files)} files, seed {seed}")
    for outcome in ("refused", "refused otherwise", "fails", "runs optimised alone", "runs"):
        row = [table[outcome, column] for column in ("all", "ours", "checker")]
        print(f"  {outcome}: {row[0]}, told by us {row[1]}, by onnx.checker {row[2]}")
    return not false


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--node-tests", action="store_true")
    parser.add_argument("--mutants", type=int, default=0)
    parser.add_argument("--baked", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="also say what is not told, and findings on files that do not run")
    parser.add_argument("--keep", type=pathlib.Path, help="keep what is made in this folder")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if arguments.node_tests:
            good &= measure_files(arguments.tool, "node tests", list(node_tests(folder)), arguments.list)
        if arguments.files:
            good &= measure_files(arguments.tool, "files", list(given_files(arguments.files)), arguments.list)
        if arguments.mutants:
            good &= measure_mutants(arguments.tool, arguments.files, arguments.mutants, arguments.seed, folder, arguments.list)
        if arguments.baked:
            good &= measure_baked(arguments.tool, arguments.files, arguments.baked, arguments.seed, folder, arguments.list)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
