"""The life of a game of GOPS: for each prize revealed, collecting, and revealed again; or over."""

from __future__ import annotations

from typing import Protocol

from attrs import Factory, define
from automat import TypeMachine, TypeMachineBuilder

from gamecore.events import Emit, RoundBegan, RoundOver
from gamecore.games.gops.events import Cards, Forfeited, Laid, Pair, PrizeTurned, Revealed
from gamecore.games.gops.options import GopsOptions

SEATS = frozenset((0, 1))


class Round(Protocol):
    """What may happen to a game of GOPS."""

    def open(self, now: float) -> None:
        """Turn up the next prize."""

    def bid(self, seat: int, card: int) -> None:
        """Lay a card while the other has yet to lay one."""

    def last_bid(self, seat: int, card: int) -> None:
        """Lay the card that was waited for, and turn both up."""

    def forfeit(self, seats: tuple[int, ...], why: str) -> None:
        """End the game by somebody's going, or silence."""


@define
class RoundCore:
    """The table itself: what outlives one prize.

    ``laid`` are the cards laid for the prize so far, by seat; ``to_move`` is empty while none are awaited.
    """

    options: GopsOptions
    emit: Emit
    prizes: Cards  # those to come, the next one first
    hands: tuple[Cards, Cards]
    number: int = 0
    since: float = 0.0
    pot: Cards = ()
    scores: Pair = (0, 0)
    shown: tuple[Revealed, ...] = ()
    forfeit: Forfeited | None = None
    laid: dict[int, int] = Factory(dict)
    to_move: frozenset[int] = frozenset()

    def turn_prize(self, now: float) -> None:
        """Add the next prize to what is played for."""
        prize, *rest = self.prizes
        self.prizes, self.pot = tuple(rest), (*self.pot, prize)
        self.number += 1
        self.since = now
        self.to_move = SEATS

    def award(self, bids: Pair) -> Revealed:
        """Take both cards from the hands, and give what lies on the table to the higher one."""
        pot, winner = self.pot, higher_bidder(bids)
        if winner is not None:
            first, second = self.scores
            won = sum(pot)
            self.scores = (first, second + won) if winner else (first + won, second)
        if winner is not None or self.options.ties == "discard":
            self.pot = ()
        first_hand, second_hand = self.hands
        self.hands = (_without(first_hand, bids[0]), _without(second_hand, bids[1]))
        told = Revealed(self.number, pot[-1], pot, bids, winner, self.scores, self.pot)
        self.shown = (*self.shown, told)
        return told

    def close(self) -> None:
        """Wait for no card any more."""
        self.laid, self.to_move = {}, frozenset()


def higher_bidder(bids: Pair) -> int | None:
    """Name the seat with the higher card, or nobody if they are equal (GOPS specification, section 1)."""
    return None if bids[0] == bids[1] else int(bids[1] > bids[0])


def _without(hand: Cards, card: int) -> Cards:
    return tuple(each for each in hand if each != card)


def _round_machine() -> TypeMachine[Round, RoundCore]:
    builder = TypeMachineBuilder(Round, RoundCore)
    revealed = builder.state("revealed")
    collecting = builder.state("collecting")
    over = builder.state("over")

    @revealed.upon(Round.open).to(collecting)
    def turn_prize(round: Round, core: RoundCore, now: float) -> None:
        core.turn_prize(now)
        core.emit(RoundBegan(core.number))
        core.emit(PrizeTurned(core.number, core.pot[-1], core.pot, core.hands, core.scores))

    @collecting.upon(Round.bid).loop()
    def lay(round: Round, core: RoundCore, seat: int, card: int) -> None:
        core.laid[seat] = card
        core.to_move -= {seat}
        core.emit(Laid(seat))

    @collecting.upon(Round.last_bid).to(revealed)
    def turn_up(round: Round, core: RoundCore, seat: int, card: int) -> None:
        core.emit(Laid(seat))
        laid = {**core.laid, seat: card}
        core.close()
        core.emit(core.award((laid[0], laid[1])))
        core.emit(RoundOver(core.number))

    @collecting.upon(Round.forfeit).to(over)
    def give_up(round: Round, core: RoundCore, seats: tuple[int, ...], why: str) -> None:
        core.close()
        core.forfeit = Forfeited(seats, why, core.scores)
        core.emit(core.forfeit)
        core.emit(RoundOver(core.number))

    return builder.build()


RoundMachine = _round_machine()
