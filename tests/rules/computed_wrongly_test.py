"""Holds docs/computed-wrongly.md against the tables that it is made from."""

import pathlib
import sys
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools" / "rules"
sys.path.insert(0, str(TOOLS))

import wrong_page  # noqa: E402  # found by the path above


class IsMadeFromTheTables(unittest.TestCase):
    def test_word_for_word(self):
        self.assertEqual(wrong_page.PAGE.read_text(), wrong_page.page(), "run tools/rules/wrong_page.py")


if __name__ == "__main__":
    unittest.main()
