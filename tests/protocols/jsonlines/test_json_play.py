"""A program sits down, plays, is told, and comes back."""

from __future__ import annotations

import pytest

TAKE = {"is": "Take", "reset": False}


def take(stones):
    return {"is": "Take", "stones": stones, "reset": False}


def test_a_program_alone_plays_a_whole_game_against_a_bot(house):
    one = house.connect("one")
    code = one.ask("open", game="nim", options={"stones": 20})["table"]
    reply = one.ask("join")
    assert (reply["table"], reply["seat"]) == (code, 0)
    one.ask("bot")
    while not (over := [each for each in one.heard() if each.get("event") == "GameOver"]):
        turn = one.of("turn")[-1]
        assert turn["turn"] == [0]
        assert one.ask("play", move=turn["moves"][0])["ok"]
        house.settle()
    assert over[0]["outcome"]["places"] in ([1, 2], [2, 1])


def test_the_reply_to_a_move_stands_behind_its_events(house):
    north, south = house.table(stones=20)
    north.news(), south.news()
    north.ask("play", move=take(3))
    event, turn, reply = north.news()
    assert (event["event"], event["seat"], event["stones"]) == ("Taken", 0, 3)
    assert event["board"]["left"] == 17
    assert (turn["turn"], turn["moves"]) == ([1], [])
    assert reply == {"reply": reply["reply"], "ok": True}
    event_of_south, turn = south.news()
    assert event_of_south == {**event, "n": event_of_south["n"]}
    assert (turn["turn"], turn["moves"][0], len(turn["moves"])) == ([1], take(1), 8)
    assert turn["due"] == {"1": pytest.approx(120.0)}


def test_nobody_is_told_before_it_is_in_the_journal(json_hall, hand_journal):
    with json_hall(journal=hand_journal) as house:
        one = house.connect("one")
        one.send("open", game="nim")
        house.settle()
        assert one.of("table") == []
        house.journal.commit()
        assert [each["ok"] for each in one.of("table")] == [True]
        one.send("join")
        one.send("who")
        one.send("hello")
        house.settle()
        one.clear()
        house.settle()
        assert one.heard() == []
        for _ in range(3):
            house.journal.commit()
            house.settle()
        kinds = [next(iter(each)) for each in one.heard()]
        assert kinds == ["reply", "token", "view", "turn", "reply", "reply"]
        house.journal.__class__ = type(house.journal).__mro__[1]  # the end needs no hand


def test_events_are_numbered_from_the_view_on_without_a_gap(house):
    north, south = house.table(stones=9)
    watcher = house.connect("watcher")
    watcher.ask("watch", table=north.of("token")[0]["table"])
    for each in (north, south, north):
        each.ask("play", move=take(3))
    for each in (north, south, watcher):
        told = each.of("view")[-1]["n"]
        numbers = [event["n"] for event in each.of("event")]
        assert numbers == list(range(told + 1, told + 1 + len(numbers)))
    assert [each["event"] for each in watcher.of("event")] == [
        *("Taken", "Taken", "Taken"),
        *("RoundOver", "GameOver", "SeedRevealed"),
    ]


def test_a_turn_is_told_only_when_it_is_news(house):
    north, south = house.table(stones=9)
    south.news()
    south.ask("look")
    assert [next(iter(each)) for each in south.news()] == ["view", "reply"]
    north.hang_up()  # an event, and nothing about whose decision is awaited
    assert [next(iter(each)) for each in south.news()] == ["n"]


def test_what_is_refused_changes_nothing_and_is_told_to_nobody_else(house):
    north, south = house.table(stones=9, early_moves="keep")
    north.news()
    reply = south.ask("play", move=take(1))
    assert (reply["error"], reply["says"]) == ("not-your-turn", "It is not your turn.")
    assert north.news() == []


def test_a_move_of_a_watcher_is_refused(house):
    north, south = house.table(stones=9)
    code = north.of("token")[0]["table"]
    watcher = house.connect("watcher")
    assert watcher.ask("watch", table=code.lower())["ok"]
    north.news(), south.news()
    turn = watcher.of("turn")[0]
    assert (turn["turn"], turn["moves"]) == ([0], [])
    for do, fields in (
        ("play", {"move": take(1)}),
        ("start", {}),
        ("bot", {}),
        ("mix", {"words": "x"}),
    ):
        assert watcher.ask(do, **fields)["error"] == "not-seated"
    assert north.news() == south.news() == []


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"stones": 3.0}, "move.stones: a whole number is wanted"),
        ({"stones": "3"}, "move.stones: a whole number is wanted"),
        ({"stones": True}, "move.stones: a whole number is wanted"),
        ({"stones": None}, "move.stones: a whole number is wanted"),
        ({"stones": 3, "reset": 1}, "move.reset: true or false is wanted"),
        ({"stones": 3, "rset": True}, "move: nobody here knows rset"),
        ({}, "move.stones: this is missing"),
    ],
)
def test_a_move_that_does_not_fit_to_the_letter_is_malformed_and_loses_nothing(house, wrong, says):
    north, south = house.table(stones=9)
    reply = north.ask("play", move={"is": "Take", **wrong})
    assert (reply["error"], reply["says"]) == ("malformed", says)
    assert south.of("event") == []
    assert north.ask("play", move=take(3))["ok"]


def test_a_player_comes_back_and_is_shown_what_was_missed(house):
    north, south = house.table(stones=9)
    token = south.of("token")[0]["token"]
    last = south.of("view")[-1]["n"]
    south.hang_up()
    north.ask("play", move=take(3))
    back = house.connect()
    assert back.ask("return", token=token, last=last)["ok"]
    view, turn = back.heard()[1:]
    assert view["view"]["board"]["board"]["left"] == 6
    assert view["n"] > last
    assert (turn["turn"], len(turn["moves"])) == ([1], 8)
    assert back.ask("play", move=take(1))["ok"]


def test_who_has_missed_nothing_is_shown_nothing_but_the_turn(house):
    north, south = house.table(stones=9)
    token, last = south.of("token")[0]["token"], south.of("view")[-1]["n"]
    back = house.connect()
    back.ask("return", token=token, last=last)
    assert [next(iter(each)) for each in back.heard()] == ["reply", "turn"]
    assert south.closed
    assert south.heard()[-1]["closed"] == "taken-over"
    north.ask("play", move=take(3))
    assert [each["n"] for each in back.of("event")] == [last + 1]


@pytest.mark.parametrize("token", ["", "K7QRT", "K7QRT.nobody", "\u00fc.\u00fc", "." * 9000])
def test_a_token_of_nobody_brings_nobody_back(house, token):
    assert house.connect().ask("return", token=token, last=3)["error"] == "unknown-token"


def test_one_sits_at_one_table_at_a_time(house):
    north, south = house.table(stones=9)
    code = north.of("token")[0]["table"]
    other = house.connect().ask("open", game="nim")["table"]
    for do in ("join", "watch"):
        assert north.ask(do, table=other)["error"] == "already-seated"
    assert north.ask("return", token="x")["facts"] == {"table": code}
    assert north.ask("leave")["ok"]
    assert "GameOver" in [each["event"] for each in south.of("event")]
    assert north.ask("leave")["error"] == "not-at-a-table"
    assert north.ask("join", table=other)["ok"]


def test_who_watches_a_table_sits_down_there_and_is_shown_it_anew(house):
    one, two = house.connect("one"), house.connect("two")
    code = one.ask("open", game="nim")["table"]
    one.ask("join")
    two.ask("watch", table=code)
    two.news()
    assert two.ask("join")["seat"] == 1
    assert [next(iter(each)) for each in two.news()] == ["reply", "token", "view", "turn"]
    one.ask("play", move=take(1))
    assert len(two.of("event")) == 1


def test_another_game_is_played_at_the_same_table(house):
    north, south = house.table(stones=3)
    north.ask("play", move=take(3))
    assert north.ask("play", move=take(1))["error"] == "game-over"
    assert south.ask("rematch")["ok"]
    assert south.ask("mix", words="my own words")["ok"]
    assert north.of("event")[-1]["words"] == "my own words"
    assert north.ask("start")["ok"]
    began = [each for each in north.of("event") if each["event"] == "GameBegan"]
    assert began[-1]["names"] == ["player 1", "player 0"]
    assert south.ask("play", move=take(3))["ok"]


def test_another_game_begins_once_all_agree(house):
    north, south = house.table(stones=1)
    north.ask("play", move=take(1))
    assert south.ask("rematch")["ok"]
    assert [each["seat"] for each in north.of("event") if each["event"] == "Agreed"] == [0]
    assert south.ask("rematch")["error"] == "agreed-already"
    assert north.ask("rematch")["ok"]
    assert north.of("event")[-1]["event"] != "GameOver"
    assert north.ask("start")["error"] == "game-began"


def test_a_bot_agrees_to_another_game_at_once(house):
    one = house.connect("one")
    one.ask("open", game="nim", options={"stones": 1})
    one.ask("join")
    one.ask("bot", level="random")
    assert one.ask("play", move=take(1))["ok"]
    assert one.ask("rematch")["ok"]
    house.settle()
    began = [each["number"] for each in one.of("event") if each["event"] == "GameBegan"]
    assert began == [1, 2]


def test_a_bot_plays_on_for_one_who_is_away(house):
    north, south = house.table(stones=50)
    assert south.ask("replace", seat=0)["error"] == "not-away"
    north.hang_up()
    assert south.ask("replace", seat=0, level="random")["ok"]
    house.settle()
    assert south.of("turn")[-1]["turn"] == [1]
    assert south.ask("abandon")["ok"]
    assert "Abandoned" in [each["event"] for each in south.of("event")]


def test_a_table_behind_a_password_opens_to_who_knows_it(house):
    one, two = house.connect("one"), house.connect("two")
    one.send("open", game="nim", house={"password": "swordfish", "private": True})
    one.send("join", password="swordfish")
    house.settle()
    code = one.of("token")[0]["table"]
    assert two.ask("tables")["tables"] == []
    assert two.ask("join", table=code)["error"] == "password-needed"
    assert two.ask("watch", table=code, password="sword")["error"] == "wrong-password"
    assert two.ask("join", table=code, password="swordfish")["ok"]
    assert b"swordfish" not in one.value() + two.value()
    assert "scrypt" not in str(one.heard())
    people = two.ask("who")["people"]
    assert people == [
        {"name": "one", "table": None, "seat": 0},
        {"name": "two", "table": None, "seat": 1},
    ]


def test_a_player_who_is_still_on_the_way_misses_no_turn(house):
    program = house.connect("one")
    program.ask("open", game="nim", options={"stones": 20}, house={"start": "asked"})
    for do in ("join", "bot", "start"):
        program.send(do)
    program.send("play", move=take(1))
    house.settle()
    house.settle()
    assert [each["turn"] for each in program.of("turn")] == [[], [0], [1], [0]]


def test_a_bot_that_moves_first_keeps_no_turn_from_one_who_is_on_the_way(house):
    program = house.connect("one")
    program.ask("open", game="nim", options={"stones": 20})
    program.send("join", seat=1)
    program.send("bot")
    house.settle()
    house.settle()
    turn = program.of("turn")[-1]
    assert (turn["turn"], bool(turn["moves"])) == ([1], True)


def test_moves_are_offered_once_for_each_decision(json_hall, high):
    with json_hall(high.HighRules()) as house:
        one, two, three = house.table("high", 3, "asked", {"word": "charm"})
        offered = one.of("turn")[-1]["moves"]
        one.news(), three.news()
        two.ask("play", move=two.of("turn")[-1]["moves"][0])
        (turn,) = one.of("turn")
        assert (turn["turn"], "moves" in turn) == ([0, 2], False)
        one.ask("play", move=offered[0])
        assert one.of("turn")[-1]["moves"] == []
        three.ask("look")
        assert [each.get("moves") for each in three.of("turn")] == [None, None]


def test_who_is_to_move_again_is_offered_the_same_moves_again(json_hall, high):
    class Patient(high.HighPosition):
        """High Card in which a card comes back to the hand: the same moves are legal ever after."""

        def play(self, seat, move, now):
            super().play(seat, move, now)
            if seat in self.laid:
                self.hands[seat] = sorted([*self.hands[seat], self.laid.pop(seat)])

    rules = high.HighRules()
    rules.begin = Patient
    with json_hall(rules) as house:
        one, two = house.table("high", 2, "asked", {"word": "charm"})
        moves = one.of("turn")[-1]["moves"]
        for _ in range(3):
            one.news()
            one.ask("play", move=moves[0])
            assert [each["moves"] for each in one.of("turn")] == [moves]
            assert [next(iter(each)) for each in one.heard()][-2:] == ["reply", "turn"]
        assert [each["event"] for each in two.of("event")].count("Laid") == 3
        assert one.ask("leave")["ok"]


def test_what_is_told_is_told_of_the_table_it_happens_at(house):
    program = house.connect()
    here = program.ask("open", game="nim")["table"]
    program.ask("join")
    there = program.ask("open", game="nim")["table"]
    program.news()
    program.ask("bot")
    told = {each["table"] for each in program.heard() if "event" in each or "turn" in each}
    assert told == {here} != {there}
