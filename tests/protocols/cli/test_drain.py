"""`parlour drain` asks a daemon to end, by its journal, and says who is left."""

from __future__ import annotations

from contextlib import closing

import pytest

from protocols.cli.main import main
from protocols.journal.engines import take_lock
from protocols.journal.sqlite.store import SqliteStore


def run(capsys, *words):
    status = main(["drain", *words])
    return status, *capsys.readouterr()


def test_where_no_daemon_is_nobody_is_asked(capsys, journal):
    status, out, said = run(capsys, "--journal", journal)
    assert (status, out) == (2, "")
    assert said == f"parlour drain: no daemon is at the journal {journal}\n"


def test_the_daemon_of_a_file_finds_it_with_its_next_sign_of_life(capsys, journal):
    with closing(take_lock_and_open(journal)) as store:
        store.beat(1.0, False)
        assert store.draining is None
        status, out, said = run(capsys, "--journal", journal, "--minutes", "2")
        assert (status, said) == (0, "")
        first, second = out.splitlines()
        assert first.startswith(f"run {store.run}, process ") and "for 2 minutes at most" in first
        assert second.startswith("nobody else lets people in")
        store.beat(2.0, False)
        assert store.draining == 120.0
        assert "; it was asked before" in run(capsys, "--journal", journal)[1]
        store.beat(3.0, False)
        assert store.draining == 900.0
        main(["doctor", "--journal", journal])
        assert "tables awake; asked to end" in capsys.readouterr().out


class _Held(SqliteStore):
    def close(self):
        super().close()
        self.lock.release()


def take_lock_and_open(journal):
    lock = take_lock(journal)
    store = _Held(journal)
    store.lock = lock
    store.open()
    return store


@pytest.fixture
def pair(database):
    """Two daemons at a database."""
    pytest.importorskip("psycopg")
    from protocols.journal.postgres.store import PostgresStore

    stores = [PostgresStore(database), PostgresStore(database)]
    for store in stores:
        store.open()
    yield stores
    for store in stores:
        store.close()


def test_one_of_several_has_to_be_named_and_the_last_is_told_of(capsys, database, pair):
    status, out, said = run(capsys, "--journal", database)
    assert (status, out) == (2, "") and "say which daemon, or --all: there are 1 (process " in said
    status, _, said = run(capsys, "7", "--journal", database)
    assert status == 2 and "no daemon is run 7; there are 1 (" in said
    status, out, _ = run(capsys, "2", "--journal", database)
    assert status == 0 and len(out.splitlines()) == 1
    for store in pair:
        store.beat(1.0, False)
    assert [store.draining for store in pair] == [None, 900.0]
    status, out, _ = run(capsys, "1", "--journal", database, "--minutes", "0.5")
    assert status == 0 and out.splitlines()[1].startswith("nobody else lets people in")
    pair[0].beat(2.0, False)
    assert pair[0].draining == 30.0


def test_all_can_be_asked_at_once(capsys, database, pair):
    status, out, _ = run(capsys, "--all", "--journal", database)
    assert status == 0 and [line[:5] for line in out.splitlines()] == ["run 1", "run 2", "nobod"]
    main(["doctor", "--journal", database])
    assert "see to    all daemons of this house were asked to end" in capsys.readouterr().out


@pytest.mark.parametrize("minutes", ["-1", "nan", "1441", "soon"])
def test_minutes_are_within_a_day(capsys, minutes):
    with pytest.raises(SystemExit) as ended:
        main(["drain", "--minutes", minutes])
    assert ended.value.code == 2
    assert "minutes" in capsys.readouterr().err
