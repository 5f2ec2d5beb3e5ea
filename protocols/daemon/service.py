"""The daemon as a Twisted service: every door, the responder, and the Host behind them.

``makeService(options)`` is what an application that embeds Parlour calls; ``twistd parlour`` does the same.
"""

from __future__ import annotations

import errno
import secrets
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, cast

from twisted.application.service import MultiService, Service
from twisted.internet.abstract import FileDescriptor
from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.base import ReactorBase
from twisted.internet.defer import Deferred, DeferredList, gatherResults, maybeDeferred
from twisted.internet.endpoints import serverFromString
from twisted.internet.error import CannotListenError
from twisted.internet.interfaces import IListeningPort, IReactorTime
from twisted.internet.task import LoopingCall
from twisted.internet.threads import deferToThreadPool
from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore.hall import Hall
from gamecore.rules import Registry
from protocols.daemon.options import Options
from protocols.daemon.port_holder import holder_of
from protocols.discovery.service import DiscoveryService
from protocols.discovery.wire import Identity, OpenRoom
from protocols.host.door import Door, DoorFactory, TableDefaults
from protocols.host.host import Host
from protocols.host.thinker_pool import ThinkerPool
from protocols.host.thinking import NOBODY
from protocols.journal.compaction import compact_game
from protocols.journal.engines import MEMORY
from protocols.journal.errors import JournalRefused, JournalUndone
from protocols.journal.opening import open_journal
from protocols.journal.paths import state_file

__all__ = ["JournalRefused", "JournalUndone", "Options", "Parlour", "makeService"]


BEAT_SECONDS = 1.0
FORGET_SECONDS = 3600.0
LOBBY = "lobby"  # the door where a game without one of its own is joined
BACKLOG = 1024  # connections that the system lets wait until we take them in; it may allow fewer


class Again:
    """Something that is done again and again while the daemon runs."""

    def __init__(self, seconds: float, do: Callable[[], object], reactor: IReactorTime) -> None:
        self._seconds = seconds
        self._loop = LoopingCall(do)
        self._loop.clock = reactor

    def start(self) -> None:
        """Begin; an error in it is logged, and ends it."""
        self._loop.start(self._seconds, now=False).addErrback(_log_failure)

    def stop(self) -> None:
        """End it, if it runs."""
        if self._loop.running:
            self._loop.stop()


def _in_thread(reactor: ReactorBase, work: Callable[..., object], *what: object) -> Deferred[Any]:
    return deferToThreadPool(reactor, reactor.getThreadPool(), work, *what)


def _log_failure(failure: Failure) -> None:
    Logger(namespace=__name__).failure("what is done again and again has failed", failure)


def _deep(endpoint: str) -> str:
    """Let a whole class come to a TCP endpoint at the same time, unless it says how many may wait."""
    tcp = endpoint.startswith(("tcp:", "tcp4:", "tcp6:", "ssl:"))
    return f"{endpoint}:backlog={BACKLOG}" if tcp and ":backlog=" not in endpoint else endpoint


def _number_of(port: IListeningPort) -> int | None:
    """Say which TCP port somebody listens on, if it is one."""
    address = port.getHost()
    return address.port if isinstance(address, IPv4Address | IPv6Address) else None


class CannotOpen(CannotListenError):
    """A door cannot be opened; says which option asked for it, why, and who holds the port if it is one of us."""

    def __init__(self, option: str, problem: BaseException) -> None:
        why = getattr(problem, "socketError", problem)
        super().__init__(None, getattr(problem, "port", None), why)
        self._option = option
        self._why = getattr(why, "strerror", None) or str(why)

    def __str__(self) -> str:
        taken = getattr(self.socketError, "errno", None) == errno.EADDRINUSE
        pid = holder_of(self.port) if taken and isinstance(self.port, int) else None
        held = "" if pid is None else f" (by another Parlour, process {pid})"
        return f"--{self._option}: {self._why}{held}"


class OpenDoor(Service):
    """One door that stands open on one or more endpoints."""

    _log = Logger()

    def __init__(
        self, door: Door, factory: DoorFactory, endpoints: list[str], reactor: Any
    ) -> None:
        self.door = door
        self.factory = factory
        self._endpoints = endpoints
        self._reactor = reactor
        self._ports: list[IListeningPort] = []
        self._lets_in = True

    @property
    def port(self) -> int | None:
        """The TCP port it can be reached on, if there is one."""
        numbers = map(_number_of, self._ports)
        return next((each for each in numbers if each is not None), None)

    def privilegedStartService(self) -> None:
        """Open while that is still allowed; raises CannotListenError, as ``startService`` does."""
        super().privilegedStartService()
        self._open()

    def startService(self) -> None:
        """Open, if that has not been done already."""
        self._open()
        super().startService()

    def _open(self) -> None:
        for endpoint in [] if self._ports else self._endpoints:
            problems: list[Failure] = []
            listening = serverFromString(self._reactor, _deep(endpoint)).listen(self.factory)
            listening.addCallback(self._opened, endpoint)
            listening.addErrback(problems.append)
            if problems:  # known at once for every kind of endpoint there is
                raise CannotOpen(
                    f"{self.door.kind} {endpoint}", cast(Exception, problems[0].value)
                ) from None

    def _opened(self, port: IListeningPort, endpoint: str) -> None:
        self._ports.append(port)
        self._read(port, self._lets_in)
        number = _number_of(port)
        where = f"{endpoint} (port {number})" if number is not None else endpoint
        self._log.info("{title} at {where}", title=self.door.title, where=where)

    def let_in(self, now: bool) -> None:
        """Let people in, or let those who come wait before the door."""
        self._lets_in = now
        for port in self._ports:
            self._read(port, now)

    def _read(self, port: IListeningPort, now: bool) -> None:
        if isinstance(port, FileDescriptor):
            (port.startReading if now else port.stopReading)()

    def stopService(self) -> Deferred[None]:
        """Let nobody in any more."""
        super().stopService()
        ports, self._ports = self._ports, []
        stopped = [maybeDeferred(port.stopListening) for port in ports]
        return gatherResults(stopped, consumeErrors=True).addCallback(lambda _: None)


class Parlour(MultiService):
    """The whole daemon; ``host`` to work with, ``doors`` to see where it can be reached."""

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
        seconds = time.monotonic if real else None  # a real reactor's own time can be set back
        self.host = Host(
            Hall(registry),
            self._journal,
            reactor,
            wall,
            seconds=seconds,
            defaults=options.defaults,
            in_thread=partial(_in_thread, reactor) if real else maybeDeferred,
            thinking=ThinkerPool(reactor) if real else NOBODY,
        )
        self._taken = False
        self._beats = Again(BEAT_SECONDS, self.host.beat, reactor)
        self._forgets = Again(FORGET_SECONDS, self._forget_finished, reactor)
        self._installed = frozenset(options.doors)  # also those that are shut
        self.doors: dict[str, OpenDoor] = {}
        for kind, endpoints in options.endpoints.items():
            if endpoints:
                self._add_door(options.doors[kind], options.defaults[kind], endpoints, reactor)
        self.discovery: DiscoveryService | None = None
        if options.discovery is not None:
            self._add_discovery(options, reactor)

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

    def follow(self, options: Options) -> None:
        """Go by other options in whatever begins from now on, as far as ``Options.fixed`` names none."""
        self._keep_seconds = options.keep_seconds
        self._name = options.name
        if self.discovery is not None:
            self.discovery.rename(options.name)
        self.host.follow(options.defaults)
        for kind, opened in self.doors.items():
            opened.factory.follow(options.defaults[kind])

    def _open_rooms(self) -> Iterator[OpenRoom]:
        """List what can be joined from the LAN: the lobby, every public table, and the doors that open one."""
        lobby = self.doors.get(LOBBY)
        if lobby is not None and lobby.port is not None:
            yield OpenRoom(LOBBY, lobby.door.title, len(self.host.people), 0, False, lobby.port)
        waiting = set()
        for table in self.host.directory.joinable():
            kind = table.kind
            port = self._port_for(kind)
            if port is not None:
                waiting.add(kind)
                seats = table.most_players
                name = table.name or self.host.hall.registry.latest(kind).title
                opener = table.name or next(filter(None, table.names), self._name)
                yield OpenRoom(
                    kind, name, table.players, seats, table.locked, port, table.code, opener
                )
        for kind in self.host.hall.registry.kinds:
            door = self.doors.get(kind)
            if kind not in waiting and door is not None and door.port is not None:
                seats = self.host.hall.registry.latest(kind).seats[-1]
                locked = door.factory.locked
                yield OpenRoom(
                    kind, door.door.title, 0, seats, locked, door.port, opener=self._name
                )

    def _port_for(self, kind: str) -> int | None:
        """Say where a table of a game can be joined: at its own door, or in the lobby if there is no such door."""
        door = self.doors.get(kind if kind in self._installed else LOBBY)
        return None if door is None else door.port

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
        self._beats.start()
        self._forget_finished()
        self._forgets.start()
        self._log.info("Parlour is open")

    def _cannot_begin(self, failure: Failure) -> None:
        self.host.on_lost(cast(Exception, failure.value))

    def stopService(self) -> Deferred[None]:
        """Let nobody in, tell everyone, close the journal; fires when all is done.

        Fails with JournalUndone if the journal could not be written to its end.
        """
        for loop in (self._beats, self._forgets):
            loop.stop()
        closed = cast("Deferred[object]", super().stopService())
        closed.addCallback(lambda _: self.host.close())
        closed.addBoth(self._see_out)
        return closed.addCallback(lambda _: self._log.info("Parlour is closed"))

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
