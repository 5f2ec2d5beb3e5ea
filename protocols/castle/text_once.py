"""What of the events of one command needs no line of its own, since another one says it."""

from __future__ import annotations

from collections.abc import Sequence

from gamecore.events import Event
from gamecore.games.castle import card_events, events
from gamecore.games.castle.moves import Spot
from gamecore.table_events import GameOver

RESULTS = ("castle", "deck-out")  # how a duel ends that nobody has left


def once(told: Sequence[Event], drawn: bool) -> Sequence[Event]:
    """Leave out of what one command made happen what its other events say, or the board that is ``drawn`` next."""
    destroyed = {each.spot for each in told if isinstance(each, card_events.Destroyed)}
    over = any(isinstance(each, GameOver) for each in told)
    turn = any(isinstance(each, card_events.Drew) and each.usual for each in told)
    return [
        each for each in told if not _is_echo(each, destroyed, over, turn, drawn, len(told) > 1)
    ]


def _is_echo(
    event: Event, destroyed: set[Spot], over: bool, turn: bool, drawn: bool, more: bool
) -> bool:
    match event:
        case card_events.Entered():  # it was said to be laid there
            return True
        case card_events.Fought(attacker=attacker, target=target, result=result):
            lost = {"win": {target}, "lose": {attacker}, "both": {attacker, target}}
            return result in lost and lost[result] <= destroyed
        case card_events.DuelLost(why=why):  # the result of the game says so
            return over and why in RESULTS
        case events.Announced(doing="draw"):
            return turn
        case events.Allowed() | card_events.Shuffled():  # the board tells what is left in the deck
            return more
        case events.HandDealt():
            return drawn
    return False
