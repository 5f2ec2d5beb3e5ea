"""Which tables stay on the shelf from one process to the next, and for how long."""

from __future__ import annotations

from itertools import pairwise

import pytest
from twisted.internet.defer import Deferred, succeed
from twisted.internet.task import Clock

from gamecore.commands import Open as OpenTable
from gamecore.commands import Sit
from gamecore.games.nim import RULES
from gamecore.hall import Hall
from gamecore.rules import Registry
from gamecore.table import Table
from protocols.host.card import card_of, write_card
from protocols.host.directory import Directory
from protocols.host.dormant import UNREACHABLE, VOID, DormantTables
from protocols.host.slices import Slices
from protocols.journal.interface import RETIRED, SOMEBODY, Claimed, IndexRow


class Index:
    """A journal that knows an index and nothing else."""

    run = 1
    shared = False

    def __init__(self, **stages: str) -> None:
        self.retired: list[str] = []
        self.given_back: list[str] = []
        self.claimed: Claimed | None = None
        self.age = 200.0
        self._rows = [
            IndexRow(code, "nim", stage, False, 0.0, 100.0, "{}") for code, stage in stages.items()
        ]

    def index(self, after=""):
        rows = sorted(self._rows, key=lambda row: row.table)
        return succeed([row for row in rows if row.table > after])

    def read(self, table):
        return succeed([])

    def retire(self, table: str, before: float | None = None) -> None:
        self.retired.append(table)

    def claim(self, table: str):
        return succeed(self.claimed)

    def give_back(self, table: str) -> None:
        self.given_back.append(table)


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


# -- what other runs of the house do ----------------------------------------------------


class Beside:
    """The shelf of a daemon that lives beside another, which is run 2."""

    def __init__(self) -> None:
        self.journal = Index()
        self.clock = Clock()
        self.directory = Directory()
        hall = Hall(Registry([RULES]))
        self.shelf = DormantTables(hall, self.journal, self.directory, Slices(self.clock))
        self.bots: list[str] = []
        self.shelf.on_bots = self.bots.extend
        self.table = waiting_table()

    def row(self, stage="gathering", owner=2, bot=False, lasted=0.0, code=None):
        """Make the row of a table as the other has noted it."""
        card = write_card(card_of(self.table))
        return IndexRow(code or self.table.code, "nim", stage, bot, lasted, 100.0, card, owner)

    def tell(self, *rows):
        self.shelf.follow(rows)
        self.clock.advance(0)

    def listed(self):
        return [card.code for card in self.directory.public()]

    def refusal(self):
        """Say why our table cannot be taken."""
        why: list[str] = []
        self.shelf.take(self.table.code).addErrback(lambda failure: why.append(failure.value.key))
        return why


def waiting_table() -> Table:
    house = {"start": "full"}
    opened = OpenTable("ABCDE", "nim", 1, 1, 1, "", "00" * 32, {"stones": 21}, house, None)
    table = Table(opened, RULES)
    table.apply(Sit(0, "Ann", None, None, None), 0.0)
    return table


@pytest.fixture
def beside() -> Beside:
    return Beside()


def test_a_table_that_another_run_has_is_listed_with_nobody_to_meet_there(beside):
    beside.tell(beside.row(UNREACHABLE))
    assert beside.listed() == ["ABCDE"]
    card = beside.directory.find("abcde")
    assert (card.stage.value, card.names, card.here) == ("gathering", ("Ann",), 0)
    assert beside.directory.match("nim", None, beside.table.opened.options) is None
    assert beside.journal.retired == []


def test_who_comes_to_a_table_that_another_run_has_awake_is_told_so(beside):
    beside.tell(beside.row())
    beside.journal.claimed = Claimed(2, beside.row())
    assert beside.refusal() == ["table-away"]
    assert beside.listed() == ["ABCDE"]


def test_a_table_that_is_being_claimed_by_another_stays_listed(beside):
    beside.tell(beside.row(owner=0))
    beside.journal.claimed = Claimed(SOMEBODY, beside.row(owner=0))
    assert beside.refusal() == ["table-away"]
    assert beside.listed() == ["ABCDE"]


def test_a_table_that_is_no_more_when_somebody_comes_is_listed_no_longer(beside):
    beside.tell(beside.row())
    beside.journal.claimed = Claimed(0)
    assert beside.refusal() == ["no-such-table"]
    assert (beside.listed(), "ABCDE" in beside.shelf) == ([], False)


def test_what_is_claimed_rests_as_the_claim_says_it_did(beside):
    beside.tell(beside.row(lasted=1.0))
    beside.journal.claimed = Claimed(1, beside.row("playing", owner=1, lasted=60.0))
    assert beside.refusal() == ["table-unreadable"]  # for it has no line here
    assert beside.shelf.stage("ABCDE") == "playing"
    assert beside.journal.given_back == ["ABCDE"]


def test_what_was_told_before_a_claim_is_not_taken_for_news_behind_it(beside):
    beside.tell(beside.row("playing"))
    claiming = Deferred()
    beside.journal.claim = lambda table: claiming
    why = beside.refusal()
    beside.tell(beside.row("gathering"))
    assert beside.shelf.stage("ABCDE") == "playing"
    claiming.callback(Claimed(2, beside.row("over")))
    assert (why, beside.shelf.stage("ABCDE")) == (["table-away"], "over")


def test_tables_of_other_runs_come_and_go_in_the_order_in_which_it_was_told(beside):
    beside.tell(beside.row(), beside.row(RETIRED), beside.row("playing"), beside.row(RETIRED))
    assert (beside.listed(), len(beside.shelf)) == ([], 0)
    beside.tell(beside.row(RETIRED), beside.row("abandoned", owner=2))
    assert "ABCDE" in beside.shelf
    beside.tell(beside.row(VOID, owner=0))
    assert (beside.listed(), beside.shelf.stage("ABCDE")) == ([], VOID)


def test_a_bot_is_asked_at_a_table_whose_run_has_ended_and_at_no_other(beside):
    beside.tell(beside.row("playing", bot=True))
    assert beside.bots == []
    beside.tell(beside.row("playing", owner=0, bot=True))
    assert beside.bots == ["ABCDE"]


def test_nobody_gives_up_what_another_run_has_awake(beside):
    beside.tell(beside.row())
    beside.shelf.forget(10.0)
    assert (beside.listed(), beside.journal.retired) == (["ABCDE"], [])
    beside.tell(beside.row(owner=0))
    beside.shelf.forget(10.0)
    assert (beside.listed(), beside.journal.retired) == ([], ["ABCDE"])
