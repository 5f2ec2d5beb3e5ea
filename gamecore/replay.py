"""A finished game played again: its record file made from the journal, and everything in it checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

from attrs import define, field, frozen

from gamecore import commands
from gamecore.errors import Refused
from gamecore.events import Event
from gamecore.fairness import canonical, commitment, keeps_promise
from gamecore.hall import Hall
from gamecore.record import FIRST, Entry, Plain, Unreadable, read_command, read_open, read_records
from gamecore.record_file import Game, PlainEvent, read_game, read_lines, write_event, write_line
from gamecore.rules import Registry
from gamecore.table import Table

__all__ = [
    "Finding",
    "Game",
    "RulesGone",
    "Step",
    "Unreadable",
    "play_back",
    "read_game",
    "verify",
    "write_game",
]


class RulesGone(Unreadable):
    """The record was made by rules in a version that is not installed here."""


# -- playing again --------------------------------------------------------------------


@frozen
class Step:
    """One record played again: the command, what it made happen, and the table as it then stands."""

    entry: Entry
    command: commands.Command
    events: Sequence[Event]
    table: Table


def play_back(lines: Iterable[bytes], registry: Registry) -> Iterator[Step]:
    """Play the records of one table again; raises Unreadable, and RulesGone where only those are missing."""
    return _play(read_records(lines), registry)


def _play(entries: Sequence[Entry], registry: Registry) -> Iterator[Step]:
    if not entries:
        raise Unreadable("there is no record")
    opened = read_open(entries[0].command)
    table = _open(opened, registry)
    yield Step(entries[0], opened, (), table)
    for number, entry in enumerate(entries[1:], 1):
        yield _apply(table, entry, number)


def _open(opened: commands.Open, registry: Registry) -> Table:
    try:
        return Hall(registry).open(opened)
    except KeyError:
        versions = f"rules {opened.rules}, table {opened.table}, deal {opened.deal}"
        raise RulesGone(f"{opened.kind} ({versions}) is not installed here") from None
    except Exception as problem:  # a forged Open may hold what no options class has thought of
        raise Unreadable(f"record 0 opens no table: {_named(problem)}") from problem


def _apply(table: Table, entry: Entry, number: int) -> Step:
    try:
        command = read_command(entry.command, table.rules)
        return Step(entry, command, table.apply(command, entry.at), table)
    except Unreadable as problem:
        raise Unreadable(f"record {number}: {problem}") from problem
    except Refused as refusal:  # what was accepted once must be accepted again
        raise Unreadable(f"record {number} is refused by the rules: {refusal}") from refusal
    except Exception as problem:  # a forged record may lead the rules to where no game gets
        raise Unreadable(f"record {number} breaks the rules: {_named(problem)}") from problem


def _named(problem: Exception) -> str:
    return str(problem) if isinstance(problem, Refused) else type(problem).__name__


def write_game(lines: Sequence[bytes], registry: Registry) -> bytes:
    """Write the record file of a table from its lines in the journal; raises Unreadable."""
    steps = play_back(lines, registry)
    return b"".join(write_line(line, step.events) for line, step in zip(lines, steps, strict=True))


# -- checking -------------------------------------------------------------------------


@frozen
class Finding:
    """One thing that was checked, and what was found; ``holds`` is None for what could not be checked."""

    check: str
    holds: bool | None
    says: str


def verify(data: bytes, registry: Registry) -> list[Finding]:
    """Check all that can be checked in a record file; raises Unreadable if a line cannot even be read."""
    game = read_lines(data)
    playings = _playings(game)
    return [
        _check_chain(game),
        _check_sequence(game),
        _check_time(game),
        *(_check_seed(game.entries[0].table, playing) for playing in playings),
        *(_check_words(playing) for playing in playings),
        _check_events(game, registry),
        _check_end(playings),
    ]


def _check_chain(game: Game) -> Finding:
    previous = FIRST
    for number, (entry, line) in enumerate(zip(game.entries, game.lines, strict=True)):
        if entry.previous != previous:
            return Finding(
                "chain", False, f"record {number} does not hold the hash of the one before"
            )
        previous = sha256(line).hexdigest()
    whole = f"each of {len(game.lines)} records holds the hash of the one before; the last is {previous}"
    return Finding("chain", True, whole)


def _check_sequence(game: Game) -> Finding:
    code = game.entries[0].table
    for number, entry in enumerate(game.entries):
        if entry.sequence != number:
            wrong = f"the record in place {number} bears the number {entry.sequence}"
            return Finding("sequence", False, wrong)
        if entry.table != code:
            return Finding("sequence", False, f"record {number} is one of another table")
        if _is(entry, "Open") != (number == 0):
            wrong = f"record {number} opens {'a table' if number else 'none'}"
            return Finding("sequence", False, wrong)
    try:
        same = game.opened.code == code
    except Unreadable as problem:
        return Finding("sequence", False, str(problem))
    if not same:
        return Finding("sequence", False, "record 0 opens another table")
    return Finding(
        "sequence", True, f"all records of table {code} are there, in order, from its Open"
    )


def _check_time(game: Game) -> Finding:
    now = 0.0
    for number, entry in enumerate(game.entries):
        if entry.at < now:
            return Finding("time", False, f"table time runs backwards at record {number}")
        now = entry.at
    return Finding("time", True, f"table time never runs backwards, from 0 to {now:.1f} seconds")


@define
class _Playing:
    """One game of the table as the file tells it: what was promised before, and what was told after."""

    number: int
    seed: Plain
    promises: list[Plain] = field(factory=list)
    words: list[Plain] = field(factory=list)
    told: list[PlainEvent] = field(factory=list)
    ended: bool = False


def _playings(game: Game) -> list[_Playing]:
    """Sort what the file says of seeds, words and ends by the game it belongs to."""
    playings: list[_Playing] = []
    for entry, events in zip(game.entries, game.events, strict=True):
        if _is(entry, "Open") or _is(entry, "Rematch"):
            playings.append(_Playing(len(playings) + 1, _part(entry, "seed")))
        elif not playings:
            continue
        elif _is(entry, "Mix"):
            playings[-1].words.append(_part(entry, "words"))
        for event in events:
            _note(playings[-1], event)
    return playings


def _note(playing: _Playing, event: PlainEvent) -> None:
    match event["is"]:
        case "Gathered":
            playing.promises.append(event.get("commitment"))
        case "SeedRevealed":
            playing.told.append(event)
        case "GameOver" | "Abandoned":
            playing.ended = True


def _check_seed(code: str, playing: _Playing) -> Finding:
    def found(holds: bool, says: str) -> Finding:
        return Finding("seed", holds, f"game {playing.number}: {says}")

    if len(playing.told) != 1:
        return found(False, f"its seed is told {len(playing.told)} times, not once")
    seed, told = playing.seed, playing.told[0]
    if told.get("number") != playing.number:
        return found(False, f"the seed told is that of game {told.get('number')}")
    if not isinstance(seed, str) or told.get("seed") != seed:
        return found(False, "the seed told is not the one in its record")
    promise = commitment(code, playing.number, seed)
    if not all(_kept(each, code, playing.number, seed) for each in playing.promises):
        return found(False, "the seed told is not the one that was committed to")
    return found(True, f"the seed told is the one that was committed to by {promise}")


def _kept(promise: Plain, code: str, number: int, seed: str) -> bool:
    return isinstance(promise, str) and keeps_promise(promise, code, number, seed)


def _check_words(playing: _Playing) -> Finding:
    def found(holds: bool, says: str) -> Finding:
        return Finding("words", holds, f"game {playing.number}: {says}")

    count = len(playing.words)
    if not playing.told:
        return found(False, "its words are not told")
    if any(each.get("words") != playing.words for each in playing.told):
        return found(False, "the words told are not those that its players added")
    return found(True, f"the words told are those that its players added ({count or 'none'})")


def _check_events(game: Game, registry: Registry) -> Finding:
    try:
        steps = zip(_play(game.entries, registry), game.events, strict=True)
        for number, (step, stored) in enumerate(steps):
            wrong = _difference(list(map(write_event, step.events)), stored)
            if wrong is not None:
                return Finding("events", False, f"record {number}: {wrong}")
    except RulesGone as problem:
        cannot = f"{problem}: the events cannot be replayed, and are only what the file says"
        return Finding("events", None, cannot)
    except Unreadable as problem:
        return Finding("events", False, f"the record cannot be played again: {problem}")
    count = sum(map(len, game.events))
    return Finding(
        "events", True, f"played again by the rules, the record gives the same {count} events"
    )


def _difference(given: Sequence[PlainEvent], stored: Sequence[PlainEvent]) -> str | None:
    for number, (one, other) in enumerate(zip(given, stored, strict=False), 1):
        if canonical(one) != canonical(other):
            return f"event {number} is not what the rules give"
    if len(given) != len(stored):
        return f"the rules give {len(given)} events, the file has {len(stored)}"
    return None


def _check_end(playings: Sequence[_Playing]) -> Finding:
    for playing in playings:
        if not playing.ended:
            return Finding("end", False, f"game {playing.number} has no end in this file")
    if not playings:
        return Finding("end", False, "there is no game in this file")
    count = len(playings)
    return Finding(
        "end", True, "the game has ended" if count == 1 else f"all {count} games have ended"
    )


def _is(entry: Entry, name: str) -> bool:
    return isinstance(entry.command, dict) and entry.command.get("is") == name


def _part(entry: Entry, name: str) -> Plain:
    return entry.command.get(name) if isinstance(entry.command, dict) else None
