"""What the links have in common whose peers take seats."""

from __future__ import annotations

from gamecore.player import PlayerCore
from protocols.host.place import Place
from protocols.host.seated_link import SeatedLink, show_anew
from tests.protocols.net.wire import Wire, connect, lose


class Seated(SeatedLink, Wire):
    """A link that notes what the Host was asked."""

    unfinished_seconds = 5.0
    host = property(lambda self: self)

    def __init__(self):
        super().__init__()
        self.asked = []

    def drop(self, face):
        self.asked.append("drop")

    def look(self, face):
        self.asked.append("look")


def sit(link):
    link.place = Place("AAAAA", PlayerCore("ann", 2))


def test_the_seat_is_the_players_and_a_lost_link_is_told_to_the_host(clock):
    link = connect(clock, build=Seated)
    assert link.seat is None
    sit(link)
    assert link.seat == 2
    lose(link)
    assert link.asked == ["drop"] and len(link.ended) == 1


def test_what_was_begun_must_end_in_time(clock):
    link = connect(clock, build=Seated)
    link.settled()
    link.await_rest(True)
    clock.advance(4)
    link.await_rest(True)  # which does not make it longer
    link.await_rest(False)
    clock.advance(60)
    assert not link.closing
    link.await_rest(True)
    clock.advance(5)
    assert link.transport.value() == b"BYE too-slow\n"
    lose(link)


def test_nothing_is_waited_for_once_the_link_is_lost(clock):
    link = connect(clock, build=Seated)
    link.await_rest(True)
    lose(link)
    assert clock.getDelayedCalls() == []


def test_a_player_who_does_not_read_is_shown_the_table_and_a_watcher_is_told_to_go(clock):
    for seated, said in ((True, b""), (False, b"BYE does-not-read\n")):
        link = connect(clock, build=Seated)
        if seated:
            sit(link)
        link.pauseProducing()
        link.send(b"x" * 100)
        show_anew(link, link, link)
        assert (link.asked, link.waiting) == (["look"] * seated, 0)
        assert link.closing is not seated
        assert link.transport.value() == (b"" if seated else b"x" * 100 + said)
        lose(link)


def test_a_peer_is_read_while_that_is_wanted(clock):
    link = connect(clock, build=Seated)
    link.read_while(False)
    assert link.transport.producerState == "paused"
    link.read_while(True)
    assert link.transport.producerState == "producing"
    lose(link)
