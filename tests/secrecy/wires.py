"""How a client of each game's own wire comes in, asks how things stand, makes a move and comes back.

A door whose kind has no entry in ``WIRES`` fails the tests: so a new one
comes to be looked at.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from gamecore.games.castle import Deck
from gamecore.games.castle.moves import AllowAction, DrawCard, EndTurn, Keep, Mulligan
from gamecore.games.gops import Bid as GopsBid
from gamecore.games.nim import Take
from gamecore.games.pass123 import Finish, Pass, Tap
from gamecore.games.rikiki import Bid, PlayCard
from gamecore.rules import Move, NextRound
from protocols.gops import wire as gops
from protocols.testing.wires import HALL_WIRES, Speaker, Wire, bare


def frames(text: str, speaker: Speaker) -> bytes:
    return gops.frame(text)


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


# -- the wires ------------------------------------------------------------------------

_NIM = '{"name": "north", "order": <seat>, "table": "<code>"}'
_NIM_KEPT = '{"name": "north", "order": <seat>, "table": "<code>", "resume": true}'
_STATES = ("HAND", "TABLE", "WHO", "SCORE", "STATE", "TABLES", "SAY hello")


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
            asks=("BOARD", "ROOMS", "HINT", "nothing of the kind"),
        ),
    ),
    "rikiki": (_rikiki("BOT"), _rikiki("HUMAN", "LANG fr")),
    **HALL_WIRES,
}
