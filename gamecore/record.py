"""Commands and events as canonical JSON and back, chained by their hashes.

A record is one line of canonical JSON (see ``fairness``), an object with these keys:

* ``table``: the code of the table; ``sequence``: 0 for its Open, then counting
* ``at``: table time in seconds; ``wall``: seconds since 1970 UTC, for people only
* ``command``: ``{"is": "Play", "seat": 0, "move": {"is": "Take", "stones": 3, "reset": false}}``
* ``previous``: the SHA-256, in hex, of the line before it; 64 zeros before the first

Attrs objects are written as ``codec`` does.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import sha256
from typing import TypeVar, cast, get_args

import attrs
from attrs import field, frozen

from gamecore.codec import CODEC, Misfit, Plain, plain
from gamecore.commands import Command, Open, Play, Sit
from gamecore.contest.result import GameResult
from gamecore.fairness import canonical
from gamecore.rules import AnyRules, Move

A = TypeVar("A", bound=attrs.AttrsInstance)

FIRST = "0" * 64
# What canonical() would write, at a third of the price: a code and a hash need no escaping.
_LINE = b'{"at":%s,"command":%s,"previous":"%s","sequence":%d,"table":"%s","wall":%s}'
_COMMANDS = {each.__name__: each for each in get_args(Command) if each is not Open}


class Unreadable(ValueError):
    """A record that is damaged, or written by other rules than those at hand."""


@frozen
class Record:
    """One command in the journal: where it belongs, the line itself, and the hash of that line.

    ``result`` is that of the game that the command has ended, if it has, and is kept with it. ``asked`` names the
    command where another daemon of the house has asked for it.
    """

    table: str
    sequence: int
    at: float
    line: bytes = field(repr=False)  # it may hold a seed or a token's hash
    hash: str
    wall: float = 0.0
    result: GameResult | None = None
    asked: str = ""


def build(kind: type[A], written: Plain) -> A:
    """Make an object of an attrs class from plain data; raises Unreadable, or Refused as the class refuses it."""
    try:
        return CODEC.read(kind, written)
    except Misfit as problem:
        raise Unreadable(f"no {kind.__name__}: {problem}") from problem


# -- commands -------------------------------------------------------------------------


def read_command(written: Plain, rules: AnyRules) -> Command:
    """Make a command from plain data, its move and what it brings by the rules of its table; raises Unreadable."""
    name = written.get("is") if isinstance(written, dict) else None
    if not isinstance(written, dict) or not isinstance(name, str) or name not in _COMMANDS:
        raise Unreadable(f"no command: {name}")
    if name in ("Play", "Organize"):
        move = _read_move(written.get("move"), rules)
        command = build(_COMMANDS[name], {**written, "move": None})
        return cast(Command, attrs.evolve(command, move=move))
    if name == "Sit" and rules.brings is not None:
        brought = build(rules.brings, written.get("brought"))
        return attrs.evolve(build(Sit, {**written, "brought": None}), brought=brought)
    return cast(Command, build(_COMMANDS[name], written))


def _read_move(written: Plain | None, rules: AnyRules) -> Move:
    name = written.get("is") if isinstance(written, dict) else None
    for kind in rules.moves:
        if kind.__name__ == name:
            return cast(Move, build(cast(type[attrs.AttrsInstance], kind), written))
    raise Unreadable(f"no move of {rules.kind}: {name}")


def read_open(written: Plain) -> Open:
    """Make the command that every table's record begins with; raises Unreadable."""
    return build(Open, written)


# -- the chain ------------------------------------------------------------------------


def write_record(
    table: str, sequence: int, at: float, wall: float, command: Command, previous: str
) -> Record:
    """Write the next record of a table, chained to the hash of the one before it."""
    line = _LINE % (
        repr(at).encode(),
        write_command(command),
        previous.encode(),
        sequence,
        table.encode(),
        repr(wall).encode(),
    )
    return Record(table, sequence, at, line, sha256(line).hexdigest(), wall)


def write_command(command: Command) -> bytes:
    """Write a command as it stands in a record."""
    return _written_play(command) if type(command) is Play else canonical(plain(command))


def _written_play(play: Play) -> bytes:
    """Write what canonical() would write of the command that there is most of."""
    return b'{"is":"Play","move":%s,"seat":%d}' % (_written_move(play.move), play.seat)


@lru_cache(maxsize=4096)
def _written_move(move: Move) -> bytes:
    return canonical(plain(move))


@frozen
class Entry:
    """One record as read: its place, its times and its command, still plain."""

    table: str
    sequence: int
    at: float
    wall: float
    command: Plain = field(repr=False)
    previous: str


def read_records(lines: Iterable[bytes]) -> list[Entry]:
    """Read the records of one table and check that nothing is missing, moved or changed; raises Unreadable."""
    return list(iterate_records(lines))


def iterate_records(lines: Iterable[bytes]) -> Iterator[Entry]:
    """Read the records of one table, each when it is asked for; raises Unreadable as ``read_records`` does."""
    previous = FIRST
    for number, line in enumerate(lines):
        try:
            entry = build(Entry, json.loads(line))
        except (ValueError, RecursionError) as problem:
            raise Unreadable(f"record {number} cannot be read: {problem}") from problem
        if entry.sequence != number or entry.previous != previous:
            raise Unreadable(f"the chain is broken at record {number}")
        previous = sha256(line).hexdigest()
        yield entry
