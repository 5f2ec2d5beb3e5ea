"""The client of Castle Wars against a server that says what the test wants, and against the real door."""

from __future__ import annotations

import asyncio
import json
from argparse import Namespace

import pytest
from twisted.internet import reactor
from twisted.internet.defer import gatherResults, inlineCallbacks
from twisted.internet.task import deferLater

from gamecore.errors import Refused
from gamecore.games.castle import RULES
from protocols.castle import client
from protocols.castle.client import CastlePlayer, Client, WordsConnection, play
from protocols.castle.server import DOOR, CastleFactory
from protocols.clients.incoming import GameClosed
from protocols.host.door import read_defaults
from tests.live_door import LiveDoor
from tests.scripted_server import serving
from tests.typist import Typist

WELCOME = {"COMMAND": "JOIN_GAME_RESP", "SUCCESS": True, "PLAYER_ID": 1, "TOKEN": "T.1"}


async def read_object(reader):
    return json.loads(await reader.readline())


def saying(*lines):
    """Serve one client: None hears an object, all else is said."""
    said = [each if each is None or isinstance(each, str) else json.dumps(each) for each in lines]
    steps = [each if each is None else f"{each}\n".encode() for each in said]
    return serving(steps, read_object, stays=False)


def run(act, *lines):
    """Let a client act on what a server says; gives what it gave, and what the server heard."""

    async def go():
        async with saying(*lines) as (port, heard), Client("127.0.0.1", port) as client:
            return await act(client), heard

    return asyncio.run(go())


def test_a_client_joins_and_goes_through_what_happens_until_the_end():
    async def act(client):
        await client.join("red", EXTENSIONS=True)
        assert (client.seat, client.token) == (1, "T.1")
        return [message["COMMAND"] async for message in client]

    end = {"COMMAND": "GAME_END", "WINNER_ID": 1}
    said, heard = run(act, None, {"COMMAND": "NEWS"}, WELCOME, {"COMMAND": "GAME_INIT"}, end)
    assert said == ["NEWS", "GAME_INIT", "GAME_END"]
    assert heard[0]["USERNAME"] == "red" and len(heard[0]["DECK_DATA"]) == 51


@pytest.mark.parametrize(
    "answer",
    [
        {"COMMAND": "JOIN_GAME_RESP", "SUCCESS": False, "CODE": "BAD_DECK"},
        {"COMMAND": "ERROR", "CODE": "BAD_DECK"},
    ],
)
def test_a_refusal_is_raised_by_its_code(answer):
    async def act(client):
        with pytest.raises(Refused, match="BAD_DECK"):
            await client.join("red", [1])

    run(act, None, answer)


@pytest.mark.parametrize("line", ["hello", "[1]", '{"X":1}'])
def test_what_speaks_no_castle_wars_is_left(line):
    async def act(client):
        with pytest.raises(GameClosed):
            await client.come_back("T.1")

    run(act, None, line)


def test_a_server_that_closes_is_noticed():
    async def act(client):
        with pytest.raises(GameClosed):
            await client.hear()

    run(act)


OVER = "[castle K7QX2] The game is over: REMATCH plays again, LEAVE goes to the hall."


def play_on(line, once, *typed):
    """Play until the server has said a line, or has closed; gives the status, and what was shown."""

    async def go():
        async with saying("Turn 1", line) as (port, _), WordsConnection("127.0.0.1", port) as link:
            typist = Typist(*typed)
            return await CastlePlayer(link, once).play(typist), typist.told

    return asyncio.run(go())


@pytest.mark.parametrize(("line", "once"), [(OVER, True), ("Goodbye, red.", False)])
def test_a_person_plays_to_the_end(line, once):
    assert play_on(line, once, None) == (0, ["Turn 1", line])


def test_who_came_for_no_one_game_plays_on_after_it():
    with pytest.raises(GameClosed):
        play_on(OVER, False, None)


def test_a_pipe_that_has_ended_hears_the_last_of_it():
    assert play_on(OVER, False) == (0, ["Turn 1", OVER])


def test_cards_and_verbs_are_completed():
    words = CastlePlayer(WordsConnection("", 0), once=True).words
    assert {"PLAY", "REMATCH", "DECK", "Warlock", "Giant", "Plague"} <= set(words)


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({}, "HELP"),
        ({"table": "ABC"}, "JOIN ABC"),
        ({"watch": "ABC"}, "WATCH ABC"),
        ({"token": "ABC.x"}, "RETURN ABC.x"),
        ({"alone": True}, "PLAY"),
    ],
)
def test_what_was_chosen_is_said(monkeypatch, chosen, said):
    sent = []
    monkeypatch.setattr(client, "play_in_terminal", lambda link, seat: seat(link).status)
    monkeypatch.setattr(WordsConnection, "send_line", lambda self, line: sent.append(line.strip()))
    nothing = {"table": None, "watch": None, "token": None, "alone": False, "level": None}
    assert play("localhost", 1, Namespace(name="wren", **{**nothing, **chosen})) == 0
    assert sent == ["NAME wren", said]


class TestLive(LiveDoor):
    """The whole way from one terminal to the other."""

    @staticmethod
    def build(host):
        return CastleFactory(host, read_defaults(RULES, DOOR, {}))

    @inlineCallbacks
    def test_two_people_meet_and_one_gives_up(self):
        typed = "open start=full\nkeep\ncard warlock\ndance\nboard\nnothing\n" * 4
        north = self.play(typed, "castle", "--name", "north")
        while not list(self.host.directory.joinable("castle")):
            yield deferLater(reactor, 0.02)
        (table,) = self.host.directory.joinable("castle")
        south = self.play("keep\nleave\nquit\n", "castle", "--name", "south", "--table", table.code)
        (said, wrong, status), (other, _, other_status) = yield gatherResults([north, south])
        assert (status, other_status) == (0, 0), (said, wrong, other)
        assert "Warlock (24)" in said.decode()
        assert "Goodbye, south." in other.decode()

    @inlineCallbacks
    def test_one_plays_alone(self):
        said, _, status = yield self.play(
            "keep\nend\nquit\n", "castle", "--alone", "--name", "wren"
        )
        assert status == 0
        assert "wren keeps the hand." in said.decode()
