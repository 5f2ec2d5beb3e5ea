"""Bots at the table: a seat with a level is played by a bot, whose moves are ordinary moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from twisted.internet.interfaces import IDelayedCall, IReactorTime

from gamecore.bots import Bot, find_bot
from gamecore.errors import Refused
from gamecore.player import PlayerCore
from gamecore.rules import Move
from gamecore.table_view import TableView
from protocols.host.face import Face, News, Place

if TYPE_CHECKING:
    from protocols.host.live_table import LiveTable


class Mover(Protocol):
    """What a bot needs of the Host: to make its move, and the time while it hesitates."""

    @property
    def clock(self) -> IReactorTime:
        """The reactor's time."""

    def submit(self, face: Face, move: Move, tag: object = None) -> None:
        """Play a move for the seat of a face."""


class BotFace:
    """The face of one bot; the Host asks it for a move whenever its seat is to move."""

    __slots__ = ("_again", "_bot", "_chance", "_host", "_player", "_timer", "asked", "place")

    def __init__(
        self, host: Mover, place: Place, bot: Bot, chance: Random, again: Callable[[], None]
    ) -> None:
        self._again = again
        self._player = place.player
        self._host = host
        self._bot = bot
        self._chance = chance
        self.place: Place | None = place
        self._timer: IDelayedCall | None = None  # runs while it hesitates
        self.asked = False  # a question is on its way; asking twice would move twice

    def ask(self, view: TableView, moves: Sequence[Move]) -> None:
        """Think of a move, and play it, at once or after some hesitation."""
        if view.board is None or not moves or self.place is None:
            self.asked = False
            return
        move = self._bot.choose(view.board, moves, self._chance)
        wait = self._bot.hesitate(view.board, moves, self._chance)
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


class Bots:
    """Seats a bot wherever a seat has a level, and asks it when it is to move."""

    def __init__(
        self,
        host: Mover,
        chance: Random,
        post: Callable[..., None],
        again: Callable[[LiveTable], None],
    ) -> None:
        """Play through a host; ``post`` takes a face, what it is to hear, and with what, in the one order."""
        self._host = host
        self._chance = chance
        self._post = post
        self._again = again

    def seat(self, live: LiveTable) -> None:
        """Give every seat that has a level its bot, and let go of bots that lost theirs."""
        table = live.table
        players = [core for core in table.seated().values() if core.level is not None]
        kept = [bot for bot in live.bots if any(map(bot.plays_for, players))]
        for bot in live.bots:
            if bot not in kept:
                bot.stop()
        for core in players:
            if core.level is not None and not any(bot.plays_for(core) for bot in kept):
                mind = find_bot(table.rules.kind, core.level)
                again = partial(self._again, live)
                place = Place(table.code, core)
                kept.append(BotFace(self._host, place, mind, self._chance, again))
        live.bots = kept

    def ask(self, live: LiveTable, now: float) -> None:
        """Ask each bot whose seat is to move, once, with what its seat may know."""
        table = live.table
        awaited = table.awaited()
        for bot in live.bots:
            if bot.seat in awaited and not bot.asked:
                bot.asked = True
                view, moves = table.seen_by(bot.seat, now), table.legal_moves(bot.seat)
                self._post(bot, bot.ask, view, moves)

    @staticmethod
    def awaited(live: LiveTable) -> bool:
        """Say whether a bot is to move."""
        awaited = live.table.awaited()
        return any(bot.seat in awaited for bot in live.bots)
