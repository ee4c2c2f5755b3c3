"""`model_validator fix --rebuild`: edits that are proved by the user's own export, and taken back where they do not hold."""

from __future__ import annotations

import importlib.util
import itertools
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import types
import typing
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))

import forked
import preloaded

PROGRAM = sys.argv.pop()
WITNESS = pathlib.Path(__file__).parents[2] / "src" / "cli" / "fix" / "export_witness.py"
PYTHON = f"{sys.executable} -W ignore"
signal.signal(signal.SIGINT, signal.default_int_handler)  # which is ignored in the background of a shell


def setUpModule() -> None:
    """What a test proves is kept in no file of the user's own."""
    state = tempfile.mkdtemp()
    os.environ["XDG_STATE_HOME"] = state
    unittest.addModuleCleanup(shutil.rmtree, state)


SOURCE = '''import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(4, 4, 3, padding=1)
        self.norm = nn.BatchNorm2d(4)
        self.act = nn.ReLU(inplace=True)
        self.drop = nn.Dropout(0.3)

    def forward(self, x):
        out = self.act(self.norm(self.conv(x)))
        return self.act(self.drop(out) + x)


class Counting(nn.Module):
    """Computes with the number of what it holds: no module can be added to it."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(4, 4, 1)
        self.norm = nn.BatchNorm2d(4)

    def forward(self, x):
        return self.norm(self.conv(x)) * float(len(list(self.modules())))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(Block(), Block())
        self.counting = Counting()
        self.first = nn.Linear(4, 3)
        self.second = nn.Linear(4, 3)
        self.second.weight = self.first.weight

    def forward(self, x):
        pooled = self.counting(self.blocks(x)).mean((2, 3))
        return torch.cat([self.first(pooled), self.second(pooled)], 1)
'''

#: Where one edit is all there is, few exports tell what becomes of it.
SMALL = '''import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, bias=True):
        super().__init__()
        self.norm = nn.BatchNorm2d(4)
        self.first = nn.Linear(5, 3, bias)
        self.second = nn.Linear(5, 3)
        self.second.weight = self.first.weight

    def forward(self, x):
        x = self.norm(x)
        return torch.cat([self.first(x), self.second(x)], 1)
'''

#: Functions that a network calls, or keeps.
PARTS = '''import torch
import torch.nn.functional as F


def halve(x):
    return x * 0.5


def mix(x, y):
    return halve(x) + halve(y)


def activation(name):
    if name == "relu":
        return F.relu
    return halve
'''

#: Export as many users do. With a second word something goes wrong once the source is edited.
EXPORT = '''import copy, pathlib, sys, time, torch
torch.manual_seed(1)
import net
edited = "Concat" in pathlib.Path("net.py").read_text()
output, trouble = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
if trouble == "random":
    torch.seed()
model = net.Net().eval()
if edited and trouble == "fails":
    raise ValueError("this export knows no Concat")
if edited and trouble == "unties":
    model.second = copy.deepcopy(model.second)
if edited and trouble == "renames":
    model.third = model.second
    del model.second
    model.second = torch.nn.Linear(5, 3)
    model.second.weight = model.first.weight
if edited and trouble == "disturbs":
    with torch.no_grad():
        model.norm.num_batches_tracked += 1
if edited and trouble in ("moves", "copies", "defaults"):
    import runpy
    runpy.run_path(trouble + ".txt", {"model": model, "net": net, "torch": torch})  # no Python that the program reads
if edited and trouble == "hooks":
    model.register_forward_hook(lambda module, inputs, outputs: outputs)
if edited and trouble == "freezes":
    model.first.bias.requires_grad_(False)
if edited and trouble == "draws":
    torch.rand(1)
if edited and trouble == "writes":
    pathlib.Path("net.py").write_text("# mine\\n" + pathlib.Path("net.py").read_text())
if edited and trouble == "hangs":
    pathlib.Path("begun").touch()
    time.sleep(600)
if trouble.startswith("witness"):
    import atexit, os
    atexit._clear()
    place = os.environ["MODEL_VALIDATOR_WITNESS"]
    os.mkfifo(place) if trouble == "witness-pipe" else pathlib.Path(place).write_text(pathlib.Path("witness").read_text())
source = torch.Generator()
if trouble == "example":
    source.seed()
torch.jit.trace(model, torch.randn(2, 4, 5, 5, generator=source)).save(output)
'''

#: What is no witness's, though it looks like it.
FALSE_WITNESSES = ('{"children":[],"state":[],"configurations":{},"scripted":7}',
                   '{"children":[[1]],"state":[],"configurations":{},"scripted":true}',
                   '{"children":[],"state":[],"configurations":[],"scripted":true}',
                   '{"children":[],"state":' + "[" * 100000)


class RebuildTest(unittest.TestCase):
    server: forked.Server

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = forked.Server()
        cls.addClassCleanup(cls.server.close)

    def setUp(self) -> None:
        self.python = self.server.command
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "export.py").write_text(EXPORT)
        (self.folder / "moves.txt").write_text('held = vars(model)["_modules"]\nheld["norm"] = held.pop("norm")\n')
        (self.folder / "copies.txt").write_text("net.Net.__deepcopy__ = lambda self, memo: net.Net().eval()\n")
        (self.folder / "defaults.txt").write_text(
            "made = net.Net.__init__\n\n\ndef make(self, bias=True):\n    made(self, bias)\n    if not bias:\n"
            "        self.norm = torch.nn.Identity()\n\n\nnet.Net.__init__ = make\n")

    def export(self, source: str) -> None:
        (self.folder / "net.py").write_text(source)
        forked.run(self.folder / "export.py", "model.pt").check_returncode()

    def command(self, trouble: str = "", *further: str) -> list[str]:
        line = f"{self.python} export.py {{output}} {trouble}"
        return [PROGRAM, "fix", "model.pt", "--isolated", "--write", "--rebuild", line, "--input", "2x4x5x5",
                "--select", "GRA001,GRA002", *further]

    def rebuild(self, trouble: str = "", *further: str) -> subprocess.CompletedProcess[str]:
        return preloaded.run(self.command(trouble, *further), self.folder)

    def report(self, trouble: str = "") -> dict[str, typing.Any]:
        return typing.cast("dict[str, typing.Any]",
                           json.loads(self.rebuild(trouble, "--output-format", "json").stdout))

    def sources(self) -> dict[str, str]:
        return {path.name: path.read_text() for path in self.folder.glob("*.py") if path.name != "export.py"}

    def test_what_is_proved_is_kept(self) -> None:
        self.python = PYTHON
        self.export(SOURCE.replace(" * float(len(list(self.modules())))", ""))
        done = self.rebuild()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("reused-modules                 2       2       0", done.stdout)
        self.assertIn("every bit is the same, 3 samples", done.stdout)
        self.assertIn("every bit is the same, with a fixed random seed", done.stdout)
        for proved in ("the same classes in the same order", "with `strict=True`", "compiles the network as before",
                       "gradients, random state and state are the same", "a pickle there and back", "under `autocast`"):
            self.assertIn(proved, done.stdout)
        self.assertIn("self.act_2 = nn.ReLU(inplace=True)", self.sources()["net.py"])
        self.assertNotIn("None", done.stderr)
        again = done.stdout.strip().splitlines()[-1]
        subprocess.run(["sh", "-c", again], cwd=self.folder, check=True, capture_output=True)
        checked = [PROGRAM, "check", "model.pt", "--isolated", "--select", "GRA001"]
        self.assertEqual(preloaded.run(checked, self.folder).returncode, 0)

    def test_an_example_at_random_is_the_same_for_all_exports(self) -> None:
        self.export(SMALL)
        done = self.rebuild("example")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("gradients, random state and state are the same", done.stdout)
        self.assertIn("Concat", self.sources()["net.py"])

    def test_it_is_said_how_many_samples_were_compared(self) -> None:
        self.export(SOURCE.replace(" * float(len(list(self.modules())))", ""))
        done = self.rebuild("", "--sizes", "x.0=1,2")
        self.assertIn("every bit is the same, 6 samples", done.stdout, done.stderr)

    def test_an_edit_that_does_not_hold_is_taken_back_alone(self) -> None:
        self.export(SOURCE)
        done = self.rebuild()
        self.assertEqual(done.returncode, 1, done.stderr)
        taken_back = done.stdout.split("taken back")[1].split("proved by")[0]
        self.assertIn("net.py:27: ", taken_back)
        self.assertIn("the outputs differ: ", taken_back)
        text = self.sources()["net.py"]
        self.assertIn("return self.norm(self.conv(x)) * float(len(list(self.modules())))", text)
        self.assertIn("self.act_2(", text)
        self.assertIn("self.cat(", text)

    def test_what_an_edit_does_to_the_model_is_reported(self) -> None:
        self.export(SMALL)
        for trouble, reason in (("fails", "ValueError: this export knows no Concat"),
                                ("unties", "`first.weight` (and 1 more) no longer shares"),
                                ("renames", "is saved, and was not before"),
                                ("disturbs", "`norm.num_batches_tracked` has different bytes"),
                                ("moves", "`first` has another class or place"),
                                ("hooks", "a deep copy, or a pickle"),
                                ("freezes", "a step of training differs"),
                                ("draws", "making it draws other random numbers"),
                                ("copies", "a step of training differs"),
                                ("defaults", "with `bias=False`")):
            with self.subTest(trouble):
                report = self.report(trouble)
                self.assertEqual(len(report["taken_back"]), 1, report)
                self.assertIn("Concat", report["taken_back"][0]["edit"])
                self.assertIn(reason, report["taken_back"][0]["reason"])
                self.assertEqual(self.sources(), {"net.py": SMALL})

    def test_a_tensor_that_would_change_its_dtype_with_the_network_stays(self) -> None:
        self.export(SMALL.replace("x = self.norm(x)", "x = self.norm(x) * torch.ones(5)"))
        taken_back = self.report()["taken_back"]
        self.assertEqual(["bfloat16" in each["reason"] for each in taken_back], [True], taken_back)
        self.assertIn("self.mul(self.norm(x), torch.ones(5))", self.sources()["net.py"])

    def test_a_finding_that_an_edit_moves_into_a_new_module_is_no_new_one(self) -> None:
        masked = "x = torch.where(x > 0, self.norm(x), -9e15 * torch.ones_like(x)).softmax(-1)"
        self.export(SMALL.replace("x = self.norm(x)", masked))
        line = [part.replace("GRA001", "QNT007") for part in self.command("", "--output-format", "json")]
        report = json.loads(preloaded.run(line, self.folder).stdout)
        self.assertEqual(report["taken_back"], [])
        self.assertIn("self.mul(-9e15, torch.ones_like(x))", self.sources()["net.py"])

    def test_what_functions_run_gets_modules(self) -> None:
        (self.folder / "parts.py").write_text(PARTS)
        source = SMALL.replace("x = self.norm(x)", "x = mix(self.norm(x), self.act(x))")
        source = source.replace("        self.norm =", "        self.act = activation('relu')\n        self.norm =")
        self.export(source.replace("from torch import nn\n", "from torch import nn\n\nfrom parts import activation, mix\n"))
        report = self.report()
        self.assertEqual((report["taken_back"], report["left"]), ([], []))
        self.assertIn("x = self.mix(self.norm(x), self.act(x))", self.sources()["net.py"])
        for line in ("return halve(x) + halve(y)", "return self.add(self.halve(x), self.halve_2(y))", "return torch.nn.ReLU()"):
            self.assertIn(line, self.sources()["parts.py"])

    def test_an_export_that_shows_no_network_proves_less(self) -> None:
        self.export(SMALL)
        line = f"env -u MODEL_VALIDATOR_WITNESS {self.python} export.py {{output}}"
        command = self.command()
        command[command.index("--rebuild") + 1] = line
        done = preloaded.run(command, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("not proved  the order of children, checkpoints, gradients, copies, `torch.jit.script`", done.stdout)

    def test_facts_that_no_witness_wrote_prove_nothing(self) -> None:
        self.export(SMALL)
        for facts in (*FALSE_WITNESSES, None):
            with self.subTest(facts[:60] if facts else "a pipe"):
                (self.folder / "witness").write_text(facts or "")
                (self.folder / "net.py").write_text(SMALL)
                done = self.rebuild("witness" if facts else "witness-pipe", "--timeout", "60")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("not proved  the order of children, checkpoints, gradients, copies, `torch.jit.script`",
                              done.stdout)

    def test_code_that_looks_at_all_modules_is_listed_and_run_by_tests(self) -> None:
        (self.folder / "look.py").write_text("def last(net):\n    return type(list(net.children())[-1]).__name__\n")
        (self.folder / "check.py").write_text("import look, net\nassert look.last(net.Net()) == 'Linear'\n")
        for tests in ("", "check.py"):
            with self.subTest(tests):
                self.export(SMALL)
                done = self.rebuild("", *(["--prove-with", f"{self.python} {tests}"] if tests else []))
                self.assertEqual(done.returncode, 1 if tests else 0, done.stderr)
                self.assertIn("look.py:2: return type(list(net.children())[-1]).__name__", done.stderr)
                self.assertLess(done.stderr.index("look.py:2"), done.stderr.index("export 1"))
                self.assertEqual("Concat" in self.sources()["net.py"], not tests)
                if tests:
                    self.assertIn("the command of `--prove-with` ended with exit status 1: AssertionError", done.stdout)

    def test_an_edit_of_what_other_code_names_waits(self) -> None:
        (self.folder / "patch.py").write_text("import net\n\n\ndef patch(cat):\n    net.torch.cat = cat\n")
        for further, made in (([], False), (["--write-mentioned"], True)):
            with self.subTest(further):
                self.export(SMALL)
                done = self.rebuild("", *further)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual("patch.py:5: net.torch.cat = cat" in done.stdout, not made)
                self.assertEqual("Concat" in self.sources()["net.py"], made)

    def test_the_commands_are_asked_for_once(self) -> None:
        state = self.folder / "state"
        kept = {**os.environ, "XDG_STATE_HOME": str(state)}
        known = state / "model_validator" / "exports.json"
        plain = [PROGRAM, "fix", "model.pt", "--isolated", "--write", "--input", "2x4x5x5", "--select", "GRA001,GRA002"]
        self.export(SMALL)
        done = subprocess.run(plain, cwd=self.folder, env=kept, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("--rebuild 'python export.py {output}'", done.stderr)
        for command in (self.command("", "--prove-with", "true"), plain):
            (self.folder / "net.py").write_text(SMALL)
            done = subprocess.run(command, cwd=self.folder, env=kept, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("Concat", self.sources()["net.py"])
        (commands,) = json.loads(known.read_text()).values()
        self.assertEqual(commands["model.pt"]["prove_with"], "true")
        known.chmod(0o666)  # others may have written it
        done = subprocess.run(plain, cwd=self.folder, env=kept, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)

    def test_constant_outputs_are_proved(self) -> None:
        constant = SMALL.replace("return torch.cat", "return 0 * torch.cat")
        self.export(constant)
        done = self.rebuild()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("every bit is the same, 3 samples", done.stdout, done.stderr)
        self.assertIn("Concat", self.sources()["net.py"])

    @unittest.skipUnless(importlib.util.find_spec("onnxscript"), "torch's exporter needs onnxscript")
    def test_onnx_files_are_proved(self) -> None:
        """A runtime that fuses what it runs on one side alone would round otherwise."""
        fused = SMALL.replace("x = self.norm(x)", "x = self.norm(torch.tanh(x @ x.transpose(2, 3)))")
        for source in (SMALL, fused, SMALL.replace("return torch.cat", "return 0 * torch.cat")):
            with self.subTest(source):
                trace = "torch.jit.trace(model, torch.randn(2, 4, 5, 5, generator=source)).save(output)"
                export = "torch.onnx.export(model, (torch.randn(2, 4, 5, 5, generator=source),), output, dynamo=True)"
                (self.folder / "export.py").write_text(EXPORT.replace(trace, export))
                (self.folder / "net.py").write_text(source)
                subprocess.run([sys.executable, "-W", "ignore", "export.py", "model.onnx"], cwd=self.folder, check=True,
                               capture_output=True)
                command = [each.replace("model.pt", "model.onnx") for each in self.command()]
                done = preloaded.run(command, self.folder)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertIn("every bit is the same, 3 samples", done.stdout, done.stderr)
                self.assertIn("not compared: an ONNX file has one mode", done.stdout)

    def test_no_proof_no_write(self) -> None:
        self.export(SMALL)
        done = preloaded.run([PROGRAM, "fix", "model.pt", "--isolated", "--write", "--unproven"], self.folder)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("not proved: nothing was exported, run or compared", done.stderr)
        self.assertIn("Concat", self.sources()["net.py"])

    def test_a_command_that_fails_without_an_edit_proves_nothing(self) -> None:
        self.export(SMALL)
        done = self.rebuild("", "--prove-with", "false")
        self.assertEqual(done.returncode, 2)
        self.assertIn("even without an edit, the command of `--prove-with`", done.stderr)

    def test_a_command_that_does_not_heed_the_path_is_told_so(self) -> None:
        self.export(SMALL)
        (self.folder / "deaf.py").write_text((self.folder / "export.py").read_text().replace("sys.argv[1]", "'model.pt'"))
        for line in (f"{PYTHON} deaf.py {{output}}", "true {output}"):
            done = preloaded.run([PROGRAM, "fix", "model.pt", "--isolated", "--write", "--input", "2x4x5x5", "--select", "GRA001,GRA002",
                                  "--rebuild", line], self.folder)
            with self.subTest(line):
                self.assertEqual(done.returncode, 2)
                self.assertIn("even without an edit, the export ended well, but wrote no file to the path", done.stderr)
                self.assertIn("run the command by hand first", done.stderr)

    def test_an_export_that_is_not_repeatable_proves_nothing(self) -> None:
        self.export(SMALL)
        before = self.sources()
        done = self.rebuild("random")
        self.assertEqual(done.returncode, 2)
        self.assertIn("even without an edit, the export does not produce this model", done.stderr)
        self.assertEqual(self.sources(), before)

    def test_a_file_that_changes_meanwhile_is_left_alone(self) -> None:
        self.export(SMALL)
        done = self.rebuild("writes")
        self.assertEqual(done.returncode, 2)
        self.assertIn("has changed meanwhile", done.stderr)
        self.assertTrue(self.sources()["net.py"].startswith("# mine\n"))

    def test_an_interrupt_puts_the_files_back(self) -> None:
        self.export(SMALL)
        before = self.sources()
        for sent in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(sent.name), subprocess.Popen(self.command("hangs"), cwd=self.folder,
                                                           stderr=subprocess.DEVNULL) as running:
                self.wait_for("begun")
                self.assertNotEqual(self.sources(), before)
                running.send_signal(sent)
                self.assertEqual(running.wait(30), 128 + sent)
                self.assertEqual(self.sources(), before)

    def test_two_runs_at_once_do_not_take_each_other_s_edits_for_source(self) -> None:
        self.export(SMALL)
        before = self.sources()
        with subprocess.Popen(self.command("hangs"), cwd=self.folder, stderr=subprocess.DEVNULL) as running:
            self.wait_for("begun")
            second = self.rebuild()
            self.assertEqual(second.returncode, 2)
            self.assertIn("another run keeps the folder locked", second.stderr)
            running.terminate()
        self.assertEqual(self.sources(), before)

    def wait_for(self, name: str) -> None:
        for _ in range(600):
            if (self.folder / name).exists():
                (self.folder / name).unlink()
                return
            time.sleep(0.1)
        self.fail(f"{name} has not come")

    def test_a_slower_export_tries_the_configurations_of_the_first(self) -> None:
        class Network:
            def __init__(self, width: int = 2, depth: int = 3, deep: bool = False) -> None:
                pass

        def tried(folder: pathlib.Path, seconds_each: int) -> list[str]:
            spec = importlib.util.spec_from_file_location("witness", shutil.copy(WITNESS, folder))
            assert spec and spec.loader
            witness = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(witness)
            vars(witness).update(configured=lambda *_: [], time=types.SimpleNamespace(
                monotonic=itertools.count(0, seconds_each).__next__))
            return list(witness.configurations(Network(), ()))

        first = tried(self.folder, 0)
        self.assertEqual(first, ["defaults", "width=3", "depth=4", "deep=True"])
        self.assertEqual(tried(self.folder, 1000), first)
        other = self.folder / "other"
        other.mkdir()
        self.assertEqual(tried(other, 1000), [])

    def test_an_export_that_hangs_is_ended(self) -> None:
        self.export(SMALL)
        before = self.sources()
        done = self.rebuild("hangs", "--timeout", "20")
        self.assertIn("did not end within 20", done.stderr)
        self.assertEqual(self.sources(), before)

    def test_what_makes_no_sense_is_refused(self) -> None:
        self.export(SMALL)
        before = self.sources()
        plain = [PROGRAM, "fix", "model.pt", "--isolated"]
        for arguments, reason in ((["--rebuild", "make {output}"], "--write"),
                                  (["--write", "--rebuild", "make"], "does not contain {output}"),
                                  (["--write", "--rebuild", "make {output}"], "input"),
                                  (["export.py", "--write", "--rebuild", "make {output}"], "one model")):
            done = subprocess.run([*plain, *arguments], cwd=self.folder, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(reason, done.stderr)
        self.assertEqual(self.sources(), before)


if __name__ == "__main__":
    unittest.main()
