"""At a table of Rikiki: moves and their answers, how things stand, talk, and who hears what."""

from __future__ import annotations

ROUND_1 = "AH 7S 10H 2S 3H KD 5S"


def test_a_bid_out_of_turn_or_range_is_refused_and_nobody_else_hears_of_it(rikiki_door):
    with rikiki_door(ROUND_1) as door:
        _, ann, ben, cat = door.table("Ann", "Ben", "Cat", options="cards=2 hook=last")
        ann.type("START")
        for person in (ann, ben, cat):
            person.news()
        assert ben.type("BID 0")[0].startswith("ERR not-your-turn")
        assert ann.type("BID 3")[0].startswith("ERR bid-range")
        assert ann.type("BID -1")[0].startswith("ERR bid-range")
        assert ann.type("PLAY AH")[0].startswith("ERR wrong-state")
        assert ann.type("NEXT") == ["OK NEXT"]  # late
        assert cat.news() == []
        ann.type("BID 1")
        ben.type("BID 0")
        assert cat.news()[-1] == "TURN Cat BID 0 2"
        assert cat.type("BID 1")[0].startswith("ERR bid-hook")
        cat.type("BID 0")
        assert ann.type("PLAY 7H")[0] == "BID Ben 0"
        assert ann.type("PLAY 7H")[0].startswith("ERR not-your-card")
        ann.type("PLAY AH")
        assert ann.type("NEXT")[0].startswith("ERR wrong-state")


def test_answers_come_in_the_order_of_the_commands_however_they_are_sent(rikiki_door):
    with rikiki_door(ROUND_1) as door:
        _, ann, _ = door.table("Ann", "Ben", options="cards=2")
        ann.say(b"START\nBID 1\nHELP\nBID 1\nDANCE\nHAND\nBID x\n")
        answers = [each.split()[:2] for each in ann.news() if each.startswith(("OK", "ERR"))]
        assert answers == [
            ["OK", "START"],
            ["OK", "BID"],
            ["OK", "HELP"],
            ["ERR", "not-your-turn"],
            ["ERR", "unknown-command"],
            ["OK", "HAND"],
            ["ERR", "not-a-number"],
        ]


def test_a_whole_life_may_be_sent_at_once(rikiki_door):
    with rikiki_door() as door:
        ann = door.connect()
        ann.say(b"NAME Ann\nNEW players=2\n")
        code = ann.news()[1].split()[2]
        ben = door.connect()
        ben.say(f"NAME Ben\nJOIN {code}\nADDBOT\nSTATE\nLEAVE\nWATCH {code}\nQUIT\n".encode())
        answers = [line.split()[1] for line in ben.news() if line.startswith("OK")]
        assert answers == ["NAME", "JOIN", "ADDBOT", "STATE", "LEAVE", "WATCH", "QUIT"]
        assert ben.closed


def test_how_things_stand_is_said_again_to_whoever_asks(rikiki_door):
    with rikiki_door(ROUND_1) as door:
        code, ann, ben, cat = door.table("Ann", "Ben", "Cat", options="cards=2")
        assert ann.type("SCORE") == ["OK SCORE"]
        ann.type("START", "BID 1")
        ben.type("BID 0")
        cat.type("BID 0")
        ann.type("PLAY AH")
        ben.news()
        assert ben.type("HAND") == ["HAND 10H 2S", "OK HAND"]
        assert ben.type("TABLE") == [
            "TRUMP 5S",
            "BID Ann 1",
            "BID Ben 0",
            "BID Cat 0",
            "BIDS 1/2",
            "PLAYED Ann AH",
            "TURN Ben PLAY 10H",
            "OK TABLE",
        ]
        assert ben.type("WHO") == [
            f"JOINED {code} Ann 1",
            f"JOINED {code} Ben 2",
            f"JOINED {code} Cat 3",
            "OK WHO",
        ]
        state = f"STATE table={code} stage=playing seat=2 game=1 round=1/2 cards=2"
        assert ben.type("STATE")[0] == f"{state} phase=playing turn=Ben"
        ben.type("PLAY 10H")
        cat.type("PLAY 3H")
        ann.news()
        table = ann.type("TABLE")
        assert table[-4:] == ["PLAYED Cat 3H", "TRICK Ann AH", "TURN Ann PLAY 7S", "OK TABLE"]
        ann.type("PLAY 7S")
        ben.type("PLAY 2S")
        cat.type("PLAY KD")
        ann.news()
        assert ann.type("SCORE") == [
            "RESULT Ann 1 2 2 2",
            "RESULT Ben 0 0 10 10",
            "RESULT Cat 0 0 10 10",
            "OK SCORE",
        ]
        assert ann.type("HAND") == ["HAND", "OK HAND"]


def test_what_is_said_is_heard_at_this_table_alone(rikiki_door):
    with rikiki_door() as door:
        _, ann, ben = door.table("Ann", "Ben")
        _, cat, _ = door.table("Cat", "Dan")
        assert ann.type("SAY  good \x07 luck\u202e!") == ["OK SAY", "SAID Ann good luck!"]
        assert ben.news() == ["SAID Ann good luck!"]
        assert cat.news() == []
        assert ann.type("SAY \x07")[0].startswith("ERR usage")


def test_talk_has_its_limit(rikiki_door):
    with rikiki_door() as door:
        _, ann, _ = door.table("Ann", "Ben")
        answers = [ann.type("SAY well")[0].split()[1] for _ in range(10)]
        assert answers == ["SAY"] * 8 + ["too-fast"] * 2


def test_a_watcher_hears_only_what_everybody_may(rikiki_door):
    with rikiki_door(ROUND_1) as door:
        code, ann, _ = door.table("Ann", "Ben", options="cards=2")
        dan = door.connect()
        assert dan.type(f"WATCH {code}") == [
            f"OK WATCH {code}",
            f"STATE table={code} stage=gathering game=1",
            f"JOINED {code} Ann 1",
            f"JOINED {code} Ben 2",
        ]
        ann.type("START", "BID 1")
        assert dan.news() == [
            "STARTED Ann Ben",
            "ROUND 1 2 Ann",
            "TRUMP 3H",
            "TURN Ann BID",
            "BID Ann 1",
            "BIDS 1/2",
            "TURN Ben BID",
        ]
        assert dan.type("HAND")[0].startswith("ERR not-seated")
        assert dan.type("BID 1")[0].startswith("ERR not-seated")
        assert dan.type("SCORE") == ["OK SCORE"]
        assert dan.type("SAY hm")[-1] == "SAID - hm"
        late = door.connect().type(f"WATCH {code}")
        assert late[1].endswith("phase=bidding turn=Ben")
        assert not any(line.startswith("HAND") for line in late)


def test_programs_are_spared_what_is_for_people_and_their_events_are_numbered(rikiki_door):
    with rikiki_door(ROUND_1) as door:
        _, ann, ben = door.table("Ann", "Ben", options="cards=2")
        ann.type("MODE BOT")
        ann.say(b"START\nBID 1\nHAND\n")
        lines = ann.raw()
        assert not any(line.startswith("#") for line in lines)
        assert lines[0] == "OK START"
        numbers = [int(line.partition(" @")[2]) for line in lines if " @" in line]
        assert [line for line in lines if " @" not in line] == ["OK START", "OK BID 1", "OK HAND"]
        assert numbers == sorted(numbers)
        assert lines[1] == f"STARTED Ann Ben @{numbers[0]}"
        ann.say(b"STATE\n")
        assert ann.raw()[-2].endswith(f" @{numbers[-1]}")
        ann.say(b"MODE HUMAN\n")
        ben.say(b"BID 0\n")
        assert any(line.startswith("# Your card") for line in ann.raw())
