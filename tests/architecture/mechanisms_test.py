"""The table of what keeps the promises of docs/security.md names sentences and code that are there.

Environment: PROJECT (folder).
"""

import os
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(os.environ["PROJECT"]) / "tools/security"))

import mechanisms


class Mechanisms(unittest.TestCase):
    def test_each_is_where_the_table_says(self):
        self.assertGreater(len(mechanisms.read_mechanisms()), 60)


if __name__ == "__main__":
    unittest.main()
