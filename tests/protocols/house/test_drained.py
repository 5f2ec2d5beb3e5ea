"""A daemon of a house that was asked to end: who waits there is told, and goes on at another."""

from __future__ import annotations

import pytest

from gamecore.game import Stage
from gamecore.rules import sample
from protocols.testing.ear import Ear
from tests.protocols.host.test_house_of_two import BY_CODE, BY_TOKEN, Way
from tests.protocols.house.test_newcomers import come, tables_of

SENTENCE = "This server is about to end: games go on, but none begins here any more."
IN_WORDS = SENTENCE, "leave and come again by the same address", "Your seat is kept"
TOLD = {
    "a lobby": IN_WORDS,
    "a lobby, to look on": IN_WORDS[:2],
    "JSON lines": ('{"draining":true,"says":"This server is about to end',),
    "JSON lines, to look on": ('{"draining":true,"says":"This server is about to end',),
    "Nim": ('"stones_left": 0', "The server is about to close; please try again in a moment"),
    "GOPS": ("INFO~The server is about to close; please try again in a moment", "END-GAME~"),
    "GOPS, to look on": ("INFO~The server is about to close",),
    "1-2-3 Pass": ("The server is about to close, please try again in a moment",),
    "Castle Wars": ("This server is about to end",),
    "Castle Wars in words": IN_WORDS,
    "Rikiki": ("BYE draining This server is about to end",),
    "Rikiki, to look on": ("BYE draining This server is about to end",),
}
STAYING = ("a lobby", "JSON lines", "Castle Wars in words")
WAYS = {
    **{name: way for name, way in BY_CODE.items() if name != "a page"},
    "1-2-3 Pass": Way("pass123", ("x\n",), "", "", "pass123"),
    "Castle Wars in words": Way("castle", ("NAME kim\n", "JOIN <code>\n"), "", "", "castle"),
}


@pytest.fixture
def two(linked):
    return linked(2)


def drain(two):
    """Ask the first daemon to end, as a ``Parlour`` hears of it."""
    house = two.houses[0]
    house.host.service.drain()
    for factory in house.factories.values():
        factory.drain(linked=True)
    two.pass_time(2)


def end(two):
    """Let the first daemon end."""
    house = two.houses[0]
    house.host.close()
    for factory in house.factories.values():
        factory.dismiss_all("closing")
    two.pass_time(1)
    two.linked[0].stop()
    two.wires.kill("a")
    two.pass_time(1)


def waiting(two, name):
    """Let somebody come by a door of the first daemon to a table that waits; gives the table and the peer."""
    way = WAYS[name]
    table = two.houses[0].open(way.game, None, start="asked")
    two.houses[0].sit(table, 0)
    peer = two.houses[0].connect(way.door, table=table)
    two.pass_time(1)
    for each in way.said(table.code, "none.at-all"):
        peer.say(each)
        two.pass_time(1)
    assert peer.face.place is not None and peer.face.place.code == table.code, peer.got()
    peer.forget()
    return table, peer


@pytest.mark.parametrize("name", WAYS)
def test_who_waits_for_a_game_is_told_what_will_be_and_what_can_be_done(two, name):
    """Whoever has no word for it on their wire is let go, as one who comes then; the others are told once."""
    table, peer = waiting(two, name)
    drain(two)
    told = " ".join(peer.got().decode().split())
    assert all(told.count(words) == 1 for words in TOLD[name]), told
    assert (peer.face.place is not None) is name.startswith(STAYING)
    peer.forget()
    two.pass_time(1)
    assert peer.got() == b""
    end(two)
    if name.startswith(STAYING):
        assert "This server is closing. What was played is kept" in peer.got().decode()
    assert table.code not in two.houses[0].hall or peer.closed


def test_who_is_idle_in_a_lobby_is_told_in_their_language_and_so_is_who_comes_then(two):
    lobby = two.say(0, "lobby", b"LANGUAGE fr\r\n")
    lobby.forget()
    drain(two)
    assert "Ce serveur va s'arr\u00eater" in lobby.got().decode()
    assert SENTENCE in two.say(0, "lobby").got().decode()
    assert SENTENCE not in two.say(1, "lobby").got().decode()


@pytest.mark.parametrize("name", WAYS)
def test_who_plays_is_not_put_out(two, name):
    table, peer = waiting(two, name)
    while len(table.seated()) < table.rules.seats[0]:
        two.houses[0].sit(table)
    two.houses[0].start(table)
    assert table.stage is Stage.PLAYING
    place = peer.face.place
    drain(two)
    assert peer.face.place is place and not peer.closed


@pytest.mark.parametrize("far", [False, True], ids=["all at one", "one at each"])
@pytest.mark.parametrize("name", BY_TOKEN)
def test_a_token_brings_a_player_back_at_the_other_daemon_once_the_first_has_ended(two, name, far):
    way = BY_TOKEN[name]
    table = two.houses[0].open(way.game, None, start="asked", grace=60)
    ear = two.houses[0].sit(table, 0)
    for seat in range(1, max(2, table.rules.seats[0])):
        other = Ear()
        two.ears.append(other)
        host, brought = two.houses[int(far)].host, sample(table.rules)
        host.sit(other, table.code, seat, f"p{seat}", "sat", True, brought)
        two.pass_time(1)
    two.houses[0].start(table)
    drain(two)
    assert table.stage is Stage.PLAYING
    before = table.sequence
    seen = table.seen_by(0, 0.0).board
    end(two)
    peer = two.say(1, way.door, *way.said(table.code, ear.token))
    live = two.live(1, table.code)
    assert live is not None and live.owner is None
    assert live.table.stage is Stage.PLAYING and live.table.sequence > before
    assert live.table.seen_by(0, 0.0).board == seen
    if way.door == "web":
        assert peer.got().startswith(b"HTTP/1.1 200")
    else:
        assert peer.face.place.player is live.table.player(0), peer.got()


def test_a_table_that_waits_goes_with_who_waits_there_to_the_other_daemon_and_begins(two):
    table = two.houses[0].open("nim", None, start="full", grace=60)
    first = two.say(0, "json", b'{"do":"join","id":1,"table":"%s"}\n' % table.code.encode())
    token = first.got().decode().partition('"token":"')[2].partition('"')[0]
    drain(two)
    first.hang_up()
    two.pass_time(1)
    two.say(1, "json", b'{"do":"return","id":1,"token":"%s"}\n' % token.encode())
    assert two.live(1, table.code).owner is None
    two.sit(1, table.code, "bob")
    assert two.live(1, table.code).table.stage is Stage.PLAYING


def test_nobody_is_led_to_a_daemon_that_drains_or_offered_a_table_there(two):
    waiting = come(two, 0)
    two.pass_time(2)
    drain(two)
    refused = come(two, 0, kind="gops", name="cat")
    two.pass_time(1)
    assert refused.answers == [("match", "draining")]
    others = [come(two, 1, name="bob"), come(two, 1, name="eve")]
    gops = [come(two, 1, kind="gops", name=name) for name in ("dan", "fay")]
    two.pass_time(1)
    assert [each.answers for each in (*others, *gops)] == [[("match", None)]] * 4
    assert set(tables_of(others).values()) == set(tables_of(gops).values()) == {2}
    assert waiting.place.code not in tables_of(others)


def test_a_bug_that_one_link_meets_keeps_it_from_no_other(two, logged_failures):
    lobbies = [two.say(0, "lobby") for _ in range(3)]
    for link in two.houses[0].factories["lobby", None].links:
        if link is lobbies[1].link:
            link.begins_no_more = lambda: 1 / 0
    drain(two)
    told = [SENTENCE in each.got().decode() for each in lobbies]
    assert told == [True, False, True]
    assert [failure.type for failure in logged_failures] == [ZeroDivisionError]
    logged_failures.clear()
