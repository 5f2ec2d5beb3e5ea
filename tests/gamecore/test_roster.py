"""Who sits where and what they are called, at the edges of a table's life."""

from __future__ import annotations

import pytest

from gamecore import commands
from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.games.nim import RULES as NIM
from gamecore.games.nim import Take
from gamecore.player import PlayerCore
from gamecore.roster import NAME_LIMIT, Roster
from gamecore.table_events import Abandoned, Left
from gamecore.table_game import MOST_MIXES


@pytest.fixture
def roster() -> Roster:
    return Roster(4)


def test_inner_blanks_do_not_make_a_name_another(roster):
    roster.seat(PlayerCore("a  b", 0))
    assert roster.has_name("A b")
    assert not roster.has_name("ab")
    assert not roster.has_name("a b", but=0)


def test_a_bot_in_somebody_s_place_has_a_name_of_its_own(roster):
    roster.seat(PlayerCore("wren", 0))
    roster.seat(PlayerCore("wren (bot)", 1))
    assert roster.name_for_substitute(0) == "wren (bot 2)"
    roster.seat(PlayerCore("a very very long name 24", 2))
    assert len(roster.name_for_substitute(2)) <= NAME_LIMIT


def test_ranks_are_closed_and_rotated_in_the_order_of_the_seats(roster):
    for seat, name in ((3, "c"), (0, "a"), (2, "b")):
        roster.seat(PlayerCore(name, seat))
    assert roster.names == ("a", "", "b", "c")
    roster.close_ranks()
    assert roster.names == ("a", "b", "c")
    roster.reorder(None)
    assert roster.names == ("b", "c", "a")
    assert [sitter.core.seat for sitter in roster] == [0, 1, 2]
    roster.reorder((2, 0, 1))
    assert roster.names == ("a", "b", "c")
    for order in ((0, 1), (0, 1, 1), (0, 1, 3), ()):
        with pytest.raises(Refused, match="no-such-order"):
            roster.reorder(order)
    assert roster.names == ("a", "b", "c")


def test_a_kept_seat_is_neither_free_nor_taken(roster):
    roster.seat(PlayerCore("wren", 0))
    roster.invite(1, "robin", "hash")
    assert 1 not in roster.free()
    assert len(roster) == 1
    assert roster.has_name("ROBIN")
    for invitation in (None, "another"):
        with pytest.raises(Refused, match="seat-kept"):
            roster.check_invitation(1, invitation)
    roster.check_invitation(1, "hash")
    roster.check_invitation(0, None)
    for seat, name, key in (
        (0, "finch", "seat-taken"),
        (1, "finch", "seat-taken"),
        (2, "Robin", "name-taken"),
    ):
        with pytest.raises(Refused, match=key):
            roster.invite(seat, name, "hash")
    roster.seat(PlayerCore("robin", 1))
    assert roster.invited() == {}


def test_kept_seats_move_behind_those_who_came(roster):
    for seat, name in enumerate(("a", "b", "c", "d")):
        roster.invite(seat, name, f"hash {name}")
    roster.seat(PlayerCore("b", 1))
    roster.seat(PlayerCore("d", 3))
    roster.close_ranks()
    assert roster.names == ("b", "d")
    assert {seat: kept.name for seat, kept in roster.invited().items()} == {2: "a", 3: "c"}


def test_nobody_sits_where_nobody_sits(roster):
    with pytest.raises(Refused, match="no-such-seat"):
        roster.find(0)


def test_a_bot_that_replaces_must_have_a_free_name(begun):
    game = begun(NIM)
    assert game.refuses(commands.Replace(0, "Robin", "random")) == "name-taken"
    assert game.refuses(commands.Replace(0, "", "random")) == "no-name"
    game.do(commands.Replace(0, "wren", "random"))


def test_one_who_has_gone_is_not_replaced(begun, high):
    game = begun(high.RULES, 3)
    game.do(commands.Leave(0))
    assert game.refuses(commands.Replace(0, "robby", "random")) == "not-here"


def test_before_a_game_bots_alone_do_not_keep_a_table_open(watched):
    table = watched(NIM)
    table.do(commands.Sit(0, "robby", level="random"))
    assert table.table.stage is Stage.GATHERING, "its opener may yet come"
    table = watched(NIM, start="asked")
    table.do(commands.Sit(0, "robby", level="random"))
    table.do(commands.Sit(1, "wren"))
    assert Abandoned("empty") in table.do(commands.Leave(1))


def test_the_names_of_a_game_stay_while_its_players_go(begun):
    game = begun(NIM)
    game.do(commands.Play(0, Take(99)))
    game.do(commands.Leave(0))
    assert game.table.names == ("wren", "robin")


def test_one_who_was_waited_for_is_gone_when_the_game_ends(begun):
    game = begun(NIM, absent="wait", grace=5)
    game.do(commands.Drop(1, "grace"))
    game.ring()
    events = game.do(commands.Play(0, Take(99)))
    assert Left(1, "robin", "absent") in events
    assert list(game.table.seated()) == [0]


def test_words_for_the_shuffle_have_a_bound(watched):
    table = watched(NIM)
    table.do(commands.Sit(0, "wren"))
    for _ in range(MOST_MIXES):
        table.do(commands.Mix(0, "x"))
    assert table.refuses(commands.Mix(0, "x")) == "too-many-words"
