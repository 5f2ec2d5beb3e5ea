"""The Hall: the tables of one daemon that are in memory; open, find, replay, forget."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from gamecore import commands
from gamecore.errors import Refused
from gamecore.fairness import DEAL_VERSION
from gamecore.record import Entry, Unreadable, read_command, read_open
from gamecore.rules import AnyRules, Registry
from gamecore.table import TABLE_VERSION, Table

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that is taken for another when read out
CODE_LENGTH = 5


def is_code(written: str) -> bool:
    """Say whether this could be the code of a table."""
    return len(written) == CODE_LENGTH and all(letter in CODE_LETTERS for letter in written)


class Hall:
    """Every table in memory by its code."""

    __slots__ = ("_tables", "most", "registry")

    def __init__(self, registry: Registry, most: int = 100_000) -> None:
        """Keep at most ``most`` tables at once."""
        self.registry = registry
        self.most = most
        self._tables: dict[str, Table] = {}

    def __len__(self) -> int:
        return len(self._tables)

    def __contains__(self, code: str) -> bool:
        return code in self._tables

    def open(self, command: commands.Open) -> Table:
        """Set up a table; raises Refused ``hall-full``, ``code-taken`` or for its options."""
        if len(self) >= self.most:
            raise Refused("hall-full", most=self.most)
        if command.code in self._tables:
            raise Refused("code-taken")
        table = Table(command, self._rules_of(command))
        self._tables[table.code] = table
        return table

    def find(self, code: str) -> Table:
        """Find a table by its code, in any case; raises Refused ``no-such-table``."""
        try:
            return self._tables[code.upper()]
        except KeyError:
            raise Refused("no-such-table") from None

    def forget(self, table: Table) -> None:
        """Drop a table from memory."""
        self._tables.pop(table.code, None)

    def replay(self, entries: Sequence[Entry]) -> Table:
        """Make a table anew from its record and keep it in the place of the one with its code.

        Raises Unreadable as ``rebuild`` does.
        """
        table = self.rebuild(entries)
        self.keep(table)
        return table

    def keep(self, table: Table) -> None:
        """Keep a table that was made anew, in the place of the one with its code."""
        self._tables[table.code] = table

    def rebuild(self, entries: Sequence[Entry]) -> Table:
        """Make a table anew from its record, to be looked at; raises Unreadable as ``rebuilding`` does."""
        steps = self.rebuilding(entries)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                table: Table = end.value
                return table

    def rebuilding(self, entries: Sequence[Entry]) -> Generator[None, None, Table]:
        """Make a table anew from its record, one command a step: a long record takes its time.

        Raises Unreadable for a record that is damaged or whose versions are gone.
        """
        if not entries:
            raise Unreadable("an empty record")
        opened = read_open(entries[0].command)
        if any(entry.table != opened.code for entry in entries):
            raise Unreadable("a record of another table")
        try:
            table = Table(opened, self._rules_of(opened))
        except KeyError:
            raise Unreadable(f"the rules of {opened.kind} {opened.rules} are gone") from None
        except Refused as refusal:
            raise Unreadable(f"the table cannot be opened: {refusal}") from refusal
        for entry in entries[1:]:
            try:
                table.apply(read_command(entry.command, table.rules), entry.at)
            except Refused as refusal:  # what was accepted once must be accepted again
                raise Unreadable(f"record {entry.sequence} is refused: {refusal}") from refusal
            yield
        return table

    def _rules_of(self, command: commands.Open) -> AnyRules:
        if (command.table, command.deal) != (TABLE_VERSION, DEAL_VERSION):
            raise KeyError((command.table, command.deal))
        return self.registry.exactly(command.kind, command.rules)
