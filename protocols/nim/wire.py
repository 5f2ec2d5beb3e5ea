"""The wire of Expanding Nim: JSON objects both ways, as its specification says in sections 2 and 3.

From the client, objects may follow each other with or without anything between them::

    {"name": "north", "order": 0}                          hello; order 0 moves first
    {"name": "north", "order": 0, "table": "our place"}    the same, to meet at a table by its name or code
    {"name": "north", "order": 0, "table": "K7QX2", "password": "xyzzy"}      the same, where it wants a password
    {"name": "north", "order": 0, "resume": true}          the same, to be able to come back
    {"token": "K7QX2.0a1b..."}                             hello of one who comes back
    {"num_stones": 3, "reset": false}                      a move
    {"num_stones": 3, "reset": false, "n": 0}              the same, from one who can come back, and counts

From the server, each object in one write and ended by LF::

    {"init_stones": 20, "init_resets": 1, "game_time": 120, "init_max": 3}
    {"finished": false, "current_max": 4, "stones_left": 17, "stones_removed": 3, "reset_used": false,
     "player_0": {"resets_left": 1, "time_taken": 0.512082, "name": "north"}, "player_1": {...}}
    {"finished": true, "winner": "south", "reason": "Player north made an illegal move", ...}

To those who asked with ``resume`` and to nobody else, the first object also has ``token``, ``order`` and
``your_turn``.  One who comes back is sent it again, with ``played``, how many moves of theirs the record has, and
``resumed`` if the last state follows it, and then what happens; a link that the player had elsewhere is closed.
A move of theirs may say in ``n`` how many moves they had made before.  One that is behind the record was played
already and is passed over in silence, so it can be sent again after a link was lost; one that is ahead of it is not
played either, and answered ``{"refused": "wrong-count", "played": 2}``.  When the daemon closes they are sent
``{"closing": true, "reason": ...}`` instead of a final state: the game goes on when it is back.

What is read as what (section 5; malformed moves lose, so they are read as a take of nothing):

* ``num_stones`` is a whole number, 3 or 3.0, up to a million either way; text, true and 1.5 are not.
* ``reset`` is true, false or a number other than 0 or 0 itself; missing is false. Text is neither: ``"0"``
  loses, rather than being true in one language and false in another.
* Of two equal keys the last counts; keys that are not known are passed over, ``order`` in a move too.
* NaN and Infinity are no JSON, and so no move; neither is what opens more than a hundred brackets.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NoReturn

from attrs import frozen

from gamecore.errors import Malformed
from gamecore.events import Event
from gamecore.games.nim import NOTHING, Board, Faulted, NimOptions, NimView, PileSet, Take, Taken
from gamecore.table_events import Abandoned
from protocols.i18n.sanitize import clean

LIMIT = 1024  # what a stock client reads at once, and all that a client may send as one object
PADDED = LIMIT - 1
NAME_LIMIT = 64  # bytes of a name as escaped in JSON
TABLE_LIMIT = 24
MOST_STONES = 1_000_000
A_HELLO = '{"name": "you", "order": 0}'
MOST_BRACKETS = 100  # how deep JSON may go is for each Python to say, so we say it first

_PLAIN_MOVE = re.compile(
    rb'\{(?:"order": ?[01], ?)?"num_stones": ?([1-9][0-9]{0,5}), ?"reset": ?(true|false)\}'
)
_NO_BOARD = Board(0, 0, (0, 0), (0, 0))
_REASONS = {
    "time": "Player {} exceeded time limit",
    "turn": "Player {} moved out of turn",
    "take": "Player {} made an illegal move",
    "reset": "Player {} used too many resets",
    "disconnected": "Player {} disconnected",
    "absent": "Player {} did not come back",
    "left": "Player {} left the game",
}
_CLOSINGS = {
    "bug": "The table was closed because of an error of the server",
    "closing": "The server is closing",
    "code-taken": "No table could be opened; please try again",
    "empty": "The table was closed",
    "error": "The connection was closed because of an error of the server",
    "expired": "Nobody came to play; please try again",
    "game-began": "The game at this table has begun without you",
    "hall-full": "There are too many tables; please try again later",
    "input-ended": "Nothing more can come from you, and it was not your turn for too long",
    "input-too-long": "Too much was sent before the game began",
    "login-deadline": "No hello arrived in time",
    "restarted": "The server was restarted and a player cannot come back; the game is void",
    "draining": "The server is about to close; please try again in a moment",
    "password-needed": "This table wants a password",
    "no-password-wanted": "No password is wanted there",
    "wrong-password": "That is not the password of this table",
    "too-many-passwords": "Too many passwords are worked at; please try again in a moment",
    "too-many-seats": "Too many come at once; please try again in a moment",
    "too-many-tables": "Too many games were opened at once; please try again in a moment",
    "too-many-waiting": "Too many games wait for a second player; please join one of them",
    "too-many-guesses": "That was guessed too often; please try again later",
    "no-such-table": "There is no such table",
    "name-taken": "Somebody at this table has a name like yours; please take another",
    "seat-taken": "That seat at this table is taken",
    "taken-over": "You came back by another connection",
    "lost-by-absence": "You were away for too long: your seat was lost by absence, with any game played there",
    "unknown-token": "Nobody is known by that token; the game may be over",
    "table-lost": "The table was lost because of an error of the server",
    "table-away": "That table is at another server of this house; please try again in a moment",
    "table-resting": "The table met an error of the server; please start again",
    "table-unreadable": "The record of this table cannot be read; please tell who runs the server",
    "too-fast": "Too many come at once; please try again",
    "too-many-connections": "There are too many connections; please try again later",
}


@frozen
class Hello:
    """Who connects: a clean name, the seat asked for, and the table to meet at with its password, if any."""

    name: str
    order: int
    table: str | None
    resume: bool = False
    password: str = ""


@frozen
class Resume:
    """Somebody comes back, with the token that was given at the first hello."""

    token: str


# -- from the client ------------------------------------------------------------------


def parse_hello(data: bytes) -> Hello | Resume:
    """Read a hello; raises Malformed with a sentence for the client."""
    written = _read_object(data)
    token = written.get("token")
    if isinstance(token, str):
        return Resume(token)
    name, order, table = written.get("name"), written.get("order"), written.get("table")
    if not isinstance(name, str):
        raise Malformed("hello needs a name that is text")
    if isinstance(order, bool) or order not in (0, 1):
        raise Malformed("hello needs an order that is 0 or 1")
    if table is not None and not isinstance(table, str):
        raise Malformed("hello may have a table that is text")
    password = written.get("password", "")
    if not isinstance(password, str):
        raise Malformed("hello may have a password that is text")
    seat = int(order)
    met = clean(table, TABLE_LIMIT) if table is not None else ""
    resume = written.get("resume") is True
    return Hello(fit_name(name) or f"player_{seat}", seat, met or None, resume, password)


def parse_move(data: bytes) -> Take:
    """Read a move; one that is malformed is a take of nothing, which loses."""
    plain = _PLAIN_MOVE.fullmatch(data)
    if plain is not None:  # as nearly always, at a quarter of the price
        return Take(int(plain[1]), plain[2] == b"true")
    try:
        written = _read_object(data)
    except Malformed:
        return NOTHING
    stones, reset = written.get("num_stones"), written.get("reset", False)
    if type(stones) is float and stones.is_integer():
        stones = int(stones)
    if type(stones) is not int or abs(stones) > MOST_STONES:
        return NOTHING
    if not isinstance(reset, bool | int | float):
        return NOTHING
    return Take(stones, bool(reset))


def read_count(data: bytes) -> object:
    """Read what a move counts in ``n``; None if it says nothing, or is no move at all."""
    try:
        return _read_object(data).get("n")
    except Malformed:
        return None


def _read_object(data: bytes) -> dict[str, object]:
    if data.count(b"[") + data.count(b"{") > MOST_BRACKETS:
        raise Malformed("that is nested too deeply")
    try:
        written = _DECODER.decode(data.decode())
    except (ValueError, RecursionError):
        raise Malformed("that is no JSON") from None
    if not isinstance(written, dict):
        raise Malformed("that is no JSON object")
    return written


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def fit_name(name: str, limit: int = NAME_LIMIT) -> str:
    """Clean a name and cut it so that its escaped form fits; may leave nothing."""
    name = clean(name, limit)
    while len(json.dumps(name)) - 2 > limit:
        name = name[:-1]
    return name.strip()


# -- from the server ------------------------------------------------------------------


def render(events: Sequence[Event], names: Sequence[str]) -> bytes:
    """Write what a client is sent about one command: one object, or nothing."""
    for event in events:
        if isinstance(event, Taken | Faulted):
            return render_state(event, names)
        if isinstance(event, PileSet):
            return render_start(event.options)
        if isinstance(event, Abandoned):
            return render_closing(event.why, names)
    return b""


def render_padded(events: Sequence[Event], names: Sequence[str]) -> bytes:
    """Write the same, filled with blanks to the very size that a stock client reads at once."""
    return pad(render(events, names))


def pad(written: bytes) -> bytes:
    """Fill an object with blanks to 1023 bytes and LF; nothing stays nothing."""
    return written and written[:-1].ljust(PADDED) + b"\n"


def render_start(options: NimOptions) -> bytes:
    """Write the object that begins a game."""
    return _start(options.stones, options.resets, options.seconds, options.maximum)


def render_kept_start(
    options: NimOptions,
    token: str,
    order: int,
    mover: int | None,
    played: int | None = None,
    resumed: bool = False,
) -> bytes:
    """Write the object that begins a game, or begins it again, for one who can come back to it.

    ``played`` is how many moves one who has come back had made.
    """
    kept: dict[str, object] = {"token": token, "order": order, "your_turn": order == mover}
    if played is not None:
        kept["played"] = played
    if resumed:
        kept["resumed"] = True
    return render_start(options)[:-2] + f", {json.dumps(kept)[1:]}\n".encode()


def render_view(view: NimView, names: Sequence[str]) -> bytes:
    """Write the last state once more, for one who comes back; nothing if there was none."""
    return b"" if view.last is None else render_state(view.last, names)


def render_wrong_count(played: int) -> bytes:
    """Refuse a move that counts more moves before it than there were."""
    return f'{{"refused": "wrong-count", "played": {played}}}\n'.encode()


def render_pause(why: str) -> bytes:
    """Say to one who can come back that the daemon closes and the game does not."""
    return f'{{"closing": true, "reason": {json.dumps(closing_text(why))}}}\n'.encode()


def render_state(event: Taken | Faulted, names: Sequence[str]) -> bytes:
    """Write the state after a take, or after a fault."""
    if isinstance(event, Faulted):
        end = _end(names[1 - event.seat], reason_of(event, names))
    elif event.won:
        winner = names[event.seat]
        end = _end(winner, f"Player {_shown(winner)} won the game! Congrats!")
    else:
        end = ""
    return _state(end, event.board, event.stones, event.reset, names)


def reason_of(event: Faulted, names: Sequence[str]) -> str:
    """Say why a player has lost, in the words that stock clients show."""
    return _REASONS.get(event.fault, _REASONS["left"]).format(_shown(names[event.seat]))


def render_closing(why: str, names: Sequence[str]) -> bytes:
    """Write a final state that nobody has won."""
    return _state(_end("", closing_text(why)), _NO_BOARD, 0, False, (*names, "", "")[:2])


def render_no_start() -> bytes:
    """Write the start object that a stock client must see before it can be refused."""
    return _start(0, 0, 0, 0)


def render_refusal(reason: str) -> bytes:
    """Refuse a connection that never said a sensible hello."""
    return f'{{"finished": true, "reason": {json.dumps(closing_text(reason))}}}\n'.encode()


def closing_text(why: str) -> str:
    """Say why a table or a connection ends; what is no known reason is a sentence already."""
    return _CLOSINGS.get(why, why)


def _start(stones: int, resets: int, seconds: int, maximum: int) -> bytes:
    return (
        f'{{"init_stones": {stones}, "init_resets": {resets},'
        f' "game_time": {seconds}, "init_max": {maximum}}}\n'
    ).encode()


def _end(winner: str, reason: str) -> str:
    return f' "winner": {_quoted(winner)}, "reason": {json.dumps(reason)},'


def _state(end: str, board: Board, stones: int, reset: bool, names: Sequence[str]) -> bytes:
    (resets_0, resets_1), (used_0, used_1) = board.resets, board.used
    return (
        f'{{"finished": {"true" if end else "false"},{end} "current_max": {board.limit},'
        f' "stones_left": {board.left}, "stones_removed": {stones},'
        f' "reset_used": {"true" if reset else "false"},'
        f' "player_0": {{"resets_left": {resets_0}, "time_taken": {round(used_0, 6)},'
        f' "name": {_quoted(names[0])}}},'
        f' "player_1": {{"resets_left": {resets_1}, "time_taken": {round(used_1, 6)},'
        f' "name": {_quoted(names[1])}}}}}\n'
    ).encode()


@lru_cache(maxsize=4096)
def _shown(name: str) -> str:
    """Cut a name that came in by another door to what fits here."""
    return fit_name(name)


@lru_cache(maxsize=4096)
def _quoted(name: str) -> str:
    return json.dumps(fit_name(name))
