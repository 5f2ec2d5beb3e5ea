"""A choice among moves, made card by card as the wire asks for it: which card, then each one given up for it.

The rules list whole moves, with all that is paid; a client names one position after another.  A choice holds the
moves that are still meant, and each position named leaves fewer of them, until it is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from attrs import define, field, frozen

from gamecore.games.castle import moves as castle_moves
from gamecore.games.castle.moves import Spot
from gamecore.rules import Move


@frozen
class Option:
    """One move: the place of the card it is about (None if that is settled), its slot, what it gives up."""

    move: Move
    place: Spot | None = None
    slot: int | None = None
    paid: frozenset[Spot] = frozenset()


@define
class Choice:
    """What a player is choosing; ``none`` is the move that chooses nothing, if that is allowed."""

    options: Sequence[Option]
    none: Move | None = None
    given: frozenset[Spot] = frozenset()
    picked: bool = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.picked = all(each.place is None for each in self.options)

    def region(self) -> Sequence[Spot]:
        """List the places that may be named next."""
        if not self.picked:
            named = (each.place for each in self.options)
        else:
            named = (spot for each in self.options for spot in sorted(each.paid, key=_in_order))
        fresh = (spot for spot in named if spot is not None and spot not in self.given)
        return list(dict.fromkeys(fresh))

    @property
    def move(self) -> Move | None:
        """The one move that is meant, as soon as all that it gives up was named."""
        if not self.picked:
            return None
        done = [each for each in self.options if each.paid == self.given]
        return min(done, key=lambda each: each.slot or 0).move if done else None

    def pick(self, spot: Spot) -> bool:
        """Take a place that was named; False if it was not among those that may be."""
        if spot not in self.region():
            return False
        if not self.picked:
            self.options = [each for each in self.options if each.place == spot]
            self.picked = True
        else:
            self.given |= {spot}
            self.options = [each for each in self.options if self.given <= each.paid]
        return True

    def into(self, slot: int) -> bool:
        """Settle the slot; False if the card cannot go there."""
        fitting = [each for each in self.options if each.slot == slot]
        if fitting:
            self.options = fitting
        return bool(fitting)


def _in_order(spot: Spot) -> tuple[int, str, int]:
    return spot.seat, spot.zone, spot.slot


def of_play(moves: Iterable[Move], hand: int, slot: int) -> Choice | None:
    """Offer the ways to pay for a card of the hand that goes to a slot; None if there are none."""
    options = [
        Option(move, None, slot, frozenset(move.pay))
        for move in moves
        if isinstance(move, castle_moves.PlayCard) and move.hand == hand and move.slot == slot
    ]
    return Choice(options) if options else None


def of_question(moves: Sequence[Move], seat: int, place: Callable[[Move], Spot]) -> Choice:
    """Offer what may be replied to a question; ``place`` says where a card lies that is named by its number."""
    options = []
    for move in moves:
        match move:
            case castle_moves.Choose(spot):
                options.append(Option(move, spot))
            case castle_moves.TakeCard():
                options.append(Option(move, place(move)))
            case castle_moves.PutCard(_, _, slot, pay):
                options.append(Option(move, place(move), slot, frozenset(pay)))
    none = next((move for move in moves if isinstance(move, castle_moves.Decline)), None)
    return Choice(options, none)
