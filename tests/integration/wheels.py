"""The wheel that the tests of it share.

Environment: WHEEL_FOLDER (holds it).
"""

import os
from pathlib import Path


def newest_wheel():
    """The one that was built last: an older version's may still lie beside it."""
    return max(Path(os.environ["WHEEL_FOLDER"]).glob("model_validator-*.whl"), key=lambda file: file.stat().st_mtime)
