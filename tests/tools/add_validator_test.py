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


class AddValidator(unittest.TestCase):
    source = build = library_folder = compiler = None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = pathlib.Path(folder.name)
        for part in ("src", "include", "tests/validators", "tests/support", "docs/rules"):
            shutil.copytree(cls.source / part, cls.root / part)
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

    def test_only_the_two_lists_change_and_they_stay_sorted(self):
        before = self.content()
        self.add("no-erf", "--code", "GRA950")
        self.add("another-one", "--code", "AAA001")
        now = self.content()
        changed = [path for path, text in before.items() if now[path] != text]
        checks, registry = self.root / "src/validators/checks.h", self.root / "src/validators/registry.cpp"
        self.assertEqual(set(changed), {checks, registry})
        names = re.findall(r"^extern const Check (\w+);$", now[checks].decode(), re.M)
        self.assertLess({"no_erf", "another_one"}, set(names))
        self.assertEqual(names, sorted(names))
        codes = re.findall(r"// ([A-Z]{3}\d{3})$", now[registry].decode(), re.M)
        self.assertIn("GRA950", codes)
        self.assertEqual(codes, sorted(codes))
        self.assertEqual(codes[0], "AAA001")

    def test_the_page_has_the_headings_of_every_page(self):
        self.add("no-erf", "--code", "NUM901")
        pages = self.root / "docs/rules"
        headings = [re.findall(r"^## .*$", (pages / name).read_text(), re.M) for name in ("no-erf.md", "reused-modules.md")]
        self.assertEqual(*headings)

    def test_what_cannot_be_added_changes_nothing(self):
        before = self.content()
        for args in (("reused-modules", "--code", "NUM901"), ("no-erf", "--code", "GRA001"), ("NoErf", "--code", "NUM901"),
                     ("no-erf", "--code", "N1"), ("no-erf", "--code", "NUM901", "--op", 'a"b')):
            with self.subTest(args):
                refused = self.add(*args)
                self.assertEqual(refused.returncode, 2)
                self.assertRegex(refused.stderr, r"^error: .*\n$")
        self.assertEqual(self.content(), before)


if __name__ == "__main__":
    AddValidator.source, AddValidator.build, AddValidator.library_folder = map(pathlib.Path, sys.argv[1:4])
    AddValidator.compiler = [word for word in sys.argv[4].split(";") if word]
    unittest.main(argv=sys.argv[:1])
