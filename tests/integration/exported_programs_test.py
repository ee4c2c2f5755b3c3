#!/usr/bin/env python3
"""Programs of torch.export give the bits here that they give in Python: what torch keeps of what it exports, control flow, state, sizes."""

import contextlib
import io
import os
import pathlib
import re
import sys
import unittest
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tools" / "verify"))

import exported_programs
import preloaded


class ExportedPrograms(unittest.TestCase):
    def test_every_run_gives_the_same_bits_whole_and_divided(self) -> None:
        exported_programs.ran = lambda command: preloaded.run(command, timeout=600)
        sys.argv[1:] = ["--tool", os.environ["PROGRAM"], "--divided"]
        printed = io.StringIO()
        with warnings.catch_warnings(), contextlib.redirect_stdout(printed):
            warnings.simplefilter("ignore")
            status = exported_programs.main()
        summary = printed.getvalue().strip().splitlines()[-1]
        self.assertEqual(status, 0, printed.getvalue())
        counts = {kind: int(number) for number, kind in re.findall(r"(\d+) ([a-z ]+)", summary)}
        self.assertGreaterEqual(counts["same"] / sum(counts.values()), 0.95, printed.getvalue())


if __name__ == "__main__":
    unittest.main()
