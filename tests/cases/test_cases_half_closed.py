"""Whoever ends their input where no game is played has no seat any more, unless a token brings them back (all)."""

from __future__ import annotations

import pytest

from gamecore.commands import Rematch
from gamecore.game import Stage
from gamecore.player import Presence
from gamecore.rules import sample
from protocols.host.secrets import hash_token
from protocols.host.table_actions import invite
from protocols.testing import Ear
from tests.cases.customs import LINES, WAYS, custom_of
from tests.cases.house import Guest, House

HALF = [way for way in WAYS if custom_of(way).reads != "http"]
HALF_LINES = [way for way in LINES if custom_of(way).reads != "http"]


def come(house, way, table, seat=0):
    guest = Guest(house, way, table, seat)
    guest.come()
    assert house.face_in(table, seat) is not None, guest.peer.got()[-500:]
    return guest


def keeps(table, seat):
    return table.player(seat).token is not None


@pytest.mark.parametrize("way", HALF, ids=str)
def test_at_the_half_close_the_seat_of_one_without_a_token_is_free_and_the_name_with_it(way):
    with House() as house:
        table = house.open(way.game)
        witness = house.watch(table)
        other = house.sit(table, 1)
        guest = come(house, way, table)
        name, kept = table.player(0).name, keeps(table, 0)
        guest.peer.link.readConnectionLost()
        house.settle()
        if kept:
            assert table.presence(0) in (Presence.HERE, Presence.AWAY)
            house.pass_time(8.0)
            assert table.presence(0) is Presence.AWAY
        else:
            assert table.names[0] == "" and 0 in table.free_seats()
            assert type(witness.heard[-1]).__name__ == "Left"
            successor = Ear()
            house.host.sit(successor, table.code, 0, name, "in", True, sample(table.rules))
            house.ears.append(successor)
            house.settle()
            assert table.player(0).name == name
        house.pass_time(8.0)
        assert guest.peer.ended
        house.host.leave(other)


@pytest.mark.parametrize("way", HALF_LINES, ids=str)
def test_the_table_goes_with_the_last_of_them_but_not_one_that_is_owned(way):
    with House() as house:
        table = house.open(way.game)
        guest = come(house, way, table)
        kept = keeps(table, 0)
        guest.peer.link.readConnectionLost()
        house.settle()
        assert (table.stage is Stage.GATHERING) is kept
        owned = house.host.open(way.game, "", {}, {"start": "asked"}, "secret").code
        owned = house.host.hall.find(owned)
        house.settle()
        guest = come(house, way, owned)
        guest.peer.link.readConnectionLost()
        house.settle()
        assert owned.stage is Stage.GATHERING and owned.code in house.host.directory


@pytest.mark.parametrize("way", HALF, ids=str)
def test_in_a_game_nobody_loses_the_seat_before_the_link_has_gone(way):
    with House() as house:
        guest, _, table = house.begin(way)
        guest.peer.link.readConnectionLost()
        if way.door.kind == "nim":  # where an end of input with no move sent ahead is the end
            return
        house.pass_time(0.5)
        assert table.presence(0) is Presence.HERE or keeps(table, 0)


@pytest.mark.parametrize("way", HALF_LINES, ids=str)
def test_all_that_is_said_in_one_breath_is_answered_and_leaves_no_ghost(way):
    """As ``printf … | nc -N`` does: the end of the input comes with the last line."""
    with House() as house:
        table = house.open(way.game)
        guest = Guest(house, way, table, 0)
        guest.connect()
        guest.peer.forget()
        guest.peer.say(b"".join(guest.encoded(text) for text in way.wire.sit or ("x",)))
        guest.peer.link.readConnectionLost()
        house.settle()
        house.pass_time(8.0)
        seated = table.seated() if table.stage is not Stage.ABANDONED else {}
        assert guest.peer.ended
        assert all(core.token is not None for core in seated.values())
        silent = way.door.kind in ("nim", "pass123")  # whose clients hear nothing before a game
        assert guest.peer.got() or silent


def test_where_another_game_gathers_a_ghost_holds_up_no_other():
    with House() as house:
        table = house.open("nim")
        stranger, other = house.sit(table, 0, keep=False), house.sit(table, 1)
        house.start(table)
        while table.stage is not Stage.OVER:
            seat = min(table.awaited())
            house.move(table, seat, table.legal_moves(seat)[0])
        house.host.command(None, table, Rematch("cd" * 32))
        house.settle()
        house.host.input_ended(stranger)
        house.settle()
        assert list(table.seated().values()) == [other.place.player]


def test_one_who_is_invited_keeps_the_seat():
    with House() as house:
        code = house.host.open("nim", "", {}, {"start": "asked", "grace": 30}, "secret").code
        table = house.host.hall.find(code)
        boss, guest = Ear(), Ear()
        house.ears += [boss, guest]
        house.host.come_back(boss, f"{code}.secret")
        house.settle()
        house.host.request(boss, invite(0, "zoe", hash_token(f"{code}.word")))
        house.settle()
        house.host.accept(guest, f"{code}.word", "zoe")
        house.host.input_ended(guest)
        house.settle()
        assert table.presence(0) is Presence.HERE
        house.host.drop(guest)
        house.settle()
        assert table.presence(0) is Presence.AWAY


def test_the_seat_is_free_also_where_it_is_taken_only_after_the_half_close():
    """As where a table must be read from the journal first, or a password takes its time."""
    with House() as house:
        sealed = []
        house.host.seal("xyzzy").addCallback(sealed.append)
        house.settle()
        table = house.open("nim", password=sealed[0])
        face = Ear()
        house.ears.append(face)
        house.host.sit(face, table.code, 0, "zoe", "in", password="xyzzy")
        house.host.input_ended(face)
        house.settle()
        house.pass_time(1.0)
        assert face.answers[0][1] is None  # it was answered
        assert face.views and face.place is None
        assert table.stage is Stage.ABANDONED
