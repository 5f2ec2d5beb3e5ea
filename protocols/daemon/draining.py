"""A daemon that was asked to end once its games are over: it begins none, and ends like one that is told to.

It waits for those alone who would lose by its end: who plays without a token cannot come back elsewhere. Who has
one can; watchers, people in the hall, tables that gather and games of bots hold up nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from twisted.logger import Logger

from protocols.host.live_table import LiveTable
from protocols.host.table_service import TableService


class Draining:
    """When a daemon may end that was asked to.

    ``on_begin`` is called once it drains, ``end`` once nothing is waited for any more.
    """

    _log = Logger()

    def __init__(self, service: TableService, seconds: Callable[[], float]) -> None:
        self.on_begin: Callable[[], None] = lambda: None
        self.end: Callable[[], None] = lambda: None
        self._service = service
        self._seconds = seconds
        self._until: float | None = None
        self._ended = False

    def begin(self, patience: float) -> None:
        """Begin no game any more, and wait for players for so many seconds at most; asked again, from now on."""
        said = "asked to end: no game begins any more; players without a token have {minutes:g} minutes"
        self._log.info(said, minutes=patience / 60)
        self._until = self._seconds() + patience
        if not self._service.draining:
            self._service.drain()
            self.on_begin()

    def look(self) -> None:
        """End if nobody is waited for, or not any longer; to be called each second."""
        if self._until is None or self._ended:
            return
        late = self._seconds() >= self._until
        if not late and any(_holds(live) for live in self._service.live):
            return
        self._ended = True
        self._log.info(
            "no player has time left" if late else "nobody plays who could not come back"
        )
        self.end()


def _holds(live: LiveTable) -> bool:
    """Say whether somebody who came to us plays at a table, and could not come back to it."""
    players = (face.place.player for face in live.holders if face.place is not None)
    return live.table.playing and any(
        each is not None and each.token is None and live.table.sits(each) for each in players
    )
