"""The Hall: all tables of one daemon; open, find, list, forget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from attrs import frozen

from gamecore import commands
from gamecore.errors import Refused
from gamecore.events import Event
from gamecore.fairness import DEAL_VERSION
from gamecore.record import Entry, Unreadable, read_command, read_open
from gamecore.rules import AnyRules, Registry
from gamecore.table import TABLE_VERSION, Table

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that is taken for another when read out
CODE_LENGTH = 5


@frozen
class _Group:
    """What joinable tables have in common: their game, and which seats are free."""

    kind: str
    free: tuple[int, ...]


class Hall:
    """Every table by its code, and the public ones where a seat can still be taken."""

    __slots__ = ("_gathering", "_groups", "_tables", "_turns", "most", "registry")

    def __init__(self, registry: Registry, most: int = 100_000) -> None:
        """Keep at most ``most`` tables at once."""
        self.registry = registry
        self.most = most
        self._tables: dict[str, Table] = {}
        self._gathering: dict[str, _Group] = {}  # the group each joinable table is in
        self._groups: dict[_Group, dict[str, int]] = {}  # codes, by when each came to be in it
        self._turns = count()

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
        self._keep(table)
        return table

    def apply(self, table: Table, command: commands.Command, now: float) -> Sequence[Event]:
        """Apply a command to a table of the hall; raises Refused."""
        events = table.apply(command, now)
        if type(command) is not commands.Play:  # no move makes a table joinable, or ends that
            self._index(table)
        return events

    def find(self, code: str) -> Table:
        """Find a table by its code, in any case; raises Refused ``no-such-table``."""
        try:
            return self._tables[code.upper()]
        except KeyError:
            raise Refused("no-such-table") from None

    def joinable(self, kind: str | None = None) -> Iterator[Table]:
        """List the public tables where a seat can be taken, of one kind or of all, oldest first."""
        for code, group in self._gathering.items():
            if kind is None or group.kind == kind:
                yield self._tables[code]

    def public(self, kind: str | None = None) -> Iterator[Table]:
        """List the tables that everybody may know of, of one kind or of all, the joinable ones first."""
        yield from self.joinable(kind)
        for code, table in self._tables.items():
            known = not (table.house.private or table.ended) and kind in (None, table.rules.kind)
            if known and code not in self._gathering:
                yield table

    def with_free_seat(self, kind: str, seat: int) -> Table | None:
        """Find a public table where this very seat is free: the fullest, then the longest waiting."""
        groups = (each for each in self._groups if each.kind == kind and seat in each.free)
        group = min(groups, key=self._urgency, default=None)
        return None if group is None else self._tables[next(iter(self._groups[group]))]

    def _urgency(self, group: _Group) -> tuple[int, int]:
        return len(group.free), next(iter(self._groups[group].values()))

    def forget(self, table: Table) -> None:
        """Drop a table from memory."""
        self._tables.pop(table.code, None)
        self._ungroup(table)
        self._gathering.pop(table.code, None)

    def replay(self, entries: Sequence[Entry]) -> Table:
        """Make a table anew from its record and keep it in the place of the one with its code.

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
        self._keep(table)
        return table

    def _keep(self, table: Table) -> None:
        self._tables[table.code] = table
        self._index(table)

    def _index(self, table: Table) -> None:
        """Put a table among those with the same seats free, so that a seat is found at once."""
        open_to_all = table.joinable and not table.house.private
        group = _Group(table.rules.kind, tuple(table.free_seats())) if open_to_all else None
        if group != self._gathering.get(table.code):
            self._ungroup(table)
            if group is None:
                del self._gathering[table.code]
            else:
                self._gathering[table.code] = group
                self._groups.setdefault(group, {})[table.code] = next(self._turns)

    def _ungroup(self, table: Table) -> None:
        group = self._gathering.get(table.code)
        if group is not None:
            del self._groups[group][table.code]
            if not self._groups[group]:
                del self._groups[group]

    def _rules_of(self, command: commands.Open) -> AnyRules:
        if (command.table, command.deal) != (TABLE_VERSION, DEAL_VERSION):
            raise KeyError((command.table, command.deal))
        return self.registry.exactly(command.kind, command.rules)
