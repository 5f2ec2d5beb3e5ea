"""Where much is ready at once, the house and its players come first, and of all others who waited longest."""

from __future__ import annotations

import select
import socket
import time
from collections.abc import Iterator
from itertools import count

import pytest
from attrs import define, field
from twisted.internet.protocol import Factory, Protocol
from twisted.internet.tcp import Server

from protocols.daemon.fair_poll import BUDGET, FairPoll, see_to_players_first

epollreactor = pytest.importorskip("twisted.internet.epollreactor")

HOUSE, PLAYER = 1, 2
MANY = 60


class FakeServer(Server):
    """A connection of a speaker."""

    def __init__(self, speaker: object) -> None:
        self.protocol = Protocol()
        self.protocol.speaker = speaker


@define
class Poller:
    """Gives what is ready, in the order of its numbers."""

    ready: set[int] = field(factory=set)
    register = modify = unregister = close = staticmethod(lambda *_: None)

    def poll(self, timeout: float, most: int) -> list[tuple[int, int]]:
        return [(each, select.EPOLLIN) for each in sorted(self.ready)]


def fair(poller: Poller, *, a_look: float = BUDGET / 10) -> FairPoll:
    """Stand before a poller: the first is of the house, the last two play, and each look at the clock lasts."""
    selectables: dict[int, object] = {each: FakeServer("guest") for each in range(MANY)}
    selectables[0] = object()
    selectables[MANY - 1] = selectables[MANY - 2] = FakeServer("player")
    ticks = count()
    return FairPoll(poller, selectables, "player".__eq__, lambda: next(ticks) * a_look)


def seen(poll: FairPoll) -> list[int]:
    """Let one round of the reactor pass, and give whom it saw to."""
    return [each for each, _ in poll.poll(0, MANY)]


def test_the_house_and_players_come_first_and_others_while_there_is_time() -> None:
    order = seen(fair(Poller(set(range(MANY)))))
    assert order[:3] == [0, MANY - 2, MANY - 1]
    assert order[3:] == list(range(1, 11))


def test_nobody_waits_longer_than_until_each_other_was_seen_to_once() -> None:
    poll = fair(Poller(set(range(MANY))))
    others: list[int] = []
    for _ in range(6):
        others += seen(poll)[3:]
    assert sorted(others[: MANY - 3]) == list(range(1, MANY - 2))


def test_who_comes_newly_does_not_wait_for_who_comes_again_and_again() -> None:
    poller = Poller(set(range(1, 30)))
    poll = fair(poller)
    seen(poll), seen(poll), seen(poll)
    poller.ready.add(40)
    assert seen(poll)[0] == 40


def test_one_of_the_others_is_seen_to_however_little_time_there_is() -> None:
    assert len(seen(fair(Poller(set(range(MANY))), a_look=1.0))) == 4


def test_a_few_are_all_seen_to_as_they_come() -> None:
    assert seen(fair(Poller({7, 3, MANY - 1}), a_look=1.0)) == [3, 7, MANY - 1]


class Echo(Protocol):
    """Says again what it hears, and is who it was made for."""

    heard: list[str]
    speaker = "guest"

    def dataReceived(self, data: bytes) -> None:
        self.speaker = data.decode()
        self.heard.append(self.speaker)


@pytest.fixture
def reactor() -> Iterator[object]:
    """A reactor of epoll of our own, that nobody else sees."""
    own = epollreactor.EPollReactor()
    see_to_players_first(own, "player".__eq__, time.monotonic)
    yield own
    for each in list(own._internalReaders):
        own.removeReader(each)
        each.connectionLost(None)
    own._poller.close()


def say(reactor, socks: list[socket.socket], heard: list[str]) -> None:
    """Let all be ready at once, the player last, and wait until all are heard."""
    heard.clear()
    for sock in socks:
        sock.sendall(b"player" if sock is socks[-1] else b"guest")
    while len(heard) < len(socks):
        reactor.doIteration(0.1)


def test_a_real_reactor_hears_a_player_before_a_crowd(reactor) -> None:
    heard: list[str] = []
    factory = Factory.forProtocol(type("Heard", (Echo,), {"heard": heard}))
    factory.noisy = False
    port = reactor.listenTCP(0, factory, interface="127.0.0.1")
    socks = [socket.create_connection(("127.0.0.1", port.getHost().port)) for _ in range(20)]
    readers = len(reactor.getReaders())
    while len(reactor.getReaders()) < len(socks) + readers:
        reactor.doIteration(0.1)
    say(reactor, socks, heard)  # only now it is known who plays
    say(reactor, socks, heard)
    for sock in socks:
        sock.close()
    while len(reactor.getReaders()) > readers:
        reactor.doIteration(0.1)
    port.stopListening()
    reactor.runUntilCurrent()
    assert heard[0] == "player"


def test_another_reactor_is_left_as_it_is() -> None:
    other = object()
    see_to_players_first(other, bool, time.monotonic)
