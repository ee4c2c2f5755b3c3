"""Checks ONNX files with and without targets as a user does, and holds the answers against those of the runtimes.

    onnx_targets_test.py PROGRAM FOLDER
"""

import json
import pathlib
import subprocess
import sys
import unittest

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

PROGRAM, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])


def value(name, dtype=TensorProto.FLOAT, shape=None):
    return helper.make_tensor_value_info(name, dtype, shape)


def constant(name, data):
    return numpy_helper.from_array(numpy.asarray(data), name)


def saved(name, nodes, inputs, outputs, constants=(), opset=16, producer=""):
    graph = helper.make_graph(nodes, name, inputs, outputs, list(constants))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8, producer_name=producer)
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{name}.onnx"
    onnx.save(model, path)
    return path


def run(path, *options):
    return subprocess.run([PROGRAM, "check", *options, path], capture_output=True, text=True, timeout=60, check=False)


def report(path, *options):
    done = run(path, "--output-format", "json", *options)
    return json.loads(done.stdout)["models"][0]


def verdict(path, target):
    return report(path, "--target", target)["verdicts"][0]


def if_of_two_ranks():
    arms = [helper.make_graph([helper.make_node("Identity", ["x"], ["t"])], "then", [], [value("t")]),
            helper.make_graph([helper.make_node("ReduceSum", ["x", "axis"], ["e"], keepdims=0)], "else", [], [value("e")])]
    return helper.make_node("If", ["condition"], ["y"], then_branch=arms[0], else_branch=arms[1])


def loop(outputs, *carried):
    """A loop whose body makes float32 of what it carries, which is int64."""
    nodes = [helper.make_node("Identity", ["go"], ["on"]), helper.make_node("Identity", ["c"], ["d"]), helper.make_node("Cast", ["c"], ["s"], to=1)]
    body = helper.make_graph(nodes, "body", [value("i", TensorProto.INT64, []), value("go", TensorProto.BOOL, []), value("c", TensorProto.INT64)],
                             [value("on", TensorProto.BOOL, []), value("d", TensorProto.INT64), value("s")])
    return helper.make_node("Loop", ["trips", "", *carried], outputs, body=body)


RELU = [helper.make_node("Relu", ["x"], ["y"])]
X, Y = value("x", shape=[1, 3, 5]), value("y")
AXIS, KERNEL = constant("axis", [0]), constant("w", numpy.ones((3, 3, 1), numpy.float32))
CONDITION = value("condition", TensorProto.BOOL, [])


class SaysWhatTheTargetMakesOfIt(unittest.TestCase):
    def test_also_when_all_is_well(self):
        done = run(saved("well", RELU, [X], [Y]), "--target", "openvino")
        self.assertRegex(done.stdout, r"(?m)^openvino \d+\.\d+\S*: takes the one op$")
        self.assertEqual(done.returncode, 0)

    def test_how_many_it_refuses(self):
        nodes = [helper.make_node("Relu", ["x"], ["r"]), helper.make_node("Det", ["r"], ["y"])]
        square = value("x", shape=[1, 5, 5])
        self.assertRegex(run(saved("refused", nodes, [square], [Y]), "--target", "tensorrt@10").stdout, r"(?m)^tensorrt \S+: refuses 1 of 2 ops$")

    def test_in_every_format(self):
        path = saved("formats", RELU, [X], [Y])
        for form in ("concise", "json", "jsonl", "sarif", "github", "junit"):
            with self.subTest(form=form):
                self.assertIn("takes the one op", run(path, "--target", "openvino", "--output-format", form).stdout)


class TellsWhatIsTakenAndComputedWrongly(unittest.TestCase):
    def resize(self, antialias, scale=0.5, shape=(1, 1, 4, 4)):
        node = helper.make_node("Resize", ["x", "", "scales"], ["y"], mode="linear", antialias=antialias)
        return saved(f"antialias{antialias}", [node], [value("x", shape=list(shape))], [Y],
                     [constant("scales", numpy.array([1, 1, scale, scale], numpy.float32))], opset=18)

    def test_as_an_error_of_its_own_kind(self):
        path = self.resize(1)
        found = verdict(path, "openvino")
        self.assertEqual(found["verdict"], "wrong")
        self.assertEqual(found["ops"]["wrong"], 1)
        self.assertTrue(found["summary"].endswith("computes 1 of 1 op wrongly"))
        message = report(path, "--target", "openvino")["findings"][0]["message"]
        self.assertRegex(message, "takes operator `onnx::Resize` and computes it wrongly: with antialias=1 and output 0 smaller than input 0 "
                                  r"it is off by [\d.]+ of [\d.]+")
        self.assertEqual(run(path, "--target", "openvino").returncode, 1)

    def test_and_nothing_of_what_is_right(self):
        self.assertEqual(verdict(self.resize(0), "openvino")["verdict"], "taken")
        self.assertEqual(verdict(self.resize(1, scale=2.0), "openvino")["verdict"], "taken", "there is nothing to smooth")

    def test_where_sizes_are_open_it_says_what_decides(self):
        found = verdict(self.resize(1, shape=(1, 1, "h", "w")), "openvino")
        self.assertEqual(found["verdict"], "taken in part")
        self.assertIn("the sizes of output 0; where it is smaller than input 0 it is computed wrongly", str(found["operators"]))

    def test_a_number_of_heads_that_is_not_that_of_the_queries(self):
        for heads, expected in ((2, "taken"), (4, "refused")):
            node = helper.make_node("Attention", ["q", "q", "q"], ["y"], q_num_heads=heads, kv_num_heads=2)
            path = saved("heads", [node], [value("q", shape=[1, 2, 5, 8])], [Y], opset=24)
            self.assertEqual(verdict(path, "onnxruntime")["verdict"], expected)

    def test_reductions_while_scattering_float16(self):
        for reduction, expected in (("none", "taken"), ("add", "refused")):
            node = helper.make_node("ScatterND", ["x", "i", "u"], ["y"], reduction=reduction)
            constants = [constant("i", numpy.array([[0]])), constant("u", numpy.zeros((1, 3), numpy.float16))]
            path = saved("scatter", [node], [value("x", TensorProto.FLOAT16, [4, 3])], [value("y", TensorProto.FLOAT16)], constants, opset=18)
            self.assertEqual(verdict(path, "onnxruntime")["verdict"], expected)

    def test_what_fails_when_run_is_refused(self):
        node = helper.make_node("QuantizeLinear", ["x", "scale", "zero"], ["y"])
        constants = [constant("scale", numpy.float16(0.5)), constant("zero", numpy.int8(0))]
        path = saved("mixed", [node], [value("x", shape=[2, 5])], [value("y", TensorProto.INT8)], constants, opset=23)
        found = verdict(path, "onnxruntime@1.31")
        self.assertEqual(found["verdict"], "refused")
        self.assertIn("fails when it runs", report(path, "--target", "onnxruntime@1.31")["findings"][0]["message"])
        self.assertEqual(verdict(path, "onnxruntime")["verdict"], "taken")

    def test_quantised_operators_that_wrap_instead_of_being_clipped(self):
        kinds = ((numpy.int8, TensorProto.INT8, "taken in part"), (numpy.uint8, TensorProto.UINT8, "wrong"))
        for kind, number, of_negative in kinds:
            constants = [constant("s", numpy.float32(0.05)), constant("z", kind(0))]
            for operator, expected in (("QLinearLeakyRelu", of_negative), ("QLinearSigmoid", "taken in part")):
                node = helper.make_node(operator, ["x", "s", "z", "s", "z"], ["y"], domain="com.microsoft")
                path = saved(operator, [node], [value("x", number, [4])], [value("y", number)], constants)
                self.assertEqual(verdict(path, "openvino")["verdict"], expected, operator)
                self.assertEqual(verdict(path, "onnxruntime")["verdict"], "taken", operator)

    def test_an_activation_that_is_lost(self):
        for activation, expected in (("Relu", "taken"), ("Sigmoid", "wrong")):
            node = helper.make_node("FusedGemm", ["x", "w", "b"], ["y"], domain="com.microsoft", activation=activation)
            constants = [constant("w", numpy.zeros((3, 2), numpy.float32)), constant("b", numpy.zeros(2, numpy.float32))]
            path = saved("fused", [node], [value("x", shape=[2, 3])], [value("y", shape=[2, 2])], constants)
            self.assertEqual(verdict(path, "openvino")["verdict"], expected)

    def test_ranks_that_kernels_lack(self):
        for spatial, expected in ((3, "taken"), (4, "refused")):
            path = saved(f"pool{spatial}", [helper.make_node("MaxPool", ["x"], ["y"], kernel_shape=[2] * spatial)],
                         [value("x", shape=[1, 1, *[4] * spatial])], [value("y", shape=[1, 1, *[3] * spatial])])
            for target in ("onnxruntime", "openvino"):
                with self.subTest(spatial=spatial, target=target):
                    self.assertEqual(verdict(path, target)["verdict"], expected)

    def test_a_layout_that_one_refuses_and_the_other_ignores(self):
        weights = [constant("w", numpy.zeros((1, 20, 3), numpy.float32)), constant("r", numpy.zeros((1, 20, 5), numpy.float32))]
        for layout, onnxruntime, openvino in ((0, "taken", "taken"), (1, "refused", "wrong")):
            path = saved(f"lstm{layout}", [helper.make_node("LSTM", ["x", "w", "r"], ["", "h"], hidden_size=5, layout=layout)],
                         [value("x", shape=[2, 2, 3])], [value("h")], weights)
            with self.subTest(layout=layout):
                self.assertEqual(verdict(path, "onnxruntime")["verdict"], onnxruntime)
                self.assertEqual(verdict(path, "openvino")["verdict"], openvino)

    def test_cubic_interpolation_of_whole_numbers(self):
        for mode, antialias, number, expected in (("cubic", 0, TensorProto.INT8, "refused"), ("cubic", 0, TensorProto.UINT8, "refused"),
                                                  ("cubic", 1, TensorProto.INT8, "taken"), ("linear", 0, TensorProto.INT8, "taken"),
                                                  ("cubic", 0, TensorProto.FLOAT16, "taken")):
            node = helper.make_node("Resize", ["x", "", "scales"], ["y"], mode=mode, antialias=antialias)
            path = saved("cubic", [node], [value("x", number, [1, 1, 4, 4])], [value("y", number)],
                         [constant("scales", numpy.array([1, 1, 2, 2], numpy.float32))], opset=18)
            with self.subTest(mode=mode, antialias=antialias, number=number):
                self.assertEqual(verdict(path, "onnxruntime")["verdict"], expected)

    def test_activations_that_only_one_knows(self):
        weights = [constant("w", numpy.zeros((1, 15, 3), numpy.float32)), constant("r", numpy.zeros((1, 15, 5), numpy.float32))]
        for activation, onnxruntime, openvino in (("Relu", "taken", "taken"), ("Softsign", "taken", "refused"), ("Gelu", "refused", "refused")):
            node = helper.make_node("GRU", ["x", "w", "r"], ["", "h"], hidden_size=5, activations=["Sigmoid", activation])
            path = saved("activation", [node], [value("x", shape=[2, 2, 3])], [value("h")], weights)
            with self.subTest(activation=activation):
                self.assertEqual(verdict(path, "onnxruntime")["verdict"], onnxruntime)
                self.assertEqual(verdict(path, "openvino")["verdict"], openvino)

    def test_grids_of_half_precision(self):
        for number, expected in ((TensorProto.FLOAT, "taken"), (TensorProto.FLOAT16, "refused")):
            node = helper.make_node("AffineGrid", ["x", "size"], ["y"])
            path = saved("grid", [node], [value("x", number, [2, 2, 3])], [value("y", number)],
                         [constant("size", numpy.array([2, 3, 4, 4]))], opset=20)
            with self.subTest(number=number):
                self.assertEqual(verdict(path, "openvino")["verdict"], expected)

    def test_an_operator_that_is_taken_apart(self):
        for number, expected in ((TensorProto.FLOAT, "taken"), (TensorProto.FLOAT16, "taken"), (TensorProto.BFLOAT16, "refused")):
            path = saved("causal", [helper.make_node("CausalConvWithState", ["x", "w"], ["y", "state"])],
                         [value("x", number, [1, 2, 5]), value("w", number, [2, 1, 3])], [value("y", number), value("state", number)], opset=27)
            with self.subTest(number=number):
                self.assertEqual(verdict(path, "onnxruntime")["verdict"], expected)

    def test_a_cast_to_a_number_of_no_dtype(self):
        path = saved("cast99", [helper.make_node("Cast", ["x"], ["y"], to=99)], [X], [Y])
        for target in ("onnxruntime", "openvino"):
            self.assertEqual(verdict(path, target)["verdict"], "refused")

    def test_operators_that_only_devices_have_kernels_for(self):
        node = helper.make_node("NhwcConv", ["x", "w"], ["y"], domain="com.microsoft")
        graph = helper.make_graph([node], "nhwc", [value("x", shape=[1, 4, 4, 3])], [Y], [constant("w", numpy.ones((2, 1, 1, 3), numpy.float32))])
        imports = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
        path = FOLDER / "nhwc.onnx"
        onnx.save(helper.make_model(graph, opset_imports=imports, ir_version=8), path)
        self.assertEqual(verdict(path, "onnxruntime")["verdict"], "refused")


class OpenVinoRefusesSomeOfWhatOnnxForbids(unittest.TestCase):
    def of(self, name, node, inputs, opset=17, constants=()):
        return verdict(saved(name, [node], inputs, [value("y", TensorProto.UNDEFINED)], list(constants), opset=opset), "openvino")["verdict"]

    def test_an_operand_of_a_dtype_that_no_version_takes(self):
        for condition, expected in ((TensorProto.INT64, "refused"), (TensorProto.BOOL, "taken")):
            inputs = [value("c", condition, [2]), value("a", shape=[2]), value("b", shape=[2])]
            self.assertEqual(self.of("where", helper.make_node("Where", ["c", "a", "b"], ["y"]), inputs), expected)
        for dtype, expected in ((TensorProto.BOOL, "refused"), (TensorProto.FLOAT, "taken")):
            self.assertEqual(self.of("sqrt", helper.make_node("Sqrt", ["x"], ["y"]), [value("x", dtype, [2])]), expected)

    def test_some_it_takes(self):
        cosine = [helper.make_node("Acos", ["x"], ["y"])]
        path = saved("acos", cosine, [value("x", TensorProto.INT64, [2])], [value("y", TensorProto.UNDEFINED)])
        self.assertEqual(verdict(path, "openvino")["verdict"], "taken")
        self.assertEqual(verdict(path, "onnxruntime")["verdict"], "refused")

    def test_an_opset_that_was_lowered_by_hand(self):
        for opset, unsqueezed, reduced in ((11, "refused", "wrong"), (13, "taken", "wrong"), (18, "taken", "taken")):
            for kind, expected in (("Unsqueeze", unsqueezed), ("ReduceMean", reduced)):
                with self.subTest(kind=kind, opset=opset):
                    self.assertEqual(self.of(f"{kind}{opset}", helper.make_node(kind, ["x", "axis"], ["y"]), [X], opset, [AXIS]), expected)


class TensorRtAnswersByItsParser(unittest.TestCase):
    def of(self, target, node, inputs, name, opset=17):
        return verdict(saved(name, [node], inputs, [Y], opset=opset), target)

    def test_what_it_asserts(self):
        pool = helper.make_node("MaxPool", ["x"], ["y"], kernel_shape=[2, 2], dilations=[2, 2])
        inputs = [value("x", shape=[1, 1, 8, 8])]
        found = self.of("tensorrt", pool, inputs, "dilated")
        self.assertEqual(found["verdict"], "refused")
        self.assertIn("dilations other than 1", found["operators"][0]["evidence"])
        self.assertEqual(self.of("tensorrt@10", pool, inputs, "dilated")["verdict"], "taken")
        plain = helper.make_node("MaxPool", ["x"], ["y"], kernel_shape=[2, 2])
        self.assertEqual(self.of("tensorrt", plain, inputs, "plain")["verdict"], "taken")

    def test_axes_that_operators_work_out(self):
        reduced = helper.make_node("ReduceSum", ["x", "axes"], ["y"])
        made = [helper.make_node("Cast", ["axis"], ["axes"], to=TensorProto.INT64), helper.make_node("Add", ["axis", "axis"], ["axes"])]
        found = [verdict(saved(f"axes{i}", [node, reduced], [X], [Y], [AXIS], opset=17), "tensorrt") for i, node in enumerate(made)]
        self.assertEqual([each["verdict"] for each in found], ["taken", "refused"])
        self.assertIn("build-time constant", found[1]["operators"][-1]["evidence"])

    def test_scales_that_operators_work_out(self):
        resized = helper.make_node("Resize", ["x", "", "scales"], ["y"])
        turned = helper.make_node("Transpose", ["stored"], ["scales"])
        stored = constant("stored", numpy.ones(3, numpy.float32))
        self.assertEqual(verdict(saved("scales", [turned, resized], [X], [Y], [stored]), "tensorrt")["verdict"], "taken")
        self.assertEqual(self.of("tensorrt", resized, [X, value("scales", shape=[3])], "given-scales")["verdict"], "refused")

    def test_uint8_between_quantisation_and_dequantisation(self):
        constants = [constant("s", numpy.float32(0.5)), constant("z", numpy.uint8(0))]
        nodes = [helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"]), helper.make_node("DequantizeLinear", ["q", "s", "z"], ["y"])]
        self.assertEqual(verdict(saved("pair", nodes, [X], [Y], constants), "tensorrt")["verdict"], "taken")
        inputs = [value("q", TensorProto.UINT8, [1, 3, 5])]
        self.assertEqual(verdict(saved("given", nodes[1:], inputs, [Y], constants), "tensorrt")["verdict"], "refused")

    def test_attention_by_the_number_of_queries(self):
        attention = helper.make_node("Attention", ["q", "k", "k"], ["y"])

        def of(length):
            inputs = [value("q", shape=[1, 4, length, 64]), value("k", shape=[1, 4, 16, 64])]
            return self.of("tensorrt", attention, inputs, f"queries{length}", opset=23)["verdict"]
        self.assertEqual([of(1), of(16), of("length")], ["taken", "refused", "taken in part"])

    def test_what_needs_a_plugin_is_refused(self):
        for target in ("tensorrt", "tensorrt-rtx", "tensorrt@10"):
            self.assertEqual(self.of(target, helper.make_node("Det", ["x"], ["y"]), [X], "plugin")["verdict"], "refused")

    def test_another_release_without_a_table_is_not_approval(self):
        self.assertEqual(verdict(saved("well", RELU, [X], [Y]), "openvino@2026.2")["verdict"], "unknown")
        self.assertEqual(verdict(saved("well", RELU, [X], [Y]), "openvino@2026.4")["verdict"], "taken")


class TargetsAreChosenByFormat(unittest.TestCase):
    def test_one_name_has_a_table_for_each(self):
        path = saved("named", RELU, [X], [Y])
        for target in ("openvino", "openvino-onnx", "tensorrt"):
            with self.subTest(target=target):
                found = verdict(path, target)
                self.assertEqual(found["target"], target)
                self.assertEqual(found["verdict"], "taken")
        self.assertEqual(verdict(path, "openvino")["rests_on"]["table"], "openvino-onnx")

    def test_none_is_never_silent(self):
        done = run(saved("none", RELU, [X], [Y]), "--target", "coreml")
        self.assertEqual(done.returncode, 1)
        self.assertIn("warning[TGT001]", done.stdout)
        self.assertIn("`onnxruntime`, `openvino` or `tensorrt`", " ".join(done.stdout.split()))


class FindingsWithoutTarget(unittest.TestCase):
    def test_an_operator_that_no_schema_knows(self):
        found = report(saved("reluu", [helper.make_node("Reluu", ["x"], ["y"])], [X], [Y]))["findings"]
        self.assertEqual([f["rule"] for f in found], ["unknown-operator"])
        self.assertIn("did you mean `Relu`?", found[0]["help"])

    def test_operators_of_other_domains_and_of_functions_are_known(self):
        self.assertEqual(report(saved("custom", [helper.make_node("Reluu", ["x"], ["y"], domain="my.own")], [X], [Y]))["findings"], [])

    def test_weights_that_are_not_there(self):
        weights = constant("w", numpy.ones(4000, numpy.float32))
        path = saved("weights", [helper.make_node("Add", ["x", "w"], ["y"])], [value("x", shape=[4000])], [Y], [weights])
        model = onnx.load(path)
        onnx.save_model(model, path, save_as_external_data=True, location="weights.bin", size_threshold=0)
        self.assertEqual(report(path)["findings"], [])
        (FOLDER / "weights.bin").write_bytes(b"short")
        self.assertEqual([f["rule"] for f in report(path)["findings"]], ["missing-weights"])
        (FOLDER / "weights.bin").unlink()
        found = report(path)["findings"]
        self.assertEqual([(f["rule"], f["severity"]) for f in found], [("missing-weights", "error")])
        self.assertIn("weights.bin", found[0]["message"])


    def test_two_models_that_share_a_file_of_data(self):
        weights = numpy.ones(400, numpy.float32)
        add = [helper.make_node("Add", ["x", "w"], ["y"])]
        model = onnx.load(saved("shared", add, [value("x", shape=[400])], [Y], [constant("w", weights)]))
        folder = FOLDER / "shared"
        folder.mkdir(exist_ok=True)
        paths = [folder / f"{name}.onnx" for name in ("a", "b")]
        for path in paths:
            (folder / "data.bin").unlink(missing_ok=True)
            copy = onnx.ModelProto.FromString(model.SerializeToString())
            onnx.save_model(copy, path, save_as_external_data=True, location="data.bin", size_threshold=0)
        both = [PROGRAM, "check", "--isolated", "--output-format", "json", *paths]
        done = subprocess.run(both, capture_output=True, text=True, timeout=60, check=False)
        found = [[f for f in each["findings"] if f["rule"] == "stored-bytes"] for each in json.loads(done.stdout)["models"]]
        self.assertEqual([[f["severity"] for f in each] for each in found], [[], ["info"]])
        self.assertIn("`data.bin` holds weights of", found[1][0]["message"])
        self.assertEqual(done.returncode, 0)
        for path in paths:
            self.assertEqual(report(path)["findings"], [])


class PartsOfForms(unittest.TestCase):
    """A form keeps the ops of its places off a target, and no others."""

    def test_a_scan_that_reads_what_is_computed_outside(self):
        inside = [helper.make_node("Add", ["r", "k"], ["z"])]
        body = helper.make_graph(inside, "body", [value("r", shape=[3])], [value("z", shape=[3])])
        scan = helper.make_node("Scan", ["x"], ["t"], name="scan", body=body, num_scan_inputs=1)
        after, before = helper.make_node("Relu", ["t"], ["y"], name="relu"), helper.make_node("Exp", ["c"], ["k"], name="exp")
        path = saved("scanned", [before, scan, after], [value("x", shape=[2, 3]), value("c", shape=[3])], [Y], opset=17)
        command = [PROGRAM, "partition", "--output-format", "json", "--target", "openvino", "--target", "onnxruntime", path]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        plan = json.loads(done.stdout)
        keeping = [each["operator"] for each in plan["obstacles"]]
        self.assertEqual(keeping, ["scan-reads-outer"])


def of_turns(name, yielded, joined, *, goes_on="on", axes=None):
    """A `Loop` of three turns, or a `Scan` of as many slices, that stacks pairs, to which a stored tensor is added."""
    pairs, counter = [value("z", shape=[2])], [value("i", TensorProto.INT64, []), value("on", TensorProto.BOOL, [])]
    nodes = [helper.make_node("Neg", [yielded], ["z"])]
    if axes is None:
        nodes = [helper.make_node("Identity", [goes_on], ["still"]), *nodes]
        body = helper.make_graph(nodes, "body", counter, [value("still", TensorProto.BOOL, []), *pairs])
        node = helper.make_node("Loop", ["trips", "yes"], ["t"], body=body)
    else:
        body = helper.make_graph(nodes, "body", [value("c", shape=[2])], pairs)
        node = helper.make_node("Scan", ["x"], ["t"], body=body, num_scan_inputs=1, **axes)
    sum_of_both = helper.make_node("Add", ["t", "w"], ["y"])
    constants = [constant("trips", numpy.int64(3)), constant("yes", True), constant("w", numpy.zeros(joined, numpy.float32))]
    given = [value("x", shape=[2] if axes is None else [3, 2]), value("ends", TensorProto.BOOL, [])]
    return saved(name, [node, sum_of_both], given, [Y], constants, opset=17)


class SizesOfWhatBodiesStack(unittest.TestCase):
    def test_a_loop_of_stored_turns_stacks_as_many(self):
        self.assertEqual(verdict(of_turns("turns", "x", (4, 2)), "onnxruntime")["verdict"], "refused")
        self.assertEqual(verdict(of_turns("turns fit", "x", (3, 2)), "onnxruntime")["verdict"], "taken")

    def test_one_that_may_end_before_is_not_judged_by_its_turns(self):
        self.assertNotEqual(verdict(of_turns("ends", "x", (2, 2), goes_on="ends"), "onnxruntime")["verdict"], "refused")

    def test_a_scan_stacks_along_the_axis_that_it_names(self):
        self.assertEqual(verdict(of_turns("rows", "c", (3, 2), axes={}), "onnxruntime")["verdict"], "taken")
        self.assertEqual(verdict(of_turns("columns", "c", (2, 3), axes={"scan_output_axes": [1]}), "onnxruntime")["verdict"], "taken")
        for name, shape, axes in (("rows", (2, 3), {}), ("columns", (4, 2), {"scan_output_axes": [1]}), ("none", (3, 2), {"scan_output_axes": [2]})):
            self.assertEqual(verdict(of_turns(f"odd {name}", "c", shape, axes=axes), "onnxruntime")["verdict"], "refused", name)

    def test_a_scan_hands_on_slices_of_the_axis_that_it_names(self):
        self.assertEqual(verdict(of_turns("sliced", "c", (3, 2), axes={"scan_input_axes": [0]}), "onnxruntime")["verdict"], "taken")
        self.assertEqual(verdict(of_turns("sliced odd", "c", (2, 2), axes={"scan_input_axes": [1]}), "onnxruntime")["verdict"], "refused")


def with_contrib(path):
    """The file, with an import of ONNX Runtime's own operators."""
    model = onnx.load(path)
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    onnx.save(model, path)
    return path


def contrib(name, operator, halved):
    """What an operator of ONNX Runtime makes of an input, in half precision or not, and the input itself."""
    cast = helper.make_node("Cast", ["x"], ["h"], to=TensorProto.FLOAT16)
    made = helper.make_node(operator, ["h" if halved else "x"], ["g"], domain="com.microsoft")
    path = saved(name, [*([cast] if halved else []), made, helper.make_node("Add", ["g", "x"], ["y"])], [X], [Y], opset=17)
    return with_contrib(path)


class OperatorsOfOnnxRuntime(unittest.TestCase):
    """Their schemas say which dtypes they take and yield."""

    def test_what_they_yield_has_a_dtype(self):
        for target in ("onnxruntime", "openvino"):
            self.assertEqual(verdict(contrib("half", "QuickGelu", True), target)["verdict"], "refused", target)
            self.assertEqual(verdict(contrib("whole", "QuickGelu", False), target)["verdict"], "taken", target)

    def test_openvino_was_asked_what_it_makes_of_another_dtype(self):
        for name, dtype, expected in (("same bias", numpy.float32, "taken"), ("other bias", numpy.float16, "refused")):
            node = helper.make_node("BiasGelu", ["x", "b"], ["y"], domain="com.microsoft")
            path = saved(name, [node], [X], [Y], [constant("b", numpy.ones(5, dtype))], opset=17)
            self.assertEqual(verdict(with_contrib(path), "openvino")["verdict"], expected, name)

    def test_tensorrt_imports_those_of_a_name_that_onnx_has(self):
        node = helper.make_node("RotaryEmbedding", ["x", "p", "c", "c"], ["y"], domain="com.microsoft")
        given = [value("x", shape=[1, 2, 4, 8]), value("p", TensorProto.INT64, [1, 4])]
        path = saved("rotary", [node], given, [Y], [constant("c", numpy.ones((9, 4), numpy.float32))], opset=17)
        self.assertEqual(verdict(with_contrib(path), "tensorrt-rtx")["verdict"], "taken")

    def test_tensorrt_imports_what_onnx_has_of_another_form(self):
        for kind, expected in (("Trilu", "taken"), ("Inverse", "refused")):
            path = saved(f"contrib {kind}", [helper.make_node(kind, ["x"], ["y"], domain="com.microsoft")], [X], [Y], opset=17)
            self.assertEqual(verdict(with_contrib(path), "tensorrt-rtx")["verdict"], expected, kind)

    def test_onnx_runtime_reads_back_the_layout_of_its_optimised_files(self):
        for dtype, expected in ((TensorProto.FLOAT, "taken"), (TensorProto.FLOAT16, "refused")):
            nodes = [helper.make_node("ReorderInput", ["x"], ["r"], domain="com.microsoft.nchwc"),
                     helper.make_node("ReorderOutput", ["r"], ["y"], domain="com.microsoft.nchwc", channels=8)]
            path = saved(f"nchwc {dtype}", nodes, [value("x", dtype, [1, 8, 6, 6])], [value("y", dtype)], opset=17)
            model = onnx.load(path)
            model.opset_import.append(helper.make_opsetid("com.microsoft.nchwc", 1))
            onnx.save(model, path)
            self.assertEqual(verdict(path, "onnxruntime")["verdict"], expected, dtype)

    def test_those_of_a_build_of_ones_own_are_not_misnamed(self):
        self.assertFalse([f for f in report(contrib("own", "SomebodysOwn", False))["findings"] if f["severity"] == "error"])


class AttributesOfOlderOpsets(unittest.TestCase):
    """OpenVINO passes over what a newer opset made an input."""

    def test_axes_that_are_not_read(self):
        mean = [helper.make_node("ReduceMean", ["x"], ["y"], axes=[1])]
        self.assertEqual(verdict(saved("axes of 17", mean, [X], [Y], opset=17), "openvino")["verdict"], "taken")
        newer = verdict(saved("axes of 17 in 18", mean, [X], [Y], opset=18), "openvino")["verdict"]
        self.assertIn(newer, ("refused", "wrong"))

    def test_three_reductions_pass_over_axes_in_opsets_that_have_them(self):
        asked = (("ReduceL1", 13, "wrong"), ("ReduceLogSumExp", 17, "wrong"), ("ReduceL1", 11, "taken"), ("ReduceL2", 17, "taken"))
        for kind, opset, expected in asked:
            path = saved(f"axes of {kind} {opset}", [helper.make_node(kind, ["x"], ["y"], axes=[1])], [X], [Y], opset=opset)
            self.assertEqual(verdict(path, "openvino")["verdict"], expected, (kind, opset))


class WhatSomeRuntimesTakeAllTheSame(unittest.TestCase):
    """Each was asked, and computes what is meant."""

    def held(self, name, nodes, inputs, constants, opset, expected):
        path = saved(f"taken {name}", nodes, inputs, [value("y")], constants, opset=opset)
        for target, verdict_of_it in expected.items():
            self.assertEqual(verdict(path, target)["verdict"], verdict_of_it, (name, target))

    def test_slopes(self):
        for name, shape, slopes, expected in (
            ("by channel", [2, 3, 4, 5], [3], {"openvino": "taken", "onnxruntime": "refused"}),
            ("by channel, with axes behind", [2, 3, 4, 5], [3, 1, 1], {"openvino": "taken", "onnxruntime": "taken"}),
            ("by the last axis, or by channel", [2, 3, 4, 3], [3], {"openvino": "wrong", "onnxruntime": "taken"}),
            ("by the last axis", [2, 5, 4, 3], [3], {"openvino": "taken", "onnxruntime": "taken"}),
        ):
            node = helper.make_node("PRelu", ["x", "s"], ["y"])
            self.held(f"slope {name}", [node], [value("x", shape=shape)], [constant("s", numpy.ones(slopes, numpy.float32))], 16, expected)

    def test_dtypes(self):
        small = [value(each, TensorProto.UINT8, [2, 2]) for each in "xw"]
        product = helper.make_node("MatMul", ["x", "w"], ["p"])
        nodes = [product, helper.make_node("Cast", ["p"], ["y"], to=1)]
        self.held("product of uint8", nodes, small, [], 13, {"openvino": "taken", "onnxruntime": "refused"})
        pair = helper.make_node("DequantizeLinear", ["x", "s", "z"], ["y"])
        scale = constant("s", numpy.float32(0.5))
        odd = [scale, constant("z", numpy.int8(1))]
        self.held("zero point of int8", [pair], small[:1], odd, 13, {"openvino": "taken", "onnxruntime": "refused"})
        halved = [constant("s", numpy.float16(0.5)), constant("z", numpy.int8(0))]
        nodes = [helper.make_node("DequantizeLinear", ["x", "s", "z"], ["h"]), helper.make_node("Cast", ["h"], ["y"], to=1)]
        self.held("half scale", nodes, [value("x", TensorProto.INT8, [2, 2])], halved, 13, {"tensorrt-rtx": "taken", "onnxruntime": "refused"})

    def test_words_of_another_opset(self):
        inputs = [value("x", shape=[1, 1, 4, 4]), value("g", shape=[1, 2, 2, 2])]
        for mode, expected in (("linear", "taken"), ("cubic", "taken"), ("area", "refused")):
            node = helper.make_node("GridSample", ["x", "g"], ["y"], mode=mode)
            self.held(f"samples {mode}", [node], inputs, [], 16, {"tensorrt-rtx": expected, "onnxruntime": "refused"})

    def test_constants_of_a_later_opset(self):
        nodes = [helper.make_node("Constant", [], ["c"], value_floats=[1.0, 2.0]), helper.make_node("Add", ["x", "c"], ["y"])]
        for opset, expected in ((11, "refused"), (13, "taken")):
            self.held(f"constant {opset}", nodes, [value("x", shape=[2])], [], opset, {"onnxruntime": "taken", "openvino": expected})


class SingleNodesOfUncommonSettings(unittest.TestCase):
    def held(self, name, node, shape, constants, opset, expected):
        path = saved(f"uncommon {name}", [node], [value("x", shape=shape)], [value(each) for each in node.output if each], constants, opset=opset)
        for target, verdict_of_it in expected.items():
            self.assertEqual(verdict(path, target)["verdict"], verdict_of_it, (name, target))

    def test_of_recurrences(self):
        def given(gates, ways=1):
            return [constant("w", numpy.ones((ways, gates * 4, 3), numpy.float32)), constant("r", numpy.ones((ways, gates * 4, 4), numpy.float32))]

        def everywhere(onnxruntime, openvino, tensorrt):
            return {"onnxruntime": onnxruntime, "openvino": openvino, "tensorrt-rtx": tensorrt}

        both = {"hidden_size": 4, "direction": "bidirectional"}
        for name, kind, gates, ways, attributes, expected in (
            ("no size", "LSTM", 4, 1, {}, everywhere("refused", "refused", "refused")),
            ("size", "LSTM", 4, 1, {"hidden_size": 4}, everywhere("taken", "taken", "taken")),
            ("coupled", "LSTM", 4, 1, {"hidden_size": 4, "input_forget": 1}, everywhere("taken", "taken in part", "refused")),
            ("one", "RNN", 1, 2, {**both, "activations": ["Tanh"]}, everywhere("refused", "taken", "refused")),
            ("two", "RNN", 1, 2, {**both, "activations": ["Relu", "Tanh"]}, everywhere("taken", "wrong", "refused")),
            ("alike", "RNN", 1, 2, {**both, "activations": ["Relu", "Relu"]}, everywhere("taken", "taken", "taken")),
        ):
            self.held(name, helper.make_node(kind, ["x", "w", "r"], ["y"], **attributes), [5, 2, 3], given(gates, ways), 14, expected)

    def test_of_others(self):
        scale, nothing = [constant("s", numpy.ones(8, numpy.float32))], [constant("w", numpy.ones((0, 4), numpy.float32))]
        from_the_end = {"onnxruntime": "refused", "openvino": "refused", "tensorrt-rtx": "taken"}
        for name, node, shape, constants, opset, expected in (
            ("perm", helper.make_node("Transpose", ["x"], ["y"], perm=[0, -1]), [2, 3], (), 13, from_the_end),
            ("empty", helper.make_node("MatMul", ["x", "w"], ["y"]), [2, 0], nothing, 13, {"openvino": "refused"}),
            ("two axes", helper.make_node("LayerNormalization", ["x", "s"], ["y"], axis=1), [2, 5, 8], scale, 17, {"openvino": "refused"}),
            ("one axis", helper.make_node("LayerNormalization", ["x", "s"], ["y"]), [2, 5, 8], scale, 17, {"openvino": "taken"}),
            ("even", helper.make_node("LRN", ["x"], ["y"], size=4, alpha=0.5), [1, 8, 6, 6], (), 13, {"openvino": "wrong"}),
            ("odd", helper.make_node("LRN", ["x"], ["y"], size=5, alpha=0.5), [1, 8, 6, 6], (), 13, {"openvino": "taken"}),
            ("vector 13", helper.make_node("Softmax", ["x"], ["y"]), [5], (), 13, {"tensorrt-rtx": "refused"}),
            ("vector 11", helper.make_node("Softmax", ["x"], ["y"], axis=0), [5], (), 11, {"tensorrt-rtx": "taken"}),
            ("scalar", helper.make_node("ReduceSum", ["x"], ["y"]), [], (), 13, {"tensorrt-rtx": "refused"}),
            ("no-op", helper.make_node("ReduceSum", ["x"], ["y"], noop_with_empty_axes=1), [], (), 13, {"tensorrt-rtx": "taken"}),
        ):
            self.held(name, node, shape, constants, opset, expected)

    def test_of_places_that_nobody_asks_for(self):
        for outputs, expected in ((["y", "i"], "taken in part"), (["y"], "taken")):
            pool = helper.make_node("MaxPool", ["x"], outputs, kernel_shape=[2, 2], storage_order=1)
            self.held(f"{len(outputs)} of a pool", pool, [1, 2, 6, 6], (), 12, {"openvino": expected})


class WindowsBeyondTheImage(unittest.TestCase):
    def test_openvino_refuses_what_others_make_nothing_of(self):
        pool = [helper.make_node("MaxPool", ["x"], ["y"], kernel_shape=[7, 7])]
        asked = ((6, "openvino", "refused"), (6, "onnxruntime", "taken"), (6, "tensorrt-rtx", "taken"), (7, "openvino", "taken"))
        for size, target, expected in asked:
            path = saved(f"window on {size}", pool, [value("x", shape=[1, 2, size, size])], [Y], opset=17)
            self.assertEqual(verdict(path, target)["verdict"], expected, (size, target))


class StatisticsLeftInFloat32(unittest.TestCase):
    def test_openvino_wants_the_dtype_of_the_data(self):
        half = value("x", TensorProto.FLOAT16, [1, 3, 5])
        norm = helper.make_node("BatchNormalization", ["x", "s", "s", "m", "m"], ["y"])
        for dtype, expected in ((numpy.float16, "taken"), (numpy.float32, "refused")):
            constants = [constant("s", numpy.ones(3, numpy.float16)), constant("m", numpy.ones(3, dtype))]
            path = saved(f"statistics {expected}", [norm], [half], [value("y", TensorProto.FLOAT16)], constants, opset=17)
            self.assertEqual(verdict(path, "openvino")["verdict"], expected)


class SizesThatOneRuntimeBroadcasts(unittest.TestCase):
    """OpenVINO repeats what is 1, where ONNX wants two equal sizes, and looks at fewer numbers than ONNX."""

    def of(self, name, node, *constants):
        path = saved(name, [node], [value("x", shape=[1, 4, 6, 6])], [Y], constants, opset=17)
        return [verdict(path, target)["verdict"] for target in ("openvino", "onnxruntime")]

    def test_a_bias_of_one_number_is_taken_and_one_of_another_layer_is_not(self):
        conv = helper.make_node("Conv", ["x", "w", "b"], ["y"])
        weight = constant("w", numpy.ones((3, 4, 1, 1), numpy.float32))
        for count, openvino in ((1, "taken"), (4, "refused")):
            found = self.of(f"bias of {count}", conv, weight, constant("b", numpy.ones(count, numpy.float32)))
            self.assertEqual(found, [openvino, "refused"])

    def test_pads_of_one_number_an_axis_are_taken_and_others_are_not(self):
        for pads, openvino in (([1, 1], "taken"), ([1, 1, 1], "refused"), ([1], "refused")):
            pool = helper.make_node("MaxPool", ["x"], ["y"], kernel_shape=[2, 2], pads=pads)
            self.assertEqual(self.of(f"{len(pads)} pads", pool), [openvino, "refused"])

    def test_sizes_of_too_few_axes_are_refused(self):
        resize = helper.make_node("Resize", ["x", "", "", "s"], ["y"])
        self.assertEqual(self.of("two sizes", resize, constant("s", numpy.array([12, 12]))), ["refused", "refused"])


class RowsThatArePickedFrom(unittest.TestCase):
    def test_openvino_wants_all_of_them(self):
        for rows, columns, expected in ((2, 1, "taken"), (1, 3, "refused")):
            node = helper.make_node("GatherElements", ["x", "i"], ["y"], axis=1)
            rows_picked = constant("i", numpy.zeros((rows, columns), numpy.int64))
            path = saved(f"picked {rows}", [node], [value("x", shape=[2, 3])], [Y], [rows_picked], opset=17)
            self.assertEqual(verdict(path, "openvino")["verdict"], expected)
            self.assertEqual(verdict(path, "onnxruntime")["verdict"], "taken")


class FunctionsThatAreGone(unittest.TestCase):
    def calls(self, called, domain):
        path = saved(f"calls {called} of {domain}", [helper.make_node(called, ["x"], ["y"], domain=domain)], [X], [Y], opset=17)
        model = onnx.load(path)
        model.opset_import.extend([helper.make_opsetid("local", 1), helper.make_opsetid("other", 1)])
        body, imports = [helper.make_node("Neg", ["a"], ["b"])], [helper.make_opsetid("", 17)]
        model.functions.append(helper.make_function("local", "f", ["a"], ["b"], body, imports))
        onnx.save(model, path)
        return [verdict(path, target)["verdict"] for target in ("onnxruntime", "openvino", "tensorrt-rtx")]

    def test_no_runtime_takes_calls_of_them(self):
        self.assertEqual(self.calls("f", "local"), ["taken", "refused", "taken"])  # OpenVINO takes no functions
        self.assertEqual(self.calls("g", "local"), ["refused"] * 3)

    def test_operators_of_other_domains_are_not_known(self):
        self.assertEqual(self.calls("g", "other")[0], "unknown")


class DtypesOfStoredOperands(unittest.TestCase):
    def test_are_taken_where_computed_ones_are(self):
        path = saved("k", [helper.make_node("TopK", ["x", "k"], ["y", "i"])], [X], [Y], [constant("k", numpy.array([2], numpy.int32))], opset=17)
        self.assertEqual(verdict(path, "openvino")["verdict"], "taken")
        self.assertEqual(verdict(path, "onnxruntime")["verdict"], "refused")


class SequencesWhoseElementsAreKnown(unittest.TestCase):
    """OpenVINO folds these away, and has no operators of sequences."""

    def of(self, name, nodes, inputs, outputs):
        return verdict(saved(name, nodes, inputs, outputs, [constant("i", numpy.int64(0))], opset=17), "openvino")["verdict"]

    def test_each_is_a_value_of_the_graph(self):
        at = helper.make_node("SequenceAt", ["q", "i"], ["y"])
        made = helper.make_node("SequenceConstruct", ["x", "x"], ["q"])
        self.assertEqual(self.of("shown", [made, at], [X], [Y]), "taken")
        more = [made, helper.make_node("SequenceInsert", ["q", "x"], ["p"]), helper.make_node("ConcatFromSequence", ["p"], ["y"], axis=0)]
        self.assertEqual(self.of("inserted", more, [X], [Y]), "taken")
        for size, expected in ((2, "taken"), (3, "refused")):
            sum_of_both = [made, helper.make_node("ConcatFromSequence", ["q"], ["j"], axis=0), helper.make_node("Add", ["j", "w"], ["y"])]
            given = [X, value("w", shape=[size, 3, 5])]
            self.assertEqual(self.of(f"joined with {size}", sum_of_both, given, [Y]), expected)
        split = helper.make_node("SplitToSequence", ["x"], ["q"], axis=0)
        self.assertEqual(self.of("split", [split, at], [value("x", shape=[2, 3])], [Y]), "taken")
        self.assertEqual(self.of("split-open", [split, at], [value("x", shape=["n", 3])], [Y]), "refused")

    def test_one_that_is_given_or_returned_is_not(self):
        sequence = helper.make_tensor_sequence_value_info("q", TensorProto.FLOAT, None)
        self.assertEqual(self.of("given-sequence", [helper.make_node("SequenceAt", ["q", "i"], ["y"])], [sequence], [Y]), "refused")
        self.assertEqual(self.of("returned-sequence", [helper.make_node("SequenceConstruct", ["x"], ["q"])], [X], [sequence]), "refused")


class TypesThroughControlFlow(unittest.TestCase):
    def test_a_loop_stacks_what_its_body_yields(self):
        nodes = [loop(["last", "stacked"], "n"), helper.make_node("Sigmoid", ["stacked"], ["y"])]
        path = saved("loop", nodes, [value("n", TensorProto.INT64, [2])], [Y], [constant("trips", 3)])
        self.assertEqual(verdict(path, "onnxruntime")["verdict"], "taken")

    def test_what_a_loop_carries_keeps_its_type(self):
        nodes = [loop(["last", "stacked"], "n"), helper.make_node("Sigmoid", ["last"], ["y"])]
        path = saved("carried", nodes, [value("n", TensorProto.INT64, [2])], [value("y", TensorProto.INT64)], [constant("trips", 3)])
        self.assertEqual(verdict(path, "onnxruntime")["verdict"], "refused")

    def test_the_mask_of_an_old_dropout_has_the_type_of_the_input(self):
        nodes = [helper.make_node("Dropout", ["x"], ["d", "mask"]), helper.make_node("Mul", ["d", "mask"], ["y"])]
        for opset in (7, 9):
            with self.subTest(opset=opset):
                self.assertEqual(verdict(saved(f"dropout{opset}", nodes, [X], [Y], opset=opset), "onnxruntime")["verdict"], "taken")

    def test_a_condition_of_two_dimensions(self):
        for shape, expected in (([], "taken"), ([1], "taken"), ([1, 1], "refused")):
            with self.subTest(shape=shape):
                arm = helper.make_graph([helper.make_node("Relu", ["x"], ["t"])], "arm", [], [value("t")])
                nodes = [helper.make_node("If", ["condition"], ["y"], then_branch=arm, else_branch=arm)]
                path = saved(f"condition{len(shape)}", nodes, [X, value("condition", TensorProto.BOOL, shape)], [Y])
                self.assertEqual(verdict(path, "openvino")["verdict"], expected)
                self.assertEqual(verdict(path, "onnxruntime")["verdict"], "taken")

    def test_a_loop_whose_trip_count_has_two_dimensions(self):
        path = saved("trips", [loop(["last", "y"], "n")], [value("n", TensorProto.INT64, [2])], [Y], [constant("trips", [[3]])])
        self.assertEqual(verdict(path, "openvino")["verdict"], "refused")

    def test_a_rank_that_only_a_run_decides(self):
        conv = helper.make_node("Conv", ["y", "w"], ["z"])
        path = saved("open", [if_of_two_ranks(), conv], [X, CONDITION], [value("z")], [AXIS, KERNEL])
        self.assertEqual(verdict(path, "openvino")["verdict"], "refused")
        self.assertEqual(verdict(path, "onnxruntime")["verdict"], "taken")

    def test_it_follows_the_operators_after(self):
        nodes = [if_of_two_ranks(), helper.make_node("Unsqueeze", ["y", "axis"], ["u"]), helper.make_node("Relu", ["u"], ["r"]),
                 helper.make_node("Conv", ["r", "w"], ["z"])]
        path = saved("follows", nodes, [X, CONDITION], [value("z")], [AXIS, KERNEL])
        self.assertEqual(verdict(path, "openvino")["verdict"], "refused")

    def test_what_states_a_rank_after_it_does_not_help(self):
        """It is loaded, and refused when it is compiled."""
        nodes = [if_of_two_ranks(), helper.make_node("Reshape", ["y", "shape"], ["r"]), helper.make_node("Conv", ["r", "w"], ["z"])]
        path = saved("reshaped", nodes, [X, CONDITION], [value("z")], [AXIS, KERNEL, constant("shape", [1, 3, 5])])
        self.assertEqual(verdict(path, "openvino")["verdict"], "refused")

    def test_a_condition_in_the_file_chooses_the_arm(self):
        nodes = [if_of_two_ranks(), helper.make_node("Conv", ["y", "w"], ["z"])]
        path = saved("chosen", nodes, [X], [value("z")], [AXIS, KERNEL, constant("condition", True)])
        self.assertEqual(verdict(path, "openvino")["verdict"], "taken")


class AnNpuThatItsCompilerWasAskedAbout(unittest.TestCase):
    """The table of QNN: what it leaves to the processor is a warning."""

    def saved(self, name, nodes, shape=(1, 3, 4, 4), constants=(), outputs=("y",)):
        return saved(name, nodes, [value("x", shape=list(shape))], [value(each, shape=list(shape)) for each in outputs], constants, opset=17)

    def test_inputs_of_open_sizes_are_refused_with_the_way_to_fix_them(self):
        self.assertEqual(verdict(self.saved("fixed", RELU), "qnn-htp")["verdict"], "taken")
        done = report(self.saved("open", RELU, ("batch", 3, 4, 4)), "--target", "qnn-htp")
        self.assertEqual(done["verdicts"][0]["verdict"], "refused")
        self.assertIn("--input_name x --input_shape 1,3,4,4", done["findings"][0]["help"])
        self.assertEqual(len(done["findings"]), 1)

    def test_what_stays_on_the_processor_is_one_line(self):
        nodes = [helper.make_node("Relu", ["x"], ["a"]), helper.make_node("Hardmax", ["a"], ["b"]), helper.make_node("Sigmoid", ["b"], ["y"])]
        path = self.saved("outside", nodes)
        reported = report(path, "--target", "qnn-htp")
        findings = reported["findings"]
        self.assertEqual([each["severity"] for each in findings], ["info", "warning"])
        self.assertEqual([len(island) for island in reported["verdicts"][0]["islands"]], [1, 1])
        self.assertNotIn("islands", report(self.saved("whole", RELU), "--target", "qnn-htp")["verdicts"][0])
        said = [each["message"] for each in findings if "elsewhere" in each["message"]]
        self.assertEqual(said, ["compiled for `qnn-htp`, 1 of 3 ops runs elsewhere; the rest makes 2 islands"])
        self.assertNotIn("elsewhere", run(self.saved("inside", RELU), "--target", "qnn-htp").stdout)

    def test_what_constants_and_sizes_decide_is_computed_before(self):
        chain = [helper.make_node("Shape", ["x"], ["s"]), helper.make_node("ConstantOfShape", ["s"], ["zeros"]),
                 helper.make_node("Add", ["x", "zeros"], ["y"])]
        self.assertEqual(verdict(self.saved("folded", chain), "qnn-htp")["verdict"], "taken")
        computed = [helper.make_node("Cast", ["x"], ["s"], to=TensorProto.INT64), helper.make_node("ConstantOfShape", ["s"], ["y"])]
        path = saved("computed", computed, [value("x", shape=[4])], [value("y", shape=[1, 1, 1, 1])], opset=17)
        self.assertEqual(verdict(path, "qnn-htp")["ops"]["refused"], 1)

    def test_results_that_nothing_reads_are_taken_away(self):
        scale = [constant("w", numpy.ones(4, numpy.float32)), constant("b", numpy.zeros(4, numpy.float32))]
        node = helper.make_node("LayerNormalization", ["x", "w", "b"], ["y", "mean", "deviation"])
        self.assertEqual(verdict(self.saved("unread", [node], constants=scale), "qnn-htp")["verdict"], "taken")
        self.assertEqual(verdict(self.saved("read", [node], constants=scale, outputs=("y", "mean")), "qnn-htp")["ops"]["refused"], 1)

    def test_sequences_and_drawn_numbers_are_refused(self):
        sequence = [helper.make_node("SequenceConstruct", ["x", "x"], ["s"]), helper.make_node("ConcatFromSequence", ["s"], ["y"], axis=0)]
        self.assertEqual(verdict(self.saved("sequence", sequence), "qnn-htp")["ops"]["refused"], 2)
        self.assertEqual(verdict(self.saved("joined", [helper.make_node("Concat", ["x", "x"], ["y"], axis=0)]), "qnn-htp")["verdict"], "taken")
        drawn = [helper.make_node("Multinomial", ["x"], ["y"], sample_size=3)]
        path = saved("drawn", drawn, [value("x", shape=[6, 4])], [value("y", TensorProto.INT32, [6, 3])], opset=17)
        self.assertEqual(verdict(path, "qnn-htp")["ops"]["refused"], 1)
        noise = [helper.make_node("RandomNormal", [], ["n"], shape=[1, 3, 4, 4]), helper.make_node("Add", ["x", "n"], ["y"])]
        self.assertEqual(verdict(self.saved("noise", noise), "qnn-htp")["ops"]["refused"], 1)


class AnNpuWhoseCompilerRunsOnnxRuntime(unittest.TestCase):
    """The table of RKNN: what its compiler refuses, nothing runs."""

    def verdict_of(self, name, nodes, inputs, constants=(), **options):
        return verdict(saved(name, nodes, inputs, [value("y")], constants, **{"opset": 17, **options}), "rknn")["verdict"]

    def test_operands_that_must_be_constants(self):
        tile = [helper.make_node("Tile", ["x", "times"], ["y"])]
        x, times = value("x", shape=[2, 3]), value("times", TensorProto.INT64, [2])
        self.assertEqual(self.verdict_of("computed_times", tile, [x, times]), "refused")
        self.assertEqual(self.verdict_of("stored_times", tile, [x], [numpy_helper.from_array(numpy.array([1, 2]), "times")]), "taken")

    def test_a_dtype_without_a_kernel_in_onnx_runtime(self):
        for dtype, expected in ((TensorProto.INT64, "refused"), (TensorProto.FLOAT, "taken")):
            nodes = [helper.make_node("Relu", ["x"], ["y"])]
            path = saved("relu_of", nodes, [value("x", dtype, [2, 3])], [value("y", dtype, [2, 3])], opset=17)
            self.assertEqual(verdict(path, "rknn")["verdict"], expected)

    def test_a_product_that_ended_its_process_is_not_taken(self):
        for dtype, expected in ((TensorProto.INT32, "taken in part"), (TensorProto.FLOAT, "taken")):
            nodes = [helper.make_node("MatMul", ["a", "b"], ["y"])]
            path = saved("product_of", nodes, [value("a", dtype, [2, 3]), value("b", dtype, [3, 4])], [value("y", dtype, [2, 4])], opset=17)
            self.assertEqual(verdict(path, "rknn")["verdict"], expected)

    def test_inputs_without_a_rank_or_of_open_sizes(self):
        relu = [helper.make_node("Relu", ["x"], ["y"])]
        for shape, expected in (([], "refused"), (["batch", 3], "refused"), ([2, 3], "taken")):
            self.assertEqual(self.verdict_of("of_shape", relu, [value("x", shape=shape)]), expected)

    def test_an_opset_that_is_newer_than_it(self):
        relu = [helper.make_node("Relu", ["x"], ["y"])]
        self.assertEqual(self.verdict_of("newer", relu, [value("x", shape=[2, 3])], opset=20), "refused")

    def test_the_layers_of_a_network_are_taken(self):
        nodes = [helper.make_node("Conv", ["x", "w"], ["a"]), helper.make_node("Clip", ["a", "low", "high"], ["b"]),
                 helper.make_node("Flatten", ["b"], ["c"]), helper.make_node("Gemm", ["c", "m", "bias"], ["y"], transB=1)]
        constants = [numpy_helper.from_array(numpy.ones(shape, numpy.float32), name)
                     for name, shape in (("w", (4, 3, 3, 3)), ("low", ()), ("high", ()), ("m", (5, 144)), ("bias", (5,)))]
        self.assertEqual(self.verdict_of("layers", nodes, [value("x", shape=[1, 3, 8, 8])], constants), "taken")


class RuntimesOfPhones(unittest.TestCase):
    """The tables of MNN and ncnn, which were asked and run."""

    def check(self, target, expected, node, shape, *constants, dtype=TensorProto.FLOAT, opset=18):
        path = saved("of_phones", [node], [value("x", dtype, shape)], [value("y", dtype)], [constant(*each) for each in constants], opset=opset)
        self.assertEqual(verdict(path, target)["verdict"], expected)

    def test_what_ends_the_process(self):
        for strides, expected in (({}, "refused"), ({"strides": [2, 2]}, "taken")):
            self.check("mnn", expected, helper.make_node("MaxPool", ["x"], ["y"], kernel_shape=[2, 2], **strides), [1, 4, 8, 8])

    def test_axes_that_are_left_out(self):
        axes = "axes", numpy.array([1])
        self.check("mnn", "wrong", helper.make_node("ReduceL2", ["x", "axes"], ["y"]), [3, 4], axes)
        self.check("mnn", "taken", helper.make_node("ReduceMax", ["x", "axes"], ["y"]), [3, 4], axes)

    def test_volumes_that_a_transposed_convolution_or_a_pool_computes_wrongly(self):
        weights, bias = ("w", numpy.ones((2, 4, 2, 2, 2), numpy.float32)), ("b", numpy.ones(4, numpy.float32))
        written = {"kernel_shape": [2, 2, 2], "strides": [2, 2, 2]}
        for names, expected in ((["x", "w", "b"], "wrong"), (["x", "w"], "taken")):
            self.check("mnn", expected, helper.make_node("ConvTranspose", names, ["y"], **written), [1, 2, 4, 4, 4], weights, bias)
        for pads, expected in (([1] * 6, "wrong"), ([0] * 6, "taken")):
            self.check("mnn", expected, helper.make_node("AveragePool", ["x"], ["y"], pads=pads, **written), [1, 2, 4, 4, 4])
        self.check("mnn", "wrong", helper.make_node("MaxPool", ["x"], ["y"], ceil_mode=1, **written), [1, 2, 5, 5, 5])
        self.check("mnn", "taken", helper.make_node("MaxPool", ["x"], ["y"], **written), [1, 2, 4, 4, 4])

    def test_axes_of_padding_without_a_value(self):
        pads, axes = ("p", numpy.array([1, 1])), ("axes", numpy.array([0]))
        self.check("mnn", "refused", helper.make_node("Pad", ["x", "p", "", "axes"], ["y"]), [3, 4], pads, axes)
        self.check("mnn", "taken", helper.make_node("Pad", ["x", "p"], ["y"]), [3, 4], ("p", numpy.array([1, 1, 1, 1])))

    def test_indices_in_a_table_that_has_no_place_7(self):
        for rows, expected in ((7, "refused"), (8, "taken")):
            path = saved("table", [helper.make_node("Gather", ["w", "x"], ["y"])], [value("x", TensorProto.INT64, [1, 5])], [value("y")],
                         [constant("w", numpy.ones((rows, 4), numpy.float32))])
            self.assertEqual(verdict(path, "ncnn")["verdict"], expected)

    def test_layers_whose_weights_are_stored(self):
        scale, weights = ("s", numpy.ones(4, numpy.float32)), ("w", numpy.ones((1, 12, 4), numpy.float32))
        self.check("ncnn", "taken", helper.make_node("LayerNormalization", ["x", "s", "s"], ["y"]), [1, 3, 4], scale)
        state = "r", numpy.ones((1, 12, 3), numpy.float32)
        self.check("ncnn", "taken in part", helper.make_node("LSTM", ["x", "w", "r"], ["y"], hidden_size=3), [5, 1, 4], weights, state)

    def test_an_operator_that_it_does_not_have(self):
        for target in ("mnn", "ncnn"):
            self.check(target, "refused", helper.make_node("IsNaN", ["x"], ["y"]), [3, 4])
            self.check(target, "taken", helper.make_node("Sigmoid", ["x"], ["y"]), [3, 4])

    def test_an_opset_and_a_dtype_that_are_not_read(self):
        relu = helper.make_node("Relu", ["x"], ["y"])
        self.check("ncnn", "refused", relu, [3, 4], opset=27)
        self.check("ncnn", "refused", helper.make_node("Identity", ["x"], ["y"]), [3, 4], dtype=TensorProto.BOOL)


class AnOperatorThatAParserLacks(unittest.TestCase):
    def path(self):
        return saved("det", [helper.make_node("Det", ["x"], ["y"])], [value("x", shape=[3, 3])], [value("y", shape=[])])

    def test_is_refused_with_a_plugin_as_the_way_out(self):
        for target in ("tensorrt", "tensorrt-rtx"):
            done = report(self.path(), "--target", target)
            self.assertEqual(done["verdicts"][0]["verdict"], "refused")
            self.assertIn("--plugin-operator Det", done["findings"][0]["help"])
        self.assertEqual(run(self.path(), "--target", "tensorrt").returncode, 1)

    def test_is_taken_by_a_plugin(self):
        self.assertEqual(verdict(self.path(), "tensorrt")["verdict"], "refused")
        done = report(self.path(), "--target", "tensorrt", "--plugin-operator", "Det")
        self.assertEqual(done["verdicts"][0]["verdict"], "taken")
        self.assertIn("your plugin", done["verdicts"][0]["operators"][0]["evidence"])
        configured = FOLDER / "plugins.toml"
        configured.write_text('plugins = ["Det"]\n')
        done = report(self.path(), "--target", "tensorrt", "--config", str(configured))
        self.assertEqual(done["verdicts"][0]["verdict"], "taken")

    def test_what_nvidia_imports_by_a_plugin_of_its_own_is_unknown(self):
        inputs = [value("x", shape=[1, 1, 3, 3]), value("o", shape=[1, 8, 2, 2])]
        node = helper.make_node("DeformConv", ["x", "w", "o"], ["y"])
        weights = constant("w", numpy.ones((1, 1, 2, 2), numpy.float32))
        path = saved("deform", [node], inputs, [value("y", shape=[1, 1, 2, 2])], [weights], opset=19)
        self.assertEqual(verdict(path, "tensorrt")["verdict"], "unknown")
        self.assertEqual(verdict(path, "tensorrt-rtx")["verdict"], "refused")


class AVerdictRestsOnAllThatIsRefused(unittest.TestCase):
    """Whichever rules are selected."""

    def alone(self, path, *targets):
        done = run(path, "--target", ",".join(targets), "--select", "unsupported-ops", "--output-format", "json")
        model = json.loads(done.stdout)["models"][0]
        return {each["verdict"] for each in model["verdicts"]}, {each["rule"] for each in model["findings"]}, done.returncode

    def test_shapes_that_cannot_fit(self):
        for sizes, expected in (((4, 4), ({"refused"}, {"unsupported-ops"}, 1)), ((5, 4), ({"taken"}, set(), 0))):
            weights = constant("w", numpy.ones(sizes, numpy.float32))
            path = saved("fits", [helper.make_node("MatMul", ["x", "w"], ["y"])], [value("x", shape=[3, 5])], [Y], [weights])
            self.assertEqual(self.alone(path, "onnxruntime", "openvino", "tensorrt"), expected)

    def test_weights_that_are_missing(self):
        weights = constant("w", numpy.ones(2, numpy.float32))
        path = saved("kept", [helper.make_node("Add", ["x", "w"], ["y"])], [value("x", shape=[2])], [Y], [weights])
        model = onnx.load(path)
        onnx.save(model, path, save_as_external_data=True, location="kept.bin", size_threshold=0)
        self.assertEqual(self.alone(path, "onnxruntime"), ({"taken"}, set(), 0))
        (FOLDER / "kept.bin").unlink()
        self.assertEqual(self.alone(path, "onnxruntime"), ({"refused"}, {"unsupported-ops"}, 1))

    def test_zero_points_that_only_one_target_refuses(self):
        nodes = [helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"]), helper.make_node("DequantizeLinear", ["q", "s", "z"], ["y"])]
        for zero, expected in ((0, ["taken", "taken"]), (3, ["taken", "refused"])):
            path = saved("zero", nodes, [value("x", shape=[2])], [Y], [constant("s", numpy.float32(0.5)), constant("z", numpy.int8(zero))])
            for select in ((), ("--select", "unsupported-ops")):
                found = report(path, "--target", "onnxruntime,tensorrt", *select)["verdicts"]
                self.assertEqual([each["verdict"] for each in found], expected)


class WhatTheFileShowsOfOperandsDecides(unittest.TestCase):
    def of(self, target, node, inputs, constants=(), opset=17):
        result = value("y", inputs[0].type.tensor_type.elem_type)
        return verdict(saved("shown", [node], inputs, [result], constants, opset), target)["verdict"]

    def test_an_axis_that_is_left_free_where_its_size_makes_the_rank(self):
        node = helper.make_node("GatherND", ["x", "i"], ["y"])
        for sizes, expected in (((2, "k"), "refused"), (("n", 1), "taken"), ((2, 1), "taken")):
            for target in ("openvino", "tensorrt-rtx"):
                indices = value("i", TensorProto.INT64, sizes)
                self.assertEqual(self.of(target, node, [value("x", shape=[3, 3]), indices]), expected)

    def test_what_has_no_elements_is_not_cut_from_texts(self):
        node, text = helper.make_node("Slice", ["x", "s", "e"], ["y"]), value("x", TensorProto.STRING, [2, 3])
        for first, expected in ((0, "refused"), (1, "taken")):
            self.assertEqual(self.of("openvino", node, [text], [constant("s", [first]), constant("e", [1])]), expected)

    def test_texts_of_open_sizes_may_have_no_elements(self):
        node, bounds = helper.make_node("Slice", ["x", "s", "e"], ["y"]), [constant("s", [0]), constant("e", [1])]
        text = value("x", TensorProto.STRING, ["n", 3])
        self.assertEqual(self.of("openvino", node, [text], bounds), "taken in part")

    def test_a_choice_among_texts_is_refused_where_all_sizes_are_known_and_it_is_computed(self):
        texts = [value(name, TensorProto.STRING, [2, 3]) for name in "xz"]
        for sizes, expected in (((2, 3), "refused"), (("n", 3), "taken in part"), ((2, 0), "taken")):
            entries = [value("x", TensorProto.STRING, sizes), value("c", TensorProto.BOOL, sizes)]
            self.assertEqual(self.of("openvino", helper.make_node("Where", ["c", "x", "x"], ["y"]), entries), expected)
        nodes = [helper.make_node("Where", ["c", "x", "z"], ["w"]), helper.make_node("Shape", ["w"], ["y"])]
        path = saved("sizes", nodes, [*texts, value("c", TensorProto.BOOL, [2, 3])], [value("y", TensorProto.INT64)])
        self.assertEqual(verdict(path, "openvino")["verdict"], "taken")

    def test_axes_that_are_computed_decide_whether_anything_is_left(self):
        node = helper.make_node("Slice", ["x", "s", "e", "a"], ["y"])
        entries = [value("x", shape=[4, 5]), value("a", TensorProto.INT64, [1])]
        self.assertEqual(self.of("openvino", node, entries, [constant("s", [0]), constant("e", [1])]), "taken in part")
        stored = [constant(name, [number]) for name, number in (("s", 0), ("e", 1), ("a", 0))]
        self.assertEqual(self.of("openvino", node, entries[:1], stored), "taken")

    def test_narrow_bounds_are_refused_where_all_are_stored(self):
        node, box = helper.make_node("Slice", ["x", "s", "e", "a"], ["y"]), value("x", shape=[4, 5])
        stored = [constant(name, numpy.array([1], numpy.int32)) for name in "sea"]
        self.assertEqual(self.of("tensorrt-rtx", node, [box], stored), "refused")
        self.assertEqual(self.of("tensorrt-rtx", node, [box, value("a", TensorProto.INT32, [1])], stored[:2]), "taken")

    def test_narrow_axes_of_a_padding(self):
        node = helper.make_node("Pad", ["x", "p", "", "a"], ["y"])
        stored = [constant("p", [1, 1]), constant("a", numpy.array([0], numpy.int32))]
        for target, expected in (("tensorrt-rtx", "taken"), ("onnxruntime", "refused")):
            self.assertEqual(self.of(target, node, [value("x", shape=[2, 3])], stored, opset=21), expected)

    def test_one_half_of_a_transform_that_is_undone(self):
        node = helper.make_node("DFT", ["x"], ["y"], axis=1, inverse=1, onesided=1)
        for last, expected in ((2, "wrong"), (1, "taken"), ("n", "taken in part")):
            self.assertEqual(self.of("openvino", node, [value("x", shape=[2, 4, last])]), expected)

    def test_a_stored_state_of_an_open_batch_matters_where_the_layer_is_computed_whole(self):
        stored = [constant(name, numpy.ones(shape, numpy.float32)) for name, shape in (("w", (1, 8, 3)), ("r", (1, 8, 2)), ("h", (1, 1, 2)))]
        for settings, expected in (({}, "refused"), ({"clip": 0.5}, "taken"), ({"activations": ["Sigmoid", "Tanh", "Relu"]}, "taken")):
            node = helper.make_node("LSTM", ["x", "w", "r", "", "", "h"], ["z", "y"], hidden_size=2, **settings)
            self.assertEqual(self.of("openvino", node, [value("x", shape=[2, "n", 3])], stored), expected)

    def test_letters_that_are_compared_or_changed_need_a_locale(self):
        cases = (({}, "taken"), ({"case_change_action": "LOWER"}, "taken in part"), ({"stopwords": ["a"]}, "taken in part"))
        for settings, expected in (*cases, ({"stopwords": ["a"], "is_case_sensitive": 1}, "taken")):
            node = helper.make_node("StringNormalizer", ["x"], ["y"], **settings)
            self.assertEqual(self.of("onnxruntime", node, [value("x", TensorProto.STRING, [4])]), expected)

    def test_what_values_decide_that_no_file_shows(self):
        box = value("x", shape=[2, 3, 4, 5])
        tile, repeats = helper.make_node("Tile", ["x", "k"], ["y"]), [2, 2, 2, 2]
        pad, sides = helper.make_node("Pad", ["x", "p", "v"], ["y"]), constant("p", [1] * 8)
        for stored, entry, node in (
            ([constant("k", repeats)], value("k", TensorProto.INT64, [4]), tile),
            ([sides, constant("v", numpy.float32(7))], value("v", shape=[]), pad),
        ):
            self.assertEqual(self.of("openvino", node, [box], stored), "taken")
            self.assertEqual(self.of("openvino", node, [box, entry], stored[:-1]), "taken in part")

    def test_small_numbers_that_a_runtime_takes_where_onnx_does_not(self):
        for operator, expected in (("ReduceSumSquare", "taken"), ("ReduceL1", "refused")):
            node = helper.make_node(operator, ["x", "a"], ["y"])
            self.assertEqual(self.of("tensorrt-rtx", node, [value("x", TensorProto.INT8, [3, 2])], [constant("a", [0])], opset=22), expected)
        for dtype, numpy_dtype, expected in ((TensorProto.UINT8, numpy.uint8, "taken"), (TensorProto.INT8, numpy.int8, "refused")):
            node, power = helper.make_node("Pow", ["x", "z"], ["y"]), constant("z", numpy.array([2], numpy_dtype))
            self.assertEqual(self.of("tensorrt-rtx", node, [value("x", dtype, [3])], [power], opset=19), expected)

    def test_proportions_of_one_axis_are_kept_by_themselves(self):
        for axes, expected in (([0, 1], "wrong"), ([1], "taken")):
            node = helper.make_node("Resize", ["x", "", "", "s"], ["y"], axes=axes, keep_aspect_ratio_policy="not_larger")
            sizes = constant("s", numpy.full(len(axes), 8))
            self.assertEqual(self.of("openvino", node, [value("x", shape=[5, 5])], [sizes], opset=19), expected)

    def test_an_operand_whose_place_is_kept_is_not_one_that_is_not_named(self):
        small, bound = value("x", TensorProto.INT8, [4]), constant("b", numpy.int8(1))
        for names, expected in ((["b"], "taken"), (["b", ""], "refused"), (["", "b"], "refused"), (["b", "b"], "taken")):
            node = helper.make_node("Clip", ["x", *names], ["y"])
            self.assertEqual(self.of("tensorrt-rtx", node, [small], [bound]), expected)


class NumbersThatInt32DoesNotHold(unittest.TestCase):
    def of(self, operator, stored, dtype=numpy.int64, target="openvino"):
        kind = helper.np_dtype_to_tensor_dtype(numpy.dtype(dtype))
        nodes = [helper.make_node("Identity", ["z"], ["w"]), helper.make_node(operator, ["x", "w"], ["y"])]
        result = value("y", TensorProto.BOOL if operator == "Less" else kind)
        sizes = list(numpy.shape(stored)) or [2]
        path = saved("wide", nodes, [value("x", kind, sizes)], [result], [constant("z", numpy.array(stored, dtype))])
        return verdict(path, target)["verdict"]

    def test_are_computed_with_wrongly(self):
        for stored in ([1, 2**31], [-(2**40), 0], 2**40, [1] * 99 + [2**40]):
            self.assertEqual(self.of("Add", stored), "wrong")
        self.assertEqual(self.of("Mul", [1, 2**63], numpy.uint64), "wrong")

    def test_but_not_compared(self):
        self.assertEqual(self.of("Less", [1, 2**40]), "taken")

    def test_nor_where_another_runtime_holds_them(self):
        self.assertEqual(self.of("Add", [1, 2**40], target="onnxruntime"), "taken")

    def test_others_are_no_matter(self):
        for stored in ([1, 2**31 - 1], [-(2**31), 0], 7):
            self.assertEqual(self.of("Add", stored), "taken")
        self.assertEqual(self.of("Add", [1, 2**40], numpy.float32), "taken")


class DtypesThatANewerOpsetAllows(unittest.TestCase):
    def of(self, target, operator, dtype, opset):
        node = helper.make_node(operator, ["x", "x"], ["y"])
        result = value("y", TensorProto.BOOL if operator == "Less" else dtype)
        return verdict(saved("later", [node], [value("x", dtype, [2])], [result], opset=opset), target)["verdict"]

    def test_are_taken_by_whoever_knows_an_operator_by_that_alone(self):
        for target, expected in (("openvino", "taken"), ("tensorrt-rtx", "taken"), ("onnxruntime", "refused")):
            self.assertEqual(self.of(target, "Max", TensorProto.INT32, 9), expected)

    def test_those_that_none_allows_are_not(self):
        self.assertEqual(self.of("tensorrt-rtx", "Less", TensorProto.BOOL, 17), "refused")


class PaddingsAsLargeAsTheWindow(unittest.TestCase):
    def test_are_taken_where_they_count_or_lie_within_what_the_window_reaches(self):
        for settings, expected in (({}, "refused"), ({"count_include_pad": 1}, "taken"), ({"dilations": [2]}, "taken")):
            node = helper.make_node("AveragePool", ["x"], ["y"], kernel_shape=[2], pads=[1, 2], **settings)
            path = saved("padding", [node], [value("x", shape=[1, 3, 7])], [Y], opset=19)
            self.assertEqual(verdict(path, "openvino")["verdict"], expected)
            self.assertEqual(verdict(path, "onnxruntime")["verdict"], "refused")


    def test_are_taken_by_another_runtime_unless_the_mean_is_of_nothing(self):
        cases = (("AveragePool", {}, "refused"), ("AveragePool", {"count_include_pad": 1}, "taken"), ("LpPool", {}, "taken"))
        for operator, settings, expected in cases:
            node = helper.make_node(operator, ["x"], ["y"], kernel_shape=[2, 2], pads=[3, 0, 0, 0], **settings)
            path = saved("padding", [node], [value("x", shape=[1, 3, 8, 6])], [Y], opset=19)
            self.assertEqual(verdict(path, "tensorrt-rtx")["verdict"], expected)

    def test_are_taken_where_sizes_alone_are_read_and_no_kernel_is_made(self):
        pool = helper.make_node("MaxPool", ["x"], ["w"], kernel_shape=[2], pads=[1, 2])
        for reader, dtype, expected in (("Shape", TensorProto.INT64, "taken"), ("Abs", TensorProto.FLOAT, "refused")):
            nodes = [pool, helper.make_node(reader, ["w"], ["y"])]
            path = saved("sizes", nodes, [value("x", shape=[1, 3, 7])], [value("y", dtype)], opset=19)
            self.assertEqual(verdict(path, "onnxruntime")["verdict"], expected)


class TakenInPartSaysWhy(unittest.TestCase):
    def test_in_text_as_in_json(self):
        node = helper.make_node("Resize", ["x", "", "scales"], ["y"], mode="linear", antialias=1)
        scales = constant("scales", numpy.array([1, 1, 0.5, 0.5], numpy.float32))
        path = saved("part", [node], [value("x", shape=[1, 1, "h", "w"])], [Y], [scales], opset=18)
        condition = verdict(path, "openvino")["operators"][0]["conditions"][0]
        self.assertIn(condition, run(path, "--target", "openvino").stdout)


class HelpSpeaksTheExportersLanguage(unittest.TestCase):
    def test_nobody_who_ships_onnx_is_told_to_change_a_torch_model(self):
        weights = constant("w", numpy.ones(3))
        nodes = [helper.make_node("Add", ["x", "w"], ["y"])]
        for producer in ("", "tf2onnx", "skl2onnx", "PaddlePaddle", "pytorch"):
            with self.subTest(producer=producer):
                inputs, outputs = [value("x", TensorProto.DOUBLE, [3])], [value("y", TensorProto.DOUBLE)]
                path = saved("double", nodes, inputs, outputs, [weights], opset=9, producer=producer)
                helps = " ".join(f["help"] or "" for f in report(path)["findings"])
                for foreign in ("model.float()", "nn.Module", "freeze", "current version"):
                    self.assertNotIn(foreign, helps)

    def test_an_opset_that_is_too_new(self):
        for producer, words in (("pytorch", "opset_version="), ("tf2onnx", "--opset "), ("skl2onnx", "target_opset="), ("", "version_converter")):
            with self.subTest(producer=producer):
                path = saved("new", RELU, [X], [Y], opset=99, producer=producer)
                found = [f["help"] for f in report(path, "--target", "onnxruntime")["findings"] if "opset" in f["message"]]
                self.assertIn(words, found[0])
                if producer == "":
                    self.assertNotIn("torch", found[0])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
