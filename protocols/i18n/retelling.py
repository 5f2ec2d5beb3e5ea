"""A game that is over, told again from its record file: to everybody, to one seat, or all that anybody was told."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Literal

from attrs import frozen

from gamecore.commands import Open
from gamecore.events import AllBut, Audience, Only
from gamecore.fairness import commitment
from gamecore.record import Entry
from gamecore.record_file import Game, PlainEvent, read_audience, read_event
from gamecore.rules import AnyRules
from protocols.i18n.describe import called, renamed, tell
from protocols.i18n.game_text import TIE, GameText
from protocols.i18n.sanitize import clean
from protocols.i18n.translate import ENGLISH, N_, Translator

ALL: Literal["all"] = "all"
Listener = int | Literal["all"] | None
"""Who listens: a seat, None for one who looks on, or ALL for what every seat was told."""

Line = tuple[float, str]  # table time, and what happened then


def introduce(
    first: Entry, opened: Open, rules: AnyRules | None, say: Translator = ENGLISH
) -> Iterator[str]:
    """Say what is played, and by which settings."""
    name, title = clean(opened.name), clean(opened.kind) if rules is None else rules.title
    sentence = N_("Table {code}: {title}, opened {date} UTC.")
    if name:
        sentence = N_('Table {code}, "{name}": {title}, opened {date} UTC.')
    date = time.strftime("%Y-%m-%d %H:%M", time.gmtime(first.wall))
    yield say(sentence, code=clean(opened.code), name=name, title=title, date=date)
    settings = ", ".join(
        f"{clean(each)} {clean(shown(opened.options[each]))}" for each in opened.options
    )
    if settings:
        yield say("Settings: {settings}.", settings=settings)
    promise = commitment(opened.code, 1, opened.seed)
    yield say("The commitment to the seed of game 1 is {commitment}.", commitment=promise)
    if rules is None:
        sentence = N_(
            "Its rules ({title} {version}) are not installed here, so these are the bare facts."
        )
        yield say(sentence, title=title, version=opened.rules)


def shown(value: object) -> str:
    """Write the value of a setting as it is typed."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value) if value != "" else '""'


@frozen
class Moment:
    """What one record told a listener: the number of the record, from 0, the table time, and the lines."""

    entry: int
    at: float
    lines: Sequence[str]


def told(
    game: Game,
    rules: AnyRules | None,
    text: GameText | None,
    listener: Listener,
    say: Translator = ENGLISH,
    number: int | None = None,
) -> Iterator[Line]:
    """Tell in words all that a listener was told, or of the game of that ``number`` alone."""
    for moment in moments(game, rules, text, listener, say, number):
        for line in moment.lines:
            yield moment.at, line


def moments(
    game: Game,
    rules: AnyRules | None,
    text: GameText | None,
    listener: Listener,
    say: Translator = ENGLISH,
    number: int | None = None,
) -> Iterator[Moment]:
    """Tell the same record by record; those that told nothing are left out."""
    names: Sequence[str] = ()
    playing = 0
    for count, (entry, events) in enumerate(zip(game.entries, game.events, strict=True)):
        playing += opens_game(entry)
        secrets = _told_alone(events)
        lines = []
        for written in events:
            event = read_event(written, rules) or written
            names = renamed(names, event)
            audience = read_audience(written)
            if number in (None, playing) and _reaches(audience, listener, secrets):
                line = tell(event, names, text, say)
                if line is not None:
                    lines.append(_to_whom(audience, line, names, listener, say))
        if lines:
            yield Moment(count, entry.at, lines)


def opens_game(entry: Entry) -> bool:
    """Say whether people gather for another game from a record on."""
    return isinstance(entry.command, dict) and entry.command.get("is") in ("Open", "Rematch")


def _told_alone(events: Sequence[PlainEvent]) -> frozenset[int]:
    """Name the seats that one command told something that the others were not."""
    audiences = map(read_audience, events)
    return frozenset(each.seat for each in audiences if isinstance(each, Only))


def _reaches(audience: Audience, listener: Listener, secrets: frozenset[int]) -> bool:
    if listener != ALL:
        return audience.reaches(listener)
    # What a seat was told alone tells more than what all others were told of it.
    return not (isinstance(audience, AllBut) and audience.seat in secrets)


def _to_whom(
    audience: Audience, line: str, names: Sequence[str], listener: Listener, say: Translator
) -> str:
    if listener != ALL or not isinstance(audience, Only):
        return line
    return say("{name} is told: {line}", name=called(names, audience.seat, say), line=line)


def count_seats(game: Game) -> int:
    """Say how many seats somebody ever sat in."""
    names: Sequence[str] = ()
    most = 0
    for events in game.events:
        for written in events:
            names = renamed(names, read_event(written, None) or written)
            most = max(most, len(names))
    return most


def timed(line: Line) -> str:
    """Write a line behind its table time: minutes and seconds, or hours, minutes and seconds."""
    minutes, seconds = divmod(int(line[0]), 60)
    hours, minutes = divmod(minutes, 60)
    at = f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
    return f"{at:>8}{TIE} {line[1]}"
