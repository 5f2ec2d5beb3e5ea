"""The life of a Player: invited, seated, playing, away for a while, missed, gone.

A player may be away before the deal as well as during a game, and is dealt in all the same.  Being away ends by
coming back or with the grace period; then the player is gone, or, where the table waits for as long as it
takes, *missed*.  After a game its players are seated again.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Protocol

from attrs import define, field, frozen
from automat import TypeMachine, TypeMachineBuilder


class Presence(Enum):
    """Whether a player can be spoken to."""

    EXPECTED = "expected"
    HERE = "here"
    AWAY = "away"
    GONE = "gone"


class Player(Protocol):
    """What may happen to one player, from invitation to goodbye."""

    def sit(self) -> None:
        """Take the seat, or keep it for another game."""

    def deal_in(self) -> None:
        """The game has begun and this player is in it."""

    def drop(self, until: float) -> None:
        """The link is gone; the seat is held until table time ``until``."""

    def miss(self) -> None:
        """The grace period is over, and the seat is held for as long as it takes."""

    def come_back(self) -> None:
        """The same player is on the line again, and dealt in anew if there is a game."""

    def give_up(self) -> None:
        """Nobody waits any longer."""

    def leave(self) -> None:
        """The player goes for good."""

    def held_until(self) -> float | None:
        """Say until which table time the seat of one who is away is held; None for anybody else."""

    def is_missed(self) -> bool:
        """Say whether the player is waited for without end."""


@define
class PlayerCore:
    """What stays true of a player in every state.

    ``token`` is the hash of the secret that brings the player back, None where there is none; ``level``
    is set for a bot; ``presence`` is kept beside the machine, as every View asks for it; ``told`` counts the
    events of this player's stream; ``agreed`` is whether the player has asked for the game that is gathered
    for; ``idle`` counts the decisions in this game that the clock has made since the player's own last one,
    ``played`` the player's own.
    """

    name: str
    seat: int
    token: str | None = field(default=None, repr=False)
    level: str | None = None
    brought: object = field(default=None, repr=False)
    presence: Presence = field(default=Presence.EXPECTED, eq=False)
    told: int = 0
    agreed: bool = False
    idle: int = 0
    played: int = 0


@frozen
class Grace:
    """What is born and dies with being away: the table time until which the seat is held."""

    until: float


def _player_machine() -> TypeMachine[Player, PlayerCore]:
    def hold_seat(player: Player, core: PlayerCore, until: float) -> Grace:
        core.presence = Presence.AWAY
        return Grace(until)

    def be(presence: Presence) -> Callable[[Player, PlayerCore], None]:
        def enter(player: Player, core: PlayerCore) -> None:
            core.presence = presence

        return enter

    builder = TypeMachineBuilder(Player, PlayerCore)
    invited = builder.state("invited")
    seated = builder.state("seated", be(Presence.HERE))
    playing = builder.state("playing", be(Presence.HERE))
    away = builder.state("away", hold_seat)
    missed = builder.state("missed", be(Presence.AWAY))
    gone = builder.state("gone", be(Presence.GONE))

    invited.upon(Player.sit).to(seated).returns(None)
    seated.upon(Player.deal_in).to(playing).returns(None)
    playing.upon(Player.sit).to(seated).returns(None)
    seated.upon(Player.drop).to(away).returns(None)
    playing.upon(Player.drop).to(away).returns(None)
    away.upon(Player.sit).loop().returns(None)
    away.upon(Player.deal_in).loop().returns(None)
    away.upon(Player.miss).to(missed).returns(None)
    away.upon(Player.come_back).to(seated).returns(None)
    away.upon(Player.give_up).to(gone).returns(None)
    away.upon(Player.leave).to(gone).returns(None)
    missed.upon(Player.come_back).to(seated).returns(None)
    missed.upon(Player.give_up).to(gone).returns(None)
    for state in (invited, seated, playing, missed):
        state.upon(Player.leave).to(gone).returns(None)

    for state in (invited, seated, playing, missed, gone):
        state.upon(Player.held_until).loop().returns(None)
        state.upon(Player.is_missed).loop().returns(state is missed)
    away.upon(Player.is_missed).loop().returns(False)

    @away.upon(Player.held_until).loop()
    def held_until(player: Player, core: PlayerCore, grace: Grace) -> float:
        return grace.until

    return builder.build()


PlayerMachine = _player_machine()
