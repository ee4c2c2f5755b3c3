"""Whatever lies in tools/ is reached: by a test, a goal of make, a page, a profile that names its script, or a tool that is reached itself.

Environment: PROJECT (folder).
"""

import ast
import collections
import os
import re
import sys
import unittest
from pathlib import Path

PROJECT = Path(os.environ["PROJECT"])
sys.path.insert(0, str(PROJECT / "tests/architecture"))

import imports_test  # noqa: E402

PLACES = ("tests", "docs", "rules", "src", "benchmarks", "fuzz", "cmake", "examples")
NAME = re.compile(r"[\w./-]*\w\.(?:py|sh|toml|c|txt)\b|tools/[\w/]+")


def named_outside():
    """What other folders and the files beside them name: paths, or the last parts of one."""
    files = [file for place in PLACES for file in (PROJECT / place).rglob("*")] + list(PROJECT.glob("*"))
    texts = {".md", ".py", ".toml", ".txt", ".cpp", ".h", ".sh", ".cmake", ""}
    known = [file for file in files if file.suffix in texts and file.is_file() and file.stat().st_size < 1 << 20]
    return {name.rstrip("/") for file in known for name in NAME.findall(file.read_text(errors="replace"))}


def is_named(file, names):
    """By its path, or by the end of it with a folder at least."""
    path = file.relative_to(PROJECT)
    parts = path.parent.parts if file.name == "__main__.py" else path.parts
    return any("/".join(parts[start:]) in names for start in range(len(parts) - 1))


def reached(tools, names):
    imported = imports_test.graph([PROJECT / root for root in imports_test.ROOTS])
    todo = [file for file in tools if is_named(file, names)]
    found = set(todo)
    while todo:
        file = todo.pop()
        text = file.read_text(errors="replace")
        more = {other for other in tools if other.name in text and other.name != "__init__.py"} | imported.get(file, set())
        if file.name == "__main__.py":  # which may import them by any name
            more |= {other for other in tools if other.parent == file.parent}
        todo += more - found
        found |= more
    return found


class Tools(unittest.TestCase):
    def setUp(self):
        self.tools = [file for file in (PROJECT / "tools").rglob("*")
                      if file.is_file() and "__pycache__" not in file.parts and file.name != "__init__.py"]

    def test_each_is_reached(self):
        names = named_outside()
        self.assertEqual(sorted(str(file) for file in set(self.tools) - reached(self.tools, names)), [])
        self.assertNotIn(PROJECT / "tools/add_validator.py", reached(self.tools, set()))

    def test_each_function_is_named_somewhere(self):
        files = [file for file in [*self.tools, *(PROJECT / "tests").rglob("*.py")] if file.suffix in (".py", ".sh")]
        counts = collections.Counter(word for file in files for word in re.findall(r"\w+", file.read_text()))
        defined = [(file, node.name) for file in self.tools if file.suffix == ".py"
                   for node in ast.parse(file.read_text()).body if isinstance(node, ast.FunctionDef)]
        self.assertGreater(len(defined), 300)
        self.assertEqual([f"{file}: {name}" for file, name in defined if counts[name] < 2], [])


if __name__ == "__main__":
    unittest.main()
