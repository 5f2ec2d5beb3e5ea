"""Who may have the file of a journal: its folder, its mode, and the lock beside it; nothing of it needs SQLite."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Sequence
from contextlib import suppress

from protocols.journal.errors import JournalRefused

_LAST_COMMIT = 10.0  # seconds for the writer of a daemon that was killed to finish
_LAST_BREATH = 1.0  # the same for one that may be about to end
_PRIVATE = 0o600


class FileLock:
    """The lock on a journal in a file, from now on until it is released; raises JournalRefused or OSError.

    It is on the file itself, which may be known by another name elsewhere, and on one beside it, where an older
    daemon looks and where our number stands.  The process that opens the file for SQLite must never close a
    descriptor of it that is ours: with any, a process gives up all the locks that SQLite has there.
    """

    def __init__(self, path: str) -> None:
        make_folder(path)
        self._beside = hold(path)
        try:
            self._itself = _hold_itself(path)
            make_private(path)
        except BaseException:
            release(self._beside)
            raise
        self.descriptors: Sequence[int] = (self._beside, self._itself)

    def release(self) -> None:
        """Let the next one have the journal."""
        os.close(self._itself)
        release(self._beside)


def make_folder(path: str) -> None:
    """Make the folder of a file if it is missing, for its owner alone."""
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        os.makedirs(folder, 0o700)
        _sync(os.path.dirname(folder))


def make_private(path: str) -> None:
    """Keep everybody else out of the file, and of what SQLite keeps beside it."""
    for name in (path, f"{path}-wal", f"{path}-shm"):
        with suppress(FileNotFoundError):
            if os.stat(name).st_mode & 0o077:
                os.chmod(name, _PRIVATE)


def _hold_itself(path: str) -> int:
    """Lock the file, making it if it is missing; raises JournalRefused if somebody else could have it too."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, _PRIVATE)
    try:
        if os.fstat(descriptor).st_nlink > 1:
            raise JournalRefused(f"the journal {path} has several names (hard links); leave it one")
        deadline = time.monotonic() + _LAST_BREATH
        while not _locked(descriptor):
            if time.monotonic() > deadline:
                raise JournalRefused(
                    f"the journal {path} is held by another daemon, by another name"
                )
            time.sleep(0.01)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


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
    is waited for, and one that lives may be about to end.
    """
    descriptor = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, _PRIVATE)
    began = time.monotonic()
    while not _locked(descriptor):
        holder = os.pread(descriptor, 20, 0).decode(errors="replace").strip() or "unknown"
        patience = _LAST_COMMIT if _is_dead(holder) else _LAST_BREATH
        if time.monotonic() - began > patience:
            os.close(descriptor)
            raise JournalRefused(f"the journal {path} is held by another daemon, process {holder}")
        time.sleep(0.01)
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
    return descriptor


def holder(path: str) -> int | None:
    """Say which process has a journal, as far as its number was written beside it; None if none that lives has."""
    try:
        with open(f"{path}.lock", encoding="ascii", errors="replace") as beside:
            written = beside.read(20).strip()
    except FileNotFoundError:
        return None
    return None if not written.isdecimal() or _is_dead(written) else int(written)


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
