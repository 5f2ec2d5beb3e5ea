"""The link of a client to a server, and the player at its terminal."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import pytest

from protocols.clients import terminal
from protocols.clients.connection import LineConnection, way_back
from protocols.clients.incoming import GameClosed
from protocols.clients.player import TerminalPlayer, play_in_terminal
from protocols.clients.terminal import Ended


class Echo(LineConnection):
    """A client of a game where the server says back what it hears."""

    language = "Echo"


@asynccontextmanager
async def serving(said=b"", echo=False):
    """Serve one client: say something, then, perhaps, what it says; gives the address."""

    async def serve(reader, writer):
        writer.write(said)
        while echo and (heard := await reader.readline()):
            writer.write(heard)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()


def test_lines_go_out_and_come_back_with_their_blanks_made_single():
    async def go():
        async with serving(echo=True) as address, Echo(*address) as echo:
            echo.send_line("  one\n two ")
            echo.send(b"three\r\n")
            echo.end_input()
            return [await echo.hear(), await echo.hear()]

    assert asyncio.run(asyncio.wait_for(go(), 20)) == ["one two", "three"]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (b"\xff\n", "does not speak Echo"),
        (b"x" * 70_000, "does not speak Echo"),
        (b"unfinished", "closed the connection"),
        (b"", "closed the connection"),
    ],
)
def test_a_server_that_loses_the_thread_is_left_with_the_reason(said, why):
    async def go():
        async with serving(said) as address, Echo(*address) as echo:
            await echo.hear()

    with pytest.raises(GameClosed, match=why):
        asyncio.run(asyncio.wait_for(go(), 20))


def test_who_cannot_be_greeted_is_not_stayed_with():
    class Stranger(Echo):
        async def greet(self):
            assert await self.hear() == "WELCOME"
            raise GameClosed("the server does not speak Echo")

    async def go():
        stranger = Stranger("", 0)
        async with serving(b"WELCOME\n") as stranger.address:
            with pytest.raises(GameClosed):
                await stranger.__aenter__()
        return stranger._writer.is_closing()

    assert asyncio.run(asyncio.wait_for(go(), 20))


def test_the_way_back_is_a_command_whose_words_cannot_write_on_the_terminal():
    assert way_back("gops", ("::1", 80), "K7.\x1b0") == "parlour play gops [::1]:80 --token K7.0"


class Parrot(TerminalPlayer):
    """Says one thing, shows what comes back, and goes when nobody types any more."""

    status = 0
    words = ("hello",)

    def __init__(self, echo):
        self._echo = echo
        self._heard = asyncio.Event()

    async def listen(self, terminal):
        terminal.say(await self._echo.hear())
        self._heard.set()
        await asyncio.Event().wait()

    async def speak(self, terminal):
        self._echo.send_line(self.words[0])
        await self._heard.wait()
        raise Ended


def test_a_player_plays_on_the_terminal_that_is_there(monkeypatch, capsys):
    offered = []

    def talk(play, words):
        async def go():
            async with serving(echo=True) as echo.address:
                offered.append(words())
                status = await play(terminal.PlainTerminal())
                offered.append(words())
                return status

        return asyncio.run(asyncio.wait_for(go(), 20))

    monkeypatch.setattr("protocols.clients.player.talk", talk)
    echo = Echo("", 0)
    assert play_in_terminal(echo, Parrot) == 0
    assert capsys.readouterr().out == "hello\n"
    assert offered == [(), ("hello",)]
