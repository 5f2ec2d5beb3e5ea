"""Whether the files of a journal are still where they were: what is written to a removed one is lost with us."""

from __future__ import annotations

import os
from contextlib import suppress

from protocols.journal.errors import OutOfPlace

_Identity = tuple[int, int]  # of a file: its device and its number there


class Place:
    """Where a journal and its log are, and which files they were when it was opened."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._file = _identity(path)
        self._log = _identity(f"{path}-wal")

    def check(self) -> None:
        """Raise OutOfPlace if what stands there is not what we write to."""
        self.check_file()
        if not _is_there(f"{self._path}-wal", self._log):
            raise OutOfPlace(
                "its log is not where it was",
                f"{self._path}-wal was removed or replaced; the journal goes on with a new one."
                " Leave the files beside a journal alone while it is open.",
            )

    def check_file(self) -> None:
        """Raise OutOfPlace if the file that stands there is not the one we write to."""
        if not _is_there(self._path, self._file):
            replaced = os.path.exists(self._path)
            raise OutOfPlace("its file is not where it was", self._advise(replaced))

    def renew_log(self) -> None:
        """Take the log that stands there for ours: a new connection has begun it."""
        self._log = _identity(f"{self._path}-wal")

    def _advise(self, replaced: bool) -> str:
        what = f"another file is at {self._path}" if replaced else f"{self._path} is gone"
        return (
            f"{what}: put the journal back, and play goes on; or end this daemon, and start it again with"
            f" what is there then. {self._where_it_is()}"
        )

    def _where_it_is(self) -> str:
        descriptor = None if self._file is None else _find_descriptor(self._file)
        if descriptor is None:
            return "What was written until now is lost when it ends."
        saved = f"/proc/{os.getpid()}/fd/{descriptor}"
        return f"What was written until now can be copied from {saved} before it ends."


def _is_there(path: str, file: _Identity | None) -> bool:
    """Tell whether a file is where it was, or may be: who gave up privileges may not be allowed to look."""
    try:
        return _identity(path) == file
    except PermissionError:
        return True


def _identity(path: str) -> _Identity | None:
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _find_descriptor(file: _Identity) -> int | None:
    """Find a descriptor of ours by which a file that has no name any more can be read."""
    with suppress(OSError):
        for each in os.listdir("/proc/self/fd"):
            if _identity(f"/proc/self/fd/{each}") == file:
                return int(each)
    return None
