"""What a program may ask for, and how a line becomes such a request.

A line is one JSON object with ``do``, the name of a request, ``id``, any JSON value that is no list and no object,
and the fields of the request, which are those of its class here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from math import isfinite
from typing import NoReturn

import attrs
from attrs import field, frozen

from gamecore.errors import Malformed
from gamecore.rules import AnyRules, Move
from gamecore.settings import Value
from protocols.host.ladder import ALL, USUAL_ROWS
from protocols.i18n.sanitize import clean
from protocols.net.codec import read, read_move

Id = None | bool | int | float | str
Written = Mapping[str, object]

MOST_BRACKETS = 200  # how deep JSON may go is for each Python to say, so we say it first
LARGEST = 2**53  # what every program can hold, whatever its numbers are
_NO_ID = "an id is wanted: text, a number, true, false or null"


class Unfit(Malformed):
    """A line that is no request; ``key`` is stable, ``id`` is what its reply is marked with."""

    def __init__(self, key: str, says: str, id: Id = None) -> None:
        super().__init__(says)
        self.key = key
        self.id = id


# -- the requests ---------------------------------------------------------------------


@frozen
class Hello:
    """Say who one is, if one likes, and hear what there is here."""

    name: str | None = None


@frozen
class Name:
    """Take a name."""

    name: str


@frozen
class Games:
    """List the games, with the options and the bots of each."""


@frozen
class Schema:
    """Get the JSON Schema of all that is said of one game."""

    game: str


@frozen
class Tables:
    """List the public tables where a seat can be taken, of one game or of all."""

    game: str | None = None


@frozen
class Who:
    """List the people in the hall."""


@frozen
class Open:
    """Open a table; ``house`` are the options that every table has, ``password`` a word in clear among them."""

    game: str
    name: str = ""
    options: Mapping[str, Value] = field(factory=dict)
    house: Mapping[str, Value] = field(factory=dict)


@frozen
class Join:
    """Sit down at a table, or at the one opened or watched last; in the first free seat if none is named."""

    table: str | None = None
    seat: int | None = None
    password: str = ""
    brings: object = None


@frozen
class Watch:
    """Look on at a table, or at the one opened last."""

    table: str | None = None
    password: str = ""


@frozen
class Start:
    """Begin the game."""


@frozen
class Play:
    """Make a move; ``n`` says how many the seat has made in this game before, so that none is played twice.

    ``move`` is plain data, or a KnownMove.
    """

    move: object
    n: int | None = None


@frozen
class Look:
    """See the table once more."""


@frozen
class Hint:
    """Ask what one might play, as a bot that thinks ahead finds it."""


@frozen
class Leave:
    """Leave the table for good."""


@frozen
class Bot:
    """Let a bot take a free seat."""

    level: str = "random"


@frozen
class Replace:
    """Let a bot play on for somebody who is away."""

    seat: int
    level: str = "random"


@frozen
class Rematch:
    """Gather for another game."""


@frozen
class Mix:
    """Add words of one's own to the shuffle."""

    words: str


@frozen
class Abandon:
    """Give up a table where no other person sits."""


@frozen
class Return:
    """Come back with a token; ``last`` is the number of the last event that was seen."""

    token: str
    last: int | None = None


@frozen
class Record:
    """Get the record file of the games that are over at a table: the one named, or the one at hand.

    With ``game`` it ends where the game of that number was over: a chain is checked from its beginning.
    Who was there may also show the token that was given there.
    """

    table: str | None = None
    token: str | None = None
    game: int | None = None


@frozen
class History:
    """List how the latest games of a name ended, or of the bots of that level: one's own, if none is named."""

    name: str | None = None
    most: int = USUAL_ROWS


@frozen
class Rating:
    """Get what somebody is rated, in all games or in one: oneself, if nobody is named."""

    name: str | None = None
    game: str | None = None


@frozen
class Top:
    """List the best in a game; ``who`` is ``people``, ``bots`` or ``all``."""

    game: str
    who: str = ALL
    most: int = USUAL_ROWS


@frozen
class SayThis:
    """Say something at the table, or in the hall."""

    words: str


@frozen
class Tell:
    """Say something to one person alone."""

    name: str
    words: str


@frozen
class Quit:
    """Close the link; a seat is held as when a link is lost."""


REQUESTS: Mapping[str, type[attrs.AttrsInstance]] = {
    **{each.__name__.lower(): each for each in (Hello, Name, Games, Schema, Tables, Who, Open)},
    **{each.__name__.lower(): each for each in (Join, Watch, Start, Play, Look, Leave, Bot)},
    **{each.__name__.lower(): each for each in (Replace, Rematch, Mix, Abandon, Return, Record)},
    **{each.__name__.lower(): each for each in (History, Rating, Top, Hint)},
    "say": SayThis,
    "tell": Tell,
    "quit": Quit,
}


# -- reading them ---------------------------------------------------------------------


class KnownMove:
    """A move as plain data, one object for each way of writing it; what it is in a game is read once."""

    __slots__ = ("_move", "_rules", "_written")

    def __init__(self, written: Written) -> None:
        self._written = written
        self._rules: AnyRules | None = None
        self._move: Move | None = None

    def read(self, rules: AnyRules) -> Move:
        """Give the move that it is in a game; raises Malformed."""
        if self._move is None or self._rules is not rules:
            self._move, self._rules = read_move(rules, self._written), rules
        return self._move


# What nearly every line is: a short move, written without blanks or as most libraries do.  If what stands for the
# move is an object by itself, it is this line's move: no object goes on behind its end.
_PLAY = re.compile(
    r'\{"do": ?"play", ?"id": ?(0|[1-9]\d{0,14}), ?"move": ?(\{.{1,190}\})'
    r'(?:, ?"n": ?(0|[1-9]\d{0,14}))?\}',
    re.ASCII,
)


def _read_play(line: str) -> tuple[int, Play] | None:
    """Read a line that is a common move; None where it is anything else, or wrong."""
    found = _PLAY.fullmatch(line)
    move = None if found is None else _known_move(found[2])
    if found is None or move is None:
        return None
    return int(found[1]), Play(move, None if found[3] is None else int(found[3]))


@lru_cache(maxsize=4096)
def _known_move(text: str) -> KnownMove | None:
    try:
        return KnownMove(_read_object(text))
    except Unfit:
        return None


def read_request(line: str) -> tuple[Id, attrs.AttrsInstance]:
    """Read one line; raises Unfit."""
    play = _read_play(line)
    if play is not None:
        return play
    written = _read_object(line)
    id = written.pop("id", [])
    if not isinstance(id, Id):
        raise Unfit("no-id", _NO_ID)
    do = written.pop("do", None)
    kind = REQUESTS.get(do) if isinstance(do, str) else None
    if kind is None:
        raise Unfit("no-such-request", _unknown(do), id)
    try:
        return id, read(kind, written, str(do))
    except Malformed as problem:
        raise Unfit("malformed", str(problem), id) from None


def _unknown(do: object) -> str:
    known = ", ".join(REQUESTS)
    if not isinstance(do, str):
        return f'"do" names a request; there are: {known}'
    return f"no request is called {clean(do, 40)}; there are: {known}"


def _read_object(line: str) -> dict[str, object]:
    if line.count("[") + line.count("{") > MOST_BRACKETS:
        raise Unfit("too-deep", "that is nested too deeply, or has too many lists and objects")
    try:
        written = _DECODER.decode(line)
    except (ValueError, RecursionError) as problem:
        told = str(problem) if isinstance(problem, _NoJson) else "that is no JSON"
        raise Unfit("not-json", told) from None
    if not isinstance(written, dict):
        raise Unfit("not-an-object", "a line is one JSON object")
    if "\\u" in line:
        _check_text(written)
    return written


def _check_text(written: object) -> None:
    """Refuse halves of characters, which nobody could be sent."""
    try:
        json.dumps(written, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise Unfit("not-json", "half a character stands alone in a text") from None


class _NoJson(ValueError):
    """What Python would read and JSON does not allow, or programs do not agree about."""


def _refuse_constant(name: str) -> NoReturn:
    raise _NoJson(f"{name} is no JSON")


def _read_whole(digits: str) -> int:
    if len(digits) > 17 or abs(int(digits)) > LARGEST:
        raise _NoJson("a number is too large")
    return int(digits)


def _read_fraction(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise _NoJson("a number is too large")
    return number


def _read_pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    written = dict(pairs)
    if len(written) < len(pairs):
        raise _NoJson("a name stands twice in one object")
    return written


_DECODER = json.JSONDecoder(
    parse_constant=_refuse_constant,
    parse_int=_read_whole,
    parse_float=_read_fraction,
    object_pairs_hook=_read_pairs,
)
