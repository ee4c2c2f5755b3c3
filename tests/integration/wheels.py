"""The wheel that the tests of it share, and the machine of somebody who has none of the libraries that it was built with.

Environment: WHEEL_FOLDER (holds it).
"""

import os
import platform
import re
import subprocess
from functools import cache
from pathlib import Path
from zipfile import ZipFile

# The script that reads RUNPATHs.
RUN_PATHS = Path(__file__).resolve().parents[1] / "architecture" / "run_paths.py"
SYSTEM_LIBRARIES = Path(f"/usr/lib/{platform.machine()}-linux-gnu")
# The C++ library that comes with glibc 2.34 in RHEL 9: that of GCC 11.
LIBSTDCXX_OF_GCC_11 = (3, 4, 29)
# Lays an empty file over each library that is named before `--`, then becomes the command after it.
HIDE = 'while [ "$1" != -- ]; do mount --bind /dev/null "$1" || exit 99; shift; done; shift; exec "$@"'


def newest_wheel(architecture=None):
    """The one for this machine, or for another, that was built last: an older version's may still lie beside it."""
    return max(wheels_for(architecture or platform.machine()), key=lambda file: file.stat().st_mtime)


def wheels_for(architecture):
    return list(Path(os.environ["WHEEL_FOLDER"]).glob(f"model_validator-*_{architecture}.whl"))


def system_copies():
    """The libraries of this system that the wheel brings itself."""
    bundled = (re.search(r"model_validator\.libs/(.+)-[0-9a-f]{8}\.so", name) for name in ZipFile(newest_wheel()).namelist())
    return sorted(path for match in bundled if match for path in SYSTEM_LIBRARIES.glob(f"{match[1]}.so*") if not path.is_symlink())


def torch_versions(architecture=None):
    """The minor versions of torch that the wheel serves."""
    found = (re.search(r"/torch-([\d.]+)/", name) for name in ZipFile(newest_wheel(architecture)).namelist())
    return sorted({match[1] for match in found if match})


def elf_files(folder):
    """The programs and libraries of the package that is installed there."""
    return [file for part in ("model_validator", "model_validator.libs") for file in (folder / part).rglob("*")
            if file.is_file() and file.read_bytes()[:4] == b"\x7fELF"]


def too_new(folder, wheel):
    """What the files of an installed wheel ask of the C and C++ libraries beyond what its name promises."""
    promised = tuple(map(int, re.search(r"manylinux_(\d+)_(\d+)_", wheel.name).groups()))
    asked = [(file.name, prefix, version, limit) for file in elf_files(folder)
             for prefix, limit in (("GLIBC", promised), ("GLIBCXX", LIBSTDCXX_OF_GCC_11)) for version in versions_needed(file, prefix)]
    return [(name, prefix, version) for name, prefix, version, limit in asked if version > limit]


def versions_needed(file, prefix):
    """The versions of symbols that an ELF file asks of other libraries, such as (2, 34) for `GLIBC_2.34`."""
    table = subprocess.run(["readelf", "--version-info", "--wide", file], capture_output=True, text=True, check=True).stdout
    needed = table.partition("Version needs section")[2]
    return {tuple(map(int, version.split("."))) for version in re.findall(rf"Name: {prefix}_([\d.]+)\b", needed)}


@cache
def without_system_libraries():
    """A command before a command, for which the system has none of these libraries; nothing where that is not allowed."""
    present = system_copies()
    for user in ([], ["--map-root-user"]):
        command = ["unshare", "--mount", *user, "bash", "-c", HIDE, "hide", *map(str, present), "--"]
        if present and subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0:
            return tuple(command)
    return ()
