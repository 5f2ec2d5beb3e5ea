"""A whole game of Rikiki, of which rounds are parts: what is dealt, the points, and the places at its end."""

from __future__ import annotations

from attrs import Factory, define

from gamecore.cards import PACK
from gamecore.events import Emit
from gamecore.fairness import Deal
from gamecore.games.rikiki.events import Result, RoundScored
from gamecore.games.rikiki.options import RikikiOptions, turns_trump
from gamecore.games.rikiki.round import RoundCore, begin_round
from gamecore.games.rikiki.scoring import points
from gamecore.rules import Outcome


@define
class RikikiCore:
    """What outlives the rounds of a game.

    ``sizes`` are the cards in each round's hands, ``most`` what may be chosen for one at most, ``chosen`` those of
    the next if somebody has said so, ``number`` counts the rounds from 1, ``since`` is the table time from which
    the decision under way is counted, ``gone`` are the seats that the house plays on for.
    """

    options: RikikiOptions
    players: int
    deal: Deal
    emit: Emit
    sizes: tuple[int, ...]
    most: int
    number: int = 0
    chosen: int | None = None
    since: float = 0.0
    totals: list[int] = Factory(list)
    results: list[tuple[Result, ...]] = Factory(list)
    gone: set[int] = Factory(set)
    outcome: Outcome | None = None

    def present(self) -> list[int]:
        """List the seats of those who have not gone for good."""
        return [seat for seat in range(self.players) if seat not in self.gone]

    def beginners(self) -> frozenset[int]:
        """Name the seats that may begin the next round."""
        present = self.present()
        return frozenset(present[:1] if self.options.next == "opener" else present)

    def next_size(self) -> int:
        """Say how many cards the next round deals to each: what was chosen, else what the schedule has."""
        return self.sizes[self.number] if self.chosen is None else self.chosen

    def next_round(self) -> RoundCore:
        """Deal the next round; its first seat is one further on than that of the round before."""
        first, cards = self.number % self.players, self.next_size()
        self.number, self.chosen = self.number + 1, None
        order = [(first + place) % self.players for place in range(self.players)]
        pack = self.deal.shuffle("pack", PACK)
        trump = turns_trump(cards, self.players, self.options)
        return begin_round(pack, order, cards, trump, self.emit)

    def score(self, played: RoundCore) -> None:
        """Write down what a round that is done has brought."""
        for seat in played.order:
            bid = played.bids[seat][0]
            self.totals[seat] += points(self.options.scoring, bid, played.won[seat])
        self.results.append(tuple(self._result(played, seat) for seat in played.order))
        self.emit(RoundScored(self.number, len(self.sizes), self.results[-1]))

    def _result(self, played: RoundCore, seat: int) -> Result:
        bid, won = played.bids[seat][0], played.won[seat]
        return Result(seat, bid, won, points(self.options.scoring, bid, won), self.totals[seat])

    def finish(self, reason: str = "") -> None:
        """Give the places: those with the most points first, those who left behind all others."""
        scored = self.options.scoring != "none"
        marks = [
            (seat not in self.gone, self.totals[seat] if scored else 0)
            for seat in range(self.players)
        ]
        places = tuple(1 + sum(other > mark for other in marks) for mark in marks)
        self.outcome = Outcome(places, tuple(self.totals) if scored else None, reason)
