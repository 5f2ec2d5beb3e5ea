"""The client of 1-2-3 Pass against the door itself, byte for byte over loopback, and against bad servers."""

from __future__ import annotations

import argparse
import asyncio
from contextlib import asynccontextmanager, suppress

import pytest

from gamecore.cards import read_card
from protocols.clients.incoming import GameClosed
from protocols.clients.terminal import Ended
from protocols.pass123.client import Client, PassPlayer, play
from protocols.pass123.wire import Board
from tests.scripted_server import serving

HANDS = ("QH QS QD 4C", "4H 4S 4D QC")


def cards(hand):
    return tuple(map(read_card, hand.split()))


@asynccontextmanager
async def bridged(door):
    """Let TCP clients come to a door whose time is a test's; gives the port."""

    async def attend(reader, writer):
        peer = door.connect()
        door.pass_time(0.05)

        async def pump():
            while not writer.is_closing():
                door.pass_time(0.1)
                for text in peer.news():
                    writer.write(text.encode())
                if peer.closed:
                    writer.close()
                await asyncio.sleep(0.005)

        pumping = asyncio.ensure_future(pump())
        with suppress(ConnectionError):
            while data := await reader.read(4096):
                peer.link.dataReceived(data)
        peer.hang_up()
        pumping.cancel()
        writer.close()

    server = await asyncio.start_server(attend, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await asyncio.sleep(0.05)


async def seated(door):
    """Wait until somebody has a seat."""
    while not len(door.hall):
        await asyncio.sleep(0.001)


class Scripted:
    """A terminal where somebody answers prompts from a list, and what is told is kept."""

    fancy = False

    def __init__(self, *answers):
        self.answers = list(answers)
        self.told = []
        self.asked = []

    def say(self, text):
        self.told.append(text)

    async def ask(self, prompt):
        self.asked.append(prompt)
        if prompt.startswith("START") and self.answers[:1] != ["start"]:
            await asyncio.Event().wait()
        if not self.answers:
            raise Ended
        return self.answers.pop(0)


async def follow(port, *codes):
    """Play by the codes given, one at each prompt, and tap in time; give all that was said."""
    said, codes = [], list(codes)
    async with Client("127.0.0.1", port) as client:
        async for message in client:
            said.append(message)
            if message.is_prompt and any(message.board.places):
                client.tap()
            elif message.is_prompt and codes:
                client.say(codes.pop(0))
        return said, client.token


def test_two_clients_play_a_whole_game(pass_door):
    async def game(door):
        async with bridged(door) as port:
            one = asyncio.ensure_future(follow(port, "AH", "4c", "F"))
            await seated(door)
            other = follow(port, "QC", "Z")
            return await asyncio.wait_for(asyncio.gather(one, other), 20)

    with pass_door(HANDS) as door:
        (said, token), (heard, _) = asyncio.run(game(door))
        assert token.count(".") == 1
        assert [message.prefix for message in said] == [
            *("", "", "", "False", "", "True", "Cont", "", "", "True", "Quit")
        ]
        assert said[-1].board == Board(1, (1, 2), cards("QH QS QD QC"))
        assert heard[-1].board == Board(2, (1, 2), cards("4H 4S 4D 4C"))
        assert said[-1].is_last and not said[0].is_prompt


def test_a_client_comes_back_with_its_token(pass_door):
    async def game(door):
        async with (
            bridged(door) as port,
            Client("127.0.0.1", port) as first,
            Client("127.0.0.1", port) as other,
        ):
            for each in (first, other):
                while not (await each.hear()).is_prompt:
                    pass
            async with Client("127.0.0.1", port, first.token) as again:
                return await again.hear(), await first.hear()

    with pass_door(HANDS) as door:
        board, parting = asyncio.run(asyncio.wait_for(game(door), 20))
        assert board.is_prompt and str(board.board.hand[0]) in ("QH", "4H")
        assert parting.is_last and "another connection" in parting.text


def test_a_person_plays_a_whole_game_at_a_terminal(pass_door):
    async def game(door):
        async with bridged(door) as port:
            terminal = Scripted("start", "what?", "4c", "f")

            async def sit():
                async with Client("127.0.0.1", port) as client:
                    return await PassPlayer(client).play(terminal)

            person = asyncio.ensure_future(sit())
            while not any(line.startswith("It takes two") for line in terminal.told):
                await asyncio.sleep(0.001)
            await asyncio.wait_for(follow(port, "QC"), 20)
            return await asyncio.wait_for(person, 20), terminal

    with pass_door(HANDS) as door:
        status, terminal = asyncio.run(game(door))
        assert status == 0
        assert terminal.told[0].startswith(
            "If the link breaks, come back with: parlour play pass123"
        )
        assert terminal.told[1:] == [
            "It takes two players at least",
            "You are player 1 of 2. Your hand: Q♥  Q♠  Q♦  4♣",
            "Type a card like 10H, F to finish, T to tap, or QUIT.",
            "Your hand: Q♥  Q♠  Q♦   (waiting for the others)",
            "All players ready, 1-2-3 Pass!",
            "You get Q♣.",
            "You are player 1 of 2. Your hand: Q♥  Q♠  Q♦  Q♣",
            "Congratulations, you win!",
            "Places: P1 1, P2 2",
            "You have won.",
        ]
        asked = [prompt.split()[0] for prompt in terminal.asked]
        assert asked[:2] == ["START", "START"] and set(asked[2:]) == {"A"}


def test_a_person_who_has_had_enough_leaves(pass_door):
    async def game(door):
        async with bridged(door) as port:
            terminal = Scripted("quit")

            async def sit():
                async with Client("127.0.0.1", port) as client:
                    return await PassPlayer(client).play(terminal)

            person = asyncio.ensure_future(sit())
            await seated(door)
            said, _ = await asyncio.wait_for(follow(port), 20)
            return await asyncio.wait_for(person, 20), said

    with pass_door(HANDS) as door:
        status, said = asyncio.run(game(door))
        assert status == 1
        assert said[-1].text == "A player has left, the game is void"


STARS = b"*" * 39 + b"\n"


@pytest.mark.parametrize(
    "script",
    [
        b"",
        b"True|half a line",
        STARS + b"P1\n",
        STARS + b"nonsense\n" * 7,
        STARS + b"P1\tP2\n0\t0\n-\nYou are P3\n-\n4C\n" + STARS,
        STARS + b"P1\tP2\n0\t0\n-\nYou are P1\n-\n99\n" + STARS,
        STARS + b"P1\tP2\n0\n-\nYou are P1\n-\n4C\n" + STARS,
        b"\xff\xfe\n",
        b"x" * 200_000,
    ],
)
def test_a_server_that_speaks_something_else_is_no_server(script):
    async def game():
        async with serving([script], stays=False) as (port, _), Client("127.0.0.1", port) as client:
            await asyncio.wait_for(client.hear(), 20)

    with pytest.raises(GameClosed):
        asyncio.run(game())


def test_nothing_a_server_says_reaches_a_terminal_raw():
    async def game():
        script = [b"False|a\x1b[31mb\xe2\x80\xae c\nQuit|so\x07\n"]
        async with serving(script, stays=False) as (port, _):
            terminal = Scripted()
            async with Client("127.0.0.1", port) as client:
                status = await asyncio.wait_for(PassPlayer(client).play(terminal), 20)
            return status, terminal.told

    status, told = asyncio.run(game())
    assert (status, told) == (1, ["a[31mb c", "so"])


def test_tables_are_not_for_this_door(capsys):
    args = argparse.Namespace(name=None, table="K7QX2", watch=None, token=None)
    assert play("127.0.0.1", 1, args) == 2
    assert "door" in capsys.readouterr().err
