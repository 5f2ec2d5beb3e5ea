"""What a session asks of the words there are, whichever door they are said at."""

from __future__ import annotations

from typing import Protocol, TypeVar

S_contra = TypeVar("S_contra", contravariant=True)


class Interpreter(Protocol[S_contra]):
    """What makes something of a line: the commands there are."""

    @property
    def game(self) -> str | None:
        """The kind of the one game there is here; None where there are all."""

    @property
    def password(self) -> str:
        """What must be said here where a table wants no password of its own; empty if nothing."""

    def obey(self, session: S_contra, line: str) -> None:
        """Do what a line says; raises Refused or Malformed if it cannot be done."""
