"""Going from a table of Rikiki and coming back, rounds and games that follow, and what goes wrong."""

from __future__ import annotations

ROUND_1 = "AH 7S 10H 2S 3H KD 5S"


def test_whoever_leaves_may_come_back_to_all_they_knew(rikiki_door):
    with rikiki_door(ROUND_1) as door:
        code, ann, ben = door.table("Ann", "Ben", options="cards=2")
        ann.type("START")
        ben.news()
        assert ann.type("LEAVE") == ["OK LEAVE"]
        assert ben.news() == [f"LEFT {code} Ann 1 away"]
        assert ben.type("WHO")[:2] == [f"JOINED {code} Ann 1", f"LEFT {code} Ann 1 away"]
        assert ann.type("BID 1")[0].startswith("ERR not-seated")
        again = door.connect()
        assert again.type(f"REJOIN {ann.token}") == [
            f"OK REJOIN {code}",
            f"STATE table={code} stage=playing seat=1 game=1 round=1/2 cards=2 phase=bidding turn=Ann",
            f"JOINED {code} Ann 1",
            f"JOINED {code} Ben 2",
            "ROUND 1 2 Ann",
            "HAND AH 7S",
            "TRUMP 3H",
            "BIDS 0/2",
            "TURN Ann BID 0 1 2",
        ]
        assert ben.news() == [f"BACK {code} Ann 1"]
        assert again.type("SAY back")[-1] == "SAID Ann back"
        assert again.type("BID 2")[0] == "OK BID 2"


def test_whoever_comes_back_by_another_link_closes_the_first(rikiki_door):
    with rikiki_door() as door:
        code, ann, _ = door.table("Ann", "Ben")
        again = door.connect()
        assert again.type(f"REJOIN {ann.token}")[0] == f"OK REJOIN {code}"
        assert ann.news()[-1].startswith("BYE taken-over ")
        assert ann.closed


def test_quit_is_goodbye_and_the_seat_is_held(rikiki_door):
    with rikiki_door() as door:
        code, ann, ben = door.table("Ann", "Ben")
        ann.type("START")
        ben.news()
        assert ann.type("QUIT") == ["OK QUIT"]
        assert ann.closed
        assert ben.news() == [f"LEFT {code} Ann 1 away"]


def test_for_one_who_does_not_come_back_the_house_plays_on_and_the_last_one_wins(rikiki_door):
    with rikiki_door(ROUND_1) as door:
        code, ann, ben, cat = door.table("Ann", "Ben", "Cat", options="cards=2 grace=30")
        ann.type("START", "BID 0")
        ben.hang_up()
        cat.news()
        door.clock.advance(30)
        assert cat.news() == [
            f"LEFT {code} Ben 2 absent",
            "FORCED Ben left",
            "BID Ben 0",
            "BIDS 0/2",
            "TURN Cat BID 0 1 2",
        ]
        ann.hang_up()
        door.clock.advance(30)
        assert cat.news()[-2:] == ["ROUNDOVER 1", "GAMEOVER Cat"]


def test_time_runs_out_for_one_who_does_nothing(rikiki_door):
    with rikiki_door(ROUND_1) as door:
        _, ann, ben = door.table("Ann", "Ben", options="cards=1 seconds=20 pause=9")
        ann.type("START")
        ben.news()
        door.clock.advance(20)
        assert ben.news() == ["FORCED Ann time", "BID Ann 0", "BIDS 0/1", "TURN Ben BID 0 1"]
        assert ann.type("BID 1")[-1].startswith("ERR not-your-turn")


def test_a_round_begins_by_itself_in_the_end(rikiki_door):
    with rikiki_door(ROUND_1) as door:
        _, ann, ben = door.table("Ann", "Ben", options="cards=2 pause=9")
        ann.type("START", "BID 0")
        ben.type("BID 0")
        ann.type("PLAY AH")
        ben.type("PLAY 10H")
        ann.type("PLAY 7S")
        ben.type("PLAY 2S")
        ann.news()
        door.clock.advance(9)
        assert ann.news()[0] == "ROUND 2 1 Ben"
        assert ann.type("NEXT") == ["OK NEXT"]


def test_the_same_people_may_play_again_in_other_seats(rikiki_door):
    with rikiki_door("AH 7S 5S", "2H 3H 4H") as door:
        _, ann, ben = door.table("Ann", "Ben", options="cards=1")
        assert ann.type("AGAIN")[0].startswith("ERR wrong-state")
        ann.type("START", "BID 0")
        ben.type("BID 0")
        ann.type("PLAY AH")
        ben.type("PLAY 7S")
        ann.news()
        ben.news()
        assert ben.type("AGAIN") == ["OK AGAIN", "GATHERED Ben Ann"]
        assert ben.type("START")[0].startswith("ERR bad-token")
        assert ann.type("START")[1:4] == ["OK START", "STARTED Ben Ann", "ROUND 1 1 Ben"]


def test_another_game_begins_once_all_have_asked_for_it(rikiki_door):
    with rikiki_door("AH 7S 5S", "2H 3H 4H") as door:
        _, ann, ben = door.table("Ann", "Ben", options="cards=1 players=2")
        ann.type("START", "BID 0")
        ben.type("BID 0")
        ann.type("PLAY AH")
        ben.type("PLAY 7S")
        ann.news(), ben.news()
        assert ben.type("AGAIN")[0] == "OK AGAIN"
        assert ben.type("AGAIN")[0].startswith("ERR wrong-state")
        assert ann.type("AGAIN")[1:3] == ["OK AGAIN", "STARTED Ben Ann"]
        assert ben.news()[0] == "STARTED Ben Ann"


def test_after_a_game_one_may_go_to_another_table_at_once(rikiki_door):
    with rikiki_door("AH 7S 5S") as door:
        code, ann, ben = door.table("Ann", "Ben", options="cards=1")
        ann.type("START", "BID 0")
        ben.type("BID 0")
        ann.type("PLAY AH")
        ben.type("PLAY 7S")
        ann.news()
        assert ann.type("NEW players=2")[0].startswith("OK NEW ")
        assert ben.news()[-1] == f"LEFT {code} Ann 1 left"


def test_bots_play_to_the_end_with_a_person(rikiki_door):
    with rikiki_door() as door:
        ann = door.connect("Ann")
        code = ann.type("NEW players=3 cards=3")[0].split()[2]
        ann.type(f"JOIN {code}")
        assert ann.type("ADDBOT genius")[0].startswith("ERR no-such-level")
        assert ann.type("ADDBOT") == [f"JOINED {code} counting_bot 2", "OK ADDBOT"]
        assert ann.type("ADDBOT random")[1] == "OK ADDBOT random"
        assert ann.type("ADDBOT")[0].startswith("ERR full")
        lines = ann.type("START")
        for _ in range(100):
            turn = next((line for line in reversed(lines) if line.startswith("TURN Ann")), None)
            if any(line.startswith("GAMEOVER") for line in lines):
                break
            if lines and lines[-1].startswith("ROUNDOVER"):
                lines = ann.type("NEXT")
            elif turn is not None and turn == lines[-1]:
                lines = ann.type(f"{turn.split()[2]} {turn.split()[3]}")
            else:
                door.clock.advance(1)
                lines = ann.news()
        assert lines[-1].startswith("GAMEOVER ")


# -- trouble --------------------------------------------------------------------------


def test_whoever_says_nothing_is_sent_away(rikiki_door):
    with rikiki_door() as door:
        silent, ann = door.connect(), door.connect("Ann")
        door.clock.advance(61)
        assert silent.news()[-1].startswith("BYE login-deadline ")
        assert silent.closed
        assert not ann.closed


def test_a_table_where_nothing_happens_is_closed_and_its_people_may_go_on(rikiki_door):
    with rikiki_door() as door:
        code, ann, _ = door.table("Ann", "Ben")
        door.clock.advance(3601)
        assert ann.news() == [f"CLOSED {code} expired"]
        assert ann.type("STATE")[0].startswith("ERR not-seated")
        assert ann.type("NEW")[0].startswith("OK NEW")


def test_a_daemon_that_closes_says_so(rikiki_door):
    with rikiki_door() as door:
        _, ann, _ = door.table("Ann", "Ben")
        door.host.close()
        door.settle()
        assert ann.news()[-1].startswith("BYE closing ")
        assert ann.closed
        door.hall._tables.clear()  # what was stored goes on with the next daemon


def test_a_pause_of_the_journal_is_said(rikiki_door):
    with rikiki_door() as door:
        _, ann, _ = door.table("Ann", "Ben")
        door.journal.on_trouble("the disk is full")
        assert ann.news() == ["PAUSED journal the disk is full"]
        door.journal.on_trouble(None)
        assert ann.news() == ["RESUMED"]


def test_a_player_who_does_not_read_is_shown_how_things_stand_instead(rikiki_door):
    with rikiki_door() as door:
        _, ann, ben = door.table("Ann", "Ben")
        ann.link.pauseProducing()
        ann.link.backlog = 2000
        for _ in range(12):
            ben.type("SAY " + "x" * 280)
            door.clock.advance(2)
        ann.link.resumeProducing()
        assert any(line.startswith("STATE ") for line in ann.news())
        assert not ann.closed


def test_nobody_hears_a_card_that_is_not_theirs(rikiki_door):
    with rikiki_door(ROUND_1) as door:
        _, ann, ben, cat = door.table("Ann", "Ben", "Cat", options="cards=2")
        ann.type("START", "BID 0")
        ben.type("BID 0", "STATE", "HAND")
        cat.type("BID 0")
        for person, own in ((ann, "AH 7S"), (ben, "10H 2S"), (cat, "KD 3H")):
            told = person.value().decode()
            others = {"AH", "7S", "10H", "2S", "KD", "3H"} - set(own.split())
            assert not others & set(told.split())
