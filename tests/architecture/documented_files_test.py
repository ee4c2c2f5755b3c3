"""docs/architecture.md has a row for each room, and what it and docs/security.md name exists.

Environment: PROJECT (folder).
"""

import os
import re
import unittest
from pathlib import Path

import tomllib

PROJECT = Path(os.environ["PROJECT"])
FOLDERS = ("docs", "examples", "include", "page", "python", "rules", "src", "tests", "tools")
NAMED = re.compile(r"`((?:[\w.-]+/)*\w[\w.-]*\.(?:cpp|h|py|ts|toml))`")


class Documented(unittest.TestCase):
    def test_files_exist(self):
        files = {f"/{file.relative_to(PROJECT)}" for folder in FOLDERS for file in (PROJECT / folder).rglob("*.*")
                 if "node_modules" not in file.parts}
        for page in ("docs/architecture.md", "docs/security.md"):
            for name in set(NAMED.findall((PROJECT / page).read_text())):
                if "NAME" not in name and not name.startswith("pyproject"):
                    with self.subTest(page=page, name=name):
                        self.assertTrue(any(file.endswith(f"/{name}") for file in files))

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
