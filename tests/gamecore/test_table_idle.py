"""Players who are there and never move: the clock decides for them, until they count as absent."""

from __future__ import annotations

import pytest

from gamecore import commands
from gamecore.game import Stage
from gamecore.games.castle import RULES as CASTLE
from gamecore.games.pass123 import RULES as PASS
from gamecore.games.rikiki import RULES as RIKIKI
from gamecore.hall import Hall
from gamecore.player import Presence
from gamecore.rules import Registry
from gamecore.settings import choose_settings, read_settings
from gamecore.table_events import GameOver, Left, Replaced, Returned, Waiting
from gamecore.table_options import TableOptions

IDLE_GAMES = {"castle": (CASTLE, 2), "pass123": (PASS, 4), "rikiki": (RIKIKI, 3)}


def first_move(table, seat):
    return commands.Play(seat, table.table.legal_moves(seat)[0])


def rings(table, most=400):
    """Let the clock decide everything until the game is over; gives all that happened."""
    happened = []
    for _ in range(most):
        if table.table.stage not in (Stage.PLAYING, Stage.BETWEEN_ROUNDS):
            break
        happened += table.ring()
    return happened


@pytest.mark.parametrize("game", IDLE_GAMES)
def test_a_game_where_everybody_is_idle_ends(begun, game):
    rules, people = IDLE_GAMES[game]
    table = begun(rules, people, options={"seconds": 1}, idle=3)
    happened = rings(table)
    assert table.table.stage in (Stage.OVER, Stage.ABANDONED)
    assert next(each.why for each in happened if isinstance(each, Left)) == "absent"


@pytest.mark.parametrize("game", IDLE_GAMES)
def test_a_table_of_before_goes_on_by_the_clock_as_it_did(begun, game):
    rules, people = IDLE_GAMES[game]
    table = begun(rules, people, options={"seconds": 1})
    assert not [each for each in rings(table, 30) if isinstance(each, Left | GameOver)]


def test_what_an_old_record_does_not_say_is_never_and_new_tables_begin_with_three():
    assert read_settings(TableOptions, {}).idle == 0
    assert choose_settings(TableOptions, {}).idle == 3
    assert choose_settings(TableOptions, {"idle": 0}).idle == 0


def test_a_move_of_ones_own_begins_the_count_anew(begun):
    table = begun(PASS, 4, options={"seconds": 10}, idle=2)
    gone = []
    for seats in ((1, 2), (0, 1, 2)):  # seat 0 decides once, seat 3 never does
        for seat in seats:
            table.do(first_move(table, seat))
        due = table.table.alarm().at
        while table.table.alarm().at == due:
            gone += [each.seat for each in table.ring() if isinstance(each, Left)]
    assert gone == [3]


def test_a_pause_that_the_clock_ends_is_nobodys_decision(begun):
    table = begun(RIKIKI, 2, options={"players": 2, "first": 3, "pause": 5}, idle=1)
    while table.table.stage is not Stage.OVER:
        (seat,) = table.table.awaited() if len(table.table.awaited()) == 1 else (None,)
        if seat is None:
            assert not any(isinstance(each, Left) for each in table.ring())
        else:
            table.do(first_move(table, seat))
    assert table.table.presence(0) is Presence.HERE


def test_who_is_away_is_not_idle(begun, high):
    table = begun(high.RULES, 3, options={"seconds": 10}, idle=1, grace=100)
    table.do(commands.Drop(0, "grace"), 1.0)
    for seat in (1, 2):
        table.do(first_move(table, seat), 1.0)
    assert not any(isinstance(each, Left) for each in table.ring())
    assert table.table.presence(0) is Presence.AWAY


def test_a_bot_is_not_idle(begun, high):
    table = begun(high.RULES, 3, options={"seconds": 10}, idle=1, grace=5)
    table.do(commands.Drop(0, "grace"), 1.0)
    table.do(commands.Replace(0, "robot", "random"), 1.0)
    for seat in (1, 2):
        table.do(first_move(table, seat), 1.0)
    assert not any(isinstance(each, Left) for each in table.ring())


def test_a_bot_takes_over_from_the_idle_where_the_table_says_so(begun, high):
    table = begun(high.RULES, 3, options={"seconds": 10}, idle=1, absent="bot")
    happened = table.ring()
    assert [each.seat for each in happened if isinstance(each, Replaced)] == [0]
    assert table.table.player(0).level == "random"


def test_one_who_is_waited_for_is_back_with_the_next_move(begun):
    table = begun(PASS, 4, options={"seconds": 10}, idle=1, absent="wait")
    assert table.ring()[-1] == Waiting(0)
    assert table.table.presence(0) is Presence.AWAY
    for seat in (1, 2, 3) * 2:
        table.do(first_move(table, seat), 15.0)
    assert table.table.awaited() == {0}
    assert table.table.turn_of(None, 500.0).due == {}
    assert Returned(0) in table.do(first_move(table, 0), 500.0)
    assert table.table.presence(0) is Presence.HERE


def test_idleness_is_replayed_alike(begun):
    table = begun(PASS, 4, options={"seconds": 1}, idle=2)
    rings(table)
    again = Hall(Registry([PASS])).replay(table.entries())
    assert again.seen_by(None, 9.0) == table.table.seen_by(None, 9.0)
