"""``history``, ``rating`` and ``top``: how games ended, and who is the strongest, for a program."""

from __future__ import annotations

import pytest

from protocols.host.ladder import MOST_LISTED
from tests.rated import rate


def over(hall, **house):
    """Let two programs play Nim to its end; gives them and the code."""
    ann, ben = hall.connect("ann"), hall.connect("ben")
    code = ann.ask("open", game="nim", options={"stones": 3}, house=house)["table"]
    for each in (ann, ben):
        each.ask("join", table=code)
        hall.settle()
    assert ann.ask("play", move={"is": "Take", "stones": 3})["ok"]
    return ann, ben, code


def test_a_game_that_ended_is_told_with_all_that_is_known_of_it(house):
    ann, _, code = over(house)
    reply = ann.ask("history")
    (result,) = reply["results"]
    assert reply["ok"] and reply["name"] == "ann"
    assert (result["table"], result["game"]) == (code, "nim")
    assert (result["rated"], result["why"]) == (False, "guest")
    assert result["seats"] == [
        {"name": "ann", "bot": None, "place": 1, "left": False},
        {"name": "ben", "bot": None, "place": 2, "left": False},
    ]
    assert house.connect().ask("history", name="BEN")["results"] == [result]
    assert house.connect().ask("history", name="nobody")["results"] == []


def test_a_private_game_of_two_is_told_to_nobody(house):
    ann, *_ = over(house, private=True)
    assert ann.ask("history")["results"] == []


def test_ratings_are_told_by_game(house):
    rate(house, ("perfect", "random"))
    program = house.connect("ann")
    expected = {"nim": {"rating": 1578, "provisional": True, "games": 1}}
    assert program.ask("rating", name="perfect")["ratings"] == expected
    assert program.ask("rating", name="perfect", game="gops")["ratings"] == {}
    assert program.ask("rating")["ratings"] == {}


def test_the_strongest_are_listed(house):
    rate(house, *[("perfect", "random"), ("perfect", "random"), ("random", "perfect")] * 30)
    program = house.connect()
    names = [each["name"] for each in program.ask("top", game="nim")["top"]]
    assert names == ["perfect", "random"]
    assert len(program.ask("top", game="nim", who="bots", most=1)["top"]) == 1
    assert program.ask("top", game="nim", who="people")["top"] == []


WRONG = [
    ("top", {"game": "chess"}, "no-such-game"),
    ("top", {"game": "nim", "who": "cats"}, "no-such-group"),
    ("top", {"game": "nim", "most": 0}, "wrong-length"),
    ("top", {}, "malformed"),
    ("top", {"game": "nim", "most": "5"}, "malformed"),
    ("rating", {"game": "chess"}, "no-such-game"),
    ("rating", {"name": 7}, "malformed"),
    ("history", {"most": MOST_LISTED + 1}, "wrong-length"),
    ("history", {"most": -1}, "wrong-length"),
    ("history", {"nam": "ann"}, "malformed"),
]


@pytest.mark.parametrize(("do", "fields", "error"), WRONG)
def test_what_is_wrong_is_refused_with_a_sentence(house, do, fields, error):
    program = house.connect()
    reply = program.ask(do, **fields)
    assert reply["error"] == error and reply["says"]
    assert program.ask("hello")["ok"]


def test_a_house_without_openskill_has_results_and_no_ratings(house, monkeypatch):
    monkeypatch.setattr("protocols.host.ladder.can_rate", lambda: False)
    ann, *_ = over(house)
    assert ann.ask("rating", name="perfect")["error"] == "no-ratings"
    assert ann.ask("top", game="nim")["error"] == "no-ratings"
    assert len(ann.ask("history")["results"]) == 1


def test_each_of_many_is_answered_once_and_in_order(house):
    program = house.connect()
    ids = [program.send(do, **more) for do, more in [("history", {}), ("top", {"game": "nim"})] * 3]
    house.settle()
    replies = [each["reply"] for each in program.heard() if "reply" in each]
    assert [each for each in replies if each in ids] == ids


# -- whether a game is rated ----------------------------------------------------------


def rated_lines(told):
    return [each for each in told if "rated" in each and "event" not in each]


def test_of_a_game_that_begins_and_is_over_it_is_told_whether_it_is_rated(house):
    ann, ben, code = over(house)
    said = {"rated": False, "why": "guest", "table": code, "says": "not rated: a guest plays"}
    told = ann.heard()
    assert rated_lines(told) == [{**said, "over": False}, {**said, "over": True}]
    names = [line.get("event") for line in told]
    begun, ended = (told.index(line) for line in rated_lines(told))
    assert names.index("GameBegan") < begun < names.index("GameOver") < ended
    told = ben.heard()  # who came last, and has it from the View that the game has begun
    assert rated_lines(told) == [{**said, "over": True}]
    assert [each["view"]["unrated"] for each in told if "view" in each] == ["guest"]


def test_a_game_of_bots_is_rated(house):
    ann = house.connect("ann")
    table = house.open("nim", start="full")
    ann.ask("watch", table=table.code)
    for seat, level in enumerate(("perfect", "random")):
        house.host.seat_bot(table, seat, level, level)
    house.settle()
    said = {"rated": True, "why": None, "table": table.code, "says": "rated"}
    assert rated_lines(ann.heard()) == [{**said, "over": False}, {**said, "over": True}]
