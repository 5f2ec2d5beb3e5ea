"""Clients of the Nim wire that asked to be able to come back, and those who never heard of it."""

from __future__ import annotations

import gc
import json
from random import Random
from weakref import WeakSet

import pytest

from protocols.nim import wire

LINE = b"\n"
ZEROS = {"init_stones": 0, "init_resets": 0, "game_time": 0, "init_max": 0}


@pytest.fixture
def open_door(nim_door):
    """Give ``open_door(**settings)``; in the end all hang up, and nothing may be left after the grace."""
    doors = []

    def build(**given):
        doors.append(nim_door(**{"stones": 20, "grace": 60, **given}))
        return doors[-1]

    yield build
    for door in doors:
        if not door.host.service.closing:
            leave(door)


def leave(door):
    with door:
        for peer in door.peers:
            peer.hang_up()
        door.pass_time(62)
        assert (len(door.host.service.live), len(door.host.service.dormant)) == (0, 0)


def begin(door, end=LINE):
    """Seat two who can come back, and let their game begin; gives them with their tokens."""
    pair = [door.connect(f"p{order}", order, end, resume=True) for order in (0, 1)]
    door.pass_time(0.1)
    return pair, [peer.objects()[0]["token"] for peer in pair]


def come_back(door, token, end=LINE):
    peer = door.connect(end=end)
    peer.put(token=token)
    door.pass_time(0.2)
    return peer


# The first object


def test_who_asks_to_come_back_is_given_token_and_order_in_the_first_object(open_door):
    door = open_door()
    pair, tokens = begin(door)
    for order, peer in enumerate(pair):
        first = peer.objects()[0]
        assert list(first) == [
            "init_stones",
            "init_resets",
            "game_time",
            "init_max",
            "token",
            "order",
            "your_turn",
        ]
        assert (first["order"], first["init_stones"]) == (order, 20)
        assert first["your_turn"] is (order == 0)
        assert len(peer.objects()) == 1
    assert tokens[0] != tokens[1]


@pytest.mark.parametrize("resume", [False, None, 1, "true", "yes", [], {}])
def test_only_true_asks_for_it(open_door, resume):
    door = open_door()
    peers = [door.connect("p0", 0, LINE, resume=resume), door.connect("p1", 1, LINE)]
    door.settle()
    assert set(peers[0].objects()[0]) == set(ZEROS)
    peers[0].hang_up()
    door.settle()
    assert peers[1].last()["reason"] == "Player p0 disconnected"


@pytest.mark.parametrize("end", [b"", LINE])
@pytest.mark.parametrize("pad", [False, True])
def test_a_stock_client_sees_no_difference_whoever_it_plays_with(open_door, end, pad):
    seen = []
    for more in ({}, {"resume": True}):
        door = open_door(pad=pad)
        stock, other = door.connect("stock", 0, end), door.connect("other", 1, LINE, **more)
        door.pass_time(0.1)
        for mover in (stock, other, stock):
            mover.take(2)
            door.pass_time(0.1)
        other.say(b"nonsense\n")
        door.pass_time(0.1)
        seen.append(stock.writes)
    assert seen[0] == seen[1]
    assert b"token" not in b"".join(data for _, data in seen[0])


def test_nobody_is_sent_the_token_of_another(open_door):
    door = open_door()
    pair, tokens = begin(door)
    back = come_back(door, tokens[0])
    back.take(1)
    door.pass_time(0.1)
    secrets = [token.partition(".")[2].encode() for token in tokens]
    assert secrets[1] not in back.value() and secrets[1] not in pair[0].value()
    assert secrets[0] not in pair[1].value()
    assert pair[0].value().count(secrets[0]) == back.value().count(secrets[0]) == 1


# Coming back


def test_while_waiting_for_another_player_one_comes_back_to_wait(open_door):
    door = open_door()
    waits = door.connect("p0", 0, LINE, resume=True)
    door.settle()
    token = waits.link._token
    waits.hang_up()
    door.pass_time(5)
    back = come_back(door, token)
    assert (back.objects(), back.closed) == ([], False)
    door.connect("p1", 1, LINE)
    door.settle()
    assert [(each["token"], each["order"]) for each in back.objects()] == [(token, 0)]
    back.take(3)
    door.settle()
    assert back.last()["stones_removed"] == 3


@pytest.mark.parametrize("order", [0, 1])
@pytest.mark.parametrize("moves", [0, 1, 2])
def test_in_a_game_one_comes_back_to_the_start_and_the_last_state(open_door, order, moves):
    door = open_door()
    pair, tokens = begin(door)
    for number in range(moves):
        pair[number % 2].take(1)
        door.settle()
    before = pair[order].objects()
    pair[order].hang_up()
    door.pass_time(3)
    back = come_back(door, tokens[order])
    mover = moves % 2
    start = {**before[0], "your_turn": order == mover, "played": (moves + 1 - order) // 2}
    start.update({"resumed": True} if moves else {})
    assert back.objects() == [start, *before[1:][-1:]]
    players = [back if order == each else pair[each] for each in (0, 1)]
    players[mover].take(2, reset=True)
    door.settle()
    assert players[0].last() == players[1].last()
    assert players[0].last()[f"player_{mover}"]["resets_left"] == 3
    assert players[0].last()["stones_left"] == 18 - moves


def test_what_happened_while_one_was_away_is_in_the_state_it_is_shown(open_door):
    door = open_door()
    pair, tokens = begin(door)
    pair[0].take(1)
    door.settle()
    pair[0].hang_up()
    pair[1].take(2)
    door.settle()
    back = come_back(door, tokens[0])
    assert back.last() == pair[1].last()
    assert back.last()["stones_left"] == 17


def test_after_the_end_one_comes_back_to_see_it(open_door):
    door = open_door(stones=3)
    pair, tokens = begin(door)
    pair[1].hang_up()
    pair[0].take(3)
    door.pass_time(1)
    back = come_back(door, tokens[1])
    start, state = back.objects()
    assert start["token"] == tokens[1]
    assert (state["finished"], state["winner"]) == (True, "p0")
    assert back.closed


def test_what_is_said_right_behind_the_token_is_heard(open_door):
    door = open_door(early_moves="keep")
    pair, tokens = begin(door)
    pair[0].hang_up()
    back = door.connect(end=LINE)
    for byte in json.dumps({"token": tokens[0]}).encode() + b'{"num_stones": 3}':
        back.say(bytes([byte]))
    door.pass_time(0.2)
    assert back.last()["stones_removed"] == 3
    assert back.last() == pair[1].last()


def test_a_second_absence_and_a_second_return(open_door):
    door = open_door()
    _, tokens = begin(door)
    for _ in range(5):
        for token in tokens:
            door.peers[-1].hang_up()
            door.pass_time(20)
            assert come_back(door, token).objects()[0]["token"] == token


def test_who_does_not_come_back_in_time_has_lost(open_door):
    door = open_door()
    pair, tokens = begin(door)
    pair[0].hang_up()
    door.pass_time(61)
    assert pair[1].last()["reason"] == "Player p0 did not come back"
    late = come_back(door, tokens[0])
    assert (
        late.last()["reason"]
        == "You were away for too long: your seat was lost by absence, with any game played there"
    )


# For clients that read by single reads


def test_start_and_state_are_a_gap_apart_for_who_reads_by_single_reads(open_door):
    door = open_door()
    pair, tokens = begin(door, end=b"")
    pair[0].take(1)
    door.pass_time(0.2)
    back = come_back(door, tokens[1], end=b"")
    (first, start), (second, state) = back.writes
    assert second - first >= 0.05 - 1e-9
    assert "token" in json.loads(start) and json.loads(state)["stones_left"] == 19


def test_padded_objects_fill_one_read_each(open_door):
    door = open_door(pad=True)
    pair, tokens = begin(door, end=b"")
    pair[0].take(1)
    door.settle()
    back = come_back(door, tokens[1], end=b"")
    assert [len(data) for _, data in back.writes] == [1024, 1024]
    assert len(pair[0].writes[0][1]) == 1024
    refused = come_back(door, "nonsense", end=b"")
    assert [len(data) for _, data in refused.writes] == [1024, 1024]


# Taking over, and being refused


def test_the_older_link_is_told_that_it_was_taken_over_and_closed(open_door):
    door = open_door()
    pair, tokens = begin(door)
    back = come_back(door, tokens[0])
    last = pair[0].last()
    assert (last["finished"], last["winner"]) == (True, "")
    assert last["reason"] == "You came back by another connection"
    assert pair[0].closed and not back.closed and not pair[1].closed
    pair[0].hang_up()
    back.take(1)
    door.settle()
    assert back.last() == pair[1].last()
    assert back.last()["stones_left"] == 19


@pytest.mark.parametrize("token", ["", "x", "ABCDE.00", "\ud800", "\0", "x" * 900])
def test_an_unknown_token_is_refused_politely(open_door, token):
    door = open_door()
    pair, _ = begin(door)
    stranger = come_back(door, token, end=b"")
    (first, start), (second, state) = stranger.writes
    assert json.loads(start) == ZEROS
    assert second - first >= 0.05 - 1e-9
    state = json.loads(state)
    assert state["finished"] is True
    assert state["reason"] == "Nobody is known by that token; the game may be over"
    assert not stranger.closed  # a stock client may look at it for a while
    door.pass_time(31)
    assert stranger.closed
    assert [len(peer.objects()) for peer in pair] == [1, 1]


@pytest.mark.parametrize("token", [None, 1, True, [], {}])
def test_a_token_that_is_no_text_is_no_hello(open_door, token):
    door = open_door()
    peer = come_back(door, token)
    assert peer.last() == {"finished": True, "reason": "hello needs a name that is text"}
    assert peer.closed


def test_a_token_that_is_no_text_is_passed_over_in_any_other_hello():
    hello = wire.parse_hello(b'{"name": "north", "order": 0, "token": 1}')
    assert hello == wire.Hello("north", 0, None)


def test_a_table_that_was_given_up_leaves_nobody_without_an_answer(open_door):
    door = open_door(expiry=100)
    waits = door.connect("p0", 0, LINE, resume=True)
    door.settle()
    token = waits.link._token
    door.pass_time(101)
    assert waits.last()["finished"] is True
    back = come_back(door, token)
    assert back.last()["finished"] is True and back.closed


# The end of the daemon


@pytest.mark.parametrize("end", [b"", LINE])
def test_when_the_daemon_closes_they_are_told_that_the_game_goes_on(open_door, end):
    door = open_door()
    (north, south), _ = begin(door, end)
    stock = [door.connect(f"s{order}", order, end) for order in (0, 1)]
    door.pass_time(0.1)
    waits = door.connect("waits", 0, end, resume=True)
    door.pass_time(0.1)
    ended = []
    door.host.close().addCallback(ended.append)
    door.pass_time(1)
    assert ended == [None]
    closing = {"closing": True, "reason": "The server is closing"}
    assert [peer.last() for peer in (north, south, waits)] == [closing] * 3
    for peer in stock:
        assert peer.last()["finished"] is True and "closing" not in peer.last()
    door.factory.dismiss_all("closing")
    assert all(peer.objects().count(closing) == 1 for peer in (north, south, waits))
    door.pass_time(31)
    assert all(peer.closed for peer in door.peers)


def test_one_who_is_just_coming_back_is_told_the_same(open_door):
    door = open_door()
    pair, tokens = begin(door)
    pair[0].hang_up()
    door.settle()
    door.host.close()
    back = come_back(door, tokens[0])
    assert back.objects() == [{"closing": True, "reason": "The server is closing"}]


# Memory


def test_nothing_is_left_of_many_games_with_absences(open_door):
    door, chance = open_door(stones=6), Random(2)
    links = WeakSet()
    for _ in range(200):
        pair, tokens = begin(door)
        for number in range(chance.randrange(6)):
            match chance.randrange(3):
                case 0:
                    pair[number % 2].hang_up()
                    if chance.randrange(2):
                        pair[number % 2] = come_back(door, tokens[number % 2])
                case _:
                    if pair[number % 2].link.connected:
                        pair[number % 2].take(chance.randint(1, 4))
                        door.settle()
        links.update(peer.link for peer in door.peers)
        for peer in door.peers:
            peer.hang_up()
        door.peers.clear()
        door.pass_time(1)
    door.pass_time(62)
    del pair, peer
    gc.collect()
    assert list(links) == []
    assert (len(door.hall), len(door.host.service.live), len(door.host.service.dormant)) == (
        0,
        0,
        0,
    )
    assert (door.journal._lines, door.clock.getDelayedCalls()) == ({}, [])
