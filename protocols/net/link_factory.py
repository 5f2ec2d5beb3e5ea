"""The factory that lets links in, within bounds, and knows everyone who is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, cast

from twisted.internet.defer import Deferred, succeed
from twisted.internet.interfaces import IAddress, IDelayedCall, IReactorTime, ITCPTransport
from twisted.internet.protocol import Protocol, ServerFactory, connectionDone
from twisted.logger import Logger
from twisted.python.failure import Failure

from protocols.net.admission import TOO_MANY_LINKS, Admission
from protocols.net.cork import Cork
from protocols.net.limits import TokenBucket
from protocols.net.link import Link, host_of
from protocols.net.turns import Turns


class TurnedAway(Protocol):
    """A connection that is one too many: hears why, and is closed."""

    def __init__(self, last: bytes, clock: IReactorTime, linger: float) -> None:
        self._last = last
        self._clock = clock
        self._linger = linger
        self._timer: IDelayedCall | None = None

    def connectionMade(self) -> None:
        transport = cast(ITCPTransport, self.transport)
        # Below TLS even one line waits for a handshake that may never come.
        self._timer = self._clock.callLater(self._linger, transport.abortConnection)
        transport.write(self._last)
        transport.loseConnection()

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        if self._timer is not None and self._timer.active():
            self._timer.cancel()


class LinkFactory(ServerFactory):
    """Lets peers in, within bounds, and knows everyone who is there."""

    noisy = False
    # What the base class asks of a protocol's own `factory` attribute, a fixed class cannot give.
    protocol: Callable[[], Link]  # type: ignore[assignment]

    _log: ClassVar[Logger] = Logger()

    def __init__(
        self,
        clock: IReactorTime,
        admission: Admission | None = None,
        most: int = 25_000,
        turns: Turns | None = None,
    ) -> None:
        """``admission`` and ``turns`` are those of the whole daemon, if there is one."""
        self.clock = clock
        self.turns = Turns(clock, clock.seconds) if turns is None else turns
        self.admission = Admission(clock.seconds) if admission is None else admission
        self.most = most
        self.cork = Cork()  # nobody's, unless whoever tells these links what happens holds it
        self.links: set[Link] = set()
        self.turned_away = 0
        self._leaving: str | None = None
        self._emptied: list[Deferred[None]] = []
        # A flood of connections must not become a flood of log lines.
        self._log_budget = TokenBucket(rate=1 / 30, burst=5)

    def startFactory(self) -> None:
        self._leaving = None

    def buildProtocol(self, addr: IAddress | None) -> Protocol | None:
        return self.let_in(addr)

    def let_in(self, addr: IAddress | None, is_made: bool = True) -> Protocol | None:
        """Make what serves a peer, or says that it may not come; None closes the connection without a word.

        Where it is not ``is_made`` just now, it was counted as a connection of that address already.
        """
        link = cast(Link, super().buildProtocol(addr))
        host = host_of(addr)
        reason = self._objection(host, is_made)
        if reason is not None:
            return self._turn_away(link, host, reason)
        link.came_from = host
        return link

    def dismiss_all(self, reason: str) -> Deferred[None]:
        """Tell everyone why and close; fires when the last one is gone."""
        self._leaving = reason
        for link in list(self.links):
            link.dismiss(reason)
        return self.when_empty()

    def when_empty(self) -> Deferred[None]:
        """Fire when the last link is gone; at once if there is none."""
        if not self.links:
            return succeed(None)
        emptied: Deferred[None] = Deferred()
        self._emptied.append(emptied)
        return emptied

    def joined(self, link: Link) -> None:
        """Hear from a link that it is connected."""
        self.links.add(link)

    def parted(self, link: Link) -> None:
        """Hear from a link that it is gone."""
        self.links.discard(link)
        self.admission.leave(link.came_from)
        if not self.links:
            self._tell_emptied()

    def _objection(self, host: str | None, is_made: bool = True) -> str | None:
        if self._leaving is not None:
            return self._leaving
        if len(self.links) >= self.most:
            return TOO_MANY_LINKS
        if not (self.admission.enter if is_made else self.admission.hold)(host):
            return TOO_MANY_LINKS
        return None

    def _turn_away(self, link: Link, host: str | None, reason: str) -> Protocol | None:
        self.turned_away += 1
        if self._log_budget.take(self.clock.seconds()):
            self._log.warn("turned away {host}: {reason}", host=host, reason=reason)
        last = link.farewell(reason)
        return TurnedAway(last, self.clock, link.linger) if last else None

    def _tell_emptied(self) -> None:
        emptied, self._emptied = self._emptied, []
        for deferred in emptied:
            deferred.callback(None)
