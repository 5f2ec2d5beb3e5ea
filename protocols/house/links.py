"""Whom this daemon is linked to: every other one of its house that says where it is found, by one link a pair.

The younger of two runs calls the older.  Any room may say and hear lines of a letter of its own over all links.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Sequence
from typing import Protocol as Interface

from twisted.internet.error import ConnectionAborted, ConnectionDone, ConnectionLost
from twisted.internet.interfaces import IAddress, IReactorTime
from twisted.internet.protocol import Factory, Protocol, ServerFactory
from twisted.logger import Logger
from twisted.python.failure import Failure

from protocols.house.peer_link import PeerLink
from protocols.journal.house import PeerRow
from protocols.journal.linked import LinkedJournal
from protocols.net.cork import Cork
from protocols.net.link import Link
from protocols.net.turns import Turns

SILENCE_SECONDS = 3.0  # after which a link is given up at whose other end nobody says anything
_MOST_STRANGERS = 64  # links whose other end has not proved yet who it is

Hear = Callable[[int, bytes], None]
"""Hears what a run says behind the letter of a line."""


class Calling(Interface):
    """That a peer is called again and again, until it is linked and whenever that link is lost."""

    def stop(self) -> None:
        """Call it no more."""


class Call(Interface):
    """Begins to call a peer; what it connects to is served by what the factory makes."""

    def __call__(self, peer: PeerRow, factory: Factory, /) -> Calling: ...


class Links:
    """The links of this daemon to the others; ``linked`` and ``lost`` are called with the run at the other end."""

    _log = Logger()

    def __init__(
        self,
        journal: LinkedJournal,
        clock: IReactorTime,
        seconds: Callable[[], float],
        cork: Cork,
        call: Call,
    ) -> None:
        """``seconds`` tells the time, ``cork`` is held while a batch is told; ``call`` begins to call a peer."""
        self.clock = clock
        self.seconds = seconds
        self.cork = cork
        self.turns = Turns(clock, seconds)  # which no link of the house takes
        self.on_linked: list[Callable[[int], None]] = []
        self.on_lost: list[Callable[[int], None]] = []
        self._journal = journal
        self._call = call
        self._key = secrets.token_hex(16)
        self._where = ""
        self._peers: dict[int, PeerRow] = {}
        self._calling: dict[int, Calling] = {}
        self._links: dict[int, PeerLink] = {}
        self._strangers: dict[Link, None] = {}  # which have not proved who they are
        self._complained_of: set[int] = (
            set()
        )  # runs of which the log says that they cannot be linked to
        self._hear: dict[str, Hear] = {"b": lambda run, rest: None}
        self.factory = _Listener(self)
        self.closing = False
        journal.on_peers = self._meet

    def begin(self, where: str) -> None:
        """Let the others know where we are found."""
        self._where = where
        self._journal.link(where, self._key)

    def stop(self) -> None:
        """Be linked to nobody any more."""
        self.closing = True
        for calling in self._calling.values():
            calling.stop()
        self._calling.clear()
        for link in [*self._links.values(), *self._strangers]:
            link.close()

    # -- for those who use them -----------------------------------------------------------

    @property
    def runs(self) -> Collection[int]:
        """The runs that we are linked to."""
        return self._links.keys()

    def hear(self, letter: str, hear: Hear) -> None:
        """Let somebody hear all lines of a letter."""
        assert letter not in self._hear, letter
        self._hear[letter] = hear

    def say(self, run: int, letter: str, *rest: object) -> None:
        """Say a line to one run; nothing is said to one that we are not linked to."""
        link = self._links.get(run)
        if link is not None:
            link.write(letter, *rest)

    def say_all(self, letter: str, *rest: object) -> None:
        """Say a line to every run that we are linked to."""
        for run in list(self._links):
            self.say(run, letter, *rest)

    def beat(self) -> None:
        """Let the others know that we are here, and give up links where nobody says so."""
        for link in list(self._links.values()):
            if self.seconds() - link.heard_at > SILENCE_SECONDS:
                link.abort()
            else:
                link.write("b")

    def cut(self, run: int) -> None:
        """Cut the link to a run, if there is one; it may be made anew."""
        link = self._links.get(run)
        if link is not None:
            link.abort()

    # -- what the journal tells -----------------------------------------------------------

    def _meet(self, peers: Sequence[PeerRow]) -> None:
        """Call those who are new and older than we are, and part with those who are no more."""
        self._peers = {each.run: each for each in peers}
        for run in self._calling.keys() - self._peers.keys():
            self._calling.pop(run).stop()
        for run in self._links.keys() - self._peers.keys():
            self.cut(run)
        for peer in peers:
            if self._is_ours_to_call(peer):
                self._calling[peer.run] = self._call(peer, _Caller(self, peer))
        for stranger in list(self._strangers):
            if isinstance(stranger, PeerLink):
                stranger.review()

    def _is_ours_to_call(self, peer: PeerRow) -> bool:
        younger = bool(self._where) and peer.run < self._journal.run
        return younger and not self.closing and peer.run not in self._calling

    # -- what links ask ---------------------------------------------------------------------

    @property
    def own(self) -> PeerRow:
        """Who we are."""
        return PeerRow(self._journal.run, self._where, self._key)

    @property
    def full(self) -> bool:
        """Whether too many have come who have not proved who they are."""
        return len(self._strangers) >= _MOST_STRANGERS

    def find(self, run: int) -> PeerRow | None:
        """Find a run that can be linked to."""
        return self._peers.get(run)

    def joined(self, link: Link) -> None:
        """Hear that a link is connected."""
        self._strangers[link] = None

    def linked(self, link: PeerLink) -> None:
        """Hear that a link's other end has proved who it is; it takes the place of one before it."""
        self._strangers.pop(link, None)
        older = self._links.pop(link.run, None)
        if older is not None:
            older.abort()
            self._tell_lost(link.run)
        self._links[link.run] = link
        link.heard_at = self.seconds()
        self._complained_of.discard(link.run)
        self._log.info("linked to run {run} of the house", run=link.run)
        for call in self.on_linked:
            call(link.run)

    def cannot_link(self, peer: PeerRow, why: Failure) -> None:
        """Say in the log, once, that something at the other end is not to be trusted, as by its certificate."""
        passing = why.check(ConnectionDone, ConnectionLost, ConnectionAborted)
        if not passing and peer.run not in self._complained_of:
            self._complained_of.add(peer.run)
            said = "run {run} of the house cannot be linked to at {where}: {why}"
            self._log.error(said, run=peer.run, where=peer.link, why=why.getErrorMessage())

    def parted(self, link: Link) -> None:
        """Hear that a link is no more."""
        self._strangers.pop(link, None)
        run = link.run if isinstance(link, PeerLink) else 0
        if self._links.get(run) is link:
            del self._links[run]
            self._tell_lost(run)

    def _tell_lost(self, run: int) -> None:
        self._log.info("the link to run {run} of the house is lost", run=run)
        for call in self.on_lost:
            call(run)

    def heard(self, link: PeerLink, letter: str, rest: bytes) -> None:
        """Hear a line from a link; a letter that nobody knows is a newer Parlour's."""
        hear = self._hear.get(letter)
        if hear is not None and self._links.get(link.run) is link:
            hear(link.run, rest)


class _Caller(ServerFactory):
    """Makes the links to one peer that we call."""

    noisy = False

    def __init__(self, links: Links, peer: PeerRow) -> None:
        self._links = links
        self._peer = peer

    def buildProtocol(self, addr: IAddress | None) -> Protocol | None:
        """Make a link to the peer."""
        link = PeerLink(self._peer)
        link.factory = self._links
        return link


class _Listener(ServerFactory):
    """Makes the links of peers that call us."""

    noisy = False

    def __init__(self, links: Links) -> None:
        self._links = links

    def buildProtocol(self, addr: IAddress | None) -> Protocol | None:
        """Make a link to whoever calls, unless too many have come."""
        if self._links.closing or self._links.full:
            return None
        link = PeerLink()
        link.factory = self._links
        return link
