"""What a newcomer meets with the defaults: nothing passes that was not looked at, nothing fails that nobody can mend.

Environment: PROGRAM (the built program).
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path

import numpy
import onnx
import torch
from onnx import TensorProto, helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, quantize_static
from torch import nn

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import forked
import preloaded

PROGRAM = os.environ["PROGRAM"]
ZOO = """\
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 3, 1)
        self.relu = nn.ReLU()

    def forward(self, x):
        return self.relu(self.relu(self.conv(x)) + x)


class Quiet(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x):
        return self.block(x)
"""
MINE = """\
import torch
from zoo.net import Block


class Wrapped(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x):
        return self.block(x) + 1


net = Wrapped().eval()
torch.jit.trace(net, torch.ones(1, 3, 4, 4)).save("mine.pt")
"""


class BesideOtherWork(unittest.TestCase):
    """Threads that wait for each other sleep soon; `OMP_DISPLAY_ENV` has libgomp say how soon."""

    def spins(self, model, **variables):
        plain = {name: value for name, value in os.environ.items() if name not in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")}
        done = subprocess.run([PROGRAM, "verify", "--no-lint", model, model, "--input=2"], env=plain | {"OMP_DISPLAY_ENV": "VERBOSE"} | variables,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return int(re.search(r"GOMP_SPINCOUNT = '(\d+)'", done.stderr)[1])

    def test_threads_that_wait_sleep_soon_unless_the_user_wants_otherwise(self):
        with tempfile.TemporaryDirectory() as folder:
            model = os.path.join(folder, "model.pt")
            torch.jit.trace(torch.nn.Tanh(), torch.ones(2)).save(model)
            self.assertEqual(self.spins(model), 10000)
            self.assertEqual(self.spins(model, GOMP_SPINCOUNT="7"), 7)
            self.assertGreater(self.spins(model, OMP_WAIT_POLICY="ACTIVE"), 10000)


class Newcomer(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, self.folder)
        warnings.simplefilter("ignore")

    def run_program(self, *arguments):
        return preloaded.run([PROGRAM, *map(str, arguments)], cwd=self.folder)

    def check(self, *arguments):
        return self.run_program("check", "--isolated", *arguments)

    def report(self, *arguments):
        done = self.check("--output-format", "json", *arguments)
        return json.loads(done.stdout), done.returncode


class NodesWithoutPlaces(Newcomer):
    """Of a file that says nothing of any Python, a finding names the node as the file does."""

    def save(self, nodes):
        shape = ["n", 2, 2]
        graph = helper.make_graph(nodes, "net", [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
                                  [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)])
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), self.folder / "net.onnx")

    def constant(self, name):
        return helper.make_node("Constant", [], [name], value=helper.make_tensor(name, TensorProto.FLOAT, [1], [1.0]))

    def test_a_node_that_a_target_refuses(self):
        self.save([self.constant("one"), self.constant("two"), helper.make_node("Add", ["x", "one"], ["a"], name="/add"),
                   helper.make_node("Det", ["a"], ["d"], name="/head/Det"), helper.make_node("Det", ["a"], ["unnamed"]),
                   helper.make_node("Sum", ["d", "unnamed", "two"], ["s"]), helper.make_node("Mul", ["a", "s"], ["y"])])
        text = self.check("--target", "openvino", "net.onnx").stdout
        self.assertRegex(text, r" --> net.onnx: op `det_\d`\n")
        self.assertIn("the file calls the node `/head/Det`", text)
        self.assertIn("refuses 2 of 5 ops", text)  # what is stored is none
        report, _ = self.report("--target", "openvino", "net.onnx")
        refused = [finding for finding in report["models"][0]["findings"] if finding["rule"] == "unsupported-ops"]
        self.assertEqual([finding["notes"][0] for finding in refused],
                         ["the file calls the node `/head/Det`", "the file does not name the node, which makes `unnamed`"])

    def test_a_node_that_onnx_forbids(self):
        self.save([helper.make_node("Relu", ["x"], ["a"], name="first", foo=1), helper.make_node("Relu", ["a"], ["y"], name="second", bar=1)])
        way = "export the model again; if that gives the same file, the exporter, or what changed the file after it, wrote a wrong node"
        for arguments in ((), ("--target", "onnxruntime")):
            with self.subTest(arguments):
                text = " ".join(self.check(*arguments, "net.onnx").stdout.split())
                for part in ("node `first`", "node `second`", way):
                    self.assertIn(part, text)


class NotJudged(Newcomer):
    """What a file does not hold is not judged, and is not said to have passed."""

    def export(self):
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.linear, self.relu = nn.Linear(4, 4), nn.ReLU()

            def forward(self, x):
                return self.relu(self.relu(self.linear(x)) + 1)

        net, x = Net().eval(), torch.ones(1, 4)
        torch.jit.trace(net, x).save(self.folder / "trace.pt")
        torch.jit.script(net).save(self.folder / "script.pt")
        torch.jit.freeze(torch.jit.script(net)).save(self.folder / "frozen.pt")
        torch.export.save(torch.export.export(net, (x,)), self.folder / "program.pt2")
        torch.onnx.export(net, (x,), self.folder / "legacy.onnx", dynamo=False)

    def statuses(self, name):
        (model,) = self.report(name)[0]["models"]
        return {check["name"]: (check["status"], check.get("reason", "")) for check in model["checks"]}

    def test_modules_that_the_file_does_not_name(self):
        self.export()
        for name in ("legacy.onnx", "frozen.pt"):
            found = self.statuses(name)
            for rule in ("missing-modules", "reused-modules", "unused-module"):
                with self.subTest(name=name, rule=rule):
                    self.assertEqual(found[rule], ("not-judged", "the file does not say which modules the model is made of"))
        for name in ("trace.pt", "script.pt", "program.pt2"):
            with self.subTest(name=name):
                self.assertEqual(self.statuses(name)["missing-modules"][0], "failed")

    def test_branches_that_a_trace_does_not_hold(self):
        self.export()
        expected = {"trace.pt": "not-judged", "legacy.onnx": "not-judged", "script.pt": "passed", "frozen.pt": "passed", "program.pt2": "passed"}
        self.assertEqual({name: self.statuses(name)["data-dependent-control-flow"][0] for name in expected}, expected)

    def test_one_line_says_so_and_the_exit_status_stays(self):
        self.export()
        done = self.check("legacy.onnx")
        self.assertEqual(done.returncode, 0, done.stdout)
        (line,) = [line for line in done.stdout.splitlines() if line.startswith("Not judged: ")]
        self.assertIn("`missing-modules`, `reused-modules`", line)
        self.assertIn("the file does not say which modules", line)
        self.assertNotIn("Not judged", self.check("-q", "legacy.onnx").stdout)
        self.assertNotIn("Not judged", self.check("script.pt").stdout)
        log = self.check("-v", "--select", "missing-modules", "legacy.onnx").stderr
        self.assertIn("It was not judged: the file does not say", log)
        self.assertNotIn("All validation checks passed", log)

    def test_aimet_does_not_take_a_file_without_modules(self):
        self.export()
        done = self.check("--target", "aimet", "legacy.onnx")
        self.assertIn("was not judged", done.stdout)
        self.assertNotIn("takes all", done.stdout)


class State(Newcomer):
    """torch.export declares no mutation before a program is decomposed: the operators say it."""

    def findings(self, forward, training=False):
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("n", torch.zeros(4))
                self.register_buffer("cache", torch.zeros(2, 4))
                self.linear, self.norm = nn.Linear(4, 4), nn.BatchNorm1d(4)

        Net.forward = forward
        program = torch.export.export(Net().train(training), (torch.ones(2, 4),))
        found = []
        for name, made in (("plain.pt2", program), ("decomposed.pt2", program.run_decompositions())):
            torch.export.save(made, self.folder / name)
            (model,) = self.report("--select", "mutated-state", name)[0]["models"]
            found.append([(finding["severity"], finding["message"].split("`")[1]) for finding in model["findings"]])
        self.assertEqual(*found)
        return found[0]

    def test_writes_into_a_buffer(self):
        def adds(self, x):
            self.n.add_(1)
            return self.linear(x) + self.n

        def assigns(self, x):
            self.n = self.n + 1
            return self.linear(x) + self.n

        def shifts(self, x):
            self.cache[0].copy_(x[0])
            return self.linear(x) + self.cache.sum(0)

        for forward, name in ((adds, "n"), (assigns, "n"), (shifts, "cache")):
            with self.subTest(forward.__name__):
                self.assertEqual(self.findings(forward), [("warning", name)])

    def test_what_no_later_call_reads(self):
        def counts(self, x):
            self.n.add_(1)
            return self.linear(x)

        def replaces(self, x):
            self.n.copy_(x[0])
            return self.linear(x) + self.n

        for forward in (counts, replaces):
            with self.subTest(forward.__name__):
                self.assertEqual(self.findings(forward), [("info", "n")])

    def test_what_is_no_state(self):
        def copies(self, x):
            own = self.n.clone()
            own.add_(1)
            return self.linear(x) + own

        def writes_elsewhere(self, x):
            y = torch.zeros_like(x)
            y[0].copy_(self.n)
            return y + self.linear(x)

        def trains(self, x):
            return self.norm(self.linear(x))

        for forward, training in ((copies, False), (writes_elsewhere, False), (trains, True)):
            with self.subTest(forward.__name__):
                self.assertEqual(self.findings(forward, training), [])


class ExternalData(Newcomer):
    """Wherever an ONNX file names data, missing data is told."""

    def external(self, name):
        tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=[2], data_location=TensorProto.EXTERNAL)
        tensor.external_data.add(key="location", value="gone.bin")
        return tensor

    def save(self, name, nodes, functions=(), opsets=(("", 17),)):
        graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2])],
                                  [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2])])
        onnx.save(helper.make_model(graph, functions=functions, opset_imports=[helper.make_opsetid(*each) for each in opsets]), self.folder / name)

    def assert_missing(self, name):
        report, status = self.report(name)
        self.assertEqual([finding["rule"] for finding in report["models"][0]["findings"]], ["missing-weights"])
        self.assertEqual(status, 1)

    def test_of_a_constant(self):
        self.save("constant.onnx", [helper.make_node("Constant", [], ["c"], value=self.external("c")), helper.make_node("Add", ["x", "c"], ["y"])])
        self.assert_missing("constant.onnx")

    def test_of_a_large_file_whose_other_weights_are_there(self):
        there = helper.make_tensor("big", TensorProto.FLOAT, [1 << 19], bytes(4 << 19), raw=True)
        self.save("large.onnx", [helper.make_node("Constant", [], ["b"], value=there), helper.make_node("ReduceSum", ["b"], ["s"]),
                                 helper.make_node("Constant", [], ["c"], value=self.external("c")), helper.make_node("Add", ["x", "c"], ["h"]),
                                 helper.make_node("Add", ["h", "s"], ["y"])])
        self.assert_missing("large.onnx")

    def test_of_a_sparse_constant_and_of_a_branch(self):
        sparse = onnx.SparseTensorProto(dims=[2], values=self.external("v"), indices=helper.make_tensor("i", TensorProto.INT64, [2], [0, 1]))
        self.save("sparse.onnx", [helper.make_node("Constant", [], ["c"], sparse_value=sparse), helper.make_node("Add", ["x", "c"], ["y"])])
        self.assert_missing("sparse.onnx")
        branch = helper.make_graph([helper.make_node("Constant", [], ["c"], value=self.external("c"))], "b", [],
                                   [helper.make_tensor_value_info("c", TensorProto.FLOAT, [2])])
        yes = helper.make_tensor("t", TensorProto.BOOL, [], [True])
        self.save("branch.onnx", [helper.make_node("Constant", [], ["t"], value=yes), helper.make_node("If", ["t"], ["c"],
            then_branch=branch, else_branch=branch),
                                  helper.make_node("Add", ["x", "c"], ["y"])])
        self.assert_missing("branch.onnx")

    def test_of_a_function(self):
        body = [helper.make_node("Constant", [], ["c"], value=self.external("c")), helper.make_node("Add", ["a", "c"], ["b"])]
        function = helper.make_function("f", "F", ["a"], ["b"], body, [helper.make_opsetid("", 17)])
        self.save("function.onnx", [helper.make_node("F", ["x"], ["y"], domain="f")], [function], (("", 17), ("f", 1)))
        self.assert_missing("function.onnx")

    def test_data_that_is_there(self):
        self.save("constant.onnx", [helper.make_node("Constant", [], ["c"], value=self.external("c")), helper.make_node("Add", ["x", "c"], ["y"])])
        (self.folder / "gone.bin").write_bytes(bytes(8))
        self.assertEqual(self.report("constant.onnx")[1], 0)


class CannotRun(Newcomer):
    """What no runtime runs fails a run, whoever wrote the code, and is taken by no target."""

    def gemm(self, name, biases, where):
        node = helper.make_node("Gemm", ["x", "w", "b"], ["y"])
        trace = f'File "{where}/net.py", line 12, in forward\n    return self.fc(x)\n'
        node.metadata_props.add(key="pkg.torch.onnx.stack_trace", value=trace)
        initializers = [helper.make_tensor(tensor, TensorProto.FLOAT, shape, numpy.ones(shape, numpy.float32).tobytes(), raw=True)
                        for tensor, shape in (("w", [16, 4]), ("b", [biases]))]
        values = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 16])], [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 4])]
        graph = helper.make_graph([node], "g", *values, initializer=initializers)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
        onnx.save(model, self.folder / name)

    def test_it_counts_although_its_code_is_installed(self):
        for biases, status in ((3, 1), (4, 0)):
            self.gemm("gemm.onnx", biases, "/usr/lib/python3.11/site-packages/zoo")
            report, code = self.report("--target", "onnxruntime,openvino", "gemm.onnx")
            self.assertEqual(code, status)
            self.assertEqual("shape-mismatch" in {each["rule"] for each in report["models"][0]["findings"]}, status == 1)
            verdicts = {each["verdict"] for each in report["models"][0]["verdicts"]}
            self.assertEqual(verdicts, {"refused"} if status else {"taken"})

    def pair(self, kind, second, **attributes):
        """A file with one node of two inputs, and the findings and verdicts on it."""
        values = [helper.make_tensor_value_info(name, dtype, [1, 4]) for name, dtype in (("x", TensorProto.FLOAT), ("z", second))]
        node = helper.make_node(kind, ["x", "z"], ["y"], **attributes)
        graph = helper.make_graph([node], "g", values, [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)])
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), self.folder / "pair.onnx")
        report, code = self.report("pair.onnx")
        judged, _ = self.report("--target", "onnxruntime,openvino,tensorrt", "pair.onnx")
        return [each["message"] for each in report["models"][0]["findings"]], code, {each["verdict"] for each in judged["models"][0]["verdicts"]}

    def test_a_node_that_onnx_forbids(self):
        self.assertEqual(self.pair("Concat", TensorProto.FLOAT), (
            ["`Concat` is not valid in opset 17: the attribute `axis` is missing"], 1, {"refused"}))
        self.assertEqual(self.pair("Add", TensorProto.INT64), (
            ["`Add` is not valid in opset 17: input 0 is float32 and input 1 is int64, where both must have one dtype"], 1, {"refused"}))
        # OpenVINO is one to run what only ONNX Runtime refuses: then their own tables answer.
        messages, code, verdicts = self.pair("PRelu", TensorProto.FLOAT16)
        self.assertEqual((len(messages), code), (1, 1))
        self.assertEqual(verdicts, {"refused", "taken"})
        self.assertEqual(self.pair("Concat", TensorProto.FLOAT, axis=1), ([], 0, {"taken"}))
        self.assertEqual(self.pair("Add", TensorProto.FLOAT), ([], 0, {"taken"}))

    def test_a_dtype_that_is_declared_and_not_yielded(self):
        """Converters to float16 leave such declarations for the results of casts."""
        nodes = [helper.make_node("Cast", ["x"], ["c"], to=TensorProto.FLOAT), helper.make_node("Relu", ["c"], ["y"])]
        values = [helper.make_tensor_value_info(name, TensorProto.FLOAT16, [1, 4]) for name in ("x", "y", "c")]
        values[1].type.tensor_type.elem_type = TensorProto.FLOAT
        for declared, expected in ((TensorProto.FLOAT16, 1), (TensorProto.FLOAT, 0)):
            values[2].type.tensor_type.elem_type = declared
            graph = helper.make_graph(nodes, "g", values[:1], values[1:2], value_info=values[2:])
            onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), self.folder / "stale.onnx")
            report, code = self.report("stale.onnx")
            self.assertEqual(code, expected)
            self.assertEqual([each["message"] for each in report["models"][0]["findings"]],
                             ["`Cast` is not valid in opset 17: output 0 is declared float16, and is float32"] * expected)
            self.assertEqual(self.report("--target", "onnxruntime", "stale.onnx")[1], expected)
            self.assertEqual(self.report("--target", "openvino", "stale.onnx")[1], 0)  # which passes over it

    def test_missing_weights_are_taken_by_none(self):
        self.gemm("gemm.onnx", 4, "/home/me")
        model = onnx.load(self.folder / "gemm.onnx")
        onnx.save(model, self.folder / "gemm.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
        self.assertIn("onnxruntime 1.32.0: takes", self.check("--target", "onnxruntime", "gemm.onnx").stdout)
        (self.folder / "w.bin").unlink()
        self.assertIn("does not run the file", self.check("--target", "onnxruntime", "gemm.onnx").stdout)


class TrainingMode(Newcomer):
    def saved(self, nodes, parameters=()):
        values = [[helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 3])] for name in ("x", "y")]
        initializers = [helper.make_tensor(name, TensorProto.FLOAT, [3], [1.0] * 3) for name in parameters]
        model = helper.make_model(helper.make_graph(nodes, "g", *values, initializer=initializers), opset_imports=[helper.make_opsetid("", 17)])
        onnx.save(model, self.folder / "m.onnx")
        return [finding["rule"] for finding in self.report("m.onnx")[0]["models"][0]["findings"]]

    def dropout(self, training, ratio=0.5):
        constants = [
            helper.make_node("Constant", [], ["r"], value=helper.make_tensor("r", TensorProto.FLOAT, [], [ratio])),
            helper.make_node("Constant", [], ["t"], value=helper.make_tensor("t", TensorProto.BOOL, [], [training])),
        ]
        return self.saved([*constants, helper.make_node("Dropout", ["x", "r", "t"], ["y"])])

    def norm(self, training):
        parameters = ("scale", "bias", "mean", "var")
        outputs = ["y", "m", "v"] if training else ["y"]
        node = helper.make_node("BatchNormalization", ["x", *parameters], outputs, training_mode=int(training))
        return self.saved([node], parameters)

    def test_of_onnx(self):
        self.assertEqual(self.dropout(True), ["training-mode"])
        self.assertEqual(self.dropout(False), [])
        self.assertEqual(self.dropout(True, ratio=0.0), [])
        self.assertEqual(self.norm(True), ["training-mode"])
        self.assertEqual(self.norm(False), [])


class Verified(Newcomer):
    def verify(self, *arguments):
        return preloaded.run([PROGRAM, "verify", *arguments], cwd=self.folder)

    def test_a_constant_shows_nothing_of_the_inputs(self):
        for name, weight in (("zero", 0.0), ("one", 1.0)):
            net = nn.Linear(4, 2)
            nn.init.constant_(net.weight, weight)
            torch.jit.trace(net, torch.ones(1, 4)).save(self.folder / f"{name}.pt")
            done = self.verify(f"{name}.pt", f"{name}.pt", "--input", "1x4", "--samples", "3")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual("same for every sample" in done.stdout, name == "zero")

    def export(self, net, arguments, name):
        torch.onnx.export(net, arguments, self.folder / name, dynamo=False, input_names=["x", "mask"][: len(arguments)])

    def test_a_trace_takes_what_its_weights_are(self):
        net, x = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2)), torch.ones(1, 4)
        torch.jit.trace(net, x).save(self.folder / "net.pt")
        self.export(net.half(), (x.half(),), "half.onnx")
        done = self.verify("net.pt", "half.onnx", "--input", "1x4")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("is float32, and is given as float16", done.stdout)

    def test_a_mask_of_fixed_size_hides_something(self):
        example = torch.ones(2, 5, 8), torch.ones(2, 5, dtype=torch.int64)
        net = Masked()
        torch.export.save(torch.export.export(net, example), str(self.folder / "masked.pt2"))
        self.export(net, example, "right.onnx")
        net.heeds = False
        self.export(net, example, "wrong.onnx")
        self.assertEqual(self.verify("masked.pt2", "right.onnx").returncode, 0)
        self.assertEqual(self.verify("masked.pt2", "wrong.onnx").returncode, 1)

    def test_shares_in_eight_bits(self):
        torch.manual_seed(3)
        net = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 10), nn.Softmax(-1)).eval()
        example = torch.randn(1, 3, 32, 32)
        self.export(net, (example,), "net.onnx")
        samples = [{"x": torch.randn_like(example).numpy()} for _ in range(20)]
        quantise(self.folder / "net.onnx", self.folder / "int8.onnx", samples)
        done = self.verify("net.onnx", "int8.onnx")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_an_operator_that_nobody_provides_counts(self):
        graph = helper.make_graph([helper.make_node("FastTanh", ["x"], ["y"], domain="com.acme")], "g",
                                  *([helper.make_tensor_value_info(name, TensorProto.FLOAT, [2])] for name in ("x", "y")))
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.acme", 1)]
        onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=9), self.folder / "custom.onnx")
        self.assertEqual(self.check("--target", "onnxruntime", "custom.onnx").returncode, 1)
        self.assertEqual(self.check("custom.onnx").returncode, 0)

    def test_values_of_a_dict_are_run(self):
        torch.jit.script(OfDict()).save(self.folder / "dict.pt")
        done = self.verify("dict.pt", "dict.pt", "--input", "2")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_module_of_another_branch_is_not_to_be_deleted(self):
        net = nn.Sequential(nn.Linear(4, 4))
        net.add_module("other", nn.Linear(4, 4))
        net.forward = net[0].forward
        torch.jit.trace(net, torch.ones(1, 4)).save(self.folder / "t.pt")
        (finding,) = (each for each in self.report("t.pt")[0]["models"][0]["findings"] if each["rule"] == "unused-module")
        self.assertIn("if no other branch", finding["help"])


class Masked(nn.Module):
    heeds = True

    def forward(self, x, mask):
        scores = x @ x.transpose(-1, -2)
        if self.heeds:
            scores = scores.masked_fill(mask[:, None, :] == 0, -1e4)
        return torch.softmax(scores, -1) @ x + 0 * mask.sum()


def quantise(source, target, samples):
    class Reader(CalibrationDataReader):
        remaining = iter(samples)

        def get_next(self):
            return next(self.remaining, None)

    quantize_static(source, target, Reader(), quant_format=QuantFormat.QDQ, per_channel=True)


class OfDict(nn.Module):
    def forward(self, x):
        total = x
        for value in {"a": x, "b": x}.values():
            total = total + value
        return total


class Installed(Newcomer):
    """What stands in code that the user cannot edit fails no run unless that is asked for."""

    def setUp(self):
        super().setUp()
        packages = self.folder / "venv" / "lib" / "python3.11" / "site-packages"
        (packages / "zoo").mkdir(parents=True)
        (packages / "zoo" / "__init__.py").write_text("")
        (packages / "zoo" / "net.py").write_text(ZOO)
        self.find_zoo = f"import sys; sys.path.insert(0, {str(packages)!r})\n"
        self.python("import torch; from zoo.net import Quiet; torch.jit.trace(Quiet().eval(), torch.ones(1, 3, 4, 4)).save('zoo.pt')")

    def python(self, code, name="export.py"):
        (self.folder / name).write_text(self.find_zoo + code)
        forked.run(self.folder / name).check_returncode()

    def test_it_is_told_once_and_does_not_count(self):
        done = self.check("zoo.pt")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(done.stdout.count("in the installed package `zoo`"), 2)  # one line a rule
        self.assertLessEqual(len(done.stdout.splitlines()), 7)  # with what they are judged for, and the summary
        self.assertIn("Found no problems in 1 model", done.stdout)
        report, _ = self.report("zoo.pt")
        self.assertEqual({finding["excused"] for finding in report["models"][0]["findings"]}, {"installed-code"})
        self.assertEqual(report["models"][0]["status"], "passed")
        self.assertEqual((report["summary"]["warnings"], report["summary"]["excused"]), (0, 2))

    def test_aimet_says_its_sentences(self):
        log = self.check("-v", "zoo.pt").stderr
        self.assertIn("AIMET features are not designed to work with reused modules", log)
        self.assertNotIn("All validation checks passed", log)

    def test_it_counts_where_that_is_asked_for(self):
        self.assertEqual(self.check("--fail-on-installed", "zoo.pt").returncode, 1)
        (self.folder / "model_validator.toml").write_text("fail-on-installed = true\n")
        self.assertEqual(self.run_program("check", "zoo.pt").returncode, 1)

    def test_code_of_ones_own_fails_as_before(self):
        self.python(MINE, "mine.py")
        report, status = self.report("mine.pt")
        self.assertEqual(status, 1)
        counted = [finding for finding in report["models"][0]["findings"] if not finding["excused"] and finding["severity"] == "warning"]
        self.assertEqual([finding["package"] for finding in counted], [None])

    def test_a_target_refuses_whoever_wrote_the_code(self):
        (self.folder / "venv/lib/python3.11/site-packages/zoo/fft.py").write_text(
            "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return torch.linalg.lu_factor(x)[0]\n")
        self.python("import torch; from zoo.fft import Net; torch.jit.trace(Net(), torch.eye(3)).save('fft.pt')")
        self.assertEqual(self.check("--target", "coreml", "fft.pt").returncode, 1)


class Gates(Newcomer):
    """What only quantisers ask for counts before quantising, and at no other time."""

    def export(self):
        (self.folder / "net.py").write_text(
            "import torch\n\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
            "        self.first = torch.nn.Linear(4, 4)\n\n    def forward(self, x):\n        return x + self.first(x)\n")
        (self.folder / "export.py").write_text(
            "import torch; from net import Net; net, x = Net().eval(), torch.ones(1, 4)\n"
            "torch.jit.trace(net, x).save('net.pt')\n"
            "int8 = torch.ao.quantization.quantize_dynamic(net, {torch.nn.Linear})\n"
            "torch.jit.trace(int8, x).save('int8.pt')")
        forked.run(self.folder / "export.py").check_returncode()

    def test_a_target_decides_which_gate_it_is(self):
        self.export()
        self.assertEqual(self.check("net.pt").returncode, 1)
        done = self.check("net.pt", "--target", "openvino")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("preset deploy, as no target quantises", done.stdout)
        self.assertEqual(self.check("net.pt", "--target", "openvino", "--preset", "quantise").returncode, 1)
        self.assertEqual(self.check("net.pt", "--target", "openvino,aimet").returncode, 1)
        (self.folder / "model_validator.toml").write_text('target = ["openvino"]\n')
        self.assertRegex(self.run_program("config", "net.pt").stdout, r"preset += deploy")

    def test_what_has_been_quantised_is_not_asked_again(self):
        self.export()
        report, status = self.report("int8.pt")
        self.assertEqual(status, 0)
        (check,) = (each for each in report["models"][0]["checks"] if each["name"] == "missing-modules")
        self.assertEqual(check["status"], "not-judged")
        self.assertIn("has been quantised", check["reason"])


class Folders(Newcomer):
    """A folder of models holds other things as well."""

    def setUp(self):
        super().setUp()
        net, x = nn.Sequential(nn.Linear(4, 4), nn.ReLU()).eval(), torch.ones(1, 4)
        torch.jit.trace(net, x).save(self.folder / "net.pt")
        torch.save(net.state_dict(), self.folder / "checkpoint.pt")
        torch.save({"epoch": 3, "model": net.state_dict()}, self.folder / "training.pth")
        torch.save({"x": x, "more": [x]}, self.folder / "inputs.pt")

    def test_what_is_no_model_is_told_and_fails_nothing(self):
        done = self.check(".")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("Passed over: ", done.stdout)
        self.assertIn("3 files in folders hold no model", done.stdout)
        report, _ = self.report(".")
        self.assertEqual({model["status"] for model in report["models"]}, {"passed", "no-model"})
        self.assertEqual(report["summary"]["no_model"], 3)

    def test_a_checkpoint_that_is_named_fails(self):
        self.assertEqual(self.check("checkpoint.pt").returncode, 2)
        self.assertEqual(self.check(".", "checkpoint.pt").returncode, 2)

    def test_a_hook_takes_what_it_names_for_found(self):
        done = self.check("--as-found", "net.pt", "checkpoint.pt", "training.pth")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("2 files in folders hold no model", done.stdout)
        (self.folder / "cut.pt").write_bytes((self.folder / "net.pt").read_bytes()[:500])
        self.assertEqual(self.check("--as-found", "net.pt", "cut.pt").returncode, 2)
        self.assertEqual(self.check("--as-found", "--exclude", "cut.pt", "net.pt", "cut.pt").returncode, 0)
        self.assertEqual(self.check("--as-found", "--exclude", "cut.pt", "cut.pt").returncode, 0)
        self.assertEqual(self.check("--as-found", "checkpoint.pt").returncode, 0)

    def test_a_model_that_is_damaged_fails(self):
        (self.folder / "cut.pt").write_bytes((self.folder / "net.pt").read_bytes()[:500])
        self.assertEqual(self.check(".").returncode, 2)

    def test_exclude(self):
        (self.folder / "cut.pt").write_bytes((self.folder / "net.pt").read_bytes()[:500])
        self.assertEqual(self.check("--exclude", "cut.pt,*.pth", ".").returncode, 0)
        (self.folder / "model_validator.toml").write_text('exclude = ["cut.*"]\n')
        self.assertEqual(self.run_program("check", ".").returncode, 0)
        self.assertEqual(self.run_program("check", "cut.pt").returncode, 2)
        self.assertEqual(self.check("--exclude", "*", ".").returncode, 2)

    def test_folders_of_tools(self):
        (self.folder / ".venv").mkdir()
        (self.folder / ".venv" / "cut.pt").write_bytes(b"PK\x03\x04")
        self.assertEqual(self.check(".").returncode, 0)
        self.assertEqual(self.check(".venv").returncode, 2)


class FallsBack(Newcomer):
    """What runs elsewhere is no failure to compile."""

    def test_it_is_a_warning_and_counted(self):
        class Net(nn.Module):
            def __init__(self, function):
                super().__init__()
                self.function = function

            def forward(self, x):
                return self.function(x)

        for target, function in (("executorch-xnnpack", torch.cosh), ("tensorrt", torch.erfinv)):
            with self.subTest(target):
                torch.export.save(torch.export.export(Net(function), (torch.zeros(2),)), self.folder / "net.pt2")
                report, _ = self.report("--select", "unsupported-ops", "--target", target, "net.pt2")
                (model,) = report["models"]
                elsewhere, finding = model["findings"]
                self.assertEqual((elsewhere["severity"], finding["severity"]), ("info", "warning"))
                self.assertIn("elsewhere", elsewhere["message"])
                self.assertIn("falls back", finding["message"])
                self.assertNotIn("cannot be compiled", finding["message"])
                self.assertIn("1 falls back", model["verdicts"][0]["summary"])
                self.assertEqual(model["verdicts"][0]["verdict"], "taken in part")


class Aimet(Newcomer):
    """What the target says of the model and what its checks say are one."""

    def verdict(self, net):
        torch.jit.trace(net.eval(), torch.ones(1, 4)).save(self.folder / "net.pt")
        report, status = self.report("--target", "aimet", "--ignore", "missing-modules", "net.pt")
        (model,) = report["models"]
        return model["verdicts"][0]["summary"], status, [finding["message"] for finding in model["findings"]]

    def test_silu_is_quantised(self):
        summary, status, messages = self.verdict(nn.Sequential(nn.Linear(4, 4), nn.SiLU()))
        self.assertIn("takes all 2 ops; 1 depends on what the file does not say: ", summary)
        self.assertEqual((status, [message for message in messages if "SiLU" in message]), (0, []))

    def test_a_class_that_it_does_not_know(self):
        class Scale(nn.Module):
            def forward(self, x):
                return x * 2

        summary, status, messages = self.verdict(nn.Sequential(nn.Linear(4, 4), Scale()))
        self.assertIn("refuses 1 of 2 ops", summary)
        self.assertEqual(status, 1)
        self.assertEqual(len([message for message in messages if message.startswith("QuantizationSimModel will fail")]), 1)


if __name__ == "__main__":
    unittest.main()
