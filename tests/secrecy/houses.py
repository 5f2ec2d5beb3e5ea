"""Whole houses in pairs: one game's position can be exchanged, and every byte that anybody is sent is kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from attrs import define, field
from twisted.internet.address import IPv4Address
from twisted.internet.error import ConnectionDone
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.logger import LogEvent, formatEvent, globalLogPublisher
from twisted.python.failure import Failure

from gamecore.commands import Start
from gamecore.events import Emit, Event
from gamecore.hall import Hall
from gamecore.rules import AnyRules, Chance, Position, Registry, installed_rules, sample
from gamecore.settings import plain_settings
from protocols.host.door import Door, NoSettings, read_defaults
from protocols.host.host import Host
from protocols.journal.memory import MemoryJournal
from tests.secrecy.pairs import Viewer, draw_options
from tests.secrecy.wires import Wire

GAMES = installed_rules()
MOMENT = 0.3  # seconds that go by with each thing that is done
_ADDRESS = re.compile(r"0x[0-9a-f]+")
_COUNTED = re.compile(r" after \d+ commands")  # told of a game that is over: its record is anyone's
_DECISION = re.compile(rb'name=\\?"decision\\?" value=\\?"([0-9.]*)')
_DATE = re.compile(rb"\r\nDate: [^\r]*")


class Exchangeable:
    """A position in whose place another may be put while it is played; keeps what it has told."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self.position: Position
        self.heard: list[Event] = []

    def __getattr__(self, name: str) -> object:
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

    def __getattr__(self, name: str) -> object:
        return getattr(self._rules, name)

    def begin(self, seats, options, deal, emit, now):
        self.playing = Exchangeable(emit)
        self.playing.position = self._rules.begin(seats, options, deal, self.playing.tell, now)
        return self.playing


class Sitter:
    """A face that only sits there: what it hears is not looked at."""

    place = None

    def shown(self, view): ...
    def told(self, news): ...
    def answered(self, tag, refusal): ...
    def given(self, token): ...
    def paused(self, trouble): ...
    def parted(self, reason): ...


class FarEnd(StringTransport):
    """The far end of one connection; it keeps each write with its time, and each end."""

    def __init__(self, house: House, factory, number: int) -> None:
        address = IPv4Address("TCP", f"192.0.2.{number}", 40_000)
        super().__init__(peerAddress=address)
        self.sent: list[tuple[float, bytes | str]] = []
        self.clock = house.clock
        self.link = self.protocol = factory.buildProtocol(address)
        self.link.makeConnection(self)

    def write(self, data: bytes) -> None:
        self.sent.append((self.clock.seconds(), data))

    def writeSequence(self, data) -> None:
        self.write(b"".join(data))

    def loseConnection(self) -> None:
        self.sent.append((self.clock.seconds(), "closed"))
        super().loseConnection()

    def loseWriteConnection(self) -> None:
        self.sent.append((self.clock.seconds(), "ended"))

    def abortConnection(self) -> None:
        self.sent.append((self.clock.seconds(), "aborted"))
        self.hang_up()

    def hang_up(self) -> None:
        """Be gone."""
        if not self.disconnected:
            self.disconnected = True
            self.link.connectionLost(Failure(ConnectionDone()))

    def bytes_sent(self) -> bytes:
        return b"".join(data for _, data in self.sent if isinstance(data, bytes))

    def writes(self) -> list[tuple[float, bytes | str]]:
        """Give all that was written, but for the time of day in the head of a page."""
        return [
            (at, data if isinstance(data, str) else _DATE.sub(b"", data)) for at, data in self.sent
        ]


@define(eq=False)
class Guest:
    """Somebody who came by a wire: all their connections, of which they speak on one."""

    house: House
    wire: Wire
    seat: int | None
    factory: object
    ends: list[FarEnd] = field(factory=list)
    _speaks: int = 0  # on which of them

    def connect(self) -> FarEnd:
        self.house.connections += 1
        end = FarEnd(self.house, self.factory, self.house.connections)
        self.ends.append(end)
        return end

    def say(self, *texts: str, end: FarEnd | None = None) -> None:
        """Say some things on the connection for it, or another; let everything happen that follows."""
        for text in texts:
            with self.house.acting():
                data = self.wire.encode(self.filled(text), self)
                (end or self.ends[self._speaks]).link.dataReceived(data)

    def filled(self, text: str) -> str:
        for name, value in self.facts().items():
            text = text.replace(name, value)
        return text

    def facts(self) -> dict[str, str]:
        token = self.token or ""
        number = str(self.seat)
        return {
            "<code>": self.house.table.code,
            "<seat>": number,
            "<token>": token,
            "<decision>": self.decision,
            **self.wire.more(token),
        }

    @property
    def token(self) -> str | None:
        """Find what brings the player back in what the wire has said."""
        pattern = self.house.table.code.encode() + rb"\.[0-9a-f]{32}"
        found = [each for end in self.ends for each in re.findall(pattern, end.bytes_sent())]
        return found[-1].decode() if found else None

    @property
    def decision(self) -> str:
        """Find what the page that is shown was drawn for."""
        found = _DECISION.findall(self.ends[-1].bytes_sent())
        return found[-1].decode() if found else ""

    def come(self, texts: tuple[str, ...]) -> None:
        """Connect and say what this wire wants said first."""
        with self.house.acting(self.wire.wait):
            self.connect()
        self._speaks = len(self.ends) - 1
        self.say(*texts)
        streams = self.wire.streams if self.seat is not None else self.wire.watch_streams
        for each in streams:
            with self.house.acting():
                end = self.connect()
            self.say(each, end=end)

    def come_back(self, hang_up: bool) -> None:
        """Connect anew, and take the seat again."""
        if hang_up:
            with self.house.acting():
                for each in self.ends:
                    each.hang_up()
        self.come(self.wire.back)

    def bytes_sent(self) -> bytes:
        return b"".join(end.bytes_sent() for end in self.ends)

    def writes(self) -> list[list[tuple[float, bytes | str]]]:
        return [end.writes() for end in self.ends]

    @property
    def gone(self) -> bool:
        """Whether the house has ended the connection on which this guest speaks."""
        return any(isinstance(data, str) for _, data in self.ends[self._speaks].sent)


class House:
    """One of a pair: a table of the game with some guests, and silent people in the other seats."""

    def __init__(self, rules: AnyRules, chance: Chance, count: int) -> None:
        self.clock = Clock()
        self.rules = ExchangeableRules(rules)
        self.connections = 0
        self.log: list[str] = []
        self.sitters: dict[int, Sitter] = {}
        self.guests: list[Guest] = []
        self._factories: dict[str, object] = {}
        others = [each for each in GAMES if each.kind != rules.kind]
        hall = Hall(Registry([self.rules, *others]))
        journal = MemoryJournal(self.clock)
        self.host = Host(hall, journal, self.clock, lambda: 1e9, chance)
        self.count = count

    def open(self, chance: Chance) -> None:
        options = plain_settings(draw_options(self.rules, chance, self.count))
        house = {"start": "asked", "grace": 1000}
        with self.acting():
            self.table = self.host.hall.find(
                self.host.open(self.rules.kind, "", options, house).code
            )

    # -- people ------------------------------------------------------------------------

    def seat(self, seat: int) -> None:
        """Let a silent person sit down."""
        face = self.sitters[seat] = Sitter()
        with self.acting():
            brought = sample(self.rules)
            self.host.sit(face, self.table.code, seat, f"silent {seat}", None, True, brought)

    def invite(self, door: Door, wire: Wire, seat: int | None) -> Guest:
        """Let somebody come by a wire, to sit down or to look on."""
        guest = Guest(self, wire, seat, self._factory(door, wire))
        self.guests.append(guest)
        guest.come(wire.watch if seat is None else wire.sit)
        return guest

    def _factory(self, door: Door, wire: Wire):
        name = f"{door.kind}/{wire.name}"
        if name not in self._factories:
            own = door.kind == self.rules.kind
            given = dict(wire.settings) if door.settings is not NoSettings else {}
            factory = door.build(self.host, read_defaults(self.rules if own else None, door, given))
            factory.only = self.table if own else None
            self._factories[name] = factory
        return self._factories[name]

    def start(self) -> None:
        with self.acting():
            self.host.command(None, self.table, Start())

    def face_in(self, seat: int):
        """Find the face that speaks for a seat, whoever made it."""
        live = self.host.service.live.find(self.table.code)
        return live.holder(self.table.player(seat))

    # -- what is done ------------------------------------------------------------------

    @contextmanager
    def acting(self, seconds: float = MOMENT) -> Iterator[None]:
        """Write down what is logged while something is done, and let all happen that follows soon."""
        globalLogPublisher.addObserver(self._note)
        try:
            yield
            self._let_pass(seconds)
        finally:
            globalLogPublisher.removeObserver(self._note)

    def do(self, act: Callable[[], object]) -> None:
        with self.acting():
            act()

    def _let_pass(self, seconds: float) -> None:
        """Let time go by from one call that is due to the next, so that each comes at its own time."""
        end = self.clock.seconds() + seconds
        for _ in range(1000):
            due = min((call.getTime() for call in self.clock.getDelayedCalls()), default=end)
            self.clock.advance(max(0.0, min(due, end) - self.clock.seconds()))
            if due > end:
                return
        raise AssertionError("it never comes to rest")

    def _note(self, event: LogEvent) -> None:
        text = f"{event.get('log_namespace')} {event['log_level'].name} {formatEvent(event)}"
        if "log_failure" in event:
            text += event["log_failure"].getTraceback()
        self.log.append(_COUNTED.sub("", _ADDRESS.sub("0x", text)))

    # -- what can be seen --------------------------------------------------------------

    @property
    def playing(self) -> Exchangeable:
        assert self.rules.playing is not None
        return self.rules.playing

    @property
    def over(self) -> bool:
        return self.rules.playing is not None and not self.playing.to_move()

    def board(self, viewer: Viewer) -> object:
        return self.playing.seen_by(viewer)
