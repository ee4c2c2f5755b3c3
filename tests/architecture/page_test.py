"""Every file and folder that docs/architecture.md names is there, and docs/security.md too; the former has a row for each room.

Environment: PROJECT (folder).
"""

import os
import re
import unittest
from pathlib import Path

import tomllib

PROJECT = Path(os.environ["PROJECT"])
ROOMS = ("src", "include", "rules", "tests", "tools", "cmake", "python")
NAME = re.compile(r"`([\w./-]+\.(?:cpp|h|py|toml|cmake|map|sh|md)|(?:src|include|rules|tests|tools|python)/[\w./-]+)`")


def is_there(name, files):
    """Whether there is such a file or folder; the page may leave out where it lies."""
    return (PROJECT / name).exists() or any(file.endswith("/" + name.rstrip("/")) for file in files)


class Page(unittest.TestCase):
    def test_what_it_names_is_there(self):
        files = [path.as_posix() for room in ROOMS for path in (PROJECT / room).rglob("*")]
        pages = "".join((PROJECT / page).read_text() for page in ("docs/architecture.md", "docs/security.md"))
        names = {name for name in NAME.findall(pages) if "NAME" not in name}
        self.assertGreater(len(names), 40)
        for name in sorted(names):
            with self.subTest(name=name):
                self.assertTrue(is_there(name, files))

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
