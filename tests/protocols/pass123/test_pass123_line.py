"""What line clients are told beyond that (specification, section 3.5), and bytes cut anywhere."""

from __future__ import annotations

import pytest

ONE_SET = ("QH QS QD QC", "4H 4S 4D 7C", "7H 7S 7D 4C")
CONT = "Cont|All players ready, 1-2-3 Pass!\n"
NOCARD = "False|The code does not match with any of your cards on hand"
NOSET = "False|Hand incomplete, try again \nWinning conditions still not met\n"
NOTAP = "False|Tap invalid, there is no winner yet\n"
TAPNOW = "False|Someone already finished, enter 'T' to tap\n"
WON = "True|Congratulations, you win!\n"
VOID = "Cont|Someone already finished, enter 'T' to tap\n"
INVALID = "Invalid Move!\n"
WAIT = f"{NOCARD}\nYou have named a card already, wait for the others\n"
EARLY = "False|One code at a time, that one came before the answer to the last\n"


def hear(company):
    """Give what each has been sent since the last time, as one text."""
    return ["".join(each.news()) for each in company]


def test_a_line_client_is_told_more_and_at_once(pass_door, board):
    with pass_door(ONE_SET) as door:
        _, line, stock = company = door.company(True, True, False)
        first = line.value().decode()
        assert first.startswith("TOKEN ") and first.count("\n") == 9
        hear(company)
        assert door.say(stock, "4C") == ["True|" + board(3, (0, 0, 0), "7H 7S 7D")]
        company[0].say("P1QC\n")
        line.say("P2" + "7c\r\n")
        door.settle()
        door.settle()
        taken = "True|" + board(2, (0, 0, 0), "4H 4S 4D")
        assert hear([line]) == [taken + CONT + "G2QC\n" + board(2, (0, 0, 0), "4H 4S 4D QC")]
        door.pass_time(1)
        assert stock.news() == [CONT, board(3, (0, 0, 0), "7H 7S 7D 7C")]


def test_a_line_client_hears_the_seeds_words_before_the_reason(pass_door, board):
    with pass_door(ONE_SET) as door:
        company = door.company(True, True, False)
        hear(company)
        drawn = board(2, (0, 0, 0), ONE_SET[1])
        for code, answer in (
            ("ZZ", NOCARD + "\n"),
            ("P1QC", NOCARD + "\n"),
            ("F", NOSET),
            ("T2", NOTAP),
        ):
            company[1].say(code + "\n")
            door.settle()
            assert hear(company) == ["", INVALID + answer + drawn, ""]


def test_a_line_client_at_its_prompt_is_told_of_a_finish(pass_door, board):
    with pass_door(ONE_SET) as door:
        company = door.company(False, True, True)
        company[2].say("4c\n")
        door.settle()
        hear(company)
        assert door.say(company[0], "F") == [WON]
        assert hear(company[1:]) == [
            TAPNOW + board(2, (1, 0, 0), ONE_SET[1]),
            VOID + board(3, (1, 0, 0), ONE_SET[2]),
        ]


def test_a_second_card_is_refused_without_a_board_and_never_kept_for_the_next_pass(
    pass_door, board
):
    with pass_door(ONE_SET) as door:
        company = door.company(True, True, True)
        company[0].say("QC\n")
        door.settle()
        hear(company)
        for code in ("QH\n", "F\n", "T\n", "ZZ\n"):
            company[0].say(code)
            door.settle()
            assert hear(company) == [INVALID + WAIT, "", ""]
        company[1].say("7C\n")
        company[2].say("4C\n")
        door.settle()
        assert door.table.awaited() == {0, 1, 2}
        assert door.table.seen_by(0, 0).board.hand[3].rank == "4"


def test_codes_that_come_before_the_answer_to_the_last_are_not_taken(pass_door, board):
    with pass_door(ONE_SET) as door:
        company = door.company(True, True, True)
        for client, code in zip(company[:2], ("QC\n", "7C\n"), strict=True):
            client.say(code)
        door.settle()
        hear(company)
        company[2].say("4C\n7H\nF\n")  # the first lets all cards move, but not the second too
        door.settle()
        taken = "True|" + board(3, (0, 0, 0), "7H 7S 7D")
        moved = CONT + "G37C\n" + board(3, (0, 0, 0), "7H 7S 7D 7C")
        assert hear(company)[2] == taken + moved + 2 * (INVALID + EARLY)
        assert door.table.awaited() == {0, 1, 2}


def test_a_line_client_is_one_from_its_first_line_end_on(pass_door, board):
    with pass_door(ONE_SET[:2]) as door:
        first, second = door.company(False, False)
        assert door.say(first, "QC\n", 0.01)[-1] == "True|" + board(1, (0, 0), "QH QS QD")
        second.say("7C")
        door.pass_time(1)
        texts = "".join(first.news())
        assert texts == CONT + "G17C\n" + board(1, (0, 0), "QH QS QD 7C")


def test_a_tap_of_one_who_has_tapped_is_ignored(pass_door):
    with pass_door(ONE_SET) as door:
        company = door.company(True, True, True)
        for client, code in ((0, "F\n"), (1, "T\n")):
            company[client].say(code)
        door.settle()
        hear(company)
        for client in (0, 1):
            for code in ("T\n", "F\n", "QC\n", "ZZ\n"):
                company[client].say(code)
                door.settle()
        assert hear(company) == [""] * 3


def test_a_line_may_be_cut_at_every_byte(pass_door, board):
    said = "\nP1QC\r\n"
    for at in range(1, len(said)):
        with pass_door(ONE_SET[:2]) as door:
            company = door.company(False, False)
            company[0].news()
            for part in (said[:at], said[at:]):
                company[0].say(part)
                door.settle()
            door.pass_time(1)
            assert "True|" + board(1, (0, 0), "QH QS QD") in company[0].news(), at


@pytest.mark.parametrize("first", ["1", "10", "P", "P1"])
def test_what_is_no_code_yet_is_waited_for_a_moment(pass_door, board, first):
    with pass_door(("10H QS QD QC", ONE_SET[1])) as door:
        company = door.company(False, False)
        company[0].news()
        whole = "10H" if first[0] == "1" else "P110H"
        company[0].say(first)
        door.clock.advance(0.09)
        company[0].say(whole.removeprefix(first))
        door.settle()
        assert company[0].news() == ["True|" + board(1, (0, 0), "QS QD QC")]


@pytest.mark.parametrize("said", ["A" * 257, "\n" + "A" * 257, "\n" + "A" * 300 + "\n"])
def test_too_much_without_a_code_is_closed(pass_door, said):
    with pass_door(ONE_SET[:2]) as door:
        company = door.company(False, False)
        company[0].say(said)
        door.pass_time(3)
        assert company[0].closed


def test_too_many_codes_at_once_are_closed(pass_door):
    with pass_door(ONE_SET[:2]) as door:
        company = door.company(True, False)
        company[0].say("ZZ\n" * 60)
        door.pass_time(3)
        assert company[0].closed
        assert company[0].value().endswith(b"Quit|That was too much at once\n")


def test_a_daemon_that_closes_says_so(pass_door):
    with pass_door(ONE_SET[:2]) as door:
        stock, line = company = door.company(False, True)
        hear(company)
        door.host.close()
        door.pass_time(3)
        assert hear(company) == ["True|The server is closing\n", "Quit|The server is closing\n"]
        assert stock.closed and line.closed
        door.hall._tables.clear()
        door.journal._lines.clear()


def test_a_pause_is_told_to_those_who_can_hear_it(pass_door):
    with pass_door(ONE_SET[:2]) as door:
        company = door.company(False, True)
        hear(company)
        for trouble in ("the disk is full", None):
            for each in company:
                each.link.paused(trouble)
        assert hear(company) == [
            "",
            "Play is paused; nothing is lost, and it goes on by itself\nPlay goes on\n",
        ]


def test_a_second_view_is_told_if_it_says_anything_new(pass_door, board):
    with pass_door(ONE_SET[:2]) as door:
        company = door.company(False, True)
        hear(company)
        for seat, each in enumerate(company):
            each.link.shown(door.table.seen_by(seat, 0))
        assert hear(company) == ["", board(2, (0, 0), ONE_SET[1])]
        door.say(company[0], "QC")
        company[0].link._session._named = None  # as if a crash had taken that back
        company[0].news()
        company[0].link.shown(door.table.seen_by(0, 0))
        door.pass_time(1)
        assert company[0].news()[0].startswith("Quit|The table met an error")


def test_who_reads_lines_is_told_what_can_be_said(pass_door):
    with pass_door() as door:
        person = door.connect()
        person.say("help\r\n")
        door.settle()
        heard = person.value().decode()
        assert "10H" in heard and "START begins" in heard
        person.say("START\r\nHELP\r\n")
        door.settle()
        assert person.value().decode().count("START begins") == 2


def test_a_stock_client_that_says_help_has_said_no_card(pass_door):
    with pass_door(ONE_SET) as door:
        stock = door.company(False, False, False)[0]
        stock.news()
        assert door.say(stock, "HELP")[0].startswith(NOCARD)
