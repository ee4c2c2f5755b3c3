#!/usr/bin/env python3
"""compile_alone.py [--build FOLDER] [--since REVISION] [FILE…]: compile source files and headers of src/ one by one.

The build compiles ten files of a room as one, so that a file may lean on what its neighbours include or name. Without FILE: those that
differ from the revision (origin/main), in a second or two each, or ten with LibTorch. Exits with 1 if one does not compile alone."""

import argparse
import pathlib
import re
import shlex
import subprocess
import sys


def unity_commands(build: pathlib.Path) -> dict[pathlib.Path, list[str]]:
    """By source file: the command that compiles it with others, or itself."""
    lines = subprocess.run(["ninja", "-C", build, "-t", "commands", "all"], capture_output=True, text=True, check=True).stdout.splitlines()
    commands: dict[pathlib.Path, list[str]] = {}
    for line in lines:
        match = re.search(r" -c (\S+\.(?:cpp|cxx))$", line)
        if match is None or " -o " not in line:
            continue
        source = build / match[1]
        files = re.findall(r'#include "([^"]+\.cpp)"', source.read_text()) if source.name.startswith("unity_") else [source]
        for file in files:
            commands[pathlib.Path(build, file).resolve()] = shlex.split(line)
    return commands


def command_for(file: pathlib.Path, commands: dict[pathlib.Path, list[str]]) -> list[str] | None:
    """A header is compiled as the source file of its name, or one of its folder, or of a folder above it."""
    for namesake in (file, file.with_suffix(".cpp")):
        if namesake in commands:
            return commands[namesake]
    for folder in file.parents:
        for source, command in commands.items():
            if source.parent == folder:
                return command
    return None


def compiles(file: pathlib.Path, command: list[str], build: pathlib.Path) -> bool:
    own = [word for word in command[:-2] if word not in ("-MD",) and not word.endswith("ccache")]
    for flag in ("-MT", "-MF", "-o"):
        at = own.index(flag)
        del own[at:at + 2]
    # A header that is compiled itself has its `#pragma once` in the main file, which is a warning, and so an error.
    done = subprocess.run([*own, "-fsyntax-only", "-x", "c++", "-"], input=f'#include "{file}"\n', cwd=build, capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        print(f"{file}:", *[line for line in done.stderr.splitlines() if "error" in line][:3], sep="\n  ")
    return done.returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/dev"))
    parser.add_argument("--since", default="origin/main")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    given = parser.parse_args()
    changed = subprocess.run(["git", "diff", "--name-only", "--diff-filter=d", given.since, "--", "src"],
                             capture_output=True, text=True, check=True).stdout.split()
    files = given.files or [pathlib.Path(name) for name in changed if name.endswith((".cpp", ".h"))]
    build = given.build.resolve()
    commands = unity_commands(build)
    found = [(file.resolve(), command_for(file.resolve(), commands)) for file in files]
    failed = [file for file, command in found if command is not None and not compiles(file, command, build)]
    print(f"{len(found)} files, {len(failed)} do not compile alone")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
