"""What a seat may not know changes not one byte of what it is told."""

from __future__ import annotations

import pytest


@pytest.fixture
def dealt(json_hall, high):
    """Deal High Card to three, with a watcher; the same deal each time."""

    def play(which):
        with json_hall(high.HighRules()) as house:
            players = house.table("high", 3, "asked", {"word": "charm"})
            watcher = house.connect()
            watcher.ask("watch", table=players[0].of("token")[0]["table"])
            everybody = [*players, watcher]
            for each in everybody:
                each.before = each.news()
            move = players[1].before and which(players[1].before)
            players[1].ask("play", move=move)
            watcher.ask("look")
            players[0].ask("look")
            return [each.before for each in everybody], [each.value() for each in everybody]

    return play


def moves(told):
    return [each for each in told if "turn" in each][-1]["moves"]


def test_a_card_laid_face_down_changes_no_byte_for_the_others(dealt):
    before, low = dealt(lambda told: moves(told)[0])
    again, high = dealt(lambda told: moves(told)[-1])
    assert before == again
    for seat in (0, 2, 3):
        assert low[seat] == high[seat] != b""
    assert low[1] != high[1]


def test_each_seat_is_told_of_its_own_hand_alone(dealt):
    before, after = dealt(lambda told: moves(told)[0])
    for seat in range(3):
        hands = [each for each in before[seat] if each.get("event") == "Hand"]
        assert [each["seat"] for each in hands] == [seat]
    assert not [each for each in before[3] if each.get("event") == "Hand"]
    watched = [each for each in before[3] if "view" in each][-1]["view"]
    assert (watched["seat"], watched["board"]["hand"], watched["board"]["own"]) == (None, [], None)
    assert b"LaidOwn" in after[1]
    assert not any(b"LaidOwn" in after[seat] for seat in (0, 2, 3))


def test_a_token_is_told_to_its_owner_once_and_to_nobody_else(json_hall):
    with json_hall() as house:
        north, south = house.table(stones=9)
        token = north.of("token")[0]["token"].encode()
        assert north.value().count(token) == 1
        south.ask("look")
        south.ask("who")
        assert token not in south.value()
