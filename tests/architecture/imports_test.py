"""No Python modules import each other in a circle, wherever in a file they do, and if only for the types.

Environment: PROJECT (folder).
"""

import ast
import functools
import graphlib
import os
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(os.environ["PROJECT"])
# Where modules are looked up, and what a script in a folder finds beside itself.
ROOTS = ["python", *sorted({str(file.parent.relative_to(PROJECT)) for file in PROJECT.glob("tools/**/*.py")})]


def modules_of(roots):
    """Files by their name as a module of each root; `package` for its `__init__.py`."""
    for root in roots:
        for file in root.rglob("*.py"):
            parts = list(file.relative_to(root).with_suffix("").parts)
            if parts[-1] == "__init__":
                parts.pop()
            yield root, ".".join(parts), file


@functools.cache
def imports_in(text):
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]


def imported(file, name):
    """What a file imports: each name as a module that it may be."""
    package = name.split(".") if file.name == "__init__.py" else name.split(".")[:-1]
    for node in imports_in(file.read_text()):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        else:
            start = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*start, *filter(None, [node.module])])
            yield from (f"{base}.{alias.name}".lstrip(".") for alias in node.names)
            yield base


def graph(roots):
    """Files and the files that each imports. A package's own `__init__.py` is what its modules start from, and imports them late."""
    found = list(modules_of(roots))
    known = {(root, name): file for root, name, file in found}
    others = {}
    for root, name, file in found:
        others.setdefault(file, set()).update(
            other for wanted in imported(file, name) if (other := known.get((root, wanted))) and other.name != "__init__.py" and other != file
        )
    return others


def circle(roots):
    """The files of one; none where there is none."""
    try:
        graphlib.TopologicalSorter(graph(roots)).prepare()
    except graphlib.CycleError as error:
        return [str(file) for file in error.args[1]]
    return []


class Imports(unittest.TestCase):
    def test_there_is_no_circle(self):
        self.assertEqual(circle([PROJECT / root for root in ROOTS]), [])

    def test_there_is_something_to_look_at(self):
        others = graph([PROJECT / root for root in ROOTS])
        package = PROJECT / "python/model_validator"
        self.assertIn(package / "_library.py", others[package / "report.py"])
        self.assertIn(package / "_library.py", others[package / "batch/_settings.py"])
        self.assertIn(PROJECT / "tools/rules/probe/question.py", others[PROJECT / "tools/rules/probe/children.py"])

    def test_a_circle_is_found(self):
        for of_other, of_one in [("from . import one", "from . import other"), ("import p.one", "def f():\n    from .other import x"),
                                 ("from p.one import y", "if TYPE_CHECKING:\n    from .other import x")]:
            with self.subTest(of_one=of_one), tempfile.TemporaryDirectory() as folder:
                package = Path(folder) / "p"
                package.mkdir()
                (package / "__init__.py").touch()
                (package / "one.py").write_text(of_one)
                (package / "other.py").write_text("x = 1")
                self.assertEqual(circle([Path(folder)]), [])
                (package / "other.py").write_text(of_other)
                self.assertEqual({Path(file).name for file in circle([Path(folder)])}, {"one.py", "other.py"})


if __name__ == "__main__":
    unittest.main()
