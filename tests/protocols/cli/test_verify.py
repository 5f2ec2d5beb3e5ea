"""`parlour verify`: what holds, one finding a line."""

from __future__ import annotations

import pytest

from gamecore.fairness import commitment
from protocols.cli.main import main

SEED = "5e" * 32


def findings(capsys, *args):
    """Run the command and give its exit status and lines."""
    status = main(["verify", *args])
    out, err = capsys.readouterr()
    assert err == ""
    return status, out.splitlines()


def test_a_game_that_holds(capsys, nim_file, nim_records):
    last, promise = nim_records[-1].hash, commitment("NAAAA", 1, SEED)
    told = ["--promise", promise.upper(), "--last", last]
    status, lines = findings(capsys, nim_file, *told)
    assert status == 0
    assert lines[0].startswith(
        "holds: chain: each of 11 records holds the hash of the one before; the last is "
    )
    assert lines[1:] == [
        "holds: last: the last record has the hash that was told",
        "holds: sequence: all records of table NAAAA are there, in order, from its Open",
        "holds: time: table time never runs backwards, from 0 to 3700.0 seconds",
        f"holds: seed: game 1: the seed told is the one that was promised by {promise}",
        "holds: words: game 1: the words told are those that its players added (1)",
        "holds: events: played again by the rules, the record gives the same 15 events",
        "holds: end: the game has ended",
    ]


def test_without_a_word_of_others_it_is_said_what_to_compare(capsys, nim_file, nim_records):
    status, lines = findings(capsys, nim_file)
    assert status == 0
    promise = commitment("NAAAA", 1, SEED)
    assert [line for line in lines if not line.startswith("holds: ")] == [
        f"not checked: last: compare the hash of the last record with others: {nim_records[-1].hash}",
        f"not checked: seed: game 1: compare with what was promised before it was played: {promise}",
    ]


def test_another_game_than_was_promised_fails(capsys, nim_file):
    status, lines = findings(capsys, nim_file, "--promise", "0f" * 32, "--last", "0f" * 32)
    assert status == 1
    assert [line.split(": ")[:2] for line in lines if line.startswith("FAILS")] == [
        ["FAILS", "last"],
        ["FAILS", "promise"],
    ]


@pytest.mark.parametrize("text", ["", "0f", "x" * 64, "0f" * 33])
def test_what_is_no_hash_is_refused(capsys, nim_file, text):
    for option in ("--promise", "--last"):
        with pytest.raises(SystemExit, match="2"):
            main(["verify", nim_file, option, text])


def test_a_table_is_found_in_the_journal(capsys, journal, nim_file):
    assert findings(capsys, "NAAAA", "--journal", journal) == findings(capsys, nim_file)


def test_what_does_not_hold_is_plain_to_see(capsys, tmp_path, nim_data):
    path = tmp_path / "changed"
    path.write_bytes(nim_data.replace(b'"stones":3', b'"stones":2', 1))
    status, lines = findings(capsys, str(path))
    assert status == 1
    assert [line for line in lines if line.startswith("FAILS: ")] == [
        "FAILS: events: record 5: event 1 is not what the rules give"
    ]


def test_rules_that_are_gone_are_no_failure(capsys, peep_file):
    status, lines = findings(capsys, peep_file)
    assert status == 0
    assert [line for line in lines if line.startswith("not checked: events")] == [
        "not checked: events: peep (rules 1, table 1, deal 1) is not installed here:"
        " the events cannot be replayed, and are only what the file says"
    ]


def test_nothing_that_was_typed_reaches_the_terminal_with_a_code(capsys, tmp_path, nim_data):
    path = tmp_path / "forged"
    path.write_bytes(nim_data.replace(b"NAAAA", rb"N\\u001b[2J\\u202e"))
    status, lines = findings(capsys, str(path))
    assert status == 1
    assert all(line.isprintable() for line in lines)
