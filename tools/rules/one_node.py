"""ONNX models of one node, to ask a runtime whether it takes an operator."""
from __future__ import annotations

import functools
from collections.abc import Iterator

import onnx
from onnx import TensorProto, helper

SMALLEST_OPSET = 7
IR_VERSION = 10  # every runtime takes it


def model_of_one_node(schema) -> bytes:
    """In the schema's first opset, with as few inputs and outputs as the schema allows, all of float32 and of unknown rank."""
    inputs = [(f"x{i}", TensorProto.FLOAT) for i in range(max(schema.min_input, 1))]
    outputs = [(f"y{i}", TensorProto.FLOAT) for i in range(max(schema.min_output, 1))]
    return written(schema, inputs, outputs, ())


def typed_models(schema, given: dict[str, str]) -> Iterator[bytes]:
    """For each set of attributes that ONNX's own examples of the operator have, a model of its type variables' dtypes: with as few
    inputs as the schema allows, and then with all."""
    known = example_attributes().get((schema.domain, schema.name), [])
    allowed = set(schema.attributes)
    required = {name for name, a in schema.attributes.items() if a.required}
    for attributes in [()] * (not required) + [a for a in known if required <= {each.name for each in a} <= allowed]:
        for count in dict.fromkeys((schema.min_input, min(len(schema.inputs), 8))):
            inputs = [(f"x{i}", element_type(p, given)) for i, p in enumerate(formals(schema.inputs, count))]
            outputs = [(f"y{i}", TensorProto.UNDEFINED) for i in range(max(schema.min_output, 1))]
            if all(dtype is not None for _, dtype in inputs):
                yield written(schema, inputs, outputs, attributes)


def formals(parameters, count: int) -> list:
    """The formal parameter of each of the first `count` inputs: the last one stands for all further ones."""
    return [parameters[min(i, len(parameters) - 1)] for i in range(count)] if parameters else []


def element_type(parameter, given: dict[str, str]) -> int | None:
    """None for types that are not tensors."""
    name = given.get(parameter.typeStr)
    if name is None:
        if not parameter.typeStr.startswith("tensor("):
            return None
        name = parameter.typeStr[len("tensor("):-1]
    plain = {"float32": "float", "float64": "double", "float8_e8m0fnu": "float8e8m0", "float4_e2m1fn": "float4e2m1"}
    return getattr(TensorProto, plain.get(name, name.replace("float8_", "float8")).upper(), None)


@functools.cache
def example_attributes() -> dict[tuple[str, str], list[tuple]]:
    """(domain, operator) -> the attributes of its nodes in ONNX's node tests, each set once."""
    from onnx.backend.test.case.node import collect_testcases
    found: dict[tuple[str, str], dict[bytes, tuple]] = {}
    for case in collect_testcases(None):
        for node in case.model.graph.node:
            attributes = tuple(node.attribute)
            key = b"".join(a.SerializeToString() for a in attributes)
            found.setdefault((node.domain, node.op_type), {}).setdefault(key, attributes)
    return {key: list(each.values())[:3] for key, each in found.items()}


def written(schema, inputs: list[tuple[str, int]], outputs: list[tuple[str, int]], attributes) -> bytes:
    node = helper.make_node(schema.name, [n for n, _ in inputs], [n for n, _ in outputs], domain=schema.domain)
    node.attribute.extend(attributes)
    graph = helper.make_graph([node], "one", [helper.make_tensor_value_info(n, t, None) for n, t in inputs],
                              [value_info(n, t) for n, t in outputs])
    own = max(schema.since_version, SMALLEST_OPSET) if schema.domain == "" else onnx.defs.onnx_opset_version()
    imports = [helper.make_opsetid("", min(own, onnx.defs.onnx_opset_version()))]
    if schema.domain:
        imports.append(helper.make_opsetid(schema.domain, schema.since_version))
    return helper.make_model(graph, opset_imports=imports, ir_version=IR_VERSION).SerializeToString()


def value_info(name: str, dtype: int) -> onnx.ValueInfoProto:
    """Without a type where the runtime must infer it."""
    return onnx.ValueInfoProto(name=name) if dtype == TensorProto.UNDEFINED else helper.make_tensor_value_info(name, dtype, None)
