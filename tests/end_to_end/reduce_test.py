"""`reduce` and `probe`: a fault in a chain of nodes becomes a model of that node, its `repro.py` shows it, and no question is asked twice.

Environment: PROGRAM (the built program).
"""

import json
import os
import subprocess
import sys
import tempfile
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
for node in loaded.graph.node:
    if node.op_type == "Softsign":
        if deed == "abort": os.abort()
        if deed == "sleep": time.sleep(600)
        if deed == "refuse": sys.exit("no rule for Softsign")
        if deed == "differ": node.op_type = "Tanh"
session = onnxruntime.InferenceSession(loaded.SerializeToString(), providers=["CPUExecutionProvider"])
arrays = np.load(inputs)
results = session.run(None, {i.name: arrays[i.name] for i in session.get_inputs()})
with open(outputs, "wb") as stream: np.savez(stream, **{f"{i:03}": r for i, r in enumerate(results)})
"""


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

    def ask(self, command, *arguments, status):
        done = preloaded.run([PROGRAM, command, *map(str, arguments)], cwd=self.folder, timeout=600)
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


if __name__ == "__main__":
    unittest.main()
