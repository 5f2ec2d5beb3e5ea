"""Clients for people whose link breaks: they come back by their token, or say how to do it later."""

from __future__ import annotations

import argparse
import asyncio
from contextlib import asynccontextmanager

import pytest

from protocols.castle import client as castle
from protocols.clients import player, terminal
from protocols.gops import client as gops
from protocols.lobby import client as lobby
from protocols.pass123 import client as pass123
from protocols.rikiki import client as rikiki
from tests.typist import Typist

TOKEN = "K7QX2." + "0a" * 16
CHOSEN = {
    "name": "ann",
    "table": "K7QX2",
    "watch": None,
    "token": None,
    "alone": False,
    "level": None,
}
KEEP = f"Keep this, to come back: RETURN {TOKEN}\r\n"

# Each game: its client, what a server says before the link breaks, what it is asked then, its last words.
GAMES = {
    "gops": (gops, f"SET-ID~K7QX2\nTOKEN~{TOKEN}\n", f"RETURN~{TOKEN}", "END-GAME~over\n"),
    "rikiki": (
        rikiki,
        f"WELCOME rikiki 1\nOK JOIN K7QX2 1 {TOKEN}\n",
        f"REJOIN {TOKEN}",
        "OK REJOIN K7QX2\nGAMEOVER ann\nOK QUIT\n",
    ),
    "rikiki organizer": (
        rikiki,
        f"WELCOME rikiki 1\nOK NEW K7QX2 {TOKEN}\n",
        f"REJOIN {TOKEN}",
        "OK REJOIN K7QX2\nGAMEOVER ann\nOK QUIT\n",
    ),
    "lobby": (lobby, KEEP, f"RETURN {TOKEN}", "Goodbye, ann.\n"),
    "castle": (castle, KEEP, f"RETURN {TOKEN}", "Goodbye, ann.\n"),
}


class Server:
    """Breaks the first links off, and goes on with the next."""

    def __init__(self, said, last, breaks):
        self.said, self.last, self.breaks, self.heard = said, last, breaks, []

    async def serve(self, reader, writer):
        first = not self.heard
        self.heard.append([])
        lines = self.heard[-1]
        if self.said.startswith("WELCOME") and not first:
            writer.write(b"WELCOME rikiki 1\n")
        if first:
            writer.write(self.said.encode())
            await writer.drain()
        if len(self.heard) > self.breaks:
            while not any(word in line for line in lines for word in ("RETURN", "REJOIN")):
                lines.append((await reader.readline()).decode().strip())
            writer.write(self.last.encode())
        else:
            writer.write_eof()
        await reader.read()
        writer.close()


@asynccontextmanager
async def serving(server):
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    async with listening:
        yield listening.sockets[0].getsockname()


@pytest.fixture
def play(monkeypatch):
    """Let a client play at a server, with nobody typing; gives what the person was told, and how it ended."""
    monkeypatch.setattr(player, "WAITS", (0.0, 0.0, 0.0))

    def run(module, server):
        person, ended = Typist(*[None] * 20), []

        async def go():
            async with serving(server) as (host, port):
                found = []
                monkeypatch.setattr(player, "talk", lambda sit, words=None: found.append(sit) or 0)
                module.play(host, port, argparse.Namespace(**CHOSEN, game="any"))
                ended.append(await asyncio.wait_for(found[0](person), 30))

        try:
            asyncio.run(go())
        except player.GameClosed as closed:
            ended.append(str(closed))
        return person.told, ended[0]

    return run


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("breaks", [1, 3])
def test_a_link_that_breaks_is_made_anew_with_the_token(play, game, breaks):
    module, said, asked, last = GAMES[game]
    server = Server(said, last, breaks)
    told, _ = play(module, server)
    assert any("Trying to come back" in line for line in told)
    assert asked in server.heard[-1]


@pytest.mark.parametrize("game", GAMES)
def test_in_the_end_the_way_to_come_back_later_is_told(play, game):
    module, said, _, last = GAMES[game]
    server = Server(said, last, 99)
    _, ended = play(module, server)
    assert f"come back later with: parlour play {game.split()[0]} 127.0.0.1:" in ended
    assert ended.endswith(f"--token {TOKEN}")
    assert len(server.heard) == 4


def test_pass123_says_its_token_as_it_connects():
    connection = pass123.Client("127.0.0.1", 1, None)
    connection.token = TOKEN
    assert (connection.kind, connection.address) == ("pass123", ("127.0.0.1", 1))


def test_who_has_no_token_hears_that_the_link_is_gone(play):
    module, _, _, last = GAMES["gops"]
    _, ended = play(module, Server("SET-ID~K7QX2\n", last, 1))
    assert ended == "the server closed the connection"


def test_the_whole_patience_is_about_the_grace_of_a_seat():
    assert 50 <= sum(player.WAITS) <= 70
    assert terminal.talk is player.talk
