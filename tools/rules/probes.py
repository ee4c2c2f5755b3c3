"""Valid ONNX models of one node, with possible changes to them, and the facts about each: to learn from a runtime's answers.

The models begin as ONNX's own examples of an operator. A change is kept only where ONNX's checker still takes the model.
"""
from __future__ import annotations

import collections
import copy
import dataclasses
import re
from collections.abc import Iterator

import numpy
import onnx
from one_node import IR_VERSION
from onnx import AttributeProto, ModelProto, NodeProto, helper, numpy_helper

MOST_EXAMPLES = 4  # of an operator, of which copies are made
MOST_VALUES = 12  # of one attribute
SMALLEST_OPSET = 7
# A fact about a node: its subject (`("attribute", "mode")`, `("dtype", 0)`) -> its value.
Facts = dict[tuple, object]
ABSENT, COMPUTED, CONSTANT = "absent", "computed", "constant"


@dataclasses.dataclass
class Probe:
    model: ModelProto
    data: list  # the example's own values of the inputs, as far as they fit

    @property
    def node(self) -> NodeProto:
        return self.model.graph.node[0]

    @property
    def schema(self):
        opsets = {o.domain: o.version for o in self.model.opset_import}
        return onnx.defs.get_schema(self.node.op_type, opsets.get(self.node.domain, 1), self.node.domain)


def attribute_value(attribute: AttributeProto):
    value = helper.get_attribute_value(attribute)
    return value.decode(errors="replace") if isinstance(value, bytes) else value


def facts_of(probe: Probe) -> Facts:
    """What a linter can also see of the node."""
    node, schema, graph = probe.node, probe.schema, probe.model.graph
    facts: Facts = {("version",): schema.since_version}
    given = {a.name: attribute_value(a) for a in node.attribute}
    for name in schema.attributes:
        value = given.get(name, ABSENT)
        if isinstance(value, (int, float, str)):
            facts["attribute", name] = value
        else:
            facts["attribute", name] = "given"
    types = {v.name: v.type.tensor_type for v in [*graph.input, *graph.output] if v.type.HasField("tensor_type")}
    constants = {t.name: t for t in graph.initializer}
    for i in range(max(len(node.input), len(schema.inputs))):
        name = node.input[i] if i < len(node.input) else ""
        facts["operand", i] = ABSENT if not name else CONSTANT if name in constants else COMPUTED
        if name in constants:
            facts["dtype", i], facts["rank", i] = constants[name].data_type, len(constants[name].dims)
        elif name in types:
            facts["dtype", i] = types[name].elem_type
            if types[name].HasField("shape"):
                facts["rank", i] = len(types[name].shape.dim)
    for i, name in enumerate(node.output):
        if name in types:
            facts["result dtype", i] = types[name].elem_type
            if types[name].HasField("shape"):
                facts["result rank", i] = len(types[name].shape.dim)
    return facts


def is_valid(model: ModelProto) -> bool:
    try:
        onnx.checker.check_model(model, full_check=True)
    except Exception:  # of whatever kind
        return False
    return True


def examples() -> dict[tuple[str, str], list[Probe]]:
    """(domain, operator) -> ONNX's own models of that one node."""
    from onnx.backend.test.case.node import collect_testcases
    found = collections.defaultdict(list)
    for case in collect_testcases(None):
        graph = case.model.graph
        if len(graph.node) != 1 or graph.initializer:
            continue
        node = graph.node[0]
        if not onnx.defs.has(node.op_type, node.domain):
            continue
        model = copy.deepcopy(case.model)
        model.ir_version = min(model.ir_version, IR_VERSION)
        data = [v if isinstance(v, numpy.ndarray) else None for v in case.data_sets[0][0]] if case.data_sets else []
        found[node.domain, node.op_type].append(Probe(model, data))
    return found


def changed(probe: Probe) -> Probe:
    return Probe(copy.deepcopy(probe.model), probe.data)


def with_attributes(probe: Probe, values: dict[str, list]) -> Iterator[Probe]:
    schema = probe.schema
    for name, choices in values.items():
        if name not in schema.attributes:
            continue
        for value in [None, *choices[:MOST_VALUES]]:
            copied = changed(probe)
            kept = [a for a in copied.node.attribute if a.name != name]
            del copied.node.attribute[:]
            copied.node.attribute.extend(kept)
            if value is not None:
                copied.node.attribute.append(helper.make_attribute(name, value))
            for result in copied.model.graph.output:  # another shape may follow
                result.type.tensor_type.ClearField("shape")
            yield copied


def with_dtypes(probe: Probe, dtypes: list[int]) -> Iterator[Probe]:
    """Every input of one type variable gets another dtype; ONNX infers the results."""
    schema = probe.schema
    formals = [schema.inputs[min(i, len(schema.inputs) - 1)].type_str for i in range(len(probe.node.input))]
    results = [schema.outputs[min(i, len(schema.outputs) - 1)].type_str for i in range(len(probe.node.output))]
    given = {v.name: v.type.tensor_type.elem_type for v in probe.model.graph.input}
    groups = [{variable} for variable in dict.fromkeys(formals)]
    # Variables of the same dtype also change together: half of a model is seldom in another dtype.
    groups += [{f for n, f in zip(probe.node.input, formals, strict=False) if given.get(n) == dtype} for dtype in set(given.values())]
    for variables in {frozenset(each) for each in groups}:
        names = {n for n, formal in zip(probe.node.input, formals, strict=False) if formal in variables}
        for dtype in dtypes:
            copied = changed(probe)
            copied.data = []
            for value in copied.model.graph.input:
                if value.name in names and value.type.HasField("tensor_type"):
                    value.type.tensor_type.elem_type = dtype
            for value in copied.model.graph.output:
                if results[list(probe.node.output).index(value.name)] in variables:
                    value.type.tensor_type.elem_type = dtype
            yield copied


def with_constants(probe: Probe) -> Iterator[Probe]:
    """One input, or all but the first, as the example's values in the file."""
    inputs = [v.name for v in probe.model.graph.input]
    known = [i for i, name in enumerate(inputs) if i < len(probe.data) and probe.data[i] is not None
             and list(probe.node.input).count(name) == 1]
    for chosen in [*([i] for i in known), [i for i in known if i > 0]]:
        if not chosen:
            continue
        copied = changed(probe)
        for i in sorted(chosen, reverse=True):
            copied.model.graph.initializer.append(numpy_helper.from_array(probe.data[i], inputs[i]))
            del copied.model.graph.input[i]
        for value in copied.model.graph.output:  # now it may follow from the values
            value.type.tensor_type.ClearField("shape")
        copied.data = []
        yield copied


def without_inputs(probe: Probe) -> Iterator[Probe]:
    for i, name in enumerate(probe.node.input):
        copied = changed(probe)
        copied.data = []
        copied.node.input[i] = ""
        while copied.node.input and not copied.node.input[-1]:
            del copied.node.input[-1]
        kept = [v for v in copied.model.graph.input if v.name != name]
        del copied.model.graph.input[:]
        copied.model.graph.input.extend(kept)
        yield copied


def with_versions(probe: Probe, versions: list[int]) -> Iterator[Probe]:
    for version in versions:
        copied = changed(probe)
        for each in copied.model.opset_import:
            if each.domain == probe.node.domain:
                each.version = version
        yield copied


def values_of(schema, known: list[Probe]) -> dict[str, list]:
    """Attribute -> the values to try: those of the examples, those that the documentation names, and small numbers."""
    values: dict[str, list] = {}
    for name, attribute in schema.attributes.items():
        seen = [attribute_value(a) for probe in known for a in probe.node.attribute if a.name == name]
        kind = str(attribute.type).rpartition(".")[2]
        if kind == "STRING":
            seen += re.findall(r"[\"'`]([A-Za-z_]{3,})[\"'`]", attribute.description)
        elif kind == "INT":
            seen += [0, 1, 2, -1] if name not in {"dtype", "to"} else [*range(1, 27)]
        elif kind == "FLOAT":
            seen += [0.0, 1.0]
        values[name] = list(dict.fromkeys(v for v in seen if isinstance(v, (int, float, str)))) or seen[:2]
    return values


def probes_of(known: list[Probe], dtypes: list[int], versions: list[int]) -> Iterator[Probe]:
    """All examples of an operator, and valid changes of a few of them."""
    yield from known
    few = known[:: max(1, len(known) // MOST_EXAMPLES)][:MOST_EXAMPLES]
    for number, probe in enumerate(few):
        values = values_of(probe.schema, known)
        changes = [*with_attributes(probe, values), *with_constants(probe), *without_inputs(probe)]
        if number < 2:
            changes += [*with_dtypes(probe, dtypes), *with_versions(probe, [v for v in versions if v >= SMALLEST_OPSET])]
        for each in changes:
            if is_valid(each.model):
                yield each


