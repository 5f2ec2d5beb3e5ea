"""Who may have the file of a journal: its folder, its mode, and the lock beside it; nothing of it needs SQLite."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Sequence
from contextlib import suppress

from protocols.journal.errors import JournalRefused

_LAST_COMMIT = 10.0  # seconds for the writer of a daemon that was killed to finish
_PRIVATE = 0o600


class FileLock:
    """The lock on a journal in a file, from now on until it is released; raises JournalRefused or OSError."""

    def __init__(self, path: str) -> None:
        make_folder(path)
        self._descriptor = hold(path)
        self.descriptors: Sequence[int] = (self._descriptor,)
        try:
            make_private(path)
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        """Let the next one have the journal."""
        release(self._descriptor)


def make_folder(path: str) -> None:
    """Make the folder of a file if it is missing, for its owner alone."""
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        os.makedirs(folder, 0o700)
        _sync(os.path.dirname(folder))


def make_private(path: str) -> None:
    """Make the file if it is missing, and keep everybody else out of it.

    Only for who holds it: to close a file gives up the locks that SQLite has on it in the same process.
    """
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, _PRIVATE))
    for name in (path, f"{path}-wal", f"{path}-shm"):
        with suppress(FileNotFoundError):
            if os.stat(name).st_mode & 0o077:
                os.chmod(name, _PRIVATE)


def _sync(folder: str) -> None:
    """Make what was created in a folder outlast a loss of power; SQLite does it for its own folder."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def hold(path: str) -> int:
    """Lock the file beside the journal and write our number into it; raises JournalRefused if another daemon has.

    The lock ends with the process; that of a daemon that was killed lasts until its writer has ended too, which
    is waited for.
    """
    descriptor = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, _PRIVATE)
    deadline = time.monotonic() + _LAST_COMMIT
    while not _locked(descriptor):
        holder = os.pread(descriptor, 20, 0).decode(errors="replace").strip() or "unknown"
        if not _is_dead(holder) or time.monotonic() > deadline:
            os.close(descriptor)
            raise JournalRefused(f"the journal {path} is held by another daemon, process {holder}")
        time.sleep(0.01)
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
    return descriptor


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_dead(holder: str) -> bool:
    """Tell whether there is no process of that number."""
    try:
        os.kill(int(holder), 0)
    except ProcessLookupError:
        return True
    except (ValueError, OverflowError, PermissionError):
        pass
    return False


def release(descriptor: int) -> None:
    """Let the next one have the journal; the file stays, since removing it would be a race."""
    os.ftruncate(descriptor, 0)
    os.close(descriptor)
