#!/usr/bin/env python3
"""Writes odd but valid quantised ONNX files: no rule has anything to say of how they are quantised, and every command reads them.

Environment: PROGRAM (the built program).
"""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import odd_quantised_files
import onnx

PROGRAM = os.environ["PROGRAM"]


class OddFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        odd_quantised_files.write(cls.folder)
        cls.files = sorted(cls.folder.glob("*.onnx"))

    def run_on(self, *words: str | pathlib.Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False)

    def test_they_are_valid_and_many(self) -> None:
        self.assertGreater(len(self.files), 100)
        for file in self.files:
            with self.subTest(file=file.stem):
                onnx.checker.check_model(file, full_check=True)

    def test_no_rule_on_quantisation_finds_a_fault(self) -> None:
        ran = self.run_on("check", "--isolated", "--select", "QNT,MET", "--output-format", "json", *self.files)
        for model in json.loads(ran.stdout)["models"]:
            with self.subTest(file=pathlib.Path(model["path"]).stem):
                self.assertIsNone(model["error"])
                self.assertEqual([each["message"] for each in model["findings"]], [])

    def test_graph_and_inspect_read_them(self) -> None:
        for file in self.files:
            for command in ("graph", "inspect"):
                with self.subTest(file=file.stem, command=command):
                    ran = self.run_on(command, file)
                    self.assertEqual(ran.returncode, 0, ran.stderr)


if __name__ == "__main__":
    unittest.main()
