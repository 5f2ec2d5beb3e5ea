"""The messages that tell of the table and of what has happened, each as its reader sees it."""

from __future__ import annotations

from collections.abc import Sequence

from gamecore.rules import Outcome
from protocols.castle.wire import NO_CARD, Message
from protocols.i18n.sanitize import clean

_REASONS = {"castle": "CASTLE", "deck-out": "DECK_OUT", "draw": "DRAW", "absent": "TIMEOUT"}


def card_number(card: int | None) -> int:
    """Give the number of a card, or what stands for one that the reader may not know."""
    return NO_CARD if card is None else card


def card_played(seat: int, card: int | None, start: str, end: str) -> Message:
    """Say that a card goes from one place to another."""
    return {
        "COMMAND": "PLAY_CARD_RESP",
        "PLAYER_ID": seat,
        "CARD_ID": card_number(card),
        "START_POS": start,
        "END_POS": end,
        "SUCCESS": True,
    }


def attack_made(seat: int, attacker: str, target: str) -> Message:
    """Say who attacks what."""
    return {
        "COMMAND": "ATTACK_CARD_RESP",
        "ATTACKER": attacker,
        "TARGET": target,
        "PLAYER_ID": seat,
        "SUCCESS": True,
    }


def player_list(names: Sequence[str]) -> dict[str, str]:
    """Name everybody who has a seat, by its number as a text."""
    return {str(seat): clean(name) for seat, name in enumerate(names) if name}


def castles_shown(
    castles: Sequence[int], healths: Sequence[int], hands: Sequence[int], seat: int
) -> Message:
    """Show both castles."""
    return {
        "COMMAND": "SPAWN_CASTLES",
        "MY_CASTLE": castles[seat],
        "THEIR_CASTLE": castles[1 - seat],
        "MY_HEALTH": healths[seat],
        "THEIR_HEALTH": healths[1 - seat],
        "THEIR_HAND_COUNT": hands[1 - seat],
    }


def turn_began(turn: int, seat: int, names: Sequence[str]) -> Message:
    """Say whose turn it is."""
    name = clean(names[seat])
    return {"COMMAND": "TURN_START", "PLAYER_ID": seat, "USERNAME": name, "TURN": turn}


def game_ended(outcome: Outcome) -> Message:
    """Say who has won, and by what; nobody, if both castles fell."""
    winners = outcome.winners
    winner = winners[0] if len(winners) == 1 else NO_CARD
    reason = _REASONS.get(outcome.reason, "LEFT")
    return {"COMMAND": "GAME_END", "WINNER_ID": winner, "REASON": reason}


def game_void() -> Message:
    """Say that a game ends as if it had never begun."""
    return {"COMMAND": "GAME_END", "WINNER_ID": NO_CARD, "REASON": "VOID"}
