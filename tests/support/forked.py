"""Runs Python scripts in forks of this process, where torch is imported already: each import takes two seconds, a fork none."""

import os
import pathlib
import runpy
import subprocess
import sys
import tempfile
import traceback
import warnings

import torch  # noqa: F401  for the forks


def run(script: pathlib.Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """What `python -B -W ignore SCRIPT ARGUMENTS…` gives in the script's folder."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        child = os.fork()
        if child == 0:
            os._exit(status_of(script, arguments, output.fileno(), errors.fileno()))
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        output.seek(0)
        errors.seek(0)
        return subprocess.CompletedProcess([str(script), *arguments], status, output.read(), errors.read())


def status_of(script: pathlib.Path, arguments: tuple[str, ...], output: int, errors: int) -> int:
    """Runs the script in this process, which must not go on afterwards."""
    try:
        with os.fdopen(output, "w") as sys.stdout, os.fdopen(errors, "w") as sys.stderr:
            os.dup2(output, 1)
            os.dup2(errors, 2)
            os.chdir(script.parent)
            sys.argv = [str(script), *arguments]
            sys.path.insert(0, str(script.parent))
            sys.dont_write_bytecode = True
            warnings.simplefilter("ignore")
            try:
                runpy.run_path(str(script), run_name="__main__")
            except BaseException:
                traceback.print_exc()
                return 1
    except BaseException:
        return 1
    return 0
