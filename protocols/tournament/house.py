"""The house in which programs play: one Host without a public port, its journal in memory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
from twisted.internet.defer import Deferred, maybeDeferred
from twisted.internet.task import deferLater

from gamecore.commands import Command
from gamecore.events import Event
from gamecore.hall import Hall
from gamecore.record import Record
from gamecore.rules import Move, Registry
from gamecore.table import Table
from gamecore.table_events import GameOver
from protocols.host.host import Host
from protocols.host.thinker_pool import ThinkerPool
from protocols.host.thinking import Question
from protocols.journal.memory import MemoryJournal
from protocols.tournament.games import Game, Result
from protocols.tournament.match import Match
from protocols.tournament.plan import Plan
from protocols.tournament.programs import Programs

_AGAIN_SECONDS = 0.05  # after which the table of a game that is played again is surely gone


class _Journal(MemoryJournal):
    """Keeps the lines of each game with its match, which outlives the table."""

    def __init__(self, clock: Any) -> None:
        super().__init__(clock)
        self.matches: dict[str, Match] = {}

    def _keep(self, batch: Sequence[Record]) -> None:
        super()._keep(batch)
        for record in batch:
            match = self.matches.get(record.table)
            if match is not None:
                match.lines.append(record.line)


class ProgramHouse:
    """Plays games of programs, any number at once; an observer of its own Host."""

    def __init__(self, plan: Plan, registry: Registry, reactor: Any, errors: Path) -> None:
        self._plan = plan
        self._reactor = reactor
        self._journal = _Journal(reactor)
        self._host = Host(
            Hall(registry),
            self._journal,
            reactor,
            _no_time_of_day,
            in_thread=maybeDeferred,
            thinking=self,
        )
        self._pool = ThinkerPool(reactor, plan.settings.concurrency, plan.limits.game)
        self._host.observers.add(self)
        self._programs = Programs(plan, self._host, reactor, errors)
        self.slowest: dict[str, Sequence[float]] = {}  # by game, until they are asked for

    def play(self, game: Game) -> Deferred[Result]:
        """Play a game; fires with its result."""
        match = Match(self._plan, game, self._host, self._programs, self._reactor)
        self._journal.matches[game.code] = match  # the journal writes nothing before the next turn

        def ended(result: Result) -> Result | Deferred[Result]:
            del self._journal.matches[game.code]
            if match.begun_too_late:
                waited: Deferred[None] = deferLater(self._reactor, _AGAIN_SECONDS)
                return waited.addCallback(lambda _: self.play(game))
            self.slowest[game.id] = match.slowest
            return result

        match.result.addCallback(ended)
        match.begin()
        return match.result

    def stop(self) -> None:
        """End all programs, and all who think."""
        self._programs.stop()
        self._pool.stop()

    def think(self, question: Question) -> Deferred[Move]:
        """Have a house bot think ahead, for as many playouts as its entrant has; fails with NotThought."""
        match = self._journal.matches.get(question.table)
        if match is not None:
            question = attrs.evolve(question, playouts=match.entrant(question.seat).playouts)
        return self._pool.think(question)

    # -- what an observer hears -------------------------------------------------------

    def on_table(self, table: Table, awake: bool) -> None:
        """Know of tables by their games."""

    def on_command(self, table: Table, command: Command, events: Sequence[Event]) -> None:
        """Let a match follow its table."""
        match = self._journal.matches.get(table.code)
        if match is not None:
            match.heed(command, events)

    def on_game_over(self, table: Table, over: GameOver) -> None:
        """Let a match end."""
        match = self._journal.matches.get(table.code)
        if match is not None:
            match.over(over)


def _no_time_of_day() -> float:
    return 0.0
