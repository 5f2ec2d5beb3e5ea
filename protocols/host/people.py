"""The people in the hall: who is there under which name, and what they say to each other.

Nothing here is journalled: who is in the hall and what was said is forgotten with the process.  Only faces of the
whole hall are people; the clients of a game's own wire have no room for talk.

What is said costs as much as there are people to hear it: a table has so much in a time, and the hall has.

In a house of several daemons people also meet those who are ``elsewhere``: what is said is relayed to them, and
counts where it was said.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar, cast

from attrs import define, field, frozen

from gamecore.errors import Refused
from protocols.host.elsewhere import Elsewhere, Whereabouts
from protocols.host.place import Place
from protocols.host.slices import Slices, Work
from protocols.i18n.look_alikes import NameIndex
from protocols.i18n.names import read_name
from protocols.i18n.sanitize import clean
from protocols.net.limits import AddressBuckets, TokenBucket

D = TypeVar("D")

LONGEST_REMARK = 400  # characters
_REMARKS_A_SECOND = 1.0
_REMARKS_AT_ONCE = 8.0
_RECALLED = 20  # remarks that who comes into the hall may still read
HEARD_A_SECOND = 1000.0  # times that something is heard, at each table and in the hall
HEARD_AT_ONCE = 2000.0
_REMEMBERED = 4096  # tables where something was said lately
_AT_ONCE = 100  # people who hear a thing in one piece of work


@frozen
class Remark:
    """Something said: by whom, and to whom.

    ``where`` is the code of the table it was said at, None for the hall; ``private`` if for one person alone.
    """

    name: str
    words: str
    where: str | None
    private: bool = False
    _drawn: dict[object, object] = field(factory=dict, init=False, repr=False, eq=False)

    def drawn(self, how: object, draw: Callable[[], D]) -> D:
        """Draw it, once for all who hear it in the same way."""
        if how not in self._drawn:
            self._drawn[how] = draw()
        return cast(D, self._drawn[how])


class Person(Protocol):
    """A face of the whole hall, as other people meet it."""

    @property
    def place(self) -> Place | None:
        """Where it is."""

    @property
    def screens(self) -> int:
        """On how many screens it is shown what this one hears."""

    def heard(self, remark: Remark) -> None:
        """Hear what somebody said."""


class Relay(Protocol):
    """Tells other daemons of the house what was said here."""

    def say(self, person: Person, remark: Remark) -> None:
        """Let those hear it who are at the same table there, or in the hall."""

    def tell(self, person: Person, remark: Remark, run: int, key: int) -> None:
        """Let one of them alone hear it."""


class NoRelay:
    """There is no other daemon."""

    def say(self, person: Person, remark: Remark) -> None:
        """Tell nobody."""

    def tell(self, person: Person, remark: Remark, run: int, key: int) -> None:
        """Tell nobody."""


@define(eq=False)
class _Presence:
    """One person's name, where they are to be met, and what they may still say without a pause."""

    name: str
    faces: tuple[Person, ...]
    # Of one who has spoken: thousands may be here and say nothing.
    budget: TokenBucket | None = None


class People:
    """Everybody who is in the hall, each under a name that nobody could take for another's.

    ``elsewhere`` are those of other daemons, who hear what is said here by the ``relay``.
    """

    def __init__(
        self,
        seconds: Callable[[], float],
        faces_at: Callable[[str], Iterable[object]],
        slices: Slices,
    ) -> None:
        """``seconds`` is what budgets are counted by, ``faces_at`` gives the faces at a table.

        Where many hear something, that is done in ``slices``.
        """
        self._seconds = seconds
        self._faces_at = faces_at
        self._slices = slices
        self._heard = AddressBuckets(HEARD_A_SECOND, HEARD_AT_ONCE, _REMEMBERED)
        self._heard_last = 0  # how often what was said to the hall last
        self._present: dict[Person, _Presence] = {}
        self._by_name: NameIndex[_Presence] = NameIndex()
        self._guests = 0
        self._count = 0
        self.elsewhere = Elsewhere(lambda name: self._by_name.find(name) is not None)
        self.relay: Relay = NoRelay()
        self.lately: deque[Remark] = deque(maxlen=_RECALLED)  # said to the whole hall

    def __len__(self) -> int:
        return self._count + len(self.elsewhere)

    def __contains__(self, person: object) -> bool:
        return person in self._present

    def enter(self, person: Person, wanted: Iterable[str] = ()) -> str:
        """Let somebody in, under the first name that is ``wanted`` and nobody has, else a guest's."""
        free = (name for name in wanted if not self._is_taken(name))
        name = next(free, None) or self._guests_name()
        presence = self._present[person] = _Presence(name, (person,))
        self._by_name.add(name, presence)
        self._count += 1
        return name

    @property
    def here(self) -> int:
        """How many there are at this daemon."""
        return self._count

    def _is_taken(self, name: str) -> bool:
        return self._by_name.find(name) is not None or self.elsewhere.find(name) is not None

    def _may_have(self, name: str, presence: _Presence) -> bool:
        return self._by_name.may_have(name, presence) and self.elsewhere.find(name) is None

    def join(self, person: Person, other: Person, wanted: Iterable[str] = ()) -> str:
        """Let two faces be one of the people, by the first name that is ``wanted`` and free, else by the other's.

        Each hears what is said where it is, and both what is said to this one alone.
        """
        self.leave(person)
        presence = self._present[person] = self._present[other]
        presence.faces += (person,)
        free = (name for name in wanted if self._may_have(name, presence))
        self._call(presence, next(free, presence.name))
        return presence.name

    def number_guests_behind(self, number: int) -> None:
        """Call the guests to come by numbers behind this one, which no other daemon of the house gives."""
        self._guests = max(self._guests, number)

    def _guests_name(self) -> str:
        while True:
            self._guests += 1
            name = f"guest-{self._guests}"
            if not self._is_taken(name):
                return name

    def leave(self, person: Person) -> None:
        """Let somebody go, and the name with their last face; does nothing for one who never came."""
        presence = self._present.pop(person, None)
        if presence is not None:
            presence.faces = tuple(each for each in presence.faces if each is not person)
            if not presence.faces:
                self._by_name.remove(presence.name, presence)
                self._count -= 1

    def rename(self, person: Person, wanted: str) -> str:
        """Give somebody another name; raises Refused ``name-taken``, and as ``read_name`` does."""
        name, presence = read_name(wanted), self._present[person]
        if not self._may_have(name, presence):
            raise Refused("name-taken")
        self._call(presence, name)
        return name

    def _call(self, presence: _Presence, name: str) -> None:
        self._by_name.remove(presence.name, presence)
        presence.name = name
        self._by_name.add(name, presence)

    def name_of(self, person: Person) -> str:
        """Say what somebody is called."""
        return self._present[person].name

    def who(self) -> Iterator[tuple[str, Whereabouts]]:
        """List everybody in the order in which they came, and where they are; then those who are elsewhere."""
        for person, name in self.persons():
            yield name, whereabouts(person)
        for other in self.elsewhere:
            yield other.called, other.where

    def persons(self) -> Iterator[tuple[Person, str]]:
        """List those who are here, each by the first of its faces, and what they are called."""
        for person, presence in self._present.items():
            if presence.faces[0] is person:
                yield person, presence.name

    def at(self, code: str | None) -> Iterator[Person]:
        """List those who are at one table, or at none."""
        some = self._present if code is None else self._faces_at(code)
        for each in some:
            person = cast(Person, each)
            if self._listens(person) and _table_of(person) == code:
                yield person

    def _listens(self, person: Person) -> bool:
        """Say whether this is somebody who is here, or a face through which people look on who are no faces."""
        return person in self._present or getattr(person, "overhears", False)

    def say(self, person: Person, words: str) -> None:
        """Say something to everybody at the same table, oneself included; where there is none, to the hall.

        Raises Refused ``nothing-said`` or ``too-fast``.
        """
        code = _table_of(person)
        # By who heard the last thing: to count them anew takes long where they are many.
        if code is None:
            self.check_heard(code, min(self._heard_last, len(self._present)))
        listeners = list(self.at(code))
        screens = sum(max(1, each.screens) for each in listeners)
        self.check_heard(code, screens)
        remark = self._remark(person, words, code)
        if code is None:
            self.lately.append(remark)
            self._heard_last = screens
        self.count_heard(code, screens)
        self._slices.run(self._tell_all(remark, listeners))
        self.relay.say(person, remark)

    def _tell_all(self, remark: Remark, listeners: Sequence[Person]) -> Work[None]:
        for number, each in enumerate(listeners, 1):
            if self._listens(each):  # still, where they are many
                each.heard(remark)
            if number % _AT_ONCE == 0:
                yield

    def check_heard(self, code: str | None, listeners: int) -> None:
        """Refuse what so many would hear at a table, or in the hall, where too much was said; ``too-fast``."""
        if self._heard.wait(code or "", self._seconds(), min(listeners, HEARD_AT_ONCE)):
            raise Refused("too-fast")

    def count_heard(self, code: str | None, listeners: int) -> None:
        """Count that so many hear something."""
        self._heard.take(code or "", self._seconds(), min(listeners, HEARD_AT_ONCE))

    def tell(self, person: Person, name: str, words: str) -> str:
        """Say something to one person alone; gives that person's name.

        Raises Refused ``nobody-called``, ``nothing-said`` or ``too-fast``.
        """
        other, remote = self._by_name.find(name), self.elsewhere.find(name)
        if other is None and remote is None:
            raise Refused("nobody-called", name=clean(name, 24))
        remark = self._remark(person, words, None, private=True)
        if other is not None:
            self._whisper(other, remark)
            return other.name
        assert remote is not None
        self.relay.tell(person, remark, remote.run, remote.key)
        return remote.called

    def _whisper(self, presence: _Presence, remark: Remark) -> None:
        for face in presence.faces:
            face.heard(remark)

    # -- what is said at other daemons --------------------------------------------------

    def hear(self, remark: Remark) -> None:
        """Let those hear it who are here, at the table where it was said or in the hall; it was counted there."""
        if remark.where is None:
            self.lately.append(remark)
        self._slices.run(self._tell_all(remark, list(self.at(remark.where))))

    def hear_alone(self, person: Person, remark: Remark) -> None:
        """Let one person alone hear it, if that one is still here."""
        if person in self._present:
            self._whisper(self._present[person], remark)

    def _remark(
        self, person: Person, words: str, where: str | None, private: bool = False
    ) -> Remark:
        words = clean(words, LONGEST_REMARK)
        if not words:
            raise Refused("nothing-said")
        presence = self._present[person]
        if presence.budget is None:
            presence.budget = TokenBucket(_REMARKS_A_SECOND, _REMARKS_AT_ONCE)
        if not presence.budget.take(self._seconds()):
            raise Refused("too-fast")
        return Remark(presence.name, words, where, private)


def whereabouts(person: Person) -> Whereabouts:
    """Say where one is who is here; who is on the way to a table is in the hall."""
    seat = None if person.place is None else person.place.seat
    return Whereabouts(_table_of(person), seat)


def _table_of(person: Person) -> str | None:
    """Say at which table somebody is; who is on the way to one is in the hall."""
    return (person.place.code or None) if person.place is not None else None
