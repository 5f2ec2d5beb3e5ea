"""What is to be played in a tournament, and by whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import attrs
from attrs import field, frozen

from gamecore.codec import Plain, plain
from gamecore.fairness import canonical
from gamecore.record import build
from gamecore.rules import AnyRules, Registry
from gamecore.settings import NoSettings, Value, setting


@frozen
class TournamentSettings:
    """How many games are played, and between whom."""

    game: str = setting("", "the game")
    format: str = setting("roundrobin", "who meets whom")
    games: int = setting(20, "games of each pairing; in whole turns of the seats", low=1)
    seed: int = setting(1, "what all seeds follow from", low=0)
    seats: int = setting(0, "seats of a game; 0 for as few as there can be", low=0, high=64)
    concurrency: int = setting(1, "games at once", low=1, high=64)


@frozen
class Limits:
    """What an outside program may use; times in seconds, memory in bytes (512M, 2G)."""

    start: float = setting(10.0, "seconds until a program is there", low=0.1, high=3600)
    move: float = setting(5.0, "seconds for a move", low=0.01, high=3600)
    game: float = setting(60.0, "seconds for a game", low=0.1, high=86_400)
    memory: str = setting("512M", "memory of a program")
    margin: float = setting(0.05, "seconds of the machine's own that are forgiven", low=0, high=10)
    junk: int = setting(
        20, "lines in a row that are no move or not allowed, after which a game is lost", low=1
    )
    crashes: int = setting(3, "crashes after which a program plays no more", low=1)

    @property
    def memory_bytes(self) -> int:
        """The memory as a number of bytes; raises ValueError."""
        unit = {"K": 2**10, "M": 2**20, "G": 2**30}.get(self.memory[-1:].upper())
        return int(self.memory[:-1]) * unit if unit else int(self.memory)


@frozen
class Entrant:
    """Who takes part: a house bot of a ``level``, or the program that is ``run`` and ``speaks`` a wire.

    A bot that thinks ahead takes so many ``playouts`` for a move, or None: the seconds of its level.
    """

    name: str
    level: str | None = None
    run: str = ""
    speaks: str = "json"
    playouts: int | None = None


@frozen
class Plan:
    """All that follows from the file; ``folder`` is where programs are run."""

    rules: AnyRules
    settings: TournamentSettings
    options: Mapping[str, Value]
    entrants: tuple[Entrant, ...]
    limits: Limits
    folder: Path
    door: attrs.AttrsInstance = field(factory=NoSettings)

    @property
    def seats(self) -> int:
        """How many meet in one game."""
        return self.settings.seats

    @property
    def digest(self) -> str:
        """A hash of all that decides who plays what; how many games are played at once is not in it."""
        settings = attrs.evolve(self.settings, concurrency=1)
        parts = [self.rules.kind, self.rules.version, settings, self.options, self.entrants]
        return sha256(canonical(plain([*parts, self.limits, self.door]))).hexdigest()

    def entrant(self, name: str) -> Entrant:
        """Find an entrant; raises KeyError."""
        return {each.name: each for each in self.entrants}[name]

    def only(self, names: Sequence[str]) -> Plan:
        """Make the plan in which only these take part; raises KeyError."""
        return attrs.evolve(self, entrants=tuple(map(self.entrant, names)))

    def written(self) -> Plain:
        """Write what decides how house bots play a game; ``read_back`` makes a plan of it that has nothing else."""
        return plain([self.rules.kind, self.settings, self.options, self.entrants])


def read_back(written: Any, registry: Registry) -> Plan:
    """Make the plan by which house bots play; no program is started by it."""
    kind, settings, options, entrants = written
    return Plan(
        registry.latest(kind),
        build(TournamentSettings, settings),
        options,
        tuple(build(Entrant, each) for each in entrants),
        Limits(),
        Path(),
    )
