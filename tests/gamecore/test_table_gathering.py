"""A table before, between and after games: sitting down, mixing, starting, leaving, once more."""

from __future__ import annotations

import pytest

from gamecore import commands
from gamecore.errors import Refused
from gamecore.events import RoundBegan
from gamecore.fairness import Deal, commitment
from gamecore.game import Stage
from gamecore.games.nim import RULES as NIM
from gamecore.games.nim import NimOptions, PileSet, Take
from gamecore.player import PlayerCore, Presence
from gamecore.rules import Outcome
from gamecore.table_events import (
    Abandoned,
    GameBegan,
    GameOver,
    Gathered,
    Left,
    Mixed,
    Sat,
    SeedRevealed,
)
from gamecore.table_view import SeatView, TableView

SEED = "5e" * 32
SECOND_SEED = "a7" * 32


# -- a table as it is opened ----------------------------------------------------------


def test_a_new_table_gathers_and_promises_its_seed(watched):
    new = watched(NIM, {"stones": 20}, private=True)
    promise = commitment("TABLE", 1, SEED)
    assert new.table.seen_by(None, 0.0) == TableView(
        "TABLE", "nim", "a table", Stage.GATHERING, 1, {"stones": 20}, promise,
        most_players=2, seats=(), invited=(), names=(),
        seat=None, told=0, at=0.0, to_move=frozenset(), due={}, board=None,
    )  # fmt: skip
    assert new.table.free_seats() == [0, 1]
    assert (new.table.players, new.table.joinable, new.table.ended) == (0, True, False)
    assert new.table.house.private is True
    assert list(new.table.legal_moves(0)) == []
    with pytest.raises(Refused, match="no-such-seat"):
        new.table.seen_by(0, 0.0)


@pytest.mark.parametrize(
    "house", [{"grace": 0}, {"absent": "sleep"}, {"start": "now"}, {"expiry": 1}, {"colour": "red"}]
)
def test_house_options_out_of_bounds_open_no_table(watched, house):
    with pytest.raises(Refused):
        watched(NIM, **house)


# -- sitting down ---------------------------------------------------------------------


def test_who_sits_down_is_told_to_all(watched):
    new = watched(NIM)
    assert new.do(commands.Sit(1, "wren", "hash")) == [Sat(1, "wren", None)]
    assert new.do(commands.Sit(0, "robby", level="random"))[0] == Sat(0, "robby", "random")
    assert new.table.seen_by(1, 0.0).seats == (
        SeatView(0, "robby", Presence.HERE, "random"),
        SeatView(1, "wren", Presence.HERE, None),
    )


def test_names_stand_by_seat_with_gaps_for_nobody(watched):
    new = watched(NIM)
    new.do(commands.Sit(1, "wren"))
    assert new.table.names == ("", "wren")
    assert new.table.free_seats() == [0]


@pytest.mark.parametrize(
    ("command", "key"),
    [
        (commands.Sit(2, "robin"), "no-such-seat"),
        (commands.Sit(-1, "robin"), "no-such-seat"),
        (commands.Sit(0, "robin"), "seat-taken"),
        (commands.Sit(1, ""), "no-name"),
        (commands.Sit(1, " \t"), "no-name"),
        (commands.Sit(1, "Wren"), "name-taken"),
        (commands.Sit(1, " wren "), "name-taken"),
        (commands.Sit(1, "\uff37\uff32\uff25\uff2e"), "name-taken"),
        (commands.Sit(1, "robin", brought=("a", "deck")), "brings-nothing"),
        (commands.Mix(1, "abc"), "no-such-seat"),
        (commands.Mix(0, ""), "words-too-long"),
        (commands.Mix(0, "x" * 201), "words-too-long"),
        (commands.Leave(1), "no-such-seat"),
        (commands.Start(), "too-few-players"),
        (commands.Play(0, Take(1)), "no-game"),
        (commands.Drop(1, "grace"), "no-such-seat"),
        (commands.Return(0), "not-away"),
        (commands.Return(1), "no-such-seat"),
        (commands.Replace(0, "bot", "random"), "no-game"),
        (commands.Replace(1, "bot", "random"), "no-such-seat"),
        (commands.TimeUp("turn", 0), "not-due"),
        (commands.TimeUp("grace", 0), "not-due"),
        (commands.TimeUp("expiry"), "not-due"),
        (commands.TimeUp("expiry", 0), "not-due"),
        (commands.TimeUp("turn"), "not-due"),
        (commands.Rematch(SEED), "game-not-over"),
    ],
    ids=str,
)
def test_what_a_gathering_table_refuses_changes_nothing(watched, command, key):
    new = watched(NIM)
    new.do(commands.Sit(0, "wren", "hash"))
    assert new.refuses(command) == key


def test_a_game_where_people_bring_something_wants_it_from_all(watched, sitting, high):
    new = watched(high.RULES)
    assert new.refuses(commands.Sit(0, "wren")) == "must-bring"
    assert new.refuses(commands.Sit(0, "wren", brought="clover")) == "must-bring"
    assert new.do(sitting(high.RULES, 0)) == [Sat(0, "wren", None)]
    assert new.table.player(0) == PlayerCore(
        "wren", 0, "hash", brought=high.Charm("charm 0"), told=1
    )


def test_nobody_sits_down_at_a_game_that_has_begun(begun):
    assert begun(NIM).refuses(commands.Sit(0, "kite")) == "game-began"


# -- starting -------------------------------------------------------------------------


def test_a_full_table_begins_of_itself(watched, sitting):
    new = watched(NIM, {"stones": 20})
    new.do(sitting(NIM, 1))
    assert new.do(sitting(NIM, 0), 3.0) == [
        Sat(0, "wren", None),
        GameBegan(1, ("wren", "robin")),
        RoundBegan(1),
        PileSet(NimOptions(20)),
    ]
    assert new.table.stage is Stage.PLAYING
    assert not new.table.joinable
    assert [new.table.seen_by(seat, 3.0).told for seat in (0, 1, None)] == [4, 5, 5]


def test_a_table_that_is_asked_for_begins_when_somebody_asks(watched, sitting):
    new = watched(NIM, start="asked")
    new.do(sitting(NIM, 0))
    assert new.do(sitting(NIM, 1)) == [Sat(1, "robin", None)]
    assert new.table.stage is Stage.GATHERING
    assert new.do(commands.Start()) == [
        GameBegan(1, ("wren", "robin")),
        RoundBegan(1),
        PileSet(NimOptions()),
    ]
    assert new.refuses(commands.Start()) == "game-began"
    assert new.refuses(commands.Mix(0, "late")) == "game-began"


def test_the_clock_of_the_game_begins_at_the_start(watched, sitting):
    new = watched(NIM, {"seconds": 10}, start="asked")
    for seat in (0, 1):
        new.do(sitting(NIM, seat), 50.0)
    new.do(commands.Start(), 70.0)
    assert new.table.alarm().at == pytest.approx(80.0)


def test_at_a_start_the_players_close_ranks_and_hear_their_own_cards(watched, sitting, high):
    new = watched(high.RULES, start="asked")
    for seat in (3, 1):
        new.do(sitting(high.RULES, seat))
    assert new.table.names == ("", "robin", "", "finch")
    assert new.table.free_seats() == [0, 2]
    pack = Deal(SEED).shuffle("hands", list(range(1, 21)))
    hands = [tuple(sorted(pack[:4])), tuple(sorted(pack[4:8]))]
    assert new.do(commands.Start()) == [
        GameBegan(1, ("robin", "finch")),
        RoundBegan(1),
        high.Hand(0, hands[0]),
        high.Hand(1, hands[1]),
    ]
    assert new.table.names == ("robin", "finch")
    assert {seat: (core.name, core.seat) for seat, core in new.table.seated().items()} == {
        0: ("robin", 0),
        1: ("finch", 1),
    }
    assert new.table.seen_by(1, 0.0).board.hand == hands[1]
    assert new.table.seen_by(None, 0.0).board.hand == ()
    assert [new.table.seen_by(seat, 0.0).told for seat in (0, 1, None)] == [4, 5, 4]


def test_words_of_the_players_change_the_deal_in_their_order(watched, sitting, high):
    new = watched(high.RULES, start="asked")
    for seat in (0, 1):
        new.do(sitting(high.RULES, seat))
    assert new.do(commands.Mix(1, "owl")) == [Mixed(1, "owl")]
    assert new.do(commands.Mix(0, "x" * 200)) == [Mixed(0, "x" * 200)]
    new.do(commands.Start())
    pack = Deal(SEED, ["owl", "x" * 200]).shuffle("hands", list(range(1, 21)))
    assert new.table.seen_by(0, 0.0).board.hand == tuple(sorted(pack[:4]))
    assert new.do(commands.Abandon("done"))[-1] == SeedRevealed(1, SEED, ("owl", "x" * 200))


# -- leaving, expiry, abandoning ------------------------------------------------------


def test_a_seat_left_before_the_game_is_free_again(watched, sitting, high):
    new = watched(high.RULES)
    for seat in (0, 1):
        new.do(sitting(high.RULES, seat))
    assert new.do(commands.Leave(0, "bored")) == [Left(0, "wren", "bored")]
    assert new.table.free_seats() == [0, 2, 3]
    assert new.do(commands.Sit(0, "wren", brought=high.Charm("x"))) == [Sat(0, "wren", None)]


def test_a_table_that_all_have_left_is_closed_and_its_seed_told(watched, sitting):
    new = watched(NIM)
    new.do(sitting(NIM, 0))
    assert new.do(commands.Leave(0)) == [
        Left(0, "wren", "left"),
        Abandoned("empty"),
        SeedRevealed(1, SEED, ()),
    ]
    assert new.table.ended and not new.table.joinable
    assert new.table.alarm() is None is new.table.alarm_at()


def test_a_table_where_nothing_happens_expires_and_whatever_happens_puts_that_off(watched, sitting):
    new = watched(NIM, expiry=100)
    assert (new.table.alarm().at, new.table.alarm().command) == (100.0, commands.TimeUp("expiry"))
    assert new.refuses(commands.Start(), 30.0) == "too-few-players"
    assert new.table.alarm_at() == 100.0
    new.do(sitting(NIM, 0), 40.0)
    assert new.refuses(commands.TimeUp("expiry"), 139.999) == "not-due"
    assert new.table.alarm_at() == 140.0
    assert new.ring() == [Abandoned("expired"), SeedRevealed(1, SEED, ())]


def test_no_game_expires_and_a_finished_one_does(begun):
    game = begun(NIM, options={"stones": 1, "lazy_clock": True}, expiry=100)
    assert game.table.alarm() is None is game.table.alarm_at()
    game.do(commands.Play(0, Take(1)), 1000.0)
    assert game.table.alarm_at() == 1100.0
    assert game.ring() == [Abandoned("expired")]  # its seed has been told


@pytest.mark.parametrize("stage", ["gathering", "playing"])
def test_an_abandoned_table_reveals_its_seed_once(watched, begun, stage):
    table = watched(NIM) if stage == "gathering" else begun(NIM)
    assert table.do(commands.Abandon("a bug")) == [Abandoned("a bug"), SeedRevealed(1, SEED, ())]
    assert table.table.ended
    assert table.refuses(commands.Abandon("again")) == "table-closed"


def test_a_table_abandoned_after_its_game_does_not_tell_the_seed_again(begun):
    game = begun(NIM, options={"stones": 1})
    assert SeedRevealed(1, SEED, ()) in game.do(commands.Play(0, Take(1)))
    assert game.do(commands.Abandon("closing")) == [Abandoned("closing")]


@pytest.mark.parametrize("people", ["nobody", "two"])
def test_a_closed_table_refuses_everything(watched, begun, people):
    table = watched(NIM) if people == "nobody" else begun(NIM)
    table.do(commands.Abandon("closing"), 9.0)
    for command in (
        commands.Sit(0, "kite"), commands.Mix(0, "x"), commands.Leave(0), commands.Start(),
        commands.Drop(0, "grace"), commands.Return(0), commands.Replace(0, "bot", "random"),
        commands.TimeUp("expiry"), commands.Wake(), commands.Rematch(SEED), commands.Abandon("x"),
    ):  # fmt: skip
        assert table.refuses(command, 1e6) == "table-closed"
    assert table.refuses(commands.Play(0, Take(1))) == (
        "no-game" if people == "nobody" else "game-over"
    )


def test_nobody_is_to_move_at_a_closed_table_and_no_alarm_rings(begun, rules):
    game = begun(rules)
    game.do(commands.Drop(0, "grace"), 1.0)
    game.do(commands.Abandon("closing"), 2.0)
    view = game.table.seen_by(1, 2.0)
    assert (view.stage, view.to_move, view.due) == (Stage.ABANDONED, frozenset(), {})
    assert view.board is not None
    assert game.table.alarm() is None is game.table.alarm_at()


# -- after a game, and once more ------------------------------------------------------


def test_a_game_that_ends_tells_its_outcome_and_its_seed_and_seats_its_players(begun):
    game = begun(NIM, options={"stones": 1})
    outcome = Outcome((1, 2), reason="last-stone")
    assert game.do(commands.Play(0, Take(1)))[-2:] == [
        GameOver(1, outcome),
        SeedRevealed(1, SEED, ()),
    ]
    view = game.table.seen_by(0, 0.0)
    assert (view.stage, view.names) == (Stage.OVER, ("wren", "robin"))
    assert [seat.presence for seat in view.seats] == [Presence.HERE] * 2
    assert (view.to_move, view.due, view.board.mover) == (frozenset(), {}, None)
    assert not game.table.ended and not game.table.joinable
    for command, key in [
        (commands.Play(1, Take(1)), "game-over"),
        (commands.Start(), "game-began"),
        (commands.Sit(0, "kite"), "game-began"),
        (commands.Mix(0, "x"), "game-began"),
        (commands.Replace(0, "bot", "random"), "no-game"),
        (commands.TimeUp("turn", 1), "not-due"),
    ]:
        assert game.refuses(command) == key


def test_a_finished_table_has_ended_when_the_last_player_has_left(begun):
    game = begun(NIM, options={"stones": 1})
    game.do(commands.Play(0, Take(1)))
    assert game.do(commands.Leave(0)) == [Left(0, "wren", "left")]
    assert not game.table.ended
    assert game.do(commands.Leave(1)) == [Left(1, "robin", "left")]
    assert game.table.ended and game.table.stage is Stage.OVER
    assert game.refuses(commands.Rematch(SEED)) == "table-closed"


def test_for_a_rematch_the_players_move_up_one_seat_and_a_new_seed_is_promised(watched, sitting):
    game = watched(NIM, {"stones": 1}, start="asked")
    for command in (
        sitting(NIM, 0),
        sitting(NIM, 1),
        commands.Mix(0, "words of the first game"),
        commands.Start(),
    ):
        game.do(command)
    game.do(commands.Play(0, Take(1)))
    promise = commitment("TABLE", 2, SECOND_SEED)
    assert game.do(commands.Rematch(SECOND_SEED)) == [Gathered(2, ("robin", "wren"), promise)]
    view = game.table.seen_by(0, 0.0)
    assert (view.number, view.stage, view.commitment) == (2, Stage.GATHERING, promise)
    assert (view.names, view.board) == (("robin", "wren"), None)
    assert [game.table.player(seat).seat for seat in (0, 1)] == [0, 1]
    assert game.refuses(commands.Rematch(SEED)) == "game-not-over"
    assert game.refuses(commands.Play(0, Take(1))) == "no-game"
    game.do(commands.Mix(0, "owl"))
    assert game.do(commands.Start())[0] == GameBegan(2, ("robin", "wren"))
    outcome = Outcome((1, 2), reason="last-stone")
    assert game.do(commands.Play(0, Take(1)))[-2:] == [
        GameOver(2, outcome),
        SeedRevealed(2, SECOND_SEED, ("owl",)),
    ]


def test_seats_of_a_rematch_rotate_among_those_who_stayed(begun, high):
    game = begun(high.RULES, 4, options={"rounds": 1})
    game.do(commands.Leave(1))
    for seat in (0, 2, 3):
        game.do(commands.Play(seat, game.table.legal_moves(seat)[0]))
    assert game.table.stage is Stage.OVER
    assert sorted(game.table.seated()) == [0, 2, 3]
    gathered = game.do(commands.Rematch(SECOND_SEED))
    assert gathered[0].names == ("linnet", "finch", "wren")
    assert game.table.free_seats() == [3]
    assert game.table.joinable
    started = game.do(commands.Start())
    assert started[0] == GameBegan(2, ("linnet", "finch", "wren"))
    pack = Deal(SECOND_SEED).shuffle("hands", list(range(1, 21)))
    assert started[2] == high.Hand(0, tuple(sorted(pack[:4])))


def test_who_left_before_a_rematch_makes_room_for_somebody_new(begun, sitting):
    game = begun(NIM, options={"stones": 1})
    game.do(commands.Play(0, Take(1)))
    game.do(commands.Leave(1))
    gathered = game.do(commands.Rematch(SECOND_SEED))
    assert gathered == [Gathered(2, ("wren",), commitment("TABLE", 2, SECOND_SEED))]
    assert game.do(commands.Sit(1, "kite"))[1] == GameBegan(2, ("wren", "kite"))
