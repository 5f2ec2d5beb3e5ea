"""A blocking client of Expanding Nim for those who write bots.

A whole bot, which takes one stone at a time::

    from protocols.nim.client import Client

    with Client("my name", True, ("127.0.0.1", 9000)) as client:  # True: we go first
        while not client.state["finished"]:
            state = client.make_move(1) if client.my_turn else client.receive_move()
    print(state["reason"])

The game begins when a second client is there that does not go first (``exp-nim -n you 127.0.0.1``, say).
Nothing but the standard library is needed to play. Each message is one JSON object and a line end, as
``wire`` shows them.
"""

from __future__ import annotations

import select
import socket
import sys
from contextlib import suppress
from operator import index
from typing import Any, Self

from protocols.clients.incoming import GameClosed, Incoming
from protocols.nim.terminal import (
    Interrupted,
    TypedLines,
    are_numbers,
    ask_move,
    print_state,
    read_reset,
    shown,
)
from protocols.nim.wire_messages import (
    Message,
    MessageReader,
    first_state,
    hello,
    kind_of,
    move,
    write,
)

__all__ = ["Client", "GameClosed", "Refused"]


class Refused(GameClosed):
    """The server does not let us play; the text is its reason."""


class Client:
    """One player's link to a server; the game begins when the other player is there too."""

    def __init__(
        self,
        name: str,
        goes_first: bool,
        address: tuple[str, int],
        *,
        table: str | None = None,
        timeout: float | None = None,
        resume: bool = False,
        token: str | None = None,
    ) -> None:
        """Connect, say who we are and wait until the game begins.

        Two players who name the same ``table`` meet there, if the server knows named tables.
        ``timeout`` is the most seconds to wait for the server each time, here and later (TimeoutError).
        With ``resume`` the server keeps the seat if the connection breaks, and ``self.token`` is what
        brings us back: another Client with this ``token`` goes on where the game stands, whatever its
        name and order.
        Raises OSError where nobody listens, Refused where the server does not let us play, GameClosed.
        """
        self.name = name
        self.token = token
        self.unanswered: tuple[int, bool] | None = None  # the move whose state has not come
        self.classic = False  # whether send_move() and get_move() speak as the original's do
        self.typed: TypedLines | None = None  # where send_move() reads, if not at sys.stdin
        self.order = 0 if goes_first else 1
        self._incoming = Incoming("Nim", MessageReader())
        self._socket = socket.create_connection(address, timeout)
        try:
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            first = hello(name, self.order, table, resume=resume)
            self._send(first if token is None else {"token": token})
            self._begin(self._receive())
        except BaseException:
            self.close()
            raise

    def _begin(self, start: Message) -> None:
        if kind_of(start) == "refusal":
            raise _refusal(start)
        start = {"init_max": 3, "game_time": 120} | start  # an older server names neither
        if not are_numbers(start, "init_stones", "init_resets", "init_max", "game_time"):
            raise GameClosed("the server did not begin a game of Nim")
        self.init_stones: int = start["init_stones"]
        self.init_resets: int = start["init_resets"]
        self.init_max: int = start["init_max"]
        self.game_time: int = start["game_time"]
        self.state: dict[str, Any] = first_state(self.init_stones, self.init_resets, self.init_max)
        self.my_turn = self.order == 0
        # A server that will not have us sends a game of nothing, so that any client can read on.
        if self.init_stones == self.init_resets == 0:
            raise _refusal(self._receive())
        if isinstance(start.get("token"), str):
            self._go_on(start)

    def _go_on(self, start: Message) -> None:
        """Take up a game that is kept for us, perhaps in its middle."""
        self.token = start["token"]
        self.order = 1 if start.get("order") == 1 else 0
        if start.get("resumed") is True:
            self._receive_state()
        self.my_turn = start.get("your_turn") is True

    def make_move(self, num_stones: int, reset: bool | int | str = False) -> dict[str, Any]:
        """Take stones, perhaps with a reset, and give the state behind this move.

        Raises GameClosed when the game cannot go on, ValueError for a reset that is text and no reset.

        The state always has these keys:

        ``finished``        whether the game is over
        ``reason``          what ended it, or None
        ``winner``          the name of who won, or None
        ``current_max``     how many stones the next move may take
        ``stones_left``     how many there are
        ``stones_removed``  how many this move asked for
        ``reset_used``      whether it asked for a reset
        ``player_0``        who moves first: a dict of ``resets_left``, ``time_taken``, ``name``
        ``player_1``        the other one
        """
        flag = read_reset(reset) if isinstance(reset, str) else bool(reset)
        self.unanswered = index(num_stones), flag
        self._send(move(*self.unanswered, self.order))
        state = self._receive_state()
        self.unanswered, self.my_turn = None, False
        return state

    def receive_move(self) -> dict[str, Any]:
        """Wait for the other player's move and give the state behind it; raises GameClosed."""
        state = self._receive_state()
        self.my_turn = not state["finished"]
        return state

    def send_move(self) -> dict[str, Any]:
        """Make the move on the next line of input, ``%d %d``, print and give the state behind it.

        Raises EOFError when there is no more input, GameClosed.
        """
        try:
            typed = ask_move(self)
        except Interrupted:
            return self.get_move()
        state = self.make_move(*typed)
        print_state(self, mine=True)
        return state

    def wait_to_type(self) -> bool:
        """Wait until something was typed; False if the server says something first."""
        if self._incoming.waits:
            return False
        typed = self.typed or sys.stdin
        if isinstance(typed, TypedLines) and typed.waits:
            return True
        ready, _, _ = select.select([typed, self._socket], [], [])
        # What a program has said already counts: its move is sent again if the link broke, its end is the end.
        return typed in ready and (self._socket not in ready or not typed.isatty())

    def get_move(self) -> dict[str, Any]:
        """Wait for the other player's move, print and give the state behind it; raises GameClosed."""
        state = self.receive_move()
        print_state(self, mine=False)
        return state

    def close(self) -> None:
        """Leave; who leaves a running game loses it."""
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def _send(self, message: Message) -> None:
        # A server that has closed may have said why; those words can still be read.
        with suppress(ConnectionError):
            self._socket.sendall(write(message))

    def _receive(self) -> Message:
        while (message := self._incoming.next()) is None:
            try:
                data = self._socket.recv(65536)
            except ConnectionError as error:
                raise GameClosed("the connection to the server broke") from error
            self._incoming.take(data)
        return message

    def _receive_state(self) -> dict[str, Any]:
        if self.state["finished"]:
            raise GameClosed(f"the game is over: {shown(self.state['reason'])}")
        found = self._receive()
        if kind_of(found) == "pause":
            raise GameClosed(shown(found.get("reason") or "the server is closing"))
        # What a final word may leave out stands as it stood.
        state = self.state | {"stones_removed": 0, "reset_used": False} | found
        players = isinstance(state["player_0"], dict) and isinstance(state["player_1"], dict)
        numbers = are_numbers(state, "current_max", "stones_left", "stones_removed")
        if kind_of(found) not in ("state", "end", "refusal") or not players or not numbers:
            raise GameClosed("the server sent what is no state of the game")
        self.state = state
        return state


def _refusal(message: Message) -> Refused:
    return Refused(shown(message.get("reason") or "the server gives no reason"))
