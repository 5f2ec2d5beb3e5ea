"""The constant facts of 1-2-3 Pass, and how a game begins."""

from __future__ import annotations

from collections.abc import Sequence

from gamecore.cards import PACK, RANKS
from gamecore.events import Emit, Event, RoundBegan, RoundOver
from gamecore.fairness import Deal
from gamecore.games.pass123.events import (
    Begun,
    Dealt,
    Finished,
    Named,
    Passed,
    Ready,
    Received,
    TakenBack,
    Tapped,
    Voided,
)
from gamecore.games.pass123.moves import Finish, Pass, Tap
from gamecore.games.pass123.options import MOST_PLAYERS, PassOptions
from gamecore.games.pass123.position import PassPosition
from gamecore.games.pass123.round import HAND, begin_with
from gamecore.rules import Move, Seat


class PassRules:
    """1-2-3 Pass for as many as there are ranks."""

    kind = "pass123"
    title = "1-2-3 Pass"
    version = 1
    seats = range(2, MOST_PLAYERS + 1)
    options = PassOptions
    brings = None
    moves: Sequence[type[Move]] = (Pass, Finish, Tap)
    events: Sequence[type[Event]] = (
        Begun,
        Dealt,
        Named,
        Ready,
        Passed,
        Received,
        Finished,
        TakenBack,
        Tapped,
        Voided,
        RoundBegan,
        RoundOver,
    )

    def begin(
        self, seats: Sequence[Seat], options: PassOptions, deal: Deal, emit: Emit, now: float
    ) -> PassPosition:
        """Draw as many ranks as there are players, and deal all their cards."""
        players = len(seats)
        ranks = deal.shuffle("ranks", RANKS)[:players]
        pack = deal.shuffle("hands", [card for card in PACK if card.rank in ranks])
        dealt = tuple(tuple(pack[HAND * seat :][:HAND]) for seat in range(players))
        emit(RoundBegan(1))
        emit(Begun(players, options))
        for seat, hand in enumerate(dealt):
            emit(Dealt(seat, hand, players))
        return PassPosition(begin_with(dealt, options, emit, now))


RULES = PassRules()
