"""The link by which a browser becomes an organizer's, and how whoever started the daemon comes to know it.

It is exchanged once for a cookie, by a form and not by looking at it; then it is dead, and another is made known.
It is in no log.
"""

from __future__ import annotations

import os
from contextlib import suppress

from twisted.logger import Logger

from protocols.web.tokens import new_secret, same

LINK_NAME = "organizer-link"
_log = Logger()


class OrganizerLink:
    """The secret of the link; used once, it is another."""

    def __init__(self) -> None:
        self.secret = new_secret()

    def opens(self, given: str) -> bool:
        """Say whether this is the secret, and leave it good."""
        return same(given, self.secret)

    def use(self, given: str) -> bool:
        """Exchange the link, if it is the one."""
        if not self.opens(given):
            return False
        self.secret = new_secret()
        return True


def show_link(link: str) -> None:
    """Show the link at the terminal that we were started from, if there is one, past the log."""
    if os.isatty(1):
        os.write(1, f"The organizer's link: {link}\n".encode())


def write_link(path: str, link: str) -> None:
    """Write the link to a file that only we can read; the log says where, or why there is none."""
    try:
        write_secret(path, f"{link}\n")
    except OSError as problem:
        _log.warn("no organizer's link at {path}: {why}", path=path, why=problem.strerror)
    else:
        _log.info("the organizer's link stands in {path}", path=path)


def remove_link(path: str, link: str) -> None:
    """Take away the file with a link that is dead now, unless somebody else's stands there."""
    with suppress(OSError, UnicodeError):
        with open(path, encoding="utf-8") as file:
            ours = file.read() == f"{link}\n"
        if ours:
            os.remove(path)


def write_secret(path: str, line: str) -> None:
    """Put a file in place that nobody but its owner can read, not even for a moment."""
    os.makedirs(os.path.dirname(os.path.abspath(path)), mode=0o700, exist_ok=True)
    draft = f"{path}.{os.getpid()}"
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(line)
    os.replace(draft, path)
