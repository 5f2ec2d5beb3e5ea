"""What an operator may want to know of a daemon: counted as it happens, or looked up when asked for.

No name, code, address or secret is in it: what tells figures apart is a game, a stage, a door, or a key of ours.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from twisted.internet.interfaces import IReactorTime
from twisted.internet.task import LoopingCall

from gamecore.commands import Command, Play
from gamecore.errors import Refused
from gamecore.events import Event
from gamecore.table import Table
from gamecore.table_events import GameOver
from protocols.host.people import People
from protocols.host.table_service import TableService
from protocols.net.admission import OWN_KEYS, Admission
from protocols.net.link_factory import LinkFactory

_LIMITS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)  # seconds
_KEY = re.compile(r"[a-z][a-z-]{0,39}")
_MOST_KEYS = 200  # a game of somebody else's may refuse by any key
_OTHER = "other"
DELAY_SECONDS = 0.5  # how often it is looked how late the reactor is


class Door(Protocol):
    """A door that stands open, as far as it is counted."""

    @property
    def factory(self) -> LinkFactory:
        """Who lets people in."""


class Spans:
    """How long something took, each time, in seconds."""

    __slots__ = ("_counts", "_sum")

    def __init__(self) -> None:
        self._counts = [0] * (len(_LIMITS) + 1)
        self._sum = 0.0

    def note(self, seconds: float) -> None:
        """Count one more."""
        self._counts[bisect_left(_LIMITS, seconds)] += 1
        self._sum += seconds

    def family(self, name: str, help: str) -> Metric:
        """Give them as a histogram."""
        total, buckets = 0, []
        for limit, count in zip((*map(str, _LIMITS), "+Inf"), self._counts, strict=True):
            total += count
            buckets.append((limit, total))
        found = HistogramMetricFamily(name, help)
        found.add_metric([], buckets, self._sum)
        return found


class Figures:
    """An observer of a house that counts, and a collector of what it has counted."""

    def __init__(
        self,
        service: TableService,
        people: People,
        admission: Admission,
        doors: Mapping[str, Door],
        journal: str | None,
        seconds: Callable[[], float],
        reactor: IReactorTime,
    ) -> None:
        """``journal`` is the file, if there is one; ``seconds`` is what durations are told by."""
        self._service = service
        self._people = people
        self._admission = admission
        self._doors = doors
        self._files = [] if journal is None else [Path(journal), Path(f"{journal}-wal")]
        self._seconds = seconds
        self._moves: Counter[str] = Counter()
        self._commands: Counter[str] = Counter()
        self._games: Counter[str] = Counter()
        self._refused: Counter[str] = Counter()
        self._records = 0
        self._commits = Spans()
        self._delays = Spans()
        self._loop = LoopingCall(self._note_delay)
        self._loop.clock = reactor
        self._looked = 0.0

    def start(self) -> None:
        """Count from now on."""
        self._service.observers.add(self)
        self._service.outbox.on_refused = self._note_refusal
        self._service.queue.on_committed = self._note_commit
        self._looked = self._seconds()
        self._loop.start(DELAY_SECONDS, now=False)

    def stop(self) -> None:
        """Look no more how late the reactor is."""
        if self._loop.running:
            self._loop.stop()

    # -- what happens -----------------------------------------------------------------

    def on_table(self, table: Table, awake: bool) -> None:
        """Count nothing: which tables there are is looked up."""

    def on_command(self, table: Table, command: Command, events: Sequence[Event]) -> None:
        """Count a command, and a move by its game."""
        if type(command) is Play:
            self._moves[table.rules.kind] += 1
        else:
            self._commands[type(command).__name__] += 1

    def on_game_over(self, table: Table, over: GameOver) -> None:
        """Count a game."""
        self._games[table.rules.kind] += 1

    def _note_refusal(self, refusal: Refused) -> None:
        if refusal.key in OWN_KEYS:  # counted where it was refused
            return
        known = refusal.key in self._refused
        new = len(self._refused) < _MOST_KEYS and _KEY.fullmatch(refusal.key) is not None
        self._refused[refusal.key if known or new else _OTHER] += 1

    def _note_commit(self, records: int, took: float) -> None:
        self._records += records
        self._commits.note(took)

    def _note_delay(self) -> None:
        before, self._looked = self._looked, self._seconds()
        self._delays.note(max(0.0, self._looked - before - DELAY_SECONDS))

    # -- what is asked for ------------------------------------------------------------

    def collect(self) -> Iterator[Metric]:
        """Give all figures as they are now, as a registry of ``prometheus_client`` asks for them."""
        service = self._service
        links = {kind: len(door.factory.links) for kind, door in self._doors.items()}
        away = {kind: door.factory.turned_away for kind, door in self._doors.items()}
        tables = {(kind, stage.value): n for (kind, stage), n in service.directory.tally().items()}
        ours = (live.table for live in service.live if live.owner is None)  # others count theirs
        awake = Counter(table.rules.kind for table in ours)
        refused = self._refused + self._admission.refused
        bots = Counter(live.table.rules.kind for live in service.live for _ in live.bots)
        yield _gauge("people", "people and programs in the hall", self._people.here)
        yield _gauges("links", "connections", ("door",), _single(links))
        yield _gauges("tables", "live tables, awake or at rest", ("game", "stage"), tables.items())
        yield _gauges("tables_awake", "tables in memory", ("game",), _single(awake))
        yield _gauges("bots", "bots that sit at tables in memory", ("game",), _single(bots))
        yield _counter("moves", "moves that were played", ("game",), _single(self._moves))
        yield _counter("commands", "other commands done", ("command",), _single(self._commands))
        yield _counter("games", "games that are over", ("game",), _single(self._games))
        yield _counter(
            "refused",
            "what was refused, at tables, doors and by admission",
            ("why",),
            _single(refused),
        )
        yield _counter("turned_away", "connections refused", ("door",), _single(away))
        yield _counter("records", "records committed", (), [((), self._records)])
        waiting = service.queue.waiting + service.journal.pending
        yield _gauge("queue_records", "records that are not in the journal yet", waiting)
        yield _gauge("paused", "1 while play is paused", int(service.clocks.standing))
        yield _gauge("journal_bytes", "size of the journal", sum(map(_size, self._files)))
        yield self._commits.family("parlour_commit_seconds", "how long a commit took")
        yield self._delays.family("parlour_reactor_delay_seconds", "how late the reactor was")


Rows = Iterable[tuple[Sequence[str], float]]


def _single(counted: Mapping[str, int]) -> Rows:
    return [((name,), value) for name, value in counted.items()]


def _gauge(name: str, help: str, value: float) -> Metric:
    return GaugeMetricFamily(f"parlour_{name}", help, value)


def _gauges(name: str, help: str, labels: Sequence[str], rows: Rows) -> Metric:
    found = GaugeMetricFamily(f"parlour_{name}", help, labels=labels)
    for label, value in rows:
        found.add_metric(label, value)
    return found


def _counter(name: str, help: str, labels: Sequence[str], rows: Rows) -> Metric:
    found = CounterMetricFamily(f"parlour_{name}", help, labels=labels)
    for label, value in rows:
        found.add_metric(label, value)
    return found


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0
