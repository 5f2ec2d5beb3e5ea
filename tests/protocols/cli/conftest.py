"""Finished games to show: one of Nim, and one of a small game with secrets that no package installs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from types import SimpleNamespace
from typing import ClassVar

import pytest
from attrs import frozen

from gamecore import commands
from gamecore.events import EVERYONE, AllBut, Audience, Event, Only, RoundBegan, RoundOver
from gamecore.games.nim import RULES as NIM
from gamecore.games.nim import Take
from gamecore.record import FIRST, Record, write_record
from gamecore.replay import write_game
from gamecore.rules import AnyRules, Move, Outcome, Registry
from gamecore.settings import setting
from gamecore.table import Table
from protocols.journal.compaction import compact_game
from protocols.journal.durable import rows_of
from protocols.journal.sqlite.store import SqliteStore

SEED = "5e" * 32
WALL = 1_790_000_000.0
NASTY = "robin\u202e\x1b[2J"


# -- Peep: everybody gets a card, and whoever peeps first has won ---------------------


@frozen
class PeepOptions:
    """How loud it is."""

    volume: int = setting(1, "how loud the game is", low=0, high=9)


@frozen
class Peep(Move):
    """Peep."""


@frozen
class Dealt:
    """The card of one seat, for that seat."""

    seat: int
    card: int

    @property
    def audience(self) -> Audience:
        """Only who holds it."""
        return Only(self.seat)


@frozen
class CardSeen:
    """That a seat has got a card, for all the others."""

    seat: int

    @property
    def audience(self) -> Audience:
        """All who did not see it."""
        return AllBut(self.seat)


@frozen
class Peeped:
    """Somebody has peeped."""

    seat: int
    audience: ClassVar[Audience] = EVERYONE


class PeepPosition:
    """Where one game of Peep stands."""

    def __init__(self, seats, options, deal, emit, now) -> None:
        self.emit, self.count, self.outcome = emit, len(seats), None
        emit(RoundBegan(1))
        for seat, card in enumerate(deal.shuffle("cards", range(50, 50 + self.count))):
            emit(Dealt(seat, card))
            emit(CardSeen(seat))

    def to_move(self):
        """Everybody at once."""
        return frozenset() if self.outcome else frozenset(range(self.count))

    def due(self):
        """Nobody is in a hurry."""
        return {}

    def play(self, seat, move, now):
        """Peep, and win."""
        self.emit(Peeped(seat))
        self.emit(RoundOver(1))
        self.outcome = Outcome(tuple(1 if each == seat else 2 for each in range(self.count)))


class PeepRules:
    """The constant facts of Peep."""

    kind = "peep"
    title = "Peep"
    version = 1
    seats = range(2, 4)
    options = PeepOptions
    brings = None
    moves: Sequence[type[Move]] = (Peep,)
    events: Sequence[type[Event]] = (Dealt, CardSeen, Peeped, RoundBegan, RoundOver)
    begin = staticmethod(PeepPosition)


PEEP = PeepRules()
REGISTRY = Registry([NIM, PEEP])


# -- what was played ------------------------------------------------------------------

NIM_GAME = [
    (commands.Sit(0, "wren", "hash"), 1.0),
    (commands.Sit(1, NASTY, "hash"), 2.5),
    (commands.Mix(1, "my \x1b[31mred\x1b[0m words"), 3.0),
    (commands.Start(), 4.0),
    (commands.Play(0, Take(3)), 5.0),
    (commands.Drop(1, "grace"), 6.0),
    (commands.Return(1), 8.0),
    (commands.Play(1, Take(4, True)), 9.5),
    (commands.Play(0, Take(3)), 10.0),
    (commands.Abandon("empty"), 3700.0),
]
SECOND_SEED = "a7" * 32
NIM_AGAIN = [  # the same two, who play once more behind a game that is over
    *NIM_GAME[:-1],
    (commands.Rematch(SECOND_SEED), 20.0),
    (commands.Start(), 21.0),
    (commands.Play(0, Take(1)), 22.0),
]
PEEP_GAME = [
    *[(commands.Sit(seat, name), 0.5) for seat, name in enumerate(("wren", "robin", "linnet"))],
    (commands.Start(), 1.0),
    (commands.Play(1, Peep()), 2.0),
]


def _records(
    code: str,
    rules: AnyRules,
    options: dict[str, int],
    game: Sequence[tuple[commands.Command, float]],
) -> list[Record]:
    """Play a game at a table and write down its records."""
    house = {"start": "asked"}
    opened = commands.Open(
        code, rules.kind, 1, 1, 1, "the \u2066back\u2069 room", SEED, options, house
    )
    table = Table(opened, rules)
    records = [write_record(code, 0, 0.0, WALL, opened, FIRST)]
    for command, at in game:
        table.apply(command, at)
        last = records[-1]
        records.append(write_record(code, last.sequence + 1, at, WALL + at, command, last.hash))
    return records


@pytest.fixture(scope="session")
def nim_records() -> list[Record]:
    return _records("NAAAA", NIM, {"stones": 10}, NIM_GAME)


@pytest.fixture(scope="session")
def peep() -> SimpleNamespace:
    """Peep: its rules and the file of a game of it."""
    lines = [record.line for record in _records("PAAAA", PEEP, {}, PEEP_GAME)]
    return SimpleNamespace(RULES=PEEP, Dealt=Dealt, data=write_game(lines, REGISTRY))


@pytest.fixture(scope="session")
def nim_data(nim_records) -> bytes:
    """The record file of a game of Nim."""
    return write_game([record.line for record in nim_records], REGISTRY)


@pytest.fixture
def nim_file(tmp_path, nim_data) -> str:
    """The path of that record file."""
    path = tmp_path / "nim.record"
    path.write_bytes(nim_data)
    return str(path)


@pytest.fixture
def peep_file(tmp_path, peep) -> str:
    """The path of a record file of Peep, whose rules are not installed."""
    path = tmp_path / "peep.record"
    path.write_bytes(peep.data)
    return str(path)


@pytest.fixture
def make_journal(tmp_path, nim_records) -> Callable[..., str]:
    """Write a journal: NAAAA has ended, and LAAAA and MAAAA, the first filed, are still being played."""

    def begun(code):
        records = _records(code, NIM, {}, NIM_GAME[:5])
        return rows_of(records), {code: ("nim", "playing", False, 0.0, "")}

    def make(compact=partial(compact_game, registry=REGISTRY), name="parlour.db") -> str:  # noqa: B008
        path = tmp_path / name
        path.touch()
        store = SqliteStore(str(path))
        store.open()
        store.keep(rows_of(nim_records), {"NAAAA": ("nim", "abandoned", False, 0.0, "")})
        store.keep(*begun("LAAAA"))
        store.retire({"NAAAA": None}, compact)
        store.keep(*begun("MAAAA"))
        store.close()
        return str(path)

    return make


@pytest.fixture
def going_on(make_journal) -> Callable[..., str]:
    """Write such a journal, and GAAAA in it as far as ``commands`` go: those of a game and the next one."""

    def make(length: int = len(NIM_AGAIN)) -> str:
        path = make_journal()
        store = SqliteStore(path)
        store.open()
        records = _records("GAAAA", NIM, {"stones": 10}, NIM_AGAIN[:length])
        store.keep(rows_of(records), {"GAAAA": ("nim", "playing", False, 0.0, "")})
        store.close()
        return path

    return make


@pytest.fixture
def journal(make_journal) -> str:
    """The path of such a journal."""
    return make_journal()
