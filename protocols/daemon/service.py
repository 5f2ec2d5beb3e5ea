"""The daemon as a Twisted service: every door, the responder, and the Host behind them.

``makeService(options)`` is what an application that embeds Parlour calls; ``twistd parlour`` does the same.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from twisted.application.service import MultiService
from twisted.internet.base import ReactorBase
from twisted.internet.defer import Deferred, DeferredList, maybeDeferred
from twisted.internet.interfaces import IReactorTime
from twisted.internet.threads import deferToThreadPool
from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore.hall import Hall
from gamecore.rules import Registry
from protocols.daemon.again import Again
from protocols.daemon.draining import Draining
from protocols.daemon.listening import Listening
from protocols.daemon.options import Options
from protocols.daemon.quiet_thread import QuietThread
from protocols.daemon.running_time import RunningTime
from protocols.discovery.service import DiscoveryService
from protocols.discovery.wire import Identity, OpenRoom
from protocols.host.card import Card
from protocols.host.door import Door, DoorFactory, TableDefaults
from protocols.host.host import Host
from protocols.host.thinker_pool import ThinkerPool
from protocols.host.thinking import NOBODY
from protocols.house.calling import caller, found_at
from protocols.house.linked import LinkedHouse
from protocols.journal.compaction import compact_game
from protocols.journal.engines import MEMORY
from protocols.journal.errors import JournalRefused, JournalUndone
from protocols.journal.linked import LinkedJournal
from protocols.journal.opening import open_journal
from protocols.journal.paths import state_file

if TYPE_CHECKING:
    from protocols.daemon.figures import Figures

__all__ = ["JournalRefused", "JournalUndone", "Options", "Parlour", "makeService"]


T = TypeVar("T")

BEAT_SECONDS = 1.0
FORGET_SECONDS = 3600.0
LOBBY = "lobby"  # the door where a game without one of its own is joined


def _in_thread(reactor: ReactorBase, work: Callable[..., object], *what: object) -> Deferred[Any]:
    return deferToThreadPool(reactor, reactor.getThreadPool(), work, *what)


class OpenDoor(Listening):
    """One door that stands open on one or more endpoints."""

    def __init__(
        self, door: Door, factory: DoorFactory, endpoints: list[str], reactor: Any
    ) -> None:
        super().__init__(door.kind, door.title, factory, endpoints, reactor)
        self.door = door
        self.factory = factory
        factory.turns.guard(self)


class Parlour(MultiService):
    """The whole daemon; ``host`` to work with, ``doors`` to see where it can be reached.

    ``on_open`` is called once all stored tables are listed and people are let in; from then on it ``is_open``.
    ``draining`` is how it is asked to end, and what it calls then.
    """

    _log = Logger()

    def __init__(
        self, options: Options, reactor: Any, wall: Callable[[], float] = time.time
    ) -> None:
        super().__init__()
        self.options = options
        registry = Registry(options.games.values())
        self._keep_seconds = options.keep_seconds
        self._name = options.name
        self._state_file = partial(state_file, options.journal, secrets.token_hex(4))
        self._journal = open_journal(options.journal or MEMORY, reactor, compact=compact_game)
        real = isinstance(reactor, ReactorBase)
        # A real reactor's own time can be set back, and goes on while the process stands still.
        running = RunningTime()
        self._seconds: Callable[[], float] = running if real else reactor.seconds
        self._quiet = QuietThread(reactor) if real else None
        self.host = Host(
            Hall(registry),
            self._journal,
            reactor,
            wall,
            seconds=self._seconds,
            defaults=options.defaults,
            in_thread=partial(_in_thread, reactor) if real else maybeDeferred,
            thinking=ThinkerPool(reactor) if real else NOBODY,
            admission=options.admission,
            quietly=self._quiet,
        )
        running.on_stood = self.host.service.queue.doubt
        self.draining = Draining(self.host.service, self._seconds)
        self._journal.on_drain = self.draining.begin
        self.draining.on_begin = self._begin_no_more
        self._taken = False
        self.is_open = False
        self.on_open: Callable[[], None] = lambda: None
        self._figures: Figures | None = None
        self._beats = Again(BEAT_SECONDS, self._beat, reactor)
        self._forgets = Again(FORGET_SECONDS, self._forget_finished, reactor)
        self._installed = frozenset(options.doors)  # also those that are shut
        self.doors: dict[str, OpenDoor] = {}
        for kind, endpoints in options.endpoints.items():
            if endpoints:
                self._add_door(options.doors[kind], options.defaults[kind], endpoints, reactor)
        self.discovery: DiscoveryService | None = None
        if options.discovery is not None:
            self._add_discovery(options, reactor)
        self.house: LinkedHouse | None = None
        if options.link:
            self._add_house(options, reactor)
        self.metrics: Listening | None = None
        if options.metrics:
            self._add_metrics(options, reactor)

    def _add_door(
        self, door: Door, defaults: TableDefaults, endpoints: list[str], reactor: Any
    ) -> None:
        factory = door.build(self.host, defaults)
        factory.neighbours = self.doors
        factory.state_file = self._state_file
        opened = OpenDoor(door, factory, endpoints, reactor)
        self.doors[door.kind] = opened
        opened.setServiceParent(self)

    def _add_discovery(self, options: Options, reactor: Any) -> None:
        where = options.discovery
        assert where is not None
        identity = Identity(secrets.token_hex(8), options.name)
        self.discovery = DiscoveryService(
            where.port, self._open_rooms, identity, reactor, where.addresses
        )
        self.discovery.setServiceParent(self)

    def _add_house(self, options: Options, reactor: Any) -> None:
        """Link this daemon to the others that share its journal."""
        journal = cast(LinkedJournal, self._journal)
        self.house = LinkedHouse(self.host, journal, self._seconds, caller(reactor))
        factory = self.house.links.factory
        self._link_port = Listening("link", "Links of the house", factory, options.link, reactor)
        self._link_port.setServiceParent(self)
        self._link_beats = Again(BEAT_SECONDS, self.house.beat, reactor)

    def _begin_house(self) -> None:
        if self.house is not None:
            (endpoint,), name = self.options.link, self.options.link_name
            where = found_at(endpoint, self._link_port.port, name)
            assert where is not None  # or the options would have been refused
            self.house.begin(where)
            self._link_beats.start()

    def _add_metrics(self, options: Options, reactor: Any) -> None:
        """Count what happens, and serve it; nothing of this is even imported where nobody asks for it."""
        from protocols.daemon.figures import Figures
        from protocols.daemon.metrics import metrics_site

        host, seconds = self.host, self._seconds
        doors = self.doors
        self._figures = Figures(
            *(host.service, host.people, host.admission, doors, options.journal, seconds, reactor)
        )
        site = metrics_site(self._figures, self.why_not_ready, reactor)
        self.metrics = Listening("metrics", "Metrics", site, options.metrics, reactor)
        self.metrics.setServiceParent(self)

    def why_not_ready(self) -> str | None:
        """Say in a word why nobody can begin to play now; None if all can.

        It is ``closing``, ``opening``, ``draining`` or ``paused``.
        """
        if self.host.service.closing:
            return "closing"
        if not self.is_open:
            return "opening"
        if self.host.draining:
            return "draining"
        return "paused" if self.host.service.clocks.standing else None

    def follow(self, options: Options) -> None:
        """Go by other options in whatever begins from now on, as far as ``Options.fixed`` names none."""
        self._keep_seconds = options.keep_seconds
        self._name = options.name
        if self.discovery is not None:
            self.discovery.rename(options.name)
        self.host.follow(options.defaults)
        self.host.admission.follow(options.admission)
        for kind, opened in self.doors.items():
            opened.factory.follow(options.defaults[kind])

    def _open_rooms(self, kind: str | None) -> Iterator[OpenRoom]:
        """List what can be joined from the LAN, of one kind of game or of all.

        That is the lobby, every public table of ours, and the doors that open one; the other daemons of the house
        tell of theirs. Who is not open yet, or drains, has none.
        """
        if not self.is_open or self.host.draining:
            return
        if kind in (None, LOBBY):
            yield from self._lobby_room()
        kinds = [each for each in self.host.hall.registry.kinds if kind in (None, each)]
        ports = {each: port for each in kinds if (port := self._port_for(each)) is not None}
        for table in self.host.directory.joinable_of(ports):
            if not self.host.service.is_elsewhere(table.code):
                yield self._room_of(table, ports[table.kind])
        for each in kinds:
            yield from self._room_to_open(each)

    def _lobby_room(self) -> Iterator[OpenRoom]:
        lobby = self.doors.get(LOBBY)
        if lobby is not None and lobby.port is not None:
            yield OpenRoom(LOBBY, lobby.door.title, len(self.host.people), 0, False, lobby.port)

    def _room_of(self, table: Card, port: int) -> OpenRoom:
        name = table.name or self.host.hall.registry.latest(table.kind).title
        opener = table.name or next(filter(None, table.names), self._name)
        return OpenRoom(
            *(table.kind, name, table.players, table.most_players, table.locked),
            *(port, table.code, opener),
        )

    def _room_to_open(self, kind: str) -> Iterator[OpenRoom]:
        """Give the door of a game where no table waits: whoever comes there opens one."""
        door = self.doors.get(kind)
        if door is None or door.port is None:
            return
        if next(self.host.directory.joinable(kind), None) is None:
            seats, locked = self.host.hall.registry.latest(kind).seats[-1], door.factory.locked
            yield OpenRoom(kind, door.door.title, 0, seats, locked, door.port, opener=self._name)

    def _port_for(self, kind: str) -> int | None:
        """Say where a table of a game can be joined: at its own door, or in the lobby if there is no such door."""
        door = self.doors.get(kind if kind in self._installed else LOBBY)
        return None if door is None else door.port

    def _beat(self) -> None:
        self._seconds()  # also where no clock runs, lest it take that for standing still
        self.host.beat()
        self.draining.look()

    def _forget_finished(self) -> None:
        """Forget what is older than the daemon is to remember, be it over or only given up."""
        self.host.forget_resting(self._keep_seconds)

    def privilegedStartService(self) -> None:
        """Take the journal and the ports; raises JournalRefused or CannotListenError."""
        self._take_journal()
        super().privilegedStartService()

    def startService(self) -> None:
        """Open every door; raises JournalRefused or CannotListenError, and has opened nothing then."""
        self._take_journal()
        for door in self.doors.values():
            door.let_in(False)
        super().startService()
        self.host.begin().addCallbacks(lambda _: self._begun(), self._cannot_begin)

    def _begin_no_more(self) -> None:
        """Tell all who are here, and leave newcomers to other daemons of the house that have the same ports."""
        for door in self.doors.values():
            if self._journal.shared:
                door.leave_shared()
            door.factory.drain(linked=self.house is not None)

    def _take_journal(self) -> None:
        if not self._taken:
            self._journal.open()
            self._taken = True

    def _begun(self) -> None:
        """Let people in: which tables there are is known."""
        if not self.running:
            return
        for door in self.doors.values():
            door.let_in(True)
        self.is_open = True
        if self._figures is not None:
            self._figures.start()
        self._beats.start()
        self._begin_house()
        self._forget_finished()
        self._forgets.start()
        self.on_open()
        self._log.info("Parlour is open")

    def _cannot_begin(self, failure: Failure) -> None:
        self.host.on_lost(cast(Exception, failure.value))

    def stopService(self) -> Deferred[None]:
        """Let nobody in, tell everyone, close the journal; fires when all is done.

        Fails with JournalUndone if the journal could not be written to its end.
        """
        self.is_open = False
        for loop in (self._beats, self._forgets, self._figures):
            if loop is not None:
                loop.stop()
        closed = cast("Deferred[object]", super().stopService())
        closed.addCallback(lambda _: self.host.close())
        closed.addBoth(self._part_with_house)
        closed.addBoth(self._see_out).addBoth(self._be_quiet)
        return closed.addCallback(lambda _: self._log.info("Parlour is closed"))

    def _part_with_house(self, result: T) -> T:
        if self.house is not None:
            self._link_beats.stop()
            self.house.stop()
        return result

    def _be_quiet(self, result: T) -> T:
        if self._quiet is not None:
            self._quiet.stop()
        return result

    def _see_out(self, result: object) -> Deferred[Any]:
        """Part with everyone who is still there, and go on with how the journal was closed."""
        gone = DeferredList([each.factory.dismiss_all("closing") for each in self.doors.values()])
        return gone.addCallback(lambda _: result)


def makeService(
    options: Options,
    reactor: IReactorTime | None = None,
    wall: Callable[[], float] = time.time,
) -> Parlour:
    """Build the whole daemon on a reactor, by default the installed one; start nothing.

    ``wall`` tells the time of day, which stands in records for people to read and is used for nothing else.
    """
    if reactor is None:
        from twisted.internet import reactor as installed

        reactor = cast(IReactorTime, installed)
    return Parlour(options, reactor, wall)
