"""Who else is told what happens at the tables: logs, metrics, ratings, a directory.

Observers look on; they change nothing, and what goes wrong in one is logged and hurts nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from twisted.logger import Logger

from gamecore.commands import Command
from gamecore.events import Event
from gamecore.table import Table
from gamecore.table_events import GameOver


class Observer(Protocol):
    """What an observer is told; a table it is given is to be looked at, and not to be kept."""

    def on_table(self, table: Table, awake: bool) -> None:
        """Hear that a table came into memory (opened, woken, read again), or left it (resting, or ended)."""

    def on_command(self, table: Table, command: Command, events: Sequence[Event]) -> None:
        """Hear that a command was done, and what happened by it; it is on its way into the journal."""

    def on_game_over(self, table: Table, over: GameOver) -> None:
        """Hear that a game has its outcome, once that is in the journal."""


class Observers:
    """All observers of one house, told one after the other."""

    _log = Logger()

    def __init__(self, *observers: Observer) -> None:
        self._observers = list(observers)

    def add(self, observer: Observer) -> None:
        """Tell one more, from now on."""
        self._observers.append(observer)

    def on_table(self, table: Table, awake: bool) -> None:
        """Tell that a table came into memory, or left it."""
        for each in self._observers:
            try:
                each.on_table(table, awake)
            except Exception:
                self._fail(each)

    def on_command(self, table: Table, command: Command, events: Sequence[Event]) -> None:
        """Tell that a command was done."""
        for each in self._observers:
            try:
                each.on_command(table, command, events)
            except Exception:
                self._fail(each)

    def on_game_over(self, table: Table, over: GameOver) -> None:
        """Tell that a game has its outcome."""
        for each in self._observers:
            try:
                each.on_game_over(table, over)
            except Exception:
                self._fail(each)

    def _fail(self, observer: Observer) -> None:
        self._log.failure("{observer} failed", observer=type(observer).__name__)
