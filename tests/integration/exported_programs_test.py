#!/usr/bin/env python3
"""Programs of torch.export give the bits here that they give in Python: what torch keeps of what it exports, control flow, state, sizes."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "tools/verify/exported_programs.py"


class ExportedPrograms(unittest.TestCase):
    def test_every_run_gives_the_same_bits_whole_and_divided(self) -> None:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", str(SCRIPT), "--tool", os.environ["PROGRAM"], "--divided"],
            check=False,
            capture_output=True,
            text=True,
        )
        summary = done.stdout.strip().splitlines()[-1]
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        counts = {kind: int(number) for number, kind in re.findall(r"(\d+) ([a-z ]+)", summary)}
        self.assertGreaterEqual(counts["same"] / sum(counts.values()), 0.95, done.stdout)


if __name__ == "__main__":
    unittest.main()
