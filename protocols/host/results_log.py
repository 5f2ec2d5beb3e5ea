"""The log of results: one line for every game that is over."""

from __future__ import annotations

from collections.abc import Sequence

from twisted.logger import Logger

from gamecore.commands import Command
from gamecore.events import Event
from gamecore.table import Table
from gamecore.table_events import GameOver


class ResultsLog:
    """An observer that logs how every game ended."""

    _log = Logger()

    def on_table(self, table: Table, awake: bool) -> None:
        """Log nothing: tables come and go by the thousand."""

    def on_command(self, table: Table, command: Command, events: Sequence[Event]) -> None:
        """Log nothing: this is the path of every move."""

    def on_game_over(self, table: Table, over: GameOver) -> None:
        """Log who took which place."""
        self._log.info(
            "{kind} at table {code}: game {number} is over after {commands} commands,"
            " places by seat {places} ({reason})",
            kind=table.rules.kind,
            code=table.code,
            number=over.number,
            commands=table.sequence,
            places=over.outcome.places,
            reason=over.outcome.reason,
        )
