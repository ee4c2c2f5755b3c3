"""Writes small TorchScript files that mean harm, and runs the program on each: it must answer, soon, and nothing of the file may run.

    hostile_scripts_test.py PROGRAM FOLDER
"""

import json
import os
import resource
import struct
import sys
import time
import zipfile
from pathlib import Path
from typing import NamedTuple

sys.path.append(str(Path(__file__).resolve().parents[2] / "support"))

import preloaded

SECONDS, MEGABYTES = 30, int(os.environ["MEGABYTES"])
CHECK = ["check", "--output-format", "json"]
WITH_INPUT = [*CHECK, "--input", "x=1x4"]
CLASS = "class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n  training : bool\n"
FORWARD = "  def forward(self: __torch__.M,\n    x: Tensor) -> Tensor:\n"
RELU = FORWARD + "    return torch.relu(x)\n"
BOUNDED = {
    **dict.fromkeys(("lists_doubled", "lists_of_any", "lists_shared"), "too-large"),
    **dict.fromkeys(("chain_of_namespaces", "early_returns", "named_tuples", "tuples", "tuples_of_constants", "unrolled"), "too-deep"),
}
HOOK = "  def h(self: __torch__.M,\n    input: Tuple[Tensor],\n    output: Tensor) -> NoneType:\n    return None\n"
SMALLEST = "-9223372036854775807 - 1"


def text(value: str) -> bytes:
    return b"X" + struct.pack("<I", len(value.encode())) + value.encode()


def pickled(value: bytes) -> bytes:
    return b"\x80\x02" + value + b"."


DATA = pickled(b"c__torch__\nM\n)\x81}(" + text("training") + b"\x89ub")
STATE = pickled(b"c__torch__\nM\n)\x81(K\x01K\x02tb")


def forward(*lines: str) -> str:
    return CLASS + FORWARD + "".join(f"    {line}\n" for line in lines)


def doubling(first: str, each: str, times: int, *after: str) -> str:
    """`each` with `T` for the next of the variables t0, t1… and `S` for the one before."""
    lines = [each.replace("T", f"t{k}").replace("S", f"t{k - 1}") for k in range(1, times + 1)]
    return forward(f"t0 = {first}", *lines, *after)


def evaluated(canary: Path) -> dict[str, str]:
    """Places in code that LibTorch evaluates while it imports it."""
    save = f'(torch.save("x", {json.dumps(str(canary))}), 3)[1]'
    helper = f"def p() -> int:\n  n = {save}\n  return 3\n"
    default = "  def forward(self: __torch__.M,\n    x: Tensor,\n    n: int={}) -> Tensor:\n    return torch.relu(x)\n"
    return {
        "default": CLASS + default.format(save),
        "default_of_helper": CLASS + default.format("__torch__.p()") + helper,
        "default_on_next_line": CLASS + default.format("\n      " + save),
        "default_behind_comment": CLASS + default.format(" # 3\n    " + save),
        "default_in_list": CLASS + default.format(f"[{save}][0]"),
        "default_after_texts": CLASS + default.format('3,\n    s: str=\'"\',\n    m: int=' + save),
        "constant": CLASS + f"  k : Final[int] = {save}\n" + RELU,
        "constant_continued": CLASS + f"  k : Final[int] = \\\n{save}\n" + RELU,
        "function": forward("return __torch__.f(x, )") + f"def f(x: Tensor,\n    n: int={save}) -> Tensor:\n  return x\n",
        "function_in_function": forward(f"def g(n: int={save}) -> int:", "  return n", "return x"),
        "named_tuple": forward("t = __torch__.T(x)", "return x") + f"class T(NamedTuple):\n  a : Tensor\n  b : int = {save}\n",
        "interface": CLASS + "  i : __torch__.I\n" + RELU + f"class I(Interface):\n  def go(self,\n    n: int={save}) -> int:\n    pass\n",
        "class_for_namespace": CLASS + default.format("__torch__.a.P(1)") + "class a(Module):\n  training : bool\n",
    }


def trapping() -> dict[str, str]:
    """Arithmetic of constants, which LibTorch folds while it imports code."""
    expressions = {
        "remainder": "torch.remainder(5, 0)", "percent": "5 % 0", "floor": f"torch.floordiv({SMALLEST}, -1)",
        "round": "torch.__round_to_zero_floordiv(5, 0)", "gcd": f"torch.gcd(-1, {SMALLEST})",
        "divmod": f"torch.divmod({SMALLEST}, -1)[0]", "types": "torch.promote_types(0, 640000)",
        "shift": "torch.__lshift__(1, 6400)", "factorial": "torch.factorial(9000000000000)",
        "width": 'torch.len(torch.ljust("a", 20000000000, "b"))', "count": 'torch.count("a", "", 0, 1)',
    }
    files = {name: forward(f"n = {value}", "return torch.add(x, n)") for name, value in expressions.items()}
    index = ["j = torch.__derive_index(i, 0, 4294967296)", "k = torch.__derive_index(j, 0, 4294967296)"]
    arms = ["if torch.eq(k, 5):", "  z0 = torch.relu(z)", "else:", "  z0 = z", "z = z0"]
    files["progression"] = forward("z = x", "for i in range(10):", *("  " + line for line in index + arms), "return z")
    return files


def growing() -> dict[str, str]:
    """Code of a few kilobytes, or a few that are packed, that unfolds."""
    lists = "List[" * 40 + "Tensor" + "]" * 40
    appended = "T = annotate(List[Any], [])\n    _0 = torch.append(T, S)\n    _1 = torch.append(T, S)"
    classes = "".join(f"class N{k}(NamedTuple):\n  a : __torch__.N{k - 1}\n  b : __torch__.N{k - 1}\n" for k in range(1, 40))
    exits = [line for k in range(3000) for line in (f"if bool(torch.gt(torch.sum(x), {k})):", f"  return torch.add(x, {k})")]
    calls = "".join(f"def f{k}(x: Tensor) -> Tensor:\n  t = __torch__\n  return t.f{k + 1}(x, )\n" for k in range(20000))
    return {
        "lists_doubled": doubling("[x, x]", "T = torch.add(S, S)", 32, "return t32[0]"),
        "lists_shared": doubling("[x, x]", "T = [S, S]", 39, "return t39").replace("-> Tensor", "-> " + lists),
        "lists_of_any": doubling("annotate(List[Any], [x])", appended, 60, "print(t60)", "return x"),
        "tuples": doubling("(x, x)", "T = (S, S)", 40, "return x"),
        "tuples_of_constants": doubling("(1, 2)", "T = (S, S)", 40, "print(t40)", "return x"),
        "texts": doubling('"aaaaaaaa"', "T = torch.add(S, S)", 40, "print(t40)", "return x"),
        "named_tuples": forward("return x") + "  def g(self: __torch__.M,\n    p: __torch__.N39) -> Tensor:\n    return p.a.a.a\n"
        + "class N0(NamedTuple):\n  a : Tensor\n  b : Tensor\n" + classes,
        "early_returns": forward(*exits, "return x"),
        "unrolled": forward("y = x", *("  " * k + f"for i{k} in (1, 2, 3, 4, 5, 6, 7, 8):" for k in range(9)),
                            "  " * 9 + "y = torch.relu(y)", "return y"),
        "chain_of_namespaces": forward("t = __torch__", "return t.f0(x, )") + calls + "def f20000(x: Tensor) -> Tensor:\n  return x\n",
    }


def uncertain() -> dict[str, list[str]]:
    """Operators and classes of torch that reach memory of the file's choice, or are not known not to."""
    return {
        "reinterprets": ["return ops.inductor._reinterpret_tensor(x, [4], [1], 100000)"],
        "allocates": ["return ops.inductor._alloc_from_pool(x, 100000, 6, [4], [1])"],
        "sets": ["return torch.set_(x, x, 100000, [4], [1])"],
        "resizes": ["return torch.resize_(x, [1000])"],
        "unsafe_sparse": ["return torch._sparse_coo_tensor_unsafe(torch.ones([1, 1], dtype=4), x, [4])"],
        "class": ["m = __torch__.torch.classes._nnapi.Compilation.__new__(__torch__.torch.classes._nnapi.Compilation)",
                  "_0 = (m).__init__()", "return x"],
    }


def out_of_range() -> dict[str, list[str]]:
    """Numbers that stand for a dtype, a layout or a memory format, and are none."""
    return {
        "dtype": ["n = torch.sub(torch.len([1]), 2)", "return torch.zeros([2], dtype=n)"],
        "memory_format": ["n = torch.add(torch.len([1]), 3)", "return torch.contiguous(torch.ones([1, 2, 3, 4], dtype=4), memory_format=n)"],
        "strided": ["y = torch.as_strided(torch.ones([4], dtype=4), [400000], [1], 0)", "return torch.add(x, torch.sum(y))"],
    }


def sparse() -> bytes:
    """Data with a sparse tensor of four elements, whose indices lie far outside."""
    def tensor(key: str, *sizes: int) -> bytes:
        storage = b"(" + text("storage") + b"ctorch\nLongStorage\n" + text(key) + text("cpu") + b"K\x04tQ"
        numbers = [b"(" + b"".join(map(integer, each)) + b"t" for each in (sizes, [1] * len(sizes))]
        return b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage + b"K\0" + b"".join(numbers) + b"\x89ccollections\nOrderedDict\n)RtR"

    made = b"ctorch._utils\n_rebuild_sparse_tensor\n(K\x01(K\x04t\x89" + tensor("0", 1, 4) + tensor("1", 4) + b"tR"
    return pickled(b"c__torch__\nM\n)\x81}(" + text("training") + b"\x89" + text("w") + made + b"ub")


def unfit() -> dict[str, list[str]]:
    """Tensors and sizes that do not fit each other, which kernels take for granted."""
    norm = "torch.native_group_norm(torch.ones([2, 3], dtype=4), None, None, 1000, 3, 1000, 1, 0.1)"
    return {
        "group_norm": [f"y, m, r = {norm}", "return torch.add(x, torch.sum(y))"],
        "weight_norm": ["y = torch._weight_norm(torch.ones([2, 3]), torch.ones([0]), 0)", "return torch.add(x, torch.sum(y))"],
        "no_weights": ["w = annotate(List[Tensor], [])", "h = torch.ones([1, 1, 4])",
                       "y, a, b = torch.lstm(torch.ones([1, 1, 4]), [h, h], w, True, 1, 0., False, False, False)", "return y"],
    }


def debug_table() -> bytes:
    """A table of source text that joins one text of a megabyte 100,000 times."""
    source = b"((" + b"K\0" * 100000 + b"tK\x01K\0t"
    return pickled(b"(" + text("FORMAT_WITH_STRING_TABLE") + b"(" + text("a" * 1000000) + text("f.py") + b"t((K\0(" + source + b"K\0K\x05tK\0Nttt")


def long_file_name(sources: int, places: int) -> bytes:
    """A table of so many sources, each with so many places, that share one name of a file: a megabyte."""
    strings = b"(" + text("a" * 1000000 + ".py") + text("x\n" * places) + b"t"
    records = b""
    for number in range(sources):
        source = b"((K\x01tK\0K\0tq\x01"
        records += b"(" + integer(number) + b"(" + source + integer(0) + integer(1) + b"tK\0t"
    for number in range(places):
        records += b"(" + integer(40 + number) + b"(h\x01" + integer(2 * number) + integer(2 * number + 1) + b"tK\0t"
    return pickled(b"(" + text("FORMAT_WITH_STRING_TABLE") + strings + b"(" + records + b"tt")


def integer(value: int) -> bytes:
    return b"J" + struct.pack("<i", value)


def write(path: Path, code: str, data: bytes = DATA, more: dict[str, bytes] | None = None) -> Path:
    members = {"version": b"3\n", "data.pkl": data, "code/__torch__.py": code.encode(), "constants.pkl": pickled(b")"), **(more or {})}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr("m/" + name, content)
    return path


def long_name() -> tuple[str, bytes]:
    """Code and data of a part with a name of 100 kB, which is in the path of each of its 20,000 attributes."""
    name, attributes = "a" * 100000, [f"i{k}" for k in range(20000)]
    part = "class C(Module):\n  training : bool\n" + "".join(f"  {attribute} : int\n" for attribute in attributes)
    code = CLASS + f"  {name} : __torch__.C\n" + RELU + part + "  def forward(self: __torch__.C,\n    x: Tensor) -> Tensor:\n    return x\n"
    state = text("training") + b"\x89" + b"".join(text(attribute) + b"K\0" for attribute in attributes)
    return code, pickled(b"c__torch__\nM\n)\x81}(" + text("training") + b"\x89" + text(name) + b"c__torch__\nC\n)\x81}(" + state + b"ubub")


class Case(NamedTuple):
    file: Path
    command: list[str]
    kind: str = ""
    """Of the error that the reader itself must give, before the sandbox has to; empty where another answer is right as well."""


def files(folder: Path, canary: Path) -> list[Case]:
    made = [Case(write(folder / f"{name}.pt", code), CHECK) for name, code in trapping().items()]
    made += [Case(write(folder / f"{name}.pt", code), CHECK, "unsafe-op") for name, code in evaluated(canary).items()]
    made += [Case(write(folder / f"{name}.pt", code), CHECK, BOUNDED.get(name, "")) for name, code in growing().items()]
    made.append(Case(write(folder / "packed.pt", CLASS + RELU + "# " + "a" * (24 << 20) + "\n"), CHECK, "zip-bomb"))
    made.append(Case(write(folder / "debug_table.pt", CLASS + RELU, more={"code/__torch__.py.debug_pkl": debug_table()}), CHECK))
    lines = forward(*["x = torch.relu(x)"] * 3000, "return x")
    for name, table in {"many": long_file_name(3000, 1), "one": long_file_name(1, 80000)}.items():
        more = {"code/__torch__.py.debug_pkl": table}
        made.append(Case(write(folder / f"long_file_name_{name}.pt", lines, more=more), CHECK))
    name = "i" * 1000000
    uses = CLASS + FORWARD.replace("x", name) + f"    y = {name}\n    x = y\n" + "    x = torch.add(x, y)\n" * 3000 + "    return x\n"
    made.append(Case(write(folder / "long_name_of_input.pt", uses), CHECK, "too-large"))
    made.append(Case(write(folder / "long_name.pt", *long_name()), CHECK, "too-large"))
    save = f'torch.save("x", {json.dumps(str(canary))})'
    state = (CLASS + RELU + "  def __getstate__(self: __torch__.M) -> Tuple[int, int]:\n    return (1, 2)\n"
             "  def __setstate__(self: __torch__.M,\n    state: Tuple[int, int]) -> NoneType:\n    self.training = False\n")
    indices = {"data/0": struct.pack("<4q", 0, 1 << 40, 1 << 41, -(1 << 40)), "data/1": bytes(32)}
    holds_sparse = CLASS + "  w : Tensor\n" + FORWARD + "    return torch.to_dense(self.w)\n"
    mapped = f"torch.from_file({json.dumps(str(canary))}, True, 4, dtype=6)"
    made += [
        Case(write(folder / "setstate_saves.pt", state + f"    {save}\n    return None\n", STATE), WITH_INPUT, "unsafe-op"),
        Case(
            write(
                folder / "setstate_loops.pt",
                state + "    n = 0\n    while True:\n      n = torch.add(n, 1)\n    return None\n",
                STATE,
            ),
            [*WITH_INPUT, "--max-steps", "100000"],
            "too-long",
        ),
        Case(write(folder / "forward_saves.pt", forward(save, "return x")), WITH_INPUT, "unsafe-op"),
        Case(write(folder / "forward_maps.pt", forward(f"return {mapped}")), WITH_INPUT, "unsafe-op"),
        *(Case(write(folder / f"forward_{name}.pt", forward(*lines)), WITH_INPUT, "unsafe-op") for name, lines in uncertain().items()),
        *(Case(write(folder / f"forward_{name}.pt", forward(*lines)), WITH_INPUT, "run-failed") for name, lines in out_of_range().items()),
        *(Case(write(folder / f"unfit_{name}.pt", forward(*lines)), WITH_INPUT, "run-failed") for name, lines in unfit().items()),
        Case(write(folder / "cut_short.pt", "class M(Modu"), CHECK),
        Case(write(folder / "hook_missing.pt", CLASS + '  __forward_hooks__ = ["h", ]\n' + RELU), CHECK, "damaged-file"),
        Case(write(folder / "hook_before_its_list.pt", CLASS + HOOK + '  __forward_hooks__ = ["h", ]\n' + RELU), CHECK, "damaged-file"),
        Case(write(folder / "hook.pt", CLASS + '  __forward_hooks__ = ["h", ]\n' + HOOK + RELU), CHECK),
        Case(write(folder / "sparse.pt", holds_sparse, sparse(), indices), WITH_INPUT, "unsafe-op"),
        Case(write(folder / "sparse_lint.pt", holds_sparse, sparse(), indices), CHECK),
        Case(write(folder / "forward_maps_lint.pt", forward(f"return {mapped}")), CHECK),
    ]
    return made


def fault(program: str, case: Case, canary: Path) -> str:
    """What is wrong with how the program answers; empty if nothing is."""
    start = time.monotonic()
    done = preloaded.run([program, *case.command, case.file])
    if canary.exists():
        canary.unlink()
        return "code of the file ran"
    if done.returncode not in (0, 1, 2):
        return f"ended with {done.returncode} after {time.monotonic() - start:.1f} s"
    kind = (json.loads(done.stdout)["models"][0]["error"] or {}).get("kind", "")
    return "" if case.kind in ("", kind) else f"is answered with {kind or 'no error'} rather than {case.kind}"


def main() -> int:
    program, folder = sys.argv[1], Path(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))  # of each process
    folder.mkdir(parents=True, exist_ok=True)
    canary = folder / "canary"
    canary.unlink(missing_ok=True)
    only = sys.argv[3] if len(sys.argv) > 3 else ""
    cases = [case for case in files(folder, canary) if only in case.file.name]
    faults = [(case.file.name, what) for case in cases if (what := fault(program, case, canary))]
    if started := preloaded.program(program):
        started.close()
    if (megabytes := resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10) > MEGABYTES:
        faults.append(("one of them", f"took {megabytes} MB"))
    for name, what in faults:
        print(f"{name}: {what}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
