"""The installed torch: whether this package has libraries for it, and where LibTorch is.

Nothing here imports torch.
"""

from __future__ import annotations

import ctypes
import importlib.util
import re
import sys
from functools import cache
from pathlib import Path

from . import _places
from ._places import torch_libraries


def minor(version: str) -> str:
    """`2.13` of `2.13.0+cu130`."""
    return ".".join(version.split(".")[:2])


def served() -> list[str]:
    """The minor versions of torch that this package has libraries for, oldest first."""
    versions = [folder.name.removeprefix("torch-") for folder in torch_libraries()]
    return sorted(versions, key=lambda version: [int(part) for part in version.split(".")])


def folder() -> Path | None:
    """The folder of the installed torch; None without one."""
    module = sys.modules.get("torch")
    if module is not None and getattr(module, "__file__", None):
        return Path(str(module.__file__)).parent
    with _places.without_current_folder():
        try:
            spec = importlib.util.find_spec("torch")
        except (ImportError, ValueError):
            return None
    places = list(spec.submodule_search_locations or []) if spec else []
    return Path(places[0]) if places else None


def installed_version(torch_folder: Path) -> str | None:
    """As torch itself states it, without importing torch."""
    try:
        text = (torch_folder / "version.py").read_text(encoding="utf-8")
    except OSError:
        return None
    found = re.search(r"^__version__ *= *['\"]([^'\"]+)", text, re.MULTILINE)
    return found.group(1) if found else None


def misfit() -> tuple[str, str] | None:
    """What is wrong with the installed torch, as a cause and a hint; None when it fits."""
    fitting = served()
    if not fitting:
        return "this package was built without torch", "install torch, then model_validator again"
    wanted = f"torch {', '.join(fitting)}"
    hint = f"install one that fits: pip install 'torch=={fitting[-1]}.*'"
    torch_folder = folder()
    if torch_folder is None:
        return f"TorchScript is read with {wanted}, which is not installed", hint
    found = installed_version(torch_folder)
    if found is None or minor(found) not in fitting:
        return f"this package is built for {wanted}, but torch {found or 'of an unknown version'} is installed", hint
    return None


def library_folder() -> Path | None:
    """Where LibTorch is, even if its version does not fit; None without torch."""
    torch_folder = folder()
    return torch_folder / "lib" if torch_folder is not None else None


@cache
def load_libtorch() -> None:
    """Loads LibTorch into this process, so that libraries that need it find it, wherever it is installed.

    An imported torch has already done so. CUDA builds need more than LibTorch itself; for them torch is imported.
    """
    libraries = library_folder()
    if libraries is None or "torch" in sys.modules or misfit() is not None:
        return
    try:
        for name in ("libc10.so", "libtorch_cpu.so"):
            ctypes.CDLL(str(libraries / name), mode=ctypes.RTLD_GLOBAL)
    except OSError:
        importlib.import_module("torch")
