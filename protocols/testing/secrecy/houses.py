"""Houses in pairs: one game's position can be exchanged, and every byte that anybody is sent is kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

import attrs
from twisted.logger import LogEvent, formatEvent, globalLogPublisher

from gamecore.events import Emit, Event
from gamecore.fairness import Deal
from gamecore.rules import AnyRules, Chance, Position, Seat, View
from gamecore.settings import NoSettings, Value, plain_settings
from gamecore.table import Table
from protocols.host.door import Door
from protocols.host.hints import Hints
from protocols.testing.guest import Guest, Way
from protocols.testing.house import MOMENT, House
from protocols.testing.playing import Viewer, draw_options
from protocols.testing.ponder import ByView
from protocols.testing.wires import Wire

_ADDRESS = re.compile(r"0x[0-9a-f]+")
_COUNTED = re.compile(r" after \d+ commands")  # told of a game that is over: its record is anyone's
_DATE = re.compile(rb"\r\nDate: [^\r]*")


class Exchangeable:
    """A position in whose place another may be put while it is played; keeps what it has told."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self.position: Position
        self.heard: list[Event] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.position, name)

    def tell(self, event: Event, /) -> None:
        self.heard.append(event)
        self._emit(event)

    def exchange(self, viewer: Viewer, chance: Chance) -> None:
        """Go on with another position that shows one viewer the same."""
        self.position = self.position.guess(viewer, chance, self.tell)


class ExchangeableRules:
    """The rules of a game whose positions can be exchanged."""

    def __init__(self, rules: AnyRules) -> None:
        self._rules = rules
        self.playing: Exchangeable | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)

    def begin(
        self,
        seats: Sequence[Seat],
        options: attrs.AttrsInstance,
        deal: Deal,
        emit: Emit,
        now: float,
    ) -> Exchangeable:
        """Begin a game whose position may be exchanged."""
        self.playing = Exchangeable(emit)
        self.playing.position = self._rules.begin(seats, options, deal, self.playing.tell, now)
        return self.playing


class PairedGuest(Guest):
    """Somebody who came by a wire, and whose every connection is compared."""

    def follow(self) -> None:
        """Open the further connections that this wire has, if any."""
        speaks = self.peer
        streams = self.wire.watch_streams if self.seat is None else self.wire.streams
        for each in streams:
            with self.house.acting():
                stream = self.connect()
            self.say(each, peer=stream)
        self.peer = speaks

    def come_back(self, hang_up: bool) -> None:
        """Connect anew, and take the seat again."""
        if hang_up:
            with self.house.acting():
                for each in self.peers:
                    each.hang_up()
        self.come(self.wire.back)
        self.follow()

    @property
    def gone(self) -> bool:
        """Whether the house has ended the connection on which this guest speaks."""
        return self.peer.ended

    def bytes_sent(self) -> bytes:
        return b"".join(peer.got() for peer in self.peers)

    def writes(self) -> list[list[tuple[float, bytes | str]]]:
        """Give all that was written, by connection, but for the time of day in the head of a page."""
        return [
            [*((at, _DATE.sub(b"", data)) for at, data in peer.writes), *peer.ends]
            for peer in self.peers
        ]


class PairedHouse(House):
    """One of a pair: a table of the game with some guests, and silent people in the other seats."""

    def __init__(
        self,
        rules: AnyRules,
        chance: Random,
        count: int,
        ways: Iterable[Way],
    ) -> None:
        exchangeable: Any = ExchangeableRules(rules)  # as its rules in all but the class
        doors: dict[str, Door] = {}
        for way in ways:
            doors.setdefault(way.door.kind, way.door)
        super().__init__([exchangeable], doors.values(), chance=chance, thinking=ByView())
        # Nothing else may hang on the draws of its guesses.
        self.host.hints = Hints(self.host.service, Random(1), self.host.admission)
        self.rules = exchangeable
        self.count = count
        self.log: list[str] = []
        self.guests: list[PairedGuest] = []
        self.table: Table

    def open_table(self, chance: Random) -> None:
        """Open the table, with options by chance."""
        options = plain_settings(draw_options(self.rules, chance, self.count))
        with self.acting():
            self.table = self.open(self.rules.kind, options, grace=1000, hints="all")

    def invite(self, way: Way, seat: int | None) -> PairedGuest:
        """Let somebody come by a wire, to sit down or to look on."""
        self.settings = {**self.settings, way.door.kind: _settings(way.door, way.wire)}
        guest = PairedGuest(self, way, self.table, seat)
        self.guests.append(guest)
        guest.come()
        guest.follow()
        return guest

    # -- what is done ------------------------------------------------------------------

    @contextmanager
    def acting(self, seconds: float = MOMENT) -> Iterator[None]:
        """Write down what is logged while something is done, and let all happen that follows soon."""
        globalLogPublisher.addObserver(self._note)  # type: ignore[arg-type]  # zope's, of a method
        try:
            with super().acting(seconds):
                yield
        finally:
            globalLogPublisher.removeObserver(self._note)  # type: ignore[arg-type]

    def do(self, act: Callable[[], object]) -> None:
        with self.acting():
            act()

    def _note(self, event: LogEvent) -> None:
        text = f"{event.get('log_namespace')} {event['log_level'].name} {formatEvent(event)}"
        if "log_failure" in event:
            text += event["log_failure"].getTraceback()
        self.log.append(_COUNTED.sub("", _ADDRESS.sub("0x", text)))

    # -- what can be seen --------------------------------------------------------------

    @property
    def playing(self) -> Exchangeable:
        """The game under way."""
        playing = self.rules.playing
        assert isinstance(playing, Exchangeable)
        return playing

    @property
    def over(self) -> bool:
        return self.rules.playing is not None and not self.playing.to_move()

    def board(self, viewer: Viewer) -> View:
        """What one viewer may know."""
        return self.playing.position.seen_by(viewer)


def _settings(door: Door, wire: Wire) -> dict[str, Value]:
    return {} if door.settings is NoSettings else dict(wire.settings)
