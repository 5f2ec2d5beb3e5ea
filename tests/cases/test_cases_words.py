"""Words of a stranger: no control code in any field reaches another's terminal, page or the log (C59)."""

from __future__ import annotations

import json
import re
from unicodedata import category

import pytest
from twisted.logger import formatEvent, globalLogPublisher

from protocols.host.door import installed_doors
from tests.cases.customs import DOORS, GAMES, LINES, WAYS, custom_of
from tests.cases.house import Guest, House

NASTY = (
    "a\x1b[2Jb",
    "a\x1b]52;c;aGk=\x07b",
    "a\x9b31mb",
    "a\x85b",
    "a\tb\rc\x0bd",
    "a\u202eb",
    "a\u2066b\u200f",
    "a\u2028b",
    "a\ue000b\ufeff",
    "a" + "\u0301" * 300,
    "\x7f\x08\x08\x08gone",
)
FIELDS = {
    "lobby": (
        "NAME {}",
        "SAY {}",
        "TELL sitter {}",
        "OPEN {}",
        "OPEN nim password {}",
        "JOIN {}",
        "{}",
        "RETURN {}",
        "HELP {}",
        "LANG {}",
        "WATCH {}",
        "MIX {}",
        "SUITS {}",
        "PLAY nim {}",
    ),
    "rikiki": (
        "NAME {}",
        "SAY {}",
        "NEW {}",
        "JOIN {}",
        "REJOIN {}",
        "WATCH {}",
        "HELP {}",
        "{}",
        "BID {}",
    ),
    "gops": ("SET-USERNAME~{}", "JOIN-GAME~{}", "SPECTATE~{}", "{}~x", "PLAY-TURN~{}$1"),
    "pass123": ("{}", "RETURN {}"),
    "castle": ("NAME {}", "JOIN {}", "HOST {}", "{}", "SAY {}", "RETURN {}"),
    "json": ("name", "say", "mix", "open", "join", "watch", "return", "tell", "hello"),
    "nim": ("name", "table", "token"),
    "web": ("name",),
}
_OURS = re.compile(
    rb"\xff[\xfb-\xfe].|\x1b\[[0-9;]*m", re.DOTALL
)  # negotiation, and our own styling


def check_plain(sent: bytes, who: str) -> None:
    """See that nothing but text and line ends is in what somebody is sent."""
    text = _OURS.sub(b"", sent).decode()
    odd = {char for char in text if category(char)[0] == "C" and char not in "\r\n\t"}
    assert not odd, f"{who} was sent {odd}: {text[-400:]!r}"
    assert not re.search("[\u2028\u2029]", text), who
    marks = re.search("[\u0300-\u036f]{4,}", text)
    assert marks is None, f"{who} was sent a heap of {len(marks[0]) if marks else 0} marks"


def plain_strings(value):
    """Give every text in what a program was sent."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from plain_strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from plain_strings(each)


def spoken(kind, field, nasty):
    """Write one field of a door with a nasty text in it, as bytes."""
    text = nasty.replace("\r", "").replace("\n", "")
    if kind == "json":
        more = {
            "name": {"name": nasty},
            "hello": {"name": nasty},
            "say": {"words": nasty},
            "mix": {"words": nasty},
            "tell": {"name": nasty, "words": nasty},
            "open": {"game": "nim", "name": nasty},
            "join": {"table": nasty},
            "watch": {"table": nasty, "password": nasty},
            "return": {"token": nasty},
        }[field]
        return json.dumps({"do": field, "id": nasty, **more}).encode() + b"\n"
    if kind == "nim":
        said = {"name": nasty, "order": 0}
        if field != "name":
            said[field] = nasty
        return json.dumps(said).encode() + b"\n"
    if kind == "web":
        return None
    return field.format(text).encode() + b"\r\n"


class Onlookers:
    """Somebody at every door that can look on at a table, or sits in the hall, and whoever reads the log."""

    def __init__(self, house, game, table):
        self.house = house
        self.guests = []
        for way in WAYS:
            if way.game == game and way.wire.watch is not None and custom_of(way).reads != "frames":
                guest = Guest(house, way, table, None)
                guest.come(way.wire.watch)
                self.guests.append(guest)
        self.idle = [(kind, house.connect(kind)) for kind in DOORS]
        self.log = []

    def note(self, event):
        self.log.append(formatEvent(event) or "")

    def check(self):
        for kind, peer in [(str(guest.way), guest.peer) for guest in self.guests] + self.idle:
            check_plain(peer.got(), kind)
            if "json" in kind:
                for line in peer.got().splitlines():
                    for text in plain_strings(json.loads(line)):
                        check_plain(text.encode(errors="surrogatepass"), kind)
        for line in self.log:
            check_plain(line.encode(), "the log")


@pytest.mark.parametrize("kind", [kind for kind in DOORS if kind != "web"])
def test_no_field_of_a_door_brings_a_code_to_anybody_else(kind):
    """C59: names, tables, talk, passwords, tokens and nonsense, at a door, at its table and in the hall."""
    way = next(way for way in reversed(LINES) if way.door.kind == kind)
    for nasty in NASTY:
        with House() as house:
            table = house.open(way.game)
            onlookers = Onlookers(house, way.game, table)
            globalLogPublisher.addObserver(onlookers.note)
            try:
                for field in FIELDS[kind]:
                    for seated in (False, True):
                        guest = Guest(house, way, table, 0)
                        guest.connect()
                        if seated:
                            guest.say(*way.wire.sit)
                        guest.peer.say(spoken(kind, field, nasty))
                        house.pass_time(1.0)
                        check_plain(guest.peer.got(), f"who typed {field}")
                        guest.peer.hang_up()
                        house.pass_time(100.0)
                        if table.code not in house.host.service.live:
                            table = house.open(way.game)
                onlookers.check()
            finally:
                globalLogPublisher.removeObserver(onlookers.note)


@pytest.mark.parametrize("game", GAMES)
def test_a_nasty_name_that_sits_and_talks_is_clean_for_everybody_who_looks_on(game):
    """C59: what does become a name, or is said, is shown at every door."""
    for nasty in NASTY:
        with House() as house:
            table = house.open(game)
            onlookers = Onlookers(house, game, table)
            peer = house.connect("json")
            for said in (
                {"do": "name", "id": 1, "name": f"x {nasty}"[:24]},
                {"do": "join", "id": 2, "table": table.code},
                {"do": "say", "id": 3, "words": nasty},
                {"do": "mix", "id": 4, "words": nasty},
            ):
                peer.say(json.dumps(said).encode() + b"\n")
                house.pass_time(1.0)
            for seat in range(1, table.rules.seats[0]):
                house.sit(table, seat)
            house.start(table)
            onlookers.check()
            assert b'"reply":2,"ok":true' in peer.got()


def test_every_door_is_tried():
    assert {door.kind for door in installed_doors()} <= FIELDS.keys(), (
        "say here what can be typed at the new door"
    )


def test_a_nasty_name_of_a_table_is_clean_in_every_list():
    """C59: opened by a program, listed in the lobby, to programs, on the line wire and on the page."""
    for nasty in NASTY:
        with House() as house:
            peer = house.connect("json")
            peer.say(
                json.dumps({"do": "open", "id": 1, "game": "rikiki", "name": nasty}).encode()
                + b"\n"
            )
            peer.say(b'{"do": "join", "id": 2}\n')
            house.pass_time(1.0)
            lists = {
                "lobby": b"TABLES\r\n",
                "rikiki": b"TABLES\r\n",
                "json": b'{"do": "tables", "id": 1}\n',
                "web": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
            }
            for kind, asks in lists.items():
                other = house.connect(kind)
                house.settle()
                other.say(asks)
                house.pass_time(1.0)
                check_plain(other.got(), kind)
                if kind == "json":
                    for text in plain_strings(json.loads(other.got())):
                        check_plain(text.encode(), kind)
