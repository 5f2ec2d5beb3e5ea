"""What one move costs in process: rules, Host, memory journal and rendering, with no socket near."""

from __future__ import annotations

from time import process_time
from typing import Any

from twisted.internet.task import Clock

from gamecore.games.nim import Take
from gamecore.hall import Hall
from gamecore.rules import Registry, installed_rules
from gamecore.table_view import TableView
from protocols.host.face import News
from protocols.host.host import Host
from protocols.host.place import Place
from protocols.journal.memory import MemoryJournal
from protocols.nim import wire

GAMES = 100


class RenderingFace:
    """A face that renders what it is told and counts the bytes."""

    __slots__ = ("place", "written")

    def __init__(self) -> None:
        self.place: Place | None = None
        self.written = 0

    def shown(self, view: TableView) -> None:
        """See the table."""

    def told(self, news: News) -> None:
        """Render, as a face of the Nim wire does."""
        self.written += len(news.drawn(wire.render))

    def answered(self, tag: Any, refusal: Exception | None) -> None:
        """Hear that a move was played."""

    def parted(self, reason: str) -> None:
        """Hear that the table is gone."""


def microseconds_a_move(moves: int = 40_000) -> float:
    """Play on many tables in turn and give the processor time of one move."""
    clock = Clock()
    journal = MemoryJournal(clock)
    host = Host(Hall(Registry(installed_rules())), journal, clock, lambda: 1e9)
    faces = [_open_table(host) for _ in range(GAMES)]
    _settle(clock)
    began = process_time()
    for turn in range(moves // GAMES):
        for pair in faces:
            host.submit(pair[turn % 2], Take(1))
        _settle(clock)
    spent = process_time() - began
    assert all(face.written > moves // GAMES * 200 for pair in faces for face in pair)
    return spent / (moves // GAMES * GAMES) * 1e6


def _open_table(host: Host) -> tuple[RenderingFace, RenderingFace]:
    table = host.hall.find(host.open("nim", "", {"stones": 1_000_000}, {}).code)
    pair = RenderingFace(), RenderingFace()
    for seat, face in enumerate(pair):
        host.sit(face, table.code, seat, f"player {seat}")
    return pair


def _settle(clock: Clock) -> None:
    clock.advance(0)
    clock.advance(0)
    clock.advance(0)


if __name__ == "__main__":
    print(f"{microseconds_a_move():.1f} us a move")
