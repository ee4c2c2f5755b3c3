"""run_paths.py FOLDER...: programs and libraries beneath the folders look for their libraries in no folder that depends on where
they are started. The loader takes an empty or relative part of a RUNPATH for the current folder: in a cloned repository, for
somebody else's code.
"""

import re
import subprocess
import sys
from pathlib import Path

EXECUTABLE, SHARED = b"\x02\x00", b"\x03\x00"
TOP = ("/", "$ORIGIN")


def is_loaded(file):
    """Whether it is a program or a shared library."""
    with file.open("rb") as stream:
        head = stream.read(18)
    return head[:4] == b"\x7fELF" and head[16:18] in (EXECUTABLE, SHARED)


def wrong_places(file):
    """Its parts of a RUNPATH, and its needed libraries, that the current folder decides about."""
    table = subprocess.run(["readelf", "-dW", file], capture_output=True, text=True, check=True).stdout
    parts = [part for path in re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", table) for part in path.split(":")]
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", table)
    return [part for part in parts if not part.startswith(TOP)] + [name for name in needed if "/" in name and not name.startswith(TOP)]


def read(folders):
    """All programs and libraries beneath the folders, each with what is wrong with it."""
    files = {file for folder in folders for file in Path(folder).rglob("*") if file.is_file() and not file.is_symlink() and is_loaded(file)}
    return {file: wrong_places(file) for file in sorted(files)}


def main():
    found = read(sys.argv[1:])
    for file, wrong in found.items():
        for part in wrong:
            print(f"{file}: `{part}` is beneath the current folder", file=sys.stderr)
    if not found:
        print("there is no program and no library", file=sys.stderr)
    return 1 if not found or any(found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
