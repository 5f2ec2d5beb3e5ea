"""Doors, journals and faces to rehearse with; fixtures give classes, so that hypothesis may use them too."""

from __future__ import annotations

import json
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from random import Random

import pytest
from twisted.internet.defer import Deferred
from twisted.internet.error import ConnectionDone
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure

from gamecore.games.nim import RULES
from gamecore.hall import Hall
from gamecore.rules import Registry, installed_rules
from protocols.host.door import read_defaults
from protocols.host.host import Host
from protocols.journal.memory import MemoryJournal
from protocols.nim.server import DOOR, NimFactory
from tests.patience import SECONDS


class HandJournal(MemoryJournal):
    """A journal whose commits the test fires by hand."""

    def __init__(self, clock):
        super().__init__(clock)
        self.batches = []
        self.kept = 0
        self._under_way = deque()

    def append(self, batch):
        assert not self._under_way, "a batch was handed over while another was under way"
        self.batches.append(list(batch))
        self._under_way.append((batch, Deferred()))
        return self._under_way[0][1]

    def commit(self):
        """Complete the batch under way, if there is one."""
        if self._under_way:
            batch, done = self._under_way.popleft()
            self._keep(batch)
            self.kept += len(batch)
            done.callback(None)

    def fail(self):
        """Let the batch under way fail."""
        self._under_way.popleft()[1].errback(OSError("the disk is full"))


class Ear:
    """A face that writes down all it hears, in one list."""

    def __init__(self):
        self.place = None
        self.heard = []
        self.token = None

    def shown(self, view):
        self.heard.append(view)

    def told(self, news):
        self.heard.extend(news.events)

    def answered(self, tag, refusal):
        self.heard.append((tag, None if refusal is None else refusal.key))

    def given(self, token):
        self.token = token
        self.heard.append("given")

    def paused(self, trouble):
        self.heard.append(("paused", trouble))

    def parted(self, reason):
        self.heard.append(reason)

    def names(self):
        """Name all that was heard, in order: events and Views by their class."""
        plain = (str, tuple)
        return [each if isinstance(each, plain) else type(each).__name__ for each in self.heard]


class Peer(StringTransport):
    """The far end of one connection; it knows when each write came."""

    write_ended = False

    def __init__(self, clock, factory, end):
        super().__init__()
        self.clock = clock
        self.end = end
        self.writes = []
        self.link = self.protocol = factory.buildProtocol(None)
        self.link.makeConnection(self)

    def write(self, data):
        super().write(data)
        self.writes.append((self.clock.seconds(), data))

    def loseWriteConnection(self):
        self.write_ended = True

    @property
    def closed(self):
        """Whether the server has closed this link."""
        return self.write_ended or self.disconnecting or self.disconnected

    def say(self, data):
        """Send bytes as they are."""
        self.link.dataReceived(data)

    def put(self, **written):
        """Send one object."""
        self.say(json.dumps(written).encode() + self.end)

    def take(self, stones, reset=False):
        """Send a move as a stock client writes it."""
        self.put(order=0, num_stones=stones, reset=reset)

    def end_input(self):
        """Half-close, as netcat does at the end of its input."""
        self.link.readConnectionLost()

    def hang_up(self):
        """Be gone altogether."""
        if self.link.connected:
            self.link.connectionLost(Failure(ConnectionDone()))

    def objects(self):
        """Read all that came as JSON lines."""
        return [json.loads(line) for line in self.value().splitlines()]

    def last(self):
        """Read the object that came last."""
        return self.objects()[-1]


class NimDoor:
    """A whole daemon with the door of Nim; leaving it checks that nothing is left behind."""

    def __init__(self, most=100_000, journal=MemoryJournal, **given):
        self.clock = Clock()
        self.journal = journal(self.clock)
        self.hall = Hall(Registry(installed_rules()), most)
        self.host = Host(self.hall, self.journal, self.clock, lambda: 1e9, Random(1))
        self.factory = NimFactory(self.host, read_defaults(RULES, DOOR, given))
        self.peers = []

    def connect(self, name=None, order=0, end=b"", **more):
        """Let somebody connect, and say hello if there is a name."""
        peer = Peer(self.clock, self.factory, end)
        self.peers.append(peer)
        if name is not None:
            peer.put(name=name, order=order, **more)
        return peer

    def pair(self, end=b""):
        """Seat north and south, and let their game begin."""
        pair = self.connect("north", 0, end), self.connect("south", 1, end)
        self.settle()
        return pair

    def settle(self):
        """Let everything happen that needs no time."""
        self.clock.advance(0)

    def pass_time(self, seconds, step=0.01):
        """Let time go by in small steps, as a reactor's does."""
        for _ in range(round(seconds / step)):
            self.clock.advance(step)

    def __enter__(self):
        return self

    def __exit__(self, kind, problem, trace):
        if kind is None:
            for peer in self.peers:
                peer.hang_up()
            self.settle()
            assert self.clock.getDelayedCalls() == [], "a timer outlived its connection"
            assert len(self.hall) == 0, "a table outlived its players"
            assert self.journal._lines == {}, "the journal was not told that a table ended"
            assert self.factory.links == set()
            assert self.host.service.closing or len(self.host.directory) == 0, (
                "a table that is no more is still listed"
            )


@pytest.fixture(scope="session")
def look_alikes() -> list[tuple[str, str]]:
    """Give pairs of names that people would take for each other: a plain one and its imitation."""
    lines = Path(__file__).with_name("look_alikes.txt").read_text(encoding="ascii").splitlines()
    pairs = (line.split("\t") for line in lines)
    return [(name, written.encode().decode("unicode_escape")) for name, written in pairs]


@pytest.fixture(scope="session")
def hand_journal():
    return HandJournal


@pytest.fixture(scope="session")
def ear():
    return Ear


@pytest.fixture(scope="session")
def nim_door():
    return NimDoor


@contextmanager
def talk(answers: Callable[[bytes], list[bytes]], host: str = "127.0.0.1") -> Iterator[int]:
    """Answer datagrams on a free UDP port for as long as a ``with`` lasts; gives the port."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as peer:
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        peer.settimeout(SECONDS)
        peer.bind((host, 0))

        def answer() -> None:
            while True:
                datagram, source = peer.recvfrom(65_535)
                if not datagram:
                    return
                for reply in answers(datagram):
                    peer.sendto(reply, source)

        listening = threading.Thread(target=answer)
        listening.start()
        try:
            yield peer.getsockname()[1]
        finally:
            peer.sendto(b"", peer.getsockname())  # behind all that was asked
            listening.join(SECONDS)


@pytest.fixture
def talking() -> Callable[..., AbstractContextManager[int]]:
    """Give ``talking(answers, host)``: a peer that answers each datagram with a list of others."""
    return talk
