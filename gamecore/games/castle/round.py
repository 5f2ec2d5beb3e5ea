"""The life of a duel: mulligan, then turns with their windows and questions, until it is over.

What a move does is done by the steps (see ``core``); where that comes to rest is one input to this machine.
"""

from __future__ import annotations

from typing import Protocol

from automat import TypeMachine, TypeMachineBuilder

from gamecore.events import RoundOver
from gamecore.games.castle import events
from gamecore.games.castle.core import RoundCore
from gamecore.games.castle.dealing import shuffle_deck
from gamecore.games.castle.turns import begin_turn

FIRST_HAND = 6


class Round(Protocol):
    """What may happen to a duel."""

    def redraw(self, seat: int) -> None:
        """Shuffle a hand back and draw one card fewer."""

    def keep(self, seat: int) -> None:
        """Accept a hand; the other player has yet to."""

    def keep_last(self, seat: int) -> None:
        """Accept the hand everybody was waiting for."""

    def act(self) -> None:
        """Let the active player do something."""

    def await_answer(self) -> None:
        """Let a player answer an action."""

    def await_reply(self) -> None:
        """Let a player choose."""

    def finish(self) -> None:
        """The duel has ended."""


def _round_machine() -> TypeMachine[Round, RoundCore]:
    builder = TypeMachineBuilder(Round, RoundCore)
    mulligan = builder.state("mulligan")
    acting = builder.state("acting")
    responding = builder.state("responding")
    asked = builder.state("asked")
    over = builder.state("over")

    @mulligan.upon(Round.redraw).loop()
    def deal_again(round: Round, core: RoundCore, seat: int) -> None:
        core.sides[seat].mulligans += 1
        deal_hand(core, seat)
        core.emit(events.HandRedrawn(seat, len(core.sides[seat].hand)))
        tell_hand(core, seat)

    @mulligan.upon(Round.keep).loop()
    def note_keep(round: Round, core: RoundCore, seat: int) -> None:
        core.choosing.discard(seat)
        core.emit(events.HandKept(seat))

    @mulligan.upon(Round.keep_last).to(acting)
    def show_castles(round: Round, core: RoundCore, seat: int) -> None:
        core.choosing.clear()
        core.emit(events.HandKept(seat))
        one, two = core.sides
        castles, healths = (one.castle.card, two.castle.card), (one.health, two.health)
        core.emit(events.CastlesShown(castles, healths, (len(one.hand), len(two.hand))))
        begin_turn(core, draws=False)

    for state in (acting, responding, asked):
        state.upon(Round.act).to(acting).returns(None)
        state.upon(Round.await_answer).to(responding).returns(None)
        state.upon(Round.await_reply).to(asked).returns(None)
    for state in (mulligan, acting, responding, asked):
        state.upon(Round.finish).to(over).returns(None)
    return builder.build()


def deal_hand(core: RoundCore, seat: int) -> None:
    """Shuffle what a seat holds into its deck and deal it a hand, one card fewer for each mulligan."""
    side = core.sides[seat]
    side.deck += side.hand
    shuffle_deck(core, seat)
    side.hand, side.taken = [], 0
    for _ in range(FIRST_HAND - side.mulligans):
        side.take(side.deck.pop())


def tell_hand(core: RoundCore, seat: int) -> None:
    """Tell a player its hand."""
    core.emit(events.HandDealt(seat, tuple(piece.card for piece in core.sides[seat].hand)))


def finish(round: Round, core: RoundCore) -> None:
    """Put the cards away."""
    core.todo, core.stop, core.ends = [], None, {}
    core.emit(RoundOver(1))
    round.finish()


RoundMachine = _round_machine()
