"""One trial: many tables on one journal, a daemon that is killed again and again, and what must hold."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Protocol

from attrs import Factory, asdict, define, frozen

from tests.daemons.daemon import SECONDS, Daemon
from tests.daemons.wall import A_DAY, HOUR
from tests.daemons.wrong import Wrong
from tests.flood.trial import attacked, begin

TABLES = 12
_LONGEST = 240.0  # seconds in which all games that were begun must end
_LEAPS_IN_PLAY = 0.05  # how often the clock leaps by hours, each time that somebody has spoken
_LEAPS_AT_START = 0.6  # how often it has leapt by a hundred days when the daemon starts
_EARLY = 20  # people who come before the daemon is open; the system lets no more than 50 wait


@define
class Figures:
    """What was counted in one trial, or in several."""

    kills: int = 0
    writers: int = 0
    terminations: int = 0
    leaps: int = 0
    returns: int = 0
    tables: int = 0
    finished: int = 0
    put_away: int = 0
    acknowledged: int = 0
    untold: int = 0
    ends: dict[str, int] = Factory(dict)

    def add(self, other: Figures) -> None:
        """Add the figures of another trial."""
        for name, count in asdict(other, filter=lambda _, value: isinstance(value, int)).items():
            setattr(self, name, getattr(self, name) + count)
        for end, count in other.ends.items():
            self.count_end(end, count)

    def count_end(self, end: str, count: int = 1) -> None:
        """Count games that ended in some way."""
        self.ends[end] = self.ends.get(end, 0) + count

    def __str__(self) -> str:
        ends = ", ".join(f"{count} {end}" for end, count in sorted(self.ends.items()))
        return (
            f"{self.kills} kills ({self.writers} of the journal's writer alone),"
            f" {self.terminations} terminations, {self.leaps} leaps of the clock,"
            f" {self.returns} returns, {self.tables} tables,"
            f" {self.finished} games finished ({ends}), {self.put_away} tables put away,"
            f" {self.acknowledged} moves acknowledged, moves lost = 0"
            f" ({self.untold} kept at a kill that nobody had been told of),"
            " games charged or forgotten = 0"
        )


class Company(Protocol):
    """Everybody who plays in a trial, and the loop that hears them."""

    closing: bool  # the daemon was asked to end, or has lost its writer

    @property
    def events(self) -> int:
        """How many things were told and done."""

    @property
    def returns(self) -> int:
        """How often somebody has come back."""

    @property
    def playing(self) -> bool:
        """Whether somebody is there from whom something is still to be expected."""

    @property
    def listening(self) -> bool:
        """Whether the daemon can still say something."""

    def listen(self) -> None:
        """Hear what a new process of the daemon says."""

    def turn(self) -> None:
        """Take in what is there, from whoever has something to say."""

    def invite(self, tables: int) -> None:
        """Let as many come as are missing for so many tables."""

    def invite_last(self) -> None:
        """Let some come for whom there will be no more kills."""

    def come_back(self, most: int | None = None) -> None:
        """Let those come who have something to come back to."""

    def note_end(self) -> Callable[[], None]:
        """Take note of who is there when the daemon is asked to end; gives what checks that they were told."""

    def lose_links(self) -> None:
        """Read what the daemon had sent before it went: what was read is acknowledged."""

    def close(self) -> None:
        """Part with everybody."""


class Books(Protocol):
    """What was told, held against what the journal has."""

    def check(self) -> None:
        """Check everything, after the end of a process."""

    def check_the_end(self) -> None:
        """Check everything, and what must hold when all games are over."""


@frozen
class Scene:
    """What is played in a trial: at which door, with which settings, and by whom."""

    door: str
    ini: Callable[[Random], str]
    bring: Callable[[Daemon, Random, Figures], tuple[Company, Books]]


def run_trial(
    scene: Scene,
    seed: int,
    kills: int,
    tables: int = TABLES,
    writers_only: bool = False,
    journal: str | None = None,
    flood: str | None = None,
) -> Figures:
    """Run a trial; raises Wrong, with the seed, for whatever does not hold.

    The journal is at ``journal``, where there must be none yet, or in a file of its own. With ``writers_only``
    nothing is killed but the process that writes the journal. As long as there are kills a ``flood`` of that kind
    comes to the same door (see ``tests.flood.kinds``).
    """
    with TemporaryDirectory(prefix="parlour-crash-") as folder:
        trial = Trial(scene, Path(folder), seed, kills, tables, writers_only, journal, flood)
        try:
            return trial.run()
        except BaseException as problem:
            problem.add_note(trial.house.log[-8000:])
            problem.add_note(f"door {scene.door}, seed {seed}, after {trial.figures.kills} kills")
            raise


class Trial:
    """Plays, kills, restarts and checks, as a seed has it."""

    def __init__(
        self,
        scene: Scene,
        folder: Path,
        seed: int,
        kills: int,
        tables: int,
        writers_only: bool,
        journal: str | None,
        flood: str | None,
    ) -> None:
        self.figures = Figures()
        self._chance = Random(seed)
        self._leaps = Random(f"the clock of {seed}")
        self._kills = kills
        self._tables = tables
        self._writers_only = writers_only
        self._flood = flood
        self._seed = seed
        self.house = Daemon(folder, [scene.door], scene.ini(self._chance), journal)
        self._company, self._books = scene.bring(self.house, self._chance, self.figures)

    def run(self) -> Figures:
        """Kill the daemon as often as asked for, play all games to their ends, check everything."""
        try:
            with self._flooded():
                self._start()
                while self.figures.kills < self._kills:
                    self._play_for_a_while()
                    self._end_somehow()
                    self._start()
            self._play_to_the_end()
            self._terminate()
            self._books.check_the_end()
            self.figures.returns = self._company.returns
        finally:
            self._company.close()
            self.house.close()
        return self.figures

    @contextmanager
    def _flooded(self) -> Iterator[None]:
        """Let a crowd come to the door meanwhile, if that was asked for."""
        if self._flood is None:
            yield
            return
        door, port = self.house.door, self.house.address[1]
        with attacked({door: port}, "", self._flood, HOUR, self._seed, None) as process:
            begin(process)
            yield
            if process.poll() is not None:
                raise Wrong(f"the flood of {self._flood} has ended by itself")

    # -- playing ----------------------------------------------------------------------

    def _start(self) -> None:
        """Start the daemon, perhaps not at the first try, and let everybody come back."""
        self._launch()
        early = self._chance.random() < 0.3
        dies = self._chance.random() < 0.1 and not self._writers_only
        dies_at = self._chance.randint(1, 6) if dies else None
        while not self.house.open:
            if not self._company.listening:
                raise Wrong("the daemon did not start")
            self._company.turn()
            if early and self.house.bound:
                early = False
                self._company.come_back(_EARLY)
            if dies_at is not None and dies_at <= self.house.lines and not self.house.open:
                dies_at = None
                self._end_early()
        self._company.come_back()

    def _end_early(self) -> None:
        """End the daemon before it is open, and start another."""
        if self._chance.random() < 0.5:
            self._kill()
        else:
            self._kill_writer()
        self._launch()

    def _launch(self) -> None:
        if self._leaps.random() < _LEAPS_AT_START:
            self._leap(100 * A_DAY)
        self.house.start()
        self._company.closing = False
        self._company.listen()

    def _play_for_a_while(self) -> None:
        """Play until a number of things have happened that nobody knows beforehand."""
        mean = self._chance.choice((1, 10, 100, 600))
        last = self._company.events + int(self._chance.expovariate(1 / mean))
        while self._company.events < last:
            self._company.invite(self._tables)
            self._company.turn()
            if self._leaps.random() < _LEAPS_IN_PLAY:
                self._leap(self._leaps.randint(1, A_DAY))

    def _leap(self, hours: int) -> None:
        """Set the daemon's clock forwards or back."""
        self.house.wall.leap(hours * self._leaps.choice((1, -1)))
        self.figures.leaps += 1

    def _play_to_the_end(self) -> None:
        """Play until all have done, with a few more who come when nothing is killed any more."""
        self._company.invite_last()
        deadline = time.monotonic() + _LONGEST
        while self._company.playing:
            self._company.turn()
            if time.monotonic() > deadline:
                raise Wrong(f"they play for ever: {self._company}")

    # -- the end of a process ---------------------------------------------------------

    def _end_somehow(self) -> None:
        dice = self._chance.random()
        if self._writers_only:
            self._company.closing = self.house.kill_writer()
            self._lose_daemon()
        elif dice < 0.15:
            self._terminate(may_kill=self._chance.random() < 0.3)
        elif dice < 0.35:
            self._kill_writer()
        else:
            self._kill()

    def _kill(self) -> None:
        self.house.kill()
        self.figures.kills += 1
        self._company.lose_links()
        self._books.check()

    def _kill_writer(self) -> None:
        """Kill the process that writes the journal: the daemon must end by itself, or is killed at once."""
        self._company.closing = True
        if not self.house.kill_writer() or self._chance.random() < 0.2:
            self._kill()
        else:
            self._lose_daemon()

    def _lose_daemon(self) -> None:
        """Hear a daemon end that has lost its writer."""
        deadline = time.monotonic() + SECONDS
        while self._company.listening:
            if time.monotonic() > deadline:
                raise Wrong(f"the daemon has no writer and does not end: {self._company}")
            self._company.turn()
        self.house.see_out_without_writer()
        self.figures.kills += 1
        self.figures.writers += 1
        self._company.lose_links()
        self._books.check()

    def _terminate(self, may_kill: bool = False) -> None:
        """Ask the daemon to end, hear what it says to everybody, and perhaps do not let it."""
        self.figures.terminations += 1
        company = self._company
        check_word = company.note_end()
        last = company.events + self._chance.randint(0, 50) if may_kill else None
        company.closing = True
        self.house.terminate()
        deadline = time.monotonic() + SECONDS
        while company.listening:
            if time.monotonic() > deadline:
                raise Wrong(f"the daemon was asked to end and does not: {company}")
            if last is not None and company.events >= last:
                self._kill()
                return
            company.turn()
        status = self.house.see_out()
        company.lose_links()
        if status != 0:
            raise Wrong(f"the daemon ended with status {status}")
        check_word()
        self._books.check()
