"""Who is let in, who is turned away, and how a house closes."""

from __future__ import annotations

from twisted.internet.address import IPv4Address, UNIXAddress
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport, StringTransportWithDisconnection
from twisted.logger import capturedLogs

from protocols.net.admission import Admission, AdmissionSettings
from protocols.net.link import Link
from protocols.net.link_factory import LinkFactory, TurnedAway
from tests.protocols.net.wire import Socket, Wire, WireFactory, connect, lose

SOMEWHERE = IPv4Address("TCP", "192.0.2.7", 4242)


def at_most(clock: Clock, links: int) -> Admission:
    """Let so many in from an address; with 0, none at all."""
    admission = Admission(clock.seconds, AdmissionSettings(links=max(links, 1)))
    if not links:
        admission.enter(SOMEWHERE.host)
    return admission


def test_the_factory_knows_who_is_there(clock: Clock) -> None:
    link = connect(clock)
    assert link.factory.links == {link}
    assert link.factory.admission._living == {"192.0.2.7": 1}
    lose(link)
    assert link.factory.links == set()
    assert link.factory.admission._living == {}


def test_one_too_many_from_an_address_hears_why(clock: Clock) -> None:
    factory = WireFactory(clock, at_most(clock, 1))
    first = factory.buildProtocol(SOMEWHERE)
    second = factory.buildProtocol(SOMEWHERE)
    assert isinstance(first, Wire) and isinstance(second, TurnedAway)
    transport = StringTransportWithDisconnection()
    transport.protocol = second
    second.makeConnection(transport)
    assert transport.value() == b"BYE too-many-connections\n" and not transport.connected
    assert factory.links == set() and factory.admission._living == {"192.0.2.7": 1}
    assert isinstance(factory.buildProtocol(IPv4Address("TCP", "192.0.2.8", 1)), Wire)


def test_one_turned_away_cannot_stay(clock: Clock) -> None:
    factory = WireFactory(clock, at_most(clock, 0))
    refused = factory.buildProtocol(SOMEWHERE)
    transport = StringTransport()
    refused.makeConnection(transport)
    assert transport.disconnecting and not transport.disconnected
    clock.advance(2)
    assert transport.disconnected
    refused.connectionLost()


def test_a_wire_without_words_turns_away_without_a_word(clock: Clock) -> None:
    factory = LinkFactory(clock, at_most(clock, 0))
    factory.protocol = Link
    assert factory.buildProtocol(SOMEWHERE) is None


def test_the_house_has_a_last_seat(clock: Clock) -> None:
    factory = WireFactory(clock, most=1)
    link = factory.buildProtocol(SOMEWHERE)
    link.makeConnection(StringTransport())
    assert isinstance(factory.buildProtocol(SOMEWHERE), TurnedAway)
    lose(link)
    assert isinstance(factory.buildProtocol(SOMEWHERE), Wire)


def test_a_unix_socket_has_no_address_to_count(clock: Clock) -> None:
    factory = WireFactory(clock, at_most(clock, 0))
    link = factory.buildProtocol(UNIXAddress(None))
    link.makeConnection(StringTransport())
    lose(link)
    assert link.ended


def test_a_flood_leaves_few_lines_in_the_log(clock: Clock) -> None:
    factory = WireFactory(clock, at_most(clock, 0))
    with capturedLogs() as told:
        for _ in range(1000):
            factory.buildProtocol(SOMEWHERE)
        assert len(told) == 5
        clock.advance(30)
        factory.buildProtocol(SOMEWHERE)
    assert len(told) == 6
    assert (told[0]["host"], told[0]["reason"]) == ("192.0.2.7", "too-many-connections")


def test_when_the_house_closes_everyone_is_told_and_the_last_one_waited_for(clock: Clock) -> None:
    factory = WireFactory(clock)
    links = [factory.buildProtocol(SOMEWHERE) for _ in range(3)]
    for link in links:
        link.makeConnection(Socket())
    emptied: list[None] = []
    factory.dismiss_all("closing-down").addCallback(emptied.append)
    assert {link.transport.value() for link in links} == {b"BYE closing-down\n"}
    assert isinstance(factory.buildProtocol(SOMEWHERE), TurnedAway)
    for link in links:
        assert not emptied
        lose(link)
    assert emptied == [None]


def test_an_empty_house_closes_at_once_and_may_open_again(clock: Clock) -> None:
    factory = WireFactory(clock)
    factory.doStart()
    assert factory.dismiss_all("closing-down").called
    assert isinstance(factory.buildProtocol(SOMEWHERE), TurnedAway)
    factory.doStop()
    factory.doStart()
    assert isinstance(factory.buildProtocol(SOMEWHERE), Wire)
