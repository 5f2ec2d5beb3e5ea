"""Moves as they are typed to the letter: with every place that they are about, so that no two are alike.

``play h3 s2 for h1, h5`` plays the third card of the hand into the second place for soldiers and gives up two.
What is typed by the names of cards (see ``text_moves``) may fit several moves; this fits one, in any language.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gamecore.games.castle import CARDS, CastleView
from gamecore.games.castle import moves as castle_moves
from gamecore.games.castle.effect_schema import Zone
from gamecore.games.castle.moves import Spot, Spots
from gamecore.rules import Move
from protocols.castle.text_places import short_name
from protocols.castle.visible_cards import card_at
from protocols.i18n.translate import ENGLISH

_LETTERS: dict[Zone, str] = {
    "soldier": "s",
    "mage": "m",
    "trickster": "t",
    "decree": "d",
    "castle": "castle",
    "hand": "h",
    "deck": "deck",
    "discard": "pile",
}
PLAIN: dict[type[Move], str] = {
    castle_moves.Keep: "keep",
    castle_moves.Mulligan: "mulligan",
    castle_moves.DrawCard: "draw",
    castle_moves.EndTurn: "end",
    castle_moves.AllowAction: "allow",
    castle_moves.Accept: "yes",
    castle_moves.Decline: "no",
}
_BLANKS = re.compile(r"\W+")


def typed(move: Move, board: CastleView) -> str:
    """Write a move; no two moves that are legal together are written alike."""
    seat = board.seat or 0
    match move:
        case castle_moves.PlayCard(hand, slot, pay):
            card = card_at(board, Spot(seat, "hand", hand))
            kind = "" if card is None else CARDS[card].type
            return f"play h{hand + 1} {_slot(kind, slot)}{_paying(pay, seat)}"
        case castle_moves.LevelMage(slot):
            return f"level m{slot + 1}"
        case castle_moves.UseAbility(source, ability):
            return f"use {_place(source, seat)}{f' {ability + 1}' if ability else ''}"
        case castle_moves.Attack(attacker, target):
            return f"attack {_place(attacker, seat)} {_place(target, seat)}"
        case castle_moves.ActivateTrickster(slot):
            return f"activate t{slot + 1}"
        case castle_moves.Choose(spot):
            return f"choose {_place(spot, seat)}"
        case castle_moves.TakeCard(card):
            return f"take {_card(card)}"
        case castle_moves.PutCard(card, source, slot, pay):
            where = _slot(CARDS[card].type, slot)
            return f"put {_card(card)} {_LETTERS[source]} {where}{_paying(pay, seat)}"
    return PLAIN[type(move)]


def find_typed(words: Sequence[str], moves: Sequence[Move], board: CastleView) -> Move | None:
    """Find the move that was typed to the letter, whatever stands between its words; None if none was."""
    wanted = _split(" ".join(words))
    return next((move for move in moves if _split(typed(move, board)) == wanted), None)


def _split(text: str) -> list[str]:
    return _BLANKS.sub(" ", text.lower()).split()


def _place(spot: Spot, viewer: int) -> str:
    number = "" if spot.zone in ("castle", "decree") else str(spot.slot + 1)
    if spot.zone == "castle":  # the castle alone is the enemy's
        return "own castle" if spot.seat == viewer else "castle"
    return f"{'' if spot.seat == viewer else 'e'}{_LETTERS[spot.zone]}{number}"


def _slot(kind: str, slot: int) -> str:
    """Write a place for a card of a type: places of a type begin with its first letter."""
    return f"{kind[:1]}{slot + 1}"


def _card(card: int) -> str:
    """Write a card's number, which is its own, and its name for whoever reads it."""
    return f"{card} {short_name(card, ENGLISH)}"


def _paying(pay: Spots, seat: int) -> str:
    return f" for {', '.join(_place(spot, seat) for spot in pay)}" if pay else ""
