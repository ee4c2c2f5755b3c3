"""What examples/ offers to copy does what it says.

Environment: PROGRAM (the built program), MODELS (the generated models).
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

import yaml

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "tests" / "end_to_end"))
from schemas import sarif_schema, validator_of  # noqa: E402

EXAMPLES = PROJECT / "examples"
MODELS = Path(os.environ["MODELS"])
PROGRAM = Path(os.environ["PROGRAM"])

# What pip brings for itself, what cannot be missing where CMake runs, and what a build does without.
BESIDE_THE_BUILD = {"ccache", "cmake", "g++", "git", "libmimalloc-dev", "make", "ninja-build", "python3", "python3-venv"}


def shown_runs(page):
    """The commands of a page after a `$`, each with the lines that are shown beneath it."""
    blocks = re.findall(r"(?:^(?: {4}.*)?\n)+", page, re.MULTILINE)
    texts = [textwrap.dedent(block).strip() for block in blocks]
    return [(text.splitlines()[0][2:], text.splitlines()[1:]) for text in texts if text.startswith("$ ")]


def comparable(lines):
    """Without the digits of figures, which differ from one processor to another, and without space at the end of lines."""
    return [re.sub(r"\d+\.\d{4,}(e-\d+)?|\d+\.\d+e-\d+", "#", line.rstrip()) for line in lines if line.strip()]


class Examples(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def environment(self):
        return {**os.environ, "PATH": os.pathsep.join([str(PROGRAM.parent), os.environ["PATH"]])}

    def run_command(self, *command):
        return subprocess.run(command, cwd=self.folder, env=self.environment(), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)

    def test_the_makefile_compiles_a_model_only_once_it_is_clean(self):
        shutil.copy(EXAMPLES / "makefile" / "Makefile", self.folder)
        model, compiled = self.folder / "model.pt", self.folder / "model.compiled"

        shutil.copy(MODELS / "functional_linear.scripted.pt", model)
        refused = self.run_command("make", "model.compiled")
        self.assertNotEqual(refused.returncode, 0, refused.stdout)
        self.assertFalse(compiled.exists())

        shutil.copy(MODELS / "without_reused_nodes.scripted.pt", model)
        done = self.run_command("make", "model.compiled")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertTrue(compiled.exists())

    def test_the_readme_shows_what_the_program_prints(self):
        for file in (EXAMPLES / "first_steps").glob("*.py"):
            shutil.copy(file, self.folder)
        self.assertEqual(self.run_command(sys.executable, "-W", "ignore", "export.py").returncode, 0)
        shown = shown_runs((PROJECT / "README.md").read_text())
        self.assertEqual(len(shown), 4)
        for command, lines in shown:
            with self.subTest(command):
                done = subprocess.run(["bash", "-c", f"{command} 2>/dev/null"], cwd=self.folder, env=self.environment(),
                                      stdout=subprocess.PIPE, text=True, check=False)
                printed = "\n".join(comparable(done.stdout.replace(f"{self.folder}/", "").splitlines()))
                kept = re.split(r"\s*…\s*", "\n".join(comparable(lines)))  # which stands for lines that are left out
                self.assertRegex(printed, "(?s)^" + ".*".join(map(re.escape, kept)) + "$")

    def workflow(self):
        return yaml.safe_load((EXAMPLES / "github_workflow" / "lint-models.yml").read_text())

    def workflow_steps(self):
        """The commands of the workflow, and what is handed to the actions, in order."""
        return self.workflow()["jobs"]["lint"]["steps"]

    def workflow_target(self):
        return self.workflow()["env"]["TARGET"]

    def test_the_workflow_writes_the_report_that_it_uploads(self):
        steps = self.workflow_steps()
        (lint,) = [step["run"] for step in steps if "--output-format sarif" in step.get("run", "")]
        (uploaded,) = [step["with"]["sarif_file"] for step in steps if "upload-sarif" in step.get("uses", "")]
        models = self.folder / "models"
        models.mkdir()
        for source, status, results in (("without_reused_nodes.scripted.pt", 0, 0), ("functional_linear.scripted.pt", 1, 1)):
            with self.subTest(source):
                shutil.copy(MODELS / source, models / "net.pt")
                done = self.run_command("env", f"TARGET={self.workflow_target()}", "bash", "-e", "-c", lint)
                self.assertEqual(done.returncode, status, done.stdout)
                report = json.loads((self.folder / uploaded).read_text())
                self.assertEqual(list(validator_of(sarif_schema()).iter_errors(report)), [])
                self.assertEqual(len(report["runs"][0]["results"]), results)

    def test_a_build_names_all_missing_debian_packages_at_once(self):
        script = ["-P", PROJECT / "cmake" / "DebianPackages.cmake"]
        bare = self.run_command("cmake", "-DCMAKE_SYSTEM_NAME=Linux", *script)  # knows no folder of headers
        self.assertNotEqual(bare.returncode, 0, bare.stdout)
        wanted = set((PROJECT / "tools" / "setup" / "debian-packages.txt").read_text().split()) - BESIDE_THE_BUILD
        # A program is found on the PATH, which the script has.
        self.assertEqual(wanted - {"protobuf-compiler"} - set(bare.stdout.split()), set(), bare.stdout)
        complete = self.run_command("cmake", "-DCMAKE_INCLUDE_PATH=/usr/include", "-DCMAKE_PROGRAM_PATH=/usr/bin", *script)
        self.assertEqual(complete.returncode, 0, complete.stdout)

    def test_pre_commit_accepts_the_configuration_and_the_hooks(self):
        for kind, file in (("config", EXAMPLES / "pre_commit" / ".pre-commit-config.yaml"),
                           ("config", EXAMPLES / "pre_commit" / "installed.yaml"),
                           ("manifest", PROJECT / ".pre-commit-hooks.yaml")):
            result = self.run_command(sys.executable, "-m", "pre_commit", f"validate-{kind}", str(file))
            self.assertEqual(result.returncode, 0, result.stdout)


if __name__ == "__main__":
    unittest.main()
