"""What a bot makes of one View of Castle Wars: its own side and the other, and what cards are worth."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from attrs import define

from gamecore.games.castle import CARDS, CastleView
from gamecore.games.castle import moves as castle_moves
from gamecore.games.castle.card_definitions import Ability, CardDefinition
from gamecore.games.castle.view import FieldCard, SideView
from gamecore.rules import Move, View

M = TypeVar("M", bound=Move)

WORTH = {"trickster": 12, "decree": 11, "castle": 0, "soldier": 0, "mage": 4}  # beside the points
LAST_CARDS = 4  # so few cards in the deck are left alone
_A_LEVEL = 5
_A_CARD = 8  # in a hand


@define
class Perspective:
    """One View, from the side of who is to move."""

    view: CastleView
    me: int

    @classmethod
    def of(cls, view: View) -> Perspective:
        """Take a View as one's own of a duel."""
        assert isinstance(view, CastleView) and view.seat is not None
        return cls(view, view.seat)

    @property
    def own(self) -> SideView:
        """My side."""
        return self.view.sides[self.me]

    @property
    def enemy(self) -> SideView:
        """The other side."""
        return self.view.sides[1 - self.me]

    def at(self, spot: castle_moves.Spot | None) -> FieldCard | None:
        """Find the card at a spot of the field."""
        if spot is None or spot.seat not in (0, 1):
            return None
        return next((card for card in self.view.sides[spot.seat].field if card.spot == spot), None)

    def worth_at(self, spot: castle_moves.Spot) -> int:
        """Say what the card at a spot, on the field or in a hand, is worth to its side."""
        if spot.zone == "hand":
            card = self.view.sides[spot.seat].hand[spot.slot].card
            return WORTH["trickster"] if card is None else worth_of(CARDS[card])
        seen = self.at(spot)
        return 0 if seen is None else worth(seen)

    def points_at(self, spot: castle_moves.Spot) -> int:
        """Say how many points the card at a spot has."""
        seen = self.at(spot)
        return 0 if seen is None else seen.points

    def definition_at(self, spot: castle_moves.Spot | None) -> CardDefinition | None:
        """Find what is printed on the card at a spot, if that is known."""
        seen = self.at(spot)
        return None if seen is None or seen.card is None else CARDS[seen.card]


def stand(side: SideView) -> float:
    """Say what a side has: what its castle bears, its cards on the field, and those in its hand."""
    field = sum(map(worth, side.field))
    return (side.health or 0) + field + _A_CARD * len(side.hand)


def worth_of(definition: CardDefinition) -> int:
    """Say what a card is worth as printed."""
    return definition.points + WORTH[definition.type]


def worth(card: FieldCard) -> int:
    """Say what a card on the field is worth."""
    if card.spot.zone in ("trickster", "decree"):
        return WORTH[card.spot.zone]
    return card.points + WORTH[card.spot.zone] + _A_LEVEL * card.level


def ops_of(ability: Ability) -> frozenset[str]:
    """Name the operations of an ability."""
    return frozenset(effect.op for effect in ability.effects)


def of_class(kind: type[M], moves: Iterable[Move]) -> list[M]:
    """Pick the moves of one class."""
    return [move for move in moves if isinstance(move, kind)]
