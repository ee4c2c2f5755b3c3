"""`init`: what it writes for a project, that `check` obeys it, and what a hostile project cannot make of it.

Environment: PROGRAM (the built program).
"""

import json
import os
import shutil
import sys
import tempfile
import unittest
import warnings
from pathlib import Path

import onnx
import tomllib
import torch
from onnx import TensorProto, helper
from torch import nn

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import preloaded

PROGRAM = os.environ["PROGRAM"]


class Reused(nn.Module):
    """A good network, which only a quantiser wants otherwise."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 3, 1)
        self.relu = nn.ReLU()

    def forward(self, x):
        return self.relu(self.relu(self.conv(x)) + x)


class Stack(nn.Module):
    """More than ten findings of quantisers."""

    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU()

    def forward(self, x):
        for _ in range(12):
            x = self.relu(x) + 1
        return x


class Project(unittest.TestCase):
    """A folder with models that were made once."""

    made: Path

    @classmethod
    def setUpClass(cls):
        cls.made = Path(tempfile.mkdtemp()).resolve()
        cls.addClassCleanup(shutil.rmtree, cls.made)
        x = torch.ones(1, 3, 4, 4)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.jit.trace(Reused().eval(), x).save(cls.made / "net.pt")
            torch.jit.trace(Stack().eval(), x).save(cls.made / "stack.pt")
            torch.export.save(torch.export.export(Reused().eval(), (x,)), cls.made / "net.pt2")
            torch.save(Reused().state_dict(), cls.made / "weights.pth")
        shape = ["batch", 3]
        graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "net",
                                  [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
                                  [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)])
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), cls.made / "net.onnx")

    def setUp(self):
        # Not beneath /tmp itself, where no configuration is looked for, but in a folder of one's own.
        self.folder = Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, self.folder)

    def take(self, *names):
        for name in names:
            shutil.copy(self.made / name, self.folder)

    def write(self, name, text):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)

    def run_program(self, *arguments):
        return preloaded.run([PROGRAM, *arguments], cwd=self.folder)


class Init(Project):
    def init(self):
        done = self.run_program("init")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        text = (self.folder / "model_validator.toml").read_text()
        return tomllib.loads(text), done.stdout

    def targets(self, settings):
        return {pattern: part["target"] for part in settings.get("per-file", []) for pattern in part["files"]}

    def test_a_project_is_green_after_init_and_says_why(self):
        self.take("net.pt", "net.pt2", "net.onnx", "weights.pth")
        self.write("requirements.txt", "torch\nopenvino>=2026.1\n")
        self.assertEqual(self.run_program("check", ".").returncode, 1)
        settings, printed = self.init()
        self.assertEqual(settings["preset"], "deploy")
        self.assertEqual(self.targets(settings), {kind: ["openvino"] for kind in ("*.onnx", "*.pt", "*.pt2")})
        for part in ("requirements.txt:2 names `openvino`", "nothing here quantises", "weights.pth"):
            self.assertIn(part, printed)
        done = self.run_program("check", ".")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn("judged for quantising", done.stdout)
        self.assertNotIn("no file fits", done.stderr)
        report = json.loads(self.run_program("check", "--output-format", "json", "net.onnx").stdout)
        self.assertEqual([verdict["target"] for verdict in report["models"][0]["verdicts"]], ["openvino"])

    def test_every_target_reads_its_files(self):
        self.take("net.pt", "net.pt2", "net.onnx")
        self.write("pyproject.toml", '[project]\ndependencies = ["onnxruntime-gpu", "coremltools", "executorch"]\n')
        settings, _ = self.init()
        self.assertEqual(self.targets(settings)["*.onnx"], ["onnxruntime"])
        self.assertEqual(self.targets(settings)["*.pt2"], ["coreml", "executorch-xnnpack"])
        report = json.loads(self.run_program("check", "--output-format", "json", ".").stdout)
        for model in report["models"]:
            for verdict in model["verdicts"]:
                self.assertIn(verdict["verdict"], ("taken", "taken in part"), (model["path"], verdict["summary"]))

    def test_nothing_to_go_by(self):
        self.take("net.pt2", "net.onnx")
        settings, printed = self.init()
        self.assertEqual(self.targets(settings), {"*.onnx": ["onnxruntime"]})
        self.assertIn("*.pt2 for no target", printed)
        self.assertIn('# files = ["*.pt2"]', (self.folder / "model_validator.toml").read_text())
        self.assertEqual(self.run_program("check", ".").returncode, 0)

    def test_what_is_compiled_already_says_for_what(self):
        for ending, target in ((".xml", "openvino"), (".engine", "tensorrt")):
            with self.subTest(ending):
                self.setUp()
                self.write("deploy/net" + ending, "")
                settings, printed = self.init()
                if ending == ".xml":  # it may be any
                    self.assertNotIn("openvino", self.targets(settings).get("*.pt2", []))
                    (self.folder / "model_validator.toml").unlink()
                    self.write("deploy/net.bin", "")
                    settings, printed = self.init()
                self.assertEqual(self.targets(settings)["*.onnx"], [target])
                self.assertIn(f"deploy/net{ending} is a file of `{target}`", printed)
                self.assertIn(f"`model_validator check deploy/net{ending}` says how", printed)
                self.assertIn("Next: export a model", printed)

    def test_what_quantises_is_judged_for_it(self):
        for name, text in {"requirements-dev.txt": "nncf==3.0\n", "setup.cfg": "[options]\ninstall_requires =\n    torchao\n",
                           "train.py": "from torchao.quantization import quantize_\n",
                           "src/deploy.py": "m = prepare_pt2e(m, quantizer)\n"}.items():
            with self.subTest(name):
                self.take("net.pt")
                self.write(name, text)
                settings, printed = self.init()
                self.assertEqual(settings["preset"], "quantise")
                self.assertIn(f"{name}:", printed)
                done = self.run_program("check", "net.pt")
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertIn("reused-modules", done.stdout)
                self.assertNotIn("judged for quantising", done.stdout)
                (self.folder / "model_validator.toml").unlink()
                (self.folder / name).unlink()

    def test_words_alone_do_not_quantise(self):
        self.write("train.py", "# quantize_(model)\nprequantize_(model)\nquantize_ = None\n")
        self.write("README.txt", "torchao\n")
        self.assertEqual(self.init()[0]["preset"], "deploy")

    def test_the_projects_own_calls_come_first(self):
        self.take("net.onnx")
        self.write("requirements.txt", "onnxruntime\n")
        self.write(".pre-commit-config.yaml", "repos:\n- repo: x\n  hooks:\n  - id: model-validator\n    args: [--target, openvino]\n")
        settings, printed = self.init()
        self.assertEqual(self.targets(settings), {"*.onnx": ["openvino"]})
        self.assertIn(".pre-commit-config.yaml:4 runs model_validator", printed)

    def test_targets_of_other_programs_are_not_ours(self):
        self.take("net.onnx")
        self.write("Makefile", "lint:\n\tmodel_validator models/\n\tcmake --build . --target openvino\n")
        self.assertEqual(self.targets(self.init()[0]), {"*.onnx": ["onnxruntime"]})

    def test_nothing_that_is_there_is_replaced(self):
        for name, text in (("model_validator.toml", "# mine\n"), ("pyproject.toml", "[tool.model_validator]\n")):
            with self.subTest(name):
                self.write(name, text)
                done = self.run_program("init")
                self.assertEqual(done.returncode, 2, done.stdout)
                self.assertIn("already", done.stderr)
                self.assertEqual((self.folder / name).read_text(), text)
                self.assertEqual([file.name for file in self.folder.iterdir()], [name])
                self.assertEqual(self.run_program("init", "--dry-run").returncode, 0)
                (self.folder / name).unlink()
        (self.folder / "model_validator.toml").symlink_to("elsewhere.toml")
        self.assertEqual(self.run_program("init").returncode, 2)
        self.assertFalse((self.folder / "elsewhere.toml").exists())

    def test_a_pyproject_without_our_table_is_no_hindrance(self):
        self.write("pyproject.toml", '[project]\nname = "x"\n[tool.ruff]\nline-length = 100\n')
        self.init()

    def test_the_same_project_gives_the_same_file(self):
        self.take("net.pt", "net.pt2", "net.onnx")
        self.write("requirements.txt", "openvino\ncoremltools\n")
        texts = {self.run_program("init", "--dry-run").stdout for _ in range(3)}
        self.assertEqual(len(texts), 1)
        self.assertFalse((self.folder / "model_validator.toml").exists())

    def test_a_hostile_project_has_no_say(self):
        self.write("a\n[fix]\nmodules = \"os\"\n#\".onnx", "no model")
        self.take("net.onnx")
        (self.folder / "net.onnx").rename(self.folder / 'b"]\ntarget = ["coreml"]\n#.onnx')
        self.write("requirements.txt", "openvino\"]\nsandbox = \"off\"\n" + "x" * 100_000 + "\n" + "coreml" * 10_000)
        self.write("Makefile", "model_validator --target x\"]\\nsandbox=\"off\" --preset evil --target ../../etc/passwd\n")
        self.write("big/requirements.txt", "openvino\n" * 200_000)  # more than a megabyte
        os.mkfifo(self.folder / "requirements-pipe.txt")
        os.mkfifo(self.folder / "pipe.onnx")
        (self.folder / "requirements-link.txt").symlink_to("/etc/passwd")
        (self.folder / "loop").symlink_to(".")
        settings, printed = self.init()
        self.assertEqual(set(settings), {"preset", "per-file"})
        self.assertEqual(settings["preset"], "deploy")
        self.assertNotIn("\n[fix]", printed)
        self.assertEqual(self.run_program("config", "net.onnx").returncode, 0)

    def test_a_folder_that_is_none(self):
        self.assertEqual(self.run_program("init", "nowhere").returncode, 2)


class Gate(Project):
    """Where nobody chose what models are judged for."""

    NOTICE = "judged for quantising; `model_validator init` or `--target` chooses otherwise"

    def first_line(self, *arguments):
        return self.run_program("check", *arguments).stdout.splitlines()[0]

    def test_the_first_line_says_so(self):
        self.take("net.pt", "net.onnx")
        self.assertEqual(self.first_line("net.pt"), self.NOTICE)
        self.assertEqual(self.first_line("net.onnx"), self.NOTICE)
        for chosen in (("--target", "openvino"), ("--preset", "quantise"), ("--preset", "deploy"), ("--select", "GRA001"), ("-q",)):
            with self.subTest(chosen):
                self.assertNotIn("judged for quantising", self.run_program("check", "net.pt", *chosen).stdout)
        self.write("model_validator.toml", 'preset = "quantise"\n')
        self.assertNotIn("judged for quantising", self.run_program("check", "net.pt").stdout)
        self.write("model_validator.toml", '[[per-file]]\nfiles = ["*.onnx"]\ntarget = "onnxruntime"\n')
        self.assertTrue(self.first_line("net.onnx", "net.pt").startswith("1 of 2 files judged for quantising"))

    def test_what_quantisers_ask_for_fails_and_is_grouped_where_it_is_much(self):
        self.take("net.pt", "stack.pt")
        done = self.run_program("check", "net.pt")
        self.assertEqual(done.returncode, 1)
        self.assertIn("warning[GRA001] reused-modules: module `relu` (ReLU) is called 2 times", done.stdout)
        done = self.run_program("check", "stack.pt", "net.pt")
        self.assertEqual(done.returncode, 1)
        lines = [line for line in done.stdout.splitlines() if "missing-modules" in line]
        self.assertEqual(len(lines), 1, done.stdout)
        self.assertIn("in 2 models", lines[0])
        self.assertIn("-v", done.stdout)
        for way in ("-v", "--select=GRA001,GRA002"):
            shown = self.run_program("check", way, "stack.pt").stdout
            self.assertIn("warning[GRA001] reused-modules: module `relu` (ReLU) is called 12 times", shown)
            self.assertIn("= help: ", shown)
        report = json.loads(self.run_program("check", "--output-format", "json", "stack.pt").stdout)
        self.assertGreaterEqual(len(report["models"][0]["findings"]), 12)


class Silence(Project):
    """Settings that hold for nothing."""

    SOURCE = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU()

    def forward(self, x):
        x = self.relu(x)
        return self.relu(x)
"""

    def told(self, comment, above=""):
        lines = self.SOURCE.splitlines()
        lines[-1] += comment
        if above:
            lines.insert(len(lines) - 1, above)
        (self.folder / "silent.py").write_text("\n".join(lines) + "\n")
        script = "import torch, silent; torch.jit.script(silent.Net().eval()).save('net.pt')"
        self.assertEqual(preloaded.run([sys.executable, "-W", "ignore", "-c", script], cwd=self.folder).returncode, 0)
        report = json.loads(self.run_program("check", "--output-format", "json", "net.pt").stdout)
        findings = report["models"][0]["findings"]
        (hidden,) = [finding["suppressed"] is not None for finding in findings if finding["rule"] == "reused-modules"]
        met = [finding for finding in findings if finding["code"] == "MET001"]
        return hidden, [(finding["locations"][0]["line"], finding["help"]) for finding in met]

    def test_comments(self):
        self.assertEqual(self.told("  # mv: ignore[reused-modules]"), (True, []))
        self.assertEqual(self.told("  # mv: move it"), (False, []))
        self.assertEqual(self.told("  # mv: ignore[reused-modulez]"), (False, [(12, "did you mean `reused-modules`?")]))
        self.assertEqual(self.told("  # mv: ignored[reused-modules]"), (False, [(12, "write `mv: ignore[reused-modules]`")]))
        hidden, met = self.told("  # mv: ignore")
        self.assertEqual((hidden, [line for line, _ in met]), (False, [12]))
        hidden, met = self.told("", above="        # mv: ignore[reused-modules]")
        self.assertEqual((hidden, [line for line, _ in met]), (False, [12]))

    def test_a_comment_counts_as_soon_as_it_is_written(self):
        """Whatever the model holds of its source: its lines, a trace of them, or where they are."""
        exports = {"script.pt": "torch.jit.script(net).save(name)", "trace.pt": "torch.jit.trace(net, x).save(name)",
                   "program.pt2": "torch.export.save(torch.export.export(net, (x,)), name)"}
        source = self.folder / "silent.py"
        source.write_text(self.SOURCE)
        lines = [f"name = {name!r}; {export}" for name, export in exports.items()]
        script = "\n".join(["import torch, silent", "net, x = silent.Net().eval(), torch.ones(2)", *lines])
        done = preloaded.run([sys.executable, "-W", "ignore", "-c", script], cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        check = ("check", "--select", "reused-modules,MET", "--output-format", "json")
        for comment, hidden in (("", False), ("  # mv: ignore[reused-modules] one scale", True), ("", False)):
            source.write_text(self.SOURCE.rstrip("\n") + comment + "\n")
            for name in exports:
                with self.subTest(name=name, comment=comment):
                    report = json.loads(self.run_program(*check, name).stdout)
                    (finding,) = report["models"][0]["findings"]
                    self.assertEqual(finding["rule"], "reused-modules")
                    self.assertEqual(finding["suppressed"] is not None, hidden)

    def test_patterns_and_names(self):
        self.take("net.onnx")
        self.write("model_validator.toml", '[[per-file]]\nfiles = ["*.onx"]\ntarget = "onnxruntime"\n')
        told = self.run_program("check", "net.onnx").stderr
        self.assertIn("model_validator.toml:2: no file fits `*.onx` of `files`; did you mean `*.onnx`?", told)
        told = self.run_program("check", "--exclude", "nett.onnx", ".").stderr
        self.assertIn("`--exclude`: no file fits `nett.onnx`", told)
        (self.folder / "model_validator.toml").rename(self.folder / "model-validator.toml")
        self.assertIn("its name must be model_validator.toml", self.run_program("check", "net.onnx").stderr)


if __name__ == "__main__":
    unittest.main()
