"""The processes that play games of house bots, each on a core of its own."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from gamecore.codec import plain
from protocols.tournament.games import Game, Result
from protocols.tournament.games_file import read_line
from protocols.tournament.line_process import LineProcess
from protocols.tournament.plan import Plan

AT_ONCE = 50  # games that a worker is given at a time


class Worker(LineProcess):
    """One process; it is given games when it has none."""

    def __init__(self, told: Callable[[Result], None], failed: Callable[[str], None]) -> None:
        super().__init__(self._played, failed)
        self._hear = told
        self.games = 0  # that it has not told the result of

    def play(self, games: Sequence[Game]) -> None:
        """Let it play games."""
        self.games += len(games)
        self.ask([plain(each) for each in games])

    def _played(self, line: bytes) -> None:
        self.games -= 1
        self._hear(read_line(line))


class Workers:
    """So many workers, started when they are needed; results come in any order."""

    def __init__(
        self,
        plan: Plan,
        reactor: Any,
        told: Callable[[Result], None],
        failed: Callable[[str], None],
    ) -> None:
        """``told`` hears each result, ``failed`` why a worker has ended before it was to."""
        self._arguments = [sys.executable, "-m", "protocols.tournament.house_worker"]
        self._plan = plan.written()
        self._most = plan.settings.concurrency
        self._reactor = reactor
        self._told = told
        self._failed = failed
        self._workers: list[Worker] = []
        self._waiting: deque[Game] = deque()
        self._stopped = False

    @property
    def busy(self) -> int:
        """How many of them play."""
        return sum(each.games > 0 for each in self._workers)

    def play(self, game: Game) -> None:
        """Let a game be played, sooner or later."""
        self._waiting.append(game)

    def hand_out(self, room: int) -> None:
        """Give games to those who have none, to as many as there is ``room`` for."""
        while self._waiting and self.busy < room:
            idle = next((each for each in self._workers if not each.games), None)
            if idle is None:
                idle = self._start()
            count = min(AT_ONCE, -(-len(self._waiting) // self._most))
            idle.play([self._waiting.popleft() for _ in range(count)])

    def _start(self) -> Worker:
        worker = Worker(self._told, self._end)
        self._reactor.spawnProcess(worker, self._arguments[0], self._arguments, env=None)
        worker.ask(self._plan)
        self._workers.append(worker)
        return worker

    def _end(self, why: str) -> None:
        if not self._stopped:
            self._failed(why)

    def stop(self) -> None:
        """End them all: they have nothing that would be lost."""
        self._stopped = True
        for worker in self._workers:
            worker.stop()
