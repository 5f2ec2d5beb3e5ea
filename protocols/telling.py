"""What happens at a table in words: one plain line for each event, of the table's own and of any game.

Everything a player typed (names, words, reasons) comes out without control or direction codes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import entry_points

from gamecore.events import Event
from gamecore.record import Plain, plain
from gamecore.rules import Outcome
from gamecore.table_events import (
    Abandoned,
    Dropped,
    GameBegan,
    GameOver,
    Gathered,
    Left,
    Mixed,
    Replaced,
    Returned,
    Sat,
    SeedRevealed,
    Waiting,
)
from protocols.text import clean

Describe = Callable[[Event, Sequence[str]], str | None]

MOST_SEATS = 100  # more than any game has; a forged file may say any number
_DEEPEST = 5  # true events are flatter than this; a forged one may be nested without end
_LEFT = {
    "left": "{} leaves.",
    "disconnected": "{} has lost the connection and is out.",
    "absent": "{} did not come back in time and is out.",
}
_ABANDONED = {
    "empty": "everybody has left",
    "expired": "nothing happened here for too long",
    "bug": "something went wrong here that was nobody's move",
}


def find_text(kind: str) -> Describe | None:
    """Load what tells the events of one game, as named in the entry point group ``parlour.texts``."""
    points = entry_points(group="parlour.texts", name=kind)
    describe: Describe | None = next((point.load() for point in points), None)
    return describe


def tell(
    event: Event | Mapping[str, Plain], names: Sequence[str], describe: Describe | None
) -> str | None:
    """Say in one line what happened; None for what the game's own text leaves unsaid.

    ``names`` are those by seat once the event has happened; ``describe`` tells the game's own events.
    Without it, and for an event that is only there as plain data, the bare facts are listed.
    """
    names = [called(names, seat) for seat in range(len(names))]
    if isinstance(event, Mapping):
        return _list_facts(event)
    sentence = _tell_of_people(event, names) or _tell_of_game(event, names)
    if sentence is None:
        sentence = _tell_of_rules(event, names, describe)
    return None if sentence is None else clean(sentence)


def called(names: Sequence[str], seat: int) -> str:
    """Say what people call whoever sits in a seat."""
    name = clean(names[seat]) if 0 <= seat < len(names) else ""
    return name or f"seat {seat}"


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


def _tell_of_people(event: Event, names: Sequence[str]) -> str | None:
    match event:
        case Sat(seat, name, None):
            return f"{name} takes seat {seat}."
        case Sat(seat, name, level):
            return f"{name}, a bot ({level}), takes seat {seat}."
        case Mixed(seat, words):
            return f'{called(names, seat)} adds "{words}" to the shuffle.'
        case Left(_, name, why):
            return _LEFT.get(why, "{} leaves ({}).").format(name, why)
        case Dropped(seat, grace):
            held = f"the seat is held for {_count(grace, 'second')}"
            return f"{called(names, seat)} has lost the connection; {held}."
        case Waiting(seat):
            name = called(names, seat)
            return f"{name} is still away; the table waits, and the clock of {name} stands."
        case Returned(seat):
            return f"{called(names, seat)} is back."
        case Replaced(seat, name, level):
            return f"{name}, a bot ({level}), plays on in seat {seat}."
    return None


def _tell_of_game(event: Event, names: Sequence[str]) -> str | None:
    match event:
        case GameBegan(number, seated):
            return f"Game {number} begins, with {_in_order(seated)}."
        case GameOver(number, outcome):
            return f"Game {number} is over: {_tell_outcome(outcome, names)}."
        case SeedRevealed(number, seed, words):
            mixed = ", ".join(f'"{each}"' for each in words)
            return f"The seed of game {number} was {seed}, with {mixed or 'no words'} added."
        case Gathered(number, seated, commitment):
            return (
                f"The same players gather for game {number}, as {_in_order(seated)};"
                f" the commitment to its seed is {commitment}."
            )
        case Abandoned(why):
            return f"The table is closed: {_ABANDONED.get(why, why)}."
    return None


def _in_order(names: Sequence[str]) -> str:
    return ", ".join(f"{called(names, seat)} in seat {seat}" for seat in range(len(names)))


def _tell_outcome(outcome: Outcome, names: Sequence[str]) -> str:
    first = " and ".join(called(names, seat) for seat in outcome.winners)
    won = f"{first} {'wins' if len(outcome.winners) == 1 else 'share the first place'}"
    parts = [f"{won} ({outcome.reason})" if outcome.reason else won]
    if outcome.scores is not None:
        scores = enumerate(outcome.scores)
        parts.append("scores: " + ", ".join(f"{called(names, seat)} {n}" for seat, n in scores))
    elif len(outcome.places) > 2:
        places = sorted((place, seat) for seat, place in enumerate(outcome.places))
        parts.append("places: " + ", ".join(f"{n} {called(names, seat)}" for n, seat in places))
    return "; ".join(parts)


# -- the events of a game -------------------------------------------------------------


def _tell_of_rules(event: Event, names: Sequence[str], describe: Describe | None) -> str | None:
    if describe is not None:
        try:
            return describe(event, names)
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


def _count(number: float, word: str) -> str:
    return f"{number:g} {word}" if number == 1 else f"{number:g} {word}s"
