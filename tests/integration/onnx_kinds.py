"""Small ONNX models of kinds that exporters other than torch's write, each with inputs that it takes.

A model is refused by a runtime where the runtime's own Python refuses it: nothing here says which.
"""

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

FLOAT, INT64, BOOL, STRING = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL, TensorProto.STRING
OPSET = 17
OLDEST, NEWEST = 7, onnx.defs.onnx_opset_version()
RANDOM = numpy.random.default_rng(0)


def info(name, dtype, shape):
    return helper.make_tensor_value_info(name, dtype, shape)


def normal(*shape):
    return RANDOM.standard_normal(shape).astype(numpy.float32)


def weight(name, *shape):
    return numpy_helper.from_array(normal(*shape), name)


def constant(name, value, dtype=numpy.int64):
    return numpy_helper.from_array(numpy.array(value, dtype=dtype), name)


def model(nodes, inputs, outputs, weights=(), opset=OPSET, ir_version=8, domains=(), **more):
    graph = helper.make_graph(nodes, "graph", inputs, outputs, list(weights))
    opsets = [helper.make_opsetid("", opset), *(helper.make_opsetid(domain, version) for domain, version in domains)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=ir_version, **more)


def convolution(dtype=FLOAT, shape=("batch", 3, "height", "width")):
    kernel = numpy_helper.from_array(normal(4, 3, 3, 3).astype(helper.tensor_dtype_to_np_dtype(dtype)), "kernel")
    nodes = [helper.make_node("Conv", ["x", "kernel"], ["features"], pads=[1, 1, 1, 1]),
             helper.make_node("Relu", ["features"], ["y"])]
    return model(nodes, [info("x", dtype, shape)], [info("y", dtype, None)], [kernel])


def dynamic_sizes():
    yield "named", convolution(), {"x": normal(2, 3, 8, 8)}
    yield "nameless", convolution(shape=(None, 3, None, None)), {"x": normal(1, 3, 5, 7)}
    yield "minus_one", convolution(shape=(-1, 3, -1, -1)), {"x": normal(1, 3, 6, 6)}
    nodes = [helper.make_node("Shape", ["x"], ["shape"]), helper.make_node("Gather", ["shape", "first"], ["batch"]),
             helper.make_node("Unsqueeze", ["batch", "axis"], ["batch_1d"]),
             helper.make_node("Concat", ["batch_1d", "rest"], ["wanted"], axis=0),
             helper.make_node("Reshape", ["x", "wanted"], ["y"])]
    weights = [constant("first", 0), constant("axis", [0]), constant("rest", [-1])]
    yield "computed_shape", model(nodes, [info("x", FLOAT, ["n", 2, 3])], [info("y", FLOAT, ["n", 6])], weights), \
        {"x": normal(4, 2, 3)}
    squeeze = [helper.make_node("Squeeze", ["x"], ["flat"]), helper.make_node("Conv", ["flat", "kernel"], ["y"])]
    yield "open_rank", model(squeeze, [info("x", FLOAT, ["a", "b", "c", "d"])], [info("y", FLOAT, None)],
                             [weight("kernel", 4, 3, 3)]), {"x": normal(1, 2, 3, 8)}


def empty_sizes():
    relu = [helper.make_node("Relu", ["x"], ["y"])]
    yield "in_and_out", model(relu, [info("x", FLOAT, ["n", 4])], [info("y", FLOAT, ["n", 4])]), {"x": normal(0, 4)}
    nodes = [helper.make_node("Slice", ["x", "none", "none", "axis"], ["nothing"]),
             helper.make_node("Concat", ["nothing", "x"], ["y"], axis=0)]
    yield "inside", model(nodes, [info("x", FLOAT, ["n", 4])], [info("y", FLOAT, None)],
                          [constant("none", [0]), constant("axis", [0])]), {"x": normal(3, 4)}


def scalars():
    yield "float", model([helper.make_node("Mul", ["x", "scale"], ["y"])], [info("x", FLOAT, [2, 3]), info("scale", FLOAT, [])],
                         [info("y", FLOAT, [2, 3])]), {"x": normal(2, 3), "scale": numpy.array(0.5, numpy.float32)}
    arms = {name: helper.make_graph([helper.make_node(op, ["x"], [name])], name, [], [info(name, FLOAT, None)])
            for name, op in (("then", "Relu"), ("else", "Neg"))}
    nodes = [helper.make_node("Equal", ["rate", "wanted"], ["is_wanted"]),
             helper.make_node("If", ["is_wanted"], ["y"], then_branch=arms["then"], else_branch=arms["else"])]
    branching = model(nodes, [info("x", FLOAT, ["batch", "samples"]), info("rate", INT64, [])], [info("y", FLOAT, None)],
                      [constant("wanted", 16000)])
    for rate in (16000, 8000):
        yield f"rate_{rate}", branching, {"x": normal(1, 16), "rate": numpy.array(rate)}
    yield "output", model([helper.make_node("ReduceSum", ["x"], ["y"], keepdims=0)], [info("x", FLOAT, [3])],
                          [info("y", FLOAT, [])]), {"x": normal(3)}


def control_flow():
    body = helper.make_graph(
        [helper.make_node("Mul", ["state", "factor"], ["next"]), helper.make_node("Identity", ["going"], ["on"])], "body",
        [info("i", INT64, []), info("going", BOOL, []), info("state", FLOAT, None)],
        [info("on", BOOL, []), info("next", FLOAT, None)])
    yield "loop", model([helper.make_node("Loop", ["count", "", "x"], ["y"], body=body)],
                        [info("x", FLOAT, ["n"]), info("count", INT64, [])], [info("y", FLOAT, ["n"])],
                        [constant("factor", 1.5, numpy.float32)]), {"x": normal(4), "count": numpy.array(3)}
    step = helper.make_graph([helper.make_node("Add", ["sum", "item"], ["next"]), helper.make_node("Identity", ["next"], ["seen"])],
                             "step", [info("sum", FLOAT, [2]), info("item", FLOAT, [2])],
                             [info("next", FLOAT, [2]), info("seen", FLOAT, [2])])
    yield "scan", model([helper.make_node("Scan", ["start", "x"], ["last", "y"], body=step, num_scan_inputs=1)],
                        [info("start", FLOAT, [2]), info("x", FLOAT, ["n", 2])],
                        [info("last", FLOAT, [2]), info("y", FLOAT, ["n", 2])]), {"start": normal(2), "x": normal(5, 2)}


def sequences():
    nodes = [helper.make_node("SplitToSequence", ["x", "parts"], ["subgraphs"], axis=0),
             helper.make_node("SequenceAt", ["subgraphs", "second"], ["y"])]
    yield "inside", model(nodes, [info("x", FLOAT, ["n", 2])], [info("y", FLOAT, None)],
                          [constant("parts", [2, 2]), constant("second", 1)]), {"x": normal(4, 2)}
    output = helper.make_tensor_sequence_value_info("y", FLOAT, None)
    yield "output", model([helper.make_node("SequenceConstruct", ["x", "x"], ["y"])], [info("x", FLOAT, [2])], [output]), \
        {"x": normal(2)}


def optional_inputs():
    nodes = [helper.make_node("Clip", ["x", "", "most"], ["clipped"]),
             helper.make_node("Resize", ["clipped", "", "scales"], ["y"], mode="nearest")]
    yield "left_out", model(nodes, [info("x", FLOAT, [1, 1, "h", "w"])], [info("y", FLOAT, None)],
                            [constant("most", 0.5, numpy.float32), constant("scales", [1, 1, 2, 2], numpy.float32)]), \
        {"x": normal(1, 1, 3, 3)}
    lstm = [helper.make_node("LSTM", ["x", "w", "r", "", "", "h", "c"], ["", "hn", "cn"], hidden_size=4)]
    yield "lstm_state", model(lstm, [info("x", FLOAT, ["t", 1, 3]), info("h", FLOAT, [1, 1, 4]), info("c", FLOAT, [1, 1, 4])],
                              [info("hn", FLOAT, [1, 1, 4]), info("cn", FLOAT, [1, 1, 4])],
                              [weight("w", 1, 16, 3), weight("r", 1, 16, 4)]), \
        {"x": normal(5, 1, 3), "h": normal(1, 1, 4), "c": normal(1, 1, 4)}
    yield "overridable_weight", model([helper.make_node("Add", ["x", "bias"], ["y"])],
                                      [info("x", FLOAT, [2]), info("bias", FLOAT, [2])], [info("y", FLOAT, [2])],
                                      [weight("bias", 2)]), {"x": normal(2)}


def dtypes():
    yield "float16", convolution(TensorProto.FLOAT16), {"x": normal(1, 3, 8, 8).astype(numpy.float16)}
    for name, dtype, value in (("double", TensorProto.DOUBLE, normal(3).astype(numpy.float64)),
                               ("uint8", TensorProto.UINT8, numpy.arange(3, dtype=numpy.uint8)),
                               ("bool", BOOL, numpy.array([True, False, True]))):
        cast = [helper.make_node("Cast", ["x"], ["y"], to=FLOAT)]
        yield name, model(cast, [info("x", dtype, ["n"])], [info("y", FLOAT, ["n"])]), {"x": value}
    near_zero = [helper.make_node("Sub", ["x", "far"], ["logit"]), helper.make_node("Sigmoid", ["logit"], ["y"])]
    yield "sigmoid_near_zero", model(near_zero, [info("x", FLOAT, ["n"])], [info("y", FLOAT, ["n"])],
                                     [constant("far", 11, numpy.float32)]), {"x": normal(64)}


def opsets():
    for opset in range(OLDEST, NEWEST + 1):
        nodes = [helper.make_node("Gemm", ["x", "w", "b"], ["hidden"]), helper.make_node("Relu", ["hidden"], ["active"]),
                 helper.make_node("Softmax", ["active"], ["y"], axis=1)]
        ir_version = helper.find_min_ir_version_for([helper.make_opsetid("", opset)])
        yield str(opset), model(nodes, [info("x", FLOAT, ["batch", 4])], [info("y", FLOAT, ["batch", 3])],
                                [weight("w", 4, 3), weight("b", 3)], opset, ir_version), {"x": normal(2, 4)}


def exporters():
    kernel = normal(2, 3, 1, 1)
    paddle = [helper.make_node("Constant", [], ["conv2d_0.w_0"], value=numpy_helper.from_array(kernel)),
              helper.make_node("Conv", ["x", "conv2d_0.w_0"], ["conv2d_0.tmp_0"], "p2o.Conv.0", kernel_shape=[1, 1]),
              helper.make_node("Sigmoid", ["conv2d_0.tmp_0"], ["sigmoid_0.tmp_0"], "p2o.Sigmoid.1")]
    shape = ["p2o.DynamicDimension.0", 3, "p2o.DynamicDimension.1", "p2o.DynamicDimension.2"]
    yield "paddle", model(paddle, [info("x", FLOAT, shape)], [info("sigmoid_0.tmp_0", FLOAT, None)], opset=11, ir_version=7,
                          producer_name="PaddlePaddle"), {"x": normal(1, 3, 8, 8)}
    keras = [helper.make_node("Transpose", ["input_1:0"], ["model/conv/nchw:0"], "model/conv/to_nchw", perm=[0, 3, 1, 2]),
             helper.make_node("Conv", ["model/conv/nchw:0", "model/conv/kernel:0"], ["model/conv/out:0"], "model/conv"),
             helper.make_node("Transpose", ["model/conv/out:0"], ["Identity:0"], "model/conv/to_nhwc", perm=[0, 2, 3, 1])]
    yield "keras", model(keras, [info("input_1:0", FLOAT, ["unk__10", 8, 8, 3])], [info("Identity:0", FLOAT, ["unk__11", 8, 8, 2])],
                         [numpy_helper.from_array(kernel, "model/conv/kernel:0")], opset=13, ir_version=7,
                         domains=[("ai.onnx.ml", 2)], producer_name="tf2onnx"), {"input_1:0": normal(2, 8, 8, 3)}
    dense = [helper.make_node("MatMul", ["serving_default_x:0", "StatefulPartitionedCall/kernel"], ["product"]),
             helper.make_node("Add", ["product", "StatefulPartitionedCall/bias"], ["StatefulPartitionedCall:0"])]
    yield "tf2onnx", model(dense, [info("serving_default_x:0", FLOAT, [None, 4])], [info("StatefulPartitionedCall:0", FLOAT, None)],
                           [weight("StatefulPartitionedCall/kernel", 4, 2), weight("StatefulPartitionedCall/bias", 2)],
                           opset=15, producer_name="tf2onnx"), {"serving_default_x:0": normal(3, 4)}
    labels = [helper.make_node("LabelEncoder", ["x"], ["y"], domain="ai.onnx.ml", keys_int64s=[0, 1], values_floats=[0.5, 1.5])]
    yield "sklearn", model(labels, [info("x", INT64, [None])], [info("y", FLOAT, [None])], domains=[("ai.onnx.ml", 3)]), \
        {"x": numpy.array([1, 0, 1])}


def odd_graphs():
    x = info("x", FLOAT, ["n"])
    yield "input_is_output", model([helper.make_node("Neg", ["x"], ["y"])], [x], [info("y", FLOAT, ["n"]), x]), {"x": normal(3)}
    yield "weight_is_output", model([helper.make_node("Neg", ["x"], ["y"])], [x], [info("y", FLOAT, ["n"]), info("w", FLOAT, [2])],
                                    [weight("w", 2)]), {"x": normal(3)}
    twice = helper.make_function("local", "Twice", ["a"], ["b"], [helper.make_node("Add", ["a", "a"], ["b"])],
                                 [helper.make_opsetid("", OPSET)])
    yield "function", model([helper.make_node("Twice", ["x"], ["y"], domain="local")], [x], [info("y", FLOAT, ["n"])],
                            domains=[("local", 1)], functions=[twice]), {"x": normal(3)}


def kinds():
    """Yields name, model and inputs."""
    for family in (dynamic_sizes, empty_sizes, scalars, control_flow, sequences, optional_inputs, dtypes, opsets, exporters, odd_graphs):
        for name, made, inputs in family():
            yield f"{family.__name__}.{name}", made, inputs
