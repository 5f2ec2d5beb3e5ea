"""The client of GOPS against recorded games, and people at its terminal."""

from __future__ import annotations

import asyncio
from collections import deque

import pytest

from protocols.clients.incoming import GameClosed
from protocols.gops import wire
from protocols.gops.client import Client, GopsPlayer
from protocols.gops.wire import Message
from tests.recorded import files, read
from tests.scripted_server import HEAR, read_line, serving
from tests.typist import Typist

VECTORS = files("gops")
THINKING = object()


def recorded(path, who):
    """Read what one client said (True) and heard (False), as bodies."""
    return [
        (line["from"] == who, line["data"].encode()[64:].decode())
        for line in read(path)[1]
        if who in (line["from"], line["to"])
    ]


async def read_frame(reader):
    length = int(await reader.readexactly(64))
    return (await reader.readexactly(length)).decode()


@pytest.mark.parametrize("frames", [False, True])
@pytest.mark.parametrize("who", ["client0", "client1"])
@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_a_recorded_game_is_played_from_either_side_in_either_manner(path, who, frames):
    script, said, heard = [], [], []
    for mine, body in recorded(path, who):
        if mine:
            said.append(body)
            script.append(HEAR)
        else:
            heard.append(body)
            script.append((wire.frame if frames or len(heard) == 1 else wire.line)(body))
            if len(heard) == 1 and not frames:
                script[-1] += b"\n"

    async def play():
        async with serving(script, read_frame if frames else read_line) as (port, told):
            name = said[0].partition("~")[2]
            async with Client(name, "127.0.0.1", port, frames=frames) as client:
                told_us, rest = [], deque(said[1:])
                for mine, body in recorded(path, who):
                    if not mine:
                        told_us.append(await client.hear())
                    elif body != said[0]:
                        assert body == rest.popleft()
                        command, _, text = body.partition("~")
                        if command == "PLAY-TURN":
                            client.play(int(text.partition("$")[2]))
                        elif command == "JOIN-GAME":
                            client.join(text)
                        else:
                            client.create()
            return told, told_us

    told, told_us = asyncio.run(asyncio.wait_for(play(), 20))
    assert told == said
    for message, body in zip(told_us, heard, strict=True):
        command, _, text = body.partition("~")
        assert message == Message(command, text if frames else text.lstrip("\n"))


def person(script, *typed, once=False, errand=None):
    """Let somebody play against a script; gives the exit status, the terminal, and what the server heard."""
    typist = Typist(*typed)

    async def sit():
        steps = [typist.thinking.wait if each is THINKING else each for each in script]
        async with serving(steps) as (port, heard):
            async with Client("me", "127.0.0.1", port) as client:
                if errand is not None:
                    errand(client)
                status = await GopsPlayer(client, once).play(typist)
            await asyncio.sleep(0)
            return status, heard

    status, heard = asyncio.run(asyncio.wait_for(sit(), 20))
    return status, typist, heard


TURN = b"YOUR-TURN~Your turn: \n"
BEGIN = [b"INFO~hello\n", HEAR, b"INFO~named\n", HEAR, b"SET-ID~AB3\n"]


def test_a_person_opens_a_game_and_lays_cards_by_their_names():
    script = [*BEGIN, TURN, HEAR, TURN, HEAR, b"END-GAME~End\n", HEAR]
    status, typist, heard = person(script, "start", "dance", "q", "10", "quit")
    assert heard[:4] == ["SET-USERNAME~me", "START-GAME~1", "PLAY-TURN~AB3$12", "PLAY-TURN~AB3$10"]
    assert status == 0
    assert "The game is AB3." in typist.told
    assert sum(each.startswith("Say a card") for each in typist.told) == 1
    assert typist.asked.count("Your card:") == 3


def test_a_person_who_joins_in_vain_is_asked_again():
    script = [b"INFO~hello\n", HEAR, HEAR, b"FALSE~There is none\n", HEAR, b"FALSE~No\n"]
    status, typist, heard = person(script, "", "join", "join xy", "watch Z", "quit")
    assert heard[1:] == ["JOIN-GAME~xy", "SPECTATE~Z"]
    assert status == 0
    assert typist.told.count("There is none") == 1


def test_a_question_is_dropped_when_the_game_ends_meanwhile():
    script = [*BEGIN, TURN, THINKING, b"INFO~the other left\n", b"END-GAME~End\n", HEAR]
    status, typist, _ = person(script, "start", None, "quit")
    assert status == 0
    assert typist.asked[-1].startswith("START to open")


def test_who_came_for_one_game_goes_when_it_is_over():
    script = [b"INFO~hello\n", HEAR, HEAR, b"TRUE~in\n", b"SET-ID~AB3\n", TURN, HEAR]
    script.append(b"END-GAME~End\n")
    status, typist, heard = person(script, "k", once=True, errand=lambda each: each.join("AB3"))
    assert (status, heard[1:]) == (0, ["JOIN-GAME~AB3", "PLAY-TURN~AB3$13"])
    assert typist.told[-1] == "End"


def test_who_came_for_one_game_and_is_refused_fails():
    script = [b"INFO~hello\n", HEAR, HEAR, b"FALSE~no\n"]
    assert person(script, once=True, errand=lambda each: each.come_back("x"))[0] == 1


def test_input_that_ends_in_the_middle_of_a_game_is_a_failure():
    assert person([*BEGIN, TURN], "start")[0] == 1
    assert person([*BEGIN], "quit")[0] == 0


def test_a_token_is_shown_as_the_command_that_brings_back():
    script = [*BEGIN, b"TOKEN~AB3.f00\n", b"END-GAME~\n"]
    _, typist, _ = person(script, "start", "quit")
    (shown,) = [each for each in typist.told if "AB3.f00" in each]
    assert shown.startswith("If the link breaks, come back with: parlour play gops 127.0.0.1:")


def test_what_a_server_sends_cannot_write_on_the_terminal():
    script = [b"INFO~\x1b[2Jhello\x07\n", HEAR]
    _, typist, _ = person(script, "quit")
    assert "[2Jhello" in typist.told


@pytest.mark.parametrize("sent", [[b"\xff\n"], [b"x" * 100_000], [], [b"INFO~unfinished"]])
def test_a_server_that_loses_the_thread_is_left(sent):
    async def listen():
        async with (
            serving(sent, stays=False) as (port, _),
            Client(None, "127.0.0.1", port) as client,
        ):
            await client.hear()

    with pytest.raises(GameClosed):
        asyncio.run(asyncio.wait_for(listen(), 20))
