#!/usr/bin/env python3
"""Makes rules/onnxruntime.toml, for ONNX files, from ONNX Runtime's registry of CPU kernels and its operator schemas.

An operator without a kernel may be decomposed into others, or its operands cast: the runtime is asked with a one-node model
for every combination of dtypes that its kernels leave open. The ceilings of other versions come from their own packages.

usage: python tools/rules/onnxruntime_profile.py FOLDER [WHEEL…]      with a Python that has onnx and onnxruntime
       python tools/rules/onnxruntime_profile.py --release      the table of an older onnxruntime alone, which is installed
       python tools/rules/onnxruntime_profile.py --answers FOLDER [OPERATOR…]      what is learnt from new answers alone
       python tools/rules/onnxruntime_profile.py --release-answers FOLDER OPERATOR…      the same for the table of an older onnxruntime

FOLDER: where tools/rules/prober.py keeps its questions and answers. WHEEL: further versions of the package
(`pip download --no-deps onnxruntime==1.20.1`), and a numpy that old ones were built for; what the table says of others stays.
Of a newer version, the table that it replaces becomes that of its release.
"""
from __future__ import annotations

import collections
import functools
import importlib.metadata
import itertools
import pathlib
import re
import sys

import ceilings
import one_node
import onnx
import onnxruntime
import profile_file as out
import tomllib
from onnxruntime.capi import onnxruntime_pybind11_state as runtime
from probe import observed
from probe.children import Reader
from probe.runtimes import RUNTIMES
from profile_difference import difference, replace, type_set_name

PROVIDER = "CPUExecutionProvider"
# Created by the runtime's own optimizations, never read from a file, as those of com.microsoft.nchwc are, with which it saves an optimized model.
INTERNAL = {"com.ms.internal.nhwc"}
# Handled by the runtime before it looks for a kernel: a shape that the file declares is a constant for it.
WITHOUT_KERNEL = {("", "Constant"), ("", "Shape")}
# `tensor(float)` in the spelling of profiles.
DTYPES = {"float": "float32", "double": "float64", "float4e2m1": "float4_e2m1fn", "float8e4m3fn": "float8_e4m3fn",
          "float8e4m3fnuz": "float8_e4m3fnuz", "float8e5m2": "float8_e5m2", "float8e5m2fnuz": "float8_e5m2fnuz",
          "float8e8m0": "float8_e8m0fnu"}
ATTRIBUTES = {"INT": "i", "FLOAT": "f", "STRING": "s", "TENSOR": "t", "GRAPH": "g", "SPARSE_TENSOR": "st", "TYPE_PROTO": "tp"}
ATTRIBUTES |= {f"{name}S": f"{letters}s" for name, letters in ATTRIBUTES.items()}
NEWEST = 2**31 - 1
ORDINARY = {"float32", "float64", "float16", "bfloat16", "int32", "int64", "bool"}
MOST_ASKED = 400  # combinations of dtypes of one operator
Kernel = dict[str, frozenset[str]]  # type variable -> dtypes
# Measured on two processors, and https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html.
SATURATES = ("on x86 processors without VNNI instructions the kernels add pairs of s"
             "uch products in 16 bits, which saturate: 20 dB and more may be lost")



def kernels():
    """(domain, name) -> the kernels of the CPU."""
    found = collections.defaultdict(list)
    for kernel in runtime.get_all_opkernel_def():
        if kernel.provider == PROVIDER and kernel.domain not in INTERNAL:
            found[kernel.domain, kernel.op_name].append(kernel)
    return found


def schemas():
    """(domain, name) -> its schemas, one per version."""
    found = collections.defaultdict(list)
    for schema in runtime.get_all_operator_schema():
        if schema.domain not in INTERNAL:
            found[schema.domain, schema.name].append(schema)
    return found


def name_in_profile(key: tuple[str, str]) -> str:
    return f"{key[0] or 'onnx'}::{key[1]}"


def dtypes(types) -> frozenset[str]:
    """The tensor types among those that a variable may be."""
    found = (re.fullmatch(r"tensor\((\w+)\)", each) for each in types)
    return frozenset(DTYPES.get(m.group(1), m.group(1)) for m in found if m)


def variables(schema) -> Kernel:
    return {c.type_param_str: dtypes(c.allowed_type_strs) for c in schema.type_constraints if dtypes(c.allowed_type_strs)}


def is_for(kernel, since: int) -> bool:
    """A kernel without an end version is only for the version that it begins with."""
    first, last = kernel.version_range
    return first == since or (last != NEWEST and first <= since <= last)


def merged(combinations: list[Kernel]) -> list[Kernel]:
    """Merges two kernels that differ only in the dtypes of one variable."""
    left = list(combinations)
    for a, b in itertools.combinations(left, 2):
        differing = [name for name in {*a, *b} if a.get(name) != b.get(name)]
        if a.keys() == b.keys() and len(differing) <= 1:
            rest = [each for each in left if each is not a and each is not b]
            return merged([*rest, {**a, **{name: a[name] | b[name] for name in differing}}])
    return left


def kernels_of(schema, of_operator) -> list[Kernel]:
    own = variables(schema)
    return merged([{name: dtypes(types) for name, types in each.type_constraints.items() if name in own}
                   for each in of_operator if is_for(each, schema.since_version)])


def taken_by(combinations: list[Kernel], given: dict[str, str]) -> bool:
    return any(all(dtype in each.get(name, {dtype}) for name, dtype in given.items()) for each in combinations)


def assignments(schema) -> list[dict[str, str]]:
    """Dtypes to ask with, for the variables of the inputs: one takes all of its dtypes, the others take ordinary ones."""
    taken = {given.typeStr for given in schema.inputs}
    own = {name: types for name, types in variables(schema).items() if name in taken}
    for ordinary in (ORDINARY, {"float32", "int64"}, set()):
        found = {
            tuple(sorted(zip(own, chosen, strict=False)))
            for name, types in own.items()
            for dtype in types
            for chosen in itertools.product(
                *(
                    [dtype] if each == name else sorted(({dtype} | ordinary) & rest) or sorted(rest)[:1]
                    for each, rest in own.items()
                )
            )
        }
        if len(found) <= MOST_ASKED:
            break
    return [dict(each) for each in sorted(found)]


def is_function(schema) -> bool:
    try:
        known = onnx.defs.get_schema(schema.name, schema.since_version, schema.domain)
    except onnx.defs.SchemaError:
        return schema.domain == "com.microsoft"
    return known.has_function or known.has_context_dependent_function


@functools.cache
def reader() -> Reader:
    return Reader(RUNTIMES["onnxruntime"])


def answer(model: bytes) -> str:
    """What the runtime says against a model without optimisations; empty where it takes it."""
    return reader().said_against(model)


def expanded(schema, known: list[Kernel]) -> list[Kernel] | None:
    """The combinations that the runtime takes: those of kernels, as a function, or with casts. None where it says nothing
    about the operator itself, because it rejects each of our models for another reason."""
    outcomes = [(given, outcome(schema, known, given)) for given in assignments(schema)]
    taken = [given for given, each in outcomes if each == "taken"]
    if not known and not taken:
        if schema.domain == "com.microsoft":
            return []  # written by the runtime's own optimiser, for devices that have kernels
        if all(each == "unclear" for _, each in outcomes):
            return None
    whole = joined(taken)
    if whole and not any(taken_by([whole], given) for given, each in outcomes if each != "taken"):
        return [whole]  # the variables are independent, also for the combinations that were not asked
    return merged(known + merged([kernel_of(given) for given in taken if not taken_by(known, given)]))


def joined(taken: list[dict[str, str]]) -> Kernel:
    """What takes each variable's dtypes, whatever the others have."""
    return {name: frozenset(each[name] for each in taken) for each in taken for name in each}


def kernel_of(given: dict[str, str]) -> Kernel:
    return {name: frozenset({dtype}) for name, dtype in given.items()}


def outcome(schema, known: list[Kernel], given: dict[str, str]) -> str:
    """`taken`, `refused`, or `unclear` where the runtime rejects our models for another reason."""
    if taken_by(known, given):
        return "taken"
    answers = answers_for(schema, given)
    if "" in answers:
        return "taken"
    return "refused" if any("NOT_IMPLEMENTED" in each for each in answers) else "unclear"


def answers_for(schema, given: dict[str, str]) -> list[str]:
    """The answers to models of one assignment, until the runtime takes one."""
    answers = []
    for model in one_node.typed_models(schema, given):
        answers.append(answer(model))
        if not answers[-1]:
            break
    return answers


class TypeSets:
    """Sets of dtypes, written once each."""

    def __init__(self) -> None:
        self.names: dict[frozenset[str], str] = {}

    def name(self, types: frozenset[str]) -> str:
        if len(types) <= 1:
            return ",".join(types)
        return self.names.setdefault(types, type_set_name(types))

    def record(self, of_variables: Kernel) -> str:
        return " ".join(f"{name}={self.name(types)}" for name, types in sorted(of_variables.items()))

    def table(self) -> dict[str, list[str]]:
        return {name: sorted(types) for types, name in self.names.items()}


def parameter(given, own: Kernel, least: int) -> str:
    """`T`, `int64` or `any`, with `?` for one that may be left out, `*` or `+` for many, `**` for many of many dtypes."""
    name = given.typeStr if given.typeStr in own else next(iter(dtypes([given.typeStr])), "any")
    kind = str(given.option).rpartition(".")[2]
    if kind == "Variadic":
        return name + ("**" if not given.isHomogeneous else "*" if least == 0 else "+")
    return name + ("?" if kind == "Optional" else "")


def parameters(given, own: Kernel, least: int) -> str:
    return " ".join(parameter(each, own, least - len(given) + 1) for each in given)


def passes_over_attributes(schema) -> bool:
    """Whether the runtime takes an attribute that the schema does not have. It makes stored values of constants before it looks at any schema."""
    if schema.name == "Constant":
        return True
    stray = onnx.helper.make_attribute("no_such_attribute", 1)
    for given in assignments(schema) or [{}]:
        for model in one_node.typed_models(schema, given):
            if answer(model) == "":
                changed = onnx.ModelProto.FromString(model)
                changed.graph.node[0].attribute.append(stray)
                return answer(changed.SerializeToString()) == ""
    return False


def version_record(schema, combinations: list[Kernel] | None, sets: TypeSets) -> str:
    """One line of [versions]; docs/target-tables.md explains its parts."""
    own = variables(schema)
    passes_over = passes_over_attributes(schema)
    attributes = " ".join(f"{name}:{ATTRIBUTES.get(str(a.type).rpartition('.')[2], '?')}{'!' if a.required and not passes_over else ''}"
                          for name, a in sorted(schema.attributes.items()))
    if passes_over:
        attributes += " *"
    taken = "*" if combinations is None or {} in combinations else "; ".join(sorted(map(sets.record, combinations)))
    parts = (str(schema.since_version), parameters(schema.inputs, own, schema.min_input),
             parameters(schema.outputs, own, schema.min_output), attributes, sets.record(own), taken)
    return " | ".join(parts).rstrip()


def taken_combinations(schema, of_operator) -> list[Kernel] | None:
    """None where every combination that the schema allows must be assumed to be taken."""
    if schema.deprecated:
        return []
    if (schema.domain, schema.name) in WITHOUT_KERNEL:
        return None
    known = kernels_of(schema, of_operator)
    return expanded(schema, known) if is_function(schema) else known


def versions(all_schemas, all_kernels, sets: TypeSets) -> dict[str, list[str]]:
    table = {}
    for key, each in all_schemas.items():
        ordered = sorted(each, key=lambda schema: schema.since_version)
        table[name_in_profile(key)] = [version_record(s, taken_combinations(s, all_kernels[key]), sets) for s in ordered]
    return table


# What the tables of schemas and kernels predict, and what only fails because something is missing on this machine.
FORESEEN = re.compile(
    "NOT_IMPLEMENTED|Type Error|Unrecognized attribute|not in range|is not a registered|IR version|opset|locale"
)


def main() -> None:
    if sys.argv[1:2] == ["--answers"]:
        observed.renew("onnxruntime", pathlib.Path(sys.argv[2]), FORESEEN, set(sys.argv[3:]))
        return
    if sys.argv[1:2] == ["--release-answers"]:
        observed.of_release("onnxruntime", pathlib.Path(sys.argv[2]), FORESEEN, set(sys.argv[3:]))
        return
    onnxruntime.set_default_logger_severity(4)
    older = sys.argv[1:] == ["--release"]  # the releases are in the table of the newest
    all_kernels, all_schemas = kernels(), schemas()
    sets = TypeSets()
    table = versions(all_schemas, all_kernels, sets)
    taken = {name: 0 for name, lines in table.items() if any(not line.endswith("|") for line in lines)}
    text = out.profile(
        target={
            "name": "onnxruntime",
            "description": "ONNX Runtime on the CPU: the ONNX operators that it has kernels for",
            "package": out.installed("onnxruntime", "onnx"),
            "made_by": "tools/rules/onnxruntime_profile.py",
            "url": "https://onnxruntime.ai/docs/reference/compatibility.html",
            "refusal": "NOT_IMPLEMENTED: Could not find an implementation for {operator}",
            "notes": ["an ONNX operator that has no kernel but is defined by others is taken apart into them",
                      "float16 without a kernel runs in float32, between casts that the runtime puts in"],
        },
        judged={"cast_to_float32": ["float16"], "saturates": SATURATES}, operators=taken)
    text += "" if older else out.section("sentences", {
        "ir_version": "Unsupported model IR version: {version}, max supported IR version: {newest}",
        "opset": "ONNX Runtime only *guarantees* support for models stamped with official released onnx opset versions. "
                 "Opset {version} is under development. Current official support for domain {domain} is till opset {newest}"})
    for name, entries in observed.tables("onnxruntime", pathlib.Path(sys.argv[1]), FORESEEN).items() if not older else ():
        text += out.tables(name, entries)
    text += "" if older else out.releases(ceilings.of_packages("onnxruntime", sys.argv[2:], "onnxruntime"))
    text += out.sorted_table("types", sets.table()) + out.sorted_table("versions", {n: out.Lines(v) for n, v in table.items()})
    if older:
        out.write(f"releases/onnxruntime-{importlib.metadata.version('onnxruntime')}", difference("onnxruntime", tomllib.loads(text)))
    else:
        replace("onnxruntime", text)


if __name__ == "__main__":
    main()
