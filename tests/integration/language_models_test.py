"""Language models with caches, verified without a word about their inputs.

Environment: PROGRAM (the built program).
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path

import numpy as np
import torch
from small_decoder import FAULTS, Decoder, example, save_onnx

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import preloaded

PROGRAM = os.environ["PROGRAM"]
warnings.simplefilter("ignore")


class LanguageModels(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.kept = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.kept.name)
        cls.model = cls.folder / "decoder.onnx"
        save_onnx(cls.model)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.kept.cleanup()

    def run_program(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        command = [PROGRAM, "verify", *map(str, arguments), "--threads", "1"]
        return preloaded.run(command)

    def verify(self, *arguments: object) -> tuple[int, dict]:
        done = self.run_program(*arguments, "--output-format", "json", "--no-lint")
        self.assertTrue(done.stdout, done.stderr)
        return done.returncode, json.loads(done.stdout)

    def faulty(self, fault: str) -> Path:
        file = self.folder / f"{fault.replace(' ', '_')}.onnx"
        if not file.exists():
            save_onnx(file, fault)
        return file

    def test_what_inputs_are_taken_for_is_shown(self) -> None:
        done = self.run_program(self.model, "--show-inputs")
        self.assertEqual(done.returncode, 0, done.stderr)
        for words in ("it gathers from a table of 40 rows", "a mask of padding", "positions",
                      "a prompt of 7 elements"):
            self.assertIn(words, done.stdout)

    def test_the_same_model_passes_without_an_option(self) -> None:
        status, report = self.verify(self.model, "--backend", "onnxruntime")
        self.assertEqual(status, 0, report)
        self.assertIn("every row of the table", report["sample_names"])
        self.assertIn("padding on the left", report["sample_names"])

    def test_every_fault_is_found_without_an_option(self) -> None:
        for fault in FAULTS:
            status, _ = self.verify(self.model, self.faulty(fault))
            self.assertEqual(status, 1, fault)

    def test_sizes_are_derived_from_one_another(self) -> None:
        status, report = self.verify(self.model, "--backend", "onnxruntime", "--sizes", "batch=2,sequence=3,past=4")
        self.assertEqual(status, 0, report)
        logits = [output for output in report["outputs"] if output["name"] == "logits"]
        self.assertEqual({tuple(output["reference"]["shape"]) for output in logits}, {(2, 3, 40)})

    def test_steps_give_caches_back(self) -> None:
        status, report = self.verify(self.model, "--backend", "onnxruntime", "--steps", 4)
        self.assertEqual(status, 0, report)
        self.assertEqual(report["steps"], 4)
        last = [output for output in report["outputs"] if output["name"] == "present.0.key" and output["sample"] == 0]
        self.assertEqual([output["reference"]["shape"][2] for output in last], [7, 8, 9, 10])
        status, report = self.verify(self.model, self.faulty("cache not updated"), "--steps", 3)
        self.assertEqual(status, 1, report)

    def test_a_model_is_held_against_itself(self) -> None:
        status, report = self.verify(self.model, "--steps", 3)
        self.assertEqual(status, 0, report)
        for fault in ("past ignored", "positions from zero", "cache not updated"):
            status, report = self.verify(self.faulty(fault), "--steps", 3)
            self.assertEqual(status, 1, fault)

    def program(self, fault: str = "") -> Path:
        """Of torch.export: it takes two elements or more, as its example did, and its outputs have no names."""
        file = self.folder / f"{fault}decoder.pt2"
        a = torch.export.Dim.AUTO
        sizes = ({0: a, 1: a}, {0: a, 1: a}, {0: a, 1: a}, tuple({0: a, 2: a} for _ in range(4)))
        if not file.exists():
            torch.export.save(torch.export.export(Decoder(fault).eval(), example(), dynamic_shapes=sizes), file)
        return file

    def test_a_program_that_takes_no_single_element_is_held_against_itself(self) -> None:
        status, report = self.verify(self.program(), "--steps")
        self.assertEqual(status, 0, report)
        self.assertEqual(report["steps"], 5)
        self.assertTrue(any("it does not take one element" in note for note in report["notes"]), report["notes"])
        status, report = self.verify(self.program("past ignored"), "--steps")
        self.assertEqual(status, 1, report)

    def test_names_of_either_file_are_names(self) -> None:
        program = self.program()
        status, report = self.verify(program, self.model)
        self.assertEqual(status, 0, report)
        file = self.folder / "inputs.npz"
        done = self.run_program(self.model, "--write-inputs", file, "--no-lint", "--sizes", "batch=2,past=3,sequence=4")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("past_key_values.0.key", np.load(file).files)
        status, report = self.verify(program, self.model, "--inputs", file)
        self.assertEqual(status, 0, report)


if __name__ == "__main__":
    unittest.main()
