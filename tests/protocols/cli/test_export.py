"""`parlour export`: a finished game in a file of its own."""

from __future__ import annotations

import zlib
from contextlib import closing

import pytest

from gamecore.replay import RulesGone
from gamecore.rules import Registry
from protocols.cli.finished import Unavailable, open_finished
from protocols.cli.main import main
from protocols.journal.compaction import compact_game
from protocols.journal.packing import pack
from protocols.journal.paths import default_journal
from protocols.journal.sqlite.file import connect


def test_the_record_file_goes_to_a_file_or_to_standard_output(
    capfdbinary, tmp_path, journal, nim_data
):
    assert main(["export", "NAAAA", "--journal", journal]) == 0
    assert capfdbinary.readouterr() == (nim_data, b"")
    output = tmp_path / "out.record"
    assert main(["export", "naaaa", "--journal", journal, "-o", str(output)]) == 0
    assert output.read_bytes() == nim_data
    assert capfdbinary.readouterr() == (b"", b"")


def test_what_was_exported_can_be_verified_and_replayed(capsys, tmp_path, journal):
    output = str(tmp_path / "out.record")
    assert main(["export", "NAAAA", "--journal", journal, "-o", output]) == 0
    assert main(["verify", output]) == 0
    assert main(["replay", output]) == 0


def test_a_file_that_cannot_be_written_is_named(capsys, tmp_path, journal):
    output = str(tmp_path / "no" / "out.record")
    assert main(["export", "NAAAA", "--journal", journal, "-o", output]) == 2
    told = f"parlour export: {output}: No such file or directory\n"
    assert capsys.readouterr() == ("", told)


# -- the journal ----------------------------------------------------------------------


def read_all(path, code="NAAAA"):
    finished = open_finished(path)
    try:
        return finished.is_live(code), finished.read(code)
    finally:
        finished.close()


def test_bare_lines_in_the_journal_are_played_again(make_journal, nim_data):
    assert read_all(make_journal()) == (False, nim_data)
    assert read_all(make_journal(pack, "bare.db")) == (False, nim_data)


def test_lines_that_cannot_be_played_again_are_not_made_a_file_of(nim_records):
    with pytest.raises(RulesGone):
        compact_game([record.line for record in nim_records], Registry([]))


def test_a_live_table_is_known_as_such(journal):
    assert read_all(journal, "LAAAA") == (True, None)
    assert read_all(journal, "MAAAA") == (True, None)


def test_of_two_tables_with_one_code_the_later_is_found(journal):
    with closing(connect(journal)) as database:
        later = "INSERT INTO finished (code, kind, ended, record) VALUES ('NAAAA', 'nim', 0, ?)"
        database.execute(later, (zlib.compress(b'{"events":later'),))
    assert read_all(journal) == (False, b'{"events":later')


@pytest.mark.parametrize("blob", [b"", b"not compressed", zlib.compress(b"nothing of ours")])
def test_what_was_kept_and_is_damaged_is_named(make_journal, blob):
    with pytest.raises(Unavailable, match="table NAAAA cannot be read: "):
        read_all(make_journal(lambda lines: blob))


def test_a_journal_may_have_any_name(tmp_path, make_journal):
    path = make_journal(name="a name? with #odd%20 signs.db")
    assert read_all(path)[0] is False
    assert {each.name for each in tmp_path.iterdir()} >= {"a name? with #odd%20 signs.db"}


# -- where the journal is -------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"STATE_DIRECTORY": "/var/lib/parlour"}, "/var/lib/parlour/parlour.db"),
        (
            {"STATE_DIRECTORY": "/var/lib/a:/var/lib/b", "XDG_STATE_HOME": "/x"},
            "/var/lib/a/parlour.db",
        ),
        ({"XDG_STATE_HOME": "/x"}, "/x/parlour/parlour.db"),
        ({"XDG_STATE_HOME": "not/absolute"}, "/home/wren/.local/state/parlour/parlour.db"),
        (
            {"XDG_STATE_HOME": "", "STATE_DIRECTORY": ""},
            "/home/wren/.local/state/parlour/parlour.db",
        ),
        ({}, "/home/wren/.local/state/parlour/parlour.db"),
    ],
)
def test_the_usual_journal_is_where_a_desktop_and_systemd_expect_it(monkeypatch, given, path):
    for name in ("STATE_DIRECTORY", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/wren")
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    assert default_journal() == path
