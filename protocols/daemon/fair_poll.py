"""What the reactor sees to first where many connections are ready at once: the house, players, then the rest.

Twisted serves all that is ready before it looks at its timers, and whoever becomes ready meanwhile waits for all of
it. A crowd that comes or goes at once makes that tens of milliseconds, most of them spent in the kernel on links
that are made and ended; and a move takes three rounds of the reactor until the other side has heard of it. So a
round sees to the journal's process and other pipes of the house, and to the links of those who sit at a table; and
then, of everybody else, to those who have waited longest, for as long as ``BUDGET``. The rest stays ready. So links
are read in this order; when what was read is served, ``protocols/net/turns.py`` says.

Only epoll is known here; with another reactor all is as Twisted does it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from twisted.internet.tcp import Port, Server
from twisted.internet.udp import Port as DatagramPort

BUDGET = 0.002  # seconds of a round for those whom nobody waits for
_FEW = 8  # that are ready: whatever their order, nobody waits long

Event = tuple[int, int]  # a file descriptor, and what it is ready for


class FairPoll:
    """Stands before a poller of Twisted's, and gives what is ready in an order that is fair to players."""

    def __init__(
        self,
        poller: Any,
        selectables: Mapping[int, object],
        is_seated: Callable[[object], bool],
        seconds: Callable[[], float],
    ) -> None:
        """``selectables`` are those of the reactor; ``is_seated`` says whether a speaker sits at a table."""
        self._poller = poller
        self._selectables = selectables
        self._is_seated = is_seated
        self._seconds = seconds
        self._seen_to: dict[int, int] = {}  # by descriptor: the how manieth of all that were
        self._count = 0
        self.register = poller.register
        self.modify = poller.modify
        self.unregister = poller.unregister
        self.close = poller.close

    def poll(self, timeout: float, most: int) -> Iterable[Event]:
        """Give what is ready, or as much of it as there is time for."""
        events: list[Event] = self._poller.poll(timeout, most)
        return events if len(events) <= _FEW else self._in_order(events)

    def _in_order(self, events: list[Event]) -> Iterator[Event]:
        until = self._seconds() + BUDGET
        others = []
        for event in events:
            if self._goes_first(self._selectables.get(event[0])):
                yield event
            else:
                others.append(event)
        others.sort(key=lambda event: self._seen_to.get(event[0], 0))
        for event in others:
            self._count += 1
            self._seen_to[event[0]] = self._count
            yield event
            if self._seconds() >= until:
                return

    def _goes_first(self, selectable: object) -> bool:
        if isinstance(selectable, Server):
            protocol = selectable.protocol
            protocol = getattr(protocol, "wrappedProtocol", protocol)  # below TLS
            return self._is_seated(getattr(protocol, "speaker", None))
        return not isinstance(selectable, Port | DatagramPort)


def see_to_players_first(
    reactor: object, is_seated: Callable[[object], bool], seconds: Callable[[], float]
) -> None:
    """Have a reactor of epoll see to players first; ``seconds`` measures, and cannot be set back.

    What is taken hold of is not Twisted's to promise; a test with a real reactor holds it to that.
    """
    if type(reactor).__name__ == "EPollReactor":
        known = vars(reactor)
        known["_poller"] = FairPoll(known["_poller"], known["_selectables"], is_seated, seconds)
