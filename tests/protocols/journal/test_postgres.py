"""What only a journal in PostgreSQL can meet: a server that goes, a daemon elsewhere, and its own promises."""

from __future__ import annotations

import os
import signal
import socket
import time

import pytest

from protocols.journal.errors import JournalLost, JournalRefused
from protocols.journal.offline import held
from tests import postgres
from tests.patience import SECONDS
from tests.postgres import through
from tests.protocols.journal.media import only_postgres
from tests.protocols.journal.pooler import pooled
from tests.relay import relayed

pytestmark = only_postgres


def lines(records):
    return [record.line for record in records]


def refusal(rig, where=None, real=False):
    with pytest.raises(JournalRefused) as refused:
        (rig.open_real if real else rig.open)(where)
    said = str(refused.value)
    assert "\n" not in said and len(said) < 400
    return said


# -- the server goes, and comes back ----------------------------------------------------


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT])
def test_play_waits_for_a_server_that_is_gone_and_goes_on_by_itself(rig, chain, own_server, how):
    journal = rig.open_real()
    a = chain("AAAAA", 6)
    journal.note("AAAAA", "nim", "playing", False, 0.0)
    rig.keep(journal, *a[:2])
    own_server.stop(how)
    done = journal.append(a[2:4])
    rest = journal.append(a[4:])
    rig.turns.turn_until(lambda: rig.troubles)
    assert rig.troubles[0].startswith("the journal cannot be written: ")
    assert "\n" not in rig.troubles[0]
    assert not done.called
    own_server.start()
    rig.wait(rest)
    assert rig.troubles[1:] == [None] and rig.lost == []
    assert rig.wait(journal.read("AAAAA")) == lines(a)
    assert [row.table for row in rig.wait(journal.index())] == ["AAAAA"]


def test_a_server_that_is_gone_is_noticed_while_nobody_plays(rig, own_server):
    journal = rig.open_real()
    own_server.stop()
    journal.beat(1.0, False)
    rig.turns.turn_until(lambda: rig.troubles)
    own_server.start()
    rig.turns.turn_until(lambda: rig.troubles[1:])


def test_a_server_that_can_only_be_read_for_a_while_is_waited_for(rig, chain, own_server):
    """As one is that was demoted while we were connected: it answers, and refuses each write."""
    journal = rig.open_real()
    a = chain("AAAAA", 4)
    rig.keep(journal, *a[:1])
    with rig.medium.connect() as keeper:
        keeper.autocommit = True
        keeper.execute("SET default_transaction_read_only = off")
        keeper.execute("ALTER SYSTEM SET default_transaction_read_only = on")
        keeper.execute("SELECT pg_reload_conf()")
        try:
            rig.turns.turn_until(lambda: _is_read_only(rig))
            done = [journal.append([record]) for record in a[1:]]
            rig.turns.turn_until(lambda: rig.troubles)
            assert not any(each.called for each in done)
        finally:
            keeper.execute("ALTER SYSTEM RESET default_transaction_read_only")
            keeper.execute("SELECT pg_reload_conf()")
    rig.wait(done[-1])
    assert rig.troubles[-1] is None and rig.lost == []
    assert rig.wait(journal.read("AAAAA")) == lines(a)


def _is_read_only(rig):
    return rig.medium.do("SHOW default_transaction_read_only") == [("on",)]


def test_a_connection_that_is_ended_costs_nothing(rig, chain):
    journal = rig.open_real()
    a = chain("AAAAA", 40)
    for record in a:
        done = journal.append([record])
        rig.medium.do(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'process %'"
            " AND pid IN (SELECT pid FROM pg_locks WHERE objid = 'house'::regclass::oid)"
        )
        rig.wait(done)
    assert rig.wait(journal.read("AAAAA")) == lines(a)
    assert rig.lost == []


def test_a_record_that_a_server_has_lost_is_not_passed_over(rig, chain):
    """As when a replica is promoted that had not heard of the last ones."""
    journal = rig.open()
    a = chain("AAAAA", 4)
    rig.keep(journal, *a[:3])
    rig.medium.do("DELETE FROM records WHERE sequence = 2")
    rig.disk.fail_before = 1  # so that it connects anew
    journal.append(a[3:])
    rig.turns.turn_until(lambda: rig.lost)
    assert str(rig.lost[0]) == "record 3 of table AAAAA has no predecessor"


def test_a_database_that_was_put_back_to_before_our_run_is_not_ours(rig, chain):
    journal = rig.open()
    a = chain("AAAAA", 2)
    rig.keep(journal, a[0])
    rig.medium.do("UPDATE runs SET key = 'of another daemon that began the same run'")
    journal.append(a[1:])
    rig.turns.turn_until(lambda: rig.lost)
    assert isinstance(rig.lost[0], JournalLost)
    assert rig.medium.do("SELECT count(*) FROM records") == [(1,)]


# -- one daemon at a time ---------------------------------------------------------------


@pytest.mark.parametrize("real", [False, True])
def test_who_must_have_it_alone_is_refused_and_told_who_has_it(rig, chain, real):
    journal = rig.open_real() if real else rig.open()
    holder = f"process {os.getpid() if real else os.getppid()} on {socket.gethostname()}"
    with pytest.raises(JournalRefused) as refused, held(rig.path):
        pass
    assert str(refused.value).endswith(f" is held by another daemon, {holder}")
    rig.keep(journal, *chain("AAAAA", 1))
    rig.close(journal)
    with held(rig.path):
        assert "is held by another daemon" in refusal(rig, real=real)
    rig.open_real()


def test_whose_connection_was_lost_takes_its_locks_again(rig, chain):
    journal = rig.open()
    rig.disk.fail_before = 1
    rig.keep(journal, *chain("AAAAA", 1))
    assert rig.medium.do("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'") == [(2,)]


def test_who_was_cut_off_does_not_wait_for_a_connection_that_the_server_takes_for_alive(
    rig, chain, own_server
):
    options = rig.path.partition("options=")[2]
    with relayed(own_server.socket) as relay:
        journal = rig.open(f"{through(relay.port)}?options={options}")
        records = chain("AAAAA", 2)
        rig.keep(journal, records[0])
        relay.cut_callers()
        rig.keep(journal, records[1])
        assert rig.wait(journal.read("AAAAA")) == lines(records)
        holders = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1"
        assert rig.medium.do(f"{holders} AND objid = 'house'::regclass::oid") == [(1,)]
        rig.close(journal)


def test_two_schemas_of_a_database_are_two_journals(rig, chain):
    one, other = rig.open(), rig.open(postgres.new_journal(rig.path.partition("&options")[0]))
    rig.keep(one, *chain("AAAAA", 2))
    rig.keep(other, *chain("AAAAA", 1))
    assert len(rig.wait(one.read("AAAAA"))) == 2


# -- what is refused --------------------------------------------------------------------


def test_a_server_that_is_too_old_is_refused_before_anything_is_made(rig, monkeypatch):
    from protocols.journal.postgres import connection

    monkeypatch.setattr(connection, "OLDEST", 99)
    assert "needs PostgreSQL 99 or later: its server is 1" in refusal(rig)
    assert rig.medium.do("SELECT to_regclass('house')") == [(None,)]


def test_a_server_that_syncs_nothing_is_refused(rig, own_server):
    own_server.stop()
    own_server.start("fsync=off")
    try:
        said = refusal(rig, real=True)
    finally:
        own_server.stop()
    assert said.endswith("would not outlast a loss of power: its server has fsync = off")


def test_the_look_for_a_pooler_leaves_nothing_prepared_on_what_may_be_anybody_s_connection(rig):
    """A statement that is prepared on one connection fails on the next, with other words."""
    from protocols.journal.postgres.connection import connect
    from protocols.journal.postgres.pooler import check_session

    with connect(rig.path) as db:
        check_session(db, rig.path)
        prepared = "SELECT count(*) FROM pg_prepared_statements"
        assert db.execute(prepared, prepare=False).fetchone() == (0,)


@pytest.mark.parametrize("latest_first", [True, False])
def test_a_pooler_that_pools_by_transaction_is_refused_and_no_lock_is_left(
    rig, own_server, latest_first
):
    """Some hand out the connection that was given back last, some each in its turn."""
    options = rig.path.partition("options=")[2]
    with pooled(own_server.socket, by_session=False, latest_first=latest_first) as pooler:
        said = refusal(rig, f"{through(pooler.port)}?options={options}")
        deadline = time.monotonic() + SECONDS
        while rig.medium.do("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'"):
            assert time.monotonic() < deadline  # those of other tests go by themselves
    assert said.endswith("is behind a pooler that pools by transaction: let it pool by session")
    assert rig.medium.do("SELECT to_regclass('house')") == [(None,)]
    rig.open()


def test_a_pooler_that_pools_by_session_is_as_good_as_none(rig, chain, own_server):
    options = rig.path.partition("options=")[2]
    with pooled(own_server.socket, by_session=True) as pooler:
        for length in (1, 2):
            journal = rig.open(f"{through(pooler.port)}?options={options}")
            rig.keep(journal, *chain("AAAAA", 2)[:length])
            rig.close(journal)
    assert len(rig.wait(rig.open().read("AAAAA"))) == 2


def test_a_role_that_waits_for_no_disk_waits_here(rig):
    rig.medium.do("ALTER ROLE CURRENT_USER SET synchronous_commit = off")
    asked = []
    try:
        rig.disk.watch = asked.append
        rig.open()
    finally:
        rig.medium.do("ALTER ROLE CURRENT_USER RESET synchronous_commit")
    assert "SET synchronous_commit = on" in asked


def test_a_newer_schema_is_refused_and_stays_as_it_was(rig):
    from protocols.journal.postgres.schema import SCHEMA

    rig.close(rig.open())
    rig.medium.do("UPDATE house SET schema = 99")
    assert f"was written by a newer Parlour (schema 99, known here: {SCHEMA})" in refusal(rig)
    assert rig.medium.do("SELECT schema, (SELECT count(*) FROM runs) FROM house") == [(99, 1)]


def test_the_database_of_another_program_is_refused_and_stays_as_it_was(rig):
    rig.medium.do("CREATE TABLE house (rooms integer)")
    assert refusal(rig).endswith("is a database of another program")
    rig.medium.do("DROP TABLE house")
    rig.medium.do("CREATE TABLE tables (legs integer)")
    assert 'relation "tables" already exists' in refusal(rig)
    assert rig.medium.do("SELECT to_regclass('house')") == [(None,)]


def test_a_crash_while_the_first_tables_are_made_leaves_none(rig):
    rig.disk.fail_before = 1
    assert "disk I/O error" in refusal(rig)
    assert rig.medium.do("SELECT to_regclass('house')") == [(None,)]
    rig.open()


def test_a_database_that_cannot_hold_every_name_is_refused(rig, own_server):
    made = "CREATE DATABASE narrow ENCODING 'SQL_ASCII' TEMPLATE template0"
    own_server.do(made)
    said = refusal(rig, own_server.url.replace("/postgres?", "/narrow?"))
    assert said.endswith("cannot hold every name: make its database with ENCODING 'UTF8'")
    own_server.do("DROP DATABASE narrow WITH (FORCE)")


@pytest.mark.parametrize(
    "where",
    [
        "postgresql://wren:hunter2@/parlour?host=/nowhere",
        "postgresql://wren:hunter2@localhost:1/parlour?connect_timeout=1",
        "postgresql://wren@localhost:1/parlour?password=hunter2",
    ],
)
def test_no_trouble_tells_a_password(rig, where):
    rig.open(where)
    (said,) = rig.troubles
    assert said.startswith("the journal postgresql://wren")
    assert "hunter2" not in said


@pytest.mark.parametrize(
    "where",
    [
        "postgresql://wren:hunter2/x@localhost:1/parlour",
        "postgresql://wren:hunter2@localhost:1/parlour?nonsense=1",
    ],
)
def test_no_refusal_tells_a_password(rig, where):
    said = refusal(rig, where, real=True)
    assert said.startswith("the journal postgresql://wren")
    assert "hunter2" not in said


# -- what it brings ---------------------------------------------------------------------


def test_without_its_library_a_url_is_refused_with_what_to_install(rig, monkeypatch):
    monkeypatch.setattr("protocols.journal.engines.find_spec", lambda name: None)
    assert refusal(rig).endswith("needs psycopg: pip install 'parlour[pg]'")


def test_a_code_that_nobody_could_have_is_in_no_journal(rig):
    journal = rig.open()
    assert rig.wait(journal.read("A\0")) == []
    assert rig.wait(journal.read_finished("A\0")) is None
