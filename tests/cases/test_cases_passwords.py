"""A word for a table is said at every door that leads to tables by their codes; none is dropped in silence."""

from __future__ import annotations

import json
import re

import pytest

from gamecore.games.castle import SAMPLE_DECKS
from tests.cases.customs import LINES
from tests.cases.house import Guest, House
from tests.cases.test_cases_sealing import SlowThreads

DECK = [*SAMPLE_DECKS["classic"].cards, SAMPLE_DECKS["classic"].castle]
WORD = "open sesame"


def castle(**more):
    join = {"COMMAND": "JOIN_GAME", "USERNAME": "north", "DECK_DATA": DECK, "ROOM": "<code>"}
    return json.dumps({**join, "PASSWORD": "<word>", **more})


def nim(**more):
    hello = {"name": "north", "order": 0, "table": "<code>", "password": "<word>"}
    return json.dumps({**hello, **more})


# What sits down at a table with a word, and what looks on, by door and wire; None where the wire names no table.
WAYS_IN = {
    ("nim", "stock"): (nim(), None),
    ("nim", "lines"): (nim(resume=True), None),
    ("gops", "frames"): ("JOIN-GAME~<code>$<word>", None),
    ("gops", "lines"): ("JOIN-GAME~<code>$<word>", "SPECTATE~<code>$<word>"),
    ("pass123", "stock"): None,
    ("pass123", "lines"): None,
    ("castle", "original"): None,
    ("castle", "objects"): (castle(), None),
    ("castle", "extended"): (castle(EXTENSIONS=True), None),
    ("castle", "words"): ("JOIN <code> <word>", "WATCH <code> <word>"),
    ("rikiki", "bot"): ("JOIN <code> <word>", "WATCH <code> <word>"),
    ("rikiki", "human"): ("JOIN <code> <word>", "WATCH <code> <word>"),
    ("lobby", "plain"): ("JOIN <code> <word>", "WATCH <code> <word>"),
    ("lobby", "telnet"): ("JOIN <code> <word>", "WATCH <code> <word>"),
    ("json", "json"): (
        '{"do": "join", "id": 1, "table": "<code>", "password": "<word>"}',
        '{"do": "watch", "id": 1, "table": "<code>", "password": "<word>"}',
    ),
    ("web", "pages"): None,  # such a table has no pages
}
TRIED = [
    (way, text, watches)
    for way in LINES
    for watches, text in enumerate(WAYS_IN[way.door.kind, way.wire.name] or ())
    if text
]
ASKS_ALL = re.compile("who|tables|room", re.IGNORECASE)  # of which everybody may hear
KEYS = ("password-needed", "wrong-password", "no-password-wanted")


def test_every_wire_is_thought_of():
    assert {(way.door.kind, way.wire.name) for way in LINES} == set(WAYS_IN)


def comes(house, way, text, table, word):
    """Let somebody come with a word; gives whether that is at the table, and what was answered."""
    guest = Guest(house, way, table, 0)
    before = [text for text in way.wire.sit if "<code>" not in text and not text.startswith("{")]
    guest.come(before)
    guest.peer.forget()
    said = text.replace("<word>", word)
    if not word:
        said = said.replace('"password": ""', '"x": ""') if way.door.kind == "nim" else said
        said = said.rstrip().removesuffix("$")
    guest.say(said)
    place = guest.peer.face.place
    there = place is not None and place.code == table.code
    answer = guest.peer.got().decode()
    guest.peer.hang_up()
    house.pass_time(90)
    return there, answer


@pytest.mark.parametrize(("way", "text", "watches"), TRIED, ids=str)
def test_the_word_of_a_table_opens_it_and_nothing_else_does(way, text, watches):
    with House() as house:
        sealed = house.host.seal(WORD).result
        table = house.open(way.game, password=sealed)
        house.sit(table, 1, password=WORD)
        assert comes(house, way, text, table, WORD)[0]
        for word in ("", "open", "sesame"):
            there, answer = comes(house, way, text, table, word)
            assert not there
            told = answer.replace("ERR password-needed ", "").replace("ERR wrong-password ", "")
            told = told.replace('"error":"password-needed"', "").replace(
                '"error":"wrong-password"', ""
            )
            assert answer and not any(key in told for key in KEYS), f"no sentence: {answer}"


@pytest.mark.parametrize(("way", "text", "watches"), TRIED, ids=str)
def test_a_word_for_a_table_that_wants_none_is_refused(way, text, watches):
    with House() as house:
        table = house.open(way.game)
        house.sit(table, 1)
        there, answer = comes(house, way, text, table, WORD)
        assert not there and answer
        assert comes(house, way, text, table, "")[0]


@pytest.mark.parametrize(("way", "text", "watches"), TRIED, ids=str)
def test_while_a_word_is_looked_at_its_speaker_hears_nothing_and_says_nothing_there(
    way, text, watches
):
    threads = SlowThreads()
    with House(in_thread=threads) as house:
        sealing = house.host.seal(WORD)
        threads.finish()
        table = house.open(way.game, password=sealing.result)
        people = [house.connect("lobby") for _ in range(2)]
        for number, peer in enumerate(people):
            peer.say(f"NAME tall {number}\r\nJOIN {table.code} {WORD}\r\n".encode())
            house.pass_time(1)
            threads.finish()
            house.pass_time(1)
        people[0].say(b"START\r\n")
        house.pass_time(1)
        guest = Guest(house, way, table, 0)
        guest.come([each for each in way.wire.sit if "<code>" not in each and "{" not in each[:1]])
        for peer in (guest.peer, *people):
            peer.forget()
        asks = [each for each in way.wire.asks if not ASKS_ALL.search(each)]
        said = [text.replace("<word>", "sesame"), *asks]
        said += ["SAY from outside"] if way.door.kind in ("lobby", "rikiki") else []
        guest.peer.say(b"".join(map(guest.encoded, said)))
        people[0].say(b"SAY among us\r\n")
        house.pass_time(1)
        threads.finish()
        house.pass_time(5)
        heard = guest.peer.got().decode()
        assert "tall" not in heard and "among us" not in heard, heard
        assert not any(b"from outside" in peer.got() for peer in people)
        for peer in (guest.peer, *people):
            peer.hang_up()


def test_with_a_password_no_meeting_is_opened_at_the_door_of_nim():
    with House() as house:
        for table in ("our place", None):
            hello = {"name": "a", "order": 0, "table": table, "password": WORD}
            peer = house.connect("nim")
            peer.say(json.dumps(hello).encode())
            house.pass_time(0.2)
            assert b"No password is wanted there" in peer.got()
            assert len(house.hall) == 0
            peer.hang_up()
