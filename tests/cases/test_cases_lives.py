"""Lives: whoever and whatever is over leaves nothing behind, in memory or in the journal (C58)."""

from __future__ import annotations

import gc
import weakref
from random import Random

import pytest

from gamecore import commands
from gamecore.game import Stage
from gamecore.table import Table
from protocols.journal.compaction import compact_game
from tests.cases.customs import GAMES, LINES
from tests.cases.house import House

GAMES_OF_BOTS = 4  # of each kind
GUESTS = 8  # who play a while by each wire, and go


def living_tables():
    """Count the tables that anything still holds."""
    gc.collect()
    return sum(type(each) is Table for each in gc.get_objects())


@pytest.mark.parametrize("kind", GAMES)
def test_many_complete_games_leave_no_table_no_face_and_no_timer(kind):
    """C58: every table is let go of when its last person is, and so is all that knew it."""
    before = living_tables()
    with House() as house:
        faces = []
        for _ in range(GAMES_OF_BOTS):
            table = house.open(kind)
            for seat in range(table.rules.seats[0]):
                house.host.seat_bot(table, seat, f"bot {seat}", "random")
            watcher = house.watch(table)
            house.host.command(None, table, commands.Start())
            house.pass_time(3600.0, until=lambda table=table: table.stage is Stage.OVER)
            assert table.stage is Stage.OVER
            faces.append(weakref.ref(watcher))
            house.host.drop(watcher)
            house.ears.clear()
            house.settle()
            del table, watcher
            assert len(house.hall) == 0
            assert len(house.host.service.live) == 0
            assert house.clock.getDelayedCalls() == []
        gc.collect()
        assert living_tables() <= before
        assert [each() for each in faces if each() is not None] == []
        assert house.journal._lines == {}, "the journal was not told that tables have ended"


@pytest.mark.parametrize("way", LINES, ids=str)
def test_many_who_come_play_and_go_by_a_wire_are_forgotten(way):
    """C58: links, names, tokens and tables, whatever the wire keeps of its own."""
    before = living_tables()
    with House() as house:
        links = []
        for number in range(GUESTS):
            guest, sitters, table = house.begin(way)
            house.play(table, Random(number), 3)
            guest.peer.hang_up()
            for sitter in sitters.values():
                house.host.leave(sitter)
            links.append(weakref.ref(guest.peer.link))
            house.peers.clear()
            house.ears.clear()
            house.factories = {key: each for key, each in house.factories.items() if key[1] is None}
            del guest, sitters, table
        house.pass_time(2 * 86_400.0, until=lambda: not house.clock.calls)
        assert len(house.hall) == 0
        gc.collect()
        assert [each() for each in links if each() is not None] == []
        assert living_tables() <= before


@pytest.mark.parametrize("kind", GAMES)
def test_what_the_journal_keeps_of_a_finished_game_is_one_small_row(kind):
    """C58: much less than its records, and it needs no rules to be shown."""
    kept = {}
    with House() as house:
        retire = house.journal.retire

        def keep(code):
            kept[code] = list(house.journal._lines[code])
            retire(code)

        house.journal.retire = keep
        table = house.open(kind)
        for seat in range(table.rules.seats[0]):
            house.host.seat_bot(table, seat, f"bot {seat}", "random")
        watcher = house.watch(table)
        house.host.command(None, table, commands.Start())
        house.pass_time(3600.0, until=lambda: table.stage is Stage.OVER)
        house.host.drop(watcher)
        house.settle()
        lines = kept[table.code]
        row = compact_game(lines, house.hall.registry)
        assert len(lines) > 5
        assert len(row) < sum(map(len, lines)), "a finished game takes more room than one under way"
