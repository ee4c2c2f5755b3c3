"""`run_forked.py FOLDER SCRIPT ARGUMENTS…` runs a test in a fork of a process that has imported torch: one for all tests of a ctest.

The first test starts that process, by `forked.py`, whose socket is then in the folder. Outside of ctest the test is simply
started. `-m MODULE` may stand for the script. Models that Python runs are run by this one.
"""

import fcntl
import os
import subprocess
import sys

import ask_forked


def main() -> int:
    os.environ.setdefault("MODEL_VALIDATOR_PYTHON", sys.executable)
    folder, command, caller = sys.argv[1], sys.argv[2:], os.getppid()
    with open(f"/proc/{caller}/comm") as name:
        if name.read() != "ctest\n":
            os.execv(sys.executable, [sys.executable, "-W", "ignore", *command])
    descriptor = os.open(folder, os.O_PATH)  # the name of a socket is short, that of a folder need not be
    place = f"/proc/self/fd/{descriptor}/forked-{caller}"
    with open(f"{folder}/forked-lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.exists(place):
            start(place, descriptor, caller)
    return ask_forked.ask(place, command, os.getcwd(), (1, 2))


def start(place: str, descriptor: int, caller: int) -> None:
    ready, other = os.pipe()
    command = [sys.executable, "-E", "-W", "ignore", os.path.join(os.path.dirname(__file__), "forked.py"), place, str(caller), str(other)]
    silent = subprocess.DEVNULL  # ctest waits for whatever holds a test's streams
    subprocess.Popen(command, pass_fds=[descriptor, other], stdin=silent, stdout=silent, stderr=silent, start_new_session=True)
    os.close(other)
    if not os.read(ready, 1):
        sys.exit("run_forked.py: the process to fork from has not started")


if __name__ == "__main__":
    sys.exit(main())
