"""A whole run: games are begun as there is room, and written down in the order of the pairings."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from attrs import frozen
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IDelayedCall
from twisted.python.failure import Failure

from gamecore.rules import Registry
from protocols.tournament.games import Game, Result, blame
from protocols.tournament.games_file import GamesFile
from protocols.tournament.house import ProgramHouse
from protocols.tournament.pairer import Pairer
from protocols.tournament.plan import Plan
from protocols.tournament.schedule import Schedule
from protocols.tournament.sprt import Sprt
from protocols.tournament.workers import Workers

GAMES, TIMES, ERRORS = "games.jsonl", "times.jsonl", "stderr"
_AHEAD_HOUSE = 1000  # games of house bots begun beyond the first without a result, for each at once
_WRITE_SECONDS = 0.2
_AHEAD = 2  # and of programs: what has ended out of its order is played again after a crash


class RunFailed(RuntimeError):
    """Something went wrong on our side; the run can go on from its file."""


class Progress(Protocol):
    """Who is told how far a run is."""

    def went_on(self, done: int, total: int, last: Result | None) -> None:
        """Hear how many games are over, of how many that are known of."""


@frozen
class Finished:
    """What a run came to: all results, who was suspended, and what a test of two said."""

    results: Sequence[Result]
    suspended: Sequence[str]
    schedule: Schedule
    sprt: Sprt | None


class Run:
    """One run, from where its file ends to the end of the tournament."""

    def __init__(
        self,
        plan: Plan,
        folder: Path,
        registry: Registry,
        reactor: Any,
        progress: Progress,
        sprt: Sprt | None = None,
    ) -> None:
        """Open the folder of the run of a plan, or of a part of it.

        Raises DamagedFile, OtherTournament, OSError.
        """
        self._plan = plan
        self._folder = folder
        self._registry = registry
        self._reactor = reactor
        self._progress = progress
        self._sprt = sprt
        self._schedule = Schedule(plan)
        self._file = GamesFile(folder / GAMES)
        self._done: Deferred[Finished] = Deferred()
        self._early: dict[str, Result] = {}  # over before their turn to be written has come
        self._under_way: set[str] = set()  # games of programs
        self._pulled = 0  # games that were taken from the schedule and are not written
        self._later: list[Game] = []  # games of programs that there was no room for
        self._house: ProgramHouse | None = None
        self._due: IDelayedCall | None = None
        self._pairing = False
        self._pairer = Pairer(plan.settings.format, reactor)
        self._ended = False
        self._workers = Workers(plan, reactor, self._house_over, self._fail)
        self._replay()

    def _replay(self) -> None:
        for result in self._file.results:
            if self._schedule.needs_pairing:
                self._schedule.paired(self._schedule.pair())
            self._schedule.take(result)
            if self._sprt is not None:
                self._sprt.add(result)

    def begin(self) -> Deferred[Finished]:
        """Play until it is over; fails with RunFailed."""
        self._progress.went_on(len(self._file.results), self._schedule.total, None)
        self._go_on_soon()
        return self._done

    def stop(self) -> None:
        """End all that runs; what is in the file stays."""
        self._ended = True
        if self._due is not None and self._due.active():
            self._due.cancel()
        self._workers.stop()
        self._pairer.stop()
        if self._house is not None:
            self._house.stop()
            self._house = None
        self._file.close()

    # -- in turns of the reactor ------------------------------------------------------

    def _go_on_soon(self, seconds: float = 0.0) -> None:
        """Go on in so many seconds, or sooner if that was asked for already."""
        if self._pairing or self._ended:
            return
        if self._due is None or not self._due.active():
            self._due = self._reactor.callLater(seconds, self._go_on)
        elif self._due.getTime() > self._reactor.seconds() + seconds:
            self._due.reset(seconds)

    def _go_on(self) -> None:
        if self._ended:
            return
        try:
            self._write()
            if self._schedule.over or (self._sprt is not None and self._sprt.decision):
                self._finish()
            elif self._schedule.needs_pairing:
                self._pair()
            else:
                self._begin_games()
        except Exception as problem:  # a full disk, say
            self._fail(str(problem), Failure())

    def _write(self) -> None:
        """Write down what is over, as far as the order allows."""
        ready: list[Result] = []
        while (first := self._schedule.first_open) in self._early:
            result = self._early.pop(str(first))
            ready.append(result)
            self._pulled -= 1
            self._schedule.take(result)
            if self._sprt is not None and self._sprt.add(result):
                break
        if ready:
            self._file.append(ready)
            self._write_times(ready)
            count = len(self._file.results)
            self._progress.went_on(count, self._schedule.total, ready[-1])

    def _write_times(self, results: Sequence[Result]) -> None:
        slowest = {} if self._house is None else self._house.slowest
        with open(self._folder / TIMES, "a", encoding="utf-8") as file:
            for each in results:
                if each.id in slowest:
                    print(json.dumps({"id": each.id, "slowest": slowest.pop(each.id)}), file=file)

    def _pair(self) -> None:
        self._pairing = True

        def paired(found: Any) -> None:
            self._pairing = False
            self._schedule.paired(found)
            self._go_on_soon()

        pairing = self._pairer.pair(self._schedule.field)
        pairing.addCallback(paired).addErrback(
            lambda failure: self._fail(str(failure.value), failure)
        )

    def _begin_games(self) -> None:
        most = self._plan.settings.concurrency
        while len(self._later) < _AHEAD * most and self._pulled < _AHEAD_HOUSE * most:
            game = self._schedule.next_game()
            if game is None:
                break
            self._pulled += 1
            if all(self._plan.entrant(each).level is not None for each in game.entrants):
                self._workers.play(game)
            else:
                self._later.append(game)
        while self._later and len(self._under_way) + self._workers.busy < most:
            self._begin(self._later.pop(0))
        self._workers.hand_out(most - len(self._under_way))

    def _begin(self, game: Game) -> None:
        suspended = self._schedule.suspended(game)
        if suspended is not None:
            self._over(blame(game, "suspended", suspended))
            return
        if self._house is None:
            errors = self._folder / ERRORS
            errors.mkdir(exist_ok=True)
            self._house = ProgramHouse(self._plan, self._registry, self._reactor, errors)
        self._under_way.add(game.id)
        self._house.play(game).addCallback(self._over).addErrback(
            lambda failure: self._fail(str(failure.value), failure)
        )

    def _house_over(self, result: Result) -> None:
        """Let the worker go on; what it told is written with others, for it would be the same again."""
        self._early[result.id] = result
        self._workers.hand_out(self._plan.settings.concurrency - len(self._under_way))
        self._go_on_soon(_WRITE_SECONDS)

    def _over(self, result: Result) -> None:
        self._under_way.discard(result.id)
        self._early[result.id] = result
        self._go_on_soon()

    def _finish(self) -> None:
        finished = Finished(
            list(self._file.results), self._schedule.all_suspended, self._schedule, self._sprt
        )
        self.stop()
        self._done.callback(finished)

    def _fail(self, why: str, failure: Failure | None = None) -> None:
        if not self._ended:
            self.stop()
            problem = RunFailed(why)
            problem.__cause__ = None if failure is None else failure.value
            self._done.errback(problem)


def read_times(folder: Path) -> Mapping[str, Sequence[float]]:
    """Give the longest think of each seat in seconds, by game, as far as it was written down."""
    path = folder / TIMES
    times: dict[str, Sequence[float]] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            written = json.loads(line)
            times[written["id"]] = written["slowest"]
        except (ValueError, KeyError, TypeError):
            continue  # cut off by a crash; nothing counts by it
    return times
