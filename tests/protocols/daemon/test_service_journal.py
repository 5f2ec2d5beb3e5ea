"""The daemon and its journal: where it is, who may have it, what it keeps, and what the next daemon finds."""

from __future__ import annotations

import json
import os
import select
import sqlite3
import stat

import pytest
from twisted.internet.abstract import FileDescriptor
from twisted.internet.address import IPv4Address
from twisted.internet.defer import fail
from twisted.internet.testing import MemoryReactorClock, StringTransport
from twisted.logger import formatEvent, globalLogPublisher
from twisted.python import usage

from protocols.daemon.service import JournalRefused, JournalUndone, Options, makeService
from protocols.daemon.twistd import Process
from protocols.journal.memory import MemoryJournal
from tests.doors import shut
from tests.patience import SECONDS


class Port(FileDescriptor):
    """A port that nobody can knock at, which knows whether somebody would be let in."""

    lets_in = True

    def getHost(self):
        return IPv4Address("TCP", "127.0.0.1", 9000)

    def startReading(self):
        self.lets_in = True

    def stopReading(self):
        self.lets_in = False

    def stopListening(self):
        self.lets_in = False


class Reactor(MemoryReactorClock):
    """A reactor that turns when told; what the journal's writer has to say waits for that."""

    def __init__(self):
        super().__init__()
        self.port = None

    def listenTCP(self, *where, **how):
        self.port = Port(self)
        return self.port

    def turn_until(self, come):
        self.advance(0)
        while not come():
            ready, writable, _ = select.select(self.getReaders(), self.getWriters(), [], SECONDS)
            assert ready or writable, "nothing comes any more"
            for each in ready:
                each.doRead()
            for each in writable:
                each.doWrite()
            self.advance(0)


class House:
    """Daemons that use one journal, one after the other."""

    def __init__(self, path):
        self.path = str(path)
        self.running = []

    def build(self, *options, journal=None):
        given = Options()
        path = journal or self.path
        given.parseOptions([*shut("nim"), "--discovery", "off", "--journal", path, *options])
        reactor = Reactor()
        return makeService(given, reactor), reactor

    def start(self, *options, **how):
        """Start a daemon and let it open its doors."""
        parlour, reactor = self.build(*options, **how)
        parlour.startService()
        self.running.append((parlour, reactor))
        reactor.turn_until(lambda: reactor.port.lets_in)
        return parlour, reactor

    def stop(self, parlour, reactor):
        """End a daemon as a signal would; gives what came of it."""
        self.running.remove((parlour, reactor))
        ended = []
        parlour.stopService().addBoth(ended.append)

        def see_out():
            for door in parlour.doors.values():
                for link in list(door.factory.links):
                    if link.closing:
                        link.connectionLost()
            return ended

        reactor.turn_until(see_out)
        assert reactor.getDelayedCalls() == []
        return ended[0]


@pytest.fixture
def house(tmp_path):
    house = House(tmp_path / "state" / "games.db")
    yield house
    for parlour, reactor in list(house.running):
        house.stop(parlour, reactor)


def connect(parlour, **hello):
    """Let somebody come in by the door of Nim; gives the link, and what it is sent."""
    link, transport = parlour.doors["nim"].factory.buildProtocol(None), StringTransport()
    link.makeConnection(transport)
    say(link, **hello)
    return link, transport


def say(link, **written):
    link.dataReceived(json.dumps(written).encode() + b"\n")


def objects(transport):
    return [json.loads(line) for line in transport.value().splitlines()]


# Where it is


def read(*arguments):
    options = Options()
    options.parseOptions(list(arguments))
    return options


def test_the_journal_is_a_path_or_memory(tmp_path):
    assert read("--journal", "/srv/games.db").journal == "/srv/games.db"
    assert read("--journal", "memory").journal is None
    ini = tmp_path / "parlour.ini"
    ini.write_text("[parlour]\njournal = memory\nkeep = 7\n")
    assert read("--config", str(ini)).journal is None
    assert read("--config", str(ini)).keep_seconds == 7 * 86_400
    assert read("--config", str(ini), "--journal", "games.db").journal == "games.db"


@pytest.mark.parametrize(
    ("environment", "path"),
    [
        ({"XDG_STATE_HOME": "/state"}, "/state/parlour/parlour.db"),
        ({"XDG_STATE_HOME": ""}, "/home/somebody/.local/state/parlour/parlour.db"),
        ({"XDG_STATE_HOME": "here"}, "/home/somebody/.local/state/parlour/parlour.db"),
        ({}, "/home/somebody/.local/state/parlour/parlour.db"),
        ({"STATE_DIRECTORY": "/var/lib/parlour"}, "/var/lib/parlour/parlour.db"),
        ({"STATE_DIRECTORY": "/var/lib/a:/var/lib/b"}, "/var/lib/a/parlour.db"),
        ({"STATE_DIRECTORY": "/lib", "XDG_STATE_HOME": "/state"}, "/lib/parlour.db"),
    ],
)
def test_if_nobody_says_where_it_is_in_the_state_folder(monkeypatch, environment, path):
    for name in ("XDG_STATE_HOME", "STATE_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": "/home/somebody", **environment}.items():
        monkeypatch.setenv(name, value)
    assert read().journal == path


def test_daemons_with_journals_of_their_own_keep_files_of_their_own(monkeypatch, tmp_path):
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    paths = {journal: path_of_a_file(journal) for journal in journals(tmp_path)}
    in_memory = [paths.pop("memory"), path_of_a_file("memory"), path_of_a_file("memory")]
    assert paths == {
        "here.db": str(tmp_path / "here.db.link"),
        "/srv/there.db": "/srv/there.db.link",
        str(tmp_path / "parlour.db"): str(tmp_path / "link"),
    }
    assert len({*in_memory, *paths.values()}) == 6
    assert all(path.startswith(str(tmp_path / "link.")) for path in in_memory)


def journals(folder):
    return ("here.db", "/srv/there.db", str(folder / "parlour.db"), "memory")


def path_of_a_file(journal):
    service = makeService(read("--journal", journal), MemoryReactorClock())
    return service.doors["web"].factory.state_file("link")


@pytest.mark.parametrize(
    ("given", "days"), [("90", 90), ("0", 0), ("0.5", 0.5), ("ever", None), (None, 90)]
)
def test_finished_games_are_kept_for_days_or_for_ever(given, days):
    options = read(*(["--keep", given] if given else []))
    assert options.keep_seconds == (None if days is None else days * 86_400)


@pytest.mark.parametrize("given", ["", "-1", "nan", "inf", "1e9", "soon", "7 days"])
def test_any_other_time_is_refused_in_one_line(given):
    with pytest.raises(usage.UsageError, match="--keep") as refused:
        read("--keep", given)
    assert len(str(refused.value).splitlines()) == 1


def test_memory_needs_no_file(house, tmp_path):
    parlour, _ = house.start(journal="memory")
    assert isinstance(parlour.host.service.journal, MemoryJournal)
    assert list(tmp_path.iterdir()) == []


# Who may have it


def test_nobody_else_may_read_it(house, tmp_path):
    parlour, reactor = house.start()
    connect(parlour, name="north", order=0, resume=True)
    reactor.turn_until(lambda: parlour.host.untold == 0)
    files = sorted(os.listdir(tmp_path / "state"))
    assert files == ["games.db", "games.db-shm", "games.db-wal", "games.db.lock"]
    for name in files:
        assert stat.S_IMODE(os.stat(tmp_path / "state" / name).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(tmp_path / "state").st_mode) == 0o700


def occupied(house, tmp_path):
    house.start()
    return str(os.getpid())


def newer(house, tmp_path):
    house.stop(*house.start())
    with sqlite3.connect(house.path) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    return "newer Parlour"


def unwritable(house, tmp_path):
    (tmp_path / "file").write_text("")
    house.path = str(tmp_path / "file" / "games.db")
    return "cannot be used"


def foreign(house, tmp_path):
    house.path = str(tmp_path / "other.db")
    with sqlite3.connect(house.path) as db:
        db.execute("CREATE TABLE sheep (name)")
    db.close()
    return "another program"


def no_database(house, tmp_path):
    (tmp_path / "text.db").write_text("This is no database, but a text of some length. " * 50)
    house.path = str(tmp_path / "text.db")
    return "cannot be used"


@pytest.mark.parametrize("why", [occupied, newer, unwritable, foreign, no_database])
def test_a_journal_that_cannot_be_had_ends_the_start_in_one_line(house, tmp_path, why):
    named = why(house, tmp_path)
    parlour, reactor = house.build()
    with pytest.raises(JournalRefused) as refused:
        parlour.startService()
    assert reactor.port is None
    assert reactor.getDelayedCalls() == []
    logged = []
    globalLogPublisher.addObserver(logged.append)
    try:
        with pytest.raises(SystemExit) as ended:
            Process(reactor, house.build()[0]).privilegedStartService()
    finally:
        globalLogPublisher.removeObserver(logged.append)
    assert ended.value.code == 1
    (line,) = [formatEvent(event) for event in logged if "parlour: " in formatEvent(event)]
    assert line == f"parlour: {refused.value}"
    assert named in line and house.path in line
    assert len(line.splitlines()) == 1


# What happens meanwhile


def test_nobody_is_let_in_before_the_index_is_read(house):
    parlour, reactor = house.build()
    parlour.privilegedStartService()
    parlour.startService()
    house.running.append((parlour, reactor))
    assert not reactor.port.lets_in
    reactor.advance(10)
    assert not reactor.port.lets_in
    reactor.turn_until(lambda: reactor.port.lets_in)


def test_a_daemon_that_ends_before_the_index_is_read_leaves_nothing(house):
    parlour, reactor = house.build()
    parlour.startService()
    house.running.append((parlour, reactor))
    assert house.stop(parlour, reactor) is None
    assert not reactor.port.lets_in
    house.start()  # the next one can have it


def test_an_index_that_cannot_be_read_is_a_journal_lost(house):
    parlour, reactor = house.build(journal="memory")
    lost, problem = [], OSError("torn")
    parlour.host.on_lost = lost.append
    parlour.host.begin = lambda: fail(problem)
    parlour.startService()
    house.running.append((parlour, reactor))
    assert lost == [problem]
    assert not reactor.port.lets_in


def test_it_gives_a_sign_of_life_each_second_which_matters_while_a_clock_runs(house):
    parlour, reactor = house.start(journal="memory")
    beats = []
    parlour.host.service.journal.beat = lambda lived, matters: beats.append((lived, matters))
    reactor.pump([0.5] * 10)
    assert beats == [(second, False) for second in (1, 2, 3, 4, 5)]
    beats.clear()
    links = [connect(parlour, name=f"p{order}", order=order)[0] for order in (0, 1)]
    reactor.pump([0.5] * 10)
    assert beats == [(second, True) for second in (6, 7, 8, 9, 10)]
    for link in links:
        link.connectionLost()
    reactor.pump([0.5] * 10)
    assert [matters for _, matters in beats[5:]] == [False] * 5


@pytest.mark.parametrize(("keep", "left"), [("0", 0), ("1", 1), ("ever", 1)])
def test_finished_games_are_forgotten_in_their_time(house, keep, left):
    parlour, reactor = house.start("--keep", keep)
    pair = [connect(parlour, name=f"p{order}", order=order) for order in (0, 1)]
    reactor.turn_until(lambda: all(objects(transport) for _, transport in pair))
    say(pair[0][0], num_stones=0)
    reactor.turn_until(lambda: all(transport.disconnecting for _, transport in pair))
    for link, _ in pair:
        link.connectionLost()
    reactor.turn_until(lambda: len(parlour.host.hall) == 0)
    for _ in range(3):  # signs of life, by which the house ages
        assert len(ask(parlour, reactor)) == 1
        reactor.advance(1)
    ask(parlour, reactor)
    reactor.advance(3600)
    assert len(ask(parlour, reactor)) == left


def ask(parlour, reactor):
    finished = []
    parlour._journal.finished().addCallback(finished.append)
    reactor.turn_until(lambda: finished)
    return finished[0]


# What the next daemon finds


def test_the_games_of_those_who_can_come_back_go_on_in_the_next_daemon(house):
    parlour, reactor = house.start()
    pair = [connect(parlour, name=f"p{order}", order=order, resume=True) for order in (0, 1)]
    reactor.turn_until(lambda: all(objects(transport) for _, transport in pair))
    tokens = [objects(transport)[0]["token"] for _, transport in pair]
    say(pair[0][0], num_stones=3)
    reactor.turn_until(lambda: len(objects(pair[1][1])) == 2)
    before = objects(pair[1][1])[-1]
    house.stop(parlour, reactor)
    for _, transport in pair:
        assert objects(transport)[-1] == {"closing": True, "reason": "The server is closing"}
    parlour, reactor = house.start()
    assert len(parlour.host.hall) == 0
    pair = [connect(parlour, token=token) for token in tokens]
    reactor.turn_until(lambda: all(len(objects(transport)) == 2 for _, transport in pair))
    for order, (_, transport) in enumerate(pair):
        start, state = objects(transport)
        assert (start["token"], start["order"]) == (tokens[order], order)
        assert state == before
    say(pair[1][0], num_stones=1)
    reactor.turn_until(lambda: len(objects(pair[0][1])) == 3)
    assert objects(pair[0][1])[-1]["stones_left"] == before["stones_left"] - 1


def test_a_journal_lost_on_the_way_ends_the_process_with_status_1(house, monkeypatch):
    parlour, reactor = house.build(journal="memory")
    ended = []
    monkeypatch.setattr(os, "_exit", ended.append)
    Process(reactor, parlour)
    parlour.host.service.journal.on_lost(OSError("taken over"))
    assert ended == []
    reactor.advance(0)
    assert ended == [1]


def test_what_could_not_be_written_gives_status_1_and_a_line_with_the_number(house, monkeypatch):
    parlour, reactor = house.build(journal="memory")
    ended, logged = [], []
    monkeypatch.setattr(os, "_exit", ended.append)
    monkeypatch.setattr(parlour.host.service.journal, "close", fail_to_close)
    monkeypatch.setattr(parlour.host.service.journal, "pending", 4)
    process = Process(reactor, parlour)
    process._exit()
    assert ended == []
    globalLogPublisher.addObserver(logged.append)
    process.running = parlour.running = 1
    process.stopService()
    reactor.advance(0)
    globalLogPublisher.removeObserver(logged.append)
    process._exit()
    assert ended == [1]
    assert "4 commands were told to nobody" in " ".join(map(formatEvent, logged))


def fail_to_close():
    return fail(JournalUndone(4))
