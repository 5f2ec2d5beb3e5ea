"""The session of one client of the 1-2-3 Pass wire: what it was told, and what it is to be sent next.

A stock client takes turns with us: at its prompt it owes us a code, and the next text of ours is the answer to
that; else it waits for us.  What happens while it sits at its prompt is kept, and said in answer to its next code.
A line client is told everything at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from gamecore.cards import Card
from gamecore.events import Event, RoundOver
from gamecore.games.pass123 import (
    TAP,
    Dealt,
    Finish,
    Finished,
    Named,
    Pass,
    PassView,
    Received,
    TakenBack,
    Tap,
    Tapped,
    Voided,
)
from gamecore.table_events import Abandoned
from protocols.pass123 import wire

Texts = list[bytes]

_REFUSALS = {
    "not-held": wire.NOCARD,
    "no-set": wire.NOSET,
    "nobody-finished": wire.NOTAP,
    "somebody-finished": wire.TAPNOW,
}


class Phase(Enum):
    """What a client can do: nothing yet, send a code, wait for all cards, wait for the end, go."""

    SILENT = "silent"
    PROMPT = "prompt"
    WAITING = "waiting"
    DONE = "done"
    OVER = "over"


class Session:
    """One client's game as it has been told to it."""

    __slots__ = ("_final", "_hand", "_late", "_named", "_places", "line", "phase", "seat")

    def __init__(self) -> None:
        self.line = False
        self.phase = Phase.SILENT
        self.seat = 0
        self._hand: Sequence[Card] = ()
        self._places: Sequence[int] = ()
        self._named: Card | None = None
        self._late: Card | None = None  # named by the clock, and not told yet
        self._final: Texts | None = None  # the answer to the next code, and the end

    @property
    def owes_answer(self) -> bool:
        """Whether the game is over for a client that has yet to hear so, in answer to its next code."""
        return self._final is not None

    def board(self, prefix: str = "", text: str = "") -> bytes:
        """Draw the board as it stands, behind a prefix and below a text."""
        board = wire.Board(self.seat + 1, tuple(self._places), tuple(self._hand))
        return wire.write(wire.Message(prefix, text, board))

    # -- what happens -----------------------------------------------------------------

    def begin(self, view: PassView, seat: int) -> Texts:
        """Show the game to one who joins it at its View, or comes back to it."""
        self.seat, self._hand, self._places, self._named = seat, view.hand, view.places, view.named
        if view.voided is not None:
            return self.end(view.voided.why)
        if all(view.places):
            return self._enter(Phase.OVER, self.board("Quit"))
        if view.places[seat]:
            return self._enter(Phase.DONE, wire.WON if view.places[seat] == 1 else wire.TAPPED)
        if view.named is not None:
            return self._enter(Phase.WAITING, self.board("True"))
        told = [wire.TAPNOW] if view.shown else []
        return self._enter(Phase.PROMPT, *told, self.board())

    def shows(self, view: PassView) -> bool:
        """Say whether all that this client was told is still so."""
        shown = (tuple(self._hand), self._named, tuple(self._places))
        return shown == (view.hand, view.named, view.places) and view.voided is None

    def hear(self, event: Event) -> Texts:
        """Take note of an event and give the texts that tell it."""
        if self.phase is Phase.OVER or self._final is not None:
            return []
        match event:
            case Dealt():
                self.seat, self._hand, self._places = event.seat, event.hand, (0,) * event.players
                return self._enter(Phase.PROMPT, self.board())
            case Named():
                return self._hear_named(event)
            case Received():
                return self._hear_received(event)
            case Finished() | TakenBack():
                return self._hear_finish(event)
            case Tapped():
                return self._hear_tap(event)
            case Voided(why=why) | Abandoned(why=why):
                return self.end(why)
            case RoundOver():
                return self._hear_over()
        return []

    def _hear_named(self, event: Named) -> Texts:
        self._hand, self._named = event.hand, event.card
        if not event.late:
            return self._enter(Phase.WAITING, self.board("True"))
        if self.line:
            told = b"False|" + wire.late(event.card)
            return self._enter(Phase.WAITING, told, self.board("True"))
        self._late = event.card
        return []

    def _hear_received(self, event: Received) -> Texts:
        self._hand, self._named = event.hand, None
        if self.phase is not Phase.WAITING:
            return []
        code = [wire.given(self.seat, event.card)] if self.line else []
        return self._enter(Phase.PROMPT, wire.CONT, *code, self.board())

    def _hear_finish(self, event: Finished | TakenBack) -> Texts:
        """Let the winner know at once, those who wait too, and line clients wherever they are."""
        if isinstance(event, TakenBack):
            self._hand, self._named = event.hand, None
            waited = self.phase is Phase.WAITING
            return self._enter(Phase.PROMPT, wire.VOID, self.board()) if waited else []
        self._places = event.places
        if event.seat == self.seat:
            return self._enter(Phase.DONE, wire.WON)
        return [wire.TAPNOW, self.board()] if self.line and self.phase is Phase.PROMPT else []

    def _hear_tap(self, event: Tapped) -> Texts:
        self._places = event.places
        if event.seat != self.seat:
            return []
        if event.how == TAP:
            last = event.place == len(event.places)
            return self._enter(Phase.DONE, wire.LOST if last else wire.TAPPED)
        if self.line:
            return self._enter(Phase.DONE, b"False|" + wire.reason("late"))
        return []

    def _hear_over(self) -> Texts:
        last = self.board("Quit")
        if self.phase is Phase.PROMPT:
            return self._keep(wire.gone_answer("late"), last)
        return self._enter(Phase.OVER, last)

    def end(self, why: str) -> Texts:
        """Say that there is no game any more: at once, or in answer to the next code."""
        if self.phase is Phase.OVER or self._final is not None:
            return []
        if self.line or self.phase not in (Phase.SILENT, Phase.PROMPT):
            return self._enter(Phase.OVER, wire.gone(why))
        first = [wire.reason(why)] if self.phase is Phase.SILENT else []
        self.phase = Phase.PROMPT
        return first + self._keep(wire.gone_answer(why), wire.gone(why))

    # -- answers to codes -------------------------------------------------------------

    def catch_up(self, move: Pass | Finish | Tap | None) -> Texts:
        """Answer a code with what its sender has not been told yet; nothing if there is no such thing."""
        if self._final is not None:
            final, self._final = self._final, None
            return self._enter(Phase.OVER, *final)
        late, self._late = self._late, None
        if self.phase is not Phase.PROMPT:
            return []
        if self._places[self.seat]:
            return self._enter(Phase.DONE, wire.gone_answer("late"))
        if late is None or (any(self._places) and move is not None):
            return []  # or a tap would have to be sent twice
        if self._named is not None:
            return self._enter(Phase.WAITING, self.board("True", wire.late(late).decode()))
        return [b"False|" + wire.late(late), self.board()]

    def refuse(self, key: str) -> Texts:
        """Answer a code that was refused; nothing to one who has only to wait for the end."""
        if self.phase in (Phase.DONE, Phase.OVER):
            return []
        invalid = [wire.INVALID] if self.line else []
        if self.phase is Phase.WAITING:
            return [*invalid, wire.NOT_NOW]
        if key in _REFUSALS:
            return [*invalid, _REFUSALS[key], self.board()]
        return self.catch_up(None) or [*invalid, b"False|" + wire.reason(key), self.board()]

    def refuse_early(self) -> Texts:
        """Answer a code that came before the answer to the one before it."""
        if self.phase in (Phase.DONE, Phase.OVER):
            return []
        return [wire.INVALID, wire.TOO_EARLY] if self.line else [wire.TOO_EARLY]

    # -- small change -----------------------------------------------------------------

    def _enter(self, phase: Phase, *texts: bytes) -> Texts:
        self.phase = phase
        return list(texts)

    def _keep(self, *texts: bytes) -> Texts:
        if self.line:
            return self._enter(Phase.OVER, texts[-1])
        self._final = list(texts)
        return []
