"""The wheel for another architecture, on a machine of it that QEMU emulates.

Environment: ARCH (that architecture), WHEEL_FOLDER (holds the wheel), MODELS (the generated models); PROGRAM (the program of this
machine, whose findings are to be the same; may be missing).
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from zipfile import ZipFile

from emulated_machine import PROJECT, Machine
from system_call_filters import answer
from wheels import RUN_PATHS, elf_files, newest_wheel, too_new, torch_versions, wheels_for

ARCHITECTURE = os.environ.get("ARCH", "aarch64")
MODELS = Path(os.environ["MODELS"])
# Every kernel for arm64 can load what is laid out for the largest of its pages.
LARGEST_PAGE = 65536

NET = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
        self.relu = nn.ReLU()

    def forward(self, x):
        return self.relu(self.relu(self.conv(x)) - 0.5)
"""
EXPORT = """\
import json, sys, torch
torch.manual_seed(1)
from net import Net
net, x = Net().eval(), torch.randn(1, 3, 8, 8)
torch.jit.trace(net, x).save("net.pt")
print(json.dumps(net(x).tolist()))
"""
LIVE = """\
import torch, model_validator as mv
from net import Net
torch.manual_seed(1)
net, x = Net().eval(), torch.randn(1, 3, 8, 8)
other = Net().eval()
report = mv.check(net, x)
print(sorted({finding.rule for finding in report.findings}))
print(mv.verify([x], net, torch.jit.trace(net, x)).ok)
try:
    print(mv.verify([x], net, other).ok)
except mv.VerificationError as error:
    print(error)
"""


# Writes the filter instead of putting it in force, which the emulator does not do.
FILTER = """\
#include "files/process/sandbox.h"
#include "files/process/system_call_filter.h"
#include <seccomp.h>

extern "C" int seccomp_load(scmp_filter_ctx filter) { return seccomp_export_bpf(filter, 1); }

int main(int count, char**) {
  using namespace model_validator::process;
  const Purpose purpose = count > 1 ? Purpose::run : Purpose::read;
  return restrict_system_calls({purpose, {}, {}, false}) ? 0 : 1;
}
"""
OPEN = {"to read": 0, "to write": os.O_WRONLY, "to make": os.O_CREAT, "to cut": os.O_TRUNC, "to read and write": os.O_RDWR}
THREAD, NEW_PROCESS = 0x3D0F00, 17
PR_SVE_SET_VL, PR_SVE_GET_VL, PR_SME_GET_VL = 50, 51, 64


def sys_for(arguments):
    """What the machine is to have of /sys."""
    return {"WITH_SYS": "1"} if "openvino" in arguments else {}


def told(report):
    """What is said of models, without their source, which is not on the other machine."""
    return {model["path"]: [(finding["rule"], finding["severity"], finding["message"], finding["fingerprint"]) for finding in model["findings"]]
            for model in report["models"]}


def installed(wheel, folder):
    with ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


@unittest.skipUnless(wheels_for(ARCHITECTURE), f"no wheel for {ARCHITECTURE} was built")
class Files(unittest.TestCase):
    """What can be read of the wheel without running it."""

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.wheel = newest_wheel(ARCHITECTURE)
        cls.folder = installed(cls.wheel, Path(temporary.name))
        cls.files = elf_files(cls.folder)

    def header(self, file, *options):
        return subprocess.run(["readelf", "--wide", *options, file], capture_output=True, text=True, check=True).stdout

    def test_every_file_is_of_that_architecture(self):
        self.assertGreater(len(self.files), 10)
        for file in self.files:
            with self.subTest(file.name):
                self.assertRegex(self.header(file, "--file-header"), rf"(?i)Machine: +{ARCHITECTURE}")

    def test_they_need_the_c_library_that_its_name_promises(self):
        self.assertEqual(too_new(self.folder, self.wheel), [])

    def test_kernels_with_large_pages_can_load_them(self):
        for file in self.files:
            with self.subTest(file.name):
                segments = re.findall(r"^ +LOAD .* (0x[0-9a-f]+)$", self.header(file, "--program-headers"), re.MULTILINE)
                self.assertTrue(segments)
                self.assertEqual([alignment for alignment in segments if int(alignment, 16) % LARGEST_PAGE != 0], [])

    def test_they_look_for_libraries_in_no_current_folder(self):
        folders = [str(self.folder / name) for name in ("model_validator", "model_validator.libs")]
        subprocess.run([sys.executable, RUN_PATHS, *folders], check=True)

    def test_what_they_need_is_in_the_wheel_or_on_every_machine(self):
        beside = {file.name for file in self.files}
        given = re.compile(r"(libc|libm|libz|libdl|librt|libpthread|libstdc\+\+|libgcc_s|ld-linux-\w+)(-[\w-]+)?\.so\.\d"
                           r"|lib(torch|c10)\w*\.so.*")
        for file in self.files:
            needed = re.findall(r"\(NEEDED\).*\[(.*)\]", self.header(file, "--dynamic"))
            with self.subTest(file.name):
                self.assertEqual([name for name in needed if name not in beside and not given.match(name)], [])


class Filter(unittest.TestCase):
    """The filter of system calls, as the code makes it on that architecture."""

    @classmethod
    def setUpClass(cls):
        root, compiler = PROJECT / ".cache" / ARCHITECTURE / "root", shutil.which(f"{ARCHITECTURE}-linux-gnu-g++")
        emulator = shutil.which(f"qemu-{ARCHITECTURE}-static")
        if not (root.exists() and compiler and emulator):
            raise unittest.SkipTest(f"what `tools/setup/setup.sh {ARCHITECTURE}` installs is not there")
        with tempfile.TemporaryDirectory() as folder:
            source, program = Path(folder) / "filter.cpp", Path(folder) / "filter"
            source.write_text(FILTER)
            subprocess.run([compiler, f"--sysroot={root}", "-std=c++20", "-I", PROJECT / "src", "-I", PROJECT / "include", source,
                            PROJECT / "src/files/process/system_call_filter.cpp", "-lseccomp", "-o", program], check=True)
            emulated = [emulator, "-L", root, program]
            cls.reading = subprocess.run(emulated, capture_output=True, check=True).stdout
            cls.running = subprocess.run([*emulated, "run"], capture_output=True, check=True).stdout

    def answers(self, call, *arguments):
        return answer(self.reading, ARCHITECTURE, call, *arguments), answer(self.running, ARCHITECTURE, call, *arguments)

    def test_computing_is_free(self):
        for call in ("read", "write", "mmap", "mprotect", "munmap", "futex", "ppoll", "newfstatat", "readlinkat", "faccessat", "getrandom", "rseq",
                     "rt_sigreturn", "exit_group"):
            self.assertEqual(self.answers(call), ("allow", "allow"), call)

    def test_files_are_opened_for_reading_alone_by_a_reader(self):
        opened = {how: self.answers("openat", 0, 0, flags) for how, flags in OPEN.items()}
        self.assertEqual(opened, {"to read": ("allow", "allow"), "to write": ("trap", "allow"), "to make": ("trap", "allow"),
                                  "to cut": ("trap", "errno 1"), "to read and write": ("trap", "allow")})
        for call in ("unlinkat", "renameat2", "mkdirat", "linkat"):
            self.assertEqual(self.answers(call), ("trap", "allow"), call)

    def test_nobody_starts_a_process_or_reaches_another(self):
        self.assertEqual(self.answers("clone", THREAD), ("allow", "allow"))
        self.assertEqual(self.answers("clone", NEW_PROCESS), ("trap", "trap"))
        for call in ("execve", "execveat", "ptrace", "mount"):
            self.assertEqual(self.answers(call), ("trap", "trap"), call)
        self.assertEqual(self.answers("kill", 99_999_999), ("trap", "trap"))
        self.assertEqual([self.answers(call) for call in ("socket", "connect")], [("trap", "errno 1")] * 2)
        self.assertEqual([self.answers(call) for call in ("bpf", "io_uring_setup", "fchmodat")], [("errno 1", "errno 1")] * 3)

    def test_the_width_of_vectors_may_be_asked_for(self):
        for option, expected in ((PR_SVE_GET_VL, "allow"), (PR_SME_GET_VL, "allow"), (PR_SVE_SET_VL, "errno 1")):
            self.assertEqual(self.answers("prctl", option), (expected, expected))

    def test_calls_of_another_architecture_end_the_process(self):
        self.assertEqual(answer(self.running, "x86_64", "read"), "kill")


@unittest.skipUnless(wheels_for(ARCHITECTURE), f"no wheel for {ARCHITECTURE} was built")
class Emulated(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        shared = Path(temporary.name)
        cls.machine = Machine(ARCHITECTURE, shared)
        if missing := cls.machine.missing():
            raise unittest.SkipTest(missing)
        shutil.copytree(MODELS, shared / "models")
        cls.install(shared / "opt" / "wheels")
        cls.work = shared / "work"
        cls.work.mkdir()

    @classmethod
    def install(cls, wheels):
        """As the container does it: what it installs of Debian is in the root already."""
        text = (PROJECT / "Dockerfile").read_text()
        (command,) = re.findall(r"^RUN (python3 .*)$", text, re.MULTILINE)
        assert re.search(r"^COPY dist/\S+ /opt/wheels/$", text, re.MULTILINE)
        wheels.mkdir()
        shutil.copy(newest_wheel(ARCHITECTURE), wheels)
        cls.succeed("bash", "-c", command, PIP_NO_INDEX="1", PIP_NO_DEPENDENCIES="1", PIP_DISABLE_PIP_VERSION_CHECK="1")

    @classmethod
    def succeed(cls, *command, **variables):
        result = cls.machine.run(*command, **variables)
        if result.returncode != 0:
            raise AssertionError(f"{command}\n{result.stdout}\n{result.stderr}")
        return result.stdout

    def program(self, *arguments, packages="/srv/packages", **variables):
        return self.machine.run("/opt/venv/bin/model_validator", *arguments, PYTHONPATH=packages, **variables)

    def python(self, code):
        return self.succeed("bash", "-c", 'cd /srv/work; exec /opt/venv/bin/python -c "$1"', "python", code,
                            PYTHONPATH="/srv/work:/srv/packages")

    def program_in(self, folder, *arguments):
        return self.machine.run("bash", "-c", 'cd "$0"; exec /opt/venv/bin/model_validator "$@"', folder, *arguments,
                                PYTHONPATH="/srv/packages")

    def test_every_model_gets_the_findings_that_it_gets_here(self):
        program = os.environ.get("PROGRAM", "")
        if not Path(program).is_file():
            self.skipTest("the program of this machine was not built")
        names = sorted(path.name for path in MODELS.iterdir() if path.suffix in (".pt", ".pt2", ".onnx"))
        self.assertGreater(len(names), 15)
        options = ["--output-format", "json", "--extend-select", "weight-range,non-finite-weights"]
        here = subprocess.run([program, *options, *names], cwd=MODELS, capture_output=True, text=True, check=False)
        there = self.program_in("/srv/models", *options, *names)
        self.assertEqual(there.returncode, here.returncode, there.stderr)
        expected = json.loads(here.stdout)
        self.assertGreater(sum(len(model["findings"]) for model in expected["models"]), 20)
        self.assertEqual(told(json.loads(there.stdout)), told(expected))

    def test_each_format_is_linted(self):
        for kind in ("scripted.pt", "traced.pt", "onnx", "pt2"):
            with self.subTest(kind):
                flawed = self.program("/srv/models/functional_linear." + kind)
                clean = self.program("/srv/models/without_functional_linear." + kind)
                self.assertEqual((flawed.returncode, clean.returncode), (1, 0), flawed.stdout + flawed.stderr + clean.stdout)

    def test_without_torch_the_other_formats_are_linted(self):
        for kind, status in (("onnx", 1), ("pt2", 1), ("scripted.pt", 2)):
            with self.subTest(kind):
                result = self.program("/srv/models/functional_linear." + kind, packages="")
                self.assertEqual(result.returncode, status, result.stdout + result.stderr)

    def test_every_other_torch_says_the_same(self):
        """By its libraries alone: they need no Python."""
        names = [path.name for path in sorted(MODELS.glob("*.pt"))]
        command = ["bash", "-c", 'cd /srv/models; exec /opt/venv/bin/model_validator --output-format json "$@"', "lint", *names]
        expected = json.loads(self.machine.run(*command, PYTHONPATH="/srv/packages").stdout)["models"]
        self.assertGreater(sum(len(model["findings"]) for model in expected), 20)
        for version in torch_versions(ARCHITECTURE):
            if (self.machine.torches / version).exists():
                with self.subTest(version):
                    there = self.machine.run(*command, LD_LIBRARY_PATH=f"/srv/torches/{version}/torch/lib")
                    self.assertEqual(json.loads(there.stdout)["models"], expected, there.stderr)

    def test_models_are_verified(self):
        shape = ["--input", "1x3x64x64"]
        for arguments in (["resnet18.traced.pt", "--backend", "ts"], ["resnet18.pt2", "--backend", "eager"],
                          ["resnet18.traced.pt", "--backend", "openvino"], ["resnet18.traced.pt", "/srv/models/resnet18.onnx"]):
            with self.subTest(arguments):
                result = self.program("verify", "/srv/models/" + arguments[0], *arguments[1:], *shape, **sys_for(arguments))
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                self.assertRegex(result.stdout, r"(?m)^same: \d outputs? agree")

    def test_models_that_compute_something_else_are_told_apart(self):
        result = self.program("verify", "/srv/models/reused_nodes.traced.pt", "/srv/models/without_functional_linear.traced.pt")
        self.assertNotEqual(result.returncode, 0, result.stdout)

    def test_source_is_fixed_and_computes_the_same(self):
        (self.work / "net.py").write_text(NET)
        before = self.python(EXPORT)
        fixed = self.program_in("/srv/work", "fix", "--write", "--unproven", "net.pt")
        self.assertEqual(fixed.returncode, 1, fixed.stdout + fixed.stderr)
        self.assertIn("self.relu_2", (self.work / "net.py").read_text())
        self.assertEqual(self.python(EXPORT), before)
        self.assertEqual(self.program("/srv/work/net.pt").returncode, 0)

    def test_live_models_are_checked_and_verified(self):
        (self.work / "net.py").write_text(NET)
        rules, same, different = self.python(LIVE).splitlines()[:3]
        self.assertEqual((rules, same), ("['missing-modules', 'reused-modules']", "True"))
        self.assertRegex(different, r"^max\|d\| [\d.]+ > ")

    def test_a_hub_gets_a_row_for_every_model(self):
        result = self.program("hub", "/srv/models", "--out", "/srv/work/results", "--workers", "1")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        report = self.program("hub", "report", "/srv/work/results")
        self.assertIn("reused-modules", report.stdout, report.stderr)

    def test_it_says_that_nothing_is_confined_under_the_emulator(self):
        """QEMU passes on neither of the kernel's two means. On a real machine there are both, and no warning."""
        model = "/srv/models/without_functional_linear.traced.pt"
        self.assertIn("has neither Landlock nor seccomp", self.program(model).stderr)
        required = self.program("--sandbox", "require", model)
        self.assertEqual(required.returncode, 2, required.stdout)
        self.assertIn("confine", required.stdout + required.stderr)


if __name__ == "__main__":
    unittest.main()
