"""The hook for an installed program, run by the real pre-commit in a git repository made for the purpose.

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
MODELS = Path(os.environ["MODELS"])
PROGRAM = Path(os.environ["PROGRAM"])

CONFIGURATION = """\
repos:
  - repo: {repository}
    rev: {revision}
    hooks:
      - id: model-validator-system
        verbose: true
"""
COUNTING_PROGRAM = """\
#!/bin/sh
echo "$#" >> "{log}"
exec "{program}" "$@"
"""


class PreCommit(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.calls = self.folder / "calls"
        self.repository = self.new_repository("team")
        self.install_program()
        self.install_hook()

    def install_program(self):
        """A program on PATH that counts the arguments of each call."""
        program = self.folder / "bin" / "model_validator"
        program.parent.mkdir()
        program.write_text(COUNTING_PROGRAM.format(log=self.calls, program=PROGRAM))
        program.chmod(0o755)

    def install_hook(self):
        hooks = self.new_repository("hooks")
        shutil.copy(PROJECT / ".pre-commit-hooks.yaml", hooks)
        self.succeed("git", "add", ".", cwd=hooks)
        self.succeed("git", "commit", "-q", "-m", "hooks", cwd=hooks)
        revision = self.succeed("git", "rev-parse", "HEAD", cwd=hooks).strip()
        configuration = CONFIGURATION.format(repository=hooks, revision=revision)
        (self.repository / ".pre-commit-config.yaml").write_text(configuration)
        self.succeed(sys.executable, "-m", "pre_commit", "install")

    def new_repository(self, name):
        self.succeed("git", "init", "-q", name, cwd=self.folder)
        return self.folder / name

    def run_command(self, *command, cwd=None):
        identity = {f"GIT_{role}_{what}": "test@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        path = os.pathsep.join([str(self.folder / "bin"), os.environ["PATH"]])
        environment = {**os.environ, **identity, "PATH": path, "PRE_COMMIT_HOME": str(self.folder / "cache"),
                       "PRE_COMMIT_COLOR": "never", "HOME": str(self.folder)}
        return subprocess.run(command, cwd=cwd or self.repository, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)

    def succeed(self, *command, cwd=None):
        result = self.run_command(*command, cwd=cwd)
        self.assertEqual(result.returncode, 0, result.stdout)
        return result.stdout

    def add(self, source, name):
        shutil.copy(MODELS / source, self.repository / name)
        self.succeed("git", "add", name)

    def commit(self):
        return self.run_command("git", "commit", "-m", "models")

    def test_a_flawed_model_blocks_the_commit_and_a_mended_one_passes(self):
        self.add("reused_nodes.scripted.pt", "model.pt")
        blocked = self.commit()
        self.assertNotEqual(blocked.returncode, 0, blocked.stdout)
        self.assertIn("reused-modules", blocked.stdout)
        self.assertIn("relu1", blocked.stdout)

        self.add("without_reused_nodes.scripted.pt", "model.pt")
        passed = self.commit()
        self.assertEqual(passed.returncode, 0, passed.stdout)
        self.assertIn("Passed", passed.stdout)

    def test_a_file_that_is_no_model_gets_one_line(self):
        for name, words in (("git_lfs_pointer", "LFS"), ("state_dict", "state_dict")):
            with self.subTest(name):
                self.add(f"bad/{name}.pt", f"{name}.pt")
                result = self.commit()
                self.assertNotEqual(result.returncode, 0, result.stdout)
                errors = [line for line in result.stdout.splitlines() if line.startswith("error")]
                self.assertEqual(len(errors), 1, result.stdout)
                self.assertIn(words, errors[0])
                self.succeed("git", "rm", "-q", "--cached", f"{name}.pt")

    def test_thirty_files_run_in_one_process(self):
        for number in range(30):
            self.add("without_reused_nodes.traced.pt", f"model_{number}.pt")
        self.assertEqual(self.commit().returncode, 0)
        self.assertEqual(self.calls.read_text().split(), ["30"])

    def test_other_files_are_left_alone(self):
        (self.repository / "component.ts").write_text("export const answer = 42;\n")
        self.succeed("git", "add", "component.ts")
        self.assertEqual(self.commit().returncode, 0)
        self.assertFalse(self.calls.exists())


if __name__ == "__main__":
    unittest.main()
