"""Two programs of a few lines: what differs between their answers is printed once, with the files that show it."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(os.environ["PROJECT"]) / "tools" / "ecosystem.py"
PROGRAM = """#!{python}
import json, sys
command, files = sys.argv[1], [word for word in sys.argv[2:] if word.endswith(".onnx")]
if command == "targets":
    print(json.dumps({{"targets": [{{"name": "one"}}, {{"name": "two"}}]}}))
elif command == "check":
    print(json.dumps({{"models": [{{"path": file, "targets": sys.argv[sys.argv.index("--target") + 1], "findings": {findings}}} for file in files]}}))
elif command == "diff":
    print("same" if len(files) == 2 else sys.exit("two files"))
else:
    sys.exit(f"no {{command}}")
"""


class Ecosystem(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.folder / "models").mkdir()
        for name in ("a.onnx", "b.onnx", "c.txt"):
            (self.folder / "models" / name).touch()

    def run_script(self, *arguments):
        return subprocess.run([sys.executable, SCRIPT, *map(str, arguments)], capture_output=True, text=True, check=False)

    def dump(self, name, findings):
        program = self.folder / f"{name}.py"
        program.write_text(PROGRAM.format(python=sys.executable, findings=findings))
        program.chmod(0o755)
        run = self.run_script("dump", program, self.folder / name, self.folder / "models")
        self.assertIn("2 files, 11 answers", run.stdout, run.stderr)
        return self.folder / name

    def test_equal_dumps(self):
        run = self.run_script("compare", self.dump("before", 1), self.dump("after", 1))
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("check: 0 of 2 differ", run.stdout)

    def test_a_difference_is_printed_once_for_all_files(self):
        run = self.run_script("compare", self.dump("before", 1), self.dump("after", 2))
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn("check: 2 of 2 differ", run.stdout)
        self.assertIn("graph: 0 of 2 differ", run.stdout)
        self.assertEqual(run.stdout.count('+ "findings": 2'), 1)

    def test_what_fails_is_an_answer_too(self):
        folder = self.dump("before", 1)
        self.assertIn("status 1: no graph", (folder / "graph.json").read_text())
        self.assertIn("one,two", (folder / "check.json").read_text())


if __name__ == "__main__":
    unittest.main()
