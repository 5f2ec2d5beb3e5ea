"""The record file of a finished game, which anyone can read without the rules it was played by.

A record file is UTF-8 text, one line a command, each line canonical JSON (see ``fairness``) with two keys:

* ``record``: the line of the journal as text (see ``record``); the hash chain is over these lines alone
* ``events``: what that command made happen, each an object of the event's fields with ``is``, the name of its
  class, and ``to``, who was told: ``"everyone"``, ``{"only": 2}`` or ``{"all_but": 2}``

So a file can be shown without the rules it was played by.  What it cannot show by itself: that nothing was cut
off behind the last record and that the whole of it was not written anew.  Two people who hold the same last
hash hold the same commands.

What the password of a table was sealed to stays in the journal: it could be guessed at.  Where a table has one,
its Open says ``"sealed"`` here, and the chain of the file is made over the records as they stand in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, cast

import attrs
from attrs import field, frozen

from gamecore import commands
from gamecore.codec import Plain, plain
from gamecore.events import EVERYONE, AllBut, Audience, Event, Only, RoundBegan, RoundOver
from gamecore.fairness import canonical
from gamecore.record import Entry, Unreadable, build, read_open, read_records
from gamecore.rules import AnyRules
from gamecore.table_events import TABLE_EVENTS

PlainEvent = dict[str, Plain]

SEALED = "sealed"  # stands for what a password was sealed to
LAST_SECOND = 253_402_300_799  # of the year 9999: no clock that we can show goes further


# -- events as plain data -------------------------------------------------------------


def write_event(event: Event) -> PlainEvent:
    """Write an event and who was told of it as plain data."""
    written = cast(PlainEvent, plain(event))
    if "to" in written:
        raise TypeError(
            f"{written['is']} has a field 'to', which in a record file names who was told"
        )
    return {**written, "to": _write_audience(event.audience)}


def _write_audience(audience: Audience) -> Plain:
    match audience:
        case Only(seat):
            return {"only": seat}
        case AllBut(seat):
            return {"all_but": seat}
    return "everyone"


def read_audience(written: Mapping[str, Plain]) -> Audience:
    """Say who was told of an event; raises Unreadable."""
    match written.get("to"):
        case "everyone":
            return EVERYONE
        case {"only": int(seat), **rest} if not rest and type(seat) is int:
            return Only(seat)
        case {"all_but": int(seat), **rest} if not rest and type(seat) is int:
            return AllBut(seat)
    raise Unreadable("an event does not say who was told of it")


def read_event(written: PlainEvent, rules: AnyRules | None) -> Event | None:
    """Make the event again; None if neither the table nor these rules know one that looks so."""
    bare = {name: value for name, value in written.items() if name != "to"}
    for kind in (*TABLE_EVENTS, RoundBegan, RoundOver, *(() if rules is None else rules.events)):
        if kind.__name__ == written["is"]:
            event = _build_alike(cast(type[attrs.AttrsInstance], kind), bare)
            if event is not None:
                return event
    return None


def _build_alike(kind: type[attrs.AttrsInstance], bare: PlainEvent) -> Event | None:
    """Make an event that would be written just so: another version's may differ under the same name."""
    try:
        event = build(kind, bare)
        return cast(Event, event) if canonical(plain(event)) == canonical(bare) else None
    except Exception:  # a forged event may hold what no event class has thought of
        return None


# -- the file -------------------------------------------------------------------------


@frozen
class Game:
    """A record file as read: the entries, the events of each, and the lines that the hashes are over."""

    entries: tuple[Entry, ...]
    events: tuple[tuple[PlainEvent, ...], ...] = field(repr=False)
    lines: tuple[bytes, ...] = field(repr=False)

    @property
    def opened(self) -> commands.Open:
        """How the table was set up; raises Unreadable."""
        try:
            return read_open(self.entries[0].command)
        except Unreadable as problem:
            raise Unreadable("the first record opens no table") from problem


def write_line(line: bytes, events: Sequence[Event]) -> bytes:
    """Write one line of a record file from a line of the journal and what came of it."""
    return _write_parts(line, [write_event(event) for event in events])


def _write_parts(line: bytes, events: Sequence[PlainEvent]) -> bytes:
    return canonical({"events": events, "record": line.decode()}) + b"\n"


def without_seal(lines: Sequence[bytes]) -> Sequence[bytes]:
    """Take what a table's password was sealed to out of its records and chain them anew; else change nothing."""
    opened = _sealed_open(lines[0]) if lines else None
    if opened is None:
        return lines
    opened["command"]["house"]["password"] = SEALED
    written = [canonical(opened)]
    for line in lines[1:]:
        previous = sha256(written[-1]).hexdigest()
        written.append(canonical({**json.loads(line), "previous": previous}))
    return written


def _sealed_open(line: bytes) -> Any:
    """Read the first record of a table that has a password; None for any other."""
    try:
        opened = json.loads(line)
        has_seal = opened["command"]["house"]["password"] not in ("", SEALED)
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return opened if has_seal else None


def shareable(data: bytes) -> bytes:
    """Give a record file as others may have it, whenever it was written; raises Unreadable."""
    try:
        first = json.loads(data.partition(b"\n")[0])["record"].encode()
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return data  # whoever reads it is told what is wrong
    if _sealed_open(first) is None:
        return data
    game = read_lines(data)
    parts = zip(without_seal(game.lines), game.events, strict=True)
    return b"".join(_write_parts(line, events) for line, events in parts)


def read_game(data: bytes) -> Game:
    """Read a record file, without any rules; raises Unreadable for one that is not whole."""
    game = read_lines(data)
    read_records(game.lines)
    if game.opened.code != game.entries[0].table:
        raise Unreadable("the first record opens another table")
    return game


def read_lines(data: bytes) -> Game:
    """Read every line by itself, whatever became of the order and the chain; raises Unreadable."""
    *lines, rest = data.split(b"\n")
    if rest:
        raise Unreadable("the last line is cut short" if lines else "this is no record file")
    if not lines:
        raise Unreadable("the file is empty")
    read = [_read_line(number, line) for number, line in enumerate(lines, 1)]
    entries, events, records = zip(*read, strict=True)
    return Game(entries, events, records)


def _read_line(number: int, line: bytes) -> tuple[Entry, tuple[PlainEvent, ...], bytes]:
    try:
        return _read_parts(_read_canonical(line))
    except UnicodeError:
        reason = "it is no text"
    except json.JSONDecodeError:
        reason = "it is no JSON"
    except RecursionError:
        reason = "it is nested too deeply"
    except ValueError as problem:
        reason = str(problem)
    raise Unreadable(f"line {number} cannot be read: {reason}")


def _read_parts(written: Plain) -> tuple[Entry, tuple[PlainEvent, ...], bytes]:
    match written:
        case {"events": list(events), "record": str(text), **rest} if not rest:
            record = text.encode()
            return _read_entry(record), tuple(map(_checked, events)), record
    raise Unreadable("it has not the two parts of a record file")


def _read_entry(record: bytes) -> Entry:
    written = _read_canonical(record)
    try:
        entry = build(Entry, written)
    except Unreadable as problem:
        raise Unreadable("its record has not the parts of one") from problem
    if not (abs(entry.at) <= LAST_SECOND and 0 <= entry.wall <= LAST_SECOND):
        raise Unreadable("its time is none that can be")
    return entry


def _read_canonical(line: bytes) -> Plain:
    """Read JSON that says the same in one way only, so that no two readers see different things."""
    written: Plain = json.loads(line)
    if canonical(written) != line:
        raise Unreadable("it is not written canonically")
    return written


def _checked(written: Plain) -> PlainEvent:
    if not isinstance(written, dict) or not isinstance(written.get("is"), str):
        raise Unreadable("it holds what is no event")
    read_audience(written)
    return written
