"""Commands and events as canonical JSON and back, chained by their hashes.

A record is one line of canonical JSON (see ``fairness``), an object with these keys:

* ``table``: the code of the table; ``sequence``: 0 for its Open, then counting
* ``at``: table time in seconds; ``wall``: seconds since 1970 UTC, for people only
* ``command``: ``{"is": "Play", "seat": 0, "move": {"is": "Take", "stones": 3, "reset": false}}``
* ``previous``: the SHA-256, in hex, of the line before it; 64 zeros before the first

An attrs object is written as an object of all its fields and ``is``, the name of its class.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from hashlib import sha256
from types import NoneType, UnionType
from typing import Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import attrs
from attrs import field, frozen

from gamecore.commands import Command, Open, Play, Sit
from gamecore.fairness import canonical
from gamecore.rules import AnyRules, Move

A = TypeVar("A", bound=attrs.AttrsInstance)
Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]

FIRST = "0" * 64
# What canonical() would write, at a third of the price: a code and a hash need no escaping.
_LINE = b'{"at":%s,"command":%s,"previous":"%s","sequence":%d,"table":"%s","wall":%s}'
_SIMPLE = frozenset({NoneType, bool, int, float, str})
_FIELD_NAMES: dict[type, tuple[str, ...] | None] = {}
_COMMANDS = {each.__name__: each for each in get_args(Command) if each is not Open}


class Unreadable(ValueError):
    """A record that is damaged, or written by other rules than those at hand."""


@frozen
class Record:
    """One command in the journal: where it belongs, the line itself, and the hash of that line."""

    table: str
    sequence: int
    at: float
    line: bytes = field(repr=False)  # it may hold a seed or a token's hash
    hash: str
    wall: float = 0.0


# -- values ---------------------------------------------------------------------------


def _field_names(kind: type) -> tuple[str, ...] | None:
    """Name the fields of an attrs class; None for any other."""
    if kind not in _FIELD_NAMES:
        fields = attrs.fields(kind) if attrs.has(kind) else None
        _FIELD_NAMES[kind] = None if fields is None else tuple(each.name for each in fields)
    return _FIELD_NAMES[kind]


def plain(value: object) -> Plain:
    """Write a value of attrs classes, sequences, mappings and simple values as plain data."""
    kind = type(value)
    if kind in _SIMPLE:
        return cast(Plain, value)
    names = _field_names(kind)
    if names is not None:
        written: dict[str, Plain] = {"is": kind.__name__}
        for name in names:
            written[name] = plain(getattr(value, name))
        return written
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    raise TypeError(f"{kind.__name__} has no place in a record")


def build(kind: type[A], written: Plain) -> A:
    """Make an object of an attrs class from plain data; raises Unreadable."""
    if not isinstance(written, dict) or written.get("is", kind.__name__) != kind.__name__:
        raise Unreadable(f"no {kind.__name__}")
    readers = _readers(kind)
    try:
        values = {name: readers[name](each) for name, each in written.items() if name != "is"}
        return kind(**values)
    except (KeyError, TypeError, ValueError) as problem:
        raise Unreadable(f"no {kind.__name__}: {problem}") from problem


_Reader = Callable[[Plain], object]


@cache
def _readers(kind: type[attrs.AttrsInstance]) -> Mapping[str, _Reader]:
    hints = get_type_hints(kind)
    return {name: _reader(hints[name]) for name in _field_names(kind) or ()}


def _reader(hint: object) -> _Reader:
    """Make the function that reads values of one annotated type, and of no other."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _reader_of_any(inner)
    if origin is tuple and inner[-1:] == (...,):
        return lambda written: tuple(map(_reader(inner[0]), _listed(written)))
    if origin is tuple:
        readers = [_reader(each) for each in inner]
        return lambda written: tuple(
            read(each) for read, each in zip(readers, _listed(written), strict=True)
        )
    if isinstance(hint, type) and attrs.has(hint):
        return lambda written: build(hint, written)
    if origin is Literal:
        return lambda written: _checked(written, written in inner)
    if origin is list:
        return _listed
    if origin in (dict, Mapping):
        return lambda written: _checked(written, isinstance(written, dict))
    if hint in _SIMPLE:
        kinds = _kinds(hint)
        return lambda written: _checked(written, type(written) in kinds)
    return lambda written: written


def _kinds(hint: object) -> Sequence[object]:
    """Name the simple types that serve for one: a whole number will do for a float."""
    return (float, int) if hint is float else (hint,)


def _checked(written: Plain, fits: bool) -> Plain:
    if not fits:
        raise Unreadable(f"no place for {type(written).__name__}")
    return written


def _reader_of_any(hints: Sequence[object]) -> _Reader:
    """Read one of several types: those of attrs classes are told apart by their names."""
    classes = {each.__name__: each for each in hints if isinstance(each, type) and attrs.has(each)}
    simple = {kind for each in hints if each in _SIMPLE for kind in _kinds(each)}
    others = [_reader(each) for each in hints if get_origin(each) is not None]

    def read(written: Plain) -> object:
        if isinstance(written, dict) and written.get("is") in classes:
            return build(classes[str(written["is"])], written)
        if type(written) in simple:
            return written
        for read_other in others:
            with suppress(Unreadable):
                return read_other(written)
        return _checked(written, fits=False)

    return read


def _listed(written: Plain) -> list[Plain]:
    if not isinstance(written, list):
        raise Unreadable("no list")
    return written


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
