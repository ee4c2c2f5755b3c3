"""What examples/ offers to copy does what it says.

Environment: PROGRAM (the built program), MODELS (the generated models).
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
EXAMPLES = PROJECT / "examples"
MODELS = Path(os.environ["MODELS"])
PROGRAM = Path(os.environ["PROGRAM"])


class Examples(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def run_command(self, *command):
        path = os.pathsep.join([str(PROGRAM.parent), os.environ["PATH"]])
        return subprocess.run(command, cwd=self.folder, env={**os.environ, "PATH": path}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)

    def test_the_makefile_compiles_a_model_only_once_it_is_clean(self):
        shutil.copy(EXAMPLES / "makefile" / "Makefile", self.folder)
        model, compiled = self.folder / "model.pt", self.folder / "model.compiled"

        shutil.copy(MODELS / "reused_nodes.scripted.pt", model)
        refused = self.run_command("make", "model.compiled")
        self.assertNotEqual(refused.returncode, 0, refused.stdout)
        self.assertFalse(compiled.exists())

        shutil.copy(MODELS / "without_reused_nodes.scripted.pt", model)
        done = self.run_command("make", "model.compiled")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertTrue(compiled.exists())

    def test_pre_commit_accepts_the_configuration_and_the_hooks(self):
        for kind, file in (("config", EXAMPLES / "pre_commit" / ".pre-commit-config.yaml"),
                           ("manifest", PROJECT / ".pre-commit-hooks.yaml")):
            result = self.run_command(sys.executable, "-m", "pre_commit", f"validate-{kind}", str(file))
            self.assertEqual(result.returncode, 0, result.stdout)


if __name__ == "__main__":
    unittest.main()
