"""Prints where this Python's torch package is, or would be, as a CMake list, without importing it.

While pip builds in isolation, the packages of the environment are hidden from imports, not gone.
"""

import importlib.util
import site
import sysconfig
from pathlib import Path

spec = importlib.util.find_spec("torch")
imported = list(spec.submodule_search_locations or []) if spec else []
installed = [sysconfig.get_path("platlib"), sysconfig.get_path("purelib"), *site.getsitepackages(), site.getusersitepackages()]
print(";".join([*imported, *(str(Path(folder) / "torch") for folder in installed)]))
