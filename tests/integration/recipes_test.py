"""The commands of docs/recipes.md run as they stand there, and succeed.

Environment: PROGRAM (the built program).
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ["PROGRAM"]


class Recipes(unittest.TestCase):
    def test_every_command_succeeds(self) -> None:
        page = (PROJECT / "docs" / "recipes.md").read_text()
        commands = re.findall(r"^ {4}\$ (.+)$", page, re.MULTILINE)
        self.assertGreater(len(commands), 8)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "bin").mkdir()
            (folder / "bin" / "model_validator").symlink_to(PROGRAM)
            (folder / "examples").symlink_to(PROJECT / "examples")
            path = f"{folder / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}"
            for command in commands:
                done = subprocess.run(command.split(), cwd=folder, env=os.environ | {"PATH": path, "PYTHONWARNINGS": "ignore"},
                                      stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    unittest.main()
