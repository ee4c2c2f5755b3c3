"""The packages of the extra `hub`, imported when they are needed."""

from __future__ import annotations

import importlib
from typing import Any

from .._installed import with_extra
from ..errors import ModelValidatorError


def package(name: str) -> Any:
    """The imported package. @raises ModelValidatorError if it is not installed"""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        missing = f"whole hubs need the package {name.split('.', maxsplit=1)[0]}: {error}"
        raise ModelValidatorError("backend-missing", "", missing, with_extra("hub")) from error
