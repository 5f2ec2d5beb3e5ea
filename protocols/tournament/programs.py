"""The programs of a tournament: which runs, which waits for its next game, which is ended."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from attrs import define

from protocols.host.door import DoorFactory, TableDefaults
from protocols.host.face import Face, Host
from protocols.net.link import Link
from protocols.tournament.child import Child, command_line, spawn
from protocols.tournament.plan import Entrant, Plan
from protocols.tournament.plan_file import pipes


@define(eq=False)
class Program:
    """A program that speaks by its pipes, and stays for one game after another."""

    entrant: Entrant
    child: Child
    face: Face
    fresh: bool = True  # whether it was never asked for a move, and may still be starting
    games: int = 0  # that it has been at


class Programs:
    """Starts programs and ends them; those that speak by their pipes stay for the next game."""

    def __init__(self, plan: Plan, host: Host, reactor: Any, errors: Path) -> None:
        """What programs say on standard error is kept in the folder ``errors``."""
        self._plan = plan
        self._host = host
        self._reactor = reactor
        self._errors = errors
        self._doors: dict[str, DoorFactory] = {}
        self._idle: dict[str, list[Program]] = defaultdict(list)
        self._all: set[Child] = set()

    def take(self, entrant: Entrant) -> Program:
        """Give a program of an entrant that is at no game: one that waits, or a new one; raises OSError."""
        waiting = self._idle[entrant.name]
        while waiting:
            program = waiting.pop()
            if program.child.alive and not program.child.stopped:
                program.child.forget_refused()
                return program
        if entrant.speaks not in self._doors:
            door = pipes()[entrant.speaks]
            self._doors[entrant.speaks] = door.build(
                self._host, TableDefaults(door=door.settings())
            )
        link = cast(Link, self._doors[entrant.speaks].buildProtocol(None))
        child = self.start(entrant, {}, link)
        link.settled()  # it is we who let it in
        return Program(entrant, child, cast(Face, link))

    def start(self, entrant: Entrant, words: Mapping[str, str], link: Link | None = None) -> Child:
        """Start a program, its words filled in; raises OSError."""
        limits = self._plan.limits
        stderr = self._errors / f"{_file_name(entrant.name)}.txt"
        child = Child(link, stderr, self._reactor, limits.junk)
        words = {"name": entrant.name, "python": sys.executable, **words}
        arguments = command_line(entrant.run, words, limits.memory_bytes, self._plan.folder)
        self._all = {each for each in self._all if each.alive}
        self._all.add(child)
        spawn(self._reactor, child, arguments)
        return child

    def give_back(self, program: Program) -> None:
        """Let a program wait for its next game."""
        program.fresh = False
        program.games += 1
        program.child.on_end = program.child.on_junk = lambda: None
        if program.child.alive and not program.child.stopped:
            self._idle[program.entrant.name].append(program)

    def stop(self) -> None:
        """End all of them."""
        for child in self._all:
            child.stop()


def _file_name(name: str) -> str:
    return "".join(each if each.isalnum() else "-" for each in name)
