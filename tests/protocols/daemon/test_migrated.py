"""The games of a journal of the first schema go on: every one that was under way, by those who played it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from gamecore.game import Stage
from protocols.testing import Ear
from tests.protocols.daemon.test_service_journal import House

DATA = Path(__file__).parents[1] / "journal" / "data"
KEPT = json.loads((DATA / "schema_1.json").read_text())


@pytest.fixture
def house(tmp_path, writer_in_a_thread):
    path = tmp_path / "games.db"
    path.write_bytes(gzip.decompress((DATA / "schema_1.db.gz").read_bytes()))
    house = House(path)
    yield house
    for parlour, reactor in list(house.running):
        house.stop(parlour, reactor)


def come_back(parlour, reactor, token):
    ear = Ear()
    parlour.host.come_back(ear, token, "back")
    reactor.turn_until(lambda: ear.answers)
    assert ear.answers == [("back", None)]
    reactor.turn_until(lambda: ear.views)
    return ear


def last_time(parlour, reactor, code):
    lines = []
    parlour.host.service.journal.read(code).addCallback(lines.extend)
    reactor.turn_until(lambda: lines)
    return json.loads(lines[-1])["at"]


@pytest.mark.parametrize("kind", KEPT)
def test_a_game_that_was_under_way_goes_on_and_nobody_was_charged(house, kind):
    parlour, reactor = house.start()
    plays = KEPT[kind]["plays"]
    at = last_time(parlour, reactor, plays["code"])
    ears = [come_back(parlour, reactor, token) for token in plays["tokens"]]
    table = parlour.host.hall.find(plays["code"])
    assert table.stage is Stage.PLAYING
    assert ears[0].views[0].at == pytest.approx(at, abs=0.01)
    before = table.sequence
    while table.sequence < before + 4 and table.stage is Stage.PLAYING:
        seat = min(table.awaited())
        (ear,) = (each for each in ears if each.place.player.seat == seat)
        ear.heard.clear()
        parlour.host.submit(ear, table.legal_moves(seat)[0], "move")
        reactor.turn_until(lambda ear=ear: ear.answers)
        assert ear.answers == [("move", None)]


@pytest.mark.parametrize("kind", KEPT)
def test_a_table_that_waited_waits_on(house, kind):
    parlour, reactor = house.start()
    waits = KEPT[kind]["waits"]
    ear = come_back(parlour, reactor, waits["token"])
    assert ear.views[0].stage is Stage.GATHERING


def test_a_game_that_is_over_can_be_looked_at(house):
    parlour, reactor = house.start()
    over = KEPT["nim"]["over"]
    ear = come_back(parlour, reactor, over["tokens"][0])
    assert ear.views[0].stage is Stage.OVER
