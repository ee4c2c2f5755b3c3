"""Installs the wheel that the test before built into a virtual environment of its own and runs the program from there.

Environment: WHEEL_FOLDER (holds the wheel), MODELS (the generated models).
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from importlib import metadata
from pathlib import Path

from wheels import newest_wheel

MODELS = Path(os.environ["MODELS"])
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]


def succeed(*command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise AssertionError(f"{command}\n{result.stdout}\n{result.stderr}")
    return result.stdout


def installed_torch():
    """The folders of the installed torch: its package and its metadata."""
    package = Path(importlib.util.find_spec("torch").submodule_search_locations[0])
    return package, Path(metadata.distribution("torch").locate_file("")) / f"torch-{metadata.version('torch')}.dist-info"


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.environment = Path(temporary.name) / "environment"
        succeed(sys.executable, "-m", "venv", "--without-pip", str(cls.environment))
        cls.python = cls.environment / "bin" / "python"
        succeed(*PIP, "--python", str(cls.python), "install", "--no-deps", "--no-index", str(newest_wheel()))
        cls.site_packages = Path(succeed(str(cls.python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())

    def setUp(self):
        """torch beside the package, as pip would have put it there."""
        package, information = installed_torch()
        self.torch = self.site_packages / "torch"
        self.torch_information = self.site_packages / information.name
        self.torch.symlink_to(package)
        shutil.copytree(information, self.torch_information)
        self.addCleanup(shutil.rmtree, self.torch_information, ignore_errors=True)
        self.addCleanup(self.torch.unlink)

    def run_program(self, *arguments, command=None, **variables):
        command = command or [self.environment / "bin" / "model_validator"]
        return subprocess.run([*command, *arguments], capture_output=True, text=True, check=False,
                              env={"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), **variables})

    def test_the_program_lints(self):
        flawed = self.run_program(MODELS / "reused_nodes.scripted.pt")
        self.assertEqual(flawed.returncode, 1, flawed.stderr)
        self.assertIn("reused-modules", flawed.stdout)
        clean = self.run_program(MODELS / "without_reused_nodes.scripted.pt")
        self.assertEqual(clean.returncode, 0, clean.stdout + clean.stderr)

    def test_python_runs_it_as_a_module(self):
        result = self.run_program("--version", command=[self.python, "-m", "model_validator"])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("model_validator", result.stdout)

    def test_torch_may_be_installed_elsewhere(self):
        elsewhere = installed_torch()[0].parent
        self.torch.unlink()
        shutil.rmtree(self.torch_information)
        result = self.run_program(MODELS / "reused_nodes.scripted.pt", PYTHONPATH=str(elsewhere))
        self.torch.symlink_to(elsewhere / "torch")
        self.assertEqual(result.returncode, 1, result.stderr)

    def test_the_library_is_there(self):
        code = (
            "import sys, model_validator as mv\n"
            "print(*(mv.check(file).ok for file in sys.argv[1:]), mv.check(sys.argv[1], trusted=True).ok, 'torch' in sys.modules)\n"
        )
        result = self.run_program("-c", code, MODELS / "reused_nodes.scripted.pt", MODELS / "without_reused_nodes.scripted.pt",
                                  MODELS / "resnet18.onnx", command=[self.python])
        self.assertEqual(result.stdout, "False True True False False\n", result.stderr)

    def without_torch(self):
        self.torch.unlink()
        self.addCleanup(self.torch.symlink_to, installed_torch()[0])

    def test_another_torch_is_named(self):
        self.torch.unlink()
        self.torch.mkdir()
        self.addCleanup(self.torch.symlink_to, installed_torch()[0])
        self.addCleanup(shutil.rmtree, self.torch)
        (self.torch / "lib").symlink_to(installed_torch()[0] / "lib")
        (self.torch / "__init__.py").touch()
        (self.torch / "version.py").write_text("__version__ = '1.13.1'\n", encoding="utf-8")
        result = self.run_program(MODELS / "reused_nodes.scripted.pt")
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stdout + result.stderr, r"it was built for torch \d+\.\d+, and torch 1\.13\.1 is installed")

    def test_torch_is_optional(self):
        self.without_torch()
        self.assertEqual(self.run_program("--version").returncode, 0)
        self.assertEqual(self.run_program(MODELS / "resnet18.onnx").returncode, 0)
        result = self.run_program(MODELS / "reused_nodes.scripted.pt")
        self.assertEqual(result.returncode, 2)
        self.assertIn("install torch", result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main()
