"""What docs/security.md promises about files that nobody trusts, tried on the program.

Environment: PROGRAM (the built program).
"""

import ctypes
import functools
import itertools
import json
import os
import resource
import select
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree
import zipfile
from pathlib import Path

import hostile_files as hostile
from hostile_files import NASTY, call, node

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import preloaded

PROGRAM = Path(os.environ["PROGRAM"])
SECONDS, MEGABYTES = 20, 1000
#: How much more time and memory than others the program takes, for the sanitizers in it.
COST = int(os.environ.get("COST", "1"))


def ends_within(process, seconds):
    """Waits until a process ends, or the time is over."""
    descriptor = os.pidfd_open(process)
    try:
        return bool(select.select([descriptor], [], [], max(seconds, 0))[0])
    finally:
        os.close(descriptor)


class Result:
    def __init__(self, status, out, err, megabytes):
        self.status, self.out, self.err, self.megabytes = status, out, err, megabytes


class InFolder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def put(self, name, data):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return name

    def run_program(self, *arguments, seconds=SECONDS, **options):
        options = {"stdin": subprocess.DEVNULL, "cwd": self.folder, **options}
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            child = subprocess.Popen([PROGRAM, *arguments], stdout=out, stderr=err, start_new_session=True, **options)
            if not ends_within(child.pid, seconds * COST):
                os.killpg(child.pid, signal.SIGKILL)
                os.wait4(child.pid, 0)
                self.fail(f"{arguments} was not done after {seconds} s")
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            streams = [stream.seek(0) or stream.read() for stream in (out, err)]
        self.assertGreaterEqual(child.returncode, 0, f"{arguments} was ended by a signal: {streams[1][-500:]}")
        return Result(child.returncode, *(stream.decode() for stream in streams), (used.ru_maxrss >> 10) // COST)

    def check(self, *arguments, **options):
        return self.run_program("check", "--isolated", *arguments, **options)

    def computed(self, *arguments):
        """What a run gives that is not about how the program starts, nor about its memory."""
        done = preloaded.run([PROGRAM, *arguments], cwd=self.folder, timeout=SECONDS * COST)
        self.assertGreaterEqual(done.returncode, 0, f"{arguments} was ended by a signal: {done.stderr[-500:]}")
        return done


class Sandbox(InFolder):
    def test_what_the_program_brings_is_there(self):
        hostile.torchscript(self.folder / "boxes.pt", "ops.torchvision.nms(x, x, 0.5)")
        for command in (["check", "--isolated"], ["graph"], ["inspect"]):
            result = self.run_program(*command, "boxes.pt")
            self.assertIn(result.status, (0, 1), result.err)

    def test_every_mode_reads_alike(self):
        hostile.torchscript(self.folder / "model.pt")
        outputs = {self.run_program("graph", "--sandbox", mode, "model.pt").out for mode in ("auto", "require", "off")}
        self.assertEqual(len(outputs), 1)

    def test_a_configuration_asks_for_more_and_not_for_less(self):
        hostile.torchscript(self.folder / "model.pt")
        self.put("model_validator.toml", 'sandbox = "require"\n')
        self.assertEqual(self.run_program("check", "model.pt").status, 1)  # its relu has no module
        self.put("model_validator.toml", 'sandbox = "off"\n')
        result = self.run_program("check", "model.pt")
        self.assertEqual(result.status, 2)
        self.assertIn("not a sandbox mode that a file may ask for", result.err)


class Names(InFolder):
    """Names of a file reach no terminal, log or build server as anything but text."""

    def setUp(self):
        super().setUp()
        meta = {"pkg.torch.onnx.name_scopes": repr(["", NASTY, NASTY + "r"]), "pkg.torch.onnx.stack_trace": self.trace(),
                "pkg.torch.onnx.class_hierarchy": repr(["M" + NASTY, "torch.nn.modules.activation.ReLU" + NASTY,
                    "aten." + NASTY])}
        nodes = [node(NASTY, ["x"], [NASTY], NASTY, NASTY, meta), node("Relu", [NASTY], ["y" + NASTY], "graph", "", meta),
                 node("Relu", ["y" + NASTY], ["graph"], "node", "", meta)]
        self.put("names.onnx", hostile.onnx(nodes, inputs=("x", "strict"), outputs=("graph", "y" + NASTY)))
        def stack(key):
            return f"k,,M{NASTY};{key},act{NASTY},torch.nn.modules.activation.ReLU"
        nodes = [call("torch.ops.aten.relu.default", ["x"], ["v"], {"nn_module_stack": stack("ka"), "stack_trace": self.trace()}),
                 call("torch.ops.aten.relu.default", ["v"], ["w"], {"nn_module_stack": stack("ka@1"),
                     "stack_trace": self.trace()}),
                 call(f"torch.ops.{NASTY}", ["w"], ["y"], {"nn_module_stack": f"k,,M{NASTY}", "stack_trace": self.trace()})]
        hostile.exported(self.folder / "names.pt2", hostile.exported_graph(nodes, "xvwy"))
        self.nasty = self.put(f"{NASTY}.onnx".replace("/", "_"), hostile.onnx([node("Relu", ["x"], ["y"])]))

    def trace(self):
        return f'  File "{NASTY}.py", line 3, in forward\n    code {NASTY}\n'

    def assert_harmless(self, result, commands=False):
        for stream in (result.out, result.err):
            for character in "\x1b\r\x07\x9b\u202e\u2066\u2028\ufeff\ufffe\uffff":
                self.assertNotIn(character, stream)
            if not commands: # in a command of our own it is text
                self.assertNotIn("##[", stream)
            for line in stream.split("\n"):
                self.assertFalse(line.lstrip().startswith("INJECTED"), line)
                own = commands and line.startswith(("::error file=", "::warning file=", "::notice "))
                self.assertFalse(line.lstrip().startswith("::") and not own, line)

    def test_every_format_of_check(self):
        for model in ("names.onnx", "names.pt2", self.nasty, NASTY + "missing.pt", NASTY + "*.pt"):
            for form in ("full", "concise", "github", "junit", "json", "jsonl", "sarif", "markdown", "html"):
                with self.subTest(model=model, form=form):
                    result = self.check("--output-format", form, "--target", "onnx", "-v", "--select", "GRA,TGT", "--statistics",
                                        model)
                    self.assertIn(result.status, (0, 1, 2))
                    self.assert_harmless(result, commands=form == "github")
                    if form in ("json", "sarif"):
                        json.loads(result.out)
                    if form == "jsonl":
                        list(map(json.loads, result.out.splitlines()))
                    if form == "junit":
                        xml.etree.ElementTree.fromstring(result.out)

    def test_every_other_command(self):
        commands = [["graph"], ["graph", "--format", "dot"], ["inspect"], ["inspect", "--ir"], ["inspect", "--typed-ir"],
                    ["inspect", "--output-format", "json"], ["partition", "--target", "onnxruntime"]]
        for model in ("names.onnx", "names.pt2", self.nasty, NASTY + "missing.pt"):
            for command in commands:
                with self.subTest(model=model, command=command):
                    result = self.run_program(*command, model)
                    self.assertIn(result.status, (0, 1, 2))
                    self.assert_harmless(result)
                    if result.status == 0 and "dot" in command and shutil.which("dot"):
                        self.picture_of(result.out)
            self.assert_harmless(self.run_program("diff", model, "names.onnx"))
            self.assert_harmless(self.run_program("diff", "--output-format", "json", "names.onnx", model))

    @unittest.skipUnless(shutil.which("dot"), "without Graphviz")
    def test_words_of_graphviz_are_names_of_ops(self):
        words = ["graph", "node", "edge", "strict", "digraph", "subgraph", "Node", "GRAPH"]
        nodes = [node("Relu", [a], [b], b) for a, b in itertools.pairwise(words)]
        self.put("words.onnx", hostile.onnx(nodes, inputs=("graph",), outputs=(words[-1],)))
        result = self.run_program("graph", "--format", "dot", "words.onnx")
        self.assertEqual((result.status, result.err), (0, ""))
        self.assertIn("graph", "".join(self.picture_of(result.out).itertext()))

    def picture_of(self, dot):
        drawn = subprocess.run(["dot", "-Tsvg"], input=dot, capture_output=True, text=True, check=True)
        return xml.etree.ElementTree.fromstring(drawn.stdout)

    def test_names_on_the_command_line_and_in_files_of_settings(self):
        for arguments in (["--select", NASTY], ["--target", NASTY], ["--severity", NASTY], ["--baseline", NASTY], ["--config",
            NASTY],
                          ["--profile", NASTY], ["--" + NASTY], ["--output-file", NASTY + "/" + NASTY], ["--inputs", NASTY],
                          ["--input", NASTY], ["--output-format", NASTY]):
            self.assert_harmless(self.check(*arguments, "names.onnx"))
        self.assert_harmless(self.run_program(NASTY))
        self.put("bad.toml", f"{json.dumps(NASTY)} = 1\n")
        self.assert_harmless(self.run_program("check", "--config", "bad.toml", "names.onnx"))
        self.put("model_validator.toml",
            '[[suppress]]\nrule = "reused-modules"\nmodule = "' + "a\\n::error::x" + '"\nreason = "::error::\\u001b"\n')
        self.assert_harmless(self.run_program("config"))
        self.assert_harmless(self.run_program("check", "names.onnx"))


class Inputs(InFolder):
    """Files of inputs are held against what they claim, before memory is taken."""

    @classmethod
    def setUpClass(cls):
        """One program runs them all. How much memory its forks took at most is known once it has ended."""
        library = preloaded.library_beside(PROGRAM)
        cls.program = library and preloaded.Program(str(PROGRAM), library)

    @classmethod
    def tearDownClass(cls):
        if cls.program and (largest := cls.program.close()) >= MEGABYTES:
            raise AssertionError(f"one of the runs of {cls.__name__} took {largest} MB")

    def setUp(self):
        super().setUp()
        hostile.torchscript(self.folder / "clean.pt")

    def run_small(self, *arguments):
        """A run that takes less than MEGABYTES."""
        if not self.program:
            result = self.run_program(*arguments)
            self.assertLess(result.megabytes, MEGABYTES)
            return result
        done = self.program.call([str(PROGRAM), *arguments], str(self.folder), SECONDS * COST)
        self.assertGreaterEqual(done.returncode, 0, f"{arguments} was ended by a signal: {done.stderr[-500:]}")
        return Result(done.returncode, done.stdout, done.stderr, None)

    def assert_refused(self, name):
        with self.subTest(name=name):
            result = self.run_small("check", "--isolated", "--inputs", name, "clean.pt")
            self.assertEqual(result.status, 2, result.out + result.err)

    def assert_taken(self, name):
        with self.subTest(name=name):
            result = self.run_small("check", "--isolated", "--fail-on", "never", "--inputs", name, "clean.pt")
            self.assertEqual(result.status, 0, result.out + result.err)

    def test_pickles(self):
        doubled = b"]q\0" + b"".join(b"](h" + bytes([k]) + b"h" + bytes([k]) + b"eq" + bytes([k + 1]) for k in range(40))
        records = {"a/data/0": b"\0" * 64}
        for name, instructions in {
            "cyclic_list": b"]q\0h\0a", "cyclic_dict": b"}q\0" + text_key("a") + b"h\0s", "deep": b"(" * 100000 + b"t" * 100000,
            "deep_lists": b"]" * 50000 + b"a" * 49999, "doubled": doubled, "cut": b"X\xff\xff\xff\xff",
                "beyond": hostile.tensor([1 << 30], [1]),
            "no_record": hostile.tensor([4], [1], key="7"), "negative": hostile.tensor([-4], [1]), "memo": b"]r\xff\xff\xff\x7f",
            "expanded": hostile.tensor([1 << 20, 1 << 20], [0, 0]),
                "call": b"cos\nsystem\n(" + hostile.text("touch canary") + b"tR",
            "nothing": b"",
        }.items():
            hostile.saved(self.folder / f"{name}.pt", instructions, records)
            self.assert_refused(f"{name}.pt")
        self.assertFalse((self.folder / "canary").exists())
        members = {"a/data.pkl": hostile.pickled(hostile.tensor([1 << 28], [1], 1 << 28)), "a/version": "3\n"}
        hostile.packed(self.folder / "bomb.pt", members, "a/data/0", b"", 1 << 30)
        self.assert_refused("bomb.pt")
        hostile.saved(self.folder / "good.pt", hostile.tensor([1, 4], [4, 1]), records)
        self.assert_taken("good.pt")
        self.put("legacy.pt", hostile.pickled(b"]q\0h\0a"))
        self.assert_refused("legacy.pt")

    def test_arrays(self):
        good = hostile.npy(hostile.npy_header(), b"\0" * 16)
        for name, data in {
            "dimensions": hostile.npy(hostile.npy_header(shape="1, " * 20000 + "4"), b"\0" * 16, 2),
            "long": hostile.npy(hostile.npy_header(shape="1," * 300000 + "4"), b"\0" * 16, 2),
            "blanks": hostile.npy(" " * 70000 + hostile.npy_header(), b"\0" * 16, 2),
            "claims": hostile.npy(hostile.npy_header(shape="1073741824"), b"\0" * 16),
            "product": hostile.npy(hostile.npy_header(shape="4294967296, 4294967296, 0"), b""),
            "overflow": hostile.npy(hostile.npy_header(shape="99999999999999999999"), b"\0" * 16),
            "negative": hostile.npy(hostile.npy_header(shape="-4"), b"\0" * 16), "object": hostile.npy(hostile.npy_header("|O"),
                b"\0" * 16),
            "structured": hostile.npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (4,), }", b"\0" * 16),
            "quotes": hostile.npy("{'descr': '" + "'" * 1000, b"\0" * 16), "length": hostile.npy("", b"")[:8] + b"\xff\xff",
            "brackets": hostile.npy("(" * 60000, b"", 2), "empty": b"\x93NUMPY\x01\0",
                "twice": hostile.npy(hostile.npy_header() * 2, b"\0" * 16),
        }.items():
            (self.folder / name).mkdir()
            self.put(f"{name}/x.npy", data)
            self.assert_refused(f"{name}/x.npy")
            hostile.archive(self.folder / f"{name}.npz", {"x.npy": data})
            self.assert_refused(f"{name}.npz")
        for name, header in {"ordinary": hostile.npy_header(), "columns": hostile.npy_header(fortran="True"),
            "python2": hostile.npy_header(shape="1L, 4L"),
                             "order": "{'shape': (1, 4), 'fortran_order': False, 'descr': \"<f4\"}"}.items():
            hostile.archive(self.folder / f"{name}.npz", {"x.npy": hostile.npy(header, b"\0" * 16)})
            self.assert_taken(f"{name}.npz")
        self.put("good/x.npy", good)
        self.assert_taken("good/x.npy")

    def test_zips_that_claim_gigabytes(self):
        hostile.packed(self.folder / "packed.npz", {}, "x.npy", hostile.npy(hostile.npy_header(shape="268435456")), 1 << 30)
        self.assert_refused("packed.npz")
        hostile.archive(self.folder / "claim.npz", {"x.npy": b"\x93NUMPY\x01\0" + b"\0" * 1000})
        data = bytearray((self.folder / "claim.npz").read_bytes())
        for at in (22, data.find(b"PK\x01\x02") + 24):
            data[at:at + 4] = b"\xf0\xff\xff\xff"
        self.put("claim.npz", bytes(data))
        self.assert_refused("claim.npz")

    def test_holes_in_a_file_are_not_read(self):
        array = hostile.npy(hostile.npy_header(shape="134217728"))
        with zipfile.ZipFile(self.folder / "holes.npz", "w", zipfile.ZIP_STORED) as zipped:
            zipped.writestr("x.npy", array)
        # The same, said to be half a gigabyte longer, which is a hole.
        data = bytearray((self.folder / "holes.npz").read_bytes())
        directory = data.find(b"PK\x01\x02")
        size = len(array) + (1 << 29)
        for at in (18, directory + 20):
            struct.pack_into("<II", data, at, size, size)
        struct.pack_into("<I", data, data.find(b"PK\x05\x06") + 16, directory + (1 << 29))
        with open(self.folder / "holes.npz", "wb") as out:
            out.write(data[:directory])
            out.seek(1 << 29, os.SEEK_CUR)
            out.write(data[directory:])
        self.assertLess((self.folder / "holes.npz").stat().st_blocks, 1000)
        result = self.run_small("check", "--isolated", "--inputs", "holes.npz", "clean.pt")
        self.assertEqual(result.status, 2)
        self.assertIn("unpack to more", result.out + result.err)

    def test_what_is_not_a_file_is_not_waited_for(self):
        for name in ("pipe.npz", "pipe.npy", "pipe.pt", "pipe.toml", "pipe.json", "pipe"):
            os.mkfifo(self.folder / name)
        for option in (["--inputs", "pipe.npz"], ["--inputs", "pipe.npy"], ["--inputs", "pipe.pt"], ["--baseline", "pipe"],
                       ["--profile", "pipe.toml"], ["--output-file", "pipe"], ["--baseline", "pipe", "--write-baseline"]):
            with self.subTest(option=option):
                self.assertEqual(self.run_small("check", "--isolated", *option, "clean.pt").status, 2)
        self.assertEqual(self.run_program("check", "--config", "pipe.toml", "clean.pt").status, 2)
        self.assertEqual(self.check("pipe").status, 2)
        self.assertEqual(self.run_small("verify", "clean.pt", "--golden", ".").status, 2)
        os.mkfifo(self.folder / "golden.json")
        self.assertEqual(self.run_small("verify", "clean.pt", "--golden", ".").status, 2)

    def test_settings(self):
        deep = "[" * 100000 + "]" * 100000
        for name, data in {
            "deep.json": deep, "number.json": '{"schema": 3, "models": 4}', "list.json": "[]", "text.json": '"a"',
                "empty.json": "",
            "entries.json": '{"schema": "model_validator-baseline/1", "models": {"a": [{"fingerprint": 1}]}}',
            "models.json": '{"schema": "model_validator-baseline/1", "models": "a"}',
            "wide.json": '{"schema": "model_validator-baseline/1", "models": {"a": ' + "[" + "[]," * 3000000 + "[]]}}",
            "large.json": " " * (17 << 20),
        }.items():
            with self.subTest(baseline=name):
                result = self.check("--baseline", self.put(name, data), "clean.pt")
                self.assertEqual(result.status, 2, result.err)
                self.assertLess(result.megabytes, 500)
        for name, data in {"deep.toml": "a = " + deep, "dots.toml": "a." * 100000 + "a = 1",
            "table.toml": "[" + "a." * 100000 + "a]",
                           "large.toml": "#" * (17 << 20), "bytes.toml": b"\xff\xfe\0",
                               "inline.toml": "a = " + "{a=" * 50000}.items():
            with self.subTest(settings=name):
                self.put(name, data)
                for arguments in (["check", "--config", name, "clean.pt"], ["check", "--isolated", "--profile", name,
                    "clean.pt"]):
                    result = self.run_program(*arguments)
                    self.assertEqual(result.status, 2, result.err)
                    self.assertLess(result.megabytes, 500)
        golden = {
            "deep": deep,
            "steps": '{"schema": "model_validator-golden/1", "steps": -1, "samples": [{"inputs": {}, "outputs": {}}]}',
            "many_steps": '{"schema": "model_validator-golden/1", "steps": 18446744073709551615, "samples": [{}]}',
            "schema": '{"schema": []}',
            "samples": '{"schema": "model_validator-golden/1", "samples": {"a": 1}}',
            "sample": '{"schema": "model_validator-golden/1", "samples": [1]}',
            "model": '{"schema": "model_validator-golden/1", "model": 4}',
            "missing": '{"schema": "model_validator-golden/1", "samples": [{"inputs": {"x": "float32"}, "outputs": {"y": 4}}]}',
        }
        for name, data in golden.items():
            with self.subTest(golden=name):
                self.put(f"golden_{name}/golden.json", data)
                self.assertEqual(self.run_small("verify", "--no-lint", "clean.pt", "--golden", f"golden_{name}").status, 2)
        for name, data in {
            "deep": deep, "empty": "", "number": "1", "text": '"a"', "object": "{}", "items": "[1]", "names": '[{"model": 1}]',
            "rules": '[{"model": "clean.pt", "rules": [1]}]',
            "rule": '[{"model": "clean.pt", "rules": [{"name": 1, "code": "A1"}]}]',
            "finding": '[{"model": "clean.pt", "rules": [{"name": "a", "code": "A1", "findings": {"a": 1}}]}]',
        }.items():
            with self.subTest(findings=name):
                result = self.check("--findings-of", self.put(f"{name}.findings", data), "clean.pt")
                self.assertEqual(result.status, 2, result.err)
                self.assertEqual(result.err.count("error: "), 1, result.err)
        for name, data in {"deep": deep, "text": '"a"', "subgraphs": '{"schema": "model_validator-subgraphs/1", "subgraphs": 1}'}.items():
            with self.subTest(manifest=name):
                self.put(f"subgraphs_{name}/manifest.json", data)
                self.assertEqual(self.run_small("verify", "--no-lint", "clean.pt", f"subgraphs_{name}").status, 2)


def text_key(key):
    return hostile.text(key)


class Sources(InFolder):
    """Python source that a repository brings with a model."""

    FORMATS = (["check", "--output-format", "json"], ["check", "--output-format", "sarif"], ["check", "-v"], ["fix"])

    def setUp(self):
        super().setUp()
        self.model("net.py", 5)

    def model(self, file, line, code=""):
        trace = f'  File "{self.folder / file}", line {line}, in forward\n    {code}\n'
        meta = {"nn_module_stack": "L__self__,,__main__.Net", "stack_trace": trace}
        hostile.exported(self.folder / "model.pt2", hostile.exported_graph([call("torch.ops.aten.relu.default", ["x"], ["y"], meta)], "xy"))

    @staticmethod
    def source(expression):
        return f"import torch\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        {expression}\n"

    def refusals(self):
        findings = json.loads(self.run_program(*self.FORMATS[0], "model.pt2").out)["models"][0]["findings"]
        return {finding["fix"]["refusal"] for finding in findings if finding["fix"]}

    def test_ordinary_source_is_edited(self):
        self.put("net.py", self.source("return torch.relu(x)"))
        self.assertEqual(self.refusals(), {None})

    def test_deep_or_endless_source_gets_no_edits(self):
        classes = "".join(f"class C{k}(C{k + 1}): pass\n" for k in range(1000))
        for name, text in {
            "calls": self.source("return " + "f(" * 20000 + "torch.relu(x)" + ")" * 20000),
            "parentheses": self.source("return " + "(" * 20000 + "torch.relu(x)" + ")" * 20000),
            "sums": self.source("return torch.relu(x)" + " + x" * 20000),
            "attributes": self.source("return torch.relu(x)" + ".a" * 20000),
            "blocks": self.source("return torch.relu(x)") + "".join(" " * k + "if x:\n" for k in range(3000)),
            "classes": self.source("return torch.relu(x)") + classes,
            "open": self.source("return " + "(" * 60000),
            "more_than_16_bits_count": self.source("return torch.relu(x)") + "y = " + "{" * 70000,
        }.items():
            self.put("net.py", text)
            for command in self.FORMATS:
                with self.subTest(source=name, command=command):
                    result = self.run_program(*command, "model.pt2")
                    self.assertIn(result.status, (0, 1), result.out + result.err)
                    self.assertLess(result.megabytes, 500)
            with self.subTest(source=name):
                self.assertNotEqual(self.refusals(), {None})

    def test_lines_take_no_more_memory_than_the_file(self):
        for name, text, line in (("ends", "\n" * (8 << 20), 5), ("long", "x" * (7 << 20) + "\n", 1)):
            with self.subTest(source=name):
                self.put("net.py", text)
                self.model("net.py", line)
                result = self.run_program(*self.FORMATS[1], "model.pt2")
                self.assertIn(result.status, (0, 1), result.err)
                self.assertLess(len(result.out), 1 << 20)
                self.assertLess(result.megabytes, 500)

    def test_many_comments_that_ignore(self):
        selectors = ",".join(["functional-modules", "GRA", "all", "GRA002"] * 140)
        line = f"return torch.relu(x) # mv: ignore[{selectors}]"
        stack = {"nn_module_stack": "L__self__,,__main__.Net"}
        nodes = [call("torch.ops.aten.relu.default", [f"v{k}"], [f"v{k + 1}"],
                      {**stack, "stack_trace": f'  File "net.py", line {k + 1}, in forward\n    {line}\n'}) for k in range(400)]
        self.put("net.py", (line + "\n") * 400)
        values = [f"v{k}" for k in range(401)]
        hostile.exported(self.folder / "model.pt2", hostile.exported_graph(nodes, values, inputs=("v0",), outputs=("v400",)))
        self.assertIn(self.run_program("check", "model.pt2").status, (0, 1))


class Service(InFolder):
    def test_a_damaged_call_is_answered(self):
        ours, its = socket.socketpair()
        with ours, its:
            child = subprocess.Popen([PROGRAM, "--answer-calls"], stdin=its, cwd=self.folder)
            for _ in range(2):
                ours.sendall(struct.pack("<Q", 5) + b"\xff" * 5)
                ours.settimeout(SECONDS * COST)
                (size,) = struct.unpack("<Q", ours.recv(8, socket.MSG_WAITALL))
                self.assertIn(b"not a call", ours.recv(size, socket.MSG_WAITALL))
            its.close()
        child.terminate()
        child.wait(SECONDS)


class Programs(InFolder):
    """Programs of torch.export, run by `verify`."""

    def run_operator(self, target, arguments):
        extra = [{"name": name, "arg": value, "kind": 1} for name, value in arguments.items()]
        graph = hostile.exported_graph([call(target, [], ["y"], extra=extra)], "xy")
        hostile.exported(self.folder / "m.pt2", graph)
        return self.computed("verify", "--no-lint", "--save-golden", "stored", "--input", "x=4", "m.pt2")

    def test_operators_that_reach_any_memory_or_files(self):
        x, one, four = {"as_tensor": {"name": "x"}}, {"as_ints": [1]}, {"as_ints": [4]}
        far, name = {"as_int": 100000}, {"as_string": str(self.put("canary", b"SECRET OF 16 B.."))}
        for target, arguments in {
            "inductor._reinterpret_tensor.default": {"self": x, "size": four, "stride": one, "offset_increment": far},
            "aten.set_.source_Tensor_storage_offset": {"self": x, "source": x, "storage_offset": far, "size": four, "stride": one},
            "aten._reshape_alias.default": {"self": x, "size": {"as_ints": [4000]}, "stride": one},
            "aten.resize_.default": {"self": x, "size": {"as_ints": [4000]}},
            "aten.from_file.default": {"filename": name, "shared": {"as_bool": False}, "size": {"as_int": 4}},
        }.items():
            with self.subTest(target):
                result = self.run_operator(f"torch.ops.{target}", arguments)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn("is not known to do nothing but compute: it is not run", result.stderr)
        ordinary = self.run_operator("torch.ops.aten.relu.default", {"self": x})
        self.assertEqual(ordinary.returncode, 0, ordinary.stderr)

    def test_conditions_of_loops_in_conditions_of_loops(self):
        def loop(condition, name):
            graphs = [{"name": "", "arg": {"as_graph": {"name": "g", "graph": graph}}, "kind": 1} for graph in (condition, body)]
            tensors = [{"name": "", "arg": {"as_tensors": list(names)}, "kind": 1} for names in ([{"name": "x"}], [])]
            return call("torch.ops.higher_order.while_loop", [], [name], extra=graphs + tensors)

        def given(op, name):
            return call(f"torch.ops.aten.{op}.default", [], ["y"], extra=[{"name": "self", "arg": {"as_tensor": {"name": name}}, "kind": 1}])

        body, condition = hostile.exported_graph([given("relu", "x")], "xy"), hostile.exported_graph([given("any", "x")], "xy")
        for depth, status in {2: 0, 40: 2}.items():
            inner = condition
            for _ in range(depth):
                inner = hostile.exported_graph([loop(inner, "z"), given("any", "z")], "xyz")
            hostile.exported(self.folder / "m.pt2", hostile.exported_graph([loop(inner, "y")], "xy"))
            result = self.computed("verify", "--no-lint", "--save-golden", f"{depth}", "--input", "x=4:float32:-2..-1", "m.pt2")
            self.assertEqual(result.returncode, status, result.stderr)
        self.assertIn("the conditions of its loops are nested too deeply", result.stderr)

    def test_numbers_of_types_that_do_not_exist(self):
        for dtype in (-1, 1000, 1 << 40):
            with self.subTest(dtype):
                arguments = {"self": {"as_tensor": {"name": "x"}}, "dtype": {"as_int": dtype}}
                result = self.run_operator("torch.ops.aten._to_copy.default", arguments)
                self.assertEqual(result.returncode, 2)
                self.assertNotIn("signal", result.stderr)


class ExternalData(InFolder):
    """Weights in other files lie with the model, or are not looked at."""

    def write(self, name, location):
        return self.put(name, hostile.onnx([node("Add", ["x", "w"], ["y"])], initializers=hostile.external(location)))

    def fingerprint(self, model):
        return json.loads(self.run_program("inspect", "--output-format", "json", model).out)["fingerprint"]

    def test_outside_of_the_model_s_folder(self):
        self.put("secret", "not yours\n" * 8)
        (self.folder / "m").mkdir()
        (self.folder / "m/link").symlink_to("../secret")
        (self.folder / "m/linked").symlink_to("..")
        (self.folder / "m/loop").symlink_to("loop")
        (self.folder / "m/proc").symlink_to("/proc/self/environ")
        os.mkfifo(self.folder / "m/pipe")
        for i, location in enumerate(("link", "linked/secret", "../secret", "a/../../secret", "./../secret",
            str(self.folder / "secret"), "loop",
                                      "pipe", "proc", ".", "m.onnx/x", "linked/m/../secret", "/dev/zero",
                                          "linked/linked/secret")):
            with self.subTest(location=location):
                self.assertIsNone(self.fingerprint(self.write(f"m/m{i}.onnx", location)))

    def test_beside_the_model_or_in_the_store_that_both_are_links_into(self):
        self.put("m/data", "x" * 64)
        self.put("m/deep/data", "x" * 64)
        for location in ("data", "deep/data", "./data"):
            self.assertIsNotNone(self.fingerprint(self.write("m/m.onnx", location)))
        self.put("cache/blobs/1", "x" * 64)
        self.write("cache/blobs/2", "model.data")
        (self.folder / "cache/snapshots/a").mkdir(parents=True)
        (self.folder / "cache/snapshots/a/model.data").symlink_to("../../blobs/1")
        (self.folder / "cache/snapshots/a/model.onnx").symlink_to("../../blobs/2")
        self.assertIsNotNone(self.fingerprint("cache/snapshots/a/model.onnx"))
        (self.folder / "elsewhere").symlink_to("m")
        self.assertIsNotNone(self.fingerprint("elsewhere/m.onnx"))


class Written(InFolder):
    """A file that is written is complete or not there, and has the rights that it had or the umask says."""

    def setUp(self):
        super().setUp()
        hostile.torchscript(self.folder / "clean.pt")
        self.put("m.onnx", hostile.onnx([node("Relu", ["x"], ["h"]), node("Sigmoid", ["h"], ["y"])]))

    def mode(self, name):
        return stat.S_IMODE((self.folder / name).stat().st_mode)

    def test_rights(self):
        for umask in (0o022, 0o077, 0o027):
            new = f"new{umask:o}.txt"
            self.check("--output-file", new, "m.onnx", umask=umask)
            self.assertEqual(self.mode(new), 0o666 & ~umask)
            self.assertEqual(self.run_program("partition", "--target", "onnxruntime", "--emit", f"subgraphs{umask:o}", "m.onnx",
                umask=umask).status, 0)
            self.assertEqual(self.mode(f"subgraphs{umask:o}"), 0o777 & ~umask)
            for file in (self.folder / f"subgraphs{umask:o}").iterdir():
                self.assertEqual(self.mode(file), 0o666 & ~umask, file)
        for rights in (0o600, 0o664, 0o640):
            (self.folder / self.put("old.txt", "")).chmod(rights)
            self.check("--output-file", "old.txt", "m.onnx")
            self.assertEqual(self.mode("old.txt"), rights)
            (self.folder / "old.json").unlink(missing_ok=True)
            self.check("--baseline", "old.json", "--write-baseline", "m.onnx")
            (self.folder / "old.json").chmod(rights)
            self.check("--baseline", "old.json", "--write-baseline", "m.onnx")
            self.assertEqual(self.mode("old.json"), rights)

    def test_links_stay_links(self):
        (self.folder / "link.txt").symlink_to("target.txt")
        for _ in range(2):
            self.check("--output-file", "link.txt", "m.onnx")
            self.assertTrue((self.folder / "link.txt").is_symlink())
            self.assertTrue((self.folder / "target.txt").is_file())

    def test_a_full_disk_is_an_error(self):
        self.assertEqual(self.check("--output-file", "/dev/full", "m.onnx").status, 2)
        for command in (["check", "m.onnx"], ["graph", "m.onnx"], ["inspect", "m.onnx"], ["rule", "--all"], ["--help"],
            ["--version"], ["man"]):
            with self.subTest(command=command), open("/dev/full", "w") as full:
                done = subprocess.run([PROGRAM, *command], cwd=self.folder, stdout=full, stderr=subprocess.DEVNULL, check=False)
                self.assertEqual(done.returncode, 2)

    def test_a_file_that_may_not_grow_is_an_error(self):
        done = subprocess.run([PROGRAM, "check", "--isolated", "--output-file", "report", "m.onnx"], cwd=self.folder, check=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)), capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot be written: File too large", done.stderr)
        self.assertFalse((self.folder / "report").exists())

    @unittest.skipUnless(os.geteuid() == 0, "a small disk is only made by root")
    def test_what_does_not_fit_on_the_disk_leaves_what_was_there(self):
        disk = self.folder / "disk"
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk], check=False,
            stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("no disk can be made here")
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        save = ["verify", "--no-lint", "clean.pt", "--save-golden", "disk/golden", "--input"]
        self.assertEqual(self.computed(*save, "x=1x4").returncode, 0)
        before = {file.name: file.read_bytes() for file in (disk / "golden").iterdir()}
        for command in ([*save, "x=1x400000"], ["check", "--isolated", "--output-file", "disk/report", "--baseline",
            "disk/base", "--write-baseline", "m.onnx"]):
            (disk / "filler").write_bytes(b"") if command[0] == "verify" else self.fill(disk / "filler")
            result = self.computed(*command)
            self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertEqual(before, {file.name: file.read_bytes() for file in (disk / "golden").iterdir()})
        self.assertEqual(sorted(file.name for file in disk.iterdir()), ["filler", "golden"])
        # Room for the beginning of a report.
        os.truncate(disk / "filler", 0)
        (disk / "report").write_text("old")
        self.fill(disk / "filler")
        os.truncate(disk / "filler", (disk / "filler").stat().st_size - 2 * 4096)
        result = self.run_program("check", "--isolated", "--output-format", "sarif", "--output-file", "disk/report", "m.onnx")
        self.assertEqual(result.status, 2, result.out + result.err)
        self.assertEqual((disk / "report").read_text(), "old")

    def fill(self, file):
        with open(file, "wb", buffering=0) as out:
            try:
                while out.write(b"\0" * 4096):
                    pass
            except OSError:
                pass

    def test_baselines_that_are_written_at_once_hold_all(self):
        models = [self.put(f"m{i}.onnx", hostile.onnx([node("Erf", ["x"], ["y"])])) for i in range(12)]
        command = [PROGRAM, "check", "--isolated", "--target", "onnx", "--baseline", "base.json", "--write-baseline"]
        runs = [subprocess.Popen([*command, "--select", "GRA,TGT", model], cwd=self.folder, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
                for model in models]
        for run in runs:
            self.assertIn(run.wait(60), (0, 1))
        written = json.loads((self.folder / "base.json").read_text())["models"]
        alone = subprocess.run([*command[:-2], "alone.json", "--write-baseline", models[0]], cwd=self.folder,
            capture_output=True, check=False)
        self.assertIn(alone.returncode, (0, 1))
        if json.loads((self.folder / "alone.json").read_text())["models"]:
            self.assertEqual(sorted(written), sorted(models))


@functools.cache
def long_model():
    nodes = [node("Relu", [f"v{i}"], [f"v{i + 1}"]) for i in range(30000)]
    return hostile.onnx(nodes, inputs=("v0",), outputs=("v30000",))


class Ends(InFolder):
    """However the program is ended, it leaves nothing half done."""

    def test_signals(self):
        self.put("long.onnx", long_model())
        commands = (["check", "--isolated", "--output-file", "report", "long.onnx"], ["graph", "--output-file", "graph.json", "long.onnx"],
                    ["partition", "--target", "onnxruntime", "--emit", "subgraphs", "long.onnx"])
        for sent, command, seconds in itertools.product((signal.SIGTERM, signal.SIGHUP, signal.SIGINT), commands, (0.05, 0.2, 0.4)):
            with self.subTest(signal=sent, command=command[0], seconds=seconds):
                # A run that came to its end leaves subgraphs, which the next one would refuse to overwrite.
                shutil.rmtree(self.folder / "subgraphs", ignore_errors=True)
                child = subprocess.Popen([PROGRAM, *command], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                ends_within(child.pid, seconds)
                child.send_signal(sent)
                status = child.wait(60)
                self.assertIn(status, (0, 1, -sent, 128 + sent))
                left = {file.name for file in self.folder.iterdir()} - {"long.onnx", "report", "graph.json", "subgraphs"}
                self.assertEqual(left, set())

    def test_a_signal_that_is_ignored_stays_so(self):
        self.put("long.onnx", long_model())
        child = subprocess.Popen([PROGRAM, "check", "--isolated", "long.onnx"], cwd=self.folder, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
                                 preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        time.sleep(0.2)
        child.send_signal(signal.SIGHUP)
        self.assertIn(child.wait(60), (0, 1))

    def test_closed_streams(self):
        self.put("m.onnx", hostile.onnx([node("Relu", ["x"], ["y"])]))
        for closed, model, fine in (("<&-", "-", (2,)), (">&-", "m.onnx", (0, 1)), ("2>&-", "m.onnx", (0, 1)),
                                    ("<&- >&- 2>&-", "m.onnx", (0, 1)), (">&- 2>&-", "missing.onnx", (2,))):
            with self.subTest(closed=closed):
                done = subprocess.run(["sh", "-c", f'"{PROGRAM}" check --isolated {model} {closed}'], cwd=self.folder, check=False,
                                      timeout=SECONDS, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                self.assertIn(done.returncode, fine)

    def test_a_current_folder_that_is_gone_is_said(self):
        self.put("m.onnx", hostile.onnx([node("Relu", ["x"], ["y"])]))
        for command in ("check m.onnx", "check ../m.onnx", f"verify {self.folder}/m.onnx --backend onnxruntime"):
            with self.subTest(command=command):
                (self.folder / "gone").mkdir()
                done = subprocess.run(["sh", "-c", f'cd gone; rmdir ../gone; "{PROGRAM}" {command}'], cwd=self.folder, check=False,
                                      timeout=SECONDS, capture_output=True, text=True)
                self.assertEqual(done.returncode, 2)
                self.assertEqual(done.stderr.splitlines()[0], "error: the current folder is not there any more")


def without_override():
    """Root reads what no rights allow, until it is without these capabilities. Another user may not enter root's own home,
    where the program may be."""
    library = ctypes.CDLL(None, use_errno=True)
    drop_from_bounding_set, override, read_search = 24, 1, 2
    for capability in (override, read_search):
        if library.prctl(drop_from_bounding_set, capability, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "the capabilities of root cannot be given up")


class Folders(InFolder):
    def test_a_folder_that_cannot_be_read_is_reported(self):
        self.put("in/m.onnx", hostile.onnx([node("Relu", ["x"], ["y"])]))
        self.put("in/locked/n.onnx", "")
        (self.folder / "in/locked").chmod(0)
        self.addCleanup((self.folder / "in/locked").chmod, 0o700)
        for name in ("in", "in/**/*.onnx", "in/locked"):
            with self.subTest(name=name):
                options = {"preexec_fn": without_override} if os.geteuid() == 0 else {}
                result = self.check("--output-format", "json", name, **options)
                self.assertEqual(result.status, 2)
                models = json.loads(result.out)["models"]
                self.assertIn("unreadable-folder", [model["error"] and model["error"]["kind"] for model in models])


class Growth(InFolder):
    """Kilobytes are read within seconds, and in memory that stands in proportion to them."""

    def assert_small(self, name, *commands, megabytes=500, seconds=10):
        for command in commands or (["check", "--isolated"], ["graph"], ["inspect"]):
            with self.subTest(name=name, command=command):
                result = self.run_program(*command, name, seconds=seconds)
                self.assertIn(result.status, (0, 1, 2), result.err)
                self.assertLess(result.megabytes, megabytes)

    def functions(self, name, first, calls=2, count=19, inputs=("a",), extra=b"", width=1):
        functions = [first]
        for k in range(1, count):
            steps = ["a", *(f"t{i}" for i in range(calls - 1)), "b"]
            nodes = [node(f"f{k - 1}", [a] * width, [b], domain="f") for a, b in itertools.pairwise(steps)]
            functions.append(hostile.function(f"f{k}", nodes, inputs=inputs, extra=extra))
        self.put(name, hostile.onnx([node(f"f{count - 1}", ["x"], ["y"], domain="f")], functions))
        self.assert_small(name)

    def test_functions_that_call_the_one_before_twice(self):
        relu = node("Relu", ["a"], ["b"])
        make = hostile.function
        self.functions("plain.onnx", make("f0", [relu]))
        self.functions("long_value.onnx", make("f0", [node("Relu", ["a"], ["b", "n" * 20000])]))
        self.functions("long_name.onnx", make("f0", [node("Relu", ["a"], ["b"], "n" * 20000)]))
        self.functions("long_type.onnx", make("f0", [node("R" * 20000, ["a"], ["b"])]))
        self.functions("long_domain.onnx", make("f0", [node("R", ["a"], ["b"], domain="d" * 20000)]))
        self.functions("scopes.onnx", make("f0", [node("Relu", ["a"], ["b"], "/a" * 90 + "/Relu")]))
        self.functions("metadata.onnx", make("f0", [node("Relu", ["a"], ["b"],
            meta={"pkg.torch.onnx.stack_trace": '  File "a.py", line 3, in f\n' * 500})]))
        self.functions("reference.onnx", make("f0", [node("Relu", ["a"], ["b"], attributes=[hostile.attribute("t",
            reference="t")])],
                                              extra=field_of_default("t", "x" * 20000)))
        self.functions("inputs.onnx", make("f0", [relu], inputs=[f"a{i}" if i else "a" for i in range(20000)]))
        self.functions("values.onnx", make("f0", [relu], extra=hostile.joined(12,
            (hostile.value_info(f"v{i}") for i in range(2000)))))
        self.functions("type.onnx", make("f0", [relu], extra=hostile.joined(12, [hostile.value_info("b", [1] * 20000)])))
        body = hostile.graph([node("Relu", ["x"], ["y"])], inputs=["x"] + [f"i{k}" for k in range(3000)])
        self.functions("body.onnx", make("f0", [node("Scan", ["a"], ["b"], attributes=[hostile.attribute("body", graph=body)])]))
        self.functions("thrice.onnx", make("f0", [relu]), calls=3, count=14)
        self.functions("many.onnx", make("f0", [relu]), calls=1000, count=4)
        self.functions("cyclic.onnx", make("f0", [node("f18", ["a"], ["b"], domain="f")]))
        self.functions("itself.onnx", make("f0", [node("f0", ["a"], ["b"], domain="f")]))
        strings = hostile.field(1, "value_strings") + hostile.joined(9, ["x" * 100] * 2000) + hostile.integer(20, 8)
        self.functions("constant.onnx", make("f0", [node("Constant", [], ["c"], attributes=[strings]), node("Concat", ["a",
            "c"], ["b"])]))
        module = hostile.function("m" * 20000, [relu], domain="torch.nn")
        self.put("modules.onnx", hostile.onnx([node("m" * 20000, ["x"], ["y"], domain="torch.nn")] * 1,
            [module]) + hostile.field(2, "pytorch"))
        self.assert_small("modules.onnx")

    def test_functions_of_many_results_and_imports(self):
        names = [f"v{i}" for i in range(50000)]
        wide = hostile.function("wide", [node("Relu", ["a"], [name]) for name in names], outputs=names)
        self.put("results.onnx", hostile.onnx([node("wide", ["x"], ["y"], domain="f")], [wide]))
        imports = hostile.joined(9, (hostile.field(1, f"d{i}") + hostile.integer(2, 1) for i in range(20000)))
        many = hostile.function("many", [node("Relu", ["a"], ["b"])] * 20000, extra=imports)
        self.put("imports.onnx", hostile.onnx([node("many", ["x"], ["y"], domain="f")], [many]))
        for name in ("results.onnx", "imports.onnx"):
            self.assert_small(name)

    def test_names(self):
        meta = {"pkg.torch.onnx.name_scopes": "['" + ".".join("a" * 20000) + "', 'r']",
            "pkg.torch.onnx.class_hierarchy": "['A', 'aten.relu.default']"}
        many = {"pkg.torch.onnx.name_scopes": repr([f"a{i}" for i in range(5000)]),
            "pkg.torch.onnx.class_hierarchy": repr(["A"] * 5000)}
        for name, nodes in {"dots": [node("Relu", ["x"], ["y"], meta=meta)], "slashes": [node("Relu", ["x"], ["y"],
            "/" * 100000)],
                            "scopes": [node("Relu", ["x"], ["y"], "/a" * 50000 + "/Relu")], "many_scopes": [node("Relu", ["x"],
                                ["y"], meta=many)],
                            "quotes": [node("Relu", ["x"], ["y"], meta={**meta, "pkg.torch.onnx.name_scopes": "'" * 100001})],
                            "empty_names": [node("", ["x"], ["y"])], "colons": [node("a" + "::" * 50000, ["x"], ["y"],
                                domain="::" * 50000)],
                            "dotted_types": [node("a." * 50000, ["x"], ["y"], domain="b." * 50000)]}.items():
            self.assert_small(self.put(f"{name}.onnx", hostile.onnx(nodes)))
        weights = hostile.field(5, hostile.integer(1, 2) * 2 + hostile.integer(2, 1) + hostile.field(8,
            "a." * 50000 + "w") + hostile.field(9, b"\0" * 16))
        self.assert_small(self.put("weights.onnx", hostile.onnx([node("Add", ["x", "a." * 50000 + "w"], ["y"], "/m/Add")],
            initializers=weights)))

    def test_structure(self):
        inner = hostile.graph([node("Relu", ["x"], ["y"])], inputs=())
        for _ in range(80):
            inner = hostile.graph([node("If", ["x"], ["y"], attributes=[hostile.attribute("then_branch", graph=inner),
                hostile.attribute("else_branch", graph=hostile.graph([], inputs=(), outputs=("x",)))])], inputs=())
        self.assert_small(self.put("deep.onnx", hostile.onnx([node("If", ["x"], ["y"],
            attributes=[hostile.attribute("then_branch", graph=inner), hostile.attribute("else_branch", graph=inner)])])))
        nested = b""
        for _ in range(5000):
            nested = hostile.field(4, hostile.field(1, nested))
        self.assert_small(self.put("sequence.onnx", hostile.onnx([node("Relu", ["x"], ["y"])]) + hostile.field(7,
            hostile.field(11, hostile.field(1, "q") + hostile.field(2, nested)))))
        self.assert_small(self.put("tiny.onnx", hostile.onnx([b""] * 100000)))
        self.assert_small(self.put("same.onnx", hostile.onnx([node("Relu", ["x"], ["y"])] * 1000)))
        self.assert_small(self.put("order.onnx", hostile.onnx([node("Relu", ["h"], ["y"]), node("Relu", ["x"], ["h"])])))
        self.assert_small(self.put("wide.onnx", hostile.onnx([node("Concat", ["x"] * 100000, ["y"])])))
        self.assert_small(self.put("outputs.onnx", hostile.onnx([node("Split", ["x"],
            ["y"] + [f"o{i}" for i in range(100000)])])))
        constant = node("Constant", [], ["c"], attributes=[hostile.attribute("value_ints", integers=[7] * 100000)])
        users = [node("Add", [f"v{i}", "c"], [f"v{i + 1}"]) for i in range(5000)]
        self.assert_small(self.put("constant_users.onnx", hostile.onnx([constant, *users], inputs=("v0",), outputs=("v5000",))))
        chain = [node("Relu", [f"v{i}"], [f"v{i + 1}"]) for i in range(20000)]
        self.assert_small(self.put("chain.onnx", hostile.onnx(chain, inputs=("v0",), outputs=("v20000",))))
        scoped = [node("Relu", [f"v{i}"], [f"v{i + 1}"], "/m/Relu") for i in range(20000)]
        self.assert_small(self.put("scoped.onnx", hostile.onnx(scoped, inputs=("v0",), outputs=("v20000",))))
        weights = b"".join(hostile.field(5, hostile.integer(1, 2) * 2 + hostile.integer(2, 1) + hostile.field(8,
            f"p{i}.w") + hostile.field(9, b"\0" * 16)) for i in range(10000))
        adds = [node("Add", [f"v{i}", f"p{i}.w"], [f"v{i + 1}"], "/m/Add") for i in range(10000)]
        self.assert_small(self.put("owners.onnx", hostile.onnx(adds, inputs=("v0",), outputs=("v10000",), initializers=weights)))

    def test_findings(self):
        """As many findings as nodes, all of one class, or all of one module's calls."""
        def step(op, path, *classes):
            """A node without inputs and outputs."""
            meta = {"pkg.torch.onnx.name_scopes": repr(["", *path, op]),
                "pkg.torch.onnx.class_hierarchy": repr(["M", *classes, f"aten.{op}.default"])}
            return node(op.title(), [], [], meta=meta)

        ends = [hostile.joined(1, [f"v{i}"]) + hostile.joined(2, [f"v{i + 1}"]) for i in range(60000)]
        for name, leaf in {"functional": "C", "reused": "torch.nn.modules.activation.ReLU"}.items():
            steps = step("relu", ["block", "act"], "B", leaf), step("sigmoid", ["block"], "B")
            chain = [end + steps[i % 2] for i, end in enumerate(ends)]
            self.assert_small(self.put(f"{name}.onnx", hostile.onnx(chain, inputs=("v0",), outputs=("v60000",))))

    def test_exported_programs(self):
        relu = "torch.ops.aten.relu.default"
        deep = {"nn_module_stack": f"k,,M;k1,{'.'.join('a' * 20000)},A"}
        stacks = {"nn_module_stack": ";".join(f"k{i},a{i},A" for i in range(20000))}
        long = {"stack_trace": '  File "a.py", line 3, in f\n    ' + "self.a(" * 100000 + "\n"}
        for name, metadata in {"dots": deep, "stacks": stacks, "line": long}.items():
            nodes = [call(relu, [a], [b], {**metadata}) for a, b in zip("xvw", "vwy", strict=False)]
            hostile.exported(self.folder / f"{name}.pt2", hostile.exported_graph(nodes, "xvwy"))
            self.assert_small(f"{name}.pt2")
        calls = [{"fqn": ".".join("a" * 20000), "signature": None}]
        hostile.exported(self.folder / "calls.pt2", hostile.exported_graph([call(relu, "x", "y")], "xy"), calls)
        self.assert_small("calls.pt2")
        body = hostile.exported_graph([call(relu, ["x"], ["y"])], "xy")
        graphs = [{"name": f"g{i}", "arg": {"as_graph": {"name": f"g{i}", "graph": body}}, "kind": 1} for i in range(1500)]
        operands = [{"name": f"o{i}", "arg": hostile.tensor_argument("x"), "kind": 1} for i in range(20000)]
        nodes = [call("torch.ops.higher_order.scan", [], ["y"], extra=graphs + operands)]
        hostile.exported(self.folder / "graphs.pt2", hostile.exported_graph(nodes, "xy"))
        self.assert_small("graphs.pt2")
        inner = body
        for _ in range(100):
            inner = hostile.exported_graph([call("torch.ops.higher_order.wrap", ["x"], ["y"], extra=[{"name": "g",
                "arg": {"as_graph": {"name": "g", "graph": inner}}, "kind": 1}])], "xy")
        hostile.exported(self.folder / "deep.pt2", inner)
        self.assert_small("deep.pt2")
        for name, document in {"nested": "[" * 1000000, "objects": '{"a":' * 500000, "lists": "[" + "[]," * 5000000 + "[]]",
            "packed": "[" + "[]," * 30000000 + "[]]", "numbers": "[" + "0," * 7000000 + "0]",
                               "text": '"' + "a" * 1000000, "huge_number": "[1e999999999]",
                                   "names": "{" + ",".join(f'"{i}":0' for i in range(1000000)) + "}"}.items():
            hostile.exported(self.folder / f"{name}.pt2", hostile.exported_graph([], "xy"), text=document)
            self.assert_small(f"{name}.pt2")


def field_of_default(name, value):
    return hostile.field(11, hostile.attribute(name, text=value))


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    unittest.main()
