"""ONNX models made with the `onnx` package itself, from opset 7 to the newest: what the front end is tested and fuzzed with."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
OPSETS = sorted({7, 8, 9, 10, 11, 12, 13, 15, 17, 18, 20, 21, onnx.defs.onnx_opset_version()})
# The first IR version that goes with an opset.
IR_VERSIONS = [(9, 3), (10, 5), (11, 6), (15, 7), (19, 8), (20, 9), (21, 10), (99, onnx.IR_VERSION)]


def ir_version_for(opset):
    return next(ir for last, ir in IR_VERSIONS if opset <= last)


def weight(name, *shape):
    values = np.arange(np.prod(shape), dtype=np.float32).reshape(shape) / 10
    return numpy_helper.from_array(values, name)


def integers(name, *values):
    return numpy_helper.from_array(np.array(values, np.int64), name)


def value(name, shape, kind=FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def model(nodes, inputs, outputs, weights=(), opset=20, functions=(), domains=()):
    graph = helper.make_graph(list(nodes), "net", inputs, outputs, list(weights))
    opsets = [helper.make_opsetid("", opset), *(helper.make_opsetid(domain, 1) for domain in domains)]
    made = helper.make_model(graph, opset_imports=opsets, functions=list(functions), producer_name="test")
    made.ir_version = ir_version_for(opset)
    return made


def every_opset(opset):
    """Operators whose attributes became inputs on the way: Clip, Pad, Squeeze, ReduceSum, Dropout, Upsample."""
    node = helper.make_node
    weights = [weight("conv.weight", 4, 3, 3, 3), *(weight(f"bn.{n}", 4) for n in ("weight", "bias", "mean", "var"))]
    nodes = [
        node("Conv", ["x", "conv.weight"], ["c"], kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
        node("BatchNormalization", ["c", "bn.weight", "bn.bias", "bn.mean", "bn.var"], ["b"]),
        node("Relu", ["b"], ["r"]),
    ]
    if opset < 11:
        nodes += [node("Clip", ["r"], ["l"], min=0.0, max=6.0), node("Pad", ["l"], ["p"], pads=[0, 0, 1, 1, 0, 0, 1, 1])]
    else:
        weights += [numpy_helper.from_array(np.float32(0), "low"), numpy_helper.from_array(np.float32(6), "high"),
                    integers("pads", 0, 0, 1, 1, 0, 0, 1, 1)]
        nodes += [node("Clip", ["r", "low", "high"], ["l"]), node("Pad", ["l", "pads"], ["p"])]
    nodes.append(node("MaxPool", ["p"], ["m"], kernel_shape=[2, 2], strides=[2, 2]))
    if opset < 10:
        scales = {"scales": [1.0, 1.0, 2.0, 2.0]} if opset < 9 else {}
        weights += [] if opset < 9 else [numpy_helper.from_array(np.array([1, 1, 2, 2], np.float32), "scales")]
        nodes.append(node("Upsample", ["m"] if opset < 9 else ["m", "scales"], ["u"], **scales))
    else:
        weights.append(numpy_helper.from_array(np.array([1, 1, 2, 2], np.float32), "scales"))
        region = ["roi"] if opset < 13 else [""]
        weights += [weight("roi", 0)] if 11 <= opset < 13 else []
        nodes.append(node("Resize", ["m", "scales"] if opset < 11 else ["m", *region, "scales"], ["u"]))
    if opset < 13:
        nodes += [node("ReduceSum", ["u"], ["s"], axes=[2, 3], keepdims=1), node("Squeeze", ["s"], ["q"], axes=[2, 3])]
    else:
        weights.append(integers("axes", 2, 3))
        nodes += [node("ReduceSum", ["u", "axes"], ["s"], keepdims=1), node("Squeeze", ["s", "axes"], ["q"])]
    nodes.append(node("Dropout", ["q"], ["y"]))
    inputs = [value("x", [1, 3, 8, 8])]
    if ir_version_for(opset) < 4:  # where weights had to be inputs too
        inputs += [value(w.name, list(w.dims), w.data_type) for w in weights]
    return model(nodes, inputs, [value("y", [1, 4])], weights, opset)


def branch(name, *operators):
    nodes = [helper.make_node(op, ["x" if i == 0 else f"{name}{i - 1}"], [f"{name}{i}"]) for i, op in enumerate(operators)]
    return helper.make_graph(nodes, name, [], [value(f"{name}{len(operators) - 1}", [2])])


def with_if():
    inner = helper.make_node("If", ["flag"], ["n"], then_branch=branch("a", "Exp"), else_branch=branch("b", "Neg", "Abs"))
    outer_then = helper.make_graph([inner], "outer_then", [], [value("n", [2])])
    outer = helper.make_node("If", ["flag"], ["y"], then_branch=outer_then, else_branch=branch("c", "Sqrt"))
    return model([outer], [value("flag", [], BOOL), value("x", [2])], [value("y", [2])])


def with_loop():
    body = helper.make_graph(
        [helper.make_node("Mul", ["state", "x"], ["next"]), helper.make_node("Identity", ["going"], ["go_on"]),
         helper.make_node("Relu", ["next"], ["seen"])],
        "body", [value("i", [], INT64), value("going", [], BOOL), value("state", [2])],
        [value("go_on", [], BOOL), value("next", [2]), value("seen", [2])])
    loop = helper.make_node("Loop", ["trips", "", "x"], ["last", "all"], body=body)
    return model([loop], [value("trips", [], INT64), value("x", [2])], [value("last", [2]), value("all", [None, 2])])


def with_scan():
    body = helper.make_graph([helper.make_node("Add", ["sum", "item"], ["more"]), helper.make_node("Tanh", ["more"], ["seen"])],
                             "body", [value("sum", [2]), value("item", [2])], [value("more", [2]), value("seen", [2])])
    scan = helper.make_node("Scan", ["start", "items"], ["total", "sums"], num_scan_inputs=1, body=body)
    return model([scan], [value("start", [2]), value("items", [5, 2])], [value("total", [2]), value("sums", [5, 2])])


def with_functions():
    """A function with an attribute of its own, called by another function."""
    scaled = onnx.helper.make_function(
        "test.functions", "Scaled", ["v"], ["w"],
        [helper.make_node("LeakyRelu", ["v"], ["w"])], [helper.make_opsetid("", 20)], attributes=["slope"])
    reference = scaled.node[0].attribute.add()
    reference.name, reference.ref_attr_name, reference.type = "alpha", "slope", onnx.AttributeProto.FLOAT
    twice = onnx.helper.make_function(
        "test.functions", "Twice", ["v"], ["w"],
        [helper.make_node("Scaled", ["v"], ["h"], domain="test.functions", slope=0.1),
         helper.make_node("Scaled", ["h"], ["w"], domain="test.functions", slope=0.2)],
        [helper.make_opsetid("", 20), helper.make_opsetid("test.functions", 1)])
    call = helper.make_node("Twice", ["x"], ["y"], domain="test.functions")
    return model([call], [value("x", [2])], [value("y", [2])], functions=[scaled, twice], domains=["test.functions"])


def with_old_scopes():
    """Names of nodes as torch's older exporter writes them."""
    node = helper.make_node
    return model([node("Conv", ["x", "layer1.0.conv1.weight"], ["c"], name="/layer1/layer1.0/conv1/Conv", kernel_shape=[1, 1]),
                  node("Relu", ["c"], ["r"], name="/layer1/layer1.0/relu/Relu"),
                  node("Add", ["r", "x"], ["y"], name="/layer1/layer1.0/Add")],
                 [value("x", [1, 3, 4, 4])], [value("y", [1, 3, 4, 4])], [weight("layer1.0.conv1.weight", 3, 3, 1, 1)], 13)


def with_external_data():
    made = model([helper.make_node("MatMul", ["x", "fc.weight"], ["y"])], [value("x", [1, 64])], [value("y", [1, 64])],
                 [weight("fc.weight", 64, 64)])
    onnx.external_data_helper.convert_model_to_external_data(made, location="weights.bin", size_threshold=0)
    return made


def with_unusual_values():
    """Sequences, optionals, strings, quantized and sparse tensors, 4-bit integers."""
    node = helper.make_node
    labels = helper.make_tensor("labels", TensorProto.STRING, [2], [b"cat", b"dog"])
    small = helper.make_tensor("small", TensorProto.INT4, [4], [1, -2, 3, -4])
    nodes = [node("SequenceConstruct", ["x", "x"], ["list"]), node("ConcatFromSequence", ["list"], ["joined"], axis=0),
             node("Optional", ["joined"], ["maybe"]), node("OptionalGetElement", ["maybe"], ["given"]),
             node("QuantizeLinear", ["given", "scale", "zero"], ["q"]), node("DequantizeLinear", ["q", "scale", "zero"], ["y"]),
             node("Identity", ["labels"], ["names"]), node("Cast", ["small"], ["wide"], to=FLOAT)]
    weights = [labels, small, numpy_helper.from_array(np.float32(0.5), "scale"), numpy_helper.from_array(np.uint8(3), "zero")]
    outputs = [value("y", [4, 2]), value("names", [2], TensorProto.STRING), value("wide", [4])]
    return model(nodes, [value("x", [2, 2])], outputs, weights, 21)


def all_models():
    """Name and model of each."""
    for opset in OPSETS:
        yield f"opset{opset}", every_opset(opset)
    for name, make in {"if": with_if, "loop": with_loop, "scan": with_scan, "functions": with_functions, "scopes": with_old_scopes,
                       "external": with_external_data, "unusual": with_unusual_values}.items():
        yield name, make()
