#!/usr/bin/env python3
"""Makes rules/openvino-export.toml, for exported programs, by asking OpenVINO's PyTorch front end, which has no table that can be read.

The front end decomposes a program before it looks for conversion rules. It is asked about one node of each operator, and about torch's own samples
of those that are decomposed or have no rule.

usage: python tools/rules/openvino_export_profile.py      with a Python that has torch, expecttest and openvino
"""
from __future__ import annotations

import re
import sys

import torch

sys.modules["openvino_telemetry"] = None  # it would wait for the network
import computed_otherwise  # noqa: E402
import decompose  # noqa: E402
import exporting  # noqa: E402
import families  # noqa: E402
import operators  # noqa: E402
import profile_file as out  # noqa: E402
import rewrites  # noqa: E402
from openvino.frontend import FrontEndManager  # noqa: E402
from openvino.frontend.pytorch.fx_decoder import TorchFXPythonDecoder  # noqa: E402
from removed import answers  # noqa: E402
from samples import operator_name  # noqa: E402

FRONT_END = FrontEndManager().load_by_framework("pytorch")
SECONDS = 20
NO_RULE = "No conversion rule found for operations"


def without_rule(decoder) -> set[str]:
    """The operators that the front end names when it cannot convert; whatever else it says is about a node's operands."""
    try:
        FRONT_END.convert(FRONT_END.load(decoder))
    except Exception as error:
        found = re.search(f"{NO_RULE}: (.*)", str(error))
        return {schema_of(name) for name in found.group(1).strip().split(", ")} if found else set()
    return set()


def schema_of(name: str) -> str:
    """`aten.logit.default` -> `aten::logit`"""
    return decompose.schema_of(name.replace(".", "::", 1)) if "::" not in name else name


def names_in(graph) -> set[str]:
    return {operator_name(node.target) for node in graph.nodes
            if node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload)}


def asked_about(model) -> list[list[str]] | None:
    """(the operators of a sample, those without a rule after decomposition); nothing where torch cannot export or decompose it."""
    _, module, inputs = model
    found = []

    def ask() -> None:
        exported = torch.export.export(module, inputs, strict=False)
        found.append([sorted(names_in(exported.graph)), sorted(without_rule(TorchFXPythonDecoder.from_exported_program(exported)))])

    exporting.succeeds(ask, SECONDS)
    return found[0] if found else None


def has_rule(overload) -> bool:
    graph = torch.fx.Graph()
    given = graph.placeholder("x")
    given.meta["val"] = torch.ones(2, 2)
    made = graph.call_function(overload, (given,))
    made.meta["val"] = torch.ones(2, 2)
    graph.output((made,))
    decoder = TorchFXPythonDecoder(torch.fx.GraphModule(torch.nn.Module(), graph), dynamic_shapes=True)
    return operator_name(overload) not in without_rule(decoder)


def overloads() -> list:
    """All that a program can call."""
    import torch.ao.quantization.fx._decomposed  # defines operators
    found = []
    for name, overload in operators.schemas():
        space, _, packet = name.partition("::")
        if space in ("aten", "quantized_decomposed", "torchvision") and not packet.endswith("_") and not overload.endswith("out"):
            each = getattr(getattr(getattr(torch.ops, space), packet, None), overload or "default", None)
            found += [each] if isinstance(each, torch._ops.OpOverload) else []
    return found


def taken_and_lacking(found: list[tuple[set[str], set[str]]]) -> tuple[set[str], dict[str, set[str]]]:
    """The operators of samples that are converted; and others, with what has no rule in every sample in which only they can be the cause."""
    taken = set().union(*(names for names, lacking in found if not lacking))
    missing: dict[str, set[str]] = {}
    for names, lacking in found:
        suspects = names - taken
        if lacking and len(suspects) == 1:
            (suspect,) = suspects
            missing[suspect] = missing.get(suspect, lacking) & lacking
    return taken, {name: parts for name, parts in missing.items() if parts}


def left_by_decomposition() -> set[str]:
    """What is decomposed, unless the front end has a rule of its own."""
    from openvino.frontend.pytorch.torchdynamo.export_decompositions import ops_to_not_decompose
    return decompose.decomposed() - {operator_name(each) for each in ops_to_not_decompose()}


def of_other_operators(models, plain: set[str]) -> list:
    """The samples without those of operators that are known to be converted as they are."""
    names = {name.partition(".")[0].removeprefix("aten::") for name in plain}
    return [model for model in models if model[0].rpartition("_")[0] not in names]


def main() -> None:
    exporting.quiet()
    _kept = operators.define_torchvision()  # as long as it is asked about
    decomposed, asked = left_by_decomposition(), overloads()
    # A malformed node can crash the front end, in one of its rules.
    taken = {operator_name(each) for each, ruled in zip(asked, answers(has_rule, asked), strict=False) if ruled is not False}
    models = of_other_operators(families.models(samples=1), taken - decomposed)
    found = [tuple(map(set, each)) for each in answers(asked_about, models) if each]
    print(f"{len(found)} of {len(models)} samples were exported", flush=True)
    converted, missing = taken_and_lacking(found)
    taken = taken - set(missing) | converted | decompose.SIZE_ARITHMETIC
    removed = decomposed - taken - set(missing)
    missing = {name: sorted(parts) for name, parts in missing.items() if parts != {name}}
    text = out.profile(
        target={
            "name": "openvino-export",
            "description": "OpenVINO through its PyTorch front end, openvino.convert_model on an exported program",
            "package": out.installed("openvino", "torch"),
            "made_by": "tools/rules/openvino_export_profile.py",
            "url": "https://docs.openvino.ai/2026/documentation/compatibility-and-support/supported-operations.html",
            "refusal": f"{NO_RULE}: {{operator}}",
            "notes": ["convert_model decomposes a program before it looks for conversion rules",
                      "the front end was asked about one node of each operator, and about torch's samples of those that are decomposed",
                      "[decomposed] holds operators of whose parts some have no rule"],
        },
        judged={"overloads": True, "functionalised": True}, operators=dict.fromkeys(taken, 0), removed=removed, decomposed=missing,
        replacements=rewrites.of_table(taken | removed, exported=True))
    out.write("openvino-export", text + computed_otherwise.tables("openvino-export", text))


if __name__ == "__main__":
    main()
