"""The door of Rikiki: the example of its protocol, and everything that can be said there."""

from __future__ import annotations

from hashlib import sha256

import pytest

from protocols.host import table_actions

ROUND_1 = "AH 7S 10H 2S 3H KD 5S"
ROUND_2 = "9C AD 4C QC"


def test_the_example_of_the_protocol(rikiki_door):
    with rikiki_door(ROUND_1, ROUND_2) as door:
        ann, ben, cat = door.connect("Ann"), door.connect("Ben"), door.connect("Cat")
        (opened,) = ann.type("NEW players=3 cards=2 scoring=tricks10")
        _, _, code, owner = opened.split()
        (joined,) = ann.type(f"JOIN {code}")
        assert joined.split()[:4] == ["OK", "JOIN", code, "1"]
        token = joined.split()[4]
        assert len(owner) > 20 and len(token) > 20
        assert ben.type(f"JOIN {code}")[1:] == [f"JOINED {code} Ann 1"]
        assert cat.type(f"JOIN {code}")[1:] == [f"JOINED {code} Ann 1", f"JOINED {code} Ben 2"]
        assert ann.news() == [f"JOINED {code} Ben 2", f"JOINED {code} Cat 3"]
        assert ann.type("START") == [
            "OK START",
            "STARTED Ann Ben Cat",
            "ROUND 1 2 Ann",
            "HAND AH 7S",
            "TRUMP 5S",
            "TURN Ann BID 0 1 2",
        ]
        assert ann.type("BID 1") == ["OK BID 1", "BID Ann 1", "BIDS 1/2", "TURN Ben BID"]
        ben.type("BID 0")
        cat.type("BID 0")
        assert ann.news() == [
            "BID Ben 0",
            "BIDS 1/2",
            "TURN Cat BID",
            "BID Cat 0",
            "BIDS 1/2",
            "TURN Ann PLAY AH 7S",
        ]
        assert ann.type("PLAY AH") == ["OK PLAY AH", "PLAYED Ann AH", "TURN Ben PLAY"]
        assert ben.news()[-1] == "TURN Ben PLAY 10H"
        (refused,) = ben.type("PLAY 2S")
        assert refused == "ERR follow-suit AH was led and you hold 10H: follow suit."
        assert ben.type("PLAY 10H")[0] == "OK PLAY 10H"
        cat.type("PLAY 3H")
        assert ann.news() == [
            "PLAYED Ben 10H",
            "TURN Cat PLAY",
            "PLAYED Cat 3H",
            "TRICK Ann AH",
            "TURN Ann PLAY 7S",
        ]
        ann.type("play 7s")
        ben.type("PLAY 2S")
        cat.type("PLAY KD")
        assert ann.news()[-6:] == [
            "PLAYED Cat KD",
            "TRICK Ann 7S",
            "RESULT Ann 1 2 2 2",
            "RESULT Ben 0 0 10 10",
            "RESULT Cat 0 0 10 10",
            "ROUNDOVER 1",
        ]
        assert ann.type("NEXT") == [
            "OK NEXT",
            "ROUND 2 1 Ben",
            "HAND 4C",
            "TRUMP QC",
            "TURN Ben BID",
        ]
        ben.type("BID 1")
        cat.type("BID 0")
        ann.news()
        assert ann.type("BID 0")[:2] == ["OK BID 0", "BID Ann 0"]
        ben.type("PLAY 9C")
        cat.type("PLAY AD")
        ann.news()
        assert ann.type("PLAY 4C") == [
            "OK PLAY 4C",
            "PLAYED Ann 4C",
            "TRICK Ben 9C",
            "RESULT Ben 1 1 11 21",
            "RESULT Cat 0 0 10 20",
            "RESULT Ann 0 0 10 12",
            "ROUNDOVER 2",
            "GAMEOVER Ben",
        ]
        assert ann.type("NEXT") == ["OK NEXT"]  # late: the game ended with its last trick


# -- what anybody may say -------------------------------------------------------------


def test_the_server_greets_first(rikiki_door):
    with rikiki_door() as door:
        person = door.connect()
        assert person.value().startswith(b"WELCOME rikiki 1\r\n# ")


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("DANCE", "ERR unknown-command"),
        ("BID", "ERR usage BID tricks"),
        ("BID 1 2", "ERR usage BID tricks"),
        ("BID x", "ERR not-a-number"),
        ("BID 1.0", "ERR not-a-number"),
        ("BID ²", "ERR not-a-number"),
        ("BID 99999999", "ERR not-a-number"),
        ("BID 1", "ERR not-seated"),
        ("PLAY 1H", "ERR bad-card"),
        ("PLAY AHH", "ERR bad-card"),
        ("PLAY AH", "ERR not-seated"),
        ("NEXT", "ERR not-seated"),
        ("START", "ERR not-seated"),
        ("HAND", "ERR not-seated"),
        ("STATE", "ERR not-seated"),
        ("SAY hello", "ERR not-seated"),
        ("AGAIN", "ERR not-seated"),
        ("ADDBOT", "ERR not-seated"),
        ("JOIN ABCDE", "ERR no-such-table"),
        ("WATCH ABCDE", "ERR no-such-table"),
        ("REJOIN ABCDE.0123", "ERR bad-token"),
        ("REJOIN é", "ERR bad-token"),
        ("INVITE 0123", "ERR bad-token"),
        ("NAME ...", "ERR name-bad"),
        ("NAME " + "x" * 25, "ERR name-bad"),
        ("MODE LOUD", "ERR usage MODE HUMAN|BOT"),
        ("LANG xx", "ERR no-such-language"),
        ("NEW players=1", "ERR usage"),
        ("NEW players=27", "ERR usage"),
        ("NEW players=many", "ERR usage"),
        ("NEW players", "ERR usage"),
        ("NEW hook=maybe", "ERR usage"),
        ("NEW colour=red", "ERR usage"),
        ("NEW password=", "ERR usage"),
        ("NEW password", "ERR usage"),
        ("x" * 600, "ERR too-long"),
        ("LEAVE", "OK LEAVE"),
        ("TABLES", "OK TABLES"),
        ("mode bot", "OK MODE bot"),
        ("  Mode \t Human ", "OK MODE Human"),
        ("LANG en", "OK LANG en"),
    ],
)
def test_every_command_is_answered_by_one_line(rikiki_door, said, answer):
    with rikiki_door() as door:
        (line,) = door.connect().type(said)
        assert line == answer or line.startswith(f"{answer} ")


def test_bytes_that_are_no_text_are_refused(rikiki_door):
    with rikiki_door() as door:
        person = door.connect()
        person.say(b"NAME \xff\n")
        assert person.news()[0].startswith("ERR not-utf-8 ")


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r", b"\r\0"])
def test_a_line_may_end_in_any_way_and_come_in_any_pieces(rikiki_door, end):
    with rikiki_door() as door:
        person = door.connect()
        for byte in b"name Ann" + end + b"tables" + end:
            person.say(bytes([byte]))
        assert person.news() == ["OK NAME Ann", "OK TABLES"]


def test_help_lists_all_that_can_be_said_and_has_a_page_on_moves(rikiki_door):
    with rikiki_door() as door:
        person = door.connect()
        person.say(b"HELP\n")
        lines = person.raw()
        assert "# NEW [players=n] [cards=k] [option=value...] [private] [password=word]" in lines
        assert (len(lines), lines[-1]) == (27, "OK HELP")
        person.say(b"HELP bid\n")
        assert person.raw()[0] == "# BID tricks"
        person.say(b"HELP ../bid\n")
        assert len(person.raw()) == 27


def test_a_name_is_taken_by_one_person_at_a_time(rikiki_door):
    with rikiki_door() as door:
        ann, ben = door.connect("Ann"), door.connect()
        assert ben.type("NAME ann")[0].startswith("ERR name-taken")
        assert ann.type("NAME Anna") == ["OK NAME Anna"]
        assert ben.type("NAME ann") == ["OK NAME ann"]
        ann.hang_up()
        assert ben.type("NAME Anna") == ["OK NAME Anna"]


def test_a_name_with_blanks_is_shown_as_one_field(rikiki_door):
    with rikiki_door() as door:
        ann, ben = door.connect(), door.connect("Ben")
        assert ann.type("NAME Ann Lee") == ["OK NAME Ann_Lee"]
        code = ann.type("NEW players=2")[0].split()[2]
        ann.type(f"JOIN {code}")
        assert ben.type(f"JOIN {code}")[1] == f"JOINED {code} Ann_Lee 1"


def test_french_is_spoken_to_those_who_ask_for_it(rikiki_door):
    with rikiki_door() as door:
        assert door.connect().type("LANG fr") == ["OK LANG fr"]


# -- tables ---------------------------------------------------------------------------


def test_a_table_is_listed_while_a_seat_is_free_unless_it_is_private(rikiki_door):
    with rikiki_door() as door:
        ann, ben = door.connect("Ann"), door.connect("Ben")
        code = ann.type("NEW players=2 cards=3 hook=last-over-2 top_trump=never")[0].split()[2]
        listed = "cards=3 schedule=down hook=last-over-2 top_trump=never scoring=tricks10"
        assert ben.type("TABLES") == [f"TABLE {code} waiting 0/2 {listed}", "OK TABLES"]
        ann.type(f"JOIN {code}")
        assert ben.type("TABLES")[0] == f"TABLE {code} waiting 1/2 {listed}"
        ben.type(f"JOIN {code}")
        assert ben.type("TABLES") == ["OK TABLES"]
        assert door.hall.find(code).opened.options["hook_over"] == 2
        cat = door.connect("Cat")
        hidden = cat.type("NEW private")[0].split()[2]
        assert ben.type("TABLES") == ["OK TABLES"]
        assert cat.type(f"JOIN {hidden.lower()}")[0].startswith(f"OK JOIN {hidden} 1 ")


def test_whoever_opens_a_table_hears_who_joins_it(rikiki_door):
    with rikiki_door() as door:
        ann, ben = door.connect("Ann"), door.connect("Ben")
        code = ann.type("NEW players=2")[0].split()[2]
        ben.type(f"JOIN {code}")
        assert ann.news() == [f"JOINED {code} Ben 1"]


def test_a_seat_is_not_to_be_had_twice_nor_without_a_name_nor_at_a_full_table(rikiki_door):
    with rikiki_door() as door:
        code, ann, _ = door.table("Ann", "Ben")
        assert ann.type(f"JOIN {code}")[0].startswith("ERR wrong-state")
        assert ann.type("NEW")[0].startswith("ERR wrong-state")
        assert ann.type("NAME Anna")[0].startswith("ERR wrong-state")
        assert door.connect("Cat").type(f"JOIN {code}")[0].startswith("ERR full")
        assert door.connect().type(f"JOIN {code}")[0].startswith("ERR name-bad")
        ann.type("START")
        assert door.connect("Dan").type(f"JOIN {code}")[0].startswith("ERR wrong-state")


def test_an_invitation_from_elsewhere_takes_its_seat(rikiki_door):
    with rikiki_door() as door:
        table = door.host.hall.find(
            door.host.open("rikiki", "", {"players": 3}, {"start": "asked"}, owner="secret").code
        )
        code, organizer = table.code, door.connect()
        assert organizer.type(f"REJOIN {code}.secret")[0].startswith("OK REJOIN")
        hashed = sha256(f"{code}.word".encode()).hexdigest()
        door.host.request(organizer.link, table_actions.invite(1, "Benny", hashed))
        door.settle()
        ben, zoe = door.connect("Ben"), door.connect("Zoe")
        assert zoe.type(f"INVITE {code}.other")[0].startswith("ERR bad-token")
        answer = ben.type(f"INVITE {code}.word")[0]
        assert answer.startswith(f"OK INVITE {code} 2 {code}.")
        assert table.names == ("", "Ben")
        assert zoe.type(f"INVITE {code}.word")[0].startswith("ERR bad-token")


def test_only_who_opened_a_table_or_shows_its_token_may_start_it(rikiki_door):
    with rikiki_door() as door:
        ann, ben, cat = door.connect("Ann"), door.connect("Ben"), door.connect("Cat")
        _, _, code, owner = ann.type("NEW players=3")[0].split()
        for person in (ben, cat):
            person.type(f"JOIN {code}")
        ben.news()
        assert ben.type("START")[0].startswith("ERR bad-token")
        assert ben.type("START xyz")[0].startswith("ERR bad-token")
        ann.news()
        assert ben.type(f"START {owner}")[:2] == ["OK START", "STARTED Ben Cat"]
        assert ann.news()[0] == "STARTED Ben Cat"


def test_an_organizer_may_start_a_game_without_playing_it(rikiki_door):
    with rikiki_door() as door:
        ann, ben, cat = door.connect(), door.connect("Ben"), door.connect("Cat")
        code = ann.type("NEW players=2")[0].split()[2]
        for person in (ben, cat):
            person.type(f"JOIN {code}")
        assert ann.type("START")[2:5] == ["OK START", "STARTED Ben Cat", "ROUND 1 26 Ben"]
        assert not any(line.startswith("HAND") for line in ann.value().decode().splitlines())


def test_a_table_needs_two_and_begins_once(rikiki_door):
    with rikiki_door() as door:
        ann, ben = door.connect("Ann"), door.connect("Ben")
        code = ann.type("NEW players=4")[0].split()[2]
        ann.type(f"JOIN {code}")
        assert ann.type("START")[0].startswith("ERR too-few")
        ben.type(f"JOIN {code}")
        ann.news()
        assert ann.type("START")[0] == "OK START"
        assert ann.type("START")[0].startswith("ERR wrong-state")


def test_more_than_eight_are_warned(rikiki_door):
    with rikiki_door() as door:
        ann = door.connect("Ann")
        ann.say(b"NEW players=9\n")
        assert any("more than 8" in line for line in ann.raw())
