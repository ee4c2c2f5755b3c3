"""Checks that installed packages provide. None of the packages is imported here."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from typing import Any

from . import _places

ENTRY_POINTS = "model_validator.validators"
"""The group of entry points through which packages provide checks: each names a class."""


DISTRIBUTION = "model_validator"


def with_extra(extra: str) -> str:
    """The command that installs what an extra of this package needs. It never names this package to an index, where another
    may have taken its name."""
    from importlib import metadata

    try:
        with _places.without_current_folder():
            requirements = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        requirements = []
    needed = [text.split(";")[0].strip() for text in requirements if re.search(rf"extra *== *['\"]{extra}['\"]", text)]
    if not needed:
        return f"install the wheel with its extra: pip install 'model_validator[{extra}] @ file:///PATH/FILE.whl'"
    return f"pip install {' '.join(map(shlex.quote, needed))}"


def entry_points() -> Iterable[Any]:
    """Those of that group."""
    from importlib import metadata  # slow to import

    with _places.without_current_folder():
        return metadata.entry_points(group=ENTRY_POINTS)
