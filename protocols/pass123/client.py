"""A client of 1-2-3 Pass for those who write bots, and the one that plays for people (``parlour play pass123``).

A whole bot, which passes its last card and hopes::

    async def play() -> None:
        async with Client("127.0.0.1", 8888) as client:
            async for message in client:
                board = message.board
                if message.prefix == "" and board is not None:
                    client.say("T" if any(board.places) else board.hand[-1])

It speaks lines, so it hears of everything at once.  A message is a board, or one line; ``prefix`` is what stood
before its bar: ``True``, ``False``, ``Cont`` or ``Quit``.  Behind a board without one a code is expected.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
from collections.abc import Sequence
from typing import Self

from attrs import frozen

from gamecore.cards import read_card
from gamecore.errors import Malformed
from protocols.clients.connection import Connection, way_back
from protocols.clients.player import TerminalPlayer, play_in_terminal
from protocols.clients.terminal import Terminal, first_of
from protocols.i18n.sanitize import clean
from protocols.pass123 import wire

_STARS = re.compile(r"\*{5,}")
_BOARD_LINES = 7
_NUMBER = re.compile(r"You are P([0-9]{1,2})")
_WHOLE = re.compile(r"\d{1,3}")
_PREFIXES = ("True", "False", "Cont", "Quit")
_GIVEN = re.compile(r"G([0-9]{1,2})(10[HDCS]|[2-9JQKA][HDCS])")


@frozen
class Board:
    """What a player sees: its number from 1, the place of each (0 for none yet), and its hand."""

    number: int
    places: tuple[int, ...]
    hand: tuple[str, ...]


@frozen
class Message:
    """One thing that a server says: a line, or a board."""

    prefix: str
    text: str
    board: Board | None = None

    @property
    def is_prompt(self) -> bool:
        """Whether a code is expected."""
        return self.board is not None and not self.prefix

    @property
    def is_last(self) -> bool:
        """Whether the game is over, or was given up."""
        return self.prefix == "Quit"


class Client(Connection):
    """One player's link to a server; the game begins when the table is full, or somebody says START."""

    language = "1-2-3 Pass"
    kind = "pass123"

    def __init__(self, host: str, port: int, token: str | None = None) -> None:
        """Connects on entering ``async with``, with a token as the player it was given to."""
        super().__init__(host, port, token)
        self._comes_back = token is not None
        self._ended = False

    async def greet(self) -> None:
        """Show at once that we read lines, and who we are if we come back."""
        self.say("" if self.token is None else f"RETURN {self.token}")

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Message:
        if self._ended:
            raise StopAsyncIteration
        return await self.hear()

    def say(self, code: str) -> None:
        """Send a code: a card, F, T, START or QUIT."""
        self.send_line(code)

    async def hear(self) -> Message:
        """Wait for what the server says next; raises GameClosed if there is no more."""
        line = await self.read_line()
        # One who came back too slowly for the welcome was given a seat, and gives it up for the old one.
        while not line.strip() or (self._comes_back and line.startswith("TOKEN ")):
            line = await self.read_line()
        prefix, bar, text = line.partition("|")
        if not bar or prefix not in _PREFIXES:
            prefix, text = "", line
        if text.startswith("TOKEN "):
            self.token = text.removeprefix("TOKEN ").strip()
        self._ended = prefix == "Quit"
        if not _STARS.fullmatch(text):
            return Message(prefix, text)
        lines = [await self.read_line() for _ in range(_BOARD_LINES)]
        with self.reading():
            return Message(prefix, "", read_board(lines))


def read_board(lines: Sequence[str]) -> Board:
    """Read a board from the lines below its first; raises ValueError if it is none."""
    players, places, _, who, _, hand, stars = lines
    number = _NUMBER.fullmatch(who)
    known = all(map(_WHOLE.fullmatch, places.split()))
    if number is None or not known or not _STARS.fullmatch(stars):
        raise ValueError("no board")
    board = Board(int(number[1]), tuple(map(int, places.split())), tuple(hand.split()))
    if len(board.places) != len(players.split()) or not 1 <= board.number <= len(board.places):
        raise ValueError("no board")
    return Board(board.number, board.places, tuple(str(read_card(card)) for card in board.hand))


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
            self.words = ("T", "QUIT") if tapping else (*board.hand, "F", "QUIT")
            self._gathering = False
        elif message.prefix == "True":
            self._prompt = None
        elif self._gathering and not message.text.startswith("TOKEN "):
            self._prompt = _GATHERING  # that was why the game does not begin yet
        else:
            return
        self._changed.set()

    def _shown(self, message: Message) -> Sequence[str]:
        """Write a message for people, whatever the server put in it."""
        if message.board is not None:
            return _drawn(message.board, message.prefix)
        given = _GIVEN.fullmatch(message.text)
        if given is not None:
            return [f"You get {read_card(given[2]).signed}."]
        if message.text.startswith("TOKEN "):
            back = way_back("pass123", self._client.address, self._client.token or "")
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
        self._client.say(typed)
        self._prompt = None
        return isinstance(heard, wire.Quit)


def _drawn(board: Board, prefix: str) -> Sequence[str]:
    hand = "  ".join(read_card(card).signed for card in board.hand)
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
