"""ONNX models of one node, to ask a runtime whether it takes an operator."""
from __future__ import annotations

import onnx
from onnx import helper

SMALLEST_OPSET = 7
IR_VERSION = 10  # every runtime takes it


def model_of_one_node(schema, dtype: int = onnx.TensorProto.FLOAT) -> bytes:
    """In the opset that brought the schema, with as few inputs and outputs as the schema allows, all of one dtype and of unknown rank."""
    inputs = [f"x{i}" for i in range(max(schema.min_input, 1))]
    outputs = [f"y{i}" for i in range(max(schema.min_output, 1))]
    node = helper.make_node(schema.name, inputs, outputs, domain=schema.domain)
    graph = helper.make_graph([node], "one", [helper.make_tensor_value_info(n, dtype, None) for n in inputs],
                              [helper.make_tensor_value_info(n, dtype, None) for n in outputs])
    own = max(schema.since_version, SMALLEST_OPSET) if schema.domain == "" else onnx.defs.onnx_opset_version()
    imports = [helper.make_opsetid("", own)]
    if schema.domain:
        imports.append(helper.make_opsetid(schema.domain, schema.since_version))
    return helper.make_model(graph, opset_imports=imports, ir_version=IR_VERSION).SerializeToString()
