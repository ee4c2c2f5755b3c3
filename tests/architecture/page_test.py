"""Every file and folder that docs/architecture.md names is there.

Environment: PROJECT (folder).
"""

import os
import re
import unittest
from pathlib import Path

PROJECT = Path(os.environ["PROJECT"])
ROOMS = ("src", "include", "rules", "tests", "tools", "cmake", "python")
NAME = re.compile(r"`([\w./-]+\.(?:cpp|h|py|toml|cmake|map|sh|md)|(?:src|include|rules|tests|tools|python)/[\w./-]+)`")


def is_there(name, files):
    """Whether there is such a file or folder; the page may leave out where it lies."""
    return (PROJECT / name).exists() or any(file.endswith("/" + name.rstrip("/")) for file in files)


class Page(unittest.TestCase):
    def test_what_it_names_is_there(self):
        files = [path.as_posix() for room in ROOMS for path in (PROJECT / room).rglob("*")]
        names = {name for name in NAME.findall((PROJECT / "docs/architecture.md").read_text()) if "NAME" not in name}
        self.assertGreater(len(names), 40)
        for name in sorted(names):
            with self.subTest(name=name):
                self.assertTrue(is_there(name, files))


if __name__ == "__main__":
    unittest.main()
