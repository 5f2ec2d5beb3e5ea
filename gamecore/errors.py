"""The two errors that are a player's affair; every other exception is a bug of ours."""

from __future__ import annotations


class Refused(Exception):
    """A player asked for what the rules do not allow now; nothing has changed.

    ``key`` is stable and names the reason on every wire; ``facts`` are what a sentence about it needs
    (a bound, a name), never a secret.
    """

    def __init__(self, key: str, **facts: object) -> None:
        super().__init__(key)
        self.key = key
        self.facts = facts

    def __str__(self) -> str:
        if not self.facts:
            return self.key
        told = ", ".join(f"{name} {value}" for name, value in self.facts.items())
        return f"{self.key} ({told})"


class Malformed(Exception):
    """Bytes that are no move at all; the text is fit to send back to whoever sent them."""
