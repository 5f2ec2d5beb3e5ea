"""What the server says to a program: one JSON object a line, in ASCII.

====================================================================  =========================================
``{"reply": 7, "ok": true, ...}``                                     the request with that id was done
``{"reply": 7, "error": "not-your-turn", "says": "...", ...}``        it was refused, and changed nothing
``{"n": 5, "table": "K7QRT", "event": "Taken", "seat": 0, ...}``      what happened
``{"view": {...}, "table": "K7QRT", "n": 5}``                         the table as it stands after event 5
``{"turn": [0], "table": "K7QRT", "at": 3.5, "due": {}, "moves": []}``  whose decision is awaited
``{"rated": false, "why": "guest", "table": "K7QRT", ...}``           whether a game that begins or ends is rated
``{"token": "K7QRT.x9...", "table": "K7QRT"}``                        what brings its owner back
``{"said": "hello", "by": "ann", "table": null, "private": false}``   what a person said
``{"paused": true, "says": "..."}``                                   whether play is paused
``{"draining": true, "says": "..."}``                                 the daemon ends soon: no game begins here
``{"parted": "table-lost", "table": "K7QRT", "says": "..."}``         the place at the table is no more
``{"closed": "login-deadline", "says": "..."}``                       the link is closed
====================================================================  =========================================
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import cast

from attrs import frozen

from gamecore.codec import TAG, plain
from gamecore.errors import Refused
from gamecore.events import Event
from gamecore.rules import Move
from gamecore.table_view import TableView, Turn
from protocols.host.people import Remark
from protocols.i18n.game_text import GameText
from protocols.i18n.refusals import ABOUT_TO_END, explain, explain_reason
from protocols.i18n.result_text import tell_whether_rated
from protocols.i18n.translate import ENGLISH
from protocols.jsonlines.requests import Id, Unfit

_PASSING = (b'{"n":', b'{"view":', b'{"turn":', b'{"rated":', b'{"said":')
_PAUSED = "Play is paused: what is done cannot be written down. It goes on by itself."


def write(said: Mapping[str, object]) -> bytes:
    """Write one line; nothing in it can move a terminal."""
    return _ENCODE(said).replace("\x7f", "\\u007f").encode() + b"\n"


_ENCODE = json.JSONEncoder(separators=(",", ":"), allow_nan=False, check_circular=False).encode


# -- replies --------------------------------------------------------------------------


@frozen
class Encoded:
    """A long value of a reply that is written already, elsewhere than in the reactor's thread."""

    data: bytes

    @classmethod
    def of_lines(cls, lines: Iterable[bytes]) -> Encoded:
        """Write a list of what stands in lines of JSON, one after the other: others go on in between."""
        return cls(b"[%b]" % b",".join([write(json.loads(line))[:-1] for line in lines]))


def write_done(id: Id, facts: Mapping[str, object]) -> bytes:
    """Write the reply to a request that was done."""
    if not facts and type(id) is int:
        return b'{"reply":%d,"ok":true}\n' % id
    ready = {name: fact for name, fact in facts.items() if type(fact) is Encoded}
    if not ready:
        return write({"reply": id, "ok": True, **facts})
    plain = {name: fact for name, fact in facts.items() if name not in ready}
    head = write({"reply": id, "ok": True, **plain}).removesuffix(b"}\n")
    return b"".join(
        [head, *(b',"%b":%b' % (name.encode(), each.data) for name, each in ready.items()), b"}\n"]
    )


def write_refused(
    id: Id, refusal: Refused, text: GameText | None, played: int | None = None
) -> bytes:
    """Write the reply to a request that was refused, with ``played`` if moves are counted."""
    says = explain(refusal, text, ENGLISH, coded=True)
    error: dict[str, object] = {"reply": id, "error": refusal.key, "says": says}
    facts = {name: _simple(value) for name, value in refusal.facts.items()}
    if facts:
        error["facts"] = facts
    return write(error if played is None else {**error, "played": played})


def write_unfit(problem: Unfit) -> bytes:
    """Write the reply to a line that is no request."""
    return write({"reply": problem.id, "error": problem.key, "says": str(problem)})


def write_line_refused(key: str) -> bytes:
    """Write the reply to a line that could not even be read."""
    return write({"reply": None, "error": key, "says": explain_reason(key, ENGLISH)})


def _simple(value: object) -> object:
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


# -- what happens at a table ----------------------------------------------------------


def render_events(events: Sequence[Event], names: Sequence[str]) -> bytes:
    """Write events, the same for all who hear them: what is each reader's own stands before it."""
    return b"".join(map(_write_event, events))


def _write_event(event: Event) -> bytes:
    facts = cast("dict[str, object]", plain(event))
    return write({"event": facts.pop(TAG), **facts})


def numbered(rendered: bytes, table: str, told: int) -> bytes:
    """Give events the numbers they have in one reader's stream, after ``told`` others."""
    lines = rendered.splitlines(keepends=True)
    code = table.encode()
    return b"".join(
        [
            b'{"n":%d,"table":"%s",%s' % (number, code, line[1:])
            for number, line in enumerate(lines, told + 1)
        ]
    )


def write_view(view: TableView) -> bytes:
    """Write a table as it stands for one who sees it."""
    return write({"view": plain(view), "table": view.code, "n": view.told})


def write_turn(turn: Turn, table: str, offers: bool = True) -> bytes:
    """Write whose decision is awaited and, unless it is known, what the reader may do.

    It is the line there are most of, of numbers and a code alone, so it is put together here.
    """
    seats = ",".join(map(str, sorted(turn.to_move)))
    due = ",".join([f'"{seat}":{at!r}' for seat, at in turn.due.items()])
    said = f'{{"turn":[{seats}],"table":"{table}","at":{turn.at!r},"due":{{{due}}}'
    if not offers:
        return f"{said}}}\n".encode()
    moves = ",".join([_move_text(cast(Hashable, type(move)), move) for move in turn.moves])
    return f'{said},"moves":[{moves}]}}\n'.encode()


@lru_cache(maxsize=4096)
def _move_text(kind: Hashable, move: Move) -> str:
    """Write a move; moves of two classes may be equal to each other's fields, and are told apart by ``kind``."""
    return _ENCODE(plain(move)).replace("\x7f", "\\u007f")


def write_rated(why: str | None, table: str, over: bool) -> bytes:
    """Write whether the game that begins, or is over, is rated; ``why`` is why not."""
    says = tell_whether_rated(why, ENGLISH)
    return write({"rated": why is None, "why": why, "table": table, "over": over, "says": says})


def write_token(token: str) -> bytes:
    """Write what brings its owner back."""
    return write({"token": token, "table": token.partition(".")[0]})


def write_parted(reason: str, table: str | None) -> bytes:
    """Write that the place at a table is no more."""
    return write({"parted": reason, "table": table, "says": explain_reason(reason, ENGLISH)})


def write_paused(paused: bool) -> bytes:
    """Write that play is paused, or that it goes on."""
    return write({"paused": paused, "says": _PAUSED if paused else "Play goes on."})


def write_draining() -> bytes:
    """Write that the daemon is about to end, and no game begins any more."""
    return write({"draining": True, "says": ENGLISH(ABOUT_TO_END)})


# -- and elsewhere --------------------------------------------------------------------


def write_remark(remark: Remark) -> bytes:
    """Write what somebody said."""
    said = {"said": remark.words, "by": remark.name, "table": remark.where}
    return write({**said, "private": remark.private})


def write_closed(reason: str) -> bytes:
    """Write why the link is closed."""
    return write({"closed": reason, "says": explain_reason(reason, ENGLISH)})


def without_passing(waiting: Iterable[bytes]) -> list[bytes]:
    """Pick what a View cannot make good out of what waits for a slow reader: replies, tokens, partings."""
    return [each for each in waiting if not each.startswith(_PASSING)]
