"""The faults that are done to a house: each begins, lasts for so many seconds, and is mended."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Protocol

from attrs import frozen

from tests.daemons.wall import A_DAY
from tests.house.node import Node
from tests.postgres import Server

Mend = Callable[[], None]

_TERMINATE = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'process %'"
)


class House(Protocol):
    """What a fault can reach."""

    server: Server
    nodes: Sequence[Node]
    busy: bool  # the database is being restarted


@frozen
class Fault:
    """One kind of fault; ``begin`` does it to a node, and gives how it is mended, or None if it cannot be done now.

    ``lasts`` are the shortest and the longest time in seconds; of all kinds it is drawn ``weight`` times as often.
    """

    name: str
    begin: Callable[[House, Node, Random], Mend | None]
    lasts: tuple[float, float] = (0.0, 0.0)
    weight: int = 1


def _kill(house: House, node: Node, chance: Random) -> Mend | None:
    if not node.up:
        return None
    node.kill()
    return node.launch


def _terminate(house: House, node: Node, chance: Random) -> Mend | None:
    if not node.up:
        return None
    node.terminate()
    return node.launch


def _kill_writer(house: House, node: Node, chance: Random) -> Mend | None:
    return node.launch if node.up and node.kill_writer() else None


def _stop(house: House, node: Node, chance: Random) -> Mend | None:
    """Stop the daemon, its writer, or both."""
    if not node.up:
        return None
    whole = node.pids()
    pids = chance.choice((whole, whole, whole[:1], whole[1:])) or whole
    node.stop(pids)
    return node.cont


def _leap(house: House, node: Node, chance: Random) -> Mend | None:
    node.daemon.wall.leap(chance.choice((-1, 1)) * chance.randint(1, 100 * A_DAY))
    return lambda: None


def _restart(how: signal.Signals) -> Callable[[House, Node, Random], Mend | None]:
    def begin(house: House, node: Node, chance: Random) -> Mend | None:
        if house.busy:
            return None
        house.busy = True
        house.server.stop(how)

        def mend() -> None:
            house.server.start()
            house.busy = False
            for each in house.nodes:
                each.troubled_at = time.monotonic()

        return mend

    return begin


def _end_back_ends(house: House, node: Node, chance: Random) -> Mend | None:
    """End the connection of one daemon's writer, or of all, at the server."""
    if house.busy:
        return None
    one = f" AND application_name LIKE 'process {node.pids()[0]} on %'" if node.up else ""
    house.server.do(_TERMINATE + (one if chance.random() < 0.5 else ""))
    for each in house.nodes:
        each.troubled_at = time.monotonic()
    return lambda: None


def _cut(house: House, node: Node, chance: Random) -> Mend | None:
    """Cut all links by which others have called a daemon, and let none through."""
    relay = node.relay
    if relay is None or relay.cut_off or not node.up:
        return None
    relay.cut_off = True
    relay.cut()

    def mend() -> None:
        relay.cut_off = False

    return mend


def _slow(house: House, node: Node, chance: Random) -> Mend | None:
    """Let everything that goes over those links be late; for a long time it is as if nothing came."""
    relay = node.relay
    if relay is None or relay.delay or not node.up:
        return None
    relay.delay = chance.choice((0.05, 0.3, 2.0))

    def mend() -> None:
        relay.delay = 0.0

    return mend


FAULTS = (
    Fault("killed", _kill, (0.1, 2.0), 4),
    Fault("its writer killed", _kill_writer, (0.1, 1.0)),
    Fault("terminated and restarted", _terminate, (0.1, 2.0), 2),
    Fault("stopped shorter than a lease", _stop, (0.2, 3.5), 3),
    Fault("stopped longer than a lease", _stop, (6.5, 9.0)),
    Fault("database restarted fast", _restart(signal.SIGINT), (0.2, 2.0)),
    Fault("database restarted at once", _restart(signal.SIGQUIT), (0.2, 2.0)),
    Fault("back ends ended", _end_back_ends, (0.0, 0.0), 2),
    Fault("links cut for a moment", _cut, (0.0, 2.5), 2),
    Fault("links cut for long", _cut, (3.5, 7.0)),
    Fault("links slow", _slow, (0.5, 4.0), 2),
    Fault("clock on the wall set", _leap, (0.0, 0.0), 3),
)
