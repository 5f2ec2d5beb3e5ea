"""A daemon that starts in a bad moment waits for its journal; what will not pass ends the start at once."""

from __future__ import annotations

import signal
import socket
import time
from functools import partial
from pathlib import Path
from threading import Timer
from urllib.parse import unquote

import pytest

from protocols.journal.errors import JournalLost, JournalRefused, JournalUndone
from tests.patience import SECONDS
from tests.protocols.journal.media import only_postgres, only_sqlite


def lines(records):
    return [record.line for record in records]


class Moment:
    """Keeps a journal from being opened by a trouble, for as long as that is there."""

    def __init__(self, rig):
        self.trouble = rig.medium.busy()
        rig.disk.watch = self._look

    def _look(self, statement):
        if self.trouble is not None:
            raise self.trouble


@pytest.fixture
def moment(rig):
    return Moment(rig)


# -- what passes ------------------------------------------------------------------------


def test_who_starts_in_a_bad_moment_is_told_so_once_and_goes_on_by_itself(rig, chain, moment):
    journal = rig.open()
    done, read = journal.append(chain("AAAAA", 2)), journal.read("AAAAA")
    assert (journal.run, journal.pending) == (0, 2)
    opened = rig.disk.opened
    rig.turns.turn_until(lambda: rig.troubles)
    while rig.disk.opened < opened + 3:
        time.sleep(0.001)  # it says it no second time
    assert not done.called and len(rig.troubles) == 1
    moment.trouble = None
    assert rig.wait(read) == lines(chain("AAAAA", 2))
    assert done.called and journal.run == 1 and journal.pending == 0
    (said, over) = rig.troubles
    assert said.startswith("the journal ") and " cannot be opened yet: " in said
    assert "\n" not in said and over is None and rig.lost == []


def test_the_age_of_the_house_is_known_before_anything_is_answered(rig, chain, moment):
    moment.trouble = None
    journal = rig.open()
    for lived in (1.0, 3.0):
        journal.beat(lived, True)
        rig.wait(journal.read("AAAAA"))
    rig.close(journal)
    moment.trouble = rig.medium.busy()
    journal = rig.open()
    asked = journal.index().addCallback(lambda rows: (journal.run, journal.age))
    moment.trouble = None
    assert rig.wait(asked) == (2, 2.0)


def test_one_that_turns_out_to_be_of_no_use_ends_the_wait_in_a_line(rig, moment):
    journal = rig.open()
    moment.trouble = rig.medium.damaged()
    rig.turns.turn_until(lambda: rig.lost)
    (refused,) = rig.lost
    assert isinstance(refused, JournalRefused)
    assert str(refused).startswith("the journal ") and " cannot be used: " in str(refused)
    with pytest.raises(JournalLost):
        rig.wait(journal.read("AAAAA"))
    rig.close(journal)


@pytest.mark.parametrize("records", [0, 2])
def test_who_is_asked_to_end_meanwhile_ends_at_once(rig, chain, moment, records):
    journal = rig.open_with(partial(rig.start_thread, waits=(3600.0,)))
    if records:
        journal.append(chain("AAAAA", records))
        with pytest.raises(JournalUndone):
            rig.close(journal)
    else:
        rig.close(journal)
    assert rig.lost == []
    moment.trouble = None
    assert rig.wait(rig.open().read("AAAAA")) == []


def test_a_writer_whose_daemon_is_gone_waits_no_longer(rig, moment):
    theirs = []

    def start(sock, lock):
        theirs.append(sock.dup())
        return rig.start_thread(sock, lock, waits=(3600.0,))

    rig.open_with(start)
    theirs[0].shutdown(socket.SHUT_RD)  # what the writer sees if the daemon is killed
    theirs[0].close()
    rig.turns.turn_until(lambda: not rig.turns.listens)
    assert rig.lost == []


@only_sqlite
def test_a_lock_that_is_let_go_of_within_a_second_is_waited_for(rig):
    """As that of a daemon which was asked to end just before, and is about to."""
    from protocols.journal.sqlite.lock import FileLock

    Path(rig.path).touch()
    lock = FileLock(rig.path)
    ends = Timer(0.05, lock.release)
    ends.start()
    rig.open()
    ends.join()


# -- a real server ----------------------------------------------------------------------


def waits(rig, journal, until):
    """See a journal wait, until something is done about it."""
    asked = journal.read("AAAAA")
    rig.turns.turn_until(lambda: rig.troubles)
    (said,) = rig.troubles
    assert " cannot be opened yet: " in said and "\n" not in said
    assert not asked.called
    until()
    assert rig.wait(asked) == []
    assert rig.troubles[1:] == [None] and rig.lost == []


@only_postgres
def test_a_server_that_comes_up_later_is_waited_for(rig, own_server):
    own_server.stop()
    waits(rig, rig.open_real(), own_server.start)


@only_postgres
@pytest.mark.parametrize("before", ["", "/nowhere,"])
def test_a_server_that_can_only_be_read_for_a_while_is_waited_for(rig, own_server, before):
    """As one is that is about to be promoted; there may be another beside it that is gone."""
    with rig.medium.connect() as keeper:
        keeper.execute("SET default_transaction_read_only = off")
        keeper.execute("ALTER SYSTEM SET default_transaction_read_only = on")
        keeper.execute("SELECT pg_reload_conf()")
        deadline = time.monotonic() + SECONDS
        while rig.medium.do("SHOW default_transaction_read_only") != [("on",)]:
            assert time.monotonic() < deadline

        def promote():
            keeper.execute("ALTER SYSTEM RESET default_transaction_read_only")
            keeper.execute("SELECT pg_reload_conf()")

        try:
            waits(rig, rig.open(rig.path.replace("?host=", f"?host={before}")), promote)
        finally:
            promote()


@pytest.fixture
def wren(own_server, rig):
    """A role with a password, which may do everything in the schema of the test; gives how to have it do that."""
    schema = unquote(rig.path).rpartition("=")[2]
    own_server.do("CREATE ROLE wren LOGIN PASSWORD 'hunter2'")
    own_server.do(f"GRANT ALL ON SCHEMA {schema} TO wren")
    yield rig.path.replace("parlour@", "wren:hunter2@")
    if not own_server.runs:
        own_server.start()
    own_server.do("DROP OWNED BY wren")
    own_server.do("DROP ROLE wren")


@only_postgres
def test_a_server_without_a_free_connection_is_waited_for(rig, own_server, wren):
    own_server.do("ALTER ROLE wren CONNECTION LIMIT 0")
    free = partial(own_server.do, "ALTER ROLE wren CONNECTION LIMIT -1")
    waits(rig, rig.open(wren), free)
    rig.close_all()


@only_postgres
@pytest.mark.parametrize("at", ["CREATE TABLE house", "INSERT INTO beats", "DELETE FROM codes"])
def test_a_server_that_ends_in_the_midst_of_a_start_is_waited_for(rig, own_server, at):
    ended = []

    def end(statement):
        if at in statement and not ended:
            ended.append(own_server.stop(signal.SIGQUIT))

    rig.disk.watch = end
    waits(rig, rig.open(), own_server.start)
    assert ended


# -- what does not pass -----------------------------------------------------------------


@only_postgres
@pytest.mark.parametrize(
    ("true", "false", "says"),
    [
        ("parlour@", "nobody_of_that_name@", 'role "nobody_of_that_name" does not exist'),
        ("/postgres?", "/no_such?", 'database "no_such" does not exist'),
        ("/postgres?", "/postgres?sslmode=nonsense&", "sslmode"),
        ("/postgres?", "/postgres?service=no_such&", "definition of service"),
    ],
)
def test_what_a_server_never_lets_in_is_refused_at_once(rig, true, false, says):
    with pytest.raises(JournalRefused) as refused:
        rig.open(rig.path.replace(true, false))
    assert says in str(refused.value) and "\n" not in str(refused.value)
    assert rig.troubles == []


@only_postgres
def test_a_wrong_password_is_refused_at_once_and_not_told(rig, own_server, wren):
    rules = Path(own_server.folder, "data", "pg_hba.conf")
    before = rules.read_text()
    own_server.stop()
    rules.write_text(f"local all wren scram-sha-256\n{before}")
    own_server.start()
    for given, says in ((":wrong@", "password authentication failed"), ("@", "no password")):
        with pytest.raises(JournalRefused, match=says) as refused:
            rig.open(wren.replace(":hunter2@", given))
        assert "wrong" not in str(refused.value)
    rig.close(rig.open(wren))
    own_server.stop()
    rules.write_text(before)
    own_server.start()
