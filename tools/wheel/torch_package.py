"""Prints the folder of a torch package of one minor version: this Python's, else the needed parts of a wheel from PyPI.

    torch_package.py 2.8 FOLDER      unpacked in FOLDER/2.8/torch, with the CUDA libraries that LibTorch cannot be loaded without
    torch_package.py all FOLDER      the same for every minor version on PyPI, from 2.8 on; one per line
    torch_package.py 2.8 FOLDER aarch64    for a machine of that architecture

The wheel may be for another Python: no code of it is run.
"""

from __future__ import annotations

import argparse
import mmap
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from importlib import metadata, util
from pathlib import Path
from zipfile import ZipFile

OLDEST = (2, 8)
# Any tag for which there are wheels of every version.
PYTHON = "3.12"
# What is compiled against, and what libtorch_cpu.so loads, which is more for aarch64.
LIBRARIES = r"libtorch_cpu|libc10|libgfortran|(libgomp|libopenblas|libarm_compute|libnvpl)[^/]*"
PARTS = re.compile(rf"torch/(include/.*|version\.py|lib/({LIBRARIES})\.so[^/]*)")
# As ELF files number them.
MACHINES = {"x86_64": 62, "aarch64": 183}
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]


def minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


def installed(version: str, architecture: str) -> Path | None:
    """The package that this Python finds, where it is of that version, and for that machine."""
    spec = util.find_spec("torch")
    places = list(spec.submodule_search_locations or []) if spec else []
    if not places or minor(metadata.version("torch")) != version:
        return None
    package = Path(places[0])
    return package if machine_of(package / "lib/libtorch_cpu.so") == MACHINES[architecture] else None


def machine_of(library: Path) -> int:
    """The machine that an ELF file states."""
    with library.open("rb") as file:
        return int.from_bytes(file.read(20)[18:], "little")


def choice(architecture: str) -> list[str]:
    """The options with which pip takes wheels for another Python, and for another machine."""
    options = ["--only-binary=:all:", "--python-version", PYTHON]
    if architecture == platform.machine():
        return options
    return [*options, *(f"--platform=manylinux{release}_{architecture}" for release in ("2014", *(f"_2_{minor}" for minor in range(17, 35))))]


def download(requirement: str, folder: Path, architecture: str) -> Path:
    command = [*PIP, "download", "--quiet", "--no-deps", *choice(architecture)]
    if subprocess.run([*command, "--dest", str(folder), requirement], check=False, stdout=subprocess.DEVNULL).returncode != 0:
        sys.exit(f"torch_package: {requirement} cannot be downloaded")
    return max(folder.glob("*.whl"), key=lambda wheel: wheel.stat().st_mtime)


def unpack(wheel: Path, folder: Path, wanted: re.Pattern[str]) -> None:
    with ZipFile(wheel) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if wanted.fullmatch(name)])


def cuda_packages(libtorch: Path) -> list[str]:
    """What a LibTorch that was built for CUDA needs to load: two small packages of the many that torch asks for."""
    with libtorch.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        found = re.search(rb"\0libcudart\.so\.(\d+)\0", content)
        release = int(found.group(1)) if found else None
    if release is None:
        return []
    names = [f"nvidia-cuda-{part}" for part in ("runtime", "cupti")]
    return [f"{name}-cu12" if release == 12 else f"{name}=={release}.*" for name in names]


def fetch(version: str, folder: Path, architecture: str) -> Path:
    """Fetches it completely or not at all."""
    package = folder / version / "torch"
    if not package.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as temporary:
            work = Path(temporary)
            unpack(download(f"torch=={version}.*", work, architecture), work / version, PARTS)
            for requirement in cuda_packages(work / version / "torch/lib/libtorch_cpu.so"):
                unpack(download(requirement, work, architecture), work / version, re.compile(r"nvidia/.*\.so\.\d+"))
            shutil.move(work / version, folder / version)
    return package


def published(architecture: str) -> list[str]:
    """The minor versions on PyPI, oldest first."""
    command = [*PIP, "index", "versions", "torch", *choice(architecture)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    numbers = {(int(a), int(b)) for a, b in re.findall(r"\b(\d+)\.(\d+)\.\d+", text)}
    return [f"{a}.{b}" for a, b in sorted(numbers) if (a, b) >= OLDEST]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version")
    parser.add_argument("folder", type=Path)
    parser.add_argument("architecture", nargs="?", default=platform.machine())
    arguments = parser.parse_args()
    for version in published(arguments.architecture) if arguments.version == "all" else [arguments.version]:
        print(installed(version, arguments.architecture) or fetch(version, arguments.folder.resolve(), arguments.architecture), flush=True)


if __name__ == "__main__":
    main()
