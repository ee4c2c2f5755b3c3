"""Becomes the program that the package carries, after a look at whether the installed torch fits it."""

import os
import sys
from importlib import metadata
from pathlib import Path

FOLDER = Path(__file__).parent
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


def main():
    misfit = torch_misfit()
    if misfit:
        error, hint = misfit
        print(f"error: {error}\n  = help: {hint}", file=sys.stderr)
        return 2
    os.execv(PROGRAM, [str(PROGRAM), *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
