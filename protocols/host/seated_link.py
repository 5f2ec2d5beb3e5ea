"""What the links have in common whose peers take seats: a place, an end to what was begun, and a goodbye."""

from __future__ import annotations

from typing import Protocol, cast

from twisted.python.failure import Failure

from gamecore.game import Stage
from protocols.host.face import Face, Host
from protocols.host.place import Place
from protocols.net.link import Link, Owner
from protocols.net.timeout import Timeout


class SeatedDoor(Owner, Protocol):
    """What a link needs of the door that let it in; a wire adds what else its links ask of theirs."""

    @property
    def host(self) -> Host:
        """Whom its peer plays at."""


class SeatedLink(Link):
    """A link that is also its peer's face; a wire puts it before the other links that it builds on."""

    factory: SeatedDoor
    place: Place | None = None
    unfinished_seconds: float = 30.0  # in which what the peer has begun to say must end

    _unfinished: Timeout | None = None

    @property
    def host(self) -> Host:
        """Whom its peer plays at."""
        return self.factory.host

    @property
    def seat(self) -> int | None:
        """In which seat its peer plays; None for one who does not."""
        return None if self.place is None else self.place.seat

    def await_rest(self, unfinished: bool) -> None:
        """Take note whether the peer has begun to say what it has not ended."""
        if self._unfinished is None:
            if not unfinished:
                return
            clock = self.factory.clock
            self._unfinished = Timeout(clock, self.unfinished_seconds, self.never_ended)
        self._unfinished.watch(unfinished)

    def never_ended(self) -> None:
        """Hear that what the peer began has not ended in time; lets it go."""
        self.dismiss("too-slow")

    def begins_no_more(self) -> None:
        """Let a peer go who waits for a game, as its wire has no other word for it."""
        part_where_nothing_begins(cast(Face, self), self.host)

    def input_ended(self) -> None:
        """Let others have the seat of one who can say no more and cannot come back, unless in a game."""
        self.host.input_ended(cast(Face, self))

    def gone(self, reason: Failure) -> None:
        """Have the seat held, or give it up; a wire that overrides this calls it."""
        super().gone(reason)
        self.await_rest(False)
        self.host.drop(cast(Face, self))


def part_where_nothing_begins(face: Face, host: Host) -> None:
    """Part with a face at a table that waits for a game, which will not begin: by another daemon it may."""
    code = "" if face.place is None else face.place.code
    if code in host.hall and host.hall.find(code).stage is Stage.GATHERING:
        host.drop(face)
        face.parted("draining")


def show_anew(link: Link, face: Face, host: Host) -> None:
    """Show a player who does not read how things stand, in place of all that waits; part with anybody else."""
    if face.place is None or face.place.player is None:
        link.dismiss("does-not-read")
    else:
        link.forget_waiting()
        host.look(face)
