"""Ports for programs that cannot be let choose one: nobody else is given them as long as this process lives."""

from __future__ import annotations

import fcntl
import os
import random
import socket
import tempfile
from functools import cache

# Below those that the system gives out: what connects meanwhile from anywhere is not given one of them.
_PORTS = range(20_000, 32_000)
_HOST = "127.0.0.1"
_given: set[int] = set()


@cache
def _book() -> int:
    """Open the book of all ports that are given out, a byte for each, which is locked as long as one is."""
    path = os.path.join(tempfile.gettempdir(), f"parlour-ports-{os.getuid()}")
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)


def free_port() -> int:
    """Find a port on loopback that nobody has, neither for TCP nor for UDP; RuntimeError if there is none."""
    for port in random.SystemRandom().sample(_PORTS, 200):
        if port not in _given and _is_locked(port) and _is_free(port):
            _given.add(port)
            return port
    raise RuntimeError("no port is free")


def _is_locked(port: int) -> bool:
    """Lock a port against other processes; it stays so until this one ends."""
    try:
        fcntl.lockf(_book(), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, port)
    except OSError:
        return False
    return True


def _is_free(port: int) -> bool:
    with (
        socket.socket() as stream,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams,
    ):
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            stream.bind((_HOST, port))
            datagrams.bind((_HOST, port))
        except OSError:
            return False
    return True
