#!/usr/bin/env python3
"""Adds a check to a temporary copy, builds it there and runs its test.

usage: add_validator_test.py SOURCE_FOLDER BUILD_FOLDER LIBRARY_FOLDER COMPILER_AND_FLAGS
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

RUN = re.compile(r"^## (Example|Use instead)\n+<!-- run: ([\w /]+), ", re.M)


class AddValidator(unittest.TestCase):
    source = build = library_folder = compiler = None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = pathlib.Path(folder.name)
        for part in ("src", "include", "tests/validators", "tests/support", "docs/rules"):
            shutil.copytree(cls.source / part, cls.root / part)
        shutil.copy(cls.source / "docs/rules.md", cls.root / "docs/rules.md")
        cls.copied = cls.content()

    def setUp(self):
        self.addCleanup(self.restore)

    def restore(self):
        """The copy is again what was copied."""
        now = self.content()
        for path in now.keys() - self.copied.keys():
            path.unlink()
        for path, data in self.copied.items():
            if now.get(path) != data:
                path.write_bytes(data)

    def add(self, *args):
        return subprocess.run([sys.executable, self.source / "tools/add_validator.py", *args, "--root", self.root],
                              capture_output=True, text=True, check=False)

    @classmethod
    def content(cls):
        files = (pathlib.Path(folder, name) for folder, _, names in os.walk(cls.root) for name in names)
        return {file: file.read_bytes() for file in files}

    def test_the_new_check_builds_and_passes_its_test(self):
        done = self.add("no-erf", "--code", "NUM901", "--op", "erf")
        self.assertEqual(done.returncode, 0, done.stderr)
        program = self.root / "no_erf_test"
        flags = ["-std=c++20", "-Wall", "-Wextra", "-Werror", "-I", "include", "-I", "src", "-I", "tests"]
        libraries = [self.build / "tests/libmv_catch_main.a", "-L", self.library_folder, "-lmodel_validator",
                     f"-Wl,-rpath,{self.library_folder}"]
        subprocess.run([*self.compiler, *flags, "src/validators/no_erf.cpp", "tests/validators/no_erf_test.cpp", "-o", program, *libraries],
                       cwd=self.root, check=True)
        ran = subprocess.run([program], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertIn("2 test cases", ran.stdout)

    def test_what_is_written_is_formatted(self):
        formatter = self.source / ".venv/bin/clang-format"
        for name, op in (("no-erf", "erf"), ("a-check-whose-name-is-as-long-as-names-get", "scaled_dot_product_attention"), ("x", "y")):
            with self.subTest(name):
                done = self.add(name, "--code", "NUM901", "--op", op)
                self.assertEqual(done.returncode, 0, done.stderr)
                files = [self.root / line for line in done.stdout.splitlines() if line.endswith((".cpp", ".h"))]
                self.assertEqual(len(files), 4)
                style = f"--style=file:{self.source / '.clang-format'}"
                ran = subprocess.run([formatter, "--dry-run", "-Werror", style, *files], capture_output=True, text=True, check=False)
                self.assertEqual(ran.returncode, 0, ran.stderr)
                self.restore()

    def test_the_example_of_the_page_is_run_in_a_file_of_each_format(self):
        self.add("no-erf", "--code", "NUM901", "--op", "erf")
        blocks = RUN.findall((self.root / "docs/rules/no-erf.md").read_text())
        self.assertEqual(blocks, [("Example", "script/trace/export/onnx"), ("Use instead", "script/trace/export/onnx")])

    def test_the_list_of_rules_is_that_of_the_pages(self):
        self.assertEqual(self.add("--list").stdout, "docs/rules.md\n")
        self.assertEqual((self.source / "docs/rules.md").read_text(), (self.root / "docs/rules.md").read_text(),
                         "write it anew: tools/add_validator.py --list")

    def test_only_the_lists_change_and_they_stay_sorted(self):
        before = self.content()
        self.add("no-erf", "--code", "GRA950")
        self.add("another-one", "--code", "GRA000")
        now = self.content()
        changed = [path for path, text in before.items() if now[path] != text]
        checks, registry, rules = (self.root / path for path in ("src/validators/checks.h", "src/validators/registry.cpp", "docs/rules.md"))
        self.assertEqual(set(changed), {checks, registry, rules})
        self.assertIn("| `GRA950` | [no-erf](rules/no-erf.md) | warning | off | an operation of type relu is used |\n", now[rules].decode())
        rows = re.findall(r"^\| `(\w+)`", now[rules].decode(), re.M)
        self.assertEqual(rows, sorted(rows))
        names = re.findall(r"^extern const Check (\w+);$", now[checks].decode(), re.M)
        self.assertLess({"no_erf", "another_one"}, set(names))
        self.assertEqual(names, sorted(names))
        codes = re.findall(r"// ([A-Z]{3}\d{3})$", now[registry].decode(), re.M)
        self.assertIn("GRA950", codes)
        self.assertEqual(codes, sorted(codes))
        self.assertEqual(codes[0], "GRA000")

    def test_the_page_has_the_headings_of_every_page(self):
        self.add("no-erf", "--code", "NUM901")
        pages = self.root / "docs/rules"
        headings = [re.findall(r"^## .*$", (pages / name).read_text(), re.M) for name in ("no-erf.md", "reused-modules.md")]
        self.assertEqual(*headings)

    def test_what_cannot_be_added_changes_nothing(self):
        before = self.content()
        for args in (("reused-modules", "--code", "NUM901"), ("no-erf", "--code", "GRA001"), ("NoErf", "--code", "NUM901"),
                     ("no-erf", "--code", "N1"), ("no-erf", "--code", "MET001"), ("no-erf", "--code", "AAA001"), ("no-erf",),
                     ("unused-suppression", "--code", "GRA950"), ("no-erf", "--code", "NUM901", "--op", 'a"b')):
            with self.subTest(args):
                refused = self.add(*args)
                self.assertEqual(refused.returncode, 2)
                self.assertRegex(refused.stderr, r"error: .*\n$")
        self.assertEqual(self.content(), before)


if __name__ == "__main__":
    AddValidator.source, AddValidator.build, AddValidator.library_folder = map(pathlib.Path, sys.argv[1:4])
    AddValidator.compiler = [word for word in sys.argv[4].split(";") if word]
    unittest.main(argv=sys.argv[:1])
