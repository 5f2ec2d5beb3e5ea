"""Links between daemons: who is linked to whom, what it takes to be, and when a link is given up."""

from __future__ import annotations

import json

import pytest
from twisted.internet.error import ConnectionDone, ConnectionLost
from twisted.internet.testing import StringTransport
from twisted.logger import formatEvent, globalLogPublisher
from twisted.python.failure import Failure

from gamecore.record import Unreadable
from protocols.house import wire
from protocols.house.calling import found_at
from protocols.house.peer_link import BACKLOG, PeerLink
from protocols.journal.house import PeerRow


@pytest.fixture
def stranger(three):
    """Give ``stranger()``: a connection to the second daemon's link, and what it hears there."""

    def connect():
        link = three.linked[1].links.factory.buildProtocol(None)
        transport = StringTransport()
        transport.abortConnection = transport.loseConnection
        link.makeConnection(transport)
        return link, transport

    return connect


def test_each_is_linked_to_all_others_by_one_link(three):
    assert [sorted(each.links.runs) for each in three.linked] == [[2, 3], [1, 3], [1, 2]]
    three.pass_time(10)
    assert [sorted(each.links.runs) for each in three.linked] == [[2, 3], [1, 3], [1, 2]]


def test_a_room_says_and_hears_lines_of_a_letter_of_its_own_over_all_links(three):
    heard = []
    for number, each in enumerate(three.linked, 1):
        each.links.hear("k", lambda run, rest, number=number: heard.append((number, run, rest)))
    three.linked[0].links.say_all("k", "a card", 7)
    three.linked[1].links.say(3, "k", b"for one")
    three.linked[1].links.say(9, "k", b"for nobody")
    three.clock.settle()
    assert heard == [(2, 1, b"a card 7"), (3, 1, b"a card 7"), (3, 2, b"for one")]


def test_a_letter_that_nobody_knows_is_passed_over(three):
    three.linked[0].links.say_all("Z", "of a newer Parlour")
    three.pass_time(1)
    assert len(three.linked[1].links.runs) == 2


@pytest.mark.parametrize(
    "said",
    [
        b"c 1.1 AAAAA 1 - {}\n",
        b"GET / HTTP/1.1\r\n",
        b"h 1\n",
        b"h 1 aa bb cc\n",
        b"h one aa\n",
        b"h 1 aa bb\n",
        b"\xff\xfe\n",
    ],
)
def test_who_proves_nothing_is_heard_in_nothing(three, stranger, said):
    link, transport = stranger()
    link.dataReceived(said)
    assert transport.disconnecting and not transport.value()
    assert link.run == 0


def test_a_wrong_proof_is_no_proof(three, stranger):
    link, transport = stranger()
    link.dataReceived(b"h 1 " + b"ab" * 16 + b"\n")
    letter, run, drawn, _ = transport.value().decode().split()
    assert (letter, run) == ("h", "2")
    false = PeerRow(1, "a", "not its key"), PeerRow(2, "b", "nor this one")
    link.dataReceived(f"h 1 {'ab' * 16} {wire.proof(*false, 'ab' * 16, drawn)}\n".encode())
    assert transport.disconnecting and link.run == 0
    assert len(three.linked[1].links.runs) == 2


def test_a_proof_cannot_be_said_again_to_another_call(three, stranger):
    own, other = three.linked[1].links.own, three.linked[0].links.own
    link, transport = stranger()
    link.dataReceived(b"h 1 " + b"ab" * 16 + b"\n")
    drawn = transport.value().decode().split()[2]
    proved = wire.proof(other, own, "ab" * 16, drawn)
    again, transport = stranger()
    again.dataReceived(b"h 1 " + b"ab" * 16 + b"\n")
    again.dataReceived(f"h 1 {'ab' * 16} {proved}\n".encode())
    assert transport.disconnecting and again.run == 0


def test_a_run_that_is_not_known_yet_waits_until_it_is_and_not_for_long(three, stranger):
    link, transport = stranger()
    link.dataReceived(b"h 4 " + b"ab" * 16 + b"\n")
    assert not transport.value()
    links = three.linked[1].links
    three.houses[1].journal.on_peers([links.find(1), links.find(3), PeerRow(4, "d", "key")])
    assert transport.value().startswith(b"h 2 ")
    three.clock.pass_time(6)
    assert transport.disconnecting


def test_a_peer_that_does_not_read_is_parted_with_once_eight_mebibytes_wait(three):
    link = three.linked[0].links._links[2]
    lost = []
    three.linked[0].links.on_lost.append(lost.append)
    link.pauseProducing()
    for _ in range(BACKLOG // 2**20):
        three.linked[0].links.say(2, "r", b"x" * (2**20 - 2))
    assert lost == []
    three.linked[0].links.say(2, "r", b"xx")
    three.clock.settle()
    assert lost == [2] and link.waiting == 0


def test_a_link_where_nobody_says_anything_for_three_seconds_is_given_up_and_made_anew(three):
    lost = []
    three.linked[0].links.on_lost.append(lost.append)
    three.linked[1].beat = lambda: None  # its daemon stands still
    three.pass_time(3)
    assert lost == []
    three.pass_time(2)
    assert lost == [2] and 3 in three.linked[0].links.runs


def test_a_line_that_makes_no_sense_ends_the_link_and_nothing_else(three, logged_failures):
    table = three.nim()
    three.sit(0, table.code, "ann")
    three.watch(1, table.code)
    lost = []
    three.linked[0].links.on_lost.append(lost.append)
    three.linked[1].links.say(1, "c", "2.9", table.code, 1, "-", json.dumps({"is": "Nothing"}))
    three.clock.settle()
    assert lost == [2] and table.players == 1
    assert logged_failures.pop().check(Unreadable)
    three.pass_time(1)
    assert 2 in three.linked[0].links.runs
    three.agree(table.code)


def test_who_cannot_be_trusted_is_named_in_the_log_once_until_they_are_linked_to(three):
    events = []
    links = three.linked[1].links
    peer = links.find(1)
    untrusted = Failure(ValueError("certificate verify failed"))
    globalLogPublisher.addObserver(events.append)
    try:
        for why in (Failure(ConnectionDone()), Failure(ConnectionLost()), untrusted, untrusted):
            link = PeerLink(peer)
            link.factory = links
            link.makeConnection(StringTransport())
            link.connectionLost(why)
        three.wires.cut()
        three.wires.mend()
        three.pass_time(1)
        links.cannot_link(peer, untrusted)
    finally:
        globalLogPublisher.removeObserver(events.append)
    said = [text for each in events if "cannot be linked" in (text := formatEvent(each))]
    assert said == ["run 1 of the house cannot be linked to at a: certificate verify failed"] * 2


def test_where_a_daemon_is_found():
    assert found_at("tcp:4250", 4250, "a.example") == "tcp:a.example:4250"
    assert found_at("tcp:0:interface=10.0.0.1", 40123, None) == "tcp:10.0.0.1:40123"
    assert found_at("tcp:4250", 4250, None).startswith("tcp:")
    assert found_at("unix:/run/parlour/a", None, None) == "unix:/run/parlour/a"
    assert found_at("ssl:4250:privateKey=a.pem", 4250, "tls:a.example:4250") == "tls:a.example:4250"
    assert found_at("ssl:4250:privateKey=a.pem", 4250, None) is None
