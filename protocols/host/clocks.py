"""The clocks of the tables that are awake: one timer a table, and a time that can stand still."""

from __future__ import annotations

from collections.abc import Callable

from twisted.internet.interfaces import IReactorTime

from gamecore.commands import TimeUp
from protocols.host.live_table import LiveTable

# An alarm asked again a rounding error too early would ask for ever in one turn.
_SHORTEST_WAIT = 0.001


class Clocks:
    """Gives every table its time, and submits what is due at its alarm.

    The house's time is ``seconds``, less all that it stood still for; the reactor only wakes us, by a time
    of day that somebody may set.
    """

    def __init__(
        self,
        reactor: IReactorTime,
        submit: Callable[[LiveTable, TimeUp], object],
        seconds: Callable[[], float],
    ) -> None:
        self._reactor = reactor
        self._seconds = seconds
        self._submit = submit
        self._stood = 0.0
        self._stands_since: float | None = None

    def seconds(self) -> float:
        """The house's time."""
        now = self._seconds() if self._stands_since is None else self._stands_since
        return now - self._stood

    def now(self, live: LiveTable) -> float:
        """The table time of a table; it stands while the table is asleep."""
        return self.seconds() - live.began if live.asleep_at is None else live.asleep_at

    @property
    def standing(self) -> bool:
        """Whether time stands still."""
        return self._stands_since is not None

    def stand(self) -> None:
        """Let time stand still from now on; no alarm rings meanwhile."""
        if self._stands_since is None:
            self._stands_since = self._seconds()

    def go_on(self) -> None:
        """Let time go on from where it stood; every table's timer must be set again."""
        if self._stands_since is not None:
            self._stood += self._seconds() - self._stands_since
            self._stands_since = None

    def set(self, live: LiveTable) -> None:
        """Move a table's one timer if its alarm has come nearer; a later one is found when it rings."""
        at = live.table.alarm_at()
        if at is None or self.standing or live.asleep_at is not None:
            return
        wait = max(at - self.now(live), _SHORTEST_WAIT)
        timer = live.timer
        if timer is None:
            live.timer = self._reactor.callLater(wait, self._ring, live)
        elif self._reactor.seconds() + wait < timer.getTime() - _SHORTEST_WAIT:
            timer.cancel()  # to move one nearer, the reactor would search all it has
            live.timer = self._reactor.callLater(wait, self._ring, live)

    def stop(self, live: LiveTable) -> None:
        """Take a table's timer away."""
        if live.timer is not None:
            live.timer.cancel()
            live.timer = None

    def _ring(self, live: LiveTable) -> None:
        live.timer = None
        alarm = live.table.alarm()
        if alarm is None or self.standing:
            return
        if alarm.at <= self.now(live):
            self._submit(live, alarm.command)
        else:
            self.set(live)
