"""A record file checked: what holds, what fails, and what only somebody else's word can tell.

A file can be made anew as a whole by whoever likes: with another seed, other moves, other names, its chain and its
events made to fit.  So two things are not checked by the file itself: that the seed is the one that was promised
before play, and that the last hash is the one that others hold.  Who was told of either gives it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from hashlib import sha256

from attrs import define, field, frozen

from gamecore.codec import Plain
from gamecore.fairness import canonical, commitment, keeps_promise
from gamecore.record import FIRST, Entry, Unreadable
from gamecore.record_file import Game, PlainEvent, read_lines, write_event
from gamecore.replay import RulesGone, play
from gamecore.rules import Registry

__all__ = ["Finding", "verify"]


@frozen
class Finding:
    """One thing that was checked, and what was found; ``holds`` is None for what could not be checked."""

    check: str
    holds: bool | None
    says: str


def verify(
    data: bytes, registry: Registry, promises: Collection[str] = (), last: str | None = None
) -> list[Finding]:
    """Check all that can be checked in a record file; raises Unreadable if a line cannot even be read.

    ``promises`` are commitments to seeds that somebody was told before play, ``last`` is the hash that somebody
    else's file ends with, all in hex.
    """
    game = read_lines(data)
    playings = _playings(game)
    code = game.entries[0].table
    kept = {each: commitment(code, each.number, str(each.seed)) for each in playings}
    return [
        _check_chain(game),
        _check_last(game, last),
        _check_sequence(game),
        _check_time(game),
        *(_check_seed(code, each, kept[each] in promises) for each in playings),
        *(_check_promise(each) for each in promises if each not in kept.values()),
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


def _check_last(game: Game, last: str | None) -> Finding:
    hashes = [sha256(line).hexdigest() for line in game.lines]
    if last is None:
        return Finding(
            "last", None, f"compare the hash of the last record with others: {hashes[-1]}"
        )
    if last not in hashes:
        return Finding("last", False, "no record has the hash that was told: it is another game")
    if last != hashes[-1]:
        same, all_of_them = hashes.index(last) + 1, len(hashes)
        says = f"the first {same} of {all_of_them} records end with that hash; the others are beyond it"
        return Finding("last", None, says)
    return Finding("last", True, "the last record has the hash that was told")


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


@define(eq=False)
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


def _check_seed(code: str, playing: _Playing, promised: bool) -> Finding:
    def found(holds: bool | None, says: str) -> Finding:
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
    if promised:
        return found(True, f"the seed told is the one that was promised by {promise}")
    return found(None, f"compare with what was promised before it was played: {promise}")


def _check_promise(promise: str) -> Finding:
    return Finding("promise", False, f"the seed of no game here was promised by {promise}")


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
        steps = zip(play(game.entries, registry), game.events, strict=True)
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
    if canonical(given) == canonical(stored):
        return None
    for number, (one, other) in enumerate(zip(given, stored, strict=False), 1):
        if canonical(one) != canonical(other):
            return f"event {number} is not what the rules give"
    return f"the rules give {len(given)} events, the file has {len(stored)}"


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
