"""What happened at 1-2-3 Pass, as far back as it matters to who imagines what others hold."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import Factory, define, frozen

from gamecore.cards import Card
from gamecore.games.pass123.events import Hand, Hands

_KEPT = 32  # passes: enough that who saw a card before them can hardly say where it is now


@frozen
class Away:
    """A card that a seat has passed on at the ``number``-th pass, and not seen since."""

    card: Card
    number: int


@define
class Past:
    """The last passes, and the hands before them; ``away`` is what each seat had given out of its hand by then.

    A game may go on for thousands of passes: those before are counted as ``forgotten``, and that is all.
    """

    direction: str
    hands: list[list[Card]]
    away: list[dict[Card, Away]]
    passes: list[Hand] = Factory(list)
    forgotten: int = 0

    @classmethod
    def of_deal(cls, dealt: Hands, direction: str) -> Past:
        """Begin with the deal."""
        return cls(direction, [list(hand) for hand in dealt], [{} for _ in dealt])

    @property
    def count(self) -> int:
        """How many passes there were."""
        return self.forgotten + len(self.passes)

    def add(self, cards: Hand) -> None:
        """Keep what every seat has passed on, and forget what is too long ago."""
        self.passes.append(cards)
        if len(self.passes) > _KEPT:
            self.forgotten += 1
            first = self.passes.pop(0)
            self.move(self.hands, first)
            remember(self.away, first, self.direction, self.forgotten)

    def move(self, hands: Sequence[list[Card]], cards: Hand) -> None:
        """Let the cards of one pass change hands."""
        for giver, card in enumerate(cards):
            hands[giver].remove(card)
        for giver, card in enumerate(cards):
            hands[taker(giver, len(cards), self.direction)].append(card)

    def moments(self) -> Sequence[Hands]:
        """List the hands before the first pass that is kept, and after each."""
        hands = [list(hand) for hand in self.hands]
        moments = [tuple(map(tuple, hands))]
        for cards in self.passes:
            self.move(hands, cards)
            moments.append(tuple(map(tuple, hands)))
        return moments


def taker(seat: int, players: int, direction: str) -> int:
    """Name the seat that gets the card of ``seat`` (123Pass specification, section 1, direction of passing)."""
    return (seat + (1 if direction == "up" else -1)) % players


def remember(away: Sequence[dict[Card, Away]], cards: Hand, direction: str, number: int) -> None:
    """Let each seat know which card it has passed on, and which it has got."""
    for giver, card in enumerate(cards):
        away[giver][card] = Away(card, number)
        away[taker(giver, len(cards), direction)].pop(card, None)
