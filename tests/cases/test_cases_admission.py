"""What one address does is counted at all doors together, and refused in the manner of each."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
from attrs import evolve

from gamecore.games.castle import SAMPLE_DECKS
from protocols.testing import KeptJournal
from tests.cases.customs import DOORS, LINES, WAYS
from tests.cases.house import Guest, House

DECK = [*SAMPLE_DECKS["classic"].cards, SAMPLE_DECKS["classic"].castle]
CASTLE = json.dumps({"COMMAND": "JOIN_GAME", "USERNAME": "north", "DECK_DATA": DECK})
ROOM = json.dumps({"COMMAND": "ROOM_CREATE", "GAME_NAME": "ours"})
LOCKED_ROOM = json.dumps({"COMMAND": "ROOM_CREATE", "GAME_NAME": "ours", "PASSWORD": "xyzzy"})
HELLO = '{"name": "north", "order": 0}'
NO_TABLE = SimpleNamespace(code="", rules=SimpleNamespace(kind=None))

# What opens a table, and one with a password where there is a way to, by door and wire.
OPENS = {
    ("nim", "stock"): (HELLO, None),
    ("nim", "lines"): ('{"name": "north", "order": 0, "resume": true}', None),
    ("gops", "frames"): ("START-GAME~1", None),
    ("gops", "lines"): ("START-GAME~1", None),
    ("pass123", "stock"): (None, None),
    ("pass123", "lines"): ("", None),
    ("castle", "original"): (CASTLE, None),
    ("castle", "objects"): (ROOM, LOCKED_ROOM),
    ("castle", "extended"): (ROOM, LOCKED_ROOM),
    ("castle", "words"): ("OPEN", "OPEN password=xyzzy"),
    ("rikiki", "bot"): ("NEW", None),
    ("rikiki", "human"): ("NEW", None),
    ("lobby", "plain"): ("OPEN nim", "OPEN nim password=xyzzy"),
    ("lobby", "telnet"): ("OPEN nim", "OPEN nim password=xyzzy"),
    ("json", "json"): (
        '{"do": "open", "id": 1, "game": "nim"}',
        '{"do": "open", "id": 1, "game": "nim", "house": {"password": "xyzzy"}}',
    ),
    ("web", "pages"): ("POST /open/nim csrf=<csrf> name=north", None),
}
PASSWORDS = [way for way in LINES if OPENS[way.door.kind, way.wire.name][1]]
ours, theirs = "192.0.2.1", "192.0.2.2"


def test_every_wire_is_thought_of():
    assert {(way.door.kind, way.wire.name) for way in LINES} == set(OPENS)


def open_one(house, way, address=ours, locked=False):
    """Let a newcomer open a table; gives its far end, and how many tables were opened by it."""
    before = len(house.hall)
    guest = Guest(house, way, NO_TABLE, 0)
    first = [text for text in way.wire.sit if text.startswith(("NAME", "MODE", "LANG", "SET-"))]
    said = OPENS[way.door.kind, way.wire.name][locked]
    if way.wire.name == "words":
        first = []
    guest.come([*first, said] if said is not None else first, address)
    return guest.peer, len(house.hall) - before


def limit(house, **limits):
    house.host.admission.follow(evolve(house.host.admission.settings, **limits))


def check_refused(way, peer):
    """See that it was said why, in the wire's own manner, and the link is whole where others are not closed."""
    said = peer.got()
    assert b"Traceback" not in said and said, way
    words = b"too many", b"trop de", b"TOO_FAST", b"assez de", b"enough"
    assert any(word.lower() in said.lower() for word in words), said


@pytest.mark.parametrize("way", LINES, ids=str)
def test_tables_are_counted_by_address_at_every_door(way):
    with House() as house:
        limit(house, tables_at_once=1, tables_a_minute=1.0)
        peer, opened = open_one(house, way)
        assert opened == 1, peer.got()
        peer.hang_up()
        house.pass_time(0.1)
        refused, opened = open_one(house, way)
        assert opened == 0
        check_refused(way, refused)
        assert house.host.admission.refused["too-many-tables"] == 1
        other, opened = open_one(house, way, "198.51.100.7")
        assert opened == 1, other.got()


@pytest.mark.parametrize("way", LINES, ids=str)
def test_tables_that_wait_are_counted_by_address_at_every_door(way):
    with House() as house:
        limit(house, tables_waiting=1)
        house.host.open("castle", "", {}, {"private": True}, by=ours)
        refused, opened = open_one(house, way)
        assert opened == 0
        check_refused(way, refused)
        other, opened = open_one(house, way, theirs)
        assert opened == 1, other.got()


@pytest.mark.parametrize("way", [way for way in LINES if way.wire.name != "original"], ids=str)
def test_seats_are_counted_by_address_at_every_door(way):
    with House() as house:
        limit(house, seats_at_once=1, seats_a_minute=1.0)
        table = house.open(way.game)
        house.sit(table, 1, name="elsewhere")
        house.host.admission.spend(ours, "seat")
        guest = Guest(house, way, table, 0)
        guest.come()
        assert house.face_in(table, 0) is None
        check_refused(way, guest.peer)
        assert house.host.admission.refused["too-many-seats"] == 1
        guest.peer.hang_up()
        house.pass_time(0.1)
        other = Guest(house, way, table, 0)
        other.come(address=theirs)
        assert house.face_in(table, 0) is not None, other.peer.got()


@pytest.mark.parametrize("way", PASSWORDS, ids=str)
def test_passwords_are_counted_by_address_at_every_door(way):
    with House() as house:
        limit(house, passwords_at_once=1, passwords_a_minute=1.0)
        house.host.admission.spend(ours, "seal")
        refused, opened = open_one(house, way, locked=True)
        assert opened == 0
        check_refused(way, refused)
        other, opened = open_one(house, way, theirs, locked=True)
        assert opened == 1, other.got()


@pytest.mark.parametrize("kind", DOORS)
def test_links_are_counted_at_all_doors_together(kind):
    with House() as house:
        limit(house, links=2)
        first = house.connect("nim")
        house.connect("lobby")
        refused = house.connect(kind)
        house.pass_time(0.1)
        assert refused.ended
        assert not house.connect(kind, theirs).ended
        first.hang_up()
        assert not house.connect(kind).ended


def test_tables_that_others_joined_or_that_began_count_no_longer():
    with House() as house:
        limit(house, tables_waiting=2)
        tables = [
            house.hall.find(house.host.open("nim", "", {}, {"start": start}, by=ours).code)
            for start in ("asked", "full")
        ]
        lobby = next(way for way in LINES if str(way).endswith("lobby-plain"))
        _, opened = open_one(house, lobby)
        assert opened == 0
        house.sit(tables[0], 0, name="one")
        house.host.seat_bot(tables[0], 1, "a bot", "random")
        house.settle()
        _, opened = open_one(house, lobby)
        assert opened == 0, "a bot is nobody who joined"
        house.sit(tables[1], 0, name="one")
        house.sit(tables[1], 1, name="two")
        _, opened = open_one(house, lobby)
        assert opened == 1


def test_who_comes_back_is_counted_for_no_seat():
    lobby = next(way for way in LINES if str(way).endswith("lobby-plain"))
    with House() as house:
        table = house.open(lobby.game)
        guest = Guest(house, lobby, table, 0)
        guest.come()
        limit(house, seats_at_once=1, seats_a_minute=0.1)
        house.host.admission.spend(ours, "seat")
        for _ in range(5):
            guest.peer.hang_up()
            guest.come(lobby.wire.back)
            assert house.face_in(table, 0) is not None


@pytest.mark.parametrize("way", [way for way in LINES if way.door.kind == "json"], ids=str)
def test_who_comes_and_goes_as_fast_as_possible_is_soon_heard_of_once_a_second(way):
    with House() as house:
        table = house.open(way.game)
        house.sit(table, 1, name="elsewhere")
        watcher = house.watch(table)
        guest = Guest(house, way, table, 0)
        guest.come()
        watcher.heard.clear()
        for _ in range(500):
            guest.peer.say(b'{"do":"leave","id":1}\n')
            guest.peer.say(b'{"do":"join","id":2,"table":"%b"}\n' % table.code.encode())
            house.settle()
            house.clock.advance(0.01)
        assert 20 <= len(watcher.heard) <= 2 * (40 + 6)
        assert b"too-fast" in guest.peer.got()
        other = Guest(house, way, table, 0)
        other.come(address=theirs)
        assert house.face_in(table, 0) is not None, "others come as they like"


def test_whose_link_flaps_is_soon_heard_of_once_a_second():
    lobby = next(way for way in LINES if str(way).endswith("lobby-plain"))
    with House() as house:
        guest, sitters, table = house.begin(lobby, players=2)
        sitters[1].heard.clear()
        token, back = guest.token, b"RETURN " + guest.token.encode() + b"\r\n"
        assert token
        for _ in range(200):
            guest.peer.hang_up()
            guest.peer = house.connect("lobby")
            house.settle()
            guest.peer.say(back)
            house.settle()
        returned = [each for each in sitters[1].heard if type(each).__name__ == "Returned"]
        assert 20 <= len(returned) <= 41
        house.pass_time(2.0)
        guest.peer.say(back)
        house.settle()
        assert house.face_in(table, 0) is not None, "and may come back a moment later"


def bring_class(house, way, tables):
    """Seat two at each table by one wire, all from one address, and let them begin."""
    guests = []
    for table in tables:
        for seat in range(2):
            guest = Guest(house, way, table, seat)
            guest.come([text.replace("north", f"pupil{seat}") for text in way.wire.sit], ours)
            assert guest.token, guest.peer.got()
            guests.append(guest)
        house.start(table)
    return guests


def all_come_back(house, guests, tabs):
    """Let all come back in one instant, each with so many tabs, which ask for a page and follow it."""
    for guest in guests:
        for text in [*guest.way.wire.back, *guest.way.wire.streams] * tabs:
            if guest.way.door.kind == "web" or text == guest.way.wire.back[0]:
                guest.peer = house.connect(guest.way.door.kind, ours)
            guest.peer.say(guest.encoded(text))
    house.settle()


def test_a_class_behind_one_address_has_all_its_seats_again_after_each_restart():
    pages, lobby = (
        next(way for way in WAYS if str(way) == name)
        for name in ("nim-web-pages", "nim-lobby-plain")
    )
    with House(journal=KeptJournal) as house:
        tables = [house.open("nim") for _ in range(35)]
        pupils = bring_class(house, pages, tables[:30])
        terminals = bring_class(house, lobby, tables[30:])
        for _ in range(2):
            house.pass_time(20.0)
            house.restart()
            began = house.clock.seconds()
            all_come_back(house, pupils, 2)
            all_come_back(house, terminals, 1)
            house.pass_time(1.0)
            assert house.clock.seconds() - began < 10
            seated = [house.face_in(table, seat) for table in tables for seat in range(2)]
            assert None not in seated
            assert not house.host.admission.refused
