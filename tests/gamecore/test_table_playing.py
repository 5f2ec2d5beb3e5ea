"""A table during its game: moves, rounds, clocks, and who is told what."""

from __future__ import annotations

from math import inf, nextafter

import pytest

from gamecore import commands
from gamecore.events import RoundBegan, RoundOver, heard_by
from gamecore.game import Stage
from gamecore.games.nim import RULES as NIM
from gamecore.games.nim import Board, Faulted, Take, Taken
from gamecore.player import Presence
from gamecore.rules import NextRound, Outcome
from gamecore.table_events import GameOver, Left, Replaced, SeedRevealed

SEED = "5e" * 32


def lay(game, *seats):
    """Lay the lowest card of each seat; give the last events."""
    for seat in seats:
        events = game.do(commands.Play(seat, game.table.legal_moves(seat)[0]))
    return events


# -- moves ----------------------------------------------------------------------------


def test_a_move_is_judged_by_the_game_alone(begun):
    game = begun(NIM, options={"stones": 20})
    board = Board(17, 4, (4, 4), (1.5, 0))
    assert game.do(commands.Play(0, Take(3)), 1.5) == [Taken(0, 3, False, board, False)]
    assert game.table.seen_by(0, 1.5).to_move == {1}
    assert list(game.table.legal_moves(0)) == []
    assert game.table.legal_moves(1)[-1] == Take(4, True)


def test_a_move_out_of_turn_is_the_affair_of_the_game(begun):
    board = Board(20, 3, (4, 4), (0, 0))
    assert begun(NIM, options={"stones": 20}).do(commands.Play(1, Take(3))) == [
        Faulted(1, "turn", 3, False, board),
        RoundOver(1),
        GameOver(1, Outcome((1, 2), reason="turn")),
        SeedRevealed(1, SEED, ()),
    ]


def test_moves_that_the_game_refuses_change_nothing(begun, high):
    game = begun(NIM, options={"early_moves": "keep"})
    assert game.refuses(commands.Play(1, Take(3)), 5.0) == "not-your-turn"
    assert game.refuses(commands.Play(0, NextRound())) == "no-such-move"
    game = begun(high.RULES)
    foreign = game.table.legal_moves(1)[0]
    assert game.refuses(commands.Play(0, foreign)) == "no-such-move"
    lay(game, 0)
    assert game.refuses(commands.Play(0, foreign)) == "not-your-turn"


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_a_seat_where_nobody_sits_moves_nothing(begun, seat, rules):
    game = begun(rules)
    assert game.refuses(commands.Play(seat, Take(1))) == "no-such-seat"
    assert game.refuses(commands.Play(seat, game.table.legal_moves(0)[0])) == "no-such-seat"


def test_no_command_but_the_moves_needs_a_turn(begun):
    game = begun(NIM)
    for command, key in [
        (commands.Return(1), "not-away"),
        (commands.Leave(2), "no-such-seat"),
        (commands.Rematch(SEED), "game-not-over"),
        (commands.Replace(5, "b", "random"), "no-such-seat"),
        (commands.TimeUp("expiry"), "not-due"),
        (commands.TimeUp("grace", 0), "not-due"),
    ]:
        assert game.refuses(command) == key


# -- rounds ---------------------------------------------------------------------------


def test_a_game_pauses_between_rounds_until_everybody_goes_on(begun, high):
    game = begun(high.RULES, 3)
    assert lay(game, 0, 1, 2)[-1] == RoundOver(1)
    view = game.table.seen_by(1, 0.0)
    assert (view.stage, view.to_move, view.due) == (Stage.BETWEEN_ROUNDS, {0, 1, 2}, {})
    assert list(game.table.legal_moves(1)) == [NextRound()]
    assert game.table.alarm() is None
    assert game.do(commands.Play(2, NextRound())) == []
    assert game.table.stage is Stage.BETWEEN_ROUNDS
    assert game.refuses(commands.Play(2, NextRound())) == "not-your-turn"
    game.do(commands.Play(0, NextRound()))
    assert game.do(commands.Play(1, NextRound()), 7.0) == [RoundBegan(2)]
    assert game.table.stage is Stage.PLAYING
    assert game.table.seen_by(0, 7.0).due == {0: 17.0, 1: 17.0, 2: 17.0}
    events = lay(game, 2, 1, 0)
    assert [type(each).__name__ for each in events[-3:]] == [
        "RoundOver",
        "GameOver",
        "SeedRevealed",
    ]
    assert game.table.stage is Stage.OVER


def test_leaving_in_a_pause_goes_on_when_all_others_have(begun, high):
    game = begun(high.RULES, 3)
    lay(game, 0, 1, 2)
    game.do(commands.Play(0, NextRound()))
    game.do(commands.Play(2, NextRound()))
    assert game.do(commands.Leave(1)) == [Left(1, "robin", "left"), RoundBegan(2)]
    assert game.table.stage is Stage.PLAYING


def test_a_game_goes_on_without_who_left_and_their_seat_stays_named(begun, high):
    game = begun(high.RULES, 3)
    assert game.do(commands.Leave(1, "tired")) == [Left(1, "robin", "tired")]
    view = game.table.seen_by(0, 0.0)
    assert (view.names, view.to_move) == (("wren", "robin", "linnet"), {0, 2})
    assert view.seats[1].presence is Presence.GONE is game.table.presence(1)
    assert game.refuses(commands.Leave(1)) == "not-here"
    assert game.refuses(commands.Drop(1, "grace")) == "not-here"
    assert game.refuses(commands.Return(1)) == "not-away"
    assert game.refuses(commands.Play(1, NextRound())) == "not-your-turn"
    events = game.do(commands.Leave(0))
    assert events[0] == Left(0, "wren", "left")
    assert events[1] == GameOver(1, Outcome((2, 2, 1), (0, 0, 0)))
    assert sorted(game.table.seated()) == [2]


def test_whoever_leaves_a_game_of_two_loses_it(begun):
    board = Board(100, 3, (4, 4), (0, 0))
    assert begun(NIM).do(commands.Leave(1)) == [
        Left(1, "robin", "left"),
        Faulted(1, "left", 0, False, board),
        RoundOver(1),
        GameOver(1, Outcome((1, 2), reason="left")),
        SeedRevealed(1, SEED, ()),
    ]


# -- streams --------------------------------------------------------------------------


def test_each_stream_counts_what_its_own_audience_is_told(begun, high):
    game = begun(high.RULES, 3)
    first = {seat: game.table.seen_by(seat, 0.0).told for seat in (None, 0, 1, 2)}
    assert first == {None: 5, 0: 6, 1: 5, 2: 4}  # seats hear their hand, and who sat after them
    events = lay(game, 1)
    assert [len(heard_by(seat, events)) for seat in (None, 0, 1, 2)] == [1, 1, 2, 1]
    after = {seat: game.table.seen_by(seat, 0.0).told for seat in (None, 0, 1, 2)}
    assert after == {None: first[None] + 1, 0: first[0] + 1, 1: first[1] + 2, 2: first[2] + 1}


def test_a_secret_of_another_seat_shows_in_no_number_that_a_seat_is_told(begun, high):
    views = []
    for card in (0, 3):
        game = begun(high.RULES, 2)
        game.do(commands.Play(1, game.table.legal_moves(1)[card]))
        views.append([game.table.seen_by(seat, 0.0) for seat in (0, None)])
    assert views[0] == views[1]


def test_no_view_counts_the_commands_of_the_table(begun, high):
    game = begun(high.RULES, 2)
    before = game.table.seen_by(None, 0.0).told
    lay(game, 0, 1)
    game.do(commands.Play(0, NextRound()))  # tells nobody anything
    assert game.table.seen_by(None, 0.0).told == before + 4
    assert game.table.sequence == len(game.done) - 1


# -- clocks ---------------------------------------------------------------------------


def test_a_turn_runs_out_at_its_time_and_not_before(begun):
    game = begun(NIM, options={"seconds": 10, "stones": 20})
    at = nextafter(10.0, inf)
    assert (game.table.alarm().at, game.table.alarm().command) == (at, commands.TimeUp("turn", 0))
    assert game.refuses(commands.TimeUp("turn", 0), 10.0) == "not-due"
    assert game.refuses(commands.TimeUp("turn", 1), 99.0) == "not-due"
    assert game.do(commands.TimeUp("turn", 0), at)[:2] == [
        Faulted(0, "time", 0, False, Board(20, 3, (4, 4), (at, 0))),
        RoundOver(1),
    ]
    assert game.refuses(commands.TimeUp("turn", 0), at) == "not-due"


@pytest.mark.parametrize(("late", "lost"), [(-0.001, False), (0.0, False), (0.001, True)])
def test_a_move_about_the_deadline_has_one_outcome(begun, late, lost):
    game = begun(NIM, options={"seconds": 10})
    events = game.do(commands.Play(0, Take(1)), 10.0 + late)
    assert isinstance(events[0], Faulted) is lost
    assert game.refuses(commands.TimeUp("turn", 0)) == "not-due"


def test_two_seats_that_are_due_at_once_are_judged_one_after_the_other(begun, high):
    game = begun(high.RULES, 2)
    assert (game.table.alarm().at, game.table.alarm().command) == (10.0, commands.TimeUp("turn", 0))
    first = game.ring()
    assert first[0] == high.Laid(0)
    assert game.table.alarm().command == commands.TimeUp("turn", 1)
    assert game.refuses(commands.TimeUp("turn", 0)) == "not-due"
    second = game.ring()
    assert second[0] == high.Laid(1) and second[-1] == RoundOver(1)
    assert game.refuses(commands.TimeUp("turn", 1)) == "not-due"
    assert game.table.stage is Stage.BETWEEN_ROUNDS


def test_a_move_of_one_seat_re_arms_no_clock_of_another(begun, high):
    game = begun(high.RULES, 2)
    game.now = 6.0
    lay(game, 1)
    assert game.table.seen_by(0, 6.0).due == {0: 10.0}


# -- bots -----------------------------------------------------------------------------


def test_a_bot_takes_over_a_seat_of_the_game_with_what_was_brought_there(begun, high):
    game = begun(high.RULES, 2)
    hand = game.table.seen_by(1, 0.0).board.hand
    assert game.do(commands.Replace(1, "robby", "random")) == [Replaced(1, "robby", "random")]
    core = game.table.player(1)
    assert (core.name, core.level, core.token) == ("robby", "random", None)
    assert (core.brought, core.told) == (high.Charm("charm 1"), 1)
    view = game.table.seen_by(1, 0.0)
    assert (view.board.hand, view.names) == (hand, ("wren", "robby"))
    assert view.seats[1].presence is Presence.HERE
    lay(game, 1)
    lay(game, 0)
    assert game.table.stage is Stage.BETWEEN_ROUNDS


def test_a_bot_may_take_the_seat_of_somebody_away_who_then_cannot_return(begun):
    game = begun(NIM)
    game.do(commands.Drop(0, "grace"), 1.0)
    game.do(commands.Replace(0, "robby", "random"), 2.0)
    assert game.refuses(commands.Return(0)) == "not-away"
    assert game.refuses(commands.TimeUp("grace", 0), 1e6) == "not-due"
