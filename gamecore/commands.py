"""Everything that can change a table, one frozen class a command.

A command carries all that it needs: seeds, names, brought decks, hashes of tokens and chosen options are in
it, so that the same commands always give the same events.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from attrs import field, frozen

from gamecore.rules import Move
from gamecore.settings import Value

Absence = Literal["grace", "forfeit", "bot"]
Clock = Literal["turn", "grace", "expiry"]


@frozen
class Open:
    """Set up a table: its code, its game, the versions it is played by, its options and its first seed.

    Whoever shows what ``owner`` is the hash of has the organizer's powers over it.
    """

    code: str
    kind: str
    rules: int
    table: int
    deal: int
    name: str
    seed: str = field(repr=False)  # a repr may reach a log; a seed may not
    options: Mapping[str, Value]
    house: Mapping[str, Value] = field(repr=False)  # a password's seal is in it
    owner: str | None = field(default=None, repr=False)


@frozen
class Invite:
    """Keep a seat for somebody who shows what ``token`` is the hash of; ``name`` is what they may be called."""

    seat: int
    name: str
    token: str = field(repr=False)


@frozen
class Sit:
    """Take a seat; with ``token`` (a hash) the player can come back, with ``level`` it is a bot.

    ``invitation`` is the hash for which a seat was kept.
    """

    seat: int
    name: str
    token: str | None = field(default=None, repr=False)
    level: str | None = None
    brought: object = field(default=None, repr=False)
    invitation: str | None = field(default=None, repr=False)


@frozen
class GiveToken:
    """Let the player in a seat come back from now on, by what ``token`` is the hash of."""

    seat: int
    token: str = field(repr=False)


@frozen
class Mix:
    """Add words of a player's own to the shuffle of the game to come."""

    seat: int
    words: str


@frozen
class Leave:
    """Leave for good."""

    seat: int
    why: str = "left"


@frozen
class Start:
    """Begin the game with those who are seated."""


@frozen
class Play:
    """Play a move."""

    seat: int
    move: Move = field(repr=False)


@frozen
class Organize:
    """Say what it is for the organizer to say; where there is none, the player in ``seat`` says it."""

    move: Move
    seat: int | None = None


@frozen
class Drop:
    """Lose the link: away for the grace period, or what the table does at once to whoever cannot return."""

    seat: int
    absence: Absence


@frozen
class Return:
    """Be on the line again."""

    seat: int


@frozen
class Replace:
    """Give a seat of the game to a bot."""

    seat: int
    name: str
    level: str


@frozen
class TimeUp:
    """A clock of the table has run out; ``seat`` is None for the table's own expiry."""

    clock: Clock
    seat: int | None = None


@frozen
class Wake:
    """Go on after a rest: whoever was present is away from now.

    Where a game was played that not all can come back to there is an ``Abandon`` instead, for ``RESTARTED``.
    """


@frozen
class Rematch:
    """Gather the same people for another game, with a new seed.

    ``order`` names their seats in the order in which they sit from now; without it they move on by one. ``by``
    is the seat of who asks for it, and so agrees to it (see ``Agree``).
    """

    seed: str = field(repr=False)
    order: tuple[int, ...] | None = None
    by: int | None = None


@frozen
class Agree:
    """Agree to the game that the same people gather for; once all have, it begins."""

    seat: int


RESTARTED = (
    "restarted"  # why a table is given up whose game is void, since the house went down under it
)


@frozen
class Abandon:
    """Give the table up."""

    why: str


Command = (
    Open
    | Invite
    | Sit
    | GiveToken
    | Mix
    | Leave
    | Start
    | Play
    | Organize
    | Drop
    | Return
    | Replace
    | TimeUp
    | Wake
    | Rematch
    | Agree
    | Abandon
)
