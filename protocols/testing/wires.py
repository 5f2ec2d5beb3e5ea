"""How a client comes in, asks how things stand, makes a move and comes back, by each door to the whole hall.

In what it says, ``<code>``, ``<seat>`` and ``<token>`` stand for the table's code, the seat and what brings the
player back.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol
from urllib.parse import quote

from attrs import field, frozen

from gamecore.codec import plain
from gamecore.rules import Move
from gamecore.settings import Value
from protocols.web.tokens import derived, key_of


class Speaker(Protocol):
    """Who says something by a wire."""

    @property
    def token(self) -> str | None:
        """What brings them back, once they were given it."""

    def filled(self, text: str) -> str:
        """Put what is known in place of <code>, <seat> and <token>."""


def lines(text: str, speaker: Speaker) -> bytes:
    """End a line as telnet does."""
    return f"{text}\r\n".encode()


def bare(text: str, speaker: Speaker) -> bytes:
    """End nothing."""
    return text.encode()


@frozen
class Wire:
    """One way to speak at a door.

    ``sit``, ``watch`` and ``back`` are what one says first, in texts that ``encode`` makes bytes of; None where
    this wire cannot. ``asks`` are questions that change nothing, ``move`` writes a move, None where the wire has no
    words for it. ``streams`` is what is said on further connections, ``settings`` are those of the door, and
    ``more`` is what else is put in place of words in brackets.
    """

    name: str
    sit: Sequence[str] | None = None
    watch: Sequence[str] | None = None
    back: Sequence[str] | None = None
    asks: Sequence[str] = ()
    encode: Callable[[str, Speaker], bytes] = lines
    move: Callable[[Move], str | None] = lambda move: None  # None: by the Host alone
    streams: Sequence[str] = ()
    watch_streams: Sequence[str] = ()
    settings: Mapping[str, Value] = field(factory=dict)
    more: Callable[[str], Mapping[str, str]] = lambda token: {}


# -- the lobby ------------------------------------------------------------------------

NEGOTIATION = b"\xff\xfd\x00\xff\xfb\x1f\xff\xfd\x01"  # DO BINARY, WILL NAWS, DO ECHO
_LOOKS = ("BOARD", "WHY", "WHO", "TABLES", "SAY hello", "SEED", "TELL nobody hello", "HINT")


def _lobby(name: str, *before: str) -> Wire:
    def encode(text: str, speaker: Speaker) -> bytes:
        return NEGOTIATION if text == "IAC" else lines(text, speaker)

    return Wire(
        name,
        sit=(*before, "NAME north", "JOIN <code>"),
        watch=(*before, "NAME north east", "WATCH <code>"),
        back=(*before, "RETURN <token>"),
        asks=_LOOKS,
        encode=encode,
    )


# -- JSON lines -----------------------------------------------------------------------

_JSON_ASKS = (
    '{"do": "hint", "id": 0}',
    '{"do": "look", "id": 1}',
    '{"do": "who", "id": 2}',
    '{"do": "tables", "id": 3}',
    '{"do": "say", "id": 4, "words": "hello"}',
    '{"do": "games", "id": 5}',
)


def json_move(move: Move) -> str:
    """Ask for a move."""
    return json.dumps({"do": "play", "id": "move", "move": plain(move)})


# -- pages ----------------------------------------------------------------------------

VISITOR = "a-visitor"
HANDSHAKE = (
    "Origin: http://parlour.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
)


def request(text: str, speaker: Speaker) -> bytes:
    """Write a request of a browser: ``GET address`` or ``POST address field=value ...``."""
    method, path, *fields = text.split(" ")
    cookie = f"parlour={VISITOR}" + speaker.filled(
        "; parlour-place=<token>" if speaker.token else ""
    )
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


def page_facts(token: str) -> dict[str, str]:
    """Name the pages of a player, and what its forms prove."""
    return {"<key>": key_of(token) if token else "", "<csrf>": derived(VISITOR, "csrf")}


def page_move(move: Move) -> str | None:
    """Press the button of a move."""
    value = json.dumps(plain(move), separators=(",", ":"))
    if " " in value:  # the fields of a request stand between blanks
        return None
    return f"POST /t/<code>/<key>/move csrf=<csrf> decision=<decision> move={value}"


HALL_WIRES: Mapping[str, Sequence[Wire]] = {
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
            asks=(
                *("GET /t/<code>/<key>/", "GET /", "GET /t/<code>/?watch=yes"),
                "POST /t/<code>/<key>/hint csrf=<csrf>",
            ),
            encode=request,
            move=page_move,
            streams=("GET /t/<code>/<key>/live",),
            watch_streams=("GET /t/<code>/live",),
            settings={"link_file": "none"},
            more=page_facts,
        ),
    ),
}
