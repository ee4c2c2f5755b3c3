"""The installed torch: whether it is the one that this package was built for, and where its libraries are.

Nothing here imports torch.
"""

from __future__ import annotations

import ctypes
import importlib.util
import re
import sys
from functools import cache
from pathlib import Path

from ._places import torch_version_file


def minor(version: str) -> str:
    """`2.13` of `2.13.0+cu130`."""
    return ".".join(version.split(".")[:2])


def built_for() -> str:
    """The minor version of torch whose libraries this package fits."""
    return minor(torch_version_file().read_text(encoding="ascii").strip())


def folder() -> Path | None:
    """The folder of the installed torch; None without one."""
    module = sys.modules.get("torch")
    if module is not None and getattr(module, "__file__", None):
        return Path(str(module.__file__)).parent
    try:
        spec = importlib.util.find_spec("torch")
    except (ImportError, ValueError):
        return None
    places = list(spec.submodule_search_locations or []) if spec else []
    return Path(places[0]) if places else None


def installed_version(torch_folder: Path) -> str | None:
    """As torch itself states it, without its being imported."""
    try:
        text = (torch_folder / "version.py").read_text(encoding="utf-8")
    except OSError:
        return None
    found = re.search(r"^__version__ *= *['\"]([^'\"]+)", text, re.MULTILINE)
    return found.group(1) if found else None


def misfit() -> tuple[str, str] | None:
    """What is wrong with the installed torch, as a cause and a hint; None when it fits."""
    wanted = built_for()
    hint = f"install the one that fits: pip install 'torch=={wanted}.*'"
    torch_folder = folder()
    if torch_folder is None:
        return f"TorchScript is read with torch {wanted}, which is not installed", hint
    found = installed_version(torch_folder)
    if found is None or minor(found) != wanted:
        return (
            f"this package was built for torch {wanted}, but torch {found or 'of an unknown version'} is installed",
            hint,
        )
    return None


def library_folder() -> Path | None:
    """Where LibTorch lies, when it fits; None where there is none that may be loaded."""
    torch_folder = folder()
    return torch_folder / "lib" if torch_folder is not None and misfit() is None else None


@cache
def load_libtorch() -> None:
    """Loads LibTorch into this process, so that libraries that need it find it wherever it is installed.

    An imported torch has done so already. CUDA builds want more than LibTorch itself: there torch is imported.
    """
    libraries = library_folder()
    if libraries is None or "torch" in sys.modules:
        return
    try:
        for name in ("libc10.so", "libtorch_cpu.so"):
            ctypes.CDLL(str(libraries / name), mode=ctypes.RTLD_GLOBAL)
    except OSError:
        importlib.import_module("torch")
