"""The daemon as a service, mounted in somebody else's application."""

from __future__ import annotations

import errno

import pytest
from twisted.application.service import Application, IService, IServiceCollection
from twisted.internet.error import CannotListenError
from twisted.internet.testing import MemoryReactorClock, StringTransport

from protocols.daemon.service import Options, makeService
from protocols.discovery.responder import MOST_ROOMS
from protocols.host.card import Card, write_card
from protocols.journal.interface import IndexRow
from tests.doors import shut
from tests.protocols.host.test_shelves import PLAIN, Looked


@pytest.fixture
def reactor() -> MemoryReactorClock:
    return MemoryReactorClock()


def make(reactor: MemoryReactorClock, *arguments: str):
    options = Options()
    options.parseOptions(["--discovery", "off", "--journal", "memory", *shut("nim"), *arguments])
    return makeService(options, reactor)


def test_building_it_starts_nothing(reactor):
    make(reactor)
    assert reactor.tcpServers == []
    assert reactor.getDelayedCalls() == []


def test_it_listens_where_it_is_told_to(reactor):
    make(reactor, "--nim", "tcp:9001:interface=127.0.0.1", "--nim", "tcp:9002").startService()
    assert [(port, host) for port, _, _, host in map(first_and_last, reactor.tcpServers)] == [
        (9001, "127.0.0.1"),
        (9002, ""),
    ]


def test_a_crowd_may_wait_at_a_door(reactor):
    make(reactor, "--nim", "tcp:9001", "--nim", "tcp:9002:backlog=7").startService()
    assert [backlog for _, _, backlog, _ in map(first_and_last, reactor.tcpServers)] == [1024, 7]


def first_and_last(server):
    port, factory, backlog, interface = server
    return port, factory, backlog, interface


def test_a_door_that_is_off_is_no_door(reactor):
    parlour = make(reactor, "--nim", "off")
    parlour.startService()
    assert reactor.tcpServers == []
    assert parlour.doors == {}


def test_it_can_be_hung_into_an_application(reactor):
    application = Application("games")
    make(reactor).setServiceParent(application)
    IService(application).privilegedStartService()
    IService(application).startService()
    assert len(reactor.tcpServers) == 1
    assert len(list(IServiceCollection(application))) == 1


def test_a_port_that_cannot_be_had_is_told_to_whoever_starts_it(reactor, monkeypatch):
    def taken(port, factory, backlog=50, interface=""):
        raise CannotListenError(interface, port, OSError(98, "in use"))

    monkeypatch.setattr(reactor, "listenTCP", taken)
    monkeypatch.setattr("protocols.daemon.listening.holder_of", {}.get)  # whoever has it here
    parlour = make(reactor)
    with pytest.raises(CannotListenError, match=r"^--nim tcp:9000: in use$"):
        parlour.startService()


def test_a_port_that_another_of_ours_holds_is_told_with_its_process(reactor, monkeypatch):
    def taken(port, factory, backlog=50, interface=""):
        raise CannotListenError(interface, port, OSError(errno.EADDRINUSE, "in use"))

    monkeypatch.setattr(reactor, "listenTCP", taken)
    monkeypatch.setattr("protocols.daemon.listening.holder_of", {9000: 4711}.get)
    with pytest.raises(CannotListenError, match=r"in use \(by another Parlour, process 4711\)$"):
        make(reactor).startService()


def test_new_defaults_are_for_what_begins_from_now_on(reactor, tmp_path):
    ini = tmp_path / "ini"
    ini.write_text("[nim]\nstones = 7\n")
    parlour = make(reactor, "--config", str(ini))
    options = Options()
    ini.write_text("[nim]\nstones = 8\ngap = 0.5\n")
    options.parseOptions(["--config", str(ini)])
    parlour.follow(options)
    factory = parlour.doors["nim"].factory
    assert factory.settings.gap == 0.5
    assert factory.open_table("", private=False).options["stones"] == 8
    assert parlour.host.open("nim", "", {}, {}).options["stones"] == 8


def test_at_its_end_everyone_is_told_and_no_timer_is_left(reactor):
    parlour = make(reactor)
    parlour.startService()
    factory = parlour.doors["nim"].factory
    faces = []
    for order in (0, 1, 0):
        face, transport = factory.buildProtocol(None), StringTransport()
        face.makeConnection(transport)
        face.dataReceived(b'{"name": "p%d", "order": %d}\n' % (order, order))
        faces.append((face, transport))
    reactor.pump([0] * 5)
    ended = []
    parlour.stopService().addCallback(ended.append)
    reactor.pump([0] * 5)
    for face, transport in faces:
        assert b"The server is closing" in transport.value()
        assert transport.disconnecting
        face.connectionLost()
    reactor.pump([0] * 5)
    assert ended == [None]
    assert reactor.getDelayedCalls() == []


def rooms_of(parlour):
    return [(room.table is not None, room.players) for room in parlour._open_rooms(None)]


def test_the_lan_is_told_of_a_table_by_the_daemon_alone_that_has_it_awake(reactor):
    parlour = make(reactor)
    parlour.startService()
    told, written = [], write_card(Card(**{**PLAIN, "code": "AAAAA"}))
    for owner in (0, 7):
        row = IndexRow("AAAAA", "nim", "gathering", False, 0.0, 0.0, written, owner)
        parlour.host.service.dormant.follow([row])
        reactor.advance(0)
        told.append([room.table for room in parlour._open_rooms("nim")])
    assert told == [["AAAAA"], []]
    parlour.stopService()


@pytest.mark.parametrize(("asked", "told"), [(None, 1), ("nim", 1), ("gops", 0)])
def test_a_question_from_the_lan_looks_at_no_table_that_it_is_not_about(reactor, asked, told):
    parlour = make(reactor)
    parlour.startService()
    reactor.pump([0] * 9)
    for number in range(MOST_ROOMS):
        code = f"T{number:05}"
        parlour.host.directory.put(Looked(**{**PLAIN, "kind": "gops", "code": code}))
    Looked.looks.clear()
    assert len(list(parlour._open_rooms(asked))) == told, "that game has no port here"
    assert not Looked.looks
    parlour.stopService()
    reactor.pump([0] * 9)


def test_the_lan_sees_the_door_then_the_table_that_waits_and_no_table_that_plays(reactor):
    parlour = make(reactor)
    parlour.startService()
    factory = parlour.doors["nim"].factory
    assert rooms_of(parlour) == []  # nobody is let in yet
    reactor.pump([0] * 9)
    assert rooms_of(parlour) == [(False, 0)]
    links = []
    for hello, seen in (
        (b'{"name": "a", "order": 0}\n', [(True, 1)]),
        (b'{"name": "b", "order": 1}\n', [(False, 0)]),
        (b'{"name": "c", "order": 1, "table": "ours"}\n', [(False, 0)]),
    ):
        face = factory.buildProtocol(None)
        face.makeConnection(StringTransport())
        face.dataReceived(hello)
        links.append(face)
        assert rooms_of(parlour) == seen
    parlour.stopService()
    reactor.pump([0] * 9)
    for face in links:
        face.connectionLost()
    reactor.pump([0] * 9)
    assert reactor.getDelayedCalls() == []
