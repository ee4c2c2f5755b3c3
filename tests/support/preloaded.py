"""Calls of the program that share one loading of LibTorch, by `preloaded.cpp`.

For tests that ask what the program computes, not how it starts: it is the program that was built, but LibTorch is there before
the first line of its `main`. A program without the library beside it, such as one with sanitizers, is started for each call.

`preloaded.py DESCRIPTOR PROGRAM ARGUMENTS…` calls the one whose socket a shell has inherited, and ends as it does.
"""

import atexit
import contextlib
import functools
import os
import pathlib
import shlex
import signal
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Sequence


class Program:
    """A program that has been started and waits for calls; it ends with this process."""

    def __init__(self, path: str, library: str) -> None:
        self.socket, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 19)
        with other:
            large_pages = {"MIMALLOC_LARGE_OS_PAGES": "1"}  # from its first allocation on: a fork copies one entry for each page
            environment = os.environ | large_pages | {"LD_PRELOAD": library, "PRELOADED_SOCKET": str(other.fileno())}
            self.process = subprocess.Popen([path], env=environment, pass_fds=[other.fileno()], stdin=subprocess.DEVNULL)
        atexit.register(self.close)

    def close(self) -> int:
        """Ends it. @returns how many megabytes it, or one of its forks, took at most"""
        atexit.unregister(self.close)
        self.socket.shutdown(socket.SHUT_RDWR)  # forks of this process may hold it, too
        self.socket.close()
        _, status, used = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        return used.ru_maxrss >> 10

    def call(self, command: list[str], folder: str, seconds: float | None) -> "subprocess.CompletedProcess[str]":
        with open(os.devnull) as nothing, tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
            begin(self.socket, command, folder, [nothing.fileno(), output.fileno(), errors.fileno()])
            try:
                status = self.ending(number(self.socket), seconds)
            except TimeoutError as error:
                raise subprocess.TimeoutExpired(command, seconds or 0) from error
            output.seek(0)
            errors.seek(0)
            return subprocess.CompletedProcess(command, os.waitstatus_to_exitcode(status), output.read(), errors.read())

    def write_command(self, path: pathlib.Path, program: str) -> None:
        """A command that a shell runs in place of the program; one at a time, and the shell must inherit the socket."""
        start = shlex.join([sys.executable, "-E", "-s", "-S", os.path.abspath(__file__), str(self.socket.fileno()), program])
        path.write_text(f'#!/bin/sh\nexec {start} "$@"\n')
        path.chmod(0o755)

    def ending(self, process: int, seconds: float | None) -> int:
        self.socket.settimeout(seconds)
        try:
            return number(self.socket)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
            self.socket.settimeout(None)
            number(self.socket)
            raise
        finally:
            self.socket.settimeout(None)


def begin(program: socket.socket, command: list[str], folder: str, streams: list[int]) -> None:
    """Has a call begun, of which two numbers are told: its process, and at its end how it ended."""
    variables = [f"{name}={value}" for name, value in os.environ.items()]
    texts = [folder, str(len(command)), *command, *variables]
    socket.send_fds(program, [b"".join(os.fsencode(text) + b"\0" for text in texts)], streams)


def number(program: socket.socket) -> int:
    answer = program.recv(4)
    if not answer:
        raise ConnectionError("the program that LibTorch was loaded into has ended")
    (told,) = struct.unpack("i", answer)
    return int(told)


def library_beside(path: os.PathLike[str] | str) -> str | None:
    library = pathlib.Path(path).resolve().parents[1] / "tests" / "bin" / "preloaded.so"
    return str(library) if library.exists() else None


@functools.cache
def program(path: str) -> Program | None:
    library = library_beside(path)
    return Program(path, library) if library else None


def run(
    command: Sequence[os.PathLike[str] | str], cwd: os.PathLike[str] | str = ".", timeout: float | None = None
) -> "subprocess.CompletedProcess[str]":
    """As `subprocess.run` with captured text and nothing to read; the first word of the command is the program."""
    words = [os.fspath(word) for word in command]
    if preloaded := program(words[0]):
        return preloaded.call(words, os.path.realpath(cwd), timeout)
    return subprocess.run(words, cwd=cwd, timeout=timeout, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def main() -> None:
    inherited = socket.socket(fileno=int(sys.argv[1]))
    begin(inherited, sys.argv[2:], os.getcwd(), [0, 1, 2])
    number(inherited)
    status = os.waitstatus_to_exitcode(number(inherited))
    if status < 0:
        os.kill(os.getpid(), -status)
    sys.exit(status)


if __name__ == "__main__":
    main()
