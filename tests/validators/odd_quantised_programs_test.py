#!/usr/bin/env python3
"""Writes odd but valid quantised programs of torch.export, of which no rule has anything to say, and the same with a fault, which is told.

Environment: PROGRAM (the built program).
"""
import json
import os
import pathlib
import sys
import tempfile
import unittest

import odd_quantised_programs as odd

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))

import preloaded

PROGRAM = os.environ["PROGRAM"]


class OddPrograms(unittest.TestCase):
    def said(self, programs: dict[str, odd.Layer]) -> dict[str, list[str]]:
        """The rules that find something, by file."""
        with tempfile.TemporaryDirectory() as folder:
            odd.write(pathlib.Path(folder), programs)
            ran = preloaded.run([PROGRAM, "check", "--isolated", "--select", "QNT,MET", "--output-format", "json",
                                  *map(str, sorted(pathlib.Path(folder).glob("*.pt2")))])
        models = json.loads(ran.stdout)["models"]
        self.assertEqual([model["error"] for model in models if model["error"]], [])
        return {pathlib.Path(model["path"]).stem: [each["rule"] for each in model["findings"]] for model in models}

    def test_nothing_is_said_of_them(self) -> None:
        said = self.said(odd.PROGRAMS)
        self.assertEqual(len(said), len(odd.PROGRAMS))
        self.assertEqual({name: rules for name, rules in said.items() if rules}, {})

    def test_faults_are_told(self) -> None:
        said = self.said({name: model for name, (_, model) in odd.FAULTS.items()})
        for name, (rule, _) in odd.FAULTS.items():
            self.assertIn(rule, said[name], name)


if __name__ == "__main__":
    unittest.main()
