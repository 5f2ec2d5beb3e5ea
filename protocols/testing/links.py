"""Links between daemons of one process: bytes that one has sent come in at the other, in the next turn or later."""

from __future__ import annotations

from collections.abc import Callable

from twisted.internet.error import ConnectionDone
from twisted.internet.interfaces import IDelayedCall
from twisted.internet.protocol import Factory, Protocol
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure

from protocols.house.links import Links
from protocols.journal.house import PeerRow
from protocols.testing.clock import ManualClock


class _End(StringTransport):
    """One end of a connection; what is written comes to the other as late as all does, its end in the next turn."""

    def __init__(self, wires: Wires, clock: ManualClock, protocol: Protocol) -> None:
        super().__init__()
        self._wires = wires
        self._clock = clock
        self.protocol = protocol
        self.other: _End
        self.is_open = True

    def write(self, data: bytes) -> None:
        self._clock.callLater(self._wires.delay, self.other.hear, data)

    def writeSequence(self, data: list[bytes]) -> None:
        self.write(b"".join(data))

    def hear(self, data: bytes) -> None:
        if self.is_open:
            self.protocol.dataReceived(data)

    def loseConnection(self) -> None:
        self._clock.callLater(0, self.end)
        self._clock.callLater(0, self.other.end)

    def abortConnection(self) -> None:
        self.loseConnection()

    def end(self) -> None:
        if self.is_open:
            self.is_open = False
            self.protocol.connectionLost(Failure(ConnectionDone()))


class Wires:
    """The network between the daemons; ``cut`` parts two of them until they are joined again.

    ``delay`` is how many seconds it takes from one to another; it is not to become less.
    """

    def __init__(self, clock: ManualClock) -> None:
        self._clock = clock
        self._links: dict[str, Links] = {}
        self._calls: list[_Call] = []
        self.is_cut = False
        self.delay = 0.0

    def add(self, where: str, links: Links) -> None:
        """Have a daemon be found somewhere."""
        self._links[where] = links

    def call(self, peer: PeerRow, factory: Factory, /) -> _Call:
        """Call a daemon, again and again."""
        call = _Call(self._clock, lambda: self._join(peer.link, factory))
        self._calls.append(call)
        return call

    def _join(self, where: str, factory: Factory) -> _End | None:
        if self.is_cut or where not in self._links:
            return None
        ours = factory.buildProtocol(None)
        theirs = self._links[where].factory.buildProtocol(None)
        assert isinstance(ours, Protocol) and isinstance(theirs, Protocol)
        ends = _End(self, self._clock, ours), _End(self, self._clock, theirs)
        ends[0].other, ends[1].other = ends[1], ends[0]
        theirs.makeConnection(ends[1])
        ours.makeConnection(ends[0])
        return ends[0]

    def cut(self) -> None:
        """Cut all links, and let no call through."""
        self.is_cut = True
        for call in self._calls:
            call.cut()

    def mend(self) -> None:
        """Let calls through again."""
        self.is_cut = False

    def kill(self, where: str) -> None:
        """Let a daemon be found no more, with all its links."""
        links = self._links.pop(where)
        for call in self._calls:
            if call.end is not None and links in (
                getattr(call.end.protocol, "factory", None),
                getattr(call.end.other.protocol, "factory", None),
            ):
                call.cut()


class _Call:
    """A daemon that is called each tenth of a second until it is linked."""

    def __init__(self, clock: ManualClock, join: Callable[[], _End | None]) -> None:
        self._clock = clock
        self._join = join
        self.end: _End | None = None
        self._timer: IDelayedCall | None = clock.callLater(0, self._ring)

    def _ring(self) -> None:
        if self.end is None or not self.end.is_open:
            self.end = self._join()
        self._timer = self._clock.callLater(0.1, self._ring)

    def cut(self) -> None:
        """Cut the link, at both ends at once."""
        if self.end is not None:
            self.end.loseConnection()

    def stop(self) -> None:
        """Call no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self.cut()
