"""
The load: one process that plays all games at once, as fast as they are answered.

    python -m tests.bench.load PORT --wire nim|echo --games G --seconds S
                               [--server GROUP] [--core C]

Each player moves as soon as it has read the opponent's move, so there is always one move under way
in every game.  What was measured is printed as one JSON object.  Nothing is parsed: lines are
counted, for this process must not be what limits the server.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import select
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import perf_counter, process_time
from typing import Protocol

from attrs import define, field

HOST = "127.0.0.1"
MOVE = b'{"num_stones": 1, "reset": false}\n'
GOES_ON = b'"finished": false'
READ = 65536
WARM_UP = 0.5
PATIENCE = 3.0  # when nobody is answered for so long, the server is stuck
TO_START = 10.0

Note = Callable[[float], None]


class Broken(Exception):
    """The server did not do what a game needs."""


class Link(Protocol):
    """One connection and what it waits for."""

    sock: socket.socket
    sent_at: float

    def move(self) -> None:
        """Send what the server is to answer."""

    def hear(self, note: Note) -> None:
        """Read what has come, note how long it took, and go on."""


@define(eq=False)
class Buffer:
    """What a socket has sent, in whole lines."""

    sock: socket.socket
    _rest: bytes = b""

    def read(self) -> bytes:
        """Read lines; nothing while one is still in pieces."""
        data = self.sock.recv(READ)
        if not data:
            raise Broken("the server closed a connection")
        if self._rest:
            data, self._rest = self._rest + data, b""
        if data.endswith(b"\n"):
            return data
        self._rest = data
        return b""


@define(eq=False)
class Echoed:
    """A line goes out and comes back."""

    sock: socket.socket
    sent_at: float = 0.0
    _buffer: Buffer = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._buffer = Buffer(self.sock)

    def move(self) -> None:
        self.sent_at = perf_counter()
        self.sock.send(MOVE)

    def hear(self, note: Note) -> None:
        if self._buffer.read():
            note(perf_counter() - self.sent_at)
            self.move()


@define(eq=False)
class Player:
    """One side of a game; it hears of its own move first and of the opponent's next."""

    sock: socket.socket
    sent_at: float = 0.0
    opponent: Player = field(init=False)
    _own_next: bool = False
    _buffer: Buffer = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._buffer = Buffer(self.sock)

    def move(self) -> None:
        self._own_next = True
        self.sent_at = perf_counter()
        self.sock.send(MOVE)

    def hear(self, note: Note) -> None:
        data = self._buffer.read()
        lines = data.count(b"\n")
        if data.count(GOES_ON) != lines:
            raise Broken(f"a game ended: {data.decode(errors='replace').strip()}")
        if self._own_next and lines:
            self._own_next = False
            lines -= 1
        if lines == 1:
            note(perf_counter() - self.opponent.sent_at)
            self.move()
        elif lines:
            raise Broken("a player was told of more moves than were made")


# -- before the clock runs ----------------------------------------------------


def connect(port: int) -> socket.socket:
    """Open one connection that sends small messages at once."""
    sock = socket.create_connection((HOST, port), timeout=TO_START)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


def read_start(sock: socket.socket) -> None:
    """Wait for the object that starts a game."""
    data = b""
    while not data.endswith(b"\n"):
        chunk = sock.recv(READ)
        if not chunk:
            raise Broken("the server closed a connection before its game began")
        data += chunk
    if b"init_stones" not in data or data.count(b"\n") > 1:
        raise Broken(f"no start of a game: {data.decode(errors='replace').strip()}")


def seat_pair(port: int, game: int, stack: ExitStack) -> list[Player]:
    """Bring two players to one table; the next two wait, since arrival decides who meets whom."""
    players = []
    for order, letter in enumerate("ab"):
        sock = stack.enter_context(connect(port))
        sock.sendall(b'{"name": "%b%d", "order": %d}\n' % (letter.encode(), game, order))
        players.append(Player(sock))
    for player in players:
        read_start(player.sock)
    players[0].opponent, players[1].opponent = players[1], players[0]
    return players


@contextmanager
def seated(port: int, wire: str, games: int) -> Iterator[tuple[list[Link], list[Link]]]:
    """Open all connections: everyone, and those who move first."""
    with ExitStack() as stack:
        everyone: list[Link] = []
        first: list[Link] = []
        for game in range(games):
            if wire == "echo":
                pair: Sequence[Link] = [Echoed(stack.enter_context(connect(port))) for _ in "ab"]
                first += pair
            else:
                pair = seat_pair(port, game, stack)
                first.append(pair[0])
            everyone += pair
        yield everyone, first


# -- while the clock runs -----------------------------------------------------


def drive(poll: select.epoll, links: dict[int, Link], until: float, note: Note) -> None:
    """Let everyone move until the time has come."""
    while perf_counter() < until:
        events = poll.poll(PATIENCE)
        if not events:
            raise Broken(f"no answer for {PATIENCE:g} s")
        for descriptor, _ in events:
            links[descriptor].hear(note)


def find_stuck(links: Sequence[Link], began: float) -> None:
    """Make sure that no game stood still while the others went on."""
    stuck = sum(link.sent_at < began for link in links)
    if stuck:
        raise Broken(f"{stuck} of {len(links)} connections never came to move")


def group_cpu(group: int) -> float:
    """Add up the processor seconds of all processes in a group, a journal's writer included."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it ended while we looked
            continue
        if int(fields[2]) == group:
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def percentile(values: Sequence[float], percent: float) -> float:
    """Give the least value that at least so many percent of all values do not exceed."""
    rank = math.ceil(len(values) * percent / 100)
    return sorted(values)[max(rank, 1) - 1]


def measure(
    port: int, wire: str, games: int, seconds: float, group: int | None
) -> dict[str, float | None]:
    """Play, first to warm up and then in earnest, and say how it went."""
    warm: list[float] = []
    taken: list[float] = []
    with seated(port, wire, games) as (everyone, first), select.epoll() as poll:
        links = {link.sock.fileno(): link for link in everyone}
        for link in everyone:
            link.sock.setblocking(False)
            poll.register(link.sock, select.EPOLLIN)
        # The server's processor time is read outside the measured time: reading it is slow.
        server_before = group_cpu(group) if group else 0.0
        for link in first:
            link.move()
        drive(poll, links, perf_counter() + WARM_UP, warm.append)
        began, worked = perf_counter(), process_time()
        drive(poll, links, began + seconds, taken.append)
        elapsed, worked = perf_counter() - began, process_time() - worked
        server_took = group_cpu(group) - server_before if group else 0.0
        find_stuck(everyone, began)
    return {
        "rate": len(taken) / elapsed,
        "p50": percentile(taken, 50),
        "p99": percentile(taken, 99),
        "load_share": worked / elapsed,
        "server_per_move": server_took / (len(warm) + len(taken)) if group else None,
    }


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Play many games at once, and measure.")
    parser.add_argument("port", type=int)
    parser.add_argument("--wire", choices=["nim", "echo"], required=True)
    parser.add_argument("--games", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--server", type=int, help="process group of the server")
    parser.add_argument("--core", type=int, help="the core to stay on")
    return parser.parse_args()


def main() -> None:
    """Measure one server; say what was wrong with it if it cannot be measured."""
    options = parse_options()
    if options.core is not None:
        os.sched_setaffinity(0, {options.core})
    try:
        figures = measure(
            options.port, options.wire, options.games, options.seconds, options.server
        )
    except (Broken, OSError) as problem:
        raise SystemExit(str(problem)) from problem
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
