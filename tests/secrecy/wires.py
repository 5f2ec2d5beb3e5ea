"""How a client of each wire comes in, asks how things stand, makes a move and comes back.

In what it says, ``<code>``, ``<seat>`` and ``<token>`` stand for the table's code, the seat and what brings the
player back.  A door whose kind has no entry in ``WIRES`` fails the tests: so a new one
comes to be looked at.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import quote

from attrs import field, frozen

from gamecore.games.castle import Deck
from gamecore.games.castle.moves import AllowAction, DrawCard, EndTurn, Keep, Mulligan
from gamecore.games.gops import Bid as GopsBid
from gamecore.games.nim import Take
from gamecore.games.pass123 import Finish, Pass, Tap
from gamecore.games.rikiki import Bid, PlayCard
from gamecore.rules import Move, NextRound
from protocols.gops import wire as gops
from protocols.net.codec import plain


def lines(text: str, guest: object) -> bytes:
    return f"{text}\r\n".encode()


def bare(text: str, guest: object) -> bytes:
    return text.encode()


def frames(text: str, guest: object) -> bytes:
    return gops.frame(text)


def request(text: str, guest) -> bytes:
    """Write a request of a browser: ``GET address`` or ``POST address field=value ...``."""
    method, path, *fields = text.split(" ")
    cookie = f"parlour={VISITOR}" + guest.filled("; parlour-place=<token>" if guest.token else "")
    head = f"{method} {path} HTTP/1.1\r\nHost: parlour.test\r\nCookie: {cookie}\r\n"
    if path.endswith("/live"):
        head += HANDSHAKE
    if method == "GET":
        return f"{head}\r\n".encode()
    body = "&".join(
        f"{name}={quote(value)}" for name, _, value in (f.partition("=") for f in fields)
    )
    form = "Content-Type: application/x-www-form-urlencoded"
    return f"{head}{form}\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()


VISITOR = "a-visitor"
HANDSHAKE = (
    "Origin: http://parlour.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
)


def page_facts(token: str) -> dict[str, str]:
    from protocols.web.tokens import derived, key_of

    return {"<key>": key_of(token) if token else "", "<csrf>": derived(VISITOR, "csrf")}


@frozen
class Wire:
    """One way to speak at a door."""

    name: str
    sit: Sequence[str] | None = None
    watch: Sequence[str] | None = None
    back: Sequence[str] | None = None
    asks: Sequence[str] = ()
    encode: Callable[[str, object], bytes] = lines
    move: Callable[[Move], str | None] = lambda move: None  # None: by the Host alone
    wait: float = 0.0
    plays: Callable[[str], bool] = lambda kind: True
    streams: Sequence[str] = ()
    watch_streams: Sequence[str] = ()
    settings: Mapping[str, object] = field(factory=dict)
    more: Callable[[str], Mapping[str, str]] = lambda token: {}


# -- moves ----------------------------------------------------------------------------


def nim_move(move: Move) -> str | None:
    if isinstance(move, Take):
        return json.dumps({"order": 0, "num_stones": move.stones, "reset": move.reset})
    return None


def gops_move(move: Move) -> str | None:
    return f"PLAY-TURN~<code>${move.card}" if isinstance(move, GopsBid) else None


def pass_move(move: Move) -> str | None:
    match move:
        case Pass(card):
            return str(card)
        case Finish():
            return "F"
        case Tap():
            return "T"
    return None


def rikiki_move(move: Move) -> str | None:
    match move:
        case Bid(tricks):
            return f"BID {tricks}"
        case PlayCard(card):
            return f"PLAY {card}"
        case NextRound():
            return "NEXT"
    return None


CASTLE_MOVES = {
    Keep: "GAME_START_ACCEPT",
    Mulligan: "GAME_START_MULLIGAN",
    DrawCard: "DRAW_CARD",
    EndTurn: "TURN_END",
    AllowAction: "ALLOW_ACTION",
}


def castle_move(move: Move) -> str | None:
    """Write the moves that name no place; the others go by the Host."""
    command = CASTLE_MOVES.get(type(move))
    return None if command is None else json.dumps({"COMMAND": command})


def page_move(move: Move) -> str | None:
    """Press the button of a move."""
    value = json.dumps(plain(move), separators=(",", ":"))
    if " " in value:  # the fields of a request stand between blanks
        return None
    return f"POST /t/<code>/<key>/move csrf=<csrf> decision=<decision> move={value}"


def json_move(move: Move) -> str | None:
    return json.dumps({"do": "play", "id": "move", "move": plain(move)})


# -- the wires ------------------------------------------------------------------------

_NIM = '{"name": "north", "order": <seat>, "table": "<code>"}'
_NIM_KEPT = '{"name": "north", "order": <seat>, "table": "<code>", "resume": true}'
_LOOKS = ("BOARD", "WHY", "WHO", "TABLES", "SAY hello", "SEED", "TELL nobody hello")
_STATES = ("HAND", "TABLE", "WHO", "SCORE", "STATE", "TABLES", "SAY hello")
_JSON_ASKS = (
    '{"do": "look", "id": 1}',
    '{"do": "who", "id": 2}',
    '{"do": "tables", "id": 3}',
    '{"do": "say", "id": 4, "words": "hello"}',
    '{"do": "games", "id": 5}',
)


def _castle(name: str, extended: bool) -> Wire:
    deck = [*Deck().cards, Deck().castle]
    join = {"COMMAND": "JOIN_GAME", "USERNAME": "north", "DECK_DATA": deck, "EXTENSIONS": extended}
    return Wire(
        name,
        sit=(json.dumps(join),),
        back=('{"COMMAND": "REJOIN_GAME", "TOKEN": "<token>"}',) if extended else None,
        asks=('{"COMMAND": "STATE_REQUEST"}', '{"COMMAND": "ROOM_LIST"}', '{"COMMAND": "NOTHING"}'),
        move=castle_move,
    )


def _original_castle() -> Wire:
    join = {
        "COMMAND": "JOIN_GAME",
        "USERNAME": "north",
        "DECK_DATA": [*Deck().cards, Deck().castle],
    }
    return Wire(
        "original",
        sit=(json.dumps(join),),
        asks=('{"COMMAND": "NOTHING"}', '{"COMMAND": "RETURN_CARD"}'),
        move=castle_move,
    )


def _rikiki(mode: str, *more: str) -> Wire:
    before = (f"MODE {mode}", *more, "NAME north")
    return Wire(
        mode.lower(),
        sit=(*before, "JOIN <code>"),
        watch=(*before, "WATCH <code>"),
        back=(f"MODE {mode}", *more, "REJOIN <token>"),
        asks=_STATES,
        move=rikiki_move,
    )


def _lobby(name: str, *before: str) -> Wire:
    def encode(text: str, guest: object) -> bytes:
        return NEGOTIATION if text == "IAC" else lines(text, guest)

    return Wire(
        name,
        sit=(*before, "NAME north", "JOIN <code>"),
        watch=(*before, "NAME north east", "WATCH <code>"),
        back=(*before, "RETURN <token>"),
        asks=_LOOKS,
        encode=encode,
    )


NEGOTIATION = b"\xff\xfd\x00\xff\xfb\x1f\xff\xfd\x01"  # DO BINARY, WILL NAWS, DO ECHO

WIRES: Mapping[str, Sequence[Wire]] = {
    "nim": (
        Wire("stock", sit=(_NIM,), encode=bare, move=nim_move),
        Wire("lines", sit=(_NIM_KEPT,), back=('{"token": "<token>"}',), move=nim_move),
    ),
    "gops": (
        Wire(
            "frames",
            sit=("SET-USERNAME~north", "JOIN-GAME~<code>"),
            asks=("PLAY-TURN~<code>$nothing", "START-GAME~1"),
            encode=frames,
            move=gops_move,
        ),
        Wire(
            "lines",
            sit=("SET-USERNAME~north", "JOIN-GAME~<code>"),
            watch=("SET-USERNAME~east", "SPECTATE~<code>"),
            back=("RETURN~<token>",),
            asks=("HELP", "PLAY-TURN~<code>$nothing", "START-GAME~1"),
            move=gops_move,
        ),
    ),
    "pass123": (
        Wire("stock", sit=(), asks=("XX",), encode=bare, move=pass_move),
        Wire("lines", sit=("",), back=("RETURN <token>",), asks=("XX",), move=pass_move),
    ),
    "castle": (
        _original_castle(),
        _castle("objects", False),
        _castle("extended", True),
        Wire(
            "words",
            sit=("NAME north", "JOIN <code>"),
            back=("RETURN <token>",),
            asks=("BOARD", "ROOMS", "nothing of the kind"),
        ),
    ),
    "rikiki": (_rikiki("BOT"), _rikiki("HUMAN", "LANG fr")),
    "lobby": (_lobby("plain"), _lobby("telnet", "IAC", "COLOUR on", "SUITS letters", "LANG fr")),
    "json": (
        Wire(
            "json",
            sit=(
                '{"do": "name", "id": 1, "name": "north"}',
                '{"do": "join", "id": 2, "table": "<code>", "seat": <seat>}',
            ),
            watch=('{"do": "watch", "id": 1, "table": "<code>"}',),
            back=('{"do": "return", "id": 1, "token": "<token>", "last": 3}',),
            asks=_JSON_ASKS,
            move=json_move,
        ),
    ),
    "web": (
        Wire(
            "pages",
            sit=("POST /t/<code>/sit csrf=<csrf> name=north",),
            watch=("GET /t/<code>/",),
            back=("GET /t/<code>/<key>/",),
            asks=("GET /t/<code>/<key>/", "GET /", "GET /t/<code>/?watch=yes"),
            encode=request,
            move=page_move,
            streams=("GET /t/<code>/<key>/live",),
            watch_streams=("GET /t/<code>/live",),
            settings={"link_file": "none"},
            more=page_facts,
        ),
    ),
}
