"""The Hall: opening, finding and forgetting tables, and making them anew from their record."""

from __future__ import annotations

import json

import attrs
import pytest

from gamecore.codec import plain
from gamecore.commands import Open, Play, Sit, Start
from gamecore.errors import Refused
from gamecore.games.nim import RULES as NIM
from gamecore.hall import CODE_LENGTH, CODE_LETTERS, Hall
from gamecore.record import FIRST, Unreadable, read_records, write_record
from gamecore.rules import Registry

SEED = "5e" * 32


@pytest.fixture
def hall(high):
    return Hall(Registry([NIM, high.RULES]), most=8)


def opening(code, kind="nim", *, options=(), **versions):
    versions = {"rules": 1, "table": 1, "deal": 1, **versions}
    return Open(code, kind, name="", seed=SEED, options=dict(options), house={}, **versions)


def refusal(act, *given):
    with pytest.raises(Refused) as refused:
        act(*given)
    return refused.value.key


# -- opening and finding --------------------------------------------------------------


def test_no_letter_of_a_code_is_taken_for_another():
    assert CODE_LENGTH == 5
    assert len(set(CODE_LETTERS)) == len(CODE_LETTERS) == 31
    assert not set(CODE_LETTERS) & set("01IOL")
    assert CODE_LETTERS.upper() == CODE_LETTERS


def test_a_table_is_found_by_its_code_in_any_case(hall):
    table = hall.open(opening("ABC23"))
    assert hall.find("ABC23") is hall.find("abc23") is table
    assert "ABC23" in hall and len(hall) == 1
    assert refusal(hall.find, "ABC24") == "no-such-table"


def test_two_tables_have_not_the_same_code(hall):
    table = hall.open(opening("ABC23"))
    assert refusal(hall.open, opening("ABC23", "high")) == "code-taken"
    assert hall.find("ABC23") is table


def test_a_full_hall_opens_no_table_until_one_is_forgotten(hall):
    tables = [hall.open(opening(f"T{number}")) for number in range(8)]
    assert refusal(hall.open, opening("ONE")) == "hall-full"
    hall.forget(tables[3])
    assert "T3" not in hall and refusal(hall.find, "T3") == "no-such-table"
    assert hall.open(opening("ONE")) is hall.find("ONE")


def test_options_out_of_bounds_open_no_table(hall):
    assert refusal(hall.open, opening("ABC23", options={"stones": 0})) == "setting-out-of-bounds"
    assert refusal(hall.open, opening("ABC23", options={"stars": 1})) == "no-such-setting"
    assert len(hall) == 0


# -- replay ---------------------------------------------------------------------------


@pytest.fixture
def played(begun, high):
    """A game of High Card in the middle of its second round."""
    played = begun(high.RULES, 3)
    for move in ("card", "next", "card"):
        for seat in range(3):
            played.do(Play(seat, played.table.legal_moves(seat)[0]), played.now + 1)
            if move == "card" and seat == 1 and played.table.seen_by(0, 0).board.round == 2:
                return played
    raise AssertionError("the second round was to be played")


def chained(commands, at=0.0, code="TABLE"):
    """Write any commands as a record that nobody has damaged."""
    lines, previous = [], FIRST
    for sequence, command in enumerate(commands):
        record = write_record(code, sequence, at, 0.0, command, previous)
        lines.append(record.line)
        previous = record.hash
    return read_records(lines)


def test_a_replayed_table_shows_every_seat_the_same(hall, played):
    table = hall.replay(played.entries())
    assert hall.find("TABLE") is table
    for seat in (None, 0, 1, 2):
        assert table.seen_by(seat, 9.0) == played.table.seen_by(seat, 9.0)
    assert (table.sequence, table.alarm()) == (played.table.sequence, played.table.alarm())


def test_a_replayed_table_takes_the_place_of_the_one_with_its_code(hall, sitting):
    opened = opening("TABLE")
    stale = hall.open(opened)
    table = hall.replay(chained([opened]))
    assert table is not stale
    assert hall.find("TABLE") is table
    assert len(hall) == 1


def test_a_record_cut_off_after_any_line_is_a_table_of_that_moment(hall, played):
    entries = played.entries()
    for end in range(1, len(entries)):
        assert hall.replay(entries[:end]).sequence == end - 1


def test_a_damaged_edited_or_reordered_record_is_unreadable(hall, played):
    lines = played.lines()
    edited = lines[3].replace(b'"wren"', b'"kite"').replace(b'"linnet"', b'"kite"')
    assert edited != lines[3]
    for damaged in (
        [*lines[:3], edited, *lines[4:]],
        [*lines[:3], *lines[4:]],
        [lines[0], lines[2], lines[1], *lines[3:]],
        [*lines[:3], lines[3][:40], *lines[4:]],
        [*lines[:3], b"", *lines[4:]],
        [*lines, lines[-1]],
        lines[1:],
    ):
        with pytest.raises(Unreadable):
            hall.replay(read_records(damaged))
    assert "TABLE" not in hall


def test_an_empty_record_is_unreadable(hall):
    with pytest.raises(Unreadable):
        hall.replay([])


@pytest.mark.parametrize("gone", [{"rules": 2}, {"table": 0}, {"deal": 2}, {"kind": "chess"}])
def test_a_record_of_versions_that_are_gone_is_unreadable(hall, gone):
    opened = attrs.evolve(opening("TABLE"), **gone)
    with pytest.raises(Unreadable, match="gone"):
        hall.replay(chained([opened]))


def test_a_record_that_is_refused_today_is_unreadable(hall, sitting):
    opened = opening("TABLE")
    for commands in (
        [opening("TABLE", options={"stones": -1})],
        [opened, Sit(7, "wren")],
        [opened, Start()],
        [opened, sitting(NIM, 0), opened],
        [sitting(NIM, 0)],
    ):
        with pytest.raises(Unreadable):
            hall.replay(chained(commands))


def test_a_well_chained_record_of_odd_values_is_unreadable(hall):
    opened = opening("TABLE")
    for name, odd in [("options", [1]), ("options", None), ("code", 5), ("seed", None)]:
        line = json.loads(write_record("TABLE", 0, 0.0, 0.0, opened, FIRST).line)
        line["command"] = {**plain(opened), name: odd}
        with pytest.raises(Unreadable):
            hall.replay(read_records([json.dumps(line).encode()]))
