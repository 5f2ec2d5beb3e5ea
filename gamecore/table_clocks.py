"""The clocks of a table: of those who are to move, of those who are away, and of a table that nobody needs.

All times are table time, seconds since the table was opened.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import frozen

from gamecore.commands import Clock, TimeUp
from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.roster import Roster
from gamecore.table_game import TableGame


@frozen
class Alarm:
    """The next clock to run out: when, in table time, and the command to submit then."""

    at: float
    command: TimeUp


class TableClocks:
    """Which clocks run, and when they run out."""

    __slots__ = ("_expiry", "_game", "_roster", "_touched")

    def __init__(self, expiry: float, roster: Roster, game: TableGame) -> None:
        """``expiry`` is after how many seconds a table where nothing happens is closed."""
        self._expiry = expiry
        self._roster = roster
        self._game = game
        self._touched = 0.0

    def touch(self, now: float) -> None:
        """Take note of a command that was done.

        The clocks stand while the one decision awaited is that of a player who is waited for.
        """
        self._touched = now
        clock, roster = self._game.clock, self._roster
        if roster.away or clock.stands:
            roster.away = roster.anybody_away()
            clock.let(bool(self._game.awaited() & roster.waited_for()), now)

    def turns(self) -> Mapping[int, float]:
        """Tell until when each seat must have moved, for those whose clocks run; not to be changed."""
        clock = self._game.clock
        if clock.stands:
            return {}
        if clock.is_table_time:
            return self._game.due()
        return {seat: clock.rings(at) for seat, at in self._game.due().items()}

    def graces(self) -> Iterator[tuple[int, float]]:
        """List until when the seats of those who are away are held; at a closed table nobody is expected."""
        if self._roster.away and self._game.stage is not Stage.ABANDONED:
            yield from self._roster.graces()

    def alarm_at(self) -> float | None:
        """Say when the next clock runs out, if any does."""
        game = self._game
        if game.live and not game.clock.stands and not self._roster.away:
            due = game.due()  # all that can run out, nearly always
            return game.clock.rings(min(due.values())) if due else None
        return min((at for at, _, _ in self._running()), default=None)

    def alarm(self) -> Alarm | None:
        """Say which clock runs out next, if any does; of several that do at once the first."""
        nearest: Alarm | None = None
        for at, clock, seat in self._running():
            if nearest is None or at < nearest.at:
                nearest = Alarm(at, TimeUp(clock, seat))
        return nearest

    def check(self, command: TimeUp, now: float) -> None:
        """Refuse, as ``not-due``, the end of a clock that does not run or has not run out."""
        wanted = (command.clock, command.seat)
        due = next((at for at, *clock in self._running() if tuple(clock) == wanted), None)
        if due is None or now < due:
            raise Refused("not-due")

    def _running(self) -> Iterator[tuple[float, Clock, int | None]]:
        for seat, at in self.turns().items():
            yield at, "turn", seat
        for seat, at in self.graces():
            yield at, "grace", seat
        if self._idle():
            yield self._touched + self._expiry, "expiry", None

    def _idle(self) -> bool:
        """Say whether only those who sit or look on could make anything happen."""
        if not self._game.live:
            return self._game.stage is not Stage.ABANDONED
        return self._game.clock.stands and not self._roster.anybody_here()
