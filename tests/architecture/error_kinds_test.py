"""docs/error-kinds.md lists the kinds of errors, in the order of `ErrorKind`, and each of them is met. What torch deprecates is recommended by none.

Environment: PROJECT (folder).
"""

import os
import re
import unittest
from pathlib import Path

PROJECT = Path(os.environ["PROJECT"])


class Kinds(unittest.TestCase):
    def setUp(self):
        header = (PROJECT / "include/model_validator/error_kind.h").read_text()
        body = re.search(r"enum class ErrorKind \{(.*?)\};", header, re.DOTALL).group(1)
        self.kinds = re.findall(r"^  (\w+),", body, re.MULTILINE)
        self.words = re.findall(r'"([a-z-]+)"', header)

    def test_each_has_its_own_word(self):
        self.assertEqual([kind.replace("_", "-") for kind in self.kinds], self.words)

    def test_all_are_documented(self):
        rows = re.findall(r"^\| (`.*?) \|", (PROJECT / "docs" / "error-kinds.md").read_text(), re.MULTILINE)
        self.assertEqual(self.words, [word for row in rows for word in re.findall(r"`([a-z-]+)`", row)])

    def test_all_are_met(self):
        sources = "\n".join(file.read_text() for file in (PROJECT / "src").rglob("*.*") if file.suffix in (".cpp", ".h"))
        self.assertEqual(set(self.kinds) - set(re.findall(r"ErrorKind::(\w+)", sources)), set())

    def test_who_is_told_to_export_is_told_of_torch_export(self):
        for file in (PROJECT / "src").rglob("*.*"):
            if file.suffix not in (".cpp", ".h"):
                continue
            texts = re.findall(r'(?:"(?:[^"\\\n]|\\.)*"\s*)+', file.read_text())
            for text in texts:
                with self.subTest(file=str(file), text=text):
                    if re.search(r"torch\.jit\.(script|trace)\(", text):
                        self.assertRegex(text, r"torch\.export\.export")


if __name__ == "__main__":
    unittest.main()
