"""One run at a time writes into a folder of results."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from ..errors import ModelValidatorError
from ._systems import file_system, is_local

NAME = "lock.json"
BEAT = 20.0
"""Seconds after which a run renews its lock in a store, where the system does not remove it with the process …"""
STALE = 90.0
"""… and after which a lock that nobody renews holds no more."""


@contextmanager
def only_run(place: str, storage: dict[str, Any]) -> Iterator[str]:
    """Meanwhile no other run writes there. Gives the name of this one. @raises ModelValidatorError if one does already"""
    me = {"process": os.getpid(), "host": socket.gethostname(), "run": secrets.token_hex(8)}
    with _locked_folder(place, me) if is_local(place) else _locked_store(place, storage, me):
        yield str(me["run"])


def require_own(place: str, storage: dict[str, Any], run: str | None) -> None:
    """@raises ModelValidatorError if another run has begun to write there"""
    owner = _owner(*file_system(f"{place.rstrip('/')}/{NAME}", storage))
    if run is None or owner.get("run") != run:
        raise _in_use(place, owner, "this run ends")


def _owner(system: Any, path: str) -> dict[str, Any]:
    """What the lock says."""
    system.invalidate_cache(path)
    return _owner_in(system.cat_file(path)) if system.exists(path) else {}


def _in_use(place: str, owner: dict[str, Any], hint: str) -> ModelValidatorError:
    who = f" (process {owner.get('process')} on {owner.get('host')})" if owner else ""
    return ModelValidatorError("results-in-use", place, f"another run writes its results there{who}", hint)


@contextmanager
def _locked_folder(place: str, me: dict[str, Any]) -> Iterator[None]:
    with open(os.open(os.path.join(place, NAME), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666), "r+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _in_use(place, _owner_in(file.read()), "wait for it to end, or give this run another folder") from None
        except OSError as error:
            if error.errno not in (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS):
                raise  # another than a file system without locks
        file.truncate()
        file.write(json.dumps(me))
        file.flush()
        yield


def _owner_in(text: str | bytes) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


@contextmanager
def _locked_store(place: str, storage: dict[str, Any], me: dict[str, Any]) -> Iterator[None]:
    system, path = file_system(f"{place.rstrip('/')}/{NAME}", storage)

    def beat() -> None:
        system.pipe_file(path, json.dumps({**me, "time": time.time()}).encode())

    hint = f"wait for it to end; one that was killed is forgotten after {STALE:.0f} s"
    if _is_alive(found := _owner(system, path)):
        raise _in_use(place, found, hint)
    beat()
    if (found := _owner(system, path)).get("run") != me["run"]:  # both began at once
        raise _in_use(place, found, hint)
    with _beating(beat):
        yield
    with suppress(Exception):  # of whichever package reaches the store
        system.rm_file(path)


@contextmanager
def _beating(beat: Callable[[], None]) -> Iterator[None]:
    ended = threading.Event()

    def go_on() -> None:
        while not ended.wait(BEAT):
            with suppress(Exception):  # the store may answer again the next time
                beat()

    thread = threading.Thread(target=go_on, name="model_validator lock", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _is_alive(owner: dict[str, Any]) -> bool:
    seen = owner.get("time")
    if not isinstance(seen, int | float) or time.time() - seen > STALE:
        return False
    return owner.get("host") != socket.gethostname() or os.path.exists(f"/proc/{owner.get('process')}")
