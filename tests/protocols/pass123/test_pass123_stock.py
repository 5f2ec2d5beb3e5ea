"""What stock clients are sent, and when (specification, sections 2 and 3.4)."""

from __future__ import annotations

from itertools import pairwise, permutations

import pytest

ONE_SET = ("QH QS QD QC", "4H 4S 4D 7C", "7H 7S 7D 4C")
GAP = 0.2
CONT = "Cont|All players ready, 1-2-3 Pass!\n"
NOCARD = "False|The code does not match with any of your cards on hand"
NOSET = "False|Hand incomplete, try again \nWinning conditions still not met\n"
NOTAP = "False|Tap invalid, there is no winner yet\n"
TAPNOW = "False|Someone already finished, enter 'T' to tap\n"
WON = "True|Congratulations, you win!\n"
TAPPED = "True|Tap successful\n"
LOST = "True|Tap successful\n\nYou tapped last, you lose\n"
VOID = "Cont|Someone already finished, enter 'T' to tap\n"


def hear(company):
    """Give what each has been sent since the last time, as one text."""
    return ["".join(each.news()) for each in company]


def test_nothing_is_said_until_the_table_is_full(pass_door, board):
    with pass_door(ONE_SET[:2]) as door:
        first = door.connect()
        door.pass_time(50)
        assert first.news() == []
        second = door.connect()
        door.pass_time(0.3)
        assert first.news() == [board(1, (0, 0), "QH QS QD QC")]
        assert second.news() == [board(2, (0, 0), "4H 4S 4D 7C")]


def test_two_texts_never_come_nearer_than_the_gap(pass_door):
    with pass_door(ONE_SET) as door:
        company = door.company(False, False, False)
        for code in ("ZZ", "F", "T"):
            for client in company[1:]:
                client.say(code)
                door.pass_time(0.15)
        for client, code in zip(company, ("QC", "7C", "4C"), strict=True):
            client.say(code)
        door.pass_time(3)
        for client in company:
            times = [time for time, _ in client.writes]
            assert all(later - earlier >= GAP - 1e-9 for earlier, later in pairwise(times))
            assert client.texts[-1][1].startswith("***")


def test_the_last_to_pass_hears_that_its_card_was_taken_before_all_cards_move(pass_door, board):
    with pass_door() as door:
        company = door.company(*[False] * 4)
        hear(company)
        for client, code in zip(company, ("4C", "7C", "AC"), strict=False):
            assert len(door.say(client, code)) == 1
        assert company[3].news() == []
        assert door.say(company[3], "qc") == [
            "True|" + board(4, (0, 0, 0, 0), "AH AS AD"),
            CONT,
            board(4, (0, 0, 0, 0), "AH AS AD AC"),
        ]
        assert company[0].news() == [CONT, board(1, (0, 0, 0, 0), "QH QS QD QC")]


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        ("ZZ", NOCARD),
        ("AH", NOCARD),
        ("P14H", NOCARD),
        ("F", NOSET),
        ("T", NOTAP),
        ("F1", NOCARD),
        ("é", NOCARD),
        ("START", NOCARD),
        ("RETURN x", NOCARD),
    ],
)
def test_a_refusal_is_answered_to_its_sender_alone_and_changes_nothing(
    pass_door, board, code, answer
):
    with pass_door(ONE_SET) as door:
        company = door.company(*[False] * 3)
        hear(company)
        seen = [door.table.seen_by(seat, 0).board for seat in (None, 0, 1, 2)]
        assert door.say(company[1], code) == [answer, board(2, (0, 0, 0), "4H 4S 4D 7C")]
        assert hear(company) == [""] * 3
        assert [door.table.seen_by(seat, 0).board for seat in (None, 0, 1, 2)] == seen
        assert door.say(company[1], "p24h") == ["True|" + board(2, (0, 0, 0), "4S 4D 7C")]


def test_one_at_the_prompt_is_not_told_of_a_finish_and_one_who_waits_is(pass_door, board):
    with pass_door(ONE_SET) as door:
        winner, waiting, prompted = company = door.company(*[False] * 3)
        door.say(waiting, "4H")
        hear(company)
        assert door.say(winner, "F") == [WON]
        assert waiting.news() == [VOID, board(2, (1, 0, 0), "4S 4D 7C 4H")]
        assert prompted.news() == []
        for code in ("4C", "F"):
            assert door.say(prompted, code) == [TAPNOW, board(3, (1, 0, 0), ONE_SET[2])]
        assert door.say(prompted, "T") == [TAPPED]
        assert winner.news() == waiting.news() == []
        assert door.say(waiting, "T2") == [
            LOST,
            "Quit|" + board(2, (1, 3, 2), "4S 4D 7C 4H"),
        ]
        assert prompted.news() == ["Quit|" + board(3, (1, 3, 2), ONE_SET[2])]
        assert winner.news() == ["Quit|" + board(1, (1, 3, 2), ONE_SET[0])]
        assert not winner.closed
        winner.say("QUIT")
        door.settle()
        assert winner.closed
        door.pass_time(5)
        assert prompted.closed and waiting.closed


def test_with_two_players_the_only_tapper_loses(pass_door, board):
    with pass_door(ONE_SET[:2]) as door:
        winner, loser = door.company(False, False)
        door.say(winner, "F")
        loser.news()
        assert door.say(loser, "t") == [LOST, "Quit|" + board(2, (1, 2), ONE_SET[1])]


@pytest.mark.parametrize("order", list(permutations(range(4))))
@pytest.mark.parametrize("line", [False, True])
def test_all_passes_in_one_turn_are_taken_in_whatever_order(pass_door, board, order, line):
    with pass_door() as door:
        company = door.company(*[line] * 4)
        for seat in order:
            company[seat].say(("4C", "7C", "AC", "QC")[seat] + "\n" * line)
        door.pass_time(1)
        hands = ("QH QS QD QC", "4H 4S 4D 4C", "7H 7S 7D 7C", "AH AS AD AC")
        for seat, client in enumerate(company):
            assert client.value().decode().endswith(board(seat + 1, (0, 0, 0, 0), hands[seat]))
            assert client.value().count(b"Cont|") == client.value().count(b"True|") == 1


@pytest.mark.parametrize("order", list(permutations((1, 2, 3))))
def test_all_taps_in_one_turn_get_their_places_in_the_order_of_arrival(pass_door, board, order):
    hands = ("QH QS QD QC", "4H 4S 4D 4C", "7H 7S 7D 7C", "AH AS AD AC")
    with pass_door(hands) as door:
        company = door.company(*[False] * 4)
        door.say(company[0], "F")
        hear(company)
        for seat in order:
            company[seat].say("T")
        door.pass_time(1)
        places = [1, 0, 0, 0]
        for place, seat in enumerate(order, 2):
            places[seat] = place
        for seat in range(4):
            last = "Quit|" + board(seat + 1, places, hands[seat])
            answer = {1: [], 4: [LOST]}.get(places[seat], [TAPPED])
            assert company[seat].news() == [*answer, last]


def test_of_two_finishes_in_one_turn_the_first_wins(pass_door, board):
    hands = ("QH QS QD QC", "4H 4S 4D 4C")
    with pass_door(hands) as door:
        company = door.company(False, False)
        hear(company)
        company[1].say("F")
        company[0].say("F")
        door.pass_time(1)
        assert company[1].news() == [WON]
        assert company[0].news() == [TAPNOW, board(1, (0, 1), hands[0])]
