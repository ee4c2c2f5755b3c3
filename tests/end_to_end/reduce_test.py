"""`reduce` and `probe`: a fault in a chain of nodes becomes a model of that node, its `repro.py` shows it, and no question is asked twice.

Environment: PROGRAM (the built program).
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import preloaded

PROGRAM = os.environ["PROGRAM"]
RUNTIME = "onnxruntime"

#: A runtime of our own: it counts what it is asked, and does a deed where it meets a Softsign.
SCRIPT = """
import os, sys, time
import numpy as np, onnx, onnxruntime
model, inputs, outputs, deed, calls = sys.argv[1:]
open(calls, "a").write("x")
loaded = onnx.load(model)
if deed == "deep" and b"Softsign" in open(model, "rb").read(): sys.exit("no rule for Softsign")
for node in loaded.graph.node:
    if node.op_type == "Softsign" and (deed != "sleep" or not os.path.exists(calls + ".awake")):
        if deed == "abort": os.abort()
        if deed == "sleep": open(calls + ".asleep", "w").close(); time.sleep(600)
        if deed == "refuse": sys.exit("no rule for Softsign")
        if deed == "differ": node.op_type = "Tanh"
arrays = np.load(inputs)
if deed.startswith("evaluator"):
    from onnx.reference import ReferenceEvaluator
    results = ReferenceEvaluator(loaded).run(None, dict(arrays))
    if deed.endswith("wrong") and "GRU" in [node.op_type for node in loaded.graph.node]: results[0] = results[0] + 1
else:
    session = onnxruntime.InferenceSession(loaded.SerializeToString(), providers=["CPUExecutionProvider"])
    results = session.run(None, {i.name: arrays[i.name] for i in session.get_inputs()})
with open(outputs, "wb") as stream: np.savez(stream, **{f"{i:03}": r for i, r in enumerate(results)})
"""

#: A module in place of a runtime that only loads models: it refuses a Softsign, and ends the process at a Celu.
LOADER = """
import enum, os, onnx
__version__ = "1.0"
class ILogger:
    Severity = enum.Enum("Severity", "ERROR INTERNAL_ERROR")
class ComputeCapability:
    SM89 = 89
class NetworkDefinitionCreationFlag(enum.IntEnum):
    STRONGLY_TYPED = 1
class Network:
    num_inputs = 0
class Builder:
    def __init__(self, logger): self.logger = logger
    def create_network(self, flags): return Network()
    def create_builder_config(self): return type("Config", (), {"set_compute_capability": lambda *all: None})()
    def create_optimization_profile(self): return None
    def build_serialized_network(self, network, config): return b"engine"
class OnnxParser:
    num_errors = 0
    def __init__(self, network, logger): self.logger = logger
    def parse_from_file(self, file):
        types = [node.op_type for node in onnx.load(file).graph.node]
        if "Celu" in types: os.abort()
        if "Softsign" in types: self.logger.log(ILogger.Severity.ERROR, "no importer for Softsign")
        return "Softsign" not in types
"""


#: A module in place of ONNX Runtime's, which says where nodes run.
PLACES = """
from types import SimpleNamespace as Made
__version__ = "9.9"
class SessionOptions:
    def add_session_config_entry(self, key, value): assert key == "session.record_ep_graph_assignment_info"
class InferenceSession:
    def __init__(self, model, options, providers): self.providers = providers
    def get_provider_graph_assignment_info(self):
        nodes = [[Made(op_type="Add", name="c")], [Made(op_type="Clip", name="a"), Made(op_type="Clip", name="b")]]
        return [Made(ep_name=name, get_nodes=lambda some=some: some) for name, some in zip(self.providers, nodes)]
"""


def batchwise():
    """A layer that ONNX Runtime refuses, and ONNX's own evaluator runs."""
    rng = np.random.default_rng(0)
    weights = {"w": rng.normal(0, 1, (1, 12, 2)).astype(np.float32), "r": rng.normal(0, 1, (1, 12, 4)).astype(np.float32)}
    nodes = [
        helper.make_node("Relu", ["x"], ["h"], name="first"),
        helper.make_node("GRU", ["h", "w", "r"], ["y", "last"], name="layer", hidden_size=4, layout=1),
    ]
    graph = helper.make_graph(
        nodes, "batchwise", [floats("x", 3, 5, 2)], [floats("last", 3, 1, 4)], [numpy_helper.from_array(v, k) for k, v in weights.items()]
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def floats(name, *sizes):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, list(sizes))


def chain(odd="Softsign", domain=""):
    """Two inputs, a branch, an operator with an omitted input, and the odd one in the middle."""
    rng = np.random.default_rng(0)
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["h"], name="mix"),
        helper.make_node("Add", ["h", "y"], ["s"], name="join"),
        helper.make_node("Clip", ["s", "", "top"], ["c"], name="bound"),
        helper.make_node(odd, ["c"], ["o"], name="odd", domain=domain),
        helper.make_node("Relu", ["c"], ["side"], name="branch"),
        helper.make_node("Mul", ["o", "side"], ["m"], name="meet"),
        helper.make_node("Sigmoid", ["m"], ["z"], name="last"),
    ]
    weights = {"w": rng.normal(0, 1, (8, 8)).astype(np.float32), "top": np.float32(3)}
    graph = helper.make_graph(
        nodes, "chain", [floats("x", "n", 8), floats("y", "n", 8)], [floats("z", "n", 8)], [numpy_helper.from_array(v, k) for k, v in weights.items()]
    )
    opsets = [helper.make_opsetid("", 17), *([helper.make_opsetid(domain, 1)] if domain else [])]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


class InFolder(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = Path(made.name)
        (self.folder / "run.py").write_text(SCRIPT)
        self.model = self.saved(chain())

    def saved(self, model, name="model.onnx"):
        onnx.save(model, self.folder / name)
        return self.folder / name

    def program(self, deed):
        return f"{sys.executable} {self.folder}/run.py {{model}} {{inputs}} {{outputs}} {deed} {self.folder}/calls"

    def calls(self):
        file = self.folder / "calls"
        return len(file.read_text()) if file.exists() else 0

    def ask(self, command, *arguments, status, **environment):
        line = [PROGRAM, command, *map(str, arguments)]
        if environment:  # a program that has been started has its own
            done = subprocess.run(line, cwd=self.folder, env=os.environ | environment, capture_output=True, text=True, timeout=600, check=False)
        else:
            done = preloaded.run(line, cwd=self.folder, timeout=600)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def reduced(self, *arguments):
        self.ask("reduce", *arguments, "-o", self.folder / "bug", status=0)
        graph = onnx.load(self.folder / "bug" / "reduced.onnx").graph
        return [node.op_type for node in graph.node]

    def reproduced(self):
        """Far from the folder in which it was made."""
        return subprocess.run([sys.executable, self.folder / "bug" / "repro.py"], cwd="/", capture_output=True, text=True, check=False)


class Reduce(InFolder):
    def test_an_operator_that_is_refused(self):
        self.saved(chain("Magic", "acme.ai"))
        self.assertEqual(self.reduced(self.model, "--backend", RUNTIME), ["Magic"])
        shown = self.reproduced()
        self.assertEqual(shown.returncode, 1, shown.stdout)
        self.assertIn("Magic", shown.stdout)
        report = (self.folder / "bug" / "report.md").read_text()
        self.assertIn("`acme.ai::Magic`: refused by ONNX Runtime", report)
        self.assertIn("from a model of 7 nodes to 1", report)

    def test_a_runtime_that_refuses_crashes_hangs_or_differs(self):
        for deed, word in {"refuse": "fails to run", "abort": "fails to run", "differ": "wrong results"}.items():
            with self.subTest(deed):
                self.assertEqual(self.reduced(self.model, "--command", self.program(deed)), ["Softsign"])
                self.assertEqual(self.reproduced().returncode, 1)
                self.assertIn(word, (self.folder / "bug" / "report.md").read_text().splitlines()[0])
                (self.folder / "bug").rename(self.folder / f"bug_{deed}")

    def test_a_runtime_that_hangs(self):
        self.assertEqual(self.reduced(self.model, "--command", self.program("sleep"), "--timeout", "10"), ["Softsign"])
        self.assertIn("does not end", (self.folder / "bug" / "report.md").read_text())

    def test_what_is_stopped_goes_on(self):
        command = ["--command", self.program("refuse")]
        line = [PROGRAM, "reduce", self.model, *command, "-o", self.folder / "half", "--time", "1"]
        done = subprocess.run(list(map(str, line)), cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        half = [node.op_type for node in onnx.load(self.folder / "half" / "reduced.onnx").graph.node]
        self.assertIn("Softsign", half)
        self.assertIn("goes on", done.stdout)
        given = ["--inputs", self.folder / "half" / "inputs.npz"]
        self.assertEqual(self.reduced(self.folder / "half" / "reduced.onnx", *given, *command), ["Softsign"])

    def test_two_files_that_differ(self):
        other = chain()
        next(node for node in other.graph.node if node.name == "odd").op_type = "Tanh"
        self.assertEqual(self.reduced(self.model, self.saved(other, "other.onnx")), ["Softsign"])
        self.assertEqual([node.op_type for node in onnx.load(self.folder / "bug" / "candidate.onnx").graph.node], ["Tanh"])
        self.assertEqual(self.reproduced().returncode, 1)

    def test_what_does_not_fail_is_left_alone(self):
        said = self.ask("reduce", self.model, "--backend", RUNTIME, "-o", self.folder / "bug", status=1)
        self.assertIn("nothing to reduce", said)
        self.assertFalse((self.folder / "bug").exists())

    def test_nothing_is_overwritten(self):
        (self.folder / "bug").mkdir()
        (self.folder / "bug" / "mine").write_text("mine")
        self.ask("reduce", self.model, "--backend", RUNTIME, "-o", self.folder / "bug", status=2)
        self.assertEqual([file.name for file in (self.folder / "bug").iterdir()], ["mine"])

    def test_the_users_numbers_need_not_be_in_the_report(self):
        self.saved(chain("Magic", "acme.ai"))
        self.reduced(self.model, "--backend", RUNTIME)
        self.assertIn("inputs of float32 are random", (self.folder / "bug" / "report.md").read_text())

    def test_weights_in_another_file(self):
        model = chain("Magic", "acme.ai")
        onnx.save(model, self.model, save_as_external_data=True, location="weights.bin", size_threshold=0)
        self.assertEqual(self.reduced(self.model, "--backend", RUNTIME), ["Magic"])

    def test_what_no_runtime_runs_is_no_part(self):
        """An arm that does not run with what is outside it is not what a runtime fails with."""
        kind = helper.make_tensor_value_info
        column = numpy_helper.from_array(np.array([-1, 3], np.int64), "column")
        arms = [
            helper.make_graph([helper.make_node("Softsign", ["c"], ["a"])], "then", [], [kind("a", TensorProto.FLOAT, None)]),
            helper.make_graph(
                [helper.make_node("Reshape", ["c", "column"], ["r"]), helper.make_node("Softsign", ["r"], ["b"])],
                "else",
                [],
                [kind("b", TensorProto.FLOAT, None)],
                [column],
            ),
        ]
        nodes = [
            helper.make_node("Relu", ["x"], ["c"], name="before"),
            helper.make_node("If", ["which"], ["z"], name="either", else_branch=arms[1], then_branch=arms[0]),
        ]
        inputs = [floats("x", "n", 4), kind("which", TensorProto.BOOL, [])]
        graph = helper.make_graph(nodes, "arms", inputs, [kind("z", TensorProto.FLOAT, None)])
        model = self.saved(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8))
        np.savez(self.folder / "given.npz", x=np.ones((2, 4), np.float32), which=np.array(True))
        command = ["--command", self.program("deep"), "--inputs", self.folder / "given.npz"]
        self.assertEqual(self.reduced(model, *command), ["Softsign"])
        shapes = [[d.dim_value for d in v.type.tensor_type.shape.dim] for v in onnx.load(self.folder / "bug" / "reduced.onnx").graph.input]
        self.assertEqual(shapes, [[2, 4]])

    def test_a_command_without_the_model_is_refused(self):
        said = self.ask("reduce", self.model, "--command", "true {inputs} {outputs}", "-o", self.folder / "bug", status=2)
        self.assertIn("{model}", said)


class Probe(InFolder):
    def test_a_right_model_is_asked_for_as_a_whole(self):
        said = self.ask("probe", self.model, "--backend", RUNTIME, "--answers", self.folder / "answers", status=0)
        self.assertIn("asked here: ONNX Runtime", said)
        self.assertIn("`--all`", said)

    def test_the_node_that_is_wrong_is_named_and_nothing_is_asked_twice(self):
        arguments = [self.model, "--command", self.program("differ"), "--answers", self.folder / "answers"]
        first = self.ask("probe", *arguments, status=1)
        self.assertIn("differs: 1 × `onnx::Softsign`, as `odd`", first)
        self.assertIn("6 nodes of 6 kinds", first)
        calls = self.calls()
        self.assertGreater(calls, 0)
        self.assertEqual(self.ask("probe", *arguments, status=1), first)
        self.assertEqual(self.calls(), calls)

    def test_a_damaged_answer_is_asked_anew(self):
        arguments = [self.model, "--command", self.program("differ"), "--answers", self.folder / "answers"]
        first = self.ask("probe", *arguments, status=1)
        for number, file in enumerate(sorted((self.folder / "answers").iterdir())):
            file.write_text(["", "[" * 100000, '{"schema": 3}', '{"schema": "model_validator-answer/1", "message": []}'][number % 4])
        self.assertEqual(self.ask("probe", *arguments, status=1), first)

    def test_json(self):
        said = self.ask(
            "probe", self.saved(chain("Magic", "acme.ai")), "--backend", RUNTIME, "--answers", self.folder / "a", "--output-format", "json", status=1
        )
        found = json.loads(said)
        self.assertEqual(found["answer"], "refused")
        answers = {node["operator"]: node["answer"] for node in found["nodes"]}
        self.assertEqual(answers["acme.ai::Magic"], "refused")
        self.assertEqual(answers["onnx::MatMul"], "right")
        self.assertIsNone(answers["onnx::Mul"])  # behind what is refused

    def test_what_ends_or_hangs_is_an_answer_and_ends_nothing(self):
        for deed, word in {"abort": "failed", "sleep": "hung"}.items():
            with self.subTest(deed):
                arguments = ["--command", self.program(deed), "--jobs", "2", "--timeout", "10", "--answers", self.folder / deed]
                said = self.ask("probe", self.model, *arguments, status=1)
                self.assertIn(f"{word}: 1 × `onnx::Softsign`", said)
                self.assertIn("6 nodes of 6 kinds", said)

    def test_ctrl_c_keeps_what_is_known(self):
        arguments = ["probe", self.model, "--all", "--command", self.program("sleep"), "--jobs", "1", "--answers", self.folder / "answers"]
        (self.folder / "calls.awake").touch()  # for the whole, which comes first
        self.ask("probe", self.model, *arguments[3:], status=0)
        (self.folder / "calls.awake").unlink()
        with subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=self.folder, stdout=subprocess.PIPE, text=True) as process:
            self.wait_for_a_sleeper()
            process.send_signal(signal.SIGINT)
            said, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertIn("it was interrupted before", said)
        known = self.calls()
        (self.folder / "calls.awake").touch()
        self.ask(*arguments, status=0)
        self.assertLess(self.calls() - known, 2 * len(chain().graph.node))

    def wait_for_a_sleeper(self):
        for _ in range(600):
            if (self.folder / "calls.asleep").exists():
                return
            time.sleep(0.1)
        self.fail("nobody sleeps")

    def test_what_onnx_runtime_does_not_run_is_held_against_another(self):
        model, python = self.saved(batchwise()), {"MODEL_VALIDATOR_PYTHON": sys.executable}
        command = ["--command", self.program("evaluator"), "--answers", self.folder / "answers"]
        self.assertIn("gives what the reference gives", self.ask("probe", model, *command, status=0, **python))
        wrong = ["--command", self.program("evaluator-wrong"), "-o", self.folder / "bug"]
        self.ask("reduce", model, *wrong, status=0, **python)
        self.assertEqual([node.op_type for node in onnx.load(self.folder / "bug" / "reduced.onnx").graph.node], ["GRU"])
        self.assertIn("what onnx.reference", (self.folder / "bug" / "report.md").read_text())
        self.assertEqual(self.reproduced().returncode, 1)

    def test_what_takes_no_onnx_is_refused(self):
        for backend in ("executorch", "torch-onnx", "ts"):
            self.assertIn("cannot be asked for ONNX files", self.ask("probe", self.model, "--backend", backend, status=2))

    def test_a_runtime_of_python_that_only_loads(self):
        (self.folder / "tensorrt_rtx.py").write_text(LOADER)
        environment = {"MODEL_VALIDATOR_PYTHON": sys.executable, "MODEL_VALIDATOR_PACKAGES": str(self.folder)}
        for odd, word in {"Softsign": "refused", "Celu": "crashed"}.items():
            with self.subTest(odd):
                model = self.saved(chain(odd), f"{odd}.onnx")
                arguments = ["--backend", "tensorrt-rtx", "--answers", self.folder / "answers", "--jobs", "1"]
                said = self.ask("probe", model, *arguments, status=1, **environment)
                self.assertIn(f"{word}: 1 × `onnx::{odd}", said)
                self.assertIn("6 nodes of 6 kinds", said)
                self.assertEqual(self.ask("probe", model, *arguments, status=1, **environment), said)

    def test_a_runtime_of_python_that_is_not_there(self):
        (self.folder / "tensorrt_rtx.py").write_text("raise ImportError('not here')")
        environment = {"MODEL_VALIDATOR_PYTHON": sys.executable, "MODEL_VALIDATOR_PACKAGES": str(self.folder)}
        said = self.ask("probe", self.model, "--backend", "tensorrt-rtx", status=2, **environment)
        self.assertIn("Python cannot load TensorRT-RTX", said)


class Check(InFolder):
    def test_the_runtime_that_is_here_is_asked_beneath_the_verdict(self):
        arguments = ["--isolated", "--select", "unsupported-ops", "--probe", "--answers", self.folder / "answers"]
        said = self.ask("check", self.model, "--target", RUNTIME, *arguments, status=0)
        self.assertRegex(said, r"asked here: ONNX Runtime [\d.]+, CPUExecutionProvider: right")
        self.assertNotIn("the table", said)

    def test_a_disagreement_is_told(self):
        scale = numpy_helper.from_array(np.ones(8, np.float32), "scale")
        node = helper.make_node("RMSNormalization", ["x", "scale"], ["z"], name="norm")
        model = helper.make_model(
            helper.make_graph([node], "norm", [floats("x", 2, 8)], [floats("z", 2, 8)], [scale]),
            opset_imports=[helper.make_opsetid("", 23)],
            ir_version=10,
        )
        arguments = [self.saved(model), "--target", f"{RUNTIME}@1.20", "--isolated", "--probe", "--answers", self.folder / "answers"]
        self.assertIn("and here it is right", self.ask("check", *arguments, status=1))
        found = json.loads(self.ask("check", *arguments, "--output-format", "json", status=1))["models"][0]
        self.assertEqual([(a["target"], a["answer"]) for a in found["asked"]], [(RUNTIME, "right")])
        self.assertTrue(found["asked"][0]["disagreements"])


class Profile(InFolder):
    def written(self, model, deed, status):
        said = self.ask(
            "probe",
            model,
            "--command",
            self.program(deed),
            "--answers",
            self.folder / "answers",
            "--write-profile",
            self.folder / "a.toml",
            status=status,
        )
        self.assertIn("asked here", said)

    def judged(self, model, status):
        arguments = ["--profile", self.folder / "a.toml", "--isolated", "--select", "unsupported-ops", "--output-format", "json"]
        found = json.loads(self.ask("check", model, *arguments, status=status))["models"][0]["verdicts"][0]
        return found["verdict"], {each["operator"].removeprefix("onnx::"): each["verdict"] for each in found["operators"]}

    def sized(self, odd, name):
        """With no size left free."""
        model = chain(odd)
        for value in [*model.graph.input, *model.graph.output]:
            value.type.tensor_type.shape.dim[0].dim_value = 3
        return self.saved(model, name)

    def test_an_answer_serves_another_machine_and_nothing_is_inferred(self):
        right, wrong, other = self.sized("Elu", "right.onnx"), self.sized("Softsign", "wrong.onnx"), self.sized("Celu", "other.onnx")
        self.written(right, "differ", status=0)
        self.assertEqual(self.judged(right, status=0)[0], "taken")
        verdict, operators = self.judged(other, status=0)
        self.assertEqual(verdict, "unknown")
        self.assertEqual(operators["Celu"], "unknown")
        self.assertEqual(operators["MatMul"], "taken in part")  # by itself, and not in this model
        self.written(wrong, "differ", status=1)  # into the same file
        verdict, operators = self.judged(wrong, status=1)
        self.assertEqual((verdict, operators["Softsign"]), ("refused", "wrong"))
        self.assertEqual(self.judged(right, status=0)[0], "taken")

    def test_sizes_that_are_left_free_are_a_condition(self):
        model = self.saved(chain("Elu"), "free.onnx")
        self.written(model, "differ", status=0)
        self.assertEqual(self.judged(model, status=0)[0], "taken in part")

    def test_answers_of_another_runtime_are_left_alone(self):
        self.written(self.sized("Elu", "right.onnx"), "differ", status=0)
        kept = (self.folder / "a.toml").read_text()
        said = self.ask("probe", self.folder / "right.onnx", "--backend", RUNTIME, "--write-profile", self.folder / "a.toml", status=2)
        self.assertIn("holds no answers of", said)
        self.assertEqual((self.folder / "a.toml").read_text(), kept)


class Places(InFolder):
    def test_a_program_of_ours_asks_where_nodes_run(self):
        (self.folder / "onnxruntime.py").write_text(PLACES)
        asker = Path(__file__).parents[2] / "src/verify/reduce/ask_python.py"
        line = [sys.executable, asker, "onnxruntime-places:SomeExecutionProvider", self.folder, "", "3", self.model, "-"]
        subprocess.run(line, env=os.environ | {"PYTHONPATH": str(self.folder)}, check=True)
        self.assertEqual((self.folder / "version").read_text(), "9.9")
        word, *lines = (self.folder / "3.answer").read_text().splitlines()
        self.assertEqual(word, "right")
        placed = [["SomeExecutionProvider", "Add", "c"], ["CPUExecutionProvider", "Clip", "a"], ["CPUExecutionProvider", "Clip", "b"]]
        self.assertEqual([json.loads(row) for row in lines], placed)

    def test_on_the_cpu_alone_nobody_is_asked(self):
        arguments = [self.model, "--backend", f"{RUNTIME}:CPUExecutionProvider", "--answers", self.folder / "answers", "--output-format", "json"]
        self.assertEqual(json.loads(self.ask("probe", *arguments, status=0))["places"], [])


if __name__ == "__main__":
    unittest.main()
