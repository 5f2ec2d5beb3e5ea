"""What a link sends in a batch goes out as one write at its end, in its order, and nothing of it is lost."""

from __future__ import annotations

import pytest
from twisted.internet.task import Clock

from protocols.net.cork import Cork
from protocols.net.link import Link

from .wire import Socket, Wire, connect, lose


class Written(Socket):
    """A transport that knows its writes apart."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.writes.append(data)
        super().write(data)


@pytest.fixture
def transport() -> Written:
    return Written()


@pytest.fixture
def link(clock: Clock, transport: Written) -> Wire:
    return connect(clock, transport)


def cork_of(link: Link) -> Cork:
    return link.factory.cork


def test_a_batch_is_one_write_at_its_end(link, transport):
    with cork_of(link):
        link.send(b"one")
        link.send(b"two")
        assert transport.writes == []
    assert transport.writes == [b"onetwo"]
    link.send(b"three")
    assert transport.writes == [b"onetwo", b"three"]
    lose(link)


def test_what_must_stand_alone_does_in_its_order(link, transport):
    with cork_of(link):
        link.send(b"one")
        link.send(b"two")
        link.send_alone(b"alone")
        link.send_alone(b"alone too")
        link.send(b"three")
    assert transport.writes == [b"onetwo", b"alone", b"alone too", b"three"]
    lose(link)


@pytest.mark.parametrize(
    ("end", "rest"),
    [
        (lambda link: link.dismiss("done"), b"oneBYE done\n"),
        (Link.close, b"one"),
        (Link.abort, b""),
        (lose, b""),
    ],
    ids=["dismissed", "closed", "aborted", "lost"],
)
def test_a_link_that_ends_in_a_batch_says_before_what_it_said_before(link, transport, end, rest):
    with cork_of(link):
        link.send(b"one")
        end(link)
        link.send(b"too late")
    assert b"".join(transport.writes) == rest
    if link.connected:
        lose(link)


def test_a_peer_that_stops_reading_in_a_batch_gets_all_in_order(link, transport):
    with cork_of(link):
        link.send(b"one")
        link.pauseProducing()
        link.send(b"two")
    assert (transport.writes, link.waiting) == ([b"one"], 3)
    link.resumeProducing()
    assert transport.writes == [b"one", b"two"]
    lose(link)


def test_a_long_batch_goes_out_in_parts_so_that_a_full_transport_is_noticed(link, transport):
    with cork_of(link):
        for _ in range(1000):
            link.send(b"x")
        assert 1 < len(transport.writes) < 100
    assert b"".join(transport.writes) == b"x" * 1000
    lose(link)


def test_a_batch_that_fails_is_sent_all_the_same(link, transport):
    with pytest.raises(ZeroDivisionError), cork_of(link):
        link.send(b"one")
        raise ZeroDivisionError
    link.send(b"two")
    assert transport.writes == [b"one", b"two"]
    lose(link)


def test_a_link_that_cannot_send_is_closed_and_keeps_nothing_from_the_others(
    link, transport, clock, logged_failures
):
    class Broken(Written):
        def write(self, data: bytes) -> None:
            raise OSError

    broken = connect(clock, Broken())
    cork = broken.factory.cork = cork_of(link)
    with cork:
        broken.send(b"one")
        link.send(b"two")
    assert transport.writes == [b"two"]
    assert broken.closing
    assert [each.type for each in logged_failures] == [OSError]
    logged_failures.clear()
    lose(broken)
    lose(link)
