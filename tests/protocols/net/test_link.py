"""What every connection has in common: deadlines, silent readers, half-closes and the end."""

from __future__ import annotations

import pytest
from twisted.internet.address import IPv4Address, IPv6Address, UNIXAddress
from twisted.internet.error import ConnectionDone
from twisted.internet.interfaces import IHalfCloseableProtocol, IPushProducer
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport, StringTransportWithDisconnection
from twisted.python.failure import Failure
from zope.interface.verify import verifyObject

from protocols.net.link import tune
from tests.protocols.net.wire import Socket, Wire, connect, lose

# The deadline


def test_a_silent_peer_is_told_and_closed_at_the_deadline(clock: Clock) -> None:
    link = connect(clock)
    clock.advance(59)
    assert not link.closing
    clock.advance(1)
    assert link.transport.value() == b"BYE login-deadline\n"
    assert link.transport.write_ended
    lose(link)


def test_who_has_settled_may_be_silent_for_ever(clock: Clock) -> None:
    link = connect(clock)
    link.settled()
    assert clock.getDelayedCalls() == []
    clock.advance(36_000)
    assert not link.closing


def test_a_deadline_may_be_left_out(clock: Clock) -> None:
    class Patient(Wire):
        deadline = 0

    connect(clock, build=Patient)


def test_settling_late_stops_no_other_timer(clock: Clock) -> None:
    link = connect(clock)
    link.close()
    link.settled()
    clock.advance(2)
    assert link.transport.disconnected
    lose(link)


# What waits for a peer that does not read


def test_what_is_sent_to_a_reading_peer_goes_straight_out(clock: Clock) -> None:
    link = connect(clock)
    link.send(b"one")
    link.send(b"two")
    assert link.transport.value() == b"onetwo"
    lose(link)


def test_what_a_full_transport_cannot_hold_is_kept_in_order(clock: Clock) -> None:
    link = connect(clock)
    link.send(b"1")
    link.pauseProducing()
    link.send(b"2")
    link.pauseProducing()
    link.send(b"3")
    assert (link.transport.value(), link.waiting) == (b"1", 2)
    link.resumeProducing()
    link.send(b"4")
    assert (link.transport.value(), link.waiting) == (b"1234", 0)
    lose(link)


def test_a_transport_that_fills_up_again_at_once_is_obeyed(clock: Clock) -> None:
    class Full(Socket):
        def write(self, data: bytes) -> None:
            super().write(data)
            self.producer.pauseProducing()

    link = connect(clock, Full())
    for number in b"123":
        link.send(bytes([number]))
    assert link.transport.value() == b"1"
    link.resumeProducing()
    link.send(b"4")
    assert (link.transport.value(), link.waiting) == (b"123", 1)
    lose(link)


def test_too_much_waiting_closes_hard(clock: Clock) -> None:
    link = connect(clock)
    link.pauseProducing()
    link.send(b"x" * link.backlog)
    assert not link.closing
    link.send(b"x")
    assert link.closing and link.transport.disconnected
    link.send(b"x")
    assert (link.transport.value(), link.waiting) == (b"", 0)
    lose(link)


def test_a_wire_with_a_view_may_send_it_instead_of_the_backlog(clock: Clock) -> None:
    class Drawn(Wire):
        backlog = 11

        def overflowed(self) -> None:
            self.forget_waiting()
            self.send(b"[view]")

    link = connect(clock, build=Drawn)
    link.pauseProducing()
    for _ in range(4):
        link.send(b"event")
    assert link.waiting == len(b"[view]event")
    link.resumeProducing()
    assert link.transport.value() == b"[view]event"
    lose(link)


def test_forgetting_what_waits_is_harmless_when_nothing_does(clock: Clock) -> None:
    link = connect(clock)
    link.forget_waiting()
    link.send(b"straight")
    assert link.transport.value() == b"straight"
    lose(link)


# The end of a link


def test_dismissal_says_why_then_waits_for_the_peer_and_hears_nothing(clock: Clock) -> None:
    link = connect(clock)
    link.dismiss("taken-over")
    link.dismiss("again")
    link.send(b"late")
    link.dataReceived(b"late")
    link.writeConnectionLost()
    assert link.transport.value() == b"BYE taken-over\n"
    assert link.heard == [] and not link.transport.disconnecting
    link.readConnectionLost()
    assert link.transport.disconnecting and not link.transport.disconnected
    lose(link)
    assert link.inputs_ended == 0


def test_a_peer_that_does_not_close_in_time_is_cut_off(clock: Clock) -> None:
    link = connect(clock)
    link.dismiss("taken-over")
    clock.advance(1.9)
    assert not link.transport.disconnected
    clock.advance(0.1)
    assert link.transport.disconnected
    lose(link)


def test_what_waits_goes_out_before_the_farewell(clock: Clock) -> None:
    link = connect(clock)
    link.pauseProducing()
    link.send(b"move\n")
    link.dismiss("taken-over")
    link.resumeProducing()
    assert link.transport.value() == b"move\nBYE taken-over\n"
    assert link.transport.producer is None, "a transport waits for its producer before it closes"
    lose(link)


def test_closing_says_nothing(clock: Clock) -> None:
    link = connect(clock)
    link.close()
    assert link.transport.value() == b"" and link.transport.write_ended
    lose(link)


def test_a_transport_with_one_side_only_is_closed_as_a_whole(clock: Clock) -> None:
    link = connect(clock, StringTransportWithDisconnection())
    link.dismiss("taken-over")
    assert [failure.type for failure in link.ended] == [ConnectionDone]


def test_the_end_is_heard_once_and_leaves_no_timer(clock: Clock) -> None:
    link = connect(clock)
    lose(link)
    assert len(link.ended) == 1
    link.send(b"late")
    link.dismiss("late")
    link.abort()
    assert link.transport.value() == b"" and not link.transport.disconnecting


def test_a_wire_that_fails_at_its_end_is_counted_out_all_the_same(clock: Clock) -> None:
    class Clumsy(Wire):
        def gone(self, reason: Failure) -> None:
            raise RuntimeError

    link = connect(clock, build=Clumsy)
    with pytest.raises(RuntimeError):
        lose(link)
    assert link.factory.links == set() and link.factory.admission._living == {}


# Half-closed


def test_a_peer_at_the_end_of_its_input_still_gets_its_answer(clock: Clock) -> None:
    link = connect(clock)
    link.readConnectionLost()
    assert link.inputs_ended == 1
    clock.advance(1)
    link.send(b"answer")
    assert link.transport.value() == b"answer" and not link.transport.disconnecting
    clock.advance(1)
    assert link.transport.disconnecting and not link.transport.write_ended
    lose(link)


def test_a_wire_that_has_answered_all_closes_at_once(clock: Clock) -> None:
    class Brief(Wire):
        def input_ended(self) -> None:
            self.close()

    link = connect(clock, build=Brief)
    link.readConnectionLost()
    assert link.transport.disconnecting
    lose(link)


def test_settling_after_the_input_ended_does_not_keep_the_link(clock: Clock) -> None:
    link = connect(clock)
    link.readConnectionLost()
    link.settled()
    clock.advance(2)
    assert link.closing
    lose(link)


def test_a_peer_that_shuts_its_ears_is_closed(clock: Clock) -> None:
    link = connect(clock)
    link.writeConnectionLost()
    assert link.transport.disconnecting
    lose(link)


# Peers


@pytest.mark.parametrize(
    ("address", "peer"),
    [
        (IPv4Address("TCP", "192.0.2.7", 1), "192.0.2.7"),
        (IPv6Address("TCP", "2001:db8::7", 1), "2001:db8::7"),
        (UNIXAddress(None), "unix"),
        (UNIXAddress("/run/parlour.sock"), "unix"),
    ],
)
def test_a_peer_is_named_by_its_host(
    clock: Clock, address: IPv4Address | IPv6Address | UNIXAddress, peer: str
) -> None:
    link = connect(clock, Socket(peerAddress=address))
    assert link.peer == peer
    lose(link)


def test_a_link_is_what_its_transport_takes_it_for(clock: Clock) -> None:
    link = connect(clock)
    assert verifyObject(IPushProducer, link) and verifyObject(IHalfCloseableProtocol, link)
    assert link.transport.producer is link and link.transport.streaming
    link.stopProducing()
    lose(link)


class Tunable(StringTransport):
    """A transport that writes down what is asked of its socket."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def setTcpNoDelay(self, enabled: bool) -> None:
        self.asked.append(f"no delay: {enabled}")

    def setTcpKeepAlive(self, enabled: bool) -> None:
        raise OSError("no such option here")


class Wrapper:
    """What stands between a link and its socket, as TLS does."""

    def __init__(self, transport: object) -> None:
        self.transport = transport


def test_the_socket_is_tuned_whatever_stands_before_it_and_whatever_it_lacks() -> None:
    socket = Tunable()
    tune(Wrapper(Wrapper(socket)))
    assert socket.asked == ["no delay: True"]
    tune(StringTransport())
