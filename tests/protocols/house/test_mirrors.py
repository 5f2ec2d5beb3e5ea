"""A table that one daemon has awake is played at, and looked on, from others; and what they hear is the same."""

from __future__ import annotations

import pytest

from gamecore import commands
from gamecore.player import Presence
from protocols.host import table_actions
from tests.protocols.house.conftest import ONE

# -- one table, two daemons -------------------------------------------------------------


def test_two_play_at_two_daemons_and_hear_the_same_in_the_same_order(two):
    table = two.nim()
    ann, bob = two.sit(0, table.code, "ann"), two.sit(1, table.code, "bob")
    watcher = two.watch(1, table.code)
    assert bob.answers == [("sat", None)] and bob.token
    for each in (ann, bob, watcher):
        each.heard.clear()
    for turn in range(8):
        two.play(turn % 2, (ann, bob)[turn % 2], ONE, turn)
    news = [[each for each in ear.heard if each not in ear.answers] for ear in (ann, bob, watcher)]
    assert news[0] == news[1] == news[2] and len(news[0]) == 8
    assert ann.answers == [(turn, None) for turn in range(0, 8, 2)]
    assert bob.answers == [(turn, None) for turn in range(1, 8, 2)]
    # Whoever asked is answered behind what all were told.
    assert bob.heard[-1] == (7, None)
    two.agree(table.code)


def test_what_the_rules_refuse_is_refused_at_a_mirror_with_the_same_key_and_facts(two):
    table = two.nim()
    ann, bob = two.sit(0, table.code, "ann"), two.sit(1, table.code, "bob")
    for number, ear in ((0, ann), (1, bob)):
        two.houses[number].host.request(ear, table_actions.replace(0, "none"), "no")
        two.houses[number].host.request(ear, table_actions.rematch, "again")
    two.pass_time(1)
    assert (
        ann.answers[1:] == bob.answers[1:] == [("no", "no-such-level"), ("again", "game-not-over")]
    )
    taken = two.sit(1, table.code, "ann")
    assert taken.answers == [("sat", "game-began")] and taken.place is None


def test_a_seat_that_two_want_at_once_is_one_of_theirs(three):
    table = three.nim()
    three.sit(0, table.code, "ann")
    ears = [three.ask_to_sit(number, table.code, f"guest {number}", 1) for number in (1, 2)]
    three.pass_time(1)
    assert sorted(str(each.answers[0][1]) for each in ears) in (
        ["None", "game-began"],
        ["None", "seat-taken"],
        ["None", "not-now"],
    )
    assert sum(each.place is not None for each in ears) == 1
    three.agree(table.code)


def test_who_has_gone_before_the_answer_has_left_the_seat(two):
    table = two.nim()
    two.sit(0, table.code, "ann")
    two.watch(1, table.code)
    bob = two.ask_to_sit(1, table.code, "bob")
    two.houses[1].host.drop(bob)
    two.pass_time(1)
    assert bob.place is None
    assert table.presence(1) in (Presence.AWAY, Presence.GONE)
    two.agree(table.code)


def test_a_mirror_that_nobody_looks_at_is_let_go_and_the_owner_hears_so(two):
    table = two.nim()
    two.sit(0, table.code, "ann")
    watcher = two.watch(1, table.code)
    live = two.live(0, table.code)
    assert list(live.mirrors) == [2]
    two.houses[1].host.leave(watcher)
    two.pass_time(1)
    assert table.code not in two.houses[1].hall and not live.mirrors
    assert table.code in two.houses[1].host.directory
    two.watch(1, table.code)
    two.agree(table.code)


def test_a_rematch_turns_seats_while_a_move_is_on_its_way(two):
    table = two.nim(stones=2)
    ann, bob = two.sit(0, table.code, "ann"), two.sit(1, table.code, "bob")
    two.play(0, ann, ONE)
    two.play(1, bob, ONE)
    two.houses[0].host.request(ann, table_actions.rematch)
    two.clock.settle()
    two.pass_time(1)
    number = table.number
    two.houses[0].host.request(ann, table_actions.rematch)
    two.houses[1].host.submit(bob, ONE, "late")
    two.houses[1].host.request(bob, table_actions.rematch, "again")
    two.pass_time(1)
    assert table.number == number and bob.answers[-2][0] == "late"
    two.agree(table.code)


def test_what_is_asked_in_a_game_that_is_over_meanwhile_is_asked_for_the_same_player(two):
    """The move is refused, since it was of the game before; the parting is of whoever has left."""
    table = two.nim(stones=2)
    ann, bob = two.sit(0, table.code, "ann"), two.sit(1, table.code, "bob")
    two.play(0, ann, ONE)
    two.play(1, bob, ONE)
    two.houses[0].host.command(None, table, commands.Rematch("ab" * 32, (1, 0)))
    two.houses[1].host.submit(bob, ONE, "late")
    two.houses[1].host.leave(bob)
    two.pass_time(1)
    assert bob.answers[-1] == ("late", "not-now") or bob.answers[-1][1] is not None
    assert [core.name for core in table.seated().values()] == ["ann"]
    two.agree(table.code)


# -- tokens -----------------------------------------------------------------------------


@pytest.mark.parametrize(("before", "after"), [(0, 1), (1, 0), (1, 2), (2, 1), (1, 1)])
def test_who_shows_a_token_is_held_there_alone(three, before, after):
    table = three.nim()
    three.sit(before, table.code, "ann")
    ann = three.ears[-1]
    bob = three.sit(0, table.code, "bob")
    again = three.come_back(after, ann.token)
    assert again.answers == [("back", None)] and again.place.player.name == "ann"
    assert ann.heard[-1] == "taken-over" and ann.place is None
    assert table.presence(again.place.seat) is Presence.HERE
    for number, house in enumerate(three.houses):
        live = three.live(number, table.code)
        names = [face.place.player.name for face in live.holders] if live else []
        assert ("ann" in names) is (number == after), house
    three.play(after, again, ONE, "mine")
    assert again.answers[-1][0] == "mine" and bob.place is not None
    three.agree(table.code)


@pytest.mark.parametrize("after", [0, 2])
def test_a_move_that_comes_behind_one_made_elsewhere_since_is_not_made(three, after):
    """It was on its way when its player came back by another daemon, and moved there."""
    table = three.nim()
    bob, ann = three.sit(0, table.code, "bob", 1), three.sit(1, table.code, "ann", 0)
    mirror = three.live(1, table.code).owner
    held, say = [], mirror.say
    mirror.say = lambda *asked: held.append(asked)
    three.houses[1].host.submit(ann, ONE, "late")
    three.pass_time(1)
    again = three.come_back(after, ann.token)
    three.play(after, again, ONE, "mine")
    three.play(0, bob, ONE)  # so that it is ann's turn again
    for asked in held:
        say(*asked)
    three.pass_time(1)
    assert again.answers[-1] == ("mine", None)
    assert table.player(again.place.seat).played == 1
    three.agree(table.code)


@pytest.mark.parametrize("after", [0, 2])
def test_a_move_on_its_way_is_not_made_once_its_player_has_come_back_elsewhere_and_gone(
    three, after
):
    """They were told that it is not made, and may make another when they come again."""
    table = three.nim()
    three.sit(0, table.code, "bob", 1)
    ann = three.sit(1, table.code, "ann", 0)
    mirror = three.live(1, table.code).owner
    held, say = [], mirror.say
    mirror.say = lambda *asked: held.append(asked)
    three.houses[1].host.submit(ann, ONE, "late")
    three.pass_time(1)
    again = three.come_back(after, ann.token)
    assert again.views[-1].played == 0
    three.houses[after].host.drop(again)
    three.pass_time(1)
    for asked in held:
        say(*asked)
    three.pass_time(1)
    assert three.come_back(0, ann.token).views[-1].played == 0
    three.agree(table.code)


@pytest.mark.parametrize("back", [1, 2], ids=["where it was lost", "elsewhere"])
def test_who_comes_back_as_the_link_is_lost_is_here_again(three, back):
    table = three.nim()
    ann, bob = three.sit(1, table.code, "ann"), three.sit(0, table.code, "bob")
    assert ann.place is not None and bob.place is not None
    three.houses[1].host.drop(ann)
    again = three.ask_back(back, ann.token)
    three.pass_time(1)
    assert again.answers == [("back", None)] and table.presence(0) is Presence.HERE
    three.agree(table.code)


# -- an organizer -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("organizes", "plays", "owner_goes"),
    [(1, 0, False), (1, 2, False), (0, 1, False), (1, 1, False), (1, 2, True)],
)
def test_an_organizer_begins_the_next_round_for_players_at_other_daemons(
    three, organizes, plays, owner_goes
):
    options = {"players": 2, "first": 2}
    code = three.houses[0].host.open("rikiki", "", options, {}, "ab" * 16).code
    three.clock.settle()
    players = [three.sit(plays, code, name) for name in ("ann", "bob")]
    organizer = three.come_back(organizes, f"{code}.{'ab' * 16}")
    table = three.live(plays, code).table
    while table.stage.value == "playing":
        (seat,) = table.awaited()
        three.play(plays, players[seat], table.legal_moves(seat)[0])
    assert table.stage.value == "between-rounds"
    host = three.houses[organizes].host
    if owner_goes:
        three.kill(0)
    host.request(organizer, table_actions.next_round, "next")
    three.pass_time(2)
    assert organizer.answers[-1] == ("next", None)
    assert three.live(organizes, code).table.stage.value == "playing"
    three.agree(code)


# -- bots -------------------------------------------------------------------------------


def test_a_bot_plays_where_the_table_is_and_is_seated_from_anywhere(two):
    table = two.nim(stones=30)
    two.sit(0, table.code, "ann")
    watcher = two.watch(1, table.code)
    two.houses[0].host.seat_bot(table, 1, "robot", "random")
    two.pass_time(5)
    two.play(0, two.ears[0], ONE)
    two.pass_time(5)
    assert table.awaited() == {0} and not two.live(1, table.code).bots
    assert len(two.live(0, table.code).bots) == 1 and watcher.place is not None
    two.agree(table.code)


# -- moves that say their count ---------------------------------------------------------


@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_move_that_is_sent_again_by_who_comes_back_elsewhere_is_done_once(three, after):
    """The first is still on its way as the second link comes."""
    table = three.nim()
    three.sit(0, table.code, "ann")
    bob = three.sit(1, table.code, "bob")
    three.watch(2, table.code)
    three.play(0, three.ears[0], ONE)
    three.houses[1].host.submit(bob, ONE, "first")
    again = three.ask_back(after, bob.token)
    three.pass_time(1)
    assert again.answers == [("back", None)]
    played = again.place.player.played
    assert again.views[-1].board.board.left == 50 - 1 - played
    if not played:
        three.play(after, again, ONE, "again")
    assert again.place.player.played == 1 and table.awaited() == {0}
    three.agree(table.code)


def test_a_move_that_a_program_sends_twice_is_done_once(two):
    table = two.nim()
    ann, bob = two.sit(0, table.code, "ann"), two.sit(1, table.code, "bob")
    token = bob.token
    two.play(0, ann, ONE)
    peer = two.say(1, "json", b'{"do": "return", "id": 1, "token": "%s"}\n' % token.encode())
    move = (
        b'{"do": "play", "id": %d, "n": 0, "move": {"is": "Take", "stones": 1, "reset": false}}\n'
    )
    peer.say(move % 2 + move % 3 + b'{"do": "look", "id": 4}\n')
    two.pass_time(1)
    said = peer.got().decode()
    assert '"reply":2,"ok":true,"played":1' in said and '"again":true' in said, said
    assert said.index('"reply":3') < said.index('"reply":4')
    assert table.seated()[1].played == 1
    two.agree(table.code)


# -- a table that sleeps ----------------------------------------------------------------


def asleep(two):
    """Have a table with two tokens rest, and somebody look on at it at the first daemon; gives it and a token."""
    table = two.nim()
    ann, bob = two.sit(0, table.code, "ann"), two.sit(0, table.code, "bob")
    for each in (ann, bob):
        two.houses[0].host.drop(each)
    two.houses[0].host.close()
    two.pass_time(1)
    two.kill(0)
    return table.code, bob.token


def test_who_only_looks_on_at_a_table_that_sleeps_elsewhere_starts_no_clock(three):
    code, token = asleep(three)
    lines = three.houses[0].journal._lines[code]
    three.watch(1, code)
    count = len(lines)
    watcher = three.watch(2, code)
    three.pass_time(5)
    assert len(lines) == count
    assert [each.presence for each in watcher.views[-1].seats] == [Presence.AWAY] * 2
    again = three.come_back(2, token)
    assert again.answers == [("back", None)]
    assert [seat for seat, core in three.live(2, code).table.seated().items() if core.name == "bob"]
    assert again.views[-1].seats[1].presence is Presence.HERE
    three.agree(code)
