"""Where the parts of this package are: inside it, or in the tree that MODEL_VALIDATOR_PREFIX names."""

from __future__ import annotations

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def prefix() -> Path:
    """The folder with `bin`, `lib` and `share`."""
    named = os.environ.get("MODEL_VALIDATOR_PREFIX")
    return Path(named) if named else PACKAGE


def program() -> Path:
    """The program."""
    return prefix() / "bin" / "model_validator"


def library() -> Path:
    """The core library."""
    found = sorted(prefix().glob("lib*/**/libmodel_validator.so"))
    return found[0] if found else prefix() / "lib" / "libmodel_validator.so"


def torch_libraries() -> list[Path]:
    """The folders of the libraries that need LibTorch, one for each minor version of torch: `torch-2.13`."""
    return list((library().parent / "model_validator").glob("torch-*"))
