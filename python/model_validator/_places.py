"""Where the parts of this package are: inside it, or in the tree that MODEL_VALIDATOR_PREFIX names."""

from __future__ import annotations

import importlib.util
import os
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
STANDARD_LIBRARY = sysconfig.get_path("stdlib")


@contextmanager
def without_current_folder() -> Iterator[None]:
    """Meanwhile nothing is imported from the current folder, which may be a cloned repository, only because Python was started
    there. It stays where this package lies in it, or where an installed package of the user's does: after Python's own folders.
    """
    before = list(sys.path)
    try:
        current = Path.cwd()
    except FileNotFoundError:  # it was removed: nothing is imported from there
        yield
        return
    own = before.index(STANDARD_LIBRARY) if STANDARD_LIBRARY in before else len(before)
    if PACKAGE.parent != current:
        sys.path[:] = [place for place in before[:own] if Path(place or ".").resolve() != current] + before[own:]
    try:
        yield
    finally:
        sys.path[:] = before


def elsewhere(*packages: str) -> list[Path]:
    """The folders that hold these packages, which are not imported; none for one that is not installed, or is next to this package."""
    found = []
    with without_current_folder():
        for package in packages:
            try:
                spec = importlib.util.find_spec(package)
            except (ImportError, ValueError):
                continue
            found += [Path(place).parent for place in (spec.submodule_search_locations or [])[:1]] if spec else []
    return [folder for folder in dict.fromkeys(found) if folder != PACKAGE.parent]


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
