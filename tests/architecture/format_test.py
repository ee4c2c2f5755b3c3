#!/usr/bin/env python3
"""The C++ code is as `make format` leaves it. Environment: PROJECT."""

import os
import pathlib
import subprocess
import sys

PROJECT = pathlib.Path(os.environ["PROJECT"])
FOLDERS = ("benchmarks", "examples", "fuzz", "include", "src", "tests")


def main() -> int:
    files = [file for folder in FOLDERS for file in sorted((PROJECT / folder).rglob("*")) if file.suffix in (".cpp", ".h")]
    assert len(files) > 1000, "where is the code?"
    formatter = pathlib.Path(sys.executable).with_name("clang-format")
    return subprocess.run([formatter, "--dry-run", "--Werror", *files], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
