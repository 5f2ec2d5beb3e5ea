"""What happens at a table in words: one plain line for each event, of the table's own and of any game.

Everything a player typed (names, words, reasons) comes out without control or direction codes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from typing import cast

from gamecore.codec import Plain, plain
from gamecore.commands import RESTARTED
from gamecore.errors import Refused
from gamecore.events import Event
from gamecore.rules import Outcome
from gamecore.table_events import (
    Abandoned,
    Agreed,
    Dropped,
    GameBegan,
    GameOver,
    Gathered,
    Invited,
    Left,
    Mixed,
    Replaced,
    Returned,
    Sat,
    SeedRevealed,
    Waiting,
)
from protocols.i18n.game_text import GameText, reasons_of
from protocols.i18n.sanitize import clean
from protocols.i18n.translate import ENGLISH, N_, Translator

MOST_SEATS = 100  # more than any game has; a forged file may say any number
_DEEPEST = 5  # true events are flatter than this; a forged one may be nested without end
_LEFT = {
    "left": N_("{name} leaves."),
    "disconnected": N_("{name} has lost the connection and is out."),
    "absent": N_("{name} did not come back in time and is out."),
}
# How games of any kind end; the text of a game has words for its own reasons.
_REASONS = {
    "time": N_("out of time"),
    "disconnected": N_("a lost connection"),
    "absent": N_("absence"),
    "left": N_("the other has left"),
    "points": N_("points"),
}
_ABANDONED = {
    "empty": N_("everybody has left"),
    "expired": N_("nothing happened here for too long"),
    "bug": N_("something went wrong here that was nobody's move"),
    RESTARTED: N_("the house was restarted and not all can come back, so the game is void"),
}


def tell(
    event: Event | Mapping[str, Plain],
    names: Sequence[str],
    text: GameText | None,
    say: Translator = ENGLISH,
) -> str | None:
    """Say in one line what happened; None for what the game's own text leaves unsaid.

    ``names`` are those by seat once the event has happened; ``text`` tells the game's own events.
    Without it, and for an event that is only there as plain data, the bare facts are listed.
    """
    names = [called(names, seat, say) for seat in range(len(names))]
    if isinstance(event, Mapping):
        return _list_facts(event)
    tell_of = _OF_TABLES.get(type(event))
    sentence = None if tell_of is None else tell_of(event, names, say)
    if isinstance(event, GameOver):
        how = _tell_outcome(event.outcome, names, text, say)
        sentence = say("Game {number} is over: {how}.", number=event.number, how=how)
    if sentence is None:
        sentence = _tell_of_rules(event, names, text, say)
    return None if sentence is None else clean(sentence)


def called(names: Sequence[str], seat: int, say: Translator = ENGLISH) -> str:
    """Say what people call whoever sits in a seat."""
    name = _cleaned(names[seat]) if 0 <= seat < len(names) else ""
    return name or say("seat {seat}", seat=seat_number(seat))


def seat_number(seat: int) -> int:
    """Count a seat as people do: the first is 1."""
    return seat + 1


def read_seat(number: str) -> int:
    """Read the number of a seat as people count it, digits alone; raises Refused ``no-such-seat`` for 0."""
    seat = int(number[:4]) - 1
    if seat < 0:
        raise Refused("no-such-seat", seat=seat)
    return seat


_cleaned = lru_cache(maxsize=1024)(clean)  # the same names stand in every line


def renamed(names: Sequence[str], event: Event | Mapping[str, Plain]) -> Sequence[str]:
    """Give the names by seat after an event; who has left is still spoken of."""
    match event:
        case Sat(seat=seat, name=name) | Replaced(seat=seat, name=name) if 0 <= seat < MOST_SEATS:
            longer = [*names, *[""] * (seat + 1 - len(names))]
            return [*longer[:seat], name, *longer[seat + 1 :]]
        case GameBegan(names=seated) | Gathered(names=seated):
            return seated
    return names


# -- the events of every table --------------------------------------------------------


def _tell_of_people(event: Event, names: Sequence[str], say: Translator) -> str | None:
    match event:
        case Sat(seat, name, None):
            return say("{name} takes seat {seat}.", name=name, seat=seat_number(seat))
        case Sat(seat, name, str() as level) if level in name:
            return say("{name}, a bot, takes seat {seat}.", name=name, seat=seat_number(seat))
        case Sat(seat, name, level):
            return say(
                "{name}, a bot ({level}), takes seat {seat}.",
                name=name,
                level=level,
                seat=seat_number(seat),
            )
        case Invited(seat, name):
            return say("{name} is invited to seat {seat}.", name=name, seat=seat_number(seat))
        case Mixed(seat, words):
            name = called(names, seat, say)
            return say('{name} adds "{words}" to the shuffle.', name=name, words=words)
        case Left(_, name, why):
            return say(_LEFT.get(why, N_("{name} leaves ({why}).")), name=name, why=why)
    return None


def _tell_of_absence(event: Event, names: Sequence[str], say: Translator) -> str | None:
    match event:
        case Dropped(seat, grace):
            return say.several(
                "{name} has lost the connection; the seat is held for {n} second.",
                "{name} has lost the connection; the seat is held for {n} seconds.",
                int(grace),
                name=called(names, seat, say),
            )
        case Waiting(seat):
            return say(
                "{name} is still away; the table waits, and the clock of {name} stands.",
                name=called(names, seat, say),
            )
        case Returned(seat):
            return say("{name} is back.", name=called(names, seat, say))
        case Replaced(seat, name, level):
            return say(
                "{name}, a bot ({level}), plays on in seat {seat}.",
                name=name,
                level=level,
                seat=seat_number(seat),
            )
    return None


def _tell_of_game(event: Event, names: Sequence[str], say: Translator) -> str | None:
    match event:
        case GameBegan(number, seated):
            who = _in_order(seated, say)
            return say("Game {number} begins, with {who}.", number=number, who=who)
        case SeedRevealed(number, seed, words):
            return say(
                "The seed of game {number} was {seed}, with {words} added.",
                number=number,
                seed=seed,
                words=", ".join(f'"{each}"' for each in words) or say("no words"),
            )
        case Gathered(number, seated, commitment):
            return say(
                "The same players gather for game {number}, as {who};"
                " the commitment to its seed is {commitment}.",
                number=number,
                who=_in_order(seated, say),
                commitment=commitment,
            )
        case Agreed(seat):
            return say("{name} agrees to another game.", name=called(names, seat, say))
        case Abandoned(why):
            return say("The table is closed: {why}.", why=say(_ABANDONED.get(why, why)))
    return None


_OF_TABLES: Mapping[type, Callable[[Event, Sequence[str], Translator], str | None]] = {
    **dict.fromkeys((Sat, Invited, Mixed, Left), _tell_of_people),
    **dict.fromkeys((Dropped, Waiting, Returned, Replaced), _tell_of_absence),
    **dict.fromkeys((GameBegan, SeedRevealed, Gathered, Agreed, Abandoned), _tell_of_game),
}


def _in_order(names: Sequence[str], say: Translator) -> str:
    who = ((called(names, seat, say), seat_number(seat)) for seat in range(len(names)))
    return ", ".join(say("{name} in seat {seat}", name=name, seat=number) for name, number in who)


def _tell_outcome(
    outcome: Outcome, names: Sequence[str], text: GameText | None, say: Translator
) -> str:
    first = say(" and ").join(called(names, seat, say) for seat in outcome.winners)
    alone = len(outcome.winners) == 1
    won = (
        say("{name} wins", name=first)
        if alone
        else say("{names} share the first place", names=first)
    )
    own = reasons_of(cast(Hashable, text))
    reason = own.get(outcome.reason) or _REASONS.get(outcome.reason, outcome.reason)
    parts = [f"{won} ({say(reason)})" if reason else won]
    if outcome.scores is not None:
        scores = enumerate(outcome.scores)
        told = ", ".join(f"{called(names, seat, say)} {n}" for seat, n in scores)
        parts.append(say("scores: {scores}", scores=told))
    elif len(outcome.places) > 2:
        places = sorted((place, seat) for seat, place in enumerate(outcome.places))
        told = ", ".join(f"{n} {called(names, seat, say)}" for n, seat in places)
        parts.append(say("places: {places}", places=told))
    return "; ".join(parts)


# -- the events of a game -------------------------------------------------------------


def _tell_of_rules(
    event: Event, names: Sequence[str], text: GameText | None, say: Translator
) -> str | None:
    if text is not None:
        try:
            return text.describe(event, names, say)
        except Exception:  # a text for true games need not know what to say of a forged one
            pass
    facts = plain(event)
    return _list_facts(facts if isinstance(facts, dict) else {})


def _list_facts(written: Mapping[str, Plain]) -> str:
    """Name an event and list all its fields."""
    facts = _facts(written, 0)
    name = written.get("is", "Event")
    return clean(f"{name}: {facts}" if facts else f"{name}")


def _facts(written: Mapping[str, Plain], depth: int) -> str:
    fields = ((name, value) for name, value in written.items() if name not in ("is", "to"))
    return ", ".join(f"{name} {_shown(value, depth)}" for name, value in fields)


def _shown(value: Plain, depth: int) -> str:
    if isinstance(value, dict | list) and depth == _DEEPEST:
        return "..."
    if isinstance(value, dict):
        return f"({_facts(value, depth + 1)})"
    if isinstance(value, list):
        return f"[{', '.join(_shown(each, depth + 1) for each in value)}]"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
