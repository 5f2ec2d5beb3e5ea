"""The commands for games that are over find them in a database by its URL, as in a file."""

from __future__ import annotations

import pytest

from protocols.cli.main import main
from protocols.journal.durable import rows_of


@pytest.fixture
def kept(database, nim_records) -> str:
    """A journal in which NAAAA has ended and LAAAA has just begun; its daemon has ended."""
    from protocols.journal.compaction import compact_game
    from protocols.journal.postgres.store import PostgresStore
    from tests.protocols.cli.conftest import REGISTRY

    store = PostgresStore(database)
    store.open()
    store.keep(rows_of(nim_records), {"NAAAA": ("nim", "abandoned", False, 0.0, "")})
    rows = [("LAAAA", *row[1:]) for row in rows_of(nim_records)[:4]]
    store.keep(rows, {"LAAAA": ("nim", "playing", False, 0.0, "")})
    store.retire({"NAAAA": None}, lambda lines: compact_game(lines, REGISTRY))
    store.close()
    return database


def run(capsys, *words):
    status = main(list(words))
    return status, *capsys.readouterr()


def test_a_game_is_exported_as_it_is_from_a_file(capsys, kept, journal):
    exported = run(capsys, "export", "naaaa", "--journal", kept)
    assert exported == run(capsys, "export", "naaaa", "--journal", journal)
    assert exported[0] == 0


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_a_game_is_shown_and_checked_as_it_is_from_a_file(capsys, kept, journal, command):
    shown = run(capsys, command, "NAAAA", "--journal", kept)
    assert shown == run(capsys, command, "NAAAA", "--journal", journal)
    assert shown[1]


def test_a_game_that_is_still_played_is_shown_to_nobody(capsys, kept):
    status, out, said = run(capsys, "export", "LAAAA", "--journal", kept)
    assert (status, out) == (2, "")
    assert "is still being played" in said


def test_a_code_of_no_game_is_told_without_a_password(capsys, kept):
    given = kept.replace("parlour@", "parlour:hunter2@")
    status, _, said = run(capsys, "export", "ZZZZZ", "--journal", given)
    assert status == 2 and "no table ZZZZZ has ended" in said and "hunter2" not in said


def test_a_copy_of_a_database_is_made_by_its_own_program(capsys, tmp_path, kept):
    status, _, said = run(capsys, "backup", str(tmp_path / "copy.db"), "--journal", kept)
    assert status == 2
    assert "copy it with pg_dump" in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("where", "why"),
    [
        ("postgresql:///parlour?host=/nowhere", "cannot be read: connection"),
        ("postgresql:///parlour?nonsense=1", "has no URL that PostgreSQL understands"),
        ("mysql:///parlour", "no journal can be kept at mysql://"),
    ],
)
def test_a_database_that_cannot_be_had_is_told_in_a_line(capsys, database, where, why):
    status, _, said = run(capsys, "export", "NAAAA", "--journal", where)
    assert status == 2 and why in said and said.count("\n") == 1


def test_a_database_that_is_no_journal_yet_is_told_in_a_line(capsys, database):
    status, _, said = run(capsys, "export", "NAAAA", "--journal", database)
    assert status == 2 and "no daemon has kept a journal in" in said and said.count("\n") == 1
