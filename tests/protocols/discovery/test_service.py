"""How questions are heard and answers leave: real sockets on loopback, a reactor that stands still."""

from __future__ import annotations

import ipaddress
import json
import os
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from twisted.internet import reactor as real_reactor
from twisted.internet.defer import Deferred
from twisted.internet.error import CannotListenError
from twisted.internet.protocol import DatagramProtocol
from twisted.logger import capturedLogs
from twisted.python.failure import Failure
from twisted.trial.unittest import TestCase

from protocols.discovery import service as discovery
from protocols.discovery.interfaces import InterfaceAddress
from protocols.discovery.responder import Responder
from protocols.discovery.responder_socket import ResponderSocket
from protocols.discovery.service import DiscoveryService
from protocols.discovery.wire import Identity, OpenRoom
from tests.patience import SECONDS
from tests.protocols.discovery.loopback import ipv6_loopback, needs_ipv6
from tests.protocols.discovery.still_reactor import StillReactor

ATTIC = Identity("9c1e", "attic")
FRIDAY = OpenRoom("castle", "Friday", 1, 2, False, 3789, "K7QX")
SEED = b'{"COMMAND": "FIND_SERVER", "GAME": "LastOfUs"}'


def nothing(kind: str | None) -> Iterable[OpenRoom]:
    return ()


def never(kind: str | None) -> Iterable[OpenRoom]:
    raise AssertionError("nobody was to be told")


@contextmanager
def running(
    reactor: StillReactor, *addresses: str, port: int = 0, **more: Any
) -> Iterator[DiscoveryService]:
    rooms = more.pop("rooms", lambda kind: [FRIDAY])
    service = DiscoveryService(port, rooms, ATTIC, reactor, addresses or ("127.0.0.1",), **more)
    service.startService()
    try:
        yield service
    finally:
        service.stopService()
        assert reactor.readers == []
        assert reactor.getDelayedCalls() == []


@contextmanager
def asking() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
        asker.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        asker.settimeout(SECONDS)
        asker.bind(("127.0.0.1", 0))
        yield asker


def heard_by(asker: socket.socket) -> list[bytes]:
    """All the datagrams that wait for an asker."""
    asker.setblocking(False)
    heard = []
    while True:
        try:
            heard.append(asker.recv(2048))
        except BlockingIOError:
            return heard


def test_a_question_on_loopback_is_answered_to_whoever_asked() -> None:
    reactor = StillReactor()
    with running(reactor) as service, asking() as asker:
        asker.sendto(SEED, ("127.0.0.1", service.port))
        reactor.read_all()
        reply, source = asker.recvfrom(2048)
    assert json.loads(reply)["GAME_NAME"] == "Friday"
    assert source == ("127.0.0.1", service.port)


@pytest.mark.parametrize("asked", ["127.0.0.1", "127.0.0.2", "127.3.2.1"])
def test_the_answer_leaves_from_the_address_that_was_asked(asked: str) -> None:
    reactor = StillReactor()
    with running(reactor, "0.0.0.0") as service, asking() as asker:
        asker.sendto(SEED, (asked, service.port))
        reactor.read_all()
        assert asker.recvfrom(2048)[1] == (asked, service.port)


def test_a_broadcast_is_answered_by_every_daemon_on_the_host() -> None:
    here, there = StillReactor(), StillReactor()
    with (
        running(here, "0.0.0.0") as first,
        running(there, "0.0.0.0", port=first.port) as second,
        asking() as asker,
    ):
        assert first.port == second.port
        asker.sendto(SEED, ("127.255.255.255", first.port))
        here.read_all()
        there.read_all()
        sources = [asker.recvfrom(2048)[1] for _ in range(2)]
    assert sources == [("127.0.0.1", first.port)] * 2


def test_a_daemon_that_may_only_be_asked_on_loopback_hears_a_broadcast_there() -> None:
    reactor = StillReactor()
    with running(reactor, "127.0.0.1", "127.255.255.255") as service, asking() as asker:
        asker.sendto(SEED, ("127.255.255.255", service.port))
        reactor.read_all()
        assert asker.recvfrom(2048)[1] == ("127.0.0.1", service.port)


@needs_ipv6
def test_ipv6_is_answered_too() -> None:
    reactor = StillReactor()
    with (
        running(reactor, "::1") as service,
        socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as asker,
    ):
        asker.settimeout(SECONDS)
        asker.sendto(SEED, ("::1", service.port))
        reactor.read_all()
        reply, source = asker.recvfrom(2048)
    assert json.loads(reply)["PORT"] == "3789"
    assert source[:2] == ("::1", service.port)


def groups_on_loopback() -> list[str]:
    lines = Path("/proc/net/igmp6").read_text().splitlines()
    return [group for _, name, group, *_ in map(str.split, lines) if name == "lo"]


@needs_ipv6
@pytest.mark.skipif(not Path("/proc/net/igmp6").exists(), reason="no list of groups to read")
def test_the_group_is_joined_on_an_interface_as_soon_as_it_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reactor = StillReactor()
    own = f"ff12::{os.getpid() >> 16:x}:{os.getpid() & 0xFFFF:x}"  # one that no other daemon here has joined
    monkeypatch.setattr("protocols.discovery.responder_socket.GROUP", own)
    group = socket.inet_pton(socket.AF_INET6, own).hex()
    interfaces = [
        InterfaceAddress(2**30, ipaddress.ip_interface("fe80::1/64"))
    ]  # one that is just going
    with running(reactor, "::", interfaces=lambda: interfaces):
        assert group not in groups_on_loopback()
        interfaces.append(
            InterfaceAddress(socket.if_nametoindex("lo"), ipaddress.ip_interface("::1/128"))
        )
        for _ in range(2):  # joining once more must not matter
            reactor.advance(30)
            assert group in groups_on_loopback()


def test_with_no_address_given_every_interface_is_heard() -> None:
    reactor = StillReactor()
    service = DiscoveryService(0, nothing, ATTIC, reactor, interfaces=lambda: [])
    service.privilegedStartService()
    port = service.port
    service.startService()
    assert port == service.port > 0
    assert len(reactor.readers) == (2 if ipv6_loopback() else 1)
    service.stopService()
    assert reactor.readers == []


def without_ipv6(host: str, port: int) -> socket.socket:
    if ":" in host:
        raise OSError(97, "Address family not supported by protocol")
    return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)


def test_a_host_without_ipv6_goes_on_without_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "open_socket", without_ipv6)
    reactor = StillReactor()
    service = DiscoveryService(0, nothing, ATTIC, reactor)
    with capturedLogs() as events:
        service.startService()
        assert len(reactor.readers) == 1
        service.stopService()
    assert "this host has no IPv6: only IPv4 is answered" in [
        event["log_format"] for event in events if event["log_level"].name == "info"
    ]


def test_a_port_that_somebody_keeps_for_himself_cannot_be_had() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as selfish:
        selfish.bind(("127.0.0.1", 0))
        port = selfish.getsockname()[1]
        reactor = StillReactor()
        service = DiscoveryService(port, nothing, ATTIC, reactor, ["127.0.0.2", "127.0.0.1"])
        with pytest.raises(CannotListenError, match=str(port)):
            service.privilegedStartService()
        assert reactor.readers == []
        with pytest.raises(CannotListenError):
            service.startService()


def test_a_service_can_be_stopped_and_started_again() -> None:
    reactor = StillReactor()
    service = DiscoveryService(0, lambda kind: [FRIDAY], ATTIC, reactor, ["127.0.0.1"])
    for _ in range(2):
        service.startService()
        with asking() as asker:
            asker.sendto(SEED, ("127.0.0.1", service.port))
            reactor.read_all()
            assert asker.recv(2048)
        service.stopService()


def test_a_flood_is_read_in_small_parts_and_then_left_to_the_kernel() -> None:
    reactor = StillReactor()
    with running(reactor) as service, asking() as asker:
        flooded = reactor.readers[0]
        for _ in range(8):
            for _ in range(32):
                asker.sendto(b"noise", ("127.0.0.1", service.port))
            assert flooded in reactor.readers
            reactor.read_all()
        asker.sendto(SEED, ("127.0.0.1", service.port))
        reactor.read_all()
        assert flooded not in reactor.readers, "it should look away for a moment"
        assert heard_by(asker) == []
        reactor.advance(0.05)
        reactor.read_all()
        assert len(heard_by(asker)) == 1


def test_one_turn_of_reading_is_short() -> None:
    reactor = StillReactor()
    with running(reactor) as service, asking() as asker:
        for _ in range(40):
            asker.sendto(b"noise", ("127.0.0.1", service.port))
        asker.sendto(SEED, ("127.0.0.1", service.port))
        reactor.read_all()
        assert heard_by(asker) == []
        reactor.read_all()
        assert len(heard_by(asker)) == 1


class FullSocket:
    """Has one question to read and no room for an answer."""

    def __init__(self, error: OSError) -> None:
        self.error = error
        self.questions = [SEED]
        self.tries = 0

    def recvmsg(self, size: int, ancillary: int) -> tuple[bytes, list[Any], int, Any]:
        if not self.questions:
            raise BlockingIOError
        return self.questions.pop(), [], 0, ("127.0.0.1", 9)

    def sendmsg(self, *_: object) -> None:
        self.tries += 1
        raise self.error


def test_questions_leave_no_line_in_the_log() -> None:
    reactor = StillReactor()
    with running(reactor) as service, asking() as asker, capturedLogs() as told:
        for question in (SEED, b"noise"):
            asker.sendto(question, ("127.0.0.1", service.port))
        reactor.read_all()
        assert len(heard_by(asker)) == 1
        assert told == []


@pytest.mark.parametrize(
    "error", [BlockingIOError(11, "again"), PermissionError(1, "no"), OSError(101, "unreachable")]
)
def test_an_answer_that_cannot_be_sent_is_forgotten(error: OSError) -> None:
    reactor = StillReactor()
    full: Any = FullSocket(error)
    answers = Responder(lambda kind: [FRIDAY] * 3, ATTIC, list, reactor.seconds)
    with capturedLogs() as told:
        ResponderSocket(full, answers, reactor).doRead()
    assert full.tries == 1 and told == []


def test_rooms_that_cannot_be_told_are_logged_and_the_next_question_is_heard(
    logged_failures: list[Failure],
) -> None:
    reactor = StillReactor()
    with running(reactor, rooms=never) as service, asking() as asker:
        for _ in range(2):
            asker.sendto(SEED, ("127.0.0.1", service.port))
        reactor.read_all()
        assert len(logged_failures) == 2
        assert reactor.readers != []
    logged_failures.clear()


class Asker(DatagramProtocol):
    """Asks once, and fires with the first answer."""

    def __init__(self, question: bytes, port: int) -> None:
        self.question, self.port = question, port
        self.answer: Deferred[bytes] = Deferred()

    def startProtocol(self) -> None:
        assert self.transport is not None
        self.transport.write(self.question, ("127.0.0.1", self.port))

    def datagramReceived(self, datagram: bytes, addr: Any) -> None:
        self.answer.callback(datagram)


class OnARealReactor(TestCase):
    """The one thing a still reactor cannot show: that a real one reads for us."""

    timeout = 10

    def test_a_question_is_answered(self) -> Deferred[None]:
        service = DiscoveryService(0, lambda kind: [FRIDAY], ATTIC, real_reactor, ["127.0.0.1"])
        service.startService()
        self.addCleanup(service.stopService)
        asker = Asker(SEED, service.port)
        listen: Callable[..., Any] = real_reactor.listenUDP  # type: ignore[attr-defined]
        port = listen(0, asker, interface="127.0.0.1")
        self.addCleanup(port.stopListening)

        def check(datagram: bytes) -> None:
            self.assertEqual(json.loads(datagram)["GAME_NAME"], "Friday")

        return asker.answer.addCallback(check)
