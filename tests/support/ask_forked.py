"""`ask_forked.py SOCKET SCRIPT ARGUMENTS…` has a `forked.Server` run a script with the environment that this program has.

It starts for each script, so it imports little.
"""

import json
import os
import socket
import sys

LARGEST_REQUEST = 1 << 18


def ask(place: str, command: list[str], folder: str, outputs: tuple[int, int], seconds: float | None = None) -> int:
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LARGEST_REQUEST)
        server.settimeout(seconds)
        server.connect(place)
        asked = {"folder": folder, "command": command, "environment": dict(os.environ)}
        socket.send_fds(server, [json.dumps(asked).encode()], outputs)
        return int(server.recv(16) or b"1")


if __name__ == "__main__":
    sys.exit(ask(sys.argv[1], sys.argv[2:], os.getcwd(), (1, 2)))
