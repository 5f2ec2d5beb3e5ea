"""How people come to a table of 1-2-3 Pass before its game begins (specification, section 4)."""

from __future__ import annotations

import pytest

ONE_SET = ("QH QS QD QC", "4H 4S 4D 7C", "7H 7S 7D 4C")


def hear(company):
    """Give what each has been sent since the last time, as one text."""
    return ["".join(each.news()) for each in company]


def test_whoever_comes_when_the_table_is_full_is_seated_at_the_next(pass_door, board):
    with pass_door(ONE_SET[:2]) as door:
        company = door.company(False, False, False, False)
        assert [each.news() for each in company] == [
            [board(1, (0, 0), ONE_SET[0])],
            [board(2, (0, 0), ONE_SET[1])],
        ] * 2
        assert len(door.hall) == 2


@pytest.mark.parametrize("line", [False, True])
def test_start_begins_with_the_players_present(pass_door, board, line):
    with pass_door() as door:
        company = door.company(False, line)
        hear(company)
        company[1].say("START" + "\n" * line)
        door.pass_time(0.3)
        assert hear(company) == [board(1, (0, 0), "QH QS QD 4C"), board(2, (0, 0), "4H 4S 4D 7C")]


def test_nobody_begins_alone(pass_door):
    with pass_door() as door:
        (line,) = door.company(True)
        line.news()
        assert door.say(line, "START\n") == ["It takes two players at least\n"]
        (stock,) = door.company(False)
        assert door.say(stock, "AH") == []
        assert door.say(line, "AH\n") == [
            "The game has not begun; START begins it with the players who are here\n"
        ]


def test_a_seat_is_free_again_when_its_player_goes_before_the_game(pass_door, board):
    with pass_door(ONE_SET[:2]) as door:
        (gone,) = door.company(False)
        gone.hang_up()
        door.settle()
        assert len(door.hall) == 0
        company = door.company(False, True)
        assert company[0].news() == [board(1, (0, 0), ONE_SET[0])]


def test_later_players_move_up_for_one_who_goes_and_the_board_says_so(pass_door, board):
    with pass_door() as door:
        company = door.company(False, False, False)
        company[0].say("QUIT")
        door.settle()
        assert company[0].closed
        company[1].say("START")
        door.pass_time(0.5)
        assert hear(company[1:]) == [
            board(1, (0, 0), "QH QS QD 4C"),
            board(2, (0, 0), "4H 4S 4D 7C"),
        ]


def test_one_who_cannot_be_seated_hears_why_as_a_stock_client_can(pass_door):
    with pass_door(ONE_SET[:2], most=0) as door:
        (stock,) = door.company(False)
        reason = "There are too many tables, please try again later\n"
        assert stock.news() == [reason]
        assert door.say(stock, "AH") == ["True|" + reason, "Quit|" + reason]
        door.pass_time(6)
        assert stock.closed
        (line,) = door.company(True)
        assert line.news() == ["Quit|" + reason]


def test_a_table_where_nobody_comes_is_closed_at_last(pass_door):
    with pass_door(expiry=100) as door:
        stock, line = door.company(False, True)
        line.news()
        door.pass_time(110)
        reason = "Nobody came to play, please try again\n"
        assert line.news() == ["Quit|" + reason]
        assert stock.news() == [reason]
        assert door.say(stock, "AH") == ["True|" + reason, "Quit|" + reason]


def test_tables_of_other_settings_and_closed_ones_and_those_where_nobody_is_are_not_joined(
    pass_door,
):
    with pass_door(ONE_SET[:2]) as door:
        other = {**door.factory.defaults.options, "direction": "down"}
        elsewhere = [
            door.host.open("pass123", "", other, {}),
            door.host.open("pass123", "", door.factory.defaults.options, {"private": True}),
            door.host.open("pass123", "", door.factory.defaults.options, {}),
        ]
        door.company(False)
        assert [door.hall.find(each.code).players for each in elsewhere] == [0, 0, 0]
        door.pass_time(3700)
