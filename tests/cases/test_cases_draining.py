"""A daemon that is about to end begins no game, and says so at every door; what is played there goes on."""

from __future__ import annotations

import pytest

from gamecore.commands import Start
from gamecore.errors import Refused
from gamecore.game import Stage
from protocols.host import table_actions
from protocols.host.card import read_card
from tests.cases.customs import GAMES, LINES, WAYS
from tests.cases.house import Guest, House
from tests.cases.test_cases_admission import open_one

WORDS = b"about to", b"va s", b"LOBBY_FULL", b'"draining"'


def check_told(peer):
    said = peer.got()
    assert b"Traceback" not in said
    assert any(word in said for word in WORDS), said


@pytest.mark.parametrize("way", LINES, ids=str)
def test_who_would_open_a_table_is_told_so_at_every_door(way):
    with House() as house:
        house.host.service.drain()
        peer, opened = open_one(house, way)
        assert opened == 0
        check_told(peer)


@pytest.mark.parametrize("way", [way for way in LINES if way.wire.name != "original"], ids=str)
def test_who_would_sit_down_is_told_so_at_every_door(way):
    with House() as house:
        table = house.open(way.game)
        house.sit(table, 1, name="elsewhere")
        house.host.service.drain()
        guest = Guest(house, way, table, 0)
        guest.come()
        assert house.face_in(table, 0) is None
        check_told(guest.peer)
        assert len(table.seated()) == 1


@pytest.mark.parametrize("way", [way for way in WAYS if way.wire.back is not None], ids=str)
def test_who_plays_by_a_token_comes_back_and_plays_on(way):
    with House() as house:
        guest, _, table = house.begin(way, grace=60)
        house.host.service.drain()
        token = guest.token
        if token is None:
            pytest.skip("this wire tells no token by itself")
        guest.peer.hang_up()
        house.pass_time(1.0)
        again = Guest(house, way, table, 0)
        again.token = token
        again.come(way.wire.back)
        assert house.face_in(table, 0) is not None, again.peer.got()
        assert table.playing


@pytest.mark.parametrize("kind", GAMES)
def test_no_game_begins_and_none_is_played_again(kind):
    with House() as house:
        waiting, over = house.open(kind), house.open(kind)
        ears = [
            house.sit(table, seat)
            for table in (waiting, over)
            for seat in range(over.rules.seats[0])
        ]
        house.start(over)
        for seat in list(over.seated())[1:]:
            house.host.leave(house.face_in(over, seat))
        house.settle()
        while over.stage is not Stage.OVER and over.awaited():
            seat = min(over.awaited())
            house.move(over, seat, over.legal_moves(seat)[0])
        house.host.service.drain()
        for table, action in ((waiting, table_actions.start), (over, table_actions.rematch)):
            face = house.face_in(table, 0)
            stage = table.stage
            house.host.request(face, action, "asked")
            house.settle()
            assert face.answers[-1] == ("asked", "draining")
            assert table.stage is stage
        assert ears


def test_nothing_that_can_be_joined_is_listed_any_more():
    with House() as house:
        table = house.open("gops", start="full")
        house.sit(table, 0)
        noted = []
        house.journal.note = lambda *facts: noted.append(facts)
        directory = house.host.directory
        assert [card.code for card in directory.joinable()] == [table.code]
        house.host.service.drain()
        assert not list(directory.joinable()) and directory.waiting(None) is None
        assert directory.match("gops", None, table.opened.options) is None
        assert [card.code for card in directory.public()] == [table.code]
        ((code, _, stage, _, _, card),) = noted  # for the lists of the other daemons
        assert (code, stage) == (table.code, "gathering")
        assert not read_card(code, "gops", stage, card).joinable


def test_the_house_itself_begins_nothing_either():
    with House() as house:
        table = house.open("nim")
        house.sit(table, 0), house.sit(table, 1)
        house.host.service.drain()
        house.host.command(None, table, Start())
        assert table.stage is Stage.GATHERING
        with pytest.raises(Refused, match="draining"):
            house.host.open("nim", "", {}, {})
