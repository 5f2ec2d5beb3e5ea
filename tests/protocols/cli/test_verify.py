"""`parlour verify`: what holds, one finding a line."""

from __future__ import annotations

from gamecore.fairness import commitment
from protocols.cli.main import main

SEED = "5e" * 32


def findings(capsys, *args):
    """Run the command and give its exit status and lines."""
    status = main(["verify", *args])
    out, err = capsys.readouterr()
    assert err == ""
    return status, out.splitlines()


def test_a_game_that_holds(capsys, nim_file):
    status, lines = findings(capsys, nim_file)
    assert status == 0
    assert lines[0].startswith(
        "holds: chain: each of 11 records holds the hash of the one before; the last is "
    )
    assert lines[1:] == [
        "holds: sequence: all records of table NAAAA are there, in order, from its Open",
        "holds: time: table time never runs backwards, from 0 to 3700.0 seconds",
        "holds: seed: game 1: the seed told is the one that was committed to by "
        + commitment("NAAAA", 1, SEED),
        "holds: words: game 1: the words told are those that its players added (1)",
        "holds: events: played again by the rules, the record gives the same 15 events",
        "holds: end: the game has ended",
    ]


def test_a_table_is_found_in_the_journal(capsys, journal, nim_file):
    assert findings(capsys, "NAAAA", "--journal", journal) == findings(capsys, nim_file)


def test_what_does_not_hold_is_plain_to_see(capsys, tmp_path, nim_data):
    path = tmp_path / "changed"
    path.write_bytes(nim_data.replace(b'"stones":3', b'"stones":2', 1))
    status, lines = findings(capsys, str(path))
    assert status == 1
    assert [line for line in lines if not line.startswith("holds: ")] == [
        "FAILS: events: record 5: event 1 is not what the rules give"
    ]


def test_rules_that_are_gone_are_no_failure(capsys, peep_file):
    status, lines = findings(capsys, peep_file)
    assert status == 0
    assert [line for line in lines if not line.startswith("holds: ")] == [
        "not checked: events: peep (rules 1, table 1, deal 1) is not installed here:"
        " the events cannot be replayed, and are only what the file says"
    ]


def test_nothing_that_was_typed_reaches_the_terminal_with_a_code(capsys, tmp_path, nim_data):
    path = tmp_path / "forged"
    path.write_bytes(nim_data.replace(b"NAAAA", rb"N\\u001b[2J\\u202e"))
    status, lines = findings(capsys, str(path))
    assert status == 1
    assert all(line.isprintable() for line in lines)
