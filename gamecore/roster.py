"""The Roster of a table: who sits where, what they are called, and who is away until when."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count

from attrs import field, frozen

from gamecore.errors import Refused
from gamecore.player import Player, PlayerCore, PlayerMachine, Presence
from gamecore.table_view import SeatView

NAME_LIMIT = 24


@frozen
class Sitter:
    """A player at the table: the life of one, and what outlives its states."""

    life: Player
    core: PlayerCore = field(repr=False)

    @property
    def presence(self) -> Presence:
        """Whether the player can be spoken to."""
        return self.core.presence

    @property
    def is_bot(self) -> bool:
        """Whether a bot sits here."""
        return self.core.level is not None


@frozen
class Kept:
    """A seat kept for somebody: what they may be called, and the hash of what they must show."""

    name: str
    token: str = field(repr=False)


class Roster:
    """The players by seat; before a game there may be gaps between the seats, in a game there are none.

    ``away`` is false only while nobody is away: a command that changes this asks ``anybody_away`` anew.
    """

    __slots__ = ("_by_seat", "_kept", "_lapsed", "_seats", "away", "names")

    def __init__(self, seats: int) -> None:
        """Offer so many seats, numbered from 0."""
        self._seats = seats
        self._by_seat: dict[int, Sitter] = {}
        self._kept: dict[int, Kept] = {}
        self._lapsed: dict[int, str] = {}
        self.names: tuple[str, ...] = ()
        self.away = False

    def __len__(self) -> int:
        return len(self._by_seat)

    def __iter__(self) -> Iterator[Sitter]:
        return iter(list(self._by_seat.values()))

    # -- questions --------------------------------------------------------------------

    def find(self, seat: int) -> Sitter:
        """Find who sits in a seat; raises Refused ``no-such-seat``."""
        try:
            return self._by_seat[seat]
        except KeyError:
            raise Refused("no-such-seat", seat=seat) from None

    def present(self, seat: int) -> Sitter:
        """Find who sits in a seat and has not gone; raises Refused ``no-such-seat``, ``not-here``."""
        sitter = self.find(seat)
        if sitter.presence is Presence.GONE:
            raise Refused("not-here", seat=seat)
        return sitter

    def presence(self, seat: int) -> Presence:
        """Say whether the player in a seat can be spoken to."""
        sitter = self._by_seat.get(seat)
        return Presence.GONE if sitter is None else sitter.presence

    def cores(self) -> Mapping[int, PlayerCore]:
        """Tell who sits where at this moment."""
        return {seat: sitter.core for seat, sitter in self._by_seat.items()}

    def lapsed(self) -> Iterator[str]:
        """Tell the hashes of the tokens whose players were away for too long, the latest of each seat."""
        yield from self._lapsed.values()

    def views(self, asleep: bool) -> Iterator[SeatView]:
        """Show each seat as anybody may see it; at a table that is asleep no person is present."""
        for seat, sitter in sorted(self._by_seat.items()):
            presence = sitter.presence
            if asleep and presence is Presence.HERE and not sitter.is_bot:
                presence = Presence.AWAY
            yield SeatView(seat, sitter.core.name, presence, sitter.core.level)

    def free(self) -> list[int]:
        """List the seats that nobody has taken, and that are kept for nobody."""
        taken = self._by_seat.keys() | self._kept.keys()
        return [seat for seat in range(self._seats) if seat not in taken]

    def invited(self) -> Mapping[int, Kept]:
        """Tell which seats are kept for whom."""
        return dict(sorted(self._kept.items()))

    def has_name(self, name: str, but: int | None = None) -> bool:
        """Say whether somebody, but for one seat, has a name that people would take for this one."""
        wanted = looks(name)
        return any(looks(each) == wanted for each in self.called(but))

    def called(self, but: int | None = None) -> Iterator[str]:
        """List the names of all who sit here or are invited, but for one seat."""
        for seat, sitter in self._by_seat.items():
            if seat != but:
                yield sitter.core.name
        for seat, kept in self._kept.items():
            if seat != but:
                yield kept.name

    def any_person(self) -> bool:
        """Say whether a person who has not gone sits here."""
        return any(not each.is_bot and each.presence is not Presence.GONE for each in self)

    def anybody(self) -> bool:
        """Say whether anybody who has not gone sits here, be it a bot."""
        return any(each.presence is not Presence.GONE for each in self)

    def anybody_here(self) -> bool:
        """Say whether anybody is neither gone nor away."""
        return any(each.presence is Presence.HERE for each in self)

    def anybody_away(self) -> bool:
        """Say whether anybody is away, for however long."""
        return any(each.presence is Presence.AWAY for each in self)

    def graces(self) -> Iterator[tuple[int, float]]:
        """List until when, in table time, the seats of those who are away are held."""
        for seat, life in self._away():
            until = life.held_until()
            if until is not None:
                yield seat, until

    def waited_for(self) -> frozenset[int]:
        """Name the seats of those who are waited for without end."""
        return frozenset(seat for seat, life in self._away() if life.is_missed())

    def _away(self) -> Iterator[tuple[int, Player]]:
        for seat, sitter in self._by_seat.items():
            if sitter.presence is Presence.AWAY:
                yield seat, sitter.life

    # -- changes ----------------------------------------------------------------------

    def check_seat(self, seat: int) -> None:
        """Refuse what is no seat of this table (``no-such-seat``)."""
        if seat not in range(self._seats):
            raise Refused("no-such-seat", seat=seat)

    def drop(self, sitter: Sitter, until: float) -> None:
        """Hold the seat of a player whose link is lost, until a table time."""
        sitter.life.drop(until)
        self.away = True

    def note_lapsed(self, core: PlayerCore) -> None:
        """Remember whose seat was given up for being away too long."""
        if core.token is not None:
            self._lapsed[core.seat] = core.token

    def check_name(self, name: str, but: int | None = None) -> None:
        """Refuse what is no name, or somebody else's (``no-name``, ``name-taken``)."""
        if not name.strip():
            raise Refused("no-name")
        if self.has_name(name, but):
            raise Refused("name-taken")

    def invite(self, seat: int, name: str, token: str) -> None:
        """Keep a seat for somebody; raises Refused ``seat-taken``, ``no-name``, ``name-taken``."""
        if seat not in self.free():
            raise Refused("seat-taken", seat=seat)
        self.check_name(name)
        self._kept[seat] = Kept(name, token)

    def check_invitation(self, seat: int, invitation: str | None) -> None:
        """Refuse a seat to all but the one it is kept for (``seat-kept``)."""
        kept = self._kept.get(seat)
        if kept is not None and kept.token != invitation:
            raise Refused("seat-kept", seat=seat)

    def seat(self, core: PlayerCore) -> Sitter:
        """Let a player sit down in a seat of a roster, whoever was there, and whoever it was kept for."""
        self._kept.pop(core.seat, None)
        sitter = Sitter(PlayerMachine(core), core)
        sitter.life.sit()
        self._by_seat[core.seat] = sitter
        self.call_names()
        return sitter

    def remove(self, seat: int) -> None:
        """Take a seat's player off the roster; the names stay until they are called again."""
        del self._by_seat[seat]

    def call_names(self) -> None:
        """Set the names by seat: an empty one for each gap."""
        last = max(self._by_seat, default=-1)
        names = {seat: sitter.core.name for seat, sitter in self._by_seat.items()}
        self.names = tuple(names.get(seat, "") for seat in range(last + 1))

    def close_ranks(self) -> None:
        """Give the seats from 0 on, in the order in which the players sit."""
        self._renumber(sorted(self._by_seat))

    def reorder(self, order: Sequence[int] | None) -> None:
        """Give the seats from 0 on in an order of seats, or, without one, one on from where the players sit.

        Raises Refused ``no-such-order`` if it does not name each player's seat once.
        """
        seats = sorted(self._by_seat)
        if order is not None and sorted(order) != seats:
            raise Refused("no-such-order")
        self._renumber([*seats[1:], *seats[:1]] if order is None else order)

    def _renumber(self, order: Sequence[int]) -> None:
        sitters = [self._by_seat[seat] for seat in order]
        self._by_seat = dict(enumerate(sitters))
        self._kept = dict(enumerate(self.invited().values(), len(sitters)))
        for seat, sitter in self._by_seat.items():
            sitter.core.seat = seat
        self.call_names()

    def name_for_substitute(self, seat: int) -> str:
        """Find a free name for the bot that plays on in somebody's place."""
        stem = self.find(seat).core.name
        suffixes = chain((" (bot)",), (f" (bot {number})" for number in count(2)))
        names = (stem[: NAME_LIMIT - len(each)].rstrip() + each for each in suffixes)
        return next(name for name in names if not self.has_name(name, seat))


def looks(name: str) -> str:
    """Reduce a name to what makes it the same as another, in every record; doors also ask what it looks like."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
