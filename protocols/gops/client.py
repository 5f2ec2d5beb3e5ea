"""A client of GOPS for those who write bots, and the one that plays for people (``parlour play gops``).

A whole bot, which bids its highest card where there is much to win, and else its lowest::

    async def play() -> None:
        async with Client("my name", "127.0.0.1", 6070) as client:
            client.join("K7QX2")
            async for message in client:
                if message.command == "YOUR-TURN":
                    much = sum(client.prizes) > 6
                    client.play(max(client.hand) if much else min(client.hand))

It speaks lines, or frames for a server that knows nothing else.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence

from protocols.clients.connection import Connection, way_back
from protocols.clients.player import TerminalPlayer, play_in_terminal
from protocols.clients.terminal import Terminal, first_of
from protocols.gops import wire
from protocols.gops.text import RANKS, read_value
from protocols.gops.wire import Message, MessageReader
from protocols.i18n.sanitize import printable


class Client(Connection[Message]):
    """One link to a server; one game after another can be played over it."""

    language = "GOPS"
    kind = "gops"

    def __init__(self, name: str | None, host: str, port: int, *, frames: bool = False) -> None:
        """Connects, and says the name, on entering ``async with``."""
        super().__init__(host, port)
        self.name = name
        self.code = ""
        """The game that we are in, or were in last."""
        self.hand: tuple[int, ...] = ()
        """The cards that we hold, from 1, the ace, to 13, the king."""
        self.prizes: tuple[int, ...] = ()
        """The prizes that are played for; more than one after a tie."""
        self._frames = frames

    def reader(self) -> MessageReader:
        """Read frames or lines, as we write them."""
        return MessageReader(self._frames)

    async def greet(self) -> None:
        """Say the name, if there is one."""
        if self.name is not None:
            self.say(wire.SetName(self.name))

    def create(self) -> None:
        """Open a game; its code comes with SET-ID."""
        self.say(wire.Create())

    def join(self, code: str, password: str = "") -> None:
        """Ask for a seat in a game: the answer is TRUE or FALSE."""
        self.say(wire.Join(code, password))

    def look_on(self, code: str, password: str = "") -> None:
        """Ask to look on at a game: the answer is TRUE or FALSE."""
        self.say(wire.Spectate(code, password))

    def come_back(self, token: str) -> None:
        """Ask for the seat that a token was given for: the answer is TRUE or FALSE."""
        self.say(wire.Return(token))

    ask_again = come_back

    def play(self, card: int) -> None:
        """Lay a card: 1 is the ace, 11 to 13 are jack, queen and king."""
        self.say(wire.PlayTurn(self.code, card))

    def say(self, request: wire.Request) -> None:
        """Send a message."""
        self.send((wire.frame if self._frames else wire.line)(wire.write_request(request)))

    def note(self, message: Message) -> None:
        """Keep the code of the game, the token, the cards and the prizes."""
        match message.command:
            case "SET-ID":
                self.code = message.text.strip()
            case "TOKEN":
                self.token = message.text.strip()
            case "END-GAME":
                self.token = None  # there is nothing to come back to
        self.hand = self.hand if message.hand is None else message.hand
        self.prizes = self.prizes if message.prizes is None else message.prizes

    def ends(self, message: Message) -> bool:
        """Tell whether a game is over."""
        return message.command == "END-GAME"


# -- for people -----------------------------------------------------------------------

_MENU = "START to open a game, JOIN ID or WATCH ID, QUIT:"
_MENU_WORDS = ("START", "JOIN", "WATCH", "QUIT")


class GopsPlayer(TerminalPlayer):
    """A person at a terminal, in a game or between two."""

    words: Sequence[str] = _MENU_WORDS

    def __init__(self, client: Client, once: bool) -> None:
        """With ``once`` there is no other game after the first."""
        self._client = client
        self._once = once
        self._free = not once
        self._prompt: str | None = None  # of our turn, while it is
        self._changed = asyncio.Event()
        self._failed = False

    @property
    def status(self) -> int:
        """1 in the middle of a game, and for one who came for one game and was refused."""
        return int(not self._free or (self._failed and self._once))

    async def listen(self, terminal: Terminal) -> None:
        """Show each message, until the one game is over that the person came for."""
        while True:
            message = await self._client.hear()
            terminal.say(self._shown(message))
            if message.command in ("END-GAME", "FALSE"):
                self._failed = message.command == "FALSE"
                self._free, self._prompt, self.words = True, None, _MENU_WORDS
                if self._once:
                    return
            elif message.command == "YOUR-TURN":
                self._prompt = "Your card:"
            elif message.hand is not None:
                self.words = [RANKS[card] for card in message.hand]
            self._changed.set()

    def _shown(self, message: Message) -> str:
        text = printable(message.text)
        if message.command == "TOKEN":
            back = way_back("gops", self._client.address, text)
            return f"If the link breaks, come back with: {back}"
        return f"The game is {text}." if message.command == "SET-ID" else text

    async def speak(self, terminal: Terminal) -> None:
        """Ask for a card on each turn, and for a game between two."""
        while not (self._free and self._once):
            self._changed.clear()
            if self._free:
                if await self._choose(terminal):
                    return
            elif self._prompt is not None:
                await self._lay(terminal, self._prompt)
            else:
                await self._changed.wait()

    async def _choose(self, terminal: Terminal) -> bool:
        """Let the person choose a game; True if they have had enough."""
        words = (await terminal.ask(_MENU)).split()
        match [word.upper() for word in words]:
            case ["QUIT"]:
                return True
            case ["START"]:
                self._client.create()
            case ["JOIN", _]:
                self._client.join(words[1])
            case ["WATCH", _]:
                self._client.look_on(words[1])
            case _:
                terminal.say("Say START, JOIN and the ID of a game, WATCH and an ID, or QUIT.")
                return False
        self._free = False
        return False

    async def _lay(self, terminal: Terminal, prompt: str) -> None:
        typed = await first_of(terminal.ask(prompt), self._changed)
        if typed is None:  # the game has ended meanwhile, or we are asked anew
            return
        card = read_value(typed)
        if card is None:
            terminal.say(f"Say a card: {' '.join(RANKS[1:])}, or its number.")
            return
        self._prompt = None
        self._client.play(card)


def play(host: str, port: int, args: argparse.Namespace) -> int:
    """Play GOPS at a server, as ``parlour play gops`` does; gives the exit status."""

    def seat(client: Client) -> GopsPlayer:
        requests = (
            (client.join, args.table),
            (client.look_on, args.watch),
            (client.come_back, args.token),
        )
        client.token = args.token
        chosen = [(request, what) for request, what in requests if what]
        for request, what in chosen:
            request(what)
        return GopsPlayer(client, once=bool(chosen))

    return play_in_terminal(Client(args.name, host, port), seat)
