"""What of the events of one command needs no line of its own, since another one says it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gamecore.events import Event
from gamecore.games.castle import card_events, events
from gamecore.games.castle.moves import Spot
from gamecore.table_events import GameOver

RESULTS = ("castle", "deck-out")  # how a duel ends that nobody has left


def once(told: Sequence[Event], drawn: bool) -> Sequence[Event]:
    """Leave out of what one command made happen what its other events say, or the board that is ``drawn`` next."""
    others = _Others(
        destroyed={each.spot for each in told if isinstance(each, card_events.Destroyed)},
        levelled={each.spot for each in told if isinstance(each, card_events.Levelled)},
        hit={each.seat for each in told if isinstance(each, card_events.CastleChanged)},
        drew=any(isinstance(each, card_events.Drew) and each.usual for each in told),
        over=any(isinstance(each, GameOver) for each in told),
        drawn=drawn,
        alone=len(told) == 1,
    )
    return [each for each in told if not _is_echo(each, others)]


class _Others(NamedTuple):
    """What else is told beside an event: the places of cards, the seats of castles, and what else happened."""

    destroyed: set[Spot]
    levelled: set[Spot]
    hit: set[int]
    drew: bool
    over: bool
    drawn: bool
    alone: bool


def _is_echo(event: Event, others: _Others) -> bool:
    match event:
        case card_events.Entered():  # it was said to be laid there
            return True
        case card_events.Fought(target=target, result="castle"):
            return target.seat in others.hit
        case card_events.Fought(attacker=attacker, target=target, result=result):
            lost = {"win": {target}, "lose": {attacker}, "both": {attacker, target}}
            return result in lost and lost[result] <= others.destroyed
        case card_events.DuelLost(why=why):  # the result of the game says so
            return others.over and why in RESULTS
        case events.Announced(doing="draw"):
            return others.drew
        case events.Announced(doing="level", source=source):
            return source in others.levelled
        case events.Allowed() | card_events.Shuffled():  # the board tells what is left in the deck
            return not others.alone
        case events.HandDealt():
            return others.drawn
    return False
