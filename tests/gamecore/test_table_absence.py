"""Lost links: grace, forfeit, bot and wait, in every stage and for every seat; and waking up."""

from __future__ import annotations

from math import inf, nextafter

import pytest

from gamecore import commands
from gamecore.events import RoundOver
from gamecore.game import Stage
from gamecore.games.nim import RULES as NIM
from gamecore.games.nim import Board, Faulted, Take, Taken
from gamecore.player import Presence
from gamecore.rules import NextRound, Outcome
from gamecore.table_events import (
    Abandoned,
    Dropped,
    GameOver,
    Left,
    Replaced,
    Returned,
    SeedRevealed,
    Waiting,
)

SEED = "5e" * 32
STAGES = ("gathering", "playing", "laid", "between-rounds", "over", "gathering-again")


@pytest.fixture
def bring(watched, sitting, begun, high):
    """Bring a table of three to a stage: ``bring(stage, tokens, **house)``."""

    def bring_to(stage, tokens=True, **house):
        house = {"start": "asked", "grace": 30, **house}
        if stage == "gathering":
            table = watched(high.RULES, **house)
            for seat in range(3):
                table.do(sitting(high.RULES, seat, "hash" if tokens else None))
            return table
        rounds = 1 if stage in ("over", "gathering-again") else 2
        table = begun(high.RULES, 3, tokens=tokens, options={"rounds": rounds}, **house)
        count = {"playing": 0, "laid": 2}.get(stage, 3)
        for seat in range(count):
            table.do(commands.Play(seat, table.table.legal_moves(seat)[0]))
        if stage == "gathering-again":
            table.do(commands.Rematch(SEED))
        return table

    return bring_to


def named(table, seat):
    return table.table.player(seat).name


# -- grace ----------------------------------------------------------------------------


@pytest.mark.parametrize("stage", STAGES)
def test_in_every_stage_every_seat_may_drop_return_and_drop_again(bring, stage):
    for seat in range(3):
        table = bring(stage)
        assert table.table.absence(seat) == "grace"
        assert table.do(commands.Drop(seat, "grace"), 10.0) == [Dropped(seat, 30.0)]
        assert table.table.presence(seat) is Presence.AWAY
        assert table.refuses(commands.Drop(seat, "grace"), 20.0) == "not-here"
        assert table.do(commands.Return(seat), 20.0) == [Returned(seat)]
        assert table.table.presence(seat) is Presence.HERE
        assert table.refuses(commands.Return(seat)) == "not-away"
        assert table.refuses(commands.TimeUp("grace", seat), 99.0) == "not-due"
        assert table.do(commands.Drop(seat, "grace"), 100.0) == [Dropped(seat, 30.0)]
        assert dict(table.table._roster.graces()) == {seat: 130.0}


@pytest.mark.parametrize("stage", STAGES)
def test_in_every_stage_all_may_drop_and_nobody_come_back(bring, stage):
    table = bring(stage)
    for seat in range(3):
        table.do(commands.Drop(seat, "grace"), 1.0 + seat)
    for _ in range(20):
        if table.table.alarm() is None:
            break
        table.ring()
    assert table.table.ended


@pytest.mark.parametrize("late", [-0.001, 0.0, 0.001])
def test_a_grace_is_over_at_its_time_and_not_before(begun, late):
    game = begun(NIM, options={"stones": 20}, grace=30)
    game.do(commands.Drop(1, "grace"), 10.0)
    assert game.table.alarm().at == 40.0 == game.table.alarm_at()
    if late < 0:
        assert game.refuses(commands.TimeUp("grace", 1), 40.0 + late) == "not-due"
        assert game.do(commands.Return(1)) == [Returned(1)]
        return
    assert game.do(commands.TimeUp("grace", 1), 40.0 + late) == [
        Left(1, "robin", "absent"),
        Faulted(1, "absent", 0, False, Board(20, 3, (4, 4), (40.0 + late, 0))),
        RoundOver(1),
        GameOver(1, Outcome((1, 2), reason="absent")),
        SeedRevealed(1, SEED, ()),
    ]


def test_whoever_returns_before_the_clock_is_asked_is_in_time(begun):
    game = begun(NIM, grace=30)
    game.do(commands.Drop(0, "grace"), 10.0)
    assert game.do(commands.Return(0), 40.5) == [Returned(0)]
    assert game.refuses(commands.TimeUp("grace", 0), 40.5) == "not-due"


def test_the_turn_clock_goes_on_during_a_grace(begun):
    game = begun(NIM, options={"seconds": 20}, grace=30)
    game.do(commands.Drop(0, "grace"), 10.0)
    assert game.table.alarm().command == commands.TimeUp("turn", 0)
    assert game.ring()[0].fault == "time"
    assert game.table.presence(0) is Presence.AWAY
    assert game.table.alarm().command == commands.TimeUp("grace", 0)
    assert game.ring() == [Left(0, "wren", "absent")]


def test_two_graces_that_end_at_once_are_ended_one_after_the_other(begun, high):
    game = begun(high.RULES, 3, options={"seconds": 100}, grace=30)
    game.do(commands.Drop(2, "grace"), 0.0)
    game.do(commands.Drop(0, "grace"), 0.0)
    assert game.table.alarm().command == commands.TimeUp("grace", 0)
    assert game.ring() == [Left(0, "wren", "absent")]
    assert game.table.alarm().command == commands.TimeUp("grace", 2)
    assert game.ring()[0] == Left(2, "linnet", "absent")
    assert game.table.stage is Stage.OVER


# -- what the absent option decides ---------------------------------------------------


@pytest.mark.parametrize("absent", ["forfeit", "bot", "wait"])
@pytest.mark.parametrize("stage", STAGES)
def test_in_every_stage_every_seat_the_end_of_a_grace_does_what_the_table_chose(
    bring, stage, absent
):
    for seat in range(3):
        table = bring(stage, absent=absent)
        live = stage in ("playing", "laid", "between-rounds")
        name = named(table, seat)
        table.do(commands.Drop(seat, "grace"), 0.0)
        table.now = 30.0
        first, *more = table.do(commands.TimeUp("grace", seat))
        if absent == "forfeit" or not live:
            assert first == Left(seat, name, "absent")
            assert seat not in table.table.seated() or live
            assert table.table.presence(seat) is Presence.GONE
        elif absent == "bot":
            assert (first, more) == (Replaced(seat, f"{name} (bot)", "random"), [])
            assert table.table.player(seat).level == "random"
        else:
            assert (first, more) == (Waiting(seat), [])
            assert table.table.presence(seat) is Presence.AWAY
            assert table.refuses(commands.TimeUp("grace", seat), 1e6) == "not-due"
            assert table.do(commands.Return(seat)) == [Returned(seat)]


@pytest.mark.parametrize("absent", ["forfeit", "bot", "wait"])
@pytest.mark.parametrize("stage", STAGES)
def test_in_every_stage_every_seat_without_a_token_cannot_return(bring, stage, absent):
    for seat in range(3):
        table = bring(stage, tokens=False, absent=absent)
        live = stage in ("playing", "laid", "between-rounds")
        name = named(table, seat)
        decided = "bot" if absent == "bot" and live else "forfeit"
        assert table.table.absence(seat) == decided
        first = table.do(commands.Drop(seat, decided), 5.0)[0]
        if decided == "bot":
            assert first == Replaced(seat, f"{name} (bot)", "random")
        else:
            assert first == Left(seat, name, "disconnected")
            assert table.table.presence(seat) is Presence.GONE


@pytest.mark.parametrize("stage", ["gathering", "over", "gathering-again"])
def test_a_bot_takes_no_seat_where_no_game_is(bring, stage):
    table = bring(stage)
    name = named(table, 1)
    assert table.do(commands.Drop(1, "bot")) == [Left(1, name, "disconnected")]
    assert 1 not in table.table.seated()


def test_a_lost_link_lays_the_last_card_of_a_round_open(bring, high):
    table = bring("laid", tokens=False)
    events = table.do(commands.Drop(2, "forfeit"))
    assert events[0] == Left(2, "linnet", "disconnected")
    assert events[-1] == RoundOver(1)
    assert table.table.stage is Stage.BETWEEN_ROUNDS


# -- waiting --------------------------------------------------------------------------


def test_the_clock_of_who_is_waited_for_stands_and_goes_on_exactly(begun):
    game = begun(NIM, options={"seconds": 100, "stones": 20}, absent="wait", grace=10)
    game.do(commands.Drop(0, "grace"), 20.0)
    assert game.ring() == [Waiting(0)]
    assert game.now == 30.0
    assert game.table.alarm() is None is game.table.alarm_at()
    assert game.table.seen_by(1, 30.0).due == {}
    assert game.refuses(commands.TimeUp("turn", 0), 5000.0) == "not-due"
    assert game.do(commands.Return(0), 1054.0) == [Returned(0)]
    due = nextafter(100.0, inf) + 1024.0
    assert game.table.seen_by(0, 1054.0).due == {0: due}
    assert game.table.alarm_at() == due
    board = Board(19, 3, (4, 4), (50.0, 0))
    assert game.do(commands.Play(0, Take(1)), 1074.0) == [Taken(0, 1, False, board, False)]


def test_after_a_wait_exactly_the_time_allowed_is_fine_and_more_loses(begun):
    for late, lost in [(0.0, False), (0.001, True)]:
        game = begun(NIM, options={"seconds": 100}, absent="wait", grace=10)
        game.do(commands.Drop(0, "grace"), 22.0)
        game.ring()
        game.do(commands.Return(0), 32.0 + 512.0)
        assert isinstance(game.do(commands.Play(0, Take(1)), 612.0 + late)[0], Faulted) is lost


def test_only_the_clock_of_who_is_waited_for_stands(begun):
    game = begun(NIM, options={"seconds": 100}, absent="wait", grace=10)
    game.do(commands.Play(0, Take(1)), 5.0)
    game.do(commands.Drop(0, "grace"), 10.0)
    game.ring()
    assert game.table.alarm_at() == nextafter(105.0, inf)  # seat 1 is to move, and here
    game.do(commands.Play(1, Take(1)), 30.0)
    assert game.table.alarm() is None
    game.do(commands.Return(0), 40.0)
    assert game.table.alarm_at() == nextafter(125.0, inf) + 10.0


def test_waiting_twice_adds_up(begun):
    game = begun(NIM, options={"seconds": 100}, absent="wait", grace=10)
    for dropped, returned in [(8.0, 50.0), (60.0, 102.0)]:
        game.do(commands.Drop(0, "grace"), dropped)
        game.ring()
        game.do(commands.Return(0), returned)
    assert game.table.alarm_at() == pytest.approx(100.0 + 32.0 + 32.0)
    assert game.do(commands.Play(0, Take(1)), 102.0)[0].board.used == (38.0, 0)


def test_where_several_are_to_move_all_clocks_stand_for_one_who_is_waited_for(begun, high):
    game = begun(high.RULES, 3, options={"seconds": 100}, absent="wait", grace=10)
    game.do(commands.Drop(1, "grace"), 10.0)
    game.ring()
    assert game.table.alarm() is None
    game.do(commands.Play(0, game.table.legal_moves(0)[0]), 50.0)
    game.do(commands.Return(1), 60.0)
    assert game.table.seen_by(2, 60.0).due == {1: 140.0, 2: 140.0}


def test_a_move_made_while_the_clocks_stand_takes_no_time_of_who_is_waited_for(begun):
    game = begun(NIM, options={"seconds": 100, "stones": 20}, absent="wait", grace=10)
    game.do(commands.Drop(0, "grace"), 10.0)
    game.ring()
    assert game.do(commands.Leave(1), 500.0)[1].board.used == (20.0, 0)


def test_the_clocks_of_a_rematch_know_nothing_of_waits_before_it(begun):
    game = begun(NIM, options={"seconds": 100, "stones": 1}, absent="wait", grace=10, start="asked")
    game.do(commands.Drop(0, "grace"), 10.0)
    game.ring()
    game.do(commands.Return(0), 50.0)
    for command in (commands.Play(0, Take(1)), commands.Rematch(SEED), commands.Start()):
        game.do(command, 60.0)
    assert game.table.alarm_at() == nextafter(160.0, inf)


def test_whoever_is_waited_for_can_still_leave_be_replaced_or_be_beaten(begun):
    for command, kind in [
        (commands.Leave(0), Left),
        (commands.Replace(0, "robby", "random"), Replaced),
        (commands.Play(1, Take(1)), Faulted),
        (commands.Leave(1), Left),
        (commands.Abandon("x"), Abandoned),
    ]:
        game = begun(NIM, options={"seconds": 100}, absent="wait", grace=10)
        game.do(commands.Drop(0, "grace"), 10.0)
        game.ring()
        assert type(game.do(command, 500.0)[0]) is kind
        if kind is Replaced:
            assert game.table.alarm_at() == nextafter(100.0, inf) + 480.0


@pytest.mark.parametrize("stage", STAGES)
def test_one_who_is_given_a_token_later_is_held_a_seat_from_then(bring, stage):
    table = bring(stage, tokens=False)
    assert table.table.absence(1) == "forfeit"
    assert table.do(commands.GiveToken(1, "a hash"), 1.0) == []
    assert table.table.absence(1) == "grace"
    assert table.do(commands.Drop(1, "grace"), 2.0) == [Dropped(1, 30.0)]
    live = stage in ("playing", "laid", "between-rounds")
    assert (table.table.resumable, table.table.void) == (not live, False)


# -- waking ---------------------------------------------------------------------------


def test_a_table_that_wakes_finds_its_people_away_from_now_and_its_bots_here(begun, high):
    game = begun(high.RULES, 4, grace=30)
    game.do(commands.Replace(2, "robby", "random"))
    game.do(commands.Drop(3, "grace"), 4.0)
    assert game.do(commands.Wake(), 9.0) == [Dropped(0, 30.0), Dropped(1, 30.0)]
    presence = [game.table.presence(seat) for seat in range(4)]
    assert presence == [Presence.AWAY, Presence.AWAY, Presence.HERE, Presence.AWAY]
    assert dict(game.table._roster.graces()) == {0: 39.0, 1: 39.0, 3: 34.0}
    assert game.do(commands.Wake(), 10.0) == []


@pytest.mark.parametrize("stage", STAGES)
def test_waking_in_any_stage_holds_every_seat_that_has_a_token(bring, stage):
    table = bring(stage)
    assert table.do(commands.Wake(), 1.0) == [Dropped(seat, 30.0) for seat in range(3)]


@pytest.mark.parametrize("absent", ["forfeit", "bot", "wait"])
@pytest.mark.parametrize("stage", STAGES)
def test_waking_in_any_stage_loses_whoever_cannot_return(bring, stage, absent):
    table = bring(stage, tokens=False, absent=absent)
    live = stage in ("playing", "laid", "between-rounds")
    names = [named(table, seat) for seat in range(3)]
    events = table.do(commands.Wake(), 1.0)
    if absent == "bot" and live:
        assert events == [Replaced(seat, f"{names[seat]} (bot)", "random") for seat in range(3)]
        return
    left = [each for each in events if isinstance(each, Left)]
    assert left == [Left(seat, names[seat], "disconnected") for seat in range(3)]
    assert table.table.ended


def test_a_wake_that_ends_a_round_by_one_loss_survives_the_next_one(begun, high):
    game = begun(high.RULES, 4, tokens=False)
    for seat in (2, 3):
        game.do(commands.Play(seat, game.table.legal_moves(seat)[0]))
    events = game.do(commands.Wake(), 1.0)
    assert [type(each).__name__ for each in events] == [
        "Left", "Left", "Shown", "RoundOver", "Left", "GameOver", "SeedRevealed", "Left",
    ]  # fmt: skip
    assert game.table.ended


def test_a_mover_who_was_waited_for_before_the_rest_is_waited_for_after_it(begun):
    game = begun(NIM, options={"seconds": 100}, absent="wait", grace=10)
    game.do(commands.Drop(0, "grace"), 10.0)
    game.ring()
    assert game.do(commands.Wake(), 50.0) == [Dropped(1, 10.0)]
    assert game.table.alarm().command == commands.TimeUp("grace", 1)
    game.ring()
    assert game.table.alarm().command == commands.TimeUp("expiry"), "or it would stand for ever"
    game.do(commands.Return(0), 84.0)
    assert game.table.alarm_at() == nextafter(100.0, inf) + 64.0


def test_an_absent_player_is_dealt_in_and_can_return_to_the_game(bring, high):
    table = bring("gathering")
    table.do(commands.Drop(1, "grace"), 1.0)
    table.do(commands.Start(), 2.0)
    assert table.table.presence(1) is Presence.AWAY
    assert table.do(commands.Return(1), 3.0) == [Returned(1)]
    assert len(table.table.seen_by(1, 3.0).board.hand) == 4


def test_everybody_may_be_away_in_a_pause_and_go_on_after_it(bring):
    table = bring("between-rounds")
    for seat in range(3):
        table.do(commands.Drop(seat, "grace"), 1.0)
    for seat in range(3):
        table.do(commands.Return(seat), 2.0)
        table.do(commands.Play(seat, NextRound()), 2.0)
    assert table.table.stage is Stage.PLAYING
