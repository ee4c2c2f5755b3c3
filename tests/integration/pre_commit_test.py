"""The hook for an installed program.

Environment: PROGRAM (the built program), MODELS (the generated models).
"""

import os
import unittest
from pathlib import Path

from pre_commit_runs import PROJECT, HookRuns

PROGRAM = Path(os.environ["PROGRAM"])


class SystemHook(HookRuns, unittest.TestCase):
    hook = "model-validator-system"

    @classmethod
    def variables(cls):
        return {"PATH": os.pathsep.join([str(PROGRAM.parent), os.environ["PATH"]])}


class LocalHook(SystemHook):
    """The same without a repository of hooks."""

    @classmethod
    def configure(cls):
        return (PROJECT / "examples/pre_commit/installed.yaml").read_text().rstrip("\n") + "\n        verbose: true\n"


if __name__ == "__main__":
    unittest.main()
