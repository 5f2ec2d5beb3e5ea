"""A game made for rehearsals, with secrets and bugs and nothing else; and a table to come back to."""

from __future__ import annotations

import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from random import Random
from typing import ClassVar

import pytest
from attrs import frozen
from twisted.internet.task import Clock

from gamecore.commands import Play, Rematch, Start
from gamecore.errors import Refused
from gamecore.events import EVERYONE, AllBut, Audience, Only, RoundOver
from gamecore.game import Stage
from gamecore.games.nim import RULES as NIM
from gamecore.hall import Hall
from gamecore.record import read_records
from gamecore.rules import Move, Outcome, Registry, View
from gamecore.settings import setting
from protocols.host.host import Host
from protocols.journal.memory import MemoryJournal
from protocols.testing import KeptJournal


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
        self.host.watch(self.watcher, self.table.code)
        self.settle()

    def open(self, **options):
        """Open a table and seat three."""
        table = self.host.hall.find(self.host.open("whispers", "", options, {}).code)
        faces = [self.ear() for _ in range(3)]
        for seat, face in enumerate(faces):
            self.host.sit(face, table.code, seat, f"player {seat}")
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
    for live in list(scene.host.service.live):
        for face in list(live.faces):
            scene.host.leave(face)
    scene.settle()
    assert len(scene.host.hall) == 0
    assert scene.journal._lines == {}


@pytest.fixture(scope="session")
def high(pytestconfig):
    """Borrow High Card from the card room: it has rounds, pauses, clocks, secrets and more than two seats."""
    path = pytestconfig.rootpath / "tests" / "gamecore" / "conftest.py"
    spec = spec_from_file_location("high_card", path)
    module = sys.modules["high_card"] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Room:
    """A table where everybody can come back, but for ``strangers``; one who looks on, and the journal behind it."""

    def __init__(
        self,
        ear,
        high,
        kind,
        journal=KeptJournal,
        options=(),
        seed=1,
        strangers=(),
        owner=None,
        **house,
    ):
        self.ear, self.kind, self.seed = ear, kind, seed
        self.charm = None if kind == "nim" else high.Charm("a hare's foot")
        self.clock, self.registry = Clock(), Registry([NIM, high.HighRules()])
        self._host_over(journal(self.clock))
        usual = {"seconds": 1000, **({"lag": 0} if kind == "nim" else {})}
        options, house = (
            {**usual, **dict(options)},
            {"start": "asked", "grace": 60, **house},
        )
        self.code = self.host.open(kind, "", options, house, owner).code
        self.watcher, self.faces = ear(), {}
        self.host.watch(self.watcher, self.table.code)
        for seat in range(2 if kind == "nim" else 3):
            name = f"player {seat}"
            face = self.faces[name] = ear()
            keep = seat not in strangers
            self.host.sit(face, self.table.code, seat, name, "sat", keep=keep, brought=self.charm)
        self.settle()
        self.tokens = {name: face.token for name, face in self.faces.items() if face.token}

    def _host_over(self, journal):
        self.journal = journal
        self.seed += 1
        hall, chance = Hall(self.registry), Random(self.seed)
        self.host = Host(hall, journal, self.clock, lambda: 1e9 + self.clock.seconds(), chance)

    @property
    def table(self):
        return self.host.hall.find(self.code)

    @property
    def now(self):
        return self.host.service.clocks.now(self.host.service.live.find(self.code))

    def settle(self):
        self.clock.advance(0)

    def do(self, command):
        self.host.command(None, self.table, command)
        self.settle()

    def move(self):
        """Let somebody who is to move do the first thing that is legal."""
        seat = min(self.table.awaited())
        self.do(Play(seat, self.table.legal_moves(seat)[0]))

    def reach(self, state):
        """Go on to a stage of the game, or of the second one at this table."""
        if state != "gathering":
            self.do(Start())
        if state in ("gathering again", "second game"):
            self.play_until(Stage.OVER)
            self.do(Rematch("cd" * 32))
        if state == "second game":
            self.do(Start())
        if state in ("between-rounds", "over"):
            self.play_until(Stage(state))
        return self

    def play_until(self, stage):
        while self.table.stage is not stage:
            self.move()

    def drop(self, name):
        self.host.drop(self.faces[name])
        self.settle()

    def ask_back(self, token):
        face = self.ear()
        self.host.come_back(face, token, "back")
        return face

    def come_back(self, name):
        face = self.ask_back(self.tokens[name])
        self.settle()
        if face.place is not None:
            self.faces[name] = face
        return face

    def kill(self, down=1000.0):
        """Let the process be gone, with all that was not committed, and another begin after a while."""
        self.clock.calls.clear()
        self.clock.advance(down)
        self._host_over(self.journal.next())
        self.host.begin()
        self.clock.advance(0)

    def seat_of(self, name):
        return next(seat for seat, core in self.table.seated().items() if core.name == name)

    def presence(self, name):
        return self.table.presence(self.seat_of(name))

    def view(self, name):
        return self.table.seen_by(self.seat_of(name), self.now)

    def hear(self, but=None):
        """Give what everybody was told since the last time; all who are there must agree."""
        players = [face for name, face in self.faces.items() if name != but]
        there = [each for each in (self.watcher, *players) if each.place is not None]
        heard = [[e for e in x.heard if getattr(e, "audience", 0) is EVERYONE] for x in there]
        self.forget()
        assert all(each == heard[0] for each in heard)
        return [type(each).__name__ for each in heard[0]]

    def forget(self):
        for each in (self.watcher, *self.faces.values()):
            each.heard.clear()

    def lines(self):
        return self.journal._lines[self.code]

    def commands(self):
        return [json.loads(line)["command"]["is"] for line in self.lines()]

    def check_record(self):
        """See that what is in the journal gives this very table."""
        twin = Hall(self.registry).replay(read_records(self.lines()))
        for seat in (None, *self.table.seated()):
            assert twin.seen_by(seat, self.now) == self.table.seen_by(seat, self.now)
        assert twin.alarm() == self.table.alarm()

    def live_on(self, seconds):
        """Let the house live for so long, with the signs of life that it gives."""
        for _ in range(int(seconds / 5) + 1):
            self.clock.advance(5)
            self.host.beat()

    def end(self):
        """Let everybody leave, and check that nothing is left."""
        for name in self.tokens:
            self.come_back(name)
        for face in (*self.faces.values(), self.watcher):
            self.host.leave(face)
        self.clock.pump([4000, 0])
        assert (
            len(self.host.hall),
            len(self.host.service.live),
            len(self.host.service.dormant),
        ) == (0, 0, 0)
        assert (self.journal._lines, self.clock.getDelayedCalls()) == ({}, [])


@pytest.fixture
def room(ear, high):
    """Give ``room(kind, state, **house)``: a table in some state, that must leave nothing behind."""
    rooms = []

    def build(kind, state="playing", **how):
        rooms.append(Room(ear, high, kind, seed=100 * len(rooms), **how).reach(state))
        rooms[-1].forget()
        return rooms[-1]

    yield build
    for each in (home for home in rooms if not home.host.service.closing):
        each.end()


@pytest.fixture(scope="session")
def lone_room(ear, high):
    """Give the maker of such tables, for who sees to their end."""
    return lambda kind, **how: Room(ear, high, kind, **how)
