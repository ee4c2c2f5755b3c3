"""The hook for an installed program.

Environment: PROGRAM (the built program), MODELS (the generated models).
"""

import os
import unittest
from pathlib import Path

from pre_commit_runs import HookRuns

PROGRAM = Path(os.environ["PROGRAM"])


class SystemHook(HookRuns, unittest.TestCase):
    hook = "model-validator-system"

    @classmethod
    def variables(cls):
        return {"PATH": os.pathsep.join([str(PROGRAM.parent), os.environ["PATH"]])}


if __name__ == "__main__":
    unittest.main()
