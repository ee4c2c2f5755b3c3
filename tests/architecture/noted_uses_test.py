"""docs/target-tables.md lists the values of `use` that constraints of target profiles may name, in the order of `NotedUse`.

Environment: PROJECT (folder).
"""

import os
import re
import unittest
from pathlib import Path

PROJECT = Path(os.environ["PROJECT"])


class Uses(unittest.TestCase):
    def setUp(self):
        header = (PROJECT / "src/connected_graph/noted_use.h").read_text()
        self.names = re.findall(r"^  (\w+),$", header, re.MULTILINE)
        words = re.search(r"noted_uses = \{(.*?)\};", header, re.DOTALL).group(1)
        self.words = re.findall(r'"([^"]+)"', words)

    def test_each_has_its_own_word(self):
        self.assertEqual([name.replace("_", " ") for name in self.names], [word.lower() for word in self.words])

    def test_all_are_documented(self):
        table = (PROJECT / "docs/target-tables.md").read_text().split("| `use` | noted at")[1].split("\n\n")[0]
        rows = re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)
        self.assertEqual([*self.words, "constant TYPE"], rows)

    def test_all_are_noted(self):
        code = PROJECT / "src/connected_graph/torchscript/code"
        source = "".join((code / name).read_text() for name in ("use_marks.cpp", "whole_code.cpp"))
        self.assertEqual(set(self.names), set(re.findall(r"NotedUse::(\w+)", source)))


if __name__ == "__main__":
    unittest.main()
