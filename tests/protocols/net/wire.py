"""A wire that writes down what it hears, and what connects one."""

from __future__ import annotations

from collections.abc import Callable

from twisted.internet.address import IPv4Address
from twisted.internet.error import ConnectionDone
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure

from protocols.net.link import Link
from protocols.net.link_factory import LinkFactory


class Wire(Link):
    """A wire that writes down what it hears."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.ended: list[Failure] = []
        self.inputs_ended = 0

    def received(self, data: bytes) -> None:
        self.heard.append(data)

    def farewell(self, reason: str) -> bytes:
        return f"BYE {reason}\n".encode()

    def gone(self, reason: Failure) -> None:
        self.ended.append(reason)

    def input_ended(self) -> None:
        self.inputs_ended += 1


class WireFactory(LinkFactory):
    protocol = Wire


class Socket(StringTransport):
    """A transport whose two sides can be closed one at a time."""

    write_ended = False

    def loseWriteConnection(self) -> None:
        self.write_ended = True


def connect(
    clock: Clock, transport: StringTransport | None = None, build: Callable[[], Wire] = Wire
) -> Wire:
    factory = WireFactory(clock)
    factory.protocol = build
    link = factory.buildProtocol(IPv4Address("TCP", "192.0.2.7", 4242))
    assert isinstance(link, Wire)
    transport = transport or Socket()
    transport.protocol = link
    link.makeConnection(transport)
    return link


def lose(link: Link) -> None:
    link.connectionLost(Failure(ConnectionDone()))
