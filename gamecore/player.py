"""The life of a Player: invited, seated, playing, away for a while, gone.

A player may be away before the deal (*stepped out*) as well as during a game (*away*); both end by
coming back, or when the grace period is over.  After a game its players are seated again.
"""

from __future__ import annotations

from enum import Enum
from typing import Protocol

from attrs import define, field
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
        """The link is gone; the seat is held until table time ``until`` (infinity: for ever)."""

    def come_back(self) -> None:
        """The same player is on the line again."""

    def give_up(self) -> None:
        """The grace period is over."""

    def leave(self) -> None:
        """The player goes for good."""

    def presence(self) -> Presence:
        """Say whether the player can be spoken to."""


@define
class PlayerCore:
    """What stays true of a player in every state.

    ``token`` is the hash of the secret that brings the player back, None where there is none; ``level``
    is set for a bot; ``told`` counts the events of this player's stream.
    """

    name: str
    seat: int
    token: str | None = field(default=None, repr=False)
    level: str | None = None
    brought: object = field(default=None, repr=False)
    told: int = 0
    until: float | None = None


def _player_machine() -> TypeMachine[Player, PlayerCore]:
    builder = TypeMachineBuilder(Player, PlayerCore)
    invited = builder.state("invited")
    seated = builder.state("seated")
    playing = builder.state("playing")
    stepped_out = builder.state("stepped_out")
    away = builder.state("away")
    gone = builder.state("gone")

    invited.upon(Player.sit).to(seated).returns(None)
    playing.upon(Player.sit).to(seated).returns(None)
    away.upon(Player.sit).to(stepped_out).returns(None)
    seated.upon(Player.deal_in).to(playing).returns(None)
    stepped_out.upon(Player.deal_in).to(away).returns(None)
    for state in (invited, seated, playing, stepped_out, away):
        state.upon(Player.leave).to(gone).returns(None)
    for state in (stepped_out, away):
        state.upon(Player.give_up).to(gone).returns(None)
        state.upon(Player.presence).loop().returns(Presence.AWAY)
    for state in (seated, playing):
        state.upon(Player.presence).loop().returns(Presence.HERE)
    invited.upon(Player.presence).loop().returns(Presence.EXPECTED)
    gone.upon(Player.presence).loop().returns(Presence.GONE)

    @seated.upon(Player.drop).to(stepped_out)
    def hold_chair(player: Player, core: PlayerCore, until: float) -> None:
        core.until = until

    @playing.upon(Player.drop).to(away)
    def hold_seat(player: Player, core: PlayerCore, until: float) -> None:
        core.until = until

    @stepped_out.upon(Player.come_back).to(seated)
    def take_chair(player: Player, core: PlayerCore) -> None:
        core.until = None

    @away.upon(Player.come_back).to(playing)
    def take_seat(player: Player, core: PlayerCore) -> None:
        core.until = None

    return builder.build()


PlayerMachine = _player_machine()
