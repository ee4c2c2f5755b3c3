#!/usr/bin/env python3
"""Decide which of torch's operators code of a file may use, and try those with arguments that mean harm.

    operators.py table    # writes src/connected_graph/torchscript/file/computing_operators.inc
    operators.py try      # runs each operator of the table; prints those that end the process

Both use the torch of the Python that runs them. `table` keeps the operators that other minor versions have, so that running it with each of
them makes one table for all: an operator that no table holds is not run. `operators.toml` says what is left out, and why.
"""

import argparse
import fnmatch
import mmap
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import tomllib
import torch

HERE = Path(__file__).parent
TABLE = HERE.parents[1] / "src" / "connected_graph" / "torchscript" / "file" / "computing_operators.inc"
MINOR = ".".join(torch.__version__.split(".")[:2])
MADE = "// Made by tools/security/operators.py from torch "
# checked_operators.cpp refuses any other number at run time.
ENUMERATIONS = {
    "dtype": [0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 12, 13, 14, 15, 24, None], "output_dtype": [0, 6, 7, None], "out_dtype": [0, 5, 6, 7, None],
    "layout": [0, 0, 0, 1, 2, None], "memory_format": [0, 1, 2, 3, None],
}
SHAPES = [(2, 3), (2, 3), (3, 3), (1, 4, 8, 8), (1, 4, 8, 8), (2, 4, 6), (4,), (6,), (0,), (), (0, 3), (1, 1, 1, 1), (2, 3, 4, 4, 4), (1,) * 8]
CALLS, SECONDS, GIGABYTES = 250, 3, 2


def key_of(schema: Any) -> str:
    return f"{schema.name}.{schema.overload_name}" if schema.overload_name else str(schema.name)


class Policy:
    def __init__(self) -> None:
        data = tomllib.loads((HERE / "operators.toml").read_text())
        self.namespaces: list[str] = data["namespaces"]
        self.checked: list[str] = data["checked"]
        self.rules: list[dict[str, Any]] = data["rule"]

    def reason_against(self, key: str) -> str:
        """Why an operator is left out; empty if it is not."""
        if key.split("::", maxsplit=1)[0] not in self.namespaces:
            return "its namespace is not one of those that compute"
        for rule in self.rules:
            if fits(key, rule["leave_out"]) and not fits(key, rule.get("allow", [])):
                return str(rule["why"])
        return ""


def fits(key: str, patterns: list[str]) -> bool:
    name = key.split(".", maxsplit=1)[0]
    return any(fnmatch.fnmatchcase(name, each) or fnmatch.fnmatchcase(key, each) for each in patterns)


def schemas_allowed() -> dict[str, Any]:
    policy = Policy()
    schemas = {key_of(each): each for each in torch._C._jit_get_all_schemas()}
    return {key: schema for key, schema in sorted(schemas.items()) if not policy.reason_against(key)}


def families_of(keys: set[str]) -> str:
    """`log/Tensor,out prim::max/,int`: each name with its overloads, of which one may have no name; without `aten::`."""
    overloads: dict[str, list[str]] = {}
    for key in keys:
        name, _, overload = key.removeprefix("aten::").partition(".")
        overloads.setdefault(name, []).append(overload)
    return " ".join(name if listed == [""] else f"{name}/{','.join(sorted(listed))}" for name, listed in sorted(overloads.items()))


def keys_in(families: str) -> Iterator[str]:
    for family in families.split():
        name, _, listed = family.partition("/")
        for overload in listed.split(","):
            yield ("" if "::" in name else "aten::") + name + ("." if overload else "") + overload


def write_table() -> None:
    policy, minors, known = Policy(), {MINOR}, set(schemas_allowed())
    if TABLE.exists():
        first, _, entries = TABLE.read_text().partition("\n")
        minors |= set(first.removeprefix(MADE).split(", "))
        known |= {key for key in keys_in(" ".join(re.findall('"(.+?)"', entries))) if not policy.reason_against(key)}
    in_order = sorted(minors, key=lambda minor: [int(part) for part in minor.split(".")])
    lines = textwrap.wrap(families_of(known), 126, break_long_words=False, break_on_hyphens=False)
    entries = "\n".join(f'"{line} "' for line in lines)
    TABLE.write_text(f"{MADE}{', '.join(in_order)}\n{entries}\n")
    print(f"{len(known)} operators of {len(torch._C._jit_get_all_schemas())}")


class Arguments:
    """Arguments that may be anything of their type; those near an ordinary call are the most likely."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def tensor(self) -> torch.Tensor:
        shape = self.chance.choice(SHAPES)
        kind = self.chance.random()
        if kind < 0.55:
            made = torch.randn(shape)
        elif kind < 0.75:
            made = torch.randint(-2, 6, shape).to(self.chance.choice([torch.int64, torch.int64, torch.int32, torch.uint8, torch.int8]))
        elif kind < 0.82:
            made = torch.full(shape, self.number(), dtype=torch.int64)
        elif kind < 0.88:
            made = torch.zeros(shape, dtype=self.chance.choice([torch.bool, torch.float64, torch.float16, torch.bfloat16, torch.complex64]))
        else:
            return self.quantized(shape)
        change = self.chance.random()
        if change < 0.1 and made.dim() > 1:
            made = made.transpose(0, -1)
        elif change < 0.15 and made.dim():
            made = made.select(-1, 0).unsqueeze(-1).expand(made.shape) if made.size(-1) else made
        elif change < 0.2:
            made = made.to(memory_format=torch.channels_last) if made.dim() == 4 else made
        return made

    def quantized(self, shape: tuple[int, ...]) -> torch.Tensor:
        kind = self.chance.choice([torch.quint8, torch.qint8, torch.qint32])
        if shape and shape[0] and self.chance.random() < 0.3:
            return torch.quantize_per_channel(torch.randn(shape), torch.rand(shape[0]) + 0.1, torch.zeros(shape[0], dtype=torch.int64), 0, kind)
        return torch.quantize_per_tensor(torch.randn(shape), 0.1, 3, kind)

    def number(self) -> int:
        if self.chance.random() < 0.7:
            return self.chance.choice([0, 1, 1, 1, 2, 2, 3, 4, -1, -2])
        return self.chance.choice([2**31 - 1, 2**31, 2**32, 2**40, 2**62, 2**63 - 1, -(2**63), -(2**31), -1000, 1000, 100, 7])

    def real(self) -> float:
        return self.chance.choice([0.0, 1.0, 0.5, 0.1, -1.0, 1e-30, 1e30, 1e300, float("nan"), float("inf"), float("-inf")])

    def packed(self, name: str) -> Any:
        weight = torch.quantize_per_tensor(torch.randn((3, 3)), 0.1, 0, torch.qint8)
        if "Conv" in name:
            dims = 3 if "Conv3d" in name else 2
            weight = torch.quantize_per_tensor(torch.randn((4, 4) + (3,) * dims), 0.1, 0, torch.qint8)
            prepack = getattr(torch.ops.quantized, f"conv{dims}d_prepack")
            return prepack(weight, None, [1] * dims, [0] * dims, [1] * dims, 1)
        if "Embedding" in name:
            table = torch.quantize_per_channel(torch.randn((10, 12)), torch.rand(10) + 0.1, torch.zeros(10), 0, torch.quint8)
            return torch.ops.quantized.embedding_bag_prepack(table)
        return torch.ops.quantized.linear_prepack(weight, None)

    def of(self, type_: Any) -> Any:
        kind = type_.kind()
        if kind == "OptionalType":
            return None if self.chance.random() < 0.5 else self.of(type_.getElementType())
        if kind == "ListType":
            return [self.of(type_.getElementType()) for _ in range(self.chance.choice([0, 1, 1, 2, 2, 2, 3, 4, 8]))]
        if kind == "DictType":
            return {self.of(type_.getKeyType()): self.of(type_.getValueType())}
        if kind == "TupleType":
            return tuple(self.of(each) for each in type_.elements())
        if kind == "ClassType":
            return self.packed(str(type_))
        makers: dict[str, Callable[[], Any]] = {
            "TensorType": self.tensor, "IntType": self.number, "SymIntType": self.number, "FloatType": self.real,
            "NumberType": lambda: self.chance.choice([self.number(), self.real(), True, 1j]),
            "BoolType": lambda: self.chance.random() < 0.5, "ComplexType": lambda: complex(self.real(), self.real()),
            "StringType": lambda: self.chance.choice(["", "mean", "a" * 1000, "ij,jk->ik", "nearest", "reflect", "floor", "\xff"]),
            "DeviceObjType": lambda: torch.device(self.chance.choice(["cpu", "cpu", "meta"])), "GeneratorType": lambda: None,
        }
        return makers.get(kind, lambda: self.chance.choice([self.number(), self.tensor(), [self.number()]]))()

    def call(self, schema: Any) -> tuple[list[Any], dict[str, Any]]:
        positional, named = [], {}
        for each in schema.arguments:
            if each.has_default_value() and self.chance.random() < 0.5:
                value = each.default_value
            elif each.name in ENUMERATIONS:
                value = self.chance.choice(ENUMERATIONS[each.name])
            else:
                value = self.of(each.type)
            if each.kwarg_only:
                named[each.name] = value
            else:
                positional.append(value)
        return positional, named


def attempt(schema: Any, progress: mmap.mmap) -> None:
    """Calls the operator many times; runs in a process of its own."""
    resource.setrlimit(resource.RLIMIT_DATA, (GIGABYTES << 30, GIGABYTES << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.alarm(SECONDS)
    torch.set_num_threads(1)
    if schema.overload_name:
        run = torch._C._get_operation_overload(schema.name, schema.overload_name)[0]
    else:
        run = torch._C._jit_get_operation(schema.name)[0]
    for number in range(CALLS):
        progress[:4] = number.to_bytes(4, "little")
        arguments = Arguments(random.Random(number))
        try:
            positional, named = arguments.call(schema)
            result = run(*positional, **named)
            touch(result)
        except (RuntimeError, TypeError, ValueError, IndexError, MemoryError, NotImplementedError, OverflowError, KeyError):
            progress[4:8] = (int.from_bytes(progress[4:8], "little") + 1).to_bytes(4, "little")
        del arguments


def touch(value: Any) -> None:
    """Reads every element of what came back, from whatever memory."""
    if isinstance(value, torch.Tensor) and value.device.type == "cpu" and value.layout == torch.strided and value.numel() < 1 << 20:
        (value.int_repr() if value.is_quantized else value).clone()
    elif isinstance(value, tuple | list):
        for each in value:
            touch(each)


def outcomes(only: str) -> Iterator[tuple[str, str]]:
    checked = Policy().checked
    for key, schema in schemas_allowed().items():
        if key in checked or not fnmatch.fnmatchcase(key, only) or "(...)" in str(schema):
            continue
        progress = mmap.mmap(-1, 8)
        with tempfile.TemporaryFile() as errors:
            child = os.fork()
            if child == 0:
                os.dup2(errors.fileno(), 2)
                try:
                    attempt(schema, progress)
                finally:
                    os._exit(0)
            _, status = os.waitpid(child, 0)
            errors.seek(0)
            said = errors.read().decode(errors="replace").strip().splitlines()[-1:]
        number, failed = (int.from_bytes(progress[at : at + 4], "little") for at in (0, 4))
        if os.WIFSIGNALED(status):
            reason = signal.Signals(os.WTERMSIG(status)).name
            yield key, f"{reason} at call {number} {said}"
        elif failed == CALLS:
            yield key, "never computed"


def try_operators(only: str) -> None:
    if "guarded_memory" not in os.environ.get("LD_PRELOAD", ""):
        with tempfile.TemporaryDirectory() as folder:
            library = Path(folder) / "guarded_memory.so"
            subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, HERE / "guarded_memory.c"], check=True)
            environment = {**os.environ, "LD_PRELOAD": str(library), "OMP_NUM_THREADS": "1"}
            sys.exit(subprocess.run([sys.executable, *sys.argv], env=environment, check=False).returncode)
    for key, outcome in outcomes(only):
        print(f"{key}: {outcome}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("command", choices=["table", "try"])
    parser.add_argument("--only", default="*", help="operators that fit this, as `aten::conv*`")
    options = parser.parse_args()
    if options.command == "table":
        write_table()
    else:
        try_operators(options.only)


if __name__ == "__main__":
    main()
