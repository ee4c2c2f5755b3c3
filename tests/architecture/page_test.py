"""Every file and folder that docs/architecture.md, changes.toml, building.md and security.md name is there; the first has a row for each room, and
`tools/where.py` finds what the second says. Links of all pages lead somewhere.

Environment: PROJECT (folder).
"""

import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

import tomllib

PROJECT = Path(os.environ["PROJECT"])
ROOMS = ("src", "include", "rules", "tests", "tools", "cmake", "python", "page", "docs", "examples")
NAME = re.compile(r"`([\w./-]+\.(?:cpp|h|py|toml|cmake|map|sh|md)|(?:src|include|rules|tests|tools|python)/[\w./-]+)`")


def is_there(name, files):
    """Whether there is such a file or folder; the page may leave out where it lies."""
    return (PROJECT / name).exists() or any(file.endswith("/" + name.rstrip("/")) for file in files)


def anchors(page):
    """What its headings are linked by."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.strip().lower()).replace(" ", "-") for head in heads}


class Page(unittest.TestCase):
    def test_what_it_names_is_there(self):
        files = [path.as_posix() for room in ROOMS for path in (PROJECT / room).rglob("*")]
        pages = "".join((PROJECT / "docs" / page).read_text() for page in ("architecture.md", "changes.toml", "building.md", "security.md"))
        names = {name for name in NAME.findall(pages) if "NAME" not in name}
        self.assertGreater(len(names), 200)
        for name in sorted(names):
            with self.subTest(name=name):
                self.assertTrue(is_there(name, files))

    def test_links_lead_somewhere(self):
        pages = [*(PROJECT / "docs").rglob("*.md"), *PROJECT.glob("*.md")]
        for page in pages:
            text = re.sub(r"```.*?```|`[^`\n]*`|^ {4}.*$", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
            for path, anchor in re.findall(r"\]\((?!http)([^)#\s]*)(?:#([^)\s]+))?\)", text):
                to = page.parent / path if path else page
                with self.subTest(page=page.name, to=path, anchor=anchor):
                    self.assertTrue(to.exists())
                    self.assertTrue(not anchor or to.suffix != ".md" or anchor in anchors(to))

    def test_where_a_change_goes_is_found(self):
        def said(*words):
            return subprocess.run([sys.executable, PROJECT / "tools/where.py", *words], capture_output=True, text=True, check=False)
        self.assertIn("src/validators/NAME.cpp", said("a check").stdout)
        self.assertIn("operator_effects.cpp", said("operator", "TorchScript", "writes").stdout)
        self.assertGreater(len(said().stdout.splitlines()), 50)
        self.assertEqual(said("no such thing").returncode, 1)

    def test_rooms_have_rows(self):
        rows = re.findall(r"^\| (`.*?`) \|", (PROJECT / "docs/architecture.md").read_text(), re.MULTILINE)
        told = set()
        for row in rows:
            folders = [name.strip("/") for name in re.findall(r"`([^`]+/)`", row)]
            told.update(folders)
            told.update(str(beside / name) for name in folders[1:] if "/" not in name
                        for beside in (Path(folders[0]), Path(folders[0]).parent))
        rooms = tomllib.loads((PROJECT / "tests/architecture/walls.toml").read_text())["rooms"]
        folders = {f"src/{room}" if not room.startswith("include") else room.replace("include", "include/model_validator", 1)
                   for room in rooms}
        without = {"include/model_validator/partition", "include/model_validator/verify", "src/verify"}  # their rows are the rooms around and in them
        self.assertEqual(folders - told - without, set())


if __name__ == "__main__":
    unittest.main()
