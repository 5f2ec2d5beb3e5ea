"""Browsers among the people of the house: who is in the hall, or looks on at a table, by a name of their own.

One browser is one person wherever it looks on. Who sits at a table is there as the player, by the name of the seat,
and is that one in the hall as well.  A browser comes with its first stream, or with what it says first if it has no
script, and goes a while after the last of them.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator
from contextlib import suppress
from typing import Protocol
from weakref import WeakValueDictionary

from attrs import define, field
from twisted.internet.interfaces import IDelayedCall

from gamecore.errors import Refused
from protocols.host.face import Host
from protocols.host.people import Person, Remark
from protocols.host.place import Place
from protocols.host.secrets import hash_token
from protocols.i18n.names import read_name

_STREAM_SECONDS = 20.0  # after the last stream has ended: a page is loaded anew
_PAGE_SECONDS = 300.0  # after what was said from a page without a stream
_MOST_SILENT = 1000  # guests without a stream; the oldest goes first
_MOST_NAMES = 4096  # that are remembered of browsers
_MOST_WHISPERS = 5
_LONGEST_STEM = 21  # characters of a name, so that a number fits behind it
_MOST_TWINS = 9


class Ear(Protocol):
    """What a page shows of talk: the hall, or a table as all see it who look on."""

    @property
    def place(self) -> Place | None:
        """At which table it is, None for the hall."""

    def heard(self, remark: Remark) -> None:
        """Show what somebody said there."""


class Caller(Protocol):
    """A stream, as a guest has it."""

    def call(self, name: str) -> None:
        """Say what one is called."""

    def tell(self, remark: Remark) -> None:
        """Show what was said to this one alone."""


@define(eq=False)
class Guest:
    """One browser, as other people meet it; ``ears`` are where it listens, the latest last."""

    secret: str = field(repr=False)
    ears: list[Ear]
    streams: list[Caller] = field(factory=list)
    whispers: deque[Remark] = field(factory=lambda: deque(maxlen=_MOST_WHISPERS))
    timer: IDelayedCall | None = None

    @property
    def place(self) -> Place | None:
        """Where it looks on, None in the hall."""
        return self.ears[-1].place

    @property
    def screens(self) -> int:
        """How many pages show what is said here."""
        return len(self.streams)

    def heard(self, remark: Remark) -> None:
        """Let its page show what was said; what was said to it alone, to its own pages alone."""
        if not remark.private:
            self.ears[-1].heard(remark)
            return
        self.whispers.append(remark)
        for stream in self.streams:
            stream.tell(remark)


def _seat_name(person: Person | None) -> str:
    """Say by which name somebody sits at a table; empty for one who does not, as an organizer."""
    place = None if person is None else person.place
    return "" if place is None or place.player is None else place.player.name


def _code_of(person: Person) -> str | None:
    return None if person.place is None else person.place.code


def numbered(name: str) -> Iterator[str]:
    """Give a name, and behind it some that are told apart by a number."""
    yield name
    for number in range(2, _MOST_TWINS + 1):
        yield f"{name[:_LONGEST_STEM].rstrip()}-{number}"


class Guests:
    """The browsers that are here without a seat, by the hash of their secret."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._guests: OrderedDict[str, Guest] = OrderedDict()
        self._names: OrderedDict[str, str] = OrderedDict()
        self._places: WeakValueDictionary[str, Person] = WeakValueDictionary()

    def __len__(self) -> int:
        return len(self._guests)

    def find(self, visitor: str) -> Guest | None:
        """Find a browser that is here."""
        return self._guests.get(hash_token(visitor))

    def name_of(self, visitor: str) -> str:
        """Say by which name a browser is here, or was last; empty if it never said one."""
        guest = self.find(visitor)
        known = self._names.get(hash_token(visitor), "")
        return known if guest is None else self._host.people.name_of(guest)

    def called(self, visitor: str) -> str:
        """Say which name somebody at a browser has chosen last; empty if none."""
        return self._names.get(hash_token(visitor), "")

    # -- coming and going -------------------------------------------------------------

    def come(self, visitor: str, ear: Ear) -> Guest:
        """Let a browser in that listens there, or find it; without a stream it stays for a while."""
        key = hash_token(visitor)
        guest = self._guests.get(key)
        if guest is None:
            self._make_room()
            guest = self._guests[key] = Guest(key, [ear])
            self._enter(guest)
        elif not guest.streams:
            guest.ears = [ear]
        self._wait(guest, _PAGE_SECONDS)
        return guest

    def sit(self, visitor: str, place: Person) -> None:
        """Let a browser be the one whose place at a table it shows, also where it looks on besides."""
        key = hash_token(visitor)
        if place not in self._host.people or self._places.get(key) is place:
            return
        self._be_one(self._places.get(key), place)
        self._places[key] = place
        guest = self._guests.get(key)
        if guest is not None:
            self._enter(guest)
            for stream in guest.streams:
                stream.call(self._host.people.name_of(guest))

    def _be_one(self, first: Person | None, second: Person) -> None:
        """Let somebody who sits at two tables by one name be one person; two at one table are two."""
        people, name = self._host.people, _seat_name(second)
        if first is None or first not in people or not name or _seat_name(first) != name:
            return
        apart = people.name_of(first) != people.name_of(second)
        if apart and _code_of(first) != _code_of(second):
            people.join(second, first)

    def _place_of(self, guest: Guest) -> Person | None:
        place = self._places.get(guest.secret)
        return place if place is not None and place in self._host.people else None

    def _enter(self, guest: Guest) -> None:
        place, people = self._place_of(guest), self._host.people
        name = _seat_name(place) or self._names.get(guest.secret)
        wanted = numbered(name) if name else ()
        if place is None:
            people.enter(guest, wanted)
        else:
            people.join(guest, place, wanted)

    def opened(self, visitor: str, ear: Ear, stream: Caller) -> None:
        """Take note of a stream, and say there what its browser is called."""
        guest = self.come(visitor, ear)
        if guest.streams:
            guest.ears.append(ear)
        guest.streams.append(stream)
        self._stop(guest)
        stream.call(self._host.people.name_of(guest))

    def closed(self, visitor: str, stream: Caller) -> None:
        """Take note of the end of a stream."""
        guest = self.find(visitor)
        if guest is None or stream not in guest.streams:
            return
        at = guest.streams.index(stream)
        del guest.streams[at]
        if guest.streams:
            del guest.ears[at]
        else:
            self._wait(guest, _STREAM_SECONDS)

    def _make_room(self) -> None:
        silent = [each for each in self._guests.values() if not each.streams]
        if len(silent) >= _MOST_SILENT:
            self._leave(silent[0])

    def _wait(self, guest: Guest, seconds: float) -> None:
        self._stop(guest)
        if not guest.streams:
            guest.timer = self._host.clock.callLater(seconds, self._leave, guest)

    @staticmethod
    def _stop(guest: Guest) -> None:
        timer, guest.timer = guest.timer, None
        if timer is not None and timer.active():
            timer.cancel()

    def _leave(self, guest: Guest) -> None:
        self._stop(guest)
        self._guests.pop(guest.secret, None)
        self._host.people.leave(guest)

    def close(self) -> None:
        """Let everybody go, and every timer with them."""
        for guest in list(self._guests.values()):
            self._leave(guest)

    # -- names ------------------------------------------------------------------------

    def rename(self, visitor: str, ear: Ear, wanted: str) -> str:
        """Give a browser another name; raises Refused ``named-at-table``, and as ``People.rename``."""
        guest = self.come(visitor, ear)
        if _seat_name(self._place_of(guest)):
            raise Refused("named-at-table")
        name = self._host.people.rename(guest, wanted)
        self.remember(visitor, name)
        for stream in guest.streams:
            stream.call(name)
        return name

    def remember(self, visitor: str, name: str) -> None:
        """Keep a name that was chosen at a browser, to be proposed there again."""
        key = hash_token(visitor)
        with suppress(Refused):
            self._names[key] = read_name(name)
            self._names.move_to_end(key)
        if len(self._names) > _MOST_NAMES:
            self._names.popitem(last=False)
