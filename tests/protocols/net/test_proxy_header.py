"""Who comes by way of a proxy: nothing is said before the proxy has named them, and they are counted, not it."""

from __future__ import annotations

import socket
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from twisted.internet.address import IPv4Address
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport

from gamecore.errors import Malformed
from protocols.net.admission import Admission, AdmissionSettings
from protocols.net.link import host_of
from protocols.net.proxy_header import HEADER_SECONDS, ProxiedFactory, read_header
from tests.protocols.net.wire import Socket, Wire, WireFactory, lose

PROXY = "203.0.113.1"
SIGNATURE = b"\r\n\r\n\x00\r\nQUIT\n"
V4 = socket.inet_aton("192.0.2.7") + socket.inet_aton("198.51.100.1") + struct.pack("!HH", 4000, 80)
V6 = socket.inet_pton(socket.AF_INET6, "2001:db8::7") * 2 + struct.pack("!HH", 4000, 80)


def binary(command: int, family: int, body: bytes) -> bytes:
    return SIGNATURE + struct.pack("!BBH", 0x20 | command, family, len(body)) + body


HEADERS = [
    (b"PROXY TCP4 192.0.2.7 198.51.100.1 4000 80\r\n", "192.0.2.7"),
    (b"PROXY TCP6 2001:db8::7 2001:db8::1 4000 80\r\n", "2001:db8::7"),
    (b"PROXY UNKNOWN\r\n", None),
    (b"PROXY UNKNOWN ffff:f ffff:f 65535 65535\r\n", None),
    (binary(1, 0x11, V4), "192.0.2.7"),
    (binary(1, 0x21, V6), "2001:db8::7"),
    (binary(1, 0x11, V4 + b"\x04\x00\x03abc"), "192.0.2.7"),
    (binary(0, 0x11, V4), None),
    (binary(0, 0, b""), None),
    (binary(1, 0x31, b"\0" * 216), None),
]
WRONG = [
    b"\xff\xfd\x01",
    b"who\r\n",
    b"PROXY TCP4 192.0.2.700 198.51.100.1 4000 80\r\n",
    b"PROXY TCP4 2001:db8::7 198.51.100.1 4000 80\r\n",
    b"PROXY TCP4 192.0.2.7 198.51.100.1 many 80\r\n",
    b"PROXY TCP4 192.0.2.7\r\n",
    b"PROXY UDP4 192.0.2.7 198.51.100.1 4000 80\r\n",
    b"PROXY " + b"x" * 200,
    SIGNATURE + b"\x11\x11\x00\x0c" + V4,
    binary(1, 0x11, V4[:8]),
    SIGNATURE + struct.pack("!BBH", 0x21, 0x11, 60_000),
]


@pytest.mark.parametrize(("header", "host"), HEADERS)
def test_a_header_is_read_wherever_it_is_cut(header: bytes, host: str | None) -> None:
    for cut in range(1, len(header)):
        assert read_header(header[:cut]) is None
    found = read_header(header + b"hello\n")
    assert found is not None
    assert (host_of(found[0]), found[1]) == (host, len(header))


@pytest.mark.parametrize("data", WRONG)
def test_what_is_no_header_is_refused(data: bytes) -> None:
    with pytest.raises(Malformed):
        read_header(data)


@given(st.binary(max_size=600))
def test_whatever_comes_is_read_refused_or_waited_for(data: bytes) -> None:
    for start in (b"", b"PROXY ", SIGNATURE):
        try:
            found = read_header(start + data)
        except Malformed:
            continue
        assert found is None or found[1] <= len(start + data)


class House:
    """A door behind a proxy."""

    def __init__(self, clock: Clock, **limits: int) -> None:
        self.door = WireFactory(clock, Admission(clock.seconds, AdmissionSettings(**limits)))
        self.factory = ProxiedFactory(self.door)

    def connect(self, data: bytes = b"", sender: str = PROXY) -> Socket | None:
        protocol = self.factory.buildProtocol(IPv4Address("TCP", sender, 1))
        if protocol is None:
            return None
        transport = Socket()
        transport.protocol = protocol
        protocol.makeConnection(transport)
        for number in range(len(data)):
            transport.protocol.dataReceived(data[number : number + 1])
        return transport

    @property
    def counted(self) -> dict[str, int]:
        return self.door.admission._living


@pytest.mark.parametrize(("header", "host"), HEADERS)
def test_the_visitor_is_let_in_and_counted_and_the_proxy_is_not(
    clock: Clock, header: bytes, host: str | None
) -> None:
    house = House(clock)
    transport = house.connect(header + b"hello\n")
    assert transport is not None
    (link,) = house.door.links
    assert isinstance(link, Wire) and link.transport is transport
    assert b"".join(link.heard) == b"hello\n" and link.came_from == host
    assert sum(house.counted.values()) == (host is not None) and PROXY not in house.counted
    link.settled()
    clock.advance(3600)
    assert not transport.disconnecting and not transport.write_ended and house.door.links == {link}
    lose(link)
    assert house.counted == {} and not clock.getDelayedCalls()


@pytest.mark.parametrize("sent", [b"", b"\r", b"PROXY TCP4 192.0", SIGNATURE + b"\x21\x11\x00"])
def test_who_never_names_anybody_is_told_nothing_counted_and_gone_in_time(
    clock: Clock, sent: bytes
) -> None:
    house = House(clock, links=1000)
    crowd = [house.connect(sent) for _ in range(1000)]
    assert house.counted == {PROXY: 1000} and house.connect(sent) is None
    assert house.connect(sent, "203.0.113.2") is not None
    clock.advance(HEADER_SECONDS)
    assert house.counted == {} and house.door.links == set()
    assert all(each is not None and each.value() == b"" and each.disconnected for each in crowd)
    assert house.door.admission.refused["no-proxy-header"] == 1001
    good = house.connect(HEADERS[0][0])
    assert good is not None and len(house.door.links) == 1
    lose(*house.door.links)


@pytest.mark.parametrize("data", WRONG)
def test_who_sends_something_else_is_gone_at_once_without_a_word(clock: Clock, data: bytes) -> None:
    house = House(clock)
    transport = house.connect()
    assert transport is not None
    transport.protocol.dataReceived(data)
    assert transport.disconnected and transport.value() == b"" and house.counted == {}
    assert not clock.getDelayedCalls()


def test_the_limits_are_those_of_the_visitor(clock: Clock) -> None:
    house = House(clock, links=1)
    first, second, other = (
        house.connect(b"PROXY TCP4 %b 198.51.100.1 4000 80\r\n" % host)
        for host in (b"192.0.2.7", b"192.0.2.7", b"192.0.2.8")
    )
    assert first is not None and second is not None and other is not None
    assert second.value() == b"BYE too-many-connections\n" and second.disconnecting
    assert first.value() == other.value() == b"" and len(house.door.links) == 2
    second.protocol.connectionLost()
    for link in list(house.door.links):
        lose(link)


def test_a_proxy_makes_as_many_links_as_it_likes_one_after_the_other(clock: Clock) -> None:
    house = House(clock, links_at_once=5, links_a_second=1)
    for host in range(100):
        assert house.connect(b"PROXY TCP4 192.0.2.%d 198.51.100.1 4000 80\r\n" % host)
    assert len(house.door.links) == 100
    for link in list(house.door.links):
        lose(link)


def test_below_tls_it_is_the_same(clock: Clock) -> None:
    class Encrypted(StringTransport):
        wrappedProtocol = None

    house = House(clock)
    protocol = house.factory.buildProtocol(None)
    assert protocol is not None
    transport = Encrypted()
    protocol.makeConnection(transport)
    protocol.dataReceived(HEADERS[0][0])
    (link,) = house.door.links
    assert transport.wrappedProtocol is link
    lose(link)
