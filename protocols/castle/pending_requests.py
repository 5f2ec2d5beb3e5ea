"""What a client asks of the house, until it is answered."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define

from gamecore.games.castle import Deck


@define(eq=False)
class Wanted:
    """A seat that a client asks for: the default room's, that of the room it names, or one against a bot."""

    name: str
    deck: Sequence[int] | None
    password: str
    room: str
    level: str | None
    keep: bool
    brought: Deck | None = None
    command: str = "JOIN_GAME"
    tries: int = 0


@define(eq=False)
class Back:
    """A seat that a client comes back to."""

    command: str = "REJOIN_GAME"


@define(eq=False)
class Creation:
    """A room that a client opens."""

    command: str = "ROOM_CREATE"


@define(eq=False)
class Ask:
    """Something else that a client asks of the house."""

    command: str
