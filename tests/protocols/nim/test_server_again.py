"""Moves sent again on the Nim wire: those that count are played once."""

from __future__ import annotations

import pytest

from gamecore.commands import Play
from gamecore.games.nim import Take

LINE = b"\n"


@pytest.fixture
def game(nim_door):
    """Give a door where two who can come back have begun, them, and their tokens."""
    door = nim_door(stones=20, grace=60)
    pair = [door.connect(f"p{order}", order, LINE, resume=True) for order in (0, 1)]
    door.pass_time(0.1)
    return door, pair, [peer.objects()[0]["token"] for peer in pair]


def states(peer):
    return [each for each in peer.objects() if "finished" in each]


def test_a_move_twice_in_one_write_is_played_once(game):
    door, (north, south), _ = game
    north.say(b'{"num_stones": 2, "reset": false, "n": 0}\n' * 2)
    door.pass_time(0.1)
    assert [(each["stones_left"], each["finished"]) for each in states(north)] == [(18, False)]
    south.say(b'{"num_stones": 1, "reset": false, "n": 0}\n')
    north.say(b'{"num_stones": 2, "reset": false, "n": 0}\n{"num_stones": 3, "n": 1}\n')
    door.pass_time(0.1)
    assert [each["stones_left"] for each in states(south)] == [18, 17, 14]
    assert not states(south)[-1]["finished"]


def test_a_move_sent_again_after_coming_back_is_passed_over(game):
    door, (north, south), (token, _) = game
    north.say(b'{"num_stones": 2, "reset": false, "n": 0}\n')
    north.hang_up()
    door.pass_time(0.1)
    back = door.connect(end=LINE)
    back.put(token=token)
    back.say(b'{"num_stones": 2, "reset": false, "n": 0}\n')
    door.pass_time(0.2)
    start = back.objects()[0]
    assert (start["resumed"], start["your_turn"], start["played"]) == (True, False, 1)
    assert [each["finished"] for each in states(south)] == [False]


def test_a_move_that_counts_ahead_is_refused_and_changes_nothing(game):
    door, (north, south), _ = game
    for wrong in (b"1", b"-1", b"true", b"1.5", b'"0"', b"[]"):
        north.say(b'{"num_stones": 2, "reset": false, "n": %s}\n' % wrong)
        door.pass_time(0.1)
        assert north.objects()[-1] == {"refused": "wrong-count", "played": 0}
    assert states(south) == []
    north.say(b'{"num_stones": 2, "reset": false, "n": 0}\n')
    door.pass_time(0.1)
    assert states(south)[-1]["stones_left"] == 18


def test_who_did_not_ask_to_come_back_is_heard_as_ever(nim_door):
    door = nim_door(stones=20)
    north, south = door.connect("a", 0, LINE), door.connect("b", 1, LINE)
    door.pass_time(0.1)
    north.say(b'{"num_stones": 2, "reset": false, "n": 7}\n')
    door.pass_time(0.1)
    assert states(south)[-1]["stones_left"] == 18
    north.say(b'{"num_stones": 2, "reset": false, "n": 0}\n')
    door.pass_time(0.1)
    assert states(south)[-1]["reason"] == "Player a moved out of turn"


def test_who_comes_back_is_told_of_as_many_moves_as_the_state_shows(game):
    door, (north, south), (token, _) = game
    north.say(b'{"num_stones": 2, "reset": false, "n": 0}\n')
    south.say(b'{"num_stones": 1, "reset": false, "n": 0}\n')
    door.pass_time(0.1)
    north.hang_up()
    door.pass_time(0.1)
    back = door.connect(end=LINE)
    back.put(token=token)
    live = door.host.service.live.find(token.partition(".")[0])
    assert back.objects() == [], "the table was looked at, and is yet to be shown"
    door.host.command(None, live.table, Play(0, Take(3, False)))  # which was on its way
    door.pass_time(0.2)
    start, *shown = back.objects()
    assert (start["your_turn"], start["played"]) == (True, 1)
    assert [each["stones_left"] for each in shown] == [17, 14]
