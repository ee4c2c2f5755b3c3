"""No function has a cyclomatic complexity above 15, as lizard counts it.

Environment: PROJECT.
"""

import os
import unittest
from pathlib import Path

import lizard

PROJECT = Path(os.environ["PROJECT"])
MOST = 15


def complex_functions():
    """Those above the limit: file and name, and their complexity."""
    files = [str(file) for base in ("src", "include", "python", "tools") for file in sorted((PROJECT / base).rglob("*"))
             if file.suffix in (".cpp", ".h", ".py")]
    assert len(files) > 1000, "where is the code?"
    found = {}
    for read in lizard.analyze_files(files, exts=lizard.get_extensions([])):
        for function in read.function_list:
            if function.cyclomatic_complexity > MOST:
                name = f"{Path(read.filename).relative_to(PROJECT)} {function.name}"
                found[name] = max(found.get(name, 0), function.cyclomatic_complexity)
    return found


class Complexity(unittest.TestCase):
    def test_functions_stay_simple(self):
        self.assertEqual(complex_functions(), {}, "divide these functions")


if __name__ == "__main__":
    unittest.main()
