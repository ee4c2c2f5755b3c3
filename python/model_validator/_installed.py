"""Checks that installed packages provide. None of the packages is imported here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from . import _places

ENTRY_POINTS = "model_validator.validators"
"""The group of entry points through which packages provide checks: each names a class."""


def entry_points() -> Iterable[Any]:
    """Those of that group."""
    from importlib import metadata  # slow to import

    with _places.without_current_folder():
        return metadata.entry_points(group=ENTRY_POINTS)
