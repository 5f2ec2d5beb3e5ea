"""Who holds a TCP port that we cannot have: told where it is another daemon of ours (on Linux, by ``/proc``)."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from contextlib import suppress

_LISTENING = "0A"  # the state of a socket, as /proc/net/tcp writes it


def holder_of(port: int) -> int | None:
    """Find the process of a Parlour of the same user that listens on a port; None if there is none to be seen."""
    sockets = {f"socket:[{inode}]" for inode in _listening_at(port)}
    if not sockets:
        return None
    return next((pid for pid in _daemons() if sockets & set(_open_files(pid))), None)


def _listening_at(port: int) -> Iterator[str]:
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        with suppress(OSError), open(table, encoding="ascii") as file:
            for fields in map(str.split, file.readlines()[1:]):
                if fields[3] == _LISTENING and int(fields[1].rpartition(":")[2], 16) == port:
                    yield fields[9]


def _daemons() -> Iterator[int]:
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        pid = int(path.split("/")[2])
        with suppress(OSError), open(path, "rb") as file:
            if pid != os.getpid() and b"parlour" in file.read().split(b"\0"):
                yield pid


def _open_files(pid: int) -> Iterator[str]:
    for path in glob.glob(f"/proc/{pid}/fd/*"):
        with suppress(OSError):
            yield os.readlink(path)
