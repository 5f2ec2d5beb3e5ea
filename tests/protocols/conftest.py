"""The door of Nim, names that look alike, and peers that speak UDP; fixtures give classes, for hypothesis too."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from protocols.journal.memory import MemoryJournal
from protocols.nim.server import DOOR
from protocols.nim.wire_messages import MessageReader, move, write
from protocols.testing import Ear, HandJournal, House, Peer
from tests.patience import SECONDS


class NimPeer(Peer):
    """A client of Nim at the far end of its connection; ``end`` is what it ends an object with."""

    def __init__(self, door, end):
        super().__init__(door.clock, door.factory, None)
        self.end = end

    def put(self, **written):
        """Send one object."""
        self.say(write(written).rstrip() + self.end)

    def take(self, stones, reset=False):
        """Send a move as a stock client writes it."""
        self.put(**move(stones, reset))

    def objects(self):
        """Read all that came as JSON lines."""
        return list(MessageReader().feed(self.value()))

    def last(self):
        """Read the object that came last."""
        return self.objects()[-1]


class NimDoor(House):
    """A whole daemon with the door of Nim; leaving it checks that nothing is left behind."""

    def __init__(self, most=100_000, journal=MemoryJournal, **given):
        super().__init__(doors=[DOOR], most=most, journal=journal, settings={"nim": given})
        self.factory = self.door("nim")

    def connect(self, name=None, order=0, end=b"", **more):
        """Let somebody connect, and say hello if there is a name."""
        peer = NimPeer(self, end)
        self.peers.append(peer)
        if name is not None:
            peer.put(name=name, order=order, **more)
        return peer

    def pair(self, end=b""):
        """Seat north and south, and let their game begin."""
        pair = self.connect("north", 0, end), self.connect("south", 1, end)
        self.settle()
        return pair


@pytest.fixture(scope="session")
def look_alikes() -> list[tuple[str, str]]:
    """Give pairs of names that people would take for each other: a plain one and its imitation."""
    lines = Path(__file__).with_name("look_alikes.txt").read_text(encoding="ascii").splitlines()
    pairs = (line.split("\t") for line in lines)
    return [(name, written.encode().decode("unicode_escape")) for name, written in pairs]


@pytest.fixture(scope="session")
def hand_journal():
    return HandJournal


@pytest.fixture(scope="session")
def ear():
    return Ear


@pytest.fixture(scope="session")
def nim_door():
    return NimDoor


@contextmanager
def talk(answers: Callable[[bytes], list[bytes]], host: str = "127.0.0.1") -> Iterator[int]:
    """Answer datagrams on a free UDP port for as long as a ``with`` lasts; gives the port."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as peer:
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        peer.settimeout(SECONDS)
        peer.bind((host, 0))

        def answer() -> None:
            while True:
                datagram, source = peer.recvfrom(65_535)
                if not datagram:
                    return
                for reply in answers(datagram):
                    peer.sendto(reply, source)

        listening = threading.Thread(target=answer)
        listening.start()
        try:
            yield peer.getsockname()[1]
        finally:
            peer.sendto(b"", peer.getsockname())  # behind all that was asked
            listening.join(SECONDS)


@pytest.fixture
def talking() -> Callable[..., AbstractContextManager[int]]:
    """Give ``talking(answers, host)``: a peer that answers each datagram with a list of others."""
    return talk
