"""While nothing can be written down, newcomers hear why they get no answer; and when it goes on, that it does."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from protocols.testing import HandJournal
from tests.cases.customs import LINES
from tests.cases.house import Guest, House
from tests.cases.test_cases_admission import OPENS

NO_TABLE = SimpleNamespace(code="", rules=SimpleNamespace(kind=None))
SAYS = {  # what newcomers ask, and what they are told, at each door that has room for it
    "json": ('{"do": "hello", "id": 1}', b'"paused":true', b'"paused":false'),
    "lobby": ("OPEN nim", b"paused", b"goes on"),
    "castle": ("OPEN", b"paused", b"goes on"),
    "rikiki": ("NEW", b"PAUSED journal", b"RESUMED"),
    "gops": ("START-GAME~1", b"paused", b"goes on"),
    "pass123": ("", b"paused", b""),
}
TALKS = {"json", "plain", "words", "bot", "lines"}
WAYS = [way for way in LINES if way.wire.name in TALKS and way.door.kind in SAYS]


def house_in_trouble():
    """Give a house where a table was opened that cannot be written down."""
    house = House(journal=HandJournal)
    house.host.open("nim", "", {}, {})
    house.settle()
    house.journal.on_trouble("the disk is full")
    return house


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_who_comes_while_play_is_paused_is_told_so_once_and_answered_later(way):
    ask, told, resumed = SAYS[way.door.kind]
    house = house_in_trouble()
    guest = Guest(house, way, NO_TABLE, 0)
    first = [text for text in way.wire.sit if text.startswith(("NAME", "MODE", "SET-"))]
    guest.come([*first, ask] if way.wire.name != "words" else [ask])
    said = guest.peer.forget()
    assert said.count(told) == 1, said
    house.pass_time(1.0)
    assert guest.peer.got() == b""
    house.journal.on_trouble(None)
    for _ in range(6):
        house.journal.commit()
        house.settle()
    assert resumed in guest.peer.got() and len(guest.peer.got()) > len(resumed), "the answer"


def test_who_went_meanwhile_is_told_nothing():
    house = house_in_trouble()
    guest = Guest(house, next(way for way in WAYS if way.door.kind == "json"), NO_TABLE, 0)
    guest.come([SAYS["json"][0]])
    guest.peer.hang_up()
    before = guest.peer.got()
    house.journal.on_trouble(None)
    house.settle()
    assert guest.peer.got() == before


def test_every_door_with_room_for_it_is_thought_of():
    assert {way.door.kind for way in WAYS} == set(SAYS) <= {door for door, _ in OPENS}
