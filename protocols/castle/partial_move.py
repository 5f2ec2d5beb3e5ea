"""A move that is put together as the wire asks for it: which card, then each one given up for it.

The rules list whole moves, with all that is paid; a client names one position after another.  A partial move holds
the moves that may still be meant, and each position named leaves fewer of them, until it is one
(Castle Wars specification, sections 4.7 and 4.10).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from attrs import define, field, frozen

from gamecore.games.castle import moves as castle_moves
from gamecore.games.castle.moves import Spot
from gamecore.rules import Move


@frozen
class Candidate:
    """One whole move: the place of the card it is about (None if that is settled), its slot, what it gives up."""

    move: Move
    place: Spot | None = None
    slot: int | None = None
    paid: frozenset[Spot] = frozenset()


@define
class PartialMove:
    """The moves that may still be meant; ``none`` is the one that chooses nothing, if that is allowed."""

    candidates: Sequence[Candidate]
    none: Move | None = None
    given: frozenset[Spot] = frozenset()
    card_named: bool = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.card_named = all(each.place is None for each in self.candidates)

    def region(self) -> Sequence[Spot]:
        """List the places that may be named next."""
        if not self.card_named:
            named = (each.place for each in self.candidates)
        else:
            named = (spot for each in self.candidates for spot in sorted(each.paid, key=_in_order))
        fresh = (spot for spot in named if spot is not None and spot not in self.given)
        return list(dict.fromkeys(fresh))

    @property
    def move(self) -> Move | None:
        """The one move that is meant, as soon as all that it gives up was named."""
        if not self.card_named:
            return None
        done = [each for each in self.candidates if each.paid == self.given]
        return min(done, key=lambda each: each.slot or 0).move if done else None

    def name(self, spot: Spot) -> bool:
        """Take a place that was named; False if it was not among those that may be."""
        if spot not in self.region():
            return False
        if not self.card_named:
            self.candidates = [each for each in self.candidates if each.place == spot]
            self.card_named = True
        else:
            self.given |= {spot}
            self.candidates = [each for each in self.candidates if self.given <= each.paid]
        return True

    def settle_slot(self, slot: int) -> bool:
        """Keep the moves that put the card into a slot; False if it cannot go there."""
        fitting = [each for each in self.candidates if each.slot == slot]
        if fitting:
            self.candidates = fitting
        return bool(fitting)


def _in_order(spot: Spot) -> tuple[int, str, int]:
    return spot.seat, spot.zone, spot.slot


def partial_play(moves: Iterable[Move], hand: int, slot: int) -> PartialMove | None:
    """Offer the ways to pay for a card of the hand that goes to a slot; None if there are none."""
    candidates = [
        Candidate(move, None, slot, frozenset(move.pay))
        for move in moves
        if isinstance(move, castle_moves.PlayCard) and move.hand == hand and move.slot == slot
    ]
    return PartialMove(candidates) if candidates else None


def partial_reply(moves: Sequence[Move], place_of: Callable[[Move], Spot]) -> PartialMove:
    """Offer what may be replied to a question; ``place_of`` says where a card lies that is named by its number."""
    candidates = []
    for move in moves:
        match move:
            case castle_moves.Choose(spot):
                candidates.append(Candidate(move, spot))
            case castle_moves.TakeCard():
                candidates.append(Candidate(move, place_of(move)))
            case castle_moves.PutCard(_, _, slot, pay):
                candidates.append(Candidate(move, place_of(move), slot, frozenset(pay)))
    none = next((move for move in moves if isinstance(move, castle_moves.Decline)), None)
    return PartialMove(candidates, none)
