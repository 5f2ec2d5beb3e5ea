"""The record: canonical lines, chained, and back to the same commands."""

from __future__ import annotations

import hashlib
import json
from typing import get_args

import attrs
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gamecore.codec import plain
from gamecore.commands import (
    Abandon,
    Absence,
    Agree,
    Clock,
    Command,
    Drop,
    GiveToken,
    Invite,
    Leave,
    Mix,
    Open,
    Organize,
    Play,
    Rematch,
    Replace,
    Return,
    Sit,
    Start,
    TimeUp,
    Wake,
)
from gamecore.events import RoundBegan
from gamecore.fairness import canonical
from gamecore.games.nim import RULES as NIM
from gamecore.games.nim import Board, Faulted, NimOptions, PileSet, Take, Taken
from gamecore.player import PlayerCore
from gamecore.record import (
    FIRST,
    Entry,
    Unreadable,
    build,
    read_command,
    read_open,
    read_records,
    write_record,
)
from gamecore.rules import NextRound, Outcome
from gamecore.table_events import GameBegan, GameOver, SeedRevealed

SEED = "5e" * 32
OPEN = Open("ABCDE", "nim", 1, 1, 1, "a table", SEED, {"stones": 20}, {"grace": 30.0})
TAKE = Play(0, Take(3))

seats = st.integers(0, 3)
words = st.text(max_size=8)
odd_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4),
    max_leaves=8,
)


# -- values ---------------------------------------------------------------------------


def test_a_line_of_the_record_is_canonical_and_says_all():
    record = write_record("ABCDE", 7, 1.5, 1e9, TAKE, FIRST)
    assert record.line == (
        b'{"at":1.5,"command":{"is":"Play","move":{"is":"Take","reset":false,"stones":3},"seat":0},'
        b'"previous":"' + b"0" * 64 + b'","sequence":7,"table":"ABCDE","wall":1000000000.0}'
    )
    assert record.hash == hashlib.sha256(record.line).hexdigest()
    assert (record.table, record.sequence, record.at) == ("ABCDE", 7, 1.5)


def test_events_are_written_and_read_back_the_same():
    board = Board(17, 4, (2, 2), (1.5, 0))
    events = [
        RoundBegan(1),
        PileSet(NimOptions()),
        Taken(0, 3, False, board, False),
        Faulted(1, "time", 0, False, board),
        GameBegan(1, ("wren", "robin")),
        GameOver(1, Outcome((1, 2), None, "last-stone")),
        GameOver(2, Outcome((1, 2), (5, 3))),
        SeedRevealed(1, SEED, ("some", "words")),
    ]
    for event in events:
        assert build(type(event), json.loads(json.dumps(plain(event)))) == event


def test_sequences_and_mappings_are_written_plainly():
    assert plain({1: (2, [3]), "a": ()}) == {"1": [2, [3]], "a": []}


@pytest.mark.parametrize("value", [1j, object(), NimOptions, b"bytes", {"a set"}])
def test_what_has_no_place_in_a_record_is_a_bug(value):
    with pytest.raises(TypeError):
        plain(value)


@given(at=st.integers(0, 10**20) | st.floats(0, 1e300), wall=st.floats(0, 1e300), words=words)
def test_a_line_of_the_record_is_canonical_whatever_it_holds(at, wall, words):
    mixed = Mix(0, words)
    line = {"table": "ABCDE", "sequence": 3, "at": at, "wall": wall, "command": plain(mixed)}
    expected = canonical({**line, "previous": FIRST})
    assert write_record("ABCDE", 3, at, wall, mixed, FIRST).line == expected


# -- commands -------------------------------------------------------------------------

moves = st.builds(Take, st.integers(), st.booleans())
commands = st.one_of(
    st.builds(Sit, seats, words, st.none() | words, st.none() | words),
    st.builds(Invite, seats, words, words),
    st.builds(GiveToken, seats, words),
    st.builds(Mix, seats, words),
    st.builds(Leave, seats, words),
    st.builds(Start),
    st.builds(Play, seats, moves),
    st.builds(Organize, moves, st.none() | seats),
    st.builds(Drop, seats, st.sampled_from(get_args(Absence))),
    st.builds(Return, seats),
    st.builds(Replace, seats, words, words),
    st.builds(TimeUp, st.sampled_from(get_args(Clock)), st.none() | seats),
    st.builds(Wake),
    st.builds(Rematch, words, st.none() | st.lists(seats).map(tuple), st.none() | seats),
    st.builds(Agree, seats),
    st.builds(Abandon, words),
)


@given(st.lists(st.tuples(commands, st.floats(0, 1e9)), max_size=6))
def test_any_commands_are_read_back_the_same(given):
    lines, previous = [], FIRST
    for sequence, (command, at) in enumerate(given):
        record = write_record("ABCDE", sequence, at, at, command, previous)
        lines.append(record.line)
        previous = record.hash
    entries = read_records(lines)
    assert [(read_command(each.command, NIM), each.at) for each in entries] == given


@settings(max_examples=50)
@given(
    st.builds(
        Open,
        *[words] * 2,
        *[st.integers()] * 3,
        *[words] * 2,
        *[st.dictionaries(words, st.booleans() | st.integers() | words, max_size=3)] * 2,
    )
)
def test_an_open_is_read_back_the_same(opened):
    assert read_open(json.loads(json.dumps(plain(opened)))) == opened


def test_what_a_player_brings_is_read_by_the_rules(high):
    sit = Sit(1, "wren", "hash", None, high.Charm("clover"))
    assert read_command(plain(sit), high.RULES) == sit
    with pytest.raises(Unreadable):
        read_command(plain(Sit(1, "wren")), high.RULES)
    assert read_command(plain(Play(1, high.Lay(3))), high.RULES) == Play(1, high.Lay(3))
    with pytest.raises(Unreadable):
        read_command(plain(Play(1, high.Lay(3))), NIM)


def test_every_command_but_open_is_tried_above():
    assert len(get_args(Command)) == 17


@pytest.mark.parametrize(
    "written",
    [
        None,
        [],
        {},
        {"is": "Sleep"},
        {"is": ["Start"]},
        plain(OPEN),  # only the first record opens a table
        {"is": "Play", "seat": 0},
        {"is": "Play", "seat": "0", "move": plain(Take(1))},
        {"is": "Play", "seat": [], "move": plain(Take(1))},
        {"is": "Play", "seat": 0, "move": {"is": "Take", "stones": "3"}},
        {"is": "Play", "seat": 0, "move": {"is": ["Take"], "stones": 3}},
        {"is": "Play", "seat": 0, "move": plain(Take(1)), "why": "more"},
        {"is": "Play", "seat": 0, "move": plain(NextRound())},
        {"is": "Leave"},
        {"is": "Leave", "seat": None},
        {"is": "Drop", "seat": 0, "absence": "sleep"},
        {"is": "TimeUp", "clock": "kitchen"},
        {"is": "Start", "seat": 0},
    ],
    ids=str,
)
def test_what_is_no_command_is_unreadable(written):
    with pytest.raises(Unreadable):
        read_command(written, NIM)


@given(
    st.one_of(
        odd_json,
        st.fixed_dictionaries(
            {"is": st.sampled_from([each.__name__ for each in get_args(Command)])},
            optional=dict.fromkeys(["seat", "name", "why", "move", "absence", "seed"], odd_json),
        ),
    )
)
@example({"is": {}})
@example({"is": "Open", "options": [1]})
def test_odd_json_is_a_command_or_unreadable_and_nothing_else(written):
    for read in (lambda: read_command(written, NIM), lambda: read_open(written)):
        try:
            read()
        except Unreadable:
            continue


# -- the chain ------------------------------------------------------------------------


@given(st.lists(st.one_of(st.binary(max_size=30), odd_json.map(lambda x: json.dumps(x).encode()))))
@example([b"[" * 100_000])
@example([b"\xff"])
@example([b""])
@example([b'{"is": "Entry"}'])
def test_odd_lines_are_unreadable_and_nothing_else(lines):
    if lines:
        with pytest.raises(Unreadable):
            read_records(lines)
    else:
        assert read_records(lines) == []


@pytest.fixture(scope="module")
def lines():
    lines, previous = [], FIRST
    for sequence, command in enumerate([OPEN, Sit(0, "wren"), Sit(1, "robin"), TAKE]):
        record = write_record("ABCDE", sequence, sequence / 2, 1e9, command, previous)
        lines.append(record.line)
        previous = record.hash
    return lines


def test_a_chain_is_read_with_its_places_and_times(lines):
    entries = read_records(lines)
    assert [entry.sequence for entry in entries] == [0, 1, 2, 3]
    assert entries[3] == Entry(
        "ABCDE", 3, 1.5, 1e9, plain(TAKE), hashlib.sha256(lines[2]).hexdigest()
    )
    assert entries[0].previous == FIRST
    assert read_records(lines[:2]) == entries[:2]


def test_any_byte_that_is_changed_before_the_last_line_breaks_the_chain(lines):
    for number in range(len(lines) - 1):
        for place in range(0, len(lines[number]), 5):
            line = bytearray(lines[number])
            line[place] ^= 1
            with pytest.raises(Unreadable):
                read_records([*lines[:number], bytes(line), *lines[number + 1 :]])


def test_a_line_that_is_missing_moved_or_doubled_breaks_the_chain(lines):
    a, b, d, e = lines
    for broken in ([b, d, e], [a, d, e], [a, b, e], [a, d, b, e], [a, b, b, d, e], [b, a]):
        with pytest.raises(Unreadable, match="chain"):
            read_records(broken)


def test_a_line_cut_short_is_unreadable(lines):
    for end in range(0, len(lines[-1]), 7):
        with pytest.raises(Unreadable):
            read_records([*lines[:-1], lines[-1][:end]])


def test_a_new_beginning_that_claims_another_past_breaks_the_chain(lines):
    for sequence, previous in [(0, "f" * 64), (1, FIRST), (-1, FIRST)]:
        record = write_record("ABCDE", sequence, 0.0, 0.0, OPEN, previous)
        with pytest.raises(Unreadable, match="chain"):
            read_records([record.line])


# -- secrets --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "secretive",
    [
        OPEN,
        Rematch(SEED),
        SeedRevealed(1, SEED, ()),
        Sit(0, "wren", token=SEED),
        Sit(0, "wren", brought=SEED),
        PlayerCore("wren", 0, token=SEED, brought=SEED),
        write_record("ABCDE", 0, 0.0, 0.0, OPEN, FIRST),
        Entry("ABCDE", 0, 0.0, 0.0, plain(OPEN), FIRST),
        Play(0, attrs.make_class("Hide", ["card"])(SEED)),
    ],
    ids=lambda each: type(each).__name__,
)
def test_what_may_reach_a_log_shows_no_seed_token_or_card(secretive):
    assert SEED not in repr(secretive) and SEED not in str(secretive)
