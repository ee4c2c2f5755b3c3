"""The hooks that pip installs, run by the real pre-commit, which makes an environment for each.

That of examples/pre_commit/ installs the wheel. The one that compiles has the wheel built by the test before: the repository of
the hooks hands it out as it is. torch is that of the environment the test runs in.

Environment: WHEEL_FOLDER (holds the wheel), MODELS (the generated models).
"""

import re
import shutil
import sysconfig
import unittest

from pre_commit_runs import PROJECT, HookRuns
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
    assert config_settings["build.requires"].startswith("torch"), config_settings
    (wheel,) = Path(__file__).parent.glob("*.whl")
    shutil.copy(wheel, wheel_directory)
    return wheel.name
"""


class Installing:
    """pip finds what it needs in the environment of the test."""

    @classmethod
    def variables(cls):
        # pip takes this word to mean that builds are not isolated, and that it warns of no conflicts in that environment.
        return {"PYTHONPATH": sysconfig.get_path("purelib"), "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1",
                "PIP_NO_BUILD_ISOLATION": "false", "PIP_NO_WARN_CONFLICTS": "false"}


class CompilingHook(Installing, HookRuns, unittest.TestCase):
    hook = "model-validator"

    @classmethod
    def add_to_hooks(cls, folder):
        (folder / "pyproject.toml").write_text(PROJECT_FILE)
        (folder / "ready_made.py").write_text(BACKEND)
        shutil.copy(newest_wheel(), folder)


class WheelHook(Installing, HookRuns, unittest.TestCase):
    @classmethod
    def configure(cls):
        """That of the example, whose address is that of the wheel at hand."""
        text = (PROJECT / "examples" / "pre_commit" / ".pre-commit-config.yaml").read_text()
        configuration, addresses = re.subn(rf"https://\S+/{re.escape(newest_wheel().name)}", newest_wheel().as_uri(), text)
        assert addresses == 1, text
        text_with_target, configuration = configuration, configuration.replace("--target, openvino", "--preset, quantise")
        assert configuration != text_with_target, "the example names no target"
        return configuration.replace("require_serial: true", "require_serial: true\n        verbose: true")


if __name__ == "__main__":
    unittest.main()
