"""What the daemon keeps beside a table that is awake."""

from __future__ import annotations

from attrs import Factory, define
from twisted.internet.interfaces import IDelayedCall

from gamecore.player import PlayerCore
from gamecore.record import FIRST
from gamecore.table import Table
from protocols.host.bot_face import BotFace
from protocols.host.card import Card
from protocols.host.dormant import Resting
from protocols.host.face import Face, Follower
from protocols.host.owner import Owner
from protocols.host.place import Place


@define(eq=False)
class LiveTable:
    """One table that is awake: its faces, its timer, the head of its record.

    ``began`` is the house's time at table time 0; ``faces`` hear what happens, ``holders`` are those of them,
    or on their way to be, who speak for a player, ``followers`` those, there or on their way,
    that also hear whose turn it is;
    ``saved`` is how far the record is known to be in the
    journal; ``noted`` is what the journal's index was last told; ``recovering`` while the table is read again after
    a bug.

    A table that was read and at which nothing was done yet is asleep: ``asleep_at`` is the table time at which it
    stands, ``rested`` how it rested. ``card`` is what the directory has of it.

    A *mirror* is a table of another daemon, its ``owner``, which does all commands; here they are done once they
    are in the record. ``mirrors`` are the runs that have a mirror of this one. ``joining`` counts the faces that
    are on their way to it, ``waiting`` are those that its owner has to say something about first, by their places.
    """

    table: Table
    began: float
    head: str = FIRST
    faces: list[Face] = Factory(list)
    followers: list[Follower] = Factory(list)
    holders: list[Face] = Factory(list)
    bots: list[BotFace] = Factory(list)
    timer: IDelayedCall | None = None
    saved: int = 0
    noted: tuple[str, bool, float, Card] | None = None
    card: Card | None = None
    asleep_at: float | None = None
    rested: Resting | None = None
    bugs: int = 0
    recovering: bool = False
    owner: Owner | None = None
    mirrors: dict[int, None] = Factory(dict)
    joining: int = 0
    waiting: dict[Place, Face] = Factory(dict)

    def holder(self, player: PlayerCore) -> Face | None:
        """Find the face that speaks for a player, if one does."""
        for face in self.holders:
            if face.place is not None and face.place.player is player:
                return face
        return None
