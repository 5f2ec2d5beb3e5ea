"""The wire of discovery: one question in one UDP datagram, one room in each datagram that answers.

A datagram is one JSON object in UTF-8. NUL bytes behind it are ignored. What is no question gets
silence. There are three things to ask for, all in the key GAME:

`LastOfUs`, the packet of the Castle Wars seed. Every room of that game answers (or its door, where
none waits: whoever joins there opens one), in at most 256 bytes, and every value is text::

    asked:     {"COMMAND":"FIND_SERVER","GAME":"LastOfUs"}
    answered:  {"COMMAND":"FIND_SERVER_RESP","GAME_NAME":"Friday","PLAYER_COUNT":"1",
                "IS_PASSWORDED":"false","PORT":"3789","MAX_PLAYERS":"2"}

An original client asks from UDP port 3981 and listens there: an answer goes to where the question
came from, which is just that.

`*` for every room, or a game's kind for its rooms. A door that would open a table for whoever
connects answers too, without TABLE. NONCE is up to 64 printable ASCII characters, may be left out,
and comes back as it went. An answer has at most 512 bytes::

    asked:     {"COMMAND":"FIND_SERVER","GAME":"*","NONCE":"5f3a"}
    answered:  {"COMMAND":"FIND_SERVER_RESP","GAME_NAME":"Friday","PLAYER_COUNT":"1",
                "IS_PASSWORDED":"false","PORT":"9000","MAX_PLAYERS":"2","GAME":"nim",
                "TABLE":"K7QX","SERVER_NAME":"attic","SERVER_ID":"9c1e","NONCE":"5f3a"}

PORT is the TCP port of the game's own door, or of the lobby for a game that has none. The lobby
itself answers to `*` and `lobby`: its GAME is `lobby`, its MAX_PLAYERS 0, for it has no seats, and
PLAYER_COUNT tells the people who are there. No answer
holds an address: it is wherever the answer came from. Everything beyond ASCII is escaped, and a name
too long for its datagram is cut. A source behind a router gets no more bytes than it sent, so one who
asks from there pads with NUL bytes.

Several daemons of one host share the port. A question to the host itself, which the system gives to one of them,
is answered by all; beyond a router by one each time, in turn, so that one who asks again finds another.
"""

from __future__ import annotations

import json
from typing import Any, TypeGuard

import attrs

from protocols.i18n.sanitize import clean

DISCOVERY_PORT = 3980
# Transient (the 1) and link-local (the 2): no router lets it through, nobody had to register it.
GROUP = "ff12::3980"

SEED_GAME = "LastOfUs"
SEED_KIND = "castle"  # what that is called here
EVERY_GAME = "*"

MOST_QUERY_BYTES = 512
MOST_REPLY_BYTES = 512
SEED_REPLY_BYTES = 256
SERVER_NAME_BYTES = 64
GAME_LENGTH = 32
NAME_LENGTH = 64
NONCE_LENGTH = 64

_code = attrs.validators.matches_re(r"[A-Za-z0-9_.-]{1,32}")


@attrs.frozen(slots=True)
class OpenRoom:
    """A table that can be joined, or with no table a door that opens one for whoever connects.

    ``opener`` is who waits at a table without a name of its own, or the house where nobody does: the finder of the
    original, which shows no more of a room than one name, is told this one.
    """

    game: str = attrs.field(validator=_code)
    name: str
    players: int
    seats: int
    passworded: bool
    port: int
    table: str | None = attrs.field(default=None, validator=attrs.validators.optional(_code))
    opener: str = ""


@attrs.frozen(slots=True)
class Identity:
    """Which daemon this is: an id that stays the same, and the name a LAN sees."""

    server_id: str = attrs.field(validator=attrs.validators.matches_re(r"[A-Za-z0-9_.-]{1,64}"))
    name: str


@attrs.frozen(slots=True)
class Query:
    """What somebody on the LAN looks for."""

    game: str
    nonce: str | None = None

    @property
    def kind(self) -> str | None:
        """The kind of game that is asked for, as it is called here; None for every one."""
        if self.game == EVERY_GAME:
            return None
        return SEED_KIND if self.game == SEED_GAME else self.game


@attrs.frozen(slots=True)
class FoundRoom:
    """A room that somebody told of, its texts fit for a terminal."""

    address: str
    port: int
    game: str
    name: str
    players: int
    seats: int
    passworded: bool
    table: str | None
    server_name: str
    server_id: str
    nonce: str | None


def parse_query(datagram: bytes) -> Query | None:
    """Read a question; None is for what is none and deserves silence."""
    message = read_object(datagram, MOST_QUERY_BYTES)
    if message is None or message.get("COMMAND") != "FIND_SERVER":
        return None
    game, nonce = message.get("GAME"), message.get("NONCE")
    if not is_plain(game, GAME_LENGTH):
        return None
    if nonce is not None and not is_plain(nonce, NONCE_LENGTH):
        return None
    return Query(game, nonce)


def render_query(game: str, nonce: str | None, padded_to: int = 0) -> bytes:
    """Write the datagram that asks for a game's rooms."""
    message = {"COMMAND": "FIND_SERVER", "GAME": game}
    if nonce is not None:
        message["NONCE"] = nonce
    return _rendered(message).ljust(padded_to, b"\0")


def render_reply(room: OpenRoom, identity: Identity, query: Query) -> bytes:
    """Write the datagram that tells of one room, its names cut to what fits."""
    message = _seed_message(room)
    if query.game == SEED_GAME:
        return _named(message, room.opener or room.name, SEED_REPLY_BYTES)
    message["GAME"] = room.game
    if room.table is not None:
        message["TABLE"] = room.table
    message["SERVER_NAME"] = _shortened(identity.name, SERVER_NAME_BYTES)
    message["SERVER_ID"] = identity.server_id
    if query.nonce is not None:
        message["NONCE"] = query.nonce
    return _named(message, room.name, MOST_REPLY_BYTES)


def parse_reply(datagram: bytes, address: str = "") -> FoundRoom | None:
    """Read what a stranger says of a room; None is for what cannot be played at."""
    message = read_object(datagram, MOST_REPLY_BYTES)
    if message is None or message.get("COMMAND") != "FIND_SERVER_RESP":
        return None
    port, players = read_number(message.get("PORT")), read_number(message.get("PLAYER_COUNT"))
    if port is None or not 1 <= port <= 65535 or players is None:
        return None
    nonce = message.get("NONCE")
    return FoundRoom(
        address=address,
        port=port,
        game=_text(message.get("GAME"), GAME_LENGTH),
        name=_text(message.get("GAME_NAME"), NAME_LENGTH),
        players=players,
        seats=read_number(message.get("MAX_PLAYERS")) or 0,
        passworded=message.get("IS_PASSWORDED") in ("true", True),
        table=_text(message.get("TABLE"), GAME_LENGTH) or None,
        server_name=_text(message.get("SERVER_NAME"), NAME_LENGTH),
        server_id=_text(message.get("SERVER_ID"), NAME_LENGTH),
        nonce=nonce if is_plain(nonce, NONCE_LENGTH) else None,
    )


def is_plain(value: object, most: int) -> TypeGuard[str]:
    """Whether this is a short text of printable ASCII, which takes few bytes when echoed."""
    return (
        isinstance(value, str)
        and 0 < len(value) <= most
        and value.isascii()
        and value.isprintable()
    )


def read_object(datagram: bytes, most: int) -> dict[str, Any] | None:
    """Read the JSON object in a datagram, if there is one."""
    if len(datagram) > most:
        return None
    datagram = datagram.rstrip(b"\0").strip()
    # Noise ends here, before a parser is woken for it.
    if datagram[:1] != b"{" or datagram[-1:] != b"}":
        return None
    try:
        message = json.loads(datagram.decode())
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


def _rendered(message: dict[str, str]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode("ascii")


def _seed_message(room: OpenRoom) -> dict[str, str]:
    return {
        "COMMAND": "FIND_SERVER_RESP",
        "GAME_NAME": "",
        "PLAYER_COUNT": str(room.players),
        "IS_PASSWORDED": "true" if room.passworded else "false",
        "PORT": str(room.port),
        "MAX_PLAYERS": str(room.seats),
    }


def _named(message: dict[str, str], name: str, most: int) -> bytes:
    """Write the message with as much of the room's name as the datagram holds."""
    message["GAME_NAME"] = _shortened(name, most - len(_rendered(message)))
    return _rendered(message)


def _shortened(name: str, size: int) -> str:
    """Give the longest beginning of a name that takes no more bytes than that when escaped."""
    name = clean(name[:MOST_REPLY_BYTES])
    used = 0
    for at, character in enumerate(name):
        used += len(json.dumps(character)) - 2
        if used > size:
            return name[:at].rstrip()
    return name


def read_number(value: object) -> int | None:
    """Read a small number, written as text or as JSON's own."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value if 0 <= value <= 99999 else None
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 5:
        return int(value)
    return None


def _text(value: object, most: int) -> str:
    return clean(value, most) if isinstance(value, str) else ""


# No answer is shorter, so one who may be sent less than this need not be thought about.
LEAST_REPLY_BYTES = len(_rendered(_seed_message(OpenRoom("a", "", 0, 1, True, 1))))
