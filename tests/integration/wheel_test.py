"""Installs the wheel that the test before built into a virtual environment of its own and runs the program from there, where
the kernel lets it without the system's copies of the libraries that the wheel brings.

Environment: WHEEL_FOLDER (holds the wheel), MODELS (the generated models); MINORS (holds torch packages of other versions, each in
a folder of its minor version; may be missing).
"""

import base64
import csv
import email
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from importlib import metadata
from pathlib import Path
from zipfile import ZipFile

from packaging.requirements import Requirement
from wheels import RUN_PATHS, elf_files, newest_wheel, system_copies, too_new, torch_versions, without_system_libraries

MODELS = Path(os.environ["MODELS"])
# Packages that are not called like their libraries.
DEBIAN_NAMES = {"libz": "zlib1g", "libcrypto": "libssl"}
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]


def succeed(*command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise AssertionError(f"{command}\n{result.stdout}\n{result.stderr}")
    return result.stdout


def files_in(wheel):
    return [name for name in wheel.namelist() if not name.endswith("/")]


def beside(package):
    """The folder of an installed package."""
    return Path(importlib.util.find_spec(package).submodule_search_locations[0])


def installed_torch():
    """The folders of the installed torch: its package and its metadata."""
    return beside("torch"), Path(metadata.distribution("torch").locate_file("")) / f"torch-{metadata.version('torch')}.dist-info"


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
        return subprocess.run([*without_system_libraries(), *command, *arguments], capture_output=True, text=True, check=False,
                              env={"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), **variables})

    def test_the_extra_asks_for_the_torches_that_the_wheel_serves(self):
        with ZipFile(newest_wheel()) as wheel:
            (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
            stated = email.message_from_bytes(wheel.read(name)).get_all("Requires-Dist")
        requirements = [requirement for requirement in map(Requirement, stated) if requirement.name == "torch"]
        admitted = {f"2.{minor}" for minor in range(100) for requirement in requirements if f"2.{minor}.1" in requirement.specifier}
        self.assertEqual(admitted, set(torch_versions()))

    def test_it_carries_the_notices_of_the_libraries_in_it(self):
        with ZipFile(newest_wheel()) as wheel:
            texts = {name.split("/licenses/")[1]: wheel.read(name).decode() for name in files_in(wheel) if "/licenses/" in name}
            libraries = {re.sub(r"[-\d.]*-[0-9a-f]{8}\.so.*", "", Path(name).name) for name in files_in(wheel) if ".libs/" in name}
        self.assertGreater(len(libraries), 5)
        for library in libraries:
            with self.subTest(library):
                named = [text for name, text in texts.items() if name.startswith(DEBIAN_NAMES.get(library, library))]
                self.assertTrue(any("Copyright" in text for text in named), sorted(texts))
        self.assertIn("GNU LESSER GENERAL PUBLIC LICENSE", texts["common-licenses/LGPL-2.1.txt"])

    def test_every_file_is_recorded(self):
        with ZipFile(newest_wheel()) as wheel:
            self.assertIsNone(wheel.testzip())
            (record,) = (name for name in wheel.namelist() if name.endswith(".dist-info/RECORD"))
            recorded = {row[0]: row[1] for row in csv.reader(wheel.read(record).decode().splitlines())}
            self.assertEqual(recorded.keys(), set(files_in(wheel)))
            for name, stated in recorded.items():
                digest = base64.urlsafe_b64encode(hashlib.sha256(wheel.read(name)).digest()).rstrip(b"=").decode()
                self.assertIn(stated, ("", f"sha256={digest}"), name)

    def test_the_program_lints(self):
        flawed = self.run_program(MODELS / "reused_nodes.scripted.pt")
        self.assertEqual(flawed.returncode, 1, flawed.stderr)
        self.assertIn("reused-modules", flawed.stdout)
        clean = self.run_program(MODELS / "without_reused_nodes.scripted.pt")
        self.assertEqual(clean.returncode, 0, clean.stdout + clean.stderr)

    def test_a_runtime_may_be_installed_elsewhere(self):
        arguments = ["verify", MODELS / "reused_nodes.traced.pt", "--backend", "openvino", "--input", "1x3x32x32"]
        missing = self.run_program(*arguments)
        self.assertIn("install", missing.stderr)
        found = self.run_program(*arguments, PYTHONPATH=str(beside("openvino").parent))
        self.assertEqual(found.returncode, 0, found.stdout + found.stderr)

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
        served = re.escape(", ".join(sorted(torch_versions(), key=lambda version: int(version.split(".")[1]))))
        self.assertRegex(result.stdout + result.stderr, rf"is built for torch {served}, but torch 1\.13\.1 is installed")
        code = "import sys, model_validator as mv; mv.check(sys.argv[1], trusted=sys.argv[2] == 'trusted')"
        for reader in ("trusted", "confined"):
            with self.subTest(reader):
                result = self.run_program("-c", code, MODELS / "reused_nodes.scripted.pt", reader, command=[self.python])
                self.assertRegex(result.stderr, rf"is built for torch {served}, but torch 1\.13\.1 is installed")

    def test_torch_is_optional(self):
        self.without_torch()
        self.assertEqual(self.run_program("--version").returncode, 0)
        for kind in ("onnx", "pt2"):
            with self.subTest(kind):
                self.assertEqual(self.run_program(MODELS / f"without_reused_nodes.{kind}").returncode, 0)
                flawed = self.run_program("-q", "--select", "reused-modules", MODELS / f"reused_nodes.{kind}")
                self.assertEqual((flawed.returncode, flawed.stderr), (1 if kind == "pt2" else 0, ""))
        for arguments in (["rule", "reused-modules"], ["targets"], ["partition", "--target", "onnxruntime", MODELS / "resnet18.onnx"]):
            with self.subTest(arguments):
                result = self.run_program(*arguments)
                self.assertEqual(result.returncode, 0, result.stderr)

    def test_without_torch_a_torchscript_file_is_one_error(self):
        self.without_torch()
        result = self.run_program("--output-format", "json", MODELS / "reused_nodes.scripted.pt", MODELS / "resnet18.onnx")
        self.assertEqual(result.returncode, 2)
        script, onnx = json.loads(result.stdout)["models"]
        self.assertEqual(script["error"]["kind"], "no-libtorch")
        for version in torch_versions():
            self.assertIn(version, script["error"]["message"])
        self.assertIn("pip install", script["error"]["hint"])
        self.assertNotEqual(onnx["status"], "error")
        code = "import sys, model_validator as mv\nmv.check(sys.argv[1], trusted=sys.argv[2] == 'trusted')"
        for reader in ("trusted", "confined"):
            with self.subTest(reader):
                result = self.run_program("-c", code, MODELS / "reused_nodes.scripted.pt", reader, command=[self.python])
                self.assertIn("which is not installed", result.stderr)

    def test_a_live_model_is_checked_and_verified(self):
        code = (
            "import sys, torch, openvino, onnxruntime, model_validator as mv\n"
            "net, x = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.Softmax(1)).eval(), torch.ones(2, 4)\n"
            "float32 = {'INFERENCE_PRECISION_HINT': 'f32'}  # else bfloat16, where the processor has it\n"
            "compiled = openvino.compile_model(openvino.convert_model(net, example_input=x), 'CPU', float32)\n"
            "print(mv.check(net, x).ok, mv.verify([x], net, compiled).ok, mv.__file__.startswith(sys.prefix))\n"
        )
        packages = os.pathsep.join([str(self.site_packages), str(installed_torch()[0].parent)])
        result = self.run_program("-c", code, command=[self.python], PYTHONPATH=packages)
        self.assertEqual(result.stdout, "True True True\n", result.stderr)

    def test_the_backends_are_those_installed_beside_it(self):
        folders = [beside(package) for package in ("openvino", "onnxruntime", "numpy")]
        for folder in [*folders, folders[-1].with_name("numpy.libs")]:
            (self.site_packages / folder.name).symlink_to(folder)
            self.addCleanup((self.site_packages / folder.name).unlink)
        for backend in ("openvino", "onnxruntime"):
            with self.subTest(backend):
                pair = [MODELS / "reused_nodes.traced.pt", MODELS / "reused_nodes.onnx"]
                result = self.run_program("verify", *pair, "--backend", backend, "--input", "1x3x32x32")
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_it_brings_its_libraries(self):
        """What a library or program of it needs is in it, or is what every Linux has."""
        copies = {os.path.realpath(path) for path in system_copies()}
        self.assertTrue(any("libzip" in path for path in copies), copies)
        lines = []
        for file in [*(self.site_packages / "model_validator").rglob("*.so"), self.site_packages / "model_validator/bin/model_validator"]:
            lines += subprocess.run(
                ["ldd", str(file)],
                capture_output=True,
                text=True,
                check=False,
                env={"LD_LIBRARY_PATH": f"{beside('torch')}/lib"},
            ).stdout.splitlines()
        self.assertEqual([line for line in lines if "not found" in line], [])
        self.assertEqual([line for line in lines if "=> /" in line and os.path.realpath(line.split()[2]) in copies], [])

    def test_nothing_of_it_is_left_once_it_is_uninstalled(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = Path(folder) / "environment"
            succeed(sys.executable, "-m", "venv", "--without-pip", str(environment))
            before = set(environment.rglob("*"))
            pip = [*PIP, "--python", str(environment / "bin" / "python")]
            succeed(*pip, "install", "--no-deps", "--no-index", str(newest_wheel()))
            succeed(str(environment / "bin" / "model_validator"), str(MODELS / "without_reused_nodes.onnx"))
            succeed(*pip, "uninstall", "--yes", "model_validator")
            self.assertEqual(set(environment.rglob("*")) - before, set())

    def test_it_runs_with_the_c_library_that_its_name_promises(self):
        self.assertGreater(len(elf_files(self.site_packages)), 5)
        self.assertEqual(too_new(self.site_packages, newest_wheel()), [])

    def test_it_looks_for_libraries_in_no_current_folder(self):
        folders = [self.site_packages / name for name in ("model_validator", "model_validator.libs")]
        succeed(sys.executable, str(RUN_PATHS), *map(str, folders))

    def test_every_other_torch_says_the_same(self):
        """By its libraries alone: they need no Python."""
        self.without_torch()
        models = sorted(MODELS.glob("*.pt"))
        expected = self.findings(models, installed_torch()[0])
        self.assertGreater(sum(len(model["findings"]) for model in expected["models"]), 20)
        for version in torch_versions():
            package = Path(os.environ.get("MINORS", "")) / version / "torch"
            if package.exists():
                with self.subTest(version):
                    self.assertEqual(self.findings(models, package), expected)

    def findings(self, models, package):
        result = self.run_program("--output-format", "json", *models, LD_LIBRARY_PATH=str(package / "lib"))
        return json.loads(result.stdout)


if __name__ == "__main__":
    unittest.main()
