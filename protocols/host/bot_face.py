"""The face of a bot: a seat with a level is played by one, whose moves are ordinary moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Protocol

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IDelayedCall, IReactorTime
from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore.bots import Bot, Thinker
from gamecore.errors import Refused
from gamecore.player import PlayerCore
from gamecore.rules import Move, View
from gamecore.table_view import TableView
from protocols.host.face import Face, News
from protocols.host.place import Place
from protocols.host.thinking import NotThought, Question, Thinking


class Mover(Protocol):
    """What a bot needs of the Host: to make its move, and the time while it hesitates."""

    @property
    def clock(self) -> IReactorTime:
        """The reactor's time."""

    def submit(self, face: Face, move: Move, tag: object = None) -> None:
        """Play a move for the seat of a face."""


class BotFace:
    """The face of one bot; the Host asks it for a move whenever its seat is to move."""

    _log = Logger()
    __slots__ = (
        "_again",
        "_bot",
        "_chance",
        "_host",
        "_player",
        "_thinking",
        "_thought",
        "_timer",
        "asked",
        "place",
    )

    def __init__(
        self,
        host: Mover,
        place: Place,
        bot: Bot,
        chance: Random,
        again: Callable[[], None],
        thinking: Thinking,
    ) -> None:
        self._again = again
        self._player = place.player
        self._host = host
        self._bot = bot
        self._chance = chance
        self.place: Place | None = place
        self._timer: IDelayedCall | None = None  # runs while it hesitates
        self._thinking = thinking
        self._thought: Deferred[Move] | None = None  # what is being thought about
        self.asked = False  # a question is on its way; asking twice would move twice

    @property
    def thinks_ahead(self) -> bool:
        """Whether it wants a question to think about, where there is something to choose."""
        return isinstance(self._bot, Thinker)

    def ask(self, view: TableView, moves: Sequence[Move], question: Question | None = None) -> None:
        """Think of a move, and play it, at once or after some hesitation."""
        if view.board is None or not moves or self.place is None:
            self.asked = False
            return
        if question is not None:
            self._think(question, view.board, moves)
        else:
            self._decide(view.board, moves, self._bot.choose(view.board, moves, self._chance))

    def _think(self, question: Question, board: View, moves: Sequence[Move]) -> None:
        """Have it thought about; where nobody can, play as well as is possible at once."""

        def decide(result: Move | Failure) -> None:
            if self._thought is not thought:
                return  # it was told to stop
            self._thought = None
            if isinstance(result, Failure):
                result.trap(NotThought)
                result = self._bot.choose(board, moves, self._chance)
            self._decide(board, moves, result)

        thought = self._thought = self._thinking.think(question)
        thought.addBoth(decide)
        thought.addErrback(lambda failure: self._log.failure("a bot's thought", failure))

    def _decide(self, board: View, moves: Sequence[Move], move: Move) -> None:
        wait = self._bot.hesitate(board, moves, self._chance)
        if wait > 0:
            self._timer = self._host.clock.callLater(wait, self._play, move)
        else:
            self._play(move)

    def _play(self, move: Move) -> None:
        self._timer = None
        self.asked = False
        self._host.submit(self, move)

    def stop(self) -> None:
        """Think no further."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._thought = None
        self.asked = False

    @property
    def seat(self) -> int | None:
        """Where it sits."""
        return None if self._player is None else self._player.seat

    def plays_for(self, player: PlayerCore) -> bool:
        """Say whether this is the bot of a player."""
        return self._player is player

    def shown(self, view: TableView) -> None:
        """Wait for the question, which brings a View of its own."""

    def told(self, news: News) -> None:
        """Wait for the question, which brings a View of its own."""

    def answered(self, tag: Any, refusal: Refused | None) -> None:
        """Be asked again if the game has gone on since the question, and the seat is still to move."""
        if refusal is not None:
            self._again()

    def given(self, token: str) -> None:
        """A bot never comes back: its seat is given a new one."""

    def paused(self, trouble: str | None) -> None:
        """Wait: the answer to the last move comes when play goes on."""

    def parted(self, reason: str) -> None:
        """Leave."""
        self.place = None
        self.stop()
