"""Runs Python scripts in forks of a process that has imported what they need: torch takes four seconds each time, a fork none.

`forked.py SOCKET PROCESS DESCRIPTOR` serves all tests of a ctest (`run_forked.py`): it writes to the descriptor when it can be
asked, and ends with the process.
"""

import atexit
import contextlib
import ctypes
import functools
import gc
import importlib
import json
import os
import pathlib
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
import typing
import warnings

import ask_forked

PR_SET_PDEATHSIG = 1
MADV_COLLAPSE = 25
#: Seconds that a script may take.
PATIENCE = 300


@functools.cache
def warm() -> None:
    """Imports for the forks what an export imports: torch's own 520 modules take as long again as torch."""
    import torch

    torch.set_num_threads(1)  # threads do not survive a fork
    # torch replaces its pool in each fork when a thread first asks for it; others that ask meanwhile find none, and end the process.
    os.register_at_fork(after_in_child=functools.partial(torch.set_num_threads, 1))

    class Network(torch.nn.Module):
        """None of torch's own: what scripts one a second time gives it another name."""

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.relu(x)

    network = Network()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.jit.script(network)
        torch.jit.trace(network, torch.zeros(1))
        torch.export.export(network, (torch.zeros(1),), strict=True).run_decompositions()
    gc.freeze()  # or the first collection in each fork would copy what is shared


def run(script: pathlib.Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """What `python -B -W ignore SCRIPT ARGUMENTS…` gives in the script's folder."""
    warm()
    command = [str(script), *arguments]

    def status(output: int, errors: int) -> int:
        child = os.fork()
        if child == 0:
            atexit._clear()  # what the test does at its end
            sys.dont_write_bytecode = True
            status_of(script.parent, command, output, errors)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    return captured(command, status)


def captured(command: list[str], status: typing.Callable[[int, int], int]) -> "subprocess.CompletedProcess[str]":
    """How a script ends, by a function that runs it with descriptors for what it prints, and all that it prints."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        ended = status(output.fileno(), errors.fileno())
        output.seek(0)
        errors.seek(0)
        return subprocess.CompletedProcess(command, ended, output.read(), errors.read())


def status_of(folder: pathlib.Path, command: list[str], output: int, errors: int) -> typing.NoReturn:
    """Runs a script, or with `-m` a module, in this process, and ends it."""
    status = 1
    with contextlib.suppress(BaseException):
        os.dup2(output, 1)
        os.dup2(errors, 2)
        sys.stdout, sys.stderr = os.fdopen(1, "w", closefd=False), os.fdopen(2, "w", closefd=False)
        os.chdir(folder)
        sys.path.insert(0, str(folder if command[0] == "-m" else pathlib.Path(command[0]).absolute().parent))
        warnings.simplefilter("ignore")
        try:
            if command[0] == "-m":
                sys.argv = command[1:]
                runpy.run_module(command[1], run_name="__main__", alter_sys=True)
            else:
                sys.argv = command
                runpy.run_path(command[0], run_name="__main__")
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
            if isinstance(end.code, str):
                print(end.code, file=sys.stderr)
        except BaseException:
            traceback.print_exc()
        threading._shutdown()
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(status)


class Server:
    """A process that runs scripts for `ask_forked.py`; its `command` is what stands before the script. `prepare` imports what they need."""

    def __init__(self, prepare: typing.Callable[[], object] = warm) -> None:
        prepare()
        self.folder = tempfile.mkdtemp()
        self.place = os.path.join(self.folder, "socket")
        self.listener = listening_at(self.place)
        self.command = f"{sys.executable} -I -S {ask_forked.__file__} {self.place}"
        self.process = os.fork()
        if self.process == 0:
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # it ends with the process that began it, however that ends
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)
            atexit._clear()
            try:
                serve(self.listener)
            finally:
                os._exit(1)  # never the test's own code

    def run(self, folder: pathlib.Path, *command: str) -> "subprocess.CompletedProcess[str]":
        """What `python COMMAND…` gives in a folder, with the environment that this process has."""
        return captured(list(command), lambda *outputs: ask_forked.ask(self.place, list(command), str(folder), outputs, PATIENCE))

    def close(self) -> None:
        self.listener.close()
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.unlink(self.place)
        os.rmdir(self.folder)


def listening_at(place: str) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(place)
    listener.listen()
    return listener


def serve(listener: socket.socket, until: int | None = None) -> None:
    """Answers whoever asks, for ever or until the process of a descriptor has ended."""
    while until not in select.select([listener, *([] if until is None else [until])], [], [])[0]:
        answer(listener, listener.accept()[0])


def answer(listener: socket.socket, caller: socket.socket) -> None:
    if os.fork() == 0:
        try:
            listener.close()
            run_for(caller)
        finally:
            os._exit(0)
    caller.close()


def run_for(caller: socket.socket) -> None:
    """Runs what a caller asks for, as long as there is a caller."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    message, outputs, _, _ = socket.recv_fds(caller, ask_forked.LARGEST_REQUEST, 2)
    asked = json.loads(message)
    child = os.fork()
    if child == 0:
        os.setsid()
        take_environment(asked["environment"])
        status_of(pathlib.Path(asked["folder"]), asked["command"], *outputs)
    ended = os.pidfd_open(child)
    if ended not in select.select([caller, ended], [], [])[0]:  # the caller was killed
        os.killpg(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with contextlib.suppress(OSError):
        caller.send(str(status).encode())


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


def collapse_pages() -> None:
    """Moves what this process has allocated to large pages, where the kernel can: each fork copies an entry for every page."""
    size = 2 << 20
    for line in pathlib.Path("/proc/self/maps").read_text().splitlines():
        addresses, rights, _, _, _, *name = line.split()
        begin, end = (int(address, 16) for address in addresses.split("-"))
        begin, end = -(-begin // size) * size, end // size * size
        if rights == "rw-p" and name in ([], ["[heap]"]) and begin < end:
            ctypes.CDLL(None).madvise(ctypes.c_void_p(begin), ctypes.c_size_t(end - begin), MADV_COLLAPSE)


def main() -> None:
    place, until, ready = sys.argv[1], os.pidfd_open(int(sys.argv[2])), int(sys.argv[3])
    warm()
    importlib.import_module("pytest")
    collapse_pages()
    atexit._clear()
    listener = listening_at(place)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    os.write(ready, b"\n")
    os.close(ready)
    try:
        serve(listener, until)
    finally:
        os.unlink(place)


if __name__ == "__main__":
    sys.modules["forked"] = sys.modules["__main__"]  # for tests that import it
    main()
