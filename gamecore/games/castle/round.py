"""The life of a duel: mulligan, then turns with their windows and questions, until it is over.

What a move does is done by the steps (see ``core``); where that comes to rest is one input to this machine, which
holds, as the data of its state, whom the table waits for.
"""

from __future__ import annotations

from typing import Protocol

from attrs import define, frozen
from automat import TypeMachine, TypeMachineBuilder

from gamecore.events import RoundOver
from gamecore.games.castle import events
from gamecore.games.castle.acting import begin_turn
from gamecore.games.castle.core import DuelCore, Question, Window
from gamecore.games.castle.dealing import shuffle_deck

FIRST_HAND = 6


@frozen
class Mulligans:
    """Who has not accepted a hand yet."""

    waiting: frozenset[int]


@define
class Pause:
    """What the table waits for; a state entered from itself keeps its data, so there this is renewed."""

    stop: Window | Question


@frozen
class Acting:
    """The active player may do what it likes."""


@frozen
class Over:
    """Nobody may do anything any more."""


Stands = Mulligans | Acting | Window | Question | Over


class Duel(Protocol):
    """What may happen to a duel, and what it answers."""

    def redraw(self, seat: int) -> None:
        """Shuffle a hand back and draw one card fewer."""

    def keep(self, seat: int) -> None:
        """Accept a hand; the other player has yet to."""

    def keep_last(self, seat: int) -> None:
        """Accept the hand everybody was waiting for."""

    def act(self) -> None:
        """Let the active player do something."""

    def await_answer(self, window: Window) -> None:
        """Let a player answer an action."""

    def await_reply(self, question: Question) -> None:
        """Let a player choose."""

    def finish(self) -> None:
        """The duel has ended."""

    def stands(self) -> Stands:
        """Say whom the table waits for, and for what."""


def _duel_machine() -> TypeMachine[Duel, DuelCore]:
    def hold_window(duel: Duel, core: DuelCore, window: Window) -> Pause:
        return Pause(window)

    def hold_question(duel: Duel, core: DuelCore, question: Question) -> Pause:
        return Pause(question)

    builder = TypeMachineBuilder(Duel, DuelCore)
    mulligan = builder.state("mulligan")
    acting = builder.state("acting")
    responding = builder.state("responding", hold_window)
    asked = builder.state("asked", hold_question)
    over = builder.state("over")

    acting.upon(Duel.stands).loop().returns(Acting())
    over.upon(Duel.stands).loop().returns(Over())

    @mulligan.upon(Duel.stands).loop()
    def tell_mulligans(duel: Duel, core: DuelCore) -> Stands:
        return Mulligans(frozenset(core.choosing))

    @responding.upon(Duel.stands).loop()
    def tell_window(duel: Duel, core: DuelCore, pause: Pause) -> Stands:
        return pause.stop

    @asked.upon(Duel.stands).loop()
    def tell_question(duel: Duel, core: DuelCore, pause: Pause) -> Stands:
        return pause.stop

    @responding.upon(Duel.await_answer).loop()
    def ask_next(duel: Duel, core: DuelCore, pause: Pause, window: Window) -> None:
        pause.stop = window

    @asked.upon(Duel.await_reply).loop()
    def ask_again(duel: Duel, core: DuelCore, pause: Pause, question: Question) -> None:
        pause.stop = question

    @mulligan.upon(Duel.redraw).loop()
    def deal_again(duel: Duel, core: DuelCore, seat: int) -> None:
        core.sides[seat].mulligans += 1
        deal_hand(core, seat)
        core.emit(events.HandRedrawn(seat, len(core.sides[seat].hand)))
        tell_hand(core, seat)

    @mulligan.upon(Duel.keep).loop()
    def note_keep(duel: Duel, core: DuelCore, seat: int) -> None:
        core.choosing.discard(seat)
        core.emit(events.HandKept(seat))

    @mulligan.upon(Duel.keep_last).to(acting)
    def show_castles(duel: Duel, core: DuelCore, seat: int) -> None:
        core.emit(events.HandKept(seat))
        one, two = core.sides
        castles, healths = (one.castle.card, two.castle.card), (one.health, two.health)
        core.emit(events.CastlesShown(castles, healths, (len(one.hand), len(two.hand))))
        begin_turn(core, draws=False)

    for state in (acting, responding, asked):
        state.upon(Duel.act).to(acting).returns(None)
    acting.upon(Duel.await_answer).to(responding).returns(None)
    asked.upon(Duel.await_answer).to(responding).returns(None)
    acting.upon(Duel.await_reply).to(asked).returns(None)
    responding.upon(Duel.await_reply).to(asked).returns(None)
    mulligan.upon(Duel.finish).to(over).returns(None)
    for state in (acting, responding, asked):
        state.upon(Duel.finish).to(over).returns(None)
    return builder.build()


def deal_hand(core: DuelCore, seat: int) -> None:
    """Shuffle what a seat holds into its deck and deal it a hand, one card fewer for each mulligan."""
    side = core.sides[seat]
    side.deck += side.hand
    shuffle_deck(core, seat)
    side.hand, side.taken = [], 0
    for _ in range(FIRST_HAND - side.mulligans):
        side.take(side.deck.pop())


def tell_hand(core: DuelCore, seat: int) -> None:
    """Tell a player its hand."""
    core.emit(events.HandDealt(seat, tuple(piece.card for piece in core.sides[seat].hand)))


def finish(duel: Duel, core: DuelCore) -> None:
    """Put the cards away."""
    core.todo, core.stop, core.ends = [], None, {}
    core.emit(RoundOver(1))
    duel.finish()


DuelMachine = _duel_machine()
