#!/usr/bin/env python3
"""What the program says of many files, before a change and after it.

    tools/ecosystem.py corpus FOLDER [MODELS…]   ONNX's own node tests, published files of installed packages, models without declared types
    tools/ecosystem.py dump PROGRAM OUT CORPUS…  every command over every file of the folders
    tools/ecosystem.py compare BEFORE AFTER      two dumps, byte for byte; status 1 where they differ
    tools/ecosystem.py run --base BASE --tool PROGRAM --folder FOLDER [MODELS…]   all of it: BASE is a revision, which is built, or a program

A dump is a folder with a file of JSON per command, which holds what it printed by file. `compare` prints each difference once, with the
number of files that show it.
"""
from __future__ import annotations

import argparse
import collections
import concurrent.futures
import difflib
import functools
import itertools
import json
import os
import pathlib
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator, Sequence

Answers = dict[str, str]   # file, or two of them -> what was printed
SUFFIXES = (".onnx", ".pt", ".pt2", ".ts", ".jit")
ONE_MODEL = {
    "graph": ["graph"],
    "inspect": ["inspect", "--output-format", "json"],
    "partition": ["partition", "--output-format", "json", "--target", "tensorrt-onnx,tensorrt,openvino-onnx,openvino"],
    "quantise-plan": ["quantise-plan", "--output-format", "json"],
}
COMMANDS = ("check", *ONE_MODEL, "diff")
MAX_CHECKED = 200            # files for one process
MAX_STRIPPED_BYTES = 30 << 20
MAX_SECONDS = 600
MAX_FILES_NAMED = 3
MAX_LINES = 12
MAX_WIDTH = 200
ALL_RULES = "GRA,MET,NUM,QNT,SER,SHP,TGT"


def models_in(folder: pathlib.Path) -> list[pathlib.Path]:
    return sorted(file for file in folder.rglob("*") if file.suffix in SUFFIXES and file.is_file())


# Corpus

def write_node_tests(folder: pathlib.Path) -> None:
    from onnx.backend.test.case.node import collect_testcases
    folder.mkdir(parents=True, exist_ok=True)
    for case in collect_testcases(None):
        (folder / f"{case.name}.onnx").write_bytes(case.model.SerializeToString())


def link_published(folder: pathlib.Path) -> None:
    packages = pathlib.Path(sysconfig.get_path("purelib"))
    folder.mkdir(parents=True, exist_ok=True)
    for number, file in enumerate(models_in(packages)):
        (folder / f"{number}_{file.name}").symlink_to(file)


def write_without_types(models: Iterable[pathlib.Path], folder: pathlib.Path) -> None:
    """Copies that declare nothing between inputs and outputs: all that is known follows from the operators."""
    import onnx
    folder.mkdir(parents=True, exist_ok=True)
    for number, file in enumerate(models):
        if file.suffix != ".onnx" or file.stat().st_size > MAX_STRIPPED_BYTES:
            continue
        model = onnx.load(file, load_external_data=False)
        for graph in (model.graph, *model.functions):
            del graph.value_info[:]
        for output in model.graph.output:
            if output.type.HasField("tensor_type"):
                output.type.tensor_type.ClearField("shape")
        (folder / f"{number}_{file.name}").write_bytes(model.SerializeToString())


def write_corpus(to: pathlib.Path, models: list[pathlib.Path]) -> None:
    write_node_tests(to / "node_tests")
    link_published(to / "published")
    files = [file for folder in models for file in models_in(folder)]
    write_without_types([*models_in(to / "node_tests"), *files], to / "without_types")


def make_corpus(options: argparse.Namespace) -> int:
    write_corpus(options.folder, options.models)
    return 0


# Dump

def printed(program: pathlib.Path, arguments: list[str]) -> str:
    try:
        run = subprocess.run([program, *arguments], capture_output=True, text=True, check=False, timeout=MAX_SECONDS, errors="replace")
    except subprocess.TimeoutExpired:
        return "no answer in time"
    return run.stdout or f"status {run.returncode}: {run.stderr}"


def targets_of(program: pathlib.Path) -> str:
    return ",".join(sorted(each["name"] for each in json.loads(printed(program, ["targets", "--format", "json"]))["targets"]))


def check(program: pathlib.Path, targets: str, files: Sequence[pathlib.Path]) -> Answers:
    """All rules, for all targets."""
    text = printed(program, ["check", "--isolated", "--jobs", "1", "--target", targets, "--extend-select", ALL_RULES, "--output-format", "json",
                             "-q", *map(str, files)])
    if not text.startswith("{"):
        return {str(file): text for file in files}
    return {model["path"]: json.dumps(model, indent=1) for model in json.loads(text)["models"]}


def jobs_over(program: pathlib.Path, files: list[pathlib.Path]) -> Iterator[tuple[str, Callable[[], Answers]]]:
    targets = targets_of(program)
    for start in range(0, len(files), MAX_CHECKED):
        yield "check", functools.partial(check, program, targets, files[start:start + MAX_CHECKED])
    lines = [(name, [*command, str(file)]) for name, command in ONE_MODEL.items() for file in files]
    lines += [("diff", ["diff", "--output-format", "json", str(first), str(second)])
              for first, second in itertools.pairwise(files) if first.parent == second.parent]
    for name, line in lines:
        paths = " ".join(line[-2:] if name == "diff" else line[-1:])
        yield name, lambda line=line, paths=paths: {paths: printed(program, line)}


def write_dump(program: pathlib.Path, to: pathlib.Path, corpus: list[pathlib.Path], jobs: int, commands: Sequence[str]) -> None:
    files = [file for folder in corpus for file in models_in(folder)]
    answers: dict[str, Answers] = collections.defaultdict(dict)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for name, job in [(name, pool.submit(job)) for name, job in jobs_over(program, files) if name in commands]:
            answers[name] |= job.result()
    to.mkdir(parents=True, exist_ok=True)
    for name, of_files in answers.items():
        (to / f"{name}.json").write_text(json.dumps(of_files, indent=0, sort_keys=True))
    print(f"{len(files)} files, {sum(map(len, answers.values()))} answers in {to}")


def dump(options: argparse.Namespace) -> int:
    write_dump(options.program, options.out, options.corpus, options.jobs, options.only or COMMANDS)
    return 0


# Comparison

def changed_lines(before: str, after: str) -> list[str]:
    """What a reader would look at: the lines that went and came, without where they stand."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    return [line for line in itertools.islice(lines, 2, None) if not line.startswith("@@")]


def report_command(name: str, before: Answers, after: Answers) -> int:
    """How many files differ. Each difference is printed once, the most frequent first."""
    by_difference: dict[str, list[str]] = collections.defaultdict(list)
    for file in sorted(before.keys() | after.keys()):
        if before.get(file) != after.get(file):
            by_difference["\n".join(changed_lines(before.get(file, ""), after.get(file, "")))].append(file)
    differing = sum(map(len, by_difference.values()))
    print(f"{name}: {differing} of {len(before.keys() | after.keys())} differ")
    for difference, files in sorted(by_difference.items(), key=lambda item: -len(item[1])):
        more = f" and {len(files) - MAX_FILES_NAMED} more" if len(files) > MAX_FILES_NAMED else ""
        print(f"  {', '.join(files[:MAX_FILES_NAMED])}{more}")
        lines = difference.splitlines()
        for line in lines[:MAX_LINES]:
            print(f"    {line[:MAX_WIDTH]}")
        if len(lines) > MAX_LINES:
            print(f"    … {len(lines) - MAX_LINES} more lines")
    return differing


def read(folder: pathlib.Path, name: str) -> Answers:
    return json.loads((folder / f"{name}.json").read_text())


def report(before: pathlib.Path, after: pathlib.Path) -> int:
    both = [name for name in COMMANDS if (before / f"{name}.json").exists() and (after / f"{name}.json").exists()]
    return int(sum(report_command(name, read(before, name), read(after, name)) for name in both) > 0)


def compare(options: argparse.Namespace) -> int:
    return report(options.before, options.after)


def built(base: str, folder: pathlib.Path) -> pathlib.Path:
    """A program that is there already, or the one that a revision builds with the packages of this tree."""
    if pathlib.Path(base).is_file():
        return pathlib.Path(base)
    source = folder / "source"
    if not source.exists():
        subprocess.run(["git", "worktree", "add", "--detach", "--force", source, base], check=True)
        for shared in (".venv", ".cache"):
            (source / shared).symlink_to(pathlib.Path(shared).resolve())
    subprocess.run(["git", "-C", source, "checkout", "--quiet", "--detach", base], check=True)
    subprocess.run(["make", "--no-print-directory", "-C", source, "runtime"], check=True)
    return source / "build/dev/bin/model_validator"


def run(options: argparse.Namespace) -> int:
    folder = options.folder.resolve()
    corpus = folder / "corpus"
    if not corpus.exists():
        write_corpus(corpus, options.models)
    for program, name in ((built(options.base, folder), "before"), (options.tool, "after")):
        write_dump(program, folder / name, [corpus, *options.models], options.jobs, COMMANDS)
    return report(folder / "before", folder / "after")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)

    def command(work: Callable[[argparse.Namespace], int], *names: str) -> argparse.ArgumentParser:
        added = commands.add_parser(work.__name__.removeprefix("make_"))
        added.set_defaults(work=work)
        for name in names:
            added.add_argument(name, type=pathlib.Path)
        return added

    corpus, dumped, _, whole = command(make_corpus, "folder"), command(dump, "program", "out"), command(compare, "before", "after"), command(run)
    dumped.add_argument("corpus", type=pathlib.Path, nargs="+")
    dumped.add_argument("--only", choices=COMMANDS, action="append", help="of these commands alone")
    whole.add_argument("--base", required=True)
    for option in ("--tool", "--folder"):
        whole.add_argument(option, type=pathlib.Path, required=True)
    for each in (corpus, whole):
        each.add_argument("models", type=pathlib.Path, nargs="*")
    for each in (dumped, whole):
        each.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    return options.work(options)


if __name__ == "__main__":
    sys.exit(main())
