"""What a team sees of a hook, run by the real pre-commit in a git repository made for the purpose.

Environment: MODELS (the generated models).
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
MODELS = Path(os.environ["MODELS"])

CONFIGURATION = """\
repos:
  - repo: {repository}
    rev: {revision}
    hooks:
      - id: {hook}
        verbose: true
"""


class HookRuns:
    """Tests that hold for either hook. A test case of one names it in `hook` and gives the hooks' repository its files."""

    hook = None

    @classmethod
    def setUpClass(cls):
        """The environment that pre-commit makes for a hook once."""
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.shared = Path(temporary.name)
        cls.configuration = cls.configure()

    @classmethod
    def configure(cls):
        """The configuration of the team: a hook of a repository of hooks."""
        hooks = cls.new_repository(cls.shared / "hooks")
        shutil.copy(PROJECT / ".pre-commit-hooks.yaml", hooks)
        cls.add_to_hooks(hooks)
        cls.succeed("git", "add", ".", cwd=hooks)
        cls.succeed("git", "commit", "-q", "-m", "hooks", cwd=hooks)
        revision = cls.succeed("git", "rev-parse", "HEAD", cwd=hooks).strip()
        return CONFIGURATION.format(repository=hooks, revision=revision, hook=cls.hook)

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.repository = self.new_repository(Path(temporary.name) / "team")
        (self.repository / ".pre-commit-config.yaml").write_text(self.configuration)
        self.succeed(sys.executable, "-m", "pre_commit", "install", cwd=self.repository)

    @classmethod
    def add_to_hooks(cls, folder):
        """What the repository of the hooks holds beside their list."""

    @classmethod
    def variables(cls):
        """Environment variables beside the usual ones."""
        return {}

    @classmethod
    def new_repository(cls, folder):
        folder.mkdir()
        cls.succeed("git", "init", "-q", cwd=folder)
        return folder

    @classmethod
    def run_command(cls, *command, cwd):
        identity = {f"GIT_{role}_{what}": "test@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        environment = {**os.environ, **identity, "PRE_COMMIT_HOME": str(cls.shared / "cache"), "PRE_COMMIT_COLOR": "never",
                       "HOME": str(cls.shared), **cls.variables()}
        return subprocess.run(command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)

    @classmethod
    def succeed(cls, *command, cwd):
        result = cls.run_command(*command, cwd=cwd)
        if result.returncode != 0:
            raise AssertionError(f"{command}\n{result.stdout}")
        return result.stdout

    def add(self, source, name):
        shutil.copy(MODELS / source, self.repository / name)
        self.succeed("git", "add", name, cwd=self.repository)

    def commit(self):
        return self.run_command("git", "commit", "-m", "models", cwd=self.repository)

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

    def test_a_model_that_was_not_fetched_gets_one_line(self):
        self.add("bad/git_lfs_pointer.pt", "pointer.pt")
        result = self.commit()
        self.assertNotEqual(result.returncode, 0, result.stdout)
        errors = [line for line in result.stdout.splitlines() if line.startswith("error")]
        self.assertEqual(len(errors), 1, result.stdout)
        self.assertIn("LFS", errors[0])

    def test_a_checkpoint_is_passed_over(self):
        self.add("bad/state_dict.pt", "state_dict.pt")
        result = self.commit()
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_thirty_files_run_in_one_process(self):
        for number in range(30):
            self.add("without_reused_nodes.traced.pt", f"model_{number}.pt")
        result = self.commit()
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("30 models", result.stdout)

    def test_other_files_are_left_alone(self):
        (self.repository / "component.ts").write_text("export const answer = 42;\n")
        self.succeed("git", "add", "component.ts", cwd=self.repository)
        result = self.commit()
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("Skipped", result.stdout)
