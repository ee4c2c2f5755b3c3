"""`model_validator fix` on models that are exported before and afterwards."""

import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))

import forked
import preloaded

PROGRAM = sys.argv.pop()

SOURCE = '''import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    """A residual block, as many write it."""

    def __init__(self, act_layer=nn.ReLU):
        super().__init__()
        self.conv = nn.Conv2d(4, 4, 3, padding=1)
        self.act = act_layer(inplace=True)  # one for both

    def forward(self, x):
        out = self.act(self.conv(x))
        out += x
        return self.act(out)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(Block(), Block())
        self.fc = nn.Linear(8, 3)
        self.tied = nn.Linear(8, 3)
        self.tied.weight = self.fc.weight

    def forward(self, x):
        x = self.blocks(x)
        both = torch.cat([x, F.relu(-x)], dim=1)  # ä
        pooled = F.normalize(both.mean((2, 3)), dim=-1) * 0.5 + 1
        return self.fc(pooled), self.tied(pooled).softmax(-1)
'''

EXPORT = '''import hashlib, json, sys, torch
torch.manual_seed(1)
from net import Net
model = Net().eval()
x = torch.randn(2, 4, 5, 5)
exported = torch.jit.script(model) if sys.argv[1] == "scripted" else torch.jit.trace(model, x)
exported.save("model.pt")
state = [[k, hashlib.sha256(v.numpy().tobytes()).hexdigest()] for k, v in model.state_dict().items()]
outputs = [[t.tolist() for t in torch.jit.load("model.pt")(torch.randn(2, 4, 5, 5))] for _ in range(3)]
print(json.dumps([state, outputs, model.tied.weight is model.fc.weight]))
'''


class FixTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "net.py").write_text(SOURCE)
        (self.folder / "export.py").write_text(EXPORT)

    def run_program(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return preloaded.run([PROGRAM, *arguments, "--isolated"], cwd=self.folder)

    def fix(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        unproven = ["--unproven"] if "--write" in arguments else []
        return self.run_program("fix", "model.pt", "--select", "GRA001,GRA002", *unproven, *arguments)

    def export(self, form: str) -> str:
        done = forked.run(self.folder / "export.py", form)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def files(self) -> dict[str, str]:
        return {path.name: path.read_text() for path in self.folder.glob("*.py")}

    def test_what_is_fixed_computes_the_same(self) -> None:
        for form in ("traced", "scripted"):
            with self.subTest(form):
                (self.folder / "net.py").write_text(SOURCE)
                (self.folder / "functional_modules.py").unlink(missing_ok=True)
                before = self.export(form)
                self.assertEqual(self.fix("--write").returncode, 1)
                self.assertEqual(self.export(form), before)
                again = self.fix("--write")
                self.assertEqual((again.returncode, again.stdout), (0, ""))
                check = self.run_program("check", "model.pt", "--select", "GRA001,GRA002", "-q")
                self.assertEqual((check.returncode, check.stdout), (0, ""))

    def test_the_fixed_source(self) -> None:
        self.export("traced")
        self.fix("--write")
        text = self.files()["net.py"]
        for line in ("        self.act = act_layer(inplace=True)  # one for both\n"
                     "        self.add = AddInPlace()\n        self.act_2 = copy.deepcopy(self.act)\n",
                     "        out = self.add(out, x)\n        return self.act_2(out)\n",
                     "        both = self.cat([x, self.relu(self.neg(x))])  # ä\n",
                     "        pooled = self.add(self.mul(self.normalize(self.mean(both, (2, 3)), dim=-1), 0.5), 1)\n"
                     .replace("self.mean(both, (2, 3))", "both.mean((2, 3))")):
            self.assertIn(line, text)

    def test_the_diff_can_be_applied(self) -> None:
        self.export("scripted")
        diff = self.fix()
        self.assertEqual(diff.returncode, 1)
        self.assertEqual(self.files()["net.py"], SOURCE)
        by_patch = self.folder / "by_patch"
        for folder, command in ((self.folder / "by_git", ["git", "apply", "-"]), (by_patch, ["patch", "-p1"])):
            if shutil.which(command[0]) is None:
                continue
            folder.mkdir()
            (folder / "net.py").write_text(SOURCE)
            done = subprocess.run(command, cwd=folder, input=diff.stdout, capture_output=True, text=True, check=False,
                                  env={**os.environ, "GIT_CEILING_DIRECTORIES": str(self.folder)})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual({path.name: path.read_text() for path in folder.glob("*.py")} | {"export.py": EXPORT},
                             self.after_writing())

    def after_writing(self) -> dict[str, str]:
        (self.folder / "net.py").write_text(SOURCE)
        self.fix("--write")
        files = self.files()
        (self.folder / "net.py").write_text(SOURCE)
        (self.folder / "functional_modules.py").unlink()
        return files

    def test_changed_source_is_left_alone(self) -> None:
        self.export("scripted")
        changed = SOURCE.replace("out += x", "out -= x")
        (self.folder / "net.py").write_text(changed)
        self.fix("--write")
        self.assertIn("out -= x", self.files()["net.py"])
        (self.folder / "net.py").write_text("broken(\n")
        self.assertEqual(self.fix("--write").returncode, 0)
        self.assertEqual(self.files()["net.py"], "broken(\n")

    def test_source_of_an_installed_package_is_left_alone(self) -> None:
        package = self.folder / "site-packages"
        package.mkdir()
        shutil.move(self.folder / "net.py", package / "net.py")
        done = subprocess.run([sys.executable, "-B", "-c", EXPORT, "traced"], cwd=self.folder, capture_output=True,
                              text=True, check=False, env={**os.environ, "PYTHONPATH": str(package)})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.fix("--write").returncode, 0)
        self.assertEqual((package / "net.py").read_text(), SOURCE)

    def test_protected_source_is_left_alone(self) -> None:
        self.export("traced")
        (self.folder / "net.py").chmod(0o444)
        self.assertEqual(self.fix("--write").returncode, 0)
        self.assertEqual(self.files()["net.py"], SOURCE)
        self.assertNotIn("functional_modules.py", self.files())

    def test_a_link_to_the_source_stays_one(self) -> None:
        real = self.folder / "real"
        real.mkdir()
        shutil.move(self.folder / "net.py", real / "net.py")
        (self.folder / "net.py").symlink_to(real / "net.py")
        before = self.export("traced")
        self.assertEqual(self.fix("--write").returncode, 1)
        self.assertTrue((self.folder / "net.py").is_symlink())
        self.assertIn("self.act_2(", (real / "net.py").read_text())
        self.assertEqual(self.export("traced"), before)

    def test_loops_and_comprehensions_compute_the_same(self) -> None:
        loops = SOURCE.replace("self.fc = ", "self.convs = nn.ModuleList(nn.Conv2d(4, 4, 1) for _ in range(3))\n"
                               "        self.shared = nn.ReLU()\n        self.fc = ")
        loops = loops.replace("x = self.blocks(x)", """x = self.blocks(x)
        for i in range(len(self.convs)):
            x = self.shared(self.convs[i](x)) + x
        x = sum(F.gelu(conv(x)) for conv in self.convs)
        x = torch.stack([self.shared(self.convs[i](x)) * 2 for i in range(3)]).sum(0)""")
        (self.folder / "net.py").write_text(loops)
        before = self.export("traced")
        self.assertEqual(self.fix("--write").returncode, 1)
        self.assertEqual(self.export("traced"), before)
        fixed = self.files()["net.py"]
        for line in ("x = self.adds[i](self.shareds[i](self.convs[i](x)), x)",
                     "([gelu(conv(x)) for conv, gelu in zip(self.convs, self.gelus, strict=True)])",
                     "[self.muls[i](self.shareds_2[i](self.convs[i](x)), 2) for i in range(3)]"):
            self.assertIn(line, fixed)

    def test_source_that_has_moved_is_found(self) -> None:
        self.export("traced")
        moved = self.folder / "src"
        moved.mkdir()
        shutil.move(self.folder / "net.py", moved / "net.py")
        self.assertIn("--- a/src/net.py", self.fix().stdout)
        elsewhere = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, elsewhere)
        shutil.move(moved / "net.py", elsewhere / "net.py")
        self.assertEqual(self.fix().stdout, "")
        fixed = self.fix("--source-root", f"{self.folder}={elsewhere}")
        self.assertIn(f"note: apply the patch in `{elsewhere}`", fixed.stderr)
        subprocess.run(["patch", "-p1", "-d", elsewhere], input=fixed.stdout, text=True, check=True, capture_output=True)
        self.assertIn("self.relu(", (elsewhere / "net.py").read_text())

    def test_models_of_one_run_get_the_edits_that_each_gets_alone(self) -> None:
        for form in ("scripted", "traced"):
            self.export(form)
            (self.folder / "model.pt").rename(self.folder / f"{form}.pt")

        def reports(*models: str) -> list[dict[str, object]]:
            lines = self.run_program("check", "--output-format", "jsonl", *models).stdout.splitlines()
            return [line for line in map(json.loads, lines) if line["type"] != "summary"]

        together = reports("scripted.pt", "traced.pt")
        self.assertEqual(together, reports("scripted.pt") + reports("traced.pt"))
        self.assertGreater(json.dumps(together).count('"edits": [{'), 2)

    def test_each_model_is_fixed_where_its_own_configuration_has_the_source(self) -> None:
        for name, source in (("one", SOURCE), ("two", SOURCE.replace("* 0.5 + 1", "* 0.5 - 1"))):
            (self.folder / "net.py").write_text(source)
            self.export("traced")
            (self.folder / name / "src").mkdir(parents=True)
            (self.folder / "net.py").rename(self.folder / name / "src" / "net.py")
            (self.folder / "model.pt").rename(self.folder / name / "model.pt")
            (self.folder / name / "model_validator.toml").write_text(f"[fix.source-root]\n'{self.folder}' = 'src'\n")
        shutil.copytree(self.folder / "two", self.folder / "alone")
        for models in (["alone/model.pt"], ["one/model.pt", "two/model.pt"]):
            done = preloaded.run([PROGRAM, "fix", "--write", "--unproven", *models], cwd=self.folder)
            self.assertEqual(done.returncode, 1, done.stderr)
        written = {name: (self.folder / name / "src" / "net.py").read_text() for name in ("one", "two", "alone")}
        self.assertIn("self.add(self.mul(", written["one"])
        self.assertIn("self.sub(self.mul(", written["two"])
        self.assertEqual(written["two"], written["alone"])

    def test_a_file_that_two_models_record_under_two_names_is_edited_once(self) -> None:
        self.export("traced")
        (self.folder / "model.pt").rename(self.folder / "here.pt")
        there = self.folder / "there"
        shutil.copytree(self.folder, there)
        forked.run(there / "export.py", "traced").check_returncode()
        (there / "net.py").unlink()
        (self.folder / "linked").symlink_to(".")
        for folder in (".", "linked"):
            diff = self.run_program("fix", "here.pt", "there/model.pt", "--source-root", f"{there}={folder}")
            self.assertEqual(diff.stdout.count("net.py"), 2, diff.stdout)
            self.assertIn("self.add(self.mul(", diff.stdout)

    def test_the_configuration_names_packages_and_folders(self) -> None:
        self.export("traced")
        for name in ("src", "old"):
            (self.folder / name).mkdir()
            shutil.copy(self.folder / "net.py", self.folder / name / "net.py")
        (self.folder / "net.py").unlink()
        config = self.folder / "model_validator.toml"
        arguments = [PROGRAM, "fix", "model.pt", "--select", "GRA001,GRA002"]
        done = preloaded.run(arguments, cwd=self.folder)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        config.write_text(f"[fix]\nmodules = 'my.package'\n[fix.source-root]\n'{self.folder}' = 'src'\n")
        done = preloaded.run(arguments, cwd=self.folder)
        self.assertIn("+++ b/src/net.py", done.stdout, done.stderr)
        self.assertIn("+from my.package import ", done.stdout)
        for wrong, reason in (("[fix]\nmodules = 'my package'\n", "is not a package name"),
                              ("[fix.source-root]\n'/a' = '/etc'\n", "outside the folder of this file"),
                              ("[fix.source-root]\n'/a' = '../b'\n", "outside the folder of this file")):
            config.write_text(wrong)
            done = preloaded.run(arguments, cwd=self.folder)
            self.assertEqual(done.returncode, 2)
            self.assertIn(reason, done.stderr)

    def test_a_package_without_a_file_of_its_own(self) -> None:
        package = self.folder / "models"
        package.mkdir()
        shutil.move(self.folder / "net.py", package / "net.py")
        (self.folder / "export.py").write_text(EXPORT.replace("from net", "from models.net"))
        before = self.export("traced")
        self.fix("--write")
        self.assertIn("from .functional_modules import ", (package / "net.py").read_text())
        self.assertEqual(self.export("traced"), before)

    def test_memory_that_others_see_is_written_as_before(self) -> None:
        for made in ("self.drop(h)", "h.contiguous()", "self.same(h)", "h * 1"):
            source = (f"import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n"
                      f"        super().__init__()\n        self.drop = nn.Dropout(0.5)\n"
                      f"        self.fc = nn.Linear(5, 5)\n        self.tied = nn.Linear(5, 5)\n\n"
                      f"    def same(self, x):\n        return x\n\n    def forward(self, x):\n"
                      f"        h = self.fc(x)\n        g = {made}\n        g += 1\n        return g, h\n")
            with self.subTest(made):
                (self.folder / "net.py").write_text(source)
                before = self.export("traced")
                self.fix("--write")
                self.assertIn("g = self.add", self.files()["net.py"])
                self.assertEqual(self.export("traced"), before)
                (self.folder / "functional_modules.py").unlink(missing_ok=True)

    def edits(self) -> list[list[dict[str, object]]]:
        done = self.run_program("check", "model.pt", "--output-format", "json", "--select", "GRA001,GRA002")
        findings = json.loads(done.stdout)["models"][0]["findings"]
        return [finding["fix"]["edits"] for finding in findings if finding["fix"] and finding["fix"]["edits"]]

    def test_memory_under_another_name_is_written_as_before(self) -> None:
        source = SOURCE.replace("self.conv = ", "self.same = nn.Identity()\n        self.conv = ")
        source = source.replace("        out += x\n", "        skip = self.same(out)\n        out += x\n        out = out + skip\n")
        (self.folder / "net.py").write_text(source)
        before = self.export("traced")
        self.fix("--write")
        self.assertEqual(self.export("traced"), before)
        self.assertIn("out = self.add(out, x)", self.files()["net.py"])

    def test_any_finding_can_be_fixed_alone(self) -> None:
        before = self.export("traced")
        for number, edits in random.Random(3).sample(list(enumerate(self.edits())), 3):
            with self.subTest(number):
                self.make(edits)
                self.assertEqual(self.export("traced"), before)
                (self.folder / "net.py").write_text(SOURCE)
                (self.folder / "functional_modules.py").unlink(missing_ok=True)

    def make(self, edits: list[dict[str, object]]) -> None:
        texts: dict[str, str] = {}
        for edit in reversed(edits):
            path = str(edit["file"])
            known = pathlib.Path(path).read_text() if os.path.exists(path) else ""
            text = texts.setdefault(path, known)
            lines = text.splitlines(keepends=True) or [""]
            begin, end = ((sum(map(len, lines[:at["line"] - 1])) + at["column"])  # type: ignore[index]
                          for at in (edit["start"], edit["end"]))
            texts[path] = text[:begin] + str(edit["text"]) + text[end:]
        for path, text in texts.items():
            pathlib.Path(path).write_text(text)

    def test_random_subsets_agree(self) -> None:
        before = self.export("traced")
        found = json.loads(self.run_program("check", "model.pt", "--output-format", "json").stdout)
        types = sorted({finding["op"]["type"] for finding in found["models"][0]["findings"] if finding["op"]})
        draw = random.Random(7)
        for _ in range(3):
            kept = draw.sample(types, len(types) // 2)
            (self.folder / "model_validator.toml").write_text(f"[aimet]\nfunctional-ops = {json.dumps(kept)}\n")
            self.run_subset()
            compile(self.files()["net.py"], "net.py", "exec")
            self.assertEqual(self.export("traced"), before)
            (self.folder / "net.py").write_text(SOURCE)
            (self.folder / "functional_modules.py").unlink(missing_ok=True)
            self.export("traced")

    def run_subset(self) -> None:
        done = preloaded.run([PROGRAM, "fix", "model.pt", "--write", "--unproven", "--config", "model_validator.toml"], cwd=self.folder)
        self.assertEqual(done.returncode, 1, done.stderr)


if __name__ == "__main__":
    unittest.main()
