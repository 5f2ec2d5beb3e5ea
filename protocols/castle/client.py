"""A client of Castle Wars for those who write bots, and the one that plays for people (``parlour play castle``).

A whole bot, which keeps its hand, draws, and ends its turns::

    async def play() -> None:
        async with Client("127.0.0.1", 3789) as client:
            await client.join("my name", SOLO="easy")
            async for message in client:
                if message["COMMAND"] == "MULLIGAN_OFFER":
                    client.say("GAME_START_ACCEPT")
                elif message["COMMAND"] == "TURN_START" and message["PLAYER_ID"] == client.seat:
                    client.say("TURN_END")
                elif message.get("AWAITED") == client.seat:
                    client.say("ALLOW_ACTION")

What a message holds is said in ``wire``.  People speak the words of the lobby over the same port, and
the server does all that is to be said; what stays here is the terminal.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import ClassVar

from gamecore.errors import Refused
from gamecore.games.castle import RULES, Deck
from protocols.castle.text import TEXT
from protocols.castle.text_cards import TITLES
from protocols.castle.wire import Message, MessageReader, write_request
from protocols.clients.connection import Connection
from protocols.clients.player import play_in_terminal
from protocols.lobby.client import LobbyConnection, LobbyPlayer, say_first
from protocols.lobby.commands import Commands

_USUAL = {"PASSWORD": "", "EXTENSIONS": False}  # which says that we are no original client


class Client(Connection[Message]):
    """A program's link to a server; the messages of one game are gone through with ``async for``."""

    language: ClassVar[str] = "Castle Wars"
    kind: ClassVar[str] = RULES.kind

    def __init__(self, host: str, port: int) -> None:
        super().__init__(host, port)
        self.seat: int | None = None
        """Our number in the game, once we have joined; with EXTENSIONS there is a token beside it."""

    def reader(self) -> MessageReader:
        """Read messages."""
        return MessageReader()

    async def join(self, name: str, deck: Sequence[int] | None = None, **more: object) -> None:
        """Join a game with a deck (a usual one if none is given).

        ``deck`` holds the numbers of fifty cards and of the castle; ``more`` are other fields of JOIN_GAME.
        Raises Refused with the server's code and its ``text``, or GameClosed.
        """
        usual = Deck()
        numbers = [*usual.cards, usual.castle] if deck is None else list(deck)
        self.say("JOIN_GAME", **{**_USUAL, "USERNAME": name, "DECK_DATA": numbers, **more})
        await self._be_welcomed()

    async def come_back(self, token: str) -> None:
        """Take our seat again; raises Refused, GameClosed as ``join`` does."""
        self.say("REJOIN_GAME", TOKEN=token)
        await self._be_welcomed()

    async def _be_welcomed(self) -> None:
        message = await self.answer(lambda told: told["COMMAND"] in ("JOIN_GAME_RESP", "ERROR"))
        if not message.get("SUCCESS"):
            raise Refused(str(message.get("CODE")), text=str(message.get("MESSAGE")))
        self.seat, self.token = message["PLAYER_ID"], message.get("TOKEN", self.token)

    def say(self, command: str, **fields: object) -> None:
        """Send a command."""
        self.send(write_request(command, **fields))

    def ends(self, message: Message) -> bool:
        """Tell whether the game is over."""
        return bool(message["COMMAND"] == "GAME_END")


# -- for people -----------------------------------------------------------------------


class WordsConnection(LobbyConnection):
    """A person's link to the port, over which words are spoken."""

    language = "Castle Wars"
    kind = RULES.kind


class CastlePlayer(LobbyPlayer):
    """A person at a terminal, who speaks the words of the lobby about this one game."""

    words: Sequence[str] = (
        *(
            word.upper()
            for word in (*Commands(RULES.kind).known, *TEXT.verbs, *TEXT.extra_commands)
        ),
        *dict.fromkeys(word for title in TITLES for word in title.split() if word != "-"),
    )


def play(host: str, port: int, args: argparse.Namespace) -> int:
    """Play Castle Wars at a server, as ``parlour play castle`` does; gives the exit status."""

    def seat(client: WordsConnection) -> CastlePlayer:
        return CastlePlayer(client, say_first(client, args, ""))

    return play_in_terminal(WordsConnection(host, port), seat)


play.alone = True  # type: ignore[attr-defined]  # see protocols.cli.play
