"""While a password is sealed, in another thread: who hangs up leaves no table, what is said keeps its turn."""

from __future__ import annotations

import json
from collections import deque

import pytest
from attrs import frozen
from twisted.internet.defer import Deferred, maybeDeferred

from gamecore.games.castle import SAMPLE_DECKS
from protocols.castle.rooms import CastleDoorSettings
from protocols.host.door import read_defaults
from tests.cases.customs import DOORS, GAMES
from tests.cases.house import House

DECK = [*SAMPLE_DECKS["classic"].cards, SAMPLE_DECKS["classic"].castle]


def json_line(**fields):
    return json.dumps(fields).encode() + b"\n"


@frozen
class Opening:
    """A way to open a table with a password: what is said, what is said behind it, and how both are answered."""

    name: str
    door: str
    says: bytes
    behind: bytes
    answered: bytes
    answered_behind: bytes

    def __str__(self):
        return self.name


OPENINGS = [
    Opening(
        "lobby-open", "lobby", b"OPEN gops password=xyzzy\r\n", b"WHO\r\n", b"[gops ", b"(you)"
    ),
    Opening("lobby-play", "lobby", b"PLAY nim password=xyzzy\r\n", b"WHO\r\n", b"[nim ", b"(you)"),
    Opening(
        "castle-words", "castle", b"OPEN password=house\r\n", b"WHO\r\n", b"[castle ", b"(you)"
    ),
    Opening(
        "json",
        "json",
        json_line(do="open", id="first", game="rikiki", house={"password": "xyzzy"}),
        json_line(do="games", id="second"),
        b'{"reply":"first","ok":true',
        b'{"reply":"second","ok":true',
    ),
    Opening(
        "castle-room",
        "castle",
        json_line(COMMAND="ROOM_CREATE", PASSWORD="xyzzy"),
        json_line(COMMAND="ROOM_LIST"),
        b"ROOM_CREATE_RESP",
        b"ROOM_LIST_RESP",
    ),
    Opening(
        "castle-solo",
        "castle",
        json_line(COMMAND="JOIN_GAME", USERNAME="red", SOLO=True, PASSWORD="xyzzy"),
        json_line(COMMAND="ROOM_LIST"),
        b"JOIN_GAME_RESP",
        b"ROOM_LIST_RESP",
    ),
    Opening(
        "castle-shared",
        "castle",
        json_line(
            COMMAND="JOIN_GAME", USERNAME="red", EXTENSIONS=True, DECK_DATA=DECK, PASSWORD="house"
        ),
        json_line(COMMAND="ROOM_LIST"),
        b"JOIN_GAME_RESP",
        b"ROOM_LIST_RESP",
    ),
]


class SlowThreads:
    """Does what is given to a thread when it is told to, in order."""

    def __init__(self):
        self.waiting = deque()

    def __call__(self, work, *what):
        done = Deferred()
        self.waiting.append((done, work, what))
        return done

    def finish(self):
        while self.waiting:
            done, work, what = self.waiting.popleft()
            if not done.called:
                maybeDeferred(work, *what).chainDeferred(done)


@pytest.fixture
def threads():
    return SlowThreads()


@pytest.fixture
def house(threads):
    with House(in_thread=threads) as house:
        door = DOORS["castle"]
        given = read_defaults(GAMES["castle"], door, {"room_password": "house"})
        assert isinstance(given.door, CastleDoorSettings)
        house.factories["castle", None] = door.build(house.host, given)
        yield house
        threads.finish()


def come(house, opening):
    """Connect, and be one who speaks words where these are words."""
    peer = house.connect(opening.door)
    if not opening.says.startswith(b"{"):
        peer.say(b"NAME ann\r\n")
    house.pass_time(1)
    peer.forget()
    return peer


def begin(house, opening):
    peer = come(house, opening)
    peer.say(opening.says)
    house.settle()
    return peer


@pytest.mark.parametrize("opening", OPENINGS, ids=str)
def test_who_has_gone_leaves_no_table_behind(house, threads, opening):
    peer = begin(house, opening)
    assert len(threads.waiting) == 1 and not len(house.hall)
    peer.hang_up()
    threads.finish()
    house.settle()
    assert not len(house.hall)
    again = begin(house, opening)
    threads.finish()
    house.pass_time(1)
    threads.finish()  # what the door asks for is what the table does
    house.pass_time(1)
    assert opening.answered in again.got() and len(house.hall) == 1


@pytest.mark.parametrize("opening", OPENINGS, ids=str)
@pytest.mark.parametrize("at_once", [True, False])
def test_what_is_said_meanwhile_is_answered_after_it(house, threads, opening, at_once):
    if at_once:
        peer = come(house, opening)
        peer.say(opening.says + opening.behind)
    else:
        peer = begin(house, opening)
        peer.say(opening.behind)
    house.pass_time(1)
    assert peer.got() == b"", "nothing is answered out of turn"
    for _ in range(3):
        threads.finish()
        house.pass_time(1)
    got = peer.got()
    assert 0 <= got.find(opening.answered) < got.find(opening.answered_behind), got


@pytest.mark.parametrize("opening", OPENINGS, ids=str)
def test_what_comes_of_it_can_be_left_at_once(house, threads, opening):
    """Whoever leaves as soon as the table is there has no seat at it, and it does not wait for anybody for ever."""
    peer = begin(house, opening)
    threads.finish()
    house.settle()
    peer.hang_up()
    threads.finish()
    house.pass_time(7200)
    assert not len(house.hall)


def test_two_who_know_the_word_of_the_house_meet_though_it_is_sealed_for_both(house, threads):
    (opening,) = (each for each in OPENINGS if each.name == "castle-shared")
    peers = [begin(house, opening)]
    peers.append(house.connect("castle"))
    peers[1].say(opening.says.replace(b"red", b"blue"))
    house.settle()
    for _ in range(3):
        threads.finish()
        house.pass_time(1)
    assert len(house.hall) == 1
    assert all(b"GAME_INIT" in peer.got() for peer in peers)


def test_a_word_that_was_changed_while_the_old_one_was_sealed_is_not_that_of_the_rooms_to_come(
    house, threads
):
    (opening,) = (each for each in OPENINGS if each.name == "castle-shared")
    begin(house, opening)
    factory = house.factories["castle", None]
    factory.follow(read_defaults(GAMES["castle"], DOORS["castle"], {"room_password": "other"}))
    for _ in range(3):
        threads.finish()
        house.pass_time(1)
    peer = house.connect("castle")
    peer.say(opening.says.replace(b"house", b"other").replace(b"red", b"blue"))
    for _ in range(3):
        house.pass_time(1)
        threads.finish()
    house.pass_time(1)
    assert b'"SUCCESS":true' in peer.got()
