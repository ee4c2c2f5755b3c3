"""page/page.html is what its sources are built to, and they are well typed.

Environment: PROJECT (a folder).
"""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

PAGE = Path(os.environ["PROJECT"]) / "page"
MISSING = not shutil.which("npm") or not (PAGE / "node_modules").is_dir()


@unittest.skipIf(MISSING, "npm, or the packages that `make setup-tests` installs with it, are missing")
class Fresh(unittest.TestCase):
    """Needs the packages that the page is built from."""

    def test_the_built_page_is_that_of_the_sources(self):
        with tempfile.TemporaryDirectory() as folder:
            built = Path(folder) / "page.html"
            subprocess.run(["node", "build.mjs", built], cwd=PAGE, check=True)
            self.assertTrue(built.read_bytes() == (PAGE / "page.html").read_bytes(), "`make page` builds it")

    def test_the_sources_are_well_typed(self):
        done = subprocess.run(["npm", "run", "--silent", "check"], cwd=PAGE, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
