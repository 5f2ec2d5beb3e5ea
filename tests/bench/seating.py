"""Before the clock of the load runs: everyone is connected, and seated in twos."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

from .links import MANNERS, READ, Broken, Echoed, HallPlayer, Link, Player

HOST = "127.0.0.1"
TO_START = 10.0
A_HOUSE = 50  # games from one address: a door bounds what comes from one


def address(number: int) -> str:
    """Give one of the many addresses that all are this machine."""
    return f"127.0.{1 + number // 250}.{1 + number % 250}"


def connect(port: int, number: int = 0) -> socket.socket:
    """Open one connection, from one of our addresses, that sends small messages at once."""
    sock = socket.create_connection((HOST, port), TO_START, (address(number), 0))
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


def read_until(sock: socket.socket, enough: Callable[[bytes], object]) -> bytes:
    """Read whole lines until they are enough."""
    data = b""
    while not (data.endswith(b"\n") and enough(data)):
        try:
            chunk = sock.recv(READ)
        except TimeoutError:
            raise Broken(f"no answer but: {data.decode(errors='replace').strip()}") from None
        if not chunk:
            said = data.decode(errors="replace").strip()
            raise Broken(f"the server closed a connection before its game began: {said}")
        data += chunk
    return data


def seat_at_nim(socks: Sequence[socket.socket], game: int) -> Sequence[Link]:
    """Bring two players to one table; the next two wait, since arrival decides who meets whom."""
    for order, sock in enumerate(socks):
        letter = b"ab"[order : order + 1]
        sock.sendall(b'{"name": "%b%d", "order": %d}\n' % (letter, game, order))
    for sock in socks:
        data = read_until(sock, bool)
        if b"init_stones" not in data or data.count(b"\n") > 1:
            raise Broken(f"no start of a game: {data.decode(errors='replace').strip()}")
    players = [Player(sock) for sock in socks]
    players[0].opponent, players[1].opponent = players[1], players[0]
    return players


def seat_in_hall(wire: str, socks: Sequence[socket.socket]) -> Sequence[Link]:
    """Let one player open a table, and the other join it."""
    manner = MANNERS[wire]
    opener, joiner = socks
    opener.sendall(manner.opens)
    data = read_until(opener, manner.code_in)
    joiner.sendall(manner.joins % manner.code_in(data))
    for sock, begun in zip(socks, manner.begun, strict=True):
        read_until(sock, lambda said, begun=begun: begun in said)  # type: ignore[misc]
    players = [HallPlayer(sock, manner, seat) for seat, sock in enumerate(socks)]
    players[0].opponent, players[1].opponent = players[1], players[0]
    return players


def seat(wire: str, socks: Sequence[socket.socket], game: int) -> Sequence[Link]:
    """Make of two connections two that play, or that are merely echoed."""
    if wire == "echo":
        return [Echoed(sock) for sock in socks]
    if wire == "nim":
        return seat_at_nim(socks, game)
    return seat_in_hall(wire, socks)


@contextmanager
def seated(
    ports: Sequence[int], wire: str, games: int, apart: bool = False
) -> Iterator[tuple[list[Link], list[Link]]]:
    """Open all connections: everyone, and those who move first.

    Each game is at one of the ports, by turns; or, where they are ``apart``, each of its players is at another.
    """
    with ExitStack() as stack:
        everyone: list[Link] = []
        first: list[Link] = []
        for game in range(games):
            house = game // A_HOUSE
            at = [order if apart else game for order in range(2)]
            socks = [stack.enter_context(connect(ports[n % len(ports)], house)) for n in at]
            pair = seat(wire, socks, game)
            everyone += pair
            first += pair if wire == "echo" else pair[:1]
        yield everyone, first
