"""Whoever goes, comes back, or lets the clock run out (specification, section 5)."""

from __future__ import annotations

import re

import pytest

from gamecore.cards import read_card
from gamecore.games.pass123 import Dealt, Named, Pass, Received
from gamecore.player import Presence
from protocols.net.pacing import Pacer
from protocols.pass123.session import Phase, Session

ONE_SET = ("QH QS QD QC", "4H 4S 4D 7C", "7H 7S 7D 4C")
CONT = "Cont|All players ready, 1-2-3 Pass!\n"
NOTAP = "False|Tap invalid, there is no winner yet\n"
TAPNOW = "False|Someone already finished, enter 'T' to tap\n"
TAPPED = "True|Tap successful\n"
LOST = "True|Tap successful\n\nYou tapped last, you lose\n"
LATE_TAP = "You did not tap in time\n"
GONE = "A player is gone, the game is void\n"
LEFT = "A player has left, the game is void\n"


def hear(company):
    """Give what each has been sent since the last time, as one text."""
    return ["".join(each.news()) for each in company]


@pytest.mark.parametrize(("how", "reason"), [("hang-up", GONE), ("QUIT", LEFT)])
def test_who_goes_before_a_finish_voids_the_game_for_all(pass_door, how, reason):
    with pass_door() as door:
        waiting, prompted, line, leaver = company = door.company(False, False, True, False)
        door.say(waiting, "4C")
        hear(company)
        leaver.hang_up() if how == "hang-up" else leaver.say(how)
        door.settle()
        door.settle()
        assert line.news() == ["Quit|" + reason]
        door.pass_time(1)
        assert waiting.news() == ["Quit|" + reason]
        assert prompted.news() == []
        assert door.say(prompted, "7C") == ["True|" + reason, "Quit|" + reason]
        door.pass_time(6)
        assert all(each.closed for each in (waiting, prompted, line))


def test_nothing_is_kept_to_be_said_to_one_who_has_gone(pass_door):
    with pass_door(ONE_SET[:2]) as door:
        hasty, _ = door.company(False, False)
        hasty.say("T")
        door.settle()  # it is refused at once, and what is said next has to wait for the gap
        hasty.say("T")
        hasty.hang_up()
        door.settle()
        owners = [getattr(call.func, "__self__", None) for call in door.clock.getDelayedCalls()]
        assert not any(isinstance(each, Pacer) for each in owners)


def test_one_who_never_answers_is_let_go_of_in_the_end(pass_door):
    with pass_door(ONE_SET[:2]) as door:
        prompted, leaver = door.company(False, False)
        leaver.hang_up()
        door.pass_time(290)
        assert not prompted.closed
        door.pass_time(15)
        assert prompted.closed


def test_who_goes_without_a_tap_is_last_and_the_others_go_on(pass_door, board):
    with pass_door(ONE_SET) as door:
        winner, leaver, other = company = door.company(*[False] * 3)
        door.say(winner, "F")
        hear(company)
        leaver.hang_up()
        door.pass_time(1)
        assert winner.news() == []
        final = (1, 3, 2)
        assert door.say(other, "T") == [TAPPED, "Quit|" + board(3, final, ONE_SET[2])]
        assert winner.news() == ["Quit|" + board(1, final, ONE_SET[0])]


def test_when_the_last_without_a_tap_goes_all_hear_the_end(pass_door, board):
    with pass_door(ONE_SET) as door:
        winner, leaver, other = company = door.company(*[False] * 3)
        door.say(winner, "F")
        door.say(other, "T")
        hear(company)
        leaver.say("QUIT")
        door.pass_time(1)
        final = (1, 3, 2)
        assert hear([winner, other]) == [
            "Quit|" + board(1, final, ONE_SET[0]),
            "Quit|" + board(3, final, ONE_SET[2]),
        ]


def test_who_has_a_place_may_go_and_keeps_it(pass_door, board):
    with pass_door(ONE_SET) as door:
        winner, one, other = company = door.company(*[False] * 3)
        door.say(winner, "F")
        winner.hang_up()
        door.say(one, "T")
        one.hang_up()
        hear(company)
        assert door.say(other, "T") == [LOST, "Quit|" + board(3, (1, 2, 3), ONE_SET[2])]


def test_a_line_client_comes_back_with_its_token(pass_door, board):
    with pass_door(ONE_SET) as door:
        company = door.company(True, True, False)
        token = company[1].value().decode().split("\n")[0].removeprefix("TOKEN ")
        company[1].say("7C\n")
        door.settle()
        company[1].hang_up()
        door.settle()
        hear(company)
        back = door.connect()
        back.say(f"RETURN {token}\n")
        door.settle()
        assert hear([back]) == ["True|" + board(2, (0, 0, 0), "4H 4S 4D")]
        company[0].say("QC\n")
        company[2].say("4C")
        door.settle()
        door.settle()
        assert hear([back]) == [CONT + "G2QC\n" + board(2, (0, 0, 0), "4H 4S 4D QC")]
        assert len(door.hall) == 1


def test_one_who_comes_back_elsewhere_is_told_so_on_the_older_link(pass_door, board):
    with pass_door(ONE_SET) as door:
        company = door.company(True, True, False)
        token = company[1].value().decode().split("\n")[0].removeprefix("TOKEN ")
        door.say(company[0], "F\n")
        hear(company)
        back = door.connect()
        back.say(f"RETURN {token}\n")
        door.settle()
        assert hear([back]) == [TAPNOW + board(2, (1, 0, 0), ONE_SET[1])]
        assert company[1].news() == ["Quit|You came back by another connection\n"]
        assert door.say(back, "T\n") == [TAPPED]


def test_one_who_was_seated_before_it_could_say_so_gives_that_seat_up(pass_door, board):
    with pass_door(ONE_SET[:2]) as door:
        company = door.company(True, True)
        token = company[1].value().decode().split("\n")[0].removeprefix("TOKEN ")
        company[1].hang_up()
        back = door.connect(line=True)
        door.pass_time(1)
        assert len(door.hall) == 2
        back.news()
        assert door.say(back, f"RETURN {token}\n") == [board(2, (0, 0), ONE_SET[1])]
        assert len(door.hall) == 1


@pytest.mark.parametrize("waits", [True, False])
def test_one_who_turns_out_to_read_lines_is_told_a_token_then_and_comes_back_with_it(
    pass_door, board, waits
):
    with pass_door(ONE_SET) as door:
        late, *others = door.company(*[False] * 2)
        if waits:
            late.say("\n")
        others.append(door.connect())
        door.pass_time(1)
        others[-1].news()
        if not waits:
            assert board(1, (0, 0, 0), ONE_SET[0]) in late.value().decode()
            late.say("\n")
        door.settle()
        (token,) = re.findall(r"^TOKEN (.*)$", late.value().decode(), re.MULTILINE)
        assert [each.token is not None for each in door.table.seated().values()] == [
            True,
            False,
            False,
        ]
        late.hang_up()
        door.settle()
        assert door.table.presence(0) is Presence.AWAY
        back = door.connect()
        assert door.say(back, f"RETURN {token}\n")[-1].endswith(board(1, (0, 0, 0), ONE_SET[0]))


def test_an_unknown_token_is_refused(pass_door):
    with pass_door() as door:
        peer = door.connect()
        assert door.say(peer, "RETURN ABCDE.xyz\n") == [
            "Quit|Nobody is known by that token, the game may be over\n"
        ]
        door.pass_time(6)
        assert peer.closed


def test_a_line_client_that_does_not_come_back_is_gone(pass_door):
    with pass_door(ONE_SET[:2], grace=20) as door:
        company = door.company(True, True)
        company[1].hang_up()
        hear(company)
        door.pass_time(19)
        assert company[0].news() == []
        door.pass_time(2)
        assert company[0].news() == ["Quit|A player did not come back, the game is void\n"]


def test_a_bot_plays_on_where_the_house_says_so(pass_door):
    with pass_door(ONE_SET[:2], grace=20, absent="bot") as door:
        company = door.company(False, False)
        company[1].hang_up()
        door.pass_time(21)
        company[0].news()
        assert len(door.say(company[0], "QC")) == 3


def test_a_card_is_passed_for_a_stock_client_and_it_hears_so_in_answer_to_its_next_code(
    pass_door, board
):
    with pass_door(ONE_SET, seconds=30) as door:
        idle, *others = company = door.company(*[False] * 3)
        for client, code in zip(others, ("7C", "4C"), strict=True):
            door.say(client, code)
        hear(company)
        door.pass_time(31)
        assert idle.news() == []
        assert others[0].news() == [CONT, board(2, (0, 0, 0), "4H 4S 4D QC")]
        new = board(1, (0, 0, 0), "QH QS QD 4C")
        assert door.say(idle, "QC") == ["False|You took too long, QC was passed for you\n", new]
        assert door.say(idle, "4C") == ["True|" + board(1, (0, 0, 0), "QH QS QD")]


def test_a_stock_client_whose_card_the_clock_named_waits_for_one_whose_clock_stands(board):
    session, hand = Session(), tuple(map(read_card, ONE_SET[0].split()))
    assert session.hear(Dealt(0, hand, 3)) == [board(1, (0, 0, 0), ONE_SET[0]).encode()]
    assert session.hear(Named(0, hand[3], hand[:3], True)) == []
    told = "True|You took too long, QC was passed for you\n" + board(1, (0, 0, 0), "QH QS QD")
    assert session.catch_up(Pass(hand[0])) == [told.encode()]
    assert session.phase is Phase.WAITING
    four = read_card("4C")
    moved = [CONT.encode(), board(1, (0, 0, 0), "QH QS QD 4C").encode()]
    assert session.hear(Received(0, four, 2, (*hand[:3], four))) == moved


def test_a_line_client_is_told_at_once_that_the_clock_named_its_card(pass_door, board):
    with pass_door(ONE_SET, seconds=30) as door:
        company = door.company(True, True, True)
        hear(company)
        door.pass_time(31)
        heard = hear(company)
        late = "False|You took too long, 7C was passed for you\n"
        moved = CONT + "G2QC\n" + board(2, (0, 0, 0), "4H 4S 4D QC")
        assert heard[1] == late + "True|" + board(2, (0, 0, 0), "4H 4S 4D") + moved


def test_who_does_not_tap_in_time_is_last(pass_door, board):
    with pass_door(ONE_SET, seconds=30) as door:
        winner, stock, line = company = door.company(False, False, True)
        door.say(winner, "F")
        hear(company)
        door.pass_time(31)
        final = (1, 3, 2)
        assert winner.news() == ["Quit|" + board(1, final, ONE_SET[0])]
        assert "".join(line.news()) == "False|" + LATE_TAP + "Quit|" + board(3, final, ONE_SET[2])
        assert stock.news() == []
        assert door.say(stock, "T") == ["True|" + LATE_TAP, "Quit|" + board(2, final, ONE_SET[1])]


def test_a_code_in_answer_to_which_a_client_hears_of_the_clock_is_not_played(pass_door, board):
    with pass_door(ONE_SET, seconds=30) as door:
        winner, idle, other = company = door.company(*[False] * 3)
        door.say(winner, "QC")
        door.say(other, "4C")
        door.pass_time(31)
        hear(company)
        door.say(winner, "4C")
        assert door.say(idle, "T")[0].startswith("False|You took too long, 7C")
        assert door.say(idle, "T") == [NOTAP, board(2, (0, 0, 0), "4H 4S 4D QC")]


# Half-closed, as netcat is at the end of its input


@pytest.mark.parametrize(
    "said", ["x", "QH", "x\n", "F", "", "\n", "QH\nT\nS\n", "START\n", "RETURN x.y\n"]
)
@pytest.mark.parametrize("pause", [0.0, 0.05, 0.15, 0.25])
def test_what_is_said_in_one_breath_leaves_neither_a_link_nor_a_ghost(pass_door, said, pause):
    with pass_door(ONE_SET[:2]) as door:
        breath = door.connect()
        breath.say(said)
        door.pass_time(pause or 0.01)
        breath.link.readConnectionLost()
        door.settle()
        door.settle()
        told = "TOKEN" in breath.value().decode()  # and so may come back
        assert len(door.host.directory) == told
        door.pass_time(2.1 + 5 * ("RETURN" in said))
        assert breath.closed
        breath.hang_up()  # as a transport does that was closed
        door.settle()
        texts = hear(door.company(False, False))
        assert all("You are P" in text for text in texts), "they would play against a ghost"


def test_in_a_game_the_last_code_is_played_and_answered_before_the_link_closes(pass_door, board):
    with pass_door(ONE_SET) as door:
        company = door.company(*[False] * 3)
        hear(company)
        company[0].say("F")
        company[0].link.readConnectionLost()
        door.pass_time(1.0)
        assert hear(company[:1]) == ["True|Congratulations, you win!\n"]
        door.pass_time(1.5)
        assert company[0].closed
