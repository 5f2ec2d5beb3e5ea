"""What a game that has ended is written down as: who played, in which places, and why it is not rated."""

from __future__ import annotations

import pytest

from gamecore import commands
from gamecore.contest.result import SeatResult, result_of
from gamecore.fairness import DEAL_VERSION, commitment
from gamecore.games.gops import RULES as GOPS
from gamecore.games.nim import RULES as NIM
from gamecore.games.nim import Take
from gamecore.games.rikiki import RULES as RIKIKI
from gamecore.lineup import Seated
from gamecore.rated import WHYS, is_usual, why_never_rated, why_unrated
from gamecore.settings import choose_settings, plain_settings
from gamecore.table import TABLE_VERSION, Table
from gamecore.table_options import TableOptions

SEED = "5e" * 32


def table(rules=NIM, options=None, **house):
    opened = commands.Open(
        code="K7QX2",
        kind=rules.kind,
        rules=rules.version,
        table=TABLE_VERSION,
        deal=DEAL_VERSION,
        name="",
        seed=SEED,
        options=plain_settings(choose_settings(rules.options, options or {})),
        house=plain_settings(choose_settings(TableOptions, house)),
    )
    return Table(opened, rules)


def seat(table, *levels):
    """Seat a bot for each level, and a person for each None; gives what the last of them made happen."""
    for number, level in enumerate(levels):
        events = table.apply(commands.Sit(number, f"name {number}", level=level), 0.0)
    return events


def do(table, *some):
    for command in some:
        events = table.apply(command, 1.0)
    return result_of(table, events)


def last_stones(nim):
    """Let two at Nim take an even number of stones, one by one; the second has the last."""
    while True:
        for seat in (0, 1):
            result = do(nim, commands.Play(seat, Take(1, False)))
        if result is not None:
            return result


def test_a_game_to_its_end_has_a_place_for_each_seat_and_the_promise_for_a_name():
    nim = table()
    seat(nim, "random", "perfect")
    result = last_stones(nim)
    assert (result.game, result.code) == (commitment("K7QX2", 1, SEED), "K7QX2")
    assert (result.number, result.kind, result.pool, result.why) == (1, "nim", "nim", None)
    assert result.seats == (
        SeatResult("name 0", "bot:random", 2),
        SeatResult("name 1", "bot:perfect", 1),
    )
    assert result.who == {"name:name 0", "name:name 1", "bot:random", "bot:perfect"}


def test_nothing_but_the_end_of_a_game_has_a_result():
    nim = table()
    for number, level in enumerate(("random", "perfect")):
        events = nim.apply(commands.Sit(number, f"name {number}", level=level), 0.0)
        assert result_of(nim, events) is None
    assert do(nim, commands.Play(0, Take(1, False))) is None
    left = table()
    seat(left, None)
    assert do(left, commands.Leave(0, "left")) is None  # nobody had begun a game


def test_the_next_game_has_a_result_of_its_own_and_the_one_before_no_second():
    nim = table(options={"stones": 1})
    seat(nim, None, None)
    first = do(nim, commands.Play(0, Take(1, False)))
    assert do(nim, commands.Rematch("6f" * 32, by=0), commands.Agree(0)) is None
    second = do(nim, commands.Play(0, Take(1, False)))
    assert (first.number, second.number) == (1, 2) and first.game != second.game
    assert second.seats[0].name == first.seats[1].name  # they moved on by one seat
    assert do(nim, commands.Leave(0, "left"), commands.Leave(1, "left")) is None


def test_a_game_that_is_given_up_is_void_and_nobody_has_a_place():
    nim = table()
    seat(nim, "random", "perfect")
    result = do(nim, commands.Play(0, Take(1, False)), commands.Abandon("bug"))
    assert result.why == "void" and [each.place for each in result.seats] == [0, 0]


def test_who_left_is_last_whatever_became_of_the_substitute():
    rikiki = table(RIKIKI, {"players": 3, "first": 1, "max": 1}, absent="bot")
    seat(rikiki, None, None, None)
    rikiki.apply(commands.Replace(1, "a bot", "random"), 1.0)
    while (result := _next(rikiki)) is None:
        pass
    assert [each.left for each in result.seats] == [False, True, False]
    assert result.seats[1].place == 3 and result.seats[1].name == "name 1"
    assert result.seats[1].account is None  # it is not the bot who played


def _next(table):
    mover = min(table.awaited())
    return do(table, commands.Play(mover, table.legal_moves(mover)[0]))


def test_one_who_leaves_the_game_of_two_has_lost_it():
    gops = table(GOPS)
    seat(gops, None, None)
    result = do(gops, commands.Leave(0, "left"))
    assert [(each.place, each.left) for each in result.seats] == [(2, True), (1, False)]


HOUSES = {
    "private": ({"private": True}, {}, ("random", "perfect")),
    "password": ({"password": "sealed"}, {}, ("random", "perfect")),
    "guest": ({}, {}, (None, "perfect")),
    "same-account": ({}, {}, ("random", "random")),
    "options": ({}, {"stones": 40}, ("random", "perfect")),
}


@pytest.mark.parametrize("why", HOUSES)
def test_why_a_game_to_its_end_is_not_rated(why):
    house, options, levels = HOUSES[why]
    nim = table(options=options, **house)
    assert nim.unrated is None  # nobody plays yet
    seat(nim, *levels)
    assert nim.unrated == nim.seen_by(None, 0.0).unrated == why  # it is known as the game begins
    assert last_stones(nim).why == nim.unrated == why


def test_of_a_game_of_bots_it_is_open_until_the_end_whether_it_is_rated():
    gops = table(GOPS)
    seat(gops, "random", "value")
    assert gops.unrated is None
    do(gops, commands.Leave(0, "left"))
    assert gops.unrated == "unplayed"
    nim = table()
    seat(nim, "random", "perfect")
    do(nim, commands.Abandon("bug"))
    assert nim.unrated == "void"


def test_whether_a_game_is_rated_goes_by_who_began_it_and_ends_with_the_next_gathering():
    rikiki = table(RIKIKI, {"players": 2, "first": 1, "max": 1}, absent="bot")
    seat(rikiki, None, "random")
    rikiki.apply(commands.Replace(0, "a bot", "careful"), 1.0)
    assert rikiki.unrated == "guest"
    nim = table(options={"stones": 1})
    seat(nim, None, None)
    do(nim, commands.Play(0, Take(1, False)), commands.Rematch("6f" * 32, by=0))
    assert nim.unrated is None


def test_a_game_in_which_somebody_never_moved_is_not_rated():
    gops = table(GOPS)
    seat(gops, "random", "value")
    assert do(gops, commands.Leave(0, "left")).why == "unplayed"


def test_a_game_for_one_is_not_rated():
    alone = (Seated("a", "random", True, False),)
    assert why_never_rated(alone, True) == why_unrated(alone, True) == "too-few-seats"


def test_every_reason_there_is_was_met():
    assert {*HOUSES, "void", "unplayed", "too-few-seats"} == set(WHYS)


@pytest.mark.parametrize("people", [1, 2])
def test_what_people_play_among_themselves_at_a_private_table_is_hidden(people):
    nim = table(private=True)
    seat(nim, None, None if people == 2 else "perfect")
    assert last_stones(nim).hidden == (people == 2)


def test_how_many_play_is_each_table_s_own_choice():
    for players in (2, 5):
        options = plain_settings(choose_settings(RIKIKI.options, {"players": players}))
        assert is_usual(RIKIKI, options)
    assert not is_usual(NIM, {"stones": 99})
