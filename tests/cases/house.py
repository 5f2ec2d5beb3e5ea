"""A whole daemon in one process, with every installed door, on a clock that is moved by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from random import Random

from twisted.internet.address import IPv4Address
from twisted.internet.defer import maybeDeferred
from twisted.internet.error import ConnectionDone
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure

from gamecore import commands
from gamecore.hall import Hall
from gamecore.rules import Registry, sample
from gamecore.table import Table
from protocols.host.door import DoorFactory, read_defaults
from protocols.host.host import Host
from protocols.journal.memory import MemoryJournal
from tests.cases.customs import DOORS, GAMES, Way
from tests.secrecy.wires import WIRES

_MOMENT = 0.5  # seconds: longer than any gap between two messages to a stock client
_LONG = 10 * 86_400.0
_MOST_TURNS = 20_000
_DATE = re.compile(rb"\r\nDate: [^\r]*")


class Sitter:
    """Somebody who sits at a table or looks on, by no wire, and writes down what is heard."""

    def __init__(self):
        self.place = None
        self.heard = []
        self.refused = []
        self.token = None

    def shown(self, view):
        self.heard.append(view)

    def told(self, news):
        self.heard.extend(news.events)

    def answered(self, tag, refusal):
        self.refused.append(None if refusal is None else refusal.key)

    def given(self, token):
        self.token = token

    def paused(self, trouble):
        self.heard.append(("paused", trouble))

    def parted(self, reason):
        self.heard.append(reason)


class Peer(StringTransport):
    """The far end of one connection; while ``reads`` is unset, no more than ``room`` bytes fit."""

    room = 64 * 1024

    def __init__(self, house, factory, address="192.0.2.1", port=40_000):
        peer = IPv4Address("TCP", address, port)
        super().__init__(peerAddress=peer)
        self.reads = True
        self.clock = house.clock
        self.sent = []
        self.ended = False  # by the daemon
        self._size = 0
        self._full = False
        self.link = self.protocol = factory.buildProtocol(peer)
        if self.link is None:
            self.ended = self.disconnected = True
        else:
            self.link.makeConnection(self)

    @property
    def face(self):
        """What the Host knows the daemon's side of this as: a session of its own, or the link."""
        return getattr(self.link, "session", None) or self.link

    def write(self, data):
        if self.disconnected:
            return
        self.sent.append((self.clock.seconds(), data))
        self._size += len(data)
        if not self.reads and self._size > self.room:
            self._full = True
            if self.producer is not None:
                self.producer.pauseProducing()

    def writeSequence(self, data):
        self.write(b"".join(data))

    def loseConnection(self):
        self.ended = True
        super().loseConnection()
        if self.producer is None:  # a transport waits for its producer before it closes
            self.clock.callLater(0, self.hang_up)

    def unregisterProducer(self):
        super().unregisterProducer()
        if self.disconnecting:
            self.clock.callLater(0, self.hang_up)

    def loseWriteConnection(self):
        self.ended = True

    def abortConnection(self):
        self.ended = True
        self.clock.callLater(0, self.hang_up)

    def say(self, data):
        """Send bytes, unless the daemon has gone."""
        if not self.disconnected:
            self.link.dataReceived(data)

    def read_on(self):
        """Take all that fits no more, and all that follows."""
        self.reads, self._size = True, 0
        if self._full and self.producer is not None:
            self._full = False
            self.producer.resumeProducing()

    def hang_up(self):
        """Be gone."""
        if not self.disconnected:
            self.disconnected = True
            self.link.connectionLost(Failure(ConnectionDone()))

    def got(self):
        """Give all bytes that came."""
        return b"".join(data for _, data in self.sent)

    def forget(self):
        """Start afresh, and give all bytes that came before."""
        got = self.got()
        self.sent.clear()
        return got


class Guest:
    """Somebody who comes to a table by a wire."""

    def __init__(self, house, way, table, seat):
        self.house, self.way, self.wire = house, way, way.wire
        self.table, self.seat = table, seat
        self.token = None
        self.peer = None
        self.said = ""  # all that was said by all peers, to find a token in

    def filled(self, text):
        """Put what is known in place of <code>, <seat> and <token>."""
        token = self.token or ""
        facts = {"<code>": self.table.code, "<seat>": str(self.seat), "<token>": token}
        for name, value in {**facts, **self.wire.more(token)}.items():
            text = text.replace(name, value)
        return text

    def encoded(self, text):
        """Write one thing as this wire does."""
        return self.wire.encode(self.filled(text), self)

    def connect(self, address="192.0.2.1"):
        """Come to the door."""
        self.peer = self.house.connect(self.way.door.kind, address, self.table)
        self.house.settle()
        return self.peer

    def come(self, texts=None, address="192.0.2.1"):
        """Connect, and say what one says first; without ``texts`` to sit down."""
        peer = self.connect(address)
        if self.wire.wait or not (texts or self.wire.sit):
            self.house.pass_time(_MOMENT)
        self.say(*(self.wire.sit if texts is None else texts))
        return peer

    def say(self, *texts):
        """Say some things, and let happen what follows."""
        for text in texts:
            self.peer.say(self.encoded(text))
            self.house.settle()
        self.house.pass_time(_MOMENT)
        self.find_token()

    def find_token(self):
        """Look for what brings the player back in what came."""
        pattern = self.table.code.encode() + rb"\.[0-9a-f]{32}"
        found = re.findall(pattern, self.peer.got())
        if found:
            self.token = found[-1].decode()

    @property
    def face(self):
        """The face that speaks for the seat, whoever made it."""
        return self.house.face_in(self.table, self.seat)


class House:
    """A daemon whose chance comes from one integer; leaving it checks that nothing is left behind."""

    def __init__(self, seed=7, journal=MemoryJournal, in_thread=maybeDeferred):
        self.clock = Clock()
        self._seed, self._in_thread = seed, in_thread
        self._begin(journal(self.clock))
        self.peers = []
        self.sitters = []

    def _begin(self, journal):
        self.journal = journal
        self.hall = Hall(Registry(GAMES.values()))
        defaults = {kind: read_defaults(GAMES[kind], None, {}) for kind in GAMES}
        self.host = Host(
            self.hall,
            self.journal,
            self.clock,
            lambda: 1e9 + self.clock.seconds(),
            Random(self._seed),
            defaults=defaults,
            in_thread=self._in_thread,
        )
        self.factories = {}

    def restart(self):
        """Let the daemon be gone with all its links, and another begin with the same ``KeptJournal``."""
        self.clock.calls.clear()
        for peer in self.peers:
            peer.disconnected = True
        self.peers, self.sitters = [], []
        self._seed += 1
        self._begin(self.journal.next())
        self.host.begin()
        self.settle()

    # -- doors and people -------------------------------------------------------------

    def door(self, kind: str, table: Table | None = None) -> DoorFactory:
        """Give the factory of a door; a game's own door leads to ``table`` alone, if it is one of that game."""
        own = table if table is not None and table.rules.kind == kind else None
        key = kind, None if own is None else own.code
        if key not in self.factories:
            door = DOORS[kind]
            given = WIRES[kind][0].settings if WIRES.get(kind) else {}
            factory = door.build(self.host, read_defaults(GAMES.get(kind), door, given))
            factory.only = own
            self.factories[key] = factory
        return self.factories[key]

    def connect(self, kind, address="192.0.2.1", table=None):
        """Connect to a door."""
        peer = Peer(self, self.door(kind, table), address, 1024 + len(self.peers) % 60_000)
        self.peers.append(peer)
        return peer

    def open(self, kind, options=None, **house):
        """Open a table of a game; it begins when it is asked to."""
        table = self.host.hall.find(
            self.host.open(kind, "", options or {}, {"start": "asked", **house}).code
        )
        self.settle()
        return table

    def sit(self, table, seat=None, keep=True, name=None, password=""):
        """Seat somebody by no wire."""
        sitter = Sitter()
        seat = table.free_seats()[0] if seat is None else seat
        name = name or f"sitter {seat}"
        brought = sample(table.rules)
        self.host.sit(sitter, table.code, seat, name, None, keep, brought, password)
        self.sitters.append(sitter)
        self.settle()
        return sitter

    def watch(self, table):
        """Let somebody look on by no wire."""
        watcher = Sitter()
        self.host.watch(watcher, table.code)
        self.sitters.append(watcher)
        self.settle()
        return watcher

    def begin(self, way: Way, seat: int = 0, options=None, players=None, keep=True, **house):
        """Let a guest come by a wire to a table with sitters in all other seats, and begin; gives all three.

        With ``keep`` the sitters have tokens.
        """
        table = self.open(way.game, options, **house)
        count = players or table.rules.seats[0]
        guest = Guest(self, way, table, seat)
        sitters = {}
        for each in range(count):
            if each == seat:
                guest.come()
                assert self.face_in(table, seat) is not None, guest.peer.got()[-500:]
            else:
                sitters[each] = self.sit(table, each, keep)
        self.start(table)
        guest.find_token()
        return guest, sitters, table

    def start(self, table):
        """Begin the game."""
        self.host.command(None, table, commands.Start())
        self.pass_time(_MOMENT)

    def face_in(self, table, seat):
        """Find the face that speaks for a seat."""
        live = self.host.service.live.find(table.code)
        player = live.table.seated().get(seat)
        return None if player is None else live.holder(player)

    def move(self, table, seat, move):
        """Let a seat move: by its own face where that is a sitter's, else past whatever wire it has."""
        face = self.face_in(table, seat)
        if isinstance(face, Sitter):
            self.host.submit(face, move)
        else:
            self.host.command(None, table, commands.Play(seat, move))
        self.pass_time(_MOMENT)

    def play(self, table, chance, steps, seats=None):
        """Make some moves by chance, for all seats or for some; False once nobody is to move."""
        for _ in range(steps):
            awaited = sorted(table.awaited() if seats is None else table.awaited() & set(seats))
            if not awaited:
                return False
            seat = chance.choice(awaited)
            self.move(table, seat, chance.choice(table.legal_moves(seat)))
        return True

    # -- time -------------------------------------------------------------------------

    def settle(self):
        """Let everything happen that needs no time."""
        for _ in range(_MOST_TURNS):
            if not self.clock.calls or self.clock.calls[0].getTime() > self.clock.seconds():
                return
            self.clock.advance(0)
        raise AssertionError("it never comes to rest")

    def pass_time(self, seconds, until: Callable[[], object] = lambda: False):
        """Let time pass from one call to the next, as a reactor does."""
        end = self.clock.seconds() + seconds
        self.settle()
        while not until() and self.clock.calls and self.clock.calls[0].getTime() <= end:
            self.clock.advance(max(0.0, self.clock.calls[0].getTime() - self.clock.seconds()))
            self.settle()
        if not until():
            self.clock.advance(max(0.0, end - self.clock.seconds()))

    # -- the end ----------------------------------------------------------------------

    def links(self) -> Iterable[object]:
        """Give every link that stands open at any door."""
        return [link for factory in self.factories.values() for link in factory.links]

    def empty(self):
        """Let everybody go, and see that nobody and nothing is left."""
        for peer in self.peers:
            peer.hang_up()
        for sitter in self.sitters:
            self.host.leave(sitter)
        self.pass_time(_LONG, until=lambda: not self.clock.calls)
        assert not self.clock.calls, f"a timer outlives everybody: {self.clock.calls}"
        assert not self.links(), "a link outlives its connection"
        assert len(self.hall) == 0, "a table outlives its people"
        assert len(self.host.people) == 0, "somebody is in the hall, and gone"
        assert len(self.host.service.live) == 0

    def __enter__(self):
        return self

    def __exit__(self, kind, problem, trace):
        if kind is None:
            self.empty()


def undated(sent: bytes) -> bytes:
    """Leave out the time of day that the head of a page has."""
    return _DATE.sub(b"", sent)
