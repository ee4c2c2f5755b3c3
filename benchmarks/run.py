"""Prints how much time and memory the program takes, as ratios of interleaved runs.

    benchmarks/run.py BUILD_FOLDER
"""

import os
import shutil
import statistics
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pages

ROUNDS = 15
MANY = 21


class Run:
    """Wall time, processor time and peak memory of one run of a command."""

    def __init__(self, command, folder=None):
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1):
            sys.exit(f"exit status {process.returncode}: {' '.join(map(str, command))}")
        self.wall = time.perf_counter() - start
        self.processor = usage.ru_utime + usage.ru_stime
        self.megabytes = usage.ru_maxrss / 1024


def interleaved(*commands, rounds=ROUNDS, folder=None):
    """The runs of each command, interleaved, after one that warms the page cache."""
    for command in commands:
        Run(command, folder)
    taken = [[Run(command, folder) for command in commands] for _ in range(rounds)]
    return [list(runs) for runs in zip(*taken, strict=False)]


def median(runs, what):
    return statistics.median(getattr(run, what) for run in runs)


def save_models(folder):
    """A model of 1 MB, one of 1 GB, a ResNet-18, and a small one in the formats that are read without LibTorch."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples" / "models"))
    import onnx
    import torch
    from resnet import ResNet18

    warnings.simplefilter("ignore", DeprecationWarning)
    folder.mkdir(parents=True, exist_ok=True)
    for name, width in (("small", 512), ("large", 16384)):
        if not (folder / f"{name}.pt").exists():
            model = torch.nn.Sequential(torch.nn.Linear(width, width))
            torch.jit.script(model).save(str(folder / f"{name}.pt"))
    torch.jit.script(ResNet18().eval()).save(str(folder / "resnet18.pt"))
    torch.export.save(torch.export.export(torch.nn.Linear(8, 8).eval(), (torch.rand(1, 8),)), folder / "small.pt2")
    graph = onnx.parser.parse_graph("relu (float[1, 8] x) => (float[1, 8] y) { y = Relu(x) }")
    onnx.save(onnx.helper.make_model(graph), folder / "small.onnx")


def startup(program, bare, models):
    check, floor = interleaved([program, models / "small.pt"], [bare])
    check_time, floor_time = median(check, "wall"), median(floor, "wall")
    print(f"check a small model / a bare program with LibTorch: {check_time:.3f} s / {floor_time:.3f} s"
          f" = {check_time / floor_time:.2f} (aim <= 1.15)")
    for name in ("small.onnx", "small.pt2"):
        (runs,) = interleaved([program, models / name])
        print(f"check {name}, which needs no LibTorch: {median(runs, 'wall') * 1000:.0f} ms (aim <= 25)")


def size(program, models):
    large, small = interleaved([program, models / "large.pt"], [program, models / "small.pt"])
    large_time, small_time = median(large, "wall"), median(small, "wall")
    more = median(large, "megabytes") - median(small, "megabytes")
    print(f"a model of 1 GB / one of 1 MB: {large_time:.3f} s / {small_time:.3f} s = {large_time / small_time:.2f}"
          f" (aim <= 1.1), {more:+.1f} MB (aim <= 30)")


def fingerprint(program, models):
    """The speed of reading and hashing 1 GB of weights, against other programs that read the same file."""
    file = models / "large.pt"
    inspect = [program, "inspect", file]
    commands = {"ours": inspect, "rest": [*inspect, "--no-fingerprint"], "plain read": ["cat", file]}
    if shutil.which("xxhsum"):
        commands["xxhsum -H2"] = ["xxhsum", "-H2", file]
    else:
        print("fingerprint: not compared with xxhsum, which is not installed (Debian package xxhash)")
    walls = {name: median(runs, "wall") for name, runs in zip(commands, interleaved(*commands.values(), rounds=7), strict=False)}
    own = walls["ours"] - walls["rest"]
    gigabytes = file.stat().st_size / 1e9
    for name in list(commands)[2:]:
        print(f"fingerprint / {name}: {gigabytes / own:.2f} GB/s / {gigabytes / walls[name]:.2f} GB/s"
              f" = {walls[name] / own:.2f} (aim >= 0.8 of either)")


def weight_ranges(program, models):
    """The speed of weight-range over 1 GB of weights, against numpy's minimum and maximum of the same numbers in memory."""
    import numpy as np

    def check(rule):
        return [program, "check", "--isolated", "--select", rule, models / "large.pt"]
    with_weights, without = (median(runs, "wall") for runs in interleaved(check("weight-range"), check("old-format"), rounds=7))
    numbers = np.random.default_rng(1).standard_normal(16384 * 16384, np.float32)
    took = []
    for _ in range(7):
        start = time.perf_counter()
        numbers.min(), numbers.max()
        took.append(time.perf_counter() - start)
    own, theirs = with_weights - without, statistics.median(took)
    print(f"weight-range / numpy's min() and max(): {numbers.nbytes / 1e9 / own:.2f} GB/s / {numbers.nbytes / 1e9 / theirs:.2f} GB/s"
          f" = {theirs / own:.2f} (aim >= 0.5)")


def tracing(program, models):
    """Tracing the shapes of a large model should cost as much as of a small one, and little more than no tracing."""
    def graph(name, *shape):
        return [program, "graph", *shape, models / f"{name}.pt"]
    large, small, untraced = interleaved(graph("large", "--input", "1x16384"), graph("small", "--input", "1x512"),
                                         graph("large"))
    times = [median(runs, "wall") for runs in (large, small, untraced)]
    more = median(large, "megabytes") - median(untraced, "megabytes")
    print(f"shapes of a model of 1 GB / of one of 1 MB: {times[0]:.3f} s / {times[1]:.3f} s = {times[0] / times[1]:.2f}"
          f" (aim <= 1.1)")
    print(f"its graph with shapes / without: {times[0]:.3f} s / {times[2]:.3f} s = {times[0] / times[2]:.2f},"
          f" {more:+.1f} MB (aim <= 100)")


def many(program, bare, models):
    folder = models / "many"
    folder.mkdir(exist_ok=True)
    for number in range(MANY):
        link = folder / f"resnet18_{number}.pt"
        link.unlink(missing_ok=True)
        os.link(models / "resnet18.pt", link)
    files = sorted(folder.iterdir())
    commands = [[program, "-j", "1", *files], [program, "-j", "1", files[0]], [bare, *files], [bare, files[0]]]
    project = Path(__file__).resolve().parents[1]
    for where, said in ((folder, ""), (project, " in the folder of their source")):
        runs = interleaved(*commands, rounds=5, folder=where)
        whole, one, loaded, loaded_one = (median(each, "processor") for each in runs)
        each, load = (whole - one) / (MANY - 1), (loaded - loaded_one) / (MANY - 1)
        print(f"each further ResNet-18 of a run over {MANY} files{said} / LibTorch's own load of it: {each * 1000:.1f} ms /"
              f" {load * 1000:.1f} ms of one core = {each / load:.2f}")
        if where == project:
            print(f"the first of them, with what the source is asked: {one * 1000:.0f} ms of one core")


def scale(graph_scale):
    runs = [subprocess.run([graph_scale], capture_output=True, text=True, check=True).stdout for _ in range(5)]
    rows = [[line.split() for line in run.splitlines()] for run in runs]
    per_op = []
    for same_size in zip(*rows, strict=False):
        build, lint = (statistics.median(float(row[column]) for row in same_size) for column in (1, 2))
        per_op.append(lint)
        print(f"graph of {same_size[0][0]} ops: built in {build * 1e9:.0f} ns an op, linted in {lint * 1e9:.0f} ns"
              f" an op, {same_size[0][3]} findings")
    print(f"linting an op, slowest size / fastest: {max(per_op) / min(per_op):.2f} (aim <= 1.5)")


def arrays(build):
    """What the Python library needs for two arrays of 400 MB; `verify_kernels` prints the same for comparing alone."""
    os.environ["MODEL_VALIDATOR_PREFIX"] = str(build)
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
    import torch

    import model_validator as mv

    torch.manual_seed(1)
    first = torch.randn(100_000_000)
    second = first + 1e-6 * torch.randn_like(first)
    def compare(checker):
        mv.verify([first[:1]], lambda _: first, lambda _: second, mv.VerifyConfig(value_checker=checker))
    correlation, default, sums = "correlation alone", "the default rule, which also groups elements by their scale", "sums"
    works = {
        correlation: lambda: compare(mv.AutomaticValueChecker()),
        default: lambda: compare(mv.DefaultValueChecker()),
        sums: lambda: first.sum() + second.sum(),
    }
    took = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            took[name].append(time.perf_counter() - start)
    theirs = min(took[sums]) * 1000
    for name in (correlation, default):
        ours = min(took[name]) * 1000
        print(f"mv.verify of two float32 arrays of 400 MB by {name} / a.sum() + b.sum(): {ours:.1f} ms / {theirs:.1f} ms"
              f" = {ours / theirs:.2f}" + (" (aim: that of all metrics of 1e+08 float32 pairs)" if name == correlation else ""))


def main():
    build = Path(sys.argv[1]).resolve()
    program, models = build / "bin" / "model_validator", build / "benchmarks" / "models"
    save_models(models)
    startup(program, build / "bin" / "bare_libtorch", models)
    size(program, models)
    fingerprint(program, models)
    weight_ranges(program, models)
    tracing(program, models)
    many(program, build / "bin" / "bare_libtorch", models)
    scale(build / "bin" / "graph_scale")
    pages.measure(program, models / "resnet18.pt")
    arrays(build)
    subprocess.run([build / "bin" / "verify_kernels"], check=True)


if __name__ == "__main__":
    main()
