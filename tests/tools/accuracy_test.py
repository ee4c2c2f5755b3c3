#!/usr/bin/env python3
"""The measure of tools/accuracy on models whose truth is known: it sees what agrees and what does not.

usage: accuracy_test.py SOURCE_FOLDER PROGRAM
"""
import pathlib
import sys
import tempfile
import unittest

import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    """Calls `act` twice, adds once in its own code, and once more where the input is wide."""

    def __init__(self, additions):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.act = torch.nn.ReLU()
        self.additions = additions

    def forward(self, x):
        y = self.act(self.linear(self.act(x)))
        for _ in range(self.additions):
            y = y + x
        if y.size(0) > 8:
            y = F.gelu(y)
        return y


class Accuracy(unittest.TestCase):
    program = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "model.pt"

    def compared(self, kind, saved, truth):
        self.assertTrue(measure.export(saved.eval(), (torch.ones(2, 4),), kind, self.file))
        return measure.compare(truth, *measure.graph_of(self.program, self.file, truth.first_path))

    def truth(self, additions, rows=2):
        return measure.truth_of(Net(additions).eval(), (torch.ones(rows, 4),))

    def test_the_truth_is_what_one_run_does(self):
        truth = self.truth(additions=2)
        self.assertEqual(truth.reused, {"act"})
        self.assertEqual(truth.functions, {("", "add"): 2})
        self.assertEqual(self.truth(2, rows=9).functions, {("", "add"): 2, ("", "gelu"): 1})

    def test_a_graph_that_agrees_is_exact(self):
        for kind in measure.FORMATS:
            with self.subTest(kind):
                counts, wrong = self.compared(kind, Net(2), self.truth(2))
                self.assertEqual(wrong, [])
                self.assertEqual((counts["functional"], counts["functional_found"], counts["reuse_found"]), (2, 2, 1))

    def test_what_is_missed_and_what_is_made_up_is_named(self):
        self.assertEqual(self.compared("traced", Net(1), self.truth(2))[1], ["missed 1 x add in the model"])
        self.assertEqual(self.compared("traced", Net(2), self.truth(1))[1], ["made up 1 x add in the model"])
        truth = self.truth(1)
        truth.reused = {"linear"}
        self.assertEqual(self.compared("traced", Net(1), truth)[1], ["missed reuse of linear", "made up reuse of act"])

    def test_a_file_that_cannot_be_read_is_reported(self):
        self.file.write_bytes(b"no model")
        with self.assertRaisesRegex(RuntimeError, "not a model file"):
            measure.graph_of(self.program, self.file, {})


if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "tools" / "accuracy"))
    import measure

    Accuracy.program = sys.argv[2]
    unittest.main(argv=sys.argv[:1])
