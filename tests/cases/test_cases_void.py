"""The house goes down under a game in which somebody has no token: all who come back, by any wire, hear why."""

from __future__ import annotations

import re

import pytest

from gamecore.table_events import Abandoned
from protocols.testing import KeptJournal
from tests.cases.customs import WAYS
from tests.cases.house import Guest, House

BACK = [way for way in WAYS if way.wire.back is not None]
BARE = [way for way in WAYS if way.wire.back is None]
WATCH = [way for way in WAYS if way.wire.watch is not None]
_WHY = re.compile("restarted|redémarré")


def told(guest):
    """Read all that a guest was sent."""
    return guest.peer.got().decode(errors="replace")


def another(house, guest):
    """Let somebody who knows the token of a guest come back with it."""
    twin = Guest(house, guest.way, guest.table, guest.seat)
    twin.token = guest.token
    twin.come(guest.wire.back)
    return twin


@pytest.mark.parametrize("way", BACK, ids=str)
def test_who_comes_back_first_or_later_hears_that_the_game_is_void_and_why(way):
    with House(journal=KeptJournal) as house:
        guest, _, table = house.begin(way, keep=False)
        for _ in range(2):
            house.restart()
            for _ in range(2):
                twin = another(house, guest)
                assert _WHY.search(told(twin)), told(twin)[-800:]
        assert house.journal._lines[table.code][-1].count(b'"restarted"') == 1


@pytest.mark.parametrize("way", BARE, ids=str)
def test_the_game_of_one_who_cannot_come_back_is_nobodys_loss(way):
    with House(journal=KeptJournal) as house:
        _, sitters, table = house.begin(way)
        house.restart()
        for sitter in sitters.values():
            sitter.heard.clear()
            house.host.come_back(sitter, sitter.token, "back")
            house.settle()
            assert sitter.names() == [("back", "restarted")]
        record = b"".join(house.journal._lines[table.code])
        assert b'"is":"Wake"' not in record and b'"why":"restarted"' in record


@pytest.mark.parametrize("way", WATCH, ids=str)
def test_who_looks_on_hears_it_when_the_first_comes_back(way):
    with House(journal=KeptJournal) as house:
        bare = house.open(way.game)
        keeper, _ = house.sit(bare, 0), house.sit(bare, 1, keep=False)
        house.start(bare)
        house.restart()
        watcher = Guest(house, way, bare, None)
        watcher.come(way.wire.watch)
        watcher.say(*way.wire.watch_streams)
        watcher.peer.forget()
        other = house.watch(bare)
        house.host.come_back(keeper, keeper.token, "back")
        house.pass_time(1.0)
        assert Abandoned("restarted") in other.heard
        assert _WHY.search(told(watcher)), told(watcher)
        if way.wire.name == "human":  # who chose French, and is told in words too
            assert "la maison a redémarré" in told(watcher)
