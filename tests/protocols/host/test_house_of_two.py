"""Two daemons of one house: what each door says to those who come to a table that the other has awake."""

from __future__ import annotations

import json

import pytest
from attrs import frozen

from gamecore.games.castle import SAMPLE_DECKS
from gamecore.games.nim import Take
from protocols.testing import House
from protocols.testing.journals import SharedJournal
from protocols.web.tokens import key_of

DECK = [*SAMPLE_DECKS["classic"].cards, SAMPLE_DECKS["classic"].castle]


class Two:
    """Two daemons on one clock; ``here`` hears nothing of ``there`` until ``hear`` lets it give a sign of life."""

    def __init__(self) -> None:
        self.there = House(journal=SharedJournal, seed=1)
        first = self.there.journal
        self.here = House(
            journal=lambda clock: SharedJournal(clock, first), seed=2, clock=self.there.clock
        )
        for house in (self.there, self.here):
            house.host.begin()
        self.there.settle()

    def hear(self) -> None:
        self.here.host.beat()
        self.here.pass_time(0.1)

    def waiting(self, kind: str):
        """Open a table where somebody waits; gives it and that one."""
        table = self.there.open(kind, None, start="full")
        return table, self.there.sit(table, 0)

    def come(self, kind: str, *said: bytes):
        """Come to a door of the other daemon, and say this; gives who has come and what they were answered."""
        peer = self.here.connect(kind)
        self.here.pass_time(1.0)
        peer.forget()
        for each in said:
            peer.say(each)
            self.here.pass_time(1.0)
        return peer, peer.got().decode()


@pytest.fixture
def two():
    return Two()


@frozen
class Way:
    """What is said at a door, with <code>, <token> and the <key> of its page in it.

    The answer has ``away`` in it if that table is at another daemon, ``none`` if there is none.
    """

    door: str
    says: tuple[str, ...]
    away: str
    none: str
    game: str = "nim"

    def said(self, code: str, token: str) -> list[bytes]:
        key = key_of(token)
        return [
            each.replace("<code>", code).replace("<token>", token).replace("<key>", key).encode()
            for each in self.says
        ]


def page(address: str) -> str:
    return f"GET {address} HTTP/1.1\r\nHost: parlour.test\r\nCookie: parlour-place=<token>\r\n\r\n"


def castle(command: str, **fields: object) -> str:
    return json.dumps({"COMMAND": command, "EXTENSIONS": True, **fields}) + "\n"


SENTENCE = "That table is at another server of this house"
BY_CODE = {
    "a lobby": Way(
        "lobby", ("NAME kim\r\n", "JOIN <code>\r\n"), SENTENCE, "no table with that code"
    ),
    "a lobby, to look on": Way(
        "lobby", ("NAME kim\r\n", "WATCH <code>\r\n"), SENTENCE, "no table with that code"
    ),
    "JSON lines": Way(
        "json", ('{"do": "join", "id": 1, "table": "<code>"}\n',), '"table-away"', '"no-such-table"'
    ),
    "JSON lines, to look on": Way(
        "json",
        ('{"do": "watch", "id": 1, "table": "<code>"}\n',),
        '"table-away"',
        '"no-such-table"',
    ),
    "Nim": Way("nim", ('{"name": "kim", "order": 1, "table": "<code>"}',), SENTENCE, ""),
    "GOPS": Way(
        "gops", ("JOIN-GAME~<code>\n",), "That game is at another server", "not exist", "gops"
    ),
    "GOPS, to look on": Way(
        "gops", ("SPECTATE~<code>\n",), "That game is at another server", "not exist", "gops"
    ),
    "Castle Wars": Way(
        "castle",
        (castle("JOIN_GAME", USERNAME="kim", DECK_DATA=DECK, ROOM="<code>"),),
        SENTENCE,
        "NO_SUCH_ROOM",
        "castle",
    ),
    "Rikiki": Way("rikiki", ("NAME kim\r\n", "JOIN <code>\r\n"), "table-away", "no-such", "rikiki"),
    "Rikiki, to look on": Way(
        "rikiki", ("NAME kim\r\n", "WATCH <code>\r\n"), "table-away", "no-such", "rikiki"
    ),
    "a page": Way("web", (page("/t/<code>/"),), SENTENCE, "404"),
}
BY_TOKEN = {
    "a lobby": Way("lobby", ("RETURN <token>\r\n",), SENTENCE, ""),
    "JSON lines": Way(
        "json", ('{"do": "return", "id": 1, "token": "<token>"}\n',), '"table-away"', ""
    ),
    "Nim": Way("nim", ('{"token": "<token>"}',), SENTENCE, ""),
    "GOPS": Way("gops", ("RETURN~<token>\n",), "That game is at another server", "", "gops"),
    "1-2-3 Pass": Way("pass123", ("RETURN <token>\n",), SENTENCE, "", "pass123"),
    "Castle Wars": Way(
        "castle",
        (json.dumps({"COMMAND": "REJOIN_GAME", "TOKEN": "<token>"}) + "\n",),
        SENTENCE,
        "",
        "castle",
    ),
    "Rikiki": Way("rikiki", ("REJOIN <token>\r\n",), "table-away", "", "rikiki"),
    "a page": Way("web", (page("/t/<code>/<key>/"),), SENTENCE, ""),
}


@pytest.mark.parametrize("heard", [True, False], ids=["listed", "opened just now"])
@pytest.mark.parametrize("name", BY_CODE)
def test_who_comes_by_a_code_to_a_table_that_another_daemon_has_is_told_so(two, name, heard):
    way = BY_CODE[name]
    table, _ = two.waiting(way.game)
    if heard:
        two.hear()
    assert (table.code in two.here.host.directory) is heard
    _, answer = two.come(way.door, *way.said(table.code, "none.at-all"))
    assert way.away in answer
    assert table.code in two.here.host.directory and table.code not in two.here.hall


@pytest.mark.parametrize("name", BY_TOKEN)
def test_who_comes_back_by_a_token_to_a_table_that_another_daemon_has_is_told_so(two, name):
    way = BY_TOKEN[name]
    table, ear = two.waiting(way.game)
    _, answer = two.come(way.door, *way.said(table.code, ear.token))
    assert way.away in answer


@pytest.mark.parametrize("name", [name for name, way in BY_CODE.items() if way.none])
def test_a_code_that_is_no_table_of_any_daemon_is_none_here(two, name):
    way = BY_CODE[name]
    _, answer = two.come(way.door, *way.said("AB2C3", "none.at-all"))
    assert way.none in answer and way.away not in answer


# -- when a daemon ends -----------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in BY_CODE if name not in ("a page",)])
def test_what_a_daemon_leaves_that_ends_can_be_come_to_at_once(two, name):
    """Nobody here has heard of it yet: it is asked for."""
    way = BY_CODE[name]
    table, _ = two.waiting(way.game)
    two.there.host.close()
    two.here.settle()
    assert table.code not in two.here.host.directory
    peer, answer = two.come(way.door, *way.said(table.code, "none.at-all"))
    place = peer.face.place
    assert place is not None and place.code == table.code, answer


def test_the_players_and_bots_of_a_daemon_that_ends_go_on_at_another_within_a_sign_of_life(two):
    table = two.there.open("nim", {"stones": 50}, start="full")
    ear = two.there.sit(table, 0)
    two.there.host.seat_bot(table, 1, "robot", "random")
    two.there.pass_time(1.0)
    two.there.move(table, 0, Take(1, False))
    two.there.pass_time(5.0)  # and the bot has moved
    assert table.awaited() == {0}
    two.there.host.submit(ear, Take(1, False))
    assert table.awaited() == {1}
    two.there.host.close()  # before the bot can
    two.here.pass_time(0.1)
    two.hear()
    two.here.pass_time(5.0)
    adopted = two.here.hall.find(table.code)
    assert adopted.awaited() == {0}  # for the bot has moved here
    again = two.here.come_back(ear.token)
    assert again.place.code == table.code
    two.here.move(adopted, 0, Take(1, False))
    two.here.pass_time(5.0)
    assert adopted.awaited() == {0}


def test_nothing_is_asked_of_the_journal_for_what_is_no_code_or_is_known(two):
    table, _ = two.waiting("nim")
    two.hear()
    for said in (b"NAME kim", b"JOIN nim", b"JOIN xx", b"WATCH " + b"A" * 30, b"JOIN OOOOO"):
        two.come("lobby", said + b"\r\n")
    assert two.here.host.seek(table.code) is None
    assert set(two.here.journal.claims) <= {table.code}
