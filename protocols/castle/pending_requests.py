"""What a client has asked of the house and was not answered yet; each knows the ``command`` it came by."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import Factory, define

from gamecore.bots import find_bot
from gamecore.errors import Refused
from gamecore.games.castle import RULES, Deck
from protocols.castle.wire import Request
from protocols.i18n.names import read_name


@define(eq=False)
class SeatRequest:
    """A seat: in the default room, in the room that is named, or against a bot of a ``level``.

    ``deck`` holds the numbers of the cards, the castle's last; ``keep`` asks for a token to come back with.
    A password without the code of a room is tried at one room after the other; ``tried`` are those it was tried at.
    One that is the house's own is sealed to ``lock``.
    """

    name: str
    deck: Sequence[int] | None
    password: str
    room: str
    level: str | None
    keep: bool
    brought: Deck | None = None
    command: str = "JOIN_GAME"
    tries: int = 0
    tried: set[str] = Factory(set)
    lock: str = ""

    def check(self) -> None:
        """Make a player's name and a deck of what was said.

        Raises Refused: ``no-name``, ``name-too-long`` and the like, ``deck-size`` and the like, ``no-such-level``.
        """
        self.name = read_name(self.name)
        self.brought = _deck_of(self.deck)
        if self.level is not None:
            find_bot(RULES.kind, self.level)


@define(eq=False)
class ReturnRequest:
    """The seat that a token was given for."""

    command: str = "REJOIN_GAME"


@define(eq=False)
class RoomRequest:
    """A room to be opened."""

    command: str = "ROOM_CREATE"


@define(eq=False)
class FollowUp:
    """What belongs to a command and is not its own move: a look, the draw before a move, the bot of a solo game."""

    command: str


def _deck_of(numbers: Sequence[int] | None) -> Deck:
    """Make a deck of its numbers, the castle last; the usual one of none."""
    if numbers is None:
        return Deck()
    if not numbers:
        raise Refused("deck-size", cards=0, wanted=len(Deck().cards))
    return Deck(tuple(numbers[:-1]), numbers[-1])


AnyRequest = Request | SeatRequest | ReturnRequest | RoomRequest | FollowUp
"""What is outstanding: a command's own move, or one of the above."""
