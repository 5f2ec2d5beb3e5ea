"""`parlour doctor` tells how a journal is, in either engine, and changes nothing."""

from __future__ import annotations

import os
import socket
from contextlib import closing
from pathlib import Path

import pytest
from attrs import evolve

from protocols.cli.main import main
from protocols.journal import health
from protocols.journal.durable import rows_of
from protocols.journal.engines import find_store
from protocols.journal.health import Health, OpenTransaction, RunHealth, ServerHealth

RUN = RunHealth(7, "process 1 on alder", 3, 4.0, True)
SERVER = ServerHealth("17.2", True, "on", "on", "", 0, False)


def run(capsys, *words):
    status = main(["doctor", *words])
    return status, *capsys.readouterr()


def test_a_journal_in_a_file_is_told_of_and_left_as_it_is(capsys, journal):
    before = Path(journal).read_bytes()
    status, out, said = run(capsys, "--journal", journal)
    assert (status, said) == (0, "")
    first, age, tables = out.splitlines()
    assert first.startswith(f"journal   {journal}, schema ")
    assert age == "age       0.00 days of running"
    assert tables == "tables    0 awake, 2 at rest, 1 finished games"
    assert Path(journal).read_bytes() == before


def test_a_journal_that_is_not_there_is_told_in_a_line(capsys, tmp_path):
    status, out, said = run(capsys, "--journal", str(tmp_path / "none.db"))
    assert (status, out) == (2, "")
    assert "there is no journal" in said and said.count("\n") == 1


@pytest.fixture
def open_store(database):
    """Open the journal of a database as a daemon does."""
    from protocols.journal.postgres.store import PostgresStore

    stores = []

    def make():
        stores.append(PostgresStore(database))
        stores[-1].open()
        return stores[-1]

    yield make
    for store in stores:
        store.close()


def test_the_daemons_at_a_database_are_named_with_their_tables(
    capsys, database, open_store, nim_records
):
    first, _ = open_store(), open_store()
    first.keep(rows_of(nim_records)[:2], {"NAAAA": ("nim", "playing", False, 0.0, "")})
    status, out, _ = run(capsys, "--journal", database)
    name = f"process {os.getppid()} on {socket.gethostname()}"
    lines = out.splitlines()
    assert lines[2] == "tables    1 awake, 0 at rest, 0 finished games"
    assert lines[3].startswith("server    PostgreSQL ")
    assert ", synchronous_commit on; " in lines[3] and lines[3].endswith("waited for: none")
    assert [line.partition(", believed for ")[0] for line in lines[4:]] == [
        f"run 1     {name}; 1 tables awake",
        f"run 2     {name}; 0 tables awake",
    ]
    assert status == 0


def test_a_daemon_that_is_gone_without_a_word_is_to_be_seen_to(capsys, database, open_store):
    open_store()._db.close()
    status, out, _ = run(capsys, "--journal", database)
    assert status == 1
    assert "not connected" in out
    assert "see to    run 1 has no connection to the database, and 0 tables awake" in out


def test_a_daemon_is_told_of_with_where_it_is_linked(capsys, database, open_store):
    linked, _ = open_store(), open_store()
    linked.house.link("tcp:alder:4250", "a key")
    status, out, _ = run(capsys, "--journal", database)
    assert ", linked at tcp:alder:4250; 0 tables awake" in out and "a key" not in out
    assert status == 1 and "see to    run 2 has no --link, and others have" in out


def test_the_oldest_transaction_in_the_database_is_named(capsys, monkeypatch, database, open_store):
    import psycopg

    open_store()
    monkeypatch.setattr(health, "LONG_SECONDS", 0.0)
    with psycopg.connect(database, application_name="a dump") as dump:
        dump.execute("SELECT 1")
        status, out, _ = run(capsys, "--journal", database)
        named = f"of process {dump.info.backend_pid}, parlour, a dump, idle in transaction: nothing that"
    assert (status, named in out) == (1, True)


@pytest.mark.parametrize("engine", ["journal", "database"])
def test_a_table_that_is_set_aside_is_named_and_brought_back(capsys, request, nim_records, engine):
    where = request.getfixturevalue(engine)
    with closing(opened(where)) as store:
        noted = {"NAAAA": ("nim", "playing", False, 0.0, "")}
        store.keep(rows_of(nim_records)[:2], noted)
        assert run(capsys, "--journal", where)[0] == 0 or engine == "journal"
        assert [list(store.adopt(["NAAAA"], [])) for _ in range(4)] == [[], [], [], ["NAAAA"]]
        status, out, _ = run(capsys, "--journal", where)
        (line,) = [each for each in out.splitlines() if each.startswith("see to")]
        assert status == 1 and line.startswith("see to    table NAAAA is set aside: one daemon")
        assert line.endswith("parlour doctor --bring-back NAAAA")
        brought = run(capsys, "--journal", where, "--bring-back", "naaaa")
        assert brought == (0, "table NAAAA is replayed again for the next who comes to it\n", "")
        assert "set aside" not in run(capsys, "--journal", where)[1]
        assert list(store.adopt(["NAAAA"], [])) == []
        status, out, said = run(capsys, "--journal", where, "--bring-back", "NAAAA")
    assert (status, out) == (2, "")
    assert said.startswith("parlour doctor: no table NAAAA is set aside in the journal ")


def opened(where):
    """Open a journal as a daemon's writer does."""
    store = find_store(where)
    store.open()
    return store


def test_a_password_is_not_shown(capsys, database):
    status, out, said = run(capsys, "--journal", database.replace("parlour@", "parlour:hunter2@"))
    assert (status, out) == (2, "") and "hunter2" not in said  # it is no journal yet


@pytest.mark.parametrize(
    ("how", "word"),
    [
        ({"schema": 2}, "older"),
        ({"schema": 9}, "newer"),
        (
            {"oldest": OpenTransaction("process 7, dump", 7200.0)},
            "open for 2.0 hours, of process 7, dump",
        ),
        ({"set_aside": ["ABCDE"]}, "parlour doctor --bring-back ABCDE"),
        ({"server": evolve(SERVER, will_do=False)}, "PostgreSQL 17.2 is too old"),
        ({"server": evolve(SERVER, fsync="off")}, "fsync = off"),
        ({"server": evolve(SERVER, is_replica=True)}, "is a replica"),
        (
            {"runs": [RUN, evolve(RUN, run=8, link="tcp:alder:4250")]},
            "run 7 has no --link, and others have",
        ),
        ({"runs": [RunHealth(7, "process 1 on alder", 3, -1.0, False)]}, "run 7 has no connection"),
    ],
)
def test_what_is_to_be_seen_to_is_said_in_a_sentence_each(how, word):
    sound = {"schema": 3, "known": 3, "age": 0.0, "awake": 0, "resting": 0, "finished": 0}
    linked = [evolve(RUN, link="unix:/run/a"), evolve(RUN, run=8, link="unix:/run/b")]
    assert Health(**sound, runs=linked).troubles() == []
    assert Health(**sound, server=SERVER, oldest=OpenTransaction("us", 10.0)).troubles() == []
    (trouble,) = Health(**{**sound, **how}).troubles()
    assert word in trouble
