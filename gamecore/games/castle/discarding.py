"""Cards from hands onto discard piles: by chance, or as somebody chooses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from attrs import define, evolve

from gamecore.games.castle import card_events, events, operations
from gamecore.games.castle.core import AbilityUse, Question, RoundCore
from gamecore.games.castle.dealing import hand_spots, into_discard
from gamecore.games.castle.engine import ask, offers, performs, takes
from gamecore.games.castle.event_types import Asking
from gamecore.games.castle.moves import Choose, Reply


@define(eq=False)
class DiscardFrom(Question):
    """Which card of a hand to discard."""

    why: ClassVar[Asking] = "discard"
    holder: int
    left: int


def discard(core: RoundCore, holder: int, at: int) -> None:
    """Put the card at a place in a hand on the discard pile."""
    piece = core.sides[holder].hand.pop(at)
    core.emit(card_events.Discarded(holder, piece.card, at, into_discard(core, piece)))


@performs(operations.Discard)
def discard_some(core: RoundCore, use: AbilityUse, effect: operations.Discard) -> None:
    """Discard by chance, or ask which; of a hand too small, all there is."""
    holder = use.seat if effect.player == "self" else 1 - use.seat
    held = len(core.sides[holder].hand)
    count = min(effect.amount, held)
    if not count:
        core.emit(events.Skipped(use.seat, use.card, effect.op))
    elif effect.chooser == "controller":
        ask(core, DiscardFrom(use.seat, use, holder, count))
    else:
        drawn = core.deal.shuffle("discard", range(held))[:count]
        for at in sorted(drawn, reverse=True):
            discard(core, holder, at)


@offers(DiscardFrom)
def offer_hand(core: RoundCore, question: DiscardFrom) -> Sequence[Reply]:
    """List the cards of the hand."""
    return [Choose(spot) for spot, _ in hand_spots(core, question.holder)]


@takes(DiscardFrom)
def discard_chosen(core: RoundCore, question: DiscardFrom, move: Reply) -> None:
    """Discard the card, and ask for the next."""
    assert isinstance(move, Choose)
    discard(core, question.holder, move.spot.slot)
    if question.left > 1:
        ask(core, evolve(question, left=question.left - 1))
