"""Becomes the program that the package carries, after a look at whether the installed torch fits it."""

import importlib.util
import os
import sys
from importlib import metadata
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
PROGRAM = FOLDER / "bin" / "model_validator"
BUILT_FOR = FOLDER / "share" / "model_validator" / "torch_version.txt"


def _minor(version):
    return ".".join(version.split(".")[:2])


def torch_misfit():
    """What is wrong with the installed torch, as an error and a hint; None when it fits."""
    wanted = _minor(BUILT_FOR.read_text(encoding="ascii").strip())
    hint = f"install the one that fits: pip install 'torch=={wanted}.*'"
    try:
        found = metadata.version("torch")
    except metadata.PackageNotFoundError:
        return f"built for torch {wanted}, but torch is not installed", hint
    if _minor(found) != wanted:
        return f"built for torch {wanted}, but torch {found} is installed", hint
    return None


def environment():
    """The environment, with LibTorch's folder added where torch is not installed beside this package."""
    torch_folder = Path(importlib.util.find_spec("torch").submodule_search_locations[0])
    if torch_folder == FOLDER.parent / "torch":
        return os.environ
    folders = [str(torch_folder / "lib"), *filter(None, [os.environ.get("LD_LIBRARY_PATH")])]
    return {**os.environ, "LD_LIBRARY_PATH": os.pathsep.join(folders)}


def main():
    misfit = torch_misfit()
    if misfit:
        error, hint = misfit
        print(f"error: {error}\n  = help: {hint}", file=sys.stderr)
        return 2
    os.execve(PROGRAM, [str(PROGRAM), *sys.argv[1:]], environment())


if __name__ == "__main__":
    sys.exit(main())
