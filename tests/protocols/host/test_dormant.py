"""Which tables stay on the shelf from one process to the next, and for how long."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from twisted.internet.defer import succeed

from gamecore.commands import Open as OpenTable
from gamecore.commands import Sit
from gamecore.games.nim import RULES
from gamecore.hall import Hall
from gamecore.rules import Registry
from gamecore.table import Table
from protocols.host.directory import Directory
from protocols.host.dormant import UNREACHABLE, DormantTables


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
    shelf = DormantTables(Hall(Registry([RULES])), index, Directory())
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
    assert shelf.forget(99.9) == 2
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
