"""Who may open tables in a house where not everybody may: the browsers that have exchanged the organizer's link.

They are known by hashes of their secrets, which lie in a file that only we can read, so that a restart takes the
right from nobody.
"""

from __future__ import annotations

from contextlib import suppress

from protocols.host.secrets import hash_token
from protocols.web.organizer_link import write_secret

ORGANIZERS_NAME = "organizers"
MOST_ORGANIZERS = 1000


class Organizers:
    """The browsers of organizers, the latest last."""

    def __init__(self) -> None:
        self._known: dict[str, None] = {}
        self._path: str | None = None

    def keep_at(self, path: str | None) -> None:
        """Remember those whom a file names, and keep to it from now on; None keeps them in memory alone."""
        self._path = path
        if path is not None:
            with suppress(OSError, UnicodeError), open(path, encoding="ascii") as file:
                self._known.update(dict.fromkeys(file.read().split()[-MOST_ORGANIZERS:]))

    def add(self, visitor: str) -> None:
        """Let the browser of a secret open tables; the oldest gives way if there are too many."""
        self._known[hash_token(visitor)] = None
        while len(self._known) > MOST_ORGANIZERS:
            del self._known[next(iter(self._known))]
        if self._path is not None:
            with suppress(OSError):  # then a restart forgets it, and the link is there
                write_secret(self._path, "\n".join(self._known))

    def __contains__(self, visitor: str) -> bool:
        return hash_token(visitor) in self._known
