"""The one house of tests: a whole daemon in one process, on a clock that is moved by hand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from random import Random
from types import TracebackType
from typing import Any, Self

from twisted.internet.defer import maybeDeferred

from gamecore import commands
from gamecore.hall import Hall
from gamecore.rules import AnyRules, Move, Registry, installed_rules, sample
from gamecore.settings import Value
from gamecore.table import Table
from protocols.host.card import card_of
from protocols.host.door import Door, DoorFactory, TableDefaults, installed_doors, read_defaults
from protocols.host.host import Host
from protocols.host.passwords import InThread
from protocols.host.thinking import NOBODY, Thinking
from protocols.journal.memory import MemoryJournal
from protocols.testing.clock import ManualClock
from protocols.testing.ear import Ear
from protocols.testing.peer import ADDRESS, Peer

EPOCH = 1e9  # what the clock on the wall shows at second 0 of the other
MOMENT = 0.5  # seconds: longer than any gap between two messages to a stock client
LONG_SECONDS = 10 * 86_400.0  # by then every table that nobody is at has ended


class House:
    """A daemon whose chance comes from one integer; leaving its ``with`` checks that nothing is left behind.

    It has the games and doors that are given, else all that are installed. ``defaults`` is what new tables begin
    with where nobody says otherwise, and ``settings`` are those of doors, both by kind as in an ini section. With
    ``rests`` a table may be left at rest, where somebody may still come.
    """

    rests = False

    def __init__(
        self,
        rules: Iterable[AnyRules] | None = None,
        doors: Iterable[Door] | None = None,
        *,
        seed: int = 1,
        chance: Random | None = None,
        journal: Callable[[ManualClock], Any] = MemoryJournal,
        most: int = 100_000,
        defaults: Mapping[str, TableDefaults] | None = None,
        settings: Mapping[str, Mapping[str, Value]] | None = None,
        in_thread: InThread = maybeDeferred,
        thinking: Thinking = NOBODY,
        clock: ManualClock | None = None,
    ) -> None:
        self.clock = ManualClock() if clock is None else clock
        self.registry = Registry(installed_rules() if rules is None else rules)
        self.doors = {each.kind: each for each in (installed_doors() if doors is None else doors)}
        self.settings = {} if settings is None else settings
        self.peers: list[Peer] = []
        self.ears: list[Ear] = []
        self._how: dict[str, Any] = {"in_thread": in_thread, "thinking": thinking}
        self._how["defaults"] = {} if defaults is None else defaults
        self._most, self._seed = most, seed
        self._begin(journal(self.clock), Random(seed) if chance is None else chance)

    def _begin(self, journal: Any, chance: Random) -> None:
        self.journal = journal
        self.hall = Hall(self.registry, self._most)
        self.host = Host(self.hall, journal, self.clock, self.wall, chance, **self._how)
        self.factories: dict[tuple[str, str | None], DoorFactory] = {}

    def wall(self) -> float:
        """Tell the time of day."""
        return EPOCH + self.clock.seconds()

    def restart(self, down: float = 0.0) -> None:
        """Let the process be gone with all its links and all that was not committed, and another begin.

        The journal has to be a ``KeptJournal``; ``down`` seconds go by between the two.
        """
        self.clock.calls.clear()
        for peer in self.peers:
            peer.disconnected = True
        self.peers, self.ears = [], []
        self.clock.advance(down)
        self._seed += 1
        self._begin(self.journal.next(), Random(self._seed))
        self.host.begin()
        self.settle()

    # -- doors ------------------------------------------------------------------------

    def door(self, kind: str, table: Table | None = None) -> DoorFactory:
        """Give what serves a door; a game's own door leads to ``table`` alone, if it is one of that game."""
        own = table if table is not None and table.rules.kind == kind else None
        key = kind, None if own is None else own.code
        if key not in self.factories:
            door = self.doors[kind]
            rules = self.registry.latest(kind) if kind in self.registry.kinds else None
            factory = door.build(self.host, read_defaults(rules, door, self.settings_of(kind)))
            factory.only = None if own is None else card_of(own)
            self.factories[key] = factory
        return self.factories[key]

    def settings_of(self, kind: str) -> Mapping[str, Value]:
        """Give the settings of a door, as its ini section would."""
        return self.settings.get(kind, {})

    def connect(self, kind: str, address: str = ADDRESS, table: Table | None = None) -> Peer:
        """Connect to a door."""
        port = 1024 + len(self.peers) % 60_000
        peer = Peer(self.clock, self.door(kind, table), address, port)
        self.peers.append(peer)
        return peer

    # -- tables -----------------------------------------------------------------------

    def open(self, kind: str, options: Mapping[str, Value] | None = None, **house: Value) -> Table:
        """Open a table of a game; it begins when it is asked to, unless ``house`` says otherwise."""
        card = self.host.open(kind, "", options or {}, {"start": "asked", **house})
        self.settle()
        return self.hall.find(card.code)

    def sit(
        self,
        table: Table,
        seat: int | None = None,
        keep: bool = True,
        name: str | None = None,
        password: str = "",
        brought: object = None,
    ) -> Ear:
        """Seat somebody by no wire; with ``keep`` there is a token to come back by."""
        seat = table.free_seats()[0] if seat is None else seat
        brought = sample(table.rules) if brought is None else brought
        ear, name = Ear(), name or f"sitter {seat}"
        self.host.sit(ear, table.code, seat, name, None, keep, brought, password)
        return self._came(ear)

    def watch(self, table: Table) -> Ear:
        """Let somebody look on by no wire."""
        ear = Ear()
        self.host.watch(ear, table.code)
        return self._came(ear)

    def come_back(self, token: str) -> Ear:
        """Let somebody take their place again, by no wire."""
        ear = Ear()
        self.host.come_back(ear, token, "back")
        return self._came(ear)

    def _came(self, ear: Ear) -> Ear:
        self.ears.append(ear)
        self.settle()
        return ear

    def start(self, table: Table) -> None:
        """Begin the game."""
        with self.acting():
            self.host.command(None, table, commands.Start())

    def face_in(self, table: Table, seat: int) -> Any:
        """Find the face that speaks for a seat, if there is one."""
        live = self.host.service.live.find(table.code)
        player = None if live is None else live.table.seated().get(seat)
        return None if live is None or player is None else live.holder(player)

    def move(self, table: Table, seat: int, move: Move) -> None:
        """Let a seat move: by its own face where that is an ear, else past whatever wire it has."""
        face = self.face_in(table, seat)
        with self.acting():
            if isinstance(face, Ear):
                self.host.submit(face, move)
            else:
                self.host.command(None, table, commands.Play(seat, move))

    def play(
        self, table: Table, chance: Random, steps: int, seats: Collection[int] | None = None
    ) -> bool:
        """Make some moves by chance, for all seats or for some; False once nobody is to move."""
        for _ in range(steps):
            awaited = sorted(table.awaited() if seats is None else table.awaited() & set(seats))
            if not awaited:
                return False
            seat = chance.choice(awaited)
            self.move(table, seat, chance.choice(table.legal_moves(seat)))
        return True

    # -- time -------------------------------------------------------------------------

    @contextmanager
    def acting(self, seconds: float = MOMENT) -> Iterator[None]:
        """Let happen what follows soon of what is done in a ``with``."""
        yield
        self.pass_time(seconds)

    def settle(self) -> None:
        """Let everything happen that needs no time."""
        self.clock.settle()

    def pass_time(self, seconds: float, until: Callable[[], object] = lambda: False) -> None:
        """Let seconds go by, as ``ManualClock`` does."""
        self.clock.pass_time(seconds, until)

    # -- the end ----------------------------------------------------------------------

    def links(self) -> list[object]:
        """Give every link that stands open at any door."""
        return [link for factory in self.factories.values() for link in factory.links]

    def close(self) -> None:
        """Let everybody go, and see that nobody and nothing is left."""
        for peer in self.peers:
            peer.hang_up()
        for ear in self.ears:
            self.host.leave(ear)
        self.pass_time(LONG_SECONDS, until=lambda: not self.clock.calls)
        assert not self.clock.calls, f"a timer outlives everybody: {self.clock.calls}"
        assert not self.links(), "a link outlives its connection"
        assert len(self.host.people) == 0, "somebody is in the hall, and gone"
        if not self.host.service.closing:  # else they are kept for the next daemon
            self._check_tables()

    def _check_tables(self) -> None:
        assert len(self.hall) == len(self.host.service.live) == 0, "a table outlives its people"
        if not self.rests:
            assert len(self.host.directory) == 0, "a table that is no more is still listed"
            assert not self.journal._lines, "the journal was not told that a table ended"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: object, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
