"""An op has one name: `check` and `partition` speak of the ops that `graph` prints, by the same names."""

import json
import os
import sys
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))

import preloaded

PROGRAM = os.environ["PROGRAM"]
MODELS = Path(os.environ["MODELS"])
TARGETS = {".pt": "tensorrt", ".onnx": "onnxruntime", ".pt2": "executorch-xnnpack"}


def printed(*arguments):
    result = preloaded.run([PROGRAM, *arguments])
    assert result.returncode in (0, 1), result.stderr
    return json.loads(result.stdout)


def op_of(value):
    """The op that makes a value: `split_0` of `split_0:1`."""
    return value.split(":")[0]


class Names(unittest.TestCase):
    def models(self):
        files = [file for file in sorted(MODELS.iterdir()) if file.suffix in TARGETS and file.name.startswith(("resnet", "reused", "functional"))]
        self.assertEqual({file.suffix for file in files}, set(TARGETS))
        return files

    def test_partition(self):
        for model in self.models():
            with self.subTest(model=model.name):
                known = {op["name"] for op in printed("graph", model, "--format", "json")["ops"]}
                division = printed("partition", model, "--target", TARGETS[model.suffix], "--output-format", "json")
                named = {op["name"] for obstacle in division["obstacles"] for op in obstacle["ops"]}
                for part in division["partitions"]:
                    named.update(part["ops"], map(op_of, part["inputs"] + part["outputs"]))
                self.assertTrue(named)
                self.assertEqual(named - known, set())

    def test_check(self):
        for model in self.models():
            with self.subTest(model=model.name):
                known = {op["name"] for op in printed("graph", model, "--format", "json")["ops"]}
                (report,) = printed("check", model, "--target", TARGETS[model.suffix], "--output-format", "json")["models"]
                named = {finding["op"]["name"] for finding in report["findings"] if finding["op"]}
                for operator in (each for verdict in report["verdicts"] for each in verdict["operators"]):
                    self.assertEqual("ops" in operator, operator["verdict"] != "taken")
                    self.assertLessEqual(len(operator.get("ops", [])), operator["calls"])
                    named.update(operator.get("ops", []))
                self.assertEqual(named - known, set())


if __name__ == "__main__":
    unittest.main()
