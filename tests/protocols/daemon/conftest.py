"""A game made for rehearsals: it has secrets, it has bugs, and nothing else."""

from __future__ import annotations

import json
from random import Random
from typing import ClassVar

import pytest
from attrs import frozen

from gamecore.errors import Refused
from gamecore.events import EVERYONE, AllBut, Audience, Only, RoundOver
from gamecore.hall import Hall
from gamecore.rules import Move, Outcome, Registry, View
from gamecore.settings import setting
from protocols.daemon.host import Host
from protocols.daemon.journal import MemoryJournal


@frozen
class Options:
    broken_start: bool = setting(False, "meet a bug at the start")


@frozen
class Whisper(Move):
    """Tell oneself a secret; all others hear only that there is one."""

    word: str


@frozen
class Break(Move):
    """Meet a bug, half-way."""


@frozen
class End(Move):
    """End the game."""


@frozen
class Secret:
    word: str
    audience: Audience


@frozen
class Rumour:
    seat: int
    audience: Audience


@frozen
class Said:
    seat: int
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Words(View):
    words: tuple[str, ...]


class Whispering:
    """Where one game of whispers stands; anybody may move at any time."""

    def __init__(self, seats, emit):
        self.words = {seat: [] for seat in range(seats)}
        self.emit = emit
        self.over = False

    def to_move(self):
        return frozenset() if self.over else frozenset(self.words)

    def due(self):
        return {}

    def legal_moves(self, seat):
        return ()

    def play(self, seat, move, now):
        match move:
            case Whisper(""):
                raise Refused("no-word")
            case Whisper(word):
                self.words[seat].append(word)
                self.emit(Secret(word, Only(seat)))
                self.emit(Rumour(seat, AllBut(seat)))
                self.emit(Said(seat))
            case Break():
                self.words[seat].append("half done")
                self.emit(Secret("half done", Only(seat)))
                raise RuntimeError("a bug of the game")
            case End():
                self.over = True
                self.emit(RoundOver(1))

    def leave(self, seat, why, now):
        pass

    def seen_by(self, seat):
        return Words(tuple(self.words.get(seat, ())))

    @property
    def outcome(self):
        return Outcome((1,) * len(self.words)) if self.over else None


class Rules:
    kind = "whispers"
    title = "Whispers"
    version = 1
    seats = range(2, 4)
    options = Options
    brings = None
    moves = (Whisper, Break, End)
    events = (Secret, Rumour, Said, RoundOver)

    def begin(self, seats, options, deal, emit, now):
        if options.broken_start:
            raise RuntimeError("a bug at the start")
        return Whispering(len(seats), emit)


class Whispers:
    """The moves, for those who play."""

    Whisper, Break, End = Whisper, Break, End

    @staticmethod
    def hall():
        return Hall(Registry([Rules()]))


@pytest.fixture(scope="session")
def whispers():
    """Give the moves of the game, and ``hall()`` where it is played."""
    return Whispers


class Scene:
    """A table of whispers with three seats taken, a watcher, and another table beside it."""

    def __init__(self, clock, ear, whispers):
        self.clock = clock
        self.ear = ear
        self.journal = MemoryJournal(clock)
        self.host = Host(whispers.hall(), self.journal, clock, lambda: 1e9, Random(1))
        self.table, self.faces = self.open()
        self.watcher = ear()
        self.host.watch(self.watcher, self.table)
        self.settle()

    def open(self, **options):
        """Open a table and seat three."""
        table = self.host.open("whispers", "", options, {})
        faces = [self.ear() for _ in range(3)]
        for seat, face in enumerate(faces):
            self.host.sit(face, table, seat, f"player {seat}")
        return table, faces

    def everybody(self):
        return [*self.faces, self.watcher]

    def settle(self):
        self.clock.advance(0)

    def hear(self):
        """Give what everybody heard, and start afresh."""
        heard = [each.names() for each in self.everybody()]
        self.forget()
        return heard

    def forget(self):
        for each in self.everybody():
            each.heard.clear()

    def lines(self, table):
        read = []
        self.journal.read(table.code).addCallback(read.extend)
        self.settle()
        return [json.loads(line)["command"] for line in read]


@pytest.fixture
def scene(clock, ear, whispers):
    scene = Scene(clock, ear, whispers)
    scene.forget()
    yield scene
    for attended in list(scene.host._attended.values()):
        for face in list(attended.faces):
            scene.host.leave(face)
    scene.settle()
    assert len(scene.host.hall) == 0
    assert scene.journal._lines == {}
