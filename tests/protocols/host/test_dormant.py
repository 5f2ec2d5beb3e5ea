"""Which tables stay on the shelf from one process to the next, and for how long."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

import pytest
from twisted.internet.defer import succeed
from twisted.internet.task import Clock

from gamecore.commands import Open as OpenTable
from gamecore.commands import Sit
from gamecore.games.nim import RULES
from gamecore.hall import Hall
from gamecore.rules import Registry
from gamecore.table import Table
from protocols.host.card import card_of, write_card
from protocols.host.directory import Directory
from protocols.host.dormant import UNREACHABLE, DormantTables
from protocols.host.slices import Slices
from protocols.journal.interface import IndexRow


class Index:
    """A journal that knows an index and nothing else."""

    def __init__(self, **stages: str) -> None:
        self.retired: list[str] = []
        self.age = 200.0
        self._rows = [
            SimpleNamespace(
                table=code, kind="nim", stage=stage, bot=False, lasted=0.0, rested=100.0, card="{}"
            )
            for code, stage in stages.items()
        ]

    def index(self, after=""):
        rows = sorted(self._rows, key=lambda row: row.table)
        return succeed([row for row in rows if row.table > after])

    def read(self, table):
        return succeed([])

    def retire(self, table: str) -> None:
        self.retired.append(table)


def shelf_over(index: Index) -> DormantTables:
    shelf = DormantTables(Hall(Registry([RULES])), index, Directory(), Slices(Clock()))
    shelf.fill()
    return shelf


def test_what_nobody_can_come_back_to_is_retired_at_the_start():
    index = Index(PLAYS="playing", GONE="abandoned", STOCK=UNREACHABLE, OVER="over")
    shelf = shelf_over(index)
    assert index.retired == ["GONE", "STOCK"]
    assert [code in shelf for code in ("PLAYS", "OVER", "STOCK")] == [True, True, False]


def test_a_game_that_is_over_stays_for_those_who_come_back_to_see_it_and_no_longer():
    index = Index(PLAYS="playing", OVER="over")
    shelf = shelf_over(index)
    shelf.forget(100.0, "over")
    assert index.retired == []
    shelf.forget(99.9, "over")
    assert index.retired == ["OVER"]
    assert "PLAYS" in shelf


def test_what_nobody_touches_for_long_is_given_up():
    index = Index(PLAYS="playing", OVER="over")
    shelf = shelf_over(index)
    counts = []
    shelf.forget(99.9).addCallback(counts.append)
    assert counts == [2]
    assert (sorted(index.retired), len(shelf)) == (["OVER", "PLAYS"], 0)


@pytest.mark.parametrize(
    ("sits", "reachable"),
    [
        ([], True),
        ([Sit(0, "stock")], False),
        ([Sit(0, "stock"), Sit(1, "kept", token="hash")], True),
        ([Sit(0, "bot", level="random")], True),
    ],
)
def test_a_table_is_out_of_reach_if_none_of_its_people_has_a_token(sits, reachable):
    table = Table(OpenTable("TABLE", "nim", 1, 1, 1, "", "00" * 32, {}, {}), RULES)
    for sit in sits:
        table.apply(sit, 0.0)
    assert table.reachable is reachable


class Pages(Index):
    """A journal whose index has many tables, some of them a page."""

    def __init__(self, count: int, a_page: int) -> None:
        super().__init__()
        card = write_card(
            card_of(Table(OpenTable("TABLE", "nim", 1, 1, 1, "", "00" * 32, {}, {}), RULES))
        )
        self._rows = [
            IndexRow(f"T{number:05}", "nim", "gathering", False, 0.0, 100.0, card)
            for number in range(count)
        ]
        self._a_page = a_page

    def index(self, after=""):
        begin = int(after[1:] or 0) + 1 if after else 0
        return succeed(self._rows[begin : begin + self._a_page])


class TickingClock(Clock):
    """A clock that goes on by a tenth of a millisecond whenever it is looked at."""

    looked = 0

    def seconds(self):
        self.looked += 1
        return super().seconds() + 1e-4 * self.looked


def test_stored_tables_are_listed_and_given_up_a_few_a_turn():
    clock, directory = TickingClock(), Directory()
    shelf = DormantTables(Hall(Registry([RULES])), Pages(1000, 200), directory, Slices(clock))
    for begin, left in ((shelf.fill, 0), (lambda: shelf.forget(99.9), 1000)):
        done, a_turn = [], []
        begin().addCallback(done.append)
        while not done:
            a_turn.append(abs(len(directory) - left))
            (call,) = clock.calls
            clock.calls.clear()
            call.func()
            left = len(directory) if done else left
            assert len(a_turn) < 1000
        most = max(after - before for before, after in pairwise([0, *a_turn]))
        assert len(a_turn) > 20 and most < 50
    assert (len(shelf), len(directory)) == (0, 0)
