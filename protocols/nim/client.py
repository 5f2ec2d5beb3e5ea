"""A blocking client of Expanding Nim for those who write bots, and the ``exp-nim`` command.

A whole bot, which takes one stone at a time::

    from protocols.nim.client import Client

    with Client("my name", True, ("127.0.0.1", 9000)) as client:  # True: we go first
        my_turn = True
        while not client.state["finished"]:
            state = client.make_move(1) if my_turn else client.receive_move()
            my_turn = not my_turn
    print(state["reason"])

Nothing but the standard library is needed to play. Each message is one JSON object and a line end::

    to the server   {"name": "my name", "order": 0}
                    {"order": 0, "num_stones": 3, "reset": false}
    from it         {"init_stones": 40, "init_resets": 2, "game_time": 120, "init_max": 3}
                    {"finished": false, "current_max": 4, "stones_left": 37, ...}
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import socket
import sys
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from operator import index
from typing import Any, Self

from protocols.objects import ObjectStream
from protocols.text import clean

__all__ = ["Client", "GameClosed", "Refused", "main"]

_HELP = """\
Play one game of Expanding Nim, by hand or from another program. Take at least one stone and at
most the maximum; who takes the last stone wins. After N stones the maximum is at least N + 1."""

_MORE_HELP = """\
A move is a line "%d %d": how many stones to take, and whether to reset the maximum for the move
of the other player. The second word may be missing. 0, false, no, n and off mean no reset;
1, true, yes, y, on and any other whole number mean a reset. A line that is no move is skipped,
with a word on standard error. A move against the rules loses the game.

In a terminal you are asked for each move and told what happened in plain words. If standard
output is no terminal there is one line "start", and one line "state" for each move of either
player. Both hold the same words, one blank apart, in this order (here broken to fit):

  start your_turn=1 stones_left=40 current_max=3 your_resets=2 their_resets=2
    your_seconds=120.0 their_seconds=120.0 stones_removed=0 reset_used=0 finished=0 result=-
    reason=-

Write a move, and flush it, after each line with your_turn=1. In the last line finished is 1, result
is won, lost, or over if the names do not tell who won, and reason is all the rest of the line.

  printf '3 0\\n4 1\\n' | exp-nim -f -n me 192.168.1.5:9000
  mkfifo pipe; ./my-player < pipe | exp-nim -n me 192.168.1.5:9000 > pipe

Exit status: 0 game played to its end, 1 not so (no more moves, refused), 2 usage, 130 interrupted."""

_MOST_SHOWN = 200
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
_NO_RESET = ("false", "no", "n", "off")
_RESET = ("true", "yes", "y", "on")


class GameClosed(ConnectionError):
    """The game cannot go on: the connection is gone, or the server said what is no Nim."""


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
    ) -> None:
        """Connect, say who we are and wait until the game begins.

        Two players who name the same ``table`` meet there, if the server knows named tables.
        ``timeout`` is the most seconds to wait for the server each time, here and later.
        """
        self.name = name
        self.order = 0 if goes_first else 1
        self._stream = ObjectStream(limit=65536)
        self._unread: deque[bytes] = deque()
        self._socket = socket.create_connection(address, timeout)
        try:
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            named = {} if table is None else {"table": table}
            self._send({"name": name, "order": self.order, **named})
            self._begin(self._receive())
        except BaseException:
            self.close()
            raise

    def _begin(self, start: dict[str, Any]) -> None:
        if "init_stones" not in start and "reason" in start:
            raise _refusal(start)
        start = {"init_max": 3, "game_time": 120} | start  # an older server names neither
        if not _are_numbers(start, "init_stones", "init_resets", "init_max", "game_time"):
            raise GameClosed("the server did not begin a game of Nim")
        self.init_stones: int = start["init_stones"]
        self.init_resets: int = start["init_resets"]
        self.init_max: int = start["init_max"]
        self.game_time: int = start["game_time"]
        self.state: dict[str, Any] = {
            "finished": False,
            "reason": None,
            "winner": None,
            "current_max": self.init_max,
            "stones_left": self.init_stones,
            "stones_removed": 0,
            "reset_used": False,
            "player_0": {"resets_left": self.init_resets, "time_taken": 0, "name": ""},
            "player_1": {"resets_left": self.init_resets, "time_taken": 0, "name": ""},
        }
        # A server that will not have us sends a game of nothing, so that any client can read on.
        if self.init_stones == self.init_resets == 0:
            raise _refusal(self._receive())

    def make_move(self, num_stones: int, reset: bool | int | str = False) -> dict[str, Any]:
        """Take stones, perhaps with a reset, and give the state behind this move.

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
        flag = _read_reset(reset) if isinstance(reset, str) else bool(reset)
        self._send({"order": self.order, "num_stones": index(num_stones), "reset": flag})
        return self._receive_state()

    def receive_move(self) -> dict[str, Any]:
        """Wait for the other player's move and give the state behind it, as ``make_move`` does."""
        return self._receive_state()

    def send_move(self) -> dict[str, Any]:
        """Make the move on the next line of input, ``%d %d``, print and give the state behind it."""
        state = self.make_move(*_ask_move(self))
        _print_state(self, mine=True)
        return state

    def get_move(self) -> dict[str, Any]:
        """Wait for the other player's move, print and give the state behind it."""
        state = self.receive_move()
        _print_state(self, mine=False)
        return state

    def close(self) -> None:
        """Leave; who leaves a running game loses it."""
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def _send(self, message: dict[str, object]) -> None:
        # A server that has closed may have said why; those words can still be read.
        with suppress(ConnectionError):
            self._socket.sendall(json.dumps(message).encode() + b"\n")

    def _receive(self) -> dict[str, Any]:
        while not self._unread:
            if self._stream.broken:
                raise GameClosed(f"the server does not speak Nim: {self._stream.broken}")
            try:
                data = self._socket.recv(65536)
            except ConnectionError as error:
                raise GameClosed("the connection to the server broke") from error
            if not data:
                raise GameClosed("the server closed the connection before the end of the game")
            self._unread.extend(self._stream.feed(data))
        try:
            message: dict[str, Any] = json.loads(self._unread.popleft())
        except (ValueError, RecursionError) as error:
            raise GameClosed("the server sent what is no JSON") from error
        return message

    def _receive_state(self) -> dict[str, Any]:
        if self.state["finished"]:
            raise GameClosed(f"the game is over: {_shown(self.state['reason'])}")
        found = self._receive()
        # What a final word may leave out stands as it stood.
        state = self.state | {"stones_removed": 0, "reset_used": False} | found
        players = isinstance(state["player_0"], dict) and isinstance(state["player_1"], dict)
        numbers = _are_numbers(state, "current_max", "stones_left", "stones_removed")
        if "finished" not in found or not players or not numbers:
            raise GameClosed("the server sent what is no state of the game")
        self.state = state
        return state


def _shown(text: object) -> str:
    """Make what was told or typed fit for a line on a terminal."""
    return clean(str(text), _MOST_SHOWN)


def _are_numbers(message: dict[str, Any], *keys: str) -> bool:
    values = map(message.get, keys)
    return all(isinstance(value, int | float) and abs(value) < 1e9 for value in values)


def _refusal(message: dict[str, Any]) -> Refused:
    return Refused(_shown(message.get("reason") or "the server gives no reason"))


def _read_reset(word: str) -> bool:
    """Read a reset as people write it, so that "0" is none; ValueError if it is neither."""
    if _NUMBER.fullmatch(word):
        return int(word) != 0
    if word.lower() not in _RESET + _NO_RESET:
        raise ValueError(f"a reset is 0 or 1, not {_shown(word)!r}")
    return word.lower() in _RESET


def _read_move(line: str) -> tuple[int, bool]:
    """Read a move as it is typed; ValueError if it is none."""
    match line.split():
        case [stones, *reset] if _NUMBER.fullmatch(stones) and len(reset) < 2:
            return int(stones), any(map(_read_reset, reset))
    raise ValueError("a move is a number of stones, and perhaps 1 for a reset")


def _ask_move(client: Client) -> tuple[int, bool]:
    """Take the next move from standard input, past any line that is none."""
    person = sys.stdin.isatty()
    while True:
        if person:  # standard output is for states only
            print(_prompt(client), end=" ", file=sys.stderr, flush=True)
        line = _read_line()
        if not line:
            print(end="\n" * person, file=sys.stderr)
            raise EOFError("there are no more moves to make")
        try:
            return _read_move(line)
        except ValueError:
            advice = "Type how many stones to take, as 3, or 3 1 to reset too."
            print(advice if person else f"exp-nim: no move: {_shown(line)!r}", file=sys.stderr)


def _read_line() -> str:
    """Read a line of which no more than its beginning is kept."""
    line = part = sys.stdin.readline(4096)
    while part and not part.endswith("\n"):
        part = sys.stdin.readline(4096)
    return line


def _count(number: float, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _player(client: Client, who: int) -> tuple[str, str, str]:
    """Tell our own (0) or the other player's (1) name, resets and seconds left."""
    player = client.state[f"player_{client.order ^ who}"]
    name = _shown(player.get("name", ""))
    if not _are_numbers(player, "resets_left", "time_taken"):
        return name, "?", "?"
    return name, str(player["resets_left"]), f"{client.game_time - player['time_taken']:.1f}"


def _result(client: Client) -> str:
    """Tell how the game ended: ``won``, ``lost``, or ``over`` if the names do not show it."""
    names = [_player(client, 0)[0], _player(client, 1)[0]]
    winner = _shown(client.state["winner"])
    return ("won", "lost")[names.index(winner)] if names.count(winner) == 1 else "over"


def _line(word: str, client: Client, my_turn: bool) -> str:
    """Write a state for a program to read."""
    state = client.state
    _, my_resets, my_seconds = _player(client, 0)
    _, resets, seconds = _player(client, 1)
    return (
        f"{word} your_turn={my_turn and not state['finished']:d}"
        f" stones_left={state['stones_left']} current_max={state['current_max']}"
        f" your_resets={my_resets} their_resets={resets}"
        f" your_seconds={my_seconds} their_seconds={seconds}"
        f" stones_removed={state['stones_removed']} reset_used={bool(state['reset_used']):d}"
        f" finished={bool(state['finished']):d}"
        f" result={_result(client) if state['finished'] else '-'}"
        f" reason={_shown(state['reason'] or '-')}"
    )


def _start_text(client: Client) -> str:
    stones = _count(client.init_stones, "stone")
    each = f"{_count(client.init_resets, 'reset')} and {_count(client.game_time, 'second')} each"
    first = "The other player moves" if client.order else "You move"
    return f"The game begins: {stones}, at most {client.init_max} now, {each}. {first} first."


def _state_text(client: Client, mine: bool) -> str:
    state = client.state
    if state["finished"]:
        result = {"won": "\nYou won.", "lost": "\nYou lost."}.get(_result(client), "")
        return _shown(state["reason"] or "The game is over.") + result
    name = _player(client, 1)[0] or "the other player"
    reset = " and reset" if state["reset_used"] else ""
    return (
        f"{'You' if mine else name} took {_count(state['stones_removed'], 'stone')}{reset}."
        f" {_count(state['stones_left'], 'stone')} left, at most {state['current_max']} next."
        + (f" Waiting for {name}." if mine else "")
    )


def _prompt(client: Client) -> str:
    _, resets, seconds = _player(client, 0)
    most = client.state["current_max"]
    return f"Your move, 1 to {most} (resets left {resets}, seconds left {seconds}):"


def _print_state(client: Client, mine: bool) -> None:
    told = _state_text(client, mine) if sys.stdout.isatty() else _line("state", client, not mine)
    print(told, flush=True)


def _address(text: str) -> tuple[str, int]:
    """Read HOST, HOST:PORT or [HOST]:PORT."""
    plain = re.fullmatch(r"([^:\[\]]+)(?::([0-9]{1,5}))?", text)
    match = plain or re.fullmatch(r"\[([^\[\]]+)\](?::([0-9]{1,5}))?", text)
    if match is None or not 0 < (port := int(match[2] or 9000)) < 65536:
        raise argparse.ArgumentTypeError(f"{_shown(text)!r} is no IP:port")
    return match[1], port


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("exp-nim", description=_HELP, epilog=_MORE_HELP)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("-f", "--first", action="store_true", help="you are the first player")
    parser.add_argument("-n", "--name", required=True, help="a name of your choice")
    parser.add_argument("--table", metavar="NAME", help="meet who names the same table")
    where = "the server, as 192.168.1.5:9000 or [::1]:9000; without a port it is 9000"
    parser.add_argument("address", metavar="IP:port", type=_address, help=where)
    return parser


def _play(options: argparse.Namespace) -> None:
    person = sys.stdout.isatty()
    if person:
        print("Waiting for the server and the other player.", flush=True)
    with Client(options.name, options.first, options.address, table=options.table) as client:
        print(_start_text(client) if person else _line("start", client, options.first), flush=True)
        my_turn = options.first
        while not client.state["finished"]:
            (client.send_move if my_turn else client.get_move)()
            my_turn = not my_turn


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``exp-nim`` and give its exit status."""
    options = _options().parse_args(argv)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # no odd byte or letter shall end a game
    try:
        _play(options)
    except KeyboardInterrupt:
        print(file=sys.stderr)  # behind a prompt
        return 130
    except BrokenPipeError:
        # Nobody reads what we print. The interpreter must not try once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (OSError, EOFError, UnicodeError) as problem:
        text = f"exp-nim: {getattr(problem, 'strerror', None) or problem}"
        if not isinstance(problem, GameClosed | EOFError):
            text += " ({} port {})".format(*options.address)
        print(_shown(text), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
