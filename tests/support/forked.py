"""Runs Python scripts in forks of a process that has imported torch: each import takes three seconds, a fork none.

As a program, `forked.py SOCKET SCRIPT ARGUMENTS…` has a `Server` run a script with the environment that the program has.
"""

import atexit
import contextlib
import functools
import importlib
import json
import os
import pathlib
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
import typing
import warnings


@functools.cache
def warm() -> None:
    """Imports for the forks what an export imports: torch's own 520 modules take as long again as torch."""
    import torch

    torch.set_num_threads(1)  # threads do not survive a fork
    network = torch.nn.Linear(1, 1)
    torch.jit.script(network)
    torch.jit.trace(network, torch.zeros(1, 1))


def run(script: pathlib.Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """What `python -B -W ignore SCRIPT ARGUMENTS…` gives in the script's folder."""
    warm()
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        child = os.fork()
        if child == 0:
            sys.dont_write_bytecode = True
            status_of(script.parent, [str(script), *arguments], output.fileno(), errors.fileno())
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        output.seek(0)
        errors.seek(0)
        return subprocess.CompletedProcess([str(script), *arguments], status, output.read(), errors.read())


def status_of(folder: pathlib.Path, command: list[str], output: int, errors: int) -> typing.NoReturn:
    """Runs a script in this process, and ends it."""
    status = 1
    with contextlib.suppress(BaseException):
        os.dup2(output, 1)
        os.dup2(errors, 2)
        sys.stdout, sys.stderr = os.fdopen(1, "w", closefd=False), os.fdopen(2, "w", closefd=False)
        os.chdir(folder)
        sys.argv = command
        sys.path.insert(0, str(folder))
        warnings.simplefilter("ignore")
        try:
            runpy.run_path(command[0], run_name="__main__")
            status = 0
        except BaseException:
            traceback.print_exc()
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(status)


class Server:
    """A process that runs scripts for `forked.py`; its `command` is what stands before the script."""

    def __init__(self) -> None:
        warm()
        self.folder = tempfile.mkdtemp()
        place = os.path.join(self.folder, "socket")
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(place)
        self.listener.listen()
        self.command = f"{sys.executable} -W ignore {__file__} {place}"
        self.process = os.fork()
        if self.process == 0:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)
            atexit._clear()
            while True:
                self.answer(self.listener.accept()[0])

    def close(self) -> None:
        self.listener.close()
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.unlink(os.path.join(self.folder, "socket"))
        os.rmdir(self.folder)

    def answer(self, caller: socket.socket) -> None:
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            message, outputs, _, _ = socket.recv_fds(caller, 1 << 20, 2)
            asked = json.loads(message)
            child = os.fork()
            if child == 0:
                take_environment(asked["environment"])
                status_of(pathlib.Path(asked["folder"]), asked["command"], *outputs)
            caller.send(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())
            os._exit(0)
        caller.close()


def take_environment(environment: dict[str, str]) -> None:
    """What the start of Python makes of it."""
    os.environ.clear()
    os.environ.update(environment)
    sys.dont_write_bytecode = bool(environment.get("PYTHONDONTWRITEBYTECODE"))
    sys.path[:0] = filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))
    sys.modules.pop("sitecustomize", None)
    with contextlib.suppress(ModuleNotFoundError, KeyError):  # the witness takes itself out of the modules
        importlib.import_module("sitecustomize")
    for finder in sys.meta_path:
        if type(finder).__name__ == "AfterTorch":  # it waits for an import of torch, which is over
            finder.find_spec.__globals__["watch_exporters"](sys.modules["torch"])


def ask(place: str, command: list[str]) -> int:
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(place)
        asked = {"folder": os.getcwd(), "command": command, "environment": dict(os.environ)}
        socket.send_fds(server, [json.dumps(asked).encode()], [1, 2])
        return int(server.recv(16) or b"1")


if __name__ == "__main__":
    sys.exit(ask(sys.argv[1], sys.argv[2:]))
