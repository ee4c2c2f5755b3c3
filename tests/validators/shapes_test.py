"""Small ONNX files that contradict themselves, and files that look as if they did.

    shapes_test.py PROGRAM
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

RULES = ("shape-mismatch", "baked-dimension", "wrong-declaration")


def weight(name, *shape):
    return numpy_helper.from_array(numpy.zeros(shape, numpy.float32), name)


def numbers(name, *values):
    return numpy_helper.from_array(numpy.array(values, numpy.int64), name)


def model(nodes, inputs, weights=(), outputs=None, opset=17, domains=(), value_info=()):
    """@param inputs  shapes by name; of dtype float32"""
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in inputs.items()]
    made = outputs or {nodes[-1].output[0]: None}
    results = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in made.items()]
    graph = helper.make_graph(nodes, "g", values, results, list(weights), value_info=list(value_info))
    imports = [helper.make_opsetid("", opset), *(helper.make_opsetid(domain, 1) for domain in domains)]
    return helper.make_model(graph, opset_imports=imports, ir_version=8)


def node(kind, inputs, output="y", **attributes):
    return helper.make_node(kind, inputs, [output], name=f"the_{kind}", **attributes)


def branch(nodes, output):
    return helper.make_graph(nodes, "arm", [], [helper.make_tensor_value_info(output, TensorProto.FLOAT, None)])


TELL = {
    "matmul": ("shape-mismatch", "64", model([node("MatMul", ["x", "w"])], {"x": ["n", 64]}, [weight("w", 32, 10)])),
    "gemm": ("shape-mismatch", "64", model([node("Gemm", ["x", "w"])], {"x": ["n", 64]}, [weight("w", 32, 10)])),
    "add": ("shape-mismatch", "11", model([node("Add", ["x", "b"])], {"x": ["n", 10]}, [weight("b", 11)])),
    "concat": ("shape-mismatch", "9", model([node("Concat", ["x", "z"], axis=1)], {"x": [1, 4, 8], "z": [1, 4, 9]})),
    "conv_channels": ("shape-mismatch", "4", model([node("Conv", ["x", "w"])], {"x": [1, 4, 8, 8]}, [weight("w", 8, 3, 3, 3)])),
    "conv_bias": ("shape-mismatch", "8", model([node("Conv", ["x", "w", "b"])], {"x": [1, 4, 8, 8]}, [weight("w", 8, 4, 3, 3), weight("b", 4)])),
    "computed": ("shape-mismatch", "30", model([
        node("Shape", ["x"], "s"), node("Gather", ["s", "i"], "c"), node("Concat", ["c", "k"], "shape", axis=0),
        node("Reshape", ["x", "shape"])], {"x": [3, 10]}, [numbers("i", 1), numbers("k", 4)])),
    "slice_back": ("shape-mismatch", "5", model([
        node("Slice", ["x", "s", "e", "a", "p"], "back"), node("Add", ["back", "w"])], {"x": ["n", 10]},
        [numbers("s", -1), numbers("e", -11), numbers("a", 1), numbers("p", -2), weight("w", 4)])),
    "proportion": ("shape-mismatch", "28*b*s", model([
        node("Shape", ["x"], "shape"), helper.make_node("Split", ["shape"], ["b", "six", "s", "d"]),
        node("Concat", ["b", "seven", "s", "four"], "wanted", axis=0),
        node("Reshape", ["x", "wanted"])], {"x": ["b", 6, "s", 4]}, [numbers("seven", 7), numbers("four", 4)])),
    "grid_list": ("shape-mismatch", "3 numbers", model([node("AffineGrid", ["t", "s"])], {"t": [2, 2, 3]}, [numbers("s", 2, 3, 4)], opset=20)),
    "grid_batch": ("shape-mismatch", "batch", model([node("AffineGrid", ["t", "s"])], {"t": [3, 2, 3]}, [numbers("s", 2, 3, 4, 5)], opset=20)),
    "grid": ("shape-mismatch", "3", model([node("GridSample", ["x", "g"])], {"x": [1, 3, 8, 8], "g": [1, 4, 4, 3]})),
    "columns": ("shape-mismatch", "20", model([node("Col2Im", ["x", "i", "b"])],
                                              {"x": [1, 12, 20]}, [numbers("i", 5, 5), numbers("b", 2, 2)], opset=18)),
    "ellipsis": ("shape-mismatch", "7", model([node("Einsum", ["x", "w"], equation="...ij,jk->...ik")],
                                              {"x": ["a", "b", 8]}, [weight("w", 7, 4)])),
    "heads": ("shape-mismatch", "3 of the key", model([node("Attention", ["q", "k", "k"])],
                                                      {"q": ["b", 4, "s", 8], "k": ["b", 3, "s", 8]}, opset=23)),
    "frequencies": ("shape-mismatch", "8", model([
        node("DFT", ["x"], "f", axis=1, onesided=1), node("Mul", ["f", "w"])], {"x": ["b", 16, 1]}, [weight("w", 8, 2)])),
    "tile_list": ("shape-mismatch", "3 numbers", model([node("Tile", ["x", "r"])], {"x": ["n", 4]}, [numbers("r", 1, 2, 1)])),
    "baked_batch": ("baked-dimension", "can only be 2", model([node("AffineGrid", ["t", "s"])],
                                                              {"t": ["n", 2, 3]}, [numbers("s", 2, 3, 4, 5)], opset=20)),
    "off_by_one": ("baked-dimension", "only few sizes", model([
        node("Conv", ["x", "w"], "c"), node("Add", ["c", "x"])], {"x": ["n", 4, "s"]}, [weight("w", 4, 4, 2)])),
    "baked_reshape": ("baked-dimension", "can only be 1", model([node("Reshape", ["x", "s"])], {"x": ["n", 4, 8]}, [numbers("s", 1, 32)])),
    "baked_mask": ("baked-dimension", "can only be 16 or 1", model([node("Add", ["x", "c"])], {"x": ["b", "s", 8]}, [weight("c", 1, 16, 8)])),
    "baked_token": ("baked-dimension", "can only be 1", model([
        node("Expand", ["c", "s"], "t"), node("Concat", ["t", "x"], axis=1)], {"x": ["n", 4, 8]}, [weight("c", 1, 1, 8), numbers("s", 1, 1, 8)])),
    "baked_scores": ("baked-dimension", "can only be 16 or 1", model([
        node("Transpose", ["x"], "k", perm=[0, 2, 1]), node("MatMul", ["x", "k"], "q"), node("Add", ["q", "m"])],
        {"x": ["b", "s", 8]}, [weight("m", 1, 16, 16)])),
    "baked_image": ("baked-dimension", "only few sizes", model([
        node("Conv", ["x", "w"], "c", strides=[2, 2]), node("Flatten", ["c"], "f"), node("MatMul", ["f", "h"])],
        {"x": ["n", 3, "height", "width"]}, [weight("w", 4, 3, 2, 2), weight("h", 64, 5)])),
    "baked_without_name": ("baked-dimension", "axis 0 of input `x`", model([node("Reshape", ["x", "s"])], {"x": [None, 4]}, [numbers("s", 2, 4)])),
    "square": ("baked-dimension", "must be equal", model([
        node("Transpose", ["x"], "t", perm=[1, 0]), node("Concat", ["x", "t"], axis=0)], {"x": ["h", "w"]})),
    "state": ("shape-mismatch", "the number of directions", model([
        node("GRU", ["x", "w", "r", "", "", "h"], hidden_size=3)], {"x": [5, 2, 4], "h": [2, 2, 3]}, [weight("w", 1, 9, 4), weight("r", 1, 9, 3)])),
    "baked_state": ("baked-dimension", "can only be 2", model([
        node("LSTM", ["x", "w", "r", "", "", "h", "h"], hidden_size=3)],
        {"x": [5, "n", 4]}, [weight("w", 1, 12, 4), weight("r", 1, 12, 3), weight("h", 1, 2, 3)])),
    "gathered_places": ("shape-mismatch", "4", model([node("GatherElements", ["x", "i"], axis=0)], {"x": [2, 3]}, [
        numbers("i", [0, 0, 0, 0], [0, 0, 0, 0])])),
    "scattered_places": ("shape-mismatch", "4", model([node("ScatterElements", ["x", "i", "u"], axis=0)], {"x": [2, 3]}, [
        numbers("i", [0, 0, 0, 0]), weight("u", 1, 4)])),
    "few_parts": ("shape-mismatch", "`num_outputs` is 1 for 2 outputs", model([
        helper.make_node("Split", ["x"], ["a", "b"], num_outputs=1), node("Add", ["a", "b"])], {"x": [4, 2]}, opset=18)),
    "more_parts": ("shape-mismatch", "`num_outputs` is 5 for 3 outputs", model([
        helper.make_node("Split", ["x"], ["a", "b", "c"], num_outputs=5), node("Add", ["a", "b"])], {"x": [6, 2]}, opset=18)),
    "wrong_rank": ("wrong-declaration", "[?]", model([node("Relu", ["x"])], {"x": ["n", 4]}, outputs={"y": [None]})),
    "wrong_size": ("wrong-declaration", "[1, 4]", model([node("Relu", ["x"])], {"x": ["n", 4]}, outputs={"y": [1, 4]})),
    "wrong_between": ("wrong-declaration", "value `r`", model(
        [node("Relu", ["x"], "r"), node("Abs", ["r"])], {"x": ["n", 4]},
        value_info=[helper.make_tensor_value_info("r", TensorProto.FLOAT, ["n", 5])])),
    "nothing": ("shape-mismatch", "0", model([node("Add", ["x", "b"])], {"x": [2, 0]}, [weight("b", 2, 5)])),
    "values_of_another_batch": ("shape-mismatch", "value[0]", model([node("Attention", ["q", "q", "v"])],
                                                                    {"q": [2, 3, 4, 8], "v": [1, 3, 4, 8]}, opset=23)),
    "nested_sizes": ("shape-mismatch", "rank(sizes)", model([node("CenterCropPad", ["x", "s"])], {"x": [3, 4]}, [numbers("s", [2, 2])], opset=18)),
    "one_padding": ("shape-mismatch", "count(output_padding)", model([node("ConvTranspose", ["x", "w"], output_padding=[1], strides=[2, 2])],
                                                                     {"x": [1, 2, 3, 3]}, [weight("w", 2, 2, 3, 3)])),
    "three_parts": ("shape-mismatch", "x[-1]", model([node("DFT", ["x"], axis=1)], {"x": [1, 8, 3]})),
    "transformed_parts": ("shape-mismatch", "axis", model([node("DFT", ["x"], axis=2)], {"x": [1, 8, 2]})),
    "boxes_of_two_axes": ("shape-mismatch", "rank(boxes)", model([node("NonMaxSuppression", ["b", "s"])], {"b": [6, 4], "s": [1, 1, 6]})),
    "one_axis_twice": ("shape-mismatch", "batch_axis", model([node("ReverseSequence", ["x", "l"], batch_axis=0, time_axis=0)],
                                                             {"x": [2, 3]}, [numbers("l", 1, 2)])),
    "image_without_batch": ("shape-mismatch", "rank(x)", model([node("RoiAlign", ["x", "r", "i"])],
                                                               {"x": [1, 4, 4], "r": [1, 4]}, [numbers("i", 0)])),
    "other_angles": ("shape-mismatch", "cosines[-1]", model([node("RotaryEmbedding", ["x", "c", "c", "p"])],
                                                            {"x": [2, 4, 3, 8]}, [weight("c", 50, 3), numbers("p", [0, 1, 2], [0, 1, 2])], opset=23)),
    "fewer_scales": ("shape-mismatch", "size(scales)", model([node("Upsample", ["x", "s"])], {"x": [1, 1, 2, 2], "s": [3]}, opset=9)),
    "arm_that_data_choose": ("shape-mismatch", "convolution", model([
        node("ReduceSum", ["x"], "sum", keepdims=0), node("Cast", ["sum"], "c", to=TensorProto.BOOL),
        node("If", ["c"], then_branch=branch([node("Conv", ["x", "w"], "t")], "t"), else_branch=branch([node("Identity", ["x"], "e")], "e"))],
        {"x": [1, 4, 8, 8]}, [weight("w", 8, 3, 3, 3)])),
}

FITS = {
    "nothing": model([node("Add", ["x", "b"])], {"x": [2, 0]}, [weight("b", 2, 1)]),
    "angles": model([node("RotaryEmbedding", ["x", "c", "c", "p"])],
                    {"x": [2, 4, 3, 8]}, [weight("c", 50, 4), numbers("p", [0, 1, 2], [0, 1, 2])], opset=23),
    "angles_of_places": model([node("RotaryEmbedding", ["x", "c", "c"], num_heads=4)], {"x": [2, 3, 32]}, [weight("c", 2, 3, 4)], opset=23),
    "boxes": model([node("NonMaxSuppression", ["b", "s"])], {"b": ["n", 6, 4], "s": ["n", 1, 6]}),
    "all_paddings": model([node("ConvTranspose", ["x", "w"], output_padding=[1, 1], strides=[2, 2])], {"x": [1, 2, 3, 3]}, [weight("w", 2, 2, 3, 3)]),
    "states": model([
        node("LSTM", ["x", "w", "r", "", "", "h", "h"], hidden_size=3)],
        {"x": [5, 2, 4], "h": [1, 2, 3]}, [weight("w", 1, 12, 4), weight("r", 1, 12, 3)]),
    "gathered": model([node("GatherElements", ["x", "i"], axis=0)], {"x": [2, 3]}, [numbers("i", [0, 0], [0, 0], [0, 0])]),
    "row": model([node("Add", ["x", "b"])], {"x": ["n", 10]}, [weight("b", 10)]),
    "open_reshape": model([node("Reshape", ["x", "s"])], {"x": ["n", 4, 8]}, [numbers("s", -1, 32)]),
    "own_batch": model([
        node("Shape", ["x"], "s"), node("Gather", ["s", "i"], "n"), node("Concat", ["n", "k"], "to", axis=0),
        node("Reshape", ["x", "to"])], {"x": ["n", 4, 8]}, [numbers("i", 0), numbers("k", 32)]),
    "positions": model([
        node("Shape", ["x"], "s"), node("Gather", ["s", "one"], "n"), node("Slice", ["table", "zero", "n", "one"], "p"),
        node("Add", ["x", "p"])], {"x": ["b", "s", 8]}, [weight("table", 1, 16, 8), numbers("one", 1), numbers("zero", 0)]),
    "u_net": model([
        node("MaxPool", ["x"], "d", kernel_shape=[2], strides=[2]), node("ConvTranspose", ["d", "w"], "u", strides=[2]),
        node("Concat", ["x", "u"], axis=1)], {"x": ["n", 4, "length"]}, [weight("w", 4, 4, 2)]),
    "dead": model([node("Conv", ["x", "w"], "dead"), node("Relu", ["x"])], {"x": [1, 4, 8, 8]}, [weight("w", 8, 3, 3, 3)]),
    "arm_that_sizes_choose": model([
        node("Shape", ["x"], "sizes"), node("Gather", ["sizes", "one"], "channels"), node("Equal", ["channels", "three"], "c"),
        node("If", ["c"], then_branch=branch([node("Conv", ["x", "w"], "t")], "t"), else_branch=branch([node("Identity", ["x"], "e")], "e"))],
        {"x": [1, 4, 8, 8]}, [weight("w", 8, 3, 3, 3), numbers("one", 1), numbers("three", 3)]),
    "unknown": model([node("Mystery", ["x"], "m", domain="mine"), node("MatMul", ["m", "w"])], {"x": ["n", 4]}, [weight("w", 8, 3)],
                     domains=["mine"]),
    "wide_range": model([
        node("AveragePool", ["x"], "a", kernel_shape=[3], strides=[48]), node("Concat", ["a", "c"], axis=1)],
        {"x": [1, 4, "length"]}, [weight("c", 1, 4, 1)]),
    "last_elements": model([node("Slice", ["x", "s", "e", "a"], "last"), node("Add", ["last", "x"])],
                           {"x": ["n", "s"]}, [numbers("s", -5), numbers("e", 2**62), numbers("a", 1)]),
    "last_of_all": model([node("Slice", ["x", "s", "e", "a"], "last"), node("Add", ["last", "w"])],
                         {"x": ["n", "s"]}, [numbers("s", -5), numbers("e", 2**62), numbers("a", 1), weight("w", 5)]),
    "turned_paddings": model([
        node("Shape", ["x"], "shape"), node("Gather", ["shape", "one"], "s"), node("Concat", ["s", "zeros"], "l", axis=0),
        node("Reshape", ["l", "pairs"], "m"), node("Slice", ["m", "last", "far", "first", "last"], "r"), node("Transpose", ["r"], "t", perm=[1, 0]),
        node("Reshape", ["t", "last"], "p"), node("Pad", ["x", "p"])], {"x": ["n", "s"]},
        [numbers("one", 1), numbers("zeros", 0, 0, 0), numbers("pairs", -1, 2), numbers("last", -1), numbers("far", -(2**62)), numbers("first", 0)],
        outputs={"y": ["n", "2*s"]}),
    "keeps_ratio": model([
        node("Resize", ["x", "", "", "s"], "r", mode="linear", keep_aspect_ratio_policy="not_larger", axes=[2, 3]), node("Add", ["r", "w"])],
        {"x": ["n", 3, 8, 12]}, [numbers("s", 16, 18), weight("w", 12, 18)], opset=18),
    "frequencies": model([node("DFT", ["x"], "f", axis=1, onesided=1), node("Mul", ["f", "w"])], {"x": ["b", 16, 1]}, [weight("w", 9, 2)]),
    "two_inputs": model([node("Add", ["x", "z"])], {"x": ["x_dynamic_axes_1", 4], "z": ["z_dynamic_axes_1", 4]}),
    "expression": model([node("Concat", ["past", "x"], axis=0)], {"past": ["past", 4], "x": ["new", 4]}, outputs={"y": ["past + new", 4]}),
}


def findings_of(program, file):
    command = [program, "check", "--output-format", "json", str(file)]
    report = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    return [each for each in report["models"][0]["findings"] if each["rule"] in RULES]


def main():
    program = sys.argv[1]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for name, (rule, words, made) in TELL.items():
            file = pathlib.Path(folder, f"{name}.onnx")
            onnx.save(made, file)
            found = findings_of(program, file)
            told = [each for each in found if each["rule"] == rule and words in each["message"]]
            if not told or any(each["rule"] not in (rule, "wrong-declaration") or not each["op"] for each in found):
                wrong.append(f"{name}: {[each['message'] for each in found]}")
        for name, made in FITS.items():
            file = pathlib.Path(folder, f"{name}.onnx")
            onnx.save(made, file)
            if found := findings_of(program, file):
                wrong.append(f"{name}: {[each['message'] for each in found]}")
    print("\n".join(wrong) or f"{len(TELL)} told, {len(FITS)} silent")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
