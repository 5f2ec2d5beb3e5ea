"""The record file by itself: events as plain data, and a file that is damaged."""

from __future__ import annotations

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore import commands
from gamecore.events import AllBut, Only
from gamecore.fairness import canonical
from gamecore.games.nim import RULES as NIM
from gamecore.record import FIRST, Unreadable, write_record
from gamecore.record_file import (
    read_audience,
    read_event,
    read_game,
    read_lines,
    write_event,
    write_line,
)
from gamecore.rules import installed_rules
from gamecore.table_events import Mixed, Sat

OPEN = commands.Open("ABCDE", "nim", 1, 1, 1, "a table", "5e" * 32, {}, {})


@pytest.fixture(scope="session")
def file():
    """The file of a table where somebody sat and said something."""
    done = [
        (OPEN, []),
        (commands.Sit(0, "wren"), [Sat(0, "wren", None)]),
        (commands.Mix(0, "ü"), [Mixed(0, "ü")]),
    ]
    lines, previous = [], FIRST
    for sequence, (command, events) in enumerate(done):
        record = write_record("ABCDE", sequence, sequence / 2, 1e9, command, previous)
        lines.append(write_line(record.line, events))
        previous = record.hash
    return b"".join(lines)


# -- events ----------------------------------------------------------------------------


def test_an_event_is_written_with_who_was_told(high):
    assert write_event(Sat(0, "wren", None)) == {
        "is": "Sat",
        "seat": 0,
        "name": "wren",
        "level": None,
        "to": "everyone",
    }
    assert write_event(high.Hand(1, (2, 3)))["to"] == {"only": 1}
    assert write_event(high.Laid(2))["to"] == {"all_but": 2}
    assert read_audience({"to": {"only": 1}}) == Only(1)
    assert read_audience({"to": {"all_but": 2}}) == AllBut(2)


def test_no_event_has_a_field_that_the_file_needs_for_its_audience():
    for rules in installed_rules():
        for each in rules.events:
            assert "to" not in {field.name for field in attrs.fields(each)}

    @attrs.frozen
    class Sent:
        to: int

    with pytest.raises(TypeError, match="Sent has a field 'to'"):
        write_event(Sent(1))


def test_an_event_that_no_rules_know_is_left_as_it_is(high):
    assert read_event({"is": "Exploded", "to": "everyone"}, NIM) is None
    shown = {"is": "Shown", "cards": [[0, 3]], "to": "everyone"}
    assert read_event(shown, None) is None
    assert read_event(shown, high.RULES) == high.Shown(((0, 3),))
    assert read_event({**shown, "cards": [["x"]]}, high.RULES) is None
    assert read_event({"is": "SeedRevealed", "number": 1, "seed": "5e"}, NIM) is None  # no words
    pile = {"is": "PileSet", "options": {"is": "NimOptions", "stones": -1}, "to": "everyone"}
    assert read_event(pile, NIM) is None


# -- what cannot be read --------------------------------------------------------------


def unreadable(data):
    with pytest.raises(Unreadable) as problem:
        read_game(data)
    return str(problem.value)


def test_damage_is_named_with_its_line(file):
    lines = file.splitlines(keepends=True)
    assert unreadable(b"") == "the file is empty"
    assert unreadable(b"\x7fELF") == "this is no record file"
    assert unreadable(file[:-1]) == "the last line is cut short"
    assert unreadable(lines[0] + b"\xff\n") == "line 2 cannot be read: it is no text"
    assert unreadable(lines[0] + b"{\n") == "line 2 cannot be read: it is no JSON"
    assert unreadable(lines[0] + b"\n" + lines[1]) == "line 2 cannot be read: it is no JSON"
    two_parts = "line 1 cannot be read: it has not the two parts of a record file"
    assert unreadable(b"[]\n") == unreadable(b'{"events":[]}\n') == two_parts
    assert unreadable(b"[" * 100_000 + b"\n") == "line 1 cannot be read: it is nested too deeply"
    spaced = lines[0].replace(b'"record":', b'"record": ')
    assert unreadable(spaced) == "line 1 cannot be read: it is not written canonically"
    assert unreadable(file.replace(b"\n", b"\r\n")).endswith("it is not written canonically")
    assert unreadable(lines[0] + lines[2]) == "the chain is broken at record 1"


@pytest.mark.parametrize(
    "events",
    [
        ["x"],
        [{"to": "everyone"}],
        [{"is": 1, "to": "everyone"}],
        [{"is": "Sat"}],
        [{"is": "Sat", "to": 1}],
    ],
)
def test_an_event_that_is_none_is_named(file, events):
    text = write_record("ABCDE", 3, 2.0, 1e9, commands.Start(), FIRST).line.decode()
    line = canonical({"events": events, "record": text}) + b"\n"
    assert unreadable(file + line).startswith("line 4 cannot be read: ")


@pytest.mark.parametrize("to", [{"only": True}, {"only": 1, "x": 2}, {"all_but": "1"}, None, []])
def test_an_audience_that_is_none_is_named(to):
    with pytest.raises(Unreadable, match="who was told"):
        read_audience({"is": "Sat", "to": to})


@pytest.mark.parametrize("wrong", [{"at": 10**400}, {"wall": -1}, {"wall": 10**12}, {"more": 1}])
def test_a_record_that_cannot_be_is_named(wrong):
    record = {"at": 0.0, "command": {}, "previous": FIRST, "sequence": 0, "table": "A", "wall": 1e9}
    line = canonical({"events": [], "record": canonical({**record, **wrong}).decode()}) + b"\n"
    assert unreadable(line).startswith("line 1 cannot be read: ")
    whole = canonical({"events": [], "record": canonical(record).decode()}) + b"\n"
    assert unreadable(whole) == "the first record opens no table"


@given(st.binary(max_size=200) | st.binary(max_size=60).map(lambda data: data + b"\n"))
def test_no_bytes_raise_anything_but_unreadable(data):
    for read in (read_game, read_lines):
        with pytest.raises(Unreadable):
            read(data)
