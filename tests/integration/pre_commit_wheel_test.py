"""The hook that installs the program with pip: pre-commit makes the environment, pip installs the wheel into it.

That the wheel is built from the sources is the matter of the test before; the repository of the hooks hands it out as it
is, and torch is that of the environment the test runs in.

Environment: WHEEL_FOLDER (holds the wheel), MODELS (the generated models).
"""

import shutil
import sysconfig
import unittest

from pre_commit_runs import HookRuns
from wheels import newest_wheel

PROJECT_FILE = """\
[build-system]
requires = []
build-backend = "ready_made"
backend-path = ["."]
"""
BACKEND = """\
import shutil
from pathlib import Path


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    (wheel,) = Path(__file__).parent.glob("*.whl")
    shutil.copy(wheel, wheel_directory)
    return wheel.name
"""


class PythonHook(HookRuns, unittest.TestCase):
    hook = "model-validator"

    @classmethod
    def add_to_hooks(cls, folder):
        (folder / "pyproject.toml").write_text(PROJECT_FILE)
        (folder / "ready_made.py").write_text(BACKEND)
        shutil.copy(newest_wheel(), folder)

    @classmethod
    def variables(cls):
        return {"PYTHONPATH": sysconfig.get_path("purelib"), "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


if __name__ == "__main__":
    unittest.main()
