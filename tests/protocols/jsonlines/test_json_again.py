"""Moves that programs send again: those that count are played once, at a table of any game."""

from __future__ import annotations


def take(stones):
    return {"is": "Take", "stones": stones, "reset": False}


def taken(program):
    return [each["stones"] for each in program.of("event") if each["event"] == "Taken"]


def test_a_move_sent_twice_in_one_write_is_played_once_whatever_its_id(house):
    north, south = house.table(stones=20)
    for id in (7, 7):
        north.link.dataReceived(
            b'{"do":"play","id":%d,"n":0,"move":{"is":"Take","stones":2}}\n' % id
        )
    house.settle()
    replies = [each for each in north.heard() if each.get("reply") == 7]
    assert replies == [
        {"reply": 7, "ok": True, "played": 1},
        {"reply": 7, "ok": True, "again": True, "played": 1},
    ]
    assert taken(south) == [2]


def test_a_move_is_judged_by_the_record_after_coming_back(house):
    north, south = house.table(stones=20)
    token = north.of("token")[0]["token"]
    assert north.ask("play", move=take(2), n=0)["played"] == 1
    assert south.ask("play", move=take(1), n=0)["played"] == 1
    north.hang_up()
    back = house.connect()
    assert back.ask("return", token=token)["played"] == 1
    reply = back.ask("play", move=take(2), n=0)
    assert (reply["ok"], reply["again"], reply["played"]) == (True, True, 1)
    assert back.ask("play", move=take(3), n=1)["played"] == 2
    assert taken(south) == [2, 1, 3]


def test_a_move_that_counts_ahead_is_refused(house):
    north, _ = house.table(stones=20)
    for n in (1, -1, 9):
        reply = north.ask("play", move=take(2), n=n)
        assert (reply["error"], reply["facts"]) == ("wrong-count", {"played": 0})
    assert north.ask("play", move=take(2), n=0)["ok"]


def test_a_refused_move_counts_for_nothing_and_is_judged_anew(house):
    ann, ben = house.table("rikiki", 2, start="asked", players=2, first=3)
    wrong = ann.ask("play", move={"is": "Bid", "tricks": 4}, n=0)
    assert (wrong["error"], wrong["played"]) == ("bid-range", 0)
    assert ann.ask("play", move={"is": "Bid", "tricks": 3}, n=0)["played"] == 1
    late = ann.ask("play", move={"is": "Bid", "tricks": 3}, n=1)
    assert (late["error"], late["played"]) == ("not-your-turn", 1)
    assert ben.ask("play", move={"is": "Bid", "tricks": 0}, n=0)["played"] == 1


def test_a_move_of_the_clock_is_none_of_the_seats_own(house):
    ann, ben = house.table("rikiki", 2, start="asked", players=2, first=3, seconds=10)
    house.clock.advance(10)
    assert ben.ask("play", move={"is": "Bid", "tricks": 0}, n=0)["ok"]
    moves = ann.of("moves")[-1]["moves"]
    assert ann.ask("play", move=moves[0], n=0)["played"] == 1


def test_each_game_counts_from_nothing(house):
    north, south = house.table(stones=1)
    assert north.ask("play", move=take(1), n=0)["played"] == 1
    assert north.ask("play", move=take(1), n=0)["again"]
    north.ask("rematch")
    south.ask("rematch")
    house.settle()
    mover = next(each for each in (north, south) if each.of("turn")[-1].get("moves"))
    assert mover.ask("play", move=take(1), n=0)["played"] == 1


def test_without_a_count_nothing_changes(house):
    north, south = house.table(stones=20)
    reply = north.ask("play", move=take(2))
    assert reply == {"reply": reply["reply"], "ok": True}
    assert north.ask("play", move=take(2))["ok"]  # out of turn, and lost by it
    assert south.of("event")[-1]["event"] in ("SeedRevealed", "GameOver")
