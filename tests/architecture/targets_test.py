"""Each target of rules/ has its row in docs/targets.md and, with the script that made it, in docs/target-tables.md. Environment: PROJECT (folder)."""

import os
import re
import unittest
from pathlib import Path

import tomllib

PROJECT = Path(os.environ["PROJECT"])


def first_cells(page):
    """What the first cells of a page's tables name."""
    rows = re.findall(r"^\| (`[^|]*) \|", (PROJECT / page).read_text(), re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([\w-]+)`", row)}


class Targets(unittest.TestCase):
    def setUp(self):
        self.profiles = {file.stem: tomllib.loads(file.read_text())["target"] for file in (PROJECT / "rules").glob("*.toml")}
        # A table that another target's name stands for.
        self.behind = {name for each in self.profiles.values() for name in each.get("counterparts", [])}

    def test_each_is_among_the_targets(self):
        shown = set(self.profiles) - self.behind - {"openvino-onnx", "tensorrt-onnx"}
        self.assertEqual(sorted(shown - first_cells("docs/targets.md")), [])

    def test_each_says_where_its_table_comes_from(self):
        self.assertEqual(sorted(set(self.profiles) - first_cells("docs/target-tables.md")), [])


if __name__ == "__main__":
    unittest.main()
