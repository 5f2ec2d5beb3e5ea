"""A client of 1-2-3 Pass for those who write bots, and the one that plays for people (``parlour play pass123``).

A whole bot, which passes its last card and hopes::

    async def play() -> None:
        async with Client("127.0.0.1", 8888) as client:
            async for message in client:
                if message.is_prompt and any(message.board.places):
                    client.tap()
                elif message.is_prompt:
                    client.name(message.board.hand[-1])

It speaks lines, so it hears of everything at once.  A message is a board, or one line; ``prefix`` is what stood
before its bar: ``True``, ``False``, ``Cont`` or ``Quit``.  Behind a board without one a code is expected.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence

from gamecore.cards import Card
from gamecore.errors import Malformed
from gamecore.games.pass123 import Finish, Pass, Tap
from protocols.clients.connection import Connection, way_back
from protocols.clients.player import TerminalPlayer, play_in_terminal
from protocols.clients.terminal import Terminal, first_of
from protocols.i18n.sanitize import clean
from protocols.pass123 import wire
from protocols.pass123.wire import Board, Message


class Client(Connection[Message]):
    """One player's link to a server; the game begins when the table is full, or somebody says START."""

    language = "1-2-3 Pass"
    kind = "pass123"

    def __init__(self, host: str, port: int, token: str | None = None) -> None:
        """Connects on entering ``async with``, with a token as the player it was given to."""
        super().__init__(host, port, token)
        self._comes_back = token is not None

    def reader(self) -> wire.MessageReader:
        """Read as a client that ends its lines."""
        return wire.MessageReader()

    async def greet(self) -> None:
        """Show at once that we read lines, and who we are if we come back."""
        self.say("" if self.token is None else wire.Return(self.token))

    async def hear(self) -> Message:
        """Wait for what the server says next; raises GameClosed if there is no more, or it is none of this wire."""
        message = await super().hear()
        # One who came back too slowly for the welcome was given a seat, and gives it up for the old one.
        while self._comes_back and message.token is not None:
            message = await super().hear()
        return message

    def note(self, message: Message) -> None:
        """Keep the token."""
        if message.token is not None and not self._comes_back:
            self.token = message.token

    def ends(self, message: Message) -> bool:
        """Tell whether the game is over, or was given up."""
        return message.is_last

    def name(self, card: Card) -> None:
        """Name the card to pass."""
        self.say(wire.Code(Pass(card)))

    def finish(self) -> None:
        """Say that the four cards are of one rank."""
        self.say(wire.Code(Finish()))

    def tap(self) -> None:
        """Tap, once somebody has finished."""
        self.say(wire.Code(Tap()))

    def start(self) -> None:
        """Begin with the players who are there."""
        self.say(wire.Start())

    def say(self, code: wire.Heard | str) -> None:
        """Send a code, or what is typed as one."""
        self.send_line(code if isinstance(code, str) else wire.write_code(code))


# -- for people -----------------------------------------------------------------------

_GATHERING = "START to begin with who is here, or wait:"
_CHOOSING = "A card to pass, or F to finish:"
_TAPPING = "T to tap, be quick:"


class PassPlayer(TerminalPlayer):
    """A person at a terminal, in one game."""

    words: Sequence[str] = ("START", "QUIT")

    def __init__(self, client: Client) -> None:
        self._client = client
        self._gathering = True
        self._prompt: str | None = _GATHERING  # none from a code on until it is answered
        self._changed = asyncio.Event()
        self._finished = False

    @property
    def status(self) -> int:
        """1 until the last board has come."""
        return int(not self._finished)

    async def listen(self, terminal: Terminal) -> None:
        """Show each message, to the last."""
        async for message in self._client:
            for line in self._shown(message):
                terminal.say(line)
            self._follow(message)
            self._finished = message.is_last and message.board is not None

    def _follow(self, message: Message) -> None:
        """Ask when a code is expected, and no longer when one was taken."""
        board = message.board
        if message.is_prompt and board is not None:
            tapping = any(board.places)
            self._prompt = _TAPPING if tapping else _CHOOSING
            self.words = ("T", "QUIT") if tapping else (*map(str, board.hand), "F", "QUIT")
            self._gathering = False
        elif message.prefix == "True":
            self._prompt = None
        elif self._gathering and message.token is None:
            self._prompt = _GATHERING  # that was why the game does not begin yet
        else:
            return
        self._changed.set()

    def _shown(self, message: Message) -> Sequence[str]:
        """Write a message for people, whatever the server put in it."""
        if message.board is not None:
            return _drawn(message.board, message.prefix)
        if message.given is not None:
            return [f"You get {message.given.signed}."]
        if message.token is not None:
            back = way_back("pass123", self._client.address, message.token)
            return [f"If the link breaks, come back with: {back}"]
        return [clean(message.text)]

    async def speak(self, terminal: Terminal) -> None:
        """Ask for a code whenever one is expected, until the person leaves."""
        while True:
            self._changed.clear()
            if self._prompt is None:
                await self._changed.wait()
                continue
            typed = await first_of(terminal.ask(self._prompt), self._changed)
            if typed is not None and self._send(typed, terminal):
                return

    def _send(self, typed: str, terminal: Terminal) -> bool:
        """Send what was typed if it is a code; True if it was to leave."""
        try:
            heard = wire.parse(typed.encode())
        except Malformed:
            terminal.say("Type a card like 10H, F to finish, T to tap, or QUIT.")
            return False
        self._client.say(heard)
        self._prompt = None
        return isinstance(heard, wire.Quit)


def _drawn(board: Board, prefix: str) -> Sequence[str]:
    hand = "  ".join(card.signed for card in board.hand)
    places = [f"P{number} {place}" for number, place in enumerate(board.places, 1) if place]
    lines = [f"Places: {', '.join(places)}"] if places else []
    if prefix == "Quit":
        place = board.places[board.number - 1]
        results = {1: "You have won.", len(board.places): "You are last: you have lost."}
        return [*lines, results.get(place, "The game is over.")]
    if prefix == "True":
        return [*lines, f"Your hand: {hand}   (waiting for the others)"]
    return [*lines, f"You are player {board.number} of {len(board.places)}. Your hand: {hand}"]


def play(host: str, port: int, args: argparse.Namespace) -> int:
    """Play 1-2-3 Pass at a server, as ``parlour play pass123`` does; gives the exit status."""
    if args.table or args.watch:
        print("parlour play: this game's own door seats people by itself", file=sys.stderr)
        return 2
    return play_in_terminal(Client(host, port, args.token), PassPlayer)
