"""Whose code a finding is about, and where that code is: installed packages, checkouts that moved, presets, and what `fix` leaves."""

import json
import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import forked
import preloaded

PROGRAM = os.environ["PROGRAM"]

SOURCE = """\
import sys
import torch
from torch import nn
from torch.nn import functional as F


class Norm(nn.BatchNorm2d):
    def forward(self, x):
        return F.batch_norm(x, self.running_mean, self.running_var, self.weight, self.bias, self.training, 0.1, self.eps)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = Norm(3)

    def forward(self, x):
        eps = 1e-6
        y = self.norm(x)
        return y + eps  # mv: ignore[missing-modules] agreed


if __name__ == "__main__":
    net, x = Net(), torch.ones(2, 3, 4, 4)
    net.train("train" in sys.argv)
    torch.jit.trace(net, x, check_trace=False).save("traced.pt")
    torch.jit.script(net).save("scripted.pt")
    if "train" in sys.argv:
        torch.export.save(torch.export.export(net, (x,)), "exported.pt2")
    relu = nn.ReLU()
    torch.jit.trace(nn.Sequential(nn.Linear(4, 4), relu, nn.Linear(4, 4), relu), torch.ones(1, 4)).save("sequential.pt")
"""


class WhoseCode(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, self.folder)
        self.old = self.folder / "exporter" / "project"
        self.old.mkdir(parents=True)

    def export(self, where, *arguments, source=SOURCE):
        where.mkdir(parents=True, exist_ok=True)
        (where / "net.py").write_text(source)
        forked.run(where / "net.py", *arguments).check_returncode()

    def run_in(self, folder, *arguments):
        return preloaded.run([PROGRAM, *map(str, arguments)], cwd=folder)

    def findings(self, folder, *arguments):
        done = self.run_in(folder, "check", "--isolated", "--output-format", "json", *arguments)
        return [finding for model in json.loads(done.stdout)["models"] for finding in model["findings"]]

    def moved(self):
        """A checkout that is elsewhere than the model says."""
        self.export(self.old)
        new = self.folder / "ci" / "checkout"
        new.parent.mkdir()
        self.old.rename(new)
        return new

    def test_suppressions_survive_a_move(self):
        new = self.moved()
        rule = ("--select", "missing-modules", "traced.pt")
        found = [each for each in self.findings(new, *rule) if each["op"]["type"] == "add"]
        self.assertEqual([each["suppressed"]["by"] for each in found], ["inline"])
        self.assertEqual(found[0]["locations"][0]["file"], "net.py")
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        given = ("--source-root", f"{self.old}={new}", "--select", "missing-modules", new / "traced.pt")
        found = [each for each in self.findings(elsewhere, *given) if each["op"]["type"] == "add"]
        self.assertEqual([each["suppressed"]["by"] for each in found], ["inline"])
        self.assertFalse(self.findings(elsewhere, *given[2:])[0]["suppressed"])

    def test_machine_formats_name_no_path_of_the_exporter(self):
        new = self.moved()
        (new / "net.py").unlink()
        for form in ("sarif", "github"):
            text = self.run_in(new, "check", "--isolated", "--output-format", form, "traced.pt").stdout
            self.assertNotIn(str(self.old), text)
            self.assertIn("is not on this machine", text)

    def test_paths_are_those_of_the_repository(self):
        self.export(self.old)
        (self.old.parent / ".git").mkdir()
        results = json.loads(self.run_in(self.old, "check", "--isolated", "--output-format", "sarif", "traced.pt").stdout)
        places = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in results["runs"][0]["results"]}
        self.assertEqual(places, {"project/net.py"})

    def test_an_installed_package_is_told_once(self):
        where = self.folder / "venv" / "lib" / "python3.11" / "site-packages" / "zoo"
        self.export(where)
        text = self.run_in(self.folder, "check", "--isolated", where / "traced.pt", where / "scripted.pt").stdout
        self.assertEqual(text.count("in the installed package `zoo`"), 1)
        self.assertNotIn("net.py", text)
        self.assertIn("net.py", self.run_in(self.folder, "check", "--isolated", "-v", where / "traced.pt").stdout)
        self.assertEqual({each["package"] for each in self.findings(self.folder, where / "traced.pt")}, {"zoo"})

    def test_deploy_leaves_out_what_only_quantisers_ask_for(self):
        self.export(self.old)
        plain = self.run_in(self.old, "check", "--isolated", "traced.pt")
        self.assertEqual(plain.returncode, 1)
        self.assertIn("`--preset deploy` leaves out", plain.stdout.splitlines()[-1])
        deploy = self.run_in(self.old, "check", "--isolated", "--preset", "deploy", "traced.pt")
        self.assertEqual(deploy.returncode, 0, deploy.stdout)
        self.assertIn("preset deploy", deploy.stdout.splitlines()[-1])
        (self.old / "model_validator.toml").write_text('preset = "deploy"\n')
        self.assertEqual(self.run_in(self.old, "check", "traced.pt").returncode, 0)

    def test_a_norm_of_a_subclass_trains(self):
        for arguments, expected in (((), 0), (("train",), 1)):
            self.export(self.old, *arguments)
            for model in ["traced.pt", "scripted.pt", "exported.pt2"][: 3 if arguments else 2]:
                with self.subTest(model=model, arguments=arguments):
                    self.assertEqual(len(self.findings(self.old, "--select", "training-mode", model)), expected)

    def test_sequential_is_no_place(self):
        self.export(self.old)
        (found,) = self.findings(self.old, "--select", "reused-modules", "sequential.pt")
        self.assertEqual([place["file"] for place in found["locations"] if "container.py" in (place["file"] or "")], [])

    def test_fixable_is_what_fix_fixes(self):
        self.export(self.old, source=SOURCE.replace("  # mv: ignore[missing-modules] agreed", ""))
        self.assertIn("(2 fixable)", self.run_in(self.old, "check", "--isolated", "traced.pt").stdout)
        self.assertNotIn("fixable", self.run_in(self.folder / "exporter" / "..", "check", "--isolated", self.old / "sequential.pt").stdout)
        done = self.run_in(self.old, "fix", "--isolated", "traced.pt")
        self.assertNotIn("left as it is:\n", done.stderr)
        self.assertIn("self.batch_norm = DynamicBatchNorm()", done.stdout)

    def test_a_fix_of_a_trace_can_be_scripted(self):
        self.export(self.old, source=SOURCE.replace("  # mv: ignore[missing-modules] agreed", ""))
        self.run_in(self.old, "fix", "--isolated", "--write", "--unproven", "traced.pt")
        self.assertIn("self.add(y, eps)", (self.old / "net.py").read_text())
        again = forked.run(self.old / "net.py")
        self.assertEqual(again.returncode, 0, again.stderr)


if __name__ == "__main__":
    unittest.main()
