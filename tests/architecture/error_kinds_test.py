"""docs/error-kinds.md lists the kinds of errors that the sources throw, and no others.

Environment: PROJECT (folder).
"""

import os
import re
import unittest
from pathlib import Path

PROJECT = Path(os.environ["PROJECT"])
WORD = r'"([a-z]+(?:-[a-z]+)*)"'
THROWN = re.compile(rf'(?:\bError\(|KnownFile \w+\{{|missing\([^;]*?,|bad_\w+ =)\s*{WORD}|return \{{{WORD}, file,')


class Kinds(unittest.TestCase):
    def setUp(self):
        self.sources = "\n".join(file.read_text() for file in (PROJECT / "src").rglob("*.cpp"))
        rows = re.findall(r"^\| (`.*?) \|", (PROJECT / "docs" / "error-kinds.md").read_text(), re.MULTILINE)
        self.listed = [kind for row in rows for kind in re.findall(r"`([a-z-]+)`", row)]

    def test_all_that_are_thrown_are_listed(self):
        thrown = {first or second for first, second in THROWN.findall(self.sources)}
        self.assertGreater(len(thrown), 80)
        self.assertEqual(sorted(thrown - set(self.listed)), [])

    def test_all_that_are_listed_are_thrown_and_listed_once(self):
        self.assertEqual(len(self.listed), len(set(self.listed)))
        words = set(re.findall(WORD, self.sources))
        self.assertEqual(sorted(set(self.listed) - words), [])


if __name__ == "__main__":
    unittest.main()
