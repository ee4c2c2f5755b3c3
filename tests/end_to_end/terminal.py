"""A program on a terminal of its own, as a user has it before them."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

PATIENCE_SECONDS = 120  # after which a test fails that waits for what does not come
KILLED = -signal.SIGKILL


class Terminal:
    """Starts a program with a terminal for its standard streams."""

    def __init__(self, command, folder, environment, rows=40, columns=100):
        self.output = ""
        self.process, self.master = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(command[0], [str(part) for part in command], environment)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        if self.process:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)
        os.close(self.master)

    def type(self, keys):
        os.write(self.master, keys.encode())

    def wait_for(self, pattern):
        """What was shown up to and with the pattern, which is taken from the screen."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not (found := re.search(pattern, self.output)):
            if time.monotonic() > end or not self.read():
                raise AssertionError(f"{pattern!r} does not come; shown was {self.output!r}")
        shown, self.output = self.output[: found.end()], self.output[found.end():]
        return shown

    def read(self):
        """More of what is shown; False once the program has gone."""
        if not select.select([self.master], [], [], 1)[0]:
            return True
        try:
            text = os.read(self.master, 65536)
        except OSError:  # how Linux tells the end of a terminal
            return False
        self.output += text.decode(errors="replace").replace("\r\n", "\n")
        return bool(text)

    def finish(self):
        """The exit status, once the program has ended; what it showed stands in `output`."""
        while self.read():
            pass
        _, status = os.waitpid(self.process, 0)
        self.process = 0
        return os.waitstatus_to_exitcode(status)
